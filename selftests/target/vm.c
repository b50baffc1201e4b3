// SPDX-License-Identifier: GPL-2.0-only
/* A virtual machine under KVM; see vm.h. */
#include <errno.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "vm.h"

#define SPEAK	UINT64_C(0x09000000)

extern const char guest_start[], guest_end[];

const char *const vm_registers[] = {
	"PMSCR_EL1", "PMSIDR_EL1", "PMBLIMITR_EL1", "PMBSR_EL1", "TRBLIMITR_EL1", "TRBSR_EL1",
	"TRFCR_EL1", "TRCPRGCTLR", "TRCSTATR",
};
const size_t vm_nregisters = sizeof(vm_registers) / sizeof(vm_registers[0]);

const char *const vm_branches[] = {
	"read BRBCR_EL1", "read BRBFCR_EL1", "read BRBTS_EL1", "read BRBINFINJ_EL1",
	"read BRBSRCINJ_EL1", "read BRBTGTINJ_EL1", "read BRBIDR0_EL1", "read BRBINF0_EL1",
	"read BRBSRC0_EL1", "read BRBTGT0_EL1", "read BRBINF31_EL1", "write BRBCR_EL1",
	"write BRBFCR_EL1", "write BRBINFINJ_EL1", "write BRBSRCINJ_EL1", "write BRBTGTINJ_EL1",
	"execute BRB IALL", "execute BRB INJ",
};
const size_t vm_nbranches = sizeof(vm_branches) / sizeof(vm_branches[0]);

/* The ID of X0 or PC for KVM_SET_ONE_REG */
#define CORE(at)	(KVM_REG_ARM64 | KVM_REG_SIZE_U64 | KVM_REG_ARM_CORE | \
			 offsetof(struct kvm_regs, at) / sizeof(__u32))

static int set(struct vm *vm, uint64_t id, uint64_t value)
{
	struct kvm_one_reg reg = { .id = id, .addr = (uintptr_t)&value };

	return ioctl(vm->cpu, KVM_SET_ONE_REG, &reg) ? -errno : 0;
}

static int start(struct vm *vm)
{
	struct kvm_userspace_memory_region region = {
		.guest_phys_addr = VM_BASE,
		.memory_size = VM_SIZE,
	};
	struct kvm_vcpu_init init;
	int size, err;

	vm->vm = ioctl(vm->kvm, KVM_CREATE_VM, 0);
	if (vm->vm < 0)
		return -errno;
	vm->memory = mmap(NULL, VM_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (vm->memory == MAP_FAILED)
		return -errno;
	memcpy(vm->memory, guest_start, guest_end - guest_start);
	__builtin___clear_cache(vm->memory, (char *)vm->memory + VM_SIZE);
	region.userspace_addr = (uintptr_t)vm->memory;
	if (ioctl(vm->vm, KVM_SET_USER_MEMORY_REGION, &region))
		return -errno;

	vm->cpu = ioctl(vm->vm, KVM_CREATE_VCPU, 0);
	if (vm->cpu < 0)
		return -errno;
	size = ioctl(vm->kvm, KVM_GET_VCPU_MMAP_SIZE, 0);
	if (size < 0)
		return -errno;
	vm->run_size = size;
	vm->run = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, vm->cpu, 0);
	if (vm->run == MAP_FAILED)
		return -errno;
	if (ioctl(vm->vm, KVM_ARM_PREFERRED_TARGET, &init) ||
	    ioctl(vm->cpu, KVM_ARM_VCPU_INIT, &init))
		return -errno;
	err = set(vm, CORE(regs.regs[0]), SPEAK);
	return err ? err : set(vm, CORE(regs.pc), VM_BASE);
}

int vm_open(struct vm *vm)
{
	int err;

	*vm = (struct vm){ .vm = -1, .cpu = -1, .run = MAP_FAILED, .memory = MAP_FAILED };
	vm->kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC);
	if (vm->kvm < 0)
		return -errno;
	err = start(vm);
	if (err)
		vm_close(vm);
	return err;
}

int vm_go(struct vm *vm, enum vm_word *word, uint64_t *value)
{
	const struct kvm_run *run = vm->run;

	while (ioctl(vm->cpu, KVM_RUN, 0))
		if (errno != EINTR && errno != EAGAIN)
			return -errno;
	if (run->exit_reason != KVM_EXIT_MMIO || !run->mmio.is_write || run->mmio.len != 8 ||
	    run->mmio.phys_addr < SPEAK)
		return -EPROTO;
	*word = (run->mmio.phys_addr - SPEAK) / 8;
	memcpy(value, run->mmio.data, sizeof(*value));
	return 0;
}

int vm_rounds(struct vm *vm, unsigned int n)
{
	enum vm_word word;
	uint64_t value;
	int err = 0;

	while (n && !err) {
		err = vm_go(vm, &word, &value);
		n -= word == VM_ROUND;
	}
	return err;
}

void vm_close(struct vm *vm)
{
	if (vm->run != MAP_FAILED)
		munmap(vm->run, vm->run_size);
	if (vm->cpu >= 0)
		close(vm->cpu);
	if (vm->vm >= 0)
		close(vm->vm);
	if (vm->memory != MAP_FAILED)
		munmap(vm->memory, VM_SIZE);
	close(vm->kvm);
}
