// SPDX-License-Identifier: GPL-2.0-only
/*
 * On a kernel with fault injection (make test-debug): each allocation of what asks a driver for
 * anything fails once, be it the driver's own or one of the kernel below it. Who asked is told or
 * is served all the same, nothing is left behind, and the next attempt works. spe_fail does the
 * like by kprobes where kernels have no fault injection, but fails only what drivers call.
 */
#include "harness.h"
#include "machine.h"
#include "ring.h"
#include "work.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

#define NTH	"/proc/thread-self/fail-nth"
#define FAULTS	"/sys/kernel/debug"

static const char *const kinds[] = { "failslab", "fail_page_alloc" };

static int set_fault(const char *kind, const char *file, const char *value)
{
	char path[96];

	snprintf(path, sizeof(path), FAULTS "/%s/%s", kind, file);
	return write_text(path, value);
}

/* From the first to the last function of v9_core */
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

/* Only allocations below a call of v9_core count: probing begins and ends there. */
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

/* What is still armed may hit the opening of this very file, once for each kind. */
static int arm(unsigned int n)
{
	char text[16];
	int err;

	snprintf(text, sizeof(text), "%u", n);
	for (int i = 0; i < 3; i++) {
		err = write_text(NTH, text);
		if (err != -ENOMEM)
			break;
	}
	return err;
}

/* Has the n-th allocation come and failed? */
static bool failed(void)
{
	char text[16];

	return !read_text("/proc/thread-self", "fail-nth", text, sizeof(text)) &&
	       !strtoul(text, NULL, 0);
}

FIXTURE(nth)
{
	struct unit unit;
};

FIXTURE_VARIANT(nth)
{
	const char *unit, *module;
};

FIXTURE_VARIANT_ADD(nth, spe)
{
	.unit = "arm_spe_0", .module = "v9_spe",
};

FIXTURE_VARIANT_ADD(nth, ete)
{
	.unit = "cs_etm", .module = "v9_ete",
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
	ASSERT_EQ(0, set_fault("fail_page_alloc", "min-order", "0"));
	ASSERT_EQ(0, only_below_core(false));
}

FIXTURE_TEARDOWN(nth)
{
	arm(0);
}

static void attr_of(const struct unit *unit, struct perf_event_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->type = unit->type;
	attr->disabled = 1;
	attr->exclude_kernel = 1;
	if (strcmp(unit->name, "cs_etm"))
		attr->sample_period = 1024;
}

static int session(const struct unit *unit)
{
	struct perf_event_attr attr;
	struct ring ring;
	int err;

	attr_of(unit, &attr);
	err = ring_open(&ring, &attr, 0, -1, 16, 0);
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

static void tell(const char *what, unsigned int n, int err)
{
	fprintf(stderr, "# %s: after allocation %u failed (%d), it does not work\n", what, n, err);
}

/* perf_event_open() */
TEST_F(nth, event)
{
	struct perf_event_attr attr;
	unsigned int n, told = 0;
	bool met = true;

	attr_of(&self->unit, &attr);
	for (n = 1; met && n < 500; n++) {
		int fd, again;

		ASSERT_EQ(0, arm(n));
		fd = ring_event(&attr, 0, -1);
		met = failed();
		ASSERT_EQ(0, arm(0));
		told += met && fd < 0;
		EXPECT_TRUE(met || fd >= 0);
		if (fd >= 0)
			close(fd);
		again = ring_event(&attr, 0, -1);
		EXPECT_LE(0, again);
		if (again < 0)
			tell("event", n, fd);
		else
			close(again);
	}
	TH_LOG("%u allocations, %u refused", n - 2, told);
	EXPECT_GT(told, 2);
	EXPECT_EQ(0, session(&self->unit));
}

/* mmap() of the AUX buffer, normal and overwritten */
static void sweep_buffer(struct __test_metadata *_metadata, const struct unit *unit, int mode)
{
	struct perf_event_attr attr;
	unsigned int n, told = 0;
	struct ring ring;
	bool met = true;

	attr_of(unit, &attr);
	ASSERT_EQ(0, ring_open(&ring, &attr, 0, -1, 0, 0));
	for (n = 1; met && n < 500; n++) {
		int err;

		ASSERT_EQ(0, arm(n));
		err = ring_map_aux(&ring, 8, mode);
		met = failed();
		ASSERT_EQ(0, arm(0));
		told += met && err;
		EXPECT_TRUE(met || !err);
		ring_unmap_aux(&ring);
		EXPECT_EQ(0, ring_map_aux(&ring, 8, mode));
		if (!ring.aux)
			tell("buffer", n, err);
		ring_unmap_aux(&ring);
	}
	TH_LOG("%u allocations, %u refused", n - 2, told);
	EXPECT_GT(told, 4);
	ring_close(&ring);
	EXPECT_EQ(0, session(unit));
}

TEST_F(nth, buffer)
{
	sweep_buffer(_metadata, &self->unit, 0);
}

TEST_F(nth, overwritten_buffer)
{
	sweep_buffer(_metadata, &self->unit, RING_OVERWRITE);
}

/* Starting asks for nothing: an enable cannot fail, and what it starts records. */
TEST_F(nth, start)
{
	struct perf_event_attr attr;
	struct ring ring;
	int err;

	attr_of(&self->unit, &attr);
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

/* Loading a driver: all that probing asks for */
TEST_F_TIMEOUT(nth, probe, 900)
{
	unsigned int n, told = 0;
	bool met = true;

	if (!getenv("V9_MODULES"))
		SKIP(return, "V9_MODULES (where the modules are)");
	ASSERT_EQ(0, module_unload(variant->module));
	ASSERT_EQ(0, only_below_core(true));
	for (n = 1; met && n < 500; n++) {
		int err;

		ASSERT_EQ(0, arm(n));
		err = module_load(variant->module, "");
		met = failed();
		ASSERT_EQ(0, arm(0));
		told += met && err;
		EXPECT_TRUE(met || !err);
		EXPECT_EQ(!err, module_loaded(variant->module));
		ASSERT_EQ(0, err ? 0 : module_unload(variant->module));
		/* Each time would take long, and what is left over does not go away. */
		if (n % 8 && met)
			continue;
		err = module_load(variant->module, "");
		EXPECT_EQ(0, err);
		if (err)
			tell("probe", n, err);
		ASSERT_EQ(0, err ? 0 : module_unload(variant->module));
	}
	ASSERT_EQ(0, only_below_core(false));
	TH_LOG("%u allocations, %u refused", n - 2, told);
	EXPECT_GT(told, 30);
	ASSERT_EQ(0, module_load(variant->module, ""));
	ASSERT_EQ(0, unit_find(&self->unit, variant->unit));
	EXPECT_EQ(0, session(&self->unit));
}

TEST_HARNESS_MAIN
