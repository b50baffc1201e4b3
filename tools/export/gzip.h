/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A compressed stream, by zlib. The same bytes give the same stream. */
#ifndef V9TRACE_EXPORT_GZIP_H
#define V9TRACE_EXPORT_GZIP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct v9_gzip;

struct v9_gzip *v9_gzip_new(FILE *f);
void v9_gzip_put(struct v9_gzip *g, const void *data, size_t n);
/*
 * Room for @n bytes that are written there and then given by v9_gzip_wrote(), or NULL: they are for
 * v9_gzip_put().
 */
uint8_t *v9_gzip_room(struct v9_gzip *g, size_t n);
void v9_gzip_wrote(struct v9_gzip *g, size_t n);
void v9_gzip_end(struct v9_gzip *g);
void v9_gzip_free(struct v9_gzip *g);

#endif
