// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "control.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../listen.h"
#include "../util.h"

static int bad(const char *arg, const char *why)
{
	v9_error("--control %s: %s (fifo:COMMANDS[,ACK], fd:NUMBER[,NUMBER], or socket)", arg, why);
	return -EINVAL;
}

/* Opened for reading and writing, a pipe has no end while nobody else has it open. */
static int open_fifo(const char *path, int *fd)
{
	struct stat st;

	*fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (*fd >= 0 && !fstat(*fd, &st) && S_ISFIFO(st.st_mode))
		return 0;
	v9_error("--control: %s: %s", path, *fd < 0 ? strerror(errno) : "no pipe (mkfifo)");
	return *fd < 0 ? -errno : -ENXIO;
}

static int take_number(const char *arg, const char *text, int *fd)
{
	uint64_t n;

	if (!v9_take_number(&text, 10, INT_MAX, &n) || *text)
		return bad(arg, "not the number of a file");
	if (fcntl((int)n, F_GETFL) < 0)
		return bad(arg, "no such file is open");
	*fd = (int)n;
	return 0;
}

int v9_control_open(struct v9_control *c, const char *arg)
{
	const bool fifo = !strncmp(arg, "fifo:", 5);
	char *in, *out;
	int ret;

	*c = (struct v9_control)V9_CONTROL_NONE;
	c->opened = fifo;
	c->socket = !strcmp(arg, "socket");
	if (c->socket)
		return 0;
	in = v9_strdup(arg + (fifo ? 5 : 3));
	out = strchr(in, ',');
	if (out)
		*out++ = '\0';
	if ((!fifo && strncmp(arg, "fd:", 3)) || !*in || (out && !*out)) {
		free(in);
		return bad(arg, "what is it?");
	}
	ret = fifo ? open_fifo(in, &c->in) : take_number(arg, in, &c->in);
	if (!ret && out)
		ret = fifo ? open_fifo(out, &c->out) : take_number(arg, out, &c->out);
	free(in);
	if (!ret && !fifo)
		fcntl(c->in, F_SETFL, fcntl(c->in, F_GETFL) | O_NONBLOCK);
	return ret;
}

void v9_control_close(struct v9_control *c)
{
	if (c->opened && c->in >= 0)
		close(c->in);
	if (c->opened && c->out >= 0)
		close(c->out);
	c->in = c->out = -1;
}

static enum v9_command command(const char *line)
{
	static const char *const words[] = {
		[V9_COMMAND_ENABLE] = "enable", [V9_COMMAND_DISABLE] = "disable",
		[V9_COMMAND_SNAPSHOT] = "snapshot", [V9_COMMAND_STOP] = "stop",
		[V9_COMMAND_PING] = "ping", [V9_COMMAND_PAUSE] = V9_ASK_PAUSE,
		[V9_COMMAND_RESUME] = V9_ASK_RESUME, [V9_COMMAND_NOW] = V9_ASK_NOW,
	};

	for (enum v9_command i = V9_COMMAND_ENABLE; i < V9_COMMAND_OTHER; i++)
		if (!strcmp(line, words[i]))
			return i;
	return V9_COMMAND_OTHER;
}

static enum v9_command next_of_pipe(struct v9_control *c)
{
	ssize_t got;
	char byte;

	if (c->in < 0)
		return V9_COMMAND_NONE;
	/* Byte by byte: what follows a command is read after it was executed. */
	while ((got = read(c->in, &byte, 1)) == 1) {
		if (byte != '\n' && byte) {
			if (c->n < sizeof(c->line) - 1)
				c->line[c->n++] = byte;
			continue;
		}
		c->line[c->n] = '\0';
		if (!c->n)
			continue;
		c->n = 0;
		return command(c->line);
	}
	/* The other end of fd: was closed: no further command comes. */
	if (!got || (errno != EAGAIN && errno != EINTR))
		v9_control_close(c);
	return V9_COMMAND_NONE;
}

static enum v9_command next_request(struct v9_control *c)
{
	struct v9_request q;
	char byte;

	while (c->requests >= 0 && read(c->requests, &q, sizeof(q)) == sizeof(q)) {
		/* Who does not wait any more has said that it was not done. */
		if (!recv(q.fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT)) {
			close(q.fd);
			continue;
		}
		c->asker = q.fd;
		snprintf(c->request, sizeof(c->request), "%s", q.text);
		return command(q.text);
	}
	return V9_COMMAND_NONE;
}

enum v9_command v9_control_next(struct v9_control *c)
{
	c->last = next_of_pipe(c);
	if (c->last == V9_COMMAND_NONE)
		c->last = next_request(c);
	return c->last;
}

void v9_control_answer(struct v9_control *c, const struct v9_reply *r)
{
	static const char ack[] = "ack\n";
	struct v9_reply sent = *r;

	if (c->asker >= 0) {
		sent.form = V9_REPLY_FORM;
		/* There is room for it in the socket; who does not wait for it gets none. */
		(void)!send(c->asker, &sent, sizeof(sent), MSG_NOSIGNAL | MSG_DONTWAIT);
		close(c->asker);
		c->asker = -1;
		return;
	}
	if (r->failed)
		v9_warn("--control: %s", r->text);
	if (!r->failed && c->out >= 0 && write(c->out, ack, sizeof(ack) - 1) < 0)
		v9_warn("--control: no acknowledgement: %s", strerror(errno));
}
