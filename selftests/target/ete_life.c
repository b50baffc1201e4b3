// SPDX-License-Identifier: GPL-2.0-only
/* Control groups and process trees that are traced; see life.h. */
#define _GNU_SOURCE
#include "ete_watch.h"
#include "life.h"

TEST_HARNESS_MAIN
