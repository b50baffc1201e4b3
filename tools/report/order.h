/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Ordered output of several threads. Each thread writes the text of a piece of the trace to memory.
 * The texts are written to standard output in the order of the segments of the trace. A mark in a
 * text causes a callback after all text before it was written.
 */
#ifndef V9TRACE_REPORT_ORDER_H
#define V9TRACE_REPORT_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct v9_text;

/* A mark; kind, a and b are the caller's. kind must not be UINT32_MAX. */
struct v9_text_mark {
	size_t at;
	unsigned int kind;
	uint64_t a, b;
};

/* A text. Only one thread may write to it at a time. */
struct v9_text *v9_text_new(void);
FILE *v9_text_file(struct v9_text *t);
void v9_text_mark(struct v9_text *t, unsigned int kind, uint64_t a, uint64_t b);

/* What follows belongs to segment @turn. @key orders the texts of one segment. */
void v9_text_turn(struct v9_text *t, size_t turn, uint64_t key);

/* The current segment is complete. */
void v9_text_through(struct v9_text *t);

/* Returns @size bytes for use by the caller, zeroed by the first call. */
void *v9_text_own(struct v9_text *t, size_t size);
void v9_text_delete(struct v9_text *t);

struct v9_order {
	struct v9_order_turn *turn;
	size_t nr, next;
	uint64_t held;			/* bytes added and not written yet */
	void (*mark)(void *arg, const struct v9_text_mark *m);
	void (*end)(void *arg, void *own);	/* a text was written */
	void *arg;
};

void v9_order_init(struct v9_order *o, size_t turns);

/* Adds a text, which is then owned by @o, and writes to stdout what is next in order. */
void v9_order_add(struct v9_order *o, struct v9_text *t);
void v9_order_free(struct v9_order *o);

#endif
