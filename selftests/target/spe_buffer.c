// SPDX-License-Identifier: GPL-2.0-only
/* The AUX buffer: wraps, limits, early and late readers, tasks that migrate, fork and exit. */
#include "harness.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "machine.h"
#include "pressure.h"
#include "spe.h"
#include "work.h"

/* The samples of n rounds of spin(), one per period + 1 instructions. */
static uint64_t samples(uint64_t n, uint64_t period)
{
	return 2 * n / (period + 1);
}

/*
 * The unit loses the records that it still holds when its buffer becomes full, without a flag
 * (SPE-ME3). Their maximum number is implementation defined; V9_IN_FLIGHT is that of the model.
 */
static unsigned int in_flight(void)
{
	const char *text = getenv("V9_IN_FLIGHT");

	return text ? atoi(text) : 1;
}

/* A new buffer contains no data of earlier users of its pages. */
TEST(fresh_buffer_is_clean)
{
	struct perf_event_attr attr;
	struct ring ring;
	size_t dirty = 0;

	NEED_SESSION(unit);
	spe_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 256, 0));
	for (size_t i = 0; i < ring.aux_size; i++)
		dirty += ring.aux[i] != 0;
	EXPECT_EQ(0, dirty);
	EXPECT_EQ(0, ring.page->aux_head);
	ring_close(&ring);
}

/*
 * A reader that empties the buffer between the recordings loses no data, for all sizes and all
 * positions of head.
 * shows: SPE-PB1 SPE-PB2 SPE-PB3 SPE-CS3 SPE-CS5
 */
static void wrap_many_times(struct __test_metadata *_metadata, const struct unit *unit,
			    unsigned int pages, uint64_t piece, unsigned int pieces)
{
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;
	uint64_t want;

	/* The size of a buffer depends on the page size. */
	pieces *= sysconf(_SC_PAGESIZE) / 4096;
	spe_attr(unit, &attr);
	attr.sample_period = unit->min_interval;
	attr.config = 1;
	want = samples(piece * pieces, attr.sample_period);
	spin(10);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, pages, 0));
	for (unsigned int i = 0; i < pieces; i++) {
		ASSERT_EQ(0, ring_enable(&ring));
		spin(piece);
		ASSERT_EQ(0, ring_disable(&ring));
		ASSERT_EQ(0, ring_drain(&ring));
	}
	DECODE(ring, recs);
	TH_LOG("%u pages: %zu bytes, %zu of %" PRIu64 " records, %u AUX records, flags %#" PRIx64,
	       pages, ring.nbytes, recs.n, want, ring.naux, ring.flags);
	EXPECT_GE(ring.nbytes, 3 * ring.aux_size);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	EXPECT_EQ(0, ring.nlost);
	if (unit->arch_inst) {
		/* A window becomes full at the watermark, half of the buffer, and at its end. */
		EXPECT_GE(recs.n + 2 + in_flight() * (2 * ring.nbytes / ring.aux_size + 2), want);
		/* About 300 instructions around each piece are sampled as well. */
		EXPECT_LE(recs.n, want + 300ULL * pieces / attr.sample_period + 2);
	}
	spe_free(&recs);
	ring_close(&ring);
}

TEST(wrap_two_pages)
{
	NEED_SESSION(unit);
	wrap_many_times(_metadata, &unit, 2, 20ULL * unit.min_interval / 2, 60);
}

TEST(wrap_four_pages)
{
	NEED_SESSION(unit);
	wrap_many_times(_metadata, &unit, 4, 77ULL * unit.min_interval / 2, 20);
}

/* Each stop moves head a little closer to the end, so that all distances occur. */
TEST(stop_and_start_near_the_limit)
{
	NEED_SESSION(unit);
	wrap_many_times(_metadata, &unit, 2, unit.min_interval / 2, 1500);
}

/*
 * The buffer becomes full several times between enable and disable, while another CPU reads.
 * Missing data must be flagged.
 * shows: SPE-ME2 SPE-ME6 SPE-CS5 SPE-ME14
 */
/* If the buffer was full the kernel has disabled the event: enable it again. */
static void read_some(struct __test_metadata *_metadata, struct ring *ring)
{
	struct pollfd wait = { .fd = ring->fd, .events = POLLIN };

	poll(&wait, 1, 5);
	ASSERT_EQ(0, ring_drain(ring));
	ASSERT_EQ(0, ring_enable(ring));
}

/* The buffer is too small for any reader. Lost data is flagged, and the session continues. */
TEST(turnover_small_buffer)
{
	struct perf_event_attr attr;
	struct worker worker;
	struct ring ring;
	struct spe_recs recs;
	bool *stop = new_shared(sizeof(bool));

	NEED_SESSION(unit);
	NEED(unit.ncpus > 1, "second CPU");
	ASSERT_NE(NULL, stop);
	ASSERT_EQ(0, pin_to(unit_cpu(&unit, 0)));
	ASSERT_EQ(0, worker_start(&worker, unit_cpu(&unit, 1), spin_until_stop, stop));
	spe_attr(&unit, &attr);
	attr.config = 1;
	ASSERT_EQ(0, ring_open(&ring, &attr, worker.pid, -1, 8, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	for (int i = 0; ring.nbytes < 5 * ring.aux_size; i++) {
		ASSERT_LT(i, 4000)
			TH_LOG("only %zu bytes: no turnover", ring.nbytes);
		read_some(_metadata, &ring);
	}
	*stop = true;
	ASSERT_EQ(0, worker_wait(&worker));
	FINISH(ring, recs);
	EXPECT_GE(spe_in_spin(&recs) + 20, recs.n);
	ring_close(&ring);
}

/*
 * A session of a CPU, which no task switch restarts. After its buffer was full the event stays
 * off until the reader has made room and enables it.
 */
static void goes_on(struct __test_metadata *_metadata, bool early)
{
	struct perf_event_attr attr;
	struct worker worker;
	struct ring ring;
	size_t before;
	bool *stop = new_shared(sizeof(bool));

	NEED_SESSION(unit);
	NEED(unit.ours, "v9_spe driver");
	NEED(unit.ncpus > 1, "second CPU");
	NEED_PERFMON();
	ASSERT_NE(NULL, stop);
	ASSERT_EQ(0, pin_to(unit_cpu(&unit, 0)));
	ASSERT_EQ(0, worker_start(&worker, unit_cpu(&unit, 1), spin_until_stop, stop));
	spe_attr(&unit, &attr);
	attr.sample_period = unit.min_interval;
	ASSERT_EQ(0, ring_open(&ring, &attr, -1, unit_cpu(&unit, 1), 8, 0));
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
		read_some(_metadata, &ring);
	}
	*stop = true;
	ASSERT_EQ(0, worker_wait(&worker));
	ring_close(&ring);
}

TEST(full_buffer_of_cpu_session)
{
	goes_on(_metadata, false);
}

/* The event is enabled while the buffer is still full. */
TEST(full_when_switched_on)
{
	goes_on(_metadata, true);
}

/* Returns true if no data was lost. */
static bool turn_over(struct __test_metadata *_metadata, const struct unit *unit,
		      unsigned int pages, uint64_t n)
{
	struct spin_job job = { .n = n * (sysconf(_SC_PAGESIZE) / 4096) };
	struct perf_event_attr attr;
	struct worker worker;
	struct ring ring;
	struct spe_recs recs;
	uint64_t want, full = 0;
	unsigned int halves = 0;
	bool whole;

	if (unit->ours)
		full = read_number(unit->dir, "stats/full");
	ASSERT_EQ(0, pin_to(unit_cpu(unit, 0)));
	ASSERT_EQ(0, worker_start(&worker, unit_cpu(unit, 1), spin_work, &job));
	spe_attr(unit, &attr);
	attr.config = 1;
	want = samples(job.n, attr.sample_period);
	ASSERT_EQ(0, ring_open(&ring, &attr, worker.pid, -1, pages, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	while (!worker_done(&worker))
		read_some(_metadata, &ring);
	ASSERT_EQ(0, worker_wait(&worker));
	FINISH(ring, recs);
	TH_LOG("%u pages: %zu bytes, %zu of %" PRIu64 " records, %u AUX records, flags %#" PRIx64,
	       pages, ring.nbytes, recs.n, want, ring.naux, ring.flags);
	whole = !(ring.flags & RING_LOSS);
	EXPECT_GE(ring.naux, 2);
	/*
	 * A full window ends at the watermark, each half of the buffer, or at the position of a
	 * late reader.
	 */
	for (unsigned int i = 0; i < ring.naux; i++)
		halves += (ring.piece[i].offset + ring.piece[i].size) % (ring.aux_size / 2) == 0;
	if (unit->ours && whole && !getenv("V9_BUFFER_LIMIT") && !getenv("V9_ONE_RUN"))
		EXPECT_GE(halves * 3, (read_number(unit->dir, "stats/full") - full) * 2);
	if (whole)
		EXPECT_GE(ring.nbytes, 2 * ring.aux_size);
	if (unit->arch_inst) {
		/* Between full and restart nothing is sampled: less than an interval. */
		if (whole)
			EXPECT_GE(recs.n + in_flight() * ring.naux + 2, want);
		EXPECT_LE(recs.n, want + 20);
	}
	spe_free(&recs);
	ring_close(&ring);
	return whole;
}

TEST(turnover_without_loss)
{
	bool whole = false;

	NEED_SESSION(unit);
	NEED(unit.ncpus > 1, "second CPU");
	for (int i = 0; i < 8 && !whole; i++)
		whole = turn_over(_metadata, &unit, 128, 12000000);
	NEED(whole, "reader that keeps up");
}

/* Without a reader: the loss is flagged, unread data is not overwritten. shows: SPE-PB15 */
TEST(overrun_is_flagged)
{
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;
	uint64_t head;
	uint8_t *copy;
	size_t before;

	NEED_SESSION(unit);
	spe_attr(&unit, &attr);
	attr.sample_period = unit.min_interval;
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 4, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(1000ULL * unit.min_interval / 2);
	head = __atomic_load_n(&ring.page->aux_head, __ATOMIC_ACQUIRE);
	EXPECT_GT(head, 0);
	EXPECT_LE(head, ring.aux_size);
	copy = malloc(ring.aux_size);
	ASSERT_NE(NULL, copy);
	memcpy(copy, ring.aux, head);
	spin(1000ULL * unit.min_interval / 2);
	ASSERT_EQ(0, ring_disable(&ring));
	EXPECT_EQ(0, memcmp(copy, ring.aux, head));
	ASSERT_EQ(0, ring_drain(&ring));
	EXPECT_TRUE(ring.flags & PERF_AUX_FLAG_TRUNCATED);
	DECODE(ring, recs);
	EXPECT_GE(recs.n, 10);
	before = recs.n;
	spe_free(&recs);

	/* With room in the buffer the session continues after a disable and enable. */
	ASSERT_EQ(0, ring_enable(&ring));
	spin(20ULL * unit.min_interval / 2);
	FINISH(ring, recs);
	EXPECT_GE(recs.n, before + 18);
	ring_close(&ring);
}

/*
 * A buffer without a reader is filled to its last byte, with padding in the rest of the last
 * window. That byte is reported by the record with the TRUNCATED flag, because no record can
 * follow.
 * shows: SPE-PB1
 */
TEST(filled_to_the_last_byte)
{
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;

	NEED_SESSION(unit);
	NEED(unit.ours, "v9_spe driver");
	NEED(sysconf(_SC_PAGESIZE) == 4096 || getenv("V9_AT"), "machine with granules of 4 KiB");
	spe_attr(&unit, &attr);
	attr.sample_period = unit.min_interval;
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 4, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(ring.aux_size / 16 * unit.min_interval / 2);
	FINISH(ring, recs);
	EXPECT_TRUE(ring.flags & PERF_AUX_FLAG_TRUNCATED);
	EXPECT_EQ(ring.aux_size, ring.nbytes);
	EXPECT_EQ(PERF_AUX_FLAG_TRUNCATED, ring.piece[ring.naux - 1].flags);
	EXPECT_GT(ring.piece[ring.naux - 1].size, 0);
	spe_free(&recs);
	ring_close(&ring);
}

/*
 * The event is off by the time the record with the TRUNCATED flag is visible, so an enable at
 * that moment restarts it. Otherwise the session would stay off.
 */
TEST(enabled_by_woken_reader)
{
	bool *stop = new_shared(sizeof(*stop));
	struct perf_event_attr attr;
	struct worker worker;
	struct ring ring;

	NEED_SESSION(unit);
	NEED(unit.ours, "v9_spe driver");
	NEED(unit.ncpus > 1, "second CPU");
	ASSERT_NE(NULL, stop);
	ASSERT_EQ(0, pin_to(unit_cpu(&unit, 0)));
	ASSERT_EQ(0, worker_start(&worker, unit_cpu(&unit, 1), spin_until_stop, stop));
	spe_attr(&unit, &attr);
	attr.sample_period = unit.min_interval;
	ASSERT_EQ(0, ring_open(&ring, &attr, worker.pid, -1, 4, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	for (int i = 0; i < 200; i++) {
		time_t start = time(NULL);
		bool silent = false;

		while (!silent && !ring_truncated(&ring))
			silent = time(NULL) - start > 20;
		ASSERT_FALSE(silent) TH_LOG("nothing more after %d times", i);
		/* Advance both tails without reading, to save time. */
		ring.page->aux_tail = ring.page->aux_head;
		__atomic_store_n(&ring.page->data_tail, ring.page->data_head, __ATOMIC_RELEASE);
		ASSERT_EQ(0, ring_enable(&ring));
	}
	*stop = true;
	ASSERT_EQ(0, worker_wait(&worker));
	ring_close(&ring);
}

/* Snapshot: the buffer wraps, and the data before head is complete. */
TEST(snapshot)
{
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;
	uint64_t head;

	NEED_SESSION(unit);
	spe_attr(&unit, &attr);
	attr.sample_period = unit.min_interval;
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 4, RING_OVERWRITE));
	ASSERT_EQ(0, ring_enable(&ring));
	/* About five wraps of 16 KiB, with records of about 50 bytes */
	spin(1600ULL * unit.min_interval / 2);
	ASSERT_EQ(0, ring_disable(&ring));
	head = ring.page->aux_head % ring.aux_size;
	ASSERT_EQ(0, spe_decode(ring.aux, head, ring.aux_size, &recs))
		TH_LOG("%s at %zu of %" PRIu64, recs.why, recs.bad_at, head);
	EXPECT_GE(spe_in_spin(&recs) + 8, recs.n);
	spe_free(&recs);
	/* The buffer has wrapped: each page has been written. */
	for (size_t at = 0; at < ring.aux_size; at += 4096) {
		size_t used = 0;

		for (size_t i = at; i < at + 4096; i++)
			used += ring.aux[i] != 0;
		EXPECT_GE(used, 500) TH_LOG("page at %zu: %zu bytes", at, used);
	}
	/* The part behind head decodes as well, from the first complete record on. */
	for (size_t skip = 0; skip <= 2048; skip++) {
		size_t from = head + skip;

		if (from >= ring.aux_size)
			break;
		if (!spe_decode(ring.aux + from, ring.aux_size - from, ring.aux_size, &recs) &&
		    (recs.n == spe_in_spin(&recs) || skip == 2048)) {
			spe_free(&recs);
			break;
		}
		spe_free(&recs);
		ASSERT_LT(skip, 2048) TH_LOG("no record boundary within 2 KiB after head");
	}
	ring_close(&ring);
}

/*
 * poll() returns repeatedly while the task runs, before the buffer is full. The event is bound to
 * a CPU, so no context switch ends its windows.
 */
TEST(wakeup_at_watermark)
{
	struct perf_event_attr attr;
	struct worker worker;
	struct ring ring;
	struct spe_recs recs;
	bool *stop = new_shared(sizeof(bool));

	NEED_SESSION(unit);
	NEED(unit.ncpus > 1, "second CPU");
	NEED_PERFMON();
	ASSERT_NE(NULL, stop);
	ASSERT_EQ(0, pin_to(unit_cpu(&unit, 0)));
	ASSERT_EQ(0, worker_start(&worker, unit_cpu(&unit, 1), spin_until_stop, stop));
	spe_attr(&unit, &attr);
	attr.aux_watermark = 8192;
	ASSERT_EQ(0, ring_open(&ring, &attr, -1, unit_cpu(&unit, 1), 1024, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	while (ring.nbytes < 16 * attr.aux_watermark) {
		struct pollfd wait = { .fd = ring.fd, .events = POLLIN };

		ASSERT_EQ(1, poll(&wait, 1, 20000));
		ASSERT_EQ(0, ring_drain(&ring));
		ASSERT_EQ(0, ring_enable(&ring));
	}
	*stop = true;
	ASSERT_EQ(0, worker_wait(&worker));
	FINISH(ring, recs);
	TH_LOG("%u AUX records, the largest of %" PRIu64 " bytes", ring.naux, ring.largest);
	EXPECT_LE(ring.largest, ring.aux_size / 4);
	ring_close(&ring);
}

/* One event and one busy process per CPU. shows: SPE-MT1 */
TEST(each_cpu)
{
	struct spin_job job = { .n = 2000000 };
	struct worker worker[8];
	struct perf_event_attr attr;
	struct ring ring[8];
	int n;

	NEED_SESSION(unit);
	NEED_PERFMON();
	n = unit.ncpus < 8 ? unit.ncpus : 8;
	spe_attr(&unit, &attr);
	attr.config = 1;
	for (int i = 0; i < n; i++) {
		int cpu = unit_cpu(&unit, i);

		ASSERT_EQ(0, ring_open(&ring[i], &attr, -1, cpu, 512, 0));
		ASSERT_EQ(0, worker_start(&worker[i], cpu, spin_work, &job));
	}
	for (int i = 0; i < n; i++)
		ASSERT_EQ(0, ring_enable(&ring[i]));
	for (int i = 0; i < n; i++)
		worker_go(&worker[i]);
	for (int i = 0; i < n; i++)
		ASSERT_EQ(0, worker_wait(&worker[i]));
	/* Disable all events before decoding, which would be sampled as well. */
	for (int i = 0; i < n; i++)
		ASSERT_EQ(0, ring_disable(&ring[i]));
	for (int i = 0; i < n; i++) {
		struct spe_recs recs;

		COLLECT(ring[i], recs);
		EXPECT_EQ(0, ring[i].flags & RING_LOSS);
		if (unit.arch_inst) {
			EXPECT_GE(spe_in_spin(&recs) + 2, samples(job.n, attr.sample_period));
		} else {
			EXPECT_GE(spe_in_spin(&recs), 100);
		}
		spe_free(&recs);
		ring_close(&ring[i]);
	}
}

/*
 * The interval counter is saved and restored when the task is switched, on the same CPU or
 * another.
 * shows: SPE-SI8 SPE-CS8
 */
TEST(migrating_task)
{
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;
	uint64_t part = 30000, want;
	unsigned int moves = 60;

	NEED_SESSION(unit);
	NEED(unit.ncpus > 1, "second CPU");
	spe_attr(&unit, &attr);
	want = samples(part * moves, attr.sample_period);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 256, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	for (unsigned int i = 0; i < moves; i++) {
		ASSERT_EQ(0, pin_to(unit_cpu(&unit, i % 2)));
		spin(part);
	}
	FINISH(ring, recs);
	/* A task switch writes only the AUX records of its data. */
	if (unit.ours)
		EXPECT_EQ(0, ring.nstart);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	if (unit.arch_inst) {
		EXPECT_GE(recs.n, want - 2);
		EXPECT_LE(recs.n, want + 300ULL * moves / attr.sample_period + 4);
	}
	ring_close(&ring);
}

/* Two profiled tasks alternate, each with its own interval. shows: SPE-SI14 SPE-CS8 */
static void spin_and_yield(void *arg)
{
	struct spin_job *job = arg;

	for (unsigned int i = 0; i < 400; i++) {
		spin(job->n);
		sched_yield();
	}
}

TEST(two_tasks_on_one_cpu)
{
	struct spin_job job = { .n = 5000 };
	struct perf_event_attr attr;
	struct worker worker[2];
	struct ring ring[2];
	uint64_t want;
	int cpu;

	NEED_SESSION(unit);
	NEED(unit.arch_inst, "ArchInst sampling");
	cpu = unit_cpu(&unit, unit.ncpus - 1);
	spe_attr(&unit, &attr);
	want = samples(400 * job.n, attr.sample_period);
	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(0, worker_start(&worker[i], cpu, spin_and_yield, &job));
		ASSERT_EQ(0, ring_open(&ring[i], &attr, worker[i].pid, -1, 256, 0));
		ASSERT_EQ(0, ring_enable(&ring[i]));
	}
	for (int i = 0; i < 2; i++)
		worker_go(&worker[i]);
	for (int i = 0; i < 2; i++)
		ASSERT_EQ(0, worker_wait(&worker[i]));
	for (int i = 0; i < 2; i++) {
		struct spe_recs recs;

		FINISH(ring[i], recs);
		EXPECT_EQ(0, ring[i].flags & RING_LOSS);
		EXPECT_GE(recs.n, want - 2);
		EXPECT_LE(recs.n, want + 100ULL * 400 / attr.sample_period + 8);
		spe_free(&recs);
		ring_close(&ring[i]);
	}
}

/* Child processes are profiled, into the buffer of the CPU they run on. */
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

TEST(children_inherit)
{
	struct spin_job job = { .n = 1000000 };
	struct perf_event_attr attr;
	struct worker worker;
	struct ring ring[8];
	size_t total = 0;
	int n;

	NEED_SESSION(unit);
	n = unit.ncpus < 8 ? unit.ncpus : 8;
	spe_attr(&unit, &attr);
	attr.inherit = 1;
	ASSERT_EQ(0, worker_start(&worker, -1, fork_three, &job));
	for (int i = 0; i < n; i++) {
		ASSERT_EQ(0, ring_open(&ring[i], &attr, worker.pid, unit_cpu(&unit, i), 512, 0));
		ASSERT_EQ(0, ring_enable(&ring[i]));
	}
	worker_go(&worker);
	ASSERT_EQ(0, worker_wait(&worker));
	for (int i = 0; i < n; i++) {
		struct spe_recs recs;

		FINISH(ring[i], recs);
		EXPECT_EQ(0, ring[i].flags & RING_LOSS);
		total += spe_in_spin(&recs);
		spe_free(&recs);
		ring_close(&ring[i]);
	}
	if (unit.ncpus <= 8 && unit.arch_inst) {
		EXPECT_GE(total + 6, samples(3 * job.n, attr.sample_period));
		EXPECT_LE(total, samples(3 * job.n, attr.sample_period) + 3);
	} else {
		EXPECT_GE(total, 100);
	}
}

/* The address space is replaced during the session. shows: SPE-CS9 */
static void spin_and_exec(void *arg)
{
	(void)arg;
	spin(200000);
	dup2(open("/dev/null", O_WRONLY), 2);
	execl("/proc/self/exe", "spe_buffer", "-l", NULL);
	_exit(9);
}

TEST(exec_while_profiling)
{
	struct perf_event_attr attr;
	struct worker worker;
	struct ring ring;
	struct spe_recs recs;
	int status;

	NEED_SESSION(unit);
	ASSERT_EQ(0, worker_start(&worker, -1, spin_and_exec, NULL));
	spe_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, worker.pid, -1, 256, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	status = worker_wait(&worker);
	EXPECT_TRUE(status == KSFT_SKIP || !status) TH_LOG("status %d", status);
	FINISH(ring, recs);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	EXPECT_GE(spe_in_spin(&recs), 100);
	ring_close(&ring);
}

/* Without an AUX buffer nothing is written. After it is mapped the same event records. */
TEST(enable_without_buffer)
{
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;

	NEED_SESSION(unit);
	spe_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 0, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(200000);
	ASSERT_EQ(0, ring_disable(&ring));
	EXPECT_EQ(0, ring.page->aux_head);
	ASSERT_EQ(0, ring_map_aux(&ring, 64, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(200000);
	FINISH(ring, recs);
	EXPECT_GE(spe_in_spin(&recs), 100);
	ring_close(&ring);
}

/* The buffer is unmapped while the unit writes to it. shows: SPE-PB22 */
TEST(unmap_while_running)
{
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;

	NEED_SESSION(unit);
	spe_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 64, 0));
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

	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 64, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(200000);
	FINISH(ring, recs);
	EXPECT_GE(spe_in_spin(&recs), 100);
	ring_close(&ring);
}

/* The same with a task on another CPU. */
TEST(close_while_other_runs)
{
	static bool never;
	struct perf_event_attr attr;
	struct worker worker;
	struct ring ring;

	NEED_SESSION(unit);
	NEED(unit.ncpus > 1, "second CPU");
	ASSERT_EQ(0, pin_to(unit_cpu(&unit, 0)));
	ASSERT_EQ(0, worker_start(&worker, unit_cpu(&unit, 1), spin_until_stop, &never));
	worker_go(&worker);
	spe_attr(&unit, &attr);
	/* At any time, also while the other CPU disables the event because the buffer is full */
	for (int i = 0; i < 200; i++) {
		ASSERT_EQ(0, ring_open(&ring, &attr, worker.pid, -1, 16, 0));
		ASSERT_EQ(0, ring_enable(&ring));
		spin(500 + i * 7919 % 20000);
		if (i & 1)
			ring_unmap_aux(&ring);
		ring_close(&ring);
	}
	kill(worker.pid, SIGKILL);
	EXPECT_EQ(128 + SIGKILL, worker_wait(&worker));
}

/*
 * The same race, deterministically. One CPU unmaps the buffer while the interrupt of the other
 * one closes an AUX handle of an event that is off. perf looks only for events that are on (see
 * drivers/aux.h).
 */
#define RACE	"/sys/module/v9_race/parameters"

static void unmap_at(struct __test_metadata *_metadata, const struct unit *unit, const char *moment)
{
	bool off_first = moment[0] == '1', *stop = new_shared(sizeof(*stop));
	struct perf_event_attr attr;
	struct worker worker;
	unsigned long occurred = 0;
	struct ring ring;

	ASSERT_NE(NULL, stop);
	ASSERT_EQ(0, pin_to(unit_cpu(unit, 0)));
	ASSERT_EQ(0, worker_start(&worker, unit_cpu(unit, 1), spin_until_stop, stop));
	worker_go(&worker);
	spe_attr(unit, &attr);
	attr.sample_period = unit->min_interval;
	for (int i = 0; i < 10 && !occurred; i++) {
		ASSERT_EQ(0, ring_open(&ring, &attr, worker.pid, -1, 64, 0));
		ASSERT_EQ(0, write_text(RACE "/at", moment));
		ASSERT_EQ(0, ring_enable(&ring));
		for (int j = 0; off_first && j < 2000 && !read_number(RACE, "waits"); j++)
			usleep(1000);
		ring_unmap_aux(&ring);
		ring_close(&ring);
		occurred = read_number(RACE, "occurred");
	}
	ASSERT_EQ(0, write_text(RACE "/at", "0"));
	EXPECT_EQ(1, occurred);
	*stop = true;
	EXPECT_EQ(0, worker_wait(&worker));
}

#define NEED_MOMENT(unit)							\
	NEED_SESSION(unit);							\
	NEED((unit).ncpus > 1, "second CPU");					\
	NEED((unit).ours && !getuid() && getenv("V9_MODULES"),			\
	     "v9_spe driver, root, V9_MODULES (where the modules are)");	\
	NEED(!module_load("selftest/v9_race", ""),				\
	     "v9_race.ko for this kernel (CONFIG_KPROBES)")

TEST(switched_off_then_unmapped)
{
	NEED_MOMENT(unit);
	unmap_at(_metadata, &unit, "1");
	EXPECT_EQ(0, module_unload("v9_race"));
}

TEST(unmapped_then_switched_off)
{
	NEED_MOMENT(unit);
	unmap_at(_metadata, &unit, "2");
	EXPECT_EQ(0, module_unload("v9_race"));
}

/* The task is killed during the session. Its records are kept. */
static void spin_and_die(void *arg)
{
	spin_work(arg);
	raise(SIGKILL);
}

TEST(task_killed)
{
	struct spin_job job = { .n = 500000 };
	struct perf_event_attr attr;
	struct worker worker;
	struct ring ring;
	struct spe_recs recs;

	NEED_SESSION(unit);
	ASSERT_EQ(0, worker_start(&worker, -1, spin_and_die, &job));
	spe_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, worker.pid, -1, 128, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	EXPECT_EQ(128 + SIGKILL, worker_wait(&worker));
	FINISH(ring, recs);
	if (unit.arch_inst) {
		EXPECT_GE(spe_in_spin(&recs) + 2, samples(job.n, attr.sample_period));
	} else {
		EXPECT_GE(spe_in_spin(&recs), 100);
	}
	ring_close(&ring);
}

/* An event of each thread */
static void *thread_session(void *arg)
{
	struct unit *unit = arg;
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;
	size_t found = 0;

	spe_attr(unit, &attr);
	if (ring_open(&ring, &attr, 0, -1, 64, 0))
		return NULL;
	if (!ring_enable(&ring)) {
		spin(300000);
		if (!ring_disable(&ring) && !ring_drain(&ring) && !spe_records(&ring, &recs))
			found = spe_in_spin(&recs);
	}
	ring_close(&ring);
	return (void *)found;
}

TEST(sessions_of_threads)
{
	pthread_t thread[6];

	NEED_SESSION(unit);
	for (int i = 0; i < 6; i++)
		ASSERT_EQ(0, pthread_create(&thread[i], NULL, thread_session, &unit));
	for (int i = 0; i < 6; i++) {
		void *found;

		ASSERT_EQ(0, pthread_join(thread[i], &found));
		EXPECT_GE((uintptr_t)found, 100);
	}
}

/*
 * Pages of a running buffer are not reclaimed, not write protected, and their Access flags are
 * not cleared. A unit that does not update the translation tables would fault.
 */
TEST(no_fault_under_memory_pressure)
{
	struct perf_event_attr attr;
	struct spe_recs recs;
	struct ring ring;

	NEED_SESSION(unit);
	NEED(unit_has(&unit, "stats"), "stats/ (v9_spe driver)");
	spe_attr(&unit, &attr);
	pressure_session(_metadata, &unit, &attr, &ring);
	DECODE(ring, recs);
	spe_free(&recs);
	ring_close(&ring);
}

TEST(many_open_and_close)
{
	struct perf_event_attr attr;
	struct ring ring;

	NEED_SESSION(unit);
	spe_attr(&unit, &attr);
	for (int i = 0; i < 200; i++) {
		ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 2U << i % 6, i & 1));
		if (i % 3)
			ASSERT_EQ(0, ring_enable(&ring));
		spin(500);
		ring_close(&ring);
	}
}

TEST_HARNESS_MAIN
