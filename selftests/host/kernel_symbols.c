// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of kernel addresses from the machine that reads the capture: /proc and /sys below a
 * directory of this test, for a capture that was recorded before it was booted again. And from
 * copies of kallsyms of another boot.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"
#include "../../tools/capture/kallsyms.h"
#include "../../tools/capture/sym.h"

/* The recorded kernel, and by how much this boot has moved it: KASLR moves by 64 KiB or more. */
#define THEN		UINT64_C(0xffff800081230000)
#define MOVED		UINT64_C(0x3c50000)
#define MOD_THEN	UINT64_C(0xffff80007b400000)
#define MOD_MOVED	UINT64_C(0x7310000)
#define MOD_SIZE	0x4000

static const uint8_t kernel_id[20] = { 0xaa, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
				       17, 18, 19 };
static const uint8_t module_id[20] = { 0xbb, 9, 8, 7 };
static const uint8_t other_id[20] = { 0xcc, 9, 8, 7 };

static char dir[] = "/tmp/v9trace-kernel.XXXXXX";

static void put_file(const char *path, const void *p, size_t n)
{
	char whole[512];

	snprintf(whole, sizeof(whole), "%s/%s", dir, path);
	tap_write(whole, p, n);
}

static void put_note(uint8_t *to, size_t *n, const char *name, uint32_t type, const void *desc,
		     uint32_t size)
{
	const uint32_t head[] = { (uint32_t)strlen(name) + 1, size, type };

	memcpy(to + *n, head, sizeof(head));
	strcpy((char *)to + *n + sizeof(head), name);
	*n += sizeof(head) + ((head[0] + 3) & ~3u);
	memcpy(to + *n, desc, size);
	*n += (size + 3) & ~3u;
}

/* Notes as the kernel has them, with others around the build-id */
static void put_notes(const char *path, const uint8_t id[20])
{
	uint8_t notes[256] = { 0 };
	size_t n = 0;

	put_note(notes, &n, "Linux", 0x100, "\1\2", 2);
	put_note(notes, &n, "GNU", 1, "\0\0\0\0", 4);
	put_note(notes, &n, "GNU", 3, id, 20);
	put_note(notes, &n, "Xen", 3, "never an identifier!", 20);
	put_file(path, notes, n);
}

#define ALL	"%016llx T _text\n%016llx T vfs_read\n%016llx t copy_page\n%016llx T _etext\n" \
		"%016llx D jiffies\n%016llx t helper\t[v9_spe]\n%016llx t last\t[v9_spe]\n" \
		"%016llx d v9_table\t[v9_spe]\n%016llx t away\t[v9_spe]\n" \
		"%016llx t stranger\t[v9_ete]\n%016llx t bpf_prog_1\t[bpf]\n"

static size_t print_kallsyms(char *text, size_t size, uint64_t at, uint64_t mod)
{
	return (size_t)snprintf(text, size, ALL,
		(unsigned long long)at, (unsigned long long)at, at + 0x1000ull, at + 0x2000ull,
		at + 0x3000ull, mod + 0x100ull, mod + MOD_SIZE - 0x10ull, mod + 0x800ull,
		mod + MOD_SIZE + 0ull, mod + 0x100000ull, mod + 0x200000ull);
}

static void put_machine(const uint8_t id[20], uint64_t at, uint64_t mod)
{
	char text[2048];

	put_notes("sys/kernel/notes", id);
	put_notes("sys/module/v9_spe/notes/.note.gnu.build-id", module_id);
	put_notes("sys/module/v9_ete/notes/.note.gnu.build-id", other_id);
	put_file("proc/kallsyms", text, print_kallsyms(text, sizeof(text), at, mod));
	put_file("proc/modules", text, (size_t)snprintf(text, sizeof(text),
		"v9_ete %u 0 - Live 0x%016llx\nv9_spe_more 4096 0 - Live 0x%016llx\n"
		"not_v9_spe 4096 0 - Live 0x400000\nv9_spe %u 1 v9_core, Live 0x%016llx (OE)\n", MOD_SIZE,
		mod ? mod + 0x100000ull : 0, mod ? mod + 0x300000ull : 0, MOD_SIZE,
		(unsigned long long)mod));
}

/* The capture: its kernel, modules v9_spe, v9_ete, v9_gone and v9_blank, which has no build-id */
static void open_capture(struct v9_syms *s, struct v9_strtab *strtab, const uint8_t *id, bool map)
{
	static const char *const modules[] = { "/lib/modules/6.12/v9-spe.ko.xz", "[v9_ete]", "[v9_gone]",
					       "[v9_blank]" };
	const struct v9_syms_opts opts = { .root = dir, .objects = true };
	const char kernel[] = "[kernel.kallsyms]", named[] = "[kernel.kallsyms]_text";

	v9_syms_init(s, strtab, &opts);
	if (map)
		v9_syms_map(s, 0, V9_KERNEL_PID, THEN, 0x100000, THEN, V9_MAP_EXEC, named,
			    sizeof(named), NULL, 0);
	for (unsigned int i = 0; i < 4; i++) {
		const char *name = modules[i];

		v9_syms_map(s, 0, V9_KERNEL_PID, MOD_THEN + i * 0x100000, MOD_SIZE, 0, V9_MAP_EXEC,
			    name, strlen(name) + 1, NULL, 0);
		if (i < 3)
			v9_syms_build_id(s, name, strlen(name) + 1, module_id, 20);
	}
	if (id)
		v9_syms_build_id(s, kernel, sizeof(kernel), id, 20);
	v9_syms_seal(s);
}

/* "name+offset (object)", or why the object has no names */
static const char *name_at(struct v9_syms *s, uint64_t addr)
{
	static char text[256];
	struct v9_place place;

	v9_syms_find(s, 1, 0, addr, &place);
	if (place.func)
		snprintf(text, sizeof(text), "%s+%x (%s)", place.func->name,
			 (unsigned int)place.offset, place.dso_name);
	else
		snprintf(text, sizeof(text), "%s", place.dso && place.dso->why ? place.dso->why : "-");
	return text;
}

static void is(struct v9_syms *s, uint64_t addr, const char *want, const char *name)
{
	const char *got = name_at(s, addr);
	uint64_t linked = 0;

	/* Of the kernel that is the run-time address. */
	tap_ok(!v9_syms_linked(s, 1, 0, addr, &linked) || linked == addr, "%s_address", name);
	if (!tap_ok(!strcmp(got, want), "%s", name))
		printf("# got '%s'\n", got);
}

/* Begins with @want */
static void says(struct v9_syms *s, uint64_t addr, const char *want, const char *name)
{
	const char *got = name_at(s, addr);

	if (!tap_ok(!strncmp(got, want, strlen(want)), "%s", name))
		printf("# got '%s'\n", got);
}

static void booted_again(void)
{
	struct v9_strtab strtab = { 0 };
	struct v9_syms s;

	put_machine(kernel_id, THEN + MOVED, MOD_THEN + MOD_MOVED);
	open_capture(&s, &strtab, kernel_id, true);
	is(&s, THEN, "vfs_read+0 ([kernel.kallsyms])", "first_function");
	is(&s, THEN + 0x1004, "copy_page+4 ([kernel.kallsyms])", "function_after_a_boot");
	is(&s, MOD_THEN + 0x104, "helper+4 ([v9_spe])", "module_has_a_distance_of_its_own");
	is(&s, MOD_THEN + MOD_SIZE - 0x10, "last+0 ([v9_spe])", "last_function_of_a_module");
	says(&s, MOD_THEN + 0x100000 + 0x104, "the module that is loaded here has another build-id",
	     "module_with_another_build_id");
	says(&s, MOD_THEN + 0x200000 + 4, "this module is not loaded here", "module_not_loaded");
	says(&s, MOD_THEN + 0x300000 + 4, "the capture has no build-id of this module",
	     "module_without_a_build_id");
	tap_eq(s.dsos[0]->nr_objs, 1, "data_of_modules_is_left_out");
	for (size_t i = 0; i < s.dsos[0]->nr_funcs; i++) {
		const char *f = s.dsos[0]->funcs[i].name;

		tap_ok(strcmp(f, "bpf_prog_1") && strcmp(f, "stranger") && strcmp(f, "away"),
		       "symbols_of_this_boot_are_left_out");
	}
	tap_eq(s.dsos[0]->objs[0].start, THEN + 0x3000, "variable_after_a_boot");
	v9_syms_free(&s);
	v9_strtab_free(&strtab);
}

static void refused(const uint8_t *id, bool map, const char *want, const char *name)
{
	struct v9_strtab strtab = { 0 };
	struct v9_syms s;

	open_capture(&s, &strtab, id, map);
	says(&s, THEN + 0x1004, want, name);
	tap_eq(s.dsos[0]->nr_funcs + s.dsos[0]->nr_objs, 0, "%s", name);
	v9_syms_free(&s);
	v9_strtab_free(&strtab);
}

static void refusals(void)
{
	static const char another[] = "the capture has no kernel symbols, and the kernel that runs here "
				      "has another build-id";

	put_machine(kernel_id, THEN + MOVED, MOD_THEN);
	refused(other_id, true, another, "another_kernel");
	refused(NULL, true, "the capture has no kernel symbols (", "unnamed_kernel");
	refused(kernel_id, false, "the capture does not say where its kernel was", "no_map");
	put_machine(kernel_id, 0, 0);
	put_file("proc/kallsyms", "0000000000000000 T _text\n0000000000000000 T vfs_read\n", 52);
	refused(kernel_id, true, "this machine runs the recorded kernel, but hides its addresses",
		"hidden_addresses");
	put_file("proc/kallsyms", "", 0);
	refused(kernel_id, true, "this machine runs the recorded kernel, but hides", "empty_kallsyms");
	put_file("sys/kernel/notes", "\4\0\0\0\377\377\377\377\3\0\0\0GNU", 16);
	refused(kernel_id, true, another, "damaged_notes");
	put_file("sys/kernel/notes", "", 0);
	refused(kernel_id, true, another, "no_notes");
}

/* A copy of kallsyms by build-id, of the capture's boot or of another one */
static void cached(void)
{
	static const char copy[] = "home/.debug/.build-id/aa/0102030405060708090a0b0c0d0e0f10111213/kallsyms";
	char text[2048];
	struct v9_strtab strtab = { 0 };
	struct v9_syms s;

	put_file(copy, text, print_kallsyms(text, sizeof(text), THEN - MOVED, MOD_THEN));
	open_capture(&s, &strtab, kernel_id, true);
	is(&s, THEN + 0x1004, "copy_page+4 ([kernel.kallsyms])", "copy_of_another_boot");
	says(&s, MOD_THEN + 0x104, "-", "copy_of_another_boot_has_no_modules");
	v9_syms_free(&s);
	put_file(copy, text, print_kallsyms(text, sizeof(text), THEN, MOD_THEN));
	open_capture(&s, &strtab, kernel_id, true);
	is(&s, THEN + 0x1004, "copy_page+4 ([kernel.kallsyms])", "copy_of_this_boot");
	is(&s, MOD_THEN + 0x104, "helper+4 ([v9_spe])", "copy_of_this_boot_has_modules");
	v9_syms_free(&s);
	v9_strtab_free(&strtab);
}

/* Lines of any content, at the end of memory */
static void lines(void)
{
	static const struct { const char *text; const char *name; uint64_t addr; int owner; } cases[] = {
		{ "ffff800080000000 T _text", "_text", UINT64_C(0xffff800080000000), 0 },
		{ "FFFF800080000000 T _text\n", "_text", UINT64_C(0xffff800080000000), 0 },
		{ "1 t a\t[m]", "a", 1, 3 },
		{ "1 t a\t[m", "a", 1, 2 },
		{ "\n\nnonsense\n2 T b\n", "b", 2, 0 },
		{ "12345678123456781 T long\n3 T c", "c", 3, 0 },
		{ "", NULL, 0, 0 }, { "1", NULL, 0, 0 }, { "1 ", NULL, 0, 0 }, { "1 T", NULL, 0, 0 },
		{ "1 T ", NULL, 0, 0 }, { "1 T \t[m]", NULL, 0, 0 }, { "T a", NULL, 0, 0 },
		{ "1\tT a", NULL, 0, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const size_t n = strlen(cases[i].text);
		char *text = memcpy(malloc(n + 1), cases[i].text, n);
		char *exact = realloc(text, n ? n : 1);
		const char *at = exact;
		struct v9_ksym sym;
		bool found = v9_ksym_next(&at, exact + n, &sym);

		tap_eq(found, !!cases[i].name, "line_%zu", i);
		if (found && cases[i].name) {
			tap_eq(sym.addr, cases[i].addr, "line_%zu", i);
			tap_eq(sym.name_len, strlen(cases[i].name), "line_%zu", i);
			tap_ok(!memcmp(sym.name, cases[i].name, sym.name_len), "line_%zu", i);
			tap_eq(sym.owner_len, cases[i].owner, "line_%zu", i);
		}
		free(exact);
	}
}

/* Symbols of a capture without addresses: nothing of them is kept, a leak of it is an error of the sanitizer. */
static void without_addresses(void)
{
	static const char text[] = "0000000000000000 T _text\n0000000000000000 D jiffies\n";
	struct v9_strtab strtab = { 0 };
	struct v9_syms s;

	open_capture(&s, &strtab, NULL, false);
	tap_ok(!v9_syms_kallsyms(&s, text, sizeof(text) - 1), "without_addresses");
	tap_ok(!s.dsos[0]->nr_funcs && !s.dsos[0]->nr_objs && !s.dsos[0]->funcs && !s.dsos[0]->objs &&
	       !strncmp(s.dsos[0]->why, "kallsyms without addresses", 26), "nothing_of_it_is_kept");
	v9_syms_free(&s);
	v9_strtab_free(&strtab);
}

int main(void)
{
	char home[64];

	if (!mkdtemp(dir))
		return 1;
	snprintf(home, sizeof(home), "%s/home", dir);
	setenv("HOME", home, 1);
	lines();
	booted_again();
	refusals();
	cached();
	without_addresses();
	snprintf(home, sizeof(home), "rm -rf %s", dir);
	return system(home) | tap_done();
}
