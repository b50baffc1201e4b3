/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * --switch-output: a recording in several files. The current one has the name of -o; when it is
 * complete it becomes NAME.YYYYMMDDhhmmsscc (cc: hundredths of a second). The other half of a recording of
 * two units has PD_TWIN_SUFFIX behind either name.
 */
#ifndef V9TRACE_COLLECT_SWITCH_H
#define V9TRACE_COLLECT_SWITCH_H

#include <stdbool.h>
#include <stdint.h>

struct v9_switch_output {
	bool on, by_signal;		/* SIGUSR2 */
	uint64_t bytes, ns;		/* of a file; 0: no limit */
	const char *ending;		/* of the names of files; NULL: none */
	bool twin;			/* each file has another half */
	bool shared;			/* other recordings make files of these names, too, which count for the limits */
	uint64_t most;			/* files to keep, 0: all */
	uint64_t most_bytes;		/* to keep of them, but the newest is kept; 0: all */
	char **name;			/* files kept, oldest first */
	uint64_t *size;			/* bytes of each */
	int n;
	uint64_t files, removed, removed_bytes;
};

/*
 * Parses "signal" (NULL is the same), a size such as 100M, or a time such as 30s. Returns 0, or prints
 * an error and returns -EINVAL.
 */
int v9_switch_parse(struct v9_switch_output *s, const char *text);

/* --aggregate: the same of a time; NULL is a minute. */
int v9_switch_interval(struct v9_switch_output *s, const char *text);

/*
 * Takes the files that earlier recordings have left for its own: those with the names that
 * v9_switch_name() makes of @path. Removes the oldest ones beyond the limits.
 */
void v9_switch_adopt(struct v9_switch_output *s, const char *path);

/*
 * Gives the complete file @file, and its other half, the name that follows from @path, and removes the
 * oldest files beyond .most and .most_bytes. Returns the name, valid until v9_switch_free(), or NULL after
 * it has printed an error: the file keeps its name.
 */
const char *v9_switch_name(struct v9_switch_output *s, const char *file, const char *path);
void v9_switch_free(struct v9_switch_output *s);

#endif
