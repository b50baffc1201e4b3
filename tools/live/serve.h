/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The sums of a recorder for another program of its user, through a socket. A thread answers each connection
 * with the sums of the moment, and closes it. The other program is of the same build on the same machine, so
 * structures are sent as they are in memory.
 */
#ifndef V9TRACE_LIVE_SERVE_H
#define V9TRACE_LIVE_SERVE_H

#include "copy.h"

struct v9_worker;

#define V9_SOCKET_ENDING	".socket"	/* of the name of a socket */

/* What an answer has at most. It bounds the memory of both programs. */
#define V9_ANSWER_SUMS		65536u
#define V9_ANSWER_CLASSES	65536u
#define V9_ANSWER_TYPES		65536u
#define V9_ANSWER_OBJECTS	65536u
#define V9_ANSWER_KERNEL	V9_LIVE_MAPS
#define V9_ANSWER_NAMES		(16u << 20)	/* bytes */
#define V9_ANSWER_EVENT		128

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
	struct v9_live_cost cost;		/* .budget 0: there is no budget */
	char event[V9_ANSWER_EVENT];		/* that is recorded */
};

struct v9_answer_object {
	uint8_t id[V9_LIVE_ID], id_size, file;	/* as in struct v9_live_object */
	uint16_t name;				/* bytes; 0: a free entry */
};

struct v9_server;

/*
 * Listens on @path, which only the user of this process and root may open. @w is looked at until v9_serve_stop();
 * @event, of samples with @period at the begin, is copied. Returns NULL with errno set: EADDRINUSE, another
 * recorder listens there; ENAMETOOLONG; or what the system says.
 */
struct v9_server *v9_serve(const char *path, struct v9_worker *w, const char *event, uint64_t period);

/* Removes the socket. NULL: nothing is done. */
void v9_serve_stop(struct v9_server *s);

#endif
