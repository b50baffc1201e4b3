/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Writing a capture. The file on disk is always a readable capture that ends with a whole record.
 * The header and the events are written first, with a data size of 0 (data up to the end of the
 * file). If the disk is full, an incomplete record is cut off. Space for the sections at the end is
 * reserved at the start.
 *
 * A recording of SPE and ETE has two files, see struct pd_half: a writer of the ETE half, whose twin writes
 * the SPE half.
 */
#ifndef V9TRACE_COLLECT_WRITER_H
#define V9TRACE_COLLECT_WRITER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../perfdata.h"
#include "../util.h"
#include "pack.h"
#include "spec.h"

/* End of a record in the packed output, and of the last original record that is part of it */
struct v9_packed_end {
	size_t record, out;	/* byte offsets in buf, packed */
};

/* Takes records and AUX data in place of a file, and is told when a drain of all rings is over. */
struct v9_writer_other {
	void (*record)(void *arg, const void *record, size_t size);
	void (*aux)(void *arg, const struct pd_auxtrace *aux, const uint8_t *a, size_t na,
		    const uint8_t *b, size_t nb);
	/* @whole: after this drain all trace from before the drain before it has been given. */
	void (*round)(void *arg, bool whole);
	void *arg;
};

struct v9_writer {
	struct v9_writer_other other;	/* .record NULL: there is a file */
	char *path;
	char *old;			/* new name of an older file; NULL: there was none */
	int fd;
	int reserve;			/* unlinked file that reserves space for the sections */
	int error;			/* errno of a failed write, which is final; else 0 */
	uint64_t pos;			/* end of the last whole record on disk */
	uint64_t unwritten;		/* bytes that were not written because of @error */
	uint64_t lost_records;		/* records that were not written */
	uint64_t size;			/* bytes of the finished file */
	struct v9_writer *twin;		/* of the other half; NULL: there is one file */
	struct pd_half half;		/* .magic 0: the file has all events */
	struct pd_header head;
	const struct v9_event_spec *ev;	/* argument of v9_writer_open() */
	int evs;
	uint64_t ids;			/* number of event ids in the file */
	struct v9_blob buf;		/* whole records that are not written yet */
	struct v9_pack *pack;		/* NULL: no compression */
	struct v9_blob packed;		/* content of buf, packed */
	struct v9_blob ends;		/* struct v9_packed_end of each record in packed */
	struct v9_blob index;		/* content of PD_AUXTRACE without the count */
};

/* Are there events of both SPE and ETE? Then there are two files. */
bool v9_writer_has_twin(const struct v9_event_spec *ev, int evs);

/*
 * Create the file, or both, each with @reserve bytes of space for the sections. An older file is renamed.
 * Returns 0, or prints an error, restores the older files and returns -errno.
 */
int v9_writer_open(struct v9_writer *w, const char *path, const struct v9_event_spec *ev, int evs,
		   size_t reserve);

/* Compress the kernel's records from now on, in both files. */
void v9_writer_pack(struct v9_writer *w, int level);

/* Does this file have the event? */
static inline bool v9_writer_takes(const struct v9_writer *w, const struct v9_event_spec *ev)
{
	return !w->half.magic || !ev->aux || ev->aux->auxtrace == w->half.unit;
}

/* Returns the writer, of the two, of the file that has an event with an AUX area. */
static inline struct v9_writer *v9_writer_of(struct v9_writer *w, const struct v9_event_spec *ev)
{
	return w->twin && !v9_writer_takes(w, ev) ? w->twin : w;
}

/* Append data to this file; after an error only count it as not written. Return w->error. */
int v9_writer_put(struct v9_writer *w, const void *record, size_t size);
int v9_writer_aux(struct v9_writer *w, struct pd_auxtrace *aux, const uint8_t *a, size_t na,
		  const uint8_t *b, size_t nb);

/* Append a record to both files. */
void v9_writer_record(struct v9_writer *w, const void *record, size_t size);

/* Write what is buffered, to both files. Returns v9_writer_error(). */
int v9_writer_flush(struct v9_writer *w);

/* Returns errno of a failed write to one of the files, or 0. */
int v9_writer_error(const struct v9_writer *w);

/* Returns the bytes of an attribute in this file: those of the longest, not more, because of old readers. */
uint32_t v9_writer_attr_bytes(const struct v9_writer *w);

/* Returns the number of bytes of both files so far. */
uint64_t v9_writer_bytes(const struct v9_writer *w);

/*
 * Write the sections of this file, by enum pd_feature; empty ones are omitted. Closes the file. Returns 0
 * or -errno; prints nothing.
 */
int v9_writer_finish(struct v9_writer *w, const struct v9_blob sections[PD_FEATURE_BITS]);

/* Remove both files and restore the older ones. */
void v9_writer_abandon(struct v9_writer *w);
void v9_writer_close(struct v9_writer *w);

#endif
