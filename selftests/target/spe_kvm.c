// SPDX-License-Identifier: GPL-2.0-only
/*
 * A virtual machine under KVM on a CPU that is profiled: the host's session continues and
 * contains nothing of the guest. ete_kvm tests that the guest finds no unit.
 */
#include "harness.h"
#include "machine.h"
#include "spe.h"
#include "vm.h"
#include "work.h"

/* Count samples of the guest. The target of the host's exception return may be recorded. */
static size_t in_guest(const struct spe_recs *recs)
{
	size_t n = 0;

	for (size_t i = 0; i < recs->n; i++)
		n += (recs->rec[i].has & REC_PC) && vm_has(SPE_ADDR(recs->rec[i].pc));
	return n;
}

FIXTURE(beside)
{
	struct unit unit;
	struct vm vm;
	bool open;
};

/* @slept: the CPU has lost its registers in deep sleep (v9_sleep.ko) */
FIXTURE_VARIANT(beside)
{
	bool cpu, kernel, exclude_guest, slept;
};

FIXTURE_VARIANT_ADD(beside, task)
{
};

FIXTURE_VARIANT_ADD(beside, task_without_guests)
{
	.exclude_guest = true,
};

FIXTURE_VARIANT_ADD(beside, task_and_kernel)
{
	.kernel = true,
};

FIXTURE_VARIANT_ADD(beside, cpu_and_kernel)
{
	.cpu = true,
	.kernel = true,
};

FIXTURE_VARIANT_ADD(beside, task_after_deep_sleep)
{
	.slept = true,
};

FIXTURE_SETUP(beside)
{
	NEED_SESSION(unit);
	NEED(!variant->slept || sleeps_deeply(unit_cpu(&unit, unit.ncpus - 1)),
	     "v9_sleep.ko for this kernel, root, V9_MODULES (where the modules are)");
	NEED((!variant->cpu && !variant->kernel) || perfmon_allowed(), "CAP_PERFMON");
	NEED_VM(vm);

	self->unit = unit;
	self->vm = vm;
	self->open = true;
	ASSERT_EQ(0, pin_to(unit_cpu(&unit, unit.ncpus - 1)));
}

FIXTURE_TEARDOWN(beside)
{
	if (self->open)
		vm_close(&self->vm);
}

/* Host and guest alternate, 40 times. A round of the guest is eight samples long. shows: SPE-EN3 SPE-EN4 */
TEST_F(beside, guest_is_not_recorded)
{
	struct perf_event_attr attr;
	struct spe_recs recs;
	struct ring ring;
	size_t spun;

	if (!self->open)
		return;
	spe_attr(&self->unit, &attr);
	attr.exclude_kernel = !variant->kernel;
	attr.exclude_guest = variant->exclude_guest;
	ASSERT_EQ(0, vm_rounds(&self->vm, 1));
	ASSERT_EQ(0, ring_open(&ring, &attr, variant->cpu ? -1 : 0,
			       variant->cpu ? unit_cpu(&self->unit, self->unit.ncpus - 1) : -1,
			       256, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	for (int i = 0; i < 40; i++) {
		spin(20000);
		ASSERT_EQ(0, vm_rounds(&self->vm, 4));
		ASSERT_EQ(0, ring_drain(&ring));	/* a busy machine records a lot */
	}
	FINISH(ring, recs);
	EXPECT_EQ(0, in_guest(&recs));
	EXPECT_FALSE(ring.flags & RING_LOSS);

	/* 1.6 million instructions of the host, one of 1025 sampled */
	spun = spe_in_spin(&recs);
	EXPECT_GT(spun, 1400);
	EXPECT_LT(spun, 1700);
	spe_free(&recs);
	ring_close(&ring);
}

/* The buffer becomes full and raises interrupts, also while the guest runs. */
TEST_F(beside, buffer_turns_over)
{
	struct perf_event_attr attr;
	struct spe_recs recs;
	struct ring ring;

	if (!self->open)
		return;
	spe_attr(&self->unit, &attr);
	attr.sample_period = self->unit.min_interval;
	attr.exclude_kernel = !variant->kernel;
	ASSERT_EQ(0, ring_open(&ring, &attr, variant->cpu ? -1 : 0,
			       variant->cpu ? unit_cpu(&self->unit, self->unit.ncpus - 1) : -1,
			       4, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	for (int i = 0; i < 60; i++) {
		spin(20000);
		ASSERT_EQ(0, vm_rounds(&self->vm, 3));
		ASSERT_EQ(0, ring_drain(&ring));
		ASSERT_EQ(0, ring_enable(&ring));	/* if the kernel has disabled it */
	}
	FINISH(ring, recs);
	EXPECT_EQ(0, in_guest(&recs));
	EXPECT_GT(ring.nbytes, 2 * ring.aux_size);
	spe_free(&recs);
	ring_close(&ring);
}

/* An event of guests alone would record nothing and is refused. */
TEST(guests_alone_refused)
{
	struct perf_event_attr attr;

	NEED_UNIT(unit);
	NEED(unit.ours, "v9_spe driver");
	spe_attr(&unit, &attr);
	attr.exclude_host = 1;
	EXPECT_EQ(-EOPNOTSUPP, ring_event(&attr, 0, -1));
}

TEST_HARNESS_MAIN
