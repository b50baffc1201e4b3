// SPDX-License-Identifier: GPL-2.0-only
/*
 * Classes of operations by opcode. The encodings are copied by hand from the A64 reference.
 */
#include "tap.h"
#include "classify.h"

#define L V9_OP_LD
#define S V9_OP_ST
#define B V9_OP_BRANCH
#define C V9_OP_COND
#define I V9_OP_IND

static const struct {
	const char *name;
	uint32_t op;
	uint8_t head, payload;
	uint16_t must;		/* exact flags of LD, ST, BRANCH, COND, IND */
	uint8_t size;
} rows[] = {
	{ "nop", 0xd503201f, 0x48, 0x00, 0, 0 },
	{ "add_imm", 0x91000400, 0x48, 0x00, 0, 0 },
	{ "adr", 0x10000000, 0x48, 0x00, 0, 0 },
	{ "mul", 0x9b007c00, 0x48, 0x00, 0, 0 },
	{ "fadd", 0x1e602800, 0x48, 0x00, 0, 0 },
	{ "msr", 0xd51b4200, 0x48, 0x00, 0, 0 },
	{ "mrs", 0xd53bd040, 0x48, 0x00, 0, 0 },
	{ "isb", 0xd5033fdf, 0x48, 0x00, 0, 0 },
	{ "dsb_sy", 0xd5033f9f, 0x48, 0x00, 0, 0 },
	{ "dmb_ish", 0xd5033bbf, 0x48, 0x00, 0, 0 },
	{ "svc", 0xd4000001, 0x48, 0x00, 0, 0 },
	{ "wfi", 0xd503207f, 0x48, 0x00, 0, 0 },
	{ "csel", 0x9a820020, 0x48, 0x01, C, 0 },
	{ "cset", 0x1a9f17e0, 0x48, 0x01, C, 0 },
	{ "csneg", 0xda820420, 0x48, 0x01, C, 0 },
	{ "ccmp_imm", 0xfa401804, 0x48, 0x01, C, 0 },
	{ "ccmn_reg", 0xba410000, 0x48, 0x01, C, 0 },
	{ "fcsel", 0x1e621c20, 0x48, 0x01, C, 0 },
	{ "fccmp", 0x1e621420, 0x48, 0x01, C, 0 },
	{ "adc", 0x9a020020, 0x48, 0x00, 0, 0 },
	{ "udiv", 0x9ac20820, 0x48, 0x00, 0, 0 },

	{ "b", 0x14000010, 0x4a, 0x00, B, 0 },
	{ "bl", 0x97fffff0, 0x4a, 0x00, B, 0 },
	{ "b_ne", 0x54000041, 0x4a, 0x01, B | C, 0 },
	{ "bc_eq", 0x54000050, 0x4a, 0x01, B | C, 0 },
	{ "cbz_w", 0x34000040, 0x4a, 0x01, B | C, 0 },
	{ "cbnz_x", 0xb5000040, 0x4a, 0x01, B | C, 0 },
	{ "tbz", 0x36080040, 0x4a, 0x01, B | C, 0 },
	{ "tbnz_63", 0xb7f80040, 0x4a, 0x01, B | C, 0 },
	{ "br", 0xd61f0200, 0x4a, 0x02, B | I, 0 },
	{ "blr", 0xd63f0200, 0x4a, 0x02, B | I, 0 },
	{ "ret", 0xd65f03c0, 0x4a, 0x02, B | I, 0 },
	{ "retaa", 0xd65f0bff, 0x4a, 0x02, B | I, 0 },
	{ "braa", 0xd71f0a11, 0x4a, 0x02, B | I, 0 },
	{ "blraaz", 0xd63f081f, 0x4a, 0x02, B | I, 0 },
	{ "eret", 0xd69f03e0, 0x4a, 0x02, B | I, 0 },
	{ "eretaa", 0xd69f0bff, 0x4a, 0x02, B | I, 0 },

	{ "ldr_x", 0xf9400001, 0x49, 0x00, L, 3 },
	{ "ldr_w_post", 0xb8404401, 0x49, 0x00, L, 2 },
	{ "ldrb_reg", 0x38626820, 0x49, 0x00, L, 0 },
	{ "ldrsw", 0xb9800001, 0x49, 0x00, L, 2 },
	{ "ldrsb_x", 0x39800001, 0x49, 0x00, L, 0 },
	{ "ldurh", 0x78401001, 0x49, 0x00, L, 1 },
	{ "ldtr", 0xf8400801, 0x49, 0x00, L, 3 },
	{ "ldraa", 0xf8200401, 0x49, 0x00, L, 3 },
	{ "ldr_literal_x", 0x58000041, 0x49, 0x00, L, 3 },
	{ "ldr_literal_w", 0x18000041, 0x49, 0x00, L, 2 },
	{ "ldrsw_literal", 0x98000041, 0x49, 0x00, L, 2 },
	{ "ldr_literal_q", 0x9c000041, 0x49, 0x04, L, 4 },
	{ "str_x_pre", 0xf81f0fe0, 0x49, 0x01, S, 3 },
	{ "strb", 0x39000001, 0x49, 0x01, S, 0 },
	{ "sttr", 0xf8000801, 0x49, 0x01, S, 3 },
	{ "ldp_x", 0xa9407bfd, 0x49, 0x00, L, 3 },
	{ "ldp_w_post", 0x28c10440, 0x49, 0x00, L, 2 },
	{ "ldpsw", 0x69400440, 0x49, 0x00, L, 2 },
	{ "ldnp", 0xa8400440, 0x49, 0x00, L, 3 },
	{ "stp_x_pre", 0xa9bf7bfd, 0x49, 0x01, S, 3 },
	{ "stp_q", 0xad000440, 0x49, 0x05, S, 4 },
	{ "ldp_d", 0x6d400440, 0x49, 0x04, L, 3 },
	{ "ldr_q", 0x3dc00020, 0x49, 0x04, L, 4 },
	{ "ldr_d", 0xfd400020, 0x49, 0x04, L, 3 },
	{ "ldr_b_fp", 0x3d400020, 0x49, 0x04, L, 0 },
	{ "str_q", 0x3d800020, 0x49, 0x05, S, 4 },
	{ "str_s", 0xbd000020, 0x49, 0x05, S, 2 },
	{ "ld1_16b", 0x4c407000, 0x49, 0x04, L, 0 },
	{ "ld4_4s_post", 0x4cdf0800, 0x49, 0x04, L, 2 },
	{ "st1_lane", 0x0d000000, 0x49, 0x05, S, 0 },
	{ "ld1r", 0x4d40c000, 0x49, 0x04, L, 0 },
	{ "st2_post_reg", 0x4c828000, 0x49, 0x05, S, 0 },

	{ "ldxr", 0xc85f7c01, 0x49, 0x0a, L, 3 },
	{ "ldaxr", 0x885ffc01, 0x49, 0x1a, L, 2 },
	{ "stxr", 0xc8027c01, 0x49, 0x0b, S, 3 },
	{ "stlxrb", 0x0802fc01, 0x49, 0x1b, S, 0 },
	{ "ldxp", 0xc87f0801, 0x49, 0x0a, L, 4 },
	{ "stlxp", 0x88228801, 0x49, 0x1b, S, 3 },
	{ "ldar", 0xc8dffc01, 0x49, 0x12, L, 3 },
	{ "stlr", 0xc89ffc01, 0x49, 0x13, S, 3 },
	{ "ldlar", 0xc8df7c01, 0x49, 0x12, L, 3 },
	{ "ldapr", 0xf8bfc001, 0x49, 0x12, L, 3 },
	{ "ldapur", 0xd9400001, 0x49, 0x12, L, 3 },
	{ "stlurb", 0x19000001, 0x49, 0x13, S, 0 },
	{ "cas", 0xc8a27c01, 0x49, 0x06, L | S, 3 },
	{ "casal", 0x88e2fc01, 0x49, 0x16, L | S, 2 },
	{ "casp", 0x48207c82, 0x49, 0x06, L | S, 4 },
	{ "ldadd", 0xf8220001, 0x49, 0x06, L | S, 3 },
	{ "ldaddal", 0xf8e20001, 0x49, 0x16, L | S, 3 },
	{ "ldclrb", 0x38221001, 0x49, 0x06, L | S, 0 },
	{ "stadd", 0xf822001f, 0x49, 0x07, S, 3 },
	{ "staddl", 0xb862001f, 0x49, 0x17, S, 2 },
	{ "ldadda_to_zero", 0xf8a2001f, 0x49, 0x16, L | S, 3 },
	{ "swp", 0xf8228001, 0x49, 0x06, L | S, 3 },
	{ "swpal", 0xb8e28001, 0x49, 0x16, L | S, 2 },
	{ "ld64b", 0xf83fd000, 0x49, 0x00, L, 6 },
	{ "st64b", 0xf83f9000, 0x49, 0x01, S, 6 },

	{ "prfm", 0xf9800000, 0x48, 0x00, 0, 0 },
	{ "prfm_literal", 0xd8000000, 0x48, 0x00, 0, 0 },
	{ "prfm_reg", 0xf8a26820, 0x48, 0x00, 0, 0 },
	{ "prfum", 0xf8800000, 0x48, 0x00, 0, 0 },
	{ "dc_cvac", 0xd50b7a20, 0x48, 0x00, 0, 0 },
	{ "dc_civac", 0xd50b7e20, 0x48, 0x00, 0, 0 },
	{ "dc_zva", 0xd50b7420, 0x49, 0x11, S, 0 },
	{ "at_s1e1r", 0xd5087800, 0x48, 0x00, 0, 0 },
	{ "stg", 0xd9200800, 0x49, 0x11, S, 4 },
	{ "stgp", 0x69000401, 0x49, 0x01, S, 3 },
	{ "ldpsw_pre", 0x69c10440, 0x49, 0x00, L, 2 },
	{ "ldg", 0xd9600000, 0x49, 0x10, L, 4 },
	{ "cpyp", 0x1d010440, 0x49, 0x11, L | S, 0 },
	{ "setp", 0x19c20420, 0x49, 0x11, S, 0 },

	/* SVE with 256-bit vectors */
	{ "sve_add", 0x04a00000, 0x48, 0x38, 0, 0 },
	{ "sve_fadd", 0x65800000, 0x48, 0x3a, 0, 0 },
	{ "sve_ld1w", 0xa5404000, 0x49, 0x3c, L, 0 },
	{ "sve_st1d_imm", 0xe5e0e000, 0x49, 0x3d, S, 0 },
	{ "sve_ld1d_gather", 0xc5a04000, 0x49, 0xbc, L, 0 },
	{ "sve_st1w_scatter", 0xe540a000, 0x49, 0xbd, S, 0 },
	{ "sve_ldr_z", 0x85804000, 0x49, 0x38, L, 0 },
	{ "sve_str_p", 0xe5800000, 0x49, 0x39, S, 0 },
	{ "sve_ld1rw", 0x8540c000, 0x49, 0x3c, L, 0 },
	{ "sve_add_pred", 0x04800020, 0x48, 0x3c, 0, 0 },
	{ "sve_fadd_pred", 0x65808020, 0x48, 0x3e, 0, 0 },
	{ "sve_fmla", 0x65a20020, 0x48, 0x3e, 0, 0 },
	{ "sve_fcvt", 0x65cba020, 0x48, 0x3e, 0, 0 },
	{ "sve_movprfx_pred", 0x04912020, 0x48, 0x3c, 0, 0 },
	{ "sve_rbit", 0x05a78020, 0x48, 0x3c, 0, 0 },
	{ "sve_cpy_imm", 0x05900020, 0x48, 0x3c, 0, 0 },
	/* D17.6.6: their predicate selects or counts, and merges or zeroes nothing */
	{ "sve_sel", 0x05a1c000, 0x48, 0x38, 0, 0 },
	{ "sve_saddv", 0x04802000, 0x48, 0x38, 0, 0 },
	{ "sve_compact", 0x05a18020, 0x48, 0x38, 0, 0 },
	{ "sve_ptrue", 0x2598e3e0, 0x48, 0x38, 0, 0 },
	{ "sme_ld1w", 0xe09f0000, 0x49, 0x10, L, 0 },
	{ "sme_str_za", 0xe1200000, 0x49, 0x11, S, 0 },
	{ "sve_prfw_imm", 0x85c04000, 0x48, 0x00, 0, 0 },
};

/* shows: SPE-CD7 SPE-FI3 SPE-FI4 SPE-CD5 SPE-CD10 SPE-CD11 */
static void typed_table(void)
{
	const uint16_t compared = L | S | B | C | I;
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		struct v9_class c = v9_classify(rows[i].op, 3, 2);

		tap_ok(c.op == rows[i].head && c.opc == rows[i].payload &&
		       (c.flags & compared) == rows[i].must && c.size == rows[i].size,
		       "%s", rows[i].name);
		if (c.op != rows[i].head || c.opc != rows[i].payload || c.size != rows[i].size)
			tap_note("%08x: %02x %02x flags %04x size %u", rows[i].op, c.op, c.opc,
				 c.flags, c.size);
	}
}

static void versions(void)
{
	tap_eq(v9_classify(0x1d010440, 4, 0).opc, 0x21, "memcpy_named_from_v1p3");
	tap_eq(v9_classify(0x19c20420, 4, 0).opc, 0x25, "memset_named_from_v1p3");
	tap_eq(v9_classify(0xd9600000, 4, 0).opc, 0x14, "tag_load_named_from_v1p3");
	/* D18.2.7: before SPEv1p1 SVE loads are of SIMD&FP registers, and there is no type "unspecified" */
	tap_eq(v9_classify(0xa5404000, 1, 2).opc, 0x04, "sve_is_simd_before_v1p1");
	tap_eq(v9_classify(0xd50b7420, 1, 2).opc, 0x01, "nothing_unspecified_before_v1p1");
	tap_eq(v9_classify(0xd9a00800, 4, 0).opc, 0x15, "st2g_is_of_tags");
	tap_eq(v9_classify(0xd9a00001, 4, 0).opc, 0x15, "stgm_is_of_tags");
	tap_eq(v9_classify(0xd9e00001, 4, 0).opc, 0x14, "ldgm_is_of_tags");
	tap_eq(v9_classify(0xd9600800, 4, 0).opc, 0x11, "stzg_is_no_access_to_tags");
	tap_eq(v9_classify(0xd9e00800, 4, 0).opc, 0x11, "stz2g_is_no_access_to_tags");
	tap_eq(v9_classify(0xd9200001, 4, 0).opc, 0x11, "stzgm_is_no_access_to_tags");
	tap_eq(v9_classify(0x04a00000, 1, 2).opc, 0x00, "sve_data_plain_before_v1p1");
	tap_eq(v9_classify(0xa5404000, 3, 1).opc >> 4 & 7, 2, "sve_length_128");
	tap_eq(v9_classify(0xa5404000, 3, 16).opc >> 4 & 7, 6, "sve_length_2048");
	tap_eq(v9_classify(0xa5404000, 3, 3).opc >> 4 & 7, 4, "sve_length_rounded_up");
}

/* What the elements of SVE and SME accesses take in the register (log2) and in memory */
static void elements(void)
{
	static const struct {
		const char *name;
		uint32_t op;
		uint8_t step, unit;
	} t[] = {
		{ "ld1w_s", 0xa540a000, 2, 4 }, { "ld1w_d", 0xa560a000, 3, 4 }, { "ld2w", 0xa520e000, 2, 8 },
		{ "st1w", 0xe540e000, 2, 4 }, { "stnt1w", 0xe510e000, 2, 4 }, { "ldnf1w", 0xa550a000, 2, 4 },
		{ "ld1rw", 0x8540c000, 0, 0 }, { "gather_s", 0x85014000, 2, 0 }, { "gather_d", 0xc541c000, 3, 0 },
		{ "gather_of_addresses", 0xc5a0c020, 3, 0 }, { "scatter_s", 0xe5418000, 2, 0 },
		{ "scatter_d", 0xe5a1a000, 3, 0 }, { "scatter_of_addresses_s", 0xe560a020, 2, 0 },
		{ "scatter_of_addresses_d", 0xe540a020, 3, 0 }, { "sme_ld1w", 0xe09f0000, 2, 4 },
		{ "add_s", 0x04800020, 2, 0 }, { "ldr_z", 0x85804000, 0, 0 },
	};

	for (unsigned int i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct v9_class c = v9_classify(t[i].op, 3, 4);

		tap_ok(c.step == t[i].step && c.unit == t[i].unit, "elements_%s", t[i].name);
		if (c.step != t[i].step || c.unit != t[i].unit)
			tap_note("step %u unit %u", c.step, c.unit);
	}
}

/* shows: SPE-CD10 SPE-CD5 */
static void conditions(void)
{
	/* condition, flags that satisfy it, flags that do not (NZCV) */
	static const uint8_t t[][3] = {
		{ 0, 4, 0 }, { 1, 0, 4 }, { 2, 2, 0 }, { 3, 0, 2 }, { 4, 8, 0 }, { 5, 0, 8 },
		{ 6, 1, 0 }, { 7, 0, 1 }, { 8, 2, 6 }, { 9, 6, 2 }, { 10, 9, 8 }, { 11, 1, 9 },
		{ 12, 9, 13 }, { 13, 4, 0 },
	};
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct v9_pe_insn yes = { .op = 0x54000000 | t[i][0], .nzcv = t[i][1] };
		struct v9_pe_insn no = { .op = 0x54000000 | t[i][0], .nzcv = t[i][2] };
		struct v9_pe_insn sel = { .op = 0x9a800000 | t[i][0] << 12, .nzcv = t[i][2] };
		struct v9_class b = v9_classify(yes.op, 3, 0), s = v9_classify(sel.op, 3, 0);

		tap_ok(v9_condition_holds(&yes, &b) && !v9_condition_holds(&no, &b) &&
		       !v9_condition_holds(&sel, &s), "condition_%u", t[i][0]);
	}
	for (i = 14; i < 16; i++) {
		struct v9_pe_insn clear = { .op = 0x54000000 | i }, set = { .op = 0x54000000 | i, .nzcv = 15 };
		struct v9_class b = v9_classify(clear.op, 3, 0);

		tap_ok(v9_condition_holds(&clear, &b) && v9_condition_holds(&set, &b), "condition_%u", i);
	}
}

static bool holds(uint32_t op, uint64_t xt)
{
	struct v9_pe_insn i = { .op = op, .xt = xt };
	struct v9_class c = v9_classify(op, 3, 0);

	return v9_condition_holds(&i, &c);
}

static void compare_and_branch(void)
{
	tap_ok(holds(0xb4000000, 0) && !holds(0xb4000000, UINT64_C(1) << 40), "cbz_whole");
	tap_ok(holds(0x34000000, UINT64_C(1) << 40), "cbz_half");
	tap_ok(!holds(0xb5000000, 0) && holds(0xb5000000, 2), "cbnz_condition");
	tap_ok(holds(0x36080000, ~UINT64_C(2)) && !holds(0x36080000, 2), "tbz_bit_1");
	tap_ok(holds(0xb7f80000, UINT64_C(1) << 63) && !holds(0xb7f80000, 1), "tbnz_bit_63");
	tap_ok(holds(0x14000000, 0) && holds(0xf9400000, 0), "unconditional_holds");
}

/* Classifies opcodes from standard input. A script compares the output with a disassembler. */
static int filter(void)
{
	unsigned int op;

	while (scanf("%x", &op) == 1) {
		struct v9_class c = v9_classify(op, 3, 2);

		printf("%08x %s%s%s%s%s%s%s%s%s\n", op,
		       c.flags & L ? "L" : "", c.flags & S ? "S" : "",
		       c.flags & B ? "B" : "", c.flags & C ? "C" : "", c.flags & I ? "I" : "",
		       c.flags & V9_OP_AR ? "a" : "", c.flags & V9_OP_EXCL ? "x" : "",
		       c.flags & V9_OP_ATOMIC ? "t" : "", c.flags & V9_OP_SIMD ? "v" : "");
	}
	return 0;
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		return filter();
	typed_table();
	versions();
	elements();
	conditions();
	compare_and_branch();
	return tap_done();
}
