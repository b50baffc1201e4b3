/* SPDX-License-Identifier: GPL-2.0-only */
/* The events of a simulated kernel: files in memory stand for their descriptors. */
#ifndef V9_TEST_FAKE_EVENTS_H
#define V9_TEST_FAKE_EVENTS_H

#include <stdbool.h>
#include <linux/perf_event.h>

#define EVENTS	256

static struct fake_event {
	struct perf_event_attr attr;
	int fd, tid, cpu;
	int output;		/* number of the event whose ring it uses; -1: its own */
	bool on;
	bool wrote;		/* its unit has written its records */
} event[EVENTS];
static int events;

/* The number of the newest event with a descriptor, as numbers of descriptors are used again; -1: none has it */
static inline int event_of(int fd)
{
	for (int i = events - 1; i >= 0; i--)
		if (event[i].fd == fd)
			return i;
	return -1;
}

#endif
