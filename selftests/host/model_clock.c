// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counter offsets of the timestamps of ETE and SPE: all combinations of the controls, at the bit
 * positions of the manual.
 */
#include "tap.h"
#include "bus.h"

#define VOFF	UINT64_C(0x1000)
#define POFF	UINT64_C(0x20000)

/* The controls, one bit each */
enum {
	HAS_EL2, HAS_EL3, HAS_RME, NS, NSE, EEL2, RW, ECVEN, E2H, TGE, HYP_ECV, HAS_POFF, LEVEL,
	BITS = LEVEL + 2,
};

struct asked {
	struct v9_route r;
	struct v9_offsets o;
};

static bool bit(unsigned int n, unsigned int i)
{
	return n >> i & 1;
}

static bool ask(unsigned int n, struct asked *a)
{
	unsigned int el = n >> LEVEL;

	*a = (struct asked){
		.r = {
			.has_el2 = bit(n, HAS_EL2), .has_el3 = bit(n, HAS_EL3),
			.has_rme = bit(n, HAS_RME), .has_secure = true,
			.pe_ss = V9_SS_NONSECURE, .el = el,
			.a64 = true, .el1_a64 = true, .el2_a64 = true,
			/* bits 0, 10, 18, 28, 62; 27, 34 */
			.scr_el3 = bit(n, NS) | (uint64_t)bit(n, RW) << 10 |
				   (uint64_t)bit(n, EEL2) << 18 | (uint64_t)bit(n, ECVEN) << 28 |
				   (uint64_t)bit(n, NSE) << 62,
			.hcr_el2 = (uint64_t)bit(n, TGE) << 27 | (uint64_t)bit(n, E2H) << 34,
		},
		.o = {
			.cntvoff_el2 = VOFF, .cntpoff_el2 = POFF,
			.ecv = bit(n, HYP_ECV), .has_poff = bit(n, HAS_POFF),
		},
	};
	/* Exclude impossible states: an EL that is not implemented, EL2 if it is disabled */
	if ((el == 2 && !a->r.has_el2) || (el == 3 && !a->r.has_el3))
		return false;
	if (bit(n, HAS_EL3) && bit(n, HAS_RME) && bit(n, NSE) && !bit(n, NS))
		return false;
	return el != 2 || !bit(n, HAS_EL3) || bit(n, NS) || bit(n, EEL2);
}

static bool el2_enabled(unsigned int n)
{
	return bit(n, HAS_EL2) && (!bit(n, HAS_EL3) || bit(n, NS) || bit(n, EEL2));
}

/* D3.3: CNTVOFF_EL2, or 0 without EL2 */
static uint64_t trace_virtual(unsigned int n)
{
	return bit(n, HAS_EL2) ? VOFF : 0;
}

/* D17.6.9: 0 where a read of CNTVCT_EL0 at this EL has no offset */
static uint64_t profiling_virtual(unsigned int n)
{
	unsigned int el = n >> LEVEL;

	if (!bit(n, HAS_EL2))
		return 0;
	if (el2_enabled(n) && bit(n, E2H) && el == 2)
		return 0;
	if (el2_enabled(n) && bit(n, E2H) && bit(n, TGE) && el == 0)
		return 0;
	return VOFF;
}

/* D3.3 and D17.6.9: the same for both */
static uint64_t physical_offset(unsigned int n)
{
	bool nse = bit(n, HAS_RME) && bit(n, NSE);

	if (!bit(n, HAS_EL2) || !bit(n, HAS_POFF) || !bit(n, HYP_ECV))
		return 0;
	if (bit(n, HAS_EL3) && (!bit(n, ECVEN) || (!nse && bit(n, NS) && !bit(n, RW))))
		return 0;
	return POFF;
}

/* shows: ETE-I_BLBJX SPE-CD16 */
static void offsets(void)
{
	unsigned int n, seen = 0, bad[V9_CLOCKS] = { 0 };
	struct asked a;

	for (n = 0; n < 1u << BITS; n++) {
		const uint64_t want[V9_CLOCKS] = {
			[V9_CLOCK_VIRTUAL] = trace_virtual(n),
			[V9_CLOCK_CNTVCT] = profiling_virtual(n),
			[V9_CLOCK_GUEST_PHYSICAL] = physical_offset(n),
		};
		unsigned int i;

		if (!ask(n, &a))
			continue;
		seen++;
		for (i = 0; i < V9_CLOCKS; i++)
			bad[i] += v9_clock_offset(&a.r, &a.o, i) != want[i];
	}
	tap_ok(seen > 8000, "all_combinations");
	tap_eq(bad[V9_CLOCK_VIRTUAL], 0, "virtual_time_of_trace");
	tap_eq(bad[V9_CLOCK_CNTVCT], 0, "virtual_time_of_profiling");
	tap_eq(bad[V9_CLOCK_GUEST_PHYSICAL], 0, "offset_physical_time");
	tap_eq(bad[V9_CLOCK_PHYSICAL], 0, "physical_time");
}

/* The timestamps of a VHE kernel at EL2 while CNTVOFF_EL2 is that of a guest */
static void host(void)
{
	static const struct v9_offsets o = { .cntvoff_el2 = VOFF };
	struct v9_route r = {
		.has_el2 = true, .el = 2, .pe_ss = V9_SS_NONSECURE,
		.hcr_el2 = UINT64_C(1) << 34 | UINT64_C(1) << 27,
	};

	tap_eq(v9_clock_offset(&r, &o, V9_CLOCK_VIRTUAL), VOFF, "trace_of_a_host_has_guest_time");
	tap_eq(v9_clock_offset(&r, &o, V9_CLOCK_CNTVCT), 0, "profile_of_a_host_has_its_own");
	r.el = 0;
	tap_eq(v9_clock_offset(&r, &o, V9_CLOCK_VIRTUAL), VOFF, "trace_of_its_programs_too");
	tap_eq(v9_clock_offset(&r, &o, V9_CLOCK_CNTVCT), 0, "profile_of_its_programs_too");
}

static void steps(void)
{
	tap_eq(v9_clock_step(47, 0), 47, "without_steps");
	tap_eq(v9_clock_step(47, 1), 47, "steps_of_one");
	tap_eq(v9_clock_step(39, 40), 0, "before_the_first_step");
	tap_eq(v9_clock_step(47, 8), 40, "within_a_step");
	tap_eq(v9_clock_step(48, 8), 48, "at_a_step");
}

int main(void)
{
	offsets();
	host();
	steps();
	return tap_done();
}
