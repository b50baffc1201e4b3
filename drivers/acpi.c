// SPDX-License-Identifier: GPL-2.0-only
/*
 * Devices from the ACPI MADT; see acpi.h.
 */
#include <linux/acpi.h>
#include <linux/irq.h>
#include <linux/platform_device.h>

#include "acpi.h"
#include "unit.h"

#ifdef CONFIG_ACPI

static enum v9_madt_fault v9_acpi_interrupt(const struct acpi_table_header *madt,
					    unsigned int nr, unsigned int at,
					    unsigned int *intid)
{
	u32 uid = acpi_cpu_get_madt_gicc(nr)->uid;

	return v9_madt_interrupt((const u8 *)madt, madt->length, uid, at, intid);
}

/* What is wrong with the entry of the first of these CPUs */
static enum v9_madt_fault v9_acpi_fault(const struct v9_pmu_driver *driver,
					const struct acpi_table_header *madt,
					const struct cpumask *cpus, char *why, size_t n)
{
	unsigned int intid, nr = cpumask_first(cpus);
	enum v9_madt_fault fault = v9_acpi_interrupt(madt, nr, driver->gicc_at, &intid);

	snprintf(why, n, v9_madt_text(fault), nr, intid);
	return fault;
}

/* Log the CPUs that are left out: a line for each fault. */
static int v9_acpi_log(const struct v9_pmu_driver *driver, const struct acpi_table_header *madt)
{
	enum v9_madt_fault fault;
	cpumask_var_t cpus;
	unsigned int intid;
	char why[80];
	int nr;

	if (!alloc_cpumask_var(&cpus, GFP_KERNEL))
		return -ENOMEM;
	for (fault = V9_MADT_OK + 1; fault < V9_MADT_FAULTS; fault++) {
		cpumask_clear(cpus);
		for_each_possible_cpu(nr)
			if (v9_acpi_interrupt(madt, nr, driver->gicc_at, &intid) == fault)
				cpumask_set_cpu(nr, cpus);
		if (cpumask_empty(cpus))
			continue;
		v9_acpi_fault(driver, madt, cpus, why, sizeof(why));
		pr_warn("%s: CPUs %*pbl not used: %s\n", driver->platform.driver.name,
			cpumask_pr_args(cpus), why);
	}
	free_cpumask_var(cpus);
	return 0;
}

/* Has no CPU an entry that can be used? */
static bool v9_acpi_is_none(const struct v9_pmu_driver *driver,
			    const struct acpi_table_header *madt)
{
	unsigned int intid;
	int nr;

	for_each_possible_cpu(nr)
		if (v9_acpi_interrupt(madt, nr, driver->gicc_at, &intid) == V9_MADT_OK)
			return false;
	return true;
}

/* Log why no CPU has a unit. */
static void v9_acpi_log_absent(const struct v9_pmu_driver *driver,
			       const struct acpi_table_header *madt)
{
	const char *name = driver->platform.driver.name;
	char why[80];

	if (v9_acpi_fault(driver, madt, cpu_possible_mask, why, sizeof(why)) == V9_MADT_NOT_PPI)
		pr_err("%s: %s not used: %s\n", name, driver->extension, why);
	else
		pr_err("%s: firmware describes no %s: %s\n", name, driver->extension, why);
}

/*
 * The mapping of the interrupt stays when the device is gone, as that of the kernel's own devices
 * does: if the MADT is wrong, another driver may use the same interrupt.
 */
static int v9_acpi_make_device(struct v9_pmu_driver *driver, unsigned int intid)
{
	struct v9_pmu_own *own = &driver->own[driver->nr_own];
	struct resource irq = { .flags = IORESOURCE_IRQ };
	int nr = acpi_register_gsi(NULL, intid, ACPI_LEVEL_SENSITIVE, ACPI_ACTIVE_HIGH);

	if (nr < 0) {
		pr_err("%s: interrupt %u of the MADT cannot be used (%d)\n",
		       driver->platform.driver.name, intid, nr);
		return nr;
	}
	irq.start = nr;
	irq.end = nr;
	own->device = platform_device_register_simple(driver->platform.driver.name,
						      PLATFORM_DEVID_AUTO, &irq, 1);
	if (IS_ERR(own->device))
		return PTR_ERR(own->device);
	own->gsi = intid;
	driver->nr_own++;
	return 0;
}

/* Is there a device for this interrupt? */
static bool v9_acpi_is_made(const struct v9_pmu_driver *driver, unsigned int intid)
{
	unsigned int i;

	for (i = 0; i < driver->nr_own; i++)
		if (driver->own[i].gsi == intid)
			return true;
	return false;
}

int v9_acpi_make_devices(struct v9_pmu_driver *driver)
{
	struct acpi_table_header *madt;
	unsigned int intid;
	int nr, err = 0;

	if (acpi_disabled || ACPI_FAILURE(acpi_get_table(ACPI_SIG_MADT, 0, &madt)))
		return 0;
	if (v9_acpi_is_none(driver, madt))
		v9_acpi_log_absent(driver, madt);
	else
		err = v9_acpi_log(driver, madt);
	for_each_possible_cpu(nr) {
		if (!err && v9_acpi_interrupt(madt, nr, driver->gicc_at, &intid) == V9_MADT_OK &&
		    !v9_acpi_is_made(driver, intid))
			err = v9_acpi_make_device(driver, intid);
	}
	acpi_put_table(madt);
	return err;
}

bool v9_acpi_has_none(const struct v9_pmu_driver *driver, char *why, size_t n)
{
	struct acpi_table_header *madt;
	bool none;

	if (acpi_disabled || ACPI_FAILURE(acpi_get_table(ACPI_SIG_MADT, 0, &madt)))
		return false;
	none = v9_acpi_is_none(driver, madt);
	if (none)
		v9_acpi_fault(driver, madt, cpu_possible_mask, why, n);
	acpi_put_table(madt);
	return none;
}

int v9_acpi_check_cpus(struct v9_pmu_device *device)
{
	const struct v9_pmu_driver *driver = device->driver;
	struct irq_data *irq = irq_get_irq_data(device->irq);
	struct acpi_table_header *madt;
	unsigned int intid;
	int nr, err = 0;

	if (acpi_disabled || !irq || ACPI_FAILURE(acpi_get_table(ACPI_SIG_MADT, 0, &madt)))
		return 0;
	for_each_possible_cpu(nr)
		if (v9_acpi_interrupt(madt, nr, driver->gicc_at, &intid) != V9_MADT_OK ||
		    intid != irqd_to_hwirq(irq))
			cpumask_clear_cpu(nr, &device->cpus);
	if (!driver->making)	/* v9_acpi_make_devices() has logged them */
		err = v9_acpi_log(driver, madt);
	acpi_put_table(madt);
	return err;
}

bool v9_acpi_has_child(int nr, const char *hid)
{
	u32 uid = acpi_cpu_get_madt_gicc(nr)->uid;
	unsigned long long processor;
	struct acpi_device *child;
	acpi_handle parent;

	for_each_acpi_dev_match(child, hid, NULL, -1) {
		if (!child->status.present ||
		    ACPI_FAILURE(acpi_get_parent(child->handle, &parent)) ||
		    ACPI_FAILURE(acpi_evaluate_integer(parent, "_UID", NULL, &processor)) ||
		    processor != uid)
			continue;
		acpi_dev_put(child);
		return true;
	}
	return false;
}

#else

int v9_acpi_make_devices(struct v9_pmu_driver *driver)
{
	return 0;
}

bool v9_acpi_has_none(const struct v9_pmu_driver *driver, char *why, size_t n)
{
	return false;
}

int v9_acpi_check_cpus(struct v9_pmu_device *device)
{
	return 0;
}

bool v9_acpi_has_child(int nr, const char *hid)
{
	return false;
}

#endif
