// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shards: what is added in any order and merged in any tree is the same file; what is written is read
 * back; damaged files are refused. Built with sanitizers.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "tap.h"

#include <v9trace/base.h>

#include "../../tools/report/shard.h"

#include "shard_complete.h"

#define CAPTURES	9
#define ROWS		200
#define FEW		12	/* of a shard that is damaged */

static uint64_t seed;

static uint64_t any(uint64_t n)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (seed >> 33) % n;
}

/* The calls of a thread in a piece, at random */
static struct v9_calls_piece calls_of(struct v9_shard *s, uint64_t object)
{
	struct v9_calls_piece p;

	v9_piece_init(&p, false);
	for (unsigned int n = 4 + (unsigned int)any(12); n; n--) {
		const uint64_t func = any(6), what = any(9);
		struct v9_arrival a = {
			.addr = func << 12 | (any(2) ? 0 : 4 * any(9)), .kernel = func > 4,
			.func = v9_shard_code(s, v9_shard_place(s, object, any(2) ? "f" : NULL, func), func),
		};

		a.first = !(a.addr & 0xfff);
		a.final = func == 3;
		if (what < 3)
			v9_calls_branch(p.calls, V9_CALLS_BY_CALL, any(64) * 4);
		else if (what < 6)
			v9_calls_branch(p.calls, V9_CALLS_BY_RETURN, 0);
		else if (what == 6)
			v9_calls_gap(p.calls, any(2));
		else if (what == 7)
			v9_piece_exception(&p, &a, any(2));
		if (what == 7)
			v9_calls_exception(p.calls, a.addr);
		if (what == 8)
			v9_piece_count(&p, any(3) ? V9_PIECE_COUNTED : V9_PIECE_UNKNOWN, any(100));
		v9_piece_range(&p, &a, any(2));
		v9_piece_spend(&p, any(100), any(4));
	}
	v9_piece_end(&p);
	return p;
}

/* Adds the pieces of part @part of @parts of a capture: the same at each call */
static void add_part(struct v9_shard *s, unsigned int c, unsigned int part, unsigned int parts)
{
	char id[16];
	uint64_t source, object;

	seed = c * 100 + part;
	snprintf(id, sizeof(id), "divided-%x", c);
	v9_shard_capture(s, "test", id, part, parts, true);
	source = v9_shard_source(s, "ete", NULL, NULL, 0, part == 1);
	object = v9_shard_object(s, c < 100 ? "ab" : "cd", "/a", false);
	for (uint64_t i = 0; i < 6; i++) {
		struct v9_shard_piece p = {
			.capture = v9_shard_string(s, id), .part = part, .tid = any(3), .time = 10 * part + any(3),
			.stream = any(2), .offset = 100 * part + i, .source = source,
		};

		p.until = p.time;
		p.calls = calls_of(s, object);
		v9_shard_piece(s, &p);
	}
}

/* Adds row @i of capture @c: the same at each call, whatever came before. */
static void add_row(struct v9_shard *s, unsigned int c, unsigned int i)
{
	static const char *const names[] = { "main", "", "-", "%", "a b;c\n", "_Z3foov", "\xc3\xa9" };
	static const char *const ids[] = { "00", "deadbeef", NULL, "ff" };
	uint64_t source, object, place, call, value[V9_SHARD_SPE];

	seed = c * 1000 + i;
	source = v9_shard_source(s, any(2) ? "spe" : "ete", any(2) ? ":u" : NULL,
				 any(2) ? "0x1" : NULL, any(2), any(3));
	/* Machines know different names of a file, and different functions. */
	object = v9_shard_object(s, ids[any(4)], names[any(7)], any(2));
	v9_shard_segment(s, object, any(3), any(2) + 1, any(2));
	v9_shard_function(s, object, any(4), any(4), names[any(7)]);
	place = v9_shard_place(s, object, any(2) ? names[any(7)] : NULL, any(5));
	for (unsigned int k = 0; k < V9_SHARD_SPE; k++)
		value[k] = any(1000);
	switch (any(3)) {
	case 0:
		v9_shard_spe(s, source, place, any(2) ? "load" : NULL, any(2) ? "dram" : NULL, value);
		break;
	case 1:
		v9_shard_branch(s, source, any(2) ? place : 0, place, any(2) ? place : 0, value[0]);
		break;
	default:
		call = v9_shard_call(s, source, 0, 0);
		for (uint64_t depth = any(6); depth; depth--)
			call = v9_shard_call(s, source, call,
					     v9_shard_place(s, object, names[any(2)], 0));
		v9_shard_called(s, call, value);
	}
	v9_shard_loss(s, names[any(2)], any(2) ? "what" : "", names[any(3)], any(5));
	v9_shard_time(s, 100 + any(100), 300 + any(100));
}

static void add_capture(struct v9_shard *s, unsigned int c, unsigned int rows, bool backwards)
{
	char id[16];

	snprintf(id, sizeof(id), "%x", c);
	v9_shard_capture(s, "test", id, 1, 1, false);
	for (unsigned int i = 0; i < rows; i++)
		add_row(s, c, backwards ? rows - 1 - i : i);
}

struct text {
	char *p;
	size_t n;
};

static struct text written(const struct v9_shard *s)
{
	struct text t;
	FILE *f = open_memstream(&t.p, &t.n);

	v9_shard_write(s, f);
	fclose(f);
	return t;
}

static bool same(struct text a, struct text b)
{
	return a.n == b.n && !memcmp(a.p, b.p, a.n);
}

static bool read_text(struct v9_shard *s, const char *p, size_t n)
{
	const int fd = memfd_create("shard", 0);
	char path[64];
	bool good;

	if (write(fd, p, n) != (ssize_t)n)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	good = v9_shard_read(s, path);
	close(fd);
	return good;
}

static struct text of_capture(unsigned int c, unsigned int rows, bool backwards)
{
	struct v9_shard s;
	struct text t;

	v9_shard_init(&s);
	add_capture(&s, c, rows, backwards);
	t = written(&s);
	v9_shard_free(&s);
	return t;
}

static void read_all(struct v9_shard *s, const struct text *parts, const unsigned int *order, unsigned int n)
{
	v9_shard_init(s);
	for (unsigned int i = 0; i < n; i++)
		if (!read_text(s, parts[order[i]].p, parts[order[i]].n))
			abort();
}

static struct text merged(const struct text *parts, const unsigned int *order, unsigned int n)
{
	struct v9_shard s;
	struct text t;

	read_all(&s, parts, order, n);
	t = written(&s);
	v9_shard_free(&s);
	return t;
}

static void orders(void)
{
	unsigned int order[CAPTURES];
	struct text part[CAPTURES], all, other;
	struct v9_shard direct;

	for (unsigned int c = 0; c < CAPTURES; c++) {
		part[c] = of_capture(c, ROWS, false);
		other = of_capture(c, ROWS, true);
		tap_ok(part[c].n > 1000 && same(part[c], other), "order_of_rows");
		free(other.p);
		order[c] = c;
	}
	all = merged(part, order, CAPTURES);
	v9_shard_init(&direct);
	for (unsigned int c = CAPTURES; c--; )
		add_capture(&direct, c, ROWS, c & 1);
	other = written(&direct);
	tap_ok(same(all, other), "merged_is_added");
	free(other.p);
	v9_shard_free(&direct);
	seed = 1;
	for (unsigned int round = 0; round < 8; round++) {
		for (unsigned int c = CAPTURES; c > 1; c--) {
			const unsigned int k = (unsigned int)any(c), moved = order[k];

			order[k] = order[c - 1];
			order[c - 1] = moved;
		}
		other = merged(part, order, CAPTURES);
		tap_ok(same(all, other), "order_of_shards");
		free(other.p);
		/* A tree: some are merged first, the rest one by one */
		{
			const unsigned int two[] = { 0, 1 }, n = 1 + (unsigned int)any(CAPTURES - 1);
			struct text half[2] = { merged(part, order, n),
						merged(part, order + n, CAPTURES - n) };

			other = merged(half, two, 2);
			tap_ok(same(all, other), "trees");
			free(half[0].p);
			free(half[1].p);
			free(other.p);
		}
	}
	order[0] = 0;
	other = merged(&all, order, 1);
	tap_ok(same(all, other), "read_back");
	free(other.p);
	free(all.p);
	for (unsigned int c = 0; c < CAPTURES; c++)
		free(part[c].p);
}

static struct text of_parts(unsigned int c, unsigned int first, unsigned int last, unsigned int parts)
{
	struct v9_shard s;
	struct text t;

	v9_shard_init(&s);
	for (unsigned int part = first; part <= last; part++)
		add_part(&s, c, part, parts);
	v9_shard_resolve(&s);
	t = written(&s);
	v9_shard_free(&s);
	return t;
}

/* Reads shards in an order, makes call paths of what is complete, and writes. */
static struct text resolved(const struct text *parts, const unsigned int *order, unsigned int n)
{
	struct v9_shard s;
	struct text t;

	read_all(&s, parts, order, n);
	v9_shard_resolve(&s);
	t = written(&s);
	v9_shard_free(&s);
	return t;
}

/* Pieces stay until all parts are there, whatever is merged first. */
static void parts_with_paths(void)
{
	enum { PARTS = 6 };
	struct text part[PARTS + 1], all, some, other;
	unsigned int order[PARTS + 1], same_sums = 0, same_pieces = 0, same_beside = 0, rounds = 0;

	for (unsigned int c = 0; c < 20; c++) {
		for (unsigned int k = 0; k < PARTS; k++) {
			part[k] = of_parts(c, k + 1, k + 1, PARTS);
			order[k] = k;
		}
		all = of_parts(c, 1, PARTS, PARTS);
		some = of_parts(c, 1, PARTS - 1, PARTS);
		tap_ok(!strncmp(part[0].p, "v9trace-shard 2\n", 16) && strstr(part[0].p, "\npiece ") &&
		       strstr(part[0].p, " 1/6 paths\n"), "part_has_pieces");
		tap_ok(!strncmp(all.p, "v9trace-shard 1\n", 16) && !strstr(all.p, "\npiece ") &&
		       strstr(all.p, "\npaths "), "all_parts_have_paths");
		tap_ok(!strstr(some.p, "\npaths ") && strstr(some.p, "\npiece "), "some_parts_have_pieces");
		for (unsigned int round = 0; round < 4; round++, rounds++) {
			const unsigned int n = 1 + (unsigned int)any(PARTS - 1), two[] = { 1, 0 };
			struct text half[2];

			other = resolved(part, order, PARTS - 1);
			same_pieces += same(some, other);
			free(other.p);
			for (unsigned int k = PARTS - 1; k > 1; k--) {
				const unsigned int at = (unsigned int)any(k), moved = order[at];

				order[at] = order[k - 1];
				order[k - 1] = moved;
			}
			half[0] = resolved(part, order, n);
			half[1] = resolved(part, order + n, PARTS - n);
			other = resolved(half, two, 2);
			same_sums += same(all, other);
			free(half[0].p);
			free(half[1].p);
			free(other.p);
		}
		/* Beside a part of another capture, whose pieces stay */
		free(some.p);
		part[PARTS] = of_parts(c + 100, 2, 2, PARTS);
		order[PARTS] = PARTS;
		some = resolved(part, order, PARTS + 1);
		free(part[0].p);
		part[0] = all;
		order[0] = PARTS;
		order[1] = 0;
		other = merged(part, order, 2);
		same_beside += same(some, other);
		free(other.p);
		free(some.p);
		for (unsigned int k = 0; k <= PARTS; k++)
			free(part[k].p);
	}
	tap_eq(same_pieces, rounds, "order_of_parts");
	tap_eq(same_sums, rounds, "tree_of_parts");
	tap_eq(same_beside, 20, "beside_other_parts");
}

/* The smallest shard, as text: the format does not change by accident. */
static void format(void)
{
	static const char want[] =
		"v9trace-shard 1\n"
		"time 5 9\n"
		"capture 1\n"
		"lost lost%20x 3 a%0ab -\n"
		"source ete - - 0 1\n"
		"source spe :u 0x1 7 2\n"
		"object - 1 %2d\n"
		"object ab 0 %25\n"
		"segment 2 10 20 30\n"
		"function 2 12 18 %\n"
		"place 1 0 f\n"
		"place 2 14\n"
		"s 2 2 load - 1 2 3 4 5 6 7 8\n"
		"b 1 0 1 2 18446744073709551615\n"
		"paths 1 0 0 0\n"
		"c 1 2 1 2 3\n";
	const uint64_t values[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	uint64_t spe, ete, id, path, in, at, call;
	struct v9_shard s;
	struct text t;
	char end[32];

	v9_shard_init(&s);
	v9_shard_time(&s, 5, 9);
	v9_shard_capture(&s, "test", "1", 1, 1, false);
	v9_shard_loss(&s, "lost x", "a\nb", NULL, 3);
	spe = v9_shard_source(&s, "spe", ":u", "0x1", 7, 2);
	ete = v9_shard_source(&s, "ete", NULL, NULL, 0, 1);
	id = v9_shard_object(&s, "ab", "/z", false);
	v9_shard_object(&s, "ab", "%", false);
	path = v9_shard_object(&s, NULL, "-", true);
	v9_shard_segment(&s, id, 16, 32, 48);
	v9_shard_function(&s, id, 18, 24, "");
	v9_shard_function(&s, id, 18, 23, "z");
	in = v9_shard_place(&s, path, "f", 0);
	at = v9_shard_place(&s, id, NULL, 20);
	v9_shard_spe(&s, spe, at, "load", NULL, values);
	v9_shard_branch(&s, ete, 0, in, at, UINT64_MAX - 1);
	v9_shard_branch(&s, ete, 0, in, at, 2);
	call = v9_shard_call(&s, ete, v9_shard_call(&s, ete, 0, 0), at);
	v9_shard_called(&s, call, values);
	t = written(&s);
	snprintf(end, sizeof(end), "end %08lx\n",
		 crc32(0, (const unsigned char *)want, sizeof(want) - 1));
	tap_ok(t.n == sizeof(want) - 1 + strlen(end) && !memcmp(t.p, want, sizeof(want) - 1) &&
	       !strcmp(t.p + sizeof(want) - 1, end), "format");
	if (memcmp(t.p, want, sizeof(want) - 1))
		fputs(t.p, stderr);
	free(t.p);
	v9_shard_free(&s);
}

/* Gives a damaged file the sum that it needs. */
static void set_sum(char *p, size_t n)
{
	char end[16];

	if (n < 13)
		return;
	snprintf(end, sizeof(end), "end %08lx\n", crc32(0, (unsigned char *)p, (uInt)(n - 13)));
	memcpy(p + n - 13, end, 13);
}

/* Shards with a piece that are not one: @t with @from replaced by @to is refused. */
static void refused_pieces(struct text t)
{
	static const struct { const char *name, *from, *to; } rows[] = {
		{ "kind_of_step", "step 3 ", "step 4 " }, { "pending", "step 0 32", "step 0 64" },
		{ "count", " 1 1 50 0\n", " 1 3 50 0\n" }, { "unknown", " 1 1 50 0\n", " 1 1 50 2\n" },
		{ "no_step", "step 0 32", "n 1 2 2000 1 0 0\nstep 0 32" },
		{ "no_step_of_frame", "step 0 32", "f 1 0 0\nstep 0 32" },
		{ "no_step_of_stack", "step 0 32", "left\nstep 0 32" },
		{ "no_piece", "piece a 2 7 10 11 1 64 1 1 50 0\n", "" },
		{ "no_caller", "n 2 1 1000", "n 3 1 1000" }, { "depth_0", "n 2 1 1000", "n 0 1 1000" },
		{ "no_node", "h 3 4", "h 8 4" }, { "node_0", "h 3 4", "h 0 4" },
		{ "frame_of_no_node", "f 5 2004", "f 6 2004" }, { "flags", "f 5 2004 0", "f 5 2004 8" },
		{ "node_of_another_step", "\nh 1 2\n", "\nf 1 0 0\n" },
		{ "high", " 3 1 1 2 0 0\n", " 3 1 65537 2 0 0\n" }, { "replaced", " 3 1 1 2 ", " 3 2 1 2 " },
		{ "part_that_is_not_here", "piece a 2", "piece a 1" }, { "capture", "piece a 2", "piece b 2" },
		{ "part_without_paths", "2/3 paths", "2/3" }, { "word_after_a_part", "2/3 paths", "2/3 path" },
		{ "node_at_no_place", "n 2 1 1000", "n 2 0 1000" },
		{ "arrival_at_no_place", " 1008 1 1000 ", " 1008 0 1000 " },
		{ "place", "n 1 2 2000", "n 1 3 2000" }, { "source", " 1 64 1 1 ", " 1 64 2 1 " },
	};
	const int out = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY);

	dup2(null, STDERR_FILENO);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *at = strstr(t.p, rows[i].from);
		char *copy = malloc(t.n + 64);
		struct v9_shard s;
		int n;

		n = sprintf(copy, "%.*s%s%s", (int)(at - t.p), t.p, rows[i].to, at + strlen(rows[i].from));
		set_sum(copy, (size_t)n);
		v9_shard_init(&s);
		tap_ok(!read_text(&s, copy, (size_t)n), "refused_%s", rows[i].name);
		v9_shard_free(&s);
		free(copy);
	}
	dup2(out, STDERR_FILENO);
	close(out);
	close(null);
}

/* A piece as text */
static void format_of_pieces(void)
{
	static const char want[] =
		"piece a 2 7 10 11 1 64 1 1 50 0\n"
		"step 0 32 0 0 1008 1 1000 0 3 1 1 2 0 0\n"
		"n 1 2 2000 4 0 1\n"
		"up\n"
		"n 1 2 2000 1 2 1\n"
		"n 2 1 1000 5 0 1\n"
		"f 4 0 0\n"
		"f 5 2004 0\n"
		"step 3 1 1004 0 0 0 0 0 0 0 0 0 0 0\n"
		"h 1 2\n"
		"h 3 4\n"
		"t 5 5\n";
	struct v9_shard_piece p = {
		.part = 2, .tid = 7, .time = 10, .until = 11, .stream = 1, .offset = 64 };
	uint64_t object, code[2];
	struct v9_shard s;
	struct text t;

	v9_shard_init(&s);
	v9_shard_capture(&s, "test", "a", 2, 3, true);
	object = v9_shard_object(&s, "ab", "/a", false);
	for (unsigned int i = 0; i < 2; i++)
		code[i] = v9_shard_code(&s, v9_shard_place(&s, object, NULL, i), (i + 1) << 12);
	p.capture = v9_shard_string(&s, "a");
	p.source = v9_shard_source(&s, "ete", NULL, NULL, 0, 0);
	v9_piece_init(&p.calls, false);
	v9_piece_range(&p.calls, &(struct v9_arrival){ .addr = 0x1008, .func = code[0] }, 3);
	v9_piece_spend(&p.calls, 2, true);
	v9_calls_branch(p.calls.calls, V9_CALLS_BY_CALL, 0x100c);
	v9_piece_range(&p.calls, &(struct v9_arrival){ .addr = 0x2000, .func = code[1], .first = true }, 3);
	v9_piece_spend(&p.calls, 4, true);
	v9_calls_branch(p.calls.calls, V9_CALLS_BY_RETURN, 0);
	v9_piece_range(&p.calls, &(struct v9_arrival){ .addr = 0x100c, .func = code[0] }, 3);
	v9_calls_branch(p.calls.calls, V9_CALLS_BY_JUMP, 0);
	v9_piece_range(&p.calls, &(struct v9_arrival){ .addr = 0x2000, .func = code[1], .first = true }, 3);
	v9_piece_count(&p.calls, V9_PIECE_COUNTED, 50);
	v9_piece_spend(&p.calls, 1, true);
	v9_piece_count(&p.calls, V9_PIECE_COUNTED, 2);
	v9_calls_branch(p.calls.calls, V9_CALLS_BY_CALL, 0x2004);
	v9_piece_range(&p.calls, &(struct v9_arrival){ .addr = 0x1000, .func = code[0], .first = true }, 3);
	v9_piece_spend(&p.calls, 5, true);
	v9_calls_branch(p.calls.calls, V9_CALLS_BY_CALL, 0x1004);
	v9_piece_end(&p.calls);
	v9_shard_piece(&s, &p);
	t = written(&s);
	tap_ok(strstr(t.p, want), "format_of_pieces");
	if (!strstr(t.p, want))
		fputs(t.p, stderr);
	else
		refused_pieces(t);
	free(t.p);
	v9_shard_free(&s);
}

static void captures(void)
{
	uint64_t complete, incomplete;
	struct v9_shard s;
	struct text t;

	v9_shard_init(&s);
	tap_ok(v9_shard_capture(&s, "test", "a", 1, 1, false), "captures");
	tap_ok(!v9_shard_capture(&s, "test", "a", 1, 1, false), "twice");
	tap_ok(v9_shard_capture(&s, "test", "b", 3, 3, false) &&
	       v9_shard_capture(&s, "test", "b", 1, 3, false), "parts");
	tap_ok(!v9_shard_capture(&s, "test", "b", 3, 3, false), "part_twice");
	tap_ok(!v9_shard_capture(&s, "test", "b", 2, 2, false), "other_division");
	tap_ok(!v9_shard_capture(&s, "test", "a", 1, 2, false), "part_of_whole");
	v9_shard_count(&s, &complete, &incomplete);
	tap_ok(complete == 1 && incomplete == 1, "incomplete");
	t = written(&s);
	tap_ok(strstr(t.p, "\ncapture a\ncapture b 1/3\ncapture b 3/3\n"), "parts_in_the_file");
	free(t.p);
	v9_shard_capture(&s, "test", "b", 2, 3, false);
	t = written(&s);
	tap_ok(strstr(t.p, "\ncapture a\ncapture b\nend "), "all_parts_are_the_whole");
	free(t.p);
	tap_ok(v9_shard_capture(&s, "test", "c", 1, 3, true) && v9_shard_capture(&s, "test", "c", 2, 3, true),
	       "parts_with_paths");
	tap_ok(!v9_shard_capture(&s, "test", "c", 3, 3, false), "with_and_without_paths");
	v9_shard_free(&s);
}

/* The deepest path, and one that is too deep */
static void depth(void)
{
	struct v9_shard s, back;
	uint64_t source, place, call;
	struct text t, again;
	const uint64_t value[V9_SHARD_CALLS] = { 1 };

	v9_shard_init(&s);
	source = v9_shard_source(&s, "ete", NULL, NULL, 0, 1);
	place = v9_shard_place(&s, v9_shard_object(&s, "ab", "/a", false), NULL, 1);
	call = v9_shard_call(&s, source, 0, 0);
	for (unsigned int i = 0; i < V9_SHARD_DEPTH; i++)
		call = v9_shard_call(&s, source, call, place);
	tap_ok(call && !v9_shard_call(&s, source, call, place), "too_deep");
	v9_shard_called(&s, call, value);
	t = written(&s);
	v9_shard_init(&back);
	tap_ok(read_text(&back, t.p, t.n), "deep");
	again = written(&back);
	tap_ok(same(t, again), "deep");
	free(t.p);
	free(again.p);
	v9_shard_free(&s);
	v9_shard_free(&back);
}

/* What is read although it is damaged is written as a file that is read and written equally. */
static bool is_stable(const struct v9_shard *s)
{
	struct text t = written(s), again;
	struct v9_shard back;
	bool good;

	v9_shard_init(&back);
	good = read_text(&back, t.p, t.n);
	again = written(&back);
	good = good && same(t, again);
	free(again.p);
	if (good && back.nr_pieces) {
		/* Without call paths, or with any: a file that can be read */
		struct v9_shard whole;

		complete_shard(&back);
		again = written(&back);
		v9_shard_init(&whole);
		good = read_text(&whole, again.p, again.n) && !back.nr_pieces;
		v9_shard_free(&whole);
		free(again.p);
	}
	v9_shard_free(&back);
	free(t.p);
	return good;
}

static void damage(struct text t, const char *name)
{
	static const char bytes[] = { '0', '9', ' ', '\n', '%', '-', '/', 'c', '\0', '\xff' };
	unsigned int accepted = 0, stable = 0, refused = 0, tried = 0, cuts = 0, tried_cuts = 0;
	char *copy = malloc(t.n);
	const int out = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY);
	struct v9_shard s;

	dup2(null, STDERR_FILENO);
	/* A shard reserves much memory, which is slow with sanitizers: not each byte. */
	for (size_t n = 0; n < t.n; n += 11, tried_cuts++) {
		v9_shard_init(&s);
		cuts += !read_text(&s, t.p, n);
		v9_shard_free(&s);
	}
	for (size_t i = 0; i < t.n; i += 7) {
		memcpy(copy, t.p, t.n);
		copy[i] = bytes[i / 7 % sizeof(bytes)];
		if (copy[i] == t.p[i])
			continue;
		tried++;
		v9_shard_init(&s);
		refused += !read_text(&s, copy, t.n);
		v9_shard_free(&s);
		set_sum(copy, t.n);
		v9_shard_init(&s);
		if (read_text(&s, copy, t.n)) {
			accepted++;
			stable += is_stable(&s);
		}
		v9_shard_free(&s);
	}
	dup2(out, STDERR_FILENO);
	tap_eq(cuts, tried_cuts, "%s_cut", name);
	tap_eq(refused, tried, "%s_damaged", name);
	tap_ok(accepted > 20, "%s_read_although_damaged", name);
	tap_eq(stable, accepted, "%s_stable_although_damaged", name);
	close(out);
	close(null);
	free(copy);
	free(t.p);
}

static void absent(void)
{
	struct v9_shard s;

	memset(&s, 0, sizeof(s));
	tap_ok(!v9_shard_read(&s, "/nonexistent/shard"), "absent");
}

int main(void)
{
	absent();
	format();
	format_of_pieces();
	captures();
	orders();
	parts_with_paths();
	depth();
	damage(of_capture(3, FEW, false), "sums");
	damage(of_parts(3, 2, 3, 4), "pieces");
	return tap_done();
}
