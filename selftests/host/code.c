// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernel code that is stored in the capture, with instructions that were patched during the recording; and what
 * the kernel maps into programs.
 */
#include <elf.h>
#include <string.h>
#include <sys/stat.h>

#include "tap.h"
#include "../../tools/capture/code.h"

#define KERNEL	UINT64_C(0xffff800080010000)
#define SIZE	64

static size_t put_part(uint8_t *p, uint32_t kind, uint64_t addr, const void *bytes, size_t n)
{
	const struct pd_code_part head = { .kind = kind, .addr = addr, .size = n, .stored = n };

	memcpy(p, &head, sizeof(head));
	memcpy(p + sizeof(head), bytes, n);
	return sizeof(head) + n;
}

/* Each mapping has the code of its part, by its first byte. A 32-bit program has another vDSO than others. */
static void mapped(void)
{
	static const struct {
		const char *name, *mapping, *object;
		uint32_t kind;
		uint64_t start;
	} rows[] = {
		{ "vdso", "[vdso]", "[vdso]", PD_CODE_VDSO, 0xffff90000000 },
		{ "vdso_of_32_bits", "[vdso]", "[vdso32]", PD_CODE_VDSO32, 0xf7fef000 },
		{ "last_vdso_of_32_bits", "[vdso]", "[vdso32]", 0, 0xfffff000 },
		{ "first_vdso_of_64_bits", "[vdso]", "[vdso]", 0, 0x100000000 },
		{ "signal_page", "[sigpage]", "[sigpage]", PD_CODE_SIGPAGE, 0xf7ff0000 },
		{ "vectors", "[vectors]", "[vectors]", PD_CODE_VECTORS, 0xffff0000 },
		{ "stack", "[stack]", "[stack]", 0, 0xf7000000 },
	};
	struct pd_code head = { .version = PD_CODE_VERSION };
	const struct v9_syms_opts opts = { 0 };
	struct v9_strtab strtab = { 0 };
	uint8_t bytes[1024], code[SIZE];
	size_t n = sizeof(head);
	struct v9_syms s;
	struct v9_code c;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		memset(code, (int)rows[i].kind, sizeof(code));
		if (rows[i].kind)
			n += put_part(bytes + n, rows[i].kind, 0, code, SIZE);
		head.parts += !!rows[i].kind;
	}
	memcpy(bytes, &head, sizeof(head));
	v9_syms_init(&s, &strtab, &opts);
	v9_embedded_open(&s.embedded, bytes, n);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		v9_syms_map(&s, 1, 7, rows[i].start, 0x1000, 0, V9_MAP_EXEC, rows[i].mapping,
			    strlen(rows[i].mapping) + 1, NULL, 0);
	v9_syms_seal(&s);
	v9_code_init(&c, &s);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *object = rows[i].object;
		const bool is_32 = !strcmp(object, "[vdso32]"), is_64 = !strcmp(object, "[vdso]");
		const uint32_t kind = is_32 ? PD_CODE_VDSO32 : is_64 ? PD_CODE_VDSO : rows[i].kind;
		const uint8_t *p = v9_code_at(&c, 7, 2, rows[i].start + 4, &n);
		const struct v9_dso *d = v9_code_owner(&c, 7, 2, rows[i].start);

		tap_ok(kind ? p && *p == kind && n == SIZE - 4 : !p, "code_of_%s", rows[i].name);
		tap_ok(d && !strcmp(d->name, object), "object_of_%s", rows[i].name);
	}
	v9_code_free(&c);
	v9_syms_free(&s);
	v9_strtab_free(&strtab);
}

/* Code of files, up to the end of the mapping or of the file; and why there is none */
static void files(void)
{
	static const struct { const char *name; uint16_t machine; uint64_t size; const char *why; } rows[] = {
		{ "code", EM_AARCH64, 0x2800, NULL }, { "x86", EM_X86_64, 0x100, "not an ELF file of this architecture" },
		{ "none", 0, 0, "no such file here (--symfs)" }, { "dir", 0, 1, "not an ELF file of this architecture" },
	};
	static uint8_t bytes[0x2800];
	char dir[] = "/tmp/v9trace-code.XXXXXX", path[64];
	struct v9_strtab strtab = { 0 };
	struct v9_syms s;
	struct v9_dso *d;
	struct v9_code c;
	size_t n = 77;

	if (!mkdtemp(dir))
		abort();
	v9_syms_init(&s, &strtab, NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const Elf64_Ehdr e = { .e_ident = { 0x7f, 'E', 'L', 'F', 2, 1, 1 }, .e_machine = rows[i].machine,
				       .e_version = 1, .e_ehsize = sizeof(e) };
		FILE *f;

		for (size_t k = 0; k < sizeof(bytes); k++)
			bytes[k] = (uint8_t)(k >> 4);
		memcpy(bytes, &e, sizeof(e));
		snprintf(path, sizeof(path), "%s/%s", dir, rows[i].name);
		f = rows[i].machine ? fopen(path, "w") : NULL;
		if (f && (fwrite(bytes, 1, rows[i].size, f) != rows[i].size || fclose(f)))
			abort();
		if (!rows[i].machine && rows[i].size && mkdir(path, 0700))
			abort();
		v9_syms_map(&s, 1, 7, 0x100000 * (i + 1), 0x2000, i ? 0 : 0x1000, V9_MAP_EXEC, path, strlen(path) + 1, NULL, 0);
	}
	snprintf(path, sizeof(path), "%s/code", dir);
	v9_syms_map(&s, 1, 7, 0x900000, 0x1000, 0, V9_MAP_EXEC, path, strlen(path) + 1, NULL, 0);
	v9_syms_seal(&s);
	v9_code_init(&c, &s);
	tap_ok(v9_code_at(&c, 7, 2, 0x900800, &n) && n == 0x800, "up_to_the_end_of_the_mapping");
	for (size_t i = 1; i < sizeof(rows) / sizeof(rows[0]); i++) {
		d = v9_code_owner(&c, 7, 2, 0x100000 * (i + 1));
		n = 77;
		tap_ok(d && !v9_code_at(&c, 7, 2, 0x100000 * (i + 1), &n) && !n, "no_code_%s", rows[i].name);
		if (!tap_ok(d->code.why && !strcmp(d->code.why, rows[i].why), "why_%s", rows[i].name))
			tap_note("%s", d->code.why ? d->code.why : "no reason");
	}
	tap_ok(v9_code_at(&c, 7, 2, 0x100040, &n) == v9_code_at(&c, 7, 2, 0x100000, &n) + 0x40 && n == 0x1800 &&
	       *v9_code_at(&c, 7, 2, 0x100040, &n) == 0x04 && n == 0x17c0, "up_to_the_end_of_the_file");
	tap_ok(v9_code_at(&c, 7, 2, 0x1017ff, &n) && n == 1, "last_byte_of_the_file");
	n = 77;
	tap_ok(!v9_code_at(&c, 7, 2, 0x101800, &n) && !n, "behind_the_file");
	n = 77;
	tap_ok(!v9_code_at(&c, 7, 2, 0x102000, &n) && !n, "behind_the_mapping");
	d = v9_code_owner(&c, 7, 2, 0x100000);
	/* By the addresses of the file; the second segment is cut by its end. */
	d->nr_segs = 2;
	d->segs[0] = (struct v9_seg){ .offset = 0x100, .size = 0x200, .addr = 0x40000 };
	d->segs[1] = (struct v9_seg){ .offset = 0x2700, .size = 0x200, .addr = 0x50000 };
	tap_ok(v9_code_of(&c, d, 0x40010, &n) && n == 0x1f0 && *v9_code_of(&c, d, 0x40010, &n) == 0x11, "of_a_segment");
	tap_ok(v9_code_of(&c, d, 0x401ff, &n) && n == 1 && !v9_code_of(&c, d, 0x40200, &n) && !n, "end_of_a_segment");
	tap_ok(v9_code_of(&c, d, 0x500f0, &n) && n == 0x10 && *v9_code_of(&c, d, 0x500f0, &n) == 0x7f, "cut_segment");
	tap_ok(!v9_code_of(&c, d, 0x50100, &n) && !n && !v9_code_of(&c, d, 0x3ffff, &n) && !n, "of_no_segment");
	v9_code_free(&c);
	v9_syms_free(&s);
	v9_strtab_free(&strtab);
	tap_remove(dir);
}

int main(void)
{
	const struct pd_code head = { .version = PD_CODE_VERSION, .parts = 2 };
	const struct pd_code_change changes[] = { { .addr = KERNEL + 16 }, { .addr = KERNEL + 20 },
						  { .addr = KERNEL + 40 } };
	static const struct {
		const char *name;
		uint64_t at;
		size_t n;		/* bytes that are known from there on */
	} rows[] = {
		{ "up_to_a_change", 0, 16 }, { "one_before_a_change", 12, 4 },
		{ "a_change", 16, 0 }, { "inside_a_change", 18, 0 }, { "last_byte_of_a_change", 23, 0 },
		{ "between_changes", 24, 16 }, { "another_change", 40, 0 },
		{ "behind_all", 44, SIZE - 44 }, { "last_instruction", SIZE - 4, 4 },
		{ "end", SIZE, 0 },
	};
	const struct v9_syms_opts opts = { 0 };
	struct v9_strtab strtab = { 0 };
	uint8_t bytes[512], code[SIZE];
	size_t n = sizeof(head);
	struct v9_syms s;
	struct v9_code c;

	for (unsigned int i = 0; i < SIZE; i++)
		code[i] = (uint8_t)i;
	memcpy(bytes, &head, n);
	n += put_part(bytes + n, PD_CODE_KERNEL, KERNEL, code, SIZE);
	n += put_part(bytes + n, PD_CODE_CHANGED, 0, changes, sizeof(changes));
	v9_syms_init(&s, &strtab, &opts);
	v9_embedded_open(&s.embedded, bytes, n);
	v9_syms_seal(&s);
	v9_code_init(&c, &s);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const uint8_t *p = v9_code_at(&c, 7, 1, KERNEL + rows[i].at, &n);

		tap_ok(!p == !rows[i].n && n == rows[i].n && (!p || *p == rows[i].at), "%s",
		       rows[i].name);
	}
	tap_ok(c.kernel_changed && !strcmp(s.dsos[0]->code.why, "it was patched while this was recorded"),
	       "why_there_is_none");
	tap_ok(v9_code_of(&c, s.dsos[0], KERNEL + 4, &n) && n == 12, "by_its_object");
	tap_ok(v9_code_owner(&c, 7, 1, KERNEL) == s.dsos[0], "owner_is_the_kernel");
	tap_ok(!v9_code_owner(&c, 7, 1, 0x1000), "no_owner");
	v9_code_free(&c);
	v9_syms_free(&s);
	v9_strtab_free(&strtab);
	mapped();
	files();
	return tap_done();
}
