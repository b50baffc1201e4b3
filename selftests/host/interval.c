// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sampling interval from the section of registers: PMSIRR_EL1 and PMSIDR_EL1 as the Arm manual has their
 * fields (INTERVAL 31:8 in operations, RND 0; Interval 11:8, ERnd 5, ArchInst 3)
 */
#include <string.h>

#include <v9trace/base.h>

#include "tap.h"
#include "../../tools/perfdata.h"
#include "../../tools/capture/interval.h"

#define PMSIDR	0x1899e0
#define PMSIRR	0x189960
#define ERND	(1 << 5)
#define ARCH	(1 << 3)
#define ALL	UINT64_MAX

struct section {
	struct pd_registers head;
	struct pd_register reg[4];
};

static struct v9_interval read_bytes(const struct section *s, size_t n)
{
	struct v9_interval v = { 0 };

	v9_interval_read(&v, (const uint8_t *)s, n);
	return v;
}

static struct v9_interval read_regs(uint64_t pmsirr, uint64_t pmsidr, uint64_t known)
{
	const struct section s = { .head = { 1, 2 }, .reg = {
		{ .encoding = PMSIRR, .mask = ALL, .value = pmsirr },
		{ .encoding = PMSIDR, .mask = known, .value = pmsidr } } };

	return read_bytes(&s, sizeof(s.head) + 2 * sizeof(s.reg[0]));
}

static void means(void)
{
	static const struct {
		const char *name;
		uint64_t pmsirr, pmsidr, known, mean;
		bool random, unsure;
	} rows[] = {
		{ "fixed", 0x400, 0, ALL, 1025, false, false },
		{ "random", 0x401, 0, ALL, 1152, true, false },
		{ "random_exact", 0x401, ERND, ALL, 1025, true, false },
		{ "random_not_known", 0x401, 0, 0, 1152, true, true },
		{ "random_bit_not_known", 0x401, ERND, ALL - ERND, 1152, true, true },
		{ "fixed_not_known", 0x400, 0, 0, 1025, false, false },
		{ "one", 0x100, 0, ALL, 257, false, false },
		{ "largest", 0xffffff00, 0, ALL, 0xffffff01, false, false },
		{ "reserved_bits", 0xffffffff000004fe, 0, ALL, 1025, false, false },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		const struct v9_interval v = read_regs(rows[i].pmsirr, rows[i].pmsidr, rows[i].known);

		tap_eq(v.mean, rows[i].mean, "mean_%s", rows[i].name);
		tap_eq(v.reload, rows[i].pmsirr & 0xffffff00, "reload_%s", rows[i].name);
		tap_ok(v.random == rows[i].random && v.unsure == rows[i].unsure, "kind_%s", rows[i].name);
	}
	tap_ok(!read_regs(1, ERND, ALL).mean && !read_regs(1, ERND, ALL).random, "no_interval");
}

/* The recommended minimum is compared with the period alone. */
static void minimum(void)
{
	static const uint64_t least[16] = { 256, 0, 512, 768, 1024, 1536, 2048, 3072, 4096 };
	struct v9_interval v;

	for (unsigned int i = 0; i < 16; i++) {
		tap_eq(read_regs(0x1000, i << 8, ALL).least, least[i], "least_%u", i);
		tap_eq(read_regs(0x1000, i << 8, ALL - 0xf00).least, 0, "least_not_known_%u", i);
	}
	tap_ok(read_regs(0x300, 4 << 8, ALL).shorter && !read_regs(0x400, 4 << 8, ALL).shorter &&
	       !read_regs(0x300, 1 << 8, ALL).shorter, "shorter");

	v = read_regs(0x401, 4 << 8, ALL);
	v9_interval_change(&v, 1024);
	tap_ok(v.reload == 1024 && v.mean == 1152 && !v.shorter, "same_period");
	v9_interval_change(&v, 768);
	tap_ok(v.reload == 768 && v.mean == 768 + 128 && v.shorter && v.random, "shorter_period");
	v9_interval_change(&v, 2048);
	tap_ok(v.reload == 2048 && v.mean == 2048 + 128 && !v.shorter, "longer_period");
	v = (struct v9_interval){ 0 };
	v9_interval_change(&v, 512);
	tap_ok(v.reload == 512 && !v.mean && !v.shorter, "period_of_an_unknown_unit");
}

static void population(void)
{
	tap_eq(read_regs(0, ARCH, ALL).population, V9_POPULATION_INSTRUCTIONS, "instructions");
	tap_eq(read_regs(0, ALL - ARCH, ALL).population, V9_POPULATION_OPERATIONS, "operations");
	tap_eq(read_regs(0, ARCH, ALL - ARCH).population, V9_POPULATION_UNKNOWN, "population_not_known");
}

/* The first of several CPUs counts. Bits that are not known are none. */
static void sections(void)
{
	struct section s = { .head = { 1, 4 }, .reg = {
		{ .cpu = 0, .encoding = PMSIRR, .mask = 0xff00, .value = 0x10800 },
		{ .cpu = 0, .encoding = PMSIDR, .mask = 0xf08, .value = 6 << 8 },
		{ .cpu = 1, .encoding = PMSIRR, .mask = ALL, .value = 0x400 },
		{ .cpu = 1, .encoding = PMSIDR, .mask = ALL, .value = 4 << 8 | ARCH } } };
	struct v9_interval v = read_bytes(&s, sizeof(s));
	const size_t row = sizeof(s.reg[0]), two = sizeof(s.head) + 2 * row;

	tap_ok(v.reload == 0x800 && v.least == 2048 && v.population == V9_POPULATION_OPERATIONS, "first_cpu");
	v = read_bytes(&s, two);
	tap_ok(v.reload == 0x800 && v.least == 2048, "more_in_the_head_than_there_are");
	v = read_bytes(&s, two - 1);
	tap_ok(v.reload == 0x800 && !v.least && !v.population, "cut_in_a_register");
	s.head.count = 1;
	v = read_bytes(&s, sizeof(s));
	tap_ok(v.reload == 0x800 && !v.least && !v.population, "fewer_in_the_head");
	s.head.count = 4;
	s.reg[0].value = s.reg[1].mask = 0;
	v = read_bytes(&s, sizeof(s));
	tap_ok(v.reload == 0x400 && v.least == 1024 && v.population == V9_POPULATION_INSTRUCTIONS, "of_the_next_cpu");
	s.head.version = 2;
	tap_eq(read_bytes(&s, sizeof(s)).reload, 0, "other_version");
	s.head.version = 1;
	tap_eq(read_bytes(&s, sizeof(s.head) + row - 1).reload, 0, "no_register");
	tap_eq(read_bytes(&s, sizeof(s.head) - 1).reload, 0, "no_head");
	s.reg[2].encoding = PMSIRR + 0x20;
	tap_eq(read_bytes(&s, sizeof(s)).reload, 0, "another_register");
}

int main(void)
{
	means();
	minimum();
	population();
	sections();
	return tap_done();
}
