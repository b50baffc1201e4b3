// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "jit.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <v9trace/base.h>

#include "../util.h"
#include "elf.h"

/* ---- the format: perf's specification of jitdump, version 1 */

#define MAGIC		0x4a695444u
#define MAGIC_SWAPPED	0x4454694au
#define COUNTER		1u		/* flags: times are values of the architecture's counter */

enum { HEAD_VERSION = 4, HEAD_SIZE = 8, HEAD_MACHINE = 12, HEAD_PID = 20, HEAD_FLAGS = 32, HEAD = 40 };
enum { RECORD_SIZE = 4, RECORD_TIME = 8, RECORD = 16 };
enum { CODE_LOAD, CODE_MOVE, CODE_DEBUG_INFO, CODE_CLOSE };
enum { LOAD_PID = 16, LOAD_ADDR = 32, LOAD_BYTES = 40, LOAD_INDEX = 48, LOAD = 56 };
enum { MOVE_PID = 16, MOVE_OLD = 32, MOVE_NEW = 40, MOVE_BYTES = 48, MOVE_INDEX = 56, MOVE = 64 };
enum { DEBUG_ADDR = 16, DEBUG_COUNT = 24, DEBUG = 32 };
enum { LINE_NUMBER = 8, LINE = 16 };

static uint32_t u32_at(const uint8_t *p)
{
	return v9_load_le32(p);
}

static uint64_t u64_at(const uint8_t *p)
{
	return v9_load_le64(p);
}

/* Code of a CODE_LOAD record, to which CODE_MOVE records refer by its index and address */
struct loaded {
	uint64_t index, addr, size, offset;
};

struct reader {
	const uint8_t *all;
	const struct v9_jitdump_callbacks *to;
	void *loaded;			/* tree of tsearch() */
};

static int loaded_order(const void *a, const void *b)
{
	const struct loaded *x = a, *y = b;

	return x->index == y->index ? V9_ORDER(x->addr, y->addr) : V9_ORDER(x->index, y->index);
}

/* Code that is now where other code of that index was replaces it. @c is kept or freed. */
static void put_loaded(struct reader *r, struct loaded *c)
{
	struct loaded **at = tsearch(c, &r->loaded, loaded_order);

	if (!at)
		v9_out_of_memory();
	if (*at == c)
		return;
	**at = *c;
	free(c);
}

/* Each returns why the record is damaged, or NULL. */
static const char *load_code(struct reader *r, const uint8_t *p, uint32_t size)
{
	struct v9_jit_code code = { .time = u64_at(p + RECORD_TIME) };
	struct loaded *loaded;
	const char *end;

	if (size < LOAD)
		return "a record of code is too short";
	code.pid = u32_at(p + LOAD_PID);
	code.addr = u64_at(p + LOAD_ADDR);
	code.size = u64_at(p + LOAD_BYTES);
	code.index = u64_at(p + LOAD_INDEX);
	code.name = (const char *)p + LOAD;
	end = memchr(code.name, '\0', size - LOAD);
	if (!end)
		return "a name has no end";
	code.name_len = (size_t)(end - code.name);
	if (code.size > size - LOAD - code.name_len - 1 || code.addr + code.size < code.addr)
		return "code exceeds its record";
	code.offset = (uint64_t)((const uint8_t *)end + 1 - r->all);
	loaded = v9_alloc(sizeof(*loaded));
	*loaded = (struct loaded){ code.index, code.addr, code.size, code.offset };
	put_loaded(r, loaded);
	r->to->code(r->to->arg, &code);
	return NULL;
}

static const char *move_code(struct reader *r, const uint8_t *p, uint32_t size)
{
	struct v9_jit_code code = { .time = u64_at(p + RECORD_TIME) };
	struct loaded key, **at, *found;

	if (size < MOVE)
		return "a record of moved code is too short";
	code.pid = u32_at(p + MOVE_PID);
	code.addr = u64_at(p + MOVE_NEW);
	code.size = u64_at(p + MOVE_BYTES);
	code.index = u64_at(p + MOVE_INDEX);
	key = (struct loaded){ .index = code.index, .addr = u64_at(p + MOVE_OLD) };
	at = tfind(&key, &r->loaded, loaded_order);
	if (!at || code.size > (*at)->size || code.addr + code.size < code.addr)
		return "it moves code that it did not load";
	found = *at;
	code.offset = found->offset;
	tdelete(found, &r->loaded, loaded_order);
	found->addr = code.addr;
	put_loaded(r, found);
	r->to->code(r->to->arg, &code);
	return NULL;
}

static const char *load_lines(struct reader *r, const uint8_t *p, uint32_t size)
{
	static const char same[] = "\xff";	/* the same file as in the entry before */
	const uint8_t *end = p + size;
	struct v9_jit_entry entry = { .file = "" };
	uint64_t n;

	if (size < DEBUG)
		return "a record of lines is too short";
	n = u64_at(p + DEBUG_COUNT);
	for (p += DEBUG; n; n--) {
		const char *file = (const char *)p + LINE, *stop;

		if (end - p <= LINE)
			return "a line exceeds its record";
		stop = memchr(file, '\0', (size_t)(end - p) - LINE);
		if (!stop)
			return "the name of a source file has no end";
		entry.addr = u64_at(p);
		entry.line = u32_at(p + LINE_NUMBER);
		if (strcmp(file, same)) {
			entry.file = file;
			entry.file_len = (size_t)(stop - file);
		}
		r->to->line(r->to->arg, &entry);
		p = (const uint8_t *)stop + 1;
	}
	return NULL;
}

bool v9_jitdump_read(struct v9_jitdump *d, const uint8_t *p, size_t n,
		     const struct v9_jitdump_callbacks *to)
{
	struct reader r = { .all = p, .to = to };
	uint32_t head;

	*d = (struct v9_jitdump){ .why = "is no jitdump" };
	if (n >= 4 && u32_at(p) == MAGIC_SWAPPED)
		d->why = "is a jitdump in another byte order";
	if (n < HEAD || u32_at(p) != MAGIC)
		return false;
	head = u32_at(p + HEAD_SIZE);
	d->why = "is a jitdump of a version that this program does not know";
	if (u32_at(p + HEAD_VERSION) != 1 || head < HEAD || head > n)
		return false;
	d->why = "is a jitdump of another architecture";
	if (u32_at(p + HEAD_MACHINE) != EM_AARCH64 && u32_at(p + HEAD_MACHINE) != EM_ARM)
		return false;
	d->pid = u32_at(p + HEAD_PID);
	d->counter = u64_at(p + HEAD_FLAGS) & COUNTER;
	d->why = NULL;
	d->end = head;
	while (!d->why && d->end < n) {
		const uint8_t *record = p + d->end;
		uint32_t size;

		if (n - d->end < RECORD || u32_at(record + RECORD_SIZE) > n - d->end) {
			d->why = "ends inside a record";
			break;
		}
		size = u32_at(record + RECORD_SIZE);
		if (size < RECORD)
			d->why = "a record is too short";
		else if (u32_at(record) == CODE_LOAD)
			d->why = load_code(&r, record, size);
		else if (u32_at(record) == CODE_MOVE)
			d->why = move_code(&r, record, size);
		else if (u32_at(record) == CODE_DEBUG_INFO)
			d->why = load_lines(&r, record, size);
		if (d->why || u32_at(record) == CODE_CLOSE)
			break;
		d->end += size;
	}
	while (r.loaded) {
		struct loaded *c = *(struct loaded **)r.loaded;

		tdelete(c, &r.loaded, loaded_order);
		free(c);
	}
	return true;
}

/* ---- files */

/*
 * Reads a file of this machine in which a program describes its code. As in perf, it has to belong
 * to root or to this user: another user could put any name into a report.
 * Below opts.symfs, if that is set.
 */
static char *read_own(const struct v9_syms *s, const char *name, size_t *n)
{
	char *path = v9_format("%s%s", s->opts.symfs ? s->opts.symfs : "", name);
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	char *p = NULL;
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode)) {
		char own[64];

		if (st.st_uid && st.st_uid != geteuid()) {
			v9_warn("%s belongs to another user and is not read", path);
		} else {
			snprintf(own, sizeof(own), "/proc/self/fd/%d", fd);
			p = v9_read_file(own, n);
		}
	}
	if (fd >= 0)
		close(fd);
	free(path);
	return p;
}

/* ---- jitdump: from the session to mappings */

struct jit_load {
	struct v9_session *s;
	struct v9_dso *dso;
	const struct v9_jitdump *head;
	uint32_t pid;			/* as perf sees it */
	uint64_t mapped;		/* when the jitdump was mapped */
	bool timed;
	uint64_t skipped;		/* code of processes whose PID is not known */
	struct v9_jit_entry *lines;	/* of the next piece of code */
	size_t nr_lines;
};

/* Converts a time of CLOCK_MONOTONIC to perf's clock. Returns false if that is not possible. */
static bool from_monotonic(struct v9_session *s, uint64_t time, uint64_t *ns)
{
	const size_t n = s->clocks_size / sizeof(struct pd_clock);
	struct pd_clock a, b;
	uint64_t first, last;

	if (s->file.nr_attrs && s->file.attrs[0].attr.use_clockid) {
		*ns = time;
		return s->file.attrs[0].attr.clockid == CLOCK_MONOTONIC;
	}
	if (!n)
		return false;
	/* NTP changes the rate of CLOCK_MONOTONIC, so that two points are needed. */
	memcpy(&a, s->clocks, sizeof(a));
	memcpy(&b, s->clocks + (n - 1) * sizeof(b), sizeof(b));
	if (!v9_session_time(s, a.count, &first) || !v9_session_time(s, b.count, &last))
		return false;
	*ns = first + (time - a.monotonic);
	if (b.monotonic > a.monotonic && last > first)
		*ns = first + (uint64_t)((__int128)(int64_t)(time - a.monotonic) *
					 (int64_t)(last - first) /
					 (int64_t)(b.monotonic - a.monotonic));
	return true;
}

static void take_code(void *arg, const struct v9_jit_code *code)
{
	struct jit_load *l = arg;
	struct v9_dso *d = l->dso;
	uint64_t time = 0;
	uint32_t pid = l->pid;

	if (code->pid != l->head->pid) {
		/* A child writes to its parent's jitdump; in a container, its PID is not known. */
		pid = code->pid;
		if (l->head->pid != l->pid) {
			l->skipped++;
			return;
		}
	}
	/*
	 * If the time cannot be converted, use that of the jitdump's mapping: it is after the last
	 * exec.
	 */
	if (!(l->head->counter ? v9_session_time(l->s, code->time, &time) :
				 from_monotonic(l->s, code->time, &time))) {
		l->timed = false;
		time = l->mapped;
	}
	if (!code->size)
		return;
	if (code->name) {
		struct v9_func *f = v9_vec_add(d->funcs, d->nr_funcs);

		f->start = code->offset;
		f->end = code->offset + code->size;
		f->name = v9_strtab_put(&l->s->strtab, code->name, code->name_len);
	}
	for (size_t i = 0; code->name && i < l->nr_lines; i++)
		if (l->lines[i].addr - code->addr < code->size)
			*v9_vec_add(d->lines, d->nr_lines) = (struct v9_dso_line){
				.addr = l->lines[i].addr - code->addr + code->offset,
				.line = l->lines[i].line,
				.file = v9_strtab_put(&l->s->strtab, l->lines[i].file,
						      l->lines[i].file_len) };
	if (code->name)
		l->nr_lines = 0;
	v9_syms_jit(&l->s->syms, time, pid, code->addr, code->size, code->offset, d);
}

static void take_line(void *arg, const struct v9_jit_entry *entry)
{
	struct jit_load *l = arg;

	*v9_vec_add(l->lines, l->nr_lines) = *entry;
}

static int line_order(const void *a, const void *b)
{
	const struct v9_dso_line *x = a, *y = b;

	return V9_ORDER(x->addr, y->addr);
}

/*
 * Returns the object of a jitdump, or NULL if the jitdump was loaded before. Jitdumps of several
 * containers can have the same name: all but the first get the PID into the name. A child may have
 * mapped the jitdump of its parent, which may be longer now: the common part of both decides.
 */
static struct v9_dso *dso_of(struct v9_session *s, const struct v9_jit_file *f, const uint8_t *bytes,
			     size_t n)
{
	struct v9_dso *d = v9_syms_dso(&s->syms, f->name);
	char *name;

	if (!d->jit)
		return d;
	if (d->jit_pid == f->pid || !bytes || !d->code.bytes ||
	    !memcmp(bytes, d->code.bytes, n < d->code.size ? n : d->code.size))
		return NULL;
	name = v9_format("%s of process %u", f->name, f->pid);
	d = v9_syms_dso(&s->syms, v9_strtab_put(&s->strtab, name, strlen(name)));
	free(name);
	return d->jit ? NULL : d;
}

static void load_jitdump(struct v9_session *s, const struct v9_jit_file *f)
{
	struct jit_load l = { .s = s, .pid = f->pid, .mapped = f->time, .timed = true };
	const struct v9_jitdump_callbacks to = { take_code, take_line, &l };
	struct v9_jitdump head;
	const uint8_t *bytes;
	size_t n = 0;

	bytes = v9_embedded_keyed(&s->syms.embedded, PD_CODE_JITDUMP, f->pid, &n);
	l.dso = dso_of(s, f, bytes, n);
	if (!l.dso)
		return;
	l.dso->jit = true;
	l.dso->jit_pid = f->pid;
	l.head = &head;
	if (!bytes && !s->syms.embedded.nr) {
		l.dso->own = (uint8_t *)read_own(&s->syms, f->name, &n);
		bytes = l.dso->own;
	}
	if (!bytes) {
		v9_syms_generated(l.dso, NULL, 0);
		l.dso->why = l.dso->code.why = "the jitdump is not in the capture, nor here";
		v9_warn("%s: %s: code of this program cannot be followed", f->name, l.dso->why);
		return;
	}
	v9_jitdump_read(&head, bytes, n, &to);
	if (head.why)
		v9_warn("%s: %s (byte %llu): code after it is missing", f->name, head.why,
			(unsigned long long)head.end);
	if (l.skipped)
		v9_warn("%s: code of child processes in a container is not shown: %llu", f->name,
			(unsigned long long)l.skipped);
	l.dso->untimed = !l.timed;
	if (l.dso->nr_lines)
		qsort(l.dso->lines, l.dso->nr_lines, sizeof(*l.dso->lines), line_order);
	v9_syms_generated(l.dso, bytes, n);
	free(l.lines);
}

void v9_jit_load(struct v9_session *s)
{
	size_t n = 0;

	s->clocks = v9_embedded_keyed(&s->syms.embedded, PD_CODE_CLOCKS, 0, &n);
	s->clocks_size = n;
	for (size_t i = 0; i < s->nr_jits; i++)
		load_jitdump(s, &s->jits[i]);
}

/* ---- perf-PID.map */

/* Reads lines of "START SIZE NAME", numbers in hexadecimal. Returns how many lines it skipped. */
static uint64_t read_map(struct v9_syms *s, struct v9_dso *d, const char *text, size_t n)
{
	const char *end = text + n;
	uint64_t bad = 0;

	while (text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text)), *name;
		const size_t len = (size_t)((stop ? stop : end) - text);
		char *line = v9_alloc(len + 1), *after, *more;
		uint64_t start, size;

		memcpy(line, text, len);
		start = strtoull(line, &after, 16);
		size = strtoull(after, &more, 16);
		name = more + strspn(more, " ");
		if (after == line || more == after || *more != ' ' || !*name || !size ||
		    start + size < start) {
			bad += len > 0;
		} else {
			struct v9_func *f = v9_vec_add(d->funcs, d->nr_funcs);

			*f = (struct v9_func){ .start = start, .end = start + size };
			f->name = v9_strtab_put(s->strtab, name, strlen(name));
		}
		free(line);
		text += len + 1;
	}
	return bad;
}

/* Of functions with one address, keeps the last in the file: programs append newer code. */
static void newest_last(struct v9_dso *d)
{
	size_t *slot, room = 16, n = 0;

	while (room < d->nr_funcs * 2)
		room *= 2;
	slot = v9_alloc(room * sizeof(*slot));
	for (size_t i = d->nr_funcs; i--; ) {
		size_t at = d->funcs[i].start / 4 * UINT64_C(0x9e3779b97f4a7c15) % room;

		while (slot[at] && d->funcs[slot[at] - 1].start != d->funcs[i].start)
			at = (at + 1) % room;
		if (slot[at])
			d->funcs[i].name = NULL;
		else
			slot[at] = i + 1;
	}
	for (size_t i = 0; i < d->nr_funcs; i++)
		if (d->funcs[i].name)
			d->funcs[n++] = d->funcs[i];
	d->nr_funcs = n;
	free(slot);
}

struct v9_dso *v9_perf_map(struct v9_syms *s, uint32_t pid)
{
	char *path = v9_format("/tmp/perf-%u.map", pid);
	struct v9_dso *d = v9_syms_dso(s, v9_strtab_put(s->strtab, path, strlen(path)));
	const char *text;
	char *own = NULL;
	uint64_t bad = 0;
	size_t n = 0;

	free(path);
	if (d->loaded)
		return d->nr_funcs ? d : NULL;
	d->code.why = "a perf map has names, not code: let the program write a jitdump";
	text = (const char *)v9_embedded_keyed(&s->embedded, PD_CODE_PERF_MAP, pid, &n);
	if (!text && !s->embedded.nr) {
		own = read_own(s, d->name, &n);
		text = own;
	}
	if (text)
		bad = read_map(s, d, text, n);
	free(own);
	if (bad)
		v9_warn("%s: lines that are not START SIZE NAME: %llu", d->name, (unsigned long long)bad);
	newest_last(d);
	v9_syms_generated(d, NULL, 0);
	return d->nr_funcs ? d : NULL;
}
