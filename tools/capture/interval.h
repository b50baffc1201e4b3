/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How often a profiling unit samples: what it was programmed with, and what it makes of that. */
#ifndef V9TRACE_CAPTURE_INTERVAL_H
#define V9TRACE_CAPTURE_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct v9_interval {
	uint64_t mean;		/* operations from sample to sample; 0: not known */
	bool random;		/* a random part is in it */
	bool unsure;		/* the mean may be 127 less: the file does not say how that is added */
	uint64_t least;		/* the shortest that the unit advises; 0: not known */
	bool shorter;		/* than that */
};

/* From the section PD_REGISTERS; of units of one kind, which are all programmed alike. */
void v9_interval_read(struct v9_interval *interval, const uint8_t *section, uint64_t size);

#endif
