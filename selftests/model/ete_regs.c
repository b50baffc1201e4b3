// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Registers of the trace unit: ID values, which registers exist, and the transfer between
 * registers and the unit's internal state.
 */
#include "private.h"

static const struct {
	uint16_t reg, id;
	uint64_t field;
	uint8_t least;
} presents[] = {
#define V9_PRESENTDESC(unit, reg_, id_, field_, mask, least_) \
	{ .reg = V9_R_##reg_, .id = V9_R_##id_, .field = mask, .least = least_ },
#include <v9trace/gen/regs_desc.h>
};

#define EVENTS	V9_ETE_EVENTS
#define PAIRS	4	/* pairs of address comparators */

/* The full unit, one with only the resources of the timestamp event, and one without these */
static uint64_t idr4(const struct v9_model *m)
{
	if (m->cfg.ete_bare)
		return 0;
	if (m->cfg.ete_minimal)
		return V9_PUT(V9_TRCIDR4_NUMRSPAIR, 1);
	return V9_PUT(V9_TRCIDR4_NUMACPAIRS, PAIRS) | V9_PUT(V9_TRCIDR4_NUMRSPAIR, 7) |
	       V9_PUT(V9_TRCIDR4_NUMSSCC, 1) | V9_PUT(V9_TRCIDR4_NUMCIDC, 1) |
	       V9_PUT(V9_TRCIDR4_NUMVMIDC, 1) | V9_PUT(V9_TRCIDR4_NUMPC, m->cfg.pe_inputs);
}

/*
 * The revision of ETE is ETEv1p3 with FEAT_ITE, because decoders that know the Instrumentation packet
 * expect it. It is at least ETEv1p2 with FEAT_RME, which adds Security states to the packets. It is at
 * least ETEv1p1 with Timestamp Markers (ETE-R_MCSGX). If the state of the PE is not known yet (@s is NULL), FEAT_RME is not considered.
 */
static unsigned int revision(const struct v9_model *m, const struct v9_pe_state *s)
{
	return m->cfg.ite ? 3 : s && s->r.has_rme ? 2 : m->cfg.tsmark;
}

/* Exception levels of Secure state, as in EXLEVEL_S; EL3 is one of them */
static uint64_t secure_levels(const struct v9_pe_state *s)
{
	if (!s || !s->r.has_el3)
		return 0;
	return V9_TRCIDR3_EXLEVEL_S_EL3 |
	       (s->r.has_secure ? V9_TRCIDR3_EXLEVEL_S_EL1 | V9_TRCIDR3_EXLEVEL_S_EL0 : 0) |
	       (s->r.has_secure && s->r.has_el2 && s->has_sel2 ? V9_TRCIDR3_EXLEVEL_S_EL2 : 0);
}

static uint64_t idr5(const struct v9_model *m)
{
	uint64_t v = V9_PUT(V9_TRCIDR5_NUMEXTIN, 0x1ff) | V9_PUT(V9_TRCIDR5_TRACEIDSIZE, 7);

	/* ETE-R_HBBDV: there is another output, which has no receiver */
	if (revision(m, NULL) >= 3)
		v |= V9_TRCIDR5_OE;
	if (m->cfg.ete_bare)
		return v;
	if (m->cfg.ete_minimal)
		return v | V9_PUT(V9_TRCIDR5_NUMCNTR, 1);
	return v | V9_PUT(V9_TRCIDR5_NUMCNTR, 2) | V9_PUT(V9_TRCIDR5_NUMSEQSTATE, 4) |
	       V9_PUT(V9_TRCIDR5_NUMEXTINSEL, 4);
}

/* @s: state of the PE, gives EL2 and EL3; NULL if it is not known yet */
uint64_t v9_ete_id(const struct v9_model *m, unsigned int reg, const struct v9_pe_state *s)
{
	bool el2 = !s || s->r.has_el2;

	switch (reg) {
	case V9_R_TRCIDR0:
		return V9_TRCIDR0_RES1 | V9_TRCIDR0_TRCBB | V9_TRCIDR0_TRCCCI |
		       (m->cfg.commopt ? V9_TRCIDR0_COMMOPT : 0) |
		       (m->cfg.commtrans ? V9_TRCIDR0_COMMTRANS : 0) | V9_PUT(V9_TRCIDR0_TSSIZE, 8) |
		       V9_PUT(V9_TRCIDR0_NUMEVENT, m->cfg.ete_minimal ? 0 : EVENTS - 1) |
		       (m->cfg.rs_depth ? V9_TRCIDR0_RETSTACK : 0) |
		       V9_PUT(V9_TRCIDR0_QSUPP, m->cfg.q_supp) |
		       (m->cfg.q_filter ? V9_TRCIDR0_QFILT : 0) |
		       (m->cfg.tsmark ? V9_TRCIDR0_TSMARK : 0) |
		       (m->cfg.ite ? V9_TRCIDR0_ITE : 0);
	case V9_R_TRCIDR1:
		return V9_PUT(V9_TRCIDR1_DESIGNER, 0x41) | UINT64_C(0xf000) |
		       V9_TRCIDR1_TRCARCHMAJ | V9_TRCIDR1_TRCARCHMIN;
	case V9_R_TRCIDR2:
		return V9_PUT(V9_TRCIDR2_IASIZE, 8) | V9_PUT(V9_TRCIDR2_CIDSIZE, 4) |
		       V9_PUT(V9_TRCIDR2_CCSIZE, 8) |
		       (el2 ? V9_PUT(V9_TRCIDR2_VMIDSIZE, 4) | V9_PUT(V9_TRCIDR2_VMIDOPT, 2) : 0) |
		       (m->cfg.wfx ? V9_TRCIDR2_WFXMODE : 0);
	case V9_R_TRCIDR3:
		return V9_PUT(V9_TRCIDR3_CCITMIN, 4) | V9_TRCIDR3_TRCERR |
		       (m->cfg.ete_stall ? V9_TRCIDR3_STALLCTL | V9_TRCIDR3_SYSSTALL |
					   V9_TRCIDR3_NOOVERFLOW : 0) |
		       V9_TRCIDR3_EXLEVEL_NS_EL0 | V9_TRCIDR3_EXLEVEL_NS_EL1 |
		       (el2 ? V9_TRCIDR3_EXLEVEL_NS_EL2 : 0) |
		       secure_levels(s);
	case V9_R_TRCIDR4:
		return idr4(m);
	case V9_R_TRCIDR5:
		return idr5(m);
	case V9_R_TRCIDR6:
		return s && s->r.has_rme ? V9_TRCIDR6_EXLEVEL_RL : 0;
	case V9_R_TRCDEVARCH:
		return UINT64_C(0x47705a13) | V9_PUT(V9_TRCDEVARCH_REVISION, revision(m, s));
	case V9_R_TRCSSCSR0:
		return m->cfg.shot_inputs ? V9_TRCSSCSRn_PC : 0;
	case V9_R_TRCIDR8:
		return m->cfg.maxspec;	/* ETE-R_VVFQZ */
	default:
		return 0;	/* also TRCIDR9 to 13 */
	}
}

static uint64_t low(unsigned int n)
{
	return V9_BIT(n) - 1;
}

void v9_ete_regs_init(struct v9_model *m)
{
	unsigned int i, pairs = V9_GET(V9_TRCIDR4_NUMACPAIRS, idr4(m));

	/* ETE-I_WCXDT */
	for (i = 0; i < V9_ARRAY_SIZE(presents); i++)
		if (V9_GET(presents[i].field, v9_ete_id(m, presents[i].id, NULL)) <
		    presents[i].least)
			v9_set(&m->absent, presents[i].reg);
	if (!m->cfg.q_supp)
		m->mask[V9_R_TRCCONFIGR] &= ~V9_TRCCONFIGR_QE;
	m->mask[V9_R_TRCQCTLR] &= low(pairs) | V9_TRCQCTLR_MODE;
	m->one[V9_R_TRCCONFIGR] = V9_TRCCONFIGR_RES1 | V9_TRCCONFIGR_VMIDOPT;
	m->mask[V9_R_TRCEVENTCTL1R] &= ~(V9_TRCEVENTCTL1R_ATB | V9_TRCEVENTCTL1R_LPOVERRIDE);
	m->mask[V9_R_TRCAUXCTLR] = 0;
	m->mask[V9_R_TRCIMSPEC0] = 0;		/* SUPPORT is 0 */
	if (!pairs && !m->cfg.pe_inputs)
		m->one[V9_R_TRCVICTLR] |= V9_TRCVICTLR_SSSTATUS;
	if (!m->cfg.rs_depth)
		m->mask[V9_R_TRCCONFIGR] &= ~V9_TRCCONFIGR_RS;
	if (m->cfg.ete_minimal)
		m->mask[V9_R_TRCEVENTCTL0R] &= 0xff;
	if (m->cfg.ete_minimal)
		m->mask[V9_R_TRCEVENTCTL1R] &= V9_TRCEVENTCTL1R_OE | 1;
	if (m->cfg.ete_minimal)		/* one event, no external inputs */
		m->mask[V9_R_TRCRSR] &= V9_TRCRSR_TA | V9_PUT(V9_TRCRSR_EVENT, 1);
	if (revision(m, NULL) < 3)
		m->mask[V9_R_TRCEVENTCTL1R] &= ~V9_TRCEVENTCTL1R_OE;
	if (m->cfg.ete_bare) {
		m->mask[V9_R_TRCEVENTCTL1R] &= V9_TRCEVENTCTL1R_OE;
		m->mask[V9_R_TRCTSCTLR] = 0;
		m->mask[V9_R_TRCRSR] &= ~V9_TRCRSR_EVENT;
		m->mask[V9_R_TRCVICTLR] &= ~UINT64_C(0x9f);
		m->one[V9_R_TRCVICTLR] |= 1;
	}
	/* The PE decides whether there is a Realm state: see of_levels(). */
	m->mask[V9_R_TRCVICTLR] |= V9_TRCVICTLR_EXLEVEL_RL;
	for (i = 0; i < 16; i++)
		m->mask[V9_R_TRCACATR0 + i] |= V9_TRCACATRn_EXLEVEL_RL;
	m->mask[V9_R_TRCVIIECTLR] &= low(pairs) | low(pairs) << 16;
	m->mask[V9_R_TRCVISSCTLR] &= low(2 * pairs) | low(2 * pairs) << 16;
	m->mask[V9_R_TRCBBCTLR] &= low(pairs) | V9_TRCBBCTLR_MODE;
	m->mask[V9_R_TRCSSCCR0] &= V9_TRCSSCCRn_RST | low(pairs) << 16 | low(2 * pairs);
	m->mask[V9_R_TRCSSCSR0] &= V9_TRCSSCSRn_STATUS | V9_TRCSSCSRn_PENDING;
	m->one[V9_R_TRCSSCSR0] |= v9_ete_id(m, V9_R_TRCSSCSR0, NULL);
	m->mask[V9_R_TRCSSPCICR0] &= low(m->cfg.pe_inputs);
	m->mask[V9_R_TRCVIPCSSCTLR] &= low(m->cfg.pe_inputs) | low(m->cfg.pe_inputs) << 16;
	/* one comparator: a byte of mask, one bit for each byte that it compares */
	m->mask[V9_R_TRCCIDCCTLR0] &= 0xf;
	m->mask[V9_R_TRCVMIDCCTLR0] &= 0xf;
}

/* Loads the internal state of the unit from its registers. */
void v9_ete_load(struct v9_model *m)
{
	struct v9_ete_model *e = &m->ete;
	unsigned int i;

	e->ta = m->seen[V9_R_TRCRSR] & V9_TRCRSR_TA;
	e->extin = V9_GET(V9_TRCRSR_EXTIN, m->seen[V9_R_TRCRSR]);
	e->events = V9_GET(V9_TRCRSR_EVENT, m->seen[V9_R_TRCRSR]);
	e->ss = e->ss_resolved = m->seen[V9_R_TRCVICTLR] & V9_TRCVICTLR_SSSTATUS;
	e->seq = V9_GET(V9_TRCSEQSTR_STATE, m->seen[V9_R_TRCSEQSTR]);
	e->sscc_status = m->seen[V9_R_TRCSSCSR0] & V9_TRCSSCSRn_STATUS;
	e->sscc_pending = v9_reg_exists(m, V9_R_TRCSSCSR0) && (m->seen[V9_R_TRCSSCSR0] & V9_TRCSSCSRn_PENDING);
	for (i = 0; i < V9_ETE_CNT; i++)
		e->cnt[i] = m->seen[V9_R_TRCCNTVR0 + i];
}

static void keep(struct v9_model *m, unsigned int reg, uint64_t field, uint64_t v)
{
	if (v9_has(&m->dirty, reg))
		return;		/* the value that software wrote is newer */
	m->seen[reg] = ((m->seen[reg] & ~field) | V9_PUT(field, v)) & m->mask[reg];
	m->seen[reg] |= m->one[reg];
	m->val[reg] = m->seen[reg];
}

/* Stores the internal state of the unit to its registers (ETE-R_PBFMY, R_FHFMP, R_VDTDP). */
void v9_ete_store(struct v9_model *m)
{
	const struct v9_ete_model *e = &m->ete;
	unsigned int i;

	keep(m, V9_R_TRCRSR, V9_TRCRSR_TA, e->ta);
	keep(m, V9_R_TRCRSR, V9_TRCRSR_EXTIN, e->extin);
	keep(m, V9_R_TRCRSR, V9_TRCRSR_EVENT, e->events);
	keep(m, V9_R_TRCVICTLR, V9_TRCVICTLR_SSSTATUS, e->ss);
	keep(m, V9_R_TRCSEQSTR, V9_TRCSEQSTR_STATE, e->seq);
	for (i = 0; i < V9_ETE_CNT; i++)
		keep(m, V9_R_TRCCNTVR0 + i, V9_TRCCNTVRn_VALUE, e->cnt[i]);
	keep(m, V9_R_TRCSSCSR0, V9_TRCSSCSRn_STATUS, e->sscc_status);
	keep(m, V9_R_TRCSSCSR0, V9_TRCSSCSRn_PENDING, e->sscc_pending);
}

/* After a change of EN, the next access must be a read of TRCSTATR. */
static void check_status_read(struct v9_model *m, unsigned int reg)
{
	size_t n;

	switch (reg) {
	case V9_R_TRFCR_EL1:
	case V9_R_TRFCR_EL2:
	case V9_R_TRCITECR_EL1:
	case V9_R_TRCITECR_EL2:
	case V9_R_TRCPRGCTLR:
	case V9_R_TRCSTATR:
		return;
	}
	if (m->ete.status_due)
		v9_violate(m, "ETE-S_HSXGZ", v9_model_regs(&n)[reg].name, 0,
			   "accessed before TRCSTATR was read after a change of TRCPRGCTLR");
	m->ete.status_due = false;
}

/*
 * Fields for Exception levels that the PE does not have are reserved: @s, @ns, @rl are their
 * masks in @v.
 */
static uint64_t of_levels(const struct v9_model *m, const struct v9_pe_state *pe, uint64_t v,
			  uint64_t s, uint64_t ns, uint64_t rl)
{
	uint64_t idr3 = v9_ete_id(m, V9_R_TRCIDR3, pe), idr6 = v9_ete_id(m, V9_R_TRCIDR6, pe);

	return (v & ~(s | ns | rl)) |
	       (v & (V9_PUT(s, V9_GET(V9_TRCIDR3_EXLEVEL_S, idr3)) |
		     V9_PUT(ns, V9_GET(V9_TRCIDR3_EXLEVEL_NS, idr3)) |
		     V9_PUT(rl, V9_GET(V9_TRCIDR6_EXLEVEL_RL, idr6))));
}

static uint64_t value_of(struct v9_model *m, unsigned int reg, const struct v9_pe_state *s)
{
	static const uint8_t stages[] = { 0, 0, V9_TRCSTATR_PMSTABLE,
					  V9_TRCSTATR_PMSTABLE | V9_TRCSTATR_IDLE };

	if (m->ete.enabled)
		v9_ete_store(m);
	check_status_read(m, reg);
	if (reg >= V9_R_TRCIDR8 && reg <= V9_R_TRCIDR7)
		return v9_ete_id(m, reg, s);
	if (reg >= V9_R_TRCACATR0 && reg <= V9_R_TRCACATR15)
		return of_levels(m, s, m->val[reg], V9_TRCACATRn_EXLEVEL_S,
				 V9_TRCACATRn_EXLEVEL_NS, V9_TRCACATRn_EXLEVEL_RL);
	switch (reg) {
	case V9_R_TRCDEVARCH:
	case V9_R_TRCDEVID:
	case V9_R_TRCAUTHSTATUS:
		return v9_ete_id(m, reg, s);
	case V9_R_TRCSTATR:
		/* ETE-S_HSXGZ */
		if (m->ete.status_read)
			v9_violate(m, "ETE-S_HSXGZ", "TRCSTATR", 0,
				   "read twice without context synchronization in between");
		/* without V9_ACT_SYNC the model gets no ISB, so it cannot check this */
		m->ete.status_read = m->ete.enabled || m->ete.stage != 3 || v9_any(&m->dirty);
		m->ete.status_due = false;
		return stages[m->ete.enabled ? 0 : m->ete.stage];	/* ETE-R_WMGGP */
	case V9_R_TRCVICTLR:
		return of_levels(m, s, m->val[reg], V9_TRCVICTLR_EXLEVEL_S,
				 V9_TRCVICTLR_EXLEVEL_NS, V9_TRCVICTLR_EXLEVEL_RL);
	case V9_R_TRCOSLSR:
		/* the PE's OS Lock */
		return V9_PUT(V9_TRCOSLSR_OSLM_HIGH, 2) | (s->oslk ? V9_TRCOSLSR_OSLK : 0);
	case V9_R_TRCCLAIMSET:
		return 0xf;
	case V9_R_TRCCLAIMCLR:
		return m->ete.claim;
	default:
		return m->val[reg];
	}
}

bool v9_ete_read(struct v9_model *m, unsigned int reg, uint64_t *v)
{
	struct v9_pe_state s = v9_pe(m);

	*v = value_of(m, reg, &s);
	return true;
}

/* ETE-R_RWYQD, R_MDZDN */
bool v9_ete_ignores(struct v9_model *m, unsigned int reg, uint64_t v)
{
	struct v9_ete_model *e = &m->ete;
	bool idle = !e->enabled && e->stage == 3 && !v9_has(&m->dirty, V9_R_TRCPRGCTLR);
	size_t n;

	check_status_read(m, reg);
	switch (reg) {
	case V9_R_TRFCR_EL1:
	case V9_R_TRFCR_EL2:
	case V9_R_TRCITECR_EL1:		/* a register of the PE, not of the unit */
	case V9_R_TRCITECR_EL2:
		return false;
	case V9_R_TRCCLAIMSET:
		e->claim |= v & 0xf;
		return true;
	case V9_R_TRCCLAIMCLR:
		e->claim &= ~v;
		return true;
	case V9_R_TRCPRGCTLR:
		if (!e->enabled && e->stage != 3 && v)
			v9_violate(m, "ETE-R_MDZDN", "TRCPRGCTLR", v, "enabled before it was idle");
		e->status_due = (v ^ m->val[reg]) & V9_TRCPRGCTLR_EN;
		return false;
	}
	if (idle) {
		v9_set(&m->programmed, reg);
		return false;
	}
	m->trace.busy_writes++;
	v9_violate(m, "ETE-R_RWYQD", v9_model_regs(&n)[reg].name, v,
		   "written while the trace unit is not idle");
	return true;
}
