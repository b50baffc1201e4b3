/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the formats of v9trace export share. */
#ifndef V9TRACE_EXPORT_EXPORT_H
#define V9TRACE_EXPORT_EXPORT_H

#include "../report/sink.h"
#include "../util.h"

/* Weights of a stack: all but time, which only functions that begin and end have */
#define V9_STACK_WEIGHTS	((1u << V9_W_TIME) - 1)

extern const struct v9_sink v9_sink_folded, v9_sink_speedscope, v9_sink_pprof,
	v9_sink_chrome, v9_sink_svg, v9_sink_csv, v9_sink_json, v9_sink_sqlite,
	v9_sink_bolt, v9_sink_llvm, v9_sink_llvm_contexts, v9_sink_firefox, v9_sink_gcc,
	v9_sink_perf, v9_sink_parquet;

#define V9_SPE_STACKS		(V9_SINK_STACKS | V9_SINK_LINES)

/* A reader of stacks would take what is there for a chain of calls. */
#define V9_NO_CHAIN	"SPE has no call chain: levels are thread, object, function, inlined functions, line"

/*
 * Returns "COMM-TID", or "[unknown]" if neither is known, in @room. @comm may be NULL, @tid
 * V9_NO_TASK.
 */
const char *v9_thread_name(char *room, size_t size, const char *comm, uint32_t tid);

/*
 * What an export says of itself: the capture, what a stack is, and what was lost. v9_note_loss()
 * adds a loss.
 */
struct v9_export_note {
	char *lost;
	size_t size;
	FILE *f;
};

void v9_note_loss(struct v9_export_note *n, const struct v9_loss *l);
/* Returns the text, valid until v9_note_free(). */
const char *v9_note_text(struct v9_export_note *n, const struct v9_export *x);
/* Prints the losses as one warning, for a format that has no place for them, and frees the note. */
void v9_note_lost(struct v9_export *x, struct v9_export_note *n);
void v9_note_free(struct v9_export_note *n);

/* Returns "N KIND: WHAT, MEANING" in @room. */
const char *v9_loss_text(char *room, size_t size, const struct v9_loss *l);

/*
 * Numbers of levels and threads that a format names by an index: from 0, in the order of their
 * first use. *@added: it is new.
 */
struct v9_numbers {
	struct v9_bins bins;
};

void v9_numbers_init(struct v9_numbers *n);
size_t v9_number_of(struct v9_numbers *n, const uint64_t key[4], bool *added);
void v9_numbers_free(struct v9_numbers *n);

/* The key of a level: its function, object, address, what it is. */
void v9_level_key(uint64_t key[4], const struct v9_stack_level *l);

/*
 * Returns the format of that name, or NULL after an error message about @option. @of_object: only a
 * format of one object
 */
const struct v9_sink *v9_export_sink(const char *option, const char *name, bool of_object);
/*
 * Gives a capture to the sink. Opens the output if it is not open and the sink takes the capture.
 */
bool v9_export_feed(struct v9_report *r);
/* Opens the output. Returns false after an error message. */
bool v9_export_open(struct v9_export *x);
/* Gives the file its name if it is complete. Returns false after an error message if it is not. */
bool v9_export_close(struct v9_export *x);
/* The output format of a report that is an export: it gives the losses to the sink. */
extern const struct v9_format v9_export_losses;

/*
 * Text in parts that are written alternately, one for each thread, and read one after the other. It
 * lies in a file without a name: memory holds a buffer for each part.
 */
struct v9_parts;

/* Returns NULL after an error message. */
struct v9_parts *v9_parts_new(void);
void v9_parts_put(struct v9_parts *p, size_t part, const void *data, size_t n);
__attribute__((format(printf, 3, 4)))
void v9_parts_print(struct v9_parts *p, size_t part, const char *fmt, ...);
/* Adds a string of JSON, with its quotes. */
void v9_parts_json(struct v9_parts *p, size_t part, const char *text);
/* Number of parts: the largest that was written to, and 1. */
size_t v9_parts_number(const struct v9_parts *p);
/* Copies a part to @f. Returns false after an error message if it could not be kept or read. */
bool v9_parts_copy(struct v9_parts *p, size_t part, FILE *f);
void v9_parts_free(struct v9_parts *p);

/* Adds a comment to a profile of v9_sink_pprof, which has begun. */
void v9_pprof_comment(struct v9_export *x, const char *text);

#endif
