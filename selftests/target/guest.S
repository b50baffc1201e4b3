/* SPDX-License-Identifier: GPL-2.0-only */
/* What runs in the machine of vm.c: at EL1, MMU off, at VM_BASE, x0 = where to speak. */
	.arch	armv8.2-a

	/* Bit \n of x19 is set if the instruction was UNDEFINED. */
	.macro	attempt n:req, insn:vararg
	mov	x20, #1
	\insn
	cbnz	x20, 9f			/* nothing happened */
	mov	x2, #1
	lsl	x2, x2, #\n
	orr	x19, x19, x2
9:
	.endm

	.macro	probe n:req, reg:req
	attempt	\n, mrs x1, \reg
	.endm

	.section .rodata.guest, "a"
	.balign	2048
	.globl	guest_start
guest_start:
	b	begin

	/* Current exception level, its own stack pointer, synchronous: what was UNDEFINED is skipped. */
	.org	guest_start + 0x200
	mrs	x3, esr_el1
	lsr	x3, x3, #26
	cbnz	x3, .			/* any other exception: be quiet, the test will tell */
	mov	x20, #0
	mrs	x3, elr_el1
	add	x3, x3, #4
	msr	elr_el1, x3
	eret

	.org	guest_start + 0x800
begin:
	adr	x1, guest_start
	msr	vbar_el1, x1
	isb
	mrs	x1, id_aa64dfr0_el1
	str	x1, [x0, #0]

	/* In the order of vm_registers[] */
	mov	x19, #0
	probe	0, S3_0_C9_C9_0
	probe	1, S3_0_C9_C9_7
	probe	2, S3_0_C9_C10_0
	probe	3, S3_0_C9_C10_3
	probe	4, S3_0_C9_C11_0
	probe	5, S3_0_C9_C11_3
	probe	6, S3_0_C1_C2_1
	probe	7, S2_1_C0_C1_0
	probe	8, S2_1_C0_C3_0
	str	x19, [x0, #8]
	mov	x1, #-1
	mrs	x1, S3_0_C9_C10_7
	str	x1, [x0, #16]
	mov	x1, #-1
	mrs	x1, S3_0_C9_C11_7
	str	x1, [x0, #24]

	/* In the order of vm_branches[] */
	mov	x19, #0
	probe	0, S2_1_C9_C0_0
	probe	1, S2_1_C9_C0_1
	probe	2, S2_1_C9_C0_2
	probe	3, S2_1_C9_C1_0
	probe	4, S2_1_C9_C1_1
	probe	5, S2_1_C9_C1_2
	probe	6, S2_1_C9_C2_0
	probe	7, S2_1_C8_C0_0
	probe	8, S2_1_C8_C0_1
	probe	9, S2_1_C8_C0_2
	probe	10, S2_1_C8_C15_4
	mov	x1, #-1			/* records everything, if it can be written */
	attempt	11, msr S2_1_C9_C0_0, x1
	mov	x1, #0x10000
	attempt	12, msr S2_1_C9_C0_1, x1
	attempt	13, msr S2_1_C9_C1_0, x1
	attempt	14, msr S2_1_C9_C1_1, x1
	attempt	15, msr S2_1_C9_C1_2, x1
	attempt	16, .inst 0xd509729f
	attempt	17, .inst 0xd50972bf
	str	x19, [x0, #32]
	hint	#17			/* PSB CSYNC */
	hint	#18			/* TSB CSYNC: nobody can be kept from these */

	mov	x19, #0
1:	mov	x2, #4096
2:	sub	x2, x2, #1
	cbnz	x2, 2b
	add	x19, x19, #1
	str	x19, [x0, #40]
	b	1b
	.globl	guest_end
guest_end:

	.section .note.GNU-stack, "", @progbits
