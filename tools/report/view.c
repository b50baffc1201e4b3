// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "view.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <ncurses.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

#include <v9trace/base.h>

#include "../capture/strtab.h"
#include "../util.h"

bool (*v9_view_annotate)(const char *symbol);
const char *v9_view_title = "";

enum { HEADS = 3, FEET = 1 };	/* lines above and below the rows */
enum { PLAIN_PAIR, BAD_PAIR, HIT_PAIR };

/* A table, or rows of it */
struct pane {
	struct v9_table t;
	size_t *row;		/* rows of t that are shown, in their order */
	size_t nr;
	size_t at, top;		/* selected row, first row on the screen: indexes into .row */
	size_t sort;		/* column; nr_cols: none */
	bool own;		/* cells and columns are its own */
};

struct view {
	struct pane *table;	/* all tables that have something to show */
	size_t nr, now;
	struct pane *zoom;	/* innermost last */
	size_t nr_zoom;
	char search[64];
	char say[640];
};

static struct view view;

static struct pane *pane(void)
{
	return view.nr_zoom ? &view.zoom[view.nr_zoom - 1] : &view.table[view.now];
}

static const struct v9_cell *cells(const struct pane *p, size_t row)
{
	return &p->t.cells[row * p->t.nr_cols];
}

/* Returns the column of that name, or nr_cols. */
static size_t column(const struct v9_table *t, const char *name)
{
	size_t i;

	for (i = 0; i < t->nr_cols; i++)
		if (!strcmp(t->cols[i].name, name))
			break;
	return i;
}

/* Returns the text of that column in the row, or NULL. */
static const char *text_of(const struct pane *p, size_t row, const char *name)
{
	const size_t i = column(&p->t, name);

	return i < p->t.nr_cols && p->t.cols[i].type == V9_TEXT && cells(p, row)[i].set ?
	       cells(p, row)[i].s : NULL;
}

/* ---- what is kept */

static void add_row(struct pane *p, size_t row)
{
	*v9_vec_add(p->row, p->nr) = row;
}

static void *copy(const void *from, size_t size)
{
	return memcpy(v9_alloc(size), from, size);
}

/* Strings of tables live as long as the report. */
static void keep_table(struct v9_out *o, const struct v9_table *t)
{
	struct pane p = { .t = *t, .sort = t->nr_cols, .own = true };

	(void)o;
	for (size_t r = 0; r < t->nr_rows; r++)
		if (t->shape != V9_LOSSES || t->cells[r * t->nr_cols].n)
			add_row(&p, r);
	if (!p.nr && !t->empty)
		return;
	p.t.cols = copy(t->cols, t->nr_cols * sizeof(*t->cols));
	p.t.cells = copy(t->cells, t->nr_rows * t->nr_cols * sizeof(*t->cells));
	*v9_vec_add(view.table, view.nr) = p;
}

static void free_pane(struct pane *p)
{
	free(p->row);
	if (p->own) {
		free((void *)p->t.cols);
		free(p->t.cells);
	}
}

/* ---- drawing */

static void line(int y, int attributes, const char *s)
{
	attron(attributes);
	mvaddnstr(y, 0, s, COLS);
	attroff(attributes);
	clrtoeol();
}

static void draw_row(const struct v9_out *like, const struct pane *p, const size_t *width, size_t row,
		     int y, int attributes)
{
	struct v9_out o = *like;
	size_t size;
	char *s;

	o.f = open_memstream(&s, &size);
	v9_text_row(&o, &p->t, width, row);
	fclose(o.f);
	line(y, attributes, s);
	if (attributes & A_REVERSE)
		mvchgat(y, 0, -1, A_REVERSE, PLAIN_PAIR, NULL);
	free(s);
}

static void draw_tabs(void)
{
	int x = 0;

	move(0, 0);
	clrtoeol();
	for (size_t i = 0; i < view.nr && x < COLS; i++) {
		const char *title = view.table[i].t.title;
		const int n = (int)strcspn(title, ",");

		attron(i == view.now ? A_REVERSE : A_NORMAL);
		mvprintw(0, x, " %.*s ", n, title);
		attroff(A_REVERSE);
		x += n + 2;
		/* The selected one must be on the screen. */
		if (x > COLS && i < view.now && x) {
			move(0, 0);
			clrtoeol();
			x = 0;
		}
	}
}

static bool matches(const struct pane *p, size_t row)
{
	char s[512];

	for (size_t i = 0; *view.search && i < p->t.nr_cols; i++) {
		v9_text_cell(s, sizeof(s), &p->t, row, i);
		if (p->t.cols[i].title && strcasestr(s, view.search))
			return true;
	}
	return false;
}

static void draw(void)
{
	struct v9_out o = { .width = (unsigned int)COLS };
	const int rows = LINES > HEADS + FEET ? LINES - HEADS - FEET : 1;
	struct pane *p = pane();
	size_t *width = v9_alloc(p->t.nr_cols * sizeof(*width));
	char *s;

	if (p->at < p->top)
		p->top = p->at;
	if (p->at >= p->top + (size_t)rows)
		p->top = p->at - (size_t)rows + 1;
	draw_tabs();
	s = v9_format("%s%s%s%s", p->t.title, p->t.of ? " (" : "", p->t.of ? p->t.of : "",
		      p->t.of ? ")" : "");
	line(1, A_BOLD, s);
	free(s);
	v9_text_widths(&o, &p->t, width);
	if (p->t.shape == V9_ROWS && p->nr)
		draw_row(&o, p, width, p->t.nr_rows, 2, A_DIM);
	else
		line(2, 0, p->nr ? "" : p->t.empty ? p->t.empty : "");
	for (int y = 0; y < rows; y++) {
		const size_t i = p->top + (size_t)y;

		if (i >= p->nr)
			line(HEADS + y, 0, "");
		else
			draw_row(&o, p, width, p->row[i], HEADS + y, i == p->at ? A_REVERSE :
				 p->t.shape == V9_LOSSES ? COLOR_PAIR(BAD_PAIR) :
				 matches(p, p->row[i]) ? COLOR_PAIR(HIT_PAIR) : 0);
	}
	s = *view.say ? v9_format(" %s", view.say) :
	    v9_format(" %zu of %zu%s%s   Tab: tables  Enter: zoom  /: search  s: sort  a: annotate  q: %s",
		      p->nr ? p->at + 1 : 0, p->nr, p->t.note ? "  " : "", p->t.note ? p->t.note : "",
		      view.nr_zoom ? "back" : "quit");
	line(LINES - 1, A_REVERSE, s);
	mvchgat(LINES - 1, 0, -1, A_REVERSE, PLAIN_PAIR, NULL);
	free(s);
	free(width);
	view.say[0] = '\0';
	refresh();
}

static void say(const char *s, const char *what)
{
	snprintf(view.say, sizeof(view.say), "%s%s", s, what);
}

/* ---- what keys do */

static void step(long by)
{
	struct pane *p = pane();
	const long to = (long)p->at + by;

	if (p->nr)
		p->at = to < 0 ? 0 : to >= (long)p->nr ? p->nr - 1 : (size_t)to;
}

static void next_match(int by)
{
	struct pane *p = pane();

	for (size_t k = 1; *view.search && k <= p->nr; k++) {
		const size_t i = (p->at + (by > 0 ? k : p->nr - k % p->nr)) % p->nr;

		if (matches(p, p->row[i])) {
			p->at = i;
			return;
		}
	}
	say(*view.search ? "not found: " : "nothing to search for", view.search);
}

/* Returns a key, or ERR if the terminal is gone. */
static int next_key(void)
{
	int key;

	do {
		errno = 0;
		key = getch();
	} while (key == ERR && errno == EINTR);
	return key;
}

static void ask_search(void)
{
	char s[sizeof(view.search)] = "";
	size_t n = 0;
	int key;

	for (;;) {
		char prompt[sizeof(s) + 2];

		snprintf(prompt, sizeof(prompt), "/%s", s);
		line(LINES - 1, 0, prompt);
		refresh();
		key = next_key();
		if (key == '\n' || key == '\r' || key == KEY_ENTER)
			break;
		if (key == 27 || key == ERR)
			return;
		if ((key == KEY_BACKSPACE || key == 127 || key == 8) && n)
			s[--n] = '\0';
		else if (key < 256 && isprint(key) && n + 1 < sizeof(s))
			s[n++] = (char)key, s[n] = '\0';
	}
	if (n)
		memcpy(view.search, s, sizeof(s));
	next_match(1);
}

static size_t sort_by;
static const struct pane *sorted;

static int row_order(const void *a, const void *b)
{
	const size_t ra = *(const size_t *)a, rb = *(const size_t *)b;
	const struct v9_cell *x = &cells(sorted, ra)[sort_by], *y = &cells(sorted, rb)[sort_by];
	const enum v9_type type = sorted->t.cols[sort_by].type;
	int r = 0;

	/* What is not known comes last, and rows that are equal stay in their order. */
	if (x->set != y->set)
		return x->set ? -1 : 1;
	if (x->set && type == V9_TEXT)
		r = strcmp(x->s, y->s);
	else if (x->set && type == V9_COUNT)
		r = (x->n < y->n) - (x->n > y->n);
	else if (x->set)
		r = (x->f < y->f) - (x->f > y->f);
	return r ? r : (ra > rb) - (ra < rb);
}

/* Sorts by the next column, and in the end as the table was. */
static void sort_next(void)
{
	struct pane *p = pane();

	if (p->t.shape != V9_ROWS || !p->nr)
		return;
	do
		p->sort = p->sort >= p->t.nr_cols ? 0 : p->sort + 1;
	while (p->sort < p->t.nr_cols && !p->t.cols[p->sort].title);
	sorted = p;
	sort_by = p->sort;
	if (p->sort < p->t.nr_cols) {
		qsort(p->row, p->nr, sizeof(*p->row), row_order);
		say("sorted by ", *p->t.cols[p->sort].title ? p->t.cols[p->sort].title :
		    p->t.cols[p->sort].name);
	} else {
		for (size_t i = 1; i < p->nr; i++) {	/* back to the order of the rows */
			const size_t row = p->row[i];
			size_t k = i;

			for (; k && p->row[k - 1] > row; k--)
				p->row[k] = p->row[k - 1];
			p->row[k] = row;
		}
		say("as it was", "");
	}
	p->at = 0;
}

/* The rows below a row of a tree */
static bool zoom_tree(const struct pane *p, struct pane *to)
{
	const size_t depth = column(&p->t, "depth");
	const size_t first = p->row[p->at];

	if (depth == p->t.nr_cols || !cells(p, first)[depth].set)
		return false;
	add_row(to, first);
	for (size_t r = first + 1; r < p->t.nr_rows &&
				   cells(p, r)[depth].n > cells(p, first)[depth].n; r++)
		add_row(to, r);
	return to->nr > 1;
}

/* A line of the zoom: where it is from, and what it says */
static const struct v9_col about[] = {
	{ "table", "", V9_TEXT, V9_CUT },
	{ "column", "", V9_TEXT, false },
	{ "value", "", V9_TEXT, V9_CUT },
};

static char *kept_text(const struct pane *p, size_t row, size_t col)
{
	char s[512];

	v9_text_cell(s, sizeof(s), &p->t, row, col);
	return v9_strdup(s);
}

static struct v9_strtab words;	/* texts of zooms */

static void tell(struct pane *to, const struct pane *p, size_t row, bool first)
{
	for (size_t i = 0; i < p->t.nr_cols; i++) {
		char *s;

		if (!cells(p, row)[i].set)
			continue;
		s = kept_text(p, row, i);
		v9_table_row(&to->t);
		v9_put_text(&to->t, first ? p->t.title : "");
		v9_put_text(&to->t, p->t.cols[i].title && *p->t.cols[i].title ? p->t.cols[i].title :
				    p->t.cols[i].name);
		v9_put_text(&to->t, v9_strtab_put(&words, s, 1024));
		free(s);
		add_row(to, to->t.nr_rows - 1);
		first = false;
	}
}

/* Is row @r of @p about the same function or cache line? */
static bool same_thing(const struct pane *p, size_t r, const char *name, const char *value)
{
	const char *s = text_of(p, r, name);
	const size_t n = strlen(value);

	return s && !strncmp(s, value, n) && (!s[n] || s[n] == '+');
}

/* All columns of the row, and of rows of other tables about the same function or cache line */
static void zoom_row(const struct pane *p, struct pane *to)
{
	static const char *const names[] = { "line", "symbol", "data" };
	const size_t row = p->row[p->at];
	const char *value = NULL, *name = NULL;

	to->t = (struct v9_table){ .name = "zoom", .cols = about, .nr_cols = V9_ARRAY_SIZE(about),
				   .shape = V9_KEYED, .title = p->t.title };
	for (size_t i = 0; i < V9_ARRAY_SIZE(names) && !value; i++) {
		name = names[i];
		value = text_of(p, row, name);
	}
	if (value)
		to->t.title = value;
	tell(to, p, row, true);
	for (size_t i = 0; value && i < view.nr; i++)
		for (size_t r = 0; r < view.table[i].t.nr_rows && to->nr < 2000; r++) {
			const struct pane *other = &view.table[i];

			if ((other->t.cells != p->t.cells || r != row) && same_thing(other, r, name, value))
				tell(to, other, r, true);
		}
}

static void zoom(void)
{
	struct pane *p = pane(), to = { .t = p->t, .sort = p->t.nr_cols };

	if (!p->nr || !strcmp(p->t.name, "zoom"))
		return;
	if (!zoom_tree(p, &to)) {
		free(to.row);
		to = (struct pane){ .sort = V9_ARRAY_SIZE(about) };
		zoom_row(p, &to);
	}
	*v9_vec_add(view.zoom, view.nr_zoom) = to;
}

/* Returns false if there is nothing to go back to. */
static bool back(void)
{
	struct pane *p;

	if (!view.nr_zoom)
		return false;
	p = &view.zoom[--view.nr_zoom];
	if (!strcmp(p->t.name, "zoom"))
		free(p->t.cells);
	free_pane(p);
	return true;
}

static void to_table(size_t i)
{
	while (back())
		;
	view.now = i;
}

static void annotate(void)
{
	const struct pane *p = pane();
	const char *symbol = p->nr ? text_of(p, p->row[p->at], "symbol") : NULL;
	char name[512];

	if (!strcmp(p->t.name, "zoom"))
		symbol = p->t.title;
	if (!symbol || *symbol == '[') {
		say("no function in this row", "");
		return;
	}
	/* The tree has it behind spaces, a cache line before an offset. */
	symbol += strspn(symbol, " ");
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(symbol, "+"), symbol);
	def_prog_mode();
	endwin();
	if (!v9_view_annotate || !v9_view_annotate(name))
		say("v9trace annotate cannot show ", name);
	reset_prog_mode();
	clearok(stdscr, TRUE);
}

static bool take_key(int key)
{
	const long page = LINES > HEADS + FEET ? LINES - HEADS - FEET : 1;

	switch (key) {
	case KEY_DOWN: case 'j':	step(1); break;
	case KEY_UP: case 'k':		step(-1); break;
	case KEY_NPAGE: case ' ':	step(page); break;
	case KEY_PPAGE: case 'b':	step(-page); break;
	case KEY_HOME: case 'g':	step(-(long)pane()->nr); break;
	case KEY_END: case 'G':		step((long)pane()->nr); break;
	case '\t': case KEY_RIGHT:	to_table((view.now + 1) % view.nr); break;
	case KEY_BTAB: case KEY_LEFT:	to_table((view.now + view.nr - 1) % view.nr); break;
	case '\n': case '\r': case KEY_ENTER: zoom(); break;
	case KEY_BACKSPACE: case 127: case 27: back(); break;
	case '/':			ask_search(); break;
	case 'n':			next_match(1); break;
	case 'N':			next_match(-1); break;
	case 's':			sort_next(); break;
	case 'a':			annotate(); break;
	case 'q':			return back();
	case ERR:			return false;
	default:
		if (key >= '1' && key <= '9' && (size_t)(key - '1') < view.nr)
			to_table((size_t)(key - '1'));
	}
	return true;
}

bool v9_view_can_show(void)
{
	const char *cup;
	int err;

	if (setupterm(NULL, STDOUT_FILENO, &err) == OK) {
		cup = tigetstr("cup");
		if (cup && cup != (char *)-1)
			return true;
	}
	v9_error("this terminal cannot show tables (TERM=%s): v9trace report prints them",
		 getenv("TERM") ? getenv("TERM") : "");
	return false;
}

static void show(struct v9_out *o)
{
	(void)o;
	if (!view.nr)
		return;
	v9_progress_end();
	setlocale(LC_CTYPE, "");
	initscr();
	cbreak();
	noecho();
	keypad(stdscr, TRUE);
	set_escdelay(25);
	curs_set(0);
	if (has_colors() && !getenv("NO_COLOR")) {
		start_color();
		use_default_colors();
		init_pair(BAD_PAIR, COLOR_RED, -1);
		init_pair(HIT_PAIR, COLOR_YELLOW, -1);
	}
	say(v9_view_title, "");
	do
		draw();
	while (take_key(next_key()));
	endwin();
	while (view.nr)
		free_pane(&view.table[--view.nr]);
	free(view.table);
	free(view.zoom);
	v9_strtab_free(&words);
	memset(&view, 0, sizeof(view));
}

const struct v9_format v9_format_view = {
	.name = "view", .takes = V9_TAKES_TABLES, .for_people = true, .table = keep_table, .end = show,
};
