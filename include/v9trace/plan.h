/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The window: the part of the AUX buffer that the unit may write next.
 */
#ifndef V9TRACE_PLAN_H
#define V9TRACE_PLAN_H

#include "base.h"

/**
 * struct v9_aux - the AUX buffer, and what the unit requires of a window
 * @size: bytes of the buffer: a multiple of @granule, and at least two granules
 * @head: position of the next byte, counted from the start of the session
 * @free: bytes from @head on that the reader has released, up to @size
 * @wakeup: position, counted like @head, at which the reader is to be woken
 * @align: alignment of a first write pointer, a power of two
 * @max_record: bytes of the longest record, at most @granule
 * @granule: alignment of the limit, a power of two
 * @snapshot: the buffer is overwritten; @free and @wakeup are not used
 * @twice: the buffer is mapped twice, the second mapping directly behind the first
 * @run: bytes of each contiguous run of physical memory, a power of two; 0: the buffer is one run
 * @exact: a full window is passed to perf up to its limit; bytes that the unit did not write are
 *	padding
 * @early: the unit can interrupt and continue to write
 * @wraps: the unit can continue at the start of the buffer, interrupt there, and stop after a given
 *	number of bytes
 * @skip_bytes: erratum: bytes behind the base that the unit may overwrite when the window is full;
 *	needs @twice
 * @overrun_bytes: erratum: bytes behind the limit that the unit may write
 * @max: maximum bytes from the base to the limit, and thus from the pointer; 0: no maximum. A unit
 *	can wrap at the end of the buffer only if the buffer is not larger
 * @filled: the CPU has written padding, and has not executed a DSB since
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
 * struct v9_window - a window, as offsets in the buffer
 * @pad_at: first byte to fill with padding
 * @pad: bytes of padding, which are passed to perf as data
 * @ptr: first byte that the unit writes
 * @limit: first byte that it must not write
 * @base: where a unit that wraps continues after the limit
 * @early: bytes after which the unit interrupts; 0: it interrupts when the window is full
 * @stop: 0: the window ends at @limit; else it continues at @base: the unit interrupts at @limit
 *	and stops after this number of bytes
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
 * @aux: buffer and requirements
 * @w: result
 *
 * Return: 0; or -ENOSPC, with @w all zero, if the reader must release room first, or if the unit
 * cannot use this buffer.
 */
int v9_plan_window(const struct v9_aux *aux, struct v9_window *w);

/* Maximum bytes before an early interrupt: the counter that raises it has 32 bits. */
#define V9_PLAN_EARLY_MAX	UINT64_C(0x80000000)

/**
 * v9_plan_early - where a unit interrupts that can continue to write
 * @aux: buffer and requirements
 * @room: bytes of the window
 * @wake: bytes after which the reader is to be woken
 *
 * The unit interrupts where the reader is to be woken, but after three quarters of the window at
 * the latest. The rest is room for data that the unit writes until the interrupt is handled.
 * plan.c explains the letters.
 *
 *	|xh++++w+++++++L.txxx|	interrupts at w
 *	|xh++++++++e++wL.txxx|	at e
 *
 * Return: bytes; 0 for a window of less than two granules, which is filled up to its limit.
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
 * v9_plan_stop - where a unit stops that wraps at the end of the buffer
 * @aux: buffer and requirements
 * @room: bytes of the window up to the end of the buffer
 * @behind: bytes that are free from the start of the buffer on
 * @wake: bytes after which the reader is to be woken
 *
 * The unit interrupts when it wraps. The window does not wrap if the reader is to be woken well
 * before that, or if there is too little room for data that the unit writes until the interrupt is
 * handled. The last granule is reserved for bytes that the trace unit still holds when the buffer
 * stops.
 *
 *	|++++s..txxxh++++w|	wraps, interrupts at the end of the buffer, stops at s
 *	|++++...txxxxh+w++|	does not wrap: a window up to the end of the buffer, interrupts at w
 *
 * Return: bytes from the pointer on; 0: the window does not wrap.
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
 * v9_plan_again - continue the last window where the unit stopped, if possible
 * @aux: buffer and requirements for which v9_plan_window() chose @w; updated with the new values
 * @w: last window; result: next window
 * @head: new value of @aux->head
 * @free: new value of @aux->free
 * @wakeup: new value of @aux->wakeup
 *
 * At a task switch the reader has usually released nothing since, so tail and limit are unchanged.
 * A limit that results from @max of @aux is kept, too.
 *
 * Return: true if @w is what v9_plan_window() would choose or, with @max, the rest of the last
 * window; false if nothing was changed.
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
	/* The head has passed the wakeup position since. */
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
 * v9_plan_counter - value of TRBTRG_EL1 with which the unit stops a number of bytes after a trigger
 * @after: that number
 * @align: alignment of the unit, a power of two. The unit can read bits below it as zero (TRBE-UN6)
 *
 * Return: @after, rounded up to the alignment; at most the largest such value of 32 bits.
 */
static inline uint32_t v9_plan_counter(uint32_t after, uint32_t align)
{
	const uint32_t least = after & ~(align - 1), bytes = least == after ? least : least + align;

	return bytes < least ? least : bytes;
}

/**
 * v9_plan_used - number of bytes of a window that hold data
 * @start: address of its first byte
 * @limit: address after its last byte
 * @ptr: write pointer that the unit left
 * @used: result
 *
 * Return: 0; or -ERANGE for a pointer outside the window, with @used 0: no byte is known to be data
 * then.
 */
static inline int v9_plan_used(uint64_t start, uint64_t limit, uint64_t ptr, uint64_t *used)
{
	bool inside = ptr >= start && ptr <= limit;

	*used = inside ? ptr - start : 0;
	return inside ? 0 : -ERANGE;
}

/**
 * v9_plan_fill - write padding
 * @aux: buffer
 * @base: address of its memory: the whole mapping, twice @size with @twice
 * @padding: byte to write
 * @at: offset in the buffer
 * @n: bytes; beyond the end of the buffer they continue at its start
 *
 * Padding is written before the window, or where the next window begins. A store there that
 * completes late would overwrite data of the unit. The function sets @aux->filled, so that the CPU
 * executes a DSB before the unit starts.
 */
void v9_plan_fill(struct v9_aux *aux, uint8_t *base, uint8_t padding, uint64_t at, uint64_t n);

/**
 * v9_plan_take_filled - check whether the unit needs a DSB before it starts (SPE-SY2, TRBE-L4)
 * @aux: buffer
 *
 * Return: true if the CPU has written padding since the last call.
 */
static inline bool v9_plan_take_filled(struct v9_aux *aux)
{
	bool filled = aux->filled;

	aux->filled = false;
	return filled;
}

/* Bytes of the first half of an overwritten buffer that is written one half at a time */
static inline uint64_t v9_plan_half(const struct v9_aux *aux)
{
	return aux->size / 2 & ~((uint64_t)aux->granule - 1);
}

/**
 * v9_plan_torn - bytes behind the head that hold no whole record, in a buffer written by halves
 * @aux: buffer and requirements for which v9_plan_window() chose @w
 * @w: the window
 * @head: end of the data in it
 * @data: the window holds data up to @head; else the content of the whole window is unknown
 *
 * A record begins at the start of each half. Elsewhere old data may begin inside a record.
 *
 * Return: bytes from @head on that must not be read.
 */
static inline uint64_t v9_plan_torn(const struct v9_aux *aux, const struct v9_window *w,
				    uint64_t head, bool data)
{
	uint64_t half = v9_plan_half(aux), end = w->ptr < half ? half : aux->size;
	uint64_t torn = (data ? head : w->limit) + aux->max_record;

	return (torn < end ? torn : end) - head;
}

/**
 * struct v9_wrapped - data of an overwritten buffer in which the unit wraps by itself
 * @moved: bytes by which the head of the buffer moves
 * @data: bytes before the new head that this session wrote without a gap
 * @stale: bytes from the new head on, of which it is unknown whether this session wrote them
 * @pad: bytes from the new head on to a multiple of 8. perf reads a snapshot in words of 8 bytes,
 *	and takes no trace from a full one that does not end at a multiple of 8
 */
struct v9_wrapped {
	uint64_t moved;
	uint64_t data;
	uint64_t stale;
	uint64_t pad;
};

/**
 * v9_plan_wrapped - which bytes of an overwritten buffer hold data
 * @start: address of the first byte written
 * @base: address at which the unit continued after the limit
 * @limit: limit of the window: @base plus the size of the buffer
 * @ptr: write pointer that the unit left
 * @wrapped: the unit has reached the limit, once or more often
 * @wrapped_data: result
 *
 * Return: 0; or -ERANGE for a pointer outside the window, with @wrapped_data all zero: no byte is
 * known to be data then.
 */
int v9_plan_wrapped(uint64_t start, uint64_t base, uint64_t limit, uint64_t ptr, bool wrapped,
		    struct v9_wrapped *wrapped_data);

/**
 * struct v9_closed - how a window of an overwritten buffer is closed
 * @moved: bytes to add to the head, before padding is written
 * @fill: bytes of padding to write from the head on
 * @pad: bytes to add to the head, after padding is written; at most @fill
 * @used: bytes to report as data. They end at the new head
 * @dropped: bytes to count as dropped
 */
struct v9_closed {
	uint64_t moved;
	uint64_t fill;
	uint64_t pad;
	uint64_t used;
	uint64_t dropped;
};

/**
 * v9_plan_closed - decide how a window of an overwritten buffer is closed
 * @w: result of v9_plan_wrapped()
 * @data: the data is valid. If not, all of it is dropped and the head does not move
 * @size: size of the buffer, bytes
 * @c: result
 */
void v9_plan_closed(const struct v9_wrapped *w, bool data, uint64_t size, struct v9_closed *c);

#endif
