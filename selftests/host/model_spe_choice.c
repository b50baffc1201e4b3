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
	f->cfg.spe_vector = c->spe_vector;
	f->cfg.spe_element = c->spe_element;
	f->cfg.spe_predicates = c->spe_predicates;
	f->cfg.spe_sme = c->spe_sme;
	f->cfg.spe_prefetch = c->spe_prefetch;
	f->cfg.spe_lean = c->spe_lean;
	f->cfg.spe_tags = c->spe_tags;
	f->cfg.has_mte = c->has_mte;
	f->cfg.eft = c->eft;
	f->pe.sve_vq = f->pe.sme_vq = 4;
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

/* What an instruction does beside its data address, and its Governing predicate */
struct more {
	const uint64_t *elements;	/* of a gather or scatter, which ends with 0 */
	uint64_t reads;
	bool checked, store;
	uint64_t pred;
};

/* As one(), with what else an emulator tells */
static void one_with(struct fk *f, uint32_t op, uint64_t va, unsigned int n, const struct more *x)
{
	struct v9_pe_insn i = { .op = op, .pred = { x->pred } };

	fk_arm(f);
	MSR(f, PMSICR_EL1, n);
	fk_sync(f, V9_SYNC_ISB);
	i.pc = f->pc;
	fk_hook(f, &i);
	f->dva = va;
	f->dvalid = va;
	if (x->reads)
		v9_spe_reads(f->m, x->reads);
	if (x->checked)
		v9_spe_checked(f->m, x->store);
	for (unsigned int k = 0; x->elements && x->elements[k]; k++)
		v9_spe_element(f->m, x->elements[k], x->pred >> 4 * k & 1);
	f->pc += 4;
	fk_op(f, OP_NOP, 0);
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

/*
 * Executes @op so often, and checks records of operations that are not of the program: that each of PC (if @pc), type,
 * counter and the context are in some records and not in others, each of these types occurs and no other does, and
 * addresses lie in one page.
 */
static void unretired(struct fk *f, uint32_t op, unsigned int n, bool pc, const uint16_t *types, const char *name)
{
	const uint16_t kinds = (pc ? V9_LOG_PC : 0) | V9_LOG_OP | V9_LOG_LAT | V9_LOG_CTX1;
	uint16_t there = 0, absent = 0;
	unsigned int seen = 0, bad = 0, pcs = 0;
	uint64_t page = f->pc >> 12, offsets[64] = { 0 };

	f->pe.contextidr_el1 = 7;
	for (unsigned int i = 0; i < n; i++) {
		uint32_t before = (uint32_t)f->nlog;
		struct fk_rec r;
		unsigned int k;

		f->pc = page << 12;
		one(f, op, VA, 1);
		fk_decode(f, f->log[before].at, f->log[before].at + f->log[before].size, &r);
		there |= r.l.has;
		absent |= ~r.l.has;
		bad += r.l.ev != 0 || (r.l.has & ~(kinds | V9_LOG_ISSUE | V9_LOG_TS));
		for (k = 0; (r.l.has & V9_LOG_OP) && types[k] && types[k] != (r.l.op << 8 | r.l.opc); k++)
			;
		bad += (r.l.has & V9_LOG_OP) && !types[k];
		seen |= r.l.has & V9_LOG_OP ? 1u << k : 0;
		if (r.l.has & V9_LOG_PC) {
			bad += (r.l.pc & 3) || (r.l.pc << 8 >> 20) != page;
			pcs += !(offsets[r.l.pc >> 6 & 63] >> (r.l.pc & 63) & 1);
			offsets[r.l.pc >> 6 & 63] |= UINT64_C(1) << (r.l.pc & 63);
		}
	}
	tap_ok(!bad && seen == (types[1] ? 7 : 1) && (there & kinds) == kinds && (absent & kinds) == kinds,
	       "%s_vary", name);
	tap_ok(pc ? pcs > 10 : !pcs, "%s_have_addresses", name);
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

	/* other, a load, a conditional branch */
	f = started(&(struct v9_config){ .spe_wrong = 1 }, V9_PMSCR_EL1_TS | V9_PMSCR_EL1_CX);
	unretired(f, OP_STR, 60, true, (uint16_t[]){ 0x4800, 0x4900, 0x4a01, 0 }, "wrong_paths");
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

	f = started(&(struct v9_config){ .spe_micro = true, .spe_extra = 1 }, V9_PMSCR_EL1_TS | V9_PMSCR_EL1_CX);
	unretired(f, OP_LDR, 60, false, (uint16_t[]){ 0x4800, 0 }, "extras");
	fk_free(f);

	f = fk_new();
	f->cfg.spe_extra = 1;
	tap_ok(fk_init(f), "extra_only_of_micro_operations");
	fk_free(f);
}

#define LD1W	0xa540a000u	/* ld1w {z0.s}, p0/z, [x0] */
#define ST1W	0xe540e000u
#define LD2W	0xa520e000u
#define GATHER	0x85014000u	/* ld1w {z0.s}, p0/z, [x0, z1.s, uxtw] */
#define SCATTER	0xe5418000u
#define LDR_Z	0x85804000u
#define LDR_P	0x85800000u
#define ADD_Z	0x04a00000u	/* add z0.s, z0.s, z0.s */
#define ADD_P	0x04800020u	/* add z0.s, p0/m, z0.s, z1.s */
#define ALL	UINT64_C(0x1111111111111111)	/* each of 16 words */

/* Micro-operations of 128 of 512 bits. shows: SPE-CD28 */
static void vectors(void)
{
	static const struct {
		const char *name;
		uint32_t op;
		uint8_t parts, n;
		uint16_t type;
		uint8_t more;		/* address less that of the instruction; 0xff: none */
		uint64_t pred;
		uint32_t events;
	} t[] = {
		{ "load_first", LD1W, 4, 1, 0x492c, 0, ALL, 0 },
		{ "load_third", LD1W, 4, 3, 0x492c, 32, ALL, 0 },
		{ "store_last", ST1W, 4, 4, 0x492d, 48, ALL, 0 },
		{ "load_of_two_registers", LD2W, 4, 2, 0x492c, 32, ALL, 0 },
		/* The third part is Inactive, and half of the second */
		{ "load_of_some", LD1W, 4, 2, 0x492c, 16, 0x1111000011111111 & ~UINT64_C(0x1100000000000000), 0 },
		{ "load_of_half", LD1W, 4, 2, 0x492c, 16, UINT64_C(0x1111000000111111), V9_BIT(17) },
		{ "load_of_none", LD1W, 4, 3, 0x492c, 32, UINT64_C(0x1111000011111111), V9_BIT(17) | V9_BIT(18) },
		/* R_LQXZR: as the Advanced SIMD operation that has the same effect */
		{ "ldr", LDR_Z, 4, 2, 0x4904, 16, 0, 0 },
		/* a predicate register is an output */
		{ "ldr_of_a_predicate", LDR_P, 1, 1, 0x4948, 0, 0, 0 },
		{ "add", ADD_Z, 4, 2, 0x4828, 0xff, 0, 0 },
		{ "add_of_none", ADD_P, 4, 2, 0x482c, 0xff, UINT64_C(0x1111111100001111), V9_BIT(17) | V9_BIT(18) },
	};
	struct fk *f = started(&(struct v9_config){ .spe_micro = true, .spe_vector = 1, .spe_predicates = true }, 0);

	for (unsigned int i = 0; i < V9_ARRAY_SIZE(t); i++) {
		const uint64_t pop = fk_score(f)->pop;
		struct fk_rec r;

		fk_op(f, t[i].op, VA);
		tap_eq(fk_score(f)->pop, pop + t[i].parts, "vector_parts_%s", t[i].name);
		one_with(f, t[i].op, VA, t[i].n, &(struct more){ .pred = t[i].pred });
		r = fk_last(f);
		tap_ok(fk_same(f) && r.l.op == t[i].type >> 8 && r.l.opc == (t[i].type & 0xff) &&
		       (t[i].more == 0xff ? !(r.l.has & V9_LOG_VA) : r.l.va == VA + t[i].more) &&
		       (r.l.ev & 0x60000) == t[i].events, "vector_%s", t[i].name);
		if (r.l.opc != (t[i].type & 0xff) || (r.l.ev & 0x60000) != t[i].events)
			tap_note("type %02x%02x va %llx events %llx", r.l.op, r.l.opc, (unsigned long long)r.l.va,
				 (unsigned long long)r.l.ev);
	}
	fk_free(f);

	f = started(&(struct v9_config){ .spe_micro = true, .spe_vector = 2 }, 0);
	one_with(f, LD1W, VA, 2, &(struct more){ .pred = ALL });
	tap_ok(last_is(f, VA + 32, 0x3c), "vector_of_256_bits");
	one_with(f, LDR_Z, VA, 2, &(struct more){ 0 });
	tap_ok(last_is(f, VA + 32, 0x38), "vector_of_256_bits_stays_sve");
	fk_free(f);

	f = started(&(struct v9_config){ .spe_micro = true }, 0);
	one_with(f, LD1W, VA, 1, &(struct more){ .pred = ALL });
	tap_ok(last_is(f, VA, 0x4c), "vector_as_a_whole");
	fk_free(f);

	f = fk_new();
	f->cfg.spe_vector = 1;
	tap_ok(fk_init(f), "vector_only_of_micro_operations");
	fk_free(f);
}

/* R_NHSYR, R_MYPFF. shows: SPE-CD27 */
static void elements(void)
{
	static const struct {
		const char *name;
		uint8_t element;
		uint64_t pred;
		uint8_t more;		/* 0xff: no address */
		bool translated;
	} t[] = {
		{ "lowest", V9_ELEMENT_LOWEST, ALL, 0, true },
		{ "lowest_is_inactive", V9_ELEMENT_LOWEST, ALL << 8, 0, false },
		{ "lowest_if_active", V9_ELEMENT_LOWEST_IF_ACTIVE, ALL, 0, true },
		{ "lowest_if_active_is_not", V9_ELEMENT_LOWEST_IF_ACTIVE, ALL << 8, 0xff, false },
		{ "lowest_active", V9_ELEMENT_ACTIVE, ALL << 8, 8, true },
		{ "lowest_active_of_none", V9_ELEMENT_ACTIVE, 0, 0xff, false },
	};
	uint64_t all[17] = { 0 }, seen = 0;
	unsigned int i, none = 0, bad = 0;
	struct fk *f;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct fk_rec r;

		f = started(&(struct v9_config){ .spe_element = t[i].element }, V9_PMSCR_EL1_PA);
		one_with(f, LD1W, VA, 1, &(struct more){ .pred = t[i].pred });
		r = fk_last(f);
		/* What is not accessed has no physical address, no latency of a translation and no event */
		tap_ok(fk_same(f) && !(r.l.has & V9_LOG_VA) == (t[i].more == 0xff) &&
		       (t[i].more == 0xff || r.l.va == VA + t[i].more) && !(r.l.has & V9_LOG_PA) == !t[i].translated &&
		       !(r.l.has & V9_LOG_XLAT) == !t[i].translated && (r.l.ev == RETIRED) == !t[i].translated,
		       "element_%s", t[i].name);
		tap_eq(fk_score(f)->no_va, 0, "element_%s_is_known", t[i].name);
		fk_free(f);
	}
	for (i = 0; i < 16; i++)
		all[i] = VA + 0x1000 * i;
	f = started(&(struct v9_config){ 0 }, 0);
	for (i = 0; i < 200; i++) {
		struct fk_rec r;

		/* 12 of 16 are Active */
		one_with(f, i & 1 ? GATHER : SCATTER, 0, 1, &(struct more){ .elements = all, .pred = ALL << 16 });
		r = fk_last(f);
		none += !(r.l.has & V9_LOG_VA);
		if (r.l.has & V9_LOG_VA)
			seen |= V9_BIT((r.l.va - VA) / 0x1000 & 63);
		bad += !fk_same(f) || r.l.opc != (i & 1 ? 0xcc : 0xcd);
	}
	tap_eq(bad, 0, "gathers_have_their_type");
	tap_eq(seen, 0xfff0, "each_active_element_of_a_gather");
	tap_ok(none > 20 && none < 80, "a_quarter_of_an_inactive_one");
	tap_eq(fk_score(f)->no_va, 0, "gathers_are_known");
	fk_free(f);

	f = started(&(struct v9_config){ .spe_micro = true, .spe_vector = 1 }, 0);
	for (i = seen = 0; i < 60; i++) {
		one_with(f, GATHER, 0, 3, &(struct more){ .elements = all, .pred = ALL });
		seen |= V9_BIT((fk_last(f).l.va - VA) / 0x1000 & 63);
	}
	tap_eq(seen, 0x0f00, "elements_of_a_part_of_a_gather");
	fk_free(f);
}

#define CPYFP	0x190604a4u
#define SETP	0x19c104a4u

/* D17.6.4.3. shows: SPE-CD32 */
static void copies(void)
{
	const struct more copy = { .reads = VA + 0x100 };
	struct fk *f = started(&(struct v9_config){ .spe_version = 4 }, 0);
	unsigned int i, loads = 0, bad = 0;
	struct fk_rec r;

	for (i = 0; i < 60; i++) {
		one_with(f, CPYFP, VA, 1, &copy);
		r = fk_last(f);
		loads += r.l.opc == 0x20;
		bad += !fk_same(f) || r.l.op != 0x49 || (r.l.opc | 1) != 0x21 ||
		       r.l.va != (r.l.opc & 1 ? VA : copy.reads) ||
		       !(r.l.has & V9_LOG_DS) == !(r.l.opc & 1) || f->data_how != (r.l.opc & 1 ? V9_DATA_STORE : 0);
	}
	tap_eq(bad, 0, "copy_has_the_address_of_its_side");
	tap_ok(loads > 15 && loads < 45, "copy_of_each_side");
	for (unsigned int n = 0; n < 2; n++) {
		MSR(f, PMSFCR_EL1, V9_PMSFCR_EL1_FT | (n ? V9_PMSFCR_EL1_ST : V9_PMSFCR_EL1_LD));
		fk_sync(f, V9_SYNC_ISB);
		for (i = bad = 0; i < 20; i++) {
			one_with(f, CPYFP, VA, 1, &copy);
			bad += !last_is(f, n ? VA : copy.reads, 0x20 + n);
		}
		tap_eq(bad, 0, n ? "copy_filtered_as_store" : "copy_filtered_as_load");
	}
	MSR(f, PMSFCR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
	one_with(f, SETP, VA, 1, &(struct more){ 0 });
	tap_ok(last_is(f, VA, 0x25), "memory_set");
	fk_free(f);
}

/* D17.6.4.1, D18.2.1. shows: SPE-CD32 SPE-CD33 */
static void tags(void)
{
	static const struct {
		const char *name;
		uint32_t op;
		uint8_t opc;
		uint64_t granule, block;	/* addresses as of granules, as of the location */
	} t[] = {
		{ "ldg", 0xd9600001, 0x14, VA + 0x8 - 8, VA + 0x8 },
		{ "ldgm", 0xd9e00001, 0x14, VA - 0x10, VA + 0x8 },
		{ "stgm", 0xd9a00001, 0x15, VA - 0x10, VA + 0x8 },
		/* writes data, too: its address is that of the data */
		{ "stzg", 0xd9600800, 0x11, VA, VA + 0x8 },
	};
	struct fk *f = started(&(struct v9_config){ .spe_version = 4, .spe_tags = 8, .has_mte = true }, V9_PMSCR_EL1_PA);
	unsigned int i;
	struct fk_rec r;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		one_with(f, t[i].op, VA + 8, 1, &(struct more){ 0 });
		tap_ok(last_is(f, t[i].granule, t[i].opc), "granule_of_%s", t[i].name);
	}
	f->pe.tbi = 1;
	one_with(f, OP_LDR, VA | UINT64_C(5) << 56, 1, &(struct more){ .checked = true });
	tap_eq(fk_last(f).l.pa >> 56, 0x80 | 0x40 | 5, "checked_with_tag_5");
	one_with(f, OP_LDR, VA | UINT64_C(5) << 56, 1, &(struct more){ 0 });
	tap_eq(fk_last(f).l.pa >> 56, 0x80, "not_checked");
	/* Of a copy, the side that is sampled */
	MSR(f, PMSFCR_EL1, V9_PMSFCR_EL1_FT | V9_PMSFCR_EL1_LD);
	fk_sync(f, V9_SYNC_ISB);
	one_with(f, CPYFP, VA, 1, &(struct more){ .reads = VA | UINT64_C(6) << 56, .checked = true });
	r = fk_last(f);
	tap_eq(r.l.pa >> 56, 0x80 | 0x40 | 6, "checked_source");
	one_with(f, CPYFP, VA, 1, &(struct more){ .reads = VA | UINT64_C(6) << 56, .checked = true, .store = true });
	tap_eq(fk_last(f).l.pa >> 56, 0x80, "checked_destination_alone");
	fk_free(f);

	f = started(&(struct v9_config){ .spe_version = 4 }, V9_PMSCR_EL1_PA);
	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		one_with(f, t[i].op, VA + 8, 1, &(struct more){ 0 });
		tap_ok(last_is(f, t[i].block, t[i].opc), "location_of_%s", t[i].name);
	}
	f->pe.tbi = 1;
	one_with(f, OP_LDR, VA | UINT64_C(5) << 56, 1, &(struct more){ .checked = true });
	tap_eq(fk_last(f).l.pa >> 56, 0x80, "no_tags_without_mte");
	fk_free(f);
}

/* shows: SPE-CD26 */
static void sme(void)
{
	struct fk *f = started(&(struct v9_config){ .spe_sme = true, .spe_version = 2 }, 0);

	one_with(f, 0xe09f0000, VA, 1, &(struct more){ .pred = ALL });
	tap_ok(last_is(f, VA, 0x4c), "sme_load_as_sve");
	one_with(f, 0xe1200000, VA, 1, &(struct more){ 0 });
	tap_ok(last_is(f, VA, 0x49), "sme_array_as_sve");
	fk_free(f);
	f = started(&(struct v9_config){ 0 }, 0);
	one_with(f, 0xe09f0000, VA, 1, &(struct more){ .pred = ALL });
	tap_ok(last_is(f, VA, 0x10), "sme_load_unspecified");
	fk_free(f);
}

/* D17.6.6. shows: SPE-CD35 */
static void prefetches(void)
{
	for (unsigned int i = 0; i < 2; i++) {
		struct fk *f = started(&(struct v9_config){ .spe_prefetch = i, .spe_version = 2 }, 0);

		one_with(f, 0x85c04000, VA, 1, &(struct more){ .pred = ALL });	/* prfw pldl1keep, p0, [x0] */
		tap_ok(fk_same(f) && fk_last(f).l.op == 0x48 && fk_last(f).l.opc == (i ? 0x48 : 0) &&
		       !(fk_last(f).l.has & V9_LOG_VA), i ? "prefetch_as_sve" : "prefetch_as_other");
		MSR(f, PMSFCR_EL1, V9_PMSFCR_EL1_FT | V9_PMSFCR_EL1_LD);
		fk_sync(f, V9_SYNC_ISB);
		one_with(f, 0x85c04000, VA, 1, &(struct more){ .pred = ALL });
		tap_eq(f->nlog, 1, i ? "prefetch_as_sve_is_no_load" : "prefetch_as_other_is_no_load");
		fk_free(f);
	}
}

/* The unit leaves out what it may. shows: SPE-CD9 SPE-CD14 */
static void lean(void)
{
	struct fk *f = started(&(struct v9_config){ .spe_lean = true, .spe_version = 5 }, 0);
	unsigned int refills = 0;
	struct fk_rec r;

	MSR(f, PMSEVFR_EL1, ~UINT64_C(0));
	tap_eq(MRS(f, PMSEVFR_EL1) & 0x300, 0, "no_filter_of_the_last_level");
	for (unsigned int i = 0; i < 8; i++) {
		one(f, OP_LDR, VA + 0x100000 * i, 1);
		r = fk_last(f);
		refills += !!(r.l.ev & 8);
		if (!fk_same(f) || (r.l.ev & 0x300) || (r.l.has & V9_LOG_ISSUE) || !(r.l.has & V9_LOG_LAT) || r.l.ds != 0xe)
			break;
	}
	/* Each comes from memory, behind the last level */
	tap_eq(refills, 8, "no_event_of_the_last_level");
	tap_ok(!(r.l.has & V9_LOG_ISSUE), "no_counter_that_is_constant");
	fk_free(f);
}

/* D24.7.11: an event of two bits, whose filter is a value of two bits. shows: SPE-FI11 */
static void grades(void)
{
	struct fk *f = started(&(struct v9_config){ .spe_impdef = true }, 0);

	for (unsigned int n = 1; n < 4; n++) {
		for (unsigned int inverse = 0; inverse < 2; inverse++) {
			const unsigned int before = f->nlog;
			unsigned int bad = 0;

			MSR(f, PMSEVFR_EL1, inverse ? RETIRED : n << 14 | RETIRED);
			MSR(f, PMSNEVFR_EL1, inverse ? n << 14 : 0);
			MSR(f, PMSFCR_EL1, V9_PMSFCR_EL1_FE | (inverse ? V9_PMSFCR_EL1_FnE : 0));
			fk_sync(f, V9_SYNC_ISB);
			for (unsigned int k = 0; k < 100; k++)
				one(f, OP_NOP, 0, 1);
			for (unsigned int k = before; k < f->nlog; k++)
				bad += ((f->log[k].ev >> 14 & 3) >= n) == inverse;
			/* 4 - n of four values */
			tap_ok(!bad && f->nlog - before > (inverse ? n : 4 - n) * 25 - 20 &&
			       f->nlog - before < (inverse ? n : 4 - n) * 25 + 20, "grade_%s_%u",
			       inverse ? "below" : "from", n);
		}
	}
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
	vectors();
	elements();
	copies();
	tags();
	sme();
	prefetches();
	lean();
	grades();
	wrong_paths();
	extras();
	orders();
	events();
	return tap_done();
}
