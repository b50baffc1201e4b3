// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Charts of SPE records: latency by address and time, latencies of functions, the icicle. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../util.h"
#include "page.h"

/* Cells, rows and columns of the heat map at most. A screen shows no more. */
#define MOST_CELLS	40000
#define MOST_ROWS	320
#define MOST_COLUMNS	400
#define ADDR_SHIFT	6	/* at first: a cache line, and 1 us */
#define TIME_SHIFT	10

#define MOST_FUNCS	200	/* with latencies */
#define MOST_NODES	30000	/* of the icicle, in the page */

struct cell {
	uint64_t key[3];	/* process, address >> shift, time >> shift */
	uint64_t n, cycles;
};

struct row {
	uint64_t key[2];	/* process, address >> shift */
	uint64_t time, addr;	/* of a record */
	size_t number;		/* in the page */
};

struct column {
	uint64_t key[1];
};

/* Sums of an instruction */
struct page_spot {
	struct v9_spot spot;
	uint32_t samples;
	uint32_t lat[V9_PAGE_LATENCIES];
	uint64_t cycles;
};

struct func {
	uint64_t key[2];	/* function, object */
	uint64_t samples, cycles, lat[V9_PAGE_LATENCIES];
};

enum kind { THREAD, OBJECT, FUNCTION, INLINED, LINE, INSTRUCTION };

struct node {
	uint64_t key[3];	/* parent + 1, kind, identity: pointer to the name or function; offset */
	uint64_t samples, cycles;
	size_t number;		/* its own index + 1; in the page, + 1 (0: not there) */
	struct v9_dso *dso;	/* of an instruction: its object, and its address in the file */
	uint64_t addr;
};

/* ---- latencies by powers of two, in two halves */

static unsigned int latency_class(uint32_t v)
{
	const unsigned int log = v ? 31 - (unsigned int)__builtin_clz(v) : 0;
	const unsigned int class = v < 4 ? v : 2 * log + (v >> (log - 1) & 1);

	return class < V9_PAGE_LATENCIES ? class : V9_PAGE_LATENCIES - 1;
}

/* The least value of a class */
static uint32_t class_begin(unsigned int class)
{
	return class < 4 ? class : (2u | (class & 1)) << (class / 2 - 1);
}

/* ---- the heat map */

static void heat_init(struct v9_heat *h)
{
	*h = (struct v9_heat){ .addr_shift = ADDR_SHIFT, .time_shift = TIME_SHIFT };
	v9_bins_init(&h->cells, sizeof(struct cell));
	v9_bins_init(&h->rows, sizeof(struct row));
	v9_bins_init(&h->columns, sizeof(struct column));
}

static void heat_free(struct v9_heat *h)
{
	v9_bins_free(&h->cells);
	v9_bins_free(&h->rows);
	v9_bins_free(&h->columns);
}

static void see_place(struct v9_heat *h, const struct cell *c, uint64_t addr, uint64_t time)
{
	struct row *r = v9_bins_at(&h->rows, c->key, 2);

	if (!r->addr) {
		r->addr = addr;
		r->time = time;
	}
	v9_bins_at(&h->columns, &c->key[2], 1);
}

/* Doubles the ranges of addresses and of times. */
static void coarsen(struct v9_heat *h, unsigned int addr, unsigned int time)
{
	struct v9_heat to;

	heat_init(&to);
	to.addr_shift = h->addr_shift + addr;
	to.time_shift = h->time_shift + time;
	to.without = h->without;
	for (size_t i = 0; i < h->cells.used; i++) {
		const struct cell *from = v9_bins_get(&h->cells, i);
		const uint64_t key[3] = { from->key[0], from->key[1] >> addr, from->key[2] >> time };
		const struct row *row = v9_bins_at(&h->rows, from->key, 2);
		struct cell *c = v9_bins_at(&to.cells, key, 3);

		if (!c->n)
			see_place(&to, c, row->addr, row->time);
		c->n += from->n;
		c->cycles += from->cycles;
	}
	heat_free(h);
	*h = to;
}

static void heat_add(struct v9_heat *h, const struct v9_sampled *s)
{
	const struct v9_spe_rec *r = s->rec;
	const bool kernel = r->va & V9_KERNEL_HALF;
	struct cell *c;
	uint64_t key[3];

	if (!(r->has & V9_SPE_REC_VA) || !(r->has & V9_SPE_REC_LAT_TOTAL) || !s->has_time) {
		h->without++;
		return;
	}
	key[0] = kernel ? V9_KERNEL_PID : s->pid;
	key[1] = r->va >> h->addr_shift;
	key[2] = s->time >> h->time_shift;
	c = v9_bins_at(&h->cells, key, 3);
	if (!c->n)
		see_place(h, c, r->va, s->time);
	c->n++;
	c->cycles += r->lat[V9_SPE_LAT_TOTAL];
	while (h->cells.used > MOST_CELLS || h->rows.used > MOST_ROWS ||
	       h->columns.used > MOST_COLUMNS) {
		const bool rows = h->rows.used > MOST_ROWS, columns = h->columns.used > MOST_COLUMNS;

		coarsen(h, rows || (!columns && h->rows.used > h->columns.used),
			columns || (!rows && h->rows.used <= h->columns.used));
	}
}

static int row_order(const void *a, const void *b, const void *arg)
{
	const struct row *x = a, *y = b;

	(void)arg;
	if (x->key[0] != y->key[0])
		return x->key[0] < y->key[0] ? -1 : 1;
	return (x->key[1] > y->key[1]) - (x->key[1] < y->key[1]);
}

static void write_heat(struct v9_page_spe *p, FILE *f)
{
	struct v9_page_names names = { .nr = 0 };
	struct v9_heat *h = &p->heat;
	uint64_t first = UINT64_MAX;
	const char *text;
	void **rows;
	size_t n;

	for (size_t i = 0; i < h->columns.used; i++) {
		const struct column *c = v9_bins_get(&h->columns, i);

		first = c->key[0] < first ? c->key[0] : first;
	}
	rows = v9_bins_top(&h->rows, 0, NULL, row_order, NULL, &n);
	v9_page_open(f, "heat");
	fprintf(f, "{\"time\":\"%" PRIu64 "\",\"time_step\":%" PRIu64 ",\"addr_step\":%" PRIu64
		",\"without\":%" PRIu64 ",\"rows\":[", n ? first << h->time_shift : 0,
		UINT64_C(1) << h->time_shift, UINT64_C(1) << h->addr_shift, h->without);
	text = "";
	for (size_t i = 0; i < n; i++) {
		struct row *r = rows[i];
		struct v9_data d;

		r->number = i;
		v9_syms_data(p->syms, (uint32_t)r->key[0], r->time, r->addr, &d);
		fprintf(f, "%s\"0x%" PRIx64 "\",%" PRId64 ",%zu", text, r->key[1] << h->addr_shift,
			r->key[0] == V9_KERNEL_PID ? -1 : (int64_t)r->key[0],
			v9_page_name(&names, d.name ? d.name : ""));
		text = ",\n";
	}
	fputs("],\"cells\":[", f);
	for (size_t i = 0; i < h->cells.used; i++) {
		const struct cell *c = v9_bins_get(&h->cells, i);
		const struct row *r = v9_bins_at(&h->rows, c->key, 2);

		fprintf(f, "%s%zu,%" PRIu64 ",%" PRIu64 ",%" PRIu64, i ? ",\n" : "", r->number,
			c->key[2] - first, c->n, c->cycles);
	}
	fputs("],", f);
	v9_page_names_write(&names, f);
	fputs("\"end\":0}", f);
	v9_page_close(f);
	v9_page_names_free(&names);
	free(rows);
}

/* ---- functions and the icicle */

/* Adds to the child of node @at, and makes that @at. */
static struct node *child(struct v9_bins *nodes, size_t *at, enum kind kind, uint64_t id,
			  uint64_t samples, uint64_t cycles)
{
	const uint64_t key[3] = { *at, kind, id };
	struct node *n = v9_bins_at(nodes, key, 3);

	if (!n->samples)
		n->number = nodes->used;
	n->samples += samples;
	n->cycles += cycles;
	*at = n->number;
	return n;
}

static void take_spot(void *arg, void *bin)
{
	const struct page_spot *from = bin;
	struct v9_page_spe *p = arg;
	struct v9_place place;
	struct node *insn;
	struct func *func;
	uint64_t key[2];
	size_t at = 0;

	v9_spot_place(p->syms, &from->spot, &place);
	key[0] = (uint64_t)(uintptr_t)place.func;
	key[1] = (uint64_t)(uintptr_t)place.dso_name;
	func = v9_bins_at(&p->funcs, key, 2);
	func->samples += from->samples;
	func->cycles += from->cycles;
	for (unsigned int i = 0; i < V9_PAGE_LATENCIES; i++)
		func->lat[i] += from->lat[i];

	child(&p->nodes, &at, THREAD, from->spot.comm, from->samples, from->cycles);
	child(&p->nodes, &at, OBJECT, (uint64_t)(uintptr_t)place.dso_name, from->samples, from->cycles);
	if (place.func)
		child(&p->nodes, &at, FUNCTION, key[0], from->samples, from->cycles);
	insn = child(&p->nodes, &at, INSTRUCTION, place.offset, from->samples, from->cycles);
	insn->dso = place.func ? place.dso : NULL;
	insn->addr = place.func ? place.func->start + place.offset : 0;
}

void v9_page_spe_init(struct v9_page_spe *p, struct v9_syms *syms)
{
	p->syms = syms;
	heat_init(&p->heat);
	v9_spots_init(&p->spots, sizeof(struct page_spot), syms, take_spot, p);
	v9_bins_init(&p->funcs, sizeof(struct func));
	v9_bins_init(&p->nodes, sizeof(struct node));
	v9_bins_init(&p->lines, sizeof(struct node));
}

void v9_page_spe_free(struct v9_page_spe *p)
{
	heat_free(&p->heat);
	v9_spots_free(&p->spots);
	v9_bins_free(&p->funcs);
	v9_bins_free(&p->nodes);
	v9_bins_free(&p->lines);
	v9_strtab_free(&p->text);
}

void v9_page_spe_add(struct v9_page_spe *p, struct v9_sampled *s, size_t n)
{
	void *spots[V9_BATCH];

	v9_spots_of(&p->spots, s, n, spots);
	for (size_t i = 0; i < n; i++) {
		const struct v9_spe_rec *r = s[i].rec;
		struct page_spot *to = spots[i];

		to->samples++;
		if (r->has & V9_SPE_REC_LAT_TOTAL) {
			to->cycles += r->lat[V9_SPE_LAT_TOTAL];
			to->lat[latency_class(r->lat[V9_SPE_LAT_TOTAL])]++;
		}
		heat_add(&p->heat, &s[i]);
	}
}

static int func_order(const void *a, const void *b, const void *arg)
{
	const struct func *x = a, *y = b;

	(void)arg;
	if (x->cycles != y->cycles)
		return x->cycles > y->cycles ? -1 : 1;
	return (x->samples < y->samples) - (x->samples > y->samples);
}

static const char *name_of(uint64_t func)
{
	return func ? ((const struct v9_func *)(uintptr_t)func)->name : "[unknown]";
}

static void write_funcs(struct v9_page_spe *p, FILE *f)
{
	void **top;
	size_t n;

	top = v9_bins_top(&p->funcs, MOST_FUNCS, NULL, func_order, NULL, &n);
	v9_page_open(f, "latencies");
	fputs("{\"begin\":[", f);
	for (unsigned int i = 0; i < V9_PAGE_LATENCIES; i++)
		fprintf(f, "%s%u", i ? "," : "", class_begin(i));
	fprintf(f, "],\"more\":%zu,\"funcs\":[", p->funcs.used - n);
	for (size_t i = 0; i < n; i++) {
		const struct func *from = top[i];

		fputs(i ? ",\n[" : "[", f);
		v9_page_text(f, name_of(from->key[0]));
		fputc(',', f);
		v9_page_text(f, (const char *)(uintptr_t)from->key[1]);
		fprintf(f, ",%" PRIu64 ",%" PRIu64 ",[", from->samples, from->cycles);
		for (unsigned int k = 0; k < V9_PAGE_LATENCIES; k++)
			fprintf(f, "%s%" PRIu64, k ? "," : "", from->lat[k]);
		fputs("]]", f);
	}
	fputs("]}", f);
	v9_page_close(f);
	free(top);
}

static const char *node_name(const struct node *n, char *room, size_t size)
{
	const char *text = (const char *)(uintptr_t)n->key[2];

	switch ((enum kind)n->key[1]) {
	case THREAD:
		return text ? text : "[unknown thread]";
	case OBJECT:
	case INLINED:
	case LINE:
		return text;
	case FUNCTION:
		return name_of(n->key[2]);
	case INSTRUCTION:
		snprintf(room, size, "+0x%" PRIx64, n->key[2]);
	}
	return room;
}

/* Nodes with at least that many samples are few enough for the page. */
static uint64_t least_samples(const struct v9_bins *nodes)
{
	uint64_t least = 0;
	size_t n;

	do {
		least = least ? 2 * least : 1;
		n = 0;
		for (size_t i = 0; i < nodes->used; i++)
			n += ((const struct node *)v9_bins_get(nodes, i))->samples >= least;
	} while (n > MOST_NODES);
	return least;
}

#define MOST_INLINED	32	/* of an instruction */

/* What is between a function and an instruction of it: inlined functions, outermost first, and the line */
static void add_lines(struct v9_page_spe *p, struct v9_lines *lines, const struct node *insn, size_t at)
{
	struct v9_inline frame[MOST_INLINED];
	struct v9_src_line line;
	char text[512];
	size_t n = v9_lines_inlined(lines, insn->dso, insn->addr, frame, MOST_INLINED);

	/* The last one is the function. */
	for (size_t i = n ? n - 1 : 0; i-- > 0; ) {
		const char *name = v9_inline_name(lines, insn->dso, &frame[i]);

		name = name ? v9_strtab_put(&p->text, name, strlen(name)) : "[inlined]";
		child(&p->lines, &at, INLINED, (uint64_t)(uintptr_t)name, insn->samples, insn->cycles);
	}
	if (v9_lines_find(lines, insn->dso, insn->addr, &line) && line.line) {
		snprintf(text, sizeof(text), "%s:%u", v9_base_name(line.file), line.line);
		child(&p->lines, &at, LINE, (uint64_t)(uintptr_t)v9_strtab_put(&p->text, text, sizeof(text)),
		      insn->samples, insn->cycles);
	}
	child(&p->lines, &at, INSTRUCTION, insn->key[2], insn->samples, insn->cycles);
}

/*
 * Makes .lines from .nodes. Only instructions that are in the page are looked up: there are many, and
 * DWARF is slow.
 */
static void find_lines(struct v9_page_spe *p, uint64_t least)
{
	size_t *at = v9_alloc((p->nodes.used + 1) * sizeof(*at));
	struct v9_lines lines;

	v9_lines_init(&lines, p->syms);
	for (size_t i = 0; i < p->nodes.used; i++) {
		const struct node *n = v9_bins_get(&p->nodes, i);

		if (n->samples < least)
			continue;
		at[i + 1] = at[n->key[0]];
		if (n->key[1] == INSTRUCTION && n->dso)
			add_lines(p, &lines, n, at[i + 1]);
		else
			child(&p->lines, &at[i + 1], (enum kind)n->key[1], n->key[2], n->samples, n->cycles);
	}
	v9_lines_free(&lines);
	free(at);
}

static void write_icicle(struct v9_page_spe *p, FILE *f)
{
	const uint64_t least = least_samples(&p->nodes);
	struct v9_page_names names = { .nr = 0 };
	size_t n = 0, dropped = 0;
	char room[32];

	for (size_t i = 0; i < p->nodes.used; i++)
		dropped += ((const struct node *)v9_bins_get(&p->nodes, i))->samples < least;
	find_lines(p, least);
	v9_page_open(f, "icicle");
	fputs("{\"nodes\":[", f);
	for (size_t i = 0; i < p->lines.used; i++) {
		const struct node *node = v9_bins_get(&p->lines, i);
		const struct node *parent = node->key[0] ? v9_bins_get(&p->lines, node->key[0] - 1) : NULL;
		const char *name = node_name(node, room, sizeof(room));

		n++;
		fprintf(f, "%s%zu,%u,", n > 1 ? ",\n" : "", parent ? (size_t)node->key[0] : 0,
			(unsigned int)node->key[1]);
		if (node->key[1] == INSTRUCTION)
			v9_page_text(f, name);
		else
			fprintf(f, "%zu", v9_page_name(&names, name));
		fprintf(f, ",%" PRIu64 ",%" PRIu64, node->samples, node->cycles);
	}
	fputs("],", f);
	v9_page_names_write(&names, f);
	fprintf(f, "\"least\":%" PRIu64 ",\"dropped\":%zu}", least, dropped);
	v9_page_close(f);
	v9_page_names_free(&names);
}

void v9_page_spe_write(struct v9_page_spe *p, FILE *f)
{
	v9_spots_drain(&p->spots);
	write_heat(p, f);
	write_funcs(p, f);
	write_icicle(p, f);
}
