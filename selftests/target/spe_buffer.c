// SPDX-License-Identifier: GPL-2.0-only
/*
 * The AUX buffer of SPE: a reader that keeps up, the last byte, snapshots, an interrupt that races
 * with a context switch. See buffer.c, too.
 */
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

/*
 * The buffer becomes full several times between enable and disable, while another CPU reads.
 * Missing data must be flagged. Returns true if no data was lost.
 * shows: SPE-ME2 SPE-ME6 SPE-CS5 SPE-ME14
 */
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
	want = 2 * job.n / (attr.sample_period + 1);
	ASSERT_EQ(0, ring_open(&ring, &attr, worker.pid, -1, pages, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	while (!worker_done(&worker))
		ASSERT_EQ(0, ring_continue(&ring));
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
			EXPECT_GE(recs.n + spe_in_flight() * ring.naux + 2, want);
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

TEST_HARNESS_MAIN
