/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A writer of protocol buffers: the fields of one message after the other, in any order. */
#ifndef V9TRACE_EXPORT_PROTO_H
#define V9TRACE_EXPORT_PROTO_H

#include "../util.h"

/* Makes what is in front of a message or string of @n bytes, and returns its size. */
#define V9_PROTO_HEAD	20
size_t v9_proto_head(uint8_t head[V9_PROTO_HEAD], unsigned int field, size_t n);

/* A number; 0 is left out, as proto3 does. A negative one is cast to uint64_t. */
void v9_proto_number(struct v9_blob *b, unsigned int field, uint64_t n);
void v9_proto_bytes(struct v9_blob *b, unsigned int field, const void *data, size_t n);
/* Repeated numbers; these may be 0. */
void v9_proto_numbers(struct v9_blob *b, unsigned int field, const uint64_t *n, size_t nr);
/* The same of at most V9_PROTO_FEW at @to; returns its size. */
#define V9_PROTO_FEW	12
#define V9_PROTO_FEW_BYTES	(V9_PROTO_HEAD + 10 * V9_PROTO_FEW)
size_t v9_proto_few(uint8_t to[V9_PROTO_FEW_BYTES], unsigned int field, const uint64_t *n, size_t nr);

#endif
