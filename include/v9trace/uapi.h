/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Names and flags that user space reads and that therefore never change: PMU names, flags of
 * PERF_RECORD_AUX, trace IDs. Options are in the tables of drivers/lib/attr.c and attr_ete.c;
 * Documentation/ABI/testing describes every sysfs file.
 */
#ifndef V9TRACE_UAPI_H
#define V9TRACE_UAPI_H

#include "base.h"

/* perf maps an AUX buffer only for PMUs with the name "arm_spe_<n>", n from 0. */
#define V9_SPE_PMU_PREFIX	"arm_spe_"

/* perf finds the PMU of trace units by this name only. */
#define V9_ETE_PMU_NAME		"cs_etm"

/* Number of option words in struct perf_event_attr: config, config1 ... config4 */
#define V9_OPTION_WORDS		5

/* Flags of PERF_RECORD_AUX, numbered as in linux/perf_event.h (drivers/aux.c asserts that). */
#define V9_AUX_TRUNCATED	0x01	/* no room, or an error: collection ended here */
#define V9_AUX_PARTIAL		0x04	/* records are missing, or the last one is incomplete */
#define V9_AUX_COLLISION	0x08	/* a sample was lost: the previous one was in progress */
#define V9_AUX_RAW_TRACE	0x100	/* raw trace of the unit, without CoreSight frames */

/* Padding byte of a trace: an Ignore packet, which decoders skip */
#define V9_TRACE_PADDING	0x70

/**
 * v9_ete_trace_id - trace ID of a CPU's trace unit
 * @cpu: number of the CPU
 *
 * The driver writes it to TRCTRACEIDR, and captures contain it. A decoder uses it to find the
 * trace of a CPU. The IDs of the first 48 CPUs are those that perf assumes without
 * PERF_RECORD_AUX_OUTPUT_HW_ID.
 *
 * Return: 1 to 0x6f. The IDs of any 111 CPUs with consecutive numbers differ.
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
 * hw_id of PERF_RECORD_AUX_OUTPUT_HW_ID, version 0.1: trace ID of a CPU's unit, and the sink that
 * it writes to.
 */
#define V9_TRACE_HW_ID(id, sink)	((uint64_t)(id) | (uint64_t)(sink) << 8 | V9_BIT(56))

#endif
