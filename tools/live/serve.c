// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "serve.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../ask.h"
#include "../util.h"
#include "worker.h"

/* What is sent, of one moment */
struct moment {
	struct v9_live_copy copy;
	struct v9_answer head;
};

static void look(void *arg, struct v9_live *l)
{
	struct moment *m = arg;

	v9_live_ask_classes(l);
	v9_live_copy_take(&m->copy, l, V9_ANSWER_SUMS);
	m->head.begin = l->profile.begin;
	m->head.cost = l->profile.cost;
	m->head.lines = l->setup.lines;
	if (v9_live_period(l))
		m->head.period = v9_live_period(l);
}

static size_t at_most(size_t n, size_t most)
{
	return n < most ? n : most;
}

/* Objects whose names find no room, and those beyond the number of an answer, are free entries. */
static void pack_objects(const struct v9_live_copy *c, size_t n, struct v9_blob *objects, struct v9_blob *names)
{
	for (size_t i = 0; i < n; i++) {
		const struct v9_live_object *o = &c->objects[i];
		struct v9_answer_object to = { .id_size = o->id_size, .file = o->file };
		const size_t len = o->name ? strlen(o->name) : 0;

		if (len <= UINT16_MAX && names->len + len <= V9_ANSWER_NAMES) {
			to.name = (uint16_t)len;
			v9_blob_put(names, o->name, len);
		}
		memcpy(to.id, o->id, sizeof(to.id));
		v9_blob_put(objects, &to, sizeof(to));
	}
}

/* A mapping of the kernel has an object with a name. Those that have none in this answer are counted as lost. */
static void drop_nameless(const struct v9_live_copy *c, const struct v9_blob *objects, struct v9_answer *h)
{
	const struct v9_answer_object *o = (const void *)objects->data;
	uint64_t n = 0;

	for (uint64_t i = 0; i < h->nr_kernel; i++)
		if (c->kernel[i].object < h->nr_objects && o[c->kernel[i].object].name)
			c->kernel[n++] = c->kernel[i];
	h->lost[V9_LOSS_MAPS] += h->nr_kernel - n;
	h->nr_kernel = n;
}

static void answer(const struct v9_server *s, struct v9_asker *r)
{
	struct moment m = { .head.period = s->period, .head.paused = s->paused };
	struct v9_live_copy *c = &m.copy;
	struct v9_answer *h = &m.head;
	struct v9_blob objects = { 0 }, names = { 0 };

	v9_worker_look(s->worker, look, &m);
	h->form = V9_ANSWER_FORM;
	h->nr_sums = c->nr_sums;
	h->nr_classes = at_most(c->nr_classes, V9_ANSWER_CLASSES);
	h->nr_types = at_most(c->nr_types, V9_ANSWER_TYPES);
	h->nr_kernel = at_most(c->nr_kernel, V9_ANSWER_KERNEL);
	h->nr_objects = at_most(c->nr_objects, V9_ANSWER_OBJECTS);
	h->evicted = c->evicted;
	h->records = c->records;
	h->trace_bytes = c->trace_bytes;
	memcpy(h->lost, c->lost, sizeof(h->lost));
	snprintf(h->event, sizeof(h->event), "%s", s->event);
	snprintf(h->target, sizeof(h->target), "%s", s->target);
	pack_objects(c, h->nr_objects, &objects, &names);
	drop_nameless(c, &objects, h);
	h->names = names.len;
	h->cpu = v9_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	if (v9_asker_put(r, h, sizeof(*h)) && v9_asker_put(r, c->sums, c->nr_sums * sizeof(*c->sums)) &&
	    v9_asker_put(r, c->classes, h->nr_classes * sizeof(*c->classes)) &&
	    v9_asker_put(r, c->types, h->nr_types * sizeof(*c->types)) &&
	    v9_asker_put(r, c->kernel, h->nr_kernel * sizeof(*c->kernel)) && v9_asker_put(r, objects.data, objects.len))
		v9_asker_put(r, names.data, names.len);
	v9_blob_free(&objects);
	v9_blob_free(&names);
	v9_live_copy_free(c);
}

bool v9_serve(void *server, struct v9_asker *r, const char *request)
{
	if (strcmp(request, V9_ASK_SUMS))
		return false;
	answer(server, r);
	return true;
}
