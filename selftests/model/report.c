// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Management events: which of the three status registers records one, whether a unit is stopped,
 * the level of its interrupt line and its Profiling exception. This file reads the registers; the
 * rules are in selftests/model/routing_event.c.
 */
#include "private.h"

/* By unit and Exception level; Exception level 0 is unused. */
static const uint16_t status_reg[V9_UNIT_TRBE + 1][4] = {
	[V9_UNIT_SPE] = { 0, V9_R_PMBSR_EL1, V9_R_PMBSR_EL2, V9_R_PMBSR_EL3 },
	[V9_UNIT_TRBE] = { 0, V9_R_TRBSR_EL1, V9_R_TRBSR_EL2, V9_R_TRBSR_EL3 },
};

static bool has_exceptions(const struct v9_model *m, enum v9_unit unit)
{
	return v9_feat(m, unit == V9_UNIT_SPE ? V9_FEAT_SPE_EXC : V9_FEAT_TRBE_EXC);
}

static struct v9_reporting reporting(const struct v9_model *m, const struct v9_route *r,
				     enum v9_unit unit)
{
	struct v9_trace_ctl t = v9_trace_ctl(m);
	struct v9_spe_ctl c = v9_seen_ctl(m);

	if (unit == V9_UNIT_SPE)
		return v9_spe_reporting(r, &c);
	return v9_trbe_reporting(r, has_exceptions(m, unit), &t);
}

unsigned int v9_status_of(struct v9_model *m, enum v9_unit unit, enum v9_event event)
{
	struct v9_reporting p;
	struct v9_pe_state s;

	if (!has_exceptions(m, unit))
		return status_reg[unit][1];
	s = v9_look(m);
	p = reporting(m, &s.r, unit);
	return status_reg[unit][v9_event_level(&s.r, &p, event)];
}

enum v9_event v9_event_of(const struct v9_fault *f)
{
	bool s2 = f->stage == 2;

	if (f->gpc == V9_GPC_OTHER)
		return V9_EVENT_GPC;
	if (f->gpc == V9_GPC_FAULT)
		return s2 ? V9_EVENT_GPF_S2 : V9_EVENT_GPF_S1;
	if (f->external)
		return s2 ? V9_EVENT_EA_S2 : V9_EVENT_EA_S1;
	return s2 ? V9_EVENT_S2 : V9_EVENT_S1;
}

bool v9_stopped(struct v9_model *m, enum v9_unit unit)
{
	uint64_t s = unit == V9_UNIT_SPE ? V9_PMBSR_EL1_S : V9_TRBSR_EL1_S;
	struct v9_reporting p;
	unsigned int level, set = 0;
	struct v9_pe_state here;

	for (level = 1; level <= 3; level++)
		if (m->seen[status_reg[unit][level]] & s)
			set |= V9_LEVEL(level);
	if (!has_exceptions(m, unit))
		return set & V9_LEVEL(1);
	if (!set)
		return false;
	here = v9_look(m);
	p = reporting(m, &here.r, unit);
	return v9_event_stopped(&p, set);
}

/* SPE-ME2, TRBE-IR2: the interrupt request follows the value at once, by software or the unit. */
void v9_status_is(struct v9_model *m, unsigned int reg, uint64_t v)
{
	static const uint64_t bit[] = {
		[V9_UNIT_SPE] = V9_PMBSR_EL1_S, [V9_UNIT_TRBE] = V9_TRBSR_EL1_IRQ,
	};
	unsigned int unit, level;

	for (unit = 0; unit < V9_ARRAY_SIZE(status_reg); unit++)
		for (level = 1; level <= 3; level++) {
			if (status_reg[unit][level] != reg)
				continue;
			m->asks[unit] &= ~V9_LEVEL(level);
			if (v & bit[unit])
				m->asks[unit] |= V9_LEVEL(level);
			v9_lines(m);
		}
}

/* TRBE-IR1, IR4: the level depends on many registers, some of them not part of the model. */
static bool level_of(const struct v9_model *m, const struct v9_route *r, enum v9_unit unit)
{
	struct v9_reporting p;

	if (!(m->asks[unit] & V9_LEVEL(1)))
		return false;
	if (!has_exceptions(m, unit))
		return true;
	p = reporting(m, r, unit);
	return v9_event_interrupts(&p);
}

void v9_lines(struct v9_model *m)
{
	struct v9_pe_state s = v9_look(m);

	v9_buffer_line(m, level_of(m, &s.r, V9_UNIT_SPE));
	v9_trbe_line(m, level_of(m, &s.r, V9_UNIT_TRBE));
}

void v9_poll(struct v9_model *m)
{
	if (has_exceptions(m, V9_UNIT_SPE) || has_exceptions(m, V9_UNIT_TRBE))
		v9_lines(m);
}

unsigned int v9_profiling_exception(const struct v9_model *m, const struct v9_pe_state *s,
				    uint32_t *esr)
{
	static const struct {
		uint8_t unit, fsc;
	} order[] = {
		{ V9_UNIT_TRBE, 2 }, { V9_UNIT_SPE, 1 },
	};
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(order); i++) {
		enum v9_unit unit = order[i].unit;
		struct v9_reporting p;
		unsigned int to;

		if (!m->asks[unit] || !has_exceptions(m, unit))
			continue;
		p = reporting(m, &s->r, unit);
		to = v9_event_take(&s->r, &p, m->asks[unit]);
		if (!to)
			continue;
		/* TRBE-EX7: EC, 32-bit instruction, FSC */
		*esr = 0x3du << 26 | 1u << 25 | (uint32_t)order[i].fsc << 1;
		return to;
	}
	return 0;
}

/* Redirection of the names PMBSR_EL1 and TRBSR_EL1 at EL2 with E2H=1, and of the EL12 names */
unsigned int v9_status_home(struct v9_model *m, unsigned int reg)
{
	enum v9_unit unit = reg == V9_R_PMBSR_EL1 ? V9_UNIT_SPE : V9_UNIT_TRBE;
	struct v9_reporting p;
	struct v9_pe_state s;

	if (reg == V9_R_PMBSR_EL12)
		return V9_R_PMBSR_EL1;
	if (reg == V9_R_TRBSR_EL12)
		return V9_R_TRBSR_EL1;
	if ((reg != V9_R_PMBSR_EL1 && reg != V9_R_TRBSR_EL1) || !has_exceptions(m, unit))
		return reg;
	s = v9_look(m);
	p = reporting(m, &s.r, unit);
	return v9_event_redirected(&s.r, &p) ? status_reg[unit][2] : reg;
}

void v9_inject(struct v9_model *m, enum v9_inject what)
{
	switch (what) {
	case V9_INJECT_TRBE_ABORT:
		v9_trbe_abort(m);
		break;
	case V9_INJECT_TRBE_IMPDEF:
		v9_trbe_impdef(m);
		break;
	case V9_INJECT_SPE_ABORT:
		v9_spe_abort(m);
		break;
	case V9_INJECT_SPE_IMPDEF:
		v9_buffer_impdef(m);
		break;
	case V9_INJECT_TRBE_ALIGNMENT:
		m->fault_next[V9_UNIT_TRBE] = V9_TRBSR_EL1_FSC_ALIGNMENT;
		break;
	case V9_INJECT_TRBE_TLB_CONFLICT:
		m->fault_next[V9_UNIT_TRBE] = V9_TRBSR_EL1_FSC_TLB_CONFLICT;
		break;
	case V9_INJECT_SPE_ALIGNMENT:
		m->fault_next[V9_UNIT_SPE] = V9_PMBSR_EL1_FSC_ALIGNMENT;
		break;
	case V9_INJECT_SPE_TLB_CONFLICT:
		m->fault_next[V9_UNIT_SPE] = V9_PMBSR_EL1_FSC_TLB_CONFLICT;
		break;
	}
}
