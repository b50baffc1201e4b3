// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../collect/spec.h"
#include "../util.h"
#include "counters.h"

const char *const v9_counter_name[V9_COUNTERS] = {
	"interrupts", "bytes", "padding", "dropped", "truncated", "partial", "collisions", "early",
	"full", "triggered", "lost", "faults", "aborts", "fatal", "spurious", "throttled",
	"throttled_ns", "paused", "frozen", "empty", "stale", "run_on", "saturated", "missed",
	"foreign", "limited", "switches", "handler_ns", "longest_ns",
};

static char *read_of(const char *pmu, const char *dir, unsigned int c)
{
	char *path = v9_format("%s/%s/%s/%s", v9_pmu_root, pmu, dir, v9_counter_name[c]);
	char *text = v9_read_file(path, NULL);

	free(path);
	return text;
}

/* The counters of a CPU, added if there are none. */
static struct v9_counts *row_of(struct v9_counted *p, int cpu)
{
	for (unsigned int i = 0; i < p->cpus; i++)
		if (p->cpu[i].cpu == cpu)
			return &p->cpu[i];
	p->cpu = v9_realloc(p->cpu, (p->cpus + 1) * sizeof(*p->cpu));
	p->cpu[p->cpus] = (struct v9_counts){ .cpu = cpu };
	return &p->cpu[p->cpus++];
}

/* Lines "CPU VALUE" */
static void read_cpus(struct v9_counted *p, unsigned int c)
{
	char *text = read_of(p->name, "per_cpu", c), *line = text;

	while (line && *line) {
		char *end;
		long cpu = strtol(line, &end, 10);
		struct v9_counts *row;

		if (end == line || cpu < 0)
			break;
		row = row_of(p, (int)cpu);
		row->value[c] = strtoull(end, &line, 10);
		row->has |= 1u << c;
		while (*line == '\n')
			line++;
	}
	free(text);
}

/* Returns true if the PMU has counters. Sets *@denied if reading failed with EACCES. */
static bool read_pmu(const char *name, struct v9_counted *p, bool *denied)
{
	*p = (struct v9_counted){ .all.cpu = -1 };
	p->name = v9_strdup(name);
	for (unsigned int c = 0; c < V9_COUNTERS; c++) {
		char *text = read_of(name, "stats", c);

		if (!text) {
			*denied |= errno == EACCES;
			continue;
		}
		p->all.has |= 1u << c;
		p->all.value[c] = strtoull(text, NULL, 10);
		free(text);
		read_cpus(p, c);
	}
	return p->all.has;
}

static void forget(struct v9_counted *p)
{
	free(p->name);
	free(p->cpu);
}

static bool is_wanted(const char *name, char **names, int named)
{
	for (int i = 0; i < named; i++)
		if (!strcmp(names[i], name))
			return true;
	return !named;
}

int v9_count(struct v9_counted **list, unsigned int *n, char **names, int named)
{
	struct dirent **entry;
	int entries = scandir(v9_pmu_root, &entry, NULL, alphasort);
	bool denied = false;

	*list = NULL;
	*n = 0;
	for (int i = 0; i < entries; i++) {
		const char *name = entry[i]->d_name;

		if (name[0] != '.' && is_wanted(name, names, named)) {
			*list = v9_realloc(*list, (*n + 1) * sizeof(**list));
			if (read_pmu(name, &(*list)[*n], &denied))
				(*n)++;
			else
				forget(&(*list)[*n]);
		}
		free(entry[i]);
	}
	if (entries >= 0)
		free(entry);
	for (int i = 0; i < named; i++) {
		if (v9_counted_find(*list, *n, names[i]))
			continue;
		if (denied)
			goto denied;
		v9_error("%s: no such PMU, or it is not driven by v9_spe, v9_ete or v9_brbe", names[i]);
		goto failed;
	}
	if (!*n && denied)
		goto denied;
	if (!*n) {
		v9_error("no PMU of v9_spe, v9_ete or v9_brbe is here (are the modules loaded?)");
		goto failed;
	}
	return 0;
denied:
	v9_error("the counters show what other users record: CAP_PERFMON is required");
failed:
	v9_counted_free(*list, *n);
	*list = NULL;
	*n = 0;
	return -1;
}

void v9_counted_free(struct v9_counted *list, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		forget(&list[i]);
	free(list);
}

const struct v9_counted *v9_counted_find(const struct v9_counted *list, unsigned int n,
					 const char *name)
{
	for (unsigned int i = 0; i < n; i++)
		if (!strcmp(list[i].name, name))
			return &list[i];
	return NULL;
}

static const struct v9_counts *same_cpu(const struct v9_counted *p, int cpu)
{
	if (!p || cpu < 0)
		return p ? &p->all : NULL;
	for (unsigned int i = 0; i < p->cpus; i++)
		if (p->cpu[i].cpu == cpu)
			return &p->cpu[i];
	return NULL;
}

void v9_counts_since(struct v9_counts *n, const struct v9_counts *after,
		     const struct v9_counted *before)
{
	const struct v9_counts *then = same_cpu(before, after->cpu);

	*n = *after;
	for (unsigned int c = 0; then && c < V9_COUNTER_LONGEST; c++)
		if (then->value[c] <= n->value[c])
			n->value[c] -= then->value[c];
}

bool v9_counts_any(const struct v9_counts *n)
{
	for (unsigned int c = 0; c < V9_COUNTER_LONGEST; c++)
		if (n->value[c])
			return true;
	return false;
}
