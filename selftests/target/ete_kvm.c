// SPDX-License-Identifier: GPL-2.0-only
/*
 * A virtual machine under KVM on a CPU that is traced. The guest finds neither SPE nor a trace
 * unit, the host's session records each of its instructions, and contains nothing of the guest.
 */
#include "harness.h"

#include <v9trace/gen/regs.h>

#include "ete.h"
#include "machine.h"
#include "vm.h"
#include "work.h"

/* ID registers that a driver reads first, and registers that must trap. shows: TRBE-OW9 */
TEST(guest_finds_no_unit)
{
	uint64_t id, trapped, pmbidr, trbidr;
	enum vm_word word;

	NEED_VM(vm);
	ASSERT_EQ(0, vm_go(&vm, &word, &id));
	ASSERT_EQ(VM_ID, word);
	ASSERT_EQ(0, vm_go(&vm, &word, &trapped));
	ASSERT_EQ(VM_TRAPPED, word);
	ASSERT_EQ(0, vm_go(&vm, &word, &pmbidr));
	ASSERT_EQ(VM_PMBIDR, word);
	ASSERT_EQ(0, vm_go(&vm, &word, &trbidr));
	ASSERT_EQ(VM_TRBIDR, word);
	EXPECT_EQ(0, V9_GET(V9_ID_AA64DFR0_EL1_PMSVer, id));
	EXPECT_EQ(0, V9_GET(V9_ID_AA64DFR0_EL1_TraceBuffer, id));
	EXPECT_EQ(0, V9_GET(V9_ID_AA64DFR0_EL1_TraceVer, id));
	for (size_t i = 0; i < vm_nregisters; i++) {
		EXPECT_TRUE(trapped >> i & 1)
			TH_LOG("the guest can read %s", vm_registers[i]);
	}
	/* Also true for ~0 */
	EXPECT_TRUE(pmbidr & V9_PMBIDR_EL1_P);
	EXPECT_TRUE(trbidr & V9_TRBIDR_EL1_P);
	ASSERT_EQ(0, vm_rounds(&vm, 3));
	vm_close(&vm);
}

/* Count the packets with an address of the guest. */
static int in_guest(const struct unit *unit, const struct ring *ring, unsigned int *n)
{
	struct v9_ete_pktdec dec;
	struct v9_ete_config cfg;
	struct v9_ete_pkt pkt;

	v9_ete_config_init(&cfg, ete_register(unit, "trcidr/trcidr0"),
			   ete_register(unit, "trcidr/trcidr8"), false);
	*n = 0;
	for (unsigned int i = 0; i < ring->naux; i++) {
		uint64_t at = ring->piece[i].offset, end = at + ring->piece[i].size;

		v9_ete_pktdec_init(&dec, &cfg);
		while (at < end) {
			int size = v9_ete_pkt_decode(&dec, ring->bytes + at, end - at, &pkt);

			if (size < 0)
				return size;
			at += size;
			*n += (pkt.has & V9_ETE_HAS_ADDR) && vm_has(pkt.addr);
		}
	}
	return 0;
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
	bool exclude_guest, slept;
};

FIXTURE_VARIANT_ADD(beside, without_request)
{
};

FIXTURE_VARIANT_ADD(beside, exclude_guest)
{
	.exclude_guest = true,
};

FIXTURE_VARIANT_ADD(beside, after_deep_sleep)
{
	.slept = true,
};

FIXTURE_SETUP(beside)
{
	NEED_SESSION(unit);
	NEED(!variant->slept || sleeps_deeply(unit_cpu(&unit, unit.ncpus - 1)),
	     "v9_sleep.ko for this kernel, root, V9_MODULES (where the modules are)");
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

#define ROUNDS	40
#define IN_GUEST 4	/* of its rounds, in each */
#define SPIN	10000

static int take_turns(struct vm *vm)
{
	int err = 0;

	for (int i = 0; i < ROUNDS && !err; i++) {
		spin(SPIN);
		err = vm_rounds(vm, IN_GUEST);
	}
	return err;
}

/* User space: each instruction of the host's own work, once. */
TEST_F(beside, host_is_traced_to_the_instruction)
{
	struct perf_event_attr attr;
	struct ete_run run;
	unsigned int guest;
	struct ring ring;

	if (!self->open)
		return;
	ete_attr(&self->unit, &attr);
	attr.exclude_guest = variant->exclude_guest;
	ASSERT_EQ(0, vm_rounds(&self->vm, 1));
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 256, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	ASSERT_EQ(0, take_turns(&self->vm));
	ASSERT_EQ(0, ring_disable(&ring));
	ASSERT_EQ(0, ring_drain(&ring));
	EXPECT_EQ(NULL, ring.wrong);
	EXPECT_FALSE(ring.flags & RING_LOSS);
	memset(&run, 0, sizeof(run));
	ASSERT_EQ(0, ete_walk(&self->unit, &attr, &ring, &run))
		TH_LOG("%s at AUX position %" PRIu64 " of %zu", run.why, run.bad_at, ring.nbytes);
	EXPECT_EQ(2 * SPIN * ROUNDS, run.in_spin);
	EXPECT_EQ(0, run.above);
	ASSERT_EQ(0, in_guest(&self->unit, &ring, &guest));
	EXPECT_EQ(0, guest);
	ring_close(&ring);
}

/* With the host's kernel, and KVM in it, which enters and leaves the guest. shows: TRBE-OW7 */
TEST_F(beside, guest_is_not_recorded)
{
	int cpu = unit_cpu(&self->unit, self->unit.ncpus - 1);
	struct perf_event_attr attr;
	unsigned int guest;
	struct ring ring;

	if (!self->open)
		return;
	if (!perfmon_allowed())
		SKIP(return, "CAP_PERFMON");
	ete_attr(&self->unit, &attr);
	attr.exclude_kernel = 0;
	attr.exclude_guest = variant->exclude_guest;
	attr.config = ETE_BROADCAST;
	ASSERT_EQ(0, vm_rounds(&self->vm, 1));
	for (int whole_cpu = 0; whole_cpu < 2; whole_cpu++) {
		ASSERT_EQ(0, ring_open(&ring, &attr, whole_cpu ? -1 : 0, whole_cpu ? cpu : -1,
				       ete_speculates(&self->unit) ? 8192 : 4096, 0));
		ASSERT_EQ(0, ring_enable(&ring));
		ASSERT_EQ(0, take_turns(&self->vm));
		ASSERT_EQ(0, ring_disable(&ring));
		ASSERT_EQ(0, ring_drain(&ring));
		EXPECT_EQ(NULL, ring.wrong);
		TH_LOG("%zu bytes", ring.nbytes);
		EXPECT_GT(ring.nbytes, 2 * SPIN * ROUNDS / 8);
		ASSERT_EQ(0, in_guest(&self->unit, &ring, &guest));
		EXPECT_EQ(0, guest);
		ring_close(&ring);
	}
}

/* Count the time stamps in the trace, and those that are outside of [@from, @to]. */
static int stamps(const struct unit *unit, const struct ring *ring, uint64_t from, uint64_t to,
		  unsigned int *n, unsigned int *outside)
{
	struct v9_ete_pktdec dec;
	struct v9_ete_config cfg;
	struct v9_ete_pkt pkt;

	v9_ete_config_init(&cfg, ete_register(unit, "trcidr/trcidr0"),
			   ete_register(unit, "trcidr/trcidr8"), false);
	*n = *outside = 0;
	for (unsigned int i = 0; i < ring->naux; i++) {
		uint64_t at = ring->piece[i].offset, end = at + ring->piece[i].size;
		bool whole = false;	/* before a Trace Info only the lower bits may be known */

		v9_ete_pktdec_init(&dec, &cfg);
		while (at < end) {
			int size = v9_ete_pkt_decode(&dec, ring->bytes + at, end - at, &pkt);

			if (size < 0)
				return size;
			at += size;
			whole |= pkt.kind == V9_ETE_INFO;
			if (pkt.kind != V9_ETE_TIMESTAMP || !pkt.timestamp || !whole)
				continue;
			++*n;
			*outside += pkt.timestamp < from || pkt.timestamp > to;
		}
	}
	return 0;
}

static const struct unit *nobodys_unit;

/* A session of the calling task. Returns 0 if its time stamps are those of the host. */
static int nobodys_session(const struct perf_event_attr *attr)
{
	unsigned int n = 0, outside = 0;
	struct ring ring;
	uint64_t from;
	int err;

	err = ring_open(&ring, attr, 0, -1, ete_pages(nobodys_unit, 32), 0);
	if (err)
		return err;
	from = now_ticks();
	err = ring_enable(&ring);
	spin(ROUNDS * SPIN);
	err = err ? err : ring_disable(&ring);
	err = err ? err : ring_drain(&ring);
	err = err ? err : stamps(nobodys_unit, &ring, from, now_ticks(), &n, &outside);
	ring_close(&ring);
	return err ? err : !n ? -ENODATA : outside ? -ERANGE : 0;
}

/*
 * While KVM has a guest loaded, CNTVOFF_EL2 contains the guest's offset, here the host's count
 * when the guest was created. Time stamps are still those of the host's clock, also in KVM's own
 * code, and for an unprivileged user.
 * shows: ETE-I_BLBJX
 */
TEST_F(beside, time_is_that_of_the_host)
{
	struct perf_event_attr attr;
	unsigned int n, outside;
	struct ring ring;
	uint64_t from;

	if (!self->open)
		return;
	ASSERT_EQ(0, vm_rounds(&self->vm, 1));
	ete_attr(&self->unit, &attr);
	attr.config = ETE_TIMESTAMP(1);
	nobodys_unit = &self->unit;
	if (!getuid()) {
		EXPECT_EQ(0, as_nobody(nobodys_session, &attr));
	}
	if (!perfmon_allowed())
		SKIP(return, "CAP_PERFMON");
	if (!ete_kernel_at_el2(&self->unit))
		SKIP(return, "a kernel at EL2 (at EL1 virtual time is a guest's while KVM runs it)");
	attr.exclude_kernel = 0;
	attr.exclude_guest = variant->exclude_guest;
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 4096, 0));
	from = now_ticks();
	ASSERT_EQ(0, ring_enable(&ring));
	ASSERT_EQ(0, take_turns(&self->vm));
	ASSERT_EQ(0, ring_disable(&ring));
	ASSERT_EQ(0, ring_drain(&ring));
	ASSERT_EQ(0, stamps(&self->unit, &ring, from, now_ticks(), &n, &outside));
	/* KVM enters and leaves the guest for each round. */
	EXPECT_GT(n, IN_GUEST * ROUNDS);
	EXPECT_EQ(0, outside);
	ring_close(&ring);
}

/* An event of guests alone would record nothing and is refused. */
TEST(guests_alone_refused)
{
	struct perf_event_attr attr;

	NEED_UNIT(unit);
	NEED(unit.ours, "v9_ete driver");
	ete_attr(&unit, &attr);
	attr.exclude_host = 1;
	EXPECT_EQ(-EOPNOTSUPP, ring_event(&attr, 0, -1));
}

TEST_HARNESS_MAIN
