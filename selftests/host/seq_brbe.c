// SPDX-License-Identifier: GPL-2.0-only
/*
 * drivers/lib/seq_brbe.c with the strict model and delayed effects. Tasks run, are interrupted and
 * switched; each stack must be the branches since the last start, and no rule may be broken. Before
 * each access the kernel executes a branch, as compiled code may. Then each barrier, and each BRB
 * IALL, is removed, one at a time, and the test must notice.
 */
#include "tap.h"
#include "hw.h"
#include "model_branches.h"
#include "v9trace/attr.h"
#include "v9trace/branch.h"
#include "v9trace/seq.h"

#define USER	UINT64_C(0x400000)
#define KERNEL	UINT64_C(0xffff800000000000)
#define RECORDS	64

/* The running sequence. A barrier is identified by it and by its number in it. */
enum tag { NONE, RESET, START, STOP, PAUSE, READ, RESUME, FORGET };
static const char *const tag_name[] = {
	"", "reset", "start", "stop", "pause", "read", "resume", "forget"
};

struct key {
	enum tag tag;
	unsigned int nr;
};

static struct {
	struct fk *f;
	uint64_t user, kernel;	/* where each continues; each branch has an address of its own */
	uint64_t since;		/* user branches from here on may be in a stack */
	uint64_t since_kernel;
	unsigned int wrong, records;
	uint64_t id, fgt;	/* ID_AA64DFR0_EL1, HFGITR_EL2 */
	unsigned int fgt_writes;
	enum tag tag;
	unsigned int nr;
	struct key skip;
	struct key seen[32];
	unsigned int seen_n;
} pe;

static void branches(uint64_t *pc, unsigned int n)
{
	pe.f->pc = *pc;
	while (n--)
		bk_b(pe.f);
	*pc = pe.f->pc;
}

/* hw_read(), hw_write() and barriers */

static int find(uint32_t enc, bool write)
{
	int reg = v9_reg_find(&pe.f->pe.r, enc);

	branches(&pe.kernel, 1);
	if (reg >= 0 && v9_reg_access(pe.f->m, reg, write) == V9_ACCESS_OK)
		return reg;
	pe.wrong++;
	return -1;
}

uint64_t hw_read(uint32_t enc)
{
	int reg;

	if (enc == V9_SYS_ID_AA64DFR0_EL1)
		return pe.id;
	if (enc == V9_SYS_HFGITR_EL2)
		return pe.fgt;
	reg = find(enc, false);
	return reg < 0 ? 0 : v9_reg_read(pe.f->m, reg);
}

void hw_write(uint32_t enc, uint64_t value)
{
	int reg;

	if (enc == V9_SYS_HFGITR_EL2) {
		pe.fgt = value;
		pe.fgt_writes++;
		return;
	}
	reg = find(enc, true);
	if (reg >= 0)
		v9_reg_write(pe.f->m, reg, value);
}

/* True if this one is left out */
static bool left_out(void)
{
	struct key k = { pe.tag, pe.nr++ };
	unsigned int i;

	if (k.tag != NONE && k.tag == pe.skip.tag && k.nr == pe.skip.nr)
		return true;
	for (i = 0; i < pe.seen_n; i++)
		if (pe.seen[i].tag == k.tag && pe.seen[i].nr == k.nr)
			break;
	if (i == pe.seen_n && i < V9_ARRAY_SIZE(pe.seen))
		pe.seen[pe.seen_n++] = k;
	return false;
}

void hw_isb(void)
{
	if (!left_out())
		bk_isb(pe.f);
}

/* No branch is between this instruction and the barriers next to it. */
void hw_brb_iall(void)
{
	if (!left_out())
		bk_brb(pe.f, V9_BRB_IALL);
}

static void begin(enum tag tag)
{
	pe.tag = tag;
	pe.nr = 0;
}

#define SEQUENCE(tag, call) (begin(tag), (call), begin(NONE))

/* A machine whose kernel is a host at EL2 */

static void power_on(unsigned int delay, uint64_t seed)
{
	struct fk *f = bk_new();

	memset(&pe, 0, sizeof(pe));
	pe.f = f;
	pe.id = UINT64_C(1) << 52;		/* BRBE */
	pe.user = USER;
	pe.kernel = KERNEL;
	f->pe.r.has_el2 = true;
	f->pe.r.hcr_el2 = V9_HCR_EL2_E2H | V9_HCR_EL2_TGE;
	f->pe.r.mdcr_el2 = 6;			/* HPMN: all counters */
	f->pe.r.el = 2;
	f->cfg.brbe_records = RECORDS;
	f->cfg.delay = delay;
	f->cfg.seed = seed;
	if (bk_init(f))
		abort();
}

static void to_user(unsigned int n)
{
	bk_eret(pe.f, pe.user, 0);
	branches(&pe.user, n);
	pe.f->pc = pe.user;
	bk_irq(pe.f, 2, pe.kernel);
	branches(&pe.kernel, 2);
}

static struct v9_brbe_reg_values encode(bool kernel)
{
	struct v9_brbe_request req = { .branch = V9_BRANCH_ANY | V9_BRANCH_USER };
	struct v9_brbe_reg_values values;
	struct v9_refusal no;

	if (kernel)
		req.branch |= V9_BRANCH_KERNEL;
	if (v9_brbe_encode_regs(&req, &values, &no))
		abort();
	return values;
}

static void forgotten(void)
{
	pe.since = pe.user;
	pe.since_kernel = pe.kernel;
}

static void start(const struct v9_brbe_reg_values *values)
{
	forgotten();
	SEQUENCE(START, v9_brbe_act_start(values));
	branches(&pe.kernel, 3);		/* up to the return to user space */
}

static void stop(void)
{
	uint64_t captured;

	SEQUENCE(STOP, v9_brbe_act_stop());
	captured = bk_score(pe.f)->captured;
	pe.wrong += hw_read(V9_SYS_BRBCR_EL1) != 0;
	branches(&pe.kernel, 3);
	to_user(3);				/* another task */
	pe.wrong += captured != bk_score(pe.f)->captured;
}

/* Each branch went to the next one of the same level: the addresses tell whether one is missing. */
static void check(const struct v9_branch_regs *rec, unsigned int n, bool kernel)
{
	uint64_t want = (pe.user - pe.since) / 8;

	pe.records += n;
	for (unsigned int i = 0; i < n; i++) {
		bool of_kernel = rec[i].src >> 63;

		pe.wrong += rec[i].src < (of_kernel ? pe.since_kernel : pe.since);
		pe.wrong += of_kernel && !kernel;
		if (!kernel)
			pe.wrong += rec[i].src != pe.user - 8 * (i + 1) ||
				    rec[i].tgt != rec[i].src + 8;
	}
	if (!kernel)
		pe.wrong += n != (want < RECORDS ? want : RECORDS);
	else
		pe.wrong += !n;
}

static void interrupt(void)
{
	branches(&pe.kernel, 2);
	pe.f->pc = pe.kernel;
	bk_irq(pe.f, 2, pe.kernel + 0x1000);
	pe.kernel += 0x1000;
}

static void sample(const struct v9_brbe_reg_values *values, bool late)
{
	static struct v9_branch_regs rec[RECORDS];
	struct v9_branch_found found;
	enum v9_branch_validity validity;
	uint64_t captured, frozen_at = 0;
	unsigned int n;

	if (values->freezes) {
		/* A freeze before the interrupt is taken, or by another counter after that */
		branches(&pe.kernel, 4);
		if (late)
			interrupt();
		branches(&pe.kernel, 4);
		pe.f->pe.pmovs |= 4;
		v9_brbe_overflow(pe.f->m);
		frozen_at = bk_stops.last.ts;
		if (!late)
			interrupt();
	}
	SEQUENCE(PAUSE, v9_brbe_act_pause(&found));
	captured = bk_score(pe.f)->captured;
	pe.wrong += values->freezes && found.brbts != frozen_at;
	validity = v9_branch_check(found.brbfcr, values->freezes, 0, 1, 1000000);
	pe.wrong += validity != (values->freezes ? V9_BRANCHES_FROZEN : V9_BRANCHES_PAUSED);
	begin(READ);
	n = v9_brbe_act_read(rec, RECORDS);
	begin(NONE);
	check(rec, n, values->freezes);
	pe.wrong += captured != bk_score(pe.f)->captured;
	pe.f->pe.pmovs = 0;
	forgotten();
	SEQUENCE(RESUME, v9_brbe_act_resume(values));
	branches(&pe.kernel, 2);
}

static unsigned int scenario(unsigned int delay, uint64_t seed, bool kernel, struct key skip)
{
	struct v9_brbe_reg_values values = encode(kernel);
	uint64_t captured;
	unsigned int bad;

	power_on(delay, seed);
	pe.skip = skip;
	SEQUENCE(RESET, v9_brbe_act_reset());
	for (unsigned int i = 0; i < 6; i++) {
		start(&values);
		captured = bk_score(pe.f)->captured;
		to_user(3 + 16 * i);
		pe.wrong += captured == bk_score(pe.f)->captured;
		sample(&values, i & 1);
		to_user(2);
		sample(&values, i & 2);
		to_user(5);
		/* perf switches tasks, and stops nothing */
		forgotten();
		SEQUENCE(FORGET, v9_brbe_act_forget());
		branches(&pe.kernel, 2);
		to_user(1 + i);
		sample(&values, false);
		to_user(70);
		if (i & 1) {
			stop();
			continue;
		}
		/* The CPU goes offline: nothing stays. */
		SEQUENCE(RESET, v9_brbe_act_reset());
		bk_isb(pe.f);
		pe.wrong += bk_count(pe.f) != 0;
	}
	bad = pe.wrong + pe.f->nviolations;
	if (!skip.tag && !skip.nr && bad)
		tap_note("seed %u: %u wrong, %s", (unsigned int)seed, pe.wrong,
			 pe.f->nviolations ? pe.f->violation.what : "no rule broken");
	fk_free(pe.f);
	return bad;
}

static void clean(void)
{
	static const struct key nothing;
	unsigned int bad = 0, records = 0;

	for (uint64_t seed = 1; seed <= 60 && !bad; seed++) {
		bad += scenario(V9_DELAY_RANDOM, seed, seed & 1, nothing);
		records += pe.records;
	}
	/* shows: BRBE-BR6 BRBE-BZ1 BRBE-BZ6 BRBE-BB2 BRBE-BB3 BRBE-BB4 BRBE-BI1 BRBE-BM3 BRBE-BM4 */
	tap_eq(bad, 0, "random_order_is_clean");
	tap_eq(scenario(V9_DELAY_MAX, 1, true, nothing) +
	       scenario(V9_DELAY_MAX, 2, false, nothing), 0, "latest_order_is_clean");
	tap_eq(scenario(V9_DELAY_OFF, 1, true, nothing) +
	       scenario(V9_DELAY_OFF, 1, false, nothing), 0, "program_order_is_clean");
	tap_ok(records > 60 * 100, "records_came");
}

/* Barriers whose absence the model cannot show, and the reason for them */
static const struct {
	struct key key;
	const char *why;
} unseen[] = {
	{ { RESET, 2 }, "its own, and what it waits for, is in the next sequence" },
	{ { PAUSE, 1 }, "where records are read nothing is recorded: the kernel is prohibited, or frozen" },
};

static void barriers(void)
{
	struct key keys[32];
	unsigned int n;

	scenario(V9_DELAY_RANDOM, 1, true, (struct key){ .nr = ~0u });
	n = pe.seen_n;
	memcpy(keys, pe.seen, sizeof(keys));
	for (unsigned int i = 0; i < n; i++) {
		unsigned int missed = 0, k;
		char name[64];

		snprintf(name, sizeof(name), "%s_%u", tag_name[keys[i].tag], keys[i].nr);
		for (k = 0; k < V9_ARRAY_SIZE(unseen); k++)
			if (unseen[k].key.tag == keys[i].tag && unseen[k].key.nr == keys[i].nr)
				break;
		if (k < V9_ARRAY_SIZE(unseen)) {
			tap_skip(unseen[k].why, "without_%s", name);
			continue;
		}
		for (uint64_t seed = 1; !missed && seed <= 200; seed++)
			missed = scenario(seed & 2 ? V9_DELAY_RANDOM : V9_DELAY_MAX, seed, seed & 1,
					  keys[i]);
		tap_ok(missed, "without_%s", name);
	}
	tap_eq(n, 14, "barriers_in_all");
}

/* D24.8: NUMREC in BRBIDR0_EL1; nothing but the ID register is read of what is closed. */
static void ids(void)
{
	struct v9_brbe_id id;

	power_on(V9_DELAY_OFF, 1);
	v9_brbe_read_id(&id, NULL);
	tap_ok(id.id_aa64dfr0 == UINT64_C(1) << 52 && id.brbidr == 0x5040 && !id.closed, "id");
	v9_brbe_read_id(&id, "closed");
	tap_ok(id.brbidr == 0 && !strcmp(id.closed, "closed"), "id_closed");
	fk_free(pe.f);
}

/*
 * Whatever the registers contained, nothing is enabled after a reset, and BRB INJ has nothing of
 * before: D24.8, PAUSED is bit 7. shows: BRBE-BM3
 */
static void resets(void)
{
	static const struct {
		const char *name;
		uint32_t reg;
	} of[] = {
		{ "brbcr_el2", V9_SYS_BRBCR_EL1 }, { "brbcr_el1", V9_SYS_BRBCR_EL12 },
		{ "brbinfinj", V9_SYS_BRBINFINJ_EL1 }, { "brbsrcinj", V9_SYS_BRBSRCINJ_EL1 },
		{ "brbtgtinj", V9_SYS_BRBTGTINJ_EL1 },
	};

	power_on(V9_DELAY_OFF, 1);
	hw_write(V9_SYS_BRBFCR_EL1, 0x7e0000);
	for (unsigned int i = 0; i < V9_ARRAY_SIZE(of); i++)
		hw_write(of[i].reg, i < 2 ? 0xc0017b : 0x83);
	bk_isb(pe.f);
	branches(&pe.kernel, 3);
	tap_ok(bk_count(pe.f) && hw_read(V9_SYS_BRBTGTINJ_EL1) == 0x83, "before_reset");
	v9_brbe_act_reset();
	bk_isb(pe.f);
	tap_eq(bk_count(pe.f), 0, "reset_records");
	tap_eq(hw_read(V9_SYS_BRBFCR_EL1), 0x80, "reset_brbfcr");
	for (unsigned int i = 0; i < V9_ARRAY_SIZE(of); i++) {
		tap_eq(hw_read(of[i].reg), 0, "reset_%s", of[i].name);
		/* From here on the others can be read: they are RES0 in an invalid record. */
		if (of[i].reg == V9_SYS_BRBINFINJ_EL1)
			hw_write(of[i].reg, 3);
	}
	fk_free(pe.f);
}

/* The second bank is selected only for units that have one. shows: BRBE-BB3 */
static void banks(void)
{
	static struct v9_branch_regs rec[RECORDS];
	struct v9_brbe_reg_values values = encode(false);
	struct v9_branch_found found;

	for (unsigned int size = 32; size <= 64; size += 32) {
		power_on(V9_DELAY_OFF, 1);
		v9_brbe_act_reset();
		v9_brbe_act_start(&values);
		to_user(80);
		v9_brbe_act_pause(&found);
		tap_ok(v9_brbe_act_read(rec, size) == size && rec[size - 1].src &&
		       hw_read(V9_SYS_BRBFCR_EL1) == (size == 64 ? 0x10000080 : 0x80),
		       "bank_of_%u", size);
		fk_free(pe.f);
	}
}

/* HFGITR_EL2: nBRBINJ is bit 55, nBRBIALL 56; 0 traps. shows: BRBE-BM1 */
static void guests(void)
{
	static const struct {
		const char *name;
		uint64_t before, after;
		unsigned int writes;
	} of[] = {
		{ "both", ~UINT64_C(0), 0xfe7fffffffffffff, 1 },
		{ "iall", UINT64_C(5) << 54, UINT64_C(1) << 54, 1 },
		{ "inj", UINT64_C(9) << 55, UINT64_C(1) << 58, 1 },
		{ "neither", 0xfe7fffffffffffff, 0xfe7fffffffffffff, 0 },
	};

	for (unsigned int i = 0; i < V9_ARRAY_SIZE(of); i++) {
		power_on(V9_DELAY_OFF, 1);
		pe.fgt = of[i].before;
		v9_brbe_act_exclude_guest();
		tap_ok(pe.fgt == of[i].after && pe.fgt_writes == of[i].writes,
		       "guest_allowed_%s", of[i].name);
		fk_free(pe.f);
	}
	power_on(V9_DELAY_OFF, 1);
	pe.id = ~(UINT64_C(0xf) << 52);		/* all fields but BRBE */
	pe.fgt = ~UINT64_C(0);
	v9_brbe_act_exclude_guest();
	tap_ok(pe.fgt == ~UINT64_C(0) && !pe.fgt_writes, "guest_of_a_cpu_without_unit");
	fk_free(pe.f);
}

int main(void)
{
	ids();
	guests();
	resets();
	banks();
	clean();
	barriers();
	return tap_done();
}
