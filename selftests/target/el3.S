/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Firmware at EL3 that has asked for all management events (MDCR_EL3.{PMSEE,TRBEE} = 0b11), for
 * the emulated machine, where it lies at 0x04000000, the second flash. Three tables of vectors:
 *	+ 0	keeps them: what happened is forgotten
 *	+ 0x800	delegates them: the status goes to the register of EL1, which interrupts
 *	+ 0x1000	answers calls: version of SMCCC, which functions there are, and what EL3 permits
 *			(include/v9trace/el3.h); for all others NOT_SUPPORTED
 * Nothing else may come to EL3. If it does, the console says so, and the CPU stands still.
 */
	.arch	armv8-a

#define PMBSR_EL1	S3_0_C9_C10_3
#define PMBSR_EL3	S3_6_C9_C10_3
#define TRBLIMITR_EL1	S3_0_C9_C11_0
#define TRBSR_EL1	S3_0_C9_C11_3
#define TRBSR_EL3	S3_6_C9_C11_3

#define UART		0x09000000
#define EC_SMC64	0x17
#define EC_PROFILING	0x3d

	/* Functions and arguments of SMCCC, Arm DEN0028 */
#define VERSION		0x80000000
#define FEATURES	0x80000001
#define AVAILABILITY	0xc0000003
#define ARG_CPTR_EL3	0x1e1140
#define ARG_MDCR_EL3	0x1e1320

	/* NSPB[0], TTRF, NSTB[0], SBRBE[0], EnPMS4; TTA. TTRF and TTA permit by 0. */
#define MDCR_FIELDS	0x0080000101081000
#define MDCR_INVERTED	0x0000000000080000
#define CPTR_FIELDS	0x0000000000100000

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
	vectors	answer

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

	/* Called with X0 to X3 as arguments and results; the caller expects the others unchanged. */
	.macro	is reg:req, value:req, then:req
	ldr	x3, =\value
	cmp	\reg, x3
	b.eq	\then
	.endm

answer:
	mrs	x2, esr_el3
	lsr	x2, x2, #26
	cmp	x2, #EC_SMC64
	b.ne	unexpected
	mov	w0, w0
	is	x0, VERSION, version
	is	x0, AVAILABILITY, availability
	is	x0, FEATURES, features
	is	x0, 0x8400000a, features	/* of PSCI: SMCCC_VERSION alone comes here */
not_supported:
	mov	x0, #-1
	mov	x1, #0
	eret
version:
	ldr	x0, =0x10005
	eret
features:
	mov	w1, w1
	is	x1, VERSION, success
	is	x1, FEATURES, success
	is	x1, AVAILABILITY, success
	b	not_supported
success:
	mov	x0, #0
	eret
availability:
	is	x1, ARG_MDCR_EL3, mdcr
	is	x1, ARG_CPTR_EL3, cptr
	mov	x0, #-3				/* INVALID_PARAMETER */
	mov	x1, #0
	eret
mdcr:
	mrs	x1, mdcr_el3
	ldr	x2, =MDCR_INVERTED
	eor	x1, x1, x2
	ldr	x2, =MDCR_FIELDS
	b	mask
cptr:
	mrs	x1, cptr_el3
	ldr	x2, =CPTR_FIELDS
	eor	x1, x1, x2
mask:
	and	x1, x1, x2
	b	success
	.ltorg

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
