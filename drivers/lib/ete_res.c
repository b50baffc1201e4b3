// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Allocation of resources. Requests are processed in order; each gets the first free resource of
 * its type.
 */
#include "v9trace/ete_res.h"
#include "v9trace/gen/regs.h"

/* Selectors 0 and 1 are always FALSE and TRUE (ETE-R_QDJVV). */
#define SELECT_FALSE	0
#define SELECT_TRUE	1
#define FIRST_SELECTOR	2
#define NO_SELECTOR	0

/* An event field selects one selector, or a pair, which is active if both are (ETE-R_KTNJM). */
#define PAIR(k)		(0x80 | (k))

/* A list of requests never needs more. */
#define SELECTORS_MAX	16

#define COUNTER_MAX	0x10000

/* In the resource group of counters the sequencer states follow the counters. */
#define STATE(n)	V9_BIT(4 + (n))

/**
 * struct plan - state of an allocation
 * @counts: number of resources of the unit
 * @used: number of resources that are allocated
 * @request: list of requests
 * @res: result
 * @group: resource group of each source, by request
 * @select: bit of each source in its group, by request
 * @selector: selector that is connected to each source, or 0, by request
 * @taken: selectors in use, by bit
 * @view: sources of ViewInst
 */
struct plan {
	const struct v9_ete_res_counts *counts;
	uint8_t used[V9_RESOURCES];
	const struct v9_res_request *request;
	struct v9_ete_res *res;
	uint8_t group[V9_ETE_REQUESTS];
	uint16_t select[V9_ETE_REQUESTS];
	uint8_t selector[V9_ETE_REQUESTS];
	uint32_t taken;
	uint8_t view[2];
};

static const char *const shortage_text[V9_RESOURCES + 1] = {
	[V9_RESOURCE_SELECTORS] = "the unit has no resource selector left for it",
	[V9_RESOURCE_COUNTERS] = "the unit has no counter left for it",
	[V9_RESOURCE_SEQUENCERS] = "the unit has no sequencer, or it is in use",
	[V9_RESOURCE_INPUTS] = "the unit has no external input left for it",
	[V9_RESOURCE_PE_INPUTS] = "the unit has fewer PE comparator inputs",
	[V9_RESOURCE_SINGLE_SHOTS] = "the unit has no single-shot control left for it",
	[V9_RESOURCE_CONTEXTS] = "the unit has no context ID comparator left for it",
	[V9_RESOURCE_VMIDS] = "the unit has no VMID comparator left for it",
	[V9_RESOURCE_EVENTS] = "the unit has no event left for it",
	[V9_RESOURCE_VIEWS] = "tracing can follow two conditions at most",
	[V9_RESOURCE_STAMPS] = "time stamps can follow one event only",
	[V9_RESOURCE_NONE] = "a request without a meaning",
};

const char *v9_shortage_text(const struct v9_shortage *shortage)
{
	return shortage_text[shortage->resource];
}

void v9_ete_res_counts_init(struct v9_ete_res_counts *counts, const uint64_t *trcidr)
{
	uint64_t pairs = V9_GET(V9_TRCIDR4_NUMRSPAIR, trcidr[4]);

	memset(counts, 0, sizeof(*counts));
	/* N means N + 1 pairs, of which the first is fixed. */
	counts->has[V9_RESOURCE_SELECTORS] = pairs > SELECTORS_MAX / 2 ? SELECTORS_MAX : 2 * pairs;
	counts->has[V9_RESOURCE_COUNTERS] = V9_GET(V9_TRCIDR5_NUMCNTR, trcidr[5]);
	counts->has[V9_RESOURCE_SEQUENCERS] = V9_GET(V9_TRCIDR5_NUMSEQSTATE, trcidr[5]) ? 1 : 0;
	counts->has[V9_RESOURCE_INPUTS] = V9_GET(V9_TRCIDR5_NUMEXTINSEL, trcidr[5]);
	counts->has[V9_RESOURCE_PE_INPUTS] = V9_GET(V9_TRCIDR4_NUMPC, trcidr[4]);
	counts->has[V9_RESOURCE_SINGLE_SHOTS] = V9_GET(V9_TRCIDR4_NUMSSCC, trcidr[4]) ? 1 : 0;
	counts->has[V9_RESOURCE_CONTEXTS] = V9_GET(V9_TRCIDR4_NUMCIDC, trcidr[4]) ? 1 : 0;
	counts->has[V9_RESOURCE_VMIDS] = V9_GET(V9_TRCIDR4_NUMVMIDC, trcidr[4]) ? 1 : 0;
	/* The event registers exist only if there are selectors. */
	if (pairs)
		counts->has[V9_RESOURCE_EVENTS] = V9_GET(V9_TRCIDR0_NUMEVENT, trcidr[0]) + 1;
	counts->has[V9_RESOURCE_VIEWS] = 2;
	counts->has[V9_RESOURCE_STAMPS] = 1;
}

/* Allocate a resource; returns its number. */
static int take(struct plan *p, enum v9_ete_resource resource, struct v9_shortage *shortage)
{
	if (p->used[resource] < p->counts->has[resource])
		return p->used[resource]++;
	shortage->resource = resource;
	shortage->has = p->counts->has[resource];
	return -EOPNOTSUPP;
}

static void put(struct plan *p, unsigned int reg, uint32_t value)
{
	struct v9_ete_res *res = p->res;

	/* V9_ETE_RES_WRITES is enough for all resources together. */
	if (res->n == V9_ETE_RES_WRITES)
		return;
	res->reg[res->n] = reg;
	res->value[res->n++] = value;
}

static void put_selector(struct plan *p, unsigned int n, unsigned int request)
{
	p->taken |= V9_BIT(n);
	put(p, V9_RES_RSCTLR + n - FIRST_SELECTOR,
	    V9_PUT(V9_TRCRSCTLRn_GROUP, p->group[request]) |
	    V9_PUT(V9_TRCRSCTLRn_SELECT, p->select[request]));
}

/* Returns the event field that selects source @on. Allocates a selector if it has none. */
static int follow(struct plan *p, unsigned int on, struct v9_shortage *shortage)
{
	unsigned int n;
	int err;

	if (on == V9_ON_ALWAYS)
		return SELECT_TRUE;
	if (p->selector[on] != NO_SELECTOR)
		return p->selector[on];
	err = take(p, V9_RESOURCE_SELECTORS, shortage);
	if (err < 0)
		return err;
	for (n = FIRST_SELECTOR; p->taken >> n & 1; n++)
		;
	put_selector(p, n, on);
	p->selector[on] = n;
	return n;
}

/* Two sources that must both be active need an even selector and the next one. */
static int follow_both(struct plan *p, struct v9_shortage *shortage)
{
	unsigned int n, last = p->counts->has[V9_RESOURCE_SELECTORS] + FIRST_SELECTOR;

	for (n = FIRST_SELECTOR; n < last; n += 2) {
		if (p->taken >> n & 3)
			continue;
		p->used[V9_RESOURCE_SELECTORS] += 2;
		put_selector(p, n, p->view[0]);
		put_selector(p, n + 1, p->view[1]);
		return PAIR(n / 2);
	}
	shortage->resource = V9_RESOURCE_SELECTORS;
	shortage->has = p->counts->has[V9_RESOURCE_SELECTORS];
	return -EOPNOTSUPP;
}

static void select_group(struct plan *p, unsigned int i, unsigned int group, unsigned int select)
{
	p->group[i] = group;
	p->select[i] = select;
}

/* A counter that is reloaded with N counts N + 1 times from N to N (ETE-R_VGJNL). */
static int counter(struct plan *p, unsigned int i, struct v9_shortage *shortage)
{
	const struct v9_res_request *w = &p->request[i];
	int n, on;

	if (!w->value || w->value > COUNTER_MAX)
		return -EINVAL;
	n = take(p, V9_RESOURCE_COUNTERS, shortage);
	if (n < 0)
		return n;
	on = follow(p, w->on, shortage);
	if (on < 0)
		return on;
	put(p, V9_RES_CNTCTLR + n, V9_TRCCNTCTLRn_RLDSELF |
				   V9_PUT(V9_TRCCNTCTLRn_CNTEVENT_SEL, on) |
				   V9_PUT(V9_TRCCNTCTLRn_RLDEVENT_SEL, SELECT_FALSE));
	put(p, V9_RES_CNTRLDVR + n, w->value - 1);
	put(p, V9_RES_CNTVR + n, w->value - 1);
	select_group(p, i, V9_TRCRSCTLRn_GROUP_COUNTER_SEQUENCER, V9_BIT(n));
	return 0;
}

/* Two of the four states of the sequencer are used; no event causes a transition to the others. */
static int between(struct plan *p, unsigned int i, struct v9_shortage *shortage)
{
	const struct v9_res_request *w = &p->request[i];
	int on, off, n = take(p, V9_RESOURCE_SEQUENCERS, shortage);

	if (n < 0)
		return n;
	on = follow(p, w->on, shortage);
	off = on < 0 ? on : follow(p, w->off, shortage);
	if (off < 0)
		return off;
	put(p, V9_RES_SEQEVR, V9_PUT(V9_TRCSEQEVRn_F_SEL, on) | V9_PUT(V9_TRCSEQEVRn_B_SEL, off));
	put(p, V9_RES_SEQEVR + 1, 0);
	put(p, V9_RES_SEQEVR + 2, 0);
	put(p, V9_RES_SEQRSTEVR, SELECT_FALSE);
	put(p, V9_RES_SEQSTR, 0);
	select_group(p, i, V9_TRCRSCTLRn_GROUP_COUNTER_SEQUENCER, STATE(1));
	return 0;
}

static int input(struct plan *p, unsigned int i, struct v9_shortage *shortage)
{
	int n;

	if (p->request[i].value > 0xffff)
		return -EINVAL;
	n = take(p, V9_RESOURCE_INPUTS, shortage);
	if (n < 0)
		return n;
	put(p, V9_RES_EXTINSELR + n, p->request[i].value);
	select_group(p, i, V9_TRCRSCTLRn_GROUP_EXTIN, V9_BIT(n));
	return 0;
}

/* Inputs can be selected any number of times, so they are not allocated. */
static int pe_input(struct plan *p, unsigned int i, struct v9_shortage *shortage)
{
	uint32_t inputs = p->request[i].value;

	if (!inputs)
		return -EINVAL;
	shortage->resource = V9_RESOURCE_PE_INPUTS;
	shortage->has = p->counts->has[V9_RESOURCE_PE_INPUTS];
	if (inputs >> shortage->has)
		return -EOPNOTSUPP;
	select_group(p, i, V9_TRCRSCTLRn_GROUP_PE, inputs);
	return 0;
}

/* A byte is not compared if its bit is set (ETE-R_DCCBY). */
static int thread(struct plan *p, unsigned int i, struct v9_shortage *shortage)
{
	const struct v9_res_request *w = &p->request[i];
	bool vmid = w->type == V9_REQUEST_VMID;
	int n;

	if (w->mask > 0xf)
		return -EINVAL;
	n = take(p, vmid ? V9_RESOURCE_VMIDS : V9_RESOURCE_CONTEXTS, shortage);
	if (n < 0)
		return n;
	put(p, vmid ? V9_RES_VMIDCVR : V9_RES_CIDCVR, w->value);
	put(p, vmid ? V9_RES_VMIDCCTLR : V9_RES_CIDCCTLR, w->mask);
	select_group(p, i, vmid ? V9_TRCRSCTLRn_GROUP_VMID : V9_TRCRSCTLRn_GROUP_CID, V9_BIT(n));
	return 0;
}

/*
 * With RST the control is active at each match, not only the first. filter_ete.c sets the
 * comparators.
 */
static int point(struct plan *p, unsigned int i, struct v9_shortage *shortage)
{
	int n = take(p, V9_RESOURCE_SINGLE_SHOTS, shortage);

	if (n < 0)
		return n;
	put(p, V9_RES_SSCCR, V9_TRCSSCCRn_RST);
	put(p, V9_RES_SSCSR, 0);
	select_group(p, i, V9_TRCRSCTLRn_GROUP_SSCC, V9_BIT(n));
	return 0;
}

static int view(struct plan *p, unsigned int i, struct v9_shortage *shortage)
{
	int n;

	if (p->request[i].on == V9_ON_ALWAYS)
		return -EINVAL;
	n = take(p, V9_RESOURCE_VIEWS, shortage);
	if (n < 0)
		return n;
	p->view[n] = p->request[i].on;
	return 0;
}

static int stamp(struct plan *p, unsigned int i, struct v9_shortage *shortage)
{
	int on, n = take(p, V9_RESOURCE_STAMPS, shortage);

	if (n < 0)
		return n;
	on = follow(p, p->request[i].on, shortage);
	if (on < 0)
		return on;
	p->res->stamp = on;
	return 0;
}

/*
 * ETEEvent 0 triggers the buffer (TRBE-TR1); other requests get it only if no other event is free.
 */
static int event(struct plan *p, unsigned int i, struct v9_shortage *shortage)
{
	const struct v9_res_request *w = &p->request[i];
	unsigned int nr = w->value ? 0 : p->counts->has[V9_RESOURCE_EVENTS] - 1u;
	int on, n = take(p, V9_RESOURCE_EVENTS, shortage);

	if (n < 0)
		return n;
	while (nr && (p->res->eventctl0 >> 8 * nr & 0xff))
		nr--;
	if (p->res->eventctl0 >> 8 * nr & 0xff) {
		shortage->resource = V9_RESOURCE_EVENTS;
		shortage->has = p->counts->has[V9_RESOURCE_EVENTS];
		return -EOPNOTSUPP;
	}
	on = follow(p, w->on, shortage);
	if (on < 0)
		return on;
	p->res->eventctl0 |= (uint32_t)on << 8 * nr;
	if (w->mask)
		p->res->eventctl1 |= V9_PUT(V9_TRCEVENTCTL1R_INSTEN, V9_BIT(nr));
	p->res->keep = true;
	return 0;
}

static int allocate(struct plan *p, unsigned int i, struct v9_shortage *shortage)
{
	switch (p->request[i].type) {
	case V9_REQUEST_COUNTER:
		return counter(p, i, shortage);
	case V9_REQUEST_BETWEEN:
		return between(p, i, shortage);
	case V9_REQUEST_INPUT:
		return input(p, i, shortage);
	case V9_REQUEST_PE_INPUT:
		return pe_input(p, i, shortage);
	case V9_REQUEST_CONTEXT:
	case V9_REQUEST_VMID:
		return thread(p, i, shortage);
	case V9_REQUEST_POINT:
		return point(p, i, shortage);
	case V9_REQUEST_VIEW:
		return view(p, i, shortage);
	case V9_REQUEST_STAMP:
		return stamp(p, i, shortage);
	case V9_REQUEST_EVENT:
		return event(p, i, shortage);
	default:
		return -EINVAL;
	}
}

/* Returns true if @on is an earlier source or V9_ON_ALWAYS. */
static bool is_source(const struct v9_res_request *request, unsigned int i, unsigned int on)
{
	return on == V9_ON_ALWAYS || (on < i && request[on].type < V9_REQUEST_SOURCES);
}

static bool makes_sense(const struct v9_res_request *request, unsigned int i)
{
	switch (request[i].type) {
	case V9_REQUEST_BETWEEN:
		return is_source(request, i, request[i].on) &&
		       is_source(request, i, request[i].off);
	case V9_REQUEST_COUNTER:
	case V9_REQUEST_VIEW:
	case V9_REQUEST_STAMP:
	case V9_REQUEST_EVENT:
		return is_source(request, i, request[i].on);
	default:
		return true;
	}
}

static int allocate_all(struct plan *p, unsigned int n, struct v9_shortage *shortage)
{
	unsigned int i;
	int err;

	for (i = 0; i < n; i++) {
		shortage->request = p->request[i].name;
		err = makes_sense(p->request, i) ? allocate(p, i, shortage) : -EINVAL;
		if (err)
			return err;
	}
	/* Now the number of sources of ViewInst is known. */
	switch (p->used[V9_RESOURCE_VIEWS]) {
	case 0:
		err = SELECT_TRUE;
		break;
	case 1:
		err = follow(p, p->view[0], shortage);
		break;
	default:
		err = follow_both(p, shortage);
	}
	if (err < 0)
		return err;
	p->res->view = err;
	return 0;
}

int v9_ete_plan_resources(const struct v9_ete_res_counts *counts,
			  const struct v9_res_request *request,
			  unsigned int n, struct v9_ete_res *res, struct v9_shortage *shortage)
{
	struct plan p = { .counts = counts, .request = request, .res = res };
	int err = -EINVAL;

	memset(res, 0, sizeof(*res));
	*shortage = (struct v9_shortage){ .resource = V9_RESOURCE_NONE };
	if (n <= V9_ETE_REQUESTS)
		err = allocate_all(&p, n, shortage);
	if (err)
		memset(res, 0, sizeof(*res));
	return err;
}

int v9_ete_res_find(const struct v9_ete_res *res, unsigned int reg)
{
	unsigned int i;

	for (i = 0; i < res->n; i++)
		if (res->reg[i] == reg)
			return i;
	return -1;
}
