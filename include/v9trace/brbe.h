/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Branch Record Buffer Extension: registers that are arrays (D24.8.6, D24.8.8, D24.8.10) */
#ifndef V9TRACE_BRBE_H
#define V9TRACE_BRBE_H

#include "gen/regs.h"

/* Records that a bank has; BRBFCR_EL1.BANK selects the bank */
#define V9_BRBE_BANK	32

/* Encoding of register @n of a bank, 0 to 31 */
#define V9_SYS_BRB_RECORD(n, op2)	(2 << 19 | 1 << 16 | 8 << 12 | ((n) & 15) << 8 | \
					 ((n) >> 4 << 2 | (op2)) << 5)
#define V9_SYS_BRBINF(n)	V9_SYS_BRB_RECORD(n, 0)
#define V9_SYS_BRBSRC(n)	V9_SYS_BRB_RECORD(n, 1)
#define V9_SYS_BRBTGT(n)	V9_SYS_BRB_RECORD(n, 2)

/* BRB IALL and BRB INJ as instructions: SYS #1, C7, C2, #4 and #5 */
#define V9_INSN_BRB_IALL	0xd509729fu
#define V9_INSN_BRB_INJ		0xd50972bfu

#endif
