// SPDX-License-Identifier: GPL-2.0-only
/*
 * mkspe CAPTURE RECORDS: writes a capture of SPE records like those of a large core, 64 bytes each,
 * of a program whose symbols both sides have: 35 % loads, 15 % stores, 20 % branches, others; four
 * CPUs, with time and context; data addresses anywhere in 64 MiB. The output is always the same.
 */
#include "../host/capture.h"

#define TEXT		0x401000u	/* of the program (spec of the trace) */
#define TEXT_SIZE	0x148000u
#define PLACES		16384u
#define CPUS		4
#define CHUNK		(1u << 20)

static uint64_t seed = 1;

static uint32_t rnd(uint32_t n)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 33) % n;
}

static uint8_t *put(uint8_t *p, uint8_t header, uint64_t v, unsigned int n)
{
	*p++ = header;
	memcpy(p, &v, n);
	return p + n;
}

#define NS_EL0	(UINT64_C(1) << 63)

static void record(uint8_t *p, uint32_t tid, uint64_t time)
{
	static const uint16_t sources[] = { 0, 0, 0, 0, 8, 8, 9, 13, 14 };
	const uint32_t kind = rnd(100);
	const uint64_t pc = TEXT + rnd(PLACES) * (TEXT_SIZE / PLACES & ~3u);
	const uint32_t total = 4 + rnd(12) + (rnd(20) ? 0 : rnd(400));
	const bool memory = kind < 50;

	memset(p, 0, 64);
	p = put(p, 0xb0, pc | NS_EL0, 8);
	if (kind >= 50 && kind < 70)
		p = put(p, 0xb1, (TEXT + rnd(TEXT_SIZE / 4) * 4) | NS_EL0, 8);
	p = put(p, 0x65, tid, 4);
	p = put(p, 0x62, 2 | (memory ? (rnd(10) ? 0x4 : 0xc) : 0) |
		(kind >= 50 && kind < 70 && !rnd(12) ? 0x80 : 0), 4);
	if (memory)
		p = put(p, 0x49, kind >= 35, 1);
	else if (kind < 70)
		p = put(p, 0x4a, 1, 1);
	else
		p = put(p, 0x48, 0, 1);
	p = put(p, 0x98, total, 2);
	p = put(p, 0x99, rnd(total), 2);
	if (memory) {
		const uint64_t va = UINT64_C(0xffff80000000) + (uint64_t)rnd(1u << 23) * 8;

		p = put(p, 0x9a, 1 + rnd(4), 2);
		p = put(p, 0xb2, va, 8);
		p = put(p, 0xb3, (va & 0x3ffffff) | UINT64_C(1) << 63, 8);
		p = put(p, 0x43, sources[rnd(sizeof(sources) / 2)], 1);
	}
	put(p, 0x71, time, 8);
}

int main(int argc, char **argv)
{
	static uint8_t chunk[CPUS][CHUNK];
	const unsigned long records = argc == 3 ? strtoul(argv[2], NULL, 0) : 0;
	size_t n[CPUS] = { 0 };
	uint64_t done[CPUS] = { 0 };
	struct cap cap = { .arch = "aarch64", .event = "arm_spe_0//" };
	struct cap *c = &cap;

	if (!records)
		return 2;
	cap_open(c, CAP_SAMPLE | PERF_SAMPLE_IP);
	/* perf divides by the values of TIME_CONV when it reads the metadata. */
	cap_time_conv(c, 5000000000ull);
	cap_info_v2(c, 0x410fd4f0, CPUS);
	for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
		c->cpu = cpu;
		c->pid = 100;
		c->tid = 100 + cpu;
		c->time = 5000000000ull;
		cap_comm(c, 100, 100 + cpu, "work", 0);
	}
	cap_mmap2(c, 100, 0x400000, TEXT_SIZE + 0x1000, 0, "/v9/demo/zstd", NULL);
	for (unsigned long i = 0; i < records; i++) {
		const uint32_t cpu = i % CPUS;

		record(chunk[cpu] + n[cpu], 100 + cpu, 1000 + i);
		n[cpu] += 64;
		if (n[cpu] < CHUNK && i + CPUS < records)
			continue;
		c->cpu = cpu;
		c->tid = 100 + cpu;
		c->time = 5000000000ull + ((1000 + i) << 4);
		cap_aux_record(c, done[cpu], n[cpu], 0);
		cap_aux(c, cpu, CAP_NONE, done[cpu], chunk[cpu], n[cpu]);
		done[cpu] += n[cpu];
		n[cpu] = 0;
	}
	cap_close(c);
	return cap_write(argv[1], cap.b, cap.n) ? 1 : 0;
}
