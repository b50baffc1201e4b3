/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Compression as by perf record -z: all COMPRESSED records of a file form one zstd stream. A record
 * can be decompressed after those before it.
 */
#ifndef V9TRACE_COLLECT_PACK_H
#define V9TRACE_COLLECT_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../perfdata.h"
#include "../util.h"

#define V9_PACK_LEVEL		1	/* the default, as in perf */
#define V9_PACK_LEVEL_MOST	22

struct v9_pack;

struct v9_pack *v9_pack_new(int level);
void v9_pack_delete(struct v9_pack *p);

/*
 * @records has @n bytes of whole records. Returns how many bytes from its begin can go into one
 * COMPRESSED record; 0: the first record must not be compressed.
 */
size_t v9_pack_run(const uint8_t *records, size_t n);

/* Append the COMPRESSED record of such a run of @n bytes to @out. */
void v9_pack_add(struct v9_pack *p, const uint8_t *records, size_t n, struct v9_blob *out);

/* Append the section PD_COMPRESSED to @out. */
void v9_pack_section(const struct v9_pack *p, struct v9_blob *out);

#endif
