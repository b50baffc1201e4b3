/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Access to registers, and barriers, for drivers/lib/seq_*.c in a module. In a host test their
 * #include "hw.h" finds selftests/host/hw.h instead.
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

/* Microseconds of the generic timer, which also counts while the CPU is idle */
static inline u64 hw_us(void)
{
	return read_sysreg(cntvct_el0) / (read_sysreg(cntfrq_el0) / USEC_PER_SEC ?: 1);
}

static inline void hw_brb_iall(void)
{
	asm volatile(__emit_inst(0xd509729f) ::: "memory");
}

#endif
