// SPDX-License-Identifier: GPL-2.0-only
/* SPE for watch.h. Each sample stands for the instructions of its interval. */
#define _GNU_SOURCE
#include "spe.h"
#include "watch_unit.h"
#include "work.h"

#define PERIOD		1024

static const char *inexact(const struct unit *unit)
{
	return unit->arch_inst ? NULL : "ArchInst sampling";
}

static uint64_t interval(const struct perf_event_attr *attr)
{
	return (attr->sample_period ?: PERIOD) + 1;
}

static bool refuses(const struct unit *unit, unsigned int pages, bool overwrite)
{
	(void)unit;
	(void)pages;
	(void)overwrite;
	return false;
}

static void attr_of(const struct unit *unit, struct perf_event_attr *attr)
{
	spe_attr(unit, attr);
	attr->sample_period = PERIOD;
}

static void dense(const struct unit *unit, struct perf_event_attr *attr)
{
	spe_attr(unit, attr);
	attr->sample_period = unit->min_interval ?: PERIOD;
}

/* Some samples fall between two turns, and a session has a few sampling phases. */
static uint64_t slack(uint64_t insns)
{
	return insns ? insns / 50 + 8 * (PERIOD + 1) : 0;
}

static const char *decode(const struct unit *unit, const struct perf_event_attr *attr,
			  struct ring *ring, struct recorded *recorded)
{
	uint64_t insns = interval(attr);
	struct spe_recs recs;

	(void)unit;
	if (spe_records(ring, &recs))
		return recs.why ?: "no memory";
	for (size_t i = 0; i < recs.n; i++) {
		const char *at = (const char *)(uintptr_t)SPE_ADDR(recs.rec[i].pc);

		if (at >= spin_start && at < spin_end)
			recorded->spin += insns;
		if (at >= other_start && at < other_end)
			recorded->other += insns;
	}
	recorded->all += recs.n * insns;
	spe_free(&recs);
	return NULL;
}

static bool speculates(const struct unit *unit)
{
	(void)unit;
	return false;
}

const struct watch_unit watch_spe = {
	.driver = "v9_spe",
	.find = spe_find,
	.missing = spe_missing,
	.inexact = inexact,
	.speculates = speculates,
	.attr = attr_of,
	.dense = dense,
	.refuses = refuses,
	.decode = decode,
	.interval = interval,
	.slack = slack,
};
