// SPDX-License-Identifier: GPL-2.0-only
/*
 * Expected results of the typed tables for one setting of the controls, and the comparison with
 * what occurred.
 */
#include "fw.h"
#include "cells.h"
#include "../host/routing_tables.h"

static unsigned int record_row(const struct record_row *rows, unsigned int n,
			       const struct controls *c, unsigned int s, unsigned int h)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (like(c->ee3, rows[i].ee3) && like(s, rows[i].s) && like(c->ee2, rows[i].ee2) &&
		    like(c->e2b, rows[i].e2b) && like(h, rows[i].h))
			break;
	return i;
}

unsigned int cell_level(const struct controls *c, enum column column)
{
	static const uint8_t place[] = {
		[S1] = 0, [S2] = 1, [OTHER] = 2, [EA_S1] = 0, [EA_S2] = 1,
		[GPF_S1] = 0, [GPF_S2] = 1, [GPC] = 2,
	};
	unsigned int i;

	if (column == EA_S1 || column == EA_S2) {
		i = record_row(d6_6, ROWS(d6_6), c, c->scr_ea, c->hcr_tea);
		return d6_6[i].to[place[column]] - '0';
	}
	if (column >= GPF_S1) {
		i = record_row(d6_5, ROWS(d6_5), c, c->scr_gpf, c->hcr_gpf);
		return d6_5[i].to[place[column]] - '0';
	}
	i = record_row(d6_7, ROWS(d6_7), c, 0, 0);
	return d6_7[i].to[place[column]] - '0';
}

static unsigned int row_el1(const struct controls *c)
{
	unsigned int i;

	for (i = 0; i < ROWS(d6_8); i++)
		if (like(c->ee3, d6_8[i].ee3) && like(c->ee2, d6_8[i].ee2) &&
		    like(c->tge, d6_8[i].tge) && like(c->ee1, d6_8[i].ee1) &&
		    like(c->ke1, d6_8[i].ke1) && like(c->pm, d6_8[i].pm))
			break;
	return i;
}

bool cell_irq(const struct controls *c)
{
	return d6_8[row_el1(c)].irq == 'H';
}

char cell_exception(const struct controls *c, unsigned int level, unsigned int el)
{
	unsigned int i;

	if (level == 1)
		return d6_8[row_el1(c)].from[el];
	if (level == 2) {
		for (i = 0; i < ROWS(d6_9); i++)
			if (like(c->ee3, d6_9[i].ee3) && like(c->ee2, d6_9[i].ee2) &&
			    like(c->ke2, d6_9[i].ke2) && like(c->tge, d6_9[i].tge) &&
			    like(c->pm, d6_9[i].pm))
				break;
		return d6_9[i].from[el];
	}
	for (i = 0; i < ROWS(d6_10); i++)
		if (like(c->ee3, d6_10[i].ee3) && like(c->tge, d6_10[i].tge))
			break;
	return d6_10[i].from[el];
}

const char *cell_happened(unsigned int unit, char cell, unsigned int el, unsigned int pm)
{
	const struct rec *r, *end = &recs[highest];
	unsigned int to = cell - '0', l;
	bool handler = false;

	for (l = 1; l <= 3; l++) {
		bool is = recs[l].count && EC(recs[l].esr) == EC_PROFILING;

		if (is && l != to)
			return "an exception that should not be";
		/* Only an SVC leaves EL0 (TRBE-FA7: no Data Abort either). */
		if (l < highest && recs[l].count && !is && (el || EC(recs[l].esr) != 0x15))
			return "quite another exception";
	}
	/* For an SMC or HVC of a handler PSTATE.PM is 1; for one of the program it is unchanged. */
	for (l = 1; l < highest; l++)
		handler |= recs[l].count != 0;
	if ((EC(end->esr) == 0x16 || EC(end->esr) == 0x17) && end->spsr >> 32 != (handler || pm))
		return "another PSTATE.PM";
	if (cell < '1' || cell > '3')
		return NULL;
	r = &recs[to];
	if (!r->count || EC(r->esr) != EC_PROFILING)
		return "no exception";
	if ((r->esr & 0x1ffffff) != (unit == SPE ? 1 : 2) << 1 || !(r->esr & BIT(25)))
		return "another syndrome";
	if (r->vector != (to == el ? 0x200 : 0x400))
		return "another vector";
	if ((r->spsr >> 32) != pm || (r->spsr & 0xf) != (el << 2 | (el ? 1 : 0)))
		return "another SPSR";
	return NULL;
}
