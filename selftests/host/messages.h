/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a test program makes the tested functions print on standard error, compared with the file NAME in
 * golden/messages. UPDATE=1 in the environment writes that file.
 *
 *	messages_begin();
 *	...
 *	messages_are("NAME", directory);	// of which each name is written as DIR; NULL: there is none
 */
#ifndef V9TRACE_MESSAGES_H
#define V9TRACE_MESSAGES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"

static int messages_of, messages_error;

static inline void messages_begin(void)
{
	FILE *f = tmpfile();

	if (!f)
		exit(1);
	fflush(stderr);
	messages_of = fileno(f);
	messages_error = dup(2);
	dup2(messages_of, 2);
}

static inline void messages_are(const char *name, const char *dir)
{
	static char got[1 << 16], want[1 << 16];
	const size_t n = dir ? strlen(dir) : 0;
	char path[4096], *at;
	ssize_t len;
	FILE *f;

	fflush(stderr);
	dup2(messages_error, 2);
	len = pread(messages_of, got, sizeof(got) - 1, 0);
	tap_ok(len >= 0 && len < (ssize_t)sizeof(got) - 1, "messages_fit");
	got[len < 0 ? 0 : len] = 0;
	while (dir && (at = strstr(got, dir))) {
		memcpy(at, "DIR", 3);
		memmove(at + 3, at + n, strlen(at + n) + 1);
	}
	snprintf(path, sizeof(path), "%.*s/../golden/messages/%s", (int)(strrchr(__FILE__, '/') - __FILE__), __FILE__,
		 name);
	if (getenv("UPDATE")) {
		f = fopen(path, "w");
		if (f) {
			fputs(got, f);
			fclose(f);
		}
	}
	f = fopen(path, "r");
	len = f ? (ssize_t)fread(want, 1, sizeof(want) - 1, f) : 0;
	want[len] = 0;
	if (f)
		fclose(f);
	if (!tap_ok(!strcmp(got, want), "messages"))
		for (size_t i = 0; got[i] || want[i]; i++)
			if (got[i] != want[i]) {
				while (i && got[i - 1] != '\n')
					i--;
				tap_note("%.*s, not %.*s", (int)strcspn(got + i, "\n"), got + i, (int)strcspn(want + i, "\n"), want + i);
				break;
			}
}

#endif
