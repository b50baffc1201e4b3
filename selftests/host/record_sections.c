// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sections behind the records of a capture, byte for byte: what they say of the machine, the events and the
 * formats of tracepoints. Files of /proc, /sys and tracefs are below a directory that the test makes. The machine has
 * 4 CPUs, of which 3 are online.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "descriptors.h"
#include "tap.h"

#define BELOW "/tmp/v9sections.XXXXXX"
#include "below.h"

static int fake_uname(struct utsname *u)
{
	strcpy(u->sysname, "Linux");
	strcpy(u->nodename, "host");
	strcpy(u->release, "6.12-test");
	strcpy(u->machine, "aarch64");
	return 0;
}

static long fake_sysconf(int what)
{
	return what == _SC_NPROCESSORS_CONF ? 4 : what == _SC_NPROCESSORS_ONLN ? 3 : what == _SC_PAGESIZE ? 16384 : -1;
}

#define opendir(path) opendir_below(path)
#define v9_read_file(path, size) file_below(path, size)
#define v9_read_line(path) line_below(path)
#define uname(u) fake_uname(u)
#define sysconf(what) fake_sysconf(what)
#include "../../tools/collect/sections.c"
#undef opendir
#undef v9_read_file
#undef v9_read_line
#undef uname
#undef sysconf

const char *v9_pmu_root = "/pmu", *v9_cpu_root = "/cpu";

const char *v9_tracefs_root(void)
{
	return "/tracing";
}

void v9_objects_section(struct v9_objects *objects, struct v9_blob *b)
{
	v9_blob_u32(b, (uint32_t)objects->n);
}

static int midrs;

void v9_aux_midrs(struct v9_blob *b, int cpus)
{
	const struct pd_register r = { .cpu = (uint32_t)cpus, .value = 0x410fd850 };

	if (midrs)
		v9_blob_put(b, &r, sizeof(r));
}

uint32_t v9_writer_attr_bytes(const struct v9_writer *w)
{
	(void)w;
	return 16;
}

void v9_pack_section(const struct v9_pack *p, struct v9_blob *b)
{
	(void)p;
	v9_blob_u32(b, 77);
}

/*
 * Compares a section with what its format has: u and a 32-bit number, q and a 64-bit one, s and a text as perf writes
 * it (its length with padding to 64 bytes), z and a text with its zero, b and a text without. Empties the section.
 */
static void is(struct v9_blob *b, const char *name, const char *format, ...)
{
	struct v9_blob want = { 0 };
	va_list ap;

	va_start(ap, format);
	for (; *format; format++) {
		const char *s;
		size_t len;

		switch (*format) {
		case 'u':
			v9_blob_u32(&want, va_arg(ap, unsigned int));
			break;
		case 'q':
			v9_blob_u64(&want, va_arg(ap, unsigned long long));
			break;
		default:
			s = va_arg(ap, const char *);
			len = strlen(s) + (*format != 'b');
			if (*format == 's')
				v9_blob_u32(&want, (uint32_t)((len + 63) / 64 * 64));
			v9_blob_put(&want, s, len);
			if (*format == 's')
				v9_blob_zero(&want, (len + 63) / 64 * 64 - len);
		}
	}
	va_end(ap);
	if (!tap_ok(b->len == want.len && (!b->len || !memcmp(b->data, want.data, b->len)), "%s", name)) {
		printf("# %s:", name);
		for (size_t i = 0; i < b->len; i++)
			printf(" %02x", b->data[i]);
		printf("\n# not:");
		for (size_t i = 0; i < want.len; i++)
			printf(" %02x", want.data[i]);
		printf("\n");
	}
	v9_blob_free(&want);
	v9_blob_free(b);
}

static struct v9_blob s[PD_FEATURE_BITS];
static struct v9_rings rings;
static struct v9_record_counts counts;
static struct v9_objects objects = { .n = 3 };

static void fill(char **argv)
{
	v9_sections_fill(s, &rings, &counts, &objects, argv);
}

static void drop(void)
{
	for (int i = 0; i < PD_FEATURE_BITS; i++)
		v9_blob_free(&s[i]);
}

/* A machine of which nothing is known */
static void test_nothing(void)
{
	char *argv[] = { NULL };
	int filled = 0;

	fill(argv);
	is(&s[PD_BUILD_ID], "build_ids", "u", 3);
	is(&s[PD_HOSTNAME], "hostname", "s", "host");
	is(&s[PD_OSRELEASE], "osrelease", "s", "6.12-test");
	is(&s[PD_VERSION], "version", "s", "v9trace " V9TRACE_VERSION);
	is(&s[PD_ARCH], "arch", "s", "aarch64");
	is(&s[PD_NRCPUS], "nrcpus", "uu", 4, 3);
	is(&s[PD_CMDLINE], "no_arguments", "us", 1, "v9trace");
	is(&s[PD_PMU_MAPPINGS], "no_pmus", "u", 0);
	is(&s[PD_CPU_TOPOLOGY], "no_topology", "uuuuuuuuuu", 0, 0, -1, -1, -1, -1, -1, -1, -1, -1);
	for (int i = 0; i < PD_FEATURE_BITS; i++)
		filled += s[i].len != 0;
	tap_eq(filled, 0, "no_other_section");
	drop();
}

static void test_machine(void)
{
	/* 63 characters and the zero are no padding, one more is a whole row of it. */
	static char full[] = "123456789012345678901234567890123456789012345678901234567890123", more[] =
		"1234567890123456789012345678901234567890123456789012345678901234";
	char *argv[] = { "record", full, more, NULL }, *cpu;
	struct v9_event_spec ev[2] = { { .attr.a.sample_type = PERF_SAMPLE_TIME },
				       { .attr.a.sample_type = PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_TIME } };

	put_below("/proc/cpuinfo",
		"processor\t: 0\nvendor_id\t: GenuineX\ncpu family\t: 6\nmodel\t\t: 85\nmodel name\t: X CPU @ 2GHz\n"
	     "stepping\t: 7\nprocessor\t: 1\nmodel name\t: other\n");
	put_below("/proc/meminfo", "MemTotal:       5000000000 kB\nMemFree: 1 kB\n");
	put_below("/pmu/cpu/type", "4\n");
	put_below("/pmu/nothing/x", "");
	counts.first_time = 5;
	counts.last_time = 1ull << 40;
	rings = (struct v9_rings){ .ev = ev, .evs = 2 };
	fill(argv);
	is(&s[PD_CMDLINE], "arguments", "ussss", 4, "v9trace", "record", full, more);
	is(&s[PD_CPUDESC], "cpudesc", "s", "X CPU @ 2GHz");
	is(&s[PD_CPUID], "cpuid", "s", "GenuineX-6-85-7");
	is(&s[PD_TOTAL_MEM], "total_mem", "q", 5000000000ull);
	is(&s[PD_PMU_MAPPINGS], "pmu_mappings", "uus", 1, 4, "cpu");
	is(&s[PD_SAMPLE_TIME], "sample_time", "qq", 5ull, 1ull << 40);
	is(&s[PD_BRANCH_STACK], "branch_stack", "q", 0ull);
	drop();
	/* perf's text of MIDR_EL1 comes first; without one of the four words there is none. */
	put_below("/cpu/cpu0/regs/identification/midr_el1", "0x00000000410fd850\n");
	rings.evs = 1;
	fill(argv);
	is(&s[PD_CPUID], "midr", "s", "0x00000000410fd850");
	is(&s[PD_BRANCH_STACK], "no_branch_stack", "");
	drop();
	cpu = below("/cpu");
	tap_remove(cpu);
	free(cpu);
	put_below("/proc/cpuinfo", "vendor_id\t: GenuineX\ncpu family\t: 6\nmodel\t\t: 85\nmodel name\t: X CPU @ 2GHz\n");
	put_below("/proc/meminfo", "MemFree: 1 kB\n");
	rings.evs = 0;
	fill(argv);
	is(&s[PD_CPUID], "no_stepping", "");
	is(&s[PD_TOTAL_MEM], "no_total", "");
	drop();
	counts = (struct v9_record_counts){ 0 };
}

static void cpu_file(int cpu, const char *name, const char *text)
{
	char *path = v9_format("/sys/devices/system/cpu/cpu%d/%s", cpu, name);

	put_below(path, text);
	free(path);
}

/* CPUs 0 and 1 are a core, 2 another one of the same package; 3 is offline. */
static void test_topology(void)
{
	char *argv[] = { NULL };

	for (int cpu = 0; cpu < 3; cpu++) {
		cpu_file(cpu, "topology/core_siblings_list", "0-2\n");
		cpu_file(cpu, "topology/thread_siblings_list", cpu < 2 ? "0-1\n" : "2\n");
		cpu_file(cpu, "topology/core_id", cpu < 2 ? "5\n" : "6\n");
		cpu_file(cpu, "topology/physical_package_id", "-1\n");
		cpu_file(cpu, "cache/index0/shared_cpu_list", cpu < 2 ? "0-1\n" : "2\n");
		cpu_file(cpu, "cache/index1/shared_cpu_list", "0-2\n");
		cpu_file(cpu, "cache/index3/shared_cpu_list", "2\n");	/* behind a gap */
	}
	cpu_file(0, "cache/index0/level", "1\n");
	cpu_file(0, "cache/index0/coherency_line_size", "64\n");
	cpu_file(0, "cache/index0/number_of_sets", "256\n");
	cpu_file(0, "cache/index0/ways_of_associativity", "4\n");
	cpu_file(0, "cache/index0/type", "Data\n");
	cpu_file(0, "cache/index0/size", "64K\n");
	cpu_file(0, "cache/index1/level", "2\n");
	cpu_file(2, "cache/index0/level", "1\n");
	cpu_file(2, "cache/index0/type", "Instruction\n");
	fill(argv);
	is(&s[PD_CPU_TOPOLOGY], "topology", "usussuuuuuuuu", 1, "0-2", 2, "0-1", "2", 5, -1, 5, -1, 6, -1, -1, -1);
	is(&s[PD_CACHE], "cache", "uuuuuusssuuuusssuuuusss", 1, 3, 1, 64, 256, 4, "Data", "64K", "0-1", 2, 0, 0, 0, "", "",
		"0-2",
	   1, 0, 0, 0, "Instruction", "", "2");
	drop();
}

static void test_nodes(void)
{
	char *argv[] = { NULL }, *node8;
	const struct v9_blob *b = &s[PD_MEM_TOPOLOGY];
	const uint64_t *word;
	int one, other;

	/* "nodes" has no number; "possible" is a file. */
	put_below("/sys/devices/system/node/possible", "0-1\n");
	put_below("/sys/devices/system/node/node7/cpulist", "0-2\n");
	put_below("/sys/devices/system/node/node7/meminfo", "Node 7 MemTotal:  6000000000 kB\nNode 7 MemFree:  12 kB\n");
	put_below("/sys/devices/system/node/node8/distance", "10\n");	/* no list of CPUs */
	fill(argv);
	is(&s[PD_NUMA_TOPOLOGY], "numa", "uuqqs", 1, 7, 6000000000ull, 12ull, "0-2");
	is(&s[PD_MEM_TOPOLOGY], "no_blocks", "");
	drop();
	put_below("/sys/devices/system/memory/block_size_bytes", "8000000\n");
	put_below("/sys/devices/system/node/node7/memory0/state", "");
	put_below("/sys/devices/system/node/node7/memory63/state", "");
	put_below("/sys/devices/system/node/node7/memory64/state", "");
	put_below("/sys/devices/system/node/node7/memory200/state", "");
	put_below("/sys/devices/system/node/node7/memory3/state", "");
	node8 = below("/sys/devices/system/node/node8");
	tap_remove(node8);
	free(node8);
	fill(argv);
	is(&s[PD_MEM_TOPOLOGY], "blocks", "qqqqqqqqqq", 1ull, 0x8000000ull, 1ull, 7ull, 201ull, 201ull, 1ull << 63 | 9,
		1ull, 0ull,
	   1ull << 8);
	drop();
	/* Two nodes: bits of one are not in the other; in any order */
	put_below("/sys/devices/system/node/node0/memory1/state", "");
	put_below("/sys/devices/system/node/node0/cpulist", "3\n");
	fill(argv);
	tap_eq(b->len, (3 + 4 + 7) * 8, "two_nodes");
	word = (const uint64_t *)b->data;
	one = word[3] ? 3 + 7 : 3;
	other = word[3] ? 3 : 3 + 4;
	tap_eq(word[2], 2, "number_of_nodes");
	tap_ok(word[one] == 0 && word[one + 1] == 2 && word[one + 2] == 2 && word[one + 3] == 2, "small_node");
	tap_ok(word[other] == 7 && word[other + 1] == 201 && word[other + 3] == (1ull << 63 | 9), "large_node");
	tap_eq(*(uint32_t *)s[PD_NUMA_TOPOLOGY].data, 2, "two_numa_nodes");
	drop();
}

static void test_tracing(void)
{
	struct v9_event_spec ev[] = {
		{ .system = NULL }, { .system = "sched", .tracepoint = "sched_switch" }, { .system = "irq", .tracepoint = "entry" },
		{ .system = "sched", .tracepoint = "sched_waking" }, { .system = "sched", .tracepoint = "sched_switch" },
		{ .system = "irq", .tracepoint = "sched_switch" },
	};
	struct v9_blob b = { 0 };

	v9_sections_tracing(&b, ev, 1);
	is(&b, "no_tracepoint", "");
	v9_sections_tracing(&b, ev, 2);
	is(&b, "no_files", "zzbuzqzquuzuquuq", PD_TRACING_MAGIC "0.6", "", "\10", 16384, "header_page", 0ull,
		"header_event", 0ull,
	   0, 1, "sched", 1, 0ull, 0, 0, 0ull);
	put_below("/tracing/events/header_page", "page");
	put_below("/tracing/events/header_event", "event\n");
	put_below("/tracing/events/sched/sched_switch/format", "switch");
	put_below("/tracing/events/sched/sched_waking/format", "a waking");
	put_below("/tracing/events/irq/entry/format", "entry!!");
	put_below("/tracing/events/irq/sched_switch/format", "i");
	put_below("/tracing/printk_formats", "printk\n");
	put_below("/tracing/saved_cmdlines", "1 a\n");
	v9_sections_tracing(&b, ev, 6);
	is(&b, "tracing", "zzbuzqbzqbuuzuqbqbzuqbqbuubqb", PD_TRACING_MAGIC "0.6", "", "\10", 16384, "header_page", 4ull,
		"page",
	   "header_event", 6ull, "event\n", 0, 2, "sched", 2, 6ull, "switch", 8ull, "a waking", "irq", 2, 7ull, "entry!!",
		1ull, "i",
	   0, 7, "printk\n", 4ull, "1 a\n");
}

static void info_registers(const struct v9_event_spec *ev, int cpu, struct v9_blob *b)
{
	const struct pd_register r = { .cpu = (uint32_t)cpu, .value = ev->attr.a.type };

	if (cpu < 2)
		v9_blob_put(b, &r, sizeof(r));
}

static void test_registers(void)
{
	static const struct v9_aux_kind kind = { .registers = info_registers }, none = { .registers = NULL };
	struct v9_event_spec ev[3] = { { .attr.a.type = 5 }, { .aux = &none }, { .aux = &kind, .attr.a.type = 9 } };
	struct pd_register r[4];
	struct v9_blob b = { 0 };

	v9_sections_registers(&b, ev, 2);
	is(&b, "no_registers", "");
	midrs = 1;
	v9_sections_registers(&b, ev, 3);
	tap_eq(b.len, sizeof(struct pd_registers) + 3 * sizeof(r[0]), "registers_size");
	tap_ok(((struct pd_registers *)b.data)->version == PD_REGISTERS_VERSION && ((struct pd_registers *)b.data)->count == 3,
	       "registers_head");
	memcpy(r, b.data + sizeof(struct pd_registers), 3 * sizeof(r[0]));
	tap_ok(r[0].cpu == 4 && r[0].value == 0x410fd850 && !r[1].cpu && r[1].value == 9 && r[2].cpu == 1 && r[2].value == 9,
	       "registers");
	v9_blob_free(&b);
}

static void test_file(void)
{
	static const struct v9_aux_kind spe = { .auxtrace = PD_AUXTRACE_ARM_SPE }, ete = { .auxtrace = PD_AUXTRACE_CS_ETM };
	struct v9_instance inst[3] = { { .id = 10 }, { .id = 1ull << 40 }, { .id = 12 } };
	struct v9_event_spec ev[3] = {
		{ .label = "side", .inst = inst, .insts = 2, .attr.a = { .type = 1, .size = 128, .config = 9 } },
		{ .label = "spe", .aux = &spe, .inst = inst + 2, .insts = 1, .attr.a = { .type = 11, .size = 128, .config = 3 } },
		{ .label = "ete", .aux = &ete, .attr.a = { .type = 12, .size = 128 } },
	};
	struct v9_writer w = { .ev = ev, .evs = 3 };

	v9_blob_u32(&s[PD_AUXTRACE], 1);	/* of the other file */
	v9_blob_u32(&s[PD_COMPRESSED], 1);
	v9_blob_u32(&s[PD_EVENT_DESC], 1);
	v9_sections_file(s, &w);
	is(&s[PD_EVENT_DESC], "events", "uuuuqusqquuqusquuqus", 3, 16, 1, 128, 9ull, 2, "side", 10ull, 1ull << 40, 11, 128,
		3ull, 1,
	   "spe", 12ull, 12, 128, 0ull, 0, "ete");
	is(&s[PD_AUXTRACE], "no_index", "");
	is(&s[PD_COMPRESSED], "not_packed", "");
	/* The half of SPE */
	w.half.magic = PD_HALF_MAGIC;
	w.half.unit = PD_AUXTRACE_ARM_SPE;
	w.pack = (struct v9_pack *)&w;
	for (uint64_t i = 1; i <= 4; i++)
		v9_blob_u64(&w.index, i);
	v9_sections_file(s, &w);
	is(&s[PD_EVENT_DESC], "events_of_spe", "uuuuqusqquuqusq", 2, 16, 1, 128, 9ull, 2, "side", 10ull, 1ull << 40, 11,
		128, 3ull, 1,
	   "spe", 12ull);
	is(&s[PD_AUXTRACE], "index", "qqqqq", 2ull, 1ull, 2ull, 3ull, 4ull);
	is(&s[PD_COMPRESSED], "packed", "u", 77);
	v9_blob_free(&w.index);
}

int main(void)
{
	const int open_before = descriptors();

	if (!mkdtemp(root))
		return 1;
	test_nothing();
	test_machine();
	test_topology();
	test_nodes();
	test_tracing();
	test_registers();
	test_file();
	tap_eq(descriptors(), open_before, "all_is_closed");
	tap_remove(root);
	return tap_done();
}
