// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ownership, enables, exposure and traps of SPE, compared with tables typed from the manuals
 */
#include <string.h>

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

/* set by swaps(), which changes tables: results are not printed */
static bool quiet;
static unsigned int all_cells;

/* Table D17-4; the first match applies. The last three rows follow from the rules next to it. */
static const char *regimes[][9] = {
	/* E   NSE  NS   EEL2 NSPBE NSPB  E2PB  E2H */
	{ "x", "x", "x", "x", "1", "0x", "xx", "x", "RESERVED" },
	{ "0", "x", "x", "x", "x", "xx", "xx", "x", "DISABLED" },
	{ "1", "0", "0", "0", "0", "0x", "xx", "x", "S_EL1_0" },
	{ "1", "0", "0", "1", "0", "0x", "1x", "x", "S_EL1_0" },
	{ "1", "0", "0", "1", "0", "0x", "00", "0", "S_EL2" },
	{ "1", "0", "0", "1", "0", "0x", "00", "1", "S_EL2_0" },
	{ "1", "0", "0", "x", "0", "1x", "xx", "x", "DISABLED_IN_SECURE" },
	{ "1", "0", "1", "x", "0", "1x", "1x", "x", "NS_EL1_0" },
	{ "1", "0", "1", "x", "0", "1x", "00", "0", "NS_EL2" },
	{ "1", "0", "1", "x", "0", "1x", "00", "1", "NS_EL2_0" },
	{ "1", "0", "1", "x", "0", "0x", "xx", "x", "DISABLED_IN_NONSECURE" },
	{ "1", "1", "1", "x", "1", "1x", "1x", "x", "RL_EL1_0" },
	{ "1", "1", "1", "x", "1", "1x", "00", "0", "RL_EL2" },
	{ "1", "1", "1", "x", "1", "1x", "00", "1", "RL_EL2_0" },
	{ "1", "0", "0", "x", "1", "1x", "xx", "x", "DISABLED_IN_SECURE" },
	{ "1", "0", "1", "x", "1", "1x", "xx", "x", "DISABLED_IN_NONSECURE" },
	{ "1", "1", "1", "x", "0", "xx", "xx", "x", "DISABLED_IN_REALM" },
};

struct setting {
	unsigned int e, nse, ns, eel2, nspbe, nspb, e2pb, e2h;
};

static struct v9_route route_of(const struct setting *t, bool rme)
{
	return (struct v9_route){
		.scr_el3 = V9_PUT(V9_SCR_EL3_NSE, t->nse) | V9_PUT(V9_SCR_EL3_NS, t->ns) |
			   V9_PUT(V9_SCR_EL3_EEL2, t->eel2),
		.mdcr_el3 = V9_PUT(V9_MDCR_EL3_NSPBE, t->nspbe) |
			    V9_PUT(V9_MDCR_EL3_NSPB, t->nspb),
		.mdcr_el2 = V9_PUT(V9_MDCR_EL2_E2PB, t->e2pb),
		.hcr_el2 = V9_PUT(V9_HCR_EL2_E2H, t->e2h),
		.el = 0, .a64 = true, .el1_a64 = true, .el2_a64 = true,
		.has_el2 = true, .has_el3 = true, .has_rme = rme, .has_secure = true,
	};
}

/* shows: SPE-OW1 SPE-OW2 SPE-OW3 SPE-OW5 SPE-OW6 SPE-EN1 */
static unsigned int owner_table(void)
{
	unsigned int n, i, bad = 0, rows_used = 0, cells = 0;

	for (n = 0; n < 1024; n++) {
		struct setting t = {
			.e = n & 1, .nse = n >> 1 & 1, .ns = n >> 2 & 1, .eel2 = n >> 3 & 1,
			.nspbe = n >> 4 & 1, .nspb = n >> 5 & 3, .e2pb = n >> 7 & 3,
			.e2h = n >> 9 & 1,
		};
		struct v9_route r = route_of(&t, true);
		struct v9_spe_ctl c = { .pmblimitr = t.e };
		const char *want = NULL, *got = v9_spe_owner_name(&r);
		bool on;

		if (t.e2pb == 1 || (t.nse && !t.ns))
			continue;	/* reserved programming */
		for (i = 0; i < V9_ARRAY_SIZE(regimes) && !want; i++)
			if (like(t.e, regimes[i][0]) && like(t.nse, regimes[i][1]) &&
			    like(t.ns, regimes[i][2]) && like(t.eel2, regimes[i][3]) &&
			    like(t.nspbe, regimes[i][4]) && like(t.nspb, regimes[i][5]) &&
			    like(t.e2pb, regimes[i][6]) && like(t.e2h, regimes[i][7])) {
				want = regimes[i][8];
				rows_used |= 1u << i;
			}
		on = want && strncmp(want, "DISABLED", 8) && strcmp(want, "RESERVED");
		cells++;
		if (!want || (t.e && strcmp(want, got)) || on != v9_spe_buffer_enabled(&r, &c)) {
			bad++;
			if (quiet)
				return bad;
			tap_note("E %u NSE %u NS %u EEL2 %u NSPBE %u NSPB %u E2PB %u E2H %u: %s not %s",
				 t.e, t.nse, t.ns, t.eel2, t.nspbe, t.nspb, t.e2pb, t.e2h, got,
				 want ? want : "?");
		}
	}
	if (quiet)
		return bad;
	tap_note("owners: %u cells checked", cells);
	all_cells += cells;
	tap_eq(bad, 0, "owner_table");
	tap_eq(rows_used, (1u << V9_ARRAY_SIZE(regimes)) - 1, "owner_table_every_row_met");
	return bad;
}

/* Table 3 of the first edition: no Realm, no Secure EL2. D: disabled, n: no such EL */
static struct {
	const char *s, *e, *ns, *nspb, *e2pb, *tge;
	char el[4];	/* EL3 first: D, n, or a bit: 2 E2SPE, 1 E1SPE, 0 E0SPE, h E0HSPE */
} enables[] = {
	{ "1", "x", "x", "xx", "xx", "x", { 'D', 'D', 'D', 'D' } },
	{ "0", "0", "x", "xx", "xx", "x", { 'D', 'D', 'D', 'D' } },
	{ "0", "1", "1", "1x", "1x", "0", { 'D', 'D', '1', '0' } },
	{ "0", "1", "1", "1x", "1x", "1", { 'D', 'D', 'n', 'D' } },
	{ "0", "1", "1", "1x", "00", "0", { 'D', '2', '1', '0' } },
	{ "0", "1", "1", "1x", "00", "1", { 'D', '2', 'n', 'h' } },
	{ "0", "1", "1", "0x", "xx", "x", { 'D', 'D', 'D', 'D' } },
	{ "0", "1", "0", "1x", "xx", "x", { 'D', 'n', 'D', 'D' } },
	{ "0", "1", "0", "0x", "xx", "x", { 'D', 'n', '1', '0' } },
};

/* shows: SPE-EN2 SPE-EN3 SPE-EN4 SPE-EN5 */
static unsigned int enable_table(void)
{
	unsigned int n, i, el, bits, bad = 0, used = 0, cells = 0;

	for (n = 0; n < 256; n++) {
		unsigned int s = n & 1, e = n >> 1 & 1, tge = n >> 2 & 1;
		struct setting t = {
			.ns = n >> 3 & 1, .nspb = n >> 4 & 3, .e2pb = n >> 6 & 3,
		};

		if (t.e2pb == 1)
			continue;
		for (i = 0; i < V9_ARRAY_SIZE(enables); i++)
			if (like(s, enables[i].s) && like(e, enables[i].e) &&
			    like(t.ns, enables[i].ns) && like(t.nspb, enables[i].nspb) &&
			    like(t.e2pb, enables[i].e2pb) && like(tge, enables[i].tge))
				break;
		if (i == V9_ARRAY_SIZE(enables)) {
			bad++;
			continue;
		}
		used |= 1u << i;
		for (bits = 0; bits < 16; bits++)
			for (el = 0; el < 4; el++) {
				struct v9_route r = route_of(&t, false);
				struct v9_spe_ctl c = {
					.pmscr_el1 = V9_PUT(V9_PMSCR_EL1_E0SPE, bits & 1) |
						     V9_PUT(V9_PMSCR_EL1_E1SPE, bits >> 1 & 1),
					.pmscr_el2 = V9_PUT(V9_PMSCR_EL2_E0HSPE, bits >> 2 & 1) |
						     V9_PUT(V9_PMSCR_EL2_E2SPE, bits >> 3 & 1),
					.pmblimitr = e,
					.pmbsr = V9_PUT(V9_PMBSR_EL1_S, s),
				};
				char how = enables[i].el[3 - el];
				bool want = (how == '0' && (bits & 1)) ||
					    (how == '1' && (bits & 2)) ||
					    (how == 'h' && (bits & 4)) ||
					    (how == '2' && (bits & 8));

				r.el = el;
				r.hcr_el2 = V9_PUT(V9_HCR_EL2_TGE, tge);
				cells++;
				/* no such level: EL1 of a host, EL2 of Secure state */
				if (how == 'n' ? (el == 1 && tge && t.ns) || (el == 2 && !t.ns) :
				    v9_spe_profiling(&r, &c) == want)
					continue;
				bad++;
				if (quiet)
					return bad;
				tap_note("row %u el %u bits %x", i, el, bits);
			}
	}
	if (quiet)
		return bad;
	tap_note("enables: %u cells checked", cells);
	all_cells += cells;
	tap_eq(bad, 0, "enable_table");
	tap_eq(used, (1u << V9_ARRAY_SIZE(enables)) - 1, "enable_table_every_row_met");
	return bad;
}

/* Swaps each pair of cells of a table: the comparison must fail. */
static void swaps(void)
{
	unsigned int i, j, a, b, all = 0, seen = 0;

	quiet = true;
	for (i = 0; i < V9_ARRAY_SIZE(regimes); i++)
		for (j = 0; j < i; j++) {
			const char *one = regimes[i][8], *other = regimes[j][8];

			if (!strcmp(one, other))
				continue;
			regimes[i][8] = other;
			regimes[j][8] = one;
			all++;
			seen += owner_table() != 0;
			regimes[i][8] = one;
			regimes[j][8] = other;
		}
	for (i = 0; i < 4 * V9_ARRAY_SIZE(enables); i++)
		for (j = 0; j < i; j++) {
			char *one = &enables[i / 4].el[i % 4], *other = &enables[j / 4].el[j % 4];

			a = *one;
			b = *other;
			if (a == b)
				continue;
			*one = b;
			*other = a;
			all++;
			if (enable_table())
				seen++;
			else
				tap_note("not seen: row %u %c with row %u %c", i / 4, a, j / 4, b);
			*one = a;
			*other = b;
		}
	quiet = false;
	tap_note("%u of %u changed cells seen", seen, all);
	tap_ok(all > 400 && seen == all, "any_two_swapped_cells_are_seen");
}

static struct v9_route plain(unsigned int el)
{
	struct setting t = { .ns = 1, .nspb = 3, .e2pb = 3 };
	struct v9_route r = route_of(&t, false);

	r.el = el;
	r.mdcr_el3 |= V9_MDCR_EL3_EnPMSN | V9_MDCR_EL3_EnPMS3;
	return r;
}

/* shows: SPE-EN1 SPE-SI2 */
static void other_terms(void)
{
	struct v9_spe_ctl c = {
		.pmscr_el1 = V9_PMSCR_EL1_E1SPE, .pmblimitr = V9_PMBLIMITR_EL1_E,
	};
	struct v9_route r = plain(1);

	tap_ok(v9_spe_profiling(&r, &c), "profiling_baseline");
	r.debug = true;
	tap_ok(!v9_spe_buffer_enabled(&r, &c), "off_in_debug_state");
	r.debug = false;
	r.el1_a64 = false;
	tap_ok(!v9_spe_buffer_enabled(&r, &c), "off_with_aarch32_owner");
	r.el1_a64 = true;
	r.a64 = false;
	tap_ok(!v9_spe_profiling(&r, &c), "off_in_aarch32");
	r = plain(1);
	r.has_el3 = false;
	r.has_el2 = false;
	r.pe_ss = V9_SS_NONSECURE;
	tap_ok(v9_spe_profiling(&r, &c), "on_without_el3_and_el2");
	r.pe_ss = V9_SS_SECURE;
	tap_ok(v9_spe_profiling(&r, &c), "on_in_a_secure_only_pe");
	r = plain(1);
	r.has_secure = false;
	r.has_rme = true;
	r.mdcr_el3 = 0;
	tap_eq(v9_spe_owner(&r).ss, V9_SS_NONE, "no_secure_state_no_secure_owner");
}

/* Expected letter per case: . ok, u UNDEFINED, 2 to EL2, 3 to EL3 */
static const struct {
	const char *name;
	bool ns;
	unsigned int nspb, e2pb, tpms, e2h;
	const char *buffer, *sampling, *el2only, *el12, *id;	/* EL0 EL1 EL2 EL3 */
} accesses[] = {
	{ "open", true, 3, 3, 0, 1, "u...", "u...", "uu..", "uu..", "u..." },
	{ "no_e2h", true, 3, 3, 0, 0, "u...", "u...", "uu..", "uuuu", "u..." },
	{ "owner_el2", true, 3, 0, 0, 1, "u2..", "u...", "uu..", "uu..", "u..." },
	{ "owner_el1_trapped", true, 3, 2, 0, 1, "u2..", "u...", "uu..", "uu..", "u..." },
	{ "tpms", true, 3, 3, 1, 1, "u...", "u2..", "uu..", "uu..", "u..." },
	{ "both", true, 3, 0, 1, 1, "u2..", "u2..", "uu..", "uu..", "u..." },
	{ "nspb_10", true, 2, 3, 0, 1, "u33.", "u33.", "uu3.", "uu3.", "u..." },
	{ "nspb_10_el2_first", true, 2, 0, 1, 1, "u23.", "u23.", "uu3.", "uu3.", "u..." },
	{ "nspb_secure", true, 1, 3, 0, 1, "u33.", "u33.", "uu3.", "uu3.", "u..." },
	{ "nspb_0", true, 0, 3, 0, 1, "u33.", "u33.", "uu3.", "uu3.", "u..." },
	{ "secure_open", false, 1, 0, 1, 1, "u.x.", "u.x.", "uux.", "uuxu", "u.x." },
	{ "secure_00", false, 0, 3, 0, 1, "u3x.", "u3x.", "uux.", "uuxu", "u.x." },
	{ "secure_given_away", false, 3, 3, 0, 1, "u3x.", "u3x.", "uux.", "uuxu", "u.x." },
};

static void access_row(unsigned int n, const char *what, const char *want, enum v9_trap trap)
{
	static const char letters[] = {
		[V9_ACCESS_OK] = '.', [V9_ACCESS_UNDEF] = 'u',
		[V9_ACCESS_EL2] = '2', [V9_ACCESS_EL3] = '3',
	};
	char got[5] = "";
	unsigned int el;

	for (el = 0; el < 4; el++) {
		struct v9_route r = plain(el);

		r.scr_el3 = V9_PUT(V9_SCR_EL3_NS, accesses[n].ns);
		r.mdcr_el3 = (r.mdcr_el3 & ~V9_MDCR_EL3_NSPB) |
			     V9_PUT(V9_MDCR_EL3_NSPB, accesses[n].nspb);
		r.mdcr_el2 = V9_PUT(V9_MDCR_EL2_E2PB, accesses[n].e2pb) |
			     V9_PUT(V9_MDCR_EL2_TPMS, accesses[n].tpms);
		r.hcr_el2 = V9_PUT(V9_HCR_EL2_E2H, accesses[n].e2h);
		got[el] = want[el] == 'x' ? 'x' : letters[v9_spe_access(&r, trap, V9_FEAT_SPE)];
	}
	if (!tap_ok(!strcmp(got, want), "access_%s_%s", accesses[n].name, what))
		tap_note("got %s, want %s", got, want);
}

/* shows: SPE-RA3 SPE-RA4 SPE-EN8 */
static void access_table(void)
{
	unsigned int n;
	struct v9_route r;

	for (n = 0; n < V9_ARRAY_SIZE(accesses); n++) {
		access_row(n, "buffer", accesses[n].buffer, V9_TRAP_E2PB);
		access_row(n, "sampling", accesses[n].sampling, V9_TRAP_TPMS);
		access_row(n, "el2only", accesses[n].el2only, V9_TRAP_EL2ONLY);
		access_row(n, "el12", accesses[n].el12, V9_TRAP_EL12);
		access_row(n, "id", accesses[n].id, V9_TRAP_NONE);
	}
	r = plain(1);
	r.mdcr_el3 &= ~V9_MDCR_EL3_EnPMSN;
	tap_eq(v9_spe_access(&r, V9_TRAP_TPMS, V9_FEAT_SPE_FnE), V9_ACCESS_EL3, "enpmsn_traps");
	tap_eq(v9_spe_access(&r, V9_TRAP_TPMS, V9_FEAT_SPE), V9_ACCESS_OK, "enpmsn_only_pmsnevfr");
	r.has_el3 = false;
	tap_eq(v9_spe_access(&r, V9_TRAP_TPMS, V9_FEAT_SPE_FnE), V9_ACCESS_OK, "no_el3_no_trap");
	r = plain(1);
	r.a64 = false;
	tap_eq(v9_spe_access(&r, V9_TRAP_NONE, V9_FEAT_SPE), V9_ACCESS_UNDEF, "aarch32_undefined");
	r = plain(1);
	r.has_rme = true;
	r.mdcr_el3 |= V9_MDCR_EL3_NSPBE;
	tap_eq(v9_spe_access(&r, V9_TRAP_TPMS, V9_FEAT_SPE), V9_ACCESS_EL3, "realm_owner_traps_ns");
	r.scr_el3 |= V9_SCR_EL3_NSE;
	tap_eq(v9_spe_access(&r, V9_TRAP_TPMS, V9_FEAT_SPE), V9_ACCESS_OK,
	       "realm_owner_open_to_realm");
	r.mdcr_el3 &= ~V9_MDCR_EL3_NSPBE;
	tap_eq(v9_spe_access(&r, V9_TRAP_TPMS, V9_FEAT_SPE), V9_ACCESS_EL3, "ns_owner_traps_realm");
}

/* shows: SPE-RA3 SPE-ME15 */
static void status_access(void)
{
	static const struct {
		enum v9_trap trap;
		unsigned int pmsee, nspb;
		const char *want, *name;	/* EL0 to EL3 */
	} t[] = {
		{ V9_TRAP_EL2ONLY, 1, 3, "uu..", "el2" },
		{ V9_TRAP_EL2ONLY, 0, 3, "uu3.", "el2_kept_by_el3" },
		{ V9_TRAP_EL2ONLY, 1, 2, "uu3.", "el2_without_nspb" },
		{ V9_TRAP_EL12, 0, 3, "uu..", "el12" },
		{ V9_TRAP_EL3ONLY, 0, 0, "uuu.", "el3" },
	};
	static const char letters[] = {
		[V9_ACCESS_OK] = '.', [V9_ACCESS_UNDEF] = 'u',
		[V9_ACCESS_EL2] = '2', [V9_ACCESS_EL3] = '3',
	};
	unsigned int i, el;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		char got[5] = "";

		for (el = 0; el < 4; el++) {
			struct v9_route r = plain(el);

			r.mdcr_el3 = V9_PUT(V9_MDCR_EL3_PMSEE, t[i].pmsee) |
				     V9_PUT(V9_MDCR_EL3_NSPB, t[i].nspb);
			r.hcr_el2 = V9_HCR_EL2_E2H;
			got[el] = letters[v9_spe_access(&r, t[i].trap, V9_FEAT_SPE_EXC)];
		}
		if (!tap_ok(!strcmp(got, t[i].want), "access_pmbsr_%s", t[i].name))
			tap_note("got %s, want %s", got, t[i].want);
	}
	/* without Profiling exceptions EL3 has no control over PMSCR_EL2 */
	{
		struct v9_route r = plain(2);

		tap_eq(v9_spe_access(&r, V9_TRAP_EL2ONLY, V9_FEAT_SPE), V9_ACCESS_OK,
		       "access_pmscr_el2_whatever_pmsee");
	}
}

/* shows: SPE-OW7 */
static void denied(void)
{
	struct v9_route r = plain(1);

	tap_ok(!v9_spe_denied(&r), "p_clear_for_the_owner");
	r.mdcr_el2 = 0;
	tap_ok(v9_spe_denied(&r), "p_set_below_the_owner");
	r.el = 2;
	tap_ok(!v9_spe_denied(&r), "p_clear_at_el2_owner");
	r.mdcr_el3 = V9_PUT(V9_MDCR_EL3_NSPB, 1);
	tap_ok(v9_spe_denied(&r), "p_set_in_another_state");
	r.el = 3;
	tap_ok(!v9_spe_denied(&r), "p_clear_at_el3");
}

#define TS V9_SPE_SHOW_TS
#define PH V9_SPE_SHOW_PHYS
#define GU V9_SPE_SHOW_GUEST
#define PA V9_SPE_SHOW_PA
#define C1 V9_SPE_SHOW_CX1
#define C2 V9_SPE_SHOW_CX2

/* Either PMSCR as letters: T TS, P PCT=1, G PCT=3, A PA, C CX; same places in both */
static uint64_t scr(const char *s)
{
	uint64_t v = 0;

	for (; *s; s++)
		v |= *s == 'T' ? V9_PMSCR_EL1_TS : *s == 'P' ? V9_PUT(V9_PMSCR_EL1_PCT, 1) :
		     *s == 'G' ? V9_PUT(V9_PMSCR_EL1_PCT, 3) : *s == 'A' ? V9_PMSCR_EL1_PA :
		     V9_PMSCR_EL1_CX;
	return v;
}

static const struct {
	const char *name;
	bool el2, owner2, tge, ecv;
	unsigned int el;
	const char *scr1, *scr2;
	unsigned int want;
} exposures[] = {
	{ "nothing", true, false, false, false, 0, "", "", 0 },
	/* owner EL1 with EL2: TS is that of the owner, PA and PCT need both */
	{ "guest_ts", true, false, false, false, 0, "T", "", TS },
	{ "guest_ts_of_el2", true, false, false, false, 0, "", "T", 0 },
	{ "guest_pct_one", true, false, false, false, 0, "TP", "", TS },
	{ "guest_pct_other", true, false, false, false, 0, "T", "P", TS },
	{ "guest_pct_both", true, false, false, false, 0, "TP", "P", TS | PH },
	{ "guest_pct_guest", true, false, false, true, 0, "TP", "G", TS | GU },
	{ "guest_pct_no_ecv", true, false, false, false, 0, "TP", "G", TS | PH },
	{ "guest_pa_one", true, false, false, false, 0, "A", "", 0 },
	{ "guest_pa_other", true, false, false, false, 1, "", "A", 0 },
	{ "guest_pa_both", true, false, false, false, 1, "A", "A", PA },
	{ "guest_contexts", true, false, false, false, 1, "C", "C", C1 | C2 },
	{ "guest_context_1", true, false, false, false, 0, "C", "", C1 },
	/* no EL2: as if EL2 permitted everything; the clock is the physical one */
	{ "alone_ts", false, false, false, false, 0, "TP", "", TS | PH },
	{ "alone_pa", false, false, false, false, 0, "A", "", PA },
	{ "alone_context", false, false, false, false, 1, "C", "C", C1 },
	/* owner EL2: PMSCR_EL1 affects only its own context */
	{ "host_ts_of_el1", true, true, false, false, 1, "TPA", "", 0 },
	{ "host_ts", true, true, true, false, 0, "", "T", TS },
	{ "host_pct", true, true, true, false, 2, "", "TP", TS | PH },
	{ "host_pa", true, true, false, false, 1, "", "A", PA },
	{ "host_context_at_el2", true, true, false, false, 2, "C", "C", C2 },
	{ "vhe_context_at_el0", true, true, true, false, 0, "C", "C", C2 },
	{ "host_context_of_its_guest", true, true, false, false, 0, "C", "C", C1 | C2 },
};

/* shows: SPE-CD15 SPE-CD16 SPE-CD17 SPE-CD18 SPE-CD19 */
static void exposure_table(void)
{
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(exposures); i++) {
		struct v9_route r = plain(exposures[i].el);
		struct v9_spe_ctl c = {
			.pmscr_el1 = scr(exposures[i].scr1),
			.pmscr_el2 = scr(exposures[i].scr2),
		};

		r.has_el2 = exposures[i].el2;
		r.has_ecv = exposures[i].ecv;
		r.mdcr_el2 = V9_PUT(V9_MDCR_EL2_E2PB, exposures[i].owner2 ? 0 : 3);
		r.hcr_el2 = V9_PUT(V9_HCR_EL2_TGE, exposures[i].tge);
		tap_eq(v9_spe_exposure(&r, &c), exposures[i].want, "exposure_%s",
		       exposures[i].name);
	}
}

/* shows: SPE-PB6 */
static void nvm(void)
{
	struct v9_route r = plain(1);
	struct v9_spe_ctl c = { .pmblimitr = V9_PMBLIMITR_EL1_nVM };

	tap_ok(!v9_spe_nvm(&r, false, &c), "nvm_needs_the_feature");
	tap_ok(!v9_spe_nvm(&r, true, &c), "nvm_needs_envm_under_el2");
	c.pmscr_el2 = V9_PMSCR_EL2_EnVM;
	tap_ok(v9_spe_nvm(&r, true, &c), "nvm_with_envm");
	c.pmscr_el2 = 0;
	r.mdcr_el2 = 0;
	tap_ok(v9_spe_nvm(&r, true, &c), "nvm_owner_el2");
	r.has_el2 = false;
	tap_ok(v9_spe_nvm(&r, true, &c), "nvm_without_el2");
	c.pmblimitr = 0;
	tap_ok(!v9_spe_nvm(&r, true, &c), "nvm_off");
}

int main(void)
{
	owner_table();
	enable_table();
	other_terms();
	access_table();
	status_access();
	denied();
	exposure_table();
	nvm();
	swaps();
	tap_note("%u cells checked in all", all_cells);
	return tap_done();
}
