// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "call_tree.h"

#include "../capture/strtab.h"

size_t v9_call_child(struct v9_call **tree, size_t *nr, size_t parent, size_t func)
{
	struct v9_call *c;
	size_t i;

	for (i = (*tree)[parent].child; i; i = (*tree)[i].next)
		if ((*tree)[i].func == func)
			return i;
	c = v9_vec_add(*tree, *nr);
	i = *nr - 1;
	c->func = func;
	c->parent = parent;
	c->next = (*tree)[parent].child;
	(*tree)[parent].child = i;
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
