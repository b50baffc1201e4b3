// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "topology.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <v9trace/base.h>

#include "../perfdata.h"
#include "../util.h"
#include "strtab.h"

#define BLOCKS_MOST	(1u << 20)	/* 128 TiB in blocks of the least size, 128 MiB */

/* What is left of a section; @bad: it was too short for what was read */
struct input {
	const uint8_t *at;
	uint64_t left;
	bool bad;
};

static const uint8_t *take(struct input *in, uint64_t n)
{
	const uint8_t *at = in->at;

	if (in->bad || n > in->left) {
		in->bad = true;
		return NULL;
	}
	in->at += n;
	in->left -= n;
	return at;
}

static uint32_t take_u32(struct input *in)
{
	const uint8_t *at = take(in, sizeof(uint32_t));
	uint32_t v = 0;

	if (at)
		memcpy(&v, at, sizeof(v));
	return v;
}

/* A string is padded with 0; it may lack the last one. */
static void skip_strings(struct input *in)
{
	for (uint32_t n = take_u32(in); n && !in->bad; n--)
		take(in, take_u32(in));
}

static void read_sockets(struct v9_topology *t, struct v9_section s)
{
	struct input in = { s.data, s.size, false };

	skip_strings(&in);	/* cores of each socket */
	skip_strings(&in);	/* threads of each core */
	for (uint32_t cpu = 0; cpu < t->cpus; cpu++) {
		int32_t socket;

		take_u32(&in);	/* core */
		socket = (int32_t)take_u32(&in);
		if (in.bad)
			return;
		t->socket[cpu] = socket < 0 ? -1 : socket;
	}
}

/* Digits of a decimal number; -1 without one or if it is too large */
static int64_t number(const char **text, const char *end)
{
	int64_t v = -1;

	for (; *text < end && **text >= '0' && **text <= '9'; ++*text) {
		v = (v < 0 ? 0 : v) * 10 + (**text - '0');
		if (v > V9_CPUS_MOST)
			return -1;
	}
	return v;
}

/* "0-3,8" */
static void put_node(struct v9_topology *t, int32_t node, const char *text, const char *end)
{
	while (text < end && *text) {
		const int64_t first = number(&text, end);
		int64_t last = first;

		if (text < end && *text == '-') {
			text++;
			last = number(&text, end);
		}
		if (first < 0 || last < first)
			return;
		for (int64_t cpu = first; cpu <= last && cpu < t->cpus; cpu++)
			t->node[cpu] = node;
		if (text < end && *text == ',')
			text++;
		else
			return;
	}
}

static void read_nodes(struct v9_topology *t, struct v9_section s)
{
	struct input in = { s.data, s.size, false };

	for (uint32_t n = take_u32(&in); n; n--) {
		const int32_t node = (int32_t)take_u32(&in);
		const char *text;
		uint32_t len;

		take(&in, 2 * sizeof(uint64_t));	/* memory in all, and free */
		len = take_u32(&in);
		text = (const char *)take(&in, len);
		if (in.bad)
			return;
		if (node >= 0)
			put_node(t, node, text, text + len);
	}
}

void v9_topology_read(struct v9_topology *t, struct v9_section nrcpus, struct v9_section cpus,
		      struct v9_section nodes)
{
	struct input in = { nrcpus.data, nrcpus.size, false };

	memset(t, 0, sizeof(*t));
	t->cpus = take_u32(&in);
	if (t->cpus > V9_CPUS_MOST)
		t->cpus = 0;
	t->socket = v9_alloc((t->cpus + 1) * sizeof(*t->socket));
	t->node = v9_alloc((t->cpus + 1) * sizeof(*t->node));
	memset(t->socket, 0xff, t->cpus * sizeof(*t->socket));
	memset(t->node, 0xff, t->cpus * sizeof(*t->node));
	read_sockets(t, cpus);
	read_nodes(t, nodes);
}

static uint64_t take_u64(struct input *in)
{
	const uint8_t *at = take(in, sizeof(uint64_t));

	return at ? v9_load_le(at, sizeof(uint64_t)) : 0;
}

/* A bit of each block: is it at that node? */
static void read_blocks(struct v9_topology *t, struct input *in, int32_t node)
{
	uint64_t bits;

	take_u64(in);			/* their number */
	bits = take_u64(in);
	for (uint64_t at = 0; at < bits && !in->bad; at += 64) {
		const uint64_t word = take_u64(in);

		for (unsigned int i = 0; i < 64 && at + i < bits && at + i < BLOCKS_MOST && word; i++) {
			if (!(word >> i & 1))
				continue;
			while (t->blocks <= at + i)
				*v9_vec_add(t->memory, t->blocks) = -1;
			t->memory[at + i] = node;
		}
	}
}

void v9_topology_memory(struct v9_topology *t, struct v9_section s)
{
	struct input in = { s.data, s.size, false };
	uint64_t n;

	if (take_u64(&in) != PD_MEM_TOPOLOGY_VERSION)
		return;
	t->block_size = take_u64(&in);
	for (n = take_u64(&in); n && !in.bad; n--) {
		const uint64_t node = take_u64(&in);

		read_blocks(t, &in, node <= INT32_MAX ? (int32_t)node : -1);
	}
}

void v9_topology_free(struct v9_topology *t)
{
	free(t->socket);
	free(t->node);
	free(t->memory);
	memset(t, 0, sizeof(*t));
}

int32_t v9_topology_socket(const struct v9_topology *t, uint32_t cpu)
{
	return cpu < t->cpus ? t->socket[cpu] : -1;
}

int32_t v9_topology_node_of(const struct v9_topology *t, uint64_t physical)
{
	const uint64_t block = t->block_size ? physical / t->block_size : t->blocks;

	return block < t->blocks ? t->memory[block] : -1;
}

int32_t v9_topology_node(const struct v9_topology *t, uint32_t cpu)
{
	return cpu < t->cpus ? t->node[cpu] : -1;
}
