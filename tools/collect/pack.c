// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "pack.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* Maximum uncompressed bytes of a COMPRESSED record, which must always be less than 64 KiB */
#define RUN_MOST	((size_t)32 << 10)

/* Bytes of an empty block in the zstd stream; all are 0. */
#define EMPTY_BLOCK	3

#define SECTION_VERSION	1
#define SECTION_ZSTD	1

struct v9_pack {
	ZSTD_CCtx *z;
	int level;
	uint64_t in, out;
};

struct v9_pack *v9_pack_new(int level)
{
	struct v9_pack *p = v9_alloc(sizeof(*p));

	p->level = level;
	p->z = ZSTD_createCCtx();
	if (!p->z || ZSTD_isError(ZSTD_CCtx_setParameter(p->z, ZSTD_c_compressionLevel, level)))
		v9_out_of_memory();
	return p;
}

void v9_pack_delete(struct v9_pack *p)
{
	if (p)
		ZSTD_freeCCtx(p->z);
	free(p);
}

/*
 * Only records of the kernel are compressed. Not those that perf looks up before it reads the file
 * from its start: if they were compressed, perf would not find any instruction trace.
 */
static bool may_pack(const struct pd_event_header *h)
{
	return h->type < PD_REC_HEADER_ATTR && h->size <= RUN_MOST && h->type != PERF_RECORD_AUX &&
	       h->type != PERF_RECORD_ITRACE_START && h->type != PERF_RECORD_AUX_OUTPUT_HW_ID;
}

size_t v9_pack_run(const uint8_t *records, size_t n)
{
	struct pd_event_header h;
	size_t run = 0;

	while (run < n) {
		memcpy(&h, records + run, sizeof(h));
		if (!may_pack(&h) || run + h.size > RUN_MOST)
			break;
		run += h.size;
	}
	return run;
}

void v9_pack_add(struct v9_pack *p, const uint8_t *records, size_t n, struct v9_blob *out)
{
	const size_t at = out->len, room = ZSTD_compressBound(n) + 64;
	struct pd_event_header h = { .type = PD_REC_COMPRESSED };
	ZSTD_inBuffer from = { records, n, 0 };
	ZSTD_outBuffer to = { .size = room };
	static const uint8_t empty[8 * EMPTY_BLOCK];
	size_t left;

	v9_blob_put(out, &h, sizeof(h));
	v9_blob_zero(out, room + sizeof(empty));
	to.dst = out->data + at + sizeof(h);
	do {
		left = ZSTD_compressStream2(p->z, &to, &from, ZSTD_e_flush);
		if (ZSTD_isError(left))
			v9_out_of_memory();
	} while (left);
	/* Add empty blocks up to a multiple of 8 bytes, the alignment of records. */
	memcpy(out->data + at + sizeof(h) + to.pos, empty, sizeof(empty));
	while ((sizeof(h) + to.pos) % 8)
		to.pos += EMPTY_BLOCK;
	h.size = (uint16_t)(sizeof(h) + to.pos);
	memcpy(out->data + at, &h, sizeof(h));
	out->len = at + h.size;
	p->in += n;
	p->out += h.size;
}

void v9_pack_section(const struct v9_pack *p, struct v9_blob *out)
{
	v9_blob_u32(out, SECTION_VERSION);
	v9_blob_u32(out, SECTION_ZSTD);
	v9_blob_u32(out, (uint32_t)p->level);
	v9_blob_u32(out, p->out ? (uint32_t)(p->in / p->out) : 0);
	/* Buffer size for readers: zstd reports the end of its input only if space is left. */
	v9_blob_u32(out, 2 * RUN_MOST);
}
