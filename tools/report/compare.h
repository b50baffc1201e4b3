/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Is a difference between two shares more than chance? */
#ifndef V9TRACE_REPORT_COMPARE_H
#define V9TRACE_REPORT_COMPARE_H

#include <stdint.h>

/*
 * Of @n1 samples @k1 are of a kind, of @n2 others @k2. Returns the probability, 0 to 1, that samples of
 * the same population differ as much or more: Fisher's exact test, two-sided, and for large counts its
 * approximation by the normal distribution. 1 if there are no samples.
 */
double v9_chance(uint64_t k1, uint64_t n1, uint64_t k2, uint64_t n2);

#endif
