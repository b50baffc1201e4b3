/* SPDX-License-Identifier: GPL-2.0-only */
/* The ETE definitions for watch.h. The trace contains each instruction exactly once. */
#include <errno.h>
#include <sys/wait.h>

#include "harness.h"
#include "ete.h"
#include "work.h"

#define watch_find	ete_find
#define watch_missing	ete_missing
#define watch_attr	ete_attr
#define watch_driver	"v9_ete"

#define NEED_EXACT(unit)	((void)0)

static uint64_t watch_slack(uint64_t insns)
{
	(void)insns;
	return 0;
}

struct seen;
static void watch_decode(struct __test_metadata *_metadata, const struct unit *tested,
			 const struct perf_event_attr *attr, struct ring *ring, struct seen *seen);

#include "watch.h"

static void watch_decode(struct __test_metadata *_metadata, const struct unit *tested,
			 const struct perf_event_attr *attr, struct ring *ring, struct seen *seen)
{
	const struct unit unit = *tested;
	unsigned int hits[2] = { 0 };
	struct ete_run run = {
		.from = (uintptr_t)other_start, .to = (uintptr_t)other_end, .hits = hits,
	};

	ASSERT_EQ(0, ete_walk(&unit, attr, ring, &run))
		TH_LOG("%s at AUX position %" PRIu64 " of %zu", run.why, run.bad_at, ring->nbytes);
	seen->spin += run.in_spin;
	seen->other += hits[0] + hits[1];
}
