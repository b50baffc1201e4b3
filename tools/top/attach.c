// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "attach.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../util.h"

#define PATIENCE	5		/* seconds without a byte of the answer */

static int get_array(int fd, void **to, uint64_t n, size_t size)
{
	*to = v9_alloc((n + 1) * size);
	return v9_ask_get(fd, *to, n * size);
}

static bool is_answer(const struct v9_answer *h)
{
	return h->form == V9_ANSWER_FORM && h->nr_sums <= V9_ANSWER_SUMS && h->nr_classes <= V9_ANSWER_CLASSES &&
	       h->nr_types <= V9_ANSWER_TYPES && h->nr_objects <= V9_ANSWER_OBJECTS &&
	       h->nr_kernel <= V9_ANSWER_KERNEL && h->names <= V9_ANSWER_NAMES &&
	       memchr(h->event, 0, sizeof(h->event)) &&
	       memchr(h->target, 0, sizeof(h->target));
}

static int get_objects(int fd, struct v9_live_copy *c, uint64_t n, uint64_t bytes)
{
	struct v9_answer_object *from = NULL;
	char *names = NULL;
	uint64_t at = 0;
	int err = get_array(fd, (void **)&from, n, sizeof(*from));

	if (!err)
		err = get_array(fd, (void **)&names, bytes, 1);
	c->objects = v9_alloc((n + 1) * sizeof(*c->objects));
	for (uint64_t i = 0; i < n && !err; i++) {
		struct v9_live_object *o = &c->objects[c->nr_objects++];

		if (from[i].name > bytes - at || from[i].id_size > V9_LIVE_ID) {
			err = -EPROTO;
		} else if (from[i].name) {
			*o = (struct v9_live_object){ .id_size = from[i].id_size, .file = from[i].file };
			memcpy(o->id, from[i].id, sizeof(o->id));
			o->name = v9_format("%.*s", (int)from[i].name, names + at);
		}
		at += from[i].name;
	}
	free(from);
	free(names);
	return err;
}

static bool is_class(const struct v9_live_class *c)
{
	return c->of == V9_LIVE_NONE || (c->what == V9_LIVE_LATENCY && c->of <= 16) ||
	       (c->what == V9_LIVE_SOURCE && c->of <= UINT16_MAX);
}

/* What others rely on; a sum of an object that is not there is of an unknown one. */
static int check(const struct v9_live_copy *c)
{
	for (size_t i = 0; i < c->nr_classes; i++)
		if (!is_class(&c->classes[i]))
			return -EPROTO;
	for (size_t i = 0; i < c->nr_kernel; i++)
		if (c->kernel[i].object >= c->nr_objects || !c->objects[c->kernel[i].object].name)
			return -EPROTO;
	return 0;
}

static int read_answer(int fd, struct v9_answer *h, struct v9_live_copy *c)
{
	int err = v9_ask_get(fd, h, sizeof(*h));

	if (!err && !is_answer(h))
		err = -EPROTO;
	if (!err)
		err = get_array(fd, (void **)&c->sums, h->nr_sums, sizeof(*c->sums));
	if (!err)
		err = get_array(fd, (void **)&c->classes, h->nr_classes, sizeof(*c->classes));
	if (!err)
		err = get_array(fd, (void **)&c->types, h->nr_types, sizeof(*c->types));
	if (!err)
		err = get_array(fd, (void **)&c->kernel, h->nr_kernel, sizeof(*c->kernel));
	if (!err)
		err = get_objects(fd, c, h->nr_objects, h->names);
	if (err)
		return err;
	c->nr_sums = h->nr_sums;
	c->nr_classes = h->nr_classes;
	c->nr_types = h->nr_types;
	c->nr_kernel = h->nr_kernel;
	c->evicted = h->evicted;
	c->records = h->records;
	c->trace_bytes = h->trace_bytes;
	memcpy(c->lost, h->lost, sizeof(c->lost));
	return check(c);
}

int v9_attach_look(struct v9_attach *a, struct v9_live_copy *to)
{
	struct v9_live_copy copy = { .records = 0 };
	struct v9_answer head;
	const int fd = v9_ask_dial(&a->ask, V9_ASK_SUMS, PATIENCE);

	if (fd < 0)
		return fd;
	a->ask.error = read_answer(fd, &head, &copy);
	close(fd);
	if (a->ask.error) {
		v9_live_copy_free(&copy);
		return a->ask.error;
	}
	v9_live_copy_free(to);
	*to = copy;
	a->head = head;
	return 0;
}
