// SPDX-License-Identifier: GPL-2.0-only
/*
 * drivers/lib/seq_ete.c and drivers/lib/seq_trbe.c with the strict model and delayed effects. A
 * scenario of starts, stops and interrupts must log no violation and lose no byte without need.
 * Each window must begin with an Alignment Synchronization and end with a complete packet. Then
 * each barrier is removed, one at a time, and the test must notice.
 */
#include "tap.h"
#include "hw.h"
#include "model_trace.h"
#include "private.h"
#include "v9trace/errata.h"
#include "v9trace/fault_action.h"
#include "v9trace/seq.h"

#define USER	UINT64_C(0x400000)

#define TRB_WRAP	0x400c	/* this input has an effect also where tracing is prohibited */

#define POLL	99	/* number of the barrier in a poll */

/* The running sequence. A barrier is identified by it and by its number in it. */
enum tag { NONE, RESET, START, STOP, TAGS };
enum barrier { ISB, DSB, TSB };
static const char * const tag_name[] = { "", "reset", "start", "stop" };
static const char * const barrier_name[] = { "isb", "dsb", "tsb" };

struct key {
	enum tag tag;
	unsigned int nr;
	enum barrier kind;
};

static struct {
	struct fk *f;
	enum tag tag;
	unsigned int nr;
	struct key skip;
	struct key seen[32];
	unsigned int seen_n;
	unsigned long wrong, polls;
	bool deaf;			/* the trace unit never becomes idle */
	bool still;			/* the trace unit is always idle */
	uint64_t us, tick;		/* the clock, and its step per read */
	uint64_t used, windows, full, early, ignores;
	unsigned int stamps, early_stamps;	/* Timestamp packets; values below 1000000 */
	unsigned int locked;
	uint64_t posted;		/* address of a pending store of the CPU, or 0 */
	uint32_t last;			/* last register accessed */
	unsigned int writes;
	unsigned int input;		/* input between prohibition and disable */
	unsigned int event;		/* event of the unit that is pending then */
	char steps[64];			/* the accesses, one letter each: see step() */
} pe;

/* hw_read(), hw_write() and barriers */

static void step(char what)
{
	size_t n = strlen(pe.steps);

	/* A poll is one step, with any number of reads. */
	if (n + 1 < sizeof(pe.steps) && !(what == '?' && n && pe.steps[n - 1] == '?'))
		pe.steps[n] = what;
}

/* The driver itself executes instructions, which are traced if the kernel is. */
static void execute(void)
{
	if (tk_on(pe.f))
		tk_p0(pe.f, TK_BR, 0, pe.f->pc ^ 0x40);
}

/*
 * Padding that the CPU writes may stay in its store buffer until a DSB. In an overwritten buffer it
 * is inside the window (TRBE-SY13): a late store overwrites what the unit wrote there.
 */
static void posted(void)
{
	if (pe.posted)
		memset(pe.f->mem + (pe.posted - FK_BASE), 0xff, 8);
	pe.posted = 0;
}

/* A letter for each register whose order is checked */
static char letter(uint32_t enc)
{
	switch (enc) {
	case V9_SYS_TRFCR_EL1: return 'F';
	case V9_SYS_TRCPRGCTLR: return 'P';
	case V9_SYS_TRBLIMITR_EL1: return 'L';
	case V9_SYS_TRBPTR_EL1: return 'B';
	case V9_SYS_TRBBASER_EL1: return 'B';
	case V9_SYS_TRBSR_EL1: return 'S';
	default: return 'c';
	}
}

/* Registers of resources, with the numbers that the manual gives them */
static const struct {
	const char *name;
	unsigned int first, n;		/* V9_RES_* of the first one */
	uint32_t enc[16];
} resource_regs[] = {
	{ "selector", V9_RES_RSCTLR, 16, {
		V9_SYS_TRCRSCTLR2, V9_SYS_TRCRSCTLR3, V9_SYS_TRCRSCTLR4, V9_SYS_TRCRSCTLR5,
		V9_SYS_TRCRSCTLR6, V9_SYS_TRCRSCTLR7, V9_SYS_TRCRSCTLR8, V9_SYS_TRCRSCTLR9,
		V9_SYS_TRCRSCTLR10, V9_SYS_TRCRSCTLR11, V9_SYS_TRCRSCTLR12, V9_SYS_TRCRSCTLR13,
		V9_SYS_TRCRSCTLR14, V9_SYS_TRCRSCTLR15, V9_SYS_TRCRSCTLR16, V9_SYS_TRCRSCTLR17 } },
	{ "counter_control", V9_RES_CNTCTLR, 4, {
		V9_SYS_TRCCNTCTLR0, V9_SYS_TRCCNTCTLR1, V9_SYS_TRCCNTCTLR2, V9_SYS_TRCCNTCTLR3 } },
	{ "counter_reload", V9_RES_CNTRLDVR, 4, {
		V9_SYS_TRCCNTRLDVR0, V9_SYS_TRCCNTRLDVR1, V9_SYS_TRCCNTRLDVR2, V9_SYS_TRCCNTRLDVR3 } },
	{ "counter_value", V9_RES_CNTVR, 4, {
		V9_SYS_TRCCNTVR0, V9_SYS_TRCCNTVR1, V9_SYS_TRCCNTVR2, V9_SYS_TRCCNTVR3 } },
	{ "sequencer", V9_RES_SEQEVR, 3, { V9_SYS_TRCSEQEVR0, V9_SYS_TRCSEQEVR1, V9_SYS_TRCSEQEVR2 } },
	{ "sequencer_reset", V9_RES_SEQRSTEVR, 1, { V9_SYS_TRCSEQRSTEVR } },
	{ "sequencer_state", V9_RES_SEQSTR, 1, { V9_SYS_TRCSEQSTR } },
	{ "input", V9_RES_EXTINSELR, 4, {
		V9_SYS_TRCEXTINSELR0, V9_SYS_TRCEXTINSELR1, V9_SYS_TRCEXTINSELR2, V9_SYS_TRCEXTINSELR3 } },
	{ "single_shot", V9_RES_SSCCR, 1, { V9_SYS_TRCSSCCR0 } },
	{ "single_shot_status", V9_RES_SSCSR, 1, { V9_SYS_TRCSSCSR0 } },
	{ "context", V9_RES_CIDCVR, 1, { V9_SYS_TRCCIDCVR0 } },
	{ "context_mask", V9_RES_CIDCCTLR, 1, { V9_SYS_TRCCIDCCTLR0 } },
	{ "vmid", V9_RES_VMIDCVR, 1, { V9_SYS_TRCVMIDCVR0 } },
	{ "vmid_mask", V9_RES_VMIDCCTLR, 1, { V9_SYS_TRCVMIDCCTLR0 } },
};

/* Registers of resources as another unit holds them: the model's units have fewer of them. */
static struct {
	bool on;
	unsigned int n;
	uint32_t enc[16];
	uint64_t value[16];
} spy;

static bool is_resource(uint32_t enc)
{
	for (unsigned int k = 0; k < V9_ARRAY_SIZE(resource_regs); k++)
		for (unsigned int i = 0; i < resource_regs[k].n; i++)
			if (resource_regs[k].enc[i] == enc)
				return true;
	return false;
}

static void spy_set(uint32_t enc, uint64_t value)
{
	unsigned int i;

	for (i = 0; i < spy.n && spy.enc[i] != enc; i++)
		;
	if (i == V9_ARRAY_SIZE(spy.enc))
		return;
	spy.enc[i] = enc;
	spy.value[i] = value;
	spy.n += i == spy.n;
}

static uint64_t spy_value(uint32_t enc)
{
	unsigned int i;

	for (i = 0; i < spy.n && spy.enc[i] != enc; i++)
		;
	return i < spy.n ? spy.value[i] : ~UINT64_C(0);
}

static bool reach(uint32_t enc, bool write, int *reg)
{
	*reg = v9_reg_find(&pe.f->pe.r, enc);
	if (*reg >= 0 && v9_reg_access(pe.f->m, *reg, write) == V9_ACCESS_OK)
		return true;
	tap_note("register %#x is UNDEFINED", enc);
	pe.wrong++;
	return false;
}

uint64_t hw_read(uint32_t enc)
{
	int reg;

	pe.last = enc;
	if (spy.on && is_resource(enc))
		return spy_value(enc);
	execute();
	if (enc == V9_SYS_ID_AA64DFR0_EL1)
		return 0x0000110000000010;	/* TraceBuffer, TraceFilt, TraceVer */
	if (enc == V9_SYS_ID_AA64DFR1_EL1)
		return pe.f->cfg.ite ? V9_PUT(V9_ID_AA64DFR1_EL1_ITE, 1) : 0;
	if (enc == V9_SYS_ID_AA64MMFR0_EL1)
		return 0xff;
	if (enc == V9_SYS_TRCSTATR) {
		pe.polls++;
		if (pe.deaf) {
			fk_mrs(pe.f, enc);	/* counts the read */
			return 0;
		}
		if (pe.still) {
			fk_mrs(pe.f, enc);
			return V9_TRCSTATR_IDLE | V9_TRCSTATR_PMSTABLE;
		}
	}
	return reach(enc, false, &reg) ? fk_mrs(pe.f, enc) : 0;
}

uint64_t hw_us(void)
{
	return pe.us += pe.tick ?: 1;
}

void hw_write(uint32_t enc, uint64_t value)
{
	int reg;

	pe.last = enc;
	pe.writes++;
	if (spy.on && is_resource(enc)) {
		spy_set(enc, value);
		return;
	}
	step(letter(enc));
	execute();
	if (pe.input && enc == V9_SYS_TRCPRGCTLR && !value)
		v9_trace_input(pe.f->m, pe.input);
	if (enc == V9_SYS_OSLAR_EL1)
		pe.locked = value & 1;		/* a register of the PE, not of the model */
	else if (reach(enc, true, &reg))
		fk_msr(pe.f, enc, value);
}

static void barrier(enum barrier kind, enum v9_sync_kind sync)
{
	/* All ISBs between reads of TRCSTATR count as one: their number depends on the unit. */
	bool poll = kind == ISB && (pe.last == V9_SYS_TRCPRGCTLR || pe.last == V9_SYS_TRCSTATR);
	struct key k = { pe.tag, poll ? POLL : pe.nr++, kind };
	unsigned int i;

	step(poll ? '?' : "IDT"[kind]);
	execute();
	if (k.tag != NONE && k.tag == pe.skip.tag && k.nr == pe.skip.nr)
		return;
	for (i = 0; i < pe.seen_n; i++)
		if (pe.seen[i].tag == k.tag && pe.seen[i].nr == k.nr)
			break;
	if (i == pe.seen_n && i < V9_ARRAY_SIZE(pe.seen))
		pe.seen[pe.seen_n++] = k;
	if (kind == DSB)
		posted();
	fk_sync(pe.f, sync);
}

void hw_isb(void)
{
	barrier(ISB, V9_SYNC_ISB);
}

void hw_dsb(void)
{
	barrier(DSB, V9_SYNC_DSB);
}

void hw_tsb(void)
{
	barrier(TSB, V9_SYNC_TSB);
}

void hw_psb(void)
{
	pe.wrong++;
}

static void begin(enum tag tag)
{
	pe.tag = tag;
	pe.nr = 0;
}

/* A simplified driver */

static struct {
	struct v9_ete_unit unit;
	struct v9_ete_reg_values image;
	struct v9_ete_state state;
	struct v9_trbe_regs regs;
	uint64_t next;			/* page of the next window */
	bool early;			/* interrupt before the window is full */
} drv;

static bool bare;			/* units, if minimal, lack resource selectors, too */
static bool with_ite;			/* units have FEAT_ITE */
static bool with_mpam;			/* and FEAT_TRBE_MPAM */
static bool eager;			/* a timestamp at each P0 element */
static unsigned int mis_speculated;		/* and mispredict one in so many branches; 0: none */

/* 1: the PE has comparators; 2: for single-shot controls, too */
static unsigned int shots_of_pe;

static void power_on(enum v9_delay delay, uint64_t seed, bool minimal, bool ignore)
{
	static struct fk *f;
	struct key none = { .tag = NONE };

	if (f)
		fk_free(f);
	f = tk_new();
	f->cfg.delay = delay;
	f->cfg.seed = seed;
	f->cfg.ete_minimal = minimal;
	f->cfg.ete_bare = bare;
	f->cfg.ite = with_ite;
	f->cfg.q_supp = minimal ? 0 : 3;
	f->cfg.q_filter = !minimal;
	f->cfg.trbe_ignore = ignore;
	f->cfg.mis_speculated = mis_speculated;
	f->cfg.trbe_mpam = with_mpam;
	if (eager)
		f->cfg.ts_gap = 1;
	f->cfg.trbe_align = seed % 7;
	f->cfg.pe_inputs = shots_of_pe ? 2 : 0;
	f->cfg.shot_inputs = shots_of_pe == 2;
	f->cfg.poison = shots_of_pe;
	tk_init(f);
	memset(&pe, 0, sizeof(pe));
	memset(&drv, 0, sizeof(drv));
	pe.f = f;
	pe.skip = none;
	pe.locked = 1;
}

static bool compile_all(uint64_t config, uint64_t config1, uint64_t config2, bool kernel)
{
	struct v9_ete_request req = {
		.config = { config, config1, config2 }, .user = true, .kernel = kernel,
	};
	struct v9_refusal no = { "", "" };
	struct v9_ete_id id;

	v9_ete_read_id(&id, NULL);
	if (!v9_ete_check_unit(&id, false, &drv.unit, &no.why) &&
	    !v9_ete_encode_regs(&drv.unit, &req, &drv.image, &no))
		return true;
	tap_note("refused: %s %s", no.option, no.why);
	return false;
}

static bool compile(uint64_t config, bool kernel)
{
	return compile_all(config, 0, 0, kernel);
}

static void reset(void)
{
	uint64_t stores;

	begin(RESET);
	pe.wrong += !v9_ete_act_reset(&drv.state, &drv.unit.id, 0x10);
	begin(NONE);
	pe.wrong += pe.locked || pe.f->trbirq;
	/* Nothing may be pending: the next user may be another session, or deep sleep. */
	pe.wrong += !!(v9_pe_activity(pe.f->m, &pe.f->pe) & V9_ACT_SYNC);
	pe.posted = 0;
	/* The buffer may be freed: no later barrier may write to it. */
	stores = pe.f->stores;
	fk_sync(pe.f, V9_SYNC_TSB);
	fk_sync(pe.f, V9_SYNC_DSB);
	pe.wrong += pe.f->stores != stores;
}

static void start(void)
{
	uint64_t base = FK_BASE + drv.next * FK_PAGE;

	drv.next = (drv.next + 1) % FK_PAGES;
	memset(pe.f->mem + (base - FK_BASE), 0xff, FK_PAGE);
	drv.regs = (struct v9_trbe_regs){
		.trbbaser = base, .trbptr = base + 128,
		.trblimitr = (base + FK_PAGE) | V9_TRBLIMITR_EL1_E |
			     V9_PUT(V9_TRBLIMITR_EL1_TM, drv.early ?
				    V9_TRBLIMITR_EL1_TM_IRQ : V9_TRBLIMITR_EL1_TM_IGNORE),
		.trbsr = drv.early ? V9_TRBSR_EL1_TRG : 0,
		.trbtrg = drv.early ? 2048 : 0,
	};
	pe.posted = base + 128;
	begin(START);
	pe.wrong += !v9_ete_act_start(&drv.state, &drv.image, &drv.regs, true);
	begin(NONE);
}

/* Checks a window: Alignment Synchronization to complete packet. A full one may cut the last. */
static void check(uint64_t from, uint64_t to, bool full)
{
	const uint8_t *p = pe.f->mem + (from - FK_BASE), *end = pe.f->mem + (to - FK_BASE);
	struct v9_ete_pktdec dec;
	struct v9_ete_config cfg;
	struct v9_ete_pkt pkt;
	bool first = true;

	posted();
	v9_ete_config_init(&cfg, drv.unit.id.trcidr[0], drv.unit.id.trcidr[8], false);
	v9_ete_pktdec_init(&dec, &cfg);
	while (p < end) {
		int n = v9_ete_pkt_decode(&dec, p, end - p, &pkt);

		if (n == -ENODATA && full)
			break;
		if (n <= 0 || (first && pkt.kind != V9_ETE_ASYNC)) {
			pe.wrong++;
			break;
		}
		first = false;
		pe.ignores += pkt.kind == V9_ETE_IGNORE;
		pe.stamps += pkt.kind == V9_ETE_TIMESTAMP;
		pe.early_stamps += pkt.kind == V9_ETE_TIMESTAMP && pkt.timestamp < 1000000;
		p += n;
	}
}

static void stop(void)
{
	uint64_t limit = drv.regs.trblimitr & V9_TRBLIMITR_EL1_LIMIT, end;
	struct v9_fault_action j;
	struct v9_trbe_regs now;

	begin(STOP);
	pe.wrong += !v9_ete_act_stop(&drv.state, &now);
	begin(NONE);
	j = v9_trbe_fault_action(now.trbsr, drv.regs.trblimitr);
	pe.wrong += j.cause > V9_CAUSE_FULL;
	end = j.full ? limit : now.trbptr;
	if (end < drv.regs.trbptr || end > limit) {
		pe.wrong++;
		return;
	}
	check(drv.regs.trbptr, end, j.full);
	pe.wrong += pe.f->trbirq;
	pe.used += end - drv.regs.trbptr;
	pe.windows++;
	pe.full += j.full;
	pe.early += j.cause == V9_CAUSE_EARLY;
	if (j.cause == V9_CAUSE_EARLY)
		pe.wrong += end - drv.regs.trbptr < 2048;
}

static void run_from(uint64_t pc, unsigned int n)
{
	while (n--) {
		tk_p0(pe.f, TK_A64_B(pc, pc + 8), 0, pc + 8);
		pc += 8;
	}
	tk_irq(pe.f, 1, 0xffff800000000280);
}

/* Returns true after so many errors that the scenario can be ended. */
static bool hopeless(void)
{
	return pe.wrong + pe.f->nviolations > 1000;
}

/* Executes branches at EL0, and handles the interrupt when it occurs. */
static void run_user(unsigned int n, bool traced)
{
	struct fk *f = pe.f;

	tk_eret(f, USER, 0);
	while (n-- && !hopeless()) {
		uint64_t to = USER + ((f->pc * 5 + 0x94) & 0xffc);

		tk_p0(f, n % 3 ? TK_BR : TK_A64_B(f->pc, to), 0, to);
		if (traced && f->trbirq) {
			uint64_t pc = f->pc;

			tk_irq(f, 1, 0xffff800000000280);
			stop();
			start();
			tk_eret(f, pc, 0);
		}
	}
	tk_irq(f, 1, 0xffff800000000280);
}

static unsigned long scenario(enum v9_delay delay, uint64_t seed, uint64_t config, bool ignore,
			      bool kernel, struct key skip)
{
	const struct v9_trace_score *s;
	unsigned int i;

	power_on(delay, seed, false, ignore);
	if (!compile(config, kernel))
		return 1;
	drv.early = seed & 4;
	pe.skip = skip;
	reset();
	for (i = 0; i < 5 && !hopeless(); i++) {
		start();
		run_user(1500 + 100 * i, true);
		stop();
		run_user(200, false);			/* the other task */
	}
	pe.wrong += tk_score(pe.f)->fault && !pe.full;
	for (i = 0; i < 2 && !hopeless(); i++) {
		start();
		run_user(i ? 5000 : 100, false);	/* the interrupt is not handled */
		reset();				/* the CPU goes offline */
		run_user(100, false);
	}

	s = tk_score(pe.f);
	pe.wrong += s->off || s->lost || s->busy_writes;
	pe.wrong += s->written < pe.used || pe.f->touched[0];	/* nothing below a first pointer */
	return pe.wrong + pe.f->nviolations;
}

static void clean(void)
{
	static const struct key nothing;
	unsigned long bad = 0, windows = 0, full = 0, early = 0, early_full = 0;
	unsigned int seed;

	for (seed = 1; seed <= 20 && !bad; seed++) {
		bad += scenario(V9_DELAY_RANDOM, seed, seed & 1 ? 0 : 0xf0 | 1 << 29, seed & 2,
				seed & 8, nothing);
		if (pe.f->nviolations)
			tap_note("seed %u: %s", seed, pe.f->violation.rule);
		windows += pe.windows;
		full += pe.full;
		early += pe.early;
		if (seed & 4)
			early_full += pe.full;
	}
	/* shows: TRBE-SY5 TRBE-SY8 TRBE-SY13 TRBE-UN8 TRBE-UN10 TRBE-EN7 ETE-R_RWYQD */
	tap_eq(bad, 0, "random_order_is_clean");
	/* shows: TRBE-SY1 TRBE-SY2 TRBE-UN8 */
	tap_eq(scenario(V9_DELAY_MAX, 1, 0, true, false, nothing) +
	       scenario(V9_DELAY_MAX, 3, 0, true, true, nothing), 0, "latest_order_is_clean");
	tap_eq(scenario(V9_DELAY_OFF, 2, 0, true, true, nothing), 0, "program_order_is_clean");
	tap_note("%lu windows, %lu full, %lu interrupted early", windows, full, early);
	tap_ok(windows > 20 * 5 && full > 20, "windows_came_and_filled");
	/* shows: TRBE-PT12 TRBE-TR8 */
	tap_ok(early > 20 && !early_full, "reported_early_nothing_was_lost");
}

/* Barriers whose absence the model cannot show, and the reason for them */
static const struct {
	enum tag tag;
	unsigned int nr;
	const char *why;
} unseen[] = {
	{ RESET, 0, "a tag of one register is read by another at once here: see claims()" },
	{ START, 2, "what comes before the first byte has others: see enabled_at_once()" },
};

static void barriers(void)
{
	struct key keys[32];
	unsigned int i, k, n, seed;

	scenario(V9_DELAY_MAX, 1, 0, true, false, (struct key){ .tag = NONE, .nr = ~0u });
	n = pe.seen_n;
	memcpy(keys, pe.seen, sizeof(keys));
	for (i = 0; i < n; i++) {
		unsigned long missed = 0;
		char name[64];

		if (keys[i].nr == POLL)
			snprintf(name, sizeof(name), "%s_poll_isb", tag_name[keys[i].tag]);
		else
			snprintf(name, sizeof(name), "%s_%u_%s", tag_name[keys[i].tag], keys[i].nr,
				 barrier_name[keys[i].kind]);
		for (k = 0; k < V9_ARRAY_SIZE(unseen); k++)
			if (unseen[k].tag == keys[i].tag && unseen[k].nr == keys[i].nr)
				break;
		if (k < V9_ARRAY_SIZE(unseen)) {
			tap_skip(unseen[k].why, "without_%s", name);
			continue;
		}
		for (seed = 1; !missed && seed <= 20; seed++)
			missed = scenario(seed & 1 ? V9_DELAY_MAX : V9_DELAY_RANDOM, seed, 0, true,
					  seed & 2, keys[i]);
		tap_ok(missed, "without_%s", name);
		tap_note("found as: %s", !missed ? "" : pe.f->nviolations ? pe.f->violation.rule :
			 "wrong trace");
	}
	tap_eq(n, 18, "barriers_in_all");
}

/* Returns true if all register values are in the registers, written now or before. */
static bool holds(const struct v9_ete_reg_values *im)
{
	static const struct {
		enum v9_ete_reg i;
		uint32_t enc;
	} rows[] = {
		{ V9_ETE_REG_TRCCONFIGR, V9_SYS_TRCCONFIGR },
		{ V9_ETE_REG_TRCCCCTLR, V9_SYS_TRCCCCTLR },
		{ V9_ETE_REG_TRCTSCTLR, V9_SYS_TRCTSCTLR },
		{ V9_ETE_REG_TRCSYNCPR, V9_SYS_TRCSYNCPR },
		{ V9_ETE_REG_TRCEVENTCTL0R, V9_SYS_TRCEVENTCTL0R },
		{ V9_ETE_REG_TRCEVENTCTL1R, V9_SYS_TRCEVENTCTL1R },
		{ V9_ETE_REG_TRCBBCTLR, V9_SYS_TRCBBCTLR },
		{ V9_ETE_REG_TRCQCTLR, V9_SYS_TRCQCTLR },
		{ V9_ETE_REG_TRCVIIECTLR, V9_SYS_TRCVIIECTLR },
		{ V9_ETE_REG_TRCVISSCTLR, V9_SYS_TRCVISSCTLR },
		{ V9_ETE_REG_TRCVICTLR, V9_SYS_TRCVICTLR },
	};
	static const uint32_t acvr[] = {
		V9_SYS_TRCACVR0, V9_SYS_TRCACVR1, V9_SYS_TRCACVR2, V9_SYS_TRCACVR3,
		V9_SYS_TRCACVR4, V9_SYS_TRCACVR5, V9_SYS_TRCACVR6, V9_SYS_TRCACVR7,
	};
	static const uint32_t acatr[] = {
		V9_SYS_TRCACATR0, V9_SYS_TRCACATR1, V9_SYS_TRCACATR2, V9_SYS_TRCACATR3,
		V9_SYS_TRCACATR4, V9_SYS_TRCACATR5, V9_SYS_TRCACATR6, V9_SYS_TRCACATR7,
	};
	unsigned int i;
	uint64_t bad = 0;

	for (i = 0; i < V9_ARRAY_SIZE(rows); i++)
		/* VMIDOPT is RES1 here, by TRCIDR2. */
		bad |= (fk_mrs(pe.f, rows[i].enc) ^ im->reg[rows[i].i]) &
		       ~(rows[i].i ? 0 : V9_TRCCONFIGR_VMIDOPT);
	for (i = 0; i < im->comparators; i++)
		bad |= fk_mrs(pe.f, acvr[i]) != im->acvr[i] ||
		       fk_mrs(pe.f, acatr[i]) != im->acatr[i];
	return !bad;
}

/* Start in drv.regs, check what the registers hold, stop. Returns the writes of the start. */
static unsigned int starts(const struct v9_ete_reg_values *im, bool *right)
{
	struct v9_trbe_regs now;
	unsigned int n;

	pe.writes = 0;
	pe.wrong += !v9_ete_act_start(&drv.state, im, &drv.regs, true);
	n = pe.writes;
	*right = holds(im) && (fk_mrs(pe.f, V9_SYS_TRCRSR) & V9_TRCRSR_TA) &&
		 fk_mrs(pe.f, V9_SYS_TRBBASER_EL1) == drv.regs.trbbaser &&
		 fk_mrs(pe.f, V9_SYS_TRBPTR_EL1) == drv.regs.trbptr &&
		 fk_mrs(pe.f, V9_SYS_TRBSR_EL1) == drv.regs.trbsr &&
		 (!drv.regs.trbtrg || fk_mrs(pe.f, V9_SYS_TRBTRG_EL1) == drv.regs.trbtrg);
	pe.wrong += !v9_ete_act_stop(&drv.state, &now);
	return n;
}

/* A register is written if and only if it has another value. */
static void differences(void)
{
	const struct v9_filter one[] = { { 0x400000, 0x100, V9_FILTER_INCLUDE, false, false } };
	const struct v9_filter two[] = { { 0x400000, 0x100, V9_FILTER_INCLUDE, false, false },
					 { 0x400800, 0, V9_FILTER_START, false, false } };
	struct v9_ete_reg_values plain, timed, filtered, moved, pointed;
	const char *why = "";
	struct v9_trbe_regs now;
	unsigned int n, all;
	bool right;

	/* window: TRBPTR, TRBLIMITR; session: TRCRSR, TRCPRGCTLR, TRFCR */
	enum { LEAST = 5 };

	power_on(V9_DELAY_OFF, 2, false, true);
	compile(0x40, false);
	timed = drv.image;
	compile(0, false);
	plain = drv.image;
	filtered = plain;
	v9_ete_encode_filters(&drv.unit, one, 1, &filtered, &why);
	moved = filtered;
	moved.acvr[1] += 0x100;
	pointed = plain;
	v9_ete_encode_filters(&drv.unit, two, 2, &pointed, &why);
	reset();
	drv.regs = (struct v9_trbe_regs){ .trbbaser = FK_BASE, .trbptr = FK_BASE + 128,
					  .trblimitr = (FK_BASE + FK_PAGE) | 0x19 };

	all = starts(&plain, &right);
	/* shows: ETE-R_GRSVY */
	tap_ok(right && all > 2 * LEAST, "first_start_writes_all");
	tap_note("%u writes", all);
	n = starts(&plain, &right);
	tap_ok(right && n == LEAST, "same_again_writes_least");
	tap_note("%u writes", n);
	n = starts(&timed, &right);
	tap_ok(right && n == LEAST + 6, "other_time_stamps");
	n = starts(&plain, &right);		/* unused registers may keep values */
	tap_ok(right && n == LEAST + 2, "and_back");
	n = starts(&filtered, &right);		/* a pair and TRCVIIECTLR */
	tap_ok(right && n == LEAST + 5, "filters_come");
	n = starts(&plain, &right);
	tap_ok(right && n == LEAST + 1, "filters_go");
	n = starts(&filtered, &right);
	tap_ok(right && n == LEAST + 1, "filters_come_again");
	n = starts(&moved, &right);		/* one comparator has two registers */
	tap_ok(right && n == LEAST + 2, "filter_moves");
	starts(&filtered, &right);
	n = starts(&pointed, &right);		/* one more, TRCVISSCTLR, TRCVICTLR */
	tap_ok(right && n == LEAST + 4, "points_come");
	drv.regs.trbbaser += FK_PAGE;
	drv.regs.trbptr += FK_PAGE;
	drv.regs.trblimitr += FK_PAGE;
	n = starts(&pointed, &right);
	tap_ok(right && n == LEAST + 1, "other_base");
	drv.regs.trblimitr &= ~V9_TRBLIMITR_EL1_TM;
	drv.regs.trblimitr |= V9_PUT(V9_TRBLIMITR_EL1_TM, V9_TRBLIMITR_EL1_TM_IRQ);
	drv.regs.trbsr = V9_TRBSR_EL1_TRG;
	drv.regs.trbtrg = 2048;
	n = starts(&pointed, &right);		/* TRBSR_EL1, TRBTRG_EL1 */
	tap_ok(right && n == LEAST + 2, "bytes_are_counted");
	n = starts(&pointed, &right);		/* the counter counted */
	tap_ok(right && n == LEAST + 1, "bytes_are_counted_again");
	reset();				/* deep sleep, or another user */
	n = starts(&pointed, &right);
	tap_ok(right && n > 2 * LEAST, "after_a_reset_writes_all");

	/* Deep sleep changes registers, too: those of comparators that the session has had before. */
	reset();
	tap_ok(!fk_mrs(pe.f, V9_SYS_TRBBASER_EL1) && !fk_mrs(pe.f, V9_SYS_TRBPTR_EL1) &&
	       !fk_mrs(pe.f, V9_SYS_TRBTRG_EL1) && !fk_mrs(pe.f, V9_SYS_TRBSR_EL1), "reset_leaves_no_address");
	fk_msr(pe.f, V9_SYS_TRCACVR0, 0x5a5a5a00);
	fk_msr(pe.f, V9_SYS_TRCACATR0, 0);
	fk_msr(pe.f, V9_SYS_TRCACVR1, 0x5a5a5a00);
	fk_msr(pe.f, V9_SYS_TRCACATR1, 0);
	starts(&pointed, &right);
	tap_ok(right, "comparators_after_deep_sleep");

	/* Values that the unit changed are detected and corrected. */
	v9_ete_act_start(&drv.state, &pointed, &drv.regs, true);
	tk_eret(pe.f, 0x400800, 0);
	run_from(0x400800, 3);
	v9_ete_act_stop(&drv.state, &now);
	/* shows: ETE-R_PBFMY */
	tap_ok(drv.state.held.reg[V9_ETE_REG_TRCVICTLR] & V9_TRCVICTLR_SSSTATUS,
	       "start_point_was_seen");
	n = starts(&pointed, &right);
	tap_ok(right && n == LEAST + 2, "not_started_is_written_again");

	/* Deep sleep: the window continues as it was, also after a wrap. */
	drv.regs.trblimitr |= V9_PUT(V9_TRBLIMITR_EL1_FM, V9_TRBLIMITR_EL1_FM_CIRCULAR);
	drv.regs.trbsr = V9_TRBSR_EL1_WRAP;
	v9_ete_act_start(&drv.state, &plain, &drv.regs, false);
	tap_eq(fk_mrs(pe.f, V9_SYS_TRBSR_EL1), V9_TRBSR_EL1_WRAP, "status_is_restored");
	v9_ete_act_stop(&drv.state, &drv.regs);
	tap_ok(drv.regs.trbsr == V9_TRBSR_EL1_WRAP && !fk_mrs(pe.f, V9_SYS_TRBSR_EL1),
	       "status_is_reported_and_cleared");
	tap_eq(pe.wrong + pe.f->nviolations, 0, "differences_are_clean");
}

/* A resource register in the register values; in the unit */
static uint32_t in_image(const struct v9_ete_reg_values *im, unsigned int reg)
{
	int at = v9_ete_res_find(&im->res, reg);

	return at < 0 ? ~0u : im->res.value[at];
}

/* State that hardware changes continues, on the same CPU, and in a session that keeps it. */
static void resources(void)
{
	struct v9_ete_reg_values plain, strobe, flight, first;
	struct v9_trbe_regs now;
	unsigned int n;
	bool right;

	enum { LEAST = 5 };

	power_on(V9_DELAY_OFF, 2, false, true);
	compile(0, false);
	plain = drv.image;
	compile_all(0, 50 << 16 | 100, 0, false);
	strobe = drv.image;
	compile_all(UINT64_C(0x11) << 32, 0, 2 | 1000 << 16, false);	/* each 1000 cycles */
	flight = drv.image;
	reset();
	drv.regs = (struct v9_trbe_regs){ .trbbaser = FK_BASE, .trbptr = FK_BASE + 128,
					  .trblimitr = (FK_BASE + FK_PAGE) | 0x19 };
	starts(&plain, &right);
	n = starts(&strobe, &right);		/* counters 6, sequencer 5, selectors 3, view */
	tap_ok(right && n == LEAST + 15, "strobe_comes");
	tap_note("%u writes", n);

	/* Counters that run are not reset by a start of the same session. shows: ETE-R_GRSVY */
	v9_ete_act_start(&drv.state, &strobe, &drv.regs, true);
	run_user(500, true);
	v9_ete_act_stop(&drv.state, &now);
	tap_ok(fk_mrs(pe.f, V9_SYS_TRCCNTVR1) != in_image(&strobe, V9_RES_CNTVR + 1),
	       "counters_ran");
	n = fk_mrs(pe.f, V9_SYS_TRCCNTVR1);
	tap_ok(starts(&strobe, &right) == LEAST && fk_mrs(pe.f, V9_SYS_TRCCNTVR1) == n,
	       "strobe_continues");
	starts(&plain, &right);
	tap_ok(starts(&strobe, &right) == LEAST + 15 &&
	       fk_mrs(pe.f, V9_SYS_TRCCNTVR1) == in_image(&strobe, V9_RES_CNTVR + 1),
	       "strobe_begins_anew_behind_another");

	/* A counter value stays with its session, also on another CPU. shows: ETE-R_SBQPN */
	first = flight;
	v9_ete_act_start(&drv.state, &flight, &drv.regs, true);
	run_user(300, true);
	v9_ete_act_stop(&drv.state, &now);
	v9_ete_read_moved(&drv.state, &flight);
	tap_ok(in_image(&flight, V9_RES_CNTVR) < in_image(&first, V9_RES_CNTVR) &&
	       in_image(&flight, V9_RES_CNTVR) == fk_mrs(pe.f, V9_SYS_TRCCNTVR0), "count_is_preserved");
	n = in_image(&flight, V9_RES_CNTVR);
	tap_eq(starts(&flight, &right), LEAST, "count_stands_there_already");
	starts(&plain, &right);
	v9_ete_act_start(&drv.state, &plain, &drv.regs, true);
	run_user(300, true);
	v9_ete_act_stop(&drv.state, &now);
	tap_ok(fk_mrs(pe.f, V9_SYS_TRCCNTVR0) != n, "another_session_moves_it");
	starts(&flight, &right);
	tap_eq(fk_mrs(pe.f, V9_SYS_TRCCNTVR0), n, "count_is_put_back");
	tap_ok(flight.reg[V9_ETE_REG_TRCRSR] & V9_TRCRSR_TA, "exceptions_are_still_told");
	tap_eq(pe.wrong + pe.f->nviolations, 0, "resources_are_clean");
}

/*
 * Each register of a resource, of as many as a unit may have, is written under its own number; those that
 * hardware changes are read from there.
 */
static void each_resource(void)
{
	static const unsigned int moved[] = { V9_RES_CNTVR, V9_RES_SEQSTR, V9_RES_SSCSR };
	struct v9_ete_reg_values image;

	power_on(V9_DELAY_OFF, 2, false, true);
	compile(0, false);
	for (unsigned int k = 0; k < V9_ARRAY_SIZE(resource_regs); k++) {
		const unsigned int first = resource_regs[k].first, n = resource_regs[k].n;

		image = drv.image;
		memset(&image.res, 0, sizeof(image.res));
		for (unsigned int i = 0; i < n; i++) {
			image.res.reg[i] = first + i;
			image.res.value[i] = 0x100 * k + i + 1;
		}
		image.res.n = n;
		reset();
		memset(&spy, 0, sizeof(spy));
		spy.on = true;
		v9_ete_act_start(&drv.state, &image, &drv.regs, false);
		v9_ete_act_stop(&drv.state, &drv.regs);
		tap_eq(spy.n, n, "%s_alone", resource_regs[k].name);
		for (unsigned int i = 0; i < n; i++)
			tap_eq(spy_value(resource_regs[k].enc[i]), 0x100 * k + i + 1, "%s_%u",
			       resource_regs[k].name, i);
		for (unsigned int i = 0; i < n; i++)
			spy_set(resource_regs[k].enc[i], 0x50 + i);
		v9_ete_read_moved(&drv.state, &image);
		for (unsigned int m = 0; m < V9_ARRAY_SIZE(moved); m++)
			for (unsigned int i = 0; moved[m] == first && i < n; i++)
				tap_eq(in_image(&image, first + i), 0x50 + i, "%s_%u_read",
				       resource_regs[k].name, i);
		spy.on = false;
	}
}

/* Pending state of a unit */
enum { SHOT, INPUT, EVENT, KINDS };

/* Number of events 0 in a session that the driver stops at @pc */
static uint64_t events_of(struct v9_ete_reg_values *im, uint64_t pc)
{
	uint64_t before = tk_score(pe.f)->extout[0];

	drv.image = *im;
	start();
	run_user(4, false);
	pe.f->pc = pc;
	stop();
	if (pe.event)
		fk_msr(pe.f, V9_SYS_TRCRSR, V9_TRCRSR_TA | V9_PUT(V9_TRCRSR_EVENT, pe.event));
	if (im->res.keep)
		v9_ete_read_moved(&drv.state, im);
	return tk_score(pe.f)->extout[0] - before;
}

/*
 * A match of a single-shot comparator, an input or an event may be pending when a session is
 * stopped. The driver saves it and restores it, also after another session and on another CPU,
 * where it occurs exactly once.
 */
/* shows: ETE-R_SWNFV ETE-R_BCMYM ETE-R_KCXLF */
static void what_waits(void)
{
	const uint64_t here = 0xffff800000008000, there = here + 0x1000;
	const struct v9_filter point = { here, 0, V9_FILTER_STOP, true, false };
	unsigned int seed, waited[KINDS] = { 0 }, bad = 0;
	struct v9_ete_reg_values flight, plain;
	const char *why = "";
	uint64_t seen, rsr;

	for (seed = 0; seed < 384; seed++) {
		unsigned int kind = seed % KINDS;

		power_on(seed & 4 ? V9_DELAY_RANDOM : V9_DELAY_MAX, seed, false, true);
		bad += !compile(0, true);
		plain = drv.image;
		bad += !compile_all(kind == INPUT ? (uint64_t)TRB_WRAP << 32 : 0, 0,
				    kind == INPUT ? 2 : 1, true);
		flight = drv.image;
		bad += !!v9_ete_encode_filters(&drv.unit, &point, kind != INPUT, &flight, &why);
		reset();
		pe.input = kind == INPUT ? TRB_WRAP : 0;
		pe.event = kind == EVENT;
		seen = events_of(&flight, kind == SHOT ? here : there);
		pe.input = 0;
		pe.event = 0;
		rsr = flight.reg[V9_ETE_REG_TRCRSR];
		waited[kind] += kind == SHOT ?
				in_image(&flight, V9_RES_SSCSR) == V9_TRCSSCSRn_PENDING :
				kind == INPUT ? V9_GET(V9_TRCRSR_EXTIN, rsr) == 1 :
						V9_GET(V9_TRCRSR_EVENT, rsr) == 1;
		if (seed & 8) {
			bad += pe.wrong + pe.f->nviolations;
			power_on(V9_DELAY_RANDOM, seed, false, true);
			bad += !compile(0, true);
			reset();
		}
		bad += events_of(&plain, there) != 0;
		seen += events_of(&flight, there);
		bad += seen != 1 || events_of(&flight, there);
		bad += pe.wrong + pe.f->nviolations;
	}
	tap_note("%u shots, %u inputs, %u events", waited[SHOT], waited[INPUT], waited[EVENT]);
	tap_eq(bad, 0, "what_waits_comes_once");
	tap_ok(waited[SHOT] > 5 && waited[INPUT] > 100 && waited[EVENT] > 100, "something_waited");
}

/*
 * Single-shot controls may use comparators of the PE, and their register is UNKNOWN at reset
 * (D24.4.61). The driver must clear it, so that only the address of the session is its trigger.
 * Without these comparators the register is UNDEFINED.
 */
static void points_alone(void)
{
	const uint64_t here = 0xffff800000008000, there = here + 0x1000;
	const struct v9_filter point = { here, 0, V9_FILTER_STOP, true, false };
	unsigned int kind, bad = 0, inputs = 0, seed;
	const char *why = "";
	uint64_t before;

	for (seed = 1; seed <= 24; seed++)
		for (kind = 0; kind < 3; kind++) {
			shots_of_pe = kind;
			power_on(V9_DELAY_OFF, seed, false, true);
			shots_of_pe = 0;
			bad += !compile_all(0, 0, 1, true);
			bad += !!v9_ete_encode_filters(&drv.unit, &point, 1, &drv.image, &why);
			reset();
			before = tk_score(pe.f)->extout[0];
			start();
			pe.f->pc = there;
			run_user(4, false);
			v9_trace_pe_inputs(pe.f->m, 3);
			run_user(4, false);
			inputs += tk_score(pe.f)->extout[0] != before;
			stop();
			bad += pe.wrong + pe.f->nviolations;
		}
	tap_eq(bad, 0, "points_alone_are_clean");
	tap_eq(inputs, 0, "points_alone_trigger");
}

/*
 * Claim tags: an external debugger sets tag 0, the driver tag 1. If the debugger has the unit, the
 * driver accesses no other register and releases its own tag.
 */
static void claims(void)
{
	struct v9_ete_unit unit;
	const char *why = "";
	struct v9_ete_id id;
	unsigned int late;

	power_on(V9_DELAY_OFF, 3, false, true);
	compile(0, true);
	tap_eq(fk_mrs(pe.f, V9_SYS_TRCCLAIMCLR), 0, "claim_none");
	reset();
	tap_eq(fk_mrs(pe.f, V9_SYS_TRCCLAIMCLR), 2, "claim_is_taken");
	v9_ete_read_id(&id, NULL);
	tap_ok(!v9_ete_check_unit(&id, false, &unit, &why), "claim_of_ours_is_none_of_a_debugger");
	reset();
	tap_eq(fk_mrs(pe.f, V9_SYS_TRCCLAIMCLR), 2, "claim_is_taken_again");
	v9_ete_act_release();
	tap_eq(fk_mrs(pe.f, V9_SYS_TRCCLAIMCLR), 0, "claim_is_given_back");
	tap_eq(pe.wrong + pe.f->nviolations, 0, "claim_is_clean");

	/* late: it sets its tag after the driver has read it */
	for (late = 0; late < 2; late++) {
		power_on(V9_DELAY_OFF, 3, false, true);
		compile(0, true);
		if (late)
			v9_ete_read_id(&id, NULL);
		fk_msr(pe.f, V9_SYS_TRCCLAIMSET, 1);
		if (!late)
			v9_ete_read_id(&id, NULL);
		tap_eq(v9_ete_check_unit(&id, false, &unit, &why), late ? 0 : -EBUSY,
		       "claim_of_a_debugger_%u_is_checked", late);
		memset(pe.steps, 0, sizeof(pe.steps));
		tap_ok(!v9_ete_act_reset(&drv.state, &drv.unit.id, 0x10),
		       "claim_of_a_debugger_%u_is_respected", late);
		tap_ok(!strpbrk(pe.steps, "FPLBS?T"), "claim_of_a_debugger_%u_nothing_touched",
		       late);
		tap_eq(fk_mrs(pe.f, V9_SYS_TRCCLAIMCLR), 1, "claim_of_a_debugger_%u_stays", late);
	}
	/* A unit that does not become idle is released. */
	power_on(V9_DELAY_OFF, 3, false, true);
	compile(0, true);
	pe.deaf = true;
	tap_ok(!v9_ete_act_reset(&drv.state, &drv.unit.id, 0x10) &&
	       !fk_mrs(pe.f, V9_SYS_TRCCLAIMCLR), "claim_of_a_deaf_unit_is_given_back");
}

/* A trigger without post-trigger bytes: the counter of another session must not be used. */
static void trigger_at_once(void)
{
	bool right;

	power_on(V9_DELAY_OFF, 2, false, true);
	compile_all(0, 0, 1, false);
	reset();
	drv.regs = (struct v9_trbe_regs){
		.trbbaser = FK_BASE, .trbptr = FK_BASE + 128, .trbtrg = 512,
		.trblimitr = (FK_BASE + FK_PAGE) | 0x9,		/* interrupt */
	};
	starts(&drv.image, &right);
	drv.regs.trbtrg = 0;
	drv.regs.trblimitr = (FK_BASE + FK_PAGE) | 0x1;		/* stop */
	starts(&drv.image, &right);
	/* shows: TRBE-TR5 */
	tap_eq(fk_mrs(pe.f, V9_SYS_TRBTRG_EL1), 0, "trigger_at_once_has_no_count");
	tap_eq(pe.wrong + pe.f->nviolations, 0, "trigger_at_once_is_clean");
}

/* An enabled buffer accepts the next bytes of trace. shows: TRBE-SY1 TRBE-EN8 */
static void enabled_at_once(void)
{
	static const uint8_t bytes[16];

	power_on(V9_DELAY_MAX, 1, false, true);
	compile(0, false);
	reset();
	drv.regs = (struct v9_trbe_regs){ .trbbaser = FK_BASE, .trbptr = FK_BASE + 128,
					  .trblimitr = (FK_BASE + FK_PAGE) | 0x19 };
	v9_trbe_act_enable(&drv.state, &drv.regs, false);
	v9_trbe_accept(pe.f->m, bytes, sizeof(bytes));
	tap_ok(!tk_score(pe.f)->off && tk_score(pe.f)->accepted == sizeof(bytes),
	       "enabled_at_once");
}

/*
 * Timestamps that the unit generates while it is stopped are of the clock of the session: here
 * physical time, which is at least 1000000.
 */
static void last_timestamps(void)
{
	unsigned int seed, stamps = 0, early = 0, wrong = 0;

	eager = true;
	for (seed = 1; seed <= 60; seed++) {
		power_on(seed & 1 ? V9_DELAY_MAX : V9_DELAY_RANDOM, seed, false, true);
		compile(1 << 4, true);
		drv.image.reg[V9_ETE_REG_TRFCR] &= ~V9_TRFCR_EL1_TS;
		drv.image.reg[V9_ETE_REG_TRFCR] |=
			V9_PUT(V9_TRFCR_EL1_TS, V9_TRFCR_EL1_TS_PHYSICAL);
		reset();
		start();
		run_user(30 + seed, true);
		stop();
		tap_eq(fk_mrs(pe.f, V9_SYS_TRFCR_EL1) & 3, 0, "prohibited_%u", seed);
		stamps += pe.stamps;
		early += pe.early_stamps;
		wrong += pe.wrong + pe.f->nviolations;
	}
	eager = false;
	tap_note("%u timestamps", stamps);
	tap_ok(stamps > 60, "timestamps_of_the_sessions");
	tap_eq(early, 0, "last_timestamps_are_of_their_clock");
	tap_eq(wrong, 0, "last_timestamps_are_clean");
}

/* A task is switched to in the kernel. */
static void kernel_at_once(void)
{
	unsigned int i;

	power_on(V9_DELAY_MAX, 1, false, true);
	compile(0, true);
	reset();
	start();
	for (i = 0; i < 100; i++)
		execute();
	stop();
	tap_note("%lu bytes", (unsigned long)pe.used);
	tap_ok(pe.used > 100, "kernel_at_once");
	tap_eq(pe.wrong + pe.f->nviolations, 0, "kernel_at_once_is_clean");
}

/*
 * The sequences with each erratum, typed: I, D, T barriers, ? a poll, registers by letter.
 * shows: ETE-S_PMBCL (F is the first: what must be done if tracing is not prohibited never is)
 */
static void errata(void)
{
	static const struct {
		const char *name;
		uint64_t errata;
		const char *start, *stop;
	} rows[] = {
		{ "none", 0, "cBDILIP?F", "FITP?LDI" },
		{ "2054223", V9_ERRATUM_2054223, "cBDILIP?F", "FITTP?LDI" },
		{ "2067961", V9_ERRATUM_2067961, "cBDILIP?F", "FITTP?LDI" },
		{ "2064142", V9_ERRATUM_2064142, "cBDILIP?F", "FITP?LTDI" },
		{ "2038923", V9_ERRATUM_2038923, "cBDILIIP?F", "FITP?LDII" },
		{ "2119858", V9_ERRATUM_2119858 | V9_ERRATUM_2224489, "cBDILIP?F", "FITP?LDI" },
	};
	struct v9_trbe_regs now;
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		bool right;

		power_on(V9_DELAY_OFF, 2, false, true);
		compile(0, false);
		drv.state.errata = rows[i].errata;
		reset();
		drv.regs = (struct v9_trbe_regs){ .trbbaser = FK_BASE, .trbptr = FK_BASE + 128,
						  .trblimitr = (FK_BASE + FK_PAGE) | 0x19 };
		starts(&drv.image, &right);
		memset(pe.steps, 0, sizeof(pe.steps));
		v9_ete_act_start(&drv.state, &drv.image, &drv.regs, true);
		tap_ok(right && !strcmp(pe.steps, rows[i].start), "erratum_%s_start", rows[i].name);
		tap_note("%s", pe.steps);
		memset(pe.steps, 0, sizeof(pe.steps));
		v9_ete_act_stop(&drv.state, &now);
		tap_ok(!strcmp(pe.steps, rows[i].stop), "erratum_%s_stop", rows[i].name);
		tap_note("%s", pe.steps);
	}
}

/* Bytes generated for mis-speculated instructions that are missing in windows with room */
static uint64_t mis_speculated_missing(enum v9_delay delay, uint64_t seed, struct key skip)
{
	unsigned int i;

	mis_speculated = 1;
	power_on(delay, seed, false, true);
	mis_speculated = 0;
	compile(0, seed & 1);
	pe.skip = skip;
	reset();
	for (i = 0; i < 5; i++) {
		start();
		run_user(60, true);
		stop();
		run_user(20, false);
	}
	return tk_score(pe.f)->packets[V9_ETE_IGNORE] - pe.ignores;
}

/*
 * Trace of mis-speculated instructions is subject to barriers as well: with them all of it is in
 * the window, without TSB CSYNC it is not.
 */
/* shows: TRBE-SY11 TRBE-L6 TRBE-L7 */
static void mispredicted(void)
{
	static const struct key nothing, tsb = { .tag = STOP, .nr = 1, .kind = TSB };
	uint64_t bad = 0, made = 0, missing = 0;
	unsigned int seed;

	for (seed = 1; seed <= 10; seed++) {
		bad += mis_speculated_missing(seed < 9 ? V9_DELAY_RANDOM : V9_DELAY_MAX, seed,
					      nothing);
		bad += pe.wrong + pe.f->nviolations + tk_score(pe.f)->off + tk_score(pe.f)->lost;
		made += pe.ignores;
	}
	tap_note("%lu", (unsigned long)made);
	tap_ok(!bad && made > 10 * 5 * 60, "mispredicted_is_in_the_window");
	for (seed = 1; seed <= 10; seed++)
		missing += !!mis_speculated_missing(V9_DELAY_MAX, seed, tsb);
	tap_eq(missing, 10, "mispredicted_is_missing_without_tsb");
}

/*
 * Aborts that are not reported to the unit, with or without an SError: sessions end normally, all
 * bytes are accounted for, and the next session works.
 */
/* shows: TRBE-EA5 */
static void aborts_untold(void)
{
	static const uint8_t how[] = { V9_TRBE_EA_IGNORED, V9_TRBE_EA_SERROR };
	struct v9_trbe_regs now;
	struct v9_fault_action j;
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(how); i++) {
		uint64_t accepted;
		bool right;

		power_on(V9_DELAY_MAX, 1, false, true);
		pe.f->cfg.trbe_ea = how[i];
		tk_init(pe.f);
		right = compile(0, true);
		reset();
		pe.f->page[0].kind = FK_ABORT;
		start();
		run_user(100, true);
		right = right && v9_ete_act_stop(&drv.state, &now);
		j = v9_trbe_fault_action(now.trbsr, drv.regs.trblimitr);
		accepted = tk_score(pe.f)->accepted;
		tap_ok(right && accepted > 100 && !now.trbsr && j.data && !j.full &&
		       now.trbptr - drv.regs.trbptr == accepted, "abort_unreported_%u_ends_as_ever", i);
		tap_eq(pe.f->serrors > 0, how[i] == V9_TRBE_EA_SERROR, "abort_unreported_%u_happened",
		       i);
		posted();
		start();
		run_user(100, true);
		stop();
		tap_ok(pe.used > 100 && pe.used + accepted == tk_score(pe.f)->written,
		       "abort_unreported_%u_continues", i);
		tap_eq(pe.wrong + pe.f->nviolations, 0, "abort_unreported_%u_is_clean", i);
	}
}

/* A register that only external agents use is not accessed. */
/* shows: TRBE-MP2 */
static void partition(void)
{
	const uint64_t theirs = 0x5a5a5a5;
	unsigned int reg = fk_reg(V9_SYS_TRBMPAM_EL1);
	const struct v9_score *s;
	unsigned int i;

	with_mpam = true;
	power_on(V9_DELAY_RANDOM, 3, false, true);
	with_mpam = false;
	fk_msr(pe.f, V9_SYS_TRBMPAM_EL1, theirs);
	s = fk_score(pe.f);
	tap_ok(compile(0, true), "partition_is_no_obstacle");
	reset();
	for (i = 0; i < 3; i++) {
		start();
		run_user(100, true);
		stop();
	}
	reset();
	tap_ok(pe.used > 100 && s->wr[reg] == 1 && !s->rd[reg], "partition_is_left_alone");
	tap_eq(fk_mrs(pe.f, V9_SYS_TRBMPAM_EL1), theirs, "partition_stays");
	tap_eq(pe.wrong + pe.f->nviolations, 0, "partition_is_clean");
}

static uint64_t trcit_levels(void)
{
	return fk_mrs(pe.f, V9_SYS_TRCITECR_EL1);
}

/* Instrumentation is enabled only for sessions that request it. shows: ETE-R_FLGVJ */
static void instrumentation(void)
{
	struct v9_trbe_regs now;
	bool right;

	with_ite = true;
	power_on(V9_DELAY_OFF, 2, false, true);
	drv.state.ite = true;
	compile(UINT64_C(1) << 63, false);
	fk_msr(pe.f, V9_SYS_TRCITECR_EL1, 3);	/* left by other software */
	reset();
	tap_eq(trcit_levels(), 0, "no_instrumentation_after_reset");
	start();
	right = trcit_levels() == 1;
	run_user(50, true);
	stop();
	right = right && !trcit_levels();
	tap_ok(right, "instrumentation_of_traced_programs");

	compile(UINT64_C(1) << 63, true);
	start();
	tap_eq(trcit_levels(), 3, "instrumentation_of_a_traced_kernel");
	stop();

	/* CPU PM saves and restores: the same register values continue. */
	start();
	now = drv.regs;
	v9_ete_act_stop(&drv.state, &now);
	v9_ete_act_start(&drv.state, &drv.image, &now, false);
	tap_eq(trcit_levels(), 3, "it_continues_after_sleep");
	pe.deaf = true;
	v9_ete_act_stop(&drv.state, &now);
	tap_eq(trcit_levels(), 0, "no_instrumentation_without_ite");
	tap_eq(pe.wrong + pe.f->nviolations, 0, "instrumentation_is_clean");

	/* Without the option the register is not accessed: it may trap. */
	power_on(V9_DELAY_OFF, 2, false, true);
	compile(0, true);
	reset();
	fk_msr(pe.f, V9_SYS_TRCITECR_EL1, 2);
	start();
	stop();
	tap_eq(trcit_levels(), 2, "unrequested_it_is_not_touched");
	with_ite = false;
}

/* A unit without optional features: registers that do not exist are not accessed. */
static void minimal(void)
{
	const struct v9_trace_score *s;

	power_on(V9_DELAY_RANDOM, 3, true, true);
	tap_ok(compile(0, false), "minimal_unit_is_taken");
	reset();
	/* shows: ETE-I_TVDMT */
	tap_eq(fk_mrs(pe.f, V9_SYS_TRCTRACEIDR), 0x10, "trace_id_is_written");
	start();
	run_user(500, true);
	stop();
	s = tk_score(pe.f);
	tap_ok(s->written && s->written == pe.used && !s->off, "minimal_unit_traces");
	tap_eq(pe.wrong + pe.f->nviolations, 0, "minimal_unit_is_clean");
}

/* TRCEVENTCTL1R must be written also without resource selectors (D24.4.29). */
static void without_selectors(void)
{
	const struct v9_trace_score *s;

	bare = true;
	power_on(V9_DELAY_RANDOM, 3, true, true);
	tap_ok(compile(1 << 28, false), "bare_unit_is_taken");
	reset();
	start();
	tap_ok(v9_has(&pe.f->m->programmed, fk_reg(V9_SYS_TRCEVENTCTL1R)), "eventctl1_is_written");
	run_user(500, true);
	stop();
	s = tk_score(pe.f);
	tap_ok(s->written && s->written == pe.used && !s->off, "bare_unit_traces");
	tap_eq(pe.wrong + pe.f->nviolations, 0, "bare_unit_is_clean");
	bare = false;
}

/* Other software had enabled another trace output. shows: ETE-R_PJYKY */
static void no_other_output(void)
{
	with_ite = true;
	power_on(V9_DELAY_OFF, 1, false, true);
	tap_ok(compile(0, false), "unit_with_another_output");
	MSR(pe.f, TRCEVENTCTL1R, 0x2000);
	fk_sync(pe.f, V9_SYNC_ISB);
	tap_eq(MRS(pe.f, TRCEVENTCTL1R), 0x2000, "other_output_was_enabled");
	reset();
	start();
	tap_eq(MRS(pe.f, TRCEVENTCTL1R), 0, "other_output_is_disabled");
	run_user(500, true);
	stop();
	tap_ok(tk_score(pe.f)->written && !tk_score(pe.f)->out, "nothing_leaves_by_it");
	with_ite = false;
}

/* Another kernel left the unit enabled and the buffer disabled: the unit must still stop. */
/* shows: ETE-R_NLSSL */
static void left_on(void)
{
	unsigned int i;

	power_on(V9_DELAY_MAX, 1, false, true);
	compile(0, true);
	tk_program(pe.f, 0);
	tk_enable(pe.f);
	for (i = 0; i < 100; i++)
		execute();
	tap_ok(tk_score(pe.f)->off && !tk_score(pe.f)->written, "left_on_without_a_buffer");
	reset();
	start();
	run_user(500, true);
	stop();
	tap_ok(pe.used && pe.used == tk_score(pe.f)->written, "left_on_traces_anew");
	tap_eq(pe.wrong + pe.f->nviolations, 0, "left_on_is_stopped");
}

/* A unit that never becomes idle: polls time out, tracing stays prohibited, nothing is written. */
static void deaf(void)
{
	struct v9_trbe_regs now;

	power_on(V9_DELAY_OFF, 1, false, true);
	compile(0, false);
	reset();
	start();
	run_user(50, true);
	pe.deaf = true;
	pe.polls = 0;
	pe.us = pe.tick = 1;
	tap_ok(!v9_ete_act_stop(&drv.state, &now), "deaf_unit_is_reported");
	tap_ok(pe.us >= 100 && pe.us < 130, "deaf_unit_has_100_us");
	/* Another session ran in between. */
	pe.polls = 0;
	pe.tick = 1000;
	tap_ok(!v9_ete_act_stop(&drv.state, &now), "deaf_unit_is_reported_again");
	tap_ok(pe.polls >= 100 && pe.polls < 200, "deaf_unit_is_asked_so_often");
	tap_eq(fk_mrs(pe.f, V9_SYS_TRFCR_EL1) & 3, 0, "deaf_unit_is_prohibited");
	tap_eq(fk_mrs(pe.f, V9_SYS_TRBLIMITR_EL1), 0, "deaf_unit_has_no_buffer");
	tap_ok(!v9_ete_act_reset(&drv.state, &drv.unit.id, 1), "deaf_unit_is_not_reset");
	tap_eq(pe.f->nviolations, 0, "deaf_unit_is_not_written");
}

/* A unit that does not start: nothing is traced, and nothing of it stays enabled. */
static void still(void)
{
	with_ite = true;
	power_on(V9_DELAY_OFF, 1, false, true);
	drv.state.ite = true;
	compile(UINT64_C(1) << 63, true);
	reset();
	start();
	tap_eq(trcit_levels(), 3, "unit_starts_with_instrumentation");
	stop();
	pe.still = true;
	tap_ok(!v9_ete_act_start(&drv.state, &drv.image, &drv.regs, true), "still_unit_is_reported");
	tap_eq(trcit_levels(), 0, "still_unit_has_no_instrumentation");
	tap_eq(fk_mrs(pe.f, V9_SYS_TRFCR_EL1) & 3, 0, "still_unit_is_prohibited");
	tap_eq(fk_mrs(pe.f, V9_SYS_TRCPRGCTLR), 0, "still_unit_is_disabled");
	tap_eq(fk_mrs(pe.f, V9_SYS_TRBLIMITR_EL1), 0, "still_unit_has_no_buffer");
	tap_eq(pe.f->nviolations, 0, "still_unit_is_clean");
	with_ite = false;
}

int main(void)
{
	clean();
	barriers();
	minimal();
	without_selectors();
	no_other_output();
	left_on();
	deaf();
	still();
	differences();
	resources();
	each_resource();
	what_waits();
	points_alone();
	claims();
	trigger_at_once();
	instrumentation();
	enabled_at_once();
	kernel_at_once();
	last_timestamps();
	mispredicted();
	partition();
	aborts_untold();
	errata();
	return tap_done();
}
