/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The file. What is on disk is at any moment a readable capture that ends with
 * a whole record: header and events are written first, with a data size of 0
 * ("read to the end"), and a full disk is answered by cutting off the record
 * that did not fit. Room for the sections at the end is set aside beforehand.
 */
#ifndef V9TRACE_COLLECT_WRITER_H
#define V9TRACE_COLLECT_WRITER_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#include "../perfdata.h"
#include "../util.h"
#include "pack.h"
#include "spec.h"

/* Where a record of the file ends, and the last of those that were packed into it. */
struct v9_packed_end {
	size_t record, out;
};

struct v9_writer {
	char *path;
	char *old;			/* where a file of that name went; NULL: there was none */
	int fd;
	int reserve;			/* an unlinked file that keeps room for the end */
	int error;			/* errno that stopped the recording; 0 */
	uint64_t pos;			/* end of the last whole record on disk */
	uint64_t unwritten;		/* bytes that found no room */
	uint64_t lost_records;		/* records of the kernel that did not */
	uint64_t size;			/* of the finished file */
	struct pd_header head;
	const struct v9_event *ev;	/* as given to v9_writer_open() */
	int evs;
	uint64_t ids;			/* how many ids of events stand in the file */
	struct v9_buf buf;		/* whole records */
	struct v9_pack *pack;		/* NULL: they are written as they are */
	struct v9_buf packed;		/* the same, packed */
	struct v9_buf ends;		/* struct v9_packed_end, of each record of that */
	struct v9_buf index;		/* of AUXTRACE records, as the section has it */
};

/* 0, or -errno with the message printed and nothing left behind. */
int v9_writer_open(struct v9_writer *w, const char *path, const struct v9_event *ev, int evs,
		   size_t reserve);

/* From here on the kernel's records are packed. */
void v9_writer_pack(struct v9_writer *w, int level);

/* These do nothing once there is an error. They return w->error. */
int v9_writer_record(struct v9_writer *w, const void *record, size_t size);
int v9_writer_aux(struct v9_writer *w, struct pd_auxtrace *aux, const uint8_t *a, size_t na,
		  const uint8_t *b, size_t nb);
int v9_writer_flush(struct v9_writer *w);

/* Sections by number; empty ones are left out. Closes the file. 0 or -errno, nothing printed. */
int v9_writer_finish(struct v9_writer *w, const struct v9_buf sections[PD_FEATURE_BITS]);

/* Removes the file and brings the old one back. */
void v9_writer_abandon(struct v9_writer *w);
void v9_writer_close(struct v9_writer *w);

#endif
