// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../util.h"

#define FILES_MAX	256	/* open files; each keeps its file system busy */

static bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

enum v9_where v9_files_where(int pid)
{
	static const char *const mine[] = { "/proc/self/ns/mnt", "/" };
	enum v9_where where = V9_HERE;

	for (unsigned int i = 0; i < 2; i++) {
		struct stat a, b;
		char path[64];

		snprintf(path, sizeof(path), i ? "/proc/%d/root" : "/proc/%d/ns/mnt", pid);
		if (stat(mine[i], &a) || stat(path, &b))
			return V9_GONE;
		if (!same_file(&a, &b))
			where = V9_ELSEWHERE;
	}
	return where;
}

/* Opens what @at refers to, if it is a regular file: the open() of others can have an effect. */
static int reopen(int at, struct stat *st)
{
	char path[64];
	int fd = -1;

	if (at < 0)
		return -1;
	if (!fstat(at, st) && S_ISREG(st->st_mode)) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", at);
		fd = open(path, O_RDONLY | O_CLOEXEC);
	} else {
		errno = S_ISLNK(st->st_mode) ? ELOOP : EINVAL;
	}
	close(at);
	return fd;
}

/* The mapped file itself, whatever its name is now. This takes CAP_CHECKPOINT_RESTORE. */
static int open_mapped(const struct v9_task_map *m, struct stat *st)
{
	char path[96];

	snprintf(path, sizeof(path), "/proc/%d/map_files/%llx-%llx", m->pid,
		 (unsigned long long)m->start, (unsigned long long)m->end);
	return reopen(open(path, O_PATH | O_CLOEXEC), st);
}

/*
 * The file that has the name below the root directory of the task. The task can replace its files at
 * any time: a symbolic link must not lead to a file that it cannot see or, as the last part of the name,
 * cannot read.
 */
static int open_below(const struct v9_task_map *m, struct stat *st)
{
	const struct open_how how = { .flags = O_PATH | O_CLOEXEC | O_NOFOLLOW,
				      .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };
	char path[64];
	int root, at;

	snprintf(path, sizeof(path), "/proc/%d/root", m->pid);
	root = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return -1;
	at = (int)syscall(SYS_openat2, root, m->name, &how, sizeof(how));
	close(root);
	return reopen(at, st);
}

int v9_file_of(const struct v9_task_map *m, struct stat *st)
{
	const int fd = m->end ? open_mapped(m, st) : -1;

	return fd < 0 ? open_below(m, st) : fd;
}

static bool id_is(const struct v9_id *a, const struct v9_id *b)
{
	return a->size == b->size && !memcmp(a->bytes, b->bytes, a->size);
}

/* Whether a reader finds the file by its name */
static bool is_here(const char *name, const struct v9_id *id)
{
	const struct v9_id mine = v9_id_of_file(name);

	return id->size && id_is(&mine, id);
}

void v9_files_open(struct v9_files *fs, const struct v9_task_map *m, struct v9_id *id)
{
	struct v9_file f;
	struct stat st;

	if (is_here(m->name, id))
		return;
	f.fd = v9_file_of(m, &st);
	if (f.fd < 0) {
		fs->unread++;
		return;
	}
	f.dev = st.st_dev;
	f.ino = st.st_ino;
	for (int i = 0; i < fs->n; i++)
		if (fs->f[i].dev == f.dev && fs->f[i].ino == f.ino &&
		    (!id->size || id_is(id, &fs->f[i].id))) {
			*id = fs->f[i].id;
			close(f.fd);
			return;
		}
	f.id = v9_id_of_fd(f.fd);
	if (id->size && !id_is(id, &f.id)) {
		fs->unread++;		/* replaced since it was mapped */
		close(f.fd);
		return;
	}
	if (!id->size && is_here(m->name, &f.id)) {
		*id = f.id;
		close(f.fd);
		return;
	}
	*id = f.id;
	/* A reader finds the stored file by its build-id alone. */
	if (!f.id.size || fs->n == FILES_MAX) {
		fs->unstored++;
		close(f.fd);
		return;
	}
	fs->f = v9_realloc(fs->f, (size_t)(fs->n + 1) * sizeof(*fs->f));
	fs->f[fs->n++] = f;
}

/* FNV-1a, 64 bits: two mappings with one hash are not expected. */
static uint64_t hash_of(const char *name, const struct v9_id *id)
{
	uint64_t h = UINT64_C(14695981039346656037);

	for (; *name; name++)
		h = (h ^ (uint8_t)*name) * UINT64_C(1099511628211);
	for (unsigned int i = 0; i < id->size; i++)
		h = (h ^ id->bytes[i]) * UINT64_C(1099511628211);
	return h ? h : 1;
}

static uint64_t *slot_of(const struct v9_files *fs, uint64_t h)
{
	size_t at = h & (fs->seen_room - 1);

	while (fs->seen[at] && fs->seen[at] != h)
		at = (at + 1) & (fs->seen_room - 1);
	return &fs->seen[at];
}

bool v9_files_seen(const struct v9_files *fs, const char *name, const struct v9_id *id)
{
	return fs->seen_room && *slot_of(fs, hash_of(name, id));
}

void v9_files_mark(struct v9_files *fs, const char *name, const struct v9_id *id)
{
	uint64_t *slot;

	if (fs->seen_n * 2 >= fs->seen_room) {
		struct v9_files more = { .seen_room = fs->seen_room ? fs->seen_room * 2 : 1024 };

		more.seen = v9_alloc(more.seen_room * sizeof(*more.seen));
		for (size_t i = 0; i < fs->seen_room; i++)
			if (fs->seen[i])
				*slot_of(&more, fs->seen[i]) = fs->seen[i];
		free(fs->seen);
		fs->seen = more.seen;
		fs->seen_room = more.seen_room;
	}
	slot = slot_of(fs, hash_of(name, id));
	fs->seen_n += !*slot;
	*slot = hash_of(name, id);
}

uint8_t *v9_file_read(const struct v9_file *f, size_t most, size_t *size)
{
	struct stat st;
	size_t done = 0;
	uint8_t *p;

	if (fstat(f->fd, &st) || st.st_size <= 0 || (uint64_t)st.st_size > most)
		return NULL;
	p = malloc((size_t)st.st_size);
	while (p && done < (size_t)st.st_size) {
		const ssize_t n = pread(f->fd, p + done, (size_t)st.st_size - done, (off_t)done);

		if (n <= 0) {
			free(p);
			return NULL;
		}
		done += (size_t)n;
	}
	*size = done;
	return p;
}

void v9_files_free(struct v9_files *fs)
{
	for (int i = 0; i < fs->n; i++)
		close(fs->f[i].fd);
	free(fs->f);
	free(fs->seen);
	*fs = (struct v9_files){ 0 };
}
