// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "event.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../util.h"

static const struct {
	char letter;
	unsigned int mod;
} mods[] = {
	{ 'u', V9_EV_USER },
	{ 'k', V9_EV_KERNEL },
	{ 'h', V9_EV_HV },
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* The modifiers in @text; 0 if it is empty or has another letter. */
static unsigned int mods_of(const char *text, size_t len)
{
	unsigned int got = 0;
	size_t i, m;

	for (i = 0; i < len; i++) {
		for (m = 0; m < COUNT(mods) && mods[m].letter != text[i]; m++)
			;
		if (m == COUNT(mods))
			return 0;
		got |= mods[m].mod;
	}
	return got;
}

static int copy_name(char to[V9_EV_NAME], const char *from, size_t len, const char **why)
{
	if (!len) {
		*why = "a name is missing";
		return -EINVAL;
	}
	if (len >= V9_EV_NAME) {
		*why = "a name is too long";
		return -EINVAL;
	}
	memcpy(to, from, len);
	to[len] = '\0';
	return 0;
}

static int parse_term(const char *text, size_t len, struct v9_ev *ev, const char **why)
{
	const char *eq = memchr(text, '=', len);
	size_t name_len = eq ? (size_t)(eq - text) : len;
	struct v9_ev_term *term = &ev->term[ev->terms];
	char number[32];
	const char *end = number;
	size_t n;

	if (ev->terms == V9_EV_TERMS) {
		*why = "too many terms";
		return -EINVAL;
	}
	if (copy_name(term->name, text, name_len, why))
		return -EINVAL;
	term->has_value = eq;
	term->value = 1;
	ev->terms++;
	if (!eq)
		return 0;
	n = len - name_len - 1;
	*why = "the value after '=' must be a number, decimal or 0x...";
	if (n >= sizeof(number))
		return -EINVAL;
	memcpy(number, eq + 1, n);
	number[n] = '\0';
	return v9_take_number(&end, 0, UINT64_MAX, &term->value) && !*end ? 0 : -EINVAL;
}

/* @slash: the first of the two. Returns the length of the event in characters, or -EINVAL. */
static int parse_pmu(const char *slash, struct v9_ev *ev, const char **why)
{
	const char *close = strchr(slash + 1, '/');
	const char *at = slash + 1;
	size_t n;

	if (!close) {
		*why = "the closing '/' is missing";
		return -EINVAL;
	}
	ev->kind = V9_EV_PMU;
	if (copy_name(ev->name, ev->text, slash - ev->text, why))
		return -EINVAL;
	while (at < close) {
		n = strcspn(at, ",/");
		if (parse_term(at, n, ev, why))
			return -EINVAL;
		at += n + (at[n] == ',');
	}
	at = close + 1;
	n = strcspn(at, ",");
	if (n && *at == ':') {
		at++;
		n--;
	}
	if (n) {
		ev->mods = mods_of(at, n);
		if (!ev->mods) {
			*why = "after the second '/' only the letters u, k, h may follow";
			return -EINVAL;
		}
	}
	return at + n - ev->text;
}

static int parse_plain(size_t len, struct v9_ev *ev, const char **why)
{
	const char *text = ev->text, *end = text + len;
	const char *colon = memchr(text, ':', len), *second;
	unsigned int got;

	ev->kind = V9_EV_NAMED;
	if (!colon)
		return copy_name(ev->name, text, len, why);
	if (copy_name(ev->name, text, colon - text, why))
		return -EINVAL;
	second = memchr(colon + 1, ':', end - colon - 1);
	got = mods_of(colon + 1, end - colon - 1);
	if (!second && got) {
		ev->mods = got;
		return 0;
	}
	ev->kind = V9_EV_TRACEPOINT;
	if (copy_name(ev->tracepoint, colon + 1, (second ? second : end) - colon - 1, why))
		return -EINVAL;
	if (second) {
		ev->mods = mods_of(second + 1, end - second - 1);
		if (!ev->mods) {
			*why = "after the second ':' only the letters u, k, h may follow";
			return -EINVAL;
		}
	}
	return 0;
}

int v9_ev_next(const char **cursor, struct v9_ev *ev, const char **why)
{
	const char *text = *cursor;
	size_t len = strcspn(text, ",/");
	int ret;

	if (!*text)
		return 0;
	memset(ev, 0, sizeof(*ev));
	ev->text = text;
	if (text[len] == '/') {
		ret = parse_pmu(text + len, ev, why);
		if (ret < 0)
			return ret;
		len = ret;
	} else {
		ret = parse_plain(len, ev, why);
		if (ret)
			return ret;
	}
	ev->len = len;
	*cursor = text + len;
	if (**cursor == ',') {
		++*cursor;
		if (!**cursor) {
			*why = "an event is missing after the last ','";
			return -EINVAL;
		}
	}
	return 1;
}

int v9_ev_field_parse(const char *text, struct v9_ev_field *field)
{
	static const char word[] = "config";
	char *end;

	if (strncmp(text, word, sizeof(word) - 1))
		return -EINVAL;
	text += sizeof(word) - 1;
	field->word = V9_EV_CONFIG;
	if (*text >= '1' && *text <= '4')
		field->word = *text++ - '0';
	field->mask = 0;
	do {
		unsigned long from, to;

		text++;		/* skip the colon, later a comma */
		if (text[-1] != ':' && text[-1] != ',')
			return -EINVAL;
		if (*text < '0' || *text > '9')
			return -EINVAL;
		from = to = strtoul(text, &end, 10);
		if (*end == '-')
			to = strtoul(end + 1, &end, 10);
		if (from > to || to > 63)
			return -EINVAL;
		field->mask |= (~UINT64_C(0) >> (63 - (to - from))) << from;
		text = end;
	} while (*text == ',');
	return *text == '\0' || *text == '\n' ? 0 : -EINVAL;
}

uint64_t v9_ev_field_max(const struct v9_ev_field *field)
{
	int bits = __builtin_popcountll(field->mask);

	return bits ? ~UINT64_C(0) >> (64 - bits) : 0;
}

int v9_ev_field_put(const struct v9_ev_field *field, uint64_t value, uint64_t word[V9_EV_WORDS])
{
	uint64_t left = field->mask;
	uint64_t bits = 0;

	if (value > v9_ev_field_max(field))
		return -ERANGE;
	for (; left; left &= left - 1, value >>= 1)
		if (value & 1)
			bits |= left & -left;
	word[field->word] = (word[field->word] & ~field->mask) | bits;
	return 0;
}

bool v9_ev_cpu_in(const char *text, unsigned long cpu)
{
	while (*text) {
		char *end;
		const unsigned long first = strtoul(text, &end, 10);
		const unsigned long last = *end == '-' ? strtoul(end + 1, &end, 10) : first;

		if (end == text)
			return false;
		if (cpu >= first && cpu <= last)
			return true;
		text = *end ? end + 1 : end;
	}
	return false;
}

int v9_ev_cpu_list(const char *text, unsigned long max, unsigned long *bad)
{
	unsigned long from, to;
	char *end;

	do {
		if (*text < '0' || *text > '9')
			return -EINVAL;
		from = to = strtoul(text, &end, 10);
		if (*end == '-') {
			if (end[1] < '0' || end[1] > '9')
				return -EINVAL;
			to = strtoul(end + 1, &end, 10);
		}
		if (from > to)
			return -EINVAL;
		if (to > max) {
			*bad = to;
			return -ERANGE;
		}
		text = end + 1;
	} while (*end == ',');
	return *end ? -EINVAL : 0;
}

int v9_ev_size(const char *text, size_t len, uint64_t unit, uint64_t *bytes)
{
	static const char scale[] = "KMG";
	char number[32];
	const char *s, *end = number;
	uint64_t n;

	if (len >= sizeof(number))
		return -EINVAL;
	memcpy(number, text, len);
	number[len] = '\0';
	if (!v9_take_number(&end, 0, UINT64_MAX, &n) || !n)
		return -EINVAL;
	if (*end) {
		s = strchr(scale, *end >= 'a' ? *end - 'a' + 'A' : *end);
		if (!s || end[1])
			return -EINVAL;
		unit = UINT64_C(1024) << (10 * (s - scale));
	}
	return __builtin_mul_overflow(n, unit, bytes) ? -EINVAL : 0;
}
