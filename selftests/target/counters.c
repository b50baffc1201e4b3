// SPDX-License-Identifier: GPL-2.0-only
/* The per-CPU counters and tracepoints of v9_spe and v9_ete. */
#include "harness.h"
#include "machine.h"
#include "ring.h"
#include "work.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>

#define TRACEFS	"/sys/kernel/tracing"
#define EVENTS	TRACEFS "/events/v9trace"

FIXTURE(seen)
{
	struct unit unit;
	struct perf_event_attr attr;
};

UNIT_VARIANTS(seen, const char *unit, "arm_spe_0", "cs_etm");

FIXTURE_SETUP(seen)
{
	if (getuid())
		SKIP(return, "root");
	if (unit_find(&self->unit, variant->unit) || !unit_has(&self->unit, "per_cpu"))
		SKIP(return, "v9_spe, v9_ete driver");
	self->attr.size = sizeof(self->attr);
	self->attr.type = self->unit.type;
	self->attr.disabled = 1;
	self->attr.exclude_kernel = 1;
	if (strcmp(variant->unit, "cs_etm"))
		self->attr.sample_period = 1024;
}

FIXTURE_TEARDOWN(seen)
{
	write_text(EVENTS "/enable", "0");
}

/* The value of @cpu in per_cpu/@name; -1 if there is none. */
static int64_t of_cpu(const struct unit *unit, const char *name, int cpu)
{
	char path[64], text[4096], *line = text;

	snprintf(path, sizeof(path), "per_cpu/%.40s", name);
	if (read_text(unit->dir, path, text, sizeof(text)))
		return -1;
	while (*line) {
		char *end;
		long n = strtol(line, &end, 10);
		int64_t value = strtoll(end, &end, 10);

		if (n == cpu)
			return value;
		line = end + strspn(end, "\n");
	}
	return -1;
}

static uint64_t stat_of(const struct unit *unit, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "stats/%.40s", name);
	return read_number(unit->dir, path);
}

/* Record on one CPU, so that the buffer fills and raises interrupts. */
static int turnovers(const struct perf_event_attr *attr, int cpu, struct ring *ring)
{
	/* The size of a buffer depends on the page size. */
	uint64_t work = 100000 * (sysconf(_SC_PAGESIZE) / 4096);
	int err = pin_to(cpu);

	err = err ?: ring_open(ring, attr, 0, -1, 4, 0);
	if (err)
		return err;
	for (int i = 0; i < 20 && !err; i++) {
		err = ring_enable(ring);
		spin(work);
		err = err ?: ring_disable(ring);
		err = err ?: ring_drain(ring);
	}
	return err;
}

/* stats/ has the sum of each counter in per_cpu/, and only the CPU that recorded has changed. */
TEST_F(seen, counters_of_each_cpu_add_up)
{
	struct dirent *entry;
	struct ring ring;
	int64_t before[2];
	char dir[128];
	int cpus[2];
	DIR *d;

	cpus[0] = unit_cpu(&self->unit, 0);
	cpus[1] = unit_cpu(&self->unit, 1);
	for (int i = 0; i < 2; i++)
		before[i] = of_cpu(&self->unit, "bytes", cpus[i]);
	ASSERT_EQ(0, turnovers(&self->attr, cpus[0], &ring));
	EXPECT_EQ(before[0] + ring.reported, of_cpu(&self->unit, "bytes", cpus[0]));
	EXPECT_EQ(before[1], of_cpu(&self->unit, "bytes", cpus[1]));
	EXPECT_LT(0, of_cpu(&self->unit, "interrupts", cpus[0]));
	ring_close(&ring);

	snprintf(dir, sizeof(dir), "%s/stats", self->unit.dir);
	d = opendir(dir);
	ASSERT_NE(NULL, d);
	while ((entry = readdir(d))) {
		uint64_t sum = 0, most = 0;

		if (entry->d_name[0] == '.')
			continue;
		for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
			int64_t n;

			if (!CPU_ISSET(cpu, &self->unit.cpus))
				continue;
			n = of_cpu(&self->unit, entry->d_name, cpu);
			EXPECT_LE(0, n)
				TH_LOG("%s of CPU %d", entry->d_name, cpu);
			sum += n;
			most = n > (int64_t)most ? n : (int64_t)most;
		}
		if (!strcmp(entry->d_name, "longest_ns"))
			sum = most;
		EXPECT_EQ(sum, stat_of(&self->unit, entry->d_name))
			TH_LOG("%s", entry->d_name);
	}
	closedir(d);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/*
 * longest_ns is the time of an interrupt, handler_ns that of all. A new maximum, and what is added, is less
 * than the duration of the test.
 */
TEST_F(seen, longest_handler)
{
	uint64_t before = stat_of(&self->unit, "longest_ns"), begin, longest, all, interrupts;
	struct ring ring;

	all = stat_of(&self->unit, "handler_ns");
	interrupts = stat_of(&self->unit, "interrupts");
	begin = now_ns();
	ASSERT_EQ(0, turnovers(&self->attr, unit_cpu(&self->unit, 0), &ring));
	ring_close(&ring);
	all = stat_of(&self->unit, "handler_ns") - all;
	EXPECT_LT(all, now_ns() - begin);
	longest = stat_of(&self->unit, "longest_ns");
	interrupts = stat_of(&self->unit, "interrupts") - interrupts;
	EXPECT_LT(100 * interrupts, all);
	EXPECT_LE(all, interrupts * (longest + 1) + 1);
	if (longest > before)
		EXPECT_LE(longest, all + 1);
	EXPECT_LT(100, longest);
	EXPECT_GE(longest, before);
	if (longest > before)
		EXPECT_LT(longest, now_ns() - begin);
}

/* Opening the file with O_TRUNC empties the trace buffer. */
static int forget_trace(void)
{
	int fd = open(TRACEFS "/trace", O_WRONLY | O_TRUNC | O_CLOEXEC);

	return fd < 0 || close(fd);
}

struct traced {
	unsigned int windows, data, interrupts, off, other;
	uint64_t bytes, padding, flags;
	char why[32];
};

/* Read the trace events of this PMU. */
static int read_trace(const char *pmu, struct traced *t)
{
	FILE *f = fopen(TRACEFS "/trace", "re");
	char line[1024], mine[48];

	memset(t, 0, sizeof(*t));
	snprintf(mine, sizeof(mine), ": %s ", pmu);
	while (f && fgets(line, sizeof(line), f)) {
		char *p = strstr(line, mine);
		unsigned long long a = 0, b = 0;

		if (!p || line[0] == '#')
			continue;
		p += strlen(mine);
		if (strstr(line, " v9_window: ")) {
			t->windows++;
			if (sscanf(p, "at=%*x ptr=%*x limit=%*x pad=%llu", &a) != 1)
				t->other++;
			t->padding += a;
		} else if (strstr(line, " v9_data: ")) {
			t->data++;
			if (sscanf(p, "bytes=%llu flags=%llx", &a, &b) != 2)
				t->other++;
			t->bytes += a;
			t->flags |= b;
		} else if (strstr(line, " v9_interrupt: ")) {
			t->interrupts++;
			if (!strstr(p, " status=0x"))
				t->other++;
		} else if (strstr(line, " v9_off: ")) {
			t->off++;
			sscanf(p, "because of %31[^\n]", t->why);
		} else {
			t->other++;
		}
	}
	if (!f)
		return -ENOENT;
	fclose(f);
	return 0;
}

/* The tracepoints agree with the counters. When disabled they log nothing. */
TEST_F(seen, tracepoints)
{
	uint64_t bytes, interrupts;
	struct ring ring;
	struct traced t;

	NEED(!access(EVENTS "/v9_data", F_OK), "tracefs");
	ASSERT_EQ(0, write_text(TRACEFS "/buffer_size_kb", "4096"));
	ASSERT_EQ(0, forget_trace());
	ASSERT_EQ(0, write_text(TRACEFS "/tracing_on", "1"));
	ASSERT_EQ(0, write_text(EVENTS "/enable", "1"));
	bytes = stat_of(&self->unit, "bytes");
	interrupts = stat_of(&self->unit, "interrupts");
	ASSERT_EQ(0, turnovers(&self->attr, unit_cpu(&self->unit, 0), &ring));
	ASSERT_EQ(0, write_text(EVENTS "/enable", "0"));
	bytes = stat_of(&self->unit, "bytes") - bytes;
	interrupts = stat_of(&self->unit, "interrupts") - interrupts;
	ASSERT_EQ(0, read_trace(self->unit.name, &t));
	EXPECT_LT(0, bytes);
	EXPECT_EQ(bytes, t.bytes);
	EXPECT_EQ(ring.flags, t.flags);
	EXPECT_LT(0, interrupts);
	EXPECT_EQ(interrupts, t.interrupts);
	EXPECT_LE(20, t.windows);
	EXPECT_LE(20, t.data);
	EXPECT_EQ(0, t.other);
	ring_close(&ring);

	ASSERT_EQ(0, turnovers(&self->attr, unit_cpu(&self->unit, 0), &ring));
	ring_close(&ring);
	bytes = t.bytes;
	ASSERT_EQ(0, read_trace(self->unit.name, &t));
	EXPECT_EQ(bytes, t.bytes);
}

/* Run a session that the driver disables. */
static void ended(struct __test_metadata *_metadata, const char *pmu,
		  const struct perf_event_attr *attr, struct traced *t)
{
	struct ring ring;

	ASSERT_EQ(0, forget_trace());
	ASSERT_EQ(0, write_text(TRACEFS "/tracing_on", "1"));
	ASSERT_EQ(0, write_text(EVENTS "/v9_off/enable", "1"));
	ASSERT_EQ(0, ring_open(&ring, attr, 0, -1, 4, 0));
	ASSERT_EQ(0, ring_enable(&ring));
	spin(3000000 * (sysconf(_SC_PAGESIZE) / 4096));
	ASSERT_EQ(0, ring_disable(&ring));
	ring_close(&ring);
	ASSERT_EQ(0, write_text(EVENTS "/v9_off/enable", "0"));
	ASSERT_EQ(0, read_trace(pmu, t));
	EXPECT_EQ(1, t->off);
}

/* Without a reader the event is disabled, and the tracepoint has the reason. */
TEST_F(seen, switched_off)
{
	struct traced t = { };

	NEED(!access(EVENTS "/v9_off", F_OK), "tracefs");
	ended(_metadata, self->unit.name, &self->attr, &t);
	EXPECT_STREQ("no room", t.why);
}

/* The buffer has room, but only 256 bytes are requested after the trigger. */
TEST_F(seen, switched_off_by_a_trigger)
{
	struct traced t = { };

	NEED(!access(EVENTS "/v9_off", F_OK), "tracefs");
	NEED(unit_has(&self->unit, "format/trigger") && unit_has(&self->unit, "format/input"),
	     "triggers by an input");
	self->attr.config |= 0x11ULL << 32;		/* input */
	self->attr.config2 |= 2 | 256ULL << 32;		/* trigger, trigger_after */
	ended(_metadata, self->unit.name, &self->attr, &t);
	EXPECT_STREQ("a trigger", t.why);
}

TEST_F(seen, kernel_log_is_clean)
{
	EXPECT_EQ(0, log_complaints());
}

TEST_HARNESS_MAIN
