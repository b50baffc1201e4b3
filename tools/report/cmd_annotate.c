// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* v9trace annotate: instructions and source lines of functions, with what was measured of each. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <v9trace/base.h>

#include "../capture/disasm.h"
#include "../capture/lines.h"
#include "../commands.h"
#include "../util.h"
#include "annotate.h"
#include "kinds.h"
#include "mix.h"
#include "notes_read.h"
#include "source.h"

#define DEFAULT_LIMIT	3
#define LINES		10	/* rows of the table of lines in text, for each function */
#define MOST_LOOPS	512	/* of a function */
#define MOST_INSNS	(1u << 20)	/* of a function: sizes in damaged files may be anything */

/* A function, and sums of its instructions */
struct function {
	union {
		struct {
			const struct v9_func *func;
			struct v9_dso *dso;
		};
		uint64_t key[2];
	};
	struct v9_note_spe spe;
	uint64_t executed, entries;
	double cycles;
};

/* A source line. The file is kept in the strings of the report: equal files are equal pointers. */
struct line {
	union {
		struct {
			const char *file;
			uint64_t line;
		};
		uint64_t key[2];
	};
	struct v9_note_spe spe;
	uint64_t executed;
	double cycles;
};

struct annotate {
	struct v9_report *r;
	struct v9_noted n;
	struct v9_disasm disasm;
	struct v9_lines lines;
	struct v9_sources sources;
	struct v9_bins functions, by_line;
	bool no_source, mix;
};

/* ---- columns of what was measured: all in JSON and CSV, in text those of the kinds that there are */

enum { SPE = 1, ETE = 2, CYCLES = 4 };

static const struct measure {
	struct v9_col col;
	unsigned int of;		/* SPE, ETE, CYCLES */
} measures[] = {
	{ { "percent", "share", V9_PERCENT, false }, SPE },
	{ { "samples", "samples", V9_COUNT, false }, SPE },
	{ { "latency_total", "latency", V9_MEAN, false }, SPE },
	{ { "latency_issue", "issue", V9_MEAN, false }, SPE },
	{ { "latency_translation", "transl", V9_MEAN, false }, SPE },
	{ { "l1_miss_percent", "L1 miss", V9_PERCENT, false }, SPE },
	{ { "llc_miss_percent", NULL, V9_PERCENT, false }, SPE },
	{ { "walk_percent", "walks", V9_PERCENT, false }, SPE },
	{ { "mispredicted_percent", "mispred", V9_PERCENT, false }, SPE },
	{ { "not_taken_percent", NULL, V9_PERCENT, false }, SPE },
	{ { "executed_percent", "share", V9_PERCENT, false }, ETE },
	{ { "executed", "executed", V9_COUNT, false }, ETE },
	{ { "taken_percent", "taken", V9_PERCENT, false }, ETE },
	{ { "cycles", "cycles", V9_MEAN, false }, CYCLES },
};

#define MEASURES	V9_ARRAY_SIZE(measures)

static unsigned int kinds_of(const struct annotate *a)
{
	return (a->n.has[V9_KIND_SPE] ? SPE : 0) | (a->n.has[V9_KIND_ETE] ? ETE : 0) |
	       (a->n.notes.cycles ? CYCLES : 0);
}

/* Fills in the columns. Returns their number. */
static size_t measured(const struct annotate *a, struct v9_col *cols)
{
	const unsigned int kinds = kinds_of(a);

	for (size_t i = 0; i < MEASURES; i++) {
		cols[i] = measures[i].col;
		if (!(measures[i].of & kinds))
			cols[i].title = NULL;
	}
	return MEASURES;
}

static void put_mean(struct v9_table *t, uint64_t sum, uint64_t n)
{
	if (n)
		v9_put_real(t, (double)sum / (double)n);
	else
		v9_put_unknown(t);
}

/* @spe: NULL, or sums; @branched: executions of it as a branch */
static void put_measured(const struct annotate *a, struct v9_table *t, const struct v9_note_spe *spe,
			 uint64_t executed, uint64_t branched, uint64_t taken, double cycles)
{
	static const struct v9_note_spe none;
	const struct v9_note_spe *s = spe ? spe : &none;
	const unsigned int kinds = kinds_of(a);

	v9_rep_share(t, s->samples, s->samples ? a->n.samples : 0);
	if (s->samples)
		v9_put_count(t, s->samples);
	else
		v9_put_unknown(t);
	for (unsigned int i = 0; i < V9_NOTE_LATENCIES; i++)
		put_mean(t, s->lat[i].sum, s->lat[i].n);
	v9_rep_share(t, s->refills, s->accesses);
	v9_rep_share(t, s->llc_misses, s->llc_accesses);
	v9_rep_share(t, s->walks, s->tlb_accesses);
	v9_rep_share(t, s->mispredicted, s->branches);
	v9_rep_share(t, s->not_taken, s->conditional);
	if (kinds & ETE && executed) {
		v9_put_real(t, v9_noted_share(&a->n, executed));
		v9_put_count(t, executed);
	} else {
		v9_put_unknown(t);
		v9_put_unknown(t);
	}
	v9_rep_share(t, taken, branched);
	if (kinds & CYCLES && executed)
		v9_put_real(t, cycles);
	else
		v9_put_unknown(t);
}

/* ---- functions */

static void sum_up(struct annotate *a)
{
	v9_bins_init(&a->functions, sizeof(struct function));
	for (size_t i = 0; i < a->n.notes.notes.used; i++) {
		const struct v9_note *note = v9_bins_get(&a->n.notes.notes, i);
		const struct v9_func *func = v9_noted_func(&a->n, note->object, note->addr);
		const uint64_t key[2] = { (uint64_t)(uintptr_t)func,
					  (uint64_t)(uintptr_t)note->object };
		struct function *f;

		if (!v9_noted_wants(&a->n, note->object, func))
			continue;
		f = v9_bins_at(&a->functions, key, 2);
		v9_note_spe_add(&f->spe, &note->spe);
		f->executed += note->executed;
		f->cycles += note->cycles;
		if (func && note->addr == func->start)
			f->entries += note->executed;
	}
}

static int function_order(const void *a, const void *b, const void *arg)
{
	const struct function *x = a, *y = b;

	(void)arg;
	if (x->spe.samples != y->spe.samples)
		return x->spe.samples < y->spe.samples ? 1 : -1;
	if (x->executed != y->executed)
		return x->executed < y->executed ? 1 : -1;
	return strcmp(x->func ? x->func->name : "", y->func ? y->func->name : "");
}

static const char *object_of(const struct annotate *a, const struct function *f)
{
	return v9_rep_object(a->r, f->func && f->func->dso ? f->func->dso :
			     f->dso ? f->dso->name : "[unknown]");
}

struct rows {
	struct annotate *a;
	struct v9_table *t;
};

static void put_unfollowed(void *arg, double percent, const char *what, uint64_t branches)
{
	struct rows *rows = arg;

	v9_table_row(rows->t);
	for (size_t i = 0; i < MEASURES; i++)
		if (!strcmp(measures[i].col.name, "executed_percent"))
			v9_put_real(rows->t, percent);
		else
			v9_put_unknown(rows->t);
	v9_put_count(rows->t, branches);
	v9_put_unknown(rows->t);
	v9_put_unknown(rows->t);
	v9_put_text(rows->t, what);
}

static void print_functions(struct annotate *a, struct function *const *top, size_t n)
{
	struct v9_col cols[MEASURES + 4];
	struct v9_table t = { .name = "functions", .title = "Functions", .cols = cols,
			      .nr_cols = measured(a, cols),
			      .empty = "no record passed the filter" };
	struct rows rows = { a, &t };

	cols[t.nr_cols++] = (struct v9_col){ "unfollowed_branches", NULL, V9_COUNT, false };
	cols[t.nr_cols++] = (struct v9_col){ "entries", kinds_of(a) & ETE ? "entered" : NULL,
					     V9_COUNT, false };
	cols[t.nr_cols++] = (struct v9_col){ "dso", "object", V9_TEXT, true };
	cols[t.nr_cols++] = (struct v9_col){ "symbol", "symbol", V9_TEXT, true };
	v9_noted_unfollowed(&a->n, put_unfollowed, &rows);
	for (size_t i = 0; i < n; i++) {
		const struct function *f = top[i];

		v9_table_row(&t);
		put_measured(a, &t, &f->spe, f->executed, 0, 0, f->cycles);
		v9_put_unknown(&t);
		if (kinds_of(a) & ETE)
			v9_put_count(&t, f->entries);
		else
			v9_put_unknown(&t);
		v9_put_text(&t, object_of(a, f));
		v9_put_text(&t, f->func ? f->func->name : "[unknown]");
	}
	if (a->functions.used > n)
		t.note = v9_rep_keep(a->r, "and %zu more (--limit 0 shows all, --symbol one)",
				     a->functions.used - n);
	v9_rep_table(a->r, &t);
}

/* ---- instructions */

static bool line_at(struct annotate *a, const struct function *f, uint64_t addr, struct v9_src_line *line)
{
	if (a->no_source || !v9_lines_find(&a->lines, f->dso, addr, line))
		return false;
	line->file = v9_strtab_put(&a->r->text, line->file, strlen(line->file));
	return line->line;
}

static void add_to_line(struct annotate *a, const struct v9_src_line *line, const struct v9_note *note)
{
	const uint64_t key[2] = { (uint64_t)(uintptr_t)line->file, line->line };
	struct line *to = v9_bins_at(&a->by_line, key, 2);

	v9_note_spe_add(&to->spe, &note->spe);
	to->executed += note->executed;
	to->cycles += note->cycles;
}

/* "+0x10" in the function of the row before it, or "symbol+0x10" */
static const char *target_name(struct annotate *a, const struct function *f, uint64_t target)
{
	const struct v9_func *func = target == UINT64_MAX ? NULL : v9_dso_func(f->dso, target);

	if (!func)
		return NULL;
	return target == func->start ? func->name :
	       v9_rep_keep(a->r, "%s+0x%" PRIx64, func->name, target - func->start);
}

/* The opcode at @addr; false if the code is not known */
static bool word_at(struct annotate *a, const struct function *f, uint64_t addr, uint32_t *word)
{
	size_t n;
	const uint8_t *p = v9_code_of(&a->n.lookup.code, f->dso, addr, &n);

	if (!p || n < 4)
		return false;
	*word = v9_load_le32(p);
	return true;
}

/* The text of an instruction with blanks in place of the tab, for people aligned. */
static const char *insn_text(struct annotate *a, const struct function *f, uint64_t addr,
			     uint32_t word, const char **target)
{
	const bool people = a->r->out.format->for_people;
	char text[256], *tab;
	uint64_t to;

	v9_disasm_text(&a->disasm, addr, word, text, sizeof(text), &to);
	*target = target_name(a, f, to);
	tab = strchr(text, '\t');
	if (!tab)
		return v9_rep_keep(a->r, "%s", text);
	*tab = '\0';
	for (char *c = tab + 1; *c; c++)
		if (*c == '\t')
			*c = ' ';
	if (people)
		return v9_rep_keep(a->r, "%-7s %s%s%s%s", text, tab + 1, *target ? " <" : "",
				   *target ? *target : "", *target ? ">" : "");
	return v9_rep_keep(a->r, "%s %s", text, tab + 1);
}

static bool has_counts(const struct v9_note *note)
{
	return note && (note->spe.samples || note->executed);
}

/* Columns of an instruction after the measures. In text: the address and the instruction. */
static const struct v9_col insn_cols[] = {
	{ "dso", NULL, V9_TEXT, false },
	{ "symbol", NULL, V9_TEXT, false },
	{ "file", NULL, V9_TEXT, false },
	{ "line", NULL, V9_COUNT, false },
	{ "source", NULL, V9_TEXT, false },
	{ "inlined", NULL, V9_TEXT, false },
	{ "target", NULL, V9_TEXT, false },
	{ "word", NULL, V9_TEXT, false },
	{ "address", "address", V9_TEXT, false },
	{ "instruction", "instruction", V9_TEXT, false },
};

#define INSN_COLS	V9_ARRAY_SIZE(insn_cols)

/* The functions inlined at @addr, innermost first; NULL: none */
static const char *inlined_at(struct annotate *a, const struct function *f, uint64_t addr)
{
	char text[400];

	if (a->no_source || !v9_lines_inlined_text(&a->lines, f->dso, addr, text, sizeof(text)))
		return NULL;
	return v9_rep_keep(a->r, "%s", text);
}

/* A row of the listing that shows a source line, and the functions that were inlined there */
static void put_source(struct annotate *a, struct v9_table *t, const struct v9_src_line *line,
		       const char *inlined)
{
	const char *text = v9_source_line(&a->sources, line->file, line->line);

	v9_table_row(t);
	for (size_t i = 0; i < t->nr_cols - 1; i++)
		v9_put_unknown(t);
	v9_put_text(t, v9_rep_keep(a->r, "; %s:%u%s%s%s%s%s", v9_base_name(line->file), line->line,
				   inlined ? " (" : "", inlined ? inlined : "", inlined ? ")" : "",
				   text ? "  " : "", text ? text : ""));
}

static void put_insn(struct annotate *a, struct v9_table *t, const struct function *f, uint64_t addr,
		     const struct v9_note *note, const struct v9_src_line *line)
{
	const bool people = a->r->out.format->for_people;
	const char *text = NULL, *target = NULL;
	uint32_t word = 0;
	const bool known = word_at(a, f, addr, &word);

	if (known)
		text = insn_text(a, f, addr, word, &target);
	v9_table_row(t);
	put_measured(a, t, note ? &note->spe : NULL, note ? note->executed : 0,
		     note ? note->branched : 0, note ? note->taken : 0, note ? note->cycles : 0);
	v9_put_text(t, object_of(a, f));
	v9_put_text(t, f->func->name);
	v9_put_text(t, line ? line->file : NULL);
	if (line)
		v9_put_count(t, line->line);
	else
		v9_put_unknown(t);
	v9_put_text(t, line && !people ? v9_source_line(&a->sources, line->file, line->line) : NULL);
	v9_put_text(t, people ? NULL : inlined_at(a, f, addr));
	v9_put_text(t, target);
	v9_put_text(t, known ? v9_rep_keep(a->r, "%08" PRIx32, word) : NULL);
	v9_put_text(t, v9_rep_keep(a->r, people ? "%" PRIx64 : "0x%" PRIx64, addr));
	v9_put_text(t, people && !text ? "?" : text);
}

static void begin_listing(struct annotate *a, struct v9_table *t, struct v9_col *cols)
{
	*t = (struct v9_table){ .name = "instructions", .cols = cols, .title = "Instructions",
				.nr_cols = measured(a, cols), .blank = true };
	memcpy(cols + t->nr_cols, insn_cols, sizeof(insn_cols));
	t->nr_cols += INSN_COLS;
}

static uint64_t end_of(const struct function *f)
{
	const uint64_t most = f->func->start + MOST_INSNS * UINT64_C(4);

	return f->func->end < most ? f->func->end : most;
}

static void list(struct annotate *a, struct v9_table *t, const struct function *f)
{
	const bool people = a->r->out.format->for_people;
	struct v9_src_line shown = { 0 };

	for (uint64_t addr = f->func->start; addr < end_of(f); addr += 4) {
		const struct v9_note *note = v9_notes_at(&a->n.notes, f->dso, addr);
		struct v9_src_line line;
		const bool has_line = line_at(a, f, addr, &line);
		uint32_t word;

		/* Zeros are no code: what follows a function whose size is not known. */
		if (!has_counts(note) && (!word_at(a, f, addr, &word) || !word))
			continue;
		if (has_line && has_counts(note))
			add_to_line(a, &line, note);
		if (people && has_line && (line.file != shown.file || line.line != shown.line)) {
			put_source(a, t, &line, inlined_at(a, f, addr));
			shown = line;
		}
		put_insn(a, t, f, addr, note, has_line ? &line : NULL);
	}
}

/* ---- lines */

static int line_order(const void *a, const void *b, const void *arg)
{
	const struct line *x = a, *y = b;
	int r;

	(void)arg;
	if (x->spe.samples != y->spe.samples)
		return x->spe.samples < y->spe.samples ? 1 : -1;
	if (x->executed != y->executed)
		return x->executed < y->executed ? 1 : -1;
	r = strcmp(x->file, y->file);
	return r ? r : (x->line > y->line) - (x->line < y->line);
}

static void print_lines(struct annotate *a)
{
	const bool people = a->r->out.format->for_people;
	struct v9_col cols[MEASURES + 4];
	struct v9_table t = { .name = "lines", .title = "Lines of these functions", .cols = cols,
			      .nr_cols = measured(a, cols) };
	void **top;
	size_t n;

	cols[t.nr_cols++] = (struct v9_col){ "file", NULL, V9_TEXT, false };
	cols[t.nr_cols++] = (struct v9_col){ "line", NULL, V9_COUNT, false };
	cols[t.nr_cols++] = (struct v9_col){ "place", "line", V9_TEXT, true };
	cols[t.nr_cols++] = (struct v9_col){ "source", "source", V9_TEXT, true };
	top = v9_bins_top(&a->by_line, people ? LINES : 0, NULL, line_order, NULL, &n);
	for (size_t i = 0; i < n; i++) {
		const struct line *l = top[i];
		const char *text = v9_source_line(&a->sources, l->file, (unsigned int)l->line);

		v9_table_row(&t);
		put_measured(a, &t, &l->spe, l->executed, 0, 0, l->cycles);
		v9_put_text(&t, l->file);
		v9_put_count(&t, l->line);
		v9_put_text(&t, v9_rep_keep(a->r, "%s:%" PRIu64, v9_base_name(l->file), l->line));
		v9_put_text(&t, text && people ? text + strspn(text, " ") : text);
	}
	if (a->by_line.used > n)
		t.note = v9_rep_keep(a->r, "and %zu more lines", a->by_line.used - n);
	free(top);
	v9_rep_table(a->r, &t);
}

/* ---- the mix of instructions */

struct mixed {
	uint64_t n, kind[V9_MIX_KINDS], predicated, partial, empty;
};

struct mix_of {
	struct v9_code_loop range;
	struct mixed spe, ete;
};

/* Adds what was measured of the instructions from @m->range.start to @m->range.end. */
static void add_mix(struct annotate *a, const struct function *f, struct mix_of *m)
{
	for (uint64_t addr = m->range.start; addr < m->range.end; addr += 4) {
		const struct v9_note *note = v9_notes_at(&a->n.notes, f->dso, addr);
		const char *target;
		uint32_t word;

		if (!note)
			continue;
		m->spe.n += note->spe.samples;
		for (unsigned int k = 0; k < V9_MIX_KINDS; k++)
			m->spe.kind[k] += note->spe.mix[k];
		m->spe.predicated += note->spe.predicated;
		m->spe.partial += note->spe.partial;
		m->spe.empty += note->spe.empty;
		if (!note->executed || !word_at(a, f, addr, &word))
			continue;
		m->ete.n += note->executed;
		m->ete.kind[v9_mix_of(word)] += note->executed;
		if (v9_mix_of(word) == V9_MIX_SVE &&
		    v9_mix_predicated(insn_text(a, f, addr, word, &target)))
			m->ete.predicated += note->executed;
	}
}

static int mix_order(const void *a, const void *b)
{
	const struct mix_of *x = a, *y = b;

	if (x->spe.n != y->spe.n)
		return x->spe.n < y->spe.n ? 1 : -1;
	if (x->ete.n != y->ete.n)
		return x->ete.n < y->ete.n ? 1 : -1;
	return (x->range.start > y->range.start) - (x->range.start < y->range.start);
}

static uint64_t kinds_in(const struct mixed *m)
{
	uint64_t sum = 0;

	for (unsigned int k = 0; k < V9_MIX_KINDS; k++)
		sum += m->kind[k];
	return sum;
}

/* @by: "samples" or "executed". Only SPE records which elements of a vector were active. */
static void put_mix(struct annotate *a, struct v9_table *t, const struct function *f,
		    const struct mix_of *m, const struct mixed *x, bool spe, bool loop)
{
	const uint64_t vectors = x->kind[V9_MIX_SVE];
	struct v9_src_line line;
	bool has_line;

	if (!x->n)
		return;
	v9_table_row(t);
	v9_put_real(t, spe ? v9_rep_percent(x->n, a->n.samples) : v9_noted_share(&a->n, x->n));
	v9_put_count(t, x->n);
	v9_put_text(t, spe ? "samples" : "executed");
	for (unsigned int k = 0; k < V9_MIX_KINDS; k++)
		v9_rep_share(t, x->kind[k], kinds_in(x));
	if (spe || !a->disasm.why)
		v9_rep_share(t, x->predicated, vectors);
	else
		v9_put_unknown(t);
	v9_rep_share(t, x->partial, spe ? vectors : 0);
	v9_rep_share(t, x->empty, spe ? vectors : 0);
	v9_put_text(t, object_of(a, f));
	v9_put_text(t, a->r->out.format->for_people && loop ? "  loop" : f->func->name);
	if (loop)
		v9_put_text(t, v9_rep_keep(a->r, "%" PRIx64 "-%" PRIx64, m->range.start,
					   m->range.end - 4));
	else
		v9_put_unknown(t);
	has_line = loop && line_at(a, f, m->range.start, &line);
	v9_put_text(t, has_line ? v9_rep_keep(a->r, "%s:%u", v9_rep_object(a->r, line.file), line.line) :
		    NULL);
}

static void mix_of_function(struct annotate *a, struct v9_table *t, const struct function *f)
{
	const size_t n = (end_of(f) - f->func->start) / 4;
	struct mix_of all = { .range = { f->func->start, end_of(f) } };
	struct v9_code_loop *loops = v9_alloc(MOST_LOOPS * sizeof(*loops));
	uint32_t *word = v9_alloc((n + 1) * sizeof(*word));
	struct mix_of *mix;
	size_t nr;

	add_mix(a, f, &all);
	put_mix(a, t, f, &all, &all.spe, true, false);
	put_mix(a, t, f, &all, &all.ete, false, false);
	for (size_t i = 0; i < n; i++)
		(void)word_at(a, f, f->func->start + 4 * i, &word[i]);
	nr = v9_mix_loops(word, n, f->func->start, loops, MOST_LOOPS);
	mix = v9_alloc((nr + 1) * sizeof(*mix));
	for (size_t i = 0; i < nr; i++) {
		mix[i].range = loops[i];
		add_mix(a, f, &mix[i]);
	}
	qsort(mix, nr, sizeof(*mix), mix_order);
	for (size_t i = 0; i < nr && (i < LINES || !a->r->out.format->for_people); i++) {
		put_mix(a, t, f, &mix[i], &mix[i].spe, true, true);
		put_mix(a, t, f, &mix[i], &mix[i].ete, false, true);
	}
	free(mix);
	free(word);
	free(loops);
}

static void print_mix(struct annotate *a, struct function *const *top, size_t n)
{
	const bool spe = a->n.has[V9_KIND_SPE];
	const struct v9_col cols[] = {
		{ "percent", "share", V9_PERCENT, false },
		{ "count", "count", V9_COUNT, false },
		{ "of", "of", V9_TEXT, false },
		{ "scalar_percent", "scalar", V9_PERCENT, false },
		{ "fp_percent", "FP", V9_PERCENT, false },
		{ "simd_percent", "SIMD", V9_PERCENT, false },
		{ "sve_percent", "SVE", V9_PERCENT, false },
		{ "predicated_percent", "predicated", V9_PERCENT, false },
		{ "partial_percent", spe ? "partial" : NULL, V9_PERCENT, false },
		{ "empty_percent", spe ? "empty" : NULL, V9_PERCENT, false },
		{ "dso", "object", V9_TEXT, true },
		{ "symbol", "symbol", V9_TEXT, true },
		{ "loop", "loop", V9_TEXT, false },
		{ "line", a->no_source ? NULL : "line", V9_TEXT, true },
	};
	struct v9_table t = { .name = "mix", .title = "Mix of instructions, by function and loop",
			      .cols = cols, .nr_cols = V9_ARRAY_SIZE(cols), .blank = true };

	for (size_t i = 0; i < n; i++)
		mix_of_function(a, &t, top[i]);
	v9_rep_table(a->r, &t);
}

/* ---- what is missing */

static void print_missing(struct annotate *a, struct function *const *top, size_t n)
{
	static const struct v9_col cols[] = {
		{ "what", "missing", V9_TEXT, false },
		{ "dso", "object", V9_TEXT, true },
		{ "why", "why", V9_TEXT, true },
	};
	struct v9_table t = { .name = "missing", .title = "Missing in the listing", .cols = cols,
			      .nr_cols = V9_ARRAY_SIZE(cols) };

	if (a->disasm.why) {
		v9_table_row(&t);
		v9_put_text(&t, "text of instructions");
		v9_put_text(&t, NULL);
		v9_put_text(&t, a->disasm.why);
	}
	for (size_t i = 0; i < n; i++) {
		const struct v9_dso *d = top[i]->dso;
		const char *why = d ? v9_lines_why(&a->lines, d) : NULL;
		bool again = false;

		for (size_t k = 0; k < i; k++)
			again |= top[k]->dso == d;
		if (again || !d)
			continue;
		if (why && !a->no_source) {
			v9_table_row(&t);
			v9_put_text(&t, "source lines");
			v9_put_text(&t, v9_rep_object(a->r, d->name));
			v9_put_text(&t, why);
		}
		if (d->code.why && !d->code.bytes && (d != a->r->s.syms.dsos[0] ||
						       a->n.lookup.code.kernel_why)) {
			v9_table_row(&t);
			v9_put_text(&t, "code");
			v9_put_text(&t, v9_rep_object(a->r, d->name));
			v9_put_text(&t, d->code.why);
		}
	}
	if (a->n.notes.odd) {
		v9_table_row(&t);
		v9_put_text(&t, v9_rep_keep(a->r, "%" PRIu64 " executed ranges", a->n.notes.odd));
		v9_put_text(&t, NULL);
		v9_put_text(&t, "their instructions have 16 and 32 bits (T32)");
	}
	v9_rep_table(a->r, &t);
}

/* ---- all */

static bool named(const void *bin)
{
	return ((const struct function *)bin)->func;
}

static const char *heading(struct annotate *a, const struct function *f)
{
	const char *samples = f->spe.samples ?
			      v9_rep_keep(a->r, ": %" PRIu64 " samples", f->spe.samples) : "";
	const char *executed = f->executed ?
			       v9_rep_keep(a->r, "%s %" PRIu64 " instructions executed",
					   f->spe.samples ? "," : ":", f->executed) : "";

	return v9_rep_keep(a->r, "%s (%s)%s%s", f->func->name, object_of(a, f), samples, executed);
}

static void print_listings(struct annotate *a, struct function *const *top, size_t n)
{
	const bool people = a->r->out.format->for_people;
	struct v9_col cols[MEASURES + INSN_COLS];
	struct v9_table t;

	for (size_t i = 0; i < n; i++) {
		if (!i || people)
			begin_listing(a, &t, cols);
		list(a, &t, top[i]);
		if (people)
			t.title = heading(a, top[i]);
		if (people || i + 1 == n)
			v9_rep_table(a->r, &t);
		v9_progress("%zu of %zu functions", i + 1, n);
	}
	v9_progress_end();
}

/* Prints all tables. @first: see v9_noted_read(). Returns false if nothing was measured. */
static bool print_all(struct annotate *a, uint64_t limit, bool first)
{
	struct v9_report *r = a->r;
	struct function **top;
	bool any;
	size_t n;

	v9_noted_read(&a->n, r, first);
	v9_lines_init(&a->lines, &r->s.syms);
	a->sources.symfs = r->o.syms.symfs;
	v9_bins_init(&a->by_line, sizeof(struct line));
	sum_up(a);
	top = (struct function **)v9_bins_top(&a->functions, limit, named, function_order, NULL, &n);
	any = a->functions.used;
	print_functions(a, top, n);
	if (a->mix) {
		print_mix(a, top, n);
	} else {
		print_listings(a, top, n);
		print_lines(a);
	}
	print_missing(a, top, n);
	free(top);
	v9_bins_free(&a->functions);
	v9_bins_free(&a->by_line);
	v9_sources_free(&a->sources);
	v9_lines_free(&a->lines);
	v9_disasm_free(&a->disasm);
	v9_noted_free(&a->n);
	return any;
}

void v9_annotate_print(struct v9_report *r, uint64_t limit)
{
	struct annotate a = { .r = r };

	print_all(&a, limit, false);
}

struct command {
	struct v9_report r;
	bool no_source, mix;
};

static bool print(struct v9_report *r)
{
	const struct command *c = (const struct command *)r;
	struct annotate a = { .r = r, .no_source = c->no_source, .mix = c->mix };
	const bool any = print_all(&a, r->limit, true);

	if (r->o.filter.used && !any)
		v9_filter_nothing(&r->o.filter, &r->s, r->o.path);
	return any;
}

enum { OPT_LIMIT = V9_OPT_OWN, OPT_NO_SOURCE, OPT_MIX, OPT_HELP };

static const struct option longopts[] = {
	V9_COMMON_OPTIONS,
	{ "limit", required_argument, NULL, OPT_LIMIT },
	{ "no-source", no_argument, NULL, OPT_NO_SOURCE },
	{ "mix", no_argument, NULL, OPT_MIX },
	V9_FORMAT_OPTIONS,
	{ "no-color", no_argument, NULL, V9_OPT_NO_COLOR },
	{ "help", no_argument, NULL, OPT_HELP },
	{ 0 }
};

static void usage(void)
{
	printf("usage: v9trace annotate [OPTIONS] [FILE]\n"
	       "Shows the instructions and source lines of the hottest functions with what was measured\n"
	       "of each: samples, latencies, misses (SPE); executions, taken branches, cycles (ETE)\n"
	       "(default: " V9_DEFAULT_CAPTURE ").\n"
	       "  --limit N         that many functions (default %d); 0: all\n"
	       "  --no-source       no source lines\n"
	       "  --mix             in place of the listings, kinds of instructions of each function and its\n"
	       "                    loops: scalar, FP, SIMD, SVE, predicated\n"
	       V9_FORMAT_HELP V9_COMMON_HELP, DEFAULT_LIMIT);
}

int cmd_annotate(int argc, char **argv)
{
	struct command a = { .r.limit = DEFAULT_LIMIT };
	int opt, status;

	v9_options_init(&a.r.o, argv, V9_TAKES_TABLES);
	while ((opt = getopt_long(argc, argv, V9_COMMON_SHORT, longopts, NULL)) != -1) {
		status = 0;
		if (opt == OPT_HELP || opt == 'h') {
			usage();
			return V9_EXIT_OK;
		} else if (opt == OPT_LIMIT) {
			status = v9_parse_number("limit", optarg, UINT32_MAX, &a.r.limit) ?
				 0 : V9_EXIT_USAGE;
		} else if (opt == OPT_NO_SOURCE) {
			a.no_source = true;
		} else if (opt == OPT_MIX) {
			a.mix = true;
		} else {
			status = v9_options_take(&a.r.o, opt, optarg);
		}
		if (status)
			return status;
	}
	status = v9_options_file(&a.r.o, argc, argv);
	return status ? status : v9_report_run(&a.r, V9_SHOWS_TABLES, print);
}
