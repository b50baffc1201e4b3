/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A machine under KVM, as small as can be: one CPU at EL1 without MMU that says what
 * it finds of trace and profiling units, and then goes round for ever. It speaks by
 * stores to where no memory is.
 */
#ifndef V9_SELFTEST_VM_H
#define V9_SELFTEST_VM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where its memory is: a place where no program and no kernel of the host is. */
#define VM_BASE		UINT64_C(0x1234000000)
#define VM_SIZE		UINT64_C(0x10000)

/* What it says, in this order */
enum vm_word {
	VM_ID,			/* ID_AA64DFR0_EL1 */
	VM_TRAPPED,		/* bit n: reading register n of vm_registers[] was UNDEFINED */
	VM_PMBIDR,		/* PMBIDR_EL1, ~0 if UNDEFINED: its own trap is a fine-grained one */
	VM_TRBIDR,		/* TRBIDR_EL1, likewise */
	VM_ROUND		/* rounds so far; this one again and again */
};

extern const char *const vm_registers[];
extern const size_t vm_nregisters;

struct vm {
	int kvm, vm, cpu;
	struct kvm_run *run;
	size_t run_size;
	void *memory;
};

/* 0 or -errno; -ENOENT if there is no KVM */
int vm_open(struct vm *vm);

/* Let it go on until it has said something. 0 or -errno. */
int vm_go(struct vm *vm, enum vm_word *word, uint64_t *value);
void vm_close(struct vm *vm);

/* @n rounds on, past whatever it says before. */
int vm_rounds(struct vm *vm, unsigned int n);

static inline bool vm_has(uint64_t address)
{
	return address >= VM_BASE && address < VM_BASE + VM_SIZE;
}

#endif
