// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The file of a shard: lines of words and decimal numbers, offsets in hexadecimal. What a line
 * refers to has a line before it, whose number counts from 1 among those of its kind. Lines are
 * sorted by what they say, never by when it was added, so equal sums are equal files.
 *
 *	v9trace-shard VERSION
 *	time FIRST LAST				ns of perf's clock
 *	capture ID [PART/PARTS [paths]]
 *	lost KIND COUNT WHAT MEANING
 *	source KIND EVENT CPU PERIOD CAPTURES
 *	object BUILD-ID|- KERNEL NAME
 *	segment OBJECT OFFSET SIZE ADDRESS
 *	function OBJECT START END NAME
 *	place OBJECT OFFSET [FUNCTION]
 *	s SOURCE PLACE OPERATION DATA-SOURCE VALUE...
 *	b SOURCE FROM TO END COUNT
 *	paths SOURCE VALUE...
 *	c DEPTH PLACE VALUE...			after its caller, whose depth is one less
 *	piece ID PART THREAD TIME LAST-TIME STREAM OFFSET SOURCE COUNT CYCLES UNKNOWN
 *	step WHEN PENDING BACK TRAP ADDRESS PLACE START FLAGS SPACE REPLACED HIGH VALUE...
 *	n DEPTH PLACE START VALUE...		called by what runs after the step; below "up" by its callers
 *	f NODE BACK FLAGS			a frame that is open at the end; below "left" of a stack that was left
 *	h NODE COUNT				executed before the first cycle count; "t": after the last one
 *	end CRC					of all lines before
 *
 * In a word, a space, a control character and % are written as %XX. "-" is a word that is not known, "%"
 * an empty one. Nodes have numbers from 1 in each piece, of which each step has two before its lines: that
 * of what runs after it, and that of its callers. A file without parts that have call paths is of version
 * 1, for older programs.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "../util.h"
#include "shard.h"

#define MAGIC		"v9trace-shard "
#define VERSION		2	/* 1: without call paths of parts */
#define LINE_MOST	65536
#define PARTS_MOST	1000000

/* ---- the order of lines */

#define KEY	5

/* Flags of frames and arrivals */
enum { FIRST = 1, KERNEL = 2, FINAL = 4, FLAGS = 7 };

/* A row with what it is sorted by */
struct row {
	uint64_t key[KEY];
	uint64_t number;
};

/* What a number becomes in the file: the rank of a string, the line of an object, place, source */
struct order {
	const struct v9_shard *s;
	uint64_t *string, *object, *place, *source;
	bool *used_object, *used_place;		/* by number: a sum or a piece refers to it */
};

typedef void key_fn(const struct order *o, const void *bin, uint64_t key[KEY]);

static struct row *sorted(const struct order *o, const struct v9_bins *b, key_fn *key_of)
{
	struct row *rows = v9_alloc((b->used + 1) * sizeof(*rows));

	for (size_t i = 0; i < b->used; i++) {
		rows[i].number = i + 1;
		key_of(o, v9_bins_get(b, i), rows[i].key);
	}
	v9_sort_words((uint64_t *)rows, b->used, sizeof(*rows) / sizeof(uint64_t), KEY);
	return rows;
}

/* Removes the rows that nothing refers to. Returns how many are left. */
static size_t keep_used(struct row *rows, size_t n, const bool *used)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (used[rows[i].number])
			rows[kept++] = rows[i];
	return kept;
}

/* Returns the line of each of @all numbers. */
static uint64_t *lines_of(const struct row *rows, size_t n, size_t all)
{
	uint64_t *line = v9_alloc((all + 1) * sizeof(*line));

	for (size_t i = 0; i < n; i++)
		line[rows[i].number] = i + 1;
	return line;
}

struct string {
	const char *text;
	uint64_t number;
};

static int string_order(const void *a, const void *b)
{
	return strcmp(((const struct string *)a)->text, ((const struct string *)b)->text);
}

static uint64_t *rank_strings(const struct v9_shard *s)
{
	struct string *all = v9_alloc((s->nr_strings + 1) * sizeof(*all));
	uint64_t *rank = v9_alloc((s->nr_strings + 1) * sizeof(*rank));

	for (size_t i = 0; i < s->nr_strings; i++)
		all[i] = (struct string){ s->strings[i], i + 1 };
	qsort(all, s->nr_strings, sizeof(*all), string_order);
	for (size_t i = 0; i < s->nr_strings; i++)
		rank[all[i].number] = i + 1;
	free(all);
	return rank;
}

#define KEY_OF(name, type, ...) \
	static void name##_key(const struct order *o, const void *bin, uint64_t key[KEY]) \
	{ \
		const struct type *r = bin; \
		const uint64_t words[] = { __VA_ARGS__ }; \
		\
		memcpy(key, words, sizeof(words)); \
	}
KEY_OF(capture, v9_shard_capture, o->string[r->id], r->part)
KEY_OF(loss, v9_shard_loss, o->string[r->kind], o->string[r->what], o->string[r->meaning])
KEY_OF(source, v9_shard_source, o->string[r->kind], o->string[r->event], o->string[r->cpu], r->period)
KEY_OF(object, v9_shard_object, o->string[r->id], o->string[r->path], r->kernel)
KEY_OF(segment, v9_shard_segment, o->object[r->object], r->offset, r->size, r->addr)
KEY_OF(function, v9_shard_function, o->object[r->object], r->start)
KEY_OF(place, v9_shard_place, o->object[r->object], o->string[r->function], r->offset)
KEY_OF(spe, v9_shard_spe, o->source[r->source], o->place[r->place], o->string[r->op],
       o->string[r->from])
KEY_OF(branch, v9_shard_branch, o->source[r->source], o->place[r->from], o->place[r->to],
       o->place[r->end])
/* Children of one caller lie together. */
KEY_OF(call, v9_shard_call, r->parent, o->source[r->source], o->place[r->place])

/* ---- writing */

struct writer {
	const struct v9_shard *s;
	FILE *f;
	uLong crc;
	char *line;			/* lines that are not written yet, and room for one more */
	size_t n;
};

static void put_number(struct writer *w, uint64_t v)
{
	w->line[w->n++] = ' ';
	w->n += v9_decimal(w->line + w->n, v);
}

static void put_hex(struct writer *w, uint64_t v)
{
	w->line[w->n++] = ' ';
	w->n += v9_hex(w->line + w->n, v);
}

/* A string has at most a third of what a line has room for, see v9_shard_string(). */
static void put_word(struct writer *w, uint64_t string)
{
	const char *p = v9_shard_text(w->s, string);

	w->line[w->n++] = ' ';
	if (!p || !strcmp(p, "-"))
		w->n += (size_t)sprintf(w->line + w->n, p ? "%%2d" : "-");
	else if (!*p)
		w->line[w->n++] = '%';
	else
		for (; *p; p++) {
			if ((unsigned char)*p <= ' ' || *p == 0x7f || *p == '%')
				w->n += (size_t)sprintf(w->line + w->n, "%%%02x", (unsigned char)*p);
			else
				w->line[w->n++] = *p;
		}
}

static void put_values(struct writer *w, const uint64_t *value, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		put_number(w, value[i]);
}

static void begin(struct writer *w, const char *word)
{
	const size_t n = strlen(word);

	memcpy(w->line + w->n, word, n);
	w->n += n;
}

static void flush(struct writer *w)
{
	w->crc = crc32(w->crc, (const Bytef *)w->line, (uInt)w->n);
	fwrite(w->line, 1, w->n, w->f);
	w->n = 0;
}

static void end(struct writer *w)
{
	w->line[w->n++] = '\n';
	if (w->n > LINE_MOST)
		flush(w);
}

/* A capture of which all parts are here is whole: its parts have no lines. */
static void write_captures(struct writer *w, const struct order *o)
{
	const struct v9_bins *b = &w->s->captures;
	struct row *rows = sorted(o, b, capture_key);

	for (size_t i = 0; i < b->used; ) {
		const struct v9_shard_capture *c = v9_shard_row(b, rows[i].number), *next;
		size_t here = 1;

		while (i + here < b->used &&
		       (next = v9_shard_row(b, rows[i + here].number))->id == c->id)
			here++;
		for (size_t k = 0; k < here; k++) {
			next = v9_shard_row(b, rows[i + k].number);
			if (here == c->parts && k)
				break;
			begin(w, "capture");
			put_word(w, c->id);
			if (here < c->parts)
				w->n += (size_t)sprintf(w->line + w->n, " %" PRIu64 "/%" PRIu64 "%s",
							next->part, next->parts, next->paths ? " paths" : "");
			end(w);
		}
		i += here;
	}
	free(rows);
}

static void write_losses(struct writer *w, const struct order *o)
{
	struct row *rows = sorted(o, &w->s->losses, loss_key);

	for (size_t i = 0; i < w->s->losses.used; i++) {
		const struct v9_shard_loss *l = v9_shard_row(&w->s->losses, rows[i].number);

		begin(w, "lost");
		put_word(w, l->kind);
		put_number(w, l->n);
		put_word(w, l->what);
		put_word(w, l->meaning);
		end(w);
	}
	free(rows);
}

static void write_sources(struct writer *w, struct order *o)
{
	struct row *rows = sorted(o, &w->s->sources, source_key);

	o->source = lines_of(rows, w->s->sources.used, w->s->sources.used);
	for (size_t i = 0; i < w->s->sources.used; i++) {
		const struct v9_shard_source *r = v9_shard_row(&w->s->sources, rows[i].number);

		begin(w, "source");
		put_word(w, r->kind);
		put_word(w, r->event);
		put_word(w, r->cpu);
		put_number(w, r->period);
		put_number(w, r->captures);
		end(w);
	}
	free(rows);
}

static void write_segments(struct writer *w, const struct order *o)
{
	struct row *rows = sorted(o, &w->s->segments, segment_key);

	for (size_t i = 0; i < w->s->segments.used; i++) {
		const struct v9_shard_segment *r = v9_shard_row(&w->s->segments, rows[i].number);

		if (!o->used_object[r->object])
			continue;
		begin(w, "segment");
		put_number(w, o->object[r->object]);
		put_hex(w, r->offset);
		put_hex(w, r->size);
		put_hex(w, r->addr);
		end(w);
	}
	free(rows);
}

/* Is one of the places, which are sorted, in a function? */
static bool has_place(const struct order *o, const struct row *places, size_t n,
		      const struct v9_shard_function *f)
{
	const uint64_t object = o->object[f->object];
	const size_t i = v9_first_entries(k, n, places[k].key[0] < object ||
						(places[k].key[0] == object && !places[k].key[1] &&
						 places[k].key[2] < f->start));

	return i < n && places[i].key[0] == object && !places[i].key[1] && places[i].key[2] < f->end;
}

/* Those in which a place is */
static void write_functions(struct writer *w, const struct order *o, const struct row *places, size_t n)
{
	struct row *rows = sorted(o, &w->s->functions, function_key);

	for (size_t i = 0; i < w->s->functions.used; i++) {
		const struct v9_shard_function *r = v9_shard_row(&w->s->functions, rows[i].number);

		if (!o->used_object[r->object] || (o->s->resolved && !has_place(o, places, n, r)))
			continue;
		begin(w, "function");
		put_number(w, o->object[r->object]);
		put_hex(w, r->start);
		put_hex(w, r->end);
		put_word(w, r->name);
		end(w);
	}
	free(rows);
}

static void write_places(struct writer *w, struct order *o)
{
	struct row *rows = sorted(o, &w->s->objects, object_key);
	size_t n = keep_used(rows, w->s->objects.used, o->used_object);

	o->object = lines_of(rows, n, w->s->objects.used);
	for (size_t i = 0; i < n; i++) {
		const struct v9_shard_object *r = v9_shard_row(&w->s->objects, rows[i].number);

		begin(w, "object");
		put_word(w, r->id);
		put_number(w, r->kernel);
		put_word(w, r->name);
		end(w);
	}
	free(rows);
	write_segments(w, o);
	rows = sorted(o, &w->s->places, place_key);
	n = keep_used(rows, w->s->places.used, o->used_place);
	write_functions(w, o, rows, n);
	o->place = lines_of(rows, n, w->s->places.used);
	for (size_t i = 0; i < n; i++) {
		const struct v9_shard_place *r = v9_shard_row(&w->s->places, rows[i].number);

		begin(w, "place");
		put_number(w, o->object[r->object]);
		put_hex(w, r->offset);
		if (r->function)
			put_word(w, r->function);
		end(w);
	}
	free(rows);
}

static void write_sums(struct writer *w, const struct order *o)
{
	struct row *rows = sorted(o, &w->s->spe, spe_key);

	for (size_t i = 0; i < w->s->spe.used; i++) {
		const struct v9_shard_spe *r = v9_shard_row(&w->s->spe, rows[i].number);

		begin(w, "s");
		put_number(w, o->source[r->source]);
		put_number(w, o->place[r->place]);
		put_word(w, r->op);
		put_word(w, r->from);
		put_values(w, r->value, V9_SHARD_SPE);
		end(w);
	}
	free(rows);
	rows = sorted(o, &w->s->branches, branch_key);
	for (size_t i = 0; i < w->s->branches.used; i++) {
		const struct v9_shard_branch *r = v9_shard_row(&w->s->branches, rows[i].number);

		begin(w, "b");
		put_number(w, o->source[r->source]);
		put_number(w, o->place[r->from]);
		put_number(w, o->place[r->to]);
		put_number(w, o->place[r->end]);
		put_number(w, r->n);
		end(w);
	}
	free(rows);
}

static void write_call(struct writer *w, const struct order *o, const struct v9_shard_call *c)
{
	begin(w, c->depth ? "c" : "paths");
	put_number(w, c->depth ? c->depth : o->source[c->source]);
	if (c->depth)
		put_number(w, o->place[c->place]);
	put_values(w, c->value, V9_SHARD_CALLS);
	end(w);
}

/* Callers before callees: a stack of positions in place of recursion. */
static void write_calls(struct writer *w, const struct order *o)
{
	const struct v9_bins *b = &w->s->calls;
	struct row *rows = sorted(o, b, call_key);
	size_t at[V9_SHARD_DEPTH + 2] = { 0 };
	size_t depth = 0;
	uint64_t parent[V9_SHARD_DEPTH + 2] = { 0 };

	while (b->used) {
		const size_t i = at[depth];

		if (i == b->used || rows[i].key[0] != parent[depth]) {
			if (!depth--)
				break;
			continue;
		}
		write_call(w, o, v9_shard_row(b, rows[i].number));
		at[depth]++;
		parent[++depth] = rows[i].number;
		at[depth] = v9_first_entries(k, b->used, rows[k].key[0] < rows[i].number);
	}
	free(rows);
}

/* ---- writing pieces */

static void put_code(struct writer *w, const struct order *o, uint64_t number)
{
	const struct v9_shard_code *c = v9_shard_row(&w->s->codes, number);

	put_number(w, c ? o->place[c->place] : 0);
	put_hex(w, c ? c->start : 0);
}

static void put_sums(struct writer *w, const struct v9_call *c)
{
	put_number(w, c->self);
	put_number(w, c->cycles);
	put_number(w, c->calls);
}

/* A node that is to be written */
struct node {
	uint64_t key[2];		/* of its function: what siblings are sorted by */
	uint64_t node, depth;
};

/* The nodes of a piece while it is written */
struct nodes {
	const struct v9_calls_piece *p;
	uint64_t *number;		/* in the file */
	uint64_t nr;			/* of those that have one */
	struct node *left;
	size_t nr_left;
};

/* Adds the children of a node to those that are left to write, the first one last. */
static void add_children(const struct order *o, struct nodes *n, uint64_t node, uint64_t depth)
{
	const size_t first = n->nr_left;

	for (size_t i = n->p->call[node].child; i; i = n->p->call[i].next) {
		const struct v9_shard_code *c = v9_shard_row(&o->s->codes, n->p->call[i].func);

		*v9_vec_add(n->left, n->nr_left) = (struct node){
			{ c ? o->place[c->place] : 0, c ? c->start : 0 }, i, depth + 1 };
	}
	if (n->nr_left - first > 1)
		v9_sort_words(n->left[first].key, n->nr_left - first, sizeof(*n->left) / sizeof(uint64_t), 2);
	for (size_t a = first, b = n->nr_left; a + 1 < b; a++) {
		const struct node moved = n->left[a];

		n->left[a] = n->left[--b];
		n->left[b] = moved;
	}
}

static void write_nodes(struct writer *w, const struct order *o, struct nodes *n, uint64_t root)
{
	add_children(o, n, root, 0);
	while (n->nr_left) {
		const struct node at = n->left[--n->nr_left];

		n->number[at.node] = ++n->nr;
		begin(w, "n");
		put_number(w, at.depth);
		put_code(w, o, n->p->call[at.node].func);
		put_sums(w, &n->p->call[at.node]);
		end(w);
		add_children(o, n, at.node, at.depth);
	}
}

static void write_frames(struct writer *w, const struct nodes *n, const struct v9_frame *f, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		begin(w, "f");
		put_number(w, n->number[f[i].user]);
		put_hex(w, f[i].back);
		put_number(w, (f[i].kernel ? KERNEL : 0) | (f[i].final ? FINAL : 0));
		end(w);
	}
}

static void write_step(struct writer *w, const struct order *o, struct nodes *n,
		       const struct v9_piece_step *s)
{
	begin(w, "step");
	put_number(w, s->when);
	put_number(w, s->pending);
	put_hex(w, s->back);
	put_hex(w, s->trap);
	put_hex(w, s->at.addr);
	put_code(w, o, s->at.func);
	put_number(w, (s->at.first ? FIRST : 0) | (s->at.kernel ? KERNEL : 0) | (s->at.final ? FINAL : 0));
	put_number(w, s->space);
	put_number(w, s->replaced);
	put_number(w, s->high);
	put_sums(w, &n->p->call[s->base]);
	end(w);
	n->number[s->base] = ++n->nr;
	n->number[s->base + 1] = ++n->nr;
	write_nodes(w, o, n, s->base);
	if (n->p->call[s->base + 1].child) {
		begin(w, "up");
		end(w);
		write_nodes(w, o, n, s->base + 1);
	}
	write_frames(w, n, s->frame, s->nr);
	for (size_t i = 0; i < s->nr_left; i++) {
		begin(w, "left");
		end(w);
		write_frames(w, n, s->left[i].frame, s->left[i].nr);
	}
}

static void write_spent(struct writer *w, const struct nodes *n, const char *word,
			const struct v9_spent *spent, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		begin(w, word);
		put_number(w, n->number[spent[i].node]);
		put_number(w, spent[i].insns);
		end(w);
	}
}

static void write_piece(struct writer *w, const struct order *o, const struct v9_shard_piece *p)
{
	const uint64_t place[] = { p->part, p->tid, p->time, p->until, p->stream, p->offset };
	struct nodes n = { .p = &p->calls, .number = v9_alloc(p->calls.nr_call * sizeof(*n.number)) };

	begin(w, "piece");
	put_word(w, p->capture);
	put_values(w, place, sizeof(place) / sizeof(*place));
	put_number(w, o->source[p->source]);
	put_number(w, p->calls.count);
	put_number(w, p->calls.cycles);
	put_number(w, p->calls.unknown);
	end(w);
	for (size_t i = 0; i < p->calls.nr; i++)
		write_step(w, o, &n, &p->calls.step[i]);
	write_spent(w, &n, "h", p->calls.head, p->calls.nr_head);
	write_spent(w, &n, "t", p->calls.spent, p->calls.nr_spent);
	free(n.left);
	free(n.number);
}

static void write_pieces(struct writer *w, const struct order *o)
{
	enum { WORDS = 6 };
	uint64_t *rows = v9_alloc((w->s->nr_pieces + 1) * (WORDS + 1) * sizeof(*rows));

	for (size_t i = 0; i < w->s->nr_pieces; i++) {
		const struct v9_shard_piece *p = &w->s->pieces[i];
		const uint64_t row[WORDS + 1] = {
			o->string[p->capture], p->tid, p->time, p->stream, p->offset, p->part, i };

		memcpy(rows + i * (WORDS + 1), row, sizeof(row));
	}
	v9_sort_words(rows, w->s->nr_pieces, WORDS + 1, WORDS);
	for (size_t i = 0; i < w->s->nr_pieces; i++)
		write_piece(w, o, &w->s->pieces[rows[i * (WORDS + 1) + WORDS]]);
	free(rows);
}

/* ---- what is written: places that only pieces referred to are not, after these were resolved */

static void use_code(struct order *o, uint64_t number)
{
	const struct v9_shard_code *c = v9_shard_row(&o->s->codes, number);

	if (c)
		o->used_place[c->place] = true;
}

static void use_piece(struct order *o, const struct v9_calls_piece *p)
{
	for (size_t i = 0; i < p->nr_call; i++)
		use_code(o, p->call[i].func);
	for (size_t i = 0; i < p->nr; i++)
		use_code(o, p->step[i].at.func);
}

static void find_used(struct order *o)
{
	const struct v9_shard *s = o->s;

	o->used_place = v9_alloc((s->places.used + 1) * sizeof(bool));
	o->used_object = v9_alloc((s->objects.used + 1) * sizeof(bool));
	if (!s->resolved) {
		memset(o->used_place, true, s->places.used + 1);
		memset(o->used_object, true, s->objects.used + 1);
		return;
	}
	for (size_t i = 0; i < s->spe.used; i++)
		o->used_place[((const struct v9_shard_spe *)v9_bins_get(&s->spe, i))->place] = true;
	for (size_t i = 0; i < s->branches.used; i++) {
		const struct v9_shard_branch *b = v9_bins_get(&s->branches, i);

		o->used_place[b->from] = o->used_place[b->to] = o->used_place[b->end] = true;
	}
	for (size_t i = 0; i < s->calls.used; i++)
		o->used_place[((const struct v9_shard_call *)v9_bins_get(&s->calls, i))->place] = true;
	for (size_t i = 0; i < s->nr_pieces; i++)
		use_piece(o, &s->pieces[i].calls);
	for (size_t i = 0; i < s->places.used; i++) {
		const struct v9_shard_place *p = v9_bins_get(&s->places, i);

		if (o->used_place[p->number])
			o->used_object[p->object] = true;
	}
}

void v9_shard_write(const struct v9_shard *s, FILE *f)
{
	struct writer w = { .s = s, .f = f, .line = v9_alloc(2 * LINE_MOST) };
	struct order o = { .s = s, .string = rank_strings(s) };

	find_used(&o);
	w.n = (size_t)sprintf(w.line, MAGIC "%d", v9_shard_divided(s) ? VERSION : 1);
	end(&w);
	if (s->has_time) {
		begin(&w, "time");
		put_number(&w, s->first);
		put_number(&w, s->last);
		end(&w);
	}
	write_captures(&w, &o);
	write_losses(&w, &o);
	write_sources(&w, &o);
	write_places(&w, &o);
	write_sums(&w, &o);
	write_calls(&w, &o);
	write_pieces(&w, &o);
	flush(&w);
	fprintf(f, "end %08lx\n", w.crc);
	free(o.string);
	free(o.source);
	free(o.object);
	free(o.place);
	free(o.used_object);
	free(o.used_place);
	free(w.line);
}

/* ---- reading */

struct reader {
	struct v9_shard *s;
	const char *path;
	FILE *f;
	char *line, *p;
	uint64_t at;			/* number of the line */
	uLong crc;
	const char *why;		/* what is wrong with it, or NULL */
	bool said, ended;
	/* line in the file -> number in the shard */
	uint64_t *object, *place, *source;
	size_t nr_objects, nr_places, nr_sources;
	uint64_t path_source, parent[V9_SHARD_DEPTH + 1];
	uint64_t depth;			/* of the call before, + 1; 0: no paths */
	/* The piece that is read */
	struct v9_shard_piece piece;	/* .capture 0: none */
	size_t *node;			/* number in the file, less 1 -> node */
	size_t nr_nodes;
	size_t *above;			/* the node before, and its callers, by depth */
	size_t nr_above;
	bool left;			/* frames are those of a stack that was left */
};

static void wrong(struct reader *r, const char *why)
{
	if (!r->why)
		r->why = why;
}

/* Returns the next word of the line with its end cut off, or NULL if there is none. */
static char *raw(struct reader *r)
{
	char *word = r->p;

	if (!word || !*word)
		return NULL;
	r->p = strchr(word, ' ');
	if (r->p)
		*r->p++ = '\0';
	return word;
}

static uint64_t number_in(struct reader *r, unsigned int base)
{
	const char *p = raw(r);
	uint64_t v = 0;

	if (!p || !*p)
		wrong(r, "a number is missing");
	for (; p && *p && !r->why; p++) {
		const unsigned int digit = *p >= '0' && *p <= '9' ? (unsigned int)(*p - '0') :
					   *p >= 'a' && *p <= 'f' ? (unsigned int)(*p - 'a') + 10 : 16;

		if (digit >= base || v > (UINT64_MAX - digit) / base)
			wrong(r, "a number is wrong");
		else
			v = v * base + digit;
	}
	return v;
}

static uint64_t number(struct reader *r)
{
	return number_in(r, 10);
}

/* Returns a word, decoded; NULL if it is not known or, after wrong(), missing. */
static const char *word(struct reader *r)
{
	char *from = raw(r), *to = from, *start = from;

	if (!from || !*from)
		wrong(r, "a word is missing");
	if (!from || !strcmp(from, "-"))
		return NULL;
	if (!strcmp(from, "%"))
		return "";
	while (*from) {
		char hex[3] = { 0 };

		if (*from != '%') {
			*to++ = *from++;
			continue;
		}
		if (!isxdigit((unsigned char)from[1]) || !isxdigit((unsigned char)from[2])) {
			wrong(r, "a character is wrong");
			return NULL;
		}
		memcpy(hex, from + 1, 2);
		*to = (char)strtoul(hex, NULL, 16);
		if (!*to++) {
			wrong(r, "a character is wrong");
			return NULL;
		}
		from += 3;
	}
	*to = '\0';
	return start;
}

/* A word that has to be known */
static const char *name(struct reader *r)
{
	const char *s = word(r);

	if (!s)
		wrong(r, "a word is missing");
	return s ? s : "";
}

/* Returns the number in the shard of what has line @i of its kind; 0 for 0 if that is permitted. */
static uint64_t known(struct reader *r, const uint64_t *lines, size_t n, bool none)
{
	const uint64_t i = number(r);

	if (i > n || (!i && !none))
		wrong(r, "it refers to a line that is not there");
	return i && !r->why ? lines[i - 1] : 0;
}

static uint64_t known_source(struct reader *r)
{
	return known(r, r->source, r->nr_sources, false);
}

static uint64_t known_place(struct reader *r, bool none)
{
	return known(r, r->place, r->nr_places, none);
}

static void values(struct reader *r, uint64_t *value, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		value[i] = number(r);
}

/*
 * Strings of a line are put into the shard when they are read: the text of the line lasts. What a
 * line says is added only if all of it can be read.
 */
static void read_time(struct reader *r)
{
	const uint64_t first = number(r), last = number(r);

	if (first > last)
		wrong(r, "the end is before the begin");
	if (!r->why)
		v9_shard_time(r->s, first, last);
}

static void read_capture(struct reader *r)
{
	const char *id = name(r);
	uint64_t part = 1, parts = 1;
	char *slash = r->p ? strchr(r->p, '/') : NULL;
	bool paths = false;

	if (slash) {
		*slash = ' ';
		part = number(r);
		parts = number(r);
		if (!part || part > parts || parts < 2 || parts > PARTS_MOST)
			wrong(r, "there is no such part");
		paths = r->p;
		if (paths && strcmp(name(r), "paths"))
			wrong(r, "a word is wrong");
	}
	if (!r->why && !v9_shard_capture(r->s, r->path, id, part, parts, paths)) {
		r->said = true;
		wrong(r, "");
	}
}

static void read_lost(struct reader *r)
{
	const char *kind = name(r);
	const uint64_t n = number(r);
	const char *what = name(r), *meaning = word(r);

	if (!r->why)
		v9_shard_loss(r->s, kind, what, meaning, n);
}

static void read_source(struct reader *r)
{
	const char *kind = name(r), *event = word(r), *cpu = word(r);
	const uint64_t period = number(r), captures = number(r);

	if (!r->why)
		*v9_vec_add(r->source, r->nr_sources) =
			v9_shard_source(r->s, kind, event, cpu, period, captures);
}

static void read_object(struct reader *r)
{
	const char *id = word(r);
	const uint64_t kernel = number(r);
	const char *called = name(r);

	if (kernel > 1)
		wrong(r, "a number is wrong");
	if (!r->why)
		*v9_vec_add(r->object, r->nr_objects) = v9_shard_object(r->s, id, called, kernel);
}

static void read_segment(struct reader *r)
{
	const uint64_t object = known(r, r->object, r->nr_objects, false);
	const uint64_t offset = number_in(r, 16), size = number_in(r, 16), addr = number_in(r, 16);

	if (!r->why)
		v9_shard_segment(r->s, object, offset, size, addr);
}

static void read_function(struct reader *r)
{
	const uint64_t object = known(r, r->object, r->nr_objects, false);
	const uint64_t start = number_in(r, 16), last = number_in(r, 16);
	const char *called = name(r);

	if (!r->why)
		v9_shard_function(r->s, object, start, last, called);
}

static void read_place(struct reader *r)
{
	const uint64_t object = known(r, r->object, r->nr_objects, false);
	const uint64_t offset = number_in(r, 16);
	const char *function = r->p ? name(r) : NULL;

	if (!r->why)
		*v9_vec_add(r->place, r->nr_places) = v9_shard_place(r->s, object, function, offset);
}

static void read_spe(struct reader *r)
{
	const uint64_t source = known_source(r), place = known_place(r, false);
	const char *op = word(r), *from = word(r);
	uint64_t value[V9_SHARD_SPE];

	values(r, value, V9_SHARD_SPE);
	if (!r->why)
		v9_shard_spe(r->s, source, place, op, from, value);
}

static void read_branch(struct reader *r)
{
	const uint64_t source = known_source(r), from = known_place(r, true);
	const uint64_t to = known_place(r, true), last = known_place(r, true), n = number(r);

	if (!r->why)
		v9_shard_branch(r->s, source, from, to, last, n);
}

static void add_call(struct reader *r, uint64_t depth, uint64_t place)
{
	uint64_t value[V9_SHARD_CALLS], call;

	values(r, value, V9_SHARD_CALLS);
	if (r->why)
		return;
	call = v9_shard_call(r->s, r->path_source, depth ? r->parent[depth - 1] : 0, place);
	v9_shard_called(r->s, call, value);
	r->parent[depth] = call;
	r->depth = depth + 1;
}

static void read_paths(struct reader *r)
{
	r->path_source = known_source(r);
	add_call(r, 0, 0);
}

static void read_call(struct reader *r)
{
	const uint64_t depth = number(r), place = known_place(r, false);

	if (!depth || depth > r->depth || depth > V9_SHARD_DEPTH)
		wrong(r, "its caller is missing");
	add_call(r, depth, place);
}

/* ---- reading pieces */

static bool flag(struct reader *r)
{
	const uint64_t n = number(r);

	if (n > 1)
		wrong(r, "a number is wrong");
	return n;
}

static uint64_t less_than(struct reader *r, uint64_t end)
{
	const uint64_t n = number(r);

	if (n >= end)
		wrong(r, "a number is wrong");
	return n;
}

/* Adds the piece that was read. */
static void end_piece(struct reader *r)
{
	if (r->piece.capture && !r->why)
		v9_shard_piece(r->s, &r->piece);
	else
		v9_piece_free(&r->piece.calls);
	memset(&r->piece, 0, sizeof(r->piece));
	r->nr_nodes = r->nr_above = 0;
}

/* Pieces are sorted, and of parts that are here. */
static bool follows(struct reader *r, const struct v9_shard_piece *p, const struct v9_shard_piece *next)
{
	const uint64_t key[2] = { next->capture, next->part };
	const struct v9_shard_capture *c = v9_bins_find(&r->s->captures, key, 2);
	const int order = !p->capture ? 1 : strcmp(v9_shard_text(r->s, next->capture),
						   v9_shard_text(r->s, p->capture));

	if (!c || !c->paths)
		return false;
	return order ? order > 0 : p->tid != next->tid ? p->tid < next->tid :
				   v9_shard_piece_order(p, next) < 0;
}

static void read_piece(struct reader *r)
{
	struct v9_shard_piece p = { .capture = v9_shard_string(r->s, name(r)) };
	struct v9_shard_piece before = r->piece;
	uint64_t place[6];

	values(r, place, 6);
	p.part = place[0];
	p.tid = place[1];
	p.time = place[2];
	p.until = place[3];
	p.stream = place[4];
	p.offset = place[5];
	p.source = known_source(r);
	if (!r->why && !follows(r, &before, &p))
		wrong(r, "it is not in order, or its part is not here");
	end_piece(r);
	v9_piece_init(&p.calls, false);
	p.calls.count = (enum v9_piece_count)less_than(r, V9_PIECE_COUNTS);
	p.calls.cycles = number(r);
	p.calls.unknown = flag(r);
	v9_piece_end(&p.calls);
	r->piece = p;
}

static uint64_t code(struct reader *r, bool none)
{
	const uint64_t place = known_place(r, none), start = number_in(r, 16);

	return r->why || !place ? 0 : v9_shard_code(r->s, place, start);
}

static void add_node(struct reader *r, size_t node, const uint64_t sums[3])
{
	struct v9_call *c = &r->piece.calls.call[node];

	c->self += sums[0];
	c->cycles += sums[1];
	c->calls += sums[2];
	*v9_vec_add(r->node, r->nr_nodes) = node;
}

static size_t new_root(struct v9_calls_piece *p, uint64_t func)
{
	v9_vec_add(p->call, p->nr_call)->func = func;
	return p->nr_call - 1;
}

/* What follows is below @node. */
static void go_below(struct reader *r, size_t node)
{
	r->nr_above = 0;
	*v9_vec_add(r->above, r->nr_above) = node;
}

static void read_step(struct reader *r)
{
	struct v9_piece_step s = { .when = (enum v9_piece_when)less_than(r, V9_PIECE_WHENS) };
	struct v9_calls_piece *p = &r->piece.calls;
	uint64_t flags, sums[3];

	s.pending = (uint32_t)less_than(r, 2 * V9_CALLS_BEFORE);
	s.back = number_in(r, 16);
	s.trap = number_in(r, 16);
	s.at.addr = number_in(r, 16);
	/* At the end of a piece nothing arrives. */
	s.at.func = code(r, s.when == V9_PIECE_END);
	flags = less_than(r, FLAGS + 1);
	s.at.first = flags & FIRST;
	s.at.kernel = flags & KERNEL;
	s.at.final = flags & FINAL;
	s.space = number(r);
	s.replaced = flag(r);
	s.high = less_than(r, V9_CALLS_DEPTH + 1);
	values(r, sums, 3);
	if (!r->piece.capture)
		wrong(r, "its piece is missing");
	if (r->why)
		return;
	s.base = new_root(p, s.at.func);
	add_node(r, s.base, sums);
	*v9_vec_add(r->node, r->nr_nodes) = new_root(p, 0);
	*v9_vec_add(p->step, p->nr) = s;
	go_below(r, s.base);
	r->left = false;
}

/* Returns the step that is read, or NULL after wrong(). */
static struct v9_piece_step *step_of(struct reader *r)
{
	struct v9_calls_piece *p = &r->piece.calls;

	if (!r->piece.capture || !p->nr)
		wrong(r, "its step is missing");
	return r->why ? NULL : &p->step[p->nr - 1];
}

static void read_node(struct reader *r)
{
	const uint64_t depth = number(r), func = code(r, false);
	struct v9_calls_piece *p = &r->piece.calls;
	uint64_t sums[3];
	size_t node;

	values(r, sums, 3);
	if (!step_of(r))
		return;
	if (!depth || depth > r->nr_above) {
		wrong(r, "its caller is missing");
		return;
	}
	node = v9_call_child(&p->call, &p->nr_call, r->above[depth - 1], func);
	add_node(r, node, sums);
	r->nr_above = depth;
	*v9_vec_add(r->above, r->nr_above) = node;
}

static void read_up(struct reader *r)
{
	const struct v9_piece_step *s = step_of(r);

	if (s)
		go_below(r, s->base + 1);
}

static size_t known_node(struct reader *r)
{
	const uint64_t n = number(r);

	if (!n || n > r->nr_nodes)
		wrong(r, "it refers to a line that is not there");
	return r->why ? 0 : r->node[n - 1];
}

static void read_frame(struct reader *r)
{
	const size_t node = known_node(r);
	const uint64_t back = number_in(r, 16), flags = less_than(r, FLAGS + 1);
	struct v9_piece_step *s = step_of(r);
	struct v9_frame f;

	if (s && node < s->base)
		wrong(r, "it refers to a line of another step");
	if (r->why)
		return;
	f = (struct v9_frame){ .back = back, .func = r->piece.calls.call[node].func, .user = node,
			       .kernel = flags & KERNEL, .final = flags & FINAL };
	if (r->left)
		*v9_vec_add(s->left[s->nr_left - 1].frame, s->left[s->nr_left - 1].nr) = f;
	else
		*v9_vec_add(s->frame, s->nr) = f;
}

static void read_left(struct reader *r)
{
	struct v9_piece_step *s = step_of(r);

	if (!s)
		return;
	v9_vec_add(s->left, s->nr_left);
	r->left = true;
}

static void read_spent(struct reader *r, struct v9_spent **spent, size_t *nr)
{
	const size_t node = known_node(r);
	const uint64_t insns = number(r);

	if (!r->why)
		*v9_vec_add(*spent, *nr) = (struct v9_spent){ node, insns };
}

static void read_head(struct reader *r)
{
	read_spent(r, &r->piece.calls.head, &r->piece.calls.nr_head);
}

static void read_tail(struct reader *r)
{
	read_spent(r, &r->piece.calls.spent, &r->piece.calls.nr_spent);
}

static void read_end(struct reader *r)
{
	if (number_in(r, 16) != r->crc)
		wrong(r, "its sum is wrong: the file is damaged");
	r->ended = true;
}

static void read_line(struct reader *r)
{
	static const struct {
		const char *word;
		void (*read)(struct reader *r);
	} kinds[] = {
		{ "s", read_spe }, { "b", read_branch }, { "c", read_call }, { "place", read_place },
		{ "function", read_function }, { "segment", read_segment }, { "object", read_object }, { "source", read_source },
		{ "paths", read_paths }, { "lost", read_lost }, { "capture", read_capture },
		{ "time", read_time }, { "end", read_end }, { "n", read_node }, { "f", read_frame },
		{ "step", read_step }, { "piece", read_piece }, { "up", read_up }, { "left", read_left },
		{ "h", read_head }, { "t", read_tail },
	};
	const char *kind = raw(r);

	for (size_t i = 0; kind && i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (strcmp(kind, kinds[i].word))
			continue;
		kinds[i].read(r);
		if (r->p)
			wrong(r, "it is too long");
		return;
	}
	wrong(r, "it is of no known kind");
}

/* Reads a line without its newline. Returns false at the end of the file, or if it is no line. */
static bool next_line(struct reader *r)
{
	uLong crc;
	size_t n;

	if (!fgets(r->line, LINE_MOST, r->f))
		return false;
	r->at++;
	n = strlen(r->line);
	crc = crc32(r->crc, (const Bytef *)r->line, (uInt)n);
	if (!n || r->line[n - 1] != '\n') {
		wrong(r, "it has no end");
		return false;
	}
	r->line[n - 1] = '\0';
	if (strncmp(r->line, "end ", 4))
		r->crc = crc;
	r->p = r->line;
	return true;
}

static void read_all(struct reader *r)
{
	if (!next_line(r) || strncmp(r->line, MAGIC, strlen(MAGIC)))
		wrong(r, "it is not that of a shard");
	r->p = r->line + (r->why ? 0 : strlen(MAGIC));
	if (!r->why && number(r) - 1 >= VERSION)
		wrong(r, "it is of a newer version of v9trace");
	while (!r->why && next_line(r)) {
		if (r->ended)
			wrong(r, "it comes after the end");
		else
			read_line(r);
	}
	if (!r->why && ferror(r->f))
		wrong(r, strerror(errno));
	if (!r->why && !r->ended)
		wrong(r, "more are missing: the file was cut short");
	end_piece(r);
}

bool v9_shard_read(struct v9_shard *s, const char *path)
{
	struct reader r = { .s = s, .path = path, .f = fopen(path, "r") };

	if (!r.f) {
		v9_error("%s: %s", path, strerror(errno));
		return false;
	}
	r.line = v9_alloc(LINE_MOST);
	read_all(&r);
	if (r.why && !r.said)
		v9_error("%s: line %" PRIu64 ": %s", path, r.at, r.why);
	fclose(r.f);
	free(r.line);
	free(r.object);
	free(r.place);
	free(r.source);
	free(r.node);
	free(r.above);
	return !r.why;
}

bool v9_shard_is(const char *path)
{
	char head[sizeof(MAGIC) - 1];
	struct stat st;
	bool is = false;
	FILE *f;

	/* What was read from a pipe is gone. */
	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return false;
	f = fopen(path, "r");
	if (!f)
		return false;
	is = fread(head, sizeof(head), 1, f) && !memcmp(head, MAGIC, sizeof(head));
	fclose(f);
	return is;
}
