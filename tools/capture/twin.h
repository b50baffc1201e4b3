/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The two files of a recording of two units, see struct pd_half: find the other one, join and split them. */
#ifndef V9TRACE_CAPTURE_TWIN_H
#define V9TRACE_CAPTURE_TWIN_H

#include <stddef.h>

#include "file.h"

/* Returns the name of the unit whose AUX data a half has. */
const char *v9_twin_unit(uint32_t unit);

/* Are these the two halves of one recording? */
bool v9_twin_fits(const struct pd_half *a, const struct pd_half *b);

/**
 * v9_twin_open - open the other half of a recording
 * @f: a half, with .half.magic set
 * @path: its file name; "-" is standard input, beside which there is no file
 * @why: gets the reason if it cannot be read; the caller frees it
 *
 * It is in @f, or beside it: under the name that follows from @path, else under the recorded one. Returns
 * its file name, which the caller frees, that of @f if it is in it; or NULL. Call pd_close() in both cases.
 */
char *v9_twin_open(struct pd_file *twin, const struct pd_file *f, const char *path, char **why);

#endif
