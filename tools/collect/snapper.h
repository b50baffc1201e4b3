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
	uint64_t written, failed;	/* snapshots; triggers for which there is none */
	uint64_t missed;		/* triggers that came while one was written */
	char *last;			/* name of the last snapshot; NULL: none */
	/* private */
	struct v9_asking *now;		/* the one that is waited for */
};

/* Asks because of trigger @number. Returns false if an answer is still waited for: counted as missed. */
bool v9_snapper_ask(struct v9_snapper *a, uint64_t number);

/* Takes the answer if there is one, and prints it; of those that are no error not if @quiet. */
void v9_snapper_look(struct v9_snapper *a, bool quiet);

/* Does not wait for an answer that has not come: the other recorder goes on. */
void v9_snapper_end(struct v9_snapper *a, bool quiet);

#endif
