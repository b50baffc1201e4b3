// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "export.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../capture/spool.h"

#define BLOCK	16384	/* bytes of a part that lie together in the file */

struct v9_parts {
	int fd;
	int err;		/* 0, or a negative errno of a write */
	uint64_t blocks;	/* in the file */
	struct part {
		char *room;	/* BLOCK bytes that are not in the file yet */
		size_t used;
		uint64_t *block;	/* its blocks, in their order */
		size_t nr_blocks;
	} *part;
	size_t nr;
};

struct v9_parts *v9_parts_new(void)
{
	struct v9_parts *p;
	const int fd = v9_nameless();

	if (fd < 0) {
		v9_error("no temporary file in $TMPDIR or /var/tmp: %s", strerror(-fd));
		return NULL;
	}
	p = v9_alloc(sizeof(*p));
	p->fd = fd;
	return p;
}

static void flush(struct v9_parts *p, struct part *part)
{
	if (!p->err)
		p->err = v9_write_all(p->fd, part->room, BLOCK);
	*v9_vec_add(part->block, part->nr_blocks) = p->blocks++;
	part->used = 0;
}

void v9_parts_put(struct v9_parts *p, size_t i, const void *data, size_t n)
{
	const char *from = data;
	struct part *part;

	while (p->nr <= i)
		v9_vec_add(p->part, p->nr);
	part = &p->part[i];
	if (!part->room)
		part->room = v9_alloc(BLOCK);
	while (n) {
		const size_t now = n < BLOCK - part->used ? n : BLOCK - part->used;

		memcpy(part->room + part->used, from, now);
		part->used += now;
		from += now;
		n -= now;
		if (part->used == BLOCK)
			flush(p, part);
	}
}

void v9_parts_print(struct v9_parts *p, size_t part, const char *fmt, ...)
{
	char text[256];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	v9_parts_put(p, part, text, (size_t)n < sizeof(text) ? (size_t)n : sizeof(text) - 1);
}

void v9_parts_json(struct v9_parts *p, size_t part, const char *text)
{
	size_t size;
	char *json;
	FILE *f = open_memstream(&json, &size);

	if (!f)
		v9_out_of_memory();
	v9_json_print(f, text);
	fclose(f);
	v9_parts_put(p, part, json, size);
	free(json);
}

size_t v9_parts_number(const struct v9_parts *p)
{
	return p->nr;
}

bool v9_parts_copy(struct v9_parts *p, size_t i, FILE *f)
{
	struct part *part = &p->part[i];
	char room[BLOCK];

	for (size_t k = 0; !p->err && k < part->nr_blocks; k++) {
		const ssize_t n = pread(p->fd, room, BLOCK, (off_t)(part->block[k] * BLOCK));

		if (n != BLOCK)
			p->err = n < 0 ? -errno : -EIO;
		else
			fwrite(room, 1, BLOCK, f);
	}
	if (p->err) {
		v9_error("the temporary file: %s (TMPDIR=DIR names another place)",
			 strerror(-p->err));
		return false;
	}
	fwrite(part->room, 1, part->used, f);
	return true;
}

void v9_parts_free(struct v9_parts *p)
{
	if (!p)
		return;
	close(p->fd);
	for (size_t i = 0; i < p->nr; i++) {
		free(p->part[i].room);
		free(p->part[i].block);
	}
	free(p->part);
	free(p);
}
