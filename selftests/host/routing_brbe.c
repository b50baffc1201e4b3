// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prohibited regions and traps of the Branch Record Buffer Extension, compared with tables typed
 * from D19.1.4 and from the accesses in D24.8
 */
#include <v9trace/routing.h>

#include "routing_tables.h"
#include "tap.h"

/* SCR_EL3.NS, MDCR_EL3.{SBRBE, E3BREC:E3BREW}, EL2 enabled with TGE, BRBCR_EL1[1:0], EL2[1:0] */
struct cell {
	unsigned int el, ns, sbrbe, e3, tge, cr1, cr2, v1p1;
};

/* The rows of D19.1.4 in which recording is allowed */
static const struct region {
	const char *el, *ns, *sbrbe, *e3, *tge, *cr1, *cr2, *v1p1;
} regions[] = {
	{ "11", "x", "xx", "01", "x", "xx", "xx", "1" },
	{ "11", "x", "xx", "10", "x", "xx", "xx", "1" },
	{ "10", "x", "1x", "xx", "x", "xx", "1x", "x" },
	{ "10", "1", "01", "xx", "x", "xx", "1x", "x" },
	{ "01", "x", "1x", "xx", "x", "1x", "xx", "x" },
	{ "01", "1", "01", "xx", "x", "1x", "xx", "x" },
	{ "00", "x", "1x", "xx", "0", "x1", "xx", "x" },
	{ "00", "1", "01", "xx", "0", "x1", "xx", "x" },
	{ "00", "x", "1x", "xx", "1", "xx", "x1", "x" },
	{ "00", "1", "01", "xx", "1", "xx", "x1", "x" },
};

static bool typed_allowed(const struct cell *c)
{
	for (unsigned int i = 0; i < V9_ARRAY_SIZE(regions); i++) {
		const struct region *r = &regions[i];

		if (like(c->el, r->el) && like(c->ns, r->ns) && like(c->sbrbe, r->sbrbe) &&
		    like(c->e3, r->e3) && like(c->tge, r->tge) && like(c->cr1, r->cr1) &&
		    like(c->cr2, r->cr2) && like(c->v1p1, r->v1p1))
			return true;
	}
	return false;
}

static struct v9_route route_of(const struct cell *c)
{
	return (struct v9_route){
		.scr_el3 = c->ns | (uint64_t)1 << 18,	/* EEL2 */
		.mdcr_el3 = (uint64_t)c->sbrbe << 32 | (uint64_t)(c->e3 >> 1) << 38 |
			    (uint64_t)(c->e3 & 1) << 37,
		.hcr_el2 = (uint64_t)c->tge << 27,
		.el = c->el, .a64 = true, .el1_a64 = true, .el2_a64 = true,
		.has_el2 = true, .has_el3 = true, .has_secure = true,
	};
}

static bool prohibited(const struct cell *c, const struct v9_route *r)
{
	struct v9_brbe_ctl ctl = {
		.brbcr_el1 = c->cr1, .brbcr_el2 = c->cr2, .v1p1 = c->v1p1,
	};

	return v9_brbe_prohibited(r, &ctl);
}

/* shows: BRBE-BG1 BRBE-BG2 BRBE-BG3 */
static void test_regions(void)
{
	unsigned int n, wrong = 0, debug = 0, aarch32 = 0;

	for (n = 0; n < 1 << 13; n++) {
		struct cell c = {
			.el = n & 3, .ns = n >> 2 & 1, .sbrbe = n >> 3 & 3, .e3 = n >> 5 & 3,
			.tge = n >> 7 & 1, .cr1 = n >> 8 & 3, .cr2 = n >> 10 & 3, .v1p1 = n >> 12,
		};
		struct v9_route r = route_of(&c);

		wrong += prohibited(&c, &r) == typed_allowed(&c);
		r.debug = true;
		debug += !prohibited(&c, &r);
		r.debug = false;
		r.a64 = false;
		aarch32 += !prohibited(&c, &r);
	}
	tap_eq(wrong, 0, "region_table");
	tap_eq(debug, 0, "debug_state_prohibited");
	tap_eq(aarch32, 0, "aarch32_prohibited");
}

/* Without EL3 nothing of MDCR_EL3 counts; with EL2 disabled, TGE does not. shows: BRBE-BG3 */
static void test_levels(void)
{
	struct cell c = { .el = 1, .cr1 = 2, .cr2 = 0 };
	struct v9_route r = route_of(&c);

	r.has_el3 = false;
	r.pe_ss = V9_SS_NONSECURE;
	tap_ok(!prohibited(&c, &r), "without_el3_allowed");
	r.pe_ss = V9_SS_SECURE;
	tap_ok(!prohibited(&c, &r), "without_el3_secure_allowed");
	c = (struct cell){ .el = 0, .sbrbe = 3, .tge = 1, .cr1 = 1 };
	r = route_of(&c);
	tap_ok(prohibited(&c, &r), "host_ignores_e0bre");
	r.scr_el3 = 0;		/* Secure, EL2 disabled */
	tap_ok(!prohibited(&c, &r), "disabled_el2_is_no_host");
	r.has_el2 = false;
	tap_ok(!prohibited(&c, &r), "no_el2_is_no_host");
}

/* What the accesses in D24.8 say, by level: UNDEF, OK, 2 and 3 for a trap. shows: BRBE-BM1 */
static const struct access {
	const char *name;
	enum v9_trap trap;
	unsigned int el;
	const char *ns, *sbrbe, *e2h, *nv;
	enum v9_access result;
} accesses[] = {
	{ "at_el0", V9_TRAP_SBRBE, 0, "x", "xx", "x", "xxx", V9_ACCESS_UNDEF },
	{ "el1_prohibited", V9_TRAP_SBRBE, 1, "x", "00", "x", "xxx", V9_ACCESS_EL3 },
	{ "el1_hidden", V9_TRAP_SBRBE, 1, "x", "10", "x", "xxx", V9_ACCESS_EL3 },
	{ "el1_secure", V9_TRAP_SBRBE, 1, "0", "01", "x", "xxx", V9_ACCESS_EL3 },
	{ "el1_nonsecure", V9_TRAP_SBRBE, 1, "1", "01", "x", "xxx", V9_ACCESS_OK },
	{ "el1_allowed", V9_TRAP_SBRBE, 1, "x", "11", "x", "xxx", V9_ACCESS_OK },
	{ "el2_prohibited", V9_TRAP_SBRBE, 2, "x", "00", "x", "xxx", V9_ACCESS_EL3 },
	{ "el2_hidden", V9_TRAP_SBRBE, 2, "x", "10", "x", "xxx", V9_ACCESS_EL3 },
	{ "el2_secure", V9_TRAP_SBRBE, 2, "0", "01", "x", "xxx", V9_ACCESS_EL3 },
	{ "el2_nonsecure", V9_TRAP_SBRBE, 2, "1", "01", "x", "xxx", V9_ACCESS_OK },
	{ "el2_allowed", V9_TRAP_SBRBE, 2, "x", "11", "x", "xxx", V9_ACCESS_OK },
	{ "at_el3", V9_TRAP_SBRBE, 3, "x", "xx", "x", "xxx", V9_ACCESS_OK },
	{ "el2_register_at_el1", V9_TRAP_EL2ONLY, 1, "x", "xx", "x", "xx0", V9_ACCESS_UNDEF },
	{ "el2_register_nested", V9_TRAP_EL2ONLY, 1, "x", "xx", "x", "xx1", V9_ACCESS_EL2 },
	{ "el2_register_prohibited", V9_TRAP_EL2ONLY, 2, "x", "00", "x", "xxx", V9_ACCESS_EL3 },
	{ "el2_register_allowed", V9_TRAP_EL2ONLY, 2, "x", "11", "x", "xxx", V9_ACCESS_OK },
	{ "el2_register_at_el3", V9_TRAP_EL2ONLY, 3, "x", "xx", "x", "xxx", V9_ACCESS_OK },
	{ "el12_at_el1", V9_TRAP_EL12, 1, "x", "xx", "x", "xx0", V9_ACCESS_UNDEF },
	{ "el12_in_memory", V9_TRAP_EL12, 1, "x", "xx", "x", "101", V9_ACCESS_MEMORY },
	{ "el12_nested", V9_TRAP_EL12, 1, "x", "xx", "x", "0x1", V9_ACCESS_EL2 },
	{ "el12_nested_nv1", V9_TRAP_EL12, 1, "x", "xx", "x", "111", V9_ACCESS_EL2 },
	{ "el12_without_e2h", V9_TRAP_EL12, 2, "x", "xx", "0", "xxx", V9_ACCESS_UNDEF },
	{ "el12_prohibited", V9_TRAP_EL12, 2, "x", "00", "1", "xxx", V9_ACCESS_EL3 },
	{ "el12_secure", V9_TRAP_EL12, 2, "0", "01", "1", "xxx", V9_ACCESS_EL3 },
	{ "el12_allowed", V9_TRAP_EL12, 2, "x", "11", "1", "xxx", V9_ACCESS_OK },
	{ "el12_at_el3_without_e2h", V9_TRAP_EL12, 3, "x", "xx", "0", "xxx", V9_ACCESS_UNDEF },
	{ "el12_at_el3", V9_TRAP_EL12, 3, "x", "xx", "1", "xxx", V9_ACCESS_OK },
};

static void test_access(const struct access *a)
{
	unsigned int n, wrong = 0, insn = 0, cells = 0;

	for (n = 0; n < 1 << 7; n++) {
		unsigned int ns = n & 1, sbrbe = n >> 1 & 3, e2h = n >> 3 & 1, nv = n >> 4;
		struct v9_route r = {
			.scr_el3 = ns | (uint64_t)1 << 18,
			.mdcr_el3 = (uint64_t)sbrbe << 32,
			/* NV2, NV1, NV */
			.hcr_el2 = (uint64_t)e2h << 34 | (uint64_t)(nv & 1) << 42 |
				   (uint64_t)(nv >> 1 & 1) << 43 | (uint64_t)(nv >> 2) << 45,
			.el = a->el, .a64 = true, .el1_a64 = true, .el2_a64 = true,
			.has_el2 = true, .has_el3 = true, .has_secure = true,
		};

		if (!like(ns, a->ns) || !like(sbrbe, a->sbrbe) || !like(e2h, a->e2h) ||
		    !like(nv, a->nv))
			continue;
		cells++;
		wrong += v9_brbe_access(&r, a->trap, V9_FEAT_BRBE) != a->result;
		if (a->trap == V9_TRAP_SBRBE)
			insn += v9_brb_access(&r) != a->result;
		r.a64 = false;
		wrong += v9_brbe_access(&r, a->trap, V9_FEAT_BRBE) != V9_ACCESS_UNDEF;
	}
	tap_ok(cells && !wrong, "access_%s", a->name);
	if (a->trap == V9_TRAP_SBRBE)
		tap_eq(insn, 0, "instruction_%s", a->name);
}

int main(void)
{
	struct v9_route r = { .el = 1, .a64 = true, .pe_ss = V9_SS_SECURE };

	test_regions();
	test_levels();
	for (unsigned int i = 0; i < V9_ARRAY_SIZE(accesses); i++)
		test_access(&accesses[i]);
	tap_eq(v9_brbe_access(&r, V9_TRAP_SBRBE, V9_FEAT_BRBE), V9_ACCESS_OK,
	       "access_without_el3");
	return tap_done();
}
