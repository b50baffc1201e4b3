/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The optional sections of the file: who recorded what, where, with which formats. */
#ifndef V9TRACE_COLLECT_SECTIONS_H
#define V9TRACE_COLLECT_SECTIONS_H

#include "rings.h"
#include "sideband.h"
#include "writer.h"

/* Tracepoint formats as libtraceevent reads them; empty if there is no tracepoint. */
void v9_sections_tracing(struct v9_buf *out, const struct v9_event *ev, int evs);

/* All others but TRACING_DATA, which the caller has already, into s[]. */
void v9_sections_fill(struct v9_buf s[PD_FEATURE_BITS], const struct v9_rings *r,
		      const struct v9_counts *counts, struct v9_objects *objects,
		      const struct v9_buf *aux_index, char **argv);

#endif
