/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tests that include a source of the collector replace its calls by those below. They open the same path below a
 * directory of the test. BELOW, which the test defines first, is the template of mkdtemp() for that directory.
 */
#ifndef V9_TEST_BELOW_H
#define V9_TEST_BELOW_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

#include "../../tools/util.h"

static char root[] = BELOW;

/* The path there, which the caller frees */
static inline char *below(const char *path)
{
	return v9_format("%s%s", strncmp(path, root, strlen(root)) ? root : "", path);
}

static inline FILE *fopen_below(const char *path, const char *mode)
{
	char *at = below(path);
	FILE *f = fopen(at, mode);

	free(at);
	return f;
}

static inline DIR *opendir_below(const char *path)
{
	char *at = below(path);
	DIR *d = opendir(at);

	free(at);
	return d;
}

static inline char *file_below(const char *path, size_t *size)
{
	char *at = below(path), *text = v9_read_file(at, size);

	free(at);
	return text;
}

static inline char *line_below(const char *path)
{
	char *at = below(path), *text = v9_read_line(at);

	free(at);
	return text;
}

/* Writes a file there. */
static inline void put_bytes_below(const char *path, const void *bytes, size_t size)
{
	char *at = below(path);

	tap_write(at, bytes, size);
	free(at);
}

static inline void put_below(const char *path, const char *text)
{
	put_bytes_below(path, text, strlen(text));
}

#endif
