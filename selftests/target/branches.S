/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * wander(rounds, seed): branches of each type, which depend on a sequence of random bits (x1).
 * branches.c computes the same path.
 */
	.arch armv8.2-a
	.text
	.macro at name
	.global wander_\name
wander_\name:
	.endm

	.global wander
	.type wander, %function
	.balign 64
wander:
at start
	stp x29, x30, [sp, #-16]!
	adr x10, wander_leaf
	adr x11, wander_jumped
at loop
	eor x1, x1, x1, lsl #13
	eor x1, x1, x1, lsr #7
	eor x1, x1, x1, lsl #17
at cond
	tbz x1, #20, wander_no_call
at call
	bl wander_leaf
at no_call
	nop
at cond2
	tbnz x1, #21, wander_no_ind_call
	nop
at ind_call
	blr x10
at no_ind_call
	nop
at cond3
	tbz x1, #22, wander_no_jump
at jump
	br x11
	nop
at jumped
	nop
at no_jump
	nop
at direct
	b wander_last
	nop
at last
	subs x0, x0, #1
at back
	b.ne wander_loop
	ldp x29, x30, [sp], #16
at return
	ret

	nop
at leaf
	nop
at leaf_cond
	tbnz x1, #23, wander_leaf_end
	nop
at leaf_end
	nop
at leaf_return
	ret
at end
	.size wander, . - wander
	/* hop_a(n), hop_b(n): n indirect jumps each, which the kernel has hardly any of */
	.macro hopper name
	.global \name, \name\()_end
	.type \name, %function
\name:
	adr x9, 1f
0:	br x9
	nop
1:	subs x0, x0, #1
	b.ne 0b
	ret
\name\()_end:
	.size \name, . - \name
	.endm
	hopper hop_a
	.balign 64
	hopper hop_b

	.section .note.GNU-stack, "", %progbits
