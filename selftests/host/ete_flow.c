// SPDX-License-Identifier: GPL-2.0-only
/*
 * ETE from bytes to executed instructions: streams typed from the format, decoded with a small
 * program; the result is compared as one line of text. Then damaged input: trace cut and corrupted
 * at each byte, gaps, and random bytes.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "tap.h"

#include "../../tools/util.c"
#include "../../tools/lib/flow.h"
#include "../../tools/lib/image.h"

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

/* ---- the program: NOPs from 0x1000 up to 0x3000, and these */

#define START	0x1000
#define END	0x3000
#define NOP	0xd503201f

#define CHAIN	0x2700
#define CALLS	16

static const struct { uint16_t addr; uint32_t op; } code[] = {
	{ 0x1000, 0x14000400 },		/* B	2000 */
	{ 0x200c, 0x540000a0 },		/* B.EQ	2020 */
	{ 0x2100, 0x94000040 },		/* BL	2200 */
	{ 0x2108, 0x17fffffe },		/* B	2100 */
	{ 0x2204, 0xd65f03c0 },		/* RET */
	{ 0x2300, 0xd63f0000 },		/* BLR	X0 */
	{ 0x2304, 0xd65f03c0 },		/* RET */
	{ 0x2400, 0xd4000001 },		/* SVC */
	{ 0x2408, 0xd5033fdf },		/* ISB */
	{ 0x240c, 0xd503207f },		/* WFI */
	{ 0x2410, 0x17fffefc },		/* B	2000 */
	{ 0x2500, 0xb4000100 },		/* CBZ	2520 */
	{ 0x2508, 0x360001c0 },		/* TBZ	2540 */
	{ 0x2510, 0x17fffebc },		/* B	2000 */
	{ 0x2520, 0x17ffffb8 },		/* B	2400 */
	{ 0x2580, 0xb4000060 },		/* CBZ	258c */
	{ 0x2588, 0x14000003 },		/* B	2594 */
	{ 0x2598, 0x17fffe9a },		/* B	2000 */
	{ 0x25a0, 0xb4000040 },		/* CBZ	25a8 */
	{ 0x25a4, 0xd69f03e0 },		/* ERET */
	{ 0x25ac, 0xd69f03e0 },		/* ERET */
	{ 0x2600, 0xe12fff1e },		/* A32: BX LR */
	{ 0x2604, 0x0a000002 },		/* A32: BEQ 2614 */
	{ 0x2608, 0xe12fff1e },		/* A32: BX LR */
	{ 0x2610, 0xe7fe4770 },		/* T32: BX LR; B 2612 */
	{ 0x2620, 0x0320f003 },		/* A32: WFIEQ */
	{ 0x2624, 0xe12fff1e },		/* A32: BX LR */
	{ 0x2630, 0xefeaf7ff },		/* T32: BLX 2608 */
	{ 0x2640, 0x0e070f95 },		/* A32: CP15ISB if equal */
	{ 0x2644, 0xe12fff1e },		/* A32: BX LR */
	/* CALLS functions, 8 bytes each: a call of the next function, and a return */
#define CALL(n)	{ CHAIN + 8 * (n), 0x94000002 }, { CHAIN + 8 * (n) + 4, 0xd65f03c0 }
	CALL(0), CALL(1), CALL(2), CALL(3), CALL(4), CALL(5), CALL(6), CALL(7), CALL(8), CALL(9),
	CALL(10), CALL(11), CALL(12), CALL(13), CALL(14), CALL(15),
	{ CHAIN + 8 * CALLS, 0xd65f03c0 },
	{ 0x2800, 0x54000000 },			/* B.EQ	2800 */
	{ 0x2880, 0x012fff1e },			/* A32: BXEQ LR */
	{ 0x2884, 0xe12fff1e },			/* A32: BX LR */
	/* Marks: a branch to the end of a tag, the tag (v9mark.h), what follows */
#define TAG(at, kind, arg)								\
	{ (at), 0x14000005 }, { (at) + 4, 0x616d3976 }, { (at) + 8, 0x01006b72 },	\
	{ (at) + 12, (kind) }, { (at) + 16, (arg) }, { (at) + 20, 0x14000003 }
	TAG(0x2900, 1, 0xf0),			/* text at 2a00 */
	{ 0x2918, 0xb4000040 },			/* CBZ	2920 */
	TAG(0x2920, 2, 0xfffff000),		/* text at 1930, before it */
	TAG(0x2940, 3, 0x80000000),		/* text at 2950 - 2^31 */
	TAG(0x2960, 0, 0xf0),			/* no such kinds */
	TAG(0x2980, 5, 0xf0),
	TAG(0x29a0, 0xfffffff1, 0xf0),
	TAG(0x29c0, 4, 51),			/* no such numbers */
	TAG(0x29e0, 4, 52),			/* its bits are missing */
	TAG(0x2a00, 4, 52),			/* a number; what follows is below */
	{ 0x2ae4, 0x17fffd47 },			/* B	2000 */
	TAG(0x2b00, 1, 0xf0), { 0x2b00, 0x14000004 },	/* B 2b10: into the tag */
	TAG(0x2b20, 1, 0xf0), { 0x2b20, 0x94000005 },	/* BL	2b34 */
	TAG(0x2b40, 1, 0xf0), { 0x2b40, 0x540000a0 },	/* B.EQ	2b54 */
	TAG(0x2b60, 1, 0xf0), { 0x2b64, 0x616d3977 },	/* another magic */
	TAG(0x2b80, 1, 0xf0), { 0x2b88, 0x01006b73 },
	TAG(0x2ba0, 1, 0xf0), { 0x2ba0, 0xea000003 },	/* A32: B 2bb4 */
	TAG(0x2bc0, 4, 52), { 0x2bd4, 0x37000040 },	/* TBNZ 2bdc: no bit */
	TAG(0x2be0, 4, 52), { 0x2bf4, NOP },	/* a bit, but not at once */
	{ 0x2bf8, 0x37000020 },
	{ 0x2ff0, 0x14000005 }, { 0x2ff4, 0x616d3976 },	/* the tag ends outside of the program */
	{ 0x2ff8, 0x01006b72 }, { 0x2ffc, 1 },
	{ 0x1ff8, 0x14000005 }, { 0x1ffc, 0x616d3976 },	/* a tag in both parts of the program */
	{ 0x2000, 0x01006b72 }, { 0x2004, 2 }, { 0x2008, 0xf8 },
};

#define NUMBER		0x2a00		/* a mark with 52 branches, TBNZ X0, #n, to the next instruction */
#define BITS		52

static uint32_t memory[(END - START) / 4];
static struct v9_image img;

static void make_program(void)
{
	for (size_t i = 0; i < LEN(memory); i++)
		memory[i] = NOP;
	for (size_t i = 0; i < LEN(code); i++)
		memory[(code[i].addr - START) / 4] = code[i].op;
	for (uint32_t i = 0; i < BITS; i++)
		memory[(NUMBER + 20 + 4 * i - START) / 4] =
			0x37000020 | (i & 31) << 19 | (i >> 5) << 31;
	v9_image_init(&img);
	/* Two parts, so that code crosses from one to the other */
	v9_image_add(&img, V9_IMAGE_ANY, START, memory, 0x100a);
	v9_image_add(&img, V9_IMAGE_ANY, START + 0x100a, (uint8_t *)memory + 0x100a,
		     sizeof(memory) - 0x100a);
}

static const uint8_t *read_code(void *arg, const struct v9_ete_context *ctx, uint64_t addr,
				size_t *n)
{
	(void)ctx;
	return v9_image_code(arg, 0, addr, n);
}

/* ---- decoding to text */

#define ITE	(1u << 22)	/* of TRCIDR0 */
#define TSMARK	(1u << 23)
#define COMMTRANS	(1u << 30)

struct setting {
	uint32_t maxspec;
	bool stack, wfx, commtrans;
};

static struct v9_flow flow;
static char text[1 << 16];

static void print(const char *fmt, ...)
{
	const size_t len = strlen(text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text + len, sizeof(text) - len, fmt, ap);
	va_end(ap);
}

/*
 * "1000-1004*": a range whose last branch was taken; "3@1000": so many instructions
 * from there; "!2@1000": exception; "-WHY@1000": gap; "t5" "c14" "e1" "m": time, cycles,
 * events, marker; "i1/0": instrumentation with value 1 at EL0; "tx" "/tx" "x": transaction began,
 * ended, failed. "k1:2a00/0@2900": a mark of kind 1 with value 2a00, at EL0, whose branch is at 2900;
 * "k?/0@2a00": a mark with a number that is not complete in the trace
 */
static void describe(const struct v9_flow_rec *r)
{
	static const char *const why[] = {
		"filter", "overflow", "discard", "lost", "nocode", "noaddr", "nocount", "astray",
	};

	print("%s", *text ? " " : "");
	switch (r->kind) {
	case V9_FLOW_RANGE:
		print("%llx-%llx%s", (long long)r->start, (long long)r->end, r->taken ? "*" : "");
		return;
	case V9_FLOW_UNPLACED:
		print("%u", r->insns);
		break;
	case V9_FLOW_EXCEPTION:
		print("!%u", r->type);
		break;
	case V9_FLOW_GAP:
		print("-%s", why[r->why]);
		break;
	case V9_FLOW_TIME:
		print("t%llu", (long long)r->value);
		return;
	case V9_FLOW_CYCLES:
		print(r->counted ? "c%u" : "c?", r->cycles);
		return;
	case V9_FLOW_EVENT:
		print("e%u", r->type);
		return;
	case V9_FLOW_INSTRUMENTATION:
		print("i%llu/%u", (long long)r->value, r->type);
		return;
	case V9_FLOW_MARKER:
		print("m");
		return;
	case V9_FLOW_MARK:
		print("k%x:%llx/%u", (unsigned int)(r->value >> 52 & 15),
		      (long long)(r->value & ((UINT64_C(1) << 52) - 1)), r->type);
		if (r->value >> 56 != 0x56)
			print("!");
		break;
	case V9_FLOW_MARK_CUT:
		print("k?/%u", r->type);
		break;
	default:
		print(r->kind == V9_FLOW_TX_START ? "tx" :
		    r->kind == V9_FLOW_TX_COMMIT ? "/tx" : "x");
		return;
	}
	if (r->addressed)
		print("@%llx", (long long)r->start);
}

static uint64_t told_insns;		/* of all ranges of a decoding */
static bool sizes_agree = true;		/* of all ranges in A64 */

static void drain(void)
{
	struct v9_flow_rec rec;

	while (v9_flow_next(&flow, &rec) > 0) {
		describe(&rec);
		if (rec.kind != V9_FLOW_RANGE)
			continue;
		told_insns += rec.insns;
		sizes_agree &= rec.isa != V9_ISA_A64 || rec.end - rec.start == 4 * rec.insns;
	}
}

static void begin(const struct setting *s)
{
	struct v9_ete_config cfg;

	v9_ete_config_init(&cfg, ITE | TSMARK | (s->commtrans ? COMMTRANS : 0), s->maxspec, false);
	memset(&flow, 0xcd, sizeof(flow));
	v9_flow_reset(&flow, &cfg, s->wfx, s->stack, read_code, &img);
	text[0] = 0;
	told_insns = 0;
}

/* A copy of exact size, so that sanitizers find reads beyond it */
static void feed(const uint8_t *p, size_t n, uint64_t offset)
{
	uint8_t *copy = malloc(n ?: 1);

	memcpy(copy, p, n);
	v9_flow_feed(&flow, copy, n, offset);
	drain();
	free(copy);
}

static uint64_t finish(void)
{
	v9_flow_end(&flow);
	drain();
	v9_flow_free(&flow);
	return v9_ete_account_bytes(&flow.ete.acc);
}

/* Decodes in parts of @step bytes. Returns true if all bytes are accounted for. */
static bool decode(const struct setting *s, const uint8_t *p, size_t n, size_t step)
{
	begin(s);
	for (size_t at = 0; at < n; at += step)
		feed(p + at, n - at < step ? n - at : step, at);
	return finish() == n;
}

/* ---- scenarios */

#define SYNC		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80
#define INFO		0x01, 0x00
#define ON		0x04
/* Target address of 16 bits with context: Non-secure EL0, A64 */
#define AT(a)		0x82, ((a) >> 2 & 0x7f), ((a) >> 9 & 0x7f), 0x00, 0x00, 0x30
#define AT_A32(a)	0x82, ((a) >> 2 & 0x7f), ((a) >> 9 & 0x7f), 0x00, 0x00, 0x20
#define AT_T32(a)	0x83, ((a) >> 1 & 0x7f), ((a) >> 8), 0x00, 0x00, 0x20
/* Target address alone */
#define TO(a)		0x9a, ((a) >> 2 & 0x7f), ((a) >> 9 & 0x7f), 0x00, 0x00
#define E		0xf7
#define N		0xf6
#define PAD		0x70
#define BEGIN(a)	SYNC, INFO, ON, AT(a)

#define B(...)	(const uint8_t[]){ __VA_ARGS__ }, sizeof((const uint8_t[]){ __VA_ARGS__ })

#define T7	"2800-2804* 2800-2804* 2800-2804* 2800-2804* 2800-2804* 2800-2804* 2800-2804* "
#define T21	T7 T7 T7

static const struct scenario {
	const char *name;
	struct setting s;
	const uint8_t *bytes;
	size_t n;
	const char *want;
} scenarios[] = {
	/* shows: ETE-R_SKGWZ ETE-R_SFYMW ETE-R_XVHWG ETE-R_LMHFW */
	{ "golden_vector", { 0 }, B(BEGIN(0x1000), 0xd9, 0x06, 0x1d, 0x95, 0x85, 0x10),
	  "-filter 1000-1004* 2000-2010 2010-2014 !14@2014" },
	{ "golden_vector_context_first", { 0 },
	  B(SYNC, INFO, ON, 0x81, 0x30, 0x95, 0x80, 0x08, 0xd9, 0x06, 0x1d, 0x95, 0x85, 0x10),
	  "-filter 1000-1004* 2000-2010 2010-2014 !14@2014" },
	/* shows: ETE-R_HFCTC ETE-R_QHSBN ETE-R_SBZJB */
	{ "return_stack", { .stack = true }, B(BEGIN(0x2100), 0xff, E),
	  "-filter 2100-2104* 2200-2208* 2104-210c* 2100-2104*" },
	{ "no_return_stack", { 0 }, B(BEGIN(0x2100), 0xff, TO(0x2100), E),
	  "-filter 2100-2104* 2200-2208* -noaddr 2100-2104*" },
	/* shows: ETE-R_SLDXR */
	{ "call_returns_to_next", { .stack = true }, B(BEGIN(0x2300), 0xdb),
	  "-filter 2300-2304* 2304-2308*" },
	{ "target_beats_stack", { .stack = true }, B(BEGIN(0x2100), 0xdb, TO(0x2000), N),
	  "-filter 2100-2104* 2200-2208* 2000-2010" },
	{ "stack_dies_at_trace_info", { .stack = true },
	  B(BEGIN(0x2100), E, SYNC, INFO, 0x82, 0, 0x11, 0, 0, 0x30, E, TO(0x1000), E),
	  "-filter 2100-2104* 2200-2208* 1000-1004*" },
	{ "stack_of_trace_info_is_empty", { .stack = true }, B(BEGIN(0x2100), E, SYNC, INFO, 0xdb),
	  "-filter 2100-2104* 2200-2208* -noaddr" },
	{ "stack_dies_at_trace_on", { .stack = true },
	  B(BEGIN(0x2100), E, ON, AT(0x2200), E, E),
	  "-filter 2100-2104* -filter 2200-2208* -noaddr" },
	/* Unknown code may have called or returned. */
	{ "stack_dies_in_unknown_code", { .stack = true },
	  B(BEGIN(0x2100), E, TO(0x5000), E, TO(0x2204), E, E),
	  "-filter 2100-2104* -nocode@5000 2204-2208* -noaddr" },
	/* shows: ETE-R_SFYMW */
	{ "supervisor_call", { 0 }, B(BEGIN(0x2400), 0x06, 0x05, 0x95, 0x01),
	  "-filter 2400-2404 !2@2404" },
	{ "exception_at_once", { 0 }, B(BEGIN(0x2400), 0x06, 0x1d, 0x90),
	  "-filter !14@2400" },
	/* shows: ETE-I_PCMYT */
	{ "exception_at_target", { 0 }, B(BEGIN(0x2200), E, 0x06, 0x5c, 0x95, 0xc1, 0x10),
	  "-filter 2200-2208* !14@2104" },
	{ "exception_skips_branches", { 0 }, B(BEGIN(0x2500), 0x06, 0x1d, 0x95, 0x43),
	  "-filter 2500-250c !14@250c" },
	{ "exception_behind", { 0 }, B(BEGIN(0x2500), 0x06, 0x1d, 0x95, 0x80, 0x10, TO(0x1000), E),
	  "-filter -astray@2500 !14@2000 1000-1004*" },
	/* shows: ETE-R_NRJGC */
	{ "pe_reset", { 0 }, B(BEGIN(0x2500), 0x06, 0x01, 0x70, ON, AT(0x1000), E),
	  "-filter !0 -filter 1000-1004*" },
	{ "exceptions_in_a_row", { 0 },
	  B(BEGIN(0x2400), 0x06, 0x05, 0x95, 0x01, TO(0x2200), 0x06, 0x1d, 0x90),
	  "-filter 2400-2404 !2@2404 !14@2200" },
	/* shows: ETE-R_QBGXJ ETE-R_KJTCL ETE-R_PBVZM */
	{ "wait_is_p0", { .wfx = true }, B(BEGIN(0x2408), 0xff),
	  "-filter 2408-240c* 240c-2410* 2410-2414*" },
	{ "wait_is_none", { 0 }, B(BEGIN(0x2408), 0xdb), "-filter 2408-240c* 240c-2414*" },
	/* shows: ETE-R_WLTNX ETE-R_PNBGQ */
	{ "cancel", { .maxspec = 4 }, B(BEGIN(0x2500), 0xd8, 0x2e, 0x01, E, 0x2d, 0x02),
	  "-filter 2500-2504 2504-250c*" },
	/* shows: ETE-R_SPBCG */
	{ "cancel_takes_addresses", { .maxspec = 4 },
	  B(BEGIN(0x2200), E, TO(0x1000), E, 0x74, 0x2e, 0x01, TO(0x2100), E, 0x2d, 0x02),
	  "-filter 2200-2208* e4 2100-2104*" },
	/* shows: ETE-R_CJRNL */
	{ "cancel_keeps_instrumentation", { .maxspec = 4 },
	  B(BEGIN(0x2500), 0xd8, 0x09, 0x01, 7, 0, 0, 0, 0, 0, 0, 0, 0x2e, 0x01, E, 0x2d, 0x02),
	  "-filter 2500-2504 i7/1 2504-250c*" },
	{ "cancel_and_mispredict", { .maxspec = 4 }, B(BEGIN(0x2500), 0xd8, 0x34, 0x2d, 0x01),
	  "-filter 2500-2504*" },
	{ "cancel_format_3", { .maxspec = 4 },
	  B(BEGIN(0x2500), 0xf8, 0x38, 0x2d, 0x01), "-filter 2500-2504*" },
	/* shows: ETE-R_YJCNT ETE-I_HVWCN */
	{ "mispredict", { .maxspec = 4 }, B(BEGIN(0x2500), N, 0x30, 0x2d, 0x01, E, 0x2d, 0x01),
	  "-filter 2500-2504* 2520-2524*" },
	{ "mispredict_twice", { .maxspec = 4 }, B(BEGIN(0x2500), N, 0x30, 0x30, 0x2d, 0x01),
	  "-filter 2500-2504" },
	/* shows: ETE-I_MDSCN */
	{ "mispredict_after_commit", { .maxspec = 4 },
	  B(BEGIN(0x2500), N, 0x2d, 0x01, 0x30, E, 0x2d, 0x01), "-filter 2500-2504* 2520-2524*" },
	{ "mispredicted_return", { .maxspec = 4 },
	  B(BEGIN(0x2200), N, 0x30, 0x2d, 0x01, TO(0x1000), E, 0x2d, 0x01),
	  "-filter 2200-2208* 1000-1004*" },
	/* shows: ETE-R_YKLRM */
	{ "implied_commit", { .maxspec = 2 }, B(BEGIN(0x2500), 0xfc), "-filter 2500-2504" },
	/* shows: ETE-R_JKLZY ETE-R_EXKEZ */
	{ "unseen", { .maxspec = 4 },
	  B(SYNC, 0x01, 0x04, 0x03, ON, AT(0x2500), N, 0x2d, 0x03, 0x2d, 0x01),
	  "-filter 2500-2504" },
	{ "unseen_cancelled", { .maxspec = 4 },
	  B(SYNC, 0x01, 0x04, 0x03, ON, AT(0x2500), N, 0x2e, 0x03, 0x2d, 0x01, ON, AT(0x1000), E,
	    0x2d, 0x01),
	  "-filter 1000-1004*" },
	/*
	 * Three uncommitted P0 elements that were not traced, and an Atom. The Cancel removes the Atom and two of
	 * the three. After the next Atom a Commit of two elements is valid, and one of three is not.
	 */
	{ "unseen_cancelled_then_two", { .maxspec = 4 },
	  B(SYNC, 0x01, 0x04, 0x03, ON, AT(0x2500), N, 0x2e, 0x03, ON, AT(0x1000), E,
	    0x2d, 0x02),
	  "-filter 1000-1004*" },
	{ "unseen_cancelled_then_three", { .maxspec = 4 },
	  B(SYNC, 0x01, 0x04, 0x03, ON, AT(0x2500), N, 0x2e, 0x03, ON, AT(0x1000), E,
	    0x2d, 0x03),
	  "-filter 1000-1004* -lost" },
	/* shows: ETE-R_CTYFK */
	{ "discard", { .maxspec = 4 }, B(BEGIN(0x2500), 0xd8, 0x71, 0x00, 0x03),
	  "-filter e1 -discard" },
	/* shows: ETE-R_LDDLP */
	{ "overflow", { 0 }, B(BEGIN(0x1000), E, 0x00, 0x05, SYNC, INFO, ON, AT(0x2100), E),
	  "-filter 1000-1004* -overflow -filter 2100-2104*" },
	/* The context is not known either, until the next one. */
	{ "context_dies_in_overflow", { 0 },
	  B(BEGIN(0x1000), E, 0x00, 0x05, SYNC, INFO, ON, TO(0x2100), E),
	  "-filter 1000-1004* -overflow -filter -noaddr" },
	{ "context_survives_trace_on", { 0 }, B(BEGIN(0x1000), E, ON, TO(0x2100), E),
	  "-filter 1000-1004* -filter 2100-2104*" },
	{ "missing_code", { 0 }, B(BEGIN(0x2ff8), E, E, TO(0x2100), E),
	  "-filter 2ff8-3000 -nocode@3000 2100-2104*" },
	{ "nothing_there", { 0 }, B(BEGIN(0x4000), E, TO(0x2100), E),
	  "-filter -nocode@4000 2100-2104*" },
	/* shows: ETE-I_DJTGL ETE-R_SRYKV */
	{ "source_address", { 0 }, B(BEGIN(0x2500), 0xb4, 0x44, N),
	  "-filter 2500-2514* 2000-2010" },
	{ "source_address_t32", { .maxspec = 4 },
	  B(SYNC, INFO, ON, AT_T32(0x260e), 0xb5, 0x09, E, 0x2d, 0x02), "-filter 260e-2614* 2612-2614*" },
	{ "source_address_of_none", { 0 }, B(BEGIN(0x2500), 0xb4, 0x41, TO(0x1000), E),
	  "-filter -astray@2500 1000-1004*" },
	/* shows: ETE-R_XWBMW ETE-R_FZTZP */
	{ "q_branch", { 0 }, B(BEGIN(0x2500), 0xa5, 0x48, 0x01, E),
	  "-filter 2500-2504* 2520-2524*" },
	{ "q_line", { 0 }, B(BEGIN(0x2000), 0xa5, 0x02, 0x02, N), "-filter 2000-2008 2008-2010" },
	{ "q_path_unknown", { 0 }, B(BEGIN(0x2500), 0xa5, 0x40, 0x04, N),
	  "-filter 4@2500 2500-2504" },
	{ "q_no_count", { 0 }, B(BEGIN(0x2500), 0xaf, TO(0x1000), E),
	  "-filter -nocount@2500 1000-1004*" },
	/* shows: ETE-R_SVGNN ETE-R_BTWGD */
	{ "periodic_sync", { 0 },
	  B(BEGIN(0x2100), E, SYNC, INFO, 0x82, 0x00, 0x11, 0x00, 0x00, 0x30, E, TO(0x1000), E),
	  "-filter 2100-2104* 2200-2208* 1000-1004*" },
	/* shows: ETE-R_KJNMB ETE-R_PFZXK ETE-R_JMLLY */
	{ "times_and_cycles", { 0 },
	  B(SYNC, 0x01, 0x09, 0x01, 0x04, ON, AT(0x1000), E, 0x0f, 0x0e, 0x0a, 0x02, 0x05, 0x11,
	    0x02, 0x81, 0x01, N),
	  "-filter 1000-1004* c? c14 t5 c5 t129 2000-2010" },
	/* shows: ETE-R_SMLVB */
	{ "event_before_info", { 0 }, B(SYNC, 0x73, INFO, ON, AT(0x1000), E),
	  "e3 -filter 1000-1004*" },
	/* shows: ETE-R_RHDMW ETE-R_QWBLT */
	{ "a32", { 0 }, B(SYNC, INFO, ON, AT_A32(0x2604), N, E),
	  "-filter 2604-2608 2608-260c*" },
	{ "t32", { 0 }, B(SYNC, INFO, ON, AT_T32(0x2610), E, 0x96, 0x09, E),
	  "-filter 2610-2612* 2612-2614*" },
	{ "t32_calls_a32", { 0 }, B(SYNC, INFO, ON, AT_T32(0x2630), E, E),
	  "-filter 2630-2634* 2608-260c*" },
	{ "t32_calls_a32_committed", { .maxspec = 4 },
	  B(SYNC, INFO, ON, AT_T32(0x2630), E, E, 0x2d, 0x02), "-filter 2630-2634* 2608-260c*" },
	{ "address_unknown", { 0 }, B(SYNC, INFO, ON, 0x81, 0x30, E, E, TO(0x1000), E),
	  "-filter -noaddr 1000-1004*" },
	{ "context_unknown", { 0 }, B(SYNC, INFO, ON, TO(0x1000), E, AT(0x1000), E),
	  "-filter -noaddr 1000-1004*" },
	{ "noise_before", { 0 }, B(0x42, 0, 0, 0x80, BEGIN(0x1000), E), "-filter 1000-1004*" },
	{ "long_sync", { 0 }, B(0, 0, 0, BEGIN(0x1000), E, 0, 0, 0, 0, SYNC, INFO, AT(0x2000), N),
	  "-filter 1000-1004* 2000-2010" },
	{ "reserved_header", { 0 }, B(BEGIN(0x1000), E, 0x20, E, BEGIN(0x2100), E),
	  "-filter 1000-1004* -lost -filter 2100-2104*" },
	{ "impossible_commit", { .maxspec = 4 },
	  B(BEGIN(0x2500), N, 0x2d, 0x02, N, BEGIN(0x1000), E, 0x2d, 0x01),
	  "-filter 2500-2504 -lost -filter 1000-1004*" },
	{ "sync_without_info", { 0 }, B(BEGIN(0x1000), E, 0x20, SYNC, E, 0x95, 0x00, INFO, ON,
					AT(0x2100), E),
	  "-filter 1000-1004* -lost -filter 2100-2104*" },
	/* shows: ETE-R_DCRVK */
	{ "marker_survives", { .maxspec = 4 },
	  B(BEGIN(0x2500), N, N, 0x88, 0x2e, 0x01, 0x02, 0x05, 0x2d, 0x01),
	  "-filter 2500-2504 m t5" },
	/* shows: ETE-R_BWHCS */
	{ "instrumentation", { 0 }, B(BEGIN(0x1000), 0x09, 0x01, 1, 2, 0, 0, 0, 0, 0, 0, E),
	  "-filter i513/1 1000-1004*" },
	/* shows: ETE-R_KMNXW ETE-R_TWNQP ETE-R_MHBCG */
	{ "transaction", { 0 }, B(BEGIN(0x1000), 0x0a, E, 0x0b, 0x0a, N, 0x06, 0x31, 0x70),
	  "-filter tx 1000-1004* /tx tx 2000-2010 x" },
	{ "transaction_that_counts_nothing", { .maxspec = 1, .commtrans = true },
	  B(BEGIN(0x1000), 0x0a, E, 0x2d, 0x01, 0x0b), "-filter tx 1000-1004* /tx" },
	/* shows: ETE-R_XPKFL */
	{ "event_of_a_failed_transaction", { 0 }, B(BEGIN(0x1000), 0x0a, E, 0x71, 0x06, 0x31, 0x70),
	  "-filter tx 1000-1004* e1 x" },
	/* 14 cycles in the transaction, 6 behind it */
	{ "cycles_of_a_failed_transaction", { 0 },
	  B(SYNC, 0x01, 0x09, 0x01, 0x04, ON, AT(0x1000), 0x0a, E, 0x0e, 0x0a, 0x06, 0x31, 0x70, TO(0x2000), N, 0x0e, 0x02),
	  "-filter tx 1000-1004* c14 x 2000-2010 c6" },
	{ "padding", { 0 }, B(BEGIN(0x1000), 0x70, E, 0x70, 0x70), "-filter 1000-1004*" },
	/* shows: ETE-I_XCKNM */
	{ "later_address_wins", { 0 }, B(BEGIN(0x2200), E, TO(0x1000), TO(0x2100), E),
	  "-filter 2200-2208* 2100-2104*" },
	/* shows: ETE-I_YHQGL */
	{ "exception_to_the_next", { 0 }, B(BEGIN(0x2400), 0x06, 0x05, 0x95, 0x01, E),
	  "-filter 2400-2404 !2@2404 2404-240c*" },
	/* shows: ETE-R_HJHHV */
	{ "a32_wait_passed", { .wfx = true }, B(SYNC, INFO, ON, AT_A32(0x2620), E, E),
	  "-filter 2620-2624* 2624-2628*" },
	{ "a32_wait_failed", { .wfx = true }, B(SYNC, INFO, ON, AT_A32(0x2620), N, E),
	  "-filter 2620-2624 2624-2628*" },
	/* shows: ETE-R_BRJJF ETE-I_PXZVX ETE-R_RFYPT */
	{ "time_unknown", { 0 }, B(BEGIN(0x1000), E, 0x02, 0x00, N, 0x02, 0x07),
	  "-filter 1000-1004* t0 2000-2010 t7" },
	{ "marker_before_its_time", { 0 }, B(BEGIN(0x1000), E, 0x88, N, 0x02, 0x05),
	  "-filter 1000-1004* m 2000-2010 t5" },
	{ "time_without_marker", { 0 }, B(BEGIN(0x1000), 0x02, 0x05, E, 0x88, N, 0x02, 0x06),
	  "-filter t5 1000-1004* m 2000-2010 t6" },
	/* shows: ETE-R_TVWLZ */
	{ "cycles_of_a_time_are_no_count", { 0 },
	  B(SYNC, 0x01, 0x09, 0x01, 0x04, ON, AT(0x1000), E, 0x0e, 0x0a, 0x03, 0x05, 0x09, N,
	    0x0e, 0x02),
	  "-filter 1000-1004* c14 t5 2000-2010 c6" },
	/* shows: ETE-R_FFXPW */
	{ "call_pushes_though_corrected", { .stack = true, .maxspec = 4 },
	  B(BEGIN(0x2100), E, 0x30, 0x06, 0x1d, 0x95, 0x41, TO(0x2200), E, E, 0x2d, 0x04),
	  "-filter 2100-2104 !14@2104 2200-2208* 2104-210c*" },
	{ "call_not_taken_at_first_pushes_nothing", { .stack = true, .maxspec = 4 },
	  B(BEGIN(0x2100), N, 0x30, E, E, 0x2d, 0x03), "-filter 2100-2104* 2200-2208* -noaddr" },
	/* shows: ETE-R_ZCCBS */
	{ "return_corrected_pops", { .stack = true, .maxspec = 4 },
	  B(BEGIN(0x2100), E, N, 0x30, E, 0x2d, 0x03),
	  "-filter 2100-2104* 2200-2208* 2104-210c*" },
	/* shows: ETE-R_GVLKJ */
	{ "q_pushes_nothing", { .stack = true }, B(BEGIN(0x2100), 0xa5, 0x80, 0x11, 0x01, E, E),
	  "-filter 2100-2104* 2200-2208* -noaddr" },
	{ "q_pops_nothing", { .stack = true },
	  B(BEGIN(0x2100), E, 0xa5, 0x40, 0x02, E, E, E),
	  "-filter 2100-2104* 2200-2208* 2100-2104* 2200-2208* 2104-210c*" },
	/* shows: ETE-R_KGPTB */
	{ "cancel_across_trace_info", { .maxspec = 4 },
	  B(BEGIN(0x2200), E, TO(0x1000), E, SYNC, 0x01, 0x04, 0x02, AT(0x2000), 0x2e, 0x01,
	    AT(0x1000), E, 0x2d, 0x02),
	  "-filter 2200-2208* 1000-1004*" },
	/* shows: ETE-I_GPQZW */
	{ "trace_on_before_a_mispredict", { .maxspec = 4 },
	  B(BEGIN(0x2500), E, ON, TO(0x1000), E, 0x34, TO(0x2504), E, 0x2d, 0x02),
	  "-filter 2500-2504 2504-250c*" },
	{ "trace_on_of_a_wrong_path", { .maxspec = 4 },
	  B(BEGIN(0x2500), N, ON, TO(0x1000), E, 0x2e, 0x01, TO(0x2504), E, 0x2d, 0x02),
	  "-filter 2500-2504 2504-250c*" },
	{ "trace_on_of_a_wrong_path_committed", { .maxspec = 4 },
	  B(BEGIN(0x2500), N, 0x2d, 0x01, ON, TO(0x1000), E, 0x2e, 0x01, TO(0x2504), E, 0x2d, 0x01),
	  "-filter 2500-2504 2504-250c*" },
	{ "trace_on_then_elsewhere", { .maxspec = 4 },
	  B(BEGIN(0x2500), N, ON, TO(0x1000), E, 0x2e, 0x01, TO(0x2520), E, 0x2d, 0x02),
	  "-filter 2500-2504 -filter 2520-2524*" },
	{ "trace_on_then_the_branch_again", { .maxspec = 4 },
	  B(BEGIN(0x2500), N, ON, TO(0x2504), E, 0x2e, 0x01, E, 0x2d, 0x02),
	  "-filter 2500-2504 -filter 2504-250c*" },
	{ "trace_on_behind_a_wrong_target", { .maxspec = 4 },
	  B(BEGIN(0x2200), E, TO(0x2500), ON, TO(0x1000), E, 0x2e, 0x01, TO(0x2100), E, 0x2d, 0x02),
	  "-filter 2200-2208* 2100-2104*" },
	{ "trace_on_behind_no_target", { .maxspec = 4 },
	  B(BEGIN(0x2200), E, ON, TO(0x1000), E, 0x2e, 0x01, TO(0x2100), E, 0x2d, 0x02),
	  "-filter 2200-2208* -filter 2100-2104*" },
	{ "trace_on_behind_an_exception", { .maxspec = 4 },
	  B(BEGIN(0x2500), 0x06, 0x1d, 0x90, ON, TO(0x1000), E, 0x2e, 0x01, TO(0x2500), N, 0x2d, 0x02),
	  "-filter !14@2500 -filter 2500-2504" },
	{ "trace_on_behind_a_wrong_trace_info", { .maxspec = 4 },
	  B(BEGIN(0x2500), N, SYNC, 0x01, 0x04, 0x01, AT(0x1000), ON, TO(0x2100), E, 0x2e, 0x01,
	    AT(0x2504), E, 0x2d, 0x02),
	  "-filter 2500-2504 2504-250c*" },
	{ "trace_on_before_a_trace_info", { .stack = true, .maxspec = 4 },
	  B(BEGIN(0x2100), E, E, ON, TO(0x1000), SYNC, 0x01, 0x04, 0x02, AT(0x1000), E, 0x2e, 0x01,
	    AT(0x2500), N, 0x2d, 0x03),
	  "-filter 2100-2104* 2200-2208* -filter 2500-2504" },
	{ "trace_on_of_the_first_branch", { .maxspec = 4 },
	  B(BEGIN(0x2500), N, 0x2e, 0x01, AT(0x2500), N, 0x2d, 0x01), "-filter 2500-2504" },
	{ "trace_on_without_a_branch", { .maxspec = 4 },
	  B(BEGIN(0x2500), N, 0x2d, 0x01, ON, TO(0x1000)), "-filter 2500-2504 -filter" },
	/* shows: ETE-R_KDTVX */
	{ "cancel_then_exception", { .maxspec = 4 },
	  B(BEGIN(0x2500), N, E, 0x2e, 0x01, 0x06, 0x1d, 0x95, 0x42, 0x2d, 0x02),
	  "-filter 2500-2504 2504-2508 !14@2508" },
	/*
	 * D4.3.7.2, R_SZRHP, R_DCRVK: in order with P0, events and instrumentation, cancelled or
	 * not
	 */
	{ "marker_keeps_its_place", { .maxspec = 4 },
	  B(BEGIN(0x2500), N, 0x88, 0x71, N, 0x09, 0x01, 7, 0, 0, 0, 0, 0, 0, 0, 0x88, 0x2d, 0x02, 0x02,
	    0x05),
	  "-filter 2500-2504 m e1 2504-250c i7/1 m t5" },
	{ "marker_of_the_cancelled", { .maxspec = 4 },
	  B(BEGIN(0x2500), N, N, 0x88, E, 0x88, 0x2e, 0x02, 0x02, 0x05, 0x2d, 0x01),
	  "-filter 2500-2504 m m t5" },
	/* D4.5.10.20, R_STQSN, R_WYYPN, R_LGWQF: a packet each, in order, 64 bits and the level */
	{ "instrumentation_in_order", { 0 },
	  B(BEGIN(0x1000), 0x09, 0x00, 0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe,
	    0x09, 0x02, 1, 0, 0, 0, 0, 0, 0, 0, E, 0x09, 0x03, 0, 0, 0, 0, 0, 0, 0, 0x80),
	  "-filter i18364758544493064720/0 i1/2 1000-1004* i9223372036854775808/3" },
	/* D4.5.10.1, R_NZPLB, R_LMDZV: an ISB whose condition failed, with and without effect */
	{ "a32_isb_synchronized", { 0 }, B(SYNC, INFO, ON, AT_A32(0x2640), E, E),
	  "-filter 2640-2644* 2644-2648*" },
	{ "a32_isb_failed", { 0 }, B(SYNC, INFO, ON, AT_A32(0x2640), N, E),
	  "-filter 2640-2644 2644-2648*" },
	/* D4.5.10.1, R_FPHFM: the Q element ends with the region, what follows has atoms */
	{ "q_past_a_branch", { 0 }, B(BEGIN(0x2500), 0xa5, 0x02, 0x02, 0x95, 0x42, E),
	  "-filter 2@2500 2508-250c*" },
	/* D4.3.5.4, I_XPNWS: one path of so many instructions leads to the address, or several do */
	{ "q_of_two_branches", { 0 }, B(BEGIN(0x2500), 0xa5, 0x50, 0x03, N),
	  "-filter 2500-2504 2504-250c* 2540-2584" },
	{ "q_in_a_loop", { 0 }, B(BEGIN(0x2104), 0xa5, 0x80, 0x11, 0x03, E),
	  "-filter 2104-210c* 2100-2104* 2200-2208*" },
	{ "q_a32_return_not_taken", { 0 }, B(SYNC, INFO, ON, AT_A32(0x2880), 0xa5, 0xa1, 0x14, 0x01, E),
	  "-filter 2880-2884 2884-2888*" },
	{ "q_a32_return_taken", { 0 }, B(SYNC, INFO, ON, AT_A32(0x2880), 0xa5, 0x80, 0x13, 0x01, E),
	  "-filter 2880-2884* 2600-2604*" },
	/* The path goes from T32 to A32; the set of the address counts, too */
	{ "q_of_both_sets", { 0 }, B(SYNC, INFO, ON, AT_T32(0x2630), 0xa5, 0x91, 0x13, 0x02, E),
	  "-filter 2630-2634* 2608-260c* 2644-2648*" },
	{ "q_to_the_other_set", { 0 }, B(SYNC, INFO, ON, AT_T32(0x2630), 0xa5, 0x82, 0x13, 0x01, E),
	  "-filter 2630-2634* 2608-260c*" },
	{ "q_to_no_such_set", { 0 }, B(SYNC, INFO, ON, AT_T32(0x2630), 0xa6, 0x84, 0x26, 0x01), "-filter 1@2630" },
	/* R_KPNGG: a path with an exception return that is not the last instruction is none. shows: ETE-R_XWBMW */
	{ "q_up_to_an_eret", { 0 }, B(BEGIN(0x25a0), 0xa5, 0x80, 0x10, 0x03, N),
	  "-filter 25a0-25a4* 25a8-25b0* 2000-2010" },
	{ "q_of_most_branches", { 0 }, B(BEGIN(0x2800), 0xa5, 0x81, 0x14, 0x40, E),
	  "-filter " T21 T21 T21 "2800-2804 2804-2904* k1:2a00/0@2900" },
	{ "q_of_too_many_branches", { 0 }, B(BEGIN(0x2800), 0xa5, 0x81, 0x14, 0x41, E),
	  "-filter 65@2800 2804-2904* k1:2a00/0@2900" },
	{ "q_with_a_call", { 0 }, B(BEGIN(0x2100), 0xa5, 0x81, 0x11, 0x02, E),
	  "-filter 2100-2104* 2200-2204 2204-2208*" },
	{ "q_one_way_is_shorter", { 0 }, B(BEGIN(0x2580), 0xa5, 0x64, 0x02, E),
	  "-filter 2580-2584* 258c-2590 2590-259c*" },
	/* D4.3.5.4, I_BTNZC: the new context, here A32, may precede the address */
	{ "q_before_a_context", { 0 }, B(BEGIN(0x2500), 0xac, 0x01, 0x81, 0x20, TO(0x2520)),
	  "-filter 2500-2504*" },
	{ "q_either_way", { 0 }, B(BEGIN(0x2580), 0xa5, 0x65, 0x03, E),
	  "-filter 3@2580 2594-259c*" },
	{ "q_past_a_return", { 0 }, B(BEGIN(0x2200), 0xa5, 0xc1, 0x10, 0x03, E),
	  "-filter 3@2200 2104-210c*" },
	{ "q_not_taken_unconditional", { 0 }, B(BEGIN(0x2588), 0xa5, 0x63, 0x01, E),
	  "-filter 1@2588 258c-259c*" },
	{ "q_up_to_the_region", { 0 }, B(BEGIN(0x2504), 0xa5, 0x42, 0x01, E),
	  "-filter 2504-2508 2508-250c*" },
	/*
	 * D4.5.10.13, R_HHKGB, R_RJCBT: only the lower bits of an invalid address need be correct
	 */
	{ "exception_at_an_invalid_address", { .stack = true },
	  B(BEGIN(0x2100), E, E, 0x9d, 0x02, 0x11, 0x00, 0x00, 0x00, 0x00, 0x00, 0x20,
	    0x06, 0x17, 0x9d, 0x02, 0x11, 0x00, 0x00, 0x00, 0x00, 0x40, 0x00),
	  "-filter 2100-2104* 2200-2208* !11@40000000002208" },
	{ "exception_elsewhere", { 0 },
	  B(BEGIN(0x2200), E, 0x9d, 0x02, 0x11, 0x00, 0x00, 0x00, 0x00, 0x00, 0x20,
	    0x06, 0x17, 0x9d, 0x04, 0x11, 0x00, 0x00, 0x00, 0x00, 0x40, 0x00),
	  "-filter 2200-2208* -astray@2000000000002208 !11@40000000002210" },
	/* D4.5.11.2, R_MHYFV, R_VQTVR: targets of direct branches; the return stack is not used */
	{ "broadcast", { 0 }, B(BEGIN(0x1000), E, TO(0x2000), N, TO(0x2020)),
	  "-filter 1000-1004* 2000-2010" },
	{ "broadcast_mispredicted", { .maxspec = 4 },
	  B(BEGIN(0x2500), E, TO(0x2520), 0x30, N, 0x2d, 0x02), "-filter 2500-2504 2504-250c" },
	{ "broadcast_beats_stack", { .stack = true },
	  B(BEGIN(0x2100), E, TO(0x2200), E, TO(0x2104), E, TO(0x2100), E),
	  "-filter 2100-2104* 2200-2208* 2104-210c* 2100-2104*" },
	/* Calls of such a region are below later calls in the stack and are not used. */
	{ "broadcast_region_left", { .stack = true },
	  B(BEGIN(0x2100), E, TO(0x2200), E, TO(0x2700), E, TO(0x2204), E, E, TO(0x1000), E),
	  "-filter 2100-2104* 2200-2208* 2700-2704* 2204-2208* 2704-2708* 1000-1004*" },
	/* D4.5.12.3, R_FPDFJ: address 0, IS0, after a reset without an address */
	{ "reset_gives_history_a_0", { 0 },
	  B(SYNC, INFO, ON, 0x83, 0x00, 0x24, 0x34, 0x12, 0x20, 0x06, 0x01, 0x70, ON, 0x90, 0x81, 0x30,
	    0x06, 0x1d, 0x90),
	  "-filter !0 -filter !14@0" },
	/* D4.5.12.3, R_FVRPZ: a cancelled call is removed from the stack */
	{ "cancelled_call_pushes_nothing", { .stack = true, .maxspec = 4 },
	  B(BEGIN(CHAIN), E, E, 0x2e, 0x01, 0x06, 0x1d, 0x95, 0x42, TO(0x2204), E, E, 0x2d, 0x03,
	    TO(0x1000), E, 0x2d, 0x02),
	  "-filter 2700-2704* !14@2708 2204-2208* 2704-2708* 1000-1004*" },
	/* D4.5.12.4, R_GPGQQ: the first timestamp after Trace Info has all bits */
	{ "time_anew_after_trace_info", { 0 },
	  B(BEGIN(0x1000), E, 0x02, 0x85, 0x01, 0x02, 0x06, SYNC, INFO, AT(0x2000), 0x02, 0x07, N),
	  "-filter 1000-1004* t133 t134 t7 2000-2010" },
	/* shows: ETE-R_NSMJF ETE-I_SKJSP */
	{ "discard_then_reset", { .maxspec = 4 },
	  B(BEGIN(0x2500), N, 0x00, 0x03, 0x06, 0x01, 0x70, 0x2d, 0x01),
	  "-filter -discard -noaddr !0" },
	/* marks in the code */
	{ "mark_begin", { 0 }, B(BEGIN(0x2900), E, E),
	  "-filter 2900-2904* k1:2a00/0@2900 2914-2918*" },
	{ "mark_end_before_it", { 0 }, B(BEGIN(0x2920), E), "-filter 2920-2924* k2:1930/0@2920" },
	{ "mark_hostile_offset", { 0 }, B(BEGIN(0x2940), E, E),
	  "-filter 2940-2944* k3:fffff80002950/0@2940 2954-2958*" },
	{ "mark_of_several_atoms", { 0 }, B(BEGIN(0x28f8), 0xff, TO(0x2100), E),
	  "-filter 28f8-2904* k1:2a00/0@2900 2914-2918* 2920-2924* k2:1930/0@2920 2100-2104*" },
	{ "mark_kind_0", { 0 }, B(BEGIN(0x2960), E, E), "-filter 2960-2964* 2974-2978*" },
	{ "mark_kind_5", { 0 }, B(BEGIN(0x2980), E, E), "-filter 2980-2984* 2994-2998*" },
	{ "mark_kind_large", { 0 }, B(BEGIN(0x29a0), E, E), "-filter 29a0-29a4* 29b4-29b8*" },
	{ "mark_number_of_51_bits", { 0 }, B(BEGIN(0x29c0), E, E), "-filter 29c0-29c4* 29d4-29d8*" },
	{ "mark_jumped_into", { 0 }, B(BEGIN(0x2b00), E), "-filter 2b00-2b04*" },
	{ "mark_called", { 0 }, B(BEGIN(0x2b20), E), "-filter 2b20-2b24*" },
	{ "mark_conditional", { 0 }, B(BEGIN(0x2b40), E), "-filter 2b40-2b44*" },
	{ "mark_magic_low", { 0 }, B(BEGIN(0x2b60), E), "-filter 2b60-2b64*" },
	{ "mark_magic_high", { 0 }, B(BEGIN(0x2b80), E), "-filter 2b80-2b84*" },
	{ "mark_a32", { 0 }, B(SYNC, INFO, ON, AT_A32(0x2ba0), E), "-filter 2ba0-2ba4*" },
	{ "mark_outside_of_the_program", { 0 }, B(BEGIN(0x2ff0), E, TO(0x2100), E),
	  "-filter 2ff0-2ff4* 2100-2104*" },
	{ "mark_in_two_parts", { 0 }, B(BEGIN(0x1ff8), E, E),
	  "-filter 1ff8-1ffc* k2:2100/0@1ff8 200c-2010*" },
	{ "mark_not_taken", { 0 }, B(BEGIN(0x2900), N), "-filter 2900-2904" },
	{ "mark_mispredicted", { .maxspec = 4 }, B(BEGIN(0x2900), N, 0x30, E, 0x2d, 0x02),
	  "-filter 2900-2904* k1:2a00/0@2900 2914-2918*" },
	{ "mark_cancelled", { .maxspec = 4 }, B(BEGIN(0x2900), E, 0x2e, 0x01, ON, AT(0x2100), E, 0x2d, 0x01),
	  "-filter -filter 2100-2104*" },
	{ "mark_speculated", { .maxspec = 4 }, B(BEGIN(0x2900), E, E, 0x2d, 0x02),
	  "-filter 2900-2904* k1:2a00/0@2900 2914-2918*" },
	{ "mark_before_a_time", { 0 }, B(BEGIN(0x2900), E, 0x02, 0x05, E),
	  "-filter 2900-2904* k1:2a00/0@2900 t5 2914-2918*" },
	{ "mark_source", { 0 }, B(BEGIN(0x28fc), 0xb4, 0x40, E),
	  "-filter 28fc-2904* k1:2a00/0@2900 2914-2918*" },
	{ "mark_source_behind_a_branch", { 0 }, B(BEGIN(0x2918), 0xb4, 0x48, E),
	  "-filter 2918-2924* k2:1930/0@2920 2934-2938*" },
	{ "qmark", { 0 }, B(BEGIN(0x28fc), 0xa5, 0x45, 0x02, E),
	  "-filter 28fc-2904* k1:2a00/0@2900 2914-2918*" },
	{ "number_without_bits", { 0 }, B(BEGIN(0x29e0), E, E),
	  "-filter 29e0-29e4* k?/0@29e0 29f4-29f8*" },
	{ "number_of_other_branches", { 0 }, B(BEGIN(0x2bc0), E, E),
	  "-filter 2bc0-2bc4* k?/0@2bc0 2bd4-2bd8*" },
	{ "number_of_more_than_branches", { 0 }, B(BEGIN(0x2be0), E, E),
	  "-filter 2be0-2be4* k?/0@2be0 2bf4-2bfc*" },
	{ "number_cut_by_exception", { 0 },
	  B(BEGIN(NUMBER), E, N, E, 0x06, 0x1d, 0x95, 0x07, TO(0x2a1c), E, TO(0x2100), E),
	  "-filter 2a00-2a04* 2a14-2a18 2a18-2a1c* k?/0@2a00 !14@2a1c 2a1c-2a20* 2100-2104*" },
	{ "number_cut_by_filter", { 0 }, B(BEGIN(NUMBER), E, N, ON, AT(0x2a18), E),
	  "-filter 2a00-2a04* 2a14-2a18 k?/0@2a00 -filter 2a18-2a1c*" },
	{ "number_cut_by_overflow", { 0 },
	  B(BEGIN(NUMBER), E, N, 0x00, 0x05, SYNC, INFO, ON, AT(0x2a18), E),
	  "-filter 2a00-2a04* 2a14-2a18 k?/0@2a00 -overflow -filter 2a18-2a1c*" },
	{ "number_cut_by_address", { 0 }, B(BEGIN(NUMBER), E, N, TO(0x2100), E),
	  "-filter 2a00-2a04* 2a14-2a18 k?/0@2a00 2100-2104*" },
	{ "number_cut_by_another_bit", { 0 }, B(BEGIN(NUMBER), E, N, TO(0x2a20), E),
	  "-filter 2a00-2a04* 2a14-2a18 k?/0@2a00 2a20-2a24*" },
	{ "number_cut_at_once", { 0 }, B(BEGIN(NUMBER), E, TO(0x2900), E),
	  "-filter 2a00-2a04* k?/0@2a00 2900-2904* k1:2a00/0@2900" },
	{ "number_cut_by_another", { 0 }, B(BEGIN(NUMBER), E, N, TO(NUMBER), E),
	  "-filter 2a00-2a04* 2a14-2a18 k?/0@2a00 2a00-2a04* k?/0@2a00" },
	{ "number_cut_by_missing_code", { 0 }, B(BEGIN(NUMBER), E, N, TO(0x5000), E),
	  "-filter 2a00-2a04* 2a14-2a18 k?/0@2a00 -nocode@5000" },
	{ "number_goes_on_by_source", { 0 }, B(BEGIN(NUMBER), E, N, 0xb4, 0x06, N),
	  "-filter 2a00-2a04* 2a14-2a18 2a18-2a1c* 2a1c-2a20 k?/0@2a00" },
	{ "number_cut_by_source", { 0 }, B(BEGIN(NUMBER), E, N, TO(0x2100), 0xb4, 0x40),
	  "-filter 2a00-2a04* 2a14-2a18 k?/0@2a00 2100-2104*" },
	{ "number_cut_by_source_of_others", { 0 }, B(BEGIN(0x2bc0), E, 0xb4, 0x75),
	  "-filter 2bc0-2bc4* k?/0@2bc0 2bd4-2bd8*" },
	{ "number_cut_by_q", { 0 }, B(BEGIN(NUMBER), E, N, 0xa5, 0x07, 0x01),
	  "-filter 2a00-2a04* 2a14-2a18 k?/0@2a00 2a18-2a1c" },
	{ "number_cut_at_the_end", { 0 }, B(BEGIN(NUMBER), E, N, E),
	  "-filter 2a00-2a04* 2a14-2a18 2a18-2a1c* k?/0@2a00" },
	{ "number_not_begun", { 0 }, B(BEGIN(NUMBER + 20), E, N), "-filter 2a14-2a18* 2a18-2a1c" },
};

static void test_scenarios(void)
{
	for (size_t i = 0; i < LEN(scenarios); i++) {
		const struct scenario *c = &scenarios[i];
		bool whole = decode(&c->s, c->bytes, c->n, c->n);
		bool same = !strcmp(text, c->want);

		if (!same)
			tap_note("got  %s", text);
		if (!same)
			tap_note("want %s", c->want);
		tap_ok(same && whole, "%s", c->name);
	}
}

/* Source Addresses, also of marks, in the trace of a unit that speculates, which is decoded at once */
static void test_sources(void)
{
	static const uint8_t commit[] = { 0x2d, 0x01 };
	uint8_t bytes[512];
	unsigned int done = 0;

	for (size_t i = 0; i < LEN(scenarios); i++) {
		const struct scenario *c = &scenarios[i];
		const struct setting s = { .maxspec = 1 };

		if (!strstr(c->name, "source") || c->s.maxspec)
			continue;
		memcpy(bytes, c->bytes, c->n);
		memcpy(bytes + c->n, commit, sizeof(commit));
		memset(bytes + c->n + sizeof(commit), PAD, 64);
		decode(&s, bytes, c->n + sizeof(commit) + 64, sizeof(bytes));
		if (strcmp(text, c->want)) {
			tap_note("%s: got %s", c->name, text);
			tap_note("want %s", c->want);
			break;
		}
		done++;
	}
	tap_eq(done, 7, "sources_where_it_speculates");
}

/* Code before a Source Address is read again after it has changed. */
static void test_forgotten_sources(void)
{
	static const uint8_t head[] = { BEGIN(0x2500), 0xb4, 0x44, E, 0x2d, 0x02 };
	static const uint8_t again[] = { TO(0x2500), 0xb4, 0x44, E, 0x2d, 0x02 };
	const struct setting s = { .maxspec = 4 };
	uint32_t *const branch = &memory[(0x2510 - START) / 4], was = *branch;

	begin(&s);
	feed(head, sizeof(head), 0);
	/* The range after it can still be corrected. */
	tap_ok(!strcmp(text, "-filter 2500-2514*"), "source_before_a_change");
	*branch = 0x17fffefc;		/* B	2100 */
	v9_flow_forget(&flow);
	text[0] = 0;
	feed(again, sizeof(again), sizeof(head));
	finish();
	*branch = was;
	tap_ok(!strcmp(text, "2000-2010* 2500-2514* 2100-2104*"), "source_after_a_change");
}

/* The result does not depend on the sizes of the parts. */
static void test_stretches(void)
{
	bool same = true, whole = true;

	for (size_t i = 0; i < LEN(scenarios); i++)
		for (size_t step = 1; step < scenarios[i].n; step++) {
			const struct scenario *c = &scenarios[i];

			whole &= decode(&c->s, c->bytes, c->n, step);
			same &= !strcmp(text, c->want);
		}
	tap_ok(same, "any_extents");
	tap_ok(whole, "any_extents_accounted");
}

/* The result for the first bytes is the beginning of the result for all. */
static void test_cut(void)
{
	bool prefix = true, whole = true;

	for (size_t i = 0; i < LEN(scenarios); i++)
		for (size_t n = 0; n < scenarios[i].n; n++) {
			const struct scenario *c = &scenarios[i];

			/* A branch that a Mispredict may invert, or a Q element, is not final. */
			if (c->s.maxspec || strchr(c->name, 'q') == c->name ||
			    !strncmp(c->name, "number", 6))		/* cut by the end, too */
				continue;
			whole &= decode(&c->s, c->bytes, n, n ?: 1);
			prefix &= !strncmp(text, c->want, strlen(text));
		}
	tap_ok(prefix, "cut_at_every_byte");
	tap_ok(whole, "cut_accounted");
}

/* A gap in the stream is reported, and no range spans it. */
static void test_gap(void)
{
	static const uint8_t one[] = { BEGIN(0x2200), E, 0x9a, 0x00 };
	static const uint8_t two[] = { E, 0x00, BEGIN(0x1000), E };
	const struct setting s = { 0 };

	begin(&s);
	feed(one, sizeof(one), 0);
	feed(two, sizeof(two), 4096);
	tap_ok(finish() == sizeof(one) + sizeof(two), "gap_accounted");
	tap_ok(!strcmp(text, "-filter 2200-2208* -lost -filter 1000-1004*"), "gap");
	tap_eq(flow.ete.acc.skips[V9_ETE_SKIP_GAP], 1, "gap_counted");

	begin(&s);
	feed(one, sizeof(one) - 2, 0);
	v9_flow_break(&flow);
	feed(two + 2, sizeof(two) - 2, sizeof(one) - 2);
	tap_ok(finish() == sizeof(one) + sizeof(two) - 4, "break_accounted");
	tap_ok(!strcmp(text, "-filter 2200-2208* -lost -filter 1000-1004*"), "break");
}

/*
 * With any byte of the first part damaged, the last part is decoded from the third synchronization
 * at the latest: a packet that became longer may include the second.
 */
static void test_corrupt(void)
{
	static const uint8_t good[] = {
		BEGIN(0x1000), 0xd9, 0x06, 0x1d, 0x95, 0x85, 0x10, TO(0x2100), 0xff, 0x02, 0x99,
		0x01, 0x74, TO(0x2500), 0xd8,
	};
	static const uint8_t rest[] = { BEGIN(0x2100), E, BEGIN(0x2300), E, TO(0x1000), E };
	static const char *const want = "2300-2304* 1000-1004*";
	const struct setting settings[] = { { 0 }, { .maxspec = 3 }, { .stack = true } };
	uint8_t bytes[sizeof(good) + sizeof(rest)];
	bool found = true, whole = true;

	for (size_t i = 0; i < sizeof(good) * 256; i++) {
		const struct setting *s = &settings[i % LEN(settings)];

		memcpy(bytes, good, sizeof(good));
		memcpy(bytes + sizeof(good), rest, sizeof(rest));
		bytes[i / 256] = (uint8_t)i;
		whole &= decode(s, bytes, sizeof(bytes), sizeof(bytes));
		if (!s->maxspec)
			found &= strlen(text) >= strlen(want) &&
				 !strcmp(text + strlen(text) - strlen(want), want);
	}
	tap_ok(found, "corrupt_at_every_byte");
	tap_ok(whole, "corrupt_accounted");
}

/* All bits of a number, and what else may come between its branches */
static void test_numbers(void)
{
	static const struct { const char *name; uint64_t value; } rows[] = {
		{ "none", 0 }, { "first", 1 }, { "last", UINT64_C(1) << 51 }, { "all", (UINT64_C(1) << 52) - 1 },
		{ "alternate", 0x5555555555555 }, { "mixed", 0x8123456789abe },
	};
	static const uint8_t head[] = { BEGIN(NUMBER) }, between[][14] = {
		{ 0x02, 0x05 }, { 0x71 }, { SYNC, INFO } };
	static const size_t sizes[] = { 2, 1, 14 };
	char want[64];

	for (size_t i = 0; i < LEN(rows); i++) {
		/* the branch over the tag, the bits, the branch after them: three in a packet */
		const uint64_t atoms = 1 | rows[i].value << 1 | UINT64_C(1) << 53;
		bool right = true, whole = true;

		for (unsigned int way = 0; way < 12; way++) {
			const struct setting s = { .maxspec = way & 1 ? 64 : 0, .stack = way & 2 };
			uint8_t bytes[128];
			size_t n = sizeof(head);

			memcpy(bytes, head, n);
			for (unsigned int k = 0; k < 54; k += 3) {
				bytes[n++] = (uint8_t)(0xf8 | (atoms >> k & 7));
				if (k != 27)
					continue;
				memcpy(bytes + n, between[way / 4], sizes[way / 4]);
				n += sizes[way / 4];
				/* Trace Info says how many are uncommitted. */
				if (way / 4 == 2 && s.maxspec) {
					bytes[n - 1] = 0x04;
					bytes[n++] = k + 3;
				}
			}
			if (s.maxspec)
				memcpy(bytes + n, (const uint8_t[]){ 0x2d, 54 }, 2), n += 2;
			sprintf(want, " k4:%llx/0@2a00 2ae4-2ae8*", (long long)rows[i].value);
			for (size_t step = 1; step <= n; step++) {
				whole &= decode(&s, bytes, n, step);
				right &= strstr(text, want) && flow.counts.marks == 1 &&
					 !flow.counts.marks_cut && !strstr(text, "k?");
			}
			if (!right) {
				tap_note("got  %s", text);
				break;
			}
		}
		tap_ok(right && whole, "number_%s", rows[i].name);
	}
}

/* Source Address elements for the bits that are 1: those before them that are 0 have no elements of their own. */
static void test_numbers_by_source(void)
{
	static const uint64_t rows[] = { 0, 1, 2, UINT64_C(1) << 51, (UINT64_C(1) << 52) - 1, 0x5555555555555,
					 0x8123456789abe };
	static const uint8_t head[] = { BEGIN(NUMBER), E };

	for (size_t i = 0; i < LEN(rows); i++)
		/* 1: so has the branch behind the number. 2: the first zeros have N Atoms. */
		for (unsigned int way = 0; way < 4; way++) {
			const struct setting s = { 0 };
			uint8_t bytes[256];
			size_t n = sizeof(head);
			unsigned int left = 0;	/* zeros without an element */
			char want[64];

			memcpy(bytes, head, n);
			for (unsigned int bit = 0; bit < BITS; bit++) {
				if (rows[i] >> bit & 1) {
					bytes[n++] = 0xb4;
					bytes[n++] = (NUMBER + 20 + 4 * bit) >> 2 & 0x7f;
					left = 0;
				} else if (way & 2 && bit < 3) {
					bytes[n++] = N;
				} else {
					left++;
				}
			}
			if (way & 1) {
				bytes[n++] = 0xb4;
				bytes[n++] = (NUMBER + 20 + 4 * BITS) >> 2 & 0x7f;
			} else {
				while (left--)
					bytes[n++] = N;
				bytes[n++] = E;
			}
			decode(&s, bytes, n, n);
			sprintf(want, " k4:%llx/0@2a00", (long long)rows[i]);
			if (!strstr(text, want))
				tap_note("got  %s", text);
			tap_ok(strstr(text, want) && flow.counts.marks == 1 && !flow.counts.marks_cut,
			       "number_by_source_%zu_%u", i, way);
		}
}

/* Marks are read again after code has changed, as often as that is. */
static void test_forgotten_marks(void)
{
	static const uint8_t head[] = { BEGIN(0x2900), E }, again[] = { TO(0x2900), E };
	const struct setting s = { 0 };
	uint64_t n = sizeof(head);

	begin(&s);
	feed(head, n, 0);
	for (unsigned int i = 0; i < V9_BLOCKS + 10; i++) {
		v9_flow_forget(&flow);
		text[0] = 0;
		feed(again, sizeof(again), n);
		n += sizeof(again);
	}
	finish();
	tap_eq(flow.counts.marks, V9_BLOCKS + 11, "forgotten_marks");
}

/* A Mispredict corrects a bit, also the last one. */
static void test_corrected_numbers(void)
{
	for (unsigned int at = 0; at < BITS; at += 17) {
		static const struct setting s = { .maxspec = 100 };
		uint8_t bytes[128] = { BEGIN(NUMBER), E };
		size_t n = sizeof((const uint8_t[]){ BEGIN(NUMBER), E });
		char want[64];

		for (unsigned int i = 0; i < BITS; i++) {
			bytes[n++] = N;
			if (i == at)
				bytes[n++] = 0x30;
		}
		bytes[n++] = 0x2d;
		bytes[n++] = BITS + 1;
		decode(&s, bytes, n, n);
		sprintf(want, " k4:%llx/0@2a00", 1LL << at);
		tap_ok(strstr(text, want), "number_corrected_at_%u", at);
	}
}

static uint32_t rnd(uint64_t *s)
{
	*s = *s * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*s >> 33);
}

/* Random bytes, with Alignment Synchronizations so that packets are decoded */
static void test_noise(void)
{
	static const uint8_t head[] = { BEGIN(0x2100) };
	uint64_t seed = 1;
	uint8_t bytes[600];
	bool whole = true;

	for (unsigned int round = 0; round < 4000; round++) {
		const struct setting s = { rnd(&seed) % 4 ? rnd(&seed) % 9 : UINT32_MAX,
					   rnd(&seed) & 1, rnd(&seed) & 1, false };

		for (size_t i = 0; i < sizeof(bytes); i++)
			bytes[i] = (uint8_t)(rnd(&seed) % 3 ? 0xc0 | rnd(&seed) : rnd(&seed));
		for (size_t at = 0; at + sizeof(head) <= sizeof(bytes); at += 37 + rnd(&seed) % 90)
			memcpy(bytes + at, head, sizeof(head));
		whole &= decode(&s, bytes, sizeof(bytes), 1 + rnd(&seed) % sizeof(bytes));
	}
	tap_ok(whole, "noise_accounted");
}

/* ---- trace of a unit that speculates gives the same result as that of one that does not */

struct stream {
	uint8_t p[4096];
	size_t n;
};

static void put(struct stream *s, const uint8_t *p, size_t n)
{
	memcpy(s->p + s->n, p, n);
	s->n += n;
}

static unsigned int atoms_in(uint8_t header)
{
	const struct v9_ete_config cfg = { .commopt = true };
	struct v9_ete_pktdec dec;
	struct v9_ete_pkt pkt;

	v9_ete_pktdec_init(&dec, &cfg);
	return v9_ete_pkt_decode(&dec, &header, 1, &pkt) == 1 ? pkt.natoms : 0;
}

/* Adds uncommitted P0 elements; more than MAXSPEC commit the oldest. */
static void guess(uint32_t *depth, uint32_t n, uint32_t maxspec)
{
	*depth = *depth + n < maxspec ? *depth + n : maxspec;
}

/* Random packets as generated by two units: one that speculates, and one that does not */
static void make_both(uint64_t *seed, const struct setting *s, struct stream *known,
		      struct stream *guessed)
{
	static const uint16_t places[] = { 0x1000, 0x2000, 0x2100, 0x2200, 0x2300, 0x2400, 0x2500, NUMBER + 20 };
	static const uint8_t head[] = { BEGIN(0x2100) };
	uint32_t depth = 0;

	known->n = guessed->n = 0;
	put(known, head, sizeof(head));
	put(guessed, head, sizeof(head));
	for (unsigned int i = 0; i < 400; i++) {
		uint8_t b[8] = { (uint8_t)(0xc0 | rnd(seed)), 0x30 };
		const unsigned int kind = rnd(seed) % 12, n = atoms_in(b[0]);
		const uint16_t place = places[rnd(seed) % LEN(places)];
		const bool bits = place == NUMBER + 20;
		const uint16_t to = place + (bits ? 4 * (rnd(seed) % 8) : 0), reach = bits ? BITS - 8 : 8;
		/*
		 * The address of one of the next @reach instructions, which need not be a branch. The Mispredict
		 * after it is invalid: the decoder ignores it.
		 */
		const uint8_t source[] = { TO(to), 0xb4, (uint8_t)((to & 0x1ff) / 4 + rnd(seed) % reach), 0x30 };
		const uint8_t no_source[] = { 0xb0, 0x2e, 1 };
		const uint8_t values[][5] = {
			{ TO(to) }, { 0x71 + rnd(seed) % 15 }, { 0x06, 0x1d, 0x90 } };

		if (kind < 3) {
			put(known, values[kind], kind ? kind * 2 - 1 : 5);
			put(guessed, values[kind], kind ? kind * 2 - 1 : 5);
			guess(&depth, kind == 2, s->maxspec);
		} else if (kind == 3 && depth) {
			const uint8_t commit[] = { 0x2d, (uint8_t)(1 + rnd(seed) % depth) };

			put(guessed, commit, 2);
			depth -= commit[1];
		} else if (kind == 4 && n <= s->maxspec) {
			const uint8_t wrong[] = { b[0], 0x2e, (uint8_t)n };

			put(guessed, wrong, 3);
			guess(&depth, n, s->maxspec);
			depth -= n;
		} else if (kind == 10) {
			put(known, source, 7);
			put(guessed, source, rnd(seed) & 1 ? 7 : 8);
			guess(&depth, 1, s->maxspec);
		} else if (kind == 11) {
			put(guessed, no_source, sizeof(no_source));
			guess(&depth, 1, s->maxspec);
			depth--;
		} else {
			put(known, b, 1);
			/*
			 * One inverted atom, then Mispredict; not with a return stack, which would
			 * differ.
			 */
			b[0] ^= n == 1 && kind == 5 && !s->stack;
			put(guessed, b, n == 1 && kind == 5 && !s->stack ? 2 : 1);
			guess(&depth, n, s->maxspec);
		}
	}
	put(guessed, (const uint8_t[]){ 0x2d, (uint8_t)depth }, depth ? 2 : 0);
}

static void test_speculation(void)
{
	static struct stream known, guessed;
	static char want[sizeof(text)];
	uint64_t seed = 7;
	unsigned int same = 0, ranges = 0;
	uint64_t insns;
	bool told = true;

	for (unsigned int round = 0; round < 300; round++) {
		struct setting s = { .stack = rnd(&seed) & 1 };

		s.maxspec = 1 + rnd(&seed) % 30;
		make_both(&seed, &s, &known, &guessed);
		if (!decode(&s, guessed.p, guessed.n, 1 + rnd(&seed) % guessed.n))
			break;
		strcpy(want, text);
		ranges += (unsigned int)flow.counts.ranges;
		insns = told_insns;
		told &= flow.counts.insns == insns;
		s.maxspec = 0;
		decode(&s, known.p, known.n, known.n);
		if (strcmp(text, want) || insns != told_insns) {
			tap_note("round %u: %s, not %s", round, want, text);
			break;
		}
		same++;
	}
	tap_eq(same, 300, "speculation_gives_the_same");
	tap_ok(told, "speculation_counts_instructions");
	tap_ok(ranges > 50000, "speculation_gives_enough");
}

/* Behind each scenario of a unit that speculates are so many bytes that all of it is decoded at once. */
static void test_speculation_at_once(void)
{
	uint8_t bytes[512];
	unsigned int done = 0;

	for (size_t i = 0; i < LEN(scenarios); i++) {
		const struct scenario *c = &scenarios[i];

		if (!c->s.maxspec)
			continue;
		memcpy(bytes, c->bytes, c->n);
		memset(bytes + c->n, PAD, 64);
		decode(&c->s, bytes, c->n + 64, c->n + 64);
		if (strcmp(text, c->want)) {
			tap_note("%s: got %s", c->name, text);
			tap_note("want %s", c->want);
			break;
		}
		done++;
	}
	tap_ok(done > 30, "speculation_at_once");
}

/*
 * Packets that are decoded many at a time, in any order, between others: the same records and counters as
 * byte by byte, whether such an order is possible or not.
 */
static void test_lots(void)
{
	static const uint32_t depths[] = { 1, 2, 3, 7, 24, 40, 127, 128, 200, UINT32_MAX };
	static const uint8_t frequent[] = { 0x2d, 0x2e, 0x2f, 0x9a, 0x95, 0x90 };
	static const uint8_t head[] = { BEGIN(0x2100) };
	static char want[sizeof(text)];
	struct v9_ete_account acc;
	struct v9_flow_counts counts;
	unsigned int same = 0;
	uint64_t seed = 23, cancelled = 0, uncommitted = 0;
	uint8_t bytes[700];

	for (unsigned int round = 0; round < 3000; round++) {
		const struct setting s = { depths[rnd(&seed) % LEN(depths)], rnd(&seed) & 1, rnd(&seed) & 1, false };
		const unsigned int rare = 2 + rnd(&seed) % 200;
		size_t at = 0;

		while (at < sizeof(bytes)) {
			const unsigned int kind = rnd(&seed) % 8;

			if (at % 350 == 0 || !(rnd(&seed) % rare)) {
				/* Often only what follows the Trace Info */
				const size_t from = at % 350 && rnd(&seed) % 4 ? 14 : 0;
				const size_t left = sizeof(bytes) - at, size = sizeof(head) - from;
				const size_t n = left < size ? left : size;

				memcpy(bytes + at, head + from, n);
				at += n;
			} else if (kind == 0) {
				bytes[at++] = frequent[rnd(&seed) % LEN(frequent)];
				if (at < sizeof(bytes))
					bytes[at++] = (uint8_t)(rnd(&seed) % (rnd(&seed) % 8 ? 6 : 256));
			} else if (kind == 1) {
				bytes[at++] = (uint8_t)(0x30 | rnd(&seed) % 16);
			} else if (kind == 2 && !(rnd(&seed) % 4)) {
				/* Event and Timestamp, which no Cancel removes; Exception, Source Address */
				static const uint8_t others[][3] = { { 0x71 }, { 0x02, 0x05 }, { 0x06, 0x1d, 0x90 }, { 0xb0 } };
				const unsigned int i = rnd(&seed) % 4, size = i == 3 ? 1 : i + 1;

				if (sizeof(bytes) - at < size)
					continue;
				memcpy(bytes + at, others[i], size);
				at += size;
			} else {
				bytes[at++] = (uint8_t)(0xc0 | rnd(&seed));
			}
		}
		if (!decode(&s, bytes, sizeof(bytes), 1))
			break;
		strcpy(want, text);
		acc = flow.ete.acc;
		counts = flow.counts;
		cancelled += acc.cancelled;
		uncommitted += acc.uncommitted;
		if (!decode(&s, bytes, sizeof(bytes), round & 1 ? sizeof(bytes) : 1 + rnd(&seed) % 300))
			break;
		if (strcmp(text, want) || memcmp(&acc, &flow.ete.acc, sizeof(acc)) ||
		    memcmp(&counts, &flow.counts, sizeof(counts))) {
			tap_note("round %u, MAXSPEC %u: %s, not %s", round, s.maxspec, text, want);
			break;
		}
		same++;
	}
	tap_eq(same, 3000, "lots_give_the_same");
	tap_ok(cancelled > 100000 && uncommitted > 10000, "lots_cancel_enough");
}

/* With a limit at each offset of the stream, only what was traced before it comes out before the rest. */
static void test_until(void)
{
	static const uint8_t head[] = { BEGIN(0x2100) };
	static char want[sizeof(text)];
	bool same = true, reached = true, early = true, late = true;
	uint8_t bytes[160];
	struct v9_flow_rec rec;

	for (unsigned int maxspec = 0; maxspec < 9; maxspec += 4) {
		const struct setting s = { .stack = true, .maxspec = maxspec };

		memcpy(bytes, head, sizeof(head));
		memset(bytes + sizeof(head), 0xff, sizeof(bytes) - sizeof(head));
		decode(&s, bytes, sizeof(bytes), sizeof(bytes));
		strcpy(want, text);
		for (size_t limit = 0; limit <= sizeof(bytes); limit++) {
			unsigned int before = 0;

			begin(&s);
			early &= v9_flow_until(&flow, limit);		/* nothing was fed */
			v9_flow_feed(&flow, bytes, sizeof(bytes), 0);
			while (v9_flow_next(&flow, &rec) > 0) {
				describe(&rec);
				late &= rec.offset < limit;
				before += rec.kind == V9_FLOW_RANGE;
			}
			/* Three atoms a packet, of which the last range and MAXSPEC elements may be missing */
			reached &= v9_flow_until(&flow, limit) || limit + maxspec > sizeof(bytes);
			late &= limit < sizeof(head) || before + 1 + maxspec >= 3 * (limit - sizeof(head));
			v9_flow_until(&flow, UINT64_MAX);
			drain();
			finish();
			same &= !strcmp(text, want);
		}
	}
	tap_ok(early, "until_before_any_byte");
	tap_ok(late, "until_stops_there");
	tap_ok(reached, "until_is_reached");
	tap_ok(same, "until_loses_nothing");
	begin(&(const struct setting){ 0 });
	v9_flow_feed(&flow, head, 20, 0);
	drain();
	tap_ok(!v9_flow_until(&flow, 21) && v9_flow_until(&flow, 15), "until_waits_for_bytes");
	finish();
}

/* An N atom of an unconditional branch (D4.4.1.5, R_HGDNB; R_RNYNV) is counted. */
static void test_impossible(void)
{
	const struct {
		const char *name;
		struct setting s;
		const uint8_t *bytes;
		size_t n;
		unsigned int want;
	} rows[] = {
		{ "b", { 0 }, B(BEGIN(0x1000), N), 1 },
		{ "bl", { 0 }, B(BEGIN(0x2100), N), 1 },
		{ "ret", { 0 }, B(BEGIN(0x2200), N), 1 },
		{ "isb", { 0 }, B(BEGIN(0x2408), N), 1 },
		{ "wfi", { .wfx = true }, B(BEGIN(0x240c), N), 1 },
		{ "taken", { 0 }, B(BEGIN(0x1000), E), 0 },
		{ "cbz", { 0 }, B(BEGIN(0x2500), N), 0 },
		{ "b_cond", { 0 }, B(BEGIN(0x200c), N), 0 },
		{ "b_corrected", { .maxspec = 4 }, B(BEGIN(0x1000), N, 0x30, 0x2d, 0x01), 0 },
		{ "b_cancelled", { .maxspec = 4 }, B(BEGIN(0x1000), N, 0x2e, 0x01), 0 },
		{ "a32_isb", { 0 }, B(SYNC, INFO, ON, AT_A32(0x2640), N), 0 },
		/* An IT block may have made it conditional. */
		{ "t32_bx", { 0 }, B(SYNC, INFO, ON, AT_T32(0x2610), N), 0 },
	};

	for (size_t i = 0; i < LEN(rows); i++) {
		decode(&rows[i].s, rows[i].bytes, rows[i].n, rows[i].n);
		tap_eq(flow.counts.impossible, rows[i].want, "impossible_%s", rows[i].name);
	}
}

/*
 * One call more than a return stack has entries (R_HNDJJ: 15): the oldest entry is lost, and its
 * return needs an address. D4.5.12.3, R_ZSVDQ.
 */
static void test_deep_calls(void)
{
	static const struct setting settings[] = {
		{ .stack = true }, { .stack = true, .maxspec = 64 } };
	uint8_t bytes[256] = { BEGIN(CHAIN) };
	const uint8_t back[] = { TO(CHAIN + 4), E, TO(0x1000), E };
	size_t n = sizeof((const uint8_t[]){ BEGIN(CHAIN) });
	static char want[4096];
	size_t len;

	memset(bytes + n, E, CALLS);		/* the calls */
	n += CALLS;
	memset(bytes + n, E, CALLS);		/* returns; the last one has an address */
	n += CALLS;
	memcpy(bytes + n, back, sizeof(back));
	n += sizeof(back);
	bytes[n++] = 0x2d;
	bytes[n++] = 2 * CALLS + 2;
	len = (size_t)sprintf(want, "-filter");
	for (unsigned int i = 0; i < CALLS; i++)
		len += (size_t)sprintf(want + len, " %x-%x*", CHAIN + 8 * i, CHAIN + 8 * i + 4);
	len += (size_t)sprintf(want + len, " %x-%x*", CHAIN + 8 * CALLS, CHAIN + 8 * CALLS + 4);
	for (unsigned int i = CALLS; i--; )
		len += (size_t)sprintf(want + len, " %x-%x*", CHAIN + 8 * i + 4, CHAIN + 8 * i + 8);
	sprintf(want + len, " 1000-1004*");
	for (size_t s = 0; s < LEN(settings); s++) {
		/* A unit that does not speculate has no commits. */
		const size_t size = settings[s].maxspec ? n : n - 2;
		bool same = true, whole = true;

		for (size_t step = 1; step <= size; step++) {
			whole &= decode(&settings[s], bytes, size, step);
			same &= !strcmp(text, want);
		}
		if (!same)
			tap_note("got  %s", text);
		if (!same)
			tap_note("want %s", want);
		tap_ok(same && whole, "deep_calls_%u", settings[s].maxspec);
	}
}

/* Code without a branch ends, and a long run of zeros does not slow decoding. */
static void test_endless(void)
{
	static const uint8_t bytes[] = { BEGIN(0x1000), E };
	static const struct setting s = { 0 };
	const size_t n = 1 << 20;
	uint32_t *nops = malloc(n);
	uint8_t *zeros = calloc(1, n);

	for (size_t i = 0; i < n / 4; i++)
		nops[i] = NOP;
	v9_image_free(&img);
	v9_image_add(&img, V9_IMAGE_ANY, START, nops, n);
	decode(&s, bytes, sizeof(bytes), sizeof(bytes));
	tap_ok(strstr(text, "-astray"), "endless_line_ends");
	begin(&s);
	feed(zeros, n, 0);
	for (unsigned int i = 0; i < 100; i++)
		feed(zeros, 1, n + i);
	tap_ok(finish() == n + 100, "endless_zeros_accounted");
	v9_image_free(&img);
	make_program();
	free(nops);
	free(zeros);
}

/* Atoms that go on for longer than the fast path looks ahead, whole and in small parts */
static void test_long_run(void)
{
	static const struct setting s = { .stack = true };
	uint8_t bytes[5000] = { BEGIN(0x2100) };
	const size_t head = sizeof((const uint8_t[]){ BEGIN(0x2100) });
	bool same = true;

	memset(bytes + head, 0xff, sizeof(bytes) - head);	/* BL, RET, B: three atoms */
	for (size_t step = sizeof(bytes); step > 900; step -= 331) {
		const bool whole = decode(&s, bytes, sizeof(bytes), step);

		same &= whole && flow.counts.ranges == 3 * (sizeof(bytes) - head) &&
			flow.counts.insns == 5 * (sizeof(bytes) - head) &&
			flow.ete.acc.kinds[V9_ETE_ATOMS] == sizeof(bytes) - head;
	}
	tap_ok(same, "long_run");
}

/*
 * A stream without an Alignment Synchronization that ends in zeros: all of it is before the first
 * synchronization, and no packet was cut.
 */
static void test_never_synchronized(void)
{
	static const uint8_t bytes[] = { 0x12, PAD, 0, 0, 0x80, 0xf7, 0, 0, 0, 0 };
	static const uint8_t after[] = { SYNC, INFO, ON };
	static const struct setting s = { 0 };

	for (size_t step = 1; step <= sizeof(bytes); step++) {
		const bool whole = decode(&s, bytes, sizeof(bytes), step);
		const struct v9_ete_account *a = &flow.ete.acc;

		tap_ok(whole && a->skipped[V9_ETE_SKIP_START] == sizeof(bytes) &&
		       a->skips[V9_ETE_SKIP_START] == 1 && !a->skipped[V9_ETE_SKIP_CUT] &&
		       !a->skips[V9_ETE_SKIP_CUT] && !a->packets,
		       "never_synchronized_by_%zu", step);
	}
	/* Zeros that a synchronization follows later are of the part before it. */
	begin(&s);
	feed(bytes, sizeof(bytes), 0);
	feed(after, sizeof(after), sizeof(bytes));
	tap_ok(finish() == sizeof(bytes) + sizeof(after) &&
	       flow.ete.acc.skipped[V9_ETE_SKIP_START] == sizeof(bytes) &&
	       flow.ete.acc.skips[V9_ETE_SKIP_START] == 1, "synchronized_late");
}

/* ---- marks: the state that determines the following results, at one offset */

#define PAD4		PAD, PAD, PAD, PAD
#define PAD6		PAD4, PAD, PAD
#define MARK_SIZE	35

/* For one unit, streams with the same letter give equal marks, others do not. */
static const struct {
	const char *name;
	char same;
	bool stack;
	uint8_t bytes[MARK_SIZE];
} marks[] = {
	{ "one_call", 'a', true, { SYNC, INFO, ON, AT(0x2100), PAD, AT(0x2100), E, PAD6 } },
	{ "two_calls", 'b', true, { SYNC, INFO, ON, AT(0x2100), E, AT(0x2100), E, PAD6 } },
	{ "one_call_no_stack", 'c', false, { SYNC, INFO, ON, AT(0x2100), PAD, AT(0x2100), E, PAD6 } },
	{ "two_calls_no_stack", 'c', false, { SYNC, INFO, ON, AT(0x2100), E, AT(0x2100), E, PAD6 } },
	{ "other_history", 'd', false, { SYNC, INFO, ON, AT(0x2108), E, AT(0x2100), E, PAD6 } },
	{ "taken", 'e', false, { SYNC, INFO, ON, AT(0x200c), PAD, AT(0x200c), E, PAD6 } },
	{ "not_taken", 'f', false, { SYNC, INFO, ON, AT(0x200c), PAD, AT(0x200c), N, PAD6 } },
	{ "awaiting", 'g', false, { SYNC, INFO, ON, AT(0x2300), PAD, AT(0x2300), E, PAD6 } },
	{ "time", 'h', false, { SYNC, INFO, ON, AT(0x2100), E, AT(0x2100), E, 0x02, 5, PAD4 } },
	{ "other_time", 'i', false, { SYNC, INFO, ON, AT(0x2100), E, AT(0x2100), E, 0x02, 6, PAD4 } },
	{ "event", 'j', false, { SYNC, INFO, ON, AT(0x2100), E, AT(0x2100), E, 0x71, PAD, PAD4 } },
	{ "number", 'k', false, { SYNC, INFO, ON, AT(NUMBER), PAD, AT(NUMBER), E, N, PAD, PAD4 } },
	{ "number_other_bit", 'l', false, { SYNC, INFO, ON, AT(NUMBER), PAD, AT(NUMBER), E, E, PAD, PAD4 } },
	{ "number_first_bit", 'o', false, { SYNC, INFO, ON, AT(NUMBER), PAD, AT(NUMBER), E, N, N, PAD4 } },
	{ "number_other_first_bit", 'p', false,
	  { SYNC, INFO, ON, AT(NUMBER), PAD, AT(NUMBER), E, E, N, PAD4 } },
	{ "number_not_begun", 'm', false,
	  { SYNC, INFO, ON, AT(NUMBER + 20), PAD, AT(NUMBER + 20), N, PAD, PAD, PAD4 } },
	{ "number_after_a_cut_one", 'k', false, { SYNC, INFO, ON, AT(NUMBER), E, AT(NUMBER), E, N, PAD, PAD4 } },
	{ "mark", 'n', false, { SYNC, INFO, ON, AT(0x2900), PAD, AT(0x2900), E, PAD6 } },
	/* The state is not complete. */
	{ "no_branch", 0, false, { SYNC, INFO, ON, AT(0x2100), PAD, AT(0x2100), PAD, PAD6 } },
	{ "no_address", 0, false, { SYNC, INFO, ON, PAD6, E, PAD6, E, PAD6 } },
	{ "no_sync", 0, false, { PAD6, PAD6, INFO, ON, AT(0x2100), PAD, AT(0x2100), E, PAD6 } },
};

static void test_marks(void)
{
	static struct v9_flow_mark m[LEN(marks)];
	bool good[LEN(marks)];

	for (size_t i = 0; i < LEN(marks); i++) {
		const struct setting s = { .stack = marks[i].stack };

		begin(&s);
		feed(marks[i].bytes, MARK_SIZE, 0);
		good[i] = v9_flow_mark(&flow, &m[i]);
		finish();
		tap_ok(good[i] == !!marks[i].same, "mark_of_%s", marks[i].name);
	}
	for (size_t i = 0; i < LEN(marks); i++) {
		bool right = true;

		for (size_t k = 0; k < LEN(marks); k++)
			if (good[i] && good[k] && marks[i].stack == marks[k].stack)
				right &= v9_flow_same_state(&m[i], &m[k]) ==
					 (marks[i].same == marks[k].same);
		if (good[i])
			tap_ok(right, "meets_only_its_like_%s", marks[i].name);
	}
}

/* ---- single instructions */

#define D V9_INSN_DIRECT
#define I V9_INSN_INDIRECT
#define O V9_INSN_OTHER
#define S V9_INSN_ISB
#define W V9_INSN_WAIT
#define A V9_ISA_A64
#define A32 V9_ISA_A32
#define T V9_ISA_T32
#define COND V9_INSN_COND
#define LINK V9_INSN_LINK
#define RET V9_INSN_RET
#define ERET V9_INSN_ERET
#define SWITCH V9_INSN_SWITCH

/* At 0x10000. T32 of four bytes: second half word above the first, as in memory. */
static const struct {
	uint8_t isa;
	uint32_t word;
	uint8_t kind, flags;
	uint32_t target;
	const char *name;
} insns[] = {
	{ A, 0x14000001, D, 0, 0x10004, "b" },
	{ A, 0x17ffffff, D, 0, 0xfffc, "b_back" },
	{ A, 0x94000002, D, LINK, 0x10008, "bl" },
	{ A, 0x54ffffe1, D, COND, 0xfffc, "b_ne" },
	{ A, 0x54000051, D, COND, 0x10008, "bc_ne" },
	{ A, 0xb5000041, D, COND, 0x10008, "cbnz" },
	{ A, 0x37f80041, D, COND, 0x10008, "tbnz" },
	{ A, 0xb6ffffff, D, COND, 0xfffc, "tbz_back" },
	{ A, 0xd61f0020, I, 0, 0, "br" },
	{ A, 0xd61f083f, I, 0, 0, "braaz" },
	{ A, 0xd61f0c3f, I, 0, 0, "brabz" },
	{ A, 0xd71f0822, I, 0, 0, "braa" },
	{ A, 0xd71f0c22, I, 0, 0, "brab" },
	{ A, 0xd63f0020, I, LINK, 0, "blr" },
	{ A, 0xd63f083f, I, LINK, 0, "blraaz" },
	{ A, 0xd73f0c22, I, LINK, 0, "blrab" },
	{ A, 0xd65f03c0, I, RET, 0, "ret" },
	{ A, 0xd65f0bff, I, RET, 0, "retaa" },
	{ A, 0xd65f0fff, I, RET, 0, "retab" },
	{ A, 0x5500001f, I, RET, 0, "retaasppc" },
	{ A, 0x5520003f, I, RET, 0, "retabsppc" },
	{ A, 0xd65f0be3, I, RET, 0, "retaasppcr" },
	{ A, 0xd69f03e0, I, ERET, 0, "eret" },
	{ A, 0xd69f0bff, I, ERET, 0, "eretaa" },
	{ A, 0xd69f0fff, I, ERET, 0, "eretab" },
	{ A, 0xd6bf03e0, O, 0, 0, "drps" },
	{ A, 0xd5033fdf, S, 0, 0, "isb" },
	{ A, 0xd5033f9f, O, 0, 0, "dsb" },
	{ A, 0xd503205f, W, 0, 0, "wfe" },
	{ A, 0xd503207f, W, 0, 0, "wfi" },
	{ A, 0xd5031001, W, 0, 0, "wfet" },
	{ A, 0xd5031021, W, 0, 0, "wfit" },
	{ A, 0xd503203f, O, 0, 0, "yield" },
	{ A, 0xd5233061, S, 0, 0, "tstart" },
	{ A, 0xd4000001, O, 0, 0, "svc" },
	{ A, 0xd4200000, O, 0, 0, "brk" },
	{ A, 0x00000000, O, 0, 0, "udf" },
	{ A, 0x58000020, O, 0, 0, "ldr_literal" },
	{ A, 0x74010040, D, COND, 0x10008, "cbgt" },
	{ A, 0xf4c13fe0, D, COND, 0xfffc, "cbeq_back" },
	{ A, 0x74818040, O, 0, 0, "cb_unallocated" },
	{ A, 0x74410040, D, COND, 0x10008, "cbhi" },
	{ A, 0xf4613fe0, D, COND, 0xfffc, "cbhs_x_back" },
	{ A, 0xf4e10040, D, COND, 0x10008, "cbne_x" },
	{ A, 0x74014040, O, 0, 0, "cb_size_unallocated" },
	{ A, 0x74a10040, O, 0, 0, "cb_condition_unallocated" },
	{ A, 0x74218040, D, COND, 0x10008, "cbbge" },
	{ A, 0x7441c040, D, COND, 0x10008, "cbhhi" },
	{ A, 0x74c1bfe0, D, COND, 0xfffc, "cbbeq_back" },
	{ A, 0xf4218040, O, 0, 0, "cbb_x_unallocated" },
	{ A, 0x75c08040, D, COND, 0x10008, "cbeq_immediate" },
	{ A, 0x75208040, D, COND, 0x10008, "cblt_immediate" },
	{ A, 0xf561bfe0, D, COND, 0xfffc, "cblo_immediate_x_back" },
	{ A, 0x75e08040, D, COND, 0x10008, "cbne_immediate" },
	{ A, 0x75208000 | 1 << 14, O, 0, 0, "cb_immediate_unallocated" },
	{ A, 0x75808040, O, 0, 0, "cb_immediate_condition_unallocated" },
	{ A, 0xd63f0c3f, I, LINK, 0, "blrabz" },
	{ A, 0xd73f0822, I, LINK, 0, "blraa" },
	{ A, 0xd65f0fe3, I, RET, 0, "retabsppcr" },
	{ A, 0x553fffff, I, RET, 0, "retabsppc_far" },
	{ A, 0xf380001f, O, 0, 0, "autiasppc" },
	{ A, 0xd50331df, S, 0, 0, "isb_other_option" },
	{ A, 0xd50330ff, O, 0, 0, "sb" },
	{ A, 0xd503307f, O, 0, 0, "tcommit" },
	{ A, 0xd4600000, O, 0, 0, "tcancel" },
	{ A, 0xd50b72e0, O, 0, 0, "trcit" },
	{ A, 0xd503105f, O, 0, 0, "beside_wfet" },
	{ A32, 0xea000000, D, 0, 0x10008, "a32_b" },
	{ A32, 0x1afffffe, D, COND, 0x10000, "a32_bne" },
	{ A32, 0xeb000001, D, LINK, 0x1000c, "a32_bl" },
	{ A32, 0xfb000000, D, LINK | SWITCH, 0x1000a, "a32_blx" },
	{ A32, 0xe12fff1e, I, RET, 0, "a32_bx_lr" },
	{ A32, 0x012fff11, I, COND, 0, "a32_bxeq" },
	{ A32, 0xe12fff31, I, LINK, 0, "a32_blx_register" },
	{ A32, 0xe8bd8070, I, RET, 0, "a32_pop_pc" },
	{ A32, 0xe8bd0070, O, 0, 0, "a32_pop" },
	{ A32, 0xe1a0f00e, I, RET, 0, "a32_mov_pc_lr" },
	{ A32, 0xe08ff103, I, 0, 0, "a32_add_pc" },
	{ A32, 0xe792f101, I, 0, 0, "a32_ldr_pc" },
	{ A32, 0xe15f0001, O, 0, 0, "a32_cmp" },
	{ A32, 0xf57ff06f, S, 0, 0, "a32_isb" },
	{ A32, 0xee070f95, S, 0, 0, "a32_cp15isb" },
	{ A32, 0xe320f003, W, 0, 0, "a32_wfi" },
	{ A32, 0xef000000, O, 0, 0, "a32_svc" },
	{ A32, 0x1b000001, D, LINK | COND, 0x1000c, "a32_blne" },
	{ A32, 0xfafffffe, D, LINK | SWITCH, 0x10000, "a32_blx_back" },
	{ A32, 0xe12fff2e, I, 0, 0, "a32_bxj" },
	{ A32, 0xe12fff3e, I, LINK, 0, "a32_blx_lr" },
	{ A32, 0xe160006e, I, ERET, 0, "a32_eret" },
	{ A32, 0xe8908000, I, 0, 0, "a32_ldm_pc" },
	{ A32, 0xe8d08000, I, ERET, 0, "a32_ldm_pc_return" },
	{ A32, 0xe8904000, O, 0, 0, "a32_ldm_lr" },
	{ A32, 0xe8808000, O, 0, 0, "a32_stm_pc" },
	{ A32, 0xe590f000, I, 0, 0, "a32_ldr_pc_immediate" },
	{ A32, 0xe580f000, O, 0, 0, "a32_str_pc" },
	{ A32, 0xf8900a00, I, ERET, 0, "a32_rfe" },
	{ A32, 0xe25ef004, I, 0, 0, "a32_subs_pc_lr" },
	{ A32, 0xe3a0f000, I, 0, 0, "a32_mov_pc_immediate" },
	{ A32, 0xe130f000, O, 0, 0, "a32_teq" },
	{ A32, 0xe328f201, O, 0, 0, "a32_msr" },
	{ A32, 0x0e070f95, S, COND, 0, "a32_cp15isb_eq" },
	{ A32, 0x0320f002, W, COND, 0, "a32_wfe_eq" },
	{ A32, 0xe320f001, O, 0, 0, "a32_yield" },
	{ T, 0x0000e7fe, D, 0, 0x10000, "t32_b" },
	{ T, 0x0000d0fe, D, COND, 0x10000, "t32_beq" },
	{ T, 0x0000df01, O, 0, 0, "t32_svc" },
	{ T, 0x0000b108, D, COND, 0x10006, "t32_cbz" },
	{ T, 0x0000bb08, D, COND, 0x10046, "t32_cbnz" },
	{ T, 0x00004770, I, RET, 0, "t32_bx_lr" },
	{ T, 0x00004788, I, LINK, 0, "t32_blx_register" },
	{ T, 0x0000bd10, I, RET, 0, "t32_pop_pc" },
	{ T, 0x0000bf00, O, 0, 0, "t32_nop" },
	{ T, 0x0000bf30, W, 0, 0, "t32_wfi" },
	{ T, 0xfffef7ff, D, LINK, 0x10000, "t32_bl" },
	{ T, 0xe800f000, D, LINK | SWITCH, 0x10004, "t32_blx" },
	{ T, 0x8002f000, D, COND, 0x10008, "t32_beq_w" },
	{ T, 0xb802f000, D, 0, 0x10008, "t32_b_w" },
	{ T, 0x8f6ff3bf, S, 0, 0, "t32_isb" },
	{ T, 0xf001e8df, I, 0, 0, "t32_tbb" },
	{ T, 0x8010e8bd, I, RET, 0, "t32_pop_w_pc" },
	{ T, 0xf000f8d0, I, 0, 0, "t32_ldr_pc" },
	{ T, 0x0000bf20, W, 0, 0, "t32_wfe" },
	{ T, 0x8002f3af, W, 0, 0, "t32_wfe_w" },
	{ T, 0x8003f3af, W, 0, 0, "t32_wfi_w" },
	{ T, 0x0f95ee07, S, 0, 0, "t32_cp15isb" },
	{ T, 0x0000de00, O, 0, 0, "t32_udf" },
	{ T, 0x00004708, I, 0, 0, "t32_bx" },
	{ T, 0x8f00f3c1, I, 0, 0, "t32_bxj" },
	{ T, 0x0000448f, I, 0, 0, "t32_add_pc" },
	{ T, 0x000046f7, I, 0, 0, "t32_mov_pc" },
	{ T, 0x0000448e, O, 0, 0, "t32_add_lr" },
	{ T, 0xf011e8d0, I, 0, 0, "t32_tbh" },
	{ T, 0x8000e8b0, I, 0, 0, "t32_ldmia_pc" },
	{ T, 0x8000e910, I, 0, 0, "t32_ldmdb_pc" },
	{ T, 0x000ee8b0, O, 0, 0, "t32_ldmia" },
	{ T, 0xfb04f85d, I, RET, 0, "t32_pop_pc_alone" },
	{ T, 0xf004f8df, I, 0, 0, "t32_ldr_pc_literal" },
	{ T, 0xf001f850, I, 0, 0, "t32_ldr_pc_register" },
	{ T, 0xc000e9bd, I, ERET, 0, "t32_rfeia" },
	{ T, 0xc000e810, I, ERET, 0, "t32_rfedb" },
	{ T, 0x8f04f3de, I, ERET, 0, "t32_subs_pc_lr" },
	{ T, 0x8800f380, O, 0, 0, "t32_msr" },
	{ T, 0x0000b908, D, COND, 0x10006, "t32_cbnz_short" },
};

/* shows: ETE-R_PBVZM ETE-R_KJTCL ETE-S_MFDNZ */
static void test_insns(void)
{
	struct v9_insn insn;

	for (size_t i = 0; i < LEN(insns); i++) {
		memset(&insn, 0xcd, sizeof(insn));
		v9_insn_decode(insns[i].isa, 0x10000, insns[i].word, &insn);
		tap_ok(insn.kind == insns[i].kind && insn.flags == insns[i].flags &&
		       (insn.kind != D || insn.target == insns[i].target), "insn_%s",
		       insns[i].name);
	}
}

int main(void)
{
	make_program();
	test_scenarios();
	test_sources();
	test_forgotten_sources();
	test_stretches();
	test_cut();
	test_gap();
	test_numbers();
	test_numbers_by_source();
	test_corrected_numbers();
	test_forgotten_marks();
	test_corrupt();
	test_noise();
	test_speculation();
	test_speculation_at_once();
	test_lots();
	test_until();
	test_impossible();
	test_deep_calls();
	test_endless();
	test_long_run();
	test_never_synchronized();
	test_marks();
	test_insns();
	tap_ok(sizes_agree, "ranges_have_all_instructions");
	v9_image_free(&img);
	return tap_done();
}
