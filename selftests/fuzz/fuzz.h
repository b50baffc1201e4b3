/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by all fuzz targets. Each target is a file with LLVMFuzzerTestOneInput(), which libFuzzer
 * calls, or AFL++ through afl.c. Besides crashes they find violated conditions (REQUIRE).
 */
#ifndef V9TRACE_FUZZ_H
#define V9TRACE_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(cond) do {							\
	if (!(cond)) {								\
		fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #cond);	\
		abort();							\
	}									\
} while (0)

/* A copy of exact size, so that sanitizers find reads beyond it */
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
