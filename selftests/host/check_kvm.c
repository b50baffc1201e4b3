// SPDX-License-Identifier: GPL-2.0-only
/*
 * v9_check_kvm() for all combinations of facts about KVM
 */
#include <string.h>

#include "tap.h"
#include "v9trace/check_kvm.h"

static const struct {
	const char *name;
	struct v9_kvm_facts facts;
	bool notify;
	const char *why;
} cases[] = {
	{ .name = "looks_by_itself", .facts = { .el2 = true, .debugfs = true, .runs = true } },
	{ .name = "looks_by_itself_protected",
	  .facts = { .protected = true, .el2 = true, .debugfs = true, .runs = true } },
	{ .name = "looks_by_itself_unseen", .facts = { .el2 = true } },
	{ .name = "vhe_host",
	  .facts = { .notify = true, .at_el2 = true, .el2 = true, .debugfs = true, .runs = true } },
	{ .name = "vhe_host_unseen", .facts = { .notify = true, .at_el2 = true, .el2 = true } },
	{ .name = "nvhe_host",
	  .facts = { .notify = true, .el2 = true, .debugfs = true, .runs = true }, .notify = true },
	/* As booted with kvm-arm.mode=none, or at EL1 by firmware that keeps EL2 */
	{ .name = "kvm_has_not_begun", .facts = { .notify = true, .el2 = true, .debugfs = true } },
	{ .name = "nvhe_host_unseen", .facts = { .notify = true, .el2 = true }, .why = "debugfs" },
	{ .name = "in_a_machine", .facts = { .notify = true, .debugfs = true } },
	{ .name = "in_a_machine_unseen", .facts = { .notify = true } },
	/* The directory is not of KVM. */
	{ .name = "no_el2_and_a_directory",
	  .facts = { .notify = true, .debugfs = true, .runs = true } },
	{ .name = "protected_host",
	  .facts = { .notify = true, .protected = true, .el2 = true, .debugfs = true,
		    .runs = true },
	  .why = "kvm-arm.mode=nvhe" },
	{ .name = "protected_host_failed",
	  .facts = { .notify = true, .protected = true, .el2 = true, .debugfs = true },
	  .why = "kvm-arm.mode=nvhe" },
	{ .name = "protected_host_unseen",
	  .facts = { .notify = true, .protected = true, .el2 = true },
	  .why = "kvm-arm.mode=nvhe" },
};

/*
 * KVM is notified only if it is initialised. If a guest could run without that, the unit is
 * refused.
 */
static bool is_safe(unsigned int bits)
{
	struct v9_kvm_facts facts = {
		.notify = bits & 1, .at_el2 = bits & 2, .protected = bits & 4, .el2 = bits & 8,
		.debugfs = bits & 16, .runs = bits & 32,
	};
	struct v9_kvm_action j = v9_check_kvm(facts);
	bool guests = facts.notify && !facts.at_el2 && facts.el2;

	if (j.notify && (j.why || !facts.notify || facts.at_el2 || !facts.runs))
		return false;
	if (guests && (facts.protected || !facts.debugfs) && !j.why)
		return false;
	if (guests && facts.runs && !j.notify && !j.why)
		return false;
	return true;
}

int main(void)
{
	bool safe = true;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct v9_kvm_action j = v9_check_kvm(cases[i].facts);

		tap_ok(j.notify == cases[i].notify && !j.why == !cases[i].why &&
		       (!j.why || strstr(j.why, cases[i].why)), cases[i].name);
	}
	for (unsigned int bits = 0; bits < 64; bits++)
		safe = safe && is_safe(bits);
	tap_ok(safe, "each_combination_is_safe");
	return tap_done();
}
