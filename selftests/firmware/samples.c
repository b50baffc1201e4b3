// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples of one instruction each, at EL1: the type, the addresses and the events in its record. These are the data
 * accesses that a compiler makes rarely: to Allocation Tags, by Memory Copy and Memory Set, of SVE and SME, and to
 * registers in memory (FEAT_NV2). Opcodes are from an assembler, values are typed from D17.6 and D18.2.
 */
#include "fw.h"

#define NOP		0xd503201f
#define PTRUE		0x2598e3e0	/* ptrue p0.s */
#define PFALSE		0x2518e400	/* pfalse p0.b */
#define WHILELO		0x25a21ce0	/* whilelo p0.s, x7, x2 */
#define NOT_LOWEST	0x25014600	/* not p0.b, p1/z, p0.b */
#define PTRUE_P1	0x2518e3e1	/* ptrue p1.b */
#define INDEX		0x04a84001	/* index z1.s, #0, #8 */
#define SMSTART		0xd503477f
#define W12_0		0x5280000c	/* mov w12, #0 */
#define SETP		0x19c104a4	/* setp [x4]!, x5!, x1 */
#define CPYFP		0x190604a4	/* cpyfp [x4]!, [x6]!, x5! */

#define VECTOR		3		/* ZCR_ELx.LEN, SMCR_ELx.LEN: 512 bits */

/* RAM again, as tagged memory: the address of @p there, and with a tag */
#define ALIAS		UINT64_C(0xc0000000)
#define TAG(n)		((uint64_t)(n) << 56)

/* X0_INACTIVE: that of an element that is not accessed */
enum value { X0, X0_INACTIVE, X3, X4, NONE, ANY_ELEMENT, X4_OR_X6 };

/**
 * struct one - a sampled instruction, and what its record must say
 * @before: instructions before it
 * @op: the instruction
 * @type: header and payload of the Operation Type packet
 * @va: data address
 * @more: added to it
 * @checked: the access was checked against its tag
 * @events: those of SVE predicates, E[17] and E[18]
 */
struct one {
	const char *name;
	uint32_t before[3];
	uint32_t op;
	uint16_t type;
	enum value va;
	int more;
	bool checked;
	unsigned int events;
};

#define SOME BIT(17)
#define EMPTY (BIT(17) | BIT(18))

static const struct one ones[] = {
	{ "ldr", { 0 }, 0xf9400001, 0x4900, X0, 0, true, 0 },
	{ "str", { 0 }, 0xf9000001, 0x4901, X0, 0, true, 0 },
	{ "ldr_untagged", { 0 }, 0xf9400061, 0x4900, X3, 0, false, 0 },
	{ "ldadd", { 0 }, 0xf8210002, 0x4906, X0, 0, true, 0 },
	{ "stg", { 0 }, 0xd9200800, 0x4915, X0, 0, false, 0 },
	{ "st2g", { 0 }, 0xd9a00800, 0x4915, X0, 0, false, 0 },
	{ "ldg", { 0 }, 0xd9600001, 0x4914, X0, 0, false, 0 },
	{ "stg_at_an_offset", { 0 }, 0xd9201800, 0x4915, X0, 16, false, 0 },
	{ "stgm", { 0 }, 0xd9a00001, 0x4915, X0, 0, false, 0 },
	{ "ldgm", { 0 }, 0xd9e00001, 0x4914, X0, 0, false, 0 },
	/* These write data, too, so that they are plain stores. */
	{ "stzg", { 0 }, 0xd9600800, 0x4911, X0, 0, false, 0 },
	{ "stz2g", { 0 }, 0xd9e00800, 0x4911, X0, 0, false, 0 },
	{ "stzgm", { 0 }, 0xd9200001, 0x4911, X0, 0, false, 0 },
	{ "stgp", { 0 }, 0x69000401, 0x4901, X0, 0, false, 0 },
	{ "dc_zva", { 0 }, 0xd50b7420, 0x4911, X0, 0, true, 0 },
	{ "setp", { 0 }, SETP, 0x4925, X4, 0, true, 0 },
	{ "sete", { SETP, 0x19c144a4 }, 0x19c184a4, 0x4925, NONE, 0, false, 0 },
	{ "setgp", { 0 }, 0x1dc104a4, 0x4925, X4, 0, false, 0 },
	{ "cpyfp", { 0 }, CPYFP, 0x4921, X4_OR_X6, 0, true, 0 },
	{ "mrs_of_no_memory", { 0 }, 0xd53bd041, 0x4800, NONE, 0, false, 0 },

	{ "sve_load", { PTRUE }, 0xa540a000, 0x494c, X0, 0, true, 0 },
	{ "sve_store", { PTRUE }, 0xe540e000, 0x494d, X0, 0, true, 0 },
	{ "sve_load_of_some", { WHILELO }, 0xa540a000, 0x494c, X0, 0, true, SOME },
	{ "sve_load_of_none", { PFALSE }, 0xa540a000, 0x494c, X0_INACTIVE, 0, false, EMPTY },
	{ "sve_load_not_of_the_lowest", { WHILELO, PTRUE_P1, NOT_LOWEST }, 0xa540a000, 0x494c, X0_INACTIVE, 0, false, SOME },
	{ "sve_gather", { PTRUE, INDEX }, 0x85014000, 0x49cc, ANY_ELEMENT, 0, true, 0 },
	{ "sve_scatter", { PTRUE, INDEX }, 0xe5418000, 0x49cd, ANY_ELEMENT, 0, true, 0 },
	{ "sve_gather_of_first_faults", { PTRUE, INDEX }, 0x85016000, 0x49cc, ANY_ELEMENT, 0, true, 0 },
	{ "sve_gather_of_none", { PFALSE, INDEX }, 0x85014000, 0x49cc, NONE, 0, false, EMPTY },
	{ "sve_register", { 0 }, 0x85804000, 0x4948, X0, 0, true, 0 },
	{ "sve_add_of_some", { WHILELO }, 0x04800020, 0x484c, NONE, 0, false, SOME },
	{ "sve_fadd_without_predicate", { PFALSE }, 0x65810000, 0x484a, NONE, 0, false, 0 },
	{ "sme_load", { SMSTART, PTRUE, W12_0 }, 0xe09f0000, 0x494c, X0, 0, true, 0 },
	{ "sme_store_of_none", { SMSTART, PFALSE, W12_0 }, 0xe0bf8000, 0x494d, X0_INACTIVE, 0, false, EMPTY },
	{ "sme_array", { SMSTART, W12_0 }, 0xe1000000, 0x4948, X0, 0, true, 0 },
};

extern void prog_sample(void);
extern uint32_t prog_sample_slots[4];
uint64_t prog_sample_regs[8];

static uint8_t data[8192] __attribute__((aligned(4096)));

struct record {
	uint64_t va, pa, events;
	unsigned int type, n;
	bool has_va, has_pa, ended;
};

static uint64_t bytes(const uint8_t *p, unsigned int n)
{
	uint64_t v = 0;

	while (n)
		v = v << 8 | p[--n];
	return v;
}

/* Reads the packets of the first record in the buffer. */
static struct record read_record(void)
{
	struct record r = { 0 };
	const uint8_t *p = buffer;

	while (!r.ended && p < buffer + 256) {
		const uint8_t header = *p++;
		/* 0x40 to 0xbf: bits 5:4 are the log2 of the size */
		const unsigned int n = header < 0x40 ? 0 : 1u << (header >> 4 & 3);

		switch (header) {
		case 0x01:
		case 0x71:
			r.ended = true;
			break;
		case 0x42:
		case 0x52:
		case 0x62:
			r.events = bytes(p, n);
			break;
		case 0x48:
		case 0x49:
		case 0x4a:
			r.type = header << 8 | *p;
			break;
		case 0xb2:
			r.va = bytes(p, n);
			r.has_va = true;
			break;
		case 0xb3:
			r.pa = bytes(p, n);
			r.has_pa = true;
			break;
		}
		r.n++;
		p += n;
	}
	return r;
}

static void tagged_memory(bool on)
{
	const uint64_t ata = BIT(43), tcf = BIT(40), mscen = BIT(33);

	mmu_tagged();
	MSR(tcr_el1, on ? MRS(tcr_el1) | BIT(37) : MRS(tcr_el1) & ~BIT(37));	/* TBI0 */
	MSR(sctlr_el1, MRS(sctlr_el1) | (on ? ata | tcf : 0) | mscen);
}

/* All that an instruction of the table needs, at EL1 */
static void permit(uint64_t hcr)
{
	MSR(scr_el3, MRS(scr_el3) | BIT(26) | BIT(38));		/* ATA, HXEn */
	MSR(cptr_el3, BIT(8) | BIT(12));			/* EZ, ESM */
	MSR(cptr_el2, 0x33ff & ~(BIT(8) | BIT(10) | BIT(12)));
	MSR(cpacr_el1, UINT64_C(3) << 16 | UINT64_C(3) << 20 | UINT64_C(3) << 24);
	MSR(s3_6_c1_c2_0, VECTOR);				/* ZCR_EL3 */
	MSR(s3_4_c1_c2_0, VECTOR);
	MSR(s3_0_c1_c2_0, VECTOR);
	MSR(s3_6_c1_c2_6, VECTOR);				/* SMCR_EL3 */
	MSR(s3_4_c1_c2_6, VECTOR);
	MSR(s3_0_c1_c2_6, VECTOR);
	MSR(s3_4_c1_c2_2, BIT(11));				/* HCRX_EL2.MSCEn */
	MSR(hcr_el2, MRS(hcr_el2) | BIT(56) | hcr);		/* ATA */
	isb();
}

/*
 * Executes @s and samples its instruction. @at: address of the buffer; @owner: Exception level that owns it; @el2: EL2
 * is profiled, too; @hcr: bits of HCR_EL2; @filter: PMSFCR_EL1
 */
static struct record sample_to(const struct one *s, uint64_t at, unsigned int owner, bool el2, uint64_t hcr,
			       uint64_t filter)
{
	const struct controls c = { .ee3 = 1, .e2b = owner == 1 ? 3 : 0, .pm = 1, .permit = 1 };
	unsigned int i;

	for (i = 0; i < 3; i++)
		prog_sample_slots[i] = s->before[i] ? s->before[i] : NOP;
	prog_sample_slots[3] = s->op;
	for (i = 0; i < 4; i++)
		asm volatile("dc cvau, %0; dsb ish; ic ivau, %0; dsb ish; isb" : : "r"(&prog_sample_slots[i]) : "memory");
	control(SPE, &c);
	mmu_page(0, 1, PAGE_OK);
	mmu_on(true);
	tagged_memory(true);
	permit(hcr);
	for (i = 0; i < 256; i++)
		buffer[i] = 0;
	WR(PMBPTR_EL1, at);
	profiling_unit_program();
	WR(PMSFCR_EL1, filter);
	isb();
	/* prog_sample: five instructions that load registers, three slots */
	WR(PMSICR_EL1, 9);
	WR(PMBLIMITR_EL1, (at + PAGE) | V9_PMBLIMITR_EL1_E);
	isb();
	WR(PMSCR_EL1, RD(PMSCR_EL1) | V9_PMSCR_EL1_E1SPE | V9_PMSCR_EL1_PA);
	WR(PMSCR_EL2, RD(PMSCR_EL2) | V9_PMSCR_EL2_PA | (el2 ? V9_PMSCR_EL2_E2SPE : 0));
	isb();
	run(1, 1, prog_sample);
	WR(PMSCR_EL1, 0);
	WR(PMSCR_EL2, 0);
	drain();
	WR(PMBLIMITR_EL1, 0);
	asm volatile(".inst 0xd503467f" : : : "memory");	/* SMSTOP */
	tagged_memory(false);
	mmu_on(false);
	MSR(hcr_el2, BIT(31));
	isb();
	return read_record();
}

static struct record sample(const struct one *s, unsigned int owner, bool el2, uint64_t hcr, uint64_t filter)
{
	return sample_to(s, BUF_VA, owner, el2, hcr, filter);
}

static void registers(void)
{
	const uint64_t at = (uintptr_t)data + ALIAS;

	prog_sample_regs[0] = at | TAG(3);
	prog_sample_regs[1] = 3;
	prog_sample_regs[2] = 3;
	prog_sample_regs[3] = (uintptr_t)data;		/* memory that has no tags */
	prog_sample_regs[4] = at | TAG(3);
	prog_sample_regs[5] = 256;
	prog_sample_regs[6] = (at + 4096) | TAG(4);
	prog_sample_regs[7] = 0;
}

/* Gives the first half of @data tag 3, the second one tag 4. Each STGM writes the tags of 256 bytes. */
static bool set_tags(void)
{
	static const struct one stgm = { "", { 0 }, 0xd9a00001, 0, NONE, 0, false, 0 };	/* stgm x1, [x0] */

	for (unsigned int i = 0; i < sizeof(data); i += 256) {
		registers();
		prog_sample_regs[0] = (uintptr_t)data + ALIAS + i;
		prog_sample_regs[1] = UINT64_C(0x1111111111111111) * (i < 4096 ? 3 : 4);
		sample(&stgm, 1, false, 0, 0);
		if (recs[1].count || recs[2].count)
			return false;
	}
	registers();
	return true;
}

/* STG and its like, STGP, SETGP */
static bool writes_tags(uint32_t op)
{
	return op >> 24 == 0xd9 || op >> 24 == 0x69 || op >> 24 == 0x1d;
}

static bool is_address(const struct one *s, const struct record *r)
{
	const uint64_t x0 = prog_sample_regs[0], x4 = prog_sample_regs[4], x6 = prog_sample_regs[6];
	const uint64_t from = r->va - x0;

	switch (s->va) {
	case X0:
	case X0_INACTIVE:
		return r->va == x0 + s->more;
	case X3:
		return r->va == prog_sample_regs[3];
	case X4:
		return r->va == x4;
	case ANY_ELEMENT:
		return from < 16 * 8 && !(from & 7);
	case X4_OR_X6:
		return r->va == (r->type & 1 ? x4 : x6);
	default:
		return !r->has_va;
	}
}

/* CH and PAT of the physical address, and the address itself */
static bool is_physical(const struct one *s, const struct record *r)
{
	const uint64_t va = r->va & ~TAG(0xff), tag = r->va >> 56 & 15;
	const uint64_t pa = va >= UINT64_C(0x100000000) ? va - ALIAS : va;

	/* Non-secure, NS is 1 */
	return (r->pa & ~TAG(0xff)) == pa && r->pa >> 56 == (0x80 | (s->checked ? 0x40 | tag : 0));
}

static const char *wrong(const struct one *s, const struct record *r)
{
	const bool either = s->va == X4_OR_X6, performed = s->va != NONE && s->va != X0_INACTIVE;

	if (recs[1].count || recs[2].count)
		return "exception";
	if (!r->ended)
		return "no record";
	if ((r->type | either) != s->type)
		return "type";
	if (r->has_va != (s->va != NONE) || !is_address(s, r))
		return "address";
	if (r->has_pa != performed || (performed && !is_physical(s, r)))
		return "physical address";
	if ((r->events & (BIT(17) | BIT(18))) != s->events)
		return "events";
	return NULL;
}

/* shows: SPE-CD32 SPE-CD27 SPE-CD26 SPE-CD28 SPE-CD33 */
static void each_type(void)
{
	for (unsigned int i = 0; i < sizeof(ones) / sizeof(ones[0]); i++) {
		const struct one *s = &ones[i];
		struct record r;
		const char *why;

		r = sample(s, 1, false, 0, 0);
		why = wrong(s, &r);
		if (why)
			note("%s: %s: type %lx va %lx pa %lx events %lx esr %lx", s->name, why,
			     (unsigned long)r.type, r.va, r.pa, r.events, recs[1].esr | recs[2].esr);
		result(!why, join("type_", s->name, NULL));
		if (writes_tags(s->op))
			set_tags();
	}
}

/* D17.6.4.3: a filter by loads or stores chooses which address of a copy is sampled. Without a filter it is either. */
static void copies(void)
{
	static const struct one cpy = { "", { 0 }, CPYFP, 0, NONE, 0, false, 0 };
	unsigned int i, n, bad = 0, loads = 0;
	struct record r;

	for (i = 0; i < 20; i++) {
		r = sample(&cpy, 1, false, 0, 0);
		loads += r.type == 0x4920;
		bad += r.type != 0x4920 && r.type != 0x4921;
	}
	result(!bad && loads > 3 && loads < 17, "copies_of_both");
	for (n = 0; n < 2; n++) {
		for (i = bad = 0; i < 6; i++) {
			r = sample(&cpy, 1, false, 0, V9_PMSFCR_EL1_FT |
				   (n ? V9_PMSFCR_EL1_ST : V9_PMSFCR_EL1_LD));
			bad += r.type != 0x4920 + n || r.va != prog_sample_regs[n ? 4 : 6];
		}
		result(!bad, n ? "copies_as_stores" : "copies_as_loads");
	}
}

/* Each element of a gather is sampled. */
static void elements(void)
{
	static const struct one gather = { "", { PTRUE, INDEX }, 0x85014000, 0, NONE, 0, false, 0 };
	static const struct one some = { "", { WHILELO, INDEX }, 0x85014000, 0, NONE, 0, false, 0 };
	unsigned int seen = 0, none = 0, i;

	for (i = 0; i < 120; i++) {
		const struct record r = sample(&gather, 1, false, 0, 0);

		seen |= 1u << ((r.va - prog_sample_regs[0]) / 8 & 31);
	}
	result(seen == 0xffff, "each_element_of_a_gather");
	/* Three of 16 are Active */
	for (i = seen = 0; i < 80; i++) {
		const struct record r = sample(&some, 1, false, 0, 0);

		none += !r.has_va;
		if (r.has_va)
			seen |= 1u << ((r.va - prog_sample_regs[0]) / 8 & 31);
	}
	note("%u of 80 are of an Inactive element, the others of %lx", none, (unsigned long)seen);
	result(seen == 7 && none > 40 && none < 79, "no_address_of_an_inactive_element");
}

/* FEAT_NV2: registers of EL2 are in memory; their address is shown where EL2 is profiled. shows: SPE-CD32 */
static void registers_in_memory(void)
{
	static const struct one mrs = { "", { 0 }, 0xd53c1101, 0, NONE, 0, false, 0 };	/* mrs x1, hcr_el2 */
	static const struct one msr = { "", { 0 }, 0xd51c1101, 0, NONE, 0, false, 0 };
	const uint64_t nv = BIT(42) | BIT(45);
	const uint64_t at = (uintptr_t)data + 0x78;
	struct record r;

	MSR(s3_4_c2_c2_0, (uintptr_t)data);		/* VNCR_EL2 */
	r = sample(&mrs, 1, false, nv, 0);
	result(r.ended && r.type == 0x4930 && !r.has_va && !r.has_pa, "register_read_of_el1");
	r = sample(&msr, 1, false, nv, 0);
	result(r.ended && r.type == 0x4931 && !r.has_va && !r.has_pa, "register_write_of_el1");
	r = sample(&mrs, 2, true, nv, 0);
	if (r.type != 0x4930 || r.va != at)
		note("type %lx va %lx pa %lx esr %lx %lx", (unsigned long)r.type, r.va, r.pa, recs[1].esr, recs[2].esr);
	result(r.ended && r.type == 0x4930 && r.va == at && (r.pa & ~TAG(0xff)) == at, "register_read_of_el2");
	r = sample(&msr, 2, true, nv, 0);
	result(r.ended && r.type == 0x4931 && r.va == at && (r.pa & ~TAG(0xff)) == at, "register_write_of_el2");
	r = sample(&mrs, 2, false, nv, 0);
	result(r.ended && r.type == 0x4930 && !r.has_va && !r.has_pa, "register_read_without_el2");
	r = sample(&msr, 1, false, nv, V9_PMSFCR_EL1_FT | V9_PMSFCR_EL1_LD);
	result(!r.ended, "register_write_is_no_load");
	r = sample(&mrs, 1, false, nv, V9_PMSFCR_EL1_FT | V9_PMSFCR_EL1_LD);
	result(r.ended && r.type == 0x4930, "register_read_is_a_load");
}

/*
 * The buffers are in tagged memory, and their pointers have another tag than the memory: a store of a program there
 * fails, what the units write does not. shows: SPE-PB19 TRBE-AT13
 */
static void buffers_are_not_checked(void)
{
	static const struct one store = { "", { 0 }, 0xf9000001, 0, NONE, 0, false, 0 };	/* str x1, [x0] */
	const uint64_t at = ((uintptr_t)buffer + ALIAS) | TAG(9);
	struct record r;

	prog_sample_regs[0] = at;
	sample_to(&store, BUF_VA, 1, false, 0, 0);
	/* Data Abort, of a Tag Check Fault */
	result(recs[1].count == 1 && EC(recs[1].esr) == 0x25 && (recs[1].esr & 0x3f) == 0x11, "program_is_checked");
	registers();
	r = sample_to(&store, at, 1, false, 0, 0);
	result(r.ended && r.type == 0x4901 && !(RD(PMBSR_EL1) & V9_PMBSR_EL1_S) && RD(PMBPTR_EL1) == at + 64,
	       "profiling_buffer_is_not_checked");

	trace_unit_program(false);
	control(TRBE, &(struct controls){ .ee3 = 1, .e2b = 3, .pm = 1, .permit = 1 });
	mmu_on(true);
	tagged_memory(true);
	permit(0);
	buffer[0] = 0xff;
	WR(TRBBASER_EL1, at);
	WR(TRBPTR_EL1, at);
	isb();
	WR(TRBLIMITR_EL1, (at + PAGE) | PUT(V9_TRBLIMITR_EL1_TM, V9_TRBLIMITR_EL1_TM_IGNORE) | V9_TRBLIMITR_EL1_E);
	isb();
	trace_unit_on();
	WR(TRFCR_EL1, V9_TRFCR_EL1_E1TRE);
	isb();
	run(1, 1, prog_work);
	drain();
	trace_unit_off();
	WR(TRBLIMITR_EL1, 0);
	WR(TRFCR_EL1, 0);
	tagged_memory(false);
	mmu_on(false);
	isb();
	/* the first byte of the Alignment Synchronization packet */
	result(!(RD(TRBSR_EL1) & V9_TRBSR_EL1_S) && RD(TRBPTR_EL1) > at && !buffer[0], "trace_buffer_is_not_checked");
	WR(TRBSR_EL1, 0);
}

bool has_mte(void)
{
	return (MRS(id_aa64pfr1_el1) >> 8 & 15) >= 2;
}

void samples_suite(void)
{
	suite("samples");
	registers();
	result(set_tags(), "tags_are_set");
	each_type();
	copies();
	elements();
	registers_in_memory();
	buffers_are_not_checked();
	plan();
}
