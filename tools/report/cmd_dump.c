// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace dump: prints each record of the file and each packet of its AUX data. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <v9trace/base.h>

#include "../commands.h"
#include "../capture/file.h"
#include "../capture/embedded.h"
#include "../capture/records.h"
#include "../util.h"
#include "dump.h"
#include "json.h"
#include "kinds.h"
#include "options.h"

#define LINE_BYTES	10	/* the longest packet of fixed size */

static uint32_t u32_at(const struct pd_event *e, unsigned int at)
{
	return at + 4 <= e->size ? v9_load_le32(e->p + at) : 0;
}

static uint64_t u64_at(const struct pd_event *e, unsigned int at)
{
	return at + 8 <= e->size ? v9_load_le64(e->p + at) : 0;
}

static void text_at(const struct pd_event *e, unsigned int at)
{
	struct v9_put put;
	char buf[4096];

	if (at >= e->size)
		return;
	snprintf(buf, sizeof(buf), "%.*s", (int)(e->size - at), (const char *)e->p + at);
	fputc(' ', stdout);
	v9_put_begin(&put, stdout);
	v9_text_clean(&put, buf, 0);
	v9_put_flush(&put);
}

static void mapping(const struct pd_event *e)
{
	printf(" %d/%d: [0x%" PRIx64 "(0x%" PRIx64 ") @ 0x%" PRIx64 "]",
	       (int)u32_at(e, MMAP_PID), (int)u32_at(e, MMAP_TID), u64_at(e, MMAP_ADDR),
	       u64_at(e, MMAP_LEN), u64_at(e, MMAP_PGOFF));
}

static void on_mmap(const struct pd_event *e)
{
	mapping(e);
	text_at(e, MMAP_NAME);
}

static void on_mmap2(const struct pd_event *e)
{
	mapping(e);
	printf(" prot %u", u32_at(e, MMAP2_PROT));
	text_at(e, MMAP2_NAME);
	if (!(e->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) || e->size < MMAP2_PROT)
		return;
	printf(" build-id ");
	for (unsigned int i = 0; i < e->p[MMAP2_ID_SIZE] && i < MMAP2_PROT - MMAP2_ID; i++)
		printf("%02x", e->p[MMAP2_ID + i]);
}

static void on_comm(const struct pd_event *e)
{
	printf("%s %d/%d:", e->misc & PERF_RECORD_MISC_COMM_EXEC ? " exec" : "",
	       (int)u32_at(e, COMM_PID), (int)u32_at(e, COMM_TID));
	text_at(e, COMM_NAME);
}

static void on_cgroup(const struct pd_event *e)
{
	printf(" %" PRIu64 ":", u64_at(e, CGROUP_ID));
	text_at(e, CGROUP_PATH);
}

static void on_fork(const struct pd_event *e)
{
	printf(" %d/%d of %d/%d", (int)u32_at(e, FORK_PID), (int)u32_at(e, FORK_TID),
	       (int)u32_at(e, FORK_PPID), (int)u32_at(e, FORK_PTID));
}

static void on_lost(const struct pd_event *e)
{
	printf(" %" PRIu64, u64_at(e, LOST_COUNT));
}

static void on_lost_samples(const struct pd_event *e)
{
	printf(" %" PRIu64, u64_at(e, LOST_SAMPLES_COUNT));
}

static void on_aux(const struct pd_event *e)
{
	const uint64_t flags = u64_at(e, AUX_FLAGS);

	printf(" offset 0x%" PRIx64 " size 0x%" PRIx64 " flags 0x%" PRIx64 "%s%s%s%s%s",
	       u64_at(e, AUX_OFFSET), u64_at(e, AUX_SIZE), flags,
	       flags & PERF_AUX_FLAG_TRUNCATED ? " TRUNCATED" : "",
	       flags & PERF_AUX_FLAG_OVERWRITE ? " OVERWRITE" : "",
	       flags & PERF_AUX_FLAG_PARTIAL ? " PARTIAL" : "",
	       flags & PERF_AUX_FLAG_COLLISION ? " COLLISION" : "",
	       (flags & PD_AUX_FLAG_FORMAT) == PD_AUX_FLAG_RAW ? " RAW" : "");
}

static void on_itrace_start(const struct pd_event *e)
{
	printf(" %d/%d", (int)u32_at(e, ITRACE_PID), (int)u32_at(e, ITRACE_TID));
}

static void on_switch(const struct pd_event *e)
{
	printf(" %s", e->misc & PERF_RECORD_MISC_SWITCH_OUT ? "out" : "in");
}

static void on_switch_cpu_wide(const struct pd_event *e)
{
	printf(" %s %d/%d", e->misc & PERF_RECORD_MISC_SWITCH_OUT ? "out, next" : "in, before",
	       (int)u32_at(e, SWITCH_PID), (int)u32_at(e, SWITCH_TID));
}

static void on_sample(const struct pd_event *e)
{
	struct pd_event copy = *e;
	struct pd_sample s;

	if (pd_sample(&copy, &s)) {
		printf(" not readable with its event's format");
		return;
	}
	printf(" %d/%d time %" PRIu64 " %s ip 0x%" PRIx64 " raw %u bytes", (int)copy.pid,
	       (int)copy.tid, copy.time, copy.attr->name, s.ip, s.raw_size);
	if (s.has_branches)
		printf(" branches %" PRIu64, s.nr_branches);
	if (s.rest)
		printf(" and %" PRIu64 " bytes more", s.rest);
}

static void on_output_id(const struct pd_event *e)
{
	printf(" 0x%" PRIx64, u64_at(e, OUTPUT_ID));
}

#define INFO(field)	offsetof(struct pd_auxtrace_info, field)
#define AUXTRACE(field)	offsetof(struct pd_auxtrace, field)
#define CONV(field)	offsetof(struct pd_time_conv, field)

static void on_auxtrace_info(const struct pd_event *e)
{
	printf(" %s", v9_kinds[v9_kind_of_type(u32_at(e, INFO(type)))].auxtrace);
	for (unsigned int at = INFO(priv); at + 8 <= e->size; at += 8)
		printf(" 0x%" PRIx64, u64_at(e, at));
}

static void on_auxtrace(const struct pd_event *e)
{
	printf(" size 0x%" PRIx64 " offset 0x%" PRIx64 " reference 0x%" PRIx64
	       " idx %u tid %d cpu %d", u64_at(e, AUXTRACE(size)), u64_at(e, AUXTRACE(offset)),
	       u64_at(e, AUXTRACE(reference)), u32_at(e, AUXTRACE(idx)),
	       (int)u32_at(e, AUXTRACE(tid)), (int)u32_at(e, AUXTRACE(cpu)));
	if (e->payload_missing)
		printf(" (%" PRIu64 " bytes are not in the file)", e->payload_missing);
}

static void on_auxtrace_error(const struct pd_event *e)
{
	const unsigned int at = offsetof(struct pd_auxtrace_error, message);

	if (e->size < at)
		return;
	printf(" cpu %d code %u: %.*s", (int)u32_at(e, offsetof(struct pd_auxtrace_error, cpu)),
	       u32_at(e, offsetof(struct pd_auxtrace_error, code)),
	       (int)strnlen((const char *)e->p + at, e->size - at), (const char *)e->p + at);
}

static void on_time_conv(const struct pd_event *e)
{
	printf(" shift %" PRIu64 " mult %" PRIu64 " zero %" PRIu64 " cycles %" PRIu64
	       " mask 0x%" PRIx64, u64_at(e, CONV(shift)), u64_at(e, CONV(mult)),
	       u64_at(e, CONV(zero)), u64_at(e, CONV(cycles)), u64_at(e, CONV(mask)));
}

static const struct record_type {
	uint32_t type;
	const char *name;
	void (*print)(const struct pd_event *e);
} types[] = {
	{ PERF_RECORD_MMAP, "MMAP", on_mmap },
	{ PERF_RECORD_LOST, "LOST", on_lost },
	{ PERF_RECORD_COMM, "COMM", on_comm },
	{ PERF_RECORD_EXIT, "EXIT", on_fork },
	{ PERF_RECORD_THROTTLE, "THROTTLE", NULL },
	{ PERF_RECORD_UNTHROTTLE, "UNTHROTTLE", NULL },
	{ PERF_RECORD_FORK, "FORK", on_fork },
	{ PERF_RECORD_READ, "READ", NULL },
	{ PERF_RECORD_SAMPLE, "SAMPLE", on_sample },
	{ PERF_RECORD_MMAP2, "MMAP2", on_mmap2 },
	{ PERF_RECORD_AUX, "AUX", on_aux },
	{ PERF_RECORD_ITRACE_START, "ITRACE_START", on_itrace_start },
	{ PERF_RECORD_LOST_SAMPLES, "LOST_SAMPLES", on_lost_samples },
	{ PERF_RECORD_SWITCH, "SWITCH", on_switch },
	{ PERF_RECORD_SWITCH_CPU_WIDE, "SWITCH_CPU_WIDE", on_switch_cpu_wide },
	{ PERF_RECORD_NAMESPACES, "NAMESPACES", NULL },
	{ PERF_RECORD_KSYMBOL, "KSYMBOL", NULL },
	{ PERF_RECORD_BPF_EVENT, "BPF_EVENT", NULL },
	{ PERF_RECORD_CGROUP, "CGROUP", on_cgroup },
	{ PERF_RECORD_TEXT_POKE, "TEXT_POKE", NULL },
	{ PERF_RECORD_AUX_OUTPUT_HW_ID, "AUX_OUTPUT_HW_ID", on_output_id },
	{ PD_REC_HEADER_ATTR, "HEADER_ATTR", NULL },
	{ PD_REC_HEADER_EVENT_TYPE, "HEADER_EVENT_TYPE", NULL },
	{ PD_REC_HEADER_TRACING_DATA, "HEADER_TRACING_DATA", NULL },
	{ PD_REC_HEADER_BUILD_ID, "HEADER_BUILD_ID", NULL },
	{ PD_REC_FINISHED_ROUND, "FINISHED_ROUND", NULL },
	{ PD_REC_ID_INDEX, "ID_INDEX", NULL },
	{ PD_REC_AUXTRACE_INFO, "AUXTRACE_INFO", on_auxtrace_info },
	{ PD_REC_AUXTRACE, "AUXTRACE", on_auxtrace },
	{ PD_REC_AUXTRACE_ERROR, "AUXTRACE_ERROR", on_auxtrace_error },
	{ PD_ANDROID_KERNEL_SYMBOL, "KERNEL_SYMBOL", NULL },
	{ PD_ANDROID_SPLIT, "SPLIT", NULL },
	{ PD_ANDROID_SPLIT_END, "SPLIT_END", NULL },
	{ PD_REC_THREAD_MAP, "THREAD_MAP", NULL },
	{ PD_REC_CPU_MAP, "CPU_MAP", NULL },
	{ PD_REC_EVENT_UPDATE, "EVENT_UPDATE", NULL },
	{ PD_REC_TIME_CONV, "TIME_CONV", on_time_conv },
	{ PD_REC_HEADER_FEATURE, "HEADER_FEATURE", NULL },
	{ PD_REC_COMPRESSED, "COMPRESSED", NULL },
	{ PD_REC_FINISHED_INIT, "FINISHED_INIT", NULL },
	{ PD_REC_COMPRESSED2, "COMPRESSED2", NULL },
};

static void print_event(const struct pd_event *e)
{
	const struct record_type *t = NULL;
	struct pd_event_header h;

	for (size_t i = 0; i < V9_ARRAY_SIZE(types) && !t; i++)
		if (types[i].type == e->type)
			t = &types[i];
	/* e->size excludes the sample ID. The size in the header includes it. */
	memcpy(&h, e->p, sizeof(h));
	printf("0x%" PRIx64 " [0x%x]", e->offset, h.size);
	if (e->has & PD_HAS_CPU)
		printf(" cpu %u", e->cpu);
	if (e->has & PD_HAS_TIME)
		printf(" %" PRIu64, e->time);
	if (t)
		printf(" %s:", t->name);
	else
		printf(" TYPE %u:", e->type);
	if (t && t->print)
		t->print(e);
	fputc('\n', stdout);
}

void v9_dump_bytes(uint64_t offset, const uint8_t *p, size_t n)
{
	printf(".  %08" PRIx64 ": ", offset);
	for (size_t i = 0; i < LINE_BYTES; i++) {
		if (i < n)
			printf(" %02x", p[i]);
		else
			printf("   ");
	}
	printf("  ");
}

static int dump_raw(const char *path, const struct v9_kind *kind)
{
	struct v9_dump d = { .s = NULL };
	void *map, *state = NULL;
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		v9_error("%s cannot be read: %s", path,
			 fd >= 0 && errno == 0 ? "not a regular file" : strerror(errno));
		if (fd >= 0)
			close(fd);
		return V9_EXIT_FAILED;
	}
	if (!st.st_size) {
		close(fd);
		v9_error("%s is empty", path);
		return V9_EXIT_FAILED;
	}
	map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (map == MAP_FAILED) {
		v9_error("%s cannot be mapped: %s", path, strerror(errno));
		return V9_EXIT_FAILED;
	}
	d.chunk = (struct v9_chunk){ .p = map, .size = (uint64_t)st.st_size };
	kind->dump(&d, &state);
	if (kind->dump_end)
		kind->dump_end(state);
	munmap(map, (size_t)st.st_size);
	return V9_EXIT_OK;
}

/* Prints the section of registers. Entries beyond its end are ignored. */
static void print_registers(const struct pd_file *f)
{
	const struct pd_range range = f->sections[PD_REGISTERS];
	const uint8_t *p = f->map + range.offset;
	struct pd_registers head;
	struct pd_register r;

	if (range.size < sizeof(head))
		return;
	memcpy(&head, p, sizeof(head));
	if (head.version != PD_REGISTERS_VERSION)
		return;
	for (uint64_t i = 0; i < head.count && sizeof(head) + (i + 1) * sizeof(r) <= range.size; i++) {
		memcpy(&r, p + sizeof(head) + i * sizeof(r), sizeof(r));
		printf("register: cpu %u S%u_%u_C%u_C%u_%u %#" PRIx64 " of mask %#" PRIx64 "\n",
		       r.cpu, r.encoding >> 19 & 3, r.encoding >> 16 & 7, r.encoding >> 12 & 15,
		       r.encoding >> 8 & 15, r.encoding >> 5 & 7, r.value, r.mask);
	}
}

static void dump_chunk(const struct v9_session *s, const struct pd_event *e, void **states)
{
	const struct v9_dump d = {
		.s = s,
		.chunk = { e->payload, e->payload_size, u64_at(e, AUXTRACE(offset)) },
		.cpu = u32_at(e, AUXTRACE(cpu)), .tid = u32_at(e, AUXTRACE(tid)),
	};
	const enum v9_kind_id id = v9_session_kind(s, e);

	if (v9_kinds[id].dump)
		v9_kinds[id].dump(&d, &states[id]);
}

static int dump_file(const char *path)
{
	struct v9_session s = { .status = 0 };
	void *states[V9_KINDS] = { NULL };
	bool any = false;
	struct pd_event e;
	int r = pd_open(&s.file, path);

	if (r) {
		v9_error("%s %s", path, s.file.err);
		pd_close(&s.file);
		return V9_EXIT_FAILED;
	}
	while ((r = pd_next(&s.file, &e)) > 0 && !ferror(stdout)) {
		any = true;
		print_event(&e);
		if (e.type == PD_REC_AUXTRACE_INFO)
			v9_session_info(&s, &e);
		if (e.type == PD_REC_AUXTRACE)
			dump_chunk(&s, &e, states);
	}
	v9_for_each_kind(k)
		if (k->dump_end)
			k->dump_end(states[k - v9_kinds]);
	print_registers(&s.file);
	v9_session_info_free(&s);
	s.status = r < 0 ? r : s.file.missing ? -ENODATA : 0;
	if (s.status)
		snprintf(s.broken, sizeof(s.broken), "%s", s.file.err);
	fflush(stdout);
	r = v9_capture_status(&s, path, any);
	pd_close(&s.file);
	return r;
}

/* Prints what was written, and why there is no code of the kernel. */
static void tell_saved(struct v9_embedded *k, unsigned int saved, const char *path,
		       const char *dir)
{
	static const char *const names[] = { "vDSO", "kernel code", "kallsyms", "modules", "files" };
	const uint8_t *why = NULL;
	const struct pd_code_part *part = v9_embedded_part(k, PD_CODE_NO_KERNEL, 0, &why);
	const char *gap = "";

	printf("%s: ", dir);
	for (size_t i = 0; i < V9_ARRAY_SIZE(names); i++)
		if (saved & 1u << i) {
			printf("%s%s", gap, names[i]);
			gap = ", ";
		}
	printf("%s of %s\n", *gap ? "" : "nothing", path);
	if (saved & V9_SAVED_KERNEL)
		return;
	printf("%s holds no code of the kernel: ", path);
	for (uint64_t i = 0; part && i < part->size && why[i]; i++)
		putchar(why[i] < ' ' || why[i] == 0x7f ? '?' : why[i]);
	printf("%s\n", part ? "" : "it was not traced");
}

/* Writes the code in the capture to files for other tools. */
static int save_code(const char *path, const char *dir)
{
	struct pd_file f;
	struct v9_embedded embedded;
	unsigned int saved = 0;
	int r = pd_open(&f, path);

	if (r) {
		v9_error("%s %s", path, f.err);
		pd_close(&f);
		return V9_EXIT_FAILED;
	}
	v9_embedded_open(&embedded, f.map + f.sections[PD_CODE].offset, f.sections[PD_CODE].size);
	if (!embedded.nr)
		v9_error("%s holds no code", path);
	r = embedded.nr ? v9_embedded_save(&embedded, dir, &saved) : -ENODATA;
	if (!r)
		tell_saved(&embedded, saved, path, dir);
	if (embedded.damaged)
		v9_error("%s: the code in it is damaged", path);
	r = r || embedded.damaged ? V9_EXIT_FAILED : V9_EXIT_OK;
	v9_embedded_close(&embedded);
	pd_close(&f);
	return r;
}

static const struct option longopts[] = {
	{ "code", required_argument, NULL, 'c' },
	{ "raw", optional_argument, NULL, 'r' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 }
};

static void usage(void)
{
	printf("usage: v9trace dump [--raw[=spe|ete]] [FILE]\n"
	       "       v9trace dump --code DIR [FILE]\n"
	       "Prints each record of a capture (default: " V9_DEFAULT_CAPTURE
	       ") and each packet of its SPE or ETE data.\n"
	       "  --raw[=KIND]   FILE is such data alone, as it stood in the buffer: spe (default)\n"
	       "                 or ete\n"
	       "  --code DIR     write the code that the capture holds, below DIR: the vDSO as in\n"
	       "                 perf's cache, kcore, kallsyms and modules as perf record --kcore\n"
	       "  -h, --help     this\n");
}

/* Returns the kind of raw data with that name, or NULL after an error. @name NULL: the first. */
static const struct v9_kind *raw_kind(const char *name)
{
	const char *names[V9_KINDS];
	size_t n = 0;
	char room[64];

	v9_for_each_kind(k) {
		if (!k->dump)
			continue;
		if (!name || !strcmp(k->name, name))
			return k;
		names[n++] = k->name;
	}
	v9_error("--raw=%s: %s", name, v9_one_of(room, sizeof(room), names, n));
	return NULL;
}

int cmd_dump(int argc, char **argv)
{
	const struct v9_kind *raw = NULL;
	struct v9_options o;
	const char *code = NULL;
	int opt, status;

	v9_options_init(&o, argv, 0);
	while ((opt = getopt_long(argc, argv, "h", longopts, NULL)) != -1) {
		if (opt == 'h') {
			usage();
			return V9_EXIT_OK;
		}
		if (opt == 'c') {
			code = optarg;
			continue;
		}
		if (opt != 'r')
			return V9_EXIT_USAGE;
		raw = raw_kind(optarg);
		if (!raw)
			return V9_EXIT_USAGE;
	}
	status = v9_options_file(&o, argc, argv);
	if (!status)
		status = code ? save_code(o.path, code) :
			 raw ? dump_raw(o.path, raw) : dump_file(o.path);
	if (fflush(stdout) || ferror(stdout)) {
		v9_error("cannot write: %s", strerror(errno));
		return V9_EXIT_FAILED;
	}
	return status;
}
