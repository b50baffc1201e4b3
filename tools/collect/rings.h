/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The kernel's side of a recording: which CPUs and tasks, the open events and
 * their rings. Ordinary events share one ring per CPU (or per task, without
 * CPUs), kept by libperf; each event with an AUX area has rings of its own, so
 * that several such PMUs can record at once.
 */
#ifndef V9TRACE_COLLECT_RINGS_H
#define V9TRACE_COLLECT_RINGS_H

#include <linux/perf_event.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spec.h"

enum v9_target_kind { V9_TARGET_COMMAND, V9_TARGET_PID, V9_TARGET_TID, V9_TARGET_CPUS };

struct v9_target {
	enum v9_target_kind kind;
	const char *cpu_list;	/* CPUS; NULL: all */
	int pid;		/* COMMAND: of the child, once it exists */
};

struct v9_aux_ring {
	struct v9_event *ev;
	int fd, cpu;
	uint32_t idx;			/* counts AUX rings from 0 */
	struct perf_event_mmap_page *page;
	size_t data_size;
	uint8_t *aux;
	size_t aux_size;
	uint64_t tail;			/* of the AUX stream: how much is in the file */
	int retries;			/* it was truncated: so often yet to be enabled again */
};

struct v9_rings {
	struct v9_event *ev;
	int evs;
	struct v9_target *target;
	struct perf_cpu_map *cpus;
	struct perf_thread_map *threads;
	struct perf_evlist *evlist;	/* the ordinary events */
	struct v9_aux_ring *aux;
	int auxs;
	struct pollfd *poll;		/* the rings of ordinary events, then those of AUX */
	int polls;
	int next_ring;
	int more_tries;
	bool stopped;			/* by v9_rings_disable() */
	bool triggered;			/* an AUX area that goes round has stopped by itself */
	bool retry;			/* drain again soon: an event may still be switched off */
};

/* Sinks of a drain; a non-zero result ends it and is returned. */
typedef int (*v9_record_fn)(void *ctx, const struct perf_event_header *record);
typedef int (*v9_aux_fn)(void *ctx, const struct v9_aux_ring *ring, const uint8_t *a, size_t na,
			 const uint8_t *b, size_t nb);

/* 0, or -errno with the message printed. Fills in the instances of every event. */
int v9_rings_open(struct v9_rings *r, size_t data_pages, size_t aux_bytes);
void v9_rings_close(struct v9_rings *r);

enum v9_rings_what { V9_TRACKING, V9_OTHERS, V9_ALL };
int v9_rings_enable(struct v9_rings *r, enum v9_rings_what what);
void v9_rings_disable(struct v9_rings *r);

/*
 * Opens the events of a CPU again that was offline, on the rings that it had; @poll may have other
 * files then. 0 or -errno, nothing printed.
 */
int v9_rings_reopen(struct v9_rings *r, int cpu);

/* What stands now in the rings that poll() named in @named, laid out as @poll; NULL: in all. */
int v9_rings_drain(struct v9_rings *r, const struct pollfd *named, v9_record_fn record,
		   v9_aux_fn aux, void *ctx);

/* The page that holds the clock's conversion. */
const struct perf_event_mmap_page *v9_rings_page(const struct v9_rings *r);

/* The CPUs, for what is written about each. Returns how many; *cpu is the caller's to free. */
int v9_rings_cpus(const struct v9_rings *r, int **cpu);

#endif
