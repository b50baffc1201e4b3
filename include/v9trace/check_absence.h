/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What firmware says about a unit: its interrupt in the MADT of ACPI, and reasons for which the
 * kernel has no device.
 */
#ifndef V9TRACE_CHECK_ABSENCE_H
#define V9TRACE_CHECK_ABSENCE_H

#include "base.h"

/* Byte offset of the interrupt of a unit in a GICC entry of the ACPI MADT */
#define V9_GICC_SPE_INTERRUPT	78	/* ACPI 6.3 */
#define V9_GICC_TRBE_INTERRUPT	80	/* ACPI 6.5 */

#define V9_MADT_HEADER		44	/* bytes before the first entry */
#define V9_MADT_GICC		0x0b	/* type of an entry */
#define V9_GICC_UID		8	/* offset of the ACPI processor UID, 4 bytes */

/* What is wrong with the interrupt of a unit in the MADT */
enum v9_madt_fault {
	V9_MADT_OK,
	V9_MADT_NO_ENTRY,	/* the CPU has no GICC entry */
	V9_MADT_SHORT,		/* its entry ends before the interrupt */
	V9_MADT_NONE,		/* the interrupt is 0 */
	V9_MADT_NOT_PPI,	/* the interrupt is not private to a CPU */
	V9_MADT_FAULTS
};

/* A private peripheral interrupt of GICv3: PPI or extended PPI */
#define V9_PPIS		(16 + 64)
static inline bool v9_is_ppi(unsigned int intid)
{
	return (intid >= 16 && intid < 32) || (intid >= 1056 && intid < 1120);
}

/**
 * v9_madt_interrupt - find the interrupt of a CPU's unit
 * @madt: the table, with its header
 * @n: bytes of the table
 * @uid: ACPI processor UID of the CPU
 * @at: V9_GICC_*_INTERRUPT
 * @intid: result: the interrupt, 0 if the entry does not have it
 *
 * The kernel's copy of an entry cannot be used: that of Linux 6.1 ends before TRBE's interrupt.
 *
 * Return: enum v9_madt_fault.
 */
static inline enum v9_madt_fault v9_madt_interrupt(const uint8_t *madt, size_t n, uint32_t uid,
						   unsigned int at, unsigned int *intid)
{
	size_t i, size;

	*intid = 0;
	for (i = V9_MADT_HEADER; i + 2 <= n; i += size) {
		const uint8_t *p = madt + i, *id = p + V9_GICC_UID;

		size = p[1];
		if (size < 2 || size > n - i)
			break;
		if (p[0] != V9_MADT_GICC || size < V9_GICC_UID + 4 ||
		    (id[0] | id[1] << 8 | id[2] << 16 | (uint32_t)id[3] << 24) != uid)
			continue;
		if (size < at + 2)
			return V9_MADT_SHORT;
		*intid = p[at] | p[at + 1] << 8;
		if (!*intid)
			return V9_MADT_NONE;
		return v9_is_ppi(*intid) ? V9_MADT_OK : V9_MADT_NOT_PPI;
	}
	return V9_MADT_NO_ENTRY;
}

/**
 * v9_madt_text - describe a fault of an entry
 * @fault: result of v9_madt_interrupt(), not V9_MADT_OK
 *
 * Return: a printf format for the number of a CPU and its interrupt, both unsigned int.
 */
static inline const char *v9_madt_text(enum v9_madt_fault fault)
{
	switch (fault) {
	case V9_MADT_SHORT:
		return "GICC entry of CPU%u ends before the interrupt (%u)";
	case V9_MADT_NONE:
		return "GICC entry of CPU%u has interrupt %u";
	case V9_MADT_NOT_PPI:
		return "GICC entry of CPU%u has interrupt %u, which is no PPI";
	default:
		return "the MADT has no GICC entry of CPU%u (%u)";
	}
}

/**
 * v9_check_absence - reason for which the kernel has no device of a node in the device tree
 * @available: the status property of the node does not disable it
 *
 * Return: the reason.
 */
static inline const char *v9_check_absence(bool available)
{
	return available ? "this kernel makes no device of its node, on the bus that it is on" :
			   "its node in the device tree is disabled";
}

#endif
