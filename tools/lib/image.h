/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Image: the code of the traced program, by address. It consists of pieces from ELF files, raw
 * dumps or memory. Addresses outside all pieces have no code. No byte outside a piece is read.
 */
#ifndef V9TRACE_LIB_IMAGE_H
#define V9TRACE_LIB_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define V9_IMAGE_ANY	UINT32_MAX	/* a piece that is in all address spaces */

struct v9_piece {
	uint64_t start, last;		/* last: address of the last byte */
	const uint8_t *bytes;
	uint32_t space;
};

/* A file, mapped until v9_image_free() */
struct v9_mapping {
	char *path;
	void *map;
	size_t size;
};

struct v9_image {
	struct v9_piece *pieces;	/* if pieces overlap, the one added first is used */
	struct v9_mapping *files;
	size_t nr_pieces, nr_files;
};

/* Initialise an image without pieces. */
void v9_image_init(struct v9_image *img);
void v9_image_free(struct v9_image *img);

/*
 * Add a piece of memory. @bytes must stay valid until v9_image_free(). Returns 0, or -EINVAL if @n
 * is 0 or the range of addresses wraps.
 */
int v9_image_add(struct v9_image *img, uint32_t space, uint64_t addr, const void *bytes, size_t n);

/*
 * Add @n bytes of a file from @offset on, or fewer if the file ends before. Returns 0 or a negative
 * errno: the error of opening the file, or -ENODATA if it has no bytes at @offset.
 */
int v9_image_add_file(struct v9_image *img, uint32_t space, uint64_t addr, const char *path,
		      uint64_t offset, uint64_t n);

/*
 * Add the executable segments of a little-endian ELF file (64 or 32 bit), at their addresses plus
 * @bias. Returns the number of segments, or a negative errno: -ENOEXEC if it is no such file.
 */
int v9_image_add_elf(struct v9_image *img, uint32_t space, const char *path, uint64_t bias);

/* Returns the code at @addr, and its number of bytes in *@n; NULL and 0 if there is none. */
const uint8_t *v9_image_code(struct v9_image *img, uint32_t space, uint64_t addr, size_t *n);

#endif
