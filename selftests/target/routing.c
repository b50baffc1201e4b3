// SPDX-License-Identifier: GPL-2.0-only
/*
 * The file "routing" of v9_spe and v9_ete, and a test that it is correct: buffer management events
 * are caused, and the interrupt must occur. These variables describe how the machine was booted:
 * 	V9_AT=1|2	Exception level of the kernel
 * 	V9_EXCEPTIONS=	missing|forbidden|off: Profiling exceptions of the machine
 */
#include "harness.h"

#include <sys/stat.h>

#include "machine.h"
#include "ring.h"
#include "work.h"

#define DEBUG	"/sys/kernel/debug/v9trace"

FIXTURE(routing)
{
	struct unit unit;
	char dir[96];
	bool ready;
	char text[5][160];
};

UNIT_VARIANTS(routing, const char *status, "PMBSR", "TRBSR");

#define IS_SPE(variant)	((variant)->status[0] == 'P')

static void attr_of(const struct unit *unit, bool spe, struct perf_event_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->type = unit->type;
	attr->size = sizeof(*attr);
	attr->sample_period = spe ? 256 : 0;
	attr->disabled = 1;
	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
}

FIXTURE_SETUP(routing)
{
	char all[1024], *line, *rest = all;
	struct perf_event_attr attr;
	const char *missing;
	int err;

	err = IS_SPE(variant) ? unit_find_prefix(&self->unit, "arm_spe_") :
				unit_find(&self->unit, "cs_etm");
	NEED(!err, "%s", IS_SPE(variant) ? "FEAT_SPE (no PMU arm_spe_*)" :
						"FEAT_ETE (no PMU cs_etm)");
	NEED(!access(IS_SPE(variant) ? "/sys/module/v9_spe" : "/sys/module/v9_ete", F_OK),
	     "v9_spe and v9_ete drivers");
	NEED(!getuid() && !access(DEBUG, X_OK), "root, debugfs");
	snprintf(self->dir, sizeof(self->dir), DEBUG "/%s", self->unit.name);
	attr_of(&self->unit, IS_SPE(variant), &attr);
	missing = ring_missing(&attr);
	NEED(!missing, "%s", missing);
	ASSERT_EQ(0, read_text(self->dir, "routing", all, sizeof(all)));
	for (size_t i = 0; i < ARRAY_SIZE(self->text); i++) {
		line = strsep(&rest, "\n");
		ASSERT_NE(NULL, line);
		snprintf(self->text[i], sizeof(self->text[i]), "%s", line);
	}
	EXPECT_TRUE(!rest || !*rest);
	self->ready = true;
}

FIXTURE_TEARDOWN(routing)
{
}

TEST_F(routing, as_booted)
{
	static const struct {
		const char *name, *at, *reason;
	} reasons[] = {
		{ "missing", "1", "reason: this machine has no Profiling exceptions" },
		{ "missing", "2", "reason: this machine has no Profiling exceptions" },
		{ "forbidden", "2", "reason: EL3 allows no Profiling exceptions" },
		{ "off", "1", "reason: EE of EL1 is 0, so no Profiling exceptions" },
		{ "off", "2", "reason: EE of EL2 is 0, so no Profiling exceptions" },
	};
	const char *at = getenv("V9_AT"), *exceptions = getenv("V9_EXCEPTIONS");
	const char *reason = NULL;
	char want[64];

	if (!self->ready)
		return;
	snprintf(want, sizeof(want), "event register: %s_EL1", variant->status);
	EXPECT_STREQ(want, self->text[2]);
	EXPECT_STREQ("delivery: PPI", self->text[3]);
	if (!at || !exceptions)
		SKIP(return, "V9_AT and V9_EXCEPTIONS (how the machine was booted)");
	snprintf(want, sizeof(want), "owner: EL%s, Security state of the kernel", at);
	EXPECT_STREQ(want, self->text[0]);
	snprintf(want, sizeof(want), "regime: EL%s&0", at);
	EXPECT_STREQ(want, self->text[1]);
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		if (!strcmp(reasons[i].name, exceptions) && !strcmp(reasons[i].at, at))
			reason = reasons[i].reason;
	ASSERT_NE(NULL, reason);
	EXPECT_STREQ(reason, self->text[4]);
}

/* Returns 1; 0 if too little data was recorded; -1 if the data is wrong. */
static int interrupted_once(const struct unit *unit, bool spe, int cpu)
{
	unsigned long before = read_number(unit->dir, "stats/interrupts");
	/* Buffers are as large as pages are. */
	uint64_t work = 20000 * (sysconf(_SC_PAGESIZE) / 4096);
	struct perf_event_attr attr;
	struct ring ring;
	bool good, wrong;

	attr_of(unit, spe, &attr);
	if (pin_to(cpu) || ring_open(&ring, &attr, 0, -1, 4, 0))
		return -1;
	good = !ring_enable(&ring);
	for (int i = 0; i < 60; i++) {
		spin(work);
		good = good && !ring_drain(&ring) && !ring_enable(&ring);
	}
	good = good && !ring_disable(&ring) && !ring_drain(&ring) && !ring.wrong &&
	       ring.nbytes > ring.aux_size;
	if (!good)
		ksft_print_msg("%llu bytes of a ring of %llu: %s\n", (unsigned long long)ring.nbytes,
			       (unsigned long long)ring.aux_size, ring.wrong ?: "not enough");
	wrong = ring.wrong;
	ring_close(&ring);
	if (wrong)
		return -1;
	return good && read_number(unit->dir, "stats/interrupts") > before;
}

/*
 * If the task is switched out while the buffer is full, its event continues only after the next
 * switch, and too little data is recorded.
 */
static bool interrupted_on(const struct unit *unit, bool spe, int cpu)
{
	int once = 0;

	for (int i = 0; i < 5 && !once; i++)
		once = interrupted_once(unit, spe, cpu);
	return once > 0;
}

/* shows: SPE-ME15 TRBE-IR1 TRBE-IR3 */
TEST_F(routing, interrupt_is_delivered)
{
	if (!self->ready)
		return;
	for (int i = 0; i < self->unit.ncpus; i++) {
		int cpu = unit_cpu(&self->unit, i);

		EXPECT_TRUE(interrupted_on(&self->unit, IS_SPE(variant), cpu))
			TH_LOG("CPU %d", cpu);
	}
}

/* The content of the file has not changed. */
TEST_F(routing, routing_after_hotplug)
{
	char before[1024], after[1024];
	int cpu;

	if (!self->ready)
		return;
	if (getuid() || self->unit.ncpus < 2)
		SKIP(return, "root, and a CPU to spare");
	cpu = unit_cpu(&self->unit, self->unit.ncpus - 1);
	ASSERT_EQ(0, read_text(self->dir, "routing", before, sizeof(before)));
	ASSERT_EQ(0, set_online(cpu, false));
	ASSERT_EQ(0, set_online(cpu, true));
	ASSERT_EQ(0, read_text(self->dir, "routing", after, sizeof(after)));
	EXPECT_STREQ(before, after);
	EXPECT_TRUE(interrupted_on(&self->unit, IS_SPE(variant), cpu));
}

TEST_F(routing, read_only)
{
	struct stat file;
	char path[160];

	if (!self->ready)
		return;
	snprintf(path, sizeof(path), "%s/routing", self->dir);
	EXPECT_NE(0, write_text(path, "owner: me"));
	ASSERT_EQ(0, stat(path, &file));
	EXPECT_EQ(0400, file.st_mode & 0777);
}

TEST_HARNESS_MAIN
