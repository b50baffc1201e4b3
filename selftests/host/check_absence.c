// SPDX-License-Identifier: GPL-2.0-only
/*
 * No device: what firmware says of the unit, in a MADT typed from the ACPI specification (6.5,
 * 5.2.12.14: GICC), and what the user is told.
 */
#include <string.h>

#include "tap.h"
#include "v9trace/check_absence.h"

static const struct {
	const char *name;
	struct v9_absence seen;
	const char *why;
} cases[] = {
	{ "tree_without_a_node", { .makes = true }, NULL },
	{ "tree_with_a_node_that_is_disabled", { .described = true, .makes = true }, "disabled" },
	{ "tree_with_a_node", { .described = true, .available = true }, "the bus that it is on" },
	{ "acpi_without_an_interrupt", { .acpi = true }, NULL },
	{ "acpi_without_an_interrupt_in_tree_driver", { .acpi = true, .makes = true }, NULL },
	{ "acpi_kernel_makes_none", { .acpi = true, .described = true },
	  "makes no device of it; that takes %s" },
	{ "acpi_kernel_could", { .acpi = true, .described = true, .makes = true },
	  "takes %s, and one interrupt" },
};

/* The header and two fields come first: 44 bytes. */
static size_t head(uint8_t *madt)
{
	memset(madt, 0xff, 44);
	memcpy(madt, "APIC", 4);
	return 44;
}

/* A structure of @size bytes, and the interrupts at the two places, if they are in it. */
static size_t gicc(uint8_t *p, uint8_t type, uint8_t size, uint16_t spe, uint16_t trbe)
{
	memset(p, 0, size);
	p[0] = type;
	p[1] = size;
	if (size >= 80) {
		p[78] = spe & 0xff;
		p[79] = spe >> 8;
	}
	if (size >= 82) {
		p[80] = trbe & 0xff;
		p[81] = trbe >> 8;
	}
	return size;
}

int main(void)
{
	uint8_t madt[512];
	size_t n;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *why = v9_check_absence(cases[i].seen);

		tap_ok(!why == !cases[i].why && (!why || strstr(why, cases[i].why)), cases[i].name);
	}

	n = head(madt);
	tap_ok(!v9_madt_has(madt, n, 78) && !v9_madt_has(madt, n, 80), "table_without_cpus");

	/* A GIC distributor (type 0xc), and a CPU of ACPI 6.5 with PPI 21 (0x15) for SPE alone */
	n += gicc(madt + n, 0xc, 24, 0, 0);
	n += gicc(madt + n, 0xb, 82, 0x15, 0);
	tap_ok(v9_madt_has(madt, n, V9_GICC_SPE_INTERRUPT), "interrupt_of_spe");
	tap_ok(!v9_madt_has(madt, n, V9_GICC_TRBE_INTERRUPT), "interrupt_of_spe_is_not_trbe_s");
	/* The second CPU has both; that of TRBE above 255 */
	n += gicc(madt + n, 0xb, 82, 0x15, 0x100);
	tap_ok(v9_madt_has(madt, n, V9_GICC_TRBE_INTERRUPT), "interrupt_of_trbe");

	/* ACPI 6.3 and 6.4 end behind that of SPE, 6.2 and before in front of it. */
	n = head(madt);
	n += gicc(madt + n, 0xb, 80, 0x15, 0);
	memset(madt + n, 0xff, 80);
	tap_ok(v9_madt_has(madt, n, 78) && !v9_madt_has(madt, n, 80), "structure_of_acpi_6_3");
	n = head(madt);
	n += gicc(madt + n, 0xb, 76, 0, 0);
	memset(madt + n, 0xff, 80);
	tap_ok(!v9_madt_has(madt, n, 78) && !v9_madt_has(madt, n, 80), "structure_of_acpi_6_2");

	/* What is no GICC may have something there; what is torn or has no length is the end. */
	n = head(madt);
	n += gicc(madt + n, 0xe, 82, 0x15, 0x16);
	tap_ok(!v9_madt_has(madt, n, 78), "structure_of_another_type");
	n = head(madt);
	n += gicc(madt + n, 0xb, 82, 0x15, 0x16);
	tap_ok(!v9_madt_has(madt, n - 1, 78), "structure_beyond_the_end");
	n = head(madt);
	memset(madt + n, 0, 128);
	tap_ok(!v9_madt_has(madt, n + 128, 78), "structure_without_length");
	return tap_done();
}
