/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Places the samples of one CPU while its trace is read, with a limited number of blocks in memory: those
 * between two timestamps of the trace around the next samples. What is not in memory is a gap to
 * v9_joint_place(), so what is called exact there is exact.
 */
#ifndef V9TRACE_JOINT_WINDOW_H
#define V9TRACE_JOINT_WINDOW_H

#include "place.h"

#define V9_JOINT_ANY	0xf	/* a gap that hides instructions at any level */
#define V9_JOINT_BATCH	2048	/* samples that are placed at once, at most */
#define V9_JOINT_CYCLES_MOST	INT32_MAX

struct v9_joint_window;

/**
 * struct v9_joint_user - where samples come from, and what becomes of them
 * @next: gets the next sample in the order of the unit, which has a time. Returns false if there is none
 * @place: receives samples in that order, each with its place in w->block. At most V9_JOINT_BATCH + 1
 *	   samples were got and not placed yet
 */
struct v9_joint_user {
	bool (*next)(void *arg, struct v9_joint_sample *s);
	void (*place)(void *arg, const struct v9_joint_window *w, const struct v9_joint_sample *s,
		      const struct v9_joint_place *p);
	void *arg;
};

/**
 * struct v9_joint_window - a part of the trace of one CPU
 * @clocks: what is known of the clocks
 * @measured: NULL, or samples are not placed: they narrow the offset of these, see v9_joint_offset_near()
 * @used: samples that did
 * @most: blocks in memory, about
 * @marks: each timestamp has a marker; one without it belongs nowhere
 * @dropped: times that blocks became a gap because there was no timestamp for too long
 * @backwards: timestamps that go backwards
 * @block: the part in memory
 */
struct v9_joint_window {
	struct v9_joint_clocks clocks, *measured;
	size_t used, most;
	bool marks;
	uint64_t dropped, backwards;
	struct v9_joint_block *block;
	/* private */
	const struct v9_joint_user *user;
	size_t nr, room;
	size_t timed;			/* index of the last timestamp; 0: none */
	size_t marker;			/* where the next timestamp belongs; 0: no marker */
	size_t fresh;			/* blocks since the last try to place samples */
	uint8_t hidden;			/* levels of gaps behind the last element that can have a time */
	bool counted;			/* cycles were counted behind that element */
	uint32_t cycles;		/* so many; V9_JOINT_CYCLES_MOST: or more */
	struct v9_joint_sample *sample;
	struct v9_joint_place *place;
	size_t nr_samples;
	bool ahead;			/* sample[nr_samples] was got, too */
	bool ended;			/* there are no more samples */
};

/* Begins with nothing known of what came before. @most: at least 64 */
void v9_joint_window_init(struct v9_joint_window *w, const struct v9_joint_clocks *clocks, size_t most,
			  const struct v9_joint_user *user);

/*
 * Instructions were executed. Time and counts of @b are not used. Returns the block, which the caller may change
 * before the next call.
 */
struct v9_joint_block *v9_joint_window_add(struct v9_joint_window *w, const struct v9_joint_block *b);

/* Instructions at these levels (bits) may have been executed. */
void v9_joint_window_gap(struct v9_joint_window *w, uint8_t hides);

/* An exception or event, which can have a timestamp as a block can */
void v9_joint_window_element(struct v9_joint_window *w);

/* The next timestamp belongs here; @belongs false: the marker before is void. */
void v9_joint_window_marker(struct v9_joint_window *w, bool belongs);

/* Cycles since the last count; 0: not known */
void v9_joint_window_count(struct v9_joint_window *w, uint32_t cycles);

/*
 * A timestamp: of the last element, or of the marker. @cycles: from the last count before that element or
 * marker to that, if @counted. Places samples that are before it, at times.
 */
void v9_joint_window_time(struct v9_joint_window *w, uint64_t time, bool counted, uint32_t cycles);

/* The trace ends. Places all other samples. */
void v9_joint_window_end(struct v9_joint_window *w);
void v9_joint_window_free(struct v9_joint_window *w);

#endif
