/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables D6-1 and D6-5 to D6-10 of the manual (DDI0487), copied by hand. They are used by the host
 * test of the library (routing_event.c) and by the firmware, which tests the same cells on the
 * machine (selftests/firmware/).
 */
#ifndef V9TRACE_ROUTING_TABLES_H
#define V9TRACE_ROUTING_TABLES_H

#include <stdint.h>

/* Does @v match @pattern? Most significant bit first; x: any value; "!00": all values but 00. */
static inline int like(unsigned int v, const char *pattern)
{
	int not = pattern[0] == '!';
	unsigned int i, n;

	pattern += not;
	for (n = 0; pattern[n]; n++)
		;
	for (i = 0; i < n; i++)
		if (pattern[i] != 'x' && (v >> (n - 1 - i) & 1) != (unsigned int)(pattern[i] - '0'))
			return not;
	return !not;
}

/* ---- which status register: tables D6-5, D6-6, D6-7 ---- */

/* @s: SCR_EL3.GPF, EA; @h: HCR_EL2.GPF, TEA; @to: the result columns, as EL numbers */
struct record_row {
	const char *ee3, *s, *ee2, *e2b, *h, *to;
};

static const struct record_row d6_5[] = {
	{ "00", "x", "xx", "xx", "x", "111" },
	{ "01", "x", "0x", "xx", "x", "111" },
	{ "01", "x", "10", "00", "x", "222" },
	{ "01", "x", "10", "1x", "0", "122" },
	{ "01", "x", "10", "1x", "1", "222" },
	{ "01", "x", "11", "xx", "x", "222" },
	{ "10", "0", "0x", "xx", "x", "113" },
	{ "10", "0", "10", "00", "x", "223" },
	{ "10", "0", "10", "1x", "0", "123" },
	{ "10", "0", "10", "1x", "1", "223" },
	{ "10", "0", "11", "xx", "x", "223" },
	{ "10", "1", "xx", "xx", "x", "333" },
	{ "11", "x", "xx", "xx", "x", "333" },
};

static const struct record_row d6_6[] = {
	{ "00", "x", "xx", "xx", "x", "11" },
	{ "01", "x", "0x", "xx", "x", "11" },
	{ "01", "x", "10", "00", "x", "22" },
	{ "01", "x", "10", "1x", "0", "12" },
	{ "01", "x", "10", "1x", "1", "22" },
	{ "01", "x", "11", "xx", "x", "22" },
	{ "10", "0", "0x", "xx", "x", "11" },
	{ "10", "0", "10", "00", "x", "22" },
	{ "10", "0", "10", "1x", "0", "12" },
	{ "10", "0", "10", "1x", "1", "22" },
	{ "10", "0", "11", "xx", "x", "22" },
	{ "10", "1", "xx", "xx", "x", "33" },
	{ "11", "x", "xx", "xx", "x", "33" },
};

static const struct record_row d6_7[] = {
	{ "00", "x", "xx", "xx", "x", "111" },
	{ "01", "x", "0x", "xx", "x", "111" },
	{ "01", "x", "10", "00", "x", "221" },
	{ "01", "x", "10", "1x", "x", "121" },
	{ "01", "x", "11", "xx", "x", "222" },
	{ "10", "x", "0x", "xx", "x", "111" },
	{ "10", "x", "10", "00", "x", "221" },
	{ "10", "x", "10", "1x", "x", "121" },
	{ "10", "x", "11", "xx", "x", "222" },
	{ "11", "x", "xx", "xx", "x", "333" },
};

/* ---- Running: table D6-1 ---- */

static const struct running_row {
	const char *s1, *ee3, *s3, *ee2, *s2;
	uint8_t running;
} d6_1[] = {
	{ "0", "00", "x", "xx", "x", 1 },
	{ "0", "01", "x", "0x", "x", 1 },
	{ "0", "01", "x", "1x", "0", 1 },
	{ "0", "01", "x", "1x", "1", 0 },
	{ "0", "1x", "0", "0x", "x", 1 },
	{ "0", "1x", "0", "1x", "0", 1 },
	{ "0", "1x", "0", "1x", "1", 0 },
	{ "0", "1x", "1", "xx", "x", 0 },
	{ "1", "xx", "x", "xx", "x", 0 },
};

/* ---- interrupt and exception: tables D6-8, D6-9, D6-10 ---- */

/*
 * @irq: H HIGH, L LOW; @from: the result at EL0 to EL3: - disabled, B masked by PM, C masked,
 * digit: taken to that EL, n: not possible
 */
static const struct el1_row {
	const char *ee3, *ee2, *tge, *ee1, *ke1, *pm;
	char irq;
	const char *from;
} d6_8[] = {
	{ "00", "xx", "0", "xx", "x", "x", 'H', "----" },
	{ "00", "xx", "1", "xx", "x", "x", 'H', "-n--" },
	{ "!00", "00", "0", "xx", "x", "x", 'H', "----" },
	{ "!00", "00", "1", "xx", "x", "x", 'H', "-n--" },
	{ "!00", "!00", "0", "0x", "x", "x", 'H', "----" },
	{ "!00", "!00", "0", "1x", "0", "x", 'L', "1CCC" },
	{ "!00", "!00", "0", "1x", "1", "0", 'L', "11CC" },
	{ "!00", "!00", "0", "1x", "1", "1", 'L', "1BCC" },
	{ "!00", "!00", "1", "0x", "x", "x", 'H', "-n--" },
	{ "!00", "!00", "1", "1x", "x", "x", 'L', "2nCC" },
};

static const struct el2_row {
	const char *ee3, *ee2, *ke2, *tge, *pm, *from;
} d6_9[] = {
	{ "00", "xx", "x", "0", "x", "----" },
	{ "00", "xx", "x", "1", "x", "-n--" },
	{ "!00", "0x", "x", "0", "x", "----" },
	{ "!00", "0x", "x", "1", "x", "-n--" },
	{ "!00", "10", "x", "0", "x", "22CC" },
	{ "!00", "10", "x", "1", "x", "2nCC" },
	{ "!00", "11", "0", "0", "x", "22CC" },
	{ "!00", "11", "0", "1", "x", "2nCC" },
	{ "!00", "11", "1", "0", "0", "222C" },
	{ "!00", "11", "1", "0", "1", "22BC" },
	{ "!00", "11", "1", "1", "0", "2n2C" },
	{ "!00", "11", "1", "1", "1", "2nBC" },
};

static const struct el3_row {
	const char *ee3, *tge, *from;
} d6_10[] = {
	{ "0x", "0", "----" },
	{ "0x", "1", "-n--" },
	{ "10", "0", "333C" },
	{ "10", "1", "3n3C" },
	{ "11", "0", "333C" },
	{ "11", "1", "3n3C" },
};

#define ROWS(t) (sizeof(t) / sizeof((t)[0]))

#endif
