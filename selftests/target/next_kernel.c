// SPDX-License-Identifier: GPL-2.0-only
/*
 * Start another kernel while units record this one: next_kernel IMAGE FROM TO. It gets the initrd
 * (retain_initrd) and the device tree of the running kernel. FROM on its command line is replaced
 * by TO, which has the same length. Does not return. guest.sh checks the next kernel.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/kexec.h>
#include <linux/reboot.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "brbe.h"
#include "ring.h"
#include "work.h"

#define FIRMWARE	"/sys/firmware"
#define MIB		(UINT64_C(1) << 20)

static void die(const char *what)
{
	fprintf(stderr, "next_kernel: %s: %s\n", what, strerror(errno));
	exit(1);
}

struct piece {
	uint8_t *data;
	size_t size;
};

static struct piece load(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct piece piece = { 0 };
	size_t room = 0;
	ssize_t got;

	if (fd < 0)
		die(path);
	do {
		if (room - piece.size < MIB) {
			room = 2 * room + 16 * MIB;
			piece.data = realloc(piece.data, room);
			if (!piece.data)
				die(path);
		}
		got = read(fd, piece.data + piece.size, room - piece.size);
		if (got < 0)
			die(path);
		piece.size += got;
	} while (got);
	close(fd);
	return piece;
}

static uint32_t cell(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | at[1] << 16 | at[2] << 8 | at[3];
}

static void set(uint8_t *at, size_t size, uint64_t value)
{
	while (size--) {
		at[size] = value;
		value >>= 8;
	}
}

/* Update one property of the tree. */
static void change(const char *name, uint8_t *value, size_t size, const uint64_t *initrd,
		   const char *from, const char *to)
{
	char *word;

	if (!strcmp(name, "linux,initrd-start")) {
		set(value, size, initrd[0]);
	} else if (!strcmp(name, "linux,initrd-end")) {
		set(value, size, initrd[1]);
	} else if (!strcmp(name, "bootargs")) {
		word = strstr((char *)value, from);
		if (!word) {
			errno = ENOENT;
			die(from);
		}
		memcpy(word, to, strlen(to));
	}
}

/* Only /chosen has properties of these names. */
static void change_tree(struct piece *tree, const uint64_t *initrd, const char *from,
			const char *to)
{
	uint8_t *at = tree->data + cell(tree->data + 8);
	const char *strings = (char *)tree->data + cell(tree->data + 12);

	for (;;) {
		uint32_t token = cell(at);

		at += 4;
		if (token == 1) {		/* node */
			at += (strlen((char *)at) + 4) & ~3UL;
		} else if (token == 3) {	/* property */
			uint32_t size = cell(at);

			change(strings + cell(at + 4), at + 8, size, initrd, from, to);
			at += 8 + ((size + 3) & ~3U);
		} else if (token == 9) {
			return;
		}
	}
}

/* The start of memory */
static uint64_t ram(void)
{
	unsigned long start, end;
	char line[256];
	FILE *f = fopen("/proc/iomem", "r");

	while (f && fgets(line, sizeof(line), f))
		if (strstr(line, "System RAM") && sscanf(line, "%lx-%lx", &start, &end) == 2 &&
		    end - start > 1000 * MIB)
			return start;
	errno = ENOMEM;
	die("memory of a gigabyte in one piece");
	return 0;
}

/* The registers that an arm64 kernel requires at its start: the tree in x0, 0 in x1 to x3. */
struct start {
	uint32_t code[6];
	uint64_t tree, kernel;
};

static void load_next(char **argv)
{
	struct piece image = load(argv[1]), initrd = load(FIRMWARE "/initrd");
	struct piece tree = load(FIRMWARE "/fdt");
	uint64_t base = ram() + 256 * MIB, at = base + 128 * MIB;
	uint64_t place[] = { at, at + initrd.size };
	struct start start = {
		.code = {
			0x580000c0,	/* ldr x0, tree */
			0xaa1f03e1, 0xaa1f03e2, 0xaa1f03e3,
			0x58000084,	/* ldr x4, kernel */
			0xd61f0080,	/* br x4 */
		},
		.tree = base - MIB,
		.kernel = base,
	};
	size_t page = sysconf(_SC_PAGESIZE);
#define SEGMENT(from, length, to, room)	\
	{ .buf = from, .bufsz = length, .mem = (void *)(uintptr_t)(to), \
	  .memsz = ((room) + page - 1) & ~(page - 1) }
	struct kexec_segment segment[] = {
		SEGMENT(&start, sizeof(start), base - 2 * MIB, sizeof(start)),
		SEGMENT(tree.data, tree.size, start.tree, tree.size),
		/* The header has the size in memory, which exceeds that of the file. */
		SEGMENT(image.data, image.size, base, *(uint64_t *)(image.data + 16)),
		SEGMENT(initrd.data, initrd.size, at, initrd.size),
	};

	change_tree(&tree, place, argv[2], argv[3]);
	if (syscall(__NR_kexec_load, base - 2 * MIB, 4UL, segment, KEXEC_ARCH_AARCH64))
		die("kexec_load");
	free(image.data);
	free(initrd.data);
	free(tree.data);
}

/*
 * Record the kernel in system calls and exceptions of a task, in an overwritten buffer, so the
 * unit never stops. perf ends sessions of CPUs before kexec, but those of tasks the driver must
 * end.
 */
static void record(const char *name, pid_t pid)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .disabled = 1, .exclude_user = 1,
					.exclude_hv = 1 };
	static struct ring ring[16];
	static unsigned int n;
	struct unit unit;

	if (unit_find(&unit, name))
		die(name);
	attr.type = unit.type;
	if (!strncmp(name, "arm_spe", 7))
		attr.sample_period = 1024;
	if (n == 16 || ring_open(&ring[n], &attr, pid, -1, 64, RING_OVERWRITE) ||
	    ring_enable(&ring[n]))
		die(name);
	n++;
}

/* Likewise the branches of the kernel, if the driver is v9_brbe */
static void record_branches(pid_t pid)
{
	struct unit unit;

	if (!brbe_find(&unit) && unit.ours && brbe_run_on(&unit, pid))
		die("v9_brbe");
}

int main(int argc, char **argv)
{
	bool *never = new_shared(sizeof(*never));
	int cpus = sysconf(_SC_NPROCESSORS_ONLN);
	unsigned long on = 0, branches = 0;

	if (argc != 4 || strlen(argv[2]) != strlen(argv[3]) || !never)
		return 2;
	load_next(argv);
	/* The CPU that stays online until the end, and the task that calls reboot() */
	if (pin_to(0))
		die("CPU 0");
	record("arm_spe_0", 0);
	record("cs_etm", 0);
	record_branches(0);
	for (int cpu = 1; cpu < cpus; cpu++) {
		struct worker worker;

		if (worker_start(&worker, cpu, spin_until_stop, never))
			die("worker");
		record("arm_spe_0", worker.pid);
		record("cs_etm", worker.pid);
		record_branches(worker.pid);
		worker_go(&worker);
	}
	/* A worker may not have run on its CPU just then. Without v9_brbe there are no branches. */
	for (int i = 0; i < 1000 && on + branches < 2 * (unsigned long)cpus; i++) {
		on = read_number("/sys/module/v9_down/parameters", "on");
		branches = read_number("/sys/module/v9_down/parameters", "branches");
	}
	printf("units on: %lu\nbranches on: %lu\n", on, branches);
	fflush(stdout);
	reboot(LINUX_REBOOT_CMD_KEXEC);
	die("kexec");
}
