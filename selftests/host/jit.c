// SPDX-License-Identifier: GPL-2.0-only
/*
 * Generated code: a jitdump and a perf map, typed after perf's descriptions of both formats, in a
 * capture. Names, bytes and lines of code at each time; damaged files. Built with sanitizers.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"
#include "capture.h"
#include "jitdump.h"

#include "../../tools/capture/jit.h"
#include "../../tools/capture/lines.h"
#include "../../tools/capture/lookup.h"

#define PID	77
#define HEAP	0x400000ull	/* anonymous memory with generated code */

static void put_text(struct cap *f, const char *s)
{
	cap_put(f, s, strlen(s) + 1);
}

/* Begins a record of type @id; returns its offset for stop(), which sets its size. */
static size_t start(struct cap *f, uint32_t id, uint64_t time)
{
	const size_t at = f->n;

	cap_u32(f, id);
	cap_u32(f, 0);
	cap_u64(f, time);
	return at;
}

static void stop(struct cap *f, size_t at)
{
	const uint32_t size = (uint32_t)(f->n - at);

	memcpy(f->b + at + 4, &size, 4);
}

/* A function of @words times @word */
static void load(struct cap *f, uint64_t time, uint64_t addr, uint64_t index, const char *name,
		 uint32_t word, unsigned int words)
{
	const uint32_t code[] = { word, word, word, word };

	jit_load(f, PID, time, name, addr, index, code, words * 4);
}

static void move(struct cap *f, uint64_t time, uint64_t from, uint64_t to, uint64_t size,
		 uint64_t index)
{
	const size_t at = start(f, 1, time);

	cap_u32(f, PID);
	cap_u32(f, PID);
	cap_u64(f, to);
	cap_u64(f, from);
	cap_u64(f, to);
	cap_u64(f, size);
	cap_u64(f, index);
	stop(f, at);
}

/* first() is at HEAP from 1000 on, second() from 2000 on; mover() moves to HEAP + 0x200 at 3000. */
static void story(struct cap *f)
{
	size_t at;

	f->n = 0;
	jit_head(f, PID, 5);
	at = start(f, 2, 900);			/* lines of the next code */
	cap_u64(f, HEAP);
	cap_u64(f, 2);
	cap_u64(f, HEAP);
	cap_u32(f, 10);
	cap_u32(f, 0);
	put_text(f, "a.js");
	cap_u64(f, HEAP + 8);
	cap_u32(f, 12);
	cap_u32(f, 0);
	put_text(f, "\xff");
	stop(f, at);
	load(f, 1000, HEAP, 1, "first", 0xd503201f, 4);
	at = start(f, 4, 1100);			/* unwinding: skipped */
	cap_u64(f, 0);
	cap_u64(f, 0);
	cap_u64(f, 0);
	stop(f, at);
	load(f, 1200, HEAP + 0x100, 2, "mover", 0x14000000, 2);
	load(f, 2000, HEAP, 3, "second", 0xd65f03c0, 3);
	move(f, 3000, HEAP + 0x100, HEAP + 0x200, 8, 2);
	at = start(f, 3, 4000);			/* close */
	stop(f, at);
	load(f, 4100, HEAP + 0x300, 4, "after_close", 0, 1);
}

/*
 * A capture of a process that maps its jitdump @name, and anonymous memory at 200 and again at
 * 2500. The section PD_CODE has @dump and the perf map @map unless NULL. @clockid: of the event;
 * -1: none.
 */
static void write_capture(const char *path, const struct cap *dump, const char *map, int clockid,
			  const char *name)
{
	struct perf_event_attr attr = {
		.type = 9, .sample_type = CAP_SAMPLE, .sample_id_all = 1, .sample_period = 1,
		.use_clockid = clockid >= 0, .clockid = clockid >= 0 ? clockid : 0,
	};
	struct cap c = { .attr = &attr, .pid = PID, .tid = PID }, code = { .n = 0 };

	code_head(&code, !!dump + !!map);
	if (dump)
		code_part(&code, 8, PID, dump->b, dump->n);
	if (map)
		code_part(&code, 9, PID, map, strlen(map));
	if (dump || map) {
		c.code = code.b;
		c.code_size = code.n;
	}
	cap_open(&c, CAP_SAMPLE);
	c.time = 100;
	cap_comm(&c, PID, PID, "jit", 1);
	c.time = 200;
	cap_mmap2(&c, PID, HEAP, 0x10000, 0, "//anon", NULL);
	c.time = 300;
	cap_mmap2(&c, PID, 0x7000000, 0x1000, 0, name, NULL);
	c.time = 2500;
	cap_mmap2(&c, PID, HEAP, 0x10000, 0, "//anon", NULL);
	c.time = 5000;
	cap_mmap2(&c, PID, HEAP + 0x200, 0x1000, 0, "/lib/later.so", NULL);
	cap_close(&c);
	if (cap_write(path, c.b, c.n))
		abort();
	free(c.b);
	free(code.b);
}

static char path[64], dir[48];

struct view {
	struct v9_session s;
	struct v9_lookup look;
};

static void open_view(struct view *v)
{
	memset(v, 0, sizeof(*v));
	if (v9_session_open(&v->s, path, NULL))
		abort();
	v9_lookup_init(&v->look, &v->s);
}

static void close_view(struct view *v)
{
	v9_lookup_free(&v->look);
	v9_session_close(&v->s);
}

static const char *name_at(struct view *v, uint64_t time, uint64_t addr)
{
	struct v9_place place;

	v9_lookup_place(&v->look, PID, time, addr, &place);
	return place.func ? place.func->name : "";
}

/* Returns the instruction at @addr, or 0; *@left: bytes from there on */
static uint32_t word_at(struct view *v, uint64_t time, uint64_t addr, size_t *left)
{
	const uint8_t *p = v9_lookup_code(&v->look, PID, time, addr, left);
	uint32_t word = 0;

	if (p && *left >= 4)
		memcpy(&word, p, 4);
	return word;
}

static void times(void)
{
	static const struct {
		const char *test;
		uint64_t time, addr;
		const char *name;
		uint32_t word;
		size_t left;
	} cases[] = {
		{ "before_it_was_loaded", 400, HEAP, "first", 0xd503201f, 16 },
		{ "from_its_time_on", 1000, HEAP + 4, "first", 0xd503201f, 12 },
		{ "until_it_is_replaced", 1999, HEAP + 12, "first", 0xd503201f, 4 },
		{ "replaced", 2000, HEAP, "second", 0xd65f03c0, 12 },
		{ "memory_mapped_again", 2600, HEAP, "second", 0xd65f03c0, 12 },
		{ "longer_code_before", 2600, HEAP + 12, "first", 0xd503201f, 4 },
		{ "before_the_move", 2999, HEAP + 0x104, "mover", 0x14000000, 4 },
		{ "moved", 3000, HEAP + 0x204, "mover", 0x14000000, 4 },
		{ "behind_it", 3000, HEAP + 0x208, "", 0, 0 },
		{ "after_close", 4200, HEAP + 0x300, "", 0, 0 },
		{ "a_file_mapped_there_later", 5000, HEAP + 0x204, "", 0, 0 },
	};
	struct cap dump = { .n = 0 };
	struct view v;

	story(&dump);
	write_capture(path, &dump, NULL, 1, "/tmp/jit-77.dump");
	open_view(&v);
	tap_eq(v.s.nr_jits, 1, "one_jitdump");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t left = 0;

		tap_ok(!strcmp(name_at(&v, cases[i].time, cases[i].addr), cases[i].name),
		       "name_%s", cases[i].test);
		tap_eq(word_at(&v, cases[i].time, cases[i].addr, &left), cases[i].word, "code_%s",
		       cases[i].test);
		tap_eq(left, cases[i].left, "bytes_%s", cases[i].test);
	}
	/* Decoders read code again after each of these changes. */
	tap_eq(v.s.syms.nr_changes >= 2, 1, "changes");
	close_view(&v);
	free(dump.b);
}

static void lines(void)
{
	struct cap dump = { .n = 0 };
	struct view v;
	struct v9_lines l;
	struct v9_src_line line;
	struct v9_place place;

	story(&dump);
	write_capture(path, &dump, NULL, 1, "/tmp/jit-77.dump");
	open_view(&v);
	v9_lines_init(&l, &v.s.syms);
	for (unsigned int at = 0; at < 16; at += 4) {
		v9_lookup_place(&v.look, PID, 1500, HEAP + at, &place);
		tap_ok(place.func && place.offset == at &&
		       v9_lines_find(&l, place.dso, place.func->start + at, &line) &&
		       line.line == (at < 8 ? 10 : 12) && !strcmp(line.file, "a.js"), "line_%u", at);
	}
	v9_lookup_place(&v.look, PID, 2000, HEAP, &place);
	tap_ok(place.func && !v9_lines_find(&l, place.dso, place.func->start, &line),
	       "no_line_of_the_code_before");
	v9_lines_free(&l);
	close_view(&v);
	free(dump.b);
}

/*
 * Times of records that cannot be compared with those of the dump: an address that had several
 * functions has no code, one that had a single function has it.
 */
static void clocks(void)
{
	struct cap dump = { .n = 0 };
	struct view v;
	size_t left;

	story(&dump);
	write_capture(path, &dump, NULL, 0, "/tmp/jit-77.dump");
	open_view(&v);
	tap_eq(word_at(&v, 2000, HEAP, &left), 0, "no_code_by_another_clock");
	close_view(&v);
	dump.n = 0;
	jit_head(&dump, PID, 5);
	load(&dump, 1000, HEAP, 1, "only", 0xd65f03c0, 1);
	write_capture(path, &dump, NULL, 0, "/tmp/jit-77.dump");
	open_view(&v);
	tap_eq(word_at(&v, 2000, HEAP, &left), 0xd65f03c0, "code_that_was_never_replaced");
	tap_ok(!strcmp(name_at(&v, 2000, HEAP), "only"), "its_name");
	close_view(&v);
	/* No clock ID: the exec at 100 does not remove the code, whose time is not known. */
	write_capture(path, &dump, NULL, -1, "/tmp/jit-77.dump");
	open_view(&v);
	tap_eq(word_at(&v, 2000, HEAP, &left), 0xd65f03c0, "code_without_a_clock");
	tap_ok(!strcmp(name_at(&v, 2000, HEAP), "only"), "name_without_a_clock");
	close_view(&v);
	free(dump.b);
}

static void nothing(void *arg, const struct v9_jit_code *code)
{
	(void)arg, (void)code;
}

static void no_line(void *arg, const struct v9_jit_entry *entry)
{
	(void)arg, (void)entry;
}

/* Counts functions with a name. */
static void count(void *arg, const struct v9_jit_code *code)
{
	unsigned int *n = arg;

	*n += code->name != NULL;
}

/*
 * The file cut at each byte, and with each bit inverted: no crash, and all before the damage is
 * read.
 */
static void damage(void)
{
	const struct v9_jitdump_callbacks none = { nothing, no_line, NULL };
	unsigned int named = 0, wrong = 0, before = 0;
	const struct v9_jitdump_callbacks counting = { count, no_line, &named };
	struct v9_jitdump d;
	struct cap dump = { .n = 0 };

	story(&dump);
	tap_ok(v9_jitdump_read(&d, dump.b, dump.n, &counting) && !d.why && named == 3, "whole");
	for (size_t n = 0; n < dump.n; n++) {
		uint8_t *exact = malloc(n ? n : 1);	/* sanitizers see a read beyond it */

		memcpy(exact, dump.b, n);
		named = 0;
		wrong += v9_jitdump_read(&d, exact, n, &counting) != (n >= 40);
		wrong += named < before || named > 3 || (n >= 40 && d.end > n);
		before = named;
		free(exact);
	}
	tap_eq(wrong, 0, "cut");
	for (size_t bit = 0; bit < dump.n * 8; bit++) {
		uint8_t *p = malloc(dump.n);

		memcpy(p, dump.b, dump.n);
		p[bit / 8] ^= (uint8_t)(1 << bit % 8);
		v9_jitdump_read(&d, p, dump.n, &none);
		wrong += d.end > dump.n;
		free(p);
	}
	tap_eq(wrong, 0, "flipped");
	free(dump.b);
}

static void refused(void)
{
	static const struct {
		const char *test;
		size_t at;
		uint32_t value;
		const char *why;
	} cases[] = {
		{ "not_a_jitdump", 0, 1, "is no jitdump" },
		{ "other_byte_order", 0, 0x4454694a, "is a jitdump in another byte order" },
		{ "other_version", 4, 2, "is a jitdump of a version that this program does not know" },
		{ "header_too_long", 8, 9000, "is a jitdump of a version that this program does not know" },
		{ "other_machine", 12, 62, "is a jitdump of another architecture" },
	};
	const struct v9_jitdump_callbacks none = { nothing, no_line, NULL };
	struct v9_jitdump d;
	struct cap dump = { .n = 0 };
	struct view v;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		story(&dump);
		memcpy(dump.b + cases[i].at, &cases[i].value, 4);
		tap_ok(!v9_jitdump_read(&d, dump.b, dump.n, &none) && !strcmp(d.why, cases[i].why),
		       "%s", cases[i].test);
		write_capture(path, &dump, NULL, 1, "/tmp/jit-77.dump");
		open_view(&v);
		tap_ok(!*name_at(&v, 1000, HEAP), "%s_has_no_names", cases[i].test);
		close_view(&v);
	}
	free(dump.b);
}

static void names(void)
{
	static const struct { const char *name; bool is; } cases[] = {
		{ "/tmp/jit-1.dump", true }, { "/home/u/.debug/jit/x.1/jit-4711.dump", true },
		{ "jit-1.dump", false }, { "/jit-.dump", false }, { "/tmp/jit-1.dum", false },
		{ "/tmp/jit-1a.dump", false }, { "/tmp/xjit-1.dump", false }, { "", false },
		{ "/tmp/jit-1.dump (deleted)", false }, { "/", false }, { "/jit-1.dump", true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		tap_eq(v9_mapping_is_jitdump(cases[i].name, strlen(cases[i].name) + 1), cases[i].is,
		       "named_%zu", i);
}

static void perf_map(void)
{
	struct v9_place place;
	struct view v;
	size_t left;

	write_capture(path, NULL, "400000 10 aged\n400100 8 Lazy:foo bar\nnonsense\n400010 0 empty\n"
		      "400000 10 new\nffffffffffffffff 10 wraps\n400200 8 cut", 1, "/tmp/x");
	open_view(&v);
	tap_ok(!strcmp(name_at(&v, 1000, HEAP + 0xf), "new"), "map_newest");
	tap_ok(!*name_at(&v, 1000, HEAP + 0x10), "map_end");
	v9_lookup_place(&v.look, PID, 1000, HEAP + 0xf, &place);
	tap_ok(place.dso && !strcmp(place.dso->name, "/tmp/perf-77.map") && place.dso_name == place.dso->name &&
	       place.offset == 0xf, "map_is_the_object");
	tap_ok(!strcmp(name_at(&v, 1000, HEAP + 0x107), "Lazy:foo bar"), "map_name_with_spaces");
	tap_ok(!strcmp(name_at(&v, 1000, HEAP + 0x200), "cut"), "map_without_last_newline");
	tap_ok(!*name_at(&v, 5000, HEAP + 0x200), "map_not_for_a_file");
	tap_eq(word_at(&v, 1000, HEAP, &left), 0, "map_has_no_code");
	close_view(&v);
}

/* What is no line of a perf map is skipped and counted; an empty line is not counted. */
static void lines_of_map(void)
{
	static const struct { const char *text, *func, *said; } maps[] = {
		{ "x\n400000 10 f\n", "f", ": 1\n" },
		{ "\n\n400000 10 f\n\n", "f", "" },
		{ "400000\n400000 10\n400000 10 \n400000 10f\n 400000 10   f g", "f g", ": 4\n" },
		{ "400000 0 f\nfffffffffffffff8 9 f\nz 10 f\n400000 z f\n", "", ": 4\n" },
		{ "400000 ffffffffffbfffff f", "f", "" },
		{ "", "", "" },
	};
	char file[64], said[256];

	snprintf(file, sizeof(file), "%s/said", dir);
	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++) {
		const int err = dup(2), fd = open(file, O_RDWR | O_CREAT | O_TRUNC, 0600);
		struct view v;
		bool found;
		ssize_t n;

		write_capture(path, NULL, maps[i].text, 1, "/tmp/x");
		open_view(&v);
		dup2(fd, 2);
		found = !strcmp(name_at(&v, 1000, HEAP), maps[i].func);
		dup2(err, 2);
		n = pread(fd, said, sizeof(said) - 1, 0);
		said[n < 0 ? 0 : n] = '\0';
		tap_ok(found, "map_lines_%zu", i);
		tap_ok(maps[i].said[0] ? !!strstr(said, maps[i].said) : !said[0], "map_lines_skipped_%zu", i);
		close_view(&v);
		close(err);
		close(fd);
	}
	unlink(file);
}

/*
 * The capture does not contain the jitdump: the file of this machine is read, unless it is a
 * symbolic link or belongs to another user.
 */
static void here(void)
{
	char file[96], link[96];
	struct cap dump = { .n = 0 };
	struct view v;

	story(&dump);
	snprintf(file, sizeof(file), "%s/jit-77.dump", dir);
	snprintf(link, sizeof(link), "%s/jit-78.dump", dir);
	if (cap_write(file, dump.b, dump.n) || symlink(file, link))
		abort();
	write_capture(path, NULL, NULL, 1, file);
	open_view(&v);
	tap_ok(!strcmp(name_at(&v, 2000, HEAP), "second"), "file_here");
	close_view(&v);
	write_capture(path, NULL, NULL, 1, link);
	open_view(&v);
	tap_ok(!*name_at(&v, 2000, HEAP), "link_is_refused");
	close_view(&v);
	if (!geteuid() && !chown(file, 12345, 12345)) {
		write_capture(path, NULL, NULL, 1, file);
		open_view(&v);
		tap_ok(!*name_at(&v, 2000, HEAP), "of_another_user");
		close_view(&v);
	} else {
		tap_skip("needs root", "of_another_user");
	}
	unlink(file);
	unlink(link);
	free(dump.b);
}

/*
 * Jitdumps with the same name in several containers: each process has the functions of its own. A
 * dump that begins with all of another one is a later copy of the same file, which is read once.
 */
static void containers(void)
{
	static const struct { uint32_t pid; const char *name; } cases[] = {
		{ PID, "one" }, { PID + 1, "other" }, { PID + 2, "" },
	};
	const char *name = "/tmp/jit-1.dump";
	struct cap dump[3] = { { .n = 0 } }, code = { .n = 0 };
	struct cap c = { .pid = PID, .tid = PID };
	struct v9_place place;
	struct view v;

	for (unsigned int i = 0; i < 3; i++) {
		jit_head(&dump[i], PID, 5);
		load(&dump[i], 1000, HEAP, 1, i == 1 ? "other" : "one", 0xd65f03c0, 1);
	}
	load(&dump[2], 1100, HEAP + 0x100, 2, "more", 0xd65f03c0, 1);
	code_head(&code, 3);
	for (unsigned int i = 0; i < 3; i++)
		code_part(&code, 8, PID + i, dump[i].b, dump[i].n);
	c.code = code.b;
	c.code_size = code.n;
	cap_open(&c, CAP_SAMPLE);
	for (unsigned int i = 0; i < 3; i++) {
		c.time = 100;
		cap_comm(&c, PID + i, PID + i, "jit", 1);
		cap_mmap2(&c, PID + i, HEAP, 0x10000, 0, "//anon", NULL);
		cap_mmap2(&c, PID + i, 0x7000000, 0x1000, 0, name, NULL);
		cap_mmap2(&c, PID + i, 0x7000000, 0x1000, 0, name, NULL);
	}
	cap_close(&c);
	if (cap_write(path, c.b, c.n))
		abort();
	free(c.b);
	free(code.b);
	for (unsigned int i = 0; i < 3; i++)
		free(dump[i].b);
	open_view(&v);
	for (unsigned int i = 0; i < 3; i++) {
		v9_lookup_place(&v.look, cases[i].pid, 2000, HEAP, &place);
		tap_ok(!strcmp(place.func ? place.func->name : "", cases[i].name), "container_%u", i);
	}
	close_view(&v);
}

int main(void)
{
	snprintf(dir, sizeof(dir), "/tmp/jit.XXXXXX");
	if (!mkdtemp(dir))
		return 1;
	snprintf(path, sizeof(path), "%s/perf.data", dir);
	times();
	lines();
	clocks();
	damage();
	refused();
	names();
	perf_map();
	lines_of_map();
	here();
	containers();
	unlink(path);
	rmdir(dir);
	return tap_done();
}
