/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What all fuzz targets share. Each is one file with LLVMFuzzerTestOneInput(), which libFuzzer calls
 * by itself, and AFL++ by afl.c. Beside crashes they look for broken promises.
 */
#ifndef V9TRACE_FUZZ_H
#define V9TRACE_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PROMISE(cond) do {							\
	if (!(cond)) {								\
		fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #cond);	\
		abort();							\
	}									\
} while (0)

/* An exact copy, so that reading beyond it shows. */
static inline uint8_t *fuzz_copy(const uint8_t *p, size_t n)
{
	uint8_t *copy = malloc(n ? n : 1);

	if (n)
		memcpy(copy, p, n);
	return copy;
}

static inline uint64_t fuzz_hash(uint64_t h, uint64_t v)
{
	return (h ^ v) * UINT64_C(0x9e3779b97f4a7c15) ^ h >> 29;
}

#endif
