/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What all kselftests share: find a PMU, open a session, collect its AUX bytes.
 * Nothing here asserts; every function returns 0 or a negative errno, or a value.
 */
#ifndef V9_SELFTEST_RING_H
#define V9_SELFTEST_RING_H

#include <linux/perf_event.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A unit as sysfs shows it. */
struct unit {
	char name[32];			/* arm_spe_0, cs_etm */
	char dir[96];
	int type;
	cpu_set_t cpus;			/* those it is for that are online */
	int ncpus;
	bool ours;			/* v9_spe or v9_ete drives it, not the in-tree driver */
	unsigned int min_interval;	/* of SPE */
	bool arch_inst;			/* likewise */
};

int unit_find(struct unit *unit, const char *name);
int unit_find_prefix(struct unit *unit, const char *prefix);
bool unit_has(const struct unit *unit, const char *file);
int unit_cpu(const struct unit *unit, int nth);
bool cpu_online(int cpu);
int absent_cpu(void);

int read_text(const char *dir, const char *file, char *text, size_t size);
unsigned long read_number(const char *dir, const char *file);	/* 0 if there is none */
int write_text(const char *path, const char *text);
bool perfmon_allowed(void);

#define RING_LOSS (PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL)

/* What one PERF_RECORD_AUX said. */
struct ring_piece {
	uint64_t offset, size, flags;
};

/* One event with its data ring, its AUX buffer and what was copied out of it. */
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
	unsigned int naux;		/* pieces */
	uint64_t flags;			/* of all of them, or-ed */
	uint64_t reported;		/* bytes they spoke of */
	uint64_t largest;		/* the most that one of them spoke of */
	uint64_t aux_end;		/* where the last of them ended */
	uint64_t hw_id[8];
	unsigned int nhw_id;
	unsigned int nlost;
	unsigned int nstart;		/* PERF_RECORD_ITRACE_START */
	const char *wrong;		/* first inconsistency met while draining */
};

int ring_event(const struct perf_event_attr *attr, pid_t pid, int cpu);
int ring_try(const struct perf_event_attr *attr);

#define RING_OVERWRITE 1		/* snapshot mode: AUX mapped read-only */
#define RING_CGROUP 2			/* of a control group: its directory instead of a task */

int ring_open(struct ring *ring, const struct perf_event_attr *attr, pid_t pid, int cpu,
	      unsigned int aux_pages, int mode);
int ring_map_aux(struct ring *ring, unsigned int aux_pages, int mode);
void ring_unmap_aux(struct ring *ring);
int ring_enable(struct ring *ring);
int ring_disable(struct ring *ring);
int ring_reserve(struct ring *ring, size_t bytes);
int ring_drain(struct ring *ring);
int ring_brief(const struct perf_event_attr *attr, pid_t pid, int cpu, unsigned int aux_pages);
bool ring_truncated(const struct ring *ring);
void ring_close(struct ring *ring);
const char *ring_missing(const struct perf_event_attr *attr);

#endif
