// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Table of the types of PMUs with an AUX area */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <v9trace/gen/regs.h>
#include <v9trace/uapi.h>

#include "../perfdata.h"
#include "spec.h"

static uint64_t spe_period(const struct v9_perf_pmu *pmu)
{
	return v9_pmu_cap(pmu, "caps/min_interval", 4096);
}

/* Values of PMSIDR_EL1.Interval and their minimum period in operations */
static const struct { uint64_t field, period; } spe_intervals[] = {
	{ V9_PMSIDR_EL1_Interval_256, 256 }, { V9_PMSIDR_EL1_Interval_512, 512 },
	{ V9_PMSIDR_EL1_Interval_768, 768 }, { V9_PMSIDR_EL1_Interval_1024, 1024 },
	{ V9_PMSIDR_EL1_Interval_1536, 1536 }, { V9_PMSIDR_EL1_Interval_2048, 2048 },
	{ V9_PMSIDR_EL1_Interval_3072, 3072 }, { V9_PMSIDR_EL1_Interval_4096, 4096 },
};

/* Returns the value of an option of the event's PMU, of adjacent bits; 0 if the PMU does not have it. */
static uint64_t option(const struct v9_event_spec *ev, const struct v9_perf_pmu *pmu, const char *name)
{
	const uint64_t word[V9_EV_WORDS] = {
		ev->attr.a.config, ev->attr.a.config1, ev->attr.a.config2,
		ev->attr.word[V9_ATTR_CONFIG3], ev->attr.word[V9_ATTR_CONFIG4],
	};
	const struct v9_ev_field *f = v9_pmu_field(pmu, name);

	return f ? (word[f->word] & f->mask) / (f->mask & -f->mask) : 0;
}

/* Find out how the unit counts operations: PMSIDR_EL1, PMSIRR_EL1.RND, minimum period. */
static void spe_unit(struct v9_event_spec *ev, const struct v9_perf_pmu *pmu)
{
	const uint64_t least = v9_pmu_cap(pmu, "caps/min_interval", 0);

	ev->aux_interval = least;
	for (size_t i = 0; i < sizeof(spe_intervals) / sizeof(spe_intervals[0]); i++)
		if (spe_intervals[i].period == least) {
			ev->aux_unit |= V9_PUT(V9_PMSIDR_EL1_Interval, spe_intervals[i].field);
			ev->aux_unit_known |= V9_PMSIDR_EL1_Interval;
		}
	if (v9_pmu_has(pmu, "caps/ernd")) {
		ev->aux_unit |= v9_pmu_cap(pmu, "caps/ernd", 0) ? V9_PMSIDR_EL1_ERnd : 0;
		ev->aux_unit_known |= V9_PMSIDR_EL1_ERnd;
	}
	if (v9_pmu_has(pmu, "caps/arch_inst")) {
		ev->aux_unit |= v9_pmu_cap(pmu, "caps/arch_inst", 0) ? V9_PMSIDR_EL1_ArchInst : 0;
		ev->aux_unit_known |= V9_PMSIDR_EL1_ArchInst;
	}
	if (option(ev, pmu, "jitter"))
		ev->aux_config |= V9_PMSIRR_EL1_RND;
	/* The kernel's arm_spe_pmu raises a shorter period to the recommended minimum. */
	if (!v9_pmu_has(pmu, "stats"))
		ev->aux_least = least;
}

/* Sets .aux_filters. An option of the PMU that is not 0 switches its filter on. */
static void spe_filters(struct v9_event_spec *ev, const struct v9_perf_pmu *pmu)
{
	static const struct { const char *field; uint32_t filter; } options[] = {
		{ "branch_filter", PD_FILTER_TYPE }, { "branch_filter_mask", PD_FILTER_TYPE },
		{ "load_filter", PD_FILTER_TYPE }, { "load_filter_mask", PD_FILTER_TYPE },
		{ "store_filter", PD_FILTER_TYPE }, { "store_filter_mask", PD_FILTER_TYPE },
		{ "simd_filter", PD_FILTER_TYPE }, { "simd_filter_mask", PD_FILTER_TYPE },
		{ "float_filter", PD_FILTER_TYPE }, { "float_filter_mask", PD_FILTER_TYPE },
		{ "event_filter", PD_FILTER_EVENT }, { "inv_event_filter", PD_FILTER_EVENT },
		{ "min_latency", PD_FILTER_LATENCY }, { "inv_data_src_filter", PD_FILTER_SOURCE },
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (option(ev, pmu, options[i].field))
			ev->aux_filters |= options[i].filter;
	ev->aux_discard = option(ev, pmu, "discard");
	ev->aux_later = v9_pmu_field(pmu, "discard") || v9_pmu_field(pmu, "inv_event_filter");
}

/* PMSIRR_EL1.INTERVAL, in operations: the period with bits [7:0] cleared, at least 256 */
uint64_t v9_aux_spe_interval(const struct v9_event_spec *ev)
{
	const uint64_t most = V9_PMSIRR_EL1_INTERVAL;
	uint64_t period = ev->attr.a.sample_period;

	period = period < ev->aux_least ? ev->aux_least : period;
	period = period > most ? most : period & most;
	return period ? period : 256;
}

static void spe_registers(const struct v9_event_spec *ev, int cpu, struct v9_blob *b)
{
	struct pd_register r = {
		.cpu = (uint32_t)cpu, .encoding = V9_SYS_PMSIRR_EL1,
		.mask = V9_PMSIRR_EL1_INTERVAL | V9_PMSIRR_EL1_RND,
	};

	if (ev->cpumask && !v9_ev_cpu_in(ev->cpumask, (unsigned long)cpu))
		return;
	r.value = v9_aux_spe_interval(ev) | ev->aux_config;
	v9_blob_put(b, &r, sizeof(r));
	if (!ev->aux_unit_known)
		return;
	r.encoding = V9_SYS_PMSIDR_EL1;
	r.mask = ev->aux_unit_known;
	r.value = ev->aux_unit;
	v9_blob_put(b, &r, sizeof(r));
}

/*
 * The driver does not use the sample type. perf report and perf mem use it to select the columns of
 * the samples that they make from the trace.
 */
static void spe_setup(struct v9_event_spec *ev, const struct v9_perf_pmu *pmu)
{
	ev->attr.a.sample_type |= PERF_SAMPLE_DATA_SRC;
	if (option(ev, pmu, "pa_enable"))
		ev->attr.a.sample_type |= PERF_SAMPLE_PHYS_ADDR;
	spe_unit(ev, pmu);
	spe_filters(ev, pmu);
}

static uint64_t midr_of(int cpu)
{
	char *path = v9_format("%s/cpu%d/regs/identification/midr_el1", v9_cpu_root, cpu);
	char *line = v9_read_line(path);
	const uint64_t midr = line ? strtoull(line, NULL, 16) : 0;

	free(path);
	free(line);
	return midr;
}

void v9_aux_midrs(struct v9_blob *b, int cpus)
{
	for (int cpu = 0; cpu < cpus; cpu++) {
		const struct pd_register r = {
			.cpu = (uint32_t)cpu, .encoding = PD_MIDR_EL1, .mask = UINT64_MAX,
			.value = midr_of(cpu),
		};

		if (r.value)
			v9_blob_put(b, &r, sizeof(r));
	}
}

/*
 * Version 2, for perf since 6.13: a block for each CPU of the PMU. perf's table of data sources is
 * chosen by the MIDR. Version 1 is for older ones, which read nothing of version 2.
 */
static void spe_info(const struct v9_event_spec *ev, struct v9_blob *priv)
{
	const int cpus = (int)sysconf(_SC_NPROCESSORS_CONF);
	uint64_t word[PD_SPE_V2_WORDS] = {
		[PD_SPE_V2_VERSION] = 2, [PD_SPE_V2_HEADER_WORDS] = PD_SPE_V2_WORDS,
		[PD_SPE_V2_PMU_TYPE] = ev->attr.a.type,
	};
	const size_t at = priv->len;

	if (ev->metadata == 1) {
		const uint64_t old[PD_SPE_V1_WORDS] = { [PD_SPE_V1_PMU_TYPE] = ev->attr.a.type };

		v9_blob_put(priv, old, sizeof(old));
		return;
	}
	v9_blob_put(priv, word, sizeof(word));
	for (int cpu = 0; cpu < cpus; cpu++) {
		const uint64_t block[PD_SPE_CPU_WORDS] = {
			[PD_SPE_CPU_MAGIC] = PD_SPE_CPU_MAGIC_VALUE,
			[PD_SPE_CPU_NUMBER] = (uint64_t)cpu,
			[PD_SPE_CPU_PARAMS] = PD_SPE_CPU_WORDS - PD_SPE_CPU_PARAMS - 1,
			[PD_SPE_CPU_MIDR] = midr_of(cpu),
			[PD_SPE_CPU_PMU_TYPE] = ev->attr.a.type,
			[PD_SPE_CPU_MIN_INTERVAL] = ev->aux_interval,
		};

		if (ev->cpumask && !v9_ev_cpu_in(ev->cpumask, (unsigned long)cpu))
			continue;
		v9_blob_put(priv, block, sizeof(block));
		word[PD_SPE_V2_CPUS]++;
	}
	memcpy(priv->data + at, word, sizeof(word));
}

static uint64_t etm_period(const struct v9_perf_pmu *pmu)
{
	(void)pmu;
	return 1;
}

/* Options of the PMU that set bits of TRCCONFIGR, which a decoder needs */
static const struct {
	const char *field;
	uint64_t bits;
} etm_options[] = {
	{ "branch_broadcast", 1 << 3 },
	{ "cycacc", 1 << 4 },
	{ "contextid1", 1 << 6 },
	{ "contextid2", 1 << 7 | 1 << 15 },	/* VMID, VMIDOPT: CONTEXTIDR_EL2 of the host */
	{ "timestamp", 1 << 11 },
	{ "retstack", 1 << 12 },
};

static void etm_setup(struct v9_event_spec *ev, const struct v9_perf_pmu *pmu)
{
	for (size_t i = 0; i < sizeof(etm_options) / sizeof(etm_options[0]); i++)
		if (option(ev, pmu, etm_options[i].field))
			ev->aux_config |= etm_options[i].bits;
	ev->aux_clock = option(ev, pmu, "ts_source");
}

#define DEVARCH_ARCHID	0xffff
#define DEVARCH_ETE	0x5a13

bool v9_etm_file(int cpu, const char *file, uint64_t *v)
{
	char *path = v9_format("%s/cs_etm/cpu%d/%s", v9_pmu_root, cpu, file);
	char *line = v9_read_line(path);
	const bool exists = line;

	*v = line ? strtoull(line, NULL, 0) : 0;
	free(path);
	free(line);
	return exists;
}

bool v9_etm_counts_cycles(void)
{
	const int cpus = (int)sysconf(_SC_NPROCESSORS_CONF);
	bool any = false;
	uint64_t id;

	for (int cpu = 0; cpu < cpus; cpu++) {
		if (!v9_etm_file(cpu, "trcidr/trcidr0", &id))
			continue;
		if (!(id & V9_TRCIDR0_TRCCCI))
			return false;
		any = true;
	}
	return any;
}

static bool etm_cpu(const struct v9_event_spec *ev, int cpu, struct v9_blob *priv)
{
	static const struct { unsigned int word; const char *file; } files[] = {
		{ PD_ETE_TRCIDR0, "trcidr/trcidr0" }, { PD_ETE_TRCIDR1, "trcidr/trcidr1" },
		{ PD_ETE_TRCIDR2, "trcidr/trcidr2" }, { PD_ETE_TRCIDR8, "trcidr/trcidr8" },
		{ PD_ETE_TRCAUTHSTATUS, "mgmt/trcauthstatus" },
		{ PD_ETE_TRCDEVARCH, "mgmt/trcdevarch" },
	};
	uint64_t word[PD_ETE_WORDS] = { [PD_ETM_CPU_NUMBER] = (uint64_t)cpu }, source, usual;
	unsigned int words = PD_ETE_WORDS;

	if (!v9_etm_file(cpu, files[0].file, &word[files[0].word]))
		return false;
	for (size_t i = 1; i < sizeof(files) / sizeof(files[0]); i++)
		v9_etm_file(cpu, files[i].file, &word[files[i].word]);
	word[PD_ETE_TRCCONFIGR] = ev->aux_config;
	/* Readers use it if there are no AUX_OUTPUT_HW_ID records. */
	word[PD_ETE_TRCTRACEIDR] = v9_ete_trace_id((unsigned int)cpu);
	if (!v9_etm_file(cpu, "ts_source", &source))
		source = UINT64_MAX;
	/*
	 * The counter of perf's clock is encoded as 1 (PD_TS_PERF), for any value of TS. If virtual
	 * time (TS 1) is not perf's clock, it cannot be encoded.
	 */
	if (ev->aux_clock) {
		if (!v9_etm_file(cpu, "trfcr_ts", &usual))
			usual = PD_TS_PERF;
		if (ev->aux_clock != usual)
			source = ev->aux_clock == PD_TS_PERF ? UINT64_MAX : ev->aux_clock;
	}
	word[PD_ETM_CPU_MAGIC] = PD_ETE_MAGIC;
	if ((word[PD_ETE_TRCDEVARCH] & DEVARCH_ARCHID) == DEVARCH_ETE) {
		word[PD_ETE_TS_SOURCE] = source;
	} else {
		word[PD_ETM_CPU_MAGIC] = PD_ETMV4_MAGIC;
		word[PD_ETE_TRCDEVARCH] = source;
		words--;
	}
	word[PD_ETM_CPU_PARAMS] = words - PD_ETM_CPU_WORDS;
	v9_blob_put(priv, word, words * sizeof(word[0]));
	return true;
}

/* All CPUs that have a unit, even if they are not recorded: a task can migrate to any of them. */
static void etm_info(const struct v9_event_spec *ev, struct v9_blob *priv)
{
	const int cpus = (int)sysconf(_SC_NPROCESSORS_CONF);
	uint64_t word[PD_ETM_WORDS] = { [PD_ETM_VERSION] = PD_ETM_VERSION_NOW }, n = 0;
	const size_t at = priv->len;

	v9_blob_put(priv, word, sizeof(word));
	for (int cpu = 0; cpu < cpus; cpu++)
		n += etm_cpu(ev, cpu, priv);
	word[PD_ETM_CPUS] = (uint64_t)ev->attr.a.type << 32 | n;
	memcpy(priv->data + at, word, sizeof(word));
}

/* TS of TRFCR_EL1. In a kernel at EL2 (VHE) this name accesses TRFCR_EL2. */
static void etm_registers(const struct v9_event_spec *ev, int cpu, struct v9_blob *b)
{
	struct pd_register r = {
		.cpu = (uint32_t)cpu, .encoding = V9_SYS_TRFCR_EL1, .mask = V9_TRFCR_EL1_TS,
	};
	uint64_t usual;

	if (!v9_etm_file(cpu, "trfcr_ts", &usual))
		return;
	r.value = V9_PUT(V9_TRFCR_EL1_TS, ev->aux_clock ? ev->aux_clock : usual);
	v9_blob_put(b, &r, sizeof(r));
}

static const struct v9_aux_kind kinds[] = {
	{
		.prefix = "arm_spe_",
		.with_number = true,
		.auxtrace = PD_AUXTRACE_ARM_SPE,
		.min_bytes = 8192,
		.absent = "no SPE here: the CPU lacks it or firmware keeps it, or its driver is not "
			  "loaded (modprobe v9_spe, or arm_spe_pmu; dmesg says why it refused)",
		.defaults = "ts_enable=1",
		.period = spe_period,
		.setup = spe_setup,
		.info = spe_info,
		.registers = spe_registers,
	},
	{
		.prefix = "cs_etm",
		.auxtrace = PD_AUXTRACE_CS_ETM,
		.min_bytes = 8192,
		.needs_code = true,
		.absent = "no instruction trace here: the CPU lacks ETE or firmware keeps it, or its "
			  "driver is not loaded (modprobe v9_ete, or coresight_etm4x and "
			  "coresight_trbe; dmesg says why it refused)",
		.defaults = "timestamp=1,contextid=1",
		.counts = "cycacc",
		.period = etm_period,
		.setup = etm_setup,
		.info = etm_info,
		.registers = etm_registers,
	},
};

const struct v9_aux_kind *v9_aux_find(const char *pmu)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t n = strlen(kinds[i].prefix);

		if (strncmp(pmu, kinds[i].prefix, n))
			continue;
		if (!kinds[i].with_number ? !pmu[n] :
		    pmu[n] && strspn(pmu + n, "0123456789") == strlen(pmu + n))
			return &kinds[i];
	}
	return NULL;
}
