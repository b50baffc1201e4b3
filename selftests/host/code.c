// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernel code that is stored in the capture, with instructions that were patched during the recording; and what
 * the kernel maps into programs.
 */
#include <string.h>

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
	return tap_done();
}
