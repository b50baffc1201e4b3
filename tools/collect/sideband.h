/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Records that describe the state before the recording: the kernel and its modules, running
 * processes and their mappings. Records that a decoder needs: clock, event ids, trace units. Also
 * the function that counts each record of the kernel before it is written.
 */
#ifndef V9TRACE_COLLECT_SIDEBAND_H
#define V9TRACE_COLLECT_SIDEBAND_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "bpf.h"
#include "cgroups.h"
#include "files.h"
#include "jit.h"
#include "rings.h"
#include "writer.h"

/* An object that was mapped for execution, and its build ID. */
struct v9_object {
	char *name;
	bool kernel;
	bool sought;			/* v9_objects_id() has looked for .id */
	struct v9_id id;
};

struct v9_objects {
	struct v9_object *o;
	int n;
	int *slot;			/* hash table by name: index into o + 1; 0: empty */
	int slots;
	struct v9_files files;		/* of tasks in other mount namespaces */
	struct v9_bpf bpf;
	struct v9_jits jits;		/* jitdumps and perf maps of tasks */
};

/* Counters of a recording */
struct v9_record_counts {
	uint64_t records, samples, trace_bytes, trace_pieces;
	uint64_t trace_unwritten;	/* bytes not written because of an error, as a full disk */
	uint64_t trace_late;		/* bytes that arrived after the end of the file */
	uint64_t cpu_away, cpu_away_ns;	/* times a CPU was not recorded; their maximum sum */
	uint64_t restarts;		/* times that the events were enabled after they had been disabled */
	uint64_t switch_ins;		/* records that a recorded task came onto a CPU */
	uint64_t paused, paused_ns;	/* times v9trace pause had closed the events; their sum */
	uint64_t lost;			/* records that the kernel reported as lost */
	uint64_t truncated, overwritten, partial, collided;	/* AUX records with that flag */
	uint64_t stops;			/* of those with truncated: of overwritten areas, by a trigger or a fault */
	uint64_t first_time, last_time;	/* ns */
};

/* The sample id at the end of each record of the kernel; SAMPLE_ID in spec.c sets its layout. */
struct v9_sample_id {
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, reserved;
	uint64_t id;
};

/*
 * Counts a record, and looks at the file of a mapping. Returns the record to write: @record, or a copy
 * with a build-id that the kernel did not find, valid until the next call.
 */
const struct perf_event_header *v9_sideband_resolve(const struct perf_event_header *record,
						    struct v9_record_counts *c,
						    struct v9_objects *objects);

/* Time of a record of the kernel in ns; 0 if it was made by this program. */
uint64_t v9_sideband_time(const struct perf_event_header *record);

/* Write the records of the clock, the event ids and the trace units. They must be the first. */
void v9_sideband_facts(struct v9_writer *w, const struct v9_rings *r);
void v9_sideband_kernel(struct v9_writer *w, struct v9_objects *objects);

/* Write the process of a thread as it is now: threads, mappings, and groups if @cgroups is begun. */
void v9_sideband_task(struct v9_writer *w, int pid, struct v9_objects *objects,
		      struct v9_cgroup_log *cgroups);
void v9_sideband_all_tasks(struct v9_writer *w, struct v9_objects *objects,
			   struct v9_cgroup_log *cgroups);

/* Read build IDs that were in no record from the files, then append PD_BUILD_ID to @out. */
void v9_objects_section(struct v9_objects *objects, struct v9_blob *out);
void v9_objects_free(struct v9_objects *objects);

/* Reads the build-id of an object, unless it was read before. */
struct v9_id v9_objects_id(struct v9_objects *objects, const char *name, bool kernel);

/* Add an object that is no file. Its build ID is read from its ELF image in memory. */
void v9_objects_image(struct v9_objects *objects, const char *name, void *image, size_t size);
struct v9_object *v9_objects_get(struct v9_objects *objects, const char *name, bool kernel);

#endif
