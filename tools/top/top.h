/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * v9trace top: what the thread that shows the sums has. It copies them (../live/copy.h), adds them up by what the
 * user wants (rows.h) and prints the rows, as text, as JSON or on a screen (screen.h).
 */
#ifndef V9TRACE_TOP_TOP_H
#define V9TRACE_TOP_TOP_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "names.h"

struct v9_attach;
struct v9_profiles_watch;
struct v9_worker;

/* v9_record_watch(), or in tests what has no rings */
typedef int (*v9_top_record_fn)(int argc, char **argv, const struct v9_profiles_watch *w);

/* The command, with its arguments. Returns an exit status. */
int v9_top_run(int argc, char **argv, v9_top_record_fn record);

struct v9_top {
	/* set before v9_top_begin() */
	struct v9_top_choice choice;
	char filter[64];		/* .choice.filter */
	double delay;			/* seconds */
	uint64_t iterations;		/* of .batch; 0: until the end */
	uint64_t limit;			/* rows of .batch; 0: all */
	unsigned int width;		/* of .batch, in columns; 0: any */
	bool batch, json, lines;	/* .lines: there are sums by cache line */
	const char *event, *target;
	uint64_t period;
	const char *proc, *symfs;	/* see names.h */
	struct v9_attach *attach;	/* the recorder whose sums are shown; NULL: it records itself */
	/* how the recording is ended, from another thread than its own */
	void (*stop)(void);

	/* of the thread */
	struct v9_worker *worker;
	pthread_t thread;
	atomic_bool ended;		/* by the collector: all was read */
	struct v9_live_copy state, last;	/* .last: what .ended found */
	struct v9_top_rows rows;
	struct v9_top_names names;
	struct v9_top_head head;
	uint64_t shown;			/* iterations */
	double began, at, cpu;		/* times of the last copy: seconds, seconds of a CPU */
	uint64_t records;		/* that it had */
	/* if attached */
	uint64_t begin, recorder_cpu;	/* of the interval; CPU time of the recorder; ns */
	char *why;			/* .head.why */
	bool failed;			/* .batch: the recorder has ended */
};

/* Starts the thread that shows the sums of @w. Returns 0 or a positive errno value. */
int v9_top_begin(struct v9_top *t, struct v9_worker *w);
/* Copies the final sums. Called once, before v9_top_end(). */
void v9_top_last(struct v9_top *t, const struct v9_live *l);
/* Waits for the end of the thread. */
void v9_top_end(struct v9_top *t);

/*
 * Shows the sums of the recorder .attach until .ended is set. It runs in the caller's thread. Before the call,
 * v9_attach_look() has filled .state. With .batch it prints an error and returns false if the recorder ends first.
 */
bool v9_top_attached(struct v9_top *t);

/* Copies the sums and makes the rows. */
void v9_top_refresh(struct v9_top *t);
/* Groups and sorts the sums again, after .choice has changed. */
void v9_top_regroup(struct v9_top *t);
/* Removes all sums and counts. Not if it is attached: they are the recorder's. */
void v9_top_zero(struct v9_top *t);

/* Returns false, with *@to as it is, if the text is not a number of seconds that may be the delay. */
bool v9_top_parse_delay(const char *text, double *to);

/* Monotonic time in seconds */
double v9_top_now(void);

#endif
