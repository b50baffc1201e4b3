// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Where sampled instructions stand in the list of traced ones. The trace unit decides about a block
 * when it ends: then a sampled operation may be in progress, complete, or written to memory. What is
 * logged of a written record waits for that.
 */
#include "private.h"

static bool is_open(const struct v9_insn_place *p)
{
	return p->state == V9_PLACE_NEXT || p->state == V9_PLACE_BLOCK;
}

struct v9_insn_place v9_place_begin(const struct v9_model *m, const struct v9_pe_insn *i)
{
	const struct v9_ete_model *e = &m->ete;
	struct v9_insn_place p = { .pc = i->pc, .state = V9_PLACE_NONE };

	/* In a prohibited region it needs a block. */
	if (!m->cfg.ete || !m->bus.pclog || !e->enabled || e->needs_block)
		return p;
	if (v9_p0_flags(i->code, i->op, m->cfg.wfx) == V9_P0_NONE)
		p.state = e->last.busy ? V9_PLACE_NEXT : V9_PLACE_BLOCK;
	else if (e->last.busy && e->last.pc == i->pc)
		p.state = V9_PLACE_BLOCK;
	return p;
}

static void decide(const struct v9_model *m, struct v9_insn_place *p, uint64_t end, bool traced)
{
	const uint64_t start = m->ete.cur;

	if (p->state != V9_PLACE_BLOCK)
		return;
	p->state = V9_PLACE_NONE;
	if (!traced || p->pc < start || p->pc >= end)
		return;
	p->state = V9_PLACE_KNOWN;
	p->insn = m->trace.insns + (p->pc - start) / 4;
}

static void report(struct v9_model *m, const struct v9_held *h)
{
	struct v9_spe_log l = h->log;

	if (h->place.state == V9_PLACE_KNOWN) {
		l.insn = h->place.insn;
		l.has |= V9_LOG_INSN;
	}
	m->bus.record(m->ctx, &l);
}

/* Reports the first @n records that are held, and others behind them that wait for nothing. */
static void release(struct v9_model *m, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < m->held_n && (i < n || !is_open(&m->held[i].place)); i++)
		report(m, &m->held[i]);
	if (!i)
		return;
	m->held_n -= i;
	memmove(m->held, m->held + i, m->held_n * sizeof(m->held[0]));
}

void v9_place_written(struct v9_model *m, const struct v9_spe_log *l, const struct v9_insn_place *p)
{
	const struct v9_held h = { .log = *l, .place = *p };

	if (!m->bus.record)
		return;
	if (!m->held_n && !is_open(p)) {
		report(m, &h);
		return;
	}
	if (m->held_n == V9_HELD)
		release(m, 1);
	m->held[m->held_n++] = h;
}

/* Executes a statement with @p as each place that may be open. */
#define for_each_place(m, p, ...) do {						\
	struct v9_insn_place *p = &(m)->fl.place;					\
	unsigned int k_;							\
										\
	__VA_ARGS__;								\
	for (k_ = 0; k_ < (m)->fifo_n; k_++) {					\
		p = &(m)->fifo[k_].place;					\
		__VA_ARGS__;							\
	}									\
	for (k_ = 0; k_ < (m)->held_n; k_++) {					\
		p = &(m)->held[k_].place;					\
		__VA_ARGS__;							\
	}									\
} while (0)

void v9_place_block(struct v9_model *m, uint64_t end, bool traced)
{
	for_each_place(m, p, decide(m, p, end, traced));
	release(m, 0);
}

void v9_place_next(struct v9_model *m)
{
	for_each_place(m, p, if (p->state == V9_PLACE_NEXT) p->state = V9_PLACE_BLOCK);
}

void v9_place_drop(struct v9_model *m)
{
	for_each_place(m, p, if (is_open(p)) p->state = V9_PLACE_NONE);
	release(m, 0);
}
