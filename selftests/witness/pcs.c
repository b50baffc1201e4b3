// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the model traced against what a decoder says was executed.
 *
 *	pcs PCLOG [exact|part TEXT]...
 *
 * PCLOG is a file of -cpu max,v9-pclog=: pairs of start and end. A TEXT has one address
 * per line, in hex; the texts are of sessions that followed each other. With exact the
 * session must be the same instructions in the same order; with part (only as the last
 * one) it must be what remains of them when some are lost. Prints a line for each text:
 * "ok" or "not ok", and how many instructions or what is wrong. Exit 0 if all are ok.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static FILE *list;
static uint64_t at, end, traced;

/* The next instruction traced; 0 at the end of the list. */
static uint64_t next(void)
{
	uint64_t pair[2];

	while (at >= end) {
		if (fread(pair, sizeof(pair), 1, list) != 1)
			return 0;
		at = pair[0];
		end = pair[1];
	}
	traced++;
	at += 4;
	return at - 4;
}

static int session(FILE *text, int exact)
{
	uint64_t got, want, decoded = 0;

	while (fscanf(text, "%" SCNx64, &got) == 1) {
		decoded++;
		do
			want = next();
		while (!exact && want && want != got);
		if (want != got) {
			printf("not ok instruction %" PRIu64 " decoded is 0x%" PRIx64
			       ", traced: 0x%" PRIx64 "\n", decoded, got, want);
			return 1;
		}
	}
	printf("%s %" PRIu64 " instructions\n", decoded ? "ok" : "not ok", decoded);
	return !decoded;
}

int main(int argc, char **argv)
{
	int i, bad = 0, exact = 1;
	uint64_t seen;

	if (argc < 4 || argc % 2)
		return 2;
	list = fopen(argv[1], "rb");
	if (!list)
		return 2;
	for (i = 2; i < argc && !bad; i += 2) {
		FILE *text = fopen(argv[i + 1], "r");

		if (!text)
			return 2;
		exact = !strcmp(argv[i], "exact");
		bad = session(text, exact);
		fclose(text);
	}
	seen = traced;
	while (!bad && next())
		;
	printf("%s %" PRIu64 " instructions traced after the last one decoded\n",
	       exact && traced != seen ? "not ok" : "ok", traced - seen);
	return bad || (exact && traced != seen);
}
