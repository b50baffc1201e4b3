// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The table of causes. A row applies to units of its mask if its function returns a text, which
 * takes the place of %s in the row's sentences. Of the rows that block or hide, the first one that
 * applies decides; those after it would follow from it, or cannot be known. Rows that limit are for
 * a unit that works.
 */
#include "checks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../util.h"

#define SPE	(1 << V9_DOC_SPE)
#define ETE	(1 << V9_DOC_ETE)
#define BRBE	(1 << V9_DOC_BRBE)
#define ALL	(SPE | ETE | BRBE)

const char *const v9_doc_unit_name[V9_DOC_UNITS] = { "SPE", "ETE and TRBE", "BRBE" };
const char *const v9_doc_unit_id[V9_DOC_UNITS] = { "spe", "ete", "brbe" };

#define U	(&f->unit[unit])

/* Memory that an AUX buffer of 1 MiB and the ring beside it take, for v9trace and perf by default */
#define LEAST_BUFFER	(1536 << 10)

/* Versions of perf from which it decodes; major * 100 + minor */
#define PERF_SPE	508
#define PERF_ETE	515

/* Sizes that perf_event_mlock_kb of each CPU allows an ordinary user beyond RLIMIT_MEMLOCK */
static uint64_t buffers(const struct v9_doc_facts *f)
{
	return f->memlock == UINT64_MAX ? UINT64_MAX : f->memlock + f->mlock_kb * 1024 * f->cpus;
}

static const char *when(bool is, const char *text)
{
	return is ? text ? text : "" : NULL;
}

static bool log_has(const struct v9_doc_facts *f, enum v9_doc_unit unit, const char *text)
{
	return U->log && strstr(U->log, text);
}

/* The unit is not known to be there, and no firmware describes it. */
static bool is_absent(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	return U->id == V9_DOC_NO || (U->id == V9_DOC_UNKNOWN && U->firmware == V9_DOC_FW_NONE);
}

/* --- what is not there ------------------------------------------------------------ */

static const char *other_machine(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	(void)unit;
	return when(f->machine && strcmp(f->machine, "aarch64"), f->machine);
}

static const char *vm_cloud(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	return when(f->vm && strstr(f->vm, "Amazon") && is_absent(f, unit), f->vm);
}

static const char *vm(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	return when(f->vm && is_absent(f, unit), f->vm);
}

static const char *no_id(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	static const char *const field[] = {
		"PMSVer", "TraceVer or TraceBuffer", "BRBE",
	};

	return when(U->id == V9_DOC_NO, field[unit]);
}

static const char *no_core(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	return when(U->id == V9_DOC_UNKNOWN && U->core == V9_DOC_NO, f->core);
}

/* --- EL3 --------------------------------------------------------------------------- */

static const char *el3_owns(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	return when(U->owned || log_has(f, unit, "higher exception level"),
		    unit == V9_DOC_SPE ? "MDCR_EL3.NSPB" : "MDCR_EL3.NSTB");
}

static const char *el3_traps(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	return when(U->id != V9_DOC_NO && U->trapped, U->trapped);
}

static const char *el3_unlisted(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	return when(!f->answers && log_has(f, unit, "unlisted=1"), NULL);
}

static const char *el3_consent(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	return when(!f->answers && log_has(f, unit, "sbrbe=1"), NULL);
}

/* --- firmware ----------------------------------------------------------------------- */

static const char *firmware(const struct v9_doc_facts *f, enum v9_doc_unit unit,
			    enum v9_doc_firmware state, bool acpi)
{
	return when(U->firmware == state && f->acpi == acpi,
		    unit == V9_DOC_SPE ? "ACPI 6.3" : "ACPI 6.5");
}

static const char *tables_denied(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	return firmware(f, unit, V9_DOC_FW_DENIED, true);
}

static const char *no_node(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	static const char *const node[] = {
		"arm,statistical-profiling-extension-v1", "arm,trace-buffer-extension", "",
	};

	return when(firmware(f, unit, V9_DOC_FW_NONE, false) != NULL, node[unit]);
}

static const char *node_disabled(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	return firmware(f, unit, V9_DOC_FW_DISABLED, false);
}

static const char *node_no_interrupt(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	return firmware(f, unit, V9_DOC_FW_NO_INTERRUPT, false);
}

static const char *madt_zero(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	return firmware(f, unit, V9_DOC_FW_NONE, true);
}

static const char *madt_short(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	return firmware(f, unit, V9_DOC_FW_SHORT, true);
}

static const char *madt_not_ppi(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	return firmware(f, unit, V9_DOC_FW_NOT_PPI, true);
}

/* The kernel makes no device for its own driver then; ours takes the CPUs that have an interrupt. */
static const char *madt_differs(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	return when((U->firmware == V9_DOC_FW_DIFFERS || log_has(f, unit, "must be homogeneous")) &&
		    !U->module.loaded, NULL);
}

/* --- the kernel ----------------------------------------------------------------------- */

static const char *kernel_at_el1(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	return when(log_has(f, unit, "does not run at EL2"), NULL);
}

static const char *kpti(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	return when(log_has(f, unit, "kpti=off") || log_has(f, unit, "unmapped at EL0") ||
		    (f->kpti && U->in_tree.loaded), NULL);
}

static const char *held_built_in(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	const char *at = U->log ? strstr(U->log, "initcall_blacklist=") : NULL;

	return when(at != NULL, at);
}

static const char *held(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	const char *at = U->log ? strstr(U->log, "held by") : NULL;

	return when(at != NULL, U->log);
}

static const char *signature(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	(void)unit;
	return when(f->unsigned_refused && !U->module.loaded, f->unsigned_refused);
}

static const char *refused(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	(void)unit;
	return when(U->log != NULL, U->log);
}

/* DKMS has not built our module for this kernel, or only the package's files are here. */
static const char *dkms(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	return when(U->preferred && !U->module.installed && !U->module.loaded, f->release);
}

static const char *not_loaded(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	static const char *const in_tree[] = {
		"arm_spe_pmu", "coresight_etm4x; modprobe coresight_trbe", "",
	};
	static const char *const ours[] = { "v9_spe", "v9_ete", "v9_brbe" };

	if (U->module.loaded || U->in_tree.loaded)
		return NULL;
	return U->module.installed ? ours[unit] : when(U->in_tree.installed, in_tree[unit]);
}

static const char *not_installed(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	return when(U->configured == V9_DOC_YES && !U->in_tree.loaded && !U->in_tree.built_in &&
		    !U->module.loaded, f->release);
}

static const char *not_built(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	static const char *const option[] = { "CONFIG_ARM_SPE_PMU", "CONFIG_CORESIGHT_TRBE" };

	return when(U->configured == V9_DOC_NO && !U->module.loaded, option[unit]);
}

static const char *no_driver(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	(void)unit;
	return when(!U->module.loaded && !U->in_tree.loaded, NULL);
}

/* The in-tree driver of BRBE is part of the CPU PMU driver: it is loaded if it is configured. */
static const char *not_found(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	return when(U->configured == V9_DOC_YES, NULL);
}

static const char *no_pmu(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	static const char *const module[] = { "v9_spe", "v9_ete", "v9_brbe" };

	return U->module.loaded ? module[unit] : "the kernel's own driver";
}

/* --- who may ----------------------------------------------------------------------------- */

static const char *permission(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	(void)f;
	return when(U->open_task == EACCES || U->open_task == EPERM, NULL);
}

/* The kernel's PMU cs_etm comes with coresight, buffers with coresight_trbe, trace units not. */
static const char *coresight(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	return when(!U->ours && !U->source.loaded && !U->source.built_in, NULL);
}

static const char *busy(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	(void)f;
	return when(U->open_task == EBUSY, U->pmu);
}

/* perf lets sessions of tasks share a unit, and a session of a CPU with none of them. */
static const char *busy_cpus(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	(void)f;
	return when(!U->open_task && U->open_cpu == EBUSY, U->pmu);
}

static const char *event_refused(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	const int err = U->open_task;

	(void)f;
	return when(err > 0 && err != EBUSY, err > 0 ? strerror(err) : NULL);
}

/* --- what limits -------------------------------------------------------------------------- */

static const char *users_only(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	(void)unit;
	return when(!f->perfmon && f->paranoid > 1, NULL);
}

static const char *kptr(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	(void)unit;
	return when(f->kptr > 1 || (f->kptr == 1 && !f->root), f->kptr > 1 ? "2" : "1");
}

static const char *lockdown(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	(void)unit;
	return when(f->lockdown && !strcmp(f->lockdown, "confidentiality"), f->lockdown);
}

static const char *contextid(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	(void)unit;
	return when(f->contextid == V9_DOC_NO, NULL);
}

static const char *perf_missing(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	(void)unit;
	return when(!f->perf, NULL);
}

static const char *perf_old(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	const unsigned int least = unit == V9_DOC_SPE ? PERF_SPE : PERF_ETE;

	return when(f->perf && f->perf < least, unit == V9_DOC_SPE ? "5.8" : "5.15");
}

static const char *perf_opencsd(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	(void)unit;
	return when(f->opencsd == V9_DOC_NO, NULL);
}

static const char *interval(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	(void)f;
	return when(U->collisions, NULL);
}

static const char *mlock(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	(void)unit;
	return when(!f->ipc_lock && f->paranoid > -1 && f->mlock_kb && buffers(f) < LEAST_BUFFER,
		    NULL);
}

static const char *in_tree_differs(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	return when(U->firmware == V9_DOC_FW_DIFFERS, NULL);
}

/*
 * Without firmware's answer nobody sees what EL3 keeps. Not said of a unit that is not there, or that
 * EL3 is known to keep.
 */
static bool may_be_kept(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	return !is_absent(f, unit) && U->core != V9_DOC_NO && !U->owned && !U->trapped &&
	       !other_machine(f, unit) && !el3_owns(f, unit) && !el3_unlisted(f, unit) &&
	       !el3_consent(f, unit);
}

static const char *el3_unseen(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	return when(may_be_kept(f, unit) && !f->core_module, NULL);
}

static const char *el3_denied(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	return when(may_be_kept(f, unit) && f->regs_denied, NULL);
}

static const char *el3_silent(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	return when(may_be_kept(f, unit) && f->core_module && !f->regs_denied && !f->answers, NULL);
}

static const char *log_denied(const struct v9_doc_facts *f, enum v9_doc_unit unit)
{
	return when(f->log_denied && !is_absent(f, unit), NULL);
}

#define ASK_TFA	"build Trusted Firmware-A (2.13 or later) with ARCH_FEATURE_AVAILABILITY=1"

/**
 * struct row - a cause
 * @id: name
 * @units: SPE | ETE | BRBE
 * @effect: what it does
 * @is: returns the text for %s in @why and @todo if the cause applies, else NULL
 * @why: one sentence
 * @todo: what to do about it
 */
struct row {
	const char *id;
	int units;
	enum v9_doc_effect effect;
	const char *(*is)(const struct v9_doc_facts *f, enum v9_doc_unit unit);
	const char *why, *todo;
};

/* Rows for a unit that has no PMU */
static const struct row rows[] = {
	{ "machine", ALL, V9_DOC_BLOCKS, other_machine,
	  "this machine is %s; the unit belongs to arm64",
	  "record on an arm64 machine; this one reads the files" },
	{ "vm_cloud", ALL, V9_DOC_BLOCKS, vm_cloud,
	  "this is a virtual machine (%s), and it has no such unit",
	  "use a metal instance: its type ends in .metal" },
	{ "vm", ALL, V9_DOC_BLOCKS, vm,
	  "this is a virtual machine (%s), and it has no such unit",
	  "record on the host; no hypervisor in use gives the unit to guests" },
	{ "id", ALL, V9_DOC_BLOCKS, no_id,
	  "the CPU has no such unit: ID_AA64DFR0_EL1.%s is 0",
	  "nothing helps on this CPU; the README has a table of CPUs" },
	{ "core", ALL, V9_DOC_BLOCKS, no_core,
	  "the CPU, %s, has no such unit",
	  "nothing helps on this CPU; the README has a table of CPUs" },
	{ "el3_owner", SPE | ETE, V9_DOC_BLOCKS, el3_owns,
	  "firmware keeps the buffer for EL3 or another Security state (%s)",
	  "update the firmware, or ask its maker to give the buffer to the Non-secure state; "
	  "Trusted Firmware-A: ENABLE_SPE_FOR_NS, ENABLE_TRBE_FOR_NS" },
	{ "el3_traps", ALL, V9_DOC_BLOCKS, el3_traps,
	  "firmware answers that EL3 traps registers of the unit (%s)",
	  "update the firmware, or ask its maker; Trusted Firmware-A: ENABLE_SPE_FOR_NS, "
	  "ENABLE_TRBE_FOR_NS, ENABLE_SYS_REG_TRACE_FOR_NS, ENABLE_TRF_FOR_NS, ENABLE_BRBE_FOR_NS" },
	{ "acpi_denied", SPE | ETE, V9_DOC_HIDES, tables_denied,
	  "only root may read the ACPI tables, so it cannot be seen whether firmware describes the "
	  "unit",
	  "run v9trace doctor as root" },
	{ "no_node", SPE | ETE, V9_DOC_BLOCKS, no_node,
	  "the device tree has no node for the unit (\"%s\")",
	  "update the firmware, or load a device tree that has the node" },
	{ "node_disabled", SPE | ETE, V9_DOC_BLOCKS, node_disabled,
	  "the unit's node in the device tree is disabled",
	  "load a device tree in which the node's status is \"okay\"" },
	{ "node_interrupt", SPE | ETE, V9_DOC_BLOCKS, node_no_interrupt,
	  "the unit's node in the device tree has no interrupt",
	  "load a device tree in which the node names the unit's PPI" },
	{ "madt_zero", SPE | ETE, V9_DOC_BLOCKS, madt_zero,
	  "the ACPI table MADT has no interrupt for the unit: its GICC entries have 0",
	  "update the firmware; look for a setting of it that switches the unit on" },
	{ "madt_short", SPE | ETE, V9_DOC_BLOCKS, madt_short,
	  "the GICC entries of the ACPI table MADT end before the unit's interrupt",
	  "update the firmware: the interrupt needs tables of %s" },
	{ "madt_not_ppi", SPE | ETE, V9_DOC_BLOCKS, madt_not_ppi,
	  "the interrupt in the ACPI table MADT is not private to a CPU",
	  "update the firmware: the interrupt must be a PPI" },
	{ "kpti", SPE | ETE, V9_DOC_BLOCKS, kpti,
	  "kernel page-table isolation hides the buffer from the unit while user space runs",
	  "boot with kpti=off if the CPU does not need the isolation" },
	{ "unlisted", ETE, V9_DOC_BLOCKS, el3_unlisted,
	  "firmware does not describe the trace units, and it cannot be seen whether EL3 traps them "
	  "(CPTR_EL3.TTA)",
	  "if firmware permits them: modprobe v9_ete unlisted=1; for an answer "
	  ASK_TFA },
	{ "sbrbe", BRBE, V9_DOC_BLOCKS, el3_consent,
	  "it cannot be seen whether EL3 traps the registers of branch records (MDCR_EL3.SBRBE)",
	  "if firmware permits them (Trusted Firmware-A: ENABLE_BRBE_FOR_NS): modprobe v9_brbe "
	  "sbrbe=1; for an answer " ASK_TFA },
	{ "kernel_at_el1", BRBE, V9_DOC_BLOCKS, kernel_at_el1,
	  "v9_brbe needs a kernel at EL2 (VHE), and this one runs at EL1",
	  "boot without kvm-arm.mode=nvhe or protected" },
	{ "built_in", SPE | ETE, V9_DOC_BLOCKS, held_built_in,
	  "the kernel's own driver is built in and holds the unit",
	  "use it, or boot with %s" },
	{ "held", SPE | ETE, V9_DOC_BLOCKS, held,
	  "another driver holds the unit: %s",
	  "unload that driver first" },
	{ "signature", ALL, V9_DOC_BLOCKS, signature,
	  "the kernel takes signed modules only: %s",
	  "sign the modules with a key that the kernel knows (with Secure Boot: mokutil --import), "
	  "or switch Secure Boot off" },
	{ "differs", SPE | ETE, V9_DOC_BLOCKS, madt_differs,
	  "the ACPI table MADT has different interrupts for the CPUs, or none for some, and the "
	  "kernel's own driver takes no such unit",
	  "load v9_spe or v9_ete, which use the CPUs that have an interrupt; or update the firmware" },
	{ "refused", ALL, V9_DOC_BLOCKS, refused,
	  "the driver refuses the unit: %s",
	  "look the line up in Documentation/troubleshooting.rst" },
	{ "dkms", SPE | ETE, V9_DOC_LIMITS, dkms,
	  "v9trace-dkms is installed and has built no module for this kernel",
	  "install the kernel's headers (Debian: linux-headers-%s), then as root: dkms autoinstall; "
	  "what the compiler says is in /var/lib/dkms/v9trace" },
	{ "not_found", BRBE, V9_DOC_BLOCKS, not_found,
	  "the kernel has a driver of BRBE (CONFIG_ARM64_BRBE), and it has found no unit",
	  "nothing helps on a CPU without BRBE; the README has a table of CPUs" },
	{ "not_loaded", ALL, V9_DOC_BLOCKS, not_loaded,
	  "no driver is loaded",
	  "as root: modprobe %s" },
	{ "not_installed", SPE | ETE, V9_DOC_BLOCKS, not_installed,
	  "the kernel's driver is a module that is not installed",
	  "install the package that has it (Ubuntu: linux-modules-extra-%s), or build v9trace's "
	  "modules" },
	{ "not_built", SPE | ETE, V9_DOC_BLOCKS, not_built,
	  "the kernel was built without its driver (%s)",
	  "build and load v9trace's modules (README)" },
	{ "no_driver", SPE | ETE, V9_DOC_BLOCKS, no_driver,
	  "no driver is loaded or installed",
	  "build and load v9trace's modules (README)" },
	{ "no_brbe", BRBE, V9_DOC_BLOCKS, no_driver,
	  "no driver of BRBE is loaded or installed; the kernel has one since Linux 6.17 "
	  "(CONFIG_ARM64_BRBE)",
	  "use such a kernel, or build and load v9trace's module v9_brbe (README)" },
	{ "no_pmu", ALL, V9_DOC_BLOCKS, no_pmu,
	  "%s is loaded and has no unit; the kernel's log no longer says why, or may not be read",
	  "run v9trace doctor as root; unload the driver and load it again, then look at dmesg" },
};

/* Rows for a unit that has a PMU */
static const struct row pmu_rows[] = {
	{ "paranoid", ALL, V9_DOC_BLOCKS, permission,
	  "kernel.perf_event_paranoid permits this user nothing",
	  "as root: sysctl kernel.perf_event_paranoid=2 (user space), or give the program "
	  "CAP_PERFMON (above 2, which Debian's kernel has, CAP_SYS_ADMIN)" },
	{ "coresight", ETE, V9_DOC_BLOCKS, coresight,
	  "the kernel's driver of the trace buffers is loaded, and that of the trace units is not",
	  "as root: modprobe coresight_etm4x" },
	{ "busy", SPE | ETE, V9_DOC_BLOCKS, busy,
	  "another session holds the unit (%s)",
	  "wait for it, or end it" },
	{ "no_counter", BRBE, V9_DOC_BLOCKS, busy,
	  "other sessions have all counters of the CPU's PMU that %s may use",
	  "end them, or sample by time: -e v9_brbe/clock/u -c 1000000; "
	  "Documentation/troubleshooting.rst" },
	{ "event", ALL, V9_DOC_BLOCKS, event_refused,
	  "the driver refuses an event: %s",
	  "echo 'module v9_* +p' >/sys/kernel/debug/dynamic_debug/control, then "
	  "dmesg after another attempt" },
	{ "user_only", ALL, V9_DOC_LIMITS, users_only,
	  "this user may record own programs in user space only",
	  "for the kernel and for whole CPUs: CAP_PERFMON, or sysctl kernel.perf_event_paranoid=-1" },
	{ "busy_cpus", SPE | ETE, V9_DOC_LIMITS, busy_cpus,
	  "another session records a task with %s, so whole CPUs cannot be recorded",
	  "wait for it, or end it" },
	{ "mlock", SPE | ETE, V9_DOC_LIMITS, mlock,
	  "this user may lock too little memory for the usual buffers",
	  "raise the limit (ulimit -l, sysctl kernel.perf_event_mlock_kb), or record with -m ,64K" },
	{ "kptr", ALL, V9_DOC_LIMITS, kptr,
	  "kernel.kptr_restrict is %s: kernel addresses get no names",
	  "as root: sysctl kernel.kptr_restrict=0" },
	{ "lockdown", ALL, V9_DOC_LIMITS, lockdown,
	  "the kernel is locked down (%s): its memory and its symbols stay hidden",
	  "boot without lockdown=confidentiality" },
	{ "contextid", SPE | ETE, V9_DOC_LIMITS, contextid,
	  "the kernel writes no thread IDs for the unit (CONFIG_PID_IN_CONTEXTIDR)",
	  "record each task, not whole CPUs; or use a kernel with the option" },
	{ "interval", SPE, V9_DOC_LIMITS, interval,
	  "samples have collided: a period was below the recommended interval (caps/min_interval)",
	  "use a longer period (-c), or set tuning/min_interval" },
	{ "perf_missing", SPE | ETE, V9_DOC_LIMITS, perf_missing,
	  "perf is not installed",
	  "v9trace records without it; else install linux-perf or linux-tools" },
	{ "perf_old", SPE | ETE, V9_DOC_LIMITS, perf_old,
	  "this perf records, and is too old to decode",
	  "read the file with v9trace report, or use perf %s or later" },
	{ "perf_opencsd", ETE, V9_DOC_LIMITS, perf_opencsd,
	  "this perf was built without the decoder of ETE (OpenCSD)",
	  "read the file with v9trace report, or build perf with CORESIGHT=1" },
	{ "dkms", SPE | ETE, V9_DOC_LIMITS, dkms,
	  "v9trace-dkms is installed and has built no module for this kernel",
	  "install the kernel's headers (Debian: linux-headers-%s), then as root: dkms autoinstall; "
	  "what the compiler says is in /var/lib/dkms/v9trace" },
	{ "some_cpus", SPE | ETE, V9_DOC_LIMITS, in_tree_differs,
	  "the ACPI table MADT has different interrupts for the CPUs, or none for some: those are "
	  "not recorded",
	  "update the firmware" },
};

/* Rows for a unit that does not work: causes that may come after the decisive one */
static const struct row hidden_rows[] = {
	{ "el3_unseen", ALL, V9_DOC_HIDES, el3_unseen,
	  "what EL3 keeps cannot be seen: v9_core is not loaded",
	  "load v9_core; for an answer about registers " ASK_TFA },
	{ "el3_denied", ALL, V9_DOC_HIDES, el3_denied,
	  "what EL3 keeps cannot be seen by this user",
	  "run v9trace doctor as root, or with CAP_PERFMON" },
	{ "el3_silent", ALL, V9_DOC_HIDES, el3_silent,
	  "what EL3 keeps cannot be seen: firmware does not answer",
	  "for an answer " ASK_TFA },
	{ "log_denied", SPE | ETE, V9_DOC_HIDES, log_denied,
	  "this user may not read the kernel's log, which may say why a driver refuses the unit",
	  "run v9trace doctor as root" },
};

#define ROWS	(sizeof(rows) / sizeof(rows[0]))
#define PMU_ROWS	(sizeof(pmu_rows) / sizeof(pmu_rows[0]))
#define HIDDEN_ROWS	(sizeof(hidden_rows) / sizeof(hidden_rows[0]))

/* Returns @text with @detail in the place of its %s. */
static char *fill(const char *text, const char *detail)
{
	const char *at = strstr(text, "%s");

	return at ? v9_format("%.*s%s%s", (int)(at - text), text, detail, at + 2) : v9_strdup(text);
}

/* Add the cause of a row, if it applies. */
static bool add(const struct row *row, const struct v9_doc_facts *f, enum v9_doc_unit unit,
		struct v9_doc_result *r)
{
	const char *detail = row->units & 1 << unit ? row->is(f, unit) : NULL;

	if (!detail || r->n == V9_DOC_CAUSES)
		return false;
	r->cause[r->n++] = (struct v9_doc_cause) {
		.id = row->id, .effect = row->effect,
		.why = fill(row->why, detail), .todo = fill(row->todo, detail),
		.in_use = f->busy && (row->is == busy || row->is == busy_cpus),
	};
	return true;
}

/* Add causes up to the first one that decides. */
static void decide(const struct row *table, size_t n, const struct v9_doc_facts *f,
		   enum v9_doc_unit unit, struct v9_doc_result *r)
{
	for (size_t i = 0; i < n; i++) {
		if (!add(&table[i], f, unit, r) || table[i].effect == V9_DOC_LIMITS)
			continue;
		r->status = table[i].effect == V9_DOC_HIDES ? V9_DOC_UNSEEN : V9_DOC_FAILS;
		return;
	}
}

void v9_doc_check(const struct v9_doc_facts *f, enum v9_doc_unit unit, struct v9_doc_result *r)
{
	*r = (struct v9_doc_result){ .status = V9_DOC_WORKS };
	if (U->pmu) {
		decide(pmu_rows, PMU_ROWS, f, unit, r);
		return;
	}
	decide(rows, ROWS, f, unit, r);
	for (size_t i = 0; i < HIDDEN_ROWS; i++)
		add(&hidden_rows[i], f, unit, r);
}

void v9_doc_result_free(struct v9_doc_result *r)
{
	for (unsigned int i = 0; i < r->n; i++) {
		free(r->cause[i].why);
		free(r->cause[i].todo);
	}
	r->n = 0;
}
