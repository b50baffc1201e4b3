// SPDX-License-Identifier: GPL-2.0-only
/*
 * Address filters of a file whose mappings change: it is mapped at another address, unmapped,
 * mapped by a thread, mapped by a child process, executed. The comparators follow the mapping,
 * and nothing else is traced.
 */
#define _GNU_SOURCE
#include "harness.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "ete.h"
#include "work.h"

#define AUX_PAGES	256
#define LENGTH		(2 * 65536)	/* bytes of the file: two pages of the largest page size */
#define AT		(LENGTH / 2 + 64)	/* offset of its loop */

/* A program with a loop at an address, also usable as a library, and the hits of the loop. */
struct program {
	char path[32];
	int fd;
	unsigned int hits[2];
};

static const uint32_t loop[] = {
	0xf1000400,		/* subs x0, x0, #1 */
	0x54ffffe1,		/* b.ne */
	0xd65f03c0,		/* ret */
};

static const uint32_t begin[] = {
	0xd2803e80,		/* mov x0, #500 */
	0x97fffffb,		/* bl to the loop, 16 bytes before begin[] */
	0xd2800000,		/* mov x0, #0 */
	0xd2800ba8,		/* mov x8, #93: exit */
	0xd4000001,		/* svc #0 */
};

#define OWN_ROUNDS	500

/* If the program is executed its loop is at @address. */
static int make_program(struct program *p, uint64_t address)
{
	uint64_t base = address & ~(uint64_t)(LENGTH / 2 - 1), at = LENGTH / 2 + address - base;
	const struct {
		Elf64_Ehdr head;
		Elf64_Phdr load;
	} elf = {
		.head = {
			.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				     EV_CURRENT },
			.e_type = ET_EXEC,
			.e_machine = EM_AARCH64,
			.e_version = EV_CURRENT,
			.e_entry = address + 16,
			.e_phoff = sizeof(Elf64_Ehdr),
			.e_ehsize = sizeof(Elf64_Ehdr),
			.e_phentsize = sizeof(Elf64_Phdr),
			.e_phnum = 1,
		},
		.load = {
			.p_type = PT_LOAD,
			.p_flags = PF_R | PF_X,
			.p_offset = LENGTH / 2,
			.p_vaddr = base,
			.p_filesz = LENGTH / 2,
			.p_memsz = LENGTH / 2,
			.p_align = LENGTH / 2,
		},
	};

	memset(p, 0, sizeof(*p));
	strcpy(p->path, "/tmp/v9-mapping-XXXXXX");
	p->fd = mkostemp(p->path, O_CLOEXEC);
	if (p->fd < 0 || fchmod(p->fd, 0700) || ftruncate(p->fd, LENGTH) ||
	    pwrite(p->fd, &elf, sizeof(elf), 0) != sizeof(elf) ||
	    pwrite(p->fd, loop, sizeof(loop), at) != sizeof(loop) ||
	    pwrite(p->fd, begin, sizeof(begin), at + 16) != sizeof(begin))
		return -errno;
	/* A file that is open for writing cannot be executed. */
	close(p->fd);
	p->fd = open(p->path, O_RDONLY | O_CLOEXEC);
	return p->fd < 0 ? -errno : 0;
}

static void end_program(struct program *p)
{
	close(p->fd);
	unlink(p->path);
}

/* Maps the second half, for a file at @where or anywhere. Returns the file's address, or NULL. */
static char *map_program(const struct program *p, void *where)
{
	char *code = mmap(where ? (char *)where + LENGTH / 2 : NULL, LENGTH / 2,
			  PROT_READ | PROT_EXEC, MAP_PRIVATE | (where ? MAP_FIXED : 0), p->fd,
			  LENGTH / 2);

	return code == MAP_FAILED ? NULL : code - LENGTH / 2;
}

static void unmap_program(char *code)
{
	munmap(code + LENGTH / 2, LENGTH / 2);
}

static void run_at(const char *code, uint64_t n)
{
	((void (*)(uint64_t))(uintptr_t)(code + AT))(n);
}

/* Opens an event of the loop for @pid. With a CPU, the task's children and threads inherit it. */
static int open_filtered(struct ring *ring, const struct unit *unit, const struct program *p,
			 pid_t pid, int cpu, struct perf_event_attr *attr)
{
	char text[128];
	int err;

	ete_attr(unit, attr);
	attr->mmap = 1;		/* perf follows new mappings only for events that record them */
	attr->inherit = cpu >= 0;
	err = ring_open(ring, attr, pid, cpu, AUX_PAGES, 0);
	if (err)
		return err;
	snprintf(text, sizeof(text), "filter %#x/8@%s", AT, p->path);
	return ete_set_filter(ring, text) ?: ring_enable(ring);
}

/* The number of iterations of the loop at @code, where it is mapped in this process now. */
static uint64_t rounds_at(struct __test_metadata *_metadata, const struct unit *unit,
			  const struct perf_event_attr *attr, struct ring *ring, const char *code,
			  uint64_t *in_spin)
{
	unsigned int hits[2] = { 0 };
	struct ete_run run = {
		.from = (uintptr_t)code + AT, .to = (uintptr_t)code + AT + 8, .hits = hits,
	};

	EXPECT_EQ(0, ring_drain(ring));
	EXPECT_EQ(0, ring->flags & RING_LOSS);
	EXPECT_EQ(0, ete_walk(unit, attr, ring, &run))
		TH_LOG("%s at %" PRIu64, run.why, run.bad_at);
	EXPECT_EQ(hits[0], hits[1]);
	*in_spin = run.in_spin;
	return hits[0];
}

#define ROUNDS_AT(code)		rounds_at(_metadata, &unit, &attr, &ring, code, &in_spin)

#define NEED_PROGRAM(unit, p, address)						\
	struct perf_event_attr attr;						\
	struct program p;							\
	struct ring ring;							\
	uint64_t in_spin;							\
										\
	NEED_SESSION(unit);							\
	NEED(unit.ours, "v9_ete driver");					\
	NEED(read_number(unit.dir, "nr_addr_filters") >= 4, "two address comparator pairs"); \
	NEED(!make_program(&p, address), "writable /tmp")

/* An address at which no program of these tests is mapped */
#define ELSEWHERE	(UINT64_C(0x2000000000) + AT - LENGTH / 2)

/*
 * The file is unmapped and mapped at another address, then at two. The comparators follow the
 * newest mapping. Code of another file at the same offset is not traced.
 */
TEST(mapped_elsewhere)
{
	struct program stranger;
	char *first, *second, *third, *strange;

	NEED_PROGRAM(unit, p, ELSEWHERE);
	ASSERT_EQ(0, make_program(&stranger, ELSEWHERE));
	first = map_program(&p, NULL);
	NEED(first, "executable /tmp");
	ASSERT_EQ(0, open_filtered(&ring, &unit, &p, 0, -1, &attr));
	spin(1000);
	run_at(first, 300);
	unmap_program(first);
	strange = map_program(&stranger, NULL);
	ASSERT_NE(NULL, strange);
	second = map_program(&p, NULL);
	ASSERT_NE(NULL, second);
	ASSERT_NE(first, second);
	run_at(second, 400);
	run_at(strange, 100);
	third = map_program(&p, NULL);
	ASSERT_NE(NULL, third);
	run_at(third, 500);
	run_at(second, 50);
	spin(1000);
	ASSERT_EQ(0, ring_disable(&ring));

	/* For the decoder: the first mapping has the other file's code, which is identical. */
	ASSERT_TRUE(strange == first || map_program(&p, first) == first);
	EXPECT_EQ(300, ROUNDS_AT(first));
	EXPECT_EQ(400, ROUNDS_AT(second));
	EXPECT_EQ(500, ROUNDS_AT(third));
	if (strange != first)
		EXPECT_EQ(0, ROUNDS_AT(strange));
	EXPECT_EQ(0, in_spin);
	ring_close(&ring);
	end_program(&stranger);
	end_program(&p);
}

/*
 * When a CPU switches between tasks that inherited the same events, perf swaps their events, and
 * the ranges that it has found in the mappings of one of them go to the other. So the task that has
 * made a thread or child sleeps while that one maps the file and executes it.
 */

/* A thread maps the file, as dlopen() does, and executes it. */
struct mapping {
	const struct program *p;
	char *code;
};

static void *map_and_run(void *arg)
{
	struct mapping *m = arg;

	wait_until_asleep(getpid());
	m->code = map_program(m->p, NULL);
	if (m->code)
		run_at(m->code, 700);
	spin(1000);
	return NULL;
}

TEST(mapped_by_a_thread)
{
	pthread_t thread;
	struct mapping m;

	NEED_PROGRAM(unit, p, ELSEWHERE);
	m.p = &p;
	ASSERT_EQ(0, pin_to(unit_cpu(&unit, 0)));
	ASSERT_EQ(0, open_filtered(&ring, &unit, &p, 0, unit_cpu(&unit, 0), &attr));
	ASSERT_EQ(0, pthread_create(&thread, NULL, map_and_run, &m));
	ASSERT_EQ(0, pthread_join(thread, NULL));
	spin(1000);
	ASSERT_EQ(0, ring_disable(&ring));
	NEED(m.code, "executable /tmp");
	EXPECT_EQ(700, ROUNDS_AT(m.code));
	EXPECT_EQ(0, in_spin);
	ring_close(&ring);
	end_program(&p);
}

/* A child has the mappings of its parent until it maps its own. Those of the parent stay. */
TEST(mapped_by_a_child)
{
	char *ours, *theirs, *room;
	pid_t pid;

	NEED_PROGRAM(unit, p, ELSEWHERE);
	ASSERT_EQ(0, pin_to(unit_cpu(&unit, 0)));
	ours = map_program(&p, NULL);
	NEED(ours, "executable /tmp");
	room = mmap(NULL, LENGTH, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, room);
	ASSERT_EQ(0, open_filtered(&ring, &unit, &p, 0, unit_cpu(&unit, 0), &attr));
	run_at(ours, 100);
	pid = fork();
	if (!pid) {
		wait_until_asleep(getppid());
		run_at(ours, 200);
		unmap_program(ours);
		theirs = map_program(&p, room);
		if (theirs)
			run_at(theirs, 400);
		spin(1000);
		_exit(0);
	}
	ASSERT_EQ(pid, waitpid(pid, NULL, 0));
	run_at(ours, 1000);
	spin(1000);
	ASSERT_EQ(0, ring_disable(&ring));
	theirs = map_program(&p, room);
	ASSERT_NE(NULL, theirs);
	EXPECT_EQ(1300, ROUNDS_AT(ours));
	EXPECT_EQ(400, ROUNDS_AT(theirs));
	EXPECT_EQ(0, in_spin);
	ring_close(&ring);
	end_program(&p);
}

static void become(void *arg)
{
	const struct program *p = arg;

	spin(1000);
	execl(p->path, p->path, NULL);
	_exit(9);
}

/* The task executes the program. */
TEST(program_is_executed)
{
	struct worker worker;
	char *code;
	int status;

	NEED_PROGRAM(unit, p, ELSEWHERE);
	ASSERT_EQ(0, worker_start(&worker, -1, become, &p));
	ASSERT_EQ(0, open_filtered(&ring, &unit, &p, worker.pid, -1, &attr));
	worker_go(&worker);
	status = worker_wait(&worker);
	ASSERT_EQ(0, status);
	ASSERT_EQ(0, ring_disable(&ring));
	code = map_program(&p, (void *)(uintptr_t)(ELSEWHERE - AT));
	ASSERT_NE(NULL, code);
	EXPECT_EQ(OWN_ROUNDS, ROUNDS_AT(code));
	EXPECT_EQ(0, in_spin);
	ring_close(&ring);
	end_program(&p);
}

/* A part of a program is traced, then the task executes another with other code at that address. */
TEST(other_program_at_the_same_address)
{
	char text[1024] = "";
	struct worker worker;
	struct ete_run run;

	NEED_PROGRAM(unit, p, (uintptr_t)spin_start);
	(void)in_spin;
	ete_attr(&unit, &attr);
	attr.mmap = 1;
	ASSERT_EQ(0, worker_start(&worker, -1, become, &p));
	ASSERT_EQ(0, ring_open(&ring, &attr, worker.pid, -1, AUX_PAGES, 0));
	ete_add_filter(text, sizeof(text), "filter", SPIN_CODE);
	ASSERT_EQ(0, ete_set_filter(&ring, text));
	ASSERT_EQ(0, ring_enable(&ring));
	worker_go(&worker);
	ASSERT_EQ(0, worker_wait(&worker));
	FINISH(ring, attr, run);
	EXPECT_EQ(0, ring.flags & RING_LOSS);
	EXPECT_EQ(2000, run.in_spin);
	ring_close(&ring);
	end_program(&p);
}

TEST_HARNESS_MAIN
