// SPDX-License-Identifier: GPL-2.0-only
/* Decoders by what is known of the trace unit: other sizes of the struct are refused; the version of ETE decides. */
#include <errno.h>
#include <string.h>

#include "tap.h"
#include "../../tools/lib/v9ete.h"

static const uint8_t *no_code(void *arg, const struct v9_ete_context *ctx, uint64_t addr, size_t *n)
{
	(void)arg;
	(void)ctx;
	(void)addr;
	*n = 0;
	return NULL;
}

static const struct v9_ete_setup usual = {
	.size = sizeof(usual), .trcidr0 = 0x28000ea1, .trcidr2 = 0xd0001088, .trcdevarch = 0x47725a13,
	.trcconfigr = 1 << 6 | 1 << 11, .code = no_code,
};

/* Context with bit 3, which is reserved before ETEv1p2: whether the element is known, and in which state */
static void versions(void)
{
	static const uint8_t bytes[] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 1, 0, 4, 0x81, 0x38, 0xf7 };

	for (unsigned int revision = 0; revision < 4; revision++) {
		struct v9_ete_setup s = usual;
		struct v9_ete_elem e;
		struct v9_ete_dec *d;
		unsigned int contexts = 0, losses = 0;

		s.trcdevarch = (usual.trcdevarch & ~0xf0000u) | revision << 16;
		d = v9_ete_dec_new(&s);
		v9_ete_dec_feed(d, bytes, sizeof(bytes), 0);
		while (v9_ete_dec_next(d, &e) > 0) {
			contexts += e.kind == V9_EL_CONTEXT;
			losses += e.kind == V9_EL_LOSS;
		}
		tap_eq(contexts, revision >= 2, "context_of_revision_%u", revision);
		tap_eq(losses, revision < 2, "loss_of_revision_%u", revision);
		v9_ete_dec_delete(d);
	}
}

int main(void)
{
	static const size_t sizes[] = { 0, sizeof(usual) - 1, sizeof(usual) + 1 };
	struct v9_ete_setup s = usual;
	struct v9_ete_dec *d;
	struct v9_flow *f;

	for (unsigned int i = 0; i < 3; i++) {
		s.size = sizes[i];
		errno = 0;
		tap_ok(!v9_ete_dec_new(&s) && errno == EINVAL, "decoder_of_size_%u", i);
		errno = 0;
		tap_ok(!v9_flow_new(&s) && errno == EINVAL, "flow_of_size_%u", i);
	}
	errno = 0;
	tap_ok(!v9_ete_dec_new(NULL) && errno == EINVAL, "decoder_of_nothing");
	errno = 0;
	tap_ok(!v9_flow_new(NULL) && errno == EINVAL, "flow_of_nothing");
	s = usual;
	s.code = NULL;
	errno = 0;
	tap_ok(!v9_flow_new(&s) && errno == EINVAL, "flow_without_code");
	d = v9_ete_dec_new(&s);
	tap_ok(d, "decoder_without_code");
	v9_ete_dec_delete(d);
	f = v9_flow_new(&usual);
	tap_ok(f && !v9_flow_account(f)->packets && !v9_flow_sums(f)->marks && !v9_flow_context(f)->el, "flow");
	v9_flow_delete(f);
	v9_ete_dec_delete(NULL);
	v9_flow_delete(NULL);
	versions();
	return tap_done();
}
