/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The optional sections of the file: machine, kernel, command line, events, tracepoint formats. */
#ifndef V9TRACE_COLLECT_SECTIONS_H
#define V9TRACE_COLLECT_SECTIONS_H

#include "rings.h"
#include "sideband.h"
#include "writer.h"

/* Append PD_TRACING_DATA, as libtraceevent reads it. Appends nothing if there is no tracepoint. */
void v9_sections_tracing(struct v9_blob *out, const struct v9_event_spec *ev, int evs);

/* Append PD_REGISTERS. Appends nothing if no register is known. */
void v9_sections_registers(struct v9_blob *b, const struct v9_event_spec *ev, int evs);

/* Fill all sections of @s except PD_TRACING_DATA, PD_CODE and PD_COMPRESSED. */
void v9_sections_fill(struct v9_blob s[PD_FEATURE_BITS], const struct v9_rings *r,
		      const struct v9_record_counts *counts, struct v9_objects *objects,
		      const struct v9_blob *aux_index, char **argv);

#endif
