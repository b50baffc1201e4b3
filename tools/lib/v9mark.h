/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Marks: what a program does, in its own words, in the trace of its instructions.
 *
 *	v9_mark_begin("parse");		a phase of this thread begins
 *	v9_mark_end("parse");		it ends; phases may be nested
 *	v9_mark_point("cache miss");	a moment
 *	v9_mark_id(request);		a number, such as that of a request, below 2^52
 *
 *	v9trace record -e cs_etm/instrumentation/u -- ./program
 *	v9trace report, v9trace script
 *
 * Texts are string literals without '"', '\' and '%'. A mark writes a word into the trace (TRCIT,
 * FEAT_ITE); the word of a text has its address, by which a reader finds it in the program. Nothing has
 * to be linked. TRCIT is UNDEFINED on CPUs without FEAT_ITE, and no program can ask for that: marks are
 * written only if the environment has V9TRACE_MARKS=1, which v9trace record sets for its command
 * if the event records them. On other architectures marks do nothing.
 */
#ifndef V9MARK_H
#define V9MARK_H

#include <stdint.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The word: V9_MARK_TAG in bits [63:56], the kind in [55:52], an address or a number in [51:0] */
#define V9_MARK_TAG		0x56
#define V9_MARK_BITS		52
#define V9_MARK_TEXT_MAX	63	/* bytes of a text that a reader shows */

enum v9_mark_kind { V9_MARK_BEGIN = 1, V9_MARK_END, V9_MARK_POINT, V9_MARK_ID };

static inline uint64_t v9_mark_word(enum v9_mark_kind kind, uint64_t value)
{
	return (uint64_t)V9_MARK_TAG << 56 | (uint64_t)kind << V9_MARK_BITS |
	       (value & ((UINT64_C(1) << V9_MARK_BITS) - 1));
}

#ifdef __aarch64__
static inline int v9_mark_wanted(void)
{
	static int wanted;	/* 1: no, 2: yes; threads may find out at the same time */
	int now = __atomic_load_n(&wanted, __ATOMIC_RELAXED);

	if (__builtin_expect(!now, 0)) {
		const char *s = getenv("V9TRACE_MARKS");

		now = s && s[0] == '1' && !s[1] ? 2 : 1;
		__atomic_store_n(&wanted, now, __ATOMIC_RELAXED);
	}
	return now == 2;
}

/* TRCIT X0, as a number: assemblers may not know it */
static inline void v9_mark_write(uint64_t word)
{
	register uint64_t x0 __asm__("x0") = word;

	__asm__ volatile(".inst 0xd50b72e0" : : "r" (x0) : "memory");
}

/* The text lies in executable memory: captures say where that is mapped from. */
#define v9_mark_text(text) __extension__ ({						\
	uint64_t at_;									\
	__asm__ volatile(".pushsection .text.v9mark,\"ax\",%%progbits\n"		\
			 "9:\t.asciz " #text "\n\t.balign 4\n\t.popsection\n\t"		\
			 "adrp %0, 9b\n\tadd %0, %0, :lo12:9b" : "=r" (at_));		\
	at_; })
#define v9_mark_named(kind, text)							\
	do {										\
		if (v9_mark_wanted())							\
			v9_mark_write(v9_mark_word(kind, v9_mark_text(text)));		\
	} while (0)
#define v9_mark_begin(text)	v9_mark_named(V9_MARK_BEGIN, text)
#define v9_mark_end(text)	v9_mark_named(V9_MARK_END, text)
#define v9_mark_point(text)	v9_mark_named(V9_MARK_POINT, text)
#define v9_mark_id(number)								\
	do {										\
		if (v9_mark_wanted())							\
			v9_mark_write(v9_mark_word(V9_MARK_ID, (uint64_t)(number)));	\
	} while (0)
#else
#define v9_mark_begin(text)	((void)(text))
#define v9_mark_end(text)	((void)(text))
#define v9_mark_point(text)	((void)(text))
#define v9_mark_id(number)	((void)(number))
#endif

#ifdef __cplusplus
}
#endif

#endif
