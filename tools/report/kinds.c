// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kinds.h"

#include <inttypes.h>

#include "../util.h"
#include "dump.h"
#include "report.h"
#include "script.h"
#include "sink.h"

/* To add a kind, add a row here, and its id to enum v9_kind_id. */
const struct v9_kind v9_kinds[V9_KINDS] = {
	[V9_KIND_OTHER] = { .auxtrace = "of another kind" },
	[V9_KIND_SPE] = {
		.name = "spe", .title = "SPE", .auxtrace = "ARM_SPE", .item = "SPE record",
		.shows = V9_SHOWS_TABLES | V9_SHOWS_MEM,
		.absent = v9_session_no_spe,
		.report = v9_report_spe, .feed = v9_feed_spe,
		.script_begin = v9_script_spe_begin, .script_end = v9_script_spe_end,
		.dump = v9_dump_spe,
	},
	[V9_KIND_ETE] = {
		.name = "ete", .title = "ETE", .auxtrace = "CS_ETM", .item = "ETE packet",
		.shows = V9_SHOWS_TABLES | V9_SHOWS_FLOW,
		.absent = v9_session_no_ete,
		.report = v9_report_trace, .feed = v9_feed_trace,
		.script = v9_script_trace,
		.dump = v9_dump_ete, .dump_end = v9_dump_ete_end,
	},
	[V9_KIND_BRANCHES] = {
		.name = "branches", .title = "Branches", .item = "branch",
		.shows = V9_SHOWS_TABLES,
		.absent = v9_session_no_branches,
		.report = v9_report_branches, .feed = v9_feed_stacks,
	},
};

const char *v9_kinds_absent(const struct v9_session *s, unsigned int shows)
{
	const char *why = NULL;

	v9_for_each_kind(k) {
		const char *absent = k->absent(s);

		if ((k->shows & shows) != shows)
			continue;
		if (!absent)
			return NULL;
		/* Data that cannot be decoded says more than what other kinds lack. */
		if (!why || absent == s->unusable)
			why = absent;
	}
	return why;
}

void v9_kind_empty(const struct v9_kind *k, const struct v9_session *s, const char *path)
{
	if (k->auxtrace)
		v9_error("%s holds no %s: %" PRIu64 " bytes of AUX data", path, k->item,
			 s->aux[k - v9_kinds].bytes);
	else
		v9_error("%s holds no %s: each of its %" PRIu64 " samples has none", path, k->item,
			 s->nr_stacks);
}
