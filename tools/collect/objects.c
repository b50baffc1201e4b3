// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Mapped objects and their build IDs: section PD_BUILD_ID */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sideband.h"

#define NAME_ALIGN 8

static uint32_t hash(const char *s)
{
	uint32_t h = 2166136261u;

	while (*s)
		h = (h ^ (uint8_t)*s++) * 16777619u;
	return h;
}

static void rehash(struct v9_objects *ob)
{
	ob->slots = ob->slots ? ob->slots * 2 : 256;
	free(ob->slot);
	ob->slot = v9_alloc(ob->slots * sizeof(*ob->slot));
	for (int i = 0; i < ob->n; i++) {
		uint32_t at = hash(ob->o[i].name) % ob->slots;

		while (ob->slot[at])
			at = (at + 1) % ob->slots;
		ob->slot[at] = i + 1;
	}
}

struct v9_object *v9_objects_get(struct v9_objects *ob, const char *name, bool kernel)
{
	uint32_t at;

	if (ob->n * 2 >= ob->slots)
		rehash(ob);
	for (at = hash(name) % ob->slots; ob->slot[at]; at = (at + 1) % ob->slots)
		if (!strcmp(ob->o[ob->slot[at] - 1].name, name))
			return &ob->o[ob->slot[at] - 1];
	ob->o = v9_realloc(ob->o, (ob->n + 1) * sizeof(*ob->o));
	ob->o[ob->n] = (struct v9_object){ .name = v9_strdup(name), .kernel = kernel };
	ob->slot[at] = ++ob->n;
	return &ob->o[ob->n - 1];
}

/* Find the GNU build ID in ELF notes. */
static void id_from_notes(Elf_Data *data, struct v9_object *o)
{
	size_t at = 0, next, name, desc;
	GElf_Nhdr note;

	while ((next = gelf_getnote(data, at, &note, &name, &desc)) > 0) {
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof("GNU") &&
		    !memcmp((char *)data->d_buf + name, "GNU", sizeof("GNU")) &&
		    note.n_descsz && note.n_descsz <= sizeof(o->id)) {
			memcpy(o->id, (char *)data->d_buf + desc, note.n_descsz);
			o->id_size = note.n_descsz;
			return;
		}
		at = next;
	}
}

static void id_from_elf(struct v9_object *o, Elf *elf)
{
	size_t n = 0;

	if (elf && elf_kind(elf) == ELF_K_ELF && !elf_getphdrnum(elf, &n))
		for (size_t i = 0; i < n && !o->id_size; i++) {
			GElf_Phdr ph;
			Elf_Data *data;

			if (!gelf_getphdr(elf, i, &ph) || ph.p_type != PT_NOTE)
				continue;
			data = elf_getdata_rawchunk(elf, ph.p_offset, ph.p_filesz,
						    ph.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
			if (data)
				id_from_notes(data, o);
		}
	elf_end(elf);
}

static void id_from_file(struct v9_object *o)
{
	int fd = open(o->name, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	id_from_elf(o, elf_begin(fd, ELF_C_READ_MMAP, NULL));
	close(fd);
}

void v9_objects_image(struct v9_objects *objects, const char *name, void *image, size_t size)
{
	struct v9_object *o = v9_objects_get(objects, name, false);

	elf_version(EV_CURRENT);
	if (!o->id_size)
		id_from_elf(o, elf_memory(image, size));
}

/* sysfs has the notes of the kernel and of its modules. */
static void id_from_sysfs(struct v9_object *o, const char *path)
{
	Elf_Data data = { .d_type = ELF_T_NHDR, .d_version = EV_CURRENT, .d_align = 4 };
	size_t len;
	char *notes = v9_read_file(path, &len);

	if (!notes)
		return;
	data.d_buf = notes;
	data.d_size = len;
	id_from_notes(&data, o);
	free(notes);
}

static void find_id(struct v9_object *o)
{
	char *module, *path;

	if (!o->kernel) {
		if (*o->name == '/')
			id_from_file(o);
		return;
	}
	if (!strncmp(o->name, "[kernel", 7)) {
		id_from_sysfs(o, "/sys/kernel/notes");
		return;
	}
	module = v9_module_name(o->name);
	path = v9_format("/sys/module/%s/notes/.note.gnu.build-id", module);
	id_from_sysfs(o, path);
	free(path);
	free(module);
}

void v9_objects_section(struct v9_objects *ob, struct v9_blob *out)
{
	elf_version(EV_CURRENT);
	for (int i = 0; i < ob->n; i++) {
		struct v9_object *o = &ob->o[i];
		size_t len = strlen(o->name) + 1, pad = -len & (NAME_ALIGN - 1);
		struct pd_build_id id = {
			.header = {
				.misc = PD_BUILD_ID_SIZE_VALID |
					(o->kernel ? PD_CPUMODE_KERNEL : PD_CPUMODE_USER),
				.size = sizeof(id) + len + pad,
			},
			.pid = ~0u,
		};

		if (!o->id_size)
			find_id(o);
		if (!o->id_size)
			continue;
		id.id_size = o->id_size;
		memcpy(id.id, o->id, sizeof(id.id));
		v9_blob_put(out, &id, sizeof(id));
		v9_blob_put(out, o->name, len);
		v9_blob_zero(out, pad);
	}
}

void v9_objects_free(struct v9_objects *ob)
{
	for (int i = 0; i < ob->n; i++)
		free(ob->o[i].name);
	free(ob->o);
	free(ob->slot);
	*ob = (struct v9_objects){ 0 };
}
