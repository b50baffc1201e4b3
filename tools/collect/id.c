// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "id.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NOTES_MAX	(1 << 20)	/* bytes of a segment of notes; linkers write some hundred */

/* Finds the GNU build-id in ELF notes. */
static struct v9_id of_data(Elf_Data *data)
{
	size_t at = 0, next, name, desc;
	struct v9_id id = { .size = 0 };
	GElf_Nhdr note;

	while ((next = gelf_getnote(data, at, &note, &name, &desc)) > 0) {
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof("GNU") &&
		    !memcmp((char *)data->d_buf + name, "GNU", sizeof("GNU")) &&
		    note.n_descsz && note.n_descsz <= sizeof(id.bytes)) {
			memcpy(id.bytes, (char *)data->d_buf + desc, note.n_descsz);
			id.size = (uint8_t)note.n_descsz;
			break;
		}
		at = next;
	}
	return id;
}

static struct v9_id of_elf(Elf *elf)
{
	struct v9_id id = { .size = 0 };
	size_t n = 0;

	if (elf && elf_kind(elf) == ELF_K_ELF && !elf_getphdrnum(elf, &n))
		for (size_t i = 0; i < n && !id.size; i++) {
			GElf_Phdr ph;
			Elf_Data *data;

			if (!gelf_getphdr(elf, (int)i, &ph) || ph.p_type != PT_NOTE ||
			    ph.p_filesz > NOTES_MAX)
				continue;
			data = elf_getdata_rawchunk(elf, (int64_t)ph.p_offset, ph.p_filesz,
						    ph.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
			if (data)
				id = of_data(data);
		}
	elf_end(elf);
	return id;
}

struct v9_id v9_id_of_fd(int fd)
{
	elf_version(EV_CURRENT);
	/* Not mapped: whoever owns the file may cut it at any time. */
	return of_elf(elf_begin(fd, ELF_C_READ, NULL));
}

/* The path is from a mapping: it can be that of a device, whose open() may have an effect. */
struct v9_id v9_id_of_file(const char *path)
{
	struct v9_id id = { .size = 0 };
	struct stat st;
	int fd;

	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return id;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return id;
	id = v9_id_of_fd(fd);
	close(fd);
	return id;
}

struct v9_id v9_id_of_image(void *image, size_t size)
{
	elf_version(EV_CURRENT);
	return of_elf(elf_memory(image, size));
}

struct v9_id v9_id_of_notes(void *notes, size_t size)
{
	Elf_Data data = { .d_type = ELF_T_NHDR, .d_version = EV_CURRENT, .d_align = 4,
			  .d_buf = notes, .d_size = size };

	return of_data(&data);
}
