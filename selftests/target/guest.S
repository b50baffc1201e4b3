/* SPDX-License-Identifier: GPL-2.0-only */
/* What runs in the machine of vm.c: at EL1, MMU off, at VM_BASE, x0 = where to speak. */
	.arch	armv8.2-a

	/* "x19: bit \n set if it was UNDEFINED" */
	.macro	probe n:req, reg:req
	mov	x20, #1
	mrs	x1, \reg
	cbnz	x20, 9f			/* nothing happened */
	mov	x2, #1
	lsl	x2, x2, #\n
	orr	x19, x19, x2
9:
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
	hint	#17			/* PSB CSYNC */
	hint	#18			/* TSB CSYNC: nobody can be kept from these */

	mov	x19, #0
1:	mov	x2, #4096
2:	sub	x2, x2, #1
	cbnz	x2, 2b
	add	x19, x19, #1
	str	x19, [x0, #32]
	b	1b
	.globl	guest_end
guest_end:

	.section .note.GNU-stack, "", @progbits
