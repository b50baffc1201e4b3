// SPDX-License-Identifier: GPL-2.0-only
/* The content of the records: addresses, operation types, latencies, time, context. */
#include "harness.h"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <asm/hwcap.h>

#include "spe.h"
#include "work.h"
#include "insn_mix.h"
#include "machine.h"

#define AUX_PAGES	1024		/* room for each session here without a wrap */
#define ROUNDS		60000ULL
#define EV_RETIRED	(1ULL << 1)
#define EV_L1D_REFILL	(1ULL << 3)
#define EV_TLB_WALK	(1ULL << 5)
#define EV_FAILED	(1ULL << 6)
#define CFG_TS		(1ULL << 0)
#define CFG_PA		(1ULL << 1)
#define CFG_PCT		(1ULL << 2)
#define CFG_JITTER	(1ULL << 16)

static uint64_t lse(void)
{
	return getauxval(AT_HWCAP) & HWCAP_ATOMICS ? 1 : 0;
}

static const struct insn_mix_row *row_of(const struct spe_rec *rec)
{
	const struct insn_mix_row *row;

	for (row = __start_insn_mix_rows; rec->has & REC_PC && row < __stop_insn_mix_rows; row++)
		if (row->pc == SPE_ADDR(rec->pc))
			return row;
	return NULL;
}

/* An exception or its handling may have replaced the operation's own data. */
static bool completed(const struct spe_rec *rec)
{
	return (rec->events & 3) == EV_RETIRED;
}

static void run_insn_mix(void *arg)
{
	insn_mix(*(uint64_t *)arg, lse());
}

#define SESSION(ring, recs, attr, work)						\
	do {									\
		ASSERT_EQ(0, ring_open(&(ring), &(attr), 0, -1, AUX_PAGES, 0));	\
		ASSERT_EQ(0, ring_enable(&(ring)));				\
		work;								\
		FINISH(ring, recs);						\
		EXPECT_EQ(0, (ring).flags & RING_LOSS);				\
	} while (0)

/* Access all code and data once, so that faults do not change the counts. */
static void warm_up(void)
{
	uint64_t rounds = 10;

	run_insn_mix(&rounds);
	spin(10);
}

TEST(pc_in_function)
{
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;
	size_t inside;

	NEED_SESSION(unit);
	spe_attr(&unit, &attr);
	SESSION(ring, recs, attr, spin(1000000));
	for (size_t i = 0; i < recs.n; i++) {
		EXPECT_TRUE(recs.rec[i].has & REC_PC);
	}
	inside = spe_in_spin(&recs);
	/* The code between the two ioctls and the loop is some thousand instructions. */
	EXPECT_GE(inside + 8, recs.n);
	EXPECT_GE(inside, 100);
}

/*
 * 2n instructions plus a few around them, one sample per INTERVAL * 256 + 1.
 * shows: SPE-SI3 SPE-SI9 SPE-PM2
 */
TEST(count_is_exact)
{
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;
	uint64_t n = 2000000, want;

	NEED_SESSION(unit);
	NEED(unit.arch_inst, "ArchInst sampling");
	spe_attr(&unit, &attr);
	want = 2 * n / (attr.sample_period + 1);
	warm_up();
	SESSION(ring, recs, attr, spin(n));
	EXPECT_GE(recs.n, want - 2);
	EXPECT_LE(recs.n, want + 8);
}

/* Jitter raises the mean by half of the random byte, or by 0 (ERnd). shows: SPE-SI10 SPE-SI11 */
TEST(count_with_jitter)
{
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;
	uint64_t n = 2000000, want;
	char ernd[8];

	NEED_SESSION(unit);
	NEED(unit.arch_inst, "ArchInst sampling");
	spe_attr(&unit, &attr);
	attr.config = CFG_JITTER;
	ASSERT_EQ(0, read_text(unit.dir, "caps/ernd", ernd, sizeof(ernd)));
	want = 2 * n / (attr.sample_period + (ernd[0] == '1' ? 1 : 128));
	SESSION(ring, recs, attr, spin(n));
	EXPECT_GE(recs.n, want * 97 / 100);
	EXPECT_LE(recs.n, want * 103 / 100 + 8);
}

/* PERF_EVENT_IOC_PERIOD takes effect at the next start. */
TEST(period_can_change)
{
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;
	uint64_t n = 1000000, period, want;

	NEED_SESSION(unit);
	NEED(unit.arch_inst, "ArchInst sampling");
	spe_attr(&unit, &attr);
	period = 4 * attr.sample_period;
	want = 2 * n / (attr.sample_period + 1) + 2 * n / (period + 1);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, AUX_PAGES, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(n);
	ASSERT_EQ(0, ring_disable(&ring));
	ASSERT_EQ(0, ioctl(ring.fd, PERF_EVENT_IOC_PERIOD, &period));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(n);
	FINISH(ring, recs);
	EXPECT_GE(recs.n, want - 3);
	EXPECT_LE(recs.n, want + 16);
}

/* The kernel is not counted, so system calls do not change the count. shows: SPE-SI12 */
TEST(system_calls_are_not_counted)
{
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;
	unsigned int calls = 3000, per_call = 1000;
	uint64_t want;

	NEED_SESSION(unit);
	NEED(unit.arch_inst, "ArchInst sampling");
	spe_attr(&unit, &attr);
	want = 2ULL * calls * per_call / (attr.sample_period + 1);
	SESSION(ring, recs, attr,
		for (unsigned int i = 0; i < calls; i++) {
			spin(per_call);
			syscall(__NR_getppid);
		});
	EXPECT_GE(recs.n, want - 2);
	/* At most 60 instructions around each call and each loop */
	EXPECT_LE(recs.n, want + 60ULL * calls / attr.sample_period + 8);
}

/* Each record agrees with the table row of its instruction. */
struct insn_mix_run {
	struct ring ring;
	struct spe_recs recs;
};

FIXTURE(insn_mix)
{
	struct insn_mix_run run;
	bool ready;
};

FIXTURE_SETUP(insn_mix)
{
	struct perf_event_attr attr;
	uint64_t rounds = ROUNDS;
	struct unit unit;

	if (spe_find(&unit))
		SKIP(return, "FEAT_SPE (no PMU arm_spe_*)");
	if (spe_missing(&unit))
		SKIP(return, "%s", spe_missing(&unit));
	spe_attr(&unit, &attr);
	attr.config = CFG_TS | CFG_JITTER;
	warm_up();
	SESSION(self->run.ring, self->run.recs, attr, run_insn_mix(&rounds));
	self->ready = true;
}

FIXTURE_TEARDOWN(insn_mix)
{
	if (!self->ready)
		return;
	spe_free(&self->run.recs);
	ring_close(&self->run.ring);
}

#define EACH_MIX_RECORD(rec, row)						\
	for (struct spe_rec *rec = self->run.recs.rec;				\
	     rec < self->run.recs.rec + self->run.recs.n; rec++)		\
		for (const struct insn_mix_row *row = row_of(rec); row; row = NULL)

/* shows: SPE-SI3 SPE-SI5 */
TEST_F(insn_mix, every_instruction_is_sampled)
{
	unsigned int seen[64] = { 0 }, nrows = __stop_insn_mix_rows - __start_insn_mix_rows;

	EACH_MIX_RECORD(rec, row)
		seen[row - __start_insn_mix_rows]++;
	for (unsigned int i = 0; i < nrows; i++)
		if (!__start_insn_mix_rows[i].lse || lse()) {
			EXPECT_GE(seen[i], 1)
				TH_LOG("%s never sampled", __start_insn_mix_rows[i].name);
		}
}

/* shows: SPE-CD2 */
TEST_F(insn_mix, completed_records_are_full)
{
	const unsigned int need = REC_PC | REC_OP | REC_TOTAL | REC_ISSUE;

	EACH_MIX_RECORD(rec, row)
		if (completed(rec)) {
			ASSERT_EQ(need, rec->has & need) TH_LOG("%s", row->name);
		}
}

/* shows: SPE-CD7 SPE-CD11 SPE-CD5 */
TEST_F(insn_mix, operation_types)
{
	EACH_MIX_RECORD(rec, row) {
		if (!completed(rec))
			continue;
		ASSERT_EQ(row->op_class, rec->op_class) TH_LOG("%s", row->name);
		ASSERT_EQ(row->op, rec->op & row->op_mask) TH_LOG("%s", row->name);
	}
}

/* Lowest address accessed, tag in byte 7. shows: SPE-CD7 SPE-CD8 */
TEST_F(insn_mix, data_addresses)
{
	EACH_MIX_RECORD(rec, row) {
		if (!completed(rec) || !row->va)
			continue;
		ASSERT_TRUE(rec->has & REC_VA) TH_LOG("%s", row->name);
		ASSERT_EQ(row->va, rec->va) TH_LOG("%s", row->name);
		ASSERT_TRUE(rec->has & REC_XLAT) TH_LOG("%s", row->name);
	}
}

/* shows: SPE-CD5 SPE-CD10 */
TEST_F(insn_mix, branch_targets)
{
	EACH_MIX_RECORD(rec, row) {
		if (!completed(rec) || row->op_class != 2) {
			EXPECT_FALSE(rec->has & REC_TARGET) TH_LOG("%s", row->name);
			continue;
		}
		if (rec->events & EV_FAILED || !row->target)
			continue;
		ASSERT_TRUE(rec->has & REC_TARGET) TH_LOG("%s", row->name);
		ASSERT_EQ(row->target, SPE_ADDR(rec->target)) TH_LOG("%s", row->name);
		ASSERT_EQ(0, SPE_ADDR_EL(rec->target)) TH_LOG("%s", row->name);
	}
}

/* shows: SPE-CD10 SPE-CD5 */
TEST_F(insn_mix, conditional_branches)
{
	EACH_MIX_RECORD(rec, row)
		if (completed(rec) && row->failed < 2) {
			ASSERT_EQ(row->failed, !!(rec->events & EV_FAILED))
				TH_LOG("%s: events %#" PRIx64, row->name, rec->events);
		}
}

/* Refill only with access, walk only with access; issue within total. shows: SPE-CD20 */
TEST_F(insn_mix, events_and_latencies_agree)
{
	EACH_MIX_RECORD(rec, row) {
		uint64_t ev = rec->events;

		if (!completed(rec))
			continue;
		ASSERT_TRUE(!(ev & 1 << 3) || ev & 1 << 2) TH_LOG("%s", row->name);
		ASSERT_TRUE(!(ev & 1 << 5) || ev & 1 << 4) TH_LOG("%s", row->name);
		ASSERT_TRUE(!(ev & 1 << 9) || ev & 1 << 8) TH_LOG("%s", row->name);
		ASSERT_LE(rec->issue, rec->total) TH_LOG("%s", row->name);
		if (row->filter & (MIX_LD | MIX_ST)) {
			ASSERT_TRUE(ev & 1 << 4) TH_LOG("%s: no TLB access", row->name);
		}
	}
}

TEST_F(insn_mix, only_user_mode)
{
	for (size_t i = 0; i < self->run.recs.n; i++) {
		struct spe_rec *rec = &self->run.recs.rec[i];

		ASSERT_EQ(0, SPE_ADDR_EL(rec->pc));
		ASSERT_FALSE(SPE_ADDR(rec->pc) >> 55) TH_LOG("PC %#" PRIx64, rec->pc);
	}
}

TEST_F(insn_mix, no_physical_address_by_default)
{
	for (size_t i = 0; i < self->run.recs.n; i++) {
		ASSERT_FALSE(self->run.recs.rec[i].has & REC_PA);
	}
}

/* shows: SPE-SI1 */
TEST(results_are_unchanged)
{
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;
	static char before[4096];
	uint64_t sum, again = 0;

	NEED_SESSION(unit);
	memset(insn_mix_data, 0, sizeof(insn_mix_data));
	sum = insn_mix(50000, lse());
	memcpy(before, insn_mix_data, sizeof(before));
	memset(insn_mix_data, 0, sizeof(insn_mix_data));
	spe_attr(&unit, &attr);
	SESSION(ring, recs, attr, again = insn_mix(50000, lse()));
	EXPECT_GE(recs.n, 100);
	EXPECT_EQ(sum, again);
	EXPECT_EQ(0, memcmp(before, insn_mix_data, sizeof(before)));
}

/*
 * All instructions of the selected classes, and no other.
 * shows: SPE-FI1 SPE-FI2 SPE-FI3 SPE-FI4 SPE-CD11
 */
TEST(type_filters)
{
	struct perf_event_attr attr;
	uint64_t rounds = ROUNDS;

	NEED_SESSION(unit);
	warm_up();
	for (unsigned int mask = 1; mask < 8; mask++) {
		unsigned int seen[64] = { 0 };
		struct ring ring;
		struct spe_recs recs;

		spe_attr(&unit, &attr);
		attr.config = (uint64_t)mask << 32 | CFG_JITTER;
		SESSION(ring, recs, attr, run_insn_mix(&rounds));
		for (size_t i = 0; i < recs.n; i++) {
			const struct insn_mix_row *row = row_of(&recs.rec[i]);

			EXPECT_NE(0, recs.rec[i].op_class) TH_LOG("mask %u", mask);
			if (!row)
				continue;
			ASSERT_TRUE(row->filter & mask) TH_LOG("mask %u: %s", mask, row->name);
			seen[row - __start_insn_mix_rows]++;
		}
		for (const struct insn_mix_row *row = __start_insn_mix_rows; row < __stop_insn_mix_rows; row++)
			if (row->filter & mask && (!row->lse || lse())) {
				EXPECT_GE(seen[row - __start_insn_mix_rows], 1)
					TH_LOG("mask %u: no %s", mask, row->name);
			}
		spe_free(&recs);
		ring_close(&ring);
	}
}

static void walk(void *arg)
{
	walk_memory(*(unsigned int *)arg);
}

static void mixed_work(void)
{
	uint64_t rounds = ROUNDS / 4;
	unsigned int n = 40;

	run_insn_mix(&rounds);
	walk(&n);
}

static void warm_mixed(void)
{
	unsigned int n = 1;

	warm_up();
	walk(&n);
}

/* shows: SPE-FI7 */
TEST(min_latency)
{
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;
	unsigned int lo = 0xffff, hi = 0, below = 0, limit;

	NEED_SESSION(unit);
	warm_mixed();
	spe_attr(&unit, &attr);
	attr.config = CFG_JITTER;
	SESSION(ring, recs, attr, mixed_work());
	for (size_t i = 0; i < recs.n; i++) {
		if (!(recs.rec[i].has & REC_TOTAL))
			continue;
		lo = recs.rec[i].total < lo ? recs.rec[i].total : lo;
		hi = recs.rec[i].total > hi ? recs.rec[i].total : hi;
	}
	NEED(lo < hi, "latencies that differ");
	limit = lo + 1 + (hi - lo) / 4;
	limit = limit > 0xfff ? 0xfff : limit;
	for (size_t i = 0; i < recs.n; i++)
		below += recs.rec[i].total < limit;
	EXPECT_GE(below, 1);
	spe_free(&recs);
	ring_close(&ring);

	attr.config2 = limit;
	SESSION(ring, recs, attr, mixed_work());
	EXPECT_GE(recs.n, 1);
	for (size_t i = 0; i < recs.n; i++) {
		ASSERT_GE(recs.rec[i].total, limit);
	}
}

/* shows: SPE-FI6 */
TEST(event_filter_retired)
{
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;

	NEED_SESSION(unit);
	spe_attr(&unit, &attr);
	attr.config1 = EV_RETIRED;
	SESSION(ring, recs, attr, spin(500000));
	EXPECT_GE(recs.n, 100);
	for (size_t i = 0; i < recs.n; i++) {
		ASSERT_TRUE(recs.rec[i].events & EV_RETIRED);
	}
}

/* Both of two events are required. shows: SPE-FI6 */
TEST(event_filter_is_an_and)
{
	const uint64_t both = EV_L1D_REFILL | EV_TLB_WALK;
	unsigned int count[4] = { 0 };
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;

	NEED_SESSION(unit);
	warm_mixed();
	spe_attr(&unit, &attr);
	attr.config = CFG_JITTER;
	SESSION(ring, recs, attr, mixed_work());
	for (size_t i = 0; i < recs.n; i++)
		count[!!(recs.rec[i].events & EV_L1D_REFILL) +
		      2 * !!(recs.rec[i].events & EV_TLB_WALK)]++;
	TH_LOG("none %u, refill %u, walk %u, both %u", count[0], count[1], count[2], count[3]);
	spe_free(&recs);
	ring_close(&ring);
	NEED(count[3], "L1D refill and TLB walk events");

	attr.config1 = both;
	SESSION(ring, recs, attr, mixed_work());
	EXPECT_GE(recs.n, 1);
	for (size_t i = 0; i < recs.n; i++) {
		ASSERT_EQ(both, recs.rec[i].events & both);
	}
}

/* All three types of filter at once. shows: SPE-FI1 */
TEST(filters_combine)
{
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;

	NEED_SESSION(unit);
	warm_mixed();
	spe_attr(&unit, &attr);
	attr.config = 1ULL << 33 | CFG_JITTER;
	attr.config1 = EV_RETIRED;
	attr.config2 = 2;
	SESSION(ring, recs, attr, mixed_work());
	EXPECT_GE(recs.n, 1);
	for (size_t i = 0; i < recs.n; i++) {
		ASSERT_EQ(1, recs.rec[i].op_class);
		ASSERT_TRUE(recs.rec[i].events & EV_RETIRED);
		ASSERT_GE(recs.rec[i].total, 2);
	}
}

TEST(inverse_event_filter)
{
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;

	NEED_SESSION(unit);
	NEED(unit_has(&unit, "format/inv_event_filter"), "inverse event filter (FnE)");
	warm_mixed();
	spe_attr(&unit, &attr);
	attr.config3 = EV_L1D_REFILL;
	SESSION(ring, recs, attr, mixed_work());
	EXPECT_GE(recs.n, 1);
	for (size_t i = 0; i < recs.n; i++) {
		ASSERT_FALSE(recs.rec[i].events & EV_L1D_REFILL);
	}
}

static void many_calls(void)
{
	for (int i = 0; i < 20000; i++)
		syscall(__NR_getppid);
}

TEST(exclude_user)
{
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;

	NEED_SESSION(unit);
	NEED_PERFMON();
	spe_attr(&unit, &attr);
	attr.exclude_kernel = 0;
	attr.exclude_user = 1;
	attr.sample_period = 16384;	/* a kernel with debug checks executes more */
	SESSION(ring, recs, attr, many_calls(); spin(200000));
	EXPECT_GE(recs.n, 100);
	for (size_t i = 0; i < recs.n; i++) {
		ASSERT_NE(0, SPE_ADDR_EL(recs.rec[i].pc));
		ASSERT_TRUE(SPE_ADDR(recs.rec[i].pc) >> 55);
	}
}

TEST(kernel_and_user)
{
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;
	size_t level[2] = { 0 };

	NEED_SESSION(unit);
	NEED_PERFMON();
	spe_attr(&unit, &attr);
	attr.exclude_kernel = 0;
	attr.sample_period = 16384;	/* a kernel with debug checks executes more */
	SESSION(ring, recs, attr, many_calls(); spin(2000000));
	for (size_t i = 0; i < recs.n; i++)
		level[SPE_ADDR_EL(recs.rec[i].pc) != 0]++;
	EXPECT_GE(level[0], 100);
	EXPECT_GE(level[1], 100);
}

static void time_of_records(struct __test_metadata *_metadata, const struct unit *unit,
			    uint64_t config)
{
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;
	uint64_t from, to;

	spe_attr(unit, &attr);
	attr.config = config;
	from = now_ticks();
	SESSION(ring, recs, attr, spin(500000));
	to = now_ticks();
	EXPECT_GE(recs.n, 100);
	for (size_t i = 0; i < recs.n; i++) {
		ASSERT_TRUE(recs.rec[i].has & REC_TS);
		ASSERT_GE(recs.rec[i].ts, from);
		ASSERT_LE(recs.rec[i].ts, to);
	}
}

/* shows: SPE-CD16 */
TEST(timestamps_in_session)
{
	NEED_SESSION(unit);
	time_of_records(_metadata, &unit, CFG_TS);
}

/* The tests run on kernels without a hypervisor above them: both counters are the same. */
TEST(physical_time)
{
	NEED_SESSION(unit);
	NEED_PERFMON();
	time_of_records(_metadata, &unit, CFG_TS | CFG_PCT);
}

/* shows: SPE-PK7 */
TEST(no_timestamp_by_default)
{
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;

	NEED_SESSION(unit);
	spe_attr(&unit, &attr);
	SESSION(ring, recs, attr, spin(200000));
	EXPECT_GE(recs.n, 100);
	for (size_t i = 0; i < recs.n; i++) {
		ASSERT_FALSE(recs.rec[i].has & REC_TS);
	}
}

/* The kernel writes the thread ID to CONTEXTIDR, if configured. shows: SPE-CD15 */
TEST(context_is_the_task)
{
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;
	size_t with = 0;

	NEED_SESSION(unit);
	NEED_PERFMON();
	spe_attr(&unit, &attr);
	SESSION(ring, recs, attr, spin(500000));
	for (size_t i = 0; i < recs.n; i++)
		with += !!(recs.rec[i].has & REC_CONTEXT);
	NEED(with, "task numbers in CONTEXTIDR (CONFIG_PID_IN_CONTEXTIDR)");
	EXPECT_EQ(recs.n, with);
	for (size_t i = 0; i < recs.n; i++) {
		ASSERT_EQ((uint32_t)syscall(__NR_gettid), recs.rec[i].context);
	}
}

/*
 * The user nobody, with an inherited session, forks on CPU @at, and its children run on CPU @cpu. Two tasks that follow each
 * other on a CPU can exchange their events; on two CPUs each child has the event that was made for it. Returns an exit
 * status.
 */
static int fork_as_nobody(int at, int cpu)
{
	int status, bad = become_nobody() || pin_to(at);
	cpu_set_t both;

	CPU_ZERO(&both);
	CPU_SET(at, &both);
	CPU_SET(cpu, &both);
	bad |= sched_setaffinity(0, sizeof(both), &both);
	for (int i = 0; !bad && i < 4; i++) {
		const pid_t pid = fork();

		if (!pid) {
			bad = pin_to(cpu);
			spin(500000);
			_exit(bad);
		}
		spin(500000);
		bad = waitpid(pid, &status, 0) != pid || status;
	}
	return bad;
}

/* A task of another user that has inherited the session forks: its children are recorded as all others are. */
TEST(context_of_a_child_of_another_user)
{
	static const char paranoid[] = "/proc/sys/kernel/perf_event_paranoid";
	const uint32_t self = (uint32_t)syscall(__NR_gettid);
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;
	size_t with = 0, last = 0;
	char before[16];
	int status = 0;
	pid_t pid;

	NEED_SESSION(unit);
	NEED_PERFMON();
	ASSERT_EQ(0, read_text("/proc/sys/kernel", "perf_event_paranoid", before, sizeof(before)));
	spe_attr(&unit, &attr);
	attr.inherit = 1;
	ASSERT_EQ(0, pin_to(unit_cpu(&unit, 0)));
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, unit_cpu(&unit, 0), 64, 0));
	write_text(paranoid, "2");
	ASSERT_EQ(0, ring_enable(&ring));
	spin(200000);
	pid = fork();
	if (!pid)
		_exit(fork_as_nobody(unit_cpu(&unit, unit.ncpus - 1), unit_cpu(&unit, 0)));
	waitpid(pid, &status, 0);
	write_text(paranoid, before);
	EXPECT_EQ(0, status);
	FINISH(ring, recs);
	for (size_t i = 0; i < recs.n; i++) {
		with += !!(recs.rec[i].has & REC_CONTEXT);
		last += recs.rec[i].context != self && recs.rec[i].context != (uint32_t)pid;
	}
	NEED(with, "task numbers in CONTEXTIDR (CONFIG_PID_IN_CONTEXTIDR)");
	EXPECT_EQ(recs.n, with);
	EXPECT_GE(last, 100);
	spe_free(&recs);
	ring_close(&ring);
}

/* The page frame number of @at from /proc/self/pagemap; 0 if it is not available. */
static uint64_t frame_of(const void *at)
{
	size_t page = sysconf(_SC_PAGESIZE);
	uint64_t entry = 0;
	int fd = open("/proc/self/pagemap", O_RDONLY);

	if (fd >= 0 && pread(fd, &entry, 8, (uintptr_t)at / page * 8) != 8)
		entry = 0;
	close(fd);
	return entry >> 63 ? entry & ((1ULL << 55) - 1) : 0;
}

/* shows: SPE-CD17 */
TEST(physical_addresses)
{
	size_t page = sysconf(_SC_PAGESIZE), n = 0;
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;
	uint64_t rounds = ROUNDS, frame;

	NEED_SESSION(unit);
	NEED_PERFMON();
	warm_up();
	frame = frame_of(insn_mix_data);
	NEED(frame, "page frame numbers (CAP_SYS_ADMIN)");
	spe_attr(&unit, &attr);
	attr.config = CFG_PA | CFG_JITTER;
	SESSION(ring, recs, attr, run_insn_mix(&rounds));
	for (size_t i = 0; i < recs.n; i++) {
		const struct spe_rec *rec = &recs.rec[i];
		const struct insn_mix_row *row = row_of(rec);

		if (!row || !row->va || !completed(rec))
			continue;
		ASSERT_TRUE(rec->has & REC_PA) TH_LOG("%s", row->name);
		ASSERT_EQ(frame * page + row->va % page, SPE_ADDR(rec->pa)) TH_LOG("%s", row->name);
		n++;
	}
	EXPECT_GE(n, 100);
}

/* A load that faults has E[0] and no physical address. shows: SPE-CD3 */
TEST(faulting_loads)
{
	size_t page = sysconf(_SC_PAGESIZE), faults = 0, pages = 4096;
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;
	volatile char *memory;

	NEED_SESSION(unit);
	NEED_PERFMON();
	memory = mmap(NULL, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS |
		      MAP_NORESERVE, -1, 0);
	ASSERT_NE(MAP_FAILED, (void *)memory);
	madvise((void *)memory, pages * page, MADV_NOHUGEPAGE);
	spe_attr(&unit, &attr);
	attr.sample_period = unit.min_interval;
	attr.config = CFG_PA | CFG_JITTER;
	/* Between the loads about as many instructions as an interval, so that many are sampled. */
	SESSION(ring, recs, attr,
		for (size_t i = 0; i < pages; i++) {
			memory[i * page];
			spin(10);
		});
	for (size_t i = 0; i < recs.n; i++) {
		if (!(recs.rec[i].events & 1))
			continue;
		faults++;
		EXPECT_FALSE(recs.rec[i].has & REC_PA);
	}
	NEED(faults, "samples of faulting loads");
}

/* A loop of exclusives makes progress. shows: SPE-PB24 */
TEST(exclusives_make_progress)
{
	static uint64_t cell;
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;
	uint64_t tries = 0, failed = 1;

	NEED_SESSION(unit);
	spe_attr(&unit, &attr);
	attr.sample_period = unit.min_interval;
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, AUX_PAGES, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	for (unsigned int i = 0; i < 100000; i++)
		do {
			uint64_t v;

			asm volatile("ldxr %0, [%2]\n\tadd %0, %0, #1\n\tstxr %w1, %0, [%2]"
				     : "=&r"(v), "=&r"(failed) : "r"(&cell) : "memory");
			tries++;
		} while ((uint32_t)failed && tries < 10000000);
	FINISH(ring, recs);
	EXPECT_EQ(100000, cell);
	EXPECT_LE(tries, 1000000);
}

/*
 * Opens the event @name of the PMU that has it; if @number is not 0, that one of the same PMU. @kernel: counts
 * in the kernel, too.
 */
static int pmu_event(const char *name, unsigned int number, bool kernel)
{
	static const char *const pmus[] = {
		"armv8_pmuv3_0", "armv8_pmuv3", "armv9_pmuv3_0", "armv8_cortex_a57", "armv8_max"
	};

	for (size_t i = 0; i < ARRAY_SIZE(pmus); i++) {
		struct perf_event_attr attr = { .size = sizeof(attr), .disabled = 1,
						.exclude_kernel = !kernel, .exclude_hv = 1 };
		char dir[128], file[64], text[64];
		unsigned int event;

		snprintf(dir, sizeof(dir), "/sys/bus/event_source/devices/%s", pmus[i]);
		snprintf(file, sizeof(file), "events/%s", name);
		if (read_text(dir, file, text, sizeof(text)) ||
		    sscanf(text, "event=%x", &event) != 1 ||
		    read_text(dir, "type", text, sizeof(text)))
			continue;
		attr.type = atoi(text);
		attr.config = number ? number : event;
		return ring_event(&attr, 0, -1);
	}
	return -ENODEV;
}

/*
 * The PMU's own events agree with the decoded records.
 * shows: SPE-PM1 SPE-PM2 SPE-PM3 SPE-FI10
 */
TEST(pmu_events_agree)
{
	static const char *const names[] = { "sample_pop", "sample_feed", "sample_filtrate",
					     "sample_collision" };
	struct perf_event_attr attr;
	uint64_t value[4], rounds = ROUNDS;
	struct ring ring;
	struct spe_recs recs;
	int fd[4];

	NEED_SESSION(unit);
	for (int i = 0; i < 4; i++) {
		fd[i] = pmu_event(names[i], 0, false);
		NEED(fd[i] >= 0, "PMU event %s", names[i]);
	}
	warm_up();
	spe_attr(&unit, &attr);
	attr.config = 1ULL << 33;
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, AUX_PAGES, 0));
	for (int i = 0; i < 4; i++) {
		ASSERT_EQ(0, ioctl(fd[i], PERF_EVENT_IOC_ENABLE, 0));
	}
	ASSERT_EQ(0, ring_enable(&ring));
	run_insn_mix(&rounds);
	FINISH(ring, recs);
	for (int i = 0; i < 4; i++) {
		ASSERT_EQ(8, read(fd[i], &value[i], 8));
	}
	TH_LOG("pop %" PRIu64 " feed %" PRIu64 " filtrate %" PRIu64 " collision %" PRIu64,
	       value[0], value[1], value[2], value[3]);
	EXPECT_EQ(recs.n, value[2]);
	EXPECT_GE(value[1], value[2]);
	EXPECT_GE(value[1] + 2, (value[0] / (attr.sample_period + 1)) - value[3]);
}

/* Those of SPEv1p2, SAMPLE_FEED_*, do too. No filter is on. shows: SPE-PM7 */
TEST(pmu_feed_events_agree)
{
	enum { BR, LD, ST, EVENT, LAT, N };
	static const unsigned int events[N] = { 0x812a, 0x812b, 0x812c, 0x812e, 0x812f };
	struct perf_event_attr attr;
	uint64_t value[N], want[N] = { 0 }, rounds = ROUNDS;
	struct ring ring;
	struct spe_recs recs;
	int fd[N];

	NEED_SESSION(unit);
	NEED(unit_has(&unit, "format/discard"), "PMU events of FEAT_SPEv1p2");
	for (int i = 0; i < N; i++) {
		fd[i] = pmu_event("sample_feed", events[i], false);
		NEED(fd[i] >= 0, "PMU event %#x", events[i]);
	}
	warm_up();
	spe_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, AUX_PAGES, 0));
	for (int i = 0; i < N; i++)
		ASSERT_EQ(0, ioctl(fd[i], PERF_EVENT_IOC_ENABLE, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	run_insn_mix(&rounds);
	FINISH(ring, recs);
	for (int i = 0; i < N; i++)
		ASSERT_EQ(8, read(fd[i], &value[i], 8));
	for (size_t i = 0; i < recs.n; i++) {
		const struct spe_rec *r = &recs.rec[i];

		/* An atomic operation that returns a value is both (SPE-FI3). */
		const bool atomic = (r->op & 0xe6) == 0x06;

		want[BR] += r->op_class == 2;
		want[LD] += r->op_class == 1 && !(r->op & 1);
		want[ST] += r->op_class == 1 && (r->op & 1 || atomic);
	}
	want[EVENT] = want[LAT] = recs.n;
	for (int i = 0; i < N; i++)
		EXPECT_EQ(want[i], value[i]);
}

/*
 * SAMPLE_FEED_FP and SAMPLE_FEED_SIMD, too. Records do not tell these types of all operations: those of the loop
 * are known by their address, of others any number is of a type. shows: SPE-PM7
 */
TEST(pmu_feed_types_agree)
{
	static const struct { unsigned int event, type; } t[] = { { 0x8348, MIX_FP }, { 0x8349, MIX_SIMD } };
	uint64_t value[2], want[2] = { 0 }, others = 0, rounds = ROUNDS;
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;
	int fd[2];

	NEED_SESSION(unit);
	NEED(unit_has(&unit, "format/discard"), "PMU events of FEAT_SPEv1p2");
	for (int i = 0; i < 2; i++) {
		fd[i] = pmu_event("sample_feed", t[i].event, false);
		NEED(fd[i] >= 0, "PMU event %#x", t[i].event);
	}
	warm_up();
	spe_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, AUX_PAGES, 0));
	for (int i = 0; i < 2; i++)
		ASSERT_EQ(0, ioctl(fd[i], PERF_EVENT_IOC_ENABLE, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	run_insn_mix(&rounds);
	FINISH(ring, recs);
	for (size_t i = 0; i < recs.n; i++) {
		const struct insn_mix_row *row = row_of(&recs.rec[i]);

		others += !row;
		for (int k = 0; row && k < 2; k++)
			want[k] += !!(row->filter & t[k].type);
	}
	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(8, read(fd[i], &value[i], 8));
		EXPECT_GE(want[i], 10);
		EXPECT_GE(value[i], want[i]);
		EXPECT_LE(value[i], want[i] + others);
	}
}

/*
 * SAMPLE_BUFFER_FULL counts the full buffers that the driver found, in windows that are read and made again.
 * shows: SPE-PM9
 */
TEST(pmu_buffer_full_agrees)
{
	struct perf_event_attr attr;
	uint64_t value = 0, full;
	struct ring ring;
	int fd;

	NEED_SESSION(unit);
	NEED_PERFMON();
	NEED(unit_has(&unit, "stats/full"), "stats/full (v9_spe driver)");
	fd = pmu_event("sample_feed", 0x8123, true);
	NEED(fd >= 0, "PMU event 0x8123");
	spe_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 4, 1));
	full = read_number(unit.dir, "stats/full");
	ASSERT_EQ(0, ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(2000000);
	ASSERT_EQ(0, ring_disable(&ring));
	ASSERT_EQ(8, read(fd, &value, 8));
	EXPECT_GE(value, 5);
	EXPECT_EQ(read_number(unit.dir, "stats/full") - full, value);
	ring_close(&ring);
}

/* Discard mode: samples are taken and counted, none is written. shows: SPE-PB5 SPE-PM3 */
TEST(discard_counts_only)
{
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;
	uint64_t n = 500000, value = 0;
	int fd;

	NEED_SESSION(unit);
	NEED(unit_has(&unit, "format/discard"), "discard mode (FEAT_SPEv1p2)");
	spe_attr(&unit, &attr);
	attr.config = 1ULL << 35;
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 64, 0));
	fd = pmu_event("sample_filtrate", 0, false);
	if (fd >= 0)
		ASSERT_EQ(0, ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(n);
	FINISH(ring, recs);
	EXPECT_EQ(0, ring.nbytes);
	EXPECT_EQ(0, recs.n);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	for (size_t i = 0; i < ring.aux_size; i++)
		ASSERT_EQ(0, ring.aux[i]);
	if (fd >= 0 && unit.arch_inst) {
		ASSERT_EQ(8, read(fd, &value, 8));
		EXPECT_GE(value + 2, 2 * n / (attr.sample_period + 1));
	}
	ring_close(&ring);

	/* The next session writes again. */
	attr.config = 0;
	SESSION(ring, recs, attr, spin(n));
	EXPECT_GE(recs.n, 100);
}

TEST_HARNESS_MAIN
