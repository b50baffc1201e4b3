// SPDX-License-Identifier: GPL-2.0-only
/*
 * Main program for AFL++. Built with its compilers it reads inputs from shared memory, many per
 * process; built with another, one from standard input:
 *
 *	afl-clang-fast -g -O1 -fsanitize=address,undefined -Iinclude -o ete-afl \
 *		selftests/fuzz/ete.c selftests/fuzz/afl.c SOURCES	(fuzz.sh lists them)
 *	afl-fuzz -i build/fuzz/ete/seeds -o build/fuzz/ete/afl -- ./ete-afl
 */
#include <unistd.h>

#include "fuzz.h"

#define LONGEST (1 << 20)

static void once(const uint8_t *p, size_t n)
{
	uint8_t *copy = fuzz_copy(p, n);

	LLVMFuzzerTestOneInput(copy, n);
	free(copy);
}

#ifdef __AFL_FUZZ_TESTCASE_LEN

__AFL_FUZZ_INIT();

int main(void)
{
	const uint8_t *shared;

	__AFL_INIT();
	shared = __AFL_FUZZ_TESTCASE_BUF;
	while (__AFL_LOOP(10000))
		once(shared, (size_t)__AFL_FUZZ_TESTCASE_LEN);
	return 0;
}

#else

int main(void)
{
	static uint8_t bytes[LONGEST];

	once(bytes, fread(bytes, 1, sizeof(bytes), stdin));
	return 0;
}

#endif
