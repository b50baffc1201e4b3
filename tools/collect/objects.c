// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Mapped objects and their build IDs: section PD_BUILD_ID */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void v9_objects_image(struct v9_objects *objects, const char *name, void *image, size_t size)
{
	struct v9_object *o = v9_objects_get(objects, name, false);

	if (!o->id.size)
		o->id = v9_id_of_image(image, size);
}

/* sysfs has the notes of the kernel and of its modules. */
static struct v9_id id_of_sysfs(const char *path)
{
	struct v9_id id = { .size = 0 };
	size_t len;
	char *notes = v9_read_file(path, &len);

	if (notes)
		id = v9_id_of_notes(notes, len);
	free(notes);
	return id;
}

static void find_id(struct v9_object *o)
{
	char *module, *path;

	if (!o->kernel) {
		if (*o->name == '/')
			o->id = v9_id_of_file(o->name);
		return;
	}
	if (!strncmp(o->name, "[kernel", 7)) {
		o->id = id_of_sysfs("/sys/kernel/notes");
		return;
	}
	module = v9_module_name(o->name);
	path = v9_format("/sys/module/%s/notes/.note.gnu.build-id", module);
	o->id = id_of_sysfs(path);
	free(path);
	free(module);
}

struct v9_id v9_objects_id(struct v9_objects *ob, const char *name, bool kernel)
{
	struct v9_object *o = v9_objects_get(ob, name, kernel);

	if (!o->sought && !o->id.size)
		find_id(o);
	o->sought = true;
	return o->id;
}

void v9_objects_section(struct v9_objects *ob, struct v9_blob *out)
{
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

		if (!o->id.size)
			find_id(o);
		if (!o->id.size)
			continue;
		id.id_size = o->id.size;
		memcpy(id.id, o->id.bytes, sizeof(id.id));
		v9_blob_put(out, &id, sizeof(id));
		v9_blob_put(out, o->name, len);
		v9_blob_zero(out, pad);
	}
}

void v9_objects_free(struct v9_objects *ob)
{
	for (int i = 0; i < ob->n; i++)
		free(ob->o[i].name);
	v9_files_free(&ob->files);
	v9_jits_free(&ob->jits);
	v9_bpf_free(&ob->bpf);
	free(ob->o);
	free(ob->slot);
	*ob = (struct v9_objects){ 0 };
}
