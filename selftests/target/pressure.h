/* SPDX-License-Identifier: GPL-2.0-only */
/* What makes a kernel take pages away, write protect them or call them old. */
#ifndef V9_SELFTEST_PRESSURE_H
#define V9_SELFTEST_PRESSURE_H

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness.h"
#include "ring.h"
#include "work.h"

/* Whatever of it this kernel has, and lets this user do */
static inline void memory_pressure(void *buffer, size_t size)
{
	const size_t much = 32 << 20;
	void *more = mmap(NULL, much, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	madvise(buffer, size, MADV_COLD);
	madvise(buffer, size, MADV_PAGEOUT);
	write_text("/proc/sys/vm/drop_caches", "3");
	write_text("/proc/sys/vm/compact_memory", "1");
	if (more != MAP_FAILED) {
		madvise(more, much, MADV_PAGEOUT);
		munmap(more, much);
	}
}

/*
 * A session whose buffer is under pressure while it runs: no fault, and it records before and
 * behind it. Ends with the ring disabled and drained.
 */
static inline void pressure_session(struct __test_metadata *_metadata, const struct unit *unit,
				    const struct perf_event_attr *attr, struct ring *ring)
{
	unsigned long faults = read_number(unit->dir, "stats/faults");
	uint64_t before;

	ASSERT_EQ(0, ring_open(ring, attr, 0, -1, 1024, 0));
	ASSERT_EQ(0, ring_enable(ring));
	spin(100000);
	memory_pressure(ring->aux, ring->aux_size);
	usleep(1000);		/* at a task switch what there is so far is handed out */
	ASSERT_EQ(0, ring_drain(ring));
	before = ring->reported;
	spin(100000);
	ASSERT_EQ(0, ring_disable(ring));
	ASSERT_EQ(0, ring_drain(ring));
	EXPECT_GT(before, 0);
	EXPECT_GT(ring->reported, before);
	EXPECT_EQ(faults, read_number(unit->dir, "stats/faults"));
}

#endif
