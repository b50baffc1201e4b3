// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that goes every way a program can go, for the trace unit's cross-check:
 * direct, conditional and indirect branches, calls deeper than a return stack,
 * signed returns, faults and traps with handlers, interrupts, fresh pages.
 * Signal handlers return through code of ours, not the vDSO's: all that it
 * executes is in its file.
 */
#include <sys/ucontext.h>

#include "flow.h"

#define RESTORER 0x04000000	/* SA_RESTORER, which the C library hides */

struct action {			/* as the kernel knows it */
	void (*handler)(int nr, siginfo_t *info, void *context);
	unsigned long flags;
	void (*restorer)(void);
	unsigned long mask;
};

void back(void);
asm(".globl back\n"
    "back:	mov x8, #139\n"	/* rt_sigreturn */
    "	svc #0\n");

static void skip(int nr, siginfo_t *info, void *context)
{
	ucontext_t *c = context;

	(void)nr;
	(void)info;
	faults++;
	c->uc_mcontext.pc += 4;
}

static void on(int nr, void (*f)(int, siginfo_t *, void *))
{
	struct action a = {
		.handler = f, .flags = RESTORER | SA_SIGINFO, .restorer = back,
	};

	syscall(SYS_rt_sigaction, nr, &a, NULL, 8);
}

static word add(word x) { return x + 1; }
static word twice(word x) { return x * 2; }
static word less(word x) { return x - 3; }
static word (*const table[])(word) = { add, twice, less };

/* Branches to the next instruction, so that taken or not makes no difference, and to themselves */
static void odd(void)
{
	asm volatile("cmp xzr, xzr\n"
		     "b.eq 1f\n1: b.ne 2f\n2: b 3f\n"
		     "3: cbz xzr, 4f\n4: tbnz xzr, #3, 5f\n"
		     "5: adr x9, 6f\n   br x9\n6: isb\n"
		     "   adr x9, 7f\n   ret x9\n7: bl 8f\n8: nop\n"
		     "   mov x9, #5\n9: subs x9, x9, #1\n   b.ne 9b\n"
		     ::: "x9", "x30", "cc");
}

int main(void)
{
	unsigned int i;

	on(SIGSEGV, skip);
	on(SIGTRAP, skip);
	on(SIGILL, skip);
	on(SIGALRM, tick);
	start_timer();
	for (i = 0; i < 300; i++) {
		sum += choose(i) + table[i % 3](sum);
		odd();
		if (i % 10 == 0) {
			*nowhere;
			asm volatile("brk #1");
			asm volatile("udf #1");
			sum += deep(40);
			syscall(SYS_getppid);
		}
	}
	return finish(i);
}
