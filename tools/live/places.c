// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "places.h"

#include <stdlib.h>
#include <string.h>

#include "../capture/strtab.h"
#include "../util.h"

#define ANCESTORS	8u	/* most processes that a look-up goes through, from child to parent */

/* ---- tables by number */

static struct v9_live_node **slot_of(const struct v9_live_table *t, uint32_t key)
{
	return &t->slot[key * UINT32_C(2654435761) & (t->room - 1)];
}

static void *find(const struct v9_live_table *t, uint32_t key)
{
	struct v9_live_node *n = t->room ? *slot_of(t, key) : NULL;

	while (n && n->key != key)
		n = n->next;
	return n;
}

static void grow(struct v9_live_table *t)
{
	const struct v9_live_table old = *t;

	t->room = old.room ? old.room * 2 : 64;
	t->slot = v9_alloc(t->room * sizeof(*t->slot));
	for (size_t i = 0; i < old.room; i++)
		for (struct v9_live_node *n = old.slot[i], *next; n; n = next) {
			struct v9_live_node **to = slot_of(t, n->key);

			next = n->next;
			n->next = *to;
			*to = n;
		}
	free(old.slot);
}

/* Adds an entry of @size bytes that begins with its node. */
static void *add(struct v9_live_table *t, uint32_t key, size_t size)
{
	struct v9_live_node *n = v9_alloc(size), **to;

	if (t->used == t->room)
		grow(t);
	to = slot_of(t, key);
	n->key = key;
	n->next = *to;
	*to = n;
	t->used++;
	return n;
}

/* Removes the entries for which @ends returns true; it frees what is in them. */
static void sweep(struct v9_live_table *t, bool (*ends)(struct v9_live_node *n, void *arg), void *arg)
{
	for (size_t i = 0; i < t->room; i++)
		for (struct v9_live_node **at = &t->slot[i], *n; (n = *at);) {
			if (!ends(n, arg)) {
				at = &n->next;
				continue;
			}
			*at = n->next;
			free(n);
			t->used--;
		}
}

/* ---- objects */

struct named {
	struct v9_live_node node;	/* by hash of name and build-id */
	uint32_t object;
};

static uint32_t hash(const char *name, const uint8_t *id, unsigned int id_size)
{
	uint32_t h = UINT32_C(2166136261);

	while (*name)
		h = (h ^ (uint8_t)*name++) * UINT32_C(16777619);
	for (unsigned int i = 0; i < id_size; i++)
		h = (h ^ id[i]) * UINT32_C(16777619);
	return h;
}

uint32_t v9_live_object(struct v9_live_places *p, const char *name, const uint8_t *id,
			unsigned int id_size)
{
	struct v9_live_object *o;
	struct named *n;
	uint32_t key;

	id_size = id_size > V9_LIVE_ID ? 0 : id_size;
	key = hash(name, id, id_size);
	for (n = find(&p->names, key); n; n = (struct named *)n->node.next) {
		o = &p->objects[n->object];
		if (n->node.key == key && o->id_size == id_size && !strcmp(o->name, name) &&
		    (!id_size || !memcmp(o->id, id, id_size)))
			return n->object;
	}
	n = add(&p->names, key, sizeof(*n));
	if (p->nr_spare) {
		n->object = p->spare[--p->nr_spare];
	} else {
		n->object = (uint32_t)p->nr_objects;
		v9_vec_add(p->objects, p->nr_objects);
	}
	o = &p->objects[n->object];
	o->name = v9_strdup(name);
	o->file = v9_mapping_has_file(name);
	o->id_size = (uint8_t)id_size;
	if (id_size)
		memcpy(o->id, id, id_size);
	return n->object;
}

/* ---- mappings */

static struct v9_live_space *space_of(struct v9_live_places *p, uint32_t pid)
{
	struct v9_live_space *s = find(&p->spaces, pid);

	return s ? s : add(&p->spaces, pid, sizeof(*s));
}

/* The number of mappings that begin up to @addr */
static size_t maps_before(const struct v9_live_space *s, uint64_t addr)
{
	return v9_first_entries(i, s->nr_now, s->now[i].start <= addr);
}

static void retire(struct v9_live_places *p, struct v9_live_space *s, struct v9_live_map m, uint64_t time)
{
	if (s->nr_old == V9_LIVE_MAPS) {
		for (size_t i = 0; i < V9_LIVE_MAPS / 4; i++)
			p->dropped += !s->old[i].dropped;
		s->lossy = true;
		memmove(s->old, s->old + V9_LIVE_MAPS / 4,
			(V9_LIVE_MAPS - V9_LIVE_MAPS / 4) * sizeof(*s->old));
		s->nr_old -= V9_LIVE_MAPS / 4;
	}
	m.to = time;
	m.round = p->round;
	*v9_vec_add(s->old, s->nr_old) = m;
}

static int by_begin(const void *a, const void *b)
{
	return V9_ORDER(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* Ends a quarter of the mappings, those that began first: they may have been unmapped. */
static void drop_some(struct v9_live_places *p, struct v9_live_space *s, uint64_t time)
{
	uint64_t *from = v9_alloc(s->nr_now * sizeof(*from)), last;
	size_t n = 0, quarter = s->nr_now / 4;

	for (size_t i = 0; i < s->nr_now; i++)
		from[i] = s->now[i].from;
	qsort(from, s->nr_now, sizeof(*from), by_begin);
	last = from[quarter - 1];
	for (size_t i = 0; i < s->nr_now; i++) {
		if (quarter && s->now[i].from <= last) {
			quarter--;
			p->dropped++;
			s->now[i].dropped = true;
			retire(p, s, s->now[i], time);
			continue;
		}
		s->now[n++] = s->now[i];
	}
	s->nr_now = n;
	free(from);
}

static void insert(struct v9_live_space *s, struct v9_live_map m)
{
	const size_t at = maps_before(s, m.start);

	v9_vec_add(s->now, s->nr_now);
	memmove(s->now + at + 1, s->now + at, (s->nr_now - 1 - at) * sizeof(*s->now));
	s->now[at] = m;
}

/* Ends what is mapped in [start, end). What reaches beyond it goes on. */
static void cut(struct v9_live_places *p, struct v9_live_space *s, uint64_t start, uint64_t end,
		uint64_t time)
{
	size_t at = maps_before(s, start);

	at -= at && s->now[at - 1].end > start;
	while (at < s->nr_now && s->now[at].start < end) {
		struct v9_live_map m = s->now[at], rest = m;

		retire(p, s, m, time);
		memmove(s->now + at, s->now + at + 1, (--s->nr_now - at) * sizeof(*s->now));
		if (m.start < start) {
			m.end = start;
			insert(s, m);
			at++;
		}
		if (rest.end > end) {
			rest.pgoff += end - rest.start;
			rest.start = end;
			insert(s, rest);
		}
	}
}

void v9_live_map(struct v9_live_places *p, uint64_t time, uint32_t pid, uint64_t start, uint64_t len,
		 uint64_t pgoff, uint32_t object)
{
	const struct v9_live_map m = {
		.start = start, .end = start + len, .pgoff = pgoff, .from = time, .to = UINT64_MAX,
		.object = object,
	};
	struct v9_live_space *s;
	size_t at;

	if (m.end <= start)
		return;
	s = space_of(p, pid);
	s->ended = false;
	at = maps_before(s, start);
	/* The initial state and the kernel can both tell it. */
	if (at && s->now[at - 1].start == start && s->now[at - 1].end == m.end &&
	    s->now[at - 1].pgoff == pgoff && s->now[at - 1].object == object)
		return;
	cut(p, s, start, m.end, time);
	if (s->nr_now >= V9_LIVE_MAPS)
		drop_some(p, s, time);
	insert(s, m);
}

/*
 * Ends all mappings. Of a process that was forked in this round, those of its parent are not kept a second
 * time: most children call exec() soon, and a parent may have thousands of mappings.
 */
static void end_all(struct v9_live_places *p, struct v9_live_space *s, uint64_t time)
{
	const bool inherits = s->forked && s->fork.round == p->round && !s->lossy;

	for (size_t i = 0; i < s->nr_now; i++)
		if (!inherits || !s->now[i].inherited)
			retire(p, s, s->now[i], time);
	if (inherits) {
		s->fork.to = time;
		*v9_vec_add(s->inherited, s->nr_inherited) = s->fork;
	}
	s->forked = s->lossy = false;
	free(s->now);
	s->now = NULL;
	s->nr_now = 0;
}

void v9_live_exec(struct v9_live_places *p, uint64_t time, uint32_t pid)
{
	struct v9_live_space *s = space_of(p, pid);

	end_all(p, s, time);
	/* The others have ended. One that was not the first has the number of the first now. */
	s->threads = 1;
}

/* ---- processes and threads */

struct thread {
	struct v9_live_node node;	/* by thread */
	uint32_t pid;
	uint64_t round;			/* in which it ended */
	bool ended;
};

void v9_live_thread(struct v9_live_places *p, uint32_t pid, uint32_t tid)
{
	struct thread *t = find(&p->threads, tid);
	struct v9_live_space *s;

	if (t && !t->ended && t->pid == pid)
		return;
	if (t && !t->ended) {
		s = find(&p->spaces, t->pid);
		if (s && s->threads)
			s->threads--;
	}
	if (!t)
		t = add(&p->threads, tid, sizeof(*t));
	t->pid = pid;
	t->ended = false;
	s = space_of(p, pid);
	s->threads++;
	s->ended = false;
}

void v9_live_fork(struct v9_live_places *p, uint64_t time, uint32_t pid, uint32_t tid, uint32_t ppid)
{
	struct v9_live_space *s, *parent;

	v9_live_thread(p, pid, tid);
	if (pid == ppid || pid != tid)
		return;
	s = space_of(p, pid);
	end_all(p, s, time);		/* of an earlier process with this number */
	parent = find(&p->spaces, ppid);
	s->fork = (struct v9_live_inherited){ .from = time, .round = p->round, .ppid = ppid };
	s->forked = true;
	for (size_t i = 0; parent && i < parent->nr_now; i++) {
		struct v9_live_map m = parent->now[i];

		m.from = time;
		m.inherited = true;
		*v9_vec_add(s->now, s->nr_now) = m;
	}
}

void v9_live_exit(struct v9_live_places *p, uint64_t time, uint32_t pid, uint32_t tid)
{
	struct thread *t = find(&p->threads, tid);
	struct v9_live_space *s = find(&p->spaces, pid);

	if (!t || t->ended || t->pid != pid)
		return;
	t->ended = true;
	t->round = p->round;
	if (!s || (s->threads && --s->threads))
		return;
	end_all(p, s, time);
	s->ended = true;
	s->round = p->round;
}

bool v9_live_pid(const struct v9_live_places *p, uint32_t tid, uint32_t *pid)
{
	const struct thread *t = find(&p->threads, tid);

	if (t)
		*pid = t->pid;
	return t;
}

/* ---- look-ups */

/* Finds the mapping of an address among those of the process itself. */
static const struct v9_live_map *find_own(const struct v9_live_space *s, uint64_t time, uint64_t addr)
{
	const size_t at = maps_before(s, addr);

	if (at && addr < s->now[at - 1].end && s->now[at - 1].from <= time)
		return &s->now[at - 1];
	for (size_t i = s->nr_old; i--;) {
		const struct v9_live_map *m = &s->old[i];

		if (m->start <= addr && addr < m->end && m->from <= time && time < m->to)
			return m;
	}
	return NULL;
}

static const struct v9_live_inherited *inherited_at(const struct v9_live_space *s, uint64_t time)
{
	for (size_t i = s->nr_inherited; i--;)
		if (s->inherited[i].from <= time && time < s->inherited[i].to)
			return &s->inherited[i];
	return NULL;
}

const struct v9_live_map *v9_live_find(const struct v9_live_places *p, uint32_t pid, uint64_t time,
				       uint64_t addr)
{
	/* The bound is for records that name processes as parents of each other. */
	for (unsigned int i = 0; i < ANCESTORS; i++) {
		const struct v9_live_space *s = find(&p->spaces, pid);
		const struct v9_live_map *m = s ? find_own(s, time, addr) : NULL;
		const struct v9_live_inherited *from = s && !m ? inherited_at(s, time) : NULL;

		if (!from)
			return m;
		pid = from->ppid;
		time = from->from;
	}
	return NULL;
}

const struct v9_live_map *v9_live_maps(const struct v9_live_places *p, uint32_t pid, size_t *n)
{
	const struct v9_live_space *s = find(&p->spaces, pid);

	*n = s ? s->nr_now : 0;
	return s ? s->now : NULL;
}

/* ---- what has ended */

static void free_space(struct v9_live_space *s)
{
	free(s->now);
	free(s->old);
	free(s->inherited);
}

static bool space_ends(struct v9_live_node *n, void *arg)
{
	struct v9_live_space *s = (struct v9_live_space *)n;
	const struct v9_live_places *p = arg;
	size_t kept = 0;

	if (s->ended && s->round < p->round) {
		free_space(s);
		return true;
	}
	for (size_t i = 0; i < s->nr_old; i++)
		if (s->old[i].round >= p->round)
			s->old[kept++] = s->old[i];
	s->nr_old = kept;
	kept = 0;
	for (size_t i = 0; i < s->nr_inherited; i++)
		if (s->inherited[i].round >= p->round)
			s->inherited[kept++] = s->inherited[i];
	s->nr_inherited = kept;
	return false;
}

static bool thread_ends(struct v9_live_node *n, void *arg)
{
	const struct thread *t = (const struct thread *)n;
	const struct v9_live_places *p = arg;

	return t->ended && t->round < p->round;
}

void v9_live_forget(struct v9_live_places *p)
{
	sweep(&p->spaces, space_ends, p);
	sweep(&p->threads, thread_ends, p);
	p->round++;
}

static bool mark(struct v9_live_node *n, void *arg)
{
	const struct v9_live_space *s = (const struct v9_live_space *)n;
	struct v9_live_places *p = arg;

	for (size_t i = 0; i < s->nr_now; i++)
		p->objects[s->now[i].object].used = true;
	for (size_t i = 0; i < s->nr_old; i++)
		p->objects[s->old[i].object].used = true;
	return false;
}

static bool unused(struct v9_live_node *n, void *arg)
{
	struct v9_live_places *p = arg;
	const uint32_t object = ((const struct named *)n)->object;

	if (p->objects[object].used)
		return false;
	free(p->objects[object].name);
	p->objects[object].name = NULL;
	*v9_vec_add(p->spare, p->nr_spare) = object;
	return true;
}

void v9_live_collect(struct v9_live_places *p, void (*keep)(struct v9_live_places *p, void *arg), void *arg)
{
	for (size_t i = 0; i < p->nr_objects; i++)
		p->objects[i].used = false;
	if (keep)
		keep(p, arg);
	sweep(&p->spaces, mark, p);
	sweep(&p->names, unused, p);
}

static bool all(struct v9_live_node *n, void *arg)
{
	if (arg)
		free_space((struct v9_live_space *)n);
	return true;
}

void v9_live_places_free(struct v9_live_places *p)
{
	sweep(&p->spaces, all, p);
	sweep(&p->threads, all, NULL);
	sweep(&p->names, all, NULL);
	free(p->names.slot);
	free(p->spaces.slot);
	free(p->threads.slot);
	for (size_t i = 0; i < p->nr_objects; i++)
		free(p->objects[i].name);
	free(p->objects);
	free(p->spare);
	*p = (struct v9_live_places){ .round = 0 };
}
