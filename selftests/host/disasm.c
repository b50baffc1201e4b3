// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operands that are offsets from the PC: addresses typed from the encodings of DDI0487 (C6.2), with
 * the largest positive and negative offset of each class. Text of LLVM: annotate.sh.
 */
#include "tap.h"

#include "../../tools/capture/disasm.h"

static const struct {
	const char *name;
	uint64_t addr;
	uint32_t word;
	uint64_t target;
} cases[] = {
	{ "b", 0x1000, 0x14000004, 0x1010 },
	{ "b_back", 0x10000000, 0x16000000, 0x8000000 },		/* -128 MiB */
	{ "bl", 0x1000, 0x95ffffff, 0x8000ffc },			/* +128 MiB - 4 */
	{ "b_cond", 0x1000, 0x54000040, 0x1008 },
	{ "b_cond_back", 0x200000, 0x54800000, 0x100000 },		/* -1 MiB */
	{ "bc_cond", 0x1000, 0x54000050, 0x1008 },
	{ "cbz", 0x1000, 0x34000060, 0x100c },
	{ "cbnz_64", 0x1000, 0xb5ffffe0, 0xffc },
	{ "tbz", 0x1000, 0x36080060, 0x100c },
	{ "tbnz_bit_63", 0x10000, 0xb7fc0000, 0x8000 },			/* bit 63, -32 KiB */
	{ "ldr_w_literal", 0x1000, 0x18000060, 0x100c },
	{ "ldr_x_literal", 0x1000, 0x58000060, 0x100c },
	{ "ldrsw_literal", 0x1000, 0x98000060, 0x100c },
	{ "prfm_literal", 0x1000, 0xd8000060, 0x100c },
	{ "ldr_q_literal", 0x1000, 0x9c000060, 0x100c },
	{ "cbgt", 0x1000, 0x74010040, 0x1008 },
	{ "cbgt_back", 0x1000, 0xf4013fe0, 0xffc },
	{ "retaasppc", 0x100000, 0x5500007f, 0xffff4 },
	{ "autibsppc", 0x100000, 0xf3bfffff, 0xc0004 },
	{ "adr", 0x1000, 0x10000080, 0x1010 },
	{ "adr_one_byte_back", 0x1000, 0x70ffffe0, 0xfff },
	{ "adrp", 0x1234, 0x90000000, 0x1000 },
	{ "adrp_3_pages", 0x1234, 0xf0000000, 0x4000 },
	{ "adrp_back", 0x5234, 0xf0ffffe0, 0x4000 },
	{ "ret", 0x1000, 0xd65f03c0, UINT64_MAX },
	{ "br", 0x1000, 0xd61f0000, UINT64_MAX },
	{ "ldr_base", 0x1000, 0xf9400421, UINT64_MAX },
	{ "add", 0x1000, 0x91000400, UINT64_MAX },
	{ "madd", 0x1000, 0x9b020c20, UINT64_MAX },
	{ "fadd_simd", 0x1000, 0x4e22d420, UINT64_MAX },
	{ "zero", 0x1000, 0, UINT64_MAX },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		tap_eq(v9_disasm_target(cases[i].addr, cases[i].word), cases[i].target, "target_of_%s",
		       cases[i].name);
	return tap_done();
}
