// SPDX-License-Identifier: GPL-2.0-only
/*
 * The flight recorder: the buffer wraps until a trigger occurs, takes the requested number of
 * bytes more, and stops by itself. The rest of the buffer has the trace from before the trigger.
 * This requires no breakpoint and does not stop the program. An Event 0 element in the trace
 * marks the trigger.
 */
#include "harness.h"

#include <sched.h>
#include <sys/syscall.h>
#include <time.h>

#include <v9trace/gen/regs.h>

#include "ete.h"
#include "machine.h"
#include "work.h"

#define POINT		1ULL
#define INPUT		2ULL
#define ADDRESS		3ULL
#define COUNT(n)	((uint64_t)(n) << 16)
#define AFTER(bytes)	((uint64_t)(bytes) << 32)
#define AT(address)	((uint64_t)(uintptr_t)(address) >> 2 << 12)	/* config3 */
#define OF_INPUT(n)	((uint64_t)(n) << 32)				/* config */

#define CPU_CYCLES	0x11

/*
 * Bytes that may follow in addition. The unit writes what it holds when the trigger stops the
 * buffer (flush). The counter is a multiple of the alignment, at most 2 KiB, and each task switch
 * adds a synchronization.
 */
#define SLACK		(1024 + 2048)

/* 64 KiB, in pages */
#define BUFFER		(65536 / sysconf(_SC_PAGESIZE))

#define NEED_FLIGHT(unit)							\
	NEED_SESSION(unit);							\
	NEED(unit.ours, "v9_ete driver");					\
	NEED(unit_has(&(unit), "format/trigger"), "trigger (selectors of events)");	\
	NEED(V9_GET(V9_TRCIDR4_NUMSSCC, ete_register(&(unit), "trcidr/trcidr4")),	\
	     "single-shot comparator control")

/* The trace of the loop in spin() alone is dense: about two bytes per iteration. */
static void flight_attr(const struct unit *unit, struct perf_event_attr *attr)
{
	ete_attr(unit, attr);
	attr->config = ETE_BROADCAST;
}

/* The content of a buffer, oldest byte first, at most one wrap of it */
struct flight {
	uint8_t *bytes;
	uint64_t n;
	uint64_t end;			/* position of the last byte, over all wraps */
	struct ete_run run;
};

static void land(struct __test_metadata *_metadata, const struct unit *tested,
		 const struct perf_event_attr *attr, struct ring *ring, struct flight *f)
{
	const struct unit unit = *tested;

	memset(f, 0, sizeof(*f));
	ASSERT_EQ(0, ring_disable(ring));
	ASSERT_EQ(0, ring_drain(ring));
	EXPECT_EQ(NULL, ring->wrong) TH_LOG("%s", ring->wrong);
	ASSERT_GT(ring->naux, 0);
	f->end = __atomic_load_n(&ring->page->aux_head, __ATOMIC_ACQUIRE);
	f->n = f->end < ring->aux_size ? f->end : ring->aux_size;
	f->bytes = malloc(f->n);
	ASSERT_NE(NULL, f->bytes);
	for (uint64_t i = 0; i < f->n; i++)
		f->bytes[i] = ring->aux[(f->end - f->n + i) % ring->aux_size];
	ASSERT_EQ(0, ete_walk_bytes(&unit, attr, f->bytes, f->n, &f->run))
		TH_LOG("%s at %" PRIu64, f->run.why, f->run.bad_at);
}

/* At least @after bytes follow the trigger, and at most SLACK more. */
#define EXPECT_AFTER(f, after)							\
	do {									\
		uint64_t behind = (f).n - (f).run.event_at[0];			\
										\
		TH_LOG("%" PRIu64 " bytes, %" PRIu64 " behind the trigger",	\
		       (f).n, behind);						\
		EXPECT_GE((f).run.events[0], 1);				\
		EXPECT_GE(behind, (uint64_t)(after));				\
		EXPECT_LE(behind, (after) + SLACK);		\
	} while (0)

/* For an event with a trigger, a stop point sets the address of the trigger. */
static int trigger_at(struct ring *ring, const char *point)
{
	char text[512] = "";

	ete_add_filter(text, sizeof(text), "stop", point, 0);
	return ete_set_filter(ring, text);
}

static int open_flight(struct ring *ring, struct perf_event_attr *attr, const char *point)
{
	int err = ring_open(ring, attr, 0, -1, BUFFER, RING_OVERWRITE);

	return err || !point ? err : trigger_at(ring, point);
}

/* shows: TRBE-TR1 TRBE-TR5 TRBE-TR7 TRBE-TR11 ETE-R_XVVYX ETE-I_YRQCN */
TEST(stops_so_many_bytes_later)
{
	static const unsigned int after[] = { 0, 4096, 32768 };
	uint64_t triggered, interrupts;
	struct perf_event_attr attr;
	struct flight f;
	struct ring ring;

	NEED_FLIGHT(unit);
	for (size_t i = 0; i < ARRAY_SIZE(after); i++) {
		triggered = read_number(unit.dir, "stats/triggered");
		interrupts = read_number(unit.dir, "stats/interrupts");
		flight_attr(&unit, &attr);
		attr.config2 = POINT | AFTER(after[i]);
		ASSERT_EQ(0, open_flight(&ring, &attr, other_start));
		ASSERT_EQ(0, ring_enable(&ring));
		spin(100000);		/* wraps */
		other(5);
		spin(100000);		/* wraps that must not be recorded */
		EXPECT_EQ(triggered + 1, read_number(unit.dir, "stats/triggered"));
		EXPECT_EQ(interrupts + 1, read_number(unit.dir, "stats/interrupts"));
		land(_metadata, &unit, &attr, &ring, &f);
		EXPECT_TRUE(ring.flags & PERF_AUX_FLAG_TRUNCATED);
		EXPECT_EQ(ring.aux_size, f.n);
		EXPECT_AFTER(f, after[i]);
		/* The rest of the buffer contains the loop that ran before the trigger. */
		EXPECT_GE(f.run.spin_before[0], (ring.aux_size - after[i] - 8192) / 2);
		free(f.bytes);
		ring_close(&ring);
	}
}

/* The third occurrence is the trigger. The first two have no effect. shows: ETE-R_SBQPN */
TEST(third_occurrence_triggers)
{
	struct perf_event_attr attr;
	struct flight f;
	struct ring ring;

	NEED_FLIGHT(unit);
	NEED(unit_has(&unit, "format/trigger_count"), "trigger_count (a counter)");
	ete_attr(&unit, &attr);
	attr.config2 = POINT | COUNT(3);
	ASSERT_EQ(0, open_flight(&ring, &attr, other_start));
	ASSERT_EQ(0, ring_enable(&ring));
	for (int i = 0; i < 10; i++) {
		spin(2000);
		other(1);
		/* The count is saved and restored when the task is switched out. */
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	land(_metadata, &unit, &attr, &ring, &f);
	EXPECT_EQ(1, f.run.events[0]);
	EXPECT_EQ(3 * 4000, f.run.spin_before[0]);
	/* Nothing of the fourth round is recorded. */
	EXPECT_EQ(3 * 4000, f.run.in_spin);
	free(f.bytes);
	ring_close(&ring);
}

/* An address suffices as the trigger, without a file. */
TEST(address_without_a_file)
{
	struct perf_event_attr attr;
	struct flight f;
	struct ring ring;

	NEED_FLIGHT(unit);
	NEED(unit_has(&unit, "format/trigger_address"), "trigger_address (config3)");
	flight_attr(&unit, &attr);
	attr.config2 = ADDRESS | AFTER(8192);
	attr.config3 = AT(other_start);
	ASSERT_EQ(0, open_flight(&ring, &attr, NULL));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(50000);
	other(5);
	spin(50000);
	land(_metadata, &unit, &attr, &ring, &f);
	EXPECT_AFTER(f, 8192);
	free(f.bytes);
	ring_close(&ring);
}

static void turn(void *arg)
{
	(void)arg;
	spin(50000);
	other(5);
	spin(50000);
}

/* A session of a CPU, for all its tasks. */
TEST(trigger_in_cpu_session)
{
	struct perf_event_attr attr;
	struct worker worker;
	struct flight f;
	struct ring ring;
	int cpu;

	NEED_FLIGHT(unit);
	NEED_PERFMON();
	NEED(unit_has(&unit, "format/trigger_address"), "trigger_address (config3)");
	cpu = unit_cpu(&unit, 0);
	flight_attr(&unit, &attr);
	attr.config2 = ADDRESS | AFTER(8192);
	attr.config3 = AT(other_start);
	ASSERT_EQ(0, worker_start(&worker, cpu, turn, NULL));
	ASSERT_EQ(0, ring_open(&ring, &attr, -1, cpu, BUFFER, RING_OVERWRITE));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	ASSERT_EQ(0, worker_wait(&worker));
	land(_metadata, &unit, &attr, &ring, &f);
	EXPECT_TRUE(ring.flags & PERF_AUX_FLAG_TRUNCATED);
	EXPECT_AFTER(f, 8192);
	free(f.bytes);
	ring_close(&ring);
}

/* A PMU event at an input, counted, is a trigger. shows: ETE-R_YCNCR */
TEST(an_input_is_a_trigger)
{
	struct perf_event_attr attr;
	struct flight f;
	struct ring ring;

	NEED_FLIGHT(unit);
	NEED(unit_has(&unit, "format/input"), "input (external input selectors)");
	flight_attr(&unit, &attr);
	attr.config |= OF_INPUT(CPU_CYCLES);
	attr.config2 = INPUT | COUNT(40000) | AFTER(4096);
	ASSERT_EQ(0, open_flight(&ring, &attr, NULL));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(60000);
	land(_metadata, &unit, &attr, &ring, &f);
	EXPECT_AFTER(f, 4096);
	EXPECT_GE(f.run.events[0], 1);
	free(f.bytes);
	ring_close(&ring);
}

/*
 * The task is switched out repeatedly between the trigger and the end. The remaining count and
 * the state of the trigger are saved and restored.
 * shows: TRBE-TR3 TRBE-UN5
 */
TEST(switches_in_between)
{
	struct perf_event_attr attr;
	struct flight f;
	struct ring ring;
	int switches = 0;

	NEED_FLIGHT(unit);
	flight_attr(&unit, &attr);
	attr.config2 = POINT | AFTER(32768);
	ASSERT_EQ(0, open_flight(&ring, &attr, other_start));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(50000);
	other(5);
	for (; switches < 40; switches++) {
		spin(1000);
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	land(_metadata, &unit, &attr, &ring, &f);
	TH_LOG("%u records", ring.naux);
	EXPECT_GE(ring.naux, 5);
	EXPECT_TRUE(ring.flags & PERF_AUX_FLAG_TRUNCATED);
	EXPECT_AFTER(f, 32768);
	free(f.bytes);
	ring_close(&ring);
}

/* The buffer stays unchanged: enabling the event again records nothing more. */
TEST(enabled_again_records_nothing)
{
	struct perf_event_attr attr;
	struct flight f, again;
	struct ring ring;

	NEED_FLIGHT(unit);
	flight_attr(&unit, &attr);
	attr.config2 = POINT | AFTER(4096);
	ASSERT_EQ(0, open_flight(&ring, &attr, other_start));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(50000);
	other(5);
	spin(50000);
	land(_metadata, &unit, &attr, &ring, &f);
	/* Enable it repeatedly, with the task switched out in between. */
	for (int i = 0; i < 50; i++) {
		ASSERT_EQ(0, ring_enable(&ring));
		spin(500);
		other(5);
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	land(_metadata, &unit, &attr, &ring, &again);
	EXPECT_EQ(f.end, again.end);
	EXPECT_EQ(f.n, again.n);
	/* except the padding before the next possible window */
	EXPECT_EQ(0, memcmp(f.bytes + 2048, again.bytes + 2048, f.n - 2048));
	free(f.bytes);
	free(again.bytes);
	ring_close(&ring);
}

/* A child process has its own event but the same buffer, so the trigger stops both. */
static void family(void *arg)
{
	pid_t pid = fork();

	(void)arg;
	if (!pid) {
		spin(50000);
		other(5);
		spin(3000);
		_exit(0);
	}
	for (int i = 0; i < 100; i++) {
		spin(1000);
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	}
	waitpid(pid, NULL, 0);
	spin(100000);
}

TEST(children_share_the_trigger)
{
	struct perf_event_attr attr;
	struct worker worker;
	struct flight f;
	struct ring ring;
	int cpu;

	NEED_FLIGHT(unit);
	cpu = unit_cpu(&unit, 0);
	flight_attr(&unit, &attr);
	attr.inherit = 1;
	attr.config2 = POINT | AFTER(16384);
	ASSERT_EQ(0, worker_start(&worker, cpu, family, NULL));
	ASSERT_EQ(0, ring_open(&ring, &attr, worker.pid, cpu, BUFFER, RING_OVERWRITE));
	ASSERT_EQ(0, trigger_at(&ring, other_start));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	ASSERT_EQ(0, worker_wait(&worker));
	land(_metadata, &unit, &attr, &ring, &f);
	EXPECT_TRUE(ring.flags & PERF_AUX_FLAG_TRUNCATED);
	EXPECT_AFTER(f, 16384);
	free(f.bytes);
	ring_close(&ring);
}

/* Without the trigger the data is that of any snapshot. */
TEST(no_trigger_no_stop)
{
	struct perf_event_attr attr;
	struct flight f;
	struct ring ring;

	NEED_FLIGHT(unit);
	flight_attr(&unit, &attr);
	attr.config2 = POINT | AFTER(4096);
	ASSERT_EQ(0, open_flight(&ring, &attr, other_start));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(100000);
	land(_metadata, &unit, &attr, &ring, &f);
	EXPECT_EQ(0, ring.flags & PERF_AUX_FLAG_TRUNCATED);
	EXPECT_EQ(0, f.run.events[0]);
	EXPECT_EQ(ring.aux_size, f.n);
	free(f.bytes);
	ring_close(&ring);
}

/* A buffer that is not overwritten ends at the trigger as well. */
TEST(trigger_in_ring_buffer)
{
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;

	NEED_FLIGHT(unit);
	flight_attr(&unit, &attr);
	attr.config2 = POINT | AFTER(4096);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 1024, 0));
	ASSERT_EQ(0, trigger_at(&ring, other_start));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(100000);
	other(5);
	spin(100000);
	FINISH(ring, attr, run);
	EXPECT_TRUE(ring.flags & PERF_AUX_FLAG_TRUNCATED);
	EXPECT_EQ(200000, run.spin_before[0]);
	EXPECT_GE(ring.nbytes - run.event_at[0], 4096);
	EXPECT_LE(ring.nbytes - run.event_at[0], 4096 + SLACK);
	ring_close(&ring);
}

TEST_HARNESS_MAIN
