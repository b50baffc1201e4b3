// SPDX-License-Identifier: GPL-2.0-only
/*
 * cgroups DIR [DIR2]: enters the control group of DIR and executes in_first(), then that of DIR2 and
 * executes in_second(). It sleeps before and after each of these, so that no time between two task
 * switches is in two groups.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TIMES	400000

static volatile unsigned long sum;

static __attribute__((noinline)) void in_first(void)
{
	for (unsigned long i = 0; i < TIMES; i++)
		sum += i;
}

static __attribute__((noinline)) void in_second(void)
{
	for (unsigned long i = 0; i < TIMES; i++)
		sum ^= i;
}

static void nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
}

static void enter(const char *dir)
{
	char path[512];
	int fd;

	nap();
	snprintf(path, sizeof(path), "%s/cgroup.procs", dir);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, "0", 1) != 1) {
		perror(path);
		exit(1);
	}
	close(fd);
	nap();
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	enter(argv[1]);
	in_first();
	if (argc > 2) {
		enter(argv[2]);
		in_second();
	}
	nap();
	return 0;
}
