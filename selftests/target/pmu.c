// SPDX-License-Identifier: GPL-2.0-only
/* What holds for the events of either PMU; spe_pmu.c and ete_pmu.c have its files and options. */
#define _GNU_SOURCE
#include "harness.h"

#include <sys/wait.h>

#include <v9trace/gen/regs.h>

#include "ete.h"
#include "machine.h"
#include "watch_unit.h"

#define READ_SYS(reg)	\
	asm volatile(".inst 0xd5200000 | %0" :: "i"((unsigned int)(reg)) : "x0", "memory")
#define READ_CASE(n, reg) case n: READ_SYS(reg); break;

/* Reads a register of the unit. Returns false behind the last one. */
#define READ_FUNCTION(name, registers)						\
	static bool name(int which)						\
	{									\
		switch (which) {						\
		registers(READ_CASE)						\
		default:							\
			return false;						\
		}								\
		return true;							\
	}

#define SPE_REGISTERS(x)							\
	x(0, V9_SYS_PMSCR_EL1) x(1, V9_SYS_PMSICR_EL1) x(2, V9_SYS_PMSIRR_EL1)	\
	x(3, V9_SYS_PMSFCR_EL1) x(4, V9_SYS_PMSEVFR_EL1) x(5, V9_SYS_PMSLATFR_EL1)	\
	x(6, V9_SYS_PMSIDR_EL1) x(7, V9_SYS_PMBLIMITR_EL1) x(8, V9_SYS_PMBPTR_EL1)	\
	x(9, V9_SYS_PMBSR_EL1) x(10, V9_SYS_PMBIDR_EL1)
#define ETE_REGISTERS(x)							\
	x(0, V9_SYS_TRCIDR0) x(1, V9_SYS_TRCPRGCTLR) x(2, V9_SYS_TRCCONFIGR)	\
	x(3, V9_SYS_TRCSTATR) x(4, V9_SYS_TRCVICTLR) x(5, V9_SYS_TRCDEVARCH)	\
	x(6, V9_SYS_TRBLIMITR_EL1) x(7, V9_SYS_TRBPTR_EL1) x(8, V9_SYS_TRBBASER_EL1)	\
	x(9, V9_SYS_TRBSR_EL1) x(10, V9_SYS_TRBTRG_EL1) x(11, V9_SYS_TRBIDR_EL1)	\
	x(12, V9_SYS_TRFCR_EL1)

READ_FUNCTION(read_spe, SPE_REGISTERS)
READ_FUNCTION(read_ete, ETE_REGISTERS)

static uint64_t with_time(const struct unit *unit)
{
	(void)unit;
	return 1;		/* ts_enable */
}

/*
 * @option: an option that needs no privilege. @registers: their number. @lax: the in-tree driver
 * accepts a frequency.
 */
struct pmu {
	const struct watch_unit *of;
	uint64_t (*option)(const struct unit *unit);
	bool (*read)(int which);
	int registers;
	bool lax;
};

static const struct pmu spe = { &watch_spe, with_time, read_spe, 11, false };
static const struct pmu ete = { &watch_ete, ete_thread_option, read_ete, 13, true };

FIXTURE(pmu)
{
	struct unit unit;
	struct perf_event_attr attr;
};

UNIT_VARIANTS(pmu, const struct pmu *pmu, &spe, &ete);

FIXTURE_SETUP(pmu)
{
	const struct watch_unit *of = variant->pmu->of;

	NEED_SESSION_OF(of, &self->unit);
	of->attr(&self->unit, &self->attr);
}

FIXTURE_TEARDOWN(pmu)
{
}

/* Nothing is left to record. */
TEST_F(pmu, exclude_all_refused)
{
	NEED(self->unit.ours, "%s driver", variant->pmu->of->driver);
	self->attr.exclude_user = 1;
	EXPECT_EQ(-EINVAL, ring_try(&self->attr));
}

TEST_F(pmu, frequency_refused)
{
	NEED(self->unit.ours || !variant->pmu->lax, "%s driver", variant->pmu->of->driver);
	self->attr.freq = 1;
	self->attr.sample_freq = 1000;
	EXPECT_EQ(-EINVAL, ring_try(&self->attr));
}

/* One session per task or CPU, because the unit cannot be shared. */
TEST_F(pmu, second_event_is_busy)
{
	int first = ring_event(&self->attr, 0, -1);

	ASSERT_GE(first, 0);
	EXPECT_EQ(-EBUSY, ring_try(&self->attr));
	close(first);
	EXPECT_EQ(0, ring_try(&self->attr));
}

TEST_F(pmu, each_cpu_has_its_own)
{
	int n = self->unit.ncpus < 8 ? self->unit.ncpus : 8, fd[8];

	NEED_PERFMON();
	for (int i = 0; i < n; i++) {
		fd[i] = ring_event(&self->attr, -1, unit_cpu(&self->unit, i));
		EXPECT_GE(fd[i], 0) TH_LOG("CPU%d: %d", unit_cpu(&self->unit, i), fd[i]);
	}
	for (int i = 0; i < n; i++)
		close(fd[i]);
}

/* Accesses to the units' registers at EL0 end in SIGILL. shows: SPE-EN8 ETE-R_VGVTS */
TEST_F(pmu, registers_undefined_at_el0)
{
	for (int i = 0; i <= variant->pmu->registers; i++) {
		int status;
		pid_t pid = fork();

		ASSERT_GE(pid, 0);
		if (!pid)
			_exit(variant->pmu->read(i));
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		/* Behind the last one nothing is read. */
		if (i == variant->pmu->registers) {
			EXPECT_EQ(0, status);
			break;
		}
		EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGILL)
			TH_LOG("register %d: status %#x", i, status);
	}
}

/* shows: SPE-CD19 */
TEST_F(pmu, unprivileged_user_only)
{
	NEED(!getuid(), "root");
	EXPECT_EQ(0, as_nobody(ring_try, &self->attr));
	self->attr.config = variant->pmu->option(&self->unit);
	EXPECT_EQ(0, as_nobody(ring_try, &self->attr));
}

/* shows: SPE-CD19 */
TEST_F(pmu, unprivileged_kernel_denied)
{
	NEED(!getuid(), "root");
	self->attr.exclude_kernel = 0;
	EXPECT_EQ(-EACCES, as_nobody(ring_try, &self->attr));
	self->attr.exclude_user = 1;
	EXPECT_EQ(-EACCES, as_nobody(ring_try, &self->attr));
}

TEST_HARNESS_MAIN
