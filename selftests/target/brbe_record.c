// SPDX-License-Identifier: GPL-2.0-only
/*
 * Branch stacks of code whose path is known; what they must not contain. Driven by v9_brbe or, from
 * Linux 6.17 on, by the kernel's own driver: the same branches.
 */
#include "harness.h"

#include <v9trace/uapi.h>

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "brbe.h"
#include "machine.h"
#include "work.h"

#define ROUNDS	40000
#define SEED	0x2545f4914f6cdd1d

/* What the samples of one run of wander() contained */
struct found {
	size_t samples;
	size_t entries;		/* in wander() */
	size_t placed;		/* stacks that are a part of the path */
	size_t misplaced;
	size_t kernel;		/* addresses of the kernel in stacks */
	size_t kernel_ip;	/* samples in the kernel */
	size_t cycles;		/* branches with a cycle count */
	size_t mispredicted;
	size_t types[16];
	size_t longest;		/* stack */
	long first, last;	/* places in the path of the youngest branches */
	size_t uneven;		/* samples that are much farther from the one before, or less, than a period */
};

static void look_at(const struct brbe_sample *s, struct found *f)
{
	f->samples++;
	f->kernel_ip += s->ip >> 63;
	if (s->nr > f->longest)
		f->longest = s->nr;
	for (uint64_t i = 0; i < s->nr; i++) {
		const struct perf_branch_entry *e = &s->entry[i];

		f->kernel += (e->from >> 63) + (e->to >> 63);
		if (!brbe_in_wander(e))
			continue;
		f->entries++;
		f->cycles += !!e->cycles;
		f->mispredicted += e->mispred;
		f->types[e->type]++;
	}
}

/* Runs wander() in a session. @types: bits of PERF_BR_* that are recorded; 0: all */
static int record(const struct perf_event_attr *attr, unsigned int types, struct found *f)
{
	size_t n = 0, kept = 0;
	struct brbe_step *path = brbe_path(ROUNDS, SEED, &n);
	struct brbe_ring ring;
	uint64_t count;
	long before = 0;
	int err;

	memset(f, 0, sizeof(*f));
	for (size_t i = 0; types && i < n; i++)
		if (types >> path[i].type & 1)
			path[kept++] = path[i];
	n = types ? kept : n;
	err = brbe_open(&ring, attr, 0, -1);
	if (err) {
		free(path);
		return err;
	}
	brbe_slow_begin();
	ioctl(ring.fd, PERF_EVENT_IOC_ENABLE, 0);
	wander(ROUNDS, SEED);
	ioctl(ring.fd, PERF_EVENT_IOC_DISABLE, 0);
	brbe_slow_end();
	while (brbe_next(&ring)) {
		/*
		 * A stack can match the path at several places. The right one is the nearest to one
		 * period after the sample before, if the event counts records, or else to that
		 * sample.
		 */
		long step = attr->config == BRBE_RECORDS ? (long)attr->sample_period : 0;
		long at = brbe_place(&ring.sample, path, n, before + step);

		look_at(&ring.sample, f);
		f->placed += at > 0;
		f->misplaced += at < 0;
		if (at <= 0)
			continue;
		/* The interrupt may come some branches late. */
		if (before && labs(at - before - (long)attr->sample_period) > 8)
			f->uneven++;
		f->first = f->first ?: at;
		f->last = before = at;
	}
	err = ring.lost ? -ENOBUFS : 0;
	/* The count of the event is at least the sum of the periods of its samples. */
	if (read(ring.fd, &count, sizeof(count)) != sizeof(count) || count < ring.periods)
		err = -EBADMSG;
	brbe_close(&ring);
	free(path);
	return err;
}

/* Every branch, in the order in which it was taken. shows: BRBE-BR1 BRBE-BR6 BRBE-BF1 BRBE-BF3 */
TEST(path_of_a_program)
{
	struct perf_event_attr attr;
	struct found f;

	NEED_BRBE_SESSION(unit);
	brbe_attr(&unit, &attr, BRBE_CYCLES, 50021);
	ASSERT_EQ(0, record(&attr, 0, &f));
	EXPECT_GT(f.samples, 10);
	EXPECT_GT(f.placed, 10);
	EXPECT_EQ(0, f.misplaced);
	EXPECT_EQ(0, f.kernel);
	if (unit.ours)			/* Linux 7.2 shows where a late interrupt was taken. */
		EXPECT_EQ(0, f.kernel_ip);
	EXPECT_GT(f.types[PERF_BR_COND], 0);
	EXPECT_GT(f.types[PERF_BR_UNCOND], 0);
	EXPECT_GT(f.types[PERF_BR_IND], 0);
	EXPECT_GT(f.types[PERF_BR_CALL], 0);
	EXPECT_GT(f.types[PERF_BR_IND_CALL], 0);
	EXPECT_GT(f.types[PERF_BR_RET], 0);
	EXPECT_EQ(read_number(unit.dir, "caps/branches"), f.longest);
	EXPECT_GT(f.cycles, f.entries / 2);
	EXPECT_GT(f.mispredicted, 0);
	EXPECT_LT(f.mispredicted, f.entries / 2);
}

/* A sample at each so many records. shows: BRBE-BZ7 */
TEST(sample_at_each_so_many_records)
{
	struct perf_event_attr attr;
	struct found f;

	NEED_BRBE_SESSION(unit);
	brbe_attr(&unit, &attr, BRBE_RECORDS, 1009);
	NEED(!getuid(), "root");		/* for the limits */
	/* Lost branches are in the path, but the event does not count them. */
	NEED(!getenv("V9_LOSES"), "a unit that records each branch");
	ASSERT_EQ(0, record(&attr, 0, &f));
	TH_LOG("%zu stacks, places %ld to %ld, %zu uneven", f.placed, f.first, f.last, f.uneven);
	EXPECT_GT(f.placed, 100);
	EXPECT_EQ(0, f.misplaced);
	/* On an emulated machine interrupts are late, with each driver. */
	EXPECT_LE(f.uneven, f.placed / 2);
	EXPECT_GE((size_t)(f.last - f.first), (f.placed - 1) * 1009 - 40);
	EXPECT_LE((size_t)(f.last - f.first), (f.placed - 1) * 1009 / 10 * 11);
}

/* shows: BRBE-BF1 */
TEST(filters_by_type)
{
	static const struct {
		uint64_t branch;
		unsigned int types;
	} filters[] = {
		{ PERF_SAMPLE_BRANCH_ANY_CALL, 1 << PERF_BR_CALL | 1 << PERF_BR_IND_CALL },
		{ PERF_SAMPLE_BRANCH_ANY_RETURN, 1 << PERF_BR_RET },
		{ PERF_SAMPLE_BRANCH_IND_CALL, 1 << PERF_BR_IND_CALL },
		{ PERF_SAMPLE_BRANCH_COND, 1 << PERF_BR_COND },
		{ PERF_SAMPLE_BRANCH_IND_JUMP, 1 << PERF_BR_IND },
		{ PERF_SAMPLE_BRANCH_CALL, 1 << PERF_BR_CALL },
		{ PERF_SAMPLE_BRANCH_ANY_CALL | PERF_SAMPLE_BRANCH_ANY_RETURN,
		  1 << PERF_BR_CALL | 1 << PERF_BR_IND_CALL | 1 << PERF_BR_RET },
	};
	struct perf_event_attr attr;
	struct found f;
	size_t placed;

	NEED_BRBE_SESSION(unit);
	for (size_t i = 0; i < ARRAY_SIZE(filters); i++) {
		brbe_attr(&unit, &attr, BRBE_CYCLES, 50021);
		attr.branch_sample_type = filters[i].branch | PERF_SAMPLE_BRANCH_USER |
					  PERF_SAMPLE_BRANCH_TYPE_SAVE;
		/* A sample is empty if none of these branches was taken since the sample before. */
		placed = 0;
		for (int runs = 0; placed <= 5 && runs < 50; runs++) {
			ASSERT_EQ(0, record(&attr, filters[i].types, &f));
			placed += f.placed;
			EXPECT_EQ(0, f.misplaced)
				TH_LOG("filter %zu", i);
			for (unsigned int t = 0; t < 16; t++)
				if (!(filters[i].types >> t & 1))
					EXPECT_EQ(0, f.types[t]);
		}
		EXPECT_GT(placed, 5)
			TH_LOG("filter %zu", i);
	}
}

/* shows: BRBE-BC2 BRBE-BC4 */
TEST(without_cycles_and_flags)
{
	struct perf_event_attr attr;
	struct found f;

	NEED_BRBE_SESSION(unit);
	brbe_attr(&unit, &attr, BRBE_CYCLES, 50021);
	attr.branch_sample_type |= PERF_SAMPLE_BRANCH_NO_CYCLES;
	ASSERT_EQ(0, record(&attr, 0, &f));
	EXPECT_EQ(0, f.cycles);
	EXPECT_GT(f.mispredicted, 0);
	brbe_attr(&unit, &attr, BRBE_CYCLES, 50021);
	attr.branch_sample_type |= PERF_SAMPLE_BRANCH_NO_FLAGS;
	ASSERT_EQ(0, record(&attr, 0, &f));
	EXPECT_GT(f.cycles, 0);
	EXPECT_EQ(0, f.mispredicted);
}

#define CLOCK		(1 << 16)
#define BOUNDARIES	(1 << 17)

/* A clock needs no counter of the PMU. */
TEST(sample_by_clock)
{
	struct perf_event_attr attr;
	struct found f;

	NEED_BRBE_SESSION(unit);
	NEED(unit.ours, "v9_brbe");
	brbe_attr(&unit, &attr, CLOCK, 200000);
	ASSERT_EQ(0, record(&attr, 0, &f));
	EXPECT_GT(f.placed, 5);
	EXPECT_EQ(0, f.misplaced);
	EXPECT_EQ(0, f.kernel + f.kernel_ip);
}

/*
 * The clock keeps its remaining time while the task is off the CPU: shorter turns are sampled, too.
 */
TEST(clock_of_short_turns)
{
	const unsigned int period = 20000000;	/* ns */
	struct perf_event_attr attr;
	struct timespec used = { };
	struct brbe_ring ring;
	size_t n = 0;

	NEED_BRBE_SESSION(unit);
	NEED(unit.ours, "v9_brbe");
	brbe_attr(&unit, &attr, CLOCK, period);
	ASSERT_EQ(0, brbe_open(&ring, &attr, 0, -1));
	ioctl(ring.fd, PERF_EVENT_IOC_ENABLE, 0);
	while (used.tv_sec < 1) {
		wander(20, SEED);
		usleep(1);
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	}
	ioctl(ring.fd, PERF_EVENT_IOC_DISABLE, 0);
	while (brbe_next(&ring)) {
		EXPECT_EQ(period, ring.sample.period);
		n++;
	}
	/*
	 * A second of CPU time has 50 periods. The CPU time includes some that the clock does not
	 * count.
	 */
	EXPECT_GT(n, 5);
	brbe_close(&ring);
}

/* Number of samples, and the shortest and the longest of their periods */
struct periods {
	size_t n;
	uint64_t least, most;
};

/* Records wander() with a frequency of 100 Hz in place of a period. */
static int record_by_frequency(struct perf_event_attr *attr, struct periods *p)
{
	struct brbe_ring ring;
	int err;

	*p = (struct periods){ .least = UINT64_MAX };
	attr->freq = 1;
	attr->sample_freq = 100;
	err = brbe_open(&ring, attr, 0, -1);
	if (err)
		return err;
	ioctl(ring.fd, PERF_EVENT_IOC_ENABLE, 0);
	for (int i = 0; i < 20; i++)
		wander(ROUNDS, SEED);
	ioctl(ring.fd, PERF_EVENT_IOC_DISABLE, 0);
	while (brbe_next(&ring)) {
		const uint64_t period = ring.sample.period;

		p->least = period < p->least ? period : p->least;
		p->most = period > p->most ? period : p->most;
		p->n++;
	}
	brbe_close(&ring);
	return 0;
}

/* Each sample of a clock has the period of the frequency: 10 ms. */
TEST(clock_by_frequency)
{
	struct perf_event_attr attr;
	struct periods p;

	NEED_BRBE_SESSION(unit);
	NEED(unit.ours, "v9_brbe");
	brbe_attr(&unit, &attr, CLOCK, 0);
	ASSERT_EQ(0, record_by_frequency(&attr, &p));
	EXPECT_GT(p.n, 3);
	EXPECT_EQ(10000000, p.least);
	EXPECT_EQ(10000000, p.most);
}

/* perf's cycles have 16 bits: larger counts are 65535 there, and stats/saturated counts them. */
TEST(many_cycles_saturate)
{
	struct perf_event_attr attr;
	unsigned long before;
	struct brbe_ring ring;
	size_t most = 0;

	NEED_BRBE_SESSION(unit);
	NEED(unit.ours && perfmon_allowed(), "v9_brbe, and CAP_PERFMON");
	before = read_number(unit.dir, "stats/saturated");
	brbe_attr(&unit, &attr, BRBE_CYCLES, 300007);
	attr.branch_sample_type = PERF_SAMPLE_BRANCH_IND_JUMP | PERF_SAMPLE_BRANCH_USER |
				  PERF_SAMPLE_BRANCH_TYPE_SAVE;
	ASSERT_EQ(0, brbe_open(&ring, &attr, 0, -1));
	ioctl(ring.fd, PERF_EVENT_IOC_ENABLE, 0);
	/*
	 * Jumps that are some 100,000 cycles apart. The count of a jump is unknown after an
	 * interrupt.
	 */
	for (int i = 0; i < 20000 && !most; i++) {
		hop_a(1);
		for (volatile int j = 0; j < 16000; j++)
			;
		if (i % 100 < 99)
			continue;
		while (brbe_next(&ring))
			for (uint64_t n = 0; n < ring.sample.nr; n++)
				most += ring.sample.entry[n].cycles == 65535;
	}
	ioctl(ring.fd, PERF_EVENT_IOC_DISABLE, 0);
	brbe_close(&ring);
	EXPECT_GT(most, 0);
	EXPECT_GE(read_number(unit.dir, "stats/saturated"), before + most);
}

/* perf's frequency: the period follows it. */
TEST(sample_by_frequency)
{
	struct perf_event_attr attr;
	struct periods p;

	NEED_BRBE_SESSION(unit);
	brbe_attr(&unit, &attr, BRBE_CYCLES, 0);
	ASSERT_EQ(0, record_by_frequency(&attr, &p));
	EXPECT_GT(p.n, 3);
	EXPECT_GT(p.most, 100000);
	EXPECT_LT(p.least, p.most);
}

/* The records as they were read. shows: BRBE-BR2 BRBE-BB1 BRBE-BB2 */
TEST(raw_records)
{
	struct perf_event_attr attr;
	struct brbe_ring ring;
	size_t n = 0, half = 0;

	NEED_BRBE_SESSION(unit);
	NEED(unit.ours, "v9_brbe");
	brbe_attr(&unit, &attr, BRBE_CYCLES | BOUNDARIES, 20011);
	attr.sample_type |= PERF_SAMPLE_RAW;
	ASSERT_EQ(0, brbe_open(&ring, &attr, 0, -1));
	/* Where interrupts take long, perf lets through a few samples in each tick. */
	for (int tries = 0; tries < 100 && (n <= 3 || !half); tries++) {
		ioctl(ring.fd, PERF_EVENT_IOC_ENABLE, 0);
		for (int i = 0; i < 200; i++) {
			wander(ROUNDS / 400, SEED);
			getppid();
		}
		ioctl(ring.fd, PERF_EVENT_IOC_DISABLE, 0);
		while (brbe_next(&ring)) {
			const struct brbe_sample *s = &ring.sample;
			struct v9_branch_raw raw;

			ASSERT_GE(s->raw_size, offsetof(struct v9_branch_raw, rec));
			memset(&raw, 0, sizeof(raw));
			memcpy(&raw, s->raw, s->raw_size < sizeof(raw) ? s->raw_size : sizeof(raw));
			EXPECT_EQ(1, raw.version);
			ASSERT_EQ(s->nr, raw.nr);
			EXPECT_EQ(raw.nr ? V9_BRANCHES_PAUSED : V9_BRANCHES_EMPTY, raw.validity);
			/* BRBCR: E0HBRE, TS, CC, MPRED, EXCEPTION and ERTN, not E2BRE. BRBFCR: all classes of branches */
			EXPECT_EQ(0xc00079, raw.brbcr);
			EXPECT_EQ(0x7e0000, raw.brbfcr);
			for (unsigned int i = 0; i < raw.nr; i++) {
				unsigned int valid = raw.rec[i].inf & 3;

				/* D24.8.6, VALID: 1 has no source, 2 no target */
				EXPECT_NE(0, valid);
				half += valid != 3;
				EXPECT_EQ(valid & 2 ? raw.rec[i].src : 0, s->entry[i].from);
				EXPECT_EQ(valid & 1 ? raw.rec[i].tgt : 0, s->entry[i].to);
				EXPECT_EQ(0, (raw.rec[i].src | raw.rec[i].tgt) >> 63);
			}
			n++;
		}
	}
	EXPECT_GT(n, 3);
	EXPECT_GT(half, 0);
	brbe_close(&ring);
}

struct kernel_found {
	size_t n, stacks, kernel, user;
	size_t kernel_ip, user_ip;
};

#define KERNEL_SAMPLES	50

/*
 * Adds to @f. Limits on the rate are lifted: a period has to be longer than what the kernel executes
 * for a sample, also if it is one with many checks, or if the machine is emulated and busy.
 */
static int record_kernel(const struct unit *unit, unsigned int event, struct kernel_found *f)
{
	const uint64_t period = event == BRBE_CYCLES ? 2000003 : 50021;
	struct perf_event_attr attr;
	struct brbe_ring ring;
	uint64_t count = 0;
	int err;

	brbe_attr(unit, &attr, event, period);
	attr.exclude_kernel = attr.exclude_hv = 0;
	attr.branch_sample_type |= PERF_SAMPLE_BRANCH_KERNEL;
	err = brbe_open(&ring, &attr, 0, -1);
	if (err)
		return err;
	brbe_slow_begin();
	ioctl(ring.fd, PERF_EVENT_IOC_ENABLE, 0);
	for (int i = 0; i < 1000000 && count < KERNEL_SAMPLES * period; i++) {
		getppid();
		wander(10, SEED + i);
		if (read(ring.fd, &count, sizeof(count)) != sizeof(count))
			break;
	}
	ioctl(ring.fd, PERF_EVENT_IOC_DISABLE, 0);
	brbe_slow_end();
	while (brbe_next(&ring)) {
		const struct brbe_sample *s = &ring.sample;

		f->n++;
		f->stacks += s->nr != 0;
		f->kernel_ip += s->ip >> 63;
		f->user_ip += !(s->ip >> 63);
		for (uint64_t i = 0; i < s->nr; i++) {
			f->kernel += s->entry[i].from >> 63;
			f->user += s->entry[i].from && !(s->entry[i].from >> 63);
		}
	}
	brbe_close(&ring);
	return 0;
}

/* The kernel's branches freeze at the overflow. shows: BRBE-BZ2 BRBE-BZ6 BRBE-BX1 BRBE-BX4 */
TEST(branches_of_the_kernel)
{
	static const unsigned int events[] = { BRBE_CYCLES, BRBE_RECORDS };
	struct kernel_found f;

	NEED_BRBE_SESSION(unit);
	NEED(!getuid(), "root");
	for (size_t e = 0; e < ARRAY_SIZE(events); e++) {
		memset(&f, 0, sizeof(f));
		/* Most samples are in the kernel, with few branches of user space before them. */
		for (int runs = 0; runs < 20 && !(f.user && f.user_ip); runs++)
			ASSERT_EQ(0, record_kernel(&unit, events[e], &f));
		TH_LOG("event %#x: %zu samples, %zu stacks, branches: %zu kernel, %zu user",
		       events[e], f.n, f.stacks, f.kernel, f.user);
		EXPECT_GT(f.n, 10);
		EXPECT_GT(f.stacks, f.n / 2);
		EXPECT_GT(f.kernel, 0);
		EXPECT_GT(f.user, 0);
		EXPECT_GT(f.kernel_ip, 0);
		EXPECT_GT(f.user_ip, 0);
	}
}

/* Records that are older than the sample are not part of it. shows: BRBE-BZ3 */
TEST(stale_records_are_dropped)
{
	struct kernel_found f = { 0 };
	unsigned long stale;

	NEED_BRBE_SESSION(unit);
	NEED(unit.ours && !getuid(), "v9_brbe, and root");
	stale = read_number(unit.dir, "stats/stale");
	brbe_max_age("0");
	ASSERT_EQ(0, record_kernel(&unit, BRBE_CYCLES, &f));
	brbe_max_age("60000000");
	EXPECT_GT(f.n, 10);
	EXPECT_EQ(0, f.stacks);
	EXPECT_GE(read_number(unit.dir, "stats/stale"), stale + f.n);
}

/* An event of a task on all CPUs: a counter of each. */
TEST(task_that_moves)
{
	struct perf_event_attr attr;
	struct brbe_ring ring;
	uint64_t seen = 0;

	NEED_BRBE_SESSION(unit);
	brbe_attr(&unit, &attr, BRBE_CYCLES, 50021);
	ASSERT_EQ(0, brbe_open(&ring, &attr, 0, -1));
	brbe_slow_begin();
	ioctl(ring.fd, PERF_EVENT_IOC_ENABLE, 0);
	for (int i = 0; i < 2 * unit.ncpus; i++) {
		pin_to(unit_cpu(&unit, i % unit.ncpus));
		wander(ROUNDS / 2, SEED);
	}
	ioctl(ring.fd, PERF_EVENT_IOC_DISABLE, 0);
	brbe_slow_end();
	while (brbe_next(&ring))
		if (ring.sample.nr)
			seen |= UINT64_C(1) << ring.sample.cpu % 64;
	EXPECT_EQ(unit.ncpus, __builtin_popcountll(seen));
	brbe_close(&ring);
}

/* --- task switches ------------------------------------------------------------- */

/* Two tasks of one CPU that wake each other, each in a function of its own */
struct turns {
	int in, out;
	unsigned long n;
	void (*work)(uint64_t n);
};

static void take_turns(const struct turns *t)
{
	char c = 0;

	for (unsigned long i = 0; i < t->n; i++) {
		t->work(6);
		if (write(t->out, &c, 1) != 1 || read(t->in, &c, 1) != 1)
			_exit(1);
	}
}

struct pair {
	pid_t pid[2];
	int go[2];
	unsigned long n;
};

static int pair_start(struct pair *p, int cpu)
{
	static void (*const work[2])(uint64_t) = { hop_a, hop_b };
	int to[2][2], go[2];

	if (pipe(to[0]) || pipe(to[1]) || pipe(go))
		return -errno;
	for (int i = 0; i < 2; i++) {
		p->pid[i] = fork();
		if (p->pid[i])
			continue;
		struct turns t = { to[!i][0], to[i][1], p->n, work[i] };
		char c;

		close(go[1]);
		if (pin_to(cpu) || read(go[0], &c, 1) < 0)
			_exit(1);
		take_turns(&t);
		_exit(0);
	}
	for (int i = 0; i < 2; i++) {
		close(to[i][0]);
		close(to[i][1]);
	}
	close(go[0]);
	p->go[1] = go[1];
	return 0;
}

static bool pair_run(struct pair *p)
{
	bool good = true;
	int status;

	close(p->go[1]);
	for (int i = 0; i < 2; i++)
		good &= waitpid(p->pid[i], &status, 0) == p->pid[i] && !status;
	return good;
}

static bool in_a(uint64_t pc)
{
	return pc >= (uintptr_t)hop_a && pc < (uintptr_t)hop_a_end;
}

static bool in_b(uint64_t pc)
{
	return pc >= (uintptr_t)hop_b && pc < (uintptr_t)hop_b_end;
}

FIXTURE(switches)
{
	struct unit unit;
	struct pair pair;
};

FIXTURE_VARIANT(switches)
{
	bool of_cpu;
	bool kernel;
};

FIXTURE_VARIANT_ADD(switches, event_of_a_cpu) { .of_cpu = true };
FIXTURE_VARIANT_ADD(switches, inherited_event) { .of_cpu = false };
FIXTURE_VARIANT_ADD(switches, event_of_a_cpu_with_the_kernel) { .of_cpu = true, .kernel = true };

FIXTURE_SETUP(switches)
{
	const char *n = getenv("V9_SWITCHES");

	if (brbe_find(&self->unit))
		SKIP(return, "FEAT_BRBE (no PMU with caps/branches)");
	if (!perfmon_allowed())
		SKIP(return, "CAP_PERFMON missing");
	/* each turn has two switches */
	self->pair.n = (n ? strtoul(n, NULL, 0) : 6000) / 2;
}

FIXTURE_TEARDOWN(switches)
{
}

/* No task's branch in the sample of another, in any stack. shows: BRBE-BI1 BRBE-BR6 */
TEST_F_TIMEOUT(switches, no_foreign_branch, 1500)
{
	size_t samples = 0, own = 0, foreign = 0;
	struct perf_event_attr attr;
	struct brbe_ring ring;
	int cpu = unit_cpu(&self->unit, self->unit.ncpus - 1);

	/* Indirect jumps alone: records of several turns fit into the buffer. */
	brbe_attr(&self->unit, &attr, BRBE_CYCLES, 10007);
	attr.branch_sample_type = PERF_SAMPLE_BRANCH_IND_JUMP | PERF_SAMPLE_BRANCH_USER |
				  PERF_SAMPLE_BRANCH_TYPE_SAVE;
	attr.inherit = !variant->of_cpu;
	if (variant->kernel) {
		attr.sample_period = 2000003;	/* see record_kernel() */
		attr.exclude_kernel = attr.exclude_hv = 0;
		attr.branch_sample_type |= PERF_SAMPLE_BRANCH_KERNEL;
	}
	brbe_slow_begin();
	if (variant->of_cpu)
		ASSERT_EQ(0, pair_start(&self->pair, cpu));
	ASSERT_EQ(0, brbe_open(&ring, &attr, variant->of_cpu ? -1 : 0, cpu));
	ioctl(ring.fd, PERF_EVENT_IOC_ENABLE, 0);
	if (!variant->of_cpu)
		ASSERT_EQ(0, pair_start(&self->pair, cpu));
	EXPECT_TRUE(pair_run(&self->pair));
	ioctl(ring.fd, PERF_EVENT_IOC_DISABLE, 0);
	brbe_slow_end();
	while (brbe_next(&ring)) {
		const struct brbe_sample *s = &ring.sample;
		bool first = s->pid == (uint32_t)self->pair.pid[0];

		if (!first && s->pid != (uint32_t)self->pair.pid[1])
			continue;
		samples++;
		for (uint64_t i = 0; i < s->nr; i++) {
			bool a = in_a(s->entry[i].from), b = in_b(s->entry[i].from);

			own += first ? a : b;
			foreign += first ? b : a;
		}
	}
	TH_LOG("%lu switches, %zu samples, %zu branches of their own, %zu foreign",
	       2 * self->pair.n, samples, own, foreign);
	EXPECT_GT(samples, 20);
	EXPECT_GT(own, 20);
	EXPECT_EQ(0, foreign);
	brbe_close(&ring);
}

#include "clean_log.h"

TEST_HARNESS_MAIN
