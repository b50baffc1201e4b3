/* SPDX-License-Identifier: GPL-2.0-only */
/* The SPE definitions for watch.h. Each sample stands for the instructions of its interval. */
#include <errno.h>
#include <sys/wait.h>

#include "harness.h"
#include "spe.h"
#include "work.h"

#define watch_find	spe_find
#define watch_missing	spe_missing
#define watch_driver	"v9_spe"
#define PERIOD		1024

#define NEED_EXACT(unit)	NEED((unit).arch_inst, "ArchInst sampling")

static void watch_attr(const struct unit *unit, struct perf_event_attr *attr)
{
	spe_attr(unit, attr);
	attr->sample_period = PERIOD;
}

/* Some samples fall between two turns, and a session has a few sampling phases. */
static uint64_t watch_slack(uint64_t insns)
{
	return insns ? insns / 50 + 8 * (PERIOD + 1) : 0;
}

struct seen;
static void watch_decode(struct __test_metadata *_metadata, const struct unit *unit,
			 const struct perf_event_attr *attr, struct ring *ring, struct seen *seen);

#include "watch.h"

static void watch_decode(struct __test_metadata *_metadata, const struct unit *unit,
			 const struct perf_event_attr *attr, struct ring *ring, struct seen *seen)
{
	struct spe_recs recs;

	(void)unit;
	(void)attr;
	DECODE(*ring, recs);
	for (size_t i = 0; i < recs.n; i++) {
		const char *at = (const char *)(uintptr_t)SPE_ADDR(recs.rec[i].pc);

		if (at >= spin_start && at < spin_end)
			seen->spin += PERIOD + 1;
		if (at >= other_start && at < other_end)
			seen->other += PERIOD + 1;
	}
	spe_free(&recs);
}
