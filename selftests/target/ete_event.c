// SPDX-License-Identifier: GPL-2.0-only
/* All buffer management events of a trace buffer in use, one at a time. See event.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>

#include "harness.h"
#include "ete.h"
#include "v9trace/gen/regs.h"
#include "v9trace/uapi.h"

#define EVENT_UNIT	"ete"
#define event_find	ete_find

static void dense(const struct unit *unit, struct perf_event_attr *attr)
{
	ete_attr(unit, attr);
	if (unit_has(unit, "format/branch_broadcast"))
		attr->config = ETE_BROADCAST;
}

static void decode(struct __test_metadata *_metadata, const struct unit *tested,
		   const struct perf_event_attr *attr, struct ring *ring, uint64_t *in_spin)
{
	const struct unit unit = *tested;
	struct ete_run run;

	/* The code of the kernel is not available. */
	*in_spin = 1;
	if (!attr->exclude_kernel)
		return;
	DECODE(*ring, *attr, run);
	*in_spin = run.in_spin;
}

#include "event.h"

#define CUT	PERF_AUX_FLAG_TRUNCATED
#define GAP	PERF_AUX_FLAG_PARTIAL
#define INJECT_ABORT		0
#define INJECT_IMPDEF		1
#define INJECT_ALIGNMENT	4
#define INJECT_TLB_CONFLICT	5

/* Stage 1 faults: the data before them is complete. shows: TRBE-FA1 TRBE-FA2 TRBE-EV4 */
CELL(translation_fault, .verb = "page", .n = PAGE_TRANSLATION, .stat = "faults", .flags = CUT,
     .to_the_page = true)
CELL(permission_fault, .verb = "page", .n = PAGE_PERMISSION, .stat = "faults", .flags = CUT,
     .to_the_page = true)
CELL(access_flag_fault, .verb = "page", .n = PAGE_ACCESS_FLAG, .stat = "faults", .flags = CUT,
     .to_the_page = true)
CELL(alignment_fault, .verb = "inject", .n = INJECT_ALIGNMENT, .stat = "faults", .flags = CUT)
CELL(tlb_conflict, .verb = "inject", .n = INJECT_TLB_CONFLICT, .stat = "faults", .flags = CUT)

/* External aborts: for a late one the affected bytes are unknown. shows: TRBE-EA2 TRBE-EA3 */
CELL(abort_at_once, .verb = "page", .n = PAGE_NOWHERE, .stat = "aborts", .flags = CUT,
     .to_the_page = true)
CELL(abort_later, .verb = "inject", .n = INJECT_ABORT, .stat = "aborts", .flags = CUT)
CELL(designers_event, .verb = "inject", .n = INJECT_IMPDEF, .stat = "fatal", .flags = CUT)

/* Two events: the second one sets further status bits. shows: TRBE-EV9 */
CELL(abort_after_designers_event, .verb = "two", .n = INJECT_ABORT, .stat = "aborts",
     .flags = CUT)
CELL(abort_after_full, .verb = "full_inject", .n = INJECT_ABORT, .stat = "aborts", .flags = CUT,
     .may = GAP, .kernel = true, .pages = 16)

/* The trigger of the early interrupt, then the end of the buffer, with one interrupt for both. */
CELL(trigger_and_full_while_masked, .verb = "full", .stat = "full", .flags = CUT | GAP,
     .kernel = true, .pages = 16)

WHILE_SWITCHING(abort_while_switching, .n = INJECT_ABORT, .stat = "aborts", .flags = CUT)
WHILE_SWITCHING(designers_event_while_switching, .n = INJECT_IMPDEF, .stat = "fatal",
		.flags = CUT)

/* The user gets the data that was collected before the event. shows: TRBE-EV9 TRBE-EA3 */
WINDOWS_BEFORE(windows_before_late_abort, .n = INJECT_ABORT, .stat = "aborts", .flags = CUT,
	       .may = GAP)
WINDOWS_BEFORE(windows_before_designers_event, .n = INJECT_IMPDEF, .stat = "fatal", .flags = CUT,
	       .may = GAP)

TEST(late_abort_in_snapshot)
{
	NEED_SESSION(unit);
	CANNOT("inject");
	NEED(unit_has(&unit, "stats/dropped"), "stats/dropped (our drivers)");
	dropped_in_snapshot(_metadata, &unit, &(struct cell){ .verb = "inject", .n = INJECT_ABORT },
			    V9_TRACE_PADDING);
}

/* An interrupt without a cause */
TEST(spurious_interrupt)
{
	NEED_SESSION(unit);
	CANNOT("pend");
	NEED(irq_of("trbe"), "a line of the unit in /proc/interrupts");
	event_cell(_metadata, &unit, &(struct cell){
		.verb = "pend", .n = irq_of("trbe"), .stat = "spurious", .goes_on = true,
	});
}

TEST(event_of_nobody)
{
	NEED_SESSION(unit);
	CANNOT("status");
	/* The in-tree driver of 6.12 looks up the session first, and the kernel crashes. */
	NEED(unit.ours, "v9_ete driver (this one would end the kernel)");
	nobodys_event(_metadata, &unit, V9_TRBSR_EL1_IRQ | V9_TRBSR_EL1_S);
}

/* State left by kexec or firmware. shows: TRBE-IR2 */
TEST(left_behind_by_another)
{
	NEED_SESSION(unit);
	CANNOT("stale");
	NEED(unit.ours, "v9_ete driver");
	left_behind(_metadata, &unit, "v9_ete");
}

TEST_HARNESS_MAIN
