// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Output: elements to packets to bytes. Atoms are collected until no packet can hold one more. An
 * element that must follow them outputs them first.
 */
#include "private.h"

void v9_ete_out_reset(struct v9_model *m, bool rme)
{
	struct v9_ete_model *e = &m->ete;
	struct v9_ete_config c;

	v9_ete_config_init(&c, v9_ete_id(m, V9_R_TRCIDR0, NULL), m->cfg.maxspec, rme);
	v9_ete_pktenc_init(&e->enc, &c);
	e->depth = e->new_p0 = e->merged = e->merges = 0;
	e->resolve = e->committed = false;
	e->natoms = 0;
	e->atoms = 0;
	e->rs_n = 0;
	e->q = e->held = 0;
	e->q_open = e->q_synchronizes = false;
}

void v9_ete_put(struct v9_model *m, const struct v9_ete_pkt *says)
{
	struct v9_ete_model *e = &m->ete;
	struct v9_ete_pkt p = *says;
	uint8_t bytes[V9_ETE_PKT_MAX];
	int n;

	v9_form_choose(m, &p);
	n = v9_ete_pkt_encode(&e->enc, bytes, sizeof(bytes), &p);
	if (n < 0) {
		v9_violate(m, "ETE-R_BVTNX", NULL, p.kind, "the model made what no packet says");
		return;
	}
	m->trace.bytes += n;
	m->trace.packets[p.kind]++;
	e->synced += n;
	if (e->lost || !v9_trbe_accept(m, bytes, n)) {
		/* ETE-R_LDDLP: packets are output completely or not at all */
		m->trace.lost += n;
		m->trace.overflows += !e->lost && !e->lost_events && !e->lost_tx &&
				      p.kind != V9_ETE_OVERFLOW;
		e->lost = true;
		e->lost_tx |= e->tx_traced;
		e->tx_traced = false;
	}
}

/*
 * ETE-R_SCLVV, R_YSPHL: returns true if the PE stalls until the rejected packet is accepted. The
 * higher LEVEL, the earlier stalling begins, and the fewer rejections occur before it.
 */
bool v9_ete_stalls(struct v9_model *m)
{
	uint64_t ctl = m->seen[V9_R_TRCSTALLCTLR];

	if (!m->cfg.ete_stall || !(ctl & V9_TRCSTALLCTLR_ISTALL) || !m->ete.enabled ||
	    !m->ete.allowed)
		return false;
	if (!(ctl & V9_TRCSTALLCTLR_NOOVERFLOW) &&
	    v9_random(m) % 16 >= V9_GET(V9_TRCSTALLCTLR_LEVEL, ctl))
		return false;
	m->trace.stalls++;
	return true;
}

void v9_ete_atoms_flush(struct v9_model *m)
{
	struct v9_ete_model *e = &m->ete;

	if (e->natoms)
		v9_ete_put(m, &(struct v9_ete_pkt){ .kind = V9_ETE_ATOMS, .atoms = e->atoms,
						    .natoms = e->natoms });
	e->natoms = 0;
	e->atoms = 0;
}

static bool has(const struct v9_model *m, uint64_t field)
{
	return m->seen[V9_R_TRCCONFIGR] & field;
}

static void put_kind(struct v9_model *m, enum v9_ete_kind kind)
{
	v9_ete_atoms_flush(m);
	v9_ete_put(m, &(struct v9_ete_pkt){ .kind = kind });
}

/* The clock that TRFCR_ELx.TS selects. It does not depend on whether EL2 is enabled. */
static enum v9_clock clock_of(const struct v9_model *m)
{
	unsigned int ts = V9_GET(V9_TRFCR_EL2_TS, m->seen[V9_R_TRFCR_EL2]);

	if (!ts || !m->ete.here.r.has_el2)
		ts = V9_GET(V9_TRFCR_EL1_TS, m->seen[V9_R_TRFCR_EL1]);
	return ts == V9_TRFCR_EL1_TS_PHYSICAL ? V9_CLOCK_PHYSICAL :
	       ts == V9_TRFCR_EL1_TS_GUEST_PHYSICAL ? V9_CLOCK_GUEST_PHYSICAL : V9_CLOCK_VIRTUAL;
}

#define CYCLES_MAX 0xfffff	/* TRCIDR2.CCSIZE */

static struct v9_ete_stamp stamp_of(struct v9_model *m)
{
	return (struct v9_ete_stamp){
		.time = v9_clock_step(m->bus.count(m->ctx, clock_of(m)) + m->cfg.ts_offset, m->cfg.clock_step),
		.cycles = m->ete.cycles, .known = m->ete.cycles_known,
	};
}

/* An element was generated to which a Timestamp element may belong (ETE-R_DGTJZ, R_MCSGX). */
static void stamp(struct v9_model *m)
{
	m->ete.p0_seen = true;
	if (m->cfg.late && has(m, V9_TRCCONFIGR_TS))
		m->ete.last_stamp = stamp_of(m);
}

/* Marks the last element, whose stamp is @at (ETE-R_SZRHP). */
static void mark(struct v9_model *m, struct v9_ete_stamp at)
{
	put_kind(m, V9_ETE_MARKER);
	m->ete.marked = true;
	m->ete.marked_stamp = at;
}

static bool can_stamp(const struct v9_model *m)
{
	return has(m, V9_TRCCONFIGR_TS) && m->ete.p0_seen && !m->ete.lost;
}

void v9_ete_timestamp(struct v9_model *m)
{
	struct v9_ete_model *e = &m->ete;
	struct v9_ete_pkt p = { .kind = V9_ETE_TIMESTAMP };
	struct v9_ete_stamp at;

	if (!can_stamp(m))
		return;
	at = e->marked ? e->marked_stamp : m->cfg.late ? e->last_stamp : stamp_of(m);
	if (m->cfg.tsmark && !e->marked)
		mark(m, at);		/* ETE-R_LWZXK */
	v9_ete_atoms_flush(m);
	p.timestamp = at.time;
	if (has(m, V9_TRCCONFIGR_CCI) && at.known && at.cycles <= CYCLES_MAX) {
		p.count = at.cycles;	/* ETE-R_ZMQLT */
		p.has |= V9_ETE_HAS_COUNT;
	}
	v9_ete_put(m, &p);
	e->ts_asked = e->ts_event = e->ts_held = e->marked = false;
	e->ts_since = 0;
	e->ts_past = 0;
}

/*
 * A Timestamp element is due. The unit may let this opportunity pass (ETE-R_DWCYP). The marker may come before
 * the element, and another one replaces it (R_VWJVC).
 */
static void serve_timestamp(struct v9_model *m)
{
	struct v9_ete_model *e = &m->ete;
	const unsigned int late = m->cfg.late;

	if (!late || (late > 1 && v9_random(m) % late == 0)) {
		v9_ete_timestamp(m);
	} else if (can_stamp(m)) {
		e->ts_held = true;
		if (m->cfg.tsmark && (late == 1 ? !e->marked : v9_random(m) % 4 == 0))
			mark(m, e->last_stamp);
	}
}

/* A P0 element was generated. Beyond MAXSPEC the oldest one is committed (ETE-R_YKLRM). */
static void count_p0(struct v9_model *m)
{
	struct v9_ete_model *e = &m->ete;

	e->committed |= e->depth == m->cfg.maxspec;
	e->merged -= e->merged && e->depth == m->cfg.maxspec;
	e->depth += e->depth < m->cfg.maxspec;
	e->new_p0++;
	stamp(m);
	m->trace.p0++;
}

/* ETE-I_QMVNP */
void v9_ete_atom(struct v9_model *m, bool taken)
{
	struct v9_ete_model *e = &m->ete;
	uint32_t atoms = e->atoms | (uint32_t)taken << e->natoms;

	if (e->natoms == V9_ETE_ATOMS_MAX || v9_ete_atoms_header(atoms, e->natoms + 1) < 0 ||
	    v9_form_split(m)) {
		v9_ete_atoms_flush(m);
		atoms = taken;
	}
	e->atoms = atoms;
	e->natoms++;
	count_p0(m);
}

/* ETE-R_QZRMQ, R_VMPYW, R_BTWGD */
static void put_sync(struct v9_model *m)
{
	struct v9_ete_model *e = &m->ete;
	bool cci = has(m, V9_TRCCONFIGR_CCI);
	struct v9_ete_pkt p = {
		.kind = V9_ETE_INFO, .cycle_counting = cci,
		.threshold = cci ? V9_GET(V9_TRCCCCTLR_THRESHOLD, m->seen[V9_R_TRCCCCTLR]) : 0,
		.spec = e->depth, .transaction = e->tx_traced,	/* ETE-R_WJJNK */
	};

	put_kind(m, V9_ETE_ASYNC);
	e->synced = V9_ETE_ASYNC_SIZE;
	v9_ete_put(m, &p);
	m->trace.syncs++;
	e->new_p0 = 0;
	e->need_sync = false;
	e->need_ctx = e->need_addr = true;	/* ETE-R_KKQGK, R_SVGNN */
	e->rs_n = 0;		/* ETE-R_SBZJB */
	e->ts_asked = true;	/* ETE-R_YYWTR */
}

/*
 * An Exception packet (ETE-I_DLKJR). @target_first: the target of the last P0 element was not traced, and is UNKNOWN
 * (I_FBFDB).
 */
static void put_tx_failure(struct v9_model *m, bool target_first)
{
	v9_ete_put(m, &(struct v9_ete_pkt){ .kind = V9_ETE_EXCEPTION, .type = V9_ETE_EXC_TX_FAILURE,
					    .target_first = target_first });
}

void v9_ete_tx_unresolved(struct v9_model *m)
{
	m->ete.tx_traced = false;
	m->ete.need_tx = m->ete.tx;
}

/* Output restarts after an overflow (ETE-R_HRYKY, R_DQBDH). */
void v9_ete_recover(struct v9_model *m)
{
	struct v9_ete_model *e = &m->ete;

	if (!e->lost)
		return;
	e->lost = false;
	e->natoms = 0;
	if (e->lost_events)	/* ETE-R_SHYMY */
		v9_ete_put(m, &(struct v9_ete_pkt){ .kind = V9_ETE_EVENT,
						    .events = e->lost_events });
	if (e->lost_tx) {	/* ETE-R_YTKLN. The packet of the target may be among those that were lost. */
		put_tx_failure(m, true);
		e->lost_tx = e->lost;
	}
	put_kind(m, V9_ETE_OVERFLOW);
	if (!e->lost)
		e->lost_events = 0;
	e->depth = 0;		/* ETE-R_CTYFK: the packet has a Discard element, too */
	e->merged = e->merges = 0;
	e->marked = false;	/* ETE-R_JNWJY */
	e->resolve = e->committed = false;
	v9_ete_tx_unresolved(m);	/* ETE-R_CRPJZ */
	e->need_sync = e->need_on = true;
	e->p0_seen = false;
	e->cycles_known = false;	/* ETE-R_YFMWB */
}

static void put_context(struct v9_model *m)
{
	v9_ete_atoms_flush(m);
	v9_ete_put(m, &(struct v9_ete_pkt){ .kind = V9_ETE_CONTEXT, .ctx = m->ete.ctx,
					    .has = V9_ETE_HAS_CTX });
}

void v9_ete_put_address(struct v9_model *m, struct v9_ete_address to, bool context)
{
	const bool split = context && v9_form_split(m);

	v9_ete_atoms_flush(m);
	v9_ete_put(m, &(struct v9_ete_pkt){
		.kind = V9_ETE_ADDRESS, .addr = to.addr, .isa = to.isa, .ctx = m->ete.ctx,
		.has = V9_ETE_HAS_ADDR | (context && !split ? V9_ETE_HAS_CTX : 0) });
	if (split)
		put_context(m);
}

static void put_p0(struct v9_model *m, const struct v9_ete_pkt *p)
{
	v9_ete_atoms_flush(m);
	v9_ete_put(m, p);
	count_p0(m);
}

static void put_tx_start(struct v9_model *m)
{
	struct v9_ete_model *e = &m->ete;

	e->need_tx = false;
	e->tx_traced = !e->lost;	/* ETE-R_PQGXB: in overflow no element is generated */
	if (m->cfg.commtrans)
		put_kind(m, V9_ETE_TX_START);
	else
		put_p0(m, &(struct v9_ete_pkt){ .kind = V9_ETE_TX_START });	/* ETE-R_PRNZH */
}

/* Returns true if one packet can hold @p: a Q element with a count and an address. */
static bool fits(const struct v9_model *m, const struct v9_ete_pkt *p)
{
	struct v9_ete_pktenc enc = m->ete.enc;
	uint8_t bytes[V9_ETE_PKT_MAX];

	return v9_ete_pkt_encode(&enc, bytes, sizeof(bytes), p) > 0;
}

/* ETE-R_WHLPS */
static void put_q(struct v9_model *m)
{
	struct v9_ete_model *e = &m->ete;
	const struct v9_ete_address to = v9_ete_at(e, e->cur);
	struct v9_ete_pkt p = { .kind = V9_ETE_Q, .addr = to.addr, .isa = to.isa, .count = e->q,
				.has = V9_ETE_HAS_COUNT | V9_ETE_HAS_ADDR };
	const bool known = !(e->q_open && e->needs_block);

	if (!e->q)
		return;
	if (!e->q_counted) {
		p.count = 0;
		p.has = 0;
	} else if (!known || e->q_alone || !fits(m, &p)) {
		p.has = V9_ETE_HAS_COUNT;
	}
	e->q = 0;
	e->q_open = false;
	put_p0(m, &p);
	if (known && e->q_alone && e->need_ctx) {	/* ETE-I_BTNZC */
		put_context(m);
		e->need_ctx = false;
	}
	if (!known)
		e->need_addr = true;
	else if (!(p.has & V9_ETE_HAS_ADDR))
		v9_ete_put_address(m, to, false);
	v9_ete_after_p0(m);
	e->resolve |= e->q_synchronizes;	/* ETE-R_QHQLY */
	e->q_synchronizes = false;
}

void v9_ete_put_held(struct v9_model *m)
{
	for (; m->ete.held; m->ete.held--) {
		v9_ete_atom(m, false);
		v9_ete_after_p0(m);
	}
	put_q(m);
}

/* Pops the return stack if its top is the target of the indirect branch (ETE-R_QHSBN). */
static bool returns(struct v9_ete_model *e)
{
	const struct v9_ete_address to = v9_ete_at(e, e->cur), *top;

	if (!e->rs_ok || !e->rs_n)
		return false;
	top = &e->rs[e->rs_n - 1];
	if (top->addr != to.addr || top->isa != to.isa)
		return false;
	e->rs_n--;
	return true;
}

/* ETE-R_QHHSY: bytes of Event packets are counted, too */
bool v9_ete_sync_due(const struct v9_model *m)
{
	uint64_t period = V9_GET(V9_TRCSYNCPR_PERIOD, m->seen[V9_R_TRCSYNCPR]);

	return m->ete.need_sync || (period && m->ete.synced >= V9_BIT(period < 8 ? 8 : period));
}

bool v9_ete_synchronize(struct v9_model *m)
{
	bool due = v9_ete_sync_due(m);

	if (due)
		put_sync(m);
	return due;
}

void v9_ete_put_trace_on(struct v9_model *m)
{
	struct v9_ete_model *e = &m->ete;

	put_kind(m, V9_ETE_TRACE_ON);
	m->trace.on++;
	e->need_addr = true;	/* ETE-R_KMFKP */
	e->rs_n = 0;
}

/* ETE-R_QHQLY: nothing is traced behind an unresolved context synchronization event. */
static void resolve(struct v9_model *m)
{
	if (m->ete.resolve)
		v9_ete_commit(m, m->ete.depth);
}

void v9_ete_prefix(struct v9_model *m)
{
	struct v9_ete_model *e = &m->ete;

	v9_ete_put_held(m);
	v9_ete_recover(m);
	resolve(m);
	if (e->ts_held)
		serve_timestamp(m);
	v9_ete_synchronize(m);
	if (e->need_on) {
		v9_ete_put_trace_on(m);
		v9_ete_log_flush(m);
		if (m->bus.pclog)
			m->bus.pclog(m->ctx, 0, 0, V9_LIST_A64);
		e->need_on = false;
	}
	if (e->need_tx)
		put_tx_start(m);	/* ETE-R_DGRTZ, R_RKGLY */
	if (e->need_addr && returns(e))
		e->need_addr = false;
	if (e->need_addr)
		v9_ete_put_address(m, v9_ete_at(e, e->cur), e->need_ctx);
	else if (e->need_ctx)
		put_context(m);
	e->need_addr = e->need_ctx = e->rs_ok = false;
	if (e->ts_held)
		serve_timestamp(m);
}

void v9_ete_put_source(struct v9_model *m, uint64_t addr)
{
	put_p0(m, &(struct v9_ete_pkt){ .kind = V9_ETE_SOURCE, .addr = addr, .has = V9_ETE_HAS_ADDR,
					.isa = v9_ete_at(&m->ete, addr).isa });
}

void v9_ete_put_fault(struct v9_model *m, uint64_t ret)
{
	put_p0(m, &(struct v9_ete_pkt){ .kind = V9_ETE_EXCEPTION, .type = V9_ETE_EXC_DATA_FAULT,
					.addr = ret, .has = V9_ETE_HAS_ADDR,
					.isa = v9_ete_at(&m->ete, ret).isa });
}

/* ETE-I_PCMYT, R_XGXKK. @moved: instructions were executed since the last P0 element */
void v9_ete_put_exception(struct v9_model *m, unsigned int type, uint64_t ret, bool moved)
{
	struct v9_ete_model *e = &m->ete;
	struct v9_ete_pkt p = {
		.kind = V9_ETE_EXCEPTION, .type = type, .addr = ret, .has = V9_ETE_HAS_ADDR,
		.isa = v9_ete_at(e, ret).isa,
	};

	v9_ete_put_held(m);
	resolve(m);
	if (e->need_tx && !e->need_on && !e->need_sync && !e->lost)
		put_tx_start(m);
	if (!moved && e->need_addr && !e->need_on && !e->need_sync && !e->lost && !returns(e)) {
		p.target_first = true;
		if (e->need_ctx) {
			p.has |= V9_ETE_HAS_CTX;
			p.ctx = e->ctx;
		}
		e->need_addr = e->need_ctx = e->rs_ok = false;
	} else {
		if (!moved && e->need_addr && !e->need_on && !e->need_sync && !e->lost)
			e->need_addr = false;	/* the target was on the return stack */
		v9_ete_prefix(m);
	}
	put_p0(m, &p);
}

void v9_ete_put_tx_commit(struct v9_model *m)
{
	if (!m->ete.tx_traced)
		return;
	v9_ete_put_held(m);
	m->ete.tx_traced = false;
	put_kind(m, V9_ETE_TX_COMMIT);
}

void v9_ete_put_tx_failure(struct v9_model *m)
{
	struct v9_ete_model *e = &m->ete;

	if (!e->tx_traced)
		return;
	v9_ete_put_held(m);
	v9_ete_atoms_flush(m);
	put_tx_failure(m, e->need_addr);
	e->tx_traced = false;
	e->need_addr = true;
}

/* The address is UNKNOWN, and the packet implies no executed instructions (ETE-R_NRJGC). */
void v9_ete_put_reset(struct v9_model *m)
{
	v9_ete_prefix(m);
	put_p0(m, &(struct v9_ete_pkt){ .kind = V9_ETE_EXCEPTION, .type = V9_ETE_EXC_RESET });
}

/* ETE-R_SPYTT: Events precede the P0 element that ends the block */
void v9_ete_put_events(struct v9_model *m, unsigned int events)
{
	struct v9_ete_model *e = &m->ete;

	if (e->lost) {
		e->lost_events |= events;
		return;
	}
	v9_ete_put_held(m);
	v9_ete_atoms_flush(m);
	v9_ete_synchronize(m);
	v9_ete_put(m, &(struct v9_ete_pkt){ .kind = V9_ETE_EVENT, .events = events });
	stamp(m);
}

/* ETE-R_BWHCS: in program order, independent of ViewInst, and not a P0 element */
void v9_ete_put_instrumentation(struct v9_model *m, unsigned int el, uint64_t value)
{
	v9_ete_put_held(m);
	v9_ete_recover(m);
	v9_ete_atoms_flush(m);
	v9_ete_synchronize(m);
	v9_ete_put(m, &(struct v9_ete_pkt){ .kind = V9_ETE_INSTRUMENTATION, .value = value,
					    .ctx.el = el });
	stamp(m);
}

/* Returns true if a Commit element has a Cycle Count element now, unless the unit puts that off. */
static bool counts(const struct v9_model *m)
{
	const struct v9_ete_model *e = &m->ete;

	return has(m, V9_TRCCONFIGR_CCI) &&
	       !(e->cycles_known && e->cycles < V9_GET(V9_TRCCCCTLR_THRESHOLD, m->seen[V9_R_TRCCCCTLR]));
}

/*
 * ETE-R_GWQGS: a Commit element was generated. @commit: P0 elements that it commits, if the packet
 * has to say so. Returns false if there is no packet.
 */
static bool cycle_count(struct v9_model *m, uint32_t commit)
{
	struct v9_ete_model *e = &m->ete;
	struct v9_ete_pkt p = { .kind = V9_ETE_CYCLES, .commit = commit };

	e->committed = false;
	if (!counts(m))
		return false;
	/* ETE-R_GDTBW: the next Commit element has it. */
	if (m->cfg.late > 1 && v9_random(m) % m->cfg.late == 0)
		return false;
	if (e->cycles_known && e->cycles && e->cycles <= CYCLES_MAX) {
		p.count = e->cycles;
		p.has = V9_ETE_HAS_COUNT;
	}
	v9_ete_atoms_flush(m);
	v9_ete_put(m, &p);
	e->cycles = 0;
	e->cycles_known = true;
	return true;
}

/* ETE-I_KHYLN: the element waits for the next one, with which it is merged. R_ZHWDD: not if it has a Cycle Count */
void v9_ete_commit_soon(struct v9_model *m, uint32_t n)
{
	struct v9_ete_model *e = &m->ete;

	if (n <= e->merged || e->merges == m->cfg.spec_merge || n >= m->cfg.maxspec || counts(m)) {
		v9_ete_commit(m, n);
		return;
	}
	e->resolve = false;
	e->merged = n;
	e->merges++;
}

/* ETE-R_PNBGQ. With COMMOPT 0 a Cycle Count packet replaces the Commit packet. */
void v9_ete_commit(struct v9_model *m, uint32_t n)
{
	struct v9_ete_model *e = &m->ete;

	e->resolve = false;
	if (n < e->merged)
		n = e->merged;
	e->merged = e->merges = 0;
	if (!n)
		return;
	e->depth -= n;
	if (!m->cfg.commopt && cycle_count(m, n))
		return;
	v9_ete_atoms_flush(m);
	v9_ete_put(m, &(struct v9_ete_pkt){ .kind = V9_ETE_COMMIT, .commit = n });
	if (m->cfg.commopt)
		cycle_count(m, 0);
}

/* ETE-R_WLTNX, R_YJCNT */
void v9_ete_cancel(struct v9_model *m, uint32_t n, bool mispredict, unsigned int natoms,
		   uint8_t name)
{
	struct v9_ete_model *e = &m->ete;
	struct v9_ete_pkt p = {
		.kind = n ? V9_ETE_CANCEL : V9_ETE_MISPREDICT, .name = name, .cancel = n,
		.mispredict = mispredict, .natoms = natoms,
		.atoms = e->atoms >> (e->natoms - natoms),
	};

	e->natoms -= natoms;
	e->atoms &= (1u << e->natoms) - 1;
	v9_ete_atoms_flush(m);
	v9_ete_put(m, &p);
	e->depth -= n;
	if (n && n >= e->new_p0)
		e->need_addr = e->need_ctx = true;	/* ETE-R_KGPTB */
	e->new_p0 -= n < e->new_p0 ? n : e->new_p0;
}

/* ETE-R_CTYFK. The position in the program is to be traced again. */
void v9_ete_discard(struct v9_model *m)
{
	struct v9_ete_model *e = &m->ete;

	v9_ete_commit(m, e->merged);
	put_kind(m, V9_ETE_DISCARD);
	e->depth = 0;
	v9_ete_tx_unresolved(m);	/* ETE-R_WXTQS */
	e->resolve = e->marked = false;
	e->need_addr = e->need_ctx = true;
	e->rs_ok = false;
}

void v9_ete_after_p0(struct v9_model *m)
{
	struct v9_ete_model *e = &m->ete;

	if (e->committed)
		cycle_count(m, 0);
	e->ts_since++;
	if (e->ts_past >= m->cfg.ts_cycles && (e->ts_asked || (e->ts_event && e->ts_since >= m->cfg.ts_gap)))
		serve_timestamp(m);
}

/* ETE-R_HFCTC */
void v9_ete_push(struct v9_model *m, uint64_t addr)
{
	struct v9_ete_model *e = &m->ete;

	if (!has(m, V9_TRCCONFIGR_RS) || !m->cfg.rs_depth)
		return;
	if (e->rs_n == m->cfg.rs_depth)
		memmove(e->rs, e->rs + 1, --e->rs_n * sizeof(e->rs[0]));
	e->rs[e->rs_n++] = v9_ete_at(e, addr);
}

void v9_ete_log_flush(struct v9_model *m)
{
	struct v9_ete_model *e = &m->ete;

	if (m->bus.pclog && e->log_start != e->log_end)
		m->bus.pclog(m->ctx, e->log_start, e->log_end, e->log_as);
	e->log_start = e->log_end = 0;
}

static void log_range(struct v9_model *m, uint64_t start, uint64_t end, enum v9_listed as)
{
	struct v9_ete_model *e = &m->ete;

	if (e->log_end != start || e->log_start == e->log_end || e->log_as != as) {
		v9_ete_log_flush(m);
		e->log_start = start;
		e->log_as = as;
	}
	e->log_end = end;
}

void v9_ete_log(struct v9_model *m, uint64_t start, uint64_t end, bool taken)
{
	const struct v9_ete_model *e = &m->ete;
	uint64_t next;

	m->trace.insns += v9_block_insns(e, start, end);
	if (e->code != V9_CODE_T32)
		log_range(m, start, end, e->code == V9_CODE_A64 ? V9_LIST_A64 : V9_LIST_A32);
	else
		for (; start < end; start = next) {
			next = v9_block_next(e, start);
			log_range(m, start, next, next - start == 4 ? V9_LIST_T32_WIDE : V9_LIST_T32);
		}
	if (taken)
		v9_ete_log_flush(m);
}
