// SPDX-License-Identifier: GPL-2.0-only
/*
 * cost COMMAND...: runs it without its output, and prints elapsed seconds, peak MiB, and the share
 * of the machine, in percent, that other processes used meanwhile.
 */
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

/* Sum of non-idle seconds of all CPUs */
static double busy(void)
{
	unsigned long long t[8] = { 0 };
	FILE *f = fopen("/proc/stat", "r");

	if (!f || fscanf(f, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", t, t + 1, t + 2, t + 3,
			 t + 4, t + 5, t + 6, t + 7) != 8)
		fprintf(stderr, "cost: /proc/stat does not tell who was busy\n");
	if (f)
		fclose(f);
	/* user, nice, system; idle and waiting for disks; interrupts, stolen */
	return (double)(t[0] + t[1] + t[2] + t[5] + t[6] + t[7]) / (double)sysconf(_SC_CLK_TCK);
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
	const double begin = now(), before = busy();
	struct rusage used;
	double took, others;
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
	took = now() - begin;
	others = busy() - before - seconds(used.ru_utime) - seconds(used.ru_stime);
	others /= took * (double)sysconf(_SC_NPROCESSORS_ONLN);
	printf("%.4f %.1f %.0f\n", took, (double)used.ru_maxrss / 1024,
	       others > 0 ? 100 * others : 0);
	return 0;
}
