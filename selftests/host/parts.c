// SPDX-License-Identifier: GPL-2.0-only
/* Parts of an export that lie in a temporary file: copied as they were written, or an error. */
#define _GNU_SOURCE
#include "tap.h"

#include "../../tools/export/parts.c"

static size_t copied(struct v9_parts *p, size_t i, char **text)
{
	size_t size = 0;
	FILE *f = open_memstream(text, &size);
	bool good;

	if (!f)
		exit(1);
	good = v9_parts_copy(p, i, f);
	fclose(f);
	return good ? size : SIZE_MAX;
}

int main(void)
{
	struct v9_parts *p = v9_parts_new();
	char *text, byte;
	size_t bad = 0, n;

	if (!p)
		return 1;
	/* Two parts, in turns, of several blocks and a rest */
	for (size_t i = 0; i < 5 * BLOCK + 7; i++)
		for (size_t part = 0; part < 2; part++) {
			byte = (char)(i * 7 + part + i / BLOCK);
			v9_parts_put(p, part, &byte, 1);
		}
	tap_eq(v9_parts_number(p), 2, "parts");
	for (size_t part = 0; part < 2; part++) {
		n = copied(p, part, &text);
		tap_eq(n, 5 * BLOCK + 7, "size_%zu", part);
		for (size_t i = 0; i < n && n != SIZE_MAX; i++)
			bad += text[i] != (char)(i * 7 + part + i / BLOCK);
		tap_eq(bad, 0, "bytes_%zu", part);
		free(text);
	}
	/* The file ends within the last block of the second part, or before it. */
	errno = 0;
	if (ftruncate(p->fd, 10 * BLOCK - 1))
		return 1;
	tap_ok(copied(p, 1, &text) == SIZE_MAX && p->err == -EIO, "cut_block");
	free(text);
	p->err = 0;
	errno = 0;
	if (ftruncate(p->fd, 9 * BLOCK))
		return 1;
	tap_ok(copied(p, 1, &text) == SIZE_MAX && p->err == -EIO, "missing_block");
	free(text);
	tap_eq(copied(p, 0, &text), SIZE_MAX, "an_error_stays");
	free(text);
	p->err = 0;
	tap_eq(copied(p, 0, &text), 5 * BLOCK + 7, "the_other_part_is_whole");
	free(text);
	close(p->fd);
	tap_ok(copied(p, 0, &text) == SIZE_MAX && p->err == -EBADF, "no_file");
	free(text);
	p->fd = -1;
	v9_parts_free(p);
	return tap_done();
}
