/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The units and their two drivers, as sysfs and /lib/modules show them */
#ifndef V9TRACE_DRIVER_UNITS_H
#define V9TRACE_DRIVER_UNITS_H

#include <stdbool.h>

enum v9_driver { V9_DRIVER_NONE, V9_DRIVER_OURS, V9_DRIVER_IN_TREE, V9_DRIVER_OTHER };

/*
 * One unit; lists end with NULL. The in-tree driver of a unit without @load is part of the CPU PMU
 * driver. No kernel has both that and ours, so that there is nothing to change.
 */
struct v9_driver_unit {
	const char *name;		/* as users write it */
	const char *devices[4];		/* how the kernel names its devices: parts of a modalias */
	const char *ours;		/* our module, which is the name of its driver, too */
	const char *in_tree_driver;	/* driver of the in-tree module that binds the devices */
	const char *in_tree[4];		/* in-tree modules in the order of unloading */
	const char *load[4];		/* and of loading: by name, so that no preference applies */
};

enum { V9_DRIVER_UNITS = 3 };
extern const struct v9_driver_unit v9_units[V9_DRIVER_UNITS];

/* What is found on this machine. v9_unit_free() frees it. */
struct v9_driver_state {
	bool present;			/* the kernel has a device for it */
	enum v9_driver driver;		/* the one that has the device */
	char *driver_name;		/* its name; NULL if there is none */
	bool built_in;			/* the in-tree driver is part of the kernel image */
	bool ours_available;		/* our module is there for the running kernel */
	bool in_tree_available;		/* so are the in-tree modules, or they are built in */
	enum v9_driver preference;	/* at boot: V9_DRIVER_NONE if modprobe.d has none */
	char *user;			/* a module that is in use, see v9_module_users(); or NULL */
	unsigned int users;		/* how many users that one has */
};

/* Root of the file system whose /sys, /etc, /usr/lib and /lib/modules are read; "" by default */
extern const char *v9_driver_root;

/* Can the unit's driver be changed? */
static inline bool v9_unit_changes(const struct v9_driver_unit *unit)
{
	return unit->load[0];
}

/* Find out the state of @unit. */
void v9_unit_look(const struct v9_driver_unit *unit, struct v9_driver_state *state);
void v9_unit_free(struct v9_driver_state *state);

bool v9_module_loaded(const char *name);

/* Users of a loaded module beside the modules that depend on it: events of perf, in most cases */
unsigned int v9_module_users(const char *name);

/* First module, except those in @but, that depends on @name; NULL if none. The caller frees it. */
char *v9_module_holder(const char *name, const char *const *but);

/* Files of the preference: the package's, and the administrator's, which hides it from kmod. */
char *v9_preference_file(const struct v9_driver_unit *unit);
char *v9_preference_override(const struct v9_driver_unit *unit);

#endif
