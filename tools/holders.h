/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The processes that have perf events open. perf says that a unit is in use (EBUSY) and not by whom;
 * procfs has no PMU of an event either, so this lists all that may be the one.
 */
#ifndef V9TRACE_HOLDERS_H
#define V9TRACE_HOLDERS_H

#include <stdbool.h>
#include <stdint.h>

#define V9_HOLDERS		8
#define V9_HOLDER_NAME		16	/* TASK_COMM_LEN */

/**
 * struct v9_holders - processes with descriptors of perf events, by process ID
 * @n: number of entries in @of
 * @of: the first V9_HOLDERS processes; @name is printable ASCII, other bytes are '?'
 * @more: number of further processes
 * @unread: number of processes whose descriptors may not be read
 */
struct v9_holders {
	unsigned int n;
	struct v9_holder {
		int pid;
		unsigned int events;
		char name[V9_HOLDER_NAME];
	} of[V9_HOLDERS];
	uint64_t more, unread;
};

/* Look at the processes below @proc, which is "/proc" but for tests, except for process @self. */
void v9_holders_find(const char *proc, int self, struct v9_holders *h);

/*
 * The result as lines "holder PID EVENTS NAME", "more N" and "unread N", and back. Lines of another
 * form are ignored, as are those after the first V9_HOLDERS + 2. The caller frees the text.
 */
char *v9_holders_lines(const struct v9_holders *h);
void v9_holders_parse(const char *lines, struct v9_holders *h);

/*
 * The result as a part of a sentence. It says that root sees more, unless @root is set or nothing was
 * left out. The caller frees it.
 */
char *v9_holders_text(const struct v9_holders *h, bool root);

#endif
