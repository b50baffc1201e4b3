/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A capture as a whole: one pass over its records gathers who ran, what was
 * mapped, where the AUX bytes are and what was lost; then records are decoded
 * buffer by buffer and given a time, a task and a place.
 */
#ifndef V9TRACE_CAPTURE_SESSION_H
#define V9TRACE_CAPTURE_SESSION_H

#include "../lib/v9spe.h"
#include "file.h"
#include "interval.h"
#include "sym.h"
#include "task.h"

/* What kind of trace: a capture may hold several, each in buffers of its own. */
enum v9_kind_id {
	V9_KIND_OTHER,			/* nothing this program decodes */
	V9_KIND_SPE,
	V9_KIND_ETE,
	V9_KINDS
};

/* A stretch of AUX bytes as one AUXTRACE record holds it. */
struct v9_chunk {
	const uint8_t *p;
	uint64_t size, offset;
};

/* One AUX buffer: of a CPU, or of a thread. */
struct v9_queue {
	enum v9_kind_id kind;
	uint32_t cpu, tid;		/* V9_NO_TASK: not of a CPU, not of a thread */
	struct v9_chunk *chunks;
	uint64_t *cuts;			/* stream offsets where the unit lost data, ascending */
	size_t nr_chunks, nr_cuts;
	struct v9_spe_dec *dec;
	unsigned int sources;		/* V9_SPE_SET_*: how its CPU numbers data sources */
	size_t chunk, cut;		/* where decoding is */
	uint64_t done;			/* bytes of that chunk already given to the decoder */
	uint64_t fed;			/* and before the last time */
};

/* The trace unit of a CPU, as the capture describes it. */
struct v9_trace_unit {
	uint64_t magic;			/* PD_ETE_MAGIC: words are valid */
	uint32_t cpu;
	uint64_t word[PD_ETE_WORDS];
};

/* An AUX record: this stretch of a stream was written in one go. */
struct v9_extent {
	uint64_t offset, size, flags, time;
	enum v9_kind_id kind;
	uint32_t cpu, pid, tid;		/* V9_NO_TASK: the record does not tell */
	bool has_time;
};

/* AUX data of one kind: how much there is, and what did not make it into the file. */
struct v9_aux_sum {
	uint64_t bytes;
	uint64_t truncated;		/* AUX records with that flag: no room, events lost */
	uint64_t partial;		/* part of the data was dropped */
	uint64_t overwrite;
	uint64_t collision;		/* samples due while another was in flight */
	uint64_t missing;		/* bytes beyond the end of a truncated file */
	uint64_t rounding;		/* bytes for alignment, not part of any stream */
};

/* What else is missing. */
struct v9_losses {
	uint64_t lost_records;		/* side-band records the ring had no room for */
	uint64_t lost_samples;
	uint64_t unreadable;		/* samples that do not have their event's format */
	uint64_t throttled;
	uint64_t aux_errors;		/* AUXTRACE_ERROR records, but for those of CPUs */
	uint64_t cpu_away;		/* so often a CPU was not recorded while others were */
	uint64_t cpu_away_ns;		/* for so long at most */
};

struct v9_session {
	struct pd_file file;
	struct v9_strtab strtab;
	struct v9_tasks tasks;
	struct v9_syms syms;
	struct v9_strtab queue_ids;
	struct v9_queue *queues;
	size_t nr_queues;
	struct v9_losses lost;
	struct v9_aux_sum aux[V9_KINDS];
	struct pd_time_conv conv;
	bool has_conv;
	uint32_t *aux_types;		/* PD_AUXTRACE_*, of each AUXTRACE_INFO */
	size_t nr_aux_types;
	uint32_t spe_version;		/* of the metadata */
	uint64_t pmu_type[V9_KINDS];	/* of the metadata; 0: not known */
	struct v9_trace_unit *units;	/* CS_ETM */
	size_t nr_units;
	const char *unusable;		/* why AUX data in the capture cannot be decoded, or NULL */
	struct v9_extent *extents;	/* in the order of the file */
	size_t nr_extents;
	struct v9_core { uint32_t cpu; uint64_t midr; } *cores;	/* V9_NO_TASK: for want of others */
	size_t nr_cores;
	uint64_t period;		/* of the SPE event, as asked for; 0: not known */
	struct v9_interval interval;	/* what its units made of that */
	uint64_t records;		/* of the file */
	uint8_t *split;			/* a record of simpleperf that comes in pieces */
	size_t nr_split;
	struct v9_seen { uint64_t time, offset; } *samples;	/* tracepoints and the like, by time */
	size_t nr_samples;
	struct v9_cut { enum v9_kind_id kind; uint32_t cpu, tid; uint64_t offset; } *cuts;
	size_t nr_cuts;
	int status;			/* how reading ended: 0, -ENODATA truncated, -EBADMSG */
	char arch[32];
	char broken[200];		/* what ended it, with the offset */
};

/* A record with what the capture knows beside it. */
struct v9_sampled {
	const struct v9_spe_rec *rec;
	uint64_t time;			/* ns */
	uint32_t cpu, pid, tid;		/* V9_NO_TASK: not known */
	const char *comm;		/* NULL: not known */
	unsigned int sources;		/* V9_SPE_SET_* */
	uint32_t hint[2];		/* of whoever adds records up */
	bool has_time;
};

/**
 * v9_session_open - read everything but the AUX bytes
 * Returns 0 also for a file that ends early or breaks off (see .status), or a
 * negative errno when nothing can be read, with the reason in .file.err.
 */
int v9_session_open(struct v9_session *s, const char *path, const struct v9_syms_opts *opts);
void v9_session_close(struct v9_session *s);

/* The kind of a PD_AUXTRACE_* type. */
enum v9_kind_id v9_kind_of_type(uint32_t type);

/* The kind of an AUXTRACE record's payload. */
enum v9_kind_id v9_session_kind(const struct v9_session *s, const struct pd_event *e);

/* Takes from an AUXTRACE_INFO record what it says; for who reads records without a session. */
void v9_session_info(struct v9_session *s, const struct pd_event *e);

/* Why the capture has no SPE records to decode; NULL if it has. */
const char *v9_session_no_spe(const struct v9_session *s);

/* Why the capture has no trace of instructions to decode; NULL if it has. */
const char *v9_session_no_ete(const struct v9_session *s);

/* The next record of a buffer: 1, or 0 at its end. */
int v9_session_next(struct v9_session *s, struct v9_queue *q, struct v9_spe_rec *rec);

/* Back to the first record of a buffer. */
void v9_session_rewind(struct v9_queue *q);

/* MIDR_EL1 of a CPU; for V9_NO_TASK of all, if they are alike. False: the capture does not tell. */
bool v9_session_midr(const struct v9_session *s, uint32_t cpu, uint64_t *midr);

/* Time, CPU and task of a record. */
void v9_session_place(struct v9_session *s, const struct v9_queue *q,
		      const struct v9_spe_rec *rec, struct v9_sampled *out);

/* ns of a counter value on the clock of the side-band; false if not convertible. */
bool v9_session_time(const struct v9_session *s, uint64_t count, uint64_t *ns);

/* The name of a thread then, or NULL. */
const char *v9_session_comm(struct v9_session *s, uint32_t tid, uint64_t time, uint32_t *pid);

#endif
