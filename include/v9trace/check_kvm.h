/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * How the driver prevents a KVM guest from running with the trace buffer of the host enabled.
 */
#ifndef V9TRACE_CHECK_KVM_H
#define V9TRACE_CHECK_KVM_H

#include "base.h"

/**
 * struct v9_kvm_facts - what a module can find out about KVM
 * @notify: KVM of this kernel must be notified of a trace buffer in use; other versions read the
 *	register
 * @at_el2: the kernel runs at EL2 (VHE)
 * @protected: the kernel runs under protected KVM (pKVM)
 * @el2: EL2 is implemented, according to ID_AA64PFR0_EL1
 * @debugfs: the kernel has debugfs
 * @runs: debugfs has the directory that KVM creates when it is initialised
 */
struct v9_kvm_facts {
	bool notify;
	bool at_el2;
	bool protected;
	bool el2;
	bool debugfs;
	bool runs;
};

/**
 * struct v9_kvm_action - what the driver does
 * @notify: notify KVM at each start and stop
 * @why: reason for which the buffer must not be used, or NULL
 */
struct v9_kvm_action {
	bool notify;
	const char *why;
};

/**
 * v9_check_kvm - decide whether the driver notifies KVM of a buffer in use
 * @facts: properties of this kernel and its KVM
 *
 * If @notify is set, KVM of a kernel at EL1 stops tracing at the entry of a guest only after
 * kvm_enable_trbe() was called:
 *
 * - In Linux 6.14 to 6.17 the function accesses memory that KVM allocates when it is initialised.
 *   If KVM is not initialised, because the kernel was booted at EL1 or without KVM, this is an
 *   access through a NULL pointer. A module cannot find out whether the function is fixed. Without
 *   KVM there are no guests, and the driver does not call the function.
 * - With protected KVM the function returns at once, and the hypervisor does nothing: guests run
 *   with the buffer enabled and the host's TRFCR_EL1.
 * - At EL2 the function does nothing, and nothing is needed.
 *
 * Return: the action.
 */
static inline struct v9_kvm_action v9_check_kvm(struct v9_kvm_facts facts)
{
	struct v9_kvm_action j = { false, NULL };

	if (!facts.notify || facts.at_el2)
		return j;
	if (facts.protected)
		j.why = "protected KVM runs guests with the trace buffer on; try kvm-arm.mode=nvhe";
	else if (facts.el2 && !facts.debugfs)
		j.why = "without debugfs it is unknown if KVM must be notified of the trace buffer";
	else
		j.notify = facts.el2 && facts.runs;
	return j;
}

#endif
