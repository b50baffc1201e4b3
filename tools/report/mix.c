// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "mix.h"

#include <ctype.h>
#include <string.h>

#include "../lib/v9ete.h"

/* DDI0487, C4.1: the top level of the A64 encodings is bits [31] and [28:25]. */
enum v9_note_mix v9_mix_of(uint32_t word)
{
	const unsigned int op0 = word >> 25 & 0xf;

	if (op0 == 2 || (op0 == 0 && word >> 31))	/* SVE; SME */
		return V9_MIX_SVE;
	if ((op0 & 5) == 4)				/* loads and stores: bit 26 is V */
		return word >> 26 & 1 ? V9_MIX_SIMD : V9_MIX_SCALAR;
	if ((op0 & 7) != 7)
		return V9_MIX_SCALAR;
	/* Scalar floating-point is x0x1 in bits [31:28]. */
	return (word >> 28 & 5) == 1 ? V9_MIX_FP : V9_MIX_SIMD;
}

/* "p0" to "p15", "pn8" to "pn15" */
static bool is_predicate(const char *s)
{
	if (*s++ != 'p')
		return false;
	s += *s == 'n';
	return isdigit((unsigned char)*s);
}

bool v9_mix_predicated(const char *text)
{
	const char *s = strpbrk(text, " \t");

	while (s && (s = strchr(s, ','))) {
		s += 1 + strspn(s + 1, " \t{");
		if (is_predicate(s))
			return true;
	}
	return false;
}

static void add_loop(struct v9_code_loop *loop, size_t *nr, size_t most, uint64_t start, uint64_t end)
{
	size_t i = *nr;

	while (i && loop[i - 1].start > start)
		i--;
	if (i && loop[i - 1].start == start) {
		loop[i - 1].end = end > loop[i - 1].end ? end : loop[i - 1].end;
		return;
	}
	if (*nr == most)
		return;
	memmove(&loop[i + 1], &loop[i], (*nr - i) * sizeof(*loop));
	loop[i] = (struct v9_code_loop){ start, end };
	(*nr)++;
}

size_t v9_mix_loops(const uint32_t *word, size_t n, uint64_t start, struct v9_code_loop *loop, size_t most)
{
	size_t nr = 0;

	for (size_t i = 0; i < n; i++) {
		const uint64_t addr = start + 4 * i;
		struct v9_insn insn;

		v9_insn_decode(V9_ISA_A64, addr, word[i], &insn);
		if (insn.kind == V9_INSN_DIRECT && !(insn.flags & V9_INSN_LINK) &&
		    insn.target >= start && insn.target <= addr)
			add_loop(loop, &nr, most, insn.target, addr + 4);
	}
	return nr;
}
