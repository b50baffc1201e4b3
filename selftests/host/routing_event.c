// SPDX-License-Identifier: GPL-2.0-only
/*
 * Routing of management events. Three sources must agree for each combination of fields and for
 * both units: tables D6-1 and D6-5 to D6-10 of the manual, typed; its rules, typed as code; and the
 * code under test.
 */
#include <v9trace/routing_event.h>

#include "routing_tables.h"
#include "tap.h"

/* All fields, as in the registers. @e2b: E2TB, E2PB */
struct setting {
	unsigned int ee3, ee2, ee1, ke2, ke1, e2b, tge, pm;
	unsigned int scr_gpf, scr_ea, hcr_gpf, hcr_tea;
	unsigned int ns, eel2, nsb;	/* @nsb: upper bit of NSTB, NSPB */
	bool no_el3, no_el2;
	unsigned int el;
};

static const char *const units[] = { "trbe", "spe" };
static unsigned int all_cells;

/* A cell of a table with another value, for mutants(); results are not printed then */
static struct {
	const void *table;
	unsigned int row, column;
	char value;
} mutation;

static char cell(const void *table, unsigned int row, unsigned int column, char value)
{
	if (mutation.table == table && mutation.row == row && mutation.column == column)
		return mutation.value;
	return value;
}

#define quiet (mutation.table != NULL)
#define IRQ_COLUMN 4	/* column of D6-8 after those of levels 0 to 3 */

/* Reports the number of cells of a table. */
static void checked(const char *what, const char *unit, unsigned int cells)
{
	if (quiet)
		return;
	tap_note("%s%s%s: %u cells checked", what, *unit ? " of " : "", unit, cells);
	all_cells += cells;
}

#define UNITS 2

static struct v9_route route_of(const struct setting *t, unsigned int unit)
{
	return (struct v9_route){
		.scr_el3 = V9_PUT(V9_SCR_EL3_NS, t->ns) | V9_PUT(V9_SCR_EL3_EEL2, t->eel2) |
			   V9_PUT(V9_SCR_EL3_GPF, t->scr_gpf) | V9_PUT(V9_SCR_EL3_EA, t->scr_ea),
		.mdcr_el3 = V9_PUT(unit ? V9_MDCR_EL3_PMSEE : V9_MDCR_EL3_TRBEE, t->ee3) |
			    V9_PUT(unit ? V9_MDCR_EL3_NSPB : V9_MDCR_EL3_NSTB, t->nsb * 2 + 1),
		.mdcr_el2 = V9_PUT(unit ? V9_MDCR_EL2_E2PB : V9_MDCR_EL2_E2TB, t->e2b),
		.hcr_el2 = V9_PUT(V9_HCR_EL2_TGE, t->tge) | V9_PUT(V9_HCR_EL2_GPF, t->hcr_gpf) |
			   V9_PUT(V9_HCR_EL2_TEA, t->hcr_tea),
		.el = t->el, .pm = t->pm, .pe_ss = V9_SS_NONSECURE,
		.a64 = true, .el1_a64 = true, .el2_a64 = true,
		.has_el2 = !t->no_el2, .has_el3 = !t->no_el3, .has_secure = true,
	};
}

static struct v9_reporting reporting_of(const struct setting *t, const struct v9_route *r,
					unsigned int unit, bool exc)
{
	struct v9_trace_ctl tc = {
		.trfcr_el1 = V9_PUT(V9_TRFCR_EL1_EE, t->ee1) | V9_PUT(V9_TRFCR_EL1_KE, t->ke1),
		.trfcr_el2 = V9_PUT(V9_TRFCR_EL2_EE, t->ee2) | V9_PUT(V9_TRFCR_EL2_KE, t->ke2),
	};
	struct v9_spe_ctl sc = {
		.pmscr_el1 = V9_PUT(V9_PMSCR_EL1_EE, t->ee1) | V9_PUT(V9_PMSCR_EL1_KE, t->ke1),
		.pmscr_el2 = V9_PUT(V9_PMSCR_EL2_EE, t->ee2) | V9_PUT(V9_PMSCR_EL2_KE, t->ke2),
		.exc = exc,
	};

	return unit ? v9_spe_reporting(r, &sc) : v9_trbe_reporting(r, exc, &tc);
}

static const struct setting plain = { .ns = 1, .nsb = 1, .e2b = 3, .ee3 = 1 };

/* ---- which status register ---- */

/* Rule R_BNQRP, as in the text of the manual */
static unsigned int prose_level(const struct setting *t, enum v9_event event)
{
	bool has_el3 = !t->no_el3, has_el2 = !t->no_el2;
	bool gpf = event == V9_EVENT_GPF_S1 || event == V9_EVENT_GPF_S2;
	bool external = event == V9_EVENT_EA_S1 || event == V9_EVENT_EA_S2;
	bool stage2 = event == V9_EVENT_S2 || event == V9_EVENT_EA_S2 || event == V9_EVENT_GPF_S2;
	/* without EL3 this PE is Non-secure */
	bool ns = !has_el3 || t->ns, eel2 = has_el3 && t->eel2;
	bool owner2 = has_el2 && t->e2b == 0 &&
		      (!has_el3 || (t->nsb ? true : eel2));
	bool fault = event != V9_EVENT_OTHER && event != V9_EVENT_GPC;

	if (has_el3 && t->ee3 == 3)
		return 3;
	if (has_el3 && t->ee3 == 2 &&
	    (event == V9_EVENT_GPC || (gpf && t->scr_gpf) || (external && t->scr_ea)))
		return 3;
	if ((!has_el3 || t->ee3 != 0) && has_el2 && (ns || eel2)) {
		if (t->ee2 == 3)
			return 2;
		if (t->ee2 == 2 && fault && owner2)
			return 2;
		if (t->ee2 == 2 && fault && !owner2 &&
		    (stage2 || (gpf && t->hcr_gpf) || (external && t->hcr_tea)))
			return 2;
		if (t->ee2 == 2 && event == V9_EVENT_GPC)
			return 2;
	}
	return 1;
}

/* Returns the row of @rows for @t, -1 if there is none, -2 if there are several. */
static int record_row(const struct record_row *rows, unsigned int n, const struct setting *t,
		      unsigned int s, unsigned int h)
{
	int found = -1;
	unsigned int i;

	for (i = 0; i < n; i++)
		if (like(t->ee3, rows[i].ee3) && like(s, rows[i].s) && like(t->ee2, rows[i].ee2) &&
		    like(t->e2b, rows[i].e2b) && like(h, rows[i].h))
			found = found == -1 ? (int)i : -2;
	return found;
}

static unsigned int record_table(const char *name, unsigned int unit,
				 const struct record_row *rows, unsigned int n,
				 const enum v9_event *events)
{
	unsigned int i, k, bad = 0, cells = 0, used = 0;
	bool ea = events[0] == V9_EVENT_EA_S1;

	for (i = 0; i < 1024; i++) {
		struct setting t = plain;
		struct v9_reporting p;
		struct v9_route r;
		int row;

		t.ee3 = i & 3;
		t.ee2 = i >> 2 & 3;
		t.e2b = i >> 4 & 3;
		t.scr_gpf = i >> 6 & 1;
		t.scr_ea = i >> 7 & 1;
		t.hcr_gpf = i >> 8 & 1;
		t.hcr_tea = i >> 9 & 1;
		if (t.e2b == 1)
			continue;	/* reserved */
		row = record_row(rows, n, &t, ea ? t.scr_ea : t.scr_gpf,
				 ea ? t.hcr_tea : t.hcr_gpf);
		if (row < 0) {
			bad++;
			tap_note("%s: %s row for %#x", name, row == -1 ? "no" : "more than one", i);
			continue;
		}
		used |= 1u << row;
		r = route_of(&t, unit);
		p = reporting_of(&t, &r, unit, true);
		for (k = 0; rows[row].to[k]; k++) {
			unsigned int want = cell(rows, row, k, rows[row].to[k]) - '0';
			unsigned int got = v9_event_level(&r, &p, events[k]);
			unsigned int prose = prose_level(&t, events[k]);

			cells++;
			if (got == want && prose == want)
				continue;
			bad++;
			if (quiet)
				continue;
			tap_note("%s row %d column %u (%#x): table EL%u, prose EL%u, we EL%u", name,
				 row, k, i, want, prose, got);
		}
	}
	checked(name, units[unit], cells);
	if (quiet)
		return bad;
	tap_eq(bad, 0, "record_%s_%s", name, units[unit]);
	tap_eq(used, (1u << n) - 1, "record_%s_%s_every_row_met", name, units[unit]);
	return bad;
}

static const struct {
	const char *name;
	const struct record_row *rows;
	unsigned int n;
	enum v9_event events[3];
} records[] = {
	{ "d6_5", d6_5, V9_ARRAY_SIZE(d6_5),
	  { V9_EVENT_GPF_S1, V9_EVENT_GPF_S2, V9_EVENT_GPC } },
	{ "d6_6", d6_6, V9_ARRAY_SIZE(d6_6), { V9_EVENT_EA_S1, V9_EVENT_EA_S2 } },
	{ "d6_7", d6_7, V9_ARRAY_SIZE(d6_7), { V9_EVENT_S1, V9_EVENT_S2, V9_EVENT_OTHER } },
};

/* shows: TRBE-EV3 TRBE-EV10 SPE-ME15 */
static void record_tables(void)
{
	unsigned int u, i;

	for (u = 0; u < UNITS; u++)
		for (i = 0; i < V9_ARRAY_SIZE(records); i++)
			record_table(records[i].name, u, records[i].rows, records[i].n,
				     records[i].events);
}

/* Cases that the tables do not have: levels absent or disabled, no feature, other PE states */
/* shows: TRBE-EV3 SPE-ME15 */
static void record_prose(void)
{
	unsigned int i, u, e, bad = 0, cells = 0, plainly = 0;

	for (i = 0; i < 1u << 14; i++) {
		struct setting t = {
			.ee3 = i & 3, .ee2 = i >> 2 & 3, .e2b = (i >> 4 & 1) ? 3 : 0,
			.scr_gpf = i >> 5 & 1, .scr_ea = i >> 6 & 1, .hcr_gpf = i >> 7 & 1,
			.hcr_tea = i >> 8 & 1, .ns = i >> 9 & 1, .eel2 = i >> 10 & 1,
			.nsb = i >> 11 & 1, .no_el3 = i >> 12 & 1, .no_el2 = i >> 13 & 1,
		};

		for (u = 0; u < UNITS; u++)
			for (t.el = 0; t.el < 4; t.el += 3) {
				struct v9_route r = route_of(&t, u);
				struct v9_reporting p = reporting_of(&t, &r, u, true);
				struct v9_reporting none = reporting_of(&t, &r, u, false);

				for (e = 0; e < V9_EVENTS; e++) {
					cells++;
					bad += v9_event_level(&r, &p, e) != prose_level(&t, e);
					plainly += v9_event_level(&r, &none, e) != 1;
				}
			}
	}
	checked("prose of recording", "", cells);
	tap_eq(bad, 0, "record_prose");
	tap_eq(plainly, 0, "record_without_the_feature_is_el1");
}

/* shows: TRBE-EN3 TRBE-EN4 SPE-ME3 */
static void running_table(void)
{
	unsigned int i, k, u, bad = 0, cells = 0, used = 0;

	for (i = 0; i < 128 * UNITS; i++) {
		struct setting t = plain;
		unsigned int s1 = i & 1, s2 = i >> 1 & 1, s3 = i >> 2 & 1;
		struct v9_reporting p;
		struct v9_route r;
		bool stopped;

		t.ee3 = i >> 3 & 3;
		t.ee2 = i >> 5 & 3;
		u = i >> 7;
		r = route_of(&t, u);
		p = reporting_of(&t, &r, u, true);
		for (k = 0; k < V9_ARRAY_SIZE(d6_1); k++)
			if (like(s1, d6_1[k].s1) && like(t.ee3, d6_1[k].ee3) &&
			    like(s3, d6_1[k].s3) && like(t.ee2, d6_1[k].ee2) &&
			    like(s2, d6_1[k].s2))
				break;
		if (k == V9_ARRAY_SIZE(d6_1)) {
			bad++;
			continue;
		}
		used |= 1u << k;
		cells++;
		stopped = v9_event_stopped(&p, s1 * V9_LEVEL(1) | s2 * V9_LEVEL(2) |
					   s3 * V9_LEVEL(3));
		if (stopped == d6_1[k].running) {
			bad++;
			tap_note("%s row %u: %#x", units[u], k, i);
		}
		/* the enable of the Profiling Buffer must agree */
		if (u) {
			struct v9_spe_ctl c = {
				.pmscr_el2 = V9_PUT(V9_PMSCR_EL2_EE, t.ee2),
				.pmblimitr = V9_PMBLIMITR_EL1_E, .exc = true,
				.pmbsr = V9_PUT(V9_PMBSR_EL1_S, s1),
				.pmbsr_el2 = V9_PUT(V9_PMBSR_EL1_S, s2),
				.pmbsr_el3 = V9_PUT(V9_PMBSR_EL1_S, s3),
			};

			bad += v9_spe_buffer_enabled(&r, &c) != d6_1[k].running;
			c.exc = false;
			bad += v9_spe_buffer_enabled(&r, &c) == s1;
		}
	}
	checked("running", "", cells);
	tap_eq(bad, 0, "running_table");
	tap_eq(used, (1u << V9_ARRAY_SIZE(d6_1)) - 1, "running_table_every_row_met");
}

/* ---- interrupt and exception ---- */

/*
 * Rule R_MFMXQ. It requires EE of EL1 to be 0b11; the tables and the description of the field have
 * 0b1x: see Documentation/trace/routing.rst.
 */
static char prose_exception(const struct setting *t, unsigned int level, bool literal)
{
	bool el3 = !t->no_el3, el2_on = !t->no_el2 && (!el3 || t->ns || t->eel2);
	bool here = !el3 || t->nsb == t->ns;
	bool el1_asks = literal ? t->ee1 == 3 : t->ee1 >= 2;

	if (level == 3) {
		if (!el3 || t->ee3 < 2)
			return '-';
		return t->el < 3 ? '3' : 'C';
	}
	if (el3 && t->ee3 == 0)
		return '-';
	if (level == 2) {
		if (!el2_on || t->ee2 < 2)
			return '-';
		if (here && t->el < 2)
			return '2';
		if (here && t->el == 2 && t->ee2 == 3 && t->ke2)
			return t->pm ? 'B' : '2';
		return 'C';
	}
	if ((el2_on && t->ee2 == 0) || !el1_asks)
		return '-';
	if (here && t->el == 0)
		return el2_on && t->tge ? '2' : '1';
	if (here && t->el == 1 && t->ke1)
		return t->pm ? 'B' : '1';
	return 'C';
}

/* Rule R_VSCDV */
static char prose_interrupt(const struct setting *t, bool literal)
{
	bool el3 = !t->no_el3, el2_on = !t->no_el2 && (!el3 || t->ns || t->eel2);

	if (el3 && t->ee3 == 0)
		return 'H';
	if (el2_on && t->ee2 == 0)
		return 'H';
	return (literal ? t->ee1 == 0 : t->ee1 < 2) ? 'H' : 'L';
}

static char letter(struct v9_profiling x)
{
	static const char how[] = {
		[V9_PENDING_NO] = '-', [V9_PENDING_MASKED] = 'C', [V9_PENDING_PM] = 'B',
	};

	return x.how == V9_PENDING_TAKE ? '0' + x.target : how[x.how];
}

static int row_8(const struct setting *t)
{
	int found = -1;
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(d6_8); i++)
		if (like(t->ee3, d6_8[i].ee3) && like(t->ee2, d6_8[i].ee2) &&
		    like(t->tge, d6_8[i].tge) && like(t->ee1, d6_8[i].ee1) &&
		    like(t->ke1, d6_8[i].ke1) && like(t->pm, d6_8[i].pm))
			found = found == -1 ? (int)i : -2;
	return found;
}

static int row_9(const struct setting *t)
{
	int found = -1;
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(d6_9); i++)
		if (like(t->ee3, d6_9[i].ee3) && like(t->ee2, d6_9[i].ee2) &&
		    like(t->ke2, d6_9[i].ke2) && like(t->tge, d6_9[i].tge) &&
		    like(t->pm, d6_9[i].pm))
			found = found == -1 ? (int)i : -2;
	return found;
}

static int row_10(const struct setting *t)
{
	int found = -1;
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(d6_10); i++)
		if (like(t->ee3, d6_10[i].ee3) && like(t->tge, d6_10[i].tge))
			found = found == -1 ? (int)i : -2;
	return found;
}

static char cell_of(const struct setting *t, unsigned int level, unsigned int *used)
{
	int i = level == 1 ? row_8(t) : level == 2 ? row_9(t) : row_10(t);

	if (i < 0)
		return '?';
	*used |= 1u << i;
	return level == 1 ? cell(d6_8, i, t->el, d6_8[i].from[t->el]) :
	       level == 2 ? cell(d6_9, i, t->el, d6_9[i].from[t->el]) :
			    cell(d6_10, i, t->el, d6_10[i].from[t->el]);
}

/* shows: TRBE-EX1 TRBE-EX2 TRBE-EX3 TRBE-EX4 TRBE-EX5 TRBE-EX9 TRBE-IR1 SPE-ME15 */
static unsigned int exception_table(unsigned int unit, unsigned int level)
{
	static const unsigned int rows[] = {
		0, V9_ARRAY_SIZE(d6_8), V9_ARRAY_SIZE(d6_9), V9_ARRAY_SIZE(d6_10)
	};
	static const char *const registers[] = {
		"", "exception, register of EL1", "exception, register of EL2",
		"exception, register of EL3",
	};
	unsigned int i, bad = 0, cells = 0, used = 0, split = 0, irqs = 0, irq_split = 0;

	for (i = 0; i < 1024; i++) {
		struct setting t = plain;
		struct v9_reporting p;
		struct v9_route r;

		t.ee3 = i & 3;
		t.ee2 = i >> 2 & 3;
		t.ee1 = i >> 4 & 3;
		t.ke1 = i >> 6 & 1;
		t.ke2 = i >> 7 & 1;
		t.pm = i >> 8 & 1;
		t.tge = i >> 9 & 1;
		for (t.el = 0; t.el < 4; t.el++) {
			char want = cell_of(&t, level, &used), got;

			if (want == 'n')
				continue;
			r = route_of(&t, unit);
			p = reporting_of(&t, &r, unit, true);
			got = letter(v9_event_exception(&r, &p, level));
			cells++;
			split += want != prose_exception(&t, level, true);
			if (got == want && want == prose_exception(&t, level, false))
				continue;
			bad++;
			if (quiet)
				continue;
			tap_note("%s EL%u %#x from EL%u: table %c, prose %c, we %c", units[unit],
				 level, i, t.el, want, prose_exception(&t, level, false), got);
		}
		if (level == 1) {
			int row = row_8(&t);
			char want = cell(d6_8, row, IRQ_COLUMN, d6_8[row].irq);

			irqs++;
			bad += want != (v9_event_interrupts(&p) ? 'H' : 'L');
			bad += want != prose_interrupt(&t, false);
			irq_split += want != prose_interrupt(&t, true);
		}
	}
	checked(registers[level], units[unit], cells + irqs);
	if (quiet)
		return bad;
	tap_eq(bad, 0, "exception_%s_el%u", units[unit], level);
	tap_eq(used, (1u << rows[level]) - 1, "exception_%s_el%u_every_row_met", units[unit],
	       level);
	/* only the known disagreement remains: the literal rule, with EE of EL1 01 or 10 */
	tap_ok(level == 1 ? split > 0 && irq_split > 0 : !split && !irq_split,
	       "exception_%s_el%u_known_disagreement", units[unit], level);
	if (level == 1)
		tap_note("prose read literally differs in %u cells and %u of the interrupt", split,
			 irq_split);
	return bad;
}

/*
 * Gives each cell each other value: the comparison must fail. So it fails for swapped cells, too.
 */
static void mutants(void)
{
	static const char values[] = "-BC123";
	unsigned int i, row, col, seen = 0, all = 0;
	const char *v;

	for (i = 0; i < V9_ARRAY_SIZE(records); i++)
		for (row = 0; row < records[i].n; row++)
			for (col = 0; records[i].rows[row].to[col]; col++)
				for (v = "123"; *v; v++) {
					if (records[i].rows[row].to[col] == *v)
						continue;
					mutation.table = records[i].rows;
					mutation.row = row;
					mutation.column = col;
					mutation.value = *v;
					all++;
					seen += record_table(records[i].name, 0, records[i].rows,
							     records[i].n, records[i].events) != 0;
				}
	for (i = 1; i <= 3; i++) {
		unsigned int n = i == 1 ? V9_ARRAY_SIZE(d6_8) : i == 2 ? V9_ARRAY_SIZE(d6_9) :
				 V9_ARRAY_SIZE(d6_10);

		for (row = 0; row < n; row++)
			for (col = 0; col < 4; col++)
				for (v = values; *v; v++) {
					const char *from = i == 1 ? d6_8[row].from :
							   i == 2 ? d6_9[row].from :
								    d6_10[row].from;

					if (from[col] == *v || from[col] == 'n')
						continue;
					mutation.table = i == 1 ? (const void *)d6_8 :
							 i == 2 ? (const void *)d6_9 : d6_10;
					mutation.row = row;
					mutation.column = col;
					mutation.value = *v;
					all++;
					seen += exception_table(0, i) != 0;
				}
	}
	for (row = 0; row < V9_ARRAY_SIZE(d6_8); row++) {
		mutation.table = d6_8;
		mutation.row = row;
		mutation.column = IRQ_COLUMN;
		mutation.value = d6_8[row].irq == 'H' ? 'L' : 'H';
		all++;
		seen += exception_table(0, 1) != 0;
	}
	mutation.table = NULL;
	tap_note("%u of %u changed cells seen", seen, all);
	tap_ok(all > 500 && seen == all, "each_changed_cell_is_seen");
}

/* Cases that the tables do not have: other states, no EL3, no EL2, Debug state */
/* shows: TRBE-EX1 TRBE-EX2 TRBE-EX3 TRBE-EX4 TRBE-IR1 TRBE-IR4 */
static void exception_prose(void)
{
	unsigned int i, u, level, bad = 0, debug = 0, off = 0, cells = 0;

	for (i = 0; i < 1u << 15; i++) {
		struct setting t = {
			.ee3 = i & 3, .ee2 = i >> 2 & 3, .ee1 = i >> 4 & 3, .ke1 = i >> 6 & 1,
			.ke2 = i >> 7 & 1, .pm = i >> 8 & 1, .tge = i >> 9 & 1, .ns = i >> 10 & 1,
			.eel2 = i >> 11 & 1, .nsb = i >> 12 & 1, .no_el3 = i >> 13 & 1,
			.no_el2 = i >> 14 & 1, .e2b = 3,
		};

		for (u = 0; u < UNITS; u++)
			for (t.el = 0; t.el < 4; t.el++) {
				struct v9_route r = route_of(&t, u);
				struct v9_reporting p = reporting_of(&t, &r, u, true);

				/* the PE cannot be in this state */
				if ((t.el == 3 && t.no_el3) ||
				    (t.el == 2 && !v9_route_el2_enabled(&r, v9_route_ss(&r))))
					continue;
				if (t.el == 1 && v9_route_host(&r))
					continue;
				for (level = 1; level <= 3; level++) {
					char got = letter(v9_event_exception(&r, &p, level));

					cells++;
					if (got != prose_exception(&t, level, false)) {
						if (!bad++)
							tap_note("%#x %s EL%u register EL%u: %c",
								 i, units[u], t.el, level, got);
					}
				}
				cells++;
				bad += v9_event_interrupts(&p) !=
				       (prose_interrupt(&t, false) == 'H');
				r.debug = true;
				debug += v9_event_take(&r, &p, 0xe) != 0;
				r.debug = false;
				p = reporting_of(&t, &r, u, false);
				off += v9_event_take(&r, &p, 0xe) != 0 || !v9_event_interrupts(&p);
			}
	}
	checked("prose of exception and interrupt", "", cells);
	tap_eq(bad, 0, "exception_prose");
	tap_eq(debug, 0, "exception_never_in_debug_state");
	tap_eq(off, 0, "exception_never_without_the_feature");
}

/* Of several exceptions that of the highest level is taken; a masked one does not block others. */
/* shows: TRBE-EX7 */
static void take(void)
{
	struct setting t = plain;
	struct v9_reporting p;
	struct v9_route r;

	t.ee3 = 2;
	t.ee2 = 3;
	t.ee1 = 3;
	r = route_of(&t, 0);
	p = reporting_of(&t, &r, 0, true);
	tap_eq(v9_event_take(&r, &p, 0), 0, "take_nothing");
	tap_eq(v9_event_take(&r, &p, 0xe), 3, "take_highest_first");
	tap_eq(v9_event_take(&r, &p, 0x6), 2, "take_second");
	tap_eq(v9_event_take(&r, &p, 0x2), 1, "take_last");
	r.el = 1;
	tap_eq(v9_event_take(&r, &p, 0x6), 2, "take_past_a_masked_one");
	tap_eq(v9_event_take(&r, &p, 0x2), 0, "take_masked");
}

/* shows: TRBE-EN2 TRBE-EX4 */
static void self_hosted(void)
{
	unsigned int i, bad = 0;

	for (i = 0; i < 512; i++) {
		struct v9_route r = {
			.tfo = i & 1, .ext_secure = i >> 1 & 1, .ext_realm = i >> 2 & 1,
			.has_el3 = i >> 3 & 1, .has_rme = (i >> 4 & 1) && (i >> 3 & 1),
			.mdcr_el3 = V9_PUT(V9_MDCR_EL3_STE, i >> 5 & 1) |
				    V9_PUT(V9_MDCR_EL3_RLTE, i >> 6 & 1) |
				    V9_PUT(V9_MDCR_EL3_TRBEE, 3),
			.pe_ss = i >> 7 & 1 ? V9_SS_SECURE : V9_SS_NONSECURE,
			.has_secure = i >> 8 & 1,
		};
		bool ste = i >> 5 & 1, rlte = i >> 6 & 1, want = !r.tfo;
		struct v9_trace_ctl c = { .trfcr_el1 = V9_TRFCR_EL1_EE };
		struct v9_reporting p;

		/* with FEAT_RME, Secure state implies FEAT_SEL2 */
		if (r.has_el3 && ste && !r.ext_secure && (!r.has_rme || (i >> 8 & 1)))
			want = true;
		if (r.has_rme && rlte && !r.ext_realm)
			want = true;
		if (!r.has_el3 && r.pe_ss == V9_SS_SECURE && !r.ext_secure)
			want = true;
		bad += v9_self_hosted_trace(&r) != want;
		/* external trace: only the interrupt and the register of EL1 */
		p = v9_trbe_reporting(&r, true, &c);
		bad += (v9_event_level(&r, &p, V9_EVENT_GPC) == 1) != (!want || !r.has_el3);
		bad += v9_event_interrupts(&p) == want;
	}
	tap_eq(bad, 0, "self_hosted_trace");
}

/* shows: TRBE-AT3 */
static void trbe_nvm(void)
{
	unsigned int i, bad = 0;

	for (i = 0; i < 128; i++) {
		struct setting t = plain;
		struct v9_trace_ctl c = {
			.trblimitr = V9_PUT(V9_TRBLIMITR_EL1_nVM, i & 1),
			.trfcr_el2 = V9_PUT(V9_TRFCR_EL2_DnVM, i >> 1 & 1),
		};
		bool v1p1 = i >> 2 & 1, want;
		struct v9_route r;

		t.e2b = i >> 3 & 1 ? 3 : 0;
		t.no_el2 = i >> 4 & 1;
		t.nsb = i >> 5 & 1;
		t.eel2 = i >> 6 & 1;
		r = route_of(&t, 0);
		want = i & 1;
		if (v1p1 && !t.no_el2 && (t.nsb || t.eel2) && t.e2b == 3 && (i >> 1 & 1))
			want = false;
		bad += v9_trbe_nvm(&r, v1p1, &c) != want;
	}
	tap_eq(bad, 0, "trbe_nvm");
}

/* Register names that access another register */
static void redirection(void)
{
	unsigned int i, bad = 0;

	for (i = 0; i < 128; i++) {
		struct setting t = plain;
		struct v9_reporting p;
		struct v9_route r;
		bool want;

		t.el = i & 3;
		t.ee3 = i >> 2 & 3;
		t.ee2 = i >> 4 & 3;
		r = route_of(&t, 0);
		r.hcr_el2 |= V9_PUT(V9_HCR_EL2_E2H, i >> 6);
		p = reporting_of(&t, &r, 0, true);
		want = t.el == 2 && i >> 6 && t.ee3 && t.ee2;
		bad += v9_event_redirected(&r, &p) != want;
	}
	tap_eq(bad, 0, "redirection");
}

/*
 * Nested virtualization, HCR_EL2.<NV2,NV1,NV>: whether the EL1 name of the status register accesses
 * memory at EL1. Source: the pages of TRBSR_EL1 and PMBSR_EL1.
 */
static void in_memory(void)
{
	unsigned int i, bad[UNITS] = { 0 };

	for (i = 0; i < 8 * 4 * 4 * 4 * 4 * 2; i++) {
		unsigned int nv = i & 7, ee1 = i >> 3 & 3, ee2 = i >> 5 & 3, ee3 = i >> 7 & 3;
		unsigned int u, el = i >> 9 & 3;
		struct setting t = plain;

		t.el = el;
		t.ee1 = ee1;
		t.ee2 = ee2;
		t.ee3 = ee3;
		t.no_el3 = i >> 11 & 1;
		for (u = 0; u < UNITS; u++) {
			struct v9_route r = route_of(&t, u);
			struct v9_trace_ctl tc = {
				.trfcr_el1 = (uint64_t)ee1 << 8, .trfcr_el2 = (uint64_t)ee2 << 8,
			};
			struct v9_spe_ctl sc = {
				.pmscr_el1 = (uint64_t)ee1 << 8, .pmscr_el2 = (uint64_t)ee2 << 8,
				.exc = true,
			};
			unsigned int effective_ee2 = t.no_el3 || ee3 ? ee2 : 0;
			bool want = false, got;

			/* <NV2,NV1,NV> is bits 45, 43 and 42 of HCR_EL2 */
			r.hcr_el2 |= (uint64_t)(nv >> 2) << 45 | (uint64_t)(nv >> 1 & 1) << 43 |
				     (uint64_t)(nv & 1) << 42;
			if (u == 0 && nv == 7)
				want = effective_ee2 && ee1;
			if (u == 1 && (nv == 5 || nv == 7))
				want = effective_ee2 == 0 || ee1 == 0 || nv == 7;
			want = want && el == 1;
			got = u ? v9_spe_status_in_memory(&r, &sc) :
				  v9_trbe_status_in_memory(&r, true, &tc);
			bad[u] += got != want;
			r.has_el2 = false;
			bad[u] += u ? v9_spe_status_in_memory(&r, &sc) :
				      v9_trbe_status_in_memory(&r, true, &tc);
			r.has_el2 = true;
			sc.exc = false;
			bad[u] += u ? v9_spe_status_in_memory(&r, &sc) !=
				      (el == 1 && (nv == 5 || nv == 7)) :
				      v9_trbe_status_in_memory(&r, false, &tc);
		}
	}
	tap_eq(bad[0], 0, "trbsr_in_memory");
	tap_eq(bad[1], 0, "pmbsr_in_memory");
}

int main(void)
{
	unsigned int u, level;

	record_tables();
	record_prose();
	running_table();
	for (u = 0; u < UNITS; u++)
		for (level = 1; level <= 3; level++)
			exception_table(u, level);
	exception_prose();
	take();
	self_hosted();
	trbe_nvm();
	redirection();
	in_memory();
	mutants();
	tap_note("%u cells checked in all", all_cells);
	return tap_done();
}
