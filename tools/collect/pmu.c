// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Description of PMUs in sysfs */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../util.h"
#include "spec.h"

const char *v9_pmu_root = "/sys/bus/event_source/devices";
const char *v9_cpu_root = "/sys/devices/system/cpu";

static char *pmu_line(const char *pmu, const char *file)
{
	char *path = v9_format("%s/%s/%s", v9_pmu_root, pmu, file);
	char *line = v9_read_line(path);

	free(path);
	return line;
}

bool v9_pmu_exists(const char *name)
{
	char *type = pmu_line(name, "type");
	const bool exists = type;

	free(type);
	return exists;
}

/* The names in a directory, sorted and separated by spaces */
static char *names_in(const char *dir)
{
	struct v9_blob b = { 0 };
	struct dirent **entry;
	int n = scandir(dir, &entry, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		if (entry[i]->d_name[0] != '.') {
			if (b.len)
				v9_blob_put(&b, " ", 1);
			v9_blob_put(&b, entry[i]->d_name, strlen(entry[i]->d_name));
		}
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
	v9_blob_zero(&b, 1);
	return (char *)b.data;
}

static int no_pmu(const char *name)
{
	const struct v9_aux_kind *aux = v9_aux_find(name);
	char *there = names_in(v9_pmu_root);

	if (aux)
		v9_error("%s: %s", name, aux->absent);
	else
		v9_error("%s: no such PMU; this machine has: %s", name, *there ? there : "none");
	free(there);
	return -ENODEV;
}

static void read_fields(struct v9_perf_pmu *pmu)
{
	char *dir = v9_format("%s/%s/format", v9_pmu_root, pmu->name);
	char *names = names_in(dir), *save = NULL;

	for (char *name = strtok_r(names, " ", &save); name; name = strtok_r(NULL, " ", &save)) {
		struct v9_ev_field field;
		char *path = v9_format("%s/%s", dir, name);
		char *text = v9_read_line(path);

		free(path);
		if (!text || strlen(name) >= sizeof(field.name) || v9_ev_field_parse(text, &field)) {
			/* Not an error here: some PMUs have options of other formats. */
			free(text);
			continue;
		}
		free(text);
		strcpy(field.name, name);
		pmu->field = v9_realloc(pmu->field, (pmu->fields + 1) * sizeof(field));
		pmu->field[pmu->fields++] = field;
	}
	free(names);
	free(dir);
}

int v9_pmu_open(const char *name, struct v9_perf_pmu *pmu)
{
	char *type = pmu_line(name, "type");

	if (!type)
		return no_pmu(name);
	*pmu = (struct v9_perf_pmu){ .type = strtoul(type, NULL, 10) };
	free(type);
	snprintf(pmu->name, sizeof(pmu->name), "%s", name);
	pmu->cpumask = pmu_line(name, "cpumask");
	if (!pmu->cpumask)
		pmu->cpumask = pmu_line(name, "cpus");
	read_fields(pmu);
	return 0;
}

void v9_pmu_close(struct v9_perf_pmu *pmu)
{
	free(pmu->field);
	free(pmu->cpumask);
	*pmu = (struct v9_perf_pmu){ 0 };
}

const struct v9_ev_field *v9_pmu_field(const struct v9_perf_pmu *pmu, const char *name)
{
	for (int i = 0; i < pmu->fields; i++)
		if (!strcmp(pmu->field[i].name, name))
			return &pmu->field[i];
	return NULL;
}

bool v9_pmu_has(const struct v9_perf_pmu *pmu, const char *file)
{
	char *path = v9_format("%s/%s/%s", v9_pmu_root, pmu->name, file);
	const bool is = !access(path, F_OK);

	free(path);
	return is;
}

uint64_t v9_pmu_cap(const struct v9_perf_pmu *pmu, const char *cap, uint64_t otherwise)
{
	char *text = pmu_line(pmu->name, cap);
	uint64_t v = text ? strtoull(text, NULL, 0) : 0;

	free(text);
	return v ? v : otherwise;
}

const char *v9_tracefs_root(void)
{
	static const char * const places[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };

	for (int i = 0; i < 2; i++) {
		char *path = v9_format("%s/events", places[i]);
		bool there = !access(path, F_OK) || errno == EACCES;

		free(path);
		if (there)
			return places[i];
	}
	return NULL;
}
