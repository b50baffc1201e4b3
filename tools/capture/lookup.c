// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "lookup.h"

void v9_lookup_init(struct v9_lookup *l, struct v9_session *s)
{
	l->s = s;
	v9_code_init(&l->code, &s->syms);
	pthread_mutex_init(&l->lock, NULL);
}

void v9_lookup_free(struct v9_lookup *l)
{
	v9_code_free(&l->code);
	pthread_mutex_destroy(&l->lock);
}

const uint8_t *v9_lookup_code(struct v9_lookup *l, uint32_t pid, uint64_t time, uint64_t addr,
			      size_t *n)
{
	const uint8_t *p;

	pthread_mutex_lock(&l->lock);
	p = v9_code_at(&l->code, pid, time, addr, n);
	pthread_mutex_unlock(&l->lock);
	return p;
}

struct v9_dso *v9_lookup_owner(struct v9_lookup *l, uint32_t pid, uint64_t time, uint64_t addr)
{
	struct v9_dso *d;

	pthread_mutex_lock(&l->lock);
	d = v9_code_owner(&l->code, pid, time, addr);
	pthread_mutex_unlock(&l->lock);
	return d;
}

void v9_lookup_place(struct v9_lookup *l, uint32_t pid, uint64_t time, uint64_t addr,
		     struct v9_place *place)
{
	pthread_mutex_lock(&l->lock);
	v9_syms_find(&l->s->syms, pid, time, addr, place);
	pthread_mutex_unlock(&l->lock);
}

const struct v9_map *v9_lookup_sole_map(struct v9_lookup *l, uint32_t pid, uint64_t time, uint64_t addr)
{
	const struct v9_map *m;

	pthread_mutex_lock(&l->lock);
	m = v9_syms_sole_map(&l->s->syms, pid, time, addr);
	pthread_mutex_unlock(&l->lock);
	return m;
}

const char *v9_lookup_comm(struct v9_lookup *l, uint32_t tid, uint64_t time, uint32_t *pid)
{
	const char *comm;

	pthread_mutex_lock(&l->lock);
	comm = v9_session_comm(l->s, tid, time, pid);
	pthread_mutex_unlock(&l->lock);
	return comm;
}

const char *v9_lookup_text(struct v9_lookup *l, const char *text, size_t n)
{
	pthread_mutex_lock(&l->lock);
	text = v9_strtab_put(&l->s->strtab, text, n);
	pthread_mutex_unlock(&l->lock);
	return text;
}
