/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Text that several threads wrote, put in the order of time. Each piece of a trace is written to
 * memory, with marks where something has to be done when the text before it is out. A segment's text
 * goes out when all segments before it have, as far as it is known.
 */
#ifndef V9TRACE_REPORT_ORDER_H
#define V9TRACE_REPORT_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct v9_text;

/* A mark of a kind of yours, with two numbers. */
struct v9_text_mark {
	size_t at;
	unsigned int kind;
	uint64_t a, b;
};

/* What is written, by one thread. */
struct v9_text *v9_text_new(void);
FILE *v9_text_file(struct v9_text *t);
void v9_text_mark(struct v9_text *t, unsigned int kind, uint64_t a, uint64_t b);

/* What follows belongs to that segment; @key orders texts of the same segment. */
void v9_text_turn(struct v9_text *t, size_t turn, uint64_t key);

/* The segment is at its end. */
void v9_text_through(struct v9_text *t);

/* For the owner to keep something with it: @size bytes, zero at first. */
void *v9_text_own(struct v9_text *t, size_t size);
void v9_text_delete(struct v9_text *t);

struct v9_order {
	struct v9_order_turn *turn;
	size_t nr, next;
	uint64_t held;			/* bytes that wait */
	void (*mark)(void *arg, const struct v9_text_mark *m);
	void (*end)(void *arg, void *own);	/* a text is out */
	void *arg;
};

void v9_order_init(struct v9_order *o, size_t turns);

/* Takes the text, and writes to standard output what can be written. */
void v9_order_add(struct v9_order *o, struct v9_text *t);
void v9_order_free(struct v9_order *o);

#endif
