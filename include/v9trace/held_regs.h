/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Lists of the registers that a start does not write if they already hold the values of the
 * session. R is a macro that is expanded for each register, S the separator between two
 * expansions.
 */
#ifndef V9TRACE_HELD_REGS_H
#define V9TRACE_HELD_REGS_H

/* Separators for the lists */
#define V9_COMMA	,
#define V9_OR		|

/*
 * SPE, in the order in which they are written: name without _EL1, and the feature without which the
 * register does not exist (0: none).
 */
#define V9_SPE_HELD_REGS(R, S) \
	R(PMSFCR, 0) S \
	R(PMSEVFR, 0) S \
	R(PMSNEVFR, V9_SPE_HAS_FNE) S \
	R(PMSDSFR, V9_SPE_HAS_FDS) S \
	R(PMSLATFR, 0) S \
	R(PMSIRR, 0)

/*
 * ETE, in the order in which they are written: name, the feature without which the register does
 * not exist (0: none), and word and lowest bit of its field in struct v9_ete_reg_values.key.
 */
#define V9_ETE_HELD_REGS(R, S) \
	R(TRCCONFIGR, 0, 0, 0) S \
	R(TRCCCCTLR, V9_TRACE_HAS_CC, 0, 16) S \
	R(TRCTSCTLR, V9_TRACE_HAS_TS, 0, 28) S \
	R(TRCSYNCPR, V9_TRACE_HAS_SYNCPR, 1, 0) S \
	R(TRCSTALLCTLR, V9_TRACE_HAS_STALL, 1, 18) S \
	R(TRCEVENTCTL0R, V9_TRACE_HAS_EVENTS, 1, 32) S \
	R(TRCEVENTCTL1R, 0, 1, 5) S \
	R(TRCBBCTLR, V9_TRACE_HAS_FILTERS, 1, 9) S \
	R(TRCQCTLR, V9_TRACE_HAS_QFILT, 1, 14) S \
	R(TRCVICTLR, 0, 0, 36)

#endif
