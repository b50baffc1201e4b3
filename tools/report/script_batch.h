/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Prints SPE records with several threads. A thread decodes a batch of the records of a buffer and makes their
 * lines in memory. While it makes them, another thread can decode the next batch of that buffer. The buffers are
 * sources of script, whose caller writes the lines in the order of time: so the output does not depend on the
 * number of threads.
 */
#ifndef V9TRACE_REPORT_SCRIPT_BATCH_H
#define V9TRACE_REPORT_SCRIPT_BATCH_H

#include "script.h"

#define V9_BATCH_RECORD	64u	/* bytes of a record, about */

struct v9_batches;

/* @records: of a batch, at least 1 */
struct v9_batches *v9_batches_new(struct v9_script *s, size_t records);

/* Announces a buffer, before v9_batches_start(). */
void v9_batches_buffer(struct v9_batches *b, struct v9_queue *q);

/* Starts the threads, at most one for each batch, and adds the buffers to the sources of the script. */
void v9_batches_start(struct v9_batches *b);

/* Ends the threads. The sources are not used afterwards. */
void v9_batches_free(struct v9_batches *b);

#endif
