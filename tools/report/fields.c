// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "fields.h"

#include <inttypes.h>
#include <string.h>

#include "../lib/spe_text.h"

#define NS	UINT64_C(1000000000)

static void text_time(FILE *f, const struct v9_line *l)
{
	if (l->at->has_time)
		fprintf(f, "%6" PRIu64 ".%09" PRIu64, l->at->time / NS, l->at->time % NS);
	else
		fprintf(f, "%16s", "-");
}

static void json_time(struct v9_json *j, const struct v9_line *l)
{
	if (l->at->has_time)
		v9_json_number(j, "time", l->at->time);
}

static void text_cpu(FILE *f, const struct v9_line *l)
{
	if (l->at->cpu != V9_NO_TASK)
		fprintf(f, "[%03u]", l->at->cpu);
	else
		fputs("[ - ]", f);
}

static void json_cpu(struct v9_json *j, const struct v9_line *l)
{
	if (l->at->cpu != V9_NO_TASK)
		v9_json_number(j, "cpu", l->at->cpu);
}

static void text_comm(FILE *f, const struct v9_line *l)
{
	v9_text_clean(f, l->at->comm ? l->at->comm : "-", 15);
}

static void json_comm(struct v9_json *j, const struct v9_line *l)
{
	if (l->at->comm)
		v9_json_text(j, "comm", l->at->comm);
}

static void text_id(FILE *f, uint32_t id)
{
	if (id != V9_NO_TASK)
		fprintf(f, "%6u", id);
	else
		fprintf(f, "%6s", "-");
}

static void text_pid(FILE *f, const struct v9_line *l)
{
	text_id(f, l->at->pid);
}

static void json_pid(struct v9_json *j, const struct v9_line *l)
{
	if (l->at->pid != V9_NO_TASK)
		v9_json_number(j, "pid", l->at->pid);
}

static void text_tid(FILE *f, const struct v9_line *l)
{
	text_id(f, l->at->tid);
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

static void text_cgroup(FILE *f, const struct v9_line *l)
{
	const char *path = cgroup(l);

	v9_text_clean(f, path ? path : "-", 0);
}

static void json_cgroup(struct v9_json *j, const struct v9_line *l)
{
	const char *path = cgroup(l);

	if (path)
		v9_json_text(j, "cgroup", path);
}

static void text_el(FILE *f, const struct v9_line *l)
{
	if (l->r->has & V9_SPE_REC_PC)
		fprintf(f, "EL%u", l->r->pc.el);
	else
		fputs(" - ", f);
}

static void json_el(struct v9_json *j, const struct v9_line *l)
{
	if (l->r->has & V9_SPE_REC_PC)
		v9_json_number(j, "el", l->r->pc.el);
}

static void text_pc(FILE *f, const struct v9_line *l)
{
	if (l->r->has & V9_SPE_REC_PC)
		fprintf(f, "%16" PRIx64, l->r->pc.addr);
	else
		fprintf(f, "%16s", "-");
}

static void json_pc(struct v9_json *j, const struct v9_line *l)
{
	if (l->r->has & V9_SPE_REC_PC)
		v9_json_hex(j, "pc", l->r->pc.addr);
}

void v9_text_place(FILE *f, const struct v9_place *p)
{
	v9_text_clean(f, p->func ? p->func->name : "[unknown]", 0);
	if (p->func)
		fprintf(f, "+0x%" PRIx64, p->offset);
	fputs(" (", f);
	v9_text_clean(f, v9_base_name(p->dso_name), 0);
	fputc(')', f);
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

static void text_sym(FILE *f, const struct v9_line *l)
{
	if (l->r->has & V9_SPE_REC_PC)
		v9_text_place(f, &l->pc);
	else
		fputc('-', f);
}

static void json_sym(struct v9_json *j, const struct v9_line *l)
{
	if (l->r->has & V9_SPE_REC_PC)
		json_place(j, "sym", "sym_offset", "dso", &l->pc);
}

static void text_op(FILE *f, const struct v9_line *l)
{
	char buf[128];

	if (l->r->has & V9_SPE_REC_OP)
		fputs(v9_spe_op(buf, sizeof(buf), l->r->op_class, l->r->op), f);
	else
		fputc('-', f);
}

static void json_op(struct v9_json *j, const struct v9_line *l)
{
	char buf[128];

	if (!(l->r->has & V9_SPE_REC_OP))
		return;
	v9_json_text(j, "op", v9_spe_op(buf, sizeof(buf), l->r->op_class, l->r->op));
	v9_json_number(j, "op_class", l->r->op_class);
	v9_json_hex(j, "op_value", l->r->op);
}

static void text_target(FILE *f, const struct v9_line *l)
{
	fprintf(f, "-> %" PRIx64 " ", l->r->target.addr);
	v9_text_place(f, &l->target);
	if (!(l->r->has & V9_SPE_REC_PC) || l->r->target.el != l->r->pc.el)
		fprintf(f, " EL%u", l->r->target.el);
}

static void json_target(struct v9_json *j, const struct v9_line *l)
{
	if (!(l->r->has & V9_SPE_REC_TARGET))
		return;
	v9_json_hex(j, "target", l->r->target.addr);
	v9_json_number(j, "target_el", l->r->target.el);
	json_place(j, "target_sym", "target_sym_offset", "target_dso", &l->target);
}

static void text_va(FILE *f, const struct v9_line *l)
{
	fprintf(f, "va=0x%" PRIx64, l->r->va);
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

static void text_pa(FILE *f, const struct v9_line *l)
{
	fprintf(f, "pa=0x%" PRIx64, l->r->pa);
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

static void text_alloc(FILE *f, const struct v9_line *l)
{
	const struct v9_heap_block *b = block(l);

	fputs("alloc=", f);
	v9_text_clean(f, b ? b->site.name : "-", 0);
	if (b)
		fprintf(f, "/0x%" PRIx64 "/%" PRIu64, l->r->va - b->start, b->size);
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

static void text_events(FILE *f, const struct v9_line *l)
{
	char buf[1024];

	fprintf(f, "{%s}", v9_spe_events(buf, sizeof(buf), l->r->events));
}

static void json_events(struct v9_json *j, const struct v9_line *l)
{
	if (!(l->r->has & V9_SPE_REC_EVENTS))
		return;
	v9_json_hex(j, "events_value", l->r->events);
	v9_json_open(j, "events");
	for (unsigned int bit = 0; bit < V9_SPE_EVENT_BITS; bit++) {
		const char *name = v9_spe_event_name(bit);
		char number[8];

		if (!(l->r->events >> bit & 1))
			continue;
		snprintf(number, sizeof(number), "e%u", bit);
		v9_json_item(j, name ? name : number);
	}
	v9_json_close(j);
}

static void text_lat(FILE *f, const struct v9_line *l)
{
	const uint32_t has = l->r->has;
	const char *slash = "";

	fputs("lat=", f);
	for (unsigned int i = 0; i < V9_SPE_LATENCIES; i++, slash = "/") {
		if (has & V9_SPE_REC_LAT(i))
			fprintf(f, "%s%u", slash, l->r->lat[i]);
		else
			fprintf(f, "%s-", slash);
	}
	if (has & V9_SPE_REC_LAT_ALT)
		fprintf(f, "/%u", l->r->lat_alt);
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

static void text_source(FILE *f, const struct v9_line *l)
{
	if (source(l))
		fprintf(f, "src=%s", source(l));
	else
		fprintf(f, "src=0x%x", l->r->source);
}

static void json_source(struct v9_json *j, const struct v9_line *l)
{
	if (!(l->r->has & V9_SPE_REC_SOURCE))
		return;
	v9_json_hex(j, "source_value", l->r->source);
	if (source(l))
		v9_json_text(j, "source", source(l));
}

static void text_prev(FILE *f, const struct v9_line *l)
{
	fprintf(f, "prev=0x%" PRIx64, l->r->prev_target.addr);
}

static void json_prev(struct v9_json *j, const struct v9_line *l)
{
	if (l->r->has & V9_SPE_REC_PREV_TARGET)
		v9_json_hex(j, "prev_target", l->r->prev_target.addr);
}

static void text_ctx(FILE *f, const struct v9_line *l)
{
	if (l->r->has & V9_SPE_REC_CTX_EL1)
		fprintf(f, "ctx1=%u", l->r->ctx[0]);
	if (l->r->has & V9_SPE_REC_CTX_EL2)
		fprintf(f, "%sctx2=%u", l->r->has & V9_SPE_REC_CTX_EL1 ? " " : "", l->r->ctx[1]);
}

static void json_ctx(struct v9_json *j, const struct v9_line *l)
{
	if (l->r->has & V9_SPE_REC_CTX_EL1)
		v9_json_hex(j, "ctx_el1", l->r->ctx[0]);
	if (l->r->has & V9_SPE_REC_CTX_EL2)
		v9_json_hex(j, "ctx_el2", l->r->ctx[1]);
}

static void text_ts(FILE *f, const struct v9_line *l)
{
	fprintf(f, "ts=%" PRIu64, l->r->ts);
}

static void json_ts(struct v9_json *j, const struct v9_line *l)
{
	if (l->r->has & V9_SPE_REC_TS)
		v9_json_hex(j, "ts", l->r->ts);
}

static void text_raw(FILE *f, const struct v9_line *l)
{
	const struct v9_spe_raw *raw;
	const size_t n = v9_spe_dec_raw(l->q->dec, &raw);

	fputs(n ? "raw=" : "raw=-", f);
	for (size_t i = 0; i < n && i < V9_SPE_RAWS; i++) {
		fprintf(f, "%s%02x", i ? "," : "", raw[i].header[0]);
		if (raw[i].header_size > 1)
			fprintf(f, "%02x", raw[i].header[1]);
		if (raw[i].payload_size)
			fprintf(f, ":%0*" PRIx64, 2 * raw[i].payload_size, raw[i].payload);
	}
	if (n > V9_SPE_RAWS)
		fprintf(f, ",and %zu more", n - V9_SPE_RAWS);
}

static void json_raw(struct v9_json *j, const struct v9_line *l)
{
	const struct v9_spe_raw *raw;
	const size_t n = v9_spe_dec_raw(l->q->dec, &raw);
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

static void text_offset(FILE *f, const struct v9_line *l)
{
	fprintf(f, "@0x%" PRIx64, l->r->offset);
}

static void json_offset(struct v9_json *j, const struct v9_line *l)
{
	v9_json_number(j, "offset", l->r->offset);
	v9_json_number(j, "size", l->r->size);
}

#define HAS_LATENCY	(V9_SPE_REC_LAT_TOTAL | V9_SPE_REC_LAT_ISSUE | V9_SPE_REC_LAT_XLAT | \
			 V9_SPE_REC_LAT_ALT)
#define HAS_CONTEXT	(V9_SPE_REC_CTX_EL1 | V9_SPE_REC_CTX_EL2)

const struct v9_field v9_fields[] = {
	{ "comm", true, 0, text_comm, json_comm },
	{ "pid", false, 0, text_pid, json_pid },
	{ "tid", true, 0, text_tid, json_tid },
	{ "cpu", true, 0, text_cpu, json_cpu },
	{ "time", true, 0, text_time, json_time },
	{ "cgroup", false, 0, text_cgroup, json_cgroup },
	{ "el", true, 0, text_el, json_el },
	{ "pc", true, 0, text_pc, json_pc },
	{ "sym", true, 0, text_sym, json_sym },
	{ "op", true, 0, text_op, json_op },
	{ "target", true, V9_SPE_REC_TARGET, text_target, json_target },
	{ "prev", false, V9_SPE_REC_PREV_TARGET, text_prev, json_prev },
	{ "va", true, V9_SPE_REC_VA, text_va, json_va },
	{ "pa", true, V9_SPE_REC_PA, text_pa, json_pa },
	{ "alloc", false, V9_SPE_REC_VA, text_alloc, json_alloc },
	{ "events", true, V9_SPE_REC_EVENTS, text_events, json_events },
	{ "lat", true, HAS_LATENCY, text_lat, json_lat },
	{ "source", true, V9_SPE_REC_SOURCE, text_source, json_source },
	{ "ctx", false, HAS_CONTEXT, text_ctx, json_ctx },
	{ "ts", false, V9_SPE_REC_TS, text_ts, json_ts },
	{ "raw", false, 0, text_raw, json_raw },
	{ "offset", false, 0, text_offset, json_offset },
};

const size_t v9_nr_fields = V9_ARRAY_SIZE(v9_fields);

const struct v9_field *v9_field_find(const char *name, size_t n)
{
	for (size_t i = 0; i < v9_nr_fields; i++)
		if (strlen(v9_fields[i].name) == n && !strncmp(v9_fields[i].name, name, n))
			return &v9_fields[i];
	return NULL;
}

void v9_text_task(FILE *f, const struct v9_line *l)
{
	text_comm(f, l);
	fputc(' ', f);
	text_tid(f, l);
	fputc(' ', f);
	text_cpu(f, l);
	fputc(' ', f);
	text_time(f, l);
	if (l->cgroup) {
		fputc(' ', f);
		text_cgroup(f, l);
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

void v9_print_mark(FILE *f, const struct v9_mark *m)
{
	fprintf(f, "mark: %s ", v9_mark_kinds[m->kind]);
	if (m->cut)
		fputs("[cut]", f);
	else if (m->kind == V9_MARK_ID)
		fprintf(f, "%" PRIu64, m->id);
	else
		v9_text_clean(f, m->text, 0);
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
