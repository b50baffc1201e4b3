// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * pprof's profile.proto, compressed. Everything is written when it is first used: fields of a
 * message may come in any order. The object of a function is its mapping; addresses are those in
 * the object, as linked, so that profiles of several runs and machines can be merged.
 */
#include "export.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../report/kinds.h"
#include "gzip.h"
#include "proto.h"

/* Numbers of fields, as profile.proto has them */
enum { TYPE_TYPE = 1, TYPE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_STR, LABEL_NUM };
enum { MAPPING_ID = 1, MAPPING_START, MAPPING_LIMIT, MAPPING_OFFSET, MAPPING_FILE, MAPPING_BUILD_ID,
       MAPPING_HAS_FUNCTIONS };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1, LINE_LINE };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE };
enum { PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION, PROFILE_FUNCTION,
       PROFILE_STRING, PROFILE_TIME = 9, PROFILE_DURATION, PROFILE_PERIOD_TYPE, PROFILE_PERIOD,
       PROFILE_COMMENT, PROFILE_DEFAULT };

/* Bytes of a message that many samples have */
struct piece {
	size_t at;			/* in .pieces */
	uint32_t size;
	uint32_t first;			/* of a place: bytes before the values of a sample */
};

struct labels {
	uint64_t key;			/* v9_stack.labels */
	struct piece piece;
};

struct pprof {
	struct v9_gzip *gzip;
	struct v9_strtab strings;
	size_t nr_strings;
	struct v9_numbers mappings, locations, functions;
	struct v9_bins lasting;		/* strings by their addresses */
	struct v9_blob pieces;
	struct piece *places;		/* by v9_stack.place - 1; .size 0: not made yet */
	size_t nr_places;
	struct v9_bins labels;		/* struct labels; .size 0: the same */
	unsigned int weights;		/* 1 << V9_W_*: the values of a sample */
	struct v9_blob message, part, line;	/* while a message is made */
};

/* Writes a field of the profile that is the message @b, and clears it. */
static void write_message(struct pprof *p, unsigned int field, struct v9_blob *b)
{
	uint8_t head[V9_PROTO_HEAD];

	v9_gzip_put(p->gzip, head, v9_proto_head(head, field, b->len));
	v9_gzip_put(p->gzip, b->data, b->len);
	b->len = 0;
}

static void write_number(struct pprof *p, unsigned int field, uint64_t n)
{
	struct v9_blob whole = { 0 };

	v9_proto_number(&whole, field, n);
	v9_gzip_put(p->gzip, whole.data, whole.len);
	v9_blob_free(&whole);
}

/* Strings have to be UTF-8. */
static uint64_t string_of(struct pprof *p, const char *s)
{
	size_t *n = v9_strtab_value(&p->strings, s);
	struct v9_blob text = { 0 };

	if (*n)
		return *n - 1;
	*n = ++p->nr_strings;
	while (*s) {
		const unsigned int size = v9_utf8(s);

		v9_blob_put(&text, size ? s : "?", size ? size : 1);
		s += size ? size : 1;
	}
	write_message(p, PROFILE_STRING, &text);
	v9_blob_free(&text);
	return p->nr_strings - 1;
}

/* That of a string that lasts as long as the profile */
static uint64_t lasting(struct pprof *p, const char *s)
{
	const uint64_t key = (uint64_t)(uintptr_t)s;
	uint64_t *bin = v9_bins_at(&p->lasting, &key, 1);

	if (!bin[1])
		bin[1] = string_of(p, s) + 1;
	return bin[1] - 1;
}

static void put_type(struct pprof *p, unsigned int field, const char *type, const char *unit)
{
	v9_proto_number(&p->message, TYPE_TYPE, string_of(p, type));
	v9_proto_number(&p->message, TYPE_UNIT, string_of(p, unit));
	write_message(p, field, &p->message);
}

static bool begin(struct v9_export *x)
{
	struct pprof *p = v9_alloc(sizeof(*p));
	const struct v9_interval *v = &x->r.s.interval;

	x->state = p;
	p->gzip = v9_gzip_new(x->f);
	v9_numbers_init(&p->mappings);
	v9_numbers_init(&p->locations);
	v9_numbers_init(&p->functions);
	v9_bins_init(&p->lasting, 2 * sizeof(uint64_t));
	v9_bins_init(&p->labels, sizeof(struct labels));
	string_of(p, "");		/* has to be the first */
	for (unsigned int i = 0; i < V9_W_TIME; i++)
		if (!v9_kinds[v9_weights[i].kind].absent(&x->r.s))
			p->weights |= 1u << i;
	for (unsigned int i = 0; i < V9_W_TIME; i++)
		if (p->weights >> i & 1)
			put_type(p, PROFILE_SAMPLE_TYPE, v9_weights[i].name, v9_weights[i].unit);
	write_number(p, PROFILE_DEFAULT,
		     string_of(p, v9_weights[p->weights & 1 ? 0 : V9_W_INSTRUCTIONS].name));
	if (v->mean || x->r.s.period) {
		put_type(p, PROFILE_PERIOD_TYPE, "operations", "count");
		write_number(p, PROFILE_PERIOD, v->mean ? v->mean : x->r.s.period);
	}
	return true;
}

static uint64_t mapping_of(struct pprof *p, const struct v9_dso *d)
{
	const uint64_t key[4] = { (uint64_t)(uintptr_t)d };
	char id[V9_BUILD_ID_TEXT];
	uint64_t start = UINT64_MAX, limit = 0, offset = 0;
	uint64_t n, file;
	bool added;

	if (!d)
		return 0;
	n = v9_number_of(&p->mappings, key, &added) + 1;
	if (!added)
		return n;
	for (unsigned int i = 0; i < d->nr_segs; i++) {
		if (d->segs[i].addr < start) {
			start = d->segs[i].addr;
			offset = d->segs[i].offset;
		}
		if (d->segs[i].addr + d->segs[i].size > limit)
			limit = d->segs[i].addr + d->segs[i].size;
	}
	v9_build_id_text(id, d->build_id, d->build_id_size);
	file = string_of(p, d->name);
	v9_proto_number(&p->part, MAPPING_ID, n);
	v9_proto_number(&p->part, MAPPING_START, d->nr_segs ? start : 0);
	v9_proto_number(&p->part, MAPPING_LIMIT, limit);
	v9_proto_number(&p->part, MAPPING_OFFSET, offset);
	v9_proto_number(&p->part, MAPPING_FILE, file);
	v9_proto_number(&p->part, MAPPING_BUILD_ID, string_of(p, id));
	/* pprof looks up the others itself. */
	v9_proto_number(&p->part, MAPPING_HAS_FUNCTIONS, d->nr_funcs > 0);
	write_message(p, PROFILE_MAPPING, &p->part);
	return n;
}

static uint64_t function_of(struct pprof *p, const struct v9_stack_level *l)
{
	const uint64_t name = string_of(p, l->name);
	const uint64_t file = l->file ? string_of(p, l->file) : 0;
	const uint64_t key[4] = { (uint64_t)(uintptr_t)l->func, (uint64_t)(uintptr_t)l->dso, name, file };
	bool added;
	const uint64_t n = v9_number_of(&p->functions, key, &added) + 1;
	uint64_t linkage;

	if (!added)
		return n;
	linkage = l->func && l->func->linkage ? string_of(p, l->func->linkage) : name;
	v9_proto_number(&p->part, FUNCTION_ID, n);
	v9_proto_number(&p->part, FUNCTION_NAME, name);
	v9_proto_number(&p->part, FUNCTION_SYSTEM_NAME, linkage);
	v9_proto_number(&p->part, FUNCTION_FILE, file);
	write_message(p, PROFILE_FUNCTION, &p->part);
	return n;
}

static void put_line(struct pprof *p, struct v9_blob *to, const struct v9_stack_level *l)
{
	const uint64_t function = function_of(p, l);
	struct v9_blob line = { 0 };

	v9_proto_number(&line, LINE_FUNCTION, function);
	v9_proto_number(&line, LINE_LINE, l->line);
	v9_proto_bytes(to, LOCATION_LINE, line.data, line.len);
	v9_blob_free(&line);
}

/*
 * Of a function that is not known pprof has the object and the address. The @inlined levels after @l are
 * lines of its location, innermost first.
 */
static uint64_t location_of(struct pprof *p, const struct v9_stack_level *l, size_t inlined)
{
	uint64_t key[4], n, mapping;
	bool added;

	v9_level_key(key, l);
	/* A caller at its begin has no line, what was executed there has one. */
	key[3] |= (uint64_t)l->line << 8;
	n = v9_number_of(&p->locations, key, &added) + 1;
	if (!added)
		return n;
	mapping = mapping_of(p, l->dso);
	for (size_t i = inlined; i; i--)
		put_line(p, &p->line, &l[i]);
	if (l->func || l->what == V9_LEVEL_LOST)
		put_line(p, &p->line, l);
	v9_proto_number(&p->part, LOCATION_ID, n);
	v9_proto_number(&p->part, LOCATION_MAPPING, mapping);
	v9_proto_number(&p->part, LOCATION_ADDRESS, l->addr);
	v9_blob_put(&p->part, p->line.data, p->line.len);
	p->line.len = 0;
	write_message(p, PROFILE_LOCATION, &p->part);
	return n;
}

/* @key has to last, @text: the number of a string, or 0. */
static void put_label(struct pprof *p, const char *key, uint64_t text, uint64_t number)
{
	v9_proto_number(&p->part, LABEL_KEY, lasting(p, key));
	v9_proto_number(&p->part, LABEL_STR, text);
	v9_proto_number(&p->part, LABEL_NUM, number);
	v9_proto_bytes(&p->pieces, SAMPLE_LABEL, p->part.data, p->part.len);
	p->part.len = 0;
}

/* A label that is a string, which lasts; NULL: none */
static void label(struct pprof *p, const char *key, const char *text)
{
	if (!text)
		return;
	/* Strings are written in the order of their use. */
	lasting(p, key);
	put_label(p, key, lasting(p, text), 0);
}

/* Those of a control group. @path: NULL if it is not known */
static void cgroup_labels(struct pprof *p, const char *path)
{
	static const struct {
		const char *key;
		const char *(*part)(const char *path, size_t *size);
	} rows[] = { { "container", v9_cgroup_container }, { "unit", v9_cgroup_unit } };

	label(p, "cgroup", path);
	for (size_t i = 0; path && i < V9_ARRAY_SIZE(rows); i++) {
		size_t size;
		const char *at = rows[i].part(path, &size);
		char *text = at ? v9_format("%.*s", (int)size, at) : NULL;

		if (text) {
			lasting(p, rows[i].key);
			put_label(p, rows[i].key, string_of(p, text), 0);
		}
		free(text);
	}
}

static uint64_t cpu_text(struct pprof *p, uint32_t cpu)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", cpu);
	return string_of(p, text);
}

/* What samples at a place have: its locations, then the labels of its thread */
static struct piece make_place(struct pprof *p, const struct v9_stack *s)
{
	struct piece piece = { .at = p->pieces.len };
	uint64_t at[V9_LEVELS];
	size_t nr = 0, inlined = 0;

	for (size_t i = s->nr; i--; ) {
		const int what = s->level[i].what;

		if (what == V9_LEVEL_INLINED)
			inlined++;
		if (what != V9_LEVEL_FUNCTION && what != V9_LEVEL_LOST)
			continue;
		at[nr++] = location_of(p, &s->level[i], inlined);
		inlined = 0;
	}
	v9_proto_numbers(&p->pieces, SAMPLE_LOCATION, at, nr);
	piece.first = (uint32_t)(p->pieces.len - piece.at);
	label(p, "cpu_type", s->cpu_type);
	label(p, "event", s->event);
	label(p, "thread", s->event ? NULL : s->comm);
	if (s->pid != V9_NO_TASK)
		put_label(p, "pid", 0, s->pid);
	if (s->tid != V9_NO_TASK)
		put_label(p, "tid", 0, s->tid);
	cgroup_labels(p, s->cgroup);
	piece.size = (uint32_t)(p->pieces.len - piece.at);
	return piece;
}

static struct piece make_labels(struct pprof *p, const struct v9_stack *s)
{
	struct piece piece = { .at = p->pieces.len };

	/* As text: pprof drops a label with the number 0. */
	if (s->cpu != V9_NO_TASK) {
		lasting(p, "cpu");
		put_label(p, "cpu", cpu_text(p, s->cpu), 0);
	}
	label(p, "operation", s->op);
	label(p, "source", s->source);
	if (s->cache_line) {
		lasting(p, "cache_line");
		put_label(p, "cache_line", string_of(p, s->cache_line), 0);
	}
	piece.size = (uint32_t)(p->pieces.len - piece.at);
	return piece;
}

static struct piece place_of(struct pprof *p, const struct v9_stack *s)
{
	if (!s->place)
		return make_place(p, s);
	while (p->nr_places < s->place)
		v9_vec_add(p->places, p->nr_places);
	if (!p->places[s->place - 1].size)
		p->places[s->place - 1] = make_place(p, s);
	return p->places[s->place - 1];
}

static struct piece labels_of(struct pprof *p, const struct v9_stack *s)
{
	struct labels *l = s->labels ? v9_bins_at(&p->labels, &s->labels, 1) : NULL;

	if (!l)
		return make_labels(p, s);
	if (!l->piece.size)
		l->piece = make_labels(p, s);
	return l->piece;
}

static uint8_t *append(uint8_t *to, const void *from, size_t n)
{
	memcpy(to, from, n);
	return to + n;
}

_Static_assert(V9_W_TIME <= V9_PROTO_FEW, "the values of a sample");

static void stack(struct v9_export *x, const struct v9_stack *s)
{
	struct pprof *p = x->state;
	const struct piece place = place_of(p, s), labels = labels_of(p, s);
	const uint8_t *bytes = p->pieces.data;
	uint8_t values[V9_PROTO_FEW_BYTES], head[V9_PROTO_HEAD], *to, *at;
	size_t nr = 0, size, head_size;
	uint64_t value[V9_W_TIME];

	for (unsigned int i = 0; i < V9_W_TIME; i++)
		if (p->weights >> i & 1)
			value[nr++] = s->value[i];
	nr = v9_proto_few(values, SAMPLE_VALUE, value, nr);
	size = place.size + nr + labels.size;
	head_size = v9_proto_head(head, PROFILE_SAMPLE, size);
	size += head_size;
	to = v9_gzip_room(p->gzip, size);
	if (!to)
		v9_blob_zero(&p->message, size);
	at = to ? to : p->message.data;
	at = append(at, head, head_size);
	at = append(at, bytes + place.at, place.first);
	at = append(at, values, nr);
	at = append(at, bytes + place.at + place.first, place.size - place.first);
	append(at, bytes + labels.at, labels.size);
	if (to)
		v9_gzip_wrote(p->gzip, size);
	else
		v9_gzip_put(p->gzip, p->message.data, size);
	p->message.len = 0;
	/* Those without numbers are made once. */
	if (!s->place)
		p->pieces.len = place.at;
}

void v9_pprof_comment(struct v9_export *x, const char *text)
{
	struct pprof *p = x->state;

	write_number(p, PROFILE_COMMENT, string_of(p, text));
}

static void loss(struct v9_export *x, const struct v9_loss *l)
{
	char *text, room[512];

	text = v9_format("lost: %s", v9_loss_text(room, sizeof(room), l));
	v9_pprof_comment(x, text);
	free(text);
}

static void end(struct v9_export *x)
{
	struct pprof *p = x->state;

	v9_pprof_comment(x, "v9trace " V9TRACE_VERSION);
	if (!v9_session_no_spe(&x->r.s))
		v9_pprof_comment(x, V9_NO_CHAIN);
	if (x->has_time) {
		/* perf's clock, from the start of the machine; readers refuse 0 */
		write_number(p, PROFILE_TIME, x->first ? x->first : 1);
		write_number(p, PROFILE_DURATION, x->last - x->first);
	}
	v9_gzip_end(p->gzip);
}

static void free_state(struct v9_export *x)
{
	struct pprof *p = x->state;

	v9_gzip_free(p->gzip);
	v9_strtab_free(&p->strings);
	v9_numbers_free(&p->mappings);
	v9_numbers_free(&p->locations);
	v9_numbers_free(&p->functions);
	v9_bins_free(&p->lasting);
	v9_bins_free(&p->labels);
	v9_blob_free(&p->pieces);
	free(p->places);
	v9_blob_free(&p->message);
	v9_blob_free(&p->part);
	v9_blob_free(&p->line);
	free(p);
}

#define SPE_TAKES	(V9_SPE_STACKS | V9_SINK_ADDRESSES | V9_SINK_LABELS | V9_SINK_CGROUPS)
#define ETE_TAKES	(V9_SINK_STACKS | V9_SINK_LINES | V9_SINK_CGROUPS)

const struct v9_sink v9_sink_pprof = {
	.name = "pprof", .help = "profile.proto of pprof, compressed", .binary = true,
	.takes = { [V9_KIND_SPE] = SPE_TAKES, [V9_KIND_ETE] = ETE_TAKES },
	.begin = begin, .stack = stack, .loss = loss, .end = end, .free = free_state,
};
