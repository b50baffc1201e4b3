// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#ifndef _GNU_SOURCE
#define _GNU_SOURCE	/* accept4(), struct ucred, O_PATH */
#endif
#include "serve.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "../util.h"
#include "worker.h"

#define WAITING		8	/* connections */
#define MS		UINT64_C(1000000)	/* ns */
#define PATIENCE	4000	/* ms that the other program may take for an answer; it waits longer itself */

struct v9_server {
	struct v9_worker *worker;
	char *path;
	int listens, stops;
	int place;			/* the socket in its directory: what others find in /proc/PID/fd */
	pthread_t thread;
	char event[V9_ANSWER_EVENT];
	uint64_t period;
};

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

/* A connection that is answered */
struct reader {
	int fd, stops;
	uint64_t until;			/* ns of CLOCK_MONOTONIC: the end of PATIENCE */
};

/* Returns false if the server stops, or the reader has no time left. */
static bool wait_for(const struct reader *r)
{
	struct pollfd fds[] = { { .fd = r->fd, .events = POLLOUT }, { .fd = r->stops, .events = POLLIN } };
	const uint64_t now = v9_clock_ns(CLOCK_MONOTONIC);
	const int n = now < r->until ? poll(fds, V9_ARRAY_SIZE(fds), (int)((r->until - now) / MS) + 1) : 0;

	return n < 0 ? errno == EINTR : n && !fds[1].revents;
}

static bool put(const struct reader *r, const void *data, size_t n)
{
	const char *p = data;

	while (n) {
		const ssize_t sent = wait_for(r) ? send(r->fd, p, n, MSG_NOSIGNAL | MSG_DONTWAIT) : 0;

		if (sent < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (sent <= 0)
			return false;
		p += sent;
		n -= (size_t)sent;
	}
	return true;
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

static void answer(struct v9_server *s, int fd)
{
	struct moment m = { .head.period = s->period };
	struct v9_live_copy *c = &m.copy;
	struct v9_answer *h = &m.head;
	struct v9_blob objects = { 0 }, names = { 0 };
	struct reader r = { .fd = fd, .stops = s->stops };

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
	memcpy(h->event, s->event, sizeof(h->event));
	pack_objects(c, h->nr_objects, &objects, &names);
	drop_nameless(c, &objects, h);
	h->names = names.len;
	h->cpu = v9_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	r.until = v9_clock_ns(CLOCK_MONOTONIC) + PATIENCE * MS;
	if (put(&r, h, sizeof(*h)) && put(&r, c->sums, c->nr_sums * sizeof(*c->sums)) &&
	    put(&r, c->classes, h->nr_classes * sizeof(*c->classes)) &&
	    put(&r, c->types, h->nr_types * sizeof(*c->types)) &&
	    put(&r, c->kernel, h->nr_kernel * sizeof(*c->kernel)) && put(&r, objects.data, objects.len))
		put(&r, names.data, names.len);
	v9_blob_free(&objects);
	v9_blob_free(&names);
	v9_live_copy_free(c);
}

/* The mode of the socket says it, too; some file systems do not keep it. */
static bool may_ask(int fd)
{
	struct ucred who;
	socklen_t n = sizeof(who);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &n) && (!who.uid || who.uid == geteuid());
}

static void *serve(void *arg)
{
	struct v9_server *s = arg;
	struct pollfd fds[] = { { .fd = s->listens, .events = POLLIN }, { .fd = s->stops, .events = POLLIN } };

	while (poll(fds, V9_ARRAY_SIZE(fds), -1) < 0 || !fds[1].revents) {
		const int fd = accept4(s->listens, NULL, NULL, SOCK_CLOEXEC);

		if (fd < 0) {
			/* No descriptor is free: later there may be one. */
			if (errno != EAGAIN && errno != EINTR && poll(&fds[1], 1, 1000) > 0)
				break;
			continue;
		}
		if (may_ask(fd))
			answer(s, fd);
		close(fd);
	}
	return NULL;
}

/* ---- the socket */

/*
 * Is it the socket of a recorder that ended without removing it? connect() refuses a file in the same way. It does
 * not wait for a recorder that is stopped.
 */
static bool is_left_over(const struct sockaddr_un *to)
{
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct stat st;
	bool refused;

	if (fd < 0)
		return false;
	refused = !lstat(to->sun_path, &st) && S_ISSOCK(st.st_mode) &&
		  connect(fd, (const struct sockaddr *)to, sizeof(*to)) && errno == ECONNREFUSED;
	close(fd);
	return refused;
}

/* bind() gives the file the mode of the descriptor less the umask, so fchmod() comes first. */
static int bind_to(int fd, const char *path)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	const struct sockaddr *name = (const struct sockaddr *)&to;

	if (strlen(path) >= sizeof(to.sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	strcpy(to.sun_path, path);
	if (fchmod(fd, 0600))
		return -1;
	if (!bind(fd, name, sizeof(to)))
		return 0;
	if (errno != EADDRINUSE)
		return -1;
	if (is_left_over(&to))
		return unlink(path) ? -1 : bind(fd, name, sizeof(to));
	errno = EADDRINUSE;
	return -1;
}

/*
 * Between bind() and listen() a socket refuses connections, as one that was left over: recorders that start at once
 * wait for each other, by a lock of the directory. Any user may hold such a lock, so after a second it goes on without
 * it. Returns a descriptor that has the lock until it is closed, or -1.
 */
static int lock_directory(const char *path)
{
	char *dir = v9_strdup(path), *end = strrchr(dir, '/');
	int fd;

	if (end)
		end[1] = 0;
	fd = open(end ? dir : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(dir);
	for (int i = 0; fd >= 0 && i < 100 && flock(fd, LOCK_EX | LOCK_NB); i++)
		usleep(10000);
	return fd;
}

/* Returns false with errno set. */
static bool listen_at(struct v9_server *s, const char *path)
{
	const int lock = lock_directory(path);
	bool listens = false;
	int error;

	if (!bind_to(s->listens, path)) {
		s->place = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		listens = s->place >= 0 && !listen(s->listens, WAITING);
	}
	error = errno;
	if (lock >= 0)
		close(lock);
	errno = error;
	return listens;
}

/* Another recorder may have made its own socket there meanwhile. */
static bool is_ours(const struct v9_server *s)
{
	struct stat ours, now;

	return s->place >= 0 && !fstat(s->place, &ours) && !lstat(s->path, &now) && ours.st_dev == now.st_dev &&
	       ours.st_ino == now.st_ino;
}

static void free_server(struct v9_server *s)
{
	const int error = errno;

	if (is_ours(s))
		unlink(s->path);
	if (s->listens >= 0)
		close(s->listens);
	if (s->stops >= 0)
		close(s->stops);
	if (s->place >= 0)
		close(s->place);
	free(s->path);
	free(s);
	errno = error;
}

struct v9_server *v9_serve(const char *path, struct v9_worker *w, const char *event, uint64_t period)
{
	struct v9_server *s = v9_alloc(sizeof(*s));

	s->worker = w;
	s->path = v9_strdup(path);
	s->period = period;
	snprintf(s->event, sizeof(s->event), "%s", event);
	s->place = -1;
	s->stops = eventfd(0, EFD_CLOEXEC);
	s->listens = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (s->stops >= 0 && s->listens >= 0 && listen_at(s, path)) {
		errno = pthread_create(&s->thread, NULL, serve, s);
		if (!errno)
			return s;
	}
	free_server(s);
	return NULL;
}

void v9_serve_stop(struct v9_server *s)
{
	const uint64_t one = 1;

	if (!s)
		return;
	while (write(s->stops, &one, sizeof(one)) < 0 && errno == EINTR)
		;
	pthread_join(s->thread, NULL);
	free_server(s);
}
