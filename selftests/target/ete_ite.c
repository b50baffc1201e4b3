// SPDX-License-Identifier: GPL-2.0-only
/*
 * FEAT_ITE: instrumentation by programs and the kernel (TRCIT), and which sessions record it.
 * v9_ete offers it only with instrumentation=1.
 */
#include "harness.h"

#include "ete.h"
#include "machine.h"
#include "work.h"

#define INSTRUMENTATION	(1ULL << 63)
#define TRCIT		"/sys/module/v9_trcit/parameters"
#define ROUNDS		20
#define ROUND		1000		/* rounds of spin(), two instructions each */

#define NEED_ITE(unit)								\
	NEED_SESSION(unit);							\
	NEED(unit.ours, "v9_ete driver");					\
	NEED(unit_has(&(unit), "format/instrumentation"), "FEAT_ITE, instrumentation=1")

#define NEED_KERNEL_THAT_SAYS(unit)						\
	NEED_ITE(unit);								\
	NEED(!getuid(), "root");						\
	NEED(getenv("V9_MODULES"), "V9_MODULES (where the modules are)");	\
	NEED(!module_load("selftest/v9_trcit", ""), "v9_trcit.ko for this kernel")

/* TRCIT X0, as a number because assemblers may not support it. */
static void write_value(uint64_t value)
{
	register uint64_t x0 asm("x0") = value;

	asm volatile(".inst 0xd50b72e0" : : "r" (x0));
}

/* Trace the values @first, @first + 1 and so on, with spin() in between. */
static void write_values(uint64_t first)
{
	for (uint64_t i = 0; i < ROUNDS; i++) {
		write_value(first + i);
		spin(ROUND);
	}
}

static void open_with(struct __test_metadata *_metadata, const struct unit *unit, uint64_t config,
		      struct perf_event_attr *attr, struct ring *ring)
{
	ete_attr(unit, attr);
	attr->config = config;
	ASSERT_EQ(0, ring_open(ring, attr, 0, -1, 256, 0));
}

/* Each value is complete, in order and in place. shows: ETE-R_BWHCS ETE-R_NHJLQ ETE-R_FLGVJ */
TEST(values_of_a_program)
{
	const uint64_t first = 0xfedcba9876543210;
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;

	NEED_ITE(unit);
	open_with(_metadata, &unit, INSTRUMENTATION, &attr, &ring);
	write_value(1);
	ASSERT_EQ(0, ring_enable(&ring));
	write_values(first);
	ASSERT_EQ(0, ring_disable(&ring));
	write_value(2);				/* not traced */
	spin(ROUND);
	ASSERT_EQ(0, ring_enable(&ring));
	write_value(3);
	FINISH(ring, attr, run);
	write_value(4);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	ASSERT_EQ(ROUNDS + 1, run.nvalues);
	for (uint64_t i = 0; i < ROUNDS; i++) {
		EXPECT_EQ(first + i, run.values[i].value);
		EXPECT_EQ(0, run.values[i].el);
		EXPECT_EQ(2 * ROUND * i, run.values[i].spin_before);
	}
	EXPECT_EQ(3, run.values[ROUNDS].value);
	EXPECT_EQ(2 * ROUND * ROUNDS, run.in_spin);
	ring_close(&ring);
}

/* Filters apply to instructions, not to instrumentation. */
TEST(values_behind_a_filter)
{
	struct perf_event_attr attr;
	char text[512] = "";
	struct ete_run run;
	struct ring ring;

	NEED_ITE(unit);
	NEED(unit_has(&unit, "nr_addr_filters"), "address comparators");
	open_with(_metadata, &unit, INSTRUMENTATION, &attr, &ring);
	ete_add_filter(text, sizeof(text), "filter", OTHER_CODE);
	ASSERT_EQ(0, ete_set_filter(&ring, text)) TH_LOG("%s", text);
	ASSERT_EQ(0, ring_enable(&ring));
	write_values(100);
	FINISH(ring, attr, run);
	EXPECT_EQ(0, run.in_spin);
	ASSERT_EQ(ROUNDS, run.nvalues);
	for (uint64_t i = 0; i < ROUNDS; i++)
		EXPECT_EQ(100 + i, run.values[i].value);
	ring_close(&ring);
}

/* A session without the option, after one with it. shows: ETE-R_BXTXK */
TEST(session_without_instrumentation)
{
	static const uint64_t config[] = { INSTRUMENTATION, 0 };

	NEED_ITE(unit);
	for (int i = 0; i < 2; i++) {
		struct perf_event_attr attr;
		struct ete_run run;
		struct ring ring;

		open_with(_metadata, &unit, config[i], &attr, &ring);
		ASSERT_EQ(0, ring_enable(&ring));
		write_values(0);
		FINISH(ring, attr, run);
		EXPECT_EQ(config[i] ? ROUNDS : 0, run.nvalues);
		EXPECT_EQ(2 * ROUND * ROUNDS, run.in_spin);
		ring_close(&ring);
	}
}

/* Values from the kernel require the permission to trace it. shows: ETE-R_FLGVJ ETE-R_JJZXW */
TEST(values_of_the_kernel)
{
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;

	NEED_KERNEL_THAT_SAYS(unit);
	for (int kernel = 0; kernel < 2; kernel++) {
		unsigned int from_kernel = 0, from_us = 0;

		ete_attr(&unit, &attr);
		attr.config = INSTRUMENTATION;
		attr.exclude_kernel = !kernel;
		ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 1024, 0));
		ASSERT_EQ(0, ring_enable(&ring));
		write_value(7);
		ASSERT_EQ(0, write_text(TRCIT "/value", "11"));
		write_value(8);
		FINISH(ring, attr, run);
		for (unsigned int i = 0; i < run.nvalues && i < ARRAY_SIZE(run.values); i++) {
			from_kernel += run.values[i].el && run.values[i].value == 11;
			from_us += !run.values[i].el;
		}
		EXPECT_EQ(kernel, from_kernel);
		EXPECT_EQ(2, from_us);
		EXPECT_EQ(2 + kernel, run.nvalues);
		ring_close(&ring);
		EXPECT_EQ(kernel ? -EACCES : 0, as_nobody(ring_try, &attr));
	}
	EXPECT_EQ(0, module_unload("v9_trcit"));
}

/*
 * A task that is switched in continues in the kernel without an exception return. Its first value
 * there is traced.
 * shows: TRBE-L9
 */
TEST(values_behind_a_switch)
{
	struct perf_event_attr attr;
	struct ete_run run;
	struct ring ring;

	NEED_KERNEL_THAT_SAYS(unit);
	ete_attr(&unit, &attr);
	attr.config = INSTRUMENTATION;
	attr.exclude_kernel = 0;
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 4096, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	for (int i = 0; i < ROUNDS; i++)
		ASSERT_EQ(0, write_text(TRCIT "/value_after_sleep", "12"));
	FINISH(ring, attr, run);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	EXPECT_EQ(ROUNDS, run.nvalues);
	ring_close(&ring);
	EXPECT_EQ(0, module_unload("v9_trcit"));
}

TEST_HARNESS_MAIN
