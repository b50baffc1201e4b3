// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tp.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include <v9trace/base.h>

#include "../util.h"

struct v9_tp {
	struct tep_handle *tep;
	struct trace_seq seq;
	struct v9_syms *syms;
	struct v9_blob raw;	/* the sample with zeros appended: text in it may be unterminated */
	char name[128];
};

#define RAW_SLACK	64

/* A cursor over the section, with bounds checks */
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

/*
 * libtraceevent trusts the kernel's formats and may crash on a damaged one. So each format is
 * parsed in a child process first.
 */
static bool survives(struct v9_tp *tp, const char *text, uint64_t size, const char *system)
{
	const struct rlimit none = { 0, 0 };
	int status = 0;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		setrlimit(RLIMIT_CORE, &none);
		alarm(10);
		_exit(!!tep_parse_event(tp->tep, text, size, system));
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status);
}

/* The fields of a format may be parsed although its print format is not. */
static void one_format(struct v9_tp *tp, const char *text, uint64_t size, const char *system)
{
	const char *name = strstr(text, "name: ");
	struct tep_event *event = NULL;
	char *word;

	name = name ? name + strlen("name: ") : "";
	word = v9_format("%.*s", (int)strcspn(name, " \t\r\n"), name);
	if (survives(tp, text, size, system) && !tep_parse_event(tp->tep, text, size, system))
		event = tep_find_event_by_name(tp->tep, system, word);
	if (!event || event->flags & TEP_EVENT_FL_FAILED)
		v9_warn("the format of %s:%s in the capture is damaged", system,
			*word ? word : "an event without a name");
	free(word);
}

/* The number of formats, and for each a u64 size and the text */
static void formats(struct v9_tp *tp, struct cursor *c, const char *system)
{
	uint64_t n = number(c, 4);

	while (n-- && !c->bad) {
		const uint64_t size = number(c, 8);
		const uint8_t *p = bytes(c, size);
		char *text;

		if (!p)
			return;
		/* The parser needs terminated text. */
		text = v9_alloc(size + 1);
		memcpy(text, p, size);
		one_format(tp, text, size, system);
		free(text);
	}
}

/* The symbol that %pS prints */
static char *function_at(void *arg, unsigned long long *addr, char **module)
{
	struct v9_tp *tp = arg;
	struct v9_place place;

	v9_syms_find(tp->syms, V9_KERNEL_PID, UINT64_MAX, *addr, &place);
	if (!place.func || !(*addr & V9_KERNEL_HALF))
		return NULL;
	*addr = place.func->start;
	*module = (char *)place.func->dso;
	return (char *)place.func->name;
}

/* printk formats, which samples refer to by address */
static void printk_formats(struct v9_tp *tp, struct cursor *c)
{
	const uint8_t *p;
	uint64_t size;
	char *text;

	bytes(c, number(c, 4));			/* kallsyms */
	size = number(c, 4);
	p = bytes(c, size);
	if (!p)
		return;
	text = v9_alloc(size + 1);
	memcpy(text, p, size);
	tep_parse_printk_formats(tp->tep, text);
	free(text);
}

static bool parse(struct v9_tp *tp, struct cursor *c)
{
	static const char magic[] = PD_TRACING_MAGIC;
	const uint8_t *p = bytes(c, sizeof(magic) - 1);
	uint64_t n;

	if (!p || memcmp(p, magic, sizeof(magic) - 1))
		return false;
	string(c);				/* version; later versions append only */
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
	printk_formats(tp, c);
	return !c->bad;
}

struct v9_tp *v9_tp_open(const struct pd_file *f, struct v9_syms *syms)
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
	tp->syms = syms;
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_function_resolver(tp->tep, function_at, tp);
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
	v9_blob_free(&tp->raw);
	tep_free(tp->tep);
	free(tp);
}

/* libtraceevent trusts offsets: check that fields, and what they refer to, are in the sample. */
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
		where = v9_load_le32(s->raw + f->offset);
		at = (where & 0xffff) + (f->flags & TEP_FIELD_IS_RELATIVE ? end : 0);
		if (at + (where >> 16) > s->raw_size)
			return false;
	}
	return true;
}

/* Returns the event of the sample, with its bytes in tp->raw; NULL if its format is unknown. */
static struct tep_event *event_of(struct v9_tp *tp, const struct pd_sample *s)
{
	struct tep_event *event;

	/* The common fields have 8 bytes; the first one is the event's id. */
	if (!tp || s->raw_size < 8)
		return NULL;
	event = tep_find_event(tp->tep, (int)v9_load_le(s->raw, 2));
	if (!event || !fields_fit(event, s))
		return NULL;
	tp->raw.len = 0;
	v9_blob_put(&tp->raw, s->raw, s->raw_size);
	v9_blob_zero(&tp->raw, RAW_SLACK);
	return event;
}

const char *v9_tp_name(struct v9_tp *tp, const struct pd_sample *s)
{
	const struct tep_event *event = tp && s->raw_size >= 8 ?
					tep_find_event(tp->tep, (int)v9_load_le(s->raw, 2)) : NULL;

	if (!event)
		return NULL;
	snprintf(tp->name, sizeof(tp->name), "%s:%s", event->system, event->name);
	return tp->name;
}

bool v9_tp_text(struct v9_tp *tp, const struct pd_event *e, const struct pd_sample *s,
		const char **name, const char **text)
{
	struct tep_record rec = { .ts = e->time, .cpu = (int)e->cpu, .size = (int)s->raw_size };
	struct tep_event *event;

	event = event_of(tp, s);
	if (!event)
		return false;
	rec.data = tp->raw.data;
	v9_tp_name(tp, s);
	trace_seq_reset(&tp->seq);
	tep_print_event(tp->tep, &tp->seq, &rec, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&tp->seq);
	*name = tp->name;
	*text = tp->seq.buffer ? tp->seq.buffer : "";
	return true;
}

bool v9_tp_fields(struct v9_tp *tp, const struct pd_sample *s,
		  void (*take)(void *arg, const struct v9_tp_field *field), void *arg)
{
	const struct tep_event *event = event_of(tp, s);
	struct v9_blob text = { 0 };

	if (!event)
		return false;
	for (const struct tep_format_field *f = event->format.fields; f; f = f->next) {
		struct v9_tp_field out = { .name = f->name, .size = (size_t)f->size };
		size_t at = (size_t)f->offset;

		if (f->flags & TEP_FIELD_IS_DYNAMIC) {
			const uint64_t where = v9_load_le32(tp->raw.data + at);

			at = (where & 0xffff) + (f->flags & TEP_FIELD_IS_RELATIVE ? at + out.size : 0);
			out.size = where >> 16;
		}
		out.bytes = tp->raw.data + at;
		/* libtraceevent sets this flag for arrays of bytes as well. */
		if (f->flags & TEP_FIELD_IS_STRING && strstr(f->type, "char")) {
			out.kind = V9_TP_TEXT;
			text.len = 0;
			v9_blob_put(&text, out.bytes, strnlen((const char *)out.bytes, out.size));
			v9_blob_zero(&text, 1);
			out.text = (const char *)text.data;
		} else if (f->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_DYNAMIC) ||
			   (out.size != 1 && out.size != 2 && out.size != 4 && out.size != 8)) {
			out.kind = V9_TP_BYTES;
		} else {
			const unsigned int bits = 8 * (unsigned int)out.size;

			out.number = v9_load_le(out.bytes, (unsigned int)out.size);
			out.kind = f->flags & TEP_FIELD_IS_POINTER ? V9_TP_ADDRESS :
				   f->flags & TEP_FIELD_IS_SIGNED ? V9_TP_SIGNED : V9_TP_UNSIGNED;
			if (out.kind == V9_TP_SIGNED && bits < 64 && out.number >> (bits - 1))
				out.number |= ~UINT64_C(0) << bits;
		}
		take(arg, &out);
	}
	v9_blob_free(&text);
	return true;
}
