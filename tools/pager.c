// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "pager.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "util.h"

static pid_t pager;		/* 0: none */
static unsigned int columns;	/* of the terminal behind the pager */

/* The first of these that is set, as git does; NULL: output needs no pager. */
static const char *command(void)
{
	const char *s = getenv("V9TRACE_PAGER");

	if (!s)
		s = getenv("PAGER");
	if (!s)
		s = !system("command -v less >/dev/null 2>&1") ? "less" : "";
	return *s && strcmp(s, "cat") ? s : NULL;
}

static unsigned int terminal_width(void)
{
	struct winsize ws;

	return !ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) ? ws.ws_col : 0;
}

/* The pager reads on until the user leaves it, and has to restore the terminal. */
static void wait_for_pager(void)
{
	fflush(stdout);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
		;
}

static void interrupted(int sig)
{
	close(STDOUT_FILENO);
	while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
		;
	signal(sig, SIG_DFL);
	raise(sig);
}

void v9_pager_start(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };
	const char *run = isatty(STDOUT_FILENO) ? command() : NULL;
	sigset_t set, before;
	int fd[2];

	if (!run || pipe(fd))
		return;
	/* A signal before there is a handler would leave the pager alone with the terminal. */
	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaddset(&set, signals[i]);
	sigprocmask(SIG_BLOCK, &set, &before);
	columns = terminal_width();
	fflush(stdout);
	pager = fork();
	if (!pager) {
		dup2(fd[0], STDIN_FILENO);
		close(fd[0]);
		close(fd[1]);
		/* less: leave at once if all fits, show colours, keep what was shown */
		setenv("LESS", "FRX", 0);
		setenv("LV", "-c", 0);
		sigprocmask(SIG_SETMASK, &before, NULL);
		execl("/bin/sh", "sh", "-c", run, (char *)NULL);
		_exit(127);
	}
	close(fd[0]);
	if (pager > 0) {
		dup2(fd[1], STDOUT_FILENO);
		for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
			signal(signals[i], interrupted);
		atexit(wait_for_pager);
	} else {
		pager = 0;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(fd[1]);
}

bool v9_stdout_terminal(void)
{
	return pager || isatty(STDOUT_FILENO);
}

unsigned int v9_stdout_width(void)
{
	return pager ? columns : isatty(STDOUT_FILENO) ? terminal_width() : 0;
}
