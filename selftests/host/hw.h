/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hardware door, test side: drivers/lib/seq_*.c compiled for the host come through
 * here to whatever the test program puts behind it, usually the strict model.
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
uint64_t hw_us(void);		/* microseconds, of those that wait */

#endif
