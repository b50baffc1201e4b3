// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "proto.h"

#include <string.h>

enum { VARINT = 0, BYTES = 2 };

#define VARINT_MOST	10	/* bytes */

static size_t put_varint(uint8_t *to, uint64_t n)
{
	size_t used = 0;

	for (; n > 0x7f; n >>= 7)
		to[used++] = (uint8_t)n | 0x80;
	to[used++] = (uint8_t)n;
	return used;
}

size_t v9_proto_head(uint8_t head[V9_PROTO_HEAD], unsigned int field, size_t n)
{
	const size_t used = put_varint(head, field << 3 | BYTES);

	return used + put_varint(head + used, n);
}

void v9_proto_number(struct v9_blob *b, unsigned int field, uint64_t n)
{
	uint8_t room[2 * VARINT_MOST];
	size_t used;

	if (!n)
		return;
	used = put_varint(room, field << 3 | VARINT);
	used += put_varint(room + used, n);
	v9_blob_put(b, room, used);
}

void v9_proto_bytes(struct v9_blob *b, unsigned int field, const void *data, size_t n)
{
	uint8_t head[V9_PROTO_HEAD];

	v9_blob_put(b, head, v9_proto_head(head, field, n));
	v9_blob_put(b, data, n);
}

void v9_proto_numbers(struct v9_blob *b, unsigned int field, const uint64_t *n, size_t nr)
{
	uint8_t room[64 * VARINT_MOST];
	struct v9_blob all = { 0 };
	size_t used = 0;

	for (size_t i = 0; i < nr; i++) {
		if (used > sizeof(room) - VARINT_MOST) {
			v9_blob_put(&all, room, used);
			used = 0;
		}
		used += put_varint(room + used, n[i]);
	}
	if (!all.len) {
		v9_proto_bytes(b, field, room, used);
		return;
	}
	v9_blob_put(&all, room, used);
	v9_proto_bytes(b, field, all.data, all.len);
	v9_blob_free(&all);
}

size_t v9_proto_few(uint8_t to[V9_PROTO_FEW_BYTES], unsigned int field, const uint64_t *n, size_t nr)
{
	uint8_t room[VARINT_MOST * V9_PROTO_FEW];
	size_t used = 0, head;

	for (size_t i = 0; i < nr; i++)
		used += put_varint(room + used, n[i]);
	head = v9_proto_head(to, field, used);
	memcpy(to + head, room, used);
	return head + used;
}
