// SPDX-License-Identifier: GPL-2.0-only
/*
 * v9trace on a kernel that is simulated: a machine with the CPUs 0 and 1 and an SPE unit. Directories for /sys are
 * below V9_ROOT: "pmu" and "cpu". When an event of the unit (type 11) is enabled on a CPU, the unit writes the file
 * V9_SPE to its buffer, once; V9_FLAGS are the flags of the record of that. V9_LOG is a file for the events that are
 * opened, and the buffers that are mapped. The program is linked with the objects of v9trace, and with --wrap for the
 * functions below.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define main v9trace
#include "../../tools/v9trace.c"
#undef main

#include "../../tools/collect/spec.h"

#include "fake_events.h"

#define TYPE_SPE	11
#define FILE_SIZE	(16u << 20)

static const char *variable(const char *name, const char *otherwise)
{
	const char *value = getenv(name);

	return value ? value : otherwise;
}

/* A ring has a page of its own, and behind it what the kernel writes. */
void *__real_mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset);
void *__wrap_mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset);

static struct perf_event_mmap_page *page_of(int i)
{
	return __real_mmap(NULL, FILE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, event[i].fd, 0);
}

static void unit_writes(int i)
{
	struct perf_event_mmap_page *page = page_of(i);
	struct {
		struct perf_event_header h;
		uint64_t offset, size, flags;
	} record = { .h = { .type = PERF_RECORD_AUX, .size = sizeof(record) } };
	const int fd = open(variable("V9_SPE", "/dev/null"), O_RDONLY);

	if (page->aux_size && !event[i].wrote) {
		record.flags = strtoull(variable("V9_FLAGS", "0"), NULL, 0);
		record.size = (uint64_t)read(fd, (uint8_t *)page + page->aux_offset, page->aux_size);
		memcpy((uint8_t *)page + sysconf(_SC_PAGESIZE) + page->data_head, &record, sizeof(record));
		page->data_head += sizeof(record);
		page->aux_head = record.size;
		event[i].wrote = true;
	}
	close(fd);
	munmap(page, FILE_SIZE);
}

static __attribute__((format(printf, 1, 2))) void note(const char *format, ...)
{
	FILE *f = fopen(variable("V9_LOG", "/dev/null"), "a");
	va_list ap;

	va_start(ap, format);
	vfprintf(f, format, ap);
	va_end(ap);
	fclose(f);
}

/* Words of the attributes that are not 0: their number and value. Word 5 has the bits, "disabled" first. */
static void note_open(const uint64_t *word, int tid, int cpu)
{
	const uint32_t size = (uint32_t)(word[0] >> 32);

	note("%scpu %d", tid > 0 ? "task " : tid ? "" : "self ", cpu);
	for (uint32_t i = 0; i < size / 8; i++)
		if (word[i])
			note(" %u:%llx", i, (unsigned long long)word[i]);
	note("\n");
}

long __real_syscall(long nr, ...);
long __wrap_syscall(long nr, ...);
long __wrap_syscall(long nr, ...)
{
	va_list ap;
	long arg[6];

	va_start(ap, nr);
	for (int k = 0; k < 6; k++)
		arg[k] = va_arg(ap, long);
	va_end(ap);
	if (nr != SYS_perf_event_open)
		return __real_syscall(nr, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
	event[events].attr = *(const struct perf_event_attr *)arg[0];
	note_open((const void *)arg[0], (int)arg[1], (int)arg[2]);
	event[events].cpu = (int)arg[2];
	event[events].wrote = false;
	event[events].fd = memfd_create("event", MFD_CLOEXEC);
	if (event[events].fd < 0 || ftruncate(event[events].fd, FILE_SIZE))
		exit(1);
	return event[events++].fd;
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
	if (i < 0)
		return __real_ioctl(fd, what, arg);
	if (what == PERF_EVENT_IOC_ID)
		*(uint64_t *)arg = 1000 + (unsigned int)i;
	if (what == PERF_EVENT_IOC_ENABLE && event[i].attr.type == TYPE_SPE)
		unit_writes(i);
	return 0;
}

void *__wrap_mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset)
{
	if (event_of(fd) >= 0)
		note("map %zuK%s%s\n", n / 1024, offset ? " of trace" : "", prot & PROT_WRITE ? "" : " read-only");
	return __real_mmap(at, n, prot, flags, fd, offset);
}

int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd)
{
	const int i = event_of(fd);

	if (i >= 0)
		event[i].fd = -2;
	return __real_close(fd);
}

/* An event is readable while its ring has a record. */
int __real_poll(struct pollfd *fds, nfds_t n, int ms);
int __wrap_poll(struct pollfd *fds, nfds_t n, int ms);
int __wrap_poll(struct pollfd *fds, nfds_t n, int ms)
{
	struct pollfd copy[EVENTS];
	int ready = 0, ret;

	for (nfds_t k = 0; k < n; k++) {
		const int i = event_of(fds[k].fd);
		struct perf_event_mmap_page *page;

		copy[k] = fds[k];
		copy[k].revents = 0;
		if (i < 0)
			continue;
		page = page_of(i);
		copy[k].fd = -1;
		copy[k].revents = page->data_head != page->data_tail ? POLLIN : 0;
		ready += copy[k].revents != 0;
		munmap(page, FILE_SIZE);
	}
	ret = __real_poll(copy, n, ready ? 0 : ms);
	for (nfds_t k = 0; k < n; k++) {
		const int i = event_of(fds[k].fd);

		fds[k].revents = copy[k].revents;
		if (i >= 0 && ready) {
			struct perf_event_mmap_page *page = page_of(i);

			fds[k].revents = page->data_head != page->data_tail ? POLLIN : 0;
			munmap(page, FILE_SIZE);
		}
	}
	return ret < 0 ? ret : ret + ready;
}

/* V9_USER: who runs the program */
uid_t __wrap_geteuid(void);
uid_t __wrap_geteuid(void)
{
	return (uid_t)atoi(variable("V9_USER", "0"));
}

struct perf_cpu_map;
struct perf_cpu_map *__real_perf_cpu_map__new(const char *list);
struct perf_cpu_map *__wrap_perf_cpu_map__new(const char *list);
struct perf_cpu_map *__wrap_perf_cpu_map__new(const char *list)
{
	return __real_perf_cpu_map__new(list ? list : "0-1");
}

int main(int argc, char **argv)
{
	static char pmu[256], cpu[256];

	snprintf(pmu, sizeof(pmu), "%s/pmu", variable("V9_ROOT", "."));
	snprintf(cpu, sizeof(cpu), "%s/cpu", variable("V9_ROOT", "."));
	v9_pmu_root = pmu;
	v9_cpu_root = cpu;
	return v9trace(argc, argv);
}
