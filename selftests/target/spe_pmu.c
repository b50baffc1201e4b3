// SPDX-License-Identifier: GPL-2.0-only
/* The PMU in sysfs, and which events it accepts or refuses. */
#include "harness.h"

#include <v9trace/gen/regs.h>

#include "machine.h"
#include "spe.h"
#include "work.h"

struct field {
	const char *name, *where;
};

/* The options that stock perf looks up by name. Their bits are an ABI. */
static const struct field wanted[] = {
	{ "ts_enable", "config:0" }, { "pa_enable", "config:1" }, { "pct_enable", "config:2" },
	{ "jitter", "config:16" }, { "branch_filter", "config:32" },
	{ "load_filter", "config:33" }, { "store_filter", "config:34" },
	{ "event_filter", "config1:0-63" }, { "min_latency", "config2:0-11" },
};

/* As wide as the unit's counters */
static const char wide_latency[] = "config2:0-15";

/* Only if the unit has the feature */
static const struct field maybe[] = {
	{ "discard", "config:35" }, { "branch_filter_mask", "config:36" },
	{ "load_filter_mask", "config:37" }, { "store_filter_mask", "config:38" },
	{ "simd_filter", "config:39" }, { "simd_filter_mask", "config:40" },
	{ "float_filter", "config:41" }, { "float_filter_mask", "config:42" },
	{ "inv_event_filter", "config3:0-63" }, { "inv_data_src_filter", "config4:0-63" },
};


TEST(format_fields)
{
	char text[64];
	bool wide;

	NEED_UNIT(unit);
	wide = read_number(unit.dir, "caps/count_size") == 16;
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		char path[64];

		snprintf(path, sizeof(path), "format/%s", wanted[i].name);
		EXPECT_EQ(0, read_text(unit.dir, path, text, sizeof(text)))
			TH_LOG("no %s", path);
		if (!strcmp(wanted[i].name, "min_latency") && wide) {
			EXPECT_STREQ(wide_latency, text);
		} else {
			EXPECT_STREQ(wanted[i].where, text);
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(maybe); i++) {
		char path[64];

		snprintf(path, sizeof(path), "format/%s", maybe[i].name);
		if (!read_text(unit.dir, path, text, sizeof(text)))
			EXPECT_STREQ(maybe[i].where, text);
	}
}

TEST(caps_files)
{
	static const char *const files[] = {
		"caps/arch_inst", "caps/ernd", "caps/count_size", "caps/min_interval"
	};
	unsigned long value[ARRAY_SIZE(files)];
	char text[64], *end;

	NEED_UNIT(unit);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		ASSERT_EQ(0, read_text(unit.dir, files[i], text, sizeof(text)))
			TH_LOG("no %s", files[i]);
		value[i] = strtoul(text, &end, 10);
		EXPECT_EQ(0, *end);
	}
	EXPECT_LE(value[0], 1);
	EXPECT_LE(value[1], 1);
	EXPECT_TRUE(value[2] == 12 || value[2] == 16);
	EXPECT_TRUE(value[3] >= 256 && value[3] <= 4096 && !(value[3] % 256));
	if (!read_text(unit.dir, "caps/event_filter", text, sizeof(text))) {
		strtoull(text, &end, 16);
		EXPECT_EQ(0, *end);
	}
}

TEST(cpumask_and_type)
{
	NEED_UNIT(unit);
	EXPECT_GT(unit.ncpus, 0);
	EXPECT_GE(unit.type, PERF_TYPE_MAX);
	if (!getenv("V9_PMU"))
		EXPECT_TRUE(unit.name[8] >= '0' && unit.name[8] <= '9');
}

/* perf 7 and later select a decoder by the MIDR of a CPU in the cpumask. */
TEST(midr_of_each_cpu)
{
	NEED_UNIT(unit);
	for (int i = 0; i < unit.ncpus; i++) {
		char dir[96], text[32];

		snprintf(dir, sizeof(dir), "/sys/devices/system/cpu/cpu%d/regs/identification",
			 unit_cpu(&unit, i));
		EXPECT_EQ(0, read_text(dir, "midr_el1", text, sizeof(text)));
	}
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
	spe_attr(&unit, &attr);
	EXPECT_EQ(0, ring_try(&attr));
	attr.exclude_kernel = 0;
	if (perfmon_allowed())
		EXPECT_EQ(0, ring_try(&attr));
}

static uint64_t known_bits(const struct unit *unit, const char *word)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < ARRAY_SIZE(wanted) + ARRAY_SIZE(maybe); i++) {
		const struct field *f = i < ARRAY_SIZE(wanted) ? &wanted[i] : &maybe[i - ARRAY_SIZE(wanted)];
		char path[64], text[64];
		unsigned int lo, hi;
		const char *p;

		snprintf(path, sizeof(path), "format/%s", f->name);
		if (read_text(unit->dir, path, text, sizeof(text)))
			continue;
		p = strchr(text, ':');
		if (!p || (size_t)(p - text) != strlen(word) || strncmp(text, word, p - text))
			continue;
		if (sscanf(p + 1, "%u-%u", &lo, &hi) == 1)
			hi = lo;
		for (; lo <= hi && lo < 64; lo++)
			bits |= 1ULL << lo;
	}
	return bits;
}

TEST(unknown_config_bits_refused)
{
	struct perf_event_attr attr;
	uint64_t known, taken = 0;

	NEED_SESSION(unit);
	known = known_bits(&unit, "config");
	for (int bit = 0; bit < 64; bit++) {
		if (known & 1ULL << bit)
			continue;
		spe_attr(&unit, &attr);
		attr.config = 1ULL << bit;
		if (!refused(ring_try(&attr)))
			taken |= 1ULL << bit;
	}
	EXPECT_EQ(0, taken)
		TH_LOG("config bits without a meaning are accepted: %#" PRIx64, taken);
}

TEST(unknown_config2_bits_refused)
{
	struct perf_event_attr attr;
	uint64_t known, taken = 0;

	NEED_SESSION(unit);
	known = known_bits(&unit, "config2");
	for (int bit = 0; bit < 64; bit++) {
		if (known & 1ULL << bit)
			continue;
		spe_attr(&unit, &attr);
		attr.config2 = 1ULL << bit;
		if (!refused(ring_try(&attr)))
			taken |= 1ULL << bit;
	}
	EXPECT_EQ(0, taken)
		TH_LOG("config2 bits without a meaning are accepted: %#" PRIx64, taken);
}

/* Events that no unit can filter by. shows: SPE-FI6 */
TEST(unfilterable_events_refused)
{
	struct perf_event_attr attr;

	NEED_SESSION(unit);
	for (int bit = 32; bit < 48; bit++) {
		spe_attr(&unit, &attr);
		attr.config1 = 1ULL << bit;
		EXPECT_TRUE(refused(ring_try(&attr)))
			TH_LOG("event filter bit %d is accepted", bit);
	}
	spe_attr(&unit, &attr);
	attr.config1 = 1;
	EXPECT_TRUE(refused(ring_try(&attr)));
	attr.config1 = 1 << 1;
	EXPECT_EQ(0, ring_try(&attr));
}

TEST(inverse_filter_needs_feature)
{
	struct perf_event_attr attr;

	NEED_SESSION(unit);
	spe_attr(&unit, &attr);
	attr.config3 = 1 << 3;
	if (unit_has(&unit, "format/inv_event_filter")) {
		EXPECT_EQ(0, ring_try(&attr));
	} else {
		EXPECT_TRUE(refused(ring_try(&attr)));
	}
}

TEST(discard_needs_feature)
{
	struct perf_event_attr attr;

	NEED_SESSION(unit);
	spe_attr(&unit, &attr);
	attr.config = 1ULL << 35;
	if (unit_has(&unit, "format/discard")) {
		EXPECT_EQ(0, ring_try(&attr));
	} else {
		EXPECT_TRUE(refused(ring_try(&attr)));
	}
}

TEST(exclude_idle_refused)
{
	struct perf_event_attr attr;

	NEED_SESSION(unit);
	spe_attr(&unit, &attr);
	attr.exclude_idle = 1;
	EXPECT_TRUE(refused(ring_try(&attr)));
}

static int open_as_nobody(const struct perf_event_attr *attr)
{
	return as_nobody(ring_try, attr);
}

/* shows: SPE-CD19 */
TEST(unprivileged_pa_denied)
{
	struct perf_event_attr attr;

	NEED_SESSION(unit);
	NEED(!getuid(), "root");
	spe_attr(&unit, &attr);
	attr.config = 1 << 1;
	EXPECT_EQ(-EACCES, open_as_nobody(&attr));
	EXPECT_EQ(0, ring_try(&attr));
}

/* shows: SPE-CD19 */
TEST(unprivileged_pct_denied)
{
	struct perf_event_attr attr;

	NEED_SESSION(unit);
	NEED(!getuid(), "root");
	spe_attr(&unit, &attr);
	attr.config = 1 << 2 | 1;
	EXPECT_EQ(-EACCES, open_as_nobody(&attr));
	EXPECT_EQ(0, ring_try(&attr));
}

/* Returns 0 if a record has a context packet, and -ENOMSG if none has, which is expected. */
static int look_for_context(const struct perf_event_attr *attr)
{
	struct ring ring;
	struct spe_recs recs;
	int err = ring_open(&ring, attr, 0, -1, 64, 0);

	if (err)
		return err;
	err = ring_enable(&ring);
	spin(200000);
	err = err ?: ring_disable(&ring);
	err = err ?: ring_drain(&ring);
	err = err ?: spe_records(&ring, &recs);
	if (err)
		return err;
	for (size_t i = 0; i < recs.n; i++)
		if (recs.rec[i].has & REC_CONTEXT)
			return 0;
	return recs.n ? -ENOMSG : -ENODATA;
}

/* Task numbers are those of the initial PID namespace. shows: SPE-CD15 SPE-CD19 */
TEST(unprivileged_sees_no_context)
{
	struct perf_event_attr attr;

	NEED_SESSION(unit);
	NEED(!getuid(), "root");
	spe_attr(&unit, &attr);
	EXPECT_EQ(-ENOMSG, as_nobody(look_for_context, &attr));
}

/* Forks a child that runs spin(). Returns 0 or -errno. */
static int fork_and_spin(const struct perf_event_attr *attr)
{
	pid_t pid = fork();

	(void)attr;
	if (pid < 0)
		return -errno;
	if (!pid) {
		spin(300000);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	return 0;
}

/* Permissions are checked when a session is opened, not when its task forks. */
TEST(children_of_the_unprivileged)
{
	struct perf_event_attr attr;
	size_t with = 0, without = 0;
	struct spe_recs recs;
	struct ring ring;
	int cpu;

	NEED_SESSION(unit);
	NEED(!getuid(), "root");
	NEED(unit.ours, "v9_spe driver");
	cpu = unit_cpu(&unit, 0);
	ASSERT_EQ(0, pin_to(cpu));
	spe_attr(&unit, &attr);
	attr.config = 1 << 2 | 1 << 1 | 1;
	attr.inherit = 1;
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, cpu, 256, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	EXPECT_EQ(0, as_nobody(fork_and_spin, &attr));
	FINISH(ring, recs);
	for (size_t i = 0; i < recs.n; i++) {
		uint64_t pc = SPE_ADDR(recs.rec[i].pc);

		if (pc < (uintptr_t)spin_start || pc >= (uintptr_t)spin_end)
			continue;
		if ((recs.rec[i].has & REC_CONTEXT) && recs.rec[i].context != (uint32_t)getpid())
			with++;
		else
			without++;
	}
	EXPECT_GE(with, 500000 / (attr.sample_period + 1));
	EXPECT_EQ(0, without);
	spe_free(&recs);
	ring_close(&ring);
}

/*
 * INTERVAL 0 is not defined. A period below the minimum interval is refused or raised to it. The
 * number of records shows that it was not 0.
 * shows: SPE-SI13
 */
TEST(tiny_period_never_programs_zero)
{
	static const unsigned int period[] = { 0, 1, 255 };
	struct perf_event_attr attr;

	NEED_SESSION(unit);
	NEED(unit.arch_inst, "ArchInst sampling");
	for (size_t i = 0; i < ARRAY_SIZE(period); i++) {
		struct ring ring;
		struct spe_recs recs;
		int err;

		spe_attr(&unit, &attr);
		attr.sample_period = period[i];
		err = ring_open(&ring, &attr, 0, -1, 64, 0);
		if (err) {
			EXPECT_TRUE(refused(err));
			continue;
		}
		ASSERT_EQ(0, ring_enable(&ring));
		spin(100000);
		FINISH(ring, recs);
		EXPECT_GE(recs.n, 1);
		EXPECT_LE(recs.n, 220000 / unit.min_interval)
			TH_LOG("period %u: %zu records", period[i], recs.n);
		spe_free(&recs);
		ring_close(&ring);
	}
}

/* Fill mode requires two pages or more. One page is refused, or records. */
TEST(aux_of_one_page)
{
	struct perf_event_attr attr;
	struct ring ring;
	struct spe_recs recs;
	int err;

	NEED_SESSION(unit);
	spe_attr(&unit, &attr);
	err = ring_open(&ring, &attr, 0, -1, 1, 0);
	if (err) {
		EXPECT_TRUE(err == -EINVAL || err == -ENOMEM) TH_LOG("error %d", err);
		return;
	}
	ASSERT_EQ(0, ring_enable(&ring));
	spin(20000);
	FINISH(ring, recs);
	EXPECT_GE(recs.n, 1);
}

TEST(aux_of_odd_size_refused)
{
	struct perf_event_attr attr;
	struct ring ring;

	NEED_SESSION(unit);
	spe_attr(&unit, &attr);
	EXPECT_EQ(-EINVAL, ring_open(&ring, &attr, 0, -1, 3, 0));
}

TEST_HARNESS_MAIN
