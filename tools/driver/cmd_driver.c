// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace driver: show which driver has each unit, and change that. */
#include <errno.h>
#include <getopt.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../commands.h"
#include "../report/json.h"
#include "../util.h"
#include "units.h"

static const char usage[] =
	"usage: v9trace driver [OPTION]... [ours | in-tree | preferred] [spe] [ete] [brbe]\n"
	"\n"
	"Show which driver has SPE, ETE and BRBE: ours (v9_spe, v9_ete, v9_brbe) or the in-tree one\n"
	"(arm_spe_pmu; coresight_trbe with coresight_etm4x; for BRBE the PMU of the CPU since Linux\n"
	"6.17), and which one is loaded at boot. With \"ours\" or \"in-tree\" change both, of SPE and ETE\n"
	"or of the one that is named; with \"preferred\" load now what is loaded at boot. A unit that is\n"
	"in use keeps its driver until the next boot. No kernel has two drivers of BRBE.\n"
	"\n"
	"  -n, --now       change the driver until the next boot only\n"
	"  -q, --quiet     print errors alone\n"
	"  --json          show as one JSON object per line\n"
	"  --root DIR      look at DIR/sys, DIR/etc, DIR/usr/lib and DIR/lib/modules\n"
	"  -h, --help\n"
	"\n"
	"Exit status: 0; 1 if a unit has not got the driver; 2 for a wrong command line.\n";

extern char **environ;

struct options {
	bool now, quiet, json, change;
	enum v9_driver to;		/* V9_DRIVER_NONE: the preference of each unit */
};

static const char *const word[] = {
	[V9_DRIVER_NONE] = "none",
	[V9_DRIVER_OURS] = "ours",
	[V9_DRIVER_IN_TREE] = "in-tree",
	[V9_DRIVER_OTHER] = "other",
};

/* Runs modprobe or rmmod, whose messages the user gets. */
static bool run(char *const argv[])
{
	int status, err;
	pid_t pid;

	err = posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ);
	if (err) {
		v9_error("%s: %s (package kmod; is /sbin in PATH?)", argv[0], strerror(err));
		return false;
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

static bool load(const char *module)
{
	char *argv[] = { (char *)"modprobe", (char *)"--ignore-install", (char *)module, NULL };

	return v9_module_loaded(module) || run(argv);
}

static bool unload(const char *module)
{
	char *argv[] = { (char *)"rmmod", (char *)module, NULL };

	return !v9_module_loaded(module) || run(argv);
}

/* Unloads v9_core, too, if it has no other user. */
static bool unload_ours(const struct v9_driver_unit *unit)
{
	char *argv[] = { (char *)"modprobe", (char *)"-r", (char *)unit->ours, NULL };

	return !v9_module_loaded(unit->ours) || run(argv);
}

static bool load_in_tree(const struct v9_driver_unit *unit)
{
	bool all = true;

	for (const char *const *m = unit->load; *m; m++)
		all &= load(*m);
	return all;
}

static bool unload_in_tree(const struct v9_driver_unit *unit)
{
	for (const char *const *m = unit->in_tree; *m; m++)
		if (!unload(*m))
			return false;
	return true;
}

static bool any_loaded(const char *const *modules)
{
	for (; *modules; modules++)
		if (v9_module_loaded(*modules))
			return true;
	return false;
}

/* An in-tree module that a module of another unit needs; NULL if there is none */
static char *needed_by(const struct v9_driver_unit *unit, const char **needed)
{
	char *holder = NULL;

	for (const char *const *m = unit->in_tree; *m && !holder; m++) {
		holder = v9_module_holder(*m, unit->in_tree);
		*needed = *m;
	}
	return holder;
}

static bool to_ours(const struct v9_driver_unit *unit, const struct v9_driver_state *s)
{
	const char *needed;
	char *holder;

	if (v9_module_loaded(unit->ours))
		return true;
	if (s->built_in) {
		v9_error("%s: the in-tree driver is built in: boot with the initcall_blacklist= that the kernel log names when %s is loaded",
			 unit->name, unit->ours);
		return false;
	}
	holder = needed_by(unit, &needed);
	if (holder) {
		v9_error("%s: module %s needs %s: unload it first (rmmod %s)", unit->name, holder,
			 needed, holder);
		free(holder);
		return false;
	}
	if (unload_in_tree(unit) && load(unit->ours))
		return true;
	v9_error("%s: %s could not be loaded, the reason is in the kernel log (dmesg); the in-tree driver is loaded again",
		 unit->name, unit->ours);
	load_in_tree(unit);
	return false;
}

static bool to_in_tree(const struct v9_driver_unit *unit, const struct v9_driver_state *s)
{
	if (!v9_module_loaded(unit->ours) && (s->built_in || any_loaded(unit->in_tree)))
		return true;
	if (unload_ours(unit) && load_in_tree(unit))
		return true;
	v9_error("%s: the in-tree driver could not be loaded, the reason is above or in the kernel log (dmesg)",
		 unit->name);
	return false;
}

/* The override hides the file of the package, whose preference is ours. */
static bool prefer(const struct v9_driver_unit *unit, const struct v9_driver_state *s,
		   enum v9_driver to)
{
	char *path = v9_preference_override(unit);
	bool kept = true;
	FILE *f;

	if (to == V9_DRIVER_OURS) {
		kept = !unlink(path) || errno == ENOENT;
		if (kept && s->preference == V9_DRIVER_NONE)
			v9_warn("%s: until the next boot only, as the file v9trace-%s.conf of the package v9trace-dkms is not in /usr/lib/modprobe.d",
				unit->name, unit->name);
	} else {
		f = fopen(path, "w");
		kept = f && fprintf(f, "# Written by \"v9trace driver in-tree\"; \"v9trace driver ours\" removes it.\n"
				       "# It hides the file of the same name in /usr/lib/modprobe.d.\n"
				       "blacklist %s\n", unit->ours) > 0;
		kept = f && !fclose(f) && kept;
	}
	if (!kept)
		v9_error("%s: %s", path, strerror(errno));
	free(path);
	return kept;
}

/*
 * Returns true if the unit has the driver now, or if the kernel has no device for it and the user
 * did not name it. (Some kernels make a device of TRBE only when v9_core asks for it.)
 */
static bool change(const struct options *o, const struct v9_driver_unit *unit, bool is_named)
{
	struct v9_driver_state s;
	enum v9_driver to = o->to;
	bool ours, done = false;

	if (!v9_unit_changes(unit)) {
		if (is_named)
			v9_error("%s: no kernel has two drivers of it: with the in-tree one use perf record -b; without it modprobe %s and modprobe -r %s",
				 unit->name, unit->ours, unit->ours);
		return !is_named;
	}
	v9_unit_look(unit, &s);
	if (to == V9_DRIVER_NONE)
		to = s.preference;
	ours = to == V9_DRIVER_OURS;
	if (to == V9_DRIVER_NONE || (!s.present && !is_named && o->now)) {
		done = true;
	} else if (ours && !s.ours_available) {
		v9_error("%s: module %s is not there for the running kernel (dkms status says why)",
			 unit->name, unit->ours);
	} else if (!ours && !s.in_tree_available) {
		v9_error("%s: the running kernel has no in-tree driver for it", unit->name);
	} else if (!o->now && !prefer(unit, &s, to)) {
		/* Nothing is changed. */
	} else if (s.driver == to || (!s.present && !is_named)) {
		done = true;
	} else if (s.users) {
		v9_error("%s: %s is in use (%u) and stays until the next boot%s", unit->name,
			 s.user, s.users, o->now ? "" : ", when the other driver is loaded");
	} else {
		done = ours ? to_ours(unit, &s) : to_in_tree(unit, &s);
	}
	v9_unit_free(&s);
	return done;
}

static void show_json(const struct v9_driver_unit *unit, const struct v9_driver_state *s)
{
	struct v9_put put;
	struct v9_json j = { .put = &put };

	v9_put_begin(&put, stdout);
	v9_json_begin(&j);
	v9_json_text(&j, "unit", unit->name);
	v9_json_number(&j, "present", s->present);
	v9_json_text(&j, "driver", word[s->driver]);
	if (s->driver_name)
		v9_json_text(&j, "name", s->driver_name);
	v9_json_number(&j, "built_in", s->built_in);
	v9_json_number(&j, "users", s->users);
	v9_json_text(&j, "at_boot", word[s->preference]);
	v9_json_number(&j, "ours_available", s->ours_available);
	v9_json_number(&j, "in_tree_available", s->in_tree_available);
	v9_json_end(&j);
	v9_put_flush(&put);
}

static void show_text(const struct v9_driver_unit *unit, const struct v9_driver_state *s)
{
	const bool changes = v9_unit_changes(unit);

	printf("%s: ", unit->name);
	if (s->driver_name)
		printf("%s (%s%s)", word[s->driver], s->driver_name,
		       s->driver == V9_DRIVER_IN_TREE && s->built_in ? ", built in" : "");
	else
		printf("%s", s->present || !changes ? "no driver" : "the kernel has no device for it");
	/* The in-tree driver of BRBE is no module: the number of its users is not known. */
	if (s->driver_name && (changes || s->driver == V9_DRIVER_OURS))
		printf(", %s", s->users ? "in use" : "not in use");
	if (!changes) {
		putchar('\n');
		return;
	}
	printf("; at boot: ");
	if (s->preference == V9_DRIVER_OURS && !s->ours_available)
		printf("in-tree, as %s is not there for this kernel\n", unit->ours);
	else if (s->preference == V9_DRIVER_NONE)
		printf("no preference\n");
	else
		printf("%s\n", word[s->preference]);
}

static void show(const struct options *o, const struct v9_driver_unit *unit)
{
	struct v9_driver_state s;

	v9_unit_look(unit, &s);
	if (o->json)
		show_json(unit, &s);
	else
		show_text(unit, &s);
	v9_unit_free(&s);
}

static bool take_driver(const char *arg, struct options *o)
{
	if (!strcmp(arg, word[V9_DRIVER_OURS])) {
		o->to = V9_DRIVER_OURS;
	} else if (!strcmp(arg, word[V9_DRIVER_IN_TREE])) {
		o->to = V9_DRIVER_IN_TREE;
	} else if (!strcmp(arg, "preferred")) {
		o->to = V9_DRIVER_NONE;
		o->now = true;
	} else {
		return false;
	}
	return true;
}

int cmd_driver(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "now", no_argument, NULL, 'n' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "json", no_argument, NULL, 'j' },
		{ "root", required_argument, NULL, 'r' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	static char self[] = "v9trace";
	struct options o = { .to = V9_DRIVER_NONE };
	bool named[V9_DRIVER_UNITS] = { false }, all = true, done = true;
	int opt;

	argv[0] = self;		/* prefix of getopt's messages, as of those of v9_error() */
	while ((opt = getopt_long(argc, argv, "nqh", longs, NULL)) >= 0) {
		switch (opt) {
		case 'n':
			o.now = true;
			break;
		case 'q':
			o.quiet = true;
			break;
		case 'j':
			o.json = true;
			break;
		case 'r':
			v9_driver_root = optarg;
			break;
		case 'h':
			fputs(usage, stdout);
			return V9_EXIT_OK;
		default:		/* getopt has printed an error */
			return V9_EXIT_USAGE;
		}
	}
	for (; optind < argc; optind++) {
		const char *arg = argv[optind];
		unsigned int i = 0;

		while (i < V9_DRIVER_UNITS && strcmp(v9_units[i].name, arg))
			i++;
		if (i < V9_DRIVER_UNITS) {
			named[i] = true;
			all = false;
		} else if (!o.change && take_driver(arg, &o)) {
			o.change = true;
		} else {
			v9_error("'%s' is neither a driver (ours, in-tree or preferred, once) nor a unit (spe, ete, brbe)", arg);
			return V9_EXIT_USAGE;
		}
	}
	if (o.now && !o.change) {
		v9_error("--now is for a change: say ours or in-tree");
		return V9_EXIT_USAGE;
	}
	if (o.change && !*v9_driver_root && geteuid()) {
		v9_error("only root can change drivers (sudo v9trace driver ...)");
		return V9_EXIT_FAILED;
	}
	for (unsigned int i = 0; i < V9_DRIVER_UNITS; i++) {
		if (!all && !named[i])
			continue;
		if (o.change)
			done &= change(&o, &v9_units[i], named[i]);
		if (!o.quiet)
			show(&o, &v9_units[i]);
	}
	return done ? V9_EXIT_OK : V9_EXIT_FAILED;
}
