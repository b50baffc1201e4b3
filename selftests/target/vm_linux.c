// SPDX-License-Identifier: GPL-2.0-only
/*
 * A Linux guest under KVM with one CPU, memory, interrupts, a timer and a UART, and nothing else:
 * vm_linux IMAGE INITRD. Prints the guest's output. Exits with 0 after the guest has powered off.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define DISTRIBUTOR	UINT64_C(0x08000000)
#define REDISTRIBUTOR	UINT64_C(0x080a0000)
#define UART		UINT64_C(0x09000000)	/* PL011, only its data register has a function */
#define RAM		UINT64_C(0x40000000)
#define RAM_SIZE	UINT64_C(0x18000000)
#define TREE		(RAM + UINT64_C(0x08000000))
#define INITRD		(RAM + UINT64_C(0x0a000000))

static void die(const char *what)
{
	fprintf(stderr, "vm_linux: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int kvm_call(int fd, unsigned long request, void *arg, const char *what)
{
	int value = ioctl(fd, request, arg);

	if (value < 0)
		die(what);
	return value;
}

/* A flattened device tree, written in order */
static struct {
	uint8_t structure[2048];
	size_t at;
	char strings[512];
	size_t nstrings;
} tree;

static void cell(uint32_t value)
{
	const uint32_t big = __builtin_bswap32(value);

	if (tree.at + sizeof(big) > sizeof(tree.structure)) {
		errno = ENOSPC;
		die("device tree");
	}
	memcpy(tree.structure + tree.at, &big, sizeof(big));
	tree.at += sizeof(big);
}

static void bytes(const void *data, size_t size)
{
	for (size_t i = 0; i < size; i += 4) {
		uint32_t word = 0;

		memcpy(&word, (const char *)data + i, size - i < 4 ? size - i : 4);
		cell(__builtin_bswap32(word));
	}
}

static void begin(const char *name)
{
	cell(1);
	bytes(name, strlen(name) + 1);
}

static void end(void)
{
	cell(2);
}

static void property(const char *name, const void *data, size_t size)
{
	cell(3);
	cell(size);
	cell(tree.nstrings);
	if (tree.nstrings + strlen(name) + 1 > sizeof(tree.strings)) {
		errno = ENOSPC;
		die("device tree");
	}
	strcpy(tree.strings + tree.nstrings, name);
	tree.nstrings += strlen(name) + 1;
	bytes(data, size);
}

static void text(const char *name, const char *value)
{
	property(name, value, strlen(value) + 1);
}

static void cells(const char *name, const uint32_t *value, size_t n)
{
	uint32_t big[16];

	for (size_t i = 0; i < n; i++)
		big[i] = __builtin_bswap32(value[i]);
	property(name, big, 4 * n);
}

#define CELLS(name, ...)	\
	cells(name, (const uint32_t[]){ __VA_ARGS__ },	\
	      sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

static size_t describe(uint8_t *to, size_t initrd)
{
	uint32_t header[14] = { 0 };	/* and an empty list of reserved memory */
	size_t size;

	begin("");
	text("compatible", "linux,dummy-virt");
	CELLS("#address-cells", 2);
	CELLS("#size-cells", 2);
	CELLS("interrupt-parent", 1);
	begin("chosen");
	text("bootargs", "earlycon=pl011,0x9000000 keep_bootcon quiet panic=-1 rdinit=/init");
	CELLS("linux,initrd-start", INITRD >> 32, (uint32_t)INITRD);
	CELLS("linux,initrd-end", (INITRD + initrd) >> 32, (uint32_t)(INITRD + initrd));
	end();
	begin("memory@40000000");
	text("device_type", "memory");
	CELLS("reg", RAM >> 32, (uint32_t)RAM, RAM_SIZE >> 32, (uint32_t)RAM_SIZE);
	end();
	begin("cpus");
	CELLS("#address-cells", 1);
	CELLS("#size-cells", 0);
	begin("cpu@0");
	text("device_type", "cpu");
	text("compatible", "arm,armv8");
	text("enable-method", "psci");
	CELLS("reg", 0);
	end();
	end();
	begin("psci");
	text("compatible", "arm,psci-1.0");
	text("method", "hvc");
	end();
	begin("intc@8000000");
	text("compatible", "arm,gic-v3");
	property("interrupt-controller", NULL, 0);
	CELLS("#interrupt-cells", 3);
	CELLS("phandle", 1);
	CELLS("reg", 0, DISTRIBUTOR, 0, 0x10000, 0, REDISTRIBUTOR, 0, 0x20000);
	end();
	begin("timer");
	text("compatible", "arm,armv8-timer");
	property("always-on", NULL, 0);
	CELLS("interrupts", 1, 13, 4, 1, 14, 4, 1, 11, 4, 1, 10, 4);
	end();
	end();
	cell(9);

	size = sizeof(header) + tree.at + tree.nstrings;
	header[0] = 0xd00dfeed;
	header[1] = size;
	header[2] = sizeof(header);
	header[3] = sizeof(header) + tree.at;
	header[4] = 40;
	header[5] = 17;
	header[6] = 16;
	header[8] = tree.nstrings;
	header[9] = tree.at;
	for (size_t i = 0; i < 14; i++)
		header[i] = __builtin_bswap32(header[i]);
	memcpy(to, header, sizeof(header));
	memcpy(to + sizeof(header), tree.structure, tree.at);
	memcpy(to + sizeof(header) + tree.at, tree.strings, tree.nstrings);
	return size;
}

static size_t load(const char *file, uint8_t *to, size_t room)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	size_t size = 0;
	ssize_t got = 1;

	if (fd < 0)
		die(file);
	for (; got > 0; size += got > 0 ? got : 0) {
		got = read(fd, to + size, room - size);
		if (got < 0 || size == room) {
			errno = got < 0 ? errno : EFBIG;
			die(file);
		}
	}
	close(fd);
	return size;
}

static void place_gic(int gic, uint64_t type, uint64_t address)
{
	struct kvm_device_attr attr = {
		.group = KVM_DEV_ARM_VGIC_GRP_ADDR,
		.attr = type,
		.addr = (uintptr_t)&address,
	};

	kvm_call(gic, KVM_SET_DEVICE_ATTR, &attr, "place of the GIC");
}

static void finish_gic(int gic)
{
	struct kvm_device_attr attr = {
		.group = KVM_DEV_ARM_VGIC_GRP_CTRL,
		.attr = KVM_DEV_ARM_VGIC_CTRL_INIT,
	};

	place_gic(gic, KVM_VGIC_V3_ADDR_TYPE_DIST, DISTRIBUTOR);
	place_gic(gic, KVM_VGIC_V3_ADDR_TYPE_REDIST, REDISTRIBUTOR);
	kvm_call(gic, KVM_SET_DEVICE_ATTR, &attr, "GIC");
}

static void set(int cpu, size_t at, uint64_t value)
{
	struct kvm_one_reg reg = {
		.id = KVM_REG_ARM64 | KVM_REG_SIZE_U64 | KVM_REG_ARM_CORE | at / sizeof(__u32),
		.addr = (uintptr_t)&value,
	};

	kvm_call(cpu, KVM_SET_ONE_REG, &reg, "register");
}

/* Runs the guest. Returns 0 once it has powered off. */
static int run(int cpu, struct kvm_run *run)
{
	for (;;) {
		if (ioctl(cpu, KVM_RUN, 0)) {
			if (errno != EINTR && errno != EAGAIN)
				die("run");
			continue;
		}
		switch (run->exit_reason) {
		case KVM_EXIT_MMIO:
			if (run->mmio.phys_addr >> 12 != UART >> 12) {
				fprintf(stderr, "vm_linux: nothing is at %#llx\n",
					run->mmio.phys_addr);
				return 1;
			}
			if (!run->mmio.is_write)
				memset(run->mmio.data, 0, sizeof(run->mmio.data));
			else if (run->mmio.phys_addr == UART)
				putchar(run->mmio.data[0]);
			continue;
		case KVM_EXIT_SYSTEM_EVENT:
			return run->system_event.type != KVM_SYSTEM_EVENT_SHUTDOWN;
		default:
			fprintf(stderr, "vm_linux: stopped, reason %u\n", run->exit_reason);
			return 1;
		}
	}
}

int main(int argc, char **argv)
{
	struct kvm_userspace_memory_region region = {
		.guest_phys_addr = RAM,
		.memory_size = RAM_SIZE,
	};
	struct kvm_create_device gic = { .type = KVM_DEV_TYPE_ARM_VGIC_V3 };
	struct kvm_vcpu_init init;
	struct kvm_run *shared;
	int kvm, vm, cpu;
	uint8_t *memory;

	if (argc != 3) {
		fputs("usage: vm_linux IMAGE INITRD\n", stderr);
		return 2;
	}
	kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC);
	if (kvm < 0)
		die("/dev/kvm");
	vm = kvm_call(kvm, KVM_CREATE_VM, NULL, "machine");
	memory = mmap(NULL, RAM_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		die("memory");
	load(argv[1], memory, TREE - RAM);
	describe(memory + (TREE - RAM),
		 load(argv[2], memory + (INITRD - RAM), RAM_SIZE - (INITRD - RAM)));
	region.userspace_addr = (uintptr_t)memory;
	kvm_call(vm, KVM_SET_USER_MEMORY_REGION, &region, "memory");

	kvm_call(vm, KVM_CREATE_DEVICE, &gic, "GIC");
	cpu = kvm_call(vm, KVM_CREATE_VCPU, NULL, "CPU");
	kvm_call(vm, KVM_ARM_PREFERRED_TARGET, &init, "type of CPU");
	init.features[0] |= 1u << KVM_ARM_VCPU_PSCI_0_2;
	kvm_call(cpu, KVM_ARM_VCPU_INIT, &init, "CPU");
	finish_gic(gic.fd);
	set(cpu, offsetof(struct kvm_regs, regs.regs[0]), TREE);
	set(cpu, offsetof(struct kvm_regs, regs.pc), RAM);

	shared = mmap(NULL, kvm_call(kvm, KVM_GET_VCPU_MMAP_SIZE, NULL, "size"), PROT_READ | PROT_WRITE,
		      MAP_SHARED, cpu, 0);
	if (shared == MAP_FAILED)
		die("CPU");
	return run(cpu, shared);
}
