// SPDX-License-Identifier: GPL-2.0-only
/*
 * What v9_session_open() takes from each kind of record, typed from linux/perf_event.h and
 * perf.data-file-format.txt. A record that lacks its last byte says nothing.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <v9trace/base.h>

#include "tap.h"
#include "capture.h"
#include "../../tools/capture/data.h"
#include "../../tools/capture/session.h"

static struct cap c;

/* The type of the first event's PMU is 9. */
static void begin(uint64_t sample_type)
{
	free(c.b);
	c = (struct cap){ .time = 1000, .pid = 10, .tid = 11, .cpu = 2 };
	cap_open(&c, sample_type);
}

static void open_bytes(struct v9_session *s)
{
	char path[] = "/tmp/v9trace-session.XXXXXX";
	const struct v9_syms_opts opts = { .objects = true };
	const int fd = mkstemp(path);

	if (fd < 0 || write(fd, c.b, c.n) != (ssize_t)c.n || v9_session_open(s, path, &opts))
		abort();
	close(fd);
	unlink(path);
}

static void open_it(struct v9_session *s)
{
	cap_close(&c);
	open_bytes(s);
}

/* A record of u64 words: all of them, and without the last */
static void words(uint32_t type, uint16_t misc, size_t n, const uint64_t *w)
{
	cap_record(&c, type, misc, w, 8 * n);
	cap_record(&c, type, misc, w, 8 * (n - 1));
}

#define WORDS(type, misc, ...) words(type, misc, sizeof((uint64_t[]){ __VA_ARGS__ }) / 8, (uint64_t[]){ __VA_ARGS__ })

static void losses(void)
{
	struct pd_auxtrace_error e = { .type = PD_ERROR_TRACE, .code = PD_ERROR_CPU_AWAY, .ip = 5 };
	const size_t head = sizeof(e.header);
	struct v9_session s;

	begin(CAP_SAMPLE);
	WORDS(PERF_RECORD_LOST, 0, 1, 100);
	WORDS(PERF_RECORD_LOST, 0, 1, UINT64_C(1) << 32);
	WORDS(PERF_RECORD_LOST_SAMPLES, 0, 7);
	WORDS(PERF_RECORD_LOST_SAMPLES, 0, 70);
	cap_record(&c, PERF_RECORD_THROTTLE, 0, (uint64_t[3]){ 0 }, 24);
	cap_record(&c, PERF_RECORD_THROTTLE, 0, (uint64_t[3]){ 0 }, 24);
	cap_record(&c, PERF_RECORD_UNTHROTTLE, 0, (uint64_t[3]){ 0 }, 24);
	for (unsigned int i = 0; i < 3; i++)
		cap_record(&c, PD_REC_AUXTRACE_ERROR, 0, (uint8_t *)&e + head, sizeof(e) - head);
	e.code = PD_ERROR_PAUSED;
	e.ip = 1000;
	for (unsigned int i = 0; i < 2; i++)
		cap_record(&c, PD_REC_AUXTRACE_ERROR, 0, (uint8_t *)&e + head, offsetof(struct pd_auxtrace_error, time) - head);
	cap_record(&c, PD_REC_AUXTRACE_ERROR, 0, (uint8_t *)&e + head, offsetof(struct pd_auxtrace_error, ip) - head);
	e.code = 3;
	for (unsigned int i = 0; i < 3; i++)
		cap_record(&c, PD_REC_AUXTRACE_ERROR, 0, (uint8_t *)&e + head, sizeof(e) - head);
	open_it(&s);
	tap_eq(s.lost.lost_records, 100 + (UINT64_C(1) << 32), "lost_records");
	tap_eq(s.lost.lost_samples, 77, "lost_samples");
	tap_eq(s.lost.throttled, 2, "throttled");
	tap_ok(s.lost.cpu_away == 3 && s.lost.cpu_away_ns == 15, "cpu_away");
	tap_ok(s.lost.paused == 2 && s.lost.paused_ns == 2000, "paused");
	tap_eq(s.lost.aux_errors, 4, "errors_of_others");
	tap_eq(s.records, 8 + 3 + 9, "records");
	tap_eq(s.status, 0, "all_is_read");
	v9_session_close(&s);
}

static bool is_extent(const struct v9_extent *x, uint64_t offset, uint64_t flags, uint32_t cpu, uint32_t tid)
{
	return x->offset == offset && x->size == 64 && x->flags == flags && x->cpu == cpu && x->tid == tid &&
	       x->kind == V9_KIND_SPE;
}

/* AUX records: their flags are counted, and the queue of a CPU has the offsets at which its data is cut. */
static void aux(void)
{
	const uint64_t full = PERF_AUX_FLAG_TRUNCATED, over = PERF_AUX_FLAG_OVERWRITE, part = PERF_AUX_FLAG_PARTIAL,
		       hit = PERF_AUX_FLAG_COLLISION;
	struct v9_session s;
	struct v9_queue *q;

	begin(CAP_SAMPLE);
	cap_info(&c, PD_AUXTRACE_ARM_SPE);
	WORDS(PERF_RECORD_AUX, 0, 64, 64, full | over);
	WORDS(PERF_RECORD_AUX, 0, 0, 64, full);
	WORDS(PERF_RECORD_AUX, 0, 128, 64, over);
	WORDS(PERF_RECORD_AUX, 0, 192, 64, part | hit);
	WORDS(PERF_RECORD_AUX, 0, 256, 64, hit);
	WORDS(PERF_RECORD_AUX, 0, 320, 64, 0);
	c.cpu = 3;
	WORDS(PERF_RECORD_AUX, 0, 384, 64, full);
	/* 13 bytes, padded to 16: the next one begins at 13. Another ring has the same offsets. */
	cap_aux(&c, 2, CAP_NONE, 0, "0123456789abc", 13);
	cap_aux(&c, 4, CAP_NONE, 13, "another.", 8);
	cap_aux(&c, 2, CAP_NONE, 13, "defghijk", 8);
	cap_aux(&c, 2, CAP_NONE, 13, "8 bytes.", 8);	/* overlaps by 8 */
	cap_aux(&c, 2, CAP_NONE, 14, "7 bytes.", 8);
	cap_aux(&c, CAP_NONE, 77, 0, "of a thread", 8);
	open_it(&s);
	tap_ok(s.nr_extents == 7 && is_extent(&s.extents[0], 64, full | over, 2, 11) &&
	       is_extent(&s.extents[6], 384, full, 3, 11) && s.extents[6].pid == 10 && s.extents[6].time == 1000 &&
	       s.extents[6].has_time, "extents");
	tap_ok(s.aux[V9_KIND_SPE].truncated == 3 && s.aux[V9_KIND_SPE].overwrite == 2 && s.aux[V9_KIND_SPE].stopped == 1 &&
	       s.aux[V9_KIND_SPE].partial == 1 && s.aux[V9_KIND_SPE].collision == 2, "flags");
	tap_eq(s.nr_queues, 3, "queues");
	q = &s.queues[0];
	tap_ok(q->kind == V9_KIND_SPE && q->cpu == 2 && q->tid == V9_NO_TASK && q->nr_chunks == 4, "queue_of_a_cpu");
	tap_ok(q->nr_cuts == 3 && q->cuts[0] == 64 && q->cuts[1] == 128 && q->cuts[2] == 256, "cuts");
	tap_ok(q->chunks[0].size == 13 && q->chunks[1].size == 8 && q->chunks[2].size == 1 && q->chunks[3].size == 8 &&
	       q->chunks[3].offset == 14 && !memcmp(q->chunks[3].p, "7 bytes.", 8), "chunks");
	tap_ok(s.queues[1].cpu == 4 && s.queues[1].nr_chunks == 1 && !s.queues[1].nr_cuts, "queue_of_another_cpu");
	tap_ok(s.queues[2].cpu == V9_NO_TASK && s.queues[2].tid == 77, "queue_of_a_thread");
	tap_eq(s.aux[V9_KIND_SPE].rounding, 3 + 7, "rounding");
	tap_eq(s.aux[V9_KIND_SPE].bytes, 16 + 5 * 8, "bytes");
	tap_eq(s.period, 1024, "period");
	v9_session_close(&s);

	/* Cuts of a thread's ring. Without sample ids nothing says which. */
	begin(CAP_SAMPLE);
	cap_info(&c, PD_AUXTRACE_ARM_SPE);
	WORDS(PERF_RECORD_AUX, 0, 0, 64, full);
	cap_aux(&c, CAP_NONE, 11, 0, "of a thread", 8);
	open_it(&s);
	tap_ok(s.nr_queues == 1 && s.queues[0].nr_cuts == 1 && s.queues[0].cuts[0] == 64, "cut_of_a_thread");
	v9_session_close(&s);
	begin(PERF_SAMPLE_IDENTIFIER);
	cap_info(&c, PD_AUXTRACE_ARM_SPE);
	WORDS(PERF_RECORD_AUX, 0, 0, 64, full);
	cap_aux(&c, CAP_NONE, 11, 0, "of a thread", 8);
	open_it(&s);
	tap_ok(s.nr_extents == 1 && s.extents[0].cpu == V9_NO_TASK && s.extents[0].pid == V9_NO_TASK &&
	       s.extents[0].tid == V9_NO_TASK && !s.extents[0].has_time && !s.queues[0].nr_cuts, "no_sample_id");
	tap_ok(!s.first_time && !s.last_time, "no_times");
	v9_session_close(&s);
}

/* The thread that a CPU runs, as "PID/TID" */
static bool runs(struct v9_session *s, uint32_t cpu, uint64_t time, uint32_t pid, uint32_t tid)
{
	const struct v9_run *r = v9_tasks_running(&s->tasks, cpu, time);

	return tid == V9_NO_TASK ? !r : r && r->pid == pid && r->tid == tid;
}

static void switches(void)
{
	const uint16_t out = PERF_RECORD_MISC_SWITCH_OUT, preempted = out | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
	const struct v9_wait_thread *t;
	struct v9_session s;

	begin(CAP_SAMPLE);
	cap_record(&c, PERF_RECORD_ITRACE_START, 0, (uint32_t[]){ 30, 31 }, 8);	/* 1000 */
	cap_switch(&c, 10, 11, 2000, 0);
	c.time = 3000;
	cap_record(&c, PERF_RECORD_SWITCH_CPU_WIDE, out, (uint32_t[]){ 20, 21 }, 8);
	c.time = 3500;
	cap_record(&c, PERF_RECORD_SWITCH_CPU_WIDE, out, NULL, 0);		/* too short */
	cap_switch(&c, 10, 11, 4000, 0);
	c.time = 5000;
	cap_record(&c, PERF_RECORD_SWITCH_CPU_WIDE, preempted, (uint32_t[]){ 20, 21 }, 8);
	cap_switch(&c, 10, 11, 5600, 0);
	/* PERF_RECORD_SWITCH has no body: the next thread is not known. */
	c.cpu = 3;
	c.pid = 50;
	c.tid = 51;
	c.time = 6000;
	cap_record(&c, PERF_RECORD_SWITCH, 0, NULL, 0);
	c.time = 7000;
	cap_record(&c, PERF_RECORD_SWITCH, out, NULL, 0);
	c.time = 8000;
	cap_record(&c, PERF_RECORD_SWITCH, 0, NULL, 0);
	open_it(&s);
	tap_ok(runs(&s, 2, 999, 0, V9_NO_TASK) && runs(&s, 2, 1000, 30, 31) && runs(&s, 2, 1999, 30, 31), "itrace_start");
	tap_ok(runs(&s, 2, 2000, 10, 11) && runs(&s, 2, 3000, 20, 21) && runs(&s, 2, 3999, 20, 21) &&
	       runs(&s, 2, 4000, 10, 11) && runs(&s, 2, 5000, 20, 21) && runs(&s, 2, 5600, 10, 11), "switches_of_a_cpu");
	tap_ok(runs(&s, 3, 6000, 50, 51) && runs(&s, 3, 7000, 0, V9_NO_TASK) && runs(&s, 3, 8000, 50, 51),
	       "switches_of_a_thread");
	t = v9_waits_thread(&s.waits, 11);
	tap_ok(t && t->pid == 10 && t->nr == 2 && t->on_cpu == 1000 + 1000 && t->asleep == 1000 && t->runnable == 600 &&
	       t->turns == 2 && !t->unpaired, "waits");
	tap_ok(t && !s.waits.wait[t->first].runnable && s.waits.wait[t->first].begin == 3000 &&
	       s.waits.wait[t->first].end == 4000 && s.waits.wait[t->first + 1].runnable &&
	       s.waits.wait[t->first].cpu == 2, "waits_are_of_a_kind");
	t = v9_waits_thread(&s.waits, 51);
	tap_ok(t && t->nr == 1 && t->on_cpu == 1000 && t->asleep == 1000 && s.waits.nr_threads == 2, "waits_of_a_thread");
	tap_ok(s.first_time == 1000 && s.last_time == 8000, "times");
	v9_session_close(&s);
	begin(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_IDENTIFIER);
	cap_record(&c, PERF_RECORD_SWITCH, 0, NULL, 0);
	cap_record(&c, PERF_RECORD_ITRACE_START, 0, (uint32_t[]){ 30, 31 }, 8);
	cap_switch(&c, 10, 11, 2000, 0);
	open_it(&s);
	tap_ok(!s.tasks.nr_runs && !s.waits.nr_threads, "no_cpu_no_switch");
	v9_session_close(&s);
}

/* Each set of fields that a sample id can have, in the order of the kernel */
static void sample_ids(void)
{
	bool tasks = true, times = true, cpus = true;

	for (unsigned int i = 0; i < 64; i++) {
		const uint64_t type = (i & 1 ? PERF_SAMPLE_TID : 0) | (i & 2 ? PERF_SAMPLE_TIME : 0) |
				      (i & 4 ? PERF_SAMPLE_ID : 0) | (i & 8 ? PERF_SAMPLE_STREAM_ID : 0) |
				      (i & 16 ? PERF_SAMPLE_CPU : 0) | (i & 32 ? PERF_SAMPLE_IDENTIFIER : 0);
		const uint64_t fields[6] = { UINT64_C(11) << 32 | 10, 1234, 100, 100, 3, 100 };
		uint64_t body[3 + 6] = { 64, 64, 0 };
		struct v9_session s;
		size_t n = 3;

		for (unsigned int k = 0; k < 6; k++)
			if (i >> k & 1)
				body[n++] = fields[k];
		begin(type);
		c.sample_type = 0;
		cap_record(&c, PERF_RECORD_AUX, 0, body, 8 * n);
		open_it(&s);
		tasks &= s.nr_extents == 1 && s.extents[0].pid == (i & 1 ? 10 : V9_NO_TASK) &&
			 s.extents[0].tid == (i & 1 ? 11 : V9_NO_TASK);
		times &= s.nr_extents == 1 && s.extents[0].has_time == !!(i & 2) && s.extents[0].time == (i & 2 ? 1234 : 0) &&
			 s.last_time == s.extents[0].time;
		cpus &= s.nr_extents == 1 && s.extents[0].cpu == (i & 16 ? 3 : V9_NO_TASK);
		v9_session_close(&s);
	}
	tap_ok(tasks, "tasks_of_sample_ids");
	tap_ok(times, "times_of_sample_ids");
	tap_ok(cpus, "cpus_of_sample_ids");
}

static bool named(struct v9_session *s, uint32_t tid, uint64_t time, const char *name, uint32_t pid)
{
	uint32_t is = 77;
	const char *got = v9_session_comm(s, tid, time, &is);

	return (!name ? !got : got && !strcmp(got, name)) && is == pid;
}

static void names(void)
{
	struct v9_session s;
	struct v9_place p;

	begin(CAP_SAMPLE);
	/* u64 number; each: u64 thread, name of 16 bytes. The third has no name, the fifth is not there. */
	cap_record(&c, PD_REC_THREAD_MAP, 0, &(struct { uint64_t n; struct { uint64_t tid; char name[16]; } t[4]; }){
		5, { { 60, "first" }, { 61, "second" }, { 62, "" }, { 63, "last" } } }, 8 + 4 * 24);
	cap_comm(&c, 10, 11, "before", 0);
	cap_mmap2(&c, 10, 0x10000, 0x1000, 0, "/bin/before", NULL);
	c.time = 2000;
	cap_fork(&c, 10, 12, 10, 11);		/* a thread */
	cap_fork(&c, 20, 20, 10, 11);		/* a process */
	c.time = 3000;
	cap_comm(&c, 20, 20, "renamed", 0);
	c.time = 4000;
	cap_comm(&c, 20, 20, "executed", 1);
	cap_record(&c, PERF_RECORD_COMM, 0, (uint32_t[]){ 10, 11 }, 8);	/* no name */
	c.time = 5000;
	cap_record(&c, PERF_RECORD_FORK, 0, (uint32_t[]){ 30, 10, 30, 11 }, 16);	/* no time */
	open_it(&s);
	tap_ok(named(&s, 60, 0, "first", 77) && named(&s, 61, 0, "second", 77) && named(&s, 62, 0, NULL, 77) &&
	       named(&s, 63, 0, "last", 77), "thread_map");
	tap_ok(named(&s, 11, 1000, "before", 10) && named(&s, 12, 2000, "before", 10) && named(&s, 20, 2000, "before", 20) &&
	       named(&s, 20, 3000, "renamed", 20) && named(&s, 20, 4000, "executed", 20) &&
	       named(&s, 11, 4000, "before", 10) && named(&s, 30, 5000, NULL, 77), "comm");
	tap_ok(named(&s, 0, 0, "swapper", 77) && named(&s, V9_NO_TASK, 0, NULL, 77), "swapper");
	v9_syms_find(&s.syms, 20, 3000, 0x10004, &p);
	tap_ok(!strcmp(p.dso_name, "/bin/before"), "a_process_has_mappings_of_its_parent");
	v9_syms_find(&s.syms, 20, 4000, 0x10004, &p);
	tap_ok(!strcmp(p.dso_name, "[unknown]"), "up_to_its_exec");
	v9_syms_find(&s.syms, 12, 3000, 0x10004, &p);
	tap_ok(!strcmp(p.dso_name, "[unknown]"), "a_thread_is_no_process");
	v9_session_close(&s);
}

static const char *at(struct v9_session *s, uint64_t addr)
{
	static struct v9_place p;

	v9_syms_find(&s->syms, 10, 5000, addr, &p);
	return p.dso_name;
}

static const char *data_at(struct v9_session *s, uint64_t addr)
{
	static struct v9_data d;

	v9_syms_data(&s->syms, 10, 5000, addr, &d);
	return d.name ? d.name : "-";
}

/* PERF_RECORD_MMAP has no protection: MISC_MMAP_DATA says that it is data. Names of no letter are none. */
static void mappings(void)
{
	uint8_t kernel[96] = { [0 ... 3] = 0xff, [15] = 0xff, [20] = 1, [32] = 20, [36 ... 55] = 7 };
	uint8_t body[32 + 8] = { 10, 0, 0, 0, 10 }, body2[80] = { 0 }, id[20] = { 0xab, 0xcd };
	const uint64_t len = 0x1000;
	struct v9_session s;
	struct v9_place p;

	strcpy((char *)kernel + 64, "[kernel.kallsyms]_text");
	begin(CAP_SAMPLE);
	memcpy(body + 16, &len, 8);
	for (unsigned int i = 1; i <= 3; i++) {
		body[9] = (uint8_t)(i << 4);		/* address */
		body[32] = (uint8_t)('a' + i);
		cap_record(&c, PERF_RECORD_MMAP, PD_CPUMODE_USER | (i == 2 ? PERF_RECORD_MISC_MMAP_DATA : 0), body, i == 3 ? 32 : 40);
	}
	cap_mmap2(&c, 10, 0x40000, 0x1000, 0, "/bin/exec", id);
	c.prot = 1;
	cap_mmap2(&c, 10, 0x50000, 0x1000, 0, "/bin/data", NULL);
	body[9] = 0x10;
	memcpy(body2, body, sizeof(body));
	memcpy(body2 + 13, "\x80\xff\xff", 3);		/* 0xffff800000001000: a module, without protection */
	strcpy((char *)body2 + 64, "[module]");
	memset(body2, 0xff, 8);
	cap_record(&c, PERF_RECORD_MMAP2, PD_CPUMODE_KERNEL | PERF_RECORD_MISC_MMAP_BUILD_ID, kernel, sizeof(kernel));
	body2[32] = 8;					/* major number of a device, no size of a build-id */
	cap_record(&c, PERF_RECORD_MMAP2, PD_CPUMODE_KERNEL, body2, 64);
	cap_record(&c, PERF_RECORD_MMAP2, PD_CPUMODE_KERNEL, body2, 80);
	open_it(&s);
	tap_ok(!strcmp(at(&s, 0x1004), "b") && !strcmp(at(&s, 0x3004), "[unknown]") && !strcmp(at(&s, 0x40004), "/bin/exec"),
	       "mappings");
	tap_ok(!strcmp(at(&s, 0x2004), "[unknown]") && !strcmp(data_at(&s, 0x2004), "c") &&
	       !strcmp(at(&s, 0x50004), "[unknown]") && !strcmp(data_at(&s, 0x50004), "/bin/data"), "mappings_of_data");
	v9_syms_find(&s.syms, 10, 5000, 0x40004, &p);
	tap_ok(p.dso->build_id_size == 20 && !memcmp(p.dso->build_id, id, 20), "build_id_of_a_mapping");
	v9_syms_find(&s.syms, 10, 5000, UINT64_C(0xffff800000001004), &p);
	tap_ok(!strcmp(p.dso_name, "[module]") && !p.dso->build_id_size, "mapping_of_a_module");
	tap_ok(s.syms.dsos[0]->build_id_size == 20 && s.syms.dsos[0]->build_id[19] == 7, "build_id_of_the_kernel");
	v9_session_close(&s);
}

static void conversion(void)
{
	const uint64_t w[6] = { 4, 256, 1000, 0x100000, 0xff, 0x101 };
	struct { const char *name; size_t size; bool has; uint64_t ns; } rows[] = {
		{ "whole", 48, true, 1000 + ((0x100000 + 0xff) << 4) }, { "before_cycles", 24, true, 1000 + (0x1ff << 4) },
		{ "cut", 16, true, 0x5ff },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		struct v9_session s;
		uint64_t ns = 0;

		begin(CAP_SAMPLE);
		cap_record(&c, PD_REC_TIME_CONV, 0, (uint64_t[6]){ 0, 1, 0, 0x500, 0xff, 0x101 }, 48);
		cap_record(&c, PD_REC_TIME_CONV, 0, w, rows[i].size);
		open_it(&s);
		tap_ok(v9_session_time(&s, 0x1ff, &ns) == rows[i].has && ns == rows[i].ns, "time_%s", rows[i].name);
		v9_session_close(&s);
	}
	for (unsigned int i = 0; i < 3; i++) {
		struct v9_session s;

		begin(CAP_SAMPLE);
		cap_record(&c, PD_REC_TIME_CONV, 0, (uint64_t[6]){ i == 1 ? 64 : 63, i != 2, 0, 0, 0, 1 }, 48);
		open_it(&s);
		tap_eq(s.has_conv, !i, "conversion_%u", i);
		v9_session_close(&s);
	}
}

/* Blocks of CPUs: u64 magic, number of the CPU, words behind it, registers */
static void etm(size_t n, const uint64_t *w)
{
	begin(CAP_SAMPLE);
	cap_record(&c, PD_REC_AUXTRACE_INFO, 0, w, 8 * n);
}

static void units(void)
{
#define E	UINT64_C(0x5050505050505050)
	const uint64_t two[] = { PD_AUXTRACE_CS_ETM, 2, UINT64_C(9) << 32 | 2, 0,
		E, 4, 9, 0x811, 0x20, 1, 2, 3, 4, 5, 0x47725a13, 1, E, 6, 8, 0x1800, 0x22, 6, 7, 8, 9, 10, 11 };
	struct v9_session s;

	etm(V9_ARRAY_SIZE(two), two);
	open_it(&s);
	tap_ok(!v9_session_no_ete(&s) && s.pmu_type[V9_KIND_ETE] == 9 && s.nr_units == 2, "two_units");
	tap_ok(s.units[0].cpu == 4 && s.units[0].word[PD_ETE_TRCCONFIGR] == 0x811 && s.units[0].word[PD_ETE_TS_SOURCE] == 1 &&
	       s.units[1].cpu == 6 && s.units[1].magic == E && s.units[1].word[PD_ETE_TRCDEVARCH] == 11 &&
	       !s.units[1].word[PD_ETE_TS_SOURCE], "words_of_units");
	/* Words that the block of the unit does not have are 0. */
	for (unsigned int i = 3 + 9; i < PD_ETE_WORDS; i++)
		tap_eq(s.units[0].word[i], 0, "no_word_%u", i);
	tap_ok(v9_session_counts_cycles(&s) && !v9_session_has_times(&s), "cycles_without_times");
	tap_ok(v9_session_no_spe(&s) && !strcmp(v9_session_no_spe(&s), "holds an ETE or CoreSight trace, not SPE"), "no_spe");
	v9_session_close(&s);

	etm(V9_ARRAY_SIZE(two), two);
	cap_time_conv(&c, 0);
	open_it(&s);
	tap_ok(v9_session_has_times(&s), "times");
	v9_session_close(&s);

	/* The first block ends before TRCDEVARCH, or behind it, by the number of its words. */
	for (unsigned int n = 7; n < 9; n++) {
		uint64_t one[4 + 3 + 9];

		memcpy(one, two, sizeof(one));
		one[2] = UINT64_C(9) << 32 | 1;
		one[6] = n;
		etm(4 + 3 + n, one);
		open_it(&s);
		tap_ok(!v9_session_no_ete(&s) == (n == 8) && s.nr_units == 1 && s.units[0].magic == (n == 8 ? E : 0),
		       "words_%u", n);
		v9_session_close(&s);
		etm(4 + 3 + n - 1, one);
		open_it(&s);
		tap_ok(v9_session_no_ete(&s) && !s.nr_units, "words_cut_%u", n);
		v9_session_close(&s);
	}
	/* Fewer blocks than there are; version 0; no head */
	for (unsigned int i = 0; i < 3; i++) {
		uint64_t w[V9_ARRAY_SIZE(two)];

		memcpy(w, two, sizeof(w));
		w[2] = UINT64_C(9) << 32 | 1;
		w[1] = i != 1;
		etm(i == 2 ? 3 : V9_ARRAY_SIZE(two), w);
		open_it(&s);
		tap_ok(s.nr_units == !i && !v9_session_no_ete(&s) == !i, "blocks_%u", i);
		v9_session_close(&s);
	}
	begin(CAP_SAMPLE);
	cap_info_etmv4(&c);
	open_it(&s);
	tap_ok(v9_session_no_ete(&s) && strstr(v9_session_no_ete(&s), "holds trace of ETMv4"), "etmv4");
	v9_session_close(&s);
#undef E
}

static bool core(const struct v9_session *s, uint32_t cpu, uint64_t want)
{
	uint64_t midr = 0;

	return v9_session_midr(s, cpu, &midr) == !!want && midr == want;
}

static void cores(void)
{
	const struct pd_register regs[] = {
		{ .cpu = 0, .encoding = PD_MIDR_EL1, .mask = 0xffffffff, .value = 0xf0000000410fd490 },
		{ .cpu = 1, .encoding = 0x1899e0, .mask = UINT64_MAX, .value = 7 },
		{ .cpu = 5, .encoding = PD_MIDR_EL1, .mask = UINT64_MAX, .value = 0x411fd400 } };
	struct v9_session s;

	for (unsigned int same = 0; same < 2; same++) {
		begin(CAP_SAMPLE);
		c.other_midr = same ? 0 : 0x222;
		cap_info_v2(&c, 0x111, 3);
		open_it(&s);
		tap_ok(core(&s, 0, 0x111) && core(&s, 1, 0x111) && core(&s, 2, same ? 0x111 : 0x222) && core(&s, 3, 0) &&
		       core(&s, V9_NO_TASK, same ? 0x111 : 0) && s.spe_version == 2 && s.nr_cores == 3 &&
		       s.pmu_type[V9_KIND_SPE] == 9, "cores_of_version_2_%u", same);
		v9_session_close(&s);
		begin(CAP_SAMPLE);
		c.other_midr = same ? 0 : 0x222;
		cap_info_android(&c, 0x111, 3);
		open_it(&s);
		tap_ok(core(&s, 0, 0x111) && core(&s, 2, same ? 0x111 : 0x222) && core(&s, 3, 0) && s.spe_version == 1 &&
		       s.nr_cores == 3 && s.pmu_type[V9_KIND_SPE] == 9, "cores_of_android_%u", same);
		v9_session_close(&s);
	}
	begin(CAP_SAMPLE);
	c.regs = regs;
	c.nr_regs = 3;
	c.cpuid = "0x00000000410fd0c0";
	cap_info(&c, PD_AUXTRACE_ARM_SPE);
	open_it(&s);
	tap_ok(core(&s, 0, 0x410fd490) && core(&s, 5, 0x411fd400) && core(&s, 1, 0) && s.nr_cores == 2, "cores_of_registers");
	v9_session_close(&s);
	for (unsigned int i = 0; i < 3; i++) {
		begin(CAP_SAMPLE);
		c.cpuid = ((const char *[]){ "0x00000000410fd0c0", "GenuineIntel-6", "0x410fd0c0," })[i];
		cap_info(&c, PD_AUXTRACE_ARM_SPE);
		open_it(&s);
		tap_ok(core(&s, 3, i ? 0 : 0x410fd0c0) && core(&s, V9_NO_TASK, i ? 0 : 0x410fd0c0), "core_of_cpuid_%u", i);
		v9_session_close(&s);
	}
}

#define BLOCK	UINT64_C(0x1010101010101010)
#define V2(cpu)	BLOCK, cpu, 3, 0x100 + (cpu), 9, 256
#define OLD(cpu, enabled)	BLOCK, cpu, 256, 0x100 + (cpu), enabled

/* Blocks of CPUs up to the number, the end, or one that is none. Those of CPUs that are off are passed over. */
static void spe_blocks(void)
{
	static const struct { const char *name, *cores; size_t n; uint64_t w[24]; } rows[] = {
		{ "second_version", "4 5 ", 17, { 4, 2, 4, 9, 2, V2(4), V2(5) } },
		{ "longer_header", "4 5 ", 18, { 4, 2, 5, 9, 2, 77, V2(4), V2(5) } },
		{ "longer_block", "4 5 ", 18, { 4, 2, 4, 9, 2, BLOCK, 4, 4, 0x104, 9, 256, 77, V2(5) } },
		{ "shorter_block", "4 5 ", 13, { 4, 2, 4, 9, 2, BLOCK, 4, 1, 0x104, BLOCK, 5, 1, 0x105 } },
		{ "no_block", "4 ", 17, { 4, 2, 4, 9, 2, V2(4), 1, 5, 3, 0x105, 9, 256 } },
		{ "cut_block", "4 ", 14, { 4, 2, 4, 9, 2, V2(4), BLOCK, 5, 3 } },
		{ "header_beyond_the_end", "", 11, { 4, 2, 50, 9, 2, V2(4) } },
		{ "android", "4 6 ", 19, { 4, 1, UINT64_C(9) << 32 | 3, 0, OLD(4, 1), OLD(5, 0), OLD(6, 1) } },
		{ "android_number", "4 5 ", 19, { 4, 1, UINT64_C(9) << 32 | 2, 0, OLD(4, 1), OLD(5, 1), OLD(6, 1) } },
		{ "android_no_block", "4 ", 19, { 4, 1, UINT64_C(9) << 32 | 3, 0, OLD(4, 1), 1, 5, 256, 0x105, 1, OLD(6, 1) } },
		{ "android_cut_block", "4 ", 13, { 4, 1, UINT64_C(9) << 32 | 3, 0, OLD(4, 1), OLD(5, 1) } },
		{ "first_version", "", 3, { 4, 9, 1 } },
		{ "cut_header", "", 2, { 4, 8 } },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		const bool cut = rows[i].n < 3;
		struct v9_session s;
		char got[64] = "";
		bool ids = true;

		begin(CAP_SAMPLE);
		cap_record(&c, PD_REC_AUXTRACE_INFO, 0, rows[i].w, 8 * rows[i].n);
		open_it(&s);
		for (size_t k = 0; k < s.nr_cores; k++) {
			snprintf(got + strlen(got), 8, "%u ", s.cores[k].cpu);
			ids &= s.cores[k].midr == 0x100 + s.cores[k].cpu;
		}
		tap_ok(!strcmp(got, rows[i].cores) && ids, "%s", rows[i].name);
		tap_ok(cut || s.pmu_type[V9_KIND_SPE] == 9, "%s_pmu", rows[i].name);
		tap_eq(s.spe_version, cut ? 0 : rows[i].n > 3 && rows[i].w[1] == 2 ? 2 : 1, "%s_version", rows[i].name);
		v9_session_close(&s);
	}
}

static void absences(void)
{
	static const struct { const char *arch; uint32_t type; const char *spe; } rows[] = {
		{ "aarch64", 0, "holds no SPE data: record with" }, { "arm64", 0, "holds no SPE data: record with" },
		{ "x86_64", 0, "was recorded on another architecture" },
		{ "s", 0, "was recorded on another architecture" }, { NULL, 0, "holds no SPE data: record with" },
		{ "x86_64", 1, "holds a trace of Intel PT, not SPE" }, { "x86_64", 2, "holds a trace of Intel BTS, not SPE" },
		{ "aarch64", 6, "holds a trace of HiSilicon's PCIe unit (PTT), not SPE" },
		{ "aarch64", 8, "holds a trace of a unit that this program does not know, not SPE" },
		{ "ppc64le", 7, "holds a dispatch trace log of POWER, not SPE" },
		{ "x86_64", PD_AUXTRACE_ARM_SPE, NULL },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		struct v9_session s;
		const char *why;

		begin(CAP_SAMPLE);
		c.arch = rows[i].arch;
		cap_comm(&c, 10, 11, "any", 0);
		if (rows[i].type)
			cap_info(&c, rows[i].type);
		open_it(&s);
		why = v9_session_no_spe(&s);
		tap_ok(rows[i].spe ? why && !strncmp(why, rows[i].spe, strlen(rows[i].spe)) : !why, "no_spe_%zu", i);
		why = v9_session_no_ete(&s);
		tap_ok(why && !strncmp(why, "holds no trace of instructions", 30), "no_ete_%zu", i);
		tap_ok(v9_session_no_branches(&s), "no_branches_%zu", i);
		v9_session_close(&s);
	}
}

/* Identifiers of objects: a section of records, one after the other, up to one that is cut */
static void build_ids(void)
{
	static const char *const names[] = { "/bin/first", "/bin/second", "/bin/third" };
	struct pd_build_id b = { .header = { .misc = PD_CPUMODE_USER }, .id = { 1, 2, 3 }, .id_size = 8 };
	const size_t head = offsetof(struct pd_build_id, name);

	for (unsigned int less = 0; less < 2; less++) {
		struct pd_range range;
		struct v9_session s;
		uint64_t bits = 1 << PD_BUILD_ID;

		begin(CAP_SAMPLE);
		for (unsigned int i = 0; i < 3; i++)
			cap_mmap2(&c, 10, 0x10000 * (i + 1), 0x1000, 0, names[i], NULL);
		cap_close(&c);
		range.offset = c.n + sizeof(range);
		range.size = 3 * (head + 16) - less;
		cap_put(&c, &range, sizeof(range));
		for (unsigned int i = 0; i < 3; i++) {
			char name[16] = "";

			b.header.size = (uint16_t)(head + sizeof(name));
			b.header.misc = i == 1 ? PD_BUILD_ID_SIZE_VALID | PD_CPUMODE_USER : PD_CPUMODE_USER;
			b.id[0] = (uint8_t)(i + 1);
			strcpy(name, names[i]);
			cap_put(&c, &b, head);
			cap_put(&c, name, sizeof(name));
		}
		memcpy(c.b + offsetof(struct pd_header, features), &bits, 8);
		open_bytes(&s);
		for (unsigned int i = 0; i < 3; i++) {
			const struct v9_dso *d = v9_syms_dso(&s.syms, v9_strtab_put(&s.strtab, names[i], strlen(names[i])));

			tap_ok(d->build_id_size == (i == 2 && less ? 0 : i == 1 ? 8 : 20) &&
			       (!d->build_id_size || (d->build_id[0] == i + 1 && d->build_id[1] == 2)), "build_id_%u_%u", i, less);
		}
		v9_session_close(&s);
	}
}

/* Samples: by time, and their control groups if thread and time are known */
static void samples(void)
{
	struct v9_session s;
	const char *group;

	begin(CAP_SAMPLE | PERF_SAMPLE_CGROUP);
	cap_cgroup(&c, 500, "/group");
	c.time = 3000;
	cap_in_cgroup(&c, 500);
	c.time = 2000;
	c.cpu = 70;
	cap_in_cgroup(&c, 500);
	cap_sample(&c, 0, (uint64_t[]){ 100, 1 }, 16);		/* cut */
	c.time = 2500;
	cap_sample(&c, 0, (uint64_t[]){ 100, UINT64_C(11) << 32 | 10, c.time, 2, 500, 1 }, 48);	/* longer */
	open_it(&s);
	tap_ok(s.nr_samples == 3 && s.samples[0].time == 2000 && s.samples[1].time == 2500 && s.samples[2].time == 3000 &&
	       s.samples[2].offset < s.samples[0].offset, "samples_by_time");
	tap_ok(s.lost.unreadable == 1 && s.lost.longer == 1, "samples_that_are_wrong");
	tap_ok(s.sample_cpus[0] == 1 << 2 && s.sample_cpus[1] == 1 << 6, "cpus_of_samples");
	group = v9_cgroups_path(&s.cgroups, 11, 3000);
	tap_ok(group && !strcmp(group, "/group"), "group_of_a_thread");
	v9_session_close(&s);
}

/* A capture in a section of another one: closing it does not take the bytes of that one. */
static void inner(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct pd_file outer = { .size = 2 * page }, f;
	uint8_t *p;

	begin(CAP_SAMPLE);
	cap_comm(&c, 10, 11, "inner", 0);
	cap_close(&c);
	p = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED || c.n > page)
		abort();
	memcpy(p + page, c.b, c.n);
	outer.map = p;
	outer.sections[PD_BUILD_ID] = (struct pd_range){ .offset = page, .size = c.n };
	tap_ok(!pd_open_inner(&f, &outer, PD_BUILD_ID) && f.map == p + page && f.size == c.n, "inner");
	pd_close(&f);
	tap_eq(msync(p + page, page, MS_ASYNC), 0, "inner_is_still_there");
	munmap(p, 2 * page);
}

int main(void)
{
	losses();
	aux();
	switches();
	sample_ids();
	names();
	mappings();
	conversion();
	units();
	cores();
	spe_blocks();
	absences();
	build_ids();
	samples();
	inner();
	free(c.b);
	return tap_done();
}
