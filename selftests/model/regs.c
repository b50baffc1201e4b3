// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The register file. Names, encodings, fields and required features come from the generated
 * table. This file transfers values between the PE and the unit.
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

/* Bits of PMSEVFR_EL1 that the version permits to filter on and the model generates (SPE-FI6) */
static const uint64_t events_by_version[] = {
	0,
	V9_BIT(1) | V9_BIT(3) | V9_BIT(5) | V9_BIT(7),
	V9_BIT(1) | V9_BIT(3) | V9_BIT(5) | V9_BIT(7) | V9_BIT(11),
	V9_BIT(1) | V9_BIT(3) | V9_BIT(5) | V9_BIT(6) | V9_BIT(7) | V9_BIT(11),
	V9_BIT(1) | V9_BIT(3) | V9_BIT(5) | V9_BIT(6) | V9_BIT(7) | V9_BIT(11),
	0x3fe | V9_BIT(11) | V9_BIT(19) | V9_BIT(20),
	0x3fe | V9_BIT(11) | V9_BIT(19) | V9_BIT(20),
};

const struct v9_regdesc *v9_model_regs(size_t *n)
{
	*n = V9_ARRAY_SIZE(descs);
	return descs;
}

bool v9_feat(const struct v9_model *m, enum v9_feat feat)
{
	switch (feat) {
	case V9_FEAT_SPE:
		return m->cfg.spe_version >= 1;
	case V9_FEAT_SPEv1p2:
	case V9_FEAT_SPE_FnE:
		return m->cfg.spe_version >= 3;
	case V9_FEAT_SPE_EXC:
		return m->cfg.spe_version >= 1 && m->cfg.spe_exc;
	case V9_FEAT_SPE_ERnd:
		return m->cfg.ernd;
	case V9_FEAT_SPE_FDS:
		return m->cfg.fds;
	case V9_FEAT_SPE_EFT:
		return m->cfg.eft;
	case V9_FEAT_SPE_nVM:
		return m->cfg.spe_version >= 1 && m->cfg.spe_nvm;
	case V9_FEAT_TRBE_EXC:
	case V9_FEAT_TRBEv1p1:
		return m->cfg.ete && m->cfg.trbe_exc;	/* TRBE-PR4 */
	case V9_FEAT_ETE:
	case V9_FEAT_TRBE:
	case V9_FEAT_TRF:
		return m->cfg.ete;	/* TRBE-PR1, PR2 */
	case V9_FEAT_TRBE_MPAM:
		return m->cfg.ete && m->cfg.trbe_mpam;
	case V9_FEAT_ITE:
		return m->cfg.ete && m->cfg.ite;
	default:
		return false;
	}
}

bool v9_reg_exists(const struct v9_model *m, unsigned int reg)
{
	return reg < V9_R_COUNT && v9_feat(m, descs[reg].feat) && !v9_has(&m->absent, reg);
}

/* Resolves the EL12 names, which are other names of EL1 registers. */
static unsigned int home(struct v9_model *m, unsigned int reg)
{
	switch (reg) {
	case V9_R_PMSCR_EL12:
		return V9_R_PMSCR_EL1;
	case V9_R_TRFCR_EL12:
		return V9_R_TRFCR_EL1;
	case V9_R_TRCITECR_EL12:
		return V9_R_TRCITECR_EL1;
	default:
		return v9_status_home(m, reg);
	}
}

int v9_reg_find(const struct v9_route *r, uint32_t enc)
{
	unsigned int i;

	/* SPE-RA4 */
	if (r->el == 2 && (r->hcr_el2 & V9_HCR_EL2_E2H)) {
		if (enc == V9_SYS_PMSCR_EL1)
			enc = V9_SYS_PMSCR_EL2;
		else if (enc == V9_SYS_TRFCR_EL1)
			enc = V9_SYS_TRFCR_EL2;
		else if (enc == V9_SYS_TRCITECR_EL1)
			enc = V9_SYS_TRCITECR_EL2;
	}
	for (i = 0; i < V9_R_COUNT; i++)
		if (descs[i].enc == enc)
			return i;
	return -1;
}

/* Value of PMSIDR_EL1 or PMBIDR_EL1, without the fields that depend on the state of the PE */
static uint64_t id_value(const struct v9_model *m, unsigned int reg)
{
	static const uint8_t ea[] = {
		[V9_SPE_EA_REPORTED] = V9_PMBIDR_EL1_EA_NOT_DESCRIBED,
		[V9_SPE_EA_IGNORED] = V9_PMBIDR_EL1_EA_IGNORED,
		[V9_SPE_EA_SERROR] = V9_PMBIDR_EL1_EA_SERROR,
	};
	const struct v9_config *c = &m->cfg;

	if (reg == V9_R_PMSIDR_EL1)
		return V9_PMSIDR_EL1_FE | V9_PMSIDR_EL1_FT | V9_PMSIDR_EL1_FL |
		       V9_PMSIDR_EL1_ArchInst |
		       (c->lds ? V9_PMSIDR_EL1_LDS : 0) |
		       (c->ernd ? V9_PMSIDR_EL1_ERnd : 0) |
		       (c->spe_version >= 3 ? V9_PMSIDR_EL1_FnE : 0) |
		       V9_PUT(V9_PMSIDR_EL1_Interval, c->interval) |
		       V9_PUT(V9_PMSIDR_EL1_MaxSize, c->max_size) |
		       (c->fds ? V9_PMSIDR_EL1_FDS : 0) |
		       (c->eft ? V9_PMSIDR_EL1_EFT | V9_PMSIDR_EL1_FPF : 0) |
		       (c->crr ? V9_PMSIDR_EL1_CRR : 0) |
		       V9_PUT(V9_PMSIDR_EL1_CountSize, c->count16 ?
			      V9_PMSIDR_EL1_CountSize_16_BIT_SATURATING :
			      V9_PMSIDR_EL1_CountSize_12_BIT_SATURATING);
	return V9_PUT(V9_PMBIDR_EL1_EA, ea[c->spe_ea]) | V9_PUT(V9_PMBIDR_EL1_Align, c->align) |
	       V9_PUT(V9_PMBIDR_EL1_MaxBuffSize, c->buffer_limit) |
	       (c->f ? V9_PMBIDR_EL1_F : 0);
}

void v9_regs_init(struct v9_model *m)
{
	static const uint16_t no_mss2[] = { V9_R_PMBSR_EL1, V9_R_PMBSR_EL2, V9_R_PMBSR_EL3 };
	uint64_t events = events_by_version[m->cfg.spe_version];
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

	/* Mis-speculated operations are never sampled, so E[1] is always required (SPE-FI9). */
	m->mask[V9_R_PMSEVFR_EL1] = events & ~V9_BIT(1);
	m->one[V9_R_PMSEVFR_EL1] = events & V9_BIT(1);
	m->mask[V9_R_PMSNEVFR_EL1] &= events & ~V9_BIT(1);
	if (!m->cfg.count16)
		m->mask[V9_R_PMSLATFR_EL1] &= 0xfff;
	for (i = 0; i < V9_ARRAY_SIZE(no_mss2); i++)
		m->mask[no_mss2[i]] &= ~V9_PMBSR_EL1_MSS2;
	if (m->cfg.ete)
		v9_ete_regs_init(m);
}

/* Without EL3, no higher level can disable the exceptions: EE of the highest level resets to 0. */
static void reset_ee(struct v9_model *m)
{
	struct v9_pe_state s = v9_look(m);

	if (s.r.has_el3)
		return;
	if (s.r.has_el2) {
		m->val[V9_R_TRFCR_EL2] &= ~V9_TRFCR_EL2_EE;
		m->val[V9_R_PMSCR_EL2] &= ~V9_PMSCR_EL2_EE;
	} else {
		m->val[V9_R_TRFCR_EL1] &= ~V9_TRFCR_EL1_EE;
		m->val[V9_R_PMSCR_EL1] &= ~V9_PMSCR_EL1_EE;
	}
}

/*
 * A Warm reset preserves the registers of the Trace Buffer Unit, except its enable bit. Memory
 * type and shareability are preserved only with FEAT_TRBE_EXT, which the model has together with
 * FEAT_TRBE_MPAM.
 */
static uint64_t trbe_over_reset(const struct v9_model *m, unsigned int reg, uint64_t noise)
{
	uint64_t v = v9_has(&m->dirty, reg) ? m->val[reg] : m->seen[reg], lost = 0;

	if (reg == V9_R_TRBLIMITR_EL1)
		v &= ~V9_TRBLIMITR_EL1_E;
	else if (reg == V9_R_TRBMAR_EL1 && !m->cfg.trbe_mpam)
		lost = V9_TRBMAR_EL1_SH | V9_TRBMAR_EL1_Attr;
	return (v & ~lost) | (noise & lost & m->mask[reg]);
}

void v9_regs_reset(struct v9_model *m, bool warm)
{
	static const uint16_t status[] = {
		V9_R_PMBSR_EL1, V9_R_PMBSR_EL2, V9_R_PMBSR_EL3,
		V9_R_TRBSR_EL1, V9_R_TRBSR_EL2, V9_R_TRBSR_EL3,
	};
	unsigned int i;

	for (i = 0; i < V9_R_COUNT; i++) {
		uint64_t noise = m->cfg.poison ? v9_random(m) : 0;

		if (warm && descs[i].trap == V9_TRAP_TTA)
			continue;	/* ETE-R_YYHBF */
		if (warm && descs[i].unit == V9_UNIT_TRBE) {
			m->val[i] = trbe_over_reset(m, i, noise);
			continue;
		}
		/* SPE-RA1 */
		m->val[i] = ((noise & ~resets[i].known) | resets[i].value) & m->mask[i];
		m->val[i] |= m->one[i];
	}
	memset(m->asks, 0, sizeof(m->asks));
	for (i = 0; i < V9_ARRAY_SIZE(status); i++) {
		uint64_t *val = &m->val[status[i]];
		unsigned int unit = descs[status[i]].unit;

		/*
		 * Reset must not leave an interrupt pending: the board would have to handle it,
		 * not the driver.
		 */
		if (unit == V9_UNIT_SPE)
			*val &= ~V9_PMBSR_EL1_S;
		else if (!warm)
			*val &= ~V9_TRBSR_EL1_IRQ;
		else if (*val & V9_TRBSR_EL1_IRQ)
			m->asks[unit] |= V9_LEVEL(1 + i % 3);
	}
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
	struct v9_pe_state s = v9_look(m);

	/* SPE-RA2 */
	if (!v9_reg_exists(m, reg) || (write && !descs[reg].write))
		return V9_ACCESS_UNDEF;
	if (v9_fgt2_trapped(&s.r, descs[reg].trap, descs[reg].feat, write))
		return V9_ACCESS_EL2;
	if (descs[reg].unit != V9_UNIT_SPE)
		return v9_trace_access(&s.r, descs[reg].trap, descs[reg].feat);
	return v9_spe_access(&s.r, descs[reg].trap, descs[reg].feat);
}

static uint64_t icr_of_unit(const struct v9_model *m)
{
	return V9_PUT(V9_PMSICR_EL1_ECOUNT, m->ecount) | V9_PUT(V9_PMSICR_EL1_COUNT, m->count);
}

/* Value of @reg in the unit */
static uint64_t unit_value(const struct v9_model *m, unsigned int reg)
{
	return reg == V9_R_PMSICR_EL1 ? icr_of_unit(m) : m->seen[reg];
}

bool v9_later(struct v9_model *m)
{
	return m->cfg.delay == V9_DELAY_MAX ||
	       (m->cfg.delay == V9_DELAY_RANDOM && v9_random(m) & 1);
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
	uint64_t old = unit_value(m, reg);

	if (descs[reg].unit == V9_UNIT_TRBE && v9_trbe_too_late(m, reg)) {
		m->val[reg] = old;
		return;
	}
	if (reg == V9_R_PMSICR_EL1) {
		m->count = V9_GET(V9_PMSICR_EL1_COUNT, m->val[reg]);
		m->ecount = V9_GET(V9_PMSICR_EL1_ECOUNT, m->val[reg]);
	} else {
		m->seen[reg] = m->val[reg];
		v9_status_is(m, reg, m->val[reg]);
	}
	switch (descs[reg].unit) {
	case V9_UNIT_SPE:
		v9_spe_changed(m, reg, old);
		break;
	case V9_UNIT_TRBE:
		v9_trbe_changed(m, reg, old);
		break;
	case V9_UNIT_ETE:
		v9_ete_changed(m, reg, old);
		break;
	}
}

/* Completes pending work that is not to be delayed. */
static void settle(struct v9_model *m)
{
	v9_spe_settle(m);
	if (m->cfg.ete && m->cfg.delay == V9_DELAY_OFF)
		v9_trbe_drain(m);
	v9_trbe_settle(m);
}

/* TRBE-AT3: if nVM would be ignored, only virtual addresses are supported */
static uint64_t trbe_addr_mode(const struct v9_model *m, const struct v9_route *r)
{
	struct v9_trace_ctl c = v9_trace_ctl(m);

	c.trblimitr |= V9_TRBLIMITR_EL1_nVM;
	return v9_trbe_nvm(r, v9_feat(m, V9_FEAT_TRBEv1p1), &c) ? 0 :
	       V9_PUT(V9_TRBIDR_EL1_AddrMode, V9_TRBIDR_EL1_AddrMode_VA);
}

/* SPE-PB6: depends on whether nVM would take effect. The encoding differs from TRBIDR_EL1. */
static uint64_t spe_addr_mode(const struct v9_model *m, const struct v9_route *r)
{
	struct v9_spe_ctl c = v9_seen_ctl(m);

	c.pmblimitr |= V9_PMBLIMITR_EL1_nVM;
	return V9_PUT(V9_PMBIDR_EL1_AddrMode, v9_spe_nvm(r, v9_feat(m, V9_FEAT_SPE_nVM), &c) ?
		      V9_PMBIDR_EL1_AddrMode_VA_PA : V9_PMBIDR_EL1_AddrMode_VA);
}

uint64_t v9_reg_read(struct v9_model *m, unsigned int reg)
{
	static const uint8_t ea[] = {
		[V9_TRBE_EA_REPORTED] = V9_TRBIDR_EL1_EA_NOT_DESCRIBED,
		[V9_TRBE_EA_IGNORED] = V9_TRBIDR_EL1_EA_IGNORED,
		[V9_TRBE_EA_SERROR] = V9_TRBIDR_EL1_EA_SERROR,
	};
	struct v9_pe_state s;
	uint64_t v;

	settle(m);
	m->score.rd[reg]++;
	reg = home(m, reg);
	if (descs[reg].unit == V9_UNIT_ETE) {
		s = v9_look(m);
		return v9_ete_read(m, reg, &s);
	}
	switch (reg) {
	case V9_R_TRBIDR_EL1:
		s = v9_look(m);
		return V9_PUT(V9_TRBIDR_EL1_Align, m->cfg.trbe_align) |
		       V9_PUT(V9_TRBIDR_EL1_EA, ea[m->cfg.trbe_ea]) |
		       V9_PUT(V9_TRBIDR_EL1_MaxBuffSize, m->cfg.buffer_limit) |
		       V9_PUT(V9_TRBIDR_EL1_MPAM, m->cfg.trbe_mpam ?
			      V9_TRBIDR_EL1_MPAM_TRBE_MPAM : V9_TRBIDR_EL1_MPAM_NOT_IMPLEMENTED) |
		       (m->cfg.trbe_f ? V9_TRBIDR_EL1_F : 0) |
		       (v9_trbe_denied(&s.r) ? V9_TRBIDR_EL1_P : trbe_addr_mode(m, &s.r));
	case V9_R_PMSIDR_EL1:
		return id_value(m, reg);
	case V9_R_PMBIDR_EL1:
		s = v9_look(m);
		return id_value(m, reg) |
		       (v9_spe_denied(&s.r) ? V9_PMBIDR_EL1_P : spe_addr_mode(m, &s.r));
	case V9_R_PMSICR_EL1:
		if (m->cfg.delay == V9_DELAY_OFF)
			m->val[reg] = icr_of_unit(m);
		break;
	}
	v = m->val[reg];
	/* SPE-SY5 */
	if (m->cfg.delay && v9_has(&m->udirty, reg) && !v9_has(&m->dirty, reg) &&
	    v != unit_value(m, reg)) {
		v9_tell(m, descs[reg].unit == V9_UNIT_SPE ? "SPE-SY5" : "TRBE-UN9",
			descs[reg].name, v,
			descs[reg].unit == V9_UNIT_SPE ?
			"read without PSB CSYNC and context synchronization: the value is old" :
			"read without TSB CSYNC and context synchronization: the value is old");
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

/* Software must not move a buffer in use (SPE-SY10). Clearing E is checked when it takes effect. */
static void check_write(struct v9_model *m, unsigned int reg, uint64_t v)
{
	struct v9_pe_state s = v9_look(m);
	struct v9_spe_ctl c = v9_seen_ctl(m);
	uint64_t change = v ^ m->seen[reg];

	if (reg == V9_R_PMBLIMITR_EL1)
		change &= V9_PMBLIMITR_EL1_LIMIT | V9_PMBLIMITR_EL1_FM;
	else if (reg != V9_R_PMBPTR_EL1)
		change = 0;
	if (reg == V9_R_PMBLIMITR_EL1 && !(v & V9_PMBLIMITR_EL1_E))
		change = 0;
	if (change && v9_spe_buffer_enabled(&s.r, &c) &&
	    (v9_spe_profiling(&s.r, &c) || v9_spe_pending(m)))
		v9_tell(m, "SPE-SY10", descs[reg].name, v, "the buffer was moved while in use");
	/* SPE-SY6 */
	if (m->cfg.delay && (reg == V9_R_PMBPTR_EL1 || reg == V9_R_PMBSR_EL1) && m->fifo_n)
		v9_tell(m, "SPE-SY6", descs[reg].name, v,
			"written while records before it are not drained");
}

void v9_reg_write(struct v9_model *m, unsigned int reg, uint64_t v)
{
	struct v9_pe_state s;
	bool later;

	settle(m);
	m->score.wr[reg]++;
	reg = home(m, reg);
	if (!descs[reg].write)
		return;
	s = v9_look(m);
	v &= m->mask[reg];
	if (descs[reg].unit == V9_UNIT_TRBE && v9_trbe_ignores(m, reg, v))
		return;
	v = v9_trbe_aligned(m, reg, v);
	if (descs[reg].unit == V9_UNIT_ETE && v9_ete_ignores(m, reg, v))
		return;
	if (!s.r.has_ecv && (reg == V9_R_PMSCR_EL1 || reg == V9_R_PMSCR_EL2))
		v &= ~UINT64_C(0x80);		/* the second bit of PCT */
	if (reg == V9_R_PMSCR_EL1 && !s.r.has_el2)
		v |= V9_PUT(V9_PMSCR_EL1_PCT, 1);	/* SPE-CD18 */
	if ((reg == V9_R_PMSCR_EL2 || reg == V9_R_TRFCR_EL2 || reg == V9_R_TRCITECR_EL2) &&
	    !s.r.has_el2)
		v = 0;
	v |= m->one[reg];
	check_write(m, reg, v);
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
	v9_spe_mark(m, &s);
	v9_ete_mark(m, &s);
	m->bus.activity_changed(m->ctx);
}

/* SPE-SY3, SY4, SY5, SY16 */
static void context_sync(struct v9_model *m)
{
	struct v9_pe_state s;
	unsigned int reg;

	m->epoch++;
	m->busy_until = 0;	/* all operations before this are complete */
	v9_trbe_synced(m);
	v9_ete_synced(m);
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
	s = v9_look(m);
	v9_spe_mark(m, &s);
	v9_ete_mark(m, &s);
	v9_poll(m);
	m->bus.activity_changed(m->ctx);
}

/* PSB, TSB CSYNC: the current values of the unit's registers become visible at the next CSE. */
static void make_ready(struct v9_model *m, enum v9_unit unit)
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
	struct v9_pe_state s = v9_look(m);

	switch (k) {
	case V9_SYNC_PSB:
		return m->cfg.spe_version >= 6 && v9_psb_trapped(&s.r);
	case V9_SYNC_TSB:
		return v9_feat(m, V9_FEAT_TRBEv1p1) && v9_tsb_trapped(&s.r);
	default:
		return false;
	}
}

void v9_sync(struct v9_model *m, enum v9_sync_kind k)
{
	uint64_t events;

	settle(m);
	switch (k) {
	case V9_SYNC_ISB:
		m->score.isb++;
		context_sync(m);
		break;
	case V9_SYNC_CSE:
		context_sync(m);
		break;
	case V9_SYNC_PSB:
		m->score.psb++;
		v9_buffer_drain(m, m->epoch);
		v9_buffer_poison(m);
		make_ready(m, V9_UNIT_SPE);
		m->stores_synced = true;
		break;
	case V9_SYNC_DSB:
		m->score.dsb++;
		events = m->trace.events;
		if (m->stores_synced)
			v9_buffer_flush(m);
		if (m->trace.events != events)
			make_ready(m, V9_UNIT_TRBE);	/* TRBE-SY9: an abort */
		v9_trbe_dsb(m);
		break;
	case V9_SYNC_TLBI:
		m->score.tlbi++;
		m->kept[V9_UNIT_SPE].valid = m->kept[V9_UNIT_TRBE].valid = false;
		m->stores_synced = true;	/* SPE-PB22: its DSB waits for translated writes */
		break;
	case V9_SYNC_TLBI_OTHER:
		m->score.tlbi++;
		m->kept[V9_UNIT_SPE].valid = m->kept[V9_UNIT_TRBE].valid = false;
		v9_buffer_flush(m);		/* SPE-PB23: the other PE's DSB waits, too */
		v9_trbe_forget(m);		/* TRBE-AT14 */
		break;
	case V9_SYNC_TSB:
		m->trace.tsb++;
		v9_trbe_drain_synced(m);
		v9_trbe_settle(m);
		make_ready(m, V9_UNIT_TRBE);
		m->stores_synced = true;
		break;
	}
}
