/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The events of a recording, by CPU and task, and their rings. Events without an AUX area share one
 * ring per CPU (or per task, without CPUs), managed by libperf. Each event with an AUX area has
 * rings of its own, so that several such PMUs can record at once.
 */
#ifndef V9TRACE_COLLECT_RINGS_H
#define V9TRACE_COLLECT_RINGS_H

#include <linux/perf_event.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "family.h"
#include "spec.h"

enum v9_target_kind { V9_TARGET_COMMAND, V9_TARGET_PID, V9_TARGET_TID, V9_TARGET_CPUS };

struct v9_target {
	enum v9_target_kind kind;
	const char *cpu_list;	/* V9_TARGET_CPUS: list; NULL: all CPUs */
	int *pid;		/* processes or threads; COMMAND: the child, after fork() */
	int pids;
};

struct v9_aux_ring {
	struct v9_event_spec *ev;
	int fd, cpu;			/* .fd -1: released */
	int number;			/* index of its entry in v9_rings.poll */
	uint32_t idx;			/* number of this AUX ring among those of its file, from 0 */
	struct perf_event_mmap_page *page;	/* NULL: released */
	size_t data_size;
	uint8_t *aux;			/* NULL: there was no memory for another one, or it is released */
	size_t aux_size;
	uint64_t base;			/* bytes of the AUX stream in the areas before this one */
	uint64_t tail;			/* bytes of the AUX stream that were read */
	int retries;			/* after truncation: attempts left to enable the event */
	int again;			/* after a snapshot: the same */
};

struct v9_rings {
	struct v9_event_spec *ev;
	int evs;
	struct v9_target *target;
	struct v9_family family;	/* the tasks that are recorded; of CPUs: none */
	struct perf_cpu_map *cpus;
	struct perf_thread_map *threads;
	struct perf_evlist *evlist;	/* the events without an AUX area */
	struct v9_aux_ring *aux;
	int auxs;
	struct pollfd *poll;		/* rings of events without an AUX area, then AUX rings */
	int polls;
	int next_ring;
	int more_tries;
	bool late;			/* all but the side-band are enabled later: v9_rings_enable() */
	bool paused;			/* v9_rings_pause(), or not enabled yet */
	bool released;			/* v9_rings_release() */
	bool stopped;			/* v9_rings_disable() was called */
	bool triggered;			/* a trigger has stopped an overwritten AUX area */
	bool retry;			/* drain again soon: an event may still be disabled */
};

/*
 * Callbacks of a drain. A result other than 0 ends the drain and is returned. @ring: where a record comes
 * from; NULL: from a ring of events without an AUX area. AUX data has two parts, @na bytes at @a and @nb
 * bytes at @b, because the area can wrap.
 */
typedef int (*v9_record_fn)(void *ctx, const struct v9_aux_ring *ring, const struct perf_event_header *record);
typedef int (*v9_aux_fn)(void *ctx, const struct v9_aux_ring *ring, const uint8_t *a, size_t na,
			 const uint8_t *b, size_t nb);

/*
 * Open and map the events, with @data_pages pages of records and @aux_bytes bytes of AUX data per
 * ring. Sets the instances of each event. Returns 0, or prints an error and returns -errno.
 */
int v9_rings_open(struct v9_rings *r, size_t data_pages, size_t aux_bytes);
void v9_rings_close(struct v9_rings *r);

enum v9_rings_what { V9_TRACKING, V9_OTHERS, V9_ALL };
int v9_rings_enable(struct v9_rings *r, enum v9_rings_what what);
void v9_rings_disable(struct v9_rings *r);

/* Disable all but the side-band, until v9_rings_enable(V9_OTHERS). */
void v9_rings_pause(struct v9_rings *r);

/* Nothing is recorded but the side-band. */
static inline bool v9_rings_idle(const struct v9_rings *r)
{
	return r->paused || r->released || r->stopped;
}

/*
 * Close the events with an AUX area, so that other sessions can have their units, until v9_rings_take(). A disabled
 * event still keeps others out: exclusive_event_installable() of the kernel looks at all events of a context. What is in
 * their rings is read first, overwritten areas included. The side-band goes on. The kernel closes events that tasks have
 * inherited with that of their parent.
 */
void v9_rings_release(struct v9_rings *r, v9_record_fn record, v9_aux_fn aux, void *ctx);

/*
 * Open and map these events again, for the tasks of .family. Those of a CPU that is offline, or of a task that has ended,
 * stay closed. Events that were enabled are. Changes descriptors in @poll. Returns 0, or -errno with all closed as before:
 * -EBUSY, another session has a unit; prints nothing. *@busy: the event that failed.
 */
int v9_rings_take(struct v9_rings *r, const struct v9_event_spec **busy);

/* Forget events that were closed and opened again: nothing with their IDs is in a file that begins now. */
void v9_rings_forget(struct v9_rings *r);

/* Says who has a unit that is busy. The caller frees it. */
char *v9_rings_holders(void);

/*
 * Make the unit of an event of a CPU hand over what is in its buffer; the second function: those of all
 * events. Not for events of tasks: a task that is forked meanwhile would inherit a disabled event.
 */
void v9_ring_flush(struct v9_aux_ring *ring);
void v9_rings_flush(struct v9_rings *r);

/* Bytes that the AUX stream has had so far */
static inline uint64_t v9_ring_head(const struct v9_aux_ring *ring)
{
	return ring->page ? ring->base + __atomic_load_n(&ring->page->aux_head, __ATOMIC_ACQUIRE) : ring->tail;
}

/*
 * Give an event of CPUs with an AUX area another period, which it keeps when it is reopened. @changed is told
 * of each CPU from which byte of its AUX data on the period is in force: the event was disabled there.
 * Returns 0, or -errno if the driver refuses; the events of the CPUs before have the new period then.
 */
typedef void (*v9_period_fn)(void *ctx, int cpu, uint64_t offset, uint64_t period);
int v9_rings_period(struct v9_rings *r, struct v9_event_spec *ev, uint64_t period, v9_period_fn changed,
		    void *ctx);

/*
 * Read the overwritten AUX areas while recording goes on, and forget that a trigger has stopped one. But if that was not
 * known before, .triggered says so. @aux NULL: what is in them is not read, ever. Returns false if there is none.
 */
bool v9_rings_snapshot(struct v9_rings *r, v9_record_fn record, v9_aux_fn aux, void *ctx);

/*
 * Reopen the events of a CPU that was offline, with the rings that it had. This can change file
 * descriptors in @poll. Returns 0 or -errno; prints nothing. -EBUSY: the unit is in use, perhaps by
 * the event that was to be reopened, because its CPU was not offline since; it goes on then.
 */
int v9_rings_reopen(struct v9_rings *r, int cpu);

/*
 * Read the current content of the rings that have revents set in @named, an array like @poll; NULL:
 * of all rings.
 */
int v9_rings_drain(struct v9_rings *r, const struct pollfd *named, v9_record_fn record,
		   v9_aux_fn aux, void *ctx);

/* Returns a mmap page of perf, which has the conversion of the clock. */
const struct perf_event_mmap_page *v9_rings_page(const struct v9_rings *r);

/* Set *@cpu or *@tid to an array of the CPUs, or threads. Return their number. The caller frees the array. */
int v9_rings_cpus(const struct v9_rings *r, int **cpu);
int v9_rings_tasks(const struct v9_rings *r, int **tid);

#endif
