/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Where the doctor reads: this machine, or a tree that was recorded on another one. A tree has the
 * files by their paths, text that is no file below "pseudo", and in "denied" the paths that could
 * not be read for want of permission, one a line.
 */
#ifndef V9TRACE_DOCTOR_SOURCE_H
#define V9TRACE_DOCTOR_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct v9_doc_source - source of facts
 * @root: recorded tree, or NULL for this machine
 * @record: directory that receives a copy of all that is read, or NULL
 * @denied: of a recorded tree: its file "denied"
 * @failed: writing to @record failed; an error was printed
 */
struct v9_doc_source {
	const char *root;
	const char *record;
	char *denied;
	bool failed;
};

/*
 * Read a file: all of it, or those lines that contain one of the words. @words ends with NULL. Only
 * what is returned is recorded. Returns the text, which the caller frees; or NULL with errno, EACCES
 * where permission is missing. v9_source_bytes() is for files with zero bytes in them.
 */
char *v9_source_text(struct v9_doc_source *s, const char *path);
char *v9_source_lines(struct v9_doc_source *s, const char *path, const char *const *words);
char *v9_source_bytes(struct v9_doc_source *s, const char *path, size_t *len);

/*
 * Read a file that consists of strings, if one of the words is in it; else return NULL, and record
 * nothing. Zero bytes between strings become newlines.
 */
char *v9_source_match(struct v9_doc_source *s, const char *path, const char *const *words);

/* The number in a file, in any base; @otherwise if there is none. */
long long v9_source_number(struct v9_doc_source *s, const char *path, long long otherwise);

/* Does the path exist? An empty file is recorded for it. */
bool v9_source_exists(struct v9_doc_source *s, const char *path);

/* Names in a directory that begin with @prefix, sorted, one a line. The caller frees the result. */
char *v9_source_names(struct v9_doc_source *s, const char *dir, const char *prefix);

/* The last part of what a symbolic link points to, or NULL. The caller frees it. */
char *v9_source_link(struct v9_doc_source *s, const char *path);

/*
 * Call @fn for each directory below @dir, at most 8 levels deep, with its path. In a tree these are
 * the directories of which something was recorded.
 */
void v9_source_walk(struct v9_doc_source *s, const char *dir,
		    void (*fn)(struct v9_doc_source *s, const char *path, void *data), void *data);

/*
 * Text that is no file. @get returns it on this machine, or NULL with errno; the words are those of
 * v9_source_lines(), or NULL.
 */
char *v9_source_pseudo(struct v9_doc_source *s, const char *name, char *(*get)(const void *arg),
		       const void *arg, const char *const *words);

/* Write down what was denied. Returns 0, or -1 if anything could not be recorded. */
int v9_source_close(struct v9_doc_source *s);

#endif
