// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "wakes.h"

#include <string.h>

#include "tp.h"

#define WAKING	"sched:sched_waking"
#define FLAGS	2		/* offset of common_flags, which each tracepoint has */
#define IN_IRQ	(8 | 16)	/* in it: in a hard interrupt, in a soft one */

struct woken {
	bool found;
	uint32_t tid;
};

static void take_field(void *arg, const struct v9_tp_field *f)
{
	struct woken *w = arg;

	if (strcmp(f->name, "pid") || f->kind != V9_TP_SIGNED)
		return;
	w->found = true;
	w->tid = (uint32_t)f->number;
}

static void take_sample(struct v9_session *s, struct v9_tp *tp, const struct v9_seen *seen)
{
	struct woken woken = { .found = false };
	struct pd_sample sample;
	struct pd_event e;
	const char *name;

	if (pd_at(&s->file, seen->offset, &e) <= 0 || e.attr->attr.type != PERF_TYPE_TRACEPOINT ||
	    pd_sample(&e, &sample) || !(e.has & PD_HAS_TIME))
		return;
	name = v9_tp_name(tp, &sample);
	if (!name || strcmp(name, WAKING))
		return;
	/* Also of a sample that does not match its format: then the wait that it ends is counted. */
	s->waits.woken = true;
	if (!v9_tp_fields(tp, &sample, take_field, &woken) || !woken.found)
		return;
	/* The thread that an interrupt interrupted did not wake anybody. */
	v9_waits_wake(&s->waits, e.time, woken.tid,
		      sample.raw[FLAGS] & IN_IRQ || !(e.has & PD_HAS_TASK) ? V9_NO_TASK : e.tid);
}

void v9_wakes_read(struct v9_session *s)
{
	struct v9_tp *tp = v9_tp_open(&s->file, &s->syms);

	for (size_t i = 0; tp && i < s->nr_samples; i++)
		take_sample(s, tp, &s->samples[i]);
	v9_tp_close(tp);
	v9_waits_seal_wakes(&s->waits);
}
