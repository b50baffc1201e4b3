/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hardware door, this side: real registers, real barriers. drivers/lib/seq_*.c say
 * #include "hw.h" and get this file in a module, selftests/host/hw.h in a test.
 */
#ifndef V9TRACE_HW_H
#define V9TRACE_HW_H

#include <asm/barrier.h>
#include <asm/cpufeature.h>
#include <asm/sysreg.h>

#include <linux/time64.h>

#define hw_read(reg)		read_sysreg_s(reg)
#define hw_write(reg, value)	write_sysreg_s(value, reg)

#define hw_isb()		isb()
#define hw_dsb()		dsb(nsh)
#define hw_psb()		psb_csync()
#define hw_tsb()		tsb_csync()

/* Microseconds of a clock that never stops */
static inline u64 hw_us(void)
{
	return read_sysreg(cntvct_el0) / (read_sysreg(cntfrq_el0) / USEC_PER_SEC ?: 1);
}

#endif
