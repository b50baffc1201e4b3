// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Where the unit may write next.
 *
 * The AUX buffer is a ring for perf, but not for the unit: it writes upwards
 * from its pointer and stops when less than a record fits below the limit. In
 * the drawings
 *
 *	x  data that the consumer has not read yet
 *	.  free
 *	0  padding written by us
 *	+  the window given to the unit
 *	h  head     t  tail, end of the free part     w  wakeup     B  base    L  limit
 *
 * A buffer may be mapped twice, the second mapping right behind the first. Then
 * every part of the ring is one piece somewhere:
 *
 *	|...txxxxxxh++++|++L.xxxxxx|....|
 *
 * Or once, as the kernel has its pages anyway, if they are one run of memory; then a unit that can
 * do so goes on at its start by itself.
 */
#include "v9trace/plan.h"

static uint64_t down(uint64_t x, uint64_t to)
{
	return x & ~(to - 1);
}

static uint64_t up(uint64_t x, uint64_t to)
{
	return down(x + to - 1, to);
}

/* How far a buffer of the size that the unit takes can reach, if its base is below @at. */
static uint64_t end_of_size(const struct v9_aux *aux, uint64_t at)
{
	return down(at, aux->granule) + down(aux->max, aux->granule);
}

/*
 * The base stays where it is if it can: a buffer that the unit takes as a whole is one.
 *
 *	|xh++++++++++++L|	it does
 *	|xxxxB+h++L.....|	it does not: so much of it as the unit takes, the rest later
 */
static void cut_to_size(const struct v9_aux *aux, struct v9_window *w)
{
	if (!aux->max || w->limit - w->base <= aux->max)
		return;
	if (!aux->skip_bytes)
		w->base = down(w->ptr, aux->granule);
	if (w->limit > end_of_size(aux, w->base))
		w->limit = end_of_size(aux, w->base);
}

/*
 * The first byte from @at on that may be a first write pointer (SPE-PB3) with
 * room for one record before @end. If there is none, or if only the padding
 * reaches @end, the start of the ring, which is aligned.
 *
 *	|xxxxxh00+++++++|	one step up to the alignment
 *	|++++++++++xxh00|	too near the end of the buffer: go round
 *	|xxh00+++|.....t|	where a window is but a granule: too near its end
 */
static uint64_t first_pointer(const struct v9_aux *aux, uint64_t at, uint64_t end)
{
	uint64_t ptr = up(at, aux->align);

	if (aux->max && end_of_size(aux, ptr) < ptr + aux->max_record)
		ptr = up(ptr, aux->granule);
	return ptr + aux->max_record <= end ? ptr : end;
}

/*
 * Overwrite mode. One half of the buffer at a time: a decoder cannot go
 * backwards, and after a turn the oldest bytes begin inside a record. Each half
 * begins with a whole one, so at least half a buffer can always be read.
 *
 *	|xxh++++Lxxxxxx|	first half
 *	|xxxxxxxxxh+++L|	second half
 */
static int plan_snapshot(const struct v9_aux *aux, struct v9_window *w)
{
	uint64_t half = v9_plan_half(aux);
	uint64_t head = aux->head % aux->size;
	uint64_t end = head < half ? half : aux->size;

	w->pad_at = head;
	w->ptr = first_pointer(aux, head, end);
	w->pad = w->ptr - head;
	if (w->ptr == end) {
		w->ptr = end % aux->size;
		end = w->ptr ? aux->size : half;
	}
	w->limit = end;
	cut_to_size(aux, w);
	return 0;
}

/*
 * Overwrite mode of a unit that goes round by itself, in a buffer mapped twice.
 * It goes round the whole buffer from where it starts, so that after one turn
 * every byte is of this session, wherever the unit was stopped:
 *
 *	|xxxx0B+++++++++|+++++L....|....|
 *	     h
 *
 * The base must be whole granules, hence a little before the start; what that
 * means for the end is said at v9_plan_wrapped(). Mapped once, the base is the start of the buffer:
 *
 *	B+++s+++++++++++L
 */
static int plan_round(const struct v9_aux *aux, struct v9_window *w)
{
	uint64_t head = aux->head % aux->size;

	if (aux->max && aux->size > aux->max)
		return -ENOSPC;
	w->pad_at = head;
	w->ptr = up(head, aux->align);
	w->pad = w->ptr - head;
	w->ptr %= aux->size;
	w->base = aux->twice ? down(w->ptr, aux->granule) : 0;
	w->limit = w->base + aux->size;
	return 0;
}

/* A window cannot go on behind a run of memory. */
static uint64_t end_of_run(const struct v9_aux *aux, uint64_t at)
{
	if (aux->twice)
		return 2 * aux->size;
	return aux->run ? down(at, aux->run) + aux->run : aux->size;
}

/*
 * Everything from the head up to the tail or the end of the buffer, whichever
 * comes first, cut to whole granules (SPE-PB1):
 *
 *	|....txxxh++++++L|	the free part goes round: up to the end now, the rest later
 *	|xh++++++++L.txxx|	the last granule before the tail is not whole
 *
 * and not further than where the consumer is sure to be woken, since only a
 * management event can tell it. The unit stops when less than a record fits: if
 * that were just before the wish, the next window would be a granule long. Unless
 * the rest of the window is padding: then it ends where the wish is.
 *
 *	|xh+++w+L....txxx|
 *	|xhw++++L....txxx|
 *
 * Units with errata: what may be overwritten when the window is full is padding,
 * and what may be written behind the limit is free.
 *
 *	|xxh000B00+++++++L..t|
 */
static int plan_full(const struct v9_aux *aux, struct v9_window *w)
{
	uint64_t head = aux->head % aux->size;
	uint64_t span = end_of_run(aux, head);
	uint64_t tail = head + aux->free;		/* not wrapped */
	uint64_t wake, lap = 0, behind = 0;

	w->pad_at = head;
	w->ptr = first_pointer(aux, head, span);
	if (aux->skip_bytes) {
		if (!aux->twice)
			return -ENOSPC;
		w->base = up(head, aux->granule);
		w->ptr = w->base + up(aux->skip_bytes, aux->align);
	}
	w->pad = w->ptr - head;
	if (aux->free < w->pad)
		return -ENOSPC;
	if (w->ptr == span) {
		lap = span % aux->size ? 0 : span;
		w->ptr -= lap;
		tail -= lap;
		span = end_of_run(aux, w->ptr);
	}
	if (aux->run)
		w->base = down(w->ptr, aux->run);

	if (tail < aux->overrun_bytes)
		return -ENOSPC;
	tail -= aux->overrun_bytes;
	if (aux->wraps && !aux->overrun_bytes && tail > span &&
	    (!aux->max || aux->size <= aux->max))
		behind = tail - span;
	if (tail > span - aux->overrun_bytes)
		tail = span - aux->overrun_bytes;
	w->limit = down(tail, aux->granule);
	cut_to_size(aux, w);
	if (w->limit < w->ptr + aux->max_record)
		return -ENOSPC;

	/* From the pointer on; a past wish was served. */
	wake = aux->wakeup - aux->head - w->pad;
	if (aux->wakeup <= aux->head + w->pad)
		wake = ~UINT64_C(0);
	/* A unit that can interrupt and write on gets all that is free. */
	w->stop = v9_plan_stop(aux, w->limit - w->ptr, behind, wake);
	if (w->stop)
		return 0;
	if (aux->early)
		w->early = v9_plan_early(aux, w->limit - w->ptr, wake);
	if (w->early || wake > w->limit - w->ptr)
		return 0;
	if (!aux->exact)
		wake += aux->max_record - 1;
	else if (wake < aux->max_record)
		wake = aux->max_record;
	wake = up(w->ptr + wake, aux->granule);
	if (wake < w->limit)
		w->limit = wake;
	return 0;
}

int v9_plan_window(const struct v9_aux *aux, struct v9_window *w)
{
	int err;

	*w = (struct v9_window){ 0 };
	if (!aux->snapshot)
		err = plan_full(aux, w);
	else if (aux->twice || aux->wraps)
		err = plan_round(aux, w);
	else
		err = plan_snapshot(aux, w);
	if (err)
		*w = (struct v9_window){ 0 };
	return err;
}

/*
 * The unit went round or not; how often, nobody knows. Bytes from the base up to
 * the start are written in the second turn first:
 *
 *	|xxxB..+++p.....|...L      not wrapped
 *	|xxxB+p???++++++|+++L      ?  of the second turn, or left alone
 *	|xxxB++++++p++++|+++L      all of it
 *	       s
 */
int v9_plan_wrapped(uint64_t start, uint64_t base, uint64_t limit, uint64_t ptr, bool wrapped,
		    struct v9_wrapped *wrapped_data)
{
	uint64_t size = limit - base;

	memset(wrapped_data, 0, sizeof(*wrapped_data));
	if (ptr < (wrapped ? base : start) || ptr > limit)
		return -ERANGE;
	wrapped_data->moved = ptr - start + (wrapped ? size : 0);
	wrapped_data->data = wrapped_data->moved < size ? wrapped_data->moved : size;
	wrapped_data->stale = wrapped ? size - wrapped_data->data : 0;
	wrapped_data->pad = -ptr & 7;
	return 0;
}

void v9_plan_fill(struct v9_aux *aux, uint8_t *base, uint8_t padding, uint64_t at, uint64_t n)
{
	uint64_t room = (aux->size << aux->twice) - at, first = n < room ? n : room;

	memset(base + at, padding, first);
	memset(base, padding, n - first);
	aux->filled |= n;
}
