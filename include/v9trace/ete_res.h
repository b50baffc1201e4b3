/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Resources of a trace unit: counters, sequencer, comparators, inputs, and the selectors that
 * connect them. A session needs a list of requests, in which later requests refer to earlier ones
 * by index. drivers/lib/ete_res.c allocates the resources, or reports which one is missing. For
 * example:
 *
 *	0  a counter of cycles			active every 100 cycles
 *	1  a counter of request 0		active every 50th time that request 0 is
 *	2  from request 1 to request 0		active in the first 100 of each 5000 cycles
 *	3  trace only while request 2 is active
 *
 * Address comparators are allocated separately (drivers/lib/filter_ete.c), because addresses
 * change whenever a program maps a file.
 */
#ifndef V9TRACE_ETE_RES_H
#define V9TRACE_ETE_RES_H

#include "base.h"

/* Types of resources */
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
	V9_RESOURCE_STAMPS,		/* events that request a timestamp */
	V9_RESOURCES
};

/* No resource is missing: the list itself is invalid. */
#define V9_RESOURCE_NONE		V9_RESOURCES

struct v9_ete_res_counts {
	uint8_t has[V9_RESOURCES];
};

enum v9_request_type {
	/* Sources, to which later requests can refer: */
	V9_REQUEST_COUNTER,	/* active for a cycle, each @value times @on is active */
	V9_REQUEST_BETWEEN,	/* active from @on until @off */
	V9_REQUEST_INPUT,		/* the PMU event with number @value occurs */
	V9_REQUEST_PE_INPUT,	/* one of the PE comparator inputs in @value is active */
	V9_REQUEST_CONTEXT,	/* CONTEXTIDR_EL1 is @value, except bytes in @mask */
	V9_REQUEST_VMID,		/* the same for CONTEXTIDR_EL2 */
	V9_REQUEST_POINT,		/* one of the filters that are trigger points matches */
	V9_REQUEST_SOURCES,
	/* Requests that use a source: */
	V9_REQUEST_VIEW = V9_REQUEST_SOURCES,	/* trace only while @on is active (of two: both) */
	V9_REQUEST_STAMP,		/* a timestamp when @on is active */
	V9_REQUEST_EVENT,		/* ETEEvent when @on; number 0 if @value; traced if @mask */
	V9_REQUEST_TYPES
};

/* In @on and @off: always active */
#define V9_ON_ALWAYS		0xff

#define V9_ETE_REQUESTS		16

/**
 * struct v9_res_request - one request
 * @type: enum v9_request_type
 * @on: index of an earlier request, or V9_ON_ALWAYS
 * @off: likewise
 * @mask: see enum v9_request_type
 * @value: see enum v9_request_type
 * @name: option that it is for, reported with a refusal
 */
struct v9_res_request {
	uint8_t type;
	uint8_t on;
	uint8_t off;
	uint8_t mask;
	uint32_t value;
	const char *name;
};

/* Registers of resources */
enum v9_ete_res_reg {
	V9_RES_RSCTLR,				/* TRCRSCTLR2 to TRCRSCTLR31 */
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

/* Maximum number of registers that a list of requests needs */
#define V9_ETE_RES_WRITES	48

/**
 * struct v9_ete_res - allocated resources
 * @n: number of registers to write
 * @reg: enum v9_ete_res_reg of each
 * @value: value of each
 * @view: TRCVICTLR.EVENT
 * @stamp: TRCTSCTLR.EVENT
 * @eventctl0: TRCEVENTCTL0R
 * @eventctl1: TRCEVENTCTL1R
 * @keep: registers that hardware changes are saved at stop, so that the session continues with
 *	these values
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
 * struct v9_shortage - why a list of requests is refused
 * @request: name of the request
 * @resource: enum v9_ete_resource of which there are too few, or V9_RESOURCE_NONE
 * @has: number of them that the unit has
 */
struct v9_shortage {
	const char *request;
	uint8_t resource;
	uint8_t has;
};

/**
 * v9_ete_res_counts_init - number of resources of a unit
 * @counts: result
 * @trcidr: TRCIDR0 and following
 */
void v9_ete_res_counts_init(struct v9_ete_res_counts *counts, const uint64_t *trcidr);

/**
 * v9_ete_plan_resources - allocate resources for a list of requests
 * @counts: number of resources of the unit
 * @request: list
 * @n: number of requests
 * @res: result; with an empty list everything is traced, and no event is used
 * @shortage: what is missing, after an error
 *
 * Return: 0; -EOPNOTSUPP if the unit does not have enough resources; -EINVAL for an invalid list.
 */
int v9_ete_plan_resources(const struct v9_ete_res_counts *counts,
			  const struct v9_res_request *request,
			  unsigned int n, struct v9_ete_res *res, struct v9_shortage *shortage);

/**
 * v9_ete_res_find - find a register
 * @res: resources
 * @reg: enum v9_ete_res_reg
 *
 * Return: its index, or -1.
 */
int v9_ete_res_find(const struct v9_ete_res *res, unsigned int reg);

/**
 * v9_shortage_text - describe the resource that is missing
 * @shortage: what is missing
 *
 * Return: a phrase that follows the name of the request.
 */
const char *v9_shortage_text(const struct v9_shortage *shortage);

/**
 * v9_ete_res_moves - check whether hardware changes a register
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
