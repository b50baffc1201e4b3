// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "snapper.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../ask.h"
#include "../util.h"

#define WRITING	120	/* seconds that a file may take */
#define SECOND	UINT64_C(1000000000)
#define LONGEST	(60 * SECOND)	/* between two failures */

struct v9_asking {
	pthread_t thread;
	uint64_t number;		/* of the trigger */
	struct v9_ask ask;
	struct v9_reply reply;
	char *why;			/* no answer; NULL: .reply is one */
	int state;			/* whoever is the last to change it frees this */
};

enum { WAITS, DONE, LEFT };

static void free_asking(struct v9_asking *n)
{
	v9_ask_free(&n->ask);
	free(n->why);
	free(n);
}

static void *ask(void *arg)
{
	struct v9_asking *n = arg;

	if (v9_ask(&n->ask, V9_ASK_NOW, WRITING, &n->reply))
		n->why = v9_ask_why(&n->ask);
	if (__atomic_exchange_n(&n->state, DONE, __ATOMIC_ACQ_REL) == LEFT)
		free_asking(n);
	return NULL;
}

/* Prints @why only if it is not why there was no snapshot the last time. */
static void fail(struct v9_snapper *a, uint64_t number, const char *why)
{
	a->failed++;
	if (!a->reason || strcmp(a->reason, why))
		v9_warn("trigger %llu: no snapshot: %s", (unsigned long long)number, why);
	a->wait_ns = a->reason ? 2 * a->wait_ns : SECOND;
	if (a->wait_ns > LONGEST)
		a->wait_ns = LONGEST;
	a->ask_at = v9_clock_ns(CLOCK_MONOTONIC) + a->wait_ns;
	free(a->reason);
	a->reason = v9_strdup(why);
}

static void succeed(struct v9_snapper *a, const char *name)
{
	a->written++;
	free(a->last);
	a->last = v9_strdup(name);
	free(a->reason);
	a->reason = NULL;
}

uint64_t v9_snapper_taken(const struct v9_snapper *a)
{
	return a->written + !!a->now;
}

bool v9_snapper_ask(struct v9_snapper *a, uint64_t number)
{
	struct v9_asking *n;
	int err;

	if (a->now) {
		a->missed++;
		return false;
	}
	if (a->reason && v9_clock_ns(CLOCK_MONOTONIC) < a->ask_at) {
		a->failed++;
		return false;
	}
	n = v9_alloc(sizeof(*n));
	*n = (struct v9_asking){ .number = number, .ask = {
		.proc = a->proc ? a->proc : "/proc", .given = a->recorder, .wanted = V9_RECORDER_FLIGHT, .only = true } };
	err = pthread_create(&n->thread, NULL, ask, n);
	if (err) {
		fail(a, number, strerror(err));
		free(n);
		return false;
	}
	a->now = n;
	return !a->reason;
}

/* An answer is text of another program. */
static void clean(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = '?';
}

void v9_snapper_look(struct v9_snapper *a, bool quiet)
{
	struct v9_asking *n = a->now;
	const char *why;

	if (!n || __atomic_load_n(&n->state, __ATOMIC_ACQUIRE) != DONE)
		return;
	pthread_join(n->thread, NULL);
	a->now = NULL;
	clean(n->reply.text);
	why = n->why ? n->why : n->reply.failed ? n->reply.text : NULL;
	if (why)
		fail(a, n->number, why);
	else
		succeed(a, n->reply.text);
	if (!why && !quiet) {
		v9_progress_end();
		fprintf(stderr, "v9trace: trigger %" PRIu64 ": the trace before it is in %s\n", n->number, a->last);
	}
	free_asking(n);
}

void v9_snapper_end(struct v9_snapper *a, bool quiet)
{
	v9_snapper_look(a, quiet);
	if (a->now) {
		v9_warn("trigger %" PRIu64 ": its snapshot is still being written", a->now->number);
		a->failed++;
		pthread_detach(a->now->thread);
		if (__atomic_exchange_n(&a->now->state, LEFT, __ATOMIC_ACQ_REL) == DONE)
			free_asking(a->now);
		a->now = NULL;
	}
}

void v9_snapper_free(struct v9_snapper *a)
{
	free(a->last);
	free(a->reason);
	a->last = a->reason = NULL;
}
