// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "filter.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <v9trace/base.h>

#include "../lib/spe_text.h"
#include "../util.h"

#define NAMES_MOST	12	/* that a message lists */
#define PERCENT		1000	/* of a percentage as an integer */

static const char *const options[V9_BY_KEYS] = {
	[V9_BY_COMM] = "comm", [V9_BY_PID] = "pid", [V9_BY_TID] = "tid", [V9_BY_CPU] = "cpu",
	[V9_BY_CGROUP] = "cgroup",
	[V9_BY_TIME] = "time", [V9_BY_EL] = "el", [V9_BY_DSO] = "dso", [V9_BY_SYMBOL] = "symbol",
	[V9_BY_OP] = "op", [V9_BY_EVENT] = "event", [V9_BY_LATENCY] = "min-latency",
};

/* ---- parsing */

static void add_range(struct v9_record_filter *f, enum v9_filter_key key, uint64_t first, uint64_t last)
{
	*v9_vec_add(f->range[key], f->nr[key]) = (struct v9_range){ first, last };
}

/* "1,3-5" */
static bool parse_numbers(struct v9_record_filter *f, enum v9_filter_key key, const char *arg,
			  uint64_t max)
{
	uint64_t first, last;
	const char *s = arg;

	do {
		if (!v9_take_number(&s, 0, max, &first))
			return false;
		last = first;
		if (*s == '-') {
			s++;
			if (!v9_take_number(&s, 0, max, &last) || last < first)
				return false;
		}
		add_range(f, key, first, last);
	} while (*s++ == ',');
	return !s[-1];
}

static bool parse_words(struct v9_record_filter *f, enum v9_filter_key key, const char *arg)
{
	size_t n;

	for (const char *s = arg; ; s += n + 1) {
		n = strcspn(s, ",");
		if (!n)
			return false;
		*v9_vec_add(f->word[key], f->nr[key]) = v9_format("%.*s", (int)n, s);
		if (!s[n])
			return true;
	}
}

/* Decimal with up to @places places, times 10 to the power of @places. Stops at another character. */
static bool parse_decimal(const char **s, unsigned int places, uint64_t *out)
{
	unsigned int digits = 0, after = 0;
	bool point = false;
	uint64_t v = 0;

	for (; (**s >= '0' && **s <= '9') || (**s == '.' && !point); (*s)++) {
		if (**s == '.') {
			point = true;
			continue;
		}
		digits++;
		if (point && after == places)
			continue;
		if (v > UINT64_MAX / 100)
			return false;
		after += point;
		v = v * 10 + (uint64_t)(**s - '0');
	}
	for (; after < places; after++) {
		if (v > UINT64_MAX / 10)
			return false;
		v *= 10;
	}
	*out = v;
	return digits;
}

/* "10%-20%,40%-50%" */
static bool parse_percents(struct v9_record_filter *f, const char *arg)
{
	uint64_t first, last;
	const char *s = arg;

	do {
		if (!parse_decimal(&s, 3, &first) || *s++ != '%' || *s++ != '-' ||
		    !parse_decimal(&s, 3, &last) || *s++ != '%' || first >= last ||
		    last > 100 * PERCENT)
			return false;
		add_range(f, V9_BY_TIME, first, last);
	} while (*s++ == ',');
	f->percent = true;
	return !s[-1];
}

/* "FROM,TO" in seconds; either may be left out */
static bool parse_seconds(struct v9_record_filter *f, const char *arg)
{
	uint64_t from = 0, to = UINT64_MAX;
	const char *s = arg;

	if (*s != ',' && !parse_decimal(&s, 9, &from))
		return false;
	if (*s++ != ',')
		return false;
	if (*s && !parse_decimal(&s, 9, &to))
		return false;
	if (*s || from >= to)
		return false;
	add_range(f, V9_BY_TIME, from, to == UINT64_MAX ? to : to - 1);
	return true;
}

static bool parse_events(struct v9_record_filter *f, const char *arg)
{
	if (!parse_words(f, V9_BY_EVENT, arg))
		return false;
	for (size_t i = 0; i < f->nr[V9_BY_EVENT]; i++) {
		const char *name = f->word[V9_BY_EVENT][i];
		uint64_t bits = 0;

		for (unsigned int bit = 0; bit < 64; bit++) {
			const char *known = v9_spe_event_name(bit);
			char number[8];

			snprintf(number, sizeof(number), "e%u", bit);
			if ((known && !strcmp(known, name)) || !strcmp(number, name))
				bits |= UINT64_C(1) << bit;
		}
		if (!bits)
			return false;
		f->events |= bits;
	}
	return true;
}

static void list_events(char *room, size_t size, uint64_t bits)
{
	size_t at = 0;

	room[0] = '\0';
	for (unsigned int bit = 0; bit < 64 && at < size; bit++)
		if (bits >> bit & 1 && v9_spe_event_name(bit) &&
		    (bits != UINT64_MAX || strncmp(v9_spe_event_name(bit), "impdef", 6)))
			at += (size_t)snprintf(room + at, size - at, "%s%s", at ? ", " : "",
					       v9_spe_event_name(bit));
}

bool v9_filter_take(struct v9_record_filter *f, enum v9_filter_key key, const char *arg)
{
	const char *want = "a list of numbers and ranges, such as 1,3-5";
	char room[1024];
	bool good;

	f->used |= 1u << key;
	f->text[key] = arg;
	switch (key) {
	case V9_BY_TIME:
		want = "FROM,TO in seconds, such as 12.5,13 or 12.5,; or parts, such as 10%-20%";
		good = strchr(arg, '%') ? parse_percents(f, arg) : parse_seconds(f, arg);
		break;
	case V9_BY_EL:
		want = "a list of levels from 0 to 3";
		good = parse_numbers(f, key, arg, 3);
		break;
	case V9_BY_PID:
	case V9_BY_TID:
	case V9_BY_CPU:
		good = parse_numbers(f, key, arg, V9_NO_TASK - 1);
		break;
	case V9_BY_LATENCY:
		want = "a number of cycles";
		good = v9_take_number(&arg, 0, UINT32_MAX, &f->least) && !*arg;
		arg = f->text[key];
		break;
	case V9_BY_EVENT:
		good = parse_events(f, arg);
		if (!good) {
			list_events(room, sizeof(room), UINT64_MAX);
			want = room;
		}
		break;
	default:
		want = "a list of names";
		good = parse_words(f, key, arg);
	}
	if (!good)
		v9_error("--%s %s: give %s", options[key], arg, want);
	return good;
}

void v9_filter_open(struct v9_record_filter *f, const struct v9_session *s)
{
	const uint64_t all = s->last_time - s->first_time;

	f->cgroups = &s->cgroups;
	for (size_t i = 0; f->percent && i < f->nr[V9_BY_TIME]; i++) {
		struct v9_range *r = &f->range[V9_BY_TIME][i];

		/* 128 bits are not needed: a capture of a day has 2^47 ns, and 100 % are 2^17. */
		r->first = s->first_time + all / (100 * PERCENT) * r->first +
			   all % (100 * PERCENT) * r->first / (100 * PERCENT);
		r->last = r->last == 100 * PERCENT ? UINT64_MAX :
			  s->first_time + all / (100 * PERCENT) * r->last +
			  all % (100 * PERCENT) * r->last / (100 * PERCENT) - 1;
	}
	f->percent = false;
}

/* ---- selecting */

static bool in_ranges(const struct v9_record_filter *f, enum v9_filter_key key, uint64_t n)
{
	for (size_t i = 0; i < f->nr[key]; i++)
		if (n >= f->range[key][i].first && n <= f->range[key][i].last)
			return true;
	return false;
}

static bool in_words(const struct v9_record_filter *f, enum v9_filter_key key, const char *s)
{
	for (size_t i = 0; s && i < f->nr[key]; i++)
		if (!strcmp(f->word[key][i], s))
			return true;
	return false;
}

static bool uses(const struct v9_record_filter *f, enum v9_filter_key key)
{
	return f->used >> key & 1;
}

static bool in_cgroup(const struct v9_record_filter *f, const struct v9_sampled *s)
{
	const char *path = v9_cgroups_path(f->cgroups, s->tid, v9_sampled_time(s));

	for (size_t i = 0; path && i < f->nr[V9_BY_CGROUP]; i++)
		if (v9_cgroup_within(path, f->word[V9_BY_CGROUP][i]))
			return true;
	return false;
}

bool v9_filter_task(const struct v9_record_filter *f, const struct v9_sampled *s)
{
	if (!f->used)
		return true;
	if (uses(f, V9_BY_CPU) && (s->cpu == V9_NO_TASK || !in_ranges(f, V9_BY_CPU, s->cpu)))
		return false;
	if (uses(f, V9_BY_PID) && (s->pid == V9_NO_TASK || !in_ranges(f, V9_BY_PID, s->pid)))
		return false;
	if (uses(f, V9_BY_TID) && (s->tid == V9_NO_TASK || !in_ranges(f, V9_BY_TID, s->tid)))
		return false;
	if (uses(f, V9_BY_COMM) && !in_words(f, V9_BY_COMM, s->comm))
		return false;
	if (uses(f, V9_BY_CGROUP) && !in_cgroup(f, s))
		return false;
	return !uses(f, V9_BY_TIME) || (s->has_time && in_ranges(f, V9_BY_TIME, s->time));
}

static bool is_symbol(const struct v9_record_filter *f, const struct v9_func *func)
{
	for (size_t i = 0; func && i < f->nr[V9_BY_SYMBOL]; i++)
		if (v9_func_is(func, f->word[V9_BY_SYMBOL][i]))
			return true;
	return false;
}

bool v9_filter_place(const struct v9_record_filter *f, unsigned int el, const struct v9_place *p)
{
	const char *base = p && p->dso_name ? strrchr(p->dso_name, '/') : NULL;

	if (uses(f, V9_BY_EL) && !in_ranges(f, V9_BY_EL, el))
		return false;
	if (uses(f, V9_BY_SYMBOL) && !is_symbol(f, p->func))
		return false;
	return !uses(f, V9_BY_DSO) || in_words(f, V9_BY_DSO, p->dso_name) ||
	       (base && in_words(f, V9_BY_DSO, base + 1));
}

/* Is one of the words one of the operation's, as script prints it? */
static bool is_op(const struct v9_record_filter *f, const struct v9_spe_rec *r)
{
	char buf[128], *save = NULL;

	if (!(r->has & V9_SPE_REC_OP))
		return false;
	v9_spe_op(buf, sizeof(buf), r->op_class, r->op);
	if (in_words(f, V9_BY_OP, buf))
		return true;
	for (char *s = strtok_r(buf, " ", &save); s; s = strtok_r(NULL, " ", &save))
		if (in_words(f, V9_BY_OP, s))
			return true;
	return false;
}

bool v9_filter_record(struct v9_record_filter *f, struct v9_session *s, struct v9_lookup *lookup,
		      const struct v9_sampled *at)
{
	const struct v9_spe_rec *r = at->rec;
	const bool has_pc = r->has & V9_SPE_REC_PC;
	struct v9_place place = { .dso_name = NULL };
	bool pass = true;

	if (uses(f, V9_BY_TIME) && at->has_time) {
		f->first = !f->first || at->time < f->first ? at->time : f->first;
		f->last = at->time > f->last ? at->time : f->last;
	}
	if (!v9_filter_task(f, at))
		return false;
	if (!(f->used & V9_FILTER_OF_TRACE))
		return true;
	if (uses(f, V9_BY_LATENCY))
		pass &= r->has & V9_SPE_REC_LAT_TOTAL && r->lat[V9_SPE_LAT_TOTAL] >= f->least;
	if (uses(f, V9_BY_EVENT))
		pass &= r->has & V9_SPE_REC_EVENTS && (r->events & f->events) != 0;
	if (uses(f, V9_BY_OP))
		pass &= is_op(f, r);
	if (uses(f, V9_BY_EL))
		pass &= has_pc && in_ranges(f, V9_BY_EL, r->pc.el);
	if (pass && f->used & V9_FILTER_PLACES) {
		if (has_pc && lookup)
			v9_lookup_place(lookup, at->pid, v9_sampled_time(at), r->pc.addr, &place);
		else if (has_pc)
			v9_syms_find(&s->syms, at->pid, v9_sampled_time(at), r->pc.addr, &place);
		pass = has_pc && v9_filter_place(f, r->pc.el, &place);
	}
	if (pass)
		return true;
	f->seen_events |= r->has & V9_SPE_REC_EVENTS ? r->events : 0;
	f->seen_el |= has_pc ? (uint8_t)(1u << (r->pc.el & 3)) : 0;
	if (r->has & V9_SPE_REC_LAT_TOTAL && r->lat[V9_SPE_LAT_TOTAL] > f->most)
		f->most = r->lat[V9_SPE_LAT_TOTAL];
	return false;
}

/* ---- nothing selected */

struct text {
	char s[1024];
	size_t at, names;
};

__attribute__((format(printf, 2, 3)))
static void say(struct text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(t->s + t->at, sizeof(t->s) - t->at, fmt, ap);
	va_end(ap);
	t->at += n > 0 ? (size_t)n : 0;
	if (t->at >= sizeof(t->s))
		t->at = sizeof(t->s) - 1;
}

/* Adds a name once. Names come from the capture: without control characters. */
static void name(struct text *t, struct v9_strtab *known, const char *s)
{
	size_t *seen = s ? v9_strtab_value(known, s) : NULL;
	size_t from;

	if (!s || (*seen)++ || ++t->names > NAMES_MOST + 1)
		return;
	say(t, t->names > 1 ? ", " : " ");
	from = t->at;
	say(t, "%s", t->names > NAMES_MOST ? "..." : s);
	for (; from < t->at; from++)
		if ((unsigned char)t->s[from] < ' ' || t->s[from] == 0x7f)
			t->s[from] = '?';
}

static void number(struct text *t, struct v9_strtab *known, uint32_t n)
{
	char s[16];

	snprintf(s, sizeof(s), "%u", n);
	if (n != V9_NO_TASK)
		name(t, known, s);
}

static void list_tasks(struct text *t, enum v9_filter_key key, const struct v9_session *s,
		       struct v9_strtab *known)
{
	for (size_t i = 0; i < s->tasks.nr_lives; i++) {
		const struct v9_life *l = &s->tasks.lives[i];

		if (key == V9_BY_COMM)
			name(t, known, l->comm);
		else
			number(t, known, key == V9_BY_PID ? l->pid : l->tid);
	}
}

static void list(struct text *t, const struct v9_record_filter *f, enum v9_filter_key key,
		 const struct v9_session *s)
{
	struct v9_strtab known = { 0 };
	uint64_t first, last;
	char room[512];

	t->names = 0;
	switch (key) {
	case V9_BY_COMM:
	case V9_BY_PID:
	case V9_BY_TID:
		list_tasks(t, key, s, &known);
		break;
	case V9_BY_CGROUP:
		for (size_t i = 0; i < s->cgroups.nr; i++)
			name(t, &known, s->cgroups.at[i].path);
		if (!t->names)
			say(t, " none: record with --all-cgroups");
		break;
	case V9_BY_CPU:
		for (size_t i = 0; i < s->nr_extents; i++)
			number(t, &known, s->extents[i].cpu);
		for (uint32_t cpu = 0; cpu < V9_CPUS_MOST; cpu++)
			if (s->sample_cpus[cpu / 64] >> cpu % 64 & 1)
				number(t, &known, cpu);
		break;
	case V9_BY_TIME:
		first = f->first ? f->first : s->first_time;
		last = f->last ? f->last : s->last_time;
		say(t, " %" PRIu64 ".%09" PRIu64 ",%" PRIu64 ".%09" PRIu64, first / 1000000000,
		    first % 1000000000, last / 1000000000, last % 1000000000);
		break;
	case V9_BY_DSO:
		for (size_t i = 0; i < s->syms.nr_dsos; i++)
			name(t, &known, s->syms.dsos[i]->name);
		break;
	case V9_BY_EL:
		for (uint32_t el = 0; el < 4; el++)
			if (f->seen_el >> el & 1)
				number(t, &known, el);
		break;
	case V9_BY_EVENT:
		list_events(room, sizeof(room), f->seen_events);
		say(t, " %s", room);
		break;
	case V9_BY_LATENCY:
		say(t, " up to %u cycles", f->most);
		break;
	default:		/* see the tables of a report without the option */
		say(t, " see v9trace report without it");
	}
	v9_strtab_free(&known);
}

void v9_filter_nothing(const struct v9_record_filter *f, const struct v9_session *s, const char *path)
{
	struct text t = { .at = 0 };

	for (unsigned int key = 0; key < V9_BY_KEYS; key++) {
		if (!uses(f, key))
			continue;
		say(&t, "%s--%s:", t.at ? "; " : "", options[key]);
		list(&t, f, key, s);
	}
	v9_error("%s: nothing fits the filter. It has: %s", path, t.s);
}

void v9_filter_free(struct v9_record_filter *f)
{
	for (unsigned int key = 0; key < V9_BY_KEYS; key++) {
		for (size_t i = 0; f->word[key] && i < f->nr[key]; i++)
			free(f->word[key][i]);
		free(f->word[key]);
		free(f->range[key]);
	}
	memset(f, 0, sizeof(*f));
}
