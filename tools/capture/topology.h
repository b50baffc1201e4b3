/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Sockets and NUMA nodes of CPUs, and nodes of physical memory, from the sections CPU_TOPOLOGY,
 * NUMA_TOPOLOGY and MEM_TOPOLOGY of a capture.
 */
#ifndef V9TRACE_CAPTURE_TOPOLOGY_H
#define V9TRACE_CAPTURE_TOPOLOGY_H

#include <stddef.h>
#include <stdint.h>

#define V9_CPUS_MOST	65536

struct v9_topology {
	uint32_t cpus;			/* elements of @socket and @node */
	int32_t *socket, *node;		/* of each CPU; -1: not known */
	uint64_t block_size;		/* bytes of a block of memory */
	uint32_t blocks;		/* elements of @memory */
	int32_t *memory;		/* node of each block; -1: not known */
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

/* Reads the section MEM_TOPOLOGY, likewise. Call it after v9_topology_read(). */
void v9_topology_memory(struct v9_topology *t, struct v9_section memory);
void v9_topology_free(struct v9_topology *t);

/* -1: not known */
int32_t v9_topology_socket(const struct v9_topology *t, uint32_t cpu);
int32_t v9_topology_node(const struct v9_topology *t, uint32_t cpu);
int32_t v9_topology_node_of(const struct v9_topology *t, uint64_t physical);

#endif
