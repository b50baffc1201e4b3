// SPDX-License-Identifier: GPL-2.0-only
/* A machine that is suspended while it is traced; see suspend.h. */
#define _GNU_SOURCE
#include "ete_watch.h"
#include "suspend.h"

TEST_HARNESS_MAIN
