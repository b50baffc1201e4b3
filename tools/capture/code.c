// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "code.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <v9trace/base.h>

#include "../util.h"
#include "elf.h"
#include "find.h"

void v9_code_init(struct v9_code *c, struct v9_syms *syms)
{
	memset(c, 0, sizeof(*c));
	c->syms = syms;
	v9_image_init(&c->kernel);
}

void v9_code_free(struct v9_code *c)
{
	for (size_t i = 0; c->syms && i < c->syms->nr_dsos; i++) {
		struct v9_dso_code *code = &c->syms->dsos[i]->code;

		if (code->bytes && !code->embedded)
			munmap((void *)code->bytes, code->size);
		memset(code, 0, sizeof(*code));
	}
	v9_image_free(&c->kernel);
}

static int map_file(struct v9_dso_code *code, const char *path)
{
	struct stat st;
	int err = 0, fd = open(path, O_RDONLY | O_CLOEXEC);
	void *p;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size <= 0) {
		err = -ENODATA;
	} else {
		p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		err = p == MAP_FAILED ? -errno : 0;
	}
	close(fd);
	if (err)
		return err;
	code->bytes = p;
	code->size = (size_t)st.st_size;
	return 0;
}

static int try_file(struct v9_dso *d, const char *path)
{
	int err = v9_elf_matches(d, path);

	return err ? err : map_file(&d->code, path);
}

/* Returns why no file was taken, from the error of the last one. */
static const char *why_not(const struct v9_dso *d, int err)
{
	const bool named = d->name[0] == '/';

	if (d->anonymous && named)
		return "generated code: the program has to describe it in a jitdump";
	switch (err) {
	case -ENOENT:
		return named ? "no such file here (--symfs)" : "not a file";
	case -ESTALE:
		return "the file here has another build-id (--symfs)";
	case -ENOEXEC:
		return "not an ELF file of this architecture";
	default:
		return strerror(-err);
	}
}

/* Look for the file by its name, then by its build-id. */
static void seek(struct v9_syms *s, struct v9_dso *d)
{
	const struct v9_syms_opts *o = &s->opts;
	struct v9_find find = { .syms = s, .dso = d, .what = V9_FIND_CODE };
	const char *found;
	char path[8192];
	int err = -ENOENT;

	d->code.sought = true;
	d->code.bytes = v9_syms_image(s, d, &d->code.size);
	d->code.embedded = d->code.bytes;
	if (d->code.embedded)
		return;
	/* "[vdso]" is not a path, but the symfs may have a file of that name. */
	if (d->name[0] == '/' || (o->symfs && d->name[0] == '[')) {
		snprintf(path, sizeof(path), "%s%s%s", o->symfs ? o->symfs : "",
			 d->name[0] == '/' ? "" : "/", d->name);
		err = try_file(d, path);
	}
	while (err && (found = v9_find_next(&find)))
		err = try_file(d, found);
	if (err)
		d->code.why = why_not(d, err);
}

/* Use the copy of the kernel in the capture. */
static bool use_kept(struct v9_code *c)
{
	struct v9_embedded *embedded = &c->syms->embedded;
	const struct pd_code_part *part;
	const uint8_t *bytes;

	part = v9_embedded_part(embedded, PD_CODE_NO_KERNEL, 0, &bytes);
	if (part)
		c->kernel_why = v9_strtab_put(c->syms->strtab, (const char *)bytes, part->size);
	for (size_t i = 0; (part = v9_embedded_part(embedded, PD_CODE_KERNEL, i, &bytes)); i++)
		if (!v9_image_add(&c->kernel, V9_IMAGE_ANY, part->addr, bytes, part->size))
			c->kernel_kept = true;
	return c->kernel_kept;
}

static void seek_kernel(struct v9_code *c)
{
	const struct v9_syms_opts *o = &c->syms->opts;
	int n = 0;

	c->kernel_sought = true;
	c->kernel_why = "no copy of its code was given (--kcore, --vmlinux)";
	if (!o->kcore && !o->vmlinux && use_kept(c)) {
		c->kernel_why = NULL;
		return;
	}
	if (o->kcore)
		n = v9_image_add_elf(&c->kernel, V9_IMAGE_ANY, o->kcore, 0);
	else if (o->vmlinux)
		n = v9_image_add_elf(&c->kernel, V9_IMAGE_ANY, o->vmlinux,
				     v9_syms_kernel_shift(c->syms, o->vmlinux));
	else
		return;
	c->kernel_why = n > 0 ? NULL : "the file given holds no code";
	if (n < 0)
		v9_warn("%s: %s", o->kcore ? o->kcore : o->vmlinux,
			n == -ENOEXEC ? "not an ELF file" : strerror(-n));
}

/* Where code changed while recording, it is not known which one ran: return the code before. */
static const uint8_t *unless_changed(struct v9_code *c, uint64_t addr, const uint8_t *p, size_t *n)
{
	const struct pd_code_change *change = v9_embedded_change(&c->syms->embedded, addr);

	if (!change)
		return p;
	if (change->addr > addr) {
		*n = change->addr - addr < *n ? change->addr - addr : *n;
		return p;
	}
	*n = 0;
	c->kernel_changed = true;
	c->syms->dsos[0]->code.why = "it was patched while this was recorded";
	return NULL;
}

/*
 * Looks up code of a BPF program. Returns false if the copy of the kernel is to be used: @addr is
 * in no program, or its code was not read, but it is in that copy, because the program was still
 * loaded at the end of the recording. Else sets *@p to the code, or NULL if it is not known.
 */
static bool bpf_code(struct v9_code *c, uint64_t time, uint64_t addr, const uint8_t **p, size_t *n)
{
	bool newest;
	const struct v9_map *m = v9_syms_bpf(c->syms, time, addr, &newest);
	uint64_t at;

	if (!m)
		return false;
	at = addr - m->start + m->pgoff;
	if (at < m->dso->code.size) {
		*p = m->dso->code.bytes + at;
		*n = m->end - addr;
		return true;
	}
	if (newest)
		return false;
	*p = NULL;
	*n = 0;
	m->dso->code.why = "the program was unloaded before its code could be read";
	return true;
}

static const uint8_t *kernel_code(struct v9_code *c, uint64_t addr, size_t *n)
{
	const uint8_t *p;

	if (!c->kernel_sought)
		seek_kernel(c);
	p = v9_image_code(&c->kernel, V9_IMAGE_ANY, addr, n);
	if (p && c->kernel_kept)
		p = unless_changed(c, addr, p, n);
	if (!p && !c->kernel_changed)
		c->syms->dsos[0]->code.why = c->kernel_why ? c->kernel_why :
							     "not in the copy of its code";
	return p;
}

const uint8_t *v9_code_at(struct v9_code *c, uint32_t pid, uint64_t time, uint64_t addr,
			  size_t *n)
{
	const struct v9_map *m, *written;
	const uint8_t *p;
	struct v9_dso *d;
	uint64_t at;

	*n = 0;
	if (addr & V9_KERNEL_HALF && bpf_code(c, time, addr, &p, n))
		return p;
	if (addr & V9_KERNEL_HALF)
		return kernel_code(c, addr, n);
	m = v9_syms_map_at(c->syms, pid, time, addr);
	if (!m)
		return NULL;
	d = m->dso;
	if (!d->code.sought)
		seek(c->syms, d);
	at = addr - m->start + m->pgoff;
	if (!d->code.bytes || at >= d->code.size)
		return NULL;
	*n = d->code.size - at < m->end - addr ? d->code.size - at : m->end - addr;
	written = v9_syms_written(c->syms, pid, time, addr, m);
	if (written && written->start > addr) {
		*n = written->start - addr < *n ? written->start - addr : *n;
	} else if (written) {
		*n = 0;
		d->code.why = "mapped for writing: what ran need not be what the file holds";
		return NULL;
	}
	return d->code.bytes + at;
}

const uint8_t *v9_code_of(struct v9_code *c, struct v9_dso *d, uint64_t addr, size_t *n)
{
	*n = 0;
	if (d == c->syms->dsos[0])
		return kernel_code(c, addr, n);
	if (!d->code.sought)
		seek(c->syms, d);
	for (unsigned int i = 0; d->code.bytes && i < d->nr_segs; i++) {
		const uint64_t at = addr - d->segs[i].addr, offset = d->segs[i].offset + at;

		if (at >= d->segs[i].size || offset >= d->code.size)
			continue;
		*n = d->segs[i].size - at < d->code.size - offset ? d->segs[i].size - at :
								    d->code.size - offset;
		return d->code.bytes + offset;
	}
	return NULL;
}

struct v9_dso *v9_code_owner(struct v9_code *c, uint32_t pid, uint64_t time, uint64_t addr)
{
	const struct v9_map *m;
	bool newest;

	if (addr & V9_KERNEL_HALF) {
		m = v9_syms_bpf(c->syms, time, addr, &newest);
		return m ? m->dso : c->syms->dsos[0];
	}
	m = v9_syms_map_at(c->syms, pid, time, addr);
	return m ? m->dso : NULL;
}
