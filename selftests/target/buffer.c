// SPDX-License-Identifier: GPL-2.0-only
/*
 * The AUX buffer of either unit: wraps, limits, early and late readers, tasks that migrate, fork and
 * exit. What only one of them does is in spe_buffer.c and ete_buffer.c.
 */
#define _GNU_SOURCE
#include "harness.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

#include "pressure.h"
#include "spe.h"
#include "watch_unit.h"
#include "work.h"

#define MOST_CPUS	8

/* Sessions that wrap a buffer of so many pages: @pieces calls of spin(@piece) */
struct wrapping {
	unsigned int pages;
	uint64_t piece;			/* SPE: in halves of the smallest interval */
	unsigned int pieces;
};

/* Attributes of an event, and one that fills its buffer quickly */
FIXTURE(buffer)
{
	struct unit unit;
	const struct watch_unit *of;
	struct perf_event_attr attr, dense;
};

FIXTURE_VARIANT(buffer)
{
	const struct watch_unit *of;
	uint64_t config;		/* added to the dense event where the buffer wraps */
	struct wrapping two_pages, four_pages, near_the_limit;
};

FIXTURE_VARIANT_ADD(buffer, spe)
{
	.of = &watch_spe,
	.config = 1,			/* ts_enable: records of more bytes */
	.two_pages = { 2, 20, 60 },
	.four_pages = { 4, 77, 20 },
	.near_the_limit = { 2, 1, 1500 },
};

FIXTURE_VARIANT_ADD(buffer, ete)
{
	.of = &watch_ete,
	.two_pages = { 2, 1500, 60 },
	.four_pages = { 4, 4000, 30 },
	.near_the_limit = { 2, 20, 500 },
};

FIXTURE_SETUP(buffer)
{
	self->of = variant->of;
	NEED_SESSION_OF(self->of, &self->unit);
	self->of->attr(&self->unit, &self->attr);
	self->of->dense(&self->unit, &self->dense);
}

FIXTURE_TEARDOWN(buffer)
{
}

/* Decode all data of @ring. */
static struct recorded recorded_of(struct __test_metadata *_metadata,
				   const FIXTURE_DATA(buffer) *self,
				   const struct perf_event_attr *attr, struct ring *ring)
{
	struct recorded got = { 0 };
	const char *why = self->of->decode(&self->unit, attr, ring, &got);

	EXPECT_EQ(NULL, ring->wrong) TH_LOG("%s", ring->wrong);
	EXPECT_EQ(NULL, why) TH_LOG("%s", why);
	return got;
}

/* End a session: stop it, collect and decode its data. */
static struct recorded finish(struct __test_metadata *_metadata, const FIXTURE_DATA(buffer) *self,
			      const struct perf_event_attr *attr, struct ring *ring)
{
	EXPECT_EQ(0, ring_disable(ring));
	EXPECT_EQ(0, ring_drain(ring));
	return recorded_of(_metadata, self, attr, ring);
}

#define RECORDED(attr, ring)	recorded_of(_metadata, self, &(attr), &(ring))
#define END_SESSION(attr, ring)	finish(_metadata, self, &(attr), &(ring))

/* No data are lost where a unit stops, at half of the buffer: the data are shorter. */
static unsigned int pages_for(const FIXTURE_DATA(buffer) *self, unsigned int pages)
{
	return watch_pages(self->of, &self->unit, pages);
}

/*
 * @want instructions of spin() were executed, in @pieces calls. A trace contains each of them once.
 * A sample stands for an interval, so each call may have one sample more or less.
 */
static void expect_spin(struct __test_metadata *_metadata, const FIXTURE_DATA(buffer) *self,
			uint64_t want, unsigned int pieces, struct recorded got)
{
	uint64_t interval = self->of->interval(&self->attr), slack = (pieces + 2) * interval;

	if (self->of->inexact(&self->unit)) {
		EXPECT_GE(got.spin, 100 * interval);
	} else if (interval == 1) {
		EXPECT_EQ(want, got.spin);
	} else {
		EXPECT_GE(got.spin + slack, want);
		EXPECT_LE(got.spin, want + slack);
	}
}

/*
 * Likewise, of a session that is stopped and started between the calls, with at most @others
 * instructions elsewhere. The interval continues where it was stopped, so no sample is missing.
 */
static void expect_all(struct __test_metadata *_metadata, const FIXTURE_DATA(buffer) *self,
		       uint64_t want, uint64_t others, struct recorded got)
{
	uint64_t interval = self->of->interval(&self->attr);

	if (self->of->inexact(&self->unit) || interval == 1) {
		expect_spin(_metadata, self, want, 1, got);
	} else {
		EXPECT_GE(got.all + 2 * interval, want);
		EXPECT_LE(got.all, want + others + 8 * interval);
	}
}

#define EXPECT_SPIN(want, pieces, got)	expect_spin(_metadata, self, want, pieces, got)
#define EXPECT_ALL(want, others, got)	expect_all(_metadata, self, want, others, got)

/* A new buffer contains no data of earlier users of its pages. */
TEST_F(buffer, fresh_buffer_is_clean)
{
	struct ring ring;
	size_t dirty = 0;

	ASSERT_EQ(0, ring_open(&ring, &self->attr, 0, -1, 256, 0));
	for (size_t i = 0; i < ring.aux_size; i++)
		dirty += ring.aux[i] != 0;
	EXPECT_EQ(0, dirty);
	EXPECT_EQ(0, ring.page->aux_head);
	ring_close(&ring);
}

/*
 * A reader empties the buffer between the recordings. For all sizes and all positions of head,
 * each window begins at an address that the unit permits. SPE loses no data. ETE loses only data
 * with a flag: a window that fills up loses the trace until its interrupt, less than half a piece. With
 * wrong paths in the trace it may be a whole one: less than a tenth of all.
 * shows: SPE-PB1 SPE-PB2 SPE-PB3 SPE-CS3 SPE-CS5 TRBE-PT1 TRBE-PT2 TRBE-PT5 TRBE-UN1 TRBE-UN5
 */
static void wrap_many_times(struct __test_metadata *_metadata, const FIXTURE_DATA(buffer) *self,
			    uint64_t config, const struct wrapping *w)
{
	/* The size of a buffer depends on the page size. */
	unsigned int pieces = w->pieces * (sysconf(_SC_PAGESIZE) / 4096), cut = 0;
	uint64_t piece = w->piece, want;
	struct perf_event_attr attr = self->dense;
	uint64_t interval = self->of->interval(&attr);
	struct recorded got;
	struct ring ring;

	if (interval > 1)
		piece = piece * self->unit.min_interval / 2;
	attr.config |= config;
	spin(10);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, w->pages, 0));
	for (unsigned int i = 0; i < pieces; i++) {
		ASSERT_EQ(0, ring_enable(&ring));
		spin(piece);
		ASSERT_EQ(0, ring_disable(&ring));
		ASSERT_EQ(0, ring_drain(&ring));
	}
	got = RECORDED(attr, ring);
	want = 2 * piece * pieces;
	for (unsigned int i = 0; i < ring.naux; i++)
		cut += !!(ring.piece[i].flags & RING_LOSS);
	TH_LOG("%u pages: %zu bytes, %" PRIu64 " of %" PRIu64 " instructions, %u records, %u with loss",
	       w->pages, ring.nbytes, got.spin, want, ring.naux, cut);
	EXPECT_GE(ring.nbytes, 3 * ring.aux_size);
	EXPECT_EQ(0, ring.nlost);
	if (interval == 1) {
		EXPECT_LE(got.spin, want);
		if (!cut)
			EXPECT_EQ(want, got.spin);
		EXPECT_GE(got.spin + (self->of->speculates(&self->unit) ? want / 10 : cut * piece), want);
	} else {
		EXPECT_EQ(0, ring.flags & RING_LOSS);
	}
	if (interval > 1 && !self->of->inexact(&self->unit)) {
		/* A window becomes full at the watermark, half of the buffer, and at its end. */
		uint64_t lost = spe_in_flight() * (2 * ring.nbytes / ring.aux_size + 2);

		EXPECT_GE(got.all + (2 + lost) * interval, want);
		/* About 300 instructions around each piece are sampled as well. */
		EXPECT_LE(got.all, want + 300ULL * pieces + 2 * interval);
	}
	ring_close(&ring);
}

/* An erratum of the TRBE makes buffers of two pages impossible. */
#define NEED_TWO_PAGES								\
	NEED(!self->of->refuses(&self->unit, 2, 0), "a unit that takes two pages")

TEST_F(buffer, wrap_two_pages)
{
	NEED_TWO_PAGES;
	wrap_many_times(_metadata, self, variant->config, &variant->two_pages);
}

TEST_F(buffer, wrap_four_pages)
{
	wrap_many_times(_metadata, self, variant->config, &variant->four_pages);
}

/* Each stop moves head a little closer to the end, so that all distances occur. */
TEST_F(buffer, stop_and_start_near_the_limit)
{
	NEED_TWO_PAGES;
	wrap_many_times(_metadata, self, variant->config, &variant->near_the_limit);
}

/*
 * The buffer is too small for any reader. Lost data is flagged, and the session continues.
 * shows: SPE-ME6 SPE-ME14 SPE-CS5
 */
TEST_F(buffer, turnover_small_buffer)
{
	bool *stop = new_shared(sizeof(*stop));
	struct recorded got;
	struct worker worker;
	struct ring ring;

	NEED(self->unit.ncpus > 1, "second CPU");
	ASSERT_NE(NULL, stop);
	ASSERT_EQ(0, pin_to(unit_cpu(&self->unit, 0)));
	ASSERT_EQ(0, worker_start(&worker, unit_cpu(&self->unit, 1), spin_until_stop, stop));
	ASSERT_EQ(0, ring_open(&ring, &self->dense, worker.pid, -1, 8, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	/* Do not read until the buffer is full. */
	while (!ring_truncated(&ring))
		usleep(1000);
	for (int i = 0; ring.nbytes < 5 * ring.aux_size; i++) {
		ASSERT_LT(i, 4000)
			TH_LOG("only %zu bytes: no turnover", ring.nbytes);
		ASSERT_EQ(0, ring_continue(&ring));
	}
	*stop = true;
	ASSERT_EQ(0, worker_wait(&worker));
	got = END_SESSION(self->dense, ring);
	EXPECT_TRUE(ring.flags & RING_LOSS);
	EXPECT_GE(got.spin, 10000);
	/* The worker executes little else. */
	EXPECT_GE(got.spin, got.all / 100 * 95);
	ring_close(&ring);
}

/*
 * A session of a CPU, which no task switch restarts. After its buffer was full the event stays
 * off until the reader has made room and enables it.
 */
static void goes_on(struct __test_metadata *_metadata, const FIXTURE_DATA(buffer) *self, bool early)
{
	bool *stop = new_shared(sizeof(*stop));
	struct worker worker;
	struct ring ring;
	size_t before;
	int cpu;

	NEED(self->unit.ours, "%s driver", self->of->driver);
	NEED(self->unit.ncpus > 1, "second CPU");
	NEED_PERFMON();
	cpu = unit_cpu(&self->unit, 1);
	ASSERT_NE(NULL, stop);
	ASSERT_EQ(0, pin_to(unit_cpu(&self->unit, 0)));
	ASSERT_EQ(0, worker_start(&worker, cpu, spin_until_stop, stop));
	ASSERT_EQ(0, ring_open(&ring, &self->dense, -1, cpu, 8, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	for (int i = 0; !ring_truncated(&ring); i++) {
		ASSERT_LT(i, 60000);
		usleep(1000);
	}
	if (early)
		ASSERT_EQ(0, ring_enable(&ring));
	usleep(50000);
	ASSERT_EQ(0, ring_drain(&ring));
	before = ring.nbytes;
	for (int i = 0; ring.nbytes < before + 3 * ring.aux_size; i++) {
		ASSERT_LT(i, 1000)
			TH_LOG("%zu bytes, then %zu", before, ring.nbytes - before);
		ASSERT_EQ(0, ring_continue(&ring));
	}
	*stop = true;
	ASSERT_EQ(0, worker_wait(&worker));
	ring_close(&ring);
}

TEST_F(buffer, full_buffer_of_cpu_session)
{
	goes_on(_metadata, self, false);
}

/* The event is enabled while the buffer is still full. */
TEST_F(buffer, full_when_switched_on)
{
	goes_on(_metadata, self, true);
}

/* Without a reader: the loss is flagged, and unread data is not overwritten. shows: SPE-PB15 */
TEST_F(buffer, overrun_is_flagged)
{
	const uint64_t page = sysconf(_SC_PAGESIZE) / 4096;
	/* Enough to fill four pages, and about 20 intervals of SPE */
	const uint64_t much = (500000 + 500ULL * self->unit.min_interval) * page;
	const uint64_t some = 1000 + 10ULL * self->unit.min_interval;
	struct recorded before, got;
	struct ring ring;
	uint64_t head;
	uint8_t *copy;

	ASSERT_EQ(0, ring_open(&ring, &self->dense, 0, -1, 4, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(much);
	head = __atomic_load_n(&ring.page->aux_head, __ATOMIC_ACQUIRE);
	/* Where buffers have at least four pages, a page at an end of the window may stay empty. */
	EXPECT_GE(head, ring.aux_size / 2 + !self->of->refuses(&self->unit, 2, 0));
	EXPECT_LE(head, ring.aux_size);
	copy = malloc(ring.aux_size);
	ASSERT_NE(NULL, copy);
	memcpy(copy, ring.aux, head);
	spin(much / 10);
	ASSERT_EQ(0, ring_disable(&ring));
	EXPECT_EQ(0, memcmp(copy, ring.aux, head));
	ASSERT_EQ(0, ring_drain(&ring));
	before = RECORDED(self->dense, ring);
	EXPECT_TRUE(ring.flags & PERF_AUX_FLAG_TRUNCATED);
	EXPECT_GE(before.spin, 1000);
	EXPECT_LT(before.spin, 2 * much);

	/* With room in the buffer the session continues after a disable and enable. */
	ASSERT_EQ(0, ring_enable(&ring));
	spin(some);
	got = END_SESSION(self->dense, ring);
	if (self->of->interval(&self->dense) == 1)
		EXPECT_EQ(before.spin + 2 * some, got.spin);
	EXPECT_GE(got.all + 3 * self->of->interval(&self->dense), before.all + 2 * some);
	free(copy);
	ring_close(&ring);
}

/*
 * poll() returns repeatedly while the task runs, before the buffer is full. The event is bound to
 * a CPU, so no context switch ends its windows.
 */
TEST_F(buffer, wakeup_at_watermark)
{
	bool *stop = new_shared(sizeof(*stop));
	struct perf_event_attr attr = self->dense;
	struct worker worker;
	struct ring ring;
	int cpu;

	NEED(self->unit.ncpus > 1, "second CPU");
	NEED_PERFMON();
	cpu = unit_cpu(&self->unit, 1);
	ASSERT_NE(NULL, stop);
	ASSERT_EQ(0, pin_to(unit_cpu(&self->unit, 0)));
	ASSERT_EQ(0, worker_start(&worker, cpu, spin_until_stop, stop));
	attr.aux_watermark = 32768;
	ASSERT_EQ(0, ring_open(&ring, &attr, -1, cpu, 1024, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	while (ring.nbytes < 8 * attr.aux_watermark) {
		struct pollfd wait = { .fd = ring.fd, .events = POLLIN };

		ASSERT_EQ(1, poll(&wait, 1, 20000));
		ASSERT_EQ(0, ring_drain(&ring));
		ASSERT_EQ(0, ring_enable(&ring));
	}
	*stop = true;
	ASSERT_EQ(0, worker_wait(&worker));
	END_SESSION(attr, ring);
	TH_LOG("%u AUX records, the largest of %" PRIu64 " bytes", ring.naux, ring.largest);
	EXPECT_LE(ring.largest, ring.aux_size / 4);
	ring_close(&ring);
}

/*
 * One event and one busy process per CPU; each buffer has the data of its process.
 * shows: SPE-MT1 ETE-R_KBZTZ
 */
TEST_F(buffer, each_cpu)
{
	int n = self->unit.ncpus < MOST_CPUS ? self->unit.ncpus : MOST_CPUS;
	struct spin_job job[MOST_CPUS];
	struct worker worker[MOST_CPUS];
	struct ring ring[MOST_CPUS];

	NEED_PERFMON();
	for (int i = 0; i < n; i++) {
		int cpu = unit_cpu(&self->unit, i);

		job[i].n = 500000 + 20000 * i;
		ASSERT_EQ(0, ring_open(&ring[i], &self->attr, -1, cpu, 512, 0));
		ASSERT_EQ(0, worker_start(&worker[i], cpu, spin_work, &job[i]));
	}
	for (int i = 0; i < n; i++)
		ASSERT_EQ(0, ring_enable(&ring[i]));
	for (int i = 0; i < n; i++)
		worker_go(&worker[i]);
	for (int i = 0; i < n; i++)
		ASSERT_EQ(0, worker_wait(&worker[i]));
	/* Disable all events before decoding, which would be recorded as well. */
	for (int i = 0; i < n; i++)
		ASSERT_EQ(0, ring_disable(&ring[i]));
	for (int i = 0; i < n; i++) {
		ASSERT_EQ(0, ring_drain(&ring[i]));
		EXPECT_EQ(0, ring[i].flags & RING_LOSS);
		EXPECT_SPIN(2 * job[i].n, 1, RECORDED(self->attr, ring[i]));
		ring_close(&ring[i]);
	}
}

/*
 * A migrating task: no instruction is missing or recorded twice. The interval counter of SPE is
 * saved and restored when the task is switched, on the same CPU or another.
 * shows: SPE-SI8 SPE-CS8 ETE-S_VKHHY ETE-S_PKLXF
 */
TEST_F(buffer, migrating_task)
{
	const uint64_t part = 10000;
	const unsigned int moves = 60;
	struct recorded got;
	struct ring ring;

	NEED(self->unit.ncpus > 1, "second CPU");
	ASSERT_EQ(0, ring_open(&ring, &self->attr, 0, -1, pages_for(self, 256), 0));
	ASSERT_EQ(0, ring_enable(&ring));
	for (unsigned int i = 0; i < moves; i++) {
		ASSERT_EQ(0, pin_to(unit_cpu(&self->unit, i % 2)));
		spin(part);
	}
	got = END_SESSION(self->attr, ring);
	/* A task switch writes only the AUX records of its data. */
	if (self->unit.ours)
		EXPECT_EQ(0, ring.nstart);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	EXPECT_ALL(2 * part * moves, 300 * moves, got);
	ring_close(&ring);
}

#define TURNS		400

static void spin_and_yield(void *arg)
{
	struct spin_job *job = arg;

	for (unsigned int i = 0; i < TURNS; i++) {
		spin(job->n);
		sched_yield();
	}
}

/*
 * Two tasks alternate on one CPU. Each buffer contains only the data of its task, and each task has
 * its own interval of SPE. With a workaround for an erratum each window takes a page or two of its own.
 * shows: SPE-SI14 SPE-CS8
 */
TEST_F(buffer, two_tasks_on_one_cpu)
{
	struct spin_job job[2] = { { .n = 2000 }, { .n = 3400 } };
	int cpu = unit_cpu(&self->unit, self->unit.ncpus - 1);
	struct worker worker[2];
	struct ring ring[2];

	NEED(!self->of->inexact(&self->unit), "%s", self->of->inexact(&self->unit));
	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(0, worker_start(&worker[i], cpu, spin_and_yield, &job[i]));
		ASSERT_EQ(0, ring_open(&ring[i], &self->attr, worker[i].pid, -1, 1024, 0));
		ASSERT_EQ(0, ring_enable(&ring[i]));
	}
	for (int i = 0; i < 2; i++)
		worker_go(&worker[i]);
	for (int i = 0; i < 2; i++)
		ASSERT_EQ(0, worker_wait(&worker[i]));
	for (int i = 0; i < 2; i++) {
		struct recorded got = END_SESSION(self->attr, ring[i]);

		EXPECT_EQ(0, ring[i].flags & RING_LOSS);
		EXPECT_ALL(2 * TURNS * job[i].n, 100 * TURNS, got);
		ring_close(&ring[i]);
	}
}

static void fork_three(void *arg)
{
	struct spin_job *job = arg;

	for (int i = 0; i < 3; i++) {
		pid_t pid = fork();

		if (!pid) {
			spin(job->n);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
}

/* Child processes are recorded, into the buffer of the CPU they run on. */
TEST_F(buffer, children_inherit)
{
	struct spin_job job = { .n = 300000 };
	struct recorded got, total = { 0 };
	struct perf_event_attr attr = self->attr;
	struct ring ring[MOST_CPUS];
	struct worker worker;

	NEED(self->unit.ncpus <= MOST_CPUS, "machine of at most %d CPUs", MOST_CPUS);
	attr.inherit = 1;
	ASSERT_EQ(0, worker_start(&worker, -1, fork_three, &job));
	for (int i = 0; i < self->unit.ncpus; i++) {
		ASSERT_EQ(0, ring_open(&ring[i], &attr, worker.pid, unit_cpu(&self->unit, i), 512,
				       0));
		ASSERT_EQ(0, ring_enable(&ring[i]));
	}
	worker_go(&worker);
	ASSERT_EQ(0, worker_wait(&worker));
	for (int i = 0; i < self->unit.ncpus; i++) {
		got = END_SESSION(attr, ring[i]);
		EXPECT_EQ(0, ring[i].flags & RING_LOSS);
		total.spin += got.spin;
		ring_close(&ring[i]);
	}
	EXPECT_SPIN(3 * 2 * job.n, 3, total);
}

static void spin_and_exec(void *arg)
{
	(void)arg;
	spin(200000);
	dup2(open("/dev/null", O_WRONLY), 2);
	execl("/proc/self/exe", "buffer", "-l", NULL);
	_exit(9);
}

/* The address space is replaced during the session. shows: SPE-CS9 */
TEST_F(buffer, exec_while_recording)
{
	struct worker worker;
	struct recorded got;
	struct ring ring;
	int status;

	ASSERT_EQ(0, worker_start(&worker, -1, spin_and_exec, NULL));
	ASSERT_EQ(0, ring_open(&ring, &self->attr, worker.pid, -1, 256, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	status = worker_wait(&worker);
	EXPECT_TRUE(status == KSFT_SKIP || !status) TH_LOG("status %d", status);
	got = END_SESSION(self->attr, ring);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	EXPECT_SPIN(400000, 1, got);
	/* The new program is recorded as well; its startup alone is some thousand instructions. */
	EXPECT_GE(got.all, got.spin + 2000);
	ring_close(&ring);
}

/* Without an AUX buffer nothing is written. After it is mapped the same event records. */
TEST_F(buffer, enable_without_buffer)
{
	struct ring ring;

	ASSERT_EQ(0, ring_open(&ring, &self->attr, 0, -1, 0, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(200000);
	ASSERT_EQ(0, ring_disable(&ring));
	EXPECT_EQ(0, ring.page->aux_head);
	ASSERT_EQ(0, ring_map_aux(&ring, 64, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(100000);
	EXPECT_SPIN(200000, 1, END_SESSION(self->attr, ring));
	ring_close(&ring);
}

/* The buffer is unmapped while the unit writes to it. shows: SPE-PB22 */
TEST_F(buffer, unmap_while_running)
{
	struct ring ring;

	ASSERT_EQ(0, ring_open(&ring, &self->attr, 0, -1, 64, 0));
	for (int i = 0; i < 10; i++) {
		ASSERT_EQ(0, ring_enable(&ring));
		spin(20000);
		ring_unmap_aux(&ring);
		spin(20000);
		ASSERT_EQ(0, ring_disable(&ring));
		ring.page->aux_tail = ring.page->aux_head;
		ASSERT_EQ(0, ring_map_aux(&ring, 64, 0));
	}
	ring_close(&ring);

	ASSERT_EQ(0, ring_open(&ring, &self->attr, 0, -1, 64, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(100000);
	EXPECT_SPIN(200000, 1, END_SESSION(self->attr, ring));
	ring_close(&ring);
}

/*
 * The same with a task on another CPU, at any time, also while the other CPU disables the event
 * because the buffer is full.
 */
TEST_F(buffer, close_while_other_runs)
{
	static bool never;
	struct worker worker;
	struct ring ring;

	NEED(self->unit.ncpus > 1, "second CPU");
	ASSERT_EQ(0, pin_to(unit_cpu(&self->unit, 0)));
	ASSERT_EQ(0, worker_start(&worker, unit_cpu(&self->unit, 1), spin_until_stop, &never));
	worker_go(&worker);
	for (int i = 0; i < 200; i++) {
		ASSERT_EQ(0, ring_open(&ring, &self->attr, worker.pid, -1, 16, 0));
		ASSERT_EQ(0, ring_enable(&ring));
		spin(500 + i * 7919 % 20000);
		if (i & 1)
			ring_unmap_aux(&ring);
		ring_close(&ring);
	}
	kill(worker.pid, SIGKILL);
	EXPECT_EQ(128 + SIGKILL, worker_wait(&worker));
}

static void spin_and_die(void *arg)
{
	spin_work(arg);
	raise(SIGKILL);
}

/* The task is killed during the session. Its data is kept. */
TEST_F(buffer, task_killed)
{
	struct spin_job job = { .n = 300000 };
	struct worker worker;
	struct ring ring;

	ASSERT_EQ(0, worker_start(&worker, -1, spin_and_die, &job));
	ASSERT_EQ(0, ring_open(&ring, &self->attr, worker.pid, -1, pages_for(self, 128), 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	EXPECT_EQ(128 + SIGKILL, worker_wait(&worker));
	EXPECT_SPIN(2 * job.n, 1, END_SESSION(self->attr, ring));
	ring_close(&ring);
}

/* A thread with its own session */
struct thread_job {
	const FIXTURE_DATA(buffer) *self;
	uint64_t n;
	struct recorded got;
	const char *why;
};

static void *thread_session(void *arg)
{
	struct thread_job *job = arg;
	const struct perf_event_attr *attr = &job->self->attr;
	struct ring ring;

	job->why = "no session";
	if (ring_open(&ring, attr, 0, -1, pages_for(job->self, 64), 0))
		return NULL;
	if (!ring_enable(&ring)) {
		spin(job->n);
		if (!ring_disable(&ring) && !ring_drain(&ring))
			job->why = job->self->of->decode(&job->self->unit, attr, &ring, &job->got);
	}
	ring_close(&ring);
	return NULL;
}

TEST_F(buffer, sessions_of_threads)
{
	struct thread_job job[6];
	pthread_t thread[6];

	/* The decoder of ETE looks up the code of this program in its first run. */
	job[0] = (struct thread_job){ .self = self, .n = 10 };
	thread_session(&job[0]);
	for (int i = 0; i < 6; i++) {
		job[i] = (struct thread_job){ .self = self, .n = 150000 + 5000 * i };
		ASSERT_EQ(0, pthread_create(&thread[i], NULL, thread_session, &job[i]));
	}
	for (int i = 0; i < 6; i++) {
		ASSERT_EQ(0, pthread_join(thread[i], NULL));
		EXPECT_EQ(NULL, job[i].why) TH_LOG("%s", job[i].why);
		EXPECT_SPIN(2 * job[i].n, 1, job[i].got);
	}
}

/*
 * Pages of a running buffer are not reclaimed, not write protected, and their Access flags are
 * not cleared. A unit that does not update the translation tables would fault.
 * shows: TRBE-AT18 TRBE-AT10
 */
TEST_F(buffer, no_fault_under_memory_pressure)
{
	struct ring ring;

	NEED(unit_has(&self->unit, "stats"), "stats/ (%s driver)", self->of->driver);
	pressure_session(_metadata, &self->unit, &self->attr, &ring);
	RECORDED(self->attr, ring);
	ring_close(&ring);
}

/* Buffers of many sizes, ordinary and overwritten */
TEST_F(buffer, many_open_and_close)
{
	struct ring ring;

	for (int i = 0; i < 200; i++) {
		unsigned int pages = 2U << i % 6;
		bool refused = self->of->refuses(&self->unit, pages, i & 1);

		ASSERT_EQ(refused ? -ENOMEM : 0, ring_open(&ring, &self->attr, 0, -1, pages, i & 1));
		if (refused)
			continue;
		if (i % 3)
			ASSERT_EQ(0, ring_enable(&ring));
		spin(500);
		ring_close(&ring);
	}
}

TEST_HARNESS_MAIN
