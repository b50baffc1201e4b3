// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random calls of the public functions, correct and incorrect. Invariants that do not depend on
 * software are checked after each step.
 */
#include "tap.h"
#include "model_fake.h"
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

static const uint32_t regs[] = {
	V9_SYS_PMSCR_EL1, V9_SYS_PMSCR_EL2, V9_SYS_PMSCR_EL12, V9_SYS_PMSNEVFR_EL1,
	V9_SYS_PMSICR_EL1, V9_SYS_PMSIRR_EL1, V9_SYS_PMSFCR_EL1, V9_SYS_PMSEVFR_EL1,
	V9_SYS_PMSLATFR_EL1, V9_SYS_PMSIDR_EL1, V9_SYS_PMBLIMITR_EL1, V9_SYS_PMBPTR_EL1,
	V9_SYS_PMBSR_EL1, V9_SYS_PMBIDR_EL1,
};

static uint64_t value_for(uint32_t enc)
{
	switch (enc) {
	case V9_SYS_PMBLIMITR_EL1:
		return (FK_BASE + rnd() % (LIMIT_PAGES + 1) * FK_PAGE) | (rnd() % 4 ? 1 : 0) |
		       (rnd() % 8 ? 0 : 4);
	case V9_SYS_PMBPTR_EL1:
		return rnd() % 16 ? FK_BASE + rnd() % (LIMIT_PAGES * FK_PAGE) / 64 * 64 : rnd();
	case V9_SYS_PMBSR_EL1:
		return rnd() % 4 ? 0 : rnd();
	case V9_SYS_PMSIRR_EL1:
		return (rnd() % 3) << 8 | (rnd() & 1);
	case V9_SYS_PMSICR_EL1:
		return rnd() % 4 ? rnd() % 300 : rnd();
	case V9_SYS_PMSFCR_EL1:
		return rnd() % 2 ? 0 : rnd();
	default:
		return rnd();
	}
}

static void random_op(struct fk *f)
{
	static const uint32_t ops[] = {
		OP_NOP, OP_LDR, OP_STR, OP_LDADD, OP_STADD, OP_CSEL, OP_PRFM, OP_SVC,
	};
	static const uint32_t branches[] = { OP_B, OP_BEQ, OP_BNE, OP_CBZ, OP_BR };
	unsigned int n = 1 + rnd() % 300;

	while (n--) {
		if (rnd() % 4)
			fk_op(f, rnd() % 16 ? ops[rnd() % 8] : (uint32_t)rnd(),
			      rnd() % 2 ? rnd() | 1 : 0);
		else
			fk_branch(f, branches[rnd() % 5], rnd() & 15,
				  rnd() % 2 ? f->pc + 4 : rnd() & ~UINT64_C(3));
	}
}

static void random_event(struct fk *f)
{
	unsigned int top = f->pe.r.has_el3 ? 3 : f->pe.r.has_el2 ? 2 : 1;
	struct v9_exc x = {
		.ret = rnd() % 2 ? f->pc : f->pc - 4, .sync = rnd() & 1, .has_va = rnd() & 1,
		.fault_va = rnd(),
	};

	switch (rnd() % 12) {
	case 0:
	case 1:
		x.to_el = f->pe.r.el + (f->pe.r.el < top ? rnd() % 2 : 0);
		x.to_el = x.to_el ? x.to_el : 1;
		fk_exception(f, &x);
		break;
	case 2:
	case 3:
	case 4:
		fk_eret(f, rnd() & ~UINT64_C(3), rnd() % (f->pe.r.el + 1));
		break;
	case 5:
		f->page[rnd() % LIMIT_PAGES] = (struct fk_page){
			.kind = rnd() % 2 ? FK_OK : rnd() % 4, .stage = 1 + rnd() % 2,
			.fsc = rnd() & 63,
		};
		break;
	case 6:
		v9_enter(f->m, f->cnt, f->dva, f->dvalid);
		v9_spe_abort(f->m);
		f->cnt = v9_leave(f->m);
		break;
	case 7:
		f->pe.r.a64 = rnd() % 4;
		f->pe.r.debug = !(rnd() % 16);
		break;
	case 8:
		f->pe.r.hcr_el2 = rnd();
		f->pe.r.mdcr_el2 = rnd();
		break;
	case 9:
		f->pe.regime = rnd() % 2;
		break;
	case 10:
		if (!(rnd() % 20)) {
			v9_model_reset(f->m, rnd() % 2 ? V9_RESET_WARM : V9_RESET_COLD);
			f->cnt = v9_leave(f->m);
		}
		break;
	case 11:
		if (f->cnt < INT32_MAX && rnd() % 2)
			f->cnt++;	/* an instruction is restarted */
		break;
	}
}

/* Returns the first error, or NULL. */
static const char *wrong(struct fk *f, const struct v9_score *before, bool was_on)
{
	const struct v9_score *s = fk_score(f);
	uint64_t i, pending;

	for (i = LIMIT_PAGES * FK_PAGE; i < FK_SIZE; i++)
		if (f->touched[i])
			return "byte past the limit";
	if (s->passed < s->written + s->discarded)
		return "more written than passed";
	pending = s->passed - s->written - s->discarded;
	if (pending > (f->cfg.delay ? 16 : 0))
		return "records lost";
	if (s->samples < s->filtered + s->passed + s->dropped ||
	    s->samples - s->filtered - s->passed - s->dropped > 1)
		return "samples lost";
	if (!was_on && s->samples + s->collided != before->samples + before->collided)
		return "sample while off";
	if (s->written != f->nlog || s->events != f->nevent || s->violations != f->nviolations)
		return "logged otherwise than counted";
	if (f->irqs != s->irq_raised)
		return "edges";
	i = MRS(f, PMBSR_EL1);	/* completes a sample in flight, which may raise the line */
	if (!f->cfg.delay && f->line != !!(i & V9_PMBSR_EL1_S))
		return "line is not status";
	if (f->cnt < 0)
		return "negative countdown";
	return NULL;
}

static uint64_t hash(const struct fk *f)
{
	uint64_t h = 14695981039346656037u, i;
	const uint8_t *p = (const uint8_t *)f->log;

	for (i = 0; i < sizeof(f->mem); i++)
		h = (h ^ f->mem[i]) * 1099511628211u;
	for (i = 0; i < sizeof(f->log[0]) * (f->nlog < 100 ? f->nlog : 100); i++)
		h = (h ^ p[i]) * 1099511628211u;
	return h ^ f->nlog << 20 ^ f->nviolations;
}

static uint64_t walk(unsigned int seed, const char **why, uint64_t *records)
{
	struct fk *f = fk_new();
	unsigned int step, seen = 0;
	uint64_t h;

	rnd_state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	f->cfg.seed = seed;
	f->cfg.delay = seed % 3;
	f->cfg.lat = rnd() & 1;
	f->cfg.lat_total = rnd() % 600;
	f->cfg.spe_version = 1 + rnd() % 6;
	f->cfg.mixed = true;	/* all versions report aborts, by interrupt */
	f->cfg.max_size = 6 + rnd() % 3;
	f->cfg.align = rnd() % (f->cfg.max_size + 1);
	f->cfg.ernd = rnd() & 1;
	f->cfg.lds = rnd() & 1;
	f->cfg.fds = f->cfg.spe_version >= 5 && f->cfg.lds && f->cfg.max_size >= 7;
	f->cfg.eft = f->cfg.crr = f->cfg.spe_version >= 5;
	f->cfg.count16 = rnd() & 1;
	f->cfg.pad_align = rnd() & 1;
	f->cfg.async_abort = rnd() & 1;
	f->cfg.cu_filter = rnd() & 1;
	f->cfg.cu_disable = rnd() % 3;
	f->pe.r.has_el2 = rnd() & 1;
	f->pe.r.has_el3 = !(rnd() % 4);
	f->pe.r.scr_el3 = V9_SCR_EL3_NS;
	f->pe.r.mdcr_el3 = V9_PUT(V9_MDCR_EL3_NSPB, 3);
	f->pe.tbi = rnd() & 3;
	fk_init(f);
	fk_start(f, 0x101, LIMIT_PAGES, rnd() & 0x78);

	for (step = 0; step < 400 && !*why; step++) {
		struct v9_score before = *fk_score(f);
		bool on = v9_pe_activity(f->m, &f->pe) & V9_ACT_SPE;
		unsigned int i;

		switch (rnd() % 8) {
		case 0:
			i = rnd() % V9_ARRAY_SIZE(regs);
			fk_msr(f, regs[i], value_for(regs[i]));
			on = true;
			break;
		case 1:
			fk_mrs(f, regs[rnd() % V9_ARRAY_SIZE(regs)]);
			break;
		case 2:
			fk_sync(f, rnd() % (V9_SYNC_TLBI + 1));
			break;
		case 3:
			/* sometimes program the unit correctly */
			MSR(f, PMBPTR_EL1, FK_BASE);
			MSR(f, PMBLIMITR_EL1, (FK_BASE + LIMIT_PAGES * FK_PAGE) | 1);
			MSR(f, PMSFCR_EL1, 0);
			MSR(f, PMSIRR_EL1, 0x100);
			MSR(f, PMSCR_EL1, 3 | (rnd() & 0x78));
			fk_sync(f, V9_SYNC_ISB);
			MSR(f, PMBSR_EL1, 0);
			fk_sync(f, V9_SYNC_ISB);
			on = true;
			break;
		case 4:
			random_event(f);
			on = true;	/* may have entered a state where profiling is enabled */
			break;
		default:
			random_op(f);
		}
		/* without delayed effects, a record can be read at once */
		for (; !f->cfg.delay && seen < f->nlog && seen < FK_LOGS; seen++) {
			const struct v9_spe_log *l = &f->log[seen];
			struct fk_rec r;

			if (seen + 1 == f->nlog &&
			    (fk_decode(f, l->at, l->at + l->size, &r) != l->size || r.unknown ||
			     r.l.pc << 8 != l->pc << 8 || r.l.ev != l->ev))
				*why = "bytes do not decode";
		}
		if (!*why)
			*why = wrong(f, &before, on);
	}
	if (*why)
		tap_note("seed %u, step %u: %s", seed, step, *why);
	*records += f->nlog;
	h = hash(f);
	fk_free(f);
	return h;
}

/* shows: SPE-PB15 SPE-ME2 SPE-SI12 SPE-PB16 */
int main(int argc, char **argv)
{
	walks(argc, argv, 300, 1, "records", walk);
	return tap_done();
}
