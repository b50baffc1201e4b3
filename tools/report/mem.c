// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "mem.h"

#include <stdlib.h>
#include <string.h>

#include <v9trace/gen/spe_pkt.h>

#include "../capture/heap_read.h"
#include "../capture/strtab.h"
#include "../util.h"
#include "kinds.h"
#include "mem_types.h"

#define MOST_PAGES	(1u << 17)	/* to keep at once: some tens of MB */
#define MOST_PARTS	(1u << 20)
#define MOST_THREADS	4u		/* each keeps as many lines and pages as one alone */
#define PAGE_COUNTERS	(8 * MOST_PAGES)	/* of records, by a hash of their page */
#define LINE_COUNTERS	16		/* for each line that is kept, at most MOST_COUNTERS */
#define LEAST_COUNTERS	((size_t)1 << 16)
#define MOST_COUNTERS	((size_t)1 << 23)

/*
 * The records of all lines and pages, added up by a hash. It tells before the last pass which counters have
 * the most records, and does not depend on the order of the records. Lines of one counter are kept or left
 * out together.
 */
struct v9_mem_counts {
	size_t lines;			/* entries of .line: a power of two */
	uint32_t page[PAGE_COUNTERS], line[];
};

#define EVENT(name)	(UINT64_C(1) << V9_SPE_EV_##name)

/* The place of data by events, farthest first. The first event that a record has counts. */
static const struct { uint64_t event; const char *words; } places[] = {
#define PLACES(X) \
	X(REMOTE_ACCESS, "another socket") \
	X(LLC_MISS, "missed the last level cache") \
	X(LLC_ACCESS, "last level cache") \
	X(L2D_MISS, "missed the level 2 cache") \
	X(L2D_ACCESS, "level 2 cache") \
	X(L1D_REFILL, "missed the level 1 cache") \
	X(L1D_ACCESS, "level 1 cache")
#define ROW(name, words) { EVENT(name), words },
	PLACES(ROW)
#undef ROW
};

const char *const v9_mem_event_words[] = {
#define ROW(name, words) words " (by events)",
	PLACES(ROW)
#undef ROW
	"no data source",
};

unsigned int v9_mem_by_events(uint64_t events)
{
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(places); i++)
		if (events & places[i].event)
			break;
	return i;
}

static enum v9_mem_op kind(unsigned int class, uint8_t op)
{
	const uint8_t fixed = V9_SPE_OP_EXTENDED | V9_SPE_OP_EXTENDED_STORE |
			      V9_SPE_OP_EXTENDED_ATOMIC | V9_SPE_OP_EXTENDED_EXCL |
			      V9_SPE_OP_EXTENDED_ACQ_REL;

	if (class != V9_SPE_OP_CLASS_LDST)
		return V9_MEM_OPS;
	if (op & V9_SPE_OP_EXTENDED && !(op & ~fixed) && op & V9_SPE_OP_EXTENDED_ATOMIC)
		return V9_MEM_ATOMIC;
	return v9_spe_op_store(class, op) ? V9_MEM_STORE : V9_MEM_LOAD;
}

void v9_mem_sum_join(struct v9_mem_sum *to, const struct v9_mem_sum *from)
{
	to->n += from->n;
	to->stores += from->stores;
	to->accesses += from->accesses;
	to->refills += from->refills;
	to->walks += from->walks;
	for (unsigned int i = 0; i < V9_SPE_LATENCIES; i++) {
		to->lat[i].n += from->lat[i].n;
		to->lat[i].sum += from->lat[i].sum;
	}
}

void v9_mem_sum_add(struct v9_mem_sum *to, const struct v9_spe_rec *r, bool store)
{
	const uint64_t events = r->has & V9_SPE_REC_EVENTS ? r->events : 0;

	to->n++;
	to->stores += store;
	to->accesses += events >> V9_SPE_EV_L1D_ACCESS & 1;
	to->refills += events >> V9_SPE_EV_L1D_REFILL & 1;
	to->walks += events >> V9_SPE_EV_TLB_WALK & 1;
	for (unsigned int i = 0; i < V9_SPE_LATENCIES; i++) {
		if (!(r->has & V9_SPE_REC_LAT(i)))
			continue;
		to->lat[i].n++;
		to->lat[i].sum += r->lat[i];
	}
}

static void lock(const struct v9_mem *m)
{
	if (m->lock)
		pthread_mutex_lock(m->lock);
}

static void unlock(const struct v9_mem *m)
{
	if (m->lock)
		pthread_mutex_unlock(m->lock);
}

static void take_spot(void *arg, void *bin)
{
	const struct v9_mem_spot *from = bin;
	struct v9_mem *m = arg;
	struct v9_place place;
	struct v9_mem_func *to;
	uint64_t key[3];

	lock(m);
	v9_spot_place(m->syms, &from->spot, &place);
	if (place.dso && !place.func && !m->beside)
		place.dso->unresolved += from->sum.n;
	unlock(m);
	key[0] = (uint64_t)(uintptr_t)place.func;
	key[1] = (uint64_t)(uintptr_t)place.dso_name;
	key[2] = from->spot.comm;
	to = v9_bins_at(&m->funcs, key, 3);
	v9_mem_sum_join(&to->sum, &from->sum);
}

static struct v9_mem_counts *new_counts(uint64_t most_lines)
{
	struct v9_mem_counts *c;
	size_t lines = 1;

	while (lines < MOST_COUNTERS && (lines < LEAST_COUNTERS || lines < LINE_COUNTERS * most_lines))
		lines *= 2;
	/* Pages that are never written take no memory. */
	c = v9_alloc(sizeof(*c) + lines * sizeof(*c->line));
	c->lines = lines;
	return c;
}

void v9_mem_init(struct v9_mem *m)
{
	if (!m->syms) {
		m->syms = &m->r.s.syms;
		if (m->by & (1u << V9_MEM_BY_DATA | 1u << V9_MEM_BY_LINE))
			v9_heap_read(&m->r.s);
	}
	for (unsigned int class = 0; class < V9_OP_CLASSES; class++)
		for (unsigned int op = 0; op < 256; op++)
			m->op[class][op] = (uint8_t)kind(class, (uint8_t)op);
	for (unsigned int op = 0; op < V9_MEM_OPS; op++)
		for (unsigned int i = 0; i < V9_SPE_LATENCIES; i++)
			m->lat[op][i] = v9_alloc(V9_LAT_VALUES * sizeof(**m->lat[op]));
	v9_spots_init(&m->spots, sizeof(struct v9_mem_spot), m->syms, take_spot, m);
	v9_bins_init(&m->funcs, sizeof(struct v9_mem_func));
	v9_bins_init(&m->pages, sizeof(struct v9_mem_data));
	v9_bins_init(&m->top_pages, sizeof(struct v9_mem_data));
	v9_bins_init(&m->objects, sizeof(struct v9_mem_data));
	v9_bins_init(&m->lines, sizeof(struct v9_mem_line));
	v9_bins_init(&m->top_lines, sizeof(struct v9_mem_line));
	v9_bins_init(&m->sources, sizeof(struct v9_mem_source));
	if (m->r.limit && m->most_passes && !m->counts)
		m->counts = new_counts(m->most_lines);
}

#define USERS_CHUNK	37449u	/* 2 MB of them */

static struct v9_mem_user *take_room(struct v9_mem_room *r, size_t n)
{
	const size_t most = n > USERS_CHUNK ? n : USERS_CHUNK;
	struct v9_mem_user *u;

	if (!r->nr_chunks || r->used + n > USERS_CHUNK) {
		u = v9_big_alloc(most * sizeof(*u));
		*v9_vec_add(r->chunk, r->nr_chunks) = u;
		r->used = 0;
	}
	u = r->chunk[r->nr_chunks - 1] + r->used;
	r->used += n;
	memset(u, 0, n * sizeof(*u));
	return u;
}

static void free_room(struct v9_mem_room *r)
{
	for (size_t i = 0; i < r->nr_chunks; i++)
		free(r->chunk[i]);
	free(r->chunk);
	memset(r, 0, sizeof(*r));
}

static size_t room_of(const struct v9_mem_line *l)
{
	return (size_t)1 << l->room;
}

/* Copies the users of a line to another allocator. */
static void move_users(struct v9_mem_room *users, struct v9_mem_line *l)
{
	const struct v9_mem_user *old = l->many;

	if (!l->room)
		return;
	l->many = take_room(users, room_of(l));
	memcpy(l->many, old, room_of(l) * sizeof(*old));
}

void v9_mem_free(struct v9_mem *m)
{
	free_room(&m->users);
	free_room(&m->top_users);
	free(m->todo);
	free(m->counts);
	for (unsigned int op = 0; op < V9_MEM_OPS; op++)
		for (unsigned int i = 0; i < V9_SPE_LATENCIES; i++)
			free(m->lat[op][i]);
	v9_spots_free(&m->spots);
	v9_bins_free(&m->funcs);
	v9_bins_free(&m->pages);
	v9_bins_free(&m->top_pages);
	v9_bins_free(&m->objects);
	v9_bins_free(&m->lines);
	v9_bins_free(&m->top_lines);
	v9_bins_free(&m->sources);
}

bool v9_mem_accepts(void *arg, const struct v9_spe_rec *rec)
{
	const struct v9_mem *m = arg;

	return rec->has & V9_SPE_REC_OP &&
	       m->op[rec->op_class % V9_OP_CLASSES][rec->op] != V9_MEM_OPS;
}

const struct v9_mem_user *v9_mem_users(const struct v9_mem_line *l)
{
	return l->room ? l->many : &l->one;
}

static bool is_user(const struct v9_mem_user *u, uint64_t pc, uint32_t tid, uint32_t cpu)
{
	return u->pc == pc && u->tid == tid && u->cpu == cpu;
}

/*
 * Returns the entry of a user in a table of @room entries (a power of two), or the free entry to
 * use for it. Returns NULL if the table is full. An entry without loads and stores is free.
 */
static struct v9_mem_user *seek(struct v9_mem_user *many, size_t room, uint64_t pc, uint32_t tid,
				uint32_t cpu)
{
	const uint64_t key[] = { pc, (uint64_t)tid << 32 | cpu };
	size_t i = room > 2 ? v9_bins_tag(key, 2) : 0;

	for (size_t n = 0; n < room; n++, i++) {
		struct v9_mem_user *u = &many[i & (room - 1)];

		if ((!u->loads && !u->stores) || is_user(u, pc, tid, cpu))
			return u;
	}
	return NULL;
}

static void more_room(struct v9_mem_room *users, struct v9_mem_line *l)
{
	const struct v9_mem_user *old = v9_mem_users(l);
	const size_t room = room_of(l);
	struct v9_mem_user *many = take_room(users, 2 * room);

	for (size_t i = 0; i < room; i++)
		if (old[i].loads || old[i].stores)
			*seek(many, 2 * room, old[i].pc, old[i].tid, old[i].cpu) = old[i];
	l->many = many;
	l->room++;
}

static struct v9_mem_user *user(struct v9_mem_room *users, struct v9_mem_line *l, uint64_t pc,
				uint32_t tid, uint32_t cpu)
{
	struct v9_mem_user *u = seek(l->room ? l->many : &l->one, room_of(l), pc, tid, cpu);

	/* Fill small tables completely, and hash tables of more than 8 entries up to 3/4. */
	while (!u || (!u->loads && !u->stores && l->room > 3 &&
		      l->nr_users * 4 >= room_of(l) * 3)) {
		more_room(users, l);
		u = seek(l->many, room_of(l), pc, tid, cpu);
	}
	if (u->loads || u->stores)
		return u;
	u->first = UINT64_MAX;
	l->nr_users++;
	u->pc = pc;
	u->tid = tid;
	u->cpu = cpu;
	return u;
}

static bool in_part(const struct v9_mem_part *p, uint64_t page, uint64_t pid)
{
	const uint64_t key[] = { page, pid };

	/* Not the keys of .pages and .lines: parts do not depend on slots. */
	return (v9_bins_hash(key, 2) >> 40 & p->mask) == p->value;
}

static uint32_t *line_count(const struct v9_mem *m, uint32_t tag)
{
	return &m->counts->line[tag & (m->counts->lines - 1)];
}

static uint32_t *page_count(const struct v9_mem *m, uint32_t tag)
{
	return &m->counts->page[tag % PAGE_COUNTERS];
}

/* Threads share the counters. */
static void count(uint32_t *counter, uint64_t n)
{
	__atomic_fetch_add(counter, (uint32_t)n, __ATOMIC_RELAXED);
}

static bool wants_line(const struct v9_mem *m, uint64_t page, uint64_t pid, uint32_t tag)
{
	return !m->full && (!m->part.mask || in_part(&m->part, page, pid)) &&
	       (!m->least_line || *line_count(m, tag) >= m->least_line);
}

static bool wants_page(const struct v9_mem *m, uint64_t page, uint64_t pid, uint32_t tag)
{
	return !m->full && (!m->part.mask || in_part(&m->part, page, pid)) &&
	       (!m->least_page || *page_count(m, tag) >= m->least_page);
}

static bool keep_line(void *bin, void *arg)
{
	const struct v9_mem_line *l = bin;
	const struct v9_mem *m = arg;

	return wants_line(m, l->line << m->line_shift & -V9_DATA_PAGE, l->pid, v9_bins_tag(l->key, 2));
}

static bool keep_page(void *bin, void *arg)
{
	const struct v9_mem_data *d = bin;

	return wants_page(arg, d->key[0], d->key[1], v9_bins_tag(d->key, 3));
}

/* Removes all lines and pages that are not in the current part, or have too few records. */
static void keep_part(struct v9_mem *m)
{
	struct v9_mem_room users = { .used = 0 };

	v9_bins_keep(&m->lines, 2, keep_line, m);
	v9_bins_keep(&m->pages, 3, keep_page, m);
	for (size_t i = 0; i < m->lines.used; i++)
		move_users(&users, v9_bins_get(&m->lines, i));
	free_room(&m->users);
	m->users = users;
}

/* From now on, each record is counted. All that were read are in the tables. */
static void begin_counts(struct v9_mem *m)
{
	for (size_t i = 0; i < m->lines.used; i++) {
		const struct v9_mem_line *l = v9_bins_get(&m->lines, i);

		count(line_count(m, v9_bins_tag(l->key, 2)), l->n);
	}
	for (size_t i = 0; i < m->pages.used; i++) {
		const struct v9_mem_data *d = v9_bins_get(&m->pages, i);

		count(page_count(m, v9_bins_tag(d->key, 3)), d->sum.n);
	}
	m->counting = true;
}

/*
 * Divides the current part in two. The second half is left for a later pass. In the first pass, if there
 * would be too many passes, no line or page is kept: their records are only counted.
 */
static void halve(struct v9_mem *m)
{
	const uint64_t bit = m->part.mask + 1;

	if (m->counts && !m->again && !m->counting)
		begin_counts(m);
	m->full = m->counting && 2 * bit > m->most_passes;
	m->part.mask |= bit;
	*v9_vec_add(m->todo, m->nr_todo) = (struct v9_mem_part){ m->part.mask, m->part.value | bit };
	keep_part(m);
}

static uint64_t more_than(uint64_t least)
{
	return least + least / 8 + 1;
}

/*
 * Without a limit all lines and pages are printed, so all are kept. Which ones are kept depends on the
 * records, not on their order.
 */
static void keep_small(struct v9_mem *m)
{
	while (m->r.limit && m->part.mask < MOST_PARTS &&
	       (m->lines.used > m->most_lines || m->pages.used > MOST_PAGES)) {
		if (!m->least_line) {
			halve(m);
			continue;
		}
		if (m->lines.used > m->most_lines)
			m->least_line = more_than(m->least_line);
		if (m->pages.used > MOST_PAGES)
			m->least_page = more_than(m->least_page);
		keep_part(m);
	}
}

enum { PAGE_HINT, LINE_HINT };

static void line_key(const struct v9_mem *m, const struct v9_sampled *s, uint64_t pid,
		     uint64_t key[2])
{
	key[0] = s->rec->va >> m->line_shift;
	key[1] = pid;
}

static void add_line(struct v9_mem *m, const struct v9_sampled *s, uint64_t pid, bool store)
{
	const struct v9_spe_rec *r = s->rec;
	const uint64_t part = UINT64_C(1) << ((r->va >> m->part_shift) & 63);
	struct v9_mem_user *u;
	struct v9_mem_line *l;
	uint64_t key[2];

	line_key(m, s, pid, key);
	l = v9_bins_at_tag(&m->lines, key, 2, s->hint[LINE_HINT]);
	u = user(&m->users, l, r->has & V9_SPE_REC_PC ? r->pc.addr : 0, s->tid, s->cpu);

	if (!l->n++)
		l->time = v9_sampled_time(s);
	l->stores += store;
	if (r->has & V9_SPE_REC_EVENTS)
		l->refills += r->events >> V9_SPE_EV_L1D_REFILL & 1;
	if (r->has & V9_SPE_REC_LAT_TOTAL) {
		l->timed++;
		l->cycles += r->lat[V9_SPE_LAT_TOTAL];
	}
	if (!s->has_time)
		u->first = 0;
	else if (s->time < u->first)
		u->first = s->time;
	if (store && v9_sampled_time(s) > u->last_store)
		u->last_store = v9_sampled_time(s);
	if (store) {
		u->stores++;
		u->stored |= part;
	} else {
		u->loads++;
		u->loaded |= part;
	}
}

static void page_key(struct v9_mem *m, const struct v9_sampled *s, uint64_t pid, uint64_t key[3])
{
	key[0] = s->rec->va & -V9_DATA_PAGE;
	key[1] = pid;
	key[2] = pid == V9_KERNEL_PID ? 0 : v9_epochs_at(&m->spots.epochs, v9_sampled_time(s));
}

static void add_block(struct v9_mem *m, const struct v9_heap_block *b, const struct v9_spe_rec *r,
		      bool store)
{
	const uint64_t key[] = { (uint64_t)(uintptr_t)b->site.name, (uint64_t)(uintptr_t)b->site.line, 1 };
	struct v9_mem_data *d = v9_bins_at(&m->objects, key, 3);

	d->least = !d->site || b->size < d->least ? b->size : d->least;
	d->most = b->size > d->most ? b->size : d->most;
	d->site = &b->site;
	d->where.name = "[heap]";
	v9_mem_sum_add(&d->sum, r, store);
}

static void add_data(struct v9_mem *m, const struct v9_sampled *s, uint64_t pid, bool mine, bool store)
{
	const struct v9_spe_rec *r = s->rec;
	struct v9_mem_data other, *page = &other;
	const struct v9_heap_block *block = v9_heap_find(&m->r.s.heap, m->syms, (uint32_t)pid,
							 v9_sampled_time(s), r->va);
	const struct v9_func *object;
	uint64_t key[3];

	if (block) {
		if (!m->again)
			add_block(m, block, r, store);
		return;
	}
	page_key(m, s, pid, key);
	if (mine)
		page = v9_bins_at_tag(&m->pages, key, 3, s->hint[PAGE_HINT]);
	else
		memset(&other, 0, sizeof(other));
	/* Look up a page only once: then it has a name or, if it has no variable, a sum. */
	if (!page->sum.n && !page->where.name) {
		lock(m);
		v9_syms_data(m->syms, (uint32_t)pid, v9_sampled_time(s), r->va, &page->where);
		unlock(m);
	}
	object = page->where.dso ? v9_dso_object(page->where.dso, r->va - page->where.bias) : NULL;
	if (!object) {
		v9_mem_sum_add(&page->sum, r, store);
		if (m->counting)
			count(page_count(m, s->hint[PAGE_HINT]), 1);
	} else if (!m->again) {
		const uint64_t of[] = { (uint64_t)(uintptr_t)object, 0, 0 };
		struct v9_mem_data *d = v9_bins_at(&m->objects, of, 3);

		d->object = object;
		d->where = page->where;
		v9_mem_sum_add(&d->sum, r, store);
	}
}

static void add_source(struct v9_mem *m, const struct v9_sampled *s, bool store)
{
	const struct v9_spe_rec *r = s->rec;
	const bool has_source = r->has & V9_SPE_REC_SOURCE;
	const bool named = has_source && v9_spe_source(s->sources, r->source);
	const uint64_t key[] = {
		has_source ? (uint64_t)s->sources << 16 | r->source : V9_MEM_NO_SOURCE,
		/* A known data source is more exact than the events. */
		named || !(r->has & V9_SPE_REC_EVENTS) ?
			V9_ARRAY_SIZE(places) : v9_mem_by_events(r->events) };
	struct v9_mem_source *to = v9_bins_at(&m->sources, key, 2);

	v9_mem_sum_add(&to->sum, r, store);
}

/* Adds what does not depend on the data address. Only in the first pass. */
static void add_other(struct v9_mem *m, const struct v9_sampled *s, unsigned int op,
		      struct v9_mem_spot *spot)
{
	const struct v9_spe_rec *r = s->rec;
	const bool store = op != V9_MEM_LOAD;

	m->ops[op]++;
	if (r->has & V9_SPE_REC_LAT_TOTAL)
		m->cycles[op] += r->lat[V9_SPE_LAT_TOTAL];
	if (m->by & 1 << V9_MEM_BY_LATENCY)
		for (unsigned int i = 0; i < V9_SPE_LATENCIES; i++)
			if (r->has & V9_SPE_REC_LAT(i))
				m->lat[op][i][r->lat[i]]++;
	if (m->by & 1 << V9_MEM_BY_SOURCE)
		add_source(m, s, store);
	if (spot)
		v9_mem_sum_add(&spot->sum, r, store);
	if (m->types)
		v9_mem_types_add(m->types, &m->r.s.syms, s, store);
	m->no_address += !(r->has & V9_SPE_REC_VA);
}

static uint64_t space_of(const struct v9_sampled *s)
{
	return s->rec->va & V9_KERNEL_HALF ? V9_KERNEL_PID : s->pid;
}

/* Prefetches the pages and lines of @n records. */
static void soon(struct v9_mem *m, struct v9_sampled *s, size_t n)
{
	const bool counted = m->counting || m->least_line;
	uint64_t key[3];

	for (size_t i = 0; i < n; i++) {
		if (!(s[i].rec->has & V9_SPE_REC_VA))
			continue;
		page_key(m, &s[i], space_of(&s[i]), key);
		s[i].hint[PAGE_HINT] = v9_bins_tag(key, 3);
		v9_bins_slot_soon(&m->pages, s[i].hint[PAGE_HINT]);
		if (counted)
			__builtin_prefetch(page_count(m, s[i].hint[PAGE_HINT]));
		line_key(m, &s[i], space_of(&s[i]), key);
		s[i].hint[LINE_HINT] = v9_bins_tag(key, 2);
		v9_bins_slot_soon(&m->lines, s[i].hint[LINE_HINT]);
		if (counted)
			__builtin_prefetch(line_count(m, s[i].hint[LINE_HINT]));
	}
	for (size_t i = 0; i < n; i++) {
		if (!(s[i].rec->has & V9_SPE_REC_VA))
			continue;
		v9_bins_bin_soon(&m->pages, s[i].hint[PAGE_HINT]);
		v9_bins_bin_soon(&m->lines, s[i].hint[LINE_HINT]);
	}
}

static void add(struct v9_mem *m, const struct v9_sampled *s, struct v9_mem_spot *spot)
{
	const struct v9_spe_rec *r = s->rec;
	const unsigned int op = m->op[r->op_class % V9_OP_CLASSES][r->op];
	const bool store = op != V9_MEM_LOAD;
	const uint64_t page = r->va & -V9_DATA_PAGE;
	uint64_t pid;
	bool mine;

	if (!m->again)
		add_other(m, s, op, spot);
	if (!(r->has & V9_SPE_REC_VA))
		return;
	pid = space_of(s);
	mine = wants_page(m, page, pid, s->hint[PAGE_HINT]);
	if (m->by & 1 << V9_MEM_BY_DATA && (mine || !m->again))
		add_data(m, s, pid, mine, store);
	if (m->by & 1 << V9_MEM_BY_LINE) {
		if (m->counting)
			count(line_count(m, s->hint[LINE_HINT]), 1);
		if (wants_line(m, page, pid, s->hint[LINE_HINT]))
			add_line(m, s, pid, store);
	}
	keep_small(m);
}

void v9_mem_add(void *arg, struct v9_sampled *s, size_t n)
{
	struct v9_mem *m = arg;
	void *spots[V9_BATCH] = { NULL };

	soon(m, s, n);
	if (m->by & 1 << V9_MEM_BY_SYMBOL && !m->again)
		v9_spots_of(&m->spots, s, n, spots);
	for (size_t i = 0; i < n; i++)
		add(m, &s[i], spots[i]);
}

static bool has_samples(const void *bin)
{
	return ((const struct v9_mem_data *)bin)->sum.n;
}

/* The thread, or the CPU if the thread is unknown. */
static uint64_t agent(const struct v9_mem_user *u)
{
	return u->tid == V9_NO_TASK ? UINT64_C(1) << 32 | u->cpu : u->tid;
}

#define FEW	16

static enum v9_sharing sharing(const struct v9_mem_line *l)
{
	const struct v9_mem_user *u = v9_mem_users(l);
	const size_t room = room_of(l);
	struct { uint64_t who, used, stored, first, last_store; } few[FEW], *all = few;
	enum v9_sharing found = V9_SHARED_READ;
	size_t n = 0, k;

	if (l->nr_users > FEW)
		all = v9_alloc(l->nr_users * sizeof(*all));

	for (size_t i = 0; i < room; i++) {
		if (!u[i].loads && !u[i].stores)
			continue;
		for (k = 0; k < n && all[k].who != agent(&u[i]); k++)
			;
		if (k == n) {
			all[n].who = agent(&u[i]);
			all[n].used = all[n].stored = all[n].last_store = 0;
			all[n].first = UINT64_MAX;
			n++;
		}
		if (u[i].first < all[k].first)
			all[k].first = u[i].first;
		if (u[i].last_store > all[k].last_store)
			all[k].last_store = u[i].last_store;
		all[k].used |= u[i].loaded | u[i].stored;
		all[k].stored |= u[i].stored;
	}
	if (n == 1)
		found = V9_SHARED_NOT;
	for (size_t i = 0; i < n && found != V9_SHARED_TRUE; i++)
		for (k = 0; k < n; k++) {
			if (k == i || !all[i].stored)
				continue;
			if (all[i].stored & all[k].used)
				found = V9_SHARED_TRUE;
			else if (found != V9_SHARED_TRUE && all[k].first <= all[i].last_store)
				found = V9_SHARED_FALSE;
		}
	if (all != few)
		free(all);
	return found;
}

/* Ends a part: counts its lines and pages, and keeps only those that may be printed. */
static void end_part(struct v9_mem *m)
{
	void **top;
	size_t n;

	for (size_t i = 0; i < m->lines.used; i++) {
		struct v9_mem_line *l = v9_bins_get(&m->lines, i);

		if (l->nr_users > 1)
			l->sharing = (uint8_t)sharing(l);
		m->nr_lines[l->sharing]++;
		m->kept_lines += l->n;
	}
	top = v9_bins_top(&m->lines, m->r.limit, NULL, v9_mem_line_order, m->sort, &n);
	for (size_t i = 0; i < n; i++) {
		const struct v9_mem_line *from = top[i];
		struct v9_mem_line *l = v9_bins_add(&m->top_lines, from->key, V9_ARRAY_SIZE(from->key));

		*l = *from;
		move_users(&m->top_users, l);
	}
	free(top);
	free_room(&m->users);
	v9_bins_clear(&m->lines);
	for (size_t i = 0; i < m->pages.used; i++) {
		m->nr_pages += has_samples(v9_bins_get(&m->pages, i));
		m->kept_pages += ((const struct v9_mem_data *)v9_bins_get(&m->pages, i))->sum.n;
	}
	top = v9_bins_top(&m->pages, m->r.limit, has_samples, v9_mem_data_order, m->sort, &n);
	for (size_t i = 0; i < n; i++) {
		struct v9_mem_data *d = top[i];

		*(struct v9_mem_data *)v9_bins_add(&m->top_pages, d->key, 3) = *d;
	}
	free(top);
	v9_bins_clear(&m->pages);
}

/* Returns a number of records that at most @most of the counters reach. */
static uint64_t least_of(const uint32_t *counts, size_t nr, uint64_t most)
{
	uint64_t least = 1;

	for (;;) {
		uint64_t n = 0;

		for (size_t i = 0; i < nr; i++)
			n += counts[i] >= least;
		if (n <= most)
			return least;
		least = more_than(least);
	}
}

static uint64_t all_of(const uint32_t *counts, size_t nr)
{
	uint64_t n = 0;

	for (size_t i = 0; i < nr; i++)
		n += counts[i];
	return n;
}

/* The next pass is the last one. It keeps the lines and pages whose counters are the highest. */
static void keep_most(struct v9_mem *m)
{
	m->full = false;
	m->nr_todo = 0;
	m->part = (struct v9_mem_part){ 0 };
	m->least_line = least_of(m->counts->line, m->counts->lines, m->most_lines);
	m->least_page = least_of(m->counts->page, PAGE_COUNTERS, MOST_PAGES);
}

bool v9_mem_again(struct v9_mem *m)
{
	if (!m->again)
		v9_spots_drain(&m->spots);
	m->again = true;
	m->counting = false;
	if (m->full && !m->r.s.stopped) {
		keep_most(m);
		return true;
	}
	end_part(m);
	/* After an interruption also those of lines and pages that the pass would have kept */
	if (m->full || m->least_line) {
		m->r.few_lines = all_of(m->counts->line, m->counts->lines) - m->kept_lines;
		m->r.few_pages = all_of(m->counts->page, PAGE_COUNTERS) - m->kept_pages;
	}
	if (!m->nr_todo)
		return false;
	m->part = m->todo[--m->nr_todo];
	return true;
}

/*
 * Several threads: each adds a part of the buffers up, then the sums are joined in the order of the
 * buffers, so that everything is where one thread puts it.
 */

static void init_more(struct v9_mem *more, const struct v9_mem *m)
{
	*more = (struct v9_mem){
		.by = m->by, .line_shift = m->line_shift, .part_shift = m->part_shift,
		.part = m->part, .most_lines = m->most_lines, .most_passes = m->most_passes,
		.counts = m->counts, .least_line = m->least_line, .least_page = m->least_page,
		.again = m->again, .syms = m->syms, .lock = m->lock, .r.limit = m->r.limit,
	};
	v9_mem_init(more);
}

static void join_users(struct v9_mem *m, struct v9_mem_line *to, const struct v9_mem_line *from)
{
	const struct v9_mem_user *old = v9_mem_users(from);

	for (size_t i = 0; i < room_of(from); i++) {
		struct v9_mem_user *u;

		if (!old[i].loads && !old[i].stores)
			continue;
		u = user(&m->users, to, old[i].pc, old[i].tid, old[i].cpu);
		u->loads += old[i].loads;
		u->stores += old[i].stores;
		u->loaded |= old[i].loaded;
		u->stored |= old[i].stored;
		if (old[i].first < u->first)
			u->first = old[i].first;
		if (old[i].last_store > u->last_store)
			u->last_store = old[i].last_store;
	}
}

static void join_line(struct v9_mem *m, struct v9_mem_line *to, const struct v9_mem_line *from)
{
	if (!to->n)
		to->time = from->time;
	to->n += from->n;
	to->stores += from->stores;
	to->refills += from->refills;
	to->timed += from->timed;
	to->cycles += from->cycles;
	join_users(m, to, from);
}

/* Each look-up of a line waits for memory: several are done at a time. */
static void join_lines(struct v9_mem *m, const struct v9_bins *from)
{
	uint64_t key[V9_BINS_MANY][V9_ARRAY_SIZE(((struct v9_mem_line *)0)->key)];
	void *to[V9_BINS_MANY];
	size_t n;

	for (size_t at = 0; at < from->used; at += n) {
		for (n = 0; n < V9_BINS_MANY && at + n < from->used; n++)
			memcpy(key[n], v9_bins_get(from, at + n), sizeof(key[n]));
		v9_bins_at_many(&m->lines, key[0], V9_ARRAY_SIZE(key[0]), n, to);
		for (size_t i = 0; i < n; i++)
			join_line(m, to[i], v9_bins_get(from, at + i));
	}
}

static void join_page(struct v9_mem *m, const struct v9_mem_data *from)
{
	struct v9_mem_data *to = v9_bins_at(&m->pages, from->key, V9_ARRAY_SIZE(from->key));

	if (!to->sum.n && !to->where.name)
		to->where = from->where;
	v9_mem_sum_join(&to->sum, &from->sum);
}

/* What does not depend on the part of the data, but for blocks, of which there are none. */
static void join_first(struct v9_mem *m, struct v9_mem *from)
{
	for (unsigned int op = 0; op < V9_MEM_OPS; op++) {
		m->ops[op] += from->ops[op];
		m->cycles[op] += from->cycles[op];
		for (unsigned int i = 0; i < V9_SPE_LATENCIES; i++)
			for (size_t k = 0; k < V9_LAT_VALUES; k++)
				m->lat[op][i][k] += from->lat[op][i][k];
	}
	m->no_address += from->no_address;
	for (size_t i = 0; i < from->sources.used; i++) {
		const struct v9_mem_source *old = v9_bins_get(&from->sources, i);
		struct v9_mem_source *to = v9_bins_at(&m->sources, old->key, 2);

		v9_mem_sum_join(&to->sum, &old->sum);
	}
	v9_spots_drain(&m->spots);
	v9_spots_drain(&from->spots);
	for (size_t i = 0; i < from->funcs.used; i++) {
		const struct v9_mem_func *old = v9_bins_get(&from->funcs, i);
		struct v9_mem_func *to = v9_bins_at(&m->funcs, old->key, 3);

		v9_mem_sum_join(&to->sum, &old->sum);
	}
	for (size_t i = 0; i < from->objects.used; i++) {
		const struct v9_mem_data *old = v9_bins_get(&from->objects, i);
		struct v9_mem_data *to = v9_bins_at(&m->objects, old->key, 3);

		to->object = old->object;
		to->where = old->where;
		v9_mem_sum_join(&to->sum, &old->sum);
	}
}

/* Sets both thresholds of @m and @from to the larger one, so that both keep the same lines and pages. */
static void agree(struct v9_mem *m, struct v9_mem *from)
{
	struct v9_mem *const line = from->least_line > m->least_line ? from : m;
	struct v9_mem *const page = from->least_page > m->least_page ? from : m;

	m->least_line = from->least_line = line->least_line;
	m->least_page = from->least_page = page->least_page;
	keep_part(m);
	keep_part(from);
}

static void join(struct v9_mem *m, struct v9_mem *from)
{
	if (!m->again)
		join_first(m, from);
	/* Both hold the same part of the data: that with the smaller one decides. */
	while (m->part.mask < from->part.mask)
		halve(m);
	while (from->part.mask < m->part.mask)
		halve(from);
	if (m->least_line)
		agree(m, from);
	join_lines(m, &from->lines);
	for (size_t i = 0; i < from->pages.used; i++)
		join_page(m, v9_bins_get(&from->pages, i));
	keep_small(m);
}

static void read_all(struct v9_mem *m, unsigned int parts)
{
	struct v9_mem *more = v9_alloc(parts * sizeof(*more));
	struct v9_taker *takers = v9_alloc(parts * sizeof(*takers));

	for (unsigned int i = 0; i < parts; i++) {
		if (i)
			init_more(&more[i], m);
		takers[i] = (struct v9_taker){
			.accepts = v9_mem_accepts, .take = v9_mem_add, .arg = i ? &more[i] : m,
		};
	}
	v9_report_parted(&m->r, takers, parts, !m->again);
	for (unsigned int i = 1; i < parts; i++) {
		join(m, &more[i]);
		more[i].counts = NULL;
		v9_mem_free(&more[i]);
	}
	free(takers);
	free(more);
}

/* Prints why there is no load or store in the report. */
static void say_why_nothing(const struct v9_report *r)
{
	if (!r->acc.records)
		v9_kind_empty(&v9_kinds[V9_KIND_SPE], &r->s, r->o.path);
	else if (r->o.filter.used)
		v9_filter_nothing(&r->o.filter, &r->s, r->o.path);
	else
		v9_error("%s has no load or store", r->o.path);
}

bool v9_mem_report(struct v9_report *r)
{
	struct v9_mem *m = (struct v9_mem *)r;
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	unsigned int parts;
	uint64_t n = 0;
	bool more;

	v9_mem_init(m);
	if (m->types)
		v9_mem_types_init(m->types, &m->r.s.syms);
	/* Types and blocks are looked up for each record. */
	parts = m->types || r->s.heap.recorded ? 1 : v9_report_parts(r);
	if (parts > MOST_THREADS)
		parts = MOST_THREADS;
	m->lock = parts > 1 ? &mutex : NULL;
	do {
		const bool again = m->again;

		read_all(m, parts);
		more = v9_mem_again(m);
		if (r->s.stopped)
			r->parts_left = again + more + m->nr_todo;
	} while (more && !r->s.stopped);
	m->lock = NULL;
	v9_mem_print(m);
	for (unsigned int op = 0; op < V9_MEM_OPS; op++)
		n += m->ops[op];
	if (!n && !r->s.stopped)
		say_why_nothing(r);
	if (m->types)
		v9_mem_types_free(m->types);
	v9_mem_free(m);
	return n;
}

/* Loads and stores of a batch of records */
static void add_beside(void *arg, struct v9_sampled *s, size_t n)
{
	struct v9_sampled mem[V9_BATCH];
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (v9_mem_accepts(arg, s[i].rec))
			mem[k++] = s[i];
	if (k)
		v9_mem_add(arg, mem, k);
}

struct v9_taker v9_mem_beside(struct v9_mem *m)
{
	m->beside = true;
	return (struct v9_taker){ .take = add_beside, .arg = m };
}

void v9_mem_print_beside(struct v9_mem *m)
{
	const struct v9_taker again = { .accepts = v9_mem_accepts, .take = v9_mem_add, .arg = m };

	while (v9_mem_again(m))
		v9_report_records(&m->r, &again, false);
	v9_mem_print(m);
}
