/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Code that a program generated, as the program describes it: jitdump (names, bytes and times) and
 * /tmp/perf-PID.map (names alone). Both are from the capture; of a capture without code of its own
 * from the files of this machine, if they belong to root or to the user.
 *
 * A jitdump becomes an object whose addresses are offsets in the jitdump, and each piece of code
 * becomes a mapping of it at its time.
 */
#ifndef V9TRACE_CAPTURE_JIT_H
#define V9TRACE_CAPTURE_JIT_H

#include "session.h"

/* A piece of code in a jitdump */
struct v9_jit_code {
	uint64_t time;		/* in the clock of the jitdump */
	uint32_t pid;		/* as the program sees it */
	uint64_t addr, size;	/* virtual address, bytes */
	uint64_t offset;	/* of its bytes in the jitdump */
	uint64_t index;		/* unique number of the code */
	const char *name;	/* not terminated; NULL: it was moved, and has its name already */
	size_t name_len;
};

/* A line of the source. It belongs to the next piece of code in the jitdump. */
struct v9_jit_entry {
	uint64_t addr;
	uint32_t line;
	const char *file;	/* not terminated */
	size_t file_len;
};

struct v9_jitdump_callbacks {
	void (*code)(void *arg, const struct v9_jit_code *code);
	void (*line)(void *arg, const struct v9_jit_entry *entry);
	void *arg;
};

struct v9_jitdump {
	uint32_t pid;		/* as the program sees it */
	bool counter;		/* times are values of CNTVCT, else ns of CLOCK_MONOTONIC */
	uint64_t end;		/* number of bytes that could be read */
	const char *why;	/* why the rest could not, or NULL */
};

/* Reads a jitdump, which may have any content. Returns false if it is none of this architecture. */
bool v9_jitdump_read(struct v9_jitdump *d, const uint8_t *p, size_t n,
		     const struct v9_jitdump_callbacks *to);

/* Adds the code of all jitdumps to s->syms. Call it before v9_syms_seal(). */
void v9_jit_load(struct v9_session *s);

/* Reads /tmp/perf-PID.map of @pid, and sorts its functions. Returns NULL if there is none. */
struct v9_dso *v9_perf_map(struct v9_syms *s, uint32_t pid);

#endif
