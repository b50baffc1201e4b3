// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "cgroup.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <v9trace/base.h>

#include "../perfdata.h"
#include "../util.h"

#define FORKS_MOST	64	/* a damaged file may have a circle of parents */
#define CONTAINER_ID	64	/* hexadecimal digits */

void v9_cgroups_name(struct v9_cgroups *c, uint64_t id, const char *path, size_t n)
{
	struct v9_cgroup_name *to = v9_vec_add(c->names, c->nr_names);

	*to = (struct v9_cgroup_name){ .id = id, .path = v9_strtab_put(c->strtab, path, n),
				       .seq = c->nr_names };
}

void v9_cgroups_add(struct v9_cgroups *c, uint64_t time, uint32_t tid, enum v9_cgroup_how how,
		    uint64_t id)
{
	struct v9_cgroup_at *to = v9_vec_add(c->at, c->nr);

	*to = (struct v9_cgroup_at){ .time = time, .id = id, .tid = tid, .seq = (uint32_t)c->nr,
				     .how = how };
	c->nr_read += how == V9_CGROUP_READ;
	c->nr_sampled += how == V9_CGROUP_SAMPLED;
}

void v9_cgroups_section(struct v9_cgroups *c, const uint8_t *p, uint64_t size)
{
	struct pd_cgroups head;
	struct pd_cgroup row;

	if (size < sizeof(head))
		return;
	memcpy(&head, p, sizeof(head));
	if (head.version != PD_CGROUPS_VERSION)
		return;
	for (uint64_t i = 0, at = sizeof(head); i < head.count && size - at >= sizeof(row); i++) {
		memcpy(&row, p + at, sizeof(row));
		v9_cgroups_add(c, row.time, row.tid, V9_CGROUP_READ, row.id);
		at += sizeof(row);
	}
}

static int name_order(const void *a, const void *b)
{
	const struct v9_cgroup_name *x = a, *y = b;

	return x->id == y->id ? V9_ORDER(x->seq, y->seq) : V9_ORDER(x->id, y->id);
}

static int at_order(const void *a, const void *b)
{
	const struct v9_cgroup_at *x = a, *y = b;

	if (x->tid != y->tid)
		return V9_ORDER(x->tid, y->tid);
	return x->time == y->time ? V9_ORDER(x->seq, y->seq) : V9_ORDER(x->time, y->time);
}

/* Returns the path of a group, or a text with its id if no record has its path. */
static const char *path_of(const struct v9_cgroups *c, uint64_t id)
{
	const size_t n = v9_first_entries(i, c->nr_names, c->names[i].id <= id);
	char text[32];

	if (n && c->names[n - 1].id == id)
		return c->names[n - 1].path;
	snprintf(text, sizeof(text), "[cgroup %" PRIu64 "]", id);
	return v9_strtab_put(c->strtab, text, strlen(text));
}

/* Returns the first entry of the thread at @time or later; nr if there is none. */
static size_t first_from(const struct v9_cgroups *c, uint32_t tid, uint64_t time)
{
	return v9_first_entries(i, c->nr, c->at[i].tid < tid ||
					  (c->at[i].tid == tid && c->at[i].time < time));
}

static bool is_of(const struct v9_cgroups *c, size_t i, uint32_t tid)
{
	return i < c->nr && c->at[i].tid == tid;
}

/* Returns the entry valid at @time, or NULL: a sample after it, else the last one before it. */
static const struct v9_cgroup_at *entry(const struct v9_cgroups *c, uint32_t tid, uint64_t time)
{
	size_t i = first_from(c, tid, time);

	while (is_of(c, i, tid) && c->at[i].how != V9_CGROUP_SAMPLED && c->at[i].time == time)
		i++;
	if (is_of(c, i, tid) && c->at[i].how == V9_CGROUP_SAMPLED)
		return &c->at[i];
	return i && c->at[i - 1].tid == tid ? &c->at[i - 1] : NULL;
}

static const char *inherited(const struct v9_cgroups *c, const struct v9_cgroup_at *at, int depth)
{
	while (at && at->how == V9_CGROUP_FORKED && !at->path && depth--)
		at = entry(c, (uint32_t)at->id, at->time);
	return at ? at->path : NULL;
}

void v9_cgroups_seal(struct v9_cgroups *c)
{
	if (c->nr_names)
		qsort(c->names, c->nr_names, sizeof(*c->names), name_order);
	if (c->nr)
		qsort(c->at, c->nr, sizeof(*c->at), at_order);
	for (size_t i = 0; i < c->nr; i++)
		if (c->at[i].how != V9_CGROUP_FORKED)
			c->at[i].path = path_of(c, c->at[i].id);
	for (size_t i = 0; i < c->nr; i++)
		if (c->at[i].how == V9_CGROUP_FORKED)
			c->at[i].path = inherited(c, &c->at[i], FORKS_MOST);
}

const char *v9_cgroups_path(const struct v9_cgroups *c, uint32_t tid, uint64_t time)
{
	const struct v9_cgroup_at *at = entry(c, tid, time);

	return at ? at->path : NULL;
}

const char *v9_cgroups_only(const struct v9_cgroups *c, uint32_t tid)
{
	const size_t first = first_from(c, tid, 0);

	if (!is_of(c, first, tid))
		return NULL;
	/* Equal paths are equal pointers. */
	for (size_t i = first + 1; is_of(c, i, tid); i++)
		if (c->at[i].path != c->at[first].path)
			return NULL;
	return c->at[first].path;
}

static bool ends_in(const char *name, size_t n, const char *suffix)
{
	const size_t size = strlen(suffix);

	return n >= size && !memcmp(name + n - size, suffix, size);
}

/*
 * Returns the part of the innermost group that @part finds one in. @part returns it, and has the
 * length of the group's name in *size, then that of the part.
 */
static const char *innermost(const char *path, size_t *size,
			     const char *(*part)(const char *name, size_t *size))
{
	const char *found = NULL, *at;
	size_t n;

	*size = 0;
	while (*path) {
		n = strcspn(path, "/");
		at = part(path, &n);
		if (at) {
			found = at;
			*size = n;
		}
		path += strcspn(path, "/");
		path += *path == '/';
	}
	return found;
}

static const char scope[] = ".scope";

static const char *unit_in(const char *name, size_t *size)
{
	return ends_in(name, *size, ".service") || ends_in(name, *size, scope) ? name : NULL;
}

static const char *container_in(const char *name, size_t *size)
{
	const size_t n = *size - (ends_in(name, *size, scope) ? strlen(scope) : 0);
	const size_t before = n - CONTAINER_ID;
	const char *id = name + before;

	if (n < CONTAINER_ID || strspn(id, "0123456789abcdef") < CONTAINER_ID ||
	    (before && !ends_in(name, before, "-")) || ends_in(name, before, "conmon-"))
		return NULL;
	*size = CONTAINER_ID;
	return id;
}

const char *v9_cgroup_unit(const char *path, size_t *size)
{
	return innermost(path, size, unit_in);
}

const char *v9_cgroup_container(const char *path, size_t *size)
{
	return innermost(path, size, container_in);
}

bool v9_cgroup_within(const char *path, const char *group)
{
	const size_t n = strlen(group);

	if (!strcmp(group, "/"))
		return true;
	return !strncmp(path, group, n) && (!path[n] || path[n] == '/');
}

void v9_cgroups_free(struct v9_cgroups *c)
{
	free(c->at);
	free(c->names);
	c->at = NULL;
	c->names = NULL;
	c->nr = c->nr_names = 0;
}
