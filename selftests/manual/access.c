// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the model says about an access. Each line of standard input: an encoding, 1 for a write,
 * then SCR_EL3, MDCR_EL3, MDCR_EL2, HCR_EL2, CPACR_EL1, CPTR_EL2, CPTR_EL3, PMSCR_EL2, TRFCR_EL2
 * in hexadecimal, then in decimal the Exception level, the Security state (enum v9_ss), and
 * whether there are EL2, EL3 and FEAT_RME. Each line of output: UNDEF, EL1, EL2, EL3 (where the
 * trap goes), or OK: and the register whose value it is.
 */
#include <stdio.h>

#include "model_fake.h"
#include "private.h"

static struct fk *whole(void)
{
	struct fk *f = fk_new();

	f->cfg.spe_version = 6;
	f->cfg.max_size = 7;
	f->cfg.mixed = f->cfg.spe_exc = f->cfg.spe_nvm = f->cfg.fds = f->cfg.eft = f->cfg.ernd = true;
	f->cfg.brbe = 2;
	f->cfg.ete = f->cfg.ite = f->cfg.trbe_exc = f->cfg.trbe_mpam = true;
	if (fk_init(f)) {
		fputs("access: the model does not want to be so large\n", stderr);
		exit(2);
	}
	memset(&f->m->absent, 0, sizeof(f->m->absent));
	return f;
}

static void set(struct fk *f, unsigned int reg, uint64_t v)
{
	f->m->val[reg] = f->m->seen[reg] = v;
}

int main(void)
{
	static const char *const outcome[] = {
		[V9_ACCESS_UNDEF] = "UNDEF", [V9_ACCESS_EL1] = "EL1", [V9_ACCESS_EL2] = "EL2",
		[V9_ACCESS_EL3] = "EL3",
	};
	struct fk *f = whole();
	const struct v9_regdesc *descs;
	unsigned int enc, write, el, ss, el2, el3, rme;
	unsigned long long v[9];
	size_t n;

	descs = v9_model_regs(&n);
	while (scanf("%x %u %llx %llx %llx %llx %llx %llx %llx %llx %llx %u %u %u %u %u", &enc, &write,
		     &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7], &v[8],
		     &el, &ss, &el2, &el3, &rme) == 16) {
		enum v9_access a;
		int reg;

		f->pe.r = (struct v9_route){
			.scr_el3 = v[0], .mdcr_el3 = v[1], .mdcr_el2 = v[2], .hcr_el2 = v[3],
			.cpacr_el1 = v[4], .cptr_el2 = v[5], .cptr_el3 = v[6],
			.el = el, .pe_ss = ss, .has_el2 = el2, .has_el3 = el3, .has_rme = rme,
			.a64 = true, .el1_a64 = true, .el2_a64 = true,
			.has_secure = true, .has_ecv = true,
		};
		set(f, V9_R_PMSCR_EL2, v[7]);
		set(f, V9_R_TRFCR_EL2, v[8]);
		reg = v9_reg_find(&f->pe.r, enc);
		if (reg < 0) {
			puts("NONE");
			continue;
		}
		a = v9_reg_access(f->m, reg, write);
		if (a == V9_ACCESS_OK)
			printf("OK:%s\n", descs[v9_status_home(f->m, reg)].name);
		else
			puts(outcome[a]);
	}
	return 0;
}
