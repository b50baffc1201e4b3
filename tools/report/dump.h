/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* v9trace dump: AUX data by kind of trace. */
#ifndef V9TRACE_REPORT_DUMP_H
#define V9TRACE_REPORT_DUMP_H

#include "../capture/session.h"

/* AUX data to print: an AUX chunk of a capture, or a file of raw data. */
struct v9_dump {
	const struct v9_session *s;	/* NULL: raw data */
	struct v9_chunk chunk;
	uint32_t cpu, tid;		/* of the chunk; UINT32_MAX: unknown */
};

/* Print the beginning of a line: the offset and @n bytes. */
void v9_dump_bytes(uint64_t offset, const uint8_t *p, size_t n);

/* The functions of the rows of v9_kinds. */
void v9_dump_spe(const struct v9_dump *d, void **state);
void v9_dump_ete(const struct v9_dump *d, void **state);
void v9_dump_ete_end(void *state);

#endif
