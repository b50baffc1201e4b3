// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <v9trace/base.h>

#include "../util.h"
#include "debuginfod.h"
#include "elf.h"
#include "find.h"
#include "jit.h"
#include "kallsyms.h"
#include "layers.h"
#include "running.h"
#include "simpleperf.h"
#include "sym.h"

#define KERNEL_NAME	"[kernel.kallsyms]"
#define COMPAT_END	(UINT64_C(1) << 32)	/* of the addresses of a 32-bit program */

static void open_archive(struct v9_syms *s)
{
	const char *path = s->opts.debug_dir, *why;
	struct stat st;

	if (!path || stat(path, &st) || !S_ISREG(st.st_mode))
		return;
	why = v9_tar_open(&s->archive, path);
	if (why)
		v9_warn("--debug-dir %s: %s; %zu entries of the archive are read", path, why,
			s->archive.nr);
}

void v9_syms_init(struct v9_syms *s, struct v9_strtab *strtab, const struct v9_syms_opts *opts)
{
	struct v9_dso **kernel;

	memset(s, 0, sizeof(*s));
	s->strtab = strtab;
	s->archive.spool = -1;
	if (opts)
		s->opts = *opts;
	open_archive(s);
	kernel = v9_vec_add(s->dsos, s->nr_dsos);
	*kernel = v9_alloc(sizeof(**kernel));
	(*kernel)->name = v9_strtab_put(strtab, KERNEL_NAME, sizeof(KERNEL_NAME));
	(*kernel)->wants_objs = s->opts.objects;
	(*kernel)->raw_names = s->opts.raw_names;
}

static struct v9_dso *kernel_dso(struct v9_syms *s)
{
	return s->dsos[0];
}

static void set_build_id(struct v9_dso *d, const uint8_t *id, unsigned int size)
{
	if (!id || !size || size > V9_BUILD_ID_MAX || d->build_id_size)
		return;
	memcpy(d->build_id, id, size);
	d->build_id_size = (uint8_t)size;
}

const char *v9_build_id_text(char room[V9_BUILD_ID_TEXT], const uint8_t *id, unsigned int size)
{
	room[0] = 0;
	for (unsigned int i = 0; i < size; i++)
		snprintf(room + 2 * i, 3, "%02x", id[i]);
	return room;
}

static struct v9_dso *find_dso(struct v9_syms *s, const char *name, const uint8_t *id,
			       unsigned int size)
{
	char hex[V9_BUILD_ID_TEXT];
	struct v9_dso **d;
	size_t *index;
	char *key;

	if (size > V9_BUILD_ID_MAX)
		size = 0;
	key = v9_format("%s %s", v9_build_id_text(hex, id, size), name);
	index = v9_strtab_value(&s->by_id, key);
	free(key);
	if (*index)
		return s->dsos[*index - 1];
	*index = s->nr_dsos + 1;
	d = v9_vec_add(s->dsos, s->nr_dsos);
	*d = v9_alloc(sizeof(**d));
	(*d)->name = name;
	(*d)->wants_objs = s->opts.objects;
	(*d)->raw_names = s->opts.raw_names;
	(*d)->anonymous = !v9_mapping_has_file(name);
	set_build_id(*d, id, size);
	return *d;
}

struct v9_dso *v9_syms_dso(struct v9_syms *s, const char *name)
{
	return find_dso(s, name, NULL, 0);
}

struct v9_dso *v9_syms_object(struct v9_syms *s, const char *name, const uint8_t *id, unsigned int size)
{
	return find_dso(s, name, id, size);
}

static struct v9_sym_event *add_event(struct v9_syms *s, uint64_t time, uint32_t pid)
{
	struct v9_sym_event *t = v9_vec_add(s->events, s->nr_events);

	t->time = time;
	t->pid = pid;
	t->seq = (uint32_t)s->nr_events;
	return t;
}

/* The name of the kernel's mapping is that of the symbol whose address is in pgoff. */
static bool kernel_map(struct v9_syms *s, const char *name, uint64_t pgoff)
{
	const size_t n = strlen(KERNEL_NAME);

	if (strncmp(name, KERNEL_NAME, n))
		return false;
	if (name[n] && pgoff && !s->kernel_ref) {
		s->kernel_ref = pgoff;
		s->kernel_ref_name = v9_strtab_put(s->strtab, name + n, strlen(name + n));
	}
	return true;
}

void v9_syms_map(struct v9_syms *s, uint64_t time, uint32_t pid, uint64_t start, uint64_t size,
		 uint64_t pgoff, unsigned int prot, const char *name, size_t len,
		 const uint8_t *build_id, unsigned int build_id_size)
{
	struct v9_sym_event *t;

	if (!prot || !size || start + size < start)
		return;
	name = v9_strtab_put(s->strtab, name, len);
	if (start + size <= COMPAT_END && !strcmp(name, V9_VDSO_NAME))
		name = V9_VDSO32_NAME;
	if (prot & V9_MAP_DATA && s->opts.objects) {
		t = add_event(s, time, pid);
		t->what = V9_SYM_DATA;
		t->map = (struct v9_map){ .time = time, .start = start, .end = start + size,
					  .pgoff = pgoff,
					  .dso = find_dso(s, name, build_id,
							  build_id ? build_id_size : 0) };
	}
	prot &= ~(unsigned int)V9_MAP_DATA;
	if (!prot)
		return;
	/* Anonymous mappings of data cannot become code of a file. */
	if (!(prot & V9_MAP_EXEC) && name[0] != '/')
		return;
	if (prot == (V9_MAP_EXEC | V9_MAP_WRITE))
		v9_syms_map(s, time, pid, start, size, pgoff, V9_MAP_WRITE, name, len, build_id,
			    build_id_size);
	t = add_event(s, time, pid);
	t->what = prot & V9_MAP_EXEC ? V9_SYM_MAP : V9_SYM_WRITE;
	t->map = (struct v9_map){ .time = time, .start = start, .end = start + size,
				  .pgoff = pgoff };
	if (pid == V9_KERNEL_PID && kernel_map(s, name, pgoff)) {
		t->map.dso = kernel_dso(s);
		set_build_id(t->map.dso, build_id, build_id_size);
	} else {
		t->map.dso = find_dso(s, name, build_id, build_id ? build_id_size : 0);
	}
}

void v9_syms_jit(struct v9_syms *s, uint64_t time, uint32_t pid, uint64_t start, uint64_t size,
		 uint64_t offset, struct v9_dso *d)
{
	struct v9_sym_event *t = add_event(s, time, pid);

	t->what = V9_SYM_JIT;
	t->map = (struct v9_map){ .time = time, .start = start, .end = start + size,
				  .pgoff = offset, .dso = d };
}

void v9_syms_generated(struct v9_dso *d, const uint8_t *bytes, size_t n)
{
	d->loaded = true;
	d->code.sought = true;
	d->code.bytes = bytes;
	d->code.size = n;
	d->code.embedded = true;
	if (n)
		d->segs[d->nr_segs++] = (struct v9_seg){ 0, n, 0 };
	v9_funcs_sort(d);
}

void v9_syms_exec(struct v9_syms *s, uint64_t time, uint32_t pid)
{
	add_event(s, time, pid)->what = V9_SYM_EXEC;
}

void v9_syms_fork(struct v9_syms *s, uint64_t time, uint32_t pid, uint32_t ppid)
{
	struct v9_sym_event *t = add_event(s, time, pid);

	t->what = V9_SYM_FORK;
	t->ppid = ppid;
}

void v9_syms_build_id(struct v9_syms *s, const char *name, size_t len,
		      const uint8_t *build_id, unsigned int build_id_size)
{
	struct v9_dso *d;

	name = v9_strtab_put(s->strtab, name, len);
	d = kernel_map(s, name, 0) ? kernel_dso(s) : find_dso(s, name, NULL, 0);
	set_build_id(d, build_id, build_id_size);
}

void v9_syms_tell_kallsyms(struct v9_syms *s, const char *text, size_t n)
{
	free(s->embedded_kallsyms);
	s->embedded_kallsyms = v9_alloc(n + 1);
	memcpy(s->embedded_kallsyms, text, n);
	s->embedded_kallsyms_len = n;
}

/* Modules and DEX files are skipped: their addresses depend on where they were loaded. */
static void *simpleperf_file(void *arg, const struct v9_simpleperf_file *f)
{
	struct v9_syms *s = arg;
	struct v9_dso *d;
	const char *name;

	if (f->type != V9_SIMPLEPERF_ELF && f->type != V9_SIMPLEPERF_KERNEL)
		return NULL;
	name = v9_strtab_put(s->strtab, f->path, f->path_len);
	d = f->type == V9_SIMPLEPERF_KERNEL ? kernel_dso(s) : find_dso(s, name, NULL, 0);
	if (f->type == V9_SIMPLEPERF_ELF && f->offset != V9_SIMPLEPERF_UNKNOWN)
		d->embedded_seg = (struct v9_seg){ f->offset, UINT64_MAX, f->address };
	/* Kernel addresses are link-time addresses if the start address is given. */
	if (f->type == V9_SIMPLEPERF_KERNEL && f->address != UINT64_MAX)
		d->embedded_seg.addr = f->address;
	return d;
}

static void simpleperf_symbol(void *arg, void *file, const struct v9_simpleperf_symbol *sym)
{
	struct v9_syms *s = arg;
	struct v9_dso *d = file;
	struct v9_func *f;

	if (!sym->name_len || sym->address + sym->size < sym->address)
		return;
	f = v9_vec_add(d->embedded, d->nr_embedded);
	f->start = sym->address;
	f->end = sym->address + sym->size;
	f->name = v9_strtab_put(s->strtab, sym->name, sym->name_len);
}

void v9_syms_simpleperf(struct v9_syms *s, const uint8_t *section, size_t n, bool proto)
{
	const struct v9_simpleperf_callbacks listener = { simpleperf_file, simpleperf_symbol, s };

	if (!n)
		return;
	if ((proto ? v9_simpleperf_read_proto : v9_simpleperf_read)(section, n, &listener) != n)
		v9_warn("the capture's symbols are damaged: some are missing");
}

/* Use the symbols of the capture, because no file has symbols. */
static void use_embedded(struct v9_dso *d, uint64_t shift)
{
	if (!d->nr_embedded || d->nr_funcs)
		return;
	free(d->funcs);
	d->funcs = d->embedded;
	d->nr_funcs = d->nr_embedded;
	d->embedded = NULL;
	d->nr_embedded = 0;
	for (size_t i = 0; shift && i < d->nr_funcs; i++) {
		d->funcs[i].start += shift;
		d->funcs[i].end += shift;
	}
	if (!d->nr_segs && d->embedded_seg.size)
		d->segs[d->nr_segs++] = d->embedded_seg;
	d->why = NULL;
	v9_funcs_sort(d);
}

static int event_order(const void *a, const void *b)
{
	const struct v9_sym_event *x = a, *y = b;
	int r = V9_ORDER(x->time, y->time);

	return r ? r : V9_ORDER(x->seq, y->seq);
}

static int space_order(const void *a, const void *b)
{
	const struct v9_space *const *x = a, *const *y = b;
	int r = V9_ORDER((*x)->pid, (*y)->pid);

	return r ? r : V9_ORDER((*x)->seq, (*y)->seq);
}

static int map_order(const void *a, const void *b)
{
	const struct v9_map *x = a, *y = b;
	int r = V9_ORDER(x->start, y->start);

	return r ? r : V9_ORDER(x->time, y->time);
}

/* The newest space of each pid while spaces are built; a hash table with open addressing */
struct newest {
	size_t *slot;		/* index + 1 into spaces */
	size_t room;
};

static size_t *newest_of(struct newest *n, const struct v9_syms *s, uint32_t pid)
{
	for (size_t i = pid * UINT32_C(2654435761);; i++) {
		size_t *slot = &n->slot[i & (n->room - 1)];

		if (!*slot || s->spaces[*slot - 1].pid == pid)
			return slot;
	}
}

static struct v9_space *new_space(struct v9_syms *s, struct newest *n, uint32_t pid,
				  uint64_t time, size_t parent)
{
	size_t *slot = newest_of(n, s, pid);
	struct v9_space *sp = v9_vec_add(s->spaces, s->nr_spaces);

	sp->pid = pid;
	sp->time = time;
	sp->seq = (uint32_t)s->nr_spaces;
	sp->parent = parent;
	*slot = s->nr_spaces;
	return sp;
}

static void build_spaces(struct v9_syms *s)
{
	struct newest n = { .room = 16 };

	while (n.room < s->nr_events * 2 + 2)
		n.room *= 2;
	n.slot = v9_alloc(n.room * sizeof(*n.slot));
	for (size_t i = 0; i < s->nr_events; i++) {
		const struct v9_sym_event *t = &s->events[i];
		size_t have = *newest_of(&n, s, t->pid), parent = 0;
		struct v9_space *sp = have ? &s->spaces[have - 1] : NULL;

		switch (t->what) {
		case V9_SYM_EXEC:
			/* The recorder synthesizes execs at time 0. */
			if (!sp || sp->nr_maps || sp->nr_datas || sp->nr_jits || sp->parent != V9_NO_SPACE)
				new_space(s, &n, t->pid, t->time, V9_NO_SPACE);
			break;
		case V9_SYM_FORK:
			/* At time 0 the record is synthesized, and mappings follow. */
			parent = t->time ? *newest_of(&n, s, t->ppid) : 0;
			new_space(s, &n, t->pid, t->time, parent ? parent - 1 : V9_NO_SPACE);
			break;
		case V9_SYM_MAP:
			if (!sp)
				sp = new_space(s, &n, t->pid, t->time, V9_NO_SPACE);
			*v9_vec_add(sp->maps, sp->nr_maps) = t->map;
			break;
		case V9_SYM_WRITE:
			if (!sp)
				sp = new_space(s, &n, t->pid, t->time, V9_NO_SPACE);
			*v9_vec_add(sp->writes, sp->nr_writes) = t->map;
			break;
		case V9_SYM_DATA:
			if (!sp)
				sp = new_space(s, &n, t->pid, t->time, V9_NO_SPACE);
			*v9_vec_add(sp->datas, sp->nr_datas) = t->map;
			break;
		case V9_SYM_JIT:
			if (!sp)
				sp = new_space(s, &n, t->pid, t->time, V9_NO_SPACE);
			*v9_vec_add(sp->jits, sp->nr_jits) = t->map;
			break;
		}
	}
	free(n.slot);
}

/* Sorts by pid, then by time, and adapts the indices of parents. */
static void sort_spaces(struct v9_syms *s)
{
	struct v9_space **order = v9_alloc((s->nr_spaces + 1) * sizeof(*order));
	struct v9_space *sorted = v9_alloc((s->nr_spaces + 1) * sizeof(*sorted));
	size_t *moved = v9_alloc((s->nr_spaces + 1) * sizeof(*moved));

	for (size_t i = 0; i < s->nr_spaces; i++)
		order[i] = &s->spaces[i];
	qsort(order, s->nr_spaces, sizeof(*order), space_order);
	for (size_t i = 0; i < s->nr_spaces; i++) {
		sorted[i] = *order[i];
		moved[order[i] - s->spaces] = i;
	}
	for (size_t i = 0; i < s->nr_spaces; i++)
		if (sorted[i].parent != V9_NO_SPACE)
			sorted[i].parent = moved[sorted[i].parent];
	free(order);
	free(moved);
	free(s->spaces);
	s->spaces = sorted;
}

static bool same_offset(const struct v9_map *a, const struct v9_map *b)
{
	return a->dso == b->dso && a->pgoff - a->start == b->pgoff - b->start;
}

static bool same_bytes(const struct v9_map *a, const struct v9_map *b)
{
	return a->start < b->end && b->start < a->end && same_offset(a, b);
}

/* Mappings that have the same bytes where they overlap are next to each other, by start. */
static int bytes_order(const void *a, const void *b)
{
	const struct v9_map *x = a, *y = b;
	const uint64_t from = x->pgoff - x->start, other = y->pgoff - y->start;

	if (x->dso != y->dso)
		return V9_ORDER((uintptr_t)x->dso, (uintptr_t)y->dso);
	return from == other ? map_order(a, b) : V9_ORDER(from, other);
}

/* Sets .reach among mappings of the same bytes, which are sorted by bytes_order(). */
static void reach_of_bytes(struct v9_map *maps, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		const uint64_t reach = k && same_offset(&maps[k - 1], &maps[k]) ? maps[k - 1].reach : 0;

		maps[k].reach = maps[k].end > reach ? maps[k].end : reach;
	}
}

/* Does one of the mappings have the same bytes as @w at an address of it? */
static bool has_bytes_of(const struct v9_map *maps, size_t n, const struct v9_map *w)
{
	/* The last one that could come before the end of @w */
	struct v9_map end = *w;

	end.start = w->end;
	end.pgoff = w->pgoff + (w->end - w->start);
	end.time = 0;
	n = v9_first_entries(i, n, bytes_order(&maps[i], &end) < 0);
	return n && same_offset(&maps[n - 1], w) && maps[n - 1].reach > w->start;
}

/*
 * Writable mappings matter only where there is code at another time. If mappings of data are not
 * recorded, a change of protection shows only as a second mapping of the same code, and the
 * protection in between is not known.
 */
static void find_writes(const struct v9_syms *s, struct v9_space *sp)
{
	struct v9_map *maps;
	size_t n = 0;

	if (!sp->nr_maps || (!sp->nr_writes && s->has_data_maps)) {
		sp->nr_writes = 0;
		return;
	}
	maps = v9_alloc(sp->nr_maps * sizeof(*maps));
	memcpy(maps, sp->maps, sp->nr_maps * sizeof(*maps));
	qsort(maps, sp->nr_maps, sizeof(*maps), bytes_order);
	reach_of_bytes(maps, sp->nr_maps);
	for (size_t i = 0; i < sp->nr_writes; i++)
		if (has_bytes_of(maps, sp->nr_maps, &sp->writes[i]))
			sp->writes[n++] = sp->writes[i];
	sp->nr_writes = n;
	for (size_t i = 1; i < sp->nr_maps && !s->has_data_maps; i++)
		if (same_offset(&maps[i], &maps[i - 1]) && maps[i - 1].reach > maps[i].start)
			*v9_vec_add(sp->writes, sp->nr_writes) = maps[i];
	free(maps);
	if (sp->nr_writes)
		qsort(sp->writes, sp->nr_writes, sizeof(*sp->writes), map_order);
}

static int time_order(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return V9_ORDER(*x, *y);
}

static void add_change(struct v9_syms *s, uint64_t time)
{
	if (time)
		*v9_vec_add(s->changes, s->nr_changes) = time;
}

/* Returns true if entry @k of .jits, which are sorted, overlaps another one. */
static bool replaces(const struct v9_space *sp, size_t k)
{
	return (k && sp->jits[k - 1].reach > sp->jits[k].start) ||
	       (k + 1 < sp->nr_jits && sp->jits[k + 1].start < sp->jits[k].end);
}

static void find_changes(struct v9_syms *s)
{
	for (size_t i = 0; i < s->nr_spaces; i++) {
		const struct v9_space *sp = &s->spaces[i];

		if (i && s->spaces[i - 1].pid == sp->pid)
			add_change(s, sp->time);
		for (size_t k = 0; sp->map_layers.nr && k < sp->nr_maps; k++)
			add_change(s, sp->maps[k].time);
		for (size_t k = 0; k < sp->nr_writes; k++)
			add_change(s, sp->writes[k].time);
		/* Look-ups of code that overlaps no other code do not depend on the time. */
		for (size_t k = 0; k < sp->nr_jits; k++)
			if (replaces(sp, k))
				add_change(s, sp->jits[k].time);
	}
	if (s->nr_changes)
		qsort(s->changes, s->nr_changes, sizeof(*s->changes), time_order);
}

/* Returns true if mappings overlap. */
static bool set_reach(struct v9_map *maps, size_t n)
{
	bool overlap = false;

	for (size_t k = 0; k < n; k++) {
		const uint64_t reach = k ? maps[k - 1].reach : 0;

		maps[k].reach = maps[k].end > reach ? maps[k].end : reach;
		overlap |= maps[k].start < reach;
	}
	return overlap;
}

/* Without times it is not known which of several pieces of code at one address ran. */
static void seal_jits(struct v9_space *sp)
{
	if (sp->nr_jits)
		qsort(sp->jits, sp->nr_jits, sizeof(*sp->jits), map_order);
	if (set_reach(sp->jits, sp->nr_jits))
		v9_layers_build(&sp->jit_layers, sp->jits, sp->nr_jits);
	for (size_t k = 0; k < sp->nr_jits; k++) {
		struct v9_dso *d = sp->jits[k].dso;

		if (!d->untimed || !replaces(sp, k))
			continue;
		d->code.bytes = NULL;
		d->code.why = "code was replaced, and its times are of another clock: record with "
			      "v9trace record, or perf record -k mono";
	}
}

void v9_syms_seal(struct v9_syms *s)
{
	if (s->nr_events)
		qsort(s->events, s->nr_events, sizeof(*s->events), event_order);
	build_spaces(s);
	sort_spaces(s);
	for (size_t i = 0; i < s->nr_spaces; i++) {
		struct v9_space *sp = &s->spaces[i];

		if (sp->nr_maps)
			qsort(sp->maps, sp->nr_maps, sizeof(*sp->maps), map_order);
		if (sp->nr_datas)
			qsort(sp->datas, sp->nr_datas, sizeof(*sp->datas), map_order);
		if (set_reach(sp->maps, sp->nr_maps))
			v9_layers_build(&sp->map_layers, sp->maps, sp->nr_maps);
		seal_jits(sp);
		find_writes(s, sp);
	}
	find_changes(s);
	free(s->events);
	s->events = NULL;
	s->nr_events = 0;
}

static struct v9_space *space_at(struct v9_syms *s, uint32_t pid, uint64_t time)
{
	struct v9_space *sp = s->spaces;
	const size_t n = v9_first_entries(i, s->nr_spaces, sp[i].pid < pid ||
							   (sp[i].pid == pid && sp[i].time <= time));

	if (n && sp[n - 1].pid == pid)
		return &sp[n - 1];
	return n < s->nr_spaces && sp[n].pid == pid ? &sp[n] : NULL;
}

struct v9_space *v9_syms_space(struct v9_syms *s, uint32_t pid, uint64_t time)
{
	return space_at(s, pid, time);
}

/* Returns the mapping of an address, if mappings do not overlap. */
static const struct v9_map *only_of(const struct v9_map *maps, size_t nr, uint64_t addr)
{
	const size_t n = v9_first_entries(i, nr, maps[i].start <= addr);

	return n && addr < maps[n - 1].end ? &maps[n - 1] : NULL;
}

static const struct v9_map *jit_in(const struct v9_space *sp, uint64_t addr, uint64_t time)
{
	if (sp->jit_layers.nr)
		return v9_layers_find(&sp->jit_layers, sp->jits, addr, time);
	return only_of(sp->jits, sp->nr_jits, addr);
}

static const struct v9_map *file_in(struct v9_space *sp, uint64_t addr, uint64_t time)
{
	const struct v9_map *m;

	if (sp->map_layers.nr)
		return v9_layers_find(&sp->map_layers, sp->maps, addr, time);
	if (sp->last < sp->nr_maps) {
		m = &sp->maps[sp->last];
		if (addr >= m->start && addr < m->end)
			return m;
	}
	m = only_of(sp->maps, sp->nr_maps, addr);
	if (m)
		sp->last = (size_t)(m - sp->maps);
	return m;
}

/*
 * Generated code replaces older mappings, and anonymous memory: mprotect() gives that a newer
 * mapping.
 */
static const struct v9_map *map_in(struct v9_space *sp, uint64_t addr, uint64_t time)
{
	const struct v9_map *m = file_in(sp, addr, time), *jit;

	if (!sp->nr_jits)
		return m;
	jit = jit_in(sp, addr, time);
	return jit && (!m || m->dso->anonymous || m->time <= jit->time) ? jit : m;
}

static const struct v9_map *find_map(struct v9_syms *s, uint32_t pid, uint64_t time, uint64_t addr)
{
	struct v9_space *sp = space_at(s, pid, time);

	/* Parents are older spaces; damaged files may have a circle. */
	for (unsigned int depth = 0; sp && depth < 64; depth++) {
		const struct v9_map *m = map_in(sp, addr, time);

		if (m || sp->parent == V9_NO_SPACE)
			return m;
		if (sp->time < time)
			time = sp->time;
		sp = &s->spaces[sp->parent];
	}
	return NULL;
}

const struct v9_map *v9_syms_bpf(struct v9_syms *s, uint64_t time, uint64_t addr, bool *newest)
{
	struct v9_space *sp = space_at(s, V9_KERNEL_PID, time);
	const struct v9_map *m;

	if (!sp || !sp->nr_jits)
		return NULL;
	m = jit_in(sp, addr, time);
	*newest = m == jit_in(sp, addr, UINT64_MAX);
	return m && m->dso != kernel_dso(s) ? m : NULL;
}

/*
 * kallsyms has no sizes, so that a function extends to the next one. The last function of a module
 * ends with it: the next module may have no symbols.
 */
static void clip_to_maps(const struct v9_syms *s, struct v9_func *list, size_t nr)
{
	const struct v9_space *sp = NULL;
	size_t k = 0;

	for (size_t i = 0; i < s->nr_spaces && !sp; i++)
		if (s->spaces[i].pid == V9_KERNEL_PID)
			sp = &s->spaces[i];
	for (size_t i = 0; sp && i < nr; i++) {
		uint64_t limit;

		while (k < sp->nr_maps && sp->maps[k].end <= list[i].start)
			k++;
		if (k == sp->nr_maps)
			return;
		limit = sp->maps[k].start > list[i].start ? sp->maps[k].start : sp->maps[k].end;
		if (list[i].end > limit)
			list[i].end = limit;
	}
}

bool v9_syms_kallsyms(struct v9_syms *s, const char *text, size_t n)
{
	struct v9_dso *kernel = kernel_dso(s);
	const char *end = text + n;
	struct v9_ksym sym;
	uint64_t any = 0;

	while (v9_ksym_next(&text, end, &sym)) {
		const bool object = kernel->wants_objs && v9_ksym_is_object(&sym);
		struct v9_func *f;

		if ((!object && !v9_ksym_is_function(&sym)) || sym.name[0] == '$')
			continue;
		f = object ? v9_vec_add(kernel->objs, kernel->nr_objs) :
			     v9_vec_add(kernel->funcs, kernel->nr_funcs);
		any |= sym.addr;
		f->start = f->end = sym.addr;
		f->name = v9_strtab_put(s->strtab, sym.name, sym.name_len);
		f->dso = sym.owner ? v9_strtab_put(s->strtab, sym.owner, sym.owner_len) : NULL;
	}
	if (!any) {
		free(kernel->funcs);
		free(kernel->objs);
		kernel->funcs = kernel->objs = NULL;
		kernel->nr_funcs = kernel->nr_objs = 0;
		kernel->why = "kallsyms without addresses: record as root";
		return false;
	}
	kernel->loaded = true;
	kernel->why = NULL;
	v9_funcs_sort(kernel);
	clip_to_maps(s, kernel->funcs, kernel->nr_funcs);
	return true;
}

/*
 * Appends kernel symbols, which may be of another boot: KASLR has moved the kernel since. The modules
 * lie elsewhere, too, by an offset that is not known.
 */
static void put_moved(const struct v9_syms *s, struct v9_blob *out, const char *text, size_t n)
{
	struct v9_ksym_move move = { .end = UINT64_MAX };
	uint64_t ref;

	if (!s->kernel_ref || !v9_kallsyms_find(text, n, s->kernel_ref_name, &ref) || !ref ||
	    ref == s->kernel_ref) {
		v9_blob_put(out, text, n);
		return;
	}
	move.shift = s->kernel_ref - ref;
	v9_kallsyms_move(out, text, n, &move, 1);
}

static bool moved_kallsyms(struct v9_syms *s, const char *text, size_t n)
{
	struct v9_blob moved = { 0 };
	bool ok;

	put_moved(s, &moved, text, n);
	ok = v9_syms_kallsyms(s, (const char *)moved.data, moved.len);
	v9_blob_free(&moved);
	return ok;
}

static unsigned int trimmed_size(const uint8_t *id, unsigned int size)
{
	while (size && !id[size - 1])
		size--;
	return size;
}

bool v9_dso_has_id(const struct v9_dso *d, const uint8_t *id, size_t size)
{
	const unsigned int n = trimmed_size(d->build_id, d->build_id_size);

	return size <= V9_BUILD_ID_MAX && trimmed_size(id, (unsigned int)size) == n &&
	       !memcmp(id, d->build_id, n);
}

bool v9_dso_id_path(char *out, size_t size, const struct v9_dso *d, const char *head,
		    const char *tail, bool trim)
{
	unsigned int n = d->build_id_size;
	char hex[V9_BUILD_ID_TEXT];
	int len;

	if (trim)
		n = trimmed_size(d->build_id, n);
	if (!n || (trim && n == d->build_id_size))
		return false;
	v9_build_id_text(hex, d->build_id, n);
	len = snprintf(out, size, "%s/.build-id/%.2s/%s%s", head, hex, hex + 2, tail);
	return len > 0 && (size_t)len < size;
}

/* Files by build-id, until one has all symbols. Returns the best result of v9_elf_load(). */
static long load_by_id(struct v9_syms *s, struct v9_dso *d)
{
	struct v9_find find = { .syms = s, .dso = d, .what = V9_FIND_SYMBOLS };
	long best = -ENOENT;
	const char *path;

	while (!d->has_symtab && (path = v9_find_next(&find))) {
		const long n = v9_elf_load(d, path, s->strtab);

		if (best == -ENOENT || n > best)
			best = n;
	}
	return best;
}

static const char *why_not(long err)
{
	switch (err) {
	case -ENOENT:
		return v9_debuginfod_asked() ?
		       "no such file here (--symfs, --debug-dir), nor at DEBUGINFOD_URLS" :
		       "no such file here (--symfs, --debug-dir)";
	case -ESTALE:
		return "the file here has another build-id (--symfs, --debug-dir)";
	case -ENOEXEC:
		return "not an ELF file";
	case 0:
		return "the file names no functions";
	default:
		return strerror((int)-err);
	}
}

/* Mappings that are of no file: their part of the section PD_CODE; 0: none */
static uint32_t part_of(const char *name)
{
	static const struct { const char *name; uint32_t kind; } parts[] = {
		{ V9_VDSO_NAME, PD_CODE_VDSO }, { V9_VDSO32_NAME, PD_CODE_VDSO32 },
		{ "[sigpage]", PD_CODE_SIGPAGE }, { "[vectors]", PD_CODE_VECTORS },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(parts); i++)
		if (!strcmp(name, parts[i].name))
			return parts[i].kind;
	return 0;
}

const uint8_t *v9_syms_image(struct v9_syms *s, const struct v9_dso *d, size_t *size)
{
	const uint32_t kind = part_of(d->name);
	const struct pd_code_part *part;
	uint8_t id[V9_BUILD_ID_MAX];
	const uint8_t *bytes;
	unsigned int n;

	if (!kind)
		return v9_embedded_file(&s->embedded, d->build_id, d->build_id_size, size);
	part = v9_embedded_part(&s->embedded, kind, 0, &bytes);
	if (!part)
		return NULL;
	n = v9_elf_id(bytes, part->size, id);
	if (d->build_id_size && !v9_dso_has_id(d, id, n))
		return NULL;
	*size = part->size;
	return bytes;
}

static void load_user(struct v9_syms *s, struct v9_dso *d)
{
	const uint8_t *image;
	char path[8192];
	long n, debug;
	size_t size;

	d->loaded = true;
	image = v9_syms_image(s, d, &size);
	if (image) {
		n = v9_elf_load_image(d, image, size, s->strtab);
	} else if (d->name[0] == '/') {
		snprintf(path, sizeof(path), "%s%s", s->opts.symfs ? s->opts.symfs : "", d->name);
		n = v9_elf_load(d, path, s->strtab);
	} else {
		d->why = "not a file";
		use_embedded(d, 0);
		return;
	}
	/* A stripped file has the segments; other files may have more symbols. */
	debug = load_by_id(s, d);
	if (debug > 0 || n == -ENOENT)
		n = debug;
	v9_funcs_sort(d);
	use_embedded(d, 0);
	if (!d->nr_funcs)
		d->why = why_not(n);
}

const struct v9_map *v9_syms_map_at(struct v9_syms *s, uint32_t pid, uint64_t time, uint64_t addr)
{
	return find_map(s, pid, time, addr);
}

const struct v9_map *v9_syms_written(struct v9_syms *s, uint32_t pid, uint64_t time,
				     uint64_t addr, const struct v9_map *m)
{
	struct v9_space *sp = space_at(s, pid, time);
	const struct v9_map *first = NULL;

	for (unsigned int depth = 0; sp && depth < 64; depth++) {
		for (size_t i = 0; i < sp->nr_writes; i++) {
			const struct v9_map *w = &sp->writes[i];

			if (w->end > addr && w->time <= time && same_bytes(w, m) &&
			    (!first || w->start < first->start))
				first = w;
		}
		if (sp->parent == V9_NO_SPACE || map_in(sp, addr, time))
			break;
		if (sp->time < time)
			time = sp->time;
		sp = &s->spaces[sp->parent];
	}
	return first;
}

uint64_t v9_syms_kernel_shift(const struct v9_syms *s, const char *path)
{
	uint64_t linked;

	if (s->kernel_ref && v9_elf_symbol(path, s->kernel_ref_name, &linked))
		return s->kernel_ref - linked;
	return 0;
}

/* vmlinux has link-time addresses; KASLR adds the same offset to all of them. */
static bool load_vmlinux(struct v9_syms *s, struct v9_dso *d, const char *path)
{
	uint64_t shift;
	long n = v9_elf_load(d, path, s->strtab);

	if (n <= 0) {
		d->why = why_not(n);
		return false;
	}
	shift = v9_syms_kernel_shift(s, path);
	for (size_t i = 0; i < d->nr_funcs; i++) {
		d->funcs[i].start += shift;
		d->funcs[i].end += shift;
	}
	for (size_t i = 0; i < d->nr_objs; i++) {
		d->objs[i].start += shift;
		d->objs[i].end += shift;
	}
	v9_funcs_sort(d);
	return true;
}

/* Returns the offset of the running kernel from the addresses of the symbols in the capture. */
static uint64_t embedded_shift(const struct v9_syms *s)
{
	const struct v9_dso *kernel = s->dsos[0];

	if (!kernel->embedded_seg.addr)
		return 0;
	for (size_t i = 0; i < s->nr_spaces; i++)
		for (size_t k = 0; k < s->spaces[i].nr_maps; k++)
			if (s->spaces[i].maps[k].dso == kernel)
				return s->spaces[i].maps[k].start - kernel->embedded_seg.addr;
	return 0;
}

/* Copies of /proc/kallsyms in perf's cache and the like are of any boot of the same kernel. */
static void put_cached(struct v9_syms *s, struct v9_blob *out)
{
	struct v9_find find = { .syms = s, .dso = kernel_dso(s), .what = V9_FIND_KALLSYMS };
	const char *path;

	while (!out->len && (path = v9_find_next(&find))) {
		size_t len;
		char *text = v9_read_file(path, &len);

		if (text && v9_kallsyms_usable(text, len))
			put_moved(s, out, text, len);
		free(text);
	}
}

const char *v9_syms_kernel_text(struct v9_syms *s, struct v9_blob *text)
{
	const struct pd_code_part *part;
	const uint8_t *bytes;

	part = v9_embedded_part(&s->embedded, PD_CODE_KALLSYMS, 0, &bytes);
	if (part && v9_kallsyms_usable((const char *)bytes, part->size))
		v9_blob_put(text, bytes, part->size);
	else
		put_cached(s, text);
	return text->len ? NULL : v9_running_kallsyms(s, text);
}

static bool kernel_debug_file(struct v9_syms *s, struct v9_dso *d)
{
	struct v9_find find = { .syms = s, .dso = d, .what = V9_FIND_SYMBOLS };
	const char *path;

	while ((path = v9_find_next(&find)))
		if (load_vmlinux(s, d, path))
			return true;
	return false;
}

static void load_kernel(struct v9_syms *s)
{
	struct v9_dso *d = kernel_dso(s);
	struct v9_blob text = { 0 };
	const char *why;

	if (d->loaded)
		return;
	d->loaded = true;
	if (s->opts.kallsyms) {
		size_t len;
		char *text = v9_read_file(s->opts.kallsyms, &len);

		d->why = "the file of --kallsyms cannot be read";
		if (!text)
			v9_warn("%s: %s", s->opts.kallsyms, strerror(errno));
		else
			moved_kallsyms(s, text, len);
		free(text);
		return;
	}
	if (s->opts.vmlinux) {
		if (!load_vmlinux(s, d, s->opts.vmlinux))
			v9_warn("%s: %s", s->opts.vmlinux, d->why);
		return;
	}
	/* Symbols of simpleperf are in the capture, too; the running kernel's come after them. */
	if (s->embedded_kallsyms &&
	    v9_syms_kallsyms(s, s->embedded_kallsyms, s->embedded_kallsyms_len))
		return;
	use_embedded(d, embedded_shift(s));
	if (d->nr_funcs)
		return;
	why = v9_syms_kernel_text(s, &text);
	if (!why)
		v9_syms_kallsyms(s, (const char *)text.data, text.len);
	else
		d->why = why;
	v9_blob_free(&text);
	if (d->nr_funcs)
		return;
	why = d->why;
	if (!kernel_debug_file(s, d))
		d->why = why;
}

bool v9_func_is(const struct v9_func *func, const char *name)
{
	const size_t n = strlen(name);

	return !strcmp(func->name, name) || (func->linkage && !strcmp(func->linkage, name)) ||
	       (n && !strncmp(func->name, name, n) && func->name[n] == '(');
}

const struct v9_func *v9_dso_func(const struct v9_dso *d, uint64_t addr)
{
	const size_t n = v9_first_entries(i, d->nr_funcs, d->funcs[i].start <= addr);

	return n && addr < d->funcs[n - 1].end ? &d->funcs[n - 1] : NULL;
}

uint64_t v9_dso_address(const struct v9_dso *d, uint64_t offset)
{
	for (unsigned int i = 0; i < d->nr_segs; i++)
		if (offset - d->segs[i].offset < d->segs[i].size)
			return offset - d->segs[i].offset + d->segs[i].addr;
	return offset;
}

void v9_syms_load(struct v9_syms *s, struct v9_dso *d)
{
	if (d == kernel_dso(s))
		load_kernel(s);
	else if (!d->loaded)
		load_user(s, d);
}

static void find_in(struct v9_syms *s, const struct v9_map *m, uint64_t addr, struct v9_place *place)
{
	if (!m->dso->loaded)
		load_user(s, m->dso);
	v9_map_place(m, addr, place);
}

const struct v9_map *v9_syms_sole_map(struct v9_syms *s, uint32_t pid, uint64_t time, uint64_t addr)
{
	struct v9_space *sp = addr & V9_KERNEL_HALF ? NULL : space_at(s, pid, time);
	const struct v9_map *m = sp && !sp->map_layers.nr && !sp->nr_jits ? file_in(sp, addr, time) : NULL;

	return m && m->dso->loaded && !m->dso->anonymous ? m : NULL;
}

void v9_map_place(const struct v9_map *m, uint64_t addr, struct v9_place *place)
{
	place->dso = m->dso;
	place->dso_name = m->dso->name;
	place->offset = v9_dso_address(m->dso, addr - m->start + m->pgoff);
	place->func = v9_dso_func(m->dso, place->offset);
	if (place->func)
		place->offset -= place->func->start;
}

static void find_kernel(struct v9_syms *s, uint64_t time, uint64_t addr, struct v9_place *place)
{
	struct v9_dso *kernel = kernel_dso(s);
	const struct v9_map *m;
	bool newest;

	m = v9_syms_bpf(s, time, addr, &newest);
	if (m) {
		find_in(s, m, addr, place);
		return;
	}
	load_kernel(s);
	place->dso = kernel;
	place->dso_name = kernel->name;
	place->offset = addr;
	place->func = v9_dso_func(kernel, addr);
	if (place->func) {
		place->offset = addr - place->func->start;
		if (place->func->dso)
			place->dso_name = place->func->dso;
		return;
	}
	m = find_map(s, V9_KERNEL_PID, time, addr);
	if (m) {
		place->dso = m->dso;
		place->dso_name = m->dso->name;
	}
}

static struct v9_dso *perf_map_of(struct v9_syms *s, uint32_t pid)
{
	if (!s->perf_map_sought || s->perf_map_pid != pid)
		s->perf_map = v9_perf_map(s, pid);
	s->perf_map_sought = true;
	s->perf_map_pid = pid;
	return s->perf_map;
}

void v9_syms_find(struct v9_syms *s, uint32_t pid, uint64_t time, uint64_t addr,
		  struct v9_place *place)
{
	const struct v9_map *m;

	*place = (struct v9_place){ .dso_name = "[unknown]", .offset = addr };
	if (addr & V9_KERNEL_HALF) {
		find_kernel(s, time, addr, place);
		return;
	}
	m = find_map(s, pid, time, addr);
	if (!m || m->dso->anonymous) {
		struct v9_dso *d = perf_map_of(s, pid);

		place->func = d ? v9_dso_func(d, addr) : NULL;
		if (place->func) {
			place->dso = d;
			place->dso_name = d->name;
			place->offset = addr - place->func->start;
			return;
		}
	}
	if (m)
		find_in(s, m, addr, place);
}

struct v9_dso *v9_syms_linked(struct v9_syms *s, uint32_t pid, uint64_t time, uint64_t addr, uint64_t *linked)
{
	const struct v9_map *m = addr & V9_KERNEL_HALF ? NULL : find_map(s, pid, time, addr);
	struct v9_place p;

	if (m && !m->dso->anonymous) {
		v9_syms_load(s, m->dso);
		*linked = v9_dso_address(m->dso, addr - m->start + m->pgoff);
		return m->dso;
	}
	v9_syms_find(s, pid, time, addr, &p);
	*linked = p.dso ? (p.func ? p.func->start : 0) + p.offset : addr;
	return p.dso;
}

size_t v9_epochs_at(struct v9_epochs *e, uint64_t time)
{
	const uint64_t *changes = e->syms->changes;

	/* Records without a time have the greatest one. */
	if (time >= e->from && (time < e->to || e->to == UINT64_MAX))
		return e->epoch;
	e->epoch = v9_first_entries(i, e->syms->nr_changes, changes[i] <= time);
	e->from = e->epoch ? changes[e->epoch - 1] : 0;
	e->to = e->epoch < e->syms->nr_changes ? changes[e->epoch] : UINT64_MAX;
	return e->epoch;
}

void v9_syms_free(struct v9_syms *s)
{
	for (size_t i = 0; i < s->nr_dsos; i++) {
		free(s->dsos[i]->funcs);
		free(s->dsos[i]->objs);
		free(s->dsos[i]->embedded);
		free(s->dsos[i]->lines);
		free(s->dsos[i]->own);
		free(s->dsos[i]);
	}
	for (size_t i = 0; i < s->nr_spaces; i++) {
		free(s->spaces[i].maps);
		free(s->spaces[i].writes);
		free(s->spaces[i].datas);
		free(s->spaces[i].jits);
		v9_layers_free(&s->spaces[i].map_layers);
		v9_layers_free(&s->spaces[i].jit_layers);
	}
	free(s->bpf);
	free(s->embedded_kallsyms);
	v9_strtab_free(&s->by_id);
	v9_embedded_close(&s->embedded);
	v9_tar_close(&s->archive);
	free(s->dsos);
	free(s->events);
	free(s->spaces);
	free(s->changes);
	memset(s, 0, sizeof(*s));
}
