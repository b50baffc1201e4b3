/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* v9trace mem: sums of the SPE records of loads and stores, by several keys. */
#ifndef V9TRACE_REPORT_MEM_H
#define V9TRACE_REPORT_MEM_H

#include <pthread.h>

#include "../capture/data.h"
#include "report.h"

enum v9_mem_op { V9_MEM_LOAD, V9_MEM_STORE, V9_MEM_ATOMIC, V9_MEM_OPS };

struct v9_mem_sum {
	uint64_t n, stores;		/* stores: with atomic operations */
	uint64_t accesses, refills;	/* of the level 1 data cache */
	uint64_t walks;			/* translation table walks */
	struct v9_sum lat[V9_SPE_LATENCIES];
};

/* Sums of an instruction. */
struct v9_mem_spot {
	struct v9_spot spot;
	struct v9_mem_sum sum;
};

/* Sums of a function under one thread name. */
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

/* Sums of data: a variable of an object, the heap blocks of a call site, or a page. */
struct v9_mem_data {
	uint64_t key[3];	/* { variable, 0, 0 }, { site, its line, 1 } or { page, process, epoch } */
	const struct v9_func *object;	/* NULL: a page, or blocks */
	const struct v9_heap_site *site;	/* NULL: a page, or a variable */
	uint64_t least, most;		/* sizes of the blocks, bytes */
	struct v9_data where;
	struct v9_mem_sum sum;
};

/* A user of a cache line: an instruction of a thread on a CPU. */
struct v9_mem_user {
	uint64_t pc, loaded, stored;	/* loaded, stored: a bit per part of the line */
	uint64_t first, last_store;	/* times, ns; 0 and UINT64_MAX: unknown */
	uint32_t tid, cpu;
	uint32_t loads, stores;
};

/*
 * How threads share a cache line, by the first byte of each access (sizes are unknown). Stores
 * before all accesses of the other threads initialise the line: they make no false sharing.
 */
enum v9_sharing {
	V9_SHARED_NOT,			/* one thread only */
	V9_SHARED_READ,			/* several threads, no store */
	V9_SHARED_TRUE,			/* a thread stores to a part that another uses */
	V9_SHARED_FALSE,		/* stores, but none to a part that another thread uses */
	V9_SHARINGS
};

struct v9_mem_line {
	union {
		struct {
			uint64_t line, pid;	/* pid: V9_KERNEL_PID for the kernel */
		};
		uint64_t key[2];
	};
	uint64_t time;			/* of the first record, ns; UINT64_MAX: unknown */
	uint64_t cycles;		/* sum of total latencies */
	uint32_t n, stores, refills, timed;	/* timed: records with a latency */
	uint32_t nr_users;
	uint16_t room;			/* 0: .one; else .many has 1 << room entries */
	uint8_t sharing;
	union {
		struct v9_mem_user one, *many;
	};
};

/* Sums by the place of the data: by the data source packet, or by events. */
struct v9_mem_source {
	union {
		struct {
			uint64_t source, events;	/* source: set << 16 | source, or V9_MEM_NO_SOURCE */
		};
		uint64_t key[2];
	};
	struct v9_mem_sum sum;
};

#define V9_MEM_NO_SOURCE	UINT64_MAX

struct v9_mem_counts;
struct v9_mem_sort;
struct v9_mem_types;

/* An allocator of struct v9_mem_user. All of its memory is freed together. */
struct v9_mem_room {
	struct v9_mem_user **chunk;
	size_t nr_chunks, used;		/* used: entries of the last chunk */
};

struct v9_mem {
	struct v9_report r;		/* the first member: see v9_mem_report() */
	unsigned int by;		/* tables to print: bits 1 << V9_MEM_BY_* */
	const struct v9_mem_sort *sort;	/* NULL: default */
	unsigned int line_shift, part_shift;
	uint8_t op[V9_OP_CLASSES][256];	/* enum v9_mem_op; V9_MEM_OPS: neither */
	uint64_t ops[V9_MEM_OPS];
	uint64_t cycles[V9_MEM_OPS];	/* sums of total latencies */
	uint64_t no_address;
	uint64_t *lat[V9_MEM_OPS][V9_SPE_LATENCIES];	/* histograms of cycles */
	struct v9_spots spots;
	struct v9_bins funcs, sources;
	struct v9_bins objects;		/* variables, and sites of heap blocks */
	struct v9_bins pages, lines;	/* of the current part */
	struct v9_mem_room users;
	struct v9_bins top_pages, top_lines;	/* of finished parts: the first .r.limit */
	struct v9_mem_room top_users;
	uint64_t nr_pages, nr_lines[V9_SHARINGS];
	/*
	 * To limit memory, pages and cache lines may be divided into parts by a hash of the page.
	 * The records are then read once for each part. If that would be more often than .most_passes,
	 * the first pass counts the records of each page and line, and the second pass keeps those with most records.
	 */
	struct v9_mem_part { uint64_t mask, value; } part, *todo;	/* todo: parts left */
	size_t nr_todo;
	uint64_t most_lines;		/* most lines to keep at once */
	uint64_t most_passes;		/* 0: any number */
	struct v9_mem_counts *counts;	/* NULL: there is no limit */
	bool counting;			/* each record is counted */
	bool full;			/* there are too many parts: nothing is kept in this pass */
	uint64_t least_line, least_page;	/* records of those that are kept; 0: all are */
	uint64_t kept_lines, kept_pages;	/* records of them */
	bool again;			/* not the first pass */
	struct v9_mem_types *types;	/* --types; or NULL */
	bool beside;			/* a report counts records without a function */
	struct v9_syms *syms;
	pthread_mutex_t *lock;		/* held for look-ups in .syms; NULL: there is one thread */
};

enum v9_mem_by {
	V9_MEM_BY_SOURCE, V9_MEM_BY_LATENCY, V9_MEM_BY_SYMBOL, V9_MEM_BY_DATA, V9_MEM_BY_LINE,
	V9_MEM_BYS
};

/* Add a record, or another sum, to @to. */
void v9_mem_sum_add(struct v9_mem_sum *to, const struct v9_spe_rec *r, bool store);
void v9_mem_sum_join(struct v9_mem_sum *to, const struct v9_mem_sum *from);

/* Puts the share of the sum of all total latencies, then samples, loads, stores. */
void v9_mem_put_sum(const struct v9_mem *m, struct v9_table *t, const struct v9_mem_sum *s);

void v9_mem_init(struct v9_mem *m);
void v9_mem_free(struct v9_mem *m);

/* Returns true for a record of a load, store or atomic operation: only these are added. */
bool v9_mem_accepts(void *m, const struct v9_spe_rec *rec);
void v9_mem_add(void *m, struct v9_sampled *s, size_t n);

/* Ends a pass over the records. Returns true if one more is needed, for the next part. */
bool v9_mem_again(struct v9_mem *m);

/* Orders for v9_bins_top(). arg: a struct v9_mem_sort, or NULL for the default. */
int v9_mem_data_order(const void *a, const void *b, const void *arg);
int v9_mem_line_order(const void *a, const void *b, const void *arg);

const struct v9_mem_user *v9_mem_users(const struct v9_mem_line *l);

/* The place of the data by the events of a record: an index into v9_mem_event_words. */
unsigned int v9_mem_by_events(uint64_t events);
extern const char *const v9_mem_event_words[];

void v9_mem_print(struct v9_mem *m);

/*
 * Adds all records and prints the tables. Returns false after an error if no record was added. @r:
 * that of a struct v9_mem.
 */
bool v9_mem_report(struct v9_report *r);

/*
 * For a report of which m->r is the state: a consumer of its SPE records (v9_report_more.records)
 * that adds loads and stores, and their tables after those of the report.
 */
struct v9_taker v9_mem_beside(struct v9_mem *m);
void v9_mem_print_beside(struct v9_mem *m);

/* Returns NULL and prints an error if there is no such order. */
const struct v9_mem_sort *v9_mem_sort_find(const char *name);

#endif
