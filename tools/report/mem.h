/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What loads and stores met: records of memory operations summed up by everything one may ask. */
#ifndef V9TRACE_REPORT_MEM_H
#define V9TRACE_REPORT_MEM_H

#include "../decode/data.h"
#include "report.h"

enum v9_mem_op { V9_MEM_LOAD, V9_MEM_STORE, V9_MEM_ATOMIC, V9_MEM_OPS };

struct v9_mem_sum {
	uint64_t n, stores;		/* atomic operations are stores */
	uint64_t accesses, refills;	/* of the first cache */
	uint64_t walks;			/* of translation tables */
	struct v9_sum lat[V9_SPE_LATENCIES];
};

/* An instruction. */
struct v9_mem_spot {
	struct v9_spot spot;
	struct v9_mem_sum sum;
};

/* A function, as one thread name ran it. */
struct v9_mem_func {
	union {
		struct {
			const struct v9_func *func;
			const char *dso, *comm;
		};
		uint64_t key[3];
	};
	struct v9_mem_sum sum;
};

/* Data: a variable of an object, or a page. */
struct v9_mem_data {
	uint64_t key[3];		/* variable or page, 0 or process, epoch */
	const struct v9_func *object;	/* NULL: a page */
	struct v9_data where;
	struct v9_mem_sum sum;
};

/* Who uses a cache line: an instruction of a thread on a CPU. */
struct v9_mem_user {
	uint64_t pc, loaded, stored;	/* which parts of the line, a bit each */
	uint32_t tid, cpu;
	uint32_t loads, stores;
};

/* Who uses it together, told from where their operations began. */
enum v9_sharing {
	V9_SHARED_NOT,			/* one thread */
	V9_SHARED_READ,			/* several, none of them writes */
	V9_SHARED_TRUE,			/* one writes what another uses */
	V9_SHARED_FALSE,		/* some write, but nobody what another uses */
	V9_SHARINGS
};

struct v9_mem_line {
	union {
		struct {
			uint64_t line, pid;	/* V9_KERNEL_PID: of the kernel */
		};
		uint64_t key[2];
	};
	uint64_t time;			/* of the first record */
	uint64_t cycles;
	uint32_t n, stores, refills, timed;
	uint32_t nr_users;
	uint16_t room;			/* 0: for the one; else 1 << room of the many */
	uint8_t sharing;
	union {
		struct v9_mem_user one, *many;
	};
};

/* Where the data was: what the unit told, or what its events say. */
struct v9_mem_source {
	union {
		struct {
			uint64_t told, events;	/* told: set << 16 | value, or V9_MEM_UNTOLD */
		};
		uint64_t key[2];
	};
	struct v9_mem_sum sum;
};

#define V9_MEM_UNTOLD	UINT64_MAX

struct v9_mem_sort;

/* Room for users, given back all at once. */
struct v9_mem_room {
	struct v9_mem_user **chunk;
	size_t nr_chunks, used;		/* of the last chunk */
};

struct v9_mem {
	struct v9_report r;
	unsigned int by;		/* 1 << V9_MEM_BY_* */
	const struct v9_mem_sort *sort;	/* NULL: nobody asked for one */
	unsigned int line_shift, part_shift;
	uint8_t op[V9_OP_CLASSES][256];	/* enum v9_mem_op, V9_MEM_OPS: none of them */
	uint64_t ops[V9_MEM_OPS];
	uint64_t cycles[V9_MEM_OPS];	/* all of their total latencies */
	uint64_t no_address;
	uint64_t *lat[V9_MEM_OPS][V9_SPE_LATENCIES];	/* histograms */
	struct v9_spots spots;
	struct v9_bins funcs, objects, sources;
	struct v9_bins pages, lines;	/* of this part */
	struct v9_mem_room users;
	struct v9_bins top_pages, top_lines;	/* of all parts that are done: what may be shown */
	struct v9_mem_room top_users;
	uint64_t nr_pages, nr_lines[V9_SHARINGS];
	/*
	 * Where there is too much data for one go, the records are gone through again for
	 * each part of it. Parts are told by a hash of the page.
	 */
	struct v9_mem_part { uint64_t mask, value; } part, *todo;
	size_t nr_todo;
	uint64_t most_lines;		/* of one part */
	bool again;
};

enum v9_mem_by {
	V9_MEM_BY_SOURCE, V9_MEM_BY_LATENCY, V9_MEM_BY_SYMBOL, V9_MEM_BY_DATA, V9_MEM_BY_LINE,
	V9_MEM_BYS
};

void v9_mem_init(struct v9_mem *m);
void v9_mem_free(struct v9_mem *m);

/* Is the record one to be added? */
bool v9_mem_wants(void *m, const struct v9_spe_rec *rec);
void v9_mem_add(void *m, struct v9_sampled *s, size_t n);

/* All are in: false. Or they are wanted once more: true. */
bool v9_mem_again(struct v9_mem *m);

/* For v9_bins_top(); arg is a struct v9_mem_sort, or NULL for the usual order. */
int v9_mem_data_order(const void *a, const void *b, const void *arg);
int v9_mem_line_order(const void *a, const void *b, const void *arg);

const struct v9_mem_user *v9_mem_users(const struct v9_mem_line *l);

/* What the events of a record say of where its data was; index of its words. */
unsigned int v9_mem_by_events(uint64_t events);
extern const char *const v9_mem_event_words[];

void v9_mem_print(struct v9_mem *m);

/* NULL, with the message printed, if there is no such order. */
const struct v9_mem_sort *v9_mem_sort_find(const char *name);

#endif
