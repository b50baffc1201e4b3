// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What dlopen() of libtraceevent is in a static program (ld --wrap=dlopen). It would load plugins, and
 * need the shared objects of the C library that the program was linked with; the linker warns of that.
 */
#include <stddef.h>

void *__wrap_dlopen(const char *file, int mode);

void *__wrap_dlopen(const char *file, int mode)
{
	(void)file;
	(void)mode;
	return NULL;
}
