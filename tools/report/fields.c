// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "fields.h"

#include <inttypes.h>
#include <string.h>

#include "../lib/spe_text.h"

#define NS	UINT64_C(1000000000)

/* Write a part of a text to @to, and advance it. They are macros so that the size of a literal is a constant. */
#define TEXT(to, s)		(memcpy(to, s, sizeof(s) - 1), (to) += sizeof(s) - 1)
#define HEX(to, n)		((to) += v9_hex(to, n))
#define DECIMAL(to, n)		((to) += v9_decimal(to, n))
#define BYTES(to, s, n)		(memcpy(to, s, n), (to) += (n))
#define MEMBER(to, key, n)	(TEXT(to, ",\"" key "\":"), DECIMAL(to, n))
#define HEX_MEMBER(to, key, n)	(TEXT(to, ",\"" key "\":\"0x"), HEX(to, n), TEXT(to, "\""))

static char *text_time(char *to, const struct v9_line *l)
{
	const uint64_t blanks = ' ' * V9_EACH_BYTE;
	const uint64_t s = l->at->time / NS, ns = l->at->time % NS;
	uint64_t x, zeros;

	if (!l->at->has_time) {
		TEXT(to, "               -");
		return to;
	}
	if (s < 1000000) {
		/* The last six of eight digits, with blanks for zeros */
		x = v9_eight_digits((uint32_t)s);
		zeros = (UINT64_C(1) << 8 * v9_leading_zeros(x)) - 1;
		x += '0' * V9_EACH_BYTE;
		x = htole64(((x & ~zeros) | (blanks & zeros)) >> 16);
		memcpy(to, &x, sizeof(x));
		to += 6;
	} else {
		DECIMAL(to, s);
	}
	*to = '.';
	v9_decimal_eight(to + 1, (uint32_t)(ns / 10));
	to[9] = (char)('0' + ns % 10);
	return to + 10;
}

static char *json_time(char *to, const struct v9_line *l)
{
	if (l->at->has_time)
		MEMBER(to, "time", l->at->time);
	return to;
}

static const struct v9_field_brief brief_time = { text_time, json_time };

static void text_cpu(struct v9_put *p, const struct v9_line *l)
{
	if (l->at->cpu == V9_NO_TASK) {
		v9_put_str(p, "[ - ]");
		return;
	}
	v9_put_char(p, '[');
	v9_put_number0(p, l->at->cpu, 3);
	v9_put_char(p, ']');
}

static void json_cpu(struct v9_json *j, const struct v9_line *l)
{
	if (l->at->cpu != V9_NO_TASK)
		v9_json_number(j, "cpu", l->at->cpu);
}

static void text_comm(struct v9_put *p, const struct v9_line *l)
{
	v9_text_clean(p, l->at->comm ? l->at->comm : "-", 15);
}

static void json_comm(struct v9_json *j, const struct v9_line *l)
{
	if (l->at->comm)
		v9_json_text(j, "comm", l->at->comm);
}

static void text_id(struct v9_put *p, uint32_t id)
{
	if (id != V9_NO_TASK)
		v9_put_number(p, id, 6);
	else
		v9_put_right(p, "-", 6);
}

static void text_pid(struct v9_put *p, const struct v9_line *l)
{
	text_id(p, l->at->pid);
}

static void json_pid(struct v9_json *j, const struct v9_line *l)
{
	if (l->at->pid != V9_NO_TASK)
		v9_json_number(j, "pid", l->at->pid);
}

static void text_tid(struct v9_put *p, const struct v9_line *l)
{
	text_id(p, l->at->tid);
}

static void json_tid(struct v9_json *j, const struct v9_line *l)
{
	if (l->at->tid != V9_NO_TASK)
		v9_json_number(j, "tid", l->at->tid);
}

static const char *cgroup(const struct v9_line *l)
{
	return v9_cgroups_path(&l->s->cgroups, l->at->tid, v9_sampled_time(l->at));
}

static void text_cgroup(struct v9_put *p, const struct v9_line *l)
{
	const char *path = cgroup(l);

	v9_text_clean(p, path ? path : "-", 0);
}

static void json_cgroup(struct v9_json *j, const struct v9_line *l)
{
	const char *path = cgroup(l);

	if (path)
		v9_json_text(j, "cgroup", path);
}

static char *text_el(char *to, const struct v9_line *l)
{
	if (l->r->has & V9_SPE_REC_PC)
		TEXT(to, "EL"), DECIMAL(to, l->r->pc.el);
	else
		TEXT(to, " - ");
	return to;
}

static char *json_el(char *to, const struct v9_line *l)
{
	if (l->r->has & V9_SPE_REC_PC)
		MEMBER(to, "el", l->r->pc.el);
	return to;
}

static const struct v9_field_brief brief_el = { text_el, json_el };

static char *text_pc(char *to, const struct v9_line *l)
{
	char digits[V9_DIGITS_MOST];
	size_t n;

	if (!(l->r->has & V9_SPE_REC_PC)) {
		TEXT(to, "               -");
		return to;
	}
	n = v9_hex(digits, l->r->pc.addr);
	memset(to, ' ', 16);
	memcpy(to + 16 - n, digits, 16);
	return to + 16;
}

static char *json_pc(char *to, const struct v9_line *l)
{
	if (l->r->has & V9_SPE_REC_PC)
		HEX_MEMBER(to, "pc", l->r->pc.addr);
	return to;
}

static const struct v9_field_brief brief_pc = { text_pc, json_pc };

void v9_text_place(struct v9_put *p, const struct v9_place *place)
{
	v9_text_clean(p, place->func ? place->func->name : V9_NO_FUNC, 0);
	if (place->func) {
		v9_put_str(p, "+0x");
		v9_put_hex(p, place->offset, 0);
	}
	v9_put_str(p, " (");
	v9_text_clean(p, v9_base_name(place->dso_name), 0);
	v9_put_char(p, ')');
}

/* As v9_text_place(). Returns NULL if a name is long, or has a character to escape. */
static char *brief_place(char *to, const struct v9_placed *p)
{
	const struct v9_func *func = p->place.func;

	if (!p->dso_size)
		return NULL;
	BYTES(to, func ? func->name : V9_NO_FUNC, p->func_size);
	if (func)
		TEXT(to, "+0x"), HEX(to, p->place.offset);
	TEXT(to, " (");
	BYTES(to, p->place.dso_name + p->dso_size - p->base_size, p->base_size);
	TEXT(to, ")");
	return to;
}

static void json_place(struct v9_json *j, const char *sym, const char *offset, const char *dso,
		       const struct v9_place *p)
{
	if (p->func) {
		v9_json_text(j, sym, p->func->name);
		v9_json_hex(j, offset, p->offset);
	}
	if (p->dso)
		v9_json_text(j, dso, p->dso_name);
}

const struct v9_place *v9_line_place(const struct v9_line *l)
{
	static const struct v9_place none = { .dso_name = "[unknown]" };

	return l->r->has & V9_SPE_REC_PC ? v9_place_cached(l->places, l->at, l->r->pc.addr) : &none;
}

static void text_sym(struct v9_put *p, const struct v9_line *l)
{
	v9_text_place(p, v9_line_place(l));
}

static void json_sym(struct v9_json *j, const struct v9_line *l)
{
	json_place(j, "sym", "sym_offset", "dso", v9_line_place(l));
}

/* Members of a place whose names have sizes. @prefix: of their keys, @n: its bytes. Inline: both are constants. */
static inline __attribute__((always_inline))
char *place_members(char *to, const char *prefix, size_t n, const struct v9_placed *p)
{
	if (p->place.func) {
		TEXT(to, ",\"");
		BYTES(to, prefix, n);
		TEXT(to, "sym\":\"");
		BYTES(to, p->place.func->name, p->func_size);
		TEXT(to, "\",\"");
		BYTES(to, prefix, n);
		TEXT(to, "sym_offset\":\"0x");
		HEX(to, p->place.offset);
		TEXT(to, "\"");
	}
	if (p->place.dso) {
		TEXT(to, ",\"");
		BYTES(to, prefix, n);
		TEXT(to, "dso\":\"");
		BYTES(to, p->place.dso_name, p->dso_size);
		TEXT(to, "\"");
	}
	return to;
}

#define PLACE_MEMBERS(to, prefix, p) place_members(to, prefix, sizeof(prefix) - 1, p)

static char *text_sym_brief(char *to, const struct v9_line *l)
{
	if (l->r->has & V9_SPE_REC_PC)
		return brief_place(to, v9_placed(l->places, l->at, l->r->pc.addr));
	TEXT(to, "-");
	return to;
}

static char *json_sym_brief(char *to, const struct v9_line *l)
{
	const struct v9_placed *p;

	if (!(l->r->has & V9_SPE_REC_PC))
		return to;
	p = v9_placed(l->places, l->at, l->r->pc.addr);
	if (!p->dso_size)
		return NULL;
	return PLACE_MEMBERS(to, "", p);
}

static const struct v9_field_brief brief_sym = { text_sym_brief, json_sym_brief };

static void text_op(struct v9_put *p, const struct v9_line *l)
{
	char room[128];

	if (l->r->has & V9_SPE_REC_OP)
		v9_put_str(p, v9_spe_op(room, sizeof(room), l->r->op_class, l->r->op));
	else
		v9_put_char(p, '-');
}

static void json_op(struct v9_json *j, const struct v9_line *l)
{
	char room[128];

	if (!(l->r->has & V9_SPE_REC_OP))
		return;
	v9_json_text(j, "op", v9_spe_op(room, sizeof(room), l->r->op_class, l->r->op));
	v9_json_number(j, "op_class", l->r->op_class);
	v9_json_hex(j, "op_value", l->r->op);
}

static void text_target(struct v9_put *p, const struct v9_line *l)
{
	v9_put_str(p, "-> ");
	v9_put_hex(p, l->r->target.addr, 0);
	v9_put_char(p, ' ');
	v9_text_place(p, v9_place_cached(l->targets, l->at, l->r->target.addr));
	if (!(l->r->has & V9_SPE_REC_PC) || l->r->target.el != l->r->pc.el) {
		v9_put_str(p, " EL");
		v9_put_number(p, l->r->target.el, 0);
	}
}

static void json_target(struct v9_json *j, const struct v9_line *l)
{
	v9_json_hex(j, "target", l->r->target.addr);
	v9_json_number(j, "target_el", l->r->target.el);
	json_place(j, "target_sym", "target_sym_offset", "target_dso",
		   v9_place_cached(l->targets, l->at, l->r->target.addr));
}

static char *text_target_brief(char *to, const struct v9_line *l)
{
	TEXT(to, "-> ");
	HEX(to, l->r->target.addr);
	TEXT(to, " ");
	to = brief_place(to, v9_placed(l->targets, l->at, l->r->target.addr));
	if (to && (!(l->r->has & V9_SPE_REC_PC) || l->r->target.el != l->r->pc.el))
		TEXT(to, " EL"), DECIMAL(to, l->r->target.el);
	return to;
}

static char *json_target_brief(char *to, const struct v9_line *l)
{
	const struct v9_placed *p = v9_placed(l->targets, l->at, l->r->target.addr);

	if (!p->dso_size)
		return NULL;
	HEX_MEMBER(to, "target", l->r->target.addr);
	MEMBER(to, "target_el", l->r->target.el);
	return PLACE_MEMBERS(to, "target_", p);
}

static const struct v9_field_brief brief_target = { text_target_brief, json_target_brief };

static char *text_va(char *to, const struct v9_line *l)
{
	TEXT(to, "va=0x");
	HEX(to, l->r->va);
	return to;
}

static char *json_va(char *to, const struct v9_line *l)
{
	HEX_MEMBER(to, "va", l->r->va);
	HEX_MEMBER(to, "va_top", l->r->va_tag);
	if (v9_spe_tagged(l->r))
		HEX_MEMBER(to, "tag", l->r->va_tag);
	return to;
}

static const struct v9_field_brief brief_va = { text_va, json_va };

static char *text_pa(char *to, const struct v9_line *l)
{
	TEXT(to, "pa=0x");
	HEX(to, l->r->pa);
	return to;
}

static char *json_pa(char *to, const struct v9_line *l)
{
	HEX_MEMBER(to, "pa", l->r->pa);
	HEX_MEMBER(to, "pa_attr", l->r->pa_top);
	return to;
}

static const struct v9_field_brief brief_pa = { text_pa, json_pa };

static const struct v9_heap_block *block(const struct v9_line *l)
{
	return v9_heap_find(&l->s->heap, &l->s->syms, l->at->pid, v9_sampled_time(l->at), l->r->va);
}

static void text_alloc(struct v9_put *p, const struct v9_line *l)
{
	const struct v9_heap_block *b = block(l);

	v9_put_str(p, "alloc=");
	v9_text_clean(p, b ? b->site.name : "-", 0);
	if (b) {
		v9_put_str(p, "/0x");
		v9_put_hex(p, l->r->va - b->start, 0);
		v9_put_char(p, '/');
		v9_put_number(p, b->size, 0);
	}
}

static void json_alloc(struct v9_json *j, const struct v9_line *l)
{
	const struct v9_heap_block *b = block(l);

	if (!b)
		return;
	v9_json_text(j, "alloc", b->site.name);
	if (b->site.line)
		v9_json_text(j, "alloc_line", b->site.line);
	v9_json_number(j, "alloc_size", b->size);
	v9_json_hex(j, "block", b->start);
	v9_json_number(j, "alloc_time", b->begin);
}

static void text_events(struct v9_put *p, const struct v9_line *l)
{
	v9_put_char(p, '{');
	for (uint64_t left = l->r->events; left; left &= left - 1) {
		const unsigned int bit = (unsigned int)__builtin_ctzll(left);
		const char *name = v9_spe_event_name(bit);

		if (left != l->r->events)
			v9_put_char(p, ' ');
		v9_put_str(p, name ? name : "e");
		if (!name)
			v9_put_number(p, bit, 0);
	}
	v9_put_char(p, '}');
}

static void json_events(struct v9_json *j, const struct v9_line *l)
{
	v9_json_hex(j, "events_value", l->r->events);
	v9_json_open(j, "events");
	for (uint64_t left = l->r->events; left; left &= left - 1) {
		const unsigned int bit = (unsigned int)__builtin_ctzll(left);
		const char *name = v9_spe_event_name(bit);
		char number[8];

		if (!name)
			snprintf(number, sizeof(number), "e%u", bit);
		v9_json_item(j, name ? name : number);
	}
	v9_json_close(j);
}

/* A number after @before, or "-" for one that is absent */
static char *latency(char *to, char before, bool known, uint32_t n)
{
	*to++ = before;
	if (known)
		return to + v9_decimal(to, n);
	*to = '-';
	return to + 1;
}

static char *text_lat(char *to, const struct v9_line *l)
{
	const struct v9_spe_rec *r = l->r;

	TEXT(to, "lat");
	to = latency(to, '=', r->has & V9_SPE_REC_LAT_TOTAL, r->lat[V9_SPE_LAT_TOTAL]);
	to = latency(to, '/', r->has & V9_SPE_REC_LAT_ISSUE, r->lat[V9_SPE_LAT_ISSUE]);
	to = latency(to, '/', r->has & V9_SPE_REC_LAT_XLAT, r->lat[V9_SPE_LAT_XLAT]);
	if (r->has & V9_SPE_REC_LAT_ALT)
		to = latency(to, '/', true, r->lat_alt);
	return to;
}

static char *json_lat(char *to, const struct v9_line *l)
{
	const struct v9_spe_rec *r = l->r;

	if (r->has & V9_SPE_REC_LAT_TOTAL)
		MEMBER(to, "lat_total", r->lat[V9_SPE_LAT_TOTAL]);
	if (r->has & V9_SPE_REC_LAT_ISSUE)
		MEMBER(to, "lat_issue", r->lat[V9_SPE_LAT_ISSUE]);
	if (r->has & V9_SPE_REC_LAT_XLAT)
		MEMBER(to, "lat_translation", r->lat[V9_SPE_LAT_XLAT]);
	if (r->has & V9_SPE_REC_LAT_ALT)
		MEMBER(to, "lat_alt_issue", r->lat_alt);
	return to;
}

static const struct v9_field_brief brief_lat = { text_lat, json_lat };

static const char *source(const struct v9_line *l)
{
	return v9_spe_source(l->q->sources, l->r->source);
}

static void text_source(struct v9_put *p, const struct v9_line *l)
{
	const char *name = source(l);

	v9_put_str(p, "src=");
	if (name) {
		v9_put_str(p, name);
	} else {
		v9_put_str(p, "0x");
		v9_put_hex(p, l->r->source, 0);
	}
}

static void json_source(struct v9_json *j, const struct v9_line *l)
{
	v9_json_hex(j, "source_value", l->r->source);
	if (source(l))
		v9_json_text(j, "source", source(l));
}

static char *text_prev(char *to, const struct v9_line *l)
{
	TEXT(to, "prev=0x");
	HEX(to, l->r->prev_target.addr);
	return to;
}

static char *json_prev(char *to, const struct v9_line *l)
{
	HEX_MEMBER(to, "prev_target", l->r->prev_target.addr);
	return to;
}

static const struct v9_field_brief brief_prev = { text_prev, json_prev };

static void text_ctx(struct v9_put *p, const struct v9_line *l)
{
	for (unsigned int i = 0; i < 2; i++) {
		if (!(l->r->has & (i ? V9_SPE_REC_CTX_EL2 : V9_SPE_REC_CTX_EL1)))
			continue;
		if (i && l->r->has & V9_SPE_REC_CTX_EL1)
			v9_put_char(p, ' ');
		v9_put_str(p, i ? "ctx2=" : "ctx1=");
		v9_put_number(p, l->r->ctx[i], 0);
	}
}

static void json_ctx(struct v9_json *j, const struct v9_line *l)
{
	if (l->r->has & V9_SPE_REC_CTX_EL1)
		v9_json_hex(j, "ctx_el1", l->r->ctx[0]);
	if (l->r->has & V9_SPE_REC_CTX_EL2)
		v9_json_hex(j, "ctx_el2", l->r->ctx[1]);
}

static char *text_ts(char *to, const struct v9_line *l)
{
	TEXT(to, "ts=");
	DECIMAL(to, l->r->ts);
	return to;
}

static char *json_ts(char *to, const struct v9_line *l)
{
	HEX_MEMBER(to, "ts", l->r->ts);
	return to;
}

static const struct v9_field_brief brief_ts = { text_ts, json_ts };

static void text_raw(struct v9_put *p, const struct v9_line *l)
{
	const struct v9_spe_raw *raw = l->raw;
	const size_t n = l->nr_raw;

	v9_put_str(p, n ? "raw=" : "raw=-");
	for (size_t i = 0; i < n && i < V9_SPE_RAWS; i++) {
		if (i)
			v9_put_char(p, ',');
		for (unsigned int k = 0; k < raw[i].header_size && k < 2; k++)
			v9_put_hex0(p, raw[i].header[k], 2);
		if (raw[i].payload_size) {
			v9_put_char(p, ':');
			v9_put_hex0(p, raw[i].payload, 2u * raw[i].payload_size);
		}
	}
	if (n > V9_SPE_RAWS) {
		v9_put_str(p, ",and ");
		v9_put_number(p, n - V9_SPE_RAWS, 0);
		v9_put_str(p, " more");
	}
}

static void json_raw(struct v9_json *j, const struct v9_line *l)
{
	const struct v9_spe_raw *raw = l->raw;
	const size_t n = l->nr_raw;
	char text[32];

	if (!n)
		return;
	v9_json_open(j, "raw");
	for (size_t i = 0; i < n && i < V9_SPE_RAWS; i++) {
		int at = snprintf(text, sizeof(text), "%02x", raw[i].header[0]);

		if (raw[i].header_size > 1)
			at += snprintf(text + at, sizeof(text) - (size_t)at, "%02x",
				       raw[i].header[1]);
		if (raw[i].payload_size)
			snprintf(text + at, sizeof(text) - (size_t)at, ":%0*" PRIx64,
				 2 * raw[i].payload_size, raw[i].payload);
		v9_json_item(j, text);
	}
	v9_json_close(j);
}

static char *text_offset(char *to, const struct v9_line *l)
{
	TEXT(to, "@0x");
	HEX(to, l->r->offset);
	return to;
}

static char *json_offset(char *to, const struct v9_line *l)
{
	MEMBER(to, "offset", l->r->offset);
	MEMBER(to, "size", l->r->size);
	return to;
}

static const struct v9_field_brief brief_offset = { text_offset, json_offset };

#define HAS_LATENCY	(V9_SPE_REC_LAT_TOTAL | V9_SPE_REC_LAT_ISSUE | V9_SPE_REC_LAT_XLAT | \
			 V9_SPE_REC_LAT_ALT)
#define HAS_CONTEXT	(V9_SPE_REC_CTX_EL1 | V9_SPE_REC_CTX_EL2)

/* ---- what decides about the texts of fields. */

static void key_task(struct v9_text_key *k, const struct v9_line *l)
{
	*k = (struct v9_text_key){ { (uint64_t)(uintptr_t)l->at->comm, (uint64_t)l->at->pid << 32 | l->at->tid,
				     l->at->cpu } };
}

static uint64_t key_op(const struct v9_line *l)
{
	return l->r->has & V9_SPE_REC_OP ? 1u << 16 | (uint32_t)l->r->op_class << 8 | l->r->op : 0;
}

static uint64_t key_events(const struct v9_line *l)
{
	return l->r->events;
}

static uint64_t key_source(const struct v9_line *l)
{
	return (uint64_t)l->q->sources << 16 | l->r->source;
}

static void key_ctx(struct v9_text_key *k, const struct v9_line *l)
{
	*k = (struct v9_text_key){ { l->r->ctx[0], l->r->ctx[1], l->r->has & HAS_CONTEXT } };
}

/* Most lines have one of a few values. */
static const struct v9_field_key by_task = { .of = key_task, .order = 8 }, by_op = { .word = key_op, .order = 8 },
				 by_events = { .word = key_events, .order = 8 },
				 by_source = { .word = key_source, .order = 8 }, by_ctx = { .of = key_ctx, .order = 8 };

const struct v9_field v9_fields[] = {
	{ "comm", true, 0, text_comm, json_comm, .key = &by_task },
	{ "pid", false, 0, text_pid, json_pid, .key = &by_task },
	{ "tid", true, 0, text_tid, json_tid, .key = &by_task },
	{ "cpu", true, 0, text_cpu, json_cpu, .key = &by_task },
	{ "time", true, 0, .brief = &brief_time },
	{ "cgroup", false, 0, text_cgroup, json_cgroup, .key = NULL },
	{ "el", true, 0, .brief = &brief_el },
	{ "pc", true, 0, .brief = &brief_pc },
	{ "sym", true, 0, text_sym, json_sym, .brief = &brief_sym },
	{ "op", true, 0, text_op, json_op, .key = &by_op },
	{ "target", true, V9_SPE_REC_TARGET, text_target, json_target, .brief = &brief_target },
	{ "prev", false, V9_SPE_REC_PREV_TARGET, .brief = &brief_prev },
	{ "va", true, V9_SPE_REC_VA, .brief = &brief_va },
	{ "pa", true, V9_SPE_REC_PA, .brief = &brief_pa },
	{ "alloc", false, V9_SPE_REC_VA, text_alloc, json_alloc, .key = NULL },
	{ "events", true, V9_SPE_REC_EVENTS, text_events, json_events, .key = &by_events },
	{ "lat", true, HAS_LATENCY, .brief = &brief_lat },
	{ "source", true, V9_SPE_REC_SOURCE, text_source, json_source, .key = &by_source },
	{ "ctx", false, HAS_CONTEXT, text_ctx, json_ctx, .key = &by_ctx },
	{ "ts", false, V9_SPE_REC_TS, .brief = &brief_ts },
	{ "raw", false, 0, text_raw, json_raw, .key = NULL },
	{ "offset", false, 0, .brief = &brief_offset },
};

const size_t v9_nr_fields = V9_ARRAY_SIZE(v9_fields);

const struct v9_field *v9_field_find(const char *name, size_t n)
{
	for (size_t i = 0; i < v9_nr_fields; i++)
		if (strlen(v9_fields[i].name) == n && !strncmp(v9_fields[i].name, name, n))
			return &v9_fields[i];
	return NULL;
}

void v9_text_task(struct v9_put *p, const struct v9_line *l)
{
	text_comm(p, l);
	v9_put_char(p, ' ');
	text_tid(p, l);
	v9_put_char(p, ' ');
	text_cpu(p, l);
	v9_put_char(p, ' ');
	v9_put_brief(p, text_time, l);
	if (l->cgroup) {
		v9_put_char(p, ' ');
		text_cgroup(p, l);
	}
}

void v9_json_task(struct v9_json *j, const struct v9_line *l)
{
	json_comm(j, l);
	json_tid(j, l);
	json_cpu(j, l);
	v9_put_brief(j->put, json_time, l);
	json_cgroup(j, l);
}

void v9_print_mark(struct v9_put *p, const struct v9_mark *m)
{
	v9_put_str(p, "mark: ");
	v9_put_str(p, v9_mark_kinds[m->kind]);
	v9_put_char(p, ' ');
	if (m->cut)
		v9_put_str(p, "[cut]");
	else if (m->kind == V9_MARK_ID)
		v9_put_number(p, m->id, 0);
	else
		v9_text_clean(p, m->text, 0);
}

void v9_json_mark(struct v9_json *j, const struct v9_mark *m)
{
	if (m->cut)
		v9_json_number(j, "cut", 1);
	else if (m->kind == V9_MARK_ID)
		v9_json_number(j, "id", m->id);
	else
		v9_json_text(j, "text", m->text);
}
