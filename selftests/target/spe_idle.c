// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions without data for a long time: tasks that are switched many times between two samples.
 * v9_spe then defers the AUX handle. Another event of the same buffer, or the removal of the
 * buffer, must not find it open, because the kernel would log a warning. The last test checks the
 * log.
 */
#include "harness.h"

#include <sys/ioctl.h>
#include <sys/wait.h>

#include "machine.h"
#include "spe.h"
#include "work.h"

#define TURNS	2000
#define WORK	400000		/* argument of spin(): twice as many instructions */
#define PERIOD	65536

/* Two tasks exchange a byte, then each one runs spin(). */
struct side {
	int in, out;
	bool first;
};

static void take_turns(void *arg)
{
	struct side *s = arg;
	char c = 0;

	for (int i = 0; i < TURNS; i++) {
		if (s->first && write(s->out, &c, 1) != 1)
			_exit(1);
		if (read(s->in, &c, 1) != 1)
			_exit(1);
		if (!s->first && write(s->out, &c, 1) != 1)
			_exit(1);
	}
	spin(WORK);
}

static int make_sides(struct side *s)
{
	int to[2], back[2];

	if (pipe(to) || pipe(back))
		return -1;
	s[0] = (struct side){ .in = back[0], .out = to[1], .first = true };
	s[1] = (struct side){ .in = to[0], .out = back[1] };
	return 0;
}

static void close_sides(struct side *s)
{
	for (int i = 0; i < 2; i++) {
		close(s[i].in);
		close(s[i].out);
	}
}

FIXTURE(idle)
{
	struct unit unit;
	struct perf_event_attr attr;
	int cpu;
};

FIXTURE_SETUP(idle)
{
	const char *missing;

	if (spe_find(&self->unit))
		SKIP(return, "FEAT_SPE (no PMU arm_spe_*)");
	missing = spe_missing(&self->unit);
	if (missing)
		SKIP(return, "%s", missing);
	if (self->unit.ncpus < 2)
		SKIP(return, "second CPU");
	self->cpu = unit_cpu(&self->unit, 1);
	ASSERT_EQ(0, pin_to(unit_cpu(&self->unit, 0)));
	spe_attr(&self->unit, &self->attr);
	self->attr.sample_period = PERIOD;
}

FIXTURE_TEARDOWN(idle)
{
}

/* The samples of @tasks times spin(), except for samples outside of it and the phase */
#define EXPECT_WORK(recs, tasks)						\
	do {									\
		EXPECT_GE(spe_in_spin(recs) + 3 * (tasks), (tasks) * 2 * WORK / PERIOD); \
		EXPECT_LE(spe_in_spin(recs), (tasks) * (2 * WORK / PERIOD + 2));	\
	} while (0)

TEST_F(idle, each_task_has_its_own_buffer)
{
	struct worker worker[2];
	struct ring ring[2];
	struct side side[2];

	ASSERT_EQ(0, make_sides(side));
	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(0, worker_start(&worker[i], self->cpu, take_turns, &side[i]));
		ASSERT_EQ(0, ring_open(&ring[i], &self->attr, worker[i].pid, -1, 16, 0));
		ASSERT_EQ(0, ring_enable(&ring[i]));
	}
	for (int i = 0; i < 2; i++)
		worker_go(&worker[i]);
	for (int i = 0; i < 2; i++)
		ASSERT_EQ(0, worker_wait(&worker[i]));
	for (int i = 0; i < 2; i++) {
		struct spe_recs recs;

		FINISH(ring[i], recs);
		EXPECT_EQ(0, ring[i].flags & RING_LOSS);
		EXPECT_WORK(&recs, 1);
		spe_free(&recs);
		ring_close(&ring[i]);
	}
	close_sides(side);
}

/* perf record -p opens such events for the threads of a process. */
TEST_F(idle, tasks_share_a_buffer)
{
	struct worker worker[2];
	struct side side[2];
	struct spe_recs recs;
	struct ring ring;
	int fd;

	ASSERT_EQ(0, make_sides(side));
	for (int i = 0; i < 2; i++)
		ASSERT_EQ(0, worker_start(&worker[i], self->cpu, take_turns, &side[i]));
	ASSERT_EQ(0, ring_open(&ring, &self->attr, worker[0].pid, self->cpu, 16, 0));
	fd = ring_event(&self->attr, worker[1].pid, self->cpu);
	ASSERT_GE(fd, 0);
	ASSERT_EQ(0, ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring.fd));
	ASSERT_EQ(0, ring_enable(&ring));
	ASSERT_EQ(0, ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	for (int i = 0; i < 2; i++)
		worker_go(&worker[i]);
	for (int i = 0; i < 2; i++)
		ASSERT_EQ(0, worker_wait(&worker[i]));
	ASSERT_EQ(0, ioctl(fd, PERF_EVENT_IOC_DISABLE, 0));
	FINISH(ring, recs);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	EXPECT_WORK(&recs, 2);
	spe_free(&recs);
	close(fd);
	ring_close(&ring);
	close_sides(side);
}

/* perf record PROGRAM opens such an event. */
static void fork_and_take_turns(void *arg)
{
	struct side *side = arg;
	pid_t pid[2];
	int status;

	for (int i = 0; i < 2; i++) {
		pid[i] = fork();
		if (!pid[i]) {
			take_turns(&side[i]);
			_exit(0);
		}
	}
	for (int i = 0; i < 2; i++)
		if (waitpid(pid[i], &status, 0) != pid[i] || status)
			_exit(1);
}

TEST_F(idle, children_share_the_buffer_of_their_parent)
{
	struct worker worker;
	struct side side[2];
	struct spe_recs recs;
	struct ring ring;

	ASSERT_EQ(0, make_sides(side));
	self->attr.inherit = 1;
	ASSERT_EQ(0, worker_start(&worker, self->cpu, fork_and_take_turns, side));
	ASSERT_EQ(0, ring_open(&ring, &self->attr, worker.pid, self->cpu, 16, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	ASSERT_EQ(0, worker_wait(&worker));
	FINISH(ring, recs);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	EXPECT_WORK(&recs, 2);
	spe_free(&recs);
	ring_close(&ring);
	close_sides(side);
}

/* Sleeps and wakes up with little work in between, until *arg is set. */
static void sleep_until_stop(void *arg)
{
	volatile bool *stop = arg;

	while (!*stop)
		usleep(20);
}

/* The buffer is unmapped and mapped while its task sleeps, wakes up or goes to sleep. */
TEST_F(idle, buffer_is_unmapped_at_any_moment)
{
	bool *stop = new_shared(sizeof(*stop));
	struct worker worker;
	struct ring ring;

	ASSERT_NE(NULL, stop);
	ASSERT_EQ(0, worker_start(&worker, self->cpu, sleep_until_stop, stop));
	ASSERT_EQ(0, ring_open(&ring, &self->attr, worker.pid, -1, 16, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	for (int i = 0; i < 300; i++) {
		usleep(100 + 37 * (i % 20));
		ring_unmap_aux(&ring);
		usleep(i % 3 * 50);
		ASSERT_EQ(0, ring_map_aux(&ring, 16, 0));
		ASSERT_EQ(0, ring_enable(&ring));
	}
	*stop = true;
	ASSERT_EQ(0, worker_wait(&worker));
	ring_close(&ring);
}

/* Task and session move between CPUs, and the deferred AUX handle with them. */
static void wander_about(void *arg)
{
	struct unit *unit = arg;

	for (int i = 0; i < TURNS / 4; i++)
		if (pin_to(unit_cpu(unit, i & 1)))
			_exit(1);
	spin(WORK);
}

TEST_F(idle, task_changes_cpus)
{
	struct worker worker;
	struct spe_recs recs;
	struct ring ring;

	ASSERT_EQ(0, worker_start(&worker, self->cpu, wander_about, &self->unit));
	ASSERT_EQ(0, ring_open(&ring, &self->attr, worker.pid, -1, 16, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	ASSERT_EQ(0, worker_wait(&worker));
	FINISH(ring, recs);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	EXPECT_WORK(&recs, 1);
	spe_free(&recs);
	ring_close(&ring);
}

/* Two open AUX handles of a buffer, or one that outlives it, make the kernel log a warning. */
TEST_F(idle, kernel_log_is_clean)
{
	int found = log_complaints();

	if (found < 0)
		SKIP(return, "readable /dev/kmsg");
	EXPECT_EQ(0, found);
}

TEST_HARNESS_MAIN
