// SPDX-License-Identifier: GPL-2.0-only
/*
 * The section of code that v9trace record writes, read back by the reader of captures: symbols of
 * the kernel with and without variables, modules, the files of containers and their limits,
 * jitdumps and perf maps of tasks.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"
#include "../../tools/collect/bpf.c"
#include "../../tools/collect/code.c"

static unsigned int forks;

static pid_t counted_fork(void)
{
	forks++;
	return fork();
}

#define fork counted_fork
#include "../../tools/collect/compat.c"
#undef fork
#include "../../tools/collect/files.c"
#include "../../tools/collect/id.c"
#include "../../tools/collect/jit.c"
#include "../../tools/collect/objects.c"
#include <v9trace/base.h>

#include "../../tools/capture/embedded.h"

static const char symbols[] =
	"ffff800080000000 T _text\n"
	"ffff800080001000 t vfs_read\n"
	"ffff800080003000 D jiffies\n"
	"ffff800080003008 r limits\n"
	"ffff800080003010 A absolute\n"
	"ffff80007b000000 t helper\t[v9_spe]\n";
static const char functions[] =
	"ffff800080000000 T _text\n"
	"ffff800080001000 t vfs_read\n"
	"ffff80007b000000 t helper\t[v9_spe]\n";
static const char variables[] =
	"ffff800080000000 T _text\n"
	"ffff800080001000 t vfs_read\n"
	"ffff800080003000 D jiffies\n"
	"ffff800080003008 r limits\n"
	"ffff80007b000000 t helper\t[v9_spe]\n";
static const char modules[] = "v9_spe 16384 0 - Live 0xffff80007b000000 (OE)\n";

static const struct v9_compat no_compat;

static bool has(struct v9_embedded *k, enum pd_code_kind kind, const char *want)
{
	const uint8_t *bytes;
	const struct pd_code_part *part = v9_embedded_part(k, kind, 0, &bytes);

	if (!want)
		return !part;
	return part && part->size == strlen(want) && !memcmp(bytes, want, part->size);
}

static void sections(void)
{
	static const struct {
		const char *name;
		bool symbols, objects, code;
		const char *kallsyms, *modules, *why;
	} cases[] = {
		{ "no_kernel", false, false, false, NULL, NULL, NULL },
		{ "spe", true, true, false, variables, modules, NULL },
		{ "ete", true, false, true, functions, modules, "no" },
		{ "both", true, true, true, variables, modules, "no" },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(cases); i++) {
		struct v9_kernel_copy c = {
			.symbols_wanted = cases[i].symbols, .objects_wanted = cases[i].objects,
			.code_wanted = cases[i].code,
			.symbols = cases[i].symbols ? v9_strdup(symbols) : NULL,
			.modules = cases[i].symbols ? v9_strdup(modules) : NULL,
			.why = cases[i].why ? v9_strdup(cases[i].why) : NULL,
		};
		struct v9_objects objects = { 0 };
		struct v9_blob out = { 0 };
		struct v9_embedded k;

		v9_code_section(&out, &c, &no_compat, &objects);
		v9_embedded_open(&k, out.data, out.len);
		tap_ok(!k.damaged, "%s", cases[i].name);
		tap_ok(has(&k, PD_CODE_KALLSYMS, cases[i].kallsyms), "%s_symbols", cases[i].name);
		tap_ok(has(&k, PD_CODE_MODULES, cases[i].modules), "%s_modules", cases[i].name);
		tap_ok(has(&k, PD_CODE_NO_KERNEL, cases[i].why), "%s_reason", cases[i].name);
		v9_embedded_close(&k);
		v9_blob_free(&out);
		v9_kernel_copy_free(&c);
		v9_objects_free(&objects);
	}
}

/* Each file has the code of 32-bit programs, for which none is started again. */
static void compat(void)
{
	struct v9_compat read = { 0 }, c = { 0 };
	struct v9_kernel_copy none = { 0 };

	v9_compat_read(&read);
	tap_eq(forks, 1, "a_32_bit_program_is_started");
	v9_compat_free(&read);
	v9_blob_put(&c.code[0], "vdso", 4);
	v9_blob_put(&c.code[2], "vectors", 7);
	for (unsigned int i = 1; i <= 2; i++) {
		struct v9_objects objects = { 0 };
		struct v9_blob out = { 0 };
		struct v9_embedded k;

		v9_code_section(&out, &none, &c, &objects);
		v9_embedded_open(&k, out.data, out.len);
		tap_ok(has(&k, PD_CODE_VDSO32, "vdso") && has(&k, PD_CODE_SIGPAGE, NULL) &&
		       has(&k, PD_CODE_VECTORS, "vectors"), "code_of_32_bit_programs_in_file_%u", i);
		v9_embedded_close(&k);
		v9_blob_free(&out);
		v9_objects_free(&objects);
	}
	tap_eq(forks, 1, "it_is_started_once");
	v9_compat_free(&c);
}

/* The smallest ELF file with a build-id, and @more bytes behind it */
static int elf_file(uint8_t first, size_t more)
{
	static uint8_t file[sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) + 36];
	Elf64_Ehdr *eh = (Elf64_Ehdr *)file;
	const Elf64_Phdr ph = { .p_type = PT_NOTE, .p_offset = sizeof(*eh) + sizeof(ph), .p_align = 4,
				.p_filesz = 36, .p_memsz = 36 };
	const Elf64_Nhdr note = { 4, 20, NT_GNU_BUILD_ID };
	const int fd = memfd_create("elf", MFD_CLOEXEC);

	*eh = (Elf64_Ehdr){ .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
					 EV_CURRENT },
			    .e_type = ET_DYN, .e_machine = EM_AARCH64, .e_version = EV_CURRENT,
			    .e_phoff = sizeof(*eh), .e_ehsize = sizeof(*eh), .e_phentsize = sizeof(ph),
			    .e_phnum = 1 };
	memcpy(file + sizeof(*eh), &ph, sizeof(ph));
	memcpy(file + ph.p_offset, &note, sizeof(note));
	memcpy(file + ph.p_offset + sizeof(note), "GNU", 4);
	memset(file + ph.p_offset + 16, 7, 20);
	file[ph.p_offset + 16] = first;
	if (write(fd, file, sizeof(file)) != sizeof(file) || ftruncate(fd, (off_t)(sizeof(file) + more)))
		abort();
	return fd;
}

static void add_file(struct v9_files *fs, uint8_t first, size_t more)
{
	struct v9_file f = { .fd = elf_file(first, more) };

	f.id = v9_id_of_fd(f.fd);
	fs->f = v9_realloc(fs->f, (size_t)(fs->n + 1) * sizeof(f));
	fs->f[fs->n++] = f;
}

/* Files are found by their build-id alone. What exceeds the reader's limits is left out and counted. */
static void files(void)
{
	const size_t mib = 1 << 20;
	struct v9_kernel_copy c = { 0 };
	struct v9_objects objects = { 0 };
	struct v9_blob out = { 0 };
	struct v9_embedded k;
	const uint8_t *bytes;
	uint8_t id[20];
	size_t size;

	add_file(&objects.files, 1, 0);
	add_file(&objects.files, 2, 64 * mib);		/* too large */
	add_file(&objects.files, 3, 60 * mib);
	add_file(&objects.files, 4, 60 * mib);
	add_file(&objects.files, 5, 60 * mib);		/* all together */
	add_file(&objects.files, 6, 5 * mib);
	tap_eq(objects.files.f[0].id.size, 20, "build_id");
	v9_code_section(&out, &c, &no_compat, &objects);
	v9_embedded_open(&k, out.data, out.len);
	tap_ok(!k.damaged, "within_the_limits");
	tap_eq(objects.files.unstored, 2, "left_out_is_counted");
	for (uint8_t i = 1; i <= 7; i++) {
		memset(id, 7, sizeof(id));
		id[0] = i;
		bytes = v9_embedded_file(&k, id, 20, &size);
		tap_eq(!!bytes, i != 2 && i != 5 && i != 7, "file_%u", i);
		if (bytes && i == 1)
			tap_ok(size == sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) + 36 &&
			       !memcmp(bytes, ELFMAG, SELFMAG), "file_whole");
	}
	memset(id, 7, sizeof(id));
	id[0] = 1;
	id[19] = 8;	/* beyond the bytes that the part's head has */
	tap_ok(!v9_embedded_file(&k, id, 20, &size), "file_with_another_end_of_its_id");
	tap_ok(!v9_embedded_file(&k, id, 8, &size), "file_with_a_shorter_id");
	v9_embedded_close(&k);
	v9_blob_free(&out);
	v9_objects_free(&objects);
}

/* Any content: no crash, no id, and no memory for what a header claims. */
static void damaged(void)
{
	const int fd = elf_file(1, 0);
	uint8_t good[512];
	const ssize_t n = pread(fd, good, sizeof(good), 0);
	unsigned int found = 0;

	for (ssize_t at = 0; at < n; at++)
		for (unsigned int bit = 0; bit < 8; bit++) {
			uint8_t bad[512];

			memcpy(bad, good, (size_t)n);
			bad[at] ^= (uint8_t)(1 << bit);
			if (pwrite(fd, bad, (size_t)n, 0) != n)
				abort();
			found += v9_id_of_fd(fd).size > 20;
		}
	tap_eq(found, 0, "damaged_files");
	for (ssize_t at = 0; at < n; at++) {
		if (pwrite(fd, good, (size_t)n, 0) != n || ftruncate(fd, at))
			abort();
		found += v9_id_of_fd(fd).size > 0;
	}
	tap_eq(found, 0, "cut_files");
	close(fd);
}

/* What was looked at is known by name and build-id, however many there are. */
static void seen(void)
{
	struct v9_files fs = { 0 };
	struct v9_id id = { .size = 20 };
	unsigned int wrong = 0;
	char name[32];

	for (unsigned int i = 0; i < 5000; i++) {
		snprintf(name, sizeof(name), "/lib/%u", i / 2);
		id.bytes[19] = i % 2;
		wrong += v9_files_seen(&fs, name, &id);
		v9_files_mark(&fs, name, &id);
		v9_files_mark(&fs, name, &id);
		wrong += !v9_files_seen(&fs, name, &id);
	}
	tap_eq(wrong, 0, "seen");
	tap_eq(fs.seen_n, 5000, "seen_once");
	v9_files_free(&fs);
	tap_eq(v9_files_where(getpid()), V9_HERE, "this_process_is_here");
	tap_eq(v9_files_where(-1), V9_GONE, "no_process_is_gone");
}

static void write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
}

/* Writes the section PD_CODE of @objects to @out, and opens it again as @k. */
static void section_of(struct v9_objects *objects, struct v9_blob *out, struct v9_embedded *k)
{
	struct v9_kernel_copy c = { 0 };

	v9_code_section(out, &c, &no_compat, objects);
	v9_embedded_open(k, out->data, out->len);
}

static void jits(void)
{
	static const struct { const char *name; bool dump; } names[] = {
		{ "/x/jit-1.dump", true }, { "/x/jit-12345.dump", true }, { "/x/jit-.dump", false },
		{ "/x/jit-1.dump2", false }, { "/x/ajit-1.dump", false }, { "jit-1.dump", false },
	};
	const int pid = getpid();
	char map[64], dump[64], dir[] = "/tmp/record_code.XXXXXX";
	struct v9_objects objects = { 0 };
	struct v9_blob out = { 0 };
	struct v9_embedded k;
	struct pd_clock clocks[2];
	size_t n = 0;
	const char *text;

	for (size_t i = 0; i < V9_ARRAY_SIZE(names); i++)
		tap_eq(v9_mapping_is_jitdump(names[i].name, strlen(names[i].name)), names[i].dump, "jitdump_name_%zu", i);
	if (!mkdtemp(dir))
		abort();
	snprintf(map, sizeof(map), "/tmp/perf-%d.map", pid);
	snprintf(dump, sizeof(dump), "%s/jit-%d.dump", dir, pid);
	write_text(map, "1000 10 name\n");
	write_text(dump, "first");

	/*
	 * A jitdump is opened when it is mapped and read at the end: later data is in it, unlinked
	 * or not.
	 */
	v9_jits_map(&objects.jits, &(struct v9_task_map){ .pid = pid, .name = "/bin/true" });
	tap_eq(objects.jits.nr_tasks + objects.jits.nr_dumps, 0, "files_are_no_generated_code");
	v9_jits_map(&objects.jits, &(struct v9_task_map){ .pid = pid, .name = dump });
	v9_jits_map(&objects.jits, &(struct v9_task_map){ .pid = pid, .name = dump });
	v9_jits_map(&objects.jits, &(struct v9_task_map){ .pid = pid, .name = "//anon" });
	v9_jits_map(&objects.jits, &(struct v9_task_map){ .pid = pid, .name = "" });
	tap_eq(objects.jits.nr_dumps, 1, "one_jitdump");
	tap_eq(objects.jits.nr_tasks, 1, "one_task");
	tap_eq(objects.jits.tasks[0].inner, pid, "number_of_the_task");
	write_text(dump, "first and more");
	unlink(dump);
	objects.jits.clock[0] = (struct pd_clock){ 5, 6 };
	objects.jits.clock[1] = (struct pd_clock){ 7, 8 };
	section_of(&objects, &out, &k);
	text = (const char *)v9_embedded_keyed(&k, PD_CODE_JITDUMP, (uint64_t)pid, &n);
	tap_ok(text && n == 14 && !memcmp(text, "first and more", n), "jitdump");
	text = (const char *)v9_embedded_keyed(&k, PD_CODE_PERF_MAP, (uint64_t)pid, &n);
	tap_ok(text && n == 13 && !memcmp(text, "1000 10 name\n", n), "perf_map");
	text = (const char *)v9_embedded_keyed(&k, PD_CODE_CLOCKS, 0, &n);
	if (text && n == sizeof(clocks))
		memcpy(clocks, text, n);
	tap_ok(text && n == sizeof(clocks) && clocks[0].monotonic == 6 && clocks[1].count == 7,
	       "clocks");
	tap_ok(!v9_embedded_keyed(&k, PD_CODE_PERF_MAP, (uint64_t)pid + 1, &n), "of_another_task");
	tap_eq(objects.jits.unread + objects.jits.unstored, 0, "nothing_is_missing");
	v9_embedded_close(&k);
	v9_blob_free(&out);

	/* The jitdump of a task that has ended is opened by its path. */
	write_text(dump, "of a dead one");
	v9_jits_map(&objects.jits, &(struct v9_task_map){ .pid = INT32_MAX, .name = dump });
	tap_eq(objects.jits.nr_dumps, 2, "jitdump_of_a_task_that_has_ended");
	unlink(dump);

	/* Another user's file, a link, a file that is too large */
	if (!geteuid() && !chown(map, 12345, 12345)) {
		section_of(&objects, &out, &k);
		tap_ok(!v9_embedded_keyed(&k, PD_CODE_PERF_MAP, (uint64_t)pid, &n) &&
		       objects.jits.unread == 1, "of_another_user");
		v9_embedded_close(&k);
		v9_blob_free(&out);
	} else {
		tap_skip("needs root", "of_another_user");
	}
	unlink(map);
	write_text(dump, "not for the task");
	if (symlink(dump, map))
		abort();
	objects.jits.unread = 0;
	section_of(&objects, &out, &k);
	tap_ok(!v9_embedded_keyed(&k, PD_CODE_PERF_MAP, (uint64_t)pid, &n), "link_is_not_followed");
	tap_eq(objects.jits.unread, 1, "link_is_counted");
	v9_embedded_close(&k);
	v9_blob_free(&out);
	unlink(map);
	v9_objects_free(&objects);
	write_text(dump, "x");
	if (truncate(dump, (64 << 20) + 1))
		abort();
	v9_jits_map(&objects.jits, &(struct v9_task_map){ .pid = pid, .name = dump });
	section_of(&objects, &out, &k);
	tap_ok(!v9_embedded_keyed(&k, PD_CODE_JITDUMP, (uint64_t)pid, &n) &&
	       objects.jits.unstored == 1, "too_large");
	v9_embedded_close(&k);
	v9_blob_free(&out);
	v9_objects_free(&objects);
	unlink(dump);
	rmdir(dir);
}

/* The SPE half of a recording of two units has no code of the kernel. */
static void without_kernel(void)
{
	const struct pd_code head = { .version = PD_CODE_VERSION };
	static const char text[] = "ffff800080010000 T vfs_read\n";
	struct v9_blob b = { 0 }, want = { 0 };

	v9_code_drop_kernel(&b);
	tap_eq(b.len, 0, "no_section");
	v9_blob_put(&b, &head, sizeof(head));
	v9_code_part(&b, PD_CODE_KERNEL, 0xffff800080010000, "1234", 4);
	v9_code_part(&b, PD_CODE_VDSO, 0, "123456789", 9);
	v9_code_part(&b, PD_CODE_CHANGED, 0, "1234567890123456", 16);
	v9_code_part(&b, PD_CODE_NO_KERNEL, 0, "why", 3);
	v9_code_part(&b, PD_CODE_KALLSYMS, 0, text, sizeof(text));
	v9_code_part(&b, PD_CODE_KERNEL, 0xffff800080020000, "12345678", 8);
	v9_blob_put(&want, &head, sizeof(head));
	v9_code_part(&want, PD_CODE_VDSO, 0, "123456789", 9);
	v9_code_part(&want, PD_CODE_KALLSYMS, 0, text, sizeof(text));
	v9_code_drop_kernel(&b);
	tap_ok(b.len == want.len && !memcmp(b.data, want.data, b.len), "no_kernel");
	v9_code_drop_kernel(&b);
	tap_ok(b.len == want.len && !memcmp(b.data, want.data, b.len), "no_kernel_again");
	v9_blob_free(&b);
	v9_blob_free(&want);
}

/* Each name has one object, also after the table has grown. */
static void names(void)
{
	struct v9_objects objects = { .n = 0 };
	unsigned int other = 0;
	char name[32];

	for (int i = 0; i < 5000; i++) {
		snprintf(name, sizeof(name), "/lib/%d", i * 7);
		v9_objects_get(&objects, name, i == 3);
	}
	tap_eq(objects.n, 5000, "an_object_for_each_name");
	for (int i = 0; i < 5000; i++) {
		const struct v9_object *o;

		snprintf(name, sizeof(name), "/lib/%d", i * 7);
		o = v9_objects_get(&objects, name, false);
		other += o != &objects.o[i] || strcmp(o->name, name) || o->kernel != (i == 3);
	}
	tap_ok(objects.n == 5000 && !other, "the_same_object_for_each_name");
	v9_objects_free(&objects);
}

int main(void)
{
	names();
	without_kernel();
	jits();
	sections();
	compat();
	files();
	damaged();
	seen();
	return tap_done();
}
