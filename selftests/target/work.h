/* SPDX-License-Identifier: GPL-2.0-only */
/* Work with a known number of instructions, and processes that run it while they are recorded. */
#ifndef V9_SELFTEST_WORK_H
#define V9_SELFTEST_WORK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Executes 2 * n instructions between the two labels. */
void spin(uint64_t n);
extern const char spin_start[], spin_end[];

/* A second function like spin(), at other addresses */
void other(uint64_t n);
extern const char other_start[], other_end[];

/* A process that waits for worker_go(), does its work and exits */
struct worker {
	pid_t pid;
	int go;
};

int worker_start(struct worker *worker, int cpu, void (*work)(void *), void *arg);
void worker_go(struct worker *worker);
bool worker_done(struct worker *worker);
int worker_wait(struct worker *worker);

/* Branches that are hard to predict: each takes some bytes of trace. */
void branch_at_random(unsigned long rounds);

/* Reads, @times over, far more memory than first-level caches and TLBs hold. */
void walk_memory(unsigned int times);

int pin_to(int cpu);

/* Sleeps until another task, or none, has run on this CPU. A sleep that ends before the kernel switches does not count. */
void leave_cpu(void);

/* Waits until the thread sleeps, as one that waits for the caller to end does. */
void wait_until_asleep(pid_t tid);
uint64_t now_ticks(void);

/* Argument of spin_work(), which calls spin(n) */
struct spin_job {
	uint64_t n;
};

void spin_work(void *arg);

/* Returns zeroed memory that parent and child share, or NULL. */
void *new_shared(size_t size);

/* Runs spin() until *arg, a bool, is true. */
void spin_until_stop(void *arg);

/* Runs spin(BUSY_SPIN) until @stop of struct busy is set, and counts the calls. */
#define BUSY_SPIN	10000

struct busy {
	volatile bool stop;
	volatile uint64_t rounds;
};

void keep_busy(void *arg);
void wait_rounds(struct busy *busy, uint64_t more);

#endif
