/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which part of the AUX buffer the unit may write next.
 */
#ifndef V9TRACE_PLAN_H
#define V9TRACE_PLAN_H

#include "base.h"

/**
 * struct v9_aux - the AUX buffer and what the unit wants of a window
 * @size: bytes of the buffer: a multiple of @granule, at least two of them
 * @head: where the next byte goes, counted from the start of the session
 * @free: bytes from @head on that the consumer has released (less than @size)
 * @wakeup: position, counted like @head, at which the consumer wants to hear of data
 * @align: required alignment of a first write pointer, a power of two
 * @max_record: longest record, at most @granule
 * @granule: alignment of the limit, a power of two
 * @snapshot: overwrite old data; @free and @wakeup have no meaning
 */
struct v9_aux {
	uint64_t size;
	uint64_t head;
	uint64_t free;
	uint64_t wakeup;
	uint32_t align;
	uint32_t max_record;
	uint32_t granule;
	bool snapshot;
};

/**
 * struct v9_window - the answer, as offsets into the buffer
 * @pad_at: first byte to fill with Padding packets
 * @pad: how many; the consumer gets them as data
 * @ptr: first byte the unit writes
 * @limit: first byte it may not write
 */
struct v9_window {
	uint64_t pad_at;
	uint64_t pad;
	uint64_t ptr;
	uint64_t limit;
};

/**
 * v9_plan_window - choose the next window
 * @aux: buffer and wishes
 * @w: result
 *
 * Return: 0, or -ENOSPC if the consumer must release room first (@w is then
 * all zero).
 */
int v9_plan_window(const struct v9_aux *aux, struct v9_window *w);

/**
 * v9_plan_used - how much of a window holds data
 * @start: address of its first byte
 * @limit: address after its last byte
 * @ptr: write pointer that the unit left
 * @used: result
 *
 * Return: 0, or -ERANGE for a pointer outside the window: then nothing in it
 * is known to be data and @used is 0.
 */
int v9_plan_used(uint64_t start, uint64_t limit, uint64_t ptr, uint64_t *used);

#endif
