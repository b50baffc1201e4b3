// SPDX-License-Identifier: GPL-2.0-only
/*
 * What v9trace record --aggregate costs, without rings and drivers:
 *
 *	live CAPTURE RECORDS SECONDS [lines|shard]
 *
 * Gives so many SPE records of 64 bytes a second to the thread that decodes, from a capture of mkspe, again
 * and again, and writes a profile (shard: a shard) each third of the time. Prints the share of a CPU in
 * percent, the peak of memory in MiB, the number of decoded records, the bytes that were lost because
 * decoding was too slow, and the number of evicted sums. Linked with the objects of v9trace.
 */
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "../../tools/live/profile.h"
#include "../../tools/live/worker.h"
#include "../../tools/util.h"

#define RECORD	64u
#define TICK	10000000u	/* ns: a round */
#define MEMORY	(64u << 20)	/* the default of --memory */
#define CPUS	4

/* Most memory so far, in KiB, without the pages of the capture, which is mapped */
static unsigned long peak;

static void look_at_memory(void)
{
	char *status = v9_read_file("/proc/self/status", NULL), *at = status ? strstr(status, "RssAnon:") : NULL;
	const unsigned long now = at ? strtoul(at + 8, NULL, 10) : 0;

	peak = now > peak ? now : peak;
	free(status);
}

/* Throws it away. All of a shard is in memory when it is written. */
static ssize_t discard(void *first, const char *data, size_t n)
{
	(void)data;
	if (*(bool *)first)
		look_at_memory();
	*(bool *)first = false;
	return (ssize_t)n;
}

static int write_profile(void *arg, const struct v9_live *l)
{
	const struct perf_event_attr attr = { .sample_period = 1024 };
	bool first = true;
	FILE *f = fopencookie(&first, "w", (cookie_io_functions_t){ .write = discard });

	if (*(bool *)arg)
		v9_shard_of_profile(l, &attr, 1, f);
	else
		v9_profile_write(l, f);
	look_at_memory();
	fclose(f);
	return 0;
}

static double cpu_seconds(void)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
	       (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6;
}

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static void sleep_until(uint64_t ns)
{
	const struct timespec ts = { (time_t)(ns / 1000000000), (long)(ns % 1000000000) };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

/* AUX data of the capture by CPU */
static struct { const uint8_t *p; size_t n; } part[1024];
static uint32_t cpu_of[1024];
static size_t parts;

int main(int argc, char **argv)
{
	const uint64_t rate = argc > 3 ? strtoull(argv[2], NULL, 10) : 0;
	const uint64_t seconds = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
	bool shard = argc > 4 && !strcmp(argv[4], "shard");
	struct v9_worker_setup setup = {
		.live = { .memory = MEMORY - MEMORY / 4, .lines = argc > 4 && !shard, .types = shard, .begin = now() },
		.most = MEMORY / 4, .write = write_profile, .arg = &shard,
	};
	uint64_t done[CPUS] = { 0 }, given = 0, ticks = 0, begin, start;
	struct v9_worker_total total;
	size_t at, in = 0, of = 0;
	struct v9_worker *w;
	struct pd_header head;
	const uint8_t *file;
	struct stat st;
	double cpu;
	int fd;

	if (!rate || !seconds || (fd = open(argv[1], O_RDONLY)) < 0 || fstat(fd, &st) ||
	    st.st_size < (off_t)sizeof(head))
		return 2;
	file = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (file == MAP_FAILED)
		return 1;
	memcpy(&head, file, sizeof(head));
	w = v9_worker_start(&setup);
	if (!w)
		return 1;
	for (at = head.data.offset; at < head.data.offset + head.data.size; ) {
		struct pd_event_header h;
		struct pd_auxtrace a;

		memcpy(&h, file + at, sizeof(h));
		if (h.type != PD_REC_AUXTRACE) {
			v9_worker_record(w, file + at, h.size);
			at += h.size;
			continue;
		}
		memcpy(&a, file + at, sizeof(a));
		at += h.size;
		if (parts < sizeof(part) / sizeof(part[0]) && a.cpu < CPUS) {
			part[parts].p = file + at;
			part[parts].n = a.size;
			cpu_of[parts++] = a.cpu;
		}
		at += a.size;
	}
	if (!parts)
		return 2;
	cpu = cpu_seconds();
	begin = start = now();
	while (ticks * TICK < seconds * 1000000000) {
		const uint64_t want = ++ticks * TICK * rate / 1000000000;

		while (given < want) {
			struct pd_auxtrace a = { .cpu = cpu_of[of] };
			size_t n = (want - given) * RECORD;

			if (n > part[of].n - in)
				n = part[of].n - in;
			a.offset = done[a.cpu];
			v9_worker_aux(w, &a, part[of].p + in, n, NULL, 0);
			done[a.cpu] += n;
			given += n / RECORD;
			in += n;
			if (in == part[of].n) {
				in = 0;
				of = (of + 1) % parts;
			}
		}
		v9_worker_round(w, true);
		if (!(ticks % 20))
			look_at_memory();
		if (now() - begin > seconds * 1000000000 / 3) {
			v9_worker_interval(w, now());
			begin = now();
		}
		sleep_until(start + ticks * TICK);
	}
	v9_worker_stop(w, now(), &total);
	cpu = cpu_seconds() - cpu;
	printf("%.1f %.0f %llu %llu %llu\n", 100 * cpu * 1e9 / (double)(now() - start), (double)peak / 1024,
	       (unsigned long long)total.records, (unsigned long long)total.late_bytes,
	       (unsigned long long)total.evicted);
	return 0;
}
