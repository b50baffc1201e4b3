/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * record --check: counts events of the PMU that units generate, for the tasks and CPUs that are recorded, and
 * what is recorded of the units meanwhile. unit_check.h compares the two.
 */
#ifndef V9TRACE_COLLECT_PMU_COUNTS_H
#define V9TRACE_COLLECT_PMU_COUNTS_H

#include "../unit_check.h"
#include "rings.h"
#include "sideband.h"

struct v9_pmu_counter;
struct v9_spe_stream;

struct v9_pmu_counts {
	struct pd_counts head;
	struct pd_count count[V9_CHECK_EVENTS];
	/* private */
	struct v9_check_unit unit[2];	/* what was recorded: SPE, ETE */
	bool recorded[2];		/* there is such a unit in the recording */
	uint64_t cpus;
	struct v9_pmu_counter *open;
	size_t opens;
	struct v9_spe_stream *stream;	/* by index of the AUX ring */
	size_t streams;
};

/*
 * Call it before the events of the units are opened. Returns 0, or prints why these events cannot be checked
 * and returns -EINVAL.
 */
int v9_pmu_counts_aim(const struct v9_event_spec *ev, int evs);

/* Open the counters, when the rings are open. Events that cannot be counted are left out, with the reason. */
void v9_pmu_counts_open(struct v9_pmu_counts *c, const struct v9_rings *r);

/* Start the counters; not those of a command, which start with it. Call it before the units are enabled. */
void v9_pmu_counts_start(struct v9_pmu_counts *c);

/* See struct v9_loop_watch. */
void v9_pmu_counts_record(struct v9_pmu_counts *c, const struct v9_rings *r, const struct v9_aux_ring *ring,
			  const struct perf_event_header *record);
void v9_pmu_counts_aux(struct v9_pmu_counts *c, const struct v9_rings *r, const struct v9_aux_ring *ring,
		       const uint8_t *a, size_t na, const uint8_t *b, size_t nb);
void v9_pmu_counts_drained(struct v9_pmu_counts *c);

/* Read the counters, when the units are disabled and the rings are drained. */
void v9_pmu_counts_read(struct v9_pmu_counts *c, const struct v9_rings *r, const struct v9_record_counts *counts);

/* Append PD_COUNTS. */
void v9_pmu_counts_section(const struct v9_pmu_counts *c, struct v9_blob *b);

/* The rows of all recorded units. Returns their number. */
size_t v9_pmu_counts_rows(const struct v9_pmu_counts *c, struct v9_check_row row[V9_CHECK_EVENTS]);
void v9_pmu_counts_close(struct v9_pmu_counts *c);

#endif
