// SPDX-License-Identifier: GPL-2.0-only
/*
 * record --check: what a counter of the PMU can have beside what was recorded. The bounds are computed by hand
 * here; the numbers of the events are typed from the manual's list of PMU events.
 */
#include <stdlib.h>
#include <string.h>

#include "tap.h"

#include "../../tools/unit_check.h"

#define SPE	4	/* PERF_AUXTRACE_ARM_SPE of perf */
#define ETE	3	/* PERF_AUXTRACE_CS_ETM */
#define NONE	UINT64_MAX

enum { POP = 0x4000, FEED, FILTRATE, COLLISION, WRAP = 0x400c, OP = 0x812d, EVENT, LAT };

/* The row of an event among those of one unit; NULL: there is none */
static const struct v9_check_row *row_of(const struct v9_check_row *row, size_t n, uint32_t event)
{
	for (size_t i = 0; i < n; i++)
		if (row[i].event->number == event)
			return &row[i];
	return NULL;
}

/* Compares one event; .verdict V9_CHECK_VERDICTS: there is no row. */
static struct v9_check_row check(const struct v9_check_unit *u, const struct pd_counts *head, uint32_t event,
				 uint64_t counted)
{
	const struct pd_count count = { .event = event, .value = counted };
	struct v9_check_row row[V9_CHECK_EVENTS];
	const struct v9_check_row *r = row_of(row, v9_check_rows(u, head, &count, 1, row), event);

	return r ? *r : (struct v9_check_row){ .verdict = V9_CHECK_VERDICTS };
}

static void names(void)
{
	static const struct { uint32_t number, unit; const char *name; } want[] = {
		{ 0x4000, SPE, "SAMPLE_POP" }, { 0x4001, SPE, "SAMPLE_FEED" }, { 0x4002, SPE, "SAMPLE_FILTRATE" },
		{ 0x4003, SPE, "SAMPLE_COLLISION" }, { 0x812d, SPE, "SAMPLE_FEED_OP" },
		{ 0x812e, SPE, "SAMPLE_FEED_EVENT" }, { 0x812f, SPE, "SAMPLE_FEED_LAT" },
		{ 0x400c, ETE, "TRB_WRAP" },
	};
	unsigned int found = 0;

	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		for (size_t k = 0; k < V9_CHECK_EVENTS; k++)
			found += v9_check_events[k].number == want[i].number && v9_check_events[k].unit == want[i].unit &&
				 !strcmp(v9_check_events[k].name, want[i].name);
	tap_ok(found == V9_CHECK_EVENTS && found == sizeof(want) / sizeof(want[0]), "events_of_the_manual");
}

/* CPUs: the counters run whenever the unit does. 16 records of each piece may be lost without a word. */
static void filtrate(void)
{
	const struct v9_check_unit u = { .unit = SPE, .records = 1000, .pieces = 3 };
	static const struct {
		const char *name;
		struct pd_counts head;
		uint64_t least, most;
	} rows[] = {
		{ "of_cpus", { .starts = 2, .interval = 1024, .flags = 1 }, 1000, 1048 },
		/* 10 edges, at each a sample, and without the kernel none in between */
		{ "of_a_task_in_user_space", { .starts = 5, .edges = 10, .interval = 1024 }, 990, 1058 },
		/* ... and with it 4096 operations: 4 samples more */
		{ "of_a_task", { .starts = 5, .edges = 10, .interval = 1024, .flags = 1 }, 950, 1098 },
		{ "of_a_long_interval", { .edges = 10, .interval = 4097, .flags = 1 }, 990, 1058 },
		{ "of_an_unknown_interval", { .edges = 1, .flags = 1 }, 0, 1000 + 4097 + 48 },
		{ "with_trace_that_found_no_room", { .missing = 1, .interval = 1024 }, 1000, NONE },
		{ "in_discard_mode", { .interval = 1024, .flags = 4 }, 1000, NONE },
		{ "of_a_cpu_that_was_away", { .interval = 1024, .flags = 2 }, 0, NONE },
		{ "of_more_edges_than_records", { .edges = 2000, .interval = 1024 }, 0, 3048 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct v9_check_row r = check(&u, &rows[i].head, FILTRATE, 1000);

		tap_ok(r.least == rows[i].least && r.most == rows[i].most && r.recorded == 1000 &&
		       r.verdict == V9_CHECK_FITS, "filtrate_%s", rows[i].name);
		if (rows[i].least)
			tap_eq(check(&u, &rows[i].head, FILTRATE, rows[i].least - 1).verdict, V9_CHECK_FEWER,
			       "filtrate_%s_one_less", rows[i].name);
		tap_eq(check(&u, &rows[i].head, FILTRATE, rows[i].least).verdict, V9_CHECK_FITS,
		       "filtrate_%s_at_least", rows[i].name);
		tap_eq(check(&u, &rows[i].head, FILTRATE, rows[i].most).verdict, V9_CHECK_FITS,
		       "filtrate_%s_at_most", rows[i].name);
		if (rows[i].most != NONE)
			tap_eq(check(&u, &rows[i].head, FILTRATE, rows[i].most + 1).verdict, V9_CHECK_MORE,
			       "filtrate_%s_one_more", rows[i].name);
	}
}

/* Samples before the filters: at least those that passed. A filter's own event is as many, if it is alone. */
static void feeds(void)
{
	const struct v9_check_unit u = { .unit = SPE, .records = 100, .pieces = 1 };
	static const struct {
		const char *name;
		uint32_t event, filters;
		uint64_t most;
	} rows[] = {
		{ "all", FEED, 0, NONE },
		{ "by_type", OP, 1, 116 }, { "by_event", EVENT, 2, 116 }, { "by_latency", LAT, 4, 116 },
		{ "by_type_beside_latency", OP, 1 | 4, NONE }, { "by_latency_beside_type", LAT, 1 | 4, NONE },
		{ "by_event_beside_source", EVENT, 2 | 8, NONE },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct pd_counts head = { .filters = rows[i].filters, .interval = 1024 };

		tap_ok(check(&u, &head, rows[i].event, 99).verdict == V9_CHECK_FEWER &&
		       check(&u, &head, rows[i].event, 100).verdict == V9_CHECK_FITS &&
		       check(&u, &head, rows[i].event, 100).most == rows[i].most, "feed_%s", rows[i].name);
	}
}

static void collisions(void)
{
	const struct pd_counts cpus = { .interval = 1024 }, task = { .edges = 3, .interval = 1024 };
	const struct v9_check_unit none = { .unit = SPE }, five = { .unit = SPE, .collided = 5 };

	tap_ok(check(&none, &cpus, COLLISION, 0).verdict == V9_CHECK_FITS &&
	       check(&none, &cpus, COLLISION, 1).verdict == V9_CHECK_MORE, "collisions_without_a_flag");
	tap_ok(check(&none, &task, COLLISION, 3).verdict == V9_CHECK_FITS &&
	       check(&none, &task, COLLISION, 4).verdict == V9_CHECK_MORE, "collisions_at_edges");
	tap_ok(check(&five, &cpus, COLLISION, 4).verdict == V9_CHECK_FEWER &&
	       check(&five, &cpus, COLLISION, 5).verdict == V9_CHECK_FITS &&
	       check(&five, &cpus, COLLISION, 5000000).verdict == V9_CHECK_FITS, "collisions_with_flags");
}

static struct v9_check_row population(const struct v9_check_unit *u, const struct pd_counts *head, uint64_t feed,
				      uint64_t collided, uint64_t pop)
{
	const struct pd_count count[] = {
		{ .event = POP, .value = pop }, { .event = FEED, .value = feed },
		{ .event = COLLISION, .value = collided },
	};
	struct v9_check_row row[V9_CHECK_EVENTS];
	const struct v9_check_row *r = row_of(row, v9_check_rows(u, head, count, 3, row), POP);

	return r ? *r : (struct v9_check_row){ .verdict = V9_CHECK_VERDICTS };
}

static void populations(void)
{
	const struct v9_check_unit u = { .unit = SPE, .pieces = 2 };
	const struct pd_counts cpu = { .starts = 1, .interval = 1024 };
	struct v9_check_row r = population(&u, &cpu, 90, 10, 102400), row[V9_CHECK_EVENTS];

	/* 100 intervals of 1024 to 1280, one less or more at the begin, and one more behind each piece */
	tap_ok(r.recorded == 102400 && r.least == 99 * 1024 && r.most == 103 * 1280, "population_of_a_cpu");
	tap_ok(population(&u, &cpu, 90, 10, 99 * 1024 - 1).verdict == V9_CHECK_FEWER &&
	       population(&u, &cpu, 90, 10, 99 * 1024).verdict == V9_CHECK_FITS &&
	       population(&u, &cpu, 90, 10, 103 * 1280).verdict == V9_CHECK_FITS &&
	       population(&u, &cpu, 90, 10, 103 * 1280 + 1).verdict == V9_CHECK_MORE, "population_bounds");
	r = population(&u, &(struct pd_counts){ .starts = 4, .edges = 8, .interval = 1024 }, 90, 10, 102400);
	tap_ok(r.least == 88 * 1024 && r.most == 114 * 1280, "population_of_a_task");
	r = population(&u, &(struct pd_counts){ .starts = 200, .interval = 1024 }, 90, 10, 0);
	tap_ok(!r.least && r.verdict == V9_CHECK_FITS, "population_of_few_samples");
	r = population(&u, &(struct pd_counts){ .interval = 1024, .flags = 2 }, 90, 10, NONE);
	tap_ok(r.most == NONE && r.verdict == V9_CHECK_FITS, "population_of_a_cpu_that_was_away");
	r = population(&u, &(struct pd_counts){ .interval = 1024, .flags = 2 }, 90, 10, 0);
	tap_ok(!r.least && r.verdict == V9_CHECK_FITS, "population_while_another_session_sampled");
	r = population(&u, &cpu, NONE, 1, 0);
	tap_ok(r.recorded == NONE && r.most == NONE && r.verdict == V9_CHECK_FEWER, "population_saturates");
	tap_eq(population(&u, &(struct pd_counts){ .starts = 1 }, 90, 10, 102400).verdict, V9_CHECK_VERDICTS,
	       "no_population_without_the_interval");
	tap_eq(check(&u, &cpu, POP, 102400).verdict, V9_CHECK_VERDICTS, "no_population_without_samples");
	tap_eq(v9_check_rows(&u, &cpu, &(struct pd_count){ .event = POP, .state = PD_COUNT_SHARED }, 1, row), 1,
	       "population_that_was_not_counted");
}

/* The event of a sample that is complete in the kernel is not counted beside user space alone. */
static void sides(void)
{
	const struct v9_check_unit u = { .unit = SPE, .records = 100, .pieces = 1 };
	const struct pd_counts one = { .flags = 8 }, both = { .flags = 0 };

	tap_ok(check(&u, &one, FILTRATE, 90).verdict == V9_CHECK_FITS && check(&u, &both, FILTRATE, 90).verdict == V9_CHECK_FEWER,
	       "fewer_may_be_counted_of_one_side");
	tap_ok(check(&u, &one, FILTRATE, 100 + 16 + 1).verdict == V9_CHECK_MORE, "not_more_of_one_side");
}

static void wraps(void)
{
	const struct v9_check_unit ete = { .unit = ETE, .pieces = 7 }, spe = { .unit = SPE, .pieces = 7 };
	const struct pd_counts head = { .starts = 2 }, full = { .starts = 2, .missing = 8 };

	tap_ok(check(&ete, &head, WRAP, 0).verdict == V9_CHECK_FITS &&
	       check(&ete, &head, WRAP, 9).verdict == V9_CHECK_FITS &&
	       check(&ete, &head, WRAP, 10).verdict == V9_CHECK_MORE, "wraps_end_pieces");
	tap_eq(check(&ete, &full, WRAP, 10).verdict, V9_CHECK_FITS, "wraps_of_trace_that_found_no_room");
	tap_eq(check(&ete, &(struct pd_counts){ .starts = 2, .flags = 2 }, WRAP, 10).verdict, V9_CHECK_FITS,
	       "wraps_while_another_session_traced");
	tap_eq(check(&spe, &head, WRAP, 0).verdict, V9_CHECK_VERDICTS, "wraps_are_of_the_other_unit");
	tap_eq(check(&ete, &head, FILTRATE, 0).verdict, V9_CHECK_VERDICTS, "samples_are_of_the_other_unit");
}

static void not_counted(void)
{
	static const char *const why[] = { NULL, "does not have it", "no counter left", "other events used", "refused",
					   "not know" };
	const struct v9_check_unit u = { .unit = SPE, .records = 10 };
	const struct pd_counts head = { .interval = 1024 };
	struct v9_check_row row[V9_CHECK_EVENTS];
	unsigned int bad = 0;

	for (uint32_t state = 1; state < 6; state++) {
		const struct pd_count count = { .event = FILTRATE, .state = state };
		char *text;

		if (v9_check_rows(&u, &head, &count, 1, row) != 1 || row[0].verdict != V9_CHECK_UNUSED ||
		    v9_check_misfits(&row[0]) || !strstr(row[0].why, why[state])) {
			bad++;
			continue;
		}
		text = v9_check_text(&row[0]);
		bad += !strstr(text, "SAMPLE_FILTRATE: not counted: ") || !strstr(text, why[state]);
		free(text);
	}
	tap_eq(bad, 0, "states_say_why");
}

static void text_is(const struct v9_check_row *r, const char *want, const char *name)
{
	char *text = v9_check_text(r);

	if (!tap_ok(!strcmp(text, want), "text_%s", name))
		tap_note("%s", text);
	free(text);
}

static void texts(void)
{
	const struct v9_check_unit u = { .unit = SPE, .records = 10 };
	const struct pd_counts head = { .interval = 1024 };
	struct v9_check_row r = check(&u, &head, FILTRATE, 9);

	tap_ok(v9_check_misfits(&r), "fewer_misfits");
	text_is(&r, "SAMPLE_FILTRATE: counted 9, recorded 10 (records), which allows 10 to 10: fewer", "of_fewer");
	r = check(&u, &head, FILTRATE, 11);
	tap_ok(v9_check_misfits(&r), "more_misfits");
	text_is(&r, "SAMPLE_FILTRATE: counted 11, recorded 10 (records), which allows 10 to 10: more", "of_more");
	r = check(&u, &head, FEED, 11);
	tap_ok(!v9_check_misfits(&r), "what_fits_does_not_misfit");
	text_is(&r, "SAMPLE_FEED: counted 11, recorded 10 (records), which allows 10 or more: fits", "without_a_bound");
}

static void sections(void)
{
	struct { struct pd_counts head; struct pd_count count[3]; } s = {
		.head = { .version = 1, .count = 3, .starts = 5 }, .count = { [2] = { .event = WRAP, .value = 9 } } };
	struct pd_counts head;
	struct pd_count count[4] = { 0 };

	_Static_assert(sizeof(struct pd_counts) == 48 && sizeof(struct pd_count) == 16, "sizes of the file");
	tap_ok(v9_check_read((uint8_t *)&s, sizeof(s), &head, count, 4) == 3 && head.starts == 5 &&
	       count[2].event == WRAP && count[2].value == 9, "section_is_read");
	tap_eq(v9_check_read((uint8_t *)&s, sizeof(s) - 1, &head, count, 4), 2, "section_cut_in_an_event");
	tap_eq(v9_check_read((uint8_t *)&s, sizeof(s.head) - 1, &head, count, 4), 0, "section_cut_in_the_header");
	tap_eq(v9_check_read(NULL, 0, &head, count, 4), 0, "no_section");
	tap_eq(v9_check_read((uint8_t *)&s, sizeof(s), &head, count, 2), 2, "more_events_than_room");
	s.head.count = UINT32_MAX;
	tap_eq(v9_check_read((uint8_t *)&s, sizeof(s), &head, count, 4), 3, "more_events_than_the_section_has");
	s.head.version = 2;
	tap_eq(v9_check_read((uint8_t *)&s, sizeof(s), &head, count, 4), 0, "section_of_another_version");
}

int main(void)
{
	names();
	filtrate();
	feeds();
	collisions();
	populations();
	sides();
	wraps();
	not_counted();
	texts();
	sections();
	return tap_done();
}
