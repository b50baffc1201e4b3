// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Computes the next window.
 *
 * The AUX buffer is a ring for perf, but not for the unit: it writes upwards from its pointer, and
 * stops when less than a record fits below the limit. Letters in the drawings:
 *
 *	x  data that the reader has not read yet
 *	.  free
 *	0  padding that the driver writes
 *	+  window
 *	h  head     t  tail, end of the free part     w  wakeup     B  base    L  limit
 *
 * A buffer may be mapped twice, the second mapping directly behind the first. Each part of the
 * ring is contiguous in this mapping:
 *
 *	|...txxxxxxh++++|++L.xxxxxx|....|
 *
 * A buffer that is one run of memory is mapped once, by its linear mapping. A unit that wraps
 * continues at the start of such a buffer by itself.
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

/* Returns the highest limit for a pointer @at, if the unit takes buffers of at most @max bytes. */
static uint64_t end_of_size(const struct v9_aux *aux, uint64_t at)
{
	return down(at, aux->granule) + down(aux->max, aux->granule);
}

/*
 * The base is the start of the buffer if the unit takes the whole buffer. Otherwise it is as near
 * to the pointer as alignment permits.
 *
 *	|xh++++++++++++L|	the unit takes the whole buffer
 *	|xxxxB+h++L.....|	it takes less: the rest is for later windows
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
 * Returns the first byte from @at on that is aligned as a first write pointer (SPE-PB3) and has
 * room for one record before @end. If there is none, or if only padding fits before @end, the
 * function returns @end. The window then begins there, or at the start of the ring, both of which
 * are aligned.
 *
 *	|xxxxxh00+++++++|	round up to the alignment
 *	|++++++++++xxh00|	too near the end of the buffer: wrap
 *	|xxh00+++|.....t|	in a window of one granule: too near its end
 */
static uint64_t first_pointer(const struct v9_aux *aux, uint64_t at, uint64_t end)
{
	uint64_t ptr = up(at, aux->align);

	if (aux->max && end_of_size(aux, ptr) < ptr + aux->max_record)
		ptr = up(ptr, aux->granule);
	return ptr + aux->max_record <= end ? ptr : end;
}

/*
 * Overwritten buffer of a unit that does not wrap: the unit writes one half at a time. A decoder
 * cannot decode backwards, and after a wrap the oldest bytes begin inside a record. Each half
 * begins with a whole record, so at least half of the buffer can always be decoded.
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
 * Overwritten buffer of a unit that wraps, mapped twice. The window is the whole buffer from the
 * start of the session on, so that after one wrap each byte is of this session, wherever the unit
 * stops:
 *
 *	|xxxx0B+++++++++|+++++L....|....|
 *	     h
 *
 * The base is aligned to a granule, so it is up to one granule before the start; v9_plan_wrapped()
 * takes this into account. In a buffer that is mapped once the base is the start of the buffer:
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

/* A window ends at the end of its run of memory. */
static uint64_t end_of_run(const struct v9_aux *aux, uint64_t at)
{
	if (aux->twice)
		return 2 * aux->size;
	return aux->run ? down(at, aux->run) + aux->run : aux->size;
}

/*
 * All bytes from the head up to the tail or the end of the buffer, whichever comes first, rounded
 * down to whole granules (SPE-PB1):
 *
 *	|....txxxh++++++L|	the free part wraps: up to the end now, the rest later
 *	|xh++++++++L.txxx|	the last granule before the tail is not whole
 *
 * The window does not extend beyond the place where the reader is certain to be woken, because
 * only a management event can wake it. The unit stops when less than a record fits. If that is
 * just before the wakeup position, the next window would be one granule, so the limit is after the
 * wakeup position by a record. If the rest of a full window becomes padding (@exact), the window
 * ends at the wakeup position. Both of these limits are rounded up to a granule.
 *
 *	|xh+++w+L....txxx|
 *	|xhw++++L....txxx|
 *
 * For units with errata, the bytes that a unit may overwrite when the window is full are padding,
 * and the bytes behind the limit that it may write are free.
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

	/*
	 * Bytes from the pointer on. If the wakeup position is not after the pointer, the reader
	 * has been woken for it already.
	 */
	wake = aux->wakeup - aux->head - w->pad;
	if (aux->wakeup <= aux->head + w->pad)
		wake = ~UINT64_C(0);
	/* A unit that can interrupt and continue gets the whole free part. */
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
	w->limit = wake < w->limit ? wake : w->limit;
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
 * The driver can read whether the unit wrapped, but not how often. After the first wrap the unit
 * continues at the base, which is before the start:
 *
 *	|xxxB..+++p.....|...L      not wrapped
 *	|xxxB+p???++++++|+++L      ?  written after the wrap, or not
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

void v9_plan_closed(const struct v9_wrapped *w, bool data, uint64_t size, struct v9_closed *c)
{
	memset(c, 0, sizeof(*c));
	if (!data) {
		c->fill = w->data;
		c->dropped = w->data;
		return;
	}
	c->moved = w->moved;
	c->fill = w->stale > w->pad ? w->stale : w->pad;
	c->pad = w->pad;
	c->used = w->data + w->pad < size ? w->data + w->pad : size;
}

void v9_plan_fill(struct v9_aux *aux, uint8_t *base, uint8_t padding, uint64_t at, uint64_t n)
{
	uint64_t room = (aux->size << aux->twice) - at, first = n < room ? n : room;

	memset(base + at, padding, first);
	memset(base, padding, n - first);
	aux->filled |= n;
}
