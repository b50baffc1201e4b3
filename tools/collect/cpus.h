/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * CPUs that go offline and come back. The kernel takes the events of a CPU away
 * when it goes and does not bring them back; it sends a message on each change.
 */
#ifndef V9TRACE_COLLECT_CPUS_H
#define V9TRACE_COLLECT_CPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct v9_cpu {
	int cpu;
	bool recorded;		/* its events were opened at the start */
	bool away;		/* offline, as far as the messages said */
	uint64_t since;		/* ns; away: when that was seen */
};

struct v9_cpus {
	struct v9_cpu *cpu;
	int n;
	uint64_t began;		/* ns */
};

enum v9_cpu_step {
	V9_CPU_NOTHING,		/* to be done */
	V9_CPU_BACK,		/* its events must be opened again */
	V9_CPU_NEW,		/* it was not there at the start: it is not recorded */
};

/* The list of CPUs that are recorded is copied. */
void v9_cpus_begin(struct v9_cpus *c, const int *cpu, int n, uint64_t now);
void v9_cpus_free(struct v9_cpus *c);

/*
 * What a message of the kernel asks for, and of which CPU; *missed: for how long at most that CPU
 * was not recorded, in ns.
 */
enum v9_cpu_step v9_cpus_message(struct v9_cpus *c, const char *message, size_t size, uint64_t now,
				 int *cpu, uint64_t *missed);

/*
 * Messages were lost: any recorded CPU that is online may have been away. Call it for each, from
 * *i = 0 on, until it says NOTHING. @online: a list as in /sys/devices/system/cpu/online.
 */
enum v9_cpu_step v9_cpus_unsure(struct v9_cpus *c, const char *online, uint64_t now, int *i,
				int *cpu, uint64_t *missed);

/* A socket on which the messages come; -1: there is none. */
int v9_cpus_socket(void);

#endif
