// SPDX-License-Identifier: GPL-2.0-only
/*
 * Objects of a recording: which file or note the build ID of each is read from, and the bytes of section
 * PD_BUILD_ID. No file is read: a build ID is the end of the path that was asked for.
 */
#include <string.h>

#include "tap.h"

#include "../../tools/util.h"
#include "../../tools/collect/id.h"

static char asked[512];			/* paths of notes and files, each behind a character that says which */
static bool none;			/* there is no such file */

static struct v9_id id_of(const char *text, size_t n)
{
	struct v9_id id = { .size = (uint8_t)n };

	memcpy(id.bytes, text, n);
	return id;
}

static char *named_notes(const char *path, size_t *len)
{
	sprintf(asked + strlen(asked), "n%s ", path);
	*len = strlen(path);
	return none ? NULL : v9_strdup(path);
}

struct v9_id v9_id_of_notes(void *notes, size_t size)
{
	return id_of((char *)notes + size - 5, 5);
}

struct v9_id v9_id_of_file(const char *path)
{
	sprintf(asked + strlen(asked), "f%s ", path);
	return none ? (struct v9_id){ .size = 0 } : id_of(path + strlen(path) - 4, 4);
}

struct v9_id v9_id_of_image(void *image, size_t size)
{
	return id_of(image, size);
}

#define v9_read_file named_notes
#include "../../tools/collect/objects.c"
#undef v9_read_file

/* What the lists of files, jitdumps and BPF programs have is freed by others. */
void v9_files_free(struct v9_files *files) { (void)files; }
void v9_jits_free(struct v9_jits *jits) { (void)jits; }
void v9_bpf_free(struct v9_bpf *bpf) { (void)bpf; }

static void test_names(void)
{
	struct v9_objects ob = { 0 };
	bool found = true;
	char name[32];

	for (int i = 0; i < 600; i++) {
		sprintf(name, "/lib/%d", i);
		found &= v9_objects_get(&ob, name, i % 3 == 0) == &ob.o[i] && ob.n == i + 1;
	}
	tap_ok(found, "each_name_is_new");
	for (int i = 0; i < 600; i++) {
		sprintf(name, "/lib/%d", i);
		found &= v9_objects_get(&ob, name, false) == &ob.o[i] && !strcmp(ob.o[i].name, name) &&
			 ob.o[i].kernel == (i % 3 == 0);
	}
	tap_ok(found && ob.n == 600, "and_found_again");
	v9_objects_free(&ob);
	tap_ok(!ob.n && !ob.o && !ob.slot, "freed");
}

static void test_ids(void)
{
	static const struct { const char *name, *asked, *id; bool kernel; } rows[] = {
		{ "/usr/bin/cat", "f/usr/bin/cat ", "/cat", false },
		{ "[vdso]", "", "", false },
		{ "//anon", "f//anon ", "anon", false },
		{ "[kernel.kallsyms]", "n/sys/kernel/notes ", "notes", true },
		{ "[kernel", "n/sys/kernel/notes ", "notes", true },
		{ "[kerne", "n/sys/module/kerne/notes/.note.gnu.build-id ", "ld-id", true },
		{ "[nf-nat]", "n/sys/module/nf_nat/notes/.note.gnu.build-id ", "ld-id", true },
		{ "/lib/modules/6/ext4.ko.xz", "n/sys/module/ext4/notes/.note.gnu.build-id ", "ld-id", true },
	};
	struct v9_objects ob = { 0 };
	struct v9_id id;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		*asked = '\0';
		id = v9_objects_id(&ob, rows[i].name, rows[i].kernel);
		tap_ok(id.size == strlen(rows[i].id) && !memcmp(id.bytes, rows[i].id, id.size) &&
		       !strcmp(asked, rows[i].asked), "id_%zu", i);
		id = v9_objects_id(&ob, rows[i].name, rows[i].kernel);
		tap_ok(id.size == strlen(rows[i].id) && !strcmp(asked, rows[i].asked), "read_once_%zu", i);
	}
	/* An image has its ID at once, unless there is one. */
	*asked = '\0';
	v9_objects_image(&ob, "[vdso]", "from memory", 11);
	v9_objects_image(&ob, "/usr/bin/cat", "from memory", 11);
	id = v9_objects_id(&ob, "[vdso]", false);
	tap_ok(id.size == 11 && !memcmp(id.bytes, "from memory", 11), "id_of_image");
	tap_eq(v9_objects_id(&ob, "/usr/bin/cat", false).size, 4, "first_id_stays");
	none = true;
	tap_eq(v9_objects_id(&ob, "/usr/bin/no", false).size, 0, "no_file");
	tap_eq(v9_objects_id(&ob, "[none]", true).size, 0, "no_notes");
	none = false;
	v9_objects_free(&ob);
}

/* Each record: struct perf_event_header, pid, 20 bytes of ID, its size, and the name up to a multiple of 8 bytes */
static void test_section(void)
{
	static const uint8_t want[] =
		"\0\0\0\0\x02\x80\x2c\0\xff\xff\xff\xff" "/cat\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" "\x04\0\0\0" "/to/cat\0"
		"\0\0\0\0\x01\x80\x3c\0\xff\xff\xff\xff" "notes\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" "\x05\0\0\0"
		"[kernel.kallsyms]\0\0\0\0\0\0\0";
	struct v9_objects ob = { 0 };
	struct v9_blob b = { 0 };

	v9_objects_get(&ob, "/to/cat", false);
	v9_objects_get(&ob, "[heap]", false);
	v9_objects_get(&ob, "[kernel.kallsyms]", true);
	v9_objects_section(&ob, &b);
	tap_eq(b.len, sizeof(want) - 1, "section_size");
	tap_ok(b.len == sizeof(want) - 1 && !memcmp(b.data, want, b.len), "section");
	v9_blob_free(&b);
	v9_objects_free(&ob);
}

int main(void)
{
	test_names();
	test_ids();
	test_section();
	return tap_done();
}
