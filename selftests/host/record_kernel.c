// SPDX-License-Identifier: GPL-2.0-only
/*
 * What v9trace record reads of the kernel: its code in /proc/kcore, before and after the recording, modules and code
 * that belongs to none, the vDSO, and BPF programs. Files of /proc are below a directory that the test makes; bpf()
 * is that of this file.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "descriptors.h"
#include "tap.h"

#define BELOW "/tmp/v9kernel.XXXXXX"
#include "below.h"

static int open_below(const char *path, int flags)
{
	char *at = below(path);
	const int fd = open(at, flags);

	tap_eq(flags, O_RDONLY | O_CLOEXEC, "flags_of_open");
	free(at);
	return fd;
}

static uint8_t vdso[64];
static bool has_vdso;

static unsigned long vdso_at(unsigned long what)
{
	return what == AT_SYSINFO_EHDR && has_vdso ? (unsigned long)vdso : 0;
}

static long fake_bpf(long nr, int what, union bpf_attr *attr, size_t size);
static int closed;

static int count_close(int fd)
{
	closed++;
	return fd >= 100 ? 0 : close(fd);
}

#define open(path, flags) open_below(path, flags)
#define fopen(path, mode) fopen_below(path, mode)
#define v9_read_file(path, size) file_below(path, size)
#define getauxval(what) vdso_at(what)
#define syscall(nr, what, attr, size) fake_bpf(nr, what, attr, size)
#define close(fd) count_close(fd)
#include "../../tools/collect/bpf.c"
#include "../../tools/collect/code.c"
#undef open
#undef fopen
#undef v9_read_file
#undef getauxval
#undef syscall
#undef close

static int images;

void v9_objects_image(struct v9_objects *objects, const char *name, void *image, size_t size)
{
	(void)objects;
	tap_ok(!strcmp(name, "[vdso]") && image == vdso && size == sizeof(vdso), "image_of_the_vdso");
	images++;
}

void v9_compat_put(struct v9_blob *out, const struct v9_compat *c, struct v9_objects *objects)
{
	(void)out;
	(void)c;
	(void)objects;
}

void v9_jits_put(struct v9_jits *j, struct v9_blob *out, uint64_t *left)
{
	(void)j;
	(void)out;
	(void)left;
}

uint8_t *v9_file_read(const struct v9_file *f, size_t most, size_t *size)
{
	(void)f;
	(void)most;
	(void)size;
	return NULL;
}

/* ---- /proc/kcore: the text at TEXT, modules at MODULES */

#define TEXT	UINT64_C(0xffff800080000000)
#define MODULES	UINT64_C(0xffff80007b000000)
#define BYTES	0x3000

struct core {
	Elf64_Ehdr eh;
	Elf64_Phdr ph[3];
	uint8_t modules[0x30000], text[BYTES];
};

static struct core core;

static void make_core(void)
{
	memset(&core, 0, sizeof(core));
	core.eh = (Elf64_Ehdr){ .e_ident = { 0x7f, 'E', 'L', 'F' }, .e_phoff = offsetof(struct core, ph),
				.e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 3 };
	core.ph[0] = (Elf64_Phdr){ .p_type = PT_NOTE, .p_vaddr = TEXT, .p_memsz = BYTES };
	core.ph[1] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_vaddr = MODULES, .p_memsz = sizeof(core.modules),
				   .p_offset = offsetof(struct core, modules) };
	core.ph[2] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_vaddr = TEXT, .p_memsz = BYTES,
				   .p_offset = offsetof(struct core, text) };
	for (size_t i = 0; i < sizeof(core.modules); i++)
		core.modules[i] = (uint8_t)(i * 7 + i / 256);
	for (size_t i = 0; i < sizeof(core.text); i++)
		core.text[i] = (uint8_t)(i * 13 + i / 256);
	put_bytes_below("/proc/kcore", &core, sizeof(core));
}

static const char symbols[] =
	"ffff800080000000 T _text\nx\nffff800080000000 T _stext\nffff800080000800 t _stext\nffff800080002000 T _etext\n"
	"ffff800080002800 T _etext\nffff80007b011234 t prog\t[bpf]\nffff80007b000100 t in_module\t[bpf]\n"
	"ffff80007b00f000 t tramp\t[__builtin__ftrace]\nffff80007b005000 d data\t[bpf]\nffff80007b006000 t fn\t[mod]\n"
	"0000000000000000 t hidden\t[bpf]\n";
static const char modules[] =
	"mod 8192 0 - Live 0xffff80007b000000 (OE)\ntwo 4096 1 mod, Live 0xffff80007b003000\nhidden 4096 0 - Live 0x0\nbad\n";

static void range_is(const struct v9_kernel_copy *c, int i, uint64_t start, uint64_t end, bool before, bool after)
{
	const struct v9_code_range *r = &c->range[i];
	const uint8_t *want = start >= TEXT ? core.text + (start - TEXT) : core.modules + (start - MODULES);

	if (!tap_ok(i < c->n, "range_%d", i))
		return;
	tap_eq(r->start, start, "range_%d_start", i);
	tap_eq(r->end, end, "range_%d_end", i);
	tap_ok(!r->before == !before && (!before || !memcmp(r->before, want, end - start)), "range_%d_before", i);
	tap_ok(!r->after == !after && (!after || !memcmp(r->after, want, end - start)), "range_%d_after", i);
}

/* The parts of a section: kind, address, size, and the first bytes; packed ones are unpacked. */
static char listed[4096];

static void list(const struct v9_blob *b)
{
	size_t at = sizeof(struct pd_code), n = 0;
	struct pd_code head;

	memcpy(&head, b->data, sizeof(head));
	n += (size_t)sprintf(listed + n, "version %u parts %u\n", head.version, head.parts);
	while (at < b->len) {
		struct pd_code_part part;
		uint8_t *bytes;

		memcpy(&part, b->data + at, sizeof(part));
		at += sizeof(part);
		bytes = v9_alloc(part.size + 1);
		if (part.packed)
			tap_eq(ZSTD_decompress(bytes, part.size, b->data + at, part.stored), part.size, "unpacked");
		else
			memcpy(bytes, b->data + at, part.stored == part.size ? part.size : 0);
		at += (part.stored + 7) & ~UINT64_C(7);
		n += (size_t)sprintf(listed + n, "%u at %llx size %llx:", part.kind, (unsigned long long)part.addr,
				     (unsigned long long)part.size);
		if (part.kind == PD_CODE_MODULES || part.kind == PD_CODE_KALLSYMS || part.kind == PD_CODE_NO_KERNEL)
			n += (size_t)sprintf(listed + n, "\n%s\n", bytes);
		else
			for (uint64_t i = 0; i < part.size && i < 32; i += 4)
				n += (size_t)sprintf(listed + n, " %02x%02x%02x%02x", bytes[i + 3], bytes[i + 2], bytes[i + 1], bytes[i]);
		n += (size_t)sprintf(listed + n, "\n");
		free(bytes);
	}
	tap_eq(at, b->len, "whole_parts");
}

static void expect(const char *name, const char *want)
{
	if (!tap_ok(!strcmp(listed, want), "%s", name))
		printf("# got\n%s# want\n%s# end\n", listed, want);
}

static const struct v9_compat no_compat;

static void test_copy(void)
{
	struct v9_kernel_copy c = { .symbols_wanted = true, .code_wanted = true };
	struct v9_objects objects = { .n = 0 };
	struct v9_blob out = { 0 };
	char *maps;

	make_core();
	put_below("/proc/kallsyms", symbols);
	put_below("/proc/modules", modules);
	closed = 0;
	v9_kernel_copy_begin(&c);
	tap_ok(!c.why && c.n == 3 && closed == 1, "begin");
	range_is(&c, 0, TEXT, TEXT + 0x2000, true, false);
	range_is(&c, 1, MODULES, MODULES + 0x2000, true, false);
	range_is(&c, 2, MODULES + 0x3000, MODULES + 0x4000, true, false);

	/* Two instructions change. Code of BPF programs: what no range has yet, 16 pages from the page of the symbol on */
	core.text[4] ^= 0xff;
	core.text[0x1ffc] ^= 1;
	put_bytes_below("/proc/kcore", &core, sizeof(core));
	v9_kernel_copy_end(&c);
	tap_ok(!c.why && c.n == 6 && closed == 2, "end");
	core.text[4] ^= 0xff;
	core.text[0x1ffc] ^= 1;
	tap_ok(c.range[0].after[4] == (core.text[4] ^ 0xff) && c.range[0].before[4] == core.text[4], "changed");
	range_is(&c, 1, MODULES, MODULES + 0x2000, true, true);
	range_is(&c, 2, MODULES + 0x3000, MODULES + 0x4000, true, true);
	range_is(&c, 3, MODULES + 0x11000, MODULES + 0x21000, false, true);
	range_is(&c, 4, MODULES + 0x2000, MODULES + 0x3000, false, true);	/* up to the module behind it */
	range_is(&c, 5, MODULES + 0xf000, MODULES + 0x11000, false, true);	/* up to the program behind it */

	/* The section: by address, then what changed. Of symbols functions, and variables if wanted */
	has_vdso = true;
	for (size_t i = 0; i < sizeof(vdso); i++)
		vdso[i] = (uint8_t)(i * i);
	maps = v9_format("%llx-%llx r-xp 0 0:0 0 [x]\n%llx-%llx r-xp 0 0:0 0 [vdso]\n", 1ull, 2ull,
			 (unsigned long long)(uintptr_t)vdso, (unsigned long long)(uintptr_t)vdso + sizeof(vdso));
	put_below("/proc/self/maps", maps);
	free(maps);
	free(c.symbols);
	c.symbols = v9_strdup("ffff800080000000 T _text\nffff800080000000 D data\nffff800080000004 w weak\nodd\n"
			      "ffff800080000008 A absolute\nffff80007b000000 t fn\t[mod]");
	v9_code_section(&out, &c, &no_compat, &objects);
	list(&out);
	expect("section", "version 1 parts 10\n"
	       "1 at 0 size 40: 09040100 31241910 79645140 e1c4a990 69442100 11e4b990 d9a47140 c1844910\n"
	       "3 at 0 size 4c:\nffff800080000000 T _text\nffff800080000004 w weak\nffff80007b000000 t fn\t[mod]\n\n"
	       "2 at ffff80007b000000 size 2000: 150e0700 312a231c 4d463f38 69625b54 857e7770 a19a938c bdb6afa8 d9d2cbc4\n"
	       "2 at ffff80007b002000 size 1000: 352e2720 514a433c 6d665f58 89827b74 a59e9790 c1bab3ac ddd6cfc8 f9f2ebe4\n"
	       "2 at ffff80007b003000 size 1000: 453e3730 615a534c 7d766f68 99928b84 b5aea7a0 d1cac3bc ede6dfd8 0902fbf4\n"
	       "2 at ffff80007b00f000 size 2000: 05fef7f0 211a130c 3d362f28 59524b44 756e6760 918a837c ada69f98 c9c2bbb4\n"
	       "2 at ffff80007b011000 size 10000: 251e1710 413a332c 5d564f48 79726b64 958e8780 b1aaa39c cdc6bfb8 e9e2dbd4\n"
	       "2 at ffff800080000000 size 2000: 271a0d00 5b4e41cb 8f827568 c3b6a99c f7eaddd0 2b1e1104 5f524538 9386796c\n"
	       "5 at 0 size 20: 80000004 ffff8000 5b4e4134 5b4e41cb 80001ffc ffff8000 1205f8eb 1205f8ea\n"
	       "4 at 0 size 6f:\nmod 8192 0 - Live 0xffff80007b000000 (OE)\ntwo 4096 1 mod, Live 0xffff80007b003000\n"
	       "hidden 4096 0 - Live 0x0\nbad\n\n\n");
	tap_eq(images, 1, "one_image");
	v9_code_drop_kernel(&out);
	list(&out);
	expect("section_of_spe", "version 1 parts 3\n"
	       "1 at 0 size 40: 09040100 31241910 79645140 e1c4a990 69442100 11e4b990 d9a47140 c1844910\n"
	       "3 at 0 size 4c:\nffff800080000000 T _text\nffff800080000004 w weak\nffff80007b000000 t fn\t[mod]\n\n"
	       "4 at 0 size 6f:\nmod 8192 0 - Live 0xffff80007b000000 (OE)\ntwo 4096 1 mod, Live 0xffff80007b003000\n"
	       "hidden 4096 0 - Live 0x0\nbad\n\n\n");
	out.len = sizeof(struct pd_code) - 1;
	v9_code_drop_kernel(&out);
	tap_eq(out.len, sizeof(struct pd_code) - 1, "no_section");
	v9_blob_free(&out);
	/* The next file begins without ranges, and wants the same. */
	v9_kernel_copy_next(&c);
	tap_ok(c.symbols_wanted && c.code_wanted && !c.objects_wanted && !c.n && !c.range && !c.symbols && !c.modules, "next");
	v9_kernel_copy_free(&c);
	tap_ok(!c.symbols_wanted && !c.code_wanted, "free");
}

static void why_is(const char *name, const char *want)
{
	struct v9_kernel_copy c = { .symbols_wanted = true, .code_wanted = true };
	struct v9_objects objects = { .n = 0 };
	struct v9_blob out = { 0 };

	has_vdso = false;
	v9_kernel_copy_begin(&c);
	v9_kernel_copy_end(&c);
	if (!tap_ok(c.why && !strcmp(c.why, want), "%s", name))
		tap_note("got %s", c.why ? c.why : "nothing");
	free(c.symbols);
	free(c.modules);
	c.symbols = c.modules = NULL;
	v9_code_section(&out, &c, &no_compat, &objects);
	snprintf(listed, sizeof(listed), "%.*s", c.why ? (int)strlen(c.why) : 0,
		 (const char *)out.data + sizeof(struct pd_code) + sizeof(struct pd_code_part));
	expect(name, want);
	v9_blob_free(&out);
	v9_kernel_copy_free(&c);
}

static void test_errors(void)
{
	struct v9_kernel_copy c = { .symbols_wanted = false, .code_wanted = false };
	struct core bad;
	char *path = below("/proc/kcore");

	closed = 0;
	v9_kernel_copy_begin(&c);
	v9_kernel_copy_end(&c);
	tap_ok(!c.n && !c.why && !c.symbols && !closed, "nothing_wanted");
	c.symbols_wanted = true;
	v9_kernel_copy_begin(&c);
	v9_kernel_copy_end(&c);
	tap_ok(!c.n && !c.why && c.symbols && c.modules && !closed, "symbols_wanted");
	v9_kernel_copy_free(&c);
	unlink(path);
	why_is("no_core", "/proc/kcore cannot be read: No such file or directory");
	bad = core;
	bad.eh.e_ident[3] = 'f';
	put_bytes_below("/proc/kcore", &bad, sizeof(bad));
	why_is("no_elf", "/proc/kcore cannot be read: Exec format error");
	bad = core;
	bad.eh.e_phentsize++;
	put_bytes_below("/proc/kcore", &bad, sizeof(bad));
	why_is("odd_size", "/proc/kcore cannot be read: Exec format error");
	put_bytes_below("/proc/kcore", &core, sizeof(core.eh) - 1);
	why_is("short", "/proc/kcore cannot be read: Exec format error");
	put_bytes_below("/proc/kcore", &core, sizeof(core.eh) + 1);
	why_is("no_segments", "/proc/kcore cannot be read: Input/output error");
	/* The text ends behind the segment, or behind the file, or the segment begins behind it. */
	bad = core;
	bad.ph[2].p_memsz = 0x1fff;
	put_bytes_below("/proc/kcore", &bad, sizeof(bad));
	why_is("small_segment", "the kernel's code cannot be read from /proc/kcore: Input/output error");
	bad.ph[2].p_memsz = 0x2000;
	bad.ph[2].p_vaddr++;
	put_bytes_below("/proc/kcore", &bad, sizeof(bad));
	why_is("later_segment", "the kernel's code cannot be read from /proc/kcore: Input/output error");
	put_bytes_below("/proc/kcore", &core, offsetof(struct core, text) + 0x1fff);
	why_is("short_text", "the kernel's code cannot be read from /proc/kcore: Input/output error");
	/* Exactly the text is enough. */
	bad = core;
	bad.ph[2].p_memsz = 0x2000;
	put_bytes_below("/proc/kcore", &bad, offsetof(struct core, text) + 0x2000);
	c = (struct v9_kernel_copy){ .symbols_wanted = true, .code_wanted = true };
	v9_kernel_copy_begin(&c);
	v9_kernel_copy_end(&c);
	tap_ok(!c.why && c.n && c.range[0].after, "exactly");
	v9_kernel_copy_free(&c);
	put_below("/proc/kallsyms", "0000000000000000 T _stext\n0000000000000000 T _etext\n");
	why_is("hidden", "/proc/kallsyms shows no addresses: Operation not permitted");
	put_below("/proc/kallsyms", "ffff800080000000 T _stext\nffff800080000000 T _etext\n");
	why_is("no_text", "/proc/kallsyms shows no addresses: Operation not permitted");
	free(path);
}

static void ranges_are(const struct v9_kernel_copy *c, const char *name, const char *want)
{
	size_t n = 0;

	*listed = 0;
	for (int i = 0; i < c->n; i++)
		n += (size_t)sprintf(listed + n, "%llx-%llx ", (unsigned long long)c->range[i].start,
				     (unsigned long long)c->range[i].end);
	expect(name, want);
}

/* A range is cut at those that there are. */
static void test_ranges(void)
{
	struct v9_kernel_copy c = { .n = 0 };
	struct v9_blob out = { 0 };

	add_range(&c, 0x100, 0x200);
	add_range(&c, 0x100, 0x200);
	add_range(&c, 0x180, 0x1ff);
	add_range(&c, 0x200, 0x200);
	add_range(&c, 0x200, 0x300);
	add_range(&c, 0x280, 0x400);
	add_range(&c, 0x80, 0x101);
	add_range(&c, 0x500, 0x4ff);
	add_range(&c, 0x3ff, 0x401);
	ranges_are(&c, "ranges", "100-200 200-300 300-400 80-100 400-401 ");
	/* What was not read twice has no changes. */
	c.range[0].before = v9_alloc(0x100);
	c.range[1].after = v9_alloc(0x100);
	c.range[1].after[0] = 1;
	put_changes(&out, &c);
	tap_eq(out.len, 0, "no_changes");
	c.range[0].after = v9_alloc(0x100);
	c.range[0].after[0xff] = 1;
	put_changes(&out, &c);
	tap_eq(out.len, sizeof(struct pd_code_part) + sizeof(struct pd_code_change), "one_change");
	v9_blob_free(&out);
	v9_kernel_copy_free(&c);
}

/* ---- BPF programs */

struct program {
	uint32_t id, len, funcs, func_lens;
	uint64_t addr[3];
	uint32_t size[3];
	uint32_t len_again, funcs_again;	/* that it has when it is asked again; 0: the same */
	int fail;				/* the call that fails, from 1 */
};

static struct program program[3];
static int programs, asked;

static long fake_bpf(long nr, int what, union bpf_attr *attr, size_t size)
{
	struct bpf_prog_info *info;
	struct program *p = NULL;

	tap_ok(nr == SYS_bpf && size == sizeof(*attr), "bpf");
	asked++;
	if (what == BPF_PROG_GET_NEXT_ID) {
		for (int i = 0; i < programs; i++)
			if (program[i].id > attr->start_id) {
				attr->next_id = program[i].id;
				return 0;
			}
		errno = ENOENT;
		return -1;
	}
	if (what == BPF_PROG_GET_FD_BY_ID) {
		for (int i = 0; i < programs; i++)
			if (program[i].id == attr->prog_id)
				return 100 + i;
		errno = ENOENT;
		return -1;
	}
	tap_ok(what == BPF_OBJ_GET_INFO_BY_FD && attr->info.info_len == sizeof(*info), "info");
	info = (void *)(uintptr_t)attr->info.info;
	p = &program[attr->info.bpf_fd - 100];
	if (p->fail && !--p->fail)
		return -1;
	if (!info->jited_prog_insns) {
		info->jited_prog_len = p->len;
		info->nr_jited_ksyms = p->funcs;
		info->nr_jited_func_lens = p->func_lens;
		return 0;
	}
	tap_ok(info->jited_prog_len == p->len && info->nr_jited_ksyms == p->funcs && info->nr_jited_func_lens == p->func_lens,
	       "room");
	for (uint32_t i = 0; i < p->len; i++)
		((uint8_t *)(uintptr_t)info->jited_prog_insns)[i] = (uint8_t)(p->id * 16 + i);
	memcpy((void *)(uintptr_t)info->jited_ksyms, p->addr, p->funcs * sizeof(*p->addr));
	memcpy((void *)(uintptr_t)info->jited_func_lens, p->size, p->funcs * sizeof(*p->size));
	info->jited_prog_len = p->len_again ? p->len_again : p->len;
	info->nr_jited_ksyms = p->funcs_again ? p->funcs_again : p->funcs;
	return 0;
}

static void code_is(const struct v9_bpf *b, int i, uint32_t id, uint64_t time, uint64_t addr, uint32_t size,
	uint8_t first)
{
	if (!tap_ok(i < b->n, "function_%d", i))
		return;
	tap_ok(b->code[i].id == id && b->code[i].time == time && b->code[i].addr == addr && b->code[i].size == size,
	       "function_%d_head", i);
	for (uint32_t k = 0; k < size; k++)
		tap_eq(b->code[i].bytes[k], (uint8_t)(first + k), "function_%d_code", i);
}

static void test_bpf(void)
{
	static const struct program whole = { .id = 5, .len = 12, .funcs = 2, .func_lens = 2,
					      .addr = { 0xffff800081000000, 0xffff800081000040 }, .size = { 8, 4 } };
	static const struct {
		const char *name;
		struct program p;
	} bad[] = {
		{ "no_code", { .id = 5, .funcs = 1, .func_lens = 1 } },
		{ "large_code", { .id = 5, .len = (32 << 20) + 1, .funcs = 1, .func_lens = 1, .addr = { 1 } } },
		{ "many_functions", { .id = 5, .len = 4, .funcs = 4097, .func_lens = 4097 } },
		{ "lengths", { .id = 5, .len = 4, .funcs = 1, .func_lens = 2, .addr = { 1 }, .size = { 4 } } },
		{ "no_function", { .id = 5, .len = 4 } },
		{ "hidden", { .id = 5, .len = 4, .funcs = 1, .func_lens = 1, .size = { 4 } } },
		{ "functions_longer", { .id = 5, .len = 11, .funcs = 2, .func_lens = 2, .addr = { 1, 2 }, .size = { 8, 4 } } },
		{ "other_length", { .id = 5, .len = 4, .funcs = 1, .func_lens = 1, .addr = { 1 }, .size = { 4 }, .len_again = 3 } },
		{ "other_number", { .id = 5, .len = 4, .funcs = 1, .func_lens = 1, .addr = { 1 }, .size = { 4 }, .funcs_again = 2 } },
		{ "no_info", { .id = 5, .len = 4, .funcs = 1, .func_lens = 1, .addr = { 1 }, .size = { 4 }, .fail = 1 } },
		{ "no_info_again", { .id = 5, .len = 4, .funcs = 1, .func_lens = 1, .addr = { 1 }, .size = { 4 }, .fail = 2 } },
	};
	struct v9_bpf b = { .wanted = false };
	struct v9_blob out = { 0 };
	const struct pd_code head = { .version = 1 };
	uint64_t left;

	program[0] = whole;
	program[1] = (struct program){ .id = 9, .len = 4, .funcs = 1, .func_lens = 1, .addr = { 0x1000 }, .size = { 4 } };
	programs = 2;
	v9_bpf_read(&b, 5, 1);
	v9_bpf_read_all(&b);
	tap_ok(!asked && !b.n, "bpf_not_wanted");
	b.wanted = true;
	closed = 0;
	v9_bpf_read_all(&b);
	tap_ok(b.n == 3 && !b.unread && b.bytes == 16 && closed == 2, "all_programs");
	code_is(&b, 0, 5, 0, 0xffff800081000000, 8, 0x50);
	code_is(&b, 1, 5, 0, 0xffff800081000040, 4, 0x58);
	code_is(&b, 2, 9, 0, 0x1000, 4, 0x90);
	v9_bpf_read(&b, 7, 1ull << 33);
	tap_ok(b.n == 3 && b.unread == 1 && closed == 2, "program_is_gone");
	v9_bpf_read(&b, 9, 1ull << 33);
	code_is(&b, 3, 9, 1ull << 33, 0x1000, 4, 0x90);
	tap_ok(v9_bpf_size(&b, 0xffff800081000040) == 4 && v9_bpf_size(&b, 0xffff800081000000) == 8 && !v9_bpf_size(&b, 1),
		"sizes");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		program[0] = bad[i].p;
		v9_bpf_read(&b, 5, 3);
		tap_ok(b.n == 4 && b.unread == 2 + i && b.bytes == 20, "bpf_%s", bad[i].name);
	}
	/* Code of functions may be shorter than the program. */
	program[0] = whole;
	program[0].len = 13;
	v9_bpf_read(&b, 5, 4);
	tap_eq(b.n, 6, "shorter_functions");
	/* A quarter of what a section may have is the most. */
	b.bytes = 64 << 20;
	v9_bpf_read(&b, 9, 5);
	tap_ok(b.n == 7 && !b.unstored, "as_much_as_there_may_be");
	v9_bpf_read(&b, 9, 6);
	tap_ok(b.n == 7 && b.unstored == 1, "too_much");

	/* In the section: the first does not fit, a smaller one does. Then the first fits exactly. */
	v9_blob_put(&out, &head, sizeof(head));
	left = 23;
	v9_bpf_put(&b, &out, &left);
	tap_ok(left == 3 && b.unstored == 1 + 6, "left");
	left = 24;
	v9_bpf_put(&b, &out, &left);
	tap_ok(!left && b.unstored == 7 + 6, "nothing_left");
	b.code[0].time = 1ull << 33 | 1;
	left = 24;
	v9_bpf_put(&b, &out, &left);
	list(&out);
	expect("bpf_section",
		"version 1 parts 3\n11 at ffff800081000040 size 14: 00000000 00000000 00000005 00000000 5b5a5958\n"
	       "11 at ffff800081000000 size 18: 00000000 00000000 00000005 00000000 53525150 57565554\n"
	       "11 at ffff800081000000 size 18: 00000001 00000002 00000005 00000000 53525150 57565554\n");
	v9_blob_free(&out);
	v9_bpf_free(&b);
	/* The least number that a program can have */
	program[0] = whole;
	program[0].id = 1;
	b.wanted = true;
	v9_bpf_read_all(&b);
	tap_eq(b.n, 3, "first_program");
	v9_bpf_free(&b);
	tap_ok(!b.n && !b.code && !b.wanted, "bpf_free");
}

int main(void)
{
	const int open_before = descriptors();

	if (!mkdtemp(root))
		return 1;
	test_copy();
	test_errors();
	test_ranges();
	test_bpf();
	tap_eq(descriptors(), open_before, "all_is_closed");
	tap_remove(root);
	return tap_done();
}
