// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "waits.h"

#include <stdlib.h>

#include "../util.h"
#include "strtab.h"

void v9_waits_switch(struct v9_waits *w, uint64_t time, uint32_t cpu, uint32_t pid, uint32_t tid,
		     enum v9_switch_how how)
{
	struct v9_switch *s;

	if (!tid)
		return;
	s = v9_vec_add(w->switches, w->nr_switches);
	*s = (struct v9_switch){ .time = time, .pid = pid, .tid = tid, .cpu = cpu,
				 .seq = (uint32_t)w->nr_switches, .how = how };
}

static int switch_order(const void *a, const void *b)
{
	const struct v9_switch *x = a, *y = b;

	if (x->tid != y->tid)
		return V9_ORDER(x->tid, y->tid);
	return x->time == y->time ? V9_ORDER(x->seq, y->seq) : V9_ORDER(x->time, y->time);
}

/* One switch can be recorded several times, once for each event. */
static bool repeats(const struct v9_switch *s, const struct v9_switch *before)
{
	return before && before->time == s->time && before->cpu == s->cpu && before->how == s->how;
}

static struct v9_wait_thread *begin_thread(struct v9_waits *w, const struct v9_switch *s)
{
	struct v9_wait_thread *t = v9_vec_add(w->thread, w->nr_threads);

	*t = (struct v9_wait_thread){ .pid = s->pid, .tid = s->tid, .first = w->nr };
	return t;
}

static void pair(struct v9_waits *w, struct v9_wait_thread *t, const struct v9_switch *from,
		 const struct v9_switch *to)
{
	const uint64_t ns = to->time - from->time;

	if ((from->how == V9_SWITCH_IN) == (to->how == V9_SWITCH_IN)) {
		t->unpaired++;
	} else if (from->how == V9_SWITCH_IN) {
		t->on_cpu += ns;
		t->turns++;
	} else {
		*v9_vec_add(w->wait, w->nr) = (struct v9_wait){
			.begin = from->time, .end = to->time, .cpu = from->cpu,
			.runnable = from->how == V9_SWITCH_PREEMPTED };
		t->nr++;
		*(from->how == V9_SWITCH_PREEMPTED ? &t->runnable : &t->asleep) += ns;
	}
}

void v9_waits_seal(struct v9_waits *w)
{
	const struct v9_switch *before = NULL;
	struct v9_wait_thread *t = NULL;

	if (w->nr_switches)
		qsort(w->switches, w->nr_switches, sizeof(*w->switches), switch_order);
	for (size_t i = 0; i < w->nr_switches; i++) {
		const struct v9_switch *s = &w->switches[i];

		/* A TID that another process uses again is another thread. */
		if (!t || t->tid != s->tid || t->pid != s->pid) {
			t = begin_thread(w, s);
			before = NULL;
		}
		if (repeats(s, before))
			continue;
		if (before)
			pair(w, t, before, s);
		t->open = s->how != V9_SWITCH_IN;
		before = s;
	}
	free(w->switches);
	w->switches = NULL;
	w->nr_switches = 0;
}

void v9_waits_wake(struct v9_waits *w, uint64_t time, uint32_t tid, uint32_t waker)
{
	struct v9_wake *to = v9_vec_add(w->wake, w->nr_wakes);

	*to = (struct v9_wake){ .time = time, .tid = tid, .waker = waker, .seq = (uint32_t)w->nr_wakes };
}

static int wake_order(const void *a, const void *b)
{
	const struct v9_wake *x = a, *y = b;

	if (x->tid != y->tid)
		return V9_ORDER(x->tid, y->tid);
	return x->time == y->time ? V9_ORDER(x->seq, y->seq) : V9_ORDER(x->time, y->time);
}

uint64_t v9_wait_woken(const struct v9_waits *w, const struct v9_wait *wait)
{
	if (wait->runnable)
		return wait->begin;
	return wait->wake ? w->wake[wait->wake - 1].time : wait->end;
}

void v9_waits_seal_wakes(struct v9_waits *w)
{
	if (w->nr_wakes)
		qsort(w->wake, w->nr_wakes, sizeof(*w->wake), wake_order);
	for (struct v9_wait_thread *t = w->thread; t < w->thread + w->nr_threads; t++)
		for (size_t k = t->first; k < t->first + t->nr; k++) {
			struct v9_wait *wait = &w->wait[k];
			const size_t n = v9_first_entries(i, w->nr_wakes, w->wake[i].tid < t->tid ||
							  (w->wake[i].tid == t->tid &&
							   w->wake[i].time < wait->begin));
			uint64_t ns;

			if (wait->runnable || n == w->nr_wakes || w->wake[n].tid != t->tid ||
			    w->wake[n].time > wait->end)
				continue;
			wait->wake = n + 1;
			ns = wait->end - w->wake[n].time;
			t->asleep -= ns;
			t->runnable += ns;
		}
}

struct v9_wait_thread *v9_waits_thread(const struct v9_waits *w, uint32_t tid)
{
	const size_t n = v9_first_entries(i, w->nr_threads, w->thread[i].tid <= tid);

	return n && w->thread[n - 1].tid == tid ? &w->thread[n - 1] : NULL;
}

void v9_waits_free(struct v9_waits *w)
{
	free(w->switches);
	free(w->wait);
	free(w->thread);
	free(w->wake);
	*w = (struct v9_waits){ .nr = 0 };
}
