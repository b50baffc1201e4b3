// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Version 2 of AutoFDO's format, which gcc -fauto-profile reads. It has the count of each line of
 * a function, the functions that were inlined at a line, and the targets of calls. Lines are
 * relative to the first line of the function. The count of a line is that of its most executed
 * instruction. Lengths of strings are in bytes.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "object.h"

/* Words of the file */
#define MAGIC		0x67636461	/* "gcda" */
#define VERSION		2
#define TAG_NAMES	0xaa000000
#define TAG_FUNCTIONS	0xac000000
#define TAG_MODULES	0xae000000
#define INDIRECT_CALL	7		/* kind of a histogram; gcc does not read it */

#define MOST_LINES	0xffff		/* lines of a function */
#define MOST_INLINED	64
#define INSN		4		/* bytes of an instruction */

/* A function, or one that was inlined at a line of another one */
struct node {
	uint64_t key[3];		/* number of the parent + 1, or 0; name; line of the call */
	uint64_t number, entered;
};

/* A line of a node, or a function that it called */
struct count {
	uint64_t key[3];		/* number of the node; line; name of the callee, or 0 */
	uint64_t n;
};

struct gcc {
	struct v9_object_lines of;
	struct v9_strtab names;
	struct v9_bins nodes, counts, targets;
	struct v9_blob out, text;
	uint64_t nr_names;
	uint64_t lineless;		/* addresses of executed instructions without a line */
};

/* Where an instruction is in the source */
struct spot {
	uint64_t node, line;
	uint64_t start;			/* of the function that was not inlined */
	const char *function;		/* its name */
};

static void word(struct v9_blob *b, uint64_t n)
{
	v9_blob_u32(b, (uint32_t)n);
}

/*
 * Returns the number of a name, from 1 on. A suffix is left out: a compiler appends it to the
 * name of a part or copy of a function, such as .cold.
 */
static uint64_t name_of(struct gcc *g, const char *raw)
{
	const size_t len = strcspn(raw, ".");
	char *name = v9_format("%.*s", (int)(len ? len : strlen(raw)), raw);
	size_t *n = v9_strtab_value(&g->names, name);

	if (!*n) {
		*n = ++g->nr_names;
		word(&g->text, strlen(name) + 1);
		v9_blob_put(&g->text, name, strlen(name) + 1);
	}
	free(name);
	return *n;
}

static uint64_t node_of(struct gcc *g, uint64_t parent, uint64_t name, uint64_t line)
{
	const uint64_t key[3] = { parent, name, line };
	const size_t before = g->nodes.used;
	struct node *node = v9_bins_at(&g->nodes, key, 3);

	if (g->nodes.used > before)
		node->number = before;
	return node->number;
}

/* Returns false if the instruction has no line in its function. */
static bool find(struct gcc *g, uint64_t addr, struct spot *s)
{
	struct v9_inline frame[MOST_INLINED];
	const size_t n = v9_lines_inlined(&g->of.lines, &g->of.dso, addr, frame, MOST_INLINED);
	struct v9_src_line line;
	uint64_t parent = 0;

	if (!n || !frame[n - 1].name)
		return false;
	s->start = frame[n - 1].start;
	s->function = frame[n - 1].name;
	if (!v9_lines_find(&g->of.lines, &g->of.dso, addr, &line) || !line.line)
		return false;
	s->line = 0;
	for (size_t i = n; i--; ) {
		const unsigned int at = i ? frame[i - 1].call.line : line.line;

		if (!frame[i].name)
			return false;
		s->node = node_of(g, parent, name_of(g, frame[i].name), s->line);
		parent = s->node + 1;
		if (at < frame[i].decl || at - frame[i].decl > MOST_LINES)
			return false;
		s->line = at - frame[i].decl;
	}
	return true;
}

/* ---- how often each instruction ran */

struct edge { uint64_t addr; uint64_t begin, end; };

static int by_address(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	return (x->addr > y->addr) - (x->addr < y->addr);
}

static void ran(struct gcc *g, uint64_t addr, uint64_t n)
{
	struct count *c;
	struct spot s;

	if (!find(g, addr, &s)) {
		g->lineless++;
		return;
	}
	c = v9_bins_at(&g->counts, (uint64_t[]){ s.node, s.line, 0 }, 3);
	if (n > c->n)
		c->n = n;
}

static void add_ranges(struct gcc *g, const struct v9_export_object *o)
{
	struct edge *edge = NULL;
	uint64_t running = 0;
	size_t nr = 0;

	for (size_t i = 0; i < o->branches.used; i++) {
		const struct v9_object_branch *b = v9_bins_get(&o->branches, i);

		if (!v9_side_known(b->to) || !v9_side_known(b->end) || b->end < b->to)
			continue;
		*v9_vec_add(edge, nr) = (struct edge){ b->to, b->n, 0 };
		*v9_vec_add(edge, nr) = (struct edge){ b->end + INSN, 0, b->n };
	}
	if (nr)
		qsort(edge, nr, sizeof(*edge), by_address);
	for (size_t i = 0; i < nr; i++) {
		running += edge[i].begin - edge[i].end;
		for (uint64_t at = edge[i].addr; running && i + 1 < nr && at < edge[i + 1].addr; at += INSN)
			ran(g, at, running);
	}
	free(edge);
}

/* Calls: branches to the first instruction of another function */
static void add_calls(struct gcc *g, const struct v9_export_object *o)
{
	for (size_t i = 0; i < o->branches.used; i++) {
		const struct v9_object_branch *b = v9_bins_get(&o->branches, i);
		struct spot from = { .function = NULL }, to = { .function = NULL };
		const bool known = v9_side_known(b->from) && find(g, b->from, &from);
		struct node *node;

		if (!v9_side_known(b->to) || !find(g, b->to, &to) || to.start != b->to ||
		    (from.function && from.start == to.start))
			continue;
		node = v9_bins_get(&g->nodes, node_of(g, 0, name_of(g, to.function), 0));
		node->entered += b->n;
		if (known)
			((struct count *)v9_bins_at(&g->targets, (uint64_t[]){
				from.node, from.line, name_of(g, to.function) }, 3))->n += b->n;
	}
}

/* ---- the file */

/* Returns the end of the bins whose keys begin with @first, and their begin in *@at. */
static size_t run_of(void **all, size_t nr, uint64_t first, size_t *at)
{
	size_t lo = 0, hi = nr, end;

	while (lo < hi) {
		const size_t mid = lo + (hi - lo) / 2;

		if (*(uint64_t *)all[mid] < first)
			lo = mid + 1;
		else
			hi = mid;
	}
	*at = lo;
	for (end = lo; end < nr && *(uint64_t *)all[end] == first; )
		end++;
	return end;
}

struct sorted {
	void **nodes, **counts, **targets;
	size_t nr_nodes, nr_counts, nr_targets;
};

static uint64_t line_of(const void *count)
{
	return ((const struct count *)count)->key[1];
}

static void put_lines(struct gcc *g, const struct sorted *s, uint64_t number, size_t first, size_t end)
{
	size_t at;
	const size_t last = run_of(s->targets, s->nr_targets, number, &at);

	for (size_t i = first; i < end; i++) {
		const struct count *c = s->counts[i];
		size_t after;

		/* Both are in the order of lines. */
		while (at < last && line_of(s->targets[at]) < line_of(c))
			at++;
		for (after = at; after < last && line_of(s->targets[after]) == line_of(c); )
			after++;
		word(&g->out, line_of(c) << 16);
		word(&g->out, after - at);
		v9_blob_u64(&g->out, c->n);
		for (; at < after; at++) {
			const struct count *t = s->targets[at];

			word(&g->out, INDIRECT_CALL);
			v9_blob_u64(&g->out, t->key[2]);
			v9_blob_u64(&g->out, t->n);
		}
	}
}

/* The recursion is as deep as functions are inlined in each other: at most MOST_INLINED. */
static void put_node(struct gcc *g, const struct sorted *s, const struct node *node)
{
	const uint64_t number = node->number;
	size_t counts, callees;
	const size_t counts_end = run_of(s->counts, s->nr_counts, number, &counts);
	const size_t callees_end = run_of(s->nodes, s->nr_nodes, number + 1, &callees);

	word(&g->out, node->key[1]);
	word(&g->out, counts_end - counts);
	word(&g->out, callees_end - callees);
	put_lines(g, s, number, counts, counts_end);
	for (size_t i = callees; i < callees_end; i++) {
		const struct node *callee = s->nodes[i];

		word(&g->out, callee->key[2] << 16);
		put_node(g, s, callee);
	}
}

static void put_file(struct gcc *g, FILE *f)
{
	const struct sorted s = {
		v9_bins_sorted(&g->nodes, 3), v9_bins_sorted(&g->counts, 3),
		v9_bins_sorted(&g->targets, 3),
		g->nodes.used, g->counts.used, g->targets.used,
	};
	struct v9_blob functions;
	size_t first, end;

	end = run_of(s.nodes, s.nr_nodes, 0, &first);
	word(&g->out, end - first);
	for (size_t i = first; i < end; i++) {
		v9_blob_u64(&g->out, ((struct node *)s.nodes[i])->entered);
		put_node(g, &s, s.nodes[i]);
	}
	functions = g->out;
	g->out = (struct v9_blob){ 0 };
	word(&g->out, MAGIC);
	word(&g->out, VERSION);
	word(&g->out, 0);
	word(&g->out, TAG_NAMES);
	word(&g->out, 4 + 5 + g->text.len);
	word(&g->out, g->nr_names + 1);
	word(&g->out, 1);		/* the name of number 0 is not used */
	v9_blob_put(&g->out, "", 1);
	v9_blob_put(&g->out, g->text.data, g->text.len);
	word(&g->out, TAG_FUNCTIONS);
	word(&g->out, functions.len);
	v9_blob_put(&g->out, functions.data, functions.len);
	word(&g->out, TAG_MODULES);
	word(&g->out, 4);
	word(&g->out, 0);
	fwrite(g->out.data, 1, g->out.len, f);
	v9_blob_free(&functions);
	free(s.nodes);
	free(s.counts);
	free(s.targets);
}

static void gcc_write(struct v9_export *x, const struct v9_export_object *o)
{
	struct gcc *g = v9_alloc(sizeof(*g));

	v9_object_lines_open(&g->of, x, o);
	v9_bins_init(&g->nodes, sizeof(struct node));
	v9_bins_init(&g->counts, sizeof(struct count));
	v9_bins_init(&g->targets, sizeof(struct count));
	if (g->of.dso.name) {
		add_ranges(g, o);
		add_calls(g, o);
	}
	if (g->counts.used) {
		put_file(g, x->f);
		if (g->lineless)
			v9_warn("%" PRIu64 " executed instructions have no line of a function and are "
				"left out", g->lineless);
	} else {
		v9_object_lineless(x, o, &g->of);
	}
	v9_object_lines_close(&g->of);
	v9_strtab_free(&g->names);
	v9_bins_free(&g->nodes);
	v9_bins_free(&g->counts);
	v9_bins_free(&g->targets);
	v9_blob_free(&g->out);
	v9_blob_free(&g->text);
	free(g);
}

const struct v9_sink v9_sink_gcc = {
	.name = "gcc", .help = "lines of one object for gcc -fauto-profile", .binary = true,
	.next = "gcc -O2 -g -fauto-profile=FILE ...",
	.write = gcc_write, V9_OF_OBJECT,
};
