// SPDX-License-Identifier: GPL-2.0-only
/* The input is an archive of debug files: each entry must lie in it, and be found whole. */
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"

#include "../../tools/capture/tar.h"

#define BLOCK	512

/* Corrects the checksum of a head (POSIX ustar: offset 148, 8 bytes): damaged ones are read. */
static void set_sum(uint8_t *head)
{
	unsigned int sum = 0;

	if (memcmp(head + 257, "ustar", 5))
		return;
	memset(head + 148, ' ', 8);
	for (int i = 0; i < BLOCK; i++)
		sum += head[i];
	snprintf((char *)head + 148, 8, "%06o", sum);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stat spool, part;
	char path[64], name[64];
	struct v9_tar t;
	uint8_t *copy;
	int fd;

	/* 4 packed bytes can be 128 KiB */
	if (size > (size >= 4 && !memcmp(data, "\x28\xb5\x2f\xfd", 4) ? 1 << 10 : 1 << 16))
		return 0;
	copy = fuzz_copy(data, size);
	for (size_t at = 0; at + BLOCK <= size; at += BLOCK)
		set_sum(copy + at);
	fd = memfd_create("archive", MFD_CLOEXEC);
	REQUIRE(fd >= 0 && write(fd, copy, size) == (ssize_t)size);
	free(copy);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	v9_tar_open(&t, path);
	REQUIRE(t.spool < 0 ? !t.nr : !fstat(t.spool, &spool));
	for (size_t i = 0; i < t.nr; i++) {
		const struct v9_tar_entry *e = &t.entry[i];

		REQUIRE(e->link || (e->offset <= (uint64_t)spool.st_size &&
				    e->size <= (uint64_t)spool.st_size - e->offset));
	}
	/* Names of tar's header: the input's first; one below it, whose directory can be a link */
	snprintf(name, sizeof(name), "%.*s", (int)(size < 40 ? size : 40), (const char *)data);
	for (int below = 0; below < 2; below++) {
		if (v9_tar_find(&t, name, path, sizeof(path))) {
			uint64_t whole = 0;

			REQUIRE(!stat(path, &part));
			for (size_t i = 0; i < t.nr; i++)
				whole |= t.entry[i].size == (uint64_t)part.st_size;
			REQUIRE(whole);
		}
		strcat(name, "/elf");
	}
	v9_tar_close(&t);
	close(fd);
	return 0;
}
