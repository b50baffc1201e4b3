/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * CPU hotplug during a recording. When a CPU goes offline, the kernel removes its events, and does
 * not restore them when the CPU is online again. It sends a uevent on each change.
 */
#ifndef V9TRACE_COLLECT_CPUS_H
#define V9TRACE_COLLECT_CPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct v9_cpu {
	int cpu;
	bool recorded;		/* its events were opened at the start */
	bool away;		/* offline, according to the uevents */
	uint64_t since;		/* ns: time of the last change, or of the start */
};

struct v9_cpus {
	struct v9_cpu *cpu;
	int n;
	uint64_t began;		/* ns: start of the recording */
};

enum v9_cpu_step {
	V9_CPU_NOTHING,		/* nothing to do */
	V9_CPU_BACK,		/* reopen the events of this CPU */
	V9_CPU_NEW,		/* was not online at the start: it is not recorded */
};

/* Initialize @c with the @n recorded CPUs in @cpu, which is copied. @now: ns. */
void v9_cpus_begin(struct v9_cpus *c, const int *cpu, int n, uint64_t now);
void v9_cpus_free(struct v9_cpus *c);

/*
 * Process a uevent of @size bytes. Returns what to do, and sets *@cpu and *@missed: for how long at
 * most that CPU was not recorded, in ns.
 */
enum v9_cpu_step v9_cpus_message(struct v9_cpus *c, const char *message, size_t size, uint64_t now,
				 int *cpu, uint64_t *missed);

/*
 * Uevents were lost: each recorded CPU that is online may have been offline. Call it with *@i = 0
 * at first, until it returns V9_CPU_NOTHING. @online: content of /sys/devices/system/cpu/online.
 */
enum v9_cpu_step v9_cpus_unsure(struct v9_cpus *c, const char *online, uint64_t now, int *i,
				int *cpu, uint64_t *missed);

/* Open a non-blocking socket for uevents. Returns -1 on failure. */
int v9_cpus_socket(void);

#endif
