/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a buffer status register says, in one word.
 */
#ifndef V9TRACE_FAULT_ACTION_H
#define V9TRACE_FAULT_ACTION_H

#include "base.h"

enum v9_cause {
	V9_CAUSE_NONE,	/* no management event: nothing stopped the unit */
	V9_CAUSE_EARLY,	/* the unit writes on, but room is running out */
	V9_CAUSE_FULL,	/* no room is left: open the next window */
	V9_CAUSE_TRIGGER,	/* the trigger came, and as much behind it as was wanted */
	V9_CAUSE_LOST,	/* data was dropped, the buffer is sound */
	V9_CAUSE_FAULT,	/* a write did not translate */
	V9_CAUSE_ABORT,	/* memory answered a write with an error */
	V9_CAUSE_FATAL,	/* a code that has no meaning here */
	V9_CAUSES
};

/**
 * struct v9_fault_action - a verdict and what follows from it
 * @cause: enum v9_cause
 * @data: bytes before the write pointer may be handed out
 * @full: all bytes up to the limit, and the write pointer is back at the base
 * @wrapped: the unit has come to the limit, and the write pointer to the base
 * @resume: collection may go on in a new window
 * @flags: V9_AUX_*
 */
struct v9_fault_action {
	uint8_t cause;
	bool data;
	bool full;
	bool wrapped;
	bool resume;
	uint32_t flags;
};

/**
 * v9_spe_fault_action - judge PMBSR_EL1
 * @pmbsr: its value, read after the drain
 *
 * Also right for a unit that software stopped: then the verdict is usually
 * V9_CAUSE_NONE and only the flags count.
 *
 * Return: the judgement.
 */
struct v9_fault_action v9_spe_fault_action(uint64_t pmbsr);

/**
 * v9_trbe_fault_action - judge TRBSR_EL1
 * @trbsr: its value, read after the drain
 * @trblimitr: TRBLIMITR_EL1 as the unit ran with it. In Wrap mode it was to stop by its trigger
 *	counter, where no room is left
 *
 * Also right for a unit that software stopped: then the verdict is usually
 * V9_CAUSE_NONE.
 *
 * Return: the judgement.
 */
struct v9_fault_action v9_trbe_fault_action(uint64_t trbsr, uint64_t trblimitr);

#endif
