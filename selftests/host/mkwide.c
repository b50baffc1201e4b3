// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes captures of two CPUs on which three threads of two processes run: what executes is simulated, with the program
 * of mkcapture.c and a kernel of six instructions, and traced as it happens. Always the same.
 *
 *	mkwide DIR	DIR/wide.data: an instruction trace with kernel, switches, wake-ups, control groups, marks and
 *			losses, SPE samples beside it, and CPUs of two types; DIR/wide.log: a line for each sample:
 *			CPU, counter, address, number of the instruction on its CPU, or - if that was not traced;
 *			DIR/regular.data, .log: likewise; a sample every 256 instructions, user space alone;
 *			DIR/odd.data: elements of a trace that are rare, and a sample beside each;
 *			DIR/deep.data: a function that calls itself 600 times;
 *			DIR/places.data: four CPUs in two sockets and three nodes, in the layout of pipes;
 *			DIR/packets.data: SPE packets without a meaning, with headers of one and two bytes;
 *			DIR/many.data: 60 functions that call no others, some with strange names, traced and sampled on
 *			CPU 0, and sampled on CPU 1;
 *			DIR/shared.data: loads and stores of 24 threads on 4 CPUs in a few cache lines
 */
#define main mktrace_main
#include "mktrace.c"
#undef main

#define OTHER	0x555500000000ull	/* the same program in the second process */
#define PEOPLE	3
#define BEHIND	100			/* counts that the clock of SPE is behind that of ETE */
#define DEPTH	4

struct person {
	uint32_t pid, tid;
	uint64_t base, pc, back[DEPTH];
	unsigned int depth;
};

struct machine {
	struct cap *c;
	FILE *log;
	bool regular;
	struct {
		struct trace ete, spe;
		uint64_t insns, ete_at, spe_at, next;
		uint64_t last_target;	/* of the branch before; 0: not known */
		int runs;		/* person */
		unsigned int taken;	/* samples so far */
	} cpu[2];
	struct person person[PEOPLE];
	uint64_t now, seed;
};

static uint32_t rnd(struct machine *m, uint32_t n)
{
	m->seed = m->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(m->seed >> 33) % n;
}

static void packet_of(struct trace *t, uint8_t header, uint64_t v, size_t n)
{
	t->b[t->n++] = header;
	memcpy(t->b + t->n, &v, n);
	t->n += n;
}

static uint64_t address_of(uint64_t addr, unsigned int el)
{
	return 1ull << 63 | (uint64_t)el << 61 | (addr & ~(0xffull << 56));
}

/* A sample of the instruction at @pc, which went to @target if it is a branch. @traced: it is in the trace */
static void sample(struct machine *m, int cpu, uint64_t pc, unsigned int el, bool branch, bool took, uint64_t target,
		   bool traced)
{
	static const uint8_t sources[] = { 0x0, 0x8, 0x9, 0xa, 0xb, 0xd, 0xe, 0x7 };
	struct trace *t = &m->cpu[cpu].spe;
	const struct person *p = &m->person[m->cpu[cpu].runs];
	const bool load = !branch && !rnd(m, 2), slow = !rnd(m, 6);
	const uint16_t total = (uint16_t)(5 + rnd(m, 20) + (slow ? rnd(m, 300) : 0));
	const unsigned int which = m->cpu[cpu].taken++;
	uint32_t events = 2 | (branch && !took ? 0x40u : 0) | (branch && !rnd(m, 4) ? 0x80u : 0);

	packet_of(t, 0xb0, address_of(pc, el), 8);
	if (which % 3)
		packet_of(t, 0x64, p->tid, 4);
	if (which % 5 == 1)
		packet_of(t, 0x65, p->tid, 4);
	packet_of(t, branch ? 0x4a : load ? 0x49 : 0x48, branch ? (pc & 0xf) == 0xc : load ? which & 1 : 0, 1);
	if (load) {
		events |= 4 | (slow ? 8 : 0) | (which % 7 ? 0 : 0x20) | 0x10 | (slow && which & 4 ? 0x300 : 0);
		packet_of(t, 0xb2, (el ? 0xffff000000000000ull : 0xff00000000000000ull) + 0x70000000 + which * 24, 8);
		packet_of(t, 0xb3, 1ull << 63 | (0x80000000 + which * 4096ull), 8);
		packet_of(t, 0x9a, 1 + rnd(m, 9), 2);
		if (which % 4)
			packet_of(t, 0x43, sources[rnd(m, sizeof(sources))], 1);
	}
	packet_of(t, 0x52, events, 2);
	packet_of(t, 0x98, which % 50 == 49 ? 0xfff : total, 2);
	packet_of(t, 0x99, total / 2, 2);
	if (branch && took)
		packet_of(t, 0xb1, address_of(target, target >> 63), 8);
	if (which % 4 == 2 && m->cpu[cpu].last_target)
		packet_of(t, 0xb4, address_of(m->cpu[cpu].last_target, el), 8);
	packet_of(t, 0x71, m->now - BEHIND, 8);
	fprintf(m->log, "%d %llu %llx ", cpu, (unsigned long long)m->now - BEHIND, (unsigned long long)pc);
	if (traced)
		fprintf(m->log, "%llu\n", (unsigned long long)m->cpu[cpu].insns - 1);
	else
		fprintf(m->log, "-\n");
}

/* Counts an instruction, and takes a sample of it if one is due. */
static void did(struct machine *m, int cpu, uint64_t pc, unsigned int el, bool branch, bool took, uint64_t target,
		bool traced)
{
	m->cpu[cpu].insns += traced;
	m->now += 40 + rnd(m, 40);
	if (!m->cpu[cpu].next--) {
		sample(m, cpu, pc, el, branch, took, target, traced);
		m->cpu[cpu].next = m->regular ? 255 : 10 + rnd(m, 40);
	}
	if (branch)
		m->cpu[cpu].last_target = took ? target : pc + 4;
}

static void pass_time(struct machine *m, int cpu)
{
	struct trace *t = &m->cpu[cpu].ete;

	if (!rnd(m, 3))
		stamp(t, m->now);
	else if (!rnd(m, 4))
		put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_CYCLES, .has = V9_ETE_HAS_COUNT, .count = 1 + rnd(m, 90) });
}

static void in_kernel(struct trace *t, uint64_t addr, uint32_t tid)
{
	put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_ADDRESS, .addr = addr,
		.has = V9_ETE_HAS_ADDR | V9_ETE_HAS_CTX | V9_ETE_HAS_CONTEXTID,
		.ctx = { .contextid = tid, .ns = true, .sf = true, .el = 1 } });
}

/* The kernel: outer, at its begin, calls inner, at 16, and returns to the program. */
static void kernel_runs(struct machine *m, int cpu, unsigned int type)
{
	struct person *p = &m->person[m->cpu[cpu].runs];
	struct trace *t = &m->cpu[cpu].ete;
	const bool traced = !m->regular && rnd(m, 3);

	exception(t, (uint8_t)type, p->pc);
	if (traced) {
		in_kernel(t, KERNEL, p->tid);
		did(m, cpu, KERNEL, 1, false, false, 0, true);
		atoms(t, "E");
		did(m, cpu, KERNEL + 4, 1, true, true, KERNEL + 16, true);
		did(m, cpu, KERNEL + 16, 1, false, false, 0, true);
		atoms(t, "E");
		did(m, cpu, KERNEL + 20, 1, true, true, KERNEL + 8, true);
		in_kernel(t, KERNEL + 8, p->tid);
		did(m, cpu, KERNEL + 8, 1, false, false, 0, true);
		atoms(t, "E");
		did(m, cpu, KERNEL + 12, 1, true, true, p->pc, true);
		m->cpu[cpu].last_target = 0;
		address(t, p->pc, p->tid);
		return;
	}
	if (m->regular)
		m->now += 20 + rnd(m, 30);
	else
		for (unsigned int i = 10 + rnd(m, 20); i--;)
			did(m, cpu, KERNEL + 8, 1, false, false, 0, false);
	m->cpu[cpu].last_target = 0;
	kind(t, V9_ETE_TRACE_ON);
	address(t, p->pc, p->tid);
	stamp(t, m->now);
}

/* One instruction of the program */
static void step(struct machine *m, int cpu)
{
	struct person *p = &m->person[m->cpu[cpu].runs];
	struct trace *t = &m->cpu[cpu].ete;
	const uint64_t pc = p->pc, at = pc - p->base;
	uint64_t target;
	bool took = true;

	switch (at) {
	case 0x1008:	/* BL match */
	case 0x1800:	/* BL compress */
		target = p->base + (at == 0x1008 ? 0x1400 : 0x1000);
		p->back[p->depth++] = pc + 4;
		break;
	case 0x100c:	/* B.EQ compress */
		target = p->base + 0x1000;
		took = rnd(m, 2);
		break;
	case 0x1010:	/* RET */
	case 0x140c:
		target = p->back[--p->depth];
		break;
	case 0x1804:	/* B _start */
		target = p->base + 0x1800;
		break;
	case 0x1404:	/* SVC */
		p->pc = pc + 4;
		did(m, cpu, pc, 0, false, false, 0, true);
		kernel_runs(m, cpu, V9_ETE_EXC_CALL);
		return;
	default:
		p->pc = pc + 4;
		did(m, cpu, pc, 0, false, false, 0, true);
		return;
	}
	p->pc = took ? target : pc + 4;
	atoms(t, took ? "E" : "N");
	did(m, cpu, pc, 0, true, took, target, true);
	if (at == 0x1010 || at == 0x140c)
		address(t, target, 0);
	pass_time(m, cpu);
	if (!m->regular && !rnd(m, 150))
		kind(t, V9_ETE_OVERFLOW), kind(t, V9_ETE_TRACE_ON), address(t, p->pc, p->tid);
}

static void flush_cpu(struct machine *m, int cpu)
{
	struct cap *c = m->c;
	struct trace *t = &m->cpu[cpu].ete, *s = &m->cpu[cpu].spe;
	const struct person *p = &m->person[m->cpu[cpu].runs];

	while (t->n % 8)
		kind(t, V9_ETE_IGNORE);
	c->cpu = (uint32_t)cpu;
	c->pid = p->pid;
	c->tid = p->tid;
	c->time = AT(m->now + 10);
	c->id = 0;
	c->info = 1;
	cap_aux_record(c, m->cpu[cpu].ete_at, t->n, PD_AUX_FLAG_RAW);
	cap_aux(c, (uint32_t)cpu, CAP_NONE, m->cpu[cpu].ete_at, t->b, t->n);
	m->cpu[cpu].ete_at += t->n;
	reset(t);
	while (s->n % 8)
		s->b[s->n++] = 0;
	c->id = 102;
	c->info = 2;
	cap_aux_record(c, m->cpu[cpu].spe_at, s->n, 0);
	cap_aux(c, (uint32_t)cpu, CAP_NONE, m->cpu[cpu].spe_at, s->b, s->n);
	m->cpu[cpu].spe_at += s->n;
	s->n = 0;
	c->id = c->info = 0;
}

static void switched(struct machine *m, int cpu, const struct person *p, uint16_t misc)
{
	m->c->cpu = (uint32_t)cpu;
	m->c->id = 103;
	cap_switch(m->c, p->pid, p->tid, AT(m->now), misc);
	m->c->id = 0;
}

/* Another thread goes on, which does not run on the other CPU. */
static void switch_to_another(struct machine *m, int cpu)
{
	struct trace *t = &m->cpu[cpu].ete;
	struct person *p = &m->person[m->cpu[cpu].runs];
	const int other = m->cpu[!cpu].runs;

	exception(t, V9_ETE_EXC_IRQ, p->pc);
	m->now += 40;
	switched(m, cpu, p, rnd(m, 2) ? AWAY : PREEMPTED);
	m->cpu[cpu].runs = 3 - other - (rnd(m, 2) ? m->cpu[cpu].runs : 3 - other - m->cpu[cpu].runs);
	p = &m->person[m->cpu[cpu].runs];
	m->now += 10;
	switched(m, cpu, p, 0);
	m->now += 15;
	m->cpu[cpu].last_target = 0;
	kind(t, V9_ETE_TRACE_ON);
	address(t, p->pc, p->tid);
	stamp(t, m->now);
}

static int wide(struct cap *c, const char *dir, const char *name, bool regular)
{
	static const uint32_t words[] = { 0xd503201f, 0x94000003, 0xd503201f, 0xd69f03e0,
					  0xd503201f, 0xd65f03c0 };	/* NOP, BL, NOP, ERET; NOP, RET */
	static const char names[] = "ffff800080010000 T outer\nffff800080010010 t inner\n";
	static const struct pd_cgroup groups[] = {
		{ .id = 11, .pid = 100, .tid = 100 }, { .id = 11, .pid = 100, .tid = 101 }, { .id = 12, .pid = 200, .tid = 200 },
	};
	static const uint64_t ids[] = { 4, 100, 0, 0, -1ull, 101, 1, 1, -1ull, 102, 2, 0, -1ull, 103, 3, 0, -1ull };
	const struct pd_register regs[] = {
		{ .cpu = 0, .encoding = 0x180000, .mask = UINT64_MAX, .value = 0x410fd8e0 },	/* MIDR_EL1 */
		{ .cpu = 1, .encoding = 0x180000, .mask = UINT64_MAX, .value = 0x411fd852 },
		{ .cpu = 0, .encoding = 0x1899e0, .mask = UINT64_MAX, .value = regular ? 8 : 0 },	/* PMSIDR_EL1 */
		{ .cpu = 0, .encoding = 0x189960, .mask = UINT64_MAX, .value = 0x100 },	/* PMSIRR_EL1 */
	};
	static struct machine m;
	struct cap code = { .n = 0 };
	char path[64];
	int ret;

	memset(&m, 0, sizeof(m));
	m.c = c;
	m.regular = regular;
	m.seed = 5;
	m.now = 5000000000ull;		/* more than 32 bits */
	snprintf(path, sizeof(path), "%s.log", name);
	m.log = fopen(in(dir, path), "w");
	if (!m.log)
		return 1;
	for (int i = 0; i < PEOPLE; i++) {
		m.person[i] = (struct person){ .pid = i < 2 ? 100 : 200, .tid = i < 2 ? 100 + (uint32_t)i : 200,
					       .base = i < 2 ? PROGRAM : OTHER };
		m.person[i].pc = m.person[i].base + 0x1800;
	}
	c->type2 = 8;
	c->tracking = true;
	c->regs = regs;
	c->nr_regs = sizeof(regs) / sizeof(regs[0]);
	c->cgroups = groups;
	c->nr_cgroups = 3;
	configr |= CCI;
	open_capture(c);
	configr = CONFIGR;
	cap_record(c, PD_REC_ID_INDEX, 0, ids, sizeof(ids));
	cap_record(c, PD_REC_AUXTRACE_INFO, 0, info_spe, sizeof(info_spe));
	cap_kernel(c, KERNEL, 0x1000);
	cap_comm(c, 100, 101, "worker", 0);
	cap_comm(c, 200, 200, "second", 0);
	cap_mmap2(c, 200, OTHER, 0x3000, 0, "/opt/work", id);
	cap_cgroup(c, 11, "/a.slice/work");
	cap_cgroup(c, 12, "/b.slice");
	for (int cpu = 0; cpu < 2; cpu++) {
		m.cpu[cpu].runs = cpu ? 2 : 0;
		m.cpu[cpu].next = regular ? 255 : 20;
		reset(&m.cpu[cpu].ete);
		switched(&m, cpu, &m.person[m.cpu[cpu].runs], 0);
		m.now += 10;
	}
	for (unsigned int round = 0; round < (regular ? 700 : 160); round++) {
		for (int cpu = 0; cpu < 2; cpu++) {
			struct trace *t = &m.cpu[cpu].ete;
			const struct person *p = &m.person[m.cpu[cpu].runs];

			if (!t->n) {
				begin(t, p->pc, p->tid);
				stamp(t, m.now);
			}
			for (unsigned int i = 5 + rnd(&m, 30); i--;)
				step(&m, cpu);
			m.now += rnd(&m, 30);
			switch (rnd(&m, 6)) {
			case 0:
				switch_to_another(&m, cpu);
				break;
			case 1:
				kernel_runs(&m, cpu, V9_ETE_EXC_IRQ);
				break;
			case 2:
				if (t->n < (regular ? 6000 : 500))
					break;
				exception(t, V9_ETE_EXC_IRQ, m.person[m.cpu[cpu].runs].pc);
				flush_cpu(&m, cpu);
				m.now += 100;
				m.cpu[cpu].last_target = 0;
				break;
			}
		}
	}
	for (int cpu = 0; cpu < 2; cpu++) {
		if (m.cpu[cpu].ete.n || m.cpu[cpu].spe.n)
			flush_cpu(&m, cpu);
		switched(&m, cpu, &m.person[m.cpu[cpu].runs], AWAY);
	}
	code_head(&code, 2);
	code_part(&code, PD_CODE_KALLSYMS, 0, names, sizeof(names) - 1);
	code_part(&code, PD_CODE_KERNEL, KERNEL, words, sizeof(words));
	snprintf(path, sizeof(path), "%s.data", name);
	ret = write_with_code(c, &code, in(dir, path));
	c->type2 = 0;
	c->tracking = false;
	c->regs = NULL;
	c->nr_regs = 0;
	c->cgroups = NULL;
	return fclose(m.log) || ret;
}

/* ---- elements that are rare */

static void aarch32(struct trace *t, uint64_t addr, uint8_t isa)
{
	put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_ADDRESS, .addr = addr, .isa = isa,
		.has = V9_ETE_HAS_ADDR | V9_ETE_HAS_CTX | V9_ETE_HAS_CONTEXTID,
		.ctx = { .contextid = 100, .ns = true } });
}

/* Tracing begins again at @addr of the program, at @time. */
static void again(struct trace *t, uint64_t addr, uint64_t time)
{
	kind(t, V9_ETE_TRACE_ON);
	address(t, PROGRAM + addr, 100);
	stamp(t, time);
}

/* A sample of a NOP at @pc, whose unit's clock is that of the trace */
static void nop_sampled(struct trace *t, uint64_t pc, uint64_t time)
{
	packet_of(t, 0xb0, address_of(pc, 0), 8);
	packet_of(t, 0x48, 0, 1);
	packet_of(t, 0x52, 2, 2);
	packet_of(t, 0x98, 3, 2);
	packet_of(t, 0x71, time, 8);
}

static int odd(struct cap *c, struct trace *t, const char *file)
{
	static const uint8_t types_of[] = {
		V9_ETE_EXC_RESET, V9_ETE_EXC_DEBUG_HALT, V9_ETE_EXC_TRAP, V9_ETE_EXC_SERROR, V9_ETE_EXC_INST_DEBUG,
		V9_ETE_EXC_DATA_DEBUG, V9_ETE_EXC_ALIGNMENT, V9_ETE_EXC_INST_FAULT, V9_ETE_EXC_DATA_FAULT,
		V9_ETE_EXC_FIQ, V9_ETE_EXC_IMPDEF + 3,
	};
	static const uint16_t t32[] = { 0xbf00, 0xbf00, 0xd0fc, 0x4770 };	/* NOP, NOP, BEQ to the begin, BX LR */
	static struct trace spe;
	struct cap code = { .n = 0 }, dump = { .n = 0 };
	uint64_t time = 1000;

	jit_head(&dump, 100, 0);
	jit_load(&dump, 100, 0, "narrow", HEAP, 1, t32, sizeof(t32));
	code_head(&code, 1);
	code_part(&code, PD_CODE_JITDUMP, 100, dump.b, dump.n);
	c->type2 = 8;
	idr0 |= 3 << 15;		/* Q elements have counts */
	configr |= CCI;
	open_capture(c);
	idr0 &= ~(uint64_t)(3 << 15);
	configr = CONFIGR;
	cap_record(c, PD_REC_AUXTRACE_INFO, 0, info_spe, sizeof(info_spe));
	cap_mmap2(c, 100, 0x700000, 0x1000, 0, "/tmp/jit-100.dump", NULL);
	reset(t);
	spe.n = 0;
	begin(t, START, 100);
	stamp(t, time);
	atoms(t, "EE");
	for (size_t i = 0; i < sizeof(types_of); i++, time += 100) {
		exception(t, types_of[i], PROGRAM + 0x1404);
		nop_sampled(&spe, PROGRAM + 0x1400, time + 50);
		again(t, 0x1400, time + 100);
	}
	/* T32 code: once round, then it returns */
	exception(t, V9_ETE_EXC_IRQ, PROGRAM + 0x1400);
	kind(t, V9_ETE_TRACE_ON);
	aarch32(t, HEAP, 1);
	atoms(t, "EN");
	nop_sampled(&spe, HEAP + 2, time + 40);
	atoms(t, "E");
	aarch32(t, HEAP, 1);
	exception(t, V9_ETE_EXC_IRQ, HEAP + 4);
	again(t, 0x100c, time += 100);
	/* a transaction that fails, one that does not */
	kind(t, V9_ETE_TX_START);
	atoms(t, "N");
	exception(t, V9_ETE_EXC_TX_FAILURE, PROGRAM + 0x1010);
	nop_sampled(&spe, PROGRAM + 0x1004, time + 20);
	address(t, PROGRAM + 0x1000, 100);
	kind(t, V9_ETE_TX_START);
	atoms(t, "E");
	kind(t, V9_ETE_TX_COMMIT);
	atoms(t, "E");
	address(t, PROGRAM + 0x100c, 0);
	stamp(t, time += 100);
	/* a number of instructions, with and without where they ended */
	put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_Q, .has = V9_ETE_HAS_COUNT | V9_ETE_HAS_ADDR, .count = 21,
				     .addr = PROGRAM + 0x1000 });
	nop_sampled(&spe, PROGRAM + 0x1000, time + 20);
	stamp(t, time += 100);
	put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_Q, .has = V9_ETE_HAS_COUNT, .count = 300 });
	atoms(t, "EN");			/* nobody knows where */
	nop_sampled(&spe, PROGRAM + 0x1004, time + 20);
	again(t, 0x1000, time += 100);
	/* the unit lost something, and sends no address at first */
	kind(t, V9_ETE_OVERFLOW);
	kind(t, V9_ETE_TRACE_ON);
	atoms(t, "ENE");
	nop_sampled(&spe, PROGRAM + 0x1000, time + 20);
	address(t, PROGRAM + 0x1000, 100);
	stamp(t, time += 100);
	kind(t, V9_ETE_DISCARD);
	again(t, 0x1000, time += 100);
	put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_EVENT, .events = 0xf });
	atoms(t, "E");
	put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_CYCLES, .has = V9_ETE_HAS_COUNT, .count = 70000 });
	atoms(t, "E");
	put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_CYCLES });
	stamp(t, 0);			/* the time is not known */
	address(t, PROGRAM + 0x100c, 0);
	atoms(t, "N");
	/* no code: anonymous memory, and what no mapping has */
	address(t, 0x123456000, 100);
	atoms(t, "EN");
	address(t, PROGRAM + 0x2ff0, 100);
	atoms(t, "E");
	address(t, PROGRAM + 0x1010, 100);
	atoms(t, "E");
	address(t, PROGRAM + 0x1804, 0);
	stamp(t, time += 100);
	nop_sampled(&spe, PROGRAM + 0x1000, time + 20);
	c->info = 1;
	piece(c, 0, 0, t, PD_AUX_FLAG_RAW | PERF_AUX_FLAG_PARTIAL, AT(time + 100));
	c->id = 102;
	c->info = 2;
	cap_aux_record(c, 0, spe.n, PERF_AUX_FLAG_TRUNCATED);
	cap_aux(c, 0, CAP_NONE, 0, spe.b, spe.n);
	c->id = c->info = c->type2 = 0;
	free(dump.b);
	return write_with_code(c, &code, file);
}

/* CBZ over BL to itself, RET */
static int deep(struct cap *c, struct trace *t, const char *file)
{
	static const uint32_t words[] = { 0xb4000040, 0x97ffffff, 0xd65f03c0 };
	struct cap code = { .n = 0 }, dump = { .n = 0 };

	open_generated(c, t, &code, &dump, "deep", words, sizeof(words));
	for (unsigned int i = 0; i < 600; i++)
		atoms(t, "NE");
	stamp(t, 2000);
	atoms(t, "E");
	for (unsigned int i = 0; i < 600; i++) {
		atoms(t, "E");
		address(t, HEAP + 8, 0);
		if (i % 100 == 99)
			stamp(t, 2100 + i);
	}
	exception(t, V9_ETE_EXC_IRQ, HEAP + 8);
	piece(c, 0, 0, t, PD_AUX_FLAG_RAW, AT(3000));
	free(dump.b);
	return write_with_code(c, &code, file);
}

/* ---- where CPUs are */

/* A section as a record of the pipe layout */
static void feature(struct cap *out, uint64_t which, const struct cap *section)
{
	struct cap body = { .n = 0 };

	cap_u64(&body, which);
	cap_put(&body, section->b, section->n);
	record(out, PD_REC_HEADER_FEATURE, body.b, body.n);
	free(body.b);
}

static void put_attr_and_data(struct cap *out, const struct cap *c)
{
	uint8_t body[CAP_ATTR + 16];

	memcpy(body, c->b + sizeof(struct pd_header) + 16, CAP_ATTR);
	memcpy(body + CAP_ATTR, c->b + sizeof(struct pd_header), 16);
	record(out, PD_REC_HEADER_ATTR, body, sizeof(body));
	cap_put(out, c->b + c->data, c->n - c->data);
}

/* CPUs 0 and 1 are in socket 0, 2 in socket 1; the nodes have 0, 1, and 2 with 3. CPU n has 3 n + 2 records. */
static int places(struct cap *c, const char *file)
{
	static const int32_t sockets[] = { 0, 0, 1, -1 };
	static const char *const nodes_of[] = { "0", "1", "2-3" };
	struct cap out = { .n = 0 }, number = { .n = 0 }, cores = { .n = 0 }, nodes = { .n = 0 };
	static struct trace t;
	uint64_t time = 1000;
	int ret;

	cap_open(c, CAP_SAMPLE);
	cap_info_v2(c, 0x410fd490, 4);
	cap_time_conv(c, 5000000000ull);
	c->time = 0;
	cap_comm(c, 100, 100, "work", 0);
	for (uint32_t cpu = 0; cpu < 4; cpu++) {
		t.n = 0;
		for (uint32_t i = 0; i < 3 * cpu + 2; i++)
			sampled(&t, PROGRAM + 0x1000 + 4 * i, 0, "\x48\x00", RETIRED, (uint16_t)(10 + i + 100 * cpu), time++);
		c->cpu = cpu;
		c->pid = c->tid = 100;
		c->time = AT(900);
		cap_switch_to(c, 100, 100);
		cap_aux_record(c, 0, t.n, 0);
		cap_aux(c, cpu, CAP_NONE, 0, t.b, t.n);
	}
	cap_u32(&number, 4);
	cap_u32(&number, 4);
	cap_u32(&cores, 2);
	cap_string(&cores, "0-1");
	cap_string(&cores, "2");
	cap_u32(&cores, 1);
	cap_string(&cores, "0-3");
	for (uint32_t cpu = 0; cpu < 4; cpu++) {
		cap_u32(&cores, cpu);
		cap_u32(&cores, (uint32_t)sockets[cpu]);
	}
	cap_u32(&nodes, 3);
	for (uint32_t i = 0; i < 3; i++) {
		cap_u32(&nodes, i);
		cap_u64(&nodes, 1 << 20);
		cap_u64(&nodes, 1 << 19);
		cap_string(&nodes, nodes_of[i]);
	}
	cap_u64(&out, PD_MAGIC);
	cap_u64(&out, PD_PIPE_HEADER_SIZE);
	feature(&out, PD_NRCPUS, &number);
	feature(&out, PD_CPU_TOPOLOGY, &cores);
	feature(&out, PD_NUMA_TOPOLOGY, &nodes);
	put_attr_and_data(&out, c);
	ret = cap_write(file, out.b, out.n);
	free(out.b);
	free(number.b);
	free(cores.b);
	free(nodes.b);
	return ret;
}

/* ---- packets without a meaning */

static int packets(struct cap *c, const char *file)
{
	static const uint8_t some[] = {
		0xb7, 1, 2, 3, 4, 5, 6, 7, 8,		/* an address of index 7 */
		0x21, 0xb2, 8, 7, 6, 5, 4, 3, 2, 1,	/* one of index 10 */
		0x21, 0x98, 0x34, 0x12,			/* a counter of index 8 */
		0x9f, 0xcd, 0xab,			/* one of index 7 */
		0x40, 0x5a,				/* of one byte, without a meaning */
	};
	static struct trace t;

	t.n = 0;
	cap_open(c, CAP_SAMPLE);
	cap_info_v2(c, 0x410fd490, 2);
	cap_time_conv(c, 5000000000ull);
	c->time = 0;
	cap_comm(c, 100, 100, "work", 0);
	for (unsigned int i = 0; i < 3; i++) {
		packet_of(&t, 0xb0, address_of(PROGRAM + 0x1000 + 4 * i, 0), 8);
		memcpy(t.b + t.n, some, sizeof(some));
		t.n += sizeof(some);
		for (unsigned int k = 0; k < (i == 1 ? 27u : i == 2 ? 28 : 0); k++)
			packet_of(&t, 0x9e, k, 2);
		packet_of(&t, 0x71, 1000 + i, 8);
	}
	c->cpu = 0;
	c->pid = c->tid = 100;
	c->time = AT(900);
	cap_switch_to(c, 100, 100);
	cap_aux_record(c, 0, t.n, 0);
	cap_aux(c, 0, CAP_NONE, 0, t.b, t.n);
	cap_close(c);
	return cap_write(file, c->b, c->n);
}

/* ---- many functions */

static int many(struct cap *c, struct trace *t, const char *file)
{
	static const uint32_t words[] = { 0xd503201f, 0xd65f03c0 };	/* NOP, RET */
	struct cap code = { .n = 0 }, dump = { .n = 0 };
	static struct trace spe[2];
	uint64_t time = 1000;
	char name[300];

	jit_head(&dump, 100, 0);
	for (unsigned int i = 0; i < 60; i++) {
		snprintf(name, sizeof(name), "f%02u%s", i, i == 3 ? "\"quoted\\\"" : i == 4 ? "\t<&>\x7f" : "");
		if (i == 5)
			memset(name + 3, 'y', 250), name[253] = '\0';
		jit_load(&dump, 100, 0, name, HEAP + 16 * i, i + 1, words, sizeof(words));
	}
	code_head(&code, 1);
	code_part(&code, PD_CODE_JITDUMP, 100, dump.b, dump.n);
	c->type2 = 8;
	open_capture(c);
	cap_record(c, PD_REC_AUXTRACE_INFO, 0, info_spe, sizeof(info_spe));
	cap_mmap2(c, 100, 0x700000, 0x1000, 0, "/tmp/jit-100.dump", NULL);
	reset(t);
	spe[0].n = spe[1].n = 0;
	begin(t, HEAP, 100);
	for (unsigned int round = 0; round < 20; round++) {
		for (unsigned int i = 0; i < 60 - 2 * round; i++, time += 20) {
			struct trace *s = &spe[i % 7 == 6];

			stamp(t, time);
			atoms(t, "E");
			address(t, HEAP + 16 * ((i + 1) % (60 - 2 * round)), 0);
			packet_of(s, 0xb0, address_of(HEAP + 16 * i + (i % 2 ? 4 : 0), 0), 8);
			packet_of(s, i % 2 ? 0x4a : 0x48, i % 2 ? 2 : 0, 1);
			packet_of(s, 0x52, 2, 2);
			packet_of(s, 0x98, 5 + i, 2);
			if (i % 2)
				packet_of(s, 0xb1, address_of(HEAP + 16 * (i + 1), i % 3 == 1), 8);
			packet_of(s, 0x71, time + i % 5, 8);
		}
	}
	stamp(t, time);
	c->info = 1;
	piece(c, 0, 0, t, PD_AUX_FLAG_RAW, AT(time + 100));
	c->info = 2;
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		c->cpu = cpu;
		c->id = 0;
		c->pid = c->tid = 100;
		c->time = AT(900);
		cap_switch_to(c, 100, 100);
		c->id = 102;
		cap_aux_record(c, 0, spe[cpu].n, 0);
		cap_aux(c, cpu, CAP_NONE, 0, spe[cpu].b, spe[cpu].n);
	}
	c->id = c->info = c->type2 = 0;
	free(dump.b);
	return write_with_code(c, &code, file);
}

/* ---- cache lines that many use */

static int shared(struct cap *c, const char *file)
{
	static const uint8_t ops[] = { 0x00, 0x01, 0x04, 0x05, 0x06, 0x0a, 0x13, 0x12, 0x1f };
	static const uint8_t sources[] = { 0x0, 0x8, 0x9, 0xa, 0xb, 0xd, 0xe, 0x7 };
	static const uint16_t events[] = { 0x002, 0x016, 0x01e, 0x10e, 0x30e, 0x03e, 0x40e, 0x096 };
	static struct machine m;
	static struct trace t[4];

	m.seed = 9;
	cap_open(c, CAP_SAMPLE);
	cap_info_v2(c, 0x410fd490, 4);
	cap_time_conv(c, 5000000000ull);
	c->time = 0;
	for (uint32_t i = 0; i < 24; i++)
		cap_comm(c, 100 + i / 20, 100 + i, i / 20 ? "other" : "work", 0);
	cap_mmap2(c, 100, PROGRAM, 0x3000, 0, "/opt/work", id);
	c->prot = 3;
	cap_mmap2(c, 100, 0x70000000, 0x2000, 0, "[heap]", NULL);
	c->prot = 0;
	for (unsigned int i = 0; i < 3000; i++) {
		const uint32_t cpu = rnd(&m, 4), line = rnd(&m, 3) ? rnd(&m, 4) : rnd(&m, 4) ? rnd(&m, 200) : 10 + rnd(&m, 5);
		const uint32_t tid = 100 + rnd(&m, line % 5 ? 24 : 1);
		const uint32_t total = rnd(&m, 5) ? 4 + rnd(&m, 30) : rnd(&m, 3000);
		struct trace *to = &t[cpu];
		uint64_t at;

		packet_of(to, 0xb0, address_of(PROGRAM + 0x1000 + 4 * rnd(&m, line < 2 ? 600 : 3), 0), 8);
		packet_of(to, 0x64, tid, 4);
		packet_of(to, 0x49, ops[line == 3 ? 0 : rnd(&m, sizeof(ops))], 1);
		/* Some are in objects of the program, one of which only CPU 3 uses. */
		at = line < 10 || line > 14 ? 0x70000000 + 64 * line : PROGRAM + 0x1c00 + 64 * (line - 10);
		if (line == 13 && cpu == 3)
			at = PROGRAM + 0x900;
		packet_of(to, 0xb2, at + 8 * (line & 1 ? tid % 8 : rnd(&m, 8)), 8);
		packet_of(to, 0x52, events[rnd(&m, 8)], 2);
		packet_of(to, 0x98, total, 2);
		packet_of(to, 0x99, rnd(&m, total + 1), 2);
		if (rnd(&m, 3))
			packet_of(to, 0x9a, rnd(&m, 60), 2);
		if (rnd(&m, 3))
			packet_of(to, 0x43, sources[rnd(&m, sizeof(sources))], 1);
		packet_of(to, 0x71, 1000 + i, 8);
	}
	for (uint32_t cpu = 0; cpu < 4; cpu++) {
		c->cpu = cpu;
		c->time = AT(900);
		cap_aux_record(c, 0, t[cpu].n, 0);
		cap_aux(c, cpu, CAP_NONE, 0, t[cpu].b, t[cpu].n);
	}
	cap_close(c);
	return cap_write(file, c->b, c->n);
}

int main(int argc, char **argv)
{
	static struct trace t;
	static struct cap c;

	if (argc != 2)
		return 2;
	return wide(&c, argv[1], "wide", false) || wide(&c, argv[1], "regular", true) ||
	       odd(&c, &t, in(argv[1], "odd.data")) || deep(&c, &t, in(argv[1], "deep.data")) ||
	       places(&c, in(argv[1], "places.data")) || packets(&c, in(argv[1], "packets.data")) ||
	       many(&c, &t, in(argv[1], "many.data")) || shared(&c, in(argv[1], "shared.data"));
}
