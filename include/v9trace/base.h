/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Types and helpers for code that is compiled into kernel modules, host programs and the model in
 * QEMU. Only this header is conditional on the environment.
 */
#ifndef V9TRACE_BASE_H
#define V9TRACE_BASE_H

#ifdef __KERNEL__
#include <linux/types.h>
#include <linux/string.h>
#include <linux/errno.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>

#define V9_NOINLINE		noinline	/* rarely executed code, not inlined */
#else
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define V9_NOINLINE
#endif

#ifndef UINT64_C
#define UINT64_C(c) c ## ULL
#endif

#define V9_BIT(n)		(UINT64_C(1) << (n))

/* Field access by in-place mask: V9_GET(V9_PMBSR_EL1_EC, pmbsr) is the value of EC. */
#define V9_GET(mask, reg)	(((reg) & (mask)) / ((mask) & -(mask)))
#define V9_PUT(mask, val)	(((uint64_t)(val) * ((mask) & -(mask))) & (mask))

#define V9_ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

static inline uint64_t v9_load_le(const uint8_t *p, unsigned int n)
{
	uint64_t v = 0;

	while (n--)
		v = v << 8 | p[n];
	return v;
}

/* v9_load_le() of eight or four bytes, in one instruction where the processor has the same order */
static inline uint64_t v9_load_le64(const uint8_t *p)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint64_t v;

	__builtin_memcpy(&v, p, sizeof(v));
	return v;
#else
	return v9_load_le(p, 8);
#endif
}

static inline uint32_t v9_load_le32(const uint8_t *p)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	uint32_t v;

	__builtin_memcpy(&v, p, sizeof(v));
	return v;
#else
	return (uint32_t)v9_load_le(p, 4);
#endif
}

static inline void v9_store_le(uint8_t *p, unsigned int n, uint64_t v)
{
	for (; n--; v >>= 8)
		*p++ = (uint8_t)v;
}

#endif
