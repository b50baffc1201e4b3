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
 * @free: bytes from @head on that the consumer has released, up to @size
 * @wakeup: position, counted like @head, at which the consumer wants to hear of data
 * @align: required alignment of a first write pointer, a power of two
 * @max_record: longest record, at most @granule
 * @granule: alignment of the limit, a power of two
 * @snapshot: overwrite old data; @free and @wakeup have no meaning
 * @run: bytes of each run of memory that it is of, a power of two; 0: it is one
 * @twice: the buffer is mapped twice, the second mapping right behind the first
 * @exact: a window that is full is handed out up to its limit: what is left of it is padding
 * @early: the unit can interrupt and write on
 * @wraps: the unit can go on at the start of the buffer, say so, and stop where it is told to
 * @skip_bytes: erratum: bytes behind the base that the unit may overwrite when the window is full;
 *	needs @twice
 * @overrun_bytes: erratum: bytes behind the limit that it may write
 * @max: most bytes from the base to the limit, and so from the pointer; 0: any number. A unit that
 *	goes round a whole buffer needs one that is not larger
 * @filled: the CPU has filled in padding, and no DSB has followed
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
	bool twice;
	uint64_t run;
	bool exact;
	bool early;
	bool wraps;
	uint32_t skip_bytes;
	uint32_t overrun_bytes;
	uint64_t max;
	bool filled;
};

/**
 * struct v9_window - the answer, as offsets into the buffer
 * @pad_at: first byte to fill with Padding packets
 * @pad: how many; the consumer gets them as data
 * @ptr: first byte the unit writes
 * @limit: first byte it may not write
 * @base: where a unit that goes round goes on when it has reached the limit
 * @early: bytes after which the unit is to interrupt; 0: when the window is full
 * @stop: 0, or the window goes on at @base: the unit interrupts at @limit, and stops after so
 *	many bytes
 */
struct v9_window {
	uint64_t pad_at;
	uint64_t pad;
	uint64_t ptr;
	uint64_t limit;
	uint64_t base;
	uint64_t early;
	uint64_t stop;
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

/* The counter that makes the early interrupt has 32 bits. */
#define V9_PLAN_EARLY_MAX	UINT64_C(0x80000000)

/**
 * v9_plan_early - where a unit that can interrupt and write on is to do so
 * @aux: buffer and wishes
 * @room: bytes of the window
 * @wake: bytes after which the consumer wants to be woken
 *
 * Where the consumer wants to be woken, but while there is room for what comes
 * until the interrupt is served: a quarter of the window.
 *
 *	|xh++++w+++++++L.txxx|	interrupts at w
 *	|xh++++++++e++wL.txxx|	at e
 *
 * Return: bytes; 0: a window of less than two granules, which is filled to its end.
 */
static inline uint64_t v9_plan_early(const struct v9_aux *aux, uint64_t room, uint64_t wake)
{
	uint64_t last = room / 4 * 3, early = wake < last ? wake : last;

	if (room < 2 * (uint64_t)aux->granule)
		return 0;
	if (early < aux->granule)
		early = aux->granule;
	if (early > V9_PLAN_EARLY_MAX)
		early = V9_PLAN_EARLY_MAX;
	return early & ~((uint64_t)aux->align - 1);
}

/**
 * v9_plan_stop - where a unit that can go on at the start of the buffer has to stop
 * @aux: buffer and wishes
 * @room: bytes of the window up to the end of the buffer
 * @behind: bytes that are free from the start of the buffer on
 * @wake: bytes after which the consumer wants to be woken
 *
 * It interrupts where it goes round, so not if the consumer wants to be woken long before; and
 * only if what comes until the interrupt is served has room. The last granule is for what the
 * trace unit still holds when the buffer stops.
 *
 *	|++++s..txxxh++++w|	goes round and interrupts at the end of the buffer, stops at s
 *	|++++...txxxxh+w++|	a window up to the end of the buffer that interrupts at w
 *
 * Return: bytes; 0: it is not to go round.
 */
static inline uint64_t v9_plan_stop(const struct v9_aux *aux, uint64_t room, uint64_t behind,
				    uint64_t wake)
{
	uint64_t stop = room + behind - aux->granule;

	if (behind < 2 * (uint64_t)aux->granule || behind < room / 4 || room > V9_PLAN_EARLY_MAX ||
	    (wake <= room / 4 * 3 && room >= 2 * (uint64_t)aux->granule))
		return 0;
	if (stop > 2 * V9_PLAN_EARLY_MAX - 1)
		stop = 2 * V9_PLAN_EARLY_MAX - 1;
	return stop & ~((uint64_t)aux->align - 1);
}

/**
 * v9_plan_again - the last window from where the unit stopped, if that is what comes next
 * @aux: what v9_plan_window() made @w of; the new values are put in
 * @w: that window; the next one
 * @head: new value
 * @free: new value
 * @wakeup: new value
 *
 * At a task switch the consumer has usually done nothing since, so that tail and limit are
 * where they were. A limit that @max of @aux has set stays where it was, too.
 *
 * Return: true: @w is what v9_plan_window() would say, or, with @max, the rest of the last window;
 * false: nothing has changed.
 */
static inline bool v9_plan_again(struct v9_aux *aux, struct v9_window *w, uint64_t head,
				 uint64_t free, uint64_t wakeup)
{
	uint64_t room = w->limit - w->ptr, moved = head - aux->head - w->pad, early = 0;
	uint64_t wake = wakeup > head ? wakeup - head : ~UINT64_C(0), stop = 0;

	if (aux->snapshot || aux->skip_bytes || wakeup != aux->wakeup ||
	    head + free != aux->head + aux->free)
		return false;
	if (moved > room || room - moved < aux->max_record || (moved & (aux->align - 1)) ||
	    w->ptr + moved >= aux->size)
		return false;
	/* A wish that was ahead is not any more. */
	if (wakeup <= head && wakeup > head - moved)
		return false;
	if (aux->wraps && w->ptr + moved + free > aux->size)
		stop = v9_plan_stop(aux, room - moved, w->ptr + moved + free - aux->size, wake);
	if (!stop != !w->stop)
		return false;
	if (aux->early && !stop) {
		early = v9_plan_early(aux, room - moved, wake);
		if (!early || !w->early)
			return false;
	}
	aux->head = head;
	aux->free = free;
	w->ptr += moved;
	w->pad_at = w->ptr;
	w->pad = 0;
	w->early = early;
	w->stop = stop;
	return true;
}

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
static inline int v9_plan_used(uint64_t start, uint64_t limit, uint64_t ptr, uint64_t *used)
{
	bool inside = ptr >= start && ptr <= limit;

	*used = inside ? ptr - start : 0;
	return inside ? 0 : -ERANGE;
}

/**
 * v9_plan_fill - the CPU fills in padding
 * @aux: the buffer
 * @base: its memory, as long as its mapping
 * @padding: the byte
 * @at: where
 * @n: bytes; behind the end they go on at the start
 *
 * Before the window, or where the next one begins: there a store that is late would overwrite what
 * the unit writes.
 */
void v9_plan_fill(struct v9_aux *aux, uint8_t *base, uint8_t padding, uint64_t at, uint64_t n);

/**
 * v9_plan_take_filled - is a DSB needed before the unit starts (SPE-SY2, TRBE-L4)?
 * @aux: the buffer
 *
 * Return: the CPU has filled in padding since this was asked last.
 */
static inline bool v9_plan_take_filled(struct v9_aux *aux)
{
	bool filled = aux->filled;

	aux->filled = false;
	return filled;
}

/* The first half of a buffer that is overwritten by halves */
static inline uint64_t v9_plan_half(const struct v9_aux *aux)
{
	return aux->size / 2 & ~((uint64_t)aux->granule - 1);
}

/**
 * v9_plan_torn - where old data begins in the midst of a record, in a buffer overwritten by halves
 * @aux: what v9_plan_window() made @w of
 * @w: the window
 * @head: end of the data in it
 * @data: else all of the window may be anything
 *
 * A record began at the start of each half, and may begin anywhere else.
 *
 * Return: bytes from @head on that are not to be read.
 */
static inline uint64_t v9_plan_torn(const struct v9_aux *aux, const struct v9_window *w,
				    uint64_t head, bool data)
{
	uint64_t half = v9_plan_half(aux), end = w->ptr < half ? half : aux->size;
	uint64_t torn = (data ? head : w->limit) + aux->max_record;

	return (torn < end ? torn : end) - head;
}

/**
 * struct v9_wrapped - what a unit that goes round by itself has left in the buffer
 * @moved: by how much the head of the buffer moves
 * @data: bytes before the new head that this session wrote, all of them
 * @stale: bytes from the new head on of which nobody knows in which turn they were written
 * @pad: bytes from the new head on to a multiple of 8: perf reads a snapshot in words of 8 bytes,
 *	and takes no trace from a full one that ends elsewhere
 */
struct v9_wrapped {
	uint64_t moved;
	uint64_t data;
	uint64_t stale;
	uint64_t pad;
};

/**
 * v9_plan_wrapped - how much of an overwritten buffer holds data
 * @start: address of the first byte written
 * @base: address after which the unit went on when it came to the limit
 * @limit: that; there is one buffer between the two
 * @ptr: write pointer that the unit left
 * @wrapped: it has come to the limit, once or more often
 * @wrapped_data: result
 *
 * Return: 0, or -ERANGE for a pointer outside the window: then nothing is known
 * to be data and all of @wrapped_data is 0.
 */
int v9_plan_wrapped(uint64_t start, uint64_t base, uint64_t limit, uint64_t ptr, bool wrapped,
		    struct v9_wrapped *wrapped_data);

#endif
