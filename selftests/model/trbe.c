// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The Trace Buffer Unit: writes the bytes of the trace unit to memory. Accepted bytes wait in a
 * short queue. The queue is written before each operation that could reveal it (register access,
 * exception, barrier). The delay modes wait as long as permitted.
 */
#include "private.h"

#define FM_RESERVED	2

#define PAGE UINT64_C(4096)

static unsigned int least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t limitr(const struct v9_model *m)
{
	return m->seen[V9_R_TRBLIMITR_EL1];
}

static uint64_t mode(const struct v9_model *m)
{
	return V9_GET(V9_TRBLIMITR_EL1_FM, limitr(m));
}

static bool is_on(const struct v9_model *m)
{
	return limitr(m) & V9_TRBLIMITR_EL1_E;		/* TRBE-EN1 */
}

static bool is_stopped(struct v9_model *m)
{
	return v9_stopped(m, V9_UNIT_TRBE);		/* TRBE-EN3 */
}

/* One status register records all that is not a fault: WRAP, TRG and events of EC 0. */
static unsigned int other_reg(struct v9_model *m)
{
	return v9_status_of(m, V9_UNIT_TRBE, V9_EVENT_OTHER);
}

static void set_line(struct v9_model *m, bool level)
{
	if (level == m->trbe.line)
		return;
	m->trbe.line = level;
	m->trace.irq_raised += level;
	m->bus.line(m->ctx, V9_LINE_TRBIRQ, level);
}

/* TRBE-EV2: reports a management event in status register @reg. Other fields keep their values. */
static void event(struct v9_model *m, unsigned int reg, uint64_t clear, uint64_t set)
{
	uint64_t sr = (m->seen[reg] & ~clear) | set | V9_TRBSR_EL1_IRQ;

	v9_unit_write(m, reg, sr);
	m->trace.events++;
	v9_status_is(m, reg, sr);
	if (m->bus.trbe_event)
		m->bus.trbe_event(m->ctx, sr, m->seen[V9_R_TRBPTR_EL1]);
	m->bus.activity_changed(m->ctx);
}

/*
 * Reports an event that stops collection. If S of its register is already 1, only @more is set
 * (TRBE-TR7).
 */
static void stop(struct v9_model *m, enum v9_event kind, unsigned int ec, uint64_t mss,
		 uint64_t more)
{
	unsigned int reg = v9_status_of(m, V9_UNIT_TRBE, kind);

	if (m->seen[reg] & V9_TRBSR_EL1_S)
		event(m, reg, 0, more);
	else
		event(m, reg, V9_TRBSR_EL1_EC | V9_TRBSR_EL1_MSS | V9_TRBSR_EL1_MSS2,
		      V9_PUT(V9_TRBSR_EL1_EC, ec) | mss | more | V9_TRBSR_EL1_S);
}

static void set_ptr(struct v9_model *m, uint64_t ptr)
{
	m->trbe.own_ptr = ptr;
	v9_unit_write(m, V9_R_TRBPTR_EL1, ptr);
}

/* TRBE-FA2, EA2 */
static void failed(struct v9_model *m, const struct v9_fault *f, uint64_t at)
{
	bool gpc = f->gpc == V9_GPC_OTHER;

	set_ptr(m, at);
	stop(m, v9_event_of(f), gpc ? V9_TRBSR_EL1_EC_GRANULE_PROTECTION_CHECK :
	     f->stage == 2 ? V9_TRBSR_EL1_EC_STAGE_2_ABORT : V9_TRBSR_EL1_EC_STAGE_1_ABORT,
	     gpc ? 0 : f->fsc, f->external ? V9_TRBSR_EL1_EA : 0);
}

/* TRBE-IM1 */
static void report_impdef(struct v9_model *m)
{
	stop(m, V9_EVENT_OTHER, V9_TRBSR_EL1_EC_IMPLEMENTATION_DEFINED, 0, 0);
}

/* TRBE-EA3: an external abort of an earlier write */
static void report_abort(struct v9_model *m)
{
	stop(m, V9_EVENT_EA_S1, V9_TRBSR_EL1_EC_STAGE_1_ABORT, V9_TRBSR_EL1_FSC_EXTERNAL_ASYNC,
	     V9_TRBSR_EL1_EA);
}

/* TRBE-PT3, PT7 to PT9 */
static void wrap(struct v9_model *m)
{
	unsigned int reg = other_reg(m);

	m->trace.wraps++;
	set_ptr(m, m->seen[V9_R_TRBBASER_EL1]);
	switch (mode(m)) {
	case V9_TRBLIMITR_EL1_FM_CIRCULAR:
		v9_unit_write(m, reg, m->seen[reg] | V9_TRBSR_EL1_WRAP);
		break;
	case V9_TRBLIMITR_EL1_FM_WRAP:
		event(m, reg, 0, V9_TRBSR_EL1_WRAP);
		break;
	default:
		stop(m, V9_EVENT_OTHER, V9_TRBSR_EL1_EC_OTHER, V9_TRBSR_EL1_BSC_FILLED,
		     V9_TRBSR_EL1_WRAP);
	}
	v9_units[V9_UNIT_ETE]->input(m, 0x400c);
}

/* TRBE-TR5, TR9, TR10: modes other than IGNORE wait for a flush. */
static void trigger_event(struct v9_model *m)
{
	m->trace.triggers++;
	if (!is_stopped(m) &&
	    V9_GET(V9_TRBLIMITR_EL1_TM, limitr(m)) != V9_TRBLIMITR_EL1_TM_IGNORE)
		m->trbe.trigger_due = true;
	v9_units[V9_UNIT_ETE]->input(m, 0x400e);
}

/* TRBE-TR2, TR5 */
void v9_trbe_trigger(struct v9_model *m)
{
	unsigned int reg;
	uint64_t trg;

	if (!is_on(m))
		return;
	v9_trbe_drain(m);	/* trace generated before the trigger */
	reg = other_reg(m);
	if (m->seen[reg] & V9_TRBSR_EL1_TRG)
		return;
	v9_unit_write(m, reg, m->seen[reg] | V9_TRBSR_EL1_TRG);
	trg = m->seen[V9_R_TRBTRG_EL1];
	if (trg && m->cfg.trbe_over) {
		/* TRBE-TR4: the counter may drop by bytes in the unit's internal buffer */
		m->trbe.own_trg = trg - least(trg - 1, m->cfg.trbe_over);
		v9_unit_write(m, V9_R_TRBTRG_EL1, m->trbe.own_trg);
	}
	if (!trg)
		trigger_event(m);
}

/* TRBE-TR7, TR8: the trace unit is flushed first */
void v9_trbe_complete(struct v9_model *m)
{
	bool irq;

	if (!m->trbe.trigger_due || m->trbe.draining)
		return;
	m->trbe.trigger_due = false;
	v9_units[V9_UNIT_ETE]->flush(m);
	v9_trbe_drain(m);
	/* TRBE-EV7. A stop recorded in another register does not prevent the event. */
	if (!is_on(m) || (m->seen[other_reg(m)] & V9_TRBSR_EL1_S))
		return;
	irq = V9_GET(V9_TRBLIMITR_EL1_TM, limitr(m)) == V9_TRBLIMITR_EL1_TM_IRQ;
	if (irq)
		event(m, other_reg(m), 0, 0);
	else
		stop(m, V9_EVENT_OTHER, V9_TRBSR_EL1_EC_OTHER, V9_TRBSR_EL1_BSC_TRIGGER, 0);
}

/* TRBE-UN1, UN6 */
static bool pointer_bad(struct v9_model *m)
{
	uint64_t ptr = m->seen[V9_R_TRBPTR_EL1], base = m->seen[V9_R_TRBBASER_EL1];
	uint64_t lim = limitr(m) & V9_TRBLIMITR_EL1_LIMIT;
	uint64_t low = (UINT64_C(1) << m->cfg.trbe_align) - 1;

	if (ptr < base || ptr >= lim || ptr >> 56 != base >> 56 || ptr >> 56 != lim >> 56) {
		v9_violate(m, "TRBE-UN1", "TRBPTR_EL1", ptr, "trace for a pointer out of range");
		return true;
	}
	if ((ptr & low) && ptr != m->trbe.own_ptr) {
		v9_violate(m, "TRBE-UN5", "TRBPTR_EL1", ptr, "the first pointer is not aligned");
		m->trbe.own_ptr = ptr;
	}
	return false;
}

static struct v9_regime owner_regime(struct v9_model *m, const struct v9_pe_state *s)
{
	struct v9_owner o = v9_trbe_owner(&s->r);
	struct v9_trace_ctl c = v9_trace_ctl(m);

	return (struct v9_regime){
		.ss = o.ss, .el = o.el, .e2h = o.e2h,
		.nvm = v9_trbe_nvm(&s->r, v9_feat(m, V9_FEAT_TRBEv1p1), &c),
		.fixed = !m->cfg.trbe_f, .mem = m->seen[V9_R_TRBMAR_EL1],
	};
}

/*
 * TRBE-AT11, L4: an enabled unit may hold a translation until the tables are changed with the
 * required barriers. Each DSB of this PE may follow a TLBI.
 */
static int translate(struct v9_model *m, struct v9_regime g, uint64_t va, struct v9_mem_place *to,
		     struct v9_fault *f)
{
	struct v9_trbe *t = &m->trbe;
	uint64_t page = va & ~(PAGE - 1);
	struct v9_pe_state s = v9_pe(m);

	if (!t->cached || t->page != page || t->cached_in != s.regime ||
	    t->cached_for.ss != g.ss || t->cached_for.el != g.el ||
	    t->cached_for.e2h != g.e2h || t->cached_for.nvm != g.nvm ||
	    t->cached_for.mem != g.mem) {
		if (m->bus.translate(m->ctx, g, va, to, f))
			return 1;
		m->trace.translations += v9_store_translates(m, V9_UNIT_TRBE, &g, va, to->block);
		t->cached = v9_later(m);
		t->page = page;
		t->to = *to;
		t->to.pa &= ~(PAGE - 1);
		t->cached_in = s.regime;
		t->cached_for = g;
	}
	*to = t->to;
	to->pa += va & (PAGE - 1);
	return 0;
}

/*
 * TRBE-AT10: does the walk of a write for the next page, so that the page is dirty if the unit
 * manages dirty state. A fault is ignored here; the write itself reports it.
 */
static void walk_ahead(struct v9_model *m, struct v9_regime g, uint64_t ptr, uint64_t lim)
{
	uint64_t next = (ptr & ~(PAGE - 1)) + PAGE;
	struct v9_fault f = { 0 };
	struct v9_mem_place to;

	if (!m->cfg.trbe_ahead || g.nvm)
		return;
	if (next >= lim)
		next = m->seen[V9_R_TRBBASER_EL1];
	if ((next ^ ptr) & ~(PAGE - 1) && next != m->trbe.ahead)
		m->bus.translate(m->ctx, g, next, &to, &f);
	m->trbe.ahead = next;
}

static void forget(struct v9_model *m)
{
	m->trbe.cached = m->trbe.forget = false;
}

static void dsb(struct v9_model *m, bool aborted)
{
	if (aborted)
		v9_make_ready(m, V9_UNIT_TRBE);		/* TRBE-SY9 */
	m->trbe.forget = true;
}

static void synced(struct v9_model *m)
{
	if (m->trbe.forget)
		m->trbe.cached = false;
	m->trbe.forget = false;
}

/* TRBE-TR3: @n bytes were written. Returns true if the counter reached zero. */
static bool count_down(struct v9_model *m, unsigned int n)
{
	uint64_t trg = m->seen[V9_R_TRBTRG_EL1];

	if (!trg || !(m->seen[other_reg(m)] & V9_TRBSR_EL1_TRG))
		return false;
	m->trbe.own_trg = trg - n;
	v9_unit_write(m, V9_R_TRBTRG_EL1, trg - n);
	return trg == n;
}

/* Writes some of @p. Returns the number of bytes that are done. TRBE-PR5, EV4, EV6 */
static unsigned int write_some(struct v9_model *m, const struct v9_pe_state *s, const uint8_t *p,
			       unsigned int n)
{
	uint64_t ptr = m->seen[V9_R_TRBPTR_EL1], lim = limitr(m) & V9_TRBLIMITR_EL1_LIMIT;
	uint64_t trg = m->seen[V9_R_TRBTRG_EL1];
	bool counting = trg && (m->seen[other_reg(m)] & V9_TRBSR_EL1_TRG);
	struct v9_fault f;
	bool zero;
	int ret;

	if (pointer_bad(m)) {
		/* TRBE-UN7: of the permitted behaviours, this one cannot corrupt memory */
		stop(m, V9_EVENT_OTHER, V9_TRBSR_EL1_EC_OTHER, V9_TRBSR_EL1_BSC_FILLED, 0);
		return 0;
	}
	if (v9_store_too_large(m, lim - m->seen[V9_R_TRBBASER_EL1])) {
		stop(m, V9_EVENT_OTHER, V9_TRBSR_EL1_EC_OTHER, V9_TRBSR_EL1_BSC_SIZE, 0);
		return 0;
	}
	n = least(n, least(lim - ptr, PAGE - (ptr & (PAGE - 1))));
	n = least(n, counting ? trg : n);
	n = least(n, V9_PIECE);
	walk_ahead(m, owner_regime(m, s), ptr, lim);
	ret = v9_store_piece(m, V9_UNIT_TRBE, owner_regime(m, s), ptr, p, n, &f);
	if (ret > 0) {
		failed(m, &f, ptr);
		return 0;
	}
	if (!ret)
		m->trace.written += n;
	else
		m->trace.fault += n;
	zero = count_down(m, n);
	if (ptr + n == lim)
		wrap(m);
	else
		set_ptr(m, ptr + n);
	if (ret < 0)
		report_abort(m);
	if (zero)
		trigger_event(m);
	return n;
}

static void drain(struct v9_model *m, unsigned int want)
{
	struct v9_trbe *t = &m->trbe;
	struct v9_pe_state s;
	unsigned int done = 0;

	if (!want || t->draining)
		return;
	t->draining = true;
	s = v9_pe(m);
	if (m->cfg.delay && t->regime != s.regime && !owner_regime(m, &s).nvm)
		v9_violate(m, "TRBE-AT11", NULL, s.regime,
			   "the owning translation regime changed with trace not drained");
	while (done < want && !is_stopped(m))
		done += write_some(m, &s, t->fifo + done, want - done);
	if (is_stopped(m)) {
		m->trace.fault += t->n - done;
		done = t->n;
	}
	t->n -= done;
	t->mark = t->mark > done ? t->mark - done : 0;
	memmove(t->fifo, t->fifo + done, t->n);
	t->regime = s.regime;
	t->draining = false;
}

void v9_trbe_drain(struct v9_model *m)
{
	drain(m, m->trbe.n);
}

/* TRBE-SY5; L12 where tracing continues */
static void drain_synced(struct v9_model *m)
{
	if (m->cfg.delay == V9_DELAY_MAX && m->ete.enabled && m->ete.allowed) {
		drain(m, m->trbe.mark);
		return;
	}
	v9_units[V9_UNIT_ETE]->flush(m);
	drain(m, m->trbe.n);
}

/* TSB CSYNC */
static void sync_drain(struct v9_model *m)
{
	m->trace.tsb++;
	drain_synced(m);
	v9_trbe_complete(m);
}

static void complete(struct v9_model *m)
{
	if (m->cfg.ete && m->cfg.delay == V9_DELAY_OFF)
		v9_trbe_drain(m);
	v9_trbe_complete(m);
}

bool v9_trbe_accept(struct v9_model *m, const uint8_t *p, unsigned int n)
{
	struct v9_trbe *t = &m->trbe;

	if (!is_on(m) || t->aarch32) {
		m->trace.off += n;		/* TRBE-EN8 */
		if (m->seen[V9_R_TRCEVENTCTL1R] & V9_TRCEVENTCTL1R_OE)
			m->trace.out += n;	/* ETE-R_MMCKW */
		return true;
	}
	if (is_stopped(m)) {
		m->trace.stopped += n;		/* TRBE-EN7 */
		return true;
	}
	if (m->cfg.trbe_reject && v9_random(m) % m->cfg.trbe_reject == 0 &&
	    !v9_units[V9_UNIT_ETE]->stall(m))
		return false;			/* TRBE-EN5, EN6 */
	m->trace.accepted += n;
	if (!t->n)
		t->regime = m->ete.here.regime;
	if (t->n + n > sizeof(t->fifo))
		v9_trbe_drain(m);
	if (is_stopped(m)) {
		m->trace.fault += n;
		return true;
	}
	memcpy(t->fifo + t->n, p, n);
	t->n += n;
	if (m->cfg.delay == V9_DELAY_RANDOM ? v9_random(m) % 64 == 0 :
	    m->cfg.delay == V9_DELAY_OFF && t->n >= V9_TRBE_PIECE)
		v9_trbe_drain(m);
	return true;
}

static bool ignores(struct v9_model *m, unsigned int reg, uint64_t v)
{
	bool clears = reg == V9_R_TRBLIMITR_EL1 && !(v & V9_TRBLIMITR_EL1_E);
	size_t n;

	if (!is_on(m) || clears || m->seen[reg] == v)
		return false;
	v9_violate(m, "TRBE-UN8", v9_model_regs(&n)[reg].name, v,
		   "written while the Trace Buffer Unit is enabled");
	return m->cfg.trbe_ignore;
}

/* TRBE-UN8: there was no synchronization between programming and enabling. */
static bool too_late(struct v9_model *m, unsigned int reg)
{
	size_t n;

	if (!is_on(m) || reg == V9_R_TRBLIMITR_EL1 || m->val[reg] == m->seen[reg])
		return false;
	v9_violate(m, "TRBE-UN8", v9_model_regs(&n)[reg].name, m->val[reg],
		   "reached the Trace Buffer Unit when it was enabled already");
	return m->cfg.trbe_ignore;
}

/* TRBE-UN6 */
static uint64_t written(struct v9_model *m, const struct v9_pe_state *s, unsigned int reg,
			uint64_t v)
{
	const struct v9_trbe *t = &m->trbe;

	(void)s;
	if (!m->cfg.trbe_raz || (reg != V9_R_TRBPTR_EL1 && reg != V9_R_TRBTRG_EL1) ||
	    v == (reg == V9_R_TRBPTR_EL1 ? t->own_ptr : t->own_trg))
		return v;
	return v & ~(V9_BIT(m->cfg.trbe_align) - 1);
}

/* The value that software wrote to @reg took effect in the unit. */
static void changed(struct v9_model *m, unsigned int reg, uint64_t old)
{
	uint64_t new = m->seen[reg];

	if (reg == V9_R_TRBLIMITR_EL1 && (new & ~old & V9_TRBLIMITR_EL1_E) &&
	    V9_GET(V9_TRBLIMITR_EL1_FM, new) == FM_RESERVED)
		v9_violate(m, "TRBE-PT10", "TRBLIMITR_EL1", new, "a mode that is reserved");
	if (reg != V9_R_TRBLIMITR_EL1 || !(old & ~new & V9_TRBLIMITR_EL1_E))
		return;
	/* TRBE-UN10: pending trace belongs to the buffer as it was before */
	m->seen[reg] = old;
	if (m->cfg.delay && m->trbe.n) {
		v9_violate(m, "TRBE-UN10", "TRBLIMITR_EL1", new,
			   "the buffer was disabled with trace not drained");
		if (m->cfg.cu_disable != V9_CU_DISABLE_WRITE) {
			m->trace.fault += m->trbe.n;
			m->trbe.n = m->trbe.mark = 0;
		}
		if (m->cfg.cu_disable == V9_CU_DISABLE_EVENT)
			event(m, other_reg(m), 0, 0);
	}
	v9_trbe_drain(m);
	m->trbe.trigger_due = false;
	m->trbe.cached = false;		/* TRBE-EN9 */
	m->trbe.ahead = 0;
	v9_store_disabled(m, V9_UNIT_TRBE);
	m->seen[reg] = new;
}

static void reset(struct v9_model *m, bool warm)
{
	(void)warm;
	m->trace.fault += m->trbe.n;
	m->trbe = (struct v9_trbe){ .line = m->trbe.line };
}

/*
 * A Warm reset preserves the registers of the Trace Buffer Unit, except its enable bit. Memory
 * type and shareability are preserved only with FEAT_TRBE_EXT, which the model has together with
 * FEAT_TRBE_MPAM.
 */
static bool survives(struct v9_model *m, unsigned int reg, uint64_t noise, uint64_t *val)
{
	uint64_t v = v9_has(&m->dirty, reg) ? m->val[reg] : m->seen[reg], lost = 0;

	if (reg == V9_R_TRBLIMITR_EL1)
		v &= ~V9_TRBLIMITR_EL1_E;
	else if (reg == V9_R_TRBMAR_EL1 && !m->cfg.trbe_mpam)
		lost = V9_TRBMAR_EL1_SH | V9_TRBMAR_EL1_Attr;
	*val = (v & ~lost) | (noise & lost & m->mask[reg]);
	return true;
}

/* TRBE-AT3: if nVM would be ignored, only virtual addresses are supported */
static uint64_t trbe_addr_mode(const struct v9_model *m, const struct v9_route *r)
{
	struct v9_trace_ctl c = v9_trace_ctl(m);

	c.trblimitr |= V9_TRBLIMITR_EL1_nVM;
	return v9_trbe_nvm(r, v9_feat(m, V9_FEAT_TRBEv1p1), &c) ? 0 :
	       V9_PUT(V9_TRBIDR_EL1_AddrMode, V9_TRBIDR_EL1_AddrMode_VA);
}

static bool read(struct v9_model *m, unsigned int reg, uint64_t *v)
{
	static const uint8_t ea[] = {
		[V9_TRBE_EA_REPORTED] = V9_TRBIDR_EL1_EA_NOT_DESCRIBED,
		[V9_TRBE_EA_IGNORED] = V9_TRBIDR_EL1_EA_IGNORED,
		[V9_TRBE_EA_SERROR] = V9_TRBIDR_EL1_EA_SERROR,
	};
	struct v9_pe_state s;

	if (reg != V9_R_TRBIDR_EL1)
		return false;
	s = v9_pe(m);
	*v = V9_PUT(V9_TRBIDR_EL1_Align, m->cfg.trbe_align) |
	     V9_PUT(V9_TRBIDR_EL1_EA, ea[m->cfg.trbe_ea]) |
	     V9_PUT(V9_TRBIDR_EL1_MaxBuffSize, m->cfg.buffer_limit) |
	     V9_PUT(V9_TRBIDR_EL1_MPAM, m->cfg.trbe_mpam ?
		    V9_TRBIDR_EL1_MPAM_TRBE_MPAM : V9_TRBIDR_EL1_MPAM_NOT_IMPLEMENTED) |
	     (m->cfg.trbe_f ? V9_TRBIDR_EL1_F : 0) |
	     (v9_trbe_denied(&s.r) ? V9_TRBIDR_EL1_P : trbe_addr_mode(m, &s.r));
	return true;
}

static bool sync_trapped(const struct v9_model *m, const struct v9_route *r)
{
	return v9_feat(m, V9_FEAT_TRBEv1p1) && v9_tsb_trapped(r);
}

/* The buffer is enabled, or is about to be. */
static bool has_buffer(const struct v9_model *m)
{
	return (m->seen[V9_R_TRBLIMITR_EL1] | m->val[V9_R_TRBLIMITR_EL1]) & V9_TRBLIMITR_EL1_E;
}

static unsigned int activity(const struct v9_model *m, const struct v9_pe_state *s)
{
	struct v9_trace_ctl t = v9_trace_ctl(m);

	return (has_buffer(m) || (m->cfg.delay && m->trbe.n) ? V9_ACT_SYNC : 0) |
	       (v9_trbe_status_in_memory(&s->r, m->cfg.trbe_exc, &t) ? V9_ACT_TRBSR_NV : 0);
}

static bool late(const struct v9_model *m)
{
	return m->trbe.cached || has_buffer(m);
}

static struct v9_reporting reporting(const struct v9_model *m, const struct v9_route *r)
{
	struct v9_trace_ctl t = v9_trace_ctl(m);

	return v9_trbe_reporting(r, v9_feat(m, V9_FEAT_TRBE_EXC), &t);
}

static unsigned int ea(const struct v9_config *c)
{
	return c->trbe_ea;
}

static const struct v9_unit_buffer buffer = {
	.status = { 0, V9_R_TRBSR_EL1, V9_R_TRBSR_EL2, V9_R_TRBSR_EL3 },
	.el12 = V9_R_TRBSR_EL12,
	.stop = V9_TRBSR_EL1_S,
	.request = V9_TRBSR_EL1_IRQ,	/* TRBE-IR2 */
	.exc = V9_FEAT_TRBE_EXC,
	.fsc = 2,
	.mar = "TRBMAR_EL1",
	.reserved = "TRBE-AT2",
	.mismatched = "TRBE-AT4",
	.device = "TRBE-AT12",
	.too_high = "TRBE-AT6",
	.reporting = reporting,
	.line = set_line,
	.abort = report_abort,
	.impdef = report_impdef,
	.translate = translate,
	.ea = ea,
};

const struct v9_model_unit v9_model_trbe = {
	.buffer = &buffer,
	.stale_rule = "TRBE-UN9",
	.stale = "read without TSB CSYNC and context synchronization: the value is old",
	.access = v9_trace_access,
	.sync_trapped = sync_trapped,
	.survives = survives,
	.reset = reset,
	.ignores = ignores,
	.written = written,
	.read = read,
	.too_late = too_late,
	.changed = changed,
	.complete = complete,
	.drain = sync_drain,
	.dsb = dsb,
	.synced = synced,
	.forget = forget,
	.activity = activity,
	.late = late,
};
