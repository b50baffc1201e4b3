// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading captures: a valid one, each field; the same cut at each eighth byte; the same with random
 * bytes changed. There must be no crash, no hang, no read outside the file, and no byte of AUX data
 * that is not accounted for.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tap.h"
#include "capture.h"

#include <v9trace/gen/spe_source.h>

#include "../../tools/util.c"
#include "../../tools/capture/elf.h"
#include "../../tools/capture/session.h"

/* A stub: each object has one function. Another test covers ELF files. */
long v9_elf_load(struct v9_dso *dso, const char *path, struct v9_strtab *strtab)
{
	struct v9_func *f;

	(void)path;
	f = v9_vec_add(dso->funcs, dso->nr_funcs);
	*f = (struct v9_func){ .start = 0x1000, .end = 0x2000,
			       .name = v9_strtab_put(strtab, "work", 4) };
	return 1;
}

long v9_elf_load_image(struct v9_dso *dso, const void *image, size_t size, struct v9_strtab *strtab)
{
	(void)dso;
	(void)image;
	(void)size;
	(void)strtab;
	return -ENOEXEC;
}

unsigned int v9_elf_id(const void *image, size_t size, uint8_t id[V9_BUILD_ID_MAX])
{
	(void)image;
	(void)size;
	(void)id;
	return 0;
}

unsigned int v9_elf_notes_id(const void *notes, size_t size, uint8_t id[V9_BUILD_ID_MAX])
{
	(void)notes;
	(void)size;
	(void)id;
	return 0;
}

/* A stub: the captures have no code. */
const uint8_t *v9_embedded_keyed(struct v9_embedded *k, enum pd_code_kind kind, uint64_t addr,
				 size_t *size)
{
	(void)k;
	(void)kind;
	(void)addr;
	*size = 0;
	return NULL;
}

void v9_embedded_open(struct v9_embedded *k, const uint8_t *p, size_t n)
{
	(void)p;
	(void)n;
	memset(k, 0, sizeof(*k));
}

const struct pd_code_part *v9_embedded_part(struct v9_embedded *k, enum pd_code_kind kind, size_t i,
					    const uint8_t **bytes)
{
	(void)k;
	(void)kind;
	(void)i;
	(void)bytes;
	return NULL;
}

const uint8_t *v9_embedded_file(struct v9_embedded *k, const uint8_t *id, unsigned int id_size,
				size_t *size)
{
	(void)k;
	(void)id;
	(void)id_size;
	(void)size;
	return NULL;
}

void v9_embedded_close(struct v9_embedded *k)
{
	(void)k;
}

bool v9_elf_symbol(const char *path, const char *name, uint64_t *addr)
{
	(void)path;
	(void)name;
	(void)addr;
	return false;
}

void v9_heap_free(struct v9_heap *h)
{
	(void)h;
}

void v9_funcs_sort(struct v9_dso *dso)
{
	(void)dso;
}

static char path[64];	/* of a file in memory, as there are thousands of versions */
static int memfd;

static void write_file(const void *p, size_t n)
{
	if (ftruncate(memfd, 0) || pwrite(memfd, p, n, 0) != (ssize_t)n)
		abort();
}

/* PC, events, load, total latency, timestamp; padded to 64 */
static void record(uint8_t *p, uint64_t pc, uint64_t ts)
{
	memset(p, 0, 64);
	p[0] = 0xb0;
	memcpy(p + 1, &pc, 8);
	memcpy(p + 9, "\x52\x16\x00\x49\x00\x98\x20\x00", 8);
	p[17] = 0x71;
	memcpy(p + 18, &ts, 8);
}

#define USER(a) ((a) | 1ull << 63)
#define RECORDS 8

/*
 * Two CPUs. On CPU 0 thread 10 (parent) until 2000 ns, then thread 11, which
 * was forked at 1500 and executes another program at 2500.
 */
static void make(struct cap *c)
{
	uint8_t aux[RECORDS * 64];

	cap_open(c, CAP_SAMPLE);
	cap_info(c, PD_AUXTRACE_ARM_SPE);
	cap_time_conv(c, 1000);
	c->time = 0;
	cap_comm(c, 10, 10, "parent", 0);
	cap_mmap2(c, 10, 0x400000, 0x10000, 0, "/bin/parent", NULL);
	c->pid = c->tid = 10;
	c->cpu = 0;
	c->time = 1000;
	cap_switch_to(c, 10, 10);
	c->time = 1500;
	cap_fork(c, 11, 11, 10, 10);
	c->time = 2000;
	cap_switch_to(c, 11, 11);
	c->time = 2500;
	c->pid = c->tid = 11;
	cap_comm(c, 11, 11, "child", 1);
	cap_mmap2(c, 11, 0x500000, 0x10000, 0x1000, "/bin/child", NULL);
	/* counts 0, 16, ... are 1000 ns, 1256 ns, ... */
	for (unsigned int i = 0; i < RECORDS; i++)
		record(aux + i * 64, USER(i < 7 ? 0x401080 : 0x500040), i * 16);
	cap_aux_record(c, 0, 3 * 64, 0);
	cap_aux(c, 0, CAP_NONE, 0, aux, 3 * 64);
	cap_aux_record(c, 3 * 64, 5 * 64, PERF_AUX_FLAG_COLLISION);
	cap_aux(c, 0, CAP_NONE, 3 * 64, aux + 3 * 64, 5 * 64);
	/* CPU 1: the size of its data is no multiple of 8, and more data follows the rounding. */
	cap_aux(c, 1, CAP_NONE, 0x10000, aux, 64 + 26);
	cap_aux(c, 1, CAP_NONE, 0x10000 + 64 + 26, aux + 64 + 26, 38);
	c->arch = "aarch64";
	c->event = "arm_spe_0//";
	cap_close(c);
}

struct found {
	int open;
	uint64_t records, bytes, skipped;
	struct v9_sampled first[16];
	struct v9_spe_rec rec[16];
	struct v9_place place[16];
	struct v9_session s;
};

/* Reads everything, as report does. Returns false if a byte is not accounted for. */
/* The kind may be damaged, so all queues are decoded. */
static uint64_t stream_bytes(const struct v9_session *s)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < V9_KINDS; i++)
		sum += s->aux[i].bytes - s->aux[i].rounding;
	return sum;
}

static bool take(struct found *f)
{
	struct v9_spe_rec rec;

	f->records = f->bytes = f->skipped = 0;
	f->open = v9_session_open(&f->s, path, NULL);
	if (f->open)
		return f->s.file.err[0];
	for (size_t i = 0; i < f->s.nr_queues; i++) {
		struct v9_queue *q = &f->s.queues[i];

		while (v9_session_next(&f->s, q, &rec)) {
			struct v9_sampled at;
			struct v9_place place;

			v9_session_place(&f->s, q, &rec, &at);
			v9_syms_find(&f->s.syms, at.pid, at.time, rec.pc.addr, &place);
			if (f->records < 16) {
				f->first[f->records] = at;
				f->rec[f->records] = rec;
				f->place[f->records] = place;
			}
			f->records++;
		}
		f->bytes += v9_spe_account_bytes(v9_spe_dec_account(q->dec));
		for (unsigned int k = 0; k < V9_SPE_SKIPS; k++)
			f->skipped += v9_spe_dec_account(q->dec)->skipped[k];
	}
	return f->bytes == stream_bytes(&f->s) &&
	       (!f->s.status || f->s.broken[0] || f->s.file.missing);
}

static void test_good(void)
{
	static struct cap c;
	static struct found f;

	make(&c);
	write_file(c.b, c.n);
	tap_ok(take(&f), "good_accounts");
	tap_eq(f.open, 0, "good_opens");
	tap_eq(f.s.status, 0, "good_is_whole");
	tap_eq(f.records, RECORDS + 2, "good_records");
	tap_eq(f.s.period, 1024, "good_period");
	tap_eq(f.s.aux[V9_KIND_SPE].collision, 1, "good_collision");
	tap_eq(f.s.aux[V9_KIND_SPE].rounding, 6, "good_rounding_is_no_stream");
	tap_eq(f.skipped, 0, "good_nothing_skipped");
	tap_ok(!strcmp(f.s.arch, "aarch64"), "good_arch");
	tap_eq(f.rec[3].offset, 3 * 64, "good_offset_of_the_stream");
	tap_eq(f.first[1].time, 1000 + 256, "good_time_converted");
	/* by switches: 1000..1768 parent, 2024.. child */
	tap_ok(f.first[0].tid == 10 && f.first[0].cpu == 0, "task_by_switch");
	tap_ok(f.first[3].comm && !strcmp(f.first[3].comm, "parent"), "comm_by_time");
	tap_ok(f.first[4].tid == 11, "task_after_switch");
	tap_ok(f.first[4].comm && !strcmp(f.first[4].comm, "parent"), "comm_inherited_until_exec");
	tap_ok(f.first[6].comm && !strcmp(f.first[6].comm, "child"), "comm_after_exec");
	tap_ok(f.first[8].tid == V9_NO_TASK, "task_unknown_on_other_cpu");
	tap_ok(f.place[0].func && f.place[0].offset == 0x80, "symbol");
	tap_ok(!strcmp(f.place[4].dso_name, "/bin/parent"), "map_inherited_by_fork");
	tap_ok(!strcmp(f.place[6].dso_name, "[unknown]"), "map_gone_after_exec");
	tap_ok(!strcmp(f.place[7].dso_name, "/bin/child") && f.place[7].offset == 0x40,
	       "map_of_the_new_program");
	v9_session_close(&f.s);
	free(c.b);
}

/* shows: SPE-ME12 */
static void test_loss_mark(void)
{
	static struct cap c;
	static struct found f;
	uint8_t aux[128];

	/* The unit lost the end of record 0; record 1 follows without a gap in the stream. */
	record(aux, USER(0x1000), 1);
	record(aux + 12, USER(0x2000), 2);
	cap_open(&c, CAP_SAMPLE);
	cap_info(&c, PD_AUXTRACE_ARM_SPE);
	c.cpu = 3;
	cap_aux(&c, 3, CAP_NONE, 0, aux, 12 + 64);
	cap_aux_record(&c, 0, 12, PERF_AUX_FLAG_PARTIAL | PERF_AUX_FLAG_TRUNCATED);
	cap_aux_record(&c, 12, 64, 0);
	cap_close(&c);
	write_file(c.b, c.n);
	tap_ok(take(&f), "loss_accounts");
	tap_eq(f.records, 1, "loss_record_not_mixed");
	tap_ok(f.records == 1 && f.rec[0].pc.addr == 0x2000 && f.rec[0].ts == 2, "loss_next_is_whole");
	tap_eq(v9_spe_dec_account(f.s.queues[0].dec)->skipped[V9_SPE_SKIP_LOSS], 12, "loss_bytes_named");
	v9_session_close(&f.s);
	free(c.b);
}

static void test_context(void)
{
	/* PC at EL0, context of EL1 and of EL2 */
	static const uint8_t aux[] = {
		0xb0, 0, 0x10, 0, 0, 0, 0, 0, 0x80, 0x64, 9, 0, 0, 0, 0x65, 10, 0, 0, 0, 0x42, 2, 1,
		0xb0, 0, 0x10, 0, 0, 0, 0, 0, 0x80, 0x64, 9, 0, 0, 0, 0x42, 2, 1,
		/* 0 at EL0 is no id: the buffer is of thread 12 */
		0xb0, 0, 0x10, 0, 0, 0, 0, 0, 0x80, 0x65, 0, 0, 0, 0, 0x42, 2, 1,
		/* 0 at EL2 is the idle task */
		0xb0, 0, 0x10, 0, 0, 0, 0, 0, 0xc0, 0x65, 0, 0, 0, 0, 0x42, 2, 1,
	};
	static struct cap c;
	static struct found f;
	uint64_t midr;

	cap_open(&c, CAP_SAMPLE);
	cap_info_v2(&c, 0x410fd4f0, 2);
	cap_comm(&c, 9, 9, "guest", 0);
	cap_comm(&c, 7, 10, "host", 0);
	cap_aux(&c, CAP_NONE, 12, 0, aux, sizeof(aux));
	cap_close(&c);
	write_file(c.b, c.n);
	tap_ok(take(&f) && f.records == 4, "context_records");
	tap_eq(f.s.spe_version, 2, "metadata_version");
	tap_ok(v9_session_midr(&f.s, 1, &midr) && midr == 0x410fd4f0, "metadata_midr");
	tap_ok(v9_session_midr(&f.s, V9_NO_TASK, &midr) && midr == 0x410fd4f0,
	       "metadata_midr_of_all");
	tap_ok(!v9_session_midr(&f.s, 2, &midr), "metadata_midr_of_none");
	tap_ok(f.first[0].tid == 10 && f.first[0].pid == 7, "context_el2_first");
	tap_eq(f.first[1].tid, 9, "context_el1_else");
	tap_eq(f.first[2].tid, 12, "context_none_thread_of_the_buffer");
	tap_ok(f.first[3].tid == 0 && f.first[3].comm && !strcmp(f.first[3].comm, "swapper"),
	       "context_idle");
	v9_session_close(&f.s);
	free(c.b);
}

/* The meaning of a data source depends on the core of the record. */
static void test_cores(void)
{
	static const uint8_t aux[] = { 0x42, 2, 1 };
	static struct cap c = { .other_midr = 0xc00fac43 };
	static struct found f;
	uint64_t midr;

	cap_open(&c, CAP_SAMPLE);
	cap_info_v2(&c, 0x410fd4f0, 3);
	cap_aux(&c, 0, CAP_NONE, 0, aux, sizeof(aux));
	cap_aux(&c, 2, CAP_NONE, 0, aux, sizeof(aux));
	cap_aux(&c, CAP_NONE, 12, 0, aux, sizeof(aux));
	cap_aux(&c, 3, CAP_NONE, 0, aux, sizeof(aux));
	cap_close(&c);
	write_file(c.b, c.n);
	tap_ok(take(&f) && f.s.nr_queues == 4, "cores_buffers");
	tap_ok(v9_session_midr(&f.s, 1, &midr) && midr == 0x410fd4f0, "cores_first_kind");
	tap_ok(v9_session_midr(&f.s, 2, &midr) && midr == 0xc00fac43, "cores_second_kind");
	tap_ok(!v9_session_midr(&f.s, V9_NO_TASK, &midr), "cores_not_alike");
	tap_eq(f.s.queues[0].sources, V9_SPE_SET_ARM, "cores_sources_first_kind");
	tap_eq(f.s.queues[1].sources, V9_SPE_SET_AMPERE, "cores_sources_second_kind");
	tap_eq(f.s.queues[2].sources, V9_SPE_SET_UNKNOWN, "cores_sources_of_a_thread");
	tap_eq(f.s.queues[3].sources, V9_SPE_SET_UNKNOWN, "cores_sources_of_a_strange_cpu");
	v9_session_close(&f.s);

	/* Metadata of version 1 has no MIDR; the file has that of one CPU. */
	c.cpuid = "0x00000000410fd0c1";
	cap_open(&c, CAP_SAMPLE);
	cap_info(&c, PD_AUXTRACE_ARM_SPE);
	cap_aux(&c, 5, CAP_NONE, 0, aux, sizeof(aux));
	cap_close(&c);
	write_file(c.b, c.n);
	tap_ok(take(&f) && v9_session_midr(&f.s, 5, &midr) && midr == 0x410fd0c1, "cores_cpuid");
	tap_eq(f.s.queues[0].sources, V9_SPE_SET_ARM, "cores_sources_by_cpuid");
	v9_session_close(&f.s);
	free(c.b);
}

/* The section of registers, which may have more CPUs than any machine, and which may be cut */
static void test_registers(void)
{
	static uint8_t section[sizeof(struct pd_registers) + (V9_CPUS_MOST + 2) * sizeof(struct pd_register)];
	const struct pd_registers head = { .version = PD_REGISTERS_VERSION, .count = V9_CPUS_MOST + 2 };
	struct v9_core *cores = NULL;
	size_t nr = 0;

	memcpy(section, &head, sizeof(head));
	for (uint32_t i = 0; i < head.count; i++) {
		const struct pd_register r = { .cpu = i, .encoding = PD_MIDR_EL1, .mask = 0xffff, .value = 0x10001 + i };

		memcpy(section + sizeof(head) + i * sizeof(r), &r, sizeof(r));
	}
	v9_cores_read(&cores, &nr, section, sizeof(section));
	tap_eq(nr, V9_CPUS_MOST, "registers_of_too_many_cpus");
	tap_ok(cores[9].cpu == 9 && cores[9].midr == 10, "registers_without_unknown_bits");
	nr = 0;
	v9_cores_read(&cores, &nr, section, sizeof(head) + 3 * sizeof(struct pd_register) - 1);
	tap_eq(nr, 2, "registers_cut");
	free(cores);
}

/* An event by frequency has no period; the second event, whose PMU is that of the metadata, has one. */
static void test_frequency(void)
{
	static const struct perf_event_attr attr = {
		.type = 9, .sample_type = CAP_SAMPLE, .sample_id_all = 1, .freq = 1, .sample_freq = 4000,
	};
	static struct cap c = { .attr = &attr };
	static struct found f;

	cap_open(&c, CAP_SAMPLE);
	cap_info(&c, PD_AUXTRACE_ARM_SPE);
	cap_close(&c);
	write_file(c.b, c.n);
	tap_ok(take(&f), "event_by_frequency");
	tap_eq(f.s.period, 0, "no_period_of_a_frequency");
	v9_session_close(&f.s);
	free(c.b);
}

static void put(struct cap *c, size_t at, const void *p, size_t n)
{
	memcpy(c->b + at, p, n);
}

/* Each file is refused with one line that names the error. */
static void test_refused(void)
{
	static const struct {
		const char *name;
		size_t at, n;
		const char *bytes;
		int ret;
		const char *message;
	} rows[] = {
		{ "not_a_capture", 0, 8, "\x7f" "ELF\0\0\0\0", -EINVAL, "not a perf.data" },
		{ "big_endian", 0, 8, "PERFILE2", 0, NULL },
		{ "other_order", 0, 8, "2ELIFREP", -ENOTSUP, "big-endian" },
		{ "old_layout", 0, 8, "PERFFILE", -ENOTSUP, "2009" },
		{ "piped", 8, 8, "\x10\0\0\0\0\0\0\0", -EBADMSG, "pipe" },
		{ "attr_size", 16, 8, "\x01\0\0\0\0\0\0\0", -EBADMSG, "offset 16" },
		{ "attrs_outside", 24, 8, "\0\0\0\0\0\0\0\x7f", -ENODATA, "attributes" },
		{ "attrs_odd", 32, 8, "\x07\0\0\0\0\0\0\0", -EBADMSG, "offset 24" },
		{ "data_outside", 40, 8, "\0\0\0\0\0\0\0\x7f", -ENODATA, "before its data" },
	};
	static struct cap c;
	static struct found f;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		make(&c);
		put(&c, rows[i].at, rows[i].bytes, rows[i].n);
		write_file(c.b, c.n);
		take(&f);
		tap_ok(f.open == rows[i].ret &&
		       (!rows[i].message || strstr(f.s.file.err, rows[i].message)), "refused_%s",
		       rows[i].name);
		v9_session_close(&f.s);
	}
	write_file("", 0);
	take(&f);
	tap_ok(f.open == -ENODATA && strstr(f.s.file.err, "empty"), "refused_empty");
	v9_session_close(&f.s);
	path[0] = '\0';
	take(&f);
	tap_ok(f.open == -ENOENT, "refused_absent");
	path[0] = '/';
	v9_session_close(&f.s);
	free(c.b);
}

/* A corrupt file is not reported as truncated, and the offset is named. */
static void test_corrupt(void)
{
	static struct cap c;
	static struct found f;
	const uint16_t size = 4;
	char where[32];
	size_t at;

	make(&c);
	at = c.data + 32;	/* the record after AUXTRACE_INFO */
	put(&c, at + offsetof(struct pd_event_header, size), &size, sizeof(size));
	write_file(c.b, c.n);
	snprintf(where, sizeof(where), "offset %zu", at);
	take(&f);
	tap_ok(!f.open && f.s.status == -EBADMSG && strstr(f.s.broken, where), "corrupt_record_size");
	v9_session_close(&f.s);

	make(&c);
	/* the recorder was killed */
	memset(c.b + offsetof(struct pd_header, data.size), 0, 8);
	write_file(c.b, c.data + 32 + 56);
	take(&f);
	tap_ok(!f.open && !f.s.status && f.s.file.unfinished, "unfinished_is_read_to_the_end");
	v9_session_close(&f.s);
	free(c.b);
}

static void test_cuts(void)
{
	static struct cap c;
	static struct found f;
	size_t bad = 0, most = 0, shrank = 0;

	make(&c);
	for (size_t n = 0; n < c.n; n += 8) {
		write_file(c.b, n);
		bad += !take(&f);
		/* A longer part of the file never gives fewer records. */
		shrank += f.records < most;
		if (f.records > most)
			most = f.records;
		if (f.open)
			bad += !f.s.file.err[0];
		else
			bad += n < c.data ? 1 : 0;
		v9_session_close(&f.s);
	}
	tap_eq(bad, 0, "cut_at_every_8_bytes");
	tap_eq(shrank, 0, "cut_reads_as_far_as_it_goes");
	tap_eq(most, RECORDS + 2, "cut_late_has_all_records");
	free(c.b);
}

static void test_mutations(void)
{
	static struct cap c;
	static struct found f;
	size_t bad = 0, opened = 0;
	uint8_t *copy;

	make(&c);
	copy = malloc(c.n);
	srand(3);
	for (int round = 0; round < 6000; round++) {
		static const uint8_t likely[] = { 0x00, 0x01, 0x07, 0x08, 0x30, 0x47, 0x7f, 0x80,
						  0xff };

		memcpy(copy, c.b, c.n);
		for (int k = 1 + rand() % 6; k; k--) {
			/* the header and the record heads more often than the payload */
			size_t at = rand() % 4 ? (size_t)rand() % c.n : (size_t)rand() % 320;

			copy[at] = rand() % 2 ? (uint8_t)rand() :
						likely[(size_t)rand() % sizeof(likely)];
		}
		write_file(copy, c.n);
		bad += !take(&f);
		opened += !f.open;
		v9_session_close(&f.s);
	}
	tap_eq(bad, 0, "mutated_bytes");
	tap_ok(opened > 1000, "mutated_many_still_open");
	free(copy);
	free(c.b);
}

/* Names of thread @tid and of the object at @addr of process @pid at @time */
static bool named(struct found *f, uint32_t tid, uint64_t time, const char *want)
{
	const char *comm = v9_session_comm(&f->s, tid, time, NULL);

	return comm && !strcmp(comm, want);
}

static bool mapped(struct found *f, uint32_t pid, uint64_t time, uint64_t addr, const char *want)
{
	struct v9_place place;

	v9_syms_find(&f->s.syms, pid, time, addr, &place);
	return !strcmp(place.dso_name, want);
}

/* Records of equal times count in the order of the file. */
static void test_equal_times(void)
{
	static struct cap c;
	static struct found f;
	char name[16];
	bool forked = true, renamed = true;

	cap_open(&c, CAP_SAMPLE);
	cap_info(&c, PD_AUXTRACE_ARM_SPE);
	c.time = 1000;
	cap_comm(&c, 10, 10, "parent", 0);
	c.time = 1500;
	for (uint32_t tid = 20; tid < 40; tid++) {
		/* A new thread gets a name; a thread with the number of another is new. */
		snprintf(name, sizeof(name), "task%u", tid);
		if (tid & 1)
			cap_comm(&c, 10, tid, name, 0);
		cap_fork(&c, 10, tid, 10, 10);
		if (!(tid & 1))
			cap_comm(&c, 10, tid, name, 0);
	}
	/* The last of these programs is the one that runs. */
	for (unsigned int i = 0; i < 20; i++) {
		snprintf(name, sizeof(name), "/bin/%u", i);
		cap_comm(&c, 50, 50, name, 1);
		cap_mmap2(&c, 50, 0x400000, 0x1000, 0, name, NULL);
	}
	cap_close(&c);
	write_file(c.b, c.n);
	tap_ok(take(&f) && !f.open, "equal_times_open");
	for (uint32_t tid = 20; tid < 40; tid++) {
		snprintf(name, sizeof(name), "task%u", tid);
		if (tid & 1)
			forked &= named(&f, tid, 1500, "parent");
		else
			renamed &= named(&f, tid, 1500, name);
	}
	tap_ok(forked, "equal_times_comm_then_fork");
	tap_ok(renamed, "equal_times_fork_then_comm");
	tap_ok(mapped(&f, 50, 1500, 0x400010, "/bin/19"), "equal_times_last_program");
	v9_session_close(&f.s);
	free(c.b);
}

/* A forked process has its own mappings, and those of its parent at the time of the fork. */
static void test_child_maps(void)
{
	static struct cap c;
	static struct found f;

	cap_open(&c, CAP_SAMPLE);
	cap_info(&c, PD_AUXTRACE_ARM_SPE);
	c.time = 1000;
	cap_mmap2(&c, 10, 0x400000, 0x10000, 0, "/bin/both", NULL);
	cap_mmap2(&c, 10, 0x500000, 0x10000, 0, "/lib/old", NULL);
	c.time = 1500;
	cap_fork(&c, 11, 11, 10, 10);
	c.time = 1600;
	cap_mmap2(&c, 11, 0x600000, 0x10000, 0, "/lib/child", NULL);
	c.time = 1700;
	cap_mmap2(&c, 10, 0x500000, 0x10000, 0, "/lib/new", NULL);
	cap_mmap2(&c, 10, 0x600000, 0x10000, 0, "/lib/parent", NULL);
	cap_close(&c);
	write_file(c.b, c.n);
	tap_ok(take(&f) && !f.open, "child_maps_open");
	tap_ok(mapped(&f, 11, 1800, 0x400010, "/bin/both"), "child_has_maps_of_parent");
	tap_ok(mapped(&f, 11, 1800, 0x500010, "/lib/old"), "child_keeps_what_parent_remapped");
	tap_ok(mapped(&f, 11, 1800, 0x600010, "/lib/child"), "child_has_its_own_map");
	tap_ok(mapped(&f, 10, 1800, 0x500010, "/lib/new") &&
	       mapped(&f, 10, 1800, 0x600010, "/lib/parent"), "parent_has_its_new_maps");
	tap_ok(mapped(&f, 10, 1650, 0x500010, "/lib/old"), "parent_had_its_old_map");
	v9_session_close(&f.s);
	free(c.b);
}

/*
 * A counter of 16 bits with 16 ns a count: 0x1fff0 was read when the file was begun. Values below
 * 0xfff0 are from after the next wrap.
 */
static void test_short_counter(void)
{
	static const uint64_t conv[6] = { 4, 256, 1000, 0x1fff0, 0xffff, 0x101 };
	static const struct {
		uint64_t count, ns;
		const char *name;
	} rows[] = {
		{ 0xfff0, 1000 + 0x1fff00, "at_its_start" },
		{ 0xfff8, 1000 + 0x1fff80, "before_its_wrap" },
		{ 0x0000, 1000 + 0x200000, "wrapped" },
		{ 0x0010, 1000 + 0x200100, "after_its_wrap" },
		{ 0xffef, 1000 + 0x2ffef0, "at_its_end" },
	};
	static struct cap c;
	static struct found f;
	uint64_t ns;

	cap_open(&c, CAP_SAMPLE);
	cap_info(&c, PD_AUXTRACE_ARM_SPE);
	cap_record(&c, PD_REC_TIME_CONV, 0, conv, sizeof(conv));
	cap_close(&c);
	write_file(c.b, c.n);
	tap_ok(take(&f) && !f.open, "short_counter_opens");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		tap_ok(v9_session_time(&f.s, rows[i].count, &ns) && ns == rows[i].ns,
		       "short_counter_%s", rows[i].name);
	v9_session_close(&f.s);
	free(c.b);
}

/* What the kernel lost is the number in the record, not the number of records. */
static void test_lost_records(void)
{
	static const uint64_t lost[2][2] = { { 100, 1000 }, { 101, 7 } };
	static const uint64_t samples[2] = { 30, 5 };
	static struct cap c;
	static struct found f;

	cap_open(&c, CAP_SAMPLE);
	cap_info(&c, PD_AUXTRACE_ARM_SPE);
	for (unsigned int i = 0; i < 2; i++) {
		cap_record(&c, PERF_RECORD_LOST, 0, lost[i], sizeof(lost[i]));
		cap_record(&c, PERF_RECORD_LOST_SAMPLES, 0, &samples[i], sizeof(samples[i]));
	}
	cap_close(&c);
	write_file(c.b, c.n);
	tap_ok(take(&f) && !f.open, "lost_opens");
	tap_eq(f.s.lost.lost_records, 1007, "lost_records");
	tap_eq(f.s.lost.lost_samples, 35, "lost_samples");
	v9_session_close(&f.s);
	free(c.b);
}

/* Each flag of an AUX record has its own count. */
static void test_aux_flags(void)
{
	static const uint64_t flags[] = {
		PERF_AUX_FLAG_TRUNCATED, PERF_AUX_FLAG_PARTIAL, PERF_AUX_FLAG_PARTIAL,
		PERF_AUX_FLAG_PARTIAL | PERF_AUX_FLAG_COLLISION, PERF_AUX_FLAG_COLLISION,
		PERF_AUX_FLAG_COLLISION, PERF_AUX_FLAG_COLLISION, PERF_AUX_FLAG_COLLISION,
	};
	static struct cap c;
	static struct found f;

	cap_open(&c, CAP_SAMPLE);
	cap_info(&c, PD_AUXTRACE_ARM_SPE);
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		cap_aux_record(&c, 64 * i, 64, flags[i]);
	cap_close(&c);
	write_file(c.b, c.n);
	tap_ok(take(&f) && !f.open, "aux_flags_open");
	tap_eq(f.s.aux[V9_KIND_SPE].truncated, 1, "aux_truncated");
	tap_eq(f.s.aux[V9_KIND_SPE].partial, 3, "aux_partial");
	tap_eq(f.s.aux[V9_KIND_SPE].collision, 5, "aux_collision");
	v9_session_close(&f.s);
	free(c.b);
}

int main(void)
{
	memfd = memfd_create("capture", MFD_CLOEXEC);
	if (memfd < 0)
		return 1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", memfd);
	test_good();
	test_loss_mark();
	test_context();
	test_cores();
	test_registers();
	test_frequency();
	test_equal_times();
	test_child_maps();
	test_short_counter();
	test_lost_records();
	test_aux_flags();
	test_refused();
	test_corrupt();
	test_cuts();
	test_mutations();
	return tap_done();
}
