// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "facts.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../util.h"
#include "v9trace/check_absence.h"
#include "v9trace/el3.h"
#include "v9trace/gen/regs.h"

#define CPUS	"/sys/devices/system/cpu"
#define PMUS	"/sys/bus/event_source/devices"
#define TREE	"/sys/firmware/devicetree/base"
#define TABLES	"/sys/firmware/acpi/tables"

/* GICC entry: flags at byte 12, bit 0 enabled, bit 3 online capable */
#define GICC_FLAGS	12
#define GICC_USED	0x9

/* A unit as the kernel and firmware name it. A PMU's name may be the first part of several. */
static const struct {
	const char *pmu, *module, *in_tree, *source, *config, *compatible;
	const char *log[6];
	unsigned int gicc_at;
	const char *preference;		/* file of tools/packaging/modprobe.d */
} names[V9_DOC_UNITS] = {
	[V9_DOC_SPE] = {
		"arm_spe_", "v9_spe", "arm_spe_pmu", NULL, "CONFIG_ARM_SPE_PMU",
		"arm,statistical-profiling-extension-v1",
		{ "v9_spe", "arm_spe_pmu", "arm,spe-v1", "SPE must be homogeneous" },
		V9_GICC_SPE_INTERRUPT, "v9trace-spe.conf",
	},
	[V9_DOC_ETE] = {
		"cs_etm", "v9_ete", "coresight_trbe", "coresight_etm4x", "CONFIG_CORESIGHT_TRBE",
		"arm,trace-buffer-extension",
		{ "v9_ete", "arm_trbe", "arm,trbe", "TRBE ", "coresight" },
		V9_GICC_TRBE_INTERRUPT, "v9trace-ete.conf",
	},
	[V9_DOC_BRBE] = {
		"v9_brbe", "v9_brbe", NULL, NULL, "CONFIG_ARM64_BRBE", NULL, { "v9_brbe" }, 0, NULL,
	},
};

/* Cores of which a public source says what they have; README, "CPUs". 0: not said */
static const struct {
	uint32_t part;		/* implementer << 12 | part number, of MIDR_EL1 */
	const char *name;
	uint8_t has[V9_DOC_UNITS];
} cores[] = {
	{ 0x41d0c, "Neoverse N1", { V9_DOC_YES, V9_DOC_NO, V9_DOC_NO } },
	{ 0x41d40, "Neoverse V1", { V9_DOC_YES, V9_DOC_NO, V9_DOC_NO } },
	{ 0x41d49, "Neoverse N2", { V9_DOC_YES, V9_DOC_YES, 0 } },
	{ 0x41d4f, "Neoverse V2", { V9_DOC_YES, V9_DOC_YES, 0 } },
	{ 0x41d8e, "Neoverse N3", { V9_DOC_YES, V9_DOC_YES, 0 } },
	{ 0x41d84, "Neoverse V3", { V9_DOC_YES, V9_DOC_YES, V9_DOC_YES } },
	{ 0x41d83, "Neoverse V3AE", { V9_DOC_YES, V9_DOC_YES, V9_DOC_YES } },
	{ 0x41d4d, "Cortex-A715", { V9_DOC_YES, V9_DOC_YES, 0 } },
	{ 0x41d81, "Cortex-A720", { V9_DOC_YES, V9_DOC_YES, 0 } },
	{ 0x41d87, "Cortex-A725", { V9_DOC_YES, V9_DOC_YES, 0 } },
	{ 0x41d4e, "Cortex-X3", { V9_DOC_YES, V9_DOC_YES, 0 } },
	{ 0x41d82, "Cortex-X4", { V9_DOC_YES, V9_DOC_YES, 0 } },
	{ 0x41d85, "Cortex-X925", { V9_DOC_YES, V9_DOC_YES, 0 } },
	{ 0x41d47, "Cortex-A710", { V9_DOC_NO, V9_DOC_YES, 0 } },
	{ 0x41d46, "Cortex-A510", { 0, V9_DOC_YES, 0 } },
	{ 0x41d80, "Cortex-A520", { 0, V9_DOC_YES, 0 } },
	{ 0x41d48, "Cortex-X2", { 0, V9_DOC_YES, 0 } },
};

/* A copy of the line that begins at @line, without its time; the caller frees it. */
static char *copy_line(const char *line)
{
	const size_t n = strcspn(line, "\n");
	char *copy;

	if (*line == '[' && strchr(line, ']') && strchr(line, ']') < line + n)
		line = strchr(line, ']') + 1 + (strchr(line, ']')[1] == ' ');
	copy = v9_strdup(line);
	copy[strcspn(copy, "\n")] = '\0';
	return copy;
}

/* The value behind "KEY:" in lines such as those of /proc/self/status */
static uint64_t value_of(const char *text, const char *key, int base)
{
	const char *at = text ? strstr(text, key) : NULL;

	return at ? strtoull(at + strlen(key), NULL, base) : 0;
}

/* --- CPUs ---------------------------------------------------------------------- */

static void read_core(struct v9_doc_source *s, struct v9_doc_facts *f)
{
	const long long midr = v9_source_number(s, CPUS "/cpu0/regs/identification/midr_el1", 0);
	const uint32_t part = (uint32_t)(midr >> 24 & 0xff) << 12 | (midr >> 4 & 0xfff);

	for (unsigned int i = 0; i < sizeof(cores) / sizeof(cores[0]); i++) {
		if (cores[i].part != part)
			continue;
		f->core = cores[i].name;
		for (int u = 0; u < V9_DOC_UNITS; u++)
			f->unit[u].core = cores[i].has[u];
	}
}

/* One CPU with a unit is enough. */
static void learn_id(struct v9_doc_facts_unit *u, bool has)
{
	if (has || u->id == V9_DOC_UNKNOWN)
		u->id = has ? V9_DOC_YES : V9_DOC_NO;
}

static bool read_reg(struct v9_doc_source *s, const char *cpu, const char *reg, uint64_t *value)
{
	char *path = v9_format(CPUS "/%s/v9trace/%s", cpu, reg);
	char *text = v9_source_text(s, path);
	const bool is = text;

	*value = text ? strtoull(text, NULL, 0) : 0;
	free(path);
	free(text);
	return is;
}

/* What v9_core shows of a CPU */
static void read_regs(struct v9_doc_source *s, const char *cpu, struct v9_doc_facts *f)
{
	struct v9_doc_facts_unit *spe = &f->unit[V9_DOC_SPE], *ete = &f->unit[V9_DOC_ETE];
	uint64_t dfr0, mdcr, cptr, idr;

	if (!read_reg(s, cpu, "id_aa64dfr0_el1", &dfr0)) {
		f->regs_denied |= errno == EACCES;
		return;
	}
	f->core_module = true;
	learn_id(spe, dfr0 & V9_ID_AA64DFR0_EL1_PMSVer);
	learn_id(ete, (dfr0 & V9_ID_AA64DFR0_EL1_TraceVer) &&
		      (dfr0 & V9_ID_AA64DFR0_EL1_TraceBuffer));
	learn_id(&f->unit[V9_DOC_BRBE], dfr0 & V9_ID_AA64DFR0_EL1_BRBE);
	if (read_reg(s, cpu, "pmbidr_el1", &idr))
		spe->owned |= idr & V9_PMBIDR_EL1_P;
	if (read_reg(s, cpu, "trbidr_el1", &idr))
		ete->owned |= idr & V9_TRBIDR_EL1_P;
	if (!read_reg(s, cpu, "mdcr_el3", &mdcr) || !read_reg(s, cpu, "cptr_el3", &cptr))
		return;
	f->answers = true;
	if (!(mdcr & V9_EL3_MDCR_SPE))
		spe->trapped = "MDCR_EL3.NSPB";
	if (!(mdcr & V9_EL3_MDCR_TRBE))
		ete->trapped = "MDCR_EL3.NSTB";
	else if (!(cptr & V9_EL3_CPTR_TRACE))
		ete->trapped = "CPTR_EL3.TTA";
	else if (!(mdcr & V9_EL3_MDCR_TRF))
		ete->trapped = "MDCR_EL3.TTRF";
	if (!(mdcr & V9_EL3_MDCR_BRBE))
		f->unit[V9_DOC_BRBE].trapped = "MDCR_EL3.SBRBE";
}

static void read_cpus(struct v9_doc_source *s, struct v9_doc_facts *f)
{
	char *list = v9_source_names(s, CPUS, "cpu"), *save = NULL;

	for (char *cpu = strtok_r(list, "\n", &save); cpu; cpu = strtok_r(NULL, "\n", &save)) {
		if (cpu[3] < '0' || cpu[3] > '9')
			continue;
		f->cpus++;
		read_regs(s, cpu, f);
	}
	free(list);
	read_core(s, f);
}

/* --- the machine --------------------------------------------------------------- */

static char *get_uname(const void *unused)
{
	struct utsname u;

	(void)unused;
	return uname(&u) ? NULL : v9_format("%s %s\n", u.machine, u.release);
}

/* The release becomes a part of paths, and a recorded one may be anything. */
static void read_kernel(struct v9_doc_source *s, struct v9_doc_facts *f)
{
	char *text = v9_source_pseudo(s, "uname", get_uname, NULL, NULL), *space;

	if (!text)
		return;
	for (char *c = text; *c; c++)
		if (*c == '/' || (*c != '\n' && (unsigned char)*c < ' ') || *c == 0x7f)
			*c = '?';
	space = strchr(text, ' ');
	if (space)
		f->release = copy_line(space + 1);
	text[strcspn(text, " \n")] = '\0';
	f->machine = text;
}

/* First line of a file, or NULL */
static char *line_of(struct v9_doc_source *s, const char *path)
{
	char *text = v9_source_text(s, path);

	if (text)
		text[strcspn(text, "\n")] = '\0';
	return text;
}

/*
 * Names by which hypervisors introduce themselves. A whole machine of Amazon has "metal" in its
 * product name.
 */
static void read_vm(struct v9_doc_source *s, struct v9_doc_facts *f)
{
	static const char *const vendors[] = {
		"Amazon EC2", "QEMU", "Google", "Microsoft Corporation", "VMware", "Xen",
		"Alibaba Cloud", "OpenStack", "KVM", "Parallels", "Oracle", "Apple",
	};
	char *vendor = line_of(s, "/sys/class/dmi/id/sys_vendor");
	char *product = line_of(s, "/sys/class/dmi/id/product_name");
	char *type = line_of(s, "/sys/hypervisor/type");
	char *model = v9_source_text(s, TREE "/model");

	f->metal = product && strstr(product, "metal");
	for (unsigned int i = 0; i < sizeof(vendors) / sizeof(vendors[0]) && !f->metal; i++)
		if (vendor && strstr(vendor, vendors[i]) && !f->vm)
			f->vm = v9_format("%s %s", vendor, product ? product : "");
	if (!f->vm && type)
		f->vm = v9_strdup(type);
	if (!f->vm && model && (strstr(model, "dummy-virt") || strstr(model, "Foundation")))
		f->vm = v9_strdup(model);
	free(vendor);
	free(product);
	free(type);
	free(model);
}

static void read_rights(struct v9_doc_source *s, struct v9_doc_facts *f)
{
	static const char *const status[] = { "Uid:", "CapEff:", NULL };
	static const char *const limits[] = { "Max locked memory", NULL };
	char *text = v9_source_lines(s, "/proc/self/status", status);
	const uint64_t caps = value_of(text, "CapEff:", 16);
	const char *uid = text ? strstr(text, "Uid:") : NULL;
	unsigned long real, effective;

	f->root = uid && sscanf(uid, "Uid: %lu %lu", &real, &effective) == 2 && !effective;
	f->perfmon = caps & (V9_BIT(CAP_PERFMON) | V9_BIT(CAP_SYS_ADMIN));
	f->ipc_lock = caps & V9_BIT(CAP_IPC_LOCK);
	free(text);
	text = v9_source_lines(s, "/proc/self/limits", limits);
	f->memlock = text && !strstr(text, "unlimited") ? value_of(text, "Max locked memory", 10) :
		     UINT64_MAX;
	free(text);
	f->paranoid = (int)v9_source_number(s, "/proc/sys/kernel/perf_event_paranoid", -2);
	f->kptr = (int)v9_source_number(s, "/proc/sys/kernel/kptr_restrict", -1);
	f->mlock_kb = (uint64_t)v9_source_number(s, "/proc/sys/kernel/perf_event_mlock_kb", 0);
}

/* The word in brackets of "none [integrity] confidentiality" */
static void read_lockdown(struct v9_doc_source *s, struct v9_doc_facts *f)
{
	char *text = v9_source_text(s, "/sys/kernel/security/lockdown");
	char *from = text ? strchr(text, '[') : NULL;

	if (from && strchr(from, ']')) {
		*strchr(from, ']') = '\0';
		f->lockdown = v9_strdup(from + 1);
	}
	free(text);
}

static void read_secure_boot(struct v9_doc_source *s, struct v9_doc_facts *f)
{
	size_t n;
	/* Four bytes of attributes, then the value */
	char *data = v9_source_bytes(s, "/sys/firmware/efi/efivars/"
				     "SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c", &n);

	f->secure_boot = data && n > 4 && data[4] == 1;
	free(data);
}

static char *get_perf(const void *unused)
{
	FILE *p = popen("perf version --build-options 2>/dev/null", "r");
	struct v9_blob b = { 0 };
	char part[512];
	size_t n;

	(void)unused;
	while (p && (n = fread(part, 1, sizeof(part), p)))
		v9_blob_put(&b, part, n);
	if (p)
		pclose(p);
	if (!b.len) {
		errno = ENOENT;
		return NULL;
	}
	v9_blob_zero(&b, 1);
	return (char *)b.data;
}

static void read_perf(struct v9_doc_source *s, struct v9_doc_facts *f)
{
	static const char *const words[] = { "perf version", "libopencsd", NULL };
	char *text = v9_source_pseudo(s, "perf", get_perf, NULL, words);
	const char *version = text ? strstr(text, "perf version ") : NULL;
	const char *opencsd = text ? strstr(text, "libopencsd") : NULL;
	unsigned int major, minor;

	if (version && sscanf(version, "perf version %u.%u", &major, &minor) == 2)
		f->perf = major * 100 + minor;
	if (opencsd)
		f->opencsd = strcspn(opencsd, "\n") > (size_t)(strstr(opencsd, "OFF") ?
			strstr(opencsd, "OFF") - opencsd : 10000) ? V9_DOC_NO : V9_DOC_YES;
	free(text);
}

/* --- firmware ------------------------------------------------------------------- */

static enum v9_doc_firmware state_of_node(struct v9_doc_source *s, const char *path)
{
	char *file = v9_format("%s/status", path), *status = v9_source_text(s, file);
	const bool disabled = status && strcmp(status, "okay") && strcmp(status, "ok");
	bool interrupt;

	free(status);
	free(file);
	file = v9_format("%s/interrupts", path);
	interrupt = v9_source_exists(s, file);
	free(file);
	return disabled ? V9_DOC_FW_DISABLED : interrupt ? V9_DOC_FW_OK : V9_DOC_FW_NO_INTERRUPT;
}

/* A node that describes a unit. Of several of a kind the best one counts. */
static void read_node(struct v9_doc_source *s, const char *path, void *data)
{
	static const char *const words[] = {
		"arm,statistical-profiling-extension-v1", "arm,trace-buffer-extension",
		"arm,embedded-trace-extension", NULL
	};
	char *file = v9_format("%s/compatible", path);
	char *compatible = v9_source_match(s, file, words);
	struct v9_doc_facts *f = data;

	free(file);
	if (!compatible)
		return;
	f->trace_nodes |= strstr(compatible, "arm,embedded-trace-extension") != NULL;
	for (int u = 0; u < V9_DOC_UNITS; u++) {
		struct v9_doc_facts_unit *unit = &f->unit[u];

		if (names[u].compatible && strstr(compatible, names[u].compatible) &&
		    unit->firmware != V9_DOC_FW_OK)
			unit->firmware = state_of_node(s, path);
	}
	free(compatible);
}

static enum v9_doc_firmware of_madt(enum v9_madt_fault fault)
{
	switch (fault) {
	case V9_MADT_OK:
		return V9_DOC_FW_OK;
	case V9_MADT_SHORT:
		return V9_DOC_FW_SHORT;
	case V9_MADT_NOT_PPI:
		return V9_DOC_FW_NOT_PPI;
	default:
		return V9_DOC_FW_NONE;
	}
}

/* What the entries of all CPUs say of a unit */
static enum v9_doc_firmware read_entries(const uint8_t *madt, size_t n, unsigned int at)
{
	enum v9_doc_firmware all = V9_DOC_FW_UNKNOWN, one;
	unsigned int intid, first = 0;

	for (size_t i = V9_MADT_HEADER, size; i + 2 <= n; i += size) {
		const uint8_t *p = madt + i;

		size = p[1];
		if (size < 2 || size > n - i)
			break;
		if (p[0] != V9_MADT_GICC || size < GICC_FLAGS + 4 || !(p[GICC_FLAGS] & GICC_USED))
			continue;
		one = of_madt(v9_madt_interrupt(madt, n, v9_load_le32(p + V9_GICC_UID), at,
						&intid));
		if (all == V9_DOC_FW_UNKNOWN) {
			all = one;
			first = intid;
		} else if (one != all || intid != first) {
			all = V9_DOC_FW_DIFFERS;
		}
	}
	return all;
}

static void read_madt(struct v9_doc_source *s, struct v9_doc_facts *f)
{
	size_t n = 0;
	uint8_t *madt = (uint8_t *)v9_source_bytes(s, TABLES "/APIC", &n);
	const bool denied = !madt && errno == EACCES;
	char *devices = v9_source_names(s, "/sys/bus/acpi/devices", "ARMHC500");

	f->trace_nodes = *devices;
	free(devices);
	for (int u = 0; u < V9_DOC_UNITS; u++) {
		if (!names[u].gicc_at)
			continue;
		f->unit[u].firmware = denied ? V9_DOC_FW_DENIED : madt ?
				      read_entries(madt, n, names[u].gicc_at) : V9_DOC_FW_UNKNOWN;
	}
	free(madt);
}

static void read_firmware(struct v9_doc_source *s, struct v9_doc_facts *f)
{
	f->acpi = v9_source_exists(s, TABLES);
	if (f->acpi) {
		read_madt(s, f);
		return;
	}
	if (!v9_source_exists(s, TREE "/compatible"))
		return;
	for (int u = 0; u < V9_DOC_UNITS; u++)
		f->unit[u].firmware = names[u].compatible ? V9_DOC_FW_NONE : V9_DOC_FW_UNKNOWN;
	v9_source_walk(s, TREE, read_node, f);
}

/* --- drivers --------------------------------------------------------------------- */

static void read_config(struct v9_doc_source *s, struct v9_doc_facts *f)
{
	static const char *const words[] = {
		"CONFIG_ARM_SPE_PMU", "CONFIG_CORESIGHT_TRBE", "CONFIG_ARM64_BRBE",
		"CONFIG_PID_IN_CONTEXTIDR", NULL
	};
	char *path = v9_format("/boot/config-%s", f->release ? f->release : "");
	char *text = v9_source_lines(s, path, words), *set;

	free(path);
	if (!text)
		return;
	for (int u = 0; u < V9_DOC_UNITS; u++) {
		set = v9_format("%s=", names[u].config);
		f->unit[u].configured = strstr(text, set) ? V9_DOC_YES : V9_DOC_NO;
		free(set);
	}
	f->contextid = strstr(text, "CONFIG_PID_IN_CONTEXTIDR=y") ? V9_DOC_YES : V9_DOC_NO;
	free(text);
}

/* Does a list of paths, such as modules.dep, have the module? Its file has - or _, and may be packed. */
static bool lists(const char *text, const char *module)
{
	char *file = v9_format("/%s.ko", module);
	bool is = text && strstr(text, file);

	for (char *p = file; *p; p++)
		if (*p == '_')
			*p = '-';
	is |= text && strstr(text, file);
	free(file);
	return is;
}

/* /proc/modules would do, too, but has addresses of the kernel. */
static void read_module(struct v9_doc_source *s, const char *dep, const char *built_in,
			const char *name, struct v9_doc_module *m)
{
	char *state;

	if (!name)
		return;
	state = v9_format("/sys/module/%s/initstate", name);
	m->loaded = v9_source_exists(s, state);
	m->installed = lists(dep, name);
	m->built_in = lists(built_in, name);
	free(state);
}

/* Is our driver asked for? A file of the same name in /etc hides that of the package. */
static bool prefers_ours(struct v9_doc_source *s, const char *name)
{
	char *file, *hides;
	bool prefers;

	if (!name)
		return false;
	file = v9_format("/usr/lib/modprobe.d/%s", name);
	hides = v9_format("/etc/modprobe.d/%s", name);
	prefers = v9_source_exists(s, file) && !v9_source_exists(s, hides);
	free(file);
	free(hides);
	return prefers;
}

static void read_modules(struct v9_doc_source *s, struct v9_doc_facts *f)
{
	static const char *const words[] = {
		"v9_", "arm_spe", "arm-spe", "coresight", NULL
	};
	char *dir = v9_format("/lib/modules/%s", f->release ? f->release : "");
	char *dep_path = v9_format("%s/modules.dep", dir);
	char *built_in_path = v9_format("%s/modules.builtin", dir);
	char *dep = v9_source_lines(s, dep_path, words);
	char *built_in = v9_source_lines(s, built_in_path, words);

	for (int u = 0; u < V9_DOC_UNITS; u++) {
		read_module(s, dep, built_in, names[u].module, &f->unit[u].module);
		read_module(s, dep, built_in, names[u].in_tree, &f->unit[u].in_tree);
		read_module(s, dep, built_in, names[u].source, &f->unit[u].source);
		f->unit[u].preferred = prefers_ours(s, names[u].preference);
	}
	free(dir);
	free(dep_path);
	free(built_in_path);
	free(dep);
	free(built_in);
}

static char *get_log(const void *unused)
{
	const int size = klogctl(10, NULL, 0);	/* SYSLOG_ACTION_SIZE_BUFFER */
	char *text;
	int n;

	(void)unused;
	if (size < 0)
		return NULL;
	text = v9_alloc((size_t)size + 1);
	n = klogctl(3, text, size);		/* SYSLOG_ACTION_READ_ALL */
	if (n < 0) {
		int err = errno;

		free(text);
		errno = err;
		return NULL;
	}
	return text;
}

/* Words of the lines in which drivers refuse a unit, ours and the kernel's own */
static bool refuses(const char *line, size_t n)
{
	static const char *const words[] = {
		"not used:", "firmware describes", "higher exception level", "kpti=off",
		"unmapped at EL0", "must be homogeneous",
	};

	for (unsigned int i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const char *at = strstr(line, words[i]);

		if (at && at < line + n)
			return true;
	}
	return false;
}

static void read_log(struct v9_doc_source *s, struct v9_doc_facts *f)
{
	static const char *const words[] = {
		"v9_", "arm_spe", "arm,spe-v1", "SPE must", "TRBE ", "arm,trbe", "arm_trbe",
		"coresight", "unsigned module", "unavailable key", "Lockdown: ", NULL
	};
	char *log = v9_source_pseudo(s, "dmesg", get_log, NULL, words);
	size_t n;

	f->log_denied = !log && errno == EACCES;
	for (char *line = log; line && *line; line += n + (line[n] == '\n')) {
		n = strcspn(line, "\n");
		for (int u = 0; u < V9_DOC_UNITS; u++) {
			bool of = false;

			for (unsigned int i = 0; names[u].log[i] && !of; i++) {
				const char *at = strstr(line, names[u].log[i]);

				of = at && at < line + n;
			}
			if (!of || !refuses(line, n))
				continue;
			free(f->unit[u].log);
			f->unit[u].log = copy_line(line);
		}
		if (memmem(line, n, "unsigned module", 15) || memmem(line, n, "unavailable key", 15)) {
			free(f->unsigned_refused);
			f->unsigned_refused = copy_line(line);
		}
	}
	free(log);
}

/* --- PMUs ------------------------------------------------------------------------- */

struct trial {
	long long type;
	int cpu;
	bool branches;		/* samples with branch stacks */
};

static int try_open(const struct perf_event_attr *attr, pid_t pid, int cpu)
{
	const long fd = syscall(SYS_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return errno;
	close((int)fd);
	return 0;
}

/* Events that are never enabled: of this task, and of a CPU */
static char *get_trial(const void *arg)
{
	const struct trial *t = arg;
	struct perf_event_attr attr = {
		.type = (uint32_t)t->type, .size = sizeof(attr), .disabled = 1,
		.exclude_kernel = 1, .exclude_hv = 1,
	};
	int task;

	if (t->branches) {
		attr.config = 0x11;		/* cycles */
		attr.sample_period = 1000003;
		attr.sample_type = PERF_SAMPLE_BRANCH_STACK;
		attr.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY;
	}
	task = try_open(&attr, 0, -1);
	return v9_format("task %d cpu %d\n", task, try_open(&attr, -1, t->cpu));
}

static void read_trial(struct v9_doc_source *s, struct v9_doc_facts_unit *u, const char *dir,
		       bool branches)
{
	char *path = v9_format("%s/type", dir), *name = v9_format("open-%s", u->pmu), *text;
	struct trial t = { .type = v9_source_number(s, path, -1), .branches = branches };

	free(path);
	path = v9_format("%s/cpumask", dir);
	t.cpu = (int)v9_source_number(s, path, 0);
	text = t.type < 0 ? NULL : v9_source_pseudo(s, name, get_trial, &t, NULL);
	if (!text || sscanf(text, "task %d cpu %d", &u->open_task, &u->open_cpu) != 2)
		u->open_task = u->open_cpu = -1;
	free(text);
	free(path);
	free(name);
}

/* Has the kernel's own PMU of trace units buffers? It exists without them, too. */
static bool has_buffers(struct v9_doc_source *s, const char *dir)
{
	char *path = v9_format("%s/sinks", dir), *sinks = v9_source_names(s, path, "trbe");
	const bool has = *sinks;

	free(path);
	free(sinks);
	return has;
}

/* Since Linux 6.17 the kernel's PMU of a CPU has branch records. */
static char *find_branches(struct v9_doc_source *s)
{
	char *list = v9_source_names(s, PMUS, "armv8_"), *save = NULL, *found = NULL;

	for (char *pmu = strtok_r(list, "\n", &save); pmu && !found; pmu = strtok_r(NULL, "\n", &save)) {
		char *path = v9_format(PMUS "/%s/caps/branches", pmu);

		if (v9_source_number(s, path, 0) > 0)
			found = v9_strdup(pmu);
		free(path);
	}
	free(list);
	return found;
}

static void read_pmu(struct v9_doc_source *s, int u, struct v9_doc_facts *f)
{
	struct v9_doc_facts_unit *unit = &f->unit[u];
	char *list = v9_source_names(s, PMUS, names[u].pmu), *dir, *path;

	unit->open_task = unit->open_cpu = -1;
	list[strcspn(list, "\n")] = '\0';
	if (!*list) {
		free(list);
		list = u == V9_DOC_BRBE ? find_branches(s) : NULL;
	}
	if (!list)
		return;
	dir = v9_format(PMUS "/%s", list);
	path = v9_format("%s/stats", dir);
	unit->ours = v9_source_exists(s, path);
	free(path);
	if (u == V9_DOC_ETE && !unit->ours && !has_buffers(s, dir)) {
		free(dir);
		free(list);
		return;
	}
	unit->pmu = list;
	unit->driver = v9_strdup(unit->ours ? names[u].module :
				 names[u].in_tree ? names[u].in_tree : "the kernel");
	path = v9_format("%s/caps/min_interval", dir);
	unit->min_interval = (uint64_t)v9_source_number(s, path, 0);
	free(path);
	path = v9_format("%s/stats/collisions", dir);
	unit->collisions = (uint64_t)v9_source_number(s, path, 0);
	free(path);
	read_trial(s, unit, dir, u == V9_DOC_BRBE);
	unit->id = V9_DOC_YES;
	free(dir);
}

static char *get_holders(const void *unused)
{
	struct v9_holders h;

	(void)unused;
	v9_holders_find("/proc", getpid(), &h);
	return v9_holders_lines(&h);
}

/* Who has events open matters only if a unit is in use. */
static void read_holders(struct v9_doc_source *s, struct v9_doc_facts *f)
{
	bool in_use = false;
	char *text;

	for (int u = 0; u < V9_DOC_UNITS; u++)
		in_use |= f->unit[u].open_task == EBUSY || f->unit[u].open_cpu == EBUSY;
	text = in_use ? v9_source_pseudo(s, "holders", get_holders, NULL, NULL) : NULL;
	f->busy = text;
	if (text)
		v9_holders_parse(text, &f->holders);
	free(text);
}

static void read_kpti(struct v9_doc_source *s, struct v9_doc_facts *f)
{
	char *text = v9_source_text(s, CPUS "/vulnerabilities/meltdown");

	f->kpti = text && strstr(text, "PTI");
	free(text);
}

void v9_doc_read(struct v9_doc_source *s, struct v9_doc_facts *f)
{
	*f = (struct v9_doc_facts){ 0 };
	read_kernel(s, f);
	read_cpus(s, f);
	read_vm(s, f);
	read_rights(s, f);
	read_lockdown(s, f);
	read_secure_boot(s, f);
	read_kpti(s, f);
	read_perf(s, f);
	read_firmware(s, f);
	read_config(s, f);
	read_modules(s, f);
	read_log(s, f);
	for (int u = 0; u < V9_DOC_UNITS; u++)
		read_pmu(s, u, f);
	read_holders(s, f);
	f->core_module |= f->regs_denied;
}

void v9_doc_free(struct v9_doc_facts *f)
{
	for (int u = 0; u < V9_DOC_UNITS; u++) {
		struct v9_doc_facts_unit *unit = &f->unit[u];

		free(unit->pmu);
		free(unit->driver);
		free(unit->log);
	}
	free(f->machine);
	free(f->release);
	free(f->vm);
	free(f->lockdown);
	free(f->unsigned_refused);
}
