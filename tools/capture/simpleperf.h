/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Symbols in the capture, as Android's simpleperf writes them: two sections with the functions of
 * each object. The older one has a binary layout, the newer one has protobuf messages.
 */
#ifndef V9TRACE_CAPTURE_SIMPLEPERF_H
#define V9TRACE_CAPTURE_SIMPLEPERF_H

#include <stddef.h>
#include <stdint.h>

enum v9_simpleperf_type {
	V9_SIMPLEPERF_KERNEL	= 0,
	V9_SIMPLEPERF_MODULE	= 1,
	V9_SIMPLEPERF_ELF	= 2,
	V9_SIMPLEPERF_DEX	= 3,
};

#define V9_SIMPLEPERF_UNKNOWN	UINT64_MAX

struct v9_simpleperf_file {
	const char *path;		/* not terminated */
	size_t path_len;
	uint64_t type;			/* enum v9_simpleperf_type, or another */
	uint64_t address;		/* of its first executable segment */
	uint64_t offset;		/* its offset in the file, or V9_SIMPLEPERF_UNKNOWN */
};

struct v9_simpleperf_symbol {
	uint64_t address, size;
	const char *name;		/* not terminated */
	size_t name_len;
};

/* For each file @file is called first; its result is passed to @symbol for each of its symbols. */
struct v9_simpleperf_callbacks {
	void *(*file)(void *arg, const struct v9_simpleperf_file *f);
	void (*symbol)(void *arg, void *file, const struct v9_simpleperf_symbol *sym);
	void *arg;
};

/* Return the number of bytes read. The rest up to @n is damaged. A damaged file is skipped. */
size_t v9_simpleperf_read(const uint8_t *section, size_t n, const struct v9_simpleperf_callbacks *t);
size_t v9_simpleperf_read_proto(const uint8_t *section, size_t n, const struct v9_simpleperf_callbacks *t);

#endif
