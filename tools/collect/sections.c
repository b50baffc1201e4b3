// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sections.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static void put_string(struct v9_blob *b, const char *s)
{
	size_t len = strlen(s) + 1, pad = -len & 63;

	v9_blob_u32(b, len + pad);
	v9_blob_put(b, s, len);
	v9_blob_zero(b, pad);
}

/* ------------------------------------------------------------------ tracepoint formats */

static void put_sized_file(struct v9_blob *b, const char *path, size_t size_bytes)
{
	size_t len = 0;
	char *text = v9_read_file(path, &len);
	uint64_t n = text ? len : 0;

	v9_blob_put(b, &n, size_bytes);
	v9_blob_put(b, text, n);
	free(text);
}

static void put_tracefs_file(struct v9_blob *b, const char *file, size_t size_bytes)
{
	char *path = v9_format("%s/%s", v9_tracefs_root(), file);

	put_sized_file(b, path, size_bytes);
	free(path);
}

/* Returns true if ev[i] is the first tracepoint of its system, or @with_name, of its full name. */
static bool first_of(const struct v9_event_spec *ev, int i, bool with_name)
{
	if (!ev[i].system)
		return false;
	for (int j = 0; j < i; j++)
		if (ev[j].system && !strcmp(ev[j].system, ev[i].system) &&
		    (!with_name || !strcmp(ev[j].tracepoint, ev[i].tracepoint)))
			return false;
	return true;
}

static void put_system(struct v9_blob *b, const struct v9_event_spec *ev, int evs,
		       const char *system)
{
	size_t count_at;
	uint32_t n = 0;

	v9_blob_put(b, system, strlen(system) + 1);
	count_at = b->len;
	v9_blob_u32(b, 0);
	for (int i = 0; i < evs; i++) {
		char *file;

		if (!first_of(ev, i, true) || strcmp(ev[i].system, system))
			continue;
		file = v9_format("events/%s/%s/format", system, ev[i].tracepoint);
		put_tracefs_file(b, file, 8);
		free(file);
		n++;
	}
	memcpy(b->data + count_at, &n, sizeof(n));
}

void v9_sections_tracing(struct v9_blob *b, const struct v9_event_spec *ev, int evs)
{
	static const char head[] = PD_TRACING_MAGIC "0.6";	/* with the zero of the version */
	static const char * const pages[] = { "header_page", "header_event" };
	uint32_t systems = 0;

	for (int i = 0; i < evs; i++)
		systems += first_of(ev, i, false);
	if (!systems)
		return;
	v9_blob_put(b, head, sizeof(head));
	v9_blob_put(b, "\0", 1);		/* little-endian */
	v9_blob_put(b, &(uint8_t){ sizeof(long) }, 1);
	v9_blob_u32(b, sysconf(_SC_PAGESIZE));
	for (int i = 0; i < 2; i++) {
		char *file = v9_format("events/%s", pages[i]);

		v9_blob_put(b, pages[i], strlen(pages[i]) + 1);
		put_tracefs_file(b, file, 8);
		free(file);
	}
	v9_blob_u32(b, 0);		/* no ftrace formats */
	v9_blob_u32(b, systems);
	for (int i = 0; i < evs; i++)
		if (first_of(ev, i, false))
			put_system(b, ev, evs, ev[i].system);
	v9_blob_u32(b, 0);		/* no kallsyms: the file has build IDs */
	put_tracefs_file(b, "printk_formats", 4);
	put_tracefs_file(b, "saved_cmdlines", 8);
}

/* --------------------------------------------------------------------- the others */

struct facts {
	const struct v9_rings *r;
	const struct v9_record_counts *counts;
	struct v9_objects *objects;
	char **argv;
};

static void put_uname(struct v9_blob *b, size_t member)
{
	struct utsname uts;

	uname(&uts);
	put_string(b, (const char *)&uts + member);
}

static void hostname(struct v9_blob *b, const struct facts *f)
{
	(void)f;
	put_uname(b, offsetof(struct utsname, nodename));
}

static void osrelease(struct v9_blob *b, const struct facts *f)
{
	(void)f;
	put_uname(b, offsetof(struct utsname, release));
}

static void arch(struct v9_blob *b, const struct facts *f)
{
	(void)f;
	put_uname(b, offsetof(struct utsname, machine));
}

static void version(struct v9_blob *b, const struct facts *f)
{
	(void)f;
	put_string(b, "v9trace " V9TRACE_VERSION);
}

static void nrcpus(struct v9_blob *b, const struct facts *f)
{
	(void)f;
	v9_blob_u32(b, sysconf(_SC_NPROCESSORS_CONF));
	v9_blob_u32(b, sysconf(_SC_NPROCESSORS_ONLN));
}

/* The value of the first line of /proc/cpuinfo with @word; NULL if there is none. */
static char *cpuinfo(const char *word)
{
	char *all = v9_read_file("/proc/cpuinfo", NULL), *at, *value = NULL;

	at = all ? strstr(all, word) : NULL;
	if (at)
		at = strchr(at, ':');
	if (at)
		value = v9_format("%.*s", (int)strcspn(at + 2, "\n"), at + 2);
	free(all);
	return value;
}

/* The text of the kernel, which perf writes, too */
static char *first_midr(void)
{
	char *path = v9_format("%s/cpu0/regs/identification/midr_el1", v9_cpu_root);
	char *midr = v9_read_line(path);

	free(path);
	return midr;
}

static void cpudesc(struct v9_blob *b, const struct facts *f)
{
	char *name = cpuinfo("model name");

	(void)f;
	if (name)
		put_string(b, name);
	free(name);
}

/* On arm64 the MIDR of the first CPU, which perf's SPE decoder needs. */
static void cpuid(struct v9_blob *b, const struct facts *f)
{
	char *id = first_midr(), *vendor, *family, *model, *stepping;

	(void)f;
	if (!id) {
		vendor = cpuinfo("vendor_id");
		family = cpuinfo("cpu family");
		model = cpuinfo("model\t");
		stepping = cpuinfo("stepping");
		if (vendor && family && model && stepping)
			id = v9_format("%s-%s-%s-%s", vendor, family, model, stepping);
		free(vendor);
		free(family);
		free(model);
		free(stepping);
	}
	if (id)
		put_string(b, id);
	free(id);
}

static void total_mem(struct v9_blob *b, const struct facts *f)
{
	char *all = v9_read_file("/proc/meminfo", NULL);
	unsigned long long kib;

	(void)f;
	if (all && sscanf(all, "MemTotal: %llu", &kib) == 1)
		v9_blob_u64(b, kib);
	free(all);
}

static void cmdline(struct v9_blob *b, const struct facts *f)
{
	uint32_t n = 0;

	while (f->argv[n])
		n++;
	v9_blob_u32(b, n + 1);
	put_string(b, "v9trace");
	for (char **a = f->argv; *a; a++)
		put_string(b, *a);
}

static void pmu_mappings(struct v9_blob *b, const struct facts *f)
{
	struct dirent *entry;
	uint32_t n = 0;
	DIR *dir = opendir(v9_pmu_root);

	(void)f;
	v9_blob_zero(b, sizeof(n));	/* see below */
	while (dir && (entry = readdir(dir))) {
		char *path, *type;

		if (entry->d_name[0] == '.')
			continue;
		path = v9_format("%s/%s/type", v9_pmu_root, entry->d_name);
		type = v9_read_line(path);
		free(path);
		if (!type)
			continue;
		v9_blob_u32(b, strtoul(type, NULL, 10));
		put_string(b, entry->d_name);
		free(type);
		n++;
	}
	if (dir)
		closedir(dir);
	memcpy(b->data, &n, sizeof(n));
}

#define CPU_DIR		"/sys/devices/system/cpu"
#define NODE_DIR	"/sys/devices/system/node"

/* The different lines of topology/@file of all CPUs */
static void put_siblings(struct v9_blob *b, const char *file, long cpus)
{
	const size_t count_at = b->len;
	struct v9_blob lines = { 0 };
	uint32_t n = 0;

	v9_blob_u32(b, 0);
	for (long cpu = 0; cpu < cpus; cpu++) {
		char *path = v9_format(CPU_DIR "/cpu%ld/topology/%s", cpu, file);
		char *line = v9_read_line(path);
		bool known = false;

		for (size_t at = 0; line && at < lines.len; at += strlen((char *)lines.data + at) + 1)
			known |= !strcmp((char *)lines.data + at, line);
		if (line && !known) {
			v9_blob_put(&lines, line, strlen(line) + 1);
			put_string(b, line);
			n++;
		}
		free(line);
		free(path);
	}
	memcpy(b->data + count_at, &n, sizeof(n));
	v9_blob_free(&lines);
}

/* -1 for a CPU that is offline */
static uint32_t topology_id(long cpu, const char *file)
{
	char *path = v9_format(CPU_DIR "/cpu%ld/topology/%s", cpu, file);
	char *line = v9_read_line(path);
	const uint32_t id = line ? (uint32_t)strtol(line, NULL, 10) : UINT32_MAX;

	free(line);
	free(path);
	return id;
}

static void cpu_topology(struct v9_blob *b, const struct facts *f)
{
	const long cpus = sysconf(_SC_NPROCESSORS_CONF);

	(void)f;
	put_siblings(b, "core_siblings_list", cpus);
	put_siblings(b, "thread_siblings_list", cpus);
	for (long cpu = 0; cpu < cpus; cpu++) {
		v9_blob_u32(b, topology_id(cpu, "core_id"));
		v9_blob_u32(b, topology_id(cpu, "physical_package_id"));
	}
}

/* KiB in the line of a node's meminfo with @word */
static uint64_t node_memory(const char *meminfo, const char *word)
{
	const char *at = meminfo ? strstr(meminfo, word) : NULL;

	return at ? strtoull(at + strlen(word), NULL, 10) : 0;
}

static void numa_topology(struct v9_blob *b, const struct facts *f)
{
	struct dirent *entry;
	uint32_t n = 0;
	DIR *dir = opendir(NODE_DIR);

	(void)f;
	if (!dir)
		return;
	v9_blob_u32(b, 0);
	while ((entry = readdir(dir))) {
		char *path, *cpus, *meminfo;
		unsigned int node;

		if (sscanf(entry->d_name, "node%u", &node) != 1)
			continue;
		path = v9_format(NODE_DIR "/node%u/cpulist", node);
		cpus = v9_read_line(path);
		free(path);
		path = v9_format(NODE_DIR "/node%u/meminfo", node);
		meminfo = v9_read_file(path, NULL);
		free(path);
		if (cpus) {
			v9_blob_u32(b, node);
			v9_blob_u64(b, node_memory(meminfo, "MemTotal:"));
			v9_blob_u64(b, node_memory(meminfo, "MemFree:"));
			put_string(b, cpus);
			n++;
		}
		free(meminfo);
		free(cpus);
	}
	closedir(dir);
	memcpy(b->data, &n, sizeof(n));
}

static char *cache_file(long cpu, unsigned int index, const char *file)
{
	char *path = v9_format(CPU_DIR "/cpu%ld/cache/index%u/%s", cpu, index, file);
	char *line = v9_read_line(path);

	free(path);
	return line;
}

static void put_cache_number(struct v9_blob *b, long cpu, unsigned int index, const char *file)
{
	char *line = cache_file(cpu, index, file);

	v9_blob_u32(b, line ? (uint32_t)strtoul(line, NULL, 10) : 0);
	free(line);
}

static void put_cache_text(struct v9_blob *b, long cpu, unsigned int index, const char *file)
{
	char *line = cache_file(cpu, index, file);

	put_string(b, line ? line : "");
	free(line);
}

/* Each cache once, as that of the first CPU that has it */
static void cache(struct v9_blob *b, const struct facts *f)
{
	const long cpus = sysconf(_SC_NPROCESSORS_CONF);
	uint32_t n = 0;
	char *shared;

	(void)f;
	v9_blob_u32(b, PD_CACHE_VERSION);
	v9_blob_u32(b, 0);
	for (long cpu = 0; cpu < cpus; cpu++)
		for (unsigned int i = 0; (shared = cache_file(cpu, i, "shared_cpu_list")); i++) {
			if (strtol(shared, NULL, 10) == cpu) {
				put_cache_number(b, cpu, i, "level");
				put_cache_number(b, cpu, i, "coherency_line_size");
				put_cache_number(b, cpu, i, "number_of_sets");
				put_cache_number(b, cpu, i, "ways_of_associativity");
				put_cache_text(b, cpu, i, "type");
				put_cache_text(b, cpu, i, "size");
				put_string(b, shared);
				n++;
			}
			free(shared);
		}
	if (n)
		memcpy(b->data + sizeof(uint32_t), &n, sizeof(n));
	else
		b->len = 0;
}

/* Blocks of memory, by number, as bits. Returns how many bits there are up to the highest one. */
static uint64_t memory_blocks(const char *node, struct v9_blob *bits)
{
	struct dirent *entry;
	uint64_t most = 0;
	unsigned int block;
	DIR *dir = opendir(node);

	bits->len = 0;
	while (dir && (entry = readdir(dir))) {
		if (sscanf(entry->d_name, "memory%u", &block) != 1)
			continue;
		if (bits->len <= block / 64 * sizeof(uint64_t))
			v9_blob_zero(bits, (block / 64 + 1) * sizeof(uint64_t) - bits->len);
		((uint64_t *)bits->data)[block / 64] |= UINT64_C(1) << block % 64;
		if (block >= most)
			most = block + 1;
	}
	if (dir)
		closedir(dir);
	return most;
}

/* Which blocks of physical memory are at which node; perf c2c needs it. */
static void mem_topology(struct v9_blob *b, const struct facts *f)
{
	char *size = v9_read_line("/sys/devices/system/memory/block_size_bytes");
	struct v9_blob bits = { 0 };
	struct dirent *entry;
	uint64_t n = 0;
	DIR *dir = size ? opendir(NODE_DIR) : NULL;

	(void)f;
	if (dir) {
		v9_blob_u64(b, PD_MEM_TOPOLOGY_VERSION);
		v9_blob_u64(b, strtoull(size, NULL, 16));
		v9_blob_u64(b, 0);
	}
	while (dir && (entry = readdir(dir))) {
		unsigned int node;
		uint64_t blocks;
		char *path;

		if (sscanf(entry->d_name, "node%u", &node) != 1)
			continue;
		path = v9_format(NODE_DIR "/node%u", node);
		blocks = memory_blocks(path, &bits);
		free(path);
		v9_blob_u64(b, node);
		v9_blob_u64(b, blocks);
		v9_blob_u64(b, blocks);
		v9_blob_put(b, bits.data, bits.len);
		n++;
	}
	if (dir) {
		closedir(dir);
		memcpy(b->data + 2 * sizeof(uint64_t), &n, sizeof(n));
	}
	v9_blob_free(&bits);
	free(size);
}

static void build_ids(struct v9_blob *b, const struct facts *f)
{
	v9_objects_section(f->objects, b);
}

void v9_sections_registers(struct v9_blob *b, const struct v9_event_spec *ev, int evs)
{
	const int cpus = (int)sysconf(_SC_NPROCESSORS_CONF);
	struct pd_registers head = { .version = PD_REGISTERS_VERSION };
	struct v9_blob rows = { 0 };

	v9_aux_midrs(&rows, cpus);
	for (int i = 0; i < evs; i++)
		for (int cpu = 0; cpu < cpus && ev[i].aux; cpu++)
			if (ev[i].aux->registers)
				ev[i].aux->registers(&ev[i], cpu, &rows);
	head.count = (uint32_t)(rows.len / sizeof(struct pd_register));
	if (head.count) {
		v9_blob_put(b, &head, sizeof(head));
		v9_blob_put(b, rows.data, rows.len);
	}
	v9_blob_free(&rows);
}

static void registers(struct v9_blob *b, const struct facts *f)
{
	v9_sections_registers(b, f->r->ev, f->r->evs);
}

static void sample_time(struct v9_blob *b, const struct facts *f)
{
	if (!f->counts->last_time)
		return;
	v9_blob_u64(b, f->counts->first_time);
	v9_blob_u64(b, f->counts->last_time);
}

/* Its presence makes perf report show branches; perf writes nothing into it. */
static void branch_stack(struct v9_blob *b, const struct facts *f)
{
	for (int i = 0; i < f->r->evs && !b->len; i++)
		if (f->r->ev[i].attr.a.sample_type & PERF_SAMPLE_BRANCH_STACK)
			v9_blob_u64(b, 0);
}

static const struct {
	int bit;
	void (*put)(struct v9_blob *b, const struct facts *f);
} sections[] = {
	{ PD_BUILD_ID, build_ids },
	{ PD_HOSTNAME, hostname },
	{ PD_OSRELEASE, osrelease },
	{ PD_VERSION, version },
	{ PD_ARCH, arch },
	{ PD_NRCPUS, nrcpus },
	{ PD_CPUDESC, cpudesc },
	{ PD_CPUID, cpuid },
	{ PD_TOTAL_MEM, total_mem },
	{ PD_CMDLINE, cmdline },
	{ PD_BRANCH_STACK, branch_stack },
	{ PD_CPU_TOPOLOGY, cpu_topology },
	{ PD_NUMA_TOPOLOGY, numa_topology },
	{ PD_PMU_MAPPINGS, pmu_mappings },
	{ PD_CACHE, cache },
	{ PD_SAMPLE_TIME, sample_time },
	{ PD_MEM_TOPOLOGY, mem_topology },
	{ PD_REGISTERS, registers },
};

void v9_sections_fill(struct v9_blob s[PD_FEATURE_BITS], const struct v9_rings *r,
		      const struct v9_record_counts *counts, struct v9_objects *objects, char **argv)
{
	const struct facts f = { r, counts, objects, argv };

	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
		sections[i].put(&s[sections[i].bit], &f);
}

/* ------------------------------------------------------------------- of one of two files */

static void event_desc(struct v9_blob *b, const struct v9_writer *w)
{
	const uint32_t size = v9_writer_attr_bytes(w);
	uint32_t n = 0;

	for (int i = 0; i < w->evs; i++)
		n += v9_writer_takes(w, &w->ev[i]);
	v9_blob_u32(b, n);
	v9_blob_u32(b, size);
	for (int i = 0; i < w->evs; i++) {
		const struct v9_event_spec *ev = &w->ev[i];

		if (!v9_writer_takes(w, ev))
			continue;
		v9_blob_put(b, &ev->attr, size);
		v9_blob_u32(b, ev->insts);
		put_string(b, ev->label);
		for (int j = 0; j < ev->insts; j++)
			v9_blob_u64(b, ev->inst[j].id);
	}
}

static void auxtrace(struct v9_blob *b, const struct v9_writer *w)
{
	if (!w->index.len)
		return;
	v9_blob_u64(b, w->index.len / (2 * sizeof(uint64_t)));
	v9_blob_put(b, w->index.data, w->index.len);
}

static void compressed(struct v9_blob *b, const struct v9_writer *w)
{
	if (w->pack)
		v9_pack_section(w->pack, b);
}

void v9_sections_file(struct v9_blob s[PD_FEATURE_BITS], const struct v9_writer *w)
{
	static const struct {
		int bit;
		void (*put)(struct v9_blob *b, const struct v9_writer *w);
	} own[] = { { PD_EVENT_DESC, event_desc }, { PD_AUXTRACE, auxtrace }, { PD_COMPRESSED, compressed } };

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		s[own[i].bit].len = 0;
		own[i].put(&s[own[i].bit], w);
	}
}
