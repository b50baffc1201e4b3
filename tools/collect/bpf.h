/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * BPF programs: their code is in no file and may be gone at the end of the recording. It is read when
 * the kernel says that a program was loaded, and at the start. This takes the privilege to see kernel
 * addresses; without it, or where a program is gone again at once, its code is missing.
 */
#ifndef V9TRACE_COLLECT_BPF_H
#define V9TRACE_COLLECT_BPF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../util.h"

struct v9_bpf {
	struct v9_bpf_code {
		uint64_t addr, time;
		uint32_t id, size;
		uint8_t *bytes;
	} *code;			/* of functions */
	int n;
	bool wanted;			/* the kernel is recorded */
	uint64_t bytes;
	uint64_t unread;		/* programs whose code could not be read */
	uint64_t unstored;		/* programs that exceed the limits of a recording */
};

/* Reads the code of the program @id, loaded at @time (0: before the recording). */
void v9_bpf_read(struct v9_bpf *b, uint32_t id, uint64_t time);

/* Reads the code of all programs. */
void v9_bpf_read_all(struct v9_bpf *b);

/* Returns the size of a function of which code was read; 0 if there is none at @addr. */
uint32_t v9_bpf_size(const struct v9_bpf *b, uint64_t addr);

/* Appends the code to the section PD_CODE in @out: at most *@left bytes, which it reduces. */
void v9_bpf_put(struct v9_bpf *b, struct v9_blob *out, uint64_t *left);
void v9_bpf_free(struct v9_bpf *b);

#endif
