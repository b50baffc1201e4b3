// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The processed profile of the Firefox Profiler, version 60. It is the first version with tables
 * that all threads share; later profilers convert it. A sample is the sum of a stack, with its
 * weight. The format requires a time, so a sample has its number there. The resource of a
 * function is its object.
 */
#include "export.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../report/kinds.h"

#define VERSION		60
#define RESOURCE_LIBRARY	1
#define MOST_ADDRESS	INT32_MAX	/* the largest address in an object that readers keep */

/* Parts of the text: columns of the shared tables, then two columns for each thread */
enum {
	STRINGS, LIBS, RESOURCE_NAME, SOURCE_FILE,
	FUNC_NAME, FUNC_RESOURCE, FUNC_SOURCE,
	FRAME_ADDRESS, FRAME_DEPTH, FRAME_CATEGORY, FRAME_FUNC, FRAME_LINE,
	STACK_FRAME, STACK_PREFIX,
	THREADS
};
enum { SAMPLE_STACK, SAMPLE_WEIGHT };
#define PART(thread, which)	(THREADS + 2 * (thread) + (which))

enum { CATEGORY_USER, CATEGORY_KERNEL };

struct thread {
	char *name;
	uint32_t pid, tid;
	size_t nr;			/* samples */
};

struct firefox {
	struct v9_parts *parts;
	struct v9_strtab strings;
	size_t nr_strings;
	struct v9_numbers objects, sources, funcs, frames, stacks, ids;
	struct thread *thread;
	size_t nr_threads;
	struct v9_export_note note;
};

static bool begin(struct v9_export *x)
{
	struct firefox *p = v9_alloc(sizeof(*p));

	x->state = p;
	v9_numbers_init(&p->objects);
	v9_numbers_init(&p->sources);
	v9_numbers_init(&p->funcs);
	v9_numbers_init(&p->frames);
	v9_numbers_init(&p->stacks);
	v9_numbers_init(&p->ids);
	p->parts = v9_parts_new();
	return p->parts;
}

/* A number in a column; the first row has no comma. */
static void put(struct firefox *p, size_t part, size_t row, uint64_t n)
{
	v9_parts_print(p->parts, part, "%s%" PRIu64, row ? "," : "", n);
}

static void put_null(struct firefox *p, size_t part, size_t row)
{
	v9_parts_print(p->parts, part, "%snull", row ? "," : "");
}

static size_t string_of(struct firefox *p, const char *s)
{
	size_t *n = v9_strtab_value(&p->strings, s);

	if (*n)
		return *n - 1;
	*n = ++p->nr_strings;
	v9_parts_print(p->parts, STRINGS, "%s", *n > 1 ? ",\n" : "");
	v9_parts_json(p->parts, STRINGS, s);
	return p->nr_strings - 1;
}

static void put_text(struct firefox *p, const char *key, const char *text)
{
	v9_parts_print(p->parts, LIBS, "\"%s\":", key);
	v9_parts_json(p->parts, LIBS, text);
	v9_parts_put(p->parts, LIBS, ",", 1);
}

/* An object is a library and a resource of the same number. */
static size_t object_of(struct firefox *p, const struct v9_stack_level *l)
{
	const char *base = v9_base_name(l->dso_name);
	const uint64_t key[4] = { (uint64_t)(uintptr_t)(l->dso ? (const void *)l->dso : l->dso_name) };
	char id[V9_BUILD_ID_TEXT];
	bool added;
	const size_t n = v9_number_of(&p->objects, key, &added);

	if (!added)
		return n;
	v9_parts_print(p->parts, LIBS, "%s{", n ? ",\n" : "");
	put_text(p, "name", base);
	put_text(p, "path", l->dso_name);
	put_text(p, "debugName", base);
	put_text(p, "debugPath", l->dso_name);
	put_text(p, "codeId", l->dso ? v9_build_id_text(id, l->dso->build_id, l->dso->build_id_size) : "");
	v9_parts_print(p->parts, LIBS, "\"breakpadId\":\"\",\"arch\":null}");
	put(p, RESOURCE_NAME, n, string_of(p, l->dso_name));
	return n;
}

static size_t source_of(struct firefox *p, const char *file)
{
	const uint64_t string = string_of(p, file), key[4] = { string };
	bool added;
	const size_t n = v9_number_of(&p->sources, key, &added);

	if (added)
		put(p, SOURCE_FILE, n, string);
	return n;
}

static size_t func_of(struct firefox *p, const struct v9_stack_level *l)
{
	const bool object = l->what != V9_LEVEL_LOST;
	const uint64_t name = string_of(p, l->name), resource = object ? object_of(p, l) + 1 : 0;
	const uint64_t source = l->file ? source_of(p, l->file) + 1 : 0;
	const uint64_t key[4] = { name, resource, source };
	bool added;
	const size_t n = v9_number_of(&p->funcs, key, &added);

	if (!added)
		return n;
	put(p, FUNC_NAME, n, name);
	v9_parts_print(p->parts, FUNC_RESOURCE, "%s%lld", n ? "," : "", (long long)resource - 1);
	if (source)
		put(p, FUNC_SOURCE, n, source - 1);
	else
		put_null(p, FUNC_SOURCE, n);
	return n;
}

/* @depth: of inlining; 0: the function was not inlined */
static size_t frame_of(struct firefox *p, const struct v9_stack_level *l, unsigned int depth)
{
	const bool addressed = l->addressed && l->addr <= MOST_ADDRESS;
	const uint64_t func = func_of(p, l);
	const uint64_t key[4] = { func, addressed ? l->addr + 1 : 0, l->line,
				  (uint64_t)depth << 1 | l->kernel };
	bool added;
	const size_t n = v9_number_of(&p->frames, key, &added);

	if (!added)
		return n;
	v9_parts_print(p->parts, FRAME_ADDRESS, "%s%lld", n ? "," : "",
		       addressed ? (long long)l->addr : -1);
	put(p, FRAME_DEPTH, n, depth);
	put(p, FRAME_CATEGORY, n, l->kernel ? CATEGORY_KERNEL : CATEGORY_USER);
	put(p, FRAME_FUNC, n, func);
	if (l->line)
		put(p, FRAME_LINE, n, l->line);
	else
		put_null(p, FRAME_LINE, n);
	return n;
}

/* Returns the number of a stack and 1. @prefix: likewise, or 0 */
static size_t stack_of(struct firefox *p, size_t prefix, size_t frame)
{
	const uint64_t key[4] = { prefix, frame };
	bool added;
	const size_t n = v9_number_of(&p->stacks, key, &added);

	if (!added)
		return n + 1;
	put(p, STACK_FRAME, n, frame);
	if (prefix)
		put(p, STACK_PREFIX, n, prefix - 1);
	else
		put_null(p, STACK_PREFIX, n);
	return n + 1;
}

static size_t thread_of(struct firefox *p, const struct v9_stack *st)
{
	const uint64_t key[4] = { (uint64_t)(uintptr_t)st->comm, st->tid };
	char room[64];
	bool added;
	const size_t n = v9_number_of(&p->ids, key, &added);

	if (added)
		*v9_vec_add(p->thread, p->nr_threads) = (struct thread){
			.name = v9_strdup(v9_thread_name(room, sizeof(room), st->comm, st->tid)),
			.pid = st->pid, .tid = st->tid,
		};
	return n;
}

static void stack(struct v9_export *x, const struct v9_stack *st)
{
	const uint64_t n = st->value[x->weight];
	struct firefox *p = x->state;
	size_t thread, at = 0, row;
	unsigned int depth = 0;

	if (!n)
		return;
	for (size_t i = 0; i < st->nr; i++) {
		const int what = st->level[i].what;

		/* The format has these as properties of a frame. */
		if (what == V9_LEVEL_OBJECT || what == V9_LEVEL_LINE)
			continue;
		depth = what == V9_LEVEL_INLINED ? depth + 1 : 0;
		at = stack_of(p, at, frame_of(p, &st->level[i], depth));
	}
	thread = thread_of(p, st);
	row = p->thread[thread].nr++;
	if (at)
		put(p, PART(thread, SAMPLE_STACK), row, at - 1);
	else
		put_null(p, PART(thread, SAMPLE_STACK), row);
	put(p, PART(thread, SAMPLE_WEIGHT), row, n);
}

static void loss(struct v9_export *x, const struct v9_loss *l)
{
	v9_note_loss(&((struct firefox *)x->state)->note, l);
}

/* ---- the file */

static void column(struct v9_export *x, const char *name, size_t part)
{
	struct firefox *p = x->state;

	fprintf(x->f, "\"%s\":[", name);
	if (!x->failed && part < v9_parts_number(p->parts))
		x->failed = !v9_parts_copy(p->parts, part, x->f);
	fputs("],", x->f);
}

/* A column of which all rows are the same */
static void same(FILE *f, const char *name, const char *value, size_t nr)
{
	fprintf(f, "\"%s\":[", name);
	for (size_t i = 0; i < nr; i++)
		fprintf(f, "%s%s", i ? "," : "", value);
	fputs("],", f);
}

static void numbered(FILE *f, const char *name, size_t nr)
{
	fprintf(f, "\"%s\":[", name);
	for (size_t i = 0; i < nr; i++)
		fprintf(f, "%s%zu", i ? "," : "", i);
	fputs("],", f);
}

static void tables(struct v9_export *x)
{
	struct firefox *p = x->state;
	const size_t objects = p->objects.bins.used, sources = p->sources.bins.used;
	const size_t funcs = p->funcs.bins.used, frames = p->frames.bins.used;

	fputs("\"shared\":{\n", x->f);
	column(x, "stringArray", STRINGS);
	fputs("\n\"sources\":{", x->f);
	same(x->f, "id", "null", sources);
	column(x, "filename", SOURCE_FILE);
	fprintf(x->f, "\"length\":%zu},\n\"stackTable\":{", sources);
	column(x, "frame", STACK_FRAME);
	column(x, "prefix", STACK_PREFIX);
	fprintf(x->f, "\"length\":%zu},\n\"frameTable\":{", p->stacks.bins.used);
	column(x, "address", FRAME_ADDRESS);
	column(x, "inlineDepth", FRAME_DEPTH);
	column(x, "category", FRAME_CATEGORY);
	same(x->f, "subcategory", "0", frames);
	column(x, "func", FRAME_FUNC);
	same(x->f, "nativeSymbol", "null", frames);
	same(x->f, "innerWindowID", "null", frames);
	column(x, "line", FRAME_LINE);
	same(x->f, "column", "null", frames);
	fprintf(x->f, "\"length\":%zu},\n\"funcTable\":{", frames);
	column(x, "name", FUNC_NAME);
	same(x->f, "isJS", "false", funcs);
	same(x->f, "relevantForJS", "false", funcs);
	column(x, "resource", FUNC_RESOURCE);
	column(x, "source", FUNC_SOURCE);
	same(x->f, "lineNumber", "null", funcs);
	same(x->f, "columnNumber", "null", funcs);
	fprintf(x->f, "\"length\":%zu},\n\"resourceTable\":{", funcs);
	numbered(x->f, "lib", objects);
	column(x, "name", RESOURCE_NAME);
	same(x->f, "host", "null", objects);
	fputs("\"type\":[", x->f);
	for (size_t i = 0; i < objects; i++)
		fprintf(x->f, "%s%u", i ? "," : "", RESOURCE_LIBRARY);
	fprintf(x->f, "],\"length\":%zu},\n\"nativeSymbols\":{\"libIndex\":[],\"address\":[],"
		"\"name\":[],\"functionSize\":[],\"length\":0}},\n", objects);
}

static void put_thread(struct v9_export *x, size_t i)
{
	struct firefox *p = x->state;
	const struct thread *t = &p->thread[i];

	fprintf(x->f, "%s\n{\"processType\":\"default\",\"processStartupTime\":0,"
		"\"processShutdownTime\":null,\"registerTime\":0,\"unregisterTime\":null,"
		"\"pausedRanges\":[],\"isMainThread\":%s,\"name\":", i ? "," : "",
		t->pid == t->tid ? "true" : "false");
	v9_json_print(x->f, t->name);
	if (t->pid == V9_NO_TASK)
		fputs(",\"pid\":\"unknown\"", x->f);
	else
		fprintf(x->f, ",\"pid\":\"%u\"", t->pid);
	fprintf(x->f, ",\"tid\":%lld,\n\"samples\":{",
		t->tid == V9_NO_TASK ? -1 : (long long)t->tid);
	column(x, "stack", PART(i, SAMPLE_STACK));
	column(x, "weight", PART(i, SAMPLE_WEIGHT));
	numbered(x->f, "time", t->nr);
	fprintf(x->f, "\"weightType\":\"samples\",\"length\":%zu},\n\"markers\":{\"data\":[],"
		"\"name\":[],\"startTime\":[],\"endTime\":[],\"phase\":[],\"category\":[],"
		"\"length\":0}}", t->nr);
}

static void end(struct v9_export *x)
{
	struct firefox *p = x->state;

	fprintf(x->f, "{\"meta\":{\"preprocessedProfileVersion\":%u,\"version\":30,\"interval\":1,"
		"\"startTime\":0,\"processType\":0,\"stackwalk\":1,\"symbolicated\":true,"
		"\"markerSchema\":[],\"importedFrom\":\"v9trace " V9TRACE_VERSION "\",\n\"product\":",
		VERSION);
	v9_json_print(x->f, x->r.o.path);
	fputs(",\n\"categories\":[{\"name\":\"User\",\"color\":\"yellow\",\"subcategories\":[\"Other\"]},"
	      "{\"name\":\"Kernel\",\"color\":\"orange\",\"subcategories\":[\"Other\"]}],\n"
	      "\"extra\":[{\"label\":\"v9trace\",\"entries\":["
	      "{\"label\":\"weight\",\"format\":\"string\",\"value\":", x->f);
	v9_json_print(x->f, v9_weights[x->weight].name);
	fputs("},\n{\"label\":\"time\",\"format\":\"string\",\"value\":"
	      "\"samples are sums of stacks: their time is their number\"},\n"
	      "{\"label\":\"note\",\"format\":\"string\",\"value\":", x->f);
	v9_json_print(x->f, v9_note_text(&p->note, x));
	fputs("}]}]},\n", x->f);
	column(x, "libs", LIBS);
	fputs("\"pages\":[],\n", x->f);
	tables(x);
	fputs("\"threads\":[", x->f);
	for (size_t i = 0; i < p->nr_threads; i++)
		put_thread(x, i);
	fputs("]}\n", x->f);
}

static void free_state(struct v9_export *x)
{
	struct firefox *p = x->state;

	for (size_t i = 0; i < p->nr_threads; i++)
		free(p->thread[i].name);
	free(p->thread);
	v9_strtab_free(&p->strings);
	v9_numbers_free(&p->objects);
	v9_numbers_free(&p->sources);
	v9_numbers_free(&p->funcs);
	v9_numbers_free(&p->frames);
	v9_numbers_free(&p->stacks);
	v9_numbers_free(&p->ids);
	v9_note_free(&p->note);
	v9_parts_free(p->parts);
	free(p);
}

const struct v9_sink v9_sink_firefox = {
	.name = "firefox", .help = "sums of stacks for the Firefox Profiler (profiler.firefox.com)",
	.takes = { [V9_KIND_SPE] = V9_SPE_STACKS, [V9_KIND_ETE] = V9_SINK_STACKS },
	.weights = V9_STACK_WEIGHTS,
	.begin = begin, .stack = stack, .loss = loss, .end = end, .free = free_state,
};
