/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Input of both sides of a benchmark, as lines of text:
 *   trace FILE REPEAT
 *   regs IDR0 IDR1 IDR2 IDR8 DEVARCH CONFIGR TRACEIDR
 *   code ADDRESS OFFSET LENGTH FILE	(one line per segment of a program)
 * The trace is read and repeated before any clock starts.
 */
#ifndef V9TRACE_BENCH_SPEC_H
#define V9TRACE_BENCH_SPEC_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SPEC_CODES 1024

struct spec {
	uint8_t *trace;
	size_t size;
	uint32_t idr0, idr1, idr2, idr8, devarch, configr, traceidr;
	struct { uint64_t addr, size; uint8_t *bytes; } code[SPEC_CODES];
	unsigned int nr_codes;
};

static inline void spec_die(const char *what, const char *which)
{
	fprintf(stderr, "bench: %s: %s\n", which, what);
	exit(1);
}

/* Reads @n bytes of a file at @offset, all if @n is 0. */
static inline uint8_t *spec_read(const char *path, uint64_t offset, uint64_t *n)
{
	FILE *f = fopen(path, "rb");
	uint8_t *p;

	if (!f)
		spec_die("cannot be opened", path);
	if (!*n) {
		fseek(f, 0, SEEK_END);
		*n = (uint64_t)ftell(f) - offset;
	}
	p = (uint8_t *)malloc(*n + 1);
	fseek(f, (long)offset, SEEK_SET);
	*n = fread(p, 1, *n, f);
	fclose(f);
	return p;
}

static inline void spec_load(struct spec *s, const char *path)
{
	char line[4096], file[2048];
	FILE *f = fopen(path, "r");

	memset(s, 0, sizeof(*s));
	if (!f)
		spec_die("cannot be opened", path);
	while (fgets(line, sizeof(line), f)) {
		uint64_t addr, offset, length = 0;
		unsigned int times;

		if (sscanf(line, "trace %2047s %u", file, &times) == 2) {
			uint8_t *one = spec_read(file, 0, &length);

			s->size = length * times;
			s->trace = (uint8_t *)malloc(s->size);
			for (unsigned int i = 0; i < times; i++)
				memcpy(s->trace + i * length, one, length);
			free(one);
		} else if (sscanf(line, "regs %" SCNx32 " %" SCNx32 " %" SCNx32 " %" SCNx32
				  " %" SCNx32 " %" SCNx32 " %" SCNx32, &s->idr0, &s->idr1, &s->idr2,
				  &s->idr8, &s->devarch, &s->configr, &s->traceidr) == 7) {
			/* no code follows */
		} else if (sscanf(line, "code %" SCNx64 " %" SCNx64 " %" SCNx64 " %2047s", &addr,
				  &offset, &length, file) == 4 && s->nr_codes < SPEC_CODES) {
			s->code[s->nr_codes].bytes = spec_read(file, offset, &length);
			s->code[s->nr_codes].addr = addr;
			s->code[s->nr_codes++].size = length;
		} else {
			spec_die("not understood", line);
		}
	}
	fclose(f);
	if (!s->trace)
		spec_die("names no trace", path);
}

/* CPU time of this thread, which other processes affect less than elapsed time */
static inline double spec_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* FNV-1a, a byte at a time: for equality, outside of what is measured. */
static inline void spec_hash(uint64_t *h, uint64_t v)
{
	for (unsigned int i = 0; i < 8; i++, v >>= 8)
		*h = (*h ^ (v & 0xff)) * UINT64_C(0x100000001b3);
}

#define SPEC_HASH UINT64_C(0xcbf29ce484222325)

#endif
