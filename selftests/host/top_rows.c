// SPDX-License-Identifier: GPL-2.0-only
/*
 * What v9trace top shows: rows from sums, their order, their text at the width of a terminal, what was lost;
 * names of functions and data by files and mappings. The screen itself: top.sh.
 */
#define _GNU_SOURCE
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture.h"
#include "tap.h"
#include "../../tools/top/names.h"
#include "../../tools/util.h"

/* ---- rows of sums whose object is their row */

static const char *const names[] = { "alpha", "beta", "gamma", "Alphabet" }, *const objects[] = { "one", "two" };

static void place(void *arg, const struct v9_live_sum *s, struct v9_top_place *p)
{
	(void)arg;
	*p = (struct v9_top_place){ { s->object, 0 }, objects[s->object & 1], names[s->object] };
}

static void class(void *arg, const struct v9_live_class *c, struct v9_top_place *p)
{
	(void)arg;
	*p = (struct v9_top_place){ { c->what, c->of }, "", names[c->of] };
}

#define VALUE(samples, latency, l1) { [V9_W_SAMPLES] = (samples), [V9_W_LATENCY] = (latency), [V9_W_L1_MISSES] = (l1) }

static struct v9_live_sum sums[] = {
	{ .object = 0, .addr = 1, .line = V9_LIVE_NO_LINE, .value = VALUE(10, 100, 0) },
	{ .object = 0, .addr = 2, .line = 0x40, .value = VALUE(20, 100, 6) },
	{ .object = 1, .addr = 1, .line = V9_LIVE_NO_LINE, .value = VALUE(60, 120, 2) },
	{ .object = 2, .addr = 1, .line = 0x80, .value = VALUE(5, 5000, 5) },
	{ .object = 3, .addr = 1, .line = 0x80, .value = VALUE(5, 10, 0) },
};
static struct v9_live_class classes[] = {
	{ .what = V9_LIVE_SOURCE, .of = 1, .value = VALUE(3, 3, 0) },
	{ .what = V9_LIVE_LATENCY, .of = 2, .value = VALUE(9, 3, 0) },
	{ .what = V9_LIVE_LATENCY, .of = 0, .value = VALUE(4, 3, 0) },
	{ .what = V9_LIVE_LATENCY, .of = 1, .value = VALUE(5, 3, 0) },
};
static struct v9_live_copy state = {
	.sums = sums, .nr_sums = V9_ARRAY_SIZE(sums), .classes = classes, .nr_classes = V9_ARRAY_SIZE(classes),
	.records = 100,
};

/* The names of the rows in their order, with commas */
static const char *order(struct v9_top_rows *r, enum v9_top_by by, enum v9_top_sort sort, const char *filter)
{
	const struct v9_top_choice c = { by, sort, filter };
	static char text[256];

	text[0] = '\0';
	v9_top_group(r, &state, by, place, class, NULL);
	v9_top_order(r, &c);
	for (size_t i = 0; i < r->nr; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i ? "," : "", r->row[i]->name);
	return text;
}

/* Samples of longer periods count as so many of the shortest. */
static void periods(struct v9_top_rows *r)
{
	struct v9_live_sum of_periods[] = {
		{ .object = 0, .line = V9_LIVE_NO_LINE, .period = 1024, .value = VALUE(10, 100, 1) },
		{ .object = 0, .addr = 1, .line = V9_LIVE_NO_LINE, .period = 4096, .value = VALUE(5, 50, 1) },
		{ .object = 1, .line = V9_LIVE_NO_LINE, .value = VALUE(7, 7, 0) },
	};
	struct v9_live_class classes[] = { { .what = V9_LIVE_SOURCE, .period = 4096, .value = VALUE(2, 20, 0) } };
	struct v9_live_type types[] = {
		{ .period = 4096, .evicted = VALUE(3, 30, 0) }, { .period = 1024, .evicted = VALUE(2, 20, 0) }, { .period = 0 },
	};
	const struct v9_live_copy s = {
		.sums = of_periods, .nr_sums = 3, .classes = classes, .nr_classes = 1, .types = types, .nr_types = 3,
	};
	const struct v9_top_choice c = { V9_TOP_FUNCTION, V9_TOP_SAMPLES, "" };

	v9_top_group(r, &s, V9_TOP_FUNCTION, place, class, NULL);
	v9_top_order(r, &c);
	tap_eq(r->period, 1024, "shortest_period");
	tap_ok(r->nr == 3 && r->row[0]->value[V9_W_SAMPLES] == 30 && r->row[0]->value[V9_W_LATENCY] == 300 &&
	       r->row[0]->value[V9_W_L1_MISSES] == 5, "samples_of_two_periods");
	tap_ok(!strcmp(r->row[1]->name, "[evicted]") && r->row[1]->value[V9_W_SAMPLES] == 14, "evicted_of_two_periods");
	tap_eq(r->row[2]->value[V9_W_SAMPLES], 7, "samples_of_no_period");
	tap_eq(r->total[V9_W_SAMPLES], 51, "total_of_periods");
	v9_top_group(r, &s, V9_TOP_SOURCE, place, class, NULL);
	tap_eq(r->total[V9_W_SAMPLES], 8, "source_of_a_period");
	tap_eq(r->nr, 0, "rows_without_an_order");
}

static void orders(void)
{
	struct v9_top_rows r;

	v9_top_rows_init(&r);
	tap_ok(!strcmp(order(&r, V9_TOP_FUNCTION, V9_TOP_SAMPLES, ""), "beta,alpha,Alphabet,gamma"), "by_samples");
	tap_eq(r.row[1]->value[V9_W_SAMPLES], 30, "sums_of_a_row");
	tap_eq(r.total[V9_W_SAMPLES], 100, "total");
	tap_eq((int)v9_top_share(&r, r.row[0], V9_TOP_SAMPLES), 60, "share_of_samples");
	tap_ok(!strcmp(order(&r, V9_TOP_FUNCTION, V9_TOP_CYCLES, ""), "gamma,alpha,beta,Alphabet"), "by_latency");
	tap_eq((int)v9_top_share(&r, r.row[0], V9_TOP_CYCLES), 93, "share_of_latency");
	tap_ok(!strcmp(order(&r, V9_TOP_FUNCTION, V9_TOP_AVERAGE, ""), "gamma,alpha,beta,Alphabet"), "by_average");
	tap_eq((int)v9_top_average(r.row[0]), 1000, "average");
	tap_ok(!strcmp(order(&r, V9_TOP_FUNCTION, V9_TOP_L1, ""), "alpha,gamma,beta,Alphabet"), "by_misses");
	tap_ok(!strcmp(order(&r, V9_TOP_FUNCTION, V9_TOP_LLC, ""), "beta,alpha,Alphabet,gamma"), "by_nothing_that_was");
	tap_ok(!v9_top_share(&r, r.row[0], V9_TOP_LLC), "share_of_nothing");
	tap_ok(!strcmp(order(&r, V9_TOP_FUNCTION, V9_TOP_SAMPLES, "aLPHA"), "alpha,Alphabet"), "filter_of_names");
	tap_eq(r.total[V9_W_SAMPLES], 100, "total_without_a_filter");
	tap_ok(!strcmp(order(&r, V9_TOP_FUNCTION, V9_TOP_SAMPLES, "ONE"), "alpha,gamma"), "filter_of_objects");
	tap_ok(!strcmp(order(&r, V9_TOP_FUNCTION, V9_TOP_SAMPLES, "none"), ""), "filter_of_all");
	tap_ok(!strcmp(order(&r, V9_TOP_DATA, V9_TOP_SAMPLES, ""), "alpha,Alphabet,gamma"), "data_has_a_line");
	tap_ok(!strcmp(order(&r, V9_TOP_SOURCE, V9_TOP_SAMPLES, ""), "beta"), "sources");
	tap_ok(!strcmp(order(&r, V9_TOP_LATENCY, V9_TOP_SAMPLES, ""), "alpha,beta,gamma"), "latencies_are_in_order");
	state.types = &(struct v9_live_type){ .evicted = { [V9_W_SAMPLES] = 100 } };
	state.nr_types = 1;
	tap_ok(!strcmp(order(&r, V9_TOP_FUNCTION, V9_TOP_SAMPLES, ""), "[evicted],beta,alpha,Alphabet,gamma"), "evicted");
	tap_eq((int)v9_top_share(&r, r.row[0], V9_TOP_SAMPLES), 50, "share_of_what_was_evicted");
	tap_ok(!strcmp(order(&r, V9_TOP_LATENCY, V9_TOP_SAMPLES, ""), "alpha,beta,gamma"), "nothing_evicted_of_latencies");
	state.nr_types = 0;
	periods(&r);
	v9_top_rows_free(&r);
	tap_eq(v9_top_find(v9_top_by_name, V9_TOP_BYS, "source"), V9_TOP_SOURCE, "name_found");
	tap_eq(v9_top_find(v9_top_by_name, V9_TOP_BYS, "sources"), V9_TOP_BYS, "name_not_found");
}

/* ---- text */

static bool text_is(const struct v9_top_row *row, struct v9_top_choice c, unsigned int width, const char *want)
{
	struct v9_top_rows r = { .total = { [V9_W_SAMPLES] = 1000, [V9_W_LATENCY] = 8000 } };
	char *text = v9_top_line(&r, row, &c, width);
	const bool same = !strcmp(text, want);

	if (!same)
		printf("# |%s|\n# |%s|\n", text, want);
	free(text);
	return same;
}

static void texts(void)
{
	struct v9_top_row row = {
		.object = "libc.so.6", .name = "memcpy", .value = VALUE(500, 4000, 125),
	};
	struct v9_top_choice c = { V9_TOP_FUNCTION, V9_TOP_SAMPLES, "" };

	tap_ok(text_is(&row, c, 80, " 50.00%     500      8.0  25.0%  libc.so.6         memcpy"), "row_of_80_columns");
	tap_ok(text_is(&row, c, 120, " 50.00%     500      8.0  25.0%   0.0%   0.0%   0.0%  libc.so.6                 memcpy"),
	       "wide_row");
	tap_ok(text_is(&row, c, 0, " 50.00%     500      8.0  25.0%   0.0%   0.0%   0.0%  libc.so.6                 memcpy"),
	       "row_of_any_width");
	tap_ok(text_is(&row, c, 20, " 50.00%     500    ~"), "narrow_row");
	c.sort = V9_TOP_LLC;
	tap_ok(text_is(&row, c, 80, "  0.00%     500      8.0   0.0%  libc.so.6         memcpy"), "misses_of_the_order");
	c.sort = V9_TOP_SAMPLES;
	row.object = "a-long-name-of-an-object.so";
	row.name = "std::vector<std::basic_string<char>, std::allocator<std::basic_string<char>>>::push_back";
	tap_ok(text_is(&row, c, 80, " 50.00%     500      8.0  25.0%  a-long-name-of-~  std::vector<std::basic_strin~"),
	       "long_names");
	row.object = "\x1b[2J";
	row.name = "b\xc3\xa4r\xff\x7f";
	tap_ok(text_is(&row, c, 80, " 50.00%     500      8.0  25.0%  ?[2J              b\xc3\xa4r??"), "names_are_cleaned");
	row.name = "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4";
	c.by = V9_TOP_OBJECT;
	tap_ok(text_is(&row, c, 36, " 50.00%     500      8.0  25.0%  \xc3\xa4\xc3\xa4~"), "characters_are_not_bytes");
	row.name = "x";
	row.value[V9_W_SAMPLES] = UINT64_C(123456789012);
	row.value[V9_W_LATENCY] = 0;
	row.value[V9_W_L1_MISSES] = 0;
	c.sort = V9_TOP_CYCLES;
	tap_ok(text_is(&row, c, 80, "  0.00%  123.5G      0.0   0.0%  x"), "many_samples");
	row.value[V9_W_SAMPLES] = 12345678;
	tap_ok(text_is(&row, c, 80, "  0.00%  12346k      0.0   0.0%  x"), "more_than_seven_digits");
}

static size_t characters(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += (*s & 0xc0) != 0x80;
	return n;
}

static void heads(void)
{
	const struct v9_top_choice c = { V9_TOP_FUNCTION, V9_TOP_SAMPLES, "" };
	const struct v9_top_head h = {
		.event = "arm_spe_0//", .target = "all CPUs", .period = 4096, .up = 3723.4, .rate = 12345.6, .cost = 3.21,
	};
	struct v9_top_choice filtered = c;
	struct v9_top_rows r = { .nr = 3 };
	char *line[V9_TOP_HEAD];
	size_t n;

	n = v9_top_head(line, &h, &state, &r, &c, 100);
	tap_eq(n, 3, "nothing_was_lost");
	tap_ok(!strcmp(line[0], "12346 records/s; own cost 3.2% CPU; 1:02:03; arm_spe_0// 1/4096, all CPUs"),
	       "what_is_recorded");
	tap_ok(!strcmp(line[1], "100 records by function; share of samples; 3 rows"), "what_is_shown");
	tap_ok(strstr(line[2], "share") && strstr(line[2], "symbol"), "titles");
	for (size_t i = 0; i < n; i++)
		free(line[i]);

	v9_top_head(line, &(struct v9_top_head){
			.event = "arm_spe_0//", .period = 4096, .up = 61, .rate = 12, .cost = 0.5, .pid = 4711, .recorder = 1.25, .target = "all CPUs",
			.spent = 4200, .budget = 10000 }, &state, &r, &c, 0);
	tap_ok(!strcmp(line[0], "attached to PID 4711 (all CPUs); 12 records/s; cost 1.2% CPU, own 0.5%; 0:01:01; arm_spe_0// 1/4096; "
		       "overhead 0.42%, budget 1.00%"), "head_if_attached");
	for (size_t i = 0; i < n; i++)
		free(line[i]);
	/* Of a long command so much that the rates are still there in 80 columns, and no control characters */
	v9_top_head(line, &(struct v9_top_head){
			.event = "e", .target = "sh -c \x1b 45678901234567890", .rate = 12, .pid = 4711, .stopped = true }, &state, &r, &c,
		    80);
	tap_ok(!strncmp(line[0], "attached to PID 4711 (sh -c ? 456789012345678~), which is paused; 12 records/s; ", 79),
	       "head_of_a_paused_recorder");
	for (size_t i = 0; i < n; i++)
		free(line[i]);
	v9_top_head(line, &(struct v9_top_head){ .pid = 4711, .paused = true, .why = "it has ended" }, &state, &r, &c, 80);
	tap_ok(!strcmp(line[0], "PAUSED; it has ended; waiting for one"), "head_without_a_recorder");
	for (size_t i = 0; i < n; i++)
		free(line[i]);

	state.lost[V9_LOSS_TRUNCATED] = 7;
	state.lost[V9_LOSS_LATE] = 8;
	state.evicted = 9;
	filtered.filter = "mem\x1b";
	n = v9_top_head(line, &h, &state, &r, &filtered, 80);
	tap_eq(n, V9_TOP_HEAD, "something_was_lost");
	tap_ok(!strncmp(line[0], "lost: 7 times trace (buffer full, truncated), 8 bytes of trace", 62), "lost_first");
	tap_ok(strstr(line[2], "evicted 9 sums") && strstr(line[2], "filter mem?"), "evicted_and_filter");
	for (size_t i = 0; i < n; i++) {
		tap_ok(characters(line[i]) <= 80, "head_of_80_columns");
		free(line[i]);
	}
	state.lost[V9_LOSS_TRUNCATED] = state.lost[V9_LOSS_LATE] = state.evicted = 0;
}

/* ---- the copy of live sums */

static struct cap cap;

static void record(uint8_t r[64], uint64_t pc)
{
	pc |= UINT64_C(1) << 63;
	memset(r, 0, 64);
	*r = 0xb0;
	memcpy(r + 1, &pc, 8);
	r[9] = 0x01;			/* End */
}

static void sample(struct v9_live *l, uint64_t at, uint64_t pc, bool map)
{
	uint8_t r[64];

	cap_open(&cap, CAP_SAMPLE);
	if (map) {
		cap_time_conv(&cap, 1000000);
		cap_comm(&cap, 10, 10, "a", 0);
		cap_mmap2(&cap, 10, 0x10000, 0x4000, 0, "/bin/a", NULL);
	}
	record(r, pc);
	cap_aux(&cap, 0, CAP_NONE, at, r, sizeof(r));
	v9_live_read(l, cap.b + cap.data, cap.n - cap.data, true);
}

static void copies(void)
{
	const struct v9_live_setup setup = { .memory = 1 << 20, .classes = true };
	struct v9_live_copy s = { .records = 0 };
	struct v9_live l;

	v9_live_init(&l, &setup);
	sample(&l, 0, 0x10100, true);
	l.profile.aux.truncated = 1;
	l.profile.lost.cpu_away = 2;
	l.profile.lost.paused_ns = 4999999;
	l.profile.late_bytes = 3;
	v9_live_copy_take(&s, &l, 0);
	tap_eq(s.records, 1, "records_of_a_copy");
	tap_eq(s.nr_sums, 1, "sums_of_a_copy");
	tap_eq(s.sums[0].addr, 0x10100, "address_of_a_sum");
	tap_eq(s.nr_classes, 1, "classes_of_a_copy");
	tap_eq(s.lost[V9_LOSS_TRUNCATED], 1, "truncated");
	tap_eq(s.lost[V9_LOSS_CPU_AWAY], 2, "cpu_away");
	tap_eq(s.lost[V9_LOSS_PAUSED], 4, "paused_in_ms");
	tap_eq(s.lost[V9_LOSS_LATE], 3, "late");
	tap_ok(s.nr_objects == 1 && !strcmp(s.objects[0].name, "/bin/a") && s.objects[0].file, "object");

	/* An object that has a sum stays, although it is no longer mapped; one without goes. */
	for (size_t i = 0; i < l.profile.sums.used; i++)
		((struct v9_live_sum *)v9_bins_get(&l.profile.sums, i))->object = V9_LIVE_KERNEL + 1;
	v9_live_exit(&l.places, 2000000, 10, 10);
	v9_live_forget(&l.places);
	v9_live_forget(&l.places);
	v9_live_object(&l.places, "/bin/gone", NULL, 0);
	v9_live_copy_take(&s, &l, 0);
	tap_ok(s.nr_objects == 2 && s.objects[0].name && !s.objects[1].name, "objects_of_sums_stay");
	v9_live_next(&l);
	v9_live_copy_take(&s, &l, 0);
	tap_ok(!s.records && !s.nr_sums && !s.nr_classes && !s.lost[V9_LOSS_TRUNCATED] && !s.objects[0].name, "zero");
	v9_live_copy_free(&s);
	v9_live_free(&l);
}

/* Mappings of the kernel are copied: the names of its functions come from them. */
static void kernel_copies(void)
{
	const struct v9_live_setup setup = { .memory = 1 << 20 };
	struct v9_live_copy s = { .records = 0 };
	struct v9_live l;

	v9_live_init(&l, &setup);
	v9_live_copy_take(&s, &l, 0);
	tap_eq(s.nr_kernel, 0, "no_mapping_of_the_kernel");
	cap_open(&cap, CAP_SAMPLE);
	cap_time_conv(&cap, 1000000);
	cap_kernel(&cap, 0xffff800080000000, 0x1000000);
	cap_kernel(&cap, 0xffff800090000000, 0x2000000);
	v9_live_read(&l, cap.b + cap.data, cap.n - cap.data, true);
	v9_live_copy_take(&s, &l, 0);
	tap_ok(s.nr_kernel == 2 && s.kernel[0].start == 0xffff800080000000 &&
	       s.kernel[0].end == 0xffff800081000000 && s.kernel[0].to == UINT64_MAX, "mapping_of_the_kernel");
	tap_ok(s.kernel[1].start == 0xffff800090000000 && s.kernel[1].end == 0xffff800092000000 &&
	       s.kernel[1].to == UINT64_MAX, "all_mappings_of_the_kernel");
	v9_live_copy_free(&s);
	v9_live_free(&l);
}

/* ---- names */

static int variable[64] __attribute__((aligned(64))) = { 1 };
/* So large that the memory behind the file's mapping has it, too */
static char zeros[1 << 16] __attribute__((aligned(64)));

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		exit(1);
}

static bool is(struct v9_top_names *n, const struct v9_live_sum *s, const char *object, const char *name)
{
	struct v9_top_place p;

	v9_top_place_of(n, s, &p);
	if (strcmp(p.object, object) || strcmp(p.name, name))
		printf("# %s %s\n", p.object, p.name);
	return !strcmp(p.object, object) && !strcmp(p.name, name);
}

static void data_names(void)
{
	char dir[] = "/tmp/top.XXXXXX", *path, comm[64], own[80];
	struct v9_live_copy none = { .records = 0 };
	struct v9_live_sum s = { .pid = 10, .line = 0x7000040 };
	struct v9_top_names n;
	FILE *f;

	if (!mkdtemp(dir))
		exit(1);
	path = v9_format("%s/10", dir);
	mkdir(path, 0700);
	free(path);
	path = v9_format("%s/10/maps", dir);
	write_file(path, "07000000-07001000 rw-p 00000000 00:00 0      [heap]\n"
			 "08000000-08001000 rw-p 00000000 00:00 0 \n"
			 "a line of another form\n"
			 "09000000-09001000 rw-s 00000000 fe:01 77 /no/such/file with a space\n");
	free(path);
	path = v9_format("%s/10/comm", dir);
	write_file(path, "server\n");
	free(path);
	v9_top_names_init(&n, dir, NULL);
	v9_top_names_begin(&n, &none, V9_TOP_DATA);
	tap_ok(is(&n, &s, "server-10", "[heap]"), "heap");
	s.line = 0x8000000;
	tap_ok(is(&n, &s, "server-10", "[anon]"), "memory_without_a_name");
	s.line = 0x9000000;
	tap_ok(is(&n, &s, "server-10", "/no/such/file with a space"), "mapping_of_a_file");
	s.line = 0xa000000;
	tap_ok(is(&n, &s, "server-10", "[unknown]"), "not_mapped");
	s.pid = 11;
	tap_ok(is(&n, &s, "[ended]-11", "[unknown]"), "process_that_has_ended");
	s.pid = V9_NO_TASK;
	tap_ok(is(&n, &s, "[unknown]", "[unknown]"), "process_that_is_not_known");
	v9_top_names_free(&n);
	path = v9_format("rm -r %s", dir);
	if (system(path))
		exit(1);
	free(path);

	/* a variable of this program */
	f = fopen("/proc/self/comm", "r");
	if (!f || !fgets(comm, sizeof(comm), f))
		exit(1);
	fclose(f);
	snprintf(own, sizeof(own), "%.*s-%d", (int)strcspn(comm, "\n"), comm, (int)getpid());
	v9_top_names_init(&n, "/proc", NULL);
	v9_top_names_begin(&n, &none, V9_TOP_DATA);
	s = (struct v9_live_sum){ .pid = (uint64_t)getpid(), .line = (uintptr_t)variable };
	tap_ok(is(&n, &s, own, "variable"), "variable");
	s.line = ((uintptr_t)zeros + sizeof(zeros) / 2) & -(uintptr_t)V9_LIVE_LINE;
	tap_ok(is(&n, &s, own, "zeros"), "variable_of_zeros");
	v9_top_names_free(&n);
}

static void code_names(void)
{
	char name[] = "/proc/self/exe", *path = realpath(name, NULL);
	struct v9_live_object objects[] = { { .name = path, .file = true }, { .name = name + 6 } };
	struct v9_live_copy s = { .objects = objects, .nr_objects = 2 };
	struct v9_live_sum sum = { .object = V9_LIVE_UNKNOWN, .addr = 0x1234 };
	struct v9_top_place a, b;
	struct v9_top_names n;

	v9_top_names_init(&n, "/proc", NULL);
	v9_top_names_begin(&n, &s, V9_TOP_FUNCTION);
	tap_ok(is(&n, &sum, "[unknown]", "[unknown]"), "no_object");
	sum.object = V9_LIVE_KERNEL + 2;
	tap_ok(is(&n, &sum, "self/exe", "[unknown]"), "memory_without_a_file");
	sum.object = 1000;
	tap_ok(is(&n, &sum, "[unknown]", "[unknown]"), "object_that_is_not_there");
	/* The offset in the file of a function of this program is its distance to the first mapping. */
	sum.object = V9_LIVE_KERNEL + 1;
	sum.addr = UINT64_MAX;
	tap_ok(is(&n, &sum, "top_rows", "[unknown]"), "not_in_a_function");
	v9_top_place_of(&n, &sum, &a);
	v9_top_names_begin(&n, &s, V9_TOP_OBJECT);
	tap_ok(is(&n, &sum, "top_rows", path), "by_object");
	v9_top_place_of(&n, &sum, &b);
	tap_ok(a.key[0] == b.key[0] && !b.key[1], "key_of_an_object");
	v9_top_names_free(&n);
	free(path);
}

static void class_names(void)
{
	struct v9_live_copy none = { .records = 0 };
	struct v9_live_class c = { .what = V9_LIVE_LATENCY, .of = 5 };
	struct v9_top_place p, q;
	struct v9_top_names n;

	v9_top_names_init(&n, "/proc", NULL);
	v9_top_names_begin(&n, &none, V9_TOP_LATENCY);
	v9_top_class_of(&n, &c, &p);
	tap_ok(!strcmp(p.name, "16 to 31"), "range_of_latencies");
	c.of = 0;
	v9_top_class_of(&n, &c, &p);
	tap_ok(!strcmp(p.name, "0"), "no_latency");
	c.of = V9_LIVE_NONE;
	v9_top_class_of(&n, &c, &p);
	tap_ok(!strcmp(p.name, "[none]"), "record_without_a_latency");
	/* Neoverse N1 and V1 have the same sources: TRM of V1, 0xe is DRAM */
	c = (struct v9_live_class){ .what = V9_LIVE_SOURCE, .midr = 0x410fd0c1, .of = 0xe };
	v9_top_class_of(&n, &c, &p);
	c.midr = 0x410fd401;
	v9_top_class_of(&n, &c, &q);
	tap_ok(!strstr(p.name, "MIDR") && p.name == q.name && p.key[0] == q.key[0] && p.key[1] == q.key[1],
	       "source_of_two_types");
	c.midr = 0x12345;
	v9_top_class_of(&n, &c, &q);
	tap_ok(strstr(q.name, "0xe of MIDR 0x12345") && p.key[0] != q.key[0], "source_of_an_unknown_type");
	v9_top_names_free(&n);
}

int main(void)
{
	orders();
	texts();
	heads();
	copies();
	kernel_copies();
	data_names();
	code_names();
	class_names();
	return tap_done();
}
