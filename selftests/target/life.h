/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sessions of more than one task: control groups, and process trees that inherit a session.
 * watch.h lists what the including file defines.
 */
#ifndef V9_SELFTEST_LIFE_H
#define V9_SELFTEST_LIFE_H

#include <pthread.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "watch.h"

#define GROUPS		"/tmp/v9-groups"
#define WATCHED		GROUPS "/v9-watched"
#define BELOW		WATCHED "/below"

/* On each CPU a task in the group, which runs spin(), and one outside of it, which runs other(). */
FIXTURE(group)
{
	struct unit unit;
	struct watch watch;
	struct player in[WATCHED_CPUS], out[WATCHED_CPUS];
	int n, fd;
};

static int move_to(const struct player *p, const char *group)
{
	char path[64], pid[16];

	snprintf(path, sizeof(path), "%s/cgroup.procs", group);
	snprintf(pid, sizeof(pid), "%d", p->worker.pid);
	return write_text(path, pid);
}

/*
 * On a kernel whose control groups are not set up yet, version 2 offers perf its groups only if
 * any controller is enabled. Version 1 does not require that.
 */
static int mount_groups(void)
{
	static const char *const controller[] = { "+cpu", "+pids", "+io", "+memory" };

	mkdir(GROUPS, 0700);
	if (!mount("none", GROUPS, "cgroup2", 0, NULL)) {
		for (size_t i = 0; i < ARRAY_SIZE(controller); i++)
			if (!write_text(GROUPS "/cgroup.subtree_control", controller[i]))
				return 0;
		umount(GROUPS);
	}
	return mount("none", GROUPS, "cgroup", 0, "perf_event") ? -errno : 0;
}

FIXTURE_SETUP(group)
{
	if (watch_find(&self->unit))
		SKIP(return, "no PMU");
	NEED_EXACT(self->unit);
	if (getuid())
		SKIP(return, "root");
	if (mount_groups())
		SKIP(return, "control groups of perf");
	ASSERT_FALSE(mkdir(WATCHED, 0700) && errno != EEXIST);
	ASSERT_FALSE(mkdir(BELOW, 0700) && errno != EEXIST);
	self->fd = open(WATCHED, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ASSERT_GE(self->fd, 0);
	watch_attr(&self->unit, &self->watch.attr);
	self->n = self->unit.ncpus < WATCHED_CPUS ? self->unit.ncpus : WATCHED_CPUS;
	for (int i = 0; i < self->n; i++) {
		int cpu = unit_cpu(&self->unit, i);

		ASSERT_EQ(0, player_start(&self->in[i], cpu, false));
		ASSERT_EQ(0, player_start(&self->out[i], cpu, true));
		/* Tasks in child groups belong to the group. */
		ASSERT_EQ(0, move_to(&self->in[i], i % 2 ? BELOW : WATCHED));
	}
	ASSERT_EQ(0, watch_open(&self->watch, &self->unit, self->fd, RING_CGROUP));
	ASSERT_EQ(0, watch_each(&self->watch, ring_enable));
}

FIXTURE_TEARDOWN(group)
{
	if (!self->n)
		return;
	watch_close(&self->watch);
	close(self->fd);
	for (int i = 0; i < self->n; i++) {
		player_end(&self->in[i]);
		player_end(&self->out[i]);
	}
	rmdir(BELOW);
	rmdir(WATCHED);
	umount(GROUPS);
}

/* Run @turns turns of all tasks, at the same time. */
static void all_play(struct player *in, struct player *out, int n, uint64_t turns)
{
	for (int i = 0; i < n; i++) {
		player_turns(&in[i], turns);
		player_turns(&out[i], turns);
	}
	for (int i = 0; i < n; i++) {
		player_wait(&in[i]);
		player_wait(&out[i]);
	}
}

#define ALL_PLAY(turns)		all_play(self->in, self->out, self->n, turns)
#define ALL_SEEN()		watch_seen(_metadata, &self->unit, &self->watch)

/* Both tasks run on each CPU, and only the one in the group is recorded. */
TEST_F(group, only_its_tasks_are_seen)
{
	struct seen seen;

	ALL_PLAY(30);
	ASSERT_EQ(0, watch_each(&self->watch, ring_disable));
	ALL_PLAY(1);
	seen = ALL_SEEN();
	EXPECT_SEEN(30 * TURN * self->n, seen.spin);
	EXPECT_EQ(0, seen.other);
	for (int i = 0; i < self->n; i++)
		EXPECT_GT(self->watch.ring[i].nbytes, 0);
}

/* A task is recorded from the time it enters the group until it leaves. */
TEST_F(group, tasks_come_and_go)
{
	struct seen seen;

	ALL_PLAY(10);
	for (int i = 0; i < self->n; i++) {
		ASSERT_EQ(0, move_to(&self->in[i], GROUPS));
		ASSERT_EQ(0, move_to(&self->out[i], WATCHED));
	}
	ALL_PLAY(7);
	for (int i = 0; i < self->n; i++)
		ASSERT_EQ(0, move_to(&self->out[i], GROUPS));
	ALL_PLAY(5);
	for (int i = 0; i < self->n; i++)
		ASSERT_EQ(0, move_to(&self->in[i], BELOW));
	ALL_PLAY(3);
	ASSERT_EQ(0, watch_each(&self->watch, ring_disable));
	seen = ALL_SEEN();
	EXPECT_SEEN(13 * TURN * self->n, seen.spin);
	EXPECT_SEEN(7 * TURN * self->n, seen.other);
}

/* Tasks enter and leave the group while they run, and change CPUs. */
TEST_F(group, tasks_come_and_go_while_they_run)
{
	uint64_t spun = 0, others = 0, more = 0;
	struct seen first, then;

	for (int turn = 0; turn < 12; turn++) {
		for (int i = 0; i < self->n; i++) {
			cpu_set_t cpus;

			CPU_ZERO(&cpus);
			CPU_SET(unit_cpu(&self->unit, (i + turn) % self->n), &cpus);
			/* More than they finish before they are moved; the buffer holds all */
			player_turns(&self->in[i], 20);
			player_turns(&self->out[i], 20);
			usleep(2000);
			ASSERT_EQ(0, move_to(&self->in[i], turn % 2 ? WATCHED : GROUPS));
			ASSERT_EQ(0, move_to(&self->out[i], turn % 3 ? GROUPS : BELOW));
			ASSERT_EQ(0, sched_setaffinity(self->in[i].worker.pid, sizeof(cpus), &cpus));
		}
		/* Free space in the buffer. */
		ASSERT_EQ(0, watch_each(&self->watch, ring_drain));
	}
	for (int i = 0; i < self->n; i++) {
		player_wait(&self->in[i]);
		player_wait(&self->out[i]);
		ASSERT_EQ(0, move_to(&self->in[i], WATCHED));
		ASSERT_EQ(0, move_to(&self->out[i], GROUPS));
		spun += self->in[i].t->done;
		others += self->out[i].t->done;
	}
	first = ALL_SEEN();
	TH_LOG("%" PRIu64 " turns in and out, %" PRIu64 " of them seen; %" PRIu64 " of others, %"
	       PRIu64 " seen", spun, first.spin / TURN, others, first.other / TURN);
	EXPECT_GT(first.spin, 0);
	EXPECT_GT(first.other, 0);
	EXPECT_LE(first.spin, spun * TURN + watch_slack(spun * TURN));
	EXPECT_LE(first.other, others * TURN + watch_slack(others * TURN));

	/* After that the session is as exact as before. */
	ALL_PLAY(20);
	ASSERT_EQ(0, watch_each(&self->watch, ring_disable));
	then = ALL_SEEN();
	more = then.spin - first.spin;
	EXPECT_SEEN(20 * TURN * self->n, more);
	EXPECT_EQ(first.other, then.other);
}

/* perf allows one event of such a PMU per CPU: a second group is refused with -EBUSY. */
TEST_F(group, one_group_at_a_time)
{
	int fd = open(BELOW, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct seen seen;
	struct ring ring;

	ASSERT_GE(fd, 0);
	EXPECT_EQ(-EBUSY, ring_open(&ring, &self->watch.attr, fd, unit_cpu(&self->unit, 0), 16,
				    RING_CGROUP));
	close(fd);
	ALL_PLAY(5);
	ASSERT_EQ(0, watch_each(&self->watch, ring_disable));
	seen = ALL_SEEN();
	EXPECT_SEEN(5 * TURN * self->n, seen.spin);
}

/*
 * A process tree. The first task creates two threads, on two CPUs. Each thread forks a child,
 * which moves to the other CPU and creates a thread. One more child runs only after its parent
 * has exited.
 */
#define FAMILY		8

struct family {
	int cpu[2];
	unsigned int turns;
	volatile int left;		/* tasks that have not finished yet */
};

struct member {
	struct family *f;
	int nr;
};

static void turns_of(struct family *f, int nr)
{
	if (nr >= 0 && pin_to(f->cpu[nr % 2]))
		_exit(4);
	for (unsigned int i = 0; i < f->turns; i++)
		spin(BUSY_SPIN);
	__atomic_sub_fetch(&f->left, 1, __ATOMIC_SEQ_CST);
}

static void *grandchild(void *arg)
{
	struct member *m = arg;

	turns_of(m->f, m->nr);
	return NULL;
}

static void child(struct member *m)
{
	pthread_t thread;

	m->nr++;
	if (pthread_create(&thread, NULL, grandchild, m))
		_exit(5);
	turns_of(m->f, m->nr);
	pthread_join(thread, NULL);
	_exit(0);
}

static void *parent(void *arg)
{
	struct member *m = arg;
	pid_t pid = fork();

	if (!pid)
		child(m);
	turns_of(m->f, m->nr);
	waitpid(pid, NULL, 0);
	return NULL;
}

static void found_family(void *arg)
{
	struct member m[2] = { { arg, 0 }, { arg, 1 } };
	pthread_t thread[2];
	pid_t me = getpid();

	if (!fork()) {
		while (getppid() == me)
			usleep(1000);
		turns_of(arg, 0);
		_exit(0);
	}
	for (int i = 0; i < 2; i++)
		if (pthread_create(&thread[i], NULL, parent, &m[i]))
			_exit(6);
	turns_of(arg, -1);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
}

FIXTURE(family)
{
	struct unit unit;
	struct watch watch;
	struct family *family;
	struct worker founder;
};

FIXTURE_SETUP(family)
{
	const char *missing;

	if (watch_find(&self->unit))
		SKIP(return, "no PMU");
	missing = watch_missing(&self->unit);
	if (missing)
		SKIP(return, "%s", missing);
	NEED_EXACT(self->unit);
	if (self->unit.ncpus > WATCHED_CPUS)
		SKIP(return, "machine of at most %d CPUs", WATCHED_CPUS);
	self->family = new_shared(sizeof(*self->family));
	ASSERT_NE(NULL, self->family);
	self->family->cpu[0] = unit_cpu(&self->unit, 0);
	self->family->cpu[1] = unit_cpu(&self->unit, self->unit.ncpus > 1);
	self->family->left = FAMILY;
	self->family->turns = 20;
	ASSERT_EQ(0, worker_start(&self->founder, -1, found_family, self->family));
	watch_attr(&self->unit, &self->watch.attr);
	self->watch.attr.inherit = 1;
	ASSERT_EQ(0, watch_open(&self->watch, &self->unit, self->founder.pid, 0));
}

FIXTURE_TEARDOWN(family)
{
	watch_close(&self->watch);
}

/* The work of all tasks is recorded, in whichever order they start and exit. */
TEST_F(family, every_member_is_seen)
{
	struct seen seen;

	ASSERT_EQ(0, watch_each(&self->watch, ring_enable));
	worker_go(&self->founder);
	ASSERT_EQ(0, worker_wait(&self->founder));
	while (self->family->left)
		usleep(1000);
	ASSERT_EQ(0, watch_each(&self->watch, ring_disable));
	seen = ALL_SEEN();
	EXPECT_SEEN(FAMILY * 20 * TURN, seen.spin);
}

/* The session is enabled and disabled while tasks are created, run and exit. */
TEST_F(family, stopped_and_started)
{
	struct seen seen;
	unsigned int i;

	worker_go(&self->founder);
	for (i = 0; self->family->left; i++) {
		ASSERT_EQ(0, watch_each(&self->watch, ring_enable));
		usleep(2000);
		ASSERT_EQ(0, watch_each(&self->watch, ring_disable));
		ASSERT_EQ(0, watch_each(&self->watch, ring_drain));
	}
	ASSERT_EQ(0, worker_wait(&self->founder));
	seen = ALL_SEEN();
	TH_LOG("%u times, %" PRIu64 " turns of %d", i, seen.spin / TURN, FAMILY * 20);
	EXPECT_GT(seen.spin, 0);
	EXPECT_LE(seen.spin, FAMILY * 20 * TURN + watch_slack(FAMILY * 20 * TURN));
}

#endif
