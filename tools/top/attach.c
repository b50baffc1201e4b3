// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#ifndef _GNU_SOURCE
#define _GNU_SOURCE	/* struct ucred */
#endif
#include "attach.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "../util.h"

#define NAME		"v9trace"	/* of the process; of the socket in a directory (record -o DIRECTORY) */
#define PATIENCE	5		/* seconds without a byte of the answer */

/* ---- which one */

static bool is_recorder(const char *proc, const char *pid)
{
	char *path = v9_format("%s/%s/comm", proc, pid), *comm = v9_read_line(path);
	const bool is = comm && !strcmp(comm, NAME);

	free(comm);
	free(path);
	return is;
}

static bool is_trusted(uid_t uid)
{
	return !uid || uid == geteuid();
}

/* Does the process belong to root or to this user? */
static bool is_process_trusted(const char *proc, const char *pid)
{
	char *path = v9_format("%s/%s", proc, pid);
	struct stat st;
	const bool is = !stat(path, &st) && is_trusted(st.st_uid);

	free(path);
	return is;
}

/*
 * A descriptor of a socket in a directory has its path; one that is connected or listens has none. Any process may
 * have a descriptor of another user's socket.
 */
static bool is_socket(int dir, const char *name)
{
	char to[4096];
	const ssize_t n = readlinkat(dir, name, to, sizeof(to));
	const size_t end = sizeof(V9_SOCKET_ENDING) - 1;
	struct stat st;

	return n > (ssize_t)end && *to == '/' && !memcmp(to + n - end, V9_SOCKET_ENDING, end) &&
	       !fstatat(dir, name, &st, 0) && S_ISSOCK(st.st_mode) && is_trusted(st.st_uid);
}

/* The socket of a process, as a path that leads to it from any mount namespace; NULL: it has none. */
static char *socket_of(const char *proc, const char *pid)
{
	char *dir = v9_format("%s/%s/fd", proc, pid), *found = NULL;
	struct dirent *entry;
	DIR *d = opendir(dir);

	while (d && !found && (entry = readdir(d)))
		if (is_socket(dirfd(d), entry->d_name))
			found = v9_format("%s/%s", dir, entry->d_name);
	if (d)
		closedir(d);
	free(dir);
	return found;
}

/* The first one that may be attached to: others do not hide it. */
static char *find(const char *proc)
{
	struct dirent *entry;
	DIR *d = opendir(proc);
	char *found = NULL;

	while (d && !found && (entry = readdir(d)))
		if (*entry->d_name >= '1' && *entry->d_name <= '9' && is_recorder(proc, entry->d_name) &&
		    is_process_trusted(proc, entry->d_name))
			found = socket_of(proc, entry->d_name);
	if (d)
		closedir(d);
	return found;
}

static char *place_of(const struct v9_attach *a)
{
	struct stat st;

	if (!a->given)
		return find(a->proc);
	if (!stat(a->given, &st) && S_ISDIR(st.st_mode))
		return v9_format("%s/" NAME V9_SOCKET_ENDING, a->given);
	return v9_strdup(a->given);
}

/* ---- what it says */

/* Returns 0 or -errno; the end of the answer comes too early: -EPROTO. */
static int get(int fd, void *to, size_t n)
{
	char *p = to;

	while (n) {
		const ssize_t got = recv(fd, p, n, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return errno == EAGAIN ? -ETIMEDOUT : -errno;
		if (!got)
			return -EPROTO;
		p += got;
		n -= (size_t)got;
	}
	return 0;
}

static int get_array(int fd, void **to, uint64_t n, size_t size)
{
	*to = v9_alloc((n + 1) * size);
	return get(fd, *to, n * size);
}

static bool is_answer(const struct v9_answer *h)
{
	return h->form == V9_ANSWER_FORM && h->nr_sums <= V9_ANSWER_SUMS && h->nr_classes <= V9_ANSWER_CLASSES &&
	       h->nr_types <= V9_ANSWER_TYPES && h->nr_objects <= V9_ANSWER_OBJECTS &&
	       h->nr_kernel <= V9_ANSWER_KERNEL && h->names <= V9_ANSWER_NAMES &&
	       memchr(h->event, 0, sizeof(h->event));
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
	int err = get(fd, h, sizeof(*h));

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

/* Root trusts what it was told to attach to; nobody attaches to another user's recorder otherwise. */
static bool may_trust(const struct v9_attach *a, const struct ucred *who)
{
	return is_trusted(who->uid) || (!geteuid() && a->given);
}

static int dial(const struct v9_attach *a, int fd, int *pid)
{
	const struct timeval patience = { .tv_sec = PATIENCE };
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	struct ucred who;
	socklen_t n = sizeof(who);

	if (strlen(a->path) >= sizeof(to.sun_path))
		return -ENAMETOOLONG;
	strcpy(to.sun_path, a->path);
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	if (connect(fd, (const struct sockaddr *)&to, sizeof(to)) ||
	    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &n))
		return errno == EAGAIN ? -ETIMEDOUT : -errno;
	*pid = who.pid;
	return may_trust(a, &who) ? 0 : -EACCES;
}

int v9_attach_look(struct v9_attach *a, struct v9_live_copy *to)
{
	struct v9_live_copy copy = { .records = 0 };
	struct v9_answer head;
	int fd, pid = 0;

	if (!a->path || (a->error && !a->given)) {
		free(a->path);
		a->path = place_of(a);
	}
	a->error = a->path ? 0 : -ENOENT;
	if (a->error)
		return a->error;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	a->error = fd < 0 ? -errno : dial(a, fd, &pid);
	if (!a->error)
		a->error = read_answer(fd, &head, &copy);
	if (fd >= 0)
		close(fd);
	if (a->error) {
		v9_live_copy_free(&copy);
		return a->error;
	}
	v9_live_copy_free(to);
	*to = copy;
	a->head = head;
	a->pid = pid;
	return 0;
}

bool v9_attach_ended(const struct v9_attach *a)
{
	return a->error == -ENOENT || a->error == -ECONNREFUSED;
}

char *v9_attach_why(const struct v9_attach *a)
{
	switch (a->error) {
	case -ENOENT:
	case -ECONNREFUSED:
		if (a->pid)
			return v9_format("the recorder (PID %d) has ended", a->pid);
		if (!a->given)
			return v9_strdup("no recorder of this user or of root was found: it is v9trace record "
					 "--aggregate, or v9trace-aggregate.service; root attaches to that of another "
					 "user by --attach=PATH alone");
		return v9_format("%s: no recorder listens there: it is v9trace record --aggregate, and its socket is "
				 "beside its profiles", a->path);
	case -EACCES:
	case -EPERM:
		return v9_format("%s: only the user of the recorder and root may attach", a->path);
	case -EPROTO:
		return v9_format("%s: what answers there is no recorder of this version of v9trace", a->path);
	case -ETIMEDOUT:
		return v9_format("%s: no answer for %d seconds: is the recorder stopped?", a->path, PATIENCE);
	default:
		return v9_format("%s: %s", a->path, strerror(-a->error));
	}
}

void v9_attach_free(struct v9_attach *a)
{
	free(a->path);
	a->path = NULL;
}
