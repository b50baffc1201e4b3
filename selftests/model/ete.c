// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The trace unit: it sees the execution of the PE as blocks that end with a P0 element. */
#include "private.h"

/* Enabling and prohibited regions */

bool v9_ete_enabled(const struct v9_model *m, bool oslk)
{
	return m->cfg.ete && (m->seen[V9_R_TRCPRGCTLR] & V9_TRCPRGCTLR_EN) && !oslk;
}

/* ETE-R_HGYLG */
static void flush(struct v9_model *m)
{
	struct v9_ete_model *e = &m->ete;

	if (!e->enabled)
		return;
	v9_ete_put_held(m);
	v9_ete_atoms_flush(m);
	v9_ete_commit(m, e->depth);	/* ETE-R_XXFBC, R_CKZMR */
	v9_ete_recover(m);		/* ETE-R_TWBVY, R_RPSPH */
	if (e->allowed || e->ts_held)
		v9_ete_timestamp(m);
	if (!e->allowed)
		e->ts_asked = true;	/* ETE-R_XMJGY */
}

static void enable(struct v9_model *m)
{
	struct v9_ete_model *e = &m->ete;

	v9_ete_check(m);
	e->enabled = true;
	e->asleep = false;
	v9_ete_load(m);
	v9_ete_out_reset(m, v9_pe(m).r.has_rme);
	v9_ete_res_plan(m);
	e->last.busy = false;
	e->need_sync = e->need_on = e->need_ctx = e->need_addr = true;
	e->lost = e->lost_tx = e->p0_seen = e->rs_ok = false;
	e->lost_events = 0;
	e->ts_asked = e->ts_event = false;
	e->ts_since = 0;
	e->ts_past = m->cfg.ts_cycles;
	e->ts_held = e->marked = false;
	e->synced = e->cycles = 0;
	e->cycles_known = false;
	e->allowed = false;
	e->needs_block = true;
	v9_tx_enabled(m);
}

/* ETE-R_ZDTLK, R_XXFBC */
static void disable(struct v9_model *m)
{
	struct v9_ete_model *e = &m->ete;

	if (m->cfg.ss_forget && e->depth)
		e->ss = e->ss_resolved;	/* ETE-R_BZSXR */
	v9_ete_put_tx_failure(m);	/* ETE-R_ZJXHP */
	flush(m);
	v9_ete_log_flush(m);
	v9_place_drop(m);
	v9_ete_store(m);
	e->enabled = false;
	e->last.busy = false;
	e->stage = m->cfg.delay == V9_DELAY_OFF ? 3 : 1;
}

static void enter_region(struct v9_model *m)
{
	struct v9_ete_model *e = &m->ete;

	if (e->left && e->cycles_known)
		e->cycles += m->bus.count(m->ctx, V9_CLOCK_PHYSICAL) - e->left;	/* ETE-R_SZRZR */
	e->allowed = true;
	e->need_on = true;		/* ETE-R_RXMJF */
	e->needs_block = true;
}

/* Instructions not yet followed by a P0 element are not traced (ETE-R_FFVYM). */
static void leave_region(struct v9_model *m)
{
	struct v9_ete_model *e = &m->ete;

	v9_ete_put_held(m);
	v9_ete_put_tx_failure(m);	/* ETE-R_XQSPC */
	v9_ete_tx_unresolved(m);
	e->left = e->cycles_known ? m->bus.count(m->ctx, V9_CLOCK_PHYSICAL) : 0;
	e->allowed = false;
	e->needs_block = true;
	v9_place_drop(m);
}

static void commit(struct v9_model *m);

void v9_ete_mark(struct v9_model *m, const struct v9_pe_state *s)
{
	struct v9_ete_model *e = &m->ete;
	bool on = v9_ete_enabled(m, s->oslk);
	bool allowed = v9_ete_allowed(m, s);

	m->trbe.aarch32 = v9_trbe_owner(&s->r).el == 2 ? !s->r.el2_a64 : !s->r.el1_a64;
	/* ETE-R_RDCGC: events in transition when execution enters a prohibited region */
	e->pausing = on && e->allowed && !allowed && v9_later(m);
	if (on != e->enabled) {
		commit(m);
		if (on)
			enable(m);
		else
			disable(m);
	}
	if (e->enabled && allowed != e->allowed) {
		commit(m);
		if (e->allowed)
			leave_region(m);
		else
			enter_region(m);
	}
	e->pausing = false;
}

/* Address and context of execution */

static struct v9_ete_context context_of(const struct v9_model *m, const struct v9_pe_state *s)
{
	uint64_t cfg = m->seen[V9_R_TRCCONFIGR];
	enum v9_ss ss = v9_route_ss(&s->r);
	bool cx = s->r.has_el2 && (m->seen[V9_R_TRFCR_EL2] & V9_TRFCR_EL2_CX);

	return (struct v9_ete_context){
		.contextid = cfg & V9_TRCCONFIGR_CID ? s->contextidr_el1 : 0,
		.vmid = (cfg & V9_TRCCONFIGR_VMID) && cx ? s->contextidr_el2 : 0,
		.el = s->r.el,
		.ns = ss == V9_SS_NONSECURE || ss == V9_SS_REALM,
		.nse = ss == V9_SS_ROOT || ss == V9_SS_REALM,
		.sf = s->r.a64,
	};
}

static bool same_context(const struct v9_ete_context *a, const struct v9_ete_context *b)
{
	return a->contextid == b->contextid && a->vmid == b->vmid && a->el == b->el &&
	       a->ns == b->ns && a->nse == b->nse && a->sf == b->sf;
}

/* Execution continues at @pc. Returns false if nothing is traced there. */
static bool arrive(struct v9_model *m, uint64_t pc)
{
	struct v9_ete_model *e = &m->ete;
	struct v9_pe_state s = v9_pe(m);
	struct v9_ete_context c;

	v9_ete_mark(m, &s);
	if (!e->enabled || !e->allowed)
		return false;
	c = context_of(m, &s);
	if (!same_context(&c, &e->ctx))
		e->need_ctx = true;	/* ETE-R_BDFDQ */
	e->ctx = c;
	e->here = s;
	e->code = s.r.a64 ? V9_CODE_A64 : s.t32 ? V9_CODE_T32 : V9_CODE_A32;
	v9_block_begin(e, pc);
	e->needs_block = false;
	return true;
}

/* Blocks */

static void reach(struct v9_model *m, uint64_t pc)
{
	struct v9_ete_model *e = &m->ete;

	if (pc - e->cur <= V9_ETE_BLOCK_MAX)
		return;
	v9_ete_put_held(m);
	v9_block_begin(e, pc);
	e->need_on = true;
}

/*
 * The instructions from e->cur up to @end, exclusive, were executed. Returns true if they are
 * traced.
 */
static bool view_block(struct v9_model *m, uint64_t end)
{
	struct v9_ete_model *e = &m->ete;
	bool view, res;
	uint64_t n;

	if (end == e->cur)
		return e->ta;
	n = v9_block_insns(e, e->cur, end);
	e->cycles += n;
	e->ts_past += n;
	res = v9_ete_res_run(m, e->cur, end);
	view = v9_ete_view(m, e->cur, v9_block_last(e, end), res);
	e->ta = view;		/* ETE-R_BFSWZ */
	return view;
}

/*
 * TRBE-SY11, R_HCVVS: the branch was mispredicted. The unit generated trace for mis-speculated
 * instructions and cancelled it: the buffer holds an Ignore packet, which has no meaning.
 */
static void put_mis_speculated(struct v9_model *m)
{
	if (m->cfg.mis_speculated && !m->ete.need_sync && v9_random(m) % m->cfg.mis_speculated == 0)
		v9_ete_put(m, &(struct v9_ete_pkt){ .kind = V9_ETE_IGNORE });
}

/* Outputs the Atom of a branch at the end of the block, and what depends on it. */
static void put_branch(struct v9_model *m, const struct v9_branch *b)
{
	struct v9_ete_model *e = &m->ete;
	const bool indirect = v9_branch_is_indirect(b);
	bool broadcast = (b->flags & V9_OP_BRANCH) && v9_ete_broadcast(m, b->pc), wrong = false;

	if (v9_source_hold(m, b)) {
		v9_ete_log(m, e->cur, v9_branch_end(b), false);
		return;
	}
	if (!v9_source_put(m, b, broadcast)) {
		v9_ete_prefix(m);
		wrong = v9_spec_branch(m, b, broadcast);
	}
	broadcast &= b->taken;
	v9_ete_log(m, e->cur, v9_branch_end(b), b->taken);
	if (broadcast)
		e->rs_n = 0;			/* ETE-R_VQTVR */
	e->need_addr |= broadcast || indirect;
	e->rs_ok = indirect && !broadcast && !wrong;
	v9_ete_after_p0(m);
	v9_spec_settle(m, v9_branch_synchronizes(b));
}

/* ETE-I_TBJPL: a Context element may follow each context synchronization event. */
static void repeat_context(struct v9_model *m)
{
	m->ete.need_ctx |= v9_form_split(m);
}

/* The held branch was executed. */
static void commit(struct v9_model *m)
{
	struct v9_ete_model *e = &m->ete;
	struct v9_branch b = e->last;
	const bool indirect = v9_branch_is_indirect(&b);
	const uint64_t end = v9_branch_end(&b);

	if (!b.busy)
		return;
	e->last.busy = false;
	if (b.size == 4)
		v9_block_wide(e, b.pc);
	if (b.isb)
		e->ts_asked = true;			/* ETE-R_NGXNQ: traced or not */
	if (!view_block(m, end)) {
		v9_ete_put_held(m);
		e->need_on = true;			/* ETE-R_NHDCF */
		v9_ete_log_flush(m);
		v9_place_block(m, end, false);
		v9_spec_untraced(m, v9_branch_synchronizes(&b));
	} else {
		v9_place_block(m, end, true);
		if (!v9_q_block(m, &b))
			put_branch(m, &b);
	}
	if (b.isb)
		repeat_context(m);
	v9_place_next(m);
	put_mis_speculated(m);
	v9_block_begin(e, b.taken && !indirect ? b.target : end);
	if (b.taken && b.exchanges)
		e->code = e->code == V9_CODE_T32 ? V9_CODE_A32 : V9_CODE_T32;
	if (indirect || b.isb)
		e->needs_block = true;
	v9_trbe_complete(m);
}

/* Calls of the driver of the model */

/*
 * A Timestamp element may come with the branch that is held: it has to have the time of that, not of the end of the
 * next block (ETE-R_DGTJZ).
 */
static bool may_stamp(const struct v9_model *m)
{
	const struct v9_ete_model *e = &m->ete;

	return e->last.busy && m->seen[V9_R_TRCCONFIGR] & V9_TRCCONFIGR_TS && e->ts_past >= m->cfg.ts_cycles &&
	       (e->ts_asked || e->last.isb || v9_ete_sync_due(m) || (m->seen[V9_R_TRCTSCTLR] && e->ts_since + 1 >= m->cfg.ts_gap));
}

static bool needs_block(const struct v9_model *m)
{
	return m->cfg.ete &&
	       (m->ete.needs_block || m->ete.asleep || v9_branch_needs_block(&m->ete.last) || may_stamp(m));
}

static void block(struct v9_model *m, uint64_t pc)
{
	if (!needs_block(m))
		return;
	m->ete.asleep = false;
	commit(m);
	if (m->ete.needs_block)
		arrive(m, pc);
}

/* ETE-I_MXHHN: WFE or WFI is traced before the PE sleeps, without another event (R_GFMRH). */
void v9_trace_sleep(struct v9_model *m)
{
	struct v9_ete_model *e = &m->ete;

	commit(m);
	if (!e->enabled || !e->allowed)
		return;
	v9_ete_put_held(m);
	v9_ete_atoms_flush(m);
	v9_ete_commit(m, e->depth);
	v9_ete_log_flush(m);
	if (m->cfg.delay == V9_DELAY_OFF)
		v9_trbe_drain(m);
	e->asleep = true;
}

static void branch(struct v9_model *m, const struct v9_pe_insn *i)
{
	struct v9_ete_model *e = &m->ete;
	uint16_t flags = v9_p0_flags(i->code, i->op, m->cfg.wfx);

	commit(m);
	if (flags == V9_P0_NONE || !e->enabled || !e->allowed || e->needs_block)
		return;
	reach(m, i->pc);
	e->last = v9_branch_hold(i, flags);
}

void v9_trace_wide(struct v9_model *m, uint64_t pc)
{
	struct v9_ete_model *e = &m->ete;

	commit(m);
	if (!e->enabled || !e->allowed || e->needs_block)
		return;
	reach(m, pc);
	v9_block_wide(e, pc);
}

void v9_trace_transaction(struct v9_model *m, enum v9_transaction what)
{
	commit(m);
	if (what == V9_TX_START)
		v9_tx_begin(m);
	else
		v9_tx_end(m, what == V9_TX_COMMIT);
}

/* ETE-R_BXTXK, R_JJZXW, R_NHJLQ */
void v9_trace_instrument(struct v9_model *m, uint64_t value)
{
	struct v9_instrumentation_ctl c = {
		.trcitecr_el1 = m->seen[V9_R_TRCITECR_EL1],
		.trcitecr_el2 = m->seen[V9_R_TRCITECR_EL2],
	};
	struct v9_pe_state s = v9_pe(m);

	if (!v9_feat(m, V9_FEAT_ITE))
		return;
	commit(m);
	v9_ete_mark(m, &s);
	if (m->ete.enabled && m->ete.allowed && v9_instrumentation_allowed(&s.r, &c))
		v9_ete_put_instrumentation(m, s.r.el, value);
}

static void exception(struct v9_model *m, const struct v9_pe_state *s, const struct v9_exc *x)
{
	struct v9_ete_model *e = &m->ete;
	bool moved, traced;
	unsigned int type = v9_exception_type(x);

	if (!m->cfg.ete)
		return;
	e->asleep = false;
	if (v9_branch_faulted(&e->last, x))
		e->last.busy = false;
	commit(m);
	v9_ete_mark(m, s);
	if (!e->enabled || !e->allowed)
		return;
	if (e->needs_block && !arrive(m, x->ret))
		return;
	reach(m, x->ret);
	moved = x->ret != e->cur;
	traced = view_block(m, x->ret);
	/* ETE-R_SJXYS */
	traced |= type == V9_ETE_EXC_SERROR && (m->seen[V9_R_TRCVICTLR] & V9_TRCVICTLR_TRCERR);
	e->ta = traced;
	e->ts_asked = true;		/* ETE-R_YYWTR */
	if (traced) {
		v9_spec_exception(m);
		v9_ete_put_exception(m, type, x->ret, moved);
		v9_place_block(m, x->ret, true);
		v9_ete_log(m, e->cur, x->ret, true);
		v9_ete_after_p0(m);
		v9_spec_settle(m, true);
	} else {
		v9_ete_put_held(m);
		e->need_on = true;
		v9_place_block(m, x->ret, false);
	}
	e->need_addr = true;
	repeat_context(m);
	e->rs_ok = false;
	e->needs_block = true;
}

static void reset_begins(struct v9_model *m, const struct v9_pe_state *s)
{
	struct v9_ete_model *e = &m->ete;

	commit(m);
	v9_ete_mark(m, s);
	/* ETE-R_NQJNL, R_NCXJN */
	if (e->enabled && e->allowed && (!e->needs_block || arrive(m, s->pc)) &&
	    (e->ta || (m->seen[V9_R_TRCVICTLR] & V9_TRCVICTLR_TRCRESET))) {
		e->ta = true;
		v9_spec_reset(m);
		v9_ete_put_reset(m);
		e->tx_traced = false;		/* ETE-I_LTJDG: the packet implies a failure */
		e->ts_asked = true;
		v9_ete_after_p0(m);
	}
	v9_tx_end(m, false);		/* ETE-R_QWXGL */
	v9_ete_log_flush(m);
	v9_place_drop(m);
	flush(m);
	v9_trbe_drain(m);
	e->asleep = false;
	e->needs_block = e->need_addr = true;
	e->rs_ok = false;
}

static void eret(struct v9_model *m, const struct v9_pe_state *s, uint64_t target, unsigned int el)
{
	struct v9_ete_model *e = &m->ete;
	struct v9_pe_state to = *s;

	(void)target;
	if (!m->cfg.ete)
		return;
	to.r.el = el;
	/* Register writes that it synchronizes may end the trace. */
	e->returns_traced = v9_ete_allowed(m, &to) && !v9_any(&m->dirty);
	commit(m);
	e->returns_traced = false;
	v9_ete_mark(m, s);
	if (e->enabled && e->allowed) {
		e->ts_asked = true;
		repeat_context(m);
	}
	e->needs_block = true;
}

static void synced(struct v9_model *m)
{
	struct v9_ete_model *e = &m->ete;

	m->trbe.mark = m->trbe.n;
	e->status_read = false;
	if (v9_ete_enabled(m, false)) {
		struct v9_pe_state s = v9_pe(m);

		v9_ete_mark(m, &s);	/* the OS Lock is not a register of the model */
	}
	if (e->enabled || e->stage == 3)
		return;
	e->stage += m->cfg.delay != V9_DELAY_RANDOM || (v9_random(m) & 1);
}

static void changed(struct v9_model *m, unsigned int reg, uint64_t old)
{
	(void)old;
	/* all other registers take effect on enable, or in v9_ete_mark() */
	if (reg == V9_R_TRCPRGCTLR && !m->ete.enabled)
		v9_ete_load(m);
}

/* ETE-R_YYHBF */
static bool survives(struct v9_model *m, unsigned int reg, uint64_t noise, uint64_t *v)
{
	size_t n;

	(void)m;
	(void)noise;
	(void)v;	/* it keeps its value */
	return v9_model_regs(&n)[reg].trap == V9_TRAP_TTA;
}

static void reset(struct v9_model *m, bool warm)
{
	if (warm)
		return;
	v9_ete_log_flush(m);
	v9_place_drop(m);
	memset(&m->programmed, 0, sizeof(m->programmed));
	m->ete = (struct v9_ete_model){ .stage = 3, .needs_block = true };
	v9_ete_out_reset(m, false);
}

static uint64_t written(struct v9_model *m, const struct v9_pe_state *s, unsigned int reg,
			uint64_t v)
{
	(void)m;
	if ((reg == V9_R_TRFCR_EL2 || reg == V9_R_TRCITECR_EL2) && !s->r.has_el2)
		return 0;
	return v;
}

static void regs_init(struct v9_model *m)
{
	if (m->cfg.ete)
		v9_ete_regs_init(m);
}

static unsigned int activity(const struct v9_model *m, const struct v9_pe_state *s)
{
	unsigned int act = 0;

	if (v9_ete_enabled(m, s->oslk))
		act = V9_ACT_SYNC | (v9_ete_allowed(m, s) ? V9_ACT_ETE : 0);
	/* it becomes idle at context synchronization events */
	if (m->cfg.ete && m->ete.stage != 3)
		act |= V9_ACT_SYNC;
	return act;
}

const struct v9_model_unit v9_model_ete = {
	.control = { 0, V9_R_TRFCR_EL1, V9_R_TRFCR_EL2 },
	.ee = { 0, V9_TRFCR_EL1_EE, V9_TRFCR_EL2_EE },
	.access = v9_trace_access,
	.regs_init = regs_init,
	.survives = survives,
	.reset_begins = reset_begins,
	.reset = reset,
	.ignores = v9_ete_ignores,
	.written = written,
	.read = v9_ete_read,
	.changed = changed,
	.mark = v9_ete_mark,
	.needs_block = needs_block,
	.block = block,
	.branch = branch,
	.exception = exception,
	.eret = eret,
	.synced = synced,
	.flush = flush,
	.stall = v9_ete_stalls,
	.input = v9_ete_res_input,
	.activity = activity,
};
