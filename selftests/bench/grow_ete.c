// SPDX-License-Identifier: GPL-2.0-only
/*
 * grow_ete DIRECTORY WHAT N: writes DIRECTORY/WHAT.N.data, a capture of an instruction trace in which there
 * are N of one thing. The code is in a jitdump, which is part of the capture. The output is always the same.
 *
 *	rewrites	N versions of code at 16 addresses in turn, each of which runs once
 *	deep		calls to a depth of N, 20 times, by 256 functions in turn
 *	recursion	the same by one function
 *	contexts	N threads, one after the other, with a Context ID and a VMID each, 8 branches of each
 */
#include "../../tools/lib/ete_pkt.c"

#include "../host/capture.h"
#include "../host/jitdump.h"

#define DUMP_AT		0x700000u
#define MAIN		0x400000u
#define CODE		0x10000000u	/* the first function that MAIN calls */
#define VERSIONS	0x1000u		/* from one of the 16 addresses to the next */
#define FUNC		16u		/* bytes of a function */
#define TIMES		20
#define AT(count)	(5000000000ull + 16 * (count))	/* of perf's clock, ns */
#define MONOTONIC(count) (1000000000ull + 16 * (count))

#define NOP		0xd503201fu
#define RET		0xd65f03c0u
#define BLR_X1		0xd63f0020u
#define BL(words)	(0x94000000u | ((words) & 0x3ffffff))
#define B(words)	(0x14000000u | ((words) & 0x3ffffff))
#define CBZ_X0(words)	(0xb4000000u | ((words) & 0x7ffff) << 5)

static struct cap cap = { .arch = "aarch64", .event = "cs_etm//u", .period = 1 };
static struct cap dump, trace;
static struct v9_ete_pktenc enc;

static void put(const struct v9_ete_pkt *p)
{
	uint8_t b[V9_ETE_PKT_MAX];
	const int n = v9_ete_pkt_encode(&enc, b, sizeof(b), p);

	if (n < 0) {
		fprintf(stderr, "grow_ete: packet of kind %u: %d\n", p->kind, n);
		exit(1);
	}
	cap_put(&trace, b, (size_t)n);
}

static void kind(uint8_t k)
{
	put(&(struct v9_ete_pkt){ .kind = k });
}

static void atom(bool taken)
{
	put(&(struct v9_ete_pkt){ .kind = V9_ETE_ATOMS, .natoms = 1, .atoms = taken });
}

static void address(uint64_t addr)
{
	put(&(struct v9_ete_pkt){ .kind = V9_ETE_ADDRESS, .addr = addr, .has = V9_ETE_HAS_ADDR });
}

static void stamp(uint64_t time)
{
	put(&(struct v9_ete_pkt){ .kind = V9_ETE_TIMESTAMP, .timestamp = time });
}

/* Trace of a thread begins at MAIN. */
static void begin(uint32_t tid, uint32_t vmid)
{
	kind(V9_ETE_TRACE_ON);
	put(&(struct v9_ete_pkt){
		.kind = V9_ETE_ADDRESS, .addr = MAIN, .ctx = { .contextid = tid, .vmid = vmid, .ns = true, .sf = true },
		.has = V9_ETE_HAS_ADDR | V9_ETE_HAS_CTX | V9_ETE_HAS_CONTEXTID | V9_ETE_HAS_VMID });
}

/* The function @name of that code, from a time on */
static void load(uint64_t time, const char *name, uint64_t addr, const uint32_t *code, size_t words)
{
	static uint64_t index;

	jit_load(&dump, 100, MONOTONIC(time), name, addr, index++, code, words * sizeof(*code));
}

static void load_main(void)
{
	static const uint32_t code[] = { BLR_X1, B(-1) };

	load(0, "main", MAIN, code, 2);
}

/* Returns the time at the end. */
static uint64_t rewrites(uint32_t n)
{
	static const uint32_t code[] = { NOP, NOP, NOP, NOP, RET };
	char name[32];

	begin(100, 0);
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t at = CODE + i % 16 * VERSIONS, time = 1000 + 100 * (uint64_t)i;

		sprintf(name, "version_%u", i);
		load(time, name, at, code + i % 5, 5 - i % 5);
		atom(true);		/* BLR */
		stamp(time + 10);
		address(at);
		atom(true);		/* RET */
		stamp(time + 20);
		address(MAIN + 4);
		atom(true);		/* B */
	}
	return 1000 + 100 * (uint64_t)n;
}

/* Traces a chain of calls N deep, TIMES times. @functions call one another in a circle. */
static uint64_t nested(uint32_t n, uint32_t functions)
{
	char name[32];

	for (uint32_t i = 0; i < functions; i++) {
		const int32_t next = i + 1 < functions ? 4 : -4 * (int32_t)i;
		const uint32_t code[] = { CBZ_X0(2), BL(next - 1), RET };

		sprintf(name, "function_%u", i);
		load(0, name, CODE + i * FUNC, code, 3);
	}
	begin(100, 0);
	stamp(1000);
	for (uint32_t k = 0; k < TIMES; k++) {
		atom(true);		/* BLR */
		address(CODE);
		for (uint32_t i = 1; i < n; i++) {
			atom(false);	/* CBZ */
			atom(true);	/* BL */
		}
		atom(true);		/* CBZ */
		for (uint32_t i = n - 1; i--; ) {
			atom(true);	/* RET */
			address(CODE + i % functions * FUNC + 8);
		}
		atom(true);		/* RET */
		address(MAIN + 4);
		atom(true);		/* B */
	}
	return 2000;
}

static uint64_t deep(uint32_t n)
{
	return nested(n, 256);
}

static uint64_t recursion(uint32_t n)
{
	return nested(n, 1);
}

static uint64_t contexts(uint32_t n)
{
	static const uint32_t code[] = { RET };

	load(0, "called", CODE, code, 1);
	for (uint32_t i = 0; i < n; i++) {
		cap_fork(&cap, 100, 1000 + i, 100, 100);
		begin(1000 + i, i);
		stamp(1000 + 100 * (uint64_t)i);
		for (uint32_t k = 0; k < 4; k++) {
			atom(true);	/* BLR */
			address(CODE);
			atom(true);	/* RET */
			address(MAIN + 4);
			atom(true);	/* B */
		}
	}
	return 1000 + 100 * (uint64_t)n;
}

/* A trace unit on one CPU */
static void info(void)
{
	uint64_t body[1 + PD_ETM_WORDS + PD_ETE_WORDS] = { PD_AUXTRACE_CS_ETM, 2, 9ull << 32 | 1, 0 };
	uint64_t *w = &body[1 + PD_ETM_WORDS];

	w[PD_ETM_CPU_MAGIC] = PD_ETE_MAGIC;
	w[PD_ETM_CPU_PARAMS] = PD_ETE_WORDS - PD_ETM_CPU_WORDS;
	w[PD_ETE_TRCCONFIGR] = 0x8c1;		/* CID, VMID, TS */
	w[PD_ETE_TRCTRACEIDR] = 0x10;
	w[PD_ETE_TRCIDR0] = 0x28000ea1;		/* COMMOPT, timestamps of 64 bits */
	w[PD_ETE_TRCIDR1] = 0x4100ffff;
	w[PD_ETE_TRCIDR2] = 0x20001088;		/* addresses of 64 bits, ids of 32 */
	w[PD_ETE_TRCDEVARCH] = 0x47705a13;	/* ETE; revision 0: no RME */
	w[PD_ETE_TS_SOURCE] = 1;
	cap_record(&cap, PD_REC_AUXTRACE_INFO, 0, body, sizeof(body));
}

static const struct {
	const char *name;
	uint64_t (*make)(uint32_t n);
} things[] = {
	{ "rewrites", rewrites }, { "deep", deep }, { "recursion", recursion }, { "contexts", contexts },
};

/* Writes the capture to @path. All of the trace is in one AUX record. */
static int finish(const char *path, uint64_t end)
{
	const uint64_t clocks[][2] = { { 0, MONOTONIC(0) }, { end, MONOTONIC(end) } };
	struct cap code = { .n = 0 };

	while (trace.n % 8)
		kind(V9_ETE_IGNORE);
	cap.time = AT(end);
	cap_aux_record(&cap, 0, trace.n, PD_AUX_FLAG_RAW);
	cap_aux(&cap, 0, CAP_NONE, 0, trace.b, trace.n);
	code_head(&code, 2);
	code_part(&code, PD_CODE_JITDUMP, 100, dump.b, dump.n);
	code_part(&code, PD_CODE_CLOCKS, 0, clocks, sizeof(clocks));
	cap.code = code.b;
	cap.code_size = code.n;
	cap_close(&cap);
	return cap_write(path, cap.b, cap.n) ? 1 : 0;
}

int main(int argc, char **argv)
{
	const struct v9_ete_config config = { .commopt = true };
	const uint32_t n = argc == 4 ? (uint32_t)strtoul(argv[3], NULL, 0) : 0;
	char path[512];

	for (size_t i = 0; n && i < sizeof(things) / sizeof(things[0]); i++) {
		if (strcmp(argv[2], things[i].name))
			continue;
		cap_open(&cap, CAP_SAMPLE | PERF_SAMPLE_IP);
		info();
		cap_time_conv(&cap, AT(0));
		cap.pid = cap.tid = 100;
		cap_comm(&cap, 100, 100, "work", 0);
		cap.prot = 7;
		cap_mmap2(&cap, 100, MAIN, 0x1000, 0, "//anon", NULL);
		cap_mmap2(&cap, 100, CODE, 0x10000000, 0, "//anon", NULL);
		cap.prot = 0;
		cap_mmap2(&cap, 100, DUMP_AT, 0x1000, 0, "/tmp/jit-100.dump", NULL);
		jit_head(&dump, 100, 0);
		load_main();
		v9_ete_pktenc_init(&enc, &config);
		kind(V9_ETE_ASYNC);
		kind(V9_ETE_INFO);
		snprintf(path, sizeof(path), "%s/%s.%u.data", argv[1], argv[2], n);
		return finish(path, things[i].make(n));
	}
	fprintf(stderr, "usage: grow_ete DIRECTORY WHAT N\n");
	return 2;
}
