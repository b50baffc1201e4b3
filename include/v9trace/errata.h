/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Errata of processors that concern trace and profiling, by MIDR_EL1.
 */
#ifndef V9TRACE_ERRATA_H
#define V9TRACE_ERRATA_H

#include "base.h"

/* Bits of v9_errata(). */
#define V9_ERRATUM_1694299	V9_BIT(0)
#define V9_ERRATUM_2119858	V9_BIT(1)
#define V9_ERRATUM_2139208	V9_BIT(2)
#define V9_ERRATUM_2224489	V9_BIT(3)
#define V9_ERRATUM_2253138	V9_BIT(4)
#define V9_ERRATUM_2054223	V9_BIT(5)
#define V9_ERRATUM_2067961	V9_BIT(6)
#define V9_ERRATUM_2064142	V9_BIT(7)
#define V9_ERRATUM_2038923	V9_BIT(8)
#define V9_ERRATUM_1902691	V9_BIT(9)

/* Those of the profiling unit; all others are of the trace unit and its buffer. */
#define V9_ERRATA_SPE		V9_ERRATUM_1694299
#define V9_ERRATA_TRACE		(~V9_ERRATA_SPE)

/* Bytes behind the base that a full buffer may overwrite: three cache lines, rounded up. */
#define V9_TRBE_SKIP_BYTES		256

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

/* What to do about them: @errata is what v9_errata() said. */

/* When it is full, the first V9_TRBE_SKIP_BYTES bytes from the base on are overwritten. */
static inline bool v9_trbe_may_overwrite_base(uint64_t errata)
{
	return errata & (V9_ERRATUM_2119858 | V9_ERRATUM_2139208);
}

/* At the limit 64 bytes may be written to what follows, instead of to the base. */
static inline bool v9_trbe_may_overrun_limit(uint64_t errata)
{
	return errata & (V9_ERRATUM_2224489 | V9_ERRATUM_2253138);
}

/* One TSB CSYNC where tracing is prohibited may leave trace behind. */
static inline bool v9_trbe_needs_second_tsb(uint64_t errata)
{
	return errata & (V9_ERRATUM_2054223 | V9_ERRATUM_2067961);
}

/* Registers do not take writes after the buffer was disabled, until it is drained again. */
static inline bool v9_trbe_needs_second_drain(uint64_t errata)
{
	return errata & V9_ERRATUM_2064142;
}

/* Where tracing is prohibited is clear only after a second synchronization. */
static inline bool v9_trbe_needs_second_isb(uint64_t errata)
{
	return errata & V9_ERRATUM_2038923;
}

/* What it writes is not what was traced. */
static inline bool v9_trbe_is_broken(uint64_t errata)
{
	return errata & V9_ERRATUM_1902691;
}

#endif
