// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#ifndef _GNU_SOURCE
#define _GNU_SOURCE	/* strsep() */
#endif
#include "names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <v9trace/base.h>

#include "../capture/data.h"
#include "../lib/spe_text.h"
#include "../util.h"

#define OBJECTS_MOST	4096		/* then all is read again, so that memory does not grow for ever */
#define LINES_MOST	(1u << 18)
#define TEXTS_MOST	(1u << 19)

/* A source line that was looked up */
struct known_line {
	uint64_t key[2];		/* object, address */
	const char *name;
};

/* A mapping that a process has now */
struct data_map {
	uint64_t start, end, offset;
	const char *name;		/* "": memory without a file */
	struct v9_dso *dso;		/* NULL: none, or it was not asked for */
};

struct process {
	uint64_t pid;
	const char *comm;
	struct data_map *map;
	size_t nr;
};

static const char *keep(struct v9_top_names *n, const char *s)
{
	return v9_strtab_put(&n->strtab, s, strlen(s));
}

static void begin(struct v9_top_names *n)
{
	const struct v9_syms_opts opts = { .objects = true, .symfs = n->symfs };

	v9_syms_init(&n->syms, &n->strtab, &opts);
	v9_lines_init(&n->lines, &n->syms);
	v9_bins_init(&n->known, sizeof(struct known_line));
	n->begun = true;
}

static void forget_processes(struct v9_top_names *n)
{
	for (size_t i = 0; i < n->processes.used; i++)
		free(((struct process *)v9_bins_get(&n->processes, i))->map);
	v9_bins_clear(&n->processes);
}

static void end(struct v9_top_names *n)
{
	if (!n->begun)
		return;
	v9_lines_free(&n->lines);
	v9_syms_free(&n->syms);
	v9_strtab_free(&n->strtab);
	v9_bins_free(&n->known);
	n->begun = false;
}

void v9_top_names_init(struct v9_top_names *n, const char *proc, const char *symfs)
{
	*n = (struct v9_top_names){ .proc = proc, .symfs = symfs };
	v9_bins_init(&n->processes, sizeof(struct process));
}

void v9_top_names_free(struct v9_top_names *n)
{
	end(n);
	forget_processes(n);
	v9_bins_free(&n->processes);
	free(n->dso);
	n->dso = NULL;
}

/* A module that was loaded has new symbols and a mapping. */
static bool is_stale(const struct v9_top_names *n, const struct v9_live_copy *s)
{
	return n->nr_kernel != s->nr_kernel || n->syms.nr_dsos > OBJECTS_MOST || n->known.used > LINES_MOST ||
	       n->strtab.used > TEXTS_MOST;
}

static void map_kernel(struct v9_top_names *n, const struct v9_live_copy *s)
{
	for (size_t i = 0; i < s->nr_kernel; i++) {
		const struct v9_live_map *m = &s->kernel[i];
		const struct v9_live_object *o = &s->objects[m->object];

		v9_syms_map(&n->syms, 0, V9_KERNEL_PID, m->start, m->end - m->start, m->pgoff, V9_MAP_EXEC,
			    o->name, strlen(o->name) + 1, o->id_size ? o->id : NULL, o->id_size);
	}
	v9_syms_seal(&n->syms);
	n->nr_kernel = s->nr_kernel;
}

void v9_top_names_begin(struct v9_top_names *n, const struct v9_live_copy *s, enum v9_top_by by)
{
	if (n->begun && is_stale(n, s))
		end(n);
	if (!n->begun) {
		begin(n);
		map_kernel(n, s);
	}
	forget_processes(n);
	n->dso = v9_realloc(n->dso, (s->nr_objects + 1) * sizeof(*n->dso));
	memset(n->dso, 0, (s->nr_objects + 1) * sizeof(*n->dso));
	n->state = s;
	n->by = by;
}

/* ---- code */

static struct v9_dso *object_of(struct v9_top_names *n, size_t i)
{
	const struct v9_live_object *o = &n->state->objects[i];

	if (!n->dso[i] && o->file) {
		n->dso[i] = v9_syms_object(&n->syms, keep(n, o->name), o->id_size ? o->id : NULL, o->id_size);
		v9_syms_load(&n->syms, n->dso[i]);
	}
	return n->dso[i];
}

static void find(struct v9_top_names *n, const struct v9_live_sum *s, struct v9_place *place, uint64_t *linked)
{
	const size_t i = s->object - V9_LIVE_KERNEL - 1;

	*place = (struct v9_place){ .dso_name = "[unknown]", .offset = s->addr };
	*linked = s->addr;
	if (s->object == V9_LIVE_UNKNOWN)
		return;
	if (s->object == V9_LIVE_KERNEL) {
		v9_syms_find(&n->syms, V9_KERNEL_PID, 0, s->addr, place);
		return;
	}
	if (i >= n->state->nr_objects || !n->state->objects[i].name)
		return;
	place->dso = object_of(n, i);
	place->dso_name = n->state->objects[i].name;
	if (!place->dso)
		return;
	*linked = v9_dso_address(place->dso, s->addr);
	place->func = v9_dso_func(place->dso, *linked);
}

static const char *line_of(struct v9_top_names *n, const struct v9_place *place, uint64_t linked)
{
	const uint64_t key[2] = { (uintptr_t)place->dso, linked };
	struct known_line *k = v9_bins_at(&n->known, key, V9_ARRAY_SIZE(key));
	struct v9_src_line line;
	char *text;

	if (k->name)
		return k->name;
	k->name = "[unknown]";
	if (!place->dso || !v9_lines_find(&n->lines, place->dso, linked, &line) || !line.line)
		return k->name;
	text = v9_format("%s:%u", v9_base_name(line.file), line.line);
	k->name = keep(n, text);
	free(text);
	return k->name;
}

static void of_code(struct v9_top_names *n, const struct v9_live_sum *s, struct v9_top_place *place)
{
	struct v9_place at;
	uint64_t linked;

	find(n, s, &at, &linked);
	place->object = keep(n, *at.dso_name == '/' ? v9_base_name(at.dso_name) : at.dso_name);
	if (n->by == V9_TOP_OBJECT)
		place->name = keep(n, at.dso_name);
	else if (n->by == V9_TOP_SRCLINE)
		place->name = line_of(n, &at, linked);
	else
		place->name = at.func ? at.func->name : "[unknown]";
	place->key[0] = (uintptr_t)keep(n, at.dso_name);
	place->key[1] = n->by == V9_TOP_FUNCTION ? (uintptr_t)at.func :
			n->by == V9_TOP_SRCLINE ? (uintptr_t)place->name : 0;
}

/* ---- data */

static void read_maps(struct v9_top_names *n, struct process *p)
{
	char *path = v9_format("%s/%" PRIu64 "/maps", n->proc, p->pid), *text = v9_read_file(path, NULL), *rest = text, *line;

	free(path);
	while (rest && (line = strsep(&rest, "\n"))) {
		struct data_map m = { .dso = NULL };
		int at = 0;

		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %n", &m.start, &m.end, &m.offset,
			   &at) < 3 || !at)
			continue;
		m.name = keep(n, line + at);
		*v9_vec_add(p->map, p->nr) = m;
	}
	free(text);
}

static struct process *process_of(struct v9_top_names *n, uint64_t pid)
{
	struct process *p = v9_bins_at(&n->processes, &pid, 1);
	char *path, *comm;

	if (p->comm)
		return p;
	path = v9_format("%s/%" PRIu64 "/comm", n->proc, pid);
	comm = v9_read_line(path);
	free(path);
	path = v9_format("%s-%" PRIu64, comm ? comm : "[ended]", pid);
	p->comm = keep(n, path);
	free(path);
	free(comm);
	read_maps(n, p);
	return p;
}

/* The object of that name whose code was sampled, as its build-id is known; else what the file is now */
static struct v9_dso *object_named(struct v9_top_names *n, const char *name)
{
	struct v9_dso *d;

	for (size_t i = 0; i < n->state->nr_objects; i++)
		if (n->state->objects[i].name && !strcmp(n->state->objects[i].name, name))
			return object_of(n, i);
	d = v9_syms_object(&n->syms, name, NULL, 0);
	v9_syms_load(&n->syms, d);
	return d;
}

/* The variable at an address of a mapping of a file, or of the memory behind it that is the file's .bss */
static const struct v9_func *variable_of(struct v9_top_names *n, struct process *p, size_t i, uint64_t addr)
{
	struct data_map *m;

	if (!*p->map[i].name && i && p->map[i - 1].end == p->map[i].start)
		i--;
	m = &p->map[i];
	if (*m->name != '/')
		return NULL;
	if (!m->dso)
		m->dso = object_named(n, m->name);
	return m->dso ? v9_dso_object(m->dso, addr - m->start + v9_dso_address(m->dso, m->offset)) : NULL;
}

/* The variables in a cache line: the first one that is there */
static void of_data(struct v9_top_names *n, const struct v9_live_sum *s, struct v9_top_place *place)
{
	const struct v9_func *var = NULL;
	struct process *p;
	size_t i;

	if (s->line & V9_KERNEL_HALF) {
		v9_syms_load(&n->syms, n->syms.dsos[0]);
		for (unsigned int at = 0; at < V9_LIVE_LINE && !var; at += 8)
			var = v9_dso_object(n->syms.dsos[0], s->line + at);
		*place = (struct v9_top_place){ { 0, (uintptr_t)var }, "[kernel]", var ? var->name : "[unknown]" };
		return;
	}
	if (s->pid == V9_NO_TASK) {
		*place = (struct v9_top_place){ { 1, 0 }, "[unknown]", "[unknown]" };
		return;
	}
	p = process_of(n, s->pid);
	place->object = p->comm;
	place->name = "[unknown]";
	i = v9_first_entries(k, p->nr, p->map[k].start <= s->line);
	if (i && s->line < p->map[i - 1].end) {
		for (unsigned int at = 0; at < V9_LIVE_LINE && !var; at += 8)
			var = variable_of(n, p, i - 1, s->line + at);
		place->name = var ? var->name : *p->map[i - 1].name ? p->map[i - 1].name : "[anon]";
	}
	place->key[0] = s->pid;
	place->key[1] = var ? (uintptr_t)var : (uintptr_t)place->name;
}

void v9_top_place_of(void *names, const struct v9_live_sum *sum, struct v9_top_place *place)
{
	struct v9_top_names *n = names;

	if (n->by == V9_TOP_DATA)
		of_data(n, sum, place);
	else
		of_code(n, sum, place);
}

void v9_top_class_of(void *names, const struct v9_live_class *class, struct v9_top_place *place)
{
	const unsigned int set = class->what == V9_LIVE_SOURCE ? v9_spe_source_set(class->midr) : 0;
	const uint64_t of = class->of;
	const char *name = NULL;
	char text[64];

	if (of == V9_LIVE_NONE)
		snprintf(text, sizeof(text), "[none]");
	else if (class->what == V9_LIVE_SOURCE)
		snprintf(text, sizeof(text), "source %#" PRIx64 " of MIDR %#" PRIx64, of, class->midr);
	else if (of <= 1)
		snprintf(text, sizeof(text), "%" PRIu64, of);
	else
		snprintf(text, sizeof(text), "%u to %u", 1u << (of - 1), (1u << of) - 1);
	if (class->what == V9_LIVE_SOURCE && of != V9_LIVE_NONE)
		name = v9_spe_source_text(set, (uint16_t)of);
	name = keep(names, name ? name : text);
	*place = (struct v9_top_place){ { class->what == V9_LIVE_SOURCE ? (uintptr_t)name : 0, of }, "", name };
	/* CPU types of one name are one row. */
	if (class->what == V9_LIVE_SOURCE)
		place->key[1] = 0;
}
