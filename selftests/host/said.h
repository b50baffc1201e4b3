/* SPDX-License-Identifier: GPL-2.0-only */
/* The text that a test writes of what was called, for a comparison of the whole */
#ifndef V9_TEST_SAID_H
#define V9_TEST_SAID_H

#include <stdarg.h>

#include "tap.h"

static char said[16384];
static size_t said_len;

static inline void say_nothing(void)
{
	said_len = 0;
	*said = 0;
}

static __attribute__((format(printf, 1, 2))) void say(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	said_len += (size_t)vsnprintf(said + said_len, sizeof(said) - said_len, format, ap);
	va_end(ap);
}

/* Passes if the text is @want. The next text begins. */
static void expect_said(const char *name, const char *want)
{
	if (!tap_ok(!strcmp(said, want), "%s", name))
		printf("# got\n%s# want\n%s# end\n", said, want);
	say_nothing();
}

#endif
