// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tp.h"

#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include <v9trace/base.h>

#include "../util.h"

struct v9_tp {
	struct tep_handle *tep;
	struct trace_seq seq;
	struct v9_buf raw;	/* the sample with zeros behind: text in it need not end */
	char name[128];
};

#define RAW_SLACK	64

/* A cursor that never leaves the section. */
struct cursor {
	const uint8_t *p, *end;
	bool bad;
};

static const uint8_t *bytes(struct cursor *c, uint64_t n)
{
	const uint8_t *p = c->p;

	if (c->bad || n > (uint64_t)(c->end - c->p)) {
		c->bad = true;
		return NULL;
	}
	c->p += n;
	return p;
}

static uint64_t number(struct cursor *c, unsigned int size)
{
	const uint8_t *p = bytes(c, size);

	return p ? v9_load_le(p, size) : 0;
}

static const char *string(struct cursor *c)
{
	const uint8_t *p = c->p, *zero;

	zero = c->bad ? NULL : memchr(p, 0, (size_t)(c->end - c->p));
	if (!zero) {
		c->bad = true;
		return "";
	}
	c->p = zero + 1;
	return (const char *)p;
}

/* A count of formats, each a u64 size and text. */
static void formats(struct v9_tp *tp, struct cursor *c, const char *system)
{
	uint64_t n = number(c, 4);

	while (n-- && !c->bad) {
		const uint64_t size = number(c, 8);
		const uint8_t *p = bytes(c, size);
		char *text;

		if (!p)
			return;
		/* The parser wants a zero behind the text. */
		text = v9_alloc(size + 1);
		memcpy(text, p, size);
		tep_parse_event(tp->tep, text, size, system);
		free(text);
	}
}

static bool parse(struct v9_tp *tp, struct cursor *c)
{
	static const char magic[] = PD_TRACING_MAGIC;
	const uint8_t *p = bytes(c, sizeof(magic) - 1);
	uint64_t n;

	if (!p || memcmp(p, magic, sizeof(magic) - 1))
		return false;
	string(c);				/* version: later ones only add at the end */
	if (number(c, 1))			/* big-endian */
		return false;
	tep_set_file_bigendian(tp->tep, TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(tp->tep, TEP_LITTLE_ENDIAN);
	tep_set_long_size(tp->tep, (int)number(c, 1));
	tep_set_page_size(tp->tep, (int)number(c, 4));
	string(c);				/* header_page, header_event */
	bytes(c, number(c, 8));
	string(c);
	bytes(c, number(c, 8));
	formats(tp, c, "ftrace");
	n = number(c, 4);
	while (n-- && !c->bad) {
		const char *system = string(c);

		formats(tp, c, system);
	}
	return !c->bad;
}

struct v9_tp *v9_tp_open(const struct pd_file *f)
{
	const struct pd_range r = f->sections[PD_TRACING_DATA];
	struct cursor c = { .p = f->map + r.offset, .end = f->map + r.offset + r.size };
	struct v9_tp *tp;

	if (!r.size)
		return NULL;
	tp = v9_alloc(sizeof(*tp));
	tp->tep = tep_alloc();
	if (!tp->tep) {
		free(tp);
		return NULL;
	}
	tep_set_loglevel(TEP_LOG_NONE);
	trace_seq_init(&tp->seq);
	if (!parse(tp, &c))
		v9_warn("the tracepoint formats in the capture are damaged");
	return tp;
}

void v9_tp_close(struct v9_tp *tp)
{
	if (!tp)
		return;
	trace_seq_destroy(&tp->seq);
	v9_buf_free(&tp->raw);
	tep_free(tp->tep);
	free(tp);
}

/* The printer believes the format: no field, and nothing a field points at, may lie outside. */
static bool fields_fit(const struct tep_event *event, const struct pd_sample *s)
{
	for (const struct tep_format_field *f = event->format.fields; f; f = f->next) {
		const uint64_t end = (uint64_t)f->offset + (uint64_t)f->size;
		uint64_t where, at;

		if (f->offset < 0 || f->size < 0 || end > s->raw_size)
			return false;
		if (!(f->flags & TEP_FIELD_IS_DYNAMIC))
			continue;
		if (f->size != 4)
			return false;
		where = v9_load_le(s->raw + f->offset, 4);
		at = (where & 0xffff) + (f->flags & TEP_FIELD_IS_RELATIVE ? end : 0);
		if (at + (where >> 16) > s->raw_size)
			return false;
	}
	return true;
}

bool v9_tp_text(struct v9_tp *tp, const struct pd_event *e, const struct pd_sample *s,
		const char **name, const char **text)
{
	struct tep_record rec = { .ts = e->time, .cpu = (int)e->cpu, .size = (int)s->raw_size };
	struct tep_event *event;

	/* The common fields alone are 8 bytes; the event's id is the first of them. */
	if (!tp || s->raw_size < 8)
		return false;
	event = tep_find_event(tp->tep, (int)v9_load_le(s->raw, 2));
	if (!event || !fields_fit(event, s))
		return false;
	tp->raw.len = 0;
	v9_buf_put(&tp->raw, s->raw, s->raw_size);
	v9_buf_zero(&tp->raw, RAW_SLACK);
	rec.data = tp->raw.data;
	snprintf(tp->name, sizeof(tp->name), "%s:%s", event->system, event->name);
	trace_seq_reset(&tp->seq);
	tep_print_event(tp->tep, &tp->seq, &rec, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&tp->seq);
	*name = tp->name;
	*text = tp->seq.buffer ? tp->seq.buffer : "";
	return true;
}
