/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A recording for another command */
#ifndef V9TRACE_COLLECT_RECORD_H
#define V9TRACE_COLLECT_RECORD_H

#include "profiles.h"

/*
 * Records SPE as "v9trace record --aggregate" does with these arguments, and writes no profiles: @w looks at
 * the sums. Returns an exit status: not that of the command, unless it cannot be executed.
 */
int v9_record_watch(int argc, char **argv, const struct v9_profiles_watch *w);

/* Sets *@ns to the time of a --duration, up to a year. Returns 0, or -EINVAL after an error message. */
int v9_record_duration(const char *text, uint64_t *ns);

#endif
