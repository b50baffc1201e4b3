// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "units.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../util.h"

const char *v9_driver_root = "";

const struct v9_driver_unit v9_units[V9_DRIVER_UNITS] = {
	{
		.name = "spe",
		.devices = { "Carm,statistical-profiling-extension-v1", "platform:arm,spe-v1",
			     "platform:v9_spe" },
		.ours = "v9_spe",
		.in_tree_driver = "arm_spe_pmu",
		.in_tree = { "arm_spe_pmu" },
		.load = { "arm_spe_pmu" },
	}, {
		.name = "ete",
		.devices = { "Carm,trace-buffer-extension", "platform:arm,trbe",
			     "platform:v9_ete" },
		.ours = "v9_ete",
		.in_tree_driver = "arm_trbe",
		/* coresight has the PMU's name, and etm4x the trace units. */
		.in_tree = { "coresight_trbe", "coresight_etm4x", "coresight" },
		.load = { "coresight", "coresight_etm4x", "coresight_trbe" },
	}, {
		.name = "brbe",
		.devices = { "platform:v9_brbe" },
		.ours = "v9_brbe",
		.in_tree_driver = "armv8_pmuv3",
	},
};

static bool exists(const char *fmt, const char *name)
{
	char *path = v9_format(fmt, v9_driver_root, name);
	bool found = !access(path, F_OK);

	free(path);
	return found;
}

bool v9_module_loaded(const char *name)
{
	/* What is built in has a directory if it has parameters, but no state. */
	return exists("%s/sys/module/%s/initstate", name);
}

/* Entries of a directory; calls @each with every name until it returns true. */
static bool any_entry(const char *path, bool (*each)(const char *name, void *arg), void *arg)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	bool found = false;

	while (dir && !found && (entry = readdir(dir)))
		found = entry->d_name[0] != '.' && each(entry->d_name, arg);
	if (dir)
		closedir(dir);
	return found;
}

static bool count_one(const char *name, void *arg)
{
	(void)name;
	++*(unsigned int *)arg;
	return false;
}

unsigned int v9_module_users(const char *name)
{
	char *path = v9_format("%s/sys/module/%s/refcnt", v9_driver_root, name);
	char *line = v9_read_line(path);
	unsigned long refs = line ? strtoul(line, NULL, 10) : 0;
	unsigned int holders = 0;

	free(line);
	free(path);
	path = v9_format("%s/sys/module/%s/holders", v9_driver_root, name);
	any_entry(path, count_one, &holders);
	free(path);
	return refs > holders ? (unsigned int)(refs - holders) : 0;
}

struct holder {
	const char *const *but;
	char *name;
};

static bool take_holder(const char *name, void *arg)
{
	struct holder *h = arg;

	for (const char *const *b = h->but; *b; b++)
		if (!strcmp(*b, name))
			return false;
	h->name = v9_strdup(name);
	return true;
}

char *v9_module_holder(const char *name, const char *const *but)
{
	struct holder h = { .but = but };
	char *path = v9_format("%s/sys/module/%s/holders", v9_driver_root, name);

	any_entry(path, take_holder, &h);
	free(path);
	return h.name;
}

struct search {
	const struct v9_driver_unit *unit;
	struct v9_driver_state *state;
};

static bool has_part(const char *text, const char *const *parts)
{
	for (; *parts; parts++)
		if (strstr(text, *parts))
			return true;
	return false;
}

/* Looks at one device of the platform bus. True once one with a driver is found. */
static bool look_at_device(const char *name, void *arg)
{
	const struct search *s = arg;
	char target[4096], *path, *alias;
	ssize_t n = -1;

	path = v9_format("%s/sys/bus/platform/devices/%s/modalias", v9_driver_root, name);
	alias = v9_read_line(path);
	free(path);
	if (alias && has_part(alias, s->unit->devices)) {
		s->state->present = true;
		path = v9_format("%s/sys/bus/platform/devices/%s/driver", v9_driver_root, name);
		n = readlink(path, target, sizeof(target) - 1);
		free(path);
	}
	free(alias);
	if (n < 0)
		return false;
	target[n] = '\0';
	s->state->driver_name = v9_strdup(strrchr(target, '/') ? strrchr(target, '/') + 1 : target);
	s->state->driver = !strcmp(s->state->driver_name, s->unit->ours) ? V9_DRIVER_OURS :
			   !strcmp(s->state->driver_name, s->unit->in_tree_driver) ?
			   V9_DRIVER_IN_TREE : V9_DRIVER_OTHER;
	return true;
}

/* Takes @name as the in-tree driver of BRBE if it is a CPU PMU with branch records. */
static bool look_at_pmu(const char *name, void *arg)
{
	const struct search *s = arg;
	char *path, *line;
	bool has;

	if (strncmp(name, s->unit->in_tree_driver, strlen(s->unit->in_tree_driver)))
		return false;
	path = v9_format("%s/sys/bus/event_source/devices/%s/caps/branches", v9_driver_root, name);
	line = v9_read_line(path);
	has = line && atoi(line) > 0;
	free(line);
	free(path);
	if (!has)
		return false;
	s->state->present = true;
	s->state->driver = V9_DRIVER_IN_TREE;
	s->state->driver_name = v9_strdup(name);
	s->state->built_in = true;
	s->state->in_tree_available = true;
	return true;
}

/* Is the file of module @name in @list, modules.dep or modules.builtin of the running kernel? */
static bool listed(const char *list, const char *name)
{
	struct utsname uts;
	char *path, *text, *file;
	bool found = false;

	if (uname(&uts))
		return false;
	path = v9_format("%s/lib/modules/%s/%s", v9_driver_root, uts.release, list);
	text = v9_read_file(path, NULL);
	free(path);
	if (!text)
		return false;
	file = v9_format("%s.ko", name);
	for (const char *at = text; *at && !found; ) {
		size_t path_len = strcspn(at, ":\n"), from = path_len, len = strlen(file);

		while (from && at[from - 1] != '/')
			from--;
		/* Files have either sign in their names; modules have '_'. */
		found = true;
		for (size_t i = 0; found && i < len; i++)
			found = file[i] == (at[from + i] == '-' ? '_' : at[from + i]);
		/* Some are compressed: .ko.xz */
		found = found && (path_len - from == len || at[from + len] == '.');
		at += strcspn(at, "\n");
		at += *at == '\n';
	}
	free(file);
	free(text);
	return found;
}

char *v9_preference_file(const struct v9_driver_unit *unit)
{
	return v9_format("%s/usr/lib/modprobe.d/v9trace-%s.conf", v9_driver_root, unit->name);
}

char *v9_preference_override(const struct v9_driver_unit *unit)
{
	return v9_format("%s/etc/modprobe.d/v9trace-%s.conf", v9_driver_root, unit->name);
}

static enum v9_driver preference(const struct v9_driver_unit *unit)
{
	char *override = v9_preference_override(unit), *file = v9_preference_file(unit);
	enum v9_driver found = !access(override, F_OK) ? V9_DRIVER_IN_TREE :
			       !access(file, F_OK) ? V9_DRIVER_OURS : V9_DRIVER_NONE;

	free(override);
	free(file);
	return found;
}

void v9_unit_look(const struct v9_driver_unit *unit, struct v9_driver_state *state)
{
	struct search s = { .unit = unit, .state = state };
	char *path = v9_format("%s/sys/bus/platform/devices", v9_driver_root);
	unsigned int ours;

	*state = (struct v9_driver_state){ .preference = preference(unit) };
	any_entry(path, look_at_device, &s);
	free(path);
	state->ours_available = listed("modules.dep", unit->ours);
	if (!v9_unit_changes(unit) && !state->driver_name) {
		path = v9_format("%s/sys/bus/event_source/devices", v9_driver_root);
		any_entry(path, look_at_pmu, &s);
		free(path);
	}
	state->in_tree_available |= v9_unit_changes(unit);
	for (const char *const *m = unit->load; *m; m++) {
		bool built_in = listed("modules.builtin", *m);

		state->built_in |= built_in;
		state->in_tree_available &= built_in || listed("modules.dep", *m);
	}
	for (const char *const *m = unit->in_tree; *m && !state->users; m++) {
		state->users = v9_module_users(*m);
		if (state->users)
			state->user = v9_strdup(*m);
	}
	ours = v9_module_users(unit->ours);
	if (ours && !state->users) {
		state->users = ours;
		state->user = v9_strdup(unit->ours);
	}
}

void v9_unit_free(struct v9_driver_state *state)
{
	free(state->driver_name);
	free(state->user);
}
