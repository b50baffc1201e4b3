/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Decompression of records (perf record -z). All COMPRESSED records of a file are one zstd stream;
 * a record may begin in one of them and end in the next. AUX data is never compressed.
 */
#ifndef V9TRACE_CAPTURE_UNPACK_H
#define V9TRACE_CAPTURE_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pd_unpack;

/* Adds the bytes of a COMPRESSED record. Returns 0, -ENOMEM, or -EBADMSG if damaged. */
int pd_unpack_feed(struct pd_unpack **u, const uint8_t *p, size_t n);

/*
 * Gets the next complete record in *@p. @offset is its argument for pd_unpack_at(). @keep returns
 * true for types whose records are kept until pd_unpack_free(); others are valid until the next
 * pd_unpack_feed(). Returns 1, 0 if more bytes are needed, or -EBADMSG.
 */
int pd_unpack_next(struct pd_unpack *u, const uint8_t **p, uint64_t *offset,
		   bool (*keep)(uint32_t type));

/* Returns a kept record, or NULL if it was not kept. */
const uint8_t *pd_unpack_at(const struct pd_unpack *u, uint64_t offset);

/* Discards records that were not read yet. */
void pd_unpack_skip(struct pd_unpack *u);

/* Returns the number of bytes of an incomplete record. */
size_t pd_unpack_left(const struct pd_unpack *u);
void pd_unpack_free(struct pd_unpack *u);

/* Added to offsets of compressed records; no file offset is that large */
#define PD_UNPACKED	(UINT64_C(1) << 63)

#endif
