// SPDX-License-Identifier: GPL-2.0-only
/*
 * v9trace that sends SIGINT to itself while it reads a capture. A step is a call of v9_session_next() (the next SPE
 * record) or of v9_walk_to() (a piece of trace). V9_STOP_AT=N sends the signal at step N, and before the first step if
 * N is 0. V9_STOP_AGAIN=N sends a second signal at step N. The program is linked with the objects of v9trace, and with
 * --wrap for the functions below.
 */
#include <signal.h>
#include <stdlib.h>

#define main v9trace
#include "../../tools/v9trace.c"
#undef main

#include "../../tools/capture/session.h"
#include "../../tools/capture/walk.h"

int __real_v9_session_next(struct v9_session *s, struct v9_queue *q, struct v9_spe_rec *rec);
int __wrap_v9_session_next(struct v9_session *s, struct v9_queue *q, struct v9_spe_rec *rec);
void __real_v9_walk_to(struct v9_walk *w, uint64_t end);
void __wrap_v9_walk_to(struct v9_walk *w, uint64_t end);

void __real_v9_progress_begin(void);
void __wrap_v9_progress_begin(void);

static unsigned long at, again;

static void step(void)
{
	static unsigned long steps;
	const unsigned long n = __atomic_add_fetch(&steps, 1, __ATOMIC_RELAXED);

	if (n == at || n == again)
		raise(SIGINT);
}

int __wrap_v9_session_next(struct v9_session *s, struct v9_queue *q, struct v9_spe_rec *rec)
{
	step();
	return __real_v9_session_next(s, q, rec);
}

void __wrap_v9_walk_to(struct v9_walk *w, uint64_t end)
{
	step();
	__real_v9_walk_to(w, end);
}

void __wrap_v9_progress_begin(void)
{
	if (!at)
		raise(SIGINT);
	__real_v9_progress_begin();
}

static unsigned long number(const char *name)
{
	const char *s = getenv(name);

	return s ? strtoul(s, NULL, 10) : -1ul;
}

int main(int argc, char **argv)
{
	at = number("V9_STOP_AT");
	again = number("V9_STOP_AGAIN");
	return v9trace(argc, argv);
}
