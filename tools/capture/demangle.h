/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Names of C++ and Rust as their authors wrote them, by libiberty. */
#ifndef V9TRACE_CAPTURE_DEMANGLE_H
#define V9TRACE_CAPTURE_DEMANGLE_H

#include <stddef.h>

#include "strtab.h"

/*
 * Returns the name in the source of a linkage name of @n characters, kept in @strtab; NULL if it is not
 * a mangled one. What a compiler appends after a dot (.cold, .constprop.0) stays.
 */
const char *v9_demangle(struct v9_strtab *strtab, const char *name, size_t n);

#endif
