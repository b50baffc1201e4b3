/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* State of the Branch Record Buffer Extension. Internal to the model. */
#ifndef V9_MODEL_BRBE_H
#define V9_MODEL_BRBE_H

#include "branch.h"
#include "model.h"
#include "timing.h"

#define V9_BRBE_MAX	64

/**
 * struct v9_brbe_change - an exception or exception return that is in progress
 * @due: there is one
 * @source: it comes from a region where branches are recorded
 * @debug: entry to Debug state, whose record no control disables
 * @from_el: Exception level that executes the exception return
 * @type: V9_BRBINFn_EL1_TYPE_*
 * @pc: source address of its record
 */
struct v9_brbe_change {
	bool due;
	bool source;
	bool debug;
	uint8_t from_el;
	uint8_t type;
	uint64_t pc;
};

/**
 * struct v9_brbe - the branch record buffer
 * @on: branches are recorded: not paused, and outside prohibited regions
 * @el: current Exception level
 * @needs_block: @cur is not known: the address of the next block is needed
 * @cc: cycle counts are recorded
 * @mpred: mispredictions are recorded
 * @known: @cycles is the number of cycles since the last record
 * @changed: records were made, injected or invalidated since @shown was updated
 * @clean: BRB IALL was executed since the reset
 * @iall: BRB IALL was executed since the last context synchronization event (delay modes)
 * @late: an overflow has occurred; the freeze follows after @spare records
 * @spare: records that are made before the freeze
 * @fresh: records of branches since the last context synchronization event
 * @head: index of the youngest record in @rec
 * @n: number of valid records
 * @cur: address of the first instruction that is not counted in @cycles
 * @cycles: cycles since the last record, one for each instruction
 * @last: the last P0 instruction
 * @change: exception or return whose target level is not reached yet
 * @is_owed: @owed lacks nothing but its target address, where execution continues
 * @owed: the record of an exception or exception return
 * @rec: ring of records
 * @shown: records as direct reads return them, youngest first (delay modes)
 * @predictor: predictor of the branches that are recorded
 */
struct v9_brbe {
	bool on, needs_block, cc, mpred, known, changed, clean, iall, late, is_owed;
	uint8_t el;
	unsigned int spare, fresh, head, n;
	uint64_t cur, cycles;
	struct v9_branch last;
	struct v9_brbe_change change;
	struct v9_brbe_record owed;
	struct v9_brbe_record rec[V9_BRBE_MAX];
	struct v9_brbe_record shown[V9_BRBE_MAX];
	struct v9_predictor predictor;
};

#endif
