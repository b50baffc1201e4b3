/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters of the CPU's PMU that sample for sessions of another unit, and the counter of task
 * switches. Each is an event of perf's own, made with perf_event_create_kernel_counter().
 */
#ifndef V9TRACE_COUNTER_H
#define V9TRACE_COUNTER_H

#include <linux/list.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>

/* What a counter is for */
enum v9_counter_use {
	V9_COUNTER_SAMPLE,	/* its overflows are the samples */
	V9_COUNTER_CYCLES,	/* it takes PMCCNTR, whose overflows do not freeze (BRBE-BZ2) */
	V9_COUNTER_SWITCH,	/* it overflows at each switch of tasks */
	V9_COUNTER_USES
};

/**
 * struct v9_counter_key - sessions that ask for the same key share a counter
 * @use: enum v9_counter_use
 * @cpu: CPU
 * @event: PMU event
 * @period: first sampling period
 * @hz: samples in a second that @period is changed for; 0: @period is fixed
 * @exclude_user: user space does not count
 * @exclude_kernel: the kernel does not count
 */
struct v9_counter_key {
	u32 use;
	u32 cpu;
	u64 event;
	u64 period;
	u64 hz;
	u32 exclude_user;
	u32 exclude_kernel;
};

/**
 * struct v9_counter - a counter of one CPU
 * @key: what it was asked for
 * @users: number of sessions
 * @event: perf's event. It is of the CPU, not of a task
 * @since: time at which it was opened, in ns; only while a session runs
 * @ran: ns that it was open before, since the last overflow
 * @node: list of all counters
 * @rcu: frees it
 */
struct v9_counter {
	struct v9_counter_key key;
	unsigned int users;
	struct perf_event *event;
	u64 since;
	u64 ran;
	struct list_head node;
	struct rcu_head rcu;
};

/**
 * v9_counter_get - get a counter
 * @key: what is wanted
 * @handler: called at each overflow, in an interrupt of the CPU, with the counter in the event's
 *	overflow_handler_context
 * @max: most counters of this use that a CPU may have
 * @why: result: reason of a failure
 *
 * Only in a worker: perf asks for the permission of the current task, and holds locks in a task
 * that opens an event. Calls must not run in parallel.
 *
 * Return: the counter, or an error pointer.
 */
struct v9_counter *v9_counter_get(const struct v9_counter_key *key,
				  perf_overflow_handler_t handler, unsigned int max,
				  const char **why);

/**
 * v9_counter_put - put a counter; likewise only in a worker
 * @counter: counter or NULL. No CPU uses it after the next RCU grace period
 */
void v9_counter_put(struct v9_counter *counter);

/**
 * v9_counter_open - let a counter of this CPU count
 * @counter: counter
 *
 * Interrupts are off, as in the next function.
 *
 * perf has no counter that follows the events of another PMU. So perf's event counts on the CPU,
 * and the driver stops and starts it in between, as perf does itself to throttle an event. perf may
 * start it meanwhile, as after throttling: its next overflow is stopped as a foreign one.
 */
void v9_counter_open(struct v9_counter *counter);

/**
 * v9_counter_close - stop a counter of this CPU
 * @counter: counter
 */
void v9_counter_close(struct v9_counter *counter);

/**
 * v9_counter_sampled - at an overflow: plan the period that comes after the one that has begun
 * @counter: counter
 * @period: events that it has counted for this overflow
 */
void v9_counter_sampled(struct v9_counter *counter, u64 period);

#endif
