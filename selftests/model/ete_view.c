// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Which instructions are traced: comparators, start and stop points, include and exclude ranges,
 * branch broadcast. A block here is the instructions executed from one P0 element to the next.
 */
#include "private.h"

bool v9_ete_allowed(const struct v9_model *m, const struct v9_pe_state *s)
{
	struct v9_trace_ctl c = v9_trace_ctl(m);

	/* The model knows TRFCR_EL1 and TRFCR_EL2 only: no Exception level but EL0 is traced in AArch32 state. */
	return (s->r.a64 || !s->r.el) && !s->r.debug && v9_trace_allowed(&s->r, &c);
}

#define PAIRS_MAX 4

static unsigned int pairs(const struct v9_model *m)
{
	return m->cfg.ete_minimal ? 0 : PAIRS_MAX;
}

static bool is_excluded(uint64_t s, uint64_t ns, uint64_t rl, const struct v9_pe_state *p)
{
	switch (v9_route_ss(&p->r)) {
	case V9_SS_NONSECURE:
		return ns >> p->r.el & 1;
	case V9_SS_REALM:
		/* the bit of Realm state inverts the meaning of the Non-secure bit */
		return ((ns ^ rl) >> p->r.el) & 1;
	default:
		return s >> p->r.el & 1;
	}
}

/* ETE-R_DCCBY: byte j is compared unless its bit in @ignored is set. */
static bool same_id(uint64_t want, uint32_t got, uint64_t ignored)
{
	unsigned int j;

	for (j = 0; j < 4; j++)
		if (!(ignored >> j & 1) && ((want ^ got) >> 8 * j & 0xff))
			return false;
	return true;
}

uint8_t v9_ete_match_cid(const struct v9_model *m)
{
	return !m->cfg.ete_minimal &&
	       same_id(m->seen[V9_R_TRCCIDCVR0], m->ete.here.contextidr_el1,
		       m->seen[V9_R_TRCCIDCCTLR0]);
}

uint8_t v9_ete_match_vmid(const struct v9_model *m)
{
	/* ETE-R_JNXJT */
	return !m->cfg.ete_minimal && m->ete.here.r.has_el2 &&
	       (m->seen[V9_R_TRFCR_EL2] & V9_TRFCR_EL2_CX) &&
	       same_id(m->seen[V9_R_TRCVMIDCVR0], m->ete.here.contextidr_el2,
		       m->seen[V9_R_TRCVMIDCCTLR0]);
}

/* Returns true if the other conditions of an address comparator hold (ETE-R_YCRNP). */
static bool comparator_on(const struct v9_model *m, unsigned int n)
{
	uint64_t at = m->seen[V9_R_TRCACATR0 + n];
	unsigned int type = V9_GET(V9_TRCACATRn_CONTEXTTYPE, at);
	unsigned int which = V9_GET(V9_TRCACATRn_CONTEXT, at);

	if (is_excluded(V9_GET(V9_TRCACATRn_EXLEVEL_S, at), V9_GET(V9_TRCACATRn_EXLEVEL_NS, at),
			V9_GET(V9_TRCACATRn_EXLEVEL_RL, at), &m->ete.here))
		return false;
	if ((type & 1) && !(v9_ete_match_cid(m) >> which & 1))
		return false;
	return !(type & 2) || (v9_ete_match_vmid(m) >> which & 1);
}

static uint64_t acvr(const struct v9_model *m, unsigned int n)
{
	return m->seen[V9_R_TRCACVR0 + n];
}

/* ETE-R_LLQPL: both ends inclusive */
struct v9_ete_matches v9_ete_match(const struct v9_model *m, uint64_t pc)
{
	struct v9_ete_matches r = { 0, 0 };
	unsigned int n;

	for (n = 0; n < 2 * pairs(m); n++)
		if (acvr(m, n) == pc && comparator_on(m, n))
			r.sac |= 1u << n;
	for (n = 0; n < pairs(m); n++)
		if (acvr(m, 2 * n) <= pc && pc <= acvr(m, 2 * n + 1) && comparator_on(m, 2 * n))
			r.arc |= 1u << n;
	return r;
}

/* ETE-R_KCYTR, R_PTTKL */
static bool start_stop(struct v9_model *m, uint64_t lo, uint64_t hi)
{
	unsigned int start = V9_GET(V9_TRCVISSCTLR_START, m->seen[V9_R_TRCVISSCTLR]);
	unsigned int stop = V9_GET(V9_TRCVISSCTLR_STOP, m->seen[V9_R_TRCVISSCTLR]), n;
	uint64_t pe = m->cfg.pe_inputs ? m->seen[V9_R_TRCVIPCSSCTLR] : 0;
	bool active = m->ete.ss, started = false;
	uint64_t latest = lo;

	if (m->ete.pe_latched) {
		/* PE comparator inputs match the first instruction of the block. */
		started |= m->ete.pe_latched & V9_GET(V9_TRCVIPCSSCTLR_START, pe);
		if (started)
			m->ete.ss = true;
		if (m->ete.pe_latched & V9_GET(V9_TRCVIPCSSCTLR_STOP, pe))
			m->ete.ss = false;
	}
	if (!((start | stop) & 0xff) || m->cfg.ete_minimal)
		return active || started;
	for (n = 0; n < 2 * pairs(m); n++) {
		uint64_t at = acvr(m, n);

		if (!((start | stop) >> n & 1) || at < lo || at > hi ||
		    !v9_block_is_insn(&m->ete, at) || !comparator_on(m, n))
			continue;
		started |= start >> n & 1;
		if (at >= latest) {
			latest = at;
			m->ete.ss = start >> n & 1;
		}
	}
	return active || started;
}

static bool overlaps(const struct v9_model *m, unsigned int range, uint64_t lo, uint64_t hi,
		     bool whole)
{
	unsigned int n;

	for (n = 0; n < pairs(m); n++) {
		uint64_t a = acvr(m, 2 * n), b = acvr(m, 2 * n + 1);

		if (!(range >> n & 1) || !comparator_on(m, 2 * n))
			continue;
		if (whole ? a <= lo && hi <= b : a <= hi && lo <= b)
			return true;
	}
	return false;
}

/* ETE-R_SKZHH, R_RNPWD */
static bool included(const struct v9_model *m, uint64_t lo, uint64_t hi)
{
	uint64_t ctl = m->cfg.ete_minimal ? 0 : m->seen[V9_R_TRCVIIECTLR];
	unsigned int include = V9_GET(V9_TRCVIIECTLR_INCLUDE, ctl);
	unsigned int exclude = V9_GET(V9_TRCVIIECTLR_EXCLUDE, ctl);

	if (include && !overlaps(m, include, lo, hi, false))
		return false;
	return !exclude || !overlaps(m, exclude, lo, hi, true);
}

/* ETE-R_GQFSB */
bool v9_ete_view(struct v9_model *m, uint64_t lo, uint64_t hi, bool resource)
{
	uint64_t ctl = m->seen[V9_R_TRCVICTLR];
	bool active;

	if (!m->ete.depth || m->ete.resolve)
		m->ete.ss_resolved = m->ete.ss;
	active = start_stop(m, lo, hi);

	return active && resource && included(m, lo, hi) &&
	       !is_excluded(V9_GET(V9_TRCVICTLR_EXLEVEL_S, ctl),
			    V9_GET(V9_TRCVICTLR_EXLEVEL_NS, ctl),
			    V9_GET(V9_TRCVICTLR_EXLEVEL_RL, ctl), &m->ete.here);
}

/* ETE-R_DSFJZ, R_WXRDY */
unsigned int v9_ete_q_permitted(const struct v9_model *m, uint64_t lo, unsigned int n)
{
	const uint64_t ctl = m->cfg.q_filter ? m->seen[V9_R_TRCQCTLR] : 0;
	const unsigned int range = V9_GET(V9_TRCQCTLR_RANGE, ctl);
	unsigned int i;

	for (i = 0; i < n; i++, lo = v9_block_next(&m->ete, lo))
		if (overlaps(m, range, lo, lo, true) != !!(ctl & V9_TRCQCTLR_MODE))
			break;
	return i;
}

/* ETE-R_MHYFV, R_XSVSX */
bool v9_ete_broadcast(const struct v9_model *m, uint64_t pc)
{
	uint64_t ctl = m->cfg.ete_minimal ? 0 : m->seen[V9_R_TRCBBCTLR];
	bool in;

	if (!(m->seen[V9_R_TRCCONFIGR] & V9_TRCCONFIGR_BB))
		return false;
	in = overlaps(m, V9_GET(V9_TRCBBCTLR_RANGE, ctl), pc, pc, true);
	return ctl & V9_TRCBBCTLR_MODE ? in : !in;
}
