// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdlib.h>

#include "spe.h"

/* Part of the ABI: after a release a new size requires a new soname (see the Makefile). */
#define ABI_SIZE(name, n) _Static_assert(sizeof(struct name) == (n), "size of a public struct")
ABI_SIZE(v9_spe_pkt, 16);
ABI_SIZE(v9_spe_rec, 120);
ABI_SIZE(v9_spe_raw, 16);
ABI_SIZE(v9_spe_account, 120);

struct v9_spe_dec *v9_spe_dec_new(void)
{
	struct v9_spe_dec *d = malloc(sizeof(*d));

	if (d)
		v9_spe_dec_reset(d);
	return d;
}

void v9_spe_dec_delete(struct v9_spe_dec *d)
{
	if (d)
		v9_spe_dec_free(d);
	free(d);
}

const struct v9_spe_account *v9_spe_dec_account(const struct v9_spe_dec *d)
{
	return &d->acc;
}

uint64_t v9_spe_dec_offset(const struct v9_spe_dec *d)
{
	return d->offset;
}

size_t v9_spe_dec_raw(const struct v9_spe_dec *d, const struct v9_spe_raw **raw)
{
	*raw = d->raw;
	return d->nr_raw;
}
