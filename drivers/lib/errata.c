// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Errata by MIDR_EL1: those that the vendor has published, or that a source cites by number.
 * Documentation/errata.rst describes the effect of each one on these drivers.
 */
#include "v9trace/errata.h"

/* Fields of MIDR_EL1. */
#define PART_MASK	0xff00fff0u		/* Implementer, PartNum */
#define VARIANT(midr)	((midr) >> 20 & 0xf)
#define REVISION(midr)	((midr) & 0xf)

#define ARM(part)	(0x41000000u | (part) << 4)
#define MICROSOFT(part)	(0x6d000000u | (part) << 4)
#define RxPy(x, y)	((x) << 4 | (y))

#define ALL	RxPy(15, 15)

#define SKIPS	"a full trace buffer overwrites its beginning; 256 bytes of each window stay empty"
#define OVERRUN	"a full trace buffer writes beyond its end; one page behind it stays empty"
#define UNFLUSHED	"TSB CSYNC leaves trace behind; it is done twice"

/*
 * As in Linux, 2119858 and 2224489 apply to all revisions of Cortex-A710 (0xd47), and to some of
 * Cortex-X2 (0xd48).
 */
static const struct v9_erratum errata[] = {
	{ V9_ERRATUM_1694299, 1694299, ARM(0xd0c), RxPy(0, 0), RxPy(4, 0),
	  "SPE samples branch targets too often and what follows them too seldom" },
	{ V9_ERRATUM_2119858, 2119858, ARM(0xd47), RxPy(0, 0), ALL, SKIPS },
	{ V9_ERRATUM_2119858, 2119858, ARM(0xd48), RxPy(0, 0), RxPy(2, 0), SKIPS },
	{ V9_ERRATUM_2139208, 2139208, ARM(0xd49), RxPy(0, 0), ALL, SKIPS },
	{ V9_ERRATUM_2139208, 2139208, MICROSOFT(0xd49), RxPy(0, 0), ALL, SKIPS },
	{ V9_ERRATUM_2224489, 2224489, ARM(0xd47), RxPy(0, 0), ALL, OVERRUN },
	{ V9_ERRATUM_2224489, 2224489, ARM(0xd48), RxPy(0, 0), RxPy(2, 0), OVERRUN },
	{ V9_ERRATUM_2253138, 2253138, ARM(0xd49), RxPy(0, 0), ALL, OVERRUN },
	{ V9_ERRATUM_2253138, 2253138, MICROSOFT(0xd49), RxPy(0, 0), ALL, OVERRUN },
	{ V9_ERRATUM_2054223, 2054223, ARM(0xd47), RxPy(0, 0), ALL, UNFLUSHED },
	{ V9_ERRATUM_2067961, 2067961, ARM(0xd49), RxPy(0, 0), ALL, UNFLUSHED },
	{ V9_ERRATUM_2067961, 2067961, MICROSOFT(0xd49), RxPy(0, 0), ALL, UNFLUSHED },
	{ V9_ERRATUM_2064142, 2064142, ARM(0xd46), RxPy(0, 0), RxPy(0, 2),
	  "a disabled trace buffer ignores writes to its registers; it is drained twice" },
	{ V9_ERRATUM_2038923, 2038923, ARM(0xd46), RxPy(0, 0), RxPy(0, 2),
	  "enabling the trace buffer may corrupt it; it is synchronized twice" },
	{ V9_ERRATUM_1902691, 1902691, ARM(0xd46), RxPy(0, 0), RxPy(0, 1),
	  "the trace buffer holds corrupt trace" },
};

const struct v9_erratum *v9_erratum(unsigned int i)
{
	return i < V9_ARRAY_SIZE(errata) ? &errata[i] : NULL;
}

uint64_t v9_errata(uint64_t midr)
{
	unsigned int i, at = RxPy(VARIANT(midr), REVISION(midr));
	uint64_t found = 0;

	for (i = 0; i < V9_ARRAY_SIZE(errata); i++)
		if ((midr & PART_MASK) == errata[i].part && at >= errata[i].first &&
		    at <= errata[i].last)
			found |= errata[i].bit;
	return found;
}
