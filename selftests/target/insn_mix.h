/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A loop with one instruction of each type, and the expected record of each. insn_mix.S defines
 * each row beside its instruction.
 */
#ifndef V9_SELFTEST_INSN_MIX_H
#define V9_SELFTEST_INSN_MIX_H

#include <stdint.h>

struct insn_mix_row {
	const char *name;
	uint64_t pc;
	uint64_t va;		/* lowest address accessed, top byte included; 0: none */
	uint64_t target;	/* of a taken branch; 0: none */
	uint8_t filter;		/* MIX_*: operation classes */
	uint8_t op_class;	/* 0 other, 1 load/store/atomic, 2 branch */
	uint8_t op, op_mask;	/* operation type payload, and the bits of it to compare */
	uint8_t failed;		/* expected event 6: 0 or 1; 2: either */
	uint8_t lse;		/* requires FEAT_LSE */
	uint8_t pad[2];
};

#define MIX_B	1
#define MIX_LD	2
#define MIX_ST	4
#define MIX_FP	8
#define MIX_SIMD 16

extern const struct insn_mix_row __start_insn_mix_rows[], __stop_insn_mix_rows[];
extern char insn_mix_data[4096];
extern const char insn_mix_start[], insn_mix_end[];

/* @lse: include the atomic instructions of FEAT_LSE. Returns a checksum of the results. */
uint64_t insn_mix(uint64_t rounds, uint64_t lse);

#endif
