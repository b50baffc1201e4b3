// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes captures of two CPUs on which three threads of two processes run: what executes is simulated, with the program
 * of mkcapture.c and a kernel of six instructions, and traced as it happens. Always the same.
 *
 *	mkwide DIR	DIR/wide.data: an instruction trace with kernel, switches, wake-ups, control groups, marks and
 *			losses, SPE samples beside it, and CPUs of two types; DIR/wide.log: a line for each sample:
 *			CPU, counter, address, number of the instruction on its CPU, or - if that was not traced;
 *			DIR/regular.data, .log: likewise; a sample every 256 instructions, user space alone
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
		packet_of(t, 0xb1, address_of(target, el), 8);
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

int main(int argc, char **argv)
{
	static struct cap c;

	if (argc != 2)
		return 2;
	return wide(&c, argv[1], "wide", false) || wide(&c, argv[1], "regular", true);
}
