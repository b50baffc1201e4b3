// SPDX-License-Identifier: GPL-2.0-only
/*
 * drivers/lib/fault_action.c: one row per management event, status words typed from the manual.
 */
#include "tap.h"
#include "v9trace/base.h"
#include "v9trace/fault_action.h"
#include "v9trace/uapi.h"

static const struct {
	const char *name;
	uint32_t pmbsr;
	uint8_t cause;
	bool data, resume;
	uint32_t flags;
} rows[] = {
	/* shows: SPE-ME6 SPE-CS5 */
	{ "full", 0x00020001, V9_CAUSE_FULL, true, true, 0 },
	/* shows: SPE-SI15 */
	{ "full_after_collision", 0x00030001, V9_CAUSE_FULL, true, true, V9_AUX_COLLISION },
	{ "full_after_loss", 0x000a0001, V9_CAUSE_FULL, true, true, V9_AUX_PARTIAL },
	/* shows: SPE-ME13 */
	{ "lost", 0x000a0000, V9_CAUSE_LOST, true, true, V9_AUX_PARTIAL },
	{ "lost_without_dl", 0x00030000, V9_CAUSE_LOST, true, true,
	  V9_AUX_COLLISION | V9_AUX_PARTIAL },
	/* shows: SPE-ME7 SPE-ME8 */
	{ "translation_fault_at_record", 0x90020007, V9_CAUSE_FAULT, true, false,
	  V9_AUX_TRUNCATED },
	{ "permission_fault_inside_record", 0x900a000f, V9_CAUSE_FAULT, true, false,
	  V9_AUX_TRUNCATED | V9_AUX_PARTIAL },
	{ "stage_2_fault", 0x94020006, V9_CAUSE_FAULT, true, false, V9_AUX_TRUNCATED },
	{ "granule_fault", 0x78020000, V9_CAUSE_FAULT, true, false, V9_AUX_TRUNCATED },
	{ "alignment_fault", 0x90020021, V9_CAUSE_FAULT, true, false, V9_AUX_TRUNCATED },
	/* shows: SPE-ME11 SPE-CS2 */
	{ "abort_at_record", 0x90060010, V9_CAUSE_ABORT, true, false, V9_AUX_TRUNCATED },
	{ "abort_inside_record", 0x900e0010, V9_CAUSE_ABORT, true, false,
	  V9_AUX_TRUNCATED | V9_AUX_PARTIAL },
	{ "abort_on_walk", 0x900e0015, V9_CAUSE_ABORT, true, false,
	  V9_AUX_TRUNCATED | V9_AUX_PARTIAL },
	/* shows: SPE-ME12 */
	{ "abort_asynchronous", 0x900e0011, V9_CAUSE_ABORT, false, false,
	  V9_AUX_TRUNCATED | V9_AUX_PARTIAL },
	/* shows: SPE-ME4 */
	{ "abort_after_full", 0x00060001, V9_CAUSE_ABORT, true, false, V9_AUX_TRUNCATED },
	{ "abort_with_loss_after_full", 0x000e0001, V9_CAUSE_ABORT, false, false,
	  V9_AUX_TRUNCATED | V9_AUX_PARTIAL },
	{ "nothing", 0x00000000, V9_CAUSE_NONE, true, false, 0 },
	{ "collision_only", 0x00010000, V9_CAUSE_NONE, true, false, V9_AUX_COLLISION },
	{ "loss_seen_at_stop", 0x00080000, V9_CAUSE_NONE, true, false, V9_AUX_PARTIAL },
	{ "old_code_without_event", 0x00000001, V9_CAUSE_NONE, true, false, 0 },
	{ "granule_fetch_abort", 0x78060000, V9_CAUSE_ABORT, true, false, V9_AUX_TRUNCATED },
	{ "granule_fetch_abort_inside_record", 0x780e0000, V9_CAUSE_ABORT, true, false,
	  V9_AUX_TRUNCATED | V9_AUX_PARTIAL },
	{ "too_large", 0x00020004, V9_CAUSE_FATAL, false, false, V9_AUX_TRUNCATED },
	{ "implementation_defined", 0x7c020000, V9_CAUSE_FATAL, false, false, V9_AUX_TRUNCATED },
	{ "reserved_class", 0x04020001, V9_CAUSE_FATAL, false, false, V9_AUX_TRUNCATED },
};

static const struct {
	const char *name;
	uint32_t trbsr;
	uint8_t cause;
	bool data, full, resume;
	uint32_t flags;
} trbe_rows[] = {
	/* shows: TRBE-PT7 TRBE-EN7 */
	{ "trbe_full", 0x00520001, V9_CAUSE_FULL, true, true, true, V9_AUX_PARTIAL },
	{ "trbe_full_seen_at_stop", 0x00120001, V9_CAUSE_FULL, true, true, true,
	  V9_AUX_PARTIAL },
	/* shows: TRBE-FA2 */
	{ "trbe_translation_fault", 0x90420007, V9_CAUSE_FAULT, true, false, false,
	  V9_AUX_TRUNCATED },
	{ "trbe_stage_2_fault", 0x94420006, V9_CAUSE_FAULT, true, false, false,
	  V9_AUX_TRUNCATED },
	{ "trbe_granule_fault", 0x78420000, V9_CAUSE_FAULT, true, false, false,
	  V9_AUX_TRUNCATED },
	{ "trbe_fault_with_wrap_before", 0x90520007, V9_CAUSE_FAULT, true, false, false,
	  V9_AUX_TRUNCATED },
	/* shows: TRBE-EA2 TRBE-EV9 */
	{ "trbe_abort_synchronous", 0x90460010, V9_CAUSE_ABORT, true, false, false,
	  V9_AUX_TRUNCATED },
	{ "trbe_abort_asynchronous", 0x90460011, V9_CAUSE_ABORT, false, false, false,
	  V9_AUX_TRUNCATED },
	/* The pointer is back at the base: all of the window is lost. */
	{ "trbe_abort_after_full", 0x00560001, V9_CAUSE_ABORT, false, true, false,
	  V9_AUX_TRUNCATED },
	{ "trbe_abort_after_wrap", 0x00140000, V9_CAUSE_ABORT, false, true, false,
	  V9_AUX_TRUNCATED },
	{ "trbe_not_allowed_after_wrap", 0x00520000, V9_CAUSE_FATAL, false, true, false,
	  V9_AUX_TRUNCATED },
	{ "trbe_granule_fetch_abort", 0x78460000, V9_CAUSE_ABORT, true, false, false,
	  V9_AUX_TRUNCATED },
	{ "trbe_abort_while_running", 0x90040010, V9_CAUSE_ABORT, false, false, false,
	  V9_AUX_TRUNCATED },
	{ "trbe_abort_after_fault", 0x90460007, V9_CAUSE_ABORT, false, false, false,
	  V9_AUX_TRUNCATED },
	{ "trbe_too_large", 0x00420004, V9_CAUSE_FATAL, false, false, false, V9_AUX_TRUNCATED },
	{ "trbe_nothing", 0, V9_CAUSE_NONE, true, false, true, 0 },
	{ "trbe_old_code_without_stop", 0x00000001, V9_CAUSE_NONE, true, false, true, 0 },
	/* shows: TRBE-PT9 */
	{ "trbe_wrapped", 0x00100000, V9_CAUSE_NONE, true, false, true, 0 },
	{ "trbe_fault_after_going_round", 0x90520007, V9_CAUSE_FAULT, true, false, false,
	  V9_AUX_TRUNCATED },
	/* shows: TRBE-PT8 TRBE-TR8 */
	{ "trbe_wrap_without_stop", 0x00500000, V9_CAUSE_NONE, true, false, true, 0 },
	{ "trbe_trigger_without_stop", 0x00600000, V9_CAUSE_EARLY, true, false, true, 0 },
	{ "trbe_trigger_to_come", 0x00200000, V9_CAUSE_NONE, true, false, true, 0 },
	{ "trbe_full_after_trigger", 0x00720001, V9_CAUSE_FULL, true, true, true,
	  V9_AUX_PARTIAL },
	/* shows: TRBE-OW6 TRBE-IM1 */
	{ "trbe_access_not_allowed", 0x00420000, V9_CAUSE_FATAL, false, false, false,
	  V9_AUX_TRUNCATED },
	/* shows: TRBE-TR7 */
	{ "trbe_stopped_by_trigger", 0x00620002, V9_CAUSE_TRIGGER, true, false, false,
	  V9_AUX_TRUNCATED },
	{ "trbe_implementation_defined", 0x7c420000, V9_CAUSE_FATAL, false, false, false,
	  V9_AUX_TRUNCATED },
};

/*
 * In Wrap mode the trigger counter stops the unit before unread data: there is no more room, and
 * the data up to there is complete. shows: TRBE-PT8 TRBE-TR7
 */
static void wrap_mode(void)
{
	static const struct {
		const char *name;
		uint64_t trbsr;
		uint8_t cause;
		bool resume;
		uint32_t flags;
	} t[] = {
		{ "counted_out", 0x00720002, V9_CAUSE_FULL, true, V9_AUX_PARTIAL },
		{ "wrapped", 0x00700000, V9_CAUSE_EARLY, true, 0 },
		{ "nothing_yet", 0x00200000, V9_CAUSE_NONE, true, 0 },
		{ "fault", 0x90720007, V9_CAUSE_FAULT, false, V9_AUX_TRUNCATED },
	};
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct v9_fault_action j = v9_trbe_fault_action(t[i].trbsr, 0x12345003);

		tap_ok(j.cause == t[i].cause && j.resume == t[i].resume && j.data && !j.full &&
		       j.wrapped == (t[i].trbsr >> 20 & 1) && j.flags == t[i].flags,
		       "wrap_mode_%s", t[i].name);
	}
}

/*
 * Each FSC of PMBSR_EL1 (D24.7.5) and TRBSR_EL1 (D24.4.7), which are the same: S synchronous
 * External abort, or parity error, at the address in the write pointer; A asynchronous; f another
 * fault, which does not set EA, so that EA is from a later abort; - reserved.
 * shows: SPE-ME11 SPE-ME12 TRBE-EV9
 */
static const char codes[] =
	"ffff" "ffff" "ffff" "ffff"	/* 000000: address size, translation, access flag, permission */
	"SASS" "SSSS" "---S" "----"	/* 010000: write, asynchronous, walks; 011011 parity */
	"-fff" "ffff" "ffff" "f---"	/* 100001: alignment, granule protection, levels -1 and -2 */
	"ff--" "----" "----" "----";	/* 110000: TLB conflict, atomic update */

static void every_code(void)
{
	for (uint32_t fsc = 0; fsc < 64; fsc++) {
		bool sync = codes[fsc] == 'S', spe = true, trbe = true;

		for (uint32_t ec = 0x24; ec <= 0x25; ec++) {
			uint32_t s = ec << 26 | 0x20000 | fsc;
			struct v9_fault_action fault = v9_spe_fault_action(s),
				torn = v9_spe_fault_action(s | 0x80000),
				at_record = v9_spe_fault_action(s | 0x40000),
				inside = v9_spe_fault_action(s | 0xc0000);

			/* With DL and without EA the records before are complete. */
			spe &= fault.data && torn.data && fault.cause == V9_CAUSE_FAULT &&
			       torn.cause == V9_CAUSE_FAULT && fault.flags == V9_AUX_TRUNCATED &&
			       torn.flags == (V9_AUX_TRUNCATED | V9_AUX_PARTIAL);
			spe &= at_record.data && inside.data == sync &&
			       at_record.cause == V9_CAUSE_ABORT &&
			       inside.cause == V9_CAUSE_ABORT && !inside.resume;
			fault = v9_trbe_fault_action(s | 0x400000, 1);
			inside = v9_trbe_fault_action(s | 0x440000, 1);
			trbe &= fault.data && fault.cause == V9_CAUSE_FAULT &&
				inside.data == sync && inside.cause == V9_CAUSE_ABORT;
		}
		tap_ok(spe, "code_%02x", (unsigned int)fsc);
		tap_ok(trbe, "trbe_code_%02x", (unsigned int)fsc);
	}
}

int main(void)
{
	unsigned int i;

	wrap_mode();
	every_code();

	for (i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		struct v9_fault_action j = v9_spe_fault_action(rows[i].pmbsr);

		tap_ok(j.cause == rows[i].cause && j.data == rows[i].data &&
		       j.resume == rows[i].resume && j.flags == rows[i].flags,
		       "%s", rows[i].name);
	}
	for (i = 0; i < V9_ARRAY_SIZE(trbe_rows); i++) {
		struct v9_fault_action j = v9_trbe_fault_action(trbe_rows[i].trbsr, 1);

		tap_ok(j.cause == trbe_rows[i].cause && j.data == trbe_rows[i].data &&
		       j.full == trbe_rows[i].full && j.resume == trbe_rows[i].resume &&
		       j.wrapped == (trbe_rows[i].trbsr >> 20 & 1) &&
		       j.flags == trbe_rows[i].flags, "%s", trbe_rows[i].name);
	}
	return tap_done();
}
