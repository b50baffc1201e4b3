// SPDX-License-Identifier: GPL-2.0-only
/*
 * Registers of each CPU that v9_core shows, and who may read them. Whoever knows how the machine was
 * booted says what firmware answers: V9_MDCR=none, or the mask of MDCR_EL3.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness.h"
#include "machine.h"
#include "ring.h"

#define CPUS	"/sys/devices/system/cpu"

/* Fields of ID_AA64DFR0_EL1 and bits of the others, Arm ARM */
#define PMSVER(dfr0)		((dfr0) >> 32 & 0xf)
#define TRACE_BUFFER(dfr0)	((dfr0) >> 44 & 0xf)
#define BUFFER_P		0x10
#define CPTR_TTA		0x100000

FIXTURE(regs)
{
	char dir[64];
};

FIXTURE_SETUP(regs)
{
	if (!module_loaded("v9_core"))
		SKIP(return, "v9_core");
	if (getuid())
		SKIP(return, "root");
	snprintf(self->dir, sizeof(self->dir), CPUS "/cpu%d/v9trace", sched_getcpu());
}

FIXTURE_TEARDOWN(regs)
{
}

/* 0 with the value, or -errno. A text of another form is -EINVAL. */
static int reg_of(const char *dir, const char *name, uint64_t *value)
{
	char text[64], again[64];
	int err = read_text(dir, name, text, sizeof(text));

	if (err)
		return err;
	*value = strtoull(text, NULL, 16);
	snprintf(again, sizeof(again), "0x%016" PRIx64, *value);
	return strcmp(text, again) ? -EINVAL : 0;
}

/* A register that the CPU does not have has no file. */
TEST_F(regs, files_of_what_is_there)
{
	uint64_t dfr0 = 0, value = 0;

	ASSERT_EQ(0, reg_of(self->dir, "id_aa64dfr0_el1", &dfr0));
	EXPECT_EQ(PMSVER(dfr0) ? 0 : -ENOENT, reg_of(self->dir, "pmbidr_el1", &value));
	EXPECT_EQ(TRACE_BUFFER(dfr0) ? 0 : -ENOENT, reg_of(self->dir, "trbidr_el1", &value));
}

/* What a PMU of ours shows of the same registers */
TEST_F(regs, agree_with_the_drivers)
{
	uint64_t dfr0 = 0, pmbidr = 0, trbidr = 0;
	struct unit unit;
	char text[32];

	ASSERT_EQ(0, reg_of(self->dir, "id_aa64dfr0_el1", &dfr0));
	if (!unit_find_prefix(&unit, "arm_spe_") && unit.ours) {
		ASSERT_EQ(0, read_text(unit.dir, "caps/version", text, sizeof(text)));
		EXPECT_EQ(strtoull(text, NULL, 0), PMSVER(dfr0));
		EXPECT_EQ(0, reg_of(self->dir, "pmbidr_el1", &pmbidr));
		EXPECT_EQ(0, pmbidr & BUFFER_P);
	}
	if (!unit_find(&unit, "cs_etm") && unit.ours) {
		EXPECT_NE(0, TRACE_BUFFER(dfr0));
		EXPECT_EQ(0, reg_of(self->dir, "trbidr_el1", &trbidr));
		EXPECT_EQ(0, trbidr & BUFFER_P);
	}
}

/* Without an answer there are no files. */
TEST_F(regs, answer_of_firmware)
{
	const char *want = getenv("V9_MDCR");
	uint64_t mdcr = 0, cptr = 0;

	NEED(want, "V9_MDCR");
	if (!strcmp(want, "none")) {
		EXPECT_EQ(-ENOENT, reg_of(self->dir, "mdcr_el3", &mdcr));
		EXPECT_EQ(-ENOENT, reg_of(self->dir, "cptr_el3", &cptr));
		return;
	}
	EXPECT_EQ(0, reg_of(self->dir, "mdcr_el3", &mdcr));
	EXPECT_EQ(strtoull(want, NULL, 0), mdcr);
	EXPECT_EQ(0, reg_of(self->dir, "cptr_el3", &cptr));
	EXPECT_EQ(CPTR_TTA, cptr);
}

static const char *tested_dir;

static int read_dfr0(const struct perf_event_attr *attr)
{
	uint64_t value;

	(void)attr;
	return reg_of(tested_dir, "id_aa64dfr0_el1", &value);
}

TEST_F(regs, files_are_not_for_everybody)
{
	tested_dir = self->dir;
	EXPECT_EQ(0, read_dfr0(NULL));
	EXPECT_EQ(-EACCES, as_nobody(read_dfr0, NULL));
	EXPECT_EQ(0, with_perfmon(read_dfr0, NULL));
}

TEST_F(regs, files_are_read_only)
{
	char path[96];

	snprintf(path, sizeof(path), "%s/id_aa64dfr0_el1", self->dir);
	EXPECT_NE(0, write_text(path, "0"));
}

TEST_HARNESS_MAIN
