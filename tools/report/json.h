/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * JSON lines, written as they go: a million records must not become a million
 * trees in memory. Names that come from a file are made valid UTF-8.
 */
#ifndef V9TRACE_REPORT_JSON_H
#define V9TRACE_REPORT_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct v9_json {
	FILE *f;
	bool more;		/* a comma is due */
};

void v9_json_begin(struct v9_json *j);
void v9_json_end(struct v9_json *j);	/* and the end of the line */
void v9_json_text(struct v9_json *j, const char *key, const char *s);
void v9_json_number(struct v9_json *j, const char *key, uint64_t n);
void v9_json_hex(struct v9_json *j, const char *key, uint64_t n);	/* "0x...": no 53-bit limit */
void v9_json_signed(struct v9_json *j, const char *key, int64_t n);
void v9_json_object(struct v9_json *j, const char *key);	/* an object in the object */
void v9_json_object_end(struct v9_json *j);
void v9_json_open(struct v9_json *j, const char *key);		/* an array of strings */
void v9_json_item(struct v9_json *j, const char *s);
void v9_json_close(struct v9_json *j);

/* Text for a terminal: what it would obey becomes '?'. Padded to the width. */
void v9_text_clean(FILE *f, const char *s, int width);

/* Bytes of the UTF-8 character at @s, 0 if it is none. */
unsigned int v9_utf8(const char *s);

#endif
