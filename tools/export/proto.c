// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "proto.h"

enum { VARINT = 0, BYTES = 2 };

static void varint(struct v9_blob *b, uint64_t n)
{
	uint8_t room[10];
	size_t used = 0;

	for (; n > 0x7f; n >>= 7)
		room[used++] = (uint8_t)n | 0x80;
	room[used++] = (uint8_t)n;
	v9_blob_put(b, room, used);
}

void v9_proto_number(struct v9_blob *b, unsigned int field, uint64_t n)
{
	if (!n)
		return;
	varint(b, field << 3 | VARINT);
	varint(b, n);
}

void v9_proto_bytes(struct v9_blob *b, unsigned int field, const void *data, size_t n)
{
	varint(b, field << 3 | BYTES);
	varint(b, n);
	v9_blob_put(b, data, n);
}

void v9_proto_numbers(struct v9_blob *b, unsigned int field, const uint64_t *n, size_t nr)
{
	struct v9_blob all = { 0 };

	for (size_t i = 0; i < nr; i++)
		varint(&all, n[i]);
	v9_proto_bytes(b, field, all.data, all.len);
	v9_blob_free(&all);
}
