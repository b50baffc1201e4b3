/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What only the kernel can see of a CPU: registers of its units that EL0 cannot read, and what
 * firmware answers of EL3. sysfs shows them, also if no driver could be loaded.
 */
#ifndef V9TRACE_CPU_REGS_H
#define V9TRACE_CPU_REGS_H

#include "v9trace/el3.h"

/**
 * v9_cpu_el3 - the answer of firmware to a CPU
 * @nr: CPU that is online, or comes online in a driver's hotplug state: v9_core asks before those
 *
 * Return: the answer.
 */
const struct v9_el3 *v9_cpu_el3(unsigned int nr);

/**
 * v9_cpu_regs_init - read the registers of all CPUs, and of each that comes online later
 *
 * Return: 0 or an errno.
 */
int v9_cpu_regs_init(void);

/* Remove the files. No driver is loaded. */
void v9_cpu_regs_exit(void);

#endif
