// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Sampling: counts operations, selects one, follows it to its end, filters, and creates the
 * record.
 */
#include <v9trace/gen/spe_pkt.h>
#include <v9trace/spe.h>

#include "private.h"

/* Largest countdown that is returned at once; below V9_NOT_DUE */
#define GIVE_MAX 0x3fffffff

#define EV(name) V9_BIT(V9_SPE_EV_##name)

/**
 * struct ending - how the sampled operation ended
 * @next: address at which execution continued
 * @va: data address, valid if @has_va
 * @el: Exception level at @next
 * @exception: the operation itself raised an exception
 */
struct ending {
	uint64_t next;
	uint64_t va;
	uint8_t el;
	bool has_va;
	bool exception;
};

/* Counting */

static bool buffer_on(struct v9_model *m)
{
	return (m->seen[V9_R_PMBLIMITR_EL1] & V9_PMBLIMITR_EL1_E) &&
	       !v9_stopped(m, V9_UNIT_SPE);
}

/* PMSIRR_EL1.RND with a second counter (SPE-SI11), or one counter (SI9, SI10) */
static bool two_counters(const struct v9_model *m)
{
	return m->cfg.ernd && (m->seen[V9_R_PMSIRR_EL1] & V9_PMSIRR_EL1_RND);
}

static void reload(struct v9_model *m)
{
	uint64_t irr = m->seen[V9_R_PMSIRR_EL1];
	uint32_t interval = V9_GET(V9_PMSIRR_EL1_INTERVAL, irr);

	if (!interval) {
		v9_violate(m, "SPE-SI13", "PMSIRR_EL1", irr, "the interval is zero");
		interval = 1;
	}
	m->count = interval << 8;
	if ((irr & V9_PMSIRR_EL1_RND) && !m->cfg.ernd)
		m->count |= v9_random(m) & 0xff;
}

/* @n members of the population passed during the countdown; none of them was due. */
static void count(struct v9_model *m, int32_t n)
{
	m->score.pop += n;
	m->count -= n;
	if (m->ecount)
		m->ecount -= n;
	if (n)
		v9_set(&m->udirty, V9_R_PMSICR_EL1);
}

/* Counts one member. Returns true if it is to be sampled: the operation at zero (SPE-SI5). */
static bool count_one(struct v9_model *m)
{
	bool due = false;

	m->score.pop++;
	v9_set(&m->udirty, V9_R_PMSICR_EL1);
	if (!m->count) {
		/* the reload takes the place of counting this member */
		reload(m);
		if (two_counters(m)) {
			m->ecount = v9_random(m) & 0xff;
			due = !m->ecount;
		}
		return due;
	}
	m->count--;
	if (two_counters(m)) {
		due = m->ecount == 1;
		if (m->ecount)
			m->ecount--;
		return due;
	}
	return !m->count;
}

void v9_enter(struct v9_model *m, int32_t cnt, uint64_t dva, bool dvalid)
{
	/* Negative: the hook was called. v9_spe_sample() counts that operation. */
	if (cnt < 0)
		cnt = 0;
	if (m->countdown != V9_NOT_DUE) {
		count(m, m->countdown - cnt);
		m->countdown = cnt;
	}
	m->dva = dva;
	m->dvalid = dvalid;
}

int32_t v9_leave(struct v9_model *m)
{
	uint32_t n = m->count;

	if (m->ecount && m->ecount < n)
		n = m->ecount;
	n = n ? n - 1 : 0;
	if (!buffer_on(m))
		m->countdown = V9_NOT_DUE;
	else if (m->fl.busy || m->stopped || m->cfg.spe_micro)
		/* the next member ends a sample, is the first after a stop, or one of several */
		m->countdown = 0;
	else
		m->countdown = n > GIVE_MAX ? GIVE_MAX : n;
	return m->countdown;
}

/* The buffer that software programmed must have room for a record (SPE-PB2, PB3). */
static void check_pointers(struct v9_model *m)
{
	uint64_t limitr = m->seen[V9_R_PMBLIMITR_EL1], lim = limitr & V9_PMBLIMITR_EL1_LIMIT;
	uint64_t ptr = m->seen[V9_R_PMBPTR_EL1];

	if (limitr & V9_PMBLIMITR_EL1_FM)
		return;		/* SPE-PB5 */
	if (ptr >> 56 != lim >> 56 || ptr > lim || lim - ptr < UINT64_C(1) << m->cfg.max_size)
		v9_violate(m, "SPE-PB2", "PMBPTR_EL1", ptr, "enabled without room for one record");
	else if ((ptr & ((UINT64_C(1) << m->cfg.align) - 1)) && ptr != m->own_ptr)
		v9_violate(m, "SPE-PB3", "PMBPTR_EL1", ptr, "the first pointer is not aligned");
}

/* Filters */

#define TYPES	(V9_PMSFCR_EL1_B | V9_PMSFCR_EL1_LD | V9_PMSFCR_EL1_ST | V9_PMSFCR_EL1_FP | \
		 V9_PMSFCR_EL1_SIMD)
#define MASKS	(V9_PMSFCR_EL1_Bm | V9_PMSFCR_EL1_LDm | V9_PMSFCR_EL1_STm | \
		 V9_PMSFCR_EL1_FPm | V9_PMSFCR_EL1_SIMDm)
_Static_assert(TYPES << 32 == MASKS, "each mask is so far from its type");

/* Types of an operation, in the bit positions of their filters */
static uint64_t types_of(unsigned int flags)
{
	return (flags & V9_OP_BRANCH ? V9_PMSFCR_EL1_B : 0) |
	       (flags & V9_OP_LD ? V9_PMSFCR_EL1_LD : 0) |
	       (flags & V9_OP_ST ? V9_PMSFCR_EL1_ST : 0) |
	       (flags & V9_OP_FP ? V9_PMSFCR_EL1_FP : 0) |
	       (flags & (V9_OP_ASE | V9_OP_SVE) ? V9_PMSFCR_EL1_SIMD : 0);
}

/*
 * SPE-FI2, FI13: the operation must have one of the selected types that have no mask. A type with
 * a mask must be present if it is selected, and absent if it is not.
 */
static bool is_type(uint64_t fcr, unsigned int flags)
{
	uint64_t masks = (fcr & MASKS) >> 32, any = fcr & TYPES & ~masks;
	uint64_t types = types_of(flags);

	return !((types ^ fcr) & masks) && (!any || (types & any));
}

/* SPE-FI14: PMSDSFR_EL1 selects the source of a load. @source: data source, -1 without a Data Source packet */
static bool is_source(const struct v9_model *m, int source)
{
	return source >= 0 && m->seen[V9_R_PMSDSFR_EL1] >> (source & 63) & 1;
}

/*
 * J1.1.1.84 to 87: the PMU events of a sample. They depend on what the filters select, and not on whether they
 * are enabled. @source: as of is_source()
 */
static void count_feed(struct v9_model *m, uint64_t ev, unsigned int latency, unsigned int flags, int source)
{
	const uint64_t fcr = m->seen[V9_R_PMSFCR_EL1], types = types_of(flags);
	uint64_t *feed = m->score.feed;

	if (!v9_feat(m, V9_FEAT_SPEv1p2))
		return;
	feed[V9_FEED_BR] += !!(flags & V9_OP_BRANCH);
	feed[V9_FEED_LD] += !!(flags & V9_OP_LD);
	feed[V9_FEED_ST] += !!(flags & V9_OP_ST);
	feed[V9_FEED_OP] += (fcr & (TYPES | MASKS)) && is_type(fcr, flags);
	feed[V9_FEED_EVENT] += v9_spe_events_pass(m, ev, m->seen[V9_R_PMSEVFR_EL1], false) &&
			       v9_spe_events_pass(m, ev, m->seen[V9_R_PMSNEVFR_EL1], true);
	feed[V9_FEED_LAT] += latency >= V9_GET(V9_PMSLATFR_EL1_MINLAT, m->seen[V9_R_PMSLATFR_EL1]);
	feed[V9_FEED_FP] += !!(types & V9_PMSFCR_EL1_FP);
	feed[V9_FEED_SIMD] += !!(types & V9_PMSFCR_EL1_SIMD);
	feed[V9_FEED_DS] += is_source(m, source);
}

/* SPE-FI1 to FI14. @source: as of is_source() */
static bool keep(const struct v9_model *m, uint64_t ev, unsigned int latency, unsigned int flags,
		 int source)
{
	uint64_t fcr = m->seen[V9_R_PMSFCR_EL1], want;
	bool empty_drops = m->cfg.cu_filter == V9_CU_FILTER_DROP;
	unsigned int minlat;

	if (fcr & V9_PMSFCR_EL1_FE) {
		want = m->seen[V9_R_PMSEVFR_EL1];
		if (!want ? empty_drops : !v9_spe_events_pass(m, ev, want, false))
			return false;
	}
	if (fcr & V9_PMSFCR_EL1_FnE) {
		want = m->seen[V9_R_PMSNEVFR_EL1];
		if (!want ? empty_drops : !v9_spe_events_pass(m, ev, want, true))
			return false;
	}
	/* D17.5.1: with FEAT_SPE_EFT an empty type selection discards nothing */
	if ((fcr & V9_PMSFCR_EL1_FT) && (fcr & (TYPES | MASKS) ? !is_type(fcr, flags) :
					 empty_drops && !m->cfg.eft))
		return false;
	if ((fcr & V9_PMSFCR_EL1_FDS) && source >= 0 && !is_source(m, source))
		return false;
	if (fcr & V9_PMSFCR_EL1_FL) {
		minlat = V9_GET(V9_PMSLATFR_EL1_MINLAT, m->seen[V9_R_PMSLATFR_EL1]);
		if (!minlat ? empty_drops : latency < minlat)
			return false;
	}
	return true;
}

/* Records */

static void add(struct v9_spe_packets *l, unsigned int kind, unsigned int index, unsigned int size,
		uint64_t payload)
{
	l->p[l->n++] = (struct v9_spe_pkt){
		.kind = kind, .index = index, .payload_size = size, .payload = payload,
	};
}

/* Byte of an instruction address with Security state and Exception level */
static uint64_t place(unsigned int ss, unsigned int el)
{
	uint64_t v = V9_PUT(V9_SPE_ADDRESS_EL, el);

	if (ss == V9_SS_NONSECURE || ss == V9_SS_REALM)
		v |= V9_SPE_ADDRESS_NS;
	if (ss == V9_SS_ROOT || ss == V9_SS_REALM)
		v |= V9_SPE_ADDRESS_NSE;
	return v;
}

static unsigned int size_of_events(const struct v9_model *m)
{
	return m->cfg.spe_version >= 5 || m->cfg.spe_predicates || v9_spe_impdef_events(m) >> 16 ? 4 : 2;
}

/* Encodes the packets of @r->log. */
static void encode(struct v9_model *m, struct v9_record *r, const struct v9_sampled_op *f,
		   unsigned int next_el, unsigned int pas)
{
	/* SPE-CD33: the tag that the access was checked with */
	const uint64_t tag = !f->checked || !m->cfg.has_mte ? 0 :
			     V9_SPE_ADDRESS_CH | V9_PUT(V9_SPE_ADDRESS_PAT, r->log.va >> 56);
	const struct v9_spe_log *l = &r->log;
	struct v9_spe_packets p = { .n = 0 };

	if (l->has & V9_LOG_PC)
		add(&p, V9_SPE_ADDRESS, V9_SPE_ADDR_PC, 8, l->pc | place(f->ss, f->el));
	if (l->has & V9_LOG_CTX1)
		add(&p, V9_SPE_CONTEXT, 0, 4, l->ctx1);
	if (l->has & V9_LOG_CTX2)
		add(&p, V9_SPE_CONTEXT, 1, 4, l->ctx2);
	if (l->has & V9_LOG_OP)
		add(&p, V9_SPE_OP_TYPE, l->op & 3, 1, l->opc);
	add(&p, V9_SPE_EVENTS, 0, size_of_events(m), l->ev);
	if (l->has & V9_LOG_ISSUE)
		add(&p, V9_SPE_COUNTER, V9_SPE_CNT_ISSUE, 2, l->lat_issue);
	if (l->has & V9_LOG_XLAT)
		add(&p, V9_SPE_COUNTER, V9_SPE_CNT_TRANSLATION, 2, l->lat_xlat);
	if (l->has & V9_LOG_LAT)
		add(&p, V9_SPE_COUNTER, V9_SPE_CNT_TOTAL, 2, l->lat_total);
	if (l->has & V9_LOG_TGT)
		add(&p, V9_SPE_ADDRESS, V9_SPE_ADDR_TARGET, 8, l->tgt | place(f->ss, next_el));
	if (l->has & V9_LOG_VA)
		add(&p, V9_SPE_ADDRESS, V9_SPE_ADDR_VA, 8, l->va);
	if (l->has & V9_LOG_PA)
		add(&p, V9_SPE_ADDRESS, V9_SPE_ADDR_PA, 8, l->pa | place(pas, 0) | tag);
	if (l->has & V9_LOG_DS)
		add(&p, V9_SPE_DATA_SOURCE, 0, m->cfg.fds ? 2 : 1, l->ds);
	/* SPE-PK7: one of the two is last */
	if (l->has & V9_LOG_TS)
		add(&p, V9_SPE_TIMESTAMP, 0, 8, l->ts);
	else
		add(&p, V9_SPE_END, 0, 0, 0);
	v9_spe_write(m, r, &p);
}

static uint64_t events_of(const struct v9_model *m, const struct v9_sampled_op *f, uint64_t va,
			  bool exception, const struct v9_happened *h)
{
	uint64_t ev = EV(RETIRED);

	if (exception)
		ev |= EV(EXCEPTION);
	if (!f->passed)
		ev |= EV(NOT_TAKEN);
	if (h->mispredicted)
		ev |= EV(MISPREDICTED);
	if (h->data) {
		ev |= EV(L1D_ACCESS) | EV(TLB_ACCESS);
		if (h->walk)
			ev |= EV(TLB_WALK);
		if (h->level != V9_LEVEL_L1)
			ev |= EV(L1D_REFILL);
		if (!m->cfg.spe_lean && (h->level == V9_LEVEL_LLC || h->level == V9_LEVEL_DRAM))
			ev |= EV(LLC_ACCESS);
		if (!m->cfg.spe_lean && h->level == V9_LEVEL_DRAM)
			ev |= EV(LLC_MISS);
		if (m->cfg.spe_version >= 5 && h->level != V9_LEVEL_L1)
			ev |= EV(L2D_ACCESS) | (h->level == V9_LEVEL_L2 ? 0 : EV(L2D_MISS));
		if (m->cfg.spe_version >= 2 && (va & ((1u << f->class.size) - 1)))
			ev |= EV(MISALIGNED);
	}
	return ev;
}

/* SPE-CD7: the top byte holds the tag if it is ignored, otherwise zero. */
static uint64_t data_address(const struct v9_sampled_op *f, uint64_t va)
{
	bool tagged = f->tbi & ((va & V9_BIT(55)) ? 2 : 1);

	return tagged ? va : va & V9_SPE_ADDRESS_ADDR;
}

static struct v9_latency latency_of(const struct v9_model *m, const struct v9_sampled_op *f,
				    const struct v9_happened *h)
{
	uint64_t noise = v9_mix(m->cfg.seed ^ f->insn.pc, m->score.samples);
	unsigned int most = m->cfg.count16 ? 0xffff : 0xfff;
	struct v9_latency lat = { .total = m->cfg.lat_total, .issue = 1, .xlat = h->data };

	if (m->cfg.lat != V9_LAT_FIXED)
		lat = v9_timing_latency(noise, &f->class, h, m->cfg.lat_dram);
	if (m->cfg.spe_lean)
		lat.issue = 1;
	if (lat.total > most)
		lat.total = most;
	return lat;
}

static uint64_t impdef_events(struct v9_model *m)
{
	const uint64_t all = v9_spe_impdef_events(m);

	return all ? v9_random(m) & all : 0;
}

/* Counts the record. Returns true if it passes the filters. @source: as of is_source() */
static bool passes(struct v9_model *m, uint64_t ev, unsigned int latency, unsigned int flags, int source)
{
	const bool kept = keep(m, ev, latency, flags, source);

	count_feed(m, ev, latency, flags, source);
	m->score.passed += kept;
	m->score.filtered += !kept;
	return kept;
}

/* SPE-CD12: the time when the operation was sampled, or any later one until it ends */
static uint64_t stamp_of(struct v9_model *m, const struct v9_sampled_op *f, unsigned int total)
{
	const unsigned int cycles = m->cfg.spe_stamp ? (unsigned int)(v9_random(m) % (total + 1)) : 0;

	return v9_clock_step(f->ts + (cycles ? cycles / m->cfg.spe_stamp : 0), m->cfg.clock_step);
}

/* Sets what records of all operations have. */
static void fill(struct v9_model *m, struct v9_spe_log *l, const struct v9_sampled_op *f,
		 const struct v9_latency *lat)
{
	l->has = V9_LOG_PC | V9_LOG_LAT | V9_LOG_OP;
	l->pc = f->insn.pc & V9_SPE_ADDRESS_ADDR;
	l->el = f->el;
	l->op = f->class.op;
	l->opc = f->class.opc;
	l->lat_total = lat->total;
	l->lat_issue = lat->issue;
	l->ctx1 = f->ctx1;
	l->ctx2 = f->ctx2;
	l->ts = stamp_of(m, f, lat->total);
	if (f->show & V9_SPE_SHOW_CX1)
		l->has |= V9_LOG_CTX1;
	if (f->show & V9_SPE_SHOW_CX2)
		l->has |= V9_LOG_CTX2;
	if (f->show & V9_SPE_SHOW_TS)
		l->has |= V9_LOG_TS;
}

/* @next_el: Exception level of the branch target; @pas: address space of the physical address */
static void put_record(struct v9_model *m, struct v9_record *r, const struct v9_sampled_op *f,
		       unsigned int next_el, unsigned int pas)
{
	/* SPE-CD14: a counter that is constant may be left out */
	if ((r->log.has & V9_LOG_LAT) && !m->cfg.spe_lean)
		r->log.has |= V9_LOG_ISSUE;
	encode(m, r, f, next_el, pas);
	r->place = f->place;
	r->epoch = m->epoch;
	r->regime = v9_pe(m).regime;
	v9_buffer_put(m, r);
}

/* SPE-CD4, SI18: an Events packet, End or Timestamp, and what else the unit chooses */
static void finish_unretired(struct v9_model *m, const struct v9_sampled_op *f)
{
	struct v9_record r = { .len = 0 };
	const struct v9_latency lat = latency_of(m, f, &(struct v9_happened){ .data = false });

	m->busy_until = f->pop + lat.total;
	r.log.ev = impdef_events(m);
	if (!passes(m, r.log.ev, lat.total, f->class.flags, -1))
		return;
	fill(m, &r.log, f, &lat);
	r.log.has &= f->has | V9_LOG_TS;
	put_record(m, &r, f, f->el, V9_SS_NONSECURE);
}

/* FEAT_NV2: a register access with a data address is one to memory (D17.6.4.2). */
static void transform(struct v9_class *c, uint32_t op)
{
	const bool store = !(op & 0x00200000);		/* MSR */

	*c = (struct v9_class){
		.op = 0x49, .opc = 0x30 | store, .size = 3,
		.flags = V9_OP_SYSREG | (store ? V9_OP_ST : V9_OP_LD),
	};
}

/* The memory system's part of the access of @f: what happened, and the physical address */
static bool access_memory(struct v9_model *m, const struct v9_sampled_op *f, uint64_t va, struct v9_happened *h,
			  uint64_t *pa, enum v9_ss *pas)
{
	const bool store = (f->class.flags & V9_OP_ST) && !f->reads;
	const bool has_pa = m->bus.data(m->ctx, va, (store ? V9_DATA_STORE : 0) |
					(f->class.flags & V9_OP_SYSREG ? V9_DATA_EL2 : 0), pa, pas);

	v9_timing_data(&m->timing, va, has_pa ? *pa : va, h);
	if (has_pa && m->bus.peer && m->bus.peer(m->ctx, *pa, store))
		h->level = V9_LEVEL_PEER;
	return has_pa;
}

static void finish(struct v9_model *m, const struct ending *e)
{
	struct v9_sampled_op *f = &m->fl;
	struct v9_spe_access a = { e->va, e->has_va, false };
	unsigned int flags;
	struct v9_happened h = { 0 };
	struct v9_record r = { .len = 0 };
	struct v9_spe_log *l = &r.log;
	struct v9_latency lat;
	bool has_pa = false, has_ds;
	enum v9_ss pas = V9_SS_NONSECURE;

	f->busy = false;
	if ((f->class.flags & V9_OP_SYSREG) && e->has_va && !e->exception)
		transform(&f->class, f->insn.op);
	flags = f->class.flags;
	if ((flags & (V9_OP_LD | V9_OP_ST)) && !e->exception) {
		a = v9_spe_access_of(m, f, e->va, e->has_va);
		if (a.done)
			has_pa = access_memory(m, f, a.va, &h, &l->pa, &pas);
		r.no_va = !a.known && !f->told && !e->has_va;
	}
	if (e->exception)
		flags &= ~V9_OP_BRANCH;		/* SPE-CD3: then it is not a branch */
	if (flags & V9_OP_BRANCH)
		h.mispredicted = v9_predictor_branch(&m->timing.branches, f->class.flags, f->insn.pc,
						     f->passed, e->next);
	lat = latency_of(m, f, &h);
	m->busy_until = f->pop + lat.total;

	l->ev = events_of(m, f, a.va, e->exception, &h) | v9_spe_predicate_events(m, f) | impdef_events(m);
	has_ds = h.data && m->cfg.lds && (flags & V9_OP_LD) && !((flags & V9_OP_COPY) && !f->reads);
	if (!passes(m, l->ev, lat.total, flags, has_ds ? h.level : -1))
		return;

	fill(m, l, f, &lat);
	if (!(flags & V9_OP_BRANCH) && (f->class.flags & V9_OP_BRANCH))
		l->has &= ~V9_LOG_OP;
	l->lat_xlat = lat.xlat;
	l->ds = h.level;
	l->tgt = e->next & V9_SPE_ADDRESS_ADDR;
	l->va = data_address(f, a.va);
	l->pa &= V9_SPE_ADDRESS_ADDR;
	/* D17.6.4.2: EL1 may not see where EL2 keeps its registers */
	if ((flags & V9_OP_SYSREG) && !f->el2)
		a.known = has_pa = false;
	if ((flags & V9_OP_BRANCH) && f->passed)
		l->has |= V9_LOG_TGT;
	if ((flags & (V9_OP_LD | V9_OP_ST)) && a.known)
		l->has |= V9_LOG_VA;
	if (h.data) {
		l->has |= V9_LOG_XLAT;
		if (has_pa && (f->show & V9_SPE_SHOW_PA))
			l->has |= V9_LOG_PA;
		if (has_ds)
			l->has |= V9_LOG_DS;
	}
	put_record(m, &r, f, e->el, pas);
}

/* Selection */

static uint64_t timestamp(struct v9_model *m, unsigned int show)
{
	if (!(show & V9_SPE_SHOW_TS))
		return 0;
	return m->bus.count(m->ctx, show & V9_SPE_SHOW_PHYS ? V9_CLOCK_PHYSICAL :
				    show & V9_SPE_SHOW_GUEST ? V9_CLOCK_GUEST_PHYSICAL :
				    V9_CLOCK_CNTVCT);
}

/* Profiling at EL2 is enabled. */
static bool at_el2(const struct v9_pe_state *s, const struct v9_spe_ctl *c)
{
	struct v9_route r = s->r;

	r.el = 2;
	return r.has_el2 && v9_spe_profiling(&r, c);
}

/*
 * Samples part @part of the next instruction; or, if @other is not NULL, an operation that does not retire, which
 * that makes of it.
 */
static void sample(struct v9_model *m, const struct v9_pe_state *s, const struct v9_spe_ctl *c,
		   const struct v9_pe_insn *i, unsigned int part,
		   void (*other)(struct v9_model *m, struct v9_sampled_op *f))
{
	struct v9_sampled_op *f = &m->fl;

	if (m->fl.busy || m->score.pop < m->busy_until) {
		/* SPE-SI15 */
		m->score.collided++;
		m->coll_reg = v9_status_of(m, V9_UNIT_SPE, V9_EVENT_OTHER);
		m->seen[m->coll_reg] |= V9_PMBSR_EL1_COLL;
		if (m->cfg.delay)
			m->coll_new = true;
		else
			m->val[m->coll_reg] |= V9_PMBSR_EL1_COLL;
		return;
	}
	m->score.samples++;
	f->busy = true;
	f->insn = *i;
	f->class = v9_classify(i->op, m->cfg.spe_version, s->sve_vq);
	f->vq = f->class.flags & V9_OP_SME ? s->sme_vq : s->sve_vq;
	f->class.opc = v9_spe_payload(m, f);
	f->offset = f->first = f->count = f->told = f->chosen = 0;
	f->reads = f->has_source = f->checked = false;
	v9_spe_part(m, f, part);
	if (f->class.flags & V9_OP_COPY)
		v9_spe_copy(m, f);
	f->el2 = at_el2(s, c);
	f->passed = v9_condition_holds(i, &f->class);
	f->el = s->r.el;
	f->ss = v9_route_ss(&s->r);
	f->tbi = s->tbi;
	f->show = v9_spe_exposure(&s->r, c);
	f->pop = m->score.pop;
	f->ts = timestamp(m, f->show);
	f->ctx1 = s->contextidr_el1;
	f->ctx2 = s->contextidr_el2;
	f->place = v9_place_begin(m, i);
	if (other) {
		other(m, f);
		f->busy = false;
		finish_unretired(m, f);
	}
}

/*
 * Counts the parts of the next instruction, and before them an operation of no instruction, and the operations of
 * wrong paths that are sampled.
 */
static void count_insn(struct v9_model *m, const struct v9_pe_state *s, const struct v9_spe_ctl *c,
		       const struct v9_pe_insn *i)
{
	const unsigned int parts = v9_spe_parts(m, i->op, s->sve_vq);
	unsigned int part = 0;

	if (v9_spe_has_extra(m) && count_one(m))
		sample(m, s, c, i, 0, v9_spe_extra);
	while (part < parts) {
		const bool due = count_one(m), wrong = due && v9_spe_is_wrong(m);

		if (due)
			sample(m, s, c, i, part, wrong ? v9_spe_wrong_path : NULL);
		part += !wrong;
	}
}

/* End of the sampled operation */

static void complete(struct v9_model *m)
{
	struct ending e;

	if (!m->fl.busy)
		return;
	e = (struct ending){
		.next = m->fl.insn.pc + 4, .el = m->fl.el,
		.va = m->dva, .has_va = m->dvalid,
	};
	finish(m, &e);
}

static void mark(struct v9_model *m, const struct v9_pe_state *s)
{
	struct v9_spe_ctl c = v9_seen_ctl(m);

	if (!v9_spe_profiling(&s->r, &c))
		m->stopped = true;
}

int32_t v9_spe_sample(struct v9_model *m, const struct v9_pe_insn *i)
{
	struct v9_pe_state s;
	struct v9_spe_ctl c;

	if (m->fl.busy) {
		struct ending e = {
			.next = i->pc, .el = m->fl.el, .va = m->dva, .has_va = m->dvalid,
		};

		finish(m, &e);
	}
	s = v9_pe(m);
	c = v9_seen_ctl(m);
	if (!v9_spe_profiling(&s.r, &c)) {
		m->stopped = true;
		return v9_leave(m);
	}
	if (m->stopped) {
		m->stopped = false;
		check_pointers(m);
		if (!m->count && !m->ecount)
			reload(m);	/* SPE-SI8 */
	}
	count_insn(m, &s, &c, i);
	return v9_leave(m);
}

/* ESR_ELx.ISS.WnR of a Data Abort: the fault is that of a write */
#define WNR 0x40

static void exception(struct v9_model *m, const struct v9_pe_state *s, const struct v9_exc *x)
{
	struct v9_sampled_op *f = &m->fl;

	if (f->busy) {
		/* SPE-SI6, CD3: did the sampled operation raise it, or a later one? */
		bool own = x->sync && (x->ret == f->insn.pc || (f->class.flags & V9_OP_EXCGEN));
		struct ending e = {
			.next = x->ret, .el = f->el, .exception = own,
			.va = m->dva, .has_va = m->dvalid,
		};

		if (own) {
			e.va = x->fault_va;
			e.has_va = x->has_va;
			if ((f->class.flags & V9_OP_COPY) && x->has_va)
				f->class.opc = (f->class.opc & ~1) | !!(x->esr & WNR);
		}
		finish(m, &e);
	}
	mark(m, s);
}

static void eret(struct v9_model *m, const struct v9_pe_state *s, uint64_t target, unsigned int el)
{
	(void)s;
	if (m->fl.busy) {
		struct ending e = { .next = target, .el = el };

		finish(m, &e);
	}
}

/*
 * A new value took effect in the unit. Queued records are written when the buffer is disabled and
 * discarded when the unit is stopped.
 */
static void changed(struct v9_model *m, unsigned int reg, uint64_t old)
{
	uint64_t new = m->seen[reg];

	if (reg == V9_R_PMBLIMITR_EL1 && (old & ~new & V9_PMBLIMITR_EL1_E)) {
		/* queued records belong to the buffer as it was before */
		m->seen[reg] = old & ~V9_PMBLIMITR_EL1_E;
		v9_buffer_disabled(m);
		v9_store_disabled(m, V9_UNIT_SPE);
		m->seen[reg] = new;
	}
	if (reg == V9_R_PMSICR_EL1) {
		m->count = V9_GET(V9_PMSICR_EL1_COUNT, new);
		m->ecount = V9_GET(V9_PMSICR_EL1_ECOUNT, new);
	}
	if (m->fifo_n && v9_stopped(m, V9_UNIT_SPE)) {
		m->score.discarded += m->fifo_n;
		m->fifo_n = 0;
	}
}

static void reset(struct v9_model *m, bool warm)
{
	(void)warm;
	m->score.dropped += m->fl.busy;
	m->score.discarded += m->fifo_n;
	m->fl.busy = false;
	m->fifo_n = m->store_n = 0;
	m->count = V9_GET(V9_PMSICR_EL1_COUNT, m->val[V9_R_PMSICR_EL1]);
	m->ecount = V9_GET(V9_PMSICR_EL1_ECOUNT, m->val[V9_R_PMSICR_EL1]);
	m->stopped = true;
	m->countdown = V9_NOT_DUE;
	m->busy_until = 0;
	v9_timing_reset(&m->timing);
}

/* Registers */

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
		       (c->spe_micro ? 0 : V9_PMSIDR_EL1_ArchInst) |
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

/* SPE-PB6: depends on whether nVM would take effect. The encoding differs from TRBIDR_EL1. */
static uint64_t spe_addr_mode(const struct v9_model *m, const struct v9_route *r)
{
	struct v9_spe_ctl c = v9_seen_ctl(m);

	c.pmblimitr |= V9_PMBLIMITR_EL1_nVM;
	return V9_PUT(V9_PMBIDR_EL1_AddrMode, v9_spe_nvm(r, v9_feat(m, V9_FEAT_SPE_nVM), &c) ?
		      V9_PMBIDR_EL1_AddrMode_VA_PA : V9_PMBIDR_EL1_AddrMode_VA);
}

static bool read(struct v9_model *m, unsigned int reg, uint64_t *v)
{
	struct v9_pe_state s;

	if (reg != V9_R_PMSIDR_EL1 && reg != V9_R_PMBIDR_EL1)
		return false;
	s = v9_pe(m);
	*v = id_value(m, reg);
	if (reg == V9_R_PMBIDR_EL1)
		*v |= v9_spe_denied(&s.r) ? V9_PMBIDR_EL1_P : spe_addr_mode(m, &s.r);
	return true;
}

static uint64_t value(const struct v9_model *m, unsigned int reg)
{
	if (reg != V9_R_PMSICR_EL1)
		return m->seen[reg];
	return V9_PUT(V9_PMSICR_EL1_ECOUNT, m->ecount) | V9_PUT(V9_PMSICR_EL1_COUNT, m->count);
}

/* Software must not move a buffer in use (SPE-SY10). Clearing E is checked when it takes effect. */
static void check_write(struct v9_model *m, const struct v9_pe_state *s, unsigned int reg,
			uint64_t v)
{
	struct v9_spe_ctl c = v9_seen_ctl(m);
	uint64_t change = v ^ m->seen[reg];
	size_t n;

	if (reg == V9_R_PMBLIMITR_EL1)
		change &= V9_PMBLIMITR_EL1_LIMIT | V9_PMBLIMITR_EL1_FM;
	else if (reg != V9_R_PMBPTR_EL1)
		change = 0;
	if (reg == V9_R_PMBLIMITR_EL1 && !(v & V9_PMBLIMITR_EL1_E))
		change = 0;
	if (change && v9_spe_buffer_enabled(&s->r, &c) &&
	    (v9_spe_profiling(&s->r, &c) || (m->fl.busy || m->fifo_n)))
		v9_violate(m, "SPE-SY10", v9_model_regs(&n)[reg].name, v,
			   "the buffer was moved while in use");
	/* SPE-SY6 */
	if (m->cfg.delay && (reg == V9_R_PMBPTR_EL1 || reg == V9_R_PMBSR_EL1) && m->fifo_n)
		v9_violate(m, "SPE-SY6", v9_model_regs(&n)[reg].name, v,
			   "written while records before it are not drained");
}

static uint64_t written(struct v9_model *m, const struct v9_pe_state *s, unsigned int reg,
			uint64_t v)
{
	if (!s->r.has_ecv && (reg == V9_R_PMSCR_EL1 || reg == V9_R_PMSCR_EL2))
		v &= ~UINT64_C(0x80);		/* the second bit of PCT */
	if (reg == V9_R_PMSCR_EL1 && !s->r.has_el2)
		v |= V9_PUT(V9_PMSCR_EL1_PCT, 1);	/* SPE-CD18 */
	if (reg == V9_R_PMSCR_EL2 && !s->r.has_el2)
		v = 0;
	check_write(m, s, reg, v);
	return v;
}

static void regs_init(struct v9_model *m)
{
	const uint64_t absent = m->cfg.spe_lean ? EV(LLC_ACCESS) | EV(LLC_MISS) : 0;
	uint64_t events = (events_by_version[m->cfg.spe_version] & ~absent) | v9_spe_impdef_events(m) |
			  (m->cfg.spe_predicates ? V9_BIT(17) | V9_BIT(18) : 0);
	/* E[1] is always required if only what retires is sampled (SPE-FI9). */
	uint64_t one = m->cfg.spe_wrong || m->cfg.spe_extra ? 0 : events & V9_BIT(1);

	m->mask[V9_R_PMSEVFR_EL1] = events & ~one;
	m->one[V9_R_PMSEVFR_EL1] = one;
	m->mask[V9_R_PMSNEVFR_EL1] &= events & ~one;
	if (!m->cfg.count16)
		m->mask[V9_R_PMSLATFR_EL1] &= 0xfff;
	for (unsigned int level = 1; level <= 3; level++)
		m->mask[v9_spe_buffer.status[level]] &= ~V9_PMBSR_EL1_MSS2;
}

/* PSB CSYNC */
static void drain(struct v9_model *m)
{
	m->score.psb++;
	v9_buffer_drain(m);
}

static void synced(struct v9_model *m)
{
	m->busy_until = 0;	/* all operations before this are complete */
}

static bool sync_trapped(const struct v9_model *m, const struct v9_route *r)
{
	return m->cfg.spe_version >= 6 && v9_psb_trapped(r);
}

/* The buffer is enabled, or is about to be. */
static bool has_buffer(const struct v9_model *m)
{
	return (m->seen[V9_R_PMBLIMITR_EL1] | m->val[V9_R_PMBLIMITR_EL1]) & V9_PMBLIMITR_EL1_E;
}

static unsigned int activity(const struct v9_model *m, const struct v9_pe_state *s)
{
	struct v9_spe_ctl c = v9_seen_ctl(m);

	return (v9_spe_profiling(&s->r, &c) ? V9_ACT_SPE : 0) |
	       (has_buffer(m) || (m->cfg.delay && m->fifo_n) ? V9_ACT_SYNC : 0) |
	       (v9_spe_status_in_memory(&s->r, &c) ? V9_ACT_PMBSR_NV : 0);
}

const struct v9_model_unit v9_model_spe = {
	.buffer = &v9_spe_buffer,
	.control = { 0, V9_R_PMSCR_EL1, V9_R_PMSCR_EL2 },
	.ee = { 0, V9_PMSCR_EL1_EE, V9_PMSCR_EL2_EE },
	.stale_rule = "SPE-SY5",
	.stale = "read without PSB CSYNC and context synchronization: the value is old",
	.access = v9_spe_access,
	.sync_trapped = sync_trapped,
	.regs_init = regs_init,
	.reset = reset,
	.written = written,
	.read = read,
	.value = value,
	.changed = changed,
	.complete = complete,
	.mark = mark,
	.exception = exception,
	.eret = eret,
	.drain = drain,
	.synced = synced,
	.activity = activity,
	.late = has_buffer,
};
