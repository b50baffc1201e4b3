// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "mark.h"

const char *const v9_mark_kinds[] = {
	[V9_MARK_BEGIN] = "begin", [V9_MARK_END] = "end", [V9_MARK_POINT] = "point", [V9_MARK_ID] = "id",
};

/* Returns NULL if there is no text at @addr: no code, or bytes that no text has. */
static const char *read_text(struct v9_lookup *l, const struct v9_sampled *at, uint64_t addr)
{
	char text[V9_MARK_TEXT_MAX];
	size_t n = 0, left = 0;
	const uint8_t *p = NULL;

	while (n < V9_MARK_TEXT_MAX) {
		if (!left)
			p = v9_lookup_code(l, at->pid, v9_sampled_time(at), addr + n, &left);
		if (!p || !left)
			return NULL;
		if (!*p)
			break;
		if (*p < ' ' || *p == 0x7f)
			return NULL;
		text[n++] = (char)*p++;
		left--;
	}
	return n ? v9_lookup_text(l, text, n) : NULL;
}

bool v9_mark_read(struct v9_lookup *l, const struct v9_sampled *at, const struct v9_flow_rec *rec,
		  struct v9_mark *m)
{
	const uint64_t value = rec->value, rest = value & ((UINT64_C(1) << V9_MARK_BITS) - 1);
	const unsigned int kind = value >> V9_MARK_BITS & 15;

	*m = (struct v9_mark){ .kind = (enum v9_mark_kind)kind, .cut = rec->kind == V9_FLOW_MARK_CUT };
	if (rec->kind != V9_FLOW_INSTRUMENTATION && rec->kind != V9_FLOW_MARK && !m->cut)
		return false;
	if (value >> 56 != V9_MARK_TAG || kind < V9_MARK_BEGIN || kind > V9_MARK_ID)
		return false;
	if (kind == V9_MARK_ID)
		m->id = rest;
	else
		m->text = read_text(l, at, rest);
	if (kind != V9_MARK_ID && !m->text)
		m->text = "[unknown]";
	return true;
}
