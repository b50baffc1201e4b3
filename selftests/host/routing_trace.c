// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ownership of the Trace Buffer Unit, prohibited regions and traps, compared with tables typed from
 * the manuals
 */
#include <v9trace/routing.h>

#include "tap.h"

/* Returns true if @v matches @pattern: most significant bit first, x for any value. */
static bool like(unsigned int v, const char *pattern)
{
	unsigned int i, n = strlen(pattern);

	for (i = 0; i < n; i++)
		if (pattern[i] != 'x' && (v >> (n - 1 - i) & 1) != (unsigned int)(pattern[i] - '0'))
			return false;
	return true;
}

struct setting {
	unsigned int nse, ns, rlte, ste, nstbe, nstb, e2tb, eel2, tge, e2h;
};

static struct v9_route route_of(const struct setting *t)
{
	return (struct v9_route){
		.scr_el3 = V9_PUT(V9_SCR_EL3_NSE, t->nse) | V9_PUT(V9_SCR_EL3_NS, t->ns) |
			   V9_PUT(V9_SCR_EL3_EEL2, t->eel2),
		.mdcr_el3 = V9_PUT(V9_MDCR_EL3_NSTBE, t->nstbe) |
			    V9_PUT(V9_MDCR_EL3_NSTB, t->nstb) |
			    V9_PUT(V9_MDCR_EL3_STE, t->ste) | V9_PUT(V9_MDCR_EL3_RLTE, t->rlte),
		.mdcr_el2 = V9_PUT(V9_MDCR_EL2_E2TB, t->e2tb),
		.hcr_el2 = V9_PUT(V9_HCR_EL2_TGE, t->tge) | V9_PUT(V9_HCR_EL2_E2H, t->e2h),
		.a64 = true, .el1_a64 = true, .el2_a64 = true,
		.has_el2 = true, .has_el3 = true, .has_rme = true, .has_secure = true,
	};
}

/* set by swaps(), which changes tables: results are not printed */
static bool quiet;
static unsigned int all_cells;

/* The owning regime while the unit is enabled */
static struct owner {
	const char *nstbe, *nstb, *e2tb, *eel2, *e2h;
	uint8_t ss, el;
	bool two;	/* EL2&0 */
} owners[] = {
	{ "0", "0x", "xx", "0", "x", V9_SS_SECURE, 1, false },
	{ "0", "0x", "00", "1", "0", V9_SS_SECURE, 2, false },
	{ "0", "0x", "00", "1", "1", V9_SS_SECURE, 2, true },
	{ "0", "0x", "1x", "1", "x", V9_SS_SECURE, 1, false },
	{ "0", "1x", "00", "x", "0", V9_SS_NONSECURE, 2, false },
	{ "0", "1x", "00", "x", "1", V9_SS_NONSECURE, 2, true },
	{ "0", "1x", "1x", "x", "x", V9_SS_NONSECURE, 1, false },
	{ "1", "1x", "00", "x", "0", V9_SS_REALM, 2, false },
	{ "1", "1x", "00", "x", "1", V9_SS_REALM, 2, true },
	{ "1", "1x", "1x", "x", "x", V9_SS_REALM, 1, false },
};

/* shows: TRBE-OW1 TRBE-OW2 */
static unsigned int owner_table(void)
{
	unsigned int n, i, bad = 0, used = 0, cells = 0;

	for (n = 0; n < 512; n++) {
		struct setting t = {
			.nstbe = n & 1, .nstb = n >> 1 & 3, .e2tb = n >> 3 & 3,
			.eel2 = n >> 5 & 1, .e2h = n >> 6 & 1,
			/* the current state of the PE has no effect */
			.ns = n >> 7 & 1, .nse = n >> 8 & 1 & n >> 7,
		};
		struct v9_route r = route_of(&t);
		struct v9_owner o = v9_trbe_owner(&r);

		if (t.e2tb == 1 || (t.nstbe && !(t.nstb & 2)))
			continue;	/* reserved programming */
		for (i = 0; i < V9_ARRAY_SIZE(owners); i++)
			if (like(t.nstbe, owners[i].nstbe) && like(t.nstb, owners[i].nstb) &&
			    like(t.e2tb, owners[i].e2tb) && like(t.eel2, owners[i].eel2) &&
			    like(t.e2h, owners[i].e2h))
				break;
		cells++;
		if (i == V9_ARRAY_SIZE(owners) || o.ss != owners[i].ss || o.el != owners[i].el ||
		    o.e2h != owners[i].two) {
			bad++;
			if (quiet)
				return bad;
			tap_note("NSTBE %u NSTB %u E2TB %u EEL2 %u E2H %u NS %u NSE %u: %u EL%u",
				 t.nstbe, t.nstb, t.e2tb, t.eel2, t.e2h, t.ns, t.nse, o.ss, o.el);
			continue;
		}
		used |= 1u << i;
	}
	if (quiet)
		return bad;
	tap_note("owners: %u cells checked", cells);
	all_cells += cells;
	tap_eq(bad, 0, "owner_table");
	tap_eq(used, (1u << V9_ARRAY_SIZE(owners)) - 1, "owner_table_every_row_met");
	return bad;
}

/* P: prohibited, n: no such EL, else the enable: 2 E2TRE, 1 E1TRE, 0 E0TRE, h E0HTRE */
static struct {
	const char *nse, *ns, *rlte, *ste, *nstbe, *nstb, *e2tb, *eel2, *tge;
	char el[4];	/* EL3 first */
} regions[] = {
	{ "0", "0", "x", "0", "x", "xx", "xx", "x", "x", { 'P', 'P', 'P', 'P' } },
	{ "0", "0", "x", "1", "0", "0x", "xx", "0", "x", { 'P', 'n', '1', '0' } },
	{ "0", "0", "x", "1", "0", "0x", "00", "1", "0", { 'P', '2', '1', '0' } },
	{ "0", "0", "x", "1", "0", "0x", "00", "1", "1", { 'P', '2', 'n', 'h' } },
	{ "0", "0", "x", "1", "0", "0x", "1x", "1", "0", { 'P', 'P', '1', '0' } },
	{ "0", "0", "x", "1", "0", "0x", "1x", "1", "1", { 'P', 'P', 'n', 'P' } },
	{ "0", "0", "x", "1", "x", "1x", "xx", "x", "x", { 'P', 'P', 'P', 'P' } },
	{ "0", "1", "x", "x", "0", "0x", "xx", "x", "x", { 'P', 'P', 'P', 'P' } },
	{ "0", "1", "x", "x", "0", "1x", "00", "x", "0", { 'P', '2', '1', '0' } },
	{ "0", "1", "x", "x", "0", "1x", "00", "x", "1", { 'P', '2', 'n', 'h' } },
	{ "0", "1", "x", "x", "0", "1x", "1x", "x", "0", { 'P', 'P', '1', '0' } },
	{ "0", "1", "x", "x", "0", "1x", "1x", "x", "1", { 'P', 'P', 'n', 'P' } },
	{ "0", "1", "x", "x", "1", "1x", "xx", "x", "x", { 'P', 'P', 'P', 'P' } },
	{ "1", "1", "0", "x", "x", "xx", "xx", "x", "x", { 'P', 'P', 'P', 'P' } },
	{ "1", "1", "1", "x", "0", "xx", "xx", "x", "x", { 'P', 'P', 'P', 'P' } },
	{ "1", "1", "1", "x", "1", "1x", "00", "x", "0", { 'P', '2', '1', '0' } },
	{ "1", "1", "1", "x", "1", "1x", "00", "x", "1", { 'P', '2', 'n', 'h' } },
	{ "1", "1", "1", "x", "1", "1x", "1x", "x", "0", { 'P', 'P', '1', '0' } },
	{ "1", "1", "1", "x", "1", "1x", "1x", "x", "1", { 'P', 'P', 'n', 'P' } },
};

/* shows: TRBE-OW3 TRBE-OW4 TRBE-OW5 TRBE-OW7 ETE-R_HYZLQ */
static unsigned int region_table(void)
{
	unsigned int n, i, el, bits, bad = 0, used = 0, cells = 0;

	for (n = 0; n < 2048; n++) {
		struct setting t = {
			.nse = n & 1, .ns = n >> 1 & 1, .rlte = n >> 2 & 1, .ste = n >> 3 & 1,
			.nstbe = n >> 4 & 1, .nstb = n >> 5 & 3, .e2tb = n >> 7 & 3,
			.eel2 = n >> 9 & 1, .tge = n >> 10 & 1,
		};

		if (t.e2tb == 1 || (t.nse && !t.ns) || (t.nstbe && !(t.nstb & 2)))
			continue;	/* reserved programming */
		for (i = 0; i < V9_ARRAY_SIZE(regions); i++)
			if (like(t.nse, regions[i].nse) && like(t.ns, regions[i].ns) &&
			    like(t.rlte, regions[i].rlte) && like(t.ste, regions[i].ste) &&
			    like(t.nstbe, regions[i].nstbe) && like(t.nstb, regions[i].nstb) &&
			    like(t.e2tb, regions[i].e2tb) && like(t.eel2, regions[i].eel2) &&
			    like(t.tge, regions[i].tge))
				break;
		if (i == V9_ARRAY_SIZE(regions)) {
			bad++;
			tap_note("no row for %#x", n);
			continue;
		}
		used |= 1u << i;
		for (bits = 0; bits < 16; bits++)
			for (el = 0; el < 4; el++) {
				struct v9_route r = route_of(&t);
				struct v9_trace_ctl c = {
					.trfcr_el1 = V9_PUT(V9_TRFCR_EL1_E0TRE, bits & 1) |
						     V9_PUT(V9_TRFCR_EL1_E1TRE, bits >> 1 & 1),
					.trfcr_el2 = V9_PUT(V9_TRFCR_EL2_E0HTRE, bits >> 2 & 1) |
						     V9_PUT(V9_TRFCR_EL2_E2TRE, bits >> 3 & 1),
					.trblimitr = V9_TRBLIMITR_EL1_E,
				};
				char how = regions[i].el[3 - el];
				bool want = (how == '0' && (bits & 1)) ||
					    (how == '1' && (bits & 2)) ||
					    (how == 'h' && (bits & 4)) ||
					    (how == '2' && (bits & 8));

				r.el = el;
				cells++;
				/* no such level: EL1 of a host, EL2 of Secure state if it is off */
				if (how == 'n' ? (el == 1 && v9_route_host(&r)) ||
						 (el == 2 && !t.ns && !t.eel2) :
				    v9_trace_allowed(&r, &c) == want)
					continue;
				bad++;
				if (quiet)
					return bad;
				tap_note("row %u EL%u bits %x", i, el, bits);
			}
	}
	if (quiet)
		return bad;
	tap_note("regions: %u cells checked", cells);
	all_cells += cells;
	tap_eq(bad, 0, "region_table");
	tap_eq(used, (1u << V9_ARRAY_SIZE(regions)) - 1, "region_table_every_row_met");
	return bad;
}

static void exchange(struct owner *one, struct owner *other)
{
	struct owner was = *one;

	one->ss = other->ss;
	one->el = other->el;
	one->two = other->two;
	other->ss = was.ss;
	other->el = was.el;
	other->two = was.two;
}

/* Swaps each pair of cells of a table: the comparison must fail. */
static void swaps(void)
{
	unsigned int i, j, a, b, all = 0, seen = 0;

	quiet = true;
	for (i = 0; i < V9_ARRAY_SIZE(owners); i++)
		for (j = 0; j < i; j++) {
			if (owners[i].ss == owners[j].ss && owners[i].el == owners[j].el &&
			    owners[i].two == owners[j].two)
				continue;
			exchange(&owners[i], &owners[j]);
			all++;
			seen += owner_table() != 0;
			exchange(&owners[i], &owners[j]);
		}
	for (i = 0; i < 4 * V9_ARRAY_SIZE(regions); i++)
		for (j = 0; j < i; j++) {
			char *one = &regions[i / 4].el[i % 4], *other = &regions[j / 4].el[j % 4];

			a = *one;
			b = *other;
			if (a == b)
				continue;
			*one = b;
			*other = a;
			all++;
			if (region_table())
				seen++;
			else
				tap_note("not seen: row %u %c with row %u %c", i / 4, a, j / 4, b);
			*one = a;
			*other = b;
		}
	quiet = false;
	tap_note("%u of %u changed cells seen", seen, all);
	tap_ok(all > 1000 && seen == all, "any_two_swapped_cells_are_seen");
}

/* Outcomes of an access from Non-secure state */
static const struct {
	const char *name;
	enum v9_trap trap;
	uint8_t el;
	uint64_t mdcr_el2, mdcr_el3;
	bool e2h;
	enum v9_access want;
} accesses[] = {
#define OWN V9_PUT(V9_MDCR_EL3_NSTB, 3)
	{ "e2tb_3", V9_TRAP_E2TB, 1, V9_PUT(V9_MDCR_EL2_E2TB, 3), OWN, false, V9_ACCESS_OK },
	{ "e2tb_2", V9_TRAP_E2TB, 1, V9_PUT(V9_MDCR_EL2_E2TB, 2), OWN, false, V9_ACCESS_EL2 },
	{ "e2tb_0", V9_TRAP_E2TB, 1, 0, OWN, false, V9_ACCESS_EL2 },
	{ "e2tb_not_el2", V9_TRAP_E2TB, 2, 0, OWN, false, V9_ACCESS_OK },
	{ "e2tb_not_el3", V9_TRAP_E2TB, 3, 0, 0, false, V9_ACCESS_OK },
	{ "nstb_2", V9_TRAP_E2TB, 2, 0, V9_PUT(V9_MDCR_EL3_NSTB, 2), false, V9_ACCESS_EL3 },
	{ "nstb_other_state", V9_TRAP_E2TB, 2, 0, V9_PUT(V9_MDCR_EL3_NSTB, 1), false,
	  V9_ACCESS_EL3 },
	{ "e2tb_before_nstb", V9_TRAP_E2TB, 1, 0, 0, false, V9_ACCESS_EL2 },
	{ "trbidr_never", V9_TRAP_NONE, 1, 0, 0, false, V9_ACCESS_OK },
	{ "trfcr_free", V9_TRAP_TTRF, 1, 0, OWN, false, V9_ACCESS_OK },
	{ "trfcr_ttrf_el2", V9_TRAP_TTRF, 1, V9_MDCR_EL2_TTRF, OWN, false, V9_ACCESS_EL2 },
	{ "trfcr_ttrf_el3", V9_TRAP_TTRF, 1, 0, OWN | V9_MDCR_EL3_TTRF, false, V9_ACCESS_EL3 },
	{ "trfcr_el2_at_el1", V9_TRAP_EL2ONLY, 1, 0, OWN, false, V9_ACCESS_UNDEF },
	{ "trfcr_el2_at_el2", V9_TRAP_EL2ONLY, 2, 0, OWN, false, V9_ACCESS_OK },
	{ "trfcr_el12_without_e2h", V9_TRAP_EL12, 2, 0, OWN, false, V9_ACCESS_UNDEF },
	{ "trfcr_el12_with_e2h", V9_TRAP_EL12, 2, 0, OWN, true, V9_ACCESS_OK },
	{ "trfcr_el12_at_el1", V9_TRAP_EL12, 1, 0, OWN, true, V9_ACCESS_UNDEF },
	{ "trc_at_el0", V9_TRAP_TTA, 0, 0, OWN, false, V9_ACCESS_UNDEF },
	{ "trb_at_el0", V9_TRAP_E2TB, 0, V9_PUT(V9_MDCR_EL2_E2TB, 3), OWN, false, V9_ACCESS_UNDEF },
	{ "trc_at_el1", V9_TRAP_TTA, 1, 0, OWN, false, V9_ACCESS_OK },
#undef OWN
};

/* shows: TRBE-OW9 ETE-R_VGVTS */
static void access_table(void)
{
	struct setting ns = { .ns = 1 };
	struct v9_route r;
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(accesses); i++) {
		r = route_of(&ns);
		r.has_rme = false;
		r.el = accesses[i].el;
		r.mdcr_el2 = accesses[i].mdcr_el2;
		r.mdcr_el3 = accesses[i].mdcr_el3;
		r.hcr_el2 = accesses[i].e2h ? V9_HCR_EL2_E2H : 0;
		tap_eq(v9_trace_access(&r, accesses[i].trap, V9_FEAT_TRF), accesses[i].want,
		       "access_%s", accesses[i].name);
	}

	/* TTA: the lowest level whose bit is set; that of EL2 depends on E2H */
	for (i = 0; i < 32; i++) {
		bool e2h = i & 8;
		enum v9_access want;

		r = route_of(&ns);
		r.el = i & 16 ? 2 : 1;
		r.hcr_el2 = e2h ? V9_HCR_EL2_E2H : 0;
		r.cpacr_el1 = i & 1 ? V9_CPACR_EL1_TTA : 0;
		r.cptr_el2 = i & 2 ? (e2h ? V9_CPTR_EL2_TTA_E2H : V9_CPTR_EL2_TTA) :
				     (e2h ? V9_CPTR_EL2_TTA : V9_CPTR_EL2_TTA_E2H);
		r.cptr_el3 = i & 4 ? V9_CPTR_EL3_TTA : 0;
		want = r.el == 1 && (i & 1) ? V9_ACCESS_EL1 : i & 2 ? V9_ACCESS_EL2 :
		       i & 4 ? V9_ACCESS_EL3 : V9_ACCESS_OK;
		if (v9_trace_access(&r, V9_TRAP_TTA, V9_FEAT_ETE) != want)
			break;
	}
	tap_eq(i, 32, "access_tta_by_level");
}

/* shows: ETE-R_BXTXK (EL3's word about the registers) */
static void instrumentation_access(void)
{
	static const struct {
		enum v9_trap trap;
		bool enite, e2h;
		const char *want;	/* EL0 to EL3: u UNDEFINED, . OK, 3 to EL3 */
		const char *name;
	} t[] = {
		{ V9_TRAP_EnITE, true, false, "u...", "trcitecr_el1" },
		{ V9_TRAP_EnITE, false, false, "u33.", "trcitecr_el1_withheld" },
		{ V9_TRAP_EL2ONLY, true, false, "uu..", "trcitecr_el2" },
		{ V9_TRAP_EL2ONLY, false, false, "uu3.", "trcitecr_el2_withheld" },
		{ V9_TRAP_EL12, true, true, "uu..", "trcitecr_el12" },
		{ V9_TRAP_EL12, false, true, "uu3.", "trcitecr_el12_withheld" },
		{ V9_TRAP_EL12, true, false, "uuuu", "trcitecr_el12_without_e2h" },
	};
	struct setting ns = { .ns = 1 };
	unsigned int i, el;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		for (el = 0; el < 4; el++) {
			struct v9_route r = route_of(&ns);
			enum v9_access want = t[i].want[el] == 'u' ? V9_ACCESS_UNDEF :
					      t[i].want[el] == '3' ? V9_ACCESS_EL3 :
								     V9_ACCESS_OK;

			r.el = el;
			r.mdcr_el3 = t[i].enite ? V9_MDCR_EL3_EnITE : 0;
			r.hcr_el2 = t[i].e2h ? V9_HCR_EL2_E2H : 0;
			if (v9_trace_access(&r, t[i].trap, V9_FEAT_ITE) != want)
				break;
		}
		tap_eq(el, 4, "access_%s", t[i].name);
	}
}

/* Each level has its enable; TGE selects that of EL0. shows: ETE-R_FLGVJ ETE-I_CMDFW */
static void instrumentation_allowed(void)
{
	static const struct {
		unsigned int el;
		bool tge;
		unsigned int el1, el2;	/* the enable that has an effect */
		const char *name;
	} t[] = {
		{ 0, false, 1, 0, "el0" }, { 0, true, 0, 1, "el0_of_the_host" },
		{ 1, false, 2, 0, "el1" }, { 2, false, 0, 2, "el2" }, { 2, true, 0, 2, "host" },
		{ 3, false, 0, 0, "el3_never" },
	};
	struct setting ns = { .ns = 1 };
	unsigned int i, bits;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		for (bits = 0; bits < 16; bits++) {
			struct v9_instrumentation_ctl c = {
				.trcitecr_el1 = bits & 3, .trcitecr_el2 = bits >> 2,
			};
			struct v9_route r = route_of(&ns);

			r.el = t[i].el;
			r.hcr_el2 = t[i].tge ? V9_HCR_EL2_TGE : 0;
			if (v9_instrumentation_allowed(&r, &c) !=
			    ((c.trcitecr_el1 & t[i].el1) || (c.trcitecr_el2 & t[i].el2)))
				break;
		}
		tap_eq(bits, 16, "instrumentation_%s", t[i].name);
	}
}

/* The status registers of EL2 and EL3, and the EL12 name of that of EL1 */
/* shows: TRBE-OW9 TRBE-EX1 */
static void status_access(void)
{
	static const struct {
		enum v9_trap trap;
		unsigned int trbee, nstb;
		bool e2h;
		const char *want;	/* EL0 to EL3: u UNDEFINED, . OK, 3 to EL3 */
		const char *name;
	} t[] = {
		{ V9_TRAP_EL2ONLY, 1, 3, true, "uu..", "el2" },
		{ V9_TRAP_EL2ONLY, 0, 3, true, "uu3.", "el2_kept_by_el3" },
		{ V9_TRAP_EL2ONLY, 1, 2, true, "uu3.", "el2_without_nstb" },
		{ V9_TRAP_EL12, 0, 3, true, "uu..", "el12" },
		{ V9_TRAP_EL12, 1, 3, false, "uuuu", "el12_without_e2h" },
		{ V9_TRAP_EL12, 1, 1, true, "uu3.", "el12_without_nstb" },
		{ V9_TRAP_EL3ONLY, 0, 0, true, "uuu.", "el3" },
	};
	static const char letters[] = {
		[V9_ACCESS_OK] = '.', [V9_ACCESS_UNDEF] = 'u', [V9_ACCESS_EL1] = '1',
		[V9_ACCESS_EL2] = '2', [V9_ACCESS_EL3] = '3',
	};
	struct setting ns = { .ns = 1 };
	unsigned int i, el;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		char got[5] = "";

		for (el = 0; el < 4; el++) {
			struct v9_route r = route_of(&ns);

			r.has_rme = false;
			r.el = el;
			r.mdcr_el3 = V9_PUT(V9_MDCR_EL3_TRBEE, t[i].trbee) |
				     V9_PUT(V9_MDCR_EL3_NSTB, t[i].nstb) | V9_MDCR_EL3_TTRF;
			r.hcr_el2 = t[i].e2h ? V9_HCR_EL2_E2H : 0;
			got[el] = letters[v9_trace_access(&r, t[i].trap, V9_FEAT_TRBE_EXC)];
		}
		if (!tap_ok(!strcmp(got, t[i].want), "access_trbsr_%s", t[i].name))
			tap_note("got %s, want %s", got, t[i].want);
	}
}

/* A buffer whose owning Exception level uses AArch32 is not enabled. shows: TRBE-EN1 */
static void aarch32_owner(void)
{
	struct v9_trace_ctl c = {
		.trfcr_el2 = V9_TRFCR_EL2_E2TRE, .trblimitr = V9_TRBLIMITR_EL1_E,
	};
	struct setting t = { .ns = 1, .nstb = 3, .e2tb = 3 };
	struct v9_route r = route_of(&t);

	r.el = 2;
	tap_ok(v9_trbe_enabled(&r, &c) && !v9_trace_allowed(&r, &c), "owner_el1_aarch64");
	r.el1_a64 = false;
	tap_ok(!v9_trbe_enabled(&r, &c) && v9_trace_allowed(&r, &c), "owner_el1_aarch32");
	r.mdcr_el2 = 0;
	tap_ok(v9_trbe_enabled(&r, &c) && v9_trace_allowed(&r, &c), "owner_el2_aarch64");
	c.trblimitr = 0;
	tap_ok(!v9_trbe_enabled(&r, &c), "disabled");
}

int main(void)
{
	aarch32_owner();
	status_access();
	instrumentation_access();
	instrumentation_allowed();
	owner_table();
	region_table();
	access_table();
	swaps();
	tap_note("%u cells checked in all", all_cells);
	return tap_done();
}
