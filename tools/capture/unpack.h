/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Records that the recorder packed (perf record -z): one stream of zstd through all COMPRESSED
 * records of a file, in which records may begin in one and end in the next. The AUX data is never
 * in it.
 */
#ifndef V9TRACE_CAPTURE_UNPACK_H
#define V9TRACE_CAPTURE_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pd_unpack;

/* The bytes of one COMPRESSED record. 0, -ENOMEM, or -EBADMSG: they are not what they should be. */
int pd_unpack_feed(struct pd_unpack **u, const uint8_t *p, size_t n);

/*
 * The next whole record: 1; 0: there is none without more bytes; -EBADMSG. @offset is for
 * pd_unpack_at(). The bytes last until the next pd_unpack_feed(), or, with @keep, until the end.
 */
int pd_unpack_next(struct pd_unpack *u, const uint8_t **p, uint64_t *offset,
		   bool (*keep)(uint32_t type));

/* A record that was kept; NULL if it was not. */
const uint8_t *pd_unpack_at(const struct pd_unpack *u, uint64_t offset);

/* Never mind what was not asked for yet. */
void pd_unpack_skip(struct pd_unpack *u);

/* Bytes of a record whose end did not come. */
size_t pd_unpack_left(const struct pd_unpack *u);
void pd_unpack_free(struct pd_unpack *u);

/* No offset in a file is that large. */
#define PD_UNPACKED	(UINT64_C(1) << 63)

#endif
