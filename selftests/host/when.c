// SPDX-License-Identifier: GPL-2.0-only
/*
 * tools/capture/when.c: the times of parts of a trace, which decide between the programs that a task executed one
 * after the other. The bytes are typed from the Arm ARM; the comments say at which offset a part begins.
 */
#include <stdlib.h>
#include <string.h>

#include <v9trace/base.h>

#include "tap.h"
#include "../../tools/capture/when.h"

#define SYNC		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80
#define INFO		0x01, 0x00
#define ON		0x04
#define U		0x82, 0x00, 0x08, 0x00, 0x00, 0x30	/* EL0, address 0x1000 */
#define U2		0x82, 0x00, 0x10, 0x00, 0x00, 0x30	/* EL0, address 0x2000 */
#define KERNEL		0x82, 0x00, 0x20, 0x00, 0x00, 0x31	/* EL1, address 0x4000 */
#define OF(id)		0x82, 0x00, 0x08, 0x00, 0x00, 0xb0, (id), 0, 0, 0
#define OF2(id)		0x82, 0x00, 0x10, 0x00, 0x00, 0xb0, (id), 0, 0, 0
#define E		0xf7
#define X		0x06, 0x1d, 0x90	/* exception; to return to the last address */
#define MARKER		0x88
#define S(t)		0x02, (t)		/* time 1000 + 16 * t */
#define BEGIN		SYNC, INFO, ON, U, E, S(1)		/* ends at 24 */
#define BYTES(...)	(const uint8_t[]){ __VA_ARGS__ }, sizeof((uint8_t[]){ __VA_ARGS__ })

/* Programs change between all times up to 20, and never again. */
static uint64_t changes[] = { 1032, 1048, 1064, 1080, 1096, 1112, 1128, 1144, 1160, 1176, 1192, 1208, 1224, 1240, 1256,
			      1272, 1288, 1304, 1320, 1u << 31 };

static struct v9_session session = {
	.has_conv = true, .conv = { .shift = 4, .mult = 256, .zero = 1000, .zero_valid = 1 },
	.syms = { .changes = changes, .nr_changes = V9_ARRAY_SIZE(changes) },
};

static const struct v9_ete_setup setup = {
	.size = sizeof(setup), .trcidr0 = 0x28800ea1, .trcidr2 = 0xd0001088,
	.trcdevarch = 0x47725a13, .trcconfigr = 1 << 6 | 1 << 11,	/* CID, TS */
};

/* Feeds bytes at an offset and compares the pieces, as "END:TIME END:-" */
static void expect(struct v9_when *w, const uint8_t *p, size_t n, uint64_t at, const char *want, const char *name)
{
	uint8_t *copy = malloc(n);	/* so that sanitizers find reads beyond it */
	char got[512] = "";
	size_t len = 0;

	memcpy(copy, p, n);
	v9_when_feed(w, copy, n, at);
	free(copy);
	for (size_t i = 0; i < w->nr && len < sizeof(got); i++) {
		len += (size_t)snprintf(got + len, sizeof(got) - len, "%s%llu:", len ? " " : "",
					(unsigned long long)w->piece[i].end);
		len += w->piece[i].has_time ?
			(size_t)snprintf(got + len, sizeof(got) - len, "%llu", (unsigned long long)w->piece[i].time) :
			(size_t)snprintf(got + len, sizeof(got) - len, "-");
	}
	if (!tap_ok(!strcmp(got, want), "%s", name))
		tap_note("%s", got);
}

static void parts(void)
{
	static const uint8_t dirt[] = { BEGIN, X, E, S(7), KERNEL, E, MARKER, ON };
	const struct { const char *name; const uint8_t *p; size_t n; const char *want; } rows[] = {
		{ "no_time", BYTES(SYNC, INFO, ON, U, E), "22:-" },
		{ "time_of_0", BYTES(SYNC, INFO, ON, U, E, S(0), E), "25:-" },
		{ "one_time", BYTES(BEGIN), "24:1016" },
		{ "same_time", BYTES(BEGIN, E, S(1)), "27:1016" },
		{ "two_times", BYTES(BEGIN, E, S(2)), "22:1016 27:1032" },
		/* 24 and 32 begin without a time of their own. */
		{ "time_of_the_next", BYTES(BEGIN, ON, U, E, ON, U, E, S(2)), "24:1016 42:1032" },
		/* The kernel, at 27, returns to the same address, at 34. */
		{ "kernel_between", BYTES(BEGIN, X, KERNEL, E, U, E, S(2)), "22:1016 43:1032" },
		{ "other_address", BYTES(BEGIN, X, ON, U2, E, S(2)), "27:1016 37:1032" },
		/* 27 is of the program before, which left EL0 at 35; 38 is of the next one. */
		{ "before_exec", BYTES(BEGIN, X, ON, U, E, X, ON, U2, E, S(3)), "38:1016 48:1048" },
		{ "no_exec", BYTES(BEGIN, X, ON, U, E, X, ON, U, E, S(3)), "27:1016 48:1048" },
		/* The kernel left EL1, which is no place to return to. */
		{ "kernel_is_interrupted", BYTES(BEGIN, X, ON, U, E, X, ON, KERNEL, E, X, ON, U, E, S(3)), "27:1016 59:1048" },
		{ "kernel_before_exec", BYTES(BEGIN, X, ON, U, E, X, ON, KERNEL, E, X, ON, U2, E, S(3)), "38:1016 59:1048" },
		/* Before the first timestamp there is no time before. */
		{ "first_exec", BYTES(SYNC, INFO, ON, U, E, X, ON, U2, E, S(3)), "35:1048" },
		/* A second place before the next timestamp is taken for a signal: 38 is not of a program before. */
		{ "signal", BYTES(BEGIN, X, ON, U, E, X, ON, U2, E, X, ON, U, E, S(3)), "38:1016 59:1048" },
		{ "exec_after_a_time", BYTES(BEGIN, X, ON, U, E, X, ON, U2, E, S(3), X, ON, U2, E, X, ON, U, E, S(5)),
		  "38:1016 62:1048 72:1080" },
		/* 31 is of task 7, and not of task 9, which executed another program. */
		{ "exec_of_another", BYTES(SYNC, INFO, ON, OF(9), E, S(1), X, ON, OF(7), E, X, ON, OF2(9), E, S(3)),
		  "31:1016 60:1048" },
		{ "part_of_another", BYTES(SYNC, INFO, ON, OF(9), E, S(1), X, ON, OF(9), E, X, ON, OF(7), E, X, ON, OF2(9), E, S(3)),
		  "46:1016 75:1048" },
		/* The time is of the element at 31: that of what begins at 36 is not known. */
		{ "marker", BYTES(BEGIN, ON, U, E, MARKER, X, ON, U, E, S(3)), "24:1016 36:1048 46:-" },
		{ "marker_once", BYTES(BEGIN, ON, U, E, MARKER, X, ON, U, E, S(3), E, S(4)), "24:1016 36:1048 49:1064" },
		/* Nothing is executed at EL0 before the timestamp. */
		{ "nothing_before_the_time", BYTES(BEGIN, ON, U, S(2)), "24:1016 33:-" },
		{ "kernel_before_the_time", BYTES(SYNC, INFO, ON, KERNEL, E, S(1), E, U, S(2)), "22:1016 33:1032" },
		{ "kernel_alone_has_the_time", BYTES(SYNC, INFO, ON, KERNEL, E, U, S(2)), "22:1032 30:-" },
		{ "kernel_before_the_marker", BYTES(SYNC, INFO, ON, KERNEL, E, MARKER, U, E, S(3)), "23:1048 32:-" },
		{ "two_parts_behind_the_marker", BYTES(SYNC, INFO, ON, KERNEL, E, MARKER, U, E, X, ON, U, E, S(3)), "23:1048 43:-" },
		{ "context_again", BYTES(SYNC, INFO, ON, U, E, U, S(2)), "30:1032" },
		/* 27 ends without an exception: the next part may begin anywhere. */
		{ "gap", BYTES(BEGIN, X, ON, U, E, ON, U2, E, S(3)), "27:1016 45:1048" },
		{ "no_return_address", BYTES(BEGIN, X, ON, U, E, 0x06, 0x01, 0x70, ON, U2, E, S(3)), "27:1016 48:1048" },
		{ "exception_at_once", BYTES(BEGIN, X, ON, U, X, ON, U2, E, S(3)), "37:1016 47:1048" },
		{ "time_of_an_exception", BYTES(BEGIN, ON, U, X, S(2)), "24:1016 36:1032" },
		/* 31 is of task 7, 46 of task 9 before its exec. */
		{ "part_of_another_first", BYTES(SYNC, INFO, ON, OF(9), E, S(1), X, ON, OF(7), E, X, ON, OF(9), E, X, ON, OF2(9), E,
		  S(3)), "31:1016 46:1048 61:1016 75:1048" },
		/* 44 is of task 9, and not known at the first time behind it. */
		{ "part_kept_for_the_next_time", BYTES(SYNC, INFO, ON, OF(9), E, S(1), ON, OF(7), E, MARKER, X, ON, OF(9), E, S(3), X,
		  ON, OF2(9), E, S(5)), "28:1016 61:1048 75:1080" },
		{ "discarded", BYTES(BEGIN, 0x00, 0x03, E), "24:1016 27:-" },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		struct v9_when w = { 0 };

		/* What another stream left is not seen. */
		v9_when_start(&w, &session, &setup);
		v9_when_feed(&w, dirt, sizeof(dirt), 0);
		w.past = true;
		v9_when_start(&w, &session, &setup);
		expect(&w, rows[i].p, rows[i].n, 0, rows[i].want, rows[i].name);
		tap_ok(!w.past, "%s_goes_on", rows[i].name);
		v9_when_free(&w);
	}
}

/* Pieces begin where the bytes begin; times go on. */
static void feeds(void)
{
	static const uint8_t user[] = { ON, U, S(2) }, begin[] = { BEGIN }, time[] = { E, S(2) }, none[] = { E },
			     part[] = { ON, U, E }, exec[] = { X, ON, U2, E, S(4) };
	uint8_t many[14 + 20 * 3] = { SYNC, INFO };
	struct v9_when w = { 0 };

	v9_when_start(&w, &session, &setup);
	expect(&w, begin, sizeof(begin), 0, "24:1016", "first_bytes");
	expect(&w, none, sizeof(none), 24, "25:1016", "bytes_without_a_time");
	expect(&w, time, sizeof(time), 25, "28:1032", "bytes_with_a_time");
	expect(&w, part, sizeof(part), 28, "36:-", "part_without_a_time");
	expect(&w, exec, sizeof(exec), 36, "49:1064", "next_program");
	/* Started again, nothing is left of the stream before. */
	v9_when_start(&w, &session, &setup);
	expect(&w, begin, 22, 0, "22:-", "started_again");
	v9_when_free(&w);

	/* What began where the bytes begin does not have the time of an element before. */
	v9_when_start(&w, &session, &setup);
	expect(&w, begin, sizeof(begin), 0, "24:1016", "bytes_before");
	expect(&w, user, sizeof(user), 24, "33:-", "begin_of_bytes");
	v9_when_free(&w);

	/* More pieces than there is room for at first */
	v9_when_start(&w, &session, &setup);
	for (unsigned int i = 0; i < 20; i++)
		memcpy(many + 14 + 3 * i, (uint8_t[]){ E, S((uint8_t)(i + 1)) }, 3);
	v9_when_feed(&w, many, sizeof(many), 0);
	tap_eq(w.nr, 20, "many_pieces");
	for (size_t i = 0; i < w.nr && i < 20; i++) {
		tap_eq(w.piece[i].end, i == 19 ? sizeof(many) : 14 + 3 * i + 1, "end_of_piece");
		tap_eq(w.piece[i].time, 1000 + 16 * (i + 1), "time_of_piece");
	}
	v9_when_free(&w);
}

/* More parts than are noted: only those have the time before. */
static void most(void)
{
	static const uint8_t begin[] = { BEGIN, X }, one[] = { ON, U, E, X }, end[] = { ON, U2, E, S(3) };
	static uint8_t b[sizeof(begin) + (V9_WHEN_PARTS + 1) * sizeof(one) + sizeof(end)];

	for (unsigned int more = 0; more < 2; more++) {
		const size_t noted = V9_WHEN_PARTS, count = noted - 1 + more;
		struct v9_when w = { 0 };
		size_t n = sizeof(begin);
		char want[64];

		memcpy(b, begin, n);
		for (size_t i = 0; i < count; i++, n += sizeof(one))
			memcpy(b + n, one, sizeof(one));
		memcpy(b + n, end, sizeof(end));
		snprintf(want, sizeof(want), "%zu:1016 %zu:1048", n, n + sizeof(end));
		v9_when_start(&w, &session, &setup);
		expect(&w, b, n + sizeof(end), 0, want, more ? "full" : "nearly_full");
		v9_when_free(&w);
	}
}

/* After the last change nothing is decoded. */
static void past(void)
{
	static const uint8_t bytes[] = { BEGIN, E, S(2), E, S(3) }, begin[] = { BEGIN },
			     left[] = { BEGIN, ON, U, E, MARKER, X, ON, U, E, S(3) };
	struct v9_session last = session;
	struct v9_when w = { 0 };

	last.syms.nr_changes = 1;
	v9_when_start(&w, &last, &setup);
	expect(&w, bytes, sizeof(bytes), 0, "22:1016 25:1032", "up_to_the_last_change");
	tap_ok(w.past, "past");
	expect(&w, bytes + 24, 3, 30, "", "nothing_after_it");
	v9_when_start(&w, &last, &setup);
	expect(&w, left, sizeof(left), 0, "24:1016 36:1048", "part_that_is_left");
	v9_when_start(&w, &last, &setup);
	expect(&w, begin, sizeof(begin), 0, "24:1016", "after_it_in_another_stream");
	v9_when_free(&w);
	tap_ok(!v9_when_epoch(&session, 1031) && v9_when_epoch(&session, 1032) == 1 && v9_when_epoch(&session, 1047) == 1 &&
	       v9_when_epoch(&session, UINT64_MAX) == V9_ARRAY_SIZE(changes), "epochs");
}

static void wanted(void)
{
	for (unsigned int i = 0; i < 8; i++) {
		const struct v9_trace_unit unit = { .word[PD_ETE_TS_SOURCE] = i & 4 ? 1 : 3 };
		struct v9_session s = session;

		s.has_conv = i & 1;
		s.syms.nr_changes = i >> 1 & 1;
		tap_eq(v9_when_wanted(&s, &unit), i == 7, "wanted_%u", i);
	}
}

int main(void)
{
	parts();
	feeds();
	most();
	past();
	wanted();
	return tap_done();
}
