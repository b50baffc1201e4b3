// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "spe_text.h"

#include <ctype.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <v9trace/gen/spe_pkt.h>
#include <v9trace/gen/spe_source.h>

#define MIDR_IMPLEMENTER(midr)	((midr) >> 24 & 0xff)
#define MIDR_PART(midr)		((midr) >> 4 & 0xfff)

#define EVL_MORE		7
#define ETS_LAST		11
#define ETS_ZA			15

static const struct { const char *name, *text; } events[V9_SPE_EVENT_BITS] = {
#define ROW(bit, name, ver, feat, filter, text) [bit] = { #name, text },
	V9_SPE_FOREACH_EVENT(ROW)
#undef ROW
};

static const struct op { uint8_t class, mask, value; const char *name; } ops[] = {
#define ROW(class, name, mask, value, ver, feat, text) { class, mask, value, #name },
	V9_SPE_FOREACH_OP(ROW)
#undef ROW
};

static const struct field { uint8_t class, mask; const char *op, *name; } fields[] = {
#define ROW(class, op, name, mask) { class, mask, #op, #name },
	V9_SPE_FOREACH_OP_FIELD(ROW)
#undef ROW
};

static const struct { uint8_t set; uint16_t value; const char *name, *text; } sources[] = {
#define ROW(set, value, name, text) { V9_SPE_SET_##set, value, #name, text },
	V9_SPE_FOREACH_SOURCE(ROW)
#undef ROW
};

static const struct { uint8_t set, implementer; uint16_t part; } cores[] = {
#define ROW(set, implementer, part, name) { V9_SPE_SET_##set, implementer, part },
	V9_SPE_FOREACH_CORE(ROW)
#undef ROW
};

/* Names in the tables are in upper case, the output is in lower case. */
static void lower(char *buf, size_t size, const char *s)
{
	size_t i;

	for (i = 0; s[i] && i + 1 < size; i++)
		buf[i] = (char)tolower((unsigned char)s[i]);
	buf[i] = '\0';
}

/* The names in lower case, made once: several threads may ask for them. */
static char event_names[V9_SPE_EVENT_BITS][24], source_names[V9_ARRAY_SIZE(sources)][24];
static pthread_once_t named = PTHREAD_ONCE_INIT;

static void make_names(void)
{
	for (size_t i = 0; i < V9_SPE_EVENT_BITS; i++)
		if (events[i].name)
			lower(event_names[i], sizeof(event_names[i]), events[i].name);
	for (size_t i = 0; i < V9_ARRAY_SIZE(sources); i++)
		lower(source_names[i], sizeof(source_names[i]), sources[i].name);
}

/* Adds a word; what does not fit is cut. */
static size_t add(char *buf, size_t size, size_t at, const char *word)
{
	if (at && at + 1 < size)
		buf[at++] = ' ';
	for (; *word && at + 1 < size; word++)
		buf[at++] = (char)tolower((unsigned char)*word);
	buf[at] = '\0';
	return at;
}

const char *v9_spe_event_name(unsigned int bit)
{
	if (bit >= V9_SPE_EVENT_BITS || !events[bit].name)
		return NULL;
	pthread_once(&named, make_names);
	return event_names[bit];
}

const char *v9_spe_event_text(unsigned int bit)
{
	return bit < V9_SPE_EVENT_BITS ? events[bit].text : NULL;
}

const char *v9_spe_events(char *buf, size_t size, uint64_t set)
{
	size_t at = 0;
	char word[8];

	buf[0] = '\0';
	for (unsigned int bit = 0; bit < V9_SPE_EVENT_BITS; bit++) {
		if (!(set >> bit & 1))
			continue;
		if (!events[bit].name)
			snprintf(word, sizeof(word), "e%u", bit);
		at = add(buf, size, at, events[bit].name ? events[bit].name : word);
	}
	return buf;
}

static const struct op *find_op(unsigned int class, uint8_t op)
{
	for (size_t i = 0; i < V9_ARRAY_SIZE(ops); i++)
		if (ops[i].class == class && (op & ops[i].mask) == ops[i].value)
			return &ops[i];
	return NULL;
}

static bool has_field(const struct op *o, const char *name)
{
	for (size_t i = 0; i < V9_ARRAY_SIZE(fields); i++)
		if (fields[i].class == o->class && !strcmp(fields[i].op, o->name) &&
		    !strcmp(fields[i].name, name))
			return true;
	return false;
}

int v9_spe_op_store(unsigned int class, uint8_t op)
{
	const struct op *o;

	if (class != V9_SPE_OP_CLASS_LDST)
		return -1;
	o = find_op(class, op);
	/* Operations without this field are always stores (memory set). */
	return o && !has_field(o, "STORE") ? 1 : op & V9_SPE_OP_GPR_STORE;
}

/* Upper bound of the bits of a vector: 32 << @v. The last value has none (FEAT_SPE_SME). */
static void evl_text(char *buf, size_t size, unsigned int v)
{
	if (v < EVL_MORE)
		snprintf(buf, size, "evl=%u", 32u << v);
	else
		snprintf(buf, size, "evl>%u", 32u << (EVL_MORE - 1));
}

/* Bits of the ZA array: 128 << @v, or all of it. Other values are reserved. */
static void ets_text(char *buf, size_t size, unsigned int v)
{
	if (v <= ETS_LAST)
		snprintf(buf, size, "ets=%u", 128u << v);
	else if (v == ETS_ZA)
		snprintf(buf, size, "ets=za");
	else
		snprintf(buf, size, "ets=0x%x", v);
}

/* Text of a field of an operation type; empty if it has none. */
static void field_text(char *buf, size_t size, const struct field *f, uint8_t op)
{
	static const char *const cr[] = { "", "call", "return", "other_cr" };
	const unsigned int v = (unsigned int)V9_GET((unsigned int)f->mask, (unsigned int)op);

	buf[0] = '\0';
	if (!strcmp(f->name, "STORE"))
		return;
	if (!strcmp(f->name, "CR"))
		snprintf(buf, size, "%s", cr[v & 3]);
	else if (!strcmp(f->name, "EVL"))
		evl_text(buf, size, v);
	else if (!strcmp(f->name, "ETS_HI"))
		ets_text(buf, size, 2 * v + !!(op & V9_SPE_OP_SME_ETS_LO));
	else if (!strcmp(f->name, "ETS_LO"))
		return;
	else if (f->mask & (f->mask - 1))
		snprintf(buf, size, "%s=%u", f->name, v);
	else if (v)
		snprintf(buf, size, "%s", f->name);
}

const char *v9_spe_op(char *buf, size_t size, unsigned int class, uint8_t op)
{
	static const char *const classes[] = { "other", "load", "branch" };
	const struct op *o = find_op(class, op);
	char word[32];
	size_t at = 0;

	buf[0] = '\0';
	at = add(buf, size, at, v9_spe_op_store(class, op) == 1 ? "store" :
				class < V9_ARRAY_SIZE(classes) ? classes[class] : "class3");
	if (!o) {
		snprintf(word, sizeof(word), "0x%02x", op);
		add(buf, size, at, word);
		return buf;
	}
	/* The basic subclass of each class has no second word. */
	if (strcmp(o->name, "OTHER") && strcmp(o->name, "GPR") && strcmp(o->name, "BRANCH") &&
	    strcmp(o->name, "EXTENDED"))
		at = add(buf, size, at, o->name);
	for (size_t i = 0; i < V9_ARRAY_SIZE(fields); i++) {
		const struct field *f = &fields[i];

		if (f->class != o->class || strcmp(f->op, o->name))
			continue;
		field_text(word, sizeof(word), f, op);
		if (word[0])
			at = add(buf, size, at, word);
	}
	return buf;
}

unsigned int v9_spe_source_set(uint64_t midr)
{
	for (size_t i = 0; i < V9_ARRAY_SIZE(cores); i++)
		if (cores[i].implementer == MIDR_IMPLEMENTER(midr) &&
		    cores[i].part == MIDR_PART(midr))
			return cores[i].set;
	return V9_SPE_SET_UNKNOWN;
}

const char *v9_spe_source(unsigned int set, uint16_t source)
{
	pthread_once(&named, make_names);
	for (size_t i = 0; i < V9_ARRAY_SIZE(sources); i++)
		if (sources[i].set == set && sources[i].value == source)
			return source_names[i];
	return NULL;
}

const char *v9_spe_source_text(unsigned int set, uint16_t source)
{
	for (size_t i = 0; i < V9_ARRAY_SIZE(sources); i++)
		if (sources[i].set == set && sources[i].value == source)
			return sources[i].text;
	return NULL;
}
