// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "call_path.h"

#include <stdio.h>

const char *v9_call_name(const struct v9_flow_sum *f, size_t node)
{
	const struct v9_func *func = f->ran[f->call[node].func].func;

	return func ? func->name : "[unknown]";
}

const char *v9_call_path(struct v9_report *r, const struct v9_flow_sum *f, size_t node)
{
	char text[400] = "";
	size_t at = 0;

	for (size_t i = f->call[node].parent; i; i = f->call[i].parent) {
		const int n = snprintf(text + at, sizeof(text) - at, "%s%s", at ? " < " : "",
				       v9_call_name(f, i));

		if (n < 0 || (size_t)n >= sizeof(text) - at - 8) {
			snprintf(text + at, sizeof(text) - at, " < ...");
			break;
		}
		at += (size_t)n;
	}
	return v9_rep_keep(r, "%s", text);
}
