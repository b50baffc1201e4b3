/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A minimal virtual machine under KVM: one CPU at EL1 without MMU. The guest accesses the registers
 * of trace, profiling and branch records, reports what came of it, and then loops for ever. It
 * reports by stores to an address without memory, which exit to user space.
 */
#ifndef V9_SELFTEST_VM_H
#define V9_SELFTEST_VM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Guest memory. No program and no kernel of the host uses these addresses. */
#define VM_BASE		UINT64_C(0x1234000000)
#define VM_SIZE		UINT64_C(0x10000)

/* What the guest reports, in this order */
enum vm_word {
	VM_ID,			/* ID_AA64DFR0_EL1 */
	VM_TRAPPED,		/* bit n: reading register n of vm_registers[] was UNDEFINED */
	VM_PMBIDR,		/* PMBIDR_EL1, ~0 if UNDEFINED: it has its own fine-grained trap */
	VM_TRBIDR,		/* TRBIDR_EL1, likewise */
	VM_BRANCHES,		/* bit n: access n of vm_branches[] was UNDEFINED */
	VM_ROUND		/* number of rounds so far; sent after each round */
};

extern const char *const vm_registers[];
extern const size_t vm_nregisters;
extern const char *const vm_branches[];
extern const size_t vm_nbranches;

struct vm {
	int kvm, vm, cpu;
	struct kvm_run *run;
	size_t run_size;
	void *memory;
};

/* Returns 0 or -errno; -ENOENT without KVM. */
int vm_open(struct vm *vm);

/* Declares @vm and opens it; skips the test without KVM. */
#define NEED_VM(vm)								\
	struct vm vm;								\
	int vm_err = vm_open(&(vm));						\
										\
	NEED(vm_err != -ENOENT && vm_err != -EACCES, "/dev/kvm");		\
	ASSERT_EQ(0, vm_err)

/* Run the guest until it reports a word. Returns 0 or -errno. */
int vm_go(struct vm *vm, enum vm_word *word, uint64_t *value);
void vm_close(struct vm *vm);

/* Run the guest for @n more rounds, and ignore other words. */
int vm_rounds(struct vm *vm, unsigned int n);

static inline bool vm_has(uint64_t address)
{
	return address >= VM_BASE && address < VM_BASE + VM_SIZE;
}

#endif
