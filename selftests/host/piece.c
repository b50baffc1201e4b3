// SPDX-License-Identifier: GPL-2.0-only
/*
 * tools/report/piece.c: calls of random threads, cut at random places into pieces that are joined in
 * random trees, are those of the machine that sees the whole. The threads call and return, jump, throw
 * exceptions and longjmp, switch stacks, are interrupted, get signals, run other programs, and lose trace.
 */
#include <string.h>

#include "tap.h"

#include "../../tools/capture/strtab.h"
#include "../../tools/report/piece.h"
#include "../../tools/util.h"

#define KERNEL		UINT64_C(0xffff000000000000)
#define USER_FUNCS	14	/* 1 .. of user space, the others of the kernel */
#define FUNCS		20
#define STACKS		3

static uint64_t seed;

static unsigned int any(unsigned int n)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned int)(seed >> 33) % n;
}

enum kind { RANGE, BRANCH, EXCEPTION, GAP, COUNT, KINDS };

struct input {
	enum kind kind;
	struct v9_arrival at;		/* RANGE, EXCEPTION */
	uint64_t space, n, back;	/* n: instructions, cycles */
	uint32_t by;			/* BRANCH */
	bool flag;			/* GAP: a filter; COUNT: not known */
};

struct trace {
	struct input *input;
	size_t nr;
};

/* ---- threads */

struct thread {
	struct trace *t;
	uint64_t back[STACKS][256];	/* return addresses */
	size_t depth[STACKS];
	size_t stack;
	uint64_t pc, space;
};

static uint64_t start_of(size_t func)
{
	return (func > USER_FUNCS ? KERNEL : 0) | (uint64_t)func << 12;
}

static size_t func_of(uint64_t pc)
{
	return (size_t)(pc >> 12 & 0xfff);
}

static struct v9_arrival at(uint64_t pc)
{
	return (struct v9_arrival){
		.addr = pc, .func = func_of(pc), .first = !(pc & 0xfff), .kernel = pc & KERNEL,
		.final = func_of(pc) == 3,
	};
}

static void put(struct thread *d, struct input in)
{
	*v9_vec_add(d->t->input, d->t->nr) = in;
}

static void execute(struct thread *d, uint64_t pc)
{
	const uint64_t n = any(9) + 1;

	put(d, (struct input){ .kind = RANGE, .at = at(pc), .space = d->space, .n = n });
	d->pc = (pc + 4 * n) & ~UINT64_C(0xf000) & ~UINT64_C(0xfff) ? pc + 4 * n : pc;
	if (func_of(d->pc) != func_of(pc))
		d->pc = pc;
}

static void branch(struct thread *d, uint32_t by, uint64_t back)
{
	put(d, (struct input){ .kind = BRANCH, .by = by, .back = back });
}

static void call(struct thread *d, size_t func)
{
	size_t *n = &d->depth[d->stack];

	/* One of many returns to the next function. */
	const uint64_t back = any(40) ? d->pc + 4 : start_of(func_of(d->pc) % (FUNCS - 1) + 1);

	branch(d, V9_CALLS_BY_CALL, back);
	if (*n < 256)
		d->back[d->stack][(*n)++] = back;
	execute(d, start_of(func));
}

/* The function that runs returns to a caller, @up frames further out. */
static void go_back(struct thread *d, uint32_t by, size_t up)
{
	size_t *n = &d->depth[d->stack];

	if (!*n)
		return;
	*n -= up < *n ? up : *n - 1;
	branch(d, by, 0);
	execute(d, d->back[d->stack][--*n]);
}

static void interrupt(struct thread *d, uint64_t trap)
{
	put(d, (struct input){ .kind = EXCEPTION, .at = at(trap), .space = d->space });
}

static size_t like(uint64_t pc)
{
	return pc & KERNEL ? USER_FUNCS + 1 + any(FUNCS - USER_FUNCS - 1) : 1 + any(USER_FUNCS);
}

/* An exception, and what the kernel does if it is traced */
static void trap(struct thread *d, bool kernel)
{
	const uint64_t pc = d->pc;
	const unsigned int how = any(12);

	interrupt(d, pc);
	if (kernel && !(pc & KERNEL)) {
		execute(d, start_of(USER_FUNCS + 1) + (any(2) ? 0x400 : 0));
		call(d, USER_FUNCS + 2);
		if (any(2))
			call(d, USER_FUNCS + 3);
		else
			go_back(d, V9_CALLS_BY_RETURN, 0);
		d->depth[d->stack] = d->depth[d->stack] ? d->depth[d->stack] - 1 : 0;
		branch(d, V9_CALLS_BY_RETURN, 0);
	} else if (any(2)) {
		put(d, (struct input){ .kind = GAP, .flag = true });
	}
	if (how == 0)
		d->space++;
	if (how < 2) {
		execute(d, start_of(like(0)));		/* a handler, or another program */
	} else if (how == 2) {
		execute(d, d->pc + 0x40);
	} else {
		execute(d, pc);
	}
}

static void step(struct thread *d, bool kernel, unsigned int odd)
{
	const unsigned int what = any(100 + odd);

	if (what < 34) {
		call(d, like(d->pc));
	} else if (what < 66) {
		go_back(d, V9_CALLS_BY_RETURN, 0);
	} else if (what < 74) {
		execute(d, d->pc);
	} else if (what < 80) {
		put(d, (struct input){ .kind = COUNT, .n = any(100), .flag = !any(10) });
	} else if (what < 86) {
		if (any(2))
			branch(d, V9_CALLS_BY_JUMP, 0);
		execute(d, start_of(like(d->pc)));
	} else if (what < 100) {
		trap(d, kernel);
	} else if (what < 104) {
		go_back(d, any(2) ? V9_CALLS_BY_JUMP : V9_CALLS_BY_RETURN, any(5));
	} else if (what < 107) {
		/* Between a branch and its target */
		branch(d, V9_CALLS_BY_CALL, d->pc + 4);
		interrupt(d, start_of(like(d->pc)));
		execute(d, any(2) ? start_of(like(d->pc)) : d->pc);
	} else if (what < 108) {
		/* In sequence, before the first instruction of a function */
		interrupt(d, start_of(like(d->pc)));
		execute(d, any(2) ? start_of(like(d->pc)) : d->pc);
	} else if (what < 110) {
		branch(d, 1 + any(3), d->pc + 4);
		execute(d, start_of(like(d->pc)) + 4 * any(8));
	} else if (what < 113) {
		d->stack = any(STACKS);
		go_back(d, any(2) ? V9_CALLS_BY_JUMP : V9_CALLS_BY_RETURN, 0);
	} else if (what < 115) {
		put(d, (struct input){ .kind = GAP, .flag = any(2) });
		put(d, (struct input){ .kind = COUNT, .flag = true });
		if (any(3))
			execute(d, start_of(like(any(3) ? d->pc : any(2) ? KERNEL : 0)) + 4 * any(3));
	} else {
		if (any(2))
			branch(d, V9_CALLS_BY_RETURN, 0);
		put(d, (struct input){ .kind = GAP, .flag = true });
		execute(d, start_of(like(d->pc)) + 4 * any(3));
	}
}

static struct trace make(uint64_t which, size_t steps)
{
	struct trace t = { .nr = 0 };
	struct thread d = { .t = &t };
	const unsigned int odd = which % 3 ? which % 3 == 1 ? 1 : 18 : 0;

	seed = which;
	execute(&d, start_of(1) + 8);
	for (size_t i = 0; i < steps; i++)
		step(&d, which & 1, odd);
	return t;
}

/* ---- the machine that sees the whole */

struct whole {
	struct v9_calls calls;
	struct v9_call *call;
	size_t nr_call;
	uint64_t space;
	bool has_space, unknown;
	struct { size_t node; uint64_t n; } *spent;
	size_t nr_spent;
};

static void enter(void *arg, const struct v9_calls *c, struct v9_frame *f, enum v9_calls_enter how)
{
	struct whole *w = arg;

	if (how == V9_CALLS_RESUMED)
		return;
	f->user = v9_call_child(&w->call, &w->nr_call, c->nr ? c->frame[c->nr - 1].user : 0, f->func);
	w->call[f->user].calls += how != V9_CALLS_ROOT && how != V9_CALLS_PART;
}

static void arrive(struct whole *w, const struct input *in)
{
	const struct v9_calls_sink sink = { .enter = enter, .arg = w };
	struct v9_calls *c = &w->calls;

	if (!c->any || (in->at.first && c->pending & V9_CALLS_TRAPPED && in->at.addr != c->trap)) {
		if (!w->has_space || w->space != in->space)
			v9_calls_reset(c, &sink);
		w->has_space = true;
		w->space = in->space;
	}
	v9_calls_arrive(c, &sink, &in->at);
}

static void count(struct whole *w, const struct input *in)
{
	uint64_t insns = 0, seen = 0, given = 0;

	for (size_t i = 0; i < w->nr_spent; i++)
		insns += w->spent[i].n;
	for (size_t i = 0; i < w->nr_spent && !in->flag && !w->unknown && insns; i++) {
		uint64_t upto;

		seen += w->spent[i].n;
		upto = (uint64_t)((double)in->n * (double)seen / (double)insns + 0.5);
		w->call[w->spent[i].node].cycles += upto - given;
		given = upto;
	}
	w->nr_spent = 0;
	w->unknown = in->flag;
}

static void see(struct whole *w, const struct input *in)
{
	struct v9_calls *c = &w->calls;

	switch (in->kind) {
	case RANGE:
		if (c->pending || !c->any || c->now.func != in->at.func)
			arrive(w, in);
		w->call[c->now.user].self += in->n;
		if (!w->nr_spent || w->spent[w->nr_spent - 1].node != c->now.user) {
			v9_vec_add(w->spent, w->nr_spent)->node = c->now.user;
			w->spent[w->nr_spent - 1].n = 0;
		}
		w->spent[w->nr_spent - 1].n += in->n;
		break;
	case BRANCH:
		v9_calls_branch(c, in->by, in->back);
		break;
	case EXCEPTION:
		if (c->pending)
			arrive(w, in);
		v9_calls_exception(c, in->at.addr);
		break;
	case GAP:
		v9_calls_gap(c, in->flag);
		break;
	default:
		count(w, in);
	}
}

static struct whole whole_of(const struct trace *t)
{
	struct whole w = { .nr_call = 0 };

	v9_vec_add(w.call, w.nr_call);
	for (size_t i = 0; i < t->nr; i++)
		see(&w, &t->input[i]);
	return w;
}

static void free_whole(struct whole *w)
{
	v9_calls_free(&w->calls);
	free(w->call);
	free(w->spent);
}

/* ---- pieces */

static void record(struct v9_calls_piece *p, const struct input *in)
{
	switch (in->kind) {
	case RANGE:
		v9_piece_range(p, &in->at, in->space);
		v9_piece_spend(p, in->n, true);
		break;
	case BRANCH:
		v9_calls_branch(p->calls, in->by, in->back);
		break;
	case EXCEPTION:
		v9_piece_exception(p, &in->at, in->space);
		v9_calls_exception(p->calls, in->at.addr);
		break;
	case GAP:
		v9_calls_gap(p->calls, in->flag);
		break;
	default:
		v9_piece_count(p, in->flag ? V9_PIECE_UNKNOWN : V9_PIECE_COUNTED, in->n);
	}
}

static struct v9_calls_piece *piece_of(const struct trace *t, size_t from, size_t end, size_t most)
{
	struct v9_calls_piece *p = v9_alloc(sizeof(*p));

	v9_piece_init(p, false);
	p->most = most;
	for (size_t i = from; i < end; i++)
		record(p, &t->input[i]);
	return p;
}

static void drop(struct v9_calls_piece *p)
{
	v9_piece_free(p);
	free(p);
}

/* Joins @n pieces in a random tree. Frees them. The result has not ended. */
static struct v9_calls_piece *join(struct v9_calls_piece **piece, size_t n)
{
	struct v9_calls_piece *p;
	size_t half;

	if (n == 1)
		return piece[0];
	half = 1 + any((unsigned int)n - 1);
	p = join(piece, half);
	piece = piece + half;
	n -= half;
	if (any(2)) {
		/* One by one */
		for (size_t i = 0; i < n; i++) {
			v9_piece_end(piece[i]);
			v9_piece_join(p, piece[i]);
			drop(piece[i]);
		}
	} else {
		struct v9_calls_piece *next = join(piece, n);

		v9_piece_end(next);
		v9_piece_join(p, next);
		drop(next);
	}
	return p;
}

static struct v9_calls_piece *cut_and_join(const struct trace *t, size_t pieces, size_t most)
{
	struct v9_calls_piece **piece = v9_alloc(pieces * sizeof(*piece)), *p;
	size_t from = 0;

	for (size_t i = 0; i < pieces; i++) {
		const size_t end = i + 1 == pieces ? t->nr : from + any((unsigned int)(t->nr - from + 1)) /
							     (unsigned int)(pieces - i > 2 ? 2 : 1);

		piece[i] = piece_of(t, from, end, most);
		from = end;
	}
	p = join(piece, pieces);
	free(piece);
	return p;
}

static struct v9_calls_piece *resolved(const struct v9_calls_piece *p)
{
	struct v9_calls_piece *all = v9_alloc(sizeof(*all));

	v9_piece_init(all, true);
	v9_piece_join(all, p);
	return all;
}

/* ---- comparison */

static size_t *match(const struct v9_call *a, size_t nr_a, const struct v9_call *b, size_t nr_b)
{
	size_t *map = v9_alloc((nr_a + 1) * sizeof(*map)), nr = nr_b;
	struct v9_call *copy = v9_alloc(nr_b * sizeof(*copy));

	memcpy(copy, b, nr_b * sizeof(*copy));
	for (size_t i = 1; i < nr_a; i++)
		map[i] = v9_call_child(&copy, &nr, map[a[i].parent], a[i].func);
	free(copy);
	if (nr == nr_b && nr_a == nr_b)
		return map;
	free(map);
	return NULL;
}

/* Are the sums of two trees the same, and the frames that are open? */
static bool same(const struct v9_calls_piece *p, const struct whole *w)
{
	size_t *map = match(p->call, p->nr_call, w->call, w->nr_call);
	const struct v9_calls *a = p->calls, *b = &w->calls;
	bool good = map && a->nr == b->nr && a->any == b->any && a->pending == b->pending &&
		    a->nr_left == b->nr_left && a->ambiguous == b->ambiguous;

	for (size_t i = 0; good && i < p->nr_call; i++) {
		const struct v9_call *x = &p->call[i], *y = &w->call[map[i]];

		good = x->self == y->self && x->calls == y->calls && x->cycles == y->cycles;
	}
	for (size_t i = 0; good && i < a->nr; i++)
		good = a->frame[i].func == b->frame[i].func && a->frame[i].back == b->frame[i].back &&
		       map[a->frame[i].user] == b->frame[i].user;
	for (size_t i = 0; good && i < a->nr_left; i++) {
		good = a->left[i].nr == b->left[i].nr;
		for (size_t k = 0; good && k < a->left[i].nr; k++)
			good = a->left[i].frame[k].back == b->left[i].frame[k].back &&
			       map[a->left[i].frame[k].user] == b->left[i].frame[k].user;
	}
	free(map);
	return good;
}

static bool same_frames(const struct v9_frame *a, const struct v9_frame *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i].back != b[i].back || a[i].func != b[i].func || a[i].user != b[i].user ||
		    a[i].kernel != b[i].kernel || a[i].final != b[i].final)
			return false;
	return true;
}

static bool same_spent(const struct v9_spent *a, const struct v9_spent *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i].node != b[i].node || a[i].insns != b[i].insns)
			return false;
	return true;
}

static bool same_step(const struct v9_piece_step *a, const struct v9_piece_step *b)
{
	bool good = a->when == b->when && a->pending == b->pending && a->back == b->back &&
		    a->trap == b->trap && a->at.addr == b->at.addr && a->at.func == b->at.func &&
		    a->space == b->space && a->base == b->base && a->nr == b->nr &&
		    a->replaced == b->replaced && a->nr_left == b->nr_left && a->high == b->high &&
		    same_frames(a->frame, b->frame, a->nr);

	for (size_t i = 0; good && i < a->nr_left; i++)
		good = a->left[i].nr == b->left[i].nr &&
		       same_frames(a->left[i].frame, b->left[i].frame, a->left[i].nr);
	return good;
}

/* Are two pieces the same in all that is written to a file? */
static bool equal(const struct v9_calls_piece *a, const struct v9_calls_piece *b)
{
	bool good = a->nr == b->nr && a->nr_call == b->nr_call && a->nr_head == b->nr_head &&
		    a->nr_spent == b->nr_spent && a->count == b->count && a->cycles == b->cycles &&
		    a->unknown == b->unknown && same_spent(a->head, b->head, a->nr_head) &&
		    same_spent(a->spent, b->spent, a->nr_spent);

	for (size_t i = 0; good && i < a->nr; i++)
		good = same_step(&a->step[i], &b->step[i]);
	for (size_t i = 0; good && i < a->nr_call; i++)
		good = a->call[i].func == b->call[i].func && a->call[i].parent == b->call[i].parent &&
		       a->call[i].self == b->call[i].self && a->call[i].calls == b->call[i].calls &&
		       a->call[i].cycles == b->call[i].cycles;
	return good;
}

/* ---- properties */

static void random_cuts(void)
{
	unsigned int wrong = 0, other = 0, direct_wrong = 0, resumed = 0, ambiguous = 0, spaces = 0;
	size_t steps = 0, inputs = 0;

	for (uint64_t which = 1; which <= 900; which++) {
		struct trace t = make(which, which % 7 ? 60 : 600);
		struct whole want = whole_of(&t);
		struct v9_calls_piece *all = piece_of(&t, 0, t.nr, 0), *direct;

		ambiguous += want.calls.ambiguous > 0;
		resumed += want.calls.nr_left > 0;
		spaces += want.space > 0;
		inputs += t.nr;
		v9_piece_end(all);
		steps += all->nr;
		direct = resolved(all);
		direct_wrong += !same(direct, &want);
		drop(direct);
		for (unsigned int n = 2; n < 12; n += 3) {
			struct v9_calls_piece *p = cut_and_join(&t, n, 0), *r;

			v9_piece_end(p);
			r = resolved(p);
			wrong += !same(r, &want);
			other += !equal(p, all);
			drop(r);
			drop(p);
		}
		drop(all);
		free_whole(&want);
		free(t.input);
	}
	tap_eq(direct_wrong, 0, "one_piece_is_the_whole");
	tap_eq(wrong, 0, "joined_pieces_are_the_whole");
	tap_eq(other, 0, "any_tree_gives_the_same_piece");
	tap_ok(ambiguous > 50 && resumed > 50 && spaces > 50, "all_kinds_of_threads");
	tap_ok(steps * 2 < inputs, "pieces_are_smaller_than_traces");
}

/* Between any two inputs */
static void each_cut(void)
{
	unsigned int wrong = 0;

	for (uint64_t which = 2000; which < 2030; which++) {
		struct trace t = make(which, 40);
		struct whole want = whole_of(&t);

		for (size_t cut = 0; cut <= t.nr; cut++) {
			struct v9_calls_piece *a = piece_of(&t, 0, cut, 0), *b = piece_of(&t, cut, t.nr, 0), *r;

			v9_piece_end(b);
			v9_piece_join(a, b);
			v9_piece_end(a);
			r = resolved(a);
			wrong += !same(r, &want);
			drop(r);
			drop(a);
			drop(b);
		}
		free_whole(&want);
		free(t.input);
	}
	tap_eq(wrong, 0, "each_cut");
}

/* Of a program that calls, returns and is interrupted, returns from what was open before are steps. */
static void sizes(void)
{
	struct trace t = { .nr = 0 };
	struct thread d = { .t = &t };
	struct v9_calls_piece *p;
	size_t cut;

	seed = 5;
	execute(&d, start_of(1));
	for (unsigned int i = 0; i < 5; i++)
		call(&d, 2 + i);
	cut = t.nr;
	execute(&d, d.pc);
	for (unsigned int i = 0; i < 5000; i++) {
		const uint64_t pc = d.pc;

		branch(&d, V9_CALLS_BY_CALL, pc);
		execute(&d, start_of(like(0)));
		interrupt(&d, d.pc);
		put(&d, (struct input){ .kind = GAP, .flag = true });
		execute(&d, d.pc);
		put(&d, (struct input){ .kind = COUNT, .n = 7 });
		branch(&d, V9_CALLS_BY_RETURN, 0);
		execute(&d, pc);
	}
	for (unsigned int i = 0; i < 3; i++)
		go_back(&d, V9_CALLS_BY_RETURN, 0);
	p = piece_of(&t, cut, t.nr, 0);
	v9_piece_end(p);
	tap_eq(p->nr, 4, "steps_are_returns_from_what_was_open");
	tap_ok(p->nr_call < 100 && t.nr > 30000, "size");
	drop(p);
	free(t.input);
}

/* Deeper than a piece decides, and deeper than the machine keeps */
static void deep(size_t depth, const char *name)
{
	struct trace t = { .nr = 0 };
	struct thread d = { .t = &t };
	unsigned int wrong = 0;
	struct whole want;
	uint64_t back[6];

	seed = depth;
	execute(&d, start_of(1) + 8);
	for (size_t i = 0; i < depth; i++) {
		branch(&d, V9_CALLS_BY_CALL, start_of(1 + i % 2) + 0x100 + i % 64 * 4);
		execute(&d, start_of(1 + (i + 1) % 2));
	}
	/* What runs is deeper for a while. */
	for (size_t i = 0; i < 6; i++) {
		back[i] = (i ? start_of(3 + i) : d.pc) + 0x40;
		branch(&d, V9_CALLS_BY_CALL, back[i]);
		execute(&d, start_of(4 + i));
	}
	for (size_t i = 6; i--; ) {
		branch(&d, V9_CALLS_BY_RETURN, 0);
		execute(&d, back[i]);
	}
	for (size_t i = depth; i--; ) {
		branch(&d, V9_CALLS_BY_RETURN, 0);
		execute(&d, start_of(1 + i % 2) + 0x100 + i % 64 * 4);
	}
	want = whole_of(&t);
	for (unsigned int n = 1; n < 4; n++) {
		struct v9_calls_piece *p = cut_and_join(&t, n, 0), *r;

		v9_piece_end(p);
		r = resolved(p);
		wrong += !same(r, &want);
		drop(r);
		drop(p);
	}
	tap_eq(wrong, 0, "%s", name);
	free_whole(&want);
	free(t.input);
}

/* Beyond the limit callers are lost, but no instruction is, and steps are counted. */
static void limit(void)
{
	unsigned int few = 0, counted = 0, right = 0, lost = 0, tried = 0;

	for (uint64_t which = 3000; which < 3100; which++) {
		struct trace t = make(which, 300);
		uint64_t sum = 0, want = 0;
		struct v9_calls_piece *p = which & 1 ? piece_of(&t, 0, t.nr, 30) :
						 cut_and_join(&t, 5, 30), *r;
		size_t last;

		v9_piece_end(p);
		r = resolved(p);
		last = p->nr - 1 - (p->step[p->nr - 1].when == V9_PIECE_END);
		lost += p->step[last].when == V9_PIECE_CUT && r->calls->nr + 1 == p->step[last].nr;
		for (size_t i = 0; i < t.nr; i++)
			want += t.input[i].kind == RANGE ? t.input[i].n : 0;
		for (size_t i = 0; i < r->nr_call; i++)
			sum += r->call[i].self;
		few += p->nr <= 5 * 32;
		counted += p->cut > 0;
		right += sum == want;
		tried++;
		drop(r);
		drop(p);
		free(t.input);
	}
	tap_eq(few, tried, "limit_of_steps");
	tap_eq(right, tried, "limit_loses_no_instruction");
	tap_ok(counted > 50, "limit_is_counted");
	tap_eq(lost, counted, "limit_loses_callers");
}

int main(void)
{
	random_cuts();
	each_cut();
	sizes();
	deep(3000, "deep");
	deep(9000, "deeper_than_a_piece_decides");
	deep(V9_CALLS_DEPTH - 2, "as_deep_as_the_stack");
	deep(140000, "deeper_than_the_stack");
	limit();
	return tap_done();
}
