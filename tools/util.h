/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What every command needs: one way to complain, a byte buffer, reading small files. */
#ifndef V9TRACE_TOOLS_UTIL_H
#define V9TRACE_TOOLS_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define V9TRACE_VERSION	"0.1"

/* "v9trace: TEXT", one line on stderr; a progress line standing there is wiped first. */
void v9_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The same, for what does not stop the command. */
void v9_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* One line that the next call replaces; nothing unless stderr is a terminal. */
void v9_progress(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void v9_progress_end(void);
bool v9_progress_shown(void);

/* The process ends with "out of memory" rather than returning NULL. */
void v9_out_of_memory(void) __attribute__((noreturn));
void *v9_alloc(size_t size);		/* zeroed */
void *v9_realloc(void *p, size_t size);
char *v9_strdup(const char *s);
char *v9_format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Bytes that grow; { 0 } is an empty one. */
struct v9_buf {
	uint8_t *data;
	size_t len;
	size_t room;
};

void v9_buf_put(struct v9_buf *b, const void *data, size_t n);
void v9_buf_zero(struct v9_buf *b, size_t n);
void v9_buf_free(struct v9_buf *b);

static inline void v9_buf_u32(struct v9_buf *b, uint32_t v)
{
	v9_buf_put(b, &v, sizeof(v));
}

static inline void v9_buf_u64(struct v9_buf *b, uint64_t v)
{
	v9_buf_put(b, &v, sizeof(v));
}

/*
 * A whole file of sysfs, procfs or tracefs, which cannot tell its size. The
 * text ends in a zero that *len (may be NULL) does not count. NULL and errno
 * if it cannot be read.
 */
char *v9_read_file(const char *path, size_t *len);

/* The first line of such a file, without its end; NULL and errno. */
char *v9_read_line(const char *path);

/* "12.3 MB" and the like, into the caller's room. */
const char *v9_bytes(char room[16], uint64_t n);

#endif
