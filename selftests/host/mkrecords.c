// SPDX-License-Identifier: GPL-2.0-only
/*
 * mkrecords LOG CAPTURE RECORDS SEED: writes a capture of SPE records with random packets in random
 * order, and their contents in the format of the model's log (crosscheck/compare.sh). Only packets
 * that each decoder supports: no reserved packets, no Alignment.
 */
#include <inttypes.h>

#include "capture.h"

#define CPUS	2
#define MOST	20	/* packets of a record */

static uint64_t state;

static uint64_t rnd(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * UINT64_C(0x2545f4914f6cdd1d);
}

static uint32_t below(uint32_t n)
{
	return (uint32_t)(rnd() >> 33) % n;
}

struct packet {
	uint8_t b[9];
	size_t n;
};

static void packet(struct packet *p, size_t *n, uint8_t header, uint64_t v, size_t size)
{
	p[*n].b[0] = header;
	memcpy(p[*n].b + 1, &v, size);
	p[(*n)++].n = 1 + size;
}

/* An address with EL and NS above. */
static uint64_t code(unsigned int *el)
{
	*el = below(4);
	return (rnd() & 0xffffffffffffff) | (uint64_t)*el << 61 | (uint64_t)below(2) << 63;
}

/* Events that all decoders name: 12 bits, and two of SVE */
#define EVENTS	UINT64_C(0x60fff)

static void op(struct packet *p, size_t *n, FILE *log)
{
	static const struct { uint8_t header, payload; } ops[] = {
		{ 0x48, 0x00 }, { 0x48, 0x01 },
		{ 0x49, 0x00 }, { 0x49, 0x01 }, { 0x49, 0x04 }, { 0x49, 0x05 }, { 0x49, 0x06 },
		{ 0x49, 0x0a }, { 0x49, 0x0b }, { 0x49, 0x12 }, { 0x49, 0x13 }, { 0x49, 0x1e },
		{ 0x49, 0x10 }, { 0x49, 0x11 }, { 0x49, 0x14 }, { 0x49, 0x15 }, { 0x49, 0x20 },
		{ 0x49, 0x21 }, { 0x49, 0x25 }, { 0x49, 0x30 }, { 0x49, 0x31 },
		{ 0x4a, 0x00 }, { 0x4a, 0x01 }, { 0x4a, 0x02 }, { 0x4a, 0x03 },
	};
	const size_t i = below(sizeof(ops) / sizeof(ops[0]));

	packet(p, n, ops[i].header, ops[i].payload, 1);
	fprintf(log, ",\"op\":\"0x%x\",\"opc\":\"0x%x\"", ops[i].header, ops[i].payload);
}

/* The packets of a record, and its line without the end. */
static size_t record(struct packet *p, unsigned int cpu, FILE *log)
{
	static const uint8_t sizes[] = { 0x42, 0x52, 0x62, 0x72 };
	uint16_t lat[3];
	unsigned int el, size;
	size_t n = 0;
	uint64_t v;

	fprintf(log, "{\"k\":\"rec\",\"cpu\":%u", cpu);
	if (below(8)) {
		v = code(&el);
		packet(p, &n, 0xb0, v, 8);
		fprintf(log, ",\"pc\":\"0x%" PRIx64 "\",\"el\":%u", v & 0xffffffffffffff, el);
	}
	if (below(8))
		op(p, &n, log);
	if (!below(3)) {
		v = code(&el);
		packet(p, &n, 0xb1, v, 8);
		fprintf(log, ",\"tgt\":\"0x%" PRIx64 "\",\"tel\":%u", v & 0xffffffffffffff, el);
	}
	if (!below(4))
		packet(p, &n, 0xb4, code(&el), 8);
	if (below(2)) {
		v = rnd();
		packet(p, &n, 0xb2, v, 8);
		fprintf(log, ",\"va\":\"0x%" PRIx64 "\"", v);
	}
	if (below(2)) {
		v = rnd();
		packet(p, &n, 0xb3, v & UINT64_C(0x8fffffffffffffff), 8);
		fprintf(log, ",\"pa\":\"0x%" PRIx64 "\"", v & 0xffffffffffffff);
	}
	/* the first ones */
	size = below(4);
	for (unsigned int i = 0; i < size; i++) {
		lat[i] = below(4) ? (uint16_t)below(4096) : (uint16_t)below(65536);
		packet(p, &n, (uint8_t)(0x98 + i), lat[i], 2);
		fprintf(log, "%s%u%s", i ? "," : ",\"lat\":[", lat[i], i + 1 == size ? "]" : "");
	}
	for (unsigned int i = 0; i < 2; i++) {
		if (below(2))
			continue;
		v = rnd() & UINT32_MAX;
		packet(p, &n, (uint8_t)(0x64 + i), v, 4);
		fprintf(log, ",\"ctx%u\":\"0x%" PRIx64 "\"", i + 1, v);
	}
	size = below(4);
	v = rnd() & EVENTS;
	v &= size < 3 ? (UINT64_C(1) << (8 << size)) - 1 : UINT64_MAX;
	packet(p, &n, sizes[size], v, (size_t)1 << size);
	fprintf(log, ",\"ev\":\"0x%" PRIx64 "\"", v);
	if (!below(3)) {
		size = below(2);
		v = rnd() & (size ? 0xffff : 0xff);
		packet(p, &n, size ? 0x53 : 0x43, v, (size_t)1 << size);
		fprintf(log, ",\"ds\":\"0x%" PRIx64 "\"", v);
	}
	return n;
}

int main(int argc, char **argv)
{
	static struct cap c = { .arch = "aarch64", .event = "arm_spe_0//" };
	const uint32_t records = argc == 5 ? (uint32_t)strtoul(argv[3], NULL, 0) : 0;
	FILE *log = records ? fopen(argv[1], "w") : NULL;
	size_t n[CPUS] = { 0 };
	uint8_t *aux[CPUS];

	if (!log)
		return 2;
	state = strtoul(argv[4], NULL, 0) * 2 + 1;
	for (unsigned int cpu = 0; cpu < CPUS; cpu++)
		aux[cpu] = calloc(records, MOST * 9 + 16);
	for (uint32_t i = 0; i < records; i++) {
		const unsigned int cpu = below(CPUS);
		struct packet p[MOST];
		const size_t packets = record(p, cpu, log);
		uint8_t *to = aux[cpu];

		/* in any order, one after the other */
		for (size_t k = packets; k; k--) {
			const size_t which = below((uint32_t)k);

			memcpy(to + n[cpu], p[which].b, p[which].n);
			n[cpu] += p[which].n;
			p[which] = p[k - 1];
		}
		if (below(4)) {
			const uint64_t ts = rnd() >> (below(4) ? 8 : 1);	/* perf: signed */

			to[n[cpu]++] = 0x71;
			memcpy(to + n[cpu], &ts, 8);
			n[cpu] += 8;
			fprintf(log, ",\"ts\":\"0x%" PRIx64 "\"", ts);
		} else {
			to[n[cpu]++] = 0x01;
		}
		fputs("}\n", log);
		n[cpu] += below(12);		/* padding */
	}
	cap_open(&c, CAP_SAMPLE | PERF_SAMPLE_IP);
	cap_time_conv(&c, 5000000000ull);
	cap_info_v2(&c, 0x410fd4f0, CPUS);
	for (unsigned int cpu = 0; cpu < CPUS; cpu++) {
		c.cpu = cpu;
		c.time = 5000000000ull;
		cap_aux_record(&c, 0, n[cpu], 0);
		cap_aux(&c, cpu, CAP_NONE, 0, aux[cpu], n[cpu]);
		free(aux[cpu]);
	}
	cap_close(&c);
	if (fclose(log) || cap_write(argv[2], c.b, c.n))
		return 1;
	free(c.b);
	return 0;
}
