// SPDX-License-Identifier: GPL-2.0-only
/*
 * mktypes FILE PROGRAM START SIZE OFFSET {CPU OP PC VA CYCLES}...: writes the SPE capture FILE.
 * PROGRAM is mapped at START, from OFFSET of its file on. Each group is the record of a load, OP 0,
 * or a store, OP 1, at PC of the address VA with a total latency of CYCLES; above 100 with a level
 * 1 refill. Numbers are hexadecimal, CYCLES decimal.
 */
#include "capture.h"

static uint64_t number(const char *s)
{
	return strtoull(s, NULL, 16);
}

int main(int argc, char **argv)
{
	static uint8_t aux[2][1 << 12];
	static struct cap c;
	size_t n[2] = { 0, 0 };

	if (argc < 6)
		return 2;
	c.arch = "aarch64";
	c.event = "arm_spe_0//";
	cap_open(&c, CAP_SAMPLE);
	cap_info_v2(&c, 0x410fd490, 2);
	cap_comm(&c, 100, 100, "types", 0);
	cap_mmap2(&c, 100, number(argv[3]), number(argv[4]), number(argv[5]), argv[2], NULL);
	for (int i = 6; i + 4 < argc; i += 5) {
		const unsigned int cpu = (unsigned int)number(argv[i]) & 1;
		const uint64_t pc = number(argv[i + 2]) | UINT64_C(1) << 63, va = number(argv[i + 3]);
		const uint16_t cycles = (uint16_t)strtoul(argv[i + 4], NULL, 10);
		const uint16_t events = cycles > 100 ? 0xe : 0x6;
		uint8_t *b = aux[cpu] + n[cpu];

		memset(b, 0, 64);
		b[0] = 0xb0;
		memcpy(b + 1, &pc, 8);
		b[9] = 0x49;
		b[10] = argv[i + 1][0] == '1';
		b[11] = 0x52;
		memcpy(b + 12, &events, 2);
		b[14] = 0x98;
		memcpy(b + 15, &cycles, 2);
		b[17] = 0xb2;
		memcpy(b + 18, &va, 8);
		b[26] = 0x64;		/* context at EL1: thread 100 */
		b[27] = 100;
		b[31] = 0x01;		/* end */
		n[cpu] += 64;
	}
	for (unsigned int cpu = 0; cpu < 2; cpu++) {
		c.cpu = cpu;
		cap_aux_record(&c, 0, n[cpu], 0);
		cap_aux(&c, cpu, CAP_NONE, 0, aux[cpu], n[cpu]);
	}
	cap_close(&c);
	return cap_write(argv[1], c.b, c.n);
}
