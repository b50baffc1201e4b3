/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A tree of calls in an array. Functions are numbers here. The first node is the root. */
#ifndef V9TRACE_REPORT_CALL_TREE_H
#define V9TRACE_REPORT_CALL_TREE_H

#include <stddef.h>
#include <stdint.h>

#define V9_CALLERS_MOST	128	/* callers above a function in v9_call_invert(); others are left out */

/* A node: a function, by its path of callers. */
struct v9_call {
	size_t func;
	size_t parent, child, next;	/* indexes of nodes; 0: none */
	uint64_t self, total, calls;	/* instructions; total: with callees */
	uint64_t cycles, total_cycles;	/* likewise, 0 if they were not counted */
	uint64_t site;			/* of a tree by place of the call, see v9_call_at() */
	size_t same;			/* of such a tree: the node that stands for this one; 0: none */
	uint32_t by_hash;		/* a child, the root of a search tree of the children; 0: none */
	uint32_t others[4];		/* of that of the parent: nodes by the next two bits of the hash */
	uint32_t tid;			/* of a node of a thread, see struct v9_flow_sum */
};

/* Returns the index of the child of @parent that is @func; it is added if there is none. */
size_t v9_call_child(struct v9_call **tree, size_t *nr, size_t parent, size_t func);

/*
 * The same in a tree by place of the call: the child that is @func and was called at @site, an address;
 * 0: its callers are not known, and @parent is the root. A path has each place once: the node of a call
 * that was made there before stands for a new one (.same), so that a recursion has an end. With more than
 * V9_SITES_MOST callers a function is a child of the root, and is counted in *@cut.
 */
#define V9_SITES_MOST	100
size_t v9_call_at(struct v9_call **tree, size_t *nr, size_t parent, size_t func, uint64_t site,
		  uint64_t *cut);

/*
 * Returns a tree from the bottom up. A function is a child of the root, a child of a node calls it.
 * .total is what the function executed itself for these callers, .self the part of it that was
 * executed where no caller is known or beyond V9_CALLERS_MOST callers. The caller frees the result.
 */
struct v9_call *v9_call_invert(const struct v9_call *tree, size_t nr, size_t *nr_inverted);

#endif
