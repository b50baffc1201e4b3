// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bytes that the decoder keeps from one feed to the next, begun by zeros: an Alignment Synchronization
 * (11 zeros or more, 0x80) of any number of zeros, or reserved bytes
 */
#include <string.h>

#include "tap.h"
#include "../../tools/lib/ete.h"

/* A decoder that is synchronized at offset 100, with @n bytes kept, of which zeros are the first */
static void begin(struct v9_ete_dec *d, const uint8_t *carry, size_t n)
{
	struct v9_ete_config cfg;

	v9_ete_config_init(&cfg, 0, 0, false);
	v9_ete_dec_reset(d, &cfg);
	d->synced = d->informed = d->started = true;
	d->offset = 100;
	memcpy(d->carry, carry, n);
	d->carried = (uint8_t)n;
}

static void feed(struct v9_ete_dec *d, const uint8_t *p, size_t n)
{
	struct v9_ete_elem e;

	v9_ete_dec_feed(d, p, n, d->offset);
	while (v9_ete_dec_next(d, &e) > 0)
		;
}

int main(void)
{
	static const uint8_t kept[] = { 0, 0, 0, 0, 0xf7 };
	static const uint8_t sync[] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80 };
	struct v9_ete_dec d;

	for (size_t zeros = 2; zeros <= 4; zeros++) {
		/* What follows completes it, or lacks a zero. */
		for (size_t less = 0; less < 2; less++) {
			begin(&d, kept, zeros);
			feed(&d, sync + zeros + less, sizeof(sync) - zeros - less);
			tap_ok(d.synced == !less && d.acc.skipped[V9_ETE_SKIP_RESERVED] == (less ? 11 : 0) &&
			       d.acc.skips[V9_ETE_SKIP_RESERVED] == less && !d.carried && !d.zeros,
			       "zeros_%zu_less_%zu", zeros, less);
			v9_ete_dec_free(&d);
		}
	}
	/* More than zeros was kept: it is skipped, up to the next synchronization. */
	begin(&d, kept, sizeof(kept));
	feed(&d, sync, sizeof(sync));
	tap_ok(d.synced && d.acc.skipped[V9_ETE_SKIP_RESERVED] == 5 && d.acc.skips[V9_ETE_SKIP_RESERVED] == 1 && !d.carried,
	       "others_are_skipped");
	v9_ete_dec_free(&d);
	/* The synchronization is in what was kept, behind reserved bytes. */
	for (size_t behind = 0; behind < 2; behind++) {
		uint8_t bytes[2 + 1 + sizeof(sync) + 1] = { 0, 0, 0x11 };

		memcpy(bytes + 3, sync, sizeof(sync));
		bytes[sizeof(bytes) - 1] = 0xf7;
		begin(&d, bytes, sizeof(bytes) - 1 + behind);
		feed(&d, sync, 0);
		tap_ok(d.synced && d.acc.skipped[V9_ETE_SKIP_RESERVED] == 3 && !d.carried, "sync_was_kept_%zu", behind);
		v9_ete_dec_free(&d);
	}
	return tap_done();
}
