// SPDX-License-Identifier: GPL-2.0-only
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "work.h"

void branch_at_random(unsigned long rounds)
{
	uint64_t x = 88172645463325252ULL;
	volatile uint64_t sum = 0;

	for (unsigned long i = 0; i < rounds; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		if (x & 1)
			sum += x;
		if (x & 2)
			sum ^= i;
		if (x & 4)
			sum -= x >> 3;
	}
}

void walk_memory(unsigned int times)
{
	enum { STEP = 4096 + 64, SIZE = 16 << 20 };
	static char *memory;

	if (!memory) {
		memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			      -1, 0);
		if (memory == MAP_FAILED)
			exit(1);
		memset(memory, 1, SIZE);
	}
	while (times--)
		for (size_t at = 0; at < SIZE; at += STEP)
			*(volatile char *)(memory + at);
}

void leave_cpu(void)
{
	struct rusage before, now;

	getrusage(RUSAGE_THREAD, &before);
	do {
		usleep(2000);
		getrusage(RUSAGE_THREAD, &now);
	} while (now.ru_nvcsw == before.ru_nvcsw);
}

int pin_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) ? -errno : 0;
}

void wait_until_asleep(pid_t tid)
{
	char path[32], state = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", tid);
	while (state != 'S') {
		usleep(1000);
		f = fopen(path, "r");
		if (!f || fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
			state = 'S';		/* it has ended */
		if (f)
			fclose(f);
	}
}

uint64_t now_ticks(void)
{
	uint64_t ticks;

	asm volatile("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(ticks) :: "memory");
	return ticks;
}

int worker_start(struct worker *worker, int cpu, void (*work)(void *), void *arg)
{
	int pipefd[2];
	char c;

	if (pipe(pipefd))
		return -errno;
	worker->go = pipefd[1];
	worker->pid = fork();
	if (worker->pid < 0)
		return -errno;
	if (!worker->pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(pipefd[1]);
		if (cpu >= 0 && pin_to(cpu))
			_exit(2);
		if (read(pipefd[0], &c, 1) != 1)
			_exit(3);
		work(arg);
		_exit(0);
	}
	close(pipefd[0]);
	return 0;
}

void worker_go(struct worker *worker)
{
	if (write(worker->go, "g", 1) != 1)
		kill(worker->pid, SIGKILL);
	close(worker->go);
	worker->go = -1;
}

bool worker_done(struct worker *worker)
{
	siginfo_t info = { 0 };

	return !waitid(P_PID, worker->pid, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid;
}

int worker_wait(struct worker *worker)
{
	int status;

	if (worker->go >= 0)
		close(worker->go);
	if (waitpid(worker->pid, &status, 0) != worker->pid)
		return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void spin_work(void *arg)
{
	spin(((struct spin_job *)arg)->n);
}

void *new_shared(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

void spin_until_stop(void *arg)
{
	volatile bool *stop = arg;

	while (!*stop)
		spin(BUSY_SPIN);
}

void keep_busy(void *arg)
{
	struct busy *busy = arg;

	while (!busy->stop) {
		spin(BUSY_SPIN);
		busy->rounds++;
	}
}

void wait_rounds(struct busy *busy, uint64_t more)
{
	uint64_t until = busy->rounds + more;

	while (busy->rounds < until)
		usleep(1000);
}
