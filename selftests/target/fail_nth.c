// SPDX-License-Identifier: GPL-2.0-only
/*
 * For kernels with fault injection (make test-debug). Each allocation of an operation that calls
 * a driver fails once, whether in the driver or in the kernel code it calls. The operation
 * returns an error or works in spite of it, leaves nothing behind, and the next attempt works.
 * spe_fail does the same with kprobes on kernels without fault injection, but fails only calls of
 * the drivers.
 */
#include "harness.h"
#include "machine.h"
#include "ring.h"
#include "work.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "brbe.h"

#define NTH	"/proc/thread-self/fail-nth"
#define FAULTS	"/sys/kernel/debug"
#define LEAKS	FAULTS "/kmemleak"
#define PHYSICAL "/sys/module/v9_core/parameters/physical"

static const char *const kinds[] = { "failslab", "fail_page_alloc" };

static int set_fault(const char *kind, const char *file, const char *value)
{
	char path[96];

	snprintf(path, sizeof(path), FAULTS "/%s/%s", kind, file);
	return write_text(path, value);
}

/* The addresses of the first and the last function of v9_core. */
static int find_core(unsigned long *from, unsigned long *to)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	char line[512], type, module[64];
	unsigned long at;

	*from = ~0UL;
	*to = 0;
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx %c %*s [%63[^]]]", &at, &type, module) != 3 ||
		    strcmp(module, "v9_core") || (type != 't' && type != 'T'))
			continue;
		*from = at < *from ? at : *from;
		*to = at > *to ? at : *to;
	}
	if (f)
		fclose(f);
	return *to ? 0 : -ENODATA;
}

/* Fail only allocations below a call of v9_core, which is where probing begins and ends. */
static int only_below_core(bool only)
{
	unsigned long first = 0, last = ~0UL;
	char from[32], to[32];
	int err = only ? find_core(&first, &last) : 0;

	snprintf(from, sizeof(from), "%#lx", first);
	snprintf(to, sizeof(to), "%#lx", last);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		err = err ?: set_fault(kinds[i], "require-start", from);
		err = err ?: set_fault(kinds[i], "require-end", to);
	}
	return err;
}

/* Of this task. It stays open, because opening it after arm() could itself fail. */
static int nth_fd;

static int arm(unsigned int n)
{
	char text[16];
	int len = snprintf(text, sizeof(text), "%u", n);

	return pwrite(nth_fd, text, len, 0) == len ? 0 : -errno;
}

/* Returns true if the n-th allocation occurred and failed. */
static bool failed(void)
{
	char text[16] = "";

	return pread(nth_fd, text, sizeof(text) - 1, 0) > 0 && !strtoul(text, NULL, 0);
}

/* Its events are samples, without an AUX buffer. */
static bool samples(const struct unit *unit)
{
	return !strcmp(unit->name, "v9_brbe");
}

FIXTURE(nth)
{
	struct unit unit;
};

FIXTURE_VARIANT(nth)
{
	const char *unit, *module;
	unsigned int allocations;	/* at least, while it is loaded */
};

FIXTURE_VARIANT_ADD(nth, spe)
{
	.unit = "arm_spe_0", .module = "v9_spe", .allocations = 30,
};

FIXTURE_VARIANT_ADD(nth, ete)
{
	.unit = "cs_etm", .module = "v9_ete", .allocations = 30,
};

FIXTURE_VARIANT_ADD(nth, brbe)
{
	.unit = "v9_brbe", .module = "v9_brbe", .allocations = 20,
};

FIXTURE_SETUP(nth)
{
	if (getuid())
		SKIP(return, "root");
	if (access(NTH, F_OK) || access(FAULTS "/failslab", F_OK))
		SKIP(return, "kernel with fault injection (make test-debug)");
	if (unit_find(&self->unit, variant->unit) || !module_loaded(variant->module))
		SKIP(return, "%s driver", variant->module);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		ASSERT_EQ(0, set_fault(kinds[i], "verbose", "0"));
		ASSERT_EQ(0, set_fault(kinds[i], "ignore-gfp-wait", "N"));
	}
	nth_fd = open(NTH, O_RDWR | O_CLOEXEC);
	ASSERT_GE(nth_fd, 0);
	ASSERT_EQ(0, set_fault("fail_page_alloc", "min-order", "0"));
	ASSERT_EQ(0, only_below_core(false));
	if (samples(&self->unit))
		brbe_slow_begin();
}

FIXTURE_TEARDOWN(nth)
{
	arm(0);
	if (samples(&self->unit))
		brbe_slow_end();
}

static void attr_of(const struct unit *unit, struct perf_event_attr *attr)
{
	if (samples(unit)) {
		brbe_attr(unit, attr, BRBE_CYCLES, 100003);
		return;
	}
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->type = unit->type;
	attr->disabled = 1;
	attr->exclude_kernel = 1;
	if (strcmp(unit->name, "cs_etm"))
		attr->sample_period = 1024;
}

/* Run until there is one more sample. Returns -ENODATA if none comes. */
static int sample(struct brbe_ring *ring)
{
	const uint64_t before = ring->page->data_head;
	bool more = false;

	if (ioctl(ring->fd, PERF_EVENT_IOC_ENABLE, 0))
		return -errno;
	for (int i = 0; !more && i < 1000; i++) {
		spin(100000);
		more = __atomic_load_n(&ring->page->data_head, __ATOMIC_RELAXED) != before;
	}
	if (ioctl(ring->fd, PERF_EVENT_IOC_DISABLE, 0))
		return -errno;
	return more ? 0 : -ENODATA;
}

/* Run until a sample has branches. */
static int stacks(const struct perf_event_attr *attr)
{
	struct brbe_ring ring;
	int err = brbe_open(&ring, attr, 0, -1);
	bool found = false;

	if (err)
		return err;
	for (int i = 0; !err && !found && i < 100; i++) {
		err = sample(&ring);
		while (!found && brbe_next(&ring))
			found = ring.sample.nr > 0;
	}
	brbe_close(&ring);
	return err ?: found ? 0 : -ENODATA;
}

static int session(const struct unit *unit)
{
	struct perf_event_attr attr;

	attr_of(unit, &attr);
	if (samples(unit))
		return stacks(&attr);
	return ring_brief(&attr, 0, -1, 16);
}

static void tell(const char *what, unsigned int n, int err)
{
	fprintf(stderr, "# %s: after allocation %u failed (%d), it does not work\n", what, n, err);
}

/* perf_event_open() */
TEST_F(nth, event)
{
	struct perf_event_attr attr;
	unsigned int n, reported = 0;
	bool failed_once = true;

	attr_of(&self->unit, &attr);
	for (n = 1; failed_once && n < 500; n++) {
		int fd, again;

		ASSERT_EQ(0, arm(n));
		fd = ring_event(&attr, 0, -1);
		failed_once = failed();
		ASSERT_EQ(0, arm(0));
		reported += failed_once && fd < 0;
		EXPECT_TRUE(failed_once || fd >= 0);
		if (fd >= 0)
			close(fd);
		again = ring_event(&attr, 0, -1);
		EXPECT_LE(0, again);
		if (again < 0)
			tell("event", n, fd);
		else
			close(again);
	}
	TH_LOG("%u allocations, %u refused", n - 2, reported);
	EXPECT_GT(reported, 2);
	EXPECT_EQ(0, session(&self->unit));
}

/* Leave every second of the pages that the kernel allocates next in use. */
static void scatter(bool begin)
{
	static int fd[256][2];

	for (size_t i = 0; begin && i < ARRAY_SIZE(fd); i++)
		if (pipe2(fd[i], O_CLOEXEC) || write(fd[i][1], "", 1) != 1)
			break;
	for (size_t i = !begin; i < ARRAY_SIZE(fd); i += 2) {
		close(fd[i][0]);
		close(fd[i][1]);
	}
}

/* The number of physically contiguous runs of a buffer. */
static unsigned int runs_of(const struct ring *ring)
{
	size_t page = sysconf(_SC_PAGESIZE);
	uint64_t pfn = 0, last;
	unsigned int runs = 0;
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);

	for (size_t at = 0; at < ring->aux_size; at += page) {
		last = pfn;
		(void)*(volatile uint8_t *)(ring->aux + at);
		if (pread(fd, &pfn, 8, (uintptr_t)(ring->aux + at) / page * 8) != 8)
			break;
		pfn &= (UINT64_C(1) << 55) - 1;
		runs += pfn != last + 1;
	}
	close(fd);
	return runs;
}

/* mmap() of the AUX buffer, normal and overwritten. Returns the maximum number of its runs. */
static unsigned int sweep_buffer(struct __test_metadata *_metadata, const struct unit *unit,
				 int mode, size_t watermark)
{
	struct perf_event_attr attr;
	unsigned int n, reported = 0, most = 0;
	struct ring ring;
	bool failed_once = true;

	attr_of(unit, &attr);
	attr.aux_watermark = watermark;
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 0, 0));
	for (n = 1; failed_once && n < 500; n++) {
		int err;

		ASSERT_EQ(0, arm(n));
		err = ring_map_aux(&ring, 8, mode);
		failed_once = failed();
		ASSERT_EQ(0, arm(0));
		reported += failed_once && err;
		EXPECT_TRUE(failed_once || !err);
		ring_unmap_aux(&ring);
		EXPECT_EQ(0, ring_map_aux(&ring, 8, mode));
		if (ring.aux && runs_of(&ring) > most)
			most = runs_of(&ring);
		if (!ring.aux)
			tell("buffer", n, err);
		ring_unmap_aux(&ring);
	}
	TH_LOG("%u allocations, %u refused, up to %u runs of memory", n - 2, reported, most);
	/* A buffer of one run is not mapped again: only perf's list of its pages, and the driver's part. */
	EXPECT_GE(reported, 2);
	ring_close(&ring);
	EXPECT_EQ(0, session(unit));
	return most;
}

TEST_F(nth, buffer)
{
	if (samples(&self->unit))
		SKIP(return, "units with a buffer in memory");
	sweep_buffer(_metadata, &self->unit, 0, 0);
}

TEST_F(nth, overwritten_buffer)
{
	if (samples(&self->unit))
		SKIP(return, "units with a buffer in memory");
	sweep_buffer(_metadata, &self->unit, RING_OVERWRITE, 0);
}

/*
 * Count memory that the drivers leaked. The kernel itself leaks its array of pages if the first
 * of them cannot be allocated. Such reports without the drivers are cleared.
 */
static unsigned int left_by_us(void)
{
	unsigned int lines = 0;
	char line[256];
	FILE *f;

	sleep(6);		/* kmemleak ignores younger objects */
	write_text(LEAKS, "scan");
	write_text(LEAKS, "scan");
	f = fopen(LEAKS, "re");
	if (!f)
		return 0;
	while (fgets(line, sizeof(line), f))
		lines += strstr(line, "[v9_") != NULL;
	fclose(f);
	if (!lines)
		write_text(LEAKS, "clear");
	return lines;
}

/* The unit gets the buffer by physical address, run by run, from a list that is allocated too. */
TEST_F(nth, physical_buffer_of_several_runs)
{
	const char *units = getenv("V9_UNITS");
	unsigned int most;

	if (!units || !strstr(units, "v9-spe-nvm=on") || strcmp(variant->module, "v9_spe"))
		SKIP(return, "SPE units that take physical addresses (V9_UNITS=v9-spe-nvm=on)");
	ASSERT_EQ(0, write_text(PHYSICAL, "1"));
	scatter(true);
	most = sweep_buffer(_metadata, &self->unit, 0, 4096);
	scatter(false);
	EXPECT_EQ(0, write_text(PHYSICAL, "0"));
	EXPECT_GT(most, 1);
	EXPECT_EQ(0, left_by_us());
}

/* Starting allocates nothing, so an enable cannot fail, and the session records. */
TEST_F(nth, start)
{
	struct perf_event_attr attr;
	struct brbe_ring brbe;
	struct ring ring;
	int err;

	attr_of(&self->unit, &attr);
	if (samples(&self->unit)) {
		ASSERT_EQ(0, brbe_open(&brbe, &attr, 0, -1));
		/* The first time, pages of this program and of the ring are mapped. */
		ASSERT_EQ(0, sample(&brbe));
		ASSERT_EQ(0, arm(1));
		err = sample(&brbe);
		EXPECT_FALSE(failed())
			TH_LOG("start or stop allocated memory");
		ASSERT_EQ(0, arm(0));
		EXPECT_EQ(0, err);
		brbe_close(&brbe);
		return;
	}
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 16, 0));
	ASSERT_EQ(0, arm(1));
	err = ring_enable(&ring);
	spin(100000);
	err = err ?: ring_disable(&ring);
	EXPECT_FALSE(failed())
		TH_LOG("start or stop allocated memory");
	ASSERT_EQ(0, arm(0));
	EXPECT_EQ(0, err);
	ASSERT_EQ(0, ring_drain(&ring));
	EXPECT_GT(ring.nbytes, 500);
	ring_close(&ring);
}

/* Loading a driver: all allocations of probing. */
TEST_F_TIMEOUT(nth, probe, 900)
{
	unsigned int n, reported = 0;
	bool failed_once = true;

	if (!getenv("V9_MODULES"))
		SKIP(return, "V9_MODULES (where the modules are)");
	if (samples(&self->unit))
		brbe_slow_end();		/* one of the limits is the module's */
	ASSERT_EQ(0, module_unload(variant->module));
	ASSERT_EQ(0, only_below_core(true));
	for (n = 1; failed_once && n < 500; n++) {
		int err;

		ASSERT_EQ(0, arm(n));
		err = module_load(variant->module, "");
		failed_once = failed();
		ASSERT_EQ(0, arm(0));
		reported += failed_once && err;
		EXPECT_TRUE(failed_once || !err);
		EXPECT_EQ(!err, module_loaded(variant->module));
		ASSERT_EQ(0, err ? 0 : module_unload(variant->module));
		/* Not each time, which would be slow, and a leak would persist anyway. */
		if (n % 8 && failed_once)
			continue;
		err = module_load(variant->module, "");
		EXPECT_EQ(0, err);
		if (err)
			tell("probe", n, err);
		ASSERT_EQ(0, err ? 0 : module_unload(variant->module));
	}
	ASSERT_EQ(0, only_below_core(false));
	TH_LOG("%u allocations, %u refused", n - 2, reported);
	EXPECT_GT(reported, variant->allocations);
	ASSERT_EQ(0, module_load(variant->module, ""));
	if (samples(&self->unit))
		brbe_slow_begin();
	ASSERT_EQ(0, unit_find(&self->unit, variant->unit));
	EXPECT_EQ(0, session(&self->unit));
}

TEST_HARNESS_MAIN
