/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * record --aggregate --trigger latency:CYCLES: at each trigger a flight recorder that runs (record --flight) is asked for
 * its trace, as v9trace flight --now asks it. A thread waits for the answer, since a snapshot can take seconds.
 */
#ifndef V9TRACE_COLLECT_SNAPPER_H
#define V9TRACE_COLLECT_SNAPPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct v9_asking;

struct v9_snapper {
	const char *recorder;		/* --flight-of; NULL: the only one of this user */
	const char *proc;		/* "/proc" but for tests; NULL: that */
	/* sums */
	uint64_t written;		/* snapshots */
	uint64_t failed;		/* triggers for which there is none, or none that was complete at the end */
	uint64_t missed;		/* triggers that came while one was written */
	char *last;			/* name of the last snapshot; NULL: none */
	/* private */
	struct v9_asking *now;		/* the one that is waited for */
	char *reason;			/* of the last failure; NULL: there is none since the last snapshot */
	uint64_t ask_at, wait_ns;	/* after a failure: when it may ask again, and how long that was */
};

/* The snapshots that there are, and the one that is waited for */
uint64_t v9_snapper_taken(const struct v9_snapper *a);

/*
 * Asks because of trigger @number, but not while an answer is waited for (counted as missed), nor soon after a failure
 * (counted as failed): 1 s, twice as long after each further one, at most 60 s. Returns true if there is something to
 * print: not if it does not ask, or if it failed the last time.
 */
bool v9_snapper_ask(struct v9_snapper *a, uint64_t number);

/*
 * Takes the answer if there is one, and prints it; of those that are no error not if @quiet, of errors only a new one.
 */
void v9_snapper_look(struct v9_snapper *a, bool quiet);

/* Does not wait for an answer that has not come, which counts as failed: the other recorder goes on. */
void v9_snapper_end(struct v9_snapper *a, bool quiet);

/* Call v9_snapper_end() before. */
void v9_snapper_free(struct v9_snapper *a);

#endif
