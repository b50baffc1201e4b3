// SPDX-License-Identifier: GPL-2.0-only
/* Filters: their arguments, with typed lists and ranges, and which records fit. */
#include <string.h>

#include "tap.h"

#include "../../tools/report/filter.h"

static struct v9_session session = { .first_time = 1000000, .last_time = 3000000 };

static bool takes(enum v9_filter_key key, const char *arg)
{
	struct v9_record_filter f = { 0 };
	const bool good = v9_filter_take(&f, key, arg);

	v9_filter_free(&f);
	return good;
}

static bool task_fits(enum v9_filter_key key, const char *arg, const struct v9_sampled *s)
{
	struct v9_record_filter f = { 0 };
	bool fits;

	if (!v9_filter_take(&f, key, arg))
		return false;
	v9_filter_open(&f, &session);
	fits = v9_filter_task(&f, s);
	v9_filter_free(&f);
	return fits;
}

static bool cpu_fits(const char *arg, uint32_t cpu)
{
	return task_fits(V9_BY_CPU, arg, &(struct v9_sampled){ .cpu = cpu });
}

static bool time_fits(const char *arg, uint64_t time)
{
	return task_fits(V9_BY_TIME, arg, &(struct v9_sampled){ .time = time, .has_time = true });
}

static void arguments(void)
{
	static const struct { enum v9_filter_key key; const char *arg; bool good; } rows[] = {
		{ V9_BY_CPU, "0", true }, { V9_BY_CPU, "1,3-5", true },
		{ V9_BY_CPU, "5-3", false }, { V9_BY_CPU, "", false },
		{ V9_BY_CPU, "1,", false }, { V9_BY_CPU, "x", false },
		{ V9_BY_CPU, "-1", false }, { V9_BY_CPU, "1-", false },
		{ V9_BY_CPU, "1 2", false }, { V9_BY_CPU, "4294967294", true },
		{ V9_BY_CPU, "4294967295", false }, { V9_BY_EL, "0,1", true },
		{ V9_BY_EL, "4", false }, { V9_BY_COMM, "a,b", true },
		{ V9_BY_COMM, "a,", false }, { V9_BY_COMM, ",a", false },
		{ V9_BY_TIME, "1.5,2", true }, { V9_BY_TIME, ",2", true },
		{ V9_BY_TIME, "1,", true }, { V9_BY_TIME, "2,1", false },
		{ V9_BY_TIME, "1", false }, { V9_BY_TIME, "1,2,3", false },
		{ V9_BY_TIME, "10%-20%", true }, { V9_BY_TIME, "10.5%-20%,30%-40%", true },
		{ V9_BY_TIME, "20%-10%", false }, { V9_BY_TIME, "10%-101%", false },
		{ V9_BY_TIME, "10%", false }, { V9_BY_TIME, "10%-20%,", false },
		{ V9_BY_EVENT, "l1d_refill,mispredicted", true },
		{ V9_BY_EVENT, "nonsense", false }, { V9_BY_LATENCY, "100", true },
		{ V9_BY_LATENCY, "1-2", false }, { V9_BY_LATENCY, "", false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!tap_ok(takes(rows[i].key, rows[i].arg) == rows[i].good, "argument"))
			tap_note("%s", rows[i].arg);
}

static void tasks(void)
{
	const struct v9_sampled s = { .comm = "work", .pid = 10, .tid = 11, .cpu = 2 };

	tap_ok(!cpu_fits("1,3-5", 0) && cpu_fits("1,3-5", 1) && !cpu_fits("1,3-5", 2) &&
	       cpu_fits("1,3-5", 3) && cpu_fits("1,3-5", 5) && !cpu_fits("1,3-5", 6), "cpu_list");
	tap_ok(!cpu_fits("0-4294967294", V9_NO_TASK), "cpu_unknown");
	tap_ok(task_fits(V9_BY_COMM, "x,work", &s) && !task_fits(V9_BY_COMM, "wor,x", &s), "comm");
	tap_ok(task_fits(V9_BY_PID, "10", &s) && !task_fits(V9_BY_PID, "11", &s), "pid");
	tap_ok(task_fits(V9_BY_TID, "11", &s) && !task_fits(V9_BY_TID, "10", &s), "tid");
	tap_ok(!task_fits(V9_BY_COMM, "x", &(struct v9_sampled){ .comm = NULL }), "comm_unknown");
}

static void times(void)
{
	tap_ok(!time_fits("0.001,0.002", 999999) && time_fits("0.001,0.002", 1000000) &&
	       time_fits("0.001,0.002", 1999999) && !time_fits("0.001,0.002", 2000000), "seconds");
	tap_ok(time_fits("0.001,", UINT64_MAX) && time_fits(",0.001", 0), "seconds_open");
	/* 1 ms to 3 ms: 10 % is at 1.2 ms, 20 % at 1.4 ms */
	tap_ok(!time_fits("10%-20%", 1199999) && time_fits("10%-20%", 1200000) &&
	       time_fits("10%-20%", 1399999) && !time_fits("10%-20%", 1400000), "percent");
	tap_ok(time_fits("0%-10%,90%-100%", 1000000) && !time_fits("0%-10%,90%-100%", 2000000) &&
	       time_fits("0%-10%,90%-100%", 3000000), "percent_list");
	tap_ok(time_fits("12.5%-100%", 1250000) && !time_fits("12.5%-100%", 1249999),
	       "percent_fraction");
	tap_ok(!task_fits(V9_BY_TIME, "0,", &(struct v9_sampled){ .has_time = false }),
	       "time_unknown");
}

static void records(void)
{
	static const struct { enum v9_filter_key key; const char *arg; bool fits; } rows[] = {
		{ V9_BY_LATENCY, "100", true }, { V9_BY_LATENCY, "101", false },
		{ V9_BY_EVENT, "retired,l1d_refill", true }, { V9_BY_EVENT, "l1d_refill", false },
		{ V9_BY_EL, "1-2", true }, { V9_BY_EL, "0", false },
		{ V9_BY_OP, "store", true }, { V9_BY_OP, "load,branch", false },
	};
	struct v9_spe_rec rec = {
		.has = V9_SPE_REC_PC | V9_SPE_REC_OP | V9_SPE_REC_EVENTS | V9_SPE_REC_LAT_TOTAL,
		.pc.el = 1, .events = 1 << 1, .op_class = 1, .op = 1,
	};
	const struct v9_sampled at = { .rec = &rec };

	rec.lat[V9_SPE_LAT_TOTAL] = 100;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct v9_record_filter f = { 0 };

		v9_filter_take(&f, rows[i].key, rows[i].arg);
		if (!tap_ok(v9_filter_record(&f, &session, NULL, &at) == rows[i].fits, "record"))
			tap_note("%s", rows[i].arg);
		if (rows[i].key == V9_BY_LATENCY && !rows[i].fits)
			tap_eq(f.most, 100, "largest_latency");
		v9_filter_free(&f);
	}
	rec.has = 0;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct v9_record_filter f = { 0 };

		v9_filter_take(&f, rows[i].key, rows[i].arg);
		tap_ok(!v9_filter_record(&f, &session, NULL, &at), "record_without_packets");
		v9_filter_free(&f);
	}
}

static void places(void)
{
	const struct v9_func func = { .name = "main" };
	const struct v9_place p = { .func = &func, .dso_name = "/usr/bin/work" };
	struct v9_record_filter f = { 0 };

	v9_filter_take(&f, V9_BY_SYMBOL, "other,main");
	tap_ok(v9_filter_place(&f, 0, &p), "symbol");
	v9_filter_take(&f, V9_BY_DSO, "libc.so.6,work");
	tap_ok(v9_filter_place(&f, 0, &p), "dso_by_its_last_part");
	v9_filter_take(&f, V9_BY_EL, "1");
	tap_ok(v9_filter_place(&f, 1, &p) && !v9_filter_place(&f, 0, &p), "all_must_fit");
	v9_filter_free(&f);
	v9_filter_take(&f, V9_BY_DSO, "/usr/bin/work");
	tap_ok(v9_filter_place(&f, 0, &p), "dso_by_its_path");
	v9_filter_free(&f);
	v9_filter_take(&f, V9_BY_SYMBOL, "mai");
	tap_ok(!v9_filter_place(&f, 0, &p), "another_symbol");
	tap_ok(!v9_filter_place(&f, 0, &(struct v9_place){ .dso_name = "work" }), "no_symbol");
	v9_filter_free(&f);
}

int main(void)
{
	arguments();
	tasks();
	times();
	records();
	places();
	return tap_done();
}
