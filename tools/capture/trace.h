/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The instruction traces of a capture: AUX records in the order of their time,
 * each decoded with the trace unit it came from and the program that ran then.
 *
 * A stream is taken up again from nothing at each AUX record, unless the record
 * goes on where the one before ended, nothing was lost between them, and the
 * unit was not started anew.
 */
#ifndef V9TRACE_CAPTURE_TRACE_H
#define V9TRACE_CAPTURE_TRACE_H

#include "../lib/v9ete.h"
#include "lookup.h"

/* Why AUX bytes do not reach the decoder. */
enum v9_trace_unread {
	V9_TRACE_UNCLAIMED,	/* no AUX record speaks of them */
	V9_TRACE_FRAMED,	/* mixed with other traces in CoreSight frames */
	V9_TRACE_NO_UNIT,	/* of a CPU whose trace unit is not described, or is no ETE */
	V9_TRACE_UNREADS
};

extern const char *const v9_trace_unread_why[V9_TRACE_UNREADS];

/* What happened, in which buffer, when and to whom. */
typedef void v9_trace_fn(void *arg, size_t stream, const struct v9_sampled *at,
			 const struct v9_flow_rec *rec);

/* Ranges in brief, all of one context: who, and when. */
typedef void v9_trace_hits_fn(void *arg, size_t stream, const struct v9_sampled *at,
			      const struct v9_flow_batch *batch);

/* Who is told. */
struct v9_listener {
	v9_trace_fn *take;
	v9_trace_hits_fn *hits;		/* NULL, or gets most ranges instead of .take */
	void *arg;
};

/* What was counted on the way. */
struct v9_trace_sums {
	struct v9_ete_account acc;
	struct v9_flow_counts counts;
	struct v9_missed {
		struct v9_dso *object;	/* whose code was not there; NULL: nothing was mapped */
		uint64_t n;
	} *missed;
	size_t nr_missed;
};

struct v9_trace {
	struct v9_session *s;
	struct v9_lookup *lookup;
	struct v9_trace_sums sums;	/* of all streams together */
	uint64_t unread[V9_TRACE_UNREADS];
	uint64_t missing;		/* bytes of AUX records that are not in the file */
	uint64_t restarts;		/* times decoding began anew */
	bool ids;			/* contexts tell which task it is */
	struct v9_stream *streams;	/* one for each buffer of an ETE */
	size_t nr_streams;
	struct v9_segment *segments;	/* what is to be decoded, in the order of time */
	size_t nr_segments;
};

void v9_trace_init(struct v9_trace *t, struct v9_session *s, struct v9_lookup *lookup);

struct v9_workers;

/* Makes the segments. */
void v9_trace_plan(struct v9_trace *t);

/*
 * All of it, which was planned: for @listener in the order of time, or by @workers, if it is not NULL and there is enough to
 * do; then @listener is told nothing.
 */
void v9_trace_run(struct v9_trace *t, const struct v9_listener *listener,
		  const struct v9_workers *workers);

/* All bytes of AUX data; equals session.aux[V9_KIND_ETE].bytes. */
uint64_t v9_trace_bytes(const struct v9_trace *t);

/* The configuration of packets that a unit makes. */
void v9_unit_config(const struct v9_trace_unit *u, struct v9_ete_config *cfg);

/* NULL if the capture does not describe the unit of that CPU. */
const struct v9_trace_unit *v9_unit_of(const struct v9_session *s, uint32_t cpu);

void v9_trace_free(struct v9_trace *t);

#endif
