// SPDX-License-Identifier: GPL-2.0-only
/*
 * The argument of -e of v9trace record: its syntax, the fields of the PMU, and the resulting
 * perf_event_attr. A temporary directory takes the place of sysfs.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/stat.h>

#include "messages.h"
#include "tap.h"
#include "v9trace/base.h"

#include "../../tools/collect/event.c"
#include "../../tools/util.c"
#include "../../tools/collect/aux.c"
#include "../../tools/collect/pmu.c"
#include "../../tools/collect/spec.c"

static void test_text(void)
{
	static const struct {
		const char *name, *text;
		int ret;		/* of the last event */
		int events;
		enum v9_ev_kind kind;	/* of the last event, as the rest */
		const char *ev, *tracepoint;
		int terms;
		unsigned int mods;
	} rows[] = {
		{ "pmu", "arm_spe_0//", 0, 1, V9_EV_PMU, "arm_spe_0", "", 0, 0 },
		{ "pmu_user", "arm_spe_0//u", 0, 1, V9_EV_PMU, "arm_spe_0", "", 0, V9_EV_USER },
		{ "pmu_colon", "p/a/:uk", 0, 1, V9_EV_PMU, "p", "", 1, V9_EV_USER | V9_EV_KERNEL },
		{ "pmu_terms", "p/a,b=2,c=0x10/h", 0, 1, V9_EV_PMU, "p", "", 3, V9_EV_HV },
		{ "two", "p/a,b/,q/c/", 0, 2, V9_EV_PMU, "q", "", 1, 0 },
		{ "named", "cpu-clock", 0, 1, V9_EV_NAMED, "cpu-clock", "", 0, 0 },
		{ "named_mods", "cpu-clock:k", 0, 1, V9_EV_NAMED, "cpu-clock", "", 0, V9_EV_KERNEL },
		{ "tracepoint", "sched:sched_switch", 0, 1, V9_EV_TRACEPOINT, "sched",
		  "sched_switch", 0, 0 },
		{ "tracepoint_mods", "a:b:u", 0, 1, V9_EV_TRACEPOINT, "a", "b", 0, V9_EV_USER },
		{ "mixed", "a:b,p/x=1/u,cs", 0, 3, V9_EV_NAMED, "cs", "", 0, 0 },
		{ "empty", "", 0, 0, 0, NULL, NULL, 0, 0 },
		{ "no_close", "p/a", -EINVAL, 0, 0, NULL, NULL, 0, 0 },
		{ "no_pmu", "/a/", -EINVAL, 0, 0, NULL, NULL, 0, 0 },
		{ "bad_mod", "p//x", -EINVAL, 0, 0, NULL, NULL, 0, 0 },
		{ "bad_value", "p/a=x/", -EINVAL, 0, 0, NULL, NULL, 0, 0 },
		{ "no_value", "p/a=/", -EINVAL, 0, 0, NULL, NULL, 0, 0 },
		{ "negative", "p/a=-1/", -EINVAL, 0, 0, NULL, NULL, 0, 0 },
		{ "huge", "p/a=0x10000000000000000/", -EINVAL, 0, 0, NULL, NULL, 0, 0 },
		{ "no_term", "p/,a/", -EINVAL, 0, 0, NULL, NULL, 0, 0 },
		{ "last_comma", "a,", -EINVAL, 0, 0, NULL, NULL, 0, 0 },
		{ "first_comma", ",a", -EINVAL, 0, 0, NULL, NULL, 0, 0 },
		{ "no_tracepoint", "a:", -EINVAL, 0, 0, NULL, NULL, 0, 0 },
		{ "bad_tracepoint_mod", "a:b:x", -EINVAL, 0, 0, NULL, NULL, 0, 0 },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		const char *cursor = rows[i].text, *why = NULL;
		struct v9_ev ev, last;
		int ret, n = 0;

		memset(&last, 0xcd, sizeof(last));
		memset(&ev, 0xcd, sizeof(ev));
		while ((ret = v9_ev_next(&cursor, &ev, &why)) == 1) {
			last = ev;
			n++;
		}
		if (rows[i].ret) {
			tap_ok(ret == rows[i].ret && why, "text_%s", rows[i].name);
			continue;
		}
		tap_ok(!ret && n == rows[i].events && !*cursor &&
		       (!n || (last.kind == rows[i].kind && !strcmp(last.name, rows[i].ev) &&
			       !strcmp(last.tracepoint, rows[i].tracepoint) &&
			       last.terms == rows[i].terms && last.mods == rows[i].mods)),
		       "text_%s", rows[i].name);
	}
}

static void test_limits(void)
{
	char text[4096], *at = text;
	const char *cursor, *why = NULL;
	struct v9_ev ev;

	at += sprintf(at, "p/");
	for (int i = 0; i < V9_EV_TERMS; i++)
		at += sprintf(at, "%sa%d=%d", i ? "," : "", i, i);
	strcpy(at, "/");
	cursor = text;
	tap_ok(v9_ev_next(&cursor, &ev, &why) == 1 && ev.terms == V9_EV_TERMS &&
	       ev.term[V9_EV_TERMS - 1].value == V9_EV_TERMS - 1, "terms_all");
	strcpy(at, ",more/");
	cursor = text;
	tap_ok(v9_ev_next(&cursor, &ev, &why) == -EINVAL, "terms_one_too_many");
	memset(text, 'x', V9_EV_NAME);
	text[V9_EV_NAME] = '\0';
	cursor = text;
	tap_ok(v9_ev_next(&cursor, &ev, &why) == -EINVAL, "name_too_long");
	cursor = text + 1;
	tap_ok(v9_ev_next(&cursor, &ev, &why) == 1, "name_longest");
}

static void test_fields(void)
{
	static const struct {
		const char *name, *text;
		int ret, word;
		uint64_t mask;
	} rows[] = {
		{ "bit", "config:0", 0, 0, 1 },
		{ "range", "config2:0-11\n", 0, 2, 0xfff },
		{ "whole", "config1:0-63", 0, 1, ~UINT64_C(0) },
		{ "split", "config:0-3,32,60-61", 0, 0, UINT64_C(0x300000010000000f) },
		{ "top", "config4:63", 0, 4, UINT64_C(1) << 63 },
		{ "no_colon", "config", -EINVAL, 0, 0 },
		{ "no_bit", "config:", -EINVAL, 0, 0 },
		{ "wide", "config:0-64", -EINVAL, 0, 0 },
		{ "backwards", "config:4-3", -EINVAL, 0, 0 },
		{ "word5", "config5:0", -EINVAL, 0, 0 },
		{ "rubbish", "config:0x", -EINVAL, 0, 0 },
		{ "other", "bus:0-3", -EINVAL, 0, 0 },
		{ "sign", "config:-1", -EINVAL, 0, 0 },
	};
	struct v9_ev_field f;
	uint64_t word[V9_EV_WORDS] = { 0 };

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		int ret = v9_ev_field_parse(rows[i].text, &f);

		tap_ok(ret == rows[i].ret && (ret || (f.word == rows[i].word &&
						      f.mask == rows[i].mask)),
		       "field_%s", rows[i].name);
	}
	v9_ev_field_parse("config:0-3,32,60-61", &f);
	tap_eq(v9_ev_field_max(&f), 0x7f, "field_max");
	tap_eq(v9_ev_field_put(&f, 0x5a, word), 0, "field_put");
	/* 0x5a = 1011010b: 1010 to bits 3..0, 1 to 32, 10 to 61..60 */
	tap_eq(word[0], UINT64_C(0x200000010000000a), "field_scattered");
	tap_ok(v9_ev_field_put(&f, 0x80, word) == -ERANGE &&
	       word[0] == UINT64_C(0x200000010000000a), "field_too_large");
	v9_ev_field_put(&f, 0, word);
	tap_eq(word[0], 0, "field_cleared");
}

static void test_sizes(void)
{
	static const struct {
		const char *text;
		int ret;
		uint64_t bytes;
	} rows[] = {
		{ "16", 0, 65536 }, { "64K", 0, 65536 }, { "1m", 0, 1 << 20 },
		{ "2G", 0, UINT64_C(2) << 30 }, { "0", -EINVAL, 0 }, { "", -EINVAL, 0 },
		{ "1Q", -EINVAL, 0 }, { "1KB", -EINVAL, 0 }, { "-1", -EINVAL, 0 },
		{ "99999999999G", -EINVAL, 0 }, { "0000000000000000000000000000007", 0, 7 * 4096 },	/* 31 digits */
		{ "00000000000000000000000000000007", -EINVAL, 0 },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		uint64_t bytes = 0;
		int ret = v9_ev_size(rows[i].text, strlen(rows[i].text), 4096, &bytes);

		tap_ok(ret == rows[i].ret && (ret || bytes == rows[i].bytes), "size_%zu", i);
	}
}

static void test_cpu_lists(void)
{
	static const struct {
		const char *text;
		int ret;
		unsigned long bad;
	} rows[] = {
		{ "0", 0, 99 }, { "0-7", 0, 99 }, { "0,2-3,7", 0, 99 }, { "8", -ERANGE, 8 }, { "0-8", -ERANGE, 8 },
		{ "1,7-9,20", -ERANGE, 9 }, { "", -EINVAL, 99 }, { "a", -EINVAL, 99 }, { "1-", -EINVAL, 99 },
		{ "3-1", -EINVAL, 99 }, { "1,", -EINVAL, 99 }, { "1 2", -EINVAL, 99 }, { "-1", -EINVAL, 99 },
		{ "1--2", -EINVAL, 99 }, { "2-2", 0, 99 },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		unsigned long bad = 99;

		tap_ok(v9_ev_cpu_list(rows[i].text, 7, &bad) == rows[i].ret, "cpus_%zu", i);
		tap_eq(bad, rows[i].bad, "bad_cpu_%zu", i);
	}
}

static char dir[] = "/tmp/record_spec.XXXXXX";

static void put(const char *path, const char *text)
{
	char *full = v9_format("%s/%s", dir, path), *slash;
	FILE *f;

	for (slash = full + strlen(dir) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(full, 0777);
		*slash = '/';
	}
	f = fopen(full, "w");
	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
	free(full);
}

static void make_sysfs(void)
{
	static const char * const files[][2] = {
		{ "arm_spe_0/type", "11\n" },
		{ "arm_spe_0/cpumask", "0-1\n" },
		{ "arm_spe_0/caps/min_interval", "1024\n" },
		{ "arm_spe_0/format/ts_enable", "config:0\n" },
		{ "arm_spe_0/format/pa_enable", "config:1\n" },
		{ "arm_spe_0/format/jitter", "config:16\n" },
		{ "arm_spe_0/format/load_filter", "config:33\n" },
		{ "arm_spe_0/format/event_filter", "config1:0-63\n" },
		{ "arm_spe_0/format/min_latency", "config2:0-11\n" },
		{ "arm_spe_0/format/inv_event_filter", "config3:0-63\n" },
		{ "arm_spe_0/format/inv_data_src_filter", "config4:0-63\n" },
		{ "arm_spe_0/format/odd", "something:else\n" },
		{ "core/type", "8\n" },
		{ "core/format/event", "config:0-15\n" },
		{ "core/format/long", "config1:0\n" },
		{ "core/events/cycles", "event=0x11,long\n" },
	};

	if (!mkdtemp(dir))
		abort();
	for (size_t i = 0; i < V9_ARRAY_SIZE(files); i++)
		put(files[i][0], files[i][1]);
	v9_pmu_root = dir;
	v9_cpu_root = dir;
}

static void test_midrs(void)
{
	struct pd_register r[3] = { 0 };
	struct v9_blob b = { 0 };

	put("cpu0/regs/identification/midr_el1", "0x00000000410fd8e0\n");
	put("cpu2/regs/identification/midr_el1", "0x00000000411fd852\n");
	v9_aux_midrs(&b, 3);
	if (tap_eq(b.len, 2 * sizeof(*r), "midrs_that_are_known"))
		memcpy(r, b.data, b.len);
	tap_eq(r[0].value & r[0].mask, 0x410fd8e0, "midr_of_the_first_cpu");
	tap_eq(r[1].value & r[1].mask, 0x411fd852, "midr_of_another_cpu");
	tap_eq(r[1].cpu, 2, "midr_has_its_cpu");
	tap_eq(r[1].encoding, 0x180000, "midr_is_s3_0_c0_c0_0");	/* DDI0487, MIDR_EL1: op0 3, else 0 */
	v9_blob_free(&b);
}

/* Returns the attribute of the single event in @text; size 0 if it is refused. */
static union v9_attr attr_of(const char *text, int *ret)
{
	union v9_attr attr = { 0 };
	struct v9_event_spec *ev = NULL;
	int n = 0;

	*ret = v9_spec_add(text, &ev, &n);
	if (!*ret && n == 1)
		attr = ev[0].attr;
	for (int i = 0; i < n; i++) {
		free(ev[i].label);
		free(ev[i].cpumask);
		free(ev[i].system);
		free(ev[i].tracepoint);
	}
	free(ev);
	return attr;
}

static void test_attr(void)
{
	static const struct {
		const char *name, *text;
		int ret;
		uint64_t config, config1, config2, config3, config4, period;
		uint32_t size;
	} rows[] = {
		/* perf's decoder needs timestamps; the user can disable them */
		{ "default", "arm_spe_0//", 0, 1, 0, 0, 0, 0, 1024, 128 },
		{ "no_time", "arm_spe_0/ts_enable=0/", 0, 0, 0, 0, 0, 0, 1024, 128 },
		{ "several", "arm_spe_0/pa_enable,load_filter=1,min_latency=10/", 0,
		  UINT64_C(0x200000003), 0, 10, 0, 0, 1024, 128 },
		{ "filter", "arm_spe_0/event_filter=0xffffffffffffffff/", 0, 1, ~UINT64_C(0), 0, 0,
		  0, 1024, 128 },
		{ "period", "arm_spe_0/period=5000,jitter=1/", 0, 0x10001, 0, 0, 0, 0, 5000, 128 },
		/* each longer attribute only when it is needed */
		{ "config3", "arm_spe_0/inv_event_filter=2/", 0, 1, 0, 0, 2, 0, 1024, 136 },
		{ "config4", "arm_spe_0/inv_data_src_filter=3/", 0, 1, 0, 0, 0, 3, 1024, 144 },
		{ "raw", "arm_spe_0/config=0x30,config2=7/", 0, 0x30, 0, 7, 0, 0, 1024, 128 },
		{ "alias", "core/cycles/", 0, 0x11, 1, 0, 0, 0, 0, 128 },
		{ "too_large", "arm_spe_0/min_latency=4096/", -ERANGE, 0, 0, 0, 0, 0, 0, 0 },
		{ "no_option", "arm_spe_0/nope=1/", -EINVAL, 0, 0, 0, 0, 0, 0, 0 },
		{ "odd_format", "arm_spe_0/odd/", -EINVAL, 0, 0, 0, 0, 0, 0, 0 },
		{ "period_alone", "arm_spe_0/period/", -EINVAL, 0, 0, 0, 0, 0, 0, 0 },
		{ "no_pmu", "arm_spe_1//", -ENODEV, 0, 0, 0, 0, 0, 0, 0 },
		{ "no_name", "nothing", -ENOENT, 0, 0, 0, 0, 0, 0, 0 },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		int ret;
		union v9_attr a = attr_of(rows[i].text, &ret);

		tap_ok(ret == rows[i].ret &&
		       (ret || (a.a.config == rows[i].config && a.a.config1 == rows[i].config1 &&
				a.a.config2 == rows[i].config2 &&
				a.word[V9_ATTR_CONFIG3] == rows[i].config3 &&
				a.word[V9_ATTR_CONFIG4] == rows[i].config4 &&
				a.a.sample_period == rows[i].period && a.a.size == rows[i].size)),
		       "attr_%s", rows[i].name);
	}
}

static void test_sides(void)
{
	static const struct {
		const char *name, *text;
		bool user, kernel, hv, any;
	} rows[] = {
		{ "both", "cpu-clock", true, true, true, true },
		{ "user", "cpu-clock:u", true, false, false, false },
		{ "kernel", "cpu-clock:k", false, true, false, false },
		{ "user_kernel", "arm_spe_0//uk", true, true, false, false },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		struct v9_event_spec *ev = NULL;
		int n = 0;

		tap_ok(!v9_spec_add(rows[i].text, &ev, &n) && n == 1 &&
		       !ev->attr.a.exclude_user == rows[i].user &&
		       !ev->attr.a.exclude_kernel == rows[i].kernel &&
		       !ev->attr.a.exclude_hv == rows[i].hv && ev->any_side == rows[i].any,
		       "side_%s", rows[i].name);
		free(ev->label);
		free(ev->cpumask);
		free(ev);
	}
}

/* -c applies to the trace; without one, to all events. */
static void test_period(void)
{
	static const struct {
		const char *name, *text;
		uint64_t first, second;
	} rows[] = {
		{ "trace", "arm_spe_0//,page-faults", 500, 1 },
		{ "both", "page-faults,core/cycles/", 500, 500 },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		struct v9_event_spec *ev = NULL;
		int n = 0;

		v9_spec_add(rows[i].text, &ev, &n);
		v9_spec_add_tracking(&ev, &n);
		v9_spec_period(ev, n, 500);
		tap_ok(n == 3 && ev[0].attr.a.sample_period == rows[i].first &&
		       ev[1].attr.a.sample_period == rows[i].second &&
		       ev[2].attr.a.sample_period == 1, "period_%s", rows[i].name);
		for (int j = 0; j < n; j++) {
			free(ev[j].label);
			free(ev[j].cpumask);
		}
		free(ev);
	}
}

/* KSYMBOL and BPF_EVENT records are requested only if an event includes the kernel. */
static void test_generated_code(void)
{
	static const struct { const char *name, *text; bool kernel; } rows[] = {
		{ "user", "arm_spe_0//u,page-faults:u", false }, { "kernel", "arm_spe_0//", true },
		{ "one_of_two", "arm_spe_0//u,page-faults", true },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		struct v9_event_spec *ev = NULL;
		int n = 0;

		v9_spec_add(rows[i].text, &ev, &n);
		v9_spec_add_tracking(&ev, &n);
		tap_ok(ev[n - 1].attr.a.ksymbol == rows[i].kernel &&
		       ev[n - 1].attr.a.bpf_event == rows[i].kernel && ev[n - 1].attr.a.exclude_kernel,
		       "generated_code_%s", rows[i].name);
		for (int j = 0; j < n; j++) {
			free(ev[j].label);
			free(ev[j].cpumask);
		}
		free(ev);
	}
}

static void test_aux_kinds(void)
{
	tap_ok(v9_aux_find("arm_spe_0") && v9_aux_find("arm_spe_12"), "kind_spe");
	tap_ok(v9_aux_find("cs_etm") && !v9_aux_find("cs_etm0") && !v9_aux_find("cs_et"), "kind_etm");
	tap_ok(!v9_aux_find("arm_spe_") && !v9_aux_find("arm_spe_x") && !v9_aux_find("arm_spe_0x") &&
	       !v9_aux_find("arm_spe") && !v9_aux_find("core"), "kind_none");
}

/* Whether the trace beside SPE counts cycles, option 12 of this PMU and bit 4 of TRCCONFIGR */
static void test_cycle_counts(void)
{
	static const struct { const char *text, *name; bool counts; } rows[] = {
		{ "arm_spe_0//,cs_etm//u", "usual", true }, { "arm_spe_0//,cs_etm/timestamp/", "with_another_option", true },
		{ "arm_spe_0//,cs_etm/cycacc=0/", "not_wanted", false },
		{ "arm_spe_0//,cs_etm/configid=3/", "no_whole_word", true },
		{ "arm_spe_0//,cs_etm/config1=1/", "another_word", false },
		{ "arm_spe_0//,cs_etm/config=0x10000000/", "whole_word", false }, { "arm_spe_0//,core/cycles/", "no_trace", false },
	};

	put("cs_etm/type", "12\n");
	put("cs_etm/format/cycacc", "config:12\n");
	put("cs_etm/format/configid", "config2:32-63\n");
	put("cs_etm/format/timestamp", "config:28\n");
	for (int unit = 1; unit >= 0; unit--) {
		put("cs_etm/cpu0/trcidr/trcidr0", unit ? "0x28000ea1\n" : "0x28000e21\n");
		put("cs_etm/cpu1/trcidr/trcidr0", "0x28000ea1\n");
		for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
			struct v9_event_spec *ev = NULL;
			const bool want = rows[i].counts && unit;
			int n = 0;

			tap_ok(!v9_spec_add(rows[i].text, &ev, &n) && n == 2 && !(ev[1].attr.a.config & 1 << 12) &&
			       v9_spec_count_cycles(ev, n) == want, "%s_%s", rows[i].name, unit ? "counts" : "cannot_count");
			if (ev[1].aux)
				tap_ok(!!(ev[1].attr.a.config & 1 << 12) == want && !!(ev[1].aux_config & 1 << 4) == want,
				       "%s_has_the_option", rows[i].name);
			for (int k = 0; k < n; k++) {
				free(ev[k].label);
				free(ev[k].cpumask);
			}
			free(ev);
		}
	}
}

/* The option may be in any word that each kernel has. */
static void test_words(void)
{
	static const struct { const char *format; bool counts; uint64_t config, config1, config2; } rows[] = {
		{ "config:12", true, 1 << 12, 0, 0 }, { "config1:5", true, 0, 1 << 5, 0 },
		{ "config2:3", true, 0, 0, 1 << 3 }, { "config3:1", false, 0, 0, 0 },
	};

	put("cs_etm/cpu0/trcidr/trcidr0", "0x28000ea1\n");
	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		struct v9_event_spec *ev = NULL;
		int n = 0;

		put("cs_etm/format/cycacc", rows[i].format);
		tap_ok(!v9_spec_add("cs_etm//u", &ev, &n) && v9_spec_count_cycles(ev, n) == rows[i].counts,
		       "counts_%zu", i);
		tap_eq(ev->attr.a.config & 1 << 12, rows[i].config, "config_%zu", i);
		tap_eq(ev->attr.a.config1, rows[i].config1, "config1_%zu", i);
		tap_eq(ev->attr.a.config2, rows[i].config2, "config2_%zu", i);
		v9_spec_free(ev, n);
	}
	put("cs_etm/format/cycacc", "config:12\n");
}

/* The event of the side-band, whole: a decoder of instructions needs mappings of data, the kernel's events its code. */
static void test_tracking(void)
{
	static const struct { const char *text; bool kernel, data; } rows[] = {
		{ "arm_spe_0//u", false, false }, { "core/cycles/u,cs_etm//u", false, true },
		{ "cs_etm//u,core/cycles/", true, true }, { "core/cycles/", true, false },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		const struct perf_event_attr want = {
			.type = PERF_TYPE_SOFTWARE, .size = 128, .config = PERF_COUNT_SW_DUMMY, .sample_period = 1,
			.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
				       PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD,
			.read_format = PERF_FORMAT_ID, .disabled = 1, .sample_id_all = 1, .exclude_guest = 1,
			.exclude_kernel = 1, .exclude_hv = 1, .mmap = 1, .mmap2 = 1, .mmap_data = rows[i].data,
			.ksymbol = rows[i].kernel, .bpf_event = rows[i].kernel, .comm = 1, .comm_exec = 1, .task = 1,
			.context_switch = 1, .build_id = 1,
		};
		struct v9_event_spec *ev = NULL, *last;
		int n = 0;

		v9_spec_add(rows[i].text, &ev, &n);
		v9_spec_add_tracking(&ev, &n);
		last = &ev[n - 1];
		tap_ok(!memcmp(&last->attr.a, &want, 128), "tracking_%zu", i);
		tap_ok(last->tracking && !last->any_side && !strcmp(last->label, "dummy:u"), "tracking_%zu", i);
		/* A frequency is for all but that. */
		v9_spec_frequency(ev, n, 777);
		for (int k = 0; k < n - 1; k++)
			tap_ok(ev[k].attr.a.freq && ev[k].attr.a.sample_freq == 777, "frequency_%zu", i);
		tap_ok(!memcmp(&last->attr.a, &want, 128), "no_frequency_%zu", i);
		v9_spec_free(ev, n);
	}
}

static void test_cpu_in(void)
{
	static const struct { const char *text; unsigned int cpus; } rows[] = {
		{ "0-1\n", 0x3 }, { "0,2-3,12-13", 0x300d }, { "10", 0x400 }, { "10-12", 0x1c00 }, { "3", 0x8 },
		{ "", 0 }, { "x", 0 }, { "1,x,2", 0x2 },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		unsigned int cpus = 0;

		for (unsigned int cpu = 0; cpu < 16; cpu++)
			cpus |= (unsigned int)v9_ev_cpu_in(rows[i].text, cpu) << cpu;
		tap_eq(cpus, rows[i].cpus, "cpu_in_%zu", i);
	}
}

/* All events of a file have the same sample id layout. */
static void test_same_sample_id(void)
{
	const uint64_t common = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
				PERF_SAMPLE_CPU;
	const uint64_t others = PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID;
	struct v9_event_spec *ev = NULL;
	bool same = true;
	int n = 0;

	v9_spec_add("arm_spe_0/pa_enable/,cpu-clock,core/cycles/", &ev, &n);
	v9_spec_add_tracking(&ev, &n);
	for (int i = 0; i < n; i++) {
		same &= (ev[i].attr.a.sample_type & common) == common &&
			!(ev[i].attr.a.sample_type & others) && ev[i].attr.a.sample_id_all;
		free(ev[i].label);
		free(ev[i].cpumask);
	}
	tap_ok(n == 4 && same, "same_sample_id");
	tap_ok(ev[0].attr.a.sample_type & PERF_SAMPLE_PHYS_ADDR &&
	       ev[0].attr.a.sample_type & PERF_SAMPLE_DATA_SRC, "spe_sample_type");
	free(ev);
}

/* The trace IDs by which readers without PERF_RECORD_AUX_OUTPUT_HW_ID match CPUs */
static void test_trace_ids(void)
{
	/* what the driver writes to TRCTRACEIDR there */
	static const struct { int cpu; uint64_t id; } rows[] = {
		{ 0, 0x10 }, { 1, 0x12 }, { 47, 0x6e }, { 48, 0x11 }, { 56, 0x21 }, { 95, 0x6f },
		{ 96, 0x01 }, { 110, 0x0f }, { 111, 0x10 }, { 4095, 0x04 },
	};
	const struct v9_event_spec ev = { 0 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *file = v9_format("cs_etm/cpu%d/trcidr/trcidr0", rows[i].cpu);
		char *arch = v9_format("cs_etm/cpu%d/mgmt/trcdevarch", rows[i].cpu);
		struct v9_blob b = { 0 };
		uint64_t word[PD_ETE_WORDS];

		put(file, "0x28000ea1\n");
		put(arch, "0x47705a13\n");
		tap_ok(etm_cpu(&ev, rows[i].cpu, &b) && b.len == sizeof(word), "unit_of_cpu_%d",
		       rows[i].cpu);
		if (b.len == sizeof(word)) {
			memcpy(word, b.data, sizeof(word));
			tap_eq(word[PD_ETM_CPU_NUMBER], (uint64_t)rows[i].cpu, "number_of_cpu_%d",
			       rows[i].cpu);
			tap_eq(word[PD_ETE_TRCTRACEIDR], rows[i].id, "trace_id_of_cpu_%d",
			       rows[i].cpu);
		}
		v9_blob_free(&b);
		free(file);
		free(arch);
	}
}

/* The clock written to the file, by the requested TS field and the one of perf's clock */
static void test_clocks(void)
{
	static const struct { const char *name, *usual; uint64_t requested, written, field; } rows[] = {
		{ "at_el1", "1\n", 0, 1, 1 }, { "virtual_at_el1", "1\n", 1, 1, 1 },
		{ "offset_at_el1", "1\n", 2, 2, 2 }, { "physical_at_el1", "1\n", 3, 3, 3 },
		{ "at_el2", "3\n", 0, 1, 3 }, { "virtual_at_el2", "3\n", 1, UINT64_MAX, 1 },
		{ "offset_at_el2", "3\n", 2, 2, 2 }, { "physical_at_el2", "3\n", 3, 1, 3 },
	};

	put("cs_etm/cpu7/trcidr/trcidr0", "0x28000ea1\n");
	put("cs_etm/cpu7/mgmt/trcdevarch", "0x47705a13\n");
	put("cs_etm/cpu7/ts_source", "1\n");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct v9_event_spec ev = { .aux_clock = rows[i].requested };
		struct v9_blob info = { 0 }, registers = { 0 };
		uint64_t word[PD_ETE_WORDS] = { 0 };
		struct pd_register r = { 0 };

		put("cs_etm/cpu7/trfcr_ts", rows[i].usual);
		etm_cpu(&ev, 7, &info);
		etm_registers(&ev, 7, &registers);
		if (info.len == sizeof(word))
			memcpy(word, info.data, sizeof(word));
		if (registers.len == sizeof(r))
			memcpy(&r, registers.data, sizeof(r));
		tap_eq(word[PD_ETE_TS_SOURCE], rows[i].written, "clock_%s", rows[i].name);
		/* bits 6:5 of TRFCR_EL1, which is S3_0_C1_C2_1 */
		tap_ok(r.cpu == 7 && r.encoding == (3 << 19 | 1 << 12 | 2 << 8 | 1 << 5) &&
		       r.mask == 0x60 && r.value == rows[i].field << 5, "field_%s", rows[i].name);
		v9_blob_free(&info);
		v9_blob_free(&registers);
	}
}

/*
 * The section PD_REGISTERS. By the manual: PMSIRR_EL1 is S3_0_C9_C9_3, INTERVAL its bits
 * 31:8 and RND bit 0; PMSIDR_EL1 is S3_0_C9_C9_7, Interval its bits 11:8 (0b0100: 1024), ERnd
 * bit 5 and ArchInst bit 3.
 */
static void test_intervals(void)
{
	static const struct {
		const char *name, *text;
		bool ours, ernd;
		uint64_t pmsirr;
	} rows[] = {
		{ "default", "arm_spe_0//", true, false, 1024 },
		{ "rounded", "arm_spe_0/period=4000/", true, false, 3840 },
		{ "random", "arm_spe_0/period=4000,jitter/", true, false, 3841 },
		{ "least", "arm_spe_0/period=100/", true, false, 256 },
		{ "raised", "arm_spe_0/period=100/", false, false, 1024 },
		{ "most", "arm_spe_0/period=0x1ffffffff/", false, true, 0xffffff00 },
	};
	const uint32_t pmsirr = 3 << 19 | 0 << 16 | 9 << 12 | 9 << 8 | 3 << 5;
	const uint32_t pmsidr = 3 << 19 | 0 << 16 | 9 << 12 | 9 << 8 | 7 << 5;

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		struct pd_register r[2] = { 0 };
		struct v9_event_spec *ev = NULL;
		struct v9_blob b = { 0 };
		char command[128];
		int n = 0;

		put("arm_spe_0/caps/ernd", rows[i].ernd ? "1\n" : "0\n");
		put("arm_spe_0/caps/arch_inst", i % 2 ? "1\n" : "0\n");
		if (rows[i].ours)
			put("arm_spe_0/stats/truncated", "0\n");
		else if (system((snprintf(command, sizeof(command), "rm -rf %s/arm_spe_0/stats", dir), command)))
			abort();
		if (v9_spec_add(rows[i].text, &ev, &n) || n != 1)
			abort();
		spe_registers(ev, 2, &b);
		tap_ok(!b.len, "interval_%s_of_its_cpus", rows[i].name);
		spe_registers(ev, 1, &b);
		if (b.len == sizeof(r))
			memcpy(r, b.data, sizeof(r));
		tap_ok(r[0].cpu == 1 && r[0].encoding == pmsirr && r[0].mask == 0xffffff01 &&
		       r[0].value == rows[i].pmsirr, "interval_%s", rows[i].name);
		tap_ok(r[1].encoding == pmsidr && r[1].mask == 0xf28 &&
		       r[1].value == (rows[i].ernd ? 0x420u : 0x400) + (i % 2 ? 8 : 0), "interval_%s_unit", rows[i].name);
		v9_blob_free(&b);
		free(ev->label);
		free(ev->cpumask);
		free(ev);
	}
}

/*
 * Which filters of SPE an event enables: PMSFCR_EL1.FT is 1, FE and FnE are 2, FL is 4, FDS is 8 (perfdata.h). The
 * options are those of the kernel's driver.
 */
static void test_filters(void)
{
	static const struct { const char *name, *text; uint32_t filters; } rows[] = {
		{ "none", "arm_spe_0/ts_enable,pa_enable,jitter/", 0 },
		{ "by_type", "arm_spe_0/load_filter/", 1 },
		{ "of_type_that_is_off", "arm_spe_0/load_filter=0/", 0 },
		{ "by_event", "arm_spe_0/event_filter=0x8/", 2 },
		{ "by_no_event", "arm_spe_0/inv_event_filter=0x8/", 2 },
		{ "by_latency", "arm_spe_0/min_latency=1/", 4 },
		{ "by_source", "arm_spe_0/inv_data_src_filter=1/", 8 },
		{ "all", "arm_spe_0/load_filter,event_filter=1,min_latency=2048,inv_data_src_filter=4/", 15 },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		struct v9_event_spec *ev = NULL;
		int n = 0;

		if (v9_spec_add(rows[i].text, &ev, &n) || n != 1)
			abort();
		tap_ok(ev->aux_filters == rows[i].filters && ev->aux_later && !ev->aux_discard, "filters_%s",
		       rows[i].name);
		free(ev->label);
		free(ev->cpumask);
		free(ev);
	}
}

static void drop(struct v9_event_spec *ev, int *n)
{
	while (*n) {
		--*n;
		free(ev[*n].label);
		free(ev[*n].cpumask);
	}
	free(ev);
}

/* The bits of -j are those of perf: linux/perf_event.h, PERF_SAMPLE_BRANCH_*. */
static void test_branches(void)
{
	static const struct { const char *name, *text; int ret; uint64_t filter; } rows[] = {
		{ "any", "any", 0, 0x10008 },
		{ "any_user", "any,u", 0, 0x10009 },
		{ "levels_alone", "u,k", 0, 0x1000b },
		{ "calls", "any_call,any_ret,u", 0, 0x10031 },
		{ "indirect", "ind_call,ind_jmp", 0, 0x11040 },
		{ "more", "call,cond,hv,hw_index,priv,counter", 0, 0xf2404 },
		{ "less", "any,no_flags,no_cycles", 0, 0x1c008 },
		{ "call_stack", "stack,u", 0, 0x801 },
		{ "empty", "", -EINVAL, 0 },
		{ "no_word", "any,x", -EINVAL, 0 },
		{ "last_comma", "any,", -EINVAL, 0 },
		{ "first_comma", ",any", -EINVAL, 0 },
		{ "no_type", "u,save_type", -EINVAL, 0 },
	};
	struct v9_event_spec *ev = NULL;
	uint64_t filter;
	int n = 0;

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++)
		tap_ok(v9_spec_branch_filter(rows[i].text, &filter) == rows[i].ret &&
		       (rows[i].ret || filter == rows[i].filter), "branches_%s", rows[i].name);

	v9_spec_add("arm_spe_0//,core/cycles/,cycles,core/cycles,period=99/", &ev, &n);
	v9_spec_add_tracking(&ev, &n);
	tap_ok(!v9_spec_branches(ev, n, 0x10009) && n == 5, "branches_of_events");
	tap_ok(!(ev[0].attr.a.sample_type & PERF_SAMPLE_BRANCH_STACK) && !ev[0].attr.a.branch_sample_type,
	       "branches_not_of_a_trace");
	tap_ok(ev[1].attr.a.sample_type & PERF_SAMPLE_BRANCH_STACK &&
	       ev[1].attr.a.branch_sample_type == 0x10009 && ev[1].attr.a.freq &&
	       ev[1].attr.a.sample_freq == 4000, "branches_of_a_pmu_by_frequency");
	tap_ok(ev[2].attr.a.branch_sample_type == 0x10009 && ev[2].attr.a.freq, "branches_of_cycles");
	tap_ok(ev[3].attr.a.branch_sample_type == 0x10009 && !ev[3].attr.a.freq &&
	       ev[3].attr.a.sample_period == 99, "branches_by_period");
	tap_ok(!(ev[4].attr.a.sample_type & PERF_SAMPLE_BRANCH_STACK), "branches_not_of_the_side_band");
	tap_eq(v9_spec_branches(ev, 1, 0x10009), -EINVAL, "branches_of_nothing");

	drop(ev, &n);
	ev = NULL;
	v9_spec_add_branches(&ev, &n);
	tap_ok(n == 1 && ev[0].attr.a.type == PERF_TYPE_HARDWARE && !strcmp(ev[0].label, "cycles"),
	       "branches_by_cycles");
	put("v9_brbe/type", "23\n");
	drop(ev, &n);
	ev = NULL;
	v9_spec_add_branches(&ev, &n);
	tap_ok(n == 1 && ev[0].attr.a.type == 23 && !ev[0].attr.a.config, "branches_by_v9_brbe");
	drop(ev, &n);
}

int main(void)
{
	messages_begin();
	test_text();
	test_limits();
	test_fields();
	test_sizes();
	test_cpu_lists();
	make_sysfs();
	test_midrs();
	test_attr();
	test_sides();
	test_period();
	test_branches();
	test_intervals();
	test_filters();
	test_generated_code();
	test_aux_kinds();
	test_trace_ids();
	test_clocks();
	test_cycle_counts();
	test_words();
	test_tracking();
	test_cpu_in();
	test_same_sample_id();
	messages_are("record_spec", dir);
	tap_remove(dir);
	return tap_done();
}
