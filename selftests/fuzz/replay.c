// SPDX-License-Identifier: GPL-2.0-only
/*
 * replay FILE...: runs a fuzz target on earlier inputs, built with any compiler. Files have
 * hexadecimal bytes; lines that begin with # are comments.
 */
#include "fuzz.h"

int main(int argc, char **argv)
{
	static uint8_t bytes[1 << 16];
	char line[4096];

	for (int i = 1; i < argc; i++) {
		FILE *f = fopen(argv[i], "r");
		size_t n = 0;

		if (!f)
			return 2;
		while (fgets(line, sizeof(line), f)) {
			char *p = line, *end;

			if (*line == '#')
				continue;
			for (; n < sizeof(bytes); p = end) {
				const unsigned long v = strtoul(p, &end, 16);

				if (end == p)
					break;
				bytes[n++] = (uint8_t)v;
			}
		}
		fclose(f);
		LLVMFuzzerTestOneInput(bytes, n);
	}
	return 0;
}
