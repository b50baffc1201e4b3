/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Sends the sums of a recorder to another program of its user, by the socket of ../listen.h. An answer has the sums of one
 * moment. The other program is of the same build on the same machine, so structures are sent as they are in memory.
 */
#ifndef V9TRACE_LIVE_SERVE_H
#define V9TRACE_LIVE_SERVE_H

#include <stdatomic.h>

#include "../listen.h"
#include "copy.h"

struct v9_worker;

/* What an answer has at most. It bounds the memory of both programs. */
#define V9_ANSWER_SUMS		65536u
#define V9_ANSWER_CLASSES	65536u
#define V9_ANSWER_TYPES		65536u
#define V9_ANSWER_OBJECTS	65536u
#define V9_ANSWER_KERNEL	V9_LIVE_MAPS
#define V9_ANSWER_NAMES		(16u << 20)	/* bytes */
#define V9_ANSWER_EVENT		128
#define V9_ANSWER_TARGET	256

/* Of both programs the same, or they do not understand each other */
#define V9_ANSWER_FORM	(UINT64_C(0x3153365339560000) + sizeof(struct v9_answer) + 3 * sizeof(struct v9_live_sum) + \
			 5 * sizeof(struct v9_live_class) + 7 * sizeof(struct v9_live_type) + \
			 11 * sizeof(struct v9_live_map) + 13 * sizeof(struct v9_answer_object))

/*
 * An answer: this; then the sums, the classes, the types, the mappings of the kernel, the objects, each an array;
 * then the names of the objects, without an end.
 */
struct v9_answer {
	uint64_t form;				/* V9_ANSWER_FORM */
	uint64_t nr_sums, nr_classes, nr_types, nr_kernel, nr_objects, names;
	uint64_t evicted, records, trace_bytes, lost[V9_LIVE_LOSSES];
	uint64_t begin;				/* of the interval, ns since 1970 */
	uint64_t period;			/* of the samples now; 0: not known */
	uint64_t cpu;				/* CPU time of the recorder, ns */
	uint64_t lines;				/* 1: there are sums by cache line */
	uint64_t paused;			/* 1: v9trace pause has closed its events */
	struct v9_live_cost cost;		/* .budget 0: there is no budget */
	char event[V9_ANSWER_EVENT];		/* that is recorded */
	char target[V9_ANSWER_TARGET];		/* and of what: "all CPUs", a command, .. */
};

struct v9_answer_object {
	uint8_t id[V9_LIVE_ID], id_size, file;	/* as in struct v9_live_object */
	uint16_t name;				/* bytes; 0: a free entry */
};

/* What is answered. It stays as it is while connections are taken, but for .paused. */
struct v9_server {
	struct v9_worker *worker;	/* whose sums */
	const char *event, *target;	/* as in struct v9_answer */
	uint64_t period;		/* of the samples at the begin */
	atomic_bool paused;
};

/* The answer to V9_ASK_SUMS; see v9_answer_fn in ../listen.h. @server: a struct v9_server */
bool v9_serve(void *server, struct v9_asker *r, const char *request);

#endif
