// SPDX-License-Identifier: GPL-2.0-only
/* Base register and offset of loads and stores. The opcodes are those of the GNU assembler. */
#include "tap.h"
#include "../../tools/capture/types.h"

int main(void)
{
	static const struct { const char *name; uint32_t word; bool found; unsigned int base; int offset; } rows[] = {
		{ "ldr_x", 0xf9400820, true, 1, 16 },		/* ldr x0, [x1, #16] */
		{ "str_w", 0xb9000c01, true, 0, 12 },		/* str w1, [x0, #12] */
		{ "ldrb", 0x39400c40, true, 2, 3 },		/* ldrb w0, [x2, #3] */
		{ "ldr_q", 0x3dc00860, true, 3, 32 },		/* ldr q0, [x3, #32] */
		{ "ldr_s", 0xbd400860, true, 3, 8 },		/* ldr s0, [x3, #8] */
		{ "ldur", 0xf85f8020, true, 1, -8 },		/* ldur x0, [x1, #-8] */
		{ "ldur_s", 0xbc5f8060, true, 3, -8 },		/* ldur s0, [x3, #-8] */
		{ "ldr_post", 0xf8408420, true, 1, 0 },		/* ldr x0, [x1], #8 */
		{ "ldr_pre", 0xf8408c20, true, 1, 8 },		/* ldr x0, [x1, #8]! */
		{ "ldp_x", 0xa9410820, true, 1, 16 },		/* ldp x0, x2, [x1, #16] */
		{ "ldp_w", 0x29410820, true, 1, 8 },		/* ldp w0, w2, [x1, #8] */
		{ "ldp_back", 0xa97f0820, true, 1, -16 },	/* ldp x0, x2, [x1, #-16] */
		{ "ldp_q", 0xad410420, true, 1, 32 },		/* ldp q0, q1, [x1, #32] */
		{ "stp_post", 0xa8810820, true, 1, 0 },		/* stp x0, x2, [x1], #16 */
		{ "stp_pre", 0xa9810820, true, 1, 16 },		/* stp x0, x2, [x1, #16]! */
		{ "ldpsw", 0x69410820, true, 1, 8 },		/* ldpsw x0, x2, [x1, #8] */
		{ "ldadd", 0xf8200022, true, 1, 0 },		/* ldadd x0, x2, [x1] */
		{ "ldclr", 0xf8201022, true, 1, 0 },		/* ldclr x0, x2, [x1] */
		{ "ldxr", 0xc85f7c20, true, 1, 0 },		/* ldxr x0, [x1] */
		{ "ldar", 0xc8dffc20, true, 1, 0 },		/* ldar x0, [x1] */
		{ "sp", 0xf94007e0, true, 31, 8 },		/* ldr x0, [sp, #8] */
		{ "ldr_index", 0xf8626820, false, 0, 0 },	/* ldr x0, [x1, x2] */
		{ "ldr_literal", 0x58000000, false, 0, 0 },	/* ldr x0, . */
		{ "ld1", 0x4c407020, false, 0, 0 },		/* ld1 {v0.16b}, [x1] */
		{ "add", 0x8b020020, false, 0, 0 },		/* add x0, x1, x2 */
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct v9_operand a = { 99, 99 };
		const bool found = v9_access_of(rows[i].word, &a);

		tap_ok(found == rows[i].found && (!found || (a.base == rows[i].base &&
							     a.offset == rows[i].offset)), "%s", rows[i].name);
	}
	return tap_done();
}
