/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Lines of SPE records by several threads: one thread reads records in the order of their lines and adds
 * them, other threads make the text of pieces of these, and the first one writes the texts in order.
 */
#ifndef V9TRACE_REPORT_SCRIPT_PIECES_H
#define V9TRACE_REPORT_SCRIPT_PIECES_H

#include "script.h"

struct v9_script_pieces;

/* Begins @threads threads, or as many as there can be. A piece has @records records. Returns NULL if there is none. */
struct v9_script_pieces *v9_script_pieces_begin(struct v9_script *s, unsigned int threads, size_t records);

/* Adds the next record, which is copied. Writes texts that are complete. */
void v9_script_pieces_add(struct v9_script_pieces *x, const struct v9_queue *q, const struct v9_sampled *at);

/* Returns when all that was added is written, or in the buffer of v9_script.put. */
void v9_script_pieces_flush(struct v9_script_pieces *x);

/* Ends the threads. NULL is permitted. */
void v9_script_pieces_end(struct v9_script_pieces *x);

#endif
