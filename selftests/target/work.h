/* SPDX-License-Identifier: GPL-2.0-only */
/* Work that is known to the instruction, and processes that do it while they are watched. */
#ifndef V9_SELFTEST_WORK_H
#define V9_SELFTEST_WORK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Work whose instructions are known: 2 * n of them between the two labels. */
void spin(uint64_t n);
extern const char spin_start[], spin_end[];

/* The same again, elsewhere. */
void other(uint64_t n);
extern const char other_start[], other_end[];

/* A process that waits for go, does its work and ends. */
struct worker {
	pid_t pid;
	int go;
};

int worker_start(struct worker *worker, int cpu, void (*work)(void *), void *arg);
void worker_go(struct worker *worker);
bool worker_done(struct worker *worker);
int worker_wait(struct worker *worker);

int pin_to(int cpu);
uint64_t now_ticks(void);

/* spin_work() does n rounds of spin(). */
struct spin_job {
	uint64_t n;
};

void spin_work(void *arg);

/* Memory that parent and child share, zeroed. NULL if there is none. */
void *new_shared(size_t size);

/* A task that goes on until told to stop: arg is a bool. */
void spin_until_told(void *arg);

/* Likewise, and counts its rounds of BUSY_SPIN. */
#define BUSY_SPIN	10000

struct busy {
	volatile bool stop;
	volatile uint64_t rounds;
};

void keep_busy(void *arg);
void wait_rounds(struct busy *busy, uint64_t more);

#endif
