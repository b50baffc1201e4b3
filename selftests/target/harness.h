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

#endif
