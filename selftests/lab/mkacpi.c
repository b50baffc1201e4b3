// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * mkacpi DIR CPUS [KEY=VALUE...]: ACPI tables of QEMU's machine "virt" with SPE, TRBE and ETE, into
 * DIR/kernel/firmware/acpi, from where the kernel takes them if they are at the start of the initrd
 * (CONFIG_ACPI_TABLE_UPGRADE). The MADT replaces QEMU's, whose GICC entries end before TRBE's
 * interrupt, and the PPTT replaces QEMU's, which has no root and no Identical flags.
 *
 *	spe=N[,N...]	interrupt of SPE, of each CPU; the last one is for all further CPUs (21)
 *	trbe=N[,N...]	interrupt of TRBE (18)
 *	gicc=BYTES	size of a GICC entry: 76, 80, 81, 82 (82)
 *	pptt=KIND	root: a package with the Identical flag (default)
 *			two: a root with the flag, and two packages
 *			no_root: two packages, each with the flag
 *			ids: a root without the flag, and two packages with it
 *			qemu: no table, that of QEMU stays
 *	ete=N[,N...]	device ARMHC500 of each CPU: 0 none, 1 present, 2 with a _STA of 0 (1)
 *
 * Sources: ACPI 6.5, 5.2.12 (MADT), 5.2.30 (PPTT), 20.2 (AML); DEN0067 (ARMHC500).
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define CPUS_MAX	512

/* QEMU's machine "virt", hw/arm/virt.c */
#define GICD_BASE	0x08000000
#define ITS_BASE	0x08080000
#define GICR_BASE	0x080a0000
#define GICR_SIZE	0xf60000
#define PMU_INTID	23
#define MAINTENANCE	25
#define CLUSTER		16	/* CPUs that differ in Aff0 only */

static uint8_t table[CPUS_MAX * 128 + 4096];
static unsigned int size;

static void put(uint64_t v, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		table[size++] = (uint8_t)(v >> 8 * i);
}

static void put_text(const char *s, unsigned int n)
{
	memcpy(table + size, s, n);
	size += n;
}

/* OEM ids are QEMU's: the kernel replaces a table of the same ids that has a lower revision. */
static void begin(const char *signature, unsigned int revision)
{
	size = 0;
	put_text(signature, 4);
	put(0, 4);
	put(revision, 1);
	put(0, 1);
	put_text("BOCHS BXPC    ", 14);
	put(2, 4);
	put_text("V9TR", 4);
	put(1, 4);
}

static int write_table(const char *dir, const char *name)
{
	char path[4096];
	uint8_t sum = 0;
	FILE *f;

	for (int i = 0; i < 4; i++)
		table[4 + i] = (uint8_t)(size >> 8 * i);
	for (unsigned int i = 0; i < size; i++)
		sum += table[i];
	table[9] = (uint8_t)-sum;
	snprintf(path, sizeof(path), "%s/kernel/firmware/acpi/%s.aml", dir, name);
	f = fopen(path, "w");
	if (!f || fwrite(table, size, 1, f) != 1 || fclose(f)) {
		perror(path);
		return 1;
	}
	return 0;
}

static uint64_t mpidr(unsigned int cpu)
{
	return cpu / CLUSTER << 8 | cpu % CLUSTER;
}

/* Element @i of a list of numbers, or its last one */
static unsigned int element(const char *list, unsigned int i)
{
	const char *next;

	while (i-- && (next = strchr(list, ',')))
		list = next + 1;
	return (unsigned int)strtoul(list, NULL, 0);
}

static void madt(unsigned int cpus, unsigned int gicc, const char *spe, const char *trbe)
{
	begin("APIC", gicc >= 82 ? 6 : gicc >= 80 ? 5 : 3);
	put(0, 8);
	put(0x0c, 1);			/* GICD */
	put(24, 1);
	put(0, 6);
	put(GICD_BASE, 8);
	put(0, 4);
	put(3, 4);
	for (unsigned int i = 0; i < cpus; i++) {
		const unsigned int start = size;

		put(0x0b, 1);		/* GICC */
		put(gicc, 1);
		put(0, 2);
		put(i, 4);
		put(i, 4);		/* ACPI processor UID */
		put(1, 4);		/* enabled */
		put(0, 4);
		put(PMU_INTID, 4);
		put(0, 32);
		put(MAINTENANCE, 4);
		put(0, 8);
		put(mpidr(i), 8);
		put(0, 2);
		put(element(spe, i), 2);	/* at 78 */
		put(element(trbe, i), 2);	/* at 80 */
		size = start + gicc;
	}
	put(0x0e, 1);			/* GICR */
	put(16, 1);
	put(0, 2);
	put(GICR_BASE, 8);
	put(GICR_SIZE, 4);
	put(0x0f, 1);			/* ITS */
	put(20, 1);
	put(0, 6);
	put(ITS_BASE, 8);
	put(0, 4);
}

#define PACKAGE		1
#define ID_VALID	2
#define LEAF		8
#define IDENTICAL	16

/* Returns the offset of the node, as children refer to it. */
static unsigned int node(unsigned int flags, unsigned int parent, unsigned int id)
{
	const unsigned int at = size;

	put(0, 1);
	put(20, 1);
	put(0, 2);
	put(flags, 4);
	put(parent, 4);
	put(id, 4);
	put(0, 4);
	return at;
}

static int pptt(unsigned int cpus, const char *kind)
{
	unsigned int root = 0, flags = PACKAGE, n = 2, package = 0;

	begin("PPTT", 3);
	if (!strcmp(kind, "root")) {
		root = node(IDENTICAL, 0, 0);
		n = 1;
	} else if (!strcmp(kind, "two")) {
		root = node(IDENTICAL, 0, 0);
	} else if (!strcmp(kind, "ids")) {
		root = node(0, 0, 0);
		flags |= IDENTICAL;
	} else if (!strcmp(kind, "no_root")) {
		flags |= IDENTICAL;
	} else {
		return -EINVAL;
	}
	for (unsigned int i = 0; i < cpus; i++) {
		if (i % ((cpus + n - 1) / n) == 0)
			package = node(flags, root, i);
		node(ID_VALID | LEAF, package, i);
	}
	return 0;
}

/* Package length of AML: of what follows, and of itself */
static void put_length(unsigned int n)
{
	if (n + 1 < 64) {
		put(n + 1, 1);
	} else {
		put(0x40 | ((n + 2) & 15), 1);
		put((n + 2) >> 4, 1);
	}
}

/* Scope(\_SB.C000) { Device(ETE0) { Name(_HID, "ARMHC500") Name(_UID, 0) Name(_STA, Zero) } } */
static void ssdt(unsigned int cpus, const char *ete)
{
	begin("SSDT", 2);
	for (unsigned int i = 0; i < cpus; i++) {
		const unsigned int kind = element(ete, i), sta = kind == 2 ? 1 + 4 + 1 : 0;
		const unsigned int names = 1 + 4 + 1 + 9 + 1 + 4 + 3 + sta;
		char name[5];

		if (!kind)
			continue;
		snprintf(name, sizeof(name), "C%.03X", i & 0xfff);
		put(0x10, 1);
		put_length(10 + 2 + 1 + 4 + names);
		put_text("\\\x2e_SB_", 6);
		put_text(name, 4);
		put(0x825b, 2);			/* Device */
		put_length(4 + names);
		put_text("ETE0", 4);
		put(8, 1);			/* Name */
		put_text("_HID", 4);
		put(0x0d, 1);
		put_text("ARMHC500", 9);
		put(8, 1);
		put_text("_UID", 4);
		put(0x0b, 1);			/* a word */
		put(i, 2);
		if (sta) {
			put(8, 1);
			put_text("_STA", 4);
			put(0, 1);		/* Zero */
		}
	}
}

int main(int argc, char **argv)
{
	const char *spe = "21", *trbe = "18", *kind = "root", *ete = "1";
	unsigned int cpus, gicc = 82;
	char path[4096];

	if (argc < 3) {
		fprintf(stderr, "usage: mkacpi DIR CPUS [KEY=VALUE...]\n");
		return 2;
	}
	cpus = (unsigned int)strtoul(argv[2], NULL, 0);
	for (int i = 3; i < argc; i++) {
		const char *value = strchr(argv[i], '=');

		if (value && !strncmp(argv[i], "spe=", 4))
			spe = value + 1;
		else if (value && !strncmp(argv[i], "trbe=", 5))
			trbe = value + 1;
		else if (value && !strncmp(argv[i], "gicc=", 5))
			gicc = (unsigned int)strtoul(value + 1, NULL, 0);
		else if (value && !strncmp(argv[i], "pptt=", 5))
			kind = value + 1;
		else if (value && !strncmp(argv[i], "ete=", 4))
			ete = value + 1;
		else {
			fprintf(stderr, "mkacpi: %s is not KEY=VALUE\n", argv[i]);
			return 2;
		}
	}
	if (!cpus || cpus > CPUS_MAX || gicc < 76 || gicc > 82) {
		fprintf(stderr, "mkacpi: 1 to %d CPUs, GICC of 76 to 82 bytes\n", CPUS_MAX);
		return 2;
	}
	for (const char *dir = "/kernel/firmware/acpi"; *dir; ) {
		const char *end = strchr(dir + 1, '/') ?: dir + strlen(dir);
		static const char *const all = "/kernel/firmware/acpi";

		snprintf(path, sizeof(path), "%s%.*s", argv[1], (int)(end - all), all);
		if (mkdir(path, 0777) && errno != EEXIST) {
			perror(path);
			return 1;
		}
		dir = end;
	}
	madt(cpus, gicc, spe, trbe);
	if (write_table(argv[1], "apic"))
		return 1;
	if (strcmp(kind, "qemu")) {
		if (pptt(cpus, kind)) {
			fprintf(stderr, "mkacpi: no such topology: %s\n", kind);
			return 2;
		}
		if (write_table(argv[1], "pptt"))
			return 1;
	}
	if (!strcmp(ete, "0"))
		return 0;
	ssdt(cpus, ete);
	return write_table(argv[1], "ssdt");
}
