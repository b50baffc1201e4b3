// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "unit_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"

#define COUNT(a)	(sizeof(a) / sizeof((a)[0]))

enum { FILTRATE, FEED, COLLISION, POP, FEED_OP, FEED_EVENT, FEED_LAT, WRAP };

const struct v9_check_event v9_check_events[V9_CHECK_EVENTS] = {
	[FILTRATE] = { 0x4002, PD_AUXTRACE_ARM_SPE, 0, "SAMPLE_FILTRATE", "sample_filtrate" },
	[FEED] = { 0x4001, PD_AUXTRACE_ARM_SPE, 0, "SAMPLE_FEED", "sample_feed" },
	[COLLISION] = { 0x4003, PD_AUXTRACE_ARM_SPE, 0, "SAMPLE_COLLISION", "sample_collision" },
	[POP] = { 0x4000, PD_AUXTRACE_ARM_SPE, 0, "SAMPLE_POP", "sample_pop" },
	[FEED_OP] = { 0x812d, PD_AUXTRACE_ARM_SPE, PD_FILTER_TYPE, "SAMPLE_FEED_OP", NULL },
	[FEED_EVENT] = { 0x812e, PD_AUXTRACE_ARM_SPE, PD_FILTER_EVENT, "SAMPLE_FEED_EVENT", NULL },
	[FEED_LAT] = { 0x812f, PD_AUXTRACE_ARM_SPE, PD_FILTER_LATENCY, "SAMPLE_FEED_LAT", NULL },
	[WRAP] = { 0x400c, PD_AUXTRACE_CS_ETM, 0, "TRB_WRAP", "trb_wrap" },
};

const char *const v9_check_verdicts[V9_CHECK_VERDICTS] = {
	[V9_CHECK_FITS] = "fits", [V9_CHECK_FEWER] = "fewer", [V9_CHECK_MORE] = "more",
	[V9_CHECK_UNUSED] = "not counted",
};

/* Saturating arithmetic: UINT64_MAX is no bound. */
static uint64_t plus(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static uint64_t minus(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* Samples that the unit can have taken while the counters did not run */
static uint64_t uncounted(const struct pd_counts *head)
{
	uint64_t at_an_edge = 1;

	if (head->flags & PD_COUNTS_AWAY)
		return UINT64_MAX;
	if (head->flags & PD_COUNTS_KERNEL)
		at_an_edge += V9_CHECK_SWITCH / (head->interval ? head->interval : 1);
	return times(head->edges, at_an_edge);
}

static const struct pd_count *find(const struct pd_count *count, size_t n, unsigned int i)
{
	for (size_t k = 0; k < n; k++)
		if (count[k].event == v9_check_events[i].number)
			return &count[k];
	return NULL;
}

static const char *why_unused(uint32_t state)
{
	static const char *const why[] = {
		[PD_COUNT_ABSENT] = "the PMU of these CPUs does not have it, or its driver does not tell",
		[PD_COUNT_NO_COUNTER] = "the PMU has no counter left for it",
		[PD_COUNT_SHARED] = "for some of the time other events used the counters, or CPUs without it were used",
		[PD_COUNT_REFUSED] = "the kernel refused it",
	};

	return state < COUNT(why) && why[state] ? why[state] : "for a reason that this program does not know";
}

/* Records that passed the filters, of which some may not be in the file */
static void bound_passed(struct v9_check_row *r, const struct v9_check_unit *u, const struct pd_counts *head)
{
	const uint64_t slack = uncounted(head);

	r->what = "records";
	r->recorded = u->records;
	/* The event of a sample that is complete on the side that is not recorded is not counted. */
	r->least = head->flags & PD_COUNTS_SIDE ? 0 : minus(u->records, slack);
	r->most = head->flags & PD_COUNTS_DISCARD || head->missing ? UINT64_MAX :
		  plus(u->records, plus(slack, times(u->pieces, V9_CHECK_HELD)));
}

/* Bounds of the event; false: they are not known. */
static bool bound(unsigned int i, struct v9_check_row *r, const struct v9_check_unit *u, const struct pd_counts *head,
		  const struct pd_count *count, size_t n)
{
	const struct pd_count *feed = find(count, n, FEED), *collision = find(count, n, COLLISION);
	const uint64_t slack = uncounted(head);
	uint64_t due;

	switch (i) {
	case FILTRATE:
		bound_passed(r, u, head);
		return true;
	case FEED:
		bound_passed(r, u, head);
		/* Filters drop samples, and a unit may drop those of wrong paths (D17.2.1). */
		r->most = UINT64_MAX;
		return true;
	case FEED_OP:
	case FEED_EVENT:
	case FEED_LAT:
		bound_passed(r, u, head);
		/* Another filter drops some of these samples. */
		if (head->filters != v9_check_events[i].filter)
			r->most = UINT64_MAX;
		return true;
	case COLLISION:
		/* A flag says that there was one, or that there were more. */
		r->what = "AUX records with collisions";
		r->recorded = u->collided;
		r->least = minus(u->collided, slack);
		r->most = u->collided ? UINT64_MAX : slack;
		return true;
	case POP:
		if (!head->interval || !feed || feed->state || !collision || collision->state)
			return false;
		/*
		 * Each sample has an interval before it, which begins anew where the unit does. The random part of
		 * an interval is at most 255, and 1 is the sample itself (D17.3.4).
		 */
		due = plus(feed->value, collision->value);
		r->what = "samples and collisions, times the interval";
		r->recorded = times(due, head->interval);
		r->least = head->flags & PD_COUNTS_AWAY ? 0 :
			   times(minus(due, plus(head->edges, head->starts)), head->interval);
		r->most = head->flags & PD_COUNTS_AWAY ? UINT64_MAX :
			  times(plus(plus(due, head->starts), plus(head->edges, u->pieces)), head->interval + 256);
		return true;
	case WRAP:
		/* The trace that a wrap ends is handed over, in an AUX record. */
		r->what = "AUX records";
		r->recorded = u->pieces;
		r->least = 0;
		r->most = head->missing || head->flags & PD_COUNTS_AWAY ? UINT64_MAX : plus(u->pieces, head->starts);
		return true;
	}
	return false;
}

size_t v9_check_rows(const struct v9_check_unit *u, const struct pd_counts *head, const struct pd_count *count,
		     size_t n, struct v9_check_row row[V9_CHECK_EVENTS])
{
	size_t rows = 0;

	for (unsigned int i = 0; i < V9_CHECK_EVENTS; i++) {
		const struct pd_count *c = find(count, n, i);
		struct v9_check_row r = { .event = &v9_check_events[i] };

		if (!c || r.event->unit != u->unit)
			continue;
		if (c->state) {
			r.verdict = V9_CHECK_UNUSED;
			r.why = why_unused(c->state);
		} else if (bound(i, &r, u, head, count, n)) {
			r.counted = c->value;
			r.verdict = c->value < r.least ? V9_CHECK_FEWER : c->value > r.most ? V9_CHECK_MORE :
				    V9_CHECK_FITS;
		} else {
			continue;
		}
		row[rows++] = r;
	}
	return rows;
}

char *v9_check_text(const struct v9_check_row *r)
{
	char *most, *text;

	if (r->verdict == V9_CHECK_UNUSED)
		return v9_format("%s: not counted: %s", r->event->name, r->why);
	most = r->most == UINT64_MAX ? v9_strdup("or more") : v9_format("to %" PRIu64, r->most);
	text = v9_format("%s: counted %" PRIu64 ", recorded %" PRIu64 " (%s), which allows %" PRIu64 " %s: %s",
			 r->event->name, r->counted, r->recorded, r->what, r->least, most,
			 v9_check_verdicts[r->verdict]);
	free(most);
	return text;
}

size_t v9_check_read(const uint8_t *section, uint64_t size, struct pd_counts *head, struct pd_count *count,
		     size_t most)
{
	size_t n = 0;

	if (size < sizeof(*head))
		return 0;
	memcpy(head, section, sizeof(*head));
	if (head->version != PD_COUNTS_VERSION)
		return 0;
	for (; n < most && n < head->count && n < (size - sizeof(*head)) / sizeof(*count); n++)
		memcpy(&count[n], section + sizeof(*head) + n * sizeof(*count), sizeof(*count));
	return n;
}
