// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kallsyms.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "ffff800080000000 T _text" or, with an owner, "... t helper\t[v9_spe]" */
static bool parse(const char *line, const char *end, struct v9_ksym *sym)
{
	const char *p = line, *tab;

	sym->addr = 0;
	for (; p < end && p - line < 16; p++) {
		const char c = *p | 0x20;

		if (*p >= '0' && *p <= '9')
			sym->addr = sym->addr << 4 | (uint64_t)(*p - '0');
		else if (c >= 'a' && c <= 'f')
			sym->addr = sym->addr << 4 | (uint64_t)(c - 'a' + 10);
		else
			break;
	}
	if (p == line || end - p < 4 || p[0] != ' ' || p[2] != ' ')
		return false;
	sym->type = p[1];
	sym->name = p + 3;
	for (tab = sym->name; tab < end && *tab != '\t' && *tab != ' '; tab++)
		;
	sym->name_len = (size_t)(tab - sym->name);
	while (tab < end && *tab != '[')
		tab++;
	sym->owner = tab < end ? tab : NULL;
	while (tab < end && *tab != ' ')
		tab++;
	sym->owner_len = sym->owner ? (size_t)(tab - sym->owner) : 0;
	return sym->name_len;
}

bool v9_ksym_next(const char **text, const char *end, struct v9_ksym *sym)
{
	while (*text < end) {
		const char *line = *text, *stop = memchr(line, '\n', (size_t)(end - line));

		*text = stop ? stop + 1 : end;
		if (parse(line, stop ? stop : end, sym))
			return true;
	}
	return false;
}

bool v9_ksym_is_function(const struct v9_ksym *sym)
{
	return sym->type && strchr("tTwW", sym->type);
}

bool v9_ksym_is_object(const struct v9_ksym *sym)
{
	return sym->type && strchr("dDbBrRvV", sym->type);
}

bool v9_kallsyms_find(const char *text, size_t n, const char *name, uint64_t *addr)
{
	const char *end = text + n;
	const size_t len = strlen(name);
	struct v9_ksym sym;

	while (v9_ksym_next(&text, end, &sym))
		if (!sym.owner && sym.name_len == len && !memcmp(sym.name, name, len)) {
			*addr = sym.addr;
			return true;
		}
	return false;
}

bool v9_kallsyms_usable(const char *text, size_t n)
{
	const char *end = text + n;
	struct v9_ksym sym;

	while (v9_ksym_next(&text, end, &sym))
		if (sym.addr)
			return true;
	return false;
}

static const struct v9_ksym_move *move_of(const struct v9_ksym *sym,
					  const struct v9_ksym_move *moves, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct v9_ksym_move *m = &moves[i];

		if (sym->addr < m->start || sym->addr >= m->end || !m->owner != !sym->owner ||
		    (m->functions && !v9_ksym_is_function(sym)))
			continue;
		if (!m->owner || (strlen(m->owner) == sym->owner_len &&
				  !memcmp(m->owner, sym->owner, sym->owner_len)))
			return m;
	}
	return NULL;
}

void v9_kallsyms_move(struct v9_blob *out, const char *text, size_t n,
		      const struct v9_ksym_move *moves, size_t nr)
{
	const char *end = text + n;
	struct v9_ksym sym;

	while (v9_ksym_next(&text, end, &sym)) {
		const struct v9_ksym_move *m = move_of(&sym, moves, nr);
		char head[32];

		if (!m)
			continue;
		v9_blob_put(out, head, (size_t)snprintf(head, sizeof(head), "%016" PRIx64 " %c ",
							sym.addr + m->shift, sym.type));
		v9_blob_put(out, sym.name, sym.name_len);
		if (sym.owner)
			v9_blob_put(out, "\t", 1);
		v9_blob_put(out, sym.owner, sym.owner_len);
		v9_blob_put(out, "\n", 1);
	}
}
