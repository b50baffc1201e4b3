// SPDX-License-Identifier: GPL-2.0-only
/*
 * record --check: which counters are opened for CPUs and tasks, what a PMU without the event or without a free
 * counter means, and how the times of the counters are read. perf_event_open(), ioctl() and read() are those of
 * this file, and PMUs are directories that it makes.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "messages.h"
#include "tap.h"

static long fake_open(long nr, ...);
static int fake_ioctl(int fd, unsigned long what, ...);
static ssize_t fake_read(int fd, void *to, size_t n);
static int fake_close(int fd);
#define syscall fake_open
#define ioctl fake_ioctl
#define read fake_read
#define close fake_close
#include "../../tools/collect/pmu_counts.c"
#undef syscall
#undef ioctl
#undef read
#undef close
#include "../../tools/collect/event.c"

#define FD	1000

static char root[] = "/tmp/v9counts.XXXXXX";
const char *v9_pmu_root = root;

/* The events that were opened, in their order; .fd of the n-th is FD + n. */
static struct opened {
	struct perf_event_attr attr;
	int tid, cpu, leader;
	bool enabled, disabled, closed;
	uint64_t got[3];	/* value, enabled, running */
	int error;		/* of read() */
} opened[64];
static int opens, group, counters, refuses_tid;
static uint64_t refuses;	/* number of an event that gets .refuses_by */
static int refuses_by;

static long fake_open(long nr, ...)
{
	struct opened o = { .got = { 10, 500, 500 } };
	va_list ap;

	va_start(ap, nr);
	o.attr = *va_arg(ap, struct perf_event_attr *);
	o.tid = va_arg(ap, int);
	o.cpu = va_arg(ap, int);
	o.leader = va_arg(ap, int);
	va_end(ap);
	group = o.leader < 0 ? 0 : group;
	errno = refuses && o.attr.config == refuses ? refuses_by : refuses_tid && o.tid == refuses_tid ? ESRCH :
		group == counters ? EINVAL : 0;
	if (errno)
		return -1;
	group++;
	opened[opens] = o;
	return FD + opens++;
}

static int fake_ioctl(int fd, unsigned long what, ...)
{
	opened[fd - FD].enabled |= what == PERF_EVENT_IOC_ENABLE;
	opened[fd - FD].disabled |= what == PERF_EVENT_IOC_DISABLE;
	return 0;
}

static ssize_t fake_read(int fd, void *to, size_t n)
{
	if (opened[fd - FD].error)
		return 0;
	memcpy(to, opened[fd - FD].got, n);
	return (ssize_t)n;
}

static int fake_close(int fd)
{
	opened[fd - FD].closed = true;
	return 0;
}

/* Of rings.c and aux.c */
static int numbers[2], nr_numbers;

static int give(int **to)
{
	*to = malloc(sizeof(numbers));
	memcpy(*to, numbers, sizeof(numbers));
	return nr_numbers;
}

int v9_rings_cpus(const struct v9_rings *r, int **cpu)
{
	tap_ok(r->target->kind == V9_TARGET_CPUS, "cpus_are_asked_for");
	return give(cpu);
}

int v9_rings_tasks(const struct v9_rings *r, int **tid)
{
	tap_ok(r->target->kind != V9_TARGET_CPUS, "tasks_are_asked_for");
	return give(tid);
}

uint64_t v9_aux_spe_interval(const struct v9_event_spec *ev)
{
	return ev->attr.a.sample_period;
}

/* A file of a PMU, "NAME/FILE" */
static void file(const char *path, const char *text)
{
	char whole[128], *slash = whole;
	FILE *f;

	snprintf(whole, sizeof(whole), "%s/%s", root, path);
	while ((slash = strchr(slash + 1, '/'))) {
		*slash = 0;
		mkdir(whole, 0755);
		*slash = '/';
	}
	f = fopen(whole, "w");
	if (!f || fprintf(f, "%s\n", text) < 0 || fclose(f))
		abort();
}

static void pmu(const char *name, const char *type, const char *cpus, bool trace)
{
	static const char *const samples[] = { "pop", "feed", "filtrate", "collision" };
	char path[64];

	for (int i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "%s/events/sample_%s", name, samples[i]);
		file(path, "event");
	}
	snprintf(path, sizeof(path), "%s/events/trb_wrap", name);
	if (trace)
		file(path, "event");
	snprintf(path, sizeof(path), "%s/type", name);
	file(path, type);
	snprintf(path, sizeof(path), "%s/cpus", name);
	file(path, cpus);
}

static const struct v9_aux_kind spe_kind = { .auxtrace = PD_AUXTRACE_ARM_SPE };
static const struct v9_aux_kind ete_kind = { .auxtrace = PD_AUXTRACE_CS_ETM };

struct recorded {
	struct v9_event_spec ev[2];
	struct v9_target target;
	struct v9_aux_ring ring[2];
	struct v9_rings rings;
	struct v9_pmu_counts c;
};

/* SPE of user space, and ETE; @n CPUs or tasks, the first of which is 0 or 70 */
static void begin(struct recorded *r, enum v9_target_kind kind, int n, int evs)
{
	const bool cpus = kind == V9_TARGET_CPUS;

	*r = (struct recorded){
		.ev = {
			{ .label = "arm_spe_0//u", .aux = &spe_kind,
			  .attr.a = { .exclude_kernel = 1, .exclude_hv = 1, .inherit = !cpus, .sample_period = 1024 } },
			{ .label = "cs_etm//", .aux = &ete_kind, .attr.a = { .inherit = !cpus } },
		},
		.target = { .kind = kind },
	};
	r->ring[0] = (struct v9_aux_ring){ .ev = &r->ev[0] };
	r->ring[1] = (struct v9_aux_ring){ .ev = &r->ev[1] };
	r->rings = (struct v9_rings){ .ev = r->ev, .evs = evs, .target = &r->target, .aux = r->ring, .auxs = 2 };
	memset(opened, 0, sizeof(opened));
	opens = 0;
	counters = 6;
	refuses = 0;
	refuses_tid = 0;
	nr_numbers = n;
	for (int i = 0; i < n; i++)
		numbers[i] = cpus ? i : 70 + i;
}

static struct pd_count of(const struct recorded *r, uint32_t event)
{
	for (uint32_t i = 0; i < r->c.head.count; i++)
		if (r->c.count[i].event == event)
			return r->c.count[i];
	return (struct pd_count){ .state = UINT32_MAX };
}

static void end(struct recorded *r, uint64_t switch_ins)
{
	v9_pmu_counts_read(&r->c, &r->rings, &(struct v9_record_counts){ .switch_ins = switch_ins, .lost = 2 });
}

/* Two CPUs, of two types: a group on each, of the PMU that it has */
static void cpus(void)
{
	struct recorded r;
	bool right = true;

	begin(&r, V9_TARGET_CPUS, 2, 2);
	v9_pmu_counts_open(&r.c, &r.rings);
	tap_eq(opens, 10, "cpus_have_a_group_each");
	for (int i = 0; i < opens; i++) {
		const struct opened *o = &opened[i];

		right &= o->cpu == i / 5 && o->tid == -1 && (int)o->attr.type == (i < 5 ? 8 : 9) &&
			 o->leader == (i % 5 ? FD + i / 5 * 5 : -1) && o->attr.disabled == !(i % 5) &&
			 !o->attr.enable_on_exec && !o->attr.inherit && o->attr.read_format == 3;
	}
	tap_ok(right, "cpus_have_their_pmus");
	tap_ok(opened[0].attr.config == 0x4002 && opened[4].attr.config == 0x400c, "most_important_event_first");
	tap_ok(opened[0].attr.exclude_kernel && opened[0].attr.exclude_hv && !opened[0].attr.exclude_user &&
	       !opened[4].attr.exclude_kernel, "each_unit_has_its_modifiers");
	v9_pmu_counts_start(&r.c);
	tap_ok(opened[0].enabled && opened[5].enabled && !opened[1].enabled, "leaders_are_started");
	opened[5].got[0] = 7;
	end(&r, 100);
	tap_ok(of(&r, 0x4002).value == 17 && of(&r, 0x400c).value == 20 && !of(&r, 0x4002).state, "cpus_are_added");
	tap_ok(opened[0].disabled && opened[5].disabled, "leaders_are_stopped");
	tap_ok(r.c.head.starts == 2 && r.c.head.edges == 0 && r.c.head.flags == (1 | 8) && r.c.head.interval == 1024,
	       "counters_of_cpus_have_no_edges");
	v9_pmu_counts_close(&r.c);
	tap_ok(opened[0].closed && opened[9].closed, "counters_are_closed");
}

/* A task runs on CPUs of both types: each PMU counts it for a part of the time. */
static void tasks(void)
{
	struct recorded r;

	begin(&r, V9_TARGET_COMMAND, 1, 1);
	v9_pmu_counts_open(&r.c, &r.rings);
	tap_ok(opens == 8 && opened[0].tid == 70 && opened[0].cpu == -1 && opened[4].tid == 70 &&
	       opened[0].attr.type != opened[4].attr.type && opened[0].attr.inherit, "task_has_a_group_of_each_pmu");
	tap_ok(opened[0].attr.enable_on_exec && opened[0].attr.disabled && !opened[1].attr.enable_on_exec,
	       "command_starts_its_counters");
	for (int i = 0; i < 8; i++)
		opened[i].got[2] = i < 4 ? 200 : 300;
	opened[5].got[2] = 299;
	end(&r, 100);
	tap_ok(!of(&r, 0x4002).state && of(&r, 0x4002).value == 20, "times_of_pmus_are_added");
	tap_ok(of(&r, 0x4001).state == PD_COUNT_SHARED && !of(&r, 0x4001).value, "shared_counter");
	/* 1 task, 100 times onto a CPU, 2 records lost */
	tap_ok(r.c.head.starts == 103 && r.c.head.edges == 206 && r.c.head.flags == 8, "edges_of_a_task");
	v9_pmu_counts_close(&r.c);
}

static void states(void)
{
	struct recorded r;

	begin(&r, V9_TARGET_CPUS, 1, 2);
	counters = 3;
	v9_pmu_counts_open(&r.c, &r.rings);
	end(&r, 0);
	tap_ok(!of(&r, 0x4003).state && of(&r, 0x4000).state == PD_COUNT_NO_COUNTER &&
	       of(&r, 0x400c).state == PD_COUNT_NO_COUNTER, "too_few_counters");
	v9_pmu_counts_close(&r.c);

	begin(&r, V9_TARGET_CPUS, 1, 2);
	refuses = 0x4002;
	refuses_by = EINVAL;	/* of a leader: not for want of a counter */
	v9_pmu_counts_open(&r.c, &r.rings);
	end(&r, 0);
	tap_ok(of(&r, 0x4002).state == PD_COUNT_REFUSED && !of(&r, 0x4001).state && opened[0].leader == -1,
	       "next_event_leads");
	v9_pmu_counts_close(&r.c);

	begin(&r, V9_TARGET_PID, 2, 1);
	refuses_tid = 70;
	v9_pmu_counts_open(&r.c, &r.rings);
	end(&r, 0);
	tap_ok(opens == 8 && opened[0].tid == 71 && !of(&r, 0x4002).state, "ended_task_is_left_out");
	v9_pmu_counts_close(&r.c);

	begin(&r, V9_TARGET_CPUS, 1, 2);
	v9_pmu_counts_open(&r.c, &r.rings);
	opened[1].error = 1;
	end(&r, 0);
	tap_ok(of(&r, 0x4001).state == PD_COUNT_REFUSED && !of(&r, 0x4001).value, "counter_without_a_value");
	v9_pmu_counts_close(&r.c);

	/* CPU 1 has no SPE. */
	begin(&r, V9_TARGET_CPUS, 2, 2);
	r.ev[0].cpumask = (char[]){ "0" };
	v9_pmu_counts_open(&r.c, &r.rings);
	end(&r, 0);
	tap_ok(opens == 6 && opened[5].attr.config == 0x400c && opened[5].cpu == 1 && opened[5].leader == -1 &&
	       !of(&r, 0x4002).state && of(&r, 0x4002).value == 10, "cpu_without_the_unit");
	v9_pmu_counts_close(&r.c);

	/* CPU 2 is of no PMU. */
	begin(&r, V9_TARGET_CPUS, 1, 2);
	numbers[0] = 2;
	v9_pmu_counts_open(&r.c, &r.rings);
	tap_ok(!opens && of(&r, 0x4002).state == PD_COUNT_ABSENT, "cpu_without_a_pmu");
	v9_pmu_counts_close(&r.c);
}

/* The events of filters are there beside them, on units from FEAT_SPEv1p2 on. */
static void filters(void)
{
	struct recorded r;

	begin(&r, V9_TARGET_CPUS, 1, 1);
	r.ev[0].aux_filters = PD_FILTER_TYPE | PD_FILTER_LATENCY;
	r.ev[0].aux_later = true;
	v9_pmu_counts_open(&r.c, &r.rings);
	tap_ok(!of(&r, 0x812d).state && of(&r, 0x812e).state == UINT32_MAX && !of(&r, 0x812f).state &&
	       r.c.head.filters == 5, "events_of_filters");
	tap_eq(of(&r, 0x400c).state, UINT32_MAX, "no_events_of_the_other_unit");
	v9_pmu_counts_close(&r.c);

	begin(&r, V9_TARGET_CPUS, 1, 1);
	r.ev[0].aux_filters = PD_FILTER_TYPE;
	r.ev[0].aux_discard = true;
	v9_pmu_counts_open(&r.c, &r.rings);
	tap_ok(of(&r, 0x812d).state == PD_COUNT_ABSENT && r.c.head.flags == (4 | 8), "event_that_older_units_lack");
	v9_pmu_counts_close(&r.c);
}

static void aims(void)
{
	struct recorded r;

	begin(&r, V9_TARGET_CPUS, 1, 2);
	tap_eq(v9_pmu_counts_aim(r.ev, 2), 0, "units_of_two_kinds");
	r.ev[1] = r.ev[0];
	tap_eq(v9_pmu_counts_aim(r.ev, 2), 0, "units_that_are_alike");
	r.ev[1].attr.a.exclude_kernel = 0;
	tap_eq(v9_pmu_counts_aim(r.ev, 2), -EINVAL, "units_with_other_modifiers");
	r.ev[1] = r.ev[0];
	r.ev[1].attr.a.sample_period++;
	tap_eq(v9_pmu_counts_aim(r.ev, 2), -EINVAL, "units_with_other_periods");
	r.ev[1] = r.ev[0];
	r.ev[1].aux_filters = 1;
	tap_eq(v9_pmu_counts_aim(r.ev, 2), -EINVAL, "units_with_other_filters");
	r.ev[0].aux = r.ev[1].aux = NULL;
	tap_eq(v9_pmu_counts_aim(r.ev, 2), -EINVAL, "no_unit");
}

/* An AUX record of 10 bytes from @offset on */
static void aux(struct recorded *r, int ring, uint64_t offset, uint64_t flags)
{
	struct { struct perf_event_header h; uint64_t word[3]; } rec = {
		{ .type = PERF_RECORD_AUX, .size = sizeof(rec) }, { offset, 10, flags } };

	v9_pmu_counts_record(&r->c, &r->rings, &r->ring[ring], &rec.h);
}

/*
 * D18.2: an Events packet (0x42, and one byte) and an End packet (0x01) are a record. A loss behind byte 10 cuts the
 * fourth one; those before it, and one behind it, of a Timestamp packet (0x71, and eight bytes), are whole.
 */
static void recorded(void)
{
	static const uint8_t a[] = { 0x42, 0x12, 0x01, 0x42 }, b[] = { 0x02, 0x01, 0x42, 0x02, 0x01, 0x42 },
			     c[9] = { 0x71 };
	struct v9_check_row row[V9_CHECK_EVENTS];
	struct recorded r;
	size_t n;

	begin(&r, V9_TARGET_CPUS, 1, 2);
	v9_pmu_counts_open(&r.c, &r.rings);
	v9_pmu_counts_aux(&r.c, &r.rings, &r.ring[0], a, 4, b, 6);
	aux(&r, 0, 0, PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_COLLISION);
	v9_pmu_counts_drained(&r.c);
	r.ring[0].tail = 10;
	v9_pmu_counts_aux(&r.c, &r.rings, &r.ring[0], c, 9, NULL, 0);
	v9_pmu_counts_aux(&r.c, &r.rings, &r.ring[1], a, 4, b, 6);
	aux(&r, 0, 10, PERF_AUX_FLAG_COLLISION);
	aux(&r, 1, 0, 0);
	aux(&r, 1, 10, PERF_AUX_FLAG_COLLISION);
	aux(&r, 1, 20, 0);
	v9_pmu_counts_drained(&r.c);
	end(&r, 0);
	n = v9_pmu_counts_rows(&r.c, row);
	tap_eq(n, 5, "rows_of_both_units");
	tap_ok(row[0].recorded == 3 + 1 && row[0].most == 4 + 2 * 16, "whole_records_are_counted");
	tap_ok(row[2].recorded == 2 && row[4].recorded == 3, "pieces_and_flags_of_each_unit");
	v9_pmu_counts_close(&r.c);
}

/* Events that are enabled again: an interval begins anew on each CPU, for CPUs and tasks. */
static void restarts(void)
{
	const struct v9_record_counts counts = { .restarts = 3 };
	const long conf = sysconf(_SC_NPROCESSORS_CONF);
	struct recorded r;

	begin(&r, V9_TARGET_CPUS, 2, 2);
	v9_pmu_counts_open(&r.c, &r.rings);
	v9_pmu_counts_read(&r.c, &r.rings, &counts);
	tap_eq(r.c.head.starts, 2 + 3 * 2, "starts_of_cpus");
	v9_pmu_counts_close(&r.c);
	begin(&r, V9_TARGET_TID, 1, 2);
	v9_pmu_counts_open(&r.c, &r.rings);
	v9_pmu_counts_read(&r.c, &r.rings, &counts);
	tap_ok(r.c.head.starts == (uint64_t)(1 + 3 * conf) && r.c.head.edges == 2, "starts_of_tasks");
	v9_pmu_counts_close(&r.c);
}

/* The counters and the recording do not cover the same time if a CPU was offline or the recorder paused. */
static void away(void)
{
	static const struct v9_record_counts none = { .truncated = 1 }, offline = { .cpu_away = 1 }, paused = { .paused = 1 };
	struct recorded r;

	begin(&r, V9_TARGET_CPUS, 1, 2);
	v9_pmu_counts_open(&r.c, &r.rings);
	v9_pmu_counts_read(&r.c, &r.rings, &none);
	tap_ok(!(r.c.head.flags & PD_COUNTS_AWAY), "all_the_time");
	v9_pmu_counts_read(&r.c, &r.rings, &offline);
	tap_ok(r.c.head.flags & PD_COUNTS_AWAY, "a_cpu_was_offline");
	r.c.head.flags = 0;
	v9_pmu_counts_read(&r.c, &r.rings, &paused);
	tap_ok(r.c.head.flags & PD_COUNTS_AWAY, "the_recorder_has_paused");
	v9_pmu_counts_close(&r.c);
}

int main(void)
{
	if (!mkdtemp(root))
		return 1;
	messages_begin();
	pmu("armv8_a", "8", "0", true);
	pmu("armv8_b", "9", "1", true);
	file("software/type", "1");
	cpus();
	tasks();
	states();
	filters();
	aims();
	recorded();
	restarts();
	away();
	messages_are("record_pmu_counts", root);
	tap_remove(root);
	return tap_done();
}
