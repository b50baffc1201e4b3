/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Records about what was there before the recording: the kernel and its
 * modules, running processes with their mappings; and the facts a decoder
 * needs (clock, ids, kind of trace). Also the one look that each record of the
 * kernel gets on its way to the file.
 */
#ifndef V9TRACE_COLLECT_SIDEBAND_H
#define V9TRACE_COLLECT_SIDEBAND_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "rings.h"
#include "writer.h"

/* An object that was mapped for execution, and its build-id. */
struct v9_object {
	char *name;
	bool kernel;
	uint8_t id[20];
	uint8_t id_size;		/* 0: not known yet */
};

struct v9_objects {
	struct v9_object *o;
	int n;
	int *slot;			/* hash of names -> index + 1 */
	int slots;
};

/* What was lost, as the kernel said. */
struct v9_counts {
	uint64_t records, samples, trace_bytes, trace_pieces;
	uint64_t trace_unwritten;	/* bytes that found no room on disk */
	uint64_t trace_late;		/* bytes that came when the file was finished */
	uint64_t cpu_away, cpu_away_ns;	/* how often a CPU was not recorded, for how long at most */
	uint64_t lost;			/* records that found no room in a ring */
	uint64_t truncated, overwritten, partial, collided;	/* AUX records so flagged */
	uint64_t first_time, last_time;
};

/* The sample id at the end of every record of the kernel; layout fixed by spec.c. */
struct v9_sample_id {
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, reserved;
	uint64_t id;
};

void v9_sideband_resolve(const struct perf_event_header *record, struct v9_counts *c,
			 struct v9_objects *objects);

/* Clock, ids of events, kind of trace: before anything else. */
void v9_sideband_facts(struct v9_writer *w, const struct v9_rings *r);
void v9_sideband_kernel(struct v9_writer *w, struct v9_objects *objects);
void v9_sideband_task(struct v9_writer *w, int pid, struct v9_objects *objects);
void v9_sideband_all_tasks(struct v9_writer *w, struct v9_objects *objects);

/* Build-ids that no record brought, from the files; then the section. */
void v9_objects_section(struct v9_objects *objects, struct v9_buf *out);
void v9_objects_free(struct v9_objects *objects);

/* An object that is no file: its build-id from its image in memory. */
void v9_objects_image(struct v9_objects *objects, const char *name, void *image, size_t size);
struct v9_object *v9_objects_get(struct v9_objects *objects, const char *name, bool kernel);

#endif
