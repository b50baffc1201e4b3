/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the doctor knows of a machine. facts.c reads it, checks.c draws conclusions. Strings are NULL
 * if the text is not there or could not be read.
 */
#ifndef V9TRACE_DOCTOR_FACTS_H
#define V9TRACE_DOCTOR_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "../holders.h"
#include "source.h"

enum v9_doc_unit { V9_DOC_SPE, V9_DOC_ETE, V9_DOC_BRBE, V9_DOC_UNITS };

enum v9_doc_known { V9_DOC_UNKNOWN, V9_DOC_NO, V9_DOC_YES };

/* What firmware describes. Values behind V9_DOC_FW_NONE are faults of a description. */
enum v9_doc_firmware {
	V9_DOC_FW_UNKNOWN,	/* neither device tree nor ACPI is here */
	V9_DOC_FW_DENIED,	/* ACPI tables, which root alone may read */
	V9_DOC_FW_OK,
	V9_DOC_FW_NONE,		/* no node in the device tree; ACPI: the interrupt of all CPUs is 0 */
	V9_DOC_FW_DISABLED,	/* a node with status "disabled" */
	V9_DOC_FW_NO_INTERRUPT,	/* a node without interrupt */
	V9_DOC_FW_SHORT,	/* ACPI: entries end before the interrupt */
	V9_DOC_FW_NOT_PPI,	/* ACPI: an interrupt that is not private to a CPU */
	V9_DOC_FW_DIFFERS,	/* ACPI: CPUs with different interrupts, or some without */
};

/* A module or a driver that is built in */
struct v9_doc_module {
	bool loaded, built_in, installed;
};

/**
 * struct v9_doc_facts_unit - facts about a unit
 * @id: do ID registers of the CPUs have it? V9_DOC_UNKNOWN without v9_core, or the right to read
 * @core: has this core it, according to its documentation?
 * @owned: a higher Exception level or another Security state owns its buffer (PMBIDR_EL1.P, TRBIDR_EL1.P)
 * @trapped: field by which EL3 traps its registers, according to firmware; NULL: none
 * @firmware: what firmware describes
 * @pmu: name of its PMU, or NULL
 * @driver: module that drives it, if @pmu is not NULL
 * @ours: @driver is one of this project
 * @open_task, @open_cpu: errno with which an event of a task or a CPU was refused; 0; -1: not tried
 * @min_interval: SPE: recommended minimum of the interval, 0: unknown
 * @collisions: SPE: samples that collided, 0: none, or unknown
 * @log: last line of the kernel's log in which a driver refuses the unit
 * @module: ours
 * @in_tree: the kernel's own; for ETE that of the trace buffer
 * @source: ETE: the kernel's own of the trace unit
 * @configured: has the kernel's configuration its own driver?
 * @preferred: a file of the package v9trace-dkms asks for our driver, and no other hides it
 */
struct v9_doc_facts_unit {
	enum v9_doc_known id, core;
	bool owned;
	const char *trapped;
	enum v9_doc_firmware firmware;
	char *pmu, *driver;
	bool ours;
	int open_task, open_cpu;
	uint64_t min_interval, collisions;
	char *log;
	struct v9_doc_module module, in_tree, source;
	enum v9_doc_known configured;
	bool preferred;
};

/**
 * struct v9_doc_facts - facts about a machine
 * @machine: as uname -m has it
 * @release: of the kernel
 * @core: name of the core, if it is in the table of cores
 * @vm: what makes it a virtual machine, or NULL
 * @metal: a whole machine of a cloud
 * @acpi: firmware speaks ACPI
 * @trace_nodes: firmware describes trace units
 * @core_module: v9_core is loaded
 * @answers: firmware answers what EL3 permits
 * @regs_denied: v9_core is loaded, and its files may not be read
 * @root, @perfmon: effective user and capability
 * @paranoid: kernel.perf_event_paranoid; -2: unknown
 * @kptr: kernel.kptr_restrict; -1: unknown
 * @mlock_kb: kernel.perf_event_mlock_kb, 0: unknown
 * @memlock: RLIMIT_MEMLOCK in bytes; UINT64_MAX: no limit
 * @ipc_lock: CAP_IPC_LOCK
 * @cpus: number of CPUs
 * @lockdown: "none", "integrity" or "confidentiality"
 * @secure_boot: UEFI has Secure Boot switched on
 * @kpti: page tables of user space do not map the kernel
 * @contextid: the kernel writes thread IDs to CONTEXTIDR
 * @log_denied: the log may not be read
 * @unsigned_refused: line of the log in which a module was refused for its signature
 * @perf: version of perf as a number, major * 100 + minor; 0: no perf
 * @opencsd: perf decodes ETE
 * @busy: a unit is in use, and @holders has been read
 * @holders: processes with perf events
 */
struct v9_doc_facts {
	char *machine, *release;
	const char *core;
	char *vm;
	bool metal, acpi, trace_nodes;
	bool core_module, answers, regs_denied;
	bool root, perfmon, ipc_lock;
	int paranoid, kptr;
	uint64_t mlock_kb, memlock;
	unsigned int cpus;
	char *lockdown;
	bool secure_boot, kpti;
	enum v9_doc_known contextid;
	bool log_denied;
	char *unsigned_refused;
	unsigned int perf;
	enum v9_doc_known opencsd;
	bool busy;
	struct v9_holders holders;
	struct v9_doc_facts_unit unit[V9_DOC_UNITS];
};

/* Read all facts. v9_doc_free() frees them. */
void v9_doc_read(struct v9_doc_source *s, struct v9_doc_facts *f);
void v9_doc_free(struct v9_doc_facts *f);

#endif
