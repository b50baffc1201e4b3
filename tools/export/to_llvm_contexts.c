// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The unsymbolized profile of llvm-profgen by context: for each path of callers a line
 * [FUNCTION:LINE.DISCRIMINATOR @ ... @ FUNCTION], then what the last function executed there, as
 * to_llvm.c writes it. A function that was inlined is a function of the path. Lines are relative to
 * the first line of the function.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../report/flow_sum.h"
#include "object.h"

#define MOST_INLINED	64
#define INSN		4		/* bytes of an instruction */
#define LINE_MASK	0xffff		/* of a line in its function, as the compiler has it */
#define OUTSIDE		1		/* what llvm-profgen writes for an address in another object */

/* A context of one capture, until the object is chosen */
struct context {
	struct v9_dso *dso;
	size_t parent, run, nr_runs;
	uint64_t site, entry, calls;
	size_t path;			/* of what it calls, if .known */
	bool known;			/* it is of the object */
};

struct run {
	uint64_t start, size, insns, n;
};

/* Where an instruction is in the source. NULL: not known */
struct spot {
	uint64_t key[1];		/* address */
	const char *site;		/* FUNCTION:LINE @ ... @ FUNCTION:LINE, innermost function last */
	const char *function;		/* the same without the last line */
};

/* Callers: a tree of call sites. Equal sites have one address. */
struct path {
	union {
		struct { uint64_t parent, site; };
		uint64_t key[2];
	};
	uint64_t number, depth;		/* number: from 1 on; 0 is the path without callers */
};

struct section {
	union {
		struct { uint64_t path, function; };
		uint64_t key[2];
	};
	uint64_t number;
};

enum { RANGES, BRANCHES, COUNTS };

struct count {
	uint64_t key[4];		/* section, RANGES or BRANCHES, two addresses */
	uint64_t n;
};

struct contexts {
	struct v9_export_object o;	/* first: x->state is both */
	struct context *of;		/* by number - 1 */
	struct run *run;
	size_t nr, nr_runs;
	struct v9_object_lines lines;
	bool opened;
	struct v9_strtab names;
	struct v9_bins spots, paths, sections, counts, lineless;
};

static bool contexts_begin(struct v9_export *x)
{
	struct contexts *c = x->state;

	if (!c) {
		x->state = c = v9_alloc(sizeof(*c));
		v9_object_init(&c->o);
		v9_bins_init(&c->spots, sizeof(struct spot));
		v9_bins_init(&c->paths, sizeof(struct path));
		v9_bins_init(&c->sections, sizeof(struct section));
		v9_bins_init(&c->counts, sizeof(struct count));
		v9_bins_init(&c->lineless, sizeof(uint64_t));
	}
	c->nr = c->nr_runs = 0;
	return v9_object_begin(x);
}

static void contexts_take(struct v9_export *x, const struct v9_context *from)
{
	struct contexts *c = x->state;

	*v9_vec_add(c->of, c->nr) = (struct context){
		.dso = from->dso, .parent = from->parent, .run = c->nr_runs, .nr_runs = from->nr_runs,
		.site = from->site, .entry = from->entry, .calls = from->calls,
	};
	for (size_t i = 0; i < from->nr_runs; i++) {
		const struct v9_ran_run *r = from->run[i];

		*v9_vec_add(c->run, c->nr_runs) =
			(struct run){ r->start, r->size, r->insns, r->n };
	}
}

/* ---- names and lines */

/* Length of a name without the suffixes that LLVM takes off before it looks for a profile */
static size_t plain_length(const char *name)
{
	static const char *const suffixes[] = { ".llvm.", ".part.", ".__uniq." };
	size_t len = strlen(name);

	for (size_t i = 0; i < V9_ARRAY_SIZE(suffixes); i++) {
		const size_t n = strlen(suffixes[i]);
		size_t dot = len;

		while (dot && name[dot - 1] != '.')
			dot--;
		if (dot >= n && !strncmp(name + dot - n, suffixes[i], n))
			len = dot - n;
	}
	return len;
}

/* The part of a discriminator that tells apart what is on one line; the others count copies. */
static unsigned int base_of(unsigned int d)
{
	if (d & 1)
		return 0;
	d >>= 1;
	return d & 0x20 ? (d >> 1 & 0xfe0) | (d & 0x1f) : d & 0x1f;
}

static void look_up(struct contexts *c, struct spot *s, uint64_t addr)
{
	struct v9_inline frame[MOST_INLINED];
	struct v9_object_lines *l = &c->lines;
	const size_t n = v9_lines_inlined(&l->lines, &l->dso, addr, frame, MOST_INLINED);
	struct v9_src_line line;
	char *text;
	size_t size, last = 0;
	FILE *f;

	/* The outermost function is missing if there is no room for it. */
	if (!n || n == MOST_INLINED || !v9_lines_find(&l->lines, &l->dso, addr, &line) ||
	    !line.line)
		return;
	for (size_t i = 0; i < n; i++)
		if (!frame[i].name || strpbrk(frame[i].name, "@:[]\n"))
			return;
	f = open_memstream(&text, &size);
	if (!f)
		v9_out_of_memory();
	for (size_t i = n; i--; ) {
		const struct v9_src_line *at = i ? &frame[i - 1].call : &line;
		const unsigned int base = base_of(at->discriminator);

		fprintf(f, "%s%.*s", i + 1 < n ? " @ " : "", (int)plain_length(frame[i].name),
			frame[i].name);
		fflush(f);
		last = size;
		fprintf(f, ":%u", (at->line - frame[i].decl) & LINE_MASK);
		if (base)
			fprintf(f, ".%u", base);
	}
	fclose(f);
	s->site = v9_strtab_put(&c->names, text, size);
	s->function = v9_strtab_put(&c->names, text, last);
	free(text);
}

static const struct spot *spot_of(struct contexts *c, uint64_t addr)
{
	const size_t before = c->spots.used;
	struct spot *s = v9_bins_at(&c->spots, &addr, 1);

	if (c->spots.used > before)
		look_up(c, s, addr);
	return s;
}

/* ---- adding up */

static const struct path *path_at(const struct contexts *c, uint64_t number)
{
	return v9_bins_get(&c->paths, number - 1);
}

static size_t path_of(struct contexts *c, size_t parent, const char *site)
{
	const uint64_t key[2] = { parent, (uintptr_t)site };
	struct path *p = v9_bins_at(&c->paths, key, 2);

	if (!p->number) {
		p->number = c->paths.used;
		p->depth = parent ? path_at(c, parent)->depth + 1 : 1;
	}
	return p->number;
}

static void count(struct contexts *c, size_t path, const char *function, unsigned int what,
		  uint64_t a, uint64_t b, uint64_t n)
{
	const uint64_t section[2] = { path, (uintptr_t)function };
	struct section *s = v9_bins_at(&c->sections, section, 2);
	uint64_t key[4] = { 0, what, a, b };

	if (!s->number)
		s->number = c->sections.used;
	key[0] = s->number;
	((struct count *)v9_bins_at(&c->counts, key, 4))->n += n;
}

/* Adds the instructions of a run, those of one inlined function together. */
static void add_run(struct contexts *c, size_t path, const struct run *r)
{
	/* T32 code is none of the programs that llvm-profgen reads for AArch64. */
	const bool apart = r->size == r->insns * INSN;
	const uint64_t end = r->start + r->size;
	uint64_t first = r->start;

	while (apart && first < end) {
		const char *function = spot_of(c, first)->function;
		uint64_t after = first + INSN;

		while (after < end && spot_of(c, after)->function == function)
			after += INSN;
		if (function)
			count(c, path, function, RANGES, first, after - INSN, r->n);
		else
			for (uint64_t at = first; at < after; at += INSN)
				v9_bins_at(&c->lineless, &at, 1);
		first = after;
	}
}

/*
 * Returns the callers of a context: a path that begins after the last one that is of another object
 * or has no line. *@site: where it was called; NULL: not known
 */
static size_t callers_of(struct contexts *c, const struct context *t, const struct spot **site)
{
	const struct context *caller = t->parent ? &c->of[t->parent - 1] : NULL;

	*site = caller && caller->known ? spot_of(c, t->site) : NULL;
	if (!*site || !(*site)->site)
		return *site = NULL, 0;
	return path_of(c, caller->path, (*site)->site);
}

static void add_contexts(struct v9_export *x, struct contexts *c)
{
	if (!c->opened) {
		v9_object_lines_open(&c->lines, x, &c->o);
		c->opened = true;
	}
	for (size_t i = 0; c->lines.dso.name && i < c->nr; i++) {
		struct context *t = &c->of[i];
		const struct spot *site;

		t->known = t->dso == c->o.dso;
		if (!t->known)
			continue;
		t->path = callers_of(c, t, &site);
		if (t->calls && site)
			count(c, c->of[t->parent - 1].path, site->function, BRANCHES, t->site, t->entry,
			      t->calls);
		else if (t->calls && spot_of(c, t->entry)->function)
			count(c, 0, NULL, BRANCHES, OUTSIDE, t->entry, t->calls);
		for (size_t k = 0; k < t->nr_runs; k++)
			add_run(c, t->path, &c->run[t->run + k]);
	}
}

static void contexts_end(struct v9_export *x)
{
	struct contexts *c = x->state;

	if (x->r.shard) {
		v9_error("--to %s: %s is a shard and has no calls with their places; --to llvm "
			 "takes it", x->sink->name, x->r.o.path);
		x->failed = true;
		return;
	}
	v9_object_add(x);
	if (!x->failed)
		add_contexts(x, c);
	v9_object_finish(x);
}

/* ---- the file, in the order of the text of its paths */

static const char *text_of(uint64_t address)
{
	return (const char *)(uintptr_t)address;
}

/* Paths have V9_SITES_MOST levels at most. */
static int order_paths(const struct contexts *c, uint64_t a, uint64_t b)
{
	const uint64_t depth_a = a ? path_at(c, a)->depth : 0;
	const uint64_t depth_b = b ? path_at(c, b)->depth : 0;

	for (uint64_t d = depth_a; d > depth_b; d--)
		a = path_at(c, a)->parent;
	for (uint64_t d = depth_b; d > depth_a; d--)
		b = path_at(c, b)->parent;
	if (a == b)
		return V9_ORDER(depth_a, depth_b);
	while (path_at(c, a)->parent != path_at(c, b)->parent) {
		a = path_at(c, a)->parent;
		b = path_at(c, b)->parent;
	}
	return strcmp(text_of(path_at(c, a)->site), text_of(path_at(c, b)->site));
}

static int order_sections(const void *a, const void *b, const void *arg)
{
	const struct section *x = a, *y = b;
	const int paths = order_paths(arg, x->path, y->path);

	if (paths || !x->function || !y->function)
		return paths ? paths : !!x->function - !!y->function;
	return strcmp(text_of(x->function), text_of(y->function));
}

static void put_path(FILE *f, const struct contexts *c, uint64_t number)
{
	if (!number)
		return;
	put_path(f, c, path_at(c, number)->parent);
	fprintf(f, "%s @ ", text_of(path_at(c, number)->site));
}

/* Returns the index after the counts of a section and kind that begin at @i of @all. */
static size_t end_of(void **all, size_t nr, size_t i, uint64_t section, uint64_t what)
{
	for (; i < nr; i++) {
		const struct count *n = all[i];

		if (n->key[0] != section || n->key[1] != what)
			break;
	}
	return i;
}

static void put_section(FILE *f, const struct contexts *c, const struct section *s, void **all,
			size_t at)
{
	static const char *const between[COUNTS] = { [RANGES] = "-", [BRANCHES] = "->" };

	fputc('[', f);
	put_path(f, c, s->path);
	fprintf(f, "%s]\n", s->function ? text_of(s->function) : "");
	for (unsigned int what = 0; what < COUNTS; what++) {
		const size_t end = end_of(all, c->counts.used, at, s->number, what);

		fprintf(f, "  %zu\n", end - at);
		for (; at < end; at++) {
			const struct count *n = all[at];

			fprintf(f, "  %" PRIx64 "%s%" PRIx64 ":%" PRIu64 "\n", n->key[2], between[what],
				n->key[3], n->n);
		}
	}
}

static void contexts_write(struct v9_export *x, const struct v9_export_object *o)
{
	const struct contexts *c = (const struct contexts *)o;
	void **all = v9_bins_sorted(&c->counts, 4), **sections;
	size_t *at = v9_alloc((c->sections.used + 1) * sizeof(*at)), n;

	for (size_t i = c->counts.used; i--; )
		at[((struct count *)all[i])->key[0] - 1] = i;
	sections = v9_bins_top(&c->sections, 0, NULL, order_sections, c, &n);
	for (size_t i = 0; i < n; i++) {
		const struct section *s = sections[i];

		put_section(x->f, c, s, all, at[s->number - 1]);
	}
	if (!n)
		v9_object_lineless(x, o, &c->lines);
	else if (c->lineless.used)
		v9_warn("%zu executed instructions have no line of a function and are left out",
			c->lineless.used);
	free(sections);
	free(all);
	free(at);
}

static void contexts_free(struct v9_export *x)
{
	struct contexts *c = x->state;

	if (c->opened)
		v9_object_lines_close(&c->lines);
	free(c->of);
	free(c->run);
	v9_strtab_free(&c->names);
	v9_bins_free(&c->spots);
	v9_bins_free(&c->paths);
	v9_bins_free(&c->sections);
	v9_bins_free(&c->counts);
	v9_bins_free(&c->lineless);
	v9_object_free(x);
}

const struct v9_sink v9_sink_llvm_contexts = {
	.name = "llvm-contexts", .help = "the same by path of callers, of a trace of instructions",
	.next = "llvm-profgen --unsymbolized-profile=FILE --use-offset=0 --binary=PROGRAM -o PROFILE",
	.takes = { [V9_KIND_ETE] = V9_SINK_BRANCHES | V9_SINK_CONTEXTS },
	.begin = contexts_begin, .branch = v9_object_branch, .context = contexts_take,
	.loss = v9_object_loss, .end = contexts_end, .write = contexts_write, .free = contexts_free,
};
