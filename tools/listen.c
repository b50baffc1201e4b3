// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#ifndef _GNU_SOURCE
#define _GNU_SOURCE	/* accept4(), struct ucred, O_PATH, pipe2() */
#endif
#include "listen.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <v9trace/base.h>

#include "util.h"

#define WAITING		8	/* connections */
#define MS		UINT64_C(1000000)	/* ns */
#define PATIENCE	4000	/* ms that the other program may take for its part; it waits longer itself */

struct v9_socket {
	v9_answer_fn answer;		/* NULL: all requests go to .requests */
	void *arg;
	char *path;
	int listens, stops;
	int requests[2];		/* pipe of struct v9_request; its other end does not block */
	int place;			/* the socket in its directory: what others find in /proc/PID/fd */
	pthread_t thread;
};

struct v9_asker {
	int fd, stops;
	uint64_t until;			/* ns of CLOCK_MONOTONIC: the end of PATIENCE; 0: it begins with the next wait */
};

/* Returns false if the thread stops, or the other program has no time left. */
static bool wait_for(struct v9_asker *r, short what)
{
	struct pollfd fds[] = { { .fd = r->fd, .events = what }, { .fd = r->stops, .events = POLLIN } };
	const uint64_t now = v9_clock_ns(CLOCK_MONOTONIC);
	int n;

	if (!r->until)
		r->until = now + PATIENCE * MS;
	n = now < r->until ? poll(fds, V9_ARRAY_SIZE(fds), (int)((r->until - now) / MS) + 1) : 0;
	return n < 0 ? errno == EINTR : n && !fds[1].revents;
}

bool v9_asker_put(struct v9_asker *r, const void *data, size_t n)
{
	const char *p = data;

	while (n) {
		ssize_t sent;

		if (!wait_for(r, POLLOUT))
			return false;
		sent = send(r->fd, p, n, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (sent >= 0) {
			p += sent;
			n -= (size_t)sent;
		} else if (errno != EINTR && errno != EAGAIN) {
			return false;
		}
	}
	return true;
}

/* Reads a line into .text, without its end. Returns false if none came in time, or it is too long. */
static bool get_request(struct v9_asker *r, struct v9_request *q)
{
	size_t n = 0;

	while (n < sizeof(q->text)) {
		ssize_t got;

		if (!wait_for(r, POLLIN))
			return false;
		got = recv(r->fd, q->text + n, 1, MSG_DONTWAIT);
		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (got <= 0)
			return false;
		if (q->text[n] == '\n') {
			q->text[n] = '\0';
			return true;
		}
		n++;
	}
	return false;
}

/* The mode of the socket says it, too; some file systems do not keep it. */
static bool may_ask(int fd)
{
	struct ucred who;
	socklen_t n = sizeof(who);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &n) && (!who.uid || who.uid == geteuid());
}

/* Returns true if the connection is left to whoever reads .requests. */
static bool take(struct v9_socket *l, int fd)
{
	struct v9_asker r = { .fd = fd, .stops = l->stops };
	struct v9_request q = { .fd = fd };

	if (!get_request(&r, &q))
		return false;
	r.until = 0;
	if (l->answer && l->answer(l->arg, &r, q.text))
		return false;
	return write(l->requests[1], &q, sizeof(q)) == sizeof(q);
}

static void *serve(void *arg)
{
	struct v9_socket *l = arg;
	struct pollfd fds[] = { { .fd = l->listens, .events = POLLIN }, { .fd = l->stops, .events = POLLIN } };

	while (poll(fds, V9_ARRAY_SIZE(fds), -1) < 0 || !fds[1].revents) {
		const int fd = accept4(l->listens, NULL, NULL, SOCK_CLOEXEC);

		if (fd < 0) {
			/* No descriptor is free: later there may be one. */
			if (errno != EAGAIN && errno != EINTR && poll(&fds[1], 1, 1000) > 0)
				break;
			continue;
		}
		if (!may_ask(fd) || !take(l, fd))
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
static bool listen_at(struct v9_socket *l, const char *path)
{
	const int lock = lock_directory(path);
	bool listens = false;
	int error;

	if (!bind_to(l->listens, path)) {
		l->place = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		listens = l->place >= 0 && !listen(l->listens, WAITING);
	}
	error = errno;
	if (lock >= 0)
		close(lock);
	errno = error;
	return listens;
}

/* Another recorder may have made its own socket there meanwhile. */
static bool is_ours(const struct v9_socket *l)
{
	struct stat ours, now;

	return l->place >= 0 && !fstat(l->place, &ours) && !lstat(l->path, &now) && ours.st_dev == now.st_dev &&
	       ours.st_ino == now.st_ino;
}

static void free_socket(struct v9_socket *l)
{
	const int error = errno;
	struct v9_request q;

	if (is_ours(l))
		unlink(l->path);
	/* Nobody answers these any more. */
	while (l->requests[0] >= 0 && read(l->requests[0], &q, sizeof(q)) == sizeof(q))
		close(q.fd);
	for (int i = 0; i < 2; i++)
		if (l->requests[i] >= 0)
			close(l->requests[i]);
	if (l->listens >= 0)
		close(l->listens);
	if (l->stops >= 0)
		close(l->stops);
	if (l->place >= 0)
		close(l->place);
	free(l->path);
	free(l);
	errno = error;
}

struct v9_socket *v9_listen(const char *path, v9_answer_fn answer, void *arg)
{
	struct v9_socket *l = v9_alloc(sizeof(*l));

	l->answer = answer;
	l->arg = arg;
	l->path = v9_strdup(path);
	l->place = -1;
	if (pipe2(l->requests, O_CLOEXEC | O_NONBLOCK))
		l->requests[0] = l->requests[1] = -1;
	l->stops = eventfd(0, EFD_CLOEXEC);
	l->listens = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (l->requests[0] >= 0 && l->stops >= 0 && l->listens >= 0 && listen_at(l, path)) {
		errno = pthread_create(&l->thread, NULL, serve, l);
		if (!errno)
			return l;
	}
	free_socket(l);
	return NULL;
}

int v9_listen_requests(const struct v9_socket *l)
{
	return l ? l->requests[0] : -1;
}

void v9_listen_stop(struct v9_socket *l)
{
	const uint64_t one = 1;

	if (!l)
		return;
	while (write(l->stops, &one, sizeof(one)) < 0 && errno == EINTR)
		;
	pthread_join(l->thread, NULL);
	free_socket(l);
}
