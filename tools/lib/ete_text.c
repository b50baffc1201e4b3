// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "ete_text.h"

#include <inttypes.h>

#include <v9trace/gen/ete_pkt.h>

static const char *const names[V9_ETE_NAMES] = {
#define ROW(name, kind, text) [V9_ETE_P_##name] = text,
	V9_ETE_FOREACH_PACKET(ROW)
#undef ROW
};

static const char *const reasons[V9_ETE_REASONS] = {
#define ROW(name, text) [V9_ETE_BAD_##name] = text,
	V9_ETE_FOREACH_REASON(ROW)
#undef ROW
};

const char *v9_ete_exception_text(unsigned int type)
{
	switch (type) {
#define ROW(number, name, text) case number: return text;
	V9_ETE_FOREACH_EXCEPTION(ROW)
#undef ROW
	}
	return NULL;
}

const char *v9_ete_reason_text(unsigned int reason)
{
	return reason < V9_ETE_REASONS && reasons[reason] ? reasons[reason] : "not a packet";
}

static void context(FILE *f, const struct v9_ete_pkt *p)
{
	fprintf(f, " el%u %s%s %s", p->ctx.el, p->ctx.ns ? "ns" : "s", p->ctx.nse ? " nse" : "",
		p->ctx.sf ? "64" : "32");
	if (p->has & V9_ETE_HAS_CONTEXTID)
		fprintf(f, " contextid 0x%x", p->ctx.contextid);
	if (p->has & V9_ETE_HAS_VMID)
		fprintf(f, " vmid 0x%x", p->ctx.vmid);
}

static void atoms(FILE *f, const struct v9_ete_pkt *p)
{
	fputc(' ', f);
	for (unsigned int i = 0; i < p->natoms; i++)
		fputc(p->atoms >> i & 1 ? 'E' : 'N', f);
}

static void info(FILE *f, const struct v9_ete_pkt *p)
{
	if (p->cycle_counting)
		fprintf(f, " cycle counting, threshold %u", p->threshold);
	if (p->spec)
		fprintf(f, " %u not resolved", p->spec);
	if (p->transaction)
		fprintf(f, " in a transaction");
}

void v9_ete_pkt_text(FILE *f, const struct v9_ete_pkt *p)
{
	const char *name = p->name < V9_ETE_NAMES ? names[p->name] : NULL;
	const char *exception;

	fputs(name ? name : "packet", f);
	if (p->natoms)
		atoms(f, p);
	if (p->kind == V9_ETE_INFO)
		info(f, p);
	if (p->kind == V9_ETE_EXCEPTION) {
		exception = v9_ete_exception_text(p->type);
		fprintf(f, " %s%s", exception ? exception : "of a reserved type",
			p->target_first ? ", at the target" : "");
	}
	if (p->has & V9_ETE_HAS_ADDR)
		fprintf(f, " 0x%" PRIx64, p->addr);
	if (p->kind == V9_ETE_TIMESTAMP)
		fprintf(f, " %" PRIu64, p->timestamp);
	if (p->has & V9_ETE_HAS_CTX)
		context(f, p);
	if (p->has & V9_ETE_HAS_COUNT)
		fprintf(f, " count %u", p->count);
	if (p->commit)
		fprintf(f, " commit %u", p->commit);
	if (p->cancel)
		fprintf(f, " cancel %u", p->cancel);
	if (p->mispredict)
		fprintf(f, " mispredict");
	if (p->kind == V9_ETE_INSTRUMENTATION)
		fprintf(f, " el%u 0x%" PRIx64, p->ctx.el, p->value);
	if (p->events)
		fprintf(f, " events 0x%x", p->events);
}
