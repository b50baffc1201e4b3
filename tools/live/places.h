/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which object is at an address of a process, while it is recorded. Processes, threads and mappings that
 * have ended are kept until the trace that was made before their end has been read; then
 * v9_live_forget() drops them. So memory grows with what runs, not with what has run.
 */
#ifndef V9TRACE_LIVE_PLACES_H
#define V9TRACE_LIVE_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define V9_LIVE_ID	20	/* bytes of the longest build-id */
#define V9_LIVE_MAPS	4096	/* most mappings of a process; perf does not say which were unmapped */

/* A file, or memory without one */
struct v9_live_object {
	char *name;			/* NULL: a free entry */
	uint8_t id[V9_LIVE_ID];		/* build-id */
	uint8_t id_size;		/* 0: not known */
	bool file;			/* its name is that of a file */
	bool used;			/* by v9_live_collect() */
};

struct v9_live_map {
	uint64_t start, end, pgoff;
	uint64_t from, to;		/* times, ns; to: UINT64_MAX: it has not ended */
	uint64_t round;			/* in which it ended */
	uint32_t object;		/* index */
	bool inherited;			/* from the parent, at a fork */
	bool dropped;			/* counted in .dropped of struct v9_live_places */
};

struct v9_live_node {
	struct v9_live_node *next;
	uint32_t key;
};

struct v9_live_table {
	struct v9_live_node **slot;
	size_t used, room;
};

/* From .from to .to, a process had the mappings that its parent had at .from */
struct v9_live_inherited {
	uint64_t from, to;		/* times, ns: of the fork, and of the exec or exit */
	uint64_t round;			/* in which it was forked, which is also that of its exec or exit */
	uint32_t ppid;
};

struct v9_live_space {
	struct v9_live_node node;	/* by process */
	struct v9_live_map *now;	/* by start; they do not overlap */
	size_t nr_now;
	struct v9_live_map *old;	/* ended, in the order of their ends */
	size_t nr_old;
	struct v9_live_inherited *inherited;	/* forks whose mappings were not copied to .old */
	size_t nr_inherited;
	struct v9_live_inherited fork;	/* the last fork; .to is not set */
	bool forked;			/* .fork is set */
	bool lossy;			/* mappings of its own were dropped since .fork */
	size_t threads;			/* that have not ended */
	uint64_t round;			/* in which it ended */
	bool ended;
};

struct v9_live_places {
	struct v9_live_object *objects;
	size_t nr_objects;
	uint32_t *spare;		/* indices of free entries of .objects */
	size_t nr_spare;
	struct v9_live_table names, spaces, threads;	/* names: of objects */
	uint64_t round;
	uint64_t dropped;		/* mappings beyond V9_LIVE_MAPS */
};

/* Returns the index of the object with that name and build-id (@id_size 0: none). */
uint32_t v9_live_object(struct v9_live_places *p, const char *name, const uint8_t *id,
			unsigned int id_size);

/* Side-band records, in the order of their times */
void v9_live_map(struct v9_live_places *p, uint64_t time, uint32_t pid, uint64_t start, uint64_t len,
		 uint64_t pgoff, uint32_t object);
void v9_live_exec(struct v9_live_places *p, uint64_t time, uint32_t pid);
void v9_live_fork(struct v9_live_places *p, uint64_t time, uint32_t pid, uint32_t tid, uint32_t ppid);
void v9_live_exit(struct v9_live_places *p, uint64_t time, uint32_t pid, uint32_t tid);
/* A thread that exists */
void v9_live_thread(struct v9_live_places *p, uint32_t pid, uint32_t tid);

/* Returns false if the thread is not known. */
bool v9_live_pid(const struct v9_live_places *p, uint32_t tid, uint32_t *pid);

/*
 * Finds the mapping of an address. @time UINT64_MAX: the present one. It is valid until the next call
 * of another function. Returns NULL if none is known.
 */
const struct v9_live_map *v9_live_find(const struct v9_live_places *p, uint32_t pid, uint64_t time,
				       uint64_t addr);

/* Returns the present mappings of a process, and their number in *@n. */
const struct v9_live_map *v9_live_maps(const struct v9_live_places *p, uint32_t pid, size_t *n);

/*
 * All trace from before the last call has been read: drops what had ended then, and begins the next
 * round.
 */
void v9_live_forget(struct v9_live_places *p);

/* Frees the objects of which there is no mapping, but those that @keep, if not NULL, marks as .used. */
void v9_live_collect(struct v9_live_places *p, void (*keep)(struct v9_live_places *p, void *arg), void *arg);
void v9_live_places_free(struct v9_live_places *p);

#endif
