// SPDX-License-Identifier: GPL-2.0-only
/*
 * The section with code of a capture: unaligned, and with content that the recorder does not write.
 * Built with sanitizers.
 */
#include <stdlib.h>
#include <string.h>

#include "tap.h"

#include "../../tools/util.c"
#include "../../tools/capture/embedded.c"

/* Stub of zstd: a frame has a size, and decompresses to so many letters. */
static unsigned int unpackings;

unsigned long long ZSTD_getFrameContentSize(const void *from, size_t n)
{
	uint64_t size = UINT64_MAX;

	if (n >= sizeof(size))
		memcpy(&size, from, sizeof(size));
	return size;
}

size_t ZSTD_decompress(void *to, size_t room, const void *from, size_t n)
{
	const uint64_t size = ZSTD_getFrameContentSize(from, n);

	unpackings++;
	if (size > room)
		return (size_t)-1;
	memset(to, 'x', size);
	return size;
}

/* Stub: as sym.c has it, which needs libelf */
const char *v9_build_id_text(char room[V9_BUILD_ID_TEXT], const uint8_t *id, unsigned int size)
{
	for (unsigned int i = 0; i < size; i++)
		sprintf(room + 2 * i, "%02x", id[i]);
	return room;
}

/* Stub: an image of "E" and 20 bytes or more begins with its build-id. */
unsigned int v9_elf_id(const void *image, size_t size, uint8_t id[V9_BUILD_ID_MAX])
{
	const char *const p = image;

	if (size < 21 || p[0] != 'E')
		return 0;
	memcpy(id, p + 1, 20);
	return 20;
}

/* A part with @n changes from @addr on. */
static size_t put_changes(uint8_t *p, uint64_t addr, size_t n)
{
	struct pd_code_part head = { .kind = PD_CODE_CHANGED };
	struct pd_code_change c = { 0 };

	head.size = n * sizeof(c);
	head.stored = head.size;
	memcpy(p, &head, sizeof(head));
	for (size_t i = 0; i < n; i++) {
		c.addr = addr + 4 * i;
		memcpy(p + sizeof(head) + i * sizeof(c), &c, sizeof(c));
	}
	return sizeof(head) + head.size;
}

/* A compressed part with @size in its header, and @frame in that of its frame */
static size_t put_packed(uint8_t *p, uint64_t size, uint64_t frame)
{
	struct pd_code_part head = { .kind = PD_CODE_KALLSYMS, .packed = 1, .size = size,
				     .stored = sizeof(frame) };

	memcpy(p, &head, sizeof(head));
	memcpy(p + sizeof(head), &frame, sizeof(frame));
	return sizeof(head) + sizeof(frame);
}

/* Sizes claimed by a few bytes must not allocate much memory. */
static void claims(void)
{
	static const struct {
		const char *name;
		uint64_t size, frame;
		unsigned int parts, kept;
		bool good;
	} cases[] = {
		{ "sizes_agree", 1000, 1000, 1, 1, true },
		{ "frame_size_larger", 1000, 1 << 30, 1, 1, false },
		{ "frame_size_smaller", 1 << 26, 1000, 1, 1, false },
		{ "frame_size_unknown", 1000, UINT64_MAX, 1, 1, false },
		{ "largest", 64 << 20, 64 << 20, 1, 1, true },
		{ "too_large", (64 << 20) + 1, (64 << 20) + 1, 1, 0, false },
		{ "too_large_by_far", UINT64_MAX, UINT64_MAX, 1, 0, false },
		{ "too_large_together", 64 << 20, 1000, 6, 4, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct pd_code head = { .version = PD_CODE_VERSION, .parts = cases[i].parts };
		const struct pd_code_part *part;
		const uint8_t *got;
		uint8_t bytes[512];
		size_t n = sizeof(head);
		struct v9_embedded k;

		memcpy(bytes, &head, n);
		for (unsigned int part = 0; part < cases[i].parts; part++)
			n += put_packed(bytes + n, cases[i].size, cases[i].frame);
		unpackings = 0;
		v9_embedded_open(&k, bytes, n);
		part = v9_embedded_part(&k, PD_CODE_KALLSYMS, 0, &got);
		tap_ok(k.nr == cases[i].kept && !!part == cases[i].good &&
		       unpackings == cases[i].good && k.damaged != cases[i].good &&
		       (!part || (part->size == cases[i].size && got[part->size - 1] == 'x' &&
				  !got[part->size])), "%s", cases[i].name);
		v9_embedded_close(&k);
	}
}

/* ---- saving */

static uint8_t section[16384];
static size_t n_section;

static void put_part(enum pd_code_kind kind, uint64_t addr, const void *bytes, size_t n)
{
	const struct pd_code_part part = { .kind = kind, .addr = addr, .size = n, .stored = n };
	struct pd_code head;

	memcpy(section + n_section, &part, sizeof(part));
	memcpy(section + n_section + sizeof(part), bytes, n);
	n_section += sizeof(part) + ((n + 7) & ~(size_t)7);
	memcpy(&head, section, sizeof(head));
	head.parts++;
	memcpy(section, &head, sizeof(head));
}

static void begin_section(void)
{
	const struct pd_code head = { .version = PD_CODE_VERSION };

	memset(section, 0, sizeof(section));
	memcpy(section, &head, sizeof(head));
	n_section = sizeof(head);
}

/* A file that only its owner may read */
static bool is_file(const char *path, const void *want, size_t n)
{
	static uint8_t got[32768];
	FILE *f = fopen(path, "r");
	struct stat st;
	bool same;

	if (!f)
		return false;
	same = fread(got, 1, sizeof(got), f) == n && !memcmp(got, want, n) && !fstat(fileno(f), &st) &&
	       (st.st_mode & 0777) == 0600;
	fclose(f);
	return same;
}

/* Files and links below a directory */
static unsigned int files_below(const char *dir)
{
	char command[128];
	unsigned int n = 0;
	FILE *p;

	snprintf(command, sizeof(command), "find %s ! -type d | wc -l", dir);
	p = popen(command, "r");
	if (!p || fscanf(p, "%u", &n) != 1)
		abort();
	pclose(p);
	return n;
}

static int save_to(const char *dir, unsigned int *saved)
{
	struct v9_embedded k;
	int ret;

	v9_embedded_open(&k, section, n_section);
	ret = v9_embedded_save(&k, dir, saved);
	v9_embedded_close(&k);
	return ret;
}

static const char vdso[] = "Eaaaaaaaaaaaaaaaaaaaa vdso", vdso32[] = "Ebaaaaaaaaaaaaaaaaaaa vdso32",
		  file[] = "Ecaaaaaaaaaaaaaaaaaaa file", second[] = "Edaaaaaaaaaaaaaaaaaaa second file";
#define REST	"61616161616161616161616161616161616161"

static void parts_saved(const char *dir)
{
	static uint8_t code[8192], core[4 * 4096];
	const Elf64_Ehdr eh = {
		.e_ident = { 0x7f, 'E', 'L', 'F', 2, 1, 1 }, .e_type = 4, .e_machine = 183, .e_version = 1,
		.e_phoff = 64, .e_ehsize = 64, .e_phentsize = 56, .e_phnum = 2 };
	const Elf64_Phdr ph[2] = {
		{ .p_type = 1, .p_flags = 7, .p_offset = 4096, .p_vaddr = 0xffff800080000000, .p_filesz = 8192,
		  .p_memsz = 8192, .p_align = 4096 },
		{ .p_type = 1, .p_flags = 7, .p_offset = 3 * 4096, .p_vaddr = 0xffff800081000000, .p_filesz = 4,
		  .p_memsz = 4, .p_align = 4096 } };
	unsigned int saved;

	memset(code, 0xd5, sizeof(code));
	begin_section();
	put_part(PD_CODE_VDSO, 0, vdso, sizeof(vdso));
	put_part(PD_CODE_VDSO32, 0, vdso32, sizeof(vdso32));
	put_part(PD_CODE_FILE, 1, file, sizeof(file));
	put_part(PD_CODE_FILE, 2, "no build-id", 11);
	put_part(PD_CODE_FILE, 3, second, sizeof(second));
	put_part(PD_CODE_KERNEL, 0xffff800080000000, code, sizeof(code));
	put_part(PD_CODE_KERNEL, 0xffff800081000000, "nops", 4);
	put_part(PD_CODE_KALLSYMS, 0, "ffff T _text", 12);
	put_part(PD_CODE_MODULES, 0, "ext4 1 0", 8);
	for (unsigned int turn = 0; turn < 2; turn++) {	/* over what is there already, too */
		tap_eq(save_to(dir, &saved), 0, "saved_%u", turn);
		tap_eq(saved, V9_SAVED_VDSO | V9_SAVED_KERNEL | V9_SAVED_KALLSYMS | V9_SAVED_MODULES | V9_SAVED_FILES,
		       "all_saved_%u", turn);
		tap_ok(is_file("[vdso]/61" REST "/vdso", vdso, sizeof(vdso)), "vdso_%u", turn);
		tap_ok(is_file(".build-id/61/" REST "/vdso", vdso, sizeof(vdso)), "vdso_by_id_%u", turn);
		tap_ok(is_file("[vdso32]/62" REST "/vdso", vdso32, sizeof(vdso32)), "vdso32_%u", turn);
		tap_ok(is_file(".build-id/62/" REST "/vdso", vdso32, sizeof(vdso32)), "vdso32_by_id_%u", turn);
		tap_ok(is_file("[container]/63" REST "/elf", file, sizeof(file)), "file_%u", turn);
		tap_ok(is_file(".build-id/64/" REST "/elf", second, sizeof(second)), "second_file_%u", turn);
		tap_ok(is_file("kallsyms", "ffff T _text", 12), "kallsyms_%u", turn);
		tap_ok(is_file("modules", "ext4 1 0", 8), "modules_%u", turn);
		memcpy(core, &eh, sizeof(eh));
		memcpy(core + 64, ph, sizeof(ph));
		memcpy(core + 4096, code, sizeof(code));
		memcpy(core + 3 * 4096, "nops", 4);
		tap_ok(is_file("kcore", core, 3 * 4096 + 4), "kcore_%u", turn);
		tap_eq(files_below(dir), 4 + 4 + 3, "nothing_else_%u", turn);
		if (!turn && (chmod("kallsyms", 0644) || unlink("modules")))
			abort();
	}
}

/* Nothing of what follows is written; @files: what there is then, with the one in the way. */
static void refused(const char *dir, const char *name, const char *in_the_way, unsigned int want, unsigned int files)
{
	unsigned int saved;
	FILE *f;

	tap_remove(dir);
	if (mkdir(dir, 0700) || chdir(dir))
		abort();
	f = fopen(in_the_way, "w");
	if (!f || fclose(f))
		abort();
	tap_eq(save_to(dir, &saved), -ENOTDIR, "%s", name);
	tap_eq(saved, want, "%s_saved", name);
	tap_eq(files_below(dir), files, "%s_ends_it", name);
}

static void saving(void)
{
	char dir[] = "/tmp/v9trace-embedded.XXXXXX";
	unsigned int saved = 77;

	if (!mkdtemp(dir) || chdir(dir))
		abort();
	begin_section();
	put_part(PD_CODE_NO_KERNEL, 0, "why", 3);
	tap_ok(!save_to(dir, &saved) && !saved && !files_below(dir), "nothing_to_save");
	put_part(PD_CODE_VDSO, 0, "no build-id", 11);
	tap_ok(!save_to(dir, &saved) && !saved && !files_below(dir), "nothing_with_an_id");
	parts_saved(dir);
	refused(dir, "file_for_links", ".build-id", V9_SAVED_VDSO, 1);
	refused(dir, "file_for_vdso", "[vdso]", V9_SAVED_VDSO, 2);
	refused(dir, "file_for_vdso32", "[vdso32]", V9_SAVED_VDSO, 4);
	refused(dir, "file_for_files", "[container]", V9_SAVED_VDSO | V9_SAVED_FILES, 6);
	if (chdir("/"))
		abort();
	tap_remove(dir);
}

int main(void)
{
	const struct pd_code head = { .version = PD_CODE_VERSION, .parts = 2 };
	const struct pd_code_change *c;
	uint8_t bytes[4096];
	size_t n = sizeof(head);
	struct v9_embedded k;
	uint8_t *p;

	memcpy(bytes, &head, n);
	n += put_changes(bytes + n, 0x9000, 60);
	n += put_changes(bytes + n, 0x1000, 2);
	/* Two lists of changes, the shorter or the longer one first, at odd addresses */
	for (unsigned int turn = 0; turn < 2; turn++) {
		p = malloc(n + 1);
		memcpy(p + 1, bytes, n);
		v9_embedded_open(&k, p + 1, n);
		tap_eq(k.nr_changed, turn ? 2 : 60, "%s_list_counts_its_own", turn ? "short" : "long");
		c = v9_embedded_change(&k, turn ? 0x1004 : 0x9004);
		tap_ok(c && c->addr == (turn ? 0x1004 : 0x9004), "found_%u", turn);
		c = v9_embedded_change(&k, 0xa000);
		tap_ok(!c, "none_behind_%u", turn);
		v9_embedded_close(&k);
		free(p);
		n = sizeof(head);
		n += put_changes(bytes + n, 0x1000, 2);
		n += put_changes(bytes + n, 0x9000, 60);
	}
	claims();
	saving();
	return tap_done();
}
