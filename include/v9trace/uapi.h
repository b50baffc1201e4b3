/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What leaves the kernel and so can never change: names under which perf finds
 * the units, and the flags of PERF_RECORD_AUX. The option words are the table
 * in drivers/lib/attr.c; Documentation/ABI/testing describes every sysfs file.
 */
#ifndef V9TRACE_UAPI_H
#define V9TRACE_UAPI_H

#include "base.h"

/* perf looks for "arm_spe_<n>", n counted from 0; no other name gets an AUX mapping. */
#define V9_SPE_PMU_PREFIX	"arm_spe_"

/* perf knows the PMU of trace units by this name only. */
#define V9_ETE_PMU_NAME		"cs_etm"

/* Words of struct perf_event_attr that carry options: config, config1 ... config4. */
#define V9_OPTION_WORDS		5

/*
 * Flags of PERF_RECORD_AUX, numbered as in linux/perf_event.h (drivers/spe.c
 * asserts that).
 */
#define V9_AUX_TRUNCATED	0x01	/* collection ended here for want of room or by an error */
#define V9_AUX_PARTIAL		0x04	/* records are missing inside, or the last one is torn */
#define V9_AUX_COLLISION	0x08	/* a sample met another in flight and was dropped */
#define V9_AUX_RAW_TRACE	0x100	/* trace as the unit made it, not framed */

/* What a driver fills gaps of a trace with: the header of a packet that decoders skip (Ignore). */
#define V9_TRACE_PADDING	0x70

/**
 * v9_ete_trace_id - trace ID of a CPU's trace unit
 * @cpu: number of the CPU
 *
 * The driver programs it, and captures name it: readers match a CPU's trace by it. The IDs of
 * the first 48 CPUs are those that perf takes without PERF_RECORD_AUX_OUTPUT_HW_ID.
 *
 * Return: 1 to 0x6f; the IDs of any 111 CPUs with consecutive numbers differ.
 */
static inline unsigned int v9_ete_trace_id(unsigned int cpu)
{
	cpu %= 111;
	if (cpu < 48)
		return 0x10 + 2 * cpu;		/* even ones up to 0x6e */
	if (cpu < 96)
		return 0x11 + 2 * (cpu - 48);	/* odd ones up to 0x6f */
	return 1 + cpu - 96;			/* 0x01 to 0x0f */
}

/*
 * The word of PERF_RECORD_AUX_OUTPUT_HW_ID: which trace ID a CPU's unit has, and
 * which sink it writes to, in version 0.1 of the word.
 */
#define V9_TRACE_HW_ID(id, sink)	((uint64_t)(id) | (uint64_t)(sink) << 8 | V9_BIT(56))

#endif
