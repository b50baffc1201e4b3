// SPDX-License-Identifier: GPL-2.0-only
/* The PMU of trace units in sysfs, and which events it accepts or refuses. */
#include "harness.h"

#include <sys/stat.h>

#include <v9trace/gen/regs.h>

#include "ete.h"
#include "machine.h"
#include "work.h"

/*
 * The options that stock perf looks up by name, and behind them ours, which have a meaning only
 * in combinations. Their bits are an ABI. Each requires a field of an ID register.
 */
static const struct {
	const char *name, *where, *id;
	uint64_t field;
	const char *older;		/* the bits in older kernels */
} option[] = {
	{ "timestamp", "config:4-7", "trcidr/trcidr0", V9_TRCIDR0_TSSIZE, "config:28" },
	{ "branch_broadcast", "config:8", "trcidr/trcidr0", V9_TRCIDR0_TRCBB, NULL },
	{ "cycacc", "config:12", "trcidr/trcidr0", V9_TRCIDR0_TRCCCI, NULL },
	{ "contextid1", "config:14", "trcidr/trcidr2", V9_TRCIDR2_CIDSIZE, NULL },
	{ "contextid2", "config:15", "trcidr/trcidr2", V9_TRCIDR2_VMIDSIZE, NULL },
	{ "retstack", "config:29", "trcidr/trcidr0", V9_TRCIDR0_RETSTACK, NULL },
	{ "cc_threshold", "config3:0-11", "trcidr/trcidr0", V9_TRCIDR0_TRCCCI, NULL },
#define OF_PERF	7
	{ "timestamp_interval", "config:4-7", "trcidr/trcidr0", V9_TRCIDR0_TSSIZE, NULL },
	{ "preset", "config:0-3", "trcidr/trcidr5", V9_TRCIDR5_NUMSEQSTATE, NULL },
	{ "input", "config:32-47", "trcidr/trcidr5", V9_TRCIDR5_NUMEXTINSEL, NULL },
	{ "input_event", "config:48", "trcidr/trcidr5", V9_TRCIDR5_NUMEXTINSEL, NULL },
	{ "sync_period", "config:49-53", "trcidr/trcidr0", V9_TRCIDR0_RES1, NULL },
	{ "bb_range", "config:54-55", "trcidr/trcidr4", V9_TRCIDR4_NUMACPAIRS, NULL },
	{ "ts_source", "config:56-57", "trcidr/trcidr0", V9_TRCIDR0_TSSIZE, NULL },
	{ "stall", "config:58-61", "trcidr/trcidr3", V9_TRCIDR3_SYSSTALL, NULL },
	{ "nooverflow", "config:62", "trcidr/trcidr3", V9_TRCIDR3_NOOVERFLOW, NULL },
	{ "strobe_window", "config1:0-15", "trcidr/trcidr5", V9_TRCIDR5_NUMSEQSTATE, NULL },
	{ "strobe_period", "config1:16-31", "trcidr/trcidr5", V9_TRCIDR5_NUMSEQSTATE, NULL },
	{ "contextid_match", "config1:32-63", "trcidr/trcidr4", V9_TRCIDR4_NUMCIDC, NULL },
	{ "trigger", "config2:0-1", "trcidr/trcidr4", V9_TRCIDR4_NUMRSPAIR, NULL },
	{ "contextid_mask", "config2:2-5", "trcidr/trcidr4", V9_TRCIDR4_NUMCIDC, NULL },
	{ "trigger_count", "config2:16-31", "trcidr/trcidr5", V9_TRCIDR5_NUMCNTR, NULL },
	{ "trigger_after", "config2:32-63", "trcidr/trcidr4", V9_TRCIDR4_NUMRSPAIR, NULL },
	{ "pe_input", "config2:8-15", "trcidr/trcidr4", V9_TRCIDR4_NUMPC, NULL },
	{ "trcerr", "config2:6", "trcidr/trcidr3", V9_TRCIDR3_TRCERR, NULL },
	{ "trcreset", "config2:7", "trcidr/trcidr0", V9_TRCIDR0_RES1, NULL },
	{ "instrumentation", "config:63", "trcidr/trcidr0", V9_TRCIDR0_ITE, NULL },
	{ "q_elements", "config:30-31", "trcidr/trcidr0", V9_TRCIDR0_QSUPP, NULL },
	{ "q_range", "config:16-17", "trcidr/trcidr0", V9_TRCIDR0_QFILT, NULL },
	{ "trigger_panic", "config:27", "trcidr/trcidr4", V9_TRCIDR4_NUMSSCC, NULL },
	{ "trigger_address", "config3:12-63", "trcidr/trcidr4", V9_TRCIDR4_NUMSSCC, NULL },
};

/* Offered only if the user states that firmware permits the kernel to use it. */
static bool instrumentation(void)
{
	char text[8] = "";

	read_text("/sys/module/v9_ete/parameters", "instrumentation", text, sizeof(text));
	return text[0] == 'Y';
}

/*
 * format/ agrees with the ID registers. contextid2 is the thread ID only if the kernel runs at
 * EL2. cc_threshold requires config3, which kernels have since 6.3.
 */
TEST(format_fields)
{
	NEED_UNIT(unit);
	for (size_t i = 0; i < ARRAY_SIZE(option); i++) {
		bool want = ete_register(&unit, option[i].id) & option[i].field;
		char path[64], text[64];
		int err;

		snprintf(path, sizeof(path), "format/%s", option[i].name);
		err = read_text(unit.dir, path, text, sizeof(text));
		if (!err && option[i].older && !strcmp(text, option[i].older))
			continue;
		if (!err)
			EXPECT_STREQ(option[i].where, text);
		if (!unit.ours)
			continue;
		if (!strcmp(option[i].name, "contextid2"))
			want = want && ete_kernel_at_el2(&unit);
		if (!strcmp(option[i].name, "instrumentation"))
			want = want && instrumentation();
		if (!strncmp(option[i].where, "config3", 7) && err)
			continue;
		EXPECT_EQ(want, !err) TH_LOG("%s: error %d", path, err);
	}
}

/* perf requests the thread ID by an alias for one of the two options. */
TEST(contextid_is_an_alias)
{
	char alias[32], text[32], path[32];

	NEED_UNIT(unit);
	ASSERT_EQ(0, read_text(unit.dir, "format/contextid", alias, sizeof(alias)));
	snprintf(path, sizeof(path), "format/contextid%d", ete_kernel_at_el2(&unit) ? 2 : 1);
	ASSERT_EQ(0, read_text(unit.dir, path, text, sizeof(text)));
	EXPECT_STREQ(text, alias);
}

/* perf's -e cs_etm/@trbe0/ ORs the content of the file into config2[31:0], which has options. */
TEST(sinks)
{
	struct perf_event_attr attr;

	NEED_SESSION(unit);
	for (int i = 0; i < unit.ncpus; i++) {
		unsigned int number;
		char path[64], text[32];

		snprintf(path, sizeof(path), "sinks/trbe%d", unit_cpu(&unit, i));
		ASSERT_EQ(0, read_text(unit.dir, path, text, sizeof(text))) TH_LOG("no %s", path);
		ASSERT_EQ(1, sscanf(text, "%x", &number));
		if (unit.ours)
			EXPECT_STREQ("0x0", text);
		ete_attr(&unit, &attr);
		attr.config2 |= number;
		EXPECT_EQ(0, ring_try(&attr)) TH_LOG("%s", path);
	}
	EXPECT_FALSE(unit_has(&unit, "sinks/trbe"));
}

/* The kernel's panic() ends the session. Its address is not shown to users. */
TEST(panicstop)
{
	struct perf_event_attr attr;
	char text[64];

	NEED_SESSION(unit);
	NEED(unit_has(&unit, "format/trigger_panic"), "trigger_panic");
	NEED_PERFMON();
	ASSERT_EQ(0, read_text(unit.dir, "events/panicstop", text, sizeof(text)));
	EXPECT_STREQ("trigger=3,trigger_panic=1", text);
	ete_attr(&unit, &attr);
	attr.config = 1 << 27;
	attr.config2 = 3;
	EXPECT_EQ(-EINVAL, ring_try(&attr));	/* the kernel is not traced */
	attr.exclude_kernel = 0;
	EXPECT_EQ(0, ring_try(&attr));
	attr.config2 = 0;
	EXPECT_EQ(-EINVAL, ring_try(&attr));
}

/* The exact text of the ID registers of each CPU. perf parses hexadecimal numbers. */
TEST(id_registers_of_each_cpu)
{
	static const char *const files[] = {
		"trcidr/trcidr0", "trcidr/trcidr1", "trcidr/trcidr2", "trcidr/trcidr3",
		"trcidr/trcidr4", "trcidr/trcidr5", "trcidr/trcidr8",
		"mgmt/trcauthstatus", "mgmt/trcdevarch",
	};

	NEED_UNIT(unit);
	for (int i = 0; i < unit.ncpus; i++) {
		for (size_t f = 0; f < ARRAY_SIZE(files); f++) {
			char path[192], text[32], again[32];
			struct stat st;

			snprintf(path, sizeof(path), "cpu%d/%s", unit_cpu(&unit, i), files[f]);
			ASSERT_EQ(0, read_text(unit.dir, path, text, sizeof(text)))
				TH_LOG("no %s", path);
			snprintf(again, sizeof(again), "0x%llx", strtoull(text, NULL, 16));
			EXPECT_STREQ(again, text);
			snprintf(path, sizeof(path), "%s/cpu%d/%s", unit.dir, unit_cpu(&unit, i),
				 files[f]);
			ASSERT_EQ(0, stat(path, &st));
			EXPECT_EQ(0, st.st_mode & 0222);
		}
	}
}

/* The ID registers of an ETE */
TEST(id_registers_of_ete)
{
	uint64_t devarch, idr5;

	NEED_UNIT(unit);
	devarch = ete_register(&unit, "mgmt/trcdevarch");
	EXPECT_TRUE(devarch & V9_TRCDEVARCH_PRESENT);
	EXPECT_EQ(0xa13, V9_GET(V9_TRCDEVARCH_ARCHPART, devarch));
	EXPECT_EQ(5, V9_GET(V9_TRCDEVARCH_ARCHVER, devarch));
	EXPECT_EQ(0xf, V9_GET(V9_TRCIDR1_TRCARCHMAJ, ete_register(&unit, "trcidr/trcidr1")));
	idr5 = ete_register(&unit, "trcidr/trcidr5");
	EXPECT_TRUE(V9_GET(V9_TRCIDR5_NUMCNTR, idr5) <= 4);
}

/* perf's tests read the CPU number there, to run the traced program on that CPU. */
TEST(each_directory_names_its_cpu)
{
	NEED_UNIT(unit);
	for (int i = 0; i < unit.ncpus; i++) {
		char path[64], text[32], nr[16];

		snprintf(path, sizeof(path), "cpu%d/cpu", unit_cpu(&unit, i));
		snprintf(nr, sizeof(nr), "%d", unit_cpu(&unit, i));
		ASSERT_EQ(0, read_text(unit.dir, path, text, sizeof(text)));
		EXPECT_STREQ(nr, text);
	}
}

/*
 * The clock of the time stamps: ts_source is 1, the clock that perf converts. That is virtual
 * time for a kernel at EL1 (TRFCR_EL1.TS is 1) and physical time for one at EL2 (TRFCR_EL2.TS is
 * 3).
 */
TEST(ts_source)
{
	NEED_UNIT(unit);
	for (int i = 0; i < unit.ncpus; i++) {
		char path[64], text[32];

		if (unit.ours) {
			snprintf(path, sizeof(path), "cpu%d/trfcr_ts", unit_cpu(&unit, i));
			ASSERT_EQ(0, read_text(unit.dir, path, text, sizeof(text)));
			EXPECT_STREQ(ete_kernel_at_el2(&unit) ? "3" : "1", text);
		}

		snprintf(path, sizeof(path), "cpu%d/ts_source", unit_cpu(&unit, i));
		ASSERT_EQ(0, read_text(unit.dir, path, text, sizeof(text)));
		EXPECT_STREQ("1", text);
	}
}

/* perf regards a PMU with a cpumask as not a CPU's: it exists only if it excludes some CPUs. */
TEST(cpumask_only_if_needed)
{
	char text[128], possible[128];

	NEED_UNIT(unit);
	EXPECT_GE(unit.type, PERF_TYPE_MAX);
	if (read_text(unit.dir, "cpumask", text, sizeof(text)))
		return;
	ASSERT_EQ(0, read_text("/sys/devices/system/cpu", "possible", possible, sizeof(possible)));
	EXPECT_STRNE(possible, text);
}

/* The kernel returns E2BIG if its perf_event_attr has no such member. */
static bool refused(int err)
{
	return err == -EINVAL || err == -EOPNOTSUPP || err == -E2BIG;
}

TEST(plain_event)
{
	struct perf_event_attr attr;

	NEED_SESSION(unit);
	ete_attr(&unit, &attr);
	EXPECT_EQ(0, ring_try(&attr));
	attr.exclude_kernel = 0;
	if (perfmon_allowed())
		EXPECT_EQ(0, ring_try(&attr));
}

/* The config member of @attr with number @word. */
static uint64_t *word_of(struct perf_event_attr *attr, unsigned int word)
{
	return (uint64_t *[]){ (uint64_t *)&attr->config, (uint64_t *)&attr->config1,
			       (uint64_t *)&attr->config2, (uint64_t *)&attr->config3 }[word];
}

/* The bits of config<@word> that format/ lists; for @word 0 "config", as in "config:4-7". */
static uint64_t known_bits(const struct unit *unit, unsigned int word)
{
	uint64_t bits = word ? 0 : ETE_OLD_TIMESTAMP;

	for (size_t i = 0; i < ARRAY_SIZE(option); i++) {
		char path[64], text[64], at[16] = "config";
		unsigned int lo, hi;

		snprintf(path, sizeof(path), "format/%s", option[i].name);
		if (read_text(unit->dir, path, text, sizeof(text)))
			continue;
		if (word)
			snprintf(at, sizeof(at), "config%u", word);
		if (strncmp(text, at, strlen(at)) || text[strlen(at)] != ':')
			continue;
		if (sscanf(text + strlen(at) + 1, "%u-%u", &lo, &hi) == 1)
			hi = lo;
		for (; lo <= hi; lo++)
			bits |= 1ULL << lo;
	}
	return bits;
}

static uint64_t taken_bits(const struct unit *unit, unsigned int word)
{
	uint64_t known = known_bits(unit, word), taken = 0;
	struct perf_event_attr attr;

	for (int bit = 0; bit < 64; bit++) {
		if (known & 1ULL << bit)
			continue;
		ete_attr(unit, &attr);
		*word_of(&attr, word) = 1ULL << bit;
		if (!refused(ring_try(&attr)))
			taken |= 1ULL << bit;
	}
	return taken;
}

TEST(bits_without_meaning_refused)
{
	NEED_SESSION(unit);
	NEED(unit.ours, "v9_ete driver");
	for (unsigned int word = 0; word < 4; word++) {
		uint64_t taken = taken_bits(&unit, word);

		EXPECT_EQ(0, taken)
			TH_LOG("config%u bits without a meaning are accepted: %#" PRIx64,
			       word, taken);
	}
}

/* Options in format/ are accepted. Others are refused with EOPNOTSUPP. */
TEST(options_accepted_or_refused)
{
	struct perf_event_attr attr;

	NEED_SESSION(unit);
	for (size_t i = 0; i < OF_PERF; i++) {
		char path[64], text[64];
		unsigned int bit;

		if (!strncmp(option[i].where, "config3", 7))
			continue;
		snprintf(path, sizeof(path), "format/%s", option[i].name);
		ASSERT_EQ(1, sscanf(option[i].where, "config:%u", &bit));
		ete_attr(&unit, &attr);
		attr.config = 1ULL << bit;
		if (!read_text(unit.dir, path, text, sizeof(text))) {
			EXPECT_EQ(0, ring_try(&attr)) TH_LOG("%s", option[i].name);
		} else if (unit.ours) {
			EXPECT_EQ(-EOPNOTSUPP, ring_try(&attr)) TH_LOG("%s", option[i].name);
		}
	}
}

/* An interval that is not a power of two requires a counter, and is refused without one. */
TEST(each_timestamp_interval)
{
	struct perf_event_attr attr;
	bool counter;

	NEED_SESSION(unit);
	NEED(unit.ours, "v9_ete driver");
	NEED(unit_has(&unit, "format/timestamp"), "time stamps (TRCIDR0.TSSIZE)");
	counter = V9_GET(V9_TRCIDR5_NUMCNTR, ete_register(&unit, "trcidr/trcidr5"));
	for (unsigned int n = 0; n < 16; n++) {
		ete_attr(&unit, &attr);
		attr.config = ETE_TIMESTAMP(n);
		EXPECT_EQ(counter || n < 2 || n == 15 ? 0 : -EOPNOTSUPP, ring_try(&attr))
			TH_LOG("timestamp=%u", n);
	}
	/* As perf requests them on older kernels */
	ete_attr(&unit, &attr);
	attr.config = ETE_OLD_TIMESTAMP;
	EXPECT_EQ(0, ring_try(&attr));
}

/* A threshold alone is refused. One below the minimum of the unit is raised to it. */
TEST(threshold_of_cycles)
{
	struct perf_event_attr attr;

	NEED_SESSION(unit);
	NEED(unit.ours, "v9_ete driver");
	NEED(unit_has(&unit, "format/cc_threshold"), "cycle counts, or config3");
	ete_attr(&unit, &attr);
	attr.config3 = 16;
	EXPECT_EQ(-EINVAL, ring_try(&attr));
	attr.config = ETE_CYCLES;
	EXPECT_EQ(0, ring_try(&attr));
	attr.config3 = 1;
	EXPECT_EQ(0, ring_try(&attr));
	attr.config3 = 0xfff;
	EXPECT_EQ(0, ring_try(&attr));
	attr.config3 = 0x1000;		/* address of a trigger, without the trigger */
	EXPECT_EQ(-EINVAL, ring_try(&attr));
}

/* These are refused and not ignored, because the trace would differ from the request. */
TEST(unsupported_options_refused)
{
	struct perf_event_attr attr;

	NEED_SESSION(unit);
	NEED(unit.ours, "v9_ete driver");
	ete_attr(&unit, &attr);
	attr.exclude_idle = 1;
	EXPECT_EQ(-EOPNOTSUPP, ring_try(&attr));
	ete_attr(&unit, &attr);
	attr.exclude_host = 1;
	EXPECT_EQ(-EOPNOTSUPP, ring_try(&attr));
	ete_attr(&unit, &attr);
	attr.sample_type = PERF_SAMPLE_BRANCH_STACK;
	attr.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY;
	EXPECT_EQ(-EOPNOTSUPP, ring_try(&attr));
	ete_attr(&unit, &attr);
	attr.exclude_guest = 1;		/* always true */
	EXPECT_EQ(0, ring_try(&attr));
}

/* Call @what in a new PID namespace, where thread IDs differ from those in the trace. */
static int in_namespace(int (*what)(const struct perf_event_attr *),
			const struct perf_event_attr *attr)
{
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		if (unshare(CLONE_NEWPID))
			_exit(ENOSYS);
		pid = fork();
		if (!pid)
			_exit(-what(attr));
		waitpid(pid, &status, 0);
		_exit(WIFEXITED(status) ? WEXITSTATUS(status) : EIO);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EIO;
}

static int open_as_nobody(const struct perf_event_attr *attr)
{
	return as_nobody(ring_try, attr);
}

TEST(thread_ids_stay_in_their_namespace)
{
	struct perf_event_attr attr;

	NEED_SESSION(unit);
	NEED(!getuid(), "root");
	ete_attr(&unit, &attr);
	attr.config = ete_thread_option(&unit);
	NEED(attr.config, "trace of thread IDs");
	NEED(in_namespace(ring_try, &attr) != -ENOSYS, "PID namespaces");
	EXPECT_EQ(0, in_namespace(ring_try, &attr));
	/* perf requests thread IDs by default: the event is accepted, and its trace has none. */
	EXPECT_EQ(0, in_namespace(open_as_nobody, &attr));
	attr.config = 0;
	EXPECT_EQ(0, in_namespace(open_as_nobody, &attr));
	if (!unit_has(&unit, "format/contextid_match"))
		return;
	attr.config1 = 7ULL << 32;
	EXPECT_EQ(0, in_namespace(ring_try, &attr));
	EXPECT_EQ(-EACCES, in_namespace(open_as_nobody, &attr));
}

static int fork_and_wait(const struct perf_event_attr *attr)
{
	pid_t pid = fork();

	(void)attr;
	if (pid < 0)
		return -errno;
	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	return 0;
}

static int fork_as_nobody(const struct perf_event_attr *attr)
{
	return as_nobody(fork_and_wait, attr);
}

/* Permissions are checked when a session is opened, not when its task forks. */
TEST(children_of_the_unprivileged)
{
	struct perf_event_attr attr;
	uint64_t config[2];
	struct ring ring;
	int cpu;

	NEED_SESSION(unit);
	NEED(!getuid(), "root");
	NEED(unit.ours, "v9_ete driver");
	config[0] = ETE_TIMESTAMP(15) | 3ULL << 56;
	config[1] = ete_thread_option(&unit);
	NEED(config[1], "trace of thread IDs");
	NEED(in_namespace(fork_and_wait, NULL) != -ENOSYS, "PID namespaces");
	cpu = unit_cpu(&unit, 0);
	ASSERT_EQ(0, pin_to(cpu));
	for (int i = 0; i < 2; i++) {
		ete_attr(&unit, &attr);
		attr.config = config[i];
		attr.inherit = 1;
		ASSERT_EQ(0, ring_open(&ring, &attr, 0, cpu, 16, 0));
		ASSERT_EQ(0, ring_enable(&ring));
		EXPECT_EQ(0, i ? in_namespace(fork_as_nobody, &attr) :
				 as_nobody(fork_and_wait, &attr));
		ring_close(&ring);
	}
}

/* perf keeps a page free, which leaves no window. Such buffers are refused when mapped. */
TEST(tiny_buffers_refused)
{
	struct perf_event_attr attr;
	struct ring ring;
	int err;

	NEED_SESSION(unit);
	ete_attr(&unit, &attr);
	err = ring_open(&ring, &attr, 0, -1, 1, 0);
	EXPECT_TRUE(err == -EINVAL || err == -ENOMEM) TH_LOG("one page: %d", err);
	EXPECT_EQ(-EINVAL, ring_open(&ring, &attr, 0, -1, 3, 0));
	if (ete_overruns(&unit))
		EXPECT_EQ(-ENOMEM, ring_open(&ring, &attr, 0, -1, 2, 0));
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, ete_overruns(&unit) ? 4 : 2, 0));
	ring_close(&ring);
}

TEST_HARNESS_MAIN
