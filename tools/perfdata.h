/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The parts of the perf.data format that this project writes or reads.
 *
 *	header | attributes and their event ids | data: records | sections
 *
 * - The header is at offset 0. It has the ranges of the attributes, of the data and an obsolete
 *   one, and a bit map of optional sections. If the recorder was killed, the data size is 0: the
 *   data then extends to the end of the file.
 * - Attributes are rows of header.attr_size bytes: a struct perf_event_attr of the writer's
 *   version, then the range of the ids of that event.
 * - Data is a sequence of records, each with an 8-byte header. Records of types below 64 are as in
 *   the kernel's rings (linux/perf_event.h). Types from 64 on are those of the recorder. The
 *   AUXTRACE record is followed by its payload, which the size in its header does not include.
 * - The data is followed by one range for each bit that is set in the bit map, in ascending order.
 *   The sections are at these ranges.
 *
 * All numbers have the byte order of the machine that wrote the file. v9trace writes little-endian.
 * The structs here have no implicit padding.
 */
#ifndef V9TRACE_TOOLS_PERFDATA_H
#define V9TRACE_TOOLS_PERFDATA_H

#include <stdint.h>

#define PD_MAGIC		UINT64_C(0x32454c4946524550)	/* "PERFILE2" */
#define PD_MAGIC_SWAPPED	UINT64_C(0x50455246494c4532)	/* the same, other byte order */
#define PD_MAGIC_V1		UINT64_C(0x454c494646524550)	/* "PERFFILE": before 2009 */
#define PD_PIPE_HEADER_SIZE	16				/* header.size of a piped stream */

struct pd_range {
	uint64_t offset;
	uint64_t size;
};

#define PD_FEATURE_BITS		256

struct pd_header {
	uint64_t magic;
	uint64_t size;			/* of this struct */
	uint64_t attr_size;		/* bytes of a row: attribute and struct pd_range */
	struct pd_range attrs;
	struct pd_range data;
	struct pd_range event_types;	/* obsolete: zero */
	uint64_t features[PD_FEATURE_BITS / 64];
};

/* Optional sections. string: u32 bytes, then text, padded with zeros to a multiple of 64 bytes. */
enum pd_feature {
	PD_TRACING_DATA		= 1,	/* tracepoint formats, see below */
	PD_BUILD_ID		= 2,	/* chain of struct pd_build_id */
	PD_HOSTNAME		= 3,	/* string */
	PD_OSRELEASE		= 4,	/* string */
	PD_VERSION		= 5,	/* string: version of the recorder */
	PD_ARCH			= 6,	/* string: uname -m */
	PD_NRCPUS		= 7,	/* u32 possible, u32 online */
	PD_CPUDESC		= 8,	/* string */
	PD_CPUID		= 9,	/* string; arm64: MIDR of the first CPU, 0x%016x */
	PD_TOTAL_MEM		= 10,	/* u64 KiB */
	PD_CMDLINE		= 11,	/* u32 count, strings */
	PD_EVENT_DESC		= 12,	/* u32 count, u32 attr size; each: attr, u32 ids, name, u64 ids */
	PD_CPU_TOPOLOGY		= 13,	/* strings of sockets and of cores; each CPU: u32 core, socket */
	PD_NUMA_TOPOLOGY	= 14,	/* u32 count; each: u32 node, u64 KiB, u64 free KiB, string CPUs */
	PD_BRANCH_STACK		= 15,	/* no content that is read: there are branch stacks */
	PD_PMU_MAPPINGS		= 16,	/* u32 count; each: u32 type, string name */
	PD_GROUP_DESC		= 17,
	PD_AUXTRACE		= 18,	/* u64 count; each: u64 file offset, u64 record size */
	PD_STAT			= 19,
	PD_CACHE		= 20,	/* u32 1, u32 count; each: u32 level, line, sets, ways; strings type, size, CPUs */
	PD_SAMPLE_TIME		= 21,	/* u64 first, u64 last, ns */
	PD_MEM_TOPOLOGY		= 22,	/* u64 1, u64 block size, u64 count; each: see below */
	PD_CLOCKID		= 23,
	PD_DIR_FORMAT		= 24,
	PD_BPF_PROG_INFO	= 25,
	PD_BPF_BTF		= 26,
	PD_COMPRESSED		= 27,	/* u32 version, 1 (zstd), level, ratio, max unpacked size */
	PD_CPU_PMU_CAPS		= 28,
	PD_CLOCK_DATA		= 29,	/* u32 1, u32 clock id, u64 wall ns, u64 clock ns */
	PD_HYBRID_TOPOLOGY	= 30,
	PD_PMU_CAPS		= 31,
	PD_ANDROID_FILE		= 128,	/* simpleperf: symbols of objects, see capture/simpleperf.c */
	PD_ANDROID_FILE2	= 132,	/* simpleperf: the same as protobuf messages */
	PD_ANDROID_INIT_MAP	= 134,	/* simpleperf: records of mappings at the start */
	PD_CODE			= 240,	/* v9trace, see below; perf skips unknown sections */
	PD_REGISTERS		= 241,	/* v9trace: register values of the units; see below */
	PD_CGROUPS		= 242,	/* v9trace: control groups of threads; see below */
	PD_TWIN			= 243,	/* v9trace: the other half of a recording, a file; see struct pd_half */
	PD_COUNTS		= 244,	/* v9trace: events of the PMU that units generate; see below */
};

struct pd_event_header {
	uint32_t type;
	uint16_t misc;
	uint16_t size;			/* bytes, including this header */
};

/* Record types of the recorder. Those of the kernel are PERF_RECORD_*, below 64. */
enum pd_record {
	PD_REC_HEADER_ATTR	= 64,
	PD_REC_HEADER_EVENT_TYPE = 65,
	PD_REC_HEADER_TRACING_DATA = 66,
	PD_REC_HEADER_BUILD_ID	= 67,
	PD_REC_FINISHED_ROUND	= 68,	/* no later record is older than the previous round */
	PD_REC_ID_INDEX		= 69,
	PD_REC_AUXTRACE_INFO	= 70,
	PD_REC_AUXTRACE		= 71,
	PD_REC_AUXTRACE_ERROR	= 72,
	PD_REC_THREAD_MAP	= 73,
	PD_REC_CPU_MAP		= 74,
	PD_REC_STAT_CONFIG	= 75,
	PD_REC_STAT		= 76,
	PD_REC_STAT_ROUND	= 77,
	PD_REC_EVENT_UPDATE	= 78,
	PD_REC_TIME_CONV	= 79,
	PD_REC_HEADER_FEATURE	= 80,
	PD_REC_COMPRESSED	= 81,
	PD_REC_FINISHED_INIT	= 82,
	PD_REC_COMPRESSED2	= 83,
};

/*
 * Record types of simpleperf. Their size has 32 bits: misc is its upper half. A record of more than
 * 65535 bytes is in the file as several SPLIT records with its bytes, followed by a SPLIT_END.
 */
enum pd_android_record {
	PD_ANDROID_KERNEL_SYMBOL = 32769,	/* u32 size, text of kallsyms */
	PD_ANDROID_SPLIT	= 32772,
	PD_ANDROID_SPLIT_END	= 32773,
};

#define PD_AUXTRACE_CS_ETM	3
#define PD_AUXTRACE_ARM_SPE	4

struct pd_auxtrace_info {
	struct pd_event_header header;
	uint32_t type;			/* PD_AUXTRACE_* */
	uint32_t reserved;
	uint64_t priv[];
};

/*
 * priv[] of ARM_SPE. Version 1 (perf before 6.13) has two words: the PMU type, and whether the
 * buffers are per CPU. It has no version number and is identified by its length. Version 2 has a
 * header, which contains its own number of words, then one block for each CPU. The third word of a
 * block is the number of words after it.
 */
#define PD_SPE_V1_WORDS		2
#define PD_SPE_V1_PMU_TYPE	0
#define PD_SPE_V1_PER_CPU	1

#define PD_SPE_V2_VERSION	0	/* 2 */
#define PD_SPE_V2_HEADER_WORDS	1	/* words of this header, including this one: 4 */
#define PD_SPE_V2_PMU_TYPE	2
#define PD_SPE_V2_CPUS		3
#define PD_SPE_V2_WORDS		4

/* simpleperf (Android 17): a header that begins with 1, then blocks of fixed size, no count */
#define PD_SPE_ANDROID_VERSION	0	/* 1 */
#define PD_SPE_ANDROID_CPUS	1	/* PMU type << 32 | number of blocks */
#define PD_SPE_ANDROID_SNAPSHOT	2
#define PD_SPE_ANDROID_WORDS	3

#define PD_SPE_ANDROID_CPU_MIN_INTERVAL	2
#define PD_SPE_ANDROID_CPU_MIDR		3
#define PD_SPE_ANDROID_CPU_ENABLED	4
#define PD_SPE_ANDROID_CPU_WORDS	5

#define PD_SPE_CPU_MAGIC	0	/* PD_SPE_CPU_MAGIC_VALUE */
#define PD_SPE_CPU_NUMBER	1
#define PD_SPE_CPU_PARAMS	2	/* number of words after this one */
#define PD_SPE_CPU_MIDR		3
#define PD_SPE_CPU_PMU_TYPE	4
#define PD_SPE_CPU_MIN_INTERVAL	5
#define PD_SPE_CPU_WORDS	6
#define PD_SPE_CPU_MAGIC_VALUE	UINT64_C(0x1010101010101010)

/*
 * priv[] of CS_ETM: a header, then one block for each CPU. The third word of a block is the number
 * of words after it; in version 0 a block has no such word. Version 2 is version 1, except that
 * trace IDs are in AUX_OUTPUT_HW_ID records.
 */
#define PD_ETM_VERSION		0
#define PD_ETM_VERSION_NOW	2	/* current version in perf */
#define PD_ETM_CPUS		1	/* PMU type << 32 | number of blocks */
#define PD_ETM_SNAPSHOT		2
#define PD_ETM_WORDS		3

#define PD_ETM_CPU_MAGIC	0
#define PD_ETM_CPU_NUMBER	1
#define PD_ETM_CPU_PARAMS	2	/* number of words after this one */
#define PD_ETM_CPU_WORDS	3
#define PD_ETMV3_MAGIC		UINT64_C(0x3030303030303030)
#define PD_ETMV4_MAGIC		UINT64_C(0x4040404040404040)
#define PD_ETE_MAGIC		UINT64_C(0x5050505050505050)

/* Words of a block of ETE. A block of ETMv4 begins with the same words, up to TRCAUTHSTATUS. */
enum pd_ete_word {
	PD_ETE_TRCCONFIGR = PD_ETM_CPU_WORDS,
	PD_ETE_TRCTRACEIDR,
	PD_ETE_TRCIDR0,
	PD_ETE_TRCIDR1,
	PD_ETE_TRCIDR2,
	PD_ETE_TRCIDR8,
	PD_ETE_TRCAUTHSTATUS,
	PD_ETE_TRCDEVARCH,		/* ETMv4: source of timestamps, as PD_ETE_TS_SOURCE */
	PD_ETE_TS_SOURCE,		/* PD_TS_PERF; else TS of TRFCR_EL1; -1: unknown */
	PD_ETE_WORDS
};

/* Flags of AUX records of cs_etm. RAW: trace of one unit, without CoreSight frames. */
#define PD_AUX_FLAG_RAW		UINT64_C(0x0100)
#define PD_AUX_FLAG_FORMAT	UINT64_C(0xff00)

/*
 * A chunk of AUX data. @offset is relative to the start of the AUX stream of this AUX area. Modulo
 * the size of the area, a power of two, it is the position in the area. perf rounds @size up to a
 * multiple of 8 with zero bytes that are not part of the stream.
 */
struct pd_auxtrace {
	struct pd_event_header header;	/* header.size: bytes of this struct, without the payload */
	uint64_t size;			/* bytes of the payload after this struct */
	uint64_t offset;
	uint64_t reference;
	uint32_t idx;
	uint32_t tid;			/* ~0: AUX area of a CPU */
	uint32_t cpu;			/* ~0: AUX area of a thread */
	uint32_t info;			/* number of its AUXTRACE_INFO, from 1; 0: the only one */
};

/* An error of a trace. v9trace writes only those with the codes below. */
struct pd_auxtrace_error {
	struct pd_event_header header;
	uint32_t type;			/* PD_ERROR_TRACE */
	uint32_t code;			/* error code of the decoder, or PD_ERROR_* */
	uint32_t cpu;
	uint32_t pid, tid;		/* ~0: unknown */
	uint32_t format;		/* 0: @time is not valid */
	uint64_t ip;			/* PD_ERROR_*: duration, at most, in ns */
	uint64_t time;
	char message[64];
};

#define PD_ERROR_TRACE		1
/* The CPU was not recorded for some time: it was offline, or came online after the start. */
#define PD_ERROR_CPU_AWAY	0x7639
/* No CPU was recorded for some time: the recorder had closed its events (v9trace pause). .cpu: ~0 */
#define PD_ERROR_PAUSED		0x763a

/*
 * Conversion of counter values (CNTVCT) to perf's time in ns:
 *	c = cycles + ((count - cycles) & mask)		if short_valid, else count
 *	ns = zero + c * mult / 2^shift			with the full product
 * Records of old files end before @cycles. zero_valid is then implied.
 */
struct pd_time_conv {
	struct pd_event_header header;
	uint64_t shift;
	uint64_t mult;
	uint64_t zero;
	uint64_t cycles;
	uint64_t mask;
	uint8_t zero_valid;
	uint8_t short_valid;
	uint8_t reserved[6];
};

#define PD_BUILD_ID_SIZE_VALID	(1u << 15)	/* misc: id_size is valid */

struct pd_build_id {
	struct pd_event_header header;	/* header.misc: CPU mode of the object */
	uint32_t pid;			/* ~0: the host */
	uint8_t id[20];
	uint8_t id_size;
	uint8_t reserved[3];
	char name[];			/* zero-terminated, padded to 8 bytes */
};

/*
 * Uprobes of v9trace record --heap: tracepoints FUNCTION and FUNCTION_return of a system with this name and
 * the PID of the recorder. Fields of FUNCTION: sp, caller, caller2, caller3 (return addresses, innermost
 * first) and, of its arguments, old (address of a block to free), n, size, out (address of the variable that
 * gets the result); of FUNCTION_return: sp, result, stack (bytes from sp on).
 */
#define PD_HEAP_SYSTEM	"v9trace_heap_"
#define PD_HEAP_RETURN	"_return"

/*
 * PD_CODE: code that is in no file, and its symbols. A header, followed by parts, each padded to 8
 * bytes. A reader skips parts of an unknown kind.
 */
struct pd_code {
	uint32_t version;		/* PD_CODE_VERSION */
	uint32_t parts;
};

#define PD_CODE_VERSION		1

enum pd_code_kind {
	PD_CODE_VDSO		= 1,	/* ELF file: the vDSO of 64-bit programs */
	PD_CODE_KERNEL		= 2,	/* kernel code at @addr, read at the end of the recording */
	PD_CODE_KALLSYMS	= 3,	/* text: lines of /proc/kallsyms: functions; SPE: variables, too */
	PD_CODE_MODULES		= 4,	/* text: /proc/modules */
	PD_CODE_CHANGED		= 5,	/* struct pd_code_change[], by ascending address */
	PD_CODE_NO_KERNEL	= 6,	/* text: reason why the recorded kernel's code is missing */
	PD_CODE_FILE		= 7,	/* ELF file that only a container has, see below */
	PD_CODE_JITDUMP		= 8,	/* jitdump of a process */
	PD_CODE_PERF_MAP	= 9,	/* text: /tmp/perf-PID.map of a process */
	PD_CODE_CLOCKS		= 10,	/* struct pd_clock[], by ascending time */
	PD_CODE_BPF		= 11,	/* struct pd_bpf, then code of a BPF program at @addr */
	/* What the kernel maps into 32-bit programs */
	PD_CODE_VDSO32		= 12,	/* ELF file: their vDSO */
	PD_CODE_SIGPAGE		= 13,	/* returns from signal handlers */
	PD_CODE_VECTORS		= 14,	/* helpers at 0xffff0000 */
};

struct pd_code_part {
	uint32_t kind;			/* enum pd_code_kind */
	uint32_t packed;		/* 1: compressed with zstd; 0: not compressed */
	uint64_t addr;			/* KERNEL: virtual address; FILE: pd_id_key(); else 0
					   JITDUMP, PERF_MAP: process, as perf numbers it;
					   BPF: virtual address */
	uint64_t size;			/* uncompressed bytes */
	uint64_t stored;		/* bytes after this struct, without padding */
};

/* A moment in two clocks. Jitdumps have times of CLOCK_MONOTONIC. */
struct pd_clock {
	uint64_t count;			/* CNTVCT, see struct pd_time_conv */
	uint64_t monotonic;		/* CLOCK_MONOTONIC, ns */
};

/* Where a BPF program has several functions, each has a part. */
struct pd_bpf {
	uint64_t time;			/* of its BPF_EVENT record, ns; 0: it was there at the start */
	uint32_t id;			/* of the program */
	uint32_t reserved;
};

/* Limits of a part and of all parts together, in bytes before compression */
#define PD_CODE_PART_MAX	(UINT64_C(64) << 20)
#define PD_CODE_ALL_MAX		(UINT64_C(256) << 20)

/* The first bytes of a file's build-id, by which a reader finds it without decompressing others */
static inline uint64_t pd_id_key(const uint8_t *id, unsigned int size)
{
	uint64_t key = 0;

	for (unsigned int i = 0; i < 8 && i < size; i++)
		key |= (uint64_t)id[i] << (8 * i);
	return key;
}

/* An instruction that the kernel changed between the start and the end of the recording. */
struct pd_code_change {
	uint64_t addr;
	uint32_t before, after;
};

/*
 * Bits of attr.config2 of v9_ete: the option "trigger". perf puts the number of a sink there, too,
 * but only v9_ete has buffers that are overwritten.
 */
#define PD_ETE_TRIGGER		3

#define PD_TS_PERF		1	/* the counter of perf's clock */

#define PD_CACHE_VERSION	1

/*
 * PD_MEM_TOPOLOGY, for each node: u64 node, u64 number of blocks, the same again, and a bit for each
 * block of physical memory that is at this node, in words of 64 bits.
 */
#define PD_MEM_TOPOLOGY_VERSION	1

/*
 * PD_REGISTERS: fields of registers that perf's metadata does not have. A header, then @count struct
 * pd_register: MIDR_EL1 of each CPU, which the metadata of SPE has and that of ETE lacks; then, for each
 * event, TRFCR_EL1 or PMSIRR_EL1 and PMSIDR_EL1 of each CPU.
 */
struct pd_registers {
	uint32_t version;		/* PD_REGISTERS_VERSION */
	uint32_t count;
};

#define PD_REGISTERS_VERSION	1
#define PD_MIDR_EL1		(3u << 19)	/* S3_0_C0_C0_0, see struct pd_register */

struct pd_register {
	uint32_t cpu;
	uint32_t encoding;		/* op0 << 19 | op1 << 16 | CRn << 12 | CRm << 8 | op2 << 5 */
	uint64_t mask;			/* bits of @value that are known */
	uint64_t value;
};

/*
 * PD_CGROUPS: control groups of threads as the recorder read them in /proc, because a trace has no
 * samples that say them. A header, then @count struct pd_cgroup.
 */
struct pd_cgroups {
	uint32_t version;		/* PD_CGROUPS_VERSION */
	uint32_t count;
};

#define PD_CGROUPS_VERSION	1

struct pd_cgroup {
	uint64_t time;			/* of perf's clock, ns, from which on it is valid; 0: the begin */
	uint64_t id;			/* as in PERF_RECORD_CGROUP */
	uint32_t pid, tid;
};

/*
 * PD_COUNTS: what the PMU counted of the units while they were recorded (record --check). A header, then @count
 * struct pd_count.
 */
struct pd_counts {
	uint32_t version;		/* PD_COUNTS_VERSION */
	uint32_t count;
	uint64_t starts;		/* of the units, at most: each can begin an interval anew */
	uint64_t edges;			/* starts and stops of counters while a unit may have run, at most */
	uint64_t interval;		/* SPE: PMSIRR_EL1.INTERVAL in operations; 0: not known */
	uint64_t missing;		/* bytes of trace that are not in the file */
	uint32_t filters;		/* SPE: PD_FILTER_* */
	uint32_t flags;			/* PD_COUNTS_*, below */
};

#define PD_COUNTS_VERSION	1
#define PD_COUNTS_KERNEL	1u	/* the kernel was recorded, too */
#define PD_COUNTS_AWAY		2u	/* counters or units were not there for some time: a CPU was offline, a pause */
#define PD_COUNTS_DISCARD	4u	/* SPE: records were counted and not written */
#define PD_COUNTS_SIDE		8u	/* SPE: user space alone was recorded, or the kernel */

/* Filters of SPE: PMSFCR_EL1.FT, FE or FnE, FL, FDS */
#define PD_FILTER_TYPE		1u
#define PD_FILTER_EVENT		2u
#define PD_FILTER_LATENCY	4u
#define PD_FILTER_SOURCE	8u

struct pd_count {
	uint32_t event;			/* number of the PMU event */
	uint32_t state;			/* enum pd_count_state */
	uint64_t value;			/* sum of all CPUs and tasks; 0 unless PD_COUNT_COUNTED */
};

enum pd_count_state {
	PD_COUNT_COUNTED,
	PD_COUNT_ABSENT,		/* a CPU's PMU does not have it */
	PD_COUNT_NO_COUNTER,		/* a CPU's PMU has too few counters */
	PD_COUNT_SHARED,		/* not counted all the time: others used the counters */
	PD_COUNT_REFUSED,		/* the kernel did not open it, or it could not be read */
};

/*
 * perf reads no file with AUX data of two units. So a recording of SPE and ETE has two files, halves: one
 * has the events and the AUX data of ETE, the other one, PD_TWIN_SUFFIX behind its name, those of SPE. Both
 * have all other records and the same sections, but the collector leaves the kernel's code out of that of SPE.
 * In each, this struct follows the attributes, before the data, where no reader looks. So the file of a
 * recorder that was killed has it, too.
 *
 * A finished half has the section PD_TWIN, which is empty, and its range zero. v9trace join appends the other
 * half, all bytes of that file, and writes the range of these.
 */
struct pd_half {
	uint64_t magic;			/* PD_HALF_MAGIC */
	uint32_t unit;			/* PD_AUXTRACE_* of its AUX data: CS_ETM or ARM_SPE */
	uint32_t reserved;
	uint8_t session[16];		/* random; the same in both halves */
	char twin[256];			/* name of the other file while it was recorded, without directory */
};

#define PD_HALF_MAGIC		UINT64_C(0x666c616843415254)	/* "TRAChalf" */
#define PD_TWIN_SUFFIX		".spe"

/*
 * PD_TRACING_DATA, in this order:
 *
 * - bytes 17 08 44 (hexadecimal) and "tracing"; version as a C string; u8: 1 if big-endian;
 *   u8 sizeof(long); u32 page size
 * - "header_page" and "header_event" as C strings, each followed by u64 size and text
 * - u32 count of ftrace formats, each u64 size and text
 * - u32 count of systems, each a C string, u32 count of formats, each u64 size and text
 * - u32 size and kallsyms; u32 size and printk formats
 * - from version 0.6 on: u64 size and saved command lines
 */
#define PD_TRACING_MAGIC	"\x17\x08\x44tracing"

/* header.misc of records of a mapping or a sample. */
#define PD_CPUMODE_MASK		7u
#define PD_CPUMODE_KERNEL	1u
#define PD_CPUMODE_USER		2u

#endif
