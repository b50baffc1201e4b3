/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Test programs of one file. Each prints TAP. The traceability matrix (tables/rules) refers to a
 * result as host/<file>:<name>.
 *
 *	#include "tap.h"
 *
 *	int main(void)
 *	{
 *		tap_ok(1 + 1 == 2, "sum");
 *		tap_eq(f(i), 4, "f_of_%d", i);   // prints both values if they differ
 *		tap_skip("needs TME", "transaction");
 *		return tap_done();
 *	}
 *
 * Names are printf formats. The formatted name must match [a-z0-9_]+. A name may be used for
 * several results; then all of them must pass.
 */
#ifndef V9TRACE_TAP_H
#define V9TRACE_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int tap_count, tap_failed;

#define TAP_PRINTF(a, b) __attribute__((format(printf, a, b), unused))

static inline TAP_PRINTF(4, 0) void tap_line(bool pass, const char *skip, const char *why,
					     const char *fmt, va_list ap)
{
	char name[128], *c;

	vsnprintf(name, sizeof(name), fmt, ap);
	for (c = name; *c; c++)
		if (!(*c >= 'a' && *c <= 'z') && !(*c >= '0' && *c <= '9') && *c != '_') {
			fprintf(stderr, "tap.h: bad test name '%s'\n", name);
			abort();
		}
	if (!tap_count)
		setvbuf(stdout, NULL, _IOLBF, 0);
	tap_failed += !pass;
	printf("%sok %d - %s%s%s\n", pass ? "" : "not ", ++tap_count, name,
	       skip ? " # SKIP " : why ? " # " : "", skip ? skip : why ? why : "");
}

static inline TAP_PRINTF(5, 6) bool tap_result(bool pass, const char *file, int line,
					       const char *cond, const char *fmt, ...)
{
	char why[256];
	va_list ap;

	snprintf(why, sizeof(why), "%s:%d: %s", file, line, cond);
	va_start(ap, fmt);
	tap_line(pass, NULL, pass ? NULL : why, fmt, ap);
	va_end(ap);
	return pass;
}

static inline TAP_PRINTF(5, 6) bool tap_compare(uint64_t got, uint64_t expect, const char *file,
						int line, const char *fmt, ...)
{
	char why[256];
	va_list ap;

	snprintf(why, sizeof(why), "%s:%d: got %#llx, want %#llx", file, line,
		 (unsigned long long)got, (unsigned long long)expect);
	va_start(ap, fmt);
	tap_line(got == expect, NULL, got == expect ? NULL : why, fmt, ap);
	va_end(ap);
	return got == expect;
}

static inline TAP_PRINTF(2, 3) void tap_skip(const char *why, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	tap_line(true, why, NULL, fmt, ap);
	va_end(ap);
}

/* tap_ok(condition, name, ...): returns the condition */
#define tap_ok(cond, ...) tap_result(cond, __FILE__, __LINE__, #cond, __VA_ARGS__)
#define tap_eq(got, want, ...) \
	tap_compare((uint64_t)(got), (uint64_t)(want), __FILE__, __LINE__, __VA_ARGS__)
/* prints a TAP comment */
#define tap_note(fmt, ...) printf("# " fmt "\n", ##__VA_ARGS__)

static inline __attribute__((unused)) int tap_done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed != 0;
}

/* Writes a file, and makes the directories that it is in. Aborts if that fails. */
static inline void tap_write(const char *path, const void *bytes, size_t size)
{
	char dir[4096];
	FILE *f;

	for (const char *slash = path; (slash = strchr(slash + 1, '/')); ) {
		snprintf(dir, sizeof(dir), "%.*s", (int)(slash - path), path);
		mkdir(dir, 0777);
	}
	f = fopen(path, "w");
	if (!f || fwrite(bytes, 1, size, f) != size || fclose(f))
		abort();
}

/* Removes a directory of the test with all that it has. */
static inline void tap_remove(const char *dir)
{
	char command[512];

	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	if (system(command))
		tap_note("%s stays", dir);
}

#endif
