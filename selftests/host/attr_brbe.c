// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options of v9_brbe, perf's branch filters, and the register values that follow. Values are typed
 * from D24.8 (BRBCR_EL2, BRBFCR_EL1, BRBIDR0_EL1) and from linux/perf_event.h.
 */
#include "tap.h"
#include "v9trace/attr.h"

/* branch_sample_type */
#define USER		0x1
#define KERN		0x2
#define HV		0x4
#define ANY		0x8
#define ANY_CALL	0x10
#define ANY_RETURN	0x20
#define IND_CALL	0x40
#define COND		0x400
#define IND_JUMP	0x1000
#define CALL		0x2000

/* BRBCR_EL2: E0HBRE, E2BRE, CC, MPRED, TS=11, FZP, ERTN, EXCEPTION */
#define CR_USER		0x79
#define CR_KERN		0x17a
#define CR_RETURN	0x400000
#define CR_EXCEPTION	0x800000

static struct v9_brbe_reg_values values;
static struct v9_refusal no;

static int encode(uint64_t config, uint64_t branch)
{
	struct v9_brbe_request req = { .config = { config }, .branch = branch };

	no.option = no.why = "";
	return v9_brbe_encode_regs(&req, &values, &no);
}

/* D19.2.1: the bit of BRBFCR_EL1 of each class. shows: BRBE-BF1 BRBE-BF3 */
static void filters(void)
{
	static const struct {
		const char *name;
		uint64_t branch, brbfcr;
	} of[] = {
		{ "any", ANY, 0x7e0000 }, { "any_call", ANY_CALL, 0x300000 },
		{ "any_return", ANY_RETURN, 0x080000 }, { "ind_call", IND_CALL, 0x100000 },
		{ "cond", COND, 0x400000 }, { "ind_jump", IND_JUMP, 0x040000 },
		{ "call", CALL, 0x200000 }, { "two", COND | CALL, 0x600000 },
		{ "all", ANY_CALL | ANY_RETURN | COND | IND_JUMP, 0x7c0000 },
	};

	for (unsigned int i = 0; i < V9_ARRAY_SIZE(of); i++)
		tap_ok(!encode(0, USER | of[i].branch) && values.brbfcr == of[i].brbfcr &&
		       values.brbcr == CR_USER, "filter_%s", of[i].name);
}

/* shows: BRBE-BG3 BRBE-BZ2 BRBE-BX1 BRBE-BX4 */
static void levels(void)
{
	tap_ok(!encode(0, USER | ANY) && values.brbcr == CR_USER && values.brbcr_el1 == 0x78 &&
	       !values.freezes, "user");
	tap_ok(!encode(0, KERN | ANY) && values.freezes && values.brbcr_el1 == 0x178 &&
	       values.brbcr == (CR_KERN | CR_RETURN | CR_EXCEPTION), "kernel");
	tap_ok(!encode(0, USER | KERN | HV | ANY) &&
	       values.brbcr == (CR_USER | CR_KERN | CR_RETURN | CR_EXCEPTION), "all_levels");
	tap_ok(!encode(0, KERN | ANY_CALL) && values.brbcr == (CR_KERN | CR_EXCEPTION),
	       "kernel_calls");
	tap_ok(!encode(0, KERN | ANY_RETURN) && values.brbcr == (CR_KERN | CR_RETURN),
	       "kernel_returns");
	tap_ok(!encode(0, KERN | COND) && values.brbcr == CR_KERN, "kernel_cond");
	tap_ok(!encode(1 << 17, USER | ANY) &&
	       values.brbcr == (CR_USER | CR_RETURN | CR_EXCEPTION) && !values.freezes,
	       "boundaries");
	tap_eq(encode(0, ANY), -EOPNOTSUPP, "no_level");
	tap_eq(encode(0, HV | ANY), -EOPNOTSUPP, "hypervisor_alone");
}

/* shows: BRBE-BC2 BRBE-BC4 */
static void cycles_and_flags(void)
{
	tap_ok(!encode(0, USER | ANY | 1 << 15) && values.brbcr == (CR_USER & ~0x8) &&
	       values.brbcr_el1 == 0x70, "no_cycles");
	tap_ok(!encode(0, USER | ANY | 1 << 14) && values.brbcr == (CR_USER & ~0x10) &&
	       values.brbcr_el1 == 0x68, "no_flags");
	tap_ok(!encode(0, USER | ANY | 0x70000) && values.brbcr == CR_USER, "saved_fields");
}

static void refusals(void)
{
	static const struct {
		const char *name;
		uint64_t branch;
	} of[] = {
		{ "abort_tx", 1 << 7 }, { "in_tx", 1 << 8 }, { "no_tx", 1 << 9 },
		{ "call_stack", 1 << 11 }, { "counter", 1 << 19 },
	};

	for (unsigned int i = 0; i < V9_ARRAY_SIZE(of); i++)
		tap_ok(encode(0, USER | ANY | of[i].branch) == -EOPNOTSUPP &&
		       !strcmp(no.option, of[i].name) && *no.why, "refused_%s", of[i].name);
	tap_eq(encode(0, USER | ANY | 1 << 20), -EOPNOTSUPP, "refused_unknown");
	tap_eq(encode(0, USER), -EOPNOTSUPP, "refused_no_type");
}

static void options(void)
{
	struct v9_brbe_request req = { .branch = USER | ANY };
	const struct v9_option *o;
	unsigned int n = 0;

	tap_ok(!encode(0, USER | ANY) && values.event == 0x11, "cycles_by_default");
	tap_ok(!encode(0x811f, USER | ANY) && values.event == 0x811f, "event");
	tap_ok(!encode(1 << 16, USER | ANY) && values.event == 0, "clock");
	tap_eq(encode(1 << 16 | 0x11, USER | ANY), -EINVAL, "clock_beside_an_event");
	tap_eq(encode(1 << 16, KERN | ANY), -EOPNOTSUPP, "clock_of_the_kernel");
	tap_eq(encode(1 << 18, USER | ANY), -EINVAL, "unknown_option");
	for (unsigned int i = 1; i < V9_OPTION_WORDS; i++) {
		memset(req.config, 0, sizeof(req.config));
		req.config[i] = 1;
		tap_eq(v9_brbe_encode_regs(&req, &values, &no), -EINVAL, "unknown_word");
	}
	for (; (o = v9_brbe_option(n)); n++)
		tap_ok(o->word == 0 && o->lo <= o->hi, "option_%s", o->name);
	tap_eq(n, 3, "options");
	for (n = 0; v9_brbe_event(n); n++)
		;
	tap_eq(n, 5, "events");
}

static struct v9_brbe_unit unit;

/* The result for a unit. It must have a reason if, and only if, it is a refusal. */
static int check(unsigned int version, uint64_t brbidr, const char *closed, const char *reason)
{
	struct v9_brbe_id id = { (uint64_t)version << 52, brbidr, closed };
	const char *why = reason ? NULL : "old";
	int err = v9_brbe_check_unit(&id, &unit, &why);

	return !why == !reason && (!reason || strstr(why, reason)) ? err : 1;
}

/* shows: BRBE-BP1 BRBE-BP2 */
static void units(void)
{
	static const unsigned int sizes[] = { 8, 16, 32, 64 };

	for (unsigned int i = 0; i < V9_ARRAY_SIZE(sizes); i++)
		tap_ok(!check(1, 0x5000 | sizes[i], NULL, NULL) && unit.records == sizes[i] &&
		       unit.version == 1 && unit.cycle_bits == 20, "records_%u", sizes[i]);
	tap_ok(!check(2, 0x5020, NULL, NULL) && unit.version == 2, "version_2");
	tap_eq(check(1, 0x5024, NULL, "BRBIDR0_EL1"), -EOPNOTSUPP, "other_number");
	tap_eq(check(1, 0x5120, NULL, "BRBIDR0_EL1"), -EOPNOTSUPP, "other_format");
	tap_eq(check(1, 0x4020, NULL, "BRBIDR0_EL1"), -EOPNOTSUPP, "other_cycles");
	tap_eq(check(1, 0x5020, "is closed", "is closed"), -EPERM, "closed");
	tap_eq(check(0, 0x5020, "is closed", "no CPU has"), -ENXIO, "none");
	tap_eq(check(0xf, 0x5020, NULL, "no CPU has"), -ENXIO, "none");
}

int main(void)
{
	filters();
	levels();
	cycles_and_flags();
	refusals();
	options();
	units();
	return tap_done();
}
