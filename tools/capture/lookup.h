/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Look-ups of code, functions and task names for several threads. The functions behind them load
 * files on first use and cache their last result, so a mutex serializes them.
 */
#ifndef V9TRACE_CAPTURE_LOOKUP_H
#define V9TRACE_CAPTURE_LOOKUP_H

#include <pthread.h>

#include "code.h"
#include "session.h"

struct v9_lookup {
	struct v9_session *s;
	struct v9_code code;
	pthread_mutex_t lock;
};

void v9_lookup_init(struct v9_lookup *l, struct v9_session *s);
void v9_lookup_free(struct v9_lookup *l);

/* As v9_code_at(), v9_code_owner(), v9_syms_find(), v9_syms_sole_map() and v9_session_comm(). */
const uint8_t *v9_lookup_code(struct v9_lookup *l, uint32_t pid, uint64_t time, uint64_t addr,
			    size_t *n);
struct v9_dso *v9_lookup_owner(struct v9_lookup *l, uint32_t pid, uint64_t time, uint64_t addr);
void v9_lookup_place(struct v9_lookup *l, uint32_t pid, uint64_t time, uint64_t addr,
		   struct v9_place *place);
const struct v9_map *v9_lookup_sole_map(struct v9_lookup *l, uint32_t pid, uint64_t time, uint64_t addr);
const char *v9_lookup_comm(struct v9_lookup *l, uint32_t tid, uint64_t time, uint32_t *pid);

/* Returns a copy of @text that is valid as long as the session; equal texts have one address. */
const char *v9_lookup_text(struct v9_lookup *l, const char *text, size_t n);

#endif
