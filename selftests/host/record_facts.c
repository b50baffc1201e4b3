// SPDX-License-Identifier: GPL-2.0-only
/*
 * The records that v9trace record makes itself, compared whole: the clock, the kernel and its modules, BPF programs,
 * tasks and their mappings. And what it looks up for a mapping that the kernel reports. Files of /proc and /lib are
 * below a directory that the test makes.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "descriptors.h"
#include "said.h"
#include "tap.h"

#define BELOW "/tmp/v9facts.XXXXXX"
#include "below.h"

static int fake_uname(struct utsname *u)
{
	strcpy(u->release, "6.12-test");
	return 0;
}

#define fopen(path, mode) fopen_below(path, mode)
#define opendir(path) opendir_below(path)
#define v9_read_file(path, size) file_below(path, size)
#define v9_read_line(path) line_below(path)
#define uname(u) fake_uname(u)
#include "../../tools/collect/sideband.c"
#undef fopen
#undef opendir
#undef v9_read_file
#undef v9_read_line
#undef uname

static struct v9_object object;

struct v9_object *v9_objects_get(struct v9_objects *objects, const char *name, bool kernel)
{
	(void)objects;
	say("object %s%s\n", name, kernel ? " of the kernel" : "");
	return &object;
}

static enum v9_where where;

enum v9_where v9_files_where(int pid)
{
	say("where %d\n", pid);
	return where;
}

static struct v9_id file_id;

void v9_files_open(struct v9_files *fs, const struct v9_task_map *m, struct v9_id *id)
{
	(void)fs;
	say("open %d %llx-%llx %s id %u:%02x\n", m->pid, (unsigned long long)m->start, (unsigned long long)m->end, m->name,
	    id->size, id->bytes[0]);
	if (!id->size)
		*id = file_id;
}

void v9_bpf_read(struct v9_bpf *b, uint32_t id, uint64_t time)
{
	(void)b;
	(void)id;
	(void)time;
}

static int programs;

void v9_bpf_read_all(struct v9_bpf *b)
{
	b->n = programs;
}

uint32_t v9_bpf_size(const struct v9_bpf *b, uint64_t addr)
{
	(void)b;
	return addr == 0xffff800081000000 ? 320 : addr == 0xffff800081000140 ? 1 : 0;
}

void v9_cgroup_log_thread(struct v9_cgroup_log *log, int pid, int tid, uint64_t time)
{
	(void)log;
	say("group %d/%d %llu\n", pid, tid, (unsigned long long)time);
}

void v9_jits_map(struct v9_jits *j, const struct v9_task_map *m)
{
	(void)j;
	say("jit %d %llx-%llx %s\n", m->pid, (unsigned long long)m->start, (unsigned long long)m->end, m->name);
}

static bool seen;

bool v9_files_seen(const struct v9_files *fs, const char *name, const struct v9_id *id)
{
	(void)fs;
	say("seen %s id %u:%02x\n", name, id->size, id->bytes[0]);
	return seen;
}

void v9_files_mark(struct v9_files *fs, const char *name, const struct v9_id *id)
{
	(void)fs;
	say("mark %s id %u:%02x\n", name, id->size, id->bytes[0]);
}

static struct perf_event_mmap_page page;

const struct perf_event_mmap_page *v9_rings_page(const struct v9_rings *r)
{
	(void)r;
	return &page;
}

/* Type, misc, size and words; a name is shown as text. The sample ID at the end is shown as its fields. */
static void say_record(const void *bytes, size_t size, size_t name, bool with_id)
{
	const struct perf_event_header *h = bytes;
	const uint8_t *p = bytes;
	const size_t end = size - (with_id ? sizeof(struct v9_sample_id) : 0);
	struct v9_sample_id id;
	uint64_t word;

	say("record %u misc %#x", h->type, h->misc);
	if (h->size != size || size % 8)
		say(" size %u of %zu", h->size, size);
	for (size_t at = 8; at + 8 <= name; at += 8) {
		memcpy(&word, p + at, 8);
		say(" %llx", (unsigned long long)word);
	}
	if (name < end)
		say(" '%s'", (const char *)p + name);
	if (name < end && name + ((strlen((const char *)p + name) + 8) & ~(size_t)7) != end)
		say(" padded?");
	if (with_id) {
		memcpy(&id, p + end, sizeof(id));
		say(" id %u/%u", id.pid, id.tid);
		if (id.time || id.cpu || id.reserved || id.id)
			say(" not 0");
	}
	say("\n");
}

void v9_writer_record(struct v9_writer *w, const void *bytes, size_t size)
{
	const struct perf_event_header *h = bytes;
	const size_t name = h->type == PERF_RECORD_MMAP ? 40 : h->type == PERF_RECORD_MMAP2 ? 72 :
			    h->type == PERF_RECORD_COMM ? 16 : h->type == PERF_RECORD_KSYMBOL ? 24 : size;
	const bool with_id = h->type < 64;

	tap_ok(!w, "no_writer");
	say_record(bytes, size, with_id && name == size ? size - sizeof(struct v9_sample_id) : name, with_id);
}

int v9_writer_put(struct v9_writer *w, const void *bytes, size_t size)
{
	const struct perf_event_header *h = bytes;
	uint64_t word[5];

	(void)w;
	memcpy(word, h + 1, sizeof(word));
	say("put %u size %zu of %u: %llu, %llu ring %llu cpu %lld task %lld\n", h->type, size, h->size,
		(unsigned long long)word[0],
	    (unsigned long long)word[1], (unsigned long long)word[2], (long long)word[3], (long long)word[4]);
	return 0;
}

static struct v9_objects objects;

static void test_clock(void)
{
	page = (struct perf_event_mmap_page){ .time_shift = 31, .time_mult = 7, .time_zero = 1ull << 40, .time_cycles = 12,
					      .time_mask = (1ull << 56) - 1, .cap_user_time_short = 1 };
	emit_clock(NULL, &page);
	expect_said("no_clock", "");
	page.cap_user_time_zero = 1;
	emit_clock(NULL, &page);
	expect_said("clock", "record 79 misc 0 1f 7 10000000000 c ffffffffffffff 101\n");
	page.cap_user_time_short = 0;
	emit_clock(NULL, &page);
	expect_said("old_clock", "record 79 misc 0 1f 7 10000000000 c ffffffffffffff 1\n");
}

/* An ID index has up to 2047 entries of 32 bytes. */
static void test_ids(void)
{
	struct v9_instance *inst = v9_alloc(2050 * sizeof(*inst));
	struct v9_event_spec ev[2] = { { .inst = inst, .insts = 2047 }, { .inst = inst + 2047, .insts = 3 } };
	const struct v9_rings r = { .ev = ev, .evs = 2 };
	struct v9_writer w = { .twin = NULL };

	for (int i = 0; i < 2050; i++)
		inst[i] = (struct v9_instance){ .id = (uint64_t)i + 5, .ring = i + 1, .cpu = i - 1, .tid = 7 - i };
	emit_ids(&w, &r);
	expect_said("ids", "put 69 size 65520 of 65520: 2047, 5 ring 1 cpu -1 task 7\n"
	       "put 69 size 112 of 112: 3, 2052 ring 2048 cpu 2046 task -2040\n");
	ev[1].insts = 0;
	emit_ids(&w, &r);
	expect_said("ids_of_one_record", "put 69 size 65520 of 65520: 2047, 5 ring 1 cpu -1 task 7\n");
	ev[0].insts = 0;
	emit_ids(&w, &r);
	expect_said("no_ids", "");
	free(inst);
}

#define KERNEL_MAP	"record 1 misc 0x1 ffffffff "	/* PID -1, TID 0 */

static void test_kernel(void)
{
	v9_sideband_kernel(NULL, &objects);
	expect_said("nothing_known", "object [kernel.kallsyms] of the kernel\n");
	/* From the first of each name, wherever a module has another one */
	put_below("/proc/kallsyms", "ffff800080000000 T _text\nffff800080001000 T _stext\nx\nffff800080003000 T text\n"
	     "ffff800080003000 T _e\nffff800080002000 D _etext\nffff800080009000 D _edata\nffff800090000000 t _text\t[mod]\n");
	v9_sideband_kernel(NULL, &objects);
	expect_said("kernel", KERNEL_MAP "ffff800080000000 9000 ffff800080000000 '[kernel.kallsyms]_text' id 0/0\n"
	       "object [kernel.kallsyms] of the kernel\n");
	/* Without data, or in front of the text, it ends with the text; without _text it begins with _stext. */
	put_below("/proc/kallsyms", "ffff800080001000 T _stext\nffff800080000000 D _edata\nffff800080002000 T _etext\n");
	v9_sideband_kernel(NULL, &objects);
	expect_said("text", KERNEL_MAP "ffff800080001000 1000 ffff800080001000 '[kernel.kallsyms]_stext' id 0/0\n"
	       "object [kernel.kallsyms] of the kernel\n");
	put_below("/proc/kallsyms", "0000000000000000 T _text\n0000000000000000 T _stext\n0000000000000000 T _etext\n");
	v9_sideband_kernel(NULL, &objects);
	expect_said("hidden", "object [kernel.kallsyms] of the kernel\n");
	put_below("/proc/kallsyms", "ffff800080001000 T _stext\nffff800080001000 T _etext\n");
	v9_sideband_kernel(NULL, &objects);
	expect_said("empty", "object [kernel.kallsyms] of the kernel\n");

	/* Modules: "-" in the name of a file is "_". What is not in modules.dep has no file. */
	put_below("/proc/modules", "ab_c 16384 0 - Live 0xffff80007b000000 (OE)\nab 4096 1 ab_c, Live 0xffff80007c000000\n"
	     "hidden 4096 0 - Live 0x0000000000000000\nbad\nloose 8192 0 - Live 0xffff80007d000000\n");
	put_below("/lib/modules/6.12-test/modules.dep",
		"kernel/fs/ab.ko.xz: kernel/x/ab-c.ko\nkernel/x/ab-c.ko:\nkernel/loosely.ko:\n");
	v9_sideband_kernel(NULL, &objects);
	expect_said("modules", "object [kernel.kallsyms] of the kernel\n"
	       KERNEL_MAP "ffff80007b000000 4000 0 '/lib/modules/6.12-test/kernel/x/ab-c.ko' id 0/0\n"
	       "object /lib/modules/6.12-test/kernel/x/ab-c.ko of the kernel\n"
	       KERNEL_MAP "ffff80007c000000 1000 0 '/lib/modules/6.12-test/kernel/fs/ab.ko.xz' id 0/0\n"
	       "object /lib/modules/6.12-test/kernel/fs/ab.ko.xz of the kernel\n"
	       KERNEL_MAP "ffff80007d000000 2000 0 '[loose]' id 0/0\nobject [loose] of the kernel\n");

	/* BPF programs, if there are any */
	put_below("/proc/modules", "");
	put_below("/proc/kallsyms",
		"ffff800081000000 t bpf_prog_1_a\t[bpf]\nffff800081000000 t other\t[mod]\nffff800081000140 t b\t[bpf]\n"
	     "ffff800081000200 t bpf_of_no_size\t[bpf]\nffff800081000140\t[bpf]\nffff800081000140 t \t[bpf]\n");
	v9_sideband_kernel(NULL, &objects);
	expect_said("no_bpf", "object [kernel.kallsyms] of the kernel\n");
	programs = 1;
	v9_sideband_kernel(NULL, &objects);
	expect_said("bpf", "object [kernel.kallsyms] of the kernel\n"
	       "record 17 misc 0x1 ffff800081000000 100000140 'bpf_prog_1_a' id 0/0\n"
	       "record 17 misc 0x1 ffff800081000140 100000001 'b' id 0/0\n");
}

static void make_task(int pid, int ppid, int tid, const char *comm)
{
	char path[64], text[128];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", pid, tid);
	put_below(path, comm);
	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	snprintf(text, sizeof(text), "Name:\tx\nTgid:\t%d\nNgid:\t0\nPid:\t%d\nPPid:\t%d\n", pid, tid, ppid);
	put_below(path, text);
}

static void test_task(void)
{
	struct v9_cgroup_log log = { .mount = NULL };
	char *gone;

	v9_sideband_task(NULL, 50, &objects, &log);
	expect_said("no_task", "");
	make_task(50, 4, 50, "eight_by\n");
	make_task(50, 4, 51, "t\n");
	put_below("/proc/50/task/x/comm", "no thread\n");
	put_below("/proc/50/maps", "400000-401000 r-xp 00001000 fe:0a 1234567890123 /bin/a b\n"
	     "401000-402000 r--p 00000000 fe:0a 12 /bin/a\n500000-502000 rwxs 00002000 00:01 2 /memfd:x (deleted)\n"
	     "600000-601000 --xp 00000000 00:00 0\n7ff000-800000 r-xp 00000000 00:00 0                  [vdso]\n"
	     "900000-901000 r-xp 00000000 00:00 0 /no inode\n");
	where = V9_HERE;
	v9_sideband_task(NULL, 51, &objects, &log);
	expect_said("task", "where 50\n"
	       "record 7 misc 0 400000032 400000032 0 id 50/50\nrecord 3 misc 0 3200000032 'eight_by' id 50/50\n"
	       "group 50/50 0\n"
	       "record 7 misc 0 3200000032 3200000033 0 id 50/51\nrecord 3 misc 0 3300000032 't' id 50/51\ngroup 50/51 0\n"
	       "jit 50 400000-401000 /bin/a b\nobject /bin/a b\n"
	       "record 10 misc 0x2 3200000032 400000 1000 1000 a000000fe 11f71fb04cb 0 200000005 '/bin/a b' id 50/50\n"
	       "jit 50 500000-502000 /memfd:x (deleted)\nobject /memfd:x (deleted)\n"
	       "record 10 misc 0x2 3200000032 500000 2000 2000 100000000 2 0 100000007 '/memfd:x (deleted)' id 50/50\n"
	       "jit 50 600000-601000 \n"
	       "record 10 misc 0x2 3200000032 600000 1000 0 0 0 0 200000004 '//anon' id 50/50\n"
	       "jit 50 7ff000-800000 [vdso]\n"
	       "record 10 misc 0x2 3200000032 7ff000 1000 0 0 0 0 200000005 '[vdso]' id 50/50\n"
	       "jit 50 900000-901000 /no inode\n"
	       "record 10 misc 0x2 3200000032 900000 1000 0 0 0 0 200000005 '/no inode' id 50/50\n");
	/* In a container: its files are opened, and the build-id takes the place of device and inode. */
	where = V9_ELSEWHERE;
	file_id = (struct v9_id){ .size = 20, .bytes = { 0xa1, 0xa2, 0xa3, 0xa4, [19] = 0xb4 } };
	put_below("/proc/50/maps", "400000-401000 r-xp 00001000 fe:0a 12 /bin/app\n600000-601000 r-xp 00000000 00:00 0 /anon\n");
	gone = below("/proc/50/task/51");
	tap_remove(gone);
	free(gone);
	gone = below("/proc/51");
	tap_remove(gone);
	free(gone);
	v9_sideband_task(NULL, 50, &objects, &log);
	expect_said("container", "where 50\n"
	       "record 7 misc 0 400000032 400000032 0 id 50/50\nrecord 3 misc 0 3200000032 'eight_by' id 50/50\n"
	       "group 50/50 0\n"
	       "jit 50 400000-401000 /bin/app\nopen 50 400000-401000 /bin/app id 0:00\n"
	       "record 10 misc 0x4002 3200000032 400000 1000 1000 a4a3a2a100000014 0 b400000000000000 200000005 '/bin/app' "
	       "id 50/50\n"
	       "jit 50 600000-601000 /anon\n"
	       "record 10 misc 0x2 3200000032 600000 1000 0 0 0 0 200000005 '/anon' id 50/50\n");
	/* All tasks, but not what is no number */
	put_below("/proc/self/status", "\nTgid:\t50\n");
	where = V9_HERE;
	put_below("/proc/50/maps", "");
	v9_sideband_all_tasks(NULL, &objects, &log);
	expect_said("all", "where 50\n"
	       "record 7 misc 0 400000032 400000032 0 id 50/50\nrecord 3 misc 0 3200000032 'eight_by' id 50/50\n"
	       "group 50/50 0\n");
}

/* A mapping that the kernel reports: PID 7, 0x400000-0x401000. Returns the record that is to be written. */
static const struct perf_event_header *mapping(uint16_t misc, uint32_t prot, const char *name, uint8_t id_size)
{
	static union { struct mmap2_head m; uint8_t bytes[512]; } r;
	struct v9_record_counts counts = { 0 };

	memset(&r, 0, sizeof(r));
	object = (struct v9_object){ .name = NULL };
	r.m.header = (struct perf_event_header){ .type = PERF_RECORD_MMAP2, .misc = misc };
	r.m.pid = r.m.tid = 7;
	r.m.addr = 0x400000;
	r.m.len = 0x1000;
	r.m.prot = prot;
	r.m.id_size = id_size;
	memset(r.m.reserved, 0xee, sizeof(r.m.reserved));
	memset(r.m.id, 0xc3, sizeof(r.m.id));
	strcpy(r.m.name, name);
	r.m.header.size = (uint16_t)(sizeof(r.m) + ((strlen(name) + 8) & ~(size_t)7) + sizeof(struct v9_sample_id));
	memset(r.bytes + r.m.header.size - sizeof(struct v9_sample_id), 0, sizeof(struct v9_sample_id));
	return v9_sideband_resolve(&r.m.header, &counts, &objects);
}

static void test_mapping(void)
{
	const uint16_t user = PERF_RECORD_MISC_USER, known = user | PERF_RECORD_MISC_MMAP_BUILD_ID;
	const struct perf_event_header *h;
	struct mmap2_head m;

	where = V9_HERE;
	seen = false;
	mapping(user, PROT_READ, "/bin/data", 0);
	expect_said("data", "");
	mapping(PERF_RECORD_MISC_KERNEL, PROT_READ | PROT_EXEC, "/bin/module", 0);
	expect_said("of_the_kernel", "");
	mapping(user, PROT_EXEC, "//anon", 0);
	expect_said("anonymous", "jit 7 400000-401000 //anon\nobject //anon\n");
	mapping(user, PROT_EXEC, "anon_inode:x", 0);
	expect_said("no_name_of_a_file", "jit 7 400000-401000 anon_inode:x\n");
	mapping(user, PROT_EXEC, "[vdso]", 0);
	expect_said("vdso", "jit 7 400000-401000 [vdso]\nobject [vdso]\n");
	tap_eq(object.id.size, 0, "vdso_id");
	mapping(user, PROT_EXEC, "/bin/a", 20);
	expect_said("here", "jit 7 400000-401000 /bin/a\nwhere 7\nobject /bin/a\n");
	tap_eq(object.id.size, 0, "id_is_not_valid");
	mapping(known, PROT_EXEC, "/bin/a", 0);
	expect_said("empty_id", "jit 7 400000-401000 /bin/a\nwhere 7\nobject /bin/a\n");
	mapping(known, PROT_EXEC, "/bin/a", 21);
	expect_said("long_id", "jit 7 400000-401000 /bin/a\nwhere 7\nobject /bin/a\n");
	mapping(known, PROT_EXEC, "/bin/a", 20);
	expect_said("known", "jit 7 400000-401000 /bin/a\nseen /bin/a id 20:c3\nwhere 7\nmark /bin/a id 20:c3\nobject /bin/a\n");
	tap_ok(object.id.size == 20 && object.id.bytes[0] == 0xc3 && object.id.bytes[19] == 0xc3, "known_id");
	where = V9_GONE;
	mapping(known, PROT_EXEC, "/bin/a", 16);
	expect_said("gone", "jit 7 400000-401000 /bin/a\nseen /bin/a id 16:c3\nwhere 7\nobject /bin/a\n");
	tap_eq(object.id.size, 16, "gone_id");
	seen = true;
	where = V9_ELSEWHERE;
	mapping(known, PROT_EXEC, "/bin/a", 20);
	expect_said("seen", "jit 7 400000-401000 /bin/a\nseen /bin/a id 20:c3\nobject /bin/a\n");
	seen = false;
	h = mapping(known, PROT_EXEC, "/bin/a", 20);
	expect_said("known_elsewhere", "jit 7 400000-401000 /bin/a\nseen /bin/a id 20:c3\nwhere 7\nmark /bin/a id 20:c3\n"
	       "open 7 400000-401000 /bin/a id 20:c3\n");
	memcpy(&m, h, sizeof(m));
	tap_ok(m.id[0] == 0xc3 && m.reserved[0] == 0xee, "known_is_as_it_was");
	file_id = (struct v9_id){ .size = 0 };
	h = mapping(user, PROT_EXEC, "/bin/a", 0);
	expect_said("elsewhere_without_id", "jit 7 400000-401000 /bin/a\nwhere 7\nopen 7 400000-401000 /bin/a id 0:00\n");
	tap_eq(h->misc, user, "no_id");
	file_id = (struct v9_id){ .size = 8, .bytes = { 0xd1, [7] = 0xd8 } };
	h = mapping(user, PROT_EXEC, "/bin/long_name", 0);
	expect_said("elsewhere", "jit 7 400000-401000 /bin/long_name\nwhere 7\nopen 7 400000-401000 /bin/long_name id 0:00\n");
	say_record(h, h->size, 72, true);
	expect_said("id_of_the_file",
		"record 10 misc 0x4002 700000007 400000 1000 0 d100000008 d8000000 0 4 '/bin/long_name' id 0/0\n");
	/* The next one is not changed by it. */
	where = V9_HERE;
	h = mapping(user, PROT_EXEC, "/bin/a", 0);
	tap_eq(h->misc, user, "next");
}

int main(void)
{
	const int open_before = descriptors();

	if (!mkdtemp(root))
		return 1;
	test_clock();
	test_ids();
	test_kernel();
	test_task();
	say_nothing();
	test_mapping();
	tap_eq(descriptors(), open_before, "all_is_closed");
	tap_remove(root);
	return tap_done();
}
