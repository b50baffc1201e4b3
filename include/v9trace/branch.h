/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What branch records say, and what the driver does about the state of the unit at a sample. */
#ifndef V9TRACE_BRANCH_H
#define V9TRACE_BRANCH_H

#include "base.h"
#include "uapi.h"

/* Cycle count of a record that is beyond the range of its counter */
#define V9_CYCLES_OVERFLOW	0xffffffffu

/* Most cycles that a branch of perf's stacks can have */
#define V9_CYCLES_MAX		0xffff

/**
 * struct v9_branch_entry - a branch of perf's branch stacks
 * @from: address of the branch; 0 if it is not known
 * @to: where it went; 0 if it is not known
 * @cycles: cycles since the branch before; 0 if not known, at most V9_CYCLES_MAX
 * @type: enum v9_branch_type
 * @new_type: enum v9_branch_new
 * @priv: enum v9_branch_priv
 * @mispred: the branch was mispredicted
 * @predicted: it was predicted correctly. If neither is set, the unit did not record it
 * @saturated: there were more cycles than @cycles
 */
struct v9_branch_entry {
	uint64_t from;
	uint64_t to;
	uint16_t cycles;
	uint8_t type;
	uint8_t new_type;
	uint8_t priv;
	bool mispred;
	bool predicted;
	bool saturated;
};

/**
 * v9_branch_cycles - cycle count of a record
 * @inf: BRBINF<n>_EL1
 *
 * Return: cycles, rounded down as the unit encodes them; 0 if not known; V9_CYCLES_OVERFLOW.
 */
uint32_t v9_branch_cycles(uint64_t inf);

/**
 * v9_branch_decode - decode a record
 * @rec: record
 * @branch: branch_sample_type, V9_BRANCH_*: whether predictions, type and level are wanted
 * @b: result
 */
void v9_branch_decode(const struct v9_branch_regs *rec, uint64_t branch, struct v9_branch_entry *b);

/**
 * v9_branch_check - check the state of the unit at a sample
 * @brbfcr: BRBFCR_EL1 as it was found
 * @freezes: the session's recording is paused by overflows of the PMU
 * @age: ticks from BRBTS_EL1 to now
 * @max_age: most microseconds from an overflow to its interrupt, 32 bits
 * @hz: ticks per second, CNTFRQ_EL0
 *
 * Return: enum v9_branch_validity, but not V9_BRANCHES_EMPTY.
 */
enum v9_branch_validity v9_branch_check(uint64_t brbfcr, bool freezes, uint64_t age,
					uint32_t max_age, uint64_t hz);

/* Are the records those before the sample? */
static inline bool v9_branch_usable(enum v9_branch_validity validity)
{
	return validity == V9_BRANCHES_PAUSED || validity == V9_BRANCHES_FROZEN;
}

/* Range of a sampling period that follows a frequency */
#define V9_PERIOD_MIN	100
#define V9_PERIOD_MAX	0x7fffffff	/* counters have 32 bits at least */

/**
 * v9_branch_period - next sampling period of an event that is sampled by frequency
 * @period: events up to this sample, V9_PERIOD_MIN to V9_PERIOD_MAX
 * @ns: time that they took, in ns, while the session ran
 * @hz: samples in a second that are wanted, not 0
 *
 * Return: events, V9_PERIOD_MIN to V9_PERIOD_MAX, from an eighth of @period to eight times as many.
 */
uint64_t v9_branch_period(uint64_t period, uint64_t ns, uint64_t hz);

#endif
