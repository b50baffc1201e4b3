/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Names and flags that user space reads and that therefore never change: PMU names, flags of
 * PERF_RECORD_AUX, trace IDs, branch stacks and the raw data of their samples. Options are in the
 * tables of drivers/lib/attr.c, attr_ete.c and attr_brbe.c; Documentation/ABI/testing describes
 * every sysfs file.
 */
#ifndef V9TRACE_UAPI_H
#define V9TRACE_UAPI_H

#include "base.h"

/* perf maps an AUX buffer only for PMUs with the name "arm_spe_<n>", n from 0. */
#define V9_SPE_PMU_PREFIX	"arm_spe_"

/* perf finds the PMU of trace units by this name only. */
#define V9_ETE_PMU_NAME		"cs_etm"

/* perf takes events of any name with branch stacks. */
#define V9_BRBE_PMU_NAME	"v9_brbe"

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

/* Bits of branch_sample_type, numbered as in linux/perf_event.h (drivers/brbe.c asserts that) */
#define V9_BRANCH_USER		V9_BIT(0)
#define V9_BRANCH_KERNEL	V9_BIT(1)
#define V9_BRANCH_HV		V9_BIT(2)
#define V9_BRANCH_ANY		V9_BIT(3)
#define V9_BRANCH_ANY_CALL	V9_BIT(4)
#define V9_BRANCH_ANY_RETURN	V9_BIT(5)
#define V9_BRANCH_IND_CALL	V9_BIT(6)
#define V9_BRANCH_ABORT_TX	V9_BIT(7)
#define V9_BRANCH_IN_TX		V9_BIT(8)
#define V9_BRANCH_NO_TX		V9_BIT(9)
#define V9_BRANCH_COND		V9_BIT(10)
#define V9_BRANCH_CALL_STACK	V9_BIT(11)
#define V9_BRANCH_IND_JUMP	V9_BIT(12)
#define V9_BRANCH_CALL		V9_BIT(13)
#define V9_BRANCH_NO_FLAGS	V9_BIT(14)
#define V9_BRANCH_NO_CYCLES	V9_BIT(15)
#define V9_BRANCH_TYPE_SAVE	V9_BIT(16)
#define V9_BRANCH_HW_INDEX	V9_BIT(17)
#define V9_BRANCH_PRIV_SAVE	V9_BIT(18)
#define V9_BRANCH_COUNTERS	V9_BIT(19)

/* Types of a branch in a stack: enum perf_branch_sample types, likewise */
enum v9_branch_type {
	V9_BRANCH_UNKNOWN,
	V9_BRANCH_TYPE_COND,
	V9_BRANCH_TYPE_UNCOND,
	V9_BRANCH_TYPE_IND,
	V9_BRANCH_TYPE_CALL,
	V9_BRANCH_TYPE_IND_CALL,
	V9_BRANCH_TYPE_RET,
	V9_BRANCH_TYPE_SYSCALL,
	V9_BRANCH_TYPE_ERET = 11,
	V9_BRANCH_TYPE_IRQ,
	V9_BRANCH_TYPE_SERROR,
	V9_BRANCH_TYPE_NEW = 15,	/* enum v9_branch_new says which */
};

enum v9_branch_new {
	V9_BRANCH_NEW_ALIGNMENT,
	V9_BRANCH_NEW_DATA_FAULT,
	V9_BRANCH_NEW_INST_FAULT,
	V9_BRANCH_NEW_FIQ,
	V9_BRANCH_NEW_DEBUG_HALT,
	V9_BRANCH_NEW_DEBUG_EXIT,
	V9_BRANCH_NEW_INST_DEBUG,
	V9_BRANCH_NEW_DATA_DEBUG,
};

/* Level that a branch went to, likewise */
enum v9_branch_priv {
	V9_BRANCH_PRIV_UNKNOWN,
	V9_BRANCH_PRIV_USER,
	V9_BRANCH_PRIV_KERNEL,
	V9_BRANCH_PRIV_HV,
};

/* What was found in the unit at a sample */
enum v9_branch_validity {
	V9_BRANCHES_PAUSED,	/* by the driver: the youngest record is the last branch */
	V9_BRANCHES_FROZEN,	/* an overflow of the PMU has */
	V9_BRANCHES_STALE,	/* likewise, but long before this sample: that of another event */
	V9_BRANCHES_RUN_ON,	/* nothing has, and the driver's own branches replace the others */
	V9_BRANCHES_EMPTY,	/* there are no records */
	V9_BRANCH_VALIDITIES
};

/**
 * struct v9_branch_regs - one branch record
 * @inf: BRBINF<n>_EL1
 * @src: BRBSRC<n>_EL1
 * @tgt: BRBTGT<n>_EL1
 */
struct v9_branch_regs {
	uint64_t inf;
	uint64_t src;
	uint64_t tgt;
};

#define V9_BRANCH_RAW_VERSION	1
#define V9_BRANCHES_MAX		64	/* most records of a unit */

/**
 * struct v9_branch_raw - raw data of a sample (PERF_SAMPLE_RAW)
 * @version: V9_BRANCH_RAW_VERSION
 * @nr: number of records
 * @validity: enum v9_branch_validity. Of STALE and RUN_ON there are no records
 * @reserved: 0
 * @brbts: BRBTS_EL1: ticks of the physical counter at the last freeze
 * @brbcr: BRBCR_EL2
 * @brbfcr: BRBFCR_EL1 as it was found
 * @rec: records, youngest first
 *
 * In the byte order of the machine. The kernel pads to a multiple of 8 bytes, less 4.
 */
struct v9_branch_raw {
	uint32_t version;
	uint16_t nr;
	uint8_t validity;
	uint8_t reserved;
	uint64_t brbts;
	uint64_t brbcr;
	uint64_t brbfcr;
	struct v9_branch_regs rec[V9_BRANCHES_MAX];
};

#endif
