/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Conversion of the argument of -e to attributes of perf_event_open(). */
#ifndef V9TRACE_COLLECT_SPEC_H
#define V9TRACE_COLLECT_SPEC_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "../util.h"
#include "event.h"

/*
 * struct perf_event_attr with the words that newer kernels append, up to config4 (word 17). The
 * build must not depend on the version of the kernel's headers.
 */
#define V9_ATTR_WORDS	18
#define V9_ATTR_CONFIG3	16
#define V9_ATTR_CONFIG4	17

union v9_attr {
	struct perf_event_attr a;
	uint64_t word[V9_ATTR_WORDS];
};

struct v9_perf_pmu {
	char name[V9_EV_NAME];
	uint32_t type;
	struct v9_ev_field *field;
	int fields;
	char *cpumask;			/* list of CPUs; NULL: all CPUs */
};

/* One open instance of an event: on one CPU, for one task. */
struct v9_instance {
	int fd;				/* -1: closed; a later instance has replaced it */
	int cpu;			/* -1: any */
	int tid;			/* -1: any */
	int ring;			/* index into v9_rings.poll */
	bool again;			/* reopened after its CPU was offline */
	uint64_t id;
};

struct v9_event_spec {
	char *label;			/* text of the event in the argument of -e */
	union v9_attr attr;
	const struct v9_aux_kind *aux;	/* NULL: no AUX area */
	uint32_t aux_info;		/* number of its AUXTRACE_INFO, from 1; 0: the only one */
	/* set by setup() of @aux, else 0 */
	uint64_t aux_config;		/* SPE: PMSIRR_EL1.RND; ETE: bits of TRCCONFIGR */
	uint64_t aux_unit, aux_unit_known;	/* SPE: PMSIDR_EL1, and its known bits */
	uint64_t aux_interval;		/* SPE: PMSIDR_EL1.Interval in operations; 0: not known */
	uint64_t aux_least;		/* SPE: minimum period of the driver; 0: not raised */
	uint32_t aux_filters;		/* SPE: PD_FILTER_* */
	bool aux_later;			/* SPE: FEAT_SPEv1p2 or later */
	bool aux_discard;		/* SPE: records are counted and not written */
	uint64_t aux_clock;		/* ETE: TS of TRFCR_EL1; 0: default of the PMU */
	char *cpumask;			/* list of CPUs; NULL: all CPUs */
	char *system, *tracepoint;	/* NULL: not a tracepoint */
	bool any_side;			/* the event has no modifier u, k or h */
	bool user_only;			/* no permission for the kernel: user space only */
	bool tracking;			/* its records are mmap, comm, fork and switch */
	unsigned int metadata;		/* SPE: version of the metadata to write; 0: the newest */
	bool overwrite;			/* its AUX area is an overwritten buffer */
	bool chose_counts;		/* ETE: the user said whether cycles are counted */
	struct v9_instance *inst;
	int insts;
};

/* A type of PMU with an AUX area */
struct v9_aux_kind {
	const char *prefix;		/* PMU name; if with_number is set, a number follows it */
	bool with_number;
	uint32_t auxtrace;		/* PD_AUXTRACE_... */
	uint64_t min_bytes;		/* minimum size of the AUX area */
	bool needs_code;		/* a decoder needs the executed code */
	const char *absent;		/* error message if there is no such PMU */
	/* options that perf's decoders need; the user can override them */
	const char *defaults;		/* terms, as in the argument of -e */
	const char *counts;		/* option that counts cycles; NULL: none */
	uint64_t (*period)(const struct v9_perf_pmu *pmu);
	void (*setup)(struct v9_event_spec *ev, const struct v9_perf_pmu *pmu);
	/* Appends the words of AUXTRACE_INFO. */
	void (*info)(const struct v9_event_spec *ev, struct v9_blob *priv);
	/* Appends struct pd_register of the unit of a CPU. NULL: not needed, all is in the info. */
	void (*registers)(const struct v9_event_spec *ev, int cpu, struct v9_blob *b);
};

const struct v9_aux_kind *v9_aux_find(const char *pmu);

/* Reads a number from a file of a CPU's trace unit; 0x precedes one of base 16. Returns false if there is no such file. */
bool v9_etm_file(int cpu, const char *file, uint64_t *v);

/* Returns true if there are trace units, and all can count cycles. */
bool v9_etm_counts_cycles(void);

/* Returns the least number of operations between two samples of an event of SPE: PMSIRR_EL1.INTERVAL. */
uint64_t v9_aux_spe_interval(const struct v9_event_spec *ev);

/* Appends MIDR_EL1 of each CPU, a struct pd_register, where it is known. */
void v9_aux_midrs(struct v9_blob *b, int cpus);

/* Directories that the commands list and name in messages */
extern const char *v9_pmu_root;		/* /sys/bus/event_source/devices */
extern const char *v9_cpu_root;		/* /sys/devices/system/cpu */
extern const char *v9_tracefs_root(void);	/* NULL: not mounted */

/* Read a PMU's description from sysfs. Returns 0, or prints an error and returns -ENODEV. */
int v9_pmu_open(const char *name, struct v9_perf_pmu *pmu);
void v9_pmu_close(struct v9_perf_pmu *pmu);
bool v9_pmu_exists(const char *name);
const struct v9_ev_field *v9_pmu_field(const struct v9_perf_pmu *pmu, const char *name);
bool v9_pmu_has(const struct v9_perf_pmu *pmu, const char *file);
uint64_t v9_pmu_cap(const struct v9_perf_pmu *pmu, const char *cap, uint64_t otherwise);

struct v9_plain {
	const char *name, *alias;
	uint32_t type;
	uint64_t config;
};

extern const struct v9_plain v9_plain[];	/* ends with name NULL */

/*
 * Append all events of one argument of -e to *@events, which has *@n. Returns 0, or prints an error
 * and returns -errno.
 */
int v9_spec_add(const char *text, struct v9_event_spec **events, int *n);

/*
 * Let the trace of instructions count cycles, unless the user said whether it does, or a unit cannot: with its counts a
 * sample beside it is placed between two timestamps (report --joint). Returns true if that was done.
 */
bool v9_spec_count_cycles(struct v9_event_spec *ev, int evs);

/*
 * Parse a list of words of perf's -j, such as "any,u", to V9_BRANCH_* bits. Types are saved unless
 * only a stack of calls is asked for. Returns 0, or prints an error and returns -EINVAL.
 */
int v9_spec_branch_filter(const char *text, uint64_t *filter);

/*
 * Append the event that samples branch stacks if -e names none: v9_brbe if there is such a PMU, else
 * cycles. Returns as v9_spec_add().
 */
int v9_spec_add_branches(struct v9_event_spec **events, int *n);

/*
 * -j: samples of all events that are no trace have a branch stack. Returns 0, or prints an error and
 * returns -EINVAL if there is no such event.
 */
int v9_spec_branches(struct v9_event_spec *events, int n, uint64_t filter);

/* Append the event whose records are the side-band. */
void v9_spec_add_tracking(struct v9_event_spec **events, int *n);

/*
 * --all-cgroups: samples have the id of the task's control group, there are records of new groups, and
 * an event that samples each context switch. Call it before v9_spec_add_tracking(). Returns false if this
 * user may not have that event, or this kernel has no ids.
 */
bool v9_spec_add_cgroups(struct v9_event_spec **events, int *n);

/* -c: set the period of the events with an AUX area; if there is none, of all events. */
void v9_spec_period(struct v9_event_spec *events, int n, uint64_t period);

/* -F: samples a second, of all events, none of which has an AUX area. */
void v9_spec_frequency(struct v9_event_spec *events, int n, uint64_t freq);

/* After v9_rings_close() */
void v9_spec_free(struct v9_event_spec *events, int n);

#endif
