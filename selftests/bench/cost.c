// SPDX-License-Identifier: GPL-2.0-only
/* cost COMMAND...: runs it, its output elsewhere, and prints seconds by the clock, and peak MiB. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	const double begin = now();
	struct rusage used;
	int status;
	pid_t pid;

	if (argc < 2)
		return 2;
	pid = vfork();
	if (!pid) {
		dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &used) != pid || status) {
		fprintf(stderr, "cost: %s failed\n", argv[1]);
		return 1;
	}
	printf("%.4f %.1f\n", now() - begin, (double)used.ru_maxrss / 1024);
	return 0;
}
