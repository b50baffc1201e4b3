// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "screen.h"

#include <ctype.h>
#include <locale.h>
#include <ncurses.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../util.h"

#define TICK_MS	100		/* most time between looks at .ended */

#define MESSAGE	5.0		/* seconds that a message is shown */
#define FIRST	0.5		/* most seconds until there is something to see */

enum { BAD_PAIR = 1 };

struct screen {
	struct v9_top *t;
	size_t at, top;			/* selected row, first row on the screen */
	size_t page;			/* rows on the screen */
	bool help, paused, stopping;
	char say[160];			/* in place of the keys, until .quiet or the next key */
	double quiet;
	char input[64];			/* what is typed for .ask */
	enum { ASK_NOTHING, ASK_FILTER, ASK_DELAY } ask;
	int messages, errors;		/* a file that has the messages of v9_warn(); standard error; -1: none */
	double next;			/* time of the next look */
};

/* ---- messages: the last line is shown, all of them are printed at the end */

static void take_errors(struct screen *s)
{
	s->messages = memfd_create("v9trace", MFD_CLOEXEC);
	s->errors = s->messages < 0 ? -1 : dup(STDERR_FILENO);
	if (s->errors >= 0)
		dup2(s->messages, STDERR_FILENO);
}

static void give_errors(struct screen *s)
{
	char part[4096];
	off_t at = 0;
	ssize_t n;

	if (s->errors >= 0) {
		dup2(s->errors, STDERR_FILENO);
		close(s->errors);
	}
	while (s->messages >= 0 && (n = pread(s->messages, part, sizeof(part), at)) > 0) {
		if (write(STDERR_FILENO, part, (size_t)n) != n)
			break;
		at += n;
	}
	if (s->messages >= 0)
		close(s->messages);
}

/* Returns true if there is a new one. */
static bool show_message(struct screen *s)
{
	const off_t size = s->messages < 0 ? 0 : lseek(s->messages, 0, SEEK_CUR);
	static off_t seen;
	ssize_t n;
	char *from;

	if (size <= seen)
		return false;
	n = pread(s->messages, s->say, sizeof(s->say) - 1, seen);
	seen = size;
	if (n < 0)
		n = 0;
	s->say[n] = '\0';
	from = strchr(s->say, '\n');
	if (from)
		*from = '\0';
	s->quiet = v9_top_now() + MESSAGE;
	return true;
}

/* ---- drawing */

static void line(int y, chtype attributes, const char *text)
{
	move(y, 0);
	clrtoeol();
	attron(attributes);
	addstr(text);
	attroff(attributes);
	if (attributes & A_REVERSE)
		mvchgat(y, 0, -1, A_REVERSE, 0, NULL);
}

static const char *const help[] = {
	"q, Ctrl-C       quit",
	"Up, Down, j, k  select a row; Page Up, Page Down, Home, End",
	"Right, Tab, g   next rows: function, line, object, data (--mem), source, latency",
	"Left, G         rows before",
	"s, S            next order, order before",
	"P, T, A, M      order by samples, latency, average latency, L1 misses",
	"/               only rows with a text; empty: all",
	"z               zero: forget all samples and losses (not if attached)",
	"space, p        pause: the rows stay, sums go on",
	"d               delay: seconds between two looks",
	"h, ?            this",
	"",
	"share: of all samples, or of what the order is of.   latency: average, cycles",
	"L1miss and others: samples with that event, of the samples of the row",
};

/* Rows below the head, above the line of keys */
static size_t rows_of(size_t heads)
{
	return LINES > (int)heads + 1 ? (size_t)LINES - heads - 1 : 0;
}

static size_t draw_head(struct screen *s)
{
	struct v9_top *t = s->t;
	char *text[V9_TOP_HEAD];
	size_t n;

	t->head.paused = s->paused;
	n = v9_top_head(text, &t->head, &t->state, &t->rows, &t->choice, (unsigned int)COLS);
	for (size_t i = 0; i < n; i++) {
		if ((int)i < LINES)
			line((int)i, i + 1 == n ? A_REVERSE : n == V9_TOP_HEAD && !i ?
			     (chtype)COLOR_PAIR(BAD_PAIR) | A_BOLD : A_NORMAL, text[i]);
		free(text[i]);
	}
	return n;
}

static void draw_rows(struct screen *s, size_t heads, size_t rows)
{
	const struct v9_top *t = s->t;

	if (s->at >= t->rows.nr)
		s->at = t->rows.nr ? t->rows.nr - 1 : 0;
	/* After a screen has grown, or rows have gone: no room is left free that rows above could fill. */
	if (s->top + rows > t->rows.nr)
		s->top = t->rows.nr > rows ? t->rows.nr - rows : 0;
	if (s->at < s->top)
		s->top = s->at;
	if (rows && s->at >= s->top + rows)
		s->top = s->at - rows + 1;
	for (size_t y = 0; y < rows; y++) {
		const size_t i = s->top + y;
		char *text;

		if (s->help || i >= t->rows.nr) {
			line((int)(heads + y), 0, s->help && y < V9_ARRAY_SIZE(help) ? help[y] : "");
			continue;
		}
		text = v9_top_line(&t->rows, t->rows.row[i], &t->choice, (unsigned int)COLS);
		line((int)(heads + y), i == s->at ? A_BOLD : A_NORMAL, text);
		free(text);
	}
}

static void draw(struct screen *s)
{
	static const char *const question[] = { [ASK_FILTER] = "Filter: ", [ASK_DELAY] = "Seconds: " };
	const size_t heads = draw_head(s);
	char *text;

	s->page = rows_of(heads);
	draw_rows(s, heads, s->page);
	if (s->ask)
		text = v9_format("%s%s", question[s->ask], s->input);
	else if (*s->say)
		text = v9_strdup(s->say);
	else
		text = v9_format("q quit  h help  Left Right: %s  s: sort  /: filter  z: zero  p: pause",
				 v9_top_by_name[s->t->choice.by]);
	if (LINES > 0) {
		move(LINES - 1, 0);
		clrtoeol();
		addnstr(text, COLS - 1);
		if (!s->ask)
			mvchgat(LINES - 1, 0, -1, A_REVERSE, 0, NULL);
	}
	curs_set(s->ask ? 1 : 0);
	free(text);
	refresh();
}

/* ---- keys */

static void __attribute__((format(printf, 2, 3))) say(struct screen *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s->say, sizeof(s->say), fmt, ap);
	va_end(ap);
	s->quiet = v9_top_now() + MESSAGE;
}

static void order(struct screen *s, enum v9_top_sort sort)
{
	s->t->choice.sort = sort;
	v9_top_order(&s->t->rows, &s->t->choice);
	s->at = 0;
	say(s, "order: %s", v9_top_sort_name[sort]);
}

/* The next rows, or with @by < 0 those before; not by data if there are no sums of it */
static void turn(struct screen *s, int by)
{
	struct v9_top *t = s->t;

	do
		t->choice.by = (enum v9_top_by)(((int)t->choice.by + by + V9_TOP_BYS) % V9_TOP_BYS);
	while (t->choice.by == V9_TOP_DATA && !t->lines);
	v9_top_regroup(t);
	s->at = s->top = 0;
}

static void step(struct screen *s, long by)
{
	const long to = (long)s->at + by, most = (long)s->t->rows.nr - 1;

	s->at = to < 0 || most < 0 ? 0 : (size_t)(to > most ? most : to);
}

static void answer(struct screen *s)
{
	struct v9_top *t = s->t;

	if (s->ask == ASK_FILTER) {
		memcpy(t->filter, s->input, sizeof(t->filter));
		v9_top_order(&t->rows, &t->choice);
		s->at = s->top = 0;
	} else if (v9_top_parse_delay(s->input, &t->delay)) {
		s->next = v9_top_now() + t->delay;
	} else {
		say(s, "%s: wanted are seconds from 0.1 on", s->input);
	}
	s->ask = ASK_NOTHING;
}

static void type(struct screen *s, int key)
{
	const size_t n = strlen(s->input);

	if (key == '\n' || key == '\r' || key == KEY_ENTER)
		answer(s);
	else if (key == 27)
		s->ask = ASK_NOTHING;
	else if ((key == KEY_BACKSPACE || key == 127 || key == 8) && n)
		s->input[n - 1] = '\0';
	else if (key >= ' ' && key < 256 && key != 127 && n + 1 < sizeof(s->input))
		s->input[n] = (char)key;
}

static void begin_to_ask(struct screen *s, int what)
{
	s->ask = what;
	memset(s->input, 0, sizeof(s->input));
}

static void take_key(struct screen *s, int key)
{
	const long page = (long)s->page;
	const int sort = s->t->choice.sort;

	if (s->ask) {
		type(s, key);
		return;
	}
	s->say[0] = '\0';
	switch (key) {
	case KEY_DOWN: case 'j':	step(s, 1); break;
	case KEY_UP: case 'k':		step(s, -1); break;
	case KEY_NPAGE:			step(s, page); break;
	case KEY_PPAGE:			step(s, -page); break;
	case KEY_HOME:			step(s, -(long)s->t->rows.nr); break;
	case KEY_END:			step(s, (long)s->t->rows.nr); break;
	case KEY_RIGHT: case '\t': case 'g': turn(s, 1); break;
	case KEY_LEFT: case KEY_BTAB: case 'G': turn(s, -1); break;
	case 's':			order(s, (sort + 1) % V9_TOP_SORTS); break;
	case 'S':			order(s, (sort + V9_TOP_SORTS - 1) % V9_TOP_SORTS); break;
	case 'P':			order(s, V9_TOP_SAMPLES); break;
	case 'T':			order(s, V9_TOP_CYCLES); break;
	case 'A':			order(s, V9_TOP_AVERAGE); break;
	case 'M':			order(s, V9_TOP_L1); break;
	case '/':			begin_to_ask(s, ASK_FILTER); break;
	case 'd':			begin_to_ask(s, ASK_DELAY); break;
	case 'z':
		if (s->t->attach) {
			say(s, "attached: the sums are those of the recorder");
			break;
		}
		v9_top_zero(s->t);
		s->next = v9_top_now() + s->t->delay;
		break;
	case ' ': case 'p':		s->paused = !s->paused; break;
	case 'h': case '?':		s->help = !s->help; break;
	case 'q':
		s->stopping = true;
		s->t->stop();
		break;
	}
}

/* ---- the loop */

/* Returns a key; ERR: none before the time of the next look. Sets .stopping if the terminal is gone. */
static int next_key(struct screen *s)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	const double left = 1e3 * (s->next - v9_top_now());
	int key = getch();

	if (key != ERR)
		return key;
	poll(&in, 1, left <= 0 ? 0 : left > TICK_MS ? TICK_MS : (int)left + 1);
	if (in.revents & (POLLHUP | POLLERR | POLLNVAL) && !s->stopping) {
		s->stopping = true;
		s->t->stop();
	}
	return getch();
}

static void begin(void)
{
	setlocale(LC_CTYPE, "");
	initscr();
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(25);
	if (has_colors() && !getenv("NO_COLOR")) {
		start_color();
		use_default_colors();
		init_pair(BAD_PAIR, COLOR_RED, -1);
	}
}

void v9_top_screen(struct v9_top *t)
{
	struct screen s = { .t = t, .next = v9_top_now() + (t->delay < FIRST ? t->delay : FIRST) };
	bool changed = true;
	int key;

	take_errors(&s);
	begin();
	while (!t->ended) {
		if (!s.stopping && v9_top_now() >= s.next) {
			s.next = v9_top_now() + t->delay;
			if (!s.paused)
				v9_top_refresh(t);
			changed = true;
		}
		changed |= show_message(&s);
		if (*s.say && v9_top_now() > s.quiet) {
			s.say[0] = '\0';
			changed = true;
		}
		if (changed)
			draw(&s);
		key = next_key(&s);
		changed = key != ERR;
		if (key == KEY_RESIZE)
			clear();
		else if (key != ERR && !s.stopping)
			take_key(&s, key);
	}
	endwin();
	give_errors(&s);
}
