// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a driver costs: kernel instructions on one CPU, with a session and without.
 *
 *	bench_drivers PMU CPU switch ROUNDS	two tasks alternate, each with a session; PMU,PMU: with one
 *						of each PMU
 *	bench_drivers PMU CPU enable ROUNDS	a session is enabled and disabled
 *	bench_drivers PMU CPU first ROUNDS	a session is enabled: up to its first byte
 *	bench_drivers PMU CPU threads ROUNDS	two threads alternate and inherit one session
 *	bench_drivers PMU CPU wide ROUNDS	two tasks alternate on a CPU with a session
 *	bench_drivers PMU CPU match ROUNDS	likewise, of one of the tasks (contextid_match)
 *	bench_drivers PMU CPU idle ROUNDS	a CPU wakes up from idle (v9_sleep.ko), with a session
 *						and without
 *	bench_drivers PMU CPU fill ROUNDS	a busy task, a buffer that fills, a reader
 *	bench_drivers PMU CPU wrap ROUNDS	the same with an overwritten buffer and no reader
 *	bench_drivers PMU CPU mask US		a session of the CPU, with interrupts masked for US
 *						microseconds repeatedly (v9_mask.ko); the model
 *						counts the lost data
 *
 *	bench_drivers PMU CPU control ROUNDS	no session: checks that the counter does not include
 *						the work of other CPUs
 *
 * Prints one line "NAME=VALUE ..." for a script. The counter is an event of the CPU's PMU. An
 * emulator that counts no instructions (QEMU without -icount) cannot be measured.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define BENCH "bench_drivers"
#include "bench.h"
#include "work.h"

static int counter = -1;		/* event of kernel instructions on the measured CPU */
static struct unit second;		/* of two PMUs; without a name: there is one */

/* Kernel instructions executed on the measured CPU */
static uint64_t executed(void)
{
	uint64_t n;

	if (read(counter, &n, sizeof(n)) != sizeof(n))
		fail("counter", errno);
	return n;
}

/* Number of interrupts of SPE or TRBE on the measured CPU. */
static uint64_t interrupts(void)
{
	FILE *f = fopen("/proc/interrupts", "r");
	char line[4096];
	uint64_t sum = 0;

	while (f && fgets(line, sizeof(line), f)) {
		char *p = strchr(line, ':');

		if (!p || (!strstr(p, "spe") && !strstr(p, "trbe")))
			continue;
		p++;
		for (int i = 0; i < cpu; i++)
			strtoull(p, &p, 10);
		sum += strtoull(p, NULL, 10);
	}
	if (f)
		fclose(f);
	return sum;
}

static void attr_of(const struct unit *u, struct perf_event_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->type = u->type;
	attr->size = sizeof(*attr);
	attr->disabled = 1;
	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
	if (!strncmp(u->name, "arm_spe", 7)) {
		attr->sample_period = 65536;
		attr->config = 1;	/* ts_enable */
	}
}

/* The same with two threads of a worker. */
static void *serve_thread(void *arg)
{
	serve(arg);
	return NULL;
}

static void *reply_thread(void *arg)
{
	reply(arg);
	return NULL;
}

static void converse(void *arg)
{
	pthread_t thread[2];

	if (pthread_create(&thread[0], NULL, reply_thread, arg) ||
	    pthread_create(&thread[1], NULL, serve_thread, arg))
		_exit(1);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
}

/* Kernel instructions of two threads that alternate, with an inherited event of their process. */
static uint64_t conversation(bool traced)
{
	struct perf_event_attr attr;
	struct worker worker;
	struct ring ring;
	struct pair pair;
	uint64_t before, after;

	if (pipe(pair.to) || pipe(pair.back))
		fail("pipe", errno);
	MUST(worker_start(&worker, cpu, converse, &pair));
	attr_of(&unit, &attr);
	attr.inherit = 1;
	if (traced) {
		MUST(ring_open(&ring, &attr, worker.pid, cpu, 2048, 0));
		MUST(ring_enable(&ring));
	}
	usleep(100000);
	before = executed();
	worker_go(&worker);
	if (worker_wait(&worker))
		fail("worker", ECHILD);
	after = executed();
	if (traced) {
		MUST(ring_drain(&ring));
		printf("bytes=%zu flags=%#" PRIx64 " ", ring.nbytes, ring.flags);
		ring_close(&ring);
	}
	for (int i = 0; i < 2; i++) {
		close(pair.to[i]);
		close(pair.back[i]);
	}
	return after - before;
}

enum session { NONE, EACH, WIDE, WIDE_MATCH };

/* Kernel instructions of two tasks that alternate. */
static uint64_t exchange(enum session session)
{
	const int tasks = session == EACH ? 2 : session != NONE;
	struct perf_event_attr attr;
	struct worker worker[2];
	struct ring ring[4];
	struct pair pair;
	uint64_t before, after;
	int sessions = 0;

	if (pipe(pair.to) || pipe(pair.back))
		fail("pipe", errno);
	MUST(worker_start(&worker[0], cpu, reply, &pair));
	MUST(worker_start(&worker[1], cpu, serve, &pair));
	for (int i = 0; i < tasks; i++)
		for (const struct unit *u = &unit; u; u = u == &unit && second.name[0] ? &second : NULL) {
			attr_of(u, &attr);
			if (session == WIDE_MATCH)
				attr.config1 = (uint64_t)worker[0].pid << 32;
			MUST(ring_open(&ring[sessions], &attr, session == EACH ? worker[i].pid : -1,
				       session == EACH ? -1 : cpu, session == EACH ? 1024 : 2048, 0));
			MUST(ring_enable(&ring[sessions++]));
		}
	usleep(100000);
	before = executed();
	worker_go(&worker[0]);
	worker_go(&worker[1]);
	for (int i = 0; i < 2; i++)
		if (worker_wait(&worker[i]))
			fail("worker", ECHILD);
	after = executed();
	for (int i = 0; i < sessions; i++) {
		MUST(ring_disable(&ring[i]));
		MUST(ring_drain(&ring[i]));
		printf("bytes%d=%zu flags%d=%#" PRIx64 " ", i, ring[i].nbytes, i, ring[i].flags);
		ring_close(&ring[i]);
	}
	for (int i = 0; i < 2; i++) {
		close(pair.to[i]);
		close(pair.back[i]);
	}
	return after - before;
}

/* The minimum of @n runs, because other work of the CPU only adds to the count. */
#define LEAST_OF(n, call)							\
	({									\
		uint64_t least_ = call;						\
										\
		for (int i_ = 1; i_ < (n); i_++) {				\
			uint64_t next_ = call;					\
										\
			least_ = next_ < least_ ? next_ : least_;		\
		}								\
		least_;								\
	})

static void bench_switch(enum session session)
{
	uint64_t base = LEAST_OF(4, exchange(NONE));
	uint64_t traced = LEAST_OF(2, exchange(session));

	printf("runs=2 switches=%lu base=%" PRIu64 " traced=%" PRIu64 "\n", 2 * rounds, base, traced);
}

static void bench_threads(void)
{
	uint64_t base = LEAST_OF(4, conversation(false));
	uint64_t traced = LEAST_OF(2, conversation(true));

	printf("runs=2 switches=%lu base=%" PRIu64 " traced=%" PRIu64 "\n", 2 * rounds, base, traced);
}

static uint64_t on_and_off(int fd)
{
	uint64_t before = executed();

	for (unsigned long i = 0; i < rounds; i++)
		if (ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) || ioctl(fd, PERF_EVENT_IOC_DISABLE, 0))
			fail("enable", errno);
	return executed() - before;
}

/*
 * Kernel instructions from the system call that enables a session up to its return, where the
 * first user instruction is traced or counted.
 */
static uint64_t enabled(int fd)
{
	uint64_t sum = 0, before;

	for (unsigned long i = 0; i < rounds; i++) {
		before = executed();
		if (ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
			fail("enable", errno);
		sum += executed() - before;
		if (ioctl(fd, PERF_EVENT_IOC_DISABLE, 0))
			fail("disable", errno);
	}
	return sum;
}

/* Compare with an event that has no cost of its own. */
static void against_nothing(uint64_t (*what)(int fd))
{
	struct perf_event_attr attr, dummy = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(dummy), .config = PERF_COUNT_SW_DUMMY,
		.disabled = 1, .exclude_kernel = 1,
	};
	struct ring ring;
	uint64_t base, traced;
	int fd;

	MUST(pin_to(cpu));
	fd = ring_event(&dummy, 0, -1);
	MUST(fd);
	base = LEAST_OF(4, what(fd));
	attr_of(&unit, &attr);
	MUST(ring_open(&ring, &attr, 0, -1, 1024, 0));
	traced = LEAST_OF(3, what(ring.fd));
	printf("pairs=%lu base=%" PRIu64 " traced=%" PRIu64 "\n", rounds, base, traced);
	ring_close(&ring);
}

static void bench_enable(void)
{
	against_nothing(on_and_off);
}

static void bench_first(void)
{
	against_nothing(enabled);
}

#define SLEEP	"/sys/module/v9_sleep/parameters"

static int by_value(const void *a, const void *b)
{
	const unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;

	return x < y ? -1 : x > y;
}

/*
 * Print the time of @rounds wake-ups from idle: minimum, median and 95th percentile. The module
 * reads the clock, which advances with the instructions of all CPUs under -icount, so some values
 * include another CPU's work.
 */
static void wake_up(const char *name)
{
	unsigned long took[300];
	char text[4096], *at = text;

	snprintf(text, sizeof(text), "%d %lu 100", cpu, rounds);
	MUST(write_text(SLEEP "/enter", text));
	MUST(read_text(SLEEP, "waking", text, sizeof(text)));
	for (unsigned long i = 0; i < rounds; i++)
		took[i] = strtoul(at, &at, 10), at += *at == ',';
	qsort(took, rounds, sizeof(took[0]), by_value);
	printf("%s=%lu,%lu,%lu ", name, took[0], took[rounds / 2], took[rounds * 95 / 100]);
}

static void bench_idle(void)
{
	struct perf_event_attr attr;
	struct ring ring;

	if (rounds > 300)
		fail("more than 300", EINVAL);
	MUST(write_text(SLEEP "/deep", "N"));
	wake_up("base");
	attr_of(&unit, &attr);
	MUST(ring_open(&ring, &attr, -1, cpu, 64, 0));
	MUST(ring_enable(&ring));
	wake_up("traced");
	printf("pairs=%lu\n", rounds);
	ring_close(&ring);
}

/* Another CPU executes while the measured CPU is idle. */
static void bench_control(void)
{
	uint64_t before = executed();

	spin(rounds / 2);
	printf("spun=%lu base=0 traced=%" PRIu64 "\n", rounds, executed() - before);
}

/* Branches that are hard to predict, so that the trace is large. */
static void wander(void *arg)
{
	(void)arg;
	branch_at_random(rounds);
}

/* The time as the model reads it. */
static uint64_t now_ns(void)
{
	uint64_t hz;

	asm volatile("mrs %0, cntfrq_el0" : "=r"(hz));
	return (uint64_t)((unsigned __int128)now_ticks() * 1000000000 / hz);
}

/* Sums over all traced runs */
static struct {
	uint64_t irqs, moved, flags;
} sum;

static uint64_t busy(bool traced, unsigned int pages, int mode)
{
	struct perf_event_attr attr;
	struct worker worker;
	struct ring ring;
	uint64_t before, after, irqs = interrupts(), start;

	MUST(worker_start(&worker, cpu, wander, NULL));
	attr_of(&unit, &attr);
	if (attr.sample_period)
		attr.sample_period = 1024;
	if (traced) {
		MUST(ring_open(&ring, &attr, worker.pid, -1, pages, mode));
		MUST(mode ? 0 : ring_reserve(&ring, 8 << 20));
		MUST(ring_enable(&ring));
	}
	usleep(100000);
	start = now_ns();
	before = executed();
	worker_go(&worker);
	while (!worker_done(&worker)) {
		struct pollfd wait = { .fd = traced && !mode ? ring.fd : -1, .events = POLLIN };

		poll(&wait, 1, 5);
		if (!traced || mode)
			continue;
		ring.flags = 0;
		MUST(ring_drain(&ring));
		if (ring.flags & PERF_AUX_FLAG_TRUNCATED)	/* the kernel has disabled it */
			MUST(ring_enable(&ring));
		sum.flags |= ring.flags;
	}
	if (worker_wait(&worker))
		fail("worker", ECHILD);
	after = executed();
	if (traced) {
		uint64_t head = ring.page->aux_head;

		if (!mode)
			MUST(ring_drain(&ring));
		irqs = interrupts() - irqs;
		printf("run=%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 " ", start, now_ns(),
		       irqs, mode ? head : (uint64_t)ring.nbytes, after - before);
		sum.irqs += irqs;
		sum.moved += mode ? head : ring.nbytes;
		sum.flags |= ring.flags;
		ring_close(&ring);
	}
	return after - before;
}

static void bench_busy(unsigned int pages, int mode, int runs)
{
	uint64_t base, traced;

	base = LEAST_OF(3, busy(false, pages, mode));
	traced = LEAST_OF(runs, busy(true, pages, mode));
	printf("runs=%d irqs=%" PRIu64 " moved=%" PRIu64 " flags=%#" PRIx64 " base=%" PRIu64 " traced=%"
	       PRIu64 "\n", runs, sum.irqs, sum.moved, sum.flags, base, traced);
}

static void keep_masking(void *arg)
{
	char text[64];

	(void)arg;
	snprintf(text, sizeof(text), "%d 300 %lu 700", cpu, rounds);
	if (write_text("/sys/module/v9_mask/parameters/mask", text))
		_exit(1);
}

static void bench_mask(void)
{
	struct busy *busy = new_shared(sizeof(*busy));
	struct perf_event_attr attr;
	struct worker worker, masker;
	struct ring ring;

	if (!busy)
		fail("memory", ENOMEM);
	attr_of(&unit, &attr);
	attr.exclude_kernel = 0;
	if (attr.sample_period)
		attr.sample_period = 1024;
	MUST(worker_start(&worker, cpu, keep_busy, busy));
	MUST(worker_start(&masker, 0, keep_masking, NULL));
	MUST(ring_open(&ring, &attr, -1, cpu, 64, 0));
	MUST(ring_reserve(&ring, 32 << 20));
	MUST(ring_enable(&ring));
	worker_go(&worker);
	wait_rounds(busy, 1);
	worker_go(&masker);
	while (!worker_done(&masker)) {
		struct pollfd wait = { .fd = ring.fd, .events = POLLIN };
		uint64_t flags = ring.flags;

		poll(&wait, 1, 1);
		ring.flags = 0;
		MUST(ring_drain(&ring));
		if (ring.flags & PERF_AUX_FLAG_TRUNCATED)
			MUST(ring_enable(&ring));
		ring.flags |= flags;
	}
	MUST(ring_disable(&ring));
	busy->stop = true;
	if (worker_wait(&masker) || worker_wait(&worker))
		fail("worker", ECHILD);
	MUST(ring_drain(&ring));
	printf("moved=%zu records=%u flags=%#" PRIx64 "\n", ring.nbytes, ring.naux, ring.flags);
	ring_close(&ring);
}

int main(int argc, char **argv)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE, .size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS, .exclude_user = 1, .pinned = 1,
	};
	char *comma = argc > 1 ? strchr(argv[1], ',') : NULL;

	if (argc != 5 || (comma && (!comma[1] || strcmp(argv[3], "switch")))) {
		fprintf(stderr, "usage: bench_drivers PMU[,PMU] CPU switch|threads|wide|match|enable|first|idle|"
			"fill|wrap|mask|control N\n");
		return 2;
	}
	/* Return freed memory to the kernel, so that workers do not inherit it. */
	mallopt(M_MMAP_THRESHOLD, 128 << 10);
	if (comma) {
		*comma = '\0';
		MUST(unit_find(&second, comma + 1));
	}
	MUST(unit_find(&unit, argv[1]));
	cpu = atoi(argv[2]);
	rounds = strtoul(argv[4], NULL, 0);
	counter = ring_event(&attr, -1, cpu);
	if (counter < 0)
		fail("no counter of instructions (QEMU: -icount)", counter);
	MUST(pin_to(0));
	printf("%s=%s ", argv[3], unit.name);
	if (!strcmp(argv[3], "switch"))
		bench_switch(EACH);
	else if (!strcmp(argv[3], "wide"))
		bench_switch(WIDE);
	else if (!strcmp(argv[3], "match"))
		bench_switch(WIDE_MATCH);
	else if (!strcmp(argv[3], "threads"))
		bench_threads();
	else if (!strcmp(argv[3], "control"))
		bench_control();
	else if (!strcmp(argv[3], "enable"))
		bench_enable();
	else if (!strcmp(argv[3], "first"))
		bench_first();
	else if (!strcmp(argv[3], "idle"))
		bench_idle();
	else if (!strcmp(argv[3], "fill"))
		bench_busy((512 << 10) / sysconf(_SC_PAGESIZE), 0, 10);
	else if (!strcmp(argv[3], "wrap"))
		bench_busy((16 << 10) / sysconf(_SC_PAGESIZE), RING_OVERWRITE, 3);
	else if (!strcmp(argv[3], "mask"))
		bench_mask();
	else
		return 2;
	return 0;
}
