// SPDX-License-Identifier: GPL-2.0-only
/*
 * A virtual machine under KVM on a CPU whose branches are recorded. The guest finds no branch
 * records. The host's stacks contain nothing of the guest, and are continuous across its runs.
 */
#include "harness.h"

#include <v9trace/gen/regs.h>
#include <v9trace/uapi.h>

#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "brbe.h"
#include "machine.h"
#include "vm.h"
#include "work.h"

/* The guest can neither read nor write a register, nor invalidate or inject records. */
TEST(guest_finds_no_unit)
{
	uint64_t value, id = ~0ULL, undefined = 0;
	enum vm_word word;

	NEED_VM(vm);
	do {
		ASSERT_EQ(0, vm_go(&vm, &word, &value));
		if (word == VM_ID)
			id = value;
		else if (word == VM_BRANCHES)
			undefined = value;
	} while (word != VM_ROUND);
	EXPECT_EQ(0, V9_GET(V9_ID_AA64DFR0_EL1_BRBE, id));
	for (size_t i = 0; i < vm_nbranches; i++) {
		EXPECT_TRUE(undefined >> i & 1)
			TH_LOG("the guest can %s", vm_branches[i]);
	}
	vm_close(&vm);
}

FIXTURE(beside)
{
	struct unit unit;
	struct vm vm;
	bool open;
	int cpu;
};

/*
 * @sleeps: the CPU loses its registers in deep sleep (v9_sleep.ko), before the session and during
 * it
 */
FIXTURE_VARIANT(beside)
{
	bool cpu, kernel, exclude_guest, sleeps;
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

FIXTURE_VARIANT_ADD(beside, cpu)
{
	.cpu = true,
};

FIXTURE_VARIANT_ADD(beside, cpu_and_kernel)
{
	.cpu = true,
	.kernel = true,
};

FIXTURE_VARIANT_ADD(beside, task_after_deep_sleep)
{
	.sleeps = true,
};

FIXTURE_VARIANT_ADD(beside, task_and_kernel_after_deep_sleep)
{
	.kernel = true,
	.sleeps = true,
};

FIXTURE_SETUP(beside)
{
	NEED_BRBE_SESSION(unit);
	self->cpu = unit_cpu(&unit, unit.ncpus - 1);
	NEED(!variant->sleeps || (unit.ours && sleeps_deeply(self->cpu)),
	     "v9_brbe, v9_sleep.ko for this kernel, root, V9_MODULES (where the modules are)");
	NEED((!variant->cpu && !variant->kernel) || perfmon_allowed(), "CAP_PERFMON");
	NEED_VM(vm);

	self->unit = unit;
	self->vm = vm;
	self->open = true;
	ASSERT_EQ(0, pin_to(self->cpu));
}

FIXTURE_TEARDOWN(beside)
{
	if (self->open)
		vm_close(&self->vm);
}

#define ROUNDS	600

/* Host and guest alternate; the host executes some ten branches of user space in a turn. */
static int take_turns(struct vm *vm, int cpu, bool sleeps)
{
	int err = 0;

	for (unsigned int i = 0; i < ROUNDS && !err; i++) {
		wander(1, i + 1);
		err = vm_rounds(vm, 1);
		if (sleeps && i % (ROUNDS / 4) == 0 && !sleeps_deeply(cpu))
			err = -EIO;
	}
	return err;
}

/* What the samples of the calling process contained */
struct found {
	size_t samples, own, kernel;
	size_t guest;		/* addresses of the guest in stacks */
	size_t broken;		/* neighbours in a stack between which a branch is missing */
	size_t across;		/* stacks with branches of before and after a run of the guest */
};

/* Could execution go on from the target of @older to @younger without another branch? */
static bool continues(const struct perf_branch_entry *older,
		      const struct perf_branch_entry *younger)
{
	return younger->from >= older->to && younger->from - older->to < 4096;
}

static void look_at(const struct brbe_sample *s, struct found *f)
{
	unsigned int turns = 0;

	f->samples++;
	for (uint64_t i = 0; i < s->nr; i++) {
		const struct perf_branch_entry *e = &s->entry[i];

		f->own += brbe_in_wander(e);
		f->kernel += e->from >> 63;
		f->guest += vm_has(e->from) + vm_has(e->to);
		if (!i)
			continue;
		f->broken += !continues(e, e - 1);
		turns += brbe_in_wander(e) && !brbe_in_wander(e - 1);
	}
	/* Each call of wander() but the youngest was followed by a run of the guest. */
	f->across += turns > 1 || (turns && brbe_in_wander(&s->entry[0]));
}

/*
 * No branch of the guest is in a stack. In a session of user space alone none of the host's is
 * missing from it: neither the guest nor KVM's own code changes the records.
 * shows: BRBE-BG3 BRBE-BG4 BRBE-BR6 BRBE-BM3
 */
TEST_F(beside, guest_is_not_recorded)
{
	struct perf_event_attr attr;
	struct brbe_ring ring;
	struct found f = { 0 };

	if (!self->open)
		return;
	/* A counter of records: a stack is full at each sample. */
	brbe_attr(&self->unit, &attr, BRBE_RECORDS, 101);
	attr.exclude_guest = variant->exclude_guest;
	if (variant->kernel) {
		attr.exclude_kernel = attr.exclude_hv = 0;
		attr.branch_sample_type |= PERF_SAMPLE_BRANCH_KERNEL;
		attr.sample_period = 1009;
	}
	ASSERT_EQ(0, brbe_open(&ring, &attr, variant->cpu ? -1 : 0,
			       variant->cpu ? self->cpu : -1));
	brbe_slow_begin();
	ioctl(ring.fd, PERF_EVENT_IOC_ENABLE, 0);
	EXPECT_EQ(0, take_turns(&self->vm, self->cpu, variant->sleeps));
	ioctl(ring.fd, PERF_EVENT_IOC_DISABLE, 0);
	brbe_slow_end();
	while (brbe_next(&ring))
		if (ring.sample.pid == (uint32_t)getpid())
			look_at(&ring.sample, &f);
	TH_LOG("%zu samples, %zu across a guest; branches: %zu of wander(), %zu of the kernel",
	       f.samples, f.across, f.own, f.kernel);
	EXPECT_EQ(0, ring.lost);
	EXPECT_GT(f.samples, 20);
	EXPECT_GT(f.own, 0);
	EXPECT_EQ(0, f.guest);
	if (variant->kernel) {
		EXPECT_GT(f.kernel, 0);
	} else {
		EXPECT_EQ(0, f.kernel);
		EXPECT_EQ(0, f.broken);
		if (read_number(self->unit.dir, "caps/branches") >= 32)
			EXPECT_GT(f.across, 0);
	}
	brbe_close(&ring);
}

/*
 * While KVM has a guest loaded, CNTVOFF_EL2 contains the guest's offset, here the host's count when
 * the guest was created. The time of a freeze is still that of the host's clock: no stack is taken
 * for an old one. shows: BRBE-BZ3
 */
TEST_F(beside, time_is_that_of_the_host)
{
	size_t frozen = 0, outside = 0, stale = 0;
	struct perf_event_attr attr;
	struct brbe_ring ring;
	uint64_t from, to;

	if (!self->open || !variant->kernel)
		SKIP(return, "for the kernel's branches");
	if (!self->unit.ours)
		SKIP(return, "v9_brbe");
	brbe_attr(&self->unit, &attr, BRBE_RECORDS, 1009);
	attr.exclude_kernel = attr.exclude_hv = 0;
	attr.branch_sample_type |= PERF_SAMPLE_BRANCH_KERNEL;
	attr.sample_type |= PERF_SAMPLE_RAW;
	ASSERT_EQ(0, brbe_open(&ring, &attr, variant->cpu ? -1 : 0,
			       variant->cpu ? self->cpu : -1));
	brbe_slow_begin();
	from = now_ticks();
	ioctl(ring.fd, PERF_EVENT_IOC_ENABLE, 0);
	EXPECT_EQ(0, take_turns(&self->vm, self->cpu, variant->sleeps));
	ioctl(ring.fd, PERF_EVENT_IOC_DISABLE, 0);
	to = now_ticks();
	brbe_slow_end();
	while (brbe_next(&ring)) {
		struct v9_branch_raw raw = { 0 };

		ASSERT_GE(ring.sample.raw_size, offsetof(struct v9_branch_raw, rec));
		memcpy(&raw, ring.sample.raw, offsetof(struct v9_branch_raw, rec));
		stale += raw.validity == V9_BRANCHES_STALE;
		if (raw.validity != V9_BRANCHES_FROZEN)
			continue;
		frozen++;
		outside += raw.brbts < from || raw.brbts > to;
	}
	EXPECT_GT(frozen, 20);
	EXPECT_EQ(0, outside);
	EXPECT_EQ(0, stale);
	brbe_close(&ring);
}

#include "clean_log.h"

TEST_HARNESS_MAIN
