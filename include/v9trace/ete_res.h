/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The resources of a trace unit: counters, a sequencer, comparators and inputs, and the selectors
 * by which one thing in the unit follows another. What is wanted is a list of wishes, in which
 * later ones follow earlier ones; drivers/lib/ete_res.c finds the resources, or says what is
 * missing.
 *
 *	0  a counter that counts cycles		each 100 of them
 *	1  a counter that counts 0		each 50 of these
 *	2  from 1 to 0				the first 100 of each 5000 cycles
 *	3  trace only while 2
 *
 * Address comparators are dealt out apart (drivers/lib/filter_ete.c): addresses change whenever a
 * program maps something, the rest does not.
 */
#ifndef V9TRACE_ETE_RES_H
#define V9TRACE_ETE_RES_H

#include "base.h"

/* What a unit has a number of. */
enum v9_ete_resource {
	V9_RESOURCE_SELECTORS,
	V9_RESOURCE_COUNTERS,
	V9_RESOURCE_SEQUENCERS,
	V9_RESOURCE_INPUTS,		/* external input selectors */
	V9_RESOURCE_PE_INPUTS,	/* PE comparator inputs */
	V9_RESOURCE_SINGLE_SHOTS,
	V9_RESOURCE_CONTEXTS,	/* comparators of CONTEXTIDR_EL1 */
	V9_RESOURCE_VMIDS,		/* comparators of CONTEXTIDR_EL2 */
	V9_RESOURCE_EVENTS,		/* ETEEvents */
	V9_RESOURCE_VIEWS,		/* conditions of ViewInst */
	V9_RESOURCE_STAMPS,		/* events that ask for a time stamp */
	V9_RESOURCES
};

/* No pool: the list itself makes no sense. */
#define V9_RESOURCE_NONE		V9_RESOURCES

struct v9_ete_res_counts {
	uint8_t has[V9_RESOURCES];
};

enum v9_request_type {
	/* These can be followed: */
	V9_REQUEST_COUNTER,	/* each @value times that @on is active, for one cycle */
	V9_REQUEST_BETWEEN,	/* from @on to @off */
	V9_REQUEST_INPUT,		/* the PMU event with number @value happens */
	V9_REQUEST_PE_INPUT,	/* one of the PE comparator inputs in @value is active */
	V9_REQUEST_CONTEXT,	/* CONTEXTIDR_EL1 is @value, but for the bytes in @mask */
	V9_REQUEST_VMID,		/* CONTEXTIDR_EL2 is */
	V9_REQUEST_POINT,		/* one of the filters that are trigger points matched */
	V9_REQUEST_SOURCES,
	/* these follow: */
	V9_REQUEST_VIEW = V9_REQUEST_SOURCES,	/* trace only while @on; of two such, while both */
	V9_REQUEST_STAMP,		/* a time stamp when @on */
	V9_REQUEST_EVENT,		/* an ETEEvent when @on: 0 if @value; @mask: in the trace */
	V9_REQUEST_TYPES
};

/* Of @on and @off: what is always so */
#define V9_ON_ALWAYS		0xff

#define V9_ETE_REQUESTS		16

/**
 * struct v9_res_request - one thing that the unit shall do
 * @type: enum v9_request_type
 * @on: an earlier wish in the list, or V9_ON_ALWAYS
 * @off: likewise
 * @mask: see the kinds
 * @value: see the kinds
 * @name: who wants it: said with a refusal
 */
struct v9_res_request {
	uint8_t type;
	uint8_t on;
	uint8_t off;
	uint8_t mask;
	uint32_t value;
	const char *name;
};

/* The registers, one after the other. */
enum v9_ete_res_reg {
	V9_RES_RSCTLR,				/* TRCRSCTLR2 and on */
	V9_RES_CNTCTLR = V9_RES_RSCTLR + 30,
	V9_RES_CNTRLDVR = V9_RES_CNTCTLR + 4,
	V9_RES_CNTVR = V9_RES_CNTRLDVR + 4,
	V9_RES_SEQEVR = V9_RES_CNTVR + 4,
	V9_RES_SEQRSTEVR = V9_RES_SEQEVR + 3,
	V9_RES_SEQSTR,
	V9_RES_EXTINSELR,
	V9_RES_SSCCR = V9_RES_EXTINSELR + 4,	/* of the first single-shot control only */
	V9_RES_SSCSR,
	V9_RES_CIDCVR,				/* of the first comparator only */
	V9_RES_CIDCCTLR,
	V9_RES_VMIDCVR,
	V9_RES_VMIDCCTLR,
	V9_RES_REGS
};

/* Most that wishes can come to. */
#define V9_ETE_RES_WRITES	48

/**
 * struct v9_ete_res - resources, found
 * @n: registers to be written
 * @reg: enum v9_ete_res_reg of each
 * @value: what it holds
 * @view: TRCVICTLR.EVENT
 * @stamp: TRCTSCTLR.EVENT
 * @eventctl0: TRCEVENTCTL0R
 * @eventctl1: TRCEVENTCTL1R
 * @keep: it matters what the registers that move hold at the end: they go with the session
 */
struct v9_ete_res {
	uint8_t n;
	uint8_t reg[V9_ETE_RES_WRITES];
	uint32_t value[V9_ETE_RES_WRITES];
	uint8_t view;
	uint8_t stamp;
	uint8_t eventctl1;
	bool keep;
	uint32_t eventctl0;
};

/**
 * struct v9_shortage - why not
 * @request: the name of the wish
 * @resource: enum v9_ete_resource that is used up, or V9_RESOURCE_NONE
 * @has: how many there are
 */
struct v9_shortage {
	const char *request;
	uint8_t resource;
	uint8_t has;
};

/**
 * v9_ete_res_counts_init - what a unit has
 * @counts: result
 * @trcidr: TRCIDR0 and on
 */
void v9_ete_res_counts_init(struct v9_ete_res_counts *counts, const uint64_t *trcidr);

/**
 * v9_ete_plan_resources - find resources for a list of wishes
 * @counts: what there is
 * @request: the list
 * @n: how many
 * @res: result; of an empty list: everything is traced, nothing is asked
 * @shortage: reason of a refusal
 *
 * Return: 0; -EOPNOTSUPP if the unit has not enough of something; -EINVAL for a list without
 * meaning.
 */
int v9_ete_plan_resources(const struct v9_ete_res_counts *counts,
			  const struct v9_res_request *request,
			  unsigned int n, struct v9_ete_res *res, struct v9_shortage *shortage);

/**
 * v9_ete_res_find - where a register stands
 * @res: resources
 * @reg: enum v9_ete_res_reg
 *
 * Return: its index, or -1.
 */
int v9_ete_res_find(const struct v9_ete_res *res, unsigned int reg);

/**
 * v9_shortage_text - the pool of a refusal in words
 * @shortage: the refusal
 *
 * Return: a phrase that stands behind the wish's name.
 */
const char *v9_shortage_text(const struct v9_shortage *shortage);

/**
 * v9_ete_res_moves - does hardware change this register?
 * @reg: enum v9_ete_res_reg
 *
 * Return: true if it does.
 */
static inline bool v9_ete_res_moves(unsigned int reg)
{
	return (reg >= V9_RES_CNTVR && reg < V9_RES_SEQEVR) || reg == V9_RES_SEQSTR ||
	       reg == V9_RES_SSCSR;
}

#endif
