/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The sampling interval that a profiling unit uses, from its registers */
#ifndef V9TRACE_CAPTURE_INTERVAL_H
#define V9TRACE_CAPTURE_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a unit samples: PMSIDR_EL1.ArchInst */
enum v9_population {
	V9_POPULATION_UNKNOWN,
	V9_POPULATION_INSTRUCTIONS,
	V9_POPULATION_OPERATIONS,	/* micro-operations */
};

struct v9_interval {
	uint64_t reload;	/* PMSIRR_EL1.INTERVAL, in operations: the period; 0: not known */
	uint64_t mean;		/* mean number of operations between samples; 0: not known */
	bool random;		/* it has a random part */
	bool unsure;		/* the mean may be 127 lower: PMSIDR_EL1.ERnd is not in the file */
	enum v9_population population;
	uint64_t least;		/* recommended minimum of the unit; 0: not known */
	bool shorter;		/* the interval is below @least */
};

/* Reads the section PD_REGISTERS. All units of one type are programmed with the same values. */
void v9_interval_read(struct v9_interval *interval, const uint8_t *section, uint64_t size);

/* The interval of the same unit with another period, a multiple of 256. */
void v9_interval_change(struct v9_interval *interval, uint64_t period);

#endif
