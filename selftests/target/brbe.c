// SPDX-License-Identifier: GPL-2.0-only
/* See brbe.h. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "brbe.h"

#define SOURCES		"/sys/bus/event_source/devices"
#define DATA_PAGES	128		/* what an ordinary user may lock */

int brbe_find(struct unit *unit)
{
	struct dirent *d;
	int err = -ENODEV;
	DIR *dir;

	if (!unit_find(unit, "v9_brbe")) {
		unit->ours = true;
		return 0;
	}
	dir = opendir(SOURCES);
	while (dir && err && (d = readdir(dir)))
		if (!strncmp(d->d_name, "armv8_pmuv3", 11) && !unit_find(unit, d->d_name) &&
		    unit_has(unit, "caps/branches"))
			err = 0;
	if (dir)
		closedir(dir);
	return err;
}

void brbe_attr(const struct unit *unit, struct perf_event_attr *attr, unsigned int event,
	       uint64_t period)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->type = unit->type;
	attr->config = event;
	attr->sample_period = period;
	attr->sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_CPU |
			    PERF_SAMPLE_PERIOD | PERF_SAMPLE_BRANCH_STACK;
	attr->branch_sample_type = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER |
				   PERF_SAMPLE_BRANCH_TYPE_SAVE;
	attr->disabled = 1;
	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
}

const char *brbe_missing(const struct unit *unit)
{
	struct perf_event_attr attr;

	brbe_attr(unit, &attr, BRBE_CYCLES, 100003);
	return ring_try(&attr) == -EACCES ? "CAP_PERFMON missing (perf_event_paranoid)" : NULL;
}

int brbe_open(struct brbe_ring *ring, const struct perf_event_attr *attr, pid_t pid, int cpu)
{
	const size_t page = sysconf(_SC_PAGESIZE);

	memset(ring, 0, sizeof(*ring));
	ring->fd = ring_event(attr, pid, cpu);
	if (ring->fd < 0)
		return ring->fd;
	ring->sample_type = attr->sample_type;
	ring->size = getuid() ? DATA_PAGES * 4096 : 16 << 20;
	ring->page = mmap(NULL, page + ring->size, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);
	if (ring->page == MAP_FAILED) {
		int err = -errno;

		close(ring->fd);
		return err;
	}
	return 0;
}

int brbe_run_on(const struct unit *unit, pid_t pid)
{
	struct perf_event_attr attr;
	struct brbe_ring ring;

	brbe_attr(unit, &attr, BRBE_CYCLES, UINT64_C(1) << 40);
	attr.disabled = attr.exclude_kernel = attr.exclude_hv = 0;
	attr.exclude_user = 1;
	attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_KERNEL;
	return brbe_open(&ring, &attr, pid, -1);
}

void brbe_close(struct brbe_ring *ring)
{
	munmap(ring->page, sysconf(_SC_PAGESIZE) + ring->size);
	close(ring->fd);
}

/* Bytes of the ring, which is not read while it is written over: only the end can wrap. */
static void copy(const struct brbe_ring *ring, uint64_t at, void *to, size_t n)
{
	const uint8_t *data = (const uint8_t *)ring->page + sysconf(_SC_PAGESIZE);

	for (size_t i = 0; i < n; i++)
		((uint8_t *)to)[i] = data[(at + i) % ring->size];
}

static bool parse(struct brbe_ring *ring, uint64_t at)
{
	struct brbe_sample *s = &ring->sample;
	uint32_t pair[2];

	memset(s, 0, sizeof(*s));
#define TAKE(to, n) (copy(ring, at, to, n), at += (n))
	if (ring->sample_type & PERF_SAMPLE_IP)
		TAKE(&s->ip, 8);
	if (ring->sample_type & PERF_SAMPLE_TID) {
		TAKE(pair, 8);
		s->pid = pair[0];
		s->tid = pair[1];
	}
	if (ring->sample_type & PERF_SAMPLE_CPU) {
		TAKE(pair, 8);
		s->cpu = pair[0];
	}
	if (ring->sample_type & PERF_SAMPLE_PERIOD)
		TAKE(&s->period, 8);
	if (ring->sample_type & PERF_SAMPLE_RAW) {
		static uint8_t raw[4096];

		TAKE(&s->raw_size, 4);
		if (s->raw_size > sizeof(raw))
			return false;
		TAKE(raw, s->raw_size);
		s->raw = raw;
	}
	if (ring->sample_type & PERF_SAMPLE_BRANCH_STACK) {
		TAKE(&s->nr, 8);
		if (s->nr > BRBE_STACK_MAX)
			return false;
		TAKE(s->entry, s->nr * sizeof(s->entry[0]));
	}
#undef TAKE
	return true;
}

bool brbe_next(struct brbe_ring *ring)
{
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);

	while (ring->at < head) {
		struct perf_event_header h;
		uint64_t at = ring->at;

		copy(ring, at, &h, sizeof(h));
		if (h.size < sizeof(h))
			return false;
		ring->at += h.size;
		ring->lost += h.type == PERF_RECORD_LOST;
		if (h.type == PERF_RECORD_SAMPLE && parse(ring, at + sizeof(h))) {
			ring->periods += ring->sample.period;
			return true;
		}
	}
	__atomic_store_n(&ring->page->data_tail, ring->at, __ATOMIC_RELEASE);
	return false;
}

#define PLACE(name) extern const char wander_##name[];
PLACE(loop) PLACE(cond) PLACE(call) PLACE(no_call) PLACE(cond2) PLACE(ind_call) PLACE(no_ind_call)
PLACE(cond3) PLACE(jump) PLACE(jumped) PLACE(no_jump) PLACE(direct) PLACE(last) PLACE(back)
PLACE(return) PLACE(leaf) PLACE(leaf_cond) PLACE(leaf_end) PLACE(leaf_return)

struct walk {
	struct brbe_step *step;
	size_t n;
};

static void take(struct walk *w, const char *from, const char *to, unsigned int type)
{
	w->step[w->n++] = (struct brbe_step){ (uintptr_t)from, (uintptr_t)to, type };
}

static void leaf(struct walk *w, uint64_t x, const char *back)
{
	if (x >> 23 & 1)
		take(w, wander_leaf_cond, wander_leaf_end, PERF_BR_COND);
	take(w, wander_leaf_return, back, PERF_BR_RET);
}

struct brbe_step *brbe_path(uint64_t rounds, uint64_t seed, size_t *n)
{
	struct walk w = { .step = calloc(rounds * 10, sizeof(struct brbe_step)) };
	uint64_t x = seed;

	if (!w.step)
		return NULL;
	for (uint64_t i = 0; i < rounds; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		if (x >> 20 & 1) {
			take(&w, wander_call, wander_leaf, PERF_BR_CALL);
			leaf(&w, x, wander_no_call);
		} else {
			take(&w, wander_cond, wander_no_call, PERF_BR_COND);
		}
		if (x >> 21 & 1) {
			take(&w, wander_cond2, wander_no_ind_call, PERF_BR_COND);
		} else {
			take(&w, wander_ind_call, wander_leaf, PERF_BR_IND_CALL);
			leaf(&w, x, wander_no_ind_call);
		}
		if (x >> 22 & 1)
			take(&w, wander_jump, wander_jumped, PERF_BR_IND);
		else
			take(&w, wander_cond3, wander_no_jump, PERF_BR_COND);
		take(&w, wander_direct, wander_last, PERF_BR_UNCOND);
		if (i + 1 < rounds)
			take(&w, wander_back, wander_loop, PERF_BR_COND);
	}
	*n = w.n;
	return w.step;
}

static bool same(const struct perf_branch_entry *e, const struct brbe_step *s)
{
	return e->from == s->from && e->to == s->to && e->type == s->type;
}

long brbe_place(const struct brbe_sample *s, const struct brbe_step *path, size_t n, long near)
{
	size_t nr = 0, first = 0;
	long best = -1;

	/* What comes after wander() is on top. */
	while (first < s->nr && (!brbe_in_wander(&s->entry[first]) ||
				 s->entry[first].from == (uintptr_t)wander_return))
		first++;
	while (first + nr < s->nr && brbe_in_wander(&s->entry[first + nr]))
		nr++;
	if (!nr)
		return 0;
	for (size_t at = nr - 1; at < n; at++) {
		size_t i = 0;

		while (i < nr && same(&s->entry[first + i], &path[at - i]))
			i++;
		if (i == nr && (best < 0 || labs((long)at + 1 - near) < labs(best - near)))
			best = at + 1;
	}
	return best;
}

static struct {
	const char *dir, *file, *lifted;
	char before[16];
} limits[] = {
	/* In this order: perf takes no rate while the other one is 0. */
	{ "/proc/sys/kernel", "perf_event_max_sample_rate", "1000000", "" },
	{ "/proc/sys/kernel", "perf_cpu_time_max_percent", "0", "" },
	{ "/sys/module/v9_brbe/parameters", "max_age", "60000000", "" },
};

#define LIMITS	(sizeof(limits) / sizeof(limits[0]))

static void set_limit(size_t i, const char *value)
{
	char path[96];

	snprintf(path, sizeof(path), "%s/%s", limits[i].dir, limits[i].file);
	write_text(path, value);
}

void brbe_slow_begin(void)
{
	for (size_t i = 0; !getuid() && i < LIMITS; i++) {
		read_text(limits[i].dir, limits[i].file, limits[i].before,
			  sizeof(limits[i].before));
		set_limit(i, limits[i].lifted);
	}
}

void brbe_slow_end(void)
{
	for (size_t i = LIMITS; !getuid() && i--;)
		set_limit(i, limits[i].before);
}

void brbe_max_age(const char *us)
{
	limits[2].lifted = us;
}
