// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The Branch Record Buffer Extension: which branches, exceptions and exception returns give a
 * record, what it contains, and when recording stops. Cycles are counted as the trace unit does:
 * one for each instruction.
 */
#include "private.h"

#define CC_OVERFLOW	(UINT64_C(1) << 20)	/* BRBIDR0_EL1.CC: 20 bits */

/* Longest block in bytes. In a longer one branches were executed without a call into the model. */
#define BLOCK_MAX	0x40000

static bool v1p1(const struct v9_model *m)
{
	return m->cfg.brbe >= 2;
}

static bool paused(const struct v9_model *m)
{
	return m->seen[V9_R_BRBFCR_EL1] & V9_BRBFCR_EL1_PAUSED;
}

static bool prohibited(const struct v9_model *m, const struct v9_pe_state *s)
{
	struct v9_brbe_ctl c = {
		.brbcr_el1 = m->seen[V9_R_BRBCR_EL1],
		.brbcr_el2 = m->seen[V9_R_BRBCR_EL2],
		.v1p1 = v1p1(m),
	};

	return v9_brbe_prohibited(&s->r, &c);
}

static bool allowed(const struct v9_model *m, const struct v9_pe_state *s)
{
	return m->cfg.brbe && !paused(m) && !prohibited(m, s);
}

/* BRBE-BC2, BC4: a control of both registers; that of EL2 counts even if EL2 is disabled. */
static bool both(const struct v9_model *m, const struct v9_pe_state *s, uint64_t field)
{
	return (m->seen[V9_R_BRBCR_EL1] & field) &&
	       (!s->r.has_el2 || (m->seen[V9_R_BRBCR_EL2] & field));
}

/* Records */

static struct v9_brbe_record *record(struct v9_brbe *b, const struct v9_model *m, unsigned int i)
{
	return &b->rec[(b->head + m->cfg.brbe_records - i) % m->cfg.brbe_records];
}

/* Record @i as the registers contain it: 0 if it is not valid or not implemented (BRBE-BB3) */
static struct v9_brbe_record record_at(struct v9_model *m, unsigned int i)
{
	struct v9_brbe *b = &m->brbe;

	return i < b->n ? *record(b, m, i) : (struct v9_brbe_record){ 0 };
}

static void invalidate(struct v9_model *m, unsigned int keep)
{
	struct v9_brbe *b = &m->brbe;

	/* BRBE-BI1, R_JSCWK: the records that go are the oldest ones */
	if (keep < b->n)
		b->n = keep;
	b->changed = true;
}

/* BRBE-BR2: what a half record lacks is 0, and so is an unknown cycle count. */
static struct v9_brbe_record well_formed(struct v9_brbe_record r)
{
	unsigned int valid = V9_GET(V9_BRBINFn_EL1_VALID, r.inf);

	if (!valid)
		return (struct v9_brbe_record){ 0 };
	if (!(valid & V9_BRBINFn_EL1_VALID_SOURCE)) {
		r.src = 0;
		r.inf &= ~V9_BRBINFn_EL1_MPRED;
	}
	if (!(valid & V9_BRBINFn_EL1_VALID_TARGET)) {
		r.tgt = 0;
		r.inf &= ~V9_BRBINFn_EL1_EL;
	}
	if (r.inf & V9_BRBINFn_EL1_CCU)
		r.inf &= ~V9_BRBINFn_EL1_CC;
	r.inf &= ~V9_BRBINFn_EL1_RES0;
	return r;
}

/* BRBE-BB1 */
static void push(struct v9_model *m, struct v9_brbe_record r)
{
	struct v9_brbe *b = &m->brbe;

	b->head = (b->head + 1) % m->cfg.brbe_records;
	b->rec[b->head] = r;
	if (b->n < m->cfg.brbe_records)
		b->n++;
	b->changed = true;
}

static void freeze(struct v9_model *m, const struct v9_pe_state *s);

/* A record is complete. */
static void capture(struct v9_model *m, struct v9_brbe_record r)
{
	struct v9_brbe *b = &m->brbe;

	b->cycles = 0;
	b->known = b->cc;
	/* BRBE-BR7 */
	if (m->cfg.brbe_lose && v9_random(m) % m->cfg.brbe_lose == 0) {
		m->branches.lost++;
		invalidate(m, 0);
		return;
	}
	push(m, r);
	m->branches.captured++;
	if (b->late && !--b->spare) {
		struct v9_pe_state s = v9_pe(m);

		freeze(m, &s);
	}
}

/* BRBE-BC3 */
static uint64_t encode_cycles(uint64_t n)
{
	unsigned int e = 0;

	if (n >= CC_OVERFLOW)
		return V9_BRBINFn_EL1_CC;
	if (n >= 0x100)
		for (e = 1; n >= 0x200; e++)
			n /= 2;
	return V9_PUT(V9_BRBINFn_EL1_CC_EXPONENT, e) |
	       V9_PUT(V9_BRBINFn_EL1_CC_MANTISSA, n & 0xff);
}

static uint64_t cycles(const struct v9_model *m)
{
	const struct v9_brbe *b = &m->brbe;

	return b->known ? encode_cycles(b->cycles) : V9_BRBINFn_EL1_CCU;
}

/* The instructions from b->cur up to @end, exclusive, were executed. */
static void run(struct v9_brbe *b, uint64_t end)
{
	if (!b->needs_block && end - b->cur <= BLOCK_MAX)
		b->cycles += (end - b->cur) / 4;
	b->cur = end;
}

/* Branches */

/* BRBE-BF1 */
static bool selected(const struct v9_model *m, const struct v9_branch *p)
{
	uint64_t fcr = m->seen[V9_R_BRBFCR_EL1], match;

	if (p->flags & V9_OP_CALL)
		match = p->flags & V9_OP_IND ? V9_BRBFCR_EL1_INDCALL : V9_BRBFCR_EL1_DIRCALL;
	else if (p->flags & V9_OP_RET)
		match = V9_BRBFCR_EL1_RTN;
	else if (p->flags & V9_OP_IND)
		match = V9_BRBFCR_EL1_INDIRECT;
	else
		match = p->flags & V9_OP_COND ? V9_BRBFCR_EL1_CONDDIR : V9_BRBFCR_EL1_DIRECT;
	return !(fcr & match) != !(fcr & V9_BRBFCR_EL1_EnI);
}

static unsigned int type_of(const struct v9_branch *p)
{
	if (p->flags & V9_OP_CALL)
		return p->flags & V9_OP_IND ? V9_BRBINFn_EL1_TYPE_INDIRECT_LINK :
					      V9_BRBINFn_EL1_TYPE_DIRECT_LINK;
	if (p->flags & V9_OP_RET)
		return V9_BRBINFn_EL1_TYPE_RETURN;
	if (p->flags & V9_OP_IND)
		return V9_BRBINFn_EL1_TYPE_INDIRECT;
	return p->flags & V9_OP_COND ? V9_BRBINFn_EL1_TYPE_CONDITIONAL :
				       V9_BRBINFn_EL1_TYPE_DIRECT;
}

/* The held branch was executed; if taken, it went to @target. BRBE-BR1, BR4 */
static void commit(struct v9_model *m, uint64_t target)
{
	struct v9_brbe *b = &m->brbe;
	struct v9_branch p = b->last;
	bool wrong;

	b->last.busy = false;
	if (!p.busy || !b->on)
		return;
	run(b, p.pc + 4);
	b->cur = p.taken ? target : p.pc + 4;
	if (!(p.flags & V9_OP_BRANCH) && !(p.isb && m->cfg.brbe_isb))	/* BRBE-BF2 */
		return;
	wrong = v9_predictor_branch(&b->predictor, p.flags, p.pc, p.taken, target);
	if (!p.taken)
		return;
	if (!selected(m, &p)) {
		m->branches.filtered++;
		return;
	}
	b->fresh++;
	capture(m, (struct v9_brbe_record){
		.inf = cycles(m) | V9_PUT(V9_BRBINFn_EL1_TYPE, type_of(&p)) |
		       V9_PUT(V9_BRBINFn_EL1_EL, b->el) |
		       (wrong && b->mpred ? V9_BRBINFn_EL1_MPRED : 0) |
		       V9_PUT(V9_BRBINFn_EL1_VALID, V9_BRBINFn_EL1_VALID_FULL),
		.src = p.pc,
		.tgt = target,
	});
}

/* Execution continues at @pc: completes what waits for this address. */
static void arrive(struct v9_model *m, uint64_t pc)
{
	struct v9_brbe *b = &m->brbe;

	commit(m, b->last.isb ? b->last.target : pc);
	if (b->is_owed) {
		b->is_owed = false;
		b->owed.tgt = pc;
		capture(m, b->owed);
	}
	if (b->needs_block)
		b->cur = pc;
	b->needs_block = false;
}

/* Freezes, prohibited regions */

/* BRBE-BZ2. Event counters only: PMCCNTR, in bit 31, has no effect. */
static bool overflowed(const struct v9_model *m, const struct v9_pe_state *s)
{
	unsigned int hpmn = V9_GET(V9_MDCR_EL2_HPMN, s->r.mdcr_el2);
	uint64_t all = V9_BIT(s->pmu_counters) - 1;
	uint64_t first = s->r.has_el2 ? V9_BIT(hpmn) - 1 : all;
	uint64_t flags = s->pmovs & all;

	return ((m->seen[V9_R_BRBCR_EL1] & V9_BRBCR_EL1_FZP) && (flags & first)) ||
	       (s->r.has_el2 && (m->seen[V9_R_BRBCR_EL2] & V9_BRBCR_EL2_FZP) && (flags & ~first));
}

static void log_stop(struct v9_model *m, const struct v9_pe_state *s, bool frozen)
{
	struct v9_brbe_stop l = {
		.frozen = frozen,
		.captured = m->branches.captured,
		.ts = m->seen[V9_R_BRBTS_EL1],
		.pmovs = s->pmovs,
		.n = m->brbe.n,
	};

	if (!m->bus.branches)
		return;
	for (unsigned int i = 0; i < l.n; i++)
		l.rec[i] = record_at(m, i);
	m->bus.branches(m->ctx, &l);
}

/* BRBE-BZ3: the clock is that of EL2's register, unless it leaves the choice to EL1's. */
static uint64_t timestamp(struct v9_model *m, const struct v9_pe_state *s)
{
	unsigned int ts = V9_GET(V9_BRBCR_EL2_TS, m->seen[V9_R_BRBCR_EL2]);

	if (!s->r.has_el2 || ts == V9_BRBCR_EL2_TS_BRBCR_EL1)
		ts = V9_GET(V9_BRBCR_EL1_TS, m->seen[V9_R_BRBCR_EL1]);
	switch (ts) {
	case V9_BRBCR_EL1_TS_VIRTUAL:
		return m->bus.count(m->ctx, V9_CLOCK_VIRTUAL);
	case V9_BRBCR_EL1_TS_PHYSICAL:
		return m->bus.count(m->ctx, V9_CLOCK_PHYSICAL);
	case V9_BRBCR_EL1_TS_GUEST_PHYSICAL:
		if (s->r.has_ecv)
			return m->bus.count(m->ctx, V9_CLOCK_GUEST_PHYSICAL);
		break;
	}
	v9_violate(m, "BRBE-BZ3", "BRBCR_EL1", ts, "a freeze with a reserved value of TS");
	return m->bus.count(m->ctx, V9_CLOCK_VIRTUAL);
}

/* Recording stops. What is not recorded yet never will be. */
static void stop(struct v9_model *m)
{
	struct v9_brbe *b = &m->brbe;

	b->on = b->late = b->is_owed = b->last.busy = false;
	b->known = false;
	b->needs_block = true;
}

/* BRBE-BZ3 */
static void freeze(struct v9_model *m, const struct v9_pe_state *s)
{
	m->branches.frozen++;
	v9_unit_write(m, V9_R_BRBTS_EL1, timestamp(m, s));
	if (v9_has(&m->dirty, V9_R_BRBFCR_EL1)) {
		/* software has written the register: its other fields remain */
		m->val[V9_R_BRBFCR_EL1] |= V9_BRBFCR_EL1_PAUSED;
		m->seen[V9_R_BRBFCR_EL1] |= V9_BRBFCR_EL1_PAUSED;
	} else {
		v9_unit_write(m, V9_R_BRBFCR_EL1,
			      m->seen[V9_R_BRBFCR_EL1] | V9_BRBFCR_EL1_PAUSED);
	}
	stop(m);
	log_stop(m, s, true);
	m->bus.activity_changed(m->ctx);
}

/* BRBE-BZ2, BZ5: @now: software may look, so that the freeze cannot be delayed any more. */
static void freeze_on_overflow(struct v9_model *m, const struct v9_pe_state *s, bool now)
{
	struct v9_brbe *b = &m->brbe;

	if (!b->on || !overflowed(m, s))
		return;
	if (!b->late) {
		b->late = true;
		b->spare = m->cfg.brbe_after && v9_later(m) ?
			   v9_random(m) % (m->cfg.brbe_after + 1) : 0;
	}
	if (now || !b->spare)
		freeze(m, s);
}

static void mark(struct v9_model *m, const struct v9_pe_state *s)
{
	struct v9_brbe *b = &m->brbe;
	bool on = allowed(m, s);

	b->el = s->r.el;
	b->cc = both(m, s, V9_BRBCR_EL1_CC);
	b->mpred = both(m, s, V9_BRBCR_EL1_MPRED);
	if (!b->cc)
		b->known = false;
	if (on != b->on) {
		stop(m);		/* BRBE-BG4: nothing is kept for later */
		b->on = on;
	}
	freeze_on_overflow(m, s, false);
}

static bool could_record(const struct v9_model *m)
{
	const uint64_t enables = V9_BRBCR_EL1_E1BRE | V9_BRBCR_EL1_E0BRE;

	return m->cfg.brbe && !paused(m) &&
	       (v1p1(m) || ((m->seen[V9_R_BRBCR_EL1] | m->seen[V9_R_BRBCR_EL2]) & enables));
}

static bool needs_block(const struct v9_model *m)
{
	const struct v9_brbe *b = &m->brbe;

	return could_record(m) && (!b->on || b->needs_block || b->is_owed ||
				   v9_branch_needs_block(&b->last));
}

static void block(struct v9_model *m, uint64_t pc)
{
	struct v9_brbe *b = &m->brbe;

	if (!needs_block(m))
		return;
	/* e.g. recording at EL3, which a register of the PE enables */
	if (!b->on) {
		struct v9_pe_state s = v9_pe(m);

		mark(m, &s);
	}
	if (b->on)
		arrive(m, pc);
}

static void branch(struct v9_model *m, const struct v9_pe_insn *i)
{
	struct v9_brbe *b = &m->brbe;
	uint16_t flags = v9_p0_flags(i->code, i->op, m->cfg.wfx);

	if (b->last.busy && !v9_branch_needs_block(&b->last))
		commit(m, b->last.target);
	b->last.busy = false;
	if (flags != V9_P0_NONE && b->on && !b->needs_block)
		b->last = v9_branch_hold(i, flags);
}

/* A direct branch was executed if there is a call that is not about an exception. */
static void complete(struct v9_model *m)
{
	struct v9_brbe *b = &m->brbe;
	struct v9_pe_state s;

	if (!b->on)
		return;
	if (b->last.busy && !v9_branch_needs_block(&b->last))
		commit(m, b->last.target);
	s = v9_pe(m);
	freeze_on_overflow(m, &s, true);		/* BRBE-BZ6 */
}

void v9_brbe_overflow(struct v9_model *m)
{
	struct v9_pe_state s = v9_pe(m);

	freeze_on_overflow(m, &s, false);
}

/* Exceptions and returns */

static void exception(struct v9_model *m, const struct v9_pe_state *s, const struct v9_exc *x)
{
	struct v9_brbe *b = &m->brbe;

	if (!m->cfg.brbe)
		return;
	if (v9_branch_faulted(&b->last, x))
		b->last.busy = false;
	if (b->on) {
		commit(m, v9_branch_needs_block(&b->last) ? x->ret : b->last.target);
		if (b->is_owed || b->needs_block)
			arrive(m, x->ret);
		run(b, x->ret);
	}
	mark(m, s);
	/* BRBE-BR8: registers that this exception synchronizes do not matter for the source */
	b->change = (struct v9_brbe_change){
		.due = true, .source = b->on, .debug = x->debug, .pc = x->ret,
		/* the same types as those of the trace unit, Tables D4-19 and D19-2 */
		.type = V9_BRBINFn_EL1_TYPE_DEBUG_HALT - V9_ETE_EXC_DEBUG_HALT + v9_exception_type(x),
	};
}

static void eret(struct v9_model *m, const struct v9_pe_state *s, uint64_t target, unsigned int el)
{
	struct v9_brbe *b = &m->brbe;
	struct v9_branch p = b->last;

	(void)target;
	(void)el;
	if (!m->cfg.brbe)
		return;
	b->last.busy = false;
	if (b->on && p.busy)
		run(b, p.pc + 4);
	mark(m, s);
	b->change = (struct v9_brbe_change){
		.due = true, .source = b->on && p.busy, .from_el = s->r.el, .pc = p.pc,
		.type = V9_BRBINFn_EL1_TYPE_EXCEPTION_RETURN,
	};
}

/* BRBE-BX1, BX4, BX5: a control of the level that takes the exception or executes the return */
static bool change_selected(const struct v9_model *m, const struct v9_pe_state *to)
{
	const struct v9_brbe_change *c = &m->brbe.change;
	bool is_return = c->type == V9_BRBINFn_EL1_TYPE_EXCEPTION_RETURN;

	if (c->debug)
		return true;
	switch (is_return ? c->from_el : to->r.el) {
	case 3:
		return v9_brbe_el3(&to->r, v1p1(m));
	case 2:
		return m->seen[V9_R_BRBCR_EL2] & (is_return ? V9_BRBCR_EL2_ERTN :
							      V9_BRBCR_EL2_EXCEPTION);
	default:
		return m->seen[V9_R_BRBCR_EL1] & (is_return ? V9_BRBCR_EL1_ERTN :
							      V9_BRBCR_EL1_EXCEPTION);
	}
}

/* BRBE-BX2 to BX4, BX6: the target is the level of the PE, also after an illegal return. */
static void changed_level(struct v9_model *m, const struct v9_pe_state *to)
{
	struct v9_brbe *b = &m->brbe;
	struct v9_brbe_change c = b->change;
	bool target = allowed(m, to);
	struct v9_brbe_record r = { 0 };

	if (!c.due)
		return;
	b->change.due = false;
	if ((c.source || target) && change_selected(m, to)) {
		r.src = c.source ? c.pc : 0;
		r.inf = (c.source ? cycles(m) : V9_BRBINFn_EL1_CCU) |
			V9_PUT(V9_BRBINFn_EL1_TYPE, c.type) |
			V9_PUT(V9_BRBINFn_EL1_EL, target ? to->r.el : 0) |
			V9_PUT(V9_BRBINFn_EL1_VALID,
			       (c.source ? V9_BRBINFn_EL1_VALID_SOURCE : 0) |
			       (target ? V9_BRBINFn_EL1_VALID_TARGET : 0));
		if (!target && !paused(m))
			capture(m, r);
	}
	mark(m, to);
	b->needs_block = true;
	if (r.inf && target && b->on) {
		b->is_owed = true;
		b->owed = r;
	}
}

/* BRBE-BX5 */
void v9_debug_exit(struct v9_model *m, uint64_t target)
{
	struct v9_pe_state s = v9_pe(m);

	v9_sync(m, V9_SYNC_CSE);
	s.r.debug = false;
	v9_mark(m, &s);
	if (!m->brbe.on)
		return;
	capture(m, (struct v9_brbe_record){
		.inf = V9_BRBINFn_EL1_CCU |
		       V9_PUT(V9_BRBINFn_EL1_TYPE, V9_BRBINFn_EL1_TYPE_DEBUG_EXIT) |
		       V9_PUT(V9_BRBINFn_EL1_EL, s.r.el) |
		       V9_PUT(V9_BRBINFn_EL1_VALID, V9_BRBINFn_EL1_VALID_TARGET),
		.tgt = target,
	});
}

/* Instructions */

/*
 * BRBE-BI1: between the context synchronization events before and after the instruction, it is
 * not defined which records are invalidated.
 */
static void invalidate_fresh(struct v9_model *m)
{
	struct v9_brbe *b = &m->brbe;
	unsigned int keep = 0;

	if (b->fresh) {
		v9_violate(m, "BRBE-BI1", NULL, b->fresh,
			   "branches were recorded near BRB IALL without context synchronization");
		keep = m->cfg.delay == V9_DELAY_RANDOM ? v9_random(m) % (b->fresh + 1) : 0;
	}
	invalidate(m, keep);
	b->iall = false;
}

static void brb_iall(struct v9_model *m)
{
	struct v9_brbe *b = &m->brbe;

	m->branches.iall++;
	b->known = false;
	b->clean = true;
	if (m->cfg.delay == V9_DELAY_OFF)
		invalidate(m, 0);
	else if (m->cfg.delay == V9_DELAY_RANDOM && !v9_later(m))
		invalidate_fresh(m);
	else
		b->iall = true;
}

/* BRBE-BJ1, BJ2: the registers count as they were written, without synchronization. */
static void brb_inj(struct v9_model *m, const struct v9_pe_state *s)
{
	static const uint16_t regs[] = {
		V9_R_BRBINFINJ_EL1, V9_R_BRBSRCINJ_EL1, V9_R_BRBTGTINJ_EL1,
	};
	struct v9_brbe_record r = {
		.inf = m->val[V9_R_BRBINFINJ_EL1],
		.src = m->val[V9_R_BRBSRCINJ_EL1],
		.tgt = m->val[V9_R_BRBTGTINJ_EL1],
	}, good = well_formed(r);
	bool valid = V9_GET(V9_BRBINFn_EL1_VALID, r.inf);
	bool malformed = valid && memcmp(&r, &good, sizeof(r));
	bool outside = !prohibited(m, s);

	if (!valid || malformed || outside)
		v9_violate(m, "BRBE-BJ2", NULL, r.inf, outside ?
			   "BRB INJ outside a prohibited region" :
			   "BRB INJ of a record that is not valid");
	if (valid && !((malformed || outside) && v9_later(m))) {
		push(m, good);
		m->branches.injected++;
	}
	for (unsigned int i = 0; i < V9_ARRAY_SIZE(regs); i++)
		m->val[regs[i]] = (m->cfg.poison ? v9_random(m) : 0) & m->mask[regs[i]];
}

void v9_brb(struct v9_model *m, enum v9_brb what)
{
	struct v9_pe_state s = v9_pe(m);

	complete(m);
	if (what == V9_BRB_IALL)
		brb_iall(m);
	else
		brb_inj(m, &s);
	m->bus.activity_changed(m->ctx);
}

/* Registers */

static void show(struct v9_model *m)
{
	for (unsigned int i = 0; i < V9_BRBE_MAX; i++)
		m->brbe.shown[i] = record_at(m, i);
	m->brbe.changed = false;
}

/* BRBE-BB4 */
static void synced(struct v9_model *m)
{
	struct v9_brbe *b = &m->brbe;

	if (!m->cfg.brbe)
		return;
	if (b->iall)
		invalidate_fresh(m);
	b->fresh = 0;
	if (!m->cfg.delay)
		return;
	if (b->changed)
		show(m);
	v9_make_ready(m, V9_UNIT_BRBE);
}

static uint64_t part(const struct v9_brbe_record *r, unsigned int which)
{
	return which == 0 ? r->inf : which == 1 ? r->src : r->tgt;
}

/* BRBE-BB2 to BB4, BM3 */
static uint64_t read_record(struct v9_model *m, unsigned int n)
{
	struct v9_brbe *b = &m->brbe;
	unsigned int bank = V9_GET(V9_BRBFCR_EL1_BANK, m->seen[V9_R_BRBFCR_EL1]);
	unsigned int i = n % 32 + 32 * bank;
	struct v9_brbe_record now, old;

	if (bank != V9_GET(V9_BRBFCR_EL1_BANK, m->val[V9_R_BRBFCR_EL1]))
		v9_violate(m, "BRBE-BB3", "BRBFCR_EL1", m->val[V9_R_BRBFCR_EL1],
			   "a record was read without context synchronization after BANK");
	if (!b->clean)
		v9_violate(m, "BRBE-BM3", NULL, n, "a record was read before BRB IALL after reset");
	if (i >= V9_BRBE_MAX)
		return 0;
	now = record_at(m, i);
	if (!m->cfg.delay)
		return part(&now, n / 32);
	old = b->shown[i];
	if (part(&now, n / 32) == part(&old, n / 32))
		return part(&now, n / 32);
	v9_violate(m, "BRBE-BB4", NULL, n,
		   "a record was read without context synchronization: it is old");
	return part(v9_later(m) ? &old : &now, n / 32);
}

/* BRBE-BR2: fields of the injection registers that a half record lacks read as 0. */
static bool read_injection(struct v9_model *m, unsigned int reg, uint64_t *v)
{
	struct v9_brbe_record r = well_formed((struct v9_brbe_record){
		.inf = m->val[V9_R_BRBINFINJ_EL1],
		.src = m->val[V9_R_BRBSRCINJ_EL1],
		.tgt = m->val[V9_R_BRBTGTINJ_EL1],
	});

	switch (reg) {
	case V9_R_BRBINFINJ_EL1:
		*v = r.inf;
		return true;
	case V9_R_BRBSRCINJ_EL1:
		*v = r.src;
		return true;
	case V9_R_BRBTGTINJ_EL1:
		*v = r.tgt;
		return true;
	default:
		return false;
	}
}

static bool read(struct v9_model *m, unsigned int reg, uint64_t *v)
{
	if (reg >= V9_R_BRBINF0_EL1 && reg < V9_R_BRBINF0_EL1 + 3 * 32) {
		*v = read_record(m, reg - V9_R_BRBINF0_EL1);
		return true;
	}
	if (reg == V9_R_BRBIDR0_EL1) {
		/* BRBE-BP2 */
		*v = V9_PUT(V9_BRBIDR0_EL1_CC, V9_BRBIDR0_EL1_CC_20_BIT) |
		     V9_PUT(V9_BRBIDR0_EL1_NUMREC, m->cfg.brbe_records);
		return true;
	}
	return read_injection(m, reg, v);
}

static uint64_t written(struct v9_model *m, const struct v9_pe_state *s, unsigned int reg,
			uint64_t v)
{
	(void)m;
	return reg == V9_R_BRBCR_EL2 && !s->r.has_el2 ? 0 : v;
}

static void changed(struct v9_model *m, unsigned int reg, uint64_t old)
{
	struct v9_pe_state s;

	if (reg != V9_R_BRBFCR_EL1)
		return;
	if (old & ~m->seen[reg] & V9_BRBFCR_EL1_PAUSED) {
		m->brbe.known = false;
		m->branches.resumed += m->brbe.n != 0;
	}
	if (m->seen[reg] & ~old & V9_BRBFCR_EL1_PAUSED) {
		s = v9_pe(m);
		log_stop(m, &s, false);
	}
}

/* BRBE-BM3: what a Warm reset keeps with FEAT_BRBEv1p1 */
static bool survives(struct v9_model *m, unsigned int reg, uint64_t noise, uint64_t *val)
{
	uint64_t v = v9_has(&m->dirty, reg) ? m->val[reg] : m->seen[reg], lost = 0;

	if (!v1p1(m))
		return false;
	switch (reg) {
	case V9_R_BRBCR_EL1:
	case V9_R_BRBCR_EL2:
		*val = v & ~(V9_BRBCR_EL1_E1BRE | V9_BRBCR_EL1_E0BRE);
		return true;
	case V9_R_BRBFCR_EL1:
		lost = V9_BRBFCR_EL1_BANK;
		break;
	case V9_R_BRBTS_EL1:
		break;
	default:
		return false;
	}
	*val = (v & ~lost) | (noise & lost & m->mask[reg]);
	return true;
}

/* The records are UNKNOWN after a Cold reset, and are kept by a Warm one. */
static void reset(struct v9_model *m, bool warm)
{
	struct v9_brbe *b = &m->brbe;

	if (!m->cfg.brbe)
		return;
	stop(m);
	b->change.due = b->iall = b->clean = false;
	b->fresh = 0;
	if (!warm) {
		*b = (struct v9_brbe){ .needs_block = true };
		v9_predictor_reset(&b->predictor);
		for (unsigned int n = m->cfg.poison ? v9_random(m) % m->cfg.brbe_records : 0; n; n--)
			push(m, well_formed((struct v9_brbe_record){
				.inf = v9_random(m) | V9_BRBINFn_EL1_VALID,
				.src = v9_random(m),
				.tgt = v9_random(m),
			}));
	}
	show(m);
}

static unsigned int activity(const struct v9_model *m, const struct v9_pe_state *s)
{
	const struct v9_brbe *b = &m->brbe;
	bool on = allowed(m, s);

	return (on ? V9_ACT_BRBE : 0) |
	       (m->cfg.delay && (on || b->iall || b->changed) ? V9_ACT_SYNC : 0);
}

const struct v9_model_unit v9_model_brbe = {
	.stale_rule = "BRBE-BB4",
	.stale = "read without context synchronization: the value is old",
	.access = v9_brbe_access,
	.survives = survives,
	.reset = reset,
	.written = written,
	.read = read,
	.changed = changed,
	.complete = complete,
	.mark = mark,
	.needs_block = needs_block,
	.block = block,
	.branch = branch,
	.exception = exception,
	.eret = eret,
	.changed_level = changed_level,
	.synced = synced,
	.activity = activity,
};
