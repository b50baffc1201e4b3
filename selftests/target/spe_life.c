// SPDX-License-Identifier: GPL-2.0-only
/* Control groups and process trees that are profiled; see life.h. */
#define _GNU_SOURCE
#include "spe_watch.h"
#include "life.h"

TEST_HARNESS_MAIN
