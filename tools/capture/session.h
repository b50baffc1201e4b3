/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A capture. One pass over its records collects tasks, mappings, the positions of AUX bytes, and
 * losses. After it, SPE records are decoded buffer by buffer; each gets a time, a task and a place.
 */
#ifndef V9TRACE_CAPTURE_SESSION_H
#define V9TRACE_CAPTURE_SESSION_H

#include "../lib/v9spe.h"
#include "../unit_check.h"
#include "cgroup.h"
#include "file.h"
#include "heap.h"
#include "interval.h"
#include "topology.h"
#include "sym.h"
#include "task.h"
#include "waits.h"

/* Kind of trace. A capture may have several kinds, each in its own buffers. */
enum v9_kind_id {
	V9_KIND_OTHER,			/* not decoded by this program */
	V9_KIND_SPE,
	V9_KIND_ETE,
	V9_KIND_BRANCHES,		/* branch stacks of samples: no AUX data */
	V9_KINDS
};

/* AUX bytes of one AUXTRACE record */
struct v9_chunk {
	const uint8_t *p;
	uint64_t size, offset;
};

/* An AUX buffer of a CPU or a thread */
struct v9_queue {
	enum v9_kind_id kind;
	uint32_t cpu, tid;		/* V9_NO_TASK: not of a CPU, of a thread */
	struct v9_chunk *chunks;
	uint64_t *cuts;			/* stream offsets at which data is missing, ascending */
	size_t nr_chunks, nr_cuts;
	struct v9_spe_dec *dec;
	unsigned int sources;		/* V9_SPE_SET_*: encoding of data sources of its CPU */
	size_t chunk, cut;		/* current indices of decoding */
	enum v9_spe_skip end_why;	/* why an incomplete record is skipped at the end */
	bool more;			/* the next part goes on where this one ends: part.h */
	uint64_t done;			/* bytes of the current chunk that were fed to the decoder */
	uint64_t fed;			/* @done before the last feed */
};

/* The trace unit of a CPU, from AUXTRACE_INFO */
struct v9_trace_unit {
	uint64_t magic;			/* PD_ETE_MAGIC: .word is valid */
	uint32_t cpu;
	uint64_t word[PD_ETE_WORDS];
};

/* A PERF_RECORD_AUX: these bytes of a stream were reported together. */
struct v9_extent {
	uint64_t offset, size, flags, time;
	enum v9_kind_id kind;
	uint32_t cpu, pid, tid;		/* V9_NO_TASK: not in the record */
	bool has_time;
};

/* AUX data of one kind: amount, and losses */
struct v9_aux_sum {
	uint64_t bytes;
	uint64_t truncated;		/* AUX records with that flag: full */
	uint64_t partial;		/* AUX records with that flag: part of the data is missing */
	uint64_t overwrite;
	uint64_t stopped;		/* overwritten and truncated: a trigger, or a failure */
	uint64_t collision;		/* AUX records with that flag: samples collided */
	uint64_t missing;		/* bytes beyond the end of a truncated file */
	uint64_t rounding;		/* bytes of alignment, in no stream */
};

/* Other losses */
struct v9_losses {
	uint64_t lost_records;		/* side-band records lost because the ring was full */
	uint64_t lost_samples;
	uint64_t unreadable;		/* samples that do not match their event's format */
	uint64_t longer;		/* samples with bytes after the fields of their event */
	uint64_t throttled;
	uint64_t aux_errors;		/* AUXTRACE_ERROR records of others */
	uint64_t cpu_away;		/* times that a CPU was not recorded while others were */
	uint64_t cpu_away_ns;		/* maximum duration of these, sum, ns */
	uint64_t paused, paused_ns;	/* times that nothing was recorded (v9trace pause); their duration, sum */
};

struct v9_session {
	struct pd_file file;
	struct pd_file twin;		/* the other half of a recording of two units; .map NULL: none */
	char *twin_path;		/* its name; NULL: there is none */
	char *twin_why;			/* why the other half is not read, or NULL */
	struct v9_strtab strtab;
	struct v9_tasks tasks;
	struct v9_cgroups cgroups;
	struct v9_waits waits;
	struct v9_heap heap;		/* by v9_heap_read() */
	bool heap_read;
	struct v9_syms syms;
	struct v9_strtab queue_ids;
	struct v9_queue *queues;
	size_t nr_queues;
	struct v9_losses lost;
	struct v9_aux_sum aux[V9_KINDS];
	struct pd_time_conv conv;
	bool has_conv;
	bool stopped;			/* an interrupt came before all was read */
	uint32_t *aux_types;		/* PD_AUXTRACE_*, of each AUXTRACE_INFO */
	size_t nr_aux_types;
	size_t first_info;		/* AUXTRACE_INFO records of the half that was read before */
	uint32_t spe_version;		/* version of the SPE metadata */
	uint64_t pmu_type[V9_KINDS];	/* PMU types from the metadata; 0: not known */
	struct v9_trace_unit *units;	/* CS_ETM */
	size_t nr_units;
	const char *unusable;		/* why AUX data in the capture cannot be decoded, or NULL */
	struct v9_extent *extents;	/* in the order of the file */
	size_t nr_extents;
	struct v9_core { uint32_t cpu; uint64_t midr; } *cores;	/* V9_NO_TASK: other CPUs */
	size_t nr_cores;
	bool trigger;			/* ETE: overwritten buffers that a trigger stops */
	uint64_t period;		/* requested period of the SPE event; 0: not known */
	struct v9_interval interval;	/* interval that its units use */
	struct v9_topology topology;	/* sockets and nodes of CPUs */
	struct pd_counts counts;	/* PD_COUNTS, if .nr_counts */
	struct pd_count count[V9_CHECK_EVENTS];
	size_t nr_counts;
	uint64_t records;		/* number of records in the file */
	uint64_t first_time, last_time;	/* of records with a time, ns; both 0: none */
	uint8_t *split;			/* incomplete split record of simpleperf */
	size_t nr_split;
	struct v9_seen { uint64_t time, offset; } *samples;	/* of other events, by time */
	size_t nr_samples;
	uint64_t nr_stacks;		/* samples with a branch stack, which may be empty */
	uint64_t nr_branches;		/* in these stacks */
	uint64_t sample_cpus[V9_CPUS_MOST / 64];	/* a bit for each CPU with samples */
	struct v9_cut { enum v9_kind_id kind; uint32_t cpu, tid; uint64_t offset; } *cuts;
	size_t nr_cuts;
	/* mapped jitdumps, with the time of the mapping */
	struct v9_jit_file { uint64_t time; uint32_t pid; const char *name; } *jits;
	size_t nr_jits;
	const uint8_t *clocks;		/* struct pd_clock[] of the capture, unaligned */
	size_t clocks_size;
	int status;			/* result of reading: 0, -ENODATA truncated, -EBADMSG */
	unsigned int part, parts;	/* which part of it is read: part.h; 0: all */
	char arch[32];
	char broken[200];		/* reason of a failed read, with the offset */
};

/* An SPE record with its time, task and CPU */
struct v9_sampled {
	const struct v9_spe_rec *rec;
	uint64_t time;			/* ns */
	uint32_t cpu, pid, tid;		/* V9_NO_TASK: not known */
	const char *comm;		/* NULL: not known */
	unsigned int sources;		/* V9_SPE_SET_* */
	uint32_t hint[2];		/* for use by the consumer of records */
	bool has_time;
	bool stamped;			/* .time is from a timestamp in the trace: ETE */
};

/* Returns the time for lookups of a record. One without a time has the last names and mappings. */
static inline uint64_t v9_sampled_time(const struct v9_sampled *s)
{
	return s->has_time ? s->time : UINT64_MAX;
}

/* Converts a counter value to ns of perf's clock. */
static inline uint64_t v9_conv_time(const struct pd_time_conv *c, uint64_t count)
{
	if (c->short_valid)
		count = c->cycles + ((count - c->cycles) & c->mask);
	return c->zero + (uint64_t)((unsigned __int128)count * c->mult >> c->shift);
}

/*
 * CONTEXTIDR has the thread id if the kernel is configured with CONFIG_PID_IN_CONTEXTIDR; that of
 * EL2 is the one of a host with VHE. Otherwise it is 0, which cannot be the idle task in an
 * operation at EL0. Returns false if the record does not say the task.
 */
static inline bool v9_record_task(const struct v9_spe_rec *rec, uint32_t *tid)
{
	if (rec->has & V9_SPE_REC_CTX_EL2)
		*tid = rec->ctx[1];
	else if (rec->has & V9_SPE_REC_CTX_EL1)
		*tid = rec->ctx[0];
	else
		return false;
	return *tid || !(rec->has & V9_SPE_REC_PC) || rec->pc.el;
}

/* Adds @times the counters of a decoder; -1 subtracts them. */
static inline void v9_account_add(struct v9_spe_account *to, const struct v9_spe_account *a, int times)
{
	const uint64_t *from = (const uint64_t *)a;
	uint64_t *sum = (uint64_t *)to;

	_Static_assert(sizeof(*a) % sizeof(*from) == 0, "all counters have 64 bits");
	for (size_t i = 0; i < sizeof(*a) / sizeof(*from); i++)
		sum[i] += from[i] * (uint64_t)times;
}

/**
 * v9_session_open - read everything except the AUX bytes
 *
 * Returns 0, also for a truncated or corrupt file (see .status); or a negative errno if nothing can
 * be read, with the reason in .file.err.
 */
int v9_session_open(struct v9_session *s, const char *path, const struct v9_syms_opts *opts);
void v9_session_close(struct v9_session *s);

/* Call this after @n bytes of AUX data were read, as pd_pass(). */
static inline void v9_session_pass(struct v9_session *s, uint64_t n)
{
	pd_pass(&s->file, n);
	pd_pass(&s->twin, n);
}

/* Returns the kind of a PD_AUXTRACE_* type. */
enum v9_kind_id v9_kind_of_type(uint32_t type);

/* Returns the kind of an AUXTRACE record's payload. */
enum v9_kind_id v9_session_kind(const struct v9_session *s, const struct pd_event *e);

/*
 * Parses an AUXTRACE_INFO record, for callers that read records themselves. What it allocates is
 * released by v9_session_info_free(), or by v9_session_close().
 */
void v9_session_info(struct v9_session *s, const struct pd_event *e);
void v9_session_info_free(struct v9_session *s);

/* Returns why the capture has no SPE records to decode, or NULL if it has. */
const char *v9_session_no_spe(const struct v9_session *s);

/* Returns why the capture has no ETE trace to decode, or NULL if it has. */
const char *v9_session_no_ete(const struct v9_session *s);

/* Returns why the capture has no branch stacks, or NULL if it has. */
const char *v9_session_no_branches(const struct v9_session *s);

/* Does a trace unit count cycles? */
bool v9_session_counts_cycles(const struct v9_session *s);

/* Does an ETE trace have timestamps that can be converted to perf's clock? */
bool v9_session_has_times(const struct v9_session *s);

/* Decodes the next record of a buffer. Returns 1, or 0 at its end. */
int v9_session_next(struct v9_session *s, struct v9_queue *q, struct v9_spe_rec *rec);

/* Continues with the first record of a buffer. */
void v9_session_rewind(struct v9_queue *q);

/* Appends MIDR_EL1 of each CPU that the section PD_REGISTERS has. */
void v9_cores_read(struct v9_core **cores, size_t *nr, const uint8_t *section, uint64_t size);

/* Gets MIDR_EL1 of a CPU, or, for V9_NO_TASK, that of all if equal. Returns false if unknown. */
bool v9_session_midr(const struct v9_session *s, uint32_t cpu, uint64_t *midr);

/* Sets time, CPU and task of a record. */
void v9_session_place(struct v9_session *s, const struct v9_queue *q,
		      const struct v9_spe_rec *rec, struct v9_sampled *out);

/* Sets time, CPU and task of a sample of another event, after pd_sample(). */
void v9_session_sampled(struct v9_session *s, const struct pd_event *e, struct v9_sampled *out);

/* Converts a counter value to ns of perf's clock. Returns false if that is not possible. */
bool v9_session_time(const struct v9_session *s, uint64_t count, uint64_t *ns);

/* Returns the name of a thread at @time, or NULL; *@pid is its process. */
const char *v9_session_comm(struct v9_session *s, uint32_t tid, uint64_t time, uint32_t *pid);

#endif
