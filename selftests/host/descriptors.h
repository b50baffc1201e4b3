/* SPDX-License-Identifier: GPL-2.0-only */
/* Files that are still open: a FILE that was not closed is no memory leak, as the C library knows it. */
#ifndef V9TRACE_DESCRIPTORS_H
#define V9TRACE_DESCRIPTORS_H

#include <dirent.h>

/* The number of open descriptors */
static inline int descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	return n;
}

#endif
