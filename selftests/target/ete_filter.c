// SPDX-License-Identifier: GPL-2.0-only
/* Trace of a part of the program: address filters as perf sets them. */
#include "harness.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include <v9trace/gen/regs.h>

#include "ete.h"
#include "machine.h"
#include "work.h"
#include "insn_mix.h"

#define AUX_PAGES	256

#define NEED_FILTERS(unit)							\
	NEED_SESSION(unit);							\
	NEED(unit.ours, "v9_ete driver");					\
	NEED(read_number(unit.dir, "nr_addr_filters") >= 4, "two address comparator pairs")

/* Instructions in spin() and in other(), all traced instructions, and exceptions. */
struct seen {
	uint64_t spin, other, insns, exceptions;
};

static struct seen filtered(struct __test_metadata *_metadata, const struct unit *tested,
			    const char *text)
{
	const struct unit unit = *tested;
	static unsigned int hits[2];
	struct perf_event_attr attr;
	struct ete_run run = {
		.from = (uintptr_t)other_start, .to = (uintptr_t)other_end, .hits = hits,
	};
	struct seen seen = { 0 };
	struct ring ring;

	ete_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, AUX_PAGES, 0));
	EXPECT_EQ(0, ete_set_filter(&ring, text)) TH_LOG("%s", text);
	ASSERT_EQ(0, ring_enable(&ring));
	for (int i = 0; i < 10; i++) {
		other(300);
		spin(1000);
		syscall(__NR_getppid);
		other(300);
	}
	ASSERT_EQ(0, ring_disable(&ring));
	ASSERT_EQ(0, ring_drain(&ring));
	hits[0] = hits[1] = 0;
	EXPECT_EQ(0, ete_walk(&unit, &attr, &ring, &run))
		TH_LOG("%s at %" PRIu64, run.why, run.bad_at);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	seen.spin = run.in_spin;
	seen.other = hits[0] + hits[1];
	seen.insns = run.insns;
	seen.exceptions = run.exceptions;
	ring_close(&ring);
	return seen;
}

#define ALL_SPIN	(10 * 2 * 1000)
#define ALL_OTHER	(20 * 2 * 300)

/* A range takes two comparators and a point takes one. All of the unit's are usable. */
TEST(as_many_as_comparators)
{
	NEED_UNIT(unit);
	NEED(unit.ours, "v9_ete driver");
	EXPECT_EQ(2 * V9_GET(V9_TRCIDR4_NUMACPAIRS, ete_register(&unit, "trcidr/trcidr4")),
		  read_number(unit.dir, "nr_addr_filters"));
}

TEST(without_a_filter_all)
{
	struct seen seen;

	NEED_FILTERS(unit);
	seen = filtered(_metadata, &unit, "");
	EXPECT_EQ(ALL_SPIN, seen.spin);
	EXPECT_EQ(ALL_OTHER, seen.other);
}

/* All of the range, and at most the rest of its last basic block. shows: ETE-R_SKZHH ETE-R_LLQPL */
TEST(include_a_range)
{
	char text[1024] = "";
	struct seen seen;

	NEED_FILTERS(unit);
	ete_add_filter(text, sizeof(text), "filter", SPIN_CODE);
	seen = filtered(_metadata, &unit, text);
	EXPECT_EQ(ALL_SPIN, seen.spin);
	EXPECT_EQ(0, seen.other);
	EXPECT_LE(seen.insns, ALL_SPIN + 10 * 10 + 10 * seen.exceptions);
}

TEST(include_two_ranges)
{
	char text[1024] = "";
	struct seen seen;

	NEED_FILTERS(unit);
	ete_add_filter(text, sizeof(text), "filter", SPIN_CODE);
	ete_add_filter(text, sizeof(text), "filter", OTHER_CODE);
	seen = filtered(_metadata, &unit, text);
	EXPECT_EQ(ALL_SPIN, seen.spin);
	EXPECT_EQ(ALL_OTHER, seen.other);
	EXPECT_LE(seen.insns, ALL_SPIN + ALL_OTHER + 30 * 10 + 10 * seen.exceptions);
}

/* All code except the range. shows: ETE-R_SKZHH ETE-R_RNPWD */
TEST(exclude_a_range)
{
	char text[1024] = "";
	struct seen seen;

	NEED_FILTERS(unit);
	ete_add_filter(text, sizeof(text), "stop", SPIN_CODE);
	seen = filtered(_metadata, &unit, text);
	EXPECT_EQ(0, seen.spin);
	EXPECT_EQ(ALL_OTHER, seen.other);
	EXPECT_GT(seen.insns, ALL_OTHER + 100);
}

/* The included ranges without the excluded one. */
TEST(include_and_exclude)
{
	char text[1024] = "";
	struct seen seen;

	NEED_FILTERS(unit);
	NEED(read_number(unit.dir, "nr_addr_filters") >= 6, "three address comparator pairs");
	ete_add_filter(text, sizeof(text), "filter", SPIN_CODE);
	ete_add_filter(text, sizeof(text), "filter", OTHER_CODE);
	ete_add_filter(text, sizeof(text), "stop", SPIN_CODE);
	seen = filtered(_metadata, &unit, text);
	EXPECT_EQ(0, seen.spin);
	EXPECT_EQ(ALL_OTHER, seen.other);
	EXPECT_LE(seen.insns, ALL_OTHER + 20 * 10 + 10 * seen.exceptions);
}

/* From one instruction to another, both traced, repeatedly. shows: ETE-R_KCYTR ETE-R_XHFYQ */
TEST(start_and_stop)
{
	char text[1024] = "";
	struct seen seen;

	NEED_FILTERS(unit);
	ete_add_filter(text, sizeof(text), "start", spin_start, 0);
	ete_add_filter(text, sizeof(text), "stop", spin_end, 0);
	seen = filtered(_metadata, &unit, text);
	EXPECT_EQ(ALL_SPIN, seen.spin);
	EXPECT_EQ(0, seen.other);
	EXPECT_GE(seen.insns, ALL_SPIN + 10);
	EXPECT_LE(seen.insns, ALL_SPIN + 10 * 10 + 10 * seen.exceptions);
}

/* The addresses in descending order. The unit requires them ascending. shows: ETE-R_XHFYQ */
TEST(stop_below_start)
{
	const char *low = &spin_end[0] < &other_start[0] ? spin_end : other_end;
	const char *high = low == spin_end ? other_start : spin_start;
	char text[1024] = "";
	struct seen seen;

	NEED_FILTERS(unit);
	ete_add_filter(text, sizeof(text), "start", high, 0);
	ete_add_filter(text, sizeof(text), "stop", low, 0);
	seen = filtered(_metadata, &unit, text);
	if (low == spin_end) {
		EXPECT_EQ(ALL_OTHER, seen.other);
	} else {
		EXPECT_EQ(ALL_SPIN, seen.spin);
	}
}

/* A range filter combined with a start point. */
TEST(range_and_points)
{
	char text[1024] = "";
	struct seen seen;

	NEED_FILTERS(unit);
	ete_add_filter(text, sizeof(text), "filter", OTHER_CODE);
	ete_add_filter(text, sizeof(text), "start", spin_start, 0);
	seen = filtered(_metadata, &unit, text);
	EXPECT_EQ(0, seen.spin);
	/* All except the first call, which was before the first start. */
	EXPECT_EQ(ALL_OTHER - 2 * 300, seen.other);
}

/*
 * Filters are refused as a whole before tracing starts. The errno is right, and the log has the reason once.
 * shows: ETE-R_XHFYQ
 */
TEST(unsupported_filters_refused)
{
	struct perf_event_attr attr;
	char text[4096] = "";
	struct ete_run run;
	struct ring ring;
	unsigned long n;
	int log;

	NEED_FILTERS(unit);
	n = read_number(unit.dir, "nr_addr_filters");
	ete_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, AUX_PAGES, 0));
	log = log_begins("v9_ete");

	/* One range more than the unit has comparator pairs */
	for (unsigned long i = 0; i < n / 2 + 1; i++)
		ete_add_filter(text, sizeof(text), "filter", spin_start + 4 * i, 4);
	EXPECT_EQ(-EOPNOTSUPP, ete_set_filter(&ring, text));
	EXPECT_TRUE(log < 0 || log_lines(log, "filters refused: more filters than address comparators") == 1);
	/* More points than any unit has comparators */
	text[0] = 0;
	for (unsigned long i = 0; i < 17; i++)
		ete_add_filter(text, sizeof(text), "start", spin_start + 4 * i, 0);
	EXPECT_EQ(-EOPNOTSUPP, ete_set_filter(&ring, text));
	EXPECT_TRUE(log < 0 || log_lines(log, "filters refused: too many filters") == 1);

	text[0] = 0;
	ete_add_filter(text, sizeof(text), "start", spin_start, 0);
	ete_add_filter(text, sizeof(text), "stop", spin_start, 0);
	EXPECT_EQ(-EINVAL, ete_set_filter(&ring, text));
	EXPECT_TRUE(log < 0 || log_lines(log, "filters refused: a point that both starts and stops") == 1);
	text[0] = 0;
	ete_add_filter(text, sizeof(text), "start", spin_start + 1, 0);
	EXPECT_EQ(-EINVAL, ete_set_filter(&ring, text));
	EXPECT_TRUE(log < 0 || log_lines(log, "filters refused: a point that is no instruction's address") == 1);
	text[0] = 0;
	ete_add_filter(text, sizeof(text), "start", SPIN_CODE);
	EXPECT_EQ(-EINVAL, ete_set_filter(&ring, text));
	EXPECT_TRUE(log < 0 || log_lines(log, "filters refused: a start point with a size") == 1);
	EXPECT_EQ(-EINVAL, ete_set_filter(&ring, "nonsense"));
	EXPECT_TRUE(log < 0 || !log_lines(log, "filters refused"));
	log_ends(log, "v9_ete");

	/* After the refusals the event is unchanged. */
	ASSERT_EQ(0, ring_enable(&ring));
	spin(1000);
	FINISH(ring, attr, run);
	EXPECT_EQ(2000, run.in_spin);
	ring_close(&ring);
}

/* As many ranges as the unit has comparator pairs */
TEST(all_comparator_pairs)
{
	size_t pairs, part;
	char text[4096] = "";
	struct seen seen;

	NEED_FILTERS(unit);
	pairs = read_number(unit.dir, "nr_addr_filters") / 2;
	part = (insn_mix_end - insn_mix_start) / pairs & ~3UL;
	ete_add_filter(text, sizeof(text), "filter", OTHER_CODE);
	for (size_t i = 1; i < pairs; i++)
		ete_add_filter(text, sizeof(text), "filter", insn_mix_start + i * part, part);
	seen = filtered(_metadata, &unit, text);
	EXPECT_EQ(0, seen.spin);
	EXPECT_EQ(ALL_OTHER, seen.other);
}

/* Filters of a file require the event of a task, because a CPU runs many programs. */
TEST(file_filter_refused_for_cpu_event)
{
	struct perf_event_attr attr;
	char text[1024] = "";
	struct ring ring;

	NEED_FILTERS(unit);
	NEED_PERFMON();
	ete_attr(&unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, -1, unit_cpu(&unit, 0), 16, 0));
	ete_add_filter(text, sizeof(text), "filter", SPIN_CODE);
	EXPECT_EQ(-EOPNOTSUPP, ete_set_filter(&ring, text));
	ring_close(&ring);
}

/* A file that is mapped after the filter was set: the comparators follow the mapping. */
TEST(mapping_comes_later)
{
	static const uint32_t loop[] = { 0xf1000400, 0x54ffffe1, 0xd65f03c0 };
	struct ete_run run = { 0 };
	char path[] = "/tmp/v9-filter-XXXXXX", text[128];
	static unsigned int hits[2];
	struct perf_event_attr attr;
	struct ring ring;
	void *code;
	int fd;

	NEED_FILTERS(unit);
	fd = mkstemp(path);
	NEED(fd >= 0 && !ftruncate(fd, 8192), "writable /tmp");
	ASSERT_EQ((ssize_t)sizeof(loop), pwrite(fd, loop, sizeof(loop), 4096 + 64));
	ete_attr(&unit, &attr);
	attr.mmap = 1;		/* perf follows new mappings only for events that record them */
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, AUX_PAGES, 0));
	snprintf(text, sizeof(text), "filter %#x/8@%s", 4096 + 64, path);
	ASSERT_EQ(0, ete_set_filter(&ring, text));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(1000);
	code = mmap(NULL, 8192, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	if (code == MAP_FAILED) {
		unlink(path);
		SKIP(return, "executable /tmp");
	}
	((void (*)(uint64_t))((uintptr_t)code + 4096 + 64))(500);
	spin(1000);
	ASSERT_EQ(0, ring_disable(&ring));
	unlink(path);
	ASSERT_EQ(0, ring_drain(&ring));
	run.from = (uintptr_t)code + 4096 + 64;
	run.to = run.from + 8;
	run.hits = hits;
	ASSERT_EQ(0, ete_walk(&unit, &attr, &ring, &run))
		TH_LOG("%s at %" PRIu64, run.why, run.bad_at);
	EXPECT_EQ(500, hits[0]);
	EXPECT_EQ(500, hits[1]);
	EXPECT_EQ(0, run.in_spin);
	ring_close(&ring);
	munmap(code, 8192);
	close(fd);
}

/* Child processes inherit the filters of their parent. */
static void spin_in_child(void *arg)
{
	pid_t pid = fork();

	(void)arg;
	if (!pid) {
		other(500);
		spin(1000);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

TEST(children_inherit)
{
	struct perf_event_attr attr;
	char text[1024] = "";
	struct worker worker;
	struct ring ring;
	struct ete_run run;
	int cpu;

	NEED_FILTERS(unit);
	cpu = unit_cpu(&unit, 0);
	ete_attr(&unit, &attr);
	attr.inherit = 1;
	ASSERT_EQ(0, worker_start(&worker, cpu, spin_in_child, NULL));
	ASSERT_EQ(0, ring_open(&ring, &attr, worker.pid, cpu, AUX_PAGES, 0));
	ete_add_filter(text, sizeof(text), "filter", SPIN_CODE);
	ASSERT_EQ(0, ete_set_filter(&ring, text));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	ASSERT_EQ(0, worker_wait(&worker));
	FINISH(ring, attr, run);
	EXPECT_EQ(2000, run.in_spin);
	EXPECT_LE(run.insns, 2000 + 10 + 10 * run.exceptions);
	ring_close(&ring);
}

/* The address of a kernel function, and that of the symbol behind it. */
static uint64_t kernel_symbol(const char *name, uint64_t *next)
{
	uint64_t addr, found = 0;
	char line[512], symbol[256];
	FILE *f = fopen("/proc/kallsyms", "r");

	*next = UINT64_MAX;
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%" SCNx64 " %*c %255s", &addr, symbol) == 2 &&
		    !strcmp(symbol, name))
			found = addr;
	if (f)
		rewind(f);
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%" SCNx64, &addr) == 1 && addr > found && addr < *next)
			*next = addr;
	if (f)
		fclose(f);
	return found;
}

/* One function without those it calls: a small part of the two system calls. */
TEST(one_kernel_function)
{
	uint64_t addr, next, above[2], calls = 50;
	struct perf_event_attr attr;
	char text[128];

	NEED_FILTERS(unit);
	NEED_PERFMON();
	addr = kernel_symbol("__arm64_sys_getppid", &next);
	NEED(addr, "readable /proc/kallsyms");
	ete_attr(&unit, &attr);
	attr.exclude_kernel = 0;
	attr.exclude_user = 1;
	snprintf(text, sizeof(text), "filter %#" PRIx64 "/%#" PRIx64, addr, next - addr);
	for (int filtered = 0; filtered < 2; filtered++) {
		struct ete_run run;
		struct ring ring;

		ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, AUX_PAGES, 0));
		ASSERT_EQ(0, filtered ? ete_set_filter(&ring, text) : 0);
		ASSERT_EQ(0, ring_enable(&ring));
		for (uint64_t i = 0; i < calls; i++) {
			syscall(__NR_getppid);
			syscall(__NR_getuid);
			spin(100);
		}
		FINISH(ring, attr, run);
		TH_LOG("%" PRIu64 " times in the kernel, %zu bytes", run.above, ring.nbytes);
		EXPECT_EQ(0, run.insns);
		above[filtered] = run.above;
		ring_close(&ring);
	}
	EXPECT_GE(above[1], calls);
	EXPECT_LE(above[1], above[0] / 4);
}

TEST_HARNESS_MAIN
