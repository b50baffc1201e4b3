/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * BPF programs and other code that the kernel generates. KSYMBOL records have the functions, and
 * when each was loaded and unloaded; the recorder has read their code. All functions are in one
 * object, "bpf". Each is a mapping of that object from the time at which it was loaded.
 */
#ifndef V9TRACE_CAPTURE_BPF_H
#define V9TRACE_CAPTURE_BPF_H

#include "sym.h"

struct v9_bpf_symbol {
	uint64_t time, addr;
	uint32_t size;
	bool ends;			/* it was unloaded, else loaded */
	const char *name;
	const uint8_t *code;		/* NULL: not in the capture */
};

/* Notes that a function was loaded or, if @ends, unloaded. */
void v9_bpf_symbol(struct v9_syms *s, uint64_t time, uint64_t addr, uint32_t size, bool ends,
		   const char *name, size_t len);

/*
 * Adds the object "bpf" with all functions to @s. Call it after v9_bpf_symbol(), before
 * v9_syms_seal().
 */
void v9_bpf_load(struct v9_syms *s);

#endif
