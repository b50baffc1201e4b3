/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ACPI describes units by interrupts in the GICC entries of the MADT. Later kernels make a device
 * of them if all CPUs have the same interrupt and the in-tree driver is configured. Else v9_core
 * makes the devices.
 */
#ifndef V9TRACE_ACPI_H
#define V9TRACE_ACPI_H

#include "unit.h"

/**
 * v9_acpi_make_devices - make a device for each interrupt of a unit
 * @driver: driver, registered; the kernel has made no device for it
 *
 * CPUs whose entries are wrong are left out, with a line in the log for each fault.
 *
 * Return: 0, also if there is no unit, or an errno.
 */
int v9_acpi_make_devices(struct v9_pmu_driver *driver);

/**
 * v9_acpi_has_none - has no CPU an entry that can be used?
 * @driver: driver
 * @why: result: what is wrong with the entry of the first CPU
 * @n: bytes of @why
 *
 * Return: true if so, false also without ACPI.
 */
bool v9_acpi_has_none(const struct v9_pmu_driver *driver, char *why, size_t n);

/**
 * v9_acpi_check_cpus - leave out CPUs whose unit has another interrupt, or none
 * @device: device whose @irq and @cpus are set
 *
 * No effect without ACPI.
 *
 * Return: 0 or -ENOMEM.
 */
int v9_acpi_check_cpus(struct v9_pmu_device *device);

/**
 * v9_acpi_has_child - is there a device below the device of a processor?
 * @nr: CPU
 * @hid: hardware ID of the device
 *
 * Return: true if there is one, and it is present.
 */
bool v9_acpi_has_child(int nr, const char *hid);

#endif
