// SPDX-License-Identifier: GPL-2.0-only
/*
 * The interrupt of a CPU's unit in a MADT typed from the ACPI specification (6.5, 5.2.12.14: GICC),
 * and the text that names what is wrong with it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"
#include "v9trace/check_absence.h"

/* A MADT without entries: the header of a table, and two fields, 44 bytes */
static size_t head(uint8_t *madt)
{
	memset(madt, 0xff, 44);
	memcpy(madt, "APIC", 4);
	return 44;
}

/* An entry of @size bytes: the UID at 8, interrupts at 78 and 80 if they are in it. */
static size_t entry(uint8_t *p, uint8_t type, uint8_t size, uint32_t uid, uint16_t spe,
		    uint16_t trbe)
{
	memset(p, 0, size);
	p[0] = type;
	p[1] = size;
	for (int i = 0; i < 4 && size >= 12; i++)
		p[8 + i] = uid >> 8 * i & 0xff;
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

static uint8_t madt[1024];

/* In memory that ends with the table, so that the sanitizer sees a read beyond it */
static void is(const char *name, size_t n, uint32_t uid, unsigned int at, int fault,
	       unsigned int intid)
{
	uint8_t *table = malloc(n);
	unsigned int got;

	memcpy(table, madt, n);
	tap_eq(v9_madt_interrupt(table, n, uid, at, &got), fault, "%s", name);
	tap_eq(got, intid, "%s_interrupt", name);
	free(table);
}

/* The bounds of the two ranges of PPIs: GICv3 architecture specification, 2.2.1 */
static void test_ranges(void)
{
	static const struct {
		uint16_t intid;
		bool ppi;
	} cases[] = {
		{ 1, false }, { 15, false }, { 16, true }, { 21, true }, { 31, true }, { 32, false },
		{ 1055, false }, { 1056, true }, { 1119, true }, { 1120, false }, { 0xffff, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t n = head(madt);
		char name[32];

		n += entry(madt + n, 0xb, 82, 0, cases[i].intid, 0);
		snprintf(name, sizeof(name), "range_%u", cases[i].intid);
		is(name, n, 0, 78, cases[i].ppi ? V9_MADT_OK : V9_MADT_NOT_PPI, cases[i].intid);
	}
}

static void text_is(const char *name, enum v9_madt_fault fault, const char *text)
{
	char got[80];

	snprintf(got, sizeof(got), v9_madt_text(fault), 3u, 40u);
	tap_ok(!strcmp(got, text), name);
}

int main(void)
{
	size_t n = head(madt);

	tap_eq(V9_GICC_SPE_INTERRUPT, 78, "place_of_spe");
	tap_eq(V9_GICC_TRBE_INTERRUPT, 80, "place_of_trbe");
	is("table_without_cpus", n, 0, 78, V9_MADT_NO_ENTRY, 0);

	/* A GIC distributor (type 0xc), and CPUs of ACPI 6.5 in no order */
	n += entry(madt + n, 0xc, 24, 0x100, 0, 0);
	n += entry(madt + n, 0xb, 82, 0x100, 21, 18);
	n += entry(madt + n, 0xb, 82, 0x20000, 22, 0x102);
	n += entry(madt + n, 0xb, 82, 0x3000000, 0, 19);
	n += entry(madt + n, 0xb, 82, 0, 23, 0);
	is("spe_of_100", n, 0x100, 78, V9_MADT_OK, 21);
	is("trbe_of_100", n, 0x100, 80, V9_MADT_OK, 18);
	is("spe_of_20000", n, 0x20000, 78, V9_MADT_OK, 22);
	is("trbe_of_20000_both_bytes", n, 0x20000, 80, V9_MADT_NOT_PPI, 0x102);
	is("spe_of_3000000_is_none", n, 0x3000000, 78, V9_MADT_NONE, 0);
	is("trbe_of_3000000", n, 0x3000000, 80, V9_MADT_OK, 19);
	is("spe_of_0", n, 0, 78, V9_MADT_OK, 23);
	is("trbe_of_0_is_none", n, 0, 80, V9_MADT_NONE, 0);
	is("no_such_cpu", n, 1, 78, V9_MADT_NO_ENTRY, 0);
	is("no_such_cpu_in_the_low_byte", n, 0x200, 78, V9_MADT_NO_ENTRY, 0);
	is("last_entry_cut", n - 1, 0, 78, V9_MADT_NO_ENTRY, 0);
	is("byte_behind_the_last_entry", n + 1, 1, 78, V9_MADT_NO_ENTRY, 0);

	/* An entry of ACPI 6.2 ends before the interrupt of SPE, one of 6.3 or 6.4 after it. */
	static const struct {
		uint8_t size;
		int spe, trbe;
	} sizes[] = {
		{ 76, V9_MADT_SHORT, V9_MADT_SHORT }, { 79, V9_MADT_SHORT, V9_MADT_SHORT },
		{ 80, V9_MADT_OK, V9_MADT_SHORT }, { 81, V9_MADT_OK, V9_MADT_SHORT },
		{ 82, V9_MADT_OK, V9_MADT_OK },
	};
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		char name[32];

		n = head(madt);
		n += entry(madt + n, 0xb, sizes[i].size, 0, 21, 18);
		memset(madt + n, 0xff, 80);
		snprintf(name, sizeof(name), "size_%u_spe", sizes[i].size);
		is(name, n, 0, 78, sizes[i].spe, sizes[i].spe == V9_MADT_OK ? 21 : 0);
		snprintf(name, sizeof(name), "size_%u_trbe", sizes[i].size);
		is(name, n, 0, 80, sizes[i].trbe, sizes[i].trbe == V9_MADT_OK ? 18 : 0);
	}

	/*
	 * Structures of another type, and GICC structures too short for a UID, are skipped. A
	 * structure of length 0 ends the search.
	 */
	n = head(madt);
	n += entry(madt + n, 0xe, 82, 0, 21, 18);
	is("entry_of_another_type", n, 0, 78, V9_MADT_NO_ENTRY, 0);
	n = head(madt);
	n += entry(madt + n, 0xb, 11, 0, 0, 0);
	n += entry(madt + n, 0xb, 82, 0, 21, 0);
	is("entry_without_a_uid", n, 0, 78, V9_MADT_OK, 21);
	is("uid_across_two_entries", n, 0x0b000000, 78, V9_MADT_NO_ENTRY, 0);
	n = head(madt);
	memset(madt + n, 0, 128);
	is("entry_without_length", n + 128, 0, 78, V9_MADT_NO_ENTRY, 0);
	test_ranges();

	text_is("text_short", V9_MADT_SHORT, "GICC entry of CPU3 ends before the interrupt (40)");
	text_is("text_none", V9_MADT_NONE, "GICC entry of CPU3 has interrupt 40");
	text_is("text_not_ppi", V9_MADT_NOT_PPI,
		"GICC entry of CPU3 has interrupt 40, which is no PPI");
	text_is("text_no_entry", V9_MADT_NO_ENTRY, "the MADT has no GICC entry of CPU3 (40)");
	tap_ok(strstr(v9_check_absence(false), "disabled") && strstr(v9_check_absence(true), "bus"),
	       "node_of_the_device_tree");
	return tap_done();
}
