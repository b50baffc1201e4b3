// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a recorder costs: its own instructions, those of the recorded program and the kernel, and
 * its memory.
 *
 *	bench_collect count COMMAND...	run it on CPU 0: instructions of the process and its
 *					threads, without its child processes; peak memory
 *	bench_collect busy CPU ROUNDS	a program to record: branches that are hard to predict
 *	bench_collect tasks CPU N	another one: create N processes, one after the other
 *	bench_collect threads CPU N	another one: likewise, threads
 *	bench_collect sleepers CPU N	another one: N threads that sleep; prints "ready" and stays
 *	bench_collect aux FILE		bytes of AUX data in a perf.data file
 *
 * An emulator that counts no instructions (QEMU without -icount) cannot be measured.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

static int fail(const char *what)
{
	fprintf(stderr, "bench_collect: %s: %s\n", what, strerror(errno));
	return 1;
}

/* Count the threads of the process but not its child processes, which are what is recorded. */
static int counter(pid_t pid, bool kernel)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE, .size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS, .disabled = 1, .enable_on_exec = 1,
		.inherit = 1, .inherit_thread = 1, .exclude_user = kernel, .exclude_kernel = !kernel,
	};

	return syscall(SYS_perf_event_open, &attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static int count(char **command)
{
	uint64_t user, kernel;
	struct rusage used;
	int fd[2], status, go[2];
	pid_t pid;
	char c;

	if (pipe2(go, O_CLOEXEC))
		return fail("pipe");
	pid = fork();
	if (pid < 0)
		return fail("fork");
	if (!pid) {
		int null = open("/dev/null", O_WRONLY);

		close(go[1]);
		if (pin_to(0) || read(go[0], &c, 1) != 1)
			_exit(126);
		dup2(null, 1);
		execvp(command[0], command);
		_exit(127);
	}
	for (int i = 0; i < 2; i++) {
		fd[i] = counter(pid, i);
		if (fd[i] < 0)
			return fail("no counter of instructions (QEMU: -icount)");
	}
	if (write(go[1], "g", 1) != 1)
		return fail("write");
	if (wait4(pid, &status, 0, &used) != pid)
		return fail("wait4");
	if (read(fd[0], &user, sizeof(user)) != sizeof(user) ||
	    read(fd[1], &kernel, sizeof(kernel)) != sizeof(kernel))
		return fail("counter");
	printf("status=%d user=%" PRIu64 " kernel=%" PRIu64 " peak=%ld faults=%ld\n",
	       WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), user, kernel,
	       used.ru_maxrss, used.ru_minflt);
	return status ? 1 : 0;
}

static int tasks(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			return fail("fork");
	}
	return 0;
}

static void *nothing(void *arg)
{
	return arg;
}

static int threads(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++) {
		pthread_t thread;

		errno = pthread_create(&thread, NULL, nothing, NULL);
		if (errno)
			return fail("thread");
		pthread_join(thread, NULL);
	}
	return 0;
}

static void *sleeper(void *arg)
{
	for (;;)
		pause();
	return arg;
}

static int sleepers(unsigned long n)
{
	pthread_attr_t small;
	pthread_t thread;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 1 << 16);
	for (unsigned long i = 0; i < n; i++) {
		errno = pthread_create(&thread, &small, sleeper, NULL);
		if (errno)
			return fail("thread");
	}
	puts("ready");
	fflush(stdout);
	sleeper(NULL);
	return 0;
}

/* Sum up the AUX data of a perf.data file. Only AUXTRACE records are followed by more data. */
static int aux(const char *path)
{
	struct { uint64_t magic, size, attr_size, attrs[2], data[2]; } head;
	struct { struct perf_event_header h; uint64_t size; } record;
	uint64_t sum = 0, at, end;
	int fd = open(path, O_RDONLY);

	if (fd < 0 || pread(fd, &head, sizeof(head), 0) != sizeof(head))
		return fail(path);
	for (at = head.data[0], end = at + head.data[1]; at < end; at += record.h.size) {
		if (pread(fd, &record, sizeof(record), at) < (ssize_t)sizeof(record.h) ||
		    !record.h.size) {
			errno = EIO;
			return fail(path);
		}
		if (record.h.type == 71) {	/* PERF_RECORD_AUXTRACE */
			sum += record.size;
			at += record.size;
		}
	}
	printf("aux=%" PRIu64 "\n", sum);
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";
	unsigned long n = argc > 3 ? strtoul(argv[3], NULL, 0) : 0;

	if (!strcmp(what, "count"))
		return count(argv + 2);
	if (!strcmp(what, "aux"))
		return aux(argv[2]);
	if (argc != 4 || (strcmp(what, "busy") && strcmp(what, "tasks") && strcmp(what, "threads") &&
			  strcmp(what, "sleepers"))) {
		fprintf(stderr, "usage: bench_collect count COMMAND... | busy|tasks|threads|sleepers CPU N | aux FILE\n");
		return 2;
	}
	if (pin_to(atoi(argv[2])))
		return fail("CPU");
	if (!strcmp(what, "tasks"))
		return tasks(n);
	if (!strcmp(what, "threads"))
		return threads(n);
	if (!strcmp(what, "sleepers"))
		return sleepers(n);
	branch_at_random(n);
	return 0;
}
