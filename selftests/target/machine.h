/* SPDX-License-Identifier: GPL-2.0-only */
/* Changes to the machine, for tests: CPUs, modules, credentials; and checks of the kernel log. */
#ifndef V9_SELFTEST_MACHINE_H
#define V9_SELFTEST_MACHINE_H

#include <stdbool.h>
#include <linux/perf_event.h>

int set_online(int cpu, bool online);

/* Modules in $V9_MODULES, except module_probe(). Return 0 or the kernel's -errno. */
bool module_loaded(const char *module);
int module_load(const char *module, const char *options);
int module_unload(const char *module);
int module_probe(const char *module);	/* from the running kernel's tree; 0 or -1 */

/* Let @cpu sleep @times times by v9_sleep.ko, with a short time awake after each. 0 or -errno */
int let_sleep(int cpu, unsigned int times);

/* Let @cpu sleep once and lose the registers of its units. Returns false if that is not possible. */
bool sleeps_deeply(int cpu);

/* Counts lines of the kernel log that contain @word since the last call with this @fd. */
int log_lines(int fd, const char *word);

/*
 * The log from now on, with what dev_dbg() of @module says: a file for log_lines(). Returns -errno if this kernel
 * does not have dynamic debug. log_ends() ends it; @log may be negative.
 */
int log_begins(const char *module);
void log_ends(int log, const char *module);

/* Counts kernel warnings and errors since the collection v9trace began, or since boot; or -errno. */
int log_complaints(void);

/* The task is user nobody from here on. Returns 0 or -errno. */
int become_nobody(void);

/* Calls @what as user nobody with perf_event_paranoid 2, the default; returns its 0 or -errno. */
int as_nobody(int (*what)(const struct perf_event_attr *), const struct perf_event_attr *attr);
int as_nobody_at(const char *paranoid, int (*what)(const struct perf_event_attr *),
		 const struct perf_event_attr *attr);

/* The same with CAP_PERFMON */
int with_perfmon(int (*what)(const struct perf_event_attr *), const struct perf_event_attr *attr);

#endif
