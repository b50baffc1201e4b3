/* SPDX-License-Identifier: GPL-2.0-only */
/* The last test of a program: included where it is to be. */
#ifndef V9_SELFTEST_CLEAN_LOG_H
#define V9_SELFTEST_CLEAN_LOG_H

#include "harness.h"
#include "machine.h"

/* The harness runs fixtures in the order of the file, and plain tests before them. */
FIXTURE(kernel)
{
};

FIXTURE_SETUP(kernel)
{
}

FIXTURE_TEARDOWN(kernel)
{
}

/* Nothing the kernel complains about, since run.sh wrote its line or since boot. */
TEST_F(kernel, kernel_log_is_clean)
{
	int found = log_complaints();

	if (found < 0)
		SKIP(return, "readable /dev/kmsg");
	EXPECT_EQ(0, found);
}

#endif
