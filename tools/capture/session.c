// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include <v9trace/gen/regs.h>
#include <v9trace/gen/spe_source.h>

#include "../util.h"
#include "bpf.h"
#include "jit.h"
#include "records.h"
#include "twin.h"
#include "../lib/spe_text.h"

#define PROT_MODIFY	2u
#define PROT_EXECUTE	4u

static uint32_t u32_at(const struct pd_event *e, unsigned int at)
{
	return v9_load_le32(e->p + at);
}

static uint64_t u64_at(const struct pd_event *e, unsigned int at)
{
	return v9_load_le64(e->p + at);
}

static void note_jitdump(struct v9_session *s, const struct pd_event *e, const char *name, size_t len)
{
	if (v9_mapping_is_jitdump(name, len))
		*v9_vec_add(s->jits, s->nr_jits) = (struct v9_jit_file){
			e->time, u32_at(e, MMAP_PID), v9_strtab_put(&s->strtab, name, len) };
}

static void on_mmap(struct v9_session *s, const struct pd_event *e)
{
	if (e->size <= MMAP_NAME)
		return;
	v9_syms_map(&s->syms, e->time, u32_at(e, MMAP_PID), u64_at(e, MMAP_ADDR),
		    u64_at(e, MMAP_LEN), u64_at(e, MMAP_PGOFF),
		    e->misc & PERF_RECORD_MISC_MMAP_DATA ? V9_MAP_DATA : V9_MAP_EXEC,
		    (const char *)e->p + MMAP_NAME, e->size - MMAP_NAME, NULL, 0);
	note_jitdump(s, e, (const char *)e->p + MMAP_NAME, e->size - MMAP_NAME);
}

static void on_mmap2(struct v9_session *s, const struct pd_event *e)
{
	const bool id = e->misc & PERF_RECORD_MISC_MMAP_BUILD_ID;
	/* Mappings of the kernel have no protection bits. */
	const bool kernel = (e->misc & PD_CPUMODE_MASK) == PD_CPUMODE_KERNEL;
	uint32_t prot;

	if (e->size <= MMAP2_NAME)
		return;
	prot = kernel ? PROT_EXECUTE : u32_at(e, MMAP2_PROT);
	v9_syms_map(&s->syms, e->time, u32_at(e, MMAP_PID), u64_at(e, MMAP_ADDR),
		    u64_at(e, MMAP_LEN), u64_at(e, MMAP_PGOFF),
		    (prot & PROT_EXECUTE ? V9_MAP_EXEC : 0) | (prot & PROT_MODIFY ? V9_MAP_WRITE : 0) |
		    (prot & PROT_EXECUTE ? 0 : V9_MAP_DATA),
		    (const char *)e->p + MMAP2_NAME, e->size - MMAP2_NAME,
		    id ? e->p + MMAP2_ID : NULL, id ? e->p[MMAP2_ID_SIZE] : 0);
	note_jitdump(s, e, (const char *)e->p + MMAP2_NAME, e->size - MMAP2_NAME);
}

static void on_comm(struct v9_session *s, const struct pd_event *e)
{
	if (e->size <= COMM_NAME)
		return;
	v9_tasks_comm(&s->tasks, e->time, u32_at(e, COMM_PID), u32_at(e, COMM_TID),
		      (const char *)e->p + COMM_NAME, e->size - COMM_NAME);
	if (e->misc & PERF_RECORD_MISC_COMM_EXEC)
		v9_syms_exec(&s->syms, e->time, u32_at(e, COMM_PID));
}

static void on_fork(struct v9_session *s, const struct pd_event *e)
{
	uint64_t time;

	if (e->size < FORK_END)
		return;
	/* 0 as well in records that the recorder synthesizes for earlier tasks */
	time = e->has & PD_HAS_TIME ? e->time : u64_at(e, FORK_TIME);
	v9_tasks_fork(&s->tasks, time, u32_at(e, FORK_PID), u32_at(e, FORK_TID),
		      u32_at(e, FORK_PTID));
	v9_cgroups_add(&s->cgroups, time, u32_at(e, FORK_TID), V9_CGROUP_FORKED, u32_at(e, FORK_PTID));
	if (u32_at(e, FORK_PID) != u32_at(e, FORK_PPID))
		v9_syms_fork(&s->syms, time, u32_at(e, FORK_PID), u32_at(e, FORK_PPID));
}

static void on_ksymbol(struct v9_session *s, const struct pd_event *e)
{
	if (e->size <= KSYMBOL_NAME)
		return;
	v9_bpf_symbol(&s->syms, e->time, u64_at(e, KSYMBOL_ADDR), u32_at(e, KSYMBOL_LEN),
		      v9_load_le(e->p + KSYMBOL_FLAGS, 2) & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER,
		      (const char *)e->p + KSYMBOL_NAME, e->size - KSYMBOL_NAME);
}

static void on_cgroup(struct v9_session *s, const struct pd_event *e)
{
	if (e->size > CGROUP_PATH)
		v9_cgroups_name(&s->cgroups, u64_at(e, CGROUP_ID), (const char *)e->p + CGROUP_PATH,
				e->size - CGROUP_PATH);
}

static void on_lost(struct v9_session *s, const struct pd_event *e)
{
	if (e->size >= LOST_END)
		s->lost.lost_records += u64_at(e, LOST_COUNT);
}

static void on_lost_samples(struct v9_session *s, const struct pd_event *e)
{
	if (e->size >= LOST_SAMPLES_END)
		s->lost.lost_samples += u64_at(e, LOST_SAMPLES_COUNT);
}

static void on_throttle(struct v9_session *s, const struct pd_event *e)
{
	(void)e;
	s->lost.throttled++;
}

static void spe_info(struct v9_session *s, const struct pd_event *e, uint64_t words);
static void etm_info(struct v9_session *s, const struct pd_event *e, uint64_t words);

/* The kinds of trace in AUX data: perf's AUXTRACE type, and the parser of AUXTRACE_INFO */
static const struct {
	uint32_t type;
	void (*info)(struct v9_session *s, const struct pd_event *e, uint64_t words);
} aux_kinds[V9_KINDS] = {
	[V9_KIND_SPE] = { PD_AUXTRACE_ARM_SPE, spe_info },
	[V9_KIND_ETE] = { PD_AUXTRACE_CS_ETM, etm_info },
};

enum v9_kind_id v9_kind_of_type(uint32_t type)
{
	for (unsigned int i = 0; i < V9_KINDS; i++)
		if (aux_kinds[i].info && aux_kinds[i].type == type)
			return i;
	return V9_KIND_OTHER;
}

enum v9_kind_id v9_session_kind(const struct v9_session *s, const struct pd_event *e)
{
	const uint32_t info = u32_at(e, offsetof(struct pd_auxtrace, info));
	const size_t n = s->nr_aux_types - s->first_info;

	/* perf records one kind only, without a number. */
	return n ? v9_kind_of_type(s->aux_types[s->first_info + (info && info <= n ? info - 1 : 0)]) :
		   V9_KIND_OTHER;
}

/* With several kinds in a file, the type of the event's PMU determines the kind. */
static enum v9_kind_id kind_of_event(const struct v9_session *s, const struct pd_event *e)
{
	const uint32_t *types = s->aux_types;
	const size_t first = s->first_info;
	bool one = true;

	if (s->nr_aux_types == first)
		return V9_KIND_OTHER;
	for (size_t i = first + 1; i < s->nr_aux_types; i++)
		one &= types[i] == types[first];
	if (one || !e->attr)
		return v9_kind_of_type(types[first]);
	for (unsigned int i = 0; i < V9_KINDS; i++)
		if (s->pmu_type[i] && e->attr->attr.type == s->pmu_type[i])
			return i;
	return V9_KIND_OTHER;
}

static void on_aux(struct v9_session *s, const struct pd_event *e)
{
	const enum v9_kind_id kind = kind_of_event(s, e);
	struct v9_aux_sum *sum = &s->aux[kind];
	uint64_t flags;

	if (e->size < AUX_END)
		return;
	flags = u64_at(e, AUX_FLAGS);
	*v9_vec_add(s->extents, s->nr_extents) = (struct v9_extent){
		.offset = u64_at(e, AUX_OFFSET), .size = u64_at(e, AUX_SIZE), .flags = flags,
		.time = e->time, .has_time = e->has & PD_HAS_TIME, .kind = kind,
		.cpu = e->has & PD_HAS_CPU ? e->cpu : V9_NO_TASK,
		.pid = e->has & PD_HAS_TASK ? e->pid : V9_NO_TASK,
		.tid = e->has & PD_HAS_TASK ? e->tid : V9_NO_TASK,
	};
	sum->truncated += !!(flags & PERF_AUX_FLAG_TRUNCATED);
	sum->overwrite += !!(flags & PERF_AUX_FLAG_OVERWRITE);
	sum->stopped += flags & PERF_AUX_FLAG_OVERWRITE && flags & PERF_AUX_FLAG_TRUNCATED;
	sum->partial += !!(flags & PERF_AUX_FLAG_PARTIAL);
	sum->collision += !!(flags & PERF_AUX_FLAG_COLLISION);
	if (flags & (PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL))
		*v9_vec_add(s->cuts, s->nr_cuts) = (struct v9_cut){
			.kind = kind,
			.cpu = e->has & PD_HAS_CPU ? e->cpu : V9_NO_TASK,
			.tid = e->has & PD_HAS_TASK ? e->tid : V9_NO_TASK,
			.offset = u64_at(e, AUX_OFFSET) + u64_at(e, AUX_SIZE),
		};
}

static void on_itrace_start(struct v9_session *s, const struct pd_event *e)
{
	if (e->size >= ITRACE_END && e->has & PD_HAS_CPU)
		v9_tasks_run(&s->tasks, e->time, e->cpu, u32_at(e, ITRACE_PID),
			     u32_at(e, ITRACE_TID));
}

/* The sample id of a switch record is that of the thread which is switched out or in. */
static void take_switch(struct v9_session *s, const struct pd_event *e)
{
	if (e->has & PD_HAS_TIME)
		v9_waits_switch(&s->waits, e->time, e->cpu, e->pid, e->tid,
				!(e->misc & PERF_RECORD_MISC_SWITCH_OUT) ? V9_SWITCH_IN :
				e->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? V9_SWITCH_PREEMPTED :
				V9_SWITCH_OUT);
}

static void on_switch(struct v9_session *s, const struct pd_event *e)
{
	const bool out = e->misc & PERF_RECORD_MISC_SWITCH_OUT;

	if (!(e->has & PD_HAS_CPU) || !(e->has & PD_HAS_TASK))
		return;
	v9_tasks_run(&s->tasks, e->time, e->cpu, e->pid, out ? V9_NO_TASK : e->tid);
	take_switch(s, e);
}

static void on_switch_cpu_wide(struct v9_session *s, const struct pd_event *e)
{
	const bool out = e->misc & PERF_RECORD_MISC_SWITCH_OUT;

	if (e->size < SWITCH_END || !(e->has & PD_HAS_CPU))
		return;
	/* A switch-out record has the next task; the sample id of a switch-in is the task. */
	if (out)
		v9_tasks_run(&s->tasks, e->time, e->cpu, u32_at(e, SWITCH_PID),
			     u32_at(e, SWITCH_TID));
	else if (e->has & PD_HAS_TASK)
		v9_tasks_run(&s->tasks, e->time, e->cpu, e->pid, e->tid);
	if (e->has & PD_HAS_TASK)
		take_switch(s, e);
}

static void on_sample(struct v9_session *s, const struct pd_event *e)
{
	struct pd_event copy = *e;
	struct pd_sample sample;

	if (pd_sample(&copy, &sample)) {
		s->lost.unreadable++;
		return;
	}
	*v9_vec_add(s->samples, s->nr_samples) = (struct v9_seen){
		.time = copy.time, .offset = e->offset };
	s->lost.longer += sample.rest != 0;
	s->nr_stacks += sample.has_branches;
	s->nr_branches += sample.nr_branches;
	if (sample.has_cgroup && copy.has & PD_HAS_TASK && copy.has & PD_HAS_TIME)
		v9_cgroups_add(&s->cgroups, copy.time, copy.tid, V9_CGROUP_SAMPLED, sample.cgroup);
	if (copy.has & PD_HAS_CPU && copy.cpu < V9_CPUS_MOST)
		s->sample_cpus[copy.cpu / 64] |= UINT64_C(1) << copy.cpu % 64;
}

/* Blocks of CPUs. Blocks beyond the end of the record are ignored. */
static void etm_info(struct v9_session *s, const struct pd_event *e, uint64_t words)
{
	const unsigned int priv = sizeof(struct pd_auxtrace_info);
	uint64_t at = PD_ETM_WORDS, cpus;
	bool etmv4 = false;

	s->unusable = "describes its trace units in a way this program does not know";
	if (words < PD_ETM_WORDS || u64_at(e, priv + 8 * PD_ETM_VERSION) < 1)
		return;
	s->pmu_type[V9_KIND_ETE] = u64_at(e, priv + 8 * PD_ETM_CPUS) >> 32;
	cpus = u64_at(e, priv + 8 * PD_ETM_CPUS) & UINT32_MAX;
	for (; cpus && words - at >= PD_ETM_CPU_WORDS; cpus--) {
		const unsigned int block = priv + 8 * (unsigned int)at;
		const uint64_t n = u64_at(e, block + 8 * PD_ETM_CPU_PARAMS);
		struct v9_trace_unit *u;

		if (n > words - at - PD_ETM_CPU_WORDS)
			return;
		u = v9_vec_add(s->units, s->nr_units);
		u->magic = u64_at(e, block + 8 * PD_ETM_CPU_MAGIC);
		u->cpu = (uint32_t)u64_at(e, block + 8 * PD_ETM_CPU_NUMBER);
		for (unsigned int i = 0; i < PD_ETE_WORDS && i < n + PD_ETM_CPU_WORDS; i++)
			u->word[i] = u64_at(e, block + 8 * i);
		etmv4 |= u->magic == PD_ETMV4_MAGIC;
		if (u->magic == PD_ETE_MAGIC && n + PD_ETM_CPU_WORDS > PD_ETE_TRCDEVARCH)
			s->unusable = NULL;
		else
			u->magic = 0;
		at += PD_ETM_CPU_WORDS + n;
	}
	if (s->unusable && etmv4)
		s->unusable = "holds trace of ETMv4 behind a CoreSight formatter, which is not ETE; "
			       "perf reads it where it is built with OpenCSD";
}

/* Blocks of CPUs in simpleperf's layout. Blocks beyond the end are ignored. */
static void android_spe_cpus(struct v9_session *s, const struct pd_event *e, uint64_t words)
{
	const unsigned int priv = sizeof(struct pd_auxtrace_info);
	uint64_t n = u64_at(e, priv + 8 * PD_SPE_ANDROID_CPUS) & UINT32_MAX;
	uint64_t at = PD_SPE_ANDROID_WORDS;

	for (; n && words - at >= PD_SPE_ANDROID_CPU_WORDS; n--) {
		const unsigned int block = priv + 8 * (unsigned int)at;

		if (u64_at(e, block + 8 * PD_SPE_CPU_MAGIC) != PD_SPE_CPU_MAGIC_VALUE)
			return;
		if (u64_at(e, block + 8 * PD_SPE_ANDROID_CPU_ENABLED))
			*v9_vec_add(s->cores, s->nr_cores) = (struct v9_core){
				.cpu = (uint32_t)u64_at(e, block + 8 * PD_SPE_CPU_NUMBER),
				.midr = u64_at(e, block + 8 * PD_SPE_ANDROID_CPU_MIDR) };
		at += PD_SPE_ANDROID_CPU_WORDS;
	}
}

/* Blocks of CPUs after the header, each with its length. Blocks beyond the end are ignored. */
static void spe_cpus(struct v9_session *s, const struct pd_event *e, uint64_t words)
{
	const unsigned int priv = sizeof(struct pd_auxtrace_info);
	uint64_t at = u64_at(e, priv + 8 * PD_SPE_V2_HEADER_WORDS);

	while (at <= words && words - at > PD_SPE_CPU_MIDR) {
		const unsigned int block = priv + 8 * (unsigned int)at;

		if (u64_at(e, block + 8 * PD_SPE_CPU_MAGIC) != PD_SPE_CPU_MAGIC_VALUE)
			return;
		*v9_vec_add(s->cores, s->nr_cores) = (struct v9_core){
			.cpu = (uint32_t)u64_at(e, block + 8 * PD_SPE_CPU_NUMBER),
			.midr = u64_at(e, block + 8 * PD_SPE_CPU_MIDR) };
		at += u64_at(e, block + 8 * PD_SPE_CPU_PARAMS) % UINT32_MAX + PD_SPE_CPU_PARAMS + 1;
	}
}

static void spe_info(struct v9_session *s, const struct pd_event *e, uint64_t words)
{
	const unsigned int at = sizeof(struct pd_auxtrace_info);
	uint64_t *pmu_type = &s->pmu_type[V9_KIND_SPE];

	if (words < PD_SPE_V1_WORDS)
		return;
	s->spe_version = 1;
	*pmu_type = u64_at(e, at + 8 * PD_SPE_V1_PMU_TYPE);
	if (words == PD_SPE_V1_WORDS)
		return;
	if (u64_at(e, at + 8 * PD_SPE_ANDROID_VERSION) == 1) {
		*pmu_type = u64_at(e, at + 8 * PD_SPE_ANDROID_CPUS) >> 32;
		android_spe_cpus(s, e, words);
		return;
	}
	s->spe_version = (uint32_t)u64_at(e, at + 8 * PD_SPE_V2_VERSION);
	*pmu_type = u64_at(e, at + 8 * PD_SPE_V2_PMU_TYPE);
	spe_cpus(s, e, words);
}

void v9_session_info(struct v9_session *s, const struct pd_event *e)
{
	const unsigned int at = sizeof(struct pd_auxtrace_info);
	enum v9_kind_id kind;
	uint32_t type;

	if (e->size < at)
		return;
	type = u32_at(e, offsetof(struct pd_auxtrace_info, type));
	*v9_vec_add(s->aux_types, s->nr_aux_types) = type;
	kind = v9_kind_of_type(type);
	if (aux_kinds[kind].info)
		aux_kinds[kind].info(s, e, (e->size - at) / 8);
}

static struct v9_queue *queue_of(struct v9_session *s, enum v9_kind_id kind, uint32_t cpu,
				 uint32_t tid, bool make)
{
	char key[48];
	size_t *index;
	struct v9_queue *q;

	if (cpu != V9_NO_TASK)
		snprintf(key, sizeof(key), "%u cpu %u", kind, cpu);
	else
		snprintf(key, sizeof(key), "%u tid %u", kind, tid);
	index = v9_strtab_value(&s->queue_ids, key);
	if (*index)
		return &s->queues[*index - 1];
	if (!make)
		return NULL;
	*index = s->nr_queues + 1;
	q = v9_vec_add(s->queues, s->nr_queues);
	q->kind = kind;
	q->cpu = cpu;
	q->tid = cpu == V9_NO_TASK ? tid : V9_NO_TASK;
	return q;
}

static void on_auxtrace(struct v9_session *s, const struct pd_event *e)
{
	const enum v9_kind_id kind = v9_session_kind(s, e);
	struct v9_queue *q = queue_of(s, kind, u32_at(e, offsetof(struct pd_auxtrace, cpu)),
				      u32_at(e, offsetof(struct pd_auxtrace, tid)), true);
	struct v9_chunk c = { .p = e->payload, .size = e->payload_size,
			      .offset = u64_at(e, offsetof(struct pd_auxtrace, offset)) };

	s->aux[kind].bytes += c.size;
	s->aux[kind].missing += e->payload_missing;
	if (q->nr_chunks) {
		struct v9_chunk *before = &q->chunks[q->nr_chunks - 1];
		uint64_t over = before->offset + before->size - c.offset;

		/* The recorder rounds sizes up to 8; the next chunk repeats these bytes. */
		if (over < 8 && over <= before->size) {
			before->size -= over;
			s->aux[kind].rounding += over;
		}
	}
	*v9_vec_add(q->chunks, q->nr_chunks) = c;
}

static void on_auxtrace_error(struct v9_session *s, const struct pd_event *e)
{
#define ERROR(field)	offsetof(struct pd_auxtrace_error, field)
	switch (e->size < ERROR(time) ? 0 : u32_at(e, ERROR(code))) {
	case PD_ERROR_CPU_AWAY:
		s->lost.cpu_away++;
		s->lost.cpu_away_ns += u64_at(e, ERROR(ip));
		break;
	case PD_ERROR_PAUSED:
		s->lost.paused++;
		s->lost.paused_ns += u64_at(e, ERROR(ip));
		break;
	default:
		s->lost.aux_errors++;
	}
#undef ERROR
}

static void on_time_conv(struct v9_session *s, const struct pd_event *e)
{
	if (e->size < offsetof(struct pd_time_conv, cycles))
		return;
	memset(&s->conv, 0, sizeof(s->conv));
	memcpy(&s->conv, e->p, e->size < sizeof(s->conv) ? e->size : sizeof(s->conv));
	if (e->size < sizeof(s->conv))
		s->conv.zero_valid = 1;
	s->has_conv = s->conv.zero_valid && s->conv.mult && s->conv.shift < 64;
}

static void on_thread_map(struct v9_session *s, const struct pd_event *e)
{
	uint64_t n = e->size >= THREADS ? u64_at(e, THREADS_COUNT) : 0;

	for (uint64_t i = 0; i < n && THREADS + (i + 1) * THREAD_SIZE <= e->size; i++) {
		const unsigned int at = (unsigned int)(THREADS + i * THREAD_SIZE);
		const char *name = (const char *)e->p + at + 8;

		if (name[0])
			v9_tasks_comm(&s->tasks, 0, V9_NO_TASK, u32_at(e, at), name, 16);
	}
}

static void on_build_id(struct v9_session *s, const struct pd_event *e)
{
	const unsigned int head = offsetof(struct pd_build_id, name);
	struct pd_build_id b;

	if (e->size < head)
		return;
	memcpy(&b, e->p, head);
	if (!(b.header.misc & PD_BUILD_ID_SIZE_VALID))
		b.id_size = sizeof(b.id);
	v9_syms_build_id(&s->syms, (const char *)e->p + head, e->size - head, b.id, b.id_size);
}

/* @p: u32 size, then the text */
static void kernel_symbols(struct v9_session *s, const uint8_t *p, size_t n)
{
	const uint64_t len = n < 4 ? 0 : v9_load_le32(p);

	if (len && len <= n - 4)
		v9_syms_tell_kallsyms(&s->syms, (const char *)p + 4, len);
}

static void on_kernel_symbol(struct v9_session *s, const struct pd_event *e)
{
	const size_t head = sizeof(struct pd_event_header);

	kernel_symbols(s, e->p + head, e->size - head);
}

static void on_split(struct v9_session *s, const struct pd_event *e)
{
	const size_t head = sizeof(struct pd_event_header), n = e->size - head;

	s->split = v9_realloc(s->split, s->nr_split + n + 1);
	memcpy(s->split + s->nr_split, e->p + head, n);
	s->nr_split += n;
}

/* The original header: type (32 bits), upper and lower half of the size (16 bits each) */
static void on_split_end(struct v9_session *s, const struct pd_event *e)
{
	const size_t head = sizeof(struct pd_event_header);

	(void)e;
	if (s->nr_split >= head && v9_load_le32(s->split) == PD_ANDROID_KERNEL_SYMBOL &&
	    (v9_load_le(s->split + 4, 2) << 16 | v9_load_le(s->split + 6, 2)) == s->nr_split)
		kernel_symbols(s, s->split + head, s->nr_split - head);
	s->nr_split = 0;
}

static const struct {
	uint32_t type;
	void (*take)(struct v9_session *s, const struct pd_event *e);
} handlers[] = {
	{ PERF_RECORD_MMAP, on_mmap },
	{ PERF_RECORD_MMAP2, on_mmap2 },
	{ PERF_RECORD_COMM, on_comm },
	{ PERF_RECORD_FORK, on_fork },
	{ PERF_RECORD_KSYMBOL, on_ksymbol },
	{ PERF_RECORD_CGROUP, on_cgroup },
	{ PERF_RECORD_LOST, on_lost },
	{ PERF_RECORD_LOST_SAMPLES, on_lost_samples },
	{ PERF_RECORD_THROTTLE, on_throttle },
	{ PERF_RECORD_AUX, on_aux },
	{ PERF_RECORD_ITRACE_START, on_itrace_start },
	{ PERF_RECORD_SWITCH, on_switch },
	{ PERF_RECORD_SWITCH_CPU_WIDE, on_switch_cpu_wide },
	{ PERF_RECORD_SAMPLE, on_sample },
	{ PD_REC_AUXTRACE_INFO, v9_session_info },
	{ PD_REC_AUXTRACE, on_auxtrace },
	{ PD_REC_AUXTRACE_ERROR, on_auxtrace_error },
	{ PD_ANDROID_KERNEL_SYMBOL, on_kernel_symbol },
	{ PD_ANDROID_SPLIT, on_split },
	{ PD_ANDROID_SPLIT_END, on_split_end },
	{ PD_REC_HEADER_BUILD_ID, on_build_id },
	{ PD_REC_TIME_CONV, on_time_conv },
	{ PD_REC_THREAD_MAP, on_thread_map },
};

static void take(struct v9_session *s, const struct pd_event *e)
{
	s->records++;
	for (size_t i = 0; i < V9_ARRAY_SIZE(handlers); i++)
		if (handlers[i].type == e->type) {
			handlers[i].take(s, e);
			return;
		}
}

/* A file has a section of build-ids; a pipe has them as records. */
static void read_build_ids(struct v9_session *s)
{
	const struct pd_range r = s->file.sections[PD_BUILD_ID];
	struct pd_event_header h;
	uint64_t at = 0;

	while (r.size - at >= sizeof(h)) {
		struct pd_event e = { .p = s->file.map + r.offset + at };

		memcpy(&h, e.p, sizeof(h));
		if (h.size < offsetof(struct pd_build_id, name) || h.size > r.size - at)
			return;
		e.size = h.size;
		on_build_id(s, &e);
		at += h.size;
	}
}

static int seen_order(const void *a, const void *b)
{
	const struct v9_seen *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return V9_ORDER(x->offset, y->offset);
}

static int u64_order(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void seal(struct v9_session *s)
{
	uint64_t midr;

	for (size_t i = 0; i < s->nr_cuts; i++) {
		const struct v9_cut *c = &s->cuts[i];
		struct v9_queue *q = NULL;

		if (c->cpu != V9_NO_TASK)
			q = queue_of(s, c->kind, c->cpu, V9_NO_TASK, false);
		if (!q && c->tid != V9_NO_TASK)
			q = queue_of(s, c->kind, V9_NO_TASK, c->tid, false);
		if (q)
			*v9_vec_add(q->cuts, q->nr_cuts) = c->offset;
	}
	for (size_t i = 0; i < s->nr_queues; i++) {
		struct v9_queue *q = &s->queues[i];

		if (q->nr_cuts)
			qsort(q->cuts, q->nr_cuts, sizeof(*q->cuts), u64_order);
		q->end_why = V9_SPE_SKIP_CUT;
		q->dec = v9_spe_dec_new();
		if (!q->dec)
			v9_out_of_memory();
		q->sources = v9_session_midr(s, q->cpu, &midr) ? v9_spe_source_set(midr) :
								 V9_SPE_SET_UNKNOWN;
	}
	if (s->nr_samples)
		qsort(s->samples, s->nr_samples, sizeof(*s->samples), seen_order);
	v9_tasks_seal(&s->tasks);
	v9_cgroups_seal(&s->cgroups);
	v9_waits_seal(&s->waits);
	read_build_ids(s);
	v9_jit_load(s);
	v9_bpf_load(&s->syms);
	v9_syms_seal(&s->syms);
}

static void find_trigger(struct v9_session *s)
{
	const uint64_t type = s->pmu_type[V9_KIND_ETE];

	for (size_t i = 0; s->aux[V9_KIND_ETE].overwrite && i < s->file.nr_attrs; i++)
		s->trigger |= type && s->file.attrs[i].attr.type == type &&
			      s->file.attrs[i].attr.config2 & PD_ETE_TRIGGER;
}

/* Finds the SPE event by the PMU type in the metadata, else by its name. */
static void find_period(struct v9_session *s)
{
	const uint64_t type = s->pmu_type[V9_KIND_SPE];

	for (size_t i = 0; i < s->file.nr_attrs; i++) {
		const struct pd_attr *a = &s->file.attrs[i];

		if (a->attr.freq)
			continue;
		if (type && a->attr.type == type) {
			s->period = a->attr.sample_period;
			return;
		}
		if (!strncmp(a->name, "arm_spe", 7))
			s->period = a->attr.sample_period;
	}
}

void v9_cores_read(struct v9_core **cores, size_t *nr, const uint8_t *section, uint64_t size)
{
	struct pd_registers head;
	struct pd_register r;

	if (size < sizeof(head))
		return;
	memcpy(&head, section, sizeof(head));
	if (head.version != PD_REGISTERS_VERSION)
		return;
	for (uint64_t i = 0; i < head.count && i < (size - sizeof(head)) / sizeof(r); i++) {
		memcpy(&r, section + sizeof(head) + i * sizeof(r), sizeof(r));
		if (r.encoding == PD_MIDR_EL1 && *nr < V9_CPUS_MOST)
			*v9_vec_add(*cores, *nr) = (struct v9_core){
				.cpu = r.cpu, .midr = r.value & r.mask };
	}
}

/* The MIDR of each CPU, where the metadata of the trace has none: that of ETE, and of SPE in version 1 */
static void read_cores(struct v9_session *s)
{
	const struct pd_range range = s->file.sections[PD_REGISTERS];

	if (!s->nr_cores)
		v9_cores_read(&s->cores, &s->nr_cores, s->file.map + range.offset, range.size);
}

/* perf writes one MIDR only beside ETE, that of the first CPU, and did so beside SPE before 2025. */
static void one_core(struct v9_session *s)
{
	char text[32];
	char *end;
	uint64_t midr;

	if (s->nr_cores || !pd_string(&s->file, PD_CPUID, text, sizeof(text)))
		return;
	midr = strtoull(text, &end, 16);
	if (end != text && !*end)
		*v9_vec_add(s->cores, s->nr_cores) = (struct v9_core){
			.cpu = V9_NO_TASK, .midr = midr };
}

static struct v9_section section_of(const struct v9_session *s, enum pd_feature which)
{
	const struct pd_range r = s->file.sections[which];

	return (struct v9_section){ s->file.map + r.offset, r.size };
}

/* Of the other half, what this half does not have: AUX data, and what else is in the ring of its event */
static bool is_own(const struct v9_session *s, const struct pd_event *e)
{
	switch (e->type) {
	case PD_REC_AUXTRACE_INFO:
	case PD_REC_AUXTRACE:
	case PERF_RECORD_AUX:
		return true;
	case PERF_RECORD_ITRACE_START:
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return e->attr && !pd_attr_of(&s->file, e->id);
	}
	return false;
}

static int read_records(struct v9_session *s, struct pd_file *f)
{
	struct pd_event e;
	int ret;

	while ((ret = pd_next(f, &e)) > 0) {
		if (f == &s->twin && !is_own(s, &e))
			continue;
		take(s, &e);
		if (!(e.has & PD_HAS_TIME) || !e.time)
			continue;
		if (!s->first_time || e.time < s->first_time)
			s->first_time = e.time;
		if (e.time > s->last_time)
			s->last_time = e.time;
	}
	return !ret && f->missing ? -ENODATA : ret;
}

/* Adds the events that only the other half has. An id is of one event. */
static void add_events(struct pd_file *file, const struct pd_file *twin)
{
	bool *shared = v9_alloc(twin->nr_attrs * sizeof(*shared));

	for (size_t i = 0; i < twin->nr_ids; i++)
		shared[twin->ids[i].attr] |= !!pd_attr_of(file, twin->ids[i].id);
	file->attrs = v9_realloc(file->attrs, (file->nr_attrs + twin->nr_attrs) * sizeof(*file->attrs));
	for (size_t i = 0; i < twin->nr_attrs; i++)
		if (!shared[i])
			file->attrs[file->nr_attrs++] = twin->attrs[i];
	free(shared);
}

static void open_twin(struct v9_session *s, const char *path)
{
	if (!s->file.half.magic)
		return;
	s->twin_path = v9_twin_open(&s->twin, &s->file, path, &s->twin_why);
	if (s->twin_path)
		return;
	pd_close(&s->twin);
	memset(&s->twin, 0, sizeof(s->twin));
}

/* The code in a recording; of two halves that of ETE has the kernel's, too. */
static void open_code(struct v9_session *s)
{
	const struct pd_file *f = s->twin.half.unit == PD_AUXTRACE_CS_ETM ? &s->twin : &s->file;

	v9_embedded_open(&s->syms.embedded, f->map + f->sections[PD_CODE].offset, f->sections[PD_CODE].size);
}

static void read_twin(struct v9_session *s)
{
	int ret;

	s->first_info = s->nr_aux_types;
	ret = read_records(s, &s->twin);
	add_events(&s->file, &s->twin);
	if (!ret || s->status)
		return;
	s->status = ret;
	snprintf(s->broken, sizeof(s->broken), "has another half that %.170s", s->twin.err);
}

int v9_session_open(struct v9_session *s, const char *path, const struct v9_syms_opts *opts)
{
	struct pd_event e;
	uint64_t maps = 0;
	int ret;

	memset(s, 0, sizeof(*s));
	s->tasks.strtab = &s->strtab;
	s->cgroups.strtab = &s->strtab;
	v9_syms_init(&s->syms, &s->strtab, opts);
	ret = pd_open(&s->file, path);
	if (ret)
		return ret;
	pd_string(&s->file, PD_ARCH, s->arch, sizeof(s->arch));
	open_twin(s, path);
	open_code(s);
	for (size_t i = 0; i < s->file.nr_attrs; i++)
		s->syms.has_data_maps |= s->file.attrs[i].attr.mmap_data;
	while (pd_section_next(&s->file, PD_ANDROID_INIT_MAP, &maps, &e))
		take(s, &e);
	s->status = read_records(s, &s->file);
	if (s->status)
		snprintf(s->broken, sizeof(s->broken), "%s", s->file.err);
	if (s->twin_path)
		read_twin(s);
	free(s->split);
	s->split = NULL;
	v9_syms_simpleperf(&s->syms, s->file.map + s->file.sections[PD_ANDROID_FILE].offset,
		      s->file.sections[PD_ANDROID_FILE].size, false);
	v9_syms_simpleperf(&s->syms, s->file.map + s->file.sections[PD_ANDROID_FILE2].offset,
		      s->file.sections[PD_ANDROID_FILE2].size, true);
	find_period(s);
	find_trigger(s);
	v9_interval_read(&s->interval, s->file.map + s->file.sections[PD_REGISTERS].offset,
			 s->file.sections[PD_REGISTERS].size);
	v9_topology_read(&s->topology, section_of(s, PD_NRCPUS), section_of(s, PD_CPU_TOPOLOGY),
			 section_of(s, PD_NUMA_TOPOLOGY));
	v9_topology_memory(&s->topology, section_of(s, PD_MEM_TOPOLOGY));
	v9_cgroups_section(&s->cgroups, s->file.map + s->file.sections[PD_CGROUPS].offset,
			   s->file.sections[PD_CGROUPS].size);
	s->nr_counts = v9_check_read(s->file.map + s->file.sections[PD_COUNTS].offset, s->file.sections[PD_COUNTS].size,
				     &s->counts, s->count, V9_CHECK_EVENTS);
	read_cores(s);
	one_core(s);
	seal(s);
	return 0;
}

void v9_session_info_free(struct v9_session *s)
{
	free(s->aux_types);
	free(s->units);
	free(s->cores);
}

void v9_session_close(struct v9_session *s)
{
	for (size_t i = 0; i < s->nr_queues; i++) {
		free(s->queues[i].chunks);
		free(s->queues[i].cuts);
		v9_spe_dec_delete(s->queues[i].dec);
	}
	free(s->queues);
	v9_session_info_free(s);
	free(s->samples);
	free(s->cuts);
	free(s->extents);
	free(s->jits);
	v9_topology_free(&s->topology);
	v9_strtab_free(&s->queue_ids);
	v9_tasks_free(&s->tasks);
	v9_cgroups_free(&s->cgroups);
	v9_waits_free(&s->waits);
	v9_heap_free(&s->heap);
	v9_syms_free(&s->syms);
	v9_strtab_free(&s->strtab);
	free(s->twin_path);
	free(s->twin_why);
	pd_close(&s->twin);
	pd_close(&s->file);
}

bool v9_session_midr(const struct v9_session *s, uint32_t cpu, uint64_t *midr)
{
	bool same = s->nr_cores;

	for (size_t i = 0; i < s->nr_cores; i++) {
		if (cpu != V9_NO_TASK && s->cores[i].cpu == cpu) {
			*midr = s->cores[i].midr;
			return true;
		}
		same &= s->cores[i].midr == s->cores[0].midr;
	}
	if (same && (cpu == V9_NO_TASK || s->cores[0].cpu == V9_NO_TASK)) {
		*midr = s->cores[0].midr;
		return true;
	}
	return false;
}

void v9_session_rewind(struct v9_queue *q)
{
	v9_spe_dec_delete(q->dec);
	q->dec = v9_spe_dec_new();
	if (!q->dec)
		v9_out_of_memory();
	q->chunk = 0;
	q->cut = 0;
	q->done = 0;
	q->fed = 0;
}

static bool has_kind(const struct v9_session *s, enum v9_kind_id kind)
{
	for (size_t i = 0; i < s->nr_aux_types; i++)
		if (v9_kind_of_type(s->aux_types[i]) == kind)
			return true;
	return false;
}

/* By the type that perf gives the trace of another unit. s390 is big-endian: its files are not opened. */
static const char *const other_units[] = {
	[1] = "holds a trace of Intel PT, not SPE", [2] = "holds a trace of Intel BTS, not SPE",
	[6] = "holds a trace of HiSilicon's PCIe unit (PTT), not SPE",
	[7] = "holds a dispatch trace log of POWER, not SPE",
};

const char *v9_session_no_spe(const struct v9_session *s)
{
	const uint32_t unit = s->nr_aux_types ? s->aux_types[0] : 0;

	if (has_kind(s, V9_KIND_SPE))
		return NULL;
	if (has_kind(s, V9_KIND_ETE))
		return "holds an ETE or CoreSight trace, not SPE";
	if (s->nr_aux_types)
		return unit < sizeof(other_units) / sizeof(other_units[0]) && other_units[unit] ?
		       other_units[unit] : "holds a trace of a unit that this program does not know, not SPE";
	if (s->arch[0] && strcmp(s->arch, "aarch64") && strcmp(s->arch, "arm64"))
		return "was recorded on another architecture and holds no SPE data";
	return "holds no SPE data: record with -e arm_spe_0//";
}

const char *v9_session_no_ete(const struct v9_session *s)
{
	if (has_kind(s, V9_KIND_ETE))
		return s->unusable;
	return "holds no trace of instructions: record with -e cs_etm//u";
}

const char *v9_session_no_branches(const struct v9_session *s)
{
	return s->nr_stacks ? NULL : "holds no branch stacks: record with -j any,u";
}

/* Maximum bytes of a feed, so that little of the file is in memory */
#define FEED_MAX		(UINT64_C(1) << 20)

/* Feeds the decoder up to the end of a chunk, or to the next loss. */
static bool feed(struct v9_session *s, struct v9_queue *q)
{
	const struct v9_chunk *c;
	uint64_t at, n;

	if (q->chunk < q->nr_chunks)
		v9_session_pass(s, q->done - q->fed);
	while (q->chunk < q->nr_chunks && q->done == q->chunks[q->chunk].size) {
		q->chunk++;
		q->done = 0;
	}
	if (q->chunk == q->nr_chunks)
		return false;
	c = &q->chunks[q->chunk];
	at = c->offset + q->done;
	n = c->size - q->done;
	while (q->cut < q->nr_cuts && q->cuts[q->cut] <= at) {
		if (q->cuts[q->cut] == at)
			v9_spe_dec_end(q->dec, V9_SPE_SKIP_LOSS);
		q->cut++;
	}
	if (q->cut < q->nr_cuts && q->cuts[q->cut] - at < n)
		n = q->cuts[q->cut] - at;
	if (n > FEED_MAX)
		n = FEED_MAX;
	v9_spe_dec_feed(q->dec, c->p + q->done, n, at);
	q->fed = q->done;
	q->done += n;
	return true;
}

bool v9_session_counts_cycles(const struct v9_session *s)
{
	for (size_t i = 0; i < s->nr_units; i++)
		if (s->units[i].magic == PD_ETE_MAGIC &&
		    s->units[i].word[PD_ETE_TRCCONFIGR] & V9_TRCCONFIGR_CCI)
			return true;
	return false;
}

bool v9_session_has_times(const struct v9_session *s)
{
	for (size_t i = 0; i < s->nr_units && s->has_conv; i++)
		if (s->units[i].magic == PD_ETE_MAGIC &&
		    s->units[i].word[PD_ETE_TRCCONFIGR] & V9_TRCCONFIGR_TS &&
		    s->units[i].word[PD_ETE_TS_SOURCE] == V9_TRFCR_EL1_TS_VIRTUAL)
			return true;
	return false;
}

int v9_session_next(struct v9_session *s, struct v9_queue *q, struct v9_spe_rec *rec)
{
	int r;

	while (!(r = v9_spe_dec_next(q->dec, rec))) {
		if (feed(s, q))
			continue;
		v9_spe_dec_end(q->dec, q->nr_cuts && q->cuts[q->nr_cuts - 1] ==
					v9_spe_dec_offset(q->dec) ?
					V9_SPE_SKIP_LOSS : q->end_why);
		return 0;
	}
	if (r < 0)
		v9_out_of_memory();
	return 1;
}

bool v9_session_time(const struct v9_session *s, uint64_t count, uint64_t *ns)
{
	if (!s->has_conv)
		return false;
	*ns = v9_conv_time(&s->conv, count);
	return true;
}

static const char idle[] = "swapper";	/* consumers compare the address */

const char *v9_session_comm(struct v9_session *s, uint32_t tid, uint64_t time, uint32_t *pid)
{
	const struct v9_life *l = tid == V9_NO_TASK ? NULL : v9_tasks_life(&s->tasks, tid, time);

	if (!l)
		return tid ? NULL : idle;
	if (pid && l->pid != V9_NO_TASK)
		*pid = l->pid;
	return l->comm ? l->comm : tid ? NULL : idle;
}

void v9_session_place(struct v9_session *s, const struct v9_queue *q,
		      const struct v9_spe_rec *rec, struct v9_sampled *out)
{
	const struct v9_run *run = NULL;

	*out = (struct v9_sampled){ .rec = rec, .cpu = q->cpu, .pid = V9_NO_TASK,
				    .tid = V9_NO_TASK, .sources = q->sources };
	if (rec->has & V9_SPE_REC_TS)
		out->has_time = v9_session_time(s, rec->ts, &out->time);
	if (v9_record_task(rec, &out->tid)) {
		/* the record has the task */
	} else if (q->cpu == V9_NO_TASK) {
		out->tid = q->tid;
	} else if (out->has_time) {
		run = v9_tasks_running(&s->tasks, q->cpu, out->time);
		if (run) {
			out->tid = run->tid;
			out->pid = run->pid;
		}
	}
	/* Without a time: the last known name of the thread */
	out->comm = v9_session_comm(s, out->tid, v9_sampled_time(out), &out->pid);
	if (out->pid == V9_NO_TASK)
		out->pid = out->tid;
}

void v9_session_sampled(struct v9_session *s, const struct pd_event *e, struct v9_sampled *out)
{
	*out = (struct v9_sampled){ .cpu = V9_NO_TASK, .pid = V9_NO_TASK, .tid = V9_NO_TASK,
				    .has_time = e->has & PD_HAS_TIME, .time = e->time };
	if (e->has & PD_HAS_CPU)
		out->cpu = e->cpu;
	if (!(e->has & PD_HAS_TASK))
		return;
	out->pid = e->pid;
	out->tid = e->tid;
	out->comm = v9_session_comm(s, e->tid, v9_sampled_time(out), NULL);
}
