// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes captures of branch stacks around the program of mkcapture.c: always the same.
 *
 *	mkbranches DIR	DIR/brbe.data: stacks of a loop as BRBE gives them, with types, user space only:
 *			holes, half records, an empty stack, unknown prediction and cycles;
 *			DIR/lbr.data: as x86 gives them, with an index, without types, kernel too;
 *			DIR/full.data: one sample with each field that a sample can have, counters too;
 *			DIR/android.data: as simpleperf writes it, with the id amid the sample;
 *			DIR/calls.data: of an event for calls alone; DIR/returns.data: for calls and
 *			returns; DIR/callstack.data: x86's call stacks;
 *			DIR/empty.data: no sample has a branch;
 *			DIR/mixed.data: the stacks of brbe.data beside a record of SPE;
 *			DIR/longer.data, DIR/shorter.data: samples with a word too many, or too few
 *	mkbranches DIR FILE A B		DIR/lines.data: a branch from address A of the program FILE to
 *			address B, and back
 *	mkbranches DIR FILE N		DIR/list.data: N samples whose stack has the branches of
 *			standard input: at most 9 lines "FROM TO" in hexadecimal, oldest first.
 *			FILE is mapped below address 1000000, /opt/other from there on, nothing
 *			from 2000000 on
 */
#include "capture.h"

#define PROGRAM	0xaaaac0000000ull
#define KERNEL	0xffffffff81000000ull

static const uint8_t id[20] = { 0xde, 0xad, 0xbe, 0xef, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
				17, 18, 19, 20 };

/* Of linux/perf_event.h, which may be older */
enum { USER = 1, KERN = 2, ANY = 8, ANY_CALL = 16, ANY_RET = 32, CALL_STACK = 1 << 11,
       NO_FLAGS = 1 << 14, NO_CYCLES = 1 << 15, SAVE = 1 << 16, INDEX = 1 << 17, COUNTERS = 1 << 19 };
enum { COND = 1, UNCOND, IND, CALL, ICALL, RET, SYSCALL, ERET = 11 };

/* A record; @how: 'M' mispredicted, 'P' predicted, '-' not known */
struct rec {
	uint64_t from, to;
	uint8_t type;
	char how;
	uint16_t cycles;
};

/* The loop of the program: _start calls compress, which calls match twice. */
#define C(how, cycles)	{ 0x1800, 0x1000, CALL, how, cycles }	/* _start: BL compress */
#define M(how, cycles)	{ 0x1008, 0x1400, CALL, how, cycles }	/* compress: BL match */
#define R(how, cycles)	{ 0x140c, 0x100c, RET, how, cycles }	/* match: RET */
#define B(how, cycles)	{ 0x100c, 0x1000, COND, how, cycles }	/* compress: B.EQ */
#define E(how, cycles)	{ 0x1010, 0x1804, RET, how, cycles }	/* compress: RET */
#define J(how, cycles)	{ 0x1804, 0x1800, UNCOND, how, cycles }	/* _start: B */

/* A sample; its records are oldest first, as they were executed. */
struct stack {
	uint32_t tid, cpu;
	uint64_t time;
	unsigned int n;
	struct rec rec[9];
};

static const struct stack loop[] = {
	{ 100, 0, 1000, 5, { C('P', 0), M('P', 3), R('P', 10), B('M', 1), M('P', 4) } },
	{ 100, 0, 2000, 7, { R('P', 0), B('P', 2), M('P', 3), R('M', 30), E('P', 2), J('P', 1), C('P', 1) } },
	{ 101, 1, 3000, 0, { { 0 } } },
	/* A return that does not go behind its call: nothing is known of callers from before. */
	{ 101, 1, 4000, 3, { C('P', 0), M('P', 3), { 0x140c, 0x1804, RET, 'P', 12 } } },
	/* From _start, the next one is in compress: records between them are missing. */
	{ 101, 1, 5000, 3, { J('P', 0), E('P', 5), J('P', 1) } },
	/* A system call, of which the kernel's side is not recorded */
	{ 100, 0, 6000, 4, { M('P', 0), { 0x1404, 0, SYSCALL, '-', 2 }, { 0, 0x1408, ERET, '-', 0 },
			     R('P', 0xffff) } },
	{ 100, 0, 7000, 9, { C('P', 0), M('P', 3), R('P', 10), B('P', 1), M('P', 3), R('P', 90), E('-', 2),
			     J('P', 1), C('P', 1) } },
};

static void put(uint8_t **at, uint64_t v)
{
	memcpy(*at, &v, 8);
	*at += 8;
}

/* @spread: added to the cycles of each record */
static void put_stack(uint8_t **at, const struct stack *s, uint64_t base, bool types)
{
	for (unsigned int i = s->n; i--;) {
		const struct rec *r = &s->rec[i];

		put(at, r->from ? (r->from >> 63 ? r->from : base + r->from) : 0);
		put(at, r->to ? (r->to >> 63 ? r->to : base + r->to) : 0);
		put(at, (uint64_t)(r->how == 'M') | (uint64_t)(r->how == 'P') << 1 |
			(uint64_t)r->cycles << 4 | (types ? (uint64_t)r->type << 20 : 0));
	}
}

/* Sets more bits in the third word of the entry at @p (struct perf_branch_entry). */
static void add_flags(uint8_t *p, uint64_t bits)
{
	uint64_t v;

	memcpy(&v, p + 16, 8);
	v |= bits;
	memcpy(p + 16, &v, 8);
}

#define SAMPLES	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | \
		 PERF_SAMPLE_PERIOD | PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_BRANCH_STACK)

static void begin(struct cap *c, const char *arch, const char *event, uint64_t filter)
{
	static struct perf_event_attr attr;

	attr = (struct perf_event_attr){
		.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES, .sample_period = 1000,
		.sample_type = SAMPLES, .sample_id_all = 1, .branch_sample_type = filter,
		.exclude_kernel = !(filter & KERN), .exclude_hv = 1,
	};
	c->attr = &attr;
	c->arch = arch;
	c->event = event;
	cap_open(c, CAP_SAMPLE);
	c->pid = c->tid = 100;
	c->cpu = 0;
	c->time = 0;
	cap_comm(c, 100, 100, "work", 0);
	cap_comm(c, 100, 101, "worker", 0);
	cap_mmap2(c, 100, PROGRAM, 0x3000, 0, "/opt/work", id);
}

/* @words: words more than the fields have, or fewer */
static void add(struct cap *c, const struct stack *s, uint64_t index, int words)
{
	uint8_t body[1024] = { 0 }, *at = body;

	put(&at, 100);				/* IDENTIFIER */
	put(&at, PROGRAM + 0x1400);		/* IP */
	put(&at, 100 | (uint64_t)s->tid << 32);
	put(&at, s->time);
	put(&at, s->cpu);
	put(&at, 1000);				/* PERIOD */
	put(&at, s->n);
	if (index != UINT64_MAX)
		put(&at, index);
	put_stack(&at, s, PROGRAM, c->attr->branch_sample_type & SAVE);
	cap_sample(c, PD_CPUMODE_USER, body, (size_t)(at - body + 8 * words));
}

static void save(struct cap *c, const char *dir, const char *name)
{
	char path[4096];

	cap_close(c);
	snprintf(path, sizeof(path), "%s/%s.data", dir, name);
	if (cap_write(path, c->b, c->n)) {
		perror(path);
		exit(1);
	}
}

static void make_brbe(struct cap *c, const char *dir, const char *name, uint64_t filter, int words)
{
	begin(c, "aarch64", "cycles:u", filter);
	for (size_t i = 0; i < sizeof(loop) / sizeof(loop[0]); i++)
		add(c, &loop[i], UINT64_MAX, i == 1 ? words : 0);
	save(c, dir, name);
}

/* An interrupt amid the loop. LBR has no types unless asked; calls of 5 bytes. */
static void make_lbr(struct cap *c, const char *dir)
{
	static const struct stack stacks[] = {
		{ 100, 2, 1000, 5, { C('P', 20), M('M', 7), { 0x1408, KERNEL + 0x10, 0, 'P', 200 },
				     { KERNEL + 0x40, 0x1408, 0, 'M', 300 }, R('P', 9) } },
		{ 100, 2, 2000, 4, { R('P', 11), B('M', 1), M('P', 7), R('P', 9) } },
	};

	begin(c, "x86_64", "cycles", USER | KERN | ANY | INDEX);
	for (size_t i = 0; i < sizeof(stacks) / sizeof(stacks[0]); i++)
		add(c, &stacks[i], 5 + i, 0);
	save(c, dir, "lbr");
}

/* simpleperf asks for ID, not for IDENTIFIER; an event of another format is in the file, too. */
static void make_android(struct cap *c, const char *dir)
{
	static struct perf_event_attr attr;
	uint8_t body[1024], *at = body;

	attr = (struct perf_event_attr){
		.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES, .sample_period = 1000,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
			       PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_BRANCH_STACK |
			       PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER,
		.sample_regs_user = 0x3, .sample_stack_user = 8, .sample_id_all = 0,
		.branch_sample_type = USER | ANY, .exclude_kernel = 1,
	};
	c->attr = &attr;
	c->arch = "aarch64";
	c->event = "cpu-cycles:u";
	c->type2 = PERF_TYPE_SOFTWARE;
	cap_open(c, 0);
	for (size_t i = 0; i < 2; i++) {
		const struct stack *s = &loop[i];

		at = body;
		put(&at, PROGRAM + 0x1400);
		put(&at, 100 | (uint64_t)s->tid << 32);
		put(&at, s->time);
		put(&at, i ? 101 : 100);	/* ID */
		put(&at, s->cpu);
		put(&at, 1000);
		put(&at, s->n);
		put_stack(&at, s, PROGRAM, false);
		put(&at, 2);			/* REGS_USER */
		put(&at, 0x100);
		put(&at, 0x101);
		put(&at, 8);			/* STACK_USER */
		put(&at, 0xaaaa);
		put(&at, 8);
		cap_sample(c, PD_CPUMODE_USER, body, (size_t)(at - body));
	}
	save(c, dir, "android");
	c->type2 = 0;
}

/* Calls, youngest first: the hardware has dropped those that returned. */
static void make_callstack(struct cap *c, const char *dir)
{
	static const struct stack stacks[] = {
		{ 100, 0, 1000, 2, { C('-', 0), M('-', 0) } },
		{ 100, 0, 2000, 1, { C('-', 0) } },
	};

	begin(c, "x86_64", "cycles:u", USER | CALL_STACK);
	for (size_t i = 0; i < sizeof(stacks) / sizeof(stacks[0]); i++)
		add(c, &stacks[i], UINT64_MAX, 0);
	save(c, dir, "callstack");
}

/* Each field, in the order of the comment at PERF_RECORD_SAMPLE in linux/perf_event.h. */
static void make_full(struct cap *c, const char *dir)
{
	static const struct stack s = { 100, 3, 1000, 2, { C('P', 21), M('M', 22) } };
	static struct perf_event_attr attr;
	uint8_t body[1024] = { 0 }, *at = body;

	attr = (struct perf_event_attr){
		.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES, .sample_period = 1000,
		.sample_id_all = 1,
		/* all of them up to CODE_PAGE_SIZE, but WEIGHT, AUX: they are in other files */
		.sample_type = 0xffffff & ~(uint64_t)PERF_SAMPLE_AUX,
		.branch_sample_type = USER | ANY | SAVE | INDEX | COUNTERS,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
			       PERF_FORMAT_ID | PERF_FORMAT_GROUP,
		.sample_regs_user = 0x5, .sample_regs_intr = 0x7, .sample_stack_user = 16,
		.exclude_kernel = 1, .exclude_hv = 1,
	};
	c->attr = &attr;
	c->arch = "aarch64";
	c->event = "cycles:u";
	cap_open(c, CAP_SAMPLE | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID);
	put(&at, 100);				/* IDENTIFIER */
	put(&at, PROGRAM + 0x1400);		/* IP */
	put(&at, 100 | (uint64_t)s.tid << 32);
	put(&at, s.time);
	put(&at, 0x1111);			/* ADDR */
	put(&at, 100);				/* ID */
	put(&at, 1);				/* STREAM_ID */
	put(&at, s.cpu);
	put(&at, 1000);				/* PERIOD */
	put(&at, 1);				/* READ: one member; perf repeats a sample for others */
	put(&at, 5000);
	put(&at, 4000);
	put(&at, 77);
	put(&at, 100);
	put(&at, 2);				/* CALLCHAIN */
	put(&at, (uint64_t)PERF_CONTEXT_USER);
	put(&at, PROGRAM + 0x1400);
	put(&at, 4 | 0xabcdull << 32);		/* RAW: u32 size, 4 bytes */
	put(&at, s.n);				/* BRANCH_STACK */
	put(&at, 3);
	put_stack(&at, &s, PROGRAM, true);
	/* The newest: in a transaction, on a wrong path, kernel; the other one: aborted, user */
	add_flags(at - 2 * 24, 1 << 2 | 1ull << 24 | 2ull << 30);
	add_flags(at - 24, 1 << 3 | 1ull << 30);
	put(&at, 0x21);				/* counters */
	put(&at, 0x43);
	put(&at, 2);				/* REGS_USER: 64 bit */
	put(&at, 0x100);
	put(&at, 0x102);
	put(&at, 16);				/* STACK_USER */
	put(&at, 0xaaaa);
	put(&at, 0xbbbb);
	put(&at, 16);				/* copied */
	put(&at, 9);				/* WEIGHT */
	put(&at, 0x68100142);			/* DATA_SRC */
	put(&at, 0);				/* TRANSACTION */
	put(&at, 2);				/* REGS_INTR */
	put(&at, 0x200);
	put(&at, 0x201);
	put(&at, 0x202);
	put(&at, 0x80001234);			/* PHYS_ADDR */
	put(&at, 1);				/* CGROUP */
	put(&at, 4096);				/* DATA_PAGE_SIZE */
	put(&at, 4096);				/* CODE_PAGE_SIZE */
	cap_sample(c, PD_CPUMODE_USER, body, (size_t)(at - body));
	save(c, dir, "full");
}

/* Also an SPE event with one record: a taken branch of the program, from 0x1010 to 0x1400 */
static void make_mixed(struct cap *c, const char *dir)
{
	const uint64_t info[3] = { PD_AUXTRACE_ARM_SPE, 8, 0 };
	uint8_t spe[64] = { 0 }, *at = spe;
	const uint64_t pc = 1ull << 63 | (PROGRAM + 0x1010), target = 1ull << 63 | (PROGRAM + 0x1400);

	*at++ = 0xb0;					/* address: PC */
	put(&at, pc);
	*at++ = 0xb1;					/* address: target */
	put(&at, target);
	/* context: thread 100; branch; events: retired; time */
	memcpy(at, "\x65\x64\x00\x00\x00\x4a\x01\x52\x02\x00\x71", 11);
	c->type2 = 8;
	begin(c, "aarch64", "cycles:u", USER | ANY | SAVE);
	cap_record(c, PD_REC_AUXTRACE_INFO, 0, info, sizeof(info));
	for (size_t i = 0; i < sizeof(loop) / sizeof(loop[0]); i++)
		add(c, &loop[i], UINT64_MAX, 0);
	c->id = 102;
	c->time = 8000;
	cap_aux_record(c, 0, sizeof(spe), 0);
	cap_aux(c, 0, CAP_NONE, 0, spe, sizeof(spe));
	save(c, dir, "mixed");
	c->id = c->type2 = 0;
}

static void make_lines(struct cap *c, const char *dir, const char *file, uint64_t a, uint64_t b)
{
	const struct stack s = { 100, 0, 1000, 2, { { a, b, CALL, 'P', 0 }, { b, a + 4, RET, 'P', 3 } } };

	begin(c, "aarch64", "cycles:u", USER | ANY | SAVE);
	cap_mmap2(c, 100, PROGRAM, 0x100000, 0, file, NULL);
	add(c, &s, UINT64_MAX, 0);
	save(c, dir, "lines");
}

static void make_list(struct cap *c, const char *dir, const char *file, unsigned int samples)
{
	struct stack s = { .tid = 100, .time = 1000 };
	unsigned long long from, to;

	while (s.n < sizeof(s.rec) / sizeof(s.rec[0]) && scanf("%llx %llx", &from, &to) == 2)
		s.rec[s.n++] = (struct rec){ from, to, COND, 'P', 1 };
	begin(c, "aarch64", "cycles:u", USER | ANY | SAVE);
	cap_mmap2(c, 100, PROGRAM, 0x1000000, 0, file, NULL);
	cap_mmap2(c, 100, PROGRAM + 0x1000000, 0x1000000, 0, "/opt/other", NULL);
	while (samples--)
		add(c, &s, UINT64_MAX, 0);
	save(c, dir, "list");
}

int main(int argc, char **argv)
{
	static const struct stack none = { 100, 0, 1000, 0, { { 0 } } };
	static struct cap c;
	const char *dir = argc > 1 ? argv[1] : ".";

	if (argc == 5) {
		make_lines(&c, dir, argv[2], strtoull(argv[3], NULL, 16), strtoull(argv[4], NULL, 16));
		free(c.b);
		return 0;
	}

	if (argc == 4) {
		make_list(&c, dir, argv[2], (unsigned int)atoi(argv[3]));
		free(c.b);
		return 0;
	}
	make_brbe(&c, dir, "brbe", USER | ANY | SAVE, 0);
	make_brbe(&c, dir, "longer", USER | ANY | SAVE, 1);
	make_brbe(&c, dir, "shorter", USER | ANY | SAVE, -1);
	make_brbe(&c, dir, "calls", USER | ANY_CALL | SAVE | NO_FLAGS | NO_CYCLES, 0);
	make_brbe(&c, dir, "returns", USER | ANY_CALL | ANY_RET | SAVE, 0);
	make_lbr(&c, dir);
	make_callstack(&c, dir);
	make_full(&c, dir);
	make_android(&c, dir);
	make_mixed(&c, dir);
	begin(&c, "aarch64", "cycles:u", USER | ANY | SAVE);
	add(&c, &none, UINT64_MAX, 0);
	save(&c, dir, "empty");
	free(c.b);
	return 0;
}
