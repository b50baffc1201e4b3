// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace script: branch stacks of samples, youngest branch first. */
#include <string.h>

#include <v9trace/base.h>

#include "branch_read.h"
#include "fields.h"
#include "script.h"

static const char *const predictions[] = { NULL, "predicted", "mispredicted" };
static const char *const levels[] = { NULL, "user", "kernel", "hv" };	/* PERF_BR_PRIV_* */

/* A branch with its places */
struct line {
	struct v9_branch_rec b;
	struct v9_place from, to;
};

static void read_branch(struct v9_script *s, const struct pd_sample *sample, uint64_t i,
			const struct v9_sampled *at, struct line *l)
{
	const uint64_t time = v9_sampled_time(at);

	v9_branch_stack_decode(sample->branches + i * PD_BRANCH_BYTES, &l->b);
	l->from = l->to = (struct v9_place){ .dso_name = "[unknown]" };
	if (l->b.from)
		v9_lookup_place(&s->lookup, at->pid, time, l->b.from, &l->from);
	if (l->b.to)
		v9_lookup_place(&s->lookup, at->pid, time, l->b.to, &l->to);
}

static bool selects(const struct v9_script *s, const struct line *l)
{
	return !(s->o.filter.used & V9_FILTER_OF_TRACE) ||
	       v9_branch_passes(&s->o.filter, &l->b, &l->from, &l->to);
}

bool v9_script_selects(struct v9_script *s, const struct pd_sample *sample,
		       const struct v9_sampled *at)
{
	struct line l;

	for (uint64_t i = 0; i < sample->nr_branches; i++) {
		read_branch(s, sample, i, at, &l);
		if (selects(s, &l))
			return true;
	}
	return false;
}

static bool arm(const struct v9_script *s)
{
	return !s->s.arch[0] || !strcmp(s->s.arch, "aarch64") || !strcmp(s->s.arch, "arm64");
}

static const char *level(const struct v9_branch_rec *b)
{
	return b->priv < V9_ARRAY_SIZE(levels) ? levels[b->priv] : NULL;
}

static void text_side(struct v9_put *put, uint64_t addr, unsigned int width, const struct v9_place *p)
{
	if (!addr) {
		v9_put_right(put, "-", width);
		return;
	}
	v9_put_hex(put, addr, width);
	v9_put_char(put, ' ');
	v9_text_place(put, p);
}

static void text_word(struct v9_put *put, const char *word)
{
	v9_put_char(put, ' ');
	v9_put_str(put, word);
}

static void text_branch(struct v9_script *s, const struct line *l)
{
	const struct v9_branch_rec *b = &l->b;
	struct v9_put *put = &s->put;

	v9_put_str(put, "  ");
	text_side(put, b->from, 16, &l->from);
	v9_put_str(put, " -> ");
	text_side(put, b->to, 0, &l->to);
	if (b->type != V9_BRANCH_T_UNKNOWN)
		text_word(put, v9_branch_type(b->type, arm(s)));
	if (predictions[b->pred])
		text_word(put, predictions[b->pred]);
	if (b->cycles) {
		text_word(put, b->cycles == V9_BRANCH_CYCLES_MOST ? ">=" : "");
		v9_put_number(put, b->cycles, 0);
		v9_put_str(put, " cycles");
	}
	if (level(b))
		text_word(put, level(b));
	if (b->not_taken)
		text_word(put, "not_taken");
	if (b->in_tx)
		text_word(put, "in_tx");
	if (b->abort)
		text_word(put, "abort");
	if (b->spec == 1)	/* PERF_BR_SPEC_WRONG_PATH */
		text_word(put, "wrong_path");
}

static void json_side(struct v9_json *j, const char *name, const char *sym, const char *offset,
		      const char *dso, uint64_t addr, const struct v9_place *p)
{
	if (!addr)
		return;
	v9_json_hex(j, name, addr);
	if (p->func) {
		v9_json_text(j, sym, p->func->name);
		v9_json_hex(j, offset, p->offset);
	}
	if (p->dso)
		v9_json_text(j, dso, p->dso_name);
}

static void json_branch(const struct v9_script *s, struct v9_json *j, const struct line *l)
{
	const struct v9_branch_rec *b = &l->b;

	json_side(j, "from", "from_sym", "from_offset", "from_dso", b->from, &l->from);
	json_side(j, "to", "to_sym", "to_offset", "to_dso", b->to, &l->to);
	if (b->type != V9_BRANCH_T_UNKNOWN)
		v9_json_text(j, "branch_type", v9_branch_type(b->type, arm(s)));
	if (predictions[b->pred])
		v9_json_text(j, "prediction", predictions[b->pred]);
	if (b->cycles)
		v9_json_number(j, "cycles", b->cycles);
	if (level(b))
		v9_json_text(j, "level", level(b));
	if (b->not_taken)
		v9_json_number(j, "not_taken", 1);
	if (b->in_tx)
		v9_json_number(j, "in_tx", 1);
	if (b->abort)
		v9_json_number(j, "abort", 1);
	if (b->spec)
		v9_json_number(j, "spec", b->spec);
}

void v9_script_branches(struct v9_script *s, const struct pd_sample *sample,
			const struct v9_sampled *at, struct v9_json *j)
{
	struct line l;

	if (j) {
		if (sample->hw_idx != UINT64_MAX)
			v9_json_number(j, "hw_index", sample->hw_idx);
		v9_json_open(j, "branches");
	}
	for (uint64_t i = 0; i < sample->nr_branches; i++) {
		const uint64_t counters = sample->counters ? v9_load_le64(sample->counters + 8 * i) : 0;

		read_branch(s, sample, i, at, &l);
		if (!selects(s, &l))
			continue;
		if (j) {
			v9_json_element(j);
			json_branch(s, j, &l);
			if (sample->counters)
				v9_json_hex(j, "counters", counters);
			v9_json_object_end(j);
			continue;
		}
		text_branch(s, &l);
		if (sample->counters) {
			v9_put_str(&s->put, " counters=0x");
			v9_put_hex(&s->put, counters, 0);
		}
		v9_put_end(&s->put);
	}
	if (j)
		v9_json_close(j);
}
