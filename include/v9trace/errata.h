/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Errata of processors that concern trace and profiling, by MIDR_EL1.
 */
#ifndef V9TRACE_ERRATA_H
#define V9TRACE_ERRATA_H

#include "base.h"

/* Bits of v9_errata(), one per row. */
#define V9_ERRATUM_1694299	V9_BIT(0)
#define V9_ERRATUM_2119858	V9_BIT(1)
#define V9_ERRATUM_2139208	V9_BIT(2)
#define V9_ERRATUM_1902691	V9_BIT(3)
#define V9_ERRATUM_2038923	V9_BIT(4)
#define V9_ERRATUM_2064142	V9_BIT(5)

/* Trace buffers that write where they must not, or garbage, without workarounds we lack. */
#define V9_ERRATA_NO_TRBE	(V9_ERRATUM_2119858 | V9_ERRATUM_2139208 | V9_ERRATUM_1902691 | \
				 V9_ERRATUM_2038923 | V9_ERRATUM_2064142)

/**
 * struct v9_erratum - one erratum on one range of processors
 * @bit: V9_ERRATUM_*
 * @number: as the vendor counts
 * @part: implementer and part number, in place in MIDR_EL1
 * @first: variant << 4 | revision
 * @last: likewise, the last one concerned
 * @effect: what a user sees, one line
 */
struct v9_erratum {
	uint64_t bit;
	uint32_t number;
	uint32_t part;
	uint8_t first;
	uint8_t last;
	const char *effect;
};

/**
 * v9_erratum - walk the table
 * @i: row
 *
 * Return: the row, NULL after the last.
 */
const struct v9_erratum *v9_erratum(unsigned int i);

/**
 * v9_errata - which errata a processor has
 * @midr: its MIDR_EL1
 *
 * Return: V9_ERRATUM_* bits.
 */
uint64_t v9_errata(uint64_t midr);

#endif
