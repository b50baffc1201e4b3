// SPDX-License-Identifier: GPL-2.0-only
/*
 * Choices of the model's Profiling Unit: micro-operations, operations of wrong paths, records with packets in
 * any order and padding between them, IMPLEMENTATION DEFINED events. Values are typed from D17.6, D18.2 and D24.7.
 */
#include "tap.h"
#include "model_fake.h"

#define IRR V9_PUT(V9_PMSIRR_EL1_INTERVAL, 1)
#define VA UINT64_C(0x00007f1234567010)
#define LDP_POST	0xa8c10440u	/* ldp x0, x1, [x2], #16 */
#define LDP_PRE_W	0x29c20440u	/* ldp w0, w1, [x2, #16]! */
#define STP		0xa9000440u	/* stp x0, x1, [x2] */
#define LDP_Q		0xad400440u	/* ldp q0, q1, [x2] */
#define LDR_POST	0xf8408440u	/* ldr x0, [x2], #8 */
#define LDUR		0xf8408040u	/* ldur x0, [x2, #8] */
#define LDR_REGISTER	0xf8636840u	/* ldr x0, [x2, x3] */
#define RETIRED		0x2		/* E[1] */

static struct fk *started(const struct v9_config *c, uint64_t scr)
{
	struct fk *f = fk_new();

	f->cfg.spe_micro = c->spe_micro;
	f->cfg.spe_wrong = c->spe_wrong;
	f->cfg.spe_extra = c->spe_extra;
	f->cfg.spe_order = c->spe_order;
	f->cfg.spe_impdef = c->spe_impdef;
	f->cfg.spe_stamp = c->spe_stamp;
	f->cfg.clock_step = c->clock_step;
	if (c->spe_version)
		v9_config_version(&f->cfg, c->spe_version);
	fk_init(f);
	fk_start(f, IRR, 16, scr);
	return f;
}

/* Executes @op so that its member number @n, from 1, is sampled. */
static void one(struct fk *f, uint32_t op, uint64_t va, unsigned int n)
{
	fk_arm(f);
	MSR(f, PMSICR_EL1, n);
	fk_sync(f, V9_SYNC_ISB);
	fk_op(f, op, va);
	fk_op(f, OP_NOP, 0);
}

/* The last record is a load or store of @opc at @va; of 0, an operation of another type. */
static bool last_is(const struct fk *f, uint64_t va, unsigned int opc)
{
	const struct fk_rec r = fk_last(f);

	if (!va)
		return fk_same(f) && r.l.op == 0x48 && !r.l.opc && !(r.l.has & V9_LOG_VA) && r.l.ev == RETIRED;
	return fk_same(f) && r.l.op == 0x49 && r.l.opc == opc && r.l.va == va;
}

/* shows: SPE-FI5 SPE-SI3 */
static void micro_operations(void)
{
	static const struct {
		uint32_t op;
		uint8_t parts;
	} t[] = {
		{ LDP_POST, 3 }, { LDP_PRE_W, 3 }, { STP, 2 }, { LDP_Q, 2 }, { LDR_POST, 2 }, { LDUR, 1 },
		{ LDR_REGISTER, 1 }, { OP_LDR, 1 }, { OP_NOP, 1 }, { OP_LDADD, 1 },
	};
	struct fk *f = started(&(struct v9_config){ .spe_micro = true }, 0);
	unsigned int i, bad = 0;
	uint64_t pop;

	tap_eq(MRS(f, PMSIDR_EL1) >> 3 & 1, 0, "archinst_is_0");
	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		pop = fk_score(f)->pop;
		fk_op(f, t[i].op, VA);
		if (fk_score(f)->pop != pop + t[i].parts) {
			tap_note("%08x", t[i].op);
			bad++;
		}
	}
	tap_eq(bad, 0, "population_is_micro_operations");
	one(f, LDP_POST, VA, 1);
	tap_ok(last_is(f, VA, 0), "first_register");
	one(f, LDP_POST, VA, 2);
	tap_ok(last_is(f, VA + 8, 0), "second_register");
	one(f, LDP_POST, VA, 3);
	tap_ok(last_is(f, 0, 0), "base_register");
	one(f, LDP_PRE_W, VA, 2);
	tap_ok(last_is(f, VA + 4, 0), "second_register_of_4_bytes");
	one(f, STP, VA, 2);
	tap_ok(last_is(f, VA + 8, 1), "second_register_of_a_store");
	tap_eq(f->log[f->nlog - 1].pc, f->pc - 8, "of_the_same_instruction");
	fk_free(f);

	f = started(&(struct v9_config){ 0 }, 0);
	tap_eq(MRS(f, PMSIDR_EL1) >> 3 & 1, 1, "archinst_is_1");
	pop = fk_score(f)->pop;
	fk_op(f, LDP_POST, VA);
	tap_eq(fk_score(f)->pop, pop + 1, "population_is_instructions");
	one(f, LDP_POST, VA, 1);
	tap_ok(last_is(f, VA, 0), "the_whole_instruction");
	fk_free(f);
}

/*
 * Executes @nops while the filter keeps only what has retired, and returns how many records there are. @can_be_0: the name
 * of the test that E[1] of the filter can be 0.
 */
static uint32_t kept_of(struct fk *f, unsigned int nops, const char *can_be_0)
{
	const uint32_t before = (uint32_t)f->nlog;

	MSR(f, PMSEVFR_EL1, 0);
	tap_eq(MRS(f, PMSEVFR_EL1), 0, "%s", can_be_0);
	MSR(f, PMSEVFR_EL1, RETIRED);
	MSR(f, PMSFCR_EL1, V9_PMSFCR_EL1_FE);
	fk_sync(f, V9_SYNC_ISB);
	fk_nops(f, nops);
	return (uint32_t)f->nlog - before;
}

/* shows: SPE-SI4 SPE-CD4 SPE-FI9 SPE-PK7 */
static void wrong_paths(void)
{
	struct fk *f = started(&(struct v9_config){ .spe_wrong = 1 }, V9_PMSCR_EL1_TS | V9_PMSCR_EL1_CX);
	unsigned int i, bad = 0, less = 0, has_pc = 0;

	f->pe.contextidr_el1 = 7;
	/* Each one is of a wrong path, and one member more: 256, then 257 each */
	fk_nops(f, 10 * 256);
	tap_eq(f->nlog, 10, "wrong_paths_are_sampled");
	tap_eq(fk_score(f)->pop, 10 * 256 + 10, "wrong_paths_are_in_the_population");
	for (i = 0; i < f->nlog; i++) {
		const struct v9_spe_log *l = &f->log[i];
		struct fk_rec r;

		fk_decode(f, l->at, l->at + l->size, &r);
		bad += !r.ended || (r.l.ev & 3) || !(r.l.has & V9_LOG_TS) ||
		       (r.l.has & (V9_LOG_VA | V9_LOG_PA | V9_LOG_TGT | V9_LOG_INSN)) ||
		       ((r.l.has & V9_LOG_PC) && (r.l.pc & 0x00fffffffffff000) >> 12 > f->pc >> 12);
		/* PC, context, type, events, two counters, timestamp */
		less += r.packets < 7;
		has_pc += !!(r.l.has & V9_LOG_PC);
	}
	tap_eq(bad, 0, "neither_event_0_nor_1_and_no_value");
	tap_ok(less > 3 && has_pc && has_pc < f->nlog, "some_packets_are_not_there");
	tap_ok(!f->nviolations, "wrong_paths_break_no_rule");
	tap_eq(kept_of(f, 5000, "event_1_can_be_0"), 0, "filter_of_retired_drops_them");
	tap_ok(fk_score(f)->filtered > 10, "which_is_counted");
	fk_free(f);

	f = started(&(struct v9_config){ .spe_wrong = 3 }, 0);
	for (i = 0; i < 100; i++)
		one(f, OP_LDR, VA, 1);
	for (i = bad = 0; i < f->nlog; i++)
		bad += !(f->log[i].ev & RETIRED);
	tap_ok(bad > 10 && bad < 60 && f->nlog == 100, "some_are_of_a_wrong_path");
	fk_free(f);
}

/* D17.2.1, D17.6.7: micro-operations of no instruction. shows: SPE-SI18 */
static void extras(void)
{
	struct fk *f = started(&(struct v9_config){ .spe_micro = true, .spe_extra = 1 },
			       V9_PMSCR_EL1_TS | V9_PMSCR_EL1_CX);
	unsigned int i, bad = 0, of_none = 0, less = 0;
	uint64_t pop = fk_score(f)->pop;

	fk_op(f, LDP_POST, VA);
	tap_eq(fk_score(f)->pop, pop + 4, "extra_member_of_the_population");
	one(f, OP_LDR, VA, 1);
	tap_ok(f->nlog == 1 && !(f->log[0].has & (V9_LOG_PC | V9_LOG_VA)) && !(f->log[0].ev & 3), "extra_comes_first");
	one(f, OP_LDR, VA, 2);
	tap_ok(last_is(f, VA, 0) && f->log[1].has & V9_LOG_PC, "extra_before_the_instruction");
	fk_nops(f, 20 * 256);
	for (i = 2; i < f->nlog; i++) {
		const struct v9_spe_log *l = &f->log[i];
		struct fk_rec r;

		fk_decode(f, l->at, l->at + l->size, &r);
		bad += !r.ended || !(r.l.has & V9_LOG_TS) || !(r.l.has & V9_LOG_PC) == !!(r.l.ev & RETIRED);
		of_none += !(r.l.has & V9_LOG_PC);
		less += !(r.l.has & V9_LOG_PC) && r.packets < 6;
	}
	/* Each second member is of no instruction, and so is each second sample: 257 members lie between them. */
	tap_ok(f->nlog - 2 > 30 && of_none == (f->nlog - 1) / 2, "extra_is_sampled_as_others");
	tap_eq(bad, 0, "extra_has_no_address_and_is_not_retired");
	tap_ok(less > 3, "extra_with_less_packets");
	tap_ok(!f->nviolations, "extra_breaks_no_rule");
	tap_ok(kept_of(f, 10 * 256, "extra_event_1_can_be_0") > 5 && fk_score(f)->filtered > 5, "extra_is_dropped_by_the_filter_of_retired");
	fk_free(f);

	f = fk_new();
	f->cfg.spe_extra = 1;
	tap_ok(fk_init(f), "extra_only_of_micro_operations");
	fk_free(f);
}

/* The offset of the first packet of @kind and @index in the record, with the packets up to it */
static unsigned int offset_of(const struct fk *f, const struct v9_spe_log *l, unsigned int kind)
{
	struct v9_spe_pkt p;
	uint64_t at = l->at;

	do
		at += v9_spe_pkt_decode(f->mem + (at - FK_BASE), 64, at, &p);
	while (p.kind != kind);
	return at - l->at;
}

/* shows: SPE-PK2 SPE-PK3 SPE-PK7 SPE-PK10 */
static void orders(void)
{
	struct fk *f = started(&(struct v9_config){ .spe_order = true },
			       V9_PMSCR_EL1_TS | V9_PMSCR_EL1_CX | V9_PMSCR_EL1_PA);
	unsigned int i, bad = 0, padded = 0, first = 0, too_long = 0;
	uint64_t events = 0;

	for (i = 0; i < 200; i++) {
		const struct v9_spe_log *l;
		struct fk_rec r;

		one(f, OP_LDR, VA, 1);
		l = &f->log[f->nlog - 1];
		r = fk_last(f);
		bad += !fk_same(f) || !(r.l.has & V9_LOG_TS);
		/* PC, context, type, events, three counters, two addresses, source, timestamp */
		padded += r.packets > 11;
		too_long += l->size > 64;
		first += f->mem[l->at - FK_BASE] == 0xb0;
		events |= V9_BIT(offset_of(f, l, V9_SPE_EVENTS));
	}
	tap_eq(bad, 0, "any_order_says_the_same");
	tap_ok(padded > 100, "padding_inside_records");
	tap_eq(too_long, 0, "padding_stays_within_the_record");
	tap_ok(first > 2 && first < 50, "the_program_counter_is_not_always_first");
	tap_ok(__builtin_popcountll(events) > 10, "events_at_many_places");
	fk_free(f);
}

/* shows: SPE-PK6 SPE-FI6 */
static void events(void)
{
	static const struct {
		uint8_t version;
		uint64_t may;	/* D18.2.6: E[15:12], before SPEv1p4 E[31:26], too */
	} t[] = { { 3, 0xfc00f000 }, { 5, 0xf000 } };
	unsigned int i, k, bad;
	uint64_t seen;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct fk *f = started(&(struct v9_config){ .spe_impdef = true,
							    .spe_version = t[i].version }, 0);

		for (k = seen = bad = 0; k < 100; k++) {
			one(f, OP_NOP, 0, 1);
			bad += !fk_same(f) || (fk_last(f).l.ev & ~t[i].may) != RETIRED;
			seen |= fk_last(f).l.ev & t[i].may;
		}
		tap_eq(bad, 0, "no_other_events_in_version_%u", t[i].version);
		tap_eq(seen, t[i].may, "all_impdef_events_in_version_%u", t[i].version);
		MSR(f, PMSEVFR_EL1, ~UINT64_C(0));
		tap_eq(MRS(f, PMSEVFR_EL1) & 0xff00f000, t[i].may, "filters_of_version_%u", t[i].version);
		MSR(f, PMSEVFR_EL1, 0x1000);
		MSR(f, PMSFCR_EL1, V9_PMSFCR_EL1_FE);
		fk_sync(f, V9_SYNC_ISB);
		for (k = bad = 0; k < 40; k++) {
			const unsigned int n = f->nlog;

			one(f, OP_NOP, 0, 1);
			bad += f->nlog > n && !(fk_last(f).l.ev & 0x1000);
		}
		tap_ok(!bad && f->nlog > 105 && f->nlog < 135, "filtered_in_version_%u", t[i].version);
		fk_free(f);
	}
}

/*
 * D17.6: the timestamp is of the time when the operation was sampled, or of any later one until it ends. Each
 * operation takes 10 cycles.
 */
/* shows: SPE-CD12 */
static void stamps(void)
{
	static const struct {
		const char *name;
		uint8_t stamp;
		uint64_t ticks;		/* bit n: a stamp is n ticks behind the choice */
	} t[] = {
		{ "at_the_choice", 0, 0x1 }, { "until_it_ends", 1, 0x7ff }, { "ticks_of_two_cycles", 2, 0x3f },
	};

	for (unsigned int i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct fk *f = started(&(struct v9_config){ .spe_stamp = t[i].stamp }, V9_PMSCR_EL1_TS);
		unsigned int bad = 0;
		uint64_t seen = 0;

		for (unsigned int k = 0; k < 200; k++) {
			const uint64_t before = f->clock[V9_CLOCK_PHYSICAL];
			uint64_t late;

			one(f, OP_LDR, VA, 1);
			late = fk_last(f).l.ts - before;
			bad += !fk_same(f) || late > 63;
			seen |= V9_BIT(late & 63);
		}
		tap_eq(bad, 0, "records_are_whole_%s", t[i].name);
		tap_eq(seen, t[i].ticks, "stamp_%s", t[i].name);
		fk_free(f);
	}
}

/* shows: SPE-CD12 */
/* A counter that is advanced in steps: the stamp is of the last one before the choice. */
static void steps(void)
{
	struct fk *f = started(&(struct v9_config){ .clock_step = 40 }, V9_PMSCR_EL1_TS);
	unsigned int bad = 0;

	for (unsigned int k = 0; k < 100; k++) {
		const uint64_t before = f->clock[V9_CLOCK_PHYSICAL];

		one(f, OP_LDR, VA, 1);
		bad += !fk_same(f) || fk_last(f).l.ts != before / 40 * 40;
	}
	tap_eq(bad, 0, "stamps_in_steps");
	fk_free(f);
}

int main(void)
{
	stamps();
	steps();
	micro_operations();
	wrong_paths();
	extras();
	orders();
	events();
	return tap_done();
}
