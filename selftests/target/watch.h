/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by tasks.c and suspend.c: sessions on each CPU, tasks that run a known number of
 * instructions there, and how many of these were recorded.
 */
#ifndef V9_SELFTEST_WATCH_H
#define V9_SELFTEST_WATCH_H

#include "harness.h"
#include "machine.h"
#include "watch_unit.h"
#include "work.h"

#include <fcntl.h>

#define WATCHED_CPUS	8
#define WATCH_PAGES	512
#define TURN		(2ULL * BUSY_SPIN)	/* instructions in a player's turn */

/* Shared with a player: @want turns in total; the player sleeps when @done reaches it */
struct turns {
	bool other;
	volatile bool stop, idle;
	volatile uint64_t want, done;
};

struct player {
	struct worker worker;
	struct turns *t;
};

static void play(void *arg)
{
	struct turns *t = arg;

	while (!t->stop) {
		if (t->done >= t->want) {
			t->idle = true;
			usleep(500);
			continue;
		}
		t->idle = false;
		(t->other ? other : spin)(BUSY_SPIN);
		t->done++;
	}
}

static inline int player_start(struct player *p, int cpu, bool other)
{
	int err;

	p->t = new_shared(sizeof(*p->t));
	if (!p->t)
		return -ENOMEM;
	p->t->other = other;
	err = worker_start(&p->worker, cpu, play, p->t);
	if (!err)
		worker_go(&p->worker);
	return err;
}

/* Start @n more turns. player_wait() waits for their end. */
static inline void player_turns(struct player *p, uint64_t n)
{
	p->t->want = p->t->done + n;
}

static inline void player_wait(struct player *p)
{
	while (p->t->done < p->t->want || !p->t->idle)
		usleep(500);
}

static inline void player_end(struct player *p)
{
	p->t->stop = true;
	worker_wait(&p->worker);
}

/* A session on each CPU */
struct watch {
	const struct watch_unit *of;
	struct perf_event_attr attr;
	struct ring ring[WATCHED_CPUS];
	int n;
};

static inline int watch_open(struct watch *w, const struct unit *unit, int whose, int mode)
{
	int err = 0;

	for (w->n = 0; !err && w->n < unit->ncpus && w->n < WATCHED_CPUS; w->n++)
		err = ring_open(&w->ring[w->n], &w->attr, whose, unit_cpu(unit, w->n), WATCH_PAGES,
				mode);
	return err;
}

static inline int watch_each(struct watch *w, int (*what)(struct ring *))
{
	int err = 0;

	for (int i = 0; i < w->n; i++)
		err = what(&w->ring[i]) ?: err;
	return err;
}

static inline void watch_close(struct watch *w)
{
	for (int i = 0; i < w->n; i++)
		ring_close(&w->ring[i]);
}

/* Decode all data collected so far, of all CPUs, and check that none was lost. */
static inline struct recorded watch_recorded(struct __test_metadata *_metadata,
					     const struct unit *unit, struct watch *w)
{
	struct recorded recorded = { 0 };
	const char *why;

	EXPECT_EQ(0, watch_each(w, ring_drain));
	for (int i = 0; i < w->n; i++) {
		EXPECT_EQ(0, w->ring[i].flags & RING_LOSS);
		EXPECT_EQ(NULL, w->ring[i].wrong);
		why = w->of->decode(unit, &w->attr, &w->ring[i], &recorded);
		EXPECT_EQ(NULL, why)
			TH_LOG("CPU %d: %s", unit_cpu(unit, i), why);
	}
	return recorded;
}

/* In a test whose fixture has a struct watch */
#define EXPECT_INSNS(want, got)							\
	do {									\
		uint64_t want_ = (want), got_ = (got);				\
		uint64_t slack_ = self->watch.of->slack(want_);			\
										\
		EXPECT_GE(got_ + slack_, want_);				\
		EXPECT_LE(got_, want_ + slack_);				\
	} while (0)

#define RECORDED()		watch_recorded(_metadata, &self->unit, &self->watch)

#endif
