// SPDX-License-Identifier: GPL-2.0-only
/*
 * record --heap: the functions that are found in an ELF file, the uprobes that are defined and removed, and the
 * events of these. Files of /proc, /lib and tracefs are below a directory that the test makes. heap.c has the offsets
 * of functions in real files.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptors.h"
#include "tap.h"

#define BELOW "/tmp/v9heap.XXXXXX"
#include "below.h"

static int open_below(const char *path, int flags);
static int access_below(const char *path, int mode);
static char *read_below(const char *path, size_t *size);
static ssize_t readlink_below(const char *path, char *to, size_t n);
static char *realpath_below(const char *path, char *to);
static ssize_t write_probe(int fd, const void *bytes, size_t n);
#define open(path, flags) open_below(path, flags)
#define access(path, mode) access_below(path, mode)
#define v9_read_file(path, size) read_below(path, size)
#define readlink(path, to, n) readlink_below(path, to, n)
#define realpath(path, to) realpath_below(path, to)
#define write(fd, bytes, n) write_probe(fd, bytes, n)
#define getpid() 1234
#include "../../tools/collect/heap.c"
#undef open
#undef access
#undef v9_read_file
#undef readlink
#undef realpath
#undef write
#undef getpid

static int open_below(const char *path, int flags)
{
	char *at = below(path);
	const int fd = open(at, flags);

	tap_ok(flags & O_CLOEXEC, "flags_of_open");
	free(at);
	return fd;
}

static int access_below(const char *path, int mode)
{
	char *at = below(path);
	const int ret = access(at, mode);

	free(at);
	return ret;
}

static char *read_below(const char *path, size_t *size)
{
	char *at = below(path), *text = v9_read_file(at, size);

	free(at);
	return text;
}

static ssize_t readlink_below(const char *path, char *to, size_t n)
{
	char *at = below(path);
	const ssize_t ret = readlink(at, to, n);

	free(at);
	return ret;
}

static char *realpath_below(const char *path, char *to)
{
	const char *own = strrchr(root, '/');	/* /tmp may be a link */
	char *at = below(path), *real = realpath(at, to), *name = real ? v9_strdup(strstr(real, own) + strlen(own)) : NULL;

	free(at);
	free(real);
	return name;
}

/* The number of the definition that fails, from 1, and why */
static int definitions, refused, refused_by;

static ssize_t write_probe(int fd, const void *bytes, size_t n)
{
	if (++definitions == refused) {
		errno = refused_by;
		return -1;
	}
	return write(fd, bytes, n);
}

static const char *tracefs = "/tracing";

const char *v9_tracefs_root(void)
{
	return tracefs;
}

static int elsewhere;

enum v9_where v9_files_where(int pid)
{
	return pid == elsewhere ? V9_ELSEWHERE : V9_HERE;
}

static char added[4096];
static int adds, add_fails;

int v9_spec_add(const char *text, struct v9_event_spec **events, int *n)
{
	tap_ok(events == (struct v9_event_spec **)added && n == &adds, "events");
	strcat(strcat(added, text), "\n");
	return ++adds == add_fails ? -ENOENT : 0;
}

static char *got(const char *path)
{
	char *text = read_below(path, NULL);

	return text ? text : v9_strdup("");
}

static void text_is(char *text, const char *want, const char *name)
{
	if (!tap_ok(!strcmp(text, want), "%s", name))
		tap_note("got %s", text);
	free(text);
}

/* An ELF file: two segments, of which the second is executable, and a table of symbols of these */
struct symbol {
	const char *name;
	uint64_t value;
	unsigned char type;
	uint16_t section;
};

static void put_elf(const char *path, const struct symbol *symbol, int n, uint16_t machine, uint32_t table)
{
	struct {
		Elf64_Ehdr eh;
		Elf64_Phdr ph[3];
		Elf64_Shdr sh[3];
		Elf64_Sym sym[16];
		char strings[512];
	} elf = { .eh = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT }, .e_type = ET_DYN, .e_machine = machine,
		.e_version = EV_CURRENT, .e_phoff = sizeof(Elf64_Ehdr), .e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 3, .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 3,
	} };
	size_t at = 1;
	char *file;
	FILE *f;

	elf.eh.e_shoff = (uint64_t)((char *)elf.sh - (char *)&elf);
	elf.ph[0] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_flags = PF_R, .p_vaddr = 0, .p_filesz = 0x9000, .p_memsz = 0x9000 };
	elf.ph[1] = (Elf64_Phdr){ .p_type = PT_NOTE, .p_flags = PF_R | PF_X, .p_vaddr = 0x10000, .p_offset = 0x100,
				  .p_filesz = 0x1000 };
	elf.ph[2] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = 0x10000, .p_offset = 0x8000,
				  .p_filesz = 0x1000, .p_memsz = 0x2000 };
	elf.sh[1] = (Elf64_Shdr){ .sh_type = table, .sh_offset = (uint64_t)((char *)elf.sym - (char *)&elf),
				  .sh_size = (uint64_t)(n + 1) * sizeof(Elf64_Sym), .sh_link = 2, .sh_entsize = sizeof(Elf64_Sym) };
	elf.sh[2] = (Elf64_Shdr){ .sh_type = SHT_STRTAB, .sh_offset = (uint64_t)(elf.strings - (char *)&elf),
				  .sh_size = sizeof(elf.strings) };
	for (int i = 0; i < n; i++) {
		elf.sym[i + 1] = (Elf64_Sym){ .st_name = (uint32_t)at, .st_info = symbol[i].type, .st_shndx = symbol[i].section,
					      .st_value = symbol[i].value };
		strcpy(elf.strings + at, symbol[i].name);
		at += strlen(symbol[i].name) + 1;
	}
	put_below(path, "");
	file = below(path);
	f = fopen(file, "w");
	if (!f || fwrite(&elf, sizeof(elf), 1, f) != 1)
		exit(1);
	fclose(f);
	free(file);
}

#define FUNCTION	ELF64_ST_INFO(STB_GLOBAL, STT_FUNC)

static const struct symbol all[] = {
	{ "free", 0x10010, FUNCTION, 1 },		{ "malloc", 0x10000, FUNCTION, 1 },
	{ "calloc", 0x10020, FUNCTION, 1 },		{ "realloc", 0x10fff, FUNCTION, 1 },
	{ "memalign", 0x10040, FUNCTION, 1 },		{ "aligned_alloc", 0x10040, FUNCTION, 1 },	/* the same */
	{ "valloc", 0x11000, FUNCTION, 1 },		/* behind the bytes of the file */
	{ "pvalloc", 0x0fff, FUNCTION, 1 },		/* not executable */
	{ "posix_memalign", 0x10050, FUNCTION, SHN_UNDEF },	{ "posix_memalign", 0x10060, STT_OBJECT, 1 },
	{ "posix_memalign", 0x10070, FUNCTION, 1 },	{ "posix_memalign", 0x10080, FUNCTION, 1 },
	{ "malloc2", 0x10090, FUNCTION, 1 },
};

static void test_offsets(void)
{
	static const char *const names[] = { "malloc", "calloc", "realloc", "aligned_alloc", "memalign", "valloc", "pvalloc",
					     "posix_memalign", "free", "none" };
	static const uint64_t want[] = { 0x8000, 0x8020, 0x8fff, 0x8040, 0x8040, 0, 0, 0x8070, 0x8010, 0 };
	uint64_t offset[10];
	const char *why;

	for (int k = 0; k < 2; k++) {
		memset(offset, 0xff, sizeof(offset));
		put_elf("/elf", all, 13, EM_AARCH64, k ? SHT_SYMTAB : SHT_DYNSYM);
		tap_ok(!v9_heap_offsets("/elf", names, 10, offset), "offsets_%d", k);
		for (int i = 0; i < 10; i++)
			tap_eq(offset[i], want[i], "offset_%d_of_%s", k, names[i]);
	}
	put_elf("/elf", all, 13, EM_AARCH64, SHT_PROGBITS);
	tap_ok(!v9_heap_offsets("/elf", names, 10, offset) && !offset[0], "no_table");
	put_elf("/elf", all, 13, EM_X86_64, SHT_DYNSYM);
	why = v9_heap_offsets("/elf", names, 10, offset);
	tap_ok(why && !strcmp(why, "not of AArch64") && !offset[0], "another_machine");
	put_below("/text", "text\n");
	why = v9_heap_offsets("/text", names, 10, offset);
	tap_ok(why && !strcmp(why, "not an ELF file"), "no_elf");
	why = v9_heap_offsets("/nosuch", names, 10, offset);
	tap_ok(why && !strcmp(why, "No such file or directory"), "no_file");
}

static int define_for(struct v9_heap_probes *h, int *pid, int pids)
{
	const struct v9_target target = { .pid = pid, .pids = pids };

	*added = 0;
	adds = definitions = 0;
	return v9_heap_define(h, &target, (struct v9_event_spec **)added, &adds);
}

#define COMMON_FIELDS	"sp=%sp caller=%x30 caller2=+8(%x29) caller3=+8(+0(%x29))"

static void test_define(void)
{
	struct v9_heap_probes h = { .on = true };
	int pid[2] = { 7, 8 };
	char *exe;

	/* Uprobes of others, of a recorder that lives (9), and of two that have ended (12, 123) */
	put_below("/proc/9/stat", "");
	exe = below("/proc/9/exe");
	if (symlink("/bin/true", exe))
		exit(1);
	free(exe);
	put_below("/tracing/uprobe_events", "p:v9trace_heap_9/malloc /lib/a:0x1 sp=%sp\np:v9trace_heap_12/malloc /lib/a:0x1 sp=%sp\n"
	    "r:v9trace_heap_12/malloc_ret /lib/a:0x1 result=$retval\np:v9trace_heap_x/malloc /lib/a:0x1\np\n"
	    "p:mine/v9trace_heap_12 /lib/a:0x1\np:v9trace_heap_123/free /lib/a:0x2\n");
	put_elf("/lib/ld-musl-aarch64.so.1", all, 13, EM_AARCH64, SHT_DYNSYM);
	tap_eq(define_for(&h, NULL, 0), 0, "define");
	text_is(got("/tracing/uprobe_events"),
		"p:v9trace_heap_9/malloc /lib/a:0x1 sp=%sp\np:v9trace_heap_12/malloc /lib/a:0x1 sp=%sp\n"
		"r:v9trace_heap_12/malloc_ret /lib/a:0x1 result=$retval\np:v9trace_heap_x/malloc /lib/a:0x1\np\n"
		"p:mine/v9trace_heap_12 /lib/a:0x1\np:v9trace_heap_123/free /lib/a:0x2\n"
		"-:v9trace_heap_12/malloc\n-:v9trace_heap_12/malloc_ret\n-:v9trace_heap_123/free\n"
		"p:v9trace_heap_1234/malloc /lib/ld-musl-aarch64.so.1:0x8000 " COMMON_FIELDS " size=%x0\n"
		"r:v9trace_heap_1234/malloc_return /lib/ld-musl-aarch64.so.1:0x8000 sp=%sp result=$retval\n"
		"p:v9trace_heap_1234/calloc /lib/ld-musl-aarch64.so.1:0x8020 " COMMON_FIELDS " n=%x0 size=%x1\n"
		"r:v9trace_heap_1234/calloc_return /lib/ld-musl-aarch64.so.1:0x8020 sp=%sp result=$retval\n"
		"p:v9trace_heap_1234/realloc /lib/ld-musl-aarch64.so.1:0x8fff " COMMON_FIELDS " old=%x0 size=%x1\n"
		"r:v9trace_heap_1234/realloc_return /lib/ld-musl-aarch64.so.1:0x8fff sp=%sp result=$retval\n"
		"p:v9trace_heap_1234/aligned_alloc /lib/ld-musl-aarch64.so.1:0x8040 " COMMON_FIELDS " size=%x1\n"
		"r:v9trace_heap_1234/aligned_alloc_return /lib/ld-musl-aarch64.so.1:0x8040 sp=%sp result=$retval\n"
		"p:v9trace_heap_1234/posix_memalign /lib/ld-musl-aarch64.so.1:0x8070 " COMMON_FIELDS " out=%x0 size=%x2\n"
		"r:v9trace_heap_1234/posix_memalign_return /lib/ld-musl-aarch64.so.1:0x8070 sp=%sp result=$retval "
		"stack=+0(%sp):u64[32]\n"
		"p:v9trace_heap_1234/free /lib/ld-musl-aarch64.so.1:0x8010 " COMMON_FIELDS " old=%x0\n", "probes");
	text_is(v9_strdup(added), "v9trace_heap_1234:malloc\nv9trace_heap_1234:malloc_return\nv9trace_heap_1234:calloc\n"
		"v9trace_heap_1234:calloc_return\nv9trace_heap_1234:realloc\nv9trace_heap_1234:realloc_return\n"
		"v9trace_heap_1234:aligned_alloc\nv9trace_heap_1234:aligned_alloc_return\nv9trace_heap_1234:posix_memalign\n"
		"v9trace_heap_1234:posix_memalign_return\nv9trace_heap_1234:free\n", "added");
	text_is(v9_strdup(h.system), "v9trace_heap_1234", "system");

	/* Those of this recorder alone are removed: 1234 is no part of 12345. */
	put_below("/tracing/uprobe_events", "p:v9trace_heap_12345/malloc /lib/a:0x1\np:v9trace_heap_1234/free /lib/a:0x1 a=1\n");
	v9_heap_remove(&h);
	text_is(got("/tracing/uprobe_events"), "p:v9trace_heap_12345/malloc /lib/a:0x1\n"
		"p:v9trace_heap_1234/free /lib/a:0x1 a=1\n-:v9trace_heap_1234/free\n", "removed");
	tap_ok(!h.system, "removed_once");
	definitions = 0;
	v9_heap_remove(&h);
	tap_eq(definitions, 0, "nothing_to_remove");

	/* The library of the first process that has one; in its own root directory if that is another one */
	put_below("/proc/7/maps", "400000-401000 r-xp 0 0:0 1 /bin/sh\n7f00-7f01 r-xp 0 0:0 2 /opt/xlibc.so.6\n"
		"7f02-7f03 rw-p 0 0:0 0\n");
	put_below("/proc/8/maps", "7f00-7f01 r-xp 0 0:0 2 /opt/libm.so.6\n7f00-7f01 r-xp 0 0:0 2 /opt/libc-2.31.so\n"
	    "7f00-7f01 r-xp 0 0:0 2 /opt/libc.so.6\n");
	put_below("/proc/9/maps", "7f00-7f01 r-xp 0 0:0 2 /opt/libc.so.6\n");
	put_elf("/opt/libc-2.31.so", all + 1, 1, EM_AARCH64, SHT_DYNSYM);
	put_elf("/proc/8/root/opt/libc-2.31.so", all + 1, 2, EM_AARCH64, SHT_DYNSYM);
	put_below("/tracing/uprobe_events", "");
	tap_eq(define_for(&h, pid, 2), 0, "of_a_process");
	text_is(got("/tracing/uprobe_events"),
		"p:v9trace_heap_1234/malloc /opt/libc-2.31.so:0x8000 " COMMON_FIELDS " size=%x0\n"
		"r:v9trace_heap_1234/malloc_return /opt/libc-2.31.so:0x8000 sp=%sp result=$retval\n", "of_a_process_probes");
	v9_heap_remove(&h);
	elsewhere = 8;
	put_below("/tracing/uprobe_events", "");
	tap_eq(define_for(&h, pid, 2), 0, "of_a_container");
	text_is(got("/tracing/uprobe_events"), "p:v9trace_heap_1234/malloc /proc/8/root/opt/libc-2.31.so:0x8000 " COMMON_FIELDS
		" size=%x0\nr:v9trace_heap_1234/malloc_return /proc/8/root/opt/libc-2.31.so:0x8000 sp=%sp result=$retval\n"
		"p:v9trace_heap_1234/calloc /proc/8/root/opt/libc-2.31.so:0x8020 " COMMON_FIELDS " n=%x0 size=%x1\n"
		"r:v9trace_heap_1234/calloc_return /proc/8/root/opt/libc-2.31.so:0x8020 sp=%sp result=$retval\n",
		"of_a_container_probes");
	v9_heap_remove(&h);

	pid[0] = 9;
	put_elf("/opt/libc.so.6", all + 1, 1, EM_AARCH64, SHT_DYNSYM);
	put_below("/tracing/uprobe_events", "");
	tap_eq(define_for(&h, pid, 2), 0, "of_libc_so");
	text_is(got("/tracing/uprobe_events"), "p:v9trace_heap_1234/malloc /opt/libc.so.6:0x8000 " COMMON_FIELDS " size=%x0\n"
		"r:v9trace_heap_1234/malloc_return /opt/libc.so.6:0x8000 sp=%sp result=$retval\n", "of_libc_so_probes");
	v9_heap_remove(&h);

	/* A file that the user named */
	h.file = "/opt/../opt/libc-2.31.so";
	put_below("/tracing/uprobe_events", "");
	tap_eq(define_for(&h, pid, 2), 0, "of_a_file");
	tap_eq(adds, 2, "of_a_file_events");
	v9_heap_remove(&h);
}

static void fails(const char *file, int want, int nr, const char *name)
{
	struct v9_heap_probes h = { .on = true, .file = file };

	put_below("/tracing/uprobe_events", "");
	tap_eq(define_for(&h, NULL, 0), want, "%s", name);
	tap_eq(adds, nr, "%s_events", name);
	v9_heap_remove(&h);
}

static void test_errors(void)
{
	char *at;

	fails("/nosuch", -EINVAL, 0, "no_such_file");
	fails("/text", -EINVAL, 0, "a_text");
	put_elf("/none", all + 2, 3, EM_AARCH64, SHT_DYNSYM);
	fails("/none", -EINVAL, 0, "no_malloc");
	put_elf("/a b", all, 13, EM_AARCH64, SHT_DYNSYM);
	fails("/a b", -EINVAL, 0, "a_space");
	put_elf("/a:b", all, 13, EM_AARCH64, SHT_DYNSYM);
	fails("/a:b", -EINVAL, 0, "a_colon");
	tracefs = NULL;
	fails("/opt/libc-2.31.so", -EINVAL, 0, "no_tracefs");
	tracefs = "/tracing";
	at = below("/lib/ld-musl-aarch64.so.1");
	unlink(at);
	free(at);
	fails(NULL, -EINVAL, 0, "no_library");
	/* The first definition, its return, and the event are refused. */
	refused = 1;
	refused_by = EACCES;
	fails("/opt/libc-2.31.so", -EACCES, 0, "not_root");
	refused = 2;
	refused_by = EPERM;
	fails("/opt/libc-2.31.so", -EPERM, 0, "not_permitted");
	refused_by = ENOENT;
	fails("/opt/libc-2.31.so", -ENOENT, 0, "no_uprobes");
	refused_by = EINVAL;
	fails("/opt/libc-2.31.so", -EINVAL, 0, "refused");
	refused = 0;
	for (add_fails = 1; add_fails <= 2; add_fails++)
		fails("/opt/libc-2.31.so", -ENOENT, add_fails, "no_event");
	add_fails = 0;
}

/* Messages, one for each test_errors() above */
static void test_messages(void)
{
	static const char want[] =
		"v9trace: --heap: /nosuch: No such file or directory; --heap=FILE names the library, or the static program, that has "
		"malloc\n"
		"v9trace: --heap: /text: not an ELF file; --heap=FILE names the library, or the static program, that has malloc\n"
		"v9trace: --heap: /none: it has no function malloc; --heap=FILE names the library, or the static program, that has "
		"malloc\n"
		"v9trace: --heap: /a b: uprobes cannot name a path with a space or a colon; --heap=FILE names the library, or "
		"the static "
		"program, that has malloc\n"
		"v9trace: --heap: /a:b: uprobes cannot name a path with a space or a colon; --heap=FILE names the library, or "
		"the static "
		"program, that has malloc\n"
		"v9trace: --heap: /opt/libc-2.31.so: tracefs is not mounted (mount -t tracefs nodev /sys/kernel/tracing); "
		"--heap=FILE "
		"names the library, or the static program, that has malloc\n"
		"v9trace: --heap: libc.so.6: no C library found; --heap=FILE names the library, or the static program, that "
		"has malloc\n"
		"v9trace: --heap: only root may define uprobes (/tracing/uprobe_events)\n"
		"v9trace: --heap: only root may define uprobes (/tracing/uprobe_events)\n"
		"v9trace: --heap: this kernel has no uprobes (CONFIG_UPROBE_EVENTS)\n"
		"v9trace: --heap: no uprobe in /opt/libc-2.31.so: Invalid argument (/tracing/error_log may say more)\n";
	char *path = below("/messages");
	const int old = dup(2), fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);

	dup2(fd, 2);
	test_errors();
	dup2(old, 2);
	close(old);
	close(fd);
	free(path);
	text_is(got("/messages"), want, "messages");
}

int main(void)
{
	const int open_before = descriptors();

	if (!mkdtemp(root))
		return 1;
	test_offsets();
	test_define();
	test_messages();
	tap_eq(descriptors(), open_before, "all_is_closed");
	tap_remove(root);
	return tap_done();
}
