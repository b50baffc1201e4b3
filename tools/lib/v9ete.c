// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <stdlib.h>

#include <v9trace/gen/regs.h>

#include "flow.h"

/* Part of the ABI: after a release a new size requires a new soname (see the Makefile). */
#define ABI_SIZE(name, n) _Static_assert(sizeof(struct name) == (n), "size of a public struct")
ABI_SIZE(v9_ete_pkt, 88);
ABI_SIZE(v9_ete_run, 24);
ABI_SIZE(v9_ete_pktdec, 104);
ABI_SIZE(v9_ete_config, 12);
ABI_SIZE(v9_ete_elem, 40);
ABI_SIZE(v9_ete_account, 312);
ABI_SIZE(v9_insn, 16);
ABI_SIZE(v9_block, 96);
ABI_SIZE(v9_flow_rec, 88);
ABI_SIZE(v9_flow_hit, 16);
ABI_SIZE(v9_flow_batch, 112);
ABI_SIZE(v9_flow_counts, 192);
ABI_SIZE(v9_flow_mark, 2056);

static bool is_known(const struct v9_ete_setup *s)
{
	return s && s->size == sizeof(*s);	/* there is only one version */
}

static void configure(const struct v9_ete_setup *s, struct v9_ete_config *cfg)
{
	v9_ete_config_init(cfg, s->trcidr0, s->trcidr8,
			   V9_GET(V9_TRCDEVARCH_REVISION, s->trcdevarch) >=
			   V9_TRCDEVARCH_REVISION_ETEv1p2);
}

struct v9_ete_dec *v9_ete_dec_new(const struct v9_ete_setup *setup)
{
	struct v9_ete_config cfg;
	struct v9_ete_dec *d;

	if (!is_known(setup)) {
		errno = EINVAL;
		return NULL;
	}
	d = malloc(sizeof(*d));
	if (!d)
		return NULL;
	configure(setup, &cfg);
	v9_ete_dec_reset(d, &cfg);
	return d;
}

void v9_ete_dec_delete(struct v9_ete_dec *d)
{
	if (d)
		v9_ete_dec_free(d);
	free(d);
}

const struct v9_ete_account *v9_ete_dec_account(const struct v9_ete_dec *d)
{
	return &d->acc;
}

struct v9_flow *v9_flow_new(const struct v9_ete_setup *setup)
{
	struct v9_ete_config cfg;
	struct v9_flow *f;
	int err;

	if (!is_known(setup) || !setup->code) {
		errno = EINVAL;
		return NULL;
	}
	f = malloc(sizeof(*f));
	if (!f)
		return NULL;
	configure(setup, &cfg);
	err = v9_flow_reset(f, &cfg, setup->trcidr2 & V9_TRCIDR2_WFXMODE,
			    setup->trcconfigr & V9_TRCCONFIGR_RS,
			    setup->code, setup->arg);
	if (err) {
		v9_flow_delete(f);
		errno = -err;
		return NULL;
	}
	return f;
}

void v9_flow_delete(struct v9_flow *f)
{
	if (f)
		v9_flow_free(f);
	free(f);
}

const struct v9_ete_account *v9_flow_account(const struct v9_flow *f)
{
	return &f->ete.acc;
}

const struct v9_flow_counts *v9_flow_sums(const struct v9_flow *f)
{
	return &f->counts;
}

const struct v9_ete_context *v9_flow_context(const struct v9_flow *f)
{
	return &f->ctx;
}
