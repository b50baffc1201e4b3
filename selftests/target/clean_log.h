/* SPDX-License-Identifier: GPL-2.0-only */
/* The last test of a test program. The program includes this file where the test is to run. */
#ifndef V9_SELFTEST_CLEAN_LOG_H
#define V9_SELFTEST_CLEAN_LOG_H

#include "harness.h"
#include "machine.h"

/* The harness runs plain tests first, then fixtures in the order of the file. */
FIXTURE(kernel)
{
};

FIXTURE_SETUP(kernel)
{
}

FIXTURE_TEARDOWN(kernel)
{
}

/* The kernel log has no warning or error since the collection v9trace began, or since boot. */
TEST_F(kernel, kernel_log_is_clean)
{
	int found = log_complaints();

	if (found < 0)
		SKIP(return, "readable /dev/kmsg");
	EXPECT_EQ(0, found);
}

#endif
