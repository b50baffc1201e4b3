// SPDX-License-Identifier: GPL-2.0-only
/*
 * snapshot DIR: decodes each ETE session of a CoreSight snapshot and prints a line of figures for
 * each (see golden/ete/sessions).
 * snapshot -v DIR [BUFFER]: also each range, exception and gap.
 * snapshot -b DIR BUFFER: prints the input of a benchmark (bench/spec.h), without decoding.
 * STEP=n in the environment: the decoder gets n bytes at a time. TIMES=n: the session n times over,
 * which begins with a synchronization each time. RELAY=1: at each synchronization a second decoder
 * starts, and replaces the first one as soon as both have the same state. The number of
 * replacements goes to standard error.
 *
 * Figures: bytes, packets, ranges, instructions, ranges without a path, exceptions, times that
 * tracing began, timestamps, cycle counts, events, transaction markers, synchronizations; FNV-1a
 * over start and end of each range.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../../tools/lib/flow.h"
#include "../../tools/lib/image.h"
#include "../../tools/util.h"

#define MAX_LINES	4096

/* An .ini file as rows of section, key, value. */
struct ini {
	struct row { char *section, *key, *value; } rows[MAX_LINES];
	unsigned int n;
};

static char *trim(char *s)
{
	char *end;

	s += strspn(s, " \t\r\n");
	end = s + strlen(s);
	while (end > s && strchr(" \t\r\n", end[-1]))
		*--end = 0;
	return s;
}

static struct ini *ini_read(const char *dir, const char *name)
{
	struct ini *ini = v9_alloc(sizeof(*ini));
	char *path = v9_format("%s/%s", dir, name), line[512], section[256] = "", *eq;
	FILE *f = fopen(path, "r");

	while (f && fgets(line, sizeof(line), f)) {
		char *s = trim(line);

		if (*s == '[') {
			snprintf(section, sizeof(section), "%.*s", (int)strcspn(s + 1, "]"), s + 1);
		} else if ((eq = strchr(s, '=')) && ini->n < MAX_LINES) {
			*eq = 0;
			ini->rows[ini->n++] = (struct row){
				v9_strdup(section), v9_strdup(trim(s)), v9_strdup(trim(eq + 1)) };
		}
	}
	if (f)
		fclose(f);
	free(path);
	return ini;
}

static void ini_free(struct ini *ini)
{
	for (unsigned int i = 0; i < ini->n; i++) {
		free(ini->rows[i].section);
		free(ini->rows[i].key);
		free(ini->rows[i].value);
	}
	free(ini);
}

static const char *ini_get(const struct ini *ini, const char *section, const char *key)
{
	for (unsigned int i = 0; i < ini->n; i++)
		if (!strcasecmp(ini->rows[i].section, section) &&
		    !strcasecmp(ini->rows[i].key, key))
			return ini->rows[i].value;
	return NULL;
}

static uint64_t ini_number(const struct ini *ini, const char *section, const char *key)
{
	const char *v = ini_get(ini, section, key);

	return v ? strtoull(v, NULL, 0) : 0;
}

/* Finds the file of the device @name. */
static struct ini *device(const char *dir, const struct ini *snapshot, const char *name)
{
	for (unsigned int i = 0; i < snapshot->n; i++) {
		struct ini *dev;
		const char *is;

		if (strcasecmp(snapshot->rows[i].section, "device_list"))
			continue;
		dev = ini_read(dir, snapshot->rows[i].value);
		is = ini_get(dev, "device", "name");
		if (is && !strcmp(is, name))
			return dev;
		ini_free(dev);
	}
	return NULL;
}

static void load(struct v9_image *img, const char *dir, const struct ini *core)
{
	for (unsigned int i = 0; i < core->n; i++) {
		const struct row *r = &core->rows[i];
		const char *length;
		char *path;

		if (strncasecmp(r->section, "dump", 4) || strcasecmp(r->key, "file"))
			continue;
		length = ini_get(core, r->section, "length");
		path = v9_format("%s/%s", dir, r->value);
		v9_image_add_file(img, V9_IMAGE_ANY, ini_number(core, r->section, "address"), path,
				  ini_number(core, r->section, "offset"),
				  length ? strtoull(length, NULL, 0) : UINT64_MAX);
		free(path);
	}
}

static const uint8_t *code(void *img, const struct v9_ete_context *ctx, uint64_t addr, size_t *n)
{
	(void)ctx;
	return v9_image_code(img, V9_IMAGE_ANY, addr, n);
}

struct figures {
	uint64_t unplaced, timestamps, cycles, events, transactions, hash;
};

static void hash(uint64_t *h, uint64_t v)
{
	for (unsigned int i = 0; i < 8; i++, v >>= 8)
		*h = (*h ^ (v & 0xff)) * UINT64_C(0x100000001b3);
}

static void show(const struct v9_flow_rec *r)
{
	switch (r->kind) {
	case V9_FLOW_RANGE:
		printf("%" PRIu64 " range %#" PRIx64 " %#" PRIx64 " %u%s\n", r->offset, r->start,
		       r->end, r->insns, r->taken ? " taken" : "");
		break;
	case V9_FLOW_UNPLACED:
		printf("%" PRIu64 " unplaced %#" PRIx64 " %u\n", r->offset, r->start, r->insns);
		break;
	case V9_FLOW_EXCEPTION:
		printf("%" PRIu64 " exception %u %#" PRIx64 "\n", r->offset, r->type, r->start);
		break;
	case V9_FLOW_GAP:
		printf("%" PRIu64 " gap %s %#" PRIx64 " %s\n", r->offset, v9_flow_why[r->why],
		       r->start, r->why == V9_FLOW_LOSS ? v9_ete_skip_why[r->type] : "");
		break;
	}
}

static void add(struct figures *s, const struct v9_flow_rec *r)
{
	s->unplaced += r->kind == V9_FLOW_UNPLACED;
	s->timestamps += r->kind == V9_FLOW_TIME;
	s->cycles += r->kind == V9_FLOW_CYCLES;
	s->events += r->kind == V9_FLOW_EVENT;
	s->transactions += r->kind >= V9_FLOW_TX_START && r->kind <= V9_FLOW_TX_FAILURE;
	if (r->kind == V9_FLOW_RANGE) {
		hash(&s->hash, r->start);
		hash(&s->hash, r->end);
	}
}

/* All that came out so far. */
static void take(struct v9_flow *f, struct figures *s, bool verbose)
{
	struct v9_flow_rec rec;

	while (v9_flow_next(f, &rec) > 0) {
		add(s, &rec);
		if (verbose)
			show(&rec);
	}
}

/* Sums of the counters of several decoders */
struct counts {
	struct v9_ete_account acc;
	struct v9_flow_counts flow;
};

/* Both structs consist of uint64_t counters. */
static void add_counts(struct counts *to, const struct v9_flow *f, int sign)
{
	uint64_t sum[sizeof(*to) / sizeof(uint64_t)], more[sizeof(*to) / sizeof(uint64_t)];
	const struct counts now = { f->ete.acc, f->counts };

	memcpy(sum, to, sizeof(sum));
	memcpy(more, &now, sizeof(more));
	for (size_t i = 0; i < sizeof(sum) / sizeof(sum[0]); i++)
		sum[i] += sign > 0 ? more[i] : -more[i];
	memcpy(to, sum, sizeof(sum));
}

struct unit {
	struct v9_ete_config cfg;
	bool wfx, stack;
	struct v9_image img;
};

static struct v9_flow *begin(struct unit *u)
{
	struct v9_flow *f = v9_alloc(sizeof(*f));

	v9_flow_reset(f, &u->cfg, u->wfx, u->stack, code, &u->img);
	return f;
}

static void end(struct v9_flow *f)
{
	v9_flow_free(f);
	free(f);
}

/*
 * Starts a decoder at @at. Sets *joint to the offset from which it can be compared; returns NULL
 * and leaves *joint unchanged if there is none.
 */
static struct v9_flow *successor(struct unit *u, const uint8_t *p, size_t n, size_t at,
				 struct v9_flow_mark *mark, size_t *joint)
{
	struct v9_flow *f = begin(u);
	struct figures none = { 0 };

	while (at < n) {
		v9_flow_feed(f, p + at, 1, at);
		take(f, &none, false);
		at++;
		if (v9_flow_mark(f, mark)) {
			*joint = at;
			return f;
		}
	}
	end(f);
	return NULL;
}

/* Returns the last decoder. The counters of those before it are in @c. */
static struct v9_flow *relay(struct unit *u, const uint8_t *p, size_t n, struct figures *s,
			     bool verbose, struct counts *c, unsigned int *joints)
{
	struct v9_flow *f = begin(u);
	size_t at = 0;

	while (at < n) {
		size_t from = at + 1 < n ? at + 1 : n, joint = n;
		struct v9_flow_mark here, there;
		struct v9_flow *next;

		from += v9_ete_find_sync(p + from, n - from);
		next = successor(u, p, n, from, &there, &joint);
		v9_flow_feed(f, p + at, joint - at, at);
		take(f, s, verbose);
		at = joint;
		if (next && v9_flow_mark(f, &here) && v9_flow_same_state(&here, &there)) {
			add_counts(c, f, 1);
			add_counts(c, next, -1);
			end(f);
			f = next;
			++*joints;
		} else if (next) {
			end(next);
		}
	}
	return f;
}

/* Gaps that the trace unit did not report */
static uint64_t troubles(const struct v9_flow_counts *c)
{
	uint64_t sum = c->impossible + c->unplaced;

	for (unsigned int i = V9_FLOW_LOSS; i < V9_FLOW_WHYS; i++)
		sum += i == V9_FLOW_NO_COUNT ? 0 : c->gaps[i];
	return sum;
}

/* Lines for bench/spec.h. */
static void describe(const char *dir, const struct ini *ete, const struct ini *core,
		     const char *trace)
{
	static const char *const regs[] = { "TRCIDR0", "TRCIDR1", "TRCIDR2", "TRCIDR8",
					    "TRCDEVARCH", "TRCCONFIGR", "TRCTRACEIDR" };

	printf("trace %s 1\nregs", trace);
	for (unsigned int i = 0; i < sizeof(regs) / sizeof(regs[0]); i++)
		printf(" %" PRIx64, ini_number(ete, "regs", regs[i]));
	printf("\n");
	for (unsigned int i = 0; i < core->n; i++) {
		const struct row *r = &core->rows[i];

		if (!strncasecmp(r->section, "dump", 4) && !strcasecmp(r->key, "file"))
			printf("code %" PRIx64 " %" PRIx64 " %" PRIx64 " %s/%s\n",
			       ini_number(core, r->section, "address"),
			       ini_number(core, r->section, "offset"),
			       ini_number(core, r->section, "length"), dir, r->value);
	}
}

/* TIMES over. Frees @data. */
static char *repeat(char *data, size_t *size)
{
	const size_t times = getenv("TIMES") ? strtoul(getenv("TIMES"), NULL, 0) : 1;
	char *all = v9_alloc(*size * times);

	for (size_t i = 0; i < times && *size; i++)
		memcpy(all + i * *size, data, *size);
	free(data);
	*size *= times;
	return all;
}

static int session(const char *dir, const char *name, const struct ini *snapshot,
		   const struct ini *trace, const char *source, const char *buffer,
		   const char *file, bool verbose, bool bench)
{
	struct figures s = { .hash = UINT64_C(0xcbf29ce484222325) };
	struct ini *ete = device(dir, snapshot, source), *core = NULL;
	struct counts c = { 0 };
	struct v9_flow *f;
	struct unit u;
	unsigned int joints = 0;
	size_t size = 0, step;
	char *path, *data;

	path = v9_format("%s/%s", dir, file);
	for (unsigned int i = 0; i < trace->n && !core; i++)
		if (!strcasecmp(trace->rows[i].section, "core_trace_sources") &&
		    !strcmp(trace->rows[i].value, source))
			core = device(dir, snapshot, trace->rows[i].key);
	if (!ete || !core || !ini_get(ete, "device", "type") ||
	    strcmp(ini_get(ete, "device", "type"), "ETE")) {
		if (ete)
			ini_free(ete);
		if (core)
			ini_free(core);
		free(path);
		return 1;
	}
	if (bench) {
		describe(dir, ete, core, path);
		ini_free(ete);
		ini_free(core);
		free(path);
		return 0;
	}
	v9_image_init(&u.img);
	load(&u.img, dir, core);
	v9_ete_config_init(&u.cfg, (uint32_t)ini_number(ete, "regs", "TRCIDR0"),
			   (uint32_t)ini_number(ete, "regs", "TRCIDR8"),
			   (ini_number(ete, "regs", "TRCDEVARCH") >> 16 & 15) >= 2);
	u.wfx = ini_number(ete, "regs", "TRCIDR2") >> 31 & 1;
	u.stack = ini_number(ete, "regs", "TRCCONFIGR") >> 12 & 1;
	data = v9_read_file(path, &size);
	if (!data)
		size = 0;
	data = repeat(data, &size);
	step = getenv("STEP") ? strtoul(getenv("STEP"), NULL, 0) : size;
	f = getenv("RELAY") ? relay(&u, (uint8_t *)data, size, &s, verbose, &c, &joints) : begin(&u);
	for (size_t at = getenv("RELAY") ? size : 0; at < size; at += step) {
		/* A copy of exact size, so that sanitizers find reads beyond it */
		size_t part = size - at < step ? size - at : step;
		uint8_t *copy = v9_alloc(part);

		memcpy(copy, data + at, part);
		v9_flow_feed(f, copy, part, at);
		take(f, &s, verbose);
		free(copy);
	}
	v9_flow_end(f);
	take(f, &s, verbose);
	add_counts(&c, f, 1);
	end(f);
	free(data);
	if (getenv("RELAY"))
		fprintf(stderr, "%s %s %u\n", name, buffer, joints);
	printf("%s %s %zu %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
	       " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %016" PRIx64 "\n",
	       name, buffer, size, c.acc.packets + c.acc.kinds[V9_ETE_IGNORE],
	       c.flow.ranges, c.flow.insns, s.unplaced, c.flow.exceptions,
	       c.flow.gaps[V9_FLOW_FILTER], s.timestamps, s.cycles, s.events, s.transactions,
	       c.acc.kinds[V9_ETE_ASYNC], s.hash);
	if (v9_ete_account_bytes(&c.acc) != size)
		printf("%s %s: bytes unaccounted for\n", name, buffer);
	if (troubles(&c.flow) || c.acc.packet_bytes + c.acc.padding != size)
		printf("%s %s: not all of it is understood\n", name, buffer);
	v9_image_free(&u.img);
	ini_free(ete);
	ini_free(core);
	free(path);
	return 0;
}

int main(int argc, char **argv)
{
	const bool verbose = argc > 1 && !strcmp(argv[1], "-v");
	const bool bench = argc > 1 && !strcmp(argv[1], "-b");
	const bool option = verbose || bench;
	const char *dir = argv[1 + option], *only, *name;
	struct ini *snapshot, *trace;

	if (argc < 2 + option)
		return 2;
	only = argv[2 + option];
	name = strrchr(dir, '/') ? strrchr(dir, '/') + 1 : dir;
	snapshot = ini_read(dir, "snapshot.ini");
	trace = ini_read(dir, ini_get(snapshot, "trace", "metadata") ?: "trace.ini");
	for (unsigned int i = 0; i < trace->n; i++) {
		const struct row *r = &trace->rows[i];
		const char *file = NULL, *format = NULL;

		if (strcasecmp(r->section, "source_buffers") || (only && strcmp(r->value, only)))
			continue;
		for (unsigned int k = 0; k < trace->n && !file; k++)
			if (!strcasecmp(trace->rows[k].key, "name") &&
			    !strcmp(trace->rows[k].value, r->value)) {
				file = ini_get(trace, trace->rows[k].section, "file");
				format = ini_get(trace, trace->rows[k].section, "format");
			}
		/* Formatted streams of several sources are not supported. */
		if (file && format && !strcmp(format, "source_data"))
			session(dir, name, snapshot, trace, r->key, r->value, file, verbose,
				bench);
	}
	ini_free(snapshot);
	ini_free(trace);
	return 0;
}
