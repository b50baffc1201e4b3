/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Reasons for which the kernel has no device for a unit: firmware does not describe the unit, or
 * the kernel creates no device from the description.
 */
#ifndef V9TRACE_CHECK_ABSENCE_H
#define V9TRACE_CHECK_ABSENCE_H

#include "base.h"

/* Byte offset of the interrupt of a unit in a GICC structure of the ACPI MADT */
#define V9_GICC_SPE_INTERRUPT	78	/* ACPI 6.3 */
#define V9_GICC_TRBE_INTERRUPT	80	/* ACPI 6.5 */

/**
 * struct v9_absence - what firmware and the kernel provide for a unit without a device
 * @acpi: firmware provides ACPI tables, not a device tree
 * @described: the MADT has an interrupt for the unit, or the device tree has a node
 * @available: the status property of the node does not disable it
 * @makes: this kernel creates devices for such interrupts, which depends on its configuration
 */
struct v9_absence {
	bool acpi;
	bool described;
	bool available;
	bool makes;
};

/**
 * v9_check_absence - reason for which the kernel creates no device for a unit
 * @seen: what firmware and the kernel provide
 *
 * Return: reason, which may contain one %s, for what a kernel needs to create the device; NULL if
 * firmware does not describe the unit.
 */
static inline const char *v9_check_absence(struct v9_absence seen)
{
	if (!seen.described)
		return NULL;
	if (seen.acpi && !seen.makes)
		return "this kernel makes no device of it; that takes %s";
	if (seen.acpi)
		return "this kernel makes no device of it; that takes %s, and one interrupt";
	if (!seen.available)
		return "its node in the device tree is disabled";
	return "this kernel makes no device of its node, on the bus that it is on";
}

/**
 * v9_madt_has - check whether any CPU has the interrupt
 * @madt: the table, with its header
 * @n: bytes of the table
 * @at: V9_GICC_*
 *
 * Return: true if a GICC structure is long enough to have the interrupt, and it is not 0.
 */
static inline bool v9_madt_has(const uint8_t *madt, size_t n, unsigned int at)
{
	size_t i, size;

	for (i = 44; i + 2 <= n; i += size) {
		size = madt[i + 1];
		if (size < 2 || size > n - i)
			return false;
		if (madt[i] == 0xb && size >= at + 2 && (madt[i + at] | madt[i + at + 1]))
			return true;
	}
	return false;
}

#endif
