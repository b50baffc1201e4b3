// SPDX-License-Identifier: GPL-2.0-only
/* The AUX buffer of ETE: a reader that keeps up, snapshots, one run of memory. See buffer.c, too. */
#include "harness.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include "ete.h"
#include "pressure.h"
#include "work.h"
#include "insn_mix.h"

#define NEED_MODES	NEED(!ete_plain(), "v9_ete without plain=1")

/*
 * The buffer fills several times between enable and disable, while another CPU reads. Lost data
 * is flagged, and is at most what executes until the interrupts.
 * shows: TRBE-IR3 TRBE-PT7
 */
TEST(turnover_with_reader)
{
	unsigned int cut = 0, stopped = 0;
	struct perf_event_attr attr;
	struct worker worker;
	struct ete_run run;
	struct ring ring;
	struct busy *busy = new_shared(sizeof(*busy));
	uint64_t want;

	NEED_SESSION(unit);
	NEED(unit.ncpus > 1, "second CPU");
	ASSERT_NE(NULL, busy);
	ASSERT_EQ(0, pin_to(unit_cpu(&unit, 0)));
	ASSERT_EQ(0, worker_start(&worker, unit_cpu(&unit, 1), keep_busy, busy));
	ete_dense_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, worker.pid, -1, 64, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	while (ring.nbytes < 2 * ring.aux_size)
		ASSERT_EQ(0, ring_continue(&ring));
	busy->stop = true;
	ASSERT_EQ(0, worker_wait(&worker));
	FINISH(ring, attr, run);
	want = busy->rounds * 2 * BUSY_SPIN;
	for (unsigned int i = 0; i < ring.naux; i++) {
		cut += !!(ring.piece[i].flags & RING_LOSS);
		stopped += !!(ring.piece[i].flags & PERF_AUX_FLAG_TRUNCATED);
	}
	TH_LOG("%zu bytes, %" PRIu64 " of %" PRIu64 " instructions, %u records, %u lossy, %u stopped",
	       ring.nbytes, run.in_spin, want, ring.naux, cut, stopped);
	EXPECT_GE(ring.naux, 4);
	EXPECT_LE(run.in_spin, want);
	if (!cut)
		EXPECT_EQ(want, run.in_spin);
	if (!stopped)
		EXPECT_GE(run.in_spin + 20000 * cut, want);
	ring_close(&ring);
}

/*
 * The interrupt at the watermark of the reader comes before the buffer is full, and no data is
 * lost.
 * shows: TRBE-PT12 TRBE-TR8 ETE-S_NFQ2J
 */
TEST(wakeup_before_full)
{
	uint64_t early, full, rounds;
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;

	NEED_SESSION(unit);
	NEED_MODES;
	NEED(unit_has(&unit, "stats/early"), "stats/early (v9_ete driver)");
	NEED(!ete_limited_below(64), "a unit that takes 64 pages");
	ete_dense_attr(&unit, &attr);
	early = read_number(unit.dir, "stats/early");
	full = read_number(unit.dir, "stats/full");
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 64, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	for (rounds = 0; rounds < 3000 && read_number(unit.dir, "stats/early") == early; rounds++)
		spin(1000);
	FINISH(ring, attr, run);
	TH_LOG("%zu of %zu bytes, %" PRIu64 " rounds", ring.nbytes, ring.aux_size, rounds);
	EXPECT_EQ(early + 1, read_number(unit.dir, "stats/early"));
	EXPECT_EQ(full, read_number(unit.dir, "stats/full"));
	/* With kernel page-table isolation the two halves of the buffer are separate windows. */
	EXPECT_GE(ring.nbytes, ring.aux_size / 2 / 4 * 3 - 4096);
	EXPECT_LT(ring.nbytes, ring.aux_size);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	EXPECT_EQ(2000 * rounds, run.in_spin);
	ring_close(&ring);
}

/*
 * A buffer without a reader is filled except one translation granule, which contains the byte
 * that perf keeps free, for all page sizes.
 * shows: TRBE-PT2
 */
TEST(filled_to_the_last_granule)
{
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;

	NEED_SESSION(unit);
	NEED(unit.ours, "v9_ete driver");
	NEED(sysconf(_SC_PAGESIZE) == 4096 || getenv("V9_AT"), "machine with granules of 4 KiB");
	NEED(!ete_overruns(&unit), WITHOUT_ERRATUM);
	ete_dense_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 4, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(500000);
	FINISH(ring, attr, run);
	EXPECT_TRUE(ring.flags & PERF_AUX_FLAG_TRUNCATED);
	/* At the start of the buffer fewer bytes than the alignment of windows may be unused. */
	EXPECT_GE(ring.nbytes + 4096 + 2048, ring.aux_size)
		TH_LOG("%zu of %zu bytes", ring.nbytes, ring.aux_size);
	ring_close(&ring);
}

/* Count the records that do not end at a multiple of 8 bytes. perf drops such full buffers. */
static unsigned int odd_ends(const struct ring *ring)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < ring->naux; i++)
		n += ring->piece[i].offset % 8 != 0;
	return n;
}

/*
 * The data of the records from @first on in an overwritten buffer, oldest byte first. There is
 * one more record each time the task has been switched out and in. The offset of a record is the
 * position of its newest byte.
 */
static uint8_t *snapshot_bytes(const struct ring *ring, unsigned int first, size_t *n)
{
	uint64_t end = ring->piece[ring->naux - 1].offset;
	uint64_t start = ring->piece[first].offset - ring->piece[first].size;
	uint8_t *bytes = malloc(ring->aux_size);

	if (end - start > ring->aux_size)
		start = end - ring->aux_size;
	*n = end - start;
	for (size_t i = 0; bytes && i < *n; i++)
		bytes[i] = ring->aux[(start + i) % ring->aux_size];
	return bytes;
}

/* An overwritten buffer that has not wrapped contains all data from the first instruction on. */
TEST(snapshot_not_full)
{
	struct perf_event_attr attr;
	struct ete_run run = { 0 };
	struct ring ring;
	uint8_t *bytes;
	size_t n;

	NEED_SESSION(unit);
	NEED_MODES;
	NEED(unit.ours, "v9_ete driver");
	ete_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 16, RING_OVERWRITE));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(10000);
	ASSERT_EQ(0, ring_disable(&ring));
	ASSERT_EQ(0, ring_drain(&ring));
	EXPECT_EQ(NULL, ring.wrong) TH_LOG("%s", ring.wrong);
	ASSERT_GE(ring.naux, 1);
	EXPECT_TRUE(ring.flags & PERF_AUX_FLAG_OVERWRITE);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	EXPECT_LE(ring.piece[0].size, ring.aux_size / 2);
	bytes = snapshot_bytes(&ring, 0, &n);
	ASSERT_NE(NULL, bytes);
	EXPECT_EQ(0, v9_ete_find_sync(bytes, n));
	ASSERT_EQ(0, ete_walk_bytes(&unit, &attr, bytes, n, &run))
		TH_LOG("%s at %" PRIu64, run.why, run.bad_at);
	EXPECT_EQ(20000, run.in_spin);
	EXPECT_EQ(0, odd_ends(&ring));
	free(bytes);
	ring_close(&ring);
}

/*
 * After many wraps, without an interrupt, the buffer contains the newest data, as much as fits,
 * up to the last instruction.
 * shows: TRBE-PT9
 */
TEST(snapshot_keeps_the_newest)
{
	static unsigned int hits[512];
	uint64_t interrupts, rounds = 20;
	unsigned int first = 0;
	char boot[2048] = "";	/* the options of the kernel */
	struct perf_event_attr attr;
	struct ete_run run = {
		.from = (uintptr_t)insn_mix_start, .to = (uintptr_t)insn_mix_end, .hits = hits,
	};
	struct ring ring;
	uint8_t *bytes;
	size_t n;

	NEED_SESSION(unit);
	NEED_MODES;
	NEED(unit.ours, "v9_ete driver");
	NEED(unit_has(&unit, "format/branch_broadcast"), "branch broadcast (TRCIDR0.TRCBB)");
	ete_dense_attr(&unit, &attr);
	insn_mix(1, 0);
	read_text("/proc", "cmdline", boot, sizeof(boot));
	interrupts = read_number(unit.dir, "stats/interrupts");
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 8, RING_OVERWRITE));
	/* One session that wraps, so that the next one begins anywhere in the buffer. */
	ASSERT_EQ(0, ring_enable(&ring));
	spin(50000);
	ASSERT_EQ(0, ring_disable(&ring));
	ASSERT_EQ(0, ring_drain(&ring));
	/*
	 * A unit that uses physical addresses (kpti=on) keeps only the wrap in which it was stopped last, and
	 * less than the whole buffer if it stops before the byte at which it began. Repeat until the task,
	 * which other tasks do not preempt, has kept its CPU, and such a unit has filled the buffer. With the same
	 * work each time it could stop as far before its beginning each time.
	 */
	sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = 1 });
	for (int i = 0; i < 20 && (!i || ring.naux > first + 1 ||
				   (strstr(boot, "kpti=on") && ring.piece[first].size < ring.aux_size)); i++) {
		first = ring.naux;
		ASSERT_EQ(0, ring_enable(&ring));
		spin(120000 + 1621 * i);
		insn_mix(rounds, 0);
		ASSERT_EQ(0, ring_disable(&ring));
		ASSERT_EQ(0, ring_drain(&ring));
	}
	sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){ });
	EXPECT_EQ(NULL, ring.wrong) TH_LOG("%s", ring.wrong);
	ASSERT_GT(ring.naux, first);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	bytes = snapshot_bytes(&ring, first, &n);
	ASSERT_NE(NULL, bytes);
	EXPECT_EQ(ring.aux_size, n)
		TH_LOG("%u records of the session, the last of %" PRIu64 " bytes", ring.naux - first,
		       ring.piece[ring.naux - 1].size);
	ASSERT_EQ(0, ete_walk_bytes(&unit, &attr, bytes, n, &run))
		TH_LOG("%s at %" PRIu64, run.why, run.bad_at);
	if (n != ring.aux_size)
		TH_LOG("%" PRIu64 " instructions of the loop", run.in_spin);
	/*
	 * About one byte per round of the loop, and several with wrong paths. A decoder synchronizes
	 * within the first 4 KiB.
	 */
	EXPECT_GE(run.in_spin, 2 * (ring.aux_size - 4096 - 4096) / (ete_speculates(&unit) ? 8 : 2));
	EXPECT_LE(run.in_spin, 2 * ring.aux_size);
	for (const struct insn_mix_row *row = __start_insn_mix_rows; row < __stop_insn_mix_rows; row++) {
		EXPECT_EQ(row->lse ? 0 : rounds, hits[(row->pc - run.from) / 4])
			TH_LOG("%s", row->name);
	}
	EXPECT_EQ(interrupts, read_number(unit.dir, "stats/interrupts"));
	EXPECT_EQ(0, odd_ends(&ring));
	free(bytes);
	ring_close(&ring);
}

/* Data of one session is not reported again by the next one. */
TEST(snapshot_has_only_its_own_data)
{
	struct perf_event_attr attr;
	struct ring ring;
	uint8_t *bytes;
	size_t n;

	NEED_SESSION(unit);
	NEED_MODES;
	NEED(unit.ours, "v9_ete driver");
	ete_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 8, RING_OVERWRITE));
	for (int i = 0; i < 10; i++) {
		unsigned int first = ring.naux;
		struct ete_run run = { 0 };

		ASSERT_EQ(0, ring_enable(&ring));
		spin(10000 + i);
		ASSERT_EQ(0, ring_disable(&ring));
		ASSERT_EQ(0, ring_drain(&ring));
		ASSERT_GT(ring.naux, first);
		bytes = snapshot_bytes(&ring, first, &n);
		ASSERT_NE(NULL, bytes);
		ASSERT_EQ(0, ete_walk_bytes(&unit, &attr, bytes, n, &run))
			TH_LOG("%s at %" PRIu64, run.why, run.bad_at);
		EXPECT_EQ(2 * (10000 + i), run.in_spin);
		free(bytes);
	}
	ring_close(&ring);
}

#define PHYSICAL	"/sys/module/v9_core/parameters/physical"
#define TRACEFS		"/sys/kernel/tracing"
#define WINDOW		TRACEFS "/events/v9trace/v9_window/enable"

/* The largest limit of a window that the tracepoint logged, as an offset in the buffer. */
static uint64_t end_of_windows(void)
{
	FILE *f = fopen(TRACEFS "/trace", "re");
	unsigned long long limit, most = 0;
	char line[512];

	while (f && fgets(line, sizeof(line), f)) {
		const char *p = strstr(line, "cs_etm at=");

		if (p && sscanf(p, "cs_etm at=%*x ptr=%*x limit=%llx", &limit) == 1 && limit > most)
			most = limit;
	}
	if (f)
		fclose(f);
	return most;
}

/* Some sessions, so that not all begin at the start of the buffer. The last one is complete. */
static uint64_t round_and_where(struct __test_metadata *_metadata, const struct unit *unit)
{
	struct perf_event_attr attr;
	struct ete_run run = { 0 };
	unsigned int first = 0;
	struct ring ring;
	uint8_t *bytes;
	uint64_t end;
	size_t n;

	ete_dense_attr(unit, &attr);
	close(open(TRACEFS "/trace", O_WRONLY | O_TRUNC | O_CLOEXEC));	/* empties it */
	ASSERT_EQ(0, write_text(WINDOW, "1"));
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 16, RING_OVERWRITE));
	for (int i = 0; i < 20 && (i < 3 || ring.naux > first + 1); i++) {
		first = ring.naux;
		ASSERT_EQ(0, ring_enable(&ring));
		spin(6000);
		ASSERT_EQ(0, ring_disable(&ring));
		ASSERT_EQ(0, ring_drain(&ring));
	}
	ASSERT_EQ(0, write_text(WINDOW, "0"));
	end = end_of_windows();
	ASSERT_GT(ring.naux, first);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	bytes = snapshot_bytes(&ring, first, &n);
	ASSERT_NE(NULL, bytes);
	EXPECT_EQ(0, ete_walk_bytes(unit, &attr, bytes, n, &run))
		TH_LOG("%s at %" PRIu64, run.why, run.bad_at);
	EXPECT_EQ(12000, run.in_spin);
	free(bytes);
	ring_close(&ring);
	return end;
}

/*
 * Parameter "physical" of v9_core: an overwritten buffer that is one run of memory is used at its
 * physical address. Without it the buffer is mapped twice, and windows end in the second mapping.
 */
TEST(physical_on_demand)
{
	uint64_t size = 16 * sysconf(_SC_PAGESIZE), end;

	NEED_SESSION(unit);
	NEED_MODES;
	NEED(!getuid() && !access(WINDOW, W_OK), "root, tracefs");
	NEED(unit.ours && !access(PHYSICAL, W_OK), "v9_core driver");
	NEED(!ete_overruns(&unit), WITHOUT_ERRATUM);
	ASSERT_EQ(0, write_text(TRACEFS "/buffer_size_kb", "4096"));
	ASSERT_EQ(0, write_text(TRACEFS "/tracing_on", "1"));
	end = round_and_where(_metadata, &unit);
	NEED(end > size, "buffers at virtual addresses by default (KPTI)");
	ASSERT_EQ(0, write_text(PHYSICAL, "Y"));
	end = round_and_where(_metadata, &unit);
	ASSERT_EQ(0, write_text(PHYSICAL, "N"));
	EXPECT_EQ(size, end);
	EXPECT_LT(size, round_and_where(_metadata, &unit));
}

/*
 * A buffer that is one run of memory is not mapped again: windows end at its end, the unit wraps
 * to its start by itself, and no data is lost or overwritten.
 * shows: TRBE-PT8
 */
TEST(wraps_in_one_run)
{
	const unsigned int pages = 64, pieces = 40;
	/* About a third of the buffer each */
	uint64_t piece = 35000 * (sysconf(_SC_PAGESIZE) / 4096), end;
	unsigned int crossed = 0;
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;

	NEED_SESSION(unit);
	NEED_MODES;
	NEED(!getuid() && !access(WINDOW, W_OK), "root, tracefs");
	NEED(!ete_limited_below(pages), "a unit that takes %u pages", pages);
	ete_dense_attr(&unit, &attr);
	attr.aux_watermark = (pages / 2 + 1) * sysconf(_SC_PAGESIZE);
	ASSERT_EQ(0, write_text(TRACEFS "/buffer_size_kb", "4096"));
	ASSERT_EQ(0, write_text(TRACEFS "/tracing_on", "1"));
	close(open(TRACEFS "/trace", O_WRONLY | O_TRUNC | O_CLOEXEC));
	ASSERT_EQ(0, write_text(WINDOW, "1"));
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, pages, 0));
	for (unsigned int i = 0; i < pieces; i++) {
		ASSERT_EQ(0, ring_enable(&ring));
		spin(piece);
		ASSERT_EQ(0, ring_disable(&ring));
		ASSERT_EQ(0, ring_drain(&ring));
	}
	ASSERT_EQ(0, write_text(WINDOW, "0"));
	end = end_of_windows();
	DECODE(ring, attr, run);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	EXPECT_EQ(2 * piece * pieces, run.in_spin);
	for (unsigned int i = 0; i < ring.naux; i++)
		crossed += ring.piece[i].offset % ring.aux_size + ring.piece[i].size > ring.aux_size;
	TH_LOG("%zu bytes, %u of %u pieces go round, windows end at %#" PRIx64, ring.nbytes, crossed,
	       ring.naux, end);
	/* The buffer may consist of several runs of memory, but not where memory is plentiful. */
	if (end > ring.aux_size && !getenv("V9_ONE_RUN"))
		SKIP(return, "buffer of one run");
	EXPECT_EQ(ring.aux_size, end);
	EXPECT_GT(crossed, 0);
	ring_close(&ring);
}

/*
 * With plain=1 the buffer is filled to its end each time, and each loss is flagged. Options that
 * require more are refused.
 */
TEST(plain)
{
	uint64_t early, full, interrupts;
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;

	NEED_SESSION(unit);
	NEED(ete_plain(), "v9_ete with plain=1");
	ete_dense_attr(&unit, &attr);
	early = read_number(unit.dir, "stats/early");
	full = read_number(unit.dir, "stats/full");
	interrupts = read_number(unit.dir, "stats/interrupts");
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 64, 0));
	for (int i = 0; i < 3; i++) {
		ASSERT_EQ(0, ring_enable(&ring));
		spin(200000 * (sysconf(_SC_PAGESIZE) / 4096));
		ASSERT_EQ(0, ring_disable(&ring));
		ASSERT_EQ(0, ring_drain(&ring));
	}
	FINISH(ring, attr, run);
	EXPECT_EQ(early, read_number(unit.dir, "stats/early"));
	EXPECT_GE(read_number(unit.dir, "stats/full"), full + 3);
	EXPECT_EQ(read_number(unit.dir, "stats/interrupts") - interrupts,
		  read_number(unit.dir, "stats/full") - full);
	EXPECT_TRUE(ring.flags & PERF_AUX_FLAG_TRUNCATED);
	EXPECT_GE(ring.nbytes, 2 * ring.aux_size);
	ring_close(&ring);

	EXPECT_EQ(-ENOMEM, ring_open(&ring, &attr, 0, -1, 8, RING_OVERWRITE));
	attr.config2 = 1;	/* trigger */
	EXPECT_EQ(-EOPNOTSUPP, ring_open(&ring, &attr, 0, -1, 8, 0));
}

TEST_HARNESS_MAIN
