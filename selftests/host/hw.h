/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hardware access of drivers/lib/seq_*.c when they are compiled for the host. The test program
 * defines these functions, usually with the strict model.
 */
#ifndef V9TRACE_HW_H
#define V9TRACE_HW_H

#include <stdint.h>

uint64_t hw_read(uint32_t reg);
void hw_write(uint32_t reg, uint64_t value);
void hw_isb(void);
void hw_dsb(void);
void hw_psb(void);
void hw_tsb(void);
void hw_brb_iall(void);
uint64_t hw_us(void);		/* a clock in microseconds, for timeouts */

#endif
