/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * When threads left their CPU and came back, from perf's switch records: each wait with its length, and
 * what each thread did with its time. Add switches in the order of the file, which is not that of time;
 * then call v9_waits_seal().
 *
 * A wait is runnable if the thread could have gone on when it left: it was preempted, or yielded. Else it
 * is asleep until it is woken, and runnable from then on. If no wake-up is known, it is asleep until
 * it runs again.
 */
#ifndef V9TRACE_CAPTURE_WAITS_H
#define V9TRACE_CAPTURE_WAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum v9_switch_how { V9_SWITCH_IN, V9_SWITCH_OUT, V9_SWITCH_PREEMPTED };

struct v9_switch {
	uint64_t time;			/* ns */
	uint32_t pid, tid, cpu, seq;
	enum v9_switch_how how;
};

struct v9_wait {
	uint64_t begin, end;		/* ns */
	uint32_t cpu;			/* that it left */
	bool runnable;
	size_t wake;			/* index of the wake-up + 1; 0: not known */
	size_t user;			/* for the consumer; 0 at first */
};

struct v9_wait_thread {
	uint32_t pid, tid;
	size_t first, nr;		/* its waits, by time */
	uint64_t on_cpu, runnable, asleep;	/* ns */
	uint64_t turns;			/* times on a CPU with a known begin and end */
	uint64_t unpaired;		/* switches that follow one of the same kind */
	bool open;			/* it did not come back after its last switch */
};

struct v9_wake {
	uint64_t time;			/* ns */
	uint32_t tid;			/* that was woken */
	uint32_t waker;			/* thread; V9_NO_TASK: an interrupt, or not known */
	uint32_t seq;
	size_t user;			/* for the consumer; 0 at first */
};

struct v9_waits {
	struct v9_switch *switches;
	struct v9_wait *wait;
	struct v9_wait_thread *thread;	/* by tid and pid */
	struct v9_wake *wake;		/* by tid, then by time */
	size_t nr_switches, nr, nr_threads, nr_wakes;
	bool woken;			/* wake-ups were recorded */
};

void v9_waits_switch(struct v9_waits *w, uint64_t time, uint32_t cpu, uint32_t pid, uint32_t tid,
		     enum v9_switch_how how);

/* Pairs the switches, and frees them. The idle task (0) has no waits. */
void v9_waits_seal(struct v9_waits *w);

/*
 * Adds a wake-up, in any order. After v9_waits_seal() and the last of them, v9_waits_seal_wakes() pairs
 * them with the waits: the first one in a wait ends its sleep.
 */
void v9_waits_wake(struct v9_waits *w, uint64_t time, uint32_t tid, uint32_t waker);
void v9_waits_seal_wakes(struct v9_waits *w);

/* When the thread was woken; the end of a wait without a known wake-up; the begin of a runnable one. */
uint64_t v9_wait_woken(const struct v9_waits *w, const struct v9_wait *wait);

/* Returns the thread with that TID, the last one if the TID was used again, or NULL. */
struct v9_wait_thread *v9_waits_thread(const struct v9_waits *w, uint32_t tid);
void v9_waits_free(struct v9_waits *w);

#endif
