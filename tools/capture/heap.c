// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "heap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <v9trace/base.h>

#include "../util.h"
#include "layers.h"

#define V9_HEAP_FREED	UINT64_MAX	/* .pgoff: the process freed a block that it inherited */
#define WITHIN		4096	/* bytes of stack between a function of the allocator and one that it calls */
#define CALL_SIZE	4	/* bytes of a call instruction */
#define FORKS_MOST	64	/* that a block is inherited through: a damaged file may have a circle */

/* A step in the life of the block at an address. Steps are sorted by @order. */
struct step {
	size_t space;
	uint64_t addr, order;
	uint64_t begin, end;		/* allocated: not before, not after; freed: @end */
	const struct v9_heap_call *call;	/* that allocated; NULL: freed */
	uint32_t seq;
};

struct steps {
	struct step *v;
	size_t nr;
};

void v9_heap_add(struct v9_heap *h, const struct v9_heap_call *call)
{
	struct v9_heap_call *to = v9_vec_add(h->calls, h->nr_calls);

	*to = *call;
	to->seq = (uint32_t)h->nr_calls;
}

static int call_order(const void *a, const void *b)
{
	const struct v9_heap_call *x = a, *y = b;
	int r = V9_ORDER(x->tid, y->tid);

	if (!r)
		r = V9_ORDER(x->time, y->time);
	return r ? r : V9_ORDER(x->seq, y->seq);
}

/* A function of the allocator may call another one, or jump to it: both are one allocation. */
static bool is_nested(const struct v9_heap_call *outer, const struct v9_heap_call *c)
{
	if (!outer)
		return false;
	if (c->sp == outer->sp)
		return c->caller[0] == outer->caller[0] && c->function != outer->function;
	return c->sp < outer->sp && outer->sp - c->sp < WITHIN;
}

static void add_step(struct steps *to, size_t space, const struct step *step)
{
	struct step *s = v9_vec_add(to->v, to->nr);

	*s = *step;
	s->space = space;
	s->seq = (uint32_t)to->nr;
}

static size_t space_of(struct v9_syms *syms, uint32_t pid, uint64_t time)
{
	const struct v9_space *sp = v9_syms_space(syms, pid, time);

	return sp ? (size_t)(sp - syms->spaces) : V9_NO_SPACE;
}

/* The result of a call: of posix_memalign() it is in a variable, most often of its caller. */
static uint64_t result_of(struct v9_heap *h, const struct v9_heap_call *c, const struct v9_heap_call *ret)
{
	const uint64_t at = c->out - ret->sp;

	if (!c->out)
		return ret->result;
	if (ret->result)		/* an error */
		return 0;
	if (ret->stack && at <= V9_HEAP_STACK - sizeof(uint64_t))
		return v9_load_le(h->stacks[ret->stack - 1] + at, sizeof(uint64_t));
	h->unplaced++;
	return 0;
}

static uint64_t size_of(const struct v9_heap_call *c)
{
	uint64_t size;

	/* A call that overflows fails: it has no result. */
	return __builtin_mul_overflow(c->n, c->size, &size) ? 0 : size;
}

static void add_call(struct v9_heap *h, struct v9_syms *syms, struct steps *to,
		     const struct v9_heap_call *c, const struct v9_heap_call *ret)
{
	const uint64_t result = ret ? result_of(h, c, ret) : 0;
	const size_t space = space_of(syms, c->pid, c->time);

	if (space == V9_NO_SPACE)
		return;
	/* realloc() that fails keeps the block. It reads the old block until it returns. */
	if (c->old && (!ret || result || !size_of(c)))
		add_step(to, space, &(struct step){ .addr = c->old, .order = c->time,
				 .end = result && result != c->old ? ret->time : c->time });
	if (result)
		add_step(to, space, &(struct step){ .addr = result, .order = ret->time,
				 .begin = c->time, .end = ret->time, .call = c });
}

/* Pairs calls and returns of each thread. */
static void pair(struct v9_heap *h, struct v9_syms *syms, struct steps *to)
{
	const struct v9_heap_call *open = NULL;

	for (size_t i = 0; i < h->nr_calls; i++) {
		const struct v9_heap_call *c = &h->calls[i];

		if (open && (open->tid != c->tid || open->pid != c->pid)) {
			h->open++;
			open = NULL;
		}
		if (c->returns && open && open->sp == c->sp && open->function == c->function) {
			add_call(h, syms, to, open, c);
			open = NULL;
		} else if (c->returns) {
			h->returns += !open || c->sp > open->sp;
		} else if (!is_nested(open, c)) {
			h->open += !!open;
			open = c->frees ? NULL : c;
			if (c->frees)
				add_call(h, syms, to, c, NULL);
		}
	}
	h->open += !!open;
}

static int step_order(const void *a, const void *b)
{
	const struct step *x = a, *y = b;
	int r = V9_ORDER(x->space, y->space);

	if (!r)
		r = V9_ORDER(x->addr, y->addr);
	if (!r)
		r = V9_ORDER(x->order, y->order);
	return r ? r : V9_ORDER(x->seq, y->seq);
}

/* Appends a block, or what tells that an inherited one was freed, to the entries of its space. */
static void add_map(struct v9_heap *h, const struct step *s, uint64_t time, uint64_t size, uint64_t block)
{
	const uint64_t room = UINT64_MAX - s->addr;
	struct v9_heap_space *to = h->nr_spaces ? &h->spaces[h->nr_spaces - 1] : NULL;

	if (!to || to->space != s->space) {	/* Steps are sorted by it. */
		to = v9_vec_add(h->spaces, h->nr_spaces);
		to->space = s->space;
	}
	*v9_vec_add(to->maps, to->nr_maps) = (struct v9_map){
		.time = time, .start = s->addr, .end = s->addr + (size < room ? size : room),
		.pgoff = block };
}

/* @last: the block that was at this address before, or NULL. */
static void add_block(struct v9_heap *h, const struct step *s, struct v9_heap_block *last)
{
	const uint64_t size = size_of(s->call);
	uint64_t begin = s->begin;
	struct v9_heap_block *b;

	if (last) {
		if (last->end == UINT64_MAX) {
			h->missed++;
			last->end = begin;
		}
		/* Memory may be used again before the call that freed it returns. */
		last->end = last->end < s->end ? last->end : s->end;
		begin = begin > last->end ? begin : last->end;
	}
	add_map(h, s, begin, size, h->nr);
	b = v9_vec_add(h->blocks, h->nr);
	*b = (struct v9_heap_block){ .start = s->addr, .size = size, .begin = begin, .end = UINT64_MAX,
				     .space = s->space };
	memcpy(b->caller, s->call->caller, sizeof(b->caller));
}

/* Goes through the steps of each address, which are sorted by time. */
static void follow(struct v9_heap *h, const struct v9_syms *syms, const struct steps *steps)
{
	bool any = false;		/* block at this address */

	for (size_t i = 0; i < steps->nr; i++) {
		const struct step *s = &steps->v[i];
		struct v9_heap_block *last;

		any &= i && s->space == s[-1].space && s->addr == s[-1].addr;
		last = any ? &h->blocks[h->nr - 1] : NULL;
		if (s->call) {
			add_block(h, s, last);
			any = true;
		} else if (last && last->end == UINT64_MAX) {
			last->end = s->end;
		} else if (!last && syms->spaces[s->space].parent != V9_NO_SPACE) {
			add_map(h, s, s->end, 1, V9_HEAP_FREED);
		} else {
			h->unknown++;
		}
	}
}

static const struct v9_heap_space *entries_of(const struct v9_heap *h, size_t space)
{
	const size_t n = v9_first_entries(i, h->nr_spaces, h->spaces[i].space < space);

	return n < h->nr_spaces && h->spaces[n].space == space ? &h->spaces[n] : NULL;
}

/* Returns the latest entry of the address in a space up to @time, or NULL. */
static const struct v9_map *entry_at(const struct v9_heap *h, size_t space, uint64_t time, uint64_t addr)
{
	const struct v9_heap_space *of = entries_of(h, space);
	const struct v9_map *m = of ? v9_layers_find(&of->layers, of->maps, addr, time) : NULL;

	return m && m->time <= time ? m : NULL;
}

static const struct v9_heap_block *live(const struct v9_heap *h, const struct v9_map *m, uint64_t time)
{
	const struct v9_heap_block *b = m->pgoff == V9_HEAP_FREED ? NULL : &h->blocks[m->pgoff];

	return b && (time < b->end || b->end == UINT64_MAX) ? b : NULL;
}

/* Finds a block that a space inherited, unless it, or one that it is inherited through, freed it. */
static const struct v9_heap_block *inherited(const struct v9_heap *h, const struct v9_syms *syms,
					     size_t space, uint64_t time, uint64_t addr)
{
	const struct v9_heap_block *b = NULL;
	const struct v9_map *m = NULL;
	size_t via[FORKS_MOST];
	uint64_t until[FORKS_MOST];
	unsigned int n = 0;

	while (!m && n < FORKS_MOST && syms->spaces[space].parent != V9_NO_SPACE) {
		via[n] = space;
		until[n++] = time;
		time = syms->spaces[space].time < time ? syms->spaces[space].time : time;
		space = syms->spaces[space].parent;
		m = entry_at(h, space, time, addr);
	}
	if (m)
		b = live(h, m, time);
	while (b && n--)
		if (entry_at(h, via[n], until[n], b->start))
			b = NULL;
	return b;
}

static const struct v9_heap_block *find(const struct v9_heap *h, const struct v9_syms *syms, size_t space,
					uint64_t time, uint64_t addr)
{
	const struct v9_map *m = entry_at(h, space, time, addr);

	return m ? live(h, m, time) : inherited(h, syms, space, time, addr);
}

const struct v9_heap_block *v9_heap_find(const struct v9_heap *h, struct v9_syms *syms, uint32_t pid,
					 uint64_t time, uint64_t addr)
{
	const size_t space = h->nr ? space_of(syms, pid, time) : V9_NO_SPACE;

	return space == V9_NO_SPACE ? NULL : find(h, syms, space, time, addr);
}

/* Counts blocks that a child process frees, and that its parent did not have at the fork. */
static void check_freed(struct v9_heap *h, const struct v9_syms *syms)
{
	for (size_t i = 0; i < h->nr_spaces; i++)
		for (size_t k = 0; k < h->spaces[i].nr_maps; k++) {
			const struct v9_map *m = &h->spaces[i].maps[k];

			if (m->pgoff == V9_HEAP_FREED &&
			    !inherited(h, syms, h->spaces[i].space, m->time - !!m->time, m->start))
				h->unknown++;
		}
}

/* ---- call sites */

/* Functions that allocate for their caller */
static bool is_wrapper(const struct v9_func *f)
{
	static const char *const names[] = { "operator new", "_Znwm", "_Znam", "reallocarray" };

	for (size_t i = 0; f && i < V9_ARRAY_SIZE(names); i++)
		if (!strncmp(f->name, names[i], strlen(names[i])))
			return true;
	return false;
}

/*
 * Looks up a return address. One that was read from the stack may have an authentication code (PAC) above the
 * bits of an address, whose number the kernel's configuration decides.
 */
static void find_caller(struct v9_syms *syms, const struct v9_heap_block *b, uint64_t addr,
			struct v9_place *place)
{
	static const unsigned int bits[] = { 52, 48, 47, 42, 39, 36 };

	v9_syms_find(syms, syms->spaces[b->space].pid, b->begin, addr - CALL_SIZE, place);
	for (size_t i = 0; !place->dso && i < V9_ARRAY_SIZE(bits); i++)
		v9_syms_find(syms, syms->spaces[b->space].pid, b->begin,
			     (addr & ((UINT64_C(1) << bits[i]) - 1)) - CALL_SIZE, place);
}

static struct v9_heap_site site_of(struct v9_heap *h, struct v9_syms *syms, struct v9_lines *lines,
				   const struct v9_heap_block *b)
{
	struct v9_heap_site site = { .name = "[unknown]" };
	struct v9_place place = { .dso = NULL };
	struct v9_src_line line;
	unsigned int k = 0;
	char *text;

	if (!b->caller[0])
		return site;
	do
		find_caller(syms, b, b->caller[k], &place);
	while (is_wrapper(place.func) && ++k < V9_HEAP_CALLERS && b->caller[k]);
	text = place.func ? v9_format("%s+0x%" PRIx64, place.func->name, place.offset) :
	       v9_format("0x%" PRIx64 " in %s", place.offset, place.dso_name);
	site.name = v9_strtab_put(&h->text, text, strlen(text));
	free(text);
	if (place.dso && v9_lines_find(lines, place.dso, place.offset +
				       (place.func ? place.func->start : 0), &line) && line.line) {
		text = v9_format("%s:%u", line.file, line.line);
		site.line = v9_strtab_put(&h->text, text, strlen(text));
		free(text);
	}
	return site;
}

static int site_order(const void *a, const void *b)
{
	const struct v9_heap_block *x = *(struct v9_heap_block *const *)a;
	const struct v9_heap_block *y = *(struct v9_heap_block *const *)b;
	int r = V9_ORDER(x->space, y->space);

	for (unsigned int k = 0; !r && k < V9_HEAP_CALLERS; k++)
		r = V9_ORDER(x->caller[k], y->caller[k]);
	return r;
}

/* Looks up each call site once. */
static void find_sites(struct v9_heap *h, struct v9_syms *syms)
{
	struct v9_heap_block **by_site = v9_alloc(h->nr * sizeof(*by_site));
	struct v9_lines lines;

	v9_lines_init(&lines, syms);
	for (size_t i = 0; i < h->nr; i++)
		by_site[i] = &h->blocks[i];
	qsort(by_site, h->nr, sizeof(*by_site), site_order);
	for (size_t i = 0; i < h->nr; i++)
		by_site[i]->site = i && !site_order(&by_site[i - 1], &by_site[i]) ?
				   by_site[i - 1]->site : site_of(h, syms, &lines, by_site[i]);
	v9_lines_free(&lines);
	free(by_site);
}

void v9_heap_seal(struct v9_heap *h, struct v9_syms *syms)
{
	struct steps steps = { .nr = 0 };

	if (h->nr_calls)
		qsort(h->calls, h->nr_calls, sizeof(*h->calls), call_order);
	pair(h, syms, &steps);
	if (steps.nr)
		qsort(steps.v, steps.nr, sizeof(*steps.v), step_order);
	follow(h, syms, &steps);
	free(steps.v);
	free(h->calls);
	free(h->stacks);
	h->calls = NULL;
	h->stacks = NULL;
	h->nr_calls = h->nr_stacks = 0;
	for (size_t i = 0; i < h->nr_spaces; i++)
		v9_layers_build(&h->spaces[i].layers, h->spaces[i].maps, h->spaces[i].nr_maps);
	check_freed(h, syms);
	if (h->nr)
		find_sites(h, syms);
}

void v9_heap_free(struct v9_heap *h)
{
	for (size_t i = 0; i < h->nr_spaces; i++) {
		v9_layers_free(&h->spaces[i].layers);
		free(h->spaces[i].maps);
	}
	free(h->spaces);
	free(h->blocks);
	free(h->calls);
	free(h->stacks);
	v9_strtab_free(&h->text);
	*h = (struct v9_heap){ .nr = 0 };
}
