// SPDX-License-Identifier: GPL-2.0-only
/* ETE for watch.h. The trace contains each instruction exactly once. */
#define _GNU_SOURCE
#include "ete.h"
#include "watch_unit.h"
#include "work.h"

static const char *inexact(const struct unit *unit)
{
	(void)unit;
	return NULL;
}

static uint64_t slack(uint64_t insns)
{
	(void)insns;
	return 0;
}

static uint64_t interval(const struct perf_event_attr *attr)
{
	(void)attr;
	return 1;
}

/*
 * The unit wraps in the whole of an overwritten buffer, so it must take all of it, and in Fill mode
 * it cannot. An erratum uses up to three pages of each window.
 */
static bool refuses(const struct unit *unit, unsigned int pages, bool overwrite)
{
	return (overwrite && (ete_limited_below(pages) || ete_plain())) ||
	       (pages < 4 && ete_overruns(unit));
}

static const char *decode(const struct unit *unit, const struct perf_event_attr *attr,
			  struct ring *ring, struct recorded *recorded)
{
	unsigned int hits[2] = { 0 };
	struct ete_run run = {
		.from = (uintptr_t)other_start, .to = (uintptr_t)other_end, .hits = hits,
	};

	/* The code of the kernel is not available. */
	if (!attr->exclude_kernel) {
		recorded->spin++;
		return NULL;
	}
	if (ete_walk(unit, attr, ring, &run))
		return run.why ?: "no memory";
	recorded->spin += run.in_spin;
	recorded->other += hits[0] + hits[1];
	recorded->all += run.insns;
	return NULL;
}

const struct watch_unit watch_ete = {
	.driver = "v9_ete",
	.find = ete_find,
	.missing = ete_missing,
	.inexact = inexact,
	.speculates = ete_speculates,
	.attr = ete_attr,
	.dense = ete_dense_attr,
	.refuses = refuses,
	.decode = decode,
	.interval = interval,
	.slack = slack,
};
