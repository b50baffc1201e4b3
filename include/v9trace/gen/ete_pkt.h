/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Made by tools/gen/gen.sh from tables/ete.pkt. Do not edit.
 *
 * Names, as constants and as rows for whoever prints or matches:
 *   V9_ETE_FOREACH_PACKET(X)     X(NAME, KIND, "text")
 *   V9_ETE_FOREACH_EXCEPTION(X)  X(type, NAME, "text"); reserved types have no row
 *   V9_ETE_FOREACH_REASON(X)     X(NAME, "text")
 */
#ifndef V9TRACE_GEN_ETE_PKT_H
#define V9TRACE_GEN_ETE_PKT_H

#include "../ete.h"

/* Which of the manual's packets: v9_ete_pkt.name */
enum v9_ete_name {
	V9_ETE_P_ANY = V9_ETE_PKT_ANY,
	V9_ETE_P_ALIGNMENT_SYNC,
	V9_ETE_P_DISCARD,
	V9_ETE_P_OVERFLOW,
	V9_ETE_P_TRACE_INFO,
	V9_ETE_P_TIMESTAMP,
	V9_ETE_P_TIMESTAMP_COUNT,
	V9_ETE_P_TRACE_ON,
	V9_ETE_P_EXCEPTION,
	V9_ETE_P_INSTRUMENTATION,
	V9_ETE_P_TRANSACTION_START,
	V9_ETE_P_TRANSACTION_COMMIT,
	V9_ETE_P_CYCLE_COUNT_F2_0_SMALL,
	V9_ETE_P_CYCLE_COUNT_F2_0_LARGE,
	V9_ETE_P_CYCLE_COUNT_F1_0,
	V9_ETE_P_CYCLE_COUNT_F1_0_UNKNOWN,
	V9_ETE_P_CYCLE_COUNT_F3_0,
	V9_ETE_P_CYCLE_COUNT_F2_1,
	V9_ETE_P_CYCLE_COUNT_F1_1,
	V9_ETE_P_CYCLE_COUNT_F1_1_UNKNOWN,
	V9_ETE_P_CYCLE_COUNT_F3_1,
	V9_ETE_P_COMMIT,
	V9_ETE_P_CANCEL_F1,
	V9_ETE_P_CANCEL_F1_MISPREDICT,
	V9_ETE_P_MISPREDICT,
	V9_ETE_P_CANCEL_F2,
	V9_ETE_P_CANCEL_F3,
	V9_ETE_P_IGNORE,
	V9_ETE_P_EVENT,
	V9_ETE_P_CONTEXT_SAME,
	V9_ETE_P_CONTEXT,
	V9_ETE_P_TARGET_ADDRESS_CONTEXT_32_IS0,
	V9_ETE_P_TARGET_ADDRESS_CONTEXT_32_IS1,
	V9_ETE_P_TARGET_ADDRESS_CONTEXT_64_IS0,
	V9_ETE_P_TARGET_ADDRESS_CONTEXT_64_IS1,
	V9_ETE_P_TIMESTAMP_MARKER,
	V9_ETE_P_TARGET_ADDRESS_EXACT_MATCH,
	V9_ETE_P_TARGET_ADDRESS_SHORT_IS0,
	V9_ETE_P_TARGET_ADDRESS_SHORT_IS1,
	V9_ETE_P_TARGET_ADDRESS_32_IS0,
	V9_ETE_P_TARGET_ADDRESS_32_IS1,
	V9_ETE_P_TARGET_ADDRESS_64_IS0,
	V9_ETE_P_TARGET_ADDRESS_64_IS1,
	V9_ETE_P_Q_EXACT_MATCH,
	V9_ETE_P_Q_SHORT_IS0,
	V9_ETE_P_Q_SHORT_IS1,
	V9_ETE_P_Q_32_IS0,
	V9_ETE_P_Q_32_IS1,
	V9_ETE_P_Q_COUNT,
	V9_ETE_P_Q,
	V9_ETE_P_SOURCE_ADDRESS_EXACT_MATCH,
	V9_ETE_P_SOURCE_ADDRESS_SHORT_IS0,
	V9_ETE_P_SOURCE_ADDRESS_SHORT_IS1,
	V9_ETE_P_SOURCE_ADDRESS_32_IS0,
	V9_ETE_P_SOURCE_ADDRESS_32_IS1,
	V9_ETE_P_SOURCE_ADDRESS_64_IS0,
	V9_ETE_P_SOURCE_ADDRESS_64_IS1,
	V9_ETE_P_ATOM_F6,
	V9_ETE_P_ATOM_F5,
	V9_ETE_P_ATOM_F2,
	V9_ETE_P_ATOM_F4,
	V9_ETE_P_ATOM_F1,
	V9_ETE_P_ATOM_F3,
	V9_ETE_NAMES
};

#define V9_ETE_FOREACH_PACKET(X) \
	X(ALIGNMENT_SYNC, ASYNC, "Alignment Synchronization") \
	X(DISCARD, DISCARD, "Discard") \
	X(OVERFLOW, OVERFLOW, "Overflow") \
	X(TRACE_INFO, INFO, "Trace Info") \
	X(TIMESTAMP, TIMESTAMP, "Timestamp") \
	X(TIMESTAMP_COUNT, TIMESTAMP, "Timestamp with cycle count") \
	X(TRACE_ON, TRACE_ON, "Trace On") \
	X(EXCEPTION, EXCEPTION, "Exception") \
	X(INSTRUMENTATION, INSTRUMENTATION, "Instrumentation") \
	X(TRANSACTION_START, TX_START, "Transaction Start") \
	X(TRANSACTION_COMMIT, TX_COMMIT, "Transaction Commit") \
	X(CYCLE_COUNT_F2_0_SMALL, CYCLES, "Cycle Count format 2_0, few commits") \
	X(CYCLE_COUNT_F2_0_LARGE, CYCLES, "Cycle Count format 2_0, many commits") \
	X(CYCLE_COUNT_F1_0, CYCLES, "Cycle Count format 1_0") \
	X(CYCLE_COUNT_F1_0_UNKNOWN, CYCLES, "Cycle Count format 1_0, unknown") \
	X(CYCLE_COUNT_F3_0, CYCLES, "Cycle Count format 3_0") \
	X(CYCLE_COUNT_F2_1, CYCLES, "Cycle Count format 2_1") \
	X(CYCLE_COUNT_F1_1, CYCLES, "Cycle Count format 1_1") \
	X(CYCLE_COUNT_F1_1_UNKNOWN, CYCLES, "Cycle Count format 1_1, unknown") \
	X(CYCLE_COUNT_F3_1, CYCLES, "Cycle Count format 3_1") \
	X(COMMIT, COMMIT, "Commit") \
	X(CANCEL_F1, CANCEL, "Cancel format 1") \
	X(CANCEL_F1_MISPREDICT, CANCEL, "Cancel format 1 with Mispredict") \
	X(MISPREDICT, MISPREDICT, "Mispredict") \
	X(CANCEL_F2, CANCEL, "Cancel format 2") \
	X(CANCEL_F3, CANCEL, "Cancel format 3") \
	X(IGNORE, IGNORE, "Ignore") \
	X(EVENT, EVENT, "Event") \
	X(CONTEXT_SAME, CONTEXT, "Context, unchanged") \
	X(CONTEXT, CONTEXT, "Context") \
	X(TARGET_ADDRESS_CONTEXT_32_IS0, ADDRESS, "Target Address with Context 32-bit IS0") \
	X(TARGET_ADDRESS_CONTEXT_32_IS1, ADDRESS, "Target Address with Context 32-bit IS1") \
	X(TARGET_ADDRESS_CONTEXT_64_IS0, ADDRESS, "Target Address with Context 64-bit IS0") \
	X(TARGET_ADDRESS_CONTEXT_64_IS1, ADDRESS, "Target Address with Context 64-bit IS1") \
	X(TIMESTAMP_MARKER, MARKER, "Timestamp Marker") \
	X(TARGET_ADDRESS_EXACT_MATCH, ADDRESS, "Target Address Exact Match") \
	X(TARGET_ADDRESS_SHORT_IS0, ADDRESS, "Target Address Short IS0") \
	X(TARGET_ADDRESS_SHORT_IS1, ADDRESS, "Target Address Short IS1") \
	X(TARGET_ADDRESS_32_IS0, ADDRESS, "Target Address 32-bit IS0") \
	X(TARGET_ADDRESS_32_IS1, ADDRESS, "Target Address 32-bit IS1") \
	X(TARGET_ADDRESS_64_IS0, ADDRESS, "Target Address 64-bit IS0") \
	X(TARGET_ADDRESS_64_IS1, ADDRESS, "Target Address 64-bit IS1") \
	X(Q_EXACT_MATCH, Q, "Q Exact Match") \
	X(Q_SHORT_IS0, Q, "Q with Short Address IS0") \
	X(Q_SHORT_IS1, Q, "Q with Short Address IS1") \
	X(Q_32_IS0, Q, "Q with 32-bit Address IS0") \
	X(Q_32_IS1, Q, "Q with 32-bit Address IS1") \
	X(Q_COUNT, Q, "Q with count") \
	X(Q, Q, "Q") \
	X(SOURCE_ADDRESS_EXACT_MATCH, SOURCE, "Source Address Exact Match") \
	X(SOURCE_ADDRESS_SHORT_IS0, SOURCE, "Source Address Short IS0") \
	X(SOURCE_ADDRESS_SHORT_IS1, SOURCE, "Source Address Short IS1") \
	X(SOURCE_ADDRESS_32_IS0, SOURCE, "Source Address 32-bit IS0") \
	X(SOURCE_ADDRESS_32_IS1, SOURCE, "Source Address 32-bit IS1") \
	X(SOURCE_ADDRESS_64_IS0, SOURCE, "Source Address 64-bit IS0") \
	X(SOURCE_ADDRESS_64_IS1, SOURCE, "Source Address 64-bit IS1") \
	X(ATOM_F6, ATOMS, "Atom format 6") \
	X(ATOM_F5, ATOMS, "Atom format 5.2") \
	X(ATOM_F2, ATOMS, "Atom format 2") \
	X(ATOM_F4, ATOMS, "Atom format 4") \
	X(ATOM_F1, ATOMS, "Atom format 1") \
	X(ATOM_F3, ATOMS, "Atom format 3") \
	/* end */

/* v9_ete_pktdec.reason */
enum v9_ete_reason {
	V9_ETE_BAD_NAME,
	V9_ETE_BAD_NONE,
	V9_ETE_BAD_HEADER,
	V9_ETE_BAD_HEADER_HERE,
	V9_ETE_BAD_EXTENSION,
	V9_ETE_BAD_ASYNC,
	V9_ETE_BAD_INFO,
	V9_ETE_BAD_NUMBER,
	V9_ETE_BAD_ADDRESS,
	V9_ETE_BAD_CONTEXT,
	V9_ETE_BAD_EXCEPTION,
	V9_ETE_BAD_EXCEPTION_ADDRESS,
	V9_ETE_BAD_CYCLES,
	V9_ETE_BAD_INSTRUMENTATION,
	V9_ETE_BAD_ZERO,
	V9_ETE_REASONS
};

#define V9_ETE_FOREACH_REASON(X) \
	X(NAME, "text") \
	X(NONE, "nothing wrong") \
	X(HEADER, "reserved header") \
	X(HEADER_HERE, "header that this trace unit does not have") \
	X(EXTENSION, "reserved extension packet") \
	X(ASYNC, "broken alignment synchronization") \
	X(INFO, "reserved bits in a Trace Info packet") \
	X(NUMBER, "number too large for its field") \
	X(ADDRESS, "reserved bits in an address") \
	X(CONTEXT, "reserved bits in a context") \
	X(EXCEPTION, "reserved exception type or form") \
	X(EXCEPTION_ADDRESS, "exception without an address") \
	X(CYCLES, "reserved or impossible cycle count") \
	X(INSTRUMENTATION, "reserved bits in an Instrumentation packet") \
	X(ZERO, "count of zero where there is none") \
	/* end */

#define V9_ETE_FOREACH_EXCEPTION(X) \
	X(0, RESET, "PE reset") \
	X(1, DEBUG_HALT, "debug halt") \
	X(2, CALL, "call") \
	X(3, TRAP, "trap") \
	X(4, SERROR, "system error") \
	X(6, INST_DEBUG, "instruction debug") \
	X(7, DATA_DEBUG, "data debug") \
	X(10, ALIGNMENT, "alignment") \
	X(11, INST_FAULT, "instruction fault") \
	X(12, DATA_FAULT, "data fault") \
	X(14, IRQ, "IRQ") \
	X(15, FIQ, "FIQ") \
	X(16, IMPDEF0, "implementation defined 0") \
	X(17, IMPDEF1, "implementation defined 1") \
	X(18, IMPDEF2, "implementation defined 2") \
	X(19, IMPDEF3, "implementation defined 3") \
	X(20, IMPDEF4, "implementation defined 4") \
	X(21, IMPDEF5, "implementation defined 5") \
	X(22, IMPDEF6, "implementation defined 6") \
	X(23, IMPDEF7, "implementation defined 7") \
	X(24, TX_FAILURE, "transaction failure") \
	/* end */

_Static_assert(V9_ETE_EXC_RESET == 0, "PE reset");
_Static_assert(V9_ETE_EXC_DEBUG_HALT == 1, "debug halt");
_Static_assert(V9_ETE_EXC_CALL == 2, "call");
_Static_assert(V9_ETE_EXC_TRAP == 3, "trap");
_Static_assert(V9_ETE_EXC_SERROR == 4, "system error");
_Static_assert(V9_ETE_EXC_INST_DEBUG == 6, "instruction debug");
_Static_assert(V9_ETE_EXC_DATA_DEBUG == 7, "data debug");
_Static_assert(V9_ETE_EXC_ALIGNMENT == 10, "alignment");
_Static_assert(V9_ETE_EXC_INST_FAULT == 11, "instruction fault");
_Static_assert(V9_ETE_EXC_DATA_FAULT == 12, "data fault");
_Static_assert(V9_ETE_EXC_IRQ == 14, "IRQ");
_Static_assert(V9_ETE_EXC_FIQ == 15, "FIQ");
_Static_assert(V9_ETE_EXC_TX_FAILURE == 24, "transaction failure");

#ifdef V9_ETE_DISPATCH
/* For tools/lib/ete_pkt.c: what a header is, and which header says what */
enum {
	V9_ETE_RESERVED = V9_ETE_KINDS,
};

enum {
	V9_ETE_A_NONE,
	V9_ETE_A_EXACT,
	V9_ETE_A_S0,
	V9_ETE_A_S1,
	V9_ETE_A_L32_0,
	V9_ETE_A_L32_1,
	V9_ETE_A_L64_0,
	V9_ETE_A_L64_1,
};

enum {
	V9_ETE_PART_CTX = 1,
	V9_ETE_PART_TS = 2,
	V9_ETE_PART_COMMIT = 4,
	V9_ETE_PART_CANCEL = 8,
	V9_ETE_PART_NIBBLES = 16,
	V9_ETE_PART_COUNT20 = 32,
	V9_ETE_PART_COUNT32 = 64,
};

enum {
	V9_ETE_NEEDS_MAXSPEC = 1,
	V9_ETE_NEEDS_TSMARK = 2,
	V9_ETE_NEEDS_ITE = 3,
};

struct v9_ete_header {
	uint8_t kind, name, addr, needs, natoms, parts;
	uint32_t atoms;
};

/* By TRCIDR0.COMMOPT and first byte; EXTENSION's name is that of the Alignment Sync */
#define V9_ETE_P_EXTENSION V9_ETE_P_ALIGNMENT_SYNC
static const struct v9_ete_header v9_ete_headers[2][256] = {
	{
		/* 0x00 */ { V9_ETE_ASYNC, V9_ETE_P_EXTENSION, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x01 */ { V9_ETE_INFO, V9_ETE_P_TRACE_INFO, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x02 */ { V9_ETE_TIMESTAMP, V9_ETE_P_TIMESTAMP, V9_ETE_A_NONE, 0, 0, V9_ETE_PART_TS, 0x0 },
		/* 0x03 */ { V9_ETE_TIMESTAMP, V9_ETE_P_TIMESTAMP_COUNT, V9_ETE_A_NONE, 0, 0, V9_ETE_PART_TS | V9_ETE_PART_COUNT20, 0x0 },
		/* 0x04 */ { V9_ETE_TRACE_ON, V9_ETE_P_TRACE_ON, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x05 */ { .kind = V9_ETE_RESERVED },
		/* 0x06 */ { V9_ETE_EXCEPTION, V9_ETE_P_EXCEPTION, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x07 */ { .kind = V9_ETE_RESERVED },
		/* 0x08 */ { .kind = V9_ETE_RESERVED },
		/* 0x09 */ { V9_ETE_INSTRUMENTATION, V9_ETE_P_INSTRUMENTATION, V9_ETE_A_NONE, 3, 0, 0, 0x0 },
		/* 0x0a */ { V9_ETE_TX_START, V9_ETE_P_TRANSACTION_START, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x0b */ { V9_ETE_TX_COMMIT, V9_ETE_P_TRANSACTION_COMMIT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x0c */ { V9_ETE_CYCLES, V9_ETE_P_CYCLE_COUNT_F2_0_SMALL, V9_ETE_A_NONE, 0, 0, V9_ETE_PART_NIBBLES, 0x0 },
		/* 0x0d */ { V9_ETE_CYCLES, V9_ETE_P_CYCLE_COUNT_F2_0_LARGE, V9_ETE_A_NONE, 0, 0, V9_ETE_PART_NIBBLES, 0x0 },
		/* 0x0e */ { V9_ETE_CYCLES, V9_ETE_P_CYCLE_COUNT_F1_0, V9_ETE_A_NONE, 0, 0, V9_ETE_PART_COMMIT | V9_ETE_PART_COUNT20, 0x0 },
		/* 0x0f */ { V9_ETE_CYCLES, V9_ETE_P_CYCLE_COUNT_F1_0_UNKNOWN, V9_ETE_A_NONE, 0, 0, V9_ETE_PART_COMMIT, 0x0 },
		/* 0x10 */ { V9_ETE_CYCLES, V9_ETE_P_CYCLE_COUNT_F3_0, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x11 */ { V9_ETE_CYCLES, V9_ETE_P_CYCLE_COUNT_F3_0, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x12 */ { V9_ETE_CYCLES, V9_ETE_P_CYCLE_COUNT_F3_0, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x13 */ { V9_ETE_CYCLES, V9_ETE_P_CYCLE_COUNT_F3_0, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x14 */ { V9_ETE_CYCLES, V9_ETE_P_CYCLE_COUNT_F3_0, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x15 */ { V9_ETE_CYCLES, V9_ETE_P_CYCLE_COUNT_F3_0, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x16 */ { V9_ETE_CYCLES, V9_ETE_P_CYCLE_COUNT_F3_0, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x17 */ { V9_ETE_CYCLES, V9_ETE_P_CYCLE_COUNT_F3_0, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x18 */ { V9_ETE_CYCLES, V9_ETE_P_CYCLE_COUNT_F3_0, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x19 */ { V9_ETE_CYCLES, V9_ETE_P_CYCLE_COUNT_F3_0, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x1a */ { V9_ETE_CYCLES, V9_ETE_P_CYCLE_COUNT_F3_0, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x1b */ { V9_ETE_CYCLES, V9_ETE_P_CYCLE_COUNT_F3_0, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x1c */ { V9_ETE_CYCLES, V9_ETE_P_CYCLE_COUNT_F3_0, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x1d */ { V9_ETE_CYCLES, V9_ETE_P_CYCLE_COUNT_F3_0, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x1e */ { V9_ETE_CYCLES, V9_ETE_P_CYCLE_COUNT_F3_0, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x1f */ { V9_ETE_CYCLES, V9_ETE_P_CYCLE_COUNT_F3_0, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x20 */ { .kind = V9_ETE_RESERVED },
		/* 0x21 */ { .kind = V9_ETE_RESERVED },
		/* 0x22 */ { .kind = V9_ETE_RESERVED },
		/* 0x23 */ { .kind = V9_ETE_RESERVED },
		/* 0x24 */ { .kind = V9_ETE_RESERVED },
		/* 0x25 */ { .kind = V9_ETE_RESERVED },
		/* 0x26 */ { .kind = V9_ETE_RESERVED },
		/* 0x27 */ { .kind = V9_ETE_RESERVED },
		/* 0x28 */ { .kind = V9_ETE_RESERVED },
		/* 0x29 */ { .kind = V9_ETE_RESERVED },
		/* 0x2a */ { .kind = V9_ETE_RESERVED },
		/* 0x2b */ { .kind = V9_ETE_RESERVED },
		/* 0x2c */ { .kind = V9_ETE_RESERVED },
		/* 0x2d */ { V9_ETE_COMMIT, V9_ETE_P_COMMIT, V9_ETE_A_NONE, 1, 0, V9_ETE_PART_COMMIT, 0x0 },
		/* 0x2e */ { V9_ETE_CANCEL, V9_ETE_P_CANCEL_F1, V9_ETE_A_NONE, 1, 0, V9_ETE_PART_CANCEL, 0x0 },
		/* 0x2f */ { V9_ETE_CANCEL, V9_ETE_P_CANCEL_F1_MISPREDICT, V9_ETE_A_NONE, 1, 0, V9_ETE_PART_CANCEL, 0x0 },
		/* 0x30 */ { V9_ETE_MISPREDICT, V9_ETE_P_MISPREDICT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x31 */ { V9_ETE_MISPREDICT, V9_ETE_P_MISPREDICT, V9_ETE_A_NONE, 0, 1, 0, 0x1 },
		/* 0x32 */ { V9_ETE_MISPREDICT, V9_ETE_P_MISPREDICT, V9_ETE_A_NONE, 0, 2, 0, 0x3 },
		/* 0x33 */ { V9_ETE_MISPREDICT, V9_ETE_P_MISPREDICT, V9_ETE_A_NONE, 0, 1, 0, 0x0 },
		/* 0x34 */ { V9_ETE_CANCEL, V9_ETE_P_CANCEL_F2, V9_ETE_A_NONE, 1, 0, 0, 0x0 },
		/* 0x35 */ { V9_ETE_CANCEL, V9_ETE_P_CANCEL_F2, V9_ETE_A_NONE, 1, 1, 0, 0x1 },
		/* 0x36 */ { V9_ETE_CANCEL, V9_ETE_P_CANCEL_F2, V9_ETE_A_NONE, 1, 2, 0, 0x3 },
		/* 0x37 */ { V9_ETE_CANCEL, V9_ETE_P_CANCEL_F2, V9_ETE_A_NONE, 1, 1, 0, 0x0 },
		/* 0x38 */ { V9_ETE_CANCEL, V9_ETE_P_CANCEL_F3, V9_ETE_A_NONE, 1, 0, 0, 0x0 },
		/* 0x39 */ { V9_ETE_CANCEL, V9_ETE_P_CANCEL_F3, V9_ETE_A_NONE, 1, 1, 0, 0x1 },
		/* 0x3a */ { V9_ETE_CANCEL, V9_ETE_P_CANCEL_F3, V9_ETE_A_NONE, 1, 0, 0, 0x0 },
		/* 0x3b */ { V9_ETE_CANCEL, V9_ETE_P_CANCEL_F3, V9_ETE_A_NONE, 1, 1, 0, 0x1 },
		/* 0x3c */ { V9_ETE_CANCEL, V9_ETE_P_CANCEL_F3, V9_ETE_A_NONE, 1, 0, 0, 0x0 },
		/* 0x3d */ { V9_ETE_CANCEL, V9_ETE_P_CANCEL_F3, V9_ETE_A_NONE, 1, 1, 0, 0x1 },
		/* 0x3e */ { V9_ETE_CANCEL, V9_ETE_P_CANCEL_F3, V9_ETE_A_NONE, 1, 0, 0, 0x0 },
		/* 0x3f */ { V9_ETE_CANCEL, V9_ETE_P_CANCEL_F3, V9_ETE_A_NONE, 1, 1, 0, 0x1 },
		/* 0x40 */ { .kind = V9_ETE_RESERVED },
		/* 0x41 */ { .kind = V9_ETE_RESERVED },
		/* 0x42 */ { .kind = V9_ETE_RESERVED },
		/* 0x43 */ { .kind = V9_ETE_RESERVED },
		/* 0x44 */ { .kind = V9_ETE_RESERVED },
		/* 0x45 */ { .kind = V9_ETE_RESERVED },
		/* 0x46 */ { .kind = V9_ETE_RESERVED },
		/* 0x47 */ { .kind = V9_ETE_RESERVED },
		/* 0x48 */ { .kind = V9_ETE_RESERVED },
		/* 0x49 */ { .kind = V9_ETE_RESERVED },
		/* 0x4a */ { .kind = V9_ETE_RESERVED },
		/* 0x4b */ { .kind = V9_ETE_RESERVED },
		/* 0x4c */ { .kind = V9_ETE_RESERVED },
		/* 0x4d */ { .kind = V9_ETE_RESERVED },
		/* 0x4e */ { .kind = V9_ETE_RESERVED },
		/* 0x4f */ { .kind = V9_ETE_RESERVED },
		/* 0x50 */ { .kind = V9_ETE_RESERVED },
		/* 0x51 */ { .kind = V9_ETE_RESERVED },
		/* 0x52 */ { .kind = V9_ETE_RESERVED },
		/* 0x53 */ { .kind = V9_ETE_RESERVED },
		/* 0x54 */ { .kind = V9_ETE_RESERVED },
		/* 0x55 */ { .kind = V9_ETE_RESERVED },
		/* 0x56 */ { .kind = V9_ETE_RESERVED },
		/* 0x57 */ { .kind = V9_ETE_RESERVED },
		/* 0x58 */ { .kind = V9_ETE_RESERVED },
		/* 0x59 */ { .kind = V9_ETE_RESERVED },
		/* 0x5a */ { .kind = V9_ETE_RESERVED },
		/* 0x5b */ { .kind = V9_ETE_RESERVED },
		/* 0x5c */ { .kind = V9_ETE_RESERVED },
		/* 0x5d */ { .kind = V9_ETE_RESERVED },
		/* 0x5e */ { .kind = V9_ETE_RESERVED },
		/* 0x5f */ { .kind = V9_ETE_RESERVED },
		/* 0x60 */ { .kind = V9_ETE_RESERVED },
		/* 0x61 */ { .kind = V9_ETE_RESERVED },
		/* 0x62 */ { .kind = V9_ETE_RESERVED },
		/* 0x63 */ { .kind = V9_ETE_RESERVED },
		/* 0x64 */ { .kind = V9_ETE_RESERVED },
		/* 0x65 */ { .kind = V9_ETE_RESERVED },
		/* 0x66 */ { .kind = V9_ETE_RESERVED },
		/* 0x67 */ { .kind = V9_ETE_RESERVED },
		/* 0x68 */ { .kind = V9_ETE_RESERVED },
		/* 0x69 */ { .kind = V9_ETE_RESERVED },
		/* 0x6a */ { .kind = V9_ETE_RESERVED },
		/* 0x6b */ { .kind = V9_ETE_RESERVED },
		/* 0x6c */ { .kind = V9_ETE_RESERVED },
		/* 0x6d */ { .kind = V9_ETE_RESERVED },
		/* 0x6e */ { .kind = V9_ETE_RESERVED },
		/* 0x6f */ { .kind = V9_ETE_RESERVED },
		/* 0x70 */ { V9_ETE_IGNORE, V9_ETE_P_IGNORE, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x71 */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x72 */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x73 */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x74 */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x75 */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x76 */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x77 */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x78 */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x79 */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x7a */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x7b */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x7c */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x7d */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x7e */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x7f */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x80 */ { V9_ETE_CONTEXT, V9_ETE_P_CONTEXT_SAME, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x81 */ { V9_ETE_CONTEXT, V9_ETE_P_CONTEXT, V9_ETE_A_NONE, 0, 0, V9_ETE_PART_CTX, 0x0 },
		/* 0x82 */ { V9_ETE_ADDRESS, V9_ETE_P_TARGET_ADDRESS_CONTEXT_32_IS0, V9_ETE_A_L32_0, 0, 0, V9_ETE_PART_CTX, 0x0 },
		/* 0x83 */ { V9_ETE_ADDRESS, V9_ETE_P_TARGET_ADDRESS_CONTEXT_32_IS1, V9_ETE_A_L32_1, 0, 0, V9_ETE_PART_CTX, 0x0 },
		/* 0x84 */ { .kind = V9_ETE_RESERVED },
		/* 0x85 */ { V9_ETE_ADDRESS, V9_ETE_P_TARGET_ADDRESS_CONTEXT_64_IS0, V9_ETE_A_L64_0, 0, 0, V9_ETE_PART_CTX, 0x0 },
		/* 0x86 */ { V9_ETE_ADDRESS, V9_ETE_P_TARGET_ADDRESS_CONTEXT_64_IS1, V9_ETE_A_L64_1, 0, 0, V9_ETE_PART_CTX, 0x0 },
		/* 0x87 */ { .kind = V9_ETE_RESERVED },
		/* 0x88 */ { V9_ETE_MARKER, V9_ETE_P_TIMESTAMP_MARKER, V9_ETE_A_NONE, 2, 0, 0, 0x0 },
		/* 0x89 */ { .kind = V9_ETE_RESERVED },
		/* 0x8a */ { .kind = V9_ETE_RESERVED },
		/* 0x8b */ { .kind = V9_ETE_RESERVED },
		/* 0x8c */ { .kind = V9_ETE_RESERVED },
		/* 0x8d */ { .kind = V9_ETE_RESERVED },
		/* 0x8e */ { .kind = V9_ETE_RESERVED },
		/* 0x8f */ { .kind = V9_ETE_RESERVED },
		/* 0x90 */ { V9_ETE_ADDRESS, V9_ETE_P_TARGET_ADDRESS_EXACT_MATCH, V9_ETE_A_EXACT, 0, 0, 0, 0x0 },
		/* 0x91 */ { V9_ETE_ADDRESS, V9_ETE_P_TARGET_ADDRESS_EXACT_MATCH, V9_ETE_A_EXACT, 0, 0, 0, 0x0 },
		/* 0x92 */ { V9_ETE_ADDRESS, V9_ETE_P_TARGET_ADDRESS_EXACT_MATCH, V9_ETE_A_EXACT, 0, 0, 0, 0x0 },
		/* 0x93 */ { .kind = V9_ETE_RESERVED },
		/* 0x94 */ { .kind = V9_ETE_RESERVED },
		/* 0x95 */ { V9_ETE_ADDRESS, V9_ETE_P_TARGET_ADDRESS_SHORT_IS0, V9_ETE_A_S0, 0, 0, 0, 0x0 },
		/* 0x96 */ { V9_ETE_ADDRESS, V9_ETE_P_TARGET_ADDRESS_SHORT_IS1, V9_ETE_A_S1, 0, 0, 0, 0x0 },
		/* 0x97 */ { .kind = V9_ETE_RESERVED },
		/* 0x98 */ { .kind = V9_ETE_RESERVED },
		/* 0x99 */ { .kind = V9_ETE_RESERVED },
		/* 0x9a */ { V9_ETE_ADDRESS, V9_ETE_P_TARGET_ADDRESS_32_IS0, V9_ETE_A_L32_0, 0, 0, 0, 0x0 },
		/* 0x9b */ { V9_ETE_ADDRESS, V9_ETE_P_TARGET_ADDRESS_32_IS1, V9_ETE_A_L32_1, 0, 0, 0, 0x0 },
		/* 0x9c */ { .kind = V9_ETE_RESERVED },
		/* 0x9d */ { V9_ETE_ADDRESS, V9_ETE_P_TARGET_ADDRESS_64_IS0, V9_ETE_A_L64_0, 0, 0, 0, 0x0 },
		/* 0x9e */ { V9_ETE_ADDRESS, V9_ETE_P_TARGET_ADDRESS_64_IS1, V9_ETE_A_L64_1, 0, 0, 0, 0x0 },
		/* 0x9f */ { .kind = V9_ETE_RESERVED },
		/* 0xa0 */ { V9_ETE_Q, V9_ETE_P_Q_EXACT_MATCH, V9_ETE_A_EXACT, 0, 0, V9_ETE_PART_COUNT32, 0x0 },
		/* 0xa1 */ { V9_ETE_Q, V9_ETE_P_Q_EXACT_MATCH, V9_ETE_A_EXACT, 0, 0, V9_ETE_PART_COUNT32, 0x0 },
		/* 0xa2 */ { V9_ETE_Q, V9_ETE_P_Q_EXACT_MATCH, V9_ETE_A_EXACT, 0, 0, V9_ETE_PART_COUNT32, 0x0 },
		/* 0xa3 */ { .kind = V9_ETE_RESERVED },
		/* 0xa4 */ { .kind = V9_ETE_RESERVED },
		/* 0xa5 */ { V9_ETE_Q, V9_ETE_P_Q_SHORT_IS0, V9_ETE_A_S0, 0, 0, V9_ETE_PART_COUNT32, 0x0 },
		/* 0xa6 */ { V9_ETE_Q, V9_ETE_P_Q_SHORT_IS1, V9_ETE_A_S1, 0, 0, V9_ETE_PART_COUNT32, 0x0 },
		/* 0xa7 */ { .kind = V9_ETE_RESERVED },
		/* 0xa8 */ { .kind = V9_ETE_RESERVED },
		/* 0xa9 */ { .kind = V9_ETE_RESERVED },
		/* 0xaa */ { V9_ETE_Q, V9_ETE_P_Q_32_IS0, V9_ETE_A_L32_0, 0, 0, V9_ETE_PART_COUNT32, 0x0 },
		/* 0xab */ { V9_ETE_Q, V9_ETE_P_Q_32_IS1, V9_ETE_A_L32_1, 0, 0, V9_ETE_PART_COUNT32, 0x0 },
		/* 0xac */ { V9_ETE_Q, V9_ETE_P_Q_COUNT, V9_ETE_A_NONE, 0, 0, V9_ETE_PART_COUNT32, 0x0 },
		/* 0xad */ { .kind = V9_ETE_RESERVED },
		/* 0xae */ { .kind = V9_ETE_RESERVED },
		/* 0xaf */ { V9_ETE_Q, V9_ETE_P_Q, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0xb0 */ { V9_ETE_SOURCE, V9_ETE_P_SOURCE_ADDRESS_EXACT_MATCH, V9_ETE_A_EXACT, 0, 0, 0, 0x0 },
		/* 0xb1 */ { V9_ETE_SOURCE, V9_ETE_P_SOURCE_ADDRESS_EXACT_MATCH, V9_ETE_A_EXACT, 0, 0, 0, 0x0 },
		/* 0xb2 */ { V9_ETE_SOURCE, V9_ETE_P_SOURCE_ADDRESS_EXACT_MATCH, V9_ETE_A_EXACT, 0, 0, 0, 0x0 },
		/* 0xb3 */ { .kind = V9_ETE_RESERVED },
		/* 0xb4 */ { V9_ETE_SOURCE, V9_ETE_P_SOURCE_ADDRESS_SHORT_IS0, V9_ETE_A_S0, 0, 0, 0, 0x0 },
		/* 0xb5 */ { V9_ETE_SOURCE, V9_ETE_P_SOURCE_ADDRESS_SHORT_IS1, V9_ETE_A_S1, 0, 0, 0, 0x0 },
		/* 0xb6 */ { V9_ETE_SOURCE, V9_ETE_P_SOURCE_ADDRESS_32_IS0, V9_ETE_A_L32_0, 0, 0, 0, 0x0 },
		/* 0xb7 */ { V9_ETE_SOURCE, V9_ETE_P_SOURCE_ADDRESS_32_IS1, V9_ETE_A_L32_1, 0, 0, 0, 0x0 },
		/* 0xb8 */ { V9_ETE_SOURCE, V9_ETE_P_SOURCE_ADDRESS_64_IS0, V9_ETE_A_L64_0, 0, 0, 0, 0x0 },
		/* 0xb9 */ { V9_ETE_SOURCE, V9_ETE_P_SOURCE_ADDRESS_64_IS1, V9_ETE_A_L64_1, 0, 0, 0, 0x0 },
		/* 0xba */ { .kind = V9_ETE_RESERVED },
		/* 0xbb */ { .kind = V9_ETE_RESERVED },
		/* 0xbc */ { .kind = V9_ETE_RESERVED },
		/* 0xbd */ { .kind = V9_ETE_RESERVED },
		/* 0xbe */ { .kind = V9_ETE_RESERVED },
		/* 0xbf */ { .kind = V9_ETE_RESERVED },
		/* 0xc0 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 4, 0, 0xf },
		/* 0xc1 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 5, 0, 0x1f },
		/* 0xc2 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 6, 0, 0x3f },
		/* 0xc3 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 7, 0, 0x7f },
		/* 0xc4 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 8, 0, 0xff },
		/* 0xc5 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 9, 0, 0x1ff },
		/* 0xc6 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 10, 0, 0x3ff },
		/* 0xc7 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 11, 0, 0x7ff },
		/* 0xc8 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 12, 0, 0xfff },
		/* 0xc9 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 13, 0, 0x1fff },
		/* 0xca */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 14, 0, 0x3fff },
		/* 0xcb */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 15, 0, 0x7fff },
		/* 0xcc */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 16, 0, 0xffff },
		/* 0xcd */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 17, 0, 0x1ffff },
		/* 0xce */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 18, 0, 0x3ffff },
		/* 0xcf */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 19, 0, 0x7ffff },
		/* 0xd0 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 20, 0, 0xfffff },
		/* 0xd1 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 21, 0, 0x1fffff },
		/* 0xd2 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 22, 0, 0x3fffff },
		/* 0xd3 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 23, 0, 0x7fffff },
		/* 0xd4 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 24, 0, 0xffffff },
		/* 0xd5 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F5, V9_ETE_A_NONE, 0, 5, 0, 0x0 },
		/* 0xd6 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F5, V9_ETE_A_NONE, 0, 5, 0, 0xa },
		/* 0xd7 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F5, V9_ETE_A_NONE, 0, 5, 0, 0x15 },
		/* 0xd8 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F2, V9_ETE_A_NONE, 0, 2, 0, 0x0 },
		/* 0xd9 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F2, V9_ETE_A_NONE, 0, 2, 0, 0x1 },
		/* 0xda */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F2, V9_ETE_A_NONE, 0, 2, 0, 0x2 },
		/* 0xdb */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F2, V9_ETE_A_NONE, 0, 2, 0, 0x3 },
		/* 0xdc */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F4, V9_ETE_A_NONE, 0, 4, 0, 0xe },
		/* 0xdd */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F4, V9_ETE_A_NONE, 0, 4, 0, 0x0 },
		/* 0xde */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F4, V9_ETE_A_NONE, 0, 4, 0, 0xa },
		/* 0xdf */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F4, V9_ETE_A_NONE, 0, 4, 0, 0x5 },
		/* 0xe0 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 4, 0, 0x7 },
		/* 0xe1 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 5, 0, 0xf },
		/* 0xe2 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 6, 0, 0x1f },
		/* 0xe3 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 7, 0, 0x3f },
		/* 0xe4 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 8, 0, 0x7f },
		/* 0xe5 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 9, 0, 0xff },
		/* 0xe6 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 10, 0, 0x1ff },
		/* 0xe7 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 11, 0, 0x3ff },
		/* 0xe8 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 12, 0, 0x7ff },
		/* 0xe9 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 13, 0, 0xfff },
		/* 0xea */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 14, 0, 0x1fff },
		/* 0xeb */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 15, 0, 0x3fff },
		/* 0xec */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 16, 0, 0x7fff },
		/* 0xed */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 17, 0, 0xffff },
		/* 0xee */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 18, 0, 0x1ffff },
		/* 0xef */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 19, 0, 0x3ffff },
		/* 0xf0 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 20, 0, 0x7ffff },
		/* 0xf1 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 21, 0, 0xfffff },
		/* 0xf2 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 22, 0, 0x1fffff },
		/* 0xf3 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 23, 0, 0x3fffff },
		/* 0xf4 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 24, 0, 0x7fffff },
		/* 0xf5 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F5, V9_ETE_A_NONE, 0, 5, 0, 0x1e },
		/* 0xf6 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F1, V9_ETE_A_NONE, 0, 1, 0, 0x0 },
		/* 0xf7 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F1, V9_ETE_A_NONE, 0, 1, 0, 0x1 },
		/* 0xf8 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F3, V9_ETE_A_NONE, 0, 3, 0, 0x0 },
		/* 0xf9 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F3, V9_ETE_A_NONE, 0, 3, 0, 0x1 },
		/* 0xfa */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F3, V9_ETE_A_NONE, 0, 3, 0, 0x2 },
		/* 0xfb */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F3, V9_ETE_A_NONE, 0, 3, 0, 0x3 },
		/* 0xfc */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F3, V9_ETE_A_NONE, 0, 3, 0, 0x4 },
		/* 0xfd */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F3, V9_ETE_A_NONE, 0, 3, 0, 0x5 },
		/* 0xfe */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F3, V9_ETE_A_NONE, 0, 3, 0, 0x6 },
		/* 0xff */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F3, V9_ETE_A_NONE, 0, 3, 0, 0x7 },
	},
	{
		/* 0x00 */ { V9_ETE_ASYNC, V9_ETE_P_EXTENSION, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x01 */ { V9_ETE_INFO, V9_ETE_P_TRACE_INFO, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x02 */ { V9_ETE_TIMESTAMP, V9_ETE_P_TIMESTAMP, V9_ETE_A_NONE, 0, 0, V9_ETE_PART_TS, 0x0 },
		/* 0x03 */ { V9_ETE_TIMESTAMP, V9_ETE_P_TIMESTAMP_COUNT, V9_ETE_A_NONE, 0, 0, V9_ETE_PART_TS | V9_ETE_PART_COUNT20, 0x0 },
		/* 0x04 */ { V9_ETE_TRACE_ON, V9_ETE_P_TRACE_ON, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x05 */ { .kind = V9_ETE_RESERVED },
		/* 0x06 */ { V9_ETE_EXCEPTION, V9_ETE_P_EXCEPTION, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x07 */ { .kind = V9_ETE_RESERVED },
		/* 0x08 */ { .kind = V9_ETE_RESERVED },
		/* 0x09 */ { V9_ETE_INSTRUMENTATION, V9_ETE_P_INSTRUMENTATION, V9_ETE_A_NONE, 3, 0, 0, 0x0 },
		/* 0x0a */ { V9_ETE_TX_START, V9_ETE_P_TRANSACTION_START, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x0b */ { V9_ETE_TX_COMMIT, V9_ETE_P_TRANSACTION_COMMIT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x0c */ { .kind = V9_ETE_RESERVED },
		/* 0x0d */ { V9_ETE_CYCLES, V9_ETE_P_CYCLE_COUNT_F2_1, V9_ETE_A_NONE, 0, 0, V9_ETE_PART_NIBBLES, 0x0 },
		/* 0x0e */ { V9_ETE_CYCLES, V9_ETE_P_CYCLE_COUNT_F1_1, V9_ETE_A_NONE, 0, 0, V9_ETE_PART_COUNT20, 0x0 },
		/* 0x0f */ { V9_ETE_CYCLES, V9_ETE_P_CYCLE_COUNT_F1_1_UNKNOWN, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x10 */ { V9_ETE_CYCLES, V9_ETE_P_CYCLE_COUNT_F3_1, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x11 */ { V9_ETE_CYCLES, V9_ETE_P_CYCLE_COUNT_F3_1, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x12 */ { V9_ETE_CYCLES, V9_ETE_P_CYCLE_COUNT_F3_1, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x13 */ { V9_ETE_CYCLES, V9_ETE_P_CYCLE_COUNT_F3_1, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x14 */ { .kind = V9_ETE_RESERVED },
		/* 0x15 */ { .kind = V9_ETE_RESERVED },
		/* 0x16 */ { .kind = V9_ETE_RESERVED },
		/* 0x17 */ { .kind = V9_ETE_RESERVED },
		/* 0x18 */ { .kind = V9_ETE_RESERVED },
		/* 0x19 */ { .kind = V9_ETE_RESERVED },
		/* 0x1a */ { .kind = V9_ETE_RESERVED },
		/* 0x1b */ { .kind = V9_ETE_RESERVED },
		/* 0x1c */ { .kind = V9_ETE_RESERVED },
		/* 0x1d */ { .kind = V9_ETE_RESERVED },
		/* 0x1e */ { .kind = V9_ETE_RESERVED },
		/* 0x1f */ { .kind = V9_ETE_RESERVED },
		/* 0x20 */ { .kind = V9_ETE_RESERVED },
		/* 0x21 */ { .kind = V9_ETE_RESERVED },
		/* 0x22 */ { .kind = V9_ETE_RESERVED },
		/* 0x23 */ { .kind = V9_ETE_RESERVED },
		/* 0x24 */ { .kind = V9_ETE_RESERVED },
		/* 0x25 */ { .kind = V9_ETE_RESERVED },
		/* 0x26 */ { .kind = V9_ETE_RESERVED },
		/* 0x27 */ { .kind = V9_ETE_RESERVED },
		/* 0x28 */ { .kind = V9_ETE_RESERVED },
		/* 0x29 */ { .kind = V9_ETE_RESERVED },
		/* 0x2a */ { .kind = V9_ETE_RESERVED },
		/* 0x2b */ { .kind = V9_ETE_RESERVED },
		/* 0x2c */ { .kind = V9_ETE_RESERVED },
		/* 0x2d */ { V9_ETE_COMMIT, V9_ETE_P_COMMIT, V9_ETE_A_NONE, 1, 0, V9_ETE_PART_COMMIT, 0x0 },
		/* 0x2e */ { V9_ETE_CANCEL, V9_ETE_P_CANCEL_F1, V9_ETE_A_NONE, 1, 0, V9_ETE_PART_CANCEL, 0x0 },
		/* 0x2f */ { V9_ETE_CANCEL, V9_ETE_P_CANCEL_F1_MISPREDICT, V9_ETE_A_NONE, 1, 0, V9_ETE_PART_CANCEL, 0x0 },
		/* 0x30 */ { V9_ETE_MISPREDICT, V9_ETE_P_MISPREDICT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x31 */ { V9_ETE_MISPREDICT, V9_ETE_P_MISPREDICT, V9_ETE_A_NONE, 0, 1, 0, 0x1 },
		/* 0x32 */ { V9_ETE_MISPREDICT, V9_ETE_P_MISPREDICT, V9_ETE_A_NONE, 0, 2, 0, 0x3 },
		/* 0x33 */ { V9_ETE_MISPREDICT, V9_ETE_P_MISPREDICT, V9_ETE_A_NONE, 0, 1, 0, 0x0 },
		/* 0x34 */ { V9_ETE_CANCEL, V9_ETE_P_CANCEL_F2, V9_ETE_A_NONE, 1, 0, 0, 0x0 },
		/* 0x35 */ { V9_ETE_CANCEL, V9_ETE_P_CANCEL_F2, V9_ETE_A_NONE, 1, 1, 0, 0x1 },
		/* 0x36 */ { V9_ETE_CANCEL, V9_ETE_P_CANCEL_F2, V9_ETE_A_NONE, 1, 2, 0, 0x3 },
		/* 0x37 */ { V9_ETE_CANCEL, V9_ETE_P_CANCEL_F2, V9_ETE_A_NONE, 1, 1, 0, 0x0 },
		/* 0x38 */ { V9_ETE_CANCEL, V9_ETE_P_CANCEL_F3, V9_ETE_A_NONE, 1, 0, 0, 0x0 },
		/* 0x39 */ { V9_ETE_CANCEL, V9_ETE_P_CANCEL_F3, V9_ETE_A_NONE, 1, 1, 0, 0x1 },
		/* 0x3a */ { V9_ETE_CANCEL, V9_ETE_P_CANCEL_F3, V9_ETE_A_NONE, 1, 0, 0, 0x0 },
		/* 0x3b */ { V9_ETE_CANCEL, V9_ETE_P_CANCEL_F3, V9_ETE_A_NONE, 1, 1, 0, 0x1 },
		/* 0x3c */ { V9_ETE_CANCEL, V9_ETE_P_CANCEL_F3, V9_ETE_A_NONE, 1, 0, 0, 0x0 },
		/* 0x3d */ { V9_ETE_CANCEL, V9_ETE_P_CANCEL_F3, V9_ETE_A_NONE, 1, 1, 0, 0x1 },
		/* 0x3e */ { V9_ETE_CANCEL, V9_ETE_P_CANCEL_F3, V9_ETE_A_NONE, 1, 0, 0, 0x0 },
		/* 0x3f */ { V9_ETE_CANCEL, V9_ETE_P_CANCEL_F3, V9_ETE_A_NONE, 1, 1, 0, 0x1 },
		/* 0x40 */ { .kind = V9_ETE_RESERVED },
		/* 0x41 */ { .kind = V9_ETE_RESERVED },
		/* 0x42 */ { .kind = V9_ETE_RESERVED },
		/* 0x43 */ { .kind = V9_ETE_RESERVED },
		/* 0x44 */ { .kind = V9_ETE_RESERVED },
		/* 0x45 */ { .kind = V9_ETE_RESERVED },
		/* 0x46 */ { .kind = V9_ETE_RESERVED },
		/* 0x47 */ { .kind = V9_ETE_RESERVED },
		/* 0x48 */ { .kind = V9_ETE_RESERVED },
		/* 0x49 */ { .kind = V9_ETE_RESERVED },
		/* 0x4a */ { .kind = V9_ETE_RESERVED },
		/* 0x4b */ { .kind = V9_ETE_RESERVED },
		/* 0x4c */ { .kind = V9_ETE_RESERVED },
		/* 0x4d */ { .kind = V9_ETE_RESERVED },
		/* 0x4e */ { .kind = V9_ETE_RESERVED },
		/* 0x4f */ { .kind = V9_ETE_RESERVED },
		/* 0x50 */ { .kind = V9_ETE_RESERVED },
		/* 0x51 */ { .kind = V9_ETE_RESERVED },
		/* 0x52 */ { .kind = V9_ETE_RESERVED },
		/* 0x53 */ { .kind = V9_ETE_RESERVED },
		/* 0x54 */ { .kind = V9_ETE_RESERVED },
		/* 0x55 */ { .kind = V9_ETE_RESERVED },
		/* 0x56 */ { .kind = V9_ETE_RESERVED },
		/* 0x57 */ { .kind = V9_ETE_RESERVED },
		/* 0x58 */ { .kind = V9_ETE_RESERVED },
		/* 0x59 */ { .kind = V9_ETE_RESERVED },
		/* 0x5a */ { .kind = V9_ETE_RESERVED },
		/* 0x5b */ { .kind = V9_ETE_RESERVED },
		/* 0x5c */ { .kind = V9_ETE_RESERVED },
		/* 0x5d */ { .kind = V9_ETE_RESERVED },
		/* 0x5e */ { .kind = V9_ETE_RESERVED },
		/* 0x5f */ { .kind = V9_ETE_RESERVED },
		/* 0x60 */ { .kind = V9_ETE_RESERVED },
		/* 0x61 */ { .kind = V9_ETE_RESERVED },
		/* 0x62 */ { .kind = V9_ETE_RESERVED },
		/* 0x63 */ { .kind = V9_ETE_RESERVED },
		/* 0x64 */ { .kind = V9_ETE_RESERVED },
		/* 0x65 */ { .kind = V9_ETE_RESERVED },
		/* 0x66 */ { .kind = V9_ETE_RESERVED },
		/* 0x67 */ { .kind = V9_ETE_RESERVED },
		/* 0x68 */ { .kind = V9_ETE_RESERVED },
		/* 0x69 */ { .kind = V9_ETE_RESERVED },
		/* 0x6a */ { .kind = V9_ETE_RESERVED },
		/* 0x6b */ { .kind = V9_ETE_RESERVED },
		/* 0x6c */ { .kind = V9_ETE_RESERVED },
		/* 0x6d */ { .kind = V9_ETE_RESERVED },
		/* 0x6e */ { .kind = V9_ETE_RESERVED },
		/* 0x6f */ { .kind = V9_ETE_RESERVED },
		/* 0x70 */ { V9_ETE_IGNORE, V9_ETE_P_IGNORE, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x71 */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x72 */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x73 */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x74 */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x75 */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x76 */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x77 */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x78 */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x79 */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x7a */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x7b */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x7c */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x7d */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x7e */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x7f */ { V9_ETE_EVENT, V9_ETE_P_EVENT, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x80 */ { V9_ETE_CONTEXT, V9_ETE_P_CONTEXT_SAME, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0x81 */ { V9_ETE_CONTEXT, V9_ETE_P_CONTEXT, V9_ETE_A_NONE, 0, 0, V9_ETE_PART_CTX, 0x0 },
		/* 0x82 */ { V9_ETE_ADDRESS, V9_ETE_P_TARGET_ADDRESS_CONTEXT_32_IS0, V9_ETE_A_L32_0, 0, 0, V9_ETE_PART_CTX, 0x0 },
		/* 0x83 */ { V9_ETE_ADDRESS, V9_ETE_P_TARGET_ADDRESS_CONTEXT_32_IS1, V9_ETE_A_L32_1, 0, 0, V9_ETE_PART_CTX, 0x0 },
		/* 0x84 */ { .kind = V9_ETE_RESERVED },
		/* 0x85 */ { V9_ETE_ADDRESS, V9_ETE_P_TARGET_ADDRESS_CONTEXT_64_IS0, V9_ETE_A_L64_0, 0, 0, V9_ETE_PART_CTX, 0x0 },
		/* 0x86 */ { V9_ETE_ADDRESS, V9_ETE_P_TARGET_ADDRESS_CONTEXT_64_IS1, V9_ETE_A_L64_1, 0, 0, V9_ETE_PART_CTX, 0x0 },
		/* 0x87 */ { .kind = V9_ETE_RESERVED },
		/* 0x88 */ { V9_ETE_MARKER, V9_ETE_P_TIMESTAMP_MARKER, V9_ETE_A_NONE, 2, 0, 0, 0x0 },
		/* 0x89 */ { .kind = V9_ETE_RESERVED },
		/* 0x8a */ { .kind = V9_ETE_RESERVED },
		/* 0x8b */ { .kind = V9_ETE_RESERVED },
		/* 0x8c */ { .kind = V9_ETE_RESERVED },
		/* 0x8d */ { .kind = V9_ETE_RESERVED },
		/* 0x8e */ { .kind = V9_ETE_RESERVED },
		/* 0x8f */ { .kind = V9_ETE_RESERVED },
		/* 0x90 */ { V9_ETE_ADDRESS, V9_ETE_P_TARGET_ADDRESS_EXACT_MATCH, V9_ETE_A_EXACT, 0, 0, 0, 0x0 },
		/* 0x91 */ { V9_ETE_ADDRESS, V9_ETE_P_TARGET_ADDRESS_EXACT_MATCH, V9_ETE_A_EXACT, 0, 0, 0, 0x0 },
		/* 0x92 */ { V9_ETE_ADDRESS, V9_ETE_P_TARGET_ADDRESS_EXACT_MATCH, V9_ETE_A_EXACT, 0, 0, 0, 0x0 },
		/* 0x93 */ { .kind = V9_ETE_RESERVED },
		/* 0x94 */ { .kind = V9_ETE_RESERVED },
		/* 0x95 */ { V9_ETE_ADDRESS, V9_ETE_P_TARGET_ADDRESS_SHORT_IS0, V9_ETE_A_S0, 0, 0, 0, 0x0 },
		/* 0x96 */ { V9_ETE_ADDRESS, V9_ETE_P_TARGET_ADDRESS_SHORT_IS1, V9_ETE_A_S1, 0, 0, 0, 0x0 },
		/* 0x97 */ { .kind = V9_ETE_RESERVED },
		/* 0x98 */ { .kind = V9_ETE_RESERVED },
		/* 0x99 */ { .kind = V9_ETE_RESERVED },
		/* 0x9a */ { V9_ETE_ADDRESS, V9_ETE_P_TARGET_ADDRESS_32_IS0, V9_ETE_A_L32_0, 0, 0, 0, 0x0 },
		/* 0x9b */ { V9_ETE_ADDRESS, V9_ETE_P_TARGET_ADDRESS_32_IS1, V9_ETE_A_L32_1, 0, 0, 0, 0x0 },
		/* 0x9c */ { .kind = V9_ETE_RESERVED },
		/* 0x9d */ { V9_ETE_ADDRESS, V9_ETE_P_TARGET_ADDRESS_64_IS0, V9_ETE_A_L64_0, 0, 0, 0, 0x0 },
		/* 0x9e */ { V9_ETE_ADDRESS, V9_ETE_P_TARGET_ADDRESS_64_IS1, V9_ETE_A_L64_1, 0, 0, 0, 0x0 },
		/* 0x9f */ { .kind = V9_ETE_RESERVED },
		/* 0xa0 */ { V9_ETE_Q, V9_ETE_P_Q_EXACT_MATCH, V9_ETE_A_EXACT, 0, 0, V9_ETE_PART_COUNT32, 0x0 },
		/* 0xa1 */ { V9_ETE_Q, V9_ETE_P_Q_EXACT_MATCH, V9_ETE_A_EXACT, 0, 0, V9_ETE_PART_COUNT32, 0x0 },
		/* 0xa2 */ { V9_ETE_Q, V9_ETE_P_Q_EXACT_MATCH, V9_ETE_A_EXACT, 0, 0, V9_ETE_PART_COUNT32, 0x0 },
		/* 0xa3 */ { .kind = V9_ETE_RESERVED },
		/* 0xa4 */ { .kind = V9_ETE_RESERVED },
		/* 0xa5 */ { V9_ETE_Q, V9_ETE_P_Q_SHORT_IS0, V9_ETE_A_S0, 0, 0, V9_ETE_PART_COUNT32, 0x0 },
		/* 0xa6 */ { V9_ETE_Q, V9_ETE_P_Q_SHORT_IS1, V9_ETE_A_S1, 0, 0, V9_ETE_PART_COUNT32, 0x0 },
		/* 0xa7 */ { .kind = V9_ETE_RESERVED },
		/* 0xa8 */ { .kind = V9_ETE_RESERVED },
		/* 0xa9 */ { .kind = V9_ETE_RESERVED },
		/* 0xaa */ { V9_ETE_Q, V9_ETE_P_Q_32_IS0, V9_ETE_A_L32_0, 0, 0, V9_ETE_PART_COUNT32, 0x0 },
		/* 0xab */ { V9_ETE_Q, V9_ETE_P_Q_32_IS1, V9_ETE_A_L32_1, 0, 0, V9_ETE_PART_COUNT32, 0x0 },
		/* 0xac */ { V9_ETE_Q, V9_ETE_P_Q_COUNT, V9_ETE_A_NONE, 0, 0, V9_ETE_PART_COUNT32, 0x0 },
		/* 0xad */ { .kind = V9_ETE_RESERVED },
		/* 0xae */ { .kind = V9_ETE_RESERVED },
		/* 0xaf */ { V9_ETE_Q, V9_ETE_P_Q, V9_ETE_A_NONE, 0, 0, 0, 0x0 },
		/* 0xb0 */ { V9_ETE_SOURCE, V9_ETE_P_SOURCE_ADDRESS_EXACT_MATCH, V9_ETE_A_EXACT, 0, 0, 0, 0x0 },
		/* 0xb1 */ { V9_ETE_SOURCE, V9_ETE_P_SOURCE_ADDRESS_EXACT_MATCH, V9_ETE_A_EXACT, 0, 0, 0, 0x0 },
		/* 0xb2 */ { V9_ETE_SOURCE, V9_ETE_P_SOURCE_ADDRESS_EXACT_MATCH, V9_ETE_A_EXACT, 0, 0, 0, 0x0 },
		/* 0xb3 */ { .kind = V9_ETE_RESERVED },
		/* 0xb4 */ { V9_ETE_SOURCE, V9_ETE_P_SOURCE_ADDRESS_SHORT_IS0, V9_ETE_A_S0, 0, 0, 0, 0x0 },
		/* 0xb5 */ { V9_ETE_SOURCE, V9_ETE_P_SOURCE_ADDRESS_SHORT_IS1, V9_ETE_A_S1, 0, 0, 0, 0x0 },
		/* 0xb6 */ { V9_ETE_SOURCE, V9_ETE_P_SOURCE_ADDRESS_32_IS0, V9_ETE_A_L32_0, 0, 0, 0, 0x0 },
		/* 0xb7 */ { V9_ETE_SOURCE, V9_ETE_P_SOURCE_ADDRESS_32_IS1, V9_ETE_A_L32_1, 0, 0, 0, 0x0 },
		/* 0xb8 */ { V9_ETE_SOURCE, V9_ETE_P_SOURCE_ADDRESS_64_IS0, V9_ETE_A_L64_0, 0, 0, 0, 0x0 },
		/* 0xb9 */ { V9_ETE_SOURCE, V9_ETE_P_SOURCE_ADDRESS_64_IS1, V9_ETE_A_L64_1, 0, 0, 0, 0x0 },
		/* 0xba */ { .kind = V9_ETE_RESERVED },
		/* 0xbb */ { .kind = V9_ETE_RESERVED },
		/* 0xbc */ { .kind = V9_ETE_RESERVED },
		/* 0xbd */ { .kind = V9_ETE_RESERVED },
		/* 0xbe */ { .kind = V9_ETE_RESERVED },
		/* 0xbf */ { .kind = V9_ETE_RESERVED },
		/* 0xc0 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 4, 0, 0xf },
		/* 0xc1 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 5, 0, 0x1f },
		/* 0xc2 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 6, 0, 0x3f },
		/* 0xc3 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 7, 0, 0x7f },
		/* 0xc4 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 8, 0, 0xff },
		/* 0xc5 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 9, 0, 0x1ff },
		/* 0xc6 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 10, 0, 0x3ff },
		/* 0xc7 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 11, 0, 0x7ff },
		/* 0xc8 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 12, 0, 0xfff },
		/* 0xc9 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 13, 0, 0x1fff },
		/* 0xca */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 14, 0, 0x3fff },
		/* 0xcb */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 15, 0, 0x7fff },
		/* 0xcc */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 16, 0, 0xffff },
		/* 0xcd */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 17, 0, 0x1ffff },
		/* 0xce */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 18, 0, 0x3ffff },
		/* 0xcf */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 19, 0, 0x7ffff },
		/* 0xd0 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 20, 0, 0xfffff },
		/* 0xd1 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 21, 0, 0x1fffff },
		/* 0xd2 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 22, 0, 0x3fffff },
		/* 0xd3 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 23, 0, 0x7fffff },
		/* 0xd4 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 24, 0, 0xffffff },
		/* 0xd5 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F5, V9_ETE_A_NONE, 0, 5, 0, 0x0 },
		/* 0xd6 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F5, V9_ETE_A_NONE, 0, 5, 0, 0xa },
		/* 0xd7 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F5, V9_ETE_A_NONE, 0, 5, 0, 0x15 },
		/* 0xd8 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F2, V9_ETE_A_NONE, 0, 2, 0, 0x0 },
		/* 0xd9 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F2, V9_ETE_A_NONE, 0, 2, 0, 0x1 },
		/* 0xda */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F2, V9_ETE_A_NONE, 0, 2, 0, 0x2 },
		/* 0xdb */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F2, V9_ETE_A_NONE, 0, 2, 0, 0x3 },
		/* 0xdc */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F4, V9_ETE_A_NONE, 0, 4, 0, 0xe },
		/* 0xdd */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F4, V9_ETE_A_NONE, 0, 4, 0, 0x0 },
		/* 0xde */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F4, V9_ETE_A_NONE, 0, 4, 0, 0xa },
		/* 0xdf */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F4, V9_ETE_A_NONE, 0, 4, 0, 0x5 },
		/* 0xe0 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 4, 0, 0x7 },
		/* 0xe1 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 5, 0, 0xf },
		/* 0xe2 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 6, 0, 0x1f },
		/* 0xe3 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 7, 0, 0x3f },
		/* 0xe4 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 8, 0, 0x7f },
		/* 0xe5 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 9, 0, 0xff },
		/* 0xe6 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 10, 0, 0x1ff },
		/* 0xe7 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 11, 0, 0x3ff },
		/* 0xe8 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 12, 0, 0x7ff },
		/* 0xe9 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 13, 0, 0xfff },
		/* 0xea */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 14, 0, 0x1fff },
		/* 0xeb */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 15, 0, 0x3fff },
		/* 0xec */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 16, 0, 0x7fff },
		/* 0xed */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 17, 0, 0xffff },
		/* 0xee */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 18, 0, 0x1ffff },
		/* 0xef */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 19, 0, 0x3ffff },
		/* 0xf0 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 20, 0, 0x7ffff },
		/* 0xf1 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 21, 0, 0xfffff },
		/* 0xf2 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 22, 0, 0x1fffff },
		/* 0xf3 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 23, 0, 0x3fffff },
		/* 0xf4 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F6, V9_ETE_A_NONE, 0, 24, 0, 0x7fffff },
		/* 0xf5 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F5, V9_ETE_A_NONE, 0, 5, 0, 0x1e },
		/* 0xf6 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F1, V9_ETE_A_NONE, 0, 1, 0, 0x0 },
		/* 0xf7 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F1, V9_ETE_A_NONE, 0, 1, 0, 0x1 },
		/* 0xf8 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F3, V9_ETE_A_NONE, 0, 3, 0, 0x0 },
		/* 0xf9 */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F3, V9_ETE_A_NONE, 0, 3, 0, 0x1 },
		/* 0xfa */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F3, V9_ETE_A_NONE, 0, 3, 0, 0x2 },
		/* 0xfb */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F3, V9_ETE_A_NONE, 0, 3, 0, 0x3 },
		/* 0xfc */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F3, V9_ETE_A_NONE, 0, 3, 0, 0x4 },
		/* 0xfd */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F3, V9_ETE_A_NONE, 0, 3, 0, 0x5 },
		/* 0xfe */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F3, V9_ETE_A_NONE, 0, 3, 0, 0x6 },
		/* 0xff */ { V9_ETE_ATOMS, V9_ETE_P_ATOM_F3, V9_ETE_A_NONE, 0, 3, 0, 0x7 },
	},
};
#undef V9_ETE_P_EXTENSION

/* By the same: how a Target Address that says nothing else is sent; 0: it is something else */
static const uint8_t v9_ete_plain[2][256] = {
	{
		[0x90] = V9_ETE_A_EXACT,
		[0x91] = V9_ETE_A_EXACT,
		[0x92] = V9_ETE_A_EXACT,
		[0x95] = V9_ETE_A_S0,
		[0x96] = V9_ETE_A_S1,
		[0x9a] = V9_ETE_A_L32_0,
		[0x9b] = V9_ETE_A_L32_1,
		[0x9d] = V9_ETE_A_L64_0,
		[0x9e] = V9_ETE_A_L64_1,
	},
	{
		[0x90] = V9_ETE_A_EXACT,
		[0x91] = V9_ETE_A_EXACT,
		[0x92] = V9_ETE_A_EXACT,
		[0x95] = V9_ETE_A_S0,
		[0x96] = V9_ETE_A_S1,
		[0x9a] = V9_ETE_A_L32_0,
		[0x9b] = V9_ETE_A_L32_1,
		[0x9d] = V9_ETE_A_L64_0,
		[0x9e] = V9_ETE_A_L64_1,
	},
};

/* Second bytes after 0x00 */
static const struct v9_ete_extension {
	uint8_t byte, kind, name;
} v9_ete_extensions[] = {
	{ 0x03, V9_ETE_DISCARD, V9_ETE_P_DISCARD },
	{ 0x05, V9_ETE_OVERFLOW, V9_ETE_P_OVERFLOW },
	{ 0x80, V9_ETE_ASYNC, V9_ETE_P_ALIGNMENT_SYNC },
};

/* The lowest header of a packet, by name */
static const uint8_t v9_ete_first[V9_ETE_NAMES] = {
	[V9_ETE_P_ALIGNMENT_SYNC] = 0x00,
	[V9_ETE_P_DISCARD] = 0x00,
	[V9_ETE_P_OVERFLOW] = 0x00,
	[V9_ETE_P_TRACE_INFO] = 0x01,
	[V9_ETE_P_TIMESTAMP] = 0x02,
	[V9_ETE_P_TIMESTAMP_COUNT] = 0x03,
	[V9_ETE_P_TRACE_ON] = 0x04,
	[V9_ETE_P_EXCEPTION] = 0x06,
	[V9_ETE_P_INSTRUMENTATION] = 0x09,
	[V9_ETE_P_TRANSACTION_START] = 0x0a,
	[V9_ETE_P_TRANSACTION_COMMIT] = 0x0b,
	[V9_ETE_P_CYCLE_COUNT_F2_0_SMALL] = 0x0c,
	[V9_ETE_P_CYCLE_COUNT_F2_0_LARGE] = 0x0d,
	[V9_ETE_P_CYCLE_COUNT_F1_0] = 0x0e,
	[V9_ETE_P_CYCLE_COUNT_F1_0_UNKNOWN] = 0x0f,
	[V9_ETE_P_CYCLE_COUNT_F3_0] = 0x10,
	[V9_ETE_P_CYCLE_COUNT_F2_1] = 0x0d,
	[V9_ETE_P_CYCLE_COUNT_F1_1] = 0x0e,
	[V9_ETE_P_CYCLE_COUNT_F1_1_UNKNOWN] = 0x0f,
	[V9_ETE_P_CYCLE_COUNT_F3_1] = 0x10,
	[V9_ETE_P_COMMIT] = 0x2d,
	[V9_ETE_P_CANCEL_F1] = 0x2e,
	[V9_ETE_P_CANCEL_F1_MISPREDICT] = 0x2f,
	[V9_ETE_P_MISPREDICT] = 0x30,
	[V9_ETE_P_CANCEL_F2] = 0x34,
	[V9_ETE_P_CANCEL_F3] = 0x38,
	[V9_ETE_P_IGNORE] = 0x70,
	[V9_ETE_P_EVENT] = 0x71,
	[V9_ETE_P_CONTEXT_SAME] = 0x80,
	[V9_ETE_P_CONTEXT] = 0x81,
	[V9_ETE_P_TARGET_ADDRESS_CONTEXT_32_IS0] = 0x82,
	[V9_ETE_P_TARGET_ADDRESS_CONTEXT_32_IS1] = 0x83,
	[V9_ETE_P_TARGET_ADDRESS_CONTEXT_64_IS0] = 0x85,
	[V9_ETE_P_TARGET_ADDRESS_CONTEXT_64_IS1] = 0x86,
	[V9_ETE_P_TIMESTAMP_MARKER] = 0x88,
	[V9_ETE_P_TARGET_ADDRESS_EXACT_MATCH] = 0x90,
	[V9_ETE_P_TARGET_ADDRESS_SHORT_IS0] = 0x95,
	[V9_ETE_P_TARGET_ADDRESS_SHORT_IS1] = 0x96,
	[V9_ETE_P_TARGET_ADDRESS_32_IS0] = 0x9a,
	[V9_ETE_P_TARGET_ADDRESS_32_IS1] = 0x9b,
	[V9_ETE_P_TARGET_ADDRESS_64_IS0] = 0x9d,
	[V9_ETE_P_TARGET_ADDRESS_64_IS1] = 0x9e,
	[V9_ETE_P_Q_EXACT_MATCH] = 0xa0,
	[V9_ETE_P_Q_SHORT_IS0] = 0xa5,
	[V9_ETE_P_Q_SHORT_IS1] = 0xa6,
	[V9_ETE_P_Q_32_IS0] = 0xaa,
	[V9_ETE_P_Q_32_IS1] = 0xab,
	[V9_ETE_P_Q_COUNT] = 0xac,
	[V9_ETE_P_Q] = 0xaf,
	[V9_ETE_P_SOURCE_ADDRESS_EXACT_MATCH] = 0xb0,
	[V9_ETE_P_SOURCE_ADDRESS_SHORT_IS0] = 0xb4,
	[V9_ETE_P_SOURCE_ADDRESS_SHORT_IS1] = 0xb5,
	[V9_ETE_P_SOURCE_ADDRESS_32_IS0] = 0xb6,
	[V9_ETE_P_SOURCE_ADDRESS_32_IS1] = 0xb7,
	[V9_ETE_P_SOURCE_ADDRESS_64_IS0] = 0xb8,
	[V9_ETE_P_SOURCE_ADDRESS_64_IS1] = 0xb9,
	[V9_ETE_P_ATOM_F6] = 0xc0,
	[V9_ETE_P_ATOM_F5] = 0xd5,
	[V9_ETE_P_ATOM_F2] = 0xd8,
	[V9_ETE_P_ATOM_F4] = 0xdc,
	[V9_ETE_P_ATOM_F1] = 0xf6,
	[V9_ETE_P_ATOM_F3] = 0xf8,
};

/* Up to five atoms: by 1 << n | atoms. 0 where no packet says them. */
static const uint8_t v9_ete_few_atoms[64] = {
	[0x02] = 0xf6,
	[0x03] = 0xf7,
	[0x04] = 0xd8,
	[0x05] = 0xd9,
	[0x06] = 0xda,
	[0x07] = 0xdb,
	[0x08] = 0xf8,
	[0x09] = 0xf9,
	[0x0a] = 0xfa,
	[0x0b] = 0xfb,
	[0x0c] = 0xfc,
	[0x0d] = 0xfd,
	[0x0e] = 0xfe,
	[0x0f] = 0xff,
	[0x10] = 0xdd,
	[0x15] = 0xdf,
	[0x17] = 0xe0,
	[0x1a] = 0xde,
	[0x1e] = 0xdc,
	[0x1f] = 0xc0,
	[0x20] = 0xd5,
	[0x2a] = 0xd6,
	[0x2f] = 0xe1,
	[0x35] = 0xd7,
	[0x3e] = 0xf5,
	[0x3f] = 0xc1,
};

/* More atoms, all E but the last: by it and their number */
static const uint8_t v9_ete_many_atoms[2][V9_ETE_ATOMS_MAX + 1] = {
	{
		0, 0, 0, 0, 0, 0, 0xe2, 0xe3,
		0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xeb,
		0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf2, 0xf3,
		0xf4,
	},
	{
		0, 0, 0, 0, 0, 0, 0xc2, 0xc3,
		0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xcb,
		0xcc, 0xcd, 0xce, 0xcf, 0xd0, 0xd1, 0xd2, 0xd3,
		0xd4,
	},
};
#endif

#endif
