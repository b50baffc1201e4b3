// SPDX-License-Identifier: GPL-2.0-only
/*
 * damaged N SEED V9TRACE CAPTURE...: runs "V9TRACE report" N times, each time on one of the captures in
 * which one to eight numbers of 2, 4 or 8 bytes were replaced, half of them in the first KiB. Prints the
 * milliseconds of CPU time of the slowest and the peak KiB of the largest, each with the number of the
 * run, how many runs ended with an error, and how many by a signal or after 60 seconds. A seed makes
 * the same damage each time.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t state;

static uint64_t rnd(uint64_t n)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (state >> 33) % n;
}

static uint64_t number(uint64_t size)
{
	switch (rnd(7)) {
	case 0: return 0;
	case 1: return UINT64_MAX;
	case 2: return UINT64_C(1) << rnd(64);
	case 3: return (UINT64_C(1) << rnd(64)) - 1;
	case 4: return rnd(size);
	case 5: return rnd(256);
	default: return state;
	}
}

static void damage(uint8_t *b, uint64_t size)
{
	for (uint64_t n = 1 + rnd(8); n; n--) {
		const uint64_t v = number(size), width = UINT64_C(2) << rnd(3);
		const uint64_t room = (rnd(2) && size > 1024 ? 1024 : size) / width;

		memcpy(b + rnd(room) * width, &v, width);
	}
}

static uint8_t *load(const char *path, uint64_t *size)
{
	const int fd = open(path, O_RDONLY);
	struct stat st;
	uint8_t *b;

	if (fd < 0 || fstat(fd, &st) || st.st_size < 64 || !(b = malloc((size_t)st.st_size)) ||
	    read(fd, b, (size_t)st.st_size) != st.st_size) {
		perror(path);
		exit(2);
	}
	close(fd);
	*size = (uint64_t)st.st_size;
	return b;
}

static int run(const char *v9trace, const char *capture, struct rusage *used)
{
	const pid_t pid = fork();
	int status = -1;

	if (!pid) {
		const int null = open("/dev/null", O_RDWR);

		dup2(null, 0);
		dup2(null, 1);
		dup2(null, 2);
		alarm(60);
		execl(v9trace, v9trace, "report", "-j", "1", "--symfs", "/proc/self/fdinfo", capture, (char *)NULL);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, used) != pid) {
		perror("damaged");
		exit(2);
	}
	return status;
}

int main(int argc, char **argv)
{
	const long n = argc > 4 ? strtol(argv[1], NULL, 0) : 0;
	long slow = 0, large = 0, slowest = -1, largest = -1, errors = 0, killed = 0;
	char path[] = "/tmp/damaged.XXXXXX";
	const int fd = n > 0 ? mkstemp(path) : -1;

	if (fd < 0) {
		fprintf(stderr, "usage: damaged N SEED V9TRACE CAPTURE...\n");
		return 2;
	}
	for (long i = 0; i < n; i++) {
		struct rusage used;
		uint64_t size;
		uint8_t *b = load(argv[4 + i % (argc - 4)], &size);
		long ms;
		int status;

		state = strtoull(argv[2], NULL, 0) + (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15);
		rnd(2);
		damage(b, size);
		if (ftruncate(fd, 0) || pwrite(fd, b, size, 0) != (ssize_t)size) {
			perror(path);
			return 2;
		}
		free(b);
		status = run(argv[3], path, &used);
		ms = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000 +
		     (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000;
		if (WIFSIGNALED(status)) {
			fprintf(stderr, "damaged: run %ld: signal %d\n", i, WTERMSIG(status));
			killed++;
		}
		errors += WIFEXITED(status) && WEXITSTATUS(status);
		if (ms > slow) {
			slow = ms;
			slowest = i;
		}
		if (used.ru_maxrss > large) {
			large = used.ru_maxrss;
			largest = i;
		}
	}
	unlink(path);
	printf("slowest=%ldms#%ld largest=%ldKiB#%ld errors=%ld killed=%ld\n", slow, slowest, large, largest,
	       errors, killed);
	return killed ? 1 : 0;
}
