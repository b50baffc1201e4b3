// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which operations are sampled: exact arithmetic of the interval counters.
 */
#include "tap.h"
#include "model_fake.h"

#define IRR(interval, rnd) (V9_PUT(V9_PMSIRR_EL1_INTERVAL, interval) | (rnd))

/* Number, from 1, of the operation at @pc; the program is one straight line from 0x1000. */
static uint64_t number(uint64_t pc)
{
	return (pc - 0x1000) / 4 + 1;
}

/* shows: SPE-SI8 SPE-SI9 SPE-SI5 SPE-SI3 */
static void interval_exact(void)
{
	struct fk *f = fk_started(IRR(2, 0), 16, 0);
	unsigned int i;
	bool ok = true;

	fk_nops(f, 100000);
	/* the counter starts at 512; each later reload takes one more operation */
	tap_eq(number(f->log[0].pc), 512, "first_sample_after_interval");
	for (i = 1; i < f->nlog; i++)
		ok &= number(f->log[i].pc) - number(f->log[i - 1].pc) == 2 * 256 + 1;
	tap_ok(ok && f->nlog == (100000 - 512) / 513 + 1, "interval_exact");
	tap_eq(fk_score(f)->pop, 100000, "population_exact");
	fk_free(f);

	f = fk_started(IRR(2, 0), 16, 0);
	MSR(f, PMSICR_EL1, 5);
	fk_nops(f, 10);
	tap_eq(number(f->log[0].pc), 5, "preset_counter");
	tap_eq(MRS(f, PMSICR_EL1), 512 - 4, "counter_reads_exactly");
	fk_free(f);
}

/* shows: SPE-SI10 SPE-SI7 */
static void one_counter_random(void)
{
	struct fk *f = fk_new();
	uint64_t lo = UINT64_MAX, hi = 0, sum = 0;
	unsigned int i, n;

	f->cfg.ernd = false;
	fk_init(f);
	fk_start(f, IRR(1, 1), 16, 0);
	for (i = 0; i < 4000000; i++) {
		fk_op(f, OP_NOP, 0);
		if (f->line) {
			f->pc -= 4;	/* the unit had stopped: not counted */
			MSR(f, PMBPTR_EL1, FK_BASE);
			MSR(f, PMBSR_EL1, 0);
		}
	}
	n = f->nlog;
	for (i = 1; i < n; i++) {
		uint64_t d = number(f->log[i].pc) - number(f->log[i - 1].pc);

		lo = d < lo ? d : lo;
		hi = d > hi ? d : hi;
		sum += d;
	}
	tap_ok(n > 10000, "random_enough_intervals");
	tap_eq(lo, 256 + 1, "random_low_byte_minimum");
	tap_eq(hi, 256 + 256, "random_low_byte_maximum");
	tap_ok(sum / (n - 1) >= 384 * 98 / 100 && sum / (n - 1) <= 386 * 102 / 100,
	       "random_low_byte_mean");
	fk_free(f);
}

/* shows: SPE-SI11 */
static void two_counters_random(void)
{
	struct fk *f = fk_new();
	uint64_t lo = UINT64_MAX, hi = 0, min_delta = UINT64_MAX;
	unsigned int i;

	f->cfg.lat_total = 0;	/* no collisions: every sample is seen */
	fk_init(f);
	fk_start(f, IRR(1, 1), 16, 0);
	for (i = 0; i < 1000000; i++) {
		fk_op(f, OP_NOP, 0);
		if (f->line) {
			f->pc -= 4;	/* the unit had stopped: not counted */
			MSR(f, PMBPTR_EL1, FK_BASE);
			MSR(f, PMBSR_EL1, 0);
		}
	}
	for (i = 0; i < f->nlog; i++) {
		/* sample k: the primary counter's k-th reload plus the random part */
		uint64_t off = number(f->log[i].pc) - (i + 1) * 257;

		lo = off < lo ? off : lo;
		hi = off > hi ? off : hi;
		if (i && number(f->log[i].pc) - number(f->log[i - 1].pc) < min_delta)
			min_delta = number(f->log[i].pc) - number(f->log[i - 1].pc);
	}
	tap_ok(f->nlog > 3800, "jitter_enough_samples");
	tap_eq(lo, 0, "jitter_window_starts");
	tap_eq(hi, 255, "jitter_does_not_accumulate");
	tap_ok(min_delta < 40, "jitter_small_delta_possible");
	fk_free(f);
}

/* shows: SPE-SI12 SPE-SI14 SPE-EN7 */
static void held_while_disabled(void)
{
	struct fk *f = fk_new();
	uint64_t before;

	fk_init(f);
	fk_start(f, IRR(4, 0), 16, 0);
	MSR(f, PMSCR_EL1, V9_PMSCR_EL1_E0SPE);		/* not the kernel */
	fk_eret(f, 0x8000, 0);
	fk_nops(f, 300);
	fk_interrupt(f, 1);
	before = MRS(f, PMSICR_EL1);
	tap_eq(before, 1024 - 300, "counter_at_kernel_entry");
	fk_nops(f, 5000);
	tap_eq(MRS(f, PMSICR_EL1), before, "counter_holds_in_kernel");
	tap_eq(f->nlog, 0, "no_record_in_kernel");
	fk_eret(f, 0x8000 + 300 * 4, 0);
	fk_nops(f, 1024 - 300 + 1);
	tap_eq(f->nlog, 1, "counter_continues");
	tap_eq(f->log[0].pc, 0x8000 + 1023 * 4, "counter_continues_exactly");
	tap_eq(fk_score(f)->pop, 1025, "population_only_where_enabled");
	fk_free(f);
}

/* shows: SPE-SI14 SPE-CS8 */
static void saved_and_restored(void)
{
	struct fk *f = fk_started(IRR(1, 1), 16, 0);
	uint64_t icr = 0;
	unsigned int i;

	/* stop in the 256 operations after a reload, where the second counter runs */
	for (i = 0; i < 4096 && !V9_GET(V9_PMSICR_EL1_ECOUNT, icr); i++) {
		fk_op(f, OP_NOP, 0);
		icr = MRS(f, PMSICR_EL1);
	}
	tap_ok(V9_GET(V9_PMSICR_EL1_ECOUNT, icr), "second_counter_seen");
	MSR(f, PMSCR_EL1, 0);
	MSR(f, PMSICR_EL1, 7);
	fk_nops(f, 100);
	MSR(f, PMSICR_EL1, icr);
	MSR(f, PMSCR_EL1, V9_PMSCR_EL1_E1SPE);
	fk_nops(f, 1);
	tap_eq(MRS(f, PMSICR_EL1), icr - 1 - (UINT64_C(1) << 56), "opaque_counter_restored");
	fk_free(f);
}

/* shows: SPE-SI8 */
static void zero_reloads_on_enable(void)
{
	struct fk *f = fk_started(IRR(1, 0), 16, 0);

	fk_nops(f, 256);	/* the last of them is sampled: counter zero */
	tap_eq(MRS(f, PMSICR_EL1), 0, "counter_reaches_zero");
	MSR(f, PMSCR_EL1, 0);
	MSR(f, PMSCR_EL1, V9_PMSCR_EL1_E1SPE);
	fk_nops(f, 256);
	fk_nops(f, 1);
	tap_eq(f->nlog, 2, "zero_loads_on_enable");
	fk_free(f);
}

/* shows: SPE-SI15 SPE-PM4 SPE-PM2 */
static void collision(void)
{
	struct fk *f = fk_new();
	const struct v9_score *s;

	f->cfg.lat_total = 4000;
	fk_init(f);
	fk_start(f, IRR(1, 0), 16, 0);
	fk_nops(f, 256 + 257);
	tap_ok(MRS(f, PMBSR_EL1) & V9_PMBSR_EL1_COLL, "collision_sets_coll");
	fk_nops(f, 257 * 40);
	s = fk_score(f);
	tap_eq(s->samples + s->collided, 42, "feed_and_collision_are_all");
	/* each sample takes 4000 operations; sixteen intervals begin in that time */
	tap_eq(s->samples, 3, "collision_drops_the_new");
	tap_eq(number(f->log[1].pc) - number(f->log[0].pc), 16 * 257, "interval_continues");
	tap_eq(f->log[0].lat_total, 4000, "latency_in_the_record");
	tap_ok(!(MRS(f, PMBSR_EL1) & V9_PMBSR_EL1_S), "collision_is_no_event");
	MSR(f, PMBSR_EL1, 0);
	tap_eq(MRS(f, PMBSR_EL1), 0, "coll_cleared_by_software");
	fk_free(f);
}

/* A sample is in flight exactly for its latency. A barrier completes it earlier. */
/* shows: SPE-SI15 */
static void no_collision(void)
{
	unsigned int latency;
	struct fk *f;

	for (latency = 256; latency <= 258; latency++) {
		f = fk_new();
		f->cfg.lat_total = latency;
		fk_init(f);
		fk_start(f, IRR(1, 0), 16, 0);
		fk_nops(f, 256 + 257);
		tap_eq(fk_score(f)->collided, latency > 257, "collides_after_%u", latency);
		fk_free(f);
	}
	f = fk_new();
	f->cfg.lat_total = 4000;
	fk_init(f);
	fk_start(f, IRR(1, 0), 16, 0);
	fk_nops(f, 300);
	fk_sync(f, V9_SYNC_ISB);
	fk_nops(f, 256 + 257 - 300);
	tap_eq(fk_score(f)->samples, 2, "no_collision_over_a_barrier");
	tap_ok(!(MRS(f, PMBSR_EL1) & V9_PMBSR_EL1_COLL), "no_coll_over_a_barrier");
	fk_free(f);
}

/* shows: SPE-CD20 */
static void saturated(void)
{
	struct fk *f = fk_new();

	f->cfg.lat_total = 60000;
	fk_init(f);
	fk_start(f, IRR(1, 0), 16, 0);
	fk_nops(f, 300);
	tap_eq(fk_last(f).l.lat_total, 0xfff, "latency_saturates");
	fk_free(f);
}

/* shows: SPE-SI2 SPE-SY11 */
static void not_in_aarch32(void)
{
	struct fk *f = fk_started(IRR(1, 0), 16, 0);

	f->pe.r.el = 0;
	f->pe.r.a64 = false;
	tap_ok(!(v9_pe_activity(f->m, &f->pe) & V9_ACT_SPE), "aarch32_not_profiled");
	f->pe.r.a64 = true;
	tap_ok(v9_pe_activity(f->m, &f->pe) & V9_ACT_SPE, "aarch64_profiled");
	fk_free(f);
}

/* An instruction that is restarted before it completes counts as one operation. */
static void restarted(void)
{
	struct fk *f = fk_started(IRR(1, 0), 16, 0);

	fk_nops(f, 100);
	f->pc -= 4;
	f->cnt++;
	fk_nops(f, 155);
	tap_eq(MRS(f, PMSICR_EL1), 2, "restart_not_counted");
	fk_nops(f, 2);		/* the second of them is sampled ... */
	f->pc -= 4;
	f->cnt++;		/* ... and runs again */
	tap_eq(f->nlog, 0, "restart_in_flight");
	fk_nops(f, 2);
	tap_eq(f->nlog, 1, "restart_of_sampled_completes_once");
	tap_eq(number(f->log[0].pc), 256, "restart_keeps_its_address");
	fk_free(f);
}

/* shows: SPE-SI13 */
static void zero_interval(void)
{
	struct fk *f = fk_started(0, 16, 0);

	fk_nops(f, 1000);
	tap_ok(f->nviolations && !strcmp(f->violation.rule, "SPE-SI13"), "zero_interval_logged");
	fk_free(f);
}

/* A 32-bit counter needs more than one countdown of the emulator. */
static void long_interval(void)
{
	struct fk *f = fk_started(IRR(0xffffff, 0), 16, 0);
	uint64_t left = UINT64_C(0xffffff00);

	fk_op(f, OP_NOP, 0);
	left--;
	while (left > 1000) {
		f->cnt -= 500;		/* as if 500 had executed */
		if (f->cnt < 0) {
			f->cnt += 500;
			fk_op(f, OP_NOP, 0);
			left--;
			continue;
		}
		left -= 500;
		if (f->cnt > 1000000) {
			uint64_t skip = (f->cnt - 100000);

			if (skip > left - 1000)
				skip = left - 1000;
			f->cnt -= skip;
			left -= skip;
		}
	}
	tap_eq(MRS(f, PMSICR_EL1), left, "long_interval_counts_in_pieces");
	fk_nops(f, left + 1);
	tap_eq(f->nlog, 1, "long_interval_samples");
	fk_free(f);
}

int main(void)
{
	interval_exact();
	one_counter_random();
	two_counters_random();
	held_while_disabled();
	saved_and_restored();
	zero_reloads_on_enable();
	collision();
	no_collision();
	saturated();
	not_in_aarch32();
	restarted();
	zero_interval();
	long_interval();
	return tap_done();
}
