// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "demangle.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../util.h"

/* Where the header of libiberty lies differs between distributions. */
enum { PARAMS = 1, ANSI = 2, AUTO = 1 << 8 };
char *cplus_demangle(const char *mangled, int options);

#define MOST	4096	/* characters of a linkage name: damaged files have any */

const char *v9_demangle(struct v9_strtab *strtab, const char *name, size_t n)
{
	const char *dot, *kept;
	char *mangled, *plain, *whole;
	size_t len;

	if (n < 3 || name[0] != '_' || (name[1] != 'Z' && name[1] != 'R'))
		return NULL;
	len = strnlen(name, n);
	if (len > MOST)
		return NULL;
	dot = memchr(name, '.', len);
	mangled = v9_strdup(name);
	mangled[dot ? (size_t)(dot - name) : len] = '\0';
	plain = cplus_demangle(mangled, PARAMS | ANSI | AUTO);
	free(mangled);
	if (!plain)
		return NULL;
	whole = v9_format("%s%.*s", plain, dot ? (int)(len - (size_t)(dot - name)) : 0, dot ? dot : "");
	kept = v9_strtab_put(strtab, whole, strlen(whole));
	free(plain);
	free(whole);
	return kept;
}
