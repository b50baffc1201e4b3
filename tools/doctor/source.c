// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "source.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../util.h"

/* Levels of directories below v9_source_walk() */
#define DEPTH	8

static char *place(const struct v9_doc_source *s, const char *path)
{
	return v9_format("%s%s", s->root ? s->root : "", path);
}

static bool is_denied(const struct v9_doc_source *s, const char *path)
{
	const size_t n = strlen(path);

	for (const char *at = s->denied; at && (at = strstr(at, path)); at += n)
		if ((at == s->denied || at[-1] == '\n') && (at[n] == '\n' || !at[n]))
			return true;
	return false;
}

/* --- recording -------------------------------------------------------------- */

static void give_up(struct v9_doc_source *s, const char *path)
{
	if (!s->failed)
		v9_error("%s: %s", path, strerror(errno));
	s->failed = true;
}

/* Make the directories of a path. A name that was recorded as an empty file may be one of them. */
static bool make_dirs(char *path)
{
	struct stat st;

	for (char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		if (!lstat(path, &st) && S_ISREG(st.st_mode) && !st.st_size)
			unlink(path);
		if (mkdir(path, 0777) && errno != EEXIST)
			return false;
		*p = '/';
	}
	return true;
}

static void record(struct v9_doc_source *s, const char *path, const char *data, size_t len)
{
	char *to;
	FILE *f;

	if (!s->record || s->failed)
		return;
	to = v9_format("%s%s", s->record, path);
	f = make_dirs(to) ? fopen(to, "w") : NULL;
	if (!f || fwrite(data, 1, len, f) != len)
		give_up(s, to);
	if (f && fclose(f))
		give_up(s, to);
	free(to);
}

/* A name without contents */
static void record_name(struct v9_doc_source *s, const char *dir, const char *name)
{
	char *path = v9_format("%s/%s", dir, name);
	char *to = v9_format("%s%s", s->record ? s->record : "", path);

	if (s->record && access(to, F_OK))
		record(s, path, "", 0);
	free(to);
	free(path);
}

static void deny(struct v9_doc_source *s, const char *path)
{
	char *longer;

	if (!s->record || is_denied(s, path))
		return;
	longer = v9_format("%s%s\n", s->denied ? s->denied : "", path);
	free(s->denied);
	s->denied = longer;
}

int v9_source_close(struct v9_doc_source *s)
{
	if (s->record && s->denied)
		record(s, "/denied", s->denied, strlen(s->denied));
	free(s->denied);
	s->denied = NULL;
	return s->failed ? -1 : 0;
}

/* --- reading ----------------------------------------------------------------- */

/* Keep the lines that contain one of the words. */
static void keep_lines(char *text, const char *const *words)
{
	char *to = text;

	for (char *line = text, *next; *line; line = next) {
		const size_t n = strcspn(line, "\n");
		bool wanted = false;
		char end;

		next = line + n + (line[n] == '\n');
		end = line[n];
		line[n] = '\0';
		for (unsigned int i = 0; words[i] && !wanted; i++)
			wanted = strstr(line, words[i]);
		line[n] = end;
		if (wanted) {
			memmove(to, line, (size_t)(next - line));
			to += next - line;
		}
	}
	*to = '\0';
}

static bool is_refusal(int err)
{
	return err == EACCES || err == EPERM;
}

/* Text as read, or errno in @err */
static char *finish(struct v9_doc_source *s, const char *path, char *text, size_t len, int err,
		    const char *const *words)
{
	if (!text && is_refusal(err))
		deny(s, path);
	if (text && words) {
		keep_lines(text, words);
		len = strlen(text);
	}
	if (text)
		record(s, path, text, len);
	errno = err == EPERM ? EACCES : err;
	return text;
}

static char *read_at(struct v9_doc_source *s, const char *path, size_t *len, const char *const *words)
{
	size_t n = 0;
	char *at, *text;

	if (s->root && is_denied(s, path)) {
		errno = EACCES;
		return NULL;
	}
	at = place(s, path);
	text = v9_read_file(at, &n);
	free(at);
	if (len)
		*len = n;
	return finish(s, path, text, n, text ? 0 : errno, words);
}

char *v9_source_text(struct v9_doc_source *s, const char *path)
{
	return read_at(s, path, NULL, NULL);
}

char *v9_source_lines(struct v9_doc_source *s, const char *path, const char *const *words)
{
	return read_at(s, path, NULL, words);
}

char *v9_source_bytes(struct v9_doc_source *s, const char *path, size_t *len)
{
	return read_at(s, path, len, NULL);
}

char *v9_source_match(struct v9_doc_source *s, const char *path, const char *const *words)
{
	char *at = place(s, path), *text;
	bool wanted = false;
	size_t n = 0;

	text = v9_read_file(at, &n);
	free(at);
	for (size_t i = 0; text && i < n; i++)
		if (!text[i])
			text[i] = '\n';
	for (unsigned int i = 0; text && words[i] && !wanted; i++)
		wanted = strstr(text, words[i]);
	if (wanted) {
		record(s, path, text, n);
		return text;
	}
	free(text);
	return NULL;
}

long long v9_source_number(struct v9_doc_source *s, const char *path, long long otherwise)
{
	char *text = v9_source_text(s, path), *end;
	long long n = text ? (long long)strtoull(text, &end, 0) : otherwise;

	if (text && end == text)
		n = otherwise;
	free(text);
	return n;
}

bool v9_source_exists(struct v9_doc_source *s, const char *path)
{
	char *at = place(s, path);
	const bool exists = !access(at, F_OK);

	free(at);
	if (exists)
		record_name(s, "", path + 1);
	return exists;
}

char *v9_source_names(struct v9_doc_source *s, const char *dir, const char *prefix)
{
	char *at = place(s, dir);
	struct v9_blob b = { 0 };
	struct dirent **entry;
	int n = scandir(at, &entry, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		const char *name = entry[i]->d_name;

		if (*name != '.' && !strncmp(name, prefix, strlen(prefix))) {
			v9_blob_put(&b, name, strlen(name));
			v9_blob_put(&b, "\n", 1);
			record_name(s, dir, name);
		}
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
	free(at);
	v9_blob_zero(&b, 1);
	return (char *)b.data;
}

char *v9_source_link(struct v9_doc_source *s, const char *path)
{
	char to[PATH_MAX], *recorded = v9_format("%s.link", path), *at, *name = NULL;
	ssize_t n;

	if (s->root) {
		name = v9_source_text(s, recorded);
		free(recorded);
		return name;
	}
	at = place(s, path);
	n = readlink(at, to, sizeof(to) - 1);
	if (n > 0) {
		to[n] = '\0';
		name = v9_strdup(strrchr(to, '/') ? strrchr(to, '/') + 1 : to);
		record(s, recorded, name, strlen(name));
	}
	free(at);
	free(recorded);
	return name;
}

static void walk(struct v9_doc_source *s, const char *dir, unsigned int depth,
		 void (*fn)(struct v9_doc_source *s, const char *path, void *data), void *data)
{
	char *at = place(s, dir);
	struct dirent **entry;
	int n = depth ? scandir(at, &entry, NULL, alphasort) : -1;

	for (int i = 0; i < n; i++) {
		if (entry[i]->d_type == DT_DIR && entry[i]->d_name[0] != '.') {
			char *path = v9_format("%s/%s", dir, entry[i]->d_name);

			fn(s, path, data);
			walk(s, path, depth - 1, fn, data);
			free(path);
		}
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
	free(at);
}

void v9_source_walk(struct v9_doc_source *s, const char *dir,
		    void (*fn)(struct v9_doc_source *s, const char *path, void *data), void *data)
{
	walk(s, dir, DEPTH, fn, data);
}

char *v9_source_pseudo(struct v9_doc_source *s, const char *name, char *(*get)(const void *arg),
		       const void *arg, const char *const *words)
{
	char *path = v9_format("/pseudo/%s", name), *text;
	int err;

	if (s->root) {
		text = v9_source_text(s, path);
		free(path);
		return text;
	}
	text = get(arg);
	err = errno;
	text = finish(s, path, text, text ? strlen(text) : 0, text ? 0 : err, words);
	err = errno;
	free(path);
	errno = err;
	return text;
}
