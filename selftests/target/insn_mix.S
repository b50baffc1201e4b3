/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * insn_mix(rounds, lse): one instruction of each kind per round.
 * op NAME CLASS OP MASK FILTER VA TARGET FAILED LSE, then the instruction.
 * FAILED is event 6 (condition failed, branch not taken); 2: either.
 * Registers: x0 rounds, x1 lse, x2 data, x3 data with tag 0x5a, x4 checksum,
 * x5 zero, x6 one, x7 where the indirect branch goes, x9-x11 scratch,
 * x8 x12-x14 x16 addresses in data, x15 return.
 */
#define B 1
#define LD 2
#define ST 4
#define FP 8
#define SIMD 16
	.arch armv8.2-a

	.macro op name, class, op, mask, filter=0, va=0, target=0, failed=0, lse=0
	.pushsection .rodata.str, "aMS", %progbits, 1
	.Lname_\name: .asciz "\name"
	.popsection
	.pushsection insn_mix_rows, "a"
	.balign 8
	.quad .Lname_\name, .Lat_\name, \va, \target
	.byte \filter, \class, \op, \mask, \failed, \lse, 0, 0
	.popsection
	.Lat_\name:
	.endm

	.bss
	.balign 4096
	.global insn_mix_data
insn_mix_data:
	.skip 4096

	.text
	.global spin, spin_start, spin_end
	.type spin, %function
	.balign 64
spin:
spin_start:
	subs	x0, x0, #1
	b.ne	spin_start
spin_end:
	ret

	.global other, other_start, other_end
	.type other, %function
	.balign 64
other:
other_start:
	subs	x0, x0, #1
	b.ne	other_start
other_end:
	ret

	.global insn_mix, insn_mix_start, insn_mix_end
	.type insn_mix, %function
	.balign 64
insn_mix:
	mov	x15, x30
	adrp	x2, insn_mix_data
	add	x2, x2, :lo12:insn_mix_data
	movz	x3, #0x5a00, lsl #48
	orr	x3, x3, x2
	mov	x4, #0
	mov	x5, #0
	mov	x6, #1
	adr	x7, insn_mix_indirect_end
	fmov	d1, #1.0
	add	x8, x2, #0x180
	add	x12, x2, #0x280
	add	x13, x2, #0x2c0
	add	x14, x2, #0x300
	add	x16, x2, #0x340
insn_mix_start:
	op	cmp, 0, 0x00, 0x01
	cmp	x6, #1
	op	add_x, 0, 0x00, 0x01
	add	x4, x4, x0
	op	csel_first, 0, 0x01, 0x01
	csel	x9, x4, x5, eq
	op	csel_second, 0, 0x01, 0x01, 0, 0, 0, 1
	csel	x9, x5, x9, ne
	op	ldr_x, 1, 0x00, 0xff, LD, insn_mix_data + 0x40
	ldr	x9, [x2, #0x40]
	op	ldur_unaligned, 1, 0x00, 0xff, LD, insn_mix_data + 0x81
	ldur	w10, [x2, #0x81]
	op	ldr_tagged, 1, 0x00, 0xff, LD, insn_mix_data + 0x5a000000000000c0
	ldr	x10, [x3, #0xc0]
	op	ldp, 1, 0x00, 0xff, LD, insn_mix_data + 0x100
	ldp	x10, x11, [x2, #0x100]
	op	ldr_q, 1, 0x04, 0xff, LD|SIMD, insn_mix_data + 0x140
	ldr	q0, [x2, #0x140]
	op	ldr_d, 1, 0x04, 0xff, LD|FP, insn_mix_data + 0x160
	ldr	d2, [x2, #0x160]
	op	ldar, 1, 0x12, 0xff, LD, insn_mix_data + 0x180
	ldar	x10, [x8]
	op	eor_x, 0, 0x00, 0x01
	eor	x4, x4, x4, lsr #7
	op	str_x, 1, 0x01, 0xff, ST, insn_mix_data + 0x1c0
	str	x4, [x2, #0x1c0]
	op	stp, 1, 0x01, 0xff, ST, insn_mix_data + 0x1e0
	stp	x4, x0, [x2, #0x1e0]
	op	str_q, 1, 0x05, 0xff, ST|SIMD, insn_mix_data + 0x240
	str	q0, [x2, #0x240]
	op	str_d, 1, 0x05, 0xff, ST|FP, insn_mix_data + 0x260
	str	d0, [x2, #0x260]
	op	stlr, 1, 0x13, 0xff, ST, insn_mix_data + 0x180
	stlr	x4, [x8]
	op	ldaxr, 1, 0x1a, 0xff, LD, insn_mix_data + 0x340
	ldaxr	x10, [x16]
	op	stxr, 1, 0x0b, 0xff, ST, insn_mix_data + 0x340
	stxr	w11, x4, [x16]
	op	prfm, 0, 0x00, 0x00
	prfm	pldl1keep, [x2, #0x3c0]
	op	dc_cvac, 0, 0x00, 0x00
	dc	cvac, x8
	op	b, 2, 0x00, 0x03, B, 0, .Lat_cbz_untaken
	b	.Lat_cbz_untaken
	nop
	op	cbz_untaken, 2, 0x01, 0x03, B, 0, 0, 1
	cbz	x6, insn_mix_end
	op	cbnz_taken, 2, 0x01, 0x03, B, 0, .Lat_bl
	cbnz	x6, .Lat_bl
	nop
	op	bl, 2, 0x00, 0x03, B, 0, .Lat_ret
	bl	.Lat_ret
	op	br, 2, 0x02, 0x03, B, 0, insn_mix_indirect_end
	br	x7
	op	ret, 2, 0x02, 0x03, B, 0, .Lat_br
	ret
insn_mix_indirect_end:
	op	fadd, 0, 0x00, 0x01, FP
	fadd	d1, d1, d1
	op	add_4s, 0, 0x00, 0x01, SIMD
	add	v2.4s, v2.4s, v2.4s
	op	fadd_4s, 0, 0x00, 0x01, FP|SIMD
	fadd	v3.4s, v3.4s, v3.4s
	op	nop, 0, 0x00, 0x01
	nop
	op	cbz_lse, 2, 0x01, 0x03, B, 0, insn_mix_next, 2
	cbz	x1, insn_mix_next
	op	ldadd, 1, 0x06, 0xe6, LD|ST, insn_mix_data + 0x280, 0, 0, 1
	ldadd	x6, x10, [x12]
	op	stadd, 1, 0x06, 0xe6, ST, insn_mix_data + 0x2c0, 0, 0, 1
	stadd	x6, [x13]
	op	swp, 1, 0x06, 0xe6, LD|ST, insn_mix_data + 0x300, 0, 0, 1
	swp	x6, x10, [x14]
insn_mix_next:
	op	subs, 0, 0x00, 0x01
	subs	x0, x0, #1
	op	b_ne, 2, 0x01, 0x03, B, 0, insn_mix_start, 2
	b.ne	insn_mix_start
insn_mix_end:
	mov	x0, x4
	mov	x30, x15
	ret
	.size insn_mix, . - insn_mix
	.section .note.GNU-stack, "", %progbits
