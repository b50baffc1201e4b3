/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The code that the capture itself holds (PD_CODE in perfdata.h): the vDSO, the
 * kernel as it stood when the recording ended, names of its functions, and what
 * of it changed meanwhile. Parts are unpacked when they are first asked for.
 */
#ifndef V9TRACE_CAPTURE_EMBEDDED_H
#define V9TRACE_CAPTURE_EMBEDDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../perfdata.h"

struct v9_embedded_part {
	struct pd_code_part head;
	const uint8_t *stored;
	uint8_t *unpacked;
	bool bad;			/* it cannot be unpacked */
};

struct v9_embedded {
	struct v9_embedded_part *part;
	size_t nr;
	struct pd_code_change *changed;	/* ascending by address */
	size_t nr_changed;
	bool damaged;			/* not all of the section could be read */
};

/* @p must stay; it may be NULL or hold anything. */
void v9_embedded_open(struct v9_embedded *k, const uint8_t *p, size_t n);
void v9_embedded_close(struct v9_embedded *k);

/* The @i-th part of that kind, counted from 0, and in @bytes its bytes; NULL if there is none. */
const struct pd_code_part *v9_embedded_part(struct v9_embedded *k, enum pd_code_kind kind, size_t i,
					    const uint8_t **bytes);

/* The first instruction at or behind @addr that changed; NULL if none did. */
const struct pd_code_change *v9_embedded_change(const struct v9_embedded *k, uint64_t addr);

/*
 * Writes what the capture holds below @dir, where other tools look for it:
 * .build-id/XX/YY/vdso as in perf's cache, kcore, kallsyms and modules as perf
 * record --kcore leaves them. 0, or -errno with the message printed.
 */
int v9_embedded_save(struct v9_embedded *k, const char *dir);

#endif
