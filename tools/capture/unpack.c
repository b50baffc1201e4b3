// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "unpack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "../perfdata.h"

/* Maximum decompressed size of a record: more than a ring can hold */
#define OUT_MAX		((size_t)16 << 20)
#define OUT_STEP	((size_t)256 << 10)

struct chunk {
	uint8_t *p;
	size_t n;
	bool keep;
};

struct pd_unpack {
	ZSTD_DStream *z;
	struct chunk *chunk;		/* the last one is in use */
	size_t nr, room;
	size_t at;
};

static struct pd_unpack *start(void)
{
	struct pd_unpack *u = calloc(1, sizeof(*u));

	if (u)
		u->z = ZSTD_createDStream();
	if (u && !u->z) {
		free(u);
		u = NULL;
	}
	return u;
}

/* Starts a chunk with the rest of the last one. */
static struct chunk *next_chunk(struct pd_unpack *u)
{
	struct chunk *c, *before;
	size_t left = pd_unpack_left(u);

	if (u->nr == u->room) {
		const size_t room = u->room ? u->room * 2 : 64;

		c = realloc(u->chunk, room * sizeof(*c));
		if (!c)
			return NULL;
		u->chunk = c;
		u->room = room;
	}
	c = &u->chunk[u->nr];
	memset(c, 0, sizeof(*c));
	c->p = malloc(left + OUT_STEP);
	if (!c->p)
		return NULL;
	before = u->nr ? c - 1 : NULL;
	if (left)
		memcpy(c->p, before->p + u->at, left);
	c->n = left;
	if (before && !before->keep) {
		free(before->p);
		before->p = NULL;
	}
	u->nr++;
	u->at = 0;
	return c;
}

int pd_unpack_feed(struct pd_unpack **up, const uint8_t *p, size_t n)
{
	ZSTD_inBuffer in = { p, n, 0 };
	struct pd_unpack *u = *up;
	struct chunk *c;
	size_t room;

	if (!u)
		u = *up = start();
	c = u ? next_chunk(u) : NULL;
	if (!c)
		return -ENOMEM;
	room = c->n + OUT_STEP;
	for (;;) {
		ZSTD_outBuffer out = { c->p, room, c->n };
		size_t r = ZSTD_decompressStream(u->z, &out, &in);

		if (ZSTD_isError(r))
			return -EBADMSG;
		c->n = out.pos;
		if (c->n < room && in.pos == in.size)
			return 0;
		if (c->n == room) {
			uint8_t *more;

			if (room >= OUT_MAX)
				return -EBADMSG;
			room *= 2;
			more = realloc(c->p, room);
			if (!more)
				return -ENOMEM;
			c->p = more;
		}
	}
}

size_t pd_unpack_left(const struct pd_unpack *u)
{
	return u && u->nr ? u->chunk[u->nr - 1].n - u->at : 0;
}

int pd_unpack_next(struct pd_unpack *u, const uint8_t **p, uint64_t *offset,
		   bool (*keep)(uint32_t type))
{
	const size_t left = pd_unpack_left(u);
	struct pd_event_header h;
	struct chunk *c;

	if (left < sizeof(h))
		return 0;
	c = &u->chunk[u->nr - 1];
	memcpy(&h, c->p + u->at, sizeof(h));
	if (!h.type || h.size < sizeof(h))
		return -EBADMSG;
	if (h.size > left)
		return 0;
	*p = c->p + u->at;
	*offset = PD_UNPACKED | (uint64_t)(u->nr - 1) << 32 | u->at;
	c->keep |= keep(h.type);
	u->at += h.size;
	return 1;
}

const uint8_t *pd_unpack_at(const struct pd_unpack *u, uint64_t offset)
{
	const size_t i = (size_t)((offset & ~PD_UNPACKED) >> 32);
	const uint32_t at = (uint32_t)offset;

	return u && i < u->nr && u->chunk[i].keep && at < u->chunk[i].n ? u->chunk[i].p + at : NULL;
}

void pd_unpack_skip(struct pd_unpack *u)
{
	if (u && u->nr)
		u->at = u->chunk[u->nr - 1].n;
}

void pd_unpack_free(struct pd_unpack *u)
{
	if (!u)
		return;
	for (size_t i = 0; i < u->nr; i++)
		free(u->chunk[i].p);
	free(u->chunk);
	ZSTD_freeDStream(u->z);
	free(u);
}
