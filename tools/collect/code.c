// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "code.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>
#include <zstd.h>

#include "../perfdata.h"
#include "compat.h"

#define LEVEL		(-5)		/* of zstd: fast, as the user waits for the end */
#define PAGE		UINT64_C(4096)
#define SMALL_CODE	(16 * PAGE)	/* of a BPF program or trampoline; the size is unknown */
#define MAX_RANGE	(UINT64_C(256) << 20)

/* ------------------------------------------------------------------ /proc/kcore */

struct kcore {
	int fd;
	Elf64_Phdr *ph;
	unsigned int n;
};

static int kcore_open(struct kcore *k)
{
	Elf64_Ehdr eh;
	size_t size;

	*k = (struct kcore){ .fd = open("/proc/kcore", O_RDONLY | O_CLOEXEC) };
	if (k->fd < 0)
		return -errno;
	if (pread(k->fd, &eh, sizeof(eh), 0) != sizeof(eh) || memcmp(eh.e_ident, ELFMAG, SELFMAG) ||
	    eh.e_phentsize != sizeof(*k->ph))
		return -ENOEXEC;
	size = eh.e_phnum * sizeof(*k->ph);
	k->ph = v9_alloc(size);
	if (pread(k->fd, k->ph, size, (off_t)eh.e_phoff) != (ssize_t)size)
		return -EIO;
	k->n = eh.e_phnum;
	return 0;
}

static void kcore_close(struct kcore *k)
{
	if (k->fd >= 0)
		close(k->fd);
	free(k->ph);
}

/* Returns NULL if not all of the range can be read. Unmapped pages read as zeros. */
static uint8_t *kcore_read(const struct kcore *k, uint64_t start, uint64_t end)
{
	const Elf64_Phdr *ph = NULL;
	uint64_t done = 0;
	uint8_t *p;

	for (unsigned int i = 0; i < k->n && !ph; i++)
		if (k->ph[i].p_type == PT_LOAD && start >= k->ph[i].p_vaddr &&
		    end - k->ph[i].p_vaddr <= k->ph[i].p_memsz)
			ph = &k->ph[i];
	if (!ph || end <= start || end - start > MAX_RANGE)
		return NULL;
	p = v9_alloc(end - start);
	while (done < end - start) {
		ssize_t n = pread(k->fd, p + done, end - start - done,
				  (off_t)(ph->p_offset + (start - ph->p_vaddr) + done));

		if (n <= 0) {
			free(p);
			return NULL;
		}
		done += (uint64_t)n;
	}
	return p;
}

/* ----------------------------------------------------------------- where code is */

static void add_range(struct v9_kernel_copy *c, uint64_t start, uint64_t end)
{
	for (int i = 0; i < c->n; i++)
		if (start < c->range[i].end && end > c->range[i].start) {
			/* Ignore or cut the part that another range has. */
			if (start >= c->range[i].start && end <= c->range[i].end)
				return;
			if (start >= c->range[i].start)
				start = c->range[i].end;
			else
				end = c->range[i].start;
		}
	if (start >= end)
		return;
	c->range = v9_realloc(c->range, (c->n + 1) * sizeof(*c->range));
	c->range[c->n++] = (struct v9_code_range){ .start = start, .end = end };
}

/* The kernel's own code. Its symbols come first in /proc/kallsyms, sorted by address. */
static bool add_kernel(struct v9_kernel_copy *c)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	uint64_t start = 0, end = 0;
	char line[512];

	while (f && !end && fgets(line, sizeof(line), f)) {
		char *name = strchr(line, ' ');

		if (!name || strlen(name) < 4)
			continue;
		name += 3;
		if (!start && !strcmp(name, "_stext\n"))
			start = strtoull(line, NULL, 16);
		else if (!strcmp(name, "_etext\n"))
			end = strtoull(line, NULL, 16);
	}
	if (f)
		fclose(f);
	if (!start || end <= start)
		return false;
	add_range(c, start, end);
	return true;
}

static void add_modules(struct v9_kernel_copy *c, const char *text)
{
	for (const char *line = text; line && *line; line = strchr(line, '\n'), line += !!line) {
		unsigned long long addr, size;

		if (sscanf(line, "%*s %llu %*s %*s %*s %llx", &size, &addr) == 2 && addr)
			add_range(c, addr, addr + size);
	}
}

static bool is_function(char type)
{
	return type && strchr("tTwW", type);
}

/* Code that belongs to no module: lines such as "ADDRESS TYPE NAME\t[bpf]" */
static void add_loose(struct v9_kernel_copy *c, const char *text)
{
	static const char *const owners[] = { "\t[bpf]", "\t[__builtin__" };

	for (const char *line = text; line && *line; line = strchr(line, '\n'), line += !!line) {
		const size_t len = strcspn(line, "\n");
		const char *owner = memchr(line, '\t', len);
		char *stop;
		uint64_t addr;

		for (size_t i = 0; owner && i < sizeof(owners) / sizeof(owners[0]); i++) {
			if (strncmp(owner, owners[i], strlen(owners[i])))
				continue;
			addr = strtoull(line, &stop, 16);
			if (addr && *stop == ' ' && is_function(stop[1]))
				add_range(c, addr & ~(PAGE - 1), (addr & ~(PAGE - 1)) + SMALL_CODE);
		}
	}
}

/* ------------------------------------------------------------------------ reading */

static void report_why(struct v9_kernel_copy *c, const char *what, int err)
{
	if (!c->why)
		c->why = v9_format("%s: %s", what, strerror(err));
}

void v9_kernel_copy_begin(struct v9_kernel_copy *c)
{
	struct kcore k;
	char *modules;
	int ret;

	if (!c->code_wanted)
		return;
	ret = kcore_open(&k);
	if (ret) {
		report_why(c, "/proc/kcore cannot be read", -ret);
	} else if (!add_kernel(c)) {
		report_why(c, "/proc/kallsyms shows no addresses", EPERM);
	} else {
		modules = v9_read_file("/proc/modules", NULL);
		add_modules(c, modules);
		free(modules);
		for (int i = 0; i < c->n; i++)
			c->range[i].before = kcore_read(&k, c->range[i].start, c->range[i].end);
	}
	kcore_close(&k);
}

void v9_kernel_copy_end(struct v9_kernel_copy *c)
{
	struct kcore k;
	int ret;

	if (!c->symbols_wanted)
		return;
	c->symbols = v9_read_file("/proc/kallsyms", NULL);
	c->modules = v9_read_file("/proc/modules", NULL);
	if (!c->code_wanted || c->why)
		return;
	ret = kcore_open(&k);
	if (ret) {
		report_why(c, "/proc/kcore cannot be read", -ret);
	} else {
		add_modules(c, c->modules);
		add_loose(c, c->symbols);
		for (int i = 0; i < c->n; i++)
			c->range[i].after = kcore_read(&k, c->range[i].start, c->range[i].end);
		if (!c->range[0].after)
			report_why(c, "the kernel's code cannot be read from /proc/kcore", EIO);
	}
	kcore_close(&k);
}

/* ---------------------------------------------------------------------- the section */

void v9_code_part(struct v9_blob *out, enum pd_code_kind kind, uint64_t addr, const void *data,
		  size_t n)
{
	struct pd_code_part part = { .kind = kind, .packed = 1, .addr = addr, .size = n };
	const size_t at = out->len, room = ZSTD_compressBound(n);
	size_t stored;
	uint32_t parts;

	v9_blob_zero(out, sizeof(part) + room);
	stored = ZSTD_compress(out->data + at + sizeof(part), room, data, n, LEVEL);
	out->len = at + sizeof(part);
	if (ZSTD_isError(stored) || stored >= n) {
		part.packed = 0;
		stored = n;
		v9_blob_put(out, data, n);
	} else {
		out->len += stored;
	}
	part.stored = stored;
	memcpy(out->data + at, &part, sizeof(part));
	v9_blob_zero(out, -out->len & 7);
	memcpy(&parts, out->data + offsetof(struct pd_code, parts), sizeof(parts));
	parts++;
	memcpy(out->data + offsetof(struct pd_code, parts), &parts, sizeof(parts));
}

void v9_code_drop_kernel(struct v9_blob *section)
{
	struct pd_code head;
	struct pd_code_part part;
	size_t at = sizeof(head), to = at, n;

	if (section->len < sizeof(head))
		return;
	memcpy(&head, section->data, sizeof(head));
	for (head.parts = 0; at < section->len; at += n) {
		memcpy(&part, section->data + at, sizeof(part));
		n = sizeof(part) + part.stored + (-part.stored & 7);
		if (part.kind == PD_CODE_KERNEL || part.kind == PD_CODE_CHANGED || part.kind == PD_CODE_NO_KERNEL)
			continue;
		memmove(section->data + to, section->data + at, n);
		to += n;
		head.parts++;
	}
	section->len = to;
	memcpy(section->data, &head, sizeof(head));
}

/* The vDSO of this process: the kernel maps the same one into all 64-bit programs. */
static void put_vdso(struct v9_blob *out, struct v9_objects *objects)
{
	const uint64_t at = getauxval(AT_SYSINFO_EHDR);
	FILE *f = at ? fopen("/proc/self/maps", "re") : NULL;
	unsigned long long start, end;
	char line[512];

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%llx-%llx", &start, &end) != 2 || start != at)
			continue;
		v9_code_part(out, PD_CODE_VDSO, 0, (const void *)(uintptr_t)start, end - start);
		v9_objects_image(objects, "[vdso]", (void *)(uintptr_t)start, end - start);
		break;
	}
	if (f)
		fclose(f);
}

static int range_order(const void *a, const void *b)
{
	const struct v9_code_range *x = a, *y = b;

	return V9_ORDER(x->start, y->start);
}

static void put_changes(struct v9_blob *out, const struct v9_kernel_copy *c)
{
	struct v9_blob changes = { 0 };

	for (int i = 0; i < c->n; i++) {
		const struct v9_code_range *r = &c->range[i];

		if (!r->before || !r->after)
			continue;
		for (uint64_t at = 0; at + 4 <= r->end - r->start; at += 4) {
			struct pd_code_change change = { .addr = r->start + at };

			memcpy(&change.before, r->before + at, 4);
			memcpy(&change.after, r->after + at, 4);
			if (change.before != change.after)
				v9_blob_put(&changes, &change, sizeof(change));
		}
	}
	if (changes.len)
		v9_code_part(out, PD_CODE_CHANGED, 0, changes.data, changes.len);
	v9_blob_free(&changes);
}

static bool is_object(char type)
{
	return type && strchr("dDbBrRvV", type);
}

/* Variables only if wanted: they would double the size. */
static void put_kallsyms(struct v9_blob *out, const char *text, bool objects)
{
	struct v9_blob kept = { 0 };

	for (const char *line = text; line && *line; ) {
		const size_t len = strcspn(line, "\n");
		const char *type = memchr(line, ' ', len);

		if (type && (is_function(type[1]) || (objects && is_object(type[1]))))
			v9_blob_put(&kept, line, len + (line[len] == '\n'));
		line += len + (line[len] == '\n');
	}
	if (kept.len)
		v9_code_part(out, PD_CODE_KALLSYMS, 0, kept.data, kept.len);
	v9_blob_free(&kept);
}

static void put_code(struct v9_blob *out, const struct v9_kernel_copy *c)
{
	if (c->why) {
		v9_code_part(out, PD_CODE_NO_KERNEL, 0, c->why, strlen(c->why));
		return;
	}
	qsort(c->range, (size_t)c->n, sizeof(*c->range), range_order);
	for (int i = 0; i < c->n; i++)
		if (c->range[i].after)
			v9_code_part(out, PD_CODE_KERNEL, c->range[i].start, c->range[i].after,
				 c->range[i].end - c->range[i].start);
	put_changes(out, c);
}

static void put_files(struct v9_blob *out, struct v9_files *fs, uint64_t left)
{
	for (int i = 0; i < fs->n; i++) {
		const struct v9_id *id = &fs->f[i].id;
		size_t n = 0;
		uint8_t *p = v9_file_read(&fs->f[i], left < PD_CODE_PART_MAX ? left : PD_CODE_PART_MAX, &n);

		if (p)
			v9_code_part(out, PD_CODE_FILE, pd_id_key(id->bytes, id->size), p, n);
		else
			fs->unstored++;
		left -= n;
		free(p);
	}
}

void v9_code_section(struct v9_blob *out, const struct v9_kernel_copy *c, const struct v9_compat *compat,
		     struct v9_objects *objects)
{
	const struct pd_code head = { .version = PD_CODE_VERSION };
	/* A reader takes PD_CODE_ALL_MAX bytes at most: half of them are for the kernel. */
	uint64_t left = PD_CODE_ALL_MAX / 2;

	v9_blob_put(out, &head, sizeof(head));
	put_vdso(out, objects);
	v9_compat_put(out, compat, objects);
	put_kallsyms(out, c->symbols, c->objects_wanted);
	if (c->code_wanted)
		put_code(out, c);
	if (c->modules)
		v9_code_part(out, PD_CODE_MODULES, 0, c->modules, strlen(c->modules));
	v9_bpf_put(&objects->bpf, out, &left);
	v9_jits_put(&objects->jits, out, &left);
	put_files(out, &objects->files, left);
}

void v9_kernel_copy_next(struct v9_kernel_copy *c)
{
	/* write_beginning() reads the code again: other ranges may have come. */
	const struct v9_kernel_copy wanted = { .symbols_wanted = c->symbols_wanted,
					       .objects_wanted = c->objects_wanted,
					       .code_wanted = c->code_wanted };

	v9_kernel_copy_free(c);
	*c = wanted;
}

void v9_kernel_copy_free(struct v9_kernel_copy *c)
{
	for (int i = 0; i < c->n; i++) {
		free(c->range[i].before);
		free(c->range[i].after);
	}
	free(c->range);
	free(c->symbols);
	free(c->modules);
	free(c->why);
	*c = (struct v9_kernel_copy){ 0 };
}
