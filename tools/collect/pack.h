/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Records packed as perf record -z does it: one stream of zstd through all COMPRESSED records of a
 * file, each of which can be unpacked when those before it were.
 */
#ifndef V9TRACE_COLLECT_PACK_H
#define V9TRACE_COLLECT_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../perfdata.h"
#include "../util.h"

#define V9_PACK_LEVEL		1	/* perf's own */
#define V9_PACK_LEVEL_MOST	22

struct v9_pack;

struct v9_pack *v9_pack_new(int level);
void v9_pack_delete(struct v9_pack *p);

/*
 * Of @n bytes of whole records: how many, from the first on, go into one COMPRESSED record. 0: the
 * first stays as it is.
 */
size_t v9_pack_run(const uint8_t *records, size_t n);

/* Adds the COMPRESSED record of such a run. */
void v9_pack_add(struct v9_pack *p, const uint8_t *records, size_t n, struct v9_buf *out);

/* What a reader must know beforehand: section PD_COMPRESSED. */
void v9_pack_section(const struct v9_pack *p, struct v9_buf *out);

#endif
