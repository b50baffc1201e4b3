// SPDX-License-Identifier: GPL-2.0-only
/* All buffer management events of a profiling buffer in use, one at a time. See event.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>

#include "harness.h"
#include "spe.h"
#include "v9trace/gen/regs.h"

#define EVENT_UNIT	"spe"
#define event_find	spe_find

static void dense(const struct unit *unit, struct perf_event_attr *attr)
{
	spe_attr(unit, attr);
	attr->sample_period = unit->min_interval ?: 1024;
}

static void decode(struct __test_metadata *_metadata, const struct unit *unit,
		   const struct perf_event_attr *attr, struct ring *ring, uint64_t *in_spin)
{
	struct spe_recs recs;

	(void)unit;
	(void)attr;
	DECODE(*ring, recs);
	*in_spin = spe_in_spin(&recs);
	spe_free(&recs);
}

#include "event.h"

#define CUT	PERF_AUX_FLAG_TRUNCATED
#define TORN	PERF_AUX_FLAG_PARTIAL
#define INJECT_ABORT		2
#define INJECT_IMPDEF		3
#define INJECT_ALIGNMENT	6
#define INJECT_TLB_CONFLICT	7

/* Stage 1 faults: the data before them is complete. shows: SPE-ME7 SPE-CS2 */
CELL(translation_fault, .verb = "page", .n = PAGE_TRANSLATION, .stat = "faults", .flags = CUT,
     .to_the_page = true)
CELL(permission_fault, .verb = "page", .n = PAGE_PERMISSION, .stat = "faults", .flags = CUT,
     .to_the_page = true)
CELL(access_flag_fault, .verb = "page", .n = PAGE_ACCESS_FLAG, .stat = "faults", .flags = CUT,
     .to_the_page = true)
CELL(alignment_fault, .verb = "inject", .n = INJECT_ALIGNMENT, .stat = "faults", .flags = CUT)
CELL(tlb_conflict, .verb = "inject", .n = INJECT_TLB_CONFLICT, .stat = "faults", .flags = CUT)

/* External aborts: for a late one the affected records are unknown. shows: SPE-ME11 SPE-ME12 */
CELL(abort_at_once, .verb = "page", .n = PAGE_NOWHERE, .stat = "aborts", .flags = CUT,
     .to_the_page = true)
CELL(abort_later, .verb = "inject", .n = INJECT_ABORT, .stat = "aborts", .flags = CUT | TORN)
CELL(designers_event, .verb = "inject", .n = INJECT_IMPDEF, .stat = "fatal", .flags = CUT)

/* Two events: the second one sets sticky status bits. shows: SPE-ME4 */
CELL(abort_after_designers_event, .verb = "two", .n = INJECT_ABORT, .stat = "aborts",
     .flags = CUT | TORN)
CELL(abort_after_full, .verb = "full_inject", .n = INJECT_ABORT, .stat = "aborts",
     .flags = CUT | TORN, .kernel = true, .pages = 128)

/* Nothing is wrong with the buffer: the session continues. shows: SPE-ME13 SPE-SI15 */
CELL(data_loss, .verb = "status", .n = V9_PMBSR_EL1_S | V9_PMBSR_EL1_DL, .stat = "lost",
     .flags = TORN, .goes_on = true)
CELL(collision, .verb = "status", .n = V9_PMBSR_EL1_COLL, .stat = "collisions",
     .flags = PERF_AUX_FLAG_COLLISION, .goes_on = true)
CELL(full_while_masked, .verb = "full", .stat = "full", .flags = CUT, .kernel = true, .pages = 128)

WHILE_SWITCHING(abort_while_switching, .n = INJECT_ABORT, .stat = "aborts", .flags = CUT | TORN)
WHILE_SWITCHING(designers_event_while_switching, .n = INJECT_IMPDEF, .stat = "fatal",
		.flags = CUT)

/* The user gets the data that was collected before the event. shows: SPE-ME12 */
WINDOWS_BEFORE(windows_before_late_abort, .n = INJECT_ABORT, .stat = "aborts", .flags = CUT | TORN)
WINDOWS_BEFORE(windows_before_designers_event, .n = INJECT_IMPDEF, .stat = "fatal", .flags = CUT)

TEST(late_abort_in_snapshot)
{
	NEED_SESSION(unit);
	CANNOT("inject");
	NEED_REPORT("aborts");
	NEED(unit_has(&unit, "stats/dropped"), "stats/dropped (our drivers)");
	dropped_in_snapshot(_metadata, &unit, &(struct cell){ .verb = "inject", .n = INJECT_ABORT },
			    0);
}

/* An interrupt without a cause */
TEST(spurious_interrupt)
{
	NEED_SESSION(unit);
	CANNOT("pend");
	NEED(irq_of("spe"), "a line of the unit in /proc/interrupts");
	event_cell(_metadata, &unit, &(struct cell){
		.verb = "pend", .n = irq_of("spe"), .stat = "spurious", .goes_on = true,
	});
}

TEST(event_of_nobody)
{
	NEED_SESSION(unit);
	CANNOT("status");
	/* The in-tree driver of 6.12 does not clear the status: the interrupt repeats for ever. */
	NEED(unit.ours, "v9_spe driver (this one would never come out of its interrupt)");
	nobodys_event(_metadata, &unit, V9_PMBSR_EL1_S);
}

/* State left by kexec or firmware. shows: SPE-RA1 SPE-ME2 */
TEST(left_behind_by_another)
{
	NEED_SESSION(unit);
	CANNOT("stale");
	NEED(unit.ours, "v9_spe driver");
	left_behind(_metadata, &unit, "v9_spe");
}

TEST_HARNESS_MAIN
