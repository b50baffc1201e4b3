// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The register file. Names, encodings, fields and required features come from the generated
 * table. This file transfers values between the PE and the units. What only one unit does is an
 * operation of it.
 */
#include "private.h"

#define RW true
#define RO false

static const struct v9_regdesc descs[] = {
#define V9_REGDESC(unit_, name_, enc_, access, res0, res1, known, reset, trap_, feat_) \
	{ .name = #name_, .enc = enc_, .write = access, .trap = trap_, .feat = feat_, \
	  .unit = V9_UNIT_##unit_ },
#include <v9trace/gen/regs_desc.h>
};

static const struct {
	uint64_t known, value;
} resets[] = {
#define V9_REGDESC(unit, name, enc, access, res0, res1, known_, reset, trap, feat) \
	{ .known = known_, .value = reset },
#include <v9trace/gen/regs_desc.h>
};

static const struct {
	uint16_t reg;
	uint8_t shift, width, feat;
} fields[] = {
#define V9_FIELDDESC(unit, reg_, field, shift_, width_, feat_) \
	{ .reg = V9_R_##reg_, .shift = shift_, .width = width_, .feat = feat_ },
#include <v9trace/gen/regs_desc.h>
}, also[] = {
#define V9_FIELDALSO(unit, reg_, field, shift_, width_, feat_) \
	{ .reg = V9_R_##reg_, .shift = shift_, .width = width_, .feat = feat_ },
#include <v9trace/gen/regs_desc.h>
};

#undef RW
#undef RO

/* Control registers: the name EL12, and the registers that it and the name EL1 may access */
static const struct {
	uint16_t el12, el1, el2;
} names[] = {
	{ V9_R_PMSCR_EL12, V9_R_PMSCR_EL1, V9_R_PMSCR_EL2 },
	{ V9_R_TRFCR_EL12, V9_R_TRFCR_EL1, V9_R_TRFCR_EL2 },
	{ V9_R_TRCITECR_EL12, V9_R_TRCITECR_EL1, V9_R_TRCITECR_EL2 },
	{ V9_R_BRBCR_EL12, V9_R_BRBCR_EL1, V9_R_BRBCR_EL2 },
};

static const struct v9_model_unit *unit_of(unsigned int reg)
{
	return v9_units[descs[reg].unit];
}

const struct v9_regdesc *v9_model_regs(size_t *n)
{
	*n = V9_ARRAY_SIZE(descs);
	return descs;
}

bool v9_reg_exists(const struct v9_model *m, unsigned int reg)
{
	return reg < V9_R_COUNT && v9_feat(m, descs[reg].feat) && !v9_has(&m->absent, reg);
}

/* Resolves the EL12 names, which are other names of EL1 registers. */
static unsigned int home(struct v9_model *m, unsigned int reg)
{
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(names); i++)
		if (reg == names[i].el12)
			return names[i].el1;
	return v9_status_home(m, reg);
}

int v9_reg_find(const struct v9_route *r, uint32_t enc)
{
	unsigned int i;

	/* SPE-RA4 */
	if (r->el == 2 && (r->hcr_el2 & V9_HCR_EL2_E2H))
		for (i = 0; i < V9_ARRAY_SIZE(names); i++)
			if (enc == descs[names[i].el1].enc)
				return names[i].el2;
	for (i = 0; i < V9_R_COUNT; i++)
		if (descs[i].enc == enc)
			return i;
	return -1;
}

void v9_regs_init(struct v9_model *m)
{
	unsigned int i;

	memset(m->mask, 0, sizeof(m->mask));
	memset(m->one, 0, sizeof(m->one));
	for (i = 0; i < V9_ARRAY_SIZE(fields); i++)
		if (v9_feat(m, fields[i].feat))
			m->mask[fields[i].reg] |=
				(UINT64_MAX >> (64 - fields[i].width)) << fields[i].shift;
	for (i = 0; i < V9_ARRAY_SIZE(also); i++)
		if (!v9_feat(m, also[i].feat))
			m->mask[also[i].reg] &=
				~((UINT64_MAX >> (64 - also[i].width)) << also[i].shift);
	v9_for_each_unit(u, regs_init)
		v9_units[u]->regs_init(m);
}

/* Without EL3, no higher level can disable the exceptions: EE of the highest level resets to 0. */
static void reset_ee(struct v9_model *m)
{
	struct v9_pe_state s = v9_pe(m);
	unsigned int highest = s.r.has_el2 ? 2 : 1;

	if (s.r.has_el3)
		return;
	v9_for_each_unit(u, ee[highest])
		m->val[v9_units[u]->control[highest]] &= ~v9_units[u]->ee[highest];
}

/*
 * Reset must not leave an interrupt pending: the board would have to handle it, not the driver.
 * What survives a Warm reset still requests one.
 */
static void reset_requests(struct v9_model *m, bool warm)
{
	memset(m->requests, 0, sizeof(m->requests));
	v9_for_each_unit(u, buffer) {
		const struct v9_unit_buffer *b = v9_units[u]->buffer;

		for (unsigned int level = 1; level <= 3; level++) {
			uint64_t *val = &m->val[b->status[level]];

			if (!warm || !v9_units[u]->survives)
				*val &= ~b->request;
			else if (*val & b->request)
				m->requests[u] |= V9_LEVEL(level);
		}
	}
}

void v9_regs_reset(struct v9_model *m, bool warm)
{
	unsigned int i;

	for (i = 0; i < V9_R_COUNT; i++) {
		uint64_t noise = m->cfg.poison ? v9_random(m) : 0;

		if (warm && unit_of(i)->survives && unit_of(i)->survives(m, i, noise, &m->val[i]))
			continue;
		/* SPE-RA1 */
		m->val[i] = ((noise & ~resets[i].known) | resets[i].value) & m->mask[i];
		m->val[i] |= m->one[i];
	}
	reset_requests(m, warm);
	reset_ee(m);
	memcpy(m->seen, m->val, sizeof(m->seen));
	memset(&m->dirty, 0, sizeof(m->dirty));
	memset(&m->udirty, 0, sizeof(m->udirty));
	memset(&m->ready_mask, 0, sizeof(m->ready_mask));
	m->stores_synced = m->coll_new = false;
	memset(m->fault_next, 0, sizeof(m->fault_next));
}

enum v9_access v9_reg_access(struct v9_model *m, unsigned int reg, bool write)
{
	struct v9_pe_state s = v9_pe(m);

	/* SPE-RA2 */
	if (!v9_reg_exists(m, reg) || (write && !descs[reg].write))
		return V9_ACCESS_UNDEF;
	if (v9_fgt2_trapped(&s.r, descs[reg].trap, descs[reg].feat, write))
		return V9_ACCESS_EL2;
	return unit_of(reg)->access(&s.r, descs[reg].trap, descs[reg].feat);
}

/* Value of @reg in the unit */
static uint64_t unit_value(const struct v9_model *m, unsigned int reg)
{
	return unit_of(reg)->value ? unit_of(reg)->value(m, reg) : m->seen[reg];
}

void v9_unit_write(struct v9_model *m, unsigned int reg, uint64_t v)
{
	m->seen[reg] = v;
	v9_set(&m->udirty, reg);
	if (v9_later(m))
		return;
	m->val[reg] = v;
	v9_clear(&m->ready_mask, reg);	/* an older value is obsolete */
}

/* The value that software wrote takes effect in the unit. */
static void see(struct v9_model *m, unsigned int reg)
{
	const struct v9_model_unit *unit = unit_of(reg);
	uint64_t old = unit_value(m, reg);

	if (unit->too_late && unit->too_late(m, reg)) {
		m->val[reg] = old;
		return;
	}
	m->seen[reg] = m->val[reg];
	v9_status_is(m, reg, m->val[reg]);
	if (unit->changed)
		unit->changed(m, reg, old);
}

/* Completes pending work that is not to be delayed. */
static void complete(struct v9_model *m)
{
	v9_for_each_unit(u, complete)
		v9_units[u]->complete(m);
}

uint64_t v9_reg_read(struct v9_model *m, unsigned int reg)
{
	const struct v9_model_unit *unit;
	uint64_t v;

	complete(m);
	m->score.rd[reg]++;
	reg = home(m, reg);
	unit = unit_of(reg);
	if (unit->read && unit->read(m, reg, &v))
		return v;
	if (unit->value && m->cfg.delay == V9_DELAY_OFF)
		m->val[reg] = unit_value(m, reg);
	v = m->val[reg];
	/* SPE-SY5 */
	if (m->cfg.delay && v9_has(&m->udirty, reg) && !v9_has(&m->dirty, reg) &&
	    v != unit_value(m, reg)) {
		v9_violate(m, unit->stale_rule, descs[reg].name, v, unit->stale);
		/*
		 * An update becomes visible in finite time without barriers: a second read, e.g.
		 * by an interrupt handler that is entered again, returns the new value.
		 */
		if (m->cfg.delay == V9_DELAY_RANDOM) {
			m->val[reg] = unit_value(m, reg);
			v9_clear(&m->udirty, reg);
			v9_clear(&m->ready_mask, reg);
		}
	}
	return v;
}

void v9_reg_write(struct v9_model *m, unsigned int reg, uint64_t v)
{
	const struct v9_model_unit *unit;
	struct v9_pe_state s;
	bool later;

	complete(m);
	m->score.wr[reg]++;
	reg = home(m, reg);
	unit = unit_of(reg);
	if (!descs[reg].write)
		return;
	s = v9_pe(m);
	v &= m->mask[reg];
	if (unit->ignores && unit->ignores(m, reg, v))
		return;
	if (unit->written)
		v = unit->written(m, &s, reg, v);
	v |= m->one[reg];
	m->val[reg] = v;
	v9_clear(&m->udirty, reg);
	v9_clear(&m->ready_mask, reg);	/* SPE-SY6 */
	v9_set(&m->dirty, reg);
	if (reg == m->coll_reg)
		m->coll_new = false;
	/* An interrupt line rises at once and falls when the write takes effect in the unit. */
	later = v9_later(m);
	v9_status_is(m, reg, later ? v | m->seen[reg] : v);
	if (!later)
		see(m, reg);
	v9_poll(m);
	v9_mark(m, &s);
	m->bus.activity_changed(m->ctx);
}

/* SPE-SY3, SY4, SY5, SY16 */
static void context_sync(struct v9_model *m)
{
	struct v9_pe_state s;
	unsigned int reg;

	m->epoch++;
	v9_for_each_unit(u, synced)
		v9_units[u]->synced(m);
	if (m->coll_new) {
		m->coll_new = false;
		m->val[m->coll_reg] |= V9_PMBSR_EL1_COLL;
	}
	if (!v9_any(&m->dirty) && !v9_any(&m->ready_mask))
		return;
	/* The order in which writes take effect is not defined: the enabling write may be first. */
	if (v9_has(&m->dirty, V9_R_TRBLIMITR_EL1)) {
		v9_clear(&m->dirty, V9_R_TRBLIMITR_EL1);
		see(m, V9_R_TRBLIMITR_EL1);
	}
	for (reg = 0; reg < V9_R_COUNT; reg++) {
		if (v9_has(&m->ready_mask, reg)) {
			m->val[reg] = m->ready[reg];
			if (m->val[reg] == unit_value(m, reg))
				v9_clear(&m->udirty, reg);
		}
		if (v9_has(&m->dirty, reg))
			see(m, reg);
	}
	memset(&m->dirty, 0, sizeof(m->dirty));
	memset(&m->ready_mask, 0, sizeof(m->ready_mask));
	s = v9_pe(m);
	v9_mark(m, &s);
	v9_poll(m);
	m->bus.activity_changed(m->ctx);
}

void v9_make_ready(struct v9_model *m, enum v9_unit unit)
{
	unsigned int reg;

	for (reg = 0; reg < V9_R_COUNT; reg++) {
		if (descs[reg].unit != unit)
			continue;
		v9_clear(&m->ready_mask, reg);
		if (v9_has(&m->udirty, reg)) {
			m->ready[reg] = unit_value(m, reg);
			v9_set(&m->ready_mask, reg);
		}
	}
}

bool v9_sync_trapped(struct v9_model *m, enum v9_sync_kind k)
{
	struct v9_pe_state s = v9_pe(m);

	if (k != V9_SYNC_PSB && k != V9_SYNC_TSB)
		return false;
	return v9_units[k == V9_SYNC_PSB ? V9_UNIT_SPE : V9_UNIT_TRBE]->sync_trapped(m, &s.r);
}

/* PSB CSYNC, TSB CSYNC */
static void sync_unit(struct v9_model *m, enum v9_unit unit)
{
	v9_units[unit]->drain(m);
	v9_make_ready(m, unit);
	m->stores_synced = true;
}

/* TLB maintenance; @other: by another PE */
static void invalidate(struct v9_model *m, bool other)
{
	m->score.tlbi++;
	for (unsigned int u = 0; u < V9_UNITS; u++)
		m->translation[u].valid = false;
	if (!other) {
		m->stores_synced = true;	/* SPE-PB22: its DSB waits for translated writes */
		return;
	}
	v9_store_flush(m);		/* SPE-PB23: the other PE's DSB waits, too */
	v9_for_each_unit(u, forget)
		v9_units[u]->forget(m);		/* TRBE-AT14 */
}

void v9_sync(struct v9_model *m, enum v9_sync_kind k)
{
	unsigned int aborted;

	complete(m);
	switch (k) {
	case V9_SYNC_ISB:
		m->score.isb++;
		context_sync(m);
		break;
	case V9_SYNC_CSE:
		context_sync(m);
		break;
	case V9_SYNC_PSB:
		sync_unit(m, V9_UNIT_SPE);
		break;
	case V9_SYNC_DSB:
		m->score.dsb++;
		aborted = m->stores_synced ? v9_store_flush(m) : 0;
		v9_for_each_unit(u, dsb)
			v9_units[u]->dsb(m, aborted >> u & 1);
		break;
	case V9_SYNC_TLBI:
		invalidate(m, false);
		break;
	case V9_SYNC_TLBI_OTHER:
		invalidate(m, true);
		break;
	case V9_SYNC_TSB:
		sync_unit(m, V9_UNIT_TRBE);
		break;
	}
}
