// SPDX-License-Identifier: GPL-2.0-only
/*
 * The command of v9trace record: it runs when it is told to, its exit status, where its output goes, and what is left
 * of it: no descriptor and no process.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "descriptors.h"
#include "messages.h"
#include "tap.h"

#include "../../tools/collect/child.c"

static char dir[] = "/tmp/v9child.XXXXXX";

static sigset_t none;

static int prepare(struct v9_child *c, const char *script)
{
	char *argv[] = { "sh", "-c", (char *)script, NULL };

	return v9_child_prepare(c, argv, &none);
}

static void exits(const char *script, int status, const char *name)
{
	struct v9_child c = { .pid = 0 };

	tap_eq(prepare(&c, script), 0, "%s_prepared", name);
	tap_ok(c.pid > 0 && !v9_child_ended(&c), "%s_waits", name);
	tap_eq(v9_child_start(&c, "sh"), 0, "%s_started", name);
	v9_child_wait(&c);
	tap_ok(c.ended && v9_child_ended(&c), "%s_ended", name);
	tap_eq(v9_child_exit(&c), status, "%s_status", name);
	v9_child_wait(&c);
	v9_child_end(&c);
	v9_child_cancel(&c);
	tap_eq(v9_child_exit(&c), status, "%s_status_stays", name);
}

static bool is_there(const char *file)
{
	return !access(file, F_OK);
}

static void test_cannot_run(void)
{
	static const struct {
		char *name;
		int err, status;
	} cases[] = { { "./nosuch", ENOENT, 127 }, { "./text", EACCES, 126 } };

	for (int i = 0; i < 2; i++) {
		struct v9_child c = { .pid = 0 };
		char *argv[] = { cases[i].name, NULL };

		v9_child_prepare(&c, argv, &none);
		tap_eq(v9_child_start(&c, cases[i].name), -cases[i].err, "cannot_run_%d", i);
		tap_ok(c.ended && v9_child_exit(&c) == cases[i].status, "cannot_run_status_%d", i);
	}
}

static void test_cancel(void)
{
	struct v9_child c = { .pid = 0 };

	v9_child_wait(&c);
	v9_child_end(&c);
	v9_child_cancel(&c);
	tap_ok(!c.ended, "no_command");
	prepare(&c, "touch ran");
	v9_child_cancel(&c);
	tap_ok(c.ended && !v9_child_exit(&c) && !is_there("ran"), "cancelled");
	/* One that runs is ended by a signal. */
	c = (struct v9_child){ .pid = 0 };
	prepare(&c, "exec sleep 1000");
	v9_child_start(&c, "sh");
	v9_child_end(&c);
	tap_ok(c.ended && v9_child_exit(&c) == 128 + SIGTERM, "terminated");
}

/* What it prints on standard output and standard error goes to the files out and err. */
static void prints(bool to_stderr, bool silent, const char *out, const char *err, const char *name)
{
	const int old[3] = { dup(0), dup(1), dup(2) };
	const int fd[3] = { open("in", O_RDONLY), open("out", O_RDWR | O_CREAT | O_TRUNC, 0600),
			    open("err", O_RDWR | O_CREAT | O_TRUNC, 0600) };
	struct v9_child c = { .to_stderr = to_stderr, .silent = silent };
	char got[2][64];

	fflush(stdout);
	for (int i = 0; i < 3; i++)
		dup2(fd[i], i);
	prepare(&c, "cat; echo o; echo e >&2");
	v9_child_start(&c, "sh");
	v9_child_wait(&c);
	for (int i = 0; i < 3; i++) {
		dup2(old[i], i);
		close(old[i]);
	}
	for (int i = 1; i < 3; i++) {
		const ssize_t n = pread(fd[i], got[i - 1], sizeof(got[0]) - 1, 0);

		got[i - 1][n < 0 ? 0 : n] = 0;
	}
	for (int i = 0; i < 3; i++)
		close(fd[i]);
	tap_ok(!strcmp(got[0], out) && !strcmp(got[1], err), "%s", name);
}

int main(void)
{
	sigset_t blocked;
	int before;
	FILE *f;

	if (!mkdtemp(dir) || chdir(dir))
		return 1;
	f = fopen("text", "w");
	fputs("no program\n", f);
	fclose(f);
	f = fopen("in", "w");
	fputs("i\n", f);
	fclose(f);
	before = descriptors();
	messages_begin();
	exits("exit 5", 5, "exit");
	exits("kill -9 $$", 128 + 9, "signal");
	exits("true", 0, "true");
	test_cannot_run();
	test_cancel();
	prints(false, false, "i\no\n", "e\n", "output");
	prints(true, false, "", "i\no\ne\n", "output_to_standard_error");
	prints(false, true, "", "", "silent");
	/* Signals that the recorder blocks or ignores are not blocked or ignored in the command. */
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	exits("kill -USR1 $$; exit 1", 128 + SIGUSR1, "not_blocked");
	exits("kill -PIPE $$; exit 1", 128 + SIGPIPE, "pipe_not_ignored");
	exits("kill -XFSZ $$; exit 1", 128 + SIGXFSZ, "size_not_ignored");
	messages_are("record_child", NULL);
	tap_eq(descriptors(), before + 2, "descriptors");	/* of messages.h */
	tap_ok(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "no_process_is_left");
	tap_remove(dir);
	return tap_done();
}
