// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whose a data address is: objects by their code, whose file is this program, mappings of data,
 * processes that forked. And which mappings are kept.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"
#include "../../tools/capture/data.h"

/* An anonymous mapping, as perf names it */
#define ANON	"//anon"

static char block[64] = { 1 };		/* a variable of this program */
static char self[512];
static uint64_t code_start, code_size, code_pgoff;

static void find_self(void)
{
	const uint64_t here = (uintptr_t)find_self;
	char line[1024], perm[8];
	unsigned long long start, end, pgoff;
	FILE *f = fopen("/proc/self/maps", "r");
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (!f || n < 0)
		abort();
	self[n] = '\0';
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%llx-%llx %7s %llx", &start, &end, perm, &pgoff) == 4 &&
		    here >= start && here < end) {
			code_start = start;
			code_size = end - start;
			code_pgoff = pgoff;
		}
	fclose(f);
}

static void map(struct v9_syms *s, uint64_t time, uint32_t pid, uint64_t start, uint64_t size,
		unsigned int prot, const char *name)
{
	v9_syms_map(s, time, pid, start, size, 0, prot, name, strlen(name), NULL, 0);
}

static void map_self(struct v9_syms *s, uint64_t time, uint32_t pid)
{
	v9_syms_map(s, time, pid, code_start, code_size, code_pgoff, V9_MAP_EXEC, self, strlen(self),
		    NULL, 0);
}

static void begin(struct v9_syms *s, struct v9_strtab *strtab, bool objects)
{
	const struct v9_syms_opts opts = { .objects = objects };

	v9_syms_init(s, strtab, &opts);
}

static void end(struct v9_syms *s, struct v9_strtab *strtab)
{
	v9_syms_free(s);
	v9_strtab_free(strtab);
	memset(strtab, 0, sizeof(*strtab));
}

/* The name of the owner, "" if it is not known */
static const char *owner(struct v9_syms *s, uint32_t pid, uint64_t time, uint64_t addr)
{
	struct v9_data d;

	v9_syms_data(s, pid, time, addr, &d);
	return d.name ? d.name : "";
}

static const char *variable(struct v9_syms *s, uint32_t pid, uint64_t time, const void *p)
{
	const struct v9_func *f;
	struct v9_data d;

	v9_syms_data(s, pid, time, (uintptr_t)p, &d);
	f = d.dso ? v9_dso_object(d.dso, (uintptr_t)p - d.bias) : NULL;
	return f ? f->name : "";
}

static void variables(void)
{
	struct v9_strtab strtab = { 0 };
	struct v9_data d;
	struct v9_syms s;

	begin(&s, &strtab, true);
	map_self(&s, 10, 7);
	/* Where an object has zeros, the kernel maps memory without a file. */
	map(&s, 10, 7, (uintptr_t)block & ~UINT64_C(0xfff), 0x1000, V9_MAP_DATA, ANON);
	map(&s, 10, 7, 0x10000, 0x2000, V9_MAP_EXEC, "/no/such/file");
	map(&s, 100, 7, 0x11000, 0x1000, V9_MAP_EXEC, "/no/later");
	map(&s, 10, 7, 0x20000, 0x2000, V9_MAP_EXEC, "[stack]");
	v9_syms_seal(&s);
	tap_ok(!strcmp(variable(&s, 7, 10, block), "block"), "first_byte_of_a_variable");
	tap_ok(!strcmp(variable(&s, 7, 10, block + 63), "block"), "last_byte_of_a_variable");
	tap_ok(strcmp(variable(&s, 7, 10, block + 64), "block"), "byte_behind_a_variable");
	tap_ok(strcmp(variable(&s, 7, 10, block - 1), "block"), "byte_before_a_variable");
	tap_ok(!strcmp(variable(&s, 7, 5, block), "block"), "before_its_record");
	tap_ok(!strcmp(owner(&s, 7, 10, (uintptr_t)block), self), "object_of_a_variable");
	v9_syms_data(&s, 7, 10, (uintptr_t)block, &d);
	tap_ok(d.dso && !strcmp(d.dso->name, self), "object_has_variables");
	tap_ok(!*owner(&s, 8, 10, (uintptr_t)block), "of_another_process");

	/* Before a later mapping of the same addresses, the earlier one is the owner. */
	tap_ok(!strcmp(owner(&s, 7, 50, 0x11800), "/no/such/file") && !strcmp(owner(&s, 7, 100, 0x11800), "/no/later"),
	       "latest_at_that_time");
	/* Of a file that is not there only the mapping is known. */
	v9_syms_data(&s, 7, 10, 0x10000, &d);
	tap_ok(d.name && !strcmp(d.name, "/no/such/file") && !d.dso, "without_the_file");
	tap_ok(!strcmp(owner(&s, 7, 10, 0x11fff), "/no/such/file"), "last_byte_without_the_file");
	tap_ok(!*owner(&s, 7, 10, 0x12000), "behind_it");
	tap_ok(!*owner(&s, 7, 10, 0xffff), "before_all");
	tap_ok(!strcmp(owner(&s, 7, 10, 0x20000), "[stack]"), "no_file");

	v9_syms_data(&s, 7, 10, UINT64_C(0xffff800012345678), &d);
	tap_ok(d.dso == s.dsos[0] && d.name == s.dsos[0]->name && !d.bias, "kernel");
	end(&s, &strtab);
}

static void mappings(void)
{
	struct v9_strtab strtab = { 0 };
	struct v9_syms s;

	begin(&s, &strtab, true);
	map(&s, 1, 7, 0x10000, 0x1000, V9_MAP_DATA, "[heap]");
	map(&s, 5, 7, 0x10000, 0x2000, V9_MAP_DATA, "/dev/shm/a");
	map(&s, 3, 7, 0x10000, 0x1000, V9_MAP_DATA, ANON);
	v9_syms_seal(&s);
	tap_ok(!*owner(&s, 7, 0, 0x10000), "not_yet");
	tap_ok(!strcmp(owner(&s, 7, 1, 0x10000), "[heap]"), "from_its_time");
	tap_ok(!strcmp(owner(&s, 7, 2, 0x10fff), "[heap]"), "last_byte");
	tap_ok(!*owner(&s, 7, 2, 0x11000), "byte_behind");
	tap_ok(!*owner(&s, 7, 2, 0xffff), "byte_before");
	tap_ok(!strcmp(owner(&s, 7, 4, 0x10000), "[anon]"), "the_latest");
	tap_ok(!strcmp(owner(&s, 7, 9, 0x10000), "/dev/shm/a"), "the_latest_of_three");
	tap_ok(!strcmp(owner(&s, 7, 4, 0x11000), ""), "a_later_one_reaches_further");
	end(&s, &strtab);
}

/* A child has the mappings of its parent as they were, and its own before them. */
static void children(void)
{
	struct v9_strtab strtab = { 0 };
	const uint64_t here = (uintptr_t)block & ~UINT64_C(0xfff);
	struct v9_syms s;

	begin(&s, &strtab, true);
	map(&s, 1, 7, 0x10000, 0x1000, V9_MAP_DATA, "[heap]");
	map(&s, 1, 7, here, 0x1000, V9_MAP_DATA, "/of/the/parent");
	v9_syms_fork(&s, 10, 8, 7);
	map(&s, 20, 7, 0x10000, 0x1000, V9_MAP_DATA, "/later");
	v9_syms_fork(&s, 30, 9, 8);
	map(&s, 40, 9, 0x10000, 0x1000, V9_MAP_DATA, "/own");
	map_self(&s, 40, 9);
	v9_syms_exec(&s, 60, 8);
	map(&s, 60, 8, 0x80000, 0x1000, V9_MAP_DATA, "[heap]");
	v9_syms_seal(&s);
	tap_ok(!strcmp(owner(&s, 7, 50, 0x10000), "/later"), "parent_maps_anew");
	tap_ok(!strcmp(owner(&s, 8, 50, 0x10000), "[heap]"), "child_does_not");
	tap_ok(!strcmp(owner(&s, 9, 35, 0x10000), "[heap]"), "grandchild_as_its_grandparent");
	tap_ok(!strcmp(owner(&s, 9, 50, 0x10000), "/own"), "grandchild_maps_anew");
	tap_ok(!strcmp(owner(&s, 8, 50, here), "/of/the/parent"), "data_of_the_parent");
	tap_ok(!strcmp(owner(&s, 9, 50, here), self), "own_code_before_data_of_the_parent");
	tap_ok(!*owner(&s, 8, 60, 0x10000), "nothing_is_left_by_exec");
	end(&s, &strtab);
}

/* What is kept of a mapping, by its permissions and its name */
static void kept(void)
{
	static const struct {
		const char *name, *file;
		unsigned int prot;
		size_t events, with_objects;
	} rows[] = {
		{ "code", "/bin/a", V9_MAP_EXEC, 1, 1 },
		{ "generated_code", ANON, V9_MAP_EXEC, 1, 1 },
		{ "code_that_can_be_written", "/bin/a", V9_MAP_EXEC | V9_MAP_WRITE, 2, 2 },
		{ "data_of_a_file", "/bin/a", V9_MAP_WRITE, 1, 1 },
		{ "data_of_no_file", "[heap]", V9_MAP_WRITE, 0, 0 },
		{ "nothing_permitted", "/bin/a", 0, 0, 0 },
		{ "mapping_of_data", "[heap]", V9_MAP_DATA, 0, 1 },
		{ "mapping_of_data_of_a_file", "/bin/a", V9_MAP_DATA | V9_MAP_WRITE, 1, 2 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (unsigned int objects = 0; objects < 2; objects++) {
			struct v9_strtab strtab = { 0 };
			struct v9_syms s;

			begin(&s, &strtab, objects);
			map(&s, 1, 7, 0x10000, 0x1000, rows[i].prot, rows[i].file);
			tap_eq(s.nr_events, objects ? rows[i].with_objects : rows[i].events, "%s%s",
			       rows[i].name, objects ? "_with_objects" : "");
			map(&s, 1, 7, 0x10000, 0, rows[i].prot, rows[i].file);
			map(&s, 1, 7, UINT64_MAX - 0xfff, 0x2000, rows[i].prot, rows[i].file);
			tap_eq(s.nr_events, objects ? rows[i].with_objects : rows[i].events,
			       "%s%s_without_size", rows[i].name, objects ? "_with_objects" : "");
			end(&s, &strtab);
		}
}

int main(void)
{
	find_self();
	variables();
	mappings();
	children();
	kept();
	return tap_done();
}
