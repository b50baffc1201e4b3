// SPDX-License-Identifier: GPL-2.0-only
/*
 * flow.c for AArch32 state: a program that goes every way that A32 and T32 code can go. Direct, conditional and
 * indirect branches, IT blocks, calls between both instruction sets and deeper than a return stack, branches by
 * loads, faults and traps with handlers, interrupts. Compiled as A32 it has functions of T32, and the other way
 * round.
 *
 * Part of its code is not in its file but mapped by the kernel: the signal page, which handlers return to, the
 * vDSO, and the helpers in [vectors].
 */
#include <stdio.h>
#include <sys/ucontext.h>
#include <time.h>

#include "flow.h"

#ifdef __thumb__
#define OTHER "arm"
#else
#define OTHER "thumb"
#endif
#define OTHER_SET __attribute__((noinline, target(OTHER)))

#define THUMB		0x20		/* PSTATE.T in CPSR */
#define MEMORY_BARRIER	0xffff0fa0	/* kernel's helper in [vectors] */

struct action {			/* as the kernel knows it; without a restorer */
	void (*handler)(int nr, siginfo_t *info, void *context);
	unsigned long flags;
	void (*restorer)(void);
	unsigned long mask[2];
};

/* Goes on behind the instruction. */
static void skip(int nr, siginfo_t *info, void *context)
{
	ucontext_t *c = context;
	const unsigned long pc = c->uc_mcontext.arm_pc;

	(void)nr;
	(void)info;
	faults++;
	if (!(c->uc_mcontext.arm_cpsr & THUMB) || *(uint16_t *)pc >= 0xe800)
		c->uc_mcontext.arm_pc = pc + 4;
	else
		c->uc_mcontext.arm_pc = pc + 2;
}

static void on(int nr, void (*f)(int, siginfo_t *, void *))
{
	struct action a = { .handler = f, .flags = SA_SIGINFO };

	syscall(SYS_rt_sigaction, nr, &a, NULL, 8);
}

static word add(word x) { return x + 1; }
OTHER_SET static word twice(word x) { return x & 1 ? x * 2 : x + 2; }
static word less(word x) { return x - 3; }
static word (*const table[])(word) = { add, twice, less };

OTHER_SET static word other(unsigned int n)
{
	return n ? deep(n & 3) + other(n - 1) : 7;
}

/* Branches to the next instruction, so that taken or not makes no difference, and by all that can load PC */
__attribute__((noinline)) static void odd(void)
{
#ifdef __thumb__
	asm volatile("cmp r0, r0\n"
		     "beq 1f\n1: bne 2f\n2: b 3f\n3: beq.w 4f\n4: b.w 5f\n"
		     "5: movs r2, #0\n cbz r2, 6f\n nop\n6: cbnz r2, 7f\n nop\n"
		     "7: itt eq\n addeq r2, #1\n beq 8f\n nop\n"
		     "8: cmp r0, r0\n ite eq\n moveq r2, #0\n bxne lr\n"
		     "   tbb [pc, r2]\n9: .byte 2, 2, 2, 2\n   isb\n"
		     "   adr r3, 10f\n adds r3, #1\n bx r3\n .balign 4\n10: nop.w\n"
		     "   adr r3, 11f\n mov pc, r3\n .balign 4\n11:\n"
		     "   adr r3, 12f\n adds r3, #1\n push {r3}\n pop {pc}\n .balign 4\n12:\n"
		     "   adr r3, 13f\n adds r3, #1\n push {r2, r3}\n ldmia.w sp!, {r2, pc}\n .balign 4\n13:\n"
		     "   bl 14f\n14: movs r3, #5\n15: subs r3, #1\n bne 15b\n"
		     "   ldr.w pc, 16f\n .balign 4\n16: .word 17f + 1\n17: nop\n"
		     "   cmp r0, r0\n it ne\n isbne\n"
		     ::: "r2", "r3", "lr", "cc", "memory");
#else
	asm volatile("cmp r0, r0\n"
		     "beq 1f\n1: bne 2f\n2: b 3f\n"
		     "3: adr r3, 4f\n bx r3\n4: bxne lr\n"
		     "   mov r2, #0\n add pc, pc, r2\n nop\n nop\n"
		     "   adr r3, 5f\n mov pc, r3\n5: movne pc, lr\n isb\n"
		     "   adr r3, 6f\n push {r3}\n pop {pc}\n"
		     "6: adr r3, 7f\n push {r2, r3}\n ldm sp!, {r2, pc}\n"
		     "7: ldr pc, 8f\n8: .word 9f\n9: ldrne pc, 8b\n"
		     "   bl 10f\n10: mov r3, #5\n11: subs r3, r3, #1\n bne 11b\n bleq 12f\n12: nop\n"
		     ::: "r2", "r3", "lr", "cc", "memory");
#endif
}

/* The kernel's helpers, where it has them */
static void help(void)
{
	static int there = -1;
	char line[256];
	FILE *f;

	if (there < 0) {
		there = 0;
		for (f = fopen("/proc/self/maps", "r"); f && fgets(line, sizeof(line), f); )
			there |= !!strstr(line, "[vectors]");
		if (f)
			fclose(f);
	}
	if (there)
		((void (*)(void))MEMORY_BARRIER)();
}

int main(void)
{
	struct timespec now;
	unsigned int i;

	on(SIGSEGV, skip);
	on(SIGTRAP, skip);
	on(SIGILL, skip);
	on(SIGALRM, tick);
	start_timer();
	for (i = 0; i < 300; i++) {
		sum += choose(i) + table[i % 3](sum) + other(i % 5);
		odd();
		if (i % 10 == 0) {
			*nowhere;
			asm volatile("bkpt #1");
			asm volatile("udf #1");
			sum += deep(40);
			syscall(SYS_getppid);
			clock_gettime(CLOCK_MONOTONIC, &now);
			help();
		}
	}
	return finish(i);
}
