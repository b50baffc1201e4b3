// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../util.h"

static void be_silent(void)
{
	const int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
		if (fd < 0 || dup2(fd, i) < 0)
			close(i);
}

static void __attribute__((noreturn)) run(const struct v9_child *c, char **argv, int go, int say,
					   const sigset_t *mask)
{
	char byte;
	int err;

	/* One byte starts the command. End of file: the parent has cancelled it. */
	if (read(go, &byte, 1) != 1)
		_exit(0);
	sigprocmask(SIG_SETMASK, mask, NULL);
	signal(SIGXFSZ, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	if (c->to_stderr)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	if (c->silent)
		be_silent();
	execvp(argv[0], argv);
	err = errno;
	if (write(say, &err, sizeof(err)) != sizeof(err))
		_exit(126);
	_exit(err == ENOENT ? 127 : 126);
}

int v9_child_prepare(struct v9_child *c, char **argv, const sigset_t *mask)
{
	int go[2], exec_error[2];

	c->pid = -1;
	if (!pipe2(go, O_CLOEXEC) && !pipe2(exec_error, O_CLOEXEC))
		c->pid = fork();
	if (c->pid < 0) {
		v9_error("cannot start %s: %s", argv[0], strerror(errno));
		return -EAGAIN;
	}
	if (!c->pid) {
		close(go[1]);
		close(exec_error[0]);
		run(c, argv, go[0], exec_error[1], mask);
	}
	close(go[0]);
	close(exec_error[1]);
	c->go = go[1];
	c->exec_error = exec_error[0];
	return 0;
}

int v9_child_start(struct v9_child *c, const char *name)
{
	int err;
	ssize_t n = write(c->go, "", 1);

	close(c->go);
	/* End of file means success: exec closes the other end of the pipe. */
	do
		n = read(c->exec_error, &err, sizeof(err));
	while (n < 0 && errno == EINTR);
	close(c->exec_error);
	if (n != sizeof(err))
		return 0;
	v9_child_wait(c);
	v9_error("cannot run %s: %s", name, strerror(err));
	return -err;
}

bool v9_child_ended(struct v9_child *c)
{
	if (!c->ended && waitpid(c->pid, &c->status, WNOHANG) == c->pid)
		c->ended = true;
	return c->ended;
}

void v9_child_wait(struct v9_child *c)
{
	if (!c->pid || c->ended)
		return;
	while (waitpid(c->pid, &c->status, 0) < 0 && errno == EINTR)
		;
	c->ended = true;
}

void v9_child_end(struct v9_child *c)
{
	if (!c->pid || v9_child_ended(c))
		return;
	kill(c->pid, SIGTERM);
	v9_child_wait(c);
}

int v9_child_exit(const struct v9_child *c)
{
	return WIFSIGNALED(c->status) ? 128 + WTERMSIG(c->status) : WEXITSTATUS(c->status);
}

void v9_child_cancel(struct v9_child *c)
{
	if (!c->pid || c->ended)
		return;
	close(c->go);
	close(c->exec_error);
	v9_child_wait(c);
}
