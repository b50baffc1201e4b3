// SPDX-License-Identifier: GPL-2.0-only
/*
 * Archives: what was written is read back; then the same cut at each byte and with each bit changed,
 * packed and unpacked. Built with sanitizers.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "tap.h"

#include <v9trace/base.h>

#include "../../tools/capture/tar.h"

#define ID	".build-id/de/adbeef"
#define DEEP	"a_directory_with_a_long_name/and_another_one_below_it/so_that_no_field_of_the_head/has_room"

static char path[] = "/tmp/v9trace-tar.XXXXXX";

static const struct { const char *name, *target, *text; } entries[] = {
	{ ID, "../../opt/work/deadbeef", NULL },
	{ "opt/work/deadbeef/elf", NULL, "code of work" },
	{ "opt/work/deadbeef/debug", NULL, "" },
	{ ".build-id/00/11", "../../" DEEP DEEP "/0011", NULL },
	{ DEEP DEEP "/0011/elf", NULL, "code of the deep one" },
};

/* An archive of these entries. Returns its size. */
static size_t make(uint8_t *to, size_t room, uint64_t *unpacked)
{
	const int fd = open(path, O_RDWR | O_TRUNC);
	struct v9_tar_writer t;
	ssize_t n;

	v9_tar_begin(&t, fd, 1234567890);
	for (size_t i = 0; i < V9_ARRAY_SIZE(entries); i++) {
		if (entries[i].target) {
			v9_tar_link(&t, entries[i].name, entries[i].target);
			continue;
		}
		v9_tar_file(&t, entries[i].name, strlen(entries[i].text), 0644);
		v9_tar_data(&t, entries[i].text, strlen(entries[i].text));
		v9_tar_file_end(&t, strlen(entries[i].text));
	}
	tap_eq(v9_tar_end(&t), 0, "written");
	*unpacked = t.bytes;
	n = pread(fd, to, room, 0);
	tap_eq(n, t.packed, "packed_bytes");
	close(fd);
	return (size_t)n;
}

static const char *open_bytes(struct v9_tar *t, const uint8_t *p, size_t n)
{
	const int fd = open(path, O_WRONLY | O_TRUNC);

	if (write(fd, p, n) != (ssize_t)n)
		abort();
	close(fd);
	return v9_tar_open(t, path);
}

static bool holds(struct v9_tar *t, const char *name, const char *want)
{
	char where[64], got[64] = "";
	int fd;

	if (!v9_tar_find(t, name, where, sizeof(where)))
		return !want;
	fd = open(where, O_RDONLY);
	if (read(fd, got, sizeof(got) - 1) < 0)
		got[0] = '\0';
	close(fd);
	return want && !strcmp(got, want);
}

static void whole(struct v9_tar *t, const char *name)
{
	tap_ok(holds(t, "opt/work/deadbeef/elf", "code of work"), "%s_file", name);
	tap_ok(holds(t, ID "/elf", "code of work"), "%s_by_its_link", name);
	tap_ok(holds(t, ID "/elf", "code of work"), "%s_twice", name);
	tap_ok(holds(t, ID "/debug", ""), "%s_empty_file", name);
	tap_ok(holds(t, ".build-id/00/11/elf", "code of the deep one"), "%s_long_names", name);
	tap_ok(holds(t, ID "/vdso", NULL), "%s_no_such_file", name);
	tap_ok(holds(t, ID, NULL), "%s_link_is_no_file", name);
	tap_ok(holds(t, "", NULL), "%s_no_name", name);
}

/* The name of the entry that is linked to is that of the recorder: it can lead anywhere. */
static void links(void)
{
	static const struct { const char *link, *name; bool found; } cases[] = {
		{ "../../x", "up", true }, { "../../../../../../x", "more_than_up", true },
		{ "/x", "absolute", false }, { "", "empty", false }, { ".", "itself", false },
		{ "../.././x", "dot", true }, { "..//..//x", "slashes", true },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(cases); i++) {
		const int fd = open(path, O_RDWR | O_TRUNC);
		struct v9_tar_writer w;
		struct v9_tar t;

		v9_tar_begin(&w, fd, 0);
		v9_tar_link(&w, ".build-id/ab/cd", cases[i].link);
		v9_tar_file(&w, "x/elf", 1, 0644);
		v9_tar_data(&w, "y", 1);
		v9_tar_file_end(&w, 1);
		v9_tar_end(&w);
		close(fd);
		tap_ok(!v9_tar_open(&t, path), "link_%s", cases[i].name);
		tap_ok(holds(&t, ".build-id/ab/cd/elf", cases[i].found ? "y" : NULL), "link_%s",
		       cases[i].name);
		v9_tar_close(&t);
	}
}

/* Names and link targets above and below 100 bytes, the size of their fields. The length of a pax record includes itself. */
static void lengths(void)
{
	static const size_t rows[] = { 1, 90, 91, 94, 95, 96, 97, 99, 100, 101, 120, 980, 990, 991, 992, 1000 };
	const int fd = open(path, O_RDWR | O_TRUNC);
	struct v9_tar_writer w;
	char deep[1024], name[1100], text[8];
	struct v9_tar t;

	memset(deep, 'd', sizeof(deep));
	v9_tar_begin(&w, fd, 0);
	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		snprintf(name, sizeof(name), "../%.*s", (int)rows[i], deep);
		snprintf(text, sizeof(text), "l/%zu", rows[i]);
		v9_tar_link(&w, text, name);
		snprintf(name, sizeof(name), "%.*s/e", (int)rows[i], deep);
		v9_tar_file(&w, name, strlen(text), 0644);
		v9_tar_data(&w, text, strlen(text));
		v9_tar_file_end(&w, strlen(text));
	}
	v9_tar_end(&w);
	close(fd);
	tap_ok(!v9_tar_open(&t, path), "lengths");
	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		snprintf(text, sizeof(text), "l/%zu", rows[i]);
		snprintf(name, sizeof(name), "%s/e", text);
		tap_ok(holds(&t, name, text), "length_%zu", rows[i]);
	}
	v9_tar_close(&t);
}

int main(void)
{
	static uint8_t packed[8192], plain[16384], bad[16384];
	uint64_t bytes;
	size_t n, unpacked;
	unsigned int silent = 0, wrong = 0;
	struct v9_tar t;
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	n = make(packed, sizeof(packed), &bytes);
	tap_ok(!open_bytes(&t, packed, n), "packed");
	whole(&t, "packed");
	v9_tar_close(&t);
	unpacked = ZSTD_decompress(plain, sizeof(plain), packed, n);
	tap_eq(unpacked, bytes, "unpacked_bytes");
	tap_eq(unpacked % 512, 0, "whole_blocks");
	tap_ok(!memcmp(plain + 257, "ustar\0" "00", 8), "magic_of_posix");
	tap_ok(!open_bytes(&t, plain, unpacked), "plain");
	whole(&t, "plain");
	v9_tar_close(&t);

	/* The last two blocks are zeros: the first of them says that the archive is complete. */
	for (size_t at = 0; at < unpacked - 1024; at++) {
		silent += !open_bytes(&t, plain, at);
		wrong += t.nr > V9_ARRAY_SIZE(entries);
		v9_tar_close(&t);
	}
	tap_eq(silent, 0, "cut_is_reported");
	for (size_t at = 0; at < n; at++) {
		silent += !open_bytes(&t, packed, at);
		v9_tar_close(&t);
	}
	tap_eq(silent, 0, "cut_packed_is_reported");
	for (size_t at = 0; at < n; at++)
		for (unsigned int bit = 0; bit < 8; bit++) {
			memcpy(bad, packed, n);
			bad[at] ^= (uint8_t)(1 << bit);
			/* a changed reserved or skippable frame can still be an archive without entries */
			if (!open_bytes(&t, bad, n))
				wrong += !holds(&t, ID "/elf", "code of work");
			v9_tar_close(&t);
		}
	tap_eq(wrong, 0, "damage_packed_is_reported");
	for (size_t at = 0; at < unpacked; at++) {
		memcpy(bad, plain, unpacked);
		bad[at] ^= (uint8_t)(1 << at % 8);
		open_bytes(&t, bad, unpacked);
		holds(&t, ID "/elf", NULL);
		holds(&t, ".build-id/00/11/elf", NULL);
		v9_tar_close(&t);
	}
	tap_ok(true, "damage_does_no_harm");
	tap_ok(!!open_bytes(&t, (const uint8_t *)"not an archive, but a text of some length", 40),
	       "no_archive");
	v9_tar_close(&t);
	tap_ok(!!open_bytes(&t, plain, 0), "empty_file");
	v9_tar_close(&t);
	links();
	lengths();
	unlink(path);
	tap_ok(!!v9_tar_open(&t, path), "no_file");
	v9_tar_close(&t);
	return tap_done();
}
