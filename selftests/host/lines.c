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
	return tap_done();
}
