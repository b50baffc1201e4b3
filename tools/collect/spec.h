/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From what the user wrote to what perf_event_open wants: PMUs, names, attributes. */
#ifndef V9TRACE_COLLECT_SPEC_H
#define V9TRACE_COLLECT_SPEC_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "../util.h"
#include "event.h"

/*
 * The attribute with the words that newer kernels append: config4 is the one
 * that matters (word 17), and headers older than it must not hide it.
 */
#define V9_ATTR_WORDS	18
#define V9_ATTR_CONFIG3	16
#define V9_ATTR_CONFIG4	17

union v9_attr {
	struct perf_event_attr a;
	uint64_t word[V9_ATTR_WORDS];
};

struct v9_pmu {
	char name[V9_EV_NAME];
	uint32_t type;
	struct v9_ev_field *field;
	int fields;
	char *cpumask;			/* NULL: all CPUs */
};

/* One open instance of an event: one CPU, one task. */
struct v9_instance {
	int fd;				/* -1: its CPU went, and another is in its place */
	int cpu;			/* -1: any */
	int tid;			/* -1: any */
	int ring;
	bool again;			/* opened again, when its CPU was back */
	uint64_t id;
};

struct v9_event {
	char *label;			/* as the user wrote it */
	union v9_attr attr;
	const struct v9_aux *aux;	/* NULL: no AUX area */
	uint32_t aux_info;		/* number of its AUXTRACE_INFO, from 1 on; 0: there is one */
	uint64_t aux_config;		/* how its unit will be set up, if setup() says so */
	uint64_t aux_unit, aux_unit_known;	/* likewise what its unit says of itself; which bits */
	uint64_t aux_least;		/* likewise the least period that its driver takes */
	uint64_t aux_clock;		/* likewise what its time stamps count; 0: as the PMU says */
	char *cpumask;
	char *system, *tracepoint;	/* NULL: not a tracepoint */
	bool any_side;			/* the user did not choose user or kernel */
	bool user_only;			/* the kernel did not let us have its side */
	bool tracking;			/* carries mmap, comm, fork, switch */
	bool overwrite;			/* its AUX area goes round: only the end is kept */
	struct v9_instance *inst;
	int insts;
};

/* A kind of PMU with an AUX area; all that is special about it is in its row. */
struct v9_aux {
	const char *prefix;		/* PMU name; with_number: then a number */
	bool with_number;
	uint32_t auxtrace;		/* PD_AUXTRACE_... */
	uint64_t min_bytes;		/* of the AUX area */
	bool needs_code;		/* decoding it takes the code that ran */
	const char *absent;		/* what to do if there is no such PMU */
	/* options that perf's decoders need, unless the user said otherwise */
	const char *defaults;		/* terms, as behind -e */
	uint64_t (*period)(const struct v9_pmu *pmu);
	void (*setup)(struct v9_event *ev, const struct v9_pmu *pmu);
	/* the words of AUXTRACE_INFO */
	void (*info)(const struct v9_event *ev, struct v9_buf *priv);
	/* Adds struct pd_register of the unit of a CPU. NULL: the info has everything. */
	void (*registers)(const struct v9_event *ev, int cpu, struct v9_buf *b);
};

const struct v9_aux *v9_aux_find(const char *pmu);

/* For "list" and for advice in messages. */
extern const char *v9_pmu_root;		/* /sys/bus/event_source/devices */
extern const char *v9_tracefs_root(void);	/* NULL: not mounted */

/* 0, or -errno with the message printed. */
int v9_pmu_open(const char *name, struct v9_pmu *pmu);
void v9_pmu_close(struct v9_pmu *pmu);
bool v9_pmu_exists(const char *name);
const struct v9_ev_field *v9_pmu_field(const struct v9_pmu *pmu, const char *name);
bool v9_pmu_has(const struct v9_pmu *pmu, const char *file);
uint64_t v9_pmu_cap(const struct v9_pmu *pmu, const char *cap, uint64_t otherwise);

struct v9_plain {
	const char *name, *alias;
	uint32_t type;
	uint64_t config;
};

extern const struct v9_plain v9_plain[];	/* ends with name NULL */

/* All events of one -e, appended to *events. 0, or -errno with the message printed. */
int v9_spec_add(const char *text, struct v9_event **events, int *n);

/* The event that carries the side-band. */
void v9_spec_add_tracking(struct v9_event **events, int *n);

/* -c: for the trace if there is one, as what is beside it has its own rhythm; else for all. */
void v9_spec_period(struct v9_event *events, int n, uint64_t period);

#endif
