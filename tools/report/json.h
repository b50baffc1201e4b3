/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A writer of JSON lines. It writes each value at once and keeps no tree in memory, however many
 * records there are. Invalid UTF-8 in strings is replaced by '?'.
 */
#ifndef V9TRACE_REPORT_JSON_H
#define V9TRACE_REPORT_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "../put.h"

struct v9_json {
	struct v9_put *put;
	bool more;		/* the next value needs a comma before it */
};

/* Writes a string with its quotes. */
void v9_json_string(struct v9_put *p, const char *s);

/* Writes the name of a value. Inline: the length of most keys is known to the compiler. */
static inline void v9_json_key(struct v9_json *j, const char *key)
{
	if (j->more)
		v9_put_char(j->put, ',');
	v9_put_char(j->put, '"');
	v9_put_str(j->put, key);
	v9_put_bytes(j->put, "\":", 2);
	j->more = true;
}

void v9_json_begin(struct v9_json *j);
void v9_json_end(struct v9_json *j);	/* with the end of the line */

static inline void v9_json_text(struct v9_json *j, const char *key, const char *s)
{
	v9_json_key(j, key);
	v9_json_string(j->put, s);
}

static inline void v9_json_number(struct v9_json *j, const char *key, uint64_t n)
{
	v9_json_key(j, key);
	v9_put_number(j->put, n, 0);
}

/* "0x...", all bits */
static inline void v9_json_hex(struct v9_json *j, const char *key, uint64_t n)
{
	v9_json_key(j, key);
	v9_put_bytes(j->put, "\"0x", 3);
	v9_put_hex(j->put, n, 0);
	v9_put_char(j->put, '"');
}

void v9_json_signed(struct v9_json *j, const char *key, int64_t n);
void v9_json_flag(struct v9_json *j, const char *key, bool set);
void v9_json_object(struct v9_json *j, const char *key);	/* a nested object */
void v9_json_object_end(struct v9_json *j);
void v9_json_open(struct v9_json *j, const char *key);		/* begin an array */
void v9_json_item(struct v9_json *j, const char *s);
void v9_json_element(struct v9_json *j);	/* begin an object in an array: v9_json_object_end() */
void v9_json_close(struct v9_json *j);

/* Prints a string with its quotes. */
void v9_json_print(FILE *f, const char *s);

/* Writes text for a terminal: control characters become '?'. Pads to @width with spaces. */
void v9_text_clean(struct v9_put *p, const char *s, int width);

/* Length in bytes of the UTF-8 character at @s; 0 if it is not valid. */
unsigned int v9_utf8(const char *s);

#endif
