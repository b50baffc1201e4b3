// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random calls of the public functions of the trace unit, correct and incorrect. Invariants that do
 * not depend on software are checked after each step.
 */
#include "tap.h"
#include "model_trace.h"
#include "model_walks.h"

#define LIMIT_PAGES 8	/* no limit is above this page: the rest must stay unwritten */

static uint64_t rnd_state;

static uint64_t rnd(void)
{
	rnd_state ^= rnd_state << 13;
	rnd_state ^= rnd_state >> 7;
	rnd_state ^= rnd_state << 17;
	return rnd_state * UINT64_C(0x2545f4914f6cdd1d) >> 16;
}

static uint64_t value_for(uint32_t enc)
{
	switch (enc) {
	case V9_SYS_TRBLIMITR_EL1:
		return (FK_BASE + rnd() % (LIMIT_PAGES + 1) * FK_PAGE) | (rnd() & 0x3e) |
		       (rnd() % 4 ? 1 : 0);
	case V9_SYS_TRBBASER_EL1:
		return FK_BASE + rnd() % LIMIT_PAGES * FK_PAGE;
	case V9_SYS_TRBPTR_EL1:
		return rnd() % 16 ? FK_BASE + rnd() % (LIMIT_PAGES * FK_PAGE) : rnd();
	case V9_SYS_TRBSR_EL1:
		return rnd() % 4 ? 0 : rnd();
	case V9_SYS_TRBTRG_EL1:
		return rnd() % 2 ? 0 : rnd() % 5000;
	case V9_SYS_TRCPRGCTLR:
		return rnd() % 3 > 0;
	case V9_SYS_TRFCR_EL1:
	case V9_SYS_TRFCR_EL2:
		return rnd() % 4 ? 3 : rnd();
	default:
		return rnd() % 3 ? rnd() & 0x00ff03ff : rnd();
	}
}

static void random_register(struct fk *f)
{
	static const uint32_t often[] = {
		V9_SYS_TRBLIMITR_EL1, V9_SYS_TRBBASER_EL1, V9_SYS_TRBPTR_EL1, V9_SYS_TRBSR_EL1,
		V9_SYS_TRBTRG_EL1, V9_SYS_TRCPRGCTLR, V9_SYS_TRFCR_EL1, V9_SYS_TRFCR_EL2,
		V9_SYS_TRCVICTLR,
	};
	size_t n;
	const struct v9_regdesc *d = v9_model_regs(&n);
	unsigned int reg = rnd() % n;

	if (rnd() % 2)
		reg = fk_reg(often[rnd() % V9_ARRAY_SIZE(often)]);
	if (d[reg].unit == V9_UNIT_SPE || !v9_reg_exists(f->m, reg))
		return;
	v9_enter(f->m, f->cnt, 0, false);
	if (rnd() % 4 && d[reg].write)
		v9_reg_write(f->m, reg, value_for(d[reg].enc));
	else
		v9_reg_read(f->m, reg);
	f->cnt = v9_leave(f->m);
}

static void random_branch(struct fk *f)
{
	static const uint32_t ops[] = {
		TK_RET, TK_BR, TK_BLR, TK_ISB, TK_WFI, 0x14000010, 0x94000020, 0x54000040,
		0xb5000080, 0x36000100,
	};

	tk_run(f, rnd() % 20);
	tk_p0(f, ops[rnd() % V9_ARRAY_SIZE(ops)], rnd() & 15,
	      rnd() % 2 ? f->pc + 4 : 0x10000 + (rnd() & 0xfffc));
}

static void random_event(struct fk *f)
{
	unsigned int top = f->pe.r.has_el3 ? 3 : f->pe.r.has_el2 ? 2 : 1;
	struct v9_exc x = {
		.ret = rnd() % 4 ? f->pc : f->pc - 4, .sync = rnd() & 1, .esr = rnd(),
		.interrupt = rnd() % 3,
	};

	switch (rnd() % 10) {
	case 0:
	case 1:
		x.to_el = f->pe.r.el + (f->pe.r.el < top ? rnd() % 2 : 0);
		x.to_el = x.to_el ? x.to_el : 1;
		fk_exception(f, &x);
		break;
	case 2:
	case 3:
		if (f->pe.r.el)
			fk_eret(f, 0x10000 + (rnd() & 0xfffc), rnd() % (f->pe.r.el + 1));
		break;
	case 4:
		f->page[rnd() % LIMIT_PAGES] = (struct fk_page){
			.kind = rnd() % 2 ? FK_OK : rnd() % 4, .stage = 1 + rnd() % 2,
			.fsc = rnd() & 63,
		};
		break;
	case 5:
		f->pe.r.a64 = rnd() % 4;
		f->pe.r.debug = !(rnd() % 16);
		f->pe.oslk = !(rnd() % 8);
		break;
	case 6:
		f->pe.r.hcr_el2 = rnd();
		f->pe.r.mdcr_el2 = rnd();
		f->pe.r.mdcr_el3 = rnd();
		break;
	case 7:
		f->pe.contextidr_el1 = rnd() % 3;
		f->pe.contextidr_el2 = rnd() % 3;
		break;
	case 8:
		v9_trace_input(f->m, rnd() % 2 ? 0x400e : rnd() & 0xffff);
		break;
	case 9:
		if (rnd() % 20 == 0) {
			v9_model_reset(f->m, V9_RESET_COLD);
			f->cnt = v9_leave(f->m);
		}
		break;
	}
}

/* Returns the first error, or NULL. */
static const char *wrong(struct fk *f, uint64_t made_before, bool was_allowed)
{
	const struct v9_trace_score *s = tk_score(f);
	uint64_t i, sr = MRS(f, TRBSR_EL1), waiting;

	for (i = LIMIT_PAGES * FK_PAGE; i < FK_SIZE; i++)
		if (f->touched[i])
			return "byte past the limit";
	if (s->bytes != s->off + s->stopped + s->accepted + s->lost)
		return "bytes not accounted for";
	if (s->accepted < s->written + s->fault)
		return "more written than accepted";
	waiting = s->accepted - s->written - s->fault;
	if (waiting > (f->cfg.delay ? 1024u : 0u))
		return "accepted bytes forgotten";
	if (s->events != tk.nevent)
		return "logged otherwise than counted";
	if (!f->cfg.delay && f->trbirq != !!(sr & V9_TRBSR_EL1_IRQ))
		return "line is not status";
	if (!was_allowed && s->bytes != made_before)
		return "trace from a prohibited region";
	return NULL;
}

static uint64_t walk(unsigned int seed, const char **why, uint64_t *bytes)
{
	struct fk *f = tk_new();
	uint64_t h = 14695981039346656037u, i;
	unsigned int step;

	rnd_state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
	f->cfg.seed = seed + 1;
	f->cfg.delay = seed % 3;
	f->cfg.ete_minimal = rnd() % 4 == 0;
	f->cfg.trbe_ignore = rnd() % 2;
	f->cfg.trbe_align = rnd() % 12;
	f->cfg.trbe_reject = rnd() % 4 ? 0 : 1 + rnd() % 20;
	f->cfg.cu_disable = rnd() % 3;
	f->cfg.async_abort = rnd() % 4 == 0;
	f->pe.r.has_el2 = rnd() % 2;
	f->pe.r.has_el3 = rnd() % 2;
	f->pe.r.scr_el3 = V9_SCR_EL3_NS;
	f->pe.r.mdcr_el3 = V9_PUT(V9_MDCR_EL3_NSTB, 3);
	tk_init(f);
	f->pc = 0x10000;
	for (step = 0; step < 300 && !*why; step++) {
		uint64_t made = tk_score(f)->bytes;
		bool allowed = true;

		switch (rnd() % 12) {
		case 0:
			random_register(f);
			break;
		case 1:
			fk_sync(f, rnd() % (V9_SYNC_TLBI + 1));
			break;
		case 2:
			random_event(f);
			break;
		case 3:
			if (rnd() % 8 == 0 && f->pe.r.el == 1) {
				tk_buffer(f, LIMIT_PAGES, rnd() % 2 ? 0 : 6);
				tk_program(f, rnd() & 0x18d8);
				tk_enable(f);
			}
			break;
		default:
			if (!tk_on(f)) {
				/* output trace of instructions before the prohibited region */
				fk_sync(f, V9_SYNC_ISB);
				made = tk_score(f)->bytes;
				allowed = tk_on(f);
			}
			random_branch(f);
		}
		*why = wrong(f, made, allowed);
	}
	if (*why)
		tap_note("seed %u, step %u: %s", seed, step, *why);
	*bytes += tk_score(f)->written;
	for (i = 0; i < sizeof(f->mem); i++)
		h = (h ^ f->mem[i]) * 1099511628211u;
	fk_free(f);
	return h ^ tk.nevent;
}

/* shows: TRBE-PT4 TRBE-UN7 ETE-R_FFVYM */
int main(int argc, char **argv)
{
	walks(argc, argv, 200, 100, "bytes", walk);
	return tap_done();
}
