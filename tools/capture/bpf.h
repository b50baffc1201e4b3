/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * BPF programs, and other code that the kernel generates: functions by their times, from KSYMBOL
 * records, and code that the recorder has read. All are one object, "bpf", in which they lie one after
 * the other; each is a mapping of it from the time that it was loaded.
 */
#ifndef V9TRACE_CAPTURE_BPF_H
#define V9TRACE_CAPTURE_BPF_H

#include "sym.h"

struct v9_bpf_symbol {
	uint64_t time, addr;
	uint32_t size;
	bool ends;			/* it is unloaded */
	const char *name;
	const uint8_t *code;		/* NULL: not in the capture */
};

/* Adds a function, or its end if @ends. */
void v9_bpf_symbol(struct v9_syms *s, uint64_t time, uint64_t addr, uint32_t size, bool ends,
		   const char *name, size_t len);

/* Adds what was added to @s. Call it before v9_syms_seal(). */
void v9_bpf_load(struct v9_syms *s);

#endif
