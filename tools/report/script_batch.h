/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Prints SPE records with several threads. The caller adds records, and samples of other events, in the order
 * of their lines. The records are divided into batches; a thread makes the text of a batch in memory, and the
 * texts are written to standard output in the order of the batches. So the output does not depend on the
 * number of threads.
 */
#ifndef V9TRACE_REPORT_SCRIPT_BATCH_H
#define V9TRACE_REPORT_SCRIPT_BATCH_H

#include "script.h"

struct v9_batches;

/* @records: of a batch, at least 1; @sample: prints a sample of another event to the output of @s */
struct v9_batches *v9_batches_new(struct v9_script *s, size_t records,
				  void (*sample)(struct v9_script *s, uint64_t offset));

/* Adds a record. It is copied, and so are the packets without a meaning. */
void v9_batches_record(struct v9_batches *b, const struct v9_script_record *r);

/* A sample of another event is next, that at @offset of the capture. */
void v9_batches_sample(struct v9_batches *b, uint64_t offset);

/* Writes all that was added, and ends the threads. */
void v9_batches_free(struct v9_batches *b);

#endif
