// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../capture/strtab.h"
#include "../util.h"

struct v9_source_file {
	const char *file;
	char *text;			/* NULL: not found */
	const char **line;
	size_t nr_lines;
};

static char *read_regular(const char *path)
{
	struct stat st;

	return stat(path, &st) || !S_ISREG(st.st_mode) ? NULL : v9_read_file(path, NULL);
}

static char *find(const struct v9_sources *s, const char *file)
{
	char path[8192];
	char *text = NULL;

	if (s->symfs && (size_t)snprintf(path, sizeof(path), "%s%s%s", s->symfs,
					 file[0] == '/' ? "" : "/", file) < sizeof(path))
		text = read_regular(path);
	return text ? text : read_regular(file);
}

static void split(struct v9_source_file *f)
{
	char *next;

	for (char *s = f->text; s && *s; s = next) {
		char *end = s + strcspn(s, "\n");

		next = *end ? end + 1 : end;
		while (end > s && strchr(" \t\r", end[-1]))
			end--;
		*end = '\0';
		for (char *c = s; *c; c++)
			if (*c == '\t')
				*c = ' ';
		*v9_vec_add(f->line, f->nr_lines) = s;
	}
}

static struct v9_source_file *open_file(struct v9_sources *s, const char *file)
{
	struct v9_source_file *f;

	if (s->last < s->nr && s->files[s->last].file == file)
		return &s->files[s->last];
	for (s->last = 0; s->last < s->nr; s->last++)
		if (s->files[s->last].file == file)
			return &s->files[s->last];
	f = v9_vec_add(s->files, s->nr);
	*f = (struct v9_source_file){ .file = file, .text = find(s, file) };
	split(f);
	return f;
}

const char *v9_source_line(struct v9_sources *s, const char *file, unsigned int line)
{
	const struct v9_source_file *f = open_file(s, file);

	return line && line <= f->nr_lines ? f->line[line - 1] : NULL;
}

void v9_sources_free(struct v9_sources *s)
{
	for (size_t i = 0; i < s->nr; i++) {
		free(s->files[i].text);
		free(s->files[i].line);
	}
	free(s->files);
	memset(s, 0, sizeof(*s));
}
