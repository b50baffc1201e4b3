/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Reading a perf.data file: header, attributes, sections, the chain of records.
 *
 * The file is mapped and never trusted: each access is checked against the real
 * size, and what the file claims allocates nothing that the file does not pay
 * for in bytes. What cannot be read is named with its offset in pd_file.err.
 * Truncated (the file ends early) is not corrupt (the file contradicts itself).
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
	struct perf_event_attr attr;	/* fields this program does not know are dropped */
	struct pd_range ids;
	char name[64];			/* from the event description section, or empty */
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
	uint64_t pos, end;		/* in the data range, cut to the file */
	uint64_t missing;		/* bytes the header promises beyond the end of the file */
	bool unfinished;		/* the recorder did not come to fill the header in */
	bool no_sections;		/* the optional sections are lost */
	bool piped;			/* the layout of pipes: what describes the data is in it */
	struct pd_unpack *unpack;	/* of COMPRESSED records; NULL: there was none so far */
	uint64_t touched;		/* bytes read since the file was last given back */
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
 * @offset: in the file; of a record that was packed it is no place, but good for pd_at()
 * @size: bytes of the record without the sample id at its end
 * @payload: AUXTRACE: the AUX bytes, as many as the file still has
 * @payload_missing: AUXTRACE: bytes that lie beyond the end of the file
 * @has: which of the fields below are known
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
	const struct pd_attr *attr;	/* NULL if the id names none */
};

/* What a PERF_RECORD_SAMPLE carries beyond struct pd_event. */
struct pd_sample {
	uint64_t ip, addr, period;
	const uint8_t *raw;
	uint32_t raw_size;
};

/**
 * pd_open - map a capture and read all but its data
 * @path: "-" is standard input. What is a pipe is read to its end first.
 *
 * Returns 0, or a negative errno with f->err set. Call pd_close() either way.
 */
int pd_open(struct pd_file *f, const char *path);
void pd_close(struct pd_file *f);

/**
 * pd_next - the record at f->pos, and step behind it
 * Returns 1; 0 at the end; -ENODATA if the data ends inside a record (truncated);
 * -EBADMSG if the chain is broken (corrupt). f->err tells where and why.
 */
int pd_next(struct pd_file *f, struct pd_event *e);

/* A section that holds records: the one at *at, from 0 on, which moves on; false at the end. */
bool pd_section_next(const struct pd_file *f, enum pd_feature which, uint64_t *at,
		     struct pd_event *e);

/* Start again at the first record. */
void pd_rewind(struct pd_file *f);

/*
 * @n bytes of the file were read. Now and then all of it is given back to the system, from which it
 * comes again by itself: so a file of any size is not held in memory. Any thread may call this.
 */
void pd_pass(struct pd_file *f, uint64_t n);

/* Read the record at a known offset (one that pd_next() returned) again; of packed ones, samples. */
int pd_at(struct pd_file *f, uint64_t offset, struct pd_event *e);

/**
 * pd_sample - fields of a PERF_RECORD_SAMPLE, those of struct pd_event included
 * Returns 0, or -EBADMSG if they do not fit into the record.
 */
int pd_sample(struct pd_event *e, struct pd_sample *s);

/* A string section; false if absent or malformed. */
bool pd_string(const struct pd_file *f, enum pd_feature which, char *buf, size_t size);

#endif
