/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The program a trace ran: which bytes stood at an address. Pieces come from
 * ELF files, raw dumps or memory; between them there is nothing, and "no code
 * here" is an answer. Bytes are never read beyond the piece they belong to.
 */
#ifndef V9TRACE_LIB_IMAGE_H
#define V9TRACE_LIB_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define V9_IMAGE_ANY	UINT32_MAX	/* a piece that all address spaces see */

struct v9_piece {
	uint64_t start, last;		/* last: address of the last byte */
	const uint8_t *bytes;
	uint32_t space;
};

/* A file kept mapped for as long as pieces of it are used. */
struct v9_mapping {
	char *path;
	void *map;
	size_t size;
};

struct v9_image {
	struct v9_piece *pieces;	/* of two that overlap the one added first counts */
	struct v9_mapping *files;
	size_t nr_pieces, nr_files;
};

/* Starts empty. */
void v9_image_init(struct v9_image *img);
void v9_image_free(struct v9_image *img);

/* @bytes must stay. An empty piece, or one that wraps round, is refused: -EINVAL. */
int v9_image_add(struct v9_image *img, uint32_t space, uint64_t addr, const void *bytes, size_t n);

/*
 * @n bytes of a file from @offset on; fewer if the file ends before. Returns 0,
 * or a negative errno: that of opening, -ENODATA if the file has nothing there.
 */
int v9_image_add_file(struct v9_image *img, uint32_t space, uint64_t addr, const char *path,
		      uint64_t offset, uint64_t n);

/*
 * Executable segments of a little-endian ELF file, 64 or 32 bit, at their own
 * addresses plus @bias. Returns how many, or a negative errno (-ENOEXEC).
 */
int v9_image_add_elf(struct v9_image *img, uint32_t space, const char *path, uint64_t bias);

/* Bytes from @addr on, and in @n how many there are; NULL if none is known. */
const uint8_t *v9_image_code(struct v9_image *img, uint32_t space, uint64_t addr, size_t *n);

#endif
