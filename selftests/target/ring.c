// SPDX-License-Identifier: GPL-2.0-only
/* PMUs in sysfs, and events with their data ring and AUX buffer. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <linux/capability.h>

#include "ring.h"
#include "work.h"

#define SOURCES		"/sys/bus/event_source/devices"
#define DATA_PAGES	16

int read_text(const char *dir, const char *file, char *text, size_t size)
{
	char path[256];
	ssize_t n;
	int fd, err;

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = read(fd, text, size - 1);
	err = n < 0 ? -errno : 0;
	close(fd);
	if (err)
		return err;
	while (n && (text[n - 1] == '\n' || text[n - 1] == ' '))
		n--;
	text[n] = 0;
	return 0;
}

int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), err = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		err = -errno;
	close(fd);
	return err;
}

bool unit_has(const struct unit *unit, const char *file)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", unit->dir, file);
	return !access(path, F_OK);
}

unsigned long read_number(const char *dir, const char *file)
{
	char text[64];

	return read_text(dir, file, text, sizeof(text)) ? 0 : strtoul(text, NULL, 0);
}

bool cpu_online(int cpu)
{
	char dir[64], text[8];

	snprintf(dir, sizeof(dir), "/sys/devices/system/cpu/cpu%d", cpu);
	/* A CPU that cannot be taken offline has no such file. */
	return read_text(dir, "online", text, sizeof(text)) ? !access(dir, F_OK) : text[0] == '1';
}

/* Returns the first CPU that is present and offline, or -1. */
int absent_cpu(void)
{
	for (int cpu = 0; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++)
		if (!cpu_online(cpu))
			return cpu;
	return -1;
}

/* Parses a list such as "0-3,8". */
static void parse_cpus(struct unit *unit, const char *p)
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

/* Fills in what each PMU has. The CPUs are those in its cpumask, or all if it has none. */
int unit_find(struct unit *unit, const char *name)
{
	char text[256];

	memset(unit, 0, sizeof(*unit));
	snprintf(unit->name, sizeof(unit->name), "%.31s", name);
	snprintf(unit->dir, sizeof(unit->dir), SOURCES "/%s", unit->name);
	if (access(unit->dir, F_OK))
		return -ENODEV;
	unit->type = (int)read_number(unit->dir, "type");
	if (!read_text(unit->dir, "cpumask", text, sizeof(text)) ||
	    !read_text("/sys/devices/system/cpu", "online", text, sizeof(text)))
		parse_cpus(unit, text);
	return 0;
}

int unit_find_prefix(struct unit *unit, const char *prefix)
{
	char name[32] = "";
	struct dirent *entry;
	DIR *dir = opendir(SOURCES);

	if (!dir)
		return -ENODEV;
	while (!name[0] && (entry = readdir(dir)))
		if (!strncmp(entry->d_name, prefix, strlen(prefix)))
			snprintf(name, sizeof(name), "%.31s", entry->d_name);
	closedir(dir);
	return name[0] ? unit_find(unit, name) : -ENODEV;
}

int unit_cpu(const struct unit *unit, int nth)
{
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &unit->cpus) && !nth--)
			return cpu;
	return -1;
}

/* Returns true if CAP_PERFMON or CAP_SYS_ADMIN is effective. */
bool perfmon_allowed(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];
	uint64_t caps;

	if (syscall(__NR_capget, &head, data))
		return false;
	caps = data[0].effective | (uint64_t)data[1].effective << 32;
	return caps & (1ULL << 38 | 1ULL << CAP_SYS_ADMIN);
}

static int event(const struct perf_event_attr *attr, int whose, int cpu, int mode)
{
	unsigned long flags = PERF_FLAG_FD_CLOEXEC | (mode & RING_CGROUP ? PERF_FLAG_PID_CGROUP : 0);
	int fd = syscall(__NR_perf_event_open, attr, whose, cpu, -1, flags);

	return fd < 0 ? -errno : fd;
}

int ring_event(const struct perf_event_attr *attr, pid_t pid, int cpu)
{
	return event(attr, pid, cpu, 0);
}

/* Opens and closes an event of this task. Returns 0 or -errno. */
int ring_try(const struct perf_event_attr *attr)
{
	int fd = ring_event(attr, 0, -1);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

int ring_map_aux(struct ring *ring, unsigned int aux_pages, int mode)
{
	int prot = mode & RING_OVERWRITE ? PROT_READ : PROT_READ | PROT_WRITE;
	size_t page = sysconf(_SC_PAGESIZE);
	void *aux;

	ring->page->aux_offset = page + ring->data_size;
	ring->page->aux_size = aux_pages * page;
	aux = mmap(NULL, aux_pages * page, prot, MAP_SHARED, ring->fd, page + ring->data_size);
	if (aux == MAP_FAILED)
		return -errno;
	ring->aux = aux;
	ring->aux_size = aux_pages * page;
	ring->overwrite = mode & RING_OVERWRITE;
	return 0;
}

void ring_unmap_aux(struct ring *ring)
{
	if (ring->aux)
		munmap(ring->aux, ring->aux_size);
	ring->aux = NULL;
}

int ring_open(struct ring *ring, const struct perf_event_attr *attr, pid_t pid, int cpu,
	     unsigned int aux_pages, int mode)
{
	/* The attributes of the kernel may be longer than those in our headers. */
	struct { struct perf_event_attr attr; uint64_t more[8]; } own = { .attr = *attr };
	size_t page = sysconf(_SC_PAGESIZE);
	int err;

	if (attr->size > sizeof(*attr) && attr->size <= sizeof(own))
		memcpy(&own, attr, attr->size);
	/* The kernel allocates runs of the size of the watermark: half or all of the buffer. */
	if (getenv("V9_ONE_RUN") && aux_pages > 4 && !(mode & RING_OVERWRITE) && !attr->aux_watermark)
		own.attr.aux_watermark = (aux_pages / 2 + 1) * page;
	memset(ring, 0, sizeof(*ring));
	ring->fd = event(&own.attr, pid, cpu, mode);
	if (ring->fd < 0)
		return ring->fd;
	ring->data_size = DATA_PAGES * page;
	ring->page = mmap(NULL, page + ring->data_size, PROT_READ | PROT_WRITE, MAP_SHARED,
			  ring->fd, 0);
	if (ring->page == MAP_FAILED) {
		err = -errno;
		ring->page = NULL;
		ring_close(ring);
		return err;
	}
	err = aux_pages ? ring_map_aux(ring, aux_pages, mode) : 0;
	if (err)
		ring_close(ring);
	return err;
}

/* Returns what the caller lacks to record itself with the largest buffer of the tests, or NULL. */
const char *ring_missing(const struct perf_event_attr *attr)
{
	struct ring ring;
	int err;

	if (!geteuid())
		return NULL;
	err = ring_open(&ring, attr, 0, -1, 1024, 0);
	if (!err)
		ring_close(&ring);
	return err == -EACCES ? "CAP_PERFMON missing (perf_event_paranoid)" :
	       err == -EPERM ? "CAP_IPC_LOCK missing (perf_event_mlock_kb)" : NULL;
}

int ring_enable(struct ring *ring)
{
	return ioctl(ring->fd, PERF_EVENT_IOC_ENABLE, 0) ? -errno : 0;
}

int ring_disable(struct ring *ring)
{
	return ioctl(ring->fd, PERF_EVENT_IOC_DISABLE, 0) ? -errno : 0;
}

void ring_close(struct ring *ring)
{
	ring_unmap_aux(ring);
	if (ring->page)
		munmap(ring->page, sysconf(_SC_PAGESIZE) + ring->data_size);
	if (ring->fd >= 0)
		close(ring->fd);
	free(ring->bytes);
	free(ring->piece);
	memset(ring, 0, sizeof(*ring));
	ring->fd = -1;
}

/* A short session of this code, to test the unit; -ENODATA if it recorded nothing. */
int ring_brief(const struct perf_event_attr *attr, pid_t pid, int cpu, unsigned int aux_pages)
{
	struct ring ring;
	int err = ring_open(&ring, attr, pid, cpu, aux_pages, 0);

	if (err)
		return err;
	err = ring_enable(&ring);
	spin(100000);
	err = err ?: ring_disable(&ring);
	err = err ?: ring_drain(&ring);
	if (!err && ring.nbytes < 500)
		err = -ENODATA;
	ring_close(&ring);
	return err;
}

struct record {
	struct perf_event_header head;
	uint64_t word[3];	/* AUX: offset, size, flags; AUX_OUTPUT_HW_ID: the ID */
};

static void note(struct ring *ring, const char *wrong)
{
	if (!ring->wrong)
		ring->wrong = wrong;
}

/* Positions must increase, and no record may be larger than the buffer. */
static void take_aux_record(struct ring *ring, const struct record *rec)
{
	struct ring_piece piece = { rec->word[0], rec->word[1], rec->word[2] };
	struct ring_piece *more;

	ring->flags |= piece.flags;
	if (piece.size > ring->aux_size)
		note(ring, "PERF_RECORD_AUX larger than the buffer");
	if (!(ring->naux & (ring->naux + 1))) {
		more = realloc(ring->piece, (2 * ring->naux + 2) * sizeof(*more));
		if (!more) {
			note(ring, "no memory");
			return;
		}
		ring->piece = more;
	}
	ring->piece[ring->naux++] = piece;
	if (piece.flags & PERF_AUX_FLAG_OVERWRITE)
		return;
	if (piece.offset < ring->aux_end)
		note(ring, "PERF_RECORD_AUX goes back");
	ring->aux_end = piece.offset + piece.size;
	ring->reported += piece.size;
	if (piece.size > ring->largest)
		ring->largest = piece.size;
}

static void take_hw_id(struct ring *ring, uint64_t id)
{
	if (ring->nhw_id < sizeof(ring->hw_id) / sizeof(ring->hw_id[0]))
		ring->hw_id[ring->nhw_id] = id;
	ring->nhw_id++;
}

static void drain_data(struct ring *ring)
{
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = ring->page->data_tail;
	const uint8_t *data = (const uint8_t *)ring->page + ring->page->data_offset;

	while (tail < head) {
		struct record rec = { 0 };
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
		else if (h->type == PERF_RECORD_AUX_OUTPUT_HW_ID)
			take_hw_id(ring, rec.word[0]);
		else if (h->type == PERF_RECORD_LOST)
			ring->nlost++;
		else if (h->type == PERF_RECORD_ITRACE_START)
			ring->nstart++;
		tail += size;
	}
	__atomic_store_n(&ring->page->data_tail, tail, __ATOMIC_RELEASE);
}

/* Returns true if an unread PERF_RECORD_AUX reports data lost for lack of space. */
bool ring_truncated(const struct ring *ring)
{
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	const uint8_t *data = (const uint8_t *)ring->page + ring->page->data_offset;

	for (uint64_t at = ring->page->data_tail; at < head; ) {
		/* Record sizes and the ring size are multiples of 8, so no word wraps. */
		const struct perf_event_header *h = (const void *)(data + at % ring->data_size);
		uint64_t flags;

		memcpy(&flags, data + (at + 24) % ring->data_size, sizeof(flags));
		if (h->type == PERF_RECORD_AUX && (flags & PERF_AUX_FLAG_TRUNCATED))
			return true;
		at += h->size;
	}
	return false;
}

/* Allocates and touches @bytes, because a reader that allocates memory may be too slow. */
int ring_reserve(struct ring *ring, size_t bytes)
{
	uint8_t *more = realloc(ring->bytes, bytes);

	if (!more)
		return -ENOMEM;
	memset(more + ring->nbytes, 0, bytes - ring->nbytes);
	ring->bytes = more;
	ring->room = bytes;
	return 0;
}

/*
 * Copies new data from the AUX buffer. aux_head is read before the data ring, so a copied byte
 * may be reported by a later record, but not the reverse.
 */
int ring_drain(struct ring *ring)
{
	uint64_t head = __atomic_load_n(&ring->page->aux_head, __ATOMIC_ACQUIRE);
	uint64_t tail = ring->page->aux_tail;
	size_t fresh = head - tail;

	drain_data(ring);
	/* Overwritten buffers have no tail. Their readers use the offset of the last record. */
	if (!ring->aux || ring->overwrite)
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

int ring_continue(struct ring *ring)
{
	struct pollfd wait = { .fd = ring->fd, .events = POLLIN };
	int err;

	poll(&wait, 1, 5);
	err = ring_drain(ring);
	return err ?: ring_enable(ring);
}
