// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Resources of the trace unit: inputs, selectors, counters, sequencer, single-shot controls,
 * events. Each instruction takes one cycle. Resources do not run in a prohibited region, where
 * they are Paused.
 */
#include "private.h"

/**
 * struct inputs - inputs of the selectors in one cycle
 * @cancelled: the instruction that the comparators match is on a wrong path
 */
struct inputs {
	struct v9_ete_matches cmp;
	uint8_t extin, pe, cid, vmid;
	bool cancelled;
};

/* ETE-R_WZVDQ: one selector */
static bool selector(const struct v9_model *m, unsigned int n, const struct inputs *in)
{
	const struct v9_ete_model *e = &m->ete;
	uint64_t ctl, select, members;

	if (n < 2)
		return n;	/* ETE-R_QDJVV */
	ctl = m->seen[V9_R_TRCRSCTLR2 + n - 2];
	select = V9_GET(V9_TRCRSCTLRn_SELECT, ctl);
	switch (V9_GET(V9_TRCRSCTLRn_GROUP, ctl)) {
	case V9_TRCRSCTLRn_GROUP_EXTIN:
		members = in->extin;
		break;
	case V9_TRCRSCTLRn_GROUP_PE:
		members = in->pe;
		break;
	case V9_TRCRSCTLRn_GROUP_COUNTER_SEQUENCER:
		members = e->at_zero | e->seq_active << 4;
		break;
	case V9_TRCRSCTLRn_GROUP_SSCC:
		members = e->sscc_fire;
		break;
	case V9_TRCRSCTLRn_GROUP_SAC:
		members = in->cmp.sac;
		break;
	case V9_TRCRSCTLRn_GROUP_ARC:
		members = in->cmp.arc;
		break;
	case V9_TRCRSCTLRn_GROUP_CID:
		members = in->cid;
		break;
	case V9_TRCRSCTLRn_GROUP_VMID:
		members = in->vmid;
		break;
	default:
		members = 0;
	}
	return !!(select & members) ^ !!(ctl & V9_TRCRSCTLRn_INV);
}

/* An event field: bit 7 selects a pair (ETE-R_KTNJM), otherwise one selector */
static bool event(const struct v9_model *m, unsigned int field, const struct inputs *in)
{
	unsigned int last = m->cfg.ete_bare ? 1 : m->cfg.ete_minimal ? 3 : 15, n = field & 0x1f;
	bool inv;

	if (!(field & 0x80))
		return n <= last && selector(m, n, in);
	n = (field & 0xf) * 2;
	if (n > last)
		return false;
	inv = n && (m->seen[V9_R_TRCRSCTLR2 + n - 2] & V9_TRCRSCTLRn_PAIRINV);
	return (selector(m, n, in) && selector(m, n + 1, in)) ^ inv;
}

static bool is_constant(unsigned int field)
{
	return (field & 0x80) ? !(field & 0xf) : (field & 0x1f) < 2;
}

static unsigned int counters(const struct v9_model *m)
{
	return m->cfg.ete_bare ? 0 : m->cfg.ete_minimal ? 1 : 2;
}

/* Cycles are needed only if an event is not a constant or there is something to count. */
void v9_ete_res_plan(struct v9_model *m)
{
	struct v9_ete_model *e = &m->ete;
	uint64_t ctl0 = m->cfg.ete_bare ? 0 : m->seen[V9_R_TRCEVENTCTL0R];
	unsigned int i;

	e->res = !is_constant(m->seen[V9_R_TRCVICTLR] & 0xff) ||
		 (m->seen[V9_R_TRCTSCTLR] & 0x9f) || e->extin || e->pe || e->sscc_pending ||
		 e->events;
	for (i = 0; i < V9_ETE_EVENTS; i++)
		e->res |= (ctl0 >> 8 * i & 0x9f) != 0;
	for (i = 0; i < counters(m); i++)
		e->res |= (m->seen[V9_R_TRCCNTCTLR0 + i] & 0x9f9f) != 0;
	for (i = 0; i < 3 && !m->cfg.ete_minimal; i++)
		e->res |= (m->seen[V9_R_TRCSEQEVR0 + i] & 0x9f9f) != 0;
	e->res |= !m->cfg.ete_minimal && (m->seen[V9_R_TRCSEQRSTEVR] & 0x9f);
	e->res |= !m->cfg.ete_minimal &&
		  (m->seen[V9_R_TRCSSCCR0] & (V9_TRCSSCCRn_SAC | V9_TRCSSCCRn_ARC));
}

/* ETE-R_SBQPN, R_YLYPH, R_KXLKC, R_WPWQD */
static void run_counters(struct v9_model *m, const struct inputs *in)
{
	struct v9_ete_model *e = &m->ete;
	bool reloaded = false;
	uint8_t zero = 0;
	unsigned int i;

	for (i = 0; i < counters(m); i++) {
		uint64_t ctl = m->seen[V9_R_TRCCNTCTLR0 + i];
		uint16_t reload = m->seen[V9_R_TRCCNTRLDVR0 + i];
		bool down = event(m, ctl & 0xff, in);
		bool load = event(m, ctl >> 8 & 0xff, in);

		if ((i & 1) && (ctl & V9_TRCCNTCTLRn_CNTCHAIN))
			down |= reloaded;
		reloaded = false;
		if (!e->cnt[i] && (!(ctl & V9_TRCCNTCTLRn_RLDSELF) || (down && !load)))
			zero |= 1u << i;
		if (load || (down && !e->cnt[i] && (ctl & V9_TRCCNTCTLRn_RLDSELF))) {
			e->cnt[i] = reload;
			reloaded = true;
		} else if (down && e->cnt[i]) {
			e->cnt[i]--;
		}
	}
	e->at_zero = zero;
}

/* ETE-R_QYNJH, R_NPVRQ, R_HQHFT */
static void run_sequencer(struct v9_model *m, const struct inputs *in)
{
	struct v9_ete_model *e = &m->ete;
	uint8_t active = 1u << e->seq;
	bool up[3], down[3], moved = false;
	unsigned int i;

	if (m->cfg.ete_minimal)
		return;
	for (i = 0; i < 3; i++) {
		up[i] = event(m, m->seen[V9_R_TRCSEQEVR0 + i] & 0xff, in);
		down[i] = event(m, m->seen[V9_R_TRCSEQEVR0 + i] >> 8 & 0xff, in);
	}
	if (event(m, m->seen[V9_R_TRCSEQRSTEVR] & 0xff, in)) {
		e->seq = 0;
		e->seq_active = 1;
		return;
	}
	while (e->seq < 3 && up[e->seq]) {
		active |= 1u << ++e->seq;
		moved = true;
	}
	while (!moved && e->seq > 0 && down[e->seq - 1] && !up[e->seq - 1])
		active |= 1u << --e->seq;
	e->seq_active = active;
}

/* ETE-R_XVVYX, R_SWNFV, I_VNBPG: what was cancelled does not fire. */
static void run_single_shot(struct v9_model *m, const struct inputs *in)
{
	struct v9_ete_model *e = &m->ete;
	uint64_t ctl = m->seen[V9_R_TRCSSCCR0];
	bool match, again = ctl & V9_TRCSSCCRn_RST;

	e->sscc_fire = 0;
	if (m->cfg.ete_minimal)
		return;
	match = (!in->cancelled && ((V9_GET(V9_TRCSSCCRn_SAC, ctl) & in->cmp.sac) ||
				    (V9_GET(V9_TRCSSCCRn_ARC, ctl) & in->cmp.arc))) ||
		e->sscc_pending ||
		(m->cfg.shot_inputs && (m->seen[V9_R_TRCSSPCICR0] & in->pe));
	e->sscc_pending = false;
	if (match && e->tx) {
		e->tx_shot = true;		/* ETE-R_SDDWY */
	} else if (match && e->pausing) {
		e->sscc_pending |= again || !e->sscc_status;	/* ETE-R_GBDCK */
	} else if (match && (again || !e->sscc_status)) {
		e->sscc_fire = 1;
		e->sscc_status = true;
	}
}

/* ETE-R_KKLYB, I_YRQCN */
static void run_events(struct v9_model *m, const struct inputs *in)
{
	struct v9_ete_model *e = &m->ete;
	uint64_t ctl = m->cfg.ete_bare ? 0 : m->seen[V9_R_TRCEVENTCTL0R];
	unsigned int i, n = m->cfg.ete_minimal ? 1 : V9_ETE_EVENTS, active = e->events;

	e->events = 0;		/* ETE-R_SWBRL */
	if (!ctl && !active)
		return;
	for (i = 0; i < n; i++)
		if (event(m, ctl >> 8 * i & 0xff, in))
			active |= 1u << i;
	if (e->pausing) {
		e->events = active;	/* ETE-R_GYWLS */
		return;
	}
	for (i = 0; i < n; i++)
		m->trace.extout[i] += active >> i & 1;
	if (active & V9_GET(V9_TRCEVENTCTL1R_INSTEN, m->seen[V9_R_TRCEVENTCTL1R]))
		v9_ete_put_events(m, active & V9_GET(V9_TRCEVENTCTL1R_INSTEN,
						     m->seen[V9_R_TRCEVENTCTL1R]));
	if (active & 1)
		v9_trbe_trigger(m);
}

/* PMU event numbers */
#define SW_INCR		0x0000
#define INST_RETIRED	0x0008
#define CPU_CYCLES	0x0011
#define TRB_WRAP	0x400c
#define PMU_OVFS	0x400d
#define TRB_TRIG	0x400e
#define PMU_HOVFS	0x400f
#define CTI_TRIGOUT4	0x4018

/* ETE-R_RFWZB, R_VBCBZ, R_KRSMY: events that reach the unit while tracing is prohibited */
static bool is_exported(const struct v9_model *m, unsigned int number)
{
	switch (number) {
	case TRB_WRAP:
	case PMU_OVFS:
	case TRB_TRIG:
		return true;
	case PMU_HOVFS:
		return m->seen[V9_R_TRFCR_EL2] & V9_TRFCR_EL2_E2TRE;
	default:
		return number - CTI_TRIGOUT4 < 4;
	}
}

/* ETE-R_KCXLF: an input stays active until resources run. ETE-R_KVFVS: not in WFE or WFI. */
void v9_ete_res_input(struct v9_model *m, unsigned int number)
{
	unsigned int i;

	if (!m->cfg.ete || m->cfg.ete_minimal || !m->ete.enabled || m->ete.asleep)
		return;
	for (i = 0; i < 4; i++)
		if (m->seen[V9_R_TRCEXTINSELR0 + i] == number) {
			m->ete.extin |= 1u << i;
			m->ete.res = true;
		}
}

void v9_trace_input(struct v9_model *m, unsigned int number)
{
	struct v9_pe_state s = v9_pe(m);

	if (is_exported(m, number) || v9_ete_allowed(m, &s))
		v9_ete_res_input(m, number);
}

/* ETE-R_BDWHM: inactive where tracing is prohibited */
void v9_trace_pe_inputs(struct v9_model *m, uint8_t inputs)
{
	struct v9_pe_state s = v9_pe(m);

	if (!m->ete.enabled || m->ete.asleep || !v9_ete_allowed(m, &s))
		return;
	m->ete.pe |= inputs & ((1u << m->cfg.pe_inputs) - 1);
	m->ete.res |= m->ete.pe;
}

/* ETE-R_XGMPN, R_BXPZK */
void v9_trace_swinc(struct v9_model *m, uint32_t counters)
{
	struct v9_pe_state s = v9_pe(m);

	if (s.r.el < 2 && v9_route_el2_enabled(&s.r, v9_route_ss(&s.r)))
		counters &= (UINT64_C(1) << V9_GET(V9_MDCR_EL2_HPMN, s.r.mdcr_el2)) - 1;
	if (counters)
		v9_trace_input(m, SW_INCR);
}

/* External inputs that are active in every cycle: this PE retires an instruction in each cycle. */
static unsigned int steady_inputs(const struct v9_model *m)
{
	unsigned int i, active = 0;

	for (i = 0; i < 4 && !m->cfg.ete_minimal; i++) {
		uint64_t number = m->seen[V9_R_TRCEXTINSELR0 + i];

		if (number == INST_RETIRED || number == CPU_CYCLES)
			active |= 1u << i;
	}
	return active;
}

static void run_cycle(struct v9_model *m, const struct inputs *in)
{
	run_counters(m, in);
	run_sequencer(m, in);
	run_single_shot(m, in);
	run_events(m, in);
	if (event(m, m->seen[V9_R_TRCTSCTLR] & 0xff, in))
		m->ete.ts_event = true;
}

bool v9_ete_res_run(struct v9_model *m, uint64_t lo, uint64_t end)
{
	struct v9_ete_model *e = &m->ete;
	unsigned int field = m->seen[V9_R_TRCVICTLR] & 0xff;
	struct inputs in = { .cancelled = false };
	bool view = false, pausing;
	unsigned int steady;
	uint64_t next;

	e->pe_latched = e->pe;
	if (!e->res)
		return event(m, field, &in);
	in.cid = v9_ete_match_cid(m);
	in.vmid = v9_ete_match_vmid(m);
	steady = steady_inputs(m);
	pausing = e->pausing;
	for (; lo < end; lo = next) {
		next = v9_block_next(e, lo);
		e->pausing = pausing && next >= end;
		in.cmp = v9_ete_match(m, lo);
		in.extin = e->extin | steady;
		e->extin = 0;
		in.pe = e->pe;
		e->pe = 0;
		run_cycle(m, &in);
		view |= event(m, field, &in);
	}
	return view;
}

void v9_ete_res_cancelled(struct v9_model *m, uint64_t pc, bool ids)
{
	struct inputs in = { .cancelled = true };

	if (!m->ete.res)
		return;
	in.cmp = v9_ete_match(m, pc);
	in.extin = steady_inputs(m);
	in.cid = ids || v9_ete_match_cid(m);
	in.vmid = ids || v9_ete_match_vmid(m);
	run_cycle(m, &in);
}
