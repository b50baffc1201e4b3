/* SPDX-License-Identifier: GPL-2.0-only */
/* What tests do to the machine: CPUs, modules, identities; and what its kernel says of it. */
#ifndef V9_SELFTEST_MACHINE_H
#define V9_SELFTEST_MACHINE_H

#include <stdbool.h>
#include <linux/perf_event.h>

int set_online(int cpu, bool online);

/* Modules of V9_MODULES, but for module_probe(); 0 or -errno of the kernel, whichever it is. */
bool module_loaded(const char *module);
int module_load(const char *module, const char *options);
int module_unload(const char *module);
int module_probe(const char *module);	/* of the running kernel's own tree; 0 or not */

/* Lines of the kernel's log that contain @word since the last call with this @fd. */
int log_lines(int fd, const char *word);

/* What a healthy kernel does not say, since run.sh wrote its line or since boot; -errno. */
int log_complaints(void);

/* Calls @what as nobody, with perf_event_paranoid 2 as kernels come; 0 or -errno, as it returns. */
int as_nobody(int (*what)(const struct perf_event_attr *), const struct perf_event_attr *attr);

#endif
