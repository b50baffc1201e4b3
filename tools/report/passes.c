// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "passes.h"

#include <stdlib.h>

#include "../capture/strtab.h"
#include "../util.h"

/*
 * The count of a block at one depth of calls. It is of the call with that serial number: while a call did
 * not end, no other one is at its depth.
 */
struct pass {
	uint64_t key[2];		/* thread and depth; address */
	uint64_t serial, n;
};

void v9_passes_init(struct v9_passes *p, size_t most)
{
	*p = (struct v9_passes){ .most = most };
	v9_bins_init(&p->bins, sizeof(struct pass));
}

void v9_passes_free(struct v9_passes *p)
{
	for (size_t i = 0; i < p->nr_threads; i++)
		free(p->threads[i].call);
	free(p->threads);
	v9_bins_free(&p->bins);
}

static struct v9_passes_thread *thread_of(struct v9_passes *p, size_t thread)
{
	while (p->nr_threads <= thread)
		(void)v9_vec_add(p->threads, p->nr_threads);
	return &p->threads[thread];
}

void v9_passes_enter(struct v9_passes *p, size_t thread, enum v9_calls_enter how)
{
	struct v9_passes_thread *t = thread_of(p, thread);
	const bool whole = how == V9_CALLS_CALL || how == V9_CALLS_TAIL || how == V9_CALLS_EXCEPTION ||
			   how == V9_CALLS_HANDLER;

	/* Nothing is known of its callers. */
	if (how == V9_CALLS_ROOT)
		t->nr = 0;
	*v9_vec_add(t->call, t->nr) = (struct v9_passes_call){ ++t->calls, whole };
}

void v9_passes_leave(struct v9_passes *p, size_t thread)
{
	struct v9_passes_thread *t = thread_of(p, thread);

	t->nr -= t->nr > 0;
}

void v9_passes_gap(struct v9_passes *p, size_t thread)
{
	struct v9_passes_thread *t = thread_of(p, thread);

	for (size_t i = 0; i < t->nr; i++)
		t->call[i].whole = false;
}

uint64_t v9_passes_count(struct v9_passes *p, size_t thread, uint64_t pc)
{
	const struct v9_passes_thread *t = thread_of(p, thread);
	const struct v9_passes_call *call = t->nr ? &t->call[t->nr - 1] : NULL;
	const uint64_t key[2] = { (uint64_t)thread << 32 | t->nr, pc };
	struct pass *pass;

	if (!call || !call->whole)
		return 0;
	pass = v9_bins_at(&p->bins, key, 2);
	if (pass->serial != call->serial) {
		pass->serial = call->serial;
		pass->n = 0;
	}
	pass->n++;
	if (p->bins.used <= p->most)
		return pass->n;
	v9_bins_clear(&p->bins);
	for (size_t i = 0; i < p->nr_threads; i++)
		v9_passes_gap(p, i);
	return 0;
}
