// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the model traced against what a decoder says was executed.
 *
 *	pcs PCLOG [exact|counted|maybe|part|except=RANGES TEXT]...
 *
 * PCLOG is a file that the model wrote for -cpu max,v9-pclog=: pairs of start and end address. Their lowest bits
 * say the instruction set. A TEXT has one address per line, in hex, or is the output of v9trace script --ranges, of which
 * ranges of T32 code would be counted wrong; it may be a pipe, and is read as it comes. The texts are of
 * sessions that followed each other. With exact the
 * session must be the same instructions in the same order, and at least one; with maybe
 * the session may have no instruction on this CPU. With counted the text has at least one line that says
 * how many instructions were executed on an unknown path, and so many of the list are skipped. With part,
 * only as the last mode, instructions of the list may be missing. With except it must be exact but for
 * instructions in RANGES (START-END[,START-END]), none of which may be decoded, and the text must speak of
 * gaps. A line about a gap is an error otherwise, unless it is one where the unit did not
 * trace. Prints a line for each text: "ok" or "not ok", and how many instructions or what
 * is wrong. Exit 0 if all are ok.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANGES	8

struct mode {
	int exact, maybe, counted;
	int ranges;
	uint64_t start[RANGES], end[RANGES];
};

static FILE *list;
static uint64_t at, end, traced;
static unsigned int size = 4;	/* of the instructions of the pair */

static int excepted(const struct mode *m, uint64_t pc)
{
	int i;

	for (i = 0; i < m->ranges; i++)
		if (pc >= m->start[i] && pc < m->end[i])
			return 1;
	return 0;
}

/* Returns the next traced instruction; 0 at the end of the list. */
static uint64_t next(void)
{
	uint64_t pair[2];

	while (at >= end) {
		if (fread(pair, sizeof(pair), 1, list) != 1)
			return 0;
		size = pair[0] & 1 && !(pair[1] & 1) ? 2 : 4;
		at = pair[0] & 1 ? pair[0] & ~UINT64_C(1) : pair[0] & ~UINT64_C(2);
		end = pair[1] & ~UINT64_C(1);
	}
	traced++;
	at += size;
	return at - size;
}

/* "... elN  COUNT[*]  ADDRESS ..." or "ADDRESS". Returns false if the line has no instruction. */
static int parse(char *line, uint64_t *pc, uint64_t *count)
{
	char *el = strstr(line, " el"), *stop;

	*count = 1;
	if (!el || strlen(el) < 5 || el[4] != ' ') {
		*pc = strtoull(line, &stop, 16);
		return stop != line && strspn(stop, " \n") == strlen(stop);
	}
	*count = strtoull(el + 5, &stop, 10);
	if (stop == el + 5)
		return 0;
	stop += *stop == '*';
	*pc = strtoull(stop, NULL, 16);
	return *count && *pc;
}

static int session(FILE *text, const struct mode *m)
{
	uint64_t got, count, want, decoded = 0, gaps = 0, skipped = 0;
	static const char unknown[] = "path not known: ";
	char *line = NULL;
	size_t room = 0;
	int bad;

	while (getline(&line, &room, text) > 0) {
		const char *gap = strstr(line, " gap: ");

		if (gap && m->counted && !strncmp(gap + 6, unknown, strlen(unknown))) {
			gaps++;
			count = strtoull(gap + 6 + strlen(unknown), NULL, 10);
			for (skipped += count; count && next(); count--)
				;
			if (!count)
				continue;
			printf("not ok %" PRIu64 " instructions too many\n", count);
			return 1;
		}
		if (gap && strncmp(gap + 6, "not traced", 10)) {
			gaps++;
			if (!m->exact || m->ranges)
				continue;
			printf("not ok behind instruction %" PRIu64 " decoded:%s", decoded, gap);
			return 1;
		}
		if (gap || !parse(line, &got, &count))
			continue;
		for (; count; count--, got += 4) {
			decoded++;
			do {
				want = next();
				skipped += m->ranges && excepted(m, want);
			} while (want && want != got && (!m->exact || excepted(m, want)));
			if (want == got && !excepted(m, got))
				continue;
			printf("not ok instruction %" PRIu64 " decoded is 0x%" PRIx64
			       ", traced: 0x%" PRIx64 "\n", decoded, got, want);
			return 1;
		}
	}
	free(line);
	bad = m->ranges || m->counted ? !gaps || !skipped : !decoded && !m->maybe;
	printf("%s %" PRIu64 " instructions, %" PRIu64 " gaps, %" PRIu64 " excepted\n",
	       bad ? "not ok" : "ok", decoded, gaps, skipped);
	return bad;
}

static int parse_mode(const char *s, struct mode *m)
{
	char *stop;

	memset(m, 0, sizeof(*m));
	m->exact = strcmp(s, "part");
	m->maybe = !strcmp(s, "maybe");
	m->counted = !strcmp(s, "counted");
	if (!m->exact || m->maybe || m->counted || !strcmp(s, "exact"))
		return 1;
	if (strncmp(s, "except=", 7))
		return 0;
	for (s += 6; *s && m->ranges < RANGES; s = stop) {
		m->start[m->ranges] = strtoull(s + 1, &stop, 16);
		if (*stop != '-')
			return 0;
		m->end[m->ranges++] = strtoull(stop + 1, &stop, 16);
	}
	return 1;
}

int main(int argc, char **argv)
{
	int i, bad = 0, exact = 1;
	struct mode m;
	uint64_t seen;

	if (argc < 4 || argc % 2)
		return 2;
	list = fopen(argv[1], "rb");
	if (!list)
		return 2;
	for (i = 2; i < argc && !bad; i += 2) {
		FILE *text = fopen(argv[i + 1], "r");

		if (!text || !parse_mode(argv[i], &m))
			return 2;
		exact = m.exact;
		bad = session(text, &m);
		fflush(stdout);
		fclose(text);
	}
	seen = traced;
	while (!bad && next())
		;
	printf("%s %" PRIu64 " instructions traced after the last one decoded\n",
	       exact && traced != seen ? "not ok" : "ok", traced - seen);
	return bad || (exact && traced != seen);
}
