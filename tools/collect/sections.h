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

/* Fill the sections that v9_sections_tracing(), v9_code_section(), v9_cgroup_log_end() and _file() do not. */
void v9_sections_fill(struct v9_blob s[PD_FEATURE_BITS], const struct v9_rings *r,
		      const struct v9_record_counts *counts, struct v9_objects *objects, char **argv);

/* Set the sections that differ between the files of a recording: events, index of AUX data, compression. */
void v9_sections_file(struct v9_blob s[PD_FEATURE_BITS], const struct v9_writer *w);

#endif
