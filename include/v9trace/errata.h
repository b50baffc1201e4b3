/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Errata of processors that affect tracing and profiling, by MIDR_EL1.
 */
#ifndef V9TRACE_ERRATA_H
#define V9TRACE_ERRATA_H

#include "base.h"

/* Bits in the result of v9_errata() */
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

/* Errata of SPE; all others are of the trace unit and its buffer. */
#define V9_ERRATA_SPE		V9_ERRATUM_1694299
#define V9_ERRATA_TRACE		(~V9_ERRATA_SPE)

/*
 * Bytes behind the base that a full buffer may overwrite: three cache lines, rounded up to a power
 * of two
 */
#define V9_TRBE_SKIP_BYTES		256

/**
 * struct v9_erratum - an erratum of a range of revisions
 * @bit: V9_ERRATUM_*
 * @number: number in Arm's notice
 * @part: implementer and part number, as the fields of MIDR_EL1
 * @first: first affected revision, variant << 4 | revision
 * @last: last affected revision, likewise
 * @effect: effect for the user, one line
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
 * v9_erratum - row of the table of errata
 * @i: row
 *
 * Return: the row, or NULL after the last one.
 */
const struct v9_erratum *v9_erratum(unsigned int i);

/**
 * v9_errata - errata of a CPU
 * @midr: its MIDR_EL1
 *
 * Return: V9_ERRATUM_* bits.
 */
uint64_t v9_errata(uint64_t midr);

/* Conditions that need a workaround; @errata is a result of v9_errata(). */

/* A full buffer may overwrite the first V9_TRBE_SKIP_BYTES bytes from the base on. */
static inline bool v9_trbe_may_overwrite_base(uint64_t errata)
{
	return errata & (V9_ERRATUM_2119858 | V9_ERRATUM_2139208);
}

/* At the limit the unit may write 64 bytes behind the limit instead of to the base. */
static inline bool v9_trbe_may_overrun_limit(uint64_t errata)
{
	return errata & (V9_ERRATUM_2224489 | V9_ERRATUM_2253138);
}

/* A single TSB CSYNC in a prohibited region may not flush all trace. */
static inline bool v9_trbe_needs_second_tsb(uint64_t errata)
{
	return errata & (V9_ERRATUM_2054223 | V9_ERRATUM_2067961);
}

/* After the buffer is disabled, writes to registers are lost until a second drain. */
static inline bool v9_trbe_needs_second_drain(uint64_t errata)
{
	return errata & V9_ERRATUM_2064142;
}

/* Whether trace is prohibited is consistent only after a second context synchronization. */
static inline bool v9_trbe_needs_second_isb(uint64_t errata)
{
	return errata & V9_ERRATUM_2038923;
}

/* The trace that the buffer writes is corrupt. */
static inline bool v9_trbe_is_broken(uint64_t errata)
{
	return errata & V9_ERRATUM_1902691;
}

#endif
