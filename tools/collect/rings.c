// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "rings.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/list.h>
#include <perf/core.h>
#include <perf/cpumap.h>
#include <perf/event.h>
#include <perf/evlist.h>
#include <perf/evsel.h>
#include <perf/mmap.h>
#include <perf/threadmap.h>
#include <internal/evlist.h>
#include <internal/evsel.h>
#include <internal/mmap.h>
#include <internal/xyarray.h>

#include "../ask.h"
#include "../branch_filter.h"
#include "../holders.h"
#include "../util.h"

/* Small: there are only AUX, ITRACE_START and LOST records. */
#define AUX_DATA_PAGES	16

/* Attempts to enable an event after its AUX area was full: one call may be too early. */
#define RETRIES		5

/* Times that tasks are looked for which began while events were opened again */
#define PASSES		4

/* The kernel's drivers log to dmesg; v9_spe and v9_ete only with dynamic debug. */
#define REASON	"; dmesg has the reason (of v9_spe and v9_ete after " \
		"echo 'module v9_* +p' >/sys/kernel/debug/dynamic_debug/control)"

/* Messages for errors of perf_event_open() */
static const struct {
	int err;
	const char *text;
} open_errors[] = {
	{ ESRCH, "the process or thread is gone" },
	{ ENOENT, "this machine cannot count it" },
	{ ENODEV, "not on this CPU, or the CPU is offline" },
	{ ENXIO, "its driver is gone or has no such CPU" },
	{ EOPNOTSUPP, "the driver cannot do this here (options, sampling or CPU)" REASON },
	{ EINVAL, "the driver refuses these options" REASON },
	{ EMFILE, "too many open files; raise 'ulimit -n' or record fewer CPUs" },
	{ E2BIG, "this kernel is too old for one of the options" },
};

/* Units are exclusive: has another event of this recording the unit of @ev already? */
static bool has_unit(const struct v9_rings *r, const struct v9_event_spec *ev)
{
	for (int i = 0; i < r->evs; i++)
		if (&r->ev[i] != ev && r->ev[i].aux && r->ev[i].insts &&
		    r->ev[i].attr.a.type == ev->attr.a.type)
			return true;
	return false;
}

char *v9_rings_holders(void)
{
	char *pids = v9_ask_pids("/proc", V9_RECORDER_ANY), *who, *text;
	struct v9_holders h;

	v9_holders_find("/proc", getpid(), &h);
	who = v9_holders_text(&h, !geteuid());
	text = v9_format("in use by another recording; %s%s%s%s", who, pids ? "; 'v9trace pause' can free those of PID " : "",
			 pids ? pids : "", pids && strchr(pids, ',') ? " (one at a time)" : "");
	free(pids);
	free(who);
	return text;
}

static void busy_error(const struct v9_rings *r, const struct v9_event_spec *ev, const char *name,
		       const char *where)
{
	char *who = has_unit(r, ev) ? v9_strdup("in use by another event of this recording") : v9_rings_holders();

	v9_error("%s%s: %s", name, where, who);
	free(who);
}

static int open_error(const struct v9_rings *r, const struct v9_event_spec *ev, int err, int cpu)
{
	const char *name = ev->tracking ? "recording" : ev->label;
	char where[24] = "";

	if (err == ESRCH && r->more_tries)
		return -err;
	if (cpu >= 0)
		snprintf(where, sizeof(where), " on CPU %d", cpu);
	if (err == EACCES || err == EPERM) {
		char *level = v9_read_line("/proc/sys/kernel/perf_event_paranoid");

		v9_error("%s%s: no permission; run as root or with CAP_PERFMON, or lower "
			 "/proc/sys/kernel/perf_event_paranoid (now %s; above 2 Debian's kernel wants "
			 "CAP_SYS_ADMIN, 2 allows your programs, 1 the kernel in them, 0 whole CPUs, -1 "
			 "tracepoints)", name, where,
			 level ? level : "unknown");
		free(level);
		return -err;
	}
	if (ev->attr.a.sample_type & PERF_SAMPLE_BRANCH_STACK &&
	    (err == EOPNOTSUPP || err == EINVAL || err == ENOENT)) {
		char room[256];

		v9_error("%s%s: no branch stacks of %s here: that needs BRBE with a kernel from 6.17 on, "
			 "or with v9_brbe (modprobe v9_brbe; dmesg says why it refused), or the LBR of x86; "
			 "and an event of its PMU", name, where,
			 v9_branch_filter(room, sizeof(room), ev->attr.a.branch_sample_type));
		return -err;
	}
	if (err == EBUSY) {
		busy_error(r, ev, name, where);
		return -err;
	}
	for (size_t i = 0; i < sizeof(open_errors) / sizeof(open_errors[0]); i++)
		if (open_errors[i].err == err) {
			v9_error("%s%s: %s", name, where, open_errors[i].text);
			return -err;
		}
	v9_error("%s%s: %s", name, where, strerror(err));
	return -err;
}

static int map_error(const struct v9_event_spec *ev, int err, size_t bytes)
{
	char room[16];

	if (err == EPERM || err == ENOMEM)
		v9_error("%s: no buffer of %s: %s", ev->label, v9_bytes(room, bytes), err == EPERM ?
			 "over /proc/sys/kernel/perf_event_mlock_kb and 'ulimit -l'; take a smaller -m" :
			 "out of memory; take a smaller -m");
	else
		v9_error("%s: no buffer of %s: %s", ev->label, v9_bytes(room, bytes),
			 strerror(err));
	return -err;
}

static int make_cpus(struct v9_rings *r)
{
	const char *list = r->target->kind == V9_TARGET_CPUS ? r->target->cpu_list : NULL;
	struct perf_cpu_map *online = perf_cpu_map__new(NULL);
	unsigned long bad = 0;
	struct perf_cpu cpu;
	int i, ret;

	if (!list) {
		r->cpus = online;
		return 0;
	}
	/* libperf accepts invalid lists, and can even end the process: check the list first. */
	ret = v9_ev_cpu_list(list, perf_cpu_map__max(online).cpu, &bad);
	if (!ret) {
		r->cpus = perf_cpu_map__new(list);
		perf_cpu_map__for_each_cpu(cpu, i, r->cpus)
			if (!perf_cpu_map__has(online, cpu)) {
				bad = cpu.cpu;
				ret = -ERANGE;
			}
	}
	if (ret == -EINVAL)
		v9_error("-C %s: not a list of CPUs (such as 0,2-3)", list);
	else if (ret)
		v9_error("-C %s: CPU %lu is not online", list, bad);
	perf_cpu_map__put(online);
	return ret;
}

/* Adds the current threads of a process. Returns false if there is none. */
static bool add_threads(int pid, pid_t **tid, int *n)
{
	char *dir = v9_format("/proc/%d/task", pid);
	const int before = *n;
	struct dirent *entry;
	DIR *d;

	d = opendir(dir);
	free(dir);
	if (!d)
		return false;
	while ((entry = readdir(d))) {
		if (entry->d_name[0] == '.')
			continue;
		*tid = v9_realloc(*tid, (*n + 1) * sizeof(**tid));
		(*tid)[(*n)++] = atoi(entry->d_name);
	}
	closedir(d);
	return *n > before;
}

static int make_threads(struct v9_rings *r)
{
	const struct v9_target *t = r->target;
	pid_t any = -1, *tid = NULL;
	int n = 0, gone = 0;

	if (t->kind == V9_TARGET_CPUS)
		r->threads = perf_thread_map__new_array(1, &any);
	else if (t->kind != V9_TARGET_PID)
		r->threads = perf_thread_map__new_array(t->pids, t->pid);
	for (int i = 0; t->kind == V9_TARGET_PID && i < t->pids; i++)
		if (!add_threads(t->pid[i], &tid, &n))
			gone = t->pid[i];
	if (n && !gone)
		r->threads = perf_thread_map__new_array(n, tid);
	free(tid);
	if (r->threads)
		return 0;
	v9_error("no such process: %d", gone);
	r->more_tries = 0;
	return -ESRCH;
}

static void add_instance(struct v9_event_spec *ev, int fd, int cpu, int tid, int ring)
{
	struct v9_instance *in;
	uint64_t id = 0;

	ioctl(fd, PERF_EVENT_IOC_ID, &id);
	ev->inst = v9_realloc(ev->inst, (ev->insts + 1) * sizeof(*ev->inst));
	in = &ev->inst[ev->insts++];
	*in = (struct v9_instance){ .fd = fd, .cpu = cpu, .tid = tid, .ring = ring, .id = id };
}

static void add_poll(struct v9_rings *r, int fd)
{
	r->poll = v9_realloc(r->poll, (r->polls + 1) * sizeof(*r->poll));
	r->poll[r->polls++] = (struct pollfd){ .fd = fd, .events = POLLIN };
}

static bool may_drop_kernel(struct v9_event_spec *ev, int err)
{
	if ((err != EACCES && err != EPERM) || !ev->any_side || ev->attr.a.exclude_kernel)
		return false;
	ev->attr.a.exclude_kernel = 1;
	ev->attr.a.exclude_hv = 1;
	ev->user_only = true;
	return true;
}

/* Open an event without an AUX area, with libperf. */
static int open_plain(struct v9_rings *r, struct v9_event_spec *ev)
{
	struct perf_evsel *evsel;
	int ret;

	do {
		evsel = perf_evsel__new(&ev->attr.a);
		if (!evsel)
			return -ENOMEM;
		/* open each event alone, so that the error message can name it */
		ret = perf_evsel__open(evsel, r->cpus, r->threads);
		if (ret) {
			perf_evsel__delete(evsel);
			if (!may_drop_kernel(ev, -ret))
				return open_error(r, ev, -ret, -1);
		}
	} while (ret);
	perf_evlist__add(r->evlist, evsel);
	return 0;
}

static int map_plain(struct v9_rings *r, size_t data_pages)
{
	int nr_cpus = perf_cpu_map__nr(r->cpus), nr_threads = perf_thread_map__nr(r->threads);
	struct perf_evsel *evsel;
	struct perf_mmap *map;
	int i = 0;

	if (perf_evlist__mmap(r->evlist, data_pages)) {
		for (i = 0; i < r->evs && r->ev[i].aux; i++)
			;
		return map_error(&r->ev[i], errno, data_pages * sysconf(_SC_PAGESIZE));
	}
	perf_evlist__for_each_evsel(r->evlist, evsel) {
		while (r->ev[i].aux)
			i++;
		for (int c = 0; c < nr_cpus; c++)
			for (int t = 0; t < nr_threads; t++)
				add_instance(&r->ev[i], *(int *)xyarray__entry(evsel->fd, c, t),
					     perf_cpu_map__cpu(r->cpus, c).cpu,
					     perf_thread_map__pid(r->threads, t), c);
		i++;
	}
	perf_evlist__for_each_mmap(r->evlist, map, false)
		add_poll(r, map->fd);
	r->next_ring = nr_cpus;
	return 0;
}

/* perf numbers the queues of a file by it. Each unit may have a file of its own. */
static uint32_t rings_of_unit(const struct v9_rings *r, const struct v9_event_spec *ev)
{
	uint32_t n = 0;

	for (int i = 0; i < r->auxs; i++)
		n += r->aux[i].ev->aux->auxtrace == ev->aux->auxtrace;
	return n;
}

static void unmap_ring(struct v9_aux_ring *ring)
{
	if (ring->aux)
		munmap(ring->aux, ring->aux_size);
	if (ring->page)
		munmap(ring->page, sysconf(_SC_PAGESIZE) + ring->data_size);
	ring->aux = NULL;
	ring->page = NULL;
	ring->fd = -1;
}

/* Maps the records and the AUX area of .fd. Returns 0, or -errno with *@bytes: how much found no memory. */
static int map_ring(struct v9_aux_ring *ring, size_t *bytes)
{
	const long page = sysconf(_SC_PAGESIZE);
	int err;

	*bytes = ring->data_size;
	ring->page = mmap(NULL, page + ring->data_size, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);
	if (ring->page == MAP_FAILED) {
		ring->page = NULL;
		return -errno;
	}
	*bytes = ring->aux_size;
	ring->page->aux_offset = page + ring->data_size;
	ring->page->aux_size = ring->aux_size;
	/* A read-only mapping makes it an overwritten buffer. */
	ring->aux = mmap(NULL, ring->aux_size, ring->ev->overwrite ? PROT_READ : PROT_READ | PROT_WRITE, MAP_SHARED,
			 ring->fd, ring->page->aux_offset);
	if (ring->aux != MAP_FAILED)
		return 0;
	err = -errno;
	ring->aux = NULL;
	return err;
}

/*
 * Opens the event of a ring for a task; all share the ring of the first one. @again: it was open before. Returns 0, or
 * -errno with *@bytes: how much found no memory; 0: the event cannot be opened.
 */
static int open_task(const struct v9_rings *r, struct v9_aux_ring *ring, int tid, bool again, size_t *bytes)
{
	struct v9_event_spec *ev = ring->ev;
	union v9_attr attr;
	int fd, err;

	*bytes = 0;
	do {
		attr = ev->attr;
		attr.a.enable_on_exec &= !again;
		fd = syscall(SYS_perf_event_open, &attr, tid, ring->cpu, -1, PERF_FLAG_FD_CLOEXEC);
		err = errno;
		/* When it opens again, one task that denies it must not change what is recorded of all others. */
	} while (fd < 0 && !again && may_drop_kernel(ev, err));
	if (fd < 0)
		return -err;
	/* The thread may have ended, and another one may have got its number, before the event was opened. */
	if (again && r->family.threads && !v9_family_has(&r->family, tid)) {
		close(fd);
		return -ESRCH;
	}
	add_instance(ev, fd, ring->cpu, tid, ring->number);
	if (ring->fd < 0) {
		ring->fd = fd;
		err = map_ring(ring, bytes);
	} else {
		err = ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fd) ? -errno : 0;
	}
	if (!err)
		*bytes = 0;
	return err;
}

static int open_ring(const struct v9_rings *r, struct v9_aux_ring *ring, size_t *bytes)
{
	int err = 0;

	for (int t = 0; !err && t < perf_thread_map__nr(r->threads); t++)
		err = open_task(r, ring, perf_thread_map__pid(r->threads, t), false, bytes);
	return err;
}

static int open_aux_cpu(struct v9_rings *r, struct v9_event_spec *ev, int cpu, size_t aux_bytes)
{
	struct v9_aux_ring ring = {
		.ev = ev, .fd = -1, .cpu = cpu, .number = r->next_ring, .idx = rings_of_unit(r, ev),
		.data_size = AUX_DATA_PAGES * sysconf(_SC_PAGESIZE), .aux_size = aux_bytes,
	};
	size_t bytes = 0;
	const int err = open_ring(r, &ring, &bytes);

	if (err) {
		unmap_ring(&ring);
		return bytes ? map_error(ev, -err, bytes) : open_error(r, ev, -err, cpu);
	}
	r->next_ring++;
	r->aux = v9_realloc(r->aux, (r->auxs + 1) * sizeof(ring));
	r->aux[r->auxs++] = ring;
	add_poll(r, ring.fd);
	return 0;
}

static int open_aux(struct v9_rings *r, struct v9_event_spec *ev, size_t aux_bytes)
{
	struct perf_cpu_map *has = ev->cpumask ? perf_cpu_map__new(ev->cpumask) : NULL;
	struct perf_cpu cpu;
	int i, ret = 0, opened = 0;

	if (aux_bytes < ev->aux->min_bytes) {
		v9_error("%s: its AUX area must have at least %llu bytes (-m ,SIZE)", ev->label,
			 (unsigned long long)ev->aux->min_bytes);
		return -EINVAL;
	}
	perf_cpu_map__for_each_cpu(cpu, i, r->cpus) {
		if (has && !perf_cpu_map__has(has, cpu)) {
			if (r->target->cpu_list)
				v9_warn("%s: CPU %d has no such unit", ev->label, cpu.cpu);
			continue;
		}
		ret = open_aux_cpu(r, ev, cpu.cpu, aux_bytes);
		if (ret)
			break;
		opened++;
	}
	perf_cpu_map__put(has);
	if (!ret && !opened) {
		v9_error("%s: none of the chosen CPUs has it", ev->label);
		ret = -ENODEV;
	}
	return ret;
}

static int open_all(struct v9_rings *r, size_t data_pages, size_t aux_bytes)
{
	int ret;

	r->evlist = perf_evlist__new();
	if (!r->evlist)
		return -ENOMEM;
	for (int i = 0; i < r->evs; i++) {
		if (r->ev[i].aux)
			continue;
		ret = open_plain(r, &r->ev[i]);
		if (ret)
			return ret;
	}
	/* Newer versions of libperf would otherwise map the rings of all CPUs that are online. */
	r->evlist->has_user_cpus = true;
	perf_evlist__set_maps(r->evlist, r->cpus, r->threads);
	ret = map_plain(r, data_pages);
	for (int i = 0; !ret && i < r->evs; i++)
		if (r->ev[i].aux)
			ret = open_aux(r, &r->ev[i], aux_bytes);
	return ret;
}

/* Suppress messages of libperf; its functions return errors. */
static int be_silent(enum libperf_print_level level, const char *fmt, va_list ap)
{
	(void)level;
	(void)fmt;
	(void)ap;
	return 0;
}

int v9_rings_open(struct v9_rings *r, size_t data_pages, size_t aux_bytes)
{
	enum v9_target_kind kind = r->target->kind;
	int ret;

	libperf_init(be_silent);
	/* A thread may end before its event is opened (ESRCH): read the list of threads again. */
	r->more_tries = kind == V9_TARGET_PID ? 4 : 0;
	for (int i = 0; i < r->evs; i++) {
		r->ev[i].attr.a.inherit = kind == V9_TARGET_COMMAND || kind == V9_TARGET_PID;
		r->ev[i].attr.a.enable_on_exec = kind == V9_TARGET_COMMAND &&
						 (r->ev[i].tracking || !r->late);
	}
	for (;;) {
		ret = make_cpus(r);
		if (!ret)
			ret = make_threads(r);
		if (!ret)
			ret = open_all(r, data_pages, aux_bytes);
		if (!ret)
			break;
		v9_rings_close(r);
		if (ret != -ESRCH || !r->more_tries--)
			return ret;
	}
	if (kind != V9_TARGET_CPUS)
		v9_family_begin(&r->family, "/proc", r->target->pid, r->target->pids, kind == V9_TARGET_TID);
	for (int i = 0; i < r->evs; i++)
		if (r->ev[i].user_only)
			v9_warn("%s: no permission to look into the kernel; recording user space only",
				r->ev[i].label);
	return 0;
}

void v9_rings_close(struct v9_rings *r)
{
	struct perf_evsel *evsel;

	for (int i = 0; i < r->auxs; i++)
		unmap_ring(&r->aux[i]);
	for (int i = 0; i < r->evs; i++) {
		for (int j = 0; j < r->ev[i].insts; j++)
			if ((r->ev[i].aux || r->ev[i].inst[j].again) && r->ev[i].inst[j].fd >= 0)
				close(r->ev[i].inst[j].fd);
		free(r->ev[i].inst);
		r->ev[i].inst = NULL;
		r->ev[i].insts = 0;
	}
	free(r->aux);
	free(r->poll);
	if (r->evlist) {
		perf_evlist__munmap(r->evlist);
		perf_evlist__close(r->evlist);
		/* libperf allocates the IDs of an event, newer versions insist that we free them. */
		perf_evlist__for_each_evsel(r->evlist, evsel)
			perf_evsel__free_id(evsel);
		perf_evlist__delete(r->evlist);
	}
	perf_cpu_map__put(r->cpus);
	perf_thread_map__put(r->threads);
	v9_family_free(&r->family);
	r->aux = NULL;
	r->poll = NULL;
	r->evlist = NULL;
	r->cpus = NULL;
	r->threads = NULL;
	r->auxs = r->polls = r->next_ring = 0;
}

int v9_rings_enable(struct v9_rings *r, enum v9_rings_what what)
{
	if (what != V9_TRACKING)
		r->paused = false;
	for (int i = 0; i < r->evs; i++) {
		if (what != V9_ALL && r->ev[i].tracking != (what == V9_TRACKING))
			continue;
		for (int j = 0; j < r->ev[i].insts; j++)
			if (r->ev[i].inst[j].fd >= 0 && ioctl(r->ev[i].inst[j].fd, PERF_EVENT_IOC_ENABLE, 0))
				return open_error(r, &r->ev[i], errno, r->ev[i].inst[j].cpu);
	}
	return 0;
}

/* The first instance on a CPU owns the ring and stays open. Of the others only the last is open. */
static int reopen(struct v9_rings *r, struct v9_event_spec *ev, int j)
{
	struct v9_instance old = ev->inst[j];
	const bool runs = ev->tracking || !r->paused;
	int fd, err = 0;

	/* If the CPU was never offline, the old event would still use the unit. */
	ioctl(old.fd, PERF_EVENT_IOC_DISABLE, 0);
	fd = (int)syscall(SYS_perf_event_open, &ev->attr, old.tid, old.cpu, -1,
			  PERF_FLAG_FD_CLOEXEC);
	if (fd < 0) {
		err = -errno;
		if (runs)
			ioctl(old.fd, PERF_EVENT_IOC_ENABLE, 0);
		return err;
	}
	if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, old.fd) ||
	    (runs && ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))) {
		err = -errno;
		close(fd);
		return err;
	}
	add_instance(ev, fd, old.cpu, old.tid, old.ring);
	ev->inst[ev->insts - 1].again = true;
	r->poll[old.ring].fd = fd;
	if (old.again) {
		close(old.fd);
		ev->inst[j].fd = -1;
	}
	return 0;
}

static void for_ring(const struct v9_aux_ring *ring, unsigned long what)
{
	for (int i = 0; i < ring->ev->insts; i++)
		if (ring->ev->inst[i].cpu == ring->cpu && ring->ev->inst[i].fd >= 0)
			ioctl(ring->ev->inst[i].fd, what, 0);
}

/* Closes the events of a ring. Their instances stay, as data with their IDs has been written. */
static void close_ring(struct v9_rings *r, struct v9_aux_ring *ring)
{
	unmap_ring(ring);
	for (int i = 0; i < ring->ev->insts; i++) {
		struct v9_instance *in = &ring->ev->inst[i];

		if (in->cpu != ring->cpu || in->fd < 0)
			continue;
		close(in->fd);
		in->fd = -1;
	}
	ring->retries = ring->again = 0;
	r->poll[ring->number].fd = -1;
}

/* A task that was being forked while its event was enabled has inherited one that is not: the next drains enable that. */
static void begin_ring(struct v9_rings *r, struct v9_aux_ring *ring)
{
	/* The kernel counts from 0 again. */
	ring->base = ring->tail;
	r->poll[ring->number].fd = ring->fd;
	if (r->paused)
		return;
	for_ring(ring, PERF_EVENT_IOC_ENABLE);
	ring->again = ring->ev->attr.a.inherit ? RETRIES : 0;
}

/* ---- opened again */

/* The threads that are recorded now; -1: any, on a CPU */
static int tasks_now(const struct v9_rings *r, int **tid)
{
	if (r->target->kind != V9_TARGET_CPUS)
		return v9_family_tasks(&r->family, tid);
	*tid = v9_alloc(sizeof(**tid));
	**tid = -1;
	return 1;
}

static bool is_among(const int *tid, int n, int one)
{
	for (int i = 0; i < n; i++)
		if (tid[i] == one)
			return true;
	return false;
}

/*
 * Opens the events of a ring for tasks. A task or CPU that is gone is left out. So is a child that this user may not look
 * at, as a program with set-user-ID, which had lost its event.
 */
static int open_tasks(const struct v9_rings *r, struct v9_aux_ring *ring, const int *tid, int n)
{
	int err, denied = 0;
	size_t bytes;

	for (int i = 0; i < n; i++) {
		err = open_task(r, ring, tid[i], true, &bytes);
		if (!bytes && (err == -EACCES || err == -EPERM))
			denied = err;
		else if (err && err != -ESRCH && err != -ENODEV)
			return err;
	}
	return ring->page ? 0 : denied;
}

/*
 * Opens the events of a task that began while those of the tasks before were opened. If its parent had them already, it
 * has inherited them: then the unit is busy.
 */
static int open_newcomer(struct v9_rings *r, const bool *closed, int tid, int *at)
{
	int err = 0;

	for (int i = 0; !err && i < r->auxs; i++) {
		if (closed[i])
			err = open_tasks(r, &r->aux[*at = i], &tid, 1);
		err = err == -EBUSY ? 0 : err;
	}
	return err;
}

/* Opens the rings that are closed. Returns 0, or -errno with *@at: the ring that failed. */
static int open_closed(struct v9_rings *r, const bool *closed, int *at)
{
	int *tid, *before, n = tasks_now(r, &tid), nr, err = 0;
	bool more = r->aux[0].ev->attr.a.inherit;

	for (int i = 0; !err && i < r->auxs; i++)
		if (closed[i])
			err = open_tasks(r, &r->aux[*at = i], tid, n);
	for (int pass = 0; !err && more && pass < PASSES; pass++) {
		more = false;
		before = tid;
		nr = n;
		n = tasks_now(r, &tid);
		for (int i = 0; !err && i < n; i++)
			if (!is_among(before, nr, tid[i])) {
				more = true;
				err = open_newcomer(r, closed, tid[i], at);
			}
		free(before);
	}
	free(tid);
	return err;
}

/* Opens the rings that are marked, or closes all of these again. Returns 0 or -errno; *@at as above. */
static int take(struct v9_rings *r, const bool *closed, int *at)
{
	int insts[r->evs], err;

	for (int i = 0; i < r->evs; i++)
		insts[i] = r->ev[i].insts;
	err = open_closed(r, closed, at);
	for (int i = 0; i < r->auxs; i++)
		if (closed[i] && err)
			close_ring(r, &r->aux[i]);
		else if (closed[i] && r->aux[i].page)
			begin_ring(r, &r->aux[i]);
	for (int i = 0; err && i < r->evs; i++)
		if (r->ev[i].aux)
			r->ev[i].insts = insts[i];
	return err;
}

/* The CPU of a ring that was closed is back. */
static int take_ring(struct v9_rings *r, const struct v9_event_spec *ev, int cpu)
{
	bool closed[r->auxs + 1];
	int at = 0;

	for (int i = 0; i < r->auxs; i++)
		closed[i] = r->aux[i].ev == ev && r->aux[i].cpu == cpu && !r->aux[i].page;
	return take(r, closed, &at);
}

/* All are open before one is enabled: where one fails, nothing was recorded by the others. */
int v9_rings_take(struct v9_rings *r, const struct v9_event_spec **busy)
{
	bool closed[r->auxs + 1];
	int at = 0, err;

	for (int i = 0; i < r->auxs; i++)
		closed[i] = true;
	err = take(r, closed, &at);
	*busy = r->aux[at].ev;
	r->released = err;
	return err;
}

/* Is there a later instance on that CPU? One stays for each, even if it is closed: the CPU is recorded. */
static bool has_later(const struct v9_event_spec *ev, int j)
{
	for (int i = j + 1; i < ev->insts; i++)
		if (ev->inst[i].cpu == ev->inst[j].cpu)
			return true;
	return false;
}

void v9_rings_forget(struct v9_rings *r)
{
	for (int i = 0; i < r->evs; i++) {
		struct v9_event_spec *ev = &r->ev[i];
		int n = 0;

		for (int j = 0; j < ev->insts; j++) {
			if (ev->inst[j].fd >= 0 || !has_later(ev, j))
				ev->inst[n++] = ev->inst[j];
		}
		ev->insts = n;
	}
}

/* The side-band first: a decoder needs it for the trace. If one event fails, the others go on. */
int v9_rings_reopen(struct v9_rings *r, int cpu)
{
	int ret = 0, err;

	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < r->evs; i++) {
			struct v9_event_spec *ev = &r->ev[i];
			int j = ev->insts;

			if (ev->tracking == !!pass || (ev->aux && r->released))
				continue;
			while (--j >= 0 && ev->inst[j].cpu != cpu)
				;
			err = j < 0 ? 0 : ev->inst[j].fd < 0 ? take_ring(r, ev, cpu) : reopen(r, ev, j);
			ret = ret ? ret : err;
		}
	return ret;
}

/* The trace first, so that the side-band covers its end. */
void v9_rings_disable(struct v9_rings *r)
{
	r->stopped = true;
	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < r->evs; i++)
			for (int j = 0; j < r->ev[i].insts; j++)
				if (r->ev[i].tracking == !!pass)
					ioctl(r->ev[i].inst[j].fd, PERF_EVENT_IOC_DISABLE, 0);
}

void v9_rings_pause(struct v9_rings *r)
{
	r->paused = true;
	for (int i = 0; i < r->evs; i++)
		for (int j = 0; !r->ev[i].tracking && j < r->ev[i].insts; j++)
			ioctl(r->ev[i].inst[j].fd, PERF_EVENT_IOC_DISABLE, 0);
}

void v9_ring_flush(struct v9_aux_ring *ring)
{
	for_ring(ring, PERF_EVENT_IOC_DISABLE);
	for_ring(ring, PERF_EVENT_IOC_ENABLE);
}

void v9_rings_flush(struct v9_rings *r)
{
	for (int i = 0; i < r->auxs; i++)
		v9_ring_flush(&r->aux[i]);
}

/* Bytes that the AUX area of an event on a CPU has had so far */
static uint64_t aux_head(const struct v9_rings *r, const struct v9_event_spec *ev, int cpu)
{
	for (int i = 0; i < r->auxs; i++)
		if (r->aux[i].ev == ev && r->aux[i].cpu == cpu)
			return v9_ring_head(&r->aux[i]);
	return 0;
}

int v9_rings_period(struct v9_rings *r, struct v9_event_spec *ev, uint64_t period, v9_period_fn changed,
		    void *ctx)
{
	for (int i = 0; i < ev->insts; i++) {
		const struct v9_instance *in = &ev->inst[i];
		int err;

		if (in->fd < 0)
			continue;
		ioctl(in->fd, PERF_EVENT_IOC_DISABLE, 0);
		err = ioctl(in->fd, PERF_EVENT_IOC_PERIOD, &period) ? -errno : 0;
		if (!err)
			changed(ctx, in->cpu, aux_head(r, ev, in->cpu), period);
		if (!r->paused)
			ioctl(in->fd, PERF_EVENT_IOC_ENABLE, 0);
		if (err)
			return err;
	}
	ev->attr.a.sample_period = period;
	return 0;
}

/* @stopped: the events are disabled. An overwritten buffer is read only then. */
static int drain_aux_area(struct v9_aux_ring *ring, bool stopped, v9_aux_fn aux, void *ctx)
{
	const uint64_t head = v9_ring_head(ring);
	size_t from, len, first;
	int ret;

	if (!ring->aux || (ring->ev->overwrite && !stopped))
		return 0;
	if (ring->ev->overwrite && head - ring->tail > ring->aux_size)
		ring->tail = head - ring->aux_size;
	from = (ring->tail - ring->base) & (ring->aux_size - 1);
	len = first = head - ring->tail;
	if (!len)
		return 0;
	if (from + len > ring->aux_size)
		first = ring->aux_size - from;
	ret = aux(ctx, ring, ring->aux + from, first, ring->aux, len - first);
	ring->tail = head;
	/* Release: the data is read before the kernel may write there again. */
	__atomic_store_n(&ring->page->aux_tail, head - ring->base, __ATOMIC_RELEASE);
	return ret;
}

/*
 * Read the records of an AUX ring. One that wraps, and one whose offset in the stream is not that in this area, is copied:
 * the kernel lets nobody write to its pages.
 */
static int drain_aux_records(struct v9_aux_ring *ring, v9_record_fn record, void *ctx)
{
	const uint8_t *data = (const uint8_t *)ring->page + sysconf(_SC_PAGESIZE);
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = ring->page->data_tail;
	static uint8_t copy[1 << 16] __attribute__((aligned(8)));
	int ret = 0;

	while (tail < head && !ret) {
		size_t at = tail & (ring->data_size - 1);
		const struct perf_event_header *h = (const void *)(data + at);
		const bool is_aux = h->type == PERF_RECORD_AUX;
		uint64_t *word = (uint64_t *)(copy + sizeof(*h));	/* of such a record: offset, size, flags */

		if (h->size < sizeof(*h))
			break;
		if (is_aux || at + h->size > ring->data_size) {
			const size_t first = ring->data_size - at;
			const size_t part = h->size < first ? h->size : first;

			memcpy(copy, data + at, part);
			memcpy(copy + part, data, h->size - part);
			h = (const void *)copy;
		}
		if (is_aux) {
			word[0] += ring->base;
			if (word[2] & PERF_AUX_FLAG_TRUNCATED)
				ring->retries = RETRIES;
		}
		ret = record(ctx, ring, h);
		tail += h->size;
	}
	__atomic_store_n(&ring->page->data_tail, tail, __ATOMIC_RELEASE);
	return ret;
}

/*
 * The kernel disables an event when its AUX area is full. Enable it again after a drain. The kernel
 * disables it shortly after it writes the truncated record, so one attempt may be too early. The
 * call has no effect on an enabled event.
 */
static void enable_again(struct v9_aux_ring *ring)
{
	for_ring(ring, PERF_EVENT_IOC_ENABLE);
}

static int drain_aux_ring(struct v9_rings *r, struct v9_aux_ring *ring, v9_record_fn record,
			  v9_aux_fn aux, void *ctx)
{
	int ret;

	if (!ring->page)
		return 0;
	ret = drain_aux_area(ring, r->stopped, aux, ctx);
	if (!ret)
		ret = drain_aux_records(ring, record, ctx);
	if (ring->retries && ring->ev->overwrite) {
		r->triggered = true;
	} else if (ring->again && !r->stopped && !r->paused) {
		enable_again(ring);
		ring->again--;
	} else if (ring->retries && !r->stopped && !r->paused) {
		enable_again(ring);
		ring->retries--;
	}
	return ret;
}

/*
 * A driver writes nothing more to a buffer in which its trigger has stopped: makes another one. perf goes on
 * counting the bytes of the stream. If there is no memory, the CPU is not traced any more.
 */
static void renew(struct v9_aux_ring *ring)
{
	munmap(ring->aux, ring->aux_size);
	ring->aux = mmap(NULL, ring->aux_size, PROT_READ, MAP_SHARED, ring->fd,
			 (off_t)ring->page->aux_offset);
	if (ring->aux != MAP_FAILED)
		return;
	ring->aux = NULL;
	map_error(ring->ev, errno, ring->aux_size);
	v9_warn("%s: CPU %d is not recorded any more", ring->ev->label, ring->cpu);
}

/* All are disabled first, so no trigger comes between what is read and what is forgotten. */
bool v9_rings_snapshot(struct v9_rings *r, v9_record_fn record, v9_aux_fn aux, void *ctx)
{
	bool any = false, fired = false;

	for (int i = 0; i < r->auxs && !r->stopped; i++)
		if (r->aux[i].ev->overwrite) {
			for_ring(&r->aux[i], PERF_EVENT_IOC_DISABLE);
			any = true;
		}
	for (int i = 0; i < r->auxs && any; i++) {
		struct v9_aux_ring *ring = &r->aux[i];

		if (!ring->ev->overwrite || !ring->page)
			continue;
		if (aux)
			drain_aux_area(ring, true, aux, ctx);
		else
			ring->tail = v9_ring_head(ring);
		drain_aux_records(ring, record, ctx);
		fired |= ring->retries;
		if (ring->retries && ring->aux)
			renew(ring);
		ring->retries = 0;
		ring->again = r->paused || !ring->aux ? 0 : RETRIES;
		if (ring->again)
			enable_again(ring);
	}
	if (any)
		r->triggered = fired && !r->triggered;
	return any;
}

/*
 * A task that was being forked while its event was enabled may have inherited one that still is: the events are disabled
 * until nothing more comes.
 */
static void empty_rings(struct v9_rings *r, v9_record_fn record, v9_aux_fn aux, void *ctx)
{
	uint64_t before, sum = 0;
	int tries = 0;

	do {
		before = sum;
		sum = 0;
		for (int i = 0; i < r->auxs; i++)
			for_ring(&r->aux[i], PERF_EVENT_IOC_DISABLE);
		for (int i = 0; i < r->auxs; i++) {
			struct v9_aux_ring *ring = &r->aux[i];

			if (!ring->page)
				continue;
			drain_aux_area(ring, true, aux, ctx);
			drain_aux_records(ring, record, ctx);
			r->triggered |= ring->retries && ring->ev->overwrite;
			sum += ring->tail;
		}
	} while (sum != before && ++tries < RETRIES);
}

void v9_rings_release(struct v9_rings *r, v9_record_fn record, v9_aux_fn aux, void *ctx)
{
	r->released = true;
	empty_rings(r, record, aux, ctx);
	for (int i = 0; i < r->auxs; i++)
		close_ring(r, &r->aux[i]);
}

static int drain_plain_ring(struct perf_mmap *map, v9_record_fn record, void *ctx)
{
	union perf_event *event;
	int ret = 0;

	if (perf_mmap__read_init(map))
		return 0;
	while (!ret && (event = perf_mmap__read_event(map))) {
		ret = record(ctx, NULL, &event->header);
		perf_mmap__consume(map);
	}
	perf_mmap__read_done(map);
	return ret;
}

int v9_rings_drain(struct v9_rings *r, const struct pollfd *named, v9_record_fn record,
		   v9_aux_fn aux, void *ctx)
{
	const int plain = r->polls - r->auxs;
	struct perf_mmap *map;
	int ret = 0, i;

	r->retry = false;
	for (i = 0; i < r->auxs && !ret; i++) {
		if (!named || named[plain + i].revents || r->aux[i].retries || r->aux[i].again)
			ret = drain_aux_ring(r, &r->aux[i], record, aux, ctx);
		r->retry |= (r->aux[i].retries || r->aux[i].again) && !r->stopped && !r->paused;
	}
	i = 0;
	perf_evlist__for_each_mmap(r->evlist, map, false) {
		if (!ret && (!named || named[i].revents))
			ret = drain_plain_ring(map, record, ctx);
		i++;
	}
	return ret;
}

const struct perf_event_mmap_page *v9_rings_page(const struct v9_rings *r)
{
	struct perf_mmap *map = perf_evlist__next_mmap(r->evlist, NULL, false);

	return map ? map->base : r->aux[0].page;
}

int v9_rings_cpus(const struct v9_rings *r, int **cpu)
{
	int n = perf_cpu_map__nr(r->cpus);

	*cpu = v9_alloc(n * sizeof(**cpu));
	for (int i = 0; i < n; i++)
		(*cpu)[i] = perf_cpu_map__cpu(r->cpus, i).cpu;
	return n;
}

int v9_rings_tasks(const struct v9_rings *r, int **tid)
{
	int n = perf_thread_map__nr(r->threads);

	*tid = v9_alloc((size_t)n * sizeof(**tid));
	for (int i = 0; i < n; i++)
		(*tid)[i] = perf_thread_map__pid(r->threads, i);
	return n;
}
