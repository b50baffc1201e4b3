// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "call_tree.h"

#include <stdbool.h>

#include "../capture/strtab.h"
#include "../util.h"
#include "bins.h"

static bool is_call(const struct v9_call *c, size_t func, uint64_t site)
{
	return c->func == func && c->site == site;
}

/* Returns the link in the search tree of @parent that leads to this child, or to which it has to be added. */
static uint32_t *seek(struct v9_call *tree, size_t parent, size_t func, uint64_t site)
{
	const uint64_t key[] = { func, site };
	uint64_t hash = v9_bins_hash(key, 2);
	uint32_t *at = &tree[parent].by_hash;

	for (; *at && !is_call(&tree[*at], func, site); hash >>= 2)
		at = &tree[*at].others[hash & 3];
	return at;
}

static size_t child(struct v9_call **tree, size_t *nr, size_t parent, size_t func, uint64_t site)
{
	size_t i = *seek(*tree, parent, func, site);
	struct v9_call *c;

	if (i)
		return i;
	if (*nr == UINT32_MAX)
		v9_out_of_memory();
	c = v9_vec_add(*tree, *nr);
	i = *nr - 1;
	c->func = func;
	c->site = site;
	c->parent = parent;
	c->next = (*tree)[parent].child;
	(*tree)[parent].child = i;
	*seek(*tree, parent, func, site) = (uint32_t)i;
	return i;
}

size_t v9_call_child(struct v9_call **tree, size_t *nr, size_t parent, size_t func)
{
	return child(tree, nr, parent, func, 0);
}

size_t v9_call_at(struct v9_call **tree, size_t *nr, size_t parent, size_t func, uint64_t site,
		  uint64_t *cut)
{
	size_t i = *seek(*tree, parent, func, site), up, callers = 0;

	if (i)
		return i;
	for (up = parent; up && !is_call(&(*tree)[up], func, site); up = (*tree)[up].parent)
		callers++;
	if (!up && callers > V9_SITES_MOST) {
		++*cut;
		return child(tree, nr, 0, func, 0);
	}
	i = child(tree, nr, parent, func, site);
	(*tree)[i].same = up;
	return i;
}

struct v9_call *v9_call_invert(const struct v9_call *tree, size_t nr, size_t *nr_inverted)
{
	struct v9_call *to = NULL;

	*nr_inverted = 0;
	(void)v9_vec_add(to, *nr_inverted);
	for (size_t i = 1; i < nr; i++) {
		const struct v9_call *c = &tree[i];
		unsigned int depth = 0;
		size_t at = 0;

		if (!c->self && !c->cycles && !c->calls)
			continue;
		for (size_t up = i; up && depth <= V9_CALLERS_MOST; up = tree[up].parent, depth++) {
			at = v9_call_child(&to, nr_inverted, at, tree[up].func);
			to[at].total += c->self;
			to[at].total_cycles += c->cycles;
			to[at].calls += c->calls;
		}
		to[at].self += c->self;
		to[at].cycles += c->cycles;
	}
	return to;
}
