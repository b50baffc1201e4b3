/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Marks: what a program does, in its own words, in the trace of its instructions.
 *
 *	v9_mark_begin("parse");		a phase of this thread begins
 *	v9_mark_end("parse");		it ends; phases may be nested
 *	v9_mark_point("cache miss");	a moment
 *	v9_mark_id(request);		a number, such as that of a request, below 2^52
 *
 *	v9trace record -e cs_etm//u -- ./program
 *	v9trace report, v9trace script
 *
 * Texts are string literals without '"', '\' and '%'. Nothing has to be linked. There are two ways:
 *
 * - By branches, on all CPUs. The program executes a branch over a tag in its code, which has
 *   V9_MARK_MAGIC, the kind, and where the text is. A decoder reads the code, so it knows the mark of each
 *   such branch. For a number, V9_MARK_BITS branches to the next instruction follow the tag, one for each bit:
 *   taken if the bit is 1. The trace must have these branches, with no gap between those of a number.
 * - By TRCIT, which writes a word into the trace (FEAT_ITE): that of a text has its address. It is UNDEFINED
 *   on CPUs without FEAT_ITE, and no program can ask for that. So it is executed, in place of the branches,
 *   only if the environment has V9TRACE_MARKS=1, which v9trace record sets for its command if the
 *   event records what it writes (cs_etm/instrumentation/u).
 *
 * V9TRACE_MARKS=0 in the environment switches marks off. On architectures other than little-endian
 * AArch64 a mark has no effect.
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

/*
 * The tag behind a branch, little-endian: V9_MARK_MAGIC (64 bits, which are no instructions of A64), the
 * kind (32 bits), and the address of the text relative to this field (32 bits), or V9_MARK_BITS for a number
 */
#define V9_MARK_MAGIC		UINT64_C(0x01006b72616d3976)
#define V9_MARK_TAG_SIZE	16

enum v9_mark_kind { V9_MARK_BEGIN = 1, V9_MARK_END, V9_MARK_POINT, V9_MARK_ID };

static inline uint64_t v9_mark_word(enum v9_mark_kind kind, uint64_t value)
{
	return (uint64_t)V9_MARK_TAG << 56 | (uint64_t)kind << V9_MARK_BITS |
	       (value & ((UINT64_C(1) << V9_MARK_BITS) - 1));
}

#if defined(__aarch64__) && !defined(__AARCH64EB__)
enum v9_mark_way { V9_MARK_BY_BRANCH = 1, V9_MARK_BY_TRCIT, V9_MARK_OFF };

static inline int v9_mark_way(void)
{
	static int way;		/* 0: not known; threads may find out at the same time */
	int now = __atomic_load_n(&way, __ATOMIC_RELAXED);

	if (__builtin_expect(!now, 0)) {
		const char *s = getenv("V9TRACE_MARKS");
		const char c = s && s[0] && !s[1] ? s[0] : ' ';

		now = c == '1' ? V9_MARK_BY_TRCIT : c == '0' ? V9_MARK_OFF : V9_MARK_BY_BRANCH;
		__atomic_store_n(&way, now, __ATOMIC_RELAXED);
	}
	return now;
}

/* TRCIT X0, as a number: assemblers may not know it */
static inline void v9_mark_write(uint64_t word)
{
	register uint64_t x0 __asm__("x0") = word;

	__asm__ volatile(".inst 0xd50b72e0" : : "r" (x0) : "memory");
}

/* The branch over a tag */
#define V9_MARK_OVER(kind, arg)								\
	"b 8f\n\t.quad 0x01006b72616d3976\n\t.word " kind "\n\t.word " arg "\n8:\n\t"
#define V9_MARK_BIT(n)	"tbnz %0, #" #n ", .+4\n\t"

/* A number by branches */
static inline void v9_mark_bits(uint64_t number)
{
	__asm__ volatile(V9_MARK_OVER("4", "52")
		V9_MARK_BIT(0) V9_MARK_BIT(1) V9_MARK_BIT(2) V9_MARK_BIT(3) V9_MARK_BIT(4)
		V9_MARK_BIT(5) V9_MARK_BIT(6) V9_MARK_BIT(7) V9_MARK_BIT(8) V9_MARK_BIT(9)
		V9_MARK_BIT(10) V9_MARK_BIT(11) V9_MARK_BIT(12) V9_MARK_BIT(13) V9_MARK_BIT(14)
		V9_MARK_BIT(15) V9_MARK_BIT(16) V9_MARK_BIT(17) V9_MARK_BIT(18) V9_MARK_BIT(19)
		V9_MARK_BIT(20) V9_MARK_BIT(21) V9_MARK_BIT(22) V9_MARK_BIT(23) V9_MARK_BIT(24)
		V9_MARK_BIT(25) V9_MARK_BIT(26) V9_MARK_BIT(27) V9_MARK_BIT(28) V9_MARK_BIT(29)
		V9_MARK_BIT(30) V9_MARK_BIT(31) V9_MARK_BIT(32) V9_MARK_BIT(33) V9_MARK_BIT(34)
		V9_MARK_BIT(35) V9_MARK_BIT(36) V9_MARK_BIT(37) V9_MARK_BIT(38) V9_MARK_BIT(39)
		V9_MARK_BIT(40) V9_MARK_BIT(41) V9_MARK_BIT(42) V9_MARK_BIT(43) V9_MARK_BIT(44)
		V9_MARK_BIT(45) V9_MARK_BIT(46) V9_MARK_BIT(47) V9_MARK_BIT(48) V9_MARK_BIT(49)
		V9_MARK_BIT(50) V9_MARK_BIT(51) : : "r" (number) : "memory");
}

/*
 * The address of a text, after the branch over its tag if @over. The text lies in executable memory:
 * captures say where that is mapped from.
 */
#define v9_mark_text(kind, text, over) __extension__ ({					\
	uint64_t at_;									\
	__asm__ volatile(".pushsection .text.v9mark,\"ax\",%%progbits\n"		\
			 "9:\t.asciz " #text "\n\t.balign 4\n\t.popsection\n\t"		\
			 "adrp %0, 9b\n\tadd %0, %0, :lo12:9b\n\t"			\
			 "cbz %w1, 8f\n\t"						\
			 V9_MARK_OVER("%c2", "9b - .")				\
			 : "=&r" (at_) : "r" (over), "i" (kind) : "memory");		\
	at_; })
#define v9_mark_named(kind, text)							\
	do {										\
		const int way_ = v9_mark_way();						\
											\
		if (way_ != V9_MARK_OFF) {						\
			const uint64_t text_ = v9_mark_text(kind, text,			\
							    way_ == V9_MARK_BY_BRANCH);	\
											\
			if (way_ == V9_MARK_BY_TRCIT)					\
				v9_mark_write(v9_mark_word(kind, text_));		\
		}									\
	} while (0)
#define v9_mark_begin(text)	v9_mark_named(V9_MARK_BEGIN, text)
#define v9_mark_end(text)	v9_mark_named(V9_MARK_END, text)
#define v9_mark_point(text)	v9_mark_named(V9_MARK_POINT, text)
#define v9_mark_id(number)								\
	do {										\
		const int way_ = v9_mark_way();						\
		const uint64_t number_ = (uint64_t)(number);				\
											\
		if (way_ == V9_MARK_BY_TRCIT)						\
			v9_mark_write(v9_mark_word(V9_MARK_ID, number_));		\
		else if (way_ == V9_MARK_BY_BRANCH)					\
			v9_mark_bits(number_);						\
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
