// SPDX-License-Identifier: GPL-2.0-only
/*
 * Waits of threads from typed context switches: lengths, states, time on a CPU, switches without a
 * pair.
 */
#include "tap.h"
#include "../../tools/capture/waits.h"

#define IN	V9_SWITCH_IN
#define OUT	V9_SWITCH_OUT
#define PRE	V9_SWITCH_PREEMPTED

int main(void)
{
	static const struct { uint64_t time; uint32_t pid, tid, cpu; enum v9_switch_how how; } rows[] = {
		{ 500, 1, 7, 1, IN },			/* before older ones */
		{ 100, 1, 7, 0, IN }, { 200, 1, 7, 0, OUT }, { 230, 1, 7, 3, IN },
		{ 230, 1, 7, 3, IN },			/* repeated */
		{ 300, 1, 7, 3, PRE }, { 310, 1, 7, 3, IN }, { 330, 1, 7, 3, OUT },
		{ 100, 1, 8, 0, OUT }, { 150, 1, 8, 0, OUT }, { 160, 1, 8, 0, IN }, { 170, 1, 8, 0, IN },
		/* thread ID 9 is used again in another process */
		{ 100, 2, 9, 0, IN }, { 110, 2, 9, 0, OUT }, { 900, 3, 9, 0, IN }, { 950, 3, 9, 0, PRE },
		{ 100, 1, 11, 0, OUT }, { 150, 1, 11, 0, IN },
		{ 100, 0, 0, 0, IN }, { 200, 0, 0, 0, OUT }, { 300, 0, 0, 0, IN },	/* idle */
	};
	struct v9_waits w = { .nr = 0 };
	const struct v9_wait_thread *t;

	v9_waits_seal(&w);
	tap_eq(w.nr_threads, 0, "none");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		v9_waits_switch(&w, rows[i].time, rows[i].cpu, rows[i].pid, rows[i].tid, rows[i].how);
	v9_waits_seal(&w);
	tap_eq(w.nr_threads, 5, "threads");
	t = v9_waits_thread(&w, 7);
	tap_ok(t && t->pid == 1 && t->nr == 3, "waits_of_7");
	tap_eq(t->on_cpu, 100 + 70 + 20, "on_cpu");
	tap_eq(t->turns, 3, "turns");
	tap_eq(t->runnable, 10, "runnable");
	tap_eq(t->asleep, 30 + 170, "asleep");
	tap_eq(t->unpaired, 0, "all_paired");
	tap_ok(!t->open, "came_back");
	tap_ok(w.wait[t->first].begin == 200 && w.wait[t->first].end == 230 &&
	       w.wait[t->first].cpu == 0 && !w.wait[t->first].runnable, "first_wait");
	tap_ok(w.wait[t->first + 1].begin == 300 && w.wait[t->first + 1].end == 310 &&
	       w.wait[t->first + 1].cpu == 3 && w.wait[t->first + 1].runnable, "second_wait");
	/* the first wake-up in a wait counts, none of a wait that was runnable, nor after the end */
	v9_waits_wake(&w, 225, 7, 5);
	v9_waits_wake(&w, 220, 7, 6);
	v9_waits_wake(&w, 199, 7, 4);
	v9_waits_wake(&w, 305, 7, 4);
	v9_waits_wake(&w, 501, 7, 4);
	v9_waits_wake(&w, 400, 70, 4);
	v9_waits_wake(&w, 160, 8, 4);
	v9_waits_wake(&w, 100, 11, 4);
	v9_waits_seal_wakes(&w);
	tap_ok(w.wait[t->first].wake && w.wake[w.wait[t->first].wake - 1].waker == 6, "first_wake_up");
	tap_eq(v9_wait_woken(&w, &w.wait[t->first]), 220, "woken_at");
	tap_ok(!w.wait[t->first + 1].wake && v9_wait_woken(&w, &w.wait[t->first + 1]) == 300,
	       "runnable_is_not_woken");
	tap_ok(!w.wait[t->first + 2].wake && v9_wait_woken(&w, &w.wait[t->first + 2]) == 500,
	       "not_known_when_woken");
	tap_ok(t->asleep == 20 + 170 && t->runnable == 10 + 10, "split");
	t = v9_waits_thread(&w, 8);
	tap_ok(w.wait[t->first].wake, "woken_at_the_end");
	tap_ok(t && t->nr == 1 && t->asleep == 10 && !t->on_cpu, "missing_ones_in_no_sum");
	tap_eq(t->unpaired, 2, "unpaired");
	t = v9_waits_thread(&w, 11);
	tap_ok(w.wait[t->first].wake && v9_wait_woken(&w, &w.wait[t->first]) == 100, "woken_at_the_begin");
	t = v9_waits_thread(&w, 9);
	tap_ok(t && t->pid == 3 && t->nr == 0 && t->on_cpu == 50 && t->open, "number_used_again");
	tap_ok(t[-1].pid == 2 && t[-1].on_cpu == 10 && t[-1].nr == 0 && t[-1].open, "process_before");
	tap_ok(!v9_waits_thread(&w, 0) && !v9_waits_thread(&w, 10), "no_such_thread");
	v9_waits_free(&w);
	return tap_done();
}
