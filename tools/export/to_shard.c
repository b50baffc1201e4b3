// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Sums of a capture for a shard, see ../report/shard.h. */
#include "to_shard.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <v9trace/base.h>

#include "../report/flow_sum.h"
#include "../report/kinds.h"

#define END_BYTES	(1u << 20)	/* of a capture, at each end, that are in its id */

/* ---- what was recorded where */

static void add_word(FILE *f, const char *name, uint64_t value)
{
	if (value)
		fprintf(f, "%s%s=0x%" PRIx64, ftell(f) ? "," : "", name, value);
}

/*
 * The options of an event as text: those that decide what it records. The number of a PMU and the name
 * of an event differ between machines. The caller frees it.
 */
static char *event_text(const struct perf_event_attr *a)
{
	size_t size;
	char *text;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		v9_out_of_memory();
	if (a->type < PERF_TYPE_MAX)
		fprintf(f, "type=%u", a->type);
	add_word(f, "config", a->config);
	add_word(f, "config1", a->config1);
	add_word(f, "config2", a->config2);
	add_word(f, "branch", a->sample_type & PERF_SAMPLE_BRANCH_STACK ? a->branch_sample_type : 0);
	add_word(f, "freq", a->freq ? a->sample_freq : 0);
	fprintf(f, ":%s%s", a->exclude_user ? "" : "u", a->exclude_kernel ? "" : "k");
	fclose(f);
	return text;
}

static bool is_of(const struct v9_session *s, const struct pd_attr *a, enum v9_kind_id kind)
{
	const char *const names[V9_KINDS] = { [V9_KIND_SPE] = "arm_spe", [V9_KIND_ETE] = "cs_etm" };

	if (kind == V9_KIND_BRANCHES)
		return a->attr.sample_type & PERF_SAMPLE_BRANCH_STACK;
	return names[kind] && (s->pmu_type[kind] ? a->attr.type == s->pmu_type[kind] :
			       !strncmp(a->name, names[kind], strlen(names[kind])));
}

/* Finds the event of a kind. Of several different ones that is first in order of their texts. */
static void find_event(struct v9_shard_sink *k, const struct v9_session *s, enum v9_kind_id kind)
{
	for (size_t i = 0; i < s->file.nr_attrs; i++) {
		const struct pd_attr *a = &s->file.attrs[i];
		char *text;

		if (!is_of(s, a, kind))
			continue;
		text = event_text(&a->attr);
		if (k->event[kind] && strcmp(k->event[kind], text) <= 0) {
			free(text);
			continue;
		}
		free(k->event[kind]);
		k->event[kind] = text;
		k->period[kind] = a->attr.freq || kind == V9_KIND_ETE ? 0 : a->attr.sample_period;
	}
}

/* @captures: 1 for each capture that has the source */
static uint64_t source_at(struct v9_shard_sink *k, enum v9_kind_id kind, uint64_t midr, uint64_t period,
			  uint64_t captures)
{
	char cpu[24];

	if (!captures && k->last[kind].number && k->last[kind].midr == midr && k->last[kind].period == period)
		return k->last[kind].number;
	snprintf(cpu, sizeof(cpu), "0x%016" PRIx64, midr);
	k->last[kind].midr = midr;
	k->last[kind].period = period;
	k->last[kind].number = v9_shard_source(k->shard, v9_kinds[kind].name, k->event[kind],
					       midr ? cpu : NULL, period ? period : k->period[kind],
					       captures);
	return k->last[kind].number;
}

static uint64_t source_of(struct v9_shard_sink *k, enum v9_kind_id kind, uint64_t midr, uint64_t captures)
{
	return source_at(k, kind, midr, 0, captures);
}

struct midrs {
	uint64_t *midr;
	size_t nr;
};

static void add_cpu(struct midrs *m, const struct v9_session *s, uint32_t cpu)
{
	uint64_t midr = 0;

	v9_session_midr(s, cpu, &midr);
	for (size_t i = 0; i < m->nr; i++)
		if (m->midr[i] == midr)
			return;
	*v9_vec_add(m->midr, m->nr) = midr;
}

/* The CPU types that a kind was recorded on */
static void find_types(struct midrs *m, const struct v9_shard_sink *k, const struct v9_session *s,
		       enum v9_kind_id kind)
{
	for (size_t i = 0; i < s->nr_queues; i++)
		if (s->queues[i].kind == kind &&
		    (kind == V9_KIND_SPE || s->queues[i].cpu != V9_NO_TASK))
			add_cpu(m, s, s->queues[i].cpu);
	for (size_t i = 0; i < s->nr_extents && kind == V9_KIND_ETE; i++)
		if (s->extents[i].kind == kind)
			add_cpu(m, s, s->extents[i].cpu);
	for (uint32_t cpu = 0; cpu < V9_CPUS_MOST && kind == V9_KIND_BRANCHES; cpu++)
		if (s->sample_cpus[cpu / 64] >> cpu % 64 & 1)
			add_cpu(m, s, cpu);
	/* Call paths are of threads, which move between CPUs. */
	if ((kind == V9_KIND_ETE && !k->flat) || !m->nr)
		add_cpu(m, s, V9_NO_TASK);
}

/* ---- a capture */

/* Two files of one recording, read together, are one capture, whichever of them was named. */
static char *id_of(const struct v9_session *s)
{
	const uint64_t size = s->file.size, n = size < END_BYTES ? size : END_BYTES;
	const uint8_t *half = s->file.half.session;
	uLong crc;

	if (s->twin_path)
		return v9_format("%" PRIx64 ".%" PRIx64 ".%016" PRIx64 "%016" PRIx64, s->first_time,
				 s->last_time, v9_load_le64(half), v9_load_le64(half + 8));
	crc = crc32(0, s->file.map, (uInt)n);
	crc = crc32(crc, s->file.map + (size - n), (uInt)n);
	return v9_format("%" PRIx64 ".%" PRIx64 ".%" PRIx64 ".%08lx", s->first_time, s->last_time, size,
			 crc);
}

static void begin_places(struct v9_shard_sink *k)
{
	v9_bins_init(&k->objects, 3 * sizeof(uint64_t));
	v9_bins_init(&k->places, 5 * sizeof(uint64_t));
	v9_bins_init(&k->labels, 4 * sizeof(uint64_t));
}

static bool begin(struct v9_export *x)
{
	struct v9_shard_sink *k = x->state;
	const struct v9_session *s = &x->r.s;
	char *id = id_of(s);

	begin_places(k);
	x->failed |= !v9_shard_capture(k->shard, x->r.o.path, id, s->part ? s->part : 1,
				       s->part ? s->parts : 1,
				       s->parts > 1 && !k->flat && s->aux[V9_KIND_ETE].bytes);
	free(k->id);
	k->id = id;
	v9_for_each_present(kind, s) {
		const enum v9_kind_id which = (enum v9_kind_id)(kind - v9_kinds);
		struct midrs types = { .nr = 0 };

		find_event(k, s, which);
		find_types(&types, k, s, which);
		for (size_t i = 0; i < types.nr && s->part < 2; i++)
			source_of(k, which, types.midr[i], 1);
		free(types.midr);
	}
	return !x->failed;
}

void v9_shard_sink_live(struct v9_export *x, const char *id)
{
	struct v9_shard_sink *k = x->state;

	begin_places(k);
	v9_shard_capture(k->shard, "", id, 1, 1, false);
	find_event(k, &x->r.s, V9_KIND_SPE);
}

void v9_shard_sink_type(struct v9_export *x, uint64_t midr, uint64_t period)
{
	source_at(x->state, V9_KIND_SPE, midr, period, 1);
}

void v9_shard_sink_clear(struct v9_shard_sink *k)
{
	if (k->objects.size) {
		v9_bins_free(&k->objects);
		v9_bins_free(&k->places);
		v9_bins_free(&k->labels);
	}
	free(k->numbered);
	free(k->id);
	k->id = NULL;
	k->from_number = 0;
	k->numbered = NULL;
	k->nr_numbered = 0;
	for (size_t i = 0; i < V9_KINDS; i++) {
		free(k->event[i]);
		k->event[i] = NULL;
		k->period[i] = 0;
		k->last[i].number = 0;
	}
}

static void end(struct v9_export *x)
{
	struct v9_shard_sink *k = x->state;

	if (x->has_time)
		v9_shard_time(k->shard, x->first, x->last);
	x->has_time = false;
}

/* ---- places */

/* Is the code of @d in no file, so that its addresses differ from run to run? */
static bool is_generated(const struct v9_dso *d)
{
	return !d->build_id_size && (d->jit || d->anonymous || !strncmp(d->name, "/tmp/perf-", 10));
}

static bool is_kernel(const struct v9_export *x, const struct v9_dso *d)
{
	return d == x->r.s.syms.dsos[0];
}

/* Old recorders pad a build-id with zeros. */
static unsigned int id_size(const struct v9_dso *d)
{
	unsigned int n = d->build_id_size;

	while (n && !d->build_id[n - 1])
		n--;
	return d->build_id_size - n < 4 ? d->build_id_size : n;
}

static uint64_t object_of(struct v9_export *x, const struct v9_dso *d, const char *name)
{
	struct v9_shard_sink *k = x->state;
	const uint64_t key[2] = { (uint64_t)(uintptr_t)d, (uint64_t)(uintptr_t)name };
	uint64_t *bin = v9_bins_at(&k->objects, key, 2);
	const bool of_file = d && name == d->name;
	char id[V9_BUILD_ID_TEXT];

	if (bin[2])
		return bin[2];
	if (d && is_generated(d))
		name = d->anonymous ? name : "[jit]";
	v9_build_id_text(id, of_file ? d->build_id : NULL, of_file ? id_size(d) : 0);
	bin[2] = v9_shard_object(k->shard, id, name, d && is_kernel(x, d));
	for (unsigned int i = 0; of_file && !is_kernel(x, d) && i < d->nr_segs; i++)
		v9_shard_segment(k->shard, bin[2], d->segs[i].offset, d->segs[i].size, d->segs[i].addr);
	return bin[2];
}

static uint64_t offset_in(const struct v9_dso *d, uint64_t addr)
{
	for (unsigned int i = 0; i < d->nr_segs; i++)
		if (addr - d->segs[i].addr < d->segs[i].size)
			return addr - d->segs[i].addr + d->segs[i].offset;
	return addr;
}

/*
 * Returns the number of a place. @addr: in the object, as linked; in the kernel that of run time. If it
 * differs from run to run, the place is the function and an offset in it, or only the object.
 */
static uint64_t new_place(struct v9_export *x, const struct v9_dso *d, const char *name,
			  const struct v9_func *func, uint64_t addr)
{
	struct v9_shard *s = ((struct v9_shard_sink *)x->state)->shard;
	const uint64_t text = d && is_kernel(x, d) ? x->r.s.syms.kernel_ref : 0;
	const char *called = func && func->linkage ? func->linkage : func ? func->name : NULL;
	const uint64_t object = object_of(x, d, name);

	if (!d || is_generated(d) || (func && func->dso) || (is_kernel(x, d) && !text))
		return v9_shard_place(s, object, called, called ? addr - func->start : 0);
	/* Each capture: one may know more of the names than others. */
	if (func)
		v9_shard_function(s, object, offset_in(d, func->start - text),
				  offset_in(d, func->start - text) + (func->end - func->start), called);
	return v9_shard_place(s, object, NULL, offset_in(d, addr - text));
}

static uint64_t place_of(struct v9_export *x, const struct v9_dso *d, const char *name,
			 const struct v9_func *func, uint64_t addr)
{
	struct v9_shard_sink *k = x->state;
	const uint64_t key[4] = { addr, (uint64_t)(uintptr_t)func, (uint64_t)(uintptr_t)d,
				  (uint64_t)(uintptr_t)name };
	uint64_t *bin = v9_bins_at(&k->places, key, 4);

	if (!bin[4])
		bin[4] = new_place(x, d, name, func, addr);
	return bin[4];
}

static uint64_t place_of_level(struct v9_export *x, const struct v9_stack_level *l)
{
	if (l->what == V9_LEVEL_LOST)
		return place_of(x, NULL, "[callers left out]", NULL, 0);
	return place_of(x, l->dso, l->dso_name, l->func, l->addr);
}

static uint64_t place_of_end(struct v9_export *x, const struct v9_branch_end *e)
{
	const struct v9_func *func = e->dso ? v9_dso_func(e->dso, e->addr) : NULL;

	if (!e->known)
		return 0;
	return place_of(x, e->dso, func && func->dso ? func->dso : e->dso ? e->dso->name : "[unknown]",
			func, e->addr);
}

/* ---- sums */

static void add_path(struct v9_export *x, const struct v9_stack *s, uint64_t source)
{
	struct v9_shard_sink *k = x->state;
	uint64_t call = v9_shard_call(k->shard, source, 0, 0);

	for (size_t i = 0; i < s->nr; i++)
		call = v9_shard_call(k->shard, source, call, place_of_level(x, &s->level[i]));
	v9_shard_called(k->shard, call, s->value + V9_W_INSTRUCTIONS);
}

void v9_shard_sink_sum(struct v9_export *x, uint64_t midr, uint64_t period, const struct v9_stack *s)
{
	struct v9_shard_sink *k = x->state;
	const uint64_t source = source_at(k, V9_KIND_SPE, midr, period, 0);

	v9_shard_spe(k->shard, source, place_of_level(x, &s->level[s->nr - 1]), s->op, s->source, s->value);
}

/* A sum of a place and labels with numbers, of which there are many: each is looked up once. */
static void add_numbered(struct v9_export *x, const struct v9_stack *s)
{
	struct v9_shard_sink *k = x->state;
	uint64_t *labels = v9_bins_at(&k->labels, &s->labels, 1), midr = 0;

	while (k->nr_numbered <= s->place)
		v9_vec_add(k->numbered, k->nr_numbered);
	if (!k->numbered[s->place])
		k->numbered[s->place] = place_of_level(x, &s->level[s->nr - 1]);
	if (!labels[1]) {
		v9_session_midr(&x->r.s, s->cpu, &midr);
		labels[1] = source_of(k, V9_KIND_SPE, midr, 0);
		labels[2] = v9_shard_string(k->shard, s->op);
		labels[3] = v9_shard_string(k->shard, s->source);
	}
	v9_shard_spe_row(k->shard, (uint64_t [4]){ labels[1], k->numbered[s->place], labels[2], labels[3] },
			 s->value);
}

static void stack(struct v9_export *x, const struct v9_stack *s)
{
	const enum v9_kind_id kind = (enum v9_kind_id)(s->kind - v9_kinds);
	uint64_t midr = 0;

	if (s->place) {
		add_numbered(x, s);
		return;
	}
	v9_session_midr(&x->r.s, s->cpu, &midr);
	add_path(x, s, source_of(x->state, kind, midr, 0));
}

/* ---- call paths of a part */

/* Renumbers the function of a frame or node. */
static uint64_t code_of(struct v9_export *x, uint64_t *code, size_t ran, const struct v9_stack_level *level)
{
	struct v9_shard *s = ((struct v9_shard_sink *)x->state)->shard;

	if (ran && !code[ran])
		code[ran] = v9_shard_code(s, place_of_level(x, &level[ran]),
					  level[ran].func ? level[ran].func->start : 0);
	return code[ran];
}

static void recode(struct v9_export *x, uint64_t *code, struct v9_frame *f, size_t n,
		   const struct v9_stack_level *level)
{
	for (size_t i = 0; i < n; i++)
		f[i].func = code_of(x, code, f[i].func, level);
}

static void recode_piece(struct v9_export *x, uint64_t *code, struct v9_calls_piece *p,
			 const struct v9_stack_level *level)
{
	for (size_t i = 0; i < p->nr_call; i++)
		p->call[i].func = code_of(x, code, p->call[i].func, level);
	for (size_t i = 0; i < p->nr; i++) {
		struct v9_piece_step *step = &p->step[i];

		step->at.func = code_of(x, code, step->at.func, level);
		recode(x, code, step->frame, step->nr, level);
		for (size_t k = 0; k < step->nr_left; k++)
			recode(x, code, step->left[k].frame, step->left[k].nr, level);
	}
}

/* Functions have the same numbers if they are the same in the shard: so the piece is built anew. */
static void pieces(struct v9_export *x, struct v9_flow_piece *given, size_t n,
		   const struct v9_stack_level *level, size_t nr_levels)
{
	struct v9_shard_sink *k = x->state;
	uint64_t *code = v9_alloc(nr_levels * sizeof(*code)), midr = 0;

	/* Threads move between CPUs. */
	v9_session_midr(&x->r.s, V9_NO_TASK, &midr);
	for (size_t i = 0; i < n; i++) {
		struct v9_flow_piece *g = &given[i];
		struct v9_shard_piece p = {
			.capture = v9_shard_string(k->shard, k->id), .part = x->r.s.part, .tid = g->tid,
			.time = g->from.time, .stream = g->from.stream, .offset = g->from.offset,
			.until = g->upto.time, .source = source_of(k, V9_KIND_ETE, midr, 0),
		};

		recode_piece(x, code, &g->calls, level);
		v9_piece_init(&p.calls, false);
		v9_piece_join(&p.calls, &g->calls);
		v9_piece_end(&p.calls);
		v9_shard_piece(k->shard, &p);
		v9_piece_free(&g->calls);
	}
	free(code);
}

static void branch(struct v9_export *x, const struct v9_branch_count *s)
{
	struct v9_shard_sink *k = x->state;
	const uint64_t source = source_of(k, s->kind, s->midr, 0);
	const struct v9_branch_end *from = &s->from;

	if (!k->from_number || from->dso != k->from.dso || from->addr != k->from.addr ||
	    from->known != k->from.known) {
		k->from = *from;
		k->from_number = place_of_end(x, from);
	}
	v9_shard_branch(k->shard, source, k->from_number, place_of_end(x, &s->to),
			place_of_end(x, &s->end), s->n);
}

static void loss(struct v9_export *x, const struct v9_loss *l)
{
	v9_shard_loss(((struct v9_shard_sink *)x->state)->shard, l->kind, l->what, l->meaning, l->n);
}

#define SPE_TAKES	(V9_SINK_STACKS | V9_SINK_ADDRESSES | V9_SINK_LABELS | V9_SINK_BRANCHES)

const struct v9_sink v9_sink_shard = {
	.name = "shard",
	.takes = { [V9_KIND_SPE] = SPE_TAKES, [V9_KIND_ETE] = V9_SINK_STACKS | V9_SINK_BRANCHES,
		   [V9_KIND_BRANCHES] = V9_SINK_BRANCHES },
	.begin = begin, .stack = stack, .pieces = pieces, .branch = branch, .loss = loss, .end = end,
};

const struct v9_sink v9_sink_shard_flat = {
	.name = "shard",
	.takes = { [V9_KIND_SPE] = SPE_TAKES, [V9_KIND_ETE] = V9_SINK_BRANCHES,
		   [V9_KIND_BRANCHES] = V9_SINK_BRANCHES },
	.begin = begin, .stack = stack, .branch = branch, .loss = loss, .end = end,
};
