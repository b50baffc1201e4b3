// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "embedded.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "../util.h"
#include "elf.h"
#include "strtab.h"

static int kind_order(const void *a, const void *b)
{
	const struct v9_embedded_part *x = *(struct v9_embedded_part *const *)a;
	const struct v9_embedded_part *y = *(struct v9_embedded_part *const *)b;

	return x->head.kind == y->head.kind ? V9_ORDER(x, y) : V9_ORDER(x->head.kind, y->head.kind);
}

static int key_order(const void *a, const void *b)
{
	const struct v9_embedded_part *x = *(struct v9_embedded_part *const *)a;
	const struct v9_embedded_part *y = *(struct v9_embedded_part *const *)b;

	if (x->head.kind != y->head.kind || x->head.addr == y->head.addr)
		return kind_order(a, b);
	return V9_ORDER(x->head.addr, y->head.addr);
}

static void sort_parts(struct v9_embedded *k)
{
	k->by_kind = v9_alloc((k->nr + 1) * sizeof(*k->by_kind));
	k->by_key = v9_alloc((k->nr + 1) * sizeof(*k->by_key));
	for (size_t i = 0; i < k->nr; i++)
		k->by_kind[i] = k->by_key[i] = &k->part[i];
	qsort(k->by_kind, k->nr, sizeof(*k->by_kind), kind_order);
	qsort(k->by_key, k->nr, sizeof(*k->by_key), key_order);
}

void v9_embedded_open(struct v9_embedded *k, const uint8_t *p, size_t n)
{
	const struct pd_code_part *part;
	struct pd_code head;
	uint64_t unpacked = 0;
	const uint8_t *bytes;

	memset(k, 0, sizeof(*k));
	if (!p || n < sizeof(head))
		return;
	memcpy(&head, p, sizeof(head));
	if (head.version != PD_CODE_VERSION) {
		k->damaged = true;
		return;
	}
	p += sizeof(head);
	n -= sizeof(head);
	for (uint32_t i = 0; i < head.parts; i++) {
		struct v9_embedded_part next = { .bad = false };
		uint64_t padded;

		if (n < sizeof(next.head))
			break;
		memcpy(&next.head, p, sizeof(next.head));
		p += sizeof(next.head);
		n -= sizeof(next.head);
		padded = (next.head.stored + 7) & ~UINT64_C(7);
		unpacked += next.head.packed ? next.head.size : 0;
		if (next.head.stored > n || padded > n || next.head.size > PD_CODE_PART_MAX ||
		    unpacked > PD_CODE_ALL_MAX || (!next.head.packed && next.head.size != next.head.stored))
			break;
		next.stored = p;
		p += padded;
		n -= padded;
		*v9_vec_add(k->part, k->nr) = next;
	}
	k->damaged = k->nr != head.parts;
	sort_parts(k);
	part = v9_embedded_part(k, PD_CODE_CHANGED, 0, &bytes);
	if (!part || part->size < sizeof(*k->changed))
		return;
	/* It may be unaligned in the file. */
	k->nr_changed = part->size / sizeof(*k->changed);
	k->changed = v9_alloc(k->nr_changed * sizeof(*k->changed));
	memcpy(k->changed, bytes, k->nr_changed * sizeof(*k->changed));
}

void v9_embedded_close(struct v9_embedded *k)
{
	for (size_t i = 0; i < k->nr; i++)
		free(k->part[i].unpacked);
	free(k->part);
	free(k->by_kind);
	free(k->by_key);
	free(k->changed);
	memset(k, 0, sizeof(*k));
}

static const uint8_t *unpack(struct v9_embedded *k, struct v9_embedded_part *part)
{
	size_t n;

	if (!part->head.packed)
		return part->stored;
	if (part->unpacked || part->bad)
		return part->unpacked;
	/* The header of the part and that of zstd must agree before memory is allocated. */
	part->bad = ZSTD_getFrameContentSize(part->stored, part->head.stored) != part->head.size;
	k->damaged |= part->bad;
	if (part->bad)
		return NULL;
	/* One more byte terminates text. */
	part->unpacked = v9_alloc(part->head.size + 1);
	n = ZSTD_decompress(part->unpacked, part->head.size, part->stored, part->head.stored);
	if (n != part->head.size) {
		free(part->unpacked);
		part->unpacked = NULL;
		part->bad = k->damaged = true;
	}
	return part->unpacked;
}

const struct pd_code_part *v9_embedded_part(struct v9_embedded *k, enum pd_code_kind kind, size_t i,
					    const uint8_t **bytes)
{
	i += v9_first_entries(at, k->nr, k->by_kind[at]->head.kind < kind);
	if (i >= k->nr || k->by_kind[i]->head.kind != kind)
		return NULL;
	*bytes = unpack(k, k->by_kind[i]);
	return *bytes ? &k->by_kind[i]->head : NULL;
}

/* Returns the index in .by_key of the first part of that kind and address, or of a later one. */
static size_t first_keyed(const struct v9_embedded *k, enum pd_code_kind kind, uint64_t addr)
{
	return v9_first_entries(at, k->nr, k->by_key[at]->head.kind < kind ||
					   (k->by_key[at]->head.kind == kind &&
					    k->by_key[at]->head.addr < addr));
}

static bool is_keyed(const struct v9_embedded *k, size_t at, enum pd_code_kind kind, uint64_t addr)
{
	return at < k->nr && k->by_key[at]->head.kind == kind && k->by_key[at]->head.addr == addr;
}

const uint8_t *v9_embedded_keyed(struct v9_embedded *k, enum pd_code_kind kind, uint64_t addr,
				 size_t *size)
{
	const size_t at = first_keyed(k, kind, addr);
	const uint8_t *bytes;

	if (!is_keyed(k, at, kind, addr))
		return NULL;
	bytes = unpack(k, k->by_key[at]);
	*size = bytes ? k->by_key[at]->head.size : 0;
	return bytes;
}

const uint8_t *v9_embedded_file(struct v9_embedded *k, const uint8_t *id, unsigned int id_size,
				size_t *size)
{
	uint8_t found[V9_BUILD_ID_MAX];

	const uint64_t key = id_size ? pd_id_key(id, id_size) : 0;

	for (size_t at = id_size ? first_keyed(k, PD_CODE_FILE, key) : k->nr;
	     is_keyed(k, at, PD_CODE_FILE, key); at++) {
		struct v9_embedded_part *part = k->by_key[at];
		const uint8_t *bytes = unpack(k, part);

		if (!bytes || v9_elf_id(bytes, part->head.size, found) != id_size ||
		    memcmp(found, id, id_size))
			continue;
		*size = part->head.size;
		return bytes;
	}
	return NULL;
}

const struct pd_code_change *v9_embedded_change(const struct v9_embedded *k, uint64_t addr)
{
	const size_t n = v9_first_entries(i, k->nr_changed,
					  k->changed[i].addr + sizeof(uint32_t) <= addr);

	return n < k->nr_changed ? &k->changed[n] : NULL;
}

/* ---- for other tools */

static int failed(const char *path)
{
	const int err = errno ? errno : EIO;

	v9_error("%s: %s", path, strerror(err));
	return -err;
}

/* Creates the parent directories of @path. */
static int make_dirs(const char *path)
{
	char *s = v9_strdup(path);
	int ret = 0;

	for (char *slash = strchr(s + 1, '/'); slash && !ret; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(s, 0777) && errno != EEXIST)
			ret = failed(s);
		*slash = '/';
	}
	free(s);
	return ret;
}

/* Only the user may read kernel addresses, as in the capture. Frees @path. */
static int save(char *path, const void *data, size_t n)
{
	int ret = make_dirs(path), fd = -1;
	FILE *f = NULL;

	if (!ret) {
		unlink(path);		/* an existing file would keep its mode */
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		f = fd < 0 ? NULL : fdopen(fd, "w");
	}
	if (!ret && (!f || fwrite(data, 1, n, f) != n))
		ret = failed(path);
	if (f && fclose(f) && !ret)
		ret = failed(path);
	if (!f && fd >= 0)
		close(fd);
	free(path);
	return ret;
}

/* perf expects symbolic links below .build-id, not directories. */
static int link_dir(const char *dir, const char *name, const char *hex)
{
	char *link = v9_format("%s/.build-id/%.2s/%s", dir, hex, hex + 2);
	char *to = v9_format("../../%s/%s", name, hex);
	char *file = v9_format("%s/%s/%s/file", dir, name, hex);
	int ret = make_dirs(link);

	if (!ret && !symlink(to, link))
		ret = make_dirs(file);
	else if (!ret && errno != EEXIST)
		ret = failed(link);
	free(file);
	free(to);
	free(link);
	return ret;
}

/* Writes an ELF file by its build-id; one without is left out. */
static int save_elf(const uint8_t *bytes, size_t size, const char *dir, const char *name,
		    const char *file, unsigned int bit, unsigned int *saved)
{
	char hex[V9_BUILD_ID_TEXT];
	uint8_t id[V9_BUILD_ID_MAX];
	const unsigned int n = v9_elf_id(bytes, size, id);
	int ret;

	if (!n)
		return 0;
	v9_build_id_text(hex, id, n);
	*saved |= bit;
	ret = link_dir(dir, name, hex);
	return ret ? ret : save(v9_format("%s/.build-id/%.2s/%s/%s", dir, hex, hex + 2, file), bytes, size);
}

static int save_elves(struct v9_embedded *k, const char *dir, unsigned int *saved)
{
	const struct pd_code_part *part;
	const uint8_t *bytes;
	int ret = 0;

	part = v9_embedded_part(k, PD_CODE_VDSO, 0, &bytes);
	if (part)
		ret = save_elf(bytes, part->size, dir, "[vdso]", "vdso", V9_SAVED_VDSO, saved);
	part = ret ? NULL : v9_embedded_part(k, PD_CODE_VDSO32, 0, &bytes);
	if (part)
		ret = save_elf(bytes, part->size, dir, "[vdso32]", "vdso", V9_SAVED_VDSO, saved);
	for (size_t i = 0; !ret && (part = v9_embedded_part(k, PD_CODE_FILE, i, &bytes)); i++)
		ret = save_elf(bytes, part->size, dir, "[container]", "elf", V9_SAVED_FILES, saved);
	return ret;
}

/* Writes an ELF file in which each part of the code is a segment. */
static int save_kcore(struct v9_embedded *k, const char *dir, unsigned int *saved)
{
	Elf64_Ehdr eh = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_CORE, .e_machine = EM_AARCH64, .e_version = EV_CURRENT,
		.e_phoff = sizeof(eh), .e_ehsize = sizeof(eh), .e_phentsize = sizeof(Elf64_Phdr),
	};
	const struct pd_code_part *part;
	const uint8_t *bytes;
	struct v9_blob b = { 0 };
	uint64_t at;
	int ret = 0;

	while (v9_embedded_part(k, PD_CODE_KERNEL, eh.e_phnum, &bytes))
		eh.e_phnum++;
	at = (sizeof(eh) + eh.e_phnum * sizeof(Elf64_Phdr) + 4095) & ~UINT64_C(4095);
	v9_blob_put(&b, &eh, sizeof(eh));
	for (unsigned int i = 0; i < eh.e_phnum; i++) {
		part = v9_embedded_part(k, PD_CODE_KERNEL, i, &bytes);
		v9_blob_put(&b, &(Elf64_Phdr){
			.p_type = PT_LOAD, .p_flags = PF_R | PF_W | PF_X, .p_offset = at,
			.p_vaddr = part->addr, .p_filesz = part->size, .p_memsz = part->size,
			.p_align = 4096 }, sizeof(Elf64_Phdr));
		at += (part->size + 4095) & ~UINT64_C(4095);
	}
	for (unsigned int i = 0; i < eh.e_phnum; i++) {
		v9_blob_zero(&b, -b.len & 4095);
		part = v9_embedded_part(k, PD_CODE_KERNEL, i, &bytes);
		v9_blob_put(&b, bytes, part->size);
	}
	*saved |= eh.e_phnum ? V9_SAVED_KERNEL : 0;
	if (eh.e_phnum)
		ret = save(v9_format("%s/kcore", dir), b.data, b.len);
	v9_blob_free(&b);
	return ret;
}

int v9_embedded_save(struct v9_embedded *k, const char *dir, unsigned int *saved)
{
	static const struct { enum pd_code_kind kind; const char *name; unsigned int bit; } texts[] = {
		{ PD_CODE_KALLSYMS, "kallsyms", V9_SAVED_KALLSYMS },
		{ PD_CODE_MODULES, "modules", V9_SAVED_MODULES },
	};
	const struct pd_code_part *part;
	const uint8_t *bytes;
	int ret;

	*saved = 0;
	ret = save_elves(k, dir, saved);
	if (!ret)
		ret = save_kcore(k, dir, saved);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]) && !ret; i++) {
		part = v9_embedded_part(k, texts[i].kind, 0, &bytes);
		if (!part)
			continue;
		*saved |= texts[i].bit;
		ret = save(v9_format("%s/%s", dir, texts[i].name), bytes, part->size);
	}
	return ret;
}
