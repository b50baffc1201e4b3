// SPDX-License-Identifier: GPL-2.0-only
/* The content of the trace: each instruction once, exceptions, time and thread IDs. */
#include "harness.h"

#include <sys/auxv.h>
#include <sys/syscall.h>
#include <asm/hwcap.h>

#include <v9trace/uapi.h>

#include "ete.h"
#include "work.h"
#include "insn_mix.h"

#define AUX_PAGES	256		/* room for each session here without a wrap */

static uint64_t lse(void)
{
	return getauxval(AT_HWCAP) & HWCAP_ATOMICS ? 1 : 0;
}

#define SESSION(ring, attr, run, work)						\
	do {									\
		ASSERT_EQ(0, ring_open(&(ring), &(attr), 0, -1,			\
				       ete_pages(&unit, AUX_PAGES), 0));	\
		ASSERT_EQ(0, ring_enable(&(ring)));				\
		work;								\
		FINISH(ring, attr, run);					\
		EXPECT_EQ(0, (ring).flags & RING_LOSS);				\
	} while (0)

/*
 * 2n instructions in the loop, however often the kernel interrupts it, and otherwise only the
 * code between the two ioctls.
 * shows: ETE-R_KBFFQ ETE-R_QCFSS ETE-R_ZDTLK
 */
TEST(each_instruction_once)
{
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;
	uint64_t n = 3000000;

	NEED_SESSION(unit);
	ete_attr(&unit, &attr);
	SESSION(ring, attr, run, spin(n));
	TH_LOG("%" PRIu64 " instructions, %" PRIu64 " exceptions, %zu bytes", run.insns,
	       run.exceptions, ring.nbytes);
	EXPECT_EQ(2 * n, run.in_spin);
	EXPECT_LE(run.insns, 2 * n + 500);
	EXPECT_EQ(0, run.above);
	EXPECT_EQ(0, run.gaps[V9_FLOW_NO_CODE]);
	EXPECT_EQ(0, run.gaps[V9_FLOW_NO_ADDRESS]);
	EXPECT_EQ(0, run.gaps[V9_FLOW_OVERFLOW]);
	ring_close(&ring);
}

/* Each instruction of insn_mix is traced once per round. shows: ETE-R_PBVZM ETE-R_XCJGD */
static void count_insn_mix(struct __test_metadata *_metadata, const struct unit *tested,
		      uint64_t config)
{
	static unsigned int hits[512];
	const struct unit unit = *tested;
	struct perf_event_attr attr;
	struct ring ring;
	struct ete_run run;
	uint64_t rounds = 3000;

	ete_attr(&unit, &attr);
	attr.config = config;
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, AUX_PAGES, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	insn_mix(rounds, lse());
	ASSERT_EQ(0, ring_disable(&ring));
	ASSERT_EQ(0, ring_drain(&ring));
	memset(&run, 0, sizeof(run));
	memset(hits, 0, sizeof(hits));
	run.from = (uintptr_t)insn_mix_start;
	run.to = (uintptr_t)insn_mix_end;
	run.hits = hits;
	ASSERT_LE(run.to - run.from, 4 * ARRAY_SIZE(hits));
	ASSERT_EQ(0, ete_walk(&unit, &attr, &ring, &run))
		TH_LOG("%s at %" PRIu64, run.why, run.bad_at);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	for (const struct insn_mix_row *row = __start_insn_mix_rows; row < __stop_insn_mix_rows; row++) {
		EXPECT_EQ(row->lse && !lse() ? 0 : rounds, hits[(row->pc - run.from) / 4])
			TH_LOG("%s, config %#" PRIx64, row->name, config);
	}
	ring_close(&ring);
}

TEST(each_type_of_instruction)
{
	NEED_SESSION(unit);
	count_insn_mix(_metadata, &unit, 0);
}

/* The packets differ, the executed instructions do not. */
TEST(same_with_every_option)
{
	static const struct { const char *name; uint64_t config; } with[] = {
		{ "retstack", ETE_RETSTACK }, { "branch_broadcast", ETE_BROADCAST },
		{ "cycacc", ETE_CYCLES }, { "timestamp", ETE_TIMESTAMP(1) },
		{ "contextid1", ETE_CONTEXTID1 }, { "contextid2", ETE_CONTEXTID2 },
	};
	uint64_t all = 0;

	NEED_SESSION(unit);
	for (size_t i = 0; i < ARRAY_SIZE(with); i++) {
		char path[64], text[32];

		snprintf(path, sizeof(path), "format/%s", with[i].name);
		if (read_text(unit.dir, path, text, sizeof(text)))
			continue;
		/* Older kernels have time stamps at another bit. */
		all |= strcmp(text, "config:28") ? with[i].config : ETE_OLD_TIMESTAMP;
		count_insn_mix(_metadata, &unit, with[i].config);
	}
	count_insn_mix(_metadata, &unit, all);
}

/*
 * A trace unit that was enabled begins with an Alignment Synchronization and a Trace Info. Each
 * window of our driver begins like this.
 * shows: ETE-R_QZRMQ ETE-R_HMDGL
 */
TEST(synchronization_comes_first)
{
	static const uint8_t async[12] = { [11] = 0x80 };
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;

	NEED_SESSION(unit);
	ete_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, AUX_PAGES, 0));
	for (int i = 0; i < 10; i++) {
		ASSERT_EQ(0, ring_enable(&ring));
		spin(1000);
		ASSERT_EQ(0, ring_disable(&ring));
	}
	COLLECT(ring, attr, run);
	EXPECT_GE(ring.naux, 10);
	for (unsigned int i = 0; i < ring.naux; i++) {
		const struct ring_piece *p = &ring.piece[i];

		EXPECT_TRUE(p->flags & PERF_AUX_FLAG_CORESIGHT_FORMAT_RAW);
		if (i && !unit.ours)
			continue;
		ASSERT_GE(p->size, sizeof(async) + 2);
		EXPECT_EQ(0, memcmp(async, ring.bytes + p->offset, sizeof(async)));
		EXPECT_EQ(1, ring.bytes[p->offset + sizeof(async)]);
	}
	EXPECT_EQ(20000, run.in_spin);
	ring_close(&ring);
}

/* A decoder can begin at many positions: about every 4096 bytes. shows: ETE-R_QHHSY */
TEST(synchronization_period)
{
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;

	NEED_SESSION(unit);
	NEED(unit_has(&unit, "format/branch_broadcast"), "branch broadcast (TRCIDR0.TRCBB)");
	ete_attr(&unit, &attr);
	attr.config = ETE_BROADCAST;
	SESSION(ring, attr, run, spin(100000));
	EXPECT_EQ(200000, run.in_spin);
	EXPECT_GE(run.acc.kinds[V9_ETE_ASYNC] + 1, ring.nbytes / 4096 * 9 / 10);
	EXPECT_EQ(run.acc.kinds[V9_ETE_ASYNC], run.acc.kinds[V9_ETE_INFO]);
	ring_close(&ring);
}

/* The trace ID of the stream is reported once per CPU, as perf requires it. */
TEST(hardware_id_is_reported)
{
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;
	int cpu;

	NEED_SESSION(unit);
	cpu = unit_cpu(&unit, unit.ncpus - 1);
	ASSERT_EQ(0, pin_to(cpu));
	ete_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, AUX_PAGES, 0));
	for (int i = 0; i < 3; i++) {
		ASSERT_EQ(0, ring_enable(&ring));
		spin(1000);
		ASSERT_EQ(0, ring_disable(&ring));
	}
	COLLECT(ring, attr, run);
	NEED(ring.nhw_id, "PERF_RECORD_AUX_OUTPUT_HW_ID (kernel 6.2)");
	EXPECT_LE(1, ring.hw_id[0] & 0xff);
	EXPECT_GE(0x6f, ring.hw_id[0] & 0xff);
	if (unit.ours) {
		/* The value that perf uses if it is not reported */
		uint64_t id = cpu < 48 ? 0x10 + 2 * (uint64_t)cpu : ring.hw_id[0] & 0xff;

		EXPECT_EQ(1, ring.nhw_id);
		EXPECT_EQ(V9_TRACE_HW_ID(id, cpu + 1), ring.hw_id[0]);
	}
	ring_close(&ring);
}

/* One exception per call, no instruction of the kernel. shows: ETE-R_THBVD ETE-R_RXMJF */
TEST(system_calls)
{
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;
	unsigned int calls = 200;

	NEED_SESSION(unit);
	ete_attr(&unit, &attr);
	SESSION(ring, attr, run,
		for (unsigned int i = 0; i < calls; i++) {
			spin(10);
			syscall(__NR_getppid);
		});
	EXPECT_EQ(20 * calls, run.in_spin);
	/* And the ioctl that ends the session */
	EXPECT_EQ(calls + 1, run.by_type[V9_ETE_EXC_CALL]);
	EXPECT_EQ(0, run.above);
	EXPECT_GE(run.gaps[V9_FLOW_FILTER], calls);
	ring_close(&ring);
}

/* Faults, traps and signal handlers. shows: ETE-P_D35 ETE-R_SFYMW */
static volatile unsigned int handled;

static void skip(int nr, siginfo_t *info, void *context)
{
	ucontext_t *c = context;

	(void)nr;
	(void)info;
	handled++;
	c->uc_mcontext.pc += 4;
}

static void stumble(unsigned int times)
{
	volatile int *volatile nowhere = NULL;

	while (times--) {
		(void)*nowhere;
		asm volatile("brk #1");
		asm volatile("udf #1");
	}
}

TEST(faults_and_handlers)
{
	static const int signals[] = { SIGSEGV, SIGTRAP, SIGILL };
	struct sigaction act = { .sa_sigaction = skip, .sa_flags = SA_SIGINFO };
	struct perf_event_attr attr;
	unsigned int times = 20;
	struct ete_run run;
	struct ring ring;

	NEED_SESSION(unit);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		ASSERT_EQ(0, sigaction(signals[i], &act, NULL));
	stumble(1);
	handled = 0;
	ete_attr(&unit, &attr);
	SESSION(ring, attr, run, stumble(times));
	EXPECT_EQ(3 * times, handled);
	EXPECT_GE(run.by_type[V9_ETE_EXC_DATA_FAULT], times);
	EXPECT_EQ(times, run.by_type[V9_ETE_EXC_INST_DEBUG]);
	EXPECT_EQ(times, run.by_type[V9_ETE_EXC_TRAP]);
	EXPECT_EQ(0, run.gaps[V9_FLOW_NO_CODE]);
	ring_close(&ring);
}

/* The trace contains nothing that was not requested. */
TEST(no_option_nothing_extra)
{
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;

	NEED_SESSION(unit);
	NEED(unit.ours, "v9_ete driver");
	ete_attr(&unit, &attr);
	SESSION(ring, attr, run, spin(1000000));
	EXPECT_EQ(0, run.times);
	EXPECT_EQ(0, run.acc.kinds[V9_ETE_CYCLES]);
	EXPECT_EQ(0, run.acc.kinds[V9_ETE_EVENT]);
	ASSERT_EQ(1, run.nthreads);
	EXPECT_EQ(0, run.threads[0]);
	ring_close(&ring);
}

static void take_times(struct __test_metadata *_metadata, const struct unit *tested,
		       uint64_t config, uint64_t *times)
{
	const struct unit unit = *tested;
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;
	uint64_t before = now_ticks(), after;

	ete_attr(&unit, &attr);
	attr.config = config;
	SESSION(ring, attr, run,
		for (int i = 0; i < 100; i++) {
			spin(2000);
			syscall(__NR_getppid);
		});
	after = now_ticks();
	TH_LOG("config %#" PRIx64 ": %" PRIu64 " time stamps in %" PRIu64 " ticks", config,
	       run.times, after - before);
	EXPECT_EQ(400000, run.in_spin);
	EXPECT_FALSE(run.time_goes_back);
	EXPECT_GE(run.first_time, before);
	EXPECT_LE(run.last_time, after);
	*times = run.times;
	ring_close(&ring);
}

/*
 * Time is the virtual counter, which a program can read: each time stamp is between the values
 * read before and after. A longer interval has fewer of them.
 * shows: ETE-I_BLBJX ETE-R_YYWTR
 */
TEST(time_stamps)
{
	uint64_t always, seldom, least;
	char text[32];

	NEED_SESSION(unit);
	NEED(!read_text(unit.dir, "format/timestamp", text, sizeof(text)),
	     "time stamps (TRCIDR0.TSSIZE)");
	if (!unit.ours && !strcmp(text, "config:28")) {
		take_times(_metadata, &unit, ETE_OLD_TIMESTAMP, &always);
		EXPECT_GT(always, 0);
		return;
	}
	take_times(_metadata, &unit, ETE_TIMESTAMP(1), &always);
	take_times(_metadata, &unit, ETE_TIMESTAMP(13), &seldom);
	take_times(_metadata, &unit, ETE_TIMESTAMP(15), &least);
	EXPECT_GT(least, 0);
	EXPECT_GE(seldom, least);
	EXPECT_GT(always, seldom);
}

/* A higher threshold gives fewer counts with about the same sum. */
TEST(cycle_counts)
{
	struct perf_event_attr attr;
	struct ete_run often, seldom;
	struct ring ring;

	NEED_SESSION(unit);
	NEED(unit_has(&unit, "format/cycacc"), "cycle counts (TRCIDR0.TRCCCI)");
	NEED(unit_has(&unit, "format/cc_threshold"), "cc_threshold (config3)");
	ete_attr(&unit, &attr);
	attr.config = ETE_CYCLES;
	attr.config3 = 32;
	SESSION(ring, attr, often, spin(200000));
	ring_close(&ring);
	attr.config3 = 1024;
	SESSION(ring, attr, seldom, spin(200000));
	ring_close(&ring);
	TH_LOG("%" PRIu64 " and %" PRIu64 " counts, %" PRIu64 " and %" PRIu64 " cycles",
	       often.counts, seldom.counts, often.cycles, seldom.cycles);
	EXPECT_EQ(400000, often.in_spin);
	EXPECT_EQ(400000, seldom.in_spin);
	EXPECT_GT(often.counts, 4 * seldom.counts);
	EXPECT_GT(seldom.counts, 0);
	EXPECT_GE(seldom.cycles, 1024 * (seldom.counts - 1));
}

/* The thread ID as the kernel has it. shows: ETE-R_MKKZN ETE-R_PTVYD ETE-R_JNXJT */
TEST(thread_ids)
{
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;
	uint64_t tid;

	NEED_SESSION(unit);
	ete_attr(&unit, &attr);
	attr.config = ete_thread_option(&unit);
	NEED(attr.config, "trace of thread IDs");
	tid = syscall(__NR_gettid);
	SESSION(ring, attr, run, spin(100000));
	ASSERT_EQ(1, run.nthreads);
	EXPECT_EQ(attr.config == ETE_CONTEXTID1 ? tid : tid << 32, run.threads[0]);
	ring_close(&ring);
}

/* The trace has the target of each taken branch. shows: ETE-R_MHYFV */
TEST(branch_broadcast)
{
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;
	uint64_t n = 20000;

	NEED_SESSION(unit);
	NEED(unit_has(&unit, "format/branch_broadcast"), "branch broadcast (TRCIDR0.TRCBB)");
	ete_attr(&unit, &attr);
	attr.config = ETE_BROADCAST;
	SESSION(ring, attr, run, spin(n));
	EXPECT_EQ(2 * n, run.in_spin);
	EXPECT_GE(run.acc.kinds[V9_ETE_ADDRESS], n - 1);
	ring_close(&ring);
}

/* A return to the caller needs no address, if it is predicted. shows: ETE-R_QHSBN */
TEST(return_stack)
{
	struct perf_event_attr attr;
	struct ete_run run[2];
	struct ring ring;
	uint64_t rounds = 1000;

	NEED_SESSION(unit);
	NEED(unit_has(&unit, "format/retstack"), "return stack (TRCIDR0.RETSTACK)");
	for (int i = 0; i < 2; i++) {
		ete_attr(&unit, &attr);
		attr.config = i ? ETE_RETSTACK : 0;
		SESSION(ring, attr, run[i], insn_mix(rounds, 0));
		ring_close(&ring);
	}
	EXPECT_GE(run[0].acc.kinds[V9_ETE_ADDRESS],
		  run[1].acc.kinds[V9_ETE_ADDRESS] + rounds * (ete_speculates(&unit) ? 5 : 9) / 10);
}

/* The kernel alone, and with user space. shows: ETE-R_LWYJR ETE-R_HYZLQ */
TEST(kernel_only)
{
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;

	NEED_SESSION(unit);
	NEED_PERFMON();
	ete_attr(&unit, &attr);
	attr.exclude_kernel = 0;
	attr.exclude_user = 1;
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, AUX_PAGES, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	for (int i = 0; i < 20; i++) {
		spin(1000);
		syscall(__NR_getppid);
	}
	FINISH(ring, attr, run);
	EXPECT_EQ(0, run.insns);
	EXPECT_GT(run.above, 0);
	ring_close(&ring);
}

TEST(user_and_kernel)
{
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;

	NEED_SESSION(unit);
	NEED_PERFMON();
	ete_attr(&unit, &attr);
	attr.exclude_kernel = 0;
	SESSION(ring, attr, run,
		for (int i = 0; i < 20; i++) {
			spin(1000);
			syscall(__NR_getppid);
		});
	EXPECT_EQ(40000, run.in_spin);
	EXPECT_GE(run.above, 20);
	ring_close(&ring);
}

TEST_HARNESS_MAIN
