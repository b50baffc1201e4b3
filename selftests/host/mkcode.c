// SPDX-License-Identifier: GPL-2.0-only
/*
 * mkcode CAPTURE PROGRAM START SIZE: writes a capture of SPE records of a program that is mapped from
 * its first byte on at START. Standard input has a line for each record:
 *
 *	PC TOTAL ISSUE TRANSLATION EVENTS CLASS OP	all but the latencies in hexadecimal
 *
 * One process, CPU 0, a time of 16 ns between records.
 */
#include "capture.h"

#define NS_EL0	(UINT64_C(1) << 63)

static uint8_t *put(uint8_t *p, uint8_t header, uint64_t v, unsigned int n)
{
	*p++ = header;
	memcpy(p, &v, n);
	return p + n;
}

int main(int argc, char **argv)
{
	struct cap cap = { .arch = "aarch64", .event = "arm_spe_0//" };
	unsigned long long pc, total, issue, xlat, events, class, op;
	uint64_t time = 1000;
	struct cap *c = &cap;
	size_t n = 0, room = 0;
	uint8_t *b = NULL;

	if (argc != 5)
		return 2;
	cap_open(c, CAP_SAMPLE | PERF_SAMPLE_IP);
	cap_time_conv(c, 5000000000ull);
	cap_info_v2(c, 0x410fd4f0, 1);
	c->pid = c->tid = 100;
	c->time = 5000000000ull;
	cap_comm(c, 100, 100, "work", 0);
	cap_mmap2(c, 100, strtoull(argv[3], NULL, 0), strtoull(argv[4], NULL, 0), 0, argv[2], NULL);
	while (scanf("%llx %llu %llu %llu %llx %llx %llx", &pc, &total, &issue, &xlat, &events, &class,
		     &op) == 7) {
		uint8_t *p;

		if (n + 64 > room) {
			room = 2 * room + 4096;
			b = realloc(b, room);
		}
		p = memset(b + n, 0, 64);
		p = put(p, 0xb0, pc | NS_EL0, 8);
		p = put(p, 0x65, 100, 4);
		p = put(p, 0x62, events, 4);
		p = put(p, (uint8_t)(0x48 | class), op, 1);
		p = put(p, 0x98, total, 2);
		p = put(p, 0x99, issue, 2);
		if (xlat)
			p = put(p, 0x9a, xlat, 2);
		put(p, 0x71, time++, 8);
		n += 64;
	}
	c->time = 5000000000ull + (time << 4);
	for (size_t at = 0; at < n; at += 1u << 20) {
		const size_t size = n - at < 1u << 20 ? n - at : 1u << 20;

		cap_aux_record(c, at, size, 0);
		cap_aux(c, 0, CAP_NONE, at, b + at, size);
	}
	cap_close(c);
	return cap_write(argv[1], cap.b, cap.n) ? 1 : 0;
}
