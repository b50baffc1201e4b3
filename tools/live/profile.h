/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The form in which a profile is written. tools/export has it, for the collector. */
#ifndef V9TRACE_LIVE_PROFILE_H
#define V9TRACE_LIVE_PROFILE_H

#include <stdio.h>

struct v9_live;

/* Ending of the names of the files */
#define V9_PROFILE_ENDING	".pb.gz"

/*
 * Writes .profile for pprof, with the names of functions as far as the files of objects are there. What
 * was lost is in its comments. Errors of @f are its caller's to look for.
 */
void v9_profile_write(const struct v9_live *l, FILE *f);

#endif
