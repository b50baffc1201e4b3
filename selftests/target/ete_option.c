// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options of v9_ete that stock perf does not have. Each changes what is traced or how, as its
 * name states. ete_pmu checks that format/ lists them.
 */
#include "harness.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/syscall.h>

#include <v9trace/gen/regs.h>

#include "ete.h"
#include "machine.h"
#include "work.h"

#define AUX_PAGES	1024

#define PRESET(n)	((uint64_t)(n))
#define INPUT(n)	((uint64_t)(n) << 32)
#define INPUT_EVENT	(1ULL << 48)
#define SYNC(n)		((uint64_t)(n) << 49)
#define BB_RANGE(n)	((uint64_t)(n) << 54)
#define TS_SOURCE(n)	((uint64_t)(n) << 56)
#define STALL(n)	((uint64_t)(n) << 58)
#define STROBE(w, p)	((uint64_t)(p) << 16 | (w))
#define MATCH(id)	((uint64_t)(id) << 32)
#define PE_INPUT(mask)	((uint64_t)(mask) << 8)
#define MASK(bytes)	((uint64_t)(bytes) << 2)

/* PMU events at the inputs of a trace unit */
#define CPU_CYCLES	0x11
#define TRB_WRAP	0x400c

#define NEED_OPTION(unit, name)							\
	NEED_SESSION(unit);							\
	NEED(unit.ours, "v9_ete driver");					\
	NEED(unit_has(&(unit), "format/" name), name)

/* The work of this process during a session */
static void both(uint64_t rounds)
{
	for (uint64_t i = 0; i < rounds; i++) {
		other(300);
		spin(1000);
		other(300);
	}
}

#define Q_ELEMENTS(n)	((uint64_t)(n) << 30)
#define Q_RANGE(n)	((uint64_t)(n) << 16)

/* Record both(10) with the options and, if @text is not NULL, filters. */
static void session(struct __test_metadata *_metadata, const struct unit *tested,
		    const struct perf_event_attr *attr, const char *text, struct ete_run *run)
{
	const struct unit unit = *tested;
	struct ring ring;

	ASSERT_EQ(0, ring_open(&ring, attr, 0, -1, AUX_PAGES, 0));
	if (text)
		ASSERT_EQ(0, ete_set_filter(&ring, text)) TH_LOG("%s", text);
	ASSERT_EQ(0, ring_enable(&ring));
	both(10);
	FINISH(ring, *attr, *run);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	ring_close(&ring);
}

#define ALL_SPIN	(10 * 2 * 1000)

/* A synchronization every 2^n bytes shows: ETE-R_QHHSY */
TEST(sync_period)
{
	static const unsigned int periods[] = { 8, 0, 20 };
	uint64_t bytes[3], syncs[3], records[3];

	NEED_OPTION(unit, "sync_period");
	for (int i = 0; i < 3; i++) {
		struct perf_event_attr attr;
		struct ete_run run;
		struct ring ring;

		ete_attr(&unit, &attr);
		attr.config = SYNC(periods[i]);
		ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, AUX_PAGES, 0));
		ASSERT_EQ(0, ring_enable(&ring));
		spin(300000);
		FINISH(ring, attr, run);
		bytes[i] = ring.nbytes;
		syncs[i] = run.acc.kinds[V9_ETE_ASYNC];
		records[i] = ring.naux;
		TH_LOG("period %u: %" PRIu64 " in %" PRIu64 " bytes, %u records", periods[i],
		       syncs[i], bytes[i], ring.naux);
		EXPECT_EQ(600000, run.in_spin);
		/*
		 * Each record begins with a synchronization, and the others follow at the period.
		 */
		if (periods[i] == 20)
			EXPECT_LE(syncs[i], ring.naux + run.exceptions);
		ring_close(&ring);
	}
	EXPECT_GE(syncs[0], bytes[0] / 512);
	EXPECT_GE(syncs[1], bytes[1] / 8192);
	EXPECT_LE(syncs[1] - records[1], syncs[0] / 4);
	EXPECT_LE(syncs[2], syncs[1] + records[2]);
}

/*
 * Timestamps of a counter that a hypervisor may hide, so they need privilege.
 * shows: ETE-I_BLBJX
 */
TEST(physical_time)
{
	struct perf_event_attr attr;
	uint64_t before, after;
	struct ete_run run;

	NEED_OPTION(unit, "ts_source");
	NEED(!getuid(), "root");
	for (unsigned int source = 1; source <= 3; source++) {
		ete_attr(&unit, &attr);
		attr.config = ETE_TIMESTAMP(1) | TS_SOURCE(source);
		before = now_ticks();
		session(_metadata, &unit, &attr, NULL, &run);
		after = now_ticks();
		EXPECT_EQ(ALL_SPIN, run.in_spin);
		EXPECT_GT(run.times, 10);
		/* The tests run on kernels without a hypervisor above them. */
		EXPECT_LE(before, run.first_time);
		EXPECT_GE(after, run.last_time);
		/*
		 * User space can read the physical counter if the host is at EL2, else the
		 * virtual one.
		 */
		EXPECT_EQ(source == (ete_kernel_at_el2(&unit) ? 3 : 1) ? 0 : -EACCES,
			  as_nobody(ring_try, &attr));
	}
	attr.config = TS_SOURCE(3);
	EXPECT_EQ(-EINVAL, ring_try(&attr));
}

/* The first of each twenty windows. shows: ETE-R_YLYPH ETE-R_NPVRQ ETE-R_QYNJH */
TEST(strobing)
{
	struct perf_event_attr attr;
	uint64_t all = 2 * 400000;
	struct ete_run run;
	struct ring ring;

	NEED_OPTION(unit, "strobe_window");
	ete_attr(&unit, &attr);
	attr.config1 = STROBE(500, 20);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, AUX_PAGES, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(all / 2);
	FINISH(ring, attr, run);
	TH_LOG("%" PRIu64 " of %" PRIu64 " instructions, begun %" PRIu64 " times", run.in_spin, all,
	       run.acc.kinds[V9_ETE_TRACE_ON]);
	/* The instructions per cycle depend on the machine, but the traced share does not. */
	EXPECT_GE(run.in_spin, all / 20 * 8 / 10);
	EXPECT_LE(run.in_spin, all / 20 * 13 / 10);
	EXPECT_GE(run.acc.kinds[V9_ETE_TRACE_ON], 10);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	ring_close(&ring);

	attr.config1 = STROBE(500, 0);
	EXPECT_EQ(-EINVAL, ring_try(&attr));
	/* Both counters are in use, and time stamps require a third. */
	attr.config1 = STROBE(500, 20);
	attr.config = ETE_TIMESTAMP(8);
	if (V9_GET(V9_TRCIDR5_NUMCNTR, ete_register(&unit, "trcidr/trcidr5")) == 2)
		EXPECT_EQ(-EOPNOTSUPP, ring_try(&attr));
}

/* Event aliases for perf */
TEST(options_by_name)
{
	static const struct {
		const char *name, *terms;
	} names[] = {
		{ "strobe", "strobe_window=5000,strobe_period=10" },
		{ "autofdo", "strobe_window=5000,strobe_period=10000" },	/* as in-tree */
	};
	struct perf_event_attr attr;

	NEED_OPTION(unit, "strobe_window");
	for (unsigned int i = 0; i < ARRAY_SIZE(names); i++) {
		unsigned int window = 0, period = 0;
		char file[32], text[64];

		snprintf(file, sizeof(file), "events/%s", names[i].name);
		ASSERT_EQ(0, read_text(unit.dir, file, text, sizeof(text)));
		EXPECT_STREQ(names[i].terms, text);
		ASSERT_EQ(2, sscanf(text, "strobe_window=%u,strobe_period=%u", &window, &period));
		ete_attr(&unit, &attr);
		attr.config1 = STROBE(window, period);
		EXPECT_EQ(0, ring_try(&attr));
	}
}

/* A preset replaces the window and period of the alias: here half of the trace. */
TEST(preset_replaces_alias)
{
	struct perf_event_attr attr;
	uint64_t all = 2 * 400000;
	struct ete_run run;
	struct ring ring;

	NEED_OPTION(unit, "preset");
	ete_attr(&unit, &attr);
	attr.config = PRESET(1);
	attr.config1 = STROBE(5000, 10000);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, AUX_PAGES, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(all / 2);
	FINISH(ring, attr, run);
	TH_LOG("%" PRIu64 " of %" PRIu64 " instructions, begun %" PRIu64 " times", run.in_spin, all,
	       run.acc.kinds[V9_ETE_TRACE_ON]);
	EXPECT_GE(run.in_spin, all * 4 / 10);
	EXPECT_LE(run.in_spin, all * 6 / 10);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	ring_close(&ring);

	for (unsigned int n = 0; n < 16; n++) {
		attr.config = PRESET(n);
		EXPECT_EQ(n < 10 ? 0 : -EINVAL, ring_try(&attr)) TH_LOG("preset=%u", n);
	}
	attr.config = PRESET(9);
	attr.config1 = 0;
	EXPECT_EQ(-EINVAL, ring_try(&attr));
}

/* A task with another thread ID is not traced. shows: ETE-R_DCCBY ETE-R_RTRBM */
TEST(match_of_a_thread)
{
	uint32_t self = syscall(__NR_gettid);
	struct perf_event_attr attr;
	struct ete_run run;

	NEED_OPTION(unit, "contextid_match");
	NEED(ete_thread_option(&unit), "trace of thread IDs");
	ete_attr(&unit, &attr);
	attr.config1 = MATCH(self);
	session(_metadata, &unit, &attr, NULL, &run);
	EXPECT_EQ(ALL_SPIN, run.in_spin);
	attr.config1 = MATCH(self + 1);
	session(_metadata, &unit, &attr, NULL, &run);
	EXPECT_EQ(0, run.insns);
	/* With a mask the lowest byte is ignored. */
	attr.config1 = MATCH(self ^ 0x5a);
	attr.config2 = MASK(1);
	session(_metadata, &unit, &attr, NULL, &run);
	EXPECT_EQ(ALL_SPIN, run.in_spin);
	attr.config1 = MATCH(self ^ 0x5a00);
	session(_metadata, &unit, &attr, NULL, &run);
	EXPECT_EQ(0, run.insns);
}

/* One of two tasks that share a CPU. */
TEST(match_on_a_cpu)
{
	struct spin_job job = { 5000 };
	struct perf_event_attr attr;
	struct worker mine, theirs;
	struct ete_run run;
	struct ring ring;
	int cpu;

	NEED_OPTION(unit, "contextid_match");
	NEED_PERFMON();
	NEED(ete_thread_option(&unit), "trace of thread IDs");
	cpu = unit_cpu(&unit, 0);
	ASSERT_EQ(0, worker_start(&mine, cpu, spin_work, &job));
	ASSERT_EQ(0, worker_start(&theirs, cpu, spin_work, &job));
	ete_attr(&unit, &attr);
	attr.config = ete_thread_option(&unit);
	attr.config1 = MATCH(mine.pid);
	ASSERT_EQ(0, ring_open(&ring, &attr, -1, cpu, AUX_PAGES, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&mine);
	worker_go(&theirs);
	ASSERT_EQ(0, worker_wait(&mine));
	ASSERT_EQ(0, worker_wait(&theirs));
	FINISH(ring, attr, run);
	EXPECT_EQ(10000, run.in_spin);
	ring_close(&ring);
}

/* Strobing and a thread ID: both conditions apply. shows: ETE-R_KTNJM */
TEST(two_conditions)
{
	uint32_t self = syscall(__NR_gettid);
	struct perf_event_attr attr;
	struct ete_run run;

	NEED_OPTION(unit, "contextid_match");
	NEED(unit_has(&unit, "format/strobe_window"), "strobe_window");
	NEED(ete_thread_option(&unit), "trace of thread IDs");
	ete_attr(&unit, &attr);
	attr.config1 = MATCH(self) | STROBE(200, 4);
	session(_metadata, &unit, &attr, NULL, &run);
	EXPECT_GE(run.in_spin, ALL_SPIN / 8);
	EXPECT_LE(run.in_spin, ALL_SPIN / 2);
	attr.config1 = MATCH(self + 1) | STROBE(200, 4);
	session(_metadata, &unit, &attr, NULL, &run);
	EXPECT_EQ(0, run.insns);
}

/* The ranges in which each branch has its target in the trace. shows: ETE-R_MHYFV */
TEST(broadcast_ranges)
{
	static const struct {
		unsigned int range;
		bool spin, other;
	} cases[] = {
		{ 0, true, true }, { 1, true, false }, { 2, false, true }, { 3, true, false },
	};
	uint64_t in_spin = 10 * 999, in_other = 20 * 299;

	NEED_OPTION(unit, "bb_range");
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct perf_event_attr attr;
		char text[1024] = "";
		struct ete_run run;
		uint64_t targets;

		ete_attr(&unit, &attr);
		attr.config = ETE_BROADCAST | BB_RANGE(cases[i].range);
		if (cases[i].range == 1)
			ete_add_filter(text, sizeof(text), "filter", SPIN_CODE);
		else if (cases[i].range)
			ete_add_filter(text, sizeof(text), "stop", OTHER_CODE);
		session(_metadata, &unit, &attr, text, &run);
		targets = run.acc.kinds[V9_ETE_ADDRESS];
		TH_LOG("bb_range=%u: %" PRIu64 " targets", cases[i].range, targets);
		/* These ranges select where to broadcast, not what to trace. */
		EXPECT_EQ(ALL_SPIN, run.in_spin);
		EXPECT_GE(targets, cases[i].spin * in_spin + cases[i].other * in_other);
		/* A wrong path has targets, too; what is executed again is traced again. */
		EXPECT_LT(targets, cases[i].spin * in_spin + cases[i].other * in_other + 2000 +
				   run.acc.cancelled + run.acc.kinds[V9_ETE_CANCEL]);
	}
}

#define ALL_OTHER	(20 * 2 * 300)

/*
 * Q elements replace branches. With counts no instruction is missing, but not all are known; without counts
 * there are gaps. shows: ETE-R_SGFHP
 */
TEST(q_elements)
{
	unsigned int supp;
	struct perf_event_attr attr;
	struct ete_run all, run;

	NEED_OPTION(unit, "q_elements");
	supp = V9_GET(V9_TRCIDR0_QSUPP, ete_register(&unit, "trcidr/trcidr0"));
	ete_attr(&unit, &attr);
	session(_metadata, &unit, &attr, NULL, &all);
	EXPECT_EQ(0, all.acc.kinds[V9_ETE_Q]);
	for (unsigned int qe = 1; qe <= 3; qe += 2) {
		attr.config = Q_ELEMENTS(qe);
		if (!(supp & (qe == 1 ? 1 : 2))) {
			EXPECT_EQ(-EOPNOTSUPP, ring_try(&attr));
			continue;
		}
		session(_metadata, &unit, &attr, NULL, &run);
		TH_LOG("q_elements=%u: %" PRIu64 " Q elements, %" PRIu64 " of %" PRIu64
		       " instructions, %" PRIu64 " on unknown paths, %" PRIu64 " gaps", qe,
		       run.acc.kinds[V9_ETE_Q], run.insns, all.insns, run.unplaced,
		       run.gaps[V9_FLOW_NO_COUNT]);
		EXPECT_GT(run.acc.kinds[V9_ETE_Q], 100);
		EXPECT_LE(run.in_spin, ALL_SPIN);
		if (qe == 1) {
			EXPECT_EQ(0, run.gaps[V9_FLOW_NO_COUNT]);
			EXPECT_GE(run.insns + run.unplaced, all.insns - 100);
			EXPECT_LE(run.insns + run.unplaced, all.insns + 100);
		} else {
			EXPECT_GT(run.gaps[V9_FLOW_NO_COUNT], 10);
			EXPECT_LT(run.insns + run.unplaced, all.insns);
		}
	}
	attr.config = Q_ELEMENTS(2);
	EXPECT_EQ(-EINVAL, ring_try(&attr));
	attr.config = Q_ELEMENTS(supp & 1 ? 1 : 3) | ETE_BROADCAST;
	EXPECT_EQ(-EINVAL, ring_try(&attr));
}

/* The ranges where they are permitted. Elsewhere each instruction is known. shows: ETE-R_DTWYZ */
TEST(q_ranges)
{
	struct perf_event_attr attr;
	char text[1024] = "";
	struct ete_run run;

	NEED_OPTION(unit, "q_range");
	NEED(V9_GET(V9_TRCIDR0_QSUPP, ete_register(&unit, "trcidr/trcidr0")) & 1,
	     "Q elements with counts");
	ete_attr(&unit, &attr);
	ete_add_filter(text, sizeof(text), "filter", OTHER_CODE);
	attr.config = Q_ELEMENTS(1) | Q_RANGE(1);
	session(_metadata, &unit, &attr, text, &run);
	EXPECT_EQ(ALL_SPIN, run.in_spin);
	EXPECT_GT(run.acc.kinds[V9_ETE_Q], 100);
	EXPECT_LE(run.unplaced, ALL_OTHER);

	text[0] = 0;
	ete_add_filter(text, sizeof(text), "stop", SPIN_CODE);
	attr.config = Q_ELEMENTS(1) | Q_RANGE(3);
	session(_metadata, &unit, &attr, text, &run);
	EXPECT_EQ(ALL_SPIN, run.in_spin);
	EXPECT_GT(run.acc.kinds[V9_ETE_Q], 100);
	attr.config = Q_RANGE(1);
	EXPECT_EQ(-EINVAL, ring_try(&attr));
}

/*
 * Read what the last window of a session has left in an overwritten buffer of four pages, oldest
 * byte first. Returns its size; 0 if it is not enough. A window is opened each time the task is
 * switched in, and wraps at the position where it began, not at the start of the buffer.
 */
static uint64_t one_turn(struct __test_metadata *_metadata, struct perf_event_attr *attr,
			 unsigned long times, uint8_t **bytes)
{
	uint64_t began, end, n, since;
	struct ring_piece *last;
	struct ring ring;

	ASSERT_EQ(0, ring_open(&ring, attr, 0, -1, 4, RING_OVERWRITE));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(times);
	ASSERT_EQ(0, ring_disable(&ring));
	ASSERT_EQ(0, ring_drain(&ring));
	ASSERT_GT(ring.naux, 0);
	last = &ring.piece[ring.naux - 1];
	began = ring.naux > 1 ? last[-1].offset : 0;
	end = last->offset;
	n = last->size < ring.aux_size ? 0 : ring.aux_size;
	since = n ? (end - began) % n : 0;
	TH_LOG("%lu rounds: %u windows, the last one from %" PRIu64 " to %" PRIu64 ", %" PRIu64
	       " bytes behind its wrap", times, ring.naux, began, end, since);
	/*
	 * The wrap must lie inside of these bytes. Before it the decoder needs a synchronization,
	 * and behind it the unit must not yet be about to stop.
	 */
	if (since <= n / 4 || since >= n / 2)
		n = 0;
	*bytes = malloc(ring.aux_size);
	ASSERT_NE(NULL, *bytes);
	for (uint64_t i = 0; i < n; i++)
		(*bytes)[i] = ring.aux[(end + i) % n];
	ring_close(&ring);
	if (!n)
		free(*bytes);
	return n;
}

/*
 * One event packet for each wrap of the buffer.
 * shows: ETE-R_RFWZB ETE-R_YCNCR ETE-R_KKLYB TRBE-PT11
 */
TEST(event_of_an_input)
{
	struct perf_event_attr attr;
	struct ete_run run = { 0 };
	unsigned long times = 150000;
	uint64_t n = 0;
	uint8_t *bytes;

	NEED_OPTION(unit, "input_event");
	ete_attr(&unit, &attr);
	attr.config = INPUT(TRB_WRAP) | INPUT_EVENT | ETE_BROADCAST;
	/* Real-time priority keeps the task on its CPU, for a window that is long enough. */
	sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ .sched_priority = 1 });
	/* Task switches add to the trace, so its end cannot be computed in advance: try lengths. */
	for (int i = 0; i < 200 && !n; i++, times += 3500)
		n = one_turn(_metadata, &attr, times, &bytes);
	sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){ 0 });
	ASSERT_GT(n, 0);
	ASSERT_EQ(0, ete_walk_bytes(&unit, &attr, bytes, n, &run))
		TH_LOG("%s at %" PRIu64, run.why, run.bad_at);
	/* The buffer holds one wrap. */
	EXPECT_EQ(1, run.events[3]);
	EXPECT_EQ(0, run.events[0] + run.events[1] + run.events[2]);
	free(bytes);
}

/*
 * PE comparator inputs, which the kernel module makes match. It does so in the kernel, because
 * the unit observes the inputs only while it traces.
 * shows: ETE-R_CNVSS
 */
TEST(event_of_a_pe_input)
{
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;

	NEED_OPTION(unit, "pe_input");
	NEED(getenv("V9_INJECT"), "a machine that makes them match");
	NEED(getenv("V9_MODULES"), "V9_MODULES (where the modules are)");
	NEED(!module_load("selftest/v9_trcit", ""), "v9_trcit.ko for this kernel");
	ete_attr(&unit, &attr);
	attr.exclude_kernel = 0;
	attr.config = INPUT_EVENT;
	attr.config2 = PE_INPUT(2);
	/* room for the trace of a kernel with debug checks */
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 4096, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	EXPECT_EQ(0, write_text("/sys/module/v9_trcit/parameters/pe", "1"));	/* another one */
	for (int i = 0; i < 3; i++)
		EXPECT_EQ(0, write_text("/sys/module/v9_trcit/parameters/pe", "2"));
	FINISH(ring, attr, run);
	EXPECT_EQ(0, ring.flags & RING_LOSS)
		TH_LOG("%zu bytes", ring.nbytes);
	EXPECT_EQ(3, run.events[3]);
	EXPECT_EQ(0, run.events[0] + run.events[1] + run.events[2]);
	ring_close(&ring);
	EXPECT_EQ(0, module_unload("v9_trcit"));
}

/*
 * Options that are refused. A steady input is not tried as an event, because each cycle would add
 * a packet.
 */
TEST(undefined_values_refused)
{
	static const struct {
		uint64_t config, config1, config2;
	} wrong[] = {
		{ INPUT(CPU_CYCLES), 0, 0 }, { SYNC(7), 0, 0 }, { SYNC(21), 0, 0 },
		{ BB_RANGE(1), 0, 0 }, { 0, STROBE(1, 5), 0 }, { 0, STROBE(5, 1), 0 },
		{ 0, 0, MASK(1) }, { 0, 0, 1ULL << 16 }, { 0, 0, 1ULL << 32 }, { 0, 0, 3 },
	};
	struct perf_event_attr attr;

	NEED_OPTION(unit, "input_event");
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		ete_attr(&unit, &attr);
		attr.config = wrong[i].config;
		attr.config1 = wrong[i].config1;
		attr.config2 = wrong[i].config2;
		EXPECT_EQ(-EINVAL, ring_try(&attr)) TH_LOG("row %zu", i);
	}
}

/* Two threads alternate on one CPU, each with its own options. Neither gets the other's. */
TEST(options_belong_to_one_thread)
{
	struct busy *busy = new_shared(2 * sizeof(*busy));
	struct perf_event_attr attr[2];
	struct worker worker[2];
	struct ete_run run[2];
	struct ring ring[2];
	int cpu;

	NEED_OPTION(unit, "strobe_window");
	ASSERT_NE(NULL, busy);
	cpu = unit_cpu(&unit, 0);
	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(0, worker_start(&worker[i], cpu, keep_busy, &busy[i]));
		ete_attr(&unit, &attr[i]);
		attr[i].config1 = i ? 0 : STROBE(300, 10);
		attr[i].config = i ? SYNC(20) : SYNC(8);
		ASSERT_EQ(0, ring_open(&ring[i], &attr[i], worker[i].pid, cpu, AUX_PAGES, 0));
		ASSERT_EQ(0, ring_enable(&ring[i]));
	}
	worker_go(&worker[0]);
	worker_go(&worker[1]);
	wait_rounds(&busy[0], 20);
	wait_rounds(&busy[1], 20);
	busy[0].stop = busy[1].stop = true;
	for (int i = 0; i < 2; i++) {
		uint64_t all;

		ASSERT_EQ(0, worker_wait(&worker[i]));
		FINISH(ring[i], attr[i], run[i]);
		all = 2 * BUSY_SPIN * busy[i].rounds;
		TH_LOG("%" PRIu64 " of %" PRIu64, run[i].in_spin, all);
		if (ring[i].flags & RING_LOSS)
			continue;
		if (i) {
			EXPECT_EQ(all, run[i].in_spin);
			EXPECT_LE(run[i].acc.kinds[V9_ETE_ASYNC],
				  ring[i].naux + run[i].exceptions + (ring[i].nbytes >> 20));
		} else {
			EXPECT_GE(run[i].in_spin, all / 10 / 2);
			EXPECT_LE(run[i].in_spin, all / 10 * 2);
		}
		ring_close(&ring[i]);
	}
}

TEST_HARNESS_MAIN
