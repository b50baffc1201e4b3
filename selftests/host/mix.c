// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kinds of A64 instructions by their opcodes, which are typed from the encodings of DDI0487 (C7, C8);
 * governing predicates; loops.
 */
#include "tap.h"

#include "../../tools/report/mix.h"

static const struct {
	const char *name;
	uint32_t word;
	enum v9_note_mix kind;
} words[] = {
	{ "nop", 0xd503201f, V9_MIX_SCALAR },
	{ "ret", 0xd65f03c0, V9_MIX_SCALAR },
	{ "add_x", 0x8b020020, V9_MIX_SCALAR },
	{ "madd", 0x9b020c20, V9_MIX_SCALAR },
	{ "add_immediate", 0x91000400, V9_MIX_SCALAR },
	{ "ldr_x", 0xf9400421, V9_MIX_SCALAR },
	{ "ldp_x", 0xa9400400, V9_MIX_SCALAR },
	{ "stxr", 0xc8027c20, V9_MIX_SCALAR },
	{ "ldr_literal", 0x58000060, V9_MIX_SCALAR },
	{ "cas", 0xc8a07c41, V9_MIX_SCALAR },
	{ "udf", 0x00000000, V9_MIX_SCALAR },
	{ "fmul_d", 0x1e620820, V9_MIX_FP },
	{ "fmadd_s", 0x1f020c20, V9_MIX_FP },
	{ "fmov_x_d", 0x9e660000, V9_MIX_FP },
	{ "scvtf_d_w", 0x1e620000, V9_MIX_FP },
	{ "fcmp", 0x1e612000, V9_MIX_FP },
	{ "add_4s", 0x4ea28420, V9_MIX_SIMD },
	{ "fmla_2d", 0x4e62cc20, V9_MIX_SIMD },
	{ "aese", 0x4e284820, V9_MIX_SIMD },
	{ "sha512h", 0xce628020, V9_MIX_SIMD },
	{ "add_d_scalar_simd", 0x5ee28420, V9_MIX_SIMD },
	{ "ldr_q", 0x3dc00000, V9_MIX_SIMD },
	{ "str_d", 0xfd000000, V9_MIX_SIMD },
	{ "ld1_16b", 0x4c407000, V9_MIX_SIMD },
	{ "ldp_q", 0xad400400, V9_MIX_SIMD },
	{ "add_z", 0x04e00000, V9_MIX_SVE },
	{ "ptrue", 0x2518e3e0, V9_MIX_SVE },
	{ "ld1w", 0xa540a000, V9_MIX_SVE },
	{ "st1d", 0xe5e0e000, V9_MIX_SVE },
	{ "fmla_z", 0x65a20020, V9_MIX_SVE },
	{ "whilelo", 0x25a10c00, V9_MIX_SVE },
	{ "fmopa", 0x80820020, V9_MIX_SVE },
};

static const struct {
	const char *text;
	bool predicated;
} texts[] = {
	{ "add z0.s, p0/m, z0.s, z1.s", true },
	{ "ld1w\t{ z0.s }, p0/z, [x0]", true },
	{ "st1d { z0.d }, p15, [x0]", true },
	{ "faddv s0, p0, z0.s", true },
	{ "ptest p0, p1.b", true },
	{ "ld1b { z0.b, z1.b }, pn8/z, [x0]", true },
	{ "add z0.d, z0.d, z1.d", false },
	{ "ptrue p0.b", false },
	{ "whilelo p0.s, x0, x1", false },
	{ "incw x0, pow2", false },
	{ "cntw x0", false },
	{ "rdffr p0.b", false },
	{ "prfm pldl1keep, [x0]", false },
	{ "nop", false },
};

static void loops(void)
{
	static const uint32_t code[] = {
		0xd503201f,
		0xd503201f,	/* 0x1004: head of the outer loop */
		0xd503201f,	/* 0x1008: head of the inner loop */
		0x54ffffe0,	/* b.eq 0x1008 */
		0x35ffffc0,	/* cbnz 0x1008 */
		0x97fffffc,	/* bl 0x1004: a call, no loop */
		0x17fffffb,	/* b 0x1004 */
		0x14000001,	/* b forward */
		0x17fffff7,	/* b 0xffc: out of the function */
		0x14000000,	/* b to itself */
	};
	struct v9_code_loop loop[8];
	const size_t n = v9_mix_loops(code, sizeof(code) / 4, 0x1000, loop, 8);

	tap_eq(n, 3, "loops");
	tap_eq(loop[0].start, 0x1004, "outer_loop");
	tap_eq(loop[0].end, 0x101c, "outer_loop");
	tap_eq(loop[1].start, 0x1008, "inner_loop");
	tap_eq(loop[1].end, 0x1014, "inner_loop_to_its_last_branch");
	tap_eq(loop[2].start, 0x1024, "branch_to_itself");
	tap_eq(loop[2].end, 0x1028, "branch_to_itself");
	tap_eq(v9_mix_loops(code, sizeof(code) / 4, 0x1000, loop, 1), 1, "loops_are_limited");
}

int main(void)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		tap_eq(v9_mix_of(words[i].word), words[i].kind, "kind_of_%s", words[i].name);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		tap_eq(v9_mix_predicated(texts[i].text), texts[i].predicated, "predicated_%zu", i);
	loops();
	return tap_done();
}
