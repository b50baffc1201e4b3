/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Takes a recording of two units apart that has the records of both in one data section, which perf cannot
 * read: makes the halves (struct pd_half) of it.
 */
#ifndef V9TRACE_CAPTURE_APART_H
#define V9TRACE_CAPTURE_APART_H

#include <stdio.h>

#include "file.h"

/* The AUXTRACE_INFO records of a file, in their order */
struct v9_apart {
	struct pd_file *f;
	struct v9_aux_unit {
		uint32_t unit;		/* PD_AUXTRACE_* */
		uint64_t pmu;		/* type of its PMU; 0: not known */
	} *units;
	size_t nr_units;
};

/* Reads what @f has. v9_apart_close() in any case */
void v9_apart_open(struct v9_apart *a, struct pd_file *f);
void v9_apart_close(struct v9_apart *a);

/* Does the file have AUX data of both SPE and ETE? */
bool v9_apart_has_both(const struct v9_apart *a);

/*
 * Writes the half that @half describes. Returns the result of reading as pd_next(): 0, -ENODATA, -EBADMSG;
 * what was read until then is written. ferror(@out) says whether writing failed.
 */
int v9_apart_write(const struct v9_apart *a, const struct pd_half *half, FILE *out);

#endif
