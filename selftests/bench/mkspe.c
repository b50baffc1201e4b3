// SPDX-License-Identifier: GPL-2.0-only
/*
 * mkspe CAPTURE RECORDS [LAYOUT]: writes a capture of SPE records like those of a large core, 64 bytes each,
 * of a program whose symbols both sides have: 35 % loads, 15 % stores, 20 % branches, others; four
 * CPUs, with time and context; data addresses anywhere in 64 MiB. The output is always the same.
 * LAYOUT: 0 (packets one after another, padding at the end) to 3; "each": each CPU has another one; "random": each
 * record has one of them at random.
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

#define NS_EL0	(UINT64_C(1) << 63)

/* Packets of a record. LETTERS has the letter of each in a layout, in the same order. */
enum field { PC, TARGET, CONTEXT, EVENTS, EVENTS16, OP, TOTAL, ISSUE, XLAT, VA, PA, SOURCE, TIME, FIELDS };
#define LETTERS	"PBCEeOLIXVASTv."

/*
 * A layout is the order of the packets of a record. '.' is a byte of padding. 'v' is the branch target of a branch,
 * else the VA. '|' is padding that makes the record end at a multiple of 32 bytes. If the layout ends with '=', an absent
 * packet is replaced by padding of its size. Layouts 1 to 3 are those of published records: of Neoverse N1, of a unit
 * without padding between its packets, of a unit that has the latencies before the operation.
 */
static const char *const layouts[] = {
	"PBCEOLIXVAST", "P.....COeILvXAS..T=", "POeILVXABST", "PILeOVXBAS|T",
};

#define LAYOUTS	(sizeof(layouts) / sizeof(layouts[0]))

struct packet {
	uint8_t header, size;
	uint64_t value;
};

static struct packet packet(uint8_t header, uint8_t size, uint64_t value)
{
	return (struct packet){ header, size, value };
}

/* Sets the packets of a record. A packet of size 0 is absent. */
static void fields(struct packet *f, uint32_t tid, uint64_t time)
{
	static const uint16_t sources[] = { 0, 0, 0, 0, 8, 8, 9, 13, 14 };
	const uint32_t kind = rnd(100);
	const uint64_t pc = TEXT + rnd(PLACES) * (TEXT_SIZE / PLACES & ~3u);
	const uint32_t total = 4 + rnd(12) + (rnd(20) ? 0 : rnd(400));
	const bool memory = kind < 50, branch = !memory && kind < 70;
	uint32_t events;

	memset(f, 0, FIELDS * sizeof(*f));
	f[PC] = packet(0xb0, 8, pc | NS_EL0);
	if (branch)
		f[TARGET] = packet(0xb1, 8, (TEXT + rnd(TEXT_SIZE / 4) * 4) | NS_EL0);
	f[CONTEXT] = packet(0x65, 4, tid);
	events = 2 | (memory ? (rnd(10) ? 0x4 : 0xc) : 0) | (branch && !rnd(12) ? 0x80 : 0);
	f[EVENTS] = packet(0x62, 4, events);
	f[EVENTS16] = packet(0x52, 2, events);
	f[OP] = memory ? packet(0x49, 1, kind >= 35) : branch ? packet(0x4a, 1, 1) : packet(0x48, 1, 0);
	f[TOTAL] = packet(0x98, 2, total);
	f[ISSUE] = packet(0x99, 2, rnd(total));
	if (memory) {
		f[VA] = packet(0xb2, 8, UINT64_C(0xffff80000000) + (uint64_t)rnd(1u << 23) * 8);
		f[XLAT] = packet(0x9a, 2, 1 + rnd(4));
		f[PA] = packet(0xb3, 8, (f[VA].value & 0x3ffffff) | UINT64_C(1) << 63);
		f[SOURCE] = packet(0x43, 1, sources[rnd(sizeof(sources) / 2)]);
	}
	f[TIME] = packet(0x71, 8, time);
}

/* Returns the bytes of the record, at most 64. A record of the first three layouts always has as many. */
static size_t record(uint8_t *p, const char *layout, uint32_t tid, uint64_t time)
{
	const bool slots = strchr(layout, '=');
	struct packet f[FIELDS];
	size_t n = 0;

	fields(f, tid, time);
	memset(p, 0, 64);
	for (const char *at = layout; *at && *at != '='; at++) {
		const struct packet *one;
		size_t size;

		if (*at == '.') {
			n++;
			continue;
		}
		if (*at == '|') {
			n = (n + 9 + 31) / 32 * 32 - 9;
			continue;
		}
		one = &f[*at == 'v' ? (f[TARGET].size ? TARGET : VA) : strchr(LETTERS, *at) - LETTERS];
		size = one->size ? one->size + 1 : 0;
		if (!size) {
			/* A slot without a packet takes as many bytes as this packet of a load. */
			n += !slots ? 0 : strchr("VAv", *at) ? 9 : *at == 'X' ? 3 : 2;
			continue;
		}
		p[n] = one->header;
		memcpy(p + n + 1, &one->value, one->size);
		n += size;
	}
	return strchr(layout, '|') ? n : 64;
}

int main(int argc, char **argv)
{
	static uint8_t chunk[CPUS][CHUNK];
	const unsigned long records = argc == 3 || argc == 4 ? strtoul(argv[2], NULL, 0) : 0;
	const bool each = argc == 4 && !strcmp(argv[3], "each"), random = argc == 4 && !strcmp(argv[3], "random");
	const unsigned long layout = argc == 4 && !each && !random ? strtoul(argv[3], NULL, 0) : 0;
	size_t n[CPUS] = { 0 };
	uint64_t done[CPUS] = { 0 };
	struct cap cap = { .arch = "aarch64", .event = "arm_spe_0//" };
	struct cap *c = &cap;

	if (!records || layout >= LAYOUTS)
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
		const unsigned long one = each ? cpu % LAYOUTS : random ? rnd(LAYOUTS) : layout;

		n[cpu] += record(chunk[cpu] + n[cpu], layouts[one], 100 + cpu, 1000 + i);
		if (n[cpu] + 64 <= CHUNK && i + CPUS < records)
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
