// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#ifndef _GNU_SOURCE
#define _GNU_SOURCE	/* struct ucred */
#endif
#include "ask.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <v9trace/base.h>

#include "util.h"

#define NAME		"v9trace"	/* of the process; of the socket in a directory (record -o DIRECTORY) */

static const struct { enum v9_recorder which; const char *ending, *option; } kinds[] = {
	{ V9_RECORDER_SUMS, ".socket", "--aggregate" },
	{ V9_RECORDER_FLIGHT, ".flight", "--flight" },
	{ V9_RECORDER_OTHER, ".control", "--control socket" },
};

const char *v9_recorder_ending(enum v9_recorder which)
{
	size_t i = 0;

	while (kinds[i].which != which)
		i++;
	return kinds[i].ending;
}

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

/* Root trusts what it was told to ask; nobody asks another user's recorder otherwise. */
static bool may_trust(const struct v9_ask *a, uid_t uid)
{
	return is_trusted(uid) || (!geteuid() && a->given);
}

static bool is_process_trusted(const struct v9_ask *a, const char *pid)
{
	char *path = v9_format("%s/%s", a->proc, pid);
	struct stat st;
	const bool is = !stat(path, &st) && may_trust(a, st.st_uid);

	free(path);
	return is;
}

static bool ends_with(const char *text, size_t n, const char *ending)
{
	const size_t end = strlen(ending);

	return n > end && !memcmp(text + n - end, ending, end);
}

/* Is it the name of the socket of a recorder that is wanted? */
static bool is_wanted(const struct v9_ask *a, const char *name, size_t n)
{
	for (size_t i = 0; i < V9_ARRAY_SIZE(kinds); i++)
		if (a->wanted & kinds[i].which && ends_with(name, n, kinds[i].ending))
			return true;
	return false;
}

/*
 * A descriptor of a socket in a directory has its path; one that is connected or listens has none. Any process may
 * have a descriptor of another user's socket.
 */
static bool is_socket(const struct v9_ask *a, int dir, const char *name)
{
	char to[PATH_MAX];
	const ssize_t n = readlinkat(dir, name, to, sizeof(to));
	struct stat st;

	return n > 0 && *to == '/' && is_wanted(a, to, (size_t)n) && !fstatat(dir, name, &st, 0) &&
	       S_ISSOCK(st.st_mode) && may_trust(a, st.st_uid);
}

/* The socket of a process, as a path that leads to it from any mount namespace; NULL: it has none. */
static char *socket_of(const struct v9_ask *a, const char *pid)
{
	char *dir = v9_format("%s/%s/fd", a->proc, pid), *found = NULL;
	struct dirent *entry;
	DIR *d = opendir(dir);

	while (d && !found && (entry = readdir(d)))
		if (is_socket(a, dirfd(d), entry->d_name))
			found = v9_format("%s/%s", dir, entry->d_name);
	if (d)
		closedir(d);
	free(dir);
	return found;
}

static char *socket_of_process(const struct v9_ask *a, const char *pid)
{
	return is_recorder(a->proc, pid) && is_process_trusted(a, pid) ? socket_of(a, pid) : NULL;
}

static bool is_number(const char *text)
{
	return *text >= '1' && *text <= '9' && !text[strspn(text, "0123456789")];
}

static void add_pid(struct v9_ask *a, const char *pid)
{
	char *all = a->several ? v9_format("%s, %s", a->several, pid) : v9_strdup(pid);

	free(a->several);
	a->several = all;
}

/*
 * The first one that may be asked: others do not hide it. With .only all are looked for, and several are none. The process
 * itself is not meant.
 */
static char *find(struct v9_ask *a)
{
	char self[V9_DIGITS_MOST + 1];
	struct dirent *entry;
	DIR *d = opendir(a->proc);
	char *found = NULL, *one;
	unsigned int n = 0;

	self[v9_decimal(self, (uint64_t)getpid())] = '\0';
	free(a->several);
	a->several = NULL;
	while (d && (!found || a->only) && (entry = readdir(d))) {
		one = is_number(entry->d_name) && strcmp(entry->d_name, self) ? socket_of_process(a, entry->d_name) : NULL;
		if (!one)
			continue;
		add_pid(a, entry->d_name);
		n++;
		free(found);
		found = one;
	}
	if (d)
		closedir(d);
	if (n < 2)
		return found;
	free(found);
	a->error = -ENOTUNIQ;
	return NULL;
}

/* The socket of a recorder that writes to @prefix; if none is there, what the first kind that is wanted would have. */
static char *socket_beside(const struct v9_ask *a, const char *prefix)
{
	char *path = NULL, *first = NULL;
	struct stat st;

	for (size_t i = 0; i < V9_ARRAY_SIZE(kinds); i++) {
		if (!(a->wanted & kinds[i].which))
			continue;
		path = v9_format("%s%s", prefix, kinds[i].ending);
		if (!stat(path, &st) && S_ISSOCK(st.st_mode)) {
			free(first);
			return path;
		}
		if (first)
			free(path);
		else
			first = path;
	}
	return first;
}

/* Sets .error if there is none. */
static char *place_of(struct v9_ask *a)
{
	char *prefix, *path;
	struct stat st = { .st_mode = 0 };

	a->error = -ENOENT;
	if (!a->given)
		return find(a);
	if (stat(a->given, &st) && is_number(a->given))
		return socket_of_process(a, a->given);
	if (S_ISSOCK(st.st_mode) || is_wanted(a, a->given, strlen(a->given)))
		return v9_strdup(a->given);
	prefix = S_ISDIR(st.st_mode) ? v9_format("%s/" NAME, a->given) : v9_strdup(a->given);
	path = socket_beside(a, prefix);
	free(prefix);
	return path;
}

char *v9_ask_pids(const char *proc, unsigned int wanted)
{
	struct v9_ask a = { .proc = proc, .wanted = wanted, .only = true };

	free(find(&a));
	return a.several;
}

/* ---- the connection */

int v9_ask_get(int fd, void *to, size_t n)
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

/* Returns 0 or -errno. */
static int dial(const struct v9_ask *a, int fd, const char *line, unsigned int patience, int *pid)
{
	const struct timeval time = { .tv_sec = patience };
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	const ssize_t len = (ssize_t)strlen(line);
	struct ucred who;
	socklen_t n = sizeof(who);

	if (strlen(a->path) >= sizeof(to.sun_path))
		return -ENAMETOOLONG;
	strcpy(to.sun_path, a->path);
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof(time));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof(time));
	if (connect(fd, (const struct sockaddr *)&to, sizeof(to)) ||
	    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &n))
		return errno == EAGAIN ? -ETIMEDOUT : -errno;
	*pid = who.pid;
	if (!may_trust(a, who.uid))
		return -EACCES;
	/* One that closes the connection at once has answered: v9_ask_get() says what. */
	return send(fd, line, (size_t)len, MSG_NOSIGNAL) == len || errno == EPIPE ? 0 : -errno;
}

int v9_ask_dial(struct v9_ask *a, const char *request, unsigned int patience)
{
	char *line;
	int fd, pid = 0;

	if (!a->path || a->error) {
		free(a->path);
		a->path = place_of(a);
	}
	if (!a->path)
		return a->error;
	line = v9_format("%s\n", request);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	a->error = fd < 0 ? -errno : dial(a, fd, line, patience, &pid);
	free(line);
	if (a->error) {
		if (fd >= 0)
			close(fd);
		return a->error;
	}
	a->pid = pid;
	return fd;
}

int v9_ask(struct v9_ask *a, const char *request, unsigned int patience, struct v9_reply *to)
{
	const int fd = v9_ask_dial(a, request, patience);
	ssize_t n;
	char byte;

	if (fd < 0)
		return fd;
	n = recv(fd, &byte, 1, MSG_PEEK);
	/* A recorder that ends closes the connection, perhaps before it has read the request. */
	if (n < 0 && errno == EAGAIN)
		a->error = -ETIMEDOUT;
	else if (!n || (n < 0 && errno == ECONNRESET))
		a->error = -ECONNREFUSED;
	else
		a->error = v9_ask_get(fd, to, sizeof(*to));
	close(fd);
	if (!a->error && (to->form != V9_REPLY_FORM || to->state > V9_STATE_WAITS || !memchr(to->text, 0, sizeof(to->text))))
		a->error = -EPROTO;
	return a->error;
}

bool v9_ask_ended(const struct v9_ask *a)
{
	return a->error == -ENOENT || a->error == -ECONNREFUSED;
}

/* "--aggregate or --flight" of those that are wanted */
static char *options_of(const struct v9_ask *a)
{
	char *all = v9_strdup("");
	unsigned int left = a->wanted;

	for (size_t i = 0; i < V9_ARRAY_SIZE(kinds); i++) {
		char *more;

		if (!(left & kinds[i].which))
			continue;
		left &= ~kinds[i].which;
		more = v9_format("%s%s%s", all, !*all ? "" : left ? ", " : " or ", kinds[i].option);
		free(all);
		all = more;
	}
	return all;
}

static char *why_none(const struct v9_ask *a)
{
	char *options = options_of(a), *why;

	if (a->pid)
		why = v9_format("the recorder (PID %d) has ended", a->pid);
	else if (!a->given)
		why = v9_format("no recorder of this user was found: it is v9trace record %s%s; root finds its own, and gives the "
				"name or the PID of another user's", options,
				a->wanted & V9_RECORDER_SUMS ? " (v9trace-aggregate.service is one)" : "");
	else if (!a->path)
		why = v9_format("PID %s is no recorder of this user with a socket: it is v9trace record %s",
				a->given, options);
	else
		why = v9_format("%s: no recorder listens there: it is v9trace record %s, and its socket is beside what it "
				"writes", a->path, options);
	free(options);
	return why;
}

char *v9_ask_why(const struct v9_ask *a)
{
	switch (a->error) {
	case -ENOENT:
	case -ECONNREFUSED:
		return why_none(a);
	case -ENOTUNIQ:
		return v9_format("several recorders run: give one of the PIDs %s", a->several);
	case -EACCES:
	case -EPERM:
		return v9_format("%s: only the user of the recorder and root may ask it", a->path);
	case -EPROTO:
		return v9_format("%s: what answers there is no recorder of this version of v9trace", a->path);
	case -ETIMEDOUT:
		return v9_format("%s: the recorder does not answer: is it stopped?", a->path);
	default:
		return v9_format("%s: %s", a->path, strerror(-a->error));
	}
}

void v9_ask_free(struct v9_ask *a)
{
	free(a->path);
	free(a->several);
	a->path = a->several = NULL;
}
