/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Made by tools/gen/gen.sh from tables/spe.pkt. Do not edit.
 *
 * Names of what is in packets, as constants and as rows for whoever prints or
 * matches: V9_SPE_FOREACH_<TABLE>(X) makes one X(...) per row.
 *   ADDRESS, COUNTER  X(index, NAME, "text")
 *   EVENT             X(bit, NAME, PMSVer of its first version, "feature or empty",
 *                       PMSVer that can filter on it or 0, "text")
 *   OP                X(class, NAME, mask, value, PMSVer, "feature", "text"): a payload p is
 *                       NAME if (p & mask) == value; never two of them
 *   OP_FIELD          X(class, OP, FIELD, mask in the payload)
 */
#ifndef V9TRACE_GEN_SPE_PKT_H
#define V9TRACE_GEN_SPE_PKT_H

#include "../spe.h"

/* Parts of payloads, in place */
#define V9_SPE_ADDRESS_ADDR             UINT64_C(0x00ffffffffffffff)
#define V9_SPE_ADDRESS_NS               UINT64_C(0x8000000000000000)
#define V9_SPE_ADDRESS_EL               UINT64_C(0x6000000000000000)
#define V9_SPE_ADDRESS_NSE              UINT64_C(0x1000000000000000)
#define V9_SPE_ADDRESS_CH               UINT64_C(0x4000000000000000)
#define V9_SPE_ADDRESS_PAT              UINT64_C(0x0f00000000000000)
#define V9_SPE_ADDRESS_TAG              UINT64_C(0xff00000000000000)
#define V9_SPE_COUNTER_COUNT            UINT64_C(0x000000000000ffff)
#define V9_SPE_CONTEXT_ID               UINT64_C(0x00000000ffffffff)

enum {
	V9_SPE_ADDR_PC = 0,
	V9_SPE_ADDR_TARGET = 1,
	V9_SPE_ADDR_VA = 2,
	V9_SPE_ADDR_PA = 3,
	V9_SPE_ADDR_PREV_TARGET = 4,
};

#define V9_SPE_FOREACH_ADDRESS(X) \
	X(0, PC, "address of the instruction") \
	X(1, TARGET, "branch target") \
	X(2, VA, "virtual address of the data") \
	X(3, PA, "physical address of the data") \
	X(4, PREV_TARGET, "target of the branch before") \
	/* end */

enum {
	V9_SPE_CNT_TOTAL = 0,
	V9_SPE_CNT_ISSUE = 1,
	V9_SPE_CNT_TRANSLATION = 2,
	V9_SPE_CNT_ALT_ISSUE = 4,
};

#define V9_SPE_FOREACH_COUNTER(X) \
	X(0, TOTAL, "dispatch to completion") \
	X(1, ISSUE, "dispatch to issue") \
	X(2, TRANSLATION, "address translation") \
	X(4, ALT_ISSUE, "dispatch to issue, in cycles of the alternate clock") \
	/* end */

/* Bit numbers in the payload of Events and in PMSEVFR_EL1, PMSNEVFR_EL1 */
enum {
	V9_SPE_EV_EXCEPTION = 0,
	V9_SPE_EV_RETIRED = 1,
	V9_SPE_EV_L1D_ACCESS = 2,
	V9_SPE_EV_L1D_REFILL = 3,
	V9_SPE_EV_TLB_ACCESS = 4,
	V9_SPE_EV_TLB_WALK = 5,
	V9_SPE_EV_NOT_TAKEN = 6,
	V9_SPE_EV_MISPREDICTED = 7,
	V9_SPE_EV_LLC_ACCESS = 8,
	V9_SPE_EV_LLC_MISS = 9,
	V9_SPE_EV_REMOTE_ACCESS = 10,
	V9_SPE_EV_MISALIGNED = 11,
	V9_SPE_EV_TRANSACTION = 16,
	V9_SPE_EV_PARTIAL_PRED = 17,
	V9_SPE_EV_EMPTY_PRED = 18,
	V9_SPE_EV_L2D_ACCESS = 19,
	V9_SPE_EV_L2D_MISS = 20,
	V9_SPE_EV_DATA_MODIFIED = 21,
	V9_SPE_EV_RECENTLY_FETCHED = 22,
	V9_SPE_EV_SNOOPED = 23,
	V9_SPE_EV_STREAMING = 24,
	V9_SPE_EV_SMCU = 25,
};

#define V9_SPE_FILTER_V1P0              UINT64_C(0xffff0000ff00f0aa)
#define V9_SPE_FILTER_V1P1              UINT64_C(0xffff0000ff00f8aa)
#define V9_SPE_FILTER_V1P2              UINT64_C(0xffff0000ff00f8ea)
#define V9_SPE_FILTER_V1P3              UINT64_C(0xffff0000ff00f8ea)
#define V9_SPE_FILTER_V1P4              UINT64_C(0xffff0000fff8fffe)
#define V9_SPE_FILTER_V1P5              UINT64_C(0xffff0000fff8fffe)
#define V9_SPE_FILTER_TME               UINT64_C(0x0000000000010000)
#define V9_SPE_FILTER_SVE               UINT64_C(0x0000000000060000)
#define V9_SPE_EV_IMPDEF                UINT64_C(0xffff0000fc00f000)

#define V9_SPE_FOREACH_EVENT(X) \
	X(0, EXCEPTION, 1, "", 0, "generated an exception") \
	X(1, RETIRED, 1, "", 1, "architecturally executed") \
	X(2, L1D_ACCESS, 1, "", 5, "level 1 data cache access") \
	X(3, L1D_REFILL, 1, "", 1, "level 1 data cache refill") \
	X(4, TLB_ACCESS, 1, "", 5, "TLB access") \
	X(5, TLB_WALK, 1, "", 1, "translation table walk") \
	X(6, NOT_TAKEN, 1, "", 3, "branch not taken, condition failed") \
	X(7, MISPREDICTED, 1, "", 1, "mispredicted") \
	X(8, LLC_ACCESS, 1, "", 5, "last level cache access") \
	X(9, LLC_MISS, 1, "", 5, "last level cache miss") \
	X(10, REMOTE_ACCESS, 1, "", 5, "access to another socket") \
	X(11, MISALIGNED, 2, "", 2, "misaligned address") \
	X(12, IMPDEF12, 1, "", 1, "") \
	X(13, IMPDEF13, 1, "", 1, "") \
	X(14, IMPDEF14, 1, "", 1, "") \
	X(15, IMPDEF15, 1, "", 1, "") \
	X(16, TRANSACTION, 1, "TME", 1, "in Transactional state (FEAT_TME, withdrawn)") \
	X(17, PARTIAL_PRED, 2, "SVE", 2, "SVE or SME predicate partly or wholly false") \
	X(18, EMPTY_PRED, 2, "SVE", 2, "SVE or SME predicate wholly false") \
	X(19, L2D_ACCESS, 5, "", 5, "load: level 2 data cache access") \
	X(20, L2D_MISS, 5, "", 5, "load: level 2 data cache miss") \
	X(21, DATA_MODIFIED, 5, "", 5, "load: data was modified in a cache") \
	X(22, RECENTLY_FETCHED, 5, "", 5, "load: line was fetched recently") \
	X(23, SNOOPED, 5, "", 5, "load: data came by a snoop") \
	X(24, STREAMING, 1, "SME", 1, "in Streaming SVE mode") \
	X(25, SMCU, 1, "SME", 1, "executed by a shared unit") \
	X(26, IMPDEF26, 1, "", 1, "") \
	X(27, IMPDEF27, 1, "", 1, "") \
	X(28, IMPDEF28, 1, "", 1, "") \
	X(29, IMPDEF29, 1, "", 1, "") \
	X(30, IMPDEF30, 1, "", 1, "") \
	X(31, IMPDEF31, 1, "", 1, "") \
	X(48, IMPDEF48, 1, "", 1, "") \
	X(49, IMPDEF49, 1, "", 1, "") \
	X(50, IMPDEF50, 1, "", 1, "") \
	X(51, IMPDEF51, 1, "", 1, "") \
	X(52, IMPDEF52, 1, "", 1, "") \
	X(53, IMPDEF53, 1, "", 1, "") \
	X(54, IMPDEF54, 1, "", 1, "") \
	X(55, IMPDEF55, 1, "", 1, "") \
	X(56, IMPDEF56, 1, "", 1, "") \
	X(57, IMPDEF57, 1, "", 1, "") \
	X(58, IMPDEF58, 1, "", 1, "") \
	X(59, IMPDEF59, 1, "", 1, "") \
	X(60, IMPDEF60, 1, "", 1, "") \
	X(61, IMPDEF61, 1, "", 1, "") \
	X(62, IMPDEF62, 1, "", 1, "") \
	X(63, IMPDEF63, 1, "", 1, "") \
	/* end */

/* Operation Type: index of the packet is the class */
enum {
	V9_SPE_OP_CLASS_OTHER,
	V9_SPE_OP_CLASS_LDST,
	V9_SPE_OP_CLASS_BRANCH,
};

#define V9_SPE_OP_OTHER                 0x00
#define V9_SPE_OP_OTHER_COND            0x01
#define V9_SPE_OP_OTHER_FP              0x02
#define V9_SPE_OP_OTHER_ASE             0x04
#define V9_SPE_OP_SVE                   0x08
#define V9_SPE_OP_SVE_EVL               0x70
#define V9_SPE_OP_SVE_PRED              0x04
#define V9_SPE_OP_SVE_FP                0x02
#define V9_SPE_OP_SME                   0x88
#define V9_SPE_OP_SME_ETS_HI            0x70
#define V9_SPE_OP_SME_ETS_LO            0x04
#define V9_SPE_OP_SME_FP                0x02
#define V9_SPE_OP_GPR                   0x00
#define V9_SPE_OP_GPR_STORE             0x01
#define V9_SPE_OP_SIMD_FP               0x04
#define V9_SPE_OP_SIMD_FP_STORE         0x01
#define V9_SPE_OP_EXTENDED              0x02
#define V9_SPE_OP_EXTENDED_STORE        0x01
#define V9_SPE_OP_EXTENDED_ATOMIC       0x04
#define V9_SPE_OP_EXTENDED_EXCL         0x08
#define V9_SPE_OP_EXTENDED_ACQ_REL      0x10
#define V9_SPE_OP_UNSPECIFIED           0x10
#define V9_SPE_OP_UNSPECIFIED_STORE     0x01
#define V9_SPE_OP_MTE_TAG               0x14
#define V9_SPE_OP_MTE_TAG_STORE         0x01
#define V9_SPE_OP_MEMCPY                0x20
#define V9_SPE_OP_MEMCPY_STORE          0x01
#define V9_SPE_OP_MEMSET                0x25
#define V9_SPE_OP_NV_SYSREG             0x30
#define V9_SPE_OP_NV_SYSREG_STORE       0x01
#define V9_SPE_OP_GCS                   0x40
#define V9_SPE_OP_GCS_STORE             0x01
#define V9_SPE_OP_GCS_COMMON            0x04
#define V9_SPE_OP_SVE_SME               0x08
#define V9_SPE_OP_SVE_SME_STORE         0x01
#define V9_SPE_OP_SVE_SME_PRED          0x04
#define V9_SPE_OP_SVE_SME_EVL           0x70
#define V9_SPE_OP_SVE_SME_GATHER        0x80
#define V9_SPE_OP_BRANCH                0x00
#define V9_SPE_OP_BRANCH_COND           0x01
#define V9_SPE_OP_BRANCH_INDIRECT       0x02
#define V9_SPE_OP_BRANCH_GCS            0x04
#define V9_SPE_OP_BRANCH_CR             0x18
#define V9_SPE_OP_BRANCH_CR_NONE 0
#define V9_SPE_OP_BRANCH_CR_CALL 1
#define V9_SPE_OP_BRANCH_CR_RETURN 2
#define V9_SPE_OP_BRANCH_CR_OTHER 3

#define V9_SPE_FOREACH_OP(X) \
	X(0, OTHER, 0xf8, 0x00, 1, "", "other") \
	X(0, SVE, 0x89, 0x08, 2, "", "SVE data processing") \
	X(0, SME, 0x89, 0x88, 1, "SME", "SME data processing") \
	X(1, GPR, 0xfe, 0x00, 1, "", "load or store of general-purpose registers") \
	X(1, SIMD_FP, 0xfe, 0x04, 1, "", "load or store of SIMD and FP registers") \
	X(1, EXTENDED, 0xe2, 0x02, 1, "", "atomic, exclusive, acquire, release") \
	X(1, UNSPECIFIED, 0xfe, 0x10, 2, "", "load or store of unspecified registers") \
	X(1, MTE_TAG, 0xfe, 0x14, 4, "", "load or store of allocation tags") \
	X(1, MEMCPY, 0xfe, 0x20, 4, "", "memory copy") \
	X(1, MEMSET, 0xff, 0x25, 4, "", "memory set") \
	X(1, NV_SYSREG, 0xfe, 0x30, 1, "NV2", "register access of EL1 turned into a memory access (FEAT_NV2)") \
	X(1, GCS, 0xfa, 0x40, 5, "", "guarded control stack") \
	X(1, SVE_SME, 0x0a, 0x08, 2, "", "load or store of SVE or SME registers") \
	X(2, BRANCH, 0xe0, 0x00, 1, "", "branch") \
	/* end */

#define V9_SPE_FOREACH_OP_FIELD(X) \
	X(0, OTHER, COND, 0x01) \
	X(0, OTHER, FP, 0x02) \
	X(0, OTHER, ASE, 0x04) \
	X(0, SVE, EVL, 0x70) \
	X(0, SVE, PRED, 0x04) \
	X(0, SVE, FP, 0x02) \
	X(0, SME, ETS_HI, 0x70) \
	X(0, SME, ETS_LO, 0x04) \
	X(0, SME, FP, 0x02) \
	X(1, GPR, STORE, 0x01) \
	X(1, SIMD_FP, STORE, 0x01) \
	X(1, EXTENDED, STORE, 0x01) \
	X(1, EXTENDED, ATOMIC, 0x04) \
	X(1, EXTENDED, EXCL, 0x08) \
	X(1, EXTENDED, ACQ_REL, 0x10) \
	X(1, UNSPECIFIED, STORE, 0x01) \
	X(1, MTE_TAG, STORE, 0x01) \
	X(1, MEMCPY, STORE, 0x01) \
	X(1, NV_SYSREG, STORE, 0x01) \
	X(1, GCS, STORE, 0x01) \
	X(1, GCS, COMMON, 0x04) \
	X(1, SVE_SME, STORE, 0x01) \
	X(1, SVE_SME, PRED, 0x04) \
	X(1, SVE_SME, EVL, 0x70) \
	X(1, SVE_SME, GATHER, 0x80) \
	X(2, BRANCH, COND, 0x01) \
	X(2, BRANCH, INDIRECT, 0x02) \
	X(2, BRANCH, GCS, 0x04) \
	X(2, BRANCH, CR, 0x18) \
	/* end */

#ifdef V9_SPE_DISPATCH
/* For tools/lib/spe_pkt.c: what a header is, and which header says what */
#define V9_SPE_PREFIX V9_SPE_KINDS
#define V9_SPE_NO_SIZE 255

struct v9_spe_header {
	uint8_t kind, size, index;
	uint8_t fixed;	/* byte 1: bits of the prefix that are 0, or the packet is UNKNOWN */
	uint8_t shift;	/* byte 1: where the other bits of the prefix go in the index */
};

static const struct v9_spe_header v9_spe_byte0[256] = {
	/* 0x00 */ { V9_SPE_PADDING, 0, 0, 0, 0 },
	/* 0x01 */ { V9_SPE_END, 0, 0, 0, 0 },
	/* 0x02 */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x03 */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x04 */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x05 */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x06 */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x07 */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x08 */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x09 */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x0a */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x0b */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x0c */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x0d */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x0e */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x0f */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x10 */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x11 */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x12 */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x13 */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x14 */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x15 */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x16 */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x17 */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x18 */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x19 */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x1a */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x1b */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x1c */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x1d */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x1e */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x1f */ { V9_SPE_UNKNOWN, 0, 0, 0, 0 },
	/* 0x20 */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x21 */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x22 */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x23 */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x24 */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x25 */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x26 */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x27 */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x28 */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x29 */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x2a */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x2b */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x2c */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x2d */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x2e */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x2f */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x30 */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x31 */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x32 */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x33 */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x34 */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x35 */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x36 */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x37 */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x38 */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x39 */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x3a */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x3b */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x3c */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x3d */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x3e */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x3f */ { V9_SPE_PREFIX, 255, 0, 0, 0 },
	/* 0x40 */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0x41 */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0x42 */ { V9_SPE_EVENTS, 1, 0, 0, 0 },
	/* 0x43 */ { V9_SPE_DATA_SOURCE, 1, 0, 0, 0 },
	/* 0x44 */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0x45 */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0x46 */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0x47 */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0x48 */ { V9_SPE_OP_TYPE, 1, 0, 0, 0 },
	/* 0x49 */ { V9_SPE_OP_TYPE, 1, 1, 0, 0 },
	/* 0x4a */ { V9_SPE_OP_TYPE, 1, 2, 0, 0 },
	/* 0x4b */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0x4c */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0x4d */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0x4e */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0x4f */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0x50 */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0x51 */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0x52 */ { V9_SPE_EVENTS, 2, 0, 0, 0 },
	/* 0x53 */ { V9_SPE_DATA_SOURCE, 2, 0, 0, 0 },
	/* 0x54 */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0x55 */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0x56 */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0x57 */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0x58 */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0x59 */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0x5a */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0x5b */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0x5c */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0x5d */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0x5e */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0x5f */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0x60 */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0x61 */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0x62 */ { V9_SPE_EVENTS, 4, 0, 0, 0 },
	/* 0x63 */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0x64 */ { V9_SPE_CONTEXT, 4, 0, 0, 0 },
	/* 0x65 */ { V9_SPE_CONTEXT, 4, 1, 0, 0 },
	/* 0x66 */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0x67 */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0x68 */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0x69 */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0x6a */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0x6b */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0x6c */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0x6d */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0x6e */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0x6f */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0x70 */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0x71 */ { V9_SPE_TIMESTAMP, 8, 0, 0, 0 },
	/* 0x72 */ { V9_SPE_EVENTS, 8, 0, 0, 0 },
	/* 0x73 */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0x74 */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0x75 */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0x76 */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0x77 */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0x78 */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0x79 */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0x7a */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0x7b */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0x7c */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0x7d */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0x7e */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0x7f */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0x80 */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0x81 */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0x82 */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0x83 */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0x84 */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0x85 */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0x86 */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0x87 */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0x88 */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0x89 */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0x8a */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0x8b */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0x8c */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0x8d */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0x8e */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0x8f */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0x90 */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0x91 */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0x92 */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0x93 */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0x94 */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0x95 */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0x96 */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0x97 */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0x98 */ { V9_SPE_COUNTER, 2, 0, 0, 0 },
	/* 0x99 */ { V9_SPE_COUNTER, 2, 1, 0, 0 },
	/* 0x9a */ { V9_SPE_COUNTER, 2, 2, 0, 0 },
	/* 0x9b */ { V9_SPE_COUNTER, 2, 3, 0, 0 },
	/* 0x9c */ { V9_SPE_COUNTER, 2, 4, 0, 0 },
	/* 0x9d */ { V9_SPE_COUNTER, 2, 5, 0, 0 },
	/* 0x9e */ { V9_SPE_COUNTER, 2, 6, 0, 0 },
	/* 0x9f */ { V9_SPE_COUNTER, 2, 7, 0, 0 },
	/* 0xa0 */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xa1 */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xa2 */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xa3 */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xa4 */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xa5 */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xa6 */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xa7 */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xa8 */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xa9 */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xaa */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xab */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xac */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xad */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xae */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xaf */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xb0 */ { V9_SPE_ADDRESS, 8, 0, 0, 0 },
	/* 0xb1 */ { V9_SPE_ADDRESS, 8, 1, 0, 0 },
	/* 0xb2 */ { V9_SPE_ADDRESS, 8, 2, 0, 0 },
	/* 0xb3 */ { V9_SPE_ADDRESS, 8, 3, 0, 0 },
	/* 0xb4 */ { V9_SPE_ADDRESS, 8, 4, 0, 0 },
	/* 0xb5 */ { V9_SPE_ADDRESS, 8, 5, 0, 0 },
	/* 0xb6 */ { V9_SPE_ADDRESS, 8, 6, 0, 0 },
	/* 0xb7 */ { V9_SPE_ADDRESS, 8, 7, 0, 0 },
	/* 0xb8 */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0xb9 */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0xba */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0xbb */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0xbc */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0xbd */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0xbe */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0xbf */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0xc0 */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0xc1 */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0xc2 */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0xc3 */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0xc4 */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0xc5 */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0xc6 */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0xc7 */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0xc8 */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0xc9 */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0xca */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0xcb */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0xcc */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0xcd */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0xce */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0xcf */ { V9_SPE_UNKNOWN, 1, 0, 0, 0 },
	/* 0xd0 */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0xd1 */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0xd2 */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0xd3 */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0xd4 */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0xd5 */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0xd6 */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0xd7 */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0xd8 */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0xd9 */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0xda */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0xdb */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0xdc */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0xdd */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0xde */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0xdf */ { V9_SPE_UNKNOWN, 2, 0, 0, 0 },
	/* 0xe0 */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xe1 */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xe2 */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xe3 */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xe4 */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xe5 */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xe6 */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xe7 */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xe8 */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xe9 */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xea */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xeb */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xec */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xed */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xee */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xef */ { V9_SPE_UNKNOWN, 4, 0, 0, 0 },
	/* 0xf0 */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0xf1 */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0xf2 */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0xf3 */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0xf4 */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0xf5 */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0xf6 */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0xf7 */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0xf8 */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0xf9 */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0xfa */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0xfb */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0xfc */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0xfd */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0xfe */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
	/* 0xff */ { V9_SPE_UNKNOWN, 8, 0, 0, 0 },
};

static const struct v9_spe_header v9_spe_byte1[256] = {
	/* 0x00 */ { V9_SPE_ALIGNMENT, 0, 0, 0x10, 0 },
	/* 0x01 */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x02 */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x03 */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x04 */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x05 */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x06 */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x07 */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x08 */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x09 */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x0a */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x0b */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x0c */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x0d */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x0e */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x0f */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x10 */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x11 */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x12 */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x13 */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x14 */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x15 */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x16 */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x17 */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x18 */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x19 */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x1a */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x1b */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x1c */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x1d */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x1e */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x1f */ { V9_SPE_UNKNOWN, 0, 0, 0x00, 0 },
	/* 0x20 */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x21 */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x22 */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x23 */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x24 */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x25 */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x26 */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x27 */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x28 */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x29 */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x2a */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x2b */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x2c */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x2d */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x2e */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x2f */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x30 */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x31 */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x32 */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x33 */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x34 */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x35 */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x36 */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x37 */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x38 */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x39 */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x3a */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x3b */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x3c */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x3d */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x3e */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x3f */ { V9_SPE_UNKNOWN, 255, 0, 0x00, 0 },
	/* 0x40 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x41 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x42 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x43 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x44 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x45 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x46 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x47 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x48 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x49 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x4a */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x4b */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x4c */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x4d */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x4e */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x4f */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x50 */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0x51 */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0x52 */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0x53 */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0x54 */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0x55 */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0x56 */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0x57 */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0x58 */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0x59 */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0x5a */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0x5b */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0x5c */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0x5d */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0x5e */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0x5f */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0x60 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0x61 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0x62 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0x63 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0x64 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0x65 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0x66 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0x67 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0x68 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0x69 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0x6a */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0x6b */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0x6c */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0x6d */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0x6e */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0x6f */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0x70 */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0x71 */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0x72 */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0x73 */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0x74 */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0x75 */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0x76 */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0x77 */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0x78 */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0x79 */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0x7a */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0x7b */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0x7c */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0x7d */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0x7e */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0x7f */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0x80 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x81 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x82 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x83 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x84 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x85 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x86 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x87 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x88 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x89 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x8a */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x8b */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x8c */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x8d */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x8e */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x8f */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0x90 */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0x91 */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0x92 */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0x93 */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0x94 */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0x95 */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0x96 */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0x97 */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0x98 */ { V9_SPE_COUNTER, 2, 0, 0x1c, 3 },
	/* 0x99 */ { V9_SPE_COUNTER, 2, 1, 0x1c, 3 },
	/* 0x9a */ { V9_SPE_COUNTER, 2, 2, 0x1c, 3 },
	/* 0x9b */ { V9_SPE_COUNTER, 2, 3, 0x1c, 3 },
	/* 0x9c */ { V9_SPE_COUNTER, 2, 4, 0x1c, 3 },
	/* 0x9d */ { V9_SPE_COUNTER, 2, 5, 0x1c, 3 },
	/* 0x9e */ { V9_SPE_COUNTER, 2, 6, 0x1c, 3 },
	/* 0x9f */ { V9_SPE_COUNTER, 2, 7, 0x1c, 3 },
	/* 0xa0 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xa1 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xa2 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xa3 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xa4 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xa5 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xa6 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xa7 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xa8 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xa9 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xaa */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xab */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xac */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xad */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xae */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xaf */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xb0 */ { V9_SPE_ADDRESS, 8, 0, 0x1c, 3 },
	/* 0xb1 */ { V9_SPE_ADDRESS, 8, 1, 0x1c, 3 },
	/* 0xb2 */ { V9_SPE_ADDRESS, 8, 2, 0x1c, 3 },
	/* 0xb3 */ { V9_SPE_ADDRESS, 8, 3, 0x1c, 3 },
	/* 0xb4 */ { V9_SPE_ADDRESS, 8, 4, 0x1c, 3 },
	/* 0xb5 */ { V9_SPE_ADDRESS, 8, 5, 0x1c, 3 },
	/* 0xb6 */ { V9_SPE_ADDRESS, 8, 6, 0x1c, 3 },
	/* 0xb7 */ { V9_SPE_ADDRESS, 8, 7, 0x1c, 3 },
	/* 0xb8 */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0xb9 */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0xba */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0xbb */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0xbc */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0xbd */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0xbe */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0xbf */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0xc0 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0xc1 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0xc2 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0xc3 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0xc4 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0xc5 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0xc6 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0xc7 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0xc8 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0xc9 */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0xca */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0xcb */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0xcc */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0xcd */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0xce */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0xcf */ { V9_SPE_UNKNOWN, 1, 0, 0x00, 0 },
	/* 0xd0 */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0xd1 */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0xd2 */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0xd3 */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0xd4 */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0xd5 */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0xd6 */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0xd7 */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0xd8 */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0xd9 */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0xda */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0xdb */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0xdc */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0xdd */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0xde */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0xdf */ { V9_SPE_UNKNOWN, 2, 0, 0x00, 0 },
	/* 0xe0 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xe1 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xe2 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xe3 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xe4 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xe5 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xe6 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xe7 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xe8 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xe9 */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xea */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xeb */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xec */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xed */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xee */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xef */ { V9_SPE_UNKNOWN, 4, 0, 0x00, 0 },
	/* 0xf0 */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0xf1 */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0xf2 */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0xf3 */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0xf4 */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0xf5 */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0xf6 */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0xf7 */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0xf8 */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0xf9 */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0xfa */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0xfb */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0xfc */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0xfd */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0xfe */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
	/* 0xff */ { V9_SPE_UNKNOWN, 8, 0, 0x00, 0 },
};

struct v9_spe_how {
	uint8_t kind, first, count, size, prefix, header, shift;
};

static const struct v9_spe_how v9_spe_how[] = {
	{ V9_SPE_PADDING, 0, 1, 0, 0x00, 0x00, 0 },
	{ V9_SPE_END, 0, 1, 0, 0x00, 0x01, 0 },
	{ V9_SPE_TIMESTAMP, 0, 1, 8, 0x00, 0x71, 0 },
	{ V9_SPE_EVENTS, 0, 1, 1, 0x00, 0x42, 0 },
	{ V9_SPE_EVENTS, 0, 1, 2, 0x00, 0x52, 0 },
	{ V9_SPE_EVENTS, 0, 1, 4, 0x00, 0x62, 0 },
	{ V9_SPE_EVENTS, 0, 1, 8, 0x00, 0x72, 0 },
	{ V9_SPE_DATA_SOURCE, 0, 1, 1, 0x00, 0x43, 0 },
	{ V9_SPE_DATA_SOURCE, 0, 1, 2, 0x00, 0x53, 0 },
	{ V9_SPE_CONTEXT, 0, 2, 4, 0x00, 0x64, 1 },
	{ V9_SPE_OP_TYPE, 0, 1, 1, 0x00, 0x48, 0 },
	{ V9_SPE_OP_TYPE, 1, 1, 1, 0x00, 0x49, 0 },
	{ V9_SPE_OP_TYPE, 2, 1, 1, 0x00, 0x4a, 0 },
	{ V9_SPE_COUNTER, 0, 8, 2, 0x00, 0x98, 3 },
	{ V9_SPE_ADDRESS, 0, 8, 8, 0x00, 0xb0, 3 },
	{ V9_SPE_ALIGNMENT, 0, 16, 0, 0x20, 0x00, 0 },
	{ V9_SPE_COUNTER, 0, 32, 2, 0x20, 0x98, 3 },
	{ V9_SPE_ADDRESS, 0, 32, 8, 0x20, 0xb0, 3 },
};
#endif

#endif
