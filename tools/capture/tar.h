/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Archives of files by build-id: a tar file (POSIX pax) packed with zstd, with the layout of perf's
 * cache. "tar xf FILE -C ~/.debug" unpacks one for perf; v9trace reads files in it.
 */
#ifndef V9TRACE_CAPTURE_TAR_H
#define V9TRACE_CAPTURE_TAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "strtab.h"

/* ---- writing */

struct v9_tar_writer {
	int fd;
	uint64_t mtime;			/* of all entries, in seconds */
	uint64_t bytes, packed;		/* before and after compression */
	int err;			/* first error, an errno; later calls have no effect */
	void *zstd;
	uint8_t *room;
};

void v9_tar_begin(struct v9_tar_writer *t, int fd, uint64_t mtime);
void v9_tar_link(struct v9_tar_writer *t, const char *name, const char *target);

/* The head of a file of @size bytes; then its content in any number of calls, then the end. */
void v9_tar_file(struct v9_tar_writer *t, const char *name, uint64_t size, unsigned int mode);
void v9_tar_data(struct v9_tar_writer *t, const void *p, size_t n);
void v9_tar_file_end(struct v9_tar_writer *t, uint64_t size);

/* Returns 0, or -errno of the first error. Does not close the file. */
int v9_tar_end(struct v9_tar_writer *t);

/* ---- reading */

struct v9_tar_entry {
	uint64_t offset, size;		/* in the unpacked archive */
	const char *link;		/* a symbolic link; else NULL */
	int fd;				/* its content as a file of its own; -1: not yet */
};

struct v9_tar {
	int spool;			/* unpacked, without a name; -1: there is none */
	struct v9_tar_entry *entry;
	size_t nr;
	struct v9_strtab names;		/* name -> number of its entry, + 1 */
};

/*
 * Opens an archive, packed with zstd or not packed. Returns NULL, or what is wrong with it. Entries
 * before that are there all the same. In both cases the caller closes it.
 */
const char *v9_tar_open(struct v9_tar *t, const char *path);
void v9_tar_close(struct v9_tar *t);

/*
 * Writes to @path where the file @name can be opened, as long as the archive is open. Directories
 * on the way can be links. Returns false if the archive does not have it.
 */
bool v9_tar_find(struct v9_tar *t, const char *name, char *path, size_t size);

#endif
