/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The main loop of a recording: waits for rings, signals and uevents, and writes the content of the
 * rings to the file. Each byte is counted.
 */
#ifndef V9TRACE_COLLECT_LOOP_H
#define V9TRACE_COLLECT_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "cgroups.h"
#include "child.h"
#include "control.h"
#include "cpus.h"
#include "rings.h"
#include "sideband.h"
#include "switch.h"
#include "writer.h"

/* What looks at the data of AUX rings, and can find a trigger in it. The argument is .arg of struct v9_loop. */
struct v9_loop_watch {
	/* What a drain gives: a record of an AUX ring, data of one. The file has it, too. */
	void (*record)(void *arg, const struct v9_aux_ring *ring, const struct perf_event_header *record);
	void (*aux)(void *arg, const struct v9_aux_ring *ring, const uint8_t *a, size_t na, const uint8_t *b,
		    size_t nb);
	bool (*drained)(void *arg);	/* after a drain; returns true: there is a trigger in it */
	/* Makes units hand over data that has waited. Then all rings are drained, and .rest() is called. NULL: never */
	void (*look)(void *arg);
	uint64_t (*rest)(void *arg);	/* returns the time until the next look, in ns */
};

struct v9_loop {
	struct v9_rings *rings;
	struct v9_writer *out;
	struct v9_record_counts *counts;
	struct v9_objects *objects;
	struct v9_cgroup_log *cgroups;
	struct v9_child *child;
	const struct v9_target *target;
	int signals;		/* signalfd */
	bool progress;		/* show a progress line */
	bool watched;		/* read the rings often, although they are not full */
	struct v9_control *control;
	uint64_t delay_ns;	/* until the events are enabled, if rings->late; UINT64_MAX: by a command */
	uint64_t duration_ns;	/* from then on; 0: no limit */
	const struct v9_switch_output *files;	/* when to begin another file, and their names; NULL: never */
	int (*begin_file)(void *arg);	/* completes the file, begins the next; else returns -errno */
	void *arg;
	void (*each_second)(void *arg);	/* NULL: none */
	uint64_t arm_ns;	/* no trigger in the first time after the events were enabled */
	uint64_t silence_ns;	/* no ping by .control for so long is a trigger; 0: it is none */
	/*
	 * A trigger came; @own: of .silence_ns or .watch. Returns true if the recording ends. NULL: it does.
	 * @early: in the time of .arm_ns; of silence there is no such call.
	 */
	bool (*on_trigger)(void *arg, bool own, bool early);
	const struct v9_loop_watch *watch;	/* NULL: none */
	/* The events were closed, or opened again. Returns NULL, or why they are of no use: they are closed again. NULL: none */
	const char *(*on_pause)(void *arg, bool paused);
	bool interrupted;	/* result: ended by a signal */
	/* private */
	int *attached;		/* pidfds of the processes of -p or -t; -1: none */
	uint64_t enable_at, end_at;	/* ns; 0: never */
	uint64_t switch_at;	/* ns; 0: never */
	uint64_t second_at;	/* ns; 0: never */
	uint64_t arm_at;	/* ns: triggers count from then on; 0: the events were not enabled yet */
	uint64_t silent_at;	/* ns; 0: the next ping is waited for */
	uint64_t look_at;	/* ns: .watch->look(); 0: never */
	bool found;		/* by .watch */
	uint64_t paused_at;	/* ns: v9trace pause; 0: it is not paused */
	uint64_t told_at;	/* ns: the file says until then that it was */
	uint64_t retry_at;	/* ns: next attempt to resume; 0: never */
	uint64_t attempts;	/* to resume */
	bool repoll;		/* descriptors of rings have changed */
	bool switch_now;	/* SIGUSR2 */
	bool ended;		/* by a command, after its duration, or because no file can be begun */
	int messages;		/* socket for uevents of CPUs; -1: none */
	struct v9_cpus cpus;
	uint64_t began;		/* ns */
	bool runs;		/* messages from before are done: all events exist */
	bool ticks;		/* poll() with a timeout: there is no event for something */
	bool flush_now;		/* at the next drain, if there is no file */
	uint64_t flushed_ms;	/* time at which units handed over what they held */
	uint64_t drained_ms;	/* time at which all rings were drained last */
	uint64_t round_start;	/* counts->records at the last finished round */
};

/* Call it first, before the rings are opened. The members before "private" are set. */
void v9_loop_prepare(struct v9_loop *l);

/*
 * Run until the recorded tasks end, a signal or command stops it, its duration is over, a trigger
 * stops it, or writing fails.
 */
void v9_loop_run(struct v9_loop *l);

/*
 * Write what overwritten AUX areas have (@keep), or forget it. The recording goes on. Returns false if there
 * is no such area.
 */
bool v9_loop_snapshot(struct v9_loop *l, bool keep);

/* Disable the events and write the content of all rings to the file. */
void v9_loop_stop(struct v9_loop *l);

/* After the end of the file and of the command: count data that is still in the rings. */
void v9_loop_late(struct v9_loop *l);

#endif
