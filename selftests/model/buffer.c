// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The Profiling Buffer: writes records to memory and handles what can fail. The queues are used
 * in the delay modes only.
 */
#include "private.h"

#define PAGE UINT64_C(4096)

static void set_line(struct v9_model *m, bool level)
{
	if (level == m->line)
		return;
	m->line = level;
	if (level)
		m->score.irq_raised++;
	m->bus.line(m->ctx, V9_LINE_PMBIRQ, level);
}

/* Reports a management event (SPE-ME1). Fields that are not given keep their values. */
static void event(struct v9_model *m, enum v9_event kind, unsigned int ec, uint64_t mss,
		  uint64_t sticky)
{
	unsigned int reg = v9_status_of(m, V9_UNIT_SPE, kind);
	uint64_t sr = m->seen[reg];

	/* If an asynchronous abort came first (SPE-ME4), only the sticky bits are added. */
	if (!(sr & V9_PMBSR_EL1_S)) {
		sr &= ~(V9_PMBSR_EL1_EC | V9_PMBSR_EL1_MSS);
		sr |= V9_PUT(V9_PMBSR_EL1_EC, ec) | mss;
	}
	sr |= sticky | V9_PMBSR_EL1_S;
	v9_unit_write(m, reg, sr);
	m->score.events++;
	m->score.discarded += m->fifo_n;	/* SPE-ME3 */
	m->fifo_n = 0;
	v9_status_is(m, reg, sr);
	if (m->bus.event)
		m->bus.event(m->ctx, sr, m->seen[V9_R_PMBPTR_EL1]);
	m->bus.activity_changed(m->ctx);
}

static void set_ptr(struct v9_model *m, uint64_t ptr)
{
	m->own_ptr = ptr;
	v9_unit_write(m, V9_R_PMBPTR_EL1, ptr);
}

/*
 * SPE-ME7, ME11. @inside: the fault is not at the first byte of a record. At the first byte,
 * R_YZJQX permits the unit to set DL or not.
 */
static void failed(struct v9_model *m, const struct v9_fault *f, uint64_t at, bool inside)
{
	bool gpc = f->gpc == V9_GPC_OTHER;
	unsigned int ec = gpc ? V9_PMBSR_EL1_EC_GRANULE_PROTECTION_CHECK :
			  f->stage == 2 ? V9_PMBSR_EL1_EC_STAGE_2_ABORT :
				      V9_PMBSR_EL1_EC_STAGE_1_ABORT;

	set_ptr(m, at);
	event(m, v9_event_of(f), ec, gpc ? 0 : f->fsc,
	      (inside || m->cfg.fault_dl ? V9_PMBSR_EL1_DL : 0) |
	      (f->external ? V9_PMBSR_EL1_EA : 0));
}

/* SPE-ME4, ME11, ME12: the pointer does not give the address of the abort. */
static void report_abort(struct v9_model *m)
{
	unsigned int reg = v9_status_of(m, V9_UNIT_SPE, V9_EVENT_EA_S1);
	uint64_t sticky = V9_PMBSR_EL1_DL | V9_PMBSR_EL1_EA;

	if (!(m->seen[reg] & V9_PMBSR_EL1_S)) {
		event(m, V9_EVENT_EA_S1, V9_PMBSR_EL1_EC_STAGE_1_ABORT,
		      V9_PMBSR_EL1_FSC_EXTERNAL_ASYNC, sticky);
		return;
	}
	v9_unit_write(m, reg, m->seen[reg] | sticky);
}

static void report_impdef(struct v9_model *m)
{
	if (!v9_stopped(m, V9_UNIT_SPE))
		event(m, V9_EVENT_OTHER, V9_PMBSR_EL1_EC_IMPLEMENTATION_DEFINED, 0, 0);
}

static struct v9_regime owner_regime(struct v9_model *m, const struct v9_pe_state *s)
{
	struct v9_owner o = v9_spe_owner(&s->r);
	struct v9_spe_ctl c = v9_seen_ctl(m);

	return (struct v9_regime){
		.ss = o.ss,
		.el = o.el,
		.e2h = o.e2h,
		.nvm = v9_spe_nvm(&s->r, v9_feat(m, V9_FEAT_SPE_nVM), &c),
		.fixed = !m->cfg.f,
		.mem = m->seen[V9_R_PMBMAR_EL1],
	};
}

static int translate(struct v9_model *m, struct v9_regime g, uint64_t va, struct v9_mem_place *to,
		     struct v9_fault *f)
{
	int ret = m->bus.translate(m->ctx, g, va, to, f);

	if (!ret)
		m->score.translations += v9_store_translates(m, V9_UNIT_SPE, &g, va, to->block);
	return ret;
}

/* Pads a record to the alignment (SPE-PB17). Returns its length with padding. */
static unsigned int pad(struct v9_model *m, uint8_t *p, unsigned int n, uint64_t at)
{
	unsigned int align = 1u << m->cfg.align, end = (n + align - 1) & ~(align - 1);

	memset(p + n, 0, end - n);
	/* Older format: one Alignment command and random bytes, if the ends match */
	if (m->cfg.pad_align && m->cfg.align >= 2 && end - n >= 2 && (at + end) % align == 0) {
		p[n] = 0x20 + m->cfg.align - 1;
		p[n + 1] = 0x00;
		for (n += 2; n < end; n++)
			p[n] = (uint8_t)v9_random(m);
	}
	return end;
}

/* J1.1.1.76: SAMPLE_BUFFER_FULL comes with the event. @sticky: as of event() */
static void full(struct v9_model *m, uint64_t sticky)
{
	m->score.full++;
	event(m, V9_EVENT_OTHER, V9_PMBSR_EL1_EC_OTHER, V9_PMBSR_EL1_BSC_FILLED, sticky);
}

static void discard(struct v9_model *m)
{
	m->score.discarded++;
}

static void written(struct v9_model *m, const struct v9_record *r, uint64_t at, unsigned int n)
{
	struct v9_spe_log l = r->log;

	l.n = m->score.written++;
	l.at = at;
	l.size = n;
	m->score.bytes += n;
	m->score.no_va += r->no_va;
	v9_place_written(m, &l, &r->place);
}

/*
 * R_DTGVZ: a fault in the rest of the record has priority over a synchronous abort in its first
 * page. Returns true if there is one, with the fault in @f; its address is @at.
 */
static bool fault_behind(struct v9_model *m, const struct v9_regime *g, uint64_t at, uint64_t end,
			 struct v9_fault *f)
{
	struct v9_mem_place to;
	struct v9_fault later = { 0 };

	if (at >= end || !m->bus.translate(m->ctx, *g, at, &to, &later) || later.external)
		return false;
	*f = later;
	return true;
}

/* Writes the record to memory: SPE-PB15 to PB17, ME5 to ME7, ME11. */
static void write_record(struct v9_model *m, const struct v9_record *r, const struct v9_pe_state *s)
{
	uint64_t lim = m->seen[V9_R_PMBLIMITR_EL1] & V9_PMBLIMITR_EL1_LIMIT;
	uint64_t first = m->seen[V9_R_PMBPTR_EL1], at = first;
	struct v9_regime g = owner_regime(m, s);
	uint8_t bytes[V9_REC_MAX + 2048];
	unsigned int n, done;

	if (m->cfg.spe_version >= 3 && V9_GET(V9_PMBLIMITR_EL1_FM, m->seen[V9_R_PMBLIMITR_EL1]) ==
	    V9_PMBLIMITR_EL1_FM_DISCARD) {
		discard(m);
		return;
	}
	/* Not relevant if no tables are used or nothing is written. */
	if (r->regime != s->regime && !g.nvm)
		v9_violate(m, "SPE-CS9", NULL, s->regime,
			   "the owning translation regime changed with records not drained");
	if (at < lim && v9_store_too_large(m, lim - at)) {
		event(m, V9_EVENT_OTHER, V9_PMBSR_EL1_EC_OTHER, V9_PMBSR_EL1_BSC_SIZE, 0);
		discard(m);
		return;
	}
	memcpy(bytes, r->bytes, r->len);
	n = pad(m, bytes, r->len, at);
	if (at >= lim || lim - at < n) {
		/* SPE-PB4: of the permitted behaviours, this one cannot corrupt memory */
		full(m, V9_PMBSR_EL1_DL);
		discard(m);
		return;
	}
	for (done = 0; done < n; ) {
		unsigned int part = PAGE - (at & (PAGE - 1));
		struct v9_fault f;
		int ret;

		if (part > n - done)
			part = n - done;
		ret = v9_store_piece(m, V9_UNIT_SPE, g, at, bytes + done, part, &f);
		if (ret > 0) {
			if (f.external && fault_behind(m, &g, at + part, first + n, &f))
				at += part;
			discard(m);
			failed(m, &f, at, at != first);
			return;
		}
		if (ret < 0) {
			discard(m);
			set_ptr(m, first + n);
			report_abort(m);
			return;
		}
		done += part;
		at += part;
	}
	set_ptr(m, at);
	written(m, r, first, n);
	/* SPE-ME6 */
	if (lim - at < UINT64_C(1) << m->cfg.max_size)
		full(m, 0);
}

/* SPE-ME13: the record is completed after its buffer was disabled. */
static void write_disabled(struct v9_model *m, const struct v9_record *r,
			   const struct v9_pe_state *s)
{
	v9_violate(m, "SPE-ME13", "PMBLIMITR_EL1", m->seen[V9_R_PMBLIMITR_EL1],
		   "the buffer was disabled with records not drained");
	if (m->cfg.cu_disable == V9_CU_DISABLE_WRITE) {
		write_record(m, r, s);
	} else if (m->cfg.cu_disable == V9_CU_DISABLE_DROP) {
		discard(m);
	} else {
		discard(m);
		event(m, V9_EVENT_OTHER, V9_PMBSR_EL1_EC_OTHER, V9_PMBSR_EL1_BSC_NOT_STOPPED,
		      V9_PMBSR_EL1_DL);
	}
}

static void move(struct v9_model *m, const struct v9_record *r)
{
	struct v9_pe_state s = v9_pe(m);
	struct v9_spe_ctl c = v9_seen_ctl(m);

	if (v9_stopped(m, V9_UNIT_SPE))
		discard(m);	/* SPE-ME3 */
	else if (v9_spe_buffer_enabled(&s.r, &c))
		write_record(m, r, &s);
	else
		write_disabled(m, r, &s);
}

static void pop_first(struct v9_model *m)
{
	struct v9_record r = m->fifo[0];

	memmove(m->fifo, m->fifo + 1, --m->fifo_n * sizeof(m->fifo[0]));
	move(m, &r);
}

/* Size of a record in the buffer, in bytes, including padding */
static unsigned int size_of(const struct v9_model *m, const struct v9_record *r)
{
	unsigned int align = 1u << m->cfg.align;

	return (r->len + align - 1) & ~(align - 1);
}

/* Returns true if a write to [@from, @to) would cause a translation fault. */
static bool would_fault(struct v9_model *m, const struct v9_pe_state *s, uint64_t from, uint64_t to)
{
	struct v9_regime g = owner_regime(m, s);
	struct v9_mem_place place;
	struct v9_fault f;
	uint64_t at;

	if (m->fault_next[V9_UNIT_SPE])
		return true;
	for (at = from; at < to; at = (at | (PAGE - 1)) + 1) {
		memset(&f, 0, sizeof(f));
		if ((g.nvm && at >> m->cfg.pa_bits) || m->bus.translate(m->ctx, g, at, &place, &f))
			return true;
	}
	return false;
}

/*
 * R_WVKFM: a synchronous event stops profiling before another operation is sampled. So the last
 * record of the queue must be written at once if it fills the buffer or, before SPEv1p5, if it
 * faults.
 */
static bool cannot_wait(struct v9_model *m)
{
	uint64_t limitr = m->seen[V9_R_PMBLIMITR_EL1], lim = limitr & V9_PMBLIMITR_EL1_LIMIT;
	uint64_t from = m->seen[V9_R_PMBPTR_EL1], to = from;
	struct v9_pe_state s = v9_pe(m);
	struct v9_spe_ctl c = v9_seen_ctl(m);
	unsigned int i;

	if (!v9_spe_buffer_enabled(&s.r, &c) || (limitr & V9_PMBLIMITR_EL1_FM))
		return false;
	for (i = 0; i < m->fifo_n; i++) {
		from = to;
		to += size_of(m, &m->fifo[i]);
	}
	if (from >= lim || to > lim || lim - to < UINT64_C(1) << m->cfg.max_size)
		return true;
	return m->cfg.spe_version < 6 && would_fault(m, &s, from, to);
}

void v9_buffer_put(struct v9_model *m, const struct v9_record *r)
{
	if (m->cfg.delay == V9_DELAY_OFF) {
		move(m, r);
		return;
	}
	if (m->fifo_n == V9_FIFO)
		pop_first(m);
	if (v9_stopped(m, V9_UNIT_SPE)) {
		discard(m);	/* pop_first() above caused an event: SPE-ME3 */
		return;
	}
	m->fifo[m->fifo_n++] = *r;
	if (cannot_wait(m)) {
		while (m->fifo_n)
			pop_first(m);
		return;
	}
	if (m->cfg.delay == V9_DELAY_RANDOM)
		while (m->fifo_n && v9_random(m) & 1)
			pop_first(m);
}

/* The unit has seen E cleared: handle the queued records, which no longer have a buffer. */
void v9_buffer_disabled(struct v9_model *m)
{
	while (m->fifo_n)
		pop_first(m);
}

/*
 * Bytes past the pointer may have any value (SPE-PB15). The delay modes write random bytes there,
 * except in Device memory, which is written only once (SPE-PB18).
 */
static void poison(struct v9_model *m)
{
	uint64_t lim = m->seen[V9_R_PMBLIMITR_EL1] & V9_PMBLIMITR_EL1_LIMIT;
	uint64_t ptr = m->seen[V9_R_PMBPTR_EL1];
	struct v9_pe_state s = v9_pe(m);
	struct v9_spe_ctl c = v9_seen_ctl(m);
	uint8_t junk[V9_PIECE];
	struct v9_mem_place to;
	struct v9_fault f;
	unsigned int i, n;

	if (!m->cfg.delay || !m->cfg.poison || !v9_spe_buffer_enabled(&s.r, &c) || ptr >= lim ||
	    (c.pmblimitr & V9_PMBLIMITR_EL1_FM))
		return;
	n = PAGE - (ptr & (PAGE - 1));
	if (n > lim - ptr)
		n = lim - ptr;
	if (n > sizeof(junk))
		n = sizeof(junk);
	for (i = 0; i < n; i++)
		junk[i] = (uint8_t)v9_random(m);
	if (!translate(m, owner_regime(m, &s), ptr, &to, &f) && !v9_is_device(to.mem))
		m->bus.store(m->ctx, owner_regime(m, &s), &to, junk, n, &f);
}

/* Writes the records of operations before the last context synchronization event (SPE-SY4). */
void v9_buffer_drain(struct v9_model *m)
{
	while (m->fifo_n && m->fifo[0].epoch < m->epoch)
		pop_first(m);
	poison(m);
}

static struct v9_reporting reporting(const struct v9_model *m, const struct v9_route *r)
{
	struct v9_spe_ctl c = v9_seen_ctl(m);

	return v9_spe_reporting(r, &c);
}

static unsigned int ea(const struct v9_config *c)
{
	return c->spe_ea;
}

const struct v9_unit_buffer v9_spe_buffer = {
	.status = { 0, V9_R_PMBSR_EL1, V9_R_PMBSR_EL2, V9_R_PMBSR_EL3 },
	.el12 = V9_R_PMBSR_EL12,
	.stop = V9_PMBSR_EL1_S,
	.request = V9_PMBSR_EL1_S,	/* SPE-ME2 */
	.exc = V9_FEAT_SPE_EXC,
	.fsc = 1,
	.mar = "PMBMAR_EL1",
	.reserved = "SPE-PB9",
	.mismatched = "SPE-PB10",
	.device = "SPE-PB18",
	.too_high = "SPE-PB12",
	.reporting = reporting,
	.line = set_line,
	.abort = report_abort,
	.impdef = report_impdef,
	.translate = translate,
	.ea = ea,
};
