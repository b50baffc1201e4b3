// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "fields.h"

#include <inttypes.h>
#include <string.h>

#include "../lib/spe_text.h"

#define NS	UINT64_C(1000000000)

static void text_time(struct v9_put *p, const struct v9_line *l)
{
	if (!l->at->has_time) {
		v9_put_right(p, "-", 16);
		return;
	}
	v9_put_number(p, l->at->time / NS, 6);
	v9_put_char(p, '.');
	v9_put_number0(p, l->at->time % NS, 9);
}

static void json_time(struct v9_json *j, const struct v9_line *l)
{
	if (l->at->has_time)
		v9_json_number(j, "time", l->at->time);
}

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

static void text_el(struct v9_put *p, const struct v9_line *l)
{
	if (!(l->r->has & V9_SPE_REC_PC)) {
		v9_put_str(p, " - ");
		return;
	}
	v9_put_str(p, "EL");
	v9_put_number(p, l->r->pc.el, 0);
}

static void json_el(struct v9_json *j, const struct v9_line *l)
{
	if (l->r->has & V9_SPE_REC_PC)
		v9_json_number(j, "el", l->r->pc.el);
}

static void text_pc(struct v9_put *p, const struct v9_line *l)
{
	if (l->r->has & V9_SPE_REC_PC)
		v9_put_hex(p, l->r->pc.addr, 16);
	else
		v9_put_right(p, "-", 16);
}

static void json_pc(struct v9_json *j, const struct v9_line *l)
{
	if (l->r->has & V9_SPE_REC_PC)
		v9_json_hex(j, "pc", l->r->pc.addr);
}

void v9_text_place(struct v9_put *p, const struct v9_place *place)
{
	v9_text_clean(p, place->func ? place->func->name : "[unknown]", 0);
	if (place->func) {
		v9_put_str(p, "+0x");
		v9_put_hex(p, place->offset, 0);
	}
	v9_put_str(p, " (");
	v9_text_clean(p, v9_base_name(place->dso_name), 0);
	v9_put_char(p, ')');
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
	if (l->r->has & V9_SPE_REC_PC)
		v9_text_place(p, v9_line_place(l));
	else
		v9_put_char(p, '-');
}

static void json_sym(struct v9_json *j, const struct v9_line *l)
{
	if (l->r->has & V9_SPE_REC_PC)
		json_place(j, "sym", "sym_offset", "dso", v9_line_place(l));
}

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
	v9_text_place(p, v9_place_cached(l->places, l->at, l->r->target.addr));
	if (!(l->r->has & V9_SPE_REC_PC) || l->r->target.el != l->r->pc.el) {
		v9_put_str(p, " EL");
		v9_put_number(p, l->r->target.el, 0);
	}
}

static void json_target(struct v9_json *j, const struct v9_line *l)
{
	if (!(l->r->has & V9_SPE_REC_TARGET))
		return;
	v9_json_hex(j, "target", l->r->target.addr);
	v9_json_number(j, "target_el", l->r->target.el);
	json_place(j, "target_sym", "target_sym_offset", "target_dso",
		   v9_place_cached(l->places, l->at, l->r->target.addr));
}

static void text_va(struct v9_put *p, const struct v9_line *l)
{
	v9_put_str(p, "va=0x");
	v9_put_hex(p, l->r->va, 0);
}

static void json_va(struct v9_json *j, const struct v9_line *l)
{
	if (!(l->r->has & V9_SPE_REC_VA))
		return;
	v9_json_hex(j, "va", l->r->va);
	v9_json_hex(j, "va_top", l->r->va_tag);
	if (v9_spe_tagged(l->r))
		v9_json_hex(j, "tag", l->r->va_tag);
}

static void text_pa(struct v9_put *p, const struct v9_line *l)
{
	v9_put_str(p, "pa=0x");
	v9_put_hex(p, l->r->pa, 0);
}

static void json_pa(struct v9_json *j, const struct v9_line *l)
{
	if (!(l->r->has & V9_SPE_REC_PA))
		return;
	v9_json_hex(j, "pa", l->r->pa);
	v9_json_hex(j, "pa_attr", l->r->pa_top);
}

static const struct v9_heap_block *block(const struct v9_line *l)
{
	return l->r->has & V9_SPE_REC_VA ? v9_heap_find(&l->s->heap, &l->s->syms, l->at->pid,
							v9_sampled_time(l->at), l->r->va) : NULL;
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
	if (!(l->r->has & V9_SPE_REC_EVENTS))
		return;
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

static void text_lat(struct v9_put *p, const struct v9_line *l)
{
	const uint32_t has = l->r->has;

	v9_put_str(p, "lat=");
	for (unsigned int i = 0; i < V9_SPE_LATENCIES; i++) {
		if (i)
			v9_put_char(p, '/');
		if (has & V9_SPE_REC_LAT(i))
			v9_put_number(p, l->r->lat[i], 0);
		else
			v9_put_char(p, '-');
	}
	if (has & V9_SPE_REC_LAT_ALT) {
		v9_put_char(p, '/');
		v9_put_number(p, l->r->lat_alt, 0);
	}
}

static void json_lat(struct v9_json *j, const struct v9_line *l)
{
	static const char *const names[V9_SPE_LATENCIES] = {
		"lat_total", "lat_issue", "lat_translation" };

	for (unsigned int i = 0; i < V9_SPE_LATENCIES; i++)
		if (l->r->has & V9_SPE_REC_LAT(i))
			v9_json_number(j, names[i], l->r->lat[i]);
	if (l->r->has & V9_SPE_REC_LAT_ALT)
		v9_json_number(j, "lat_alt_issue", l->r->lat_alt);
}

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
	if (!(l->r->has & V9_SPE_REC_SOURCE))
		return;
	v9_json_hex(j, "source_value", l->r->source);
	if (source(l))
		v9_json_text(j, "source", source(l));
}

static void text_prev(struct v9_put *p, const struct v9_line *l)
{
	v9_put_str(p, "prev=0x");
	v9_put_hex(p, l->r->prev_target.addr, 0);
}

static void json_prev(struct v9_json *j, const struct v9_line *l)
{
	if (l->r->has & V9_SPE_REC_PREV_TARGET)
		v9_json_hex(j, "prev_target", l->r->prev_target.addr);
}

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

static void text_ts(struct v9_put *p, const struct v9_line *l)
{
	v9_put_str(p, "ts=");
	v9_put_number(p, l->r->ts, 0);
}

static void json_ts(struct v9_json *j, const struct v9_line *l)
{
	if (l->r->has & V9_SPE_REC_TS)
		v9_json_hex(j, "ts", l->r->ts);
}

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

static void text_offset(struct v9_put *p, const struct v9_line *l)
{
	v9_put_str(p, "@0x");
	v9_put_hex(p, l->r->offset, 0);
}

static void json_offset(struct v9_json *j, const struct v9_line *l)
{
	v9_json_number(j, "offset", l->r->offset);
	v9_json_number(j, "size", l->r->size);
}

#define HAS_LATENCY	(V9_SPE_REC_LAT_TOTAL | V9_SPE_REC_LAT_ISSUE | V9_SPE_REC_LAT_XLAT | \
			 V9_SPE_REC_LAT_ALT)
#define HAS_CONTEXT	(V9_SPE_REC_CTX_EL1 | V9_SPE_REC_CTX_EL2)

/* ---- what decides about the texts of fields. */

static void key_task(struct v9_text_key *k, const struct v9_line *l)
{
	k->word[0] = (uint64_t)(uintptr_t)l->at->comm;
	k->word[1] = (uint64_t)l->at->pid << 32 | l->at->tid;
	k->word[2] = l->at->cpu;
}

static void key_op(struct v9_text_key *k, const struct v9_line *l)
{
	if (l->r->has & V9_SPE_REC_OP)
		k->word[0] = 1u << 16 | (uint32_t)l->r->op_class << 8 | l->r->op;
}

static void key_events(struct v9_text_key *k, const struct v9_line *l)
{
	k->word[0] = l->r->events;
	k->word[1] = l->r->has & V9_SPE_REC_EVENTS;
}

static void key_source(struct v9_text_key *k, const struct v9_line *l)
{
	k->word[0] = l->r->source;
	k->word[1] = l->r->has & V9_SPE_REC_SOURCE;
	k->word[2] = l->q->sources;
}

const struct v9_field v9_fields[] = {
	{ "comm", true, 0, text_comm, json_comm, key_task },
	{ "pid", false, 0, text_pid, json_pid, key_task },
	{ "tid", true, 0, text_tid, json_tid, key_task },
	{ "cpu", true, 0, text_cpu, json_cpu, key_task },
	{ "time", true, 0, text_time, json_time, NULL },
	{ "cgroup", false, 0, text_cgroup, json_cgroup, NULL },
	{ "el", true, 0, text_el, json_el, NULL },
	{ "pc", true, 0, text_pc, json_pc, NULL },
	{ "sym", true, 0, text_sym, json_sym, NULL },
	{ "op", true, 0, text_op, json_op, key_op },
	{ "target", true, V9_SPE_REC_TARGET, text_target, json_target, NULL },
	{ "prev", false, V9_SPE_REC_PREV_TARGET, text_prev, json_prev, NULL },
	{ "va", true, V9_SPE_REC_VA, text_va, json_va, NULL },
	{ "pa", true, V9_SPE_REC_PA, text_pa, json_pa, NULL },
	{ "alloc", false, V9_SPE_REC_VA, text_alloc, json_alloc, NULL },
	{ "events", true, V9_SPE_REC_EVENTS, text_events, json_events, key_events },
	{ "lat", true, HAS_LATENCY, text_lat, json_lat, NULL },
	{ "source", true, V9_SPE_REC_SOURCE, text_source, json_source, key_source },
	{ "ctx", false, HAS_CONTEXT, text_ctx, json_ctx, NULL },
	{ "ts", false, V9_SPE_REC_TS, text_ts, json_ts, NULL },
	{ "raw", false, 0, text_raw, json_raw, NULL },
	{ "offset", false, 0, text_offset, json_offset, NULL },
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
	text_time(p, l);
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
	json_time(j, l);
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
