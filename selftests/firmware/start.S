/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Entry at EL3, or at EL2 where there is no EL3; vectors of three Exception levels, and
 * the way down and back. An exception is written down in recs[EL] and ends the program
 * that was sent down: whatever happens at a lower level goes on to the highest by SMC or
 * HVC, and that returns to whoever called run_at(). A program may run at the highest
 * level itself if that is EL2.
 */

/* offsets in struct rec; see fw.h */
#define REC_SIZE	48

	.section .text.start, "ax"
	.globl _start
_start:
	mrs	x1, mpidr_el1
	tst	x1, #0xff
	b.ne	other
	ldr	x1, =__stacks
	add	x1, x1, #0x10000
	mov	sp, x1
	ldr	x1, =__bss
	ldr	x2, =__bss_end
1:	cmp	x1, x2
	b.hs	2f
	str	xzr, [x1], #8
	b	1b
2:	mrs	x0, CurrentEL
	lsr	x0, x0, #2
	ldr	x1, =highest
	str	x0, [x1]
	adr	x1, vectors_el1
	msr	vbar_el1, x1
	cmp	x0, #2
	b.lo	3f
	adr	x1, vectors_el2
	msr	vbar_el2, x1
	b.eq	3f
	adr	x1, vectors_el3
	msr	vbar_el3, x1
3:	isb
	bl	firmware
4:	wfi
	b	4b

/* The second PE; its stack is the last. */
other:
	ldr	x1, =__stacks
	add	x1, x1, #0x50000
	mov	sp, x1
	ldr	x1, =other_pe
	str	x1, [x1]
	b	other_pe_work

/*
 * void run_at(uint64_t spsr, void (*entry)(void)): comes back when the program below has
 * made an exception that came to the highest level.
 */
	.text
	.globl run_at
run_at:
	stp	x29, x30, [sp, #-96]!
	stp	x19, x20, [sp, #16]
	stp	x21, x22, [sp, #32]
	stp	x23, x24, [sp, #48]
	stp	x25, x26, [sp, #64]
	stp	x27, x28, [sp, #80]
	adr	x2, frame
	mov	x3, sp
	str	x3, [x2]
	ldr	x2, =__stacks
	add	x3, x2, #0x20000
	msr	sp_el0, x3
	add	x3, x2, #0x30000
	msr	sp_el1, x3
	ldr	x4, =highest
	ldr	x4, [x4]
	cmp	x4, #3
	b.ne	1f
	add	x3, x2, #0x40000
	msr	sp_el2, x3
	msr	spsr_el3, x0
	msr	elr_el3, x1
	isb
	eret
1:	msr	spsr_el2, x0
	msr	elr_el2, x1
	isb
	eret

	.data
	.balign	8
	.globl	other_pe
other_pe:
	.quad	0
	.text

	.balign	8
frame:	.quad	0
	.globl	highest
highest:
	.quad	0

	.macro	record el
	ldr	x3, =recs
	mov	x4, #REC_SIZE
	mov	x5, #\el
	madd	x3, x4, x5, x3
	ldr	x4, [x3]
	add	x4, x4, #1
	mrs	x5, esr_el\el
	mrs	x6, elr_el\el
	mrs	x7, spsr_el\el
	mrs	x8, far_el\el
	str	x4, [x3]
	str	x5, [x3, #8]
	str	x6, [x3, #16]
	str	x7, [x3, #24]
	str	x8, [x3, #32]
	str	x2, [x3, #40]
	.endm

	/* x2: the vector's offset. Nothing of the interrupted program is needed any more. */
taken_el1:
	record	1
	b	leave
taken_el2:
	record	2
	ldr	x0, =highest
	ldr	x0, [x0]
	cmp	x0, #2
	b.eq	back
	.globl leave
leave:				/* to whoever is highest */
	ldr	x0, =highest
	ldr	x0, [x0]
	cmp	x0, #3
	b.ne	1f
	smc	#0
1:	hvc	#0
taken_el3:
	record	3
back:
	adr	x2, frame
	ldr	x3, [x2]
	cbz	x3, own_fault		/* nothing runs: a mistake in this program */
	str	xzr, [x2]
	mov	sp, x3
	ldp	x19, x20, [sp, #16]
	ldp	x21, x22, [sp, #32]
	ldp	x23, x24, [sp, #48]
	ldp	x25, x26, [sp, #64]
	ldp	x27, x28, [sp, #80]
	ldp	x29, x30, [sp], #96
	ret
own_fault:
	mov	x0, x5			/* as record has left them: ESR, ELR */
	mov	x1, x6
	bl	died
1:	b	1b

	.macro	vectors el
	.balign	2048
	.globl vectors_el\el
vectors_el\el:
	.set	offset, 0
	.rept	16
	.balign	128
	mov	x2, #offset
	b	taken_el\el
	.set	offset, offset + 0x80
	.endr
	.endm

	vectors	1
	vectors	2
	vectors	3

/* Programs to run below; each ends by an exception. */
	.globl prog_wait
prog_wait:			/* EL1, EL2: nothing in particular */
	nop
	nop
	b	leave
	.globl prog_wait_el0
prog_wait_el0:			/* EL0 */
	nop
	nop
	svc	#1

/*
 * prog_work: code worth tracing and sampling, then what drains both units. Indirect
 * branches, so that each costs an address.
 */
	.globl prog_work
prog_work:
	isb
	mov	x9, #200
1:	adr	x10, 2f
	tst	x9, #1
	adr	x11, 3f
	csel	x10, x10, x11, eq
	br	x10
2:	nop
	b	4f
3:	nop
	nop
4:	subs	x9, x9, #1
	b.ne	1b
	isb
	hint	#18			/* TSB CSYNC */
	hint	#17			/* PSB CSYNC */
	dsb	sy
	isb
	b	leave

/* The same, but what was translated need not be in memory. */
	.globl prog_work_late
prog_work_late:
	isb
	mov	x9, #400
1:	adr	x10, 2f
	br	x10
2:	subs	x9, x9, #1
	b.ne	1b
	isb
	hint	#18			/* TSB CSYNC */
	hint	#17			/* PSB CSYNC */
	isb
	b	leave

/* Tracing of EL1 ends before the drain: nothing is left for whoever is above. */
	.globl prog_work_quiet
prog_work_quiet:
	isb
	mov	x9, #200
1:	adr	x10, 2f
	br	x10
2:	subs	x9, x9, #1
	b.ne	1b
	mrs	x12, s3_0_c1_c2_1	/* TRFCR_EL1.E1TRE */
	bic	x12, x12, #2
	msr	s3_0_c1_c2_1, x12
	isb
	hint	#18			/* TSB CSYNC */
	dsb	sy
	isb
	b	leave

/* prog_store: what a program does to the buffer itself */
	.globl prog_store
prog_store:
	mov	x0, #0x80000000
	str	xzr, [x0]
	b	leave

/* prog_raise: TRBSR_EL1.IRQ by hand; the exception comes at one of the two labels. */
	.globl prog_raise, prog_raising, prog_raised
prog_raise:
	mov	x0, #(1 << 22)
	msr	s3_0_c9_c11_3, x0
prog_raising:
	isb
prog_raised:
	nop
	b	leave

/* prog_sample: registers, instructions that prepare, and the one that is to be sampled */
	.globl prog_sample, prog_sample_slots
prog_sample:
	adr	x9, prog_sample_regs
	ldp	x0, x1, [x9]
	ldp	x2, x3, [x9, #16]
	ldp	x4, x5, [x9, #32]
	ldp	x6, x7, [x9, #48]
prog_sample_slots:
	.rept	4
	nop
	.endr
	nop
	hint	#17			/* PSB CSYNC */
	dsb	sy
	isb
	b	leave

/* prog_access: one access to the register whose opcode was put there; what was read is kept */
	.globl prog_access, prog_access_slot
prog_access:
	mov	x0, #0
prog_access_slot:
	nop
	adr	x1, prog_access_value
	str	x0, [x1]
	b	leave

	.balign	8
	.globl prog_access_value
prog_access_value:
	.quad	0
