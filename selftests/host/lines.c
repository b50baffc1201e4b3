// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines and inlined functions of a kernel that runs at other addresses than it was linked for. Its
 * vmlinux is a copy of this program whose header says AArch64.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"
#include "../../tools/capture/lines.h"

#define KERNEL	UINT64_C(0xffff800080001000)	/* address of outer() in the recorded kernel */

static uint64_t called_from;		/* inside of inner(), as it is part of outer() */
static unsigned int called_line, inlined_line;

__attribute__((noinline)) static void note_caller(void)
{
	called_from = (uintptr_t)__builtin_return_address(0);
}

static inline __attribute__((always_inline)) void inner(void)
{
	called_line = __LINE__ + 1;
	note_caller();
	called_from += !called_line;	/* no tail call */
}

__attribute__((noinline)) void outer(void);
void outer(void)
{
	inlined_line = __LINE__ + 1;
	inner();
}

static void copy_self(const char *path)
{
	const Elf64_Half machine = EM_AARCH64;
	FILE *in = fopen("/proc/self/exe", "r"), *out = fopen(path, "w");
	static char block[1 << 16];
	size_t n;

	if (!in || !out)
		abort();
	while ((n = fread(block, 1, sizeof(block), in)))
		if (fwrite(block, 1, n, out) != n)
			abort();
	if (fseek(out, offsetof(Elf64_Ehdr, e_machine), SEEK_SET) ||
	    fwrite(&machine, sizeof(machine), 1, out) != 1 || fclose(out))
		abort();
	fclose(in);
}

/* Why there are no lines of a file: it is empty, of another machine, another one, without DWARF, or not there. */
static void reasons(void)
{
	static const struct { const char *name, *why; Elf64_Half machine; bool other; } rows[] = {
		{ "none", "no such file here (--symfs, --debug-dir)", 0, false },
		{ "x86", "not an ELF file of this architecture", EM_X86_64, false },
		{ "bare", "its files have no debug information (-g, --debug-dir)", EM_AARCH64, false },
		{ "other", "the file here has another build-id (--symfs, --debug-dir)", EM_AARCH64, true },
	};
	const uint32_t note[] = { 4, 4, 3, 0x554e47, 0x01020304 };	/* "GNU", a build-id of 4 bytes */
	const Elf64_Phdr ph = { .p_type = PT_NOTE, .p_offset = sizeof(Elf64_Ehdr) + sizeof(ph), .p_filesz = sizeof(note),
				.p_align = 4 };
	char dir[] = "/tmp/v9trace-reasons.XXXXXX", path[64];
	struct v9_strtab strtab = { 0 };
	struct v9_src_line line;
	struct v9_lines lines;
	struct v9_syms s;

	if (!mkdtemp(dir))
		abort();
	v9_syms_init(&s, &strtab, NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const Elf64_Ehdr e = { .e_ident = { 0x7f, 'E', 'L', 'F', 2, 1, 1 }, .e_type = ET_DYN, .e_version = 1,
			.e_machine = rows[i].machine, .e_phoff = sizeof(e), .e_ehsize = sizeof(e),
			.e_phentsize = sizeof(ph), .e_phnum = 1 };
		struct v9_dso *d;
		FILE *f;

		snprintf(path, sizeof(path), "%s/%s", dir, rows[i].name);
		f = rows[i].machine ? fopen(path, "w") : NULL;
		if (f && (fwrite(&e, sizeof(e), 1, f) != 1 || fwrite(&ph, sizeof(ph), 1, f) != 1 ||
			  fwrite(note, sizeof(note), 1, f) != 1 || fclose(f)))
			abort();
		d = v9_syms_dso(&s, v9_strtab_put(&strtab, path, strlen(path)));
		d->build_id_size = rows[i].other ? 4 : 0;
	}
	v9_syms_seal(&s);
	v9_lines_init(&lines, &s);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct v9_dso *d;
		const char *why;

		snprintf(path, sizeof(path), "%s/%s", dir, rows[i].name);
		d = v9_syms_dso(&s, v9_strtab_put(&strtab, path, strlen(path)));
		tap_ok(!v9_lines_find(&lines, d, 0x1000, &line), "no_line_%s", rows[i].name);
		why = v9_lines_why(&lines, d);
		if (!tap_ok(why && !strcmp(why, rows[i].why), "why_%s", rows[i].name))
			tap_note("%s", why ? why : "no reason");
	}
	v9_lines_free(&lines);
	v9_syms_free(&s);
	v9_strtab_free(&strtab);
	tap_remove(dir);
}

int main(void)
{
	char path[] = "/tmp/v9trace-lines.XXXXXX", text[64];
	const struct v9_syms_opts opts = { .vmlinux = path };
	const char name[] = "[kernel.kallsyms]outer";
	struct v9_strtab strtab = { 0 };
	struct v9_inline frame[4];
	struct v9_src_line line;
	struct v9_lines lines;
	struct v9_dso *kernel;
	struct v9_syms s;
	uint64_t at;
	size_t n;

	if (close(mkstemp(path)))
		abort();
	copy_self(path);
	outer();
	/* Of the call itself, which is the instruction before the one that it returns to */
	at = KERNEL + called_from - (uintptr_t)outer - 1;

	v9_syms_init(&s, &strtab, &opts);
	v9_syms_map(&s, 0, V9_KERNEL_PID, KERNEL - 0x1000, 0x100000, KERNEL, V9_MAP_EXEC, name, sizeof(name),
		    NULL, 0);
	v9_syms_seal(&s);
	kernel = s.dsos[0];
	v9_lines_init(&lines, &s);
	tap_ok(v9_lines_find(&lines, kernel, at, &line) && line.line == called_line &&
	       !strcmp(strrchr(line.file, '/'), "/lines.c"), "line");
	tap_ok(!v9_lines_find(&lines, kernel, at - 0x10000000, &line), "no_line");
	n = v9_lines_inlined(&lines, kernel, at, frame, 4);
	tap_ok(n == 2 && !strcmp(frame[0].name, "inner") && !strcmp(frame[1].name, "outer"), "inlined");
	tap_ok(n == 2 && frame[0].call.line == inlined_line, "line_where_it_was_inlined");
	tap_ok(n == 2 && frame[1].start == KERNEL && !frame[0].start, "start_of_the_function");
	tap_ok(n == 2 && frame[1].decl && frame[1].decl < inlined_line && inlined_line - frame[1].decl == 3,
	       "line_of_its_name");
	tap_eq(v9_lines_inlined(&lines, kernel, at, frame, 1), 1, "at_most_so_many");
	tap_ok(v9_lines_inlined_text(&lines, kernel, at, text, sizeof(text)) && !strcmp(text, "inner"), "text");
	tap_ok(!v9_lines_inlined_text(&lines, kernel, KERNEL, text, sizeof(text)), "nothing_inlined");
	if (v9_lines_why(&lines, kernel))
		tap_note("%s", v9_lines_why(&lines, kernel));
	tap_ok(v9_lines_why(&lines, kernel) == NULL, "no_reason");
	v9_lines_free(&lines);
	v9_syms_free(&s);
	v9_strtab_free(&strtab);
	unlink(path);
	reasons();
	return tap_done();
}
