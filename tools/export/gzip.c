// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "gzip.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "../util.h"

#define ROOM	65536

struct v9_gzip {
	z_stream z;
	FILE *f;
	unsigned char in[ROOM], out[ROOM];
	size_t used;
};

struct v9_gzip *v9_gzip_new(FILE *f)
{
	struct v9_gzip *g = v9_alloc(sizeof(*g));

	g->f = f;
	/* Profiles are written once and read once. 16: the header of gzip, without a name and a time */
	if (deflateInit2(&g->z, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		v9_out_of_memory();
	return g;
}

static void flush(struct v9_gzip *g, int how)
{
	g->z.next_in = g->in;
	g->z.avail_in = (uInt)g->used;
	do {
		g->z.next_out = g->out;
		g->z.avail_out = ROOM;
		deflate(&g->z, how);
		fwrite(g->out, 1, ROOM - g->z.avail_out, g->f);
	} while (!g->z.avail_out);
	g->used = 0;
}

void v9_gzip_put(struct v9_gzip *g, const void *data, size_t n)
{
	const unsigned char *p = data;

	while (n) {
		const size_t now = n < ROOM - g->used ? n : ROOM - g->used;

		memcpy(g->in + g->used, p, now);
		g->used += now;
		p += now;
		n -= now;
		if (g->used == ROOM)
			flush(g, Z_NO_FLUSH);
	}
}

uint8_t *v9_gzip_room(struct v9_gzip *g, size_t n)
{
	return n <= ROOM - g->used ? g->in + g->used : NULL;
}

void v9_gzip_wrote(struct v9_gzip *g, size_t n)
{
	g->used += n;
	if (g->used == ROOM)
		flush(g, Z_NO_FLUSH);
}

void v9_gzip_end(struct v9_gzip *g)
{
	flush(g, Z_FINISH);
}

void v9_gzip_free(struct v9_gzip *g)
{
	if (g)
		deflateEnd(&g->z);
	free(g);
}
