/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's kselftest harness, with macros that skip a test whose requirements are missing. */
#ifndef V9_SELFTEST_HARNESS_H
#define V9_SELFTEST_HARNESS_H

#include "kselftest_harness.h"

#include <inttypes.h>

/* Timeout in seconds. It only ends tests that hang, since emulated machines are slow. */
#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT 180

#define NEED(cond, ...)								\
	do {									\
		if (!(cond))							\
			SKIP(return, __VA_ARGS__);				\
	} while (0)

#define NEED_PERFMON()								\
	NEED(perfmon_allowed(), "CAP_PERFMON missing")

/*
 * The variants of a fixture, one for each unit. @member declares what a test needs to know of the
 * unit; of_spe and of_ete are its values.
 */
#define UNIT_VARIANTS(fixture, member, of_spe, of_ete)	\
	FIXTURE_VARIANT(fixture) { member; };		\
	FIXTURE_VARIANT_ADD(fixture, spe) { of_spe };	\
	FIXTURE_VARIANT_ADD(fixture, ete) { of_ete }

#endif
