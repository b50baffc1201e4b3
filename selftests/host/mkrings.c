// SPDX-License-Identifier: GPL-2.0-only
/*
 * The events and rings of v9trace record, on a kernel that is simulated: perf_event_open() returns a file of memory,
 * and this program writes what a unit would write to the rings. The system has the CPUs 0 and 1. The program is linked
 * with the objects of v9trace and with libperf, and with --wrap for the functions below.
 *	mkrings TEST		prints what the functions of rings.h ask of the kernel, and what they return
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_events.h"

#include "../../tools/ask.h"
#include "../../tools/collect/rings.h"
#include "../../tools/holders.h"
#include "../../tools/perfdata.h"
#include "../../tools/util.h"

#define PAGE	4096
#define DATA	(16 * PAGE)	/* of records of an AUX ring */
#define AUX	PAGE		/* of an AUX area */
#define FILE_SIZE	(4u << 20)

enum { SW = 1, SPE = 8, ETE = 9 };	/* types of events */

/* ---- the kernel */

/* Nothing is written while a test prepares what it is for. */
static bool silent;

#define note(...) (silent ? 0 : printf(__VA_ARGS__))

static bool same_unit;		/* each unit is for one event of a CPU */

/* The next .times calls of a kind fail, for an event of this type, CPU and task; -1: of any. */
enum { FAIL_OPEN, FAIL_ON, FAIL_OUTPUT, FAIL_PERIOD, FAIL_MAP, FAIL_MAP_AUX, FAILS };
static struct {
	int type, cpu, tid, err, times;
} fail[FAILS];

static bool fails(int what, int i)
{
	if (!fail[what].times || (fail[what].type >= 0 && fail[what].type != (int)event[i].attr.type) ||
	    (fail[what].cpu >= 0 && fail[what].cpu != event[i].cpu) ||
	    (fail[what].tid >= 0 && fail[what].tid != event[i].tid))
		return false;
	fail[what].times--;
	errno = fail[what].err;
	return true;
}

static void let_fail(int what, int type, int cpu, int err, int times)
{
	fail[what].type = type;
	fail[what].cpu = cpu;
	fail[what].tid = -1;
	fail[what].err = err;
	fail[what].times = times;
}

static int task[64], tasks;	/* that logs name "a", "b", .. */

static const char *task_name(int tid)
{
	static char name[2];

	for (int i = 0; i < tasks; i++)
		if (task[i] == tid) {
			name[0] = (char)('a' + i);
			return name;
		}
	return tid == -1 ? "any" : "?";
}

static const char *type_name(unsigned int type)
{
	return type == SPE ? "spe" : type == ETE ? "ete" : "sw";
}

/* Called when an event is opened: a task that begins or ends meanwhile */
static void (*meanwhile)(int i);

long __real_syscall(long nr, ...);
long __wrap_syscall(long nr, ...);
long __wrap_syscall(long nr, ...)
{
	const struct perf_event_attr *attr;
	va_list ap;
	long arg[6];
	int i = events;

	va_start(ap, nr);
	for (int k = 0; k < 6; k++)
		arg[k] = va_arg(ap, long);
	va_end(ap);
	if (nr != SYS_perf_event_open)
		return __real_syscall(nr, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
	attr = (const void *)arg[0];
	event[i].attr = *attr;
	event[i].tid = (int)arg[1];
	event[i].cpu = (int)arg[2];
	event[i].output = -1;
	event[i].on = !attr->disabled;
	note("open %d %s cpu %d task %s%s%s%s%s%s\n", i, type_name(attr->type), event[i].cpu, task_name(event[i].tid),
	     attr->inherit ? " inherit" : "", attr->enable_on_exec ? " exec" : "",
	     attr->exclude_kernel && attr->exclude_hv ? " user" : "",
	     arg[4] == PERF_FLAG_FD_CLOEXEC ? " cloexec" : arg[4] ? " flags?" : "", (int)arg[3] == -1 ? "" : " group");
	for (int k = 0; same_unit && k < events; k++)
		if (event[k].attr.type == attr->type && event[k].cpu == event[i].cpu) {
			errno = EBUSY;
			return -1;
		}
	if (fails(FAIL_OPEN, i)) {
		note("  fails\n");
		return -1;
	}
	event[i].fd = memfd_create("event", 0);
	if (event[i].fd < 0 || ftruncate(event[i].fd, FILE_SIZE))
		exit(1);
	events++;
	if (meanwhile)
		meanwhile(i);
	return event[i].fd;
}

int __real_ioctl(int fd, unsigned long what, ...);
int __wrap_ioctl(int fd, unsigned long what, ...);
int __wrap_ioctl(int fd, unsigned long what, ...)
{
	const int i = event_of(fd);
	unsigned long arg;
	va_list ap;

	va_start(ap, what);
	arg = va_arg(ap, unsigned long);
	va_end(ap);
	if (i < 0) {
		if (fd >= 0)
			return __real_ioctl(fd, what, arg);
		errno = EBADF;
		return -1;
	}
	switch (what) {
	case PERF_EVENT_IOC_ID:
		*(uint64_t *)arg = (UINT64_C(7) << 32) + 100 + (unsigned int)i;
		break;
	case PERF_EVENT_IOC_ENABLE:
		note("on %d%s\n", i, arg ? " group" : "");
		if (fails(FAIL_ON, i))
			return -1;
		event[i].on = true;
		break;
	case PERF_EVENT_IOC_DISABLE:
		note("off %d%s\n", i, arg ? " group" : "");
		event[i].on = false;
		break;
	case PERF_EVENT_IOC_SET_OUTPUT:
		event[i].output = event_of((int)arg);
		note("output %d to %d\n", i, event[i].output);
		if (fails(FAIL_OUTPUT, i))
			return -1;
		break;
	case PERF_EVENT_IOC_PERIOD:
		note("period %d %llu\n", i, *(unsigned long long *)arg);
		if (fails(FAIL_PERIOD, i))
			return -1;
		break;
	default:
		note("ioctl %d %lx\n", i, what);
	}
	return 0;
}

static int maps;	/* that are there now */

void *__real_mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset)
{
	const int i = fd < 0 ? -1 : event_of(fd);

	if (i >= 0) {
		note("map %d %zu at %llu%s%s\n", i, n, (unsigned long long)offset, prot & PROT_WRITE ? "" : " read-only",
		     flags == MAP_SHARED ? "" : " flags?");
		if (fails(offset ? FAIL_MAP_AUX : FAIL_MAP, i))
			return MAP_FAILED;
		maps++;
	}
	return __real_mmap(at, n, prot, flags, fd, offset);
}

int __real_munmap(void *at, size_t n);
int __wrap_munmap(void *at, size_t n);
int __wrap_munmap(void *at, size_t n)
{
	note("unmap %zu\n", n);
	maps--;
	return __real_munmap(at, n);
}

int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd)
{
	const int i = event_of(fd);

	if (i >= 0) {
		note("close %d\n", i);
		event[i].fd = -2;
	}
	return __real_close(fd);
}

/* The setting of this machine, and who runs the test, are not part of the results. */
static const char *paranoid = "3";

char *__real_v9_read_line(const char *path);
char *__wrap_v9_read_line(const char *path);
char *__wrap_v9_read_line(const char *path)
{
	if (strcmp(path, "/proc/sys/kernel/perf_event_paranoid"))
		return __real_v9_read_line(path);
	return paranoid ? v9_strdup(paranoid) : NULL;
}

static uid_t user;

uid_t __wrap_geteuid(void);
uid_t __wrap_geteuid(void)
{
	return user;
}

static const char *online;

struct perf_cpu_map *__real_perf_cpu_map__new(const char *list);
struct perf_cpu_map *__wrap_perf_cpu_map__new(const char *list);
struct perf_cpu_map *__wrap_perf_cpu_map__new(const char *list)
{
	return __real_perf_cpu_map__new(list ? list : online);
}

/* Who else records */
static const char *other_pids, *holders = "perf (PID 7)";

char *__wrap_v9_ask_pids(const char *proc, unsigned int wanted);
char *__wrap_v9_ask_pids(const char *proc, unsigned int wanted)
{
	return !strcmp(proc, "/proc") && wanted == V9_RECORDER_ANY && other_pids ? v9_strdup(other_pids) : NULL;
}

char *__wrap_v9_holders_text(const struct v9_holders *h, bool root);
char *__wrap_v9_holders_text(const struct v9_holders *h, bool root)
{
	(void)h;
	return v9_format("%s%s", holders, root ? "" : " and others");
}

/* The file of an event has its AUX area behind the records. */
static uint8_t *area_of(int fd)
{
	return __real_mmap(NULL, AUX, PROT_READ | PROT_WRITE, MAP_SHARED, fd, PAGE + DATA);
}

/* ---- the test */

static const struct v9_aux_kind spe = { .auxtrace = PD_AUXTRACE_ARM_SPE, .min_bytes = AUX };
static const struct v9_aux_kind ete = { .auxtrace = PD_AUXTRACE_CS_ETM };

static struct v9_event_spec ev[3];
static struct v9_target target;
static struct v9_rings r;

/* Events: trace, side-band, trace. The order on the command line is any. */
static void prepare(enum v9_target_kind kind, const char *cpus)
{
	events = 0;
	memset(fail, 0, sizeof(fail));
	memset(ev, 0, sizeof(ev));
	ev[0].label = "arm_spe_0/ts/";
	ev[0].aux = &spe;
	ev[0].attr.a.type = SPE;
	ev[1].label = "side";
	ev[1].tracking = true;
	ev[1].attr.a.type = SW;
	ev[2].label = "cs_etm//";
	ev[2].aux = &ete;
	ev[2].attr.a.type = ETE;
	for (int i = 0; i < 3; i++) {
		ev[i].attr.a.size = PERF_ATTR_SIZE_VER7;
		ev[i].attr.a.disabled = 1;
	}
	target = (struct v9_target){ .kind = kind, .cpu_list = cpus, .pid = task, .pids = 1 };
	r = (struct v9_rings){ .ev = ev, .evs = 3, .target = &target };
	online = "0-1";
}

/* What a drain gives: the log has each piece. */
static int take_record(void *ctx, const struct v9_aux_ring *ring, const struct perf_event_header *h)
{
	const uint64_t *word = (const uint64_t *)(h + 1);

	note("record of %d type %u size %u", ring ? (int)(ring - r.aux) : -1, h->type, h->size);
	for (size_t i = 0; i < (h->size - sizeof(*h)) / 8 && i < 4; i++)
		note(" %llx", (unsigned long long)word[i]);
	note("\n");
	return ctx ? --*(int *)ctx : 0;
}

static int take_aux(void *ctx, const struct v9_aux_ring *ring, const uint8_t *a, size_t na, const uint8_t *b,
		    size_t nb)
{
	note("aux of %d: %zu from %d %02x, %zu %02x\n", (int)(ring - r.aux), na, (int)(a - ring->aux), na ? *a : 0, nb,
	     nb ? *b : 0);
	return ctx ? --*(int *)ctx : 0;
}

/* The kernel appends a record of words to a ring. */
static void put_record(struct perf_event_mmap_page *page, size_t size, uint32_t type, int words, const uint64_t *word)
{
	uint8_t *data = (uint8_t *)page + PAGE;
	struct perf_event_header h = { .type = type, .size = (uint16_t)(sizeof(h) + 8 * (size_t)words) };
	uint8_t bytes[512];

	memcpy(bytes, &h, sizeof(h));
	memcpy(bytes + sizeof(h), word, 8 * (size_t)words);
	for (size_t i = 0; i < h.size; i++)
		data[(page->data_head + i) & (size - 1)] = bytes[i];
	page->data_head += h.size;
}

static void put_aux(int ring, uint64_t offset, uint64_t n, uint64_t flags)
{
	put_record(r.aux[ring].page, DATA, PERF_RECORD_AUX, 3, (uint64_t[]){ offset, n, flags });
	r.aux[ring].page->aux_head = offset + n;
}

/* The instances of an event: ID, CPU, task, ring, whether its descriptor is that of the event of this number */
static void note_instances(const struct v9_event_spec *e)
{
	for (int i = 0; i < e->insts; i++)
		note("instance cpu %d task %s ring %d id %llx event %d%s\n", e->inst[i].cpu, task_name(e->inst[i].tid),
		     e->inst[i].ring, (unsigned long long)e->inst[i].id, event_of(e->inst[i].fd),
		     e->inst[i].again ? " again" : "");
}

static void note_polls(void)
{
	for (int i = 0; i < r.polls; i++)
		note("poll %d event %d%s\n", i, event_of(r.poll[i].fd), r.poll[i].events == POLLIN ? "" : " events?");
}

static void note_rings(void)
{
	for (int i = 0; i < r.auxs; i++)
		note("ring %d %s cpu %d number %d idx %u event %d base %llu tail %llu retries %d again %d%s%s\n", i,
		     r.aux[i].ev->label, r.aux[i].cpu, r.aux[i].number, r.aux[i].idx, event_of(r.aux[i].fd),
		     (unsigned long long)r.aux[i].base, (unsigned long long)r.aux[i].tail, r.aux[i].retries,
		     r.aux[i].again, r.aux[i].page ? "" : " no page", r.aux[i].aux ? "" : " no area");
}


static void note_state(void)
{
	note("state%s%s%s%s%s\n", r.paused ? " paused" : "", r.released ? " released" : "", r.stopped ? " stopped" : "",
	     r.triggered ? " triggered" : "", r.retry ? " retry" : "");
}

static void note_all(void)
{
	for (int i = 0; i < r.evs; i++)
		note_instances(&ev[i]);
	note_polls();
	note_rings();
	note_state();
}

/* Opens the events; the log begins behind it. */
static void opened(enum v9_target_kind kind, const char *cpus)
{
	prepare(kind, cpus);
	silent = true;
	v9_rings_open(&r, 1, AUX);
	silent = false;
}

static void closed(void)
{
	silent = true;
	v9_rings_close(&r);
	silent = false;
	note("%d maps\n\n", maps);
}

static void tries_open(const char *what)
{
	note("-- %s\n", what);
	note("returns %d\n", v9_rings_open(&r, 1, AUX));
	closed();
}

static void test_cpus(void)
{
	int *list, n;

	prepare(V9_TARGET_CPUS, NULL);
	note("open: %d\n", v9_rings_open(&r, 1, AUX));
	note_all();
	n = v9_rings_cpus(&r, &list);
	for (int i = 0; i < n; i++)
		note("cpu %d\n", list[i]);
	free(list);
	n = v9_rings_tasks(&r, &list);
	for (int i = 0; i < n; i++)
		note("task %d\n", list[i]);
	free(list);
	put_record((void *)v9_rings_page(&r), PAGE, 7, 1, (uint64_t[]){ 5 });
	note("-- drained\n");
	v9_rings_drain(&r, NULL, take_record, take_aux, NULL);
	r.paused = true;
	note("-- enable the side-band: %d\n", v9_rings_enable(&r, V9_TRACKING));
	note_state();
	note("-- enable the others\n");
	note("%d\n", v9_rings_enable(&r, V9_OTHERS));
	note_state();
	note("-- flush\n");
	v9_rings_flush(&r);
	note("-- flush one\n");
	v9_ring_flush(&r.aux[3]);
	note("-- pause\n");
	v9_rings_pause(&r);
	note_state();
	note("-- enable all\n");
	v9_rings_enable(&r, V9_ALL);
	note("-- one fails\n");
	let_fail(FAIL_ON, ETE, 1, ENXIO, 1);
	note("%d\n", v9_rings_enable(&r, V9_ALL));
	note("-- disable\n");
	v9_rings_disable(&r);
	note_state();
	note("-- close\n");
	v9_rings_close(&r);
	note("%d maps; %d %d %d %d %d %d %d %d %d\n", maps, !r.aux, !r.poll, !r.evlist, !r.cpus, !r.threads, r.auxs, r.polls,
	     r.next_ring, ev[0].insts);
	note("-- close again\n");
	v9_rings_close(&r);
}

/* One CPU, without trace; and then without side-band */
static void test_list(void)
{
	prepare(V9_TARGET_CPUS, "1");
	ev[0].overwrite = true;
	note("open: %d\n", v9_rings_open(&r, 2, 2 * AUX));
	note_all();
	closed();
	prepare(V9_TARGET_CPUS, "0-1");
	ev[0].cpumask = "1";
	ev[2].cpumask = "0";
	note("open: %d\n", v9_rings_open(&r, 2, 2 * AUX));
	note_all();
	closed();
	prepare(V9_TARGET_CPUS, NULL);
	ev[0].cpumask = "1";
	note("all CPUs: %d\n", v9_rings_open(&r, 2, 2 * AUX));
	closed();
	prepare(V9_TARGET_CPUS, "0");
	ev[0].cpumask = "1";
	tries_open("no CPU has the unit");
	prepare(V9_TARGET_CPUS, "0,x");
	tries_open("no list");
	prepare(V9_TARGET_CPUS, "0-2");
	tries_open("a CPU that is not there");
	prepare(V9_TARGET_CPUS, "1");
	online = "0,2";
	tries_open("a CPU that is offline");
	prepare(V9_TARGET_CPUS, "1");
	note("-- a small area\n");
	note("returns %d\n", v9_rings_open(&r, 1, AUX - 1));
	closed();
	prepare(V9_TARGET_CPUS, "1");
	r.ev = ev + 1;
	r.evs = 1;
	note("-- side-band alone\n");
	note("returns %d\n", v9_rings_open(&r, 1, AUX));
	note_polls();
	closed();
}

static void test_errors(void)
{
	static const int errs[] = { EPERM, EACCES, ESRCH, ENOENT, ENODEV, ENXIO, EOPNOTSUPP, EINVAL, EMFILE, E2BIG, EBUSY,
				    ENOSPC };
	silent = true;
	for (size_t i = 0; i < sizeof(errs) / sizeof(errs[0]); i++)
		for (int type = SW; type <= SPE; type += SPE - SW) {
			if (errs[i] == EPERM || errs[i] == EACCES)
				continue;
			prepare(V9_TARGET_CPUS, NULL);
			let_fail(FAIL_OPEN, type, 1, errs[i], 1);
			v9_rings_open(&r, 1, AUX);
			v9_rings_close(&r);
		}
	for (size_t i = 0; i < sizeof(errs) / sizeof(errs[0]); i++) {
		if (errs[i] == EPERM || errs[i] == EACCES)
			continue;
		prepare(V9_TARGET_CPUS, NULL);
		ev[0].attr.a.sample_type = PERF_SAMPLE_BRANCH_STACK;
		ev[0].attr.a.branch_sample_type = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER;
		let_fail(FAIL_OPEN, SPE, 0, errs[i], 1);
		v9_rings_open(&r, 1, AUX);
		v9_rings_close(&r);
	}
	silent = false;
	/* Who else has the unit */
	other_pids = "12";
	prepare(V9_TARGET_CPUS, NULL);
	let_fail(FAIL_OPEN, SPE, 0, EBUSY, 1);
	tries_open("one recorder");
	other_pids = "12,34";
	user = 1000;
	prepare(V9_TARGET_CPUS, NULL);
	let_fail(FAIL_OPEN, SPE, 0, EBUSY, 1);
	tries_open("two recorders");
	prepare(V9_TARGET_CPUS, NULL);
	ev[2].attr.a.type = SPE;
	let_fail(FAIL_OPEN, SPE, 0, 0, 0);
	ev[0].attr.a.type = ETE;
	let_fail(FAIL_OPEN, SPE, 0, EBUSY, 1);
	tries_open("another event has another unit");
	prepare(V9_TARGET_CPUS, NULL);
	ev[2].attr.a.type = SPE;
	same_unit = true;
	tries_open("another event has it");
	same_unit = false;
	user = 0;
	/* No permission: user space alone if the event says nothing of sides */
	for (int type = SW; type <= SPE; type += SPE - SW) {
		prepare(V9_TARGET_CPUS, NULL);
		let_fail(FAIL_OPEN, type, -1, type == SW ? EACCES : EPERM, 1);
		ev[0].any_side = ev[1].any_side = true;
		tries_open("user space alone");
		prepare(V9_TARGET_CPUS, NULL);
		let_fail(FAIL_OPEN, type, -1, EACCES, 1);
		ev[0].any_side = ev[1].any_side = true;
		ev[0].attr.a.exclude_kernel = ev[1].attr.a.exclude_kernel = true;
		tries_open("not even that");
		prepare(V9_TARGET_CPUS, NULL);
		let_fail(FAIL_OPEN, type, -1, EPERM, 1);
		paranoid = type == SW ? NULL : "-1";
		tries_open("the sides were chosen");
		paranoid = "3";
	}
	prepare(V9_TARGET_CPUS, NULL);
	let_fail(FAIL_MAP, SW, 0, EPERM, 1);
	tries_open("no room for records");
	prepare(V9_TARGET_CPUS, NULL);
	let_fail(FAIL_MAP, SPE, 1, ENOMEM, 1);
	tries_open("no room for records of a trace");
	prepare(V9_TARGET_CPUS, NULL);
	let_fail(FAIL_MAP_AUX, ETE, 1, EPERM, 1);
	tries_open("no room for a trace");
	prepare(V9_TARGET_CPUS, NULL);
	let_fail(FAIL_MAP_AUX, SPE, 0, EINVAL, 1);
	tries_open("no area");
}

/* A process that waits; with @threads more threads */
static void *wait_for_ever(void *arg)
{
	for (;;)
		pause();
	return arg;
}

static int spawn(int threads)
{
	int fd[2];
	pid_t pid;
	char byte;

	if (pipe(fd))
		exit(1);
	pid = fork();
	if (!pid) {
		pthread_t t;

		for (int i = 0; i < threads; i++)
			pthread_create(&t, NULL, wait_for_ever, NULL);
		if (write(fd[1], "", 1) != 1)
			_exit(1);
		wait_for_ever(NULL);
	}
	if (read(fd[0], &byte, 1) != 1)
		exit(1);
	__real_close(fd[0]);
	__real_close(fd[1]);
	return pid;
}

static void finish(int pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Names the threads of a process: its own first, then in the order of their numbers */
static void name_threads(int pid)
{
	char path[64];

	task[tasks++] = pid;
	for (int tid = pid + 1; tid < pid + 64; tid++) {
		snprintf(path, sizeof(path), "/proc/%d/task/%d", pid, tid);
		if (!access(path, F_OK))
			task[tasks++] = tid;
	}
}

static int leaves;	/* task that ends when the next event is opened */

static void ends(int i)
{
	(void)i;
	if (leaves)
		finish(leaves);
	leaves = 0;
}

static int newcomer;	/* begins when the first event of SPE is opened again */

static void test_tasks(void)
{
	const int one = spawn(1), two = spawn(0);
	int *list, n, target_pid[2] = { one, two }, gone[2] = { one, 4194305 };	/* no PID is as large */

	tasks = 0;
	name_threads(one);
	name_threads(two);
	note("%d tasks\n-- a command\n", tasks);
	prepare(V9_TARGET_COMMAND, NULL);
	note("open: %d\n", v9_rings_open(&r, 1, AUX));
	note_all();
	note("family %d %d %d\n", r.family.n, r.family.threads, r.family.n && r.family.member[0].id == one);
	closed();
	note("-- a command, later\n");
	prepare(V9_TARGET_COMMAND, "0");
	r.late = true;
	note("open: %d\n", v9_rings_open(&r, 1, AUX));
	closed();
	note("-- two processes\n");
	prepare(V9_TARGET_PID, NULL);
	target.pid = target_pid;
	target.pids = 2;
	note("open: %d\n", v9_rings_open(&r, 1, AUX));
	note_all();
	n = v9_rings_tasks(&r, &list);
	for (int i = 0; i < n; i++)
		note("task %s\n", task_name(list[i]));
	free(list);
	note("family %d %d\n", r.family.n, r.family.threads);
	closed();
	note("-- a thread\n");
	prepare(V9_TARGET_TID, NULL);
	target.pid = &task[1];
	note("open: %d\n", v9_rings_open(&r, 1, AUX));
	note_all();
	note("family %d %d\n", r.family.n, r.family.threads);
	closed();
	note("-- a thread is gone once\n");
	prepare(V9_TARGET_PID, NULL);
	let_fail(FAIL_OPEN, SPE, 1, ESRCH, 1);
	note("open: %d\n", v9_rings_open(&r, 1, AUX));
	closed();
	note("-- five times\n");
	silent = true;
	prepare(V9_TARGET_PID, NULL);
	let_fail(FAIL_OPEN, SW, 1, ESRCH, 4);
	n = v9_rings_open(&r, 1, AUX);
	silent = false;
	note("after four: %d\n", n);
	closed();
	silent = true;
	prepare(V9_TARGET_PID, NULL);
	let_fail(FAIL_OPEN, SW, 1, ESRCH, 5);
	n = v9_rings_open(&r, 1, AUX);
	silent = false;
	note("after five: %d\n", n);
	closed();
	prepare(V9_TARGET_TID, NULL);
	let_fail(FAIL_OPEN, SW, 1, ESRCH, 1);
	tries_open("a thread that is gone");
	prepare(V9_TARGET_PID, NULL);
	target.pid = gone;
	target.pids = 2;
	tries_open("a process is gone");
	finish(one);
	finish(two);
}

static void drained(const char *what, const struct pollfd *named, int *left)
{
	note("-- %s\n", what);
	note("%d\n", v9_rings_drain(&r, named, take_record, take_aux, left));
	note_rings();
	note_state();
}

/* The bytes of an area are those of their offset in it. */
static void fill_area(int ring)
{
	uint8_t *area = area_of(r.aux[ring].fd);

	for (int i = 0; i < AUX; i++)
		area[i] = (uint8_t)(i / 16);
	__real_munmap(area, AUX);
}

static void test_drain(void)
{
	struct pollfd named[8] = { { .fd = 0 } };
	struct perf_event_mmap_page *page;
	int left;

	opened(V9_TARGET_CPUS, NULL);
	fill_area(0);
	fill_area(3);
	drained("nothing", NULL, NULL);
	put_aux(0, 0, 100, 0);
	put_aux(3, 0, AUX, 0);
	put_record(r.aux[3].page, DATA, PERF_RECORD_ITRACE_START, 1, (uint64_t[]){ 0x1234 });
	page = (void *)v9_rings_page(&r);
	put_record(page, PAGE, 3, 2, (uint64_t[]){ 1, 2 });
	put_record(page, PAGE, 4, 1, (uint64_t[]){ 3 });
	drained("whole", NULL, NULL);
	note("tails %llu %llu %llu\n", (unsigned long long)r.aux[0].page->aux_tail,
	     (unsigned long long)r.aux[3].page->aux_tail, (unsigned long long)r.aux[3].page->data_tail);
	/* Named ones alone: rings of the others first in the array */
	put_aux(0, 100, 28, 0);
	put_aux(3, AUX, 32, 0);
	put_record(page, PAGE, 5, 0, NULL);
	named[2 + 3].revents = POLLIN;
	drained("the last ring", named, NULL);
	named[2 + 3].revents = 0;
	named[0].revents = POLLIN;
	drained("the side-band", named, NULL);
	named[0].revents = 0;
	named[2].revents = POLLIN;
	drained("the first ring", named, NULL);
	/* Over the end of the area, and of the records */
	put_aux(0, 128, AUX - 100, 0);
	for (int i = 0; i < 40; i++)
		put_record(r.aux[3].page, DATA, PERF_RECORD_LOST, 2, (uint64_t[]){ 1, (uint64_t)i });
	drained("over the end of the area", NULL, NULL);
	silent = true;
	while (r.aux[3].page->data_head % DATA != DATA - 16) {
		put_record(r.aux[3].page, DATA, PERF_RECORD_LOST, 1, (uint64_t[]){ 1 });
		v9_rings_drain(&r, NULL, take_record, take_aux, NULL);
	}
	silent = false;
	put_record(r.aux[3].page, DATA, PERF_RECORD_LOST, 3, (uint64_t[]){ 0x11, 0x22, 0x33 });
	put_record(r.aux[3].page, DATA, PERF_RECORD_LOST, 0, NULL);
	drained("over the end of the records", NULL, NULL);
	/* A truncated record: enabled again five times */
	put_aux(0, 128 + AUX - 100, 16, PERF_AUX_FLAG_TRUNCATED);
	for (int i = 0; i < 6; i++) {
		named[2].revents = 0;
		drained("truncated", named, NULL);
		if (!i)
			drained("truncated, all", NULL, NULL);
	}
	put_aux(0, 128 + AUX - 84, 16, PERF_AUX_FLAG_TRUNCATED);
	r.paused = true;
	drained("truncated, paused", NULL, NULL);
	r.paused = false;
	r.stopped = true;
	drained("truncated, stopped", NULL, NULL);
	r.stopped = false;
	/* Who takes data can end the drain. */
	put_aux(0, 128 + AUX - 68, 16, 0);
	put_aux(1, 0, 16, 0);
	put_record(page, PAGE, 6, 0, NULL);
	left = 1;
	drained("ends at data", NULL, &left);
	left = 0;
	r.aux[0].retries = 0;
	put_aux(2, 0, 16, 0);
	put_record(r.aux[2].page, DATA, PERF_RECORD_LOST, 0, NULL);
	left = 2;
	drained("ends at a record", NULL, &left);
	left = 100;
	drained("goes on", NULL, &left);
	put_record(page, PAGE, 8, 0, NULL);
	put_record(page, PAGE, 9, 0, NULL);
	left = 1;
	drained("ends at a record of the side-band", NULL, &left);
	drained("the next one", NULL, NULL);
	closed();
}

/* Overwritten areas: read when stopped, or by a snapshot */
static void test_snapshot(void)
{
	opened(V9_TARGET_CPUS, NULL);
	note("no such area: %d\n", v9_rings_snapshot(&r, take_record, take_aux, NULL));
	closed();
	prepare(V9_TARGET_CPUS, NULL);
	ev[0].overwrite = true;
	silent = true;
	v9_rings_open(&r, 1, AUX);
	silent = false;
	fill_area(0);
	fill_area(1);
	put_aux(0, 0, 3 * AUX + 64, 0);
	put_aux(1, 0, 48, PERF_AUX_FLAG_TRUNCATED);
	put_aux(2, 0, 32, 0);
	drained("runs", NULL, NULL);
	note("-- snapshot\n");
	note("%d\n", v9_rings_snapshot(&r, take_record, take_aux, NULL));
	note_rings();
	note_state();
	drained("after it", NULL, NULL);
	put_aux(0, 3 * AUX + 64, 16, 0);
	put_aux(1, 48, 16, PERF_AUX_FLAG_TRUNCATED);
	note("-- a trigger that no drain has seen\n");
	note("%d\n", v9_rings_snapshot(&r, take_record, take_aux, NULL));
	note_state();
	put_aux(0, 3 * AUX + 80, 16, 0);
	note("-- not read\n");
	note("%d\n", v9_rings_snapshot(&r, take_record, NULL, NULL));
	note_rings();
	note_state();
	r.paused = true;
	put_aux(0, 3 * AUX + 96, AUX, 0);
	put_aux(1, 64, 16, PERF_AUX_FLAG_TRUNCATED);
	let_fail(FAIL_MAP_AUX, SPE, 1, ENOMEM, 1);
	note("-- paused, and no memory for another area\n");
	note("%d\n", v9_rings_snapshot(&r, take_record, take_aux, NULL));
	note_rings();
	note_state();
	r.paused = false;
	note("-- once more\n");
	put_aux(0, 4 * AUX + 96, 8, 0);
	put_aux(1, 80, 16, 0);
	note("%d\n", v9_rings_snapshot(&r, take_record, take_aux, NULL));
	note_rings();
	v9_rings_disable(&r);
	put_aux(0, 4 * AUX + 104, AUX + 1, 0);
	drained("stopped", NULL, NULL);
	note("stopped: %d\n", v9_rings_snapshot(&r, take_record, take_aux, NULL));
	closed();
}

static void change(void *ctx, int cpu, uint64_t offset, uint64_t period)
{
	note("changed %s cpu %d offset %llu period %llu\n", (char *)ctx, cpu, (unsigned long long)offset,
	     (unsigned long long)period);
}

static void test_period(void)
{
	char name[] = "ctx";

	opened(V9_TARGET_CPUS, NULL);
	put_aux(1, 0, 48, 0);
	note("%d\n", v9_rings_period(&r, &ev[0], 1ull << 33, change, name));
	note("period %llu\n", (unsigned long long)ev[0].attr.a.sample_period);
	r.paused = true;
	note("-- paused\n");
	note("%d\n", v9_rings_period(&r, &ev[0], 2048, change, name));
	r.paused = false;
	let_fail(FAIL_PERIOD, SPE, 0, EINVAL, 1);
	note("-- refused\n");
	note("%d\n", v9_rings_period(&r, &ev[0], 4096, change, name));
	note("period %llu\n", (unsigned long long)ev[0].attr.a.sample_period);
	ev[0].insts = 2;
	__wrap_close(ev[0].inst[0].fd);
	ev[0].inst[0].fd = -1;
	note("-- closed on CPU 0, no ring on CPU 1\n");
	r.aux[1].cpu = 7;
	note("%d\n", v9_rings_period(&r, &ev[0], 512, change, name));
	closed();
}

static void reopens(const char *what, int cpu)
{
	note("-- %s\n", what);
	note("%d\n", v9_rings_reopen(&r, cpu));
	note_all();
}

static void test_reopen(void)
{
	opened(V9_TARGET_CPUS, NULL);
	reopens("CPU 1", 1);
	reopens("CPU 1 again", 1);
	r.paused = true;
	reopens("CPU 0, paused", 0);
	let_fail(FAIL_OPEN, SPE, 1, EBUSY, 1);
	reopens("busy, paused", 1);
	r.paused = false;
	let_fail(FAIL_OPEN, SPE, 1, EBUSY, 1);
	reopens("busy", 1);
	let_fail(FAIL_OUTPUT, SW, 1, EINVAL, 1);
	reopens("no output", 1);
	let_fail(FAIL_ON, SPE, 1, EIO, 1);
	reopens("cannot be enabled", 1);
	reopens("a CPU that is not recorded", 5);
	note("-- forget\n");
	v9_rings_forget(&r);
	note_all();
	closed();
}

static void takes(const char *what)
{
	const struct v9_event_spec *busy = NULL;

	note("-- %s\n", what);
	note("%d", v9_rings_take(&r, &busy));
	note(" at %s\n", busy->label);
	note_all();
}

static void releases(const char *what)
{
	note("-- %s\n", what);
	v9_rings_release(&r, take_record, take_aux, NULL);
	note_all();
}

/* The unit writes until it is drained for the third time. */
static int still;

static int take_aux_and_write(void *ctx, const struct v9_aux_ring *ring, const uint8_t *a, size_t na, const uint8_t *b,
			      size_t nb)
{
	const int ret = take_aux(ctx, ring, a, na, b, nb);

	if (still-- > 0)
		ring->page->aux_head += 16;
	return ret;
}

static void test_release(void)
{
	opened(V9_TARGET_CPUS, NULL);
	fill_area(0);
	put_aux(0, 0, 100, 0);
	put_aux(2, 0, 10, 0);
	releases("release");
	reopens("a CPU is back while released", 0);
	let_fail(FAIL_OPEN, ETE, 1, EBUSY, 1);
	takes("take, but one is busy");
	takes("take");
	/* Offsets go on from 100 */
	put_aux(0, 0, 20, 0);
	drained("the next area", NULL, NULL);
	note("head %llu\n", (unsigned long long)v9_ring_head(&r.aux[0]));
	note("tail %llu\n", (unsigned long long)r.aux[0].page->aux_tail);
	note("-- released while it writes\n");
	still = 2;
	put_aux(1, 0, 16, 0);
	v9_rings_release(&r, take_record, take_aux_and_write, NULL);
	note_rings();
	note("-- take, paused\n");
	r.paused = true;
	takes("take while paused");
	r.paused = false;
	still = 100;
	put_aux(1, 0, 16, 0);
	note("-- it does not end\n");
	v9_rings_release(&r, take_record, take_aux_and_write, NULL);
	let_fail(FAIL_OPEN, SPE, 0, ENODEV, 1);
	takes("take without CPU 0");
	drained("without CPU 0", NULL, NULL);
	note("-- flush\n");
	v9_rings_flush(&r);
	reopens("CPU 0 is back", 0);
	releases("release again");
	let_fail(FAIL_OPEN, SPE, 1, EACCES, 1);
	takes("denied");
	let_fail(FAIL_MAP_AUX, SPE, 1, ENOMEM, 1);
	takes("no memory");
	note("-- forget\n");
	v9_rings_forget(&r);
	note_all();
	closed();
	prepare(V9_TARGET_CPUS, "0");
	ev[0].overwrite = true;
	silent = true;
	v9_rings_open(&r, 1, AUX);
	silent = false;
	put_aux(0, 0, 32, PERF_AUX_FLAG_TRUNCATED);
	releases("an area whose trigger has stopped it");
	closed();
}

static void begins(int i)
{
	if (newcomer && event[i].attr.type == SPE && event[i].cpu == 1) {
		task[tasks++] = spawn(0);
		v9_family_add(&r.family, task[tasks - 1]);
		newcomer--;
	}
}

static void test_family(void)
{
	int before;

	tasks = 0;
	task[tasks++] = spawn(0);
	opened(V9_TARGET_PID, NULL);
	releases("release");
	newcomer = 1;
	meanwhile = begins;
	takes("take while a process begins");
	drained("enabled again", NULL, NULL);
	releases("release");
	let_fail(FAIL_OPEN, SPE, -1, EBUSY, 2);
	fail[FAIL_OPEN].tid = -1;
	newcomer = 0;
	before = task[1];
	fail[FAIL_OPEN].tid = before;
	fail[FAIL_OPEN].err = ESRCH;
	takes("the second one is gone");
	releases("release");
	newcomer = 9;
	takes("processes begin all the time");
	newcomer = 0;
	releases("release");
	for (int i = 1; i < tasks; i++)
		finish(task[i]);
	takes("they have ended");
	releases("release");
	task[1] = spawn(0);
	tasks = 2;
	v9_family_add(&r.family, task[1]);
	let_fail(FAIL_OPEN, SPE, -1, EPERM, 2);
	fail[FAIL_OPEN].tid = task[1];
	takes("one is denied");
	releases("release");
	ev[0].any_side = true;
	let_fail(FAIL_OPEN, SPE, 0, EPERM, 9);
	takes("all are denied");
	closed();
	/* Threads: the number of one that has ended was given to another one. */
	opened(V9_TARGET_TID, NULL);
	releases("release of a thread");
	leaves = task[0];
	meanwhile = ends;
	takes("it ends meanwhile");
	finish(task[1]);
	closed();
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} tests[] = {
		{ "cpus", test_cpus }, { "list", test_list }, { "errors", test_errors }, { "tasks", test_tasks },
		{ "drain", test_drain }, { "snapshot", test_snapshot }, { "period", test_period },
		{ "reopen", test_reopen }, { "release", test_release }, { "family", test_family },
	};

	setvbuf(stdout, NULL, _IONBF, 0);
	dup2(1, 2);
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		if (argc > 1 && !strcmp(argv[1], tests[i].name))
			tests[i].run();
	return 0;
}
