/* SPDX-License-Identifier: GPL-2.0-only */
/* Shards of which parts are missing, for tests and the fuzzer */
#ifndef V9TRACE_SHARD_COMPLETE_H
#define V9TRACE_SHARD_COMPLETE_H

#include "../../tools/report/shard.h"

/* Adds the parts that are missing, and makes call paths of whatever the pieces say. */
static inline void complete_shard(struct v9_shard *s)
{
	const size_t n = s->captures.used;

	for (size_t i = 0; i < n; i++) {
		const struct v9_shard_capture *row = v9_bins_get(&s->captures, i), c = *row;
		const uint64_t parts = c.parts < 8 ? c.parts : 0;

		for (uint64_t part = 1; part <= parts; part++) {
			const uint64_t key[2] = { c.id, part };

			if (!v9_bins_find(&s->captures, key, 2))
				v9_shard_capture(s, "test", v9_shard_text(s, c.id), part, parts, c.paths);
		}
	}
	v9_shard_resolve(s);
}

#endif
