// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a real system does, for the decoder: four tasks on two CPUs that fork, exec, run
 * threads, take signals and page faults, call the vDSO.
 *
 *	tasks             all of that; ends with 0 if everybody did their part
 *	tasks vdso        one task that calls the vDSO
 *	tasks again       what the exec runs: the same file, so the same addresses
 *	tasks OTHER       the exec runs that program instead
 *	tasks jit FILE    writes code and runs it, in a page of its own and in this program's
 *	                  file; FILE gets the two ranges that no file tells the truth about
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096
#define ROUNDS 8

static volatile uint64_t sum;
static volatile sig_atomic_t ticks;

static void tick(int nr)
{
	(void)nr;
	ticks++;
}

/* Some instructions of each kind, on a path that depends on @seed. */
static void work(unsigned int seed)
{
	struct timespec ts;

	for (int i = 0; i < ROUNDS; i++) {
		uint8_t *page = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		seed = seed * 1103515245 + 12345;
		for (int k = 0; k < 4; k++)
			page[k * PAGE] = (uint8_t)seed;
		for (unsigned int k = 0; k < seed % 97; k++)
			sum += k & seed ? k * page[0] : ~sum;
		clock_gettime(CLOCK_MONOTONIC, &ts);
		sum += (uint64_t)ts.tv_nsec + (uint64_t)time(NULL);
		munmap(page, 4 * PAGE);
		if (i % 5 == 0)
			sched_yield();
	}
}

static void *thread(void *arg)
{
	cpu_set_t set;

	/* Where it starts and where it continues: both CPUs */
	CPU_ZERO(&set);
	CPU_SET((uintptr_t)arg & 1, &set);
	sched_setaffinity(0, sizeof(set), &set);
	work((unsigned int)(uintptr_t)arg + 7);
	return NULL;
}

static int threads(void)
{
	pthread_t t[2];

	for (uintptr_t i = 0; i < 2; i++)
		if (pthread_create(&t[i], NULL, thread, (void *)i))
			return 1;
	work(3);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}

static int all(char **argv)
{
	struct itimerval often = { { 0, 3000 }, { 0, 3000 } };
	char *again[] = { argv[0], "again", NULL };
	pid_t pid[3];
	int bad = 0, status;

	signal(SIGALRM, tick);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < 3; i++) {
		pid[i] = fork();
		if (pid[i])
			continue;
		work((unsigned int)i);
		if (i == 0)
			_exit(threads());
		if (i == 1)
			execv(argv[0], again);
		if (i == 2 && argv[1])
			execv(argv[1], argv + 1);
		_exit(i == 2 ? 0 : 1);
	}
	work(99);
	while (ticks < 3)
		work(1);
	for (int i = 0; i < 3; i++)
		bad |= waitpid(pid[i], &status, 0) != pid[i] || status;
	return bad;
}

/* A page of the file of its own, so that writes affect nothing else */
uint64_t mine(uint64_t x);
asm(".text\n"
    ".balign 4096\n"
    "mine:	add x0, x0, #3\n"
    "	ret\n"
    ".balign 4096\n");

#define MOV_X0(n)	(0xd2800000u | (n) << 5)
#define RET		0xd65f03c0u

static void put(uint32_t *at, unsigned int n)
{
	at[0] = MOV_X0(n);
	at[1] = RET;
	__builtin___clear_cache((char *)at, (char *)(at + 2));
}

static int jit(const char *file)
{
	uint32_t *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint32_t *own = (uint32_t *)mine;
	FILE *f = fopen(file, "w");
	int bad = 0;

	if (!f || page == MAP_FAILED)
		return 1;
	fprintf(f, "%lx-%lx\n%lx-%lx\n", (unsigned long)page, (unsigned long)page + PAGE,
		(unsigned long)own, (unsigned long)own + PAGE);
	fclose(f);
	for (unsigned int i = 0; i < ROUNDS; i++) {
		put(page, i);
		bad |= ((uint64_t (*)(uint64_t))page)(0) != i;
		/* Never writable and executable at once. */
		mprotect(own, PAGE, PROT_READ | PROT_WRITE);
		put(own, i + 1);
		mprotect(own, PAGE, PROT_READ | PROT_EXEC);
		bad |= ((uint64_t (*)(uint64_t))own)(0) != i + 1;
	}
	return bad;
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "vdso")) {
		work(5);
		return 0;
	}
	if (argc > 1 && !strcmp(argv[1], "again"))
		return threads();
	if (argc > 2 && !strcmp(argv[1], "jit"))
		return jit(argv[2]);
	return all(argv);
}
