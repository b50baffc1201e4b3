// SPDX-License-Identifier: GPL-2.0-only
/*
 * The input is a shard, whose sum is corrected. If it can be read, it is written as a file that is read
 * and written equally, and call paths are made of its pieces.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "fuzz.h"

#include "../../tools/report/shard.h"

#include "../host/shard_complete.h"

static bool read_bytes(struct v9_shard *s, const void *p, size_t n)
{
	const int fd = memfd_create("shard", MFD_CLOEXEC);
	char path[64];
	bool good;

	if (fd < 0 || write(fd, p, n) != (ssize_t)n)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	v9_shard_init(s);
	good = v9_shard_is(path) && v9_shard_read(s, path);
	close(fd);
	return good;
}

static char *written(const struct v9_shard *s, size_t *n)
{
	char *text;
	FILE *f = open_memstream(&text, n);

	if (!f)
		abort();
	v9_shard_write(s, f);
	fclose(f);
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct v9_shard s, back;
	char *text, *first, *second;
	size_t n, m;

	if (size > 1 << 16)
		return 0;
	text = malloc(size + 32);
	memcpy(text, data, size);
	n = size + (size_t)sprintf(text + size, "end %08lx\n", crc32(0, data, (uInt)size));
	if (read_bytes(&s, text, n)) {
		first = written(&s, &n);
		if (!read_bytes(&back, first, n))
			abort();
		second = written(&back, &m);
		if (n != m || memcmp(first, second, n))
			abort();
		free(first);
		free(second);
		complete_shard(&back);
		v9_shard_free(&back);
		complete_shard(&s);
		first = written(&s, &n);
		if (!read_bytes(&back, first, n))
			abort();
		free(first);
		v9_shard_free(&back);
	}
	v9_shard_free(&s);
	free(text);
	return 0;
}
