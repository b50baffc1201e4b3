// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Management events: which of the three status registers records one, whether a unit is stopped,
 * the level of its interrupt line and its Profiling exception. This file reads the registers; the
 * rules are in selftests/model/routing_event.c.
 */
#include "private.h"

static const struct v9_unit_buffer *buffer_of(enum v9_unit unit)
{
	return v9_units[unit]->buffer;
}

static bool has_exceptions(const struct v9_model *m, enum v9_unit unit)
{
	return v9_feat(m, buffer_of(unit)->exc);
}

unsigned int v9_status_of(struct v9_model *m, enum v9_unit unit, enum v9_event event)
{
	struct v9_reporting p;
	struct v9_pe_state s;

	if (!has_exceptions(m, unit))
		return buffer_of(unit)->status[1];
	s = v9_pe(m);
	p = buffer_of(unit)->reporting(m, &s.r);
	return buffer_of(unit)->status[v9_event_level(&s.r, &p, event)];
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
	uint64_t s = buffer_of(unit)->stop;
	struct v9_reporting p;
	unsigned int level, set = 0;
	struct v9_pe_state here;

	for (level = 1; level <= 3; level++)
		if (m->seen[buffer_of(unit)->status[level]] & s)
			set |= V9_LEVEL(level);
	if (!has_exceptions(m, unit))
		return set & V9_LEVEL(1);
	if (!set)
		return false;
	here = v9_pe(m);
	p = buffer_of(unit)->reporting(m, &here.r);
	return v9_event_stopped(&p, set);
}

/* SPE-ME2, TRBE-IR2: the interrupt request follows the value at once, by software or the unit. */
void v9_status_is(struct v9_model *m, unsigned int reg, uint64_t v)
{
	v9_for_each_unit(unit, buffer)
		for (unsigned int level = 1; level <= 3; level++) {
			if (buffer_of(unit)->status[level] != reg)
				continue;
			m->requests[unit] &= ~V9_LEVEL(level);
			if (v & buffer_of(unit)->request)
				m->requests[unit] |= V9_LEVEL(level);
			v9_lines(m);
		}
}

/* TRBE-IR1, IR4: the level depends on many registers, some of them not part of the model. */
static bool level_of(const struct v9_model *m, const struct v9_route *r, enum v9_unit unit)
{
	struct v9_reporting p;

	if (!(m->requests[unit] & V9_LEVEL(1)))
		return false;
	if (!has_exceptions(m, unit))
		return true;
	p = buffer_of(unit)->reporting(m, r);
	return v9_event_interrupts(&p);
}

void v9_lines(struct v9_model *m)
{
	struct v9_pe_state s = v9_pe(m);

	v9_for_each_unit(unit, buffer)
		buffer_of(unit)->line(m, level_of(m, &s.r, unit));
}

void v9_poll(struct v9_model *m)
{
	bool any = false;

	v9_for_each_unit(unit, buffer)
		any |= has_exceptions(m, unit);
	if (any)
		v9_lines(m);
}

/* Of two units with an exception, the Trace Buffer Unit's is taken. */
unsigned int v9_profiling_exception(const struct v9_model *m, const struct v9_pe_state *s,
				    uint32_t *esr)
{
	unsigned int target = 0;

	v9_for_each_unit(unit, buffer) {
		struct v9_reporting p;
		unsigned int to;

		if (!m->requests[unit] || !has_exceptions(m, unit))
			continue;
		p = buffer_of(unit)->reporting(m, &s->r);
		to = v9_event_take(&s->r, &p, m->requests[unit]);
		if (!to)
			continue;
		/* TRBE-EX7: EC, 32-bit instruction, FSC */
		*esr = 0x3du << 26 | 1u << 25 | (uint32_t)buffer_of(unit)->fsc << 1;
		target = to;
	}
	return target;
}

/* Redirection of the names PMBSR_EL1 and TRBSR_EL1 at EL2 with E2H=1, and of the EL12 names */
unsigned int v9_status_home(struct v9_model *m, unsigned int reg)
{
	v9_for_each_unit(unit, buffer) {
		const struct v9_unit_buffer *b = buffer_of(unit);
		struct v9_reporting p;
		struct v9_pe_state s;

		if (reg == b->el12)
			return b->status[1];
		if (reg != b->status[1] || !has_exceptions(m, unit))
			continue;
		s = v9_pe(m);
		p = b->reporting(m, &s.r);
		return v9_event_redirected(&s.r, &p) ? b->status[2] : reg;
	}
	return reg;
}

void v9_spe_abort(struct v9_model *m)
{
	v9_store_abort(m, V9_UNIT_SPE);
}

void v9_inject(struct v9_model *m, enum v9_inject what)
{
	enum { ABORT, IMPDEF, FAULT };
	static const struct {
		uint8_t unit, what, fsc;
	} rows[] = {
		[V9_INJECT_TRBE_ABORT] = { V9_UNIT_TRBE, ABORT, 0 },
		[V9_INJECT_TRBE_IMPDEF] = { V9_UNIT_TRBE, IMPDEF, 0 },
		[V9_INJECT_SPE_ABORT] = { V9_UNIT_SPE, ABORT, 0 },
		[V9_INJECT_SPE_IMPDEF] = { V9_UNIT_SPE, IMPDEF, 0 },
		[V9_INJECT_TRBE_ALIGNMENT] = { V9_UNIT_TRBE, FAULT, V9_TRBSR_EL1_FSC_ALIGNMENT },
		[V9_INJECT_TRBE_TLB_CONFLICT] = {
			V9_UNIT_TRBE, FAULT, V9_TRBSR_EL1_FSC_TLB_CONFLICT },
		[V9_INJECT_SPE_ALIGNMENT] = { V9_UNIT_SPE, FAULT, V9_PMBSR_EL1_FSC_ALIGNMENT },
		[V9_INJECT_SPE_TLB_CONFLICT] = {
			V9_UNIT_SPE, FAULT, V9_PMBSR_EL1_FSC_TLB_CONFLICT },
	};
	enum v9_unit unit = rows[what].unit;

	if (rows[what].what == ABORT)
		v9_store_abort(m, unit);
	else if (rows[what].what == IMPDEF)
		buffer_of(unit)->impdef(m);
	else
		m->fault_next[unit] = rows[what].fsc;
}
