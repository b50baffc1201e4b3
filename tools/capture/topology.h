/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Sockets and NUMA nodes of CPUs, from the sections CPU_TOPOLOGY and NUMA_TOPOLOGY of a capture. */
#ifndef V9TRACE_CAPTURE_TOPOLOGY_H
#define V9TRACE_CAPTURE_TOPOLOGY_H

#include <stddef.h>
#include <stdint.h>

#define V9_CPUS_MOST	65536

struct v9_topology {
	uint32_t cpus;			/* elements of both arrays */
	int32_t *socket, *node;		/* of each CPU; -1: not known */
};

struct v9_section {
	const uint8_t *data;
	uint64_t size;
};

/*
 * Reads both sections; each may be empty. @nrcpus is the section NRCPUS. What is damaged or missing
 * stays -1.
 */
void v9_topology_read(struct v9_topology *t, struct v9_section nrcpus, struct v9_section cpus,
		      struct v9_section nodes);
void v9_topology_free(struct v9_topology *t);

/* -1: not known */
int32_t v9_topology_socket(const struct v9_topology *t, uint32_t cpu);
int32_t v9_topology_node(const struct v9_topology *t, uint32_t cpu);

#endif
