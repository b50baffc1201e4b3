/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Firmware at EL3 that has asked for all management events (MDCR_EL3.{PMSEE,TRBEE} = 0b11), for
 * the emulated machine, where it lies at 0x04000000, the second flash. Two tables of vectors:
 *	+ 0	keeps them: what happened is forgotten
 *	+ 0x800	delegates them: the status goes to the register of EL1, which interrupts
 * Nothing else may come to EL3. If it does, the console says so, and the CPU stands still.
 */
	.arch	armv8-a

#define PMBSR_EL1	S3_0_C9_C10_3
#define PMBSR_EL3	S3_6_C9_C10_3
#define TRBLIMITR_EL1	S3_0_C9_C11_0
#define TRBSR_EL1	S3_0_C9_C11_3
#define TRBSR_EL3	S3_6_C9_C11_3

#define UART		0x09000000
#define EC_PROFILING	0x3d

	/* Of 16 entries one matters: synchronous, from a lower level in AArch64 state. */
	.macro	vectors where:req
	.balign	2048
	.rept	8
	.balign	128
	b	unexpected
	.endr
	.balign	128
	b	\where
	.rept	7
	.balign	128
	b	unexpected
	.endr
	.endm

	/*
	 * X0 and X1 wait where nobody below can see them; there is no memory. The units come to rest,
	 * and the trace buffer is disabled while its status is written (TRBE-UN8). X1: its limit.
	 */
	.macro	enter
	msr	tpidr_el3, x0
	mov	sp, x1
	mrs	x0, esr_el3
	lsr	x0, x0, #26
	cmp	x0, #EC_PROFILING
	b.ne	unexpected
	hint	#17			/* PSB CSYNC */
	hint	#18			/* TSB CSYNC */
	dsb	nsh
	isb
	mrs	x1, TRBLIMITR_EL1
	bic	x0, x1, #1
	msr	TRBLIMITR_EL1, x0
	isb
	.endm

	.macro	leave
	isb
	msr	TRBLIMITR_EL1, x1
	mov	x1, sp
	mrs	x0, tpidr_el3
	eret
	.endm

	.macro	delegate from:req, to:req
	mrs	x0, \from
	cbz	x0, 9f
	msr	\to, x0
	isb				/* the unit stays stopped all the time */
	msr	\from, xzr
9:
	.endm

	.text
	vectors	keep
	vectors	pass_on

keep:
	enter
	msr	PMBSR_EL3, xzr
	msr	TRBSR_EL3, xzr
	leave

pass_on:
	enter
	delegate PMBSR_EL3, PMBSR_EL1
	delegate TRBSR_EL3, TRBSR_EL1
	leave

	/* "EL3: <ESR_EL3> <ELR_EL3>" */
unexpected:
	mov	x4, #UART
	adr	x1, text
1:	ldrb	w0, [x1], #1
	cbz	w0, 2f
	str	w0, [x4]
	b	1b
2:	mrs	x2, esr_el3
	mov	x3, #2
3:	mov	x1, #64
4:	sub	x1, x1, #4
	lsr	x0, x2, x1
	and	x0, x0, #15
	cmp	x0, #10
	add	x5, x0, #'0'
	add	x0, x0, #'a' - 10
	csel	x0, x5, x0, lo
	str	w0, [x4]
	cbnz	x1, 4b
	mov	x0, #' '
	str	w0, [x4]
	mrs	x2, elr_el3
	sub	x3, x3, #1
	cbnz	x3, 3b
	mov	x0, #'\n'
	str	w0, [x4]
5:	wfi
	b	5b

text:	.asciz	"\nEL3: "

	.section .note.GNU-stack, "", @progbits
