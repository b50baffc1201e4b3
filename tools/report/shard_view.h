/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A shard in place of a capture: report, export and fdo. Its objects are those of a session, so that
 * symbols and lines that the shard lacks are looked up on this machine.
 */
#ifndef V9TRACE_REPORT_SHARD_VIEW_H
#define V9TRACE_REPORT_SHARD_VIEW_H

#include "shard.h"
#include "sink.h"

struct v9_shard_view {
	struct v9_shard shard;
	struct v9_dso **dso;		/* by number of the object */
	/* By number of the place: its function. Without one .addressed is false. */
	struct v9_stack_level *level;
	struct v9_func *symbolic;	/* functions of places that are not in a file */
	const char **of;		/* by number of the source: kind, event and CPU type as text */
	/* By number of the source: that of the shortest period with the same kind, event and CPU type */
	uint64_t *shortest;
};

/* Sets r->shard and what of r->s is known. Returns an exit status, after an error message. */
int v9_shard_open(struct v9_report *r);
void v9_shard_close(struct v9_report *r);

/* Prints the tables of a shard. Returns false if there is nothing to print. */
bool v9_shard_report(struct v9_report *r);

/* Gives what it has of a kind of trace to the sink; V9_SINK_* that it can give. */
bool v9_shard_feed(struct v9_export *x, const struct v9_kind *k);
unsigned int v9_shard_gives(const struct v9_shard_view *v, enum v9_kind_id kind);

/* The number of its sums of that kind */
uint64_t v9_shard_sums(const struct v9_shard_view *v, enum v9_kind_id kind);

/* Reports what was lost, as v9_kind.feed does for captures. */
void v9_shard_losses(struct v9_report *r);

/*
 * A sum @n of samples of a source, as v9_shard_view.shortest of it would have it: @n times the quotient of
 * both periods, rounded to the nearest number; UINT64_MAX if it does not fit.
 */
uint64_t v9_shard_weigh(const struct v9_shard_view *v, uint64_t source, uint64_t n);

/* The kind of trace of a source; V9_KIND_OTHER: not known to this program */
enum v9_kind_id v9_shard_kind(const struct v9_shard_view *v, uint64_t source);

#endif
