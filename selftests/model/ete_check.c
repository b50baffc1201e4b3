// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Checks for values that the trace unit must not be enabled with. They have no bad effect in the
 * model and are logged as violations. Only registers that have an effect are checked: an unused
 * register may have any value.
 */
#include "private.h"

#define COUNTERS	4

/* What was checked already; counters and sequencer may refer to each other */
struct seen {
	uint16_t selectors;
	uint16_t sacs;
	uint8_t arcs, counters;
	bool sequencer, single_shot, cid, vmid;
};

static void violate(struct v9_model *m, const char *rule, unsigned int reg, const char *what)
{
	size_t n;

	v9_violate(m, rule, v9_model_regs(&n)[reg].name, m->seen[reg], what);
}

/* ETE-R_PCXJC: nearly all registers are UNKNOWN after reset */
static void programmed(struct v9_model *m, unsigned int reg)
{
	if (v9_reg_exists(m, reg) && !v9_has(&m->programmed, reg))
		violate(m, "ETE-R_PCXJC", reg,
			"the unit was enabled with a register not programmed");
}

static void context(struct v9_model *m, struct seen *s, bool cid, bool vmid)
{
	if (cid && !s->cid) {
		s->cid = true;
		programmed(m, V9_R_TRCCIDCVR0);
		programmed(m, V9_R_TRCCIDCCTLR0);
	}
	if (vmid && !s->vmid) {
		s->vmid = true;
		programmed(m, V9_R_TRCVMIDCVR0);
		programmed(m, V9_R_TRCVMIDCCTLR0);
	}
}

static void address(struct v9_model *m, struct seen *s, unsigned int n)
{
	uint64_t type = V9_GET(V9_TRCACATRn_CONTEXTTYPE, m->seen[V9_R_TRCACATR0 + n]);

	if (s->sacs >> n & 1)
		return;
	s->sacs |= 1u << n;
	programmed(m, V9_R_TRCACVR0 + n);
	programmed(m, V9_R_TRCACATR0 + n);
	context(m, s, type & 1, type & 2);
}

static void addresses(struct v9_model *m, struct seen *s, unsigned int which)
{
	unsigned int n;

	for (n = 0; which >> n; n++)
		if ((which >> n & 1) && v9_reg_exists(m, V9_R_TRCACVR0 + n))
			address(m, s, n);
}

static void ranges(struct v9_model *m, struct seen *s, unsigned int which)
{
	unsigned int n;

	which &= ~s->arcs;
	s->arcs |= which;
	for (n = 0; which >> n; n++) {
		unsigned int first = V9_R_TRCACVR0 + 2 * n, at = V9_R_TRCACATR0 + 2 * n;

		if (!(which >> n & 1) || !v9_reg_exists(m, first))
			continue;
		addresses(m, s, 3u << 2 * n);
		if (m->seen[first] > m->seen[first + 1])
			violate(m, "ETE-R_MXCGD", first, "a range that ends before it begins");
		else if (m->seen[at] != m->seen[at + 1])
			violate(m, "ETE-R_MXCGD", at,
				"the two ends of a range have different types");
	}
}

static void event(struct v9_model *m, struct seen *s, unsigned int field);

static void counters(struct v9_model *m, struct seen *s, unsigned int which)
{
	unsigned int n;

	for (n = 0; n < COUNTERS; n++) {
		uint64_t ctl = m->seen[V9_R_TRCCNTCTLR0 + n];

		if (!(which & ~s->counters & 1u << n) || !v9_reg_exists(m, V9_R_TRCCNTVR0 + n))
			continue;
		s->counters |= 1u << n;
		programmed(m, V9_R_TRCCNTVR0 + n);
		programmed(m, V9_R_TRCCNTCTLR0 + n);
		programmed(m, V9_R_TRCCNTRLDVR0 + n);
		event(m, s, ctl & 0xff);
		event(m, s, ctl >> 8 & 0xff);
		if ((n & 1) && (ctl & V9_TRCCNTCTLRn_CNTCHAIN))
			counters(m, s, 1u << (n - 1));
	}
}

static void sequencer(struct v9_model *m, struct seen *s)
{
	unsigned int n;

	if (s->sequencer || !v9_reg_exists(m, V9_R_TRCSEQSTR))
		return;
	s->sequencer = true;
	programmed(m, V9_R_TRCSEQSTR);
	programmed(m, V9_R_TRCSEQRSTEVR);
	event(m, s, m->seen[V9_R_TRCSEQRSTEVR] & 0xff);
	for (n = 0; n < 3; n++) {
		programmed(m, V9_R_TRCSEQEVR0 + n);
		event(m, s, m->seen[V9_R_TRCSEQEVR0 + n] & 0xff);
		event(m, s, m->seen[V9_R_TRCSEQEVR0 + n] >> 8 & 0xff);
	}
}

static void single_shot(struct v9_model *m, struct seen *s)
{
	uint64_t ctl = m->seen[V9_R_TRCSSCCR0];

	if (s->single_shot || !v9_reg_exists(m, V9_R_TRCSSCCR0))
		return;
	s->single_shot = true;
	programmed(m, V9_R_TRCSSCCR0);
	programmed(m, V9_R_TRCSSCSR0);
	programmed(m, V9_R_TRCSSPCICR0);
	addresses(m, s, V9_GET(V9_TRCSSCCRn_SAC, ctl));
	ranges(m, s, V9_GET(V9_TRCSSCCRn_ARC, ctl));
}

static void selector(struct v9_model *m, struct seen *s, unsigned int n)
{
	uint64_t ctl, select;
	unsigned int i;

	if (n < 2 || !v9_reg_exists(m, V9_R_TRCRSCTLR2 + n - 2) || (s->selectors >> n & 1))
		return;
	s->selectors |= 1u << n;
	programmed(m, V9_R_TRCRSCTLR2 + n - 2);
	ctl = m->seen[V9_R_TRCRSCTLR2 + n - 2];
	select = V9_GET(V9_TRCRSCTLRn_SELECT, ctl);
	switch (V9_GET(V9_TRCRSCTLRn_GROUP, ctl)) {
	case V9_TRCRSCTLRn_GROUP_EXTIN:
		for (i = 0; i < 4; i++)
			if (select >> i & 1)
				programmed(m, V9_R_TRCEXTINSELR0 + i);
		break;
	case V9_TRCRSCTLRn_GROUP_PE:
		if (select >> m->cfg.pe_inputs)
			violate(m, "ETE-R_CNVSS", V9_R_TRCRSCTLR2 + n - 2,
				"PE comparator inputs that are not there");
		break;
	case V9_TRCRSCTLRn_GROUP_COUNTER_SEQUENCER:
		counters(m, s, select & 15);
		if (select & 0xf0)
			sequencer(m, s);
		break;
	case V9_TRCRSCTLRn_GROUP_SSCC:
		if (select & 1)
			single_shot(m, s);
		break;
	case V9_TRCRSCTLRn_GROUP_SAC:
		addresses(m, s, select);
		break;
	case V9_TRCRSCTLRn_GROUP_ARC:
		ranges(m, s, select & 0xff);
		break;
	case V9_TRCRSCTLRn_GROUP_CID:
		context(m, s, select & 1, false);
		break;
	case V9_TRCRSCTLRn_GROUP_VMID:
		context(m, s, false, select & 1);
		break;
	default:
		violate(m, "ETE-R_WZVDQ", V9_R_TRCRSCTLR2 + n - 2, "no such group of resources");
	}
}

/* ETE-R_KTNJM: two combinations of the inversions of a pair are reserved */
static void pair(struct v9_model *m, struct seen *s, unsigned int k)
{
	unsigned int a = V9_R_TRCRSCTLR2 + 2 * k - 2;
	bool inv, other, both;

	if (!k) {
		v9_violate(m, "ETE-R_KTNJM", NULL, k, "an event wants the pair of constants");
		return;
	}
	selector(m, s, 2 * k);
	selector(m, s, 2 * k + 1);
	if (!v9_reg_exists(m, a))
		return;
	inv = m->seen[a] & V9_TRCRSCTLRn_INV;
	other = m->seen[a + 1] & V9_TRCRSCTLRn_INV;
	both = m->seen[a] & V9_TRCRSCTLRn_PAIRINV;
	if (inv == both && inv != other)
		violate(m, "ETE-R_KTNJM", a, "inversions of a pair of selectors that are reserved");
}

static void event(struct v9_model *m, struct seen *s, unsigned int field)
{
	if (field & 0x80)
		pair(m, s, field & 0xf);
	else
		selector(m, s, field & 0x1f);
}

/* ETE-R_XHFYQ, R_SFXZB: start and stop points must be in the order of their addresses */
static void start_stop(struct v9_model *m, struct seen *s)
{
	uint64_t ctl = m->seen[V9_R_TRCVISSCTLR];
	unsigned int start = V9_GET(V9_TRCVISSCTLR_START, ctl);
	unsigned int stop = V9_GET(V9_TRCVISSCTLR_STOP, ctl), n;
	const uint64_t *before = NULL;

	addresses(m, s, start | stop);
	for (n = 0; (start | stop) >> n; n++) {
		const uint64_t *at = &m->seen[V9_R_TRCACVR0 + n];

		if (!((start | stop) >> n & 1) || !v9_reg_exists(m, V9_R_TRCACVR0 + n))
			continue;
		if ((start & stop) >> n & 1)
			violate(m, "ETE-R_XHFYQ", V9_R_TRCVISSCTLR, "one address starts and stops");
		else if (before && *at <= *before)
			violate(m, "ETE-R_XHFYQ", V9_R_TRCACVR0 + n,
				"start and stop points are not in the order of their addresses");
		before = at;
	}
}

/* Index: TRCIDR0.QSUPP. Bit n is set if n is not a reserved value of TRCCONFIGR.QE. */
static const uint8_t q_values[] = { 0x1, 0x3, 0x9, 0xb };

static void q_elements(struct v9_model *m, struct seen *s)
{
	const uint64_t cfg = m->seen[V9_R_TRCCONFIGR], qe = V9_GET(V9_TRCCONFIGR_QE, cfg);

	if (!(q_values[m->cfg.q_supp] >> qe & 1))
		violate(m, "ETE-R_SGFHP", V9_R_TRCCONFIGR, "a reserved value of QE");
	if (!qe)
		return;
	if (cfg & V9_TRCCONFIGR_BB)
		violate(m, "ETE-R_SGFHP", V9_R_TRCCONFIGR, "Q elements with branch broadcast");
	programmed(m, V9_R_TRCQCTLR);
	if (m->cfg.q_filter)
		ranges(m, s, V9_GET(V9_TRCQCTLR_RANGE, m->seen[V9_R_TRCQCTLR]));
}

static void options(struct v9_model *m, struct seen *s)
{
	uint64_t cfg = m->seen[V9_R_TRCCONFIGR], bb = m->seen[V9_R_TRCBBCTLR];
	uint64_t period = V9_GET(V9_TRCSYNCPR_PERIOD, m->seen[V9_R_TRCSYNCPR]);

	if (cfg & V9_TRCCONFIGR_CCI) {
		programmed(m, V9_R_TRCCCCTLR);
		if (V9_GET(V9_TRCCCCTLR_THRESHOLD, m->seen[V9_R_TRCCCCTLR]) <
		    V9_GET(V9_TRCIDR3_CCITMIN, v9_ete_id(m, V9_R_TRCIDR3, NULL)))
			violate(m, "ETE-R_KJXDK", V9_R_TRCCCCTLR,
				"cycle counts wanted more often than the unit can");
	}
	if (cfg & V9_TRCCONFIGR_TS) {
		programmed(m, V9_R_TRCTSCTLR);
		event(m, s, m->seen[V9_R_TRCTSCTLR] & 0xff);
	}
	if ((cfg & V9_TRCCONFIGR_BB) && v9_reg_exists(m, V9_R_TRCBBCTLR)) {
		programmed(m, V9_R_TRCBBCTLR);
		ranges(m, s, V9_GET(V9_TRCBBCTLR_RANGE, bb));
		if ((bb & V9_TRCBBCTLR_MODE) && !(bb & V9_TRCBBCTLR_RANGE))
			violate(m, "ETE-R_MHYFV", V9_R_TRCBBCTLR, "branch broadcast in no range");
	}
	q_elements(m, s);
	if (m->cfg.ete_stall) {
		uint64_t stall = m->seen[V9_R_TRCSTALLCTLR];

		programmed(m, V9_R_TRCSTALLCTLR);
		if ((stall & V9_TRCSTALLCTLR_NOOVERFLOW) && !(stall & V9_TRCSTALLCTLR_ISTALL))
			violate(m, "ETE-R_YSPHL", V9_R_TRCSTALLCTLR,
				"overflows are to be prevented without holding up the PE");
	}
	if (period && (period < 8 || period > 20))
		violate(m, "ETE-R_QHHSY", V9_R_TRCSYNCPR, "a period that is reserved");
}

void v9_ete_check(struct v9_model *m)
{
	static const uint16_t always[] = {
		V9_R_TRCCONFIGR, V9_R_TRCEVENTCTL0R, V9_R_TRCEVENTCTL1R, V9_R_TRCRSR,
		V9_R_TRCSYNCPR, V9_R_TRCTRACEIDR, V9_R_TRCVICTLR, V9_R_TRCVIIECTLR,
		V9_R_TRCVISSCTLR, V9_R_TRCVIPCSSCTLR,
	};
	uint64_t ie = m->seen[V9_R_TRCVIIECTLR];
	struct seen s = { 0 };
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(always); i++)
		programmed(m, always[i]);
	event(m, &s, m->seen[V9_R_TRCVICTLR] & 0xff);
	for (i = 0; i < V9_ETE_EVENTS && v9_reg_exists(m, V9_R_TRCEVENTCTL0R); i++)
		event(m, &s, m->seen[V9_R_TRCEVENTCTL0R] >> 8 * i & 0xff);
	if (!m->cfg.ete_minimal) {
		ranges(m, &s, V9_GET(V9_TRCVIIECTLR_INCLUDE, ie) |
			      V9_GET(V9_TRCVIIECTLR_EXCLUDE, ie));
		start_stop(m, &s);
	}
	options(m, &s);
}
