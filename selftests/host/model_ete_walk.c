// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random programs with random trace programming. The decoder of the tools must find exactly the
 * instructions that the model logged as traced. They must have been executed in that order; without
 * filters, all executed instructions must be traced.
 *
 * Operations are sampled, too: the index that the log has of a sampled instruction must be the place
 * at which it was executed.
 *
 * In every other program EL0 is in AArch32 state at times. Some have transactions, of which those that fail go on
 * somewhere else.
 */
#include "tap.h"
#include "model_trace.h"

/* The decoder has a struct with the same name. */
#define v9_insn v9_decoded_insn
#include "../../tools/lib/flow.h"
#undef v9_insn
#include "../../tools/util.h"

/* Functions of the tools that the decoder uses */
void *v9_alloc(size_t n)
{
	return calloc(1, n);
}

void *v9_realloc(void *p, size_t size)
{
	return realloc(p, size);
}

#define WORDS	256
#define USER	UINT64_C(0x0000000000401000)
#define KERNEL	UINT64_C(0xffff800008010000)
#define LONG	20000

#define TRBE_PAGES	12
#define SPE_BASE	(FK_BASE + TRBE_PAGES * FK_PAGE)
#define SAMPLES		256		/* records of 64 bytes in the pages that are left */
#define NOWHERE		~0u		/* the sampled instruction raised an exception instead */

static uint64_t rnd_state;

static uint64_t rnd(void)
{
	rnd_state ^= rnd_state << 13;
	rnd_state ^= rnd_state >> 7;
	rnd_state ^= rnd_state << 17;
	return rnd_state * UINT64_C(0x2545f4914f6cdd1d) >> 16;
}

#include "model_code32.h"

static struct {
	uint32_t code[2][WORDS];
	bool mixed;		/* with code of AArch32 */
	bool transactions, failed;
	uint64_t ran[LONG], traced[LONG], decoded[LONG];
	unsigned int nran, ntraced, ndecoded;
	/*
	 * sampled: for each sample, its index in ran. early, late: for each instruction in traced, the
	 * first and the last index in ran that it can have.
	 */
	unsigned int sampled[SAMPLES], nsampled, early[LONG], late[LONG];
	uint64_t calls[64];
	unsigned int ncalls;
	uint64_t elr;
	uint8_t it, spsr_it;	/* PSTATE.IT, and as the last exception saved it */
} w;

static const uint8_t *code(void *arg, const struct v9_ete_context *ctx, uint64_t addr, size_t *n)
{
	unsigned int k = addr >> 63;
	uint64_t at = addr - (k ? KERNEL : USER);

	(void)arg;
	(void)ctx;
	if (c32_is_user(addr)) {
		*n = C32_BASE + C32_SIZE - addr;
		return c32.code + (addr - C32_BASE);
	}
	if (at >= sizeof(w.code[0]))
		return NULL;
	*n = sizeof(w.code[0]) - at;
	return (const uint8_t *)w.code[k] + at;
}

static uint64_t somewhere(unsigned int k)
{
	return (k ? KERNEL : USER) + rnd() % WORDS * 4;
}

/* Somewhere at EL0; bit 0 as in model_code32.h */
static uint64_t somewhere_in_user(void)
{
	return w.mixed && rnd() % 3 ? c32_somewhere() : somewhere(0);
}

static void make_program(void)
{
	unsigned int k, i;

	if (w.mixed)
		c32_make();
	for (k = 0; k < 2; k++)
		for (i = 0; i < WORDS; i++) {
			uint64_t pc = (k ? KERNEL : USER) + 4 * i, to = somewhere(k);
			uint32_t op = OP_NOP;

			switch (rnd() % 24) {
			case 0:
				op = TK_A64_B(pc, to);
				break;
			case 1:
			case 2:
				op = TK_A64_BEQ(pc, to);
				break;
			case 3:
			case 4:
				op = TK_A64_BL(pc, to);
				break;
			case 5:
			case 6:
				op = TK_RET;
				break;
			case 7:
				op = TK_BR;
				break;
			case 8:
				op = TK_BLR;
				break;
			case 9:
				op = TK_ISB;
				break;
			case 10:
				op = k ? TK_ERET : OP_SVC;
				break;
			case 11:
				op = TK_WFI;
				break;
			case 12:
				op = 0x36000000 | ((to - pc) >> 2 & 0x3fff) << 5;	/* TBZ */
				break;
			case 13:
				op = 0xb5000000 | ((to - pc) >> 2 & 0x7ffff) << 5;	/* CBNZ */
				break;
			}
			w.code[k][i] = op;
		}
}

static void ran(uint64_t pc)
{
	if (w.nran < LONG)
		w.ran[w.nran++] = pc;
}

static void to_kernel(struct fk *f, const struct v9_exc *x)
{
	struct v9_exc e = *x;

	e.to_el = 1;
	w.elr = e.ret | (!f->pe.r.a64 && f->pe.t32);
	w.spsr_it = w.it;
	w.it = 0;
	fk_exception(f, &e);
	f->pe.r.a64 = true;
	f->pc = somewhere(1);
}

static uint64_t indirect_target(uint32_t op, unsigned int k)
{
	if (op == TK_RET && w.ncalls && w.calls[w.ncalls - 1] >> 63 == k &&
	    !c32_is_user(w.calls[w.ncalls - 1]) && rnd() % 8)
		return w.calls[--w.ncalls];
	return somewhere(k);
}

/* Counts the instruction, which may be sampled. */
static void hook(struct fk *f, const struct v9_pe_insn *i)
{
	const uint64_t before = v9_model_score(f->m)->samples;

	fk_hook(f, i);
	if (v9_model_score(f->m)->samples != before && w.nsampled < SAMPLES)
		w.sampled[w.nsampled++] = w.nran;
}

/* The instruction at which the last sample may be was not executed. */
static void undo(void)
{
	if (w.nsampled && w.sampled[w.nsampled - 1] == w.nran)
		w.sampled[w.nsampled - 1] = NOWHERE;
}

/* Lets the next sample be soon; the one before is complete by then. */
static void hasten(struct fk *f)
{
	if (rnd() % 40 || w.nsampled >= SAMPLES - 2)
		return;
	MSR(f, PMSICR_EL1, 16 + rnd() % 30);
	fk_sync(f, V9_SYNC_ISB);
}

static void call(uint64_t from)
{
	if (w.ncalls == 64)
		w.ncalls = 0;
	w.calls[w.ncalls++] = from;
}

/* Bit 0 of @to as in model_code32.h */
static void return_to_user(struct fk *f, uint64_t to)
{
	fk_eret_to(f, to & ~UINT64_C(1), 0, !c32_is_user(to));
	f->pe.t32 = to & 1;
	w.it = to == w.elr ? w.spsr_it : 0;
}

/* Where a branch of A32 or T32 goes, with bit 0 */
static uint64_t target32(const struct c32_insn *c)
{
	if (c->what == C32_DIRECT)
		return c->to;
	if (c->what == C32_RETURN && w.ncalls && c32_is_user(w.calls[w.ncalls - 1]) && rnd() % 8)
		return w.calls[--w.ncalls];
	return c32_somewhere();
}

/* The condition that the instruction has, or that PSTATE.IT gives it */
static bool passes(const struct c32_insn *c, const struct v9_pe_insn *i)
{
	const unsigned int cond = w.it & 15 ? w.it >> 4 : c->cond;

	if (c->compares && !(w.it & 15))
		return !!i->xt == c->cond;
	return cond == C32_ALWAYS || !!(i->nzcv & 4) != cond;
}

/* step() in AArch32 state */
static void step32(struct fk *f)
{
	const uint64_t pc = f->pc;
	const struct c32_insn *c = c32_at(pc, f->pe.t32);
	struct v9_pe_insn i = {
		.pc = pc, .nzcv = rnd() & 15, .xt = rnd() % 2, .it = w.it,
		.code = f->pe.t32 ? V9_CODE_T32 : V9_CODE_A32,
	};
	uint64_t next;
	bool p0, taken;

	if (rnd() % 60 == 0 || !c) {
		to_kernel(f, &(struct v9_exc){ .ret = pc, .sync = !c, .esr = 0x20u << 26,
					       .interrupt = rnd() % 3 });
		return;
	}
	i.op = c->op;
	next = (pc + c->size) | f->pe.t32;
	if (tk_on(f) && (v9_trace_needs_block(f->m) || rnd() % 4 == 0))
		v9_trace_block(f->m, pc);
	p0 = v9_trace_p0(f->m, i.code, i.op);
	if (p0 && tk_on(f))
		v9_trace_branch(f->m, &i);
	else if (tk_on(f) && f->pe.t32 && c->size == 4)
		v9_trace_wide(f->m, pc);
	taken = passes(c, &i);
	if (taken && rnd() % 100 == 0 && (!p0 || c->what == C32_RETURN || c->what == C32_WAIT)) {
		to_kernel(f, &(struct v9_exc){ .ret = pc, .sync = true, .esr = 0x24u << 26 });
		return;
	}
	ran(pc);
	if (c->what == C32_IT)
		w.it = i.op;
	else
		w.it = w.it & 7 ? (w.it & 0xe0) | (w.it << 1 & 0x1f) : 0;
	if (taken && c->what == C32_SVC) {
		to_kernel(f, &(struct v9_exc){ .ret = next & ~UINT64_C(1), .sync = true, .esr = 0x11u << 26 });
		return;
	}
	/* Behind the last instruction there is no code of this instruction set. */
	if (taken && c->link && c32_is_user(next))
		call(next);
	if (taken && (c->what == C32_DIRECT || c->what == C32_INDIRECT || c->what == C32_RETURN)) {
		w.it = 0;
		next = target32(c);
	}
	f->pe.t32 = next & 1;
	f->pc = next & ~UINT64_C(1);
}

static void transact(struct fk *f)
{
	const unsigned int what = rnd() % 40;

	if (!w.transactions || what > V9_TX_FAIL)
		return;
	v9_trace_transaction(f->m, what);
	w.failed |= what == V9_TX_FAIL;
}

/* Executes the instruction at f->pc, or takes an exception instead. */
static void step(struct fk *f)
{
	unsigned int k = f->pc >> 63;
	uint64_t at = (f->pc - (k ? KERNEL : USER)) / 4, pc = f->pc, next = pc + 4;
	struct v9_pe_insn i = { .pc = pc, .nzcv = rnd() & 15, .xt = rnd() };
	bool p0;

	if (!f->pe.r.a64) {
		step32(f);
		return;
	}
	if (rnd() % 60 == 0 || at >= WORDS) {
		/* beyond the end of the program: the fetch faults */
		to_kernel(f, &(struct v9_exc){ .ret = pc, .sync = at >= WORDS,
					       .esr = 0x20u << 26, .interrupt = rnd() % 3 });
		return;
	}
	i.op = w.code[k][at];
	if (tk_on(f) && (v9_trace_needs_block(f->m) || rnd() % 4 == 0))
		v9_trace_block(f->m, pc);
	p0 = v9_trace_p0(f->m, V9_CODE_A64, i.op);
	if (p0 && tk_on(f))
		v9_trace_branch(f->m, &i);
	hook(f, &i);
	if (rnd() % 100 == 0 && (!p0 || i.op == TK_RET || i.op == TK_WFI)) {
		/* the instruction faults */
		undo();
		to_kernel(f, &(struct v9_exc){ .ret = pc, .sync = true,
					       .esr = (p0 ? 0x1cu : 0x24u) << 26 });
		return;
	}
	ran(pc);
	if (i.op == OP_SVC) {
		to_kernel(f, &(struct v9_exc){ .ret = next, .sync = true, .esr = 0x15u << 26 });
		return;
	}
	if (i.op == TK_ERET) {
		bool user = f->pe.r.el == 1 && rnd() % 4;

		if (rnd() % 3 == 0)
			f->pe.contextidr_el1 = rnd() % 4;
		if (user)
			return_to_user(f, w.elr >> 63 || rnd() % 4 == 0 ? somewhere_in_user() : w.elr);
		else
			fk_eret(f, somewhere(1), 1);
		return;
	}
	if (i.op == TK_ISB) {
		if (k && rnd() % 3 == 0)
			f->pe.contextidr_el1 = rnd() % 4;
		fk_sync(f, V9_SYNC_ISB);
	} else if (i.op == TK_RET || i.op == TK_BR || i.op == TK_BLR) {
		next = indirect_target(i.op, k);
	} else if ((i.op & 0x7c000000) == 0x14000000) {
		next = pc + (int64_t)(int32_t)(i.op << 6) / 16;
	} else if ((i.op & 0xff000000) == 0x54000000) {
		if (i.nzcv & 4)
			next = pc + (int64_t)((int32_t)(i.op << 8) >> 13) * 4;
	} else if ((i.op & 0xff000000) == 0xb5000000) {
		if (i.xt)
			next = pc + (int64_t)((int32_t)(i.op << 8) >> 13) * 4;
	} else if ((i.op & 0xff000000) == 0x36000000) {
		if (!(i.xt & 1))
			next = pc + (int64_t)((int32_t)(i.op << 13) >> 18) * 4;
	}
	if ((i.op & 0xfc000000) == 0x94000000 || i.op == TK_BLR)
		call(pc + 4);
	f->pc = next;
}

/* Permits Q elements, with and without counts as the unit has them, in a range, outside of it, or everywhere. */
static void program_q(struct fk *f, uint64_t *config)
{
	const bool all = f->cfg.q_supp == 2 || (f->cfg.q_supp == 3 && rnd() % 2);

	*config &= ~V9_TRCCONFIGR_BB;
	*config |= V9_PUT(V9_TRCCONFIGR_QE, all ? V9_TRCCONFIGR_QE_ALL : V9_TRCCONFIGR_QE_WITH_COUNT);
	MSR(f, TRCCONFIGR, *config);
	if (f->cfg.q_filter)
		MSR(f, TRCQCTLR, rnd() % 2 ? 0 : (rnd() % 2 ? V9_TRCQCTLR_MODE : 0) | (1 + rnd() % 7));
}

/* Programs random filters and options. Returns true if there is no filter. */
static bool program(struct fk *f, uint64_t *config)
{
	static const uint16_t options[] = {
		V9_TRCCONFIGR_BB, V9_TRCCONFIGR_CCI, V9_TRCCONFIGR_CID, V9_TRCCONFIGR_VMID,
		V9_TRCCONFIGR_TS, V9_TRCCONFIGR_RS,
	};
	bool all = rnd() % 2;
	uint64_t lo, hi;
	unsigned int i;

	*config = 0;
	for (i = 0; i < V9_ARRAY_SIZE(options); i++)
		*config |= rnd() % 2 ? options[i] : 0;
	tk_program(f, *config);
	if (f->cfg.q_supp)
		program_q(f, config);
	MSR(f, TRCSYNCPR, rnd() % 2 ? 8 : 0);
	MSR(f, TRCCCCTLR, 4 + rnd() % 8);
	if (rnd() % 2) {
		/* request timestamps as the in-tree driver does */
		fk_msr(f, V9_SYS_TRCCNTRLDVR(0), 1);
		fk_msr(f, V9_SYS_TRCCNTVR(0), 1);
		fk_msr(f, V9_SYS_TRCCNTCTLR(0), V9_TRCCNTCTLRn_RLDSELF | 1);
		fk_msr(f, V9_SYS_TRCRSCTLR(2), 2 << 16 | 1);
		MSR(f, TRCTSCTLR, 2);
	}
	if (rnd() % 4 == 0) {
		MSR(f, TRCEVENTCTL0R, 3 << 8);
		MSR(f, TRCEVENTCTL1R, 2);
		fk_msr(f, V9_SYS_TRCRSCTLR(3), 4 << 16 | 8);	/* SAC 3 */
		fk_msr(f, V9_SYS_TRCACVR(3), somewhere_in_user() & ~UINT64_C(1));
	}
	if (rnd() % 4 == 0)
		MSR(f, TRCBBCTLR, 0x101);
	for (i = 0; i < 2; i++) {
		lo = i ? somewhere(1) : somewhere_in_user() & ~UINT64_C(1);
		hi = i ? somewhere(1) : somewhere_in_user() & ~UINT64_C(1);
		fk_msr(f, V9_SYS_TRCACVR(4 * i), lo < hi ? lo : hi);
		fk_msr(f, V9_SYS_TRCACVR(4 * i + 1), lo < hi ? hi : lo);
	}
	if (all)
		return true;
	switch (rnd() % 5) {
	case 0:
		MSR(f, TRCVICTLR, 0x201 | 1 << (20 + rnd() % 2));
		break;
	case 1:
		MSR(f, TRCVIIECTLR, 1 + rnd() % 5);
		break;
	case 2:
		MSR(f, TRCVIIECTLR, (1 + rnd() % 5) << 16);
		break;
	case 3:
		/* start address below the stop address */
		fk_msr(f, V9_SYS_TRCACVR(1), fk_mrs(f, V9_SYS_TRCACVR(1)) + 4);
		MSR(f, TRCVISSCTLR, 1 | 2 << 16);
		MSR(f, TRCVICTLR, rnd() % 2 ? 0x201 : 1);
		break;
	case 4:
		fk_msr(f, V9_SYS_TRCRSCTLR(4), 5 << 16 | 1);	/* ARC 0 */
		MSR(f, TRCVICTLR, 0x204);
		break;
	}
	return false;
}

static unsigned int size_at(uint64_t addr)
{
	const struct c32_insn *c = c32_at(addr, addr >= C32_T32);

	return c && c->size ? c->size : 4;
}

/* @step: bytes of each instruction; 0: as the program has them */
static void expand(uint64_t start, uint64_t end, unsigned int step, uint64_t *to, unsigned int *n)
{
	for (; start < end && *n < LONG; start += step ? step : size_at(start))
		to[(*n)++] = start;
}

/* The instruction set of the program at @addr */
static enum v9_insn_set code_at(uint64_t addr)
{
	return !c32_is_user(addr) ? V9_CODE_A64 : addr < C32_T32 ? V9_CODE_A32 : V9_CODE_T32;
}

static unsigned int gaps_made, gaps_hidden;
static unsigned int ranges[V9_LIST_T32_WIDE + 1];	/* of the model's list, by enum v9_listed */

#define UNKNOWN	1	/* in w.decoded: an instruction of a Q element whose path is not known */

static void unplaced(uint32_t insns)
{
	while (insns-- && w.ndecoded < LONG)
		w.decoded[w.ndecoded++] = UNKNOWN;
}

static unsigned int q_insns, q_unknown, q_uncounted;

/* Returns the first error, or NULL. */
static const char *check(struct fk *f, uint64_t config, size_t bytes, bool all, bool lossy)
{
	static struct v9_flow flow;
	struct v9_ete_config cfg;
	struct v9_flow_rec rec;
	unsigned int i, j, gaps = 0, listed = 0;
	const char *why = NULL;

	v9_ete_config_init(&cfg, MRS(f, TRCIDR0), MRS(f, TRCIDR8), false);
	v9_flow_reset(&flow, &cfg, true, config & V9_TRCCONFIGR_RS, code, NULL);
	v9_flow_feed(&flow, f->mem, bytes, 0);
	w.ndecoded = w.ntraced = 0;
	do {
		while (v9_flow_next(&flow, &rec) > 0) {
			if (rec.kind == V9_FLOW_RANGE) {
				static const uint8_t isa[] = {
					[V9_CODE_A64] = V9_ISA_A64, [V9_CODE_A32] = V9_ISA_A32,
					[V9_CODE_T32] = V9_ISA_T32,
				};
				const bool a32 = c32_is_user(rec.start);

				expand(rec.start, rec.end, a32 ? 0 : 4, w.decoded, &w.ndecoded);
				/* EL1 executes addresses in the upper half, EL0 the others */
				if (rec.ctx.el != rec.start >> 63 || !rec.ctx.ns || rec.ctx.sf == a32)
					why = "decoded in the wrong context";
				if (rec.isa != isa[code_at(rec.start)])
					why = "decoded as another instruction set";
			} else if (rec.kind == V9_FLOW_UNPLACED && f->cfg.q_supp) {
				unplaced(rec.insns);
			} else if (rec.kind == V9_FLOW_GAP && rec.why == V9_FLOW_FILTER) {
				gaps++;
			} else if (rec.kind == V9_FLOW_GAP && rec.why == V9_FLOW_NO_COUNT &&
				   f->cfg.q_supp > 1) {
				q_uncounted++;
				lossy = true;
			} else if (rec.kind == V9_FLOW_GAP && rec.why != V9_FLOW_OVERFLOW) {
				why = v9_flow_why[rec.why];
			}
		}
		if (bytes)
			v9_flow_end(&flow);
	} while (bytes && !(bytes = 0));
	if (flow.ete.acc.skipped[V9_ETE_SKIP_RESERVED] ||
	    flow.ete.acc.skipped[V9_ETE_SKIP_PROTOCOL] || flow.ete.acc.skipped[V9_ETE_SKIP_CUT])
		why = "bytes that are no trace";
	v9_flow_free(&flow);
	if (tk.npc >= TK_PCS)
		return "too long for this test";
	for (i = 0; i < tk.npc; i++) {
		static const struct { uint8_t code, size; } as[] = {
			[V9_LIST_A64] = { V9_CODE_A64, 4 }, [V9_LIST_A32] = { V9_CODE_A32, 4 },
			[V9_LIST_T32] = { V9_CODE_T32, 2 }, [V9_LIST_T32_WIDE] = { V9_CODE_T32, 4 },
		};

		expand(tk.pc[i][0], tk.pc[i][1], as[tk.as[i]].size, w.traced, &w.ntraced);
		listed += !tk.pc[i][1];
		ranges[tk.as[i]]++;
		if (as[tk.as[i]].code != code_at(tk.pc[i][0]))
			return "listed as another instruction set";
	}
	if (w.ntraced != tk_score(f)->insns)
		return "traced otherwise than counted";
	if (lossy) {
		/* instructions may be missing, but there must be no others */
		for (i = j = 0; i < w.ndecoded; i++, j++) {
			if (w.decoded[i] == UNKNOWN) {
				j--;
				continue;
			}
			while (j < w.ntraced && w.traced[j] != w.decoded[i])
				j++;
			if (j == w.ntraced)
				return "decoded what was not traced";
		}
		return why;
	}
	for (i = 0; i < w.ntraced && i < w.ndecoded; i++)
		if (w.decoded[i] == UNKNOWN) {
			q_unknown++;
		} else if (w.traced[i] != w.decoded[i]) {
			tap_note("instruction %u: model %#llx decoder %#llx", i,
				 (unsigned long long)w.traced[i], (unsigned long long)w.decoded[i]);
			return "decoder and model differ";
		}
	/*
	 * What is left of a cancelled wrong path can hide a gap behind an indirect branch, and make one where a
	 * transaction failed. Without speculation nothing does.
	 */
	gaps_made += listed;
	gaps_hidden += f->cfg.maxspec && gaps < listed ? listed - gaps : 0;
	if (f->cfg.maxspec ? gaps > listed && !w.failed : gaps != listed)
		return "decoder and model differ in gaps";
	if (w.ntraced != w.ndecoded) {
		tap_note("model %u decoder %u", w.ntraced, w.ndecoded);
		return "decoder and model differ in length";
	}
	for (i = j = 0; i < w.ntraced; i++, j++) {
		while (!all && j < w.nran && w.ran[j] != w.traced[i])
			j++;
		if (j >= w.nran || w.ran[j] != w.traced[i])
			return "traced what was not executed";
	}
	if (all && w.nran - w.ntraced > WORDS)
		return "executed and not traced";
	return why;
}

/* The first and last instruction in @ran that each one in @traced can be */
static void bounds(void)
{
	unsigned int i, j;

	for (i = j = 0; i < w.ntraced; i++, j++) {
		while (w.ran[j] != w.traced[i])
			j++;
		w.early[i] = j;
	}
	for (i = w.ntraced, j = w.nran; i-- > 0; ) {
		while (w.ran[--j] != w.traced[i])
			;
		w.late[i] = j;
	}
}

/* Returns the first error of the places of samples, or NULL. Adds to *@known those that it has. */
static const char *check_places(struct fk *f, bool all, unsigned int *known)
{
	unsigned int n, i, last = 0;

	bounds();
	/* One may have been in progress at the end. */
	if (f->nlog != w.nsampled && f->nlog + 1 != w.nsampled)
		return "records and samples differ";
	for (n = 0; n < f->nlog; n++) {
		const struct v9_spe_log *l = &f->log[n];
		const unsigned int at = w.sampled[n];
		const bool has = l->has & V9_LOG_INSN;

		if (l->n != n)
			return "records in another order";
		if (has && (l->insn >= w.ntraced || l->insn < last))
			return "a place that is not in the list";
		if (has && (at == NOWHERE || (w.traced[l->insn] & V9_SPE_ADDRESS_ADDR) != l->pc ||
			    at < w.early[l->insn] || at > w.late[l->insn]))
			return "another place than where it was executed";
		if (has && all && l->insn != at)
			return "not the place where it was executed";
		if (!has && all && at < w.ntraced)
			return "no place of what was traced";
		for (i = 0; !has && i < w.ntraced; i++)
			if (w.early[i] == at && w.late[i] == at)
				return "no place of what must have been traced";
		if (has)
			last = l->insn;
		*known += has;
	}
	return NULL;
}

static void start_spe(struct fk *f)
{
	MSR(f, PMBSR_EL1, 0);
	MSR(f, PMBPTR_EL1, SPE_BASE);
	MSR(f, PMBLIMITR_EL1, (FK_BASE + FK_SIZE) | V9_PMBLIMITR_EL1_E);
	MSR(f, PMSFCR_EL1, 0);
	MSR(f, PMSEVFR_EL1, 0);
	MSR(f, PMSNEVFR_EL1, 0);
	MSR(f, PMSLATFR_EL1, 0);
	MSR(f, PMSIRR_EL1, 1 << 8);
	MSR(f, PMSICR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
	MSR(f, PMSCR_EL1, V9_PMSCR_EL1_E1SPE | V9_PMSCR_EL1_E0SPE);
	fk_sync(f, V9_SYNC_ISB);
}

static void stop_spe(struct fk *f)
{
	MSR(f, PMSCR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
	fk_sync(f, V9_SYNC_PSB);
	fk_sync(f, V9_SYNC_DSB);
	MSR(f, PMBLIMITR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
}

static unsigned int known, unknown;

/* Headers of packets that only a unit with speculation outputs, 0x2d to 0x3f, and how often each was seen */
#define SPECULATIVE	0x2d
static unsigned int headers[0x40 - SPECULATIVE];
/* How often each packet was seen, by enum v9_ete_name, and each entry of the address history buffer */
static unsigned int names[V9_ETE_NAMES], entries[3];
static unsigned int times[9];	/* Timestamp packets by bytes of the timestamp, from 1 on */
static unsigned int infos;	/* Trace Info packets with uncommitted P0 elements */

/**
 * struct limits - what the manual lets a wrong path show
 * @depth: P0 elements that are neither committed nor cancelled
 * @q: a Q element was the last one, and its address is due
 * @waits: the last one is an Exception element, and nothing may follow before that is resolved
 */
struct limits {
	uint32_t depth;
	bool q, waits;
};

static const char *add_p0(struct limits *l, unsigned int n, uint32_t maxspec)
{
	if (n && l->waits)
		return "traced beyond an unresolved context synchronization event";	/* R_QHQLY */
	l->depth = l->depth + n < maxspec ? l->depth + n : maxspec;
	return NULL;
}

/* Returns what the packet violates, or NULL. */
static const char *check_packet(struct limits *l, const struct v9_ete_pkt *p, const struct v9_ete_config *cfg)
{
	const uint32_t maxspec = cfg->maxspec;
	const char *why = add_p0(l, p->natoms, maxspec);

	/* R_WHLPS: where execution continues, unless it is not traced there */
	if (l->q && (p->natoms || p->kind == V9_ETE_SOURCE))
		why = "no address behind a Q element";
	if (p->kind == V9_ETE_ADDRESS || p->kind == V9_ETE_TRACE_ON || p->kind == V9_ETE_OVERFLOW)
		l->q = false;
	if (p->commit > l->depth || p->cancel > l->depth - p->commit)
		return "resolved more than there is";			/* R_GLQPL */
	l->depth -= p->commit + p->cancel;
	l->waits &= !p->cancel && l->depth;
	switch (p->kind) {
	case V9_ETE_SOURCE:
		why = add_p0(l, 1, maxspec);
		break;
	case V9_ETE_EXCEPTION:
		if (p->type == V9_ETE_EXC_TX_FAILURE)
			break;
		why = add_p0(l, 1, maxspec);
		l->waits = true;
		break;
	case V9_ETE_TX_START:
		why = add_p0(l, !cfg->commtrans, maxspec);
		break;
	case V9_ETE_Q:
		why = add_p0(l, 1, maxspec);
		l->q = !(p->has & V9_ETE_HAS_ADDR);
		break;
	case V9_ETE_INFO:
		if (p->spec != l->depth)
			why = "another speculation depth in Trace Info";
		break;
	case V9_ETE_OVERFLOW:
	case V9_ETE_DISCARD:
		*l = (struct limits){ .depth = 0 };
		break;
	case V9_ETE_ADDRESS:
		/* EL1 executes addresses in the upper half, EL0 the others */
		if (p->has & V9_ETE_HAS_CTX && p->ctx.el != p->addr >> 63)
			why = "an address of another level";		/* R_KYGRF */
		break;
	}
	return why;
}

static const char *check_limits(struct fk *f, size_t bytes)
{
	struct limits l = { .depth = 0 };
	const char *why = NULL;
	struct v9_ete_config cfg;
	struct v9_ete_pktdec dec;
	struct v9_ete_pkt p;
	size_t at;
	int r;

	v9_ete_config_init(&cfg, MRS(f, TRCIDR0), MRS(f, TRCIDR8), false);
	v9_ete_pktdec_init(&dec, &cfg);
	for (at = 0; at < bytes && !why; at += r) {
		r = v9_ete_pkt_decode(&dec, f->mem + at, bytes - at, &p);
		if (r <= 0)
			return "no packet";
		if (p.header >= SPECULATIVE && p.header < 0x40)
			headers[p.header - SPECULATIVE]++;
		names[p.name]++;
		if (p.name == V9_ETE_P_TARGET_ADDRESS_EXACT_MATCH)
			entries[p.ahb]++;
		if (p.name == V9_ETE_P_TIMESTAMP)
			times[r - 2]++;
		infos += p.kind == V9_ETE_INFO && p.spec;
		why = check_packet(&l, &p, &cfg);
	}
	return why;
}

/* Each of these packets was seen: of Cancel format 3 that with 2 to 5 P0 elements. */
static void all_packets(void)
{
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(headers); i++)
		tap_ok(headers[i], "speculation_makes_packet_%x", SPECULATIVE + i);
	tap_ok(infos, "speculation_over_a_trace_info");
}

/* All types of packets were seen, apart from those for FEAT_ITE, a reset of the PE and an overflow. */
static void all_names(void)
{
	static const uint8_t others[] = {
		V9_ETE_P_ANY, V9_ETE_P_DISCARD, V9_ETE_P_IGNORE, V9_ETE_P_INSTRUMENTATION,
	};
	unsigned int i, seen = 0;

	for (i = 0; i < V9_ETE_NAMES; i++)
		if (!names[i])
			tap_note("packet %u was not seen", i);
		else
			seen++;
	tap_eq(seen, V9_ETE_NAMES - V9_ARRAY_SIZE(others), "each_packet_is_made");
	for (i = 0; i < V9_ARRAY_SIZE(others); i++)
		tap_ok(!names[others[i]], "packet_%u_is_not_made", others[i]);
	for (i = 0; i < V9_ARRAY_SIZE(entries); i++)
		tap_ok(entries[i], "exact_match_with_entry_%u", i);
	for (i = 0; i < V9_ARRAY_SIZE(times); i++)
		tap_ok(times[i], "timestamp_of_%u_bytes", i + 1);
}

/* A trace unit that sees speculative execution */
static void speculate(struct fk *f)
{
	static const uint16_t depths[] = { 1, 2, 3, 5, 6, 16, 40, 300 };

	f->cfg.maxspec = depths[rnd() % V9_ARRAY_SIZE(depths)];
	f->cfg.commopt = rnd() % 2;
	f->cfg.spec_rate = 1 + rnd() % 4;
	f->cfg.spec_merge = rnd() % 4;
	f->cfg.ss_forget = rnd() % 2;
}

/* Q elements with counts, without, or both */
static void elide(struct fk *f)
{
	f->cfg.q_supp = 1 + rnd() % 3;
	f->cfg.q_filter = rnd() % 2;
	f->cfg.q_eret = rnd() % 2;
}

/* Packets that are longer than necessary, Source Address elements, markers, late Timestamp and Cycle Counts */
static void vary(struct fk *f)
{
	f->cfg.packets = rnd() % 3;
	f->cfg.source = rnd() % 4;
	f->cfg.tsmark = rnd() % 2;
	f->cfg.late = rnd() % 6;
	f->cfg.commtrans = f->cfg.maxspec && rnd() % 2;
	w.transactions = rnd() % 2;
}

static const char *walk(unsigned int seed, unsigned int reject, unsigned int delay, bool spec, bool q, bool varied)
{
	struct fk *f = tk_new();
	const char *why;
	uint64_t config;
	unsigned int n;
	size_t bytes;
	bool all;

	rnd_state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
	memset(&w, 0, sizeof(w));
	w.mixed = seed % 2;
	f->cfg.seed = seed + 1;
	f->cfg.ts_gap = 1 + rnd() % 20;
	f->cfg.rs_depth = rnd() % 16;
	f->cfg.trbe_reject = reject;
	f->cfg.delay = delay;
	if (rnd() % 2)
		f->pe.r.has_el2 = true;
	if (spec)
		speculate(f);
	if (q)
		elide(f);
	if (varied)
		vary(f);
	tk_init(f);
	make_program();
	tk_buffer(f, TRBE_PAGES, 0);
	all = program(f, &config);
	f->pc = somewhere(1);
	tk_enable(f);
	start_spe(f);
	for (n = 0; n < 1500; n++) {
		hasten(f);
		transact(f);
		step(f);
	}
	if (f->pe.r.el == 0)
		to_kernel(f, &(struct v9_exc){ .ret = f->pc });
	stop_spe(f);
	bytes = tk_stop(f);
	v9_model_end(f->m);
	if (reject || w.failed)
		all = false;
	why = check(f, config, bytes, all, reject);
	q_insns += q ? w.ntraced : 0;
	if (!why)
		why = check_limits(f, bytes);
	if (!why) {
		n = known;
		why = check_places(f, all, &known);
		unknown += f->nlog - (known - n);
	}
	if (!why && f->nviolations)
		why = f->violation.what;
	if (!why && f->trbirq)
		why = "an event";
	if (!why && tk_score(f)->bytes != bytes + tk_score(f)->lost)
		why = "bytes lost";
	if (why)
		tap_note("seed %u, %s%sMAXSPEC %u, %u bytes, config %#llx: %s", seed,
			 all ? "all, " : "", reject ? "overflows, " : "", f->cfg.maxspec,
			 (unsigned int)bytes,
			 (unsigned long long)config, why);
	fk_free(f);
	return why;
}

static void not_taken(struct fk *f)
{
	tk_p0(f, TK_A64_BEQ(f->pc, USER), 0, f->pc + 4);
}

/*
 * A block of three instructions, one of one, and one of @n, which a branch follows if @ends. Returns the
 * number of records: each has its place if @placed, else none. Returns 0 if that is not so.
 */
static unsigned int block_of(unsigned int n, bool ends, bool placed)
{
	struct fk *f = tk_new();
	unsigned int i, records;
	uint64_t listed = 0;

	tk_init(f);
	tk_buffer(f, TRBE_PAGES, 0);
	tk_program(f, 0);
	tk_enable(f);
	start_spe(f);
	f->pc = USER;
	tk_run(f, 2);
	not_taken(f);
	not_taken(f);
	fk_nops(f, n);
	if (ends) {
		not_taken(f);
		not_taken(f);		/* only then has the one before been executed */
	}
	records = f->nlog;
	v9_model_end(f->m);
	for (i = 0; i < tk.npc; i++)
		listed += (tk.pc[i][1] - tk.pc[i][0]) / 4;
	/* What has no place yet is held. All that was traced is in the list. */
	if (!ends == !!records || listed != tk_score(f)->insns || listed < 3)
		f->nlog = 0;
	records = f->nlog;
	for (i = 0; i < f->nlog; i++) {
		const struct v9_spe_log *l = &f->log[i];

		if (!!(l->has & V9_LOG_INSN) != placed || (placed && l->insn != (l->pc - USER) / 4))
			records = 0;
	}
	fk_free(f);
	return records;
}

/*
 * Tracing stops in the middle of a block and begins again at the same instructions. Instructions that were
 * sampled before have no place, although the instructions after it have the same addresses.
 */
static void stop_and_go(bool disable, const char *name)
{
	struct fk *f = tk_new();
	unsigned int before, i;

	tk_init(f);
	tk_buffer(f, TRBE_PAGES, 0);
	tk_program(f, 0);
	tk_enable(f);
	start_spe(f);
	f->pc = USER;
	tk_block(f);
	fk_nops(f, 1000);
	tap_eq(f->nlog, 0, "%s_is_held_before", name);
	if (disable) {
		MSR(f, TRCPRGCTLR, 0);
	} else {
		MSR(f, TRFCR_EL1, 0);
	}
	fk_sync(f, V9_SYNC_ISB);
	before = f->nlog;
	tap_ok(before >= 3, "%s_ends_the_wait", name);
	f->pc = USER;
	fk_nops(f, 1000);
	tap_ok(f->nlog >= before + 3, "%s_is_not_held", name);
	before = f->nlog;
	tk_program(f, 0);
	tk_go(f, USER);
	tk_block(f);
	fk_nops(f, 2000);
	not_taken(f);
	not_taken(f);
	tap_ok(f->nlog >= before + 7, "%s_goes_on", name);
	for (i = 0; i < f->nlog; i++) {
		const struct v9_spe_log *l = &f->log[i];

		/* One may have been in progress when tracing stopped. */
		if (i <= before && !(l->has & V9_LOG_INSN))
			continue;
		tap_ok(i >= before && (l->has & V9_LOG_INSN) && l->insn == (l->pc - USER) / 4,
		       "%s_has_places_behind", name);
	}
	fk_free(f);
}

static void blocks(void)
{
	stop_and_go(false, "prohibited");
	stop_and_go(true, "disabled");
	/* The longest block: an instruction in 256 is sampled. */
	tap_ok(block_of(0x10000, true, true) >= 255, "samples_of_a_long_block_have_places");
	tap_ok(block_of(0x10001, true, false) >= 255, "samples_of_a_longer_block_have_none");
	tap_ok(block_of(0x8000, false, false) >= 127, "samples_of_a_block_that_does_not_end_have_none");
}

/* shows: ETE-R_XCJGD ETE-R_WBCRN ETE-R_HLRZJ ETE-R_QHSBN ETE-R_BDFDQ ETE-R_SVGNN ETE-R_QCFSS */
int main(int argc, char **argv)
{
	unsigned int seed, first = 0, n = 70, bad = 0, lossy = 0, late = 0, spec = 0, both = 0;
	unsigned int q = 0, q_late = 0, q_both = 0, varied = 0, varied_late = 0, varied_both = 0;

	if (argc > 1) {
		first = strtoul(argv[1], NULL, 0);
		n = argc > 2 ? strtoul(argv[2], NULL, 0) : 1;
	}
	for (seed = first; seed < first + n; seed++) {
		bad += !!walk(seed, 0, V9_DELAY_OFF, false, false, false);
		lossy += !!walk(seed, 40, V9_DELAY_OFF, false, false, false);
		late += !!walk(seed, 0, V9_DELAY_MAX + seed % 2, false, false, false);
		spec += !!walk(seed, 0, V9_DELAY_OFF, true, false, false);
		both += !!walk(seed, 40, V9_DELAY_OFF, true, false, false);
		q += !!walk(seed, 0, V9_DELAY_OFF, false, true, false);
		q_late += !!walk(seed, 0, V9_DELAY_MAX + seed % 2, seed % 3, true, false);
		q_both += !!walk(seed, 40, V9_DELAY_OFF, true, true, false);
		varied += !!walk(seed, 0, V9_DELAY_OFF, false, false, true);
		varied_late += !!walk(seed, 0, V9_DELAY_MAX + seed % 2, seed % 3, seed % 2, true);
		varied_both += !!walk(seed, 40, V9_DELAY_OFF, true, true, true);
	}
	tap_eq(bad, 0, "what_was_traced_decodes");
	tap_eq(lossy, 0, "overflows_decode");
	tap_eq(late, 0, "late_effects_decode");
	tap_eq(spec, 0, "speculation_decodes");
	tap_eq(both, 0, "speculation_with_overflows_decodes");
	tap_eq(q, 0, "q_elements_decode");
	tap_eq(q_late, 0, "late_q_elements_decode");
	tap_eq(q_both, 0, "q_elements_with_speculation_and_overflows_decode");
	tap_eq(varied, 0, "each_choice_of_packets_decodes");
	tap_eq(varied_late, 0, "choices_with_late_effects_decode");
	tap_eq(varied_both, 0, "choices_with_speculation_and_overflows_decode");
	tap_note("of %u instructions with Q elements, %u on paths that are not known; %u without a count",
		 q_insns, q_unknown, q_uncounted);
	tap_ok(q_unknown > 1000 && q_uncounted > 100, "q_elements_hide_paths");
	all_packets();
	all_names();
	tap_note("%u of %u gaps hidden", gaps_hidden, gaps_made);
	tap_ok(gaps_hidden * 200 < gaps_made, "speculation_hides_few_gaps");
	tap_note("%u samples with a place, %u without", known, unknown);
	tap_note("ranges of A64 %u, A32 %u, T32 %u and %u", ranges[V9_LIST_A64], ranges[V9_LIST_A32],
		 ranges[V9_LIST_T32], ranges[V9_LIST_T32_WIDE]);
	tap_ok(ranges[V9_LIST_A32] > 10 * n && ranges[V9_LIST_T32] > 10 * n &&
	       ranges[V9_LIST_T32_WIDE] > 10 * n, "each_instruction_set_is_traced");
	blocks();
	tap_ok(known > 20 * n && unknown > n, "samples_have_places");
	return tap_done();
}
