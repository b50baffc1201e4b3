/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What has to happen so that no guest of KVM runs with the trace buffer of its host.
 */
#ifndef V9TRACE_CHECK_KVM_H
#define V9TRACE_CHECK_KVM_H

#include "base.h"

/**
 * struct v9_kvm_facts - what a module sees of KVM
 * @asks: this kernel's KVM wants to be told of a trace buffer in use; others look by themselves
 * @at_el2: the kernel runs there (VHE)
 * @protected: the kernel runs below its own hypervisor, which does not trust it (pKVM)
 * @el2: ID_AA64PFR0_EL1 says that there is such a level
 * @debugfs: the kernel has a debugfs
 * @runs: with the directory that KVM makes when it has begun
 */
struct v9_kvm_facts {
	bool asks;
	bool at_el2;
	bool protected;
	bool el2;
	bool debugfs;
	bool runs;
};

/**
 * struct v9_kvm_action - what follows
 * @notify: tell KVM, each time
 * @why: the buffer must not be used, and why; else NULL
 */
struct v9_kvm_action {
	bool notify;
	const char *why;
};

/**
 * v9_check_kvm - what is KVM to be told?
 * @facts: what was seen
 *
 * KVM that asks, in a kernel at EL1, stops trace at the entry of a guest only if
 * kvm_enable_trbe() was called:
 *
 * - the function of Linux 6.14 to 6.17 takes what KVM prepares when it begins. Where it has not
 *   begun, because the kernel was booted at EL1 or without KVM, that is a NULL pointer. Nothing
 *   that a module sees tells the mended function from that one. Nor are there guests then.
 * - with protected KVM the function returns at once, and the hypervisor does nothing that was not
 *   asked for: guests run with the buffer enabled and TRFCR_EL1 as the host has it.
 * - at EL2 it does nothing, and has nothing to do.
 *
 * Return: the judgement.
 */
static inline struct v9_kvm_action v9_check_kvm(struct v9_kvm_facts facts)
{
	struct v9_kvm_action j = { false, NULL };

	if (!facts.asks || facts.at_el2)
		return j;
	if (facts.protected)
		 j.why = "protected KVM runs guests with the trace buffer on; try kvm-arm.mode=nvhe";
	else if (facts.el2 && !facts.debugfs)
		j.why = "without debugfs nothing says if KVM must be told of the trace buffer";
	else
		j.notify = facts.el2 && facts.runs;
	return j;
}

#endif
