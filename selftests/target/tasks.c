// SPDX-License-Identifier: GPL-2.0-only
/* Sessions of more than one task: control groups, and process trees that inherit a session. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

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

UNIT_VARIANTS(group, const struct watch_unit *of, &watch_spe, &watch_ete);

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
	const char *inexact;

	self->watch.of = variant->of;
	if (variant->of->find(&self->unit))
		SKIP(return, "PMU of %s", variant->of->driver);
	inexact = variant->of->inexact(&self->unit);
	if (inexact)
		SKIP(return, "%s", inexact);
	if (getuid())
		SKIP(return, "root");
	if (mount_groups())
		SKIP(return, "control groups of perf");
	ASSERT_FALSE(mkdir(WATCHED, 0700) && errno != EEXIST);
	ASSERT_FALSE(mkdir(BELOW, 0700) && errno != EEXIST);
	self->fd = open(WATCHED, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ASSERT_GE(self->fd, 0);
	variant->of->attr(&self->unit, &self->watch.attr);
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

/* Both tasks run on each CPU, and only the one in the group is recorded. */
TEST_F(group, only_tasks_of_the_group_are_recorded)
{
	struct recorded got;

	ALL_PLAY(30);
	ASSERT_EQ(0, watch_each(&self->watch, ring_disable));
	ALL_PLAY(1);
	got = RECORDED();
	EXPECT_INSNS(30 * TURN * self->n, got.spin);
	EXPECT_EQ(0, got.other);
	for (int i = 0; i < self->n; i++)
		EXPECT_GT(self->watch.ring[i].nbytes, 0);
}

/* A task is recorded from the time it enters the group until it leaves. */
TEST_F(group, tasks_enter_and_leave)
{
	struct recorded got;

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
	got = RECORDED();
	EXPECT_INSNS(13 * TURN * self->n, got.spin);
	EXPECT_INSNS(7 * TURN * self->n, got.other);
}

/* Tasks enter and leave the group while they run, and change CPUs. */
TEST_F(group, running_tasks_enter_and_leave)
{
	uint64_t spun = 0, others = 0, more = 0;
	struct recorded first, then;

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
	/* A task that has ended its last turn may not have left its CPU yet. */
	ASSERT_EQ(0, watch_each(&self->watch, ring_disable));
	first = RECORDED();
	ASSERT_EQ(0, watch_each(&self->watch, ring_enable));
	TH_LOG("%" PRIu64 " turns in and out, %" PRIu64 " of them seen; %" PRIu64 " of others, %"
	       PRIu64 " seen", spun, first.spin / TURN, others, first.other / TURN);
	EXPECT_GT(first.spin, 0);
	EXPECT_GT(first.other, 0);
	EXPECT_LE(first.spin, spun * TURN + self->watch.of->slack(spun * TURN));
	EXPECT_LE(first.other, others * TURN + self->watch.of->slack(others * TURN));

	/* After that the session is as exact as before. */
	ALL_PLAY(20);
	ASSERT_EQ(0, watch_each(&self->watch, ring_disable));
	then = RECORDED();
	more = then.spin - first.spin;
	EXPECT_INSNS(20 * TURN * self->n, more);
	EXPECT_EQ(first.other, then.other);
}

/* perf allows one event of such a PMU per CPU: a second group is refused with -EBUSY. */
TEST_F(group, second_group_is_busy)
{
	int fd = open(BELOW, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct recorded got;
	struct ring ring;

	ASSERT_GE(fd, 0);
	EXPECT_EQ(-EBUSY, ring_open(&ring, &self->watch.attr, fd, unit_cpu(&self->unit, 0), 16,
				    RING_CGROUP));
	close(fd);
	ALL_PLAY(5);
	ASSERT_EQ(0, watch_each(&self->watch, ring_disable));
	got = RECORDED();
	EXPECT_INSNS(5 * TURN * self->n, got.spin);
}

/*
 * A process tree. The first task creates two threads, on two CPUs. Each thread forks a child,
 * which moves to the other CPU and creates a thread. One more child runs only after its parent
 * has exited.
 */
#define TREE_TASKS		8

struct tree {
	int cpu[2];
	unsigned int turns;
	volatile int left;		/* tasks that have not finished yet */
};

struct member {
	struct tree *f;
	int nr;
};

static void turns_of(struct tree *f, int nr)
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

static void start_tree(void *arg)
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

FIXTURE(tree)
{
	struct unit unit;
	struct watch watch;
	struct tree *tree;
	struct worker root;
};

UNIT_VARIANTS(tree, const struct watch_unit *of, &watch_spe, &watch_ete);

FIXTURE_SETUP(tree)
{
	const char *missing;

	self->watch.of = variant->of;
	if (variant->of->find(&self->unit))
		SKIP(return, "PMU of %s", variant->of->driver);
	missing = variant->of->missing(&self->unit) ?: variant->of->inexact(&self->unit);
	if (missing)
		SKIP(return, "%s", missing);
	if (self->unit.ncpus > WATCHED_CPUS)
		SKIP(return, "machine of at most %d CPUs", WATCHED_CPUS);
	self->tree = new_shared(sizeof(*self->tree));
	ASSERT_NE(NULL, self->tree);
	self->tree->cpu[0] = unit_cpu(&self->unit, 0);
	self->tree->cpu[1] = unit_cpu(&self->unit, self->unit.ncpus > 1);
	self->tree->left = TREE_TASKS;
	self->tree->turns = 20;
	ASSERT_EQ(0, worker_start(&self->root, -1, start_tree, self->tree));
	variant->of->attr(&self->unit, &self->watch.attr);
	self->watch.attr.inherit = 1;
	ASSERT_EQ(0, watch_open(&self->watch, &self->unit, self->root.pid, 0));
}

FIXTURE_TEARDOWN(tree)
{
	watch_close(&self->watch);
}

/* The work of all tasks is recorded, in whichever order they start and exit. */
TEST_F(tree, all_descendants_are_recorded)
{
	struct recorded got;

	ASSERT_EQ(0, watch_each(&self->watch, ring_enable));
	worker_go(&self->root);
	ASSERT_EQ(0, worker_wait(&self->root));
	while (self->tree->left)
		usleep(1000);
	ASSERT_EQ(0, watch_each(&self->watch, ring_disable));
	got = RECORDED();
	EXPECT_INSNS(TREE_TASKS * 20 * TURN, got.spin);
}

/* The session is enabled and disabled while tasks are created, run and exit. */
TEST_F(tree, disabled_and_enabled_while_they_run)
{
	struct recorded got;
	unsigned int i;

	for (i = 0; !i || self->tree->left; i++) {
		ASSERT_EQ(0, watch_each(&self->watch, ring_enable));
		if (!i)
			worker_go(&self->root);
		/* The first task to exit is recorded whole, however slow the machine is. */
		do
			usleep(2000);
		while (!i && self->tree->left == TREE_TASKS);
		ASSERT_EQ(0, watch_each(&self->watch, ring_disable));
		ASSERT_EQ(0, watch_each(&self->watch, ring_drain));
	}
	ASSERT_EQ(0, worker_wait(&self->root));
	got = RECORDED();
	TH_LOG("%u times, %" PRIu64 " turns of %d", i, got.spin / TURN, TREE_TASKS * 20);
	EXPECT_GT(got.spin, 0);
	EXPECT_LE(got.spin, TREE_TASKS * 20 * TURN + self->watch.of->slack(TREE_TASKS * 20 * TURN));
}

TEST_HARNESS_MAIN
