// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The search-tree functions that libelf.a of Debian trixie refers to and does not contain.
 * A tree is the root pointer that the C library's tsearch family works on; those archives are
 * built without locks, so nothing follows it.
 */
#include <search.h>

struct eu_tree {
	void *root;
};

typedef int (*eu_compare)(const void *, const void *);

void eu_search_tree_init(struct eu_tree *tree);
void eu_search_tree_fini(struct eu_tree *tree, void (*free_node)(void *));
void eu_tdestroy(struct eu_tree *tree, void (*free_node)(void *));
void *eu_tsearch(const void *key, struct eu_tree *tree, eu_compare compare);
void *eu_tfind(const void *key, struct eu_tree *tree, eu_compare compare);
void *eu_tdelete(const void *key, struct eu_tree *tree, eu_compare compare);

void eu_search_tree_init(struct eu_tree *tree)
{
	tree->root = 0;
}

void eu_search_tree_fini(struct eu_tree *tree, void (*free_node)(void *))
{
	tdestroy(tree->root, free_node);
	tree->root = 0;
}

void eu_tdestroy(struct eu_tree *tree, void (*free_node)(void *))
{
	tdestroy(tree->root, free_node);
	tree->root = 0;
}

void *eu_tsearch(const void *key, struct eu_tree *tree, eu_compare compare)
{
	return tsearch(key, &tree->root, compare);
}

void *eu_tfind(const void *key, struct eu_tree *tree, eu_compare compare)
{
	return tfind(key, &tree->root, compare);
}

void *eu_tdelete(const void *key, struct eu_tree *tree, eu_compare compare)
{
	return tdelete(key, &tree->root, compare);
}
