/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by all kselftests: find a PMU, open a session, collect its AUX bytes. These functions do
 * not assert. Each returns 0 or a negative errno, or a value.
 */
#ifndef V9_SELFTEST_RING_H
#define V9_SELFTEST_RING_H

#include <linux/perf_event.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A unit as sysfs shows it */
struct unit {
	char name[32];			/* arm_spe_0, cs_etm */
	char dir[96];
	int type;
	cpu_set_t cpus;			/* its online CPUs */
	int ncpus;
	bool ours;			/* driven by v9_spe or v9_ete, not by the in-tree driver */
	unsigned int min_interval;	/* SPE: smallest interval */
	bool arch_inst;			/* SPE: ArchInst sampling */
};

int unit_find(struct unit *unit, const char *name);
int unit_find_prefix(struct unit *unit, const char *prefix);
bool unit_has(const struct unit *unit, const char *file);
int unit_cpu(const struct unit *unit, int nth);
bool cpu_online(int cpu);
int absent_cpu(void);

int read_text(const char *dir, const char *file, char *text, size_t size);
unsigned long read_number(const char *dir, const char *file);	/* 0 if the file is missing */
int write_text(const char *path, const char *text);
bool perfmon_allowed(void);

#define RING_LOSS (PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL)

/* One PERF_RECORD_AUX */
struct ring_piece {
	uint64_t offset, size, flags;
};

/* One event with its data ring, its AUX buffer and the bytes copied from it */
struct ring {
	int fd;
	struct perf_event_mmap_page *page;
	size_t data_size;
	uint8_t *aux;
	size_t aux_size;
	bool overwrite;

	uint8_t *bytes;			/* AUX content from AUX position 0 on */
	size_t nbytes;
	size_t room;
	struct ring_piece *piece;
	unsigned int naux;		/* entries in piece[] */
	uint64_t flags;			/* of all pieces, or-ed */
	uint64_t reported;		/* sum of their sizes, in bytes */
	uint64_t largest;		/* size of the largest, in bytes */
	uint64_t aux_end;		/* AUX position of the end of the last */
	uint64_t hw_id[8];
	unsigned int nhw_id;
	unsigned int nlost;
	unsigned int nstart;		/* PERF_RECORD_ITRACE_START */
	const char *wrong;		/* first inconsistency found while draining */
};

int ring_event(const struct perf_event_attr *attr, pid_t pid, int cpu);
int ring_try(const struct perf_event_attr *attr);

#define RING_OVERWRITE 1		/* overwritten buffer: AUX mapped read-only */
#define RING_CGROUP 2			/* control group: fd of its directory instead of a PID */

int ring_open(struct ring *ring, const struct perf_event_attr *attr, pid_t pid, int cpu,
	      unsigned int aux_pages, int mode);
int ring_map_aux(struct ring *ring, unsigned int aux_pages, int mode);
void ring_unmap_aux(struct ring *ring);
int ring_enable(struct ring *ring);
int ring_disable(struct ring *ring);

/*
 * Waits up to 5 ms for data, collects it and enables the event again: the kernel has disabled it if
 * the buffer was full.
 */
int ring_continue(struct ring *ring);
int ring_reserve(struct ring *ring, size_t bytes);
int ring_drain(struct ring *ring);
int ring_brief(const struct perf_event_attr *attr, pid_t pid, int cpu, unsigned int aux_pages);
bool ring_truncated(const struct ring *ring);
void ring_close(struct ring *ring);
const char *ring_missing(const struct perf_event_attr *attr);

#endif
