/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Files of other mount namespaces and root directories. What a task in a container maps as /bin/app
 * is another file here, or none. Such a file is opened through /proc/PID while its task lives, and
 * goes into the recording.
 */
#ifndef V9TRACE_COLLECT_FILES_H
#define V9TRACE_COLLECT_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "id.h"

struct v9_file {
	dev_t dev;
	ino_t ino;
	int fd;
	struct v9_id id;
};

struct v9_files {
	struct v9_file *f;
	int n;
	uint64_t *seen;			/* hash table of mappings that were looked at */
	size_t seen_n, seen_room;
	uint64_t unread;		/* files that could not be opened, or are not the mapped ones */
	uint64_t unstored;		/* files that exceed the limits of a recording */
};

/* Where the names of files of task @pid are looked up: a container has another mount namespace or root. */
enum v9_where { V9_HERE, V9_ELSEWHERE, V9_GONE };	/* GONE: the task has ended, or access is denied */
enum v9_where v9_files_where(int pid);

/* A mapping of a file by a task */
struct v9_task_map {
	int pid;
	uint64_t start, end;
	const char *name;
};

/*
 * Opens the mapped file itself, else what the task finds by its name, also in a container. Returns a
 * descriptor of a regular file and sets @st, or returns -1 and sets errno: ELOOP if the name is that of
 * a symbolic link, which is not followed. If .end is 0, only the name is used.
 */
int v9_file_of(const struct v9_task_map *m, struct stat *st);

/*
 * Opens the file of a mapping of a task that is elsewhere, and keeps it open if it is to be stored:
 * not if the file of this name here has the same build-id. @id is what the kernel says of the
 * mapping; a file with another one is not the mapped one. Sets @id if it has size 0.
 */
void v9_files_open(struct v9_files *fs, const struct v9_task_map *m, struct v9_id *id);

/* Whether a file of this name and build-id was looked at */
bool v9_files_seen(const struct v9_files *fs, const char *name, const struct v9_id *id);
void v9_files_mark(struct v9_files *fs, const char *name, const struct v9_id *id);

/* Reads a file. Returns NULL if it cannot be read, or has more than @most bytes. */
uint8_t *v9_file_read(const struct v9_file *f, size_t most, size_t *size);

void v9_files_free(struct v9_files *fs);

#endif
