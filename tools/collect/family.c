// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "family.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "../util.h"

#define BORN	22	/* field of /proc/PID/stat, from 1; the name in brackets is the second one */
#define ROOM	64	/* processes that are not looked at before there are more */

uint64_t v9_task_born(const char *stat)
{
	const char *at = strrchr(stat, ')');
	uint64_t born;

	for (int field = 2; at && field < BORN; field++) {
		at = strchr(at, ' ');
		at = at ? at + 1 : NULL;
	}
	return at && v9_take_number(&at, 10, UINT64_MAX, &born) && (*at == ' ' || !*at) ? born : 0;
}

/* Calls @take with each thread of a process. */
static void each_thread(const struct v9_family *f, int pid, void (*take)(void *arg, int tid), void *arg)
{
	char *path = v9_format("%s/%d/task", f->proc, pid);
	DIR *d = opendir(path);
	const struct dirent *entry;

	free(path);
	while (d && (entry = readdir(d)) != NULL)
		if (isdigit((unsigned char)entry->d_name[0]))
			take(arg, atoi(entry->d_name));
	if (d)
		closedir(d);
}

static void count_thread(void *arg, int tid)
{
	(void)tid;
	++*(int *)arg;
}

/* Returns 0 if the task has ended. A process may go on without its first thread, which is a zombie then. */
static uint64_t born(const struct v9_family *f, int id)
{
	char *path = v9_format("%s/%d/stat", f->proc, id), *line = v9_read_line(path);
	const char *state = line ? strrchr(line, ')') : NULL;
	uint64_t ticks = line ? v9_task_born(line) : 0;
	int threads = 0;

	if (ticks && (state[2] == 'Z' || state[2] == 'X')) {
		if (!f->threads)
			each_thread(f, id, count_thread, &threads);
		ticks = threads > 1 ? ticks : 0;
	}
	free(path);
	free(line);
	return ticks;
}

static void add_member(struct v9_family *f, int id)
{
	f->member = v9_realloc(f->member, ((size_t)f->n + 1) * sizeof(*f->member));
	f->member[f->n++] = (struct v9_member){ .id = id, .born = born(f, id) };
}

void v9_family_begin(struct v9_family *f, const char *proc, const int *id, int n, bool threads)
{
	*f = (struct v9_family){ .proc = proc, .threads = threads, .look = ROOM };
	for (int i = 0; i < n; i++)
		add_member(f, id[i]);
	f->named = n;
}

void v9_family_free(struct v9_family *f)
{
	free(f->member);
	*f = (struct v9_family){ .proc = f->proc };
}

static bool lives(const struct v9_family *f, const struct v9_member *m)
{
	const uint64_t now = born(f, m->id);

	return now && now == m->born;
}

void v9_family_drop(struct v9_family *f)
{
	int n = f->named;

	for (int i = f->named; i < f->n; i++)
		if (lives(f, &f->member[i]))
			f->member[n++] = f->member[i];
	f->n = n;
	f->look = 2 * n + ROOM;
}

void v9_family_add(struct v9_family *f, int pid)
{
	if (f->n >= f->look)
		v9_family_drop(f);
	add_member(f, pid);
	if (!f->member[f->n - 1].born)
		f->n--;		/* It has ended. */
}

bool v9_family_has(const struct v9_family *f, int id)
{
	for (int i = 0; i < f->n; i++)
		if (f->member[i].id == id && lives(f, &f->member[i]))
			return true;
	return false;
}

struct tids {
	int *tid, n;
};

static void add_tid(void *arg, int tid)
{
	struct tids *t = arg;

	t->tid = v9_realloc(t->tid, ((size_t)t->n + 1) * sizeof(*t->tid));
	t->tid[t->n++] = tid;
}

int v9_family_tasks(const struct v9_family *f, int **tid)
{
	struct tids t = { .tid = NULL };

	for (int i = 0; i < f->n; i++) {
		if (!lives(f, &f->member[i]))
			continue;
		if (f->threads)
			add_tid(&t, f->member[i].id);
		else
			each_thread(f, f->member[i].id, add_tid, &t);
	}
	*tid = t.tid;
	return t.n;
}
