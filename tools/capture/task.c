// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "../util.h"
#include "task.h"

void v9_tasks_comm(struct v9_tasks *t, uint64_t time, uint32_t pid, uint32_t tid,
		   const char *comm, size_t n)
{
	struct v9_life *l = v9_vec_add(t->lives, t->nr_lives);

	*l = (struct v9_life){ .time = time, .tid = tid, .pid = pid, .parent = V9_NO_TASK,
			       .seq = (uint32_t)t->nr_lives, .comm = v9_strtab_put(t->strtab, comm,
										   n) };
}

void v9_tasks_fork(struct v9_tasks *t, uint64_t time, uint32_t pid, uint32_t tid, uint32_t ptid)
{
	struct v9_life *l = v9_vec_add(t->lives, t->nr_lives);

	*l = (struct v9_life){ .time = time, .tid = tid, .pid = pid, .parent = ptid,
			       .seq = (uint32_t)t->nr_lives };
}

void v9_tasks_run(struct v9_tasks *t, uint64_t time, uint32_t cpu, uint32_t pid, uint32_t tid)
{
	struct v9_run *r = v9_vec_add(t->runs, t->nr_runs);

	*r = (struct v9_run){ .time = time, .cpu = cpu, .tid = tid, .pid = pid,
			      .seq = (uint32_t)t->nr_runs };
}

static int life_order(const void *a, const void *b)
{
	const struct v9_life *x = a, *y = b;
	int r = V9_ORDER(x->tid, y->tid);

	if (!r)
		r = V9_ORDER(x->time, y->time);
	return r ? r : V9_ORDER(x->seq, y->seq);
}

static int run_order(const void *a, const void *b)
{
	const struct v9_run *x = a, *y = b;
	int r = V9_ORDER(x->cpu, y->cpu);

	if (!r)
		r = V9_ORDER(x->time, y->time);
	return r ? r : V9_ORDER(x->seq, y->seq);
}

/* Returns the last entry of the thread up to @time, else its first one; nr_lives if it has none. */
static size_t life_at(const struct v9_tasks *t, uint32_t tid, uint64_t time)
{
	const struct v9_life *l = t->lives;
	const size_t n = v9_first_entries(i, t->nr_lives, l[i].tid < tid ||
							  (l[i].tid == tid && l[i].time <= time));

	if (n && l[n - 1].tid == tid)
		return n - 1;
	return n < t->nr_lives && l[n].tid == tid ? n : t->nr_lives;
}

/*
 * A forked thread has the name that its parent had at that time. Parents are older. The depth is
 * limited, because a damaged file may have a circle.
 */
static const char *inherit(struct v9_tasks *t, struct v9_life *l, int depth)
{
	size_t i;

	if (l->comm || !depth || l->parent == V9_NO_TASK)
		return l->comm;
	i = life_at(t, l->parent, l->time);
	if (i < t->nr_lives && &t->lives[i] != l)
		l->comm = inherit(t, &t->lives[i], depth - 1);
	l->parent = V9_NO_TASK;
	return l->comm;
}

void v9_tasks_seal(struct v9_tasks *t)
{
	if (t->nr_lives)
		qsort(t->lives, t->nr_lives, sizeof(*t->lives), life_order);
	if (t->nr_runs)
		qsort(t->runs, t->nr_runs, sizeof(*t->runs), run_order);
	for (size_t i = 0; i < t->nr_lives; i++)
		inherit(t, &t->lives[i], 64);
	for (size_t i = 0; i < V9_LAST_LIVES; i++)
		t->last_life[i] = t->nr_lives;
	t->last_run = t->nr_runs;
}

const struct v9_life *v9_tasks_life(struct v9_tasks *t, uint32_t tid, uint64_t time)
{
	size_t *last = &t->last_life[tid % V9_LAST_LIVES], i = *last;
	const struct v9_life *l = &t->lives[i];

	if (i < t->nr_lives && l->tid == tid && l->time <= time &&
	    (i + 1 == t->nr_lives || l[1].tid != tid || l[1].time > time))
		return l;
	*last = life_at(t, tid, time);
	return *last < t->nr_lives ? &t->lives[*last] : NULL;
}

const struct v9_run *v9_tasks_running(struct v9_tasks *t, uint32_t cpu, uint64_t time)
{
	size_t i = t->last_run;
	const struct v9_run *r = &t->runs[i];

	if (i < t->nr_runs && r->cpu == cpu && r->time <= time &&
	    (i + 1 == t->nr_runs || r[1].cpu != cpu || r[1].time > time))
		return r->tid == V9_NO_TASK ? NULL : r;
	r = t->runs;
	i = v9_first_entries(k, t->nr_runs, r[k].cpu < cpu || (r[k].cpu == cpu && r[k].time <= time));
	if (!i || r[i - 1].cpu != cpu || r[i - 1].tid == V9_NO_TASK)
		return NULL;
	t->last_run = i - 1;
	return &r[i - 1];
}

void v9_tasks_free(struct v9_tasks *t)
{
	free(t->lives);
	free(t->runs);
	t->lives = NULL;
	t->runs = NULL;
	t->nr_lives = t->nr_runs = 0;
}
