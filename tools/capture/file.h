/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Reader of perf.data files: header, attributes, sections, and the sequence of records.
 *
 * The file is mapped and not trusted. Each access is checked against the size of the file, and no
 * number in the file allocates more memory than the file has bytes for. pd_file.err names what
 * cannot be read, with its offset. A truncated file ends early; a corrupt file contradicts itself.
 */
#ifndef V9TRACE_CAPTURE_FILE_H
#define V9TRACE_CAPTURE_FILE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../perfdata.h"
#include "unpack.h"

struct pd_attr {
	struct perf_event_attr attr;	/* unknown fields are dropped */
	struct pd_range ids;
	char name[64];			/* from the section of event descriptions, or empty */
};

struct pd_id {
	uint64_t id;
	uint32_t attr;
};

struct pd_file {
	const uint8_t *map;
	uint64_t size;
	struct pd_header head;
	struct pd_attr *attrs;
	struct pd_id *ids;		/* sorted */
	size_t nr_attrs, nr_ids;
	struct pd_range sections[PD_FEATURE_BITS];	/* size 0: absent */
	uint64_t pos, end;		/* of the data range, limited to the file */
	uint64_t missing;		/* bytes of the data range beyond the end of the file */
	bool unfinished;		/* the recorder did not complete the header */
	bool no_sections;		/* the optional sections are lost */
	bool piped;			/* pipe layout: records describe the data */
	bool inner;			/* .map is a part of that of another file */
	struct pd_half half;		/* .magic 0: it is not one of two files */
	struct pd_unpack *unpack;	/* state for COMPRESSED records; NULL: none was read yet */
	uint64_t touched;		/* bytes read since pd_pass() last released pages */
	char err[200];
};

enum pd_has {
	PD_HAS_TASK	= 1 << 0,
	PD_HAS_TIME	= 1 << 1,
	PD_HAS_CPU	= 1 << 2,
	PD_HAS_ID	= 1 << 3,
};

/**
 * struct pd_event - one record of the data range
 * @p: its first byte, header included
 * @offset: in the file. Of a compressed record: no file offset, but valid for pd_at()
 * @size: bytes of the record without the sample id at its end
 * @payload: AUXTRACE: the AUX bytes that are in the file
 * @payload_missing: AUXTRACE: number of AUX bytes beyond the end of the file
 * @has: PD_HAS_*: which of the fields below are known
 */
struct pd_event {
	const uint8_t *p;
	uint64_t offset;
	uint32_t type;
	uint16_t misc;
	uint32_t size;
	const uint8_t *payload;
	uint64_t payload_size;
	uint64_t payload_missing;
	unsigned int has;
	uint32_t pid, tid, cpu;
	uint64_t time, id;
	const struct pd_attr *attr;	/* NULL if no attribute has the id */
};

#define PD_BRANCH_BYTES	24	/* of an entry of a branch stack (branch.h) */

/* Fields of a PERF_RECORD_SAMPLE that struct pd_event does not have */
struct pd_sample {
	uint64_t ip, addr, period;
	const uint8_t *raw;
	uint32_t raw_size;
	bool has_branches;		/* it has a branch stack, which may be empty */
	const uint8_t *branches;	/* its entries, youngest first */
	uint64_t nr_branches;
	uint64_t hw_idx;		/* position in the hardware; UINT64_MAX: not known */
	const uint8_t *counters;	/* a word for each entry, or NULL */
	bool has_cgroup;
	uint64_t cgroup;		/* id of the control group */
	uint64_t rest;			/* bytes after the last field */
};

/* Called if pd_open() waits for a writer of a pipe for some time; NULL: nobody */
extern void (*pd_waiting)(const char *path);

/**
 * pd_open - map a capture and read everything except its data
 * @path: file name; "-" is standard input. A pipe is read to its end first.
 *
 * Returns 0, or a negative errno with f->err set. Call pd_close() in both cases.
 */
int pd_open(struct pd_file *f, const char *path);
void pd_close(struct pd_file *f);

/* The same for a file that is in section @which of @outer, which is to be closed later. */
int pd_open_inner(struct pd_file *f, const struct pd_file *outer, enum pd_feature which);

/* Returns the attribute that has the event id, or NULL. */
const struct pd_attr *pd_attr_of(const struct pd_file *f, uint64_t id);

/**
 * pd_next - read the record at f->pos and advance f->pos
 *
 * Returns 1; 0 at the end; -ENODATA if the data ends inside a record (truncated); -EBADMSG if a
 * record has an impossible size (corrupt). f->err has the offset and the reason.
 */
int pd_next(struct pd_file *f, struct pd_event *e);

/*
 * Reads the record at *@at of a section that holds records, and advances *@at. Start with 0.
 * Returns false at the end.
 */
bool pd_section_next(const struct pd_file *f, enum pd_feature which, uint64_t *at,
		     struct pd_event *e);

/* Continues at the first record. */
void pd_rewind(struct pd_file *f);

/*
 * Call this after @n bytes of the file were read. At intervals it releases the pages of the
 * mapping, so that a large file does not stay in memory; they are read again on the next access.
 * Any thread may call it.
 */
void pd_pass(struct pd_file *f, uint64_t n);

/* Reads a record again, by the offset that pd_next() gave. Compressed records: samples only. */
int pd_at(struct pd_file *f, uint64_t offset, struct pd_event *e);

/**
 * pd_sample - parse a PERF_RECORD_SAMPLE; sets fields of @e as well
 *
 * Returns 0, or -EBADMSG if the fields exceed the record.
 */
int pd_sample(struct pd_event *e, struct pd_sample *s);

/* Copies a section that is a string. Returns false if it is absent or malformed. */
bool pd_string(const struct pd_file *f, enum pd_feature which, char *buf, size_t size);

#endif
