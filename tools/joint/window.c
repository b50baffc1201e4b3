// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A timestamp is a gap that hides nothing, with a time: what is before it was executed before that time.
 * The first block is a gap for all that was dropped, with the time up to which that is.
 */
#include "window.h"

#include <stdlib.h>
#include <string.h>

#include "../util.h"

#define FRESH	(w->most / 8)	/* blocks that are worth a try */

static struct v9_joint_block *append(struct v9_joint_window *w, const struct v9_joint_block *b)
{
	/* One more is kept free for the gap at the end. */
	if (w->nr + 2 > w->room) {
		w->room = w->room ? 2 * w->room : 256;
		w->block = v9_realloc(w->block, w->room * sizeof(*w->block));
	}
	w->block[w->nr] = *b;
	w->fresh++;
	return &w->block[w->nr++];
}

static void append_gap(struct v9_joint_window *w, uint8_t hides)
{
	append(w, &(struct v9_joint_block){ .hides = hides });
}

void v9_joint_window_init(struct v9_joint_window *w, const struct v9_joint_clocks *clocks, size_t most,
			  const struct v9_joint_user *user)
{
	*w = (struct v9_joint_window){ .clocks = *clocks, .most = most, .user = user };
	w->sample = v9_alloc((V9_JOINT_BATCH + 1) * sizeof(*w->sample));
	w->place = v9_alloc(V9_JOINT_BATCH * sizeof(*w->place));
	append_gap(w, V9_JOINT_ANY);
	w->hidden = V9_JOINT_ANY;
}

void v9_joint_window_free(struct v9_joint_window *w)
{
	free(w->block);
	free(w->sample);
	free(w->place);
	*w = (struct v9_joint_window){ .block = NULL };
}

/* --- samples -------------------------------------------------------------------- */

/* Gets samples whose whole time is before @limit. Returns false if there is none. */
static bool gather(struct v9_joint_window *w, uint64_t limit)
{
	uint64_t low, high;

	while (w->nr_samples < V9_JOINT_BATCH) {
		struct v9_joint_sample *s = &w->sample[w->nr_samples];

		if (!w->ahead && !w->ended) {
			w->ahead = w->user->next(w->user->arg, s);
			w->ended = !w->ahead;
		}
		if (!w->ahead)
			break;
		if (limit != UINT64_MAX && (!v9_joint_span(s, &w->clocks, &low, &high) || high >= limit))
			break;
		w->ahead = false;
		w->nr_samples++;
	}
	return w->nr_samples;
}

static void place(struct v9_joint_window *w, size_t blocks)
{
	const size_t n = w->nr_samples;

	if (w->measured) {
		w->used += v9_joint_offset_near(w->block, blocks, w->sample, n, &w->clocks, w->measured);
	} else {
		v9_joint_place(w->block, blocks, w->sample, n, &w->clocks, w->place);
		for (size_t i = 0; i < n; i++)
			w->user->place(w->user->arg, w, &w->sample[i], &w->place[i]);
	}
	w->sample[0] = w->sample[n];
	w->nr_samples = 0;
}

/* --- what is in memory ------------------------------------------------------------ */

/* Blocks before the one at @at, a timestamp, become a gap. */
static void drop(struct v9_joint_window *w, size_t at)
{
	if (!at)
		return;
	memmove(w->block, w->block + at, (w->nr - at) * sizeof(*w->block));
	w->block[0].hides = V9_JOINT_ANY;
	w->nr -= at;
	w->timed = w->timed > at ? w->timed - at : 0;
	w->marker = w->marker > at ? w->marker - at : 0;
}

/* Drops what no sample can be in any more. */
static void drop_past(struct v9_joint_window *w)
{
	uint64_t low = UINT64_MAX, high;
	size_t at = w->timed;

	if (w->ahead)
		v9_joint_span(&w->sample[0], &w->clocks, &low, &high);
	while (at && !(w->block[at].has & V9_JOINT_TIME && !w->block[at].n && w->block[at].time < low &&
		       low - w->block[at].time > w->clocks.trace_step))
		at--;
	drop(w, at);
}

/* There was no timestamp for too long. */
static void drop_all(struct v9_joint_window *w)
{
	drop(w, w->timed);
	w->nr = 1;
	append_gap(w, V9_JOINT_ANY);
	w->hidden = V9_JOINT_ANY;
	w->marker = 0;
	w->dropped++;
}

/* Places samples that are before the last timestamp. */
static void try_to_place(struct v9_joint_window *w)
{
	const size_t end = w->timed + 1;
	struct v9_joint_block kept;
	long backwards;

	w->fresh = 0;
	if (w->timed) {
		kept = w->block[end];
		w->block[end] = (struct v9_joint_block){ .hides = V9_JOINT_ANY };
		backwards = v9_joint_times(w->block, end + 1, &w->clocks);
		w->backwards += backwards > 0 ? (uint64_t)backwards : 0;
		while (gather(w, w->block[end].least))
			place(w, end + 1);
		w->block[end] = kept;
		drop_past(w);
	}
	if (w->nr > w->most)
		drop_all(w);
}

static void grown(struct v9_joint_window *w)
{
	if (w->nr > w->most && w->fresh > FRESH)
		try_to_place(w);
}

struct v9_joint_block *v9_joint_window_add(struct v9_joint_window *w, const struct v9_joint_block *b)
{
	struct v9_joint_block *at;

	grown(w);
	v9_joint_window_element(w);
	at = append(w, b);
	at->has &= (uint8_t)~(V9_JOINT_TIME | V9_JOINT_CYCLES | V9_JOINT_COUNT);
	at->cycles = 0;
	return at;
}

void v9_joint_window_gap(struct v9_joint_window *w, uint8_t hides)
{
	grown(w);
	w->hidden |= hides;
	append_gap(w, hides);
}

void v9_joint_window_element(struct v9_joint_window *w)
{
	w->hidden = 0;
	w->counted = false;
	w->cycles = 0;
}

static uint32_t sum_of(uint32_t cycles, uint32_t more)
{
	return cycles > V9_JOINT_CYCLES_MOST - more ? V9_JOINT_CYCLES_MOST : cycles + more;
}

/* The end of a timestamp is what it belongs to, so a count behind it is that of another gap. */
void v9_joint_window_count(struct v9_joint_window *w, uint32_t cycles)
{
	struct v9_joint_block *b = &w->block[w->nr - 1];

	cycles = sum_of(0, cycles);
	w->counted = true;
	w->cycles = sum_of(w->cycles, cycles);
	if (!b->n && !(b->has & V9_JOINT_CYCLES)) {
		append_gap(w, 0);
		b = &w->block[w->nr - 1];
	}
	b->has |= V9_JOINT_CYCLES;
	b->cycles = sum_of(b->cycles, cycles);
}

/*
 * What has the time of a timestamp is before these gaps, or the timestamp was taken behind them: they may
 * be at both sides. If cycles were counted since then, that was before this count, or behind the gaps; and a unit
 * may count those of the timestamp from this count or from the one before (ETE-R_ZMQLT).
 */
static size_t append_time(struct v9_joint_window *w)
{
	const size_t at = w->nr;

	append(w, &(struct v9_joint_block){
		.has = w->counted ? V9_JOINT_COUNT : 0, .least_count = -(int32_t)w->cycles,
		.most_count = w->hidden ? INT32_MAX : 0,
	});
	if (w->hidden)
		append_gap(w, w->hidden);
	return at;
}

void v9_joint_window_marker(struct v9_joint_window *w, bool belongs)
{
	w->marker = belongs ? append_time(w) : 0;
}

void v9_joint_window_time(struct v9_joint_window *w, uint64_t time, bool counted, uint32_t cycles)
{
	struct v9_joint_block *b;
	size_t at = w->marker;

	if (!at && w->marks)
		return;
	if (!at)
		at = append_time(w);
	w->marker = 0;
	b = &w->block[at];
	b->time = time;
	b->has |= V9_JOINT_TIME;
	if (counted && !(b->has & V9_JOINT_COUNT)) {
		b->has |= V9_JOINT_COUNT;
		b->least_count = b->most_count = (int32_t)sum_of(0, cycles);
	}
	w->timed = at;
	if (w->fresh > FRESH)
		try_to_place(w);
}

void v9_joint_window_end(struct v9_joint_window *w)
{
	append_gap(w, V9_JOINT_ANY);
	v9_joint_times(w->block, w->nr, &w->clocks);
	while (gather(w, UINT64_MAX))
		place(w, w->nr);
}
