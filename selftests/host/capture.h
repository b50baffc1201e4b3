/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A perf.data writer for tests, independent of v9trace record. It does not check its input, so that
 * tests can write invalid files.
 *
 *	cap_open(&c, CAP_SAMPLE);          an SPE event, ids 100, 101
 *	cap_comm(&c, ...); cap_aux(&c, ...);
 *	cap_close(&c);                     c.b, c.n are the file
 */
#ifndef V9TRACE_CAPTURE_H
#define V9TRACE_CAPTURE_H

#include <assert.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../tools/perfdata.h"

#define CAP_SAMPLE (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)
#define CAP_NONE UINT32_MAX
#define CAP_ATTR 128	/* size of struct perf_event_attr in the file */

struct cap {
	uint8_t *b;
	size_t n, room;
	size_t data;		/* offset of the data section */
	uint64_t sample_type;
	const char *arch;	/* section, unless NULL */
	const char *event;	/* name in the event description, unless NULL */
	const char *cpuid;	/* section, unless NULL */
	uint64_t other_midr;	/* MIDR of the last CPU; 0: as the others */
	uint32_t period;
	uint32_t prot;		/* of the next mappings; 0: PROT_READ | PROT_EXEC */
	const void *code;	/* section PD_CODE, unless NULL */
	size_t code_size;
	const void *files;	/* section PD_ANDROID_FILE or PD_ANDROID_FILE2, unless NULL */
	size_t files_size;
	unsigned int files_bit;	/* which of the two */
	const struct pd_register *regs;	/* section PD_REGISTERS, unless NULL */
	uint32_t nr_regs;
	const struct pd_cgroup *cgroups;	/* section PD_CGROUPS, unless NULL */
	uint32_t nr_cgroups;
	const void *memory;	/* section PD_MEM_TOPOLOGY, unless NULL */
	size_t memory_size;
	const void *formats;	/* section PD_TRACING_DATA, unless NULL */
	size_t formats_size;
	const void *half;	/* struct pd_half behind the attributes, unless NULL */
	const void *twin;	/* section PD_TWIN, unless NULL */
	size_t twin_size;
	const struct pd_counts *counts;	/* section PD_COUNTS, with as many struct pd_count behind it, unless NULL */
	uint32_t type2;		/* PMU type of a second event, with id 102; 0: none */
	uint64_t config2;	/* its attr.config */
	bool tracking;		/* a third event, of the side-band, with id 103 */
	uint64_t options2;	/* attr.config2 of the first event */
	const struct perf_event_attr *attr;	/* of the first event, unless NULL; its size is set */
	uint32_t info;		/* field info of the next AUXTRACE records */
	uint64_t id;		/* event ID of the next records; 0: 100 */
	/* values for the sample IDs of the next records */
	uint32_t pid, tid, cpu;
	uint64_t time;
};

static inline void cap_put(struct cap *c, const void *p, size_t n)
{
	if (c->n + n > c->room) {
		c->room = (c->n + n) * 2 + 4096;
		c->b = realloc(c->b, c->room);
	}
	if (p)
		memcpy(c->b + c->n, p, n);
	else
		memset(c->b + c->n, 0, n);
	c->n += n;
}

static inline void cap_u32(struct cap *c, uint32_t v)
{
	cap_put(c, &v, 4);
}

static inline void cap_u64(struct cap *c, uint64_t v)
{
	cap_put(c, &v, 8);
}

static inline void cap_open(struct cap *c, uint64_t sample_type)
{
	struct pd_header h = { .magic = PD_MAGIC, .size = sizeof(h) };
	struct perf_event_attr attr = {
		.type = 9, .size = CAP_ATTR, .sample_type = sample_type,
		.config2 = c->options2, .sample_id_all = 1, .sample_period = c->period ? c->period : 1024,
	};
	const struct pd_range ids = { sizeof(h), 16 };

	if (c->attr) {
		attr = *c->attr;
		attr.size = CAP_ATTR;
	}
	free(c->b);
	c->b = NULL;
	c->n = c->room = 0;
	c->sample_type = sample_type;
	h.attr_size = CAP_ATTR + sizeof(ids);
	h.attrs.offset = sizeof(h) + 16 + (c->type2 ? 8 : 0) + (c->tracking ? 8 : 0);
	h.attrs.size = h.attr_size * (1u + !!c->type2 + c->tracking);
	h.data.offset = h.attrs.offset + h.attrs.size;
	cap_put(c, &h, sizeof(h));
	cap_u64(c, 100);
	cap_u64(c, 101);
	if (c->type2)
		cap_u64(c, 102);
	if (c->tracking)
		cap_u64(c, 103);
	cap_put(c, &attr, CAP_ATTR);
	cap_put(c, &ids, sizeof(ids));
	if (c->type2) {
		const struct pd_range id2 = { sizeof(h) + 16, 8 };

		attr.type = c->type2;
		attr.config = c->config2;
		cap_put(c, &attr, CAP_ATTR);
		cap_put(c, &id2, sizeof(id2));
	}
	if (c->tracking) {
		const struct pd_range id3 = { sizeof(h) + 16 + (c->type2 ? 8 : 0), 8 };

		attr.type = PERF_TYPE_SOFTWARE;
		attr.config = PERF_COUNT_SW_DUMMY;
		cap_put(c, &attr, CAP_ATTR);
		cap_put(c, &id3, sizeof(id3));
	}
	if (c->half) {
		h.data.offset += sizeof(struct pd_half);
		memcpy(c->b, &h, sizeof(h));
		cap_put(c, c->half, sizeof(struct pd_half));
	}
	c->data = c->n;
}

/* A record: header, body, and the sample ID if the record is one of the kernel. */
static inline void cap_record(struct cap *c, uint32_t type, uint16_t misc, const void *body,
			      size_t n)
{
	struct pd_event_header h = { .type = type, .misc = misc };
	const size_t at = c->n, pad = -n & 7;

	cap_put(c, &h, sizeof(h));
	cap_put(c, body, n);
	cap_put(c, NULL, pad);
	if (type < PD_REC_HEADER_ATTR) {
		if (c->sample_type & PERF_SAMPLE_TID) {
			cap_u32(c, c->pid);
			cap_u32(c, c->tid);
		}
		if (c->sample_type & PERF_SAMPLE_TIME)
			cap_u64(c, c->time);
		if (c->sample_type & PERF_SAMPLE_CPU)
			cap_u64(c, c->cpu);
		if (c->sample_type & PERF_SAMPLE_IDENTIFIER)
			cap_u64(c, c->id ? c->id : 100);
	}
	h.size = (uint16_t)(c->n - at);
	memcpy(c->b + at, &h, sizeof(h));
}

/* A PERF_RECORD_SAMPLE: all its fields are in the body. */
static inline void cap_sample(struct cap *c, uint16_t misc, const void *body, size_t n)
{
	const struct pd_event_header h = { .type = PERF_RECORD_SAMPLE, .misc = misc,
					   .size = (uint16_t)(sizeof(h) + n) };

	cap_put(c, &h, sizeof(h));
	cap_put(c, body, n);
}

static inline void cap_comm(struct cap *c, uint32_t pid, uint32_t tid, const char *name, int exec)
{
	uint8_t body[8 + 16] = { 0 };

	memcpy(body, &pid, 4);
	memcpy(body + 4, &tid, 4);
	snprintf((char *)body + 8, 16, "%s", name);
	cap_record(c, PERF_RECORD_COMM, exec ? PERF_RECORD_MISC_COMM_EXEC : 0, body, sizeof(body));
}

static inline void cap_fork(struct cap *c, uint32_t pid, uint32_t tid, uint32_t ppid, uint32_t ptid)
{
	const uint32_t body[6] = { pid, ppid, tid, ptid, (uint32_t)c->time,
				   (uint32_t)(c->time >> 32) };

	cap_record(c, PERF_RECORD_FORK, 0, body, sizeof(body));
}

/* @id: 20 bytes of build-id, or NULL */
static inline void cap_mmap2(struct cap *c, uint32_t pid, uint64_t start, uint64_t len,
			     uint64_t pgoff, const char *name, const uint8_t *id)
{
	uint8_t body[64 + 256] = { 0 };
	const uint32_t prot = c->prot ? c->prot : 5;

	memcpy(body, &pid, 4);
	memcpy(body + 4, &pid, 4);
	memcpy(body + 8, &start, 8);
	memcpy(body + 16, &len, 8);
	memcpy(body + 24, &pgoff, 8);
	if (id) {
		body[32] = 20;
		memcpy(body + 36, id, 20);
	}
	memcpy(body + 56, &prot, 4);
	snprintf((char *)body + 64, 256, "%s", name);
	cap_record(c, PERF_RECORD_MMAP2, (uint16_t)(PD_CPUMODE_USER |
						     (id ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0)),
		   body, 64 + strlen(name) + 1);
}

static inline void cap_kernel(struct cap *c, uint64_t start, uint64_t len)
{
	uint8_t body[32 + 40] = { 0 };

	memset(body, 0xff, 4);
	memcpy(body + 8, &start, 8);
	memcpy(body + 16, &len, 8);
	memcpy(body + 24, &start, 8);
	snprintf((char *)body + 32, 40, "[kernel.kallsyms]_text");
	cap_record(c, PERF_RECORD_MMAP, PD_CPUMODE_KERNEL, body, sizeof(body));
}

/* PERF_RECORD_CGROUP: u64 id, path */
static inline void cap_cgroup(struct cap *c, uint64_t id, const char *path)
{
	uint8_t body[8 + 256] = { 0 };

	assert(strlen(path) < sizeof(body) - 8);
	memcpy(body, &id, 8);
	strcpy((char *)body + 8, path);
	cap_record(c, PERF_RECORD_CGROUP, 0, body, 8 + strlen(path) + 1);
}

/* A sample of CAP_SAMPLE | PERF_SAMPLE_CGROUP */
static inline void cap_in_cgroup(struct cap *c, uint64_t id)
{
	const uint64_t body[5] = { 100, (uint64_t)c->tid << 32 | c->pid, c->time, c->cpu, id };

	cap_sample(c, 0, body, sizeof(body));
}

/* The CPU c->cpu switches to @pid/@tid at c->time. */
static inline void cap_switch_to(struct cap *c, uint32_t pid, uint32_t tid)
{
	const uint32_t body[2] = { pid, tid };

	cap_record(c, PERF_RECORD_SWITCH_CPU_WIDE, PERF_RECORD_MISC_SWITCH_OUT, body, sizeof(body));
}

/*
 * CPU c->cpu switches @tid in, if @misc is 0, or out: PERF_RECORD_MISC_SWITCH_OUT, with _PREEMPT or
 * not
 */
static inline void cap_switch(struct cap *c, uint32_t pid, uint32_t tid, uint64_t time, uint16_t misc)
{
	const uint32_t nobody[2] = { 0, 0 };

	c->pid = pid;
	c->tid = tid;
	c->time = time;
	cap_record(c, PERF_RECORD_SWITCH_CPU_WIDE, misc, nobody, sizeof(nobody));
}

static inline void cap_aux_record(struct cap *c, uint64_t offset, uint64_t size, uint64_t flags)
{
	const uint64_t body[3] = { offset, size, flags };

	cap_record(c, PERF_RECORD_AUX, 0, body, sizeof(body));
}

static inline void cap_info(struct cap *c, uint32_t type)
{
	const uint64_t body[3] = { type, 9, 1 };

	cap_record(c, PD_REC_AUXTRACE_INFO, 0, body, sizeof(body));
}

/* Version 2: the header, then one block per CPU, at most 4. */
static inline void cap_info_v2(struct cap *c, uint64_t midr, unsigned int cpus)
{
	uint64_t body[1 + PD_SPE_V2_WORDS + 4 * PD_SPE_CPU_WORDS] = {
		PD_AUXTRACE_ARM_SPE, 2, PD_SPE_V2_WORDS, 9, cpus };

	for (unsigned int i = 0; i < cpus && i < 4; i++) {
		uint64_t *cpu = &body[1 + PD_SPE_V2_WORDS + i * PD_SPE_CPU_WORDS];

		cpu[PD_SPE_CPU_MAGIC] = PD_SPE_CPU_MAGIC_VALUE;
		cpu[PD_SPE_CPU_NUMBER] = i;
		cpu[PD_SPE_CPU_PARAMS] = PD_SPE_CPU_WORDS - PD_SPE_CPU_MIDR;
		cpu[PD_SPE_CPU_MIDR] = c->other_midr && i + 1 == cpus ? c->other_midr : midr;
		cpu[PD_SPE_CPU_PMU_TYPE] = 9;
		cpu[PD_SPE_CPU_MIN_INTERVAL] = 256;
	}
	cap_record(c, PD_REC_AUXTRACE_INFO, 0, body,
		   8 * (1 + PD_SPE_V2_WORDS + (size_t)cpus * PD_SPE_CPU_WORDS));
}

/* The layout of Android's simpleperf: a header of three words, then five words per CPU. */
static inline void cap_info_android(struct cap *c, uint64_t midr, unsigned int cpus)
{
	uint64_t body[1 + 3 + 4 * 5] = { PD_AUXTRACE_ARM_SPE, 1, UINT64_C(9) << 32 | cpus, 0 };

	for (unsigned int i = 0; i < cpus && i < 4; i++) {
		uint64_t *cpu = &body[4 + 5 * i];

		cpu[0] = UINT64_C(0x1010101010101010);
		cpu[1] = i;
		cpu[2] = 256;		/* minimum interval */
		cpu[3] = c->other_midr && i + 1 == cpus ? c->other_midr : midr;
		cpu[4] = 1;		/* enabled */
	}
	cap_record(c, PD_REC_AUXTRACE_INFO, 0, body, 8 * (4 + 5 * (size_t)cpus));
}

/* An ETMv4 trace unit on one CPU, as perf writes it */
static inline void cap_info_etmv4(struct cap *c)
{
	const uint64_t body[1 + 3 + 10] = { PD_AUXTRACE_CS_ETM, 1, UINT64_C(9) << 32 | 1, 0,
		UINT64_C(0x4040404040404040), 0, 7, 0, 0x10, 0x28000ea1, 0x4100f403, 0x488, 0, 0xcc };

	cap_record(c, PD_REC_AUXTRACE_INFO, 0, body, sizeof(body));
}

/* ns = (count << 4) + @zero: a counter of 62.5 MHz */
static inline void cap_time_conv(struct cap *c, uint64_t zero)
{
	const uint64_t body[6] = { 4, 256, zero, 0, UINT64_MAX, 1 };

	cap_record(c, PD_REC_TIME_CONV, 0, body, sizeof(body));
}

/* An AUX chunk, padded to a multiple of 8 bytes with zeros, as perf does. */
static inline void cap_aux(struct cap *c, uint32_t cpu, uint32_t tid, uint64_t offset,
			   const void *p, size_t n)
{
	struct pd_auxtrace a = { .size = (n + 7) & ~(size_t)7, .offset = offset, .idx = cpu,
				 .tid = tid, .cpu = cpu, .info = c->info };

	cap_record(c, PD_REC_AUXTRACE, 0, (uint8_t *)&a + 8, sizeof(a) - 8);
	cap_put(c, p, n);
	cap_put(c, NULL, (size_t)a.size - n);
}

static inline void cap_string(struct cap *c, const char *s)
{
	const size_t len = (strlen(s) + 64) & ~(size_t)63;

	cap_u32(c, (uint32_t)len);
	cap_put(c, s, strlen(s));
	cap_put(c, NULL, len - strlen(s));
}

/* ---- formats of tracepoints: the section PD_TRACING_DATA */

#define CAP_COMMON_FIELDS \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static inline void cap_format(struct cap *c, const char *text)
{
	cap_u64(c, strlen(text));
	cap_put(c, text, strlen(text));
}

/*
 * The begin of the section. Each of the @systems follows: its name, the number of its formats, those; then
 * the sizes of kallsyms and of printk formats (u32), with the text, and of a list of commands (u64).
 */
static inline void cap_formats(struct cap *c, uint32_t systems)
{
	c->n = 0;
	cap_put(c, "\x17\x08\x44tracing0.6\0\0\x08", 16);
	cap_u32(c, 4096);
	cap_put(c, "header_page", 12);
	cap_format(c, "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		   "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		   "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		   "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n");
	cap_put(c, "header_event", 13);
	cap_format(c, "# compressed entry header\n");
	cap_u32(c, 0);
	cap_u32(c, systems);
}

/* Writes the header and sections. Call it once. To cut or damage the file, change c->b after it. */
static inline void cap_close(struct cap *c)
{
	const uint64_t size = c->n - c->data;
	uint64_t bits = 0;
	struct pd_range s[11];
	size_t table = c->n, n = 0;
	uint32_t attr_size = CAP_ATTR;

	memcpy(c->b + offsetof(struct pd_header, data.size), &size, 8);
	cap_put(c, NULL, sizeof(s[0]) * ((c->arch != NULL) + (c->cpuid != NULL) + (c->event != NULL) +
				       (c->code != NULL) + (c->regs != NULL) + (c->files != NULL) +
				       (c->formats != NULL) + (c->cgroups != NULL) +
				       (c->memory != NULL) + (c->twin != NULL) + (c->counts != NULL)));
	if (c->formats) {
		bits |= 1ull << PD_TRACING_DATA;
		s[n].offset = c->n;
		cap_put(c, c->formats, c->formats_size);
		s[n++].size = c->formats_size;
	}
	if (c->arch) {
		bits |= 1ull << PD_ARCH;
		s[n].offset = c->n;
		cap_string(c, c->arch);
		s[n].size = c->n - s[n].offset;
		n++;
	}
	if (c->cpuid) {
		bits |= 1ull << PD_CPUID;
		s[n].offset = c->n;
		cap_string(c, c->cpuid);
		s[n].size = c->n - s[n].offset;
		n++;
	}
	if (c->event) {
		bits |= 1ull << PD_EVENT_DESC;
		s[n].offset = c->n;
		cap_u32(c, 1);
		cap_u32(c, attr_size);
		cap_put(c, NULL, attr_size);
		cap_u32(c, 0);
		cap_string(c, c->event);
		s[n].size = c->n - s[n].offset;
		n++;
	}
	if (c->memory) {
		bits |= 1ull << PD_MEM_TOPOLOGY;
		s[n].offset = c->n;
		cap_put(c, c->memory, c->memory_size);
		s[n++].size = c->memory_size;
	}
	if (c->files) {
		const uint64_t high = 1ull << (c->files_bit % 64);

		s[n].offset = c->n;
		cap_put(c, c->files, c->files_size);
		s[n++].size = c->files_size;
		memcpy(c->b + offsetof(struct pd_header, features) + 8 * (c->files_bit / 64), &high, 8);
	}
	if (c->code) {
		const uint64_t high = 1ull << (PD_CODE % 64);

		s[n].offset = c->n;
		cap_put(c, c->code, c->code_size);
		s[n++].size = c->code_size;
		memcpy(c->b + offsetof(struct pd_header, features) + 8 * (PD_CODE / 64), &high, 8);
	}
	if (c->regs) {
		const size_t word = offsetof(struct pd_header, features) + 8 * (PD_REGISTERS / 64);
		uint64_t high;

		s[n].offset = c->n;
		cap_u32(c, 1);
		cap_u32(c, c->nr_regs);
		cap_put(c, c->regs, c->nr_regs * sizeof(*c->regs));
		s[n].size = c->n - s[n].offset;
		n++;
		memcpy(&high, c->b + word, 8);
		high |= 1ull << (PD_REGISTERS % 64);
		memcpy(c->b + word, &high, 8);
	}
	if (c->cgroups) {
		const size_t word = offsetof(struct pd_header, features) + 8 * (PD_CGROUPS / 64);
		uint64_t high;

		s[n].offset = c->n;
		cap_u32(c, 1);
		cap_u32(c, c->nr_cgroups);
		cap_put(c, c->cgroups, c->nr_cgroups * sizeof(*c->cgroups));
		s[n].size = c->n - s[n].offset;
		n++;
		memcpy(&high, c->b + word, 8);
		high |= 1ull << (PD_CGROUPS % 64);
		memcpy(c->b + word, &high, 8);
	}
	if (c->twin) {
		c->b[offsetof(struct pd_header, features) + PD_TWIN / 8] |= 1 << PD_TWIN % 8;
		s[n].offset = c->n;
		cap_put(c, c->twin, c->twin_size);
		s[n++].size = c->twin_size;
	}
	if (c->counts) {
		c->b[offsetof(struct pd_header, features) + PD_COUNTS / 8] |= 1 << PD_COUNTS % 8;
		s[n].offset = c->n;
		cap_put(c, c->counts, sizeof(*c->counts) + c->counts->count * sizeof(struct pd_count));
		s[n].size = c->n - s[n].offset;
		n++;
	}
	memcpy(c->b + table, s, n * sizeof(s[0]));
	memcpy(c->b + offsetof(struct pd_header, features), &bits, 8);
}

static inline int cap_write(const char *path, const void *p, size_t n)
{
	FILE *f = fopen(path, "w");

	if (!f || fwrite(p, 1, n, f) != n)
		return -1;
	return fclose(f);
}

#endif
