/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the driver does about the state in a buffer status register.
 */
#ifndef V9TRACE_FAULT_ACTION_H
#define V9TRACE_FAULT_ACTION_H

#include "base.h"

enum v9_cause {
	V9_CAUSE_NONE,	/* no management event stopped the unit */
	V9_CAUSE_EARLY,	/* the unit continues, but the window is nearly full */
	V9_CAUSE_FULL,	/* the window is full: open the next one */
	V9_CAUSE_TRIGGER,	/* trigger, and the requested bytes after it are written */
	V9_CAUSE_LOST,	/* data was lost, and the buffer is valid */
	V9_CAUSE_FAULT,	/* translation of a write failed */
	V9_CAUSE_ABORT,	/* external abort of a write */
	V9_CAUSE_FATAL,	/* a status code that is reserved or cannot occur here */
	V9_CAUSES
};

/**
 * struct v9_fault_action - what the driver does about the value of a status register
 * @cause: enum v9_cause
 * @data: the bytes before the write pointer are valid data
 * @full: the unit wrote up to the limit, and the write pointer wrapped to the base. Without @data
 *	all these bytes are lost
 * @wrapped: the unit has reached the limit, and the write pointer wrapped to the base
 * @resume: collection may continue in a new window
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
 * v9_spe_fault_action - decode PMBSR_EL1
 * @pmbsr: value of PMBSR_EL1, read after the drain
 *
 * It is also valid for a unit that software stopped. The cause is usually V9_CAUSE_NONE then, and
 * only the flags matter.
 *
 * Return: the action.
 */
struct v9_fault_action v9_spe_fault_action(uint64_t pmbsr);

/**
 * v9_trbe_fault_action - decode TRBSR_EL1
 * @trbsr: value of TRBSR_EL1, read after the drain
 * @trblimitr: value of TRBLIMITR_EL1 while the unit ran. In Wrap mode the driver uses the trigger
 *	counter to stop the unit where no room is left
 *
 * It is also valid for a unit that software stopped. The cause is usually V9_CAUSE_NONE then.
 *
 * Return: the action.
 */
struct v9_fault_action v9_trbe_fault_action(uint64_t trbsr, uint64_t trblimitr);

#endif
