// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sockets and nodes of CPUs from sections typed from perf.data-file-format.txt, whole, cut at each
 * byte, and with wrong numbers.
 */
#include <stdio.h>
#include <string.h>

#include "tap.h"
#include "../../tools/capture/topology.h"

#define BLOCK	UINT64_C(0x8000000)

static uint8_t nrcpus[8], cpus[1024], nodes[1024];
static size_t n_cpus, n_nodes;

static void put(uint8_t *to, size_t *n, const void *data, size_t size)
{
	memcpy(to + *n, data, size);
	*n += size;
}

static void u32(uint8_t *to, size_t *n, uint32_t v)
{
	put(to, n, &v, sizeof(v));
}

/* A string as perf writes it: padded to 64 bytes */
static void text(uint8_t *to, size_t *n, const char *s)
{
	char padded[64] = "";

	strcpy(padded, s);
	u32(to, n, sizeof(padded));
	put(to, n, padded, sizeof(padded));
}

static void node(uint32_t nr, const char *list)
{
	const uint64_t kib[2] = { 1000, 900 };

	u32(nodes, &n_nodes, nr);
	put(nodes, &n_nodes, kib, sizeof(kib));
	text(nodes, &n_nodes, list);
}

/* Eight CPUs: sockets 0 and 3, CPU 6 offline; nodes 0 and 2 */
static void fill(void)
{
	static const uint32_t socket[8] = { 0, 0, 0, 0, 3, 3, UINT32_MAX, 3 };
	size_t n = 0;

	n_cpus = n_nodes = 0;
	u32(nrcpus, &n, 8);
	u32(nrcpus, &n, 7);
	u32(cpus, &n_cpus, 2);
	text(cpus, &n_cpus, "0-3");
	text(cpus, &n_cpus, "4-5,7");
	u32(cpus, &n_cpus, 1);
	text(cpus, &n_cpus, "0");
	for (uint32_t cpu = 0; cpu < 8; cpu++) {
		u32(cpus, &n_cpus, cpu % 4);
		u32(cpus, &n_cpus, socket[cpu]);
	}
	u32(nodes, &n_nodes, 2);
	node(0, "0-1,3");
	node(2, "2,4-7");
}

static void read_all(struct v9_topology *t, size_t cpu_bytes, size_t node_bytes)
{
	v9_topology_read(t, (struct v9_section){ nrcpus, sizeof(nrcpus) },
			 (struct v9_section){ cpus, cpu_bytes },
			 (struct v9_section){ nodes, node_bytes });
}

static void list(const char *what, const char *name, int32_t want0, int32_t want1, int32_t want7)
{
	struct v9_topology t;

	fill();
	n_nodes = 0;
	u32(nodes, &n_nodes, 1);
	node(5, what);
	read_all(&t, n_cpus, n_nodes);
	tap_ok(v9_topology_node(&t, 0) == want0 && v9_topology_node(&t, 1) == want1 &&
	       v9_topology_node(&t, 7) == want7, "list_%s", name);
	v9_topology_free(&t);
}

/* Blocks of 128 MiB: 8 and 9 are at node 0, 70 at node 3, and 5 at a node whose number is too large. */
static void memory(void)
{
	static const uint64_t words[] = {
		1, BLOCK, 3, 0, 10, 10, 3u << 8, 3, 71, 71, 0, 1u << 6, UINT64_MAX, 6, 6, 1u << 5,
	};
	static const struct { uint64_t address; int32_t node; size_t words; } cases[] = {
		{ 8 * BLOCK, 0, 7 }, { 10 * BLOCK - 1, 0, 7 }, { 10 * BLOCK, -1, 0 }, { 8 * BLOCK - 1, -1, 0 },
		{ 70 * BLOCK, 3, 12 }, { 71 * BLOCK - 1, 3, 12 }, { 71 * BLOCK, -1, 0 },
		{ 69 * BLOCK, -1, 0 }, { 5 * BLOCK, -1, 0 }, { 0, -1, 0 }, { UINT64_MAX, -1, 0 },
	};
	const struct v9_section none = { NULL, 0 };
	uint64_t other[16];
	bool sound = true;

	for (size_t size = 0; size <= sizeof(words); size++) {
		struct v9_topology t;

		v9_topology_read(&t, none, none, none);
		v9_topology_memory(&t, (struct v9_section){ (const uint8_t *)words, size });
		for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
			sound &= v9_topology_node_of(&t, cases[i].address) ==
				 (size >= 8 * cases[i].words ? cases[i].node : -1);
		v9_topology_free(&t);
	}
	tap_ok(sound, "memory_up_to_the_cut");
	/* Each word wrong: another version, no size, more nodes or blocks than there are */
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		struct v9_topology t;

		memcpy(other, words, sizeof(words));
		other[i] = i == 1 ? 0 : UINT64_MAX;
		v9_topology_read(&t, none, none, none);
		v9_topology_memory(&t, (struct v9_section){ (const uint8_t *)other, sizeof(other) });
		sound &= t.blocks <= 1u << 20 && (i > 1 || v9_topology_node_of(&t, 8 * BLOCK) == -1);
		v9_topology_free(&t);
	}
	tap_ok(sound, "memory_wrong");
}

int main(void)
{
	static const int32_t sockets[8] = { 0, 0, 0, 0, 3, 3, -1, 3 };
	static const int32_t in_node[8] = { 0, 0, 2, 0, 2, 2, 2, 2 };
	struct v9_topology t;
	bool sound = true;

	fill();
	read_all(&t, n_cpus, n_nodes);
	for (uint32_t cpu = 0; cpu < 8; cpu++) {
		tap_eq(v9_topology_socket(&t, cpu), sockets[cpu], "socket_of_cpu%u", cpu);
		tap_eq(v9_topology_node(&t, cpu), in_node[cpu], "node_of_cpu%u", cpu);
	}
	tap_eq(v9_topology_socket(&t, 8), -1, "socket_of_no_cpu");
	tap_eq(v9_topology_node(&t, UINT32_MAX), -1, "node_of_no_cpu");
	v9_topology_free(&t);

	/* What was read before the cut holds. */
	for (size_t cut = 0; cut < n_cpus; cut++) {
		const size_t first = 2 * 4 + 3 * 68;

		read_all(&t, cut, 0);
		for (uint32_t cpu = 0; cpu < 8; cpu++)
			sound &= v9_topology_socket(&t, cpu) ==
				 (cut >= first + (cpu + 1) * 8 ? sockets[cpu] : -1);
		v9_topology_free(&t);
	}
	tap_ok(sound, "sockets_up_to_the_cut");
	sound = true;
	for (size_t cut = 0; cut < n_nodes; cut++) {
		read_all(&t, 0, cut);
		sound &= v9_topology_node(&t, 0) == (cut >= 4 + 88 ? 0 : -1) &&
			 v9_topology_node(&t, 4) == -1;
		v9_topology_free(&t);
	}
	tap_ok(sound, "nodes_up_to_the_cut");

	list("0-7", "all", 5, 5, 5);
	list("0", "one", 5, -1, -1);
	list("", "empty", -1, -1, -1);
	list("1-0", "backwards", -1, -1, -1);
	list("0,", "comma_at_the_end", 5, -1, -1);
	list("0-", "range_without_end", -1, -1, -1);
	list("0x,1", "letter", 5, -1, -1);
	list("7-4000000000", "large_number", -1, -1, -1);
	list("0-60000", "more_than_there_are", 5, 5, 5);

	memory();
	memset(nrcpus, 0xff, sizeof(nrcpus));
	read_all(&t, n_cpus, n_nodes);
	tap_eq(v9_topology_socket(&t, 0), -1, "too_many_cpus");
	v9_topology_free(&t);
	v9_topology_read(&t, (struct v9_section){ NULL, 0 }, (struct v9_section){ NULL, 0 },
			 (struct v9_section){ NULL, 0 });
	tap_eq(v9_topology_node(&t, 0), -1, "no_sections");
	v9_topology_free(&t);
	return tap_done();
}
