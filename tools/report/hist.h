/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A histogram of any integers in little memory: values below 64 are kept exactly, of others the six
 * highest bits, so that a percentile is at most 1/32 too low. Sum, least and greatest value are exact.
 */
#ifndef V9TRACE_REPORT_HIST_H
#define V9TRACE_REPORT_HIST_H

#include <stddef.h>
#include <stdint.h>

/* All members 0: an empty one. */
struct v9_hist {
	uint64_t *count;		/* by bucket */
	size_t room;
	uint64_t n, sum, least, most;
};

void v9_hist_add(struct v9_hist *h, uint64_t value, uint64_t times);
void v9_hist_join(struct v9_hist *to, const struct v9_hist *from);
void v9_hist_free(struct v9_hist *h);

/*
 * Returns the smallest value of the bucket that the percentile is in: at least @percent of the
 * values are not greater than the greatest value of that bucket. 100: the greatest value.
 */
uint64_t v9_hist_percentile(const struct v9_hist *h, unsigned int percent);

/* Returns the number of values from @first to @last. Both must be borders of powers of two. */
uint64_t v9_hist_between(const struct v9_hist *h, uint64_t first, uint64_t last);

#endif
