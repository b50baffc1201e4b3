// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operands that are offsets from the PC: addresses typed from the encodings of DDI0487 (C6.2), with
 * the largest positive and negative offset of each class. What is made of LLVM's text; LLVM itself: annotate.sh.
 */
#include <inttypes.h>
#include <string.h>

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

static unsigned int disposed;
static const char *said;	/* what the stub of LLVM prints; NULL: it does not know the instruction */

static size_t insn(void *context, uint8_t *bytes, uint64_t n, uint64_t pc, char *out, size_t room)
{
	if (context != &disposed || n != 4 || bytes[0] != 0x40 || bytes[3] != 0x54 || pc != 0x1000)
		return 0;
	if (said)
		snprintf(out, room, "%s", said);
	return said ? 4 : 0;
}

static void dispose(void *context)
{
	disposed += context == &disposed;
}

/* B.cond to 0x1008 */
static void text(void)
{
	static const struct { const char *said, *want; size_t room; } rows[] = {
		{ "\tb.eq\t#0x8", "b.eq\t0x1008", 64 }, { "\ttbz\tx0, #0x3, #0x8", "tbz\tx0, #0x3, 0x1008", 64 },
		{ "b.eq\t#8", "b.eq\t0x1008", 64 }, { "\tb.eq\tlabel", "b.eq\tlabel", 64 },
		{ "\tb.eq\t#0x8", "b.eq\t0x10", 10 }, { NULL, ".inst\t0x54000040", 64 },
	};
	struct v9_disasm d = { .tried = true };
	uint64_t target = 7;
	char out[64];

	tap_ok(!v9_disasm_text(&d, 0x1000, 0x40, out, sizeof(out), &target) && !strcmp(out, "00000040") &&
	       target == UINT64_MAX, "without_llvm");
	d = (struct v9_disasm){ .tried = true, .context = &disposed, .insn = insn, .dispose = dispose };
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		said = rows[i].said;
		target = 7;
		tap_ok(v9_disasm_text(&d, 0x1000, 0x54000040, out, rows[i].room, &target) && !strcmp(out, rows[i].want) &&
		       target == (said ? 0x1008 : UINT64_MAX), "text_%zu", i);
	}
	v9_disasm_free(&d);
	tap_ok(disposed == 1 && !d.context && !d.tried, "disposed");
	v9_disasm_free(&d);
	tap_eq(disposed, 1, "disposed_once");
}

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		tap_eq(v9_disasm_target(cases[i].addr, cases[i].word), cases[i].target, "target_of_%s",
		       cases[i].name);
	text();
	return tap_done();
}
