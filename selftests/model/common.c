// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What all files of the model use: features, random numbers, delays, violations */
#include "private.h"

bool v9_feat(const struct v9_model *m, enum v9_feat feat)
{
	switch (feat) {
	case V9_FEAT_SPE:
		return m->cfg.spe_version >= 1;
	case V9_FEAT_SPEv1p2:
	case V9_FEAT_SPE_FnE:
		return m->cfg.spe_version >= 3;
	case V9_FEAT_SPE_EXC:
		return m->cfg.spe_version >= 1 && m->cfg.spe_exc;
	case V9_FEAT_SPE_ERnd:
		return m->cfg.ernd;
	case V9_FEAT_SPE_FDS:
		return m->cfg.fds;
	case V9_FEAT_SPE_EFT:
		return m->cfg.eft;
	case V9_FEAT_SPE_nVM:
		return m->cfg.spe_version >= 1 && m->cfg.spe_nvm;
	case V9_FEAT_TRBE_EXC:
	case V9_FEAT_TRBEv1p1:
		return m->cfg.ete && m->cfg.trbe_exc;	/* TRBE-PR4 */
	case V9_FEAT_ETE:
	case V9_FEAT_TRBE:
	case V9_FEAT_TRF:
		return m->cfg.ete;	/* TRBE-PR1, PR2 */
	case V9_FEAT_TRBE_MPAM:
		return m->cfg.ete && m->cfg.trbe_mpam;
	case V9_FEAT_ITE:
		return m->cfg.ete && m->cfg.ite;
	case V9_FEAT_BRBE:
		return m->cfg.brbe;	/* BRBE-BP1 */
	default:
		return false;
	}
}

uint64_t v9_random(struct v9_model *m)
{
	uint64_t x = m->rng;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	m->rng = x;
	/* the low bits of the product are less random */
	return (x * UINT64_C(0x2545f4914f6cdd1d)) >> 24;
}

bool v9_maybe(struct v9_model *m, unsigned int n)
{
	return n && v9_random(m) % n == 0;
}

void v9_violate(struct v9_model *m, const char *rule, const char *reg, uint64_t value,
		const char *what)
{
	struct v9_pe_state s = v9_pe(m);
	struct v9_violation n = {
		.rule = rule, .reg = reg, .what = what, .pc = s.pc, .value = value, .el = s.r.el,
	};

	m->score.violations++;
	if (m->bus.violation)
		m->bus.violation(m->ctx, &n);
}

bool v9_later(struct v9_model *m)
{
	return m->cfg.delay == V9_DELAY_MAX ||
	       (m->cfg.delay == V9_DELAY_RANDOM && v9_random(m) & 1);
}
