/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sections PD_CODE and jitdumps for tests, typed after tools/perfdata.h and perf's description of
 * the format of jitdumps, independent of the code that reads them.
 */
#ifndef V9TRACE_JITDUMP_H
#define V9TRACE_JITDUMP_H

#include "capture.h"

/* The header of a section PD_CODE */
static inline void code_head(struct cap *code, uint32_t parts)
{
	cap_u32(code, 1);	/* version */
	cap_u32(code, parts);
}

/* A part of @n bytes, which is not compressed. @kind: enum pd_code_kind */
static inline void code_part(struct cap *code, uint32_t kind, uint64_t addr, const void *p,
			     size_t n)
{
	cap_u32(code, kind);
	cap_u32(code, 0);
	cap_u64(code, addr);
	cap_u64(code, n);
	cap_u64(code, n);
	cap_put(code, p, n);
	cap_put(code, NULL, -n & 7);
}

/* The header of a jitdump of process @pid, created at @time, in ns */
static inline void jit_head(struct cap *dump, uint32_t pid, uint64_t time)
{
	cap_u32(dump, 0x4a695444);	/* magic: JiTD */
	cap_u32(dump, 1);		/* version */
	cap_u32(dump, 40);		/* bytes of this header */
	cap_u32(dump, 183);		/* EM_AARCH64 */
	cap_u32(dump, 0);
	cap_u32(dump, pid);
	cap_u64(dump, time);
	cap_u64(dump, 0);		/* flags */
}

/*
 * JIT_CODE_LOAD: the function @name with @size bytes of code at @addr. @index: its number in the
 * dump
 */
static inline void jit_load(struct cap *dump, uint32_t pid, uint64_t time, const char *name,
			    uint64_t addr, uint64_t index, const void *code, size_t size)
{
	cap_u32(dump, 0);
	cap_u32(dump, (uint32_t)(56 + strlen(name) + 1 + size));
	cap_u64(dump, time);
	cap_u32(dump, pid);
	cap_u32(dump, pid);		/* thread */
	cap_u64(dump, addr);		/* vma */
	cap_u64(dump, addr);
	cap_u64(dump, size);
	cap_u64(dump, index);
	cap_put(dump, name, strlen(name) + 1);
	cap_put(dump, code, size);
}

#endif
