/* SPDX-License-Identifier: GPL-2.0-only */
/* What makes a kernel take pages away, write protect them or call them old. */
#ifndef V9_SELFTEST_PRESSURE_H
#define V9_SELFTEST_PRESSURE_H

#include <stdlib.h>
#include <sys/mman.h>

#include "ring.h"

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

#endif
