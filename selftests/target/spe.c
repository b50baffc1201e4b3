// SPDX-License-Identifier: GPL-2.0-only
/* The unit in sysfs, the event, its two buffers, and workers to profile. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/capability.h>

#include "spe.h"

#define SOURCES		"/sys/bus/event_source/devices"
#define DATA_PAGES	16

int spe_read_text(const char *dir, const char *file, char *text, size_t size)
{
	char path[256];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = read(fd, text, size - 1);
	close(fd);
	if (n < 0)
		return -EIO;
	while (n && (text[n - 1] == '\n' || text[n - 1] == ' '))
		n--;
	text[n] = 0;
	return 0;
}

int spe_write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), err = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		err = -errno;
	close(fd);
	return err;
}

bool spe_has(const struct spe_unit *unit, const char *file)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", unit->dir, file);
	return !access(path, F_OK);
}

static unsigned long read_number(const char *dir, const char *file)
{
	char text[64];

	return spe_read_text(dir, file, text, sizeof(text)) ? 0 : strtoul(text, NULL, 0);
}

static bool cpu_online(int cpu)
{
	char dir[64], text[8];

	snprintf(dir, sizeof(dir), "/sys/devices/system/cpu/cpu%d", cpu);
	/* A CPU that cannot be taken away has no such file. */
	return spe_read_text(dir, "online", text, sizeof(text)) ? !access(dir, F_OK) : text[0] == '1';
}

/* "0-3,8" */
static void parse_cpus(struct spe_unit *unit, const char *p)
{
	CPU_ZERO(&unit->cpus);
	while (*p) {
		char *end;
		long from = strtol(p, &end, 10), to = from;

		if (end == p)
			break;
		if (*end == '-')
			to = strtol(end + 1, &end, 10);
		for (; from <= to && from < CPU_SETSIZE; from++)
			if (cpu_online(from))
				CPU_SET(from, &unit->cpus);
		p = *end == ',' ? end + 1 : end;
	}
	unit->ncpus = CPU_COUNT(&unit->cpus);
}

int spe_find(struct spe_unit *unit)
{
	const char *want = getenv("V9_PMU");
	struct dirent *entry;
	char text[256];
	DIR *dir;

	memset(unit, 0, sizeof(*unit));
	dir = opendir(SOURCES);
	if (!dir)
		return -ENODEV;
	while (!unit->name[0] && (entry = readdir(dir)))
		if (want ? !strcmp(entry->d_name, want) : !strncmp(entry->d_name, "arm_spe_", 8))
			snprintf(unit->name, sizeof(unit->name), "%.31s", entry->d_name);
	closedir(dir);
	if (!unit->name[0])
		return -ENODEV;
	snprintf(unit->dir, sizeof(unit->dir), SOURCES "/%s", unit->name);
	unit->type = (int)read_number(unit->dir, "type");
	unit->min_interval = (unsigned int)read_number(unit->dir, "caps/min_interval");
	unit->arch_inst = read_number(unit->dir, "caps/arch_inst");
	unit->ours = !access("/sys/module/v9_spe", F_OK) &&
		     access("/sys/module/arm_spe_pmu", F_OK);
	if (!spe_read_text(unit->dir, "cpumask", text, sizeof(text)))
		parse_cpus(unit, text);
	return 0;
}

int spe_cpu(const struct spe_unit *unit, int nth)
{
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &unit->cpus) && !nth--)
			return cpu;
	return -1;
}

/* Is CAP_PERFMON or CAP_SYS_ADMIN effective? */
bool spe_perfmon_allowed(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];
	uint64_t caps;

	if (syscall(__NR_capget, &head, data))
		return false;
	caps = data[0].effective | (uint64_t)data[1].effective << 32;
	return caps & (1ULL << 38 | 1ULL << CAP_SYS_ADMIN);
}

void spe_attr(const struct spe_unit *unit, struct perf_event_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->type = unit->type;
	attr->size = sizeof(*attr);
	attr->sample_period = unit->min_interval > 1024 ? unit->min_interval : 1024;
	attr->disabled = 1;
	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
}

int spe_event(const struct perf_event_attr *attr, pid_t pid, int cpu)
{
	int fd = syscall(__NR_perf_event_open, attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int spe_map_aux(struct spe_ring *ring, unsigned int aux_pages, int mode)
{
	int prot = mode & SPE_OVERWRITE ? PROT_READ : PROT_READ | PROT_WRITE;
	size_t page = sysconf(_SC_PAGESIZE);
	void *aux;

	ring->page->aux_offset = page + ring->data_size;
	ring->page->aux_size = aux_pages * page;
	aux = mmap(NULL, aux_pages * page, prot, MAP_SHARED, ring->fd, page + ring->data_size);
	if (aux == MAP_FAILED)
		return -errno;
	ring->aux = aux;
	ring->aux_size = aux_pages * page;
	return 0;
}

void spe_unmap_aux(struct spe_ring *ring)
{
	if (ring->aux)
		munmap(ring->aux, ring->aux_size);
	ring->aux = NULL;
}

int spe_open(struct spe_ring *ring, const struct perf_event_attr *attr, pid_t pid, int cpu,
	     unsigned int aux_pages, int mode)
{
	size_t page = sysconf(_SC_PAGESIZE);
	int err;

	memset(ring, 0, sizeof(*ring));
	ring->fd = spe_event(attr, pid, cpu);
	if (ring->fd < 0)
		return ring->fd;
	ring->data_size = DATA_PAGES * page;
	ring->page = mmap(NULL, page + ring->data_size, PROT_READ | PROT_WRITE, MAP_SHARED,
			  ring->fd, 0);
	if (ring->page == MAP_FAILED) {
		err = -errno;
		ring->page = NULL;
		spe_close(ring);
		return err;
	}
	err = aux_pages ? spe_map_aux(ring, aux_pages, mode) : 0;
	if (err)
		spe_close(ring);
	return err;
}

/* What hinders the caller from recording itself with the largest buffer of the tests; or NULL. */
const char *spe_missing(const struct spe_unit *unit)
{
	struct perf_event_attr attr;
	struct spe_ring ring;
	int err;

	if (!geteuid())
		return NULL;
	spe_attr(unit, &attr);
	err = spe_open(&ring, &attr, 0, -1, 1024, 0);
	if (!err)
		spe_close(&ring);
	return err == -EACCES ? "CAP_PERFMON missing (perf_event_paranoid)" :
	       err == -EPERM ? "CAP_IPC_LOCK missing (perf_event_mlock_kb)" : NULL;
}

int spe_enable(struct spe_ring *ring)
{
	return ioctl(ring->fd, PERF_EVENT_IOC_ENABLE, 0) ? -errno : 0;
}

int spe_disable(struct spe_ring *ring)
{
	return ioctl(ring->fd, PERF_EVENT_IOC_DISABLE, 0) ? -errno : 0;
}

void spe_close(struct spe_ring *ring)
{
	spe_unmap_aux(ring);
	if (ring->page)
		munmap(ring->page, sysconf(_SC_PAGESIZE) + ring->data_size);
	if (ring->fd >= 0)
		close(ring->fd);
	free(ring->bytes);
	memset(ring, 0, sizeof(*ring));
	ring->fd = -1;
}

struct aux_record {
	struct perf_event_header head;
	uint64_t offset, size, flags;
};

static void note(struct spe_ring *ring, const char *wrong)
{
	if (!ring->wrong)
		ring->wrong = wrong;
}

/* Positions only grow, and nothing is announced that the buffer cannot hold. */
static void take_aux_record(struct spe_ring *ring, const struct aux_record *rec)
{
	ring->naux++;
	ring->flags |= rec->flags;
	if (rec->flags & PERF_AUX_FLAG_OVERWRITE)
		return;
	if (rec->size > ring->aux_size)
		note(ring, "PERF_RECORD_AUX larger than the buffer");
	if (rec->offset < ring->aux_end)
		note(ring, "PERF_RECORD_AUX goes back");
	ring->aux_end = rec->offset + rec->size;
	ring->reported += rec->size;
	if (rec->size > ring->largest)
		ring->largest = rec->size;
}

static void drain_data(struct spe_ring *ring)
{
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = ring->page->data_tail;
	const uint8_t *data = (const uint8_t *)ring->page + ring->page->data_offset;

	while (tail < head) {
		struct aux_record rec = { 0 };
		struct perf_event_header *h = &rec.head;
		size_t size;

		for (size_t i = 0; i < sizeof(*h); i++)
			((uint8_t *)h)[i] = data[(tail + i) % ring->data_size];
		size = h->size;
		if (size < sizeof(*h) || tail + size > head) {
			note(ring, "broken record in the data ring");
			break;
		}
		for (size_t i = 0; i < size && i < sizeof(rec); i++)
			((uint8_t *)&rec)[i] = data[(tail + i) % ring->data_size];
		if (h->type == PERF_RECORD_AUX)
			take_aux_record(ring, &rec);
		else if (h->type == PERF_RECORD_LOST)
			ring->nlost++;
		tail += size;
	}
	__atomic_store_n(&ring->page->data_tail, tail, __ATOMIC_RELEASE);
}

/*
 * Copy what is new in the AUX buffer. The head is read before the data ring,
 * so every byte taken here may still be announced later, never the reverse.
 */
int spe_drain(struct spe_ring *ring)
{
	uint64_t head = __atomic_load_n(&ring->page->aux_head, __ATOMIC_ACQUIRE);
	uint64_t tail = ring->page->aux_tail;
	size_t fresh = head - tail;

	drain_data(ring);
	if (!ring->aux)
		return 0;
	if (head < tail || fresh > ring->aux_size) {
		note(ring, "aux_head out of the buffer");
		return -ERANGE;
	}
	if (ring->nbytes + fresh > ring->room) {
		size_t room = (ring->nbytes + fresh) * 2;
		uint8_t *bytes = realloc(ring->bytes, room);

		if (!bytes)
			return -ENOMEM;
		ring->bytes = bytes;
		ring->room = room;
	}
	for (; tail < head; ) {
		size_t at = tail % ring->aux_size;
		size_t run = ring->aux_size - at < head - tail ? ring->aux_size - at : head - tail;

		memcpy(ring->bytes + ring->nbytes, ring->aux + at, run);
		ring->nbytes += run;
		tail += run;
	}
	__atomic_store_n(&ring->page->aux_tail, tail, __ATOMIC_RELEASE);
	return 0;
}

int pin_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) ? -errno : 0;
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
