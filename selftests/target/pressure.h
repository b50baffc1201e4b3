/* SPDX-License-Identifier: GPL-2.0-only */
/* Makes the kernel reclaim pages, write protect them or clear their Access flags. */
#ifndef V9_SELFTEST_PRESSURE_H
#define V9_SELFTEST_PRESSURE_H

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness.h"
#include "ring.h"
#include "work.h"

/* Uses all methods that this kernel has and permits to this user. */
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
 * A session whose buffer is under memory pressure while it runs. No access faults, and the
 * session records before and after it. Returns with the ring disabled and drained.
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
	usleep(1000);		/* a task switch reports the data so far */
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
