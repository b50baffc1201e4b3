// SPDX-License-Identifier: GPL-2.0-only
/*
 * Code by address: bytes, parts of files, and executable segments of ELF files, which are typed by the ELF
 * specification, 64-bit and 32-bit, whole and cut at each byte
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <v9trace/base.h>

#include "tap.h"
#include "../../tools/lib/image.h"

static char dir[] = "/tmp/v9trace-image.XXXXXX", path[64];

/* Is there code of @n bytes at @addr that begins with @text? n == 0: there is none */
static bool is(struct v9_image *img, uint32_t space, uint64_t addr, const char *text, size_t n)
{
	size_t got = 77;
	const uint8_t *p = v9_image_code(img, space, addr, &got);

	return got == n && !p == !n && (!n || !memcmp(p, text, n < strlen(text) ? n : strlen(text)));
}

static void bytes(void)
{
	struct v9_image img;
	char many[9] = "abcdefgh";

	v9_image_init(&img);
	tap_ok(is(&img, 0, 0, "", 0), "empty");
	tap_eq(v9_image_add(&img, 1, 0x1000, "first", 5), 0, "add");
	tap_eq(v9_image_add(&img, 2, 0x1000, "second", 6), 0, "add_to_another_space");
	tap_eq(v9_image_add(&img, V9_IMAGE_ANY, 0x1003, "any", 3), 0, "add_to_any_space");
	tap_ok(is(&img, 1, 0x1000, "first", 5) && is(&img, 2, 0x1000, "second", 6), "of_its_space");
	tap_ok(is(&img, 1, 0x1004, "t", 1) && is(&img, 1, 0x1005, "y", 1), "the_first_that_was_added");
	tap_ok(is(&img, 3, 0x1003, "any", 3) && is(&img, 3, 0x1005, "y", 1), "of_any_space");
	tap_ok(is(&img, 3, 0x1002, "", 0) && is(&img, 3, 0x1006, "", 0) && is(&img, 1, 0xfff, "", 0), "no_code");
	tap_eq(v9_image_add(&img, 1, 0x2000, "", 0), -EINVAL, "no_bytes");
	tap_eq(v9_image_add(&img, 1, UINT64_MAX - 2, "end", 3), 0, "up_to_the_last_address");
	tap_eq(v9_image_add(&img, 1, UINT64_MAX - 2, "past", 4), -EINVAL, "past_the_last_address");
	tap_ok(is(&img, 1, UINT64_MAX, "d", 1) && is(&img, 1, 0, "", 0), "last_address");
	for (unsigned int i = 0; i < 8; i++)
		v9_image_add(&img, 7, 0x4000 + i, many + i, 1);
	for (unsigned int i = 0; i < 8; i++)
		tap_ok(is(&img, 7, 0x4000 + i, (char[]){ many[i], 0 }, 1), "of_many_%u", i);
	v9_image_free(&img);
	tap_ok(is(&img, 1, 0x1000, "", 0), "none_after_free");
}

static void files(void)
{
	struct v9_image img;
	char none[80];

	v9_image_init(&img);
	tap_write(path, "0123456789", 10);
	tap_eq(v9_image_add_file(&img, 1, 0x1000, path, 2, 3), 0, "part_of_a_file");
	tap_eq(v9_image_add_file(&img, 1, 0x2000, path, 9, 1), 0, "last_byte");
	tap_eq(v9_image_add_file(&img, 1, 0x3000, path, 10, 1), -ENODATA, "behind_the_end");
	tap_eq(v9_image_add_file(&img, 1, 0x4000, path, 7, 3), 0, "up_to_the_end");
	tap_eq(v9_image_add_file(&img, 1, 0x5000, path, 7, UINT64_MAX), 0, "more_than_there_is");
	tap_eq(v9_image_add_file(&img, 1, 0x6000, path, 7, 0), -EINVAL, "no_bytes_of_a_file");
	tap_ok(is(&img, 1, 0x1000, "234", 3) && is(&img, 1, 0x2000, "9", 1) && is(&img, 1, 0x3000, "", 0) &&
	       is(&img, 1, 0x4000, "789", 3) && is(&img, 1, 0x5000, "789", 3), "bytes_of_files");
	tap_eq(img.nr_files, 1, "mapped_once");
	snprintf(none, sizeof(none), "%s/none", dir);
	tap_eq(v9_image_add_file(&img, 1, 0, none, 0, 1), -ENOENT, "no_file");
	tap_eq(v9_image_add_file(&img, 1, 0, dir, 0, 1), -ENODATA, "directory");
	tap_eq(img.nr_files, 1, "what_failed_is_not_kept");
	snprintf(path, sizeof(path), "%s/second", dir);
	tap_write(path, "second file", 11);
	tap_eq(v9_image_add_file(&img, 1, 0x7000, path, 0, 6), 0, "second_file");
	tap_ok(img.nr_files == 2 && is(&img, 1, 0x7000, "second", 6) && is(&img, 1, 0x1000, "234", 3), "two_files");
	v9_image_free(&img);
	v9_image_init(&img);
	tap_write(path, "", 0);
	tap_eq(v9_image_add_file(&img, 1, 0, path, 0, 1), -ENODATA, "empty_file");
	v9_image_free(&img);
}

#define TABLE64	(sizeof(Elf64_Ehdr) + 8)	/* not right behind the header */
#define STEP64	(sizeof(Elf64_Phdr) + 8)
#define TABLE32	(sizeof(Elf32_Ehdr) + 8)
#define STEP32	(sizeof(Elf32_Phdr) + 8)
#define CODE	600				/* where the bytes are */
#define SIZE	(CODE + 8)

/* Code of 4 bytes, data, a note with the flag of code, code that ends behind the file, and code behind it */
static const struct {
	uint32_t type, flags;
	uint64_t offset, addr, size;
} segments[] = {
	{ PT_LOAD, PF_R | PF_X, CODE, 0x10000, 4 }, { PT_LOAD, PF_R | PF_W, CODE, 0x20000, 4 },
	{ PT_NOTE, PF_R | PF_X, CODE, 0x30000, 4 }, { PT_LOAD, PF_X, CODE + 4, 0x40000, 100 },
	{ PT_LOAD, PF_X, SIZE, 0x50000, 4 }, { PT_LOAD, PF_X, CODE + 1, 0x60000, 0 },
};

static void make(uint8_t *b, bool wide)
{
	Elf64_Ehdr e64 = { .e_ident = { 0x7f, 'E', 'L', 'F', 2, 1, 1 }, .e_phoff = TABLE64, .e_phentsize = STEP64,
			   .e_phnum = V9_ARRAY_SIZE(segments) };
	Elf32_Ehdr e32 = { .e_ident = { 0x7f, 'E', 'L', 'F', 1, 1, 1 }, .e_phoff = TABLE32, .e_phentsize = STEP32,
			   .e_phnum = V9_ARRAY_SIZE(segments) };

	memset(b, 0xff, SIZE);
	if (wide)
		memcpy(b, &e64, sizeof(e64));
	else
		memcpy(b, &e32, sizeof(e32));
	for (size_t i = 0; i < V9_ARRAY_SIZE(segments); i++) {
		const Elf64_Phdr p64 = { .p_type = segments[i].type, .p_flags = segments[i].flags,
			.p_offset = segments[i].offset, .p_vaddr = segments[i].addr, .p_filesz = segments[i].size };
		const Elf32_Phdr p32 = { .p_type = segments[i].type, .p_flags = segments[i].flags,
			.p_offset = (uint32_t)segments[i].offset, .p_vaddr = (uint32_t)segments[i].addr,
			.p_filesz = (uint32_t)segments[i].size };

		if (wide)
			memcpy(b + TABLE64 + i * STEP64, &p64, sizeof(p64));
		else
			memcpy(b + TABLE32 + i * STEP32, &p32, sizeof(p32));
	}
	memcpy(b + CODE, "codebyte", 8);
}

static int add_elf(struct v9_image *img, const uint8_t *b, size_t n)
{
	v9_image_init(img);
	tap_write(path, b, n);
	return v9_image_add_elf(img, 5, path, 0x1000000);
}

static void elf(bool wide)
{
	const unsigned int bits = wide ? 64 : 32;
	const size_t table = wide ? TABLE64 : TABLE32, step = wide ? STEP64 : STEP32,
		     head = wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr),
		     row = wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	const size_t phentsize = wide ? offsetof(Elf64_Ehdr, e_phentsize) : offsetof(Elf32_Ehdr, e_phentsize);
	struct v9_image img;
	uint8_t b[SIZE];
	bool sound = true;

	make(b, wide);
	tap_eq(add_elf(&img, b, sizeof(b)), 2, "segments_of_%u", bits);
	tap_ok(is(&img, 5, 0x1010000, "code", 4) && is(&img, 5, 0x1040000, "byte", 4) && is(&img, 5, 0x1020000, "", 0) &&
	       is(&img, 5, 0x1030000, "", 0) && is(&img, 4, 0x1010000, "", 0) && img.nr_pieces == 2, "code_of_%u", bits);
	v9_image_free(&img);
	/* A header of which a byte is missing ends the table; of code that ends behind the file the rest is missing. */
	for (size_t n = 1; n < sizeof(b); n++) {
		const int want = n < head ? -ENOEXEC : (n > CODE && n >= table + row) + (n > CODE + 4 && n >= table + 3 * step + row);

		sound &= add_elf(&img, b, n) == want;
		v9_image_free(&img);
	}
	tap_ok(sound, "cut_%u", bits);
	/* Headers at the very end of the file */
	for (unsigned int less = 0; less < 2; less++) {
		uint64_t at = SIZE - row + less;

		make(b, wide);
		memcpy(b + at, b + table, row - less);
		memcpy(b + (wide ? offsetof(Elf64_Ehdr, e_phoff) : offsetof(Elf32_Ehdr, e_phoff)), &at, wide ? 8 : 4);
		tap_eq(add_elf(&img, b, sizeof(b)), !less, "last_header_%u_%u", bits, less);
		v9_image_free(&img);
	}
	make(b, wide);
	b[phentsize] = (uint8_t)(row - 1);
	tap_eq(add_elf(&img, b, sizeof(b)), -ENOEXEC, "small_headers_%u", bits);
	v9_image_free(&img);
	make(b, wide);
	b[EI_DATA] = ELFDATA2MSB;
	tap_eq(add_elf(&img, b, sizeof(b)), -ENOEXEC, "other_byte_order_%u", bits);
	v9_image_free(&img);
	b[EI_DATA] = ELFDATA2LSB;
	b[3] = 'G';
	tap_eq(add_elf(&img, b, sizeof(b)), -ENOEXEC, "no_elf_%u", bits);
	v9_image_free(&img);
}

/* Of a file with 5000 segments the first 4096 are added. */
static void many(void)
{
	static uint8_t b[sizeof(Elf64_Ehdr) + 5000 * sizeof(Elf64_Phdr)];
	const Elf64_Ehdr e = { .e_ident = { 0x7f, 'E', 'L', 'F', 2, 1, 1 }, .e_phoff = sizeof(e),
			       .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 5000 };
	struct v9_image img;

	memcpy(b, &e, sizeof(e));
	for (unsigned int i = 0; i < 5000; i++) {
		const Elf64_Phdr p = { .p_type = PT_LOAD, .p_flags = PF_X, .p_vaddr = 16 * i, .p_filesz = 4 };

		memcpy(b + sizeof(e) + i * sizeof(p), &p, sizeof(p));
	}
	tap_eq(add_elf(&img, b, sizeof(b)), 4096, "most_segments");
	v9_image_free(&img);
	tap_eq(v9_image_add_elf(&img, 5, dir, 0), -ENODATA, "elf_is_a_directory");
	v9_image_free(&img);
}

int main(void)
{
	if (!mkdtemp(dir))
		return 1;
	snprintf(path, sizeof(path), "%s/file", dir);
	bytes();
	files();
	elf(true);
	elf(false);
	many();
	tap_remove(dir);
	return tap_done();
}
