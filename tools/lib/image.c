// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../util.h"
#include "image.h"

/* A copy of a kernel's memory has some hundred segments. The search is linear. */
#define SEGMENTS_MAX	4096

void v9_image_init(struct v9_image *img)
{
	memset(img, 0, sizeof(*img));
}

void v9_image_free(struct v9_image *img)
{
	for (size_t i = 0; i < img->nr_files; i++) {
		munmap(img->files[i].map, img->files[i].size);
		free(img->files[i].path);
	}
	free(img->files);
	free(img->pieces);
	v9_image_init(img);
}

int v9_image_add(struct v9_image *img, uint32_t space, uint64_t addr, const void *bytes, size_t n)
{
	if (!n || addr + (n - 1) < addr)
		return -EINVAL;
	if (!(img->nr_pieces & (img->nr_pieces - 1)))	/* full at 0, 1, 2, 4, 8 ... */
		img->pieces = v9_realloc(img->pieces, (img->nr_pieces ? img->nr_pieces * 2 : 1) *
						      sizeof(*img->pieces));
	img->pieces[img->nr_pieces++] = (struct v9_piece){
		.start = addr, .last = addr + (n - 1), .bytes = bytes, .space = space };
	return 0;
}

/* Map the complete file, or find its earlier mapping. */
static int map_file(struct v9_image *img, const char *path, const struct v9_mapping **out)
{
	struct v9_mapping m;
	struct stat st;
	int fd, err = 0;

	for (size_t i = 0; i < img->nr_files; i++)
		if (!strcmp(img->files[i].path, path)) {
			*out = &img->files[i];
			return 0;
		}
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st)) {
		err = -errno;
	} else if (!S_ISREG(st.st_mode) || st.st_size <= 0) {
		err = -ENODATA;
	} else {
		m.size = (size_t)st.st_size;
		m.map = mmap(NULL, m.size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (m.map == MAP_FAILED)
			err = -errno;
	}
	close(fd);
	if (err)
		return err;
	m.path = v9_strdup(path);
	img->files = v9_realloc(img->files, (img->nr_files + 1) * sizeof(*img->files));
	img->files[img->nr_files] = m;
	*out = &img->files[img->nr_files++];
	return 0;
}

int v9_image_add_file(struct v9_image *img, uint32_t space, uint64_t addr, const char *path,
		      uint64_t offset, uint64_t n)
{
	const struct v9_mapping *m;
	int err = map_file(img, path, &m);

	if (err)
		return err;
	if (offset >= m->size)
		return -ENODATA;
	if (n > m->size - offset)
		n = m->size - offset;
	return v9_image_add(img, space, addr, (const uint8_t *)m->map + offset, n);
}

/* Program header, from ELF32 or ELF64 */
struct segment {
	uint64_t offset, addr, size;
	bool code;
};

static bool segment_at(const struct v9_mapping *m, bool wide, uint64_t at, struct segment *s)
{
	const uint8_t *p;
	Elf64_Phdr p64;
	Elf32_Phdr p32;

	if (at > m->size)
		return false;
	p = (const uint8_t *)m->map + at;
	if (wide) {
		if (m->size - at < sizeof(p64))
			return false;
		memcpy(&p64, p, sizeof(p64));
		*s = (struct segment){ p64.p_offset, p64.p_vaddr, p64.p_filesz,
				       p64.p_type == PT_LOAD && p64.p_flags & PF_X };
	} else {
		if (m->size - at < sizeof(p32))
			return false;
		memcpy(&p32, p, sizeof(p32));
		*s = (struct segment){ p32.p_offset, p32.p_vaddr, p32.p_filesz,
				       p32.p_type == PT_LOAD && p32.p_flags & PF_X };
	}
	return true;
}

int v9_image_add_elf(struct v9_image *img, uint32_t space, const char *path, uint64_t bias)
{
	const struct v9_mapping *m;
	uint64_t table, step;
	struct segment s;
	Elf64_Ehdr e64;
	Elf32_Ehdr e32;
	unsigned int n;
	int added = 0, err = map_file(img, path, &m);
	bool wide;

	if (err)
		return err;
	if (m->size < sizeof(e32) || memcmp(m->map, ELFMAG, SELFMAG))
		return -ENOEXEC;
	memcpy(&e32, m->map, sizeof(e32));
	wide = e32.e_ident[EI_CLASS] == ELFCLASS64;
	if (e32.e_ident[EI_DATA] != ELFDATA2LSB || (wide && m->size < sizeof(e64)))
		return -ENOEXEC;
	if (wide)
		memcpy(&e64, m->map, sizeof(e64));
	table = wide ? e64.e_phoff : e32.e_phoff;
	step = wide ? e64.e_phentsize : e32.e_phentsize;
	n = wide ? e64.e_phnum : e32.e_phnum;
	/* A smaller step would read the same header several times. */
	if (step < (wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr)))
		return -ENOEXEC;
	for (; n-- && added < SEGMENTS_MAX; table += step) {
		if (!segment_at(m, wide, table, &s))
			break;
		if (s.code && s.offset < m->size &&
		    !v9_image_add(img, space, s.addr + bias, (const uint8_t *)m->map + s.offset,
				  s.size < m->size - s.offset ? s.size : m->size - s.offset))
			added++;
	}
	return added;
}

static bool has(const struct v9_piece *p, uint32_t space, uint64_t addr)
{
	return addr >= p->start && addr <= p->last &&
	       (p->space == V9_IMAGE_ANY || p->space == space);
}

const uint8_t *v9_image_code(struct v9_image *img, uint32_t space, uint64_t addr, size_t *n)
{
	const struct v9_piece *p;
	size_t i;

	for (i = 0; i < img->nr_pieces; i++)
		if (has(&img->pieces[i], space, addr))
			break;
	if (i == img->nr_pieces) {
		*n = 0;
		return NULL;
	}
	p = &img->pieces[i];
	*n = (size_t)(p->last - addr) + 1;
	return p->bytes + (addr - p->start);
}
