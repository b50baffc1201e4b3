// SPDX-License-Identifier: GPL-2.0-only
/* The AUX buffer: wraps, limits, early and late readers, tasks that migrate, fork and exit. */
#include "harness.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>

#include "ete.h"
#include "pressure.h"
#include "work.h"
#include "insn_mix.h"

/* With branch broadcast each round of spin() takes some bytes of trace instead of a bit. */
static void dense_attr(const struct unit *unit, struct perf_event_attr *attr)
{
	ete_attr(unit, attr);
	if (unit_has(unit, "format/branch_broadcast"))
		attr->config = ETE_BROADCAST;
}

/* The module was loaded with plain=1 (V9_PLAIN): Fill mode, no trigger. */
static bool is_plain(void)
{
	return getenv("V9_PLAIN");
}

#define NEED_MODES	NEED(!is_plain(), "v9_ete without plain=1")

/* A new buffer contains no data of earlier users of its pages. */
TEST(fresh_buffer_is_clean)
{
	struct perf_event_attr attr;
	struct ring ring;
	size_t dirty = 0;

	NEED_SESSION(unit);
	ete_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 256, 0));
	for (size_t i = 0; i < ring.aux_size; i++)
		dirty += ring.aux[i] != 0;
	EXPECT_EQ(0, dirty);
	EXPECT_EQ(0, ring.page->aux_head);
	ring_close(&ring);
}

/*
 * A reader empties the buffer between the recordings. For all sizes and all positions of head,
 * each window begins at an address that the unit permits, and only data with a flag is missing.
 * shows: TRBE-PT1 TRBE-PT2 TRBE-PT5 TRBE-UN1 TRBE-UN5
 */
static void wrap_many_times(struct __test_metadata *_metadata, const struct unit *tested,
			    unsigned int pages, uint64_t piece, unsigned int pieces)
{
	const struct unit unit = *tested;
	struct perf_event_attr attr;
	unsigned int cut = 0;
	struct ete_run run;
	struct ring ring;
	uint64_t want;

	/* The size of a buffer depends on the page size. */
	pieces *= sysconf(_SC_PAGESIZE) / 4096;
	dense_attr(&unit, &attr);
	spin(10);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, pages, 0));
	for (unsigned int i = 0; i < pieces; i++) {
		ASSERT_EQ(0, ring_enable(&ring));
		spin(piece);
		ASSERT_EQ(0, ring_disable(&ring));
		ASSERT_EQ(0, ring_drain(&ring));
	}
	DECODE(ring, attr, run);
	want = 2 * piece * pieces;
	for (unsigned int i = 0; i < ring.naux; i++)
		cut += !!(ring.piece[i].flags & RING_LOSS);
	TH_LOG("%u pages: %zu bytes, %" PRIu64 " of %" PRIu64 " instructions, %u records, %u with loss",
	       pages, ring.nbytes, run.in_spin, want, ring.naux, cut);
	EXPECT_GE(ring.nbytes, 3 * ring.aux_size);
	EXPECT_EQ(0, ring.nlost);
	EXPECT_LE(run.in_spin, want);
	if (!cut)
		EXPECT_EQ(want, run.in_spin);
	/* A window that fills up loses the trace until its interrupt: less than half a piece. */
	EXPECT_GE(run.in_spin + cut * piece, want);
	ring_close(&ring);
}

TEST(wrap_two_pages)
{
	NEED_SESSION(unit);
	NEED(!ete_overruns(&unit), WITHOUT_ERRATUM);
	wrap_many_times(_metadata, &unit, 2, 1500, 60);
}

TEST(wrap_four_pages)
{
	NEED_SESSION(unit);
	wrap_many_times(_metadata, &unit, 4, 4000, 30);
}

/* Each stop moves head a little closer to the end, so that all distances occur. */
TEST(stop_and_start_near_the_limit)
{
	NEED_SESSION(unit);
	NEED(!ete_overruns(&unit), WITHOUT_ERRATUM);
	wrap_many_times(_metadata, &unit, 2, 20, 500);
}

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
	struct ete_run run;
	struct ring ring;
	bool *stop = new_shared(sizeof(bool));

	NEED_SESSION(unit);
	NEED(unit.ncpus > 1, "second CPU");
	ASSERT_NE(NULL, stop);
	ASSERT_EQ(0, pin_to(unit_cpu(&unit, 0)));
	ASSERT_EQ(0, worker_start(&worker, unit_cpu(&unit, 1), spin_until_stop, stop));
	dense_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, worker.pid, -1, 8, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	/* Do not read until the buffer is full. */
	while (!ring_truncated(&ring))
		usleep(1000);
	for (int i = 0; ring.nbytes < 5 * ring.aux_size; i++) {
		ASSERT_LT(i, 4000)
			TH_LOG("only %zu bytes: no turnover", ring.nbytes);
		read_some(_metadata, &ring);
	}
	*stop = true;
	ASSERT_EQ(0, worker_wait(&worker));
	FINISH(ring, attr, run);
	EXPECT_TRUE(ring.flags & RING_LOSS);
	EXPECT_GE(run.in_spin, 10000);
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
	NEED(unit.ours, "v9_ete driver");
	NEED(unit.ncpus > 1, "second CPU");
	NEED_PERFMON();
	ASSERT_NE(NULL, stop);
	ASSERT_EQ(0, pin_to(unit_cpu(&unit, 0)));
	ASSERT_EQ(0, worker_start(&worker, unit_cpu(&unit, 1), spin_until_stop, stop));
	dense_attr(&unit, &attr);
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
	dense_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, worker.pid, -1, 64, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	while (ring.nbytes < 2 * ring.aux_size)
		read_some(_metadata, &ring);
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

/* The hypervisor limits the buffer of the unit to fewer than @pages pages (V9_BUFFER_LIMIT). */
static bool too_large(unsigned int pages)
{
	const char *limit = getenv("V9_BUFFER_LIMIT");

	return limit && pages * sysconf(_SC_PAGESIZE) > strtol(limit, NULL, 0);
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
	NEED(!too_large(64), "a unit that takes 64 pages");
	dense_attr(&unit, &attr);
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
	dense_attr(&unit, &attr);
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

/* Without a reader: the loss is flagged, and unread data is not overwritten. */
TEST(overrun_is_flagged)
{
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;
	uint64_t head, before;
	uint8_t *copy;

	NEED_SESSION(unit);
	dense_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 4, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(500000);
	head = __atomic_load_n(&ring.page->aux_head, __ATOMIC_ACQUIRE);
	EXPECT_GE(head, ring.aux_size / 2 + !ete_overruns(&unit));
	EXPECT_LE(head, ring.aux_size);
	copy = malloc(ring.aux_size);
	ASSERT_NE(NULL, copy);
	memcpy(copy, ring.aux, head);
	spin(50000);
	ASSERT_EQ(0, ring_disable(&ring));
	EXPECT_EQ(0, memcmp(copy, ring.aux, head));
	COLLECT(ring, attr, run);
	EXPECT_TRUE(ring.flags & PERF_AUX_FLAG_TRUNCATED);
	EXPECT_GE(run.in_spin, 1000);
	EXPECT_LT(run.in_spin, 1000000);
	before = run.in_spin;

	/* With room in the buffer the session continues after a disable and enable. */
	ASSERT_EQ(0, ring_enable(&ring));
	spin(1000);
	FINISH(ring, attr, run);
	EXPECT_EQ(before + 2000, run.in_spin);
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
	spin(50000);
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
	EXPECT_EQ(100000, run.in_spin);
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
	dense_attr(&unit, &attr);
	insn_mix(1, 0);
	interrupts = read_number(unit.dir, "stats/interrupts");
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 8, RING_OVERWRITE));
	/* One session that wraps, so that the next one begins anywhere in the buffer. */
	ASSERT_EQ(0, ring_enable(&ring));
	spin(50000);
	ASSERT_EQ(0, ring_disable(&ring));
	ASSERT_EQ(0, ring_drain(&ring));
	/*
	 * A unit that uses physical addresses (KPTI) keeps only the wrap in which it was stopped
	 * last. Repeat until the task has kept its CPU.
	 */
	for (int i = 0; i < 20 && (!i || ring.naux > first + 1); i++) {
		first = ring.naux;
		ASSERT_EQ(0, ring_enable(&ring));
		spin(120000);
		insn_mix(rounds, 0);
		ASSERT_EQ(0, ring_disable(&ring));
		ASSERT_EQ(0, ring_drain(&ring));
	}
	EXPECT_EQ(NULL, ring.wrong) TH_LOG("%s", ring.wrong);
	ASSERT_GT(ring.naux, first);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	bytes = snapshot_bytes(&ring, first, &n);
	ASSERT_NE(NULL, bytes);
	EXPECT_EQ(ring.aux_size, n);
	ASSERT_EQ(0, ete_walk_bytes(&unit, &attr, bytes, n, &run))
		TH_LOG("%s at %" PRIu64, run.why, run.bad_at);
	/* About one byte per round of the loop. A decoder synchronizes within the first 4 KiB. */
	EXPECT_GE(run.in_spin, 2 * (ring.aux_size - 4096 - 4096) / 2);
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

	dense_attr(unit, &attr);
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
	NEED(!too_large(pages), "a unit that takes %u pages", pages);
	dense_attr(&unit, &attr);
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
 * poll() returns repeatedly while the task runs, before the buffer is full. The event is bound to
 * a CPU, so no context switch ends its windows.
 */
TEST(wakeup_at_watermark)
{
	struct perf_event_attr attr;
	struct worker worker;
	struct ete_run run;
	struct ring ring;
	bool *stop = new_shared(sizeof(bool));

	NEED_SESSION(unit);
	NEED(unit.ncpus > 1, "second CPU");
	NEED_PERFMON();
	ASSERT_NE(NULL, stop);
	ASSERT_EQ(0, pin_to(unit_cpu(&unit, 0)));
	ASSERT_EQ(0, worker_start(&worker, unit_cpu(&unit, 1), spin_until_stop, stop));
	dense_attr(&unit, &attr);
	attr.aux_watermark = 32768;
	ASSERT_EQ(0, ring_open(&ring, &attr, -1, unit_cpu(&unit, 1), 1024, 0));
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
	FINISH(ring, attr, run);
	TH_LOG("%u AUX records, the largest of %" PRIu64 " bytes", ring.naux, ring.largest);
	EXPECT_LE(ring.largest, ring.aux_size / 4);
	ring_close(&ring);
}

/* One event and one busy process per CPU; each trace is that of its process. shows: ETE-R_KBZTZ */
TEST(each_cpu)
{
	struct perf_event_attr attr;
	struct spin_job job[8];
	struct worker worker[8];
	struct ring ring[8];
	int n;

	NEED_SESSION(unit);
	NEED_PERFMON();
	n = unit.ncpus < 8 ? unit.ncpus : 8;
	ete_attr(&unit, &attr);
	for (int i = 0; i < n; i++) {
		int cpu = unit_cpu(&unit, i);

		job[i].n = 300000 + 1000 * i;
		ASSERT_EQ(0, ring_open(&ring[i], &attr, -1, cpu, 512, 0));
		ASSERT_EQ(0, worker_start(&worker[i], cpu, spin_work, &job[i]));
	}
	for (int i = 0; i < n; i++)
		ASSERT_EQ(0, ring_enable(&ring[i]));
	for (int i = 0; i < n; i++)
		worker_go(&worker[i]);
	for (int i = 0; i < n; i++)
		ASSERT_EQ(0, worker_wait(&worker[i]));
	/* Disable all events before decoding, which would be traced as well. */
	for (int i = 0; i < n; i++)
		ASSERT_EQ(0, ring_disable(&ring[i]));
	for (int i = 0; i < n; i++) {
		struct ete_run run;

		COLLECT(ring[i], attr, run);
		EXPECT_EQ(0, ring[i].flags & RING_LOSS);
		EXPECT_EQ(2 * job[i].n, run.in_spin);
		ring_close(&ring[i]);
	}
}

/* A migrating task: no instruction is missing or recorded twice. shows: ETE-S_VKHHY ETE-S_PKLXF */
TEST(migrating_task)
{
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;
	uint64_t part = 3000;
	unsigned int moves = 60;

	NEED_SESSION(unit);
	NEED(unit.ncpus > 1, "second CPU");
	ete_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 256, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	for (unsigned int i = 0; i < moves; i++) {
		ASSERT_EQ(0, pin_to(unit_cpu(&unit, i % 2)));
		spin(part);
	}
	FINISH(ring, attr, run);
	/* A task switch writes only the AUX records of its data. */
	if (unit.ours)
		EXPECT_EQ(0, ring.nstart);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	EXPECT_EQ(2 * part * moves, run.in_spin);
	ring_close(&ring);
}

/* Two traced tasks alternate on one CPU; each trace contains only its own task. */
static void spin_and_yield(void *arg)
{
	struct spin_job *job = arg;

	for (unsigned int i = 0; i < 200; i++) {
		spin(job->n);
		sched_yield();
	}
}

TEST(two_tasks_on_one_cpu)
{
	struct spin_job job[2] = { { .n = 1000 }, { .n = 1700 } };
	struct perf_event_attr attr;
	struct worker worker[2];
	struct ring ring[2];
	int cpu;

	NEED_SESSION(unit);
	cpu = unit_cpu(&unit, unit.ncpus - 1);
	ete_attr(&unit, &attr);
	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(0, worker_start(&worker[i], cpu, spin_and_yield, &job[i]));
		ASSERT_EQ(0, ring_open(&ring[i], &attr, worker[i].pid, -1, 256, 0));
		ASSERT_EQ(0, ring_enable(&ring[i]));
	}
	for (int i = 0; i < 2; i++)
		worker_go(&worker[i]);
	for (int i = 0; i < 2; i++)
		ASSERT_EQ(0, worker_wait(&worker[i]));
	for (int i = 0; i < 2; i++) {
		struct ete_run run;

		FINISH(ring[i], attr, run);
		EXPECT_EQ(0, ring[i].flags & RING_LOSS);
		EXPECT_EQ(2 * 200 * job[i].n, run.in_spin);
		ring_close(&ring[i]);
	}
}

/* Child processes are traced, into the buffer of the CPU they run on. */
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
	struct spin_job job = { .n = 200000 };
	struct perf_event_attr attr;
	struct worker worker;
	struct ring ring[8];
	uint64_t total = 0;
	int n;

	NEED_SESSION(unit);
	NEED(unit.ncpus <= 8, "machine of at most 8 CPUs");
	n = unit.ncpus;
	ete_attr(&unit, &attr);
	attr.inherit = 1;
	ASSERT_EQ(0, worker_start(&worker, -1, fork_three, &job));
	for (int i = 0; i < n; i++) {
		ASSERT_EQ(0, ring_open(&ring[i], &attr, worker.pid, unit_cpu(&unit, i), 512, 0));
		ASSERT_EQ(0, ring_enable(&ring[i]));
	}
	worker_go(&worker);
	ASSERT_EQ(0, worker_wait(&worker));
	for (int i = 0; i < n; i++) {
		struct ete_run run;

		FINISH(ring[i], attr, run);
		EXPECT_EQ(0, ring[i].flags & RING_LOSS);
		total += run.in_spin;
		ring_close(&ring[i]);
	}
	EXPECT_EQ(3 * 2 * job.n, total);
}

/* The address space is replaced during the session. */
static void spin_and_exec(void *arg)
{
	(void)arg;
	spin(200000);
	dup2(open("/dev/null", O_WRONLY), 2);
	execl("/proc/self/exe", "ete_buffer", "-l", NULL);
	_exit(9);
}

TEST(exec_while_tracing)
{
	struct perf_event_attr attr;
	struct worker worker;
	struct ete_run run;
	struct ring ring;
	int status;

	NEED_SESSION(unit);
	ASSERT_EQ(0, worker_start(&worker, -1, spin_and_exec, NULL));
	ete_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, worker.pid, -1, 256, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	status = worker_wait(&worker);
	EXPECT_TRUE(status == KSFT_SKIP || !status) TH_LOG("status %d", status);
	FINISH(ring, attr, run);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	EXPECT_EQ(400000, run.in_spin);
	/* The new program is traced as well; its startup alone is some thousand instructions. */
	EXPECT_GE(run.insns, 400000 + 2000);
	ring_close(&ring);
}

/* Without an AUX buffer nothing is written. After it is mapped the same event records. */
TEST(enable_without_buffer)
{
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;

	NEED_SESSION(unit);
	ete_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 0, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(200000);
	ASSERT_EQ(0, ring_disable(&ring));
	EXPECT_EQ(0, ring.page->aux_head);
	ASSERT_EQ(0, ring_map_aux(&ring, 64, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(20000);
	FINISH(ring, attr, run);
	EXPECT_EQ(40000, run.in_spin);
	ring_close(&ring);
}

/* The buffer is unmapped while the unit writes to it. */
TEST(unmap_while_running)
{
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;

	NEED_SESSION(unit);
	ete_attr(&unit, &attr);
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
	spin(20000);
	FINISH(ring, attr, run);
	EXPECT_EQ(40000, run.in_spin);
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
	ete_attr(&unit, &attr);
	for (int i = 0; i < 30; i++) {
		ASSERT_EQ(0, ring_open(&ring, &attr, worker.pid, -1, 16, 0));
		ASSERT_EQ(0, ring_enable(&ring));
		spin(5000);
		if (i & 1)
			ring_unmap_aux(&ring);
		ring_close(&ring);
	}
	kill(worker.pid, SIGKILL);
	EXPECT_EQ(128 + SIGKILL, worker_wait(&worker));
}

/* The task is killed during the session. Its trace is kept. */
static void spin_and_die(void *arg)
{
	spin_work(arg);
	raise(SIGKILL);
}

TEST(task_killed)
{
	struct spin_job job = { .n = 200000 };
	struct perf_event_attr attr;
	struct worker worker;
	struct ete_run run;
	struct ring ring;

	NEED_SESSION(unit);
	ASSERT_EQ(0, worker_start(&worker, -1, spin_and_die, &job));
	ete_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, worker.pid, -1, 128, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	EXPECT_EQ(128 + SIGKILL, worker_wait(&worker));
	FINISH(ring, attr, run);
	EXPECT_EQ(2 * job.n, run.in_spin);
	ring_close(&ring);
}

/* An event of each thread */
struct thread_job {
	struct unit unit;
	uint64_t n, found;
};

static void *thread_session(void *arg)
{
	struct thread_job *job = arg;
	struct perf_event_attr attr;
	struct ete_run run = { 0 };
	struct ring ring;

	ete_attr(&job->unit, &attr);
	if (ring_open(&ring, &attr, 0, -1, 64, 0))
		return NULL;
	if (!ring_enable(&ring)) {
		spin(job->n);
		if (!ring_disable(&ring) && !ring_drain(&ring) &&
		    !ete_walk(&job->unit, &attr, &ring, &run))
			job->found = run.in_spin;
	}
	ring_close(&ring);
	return NULL;
}

TEST(sessions_of_threads)
{
	struct thread_job job[6];
	pthread_t thread[6];

	NEED_SESSION(unit);
	/* Run once before, so that find_code() has filled in code[] when the threads start. */
	job[0] = (struct thread_job){ .unit = unit, .n = 10 };
	thread_session(&job[0]);
	for (int i = 0; i < 6; i++) {
		job[i] = (struct thread_job){ .unit = unit, .n = 50000 + 100 * i };
		ASSERT_EQ(0, pthread_create(&thread[i], NULL, thread_session, &job[i]));
	}
	for (int i = 0; i < 6; i++) {
		ASSERT_EQ(0, pthread_join(thread[i], NULL));
		EXPECT_EQ(2 * job[i].n, job[i].found);
	}
}

/*
 * Pages of a running buffer are not reclaimed, not write protected, and their Access flags are
 * not cleared. A unit that does not update the translation tables would fault.
 * shows: TRBE-AT18 TRBE-AT10
 */
TEST(no_fault_under_memory_pressure)
{
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;

	NEED_SESSION(unit);
	NEED(unit_has(&unit, "stats"), "stats/ (v9_ete driver)");
	ete_attr(&unit, &attr);
	pressure_session(_metadata, &unit, &attr, &ring);
	DECODE(ring, attr, run);
	ring_close(&ring);
}

/* The unit must take all of an overwritten buffer, because it wraps in the whole of it. */
TEST(many_open_and_close)
{
	struct perf_event_attr attr;
	struct ring ring;

	NEED_SESSION(unit);
	ete_attr(&unit, &attr);
	for (int i = 0; i < 200; i++) {
		unsigned int pages = 2U << i % 6;
		bool refused = (i & 1 && (too_large(pages) || is_plain())) ||
			       (pages < 4 && ete_overruns(&unit));

		ASSERT_EQ(refused ? -ENOMEM : 0, ring_open(&ring, &attr, 0, -1, pages, i & 1));
		if (refused)
			continue;
		if (i % 3)
			ASSERT_EQ(0, ring_enable(&ring));
		spin(500);
		ring_close(&ring);
	}
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
	NEED(is_plain(), "v9_ete with plain=1");
	dense_attr(&unit, &attr);
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
