// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The units of one PE: initialization, reset, exceptions, queries */
#include "private.h"

const struct v9_model_unit *const v9_units[V9_UNITS] = {
	[V9_UNIT_SPE] = &v9_model_spe,
	[V9_UNIT_TRBE] = &v9_model_trbe,
	[V9_UNIT_ETE] = &v9_model_ete,
	[V9_UNIT_BRBE] = &v9_model_brbe,
};

size_t v9_model_size(void)
{
	return sizeof(struct v9_model);
}

void v9_config_default(struct v9_config *c)
{
	*c = (struct v9_config){
		.seed = 1,
		.spe_version = 3,
		.max_size = 6,
		.align = 6,
		.ernd = true,
		.lds = true,
		.f = true,
		.poison = true,
		.lat_dram = 150,
		.lat_total = 10,
		.wfx = true,
		.rs_depth = 15,
		.ts_gap = 64,
		.commopt = true,
		.spec_rate = 32,
		.spec_what = V9_SPEC_ALL,
		.spec_wrong = -1,
		.q_blocks = -1,
		.pa_bits = 48,
		.trbe_align = 6,
		.trbe_f = true,
		.trbe_ignore = true,
		.brbe_records = 32,
	};
}

void v9_config_version(struct v9_config *c, unsigned int version)
{
	c->spe_version = version;
	if (version >= 4) {
		c->f = true;
		if (c->spe_ea == V9_SPE_EA_REPORTED)
			c->spe_ea = V9_SPE_EA_IGNORED;
	}
	if (version >= 6)
		c->crr = c->spe_exc = c->spe_nvm = true;
}

/* A2.3, D17.8.4, D24.7.1: returns true if a product of this version can have these features. */
static bool is_product(const struct v9_config *c)
{
	if (!c->spe_version)
		return true;
	if (c->spe_version >= 4 && (!c->f || c->spe_ea == V9_SPE_EA_REPORTED))
		return false;
	if (c->spe_version >= 6)
		return c->crr && c->spe_exc && c->spe_nvm;
	return !c->spe_exc;
}

int v9_model_init(struct v9_model *m, const struct v9_config *c, const struct v9_bus *b, void *ctx)
{
	bool v1p4 = c->spe_version >= 5;

	if (c->spe_version > 6 || c->max_size < 6 || c->max_size > 11 || c->align > c->max_size ||
	    c->interval > 8 || c->delay > V9_DELAY_RANDOM || c->lat > V9_LAT_FIXED ||
	    c->rs_depth > V9_ETE_RS_MAX || c->trbe_align > 11 ||
	    c->trbe_over > 1u << c->trbe_align || c->pa_bits < 32 || c->pa_bits > 56 ||
	    (c->oa_bits && c->oa_bits != 48 && c->oa_bits != 52 && c->oa_bits != 56) ||
	    (c->oa_bits && c->oa_bits < c->pa_bits) || c->trbe_ea > V9_TRBE_EA_SERROR ||
	    c->spe_ea > V9_SPE_EA_SERROR || (!c->mixed && !is_product(c)) ||
	    c->buffer_limit >> 14 || c->pe_inputs > (c->ete_minimal ? 0 : 8) ||
	    (c->shot_inputs && !c->pe_inputs) || (c->ete_bare && !c->ete_minimal) ||
	    (!c->maxspec && (!c->commopt || c->commtrans)) || !c->spec_rate || c->q_supp > 3 ||
	    (c->q_filter && !c->q_supp) || c->packets > V9_PACKETS_LONGEST)
		return -EINVAL;
	if ((c->spe_extra || c->spe_vector) && !c->spe_micro)
		return -EINVAL;
	if (c->spe_element > V9_ELEMENT_ACTIVE || c->spe_vector > 16 || (c->spe_predicates && c->spe_version < 2) ||
	    (c->spe_tags && (c->spe_tags < 4 || c->spe_tags > 8)))
		return -EINVAL;
	if (((c->fds || c->eft || c->crr) && !v1p4) || (c->fds && (!c->lds || c->max_size < 7)))
		return -EINVAL;
	/* BRBE-BP2 */
	if (c->brbe > 2 || (c->brbe_records != 8 && c->brbe_records != 16 &&
			    c->brbe_records != 32 && c->brbe_records != 64))
		return -EINVAL;
	memset(m, 0, sizeof(*m));
	m->cfg = *c;
	if (!c->oa_bits)
		m->cfg.oa_bits = c->pa_bits > 52 ? 56 : c->pa_bits > 48 ? 52 : 48;
	m->bus = *b;
	m->ctx = ctx;
	m->rng = v9_mix(c->seed, 1) | 1;
	v9_regs_init(m);
	v9_regs_reset(m, false);
	v9_for_each_unit(u, reset)
		v9_units[u]->reset(m, false);
	return 0;
}

void v9_model_reset(struct v9_model *m, enum v9_reset kind)
{
	bool warm = kind == V9_RESET_WARM;

	if (warm) {
		struct v9_pe_state s = v9_pe(m);

		v9_for_each_unit(u, reset_begins)
			v9_units[u]->reset_begins(m, &s);
	}
	v9_regs_reset(m, warm);
	v9_for_each_unit(u, reset)
		v9_units[u]->reset(m, warm);
	v9_lines(m);
	m->bus.activity_changed(m->ctx);
}

const struct v9_score *v9_model_score(const struct v9_model *m)
{
	return &m->score;
}

void v9_model_end(struct v9_model *m)
{
	v9_ete_log_flush(m);
	v9_place_drop(m);
}

bool v9_model_late(const struct v9_model *m)
{
	bool late = m->store_n;

	v9_for_each_unit(u, late)
		late |= v9_units[u]->late(m);
	return m->cfg.delay && late;
}

uint32_t v9_model_memory(const struct v9_model *m)
{
	return (uint32_t)m->mem[V9_UNIT_SPE] << 16 | m->mem[V9_UNIT_TRBE];
}

const struct v9_trace_score *v9_model_trace_score(const struct v9_model *m)
{
	return &m->trace;
}

const struct v9_brbe_score *v9_model_branch_score(const struct v9_model *m)
{
	return &m->branches;
}

unsigned int v9_pe_activity(const struct v9_model *m, const struct v9_pe_state *s)
{
	unsigned int act = 0;

	/* pending effects need their barriers even after the buffer is disabled */
	if (v9_any(&m->dirty) ||
	    (m->cfg.delay && (v9_any(&m->udirty) || m->coll_new || m->store_n)))
		act |= V9_ACT_SYNC;
	v9_for_each_unit(u, activity)
		act |= v9_units[u]->activity(m, s);
	return act;
}

bool v9_trace_p0(const struct v9_model *m, enum v9_insn_set code, uint32_t op)
{
	return (m->cfg.ete || m->cfg.brbe) && v9_p0_flags(code, op, m->cfg.wfx) != V9_P0_NONE;
}

bool v9_trace_needs_block(const struct v9_model *m)
{
	v9_for_each_unit(u, needs_block)
		if (v9_units[u]->needs_block(m))
			return true;
	return false;
}

void v9_trace_block(struct v9_model *m, uint64_t pc)
{
	v9_for_each_unit(u, block)
		v9_units[u]->block(m, pc);
}

void v9_trace_branch(struct v9_model *m, const struct v9_pe_insn *i)
{
	v9_for_each_unit(u, branch)
		v9_units[u]->branch(m, i);
}

static void changed_level(struct v9_model *m, const struct v9_pe_state *s)
{
	v9_for_each_unit(u, changed_level)
		v9_units[u]->changed_level(m, s);
	v9_mark(m, s);
}

void v9_exception(struct v9_model *m, const struct v9_exc *x)
{
	struct v9_pe_state s = v9_pe(m);

	v9_for_each_unit(u, exception)
		v9_units[u]->exception(m, &s, x);
	v9_sync(m, V9_SYNC_CSE);
	s.r.el = x->to_el;
	s.r.a64 = true;
	s.r.debug = x->debug;
	changed_level(m, &s);
}

void v9_eret(struct v9_model *m, uint64_t target, unsigned int new_el, bool legal, bool a64)
{
	struct v9_pe_state s = v9_pe(m);

	if (!legal)
		new_el = s.r.el;
	v9_for_each_unit(u, eret)
		v9_units[u]->eret(m, &s, target, new_el);
	v9_sync(m, V9_SYNC_CSE);
	s.r.el = new_el;
	s.r.a64 = a64;
	changed_level(m, &s);
}
