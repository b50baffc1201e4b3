/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The ETE traces of a capture. AUX records are decoded in the order of their times, each with the
 * description of its trace unit and the code of the program that ran.
 *
 * The decoder of a stream is reset at each AUX record, unless the record continues where the last
 * one ended, nothing was lost in between, and the unit was not restarted.
 */
#ifndef V9TRACE_CAPTURE_TRACE_H
#define V9TRACE_CAPTURE_TRACE_H

#include "../lib/v9ete.h"
#include "lookup.h"

/* Why AUX bytes are not decoded */
enum v9_trace_unread {
	V9_TRACE_UNCLAIMED,	/* not in any AUX record */
	V9_TRACE_FRAMED,	/* in CoreSight frames, together with other traces */
	V9_TRACE_NO_UNIT,	/* the trace unit is not described, or is not ETE */
	V9_TRACE_STOPPED,	/* reading was interrupted */
	V9_TRACE_UNREADS
};

extern const char *const v9_trace_unread_why[V9_TRACE_UNREADS];

/* Receives a record with the index of its stream, its time and its task. */
typedef void v9_trace_fn(void *arg, size_t stream, const struct v9_sampled *at,
			 const struct v9_flow_rec *rec);

/* Receives several ranges of one task and time at once. */
typedef void v9_trace_hits_fn(void *arg, size_t stream, const struct v9_sampled *at,
			      const struct v9_flow_batch *batch);

/* The consumer of records */
struct v9_listener {
	v9_trace_fn *take;
	v9_trace_hits_fn *hits;		/* NULL, or receives most ranges instead of .take */
	void *arg;
	bool by_time;			/* in the order of time, as far as timestamps show it */
};

/* Counters of decoding */
struct v9_trace_sums {
	struct v9_ete_account acc;
	struct v9_flow_counts counts;
	struct v9_missed {
		struct v9_dso *object;	/* object whose code is missing; NULL: no mapping */
		uint64_t n;
	} *missed;
	size_t nr_missed;
};

struct v9_trace {
	struct v9_session *s;
	struct v9_lookup *lookup;
	struct v9_trace_sums sums;	/* sum over all streams */
	uint64_t unread[V9_TRACE_UNREADS];
	uint64_t missing;		/* bytes of AUX records that are not in the file */
	uint64_t restarts;		/* number of decoder resets */
	bool ids;			/* contexts identify the task */
	bool apart;			/* set by the caller: the listener, unless workers have one, has a thread of its own */
	struct v9_relay *relay;		/* to that thread, while it runs; or NULL */
	struct v9_stream *streams;	/* one for each ETE buffer */
	size_t nr_streams;
	struct v9_segment *segments;	/* parts to decode, in the order of time */
	size_t nr_segments;
};

void v9_trace_init(struct v9_trace *t, struct v9_session *s, struct v9_lookup *lookup);

struct v9_workers;

/* Creates the segments. */
void v9_trace_plan(struct v9_trace *t);

/*
 * Decodes all segments, after v9_trace_plan(). Without @workers, or if there is little to decode,
 * @listener receives everything in the order of AUX records; those of several CPUs overlap in time,
 * so a thread that moved between CPUs comes in its order only if .by_time is set. Else @workers
 * decode, and @listener is not called.
 */
void v9_trace_run(struct v9_trace *t, const struct v9_listener *listener,
		  const struct v9_workers *workers);

/* Do the streams of several CPUs have timestamps that show which came first? After v9_trace_plan() */
bool v9_trace_has_order(const struct v9_trace *t);

/* Tells the objects how often their code was missing, after decoding. */
void v9_trace_count_missed(struct v9_trace *t);

/* The buffer of a stream */
const struct v9_queue *v9_trace_queue(const struct v9_trace *t, size_t stream);

/* Returns the accounted bytes of AUX data: equal to session.aux[V9_KIND_ETE].bytes. */
uint64_t v9_trace_bytes(const struct v9_trace *t);

/* Gets the packet configuration of a unit. */
void v9_unit_config(const struct v9_trace_unit *u, struct v9_ete_config *cfg);

/* Returns NULL if the capture does not describe the unit of that CPU. */
const struct v9_trace_unit *v9_unit_of(const struct v9_session *s, uint32_t cpu);

void v9_trace_free(struct v9_trace *t);

#endif
