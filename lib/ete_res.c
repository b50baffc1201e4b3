// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Which resource does what: wishes are met in their order, each by the first
 * resource of its kind that is free.
 */
#include "v9trace/ete_res.h"
#include "v9trace/gen/regs.h"

/* Selectors 0 and 1 are wired to FALSE and TRUE (ETE-R_QDJVV). */
#define SELECT_FALSE	0
#define SELECT_TRUE	1
#define FIRST_SELECTOR	2
#define NO_SELECTOR	0

/* An event field: one selector, or a pair: both of the two (ETE-R_KTNJM). */
#define PAIR(k)		(0x80 | (k))

/* More are never needed. */
#define SELECTORS_MAX	16

#define COUNTER_MAX	0x10000

/* What the second group of conditions is: sequencer states, behind the counters. */
#define STATE(n)	V9_BIT(4 + (n))

/**
 * struct plan - what is done so far
 * @pools: what there is
 * @used: of it
 * @wish: the list
 * @res: result
 * @group: of each wish that can be followed: where it is seen
 * @select: and which bit there
 * @selector: that looks at it, if one does
 * @taken: selectors in use, by bit
 * @view: what ViewInst follows
 */
struct plan {
	const struct v9_ete_pools *pools;
	uint8_t used[V9_POOLS];
	const struct v9_ete_wish *wish;
	struct v9_ete_res *res;
	uint8_t group[V9_ETE_WISHES];
	uint16_t select[V9_ETE_WISHES];
	uint8_t selector[V9_ETE_WISHES];
	uint32_t taken;
	uint8_t view[2];
};

static const char *const lacks[V9_POOLS + 1] = {
	[V9_POOL_SELECTORS] = "the unit has no resource selector left for it",
	[V9_POOL_COUNTERS] = "the unit has no counter left for it",
	[V9_POOL_SEQUENCERS] = "the unit has no sequencer, or it is in use",
	[V9_POOL_INPUTS] = "the unit has no external input left for it",
	[V9_POOL_PE_INPUTS] = "the unit has fewer PE comparator inputs",
	[V9_POOL_SINGLE_SHOTS] = "the unit has no single-shot control left for it",
	[V9_POOL_CONTEXTS] = "the unit has no context ID comparator left for it",
	[V9_POOL_VMIDS] = "the unit has no VMID comparator left for it",
	[V9_POOL_EVENTS] = "the unit has no event left for it",
	[V9_POOL_VIEWS] = "tracing can follow two conditions at most",
	[V9_POOL_STAMPS] = "time stamps can follow one event only",
	[V9_POOL_NONE] = "a wish without meaning",
};

const char *v9_ete_lack_text(const struct v9_ete_lack *lack)
{
	return lacks[lack->pool];
}

void v9_ete_pools_init(struct v9_ete_pools *pools, const uint64_t *trcidr)
{
	uint64_t pairs = V9_GET(V9_TRCIDR4_NUMRSPAIR, trcidr[4]);

	memset(pools, 0, sizeof(*pools));
	/* N stands for N + 1 pairs, of which the first is wired. */
	pools->has[V9_POOL_SELECTORS] = pairs > SELECTORS_MAX / 2 ? SELECTORS_MAX : 2 * pairs;
	pools->has[V9_POOL_COUNTERS] = V9_GET(V9_TRCIDR5_NUMCNTR, trcidr[5]);
	pools->has[V9_POOL_SEQUENCERS] = V9_GET(V9_TRCIDR5_NUMSEQSTATE, trcidr[5]) ? 1 : 0;
	pools->has[V9_POOL_INPUTS] = V9_GET(V9_TRCIDR5_NUMEXTINSEL, trcidr[5]);
	pools->has[V9_POOL_PE_INPUTS] = V9_GET(V9_TRCIDR4_NUMPC, trcidr[4]);
	pools->has[V9_POOL_SINGLE_SHOTS] = V9_GET(V9_TRCIDR4_NUMSSCC, trcidr[4]) ? 1 : 0;
	pools->has[V9_POOL_CONTEXTS] = V9_GET(V9_TRCIDR4_NUMCIDC, trcidr[4]) ? 1 : 0;
	pools->has[V9_POOL_VMIDS] = V9_GET(V9_TRCIDR4_NUMVMIDC, trcidr[4]) ? 1 : 0;
	/* The registers of events exist only beside selectors. */
	if (pairs)
		pools->has[V9_POOL_EVENTS] = V9_GET(V9_TRCIDR0_NUMEVENT, trcidr[0]) + 1;
	pools->has[V9_POOL_VIEWS] = 2;
	pools->has[V9_POOL_STAMPS] = 1;
}

/* The number of the next one of its kind. */
static int take(struct plan *p, enum v9_ete_pool pool, struct v9_ete_lack *lack)
{
	if (p->used[pool] < p->pools->has[pool])
		return p->used[pool]++;
	lack->pool = pool;
	lack->has = p->pools->has[pool];
	return -EOPNOTSUPP;
}

static void put(struct plan *p, unsigned int reg, uint32_t value)
{
	struct v9_ete_res *res = p->res;

	/* More than all kinds together need does not come about: see V9_ETE_RES_WRITES. */
	if (res->n == V9_ETE_RES_WRITES)
		return;
	res->reg[res->n] = reg;
	res->value[res->n++] = value;
}

static void put_selector(struct plan *p, unsigned int n, unsigned int wish)
{
	p->taken |= V9_BIT(n);
	put(p, V9_RES_RSCTLR + n - FIRST_SELECTOR,
	    V9_PUT(V9_TRCRSCTLRn_GROUP, p->group[wish]) |
	    V9_PUT(V9_TRCRSCTLRn_SELECT, p->select[wish]));
}

/* The event field that follows @on. */
static int follow(struct plan *p, unsigned int on, struct v9_ete_lack *lack)
{
	unsigned int n;
	int err;

	if (on == V9_ON_ALWAYS)
		return SELECT_TRUE;
	if (p->selector[on] != NO_SELECTOR)
		return p->selector[on];
	err = take(p, V9_POOL_SELECTORS, lack);
	if (err < 0)
		return err;
	for (n = FIRST_SELECTOR; p->taken >> n & 1; n++)
		;
	put_selector(p, n, on);
	p->selector[on] = n;
	return n;
}

/* Two conditions at once want an even selector and the next one. */
static int follow_both(struct plan *p, struct v9_ete_lack *lack)
{
	unsigned int n, last = p->pools->has[V9_POOL_SELECTORS] + FIRST_SELECTOR;

	for (n = FIRST_SELECTOR; n < last; n += 2) {
		if (p->taken >> n & 3)
			continue;
		p->used[V9_POOL_SELECTORS] += 2;
		put_selector(p, n, p->view[0]);
		put_selector(p, n + 1, p->view[1]);
		return PAIR(n / 2);
	}
	lack->pool = V9_POOL_SELECTORS;
	lack->has = p->pools->has[V9_POOL_SELECTORS];
	return -EOPNOTSUPP;
}

static void seen_at(struct plan *p, unsigned int i, unsigned int group, unsigned int select)
{
	p->group[i] = group;
	p->select[i] = select;
}

/* From N back to N are N + 1 times (ETE-R_VGJNL). */
static int counter(struct plan *p, unsigned int i, struct v9_ete_lack *lack)
{
	const struct v9_ete_wish *w = &p->wish[i];
	int n, on;

	if (!w->value || w->value > COUNTER_MAX)
		return -EINVAL;
	n = take(p, V9_POOL_COUNTERS, lack);
	if (n < 0)
		return n;
	on = follow(p, w->on, lack);
	if (on < 0)
		return on;
	put(p, V9_RES_CNTCTLR + n, V9_TRCCNTCTLRn_RLDSELF |
				   V9_PUT(V9_TRCCNTCTLRn_CNTEVENT_SEL, on) |
				   V9_PUT(V9_TRCCNTCTLRn_RLDEVENT_SEL, SELECT_FALSE));
	put(p, V9_RES_CNTRLDVR + n, w->value - 1);
	put(p, V9_RES_CNTVR + n, w->value - 1);
	seen_at(p, i, V9_TRCRSCTLRn_GROUP_COUNTER_SEQUENCER, V9_BIT(n));
	return 0;
}

/* Two of its four states: the steps to the others are never taken. */
static int between(struct plan *p, unsigned int i, struct v9_ete_lack *lack)
{
	const struct v9_ete_wish *w = &p->wish[i];
	int on, off, n = take(p, V9_POOL_SEQUENCERS, lack);

	if (n < 0)
		return n;
	on = follow(p, w->on, lack);
	off = on < 0 ? on : follow(p, w->off, lack);
	if (off < 0)
		return off;
	put(p, V9_RES_SEQEVR, V9_PUT(V9_TRCSEQEVRn_F_SEL, on) | V9_PUT(V9_TRCSEQEVRn_B_SEL, off));
	put(p, V9_RES_SEQEVR + 1, 0);
	put(p, V9_RES_SEQEVR + 2, 0);
	put(p, V9_RES_SEQRSTEVR, SELECT_FALSE);
	put(p, V9_RES_SEQSTR, 0);
	seen_at(p, i, V9_TRCRSCTLRn_GROUP_COUNTER_SEQUENCER, STATE(1));
	return 0;
}

static int input(struct plan *p, unsigned int i, struct v9_ete_lack *lack)
{
	int n;

	if (p->wish[i].value > 0xffff)
		return -EINVAL;
	n = take(p, V9_POOL_INPUTS, lack);
	if (n < 0)
		return n;
	put(p, V9_RES_EXTINSELR + n, p->wish[i].value);
	seen_at(p, i, V9_TRCRSCTLRn_GROUP_EXTIN, V9_BIT(n));
	return 0;
}

/* They are there for all to follow: none is taken. */
static int pe_input(struct plan *p, unsigned int i, struct v9_ete_lack *lack)
{
	uint32_t inputs = p->wish[i].value;

	if (!inputs)
		return -EINVAL;
	lack->pool = V9_POOL_PE_INPUTS;
	lack->has = p->pools->has[V9_POOL_PE_INPUTS];
	if (inputs >> lack->has)
		return -EOPNOTSUPP;
	seen_at(p, i, V9_TRCRSCTLRn_GROUP_PE, inputs);
	return 0;
}

/* ETE-R_DCCBY: a byte whose bit is set is not compared. */
static int thread(struct plan *p, unsigned int i, struct v9_ete_lack *lack)
{
	const struct v9_ete_wish *w = &p->wish[i];
	bool vmid = w->kind == V9_WISH_VMID;
	int n;

	if (w->mask > 0xf)
		return -EINVAL;
	n = take(p, vmid ? V9_POOL_VMIDS : V9_POOL_CONTEXTS, lack);
	if (n < 0)
		return n;
	put(p, vmid ? V9_RES_VMIDCVR : V9_RES_CIDCVR, w->value);
	put(p, vmid ? V9_RES_VMIDCCTLR : V9_RES_CIDCCTLR, w->mask);
	seen_at(p, i, vmid ? V9_TRCRSCTLRn_GROUP_VMID : V9_TRCRSCTLRn_GROUP_CID, V9_BIT(n));
	return 0;
}

/* It fires each time: who follows takes the first, or counts. Comparators come with filters. */
static int point(struct plan *p, unsigned int i, struct v9_ete_lack *lack)
{
	int n = take(p, V9_POOL_SINGLE_SHOTS, lack);

	if (n < 0)
		return n;
	put(p, V9_RES_SSCCR, V9_TRCSSCCRn_RST);
	put(p, V9_RES_SSCSR, 0);
	seen_at(p, i, V9_TRCRSCTLRn_GROUP_SSCC, V9_BIT(n));
	return 0;
}

static int view(struct plan *p, unsigned int i, struct v9_ete_lack *lack)
{
	int n;

	if (p->wish[i].on == V9_ON_ALWAYS)
		return -EINVAL;
	n = take(p, V9_POOL_VIEWS, lack);
	if (n < 0)
		return n;
	p->view[n] = p->wish[i].on;
	return 0;
}

static int stamp(struct plan *p, unsigned int i, struct v9_ete_lack *lack)
{
	int on, n = take(p, V9_POOL_STAMPS, lack);

	if (n < 0)
		return n;
	on = follow(p, p->wish[i].on, lack);
	if (on < 0)
		return on;
	p->res->stamp = on;
	return 0;
}

/* Number 0 is the one that the buffer listens to (TRBE-TR1); others leave it alone if they can. */
static int event(struct plan *p, unsigned int i, struct v9_ete_lack *lack)
{
	const struct v9_ete_wish *w = &p->wish[i];
	unsigned int nr = w->value ? 0 : p->pools->has[V9_POOL_EVENTS] - 1u;
	int on, n = take(p, V9_POOL_EVENTS, lack);

	if (n < 0)
		return n;
	while (nr && (p->res->eventctl0 >> 8 * nr & 0xff))
		nr--;
	if (p->res->eventctl0 >> 8 * nr & 0xff) {
		lack->pool = V9_POOL_EVENTS;
		lack->has = p->pools->has[V9_POOL_EVENTS];
		return -EOPNOTSUPP;
	}
	on = follow(p, w->on, lack);
	if (on < 0)
		return on;
	p->res->eventctl0 |= (uint32_t)on << 8 * nr;
	if (w->mask)
		p->res->eventctl1 |= V9_PUT(V9_TRCEVENTCTL1R_INSTEN, V9_BIT(nr));
	p->res->keep = true;
	return 0;
}

static int meet(struct plan *p, unsigned int i, struct v9_ete_lack *lack)
{
	switch (p->wish[i].kind) {
	case V9_WISH_COUNTER:
		return counter(p, i, lack);
	case V9_WISH_BETWEEN:
		return between(p, i, lack);
	case V9_WISH_INPUT:
		return input(p, i, lack);
	case V9_WISH_PE_INPUT:
		return pe_input(p, i, lack);
	case V9_WISH_CONTEXT:
	case V9_WISH_VMID:
		return thread(p, i, lack);
	case V9_WISH_POINT:
		return point(p, i, lack);
	case V9_WISH_VIEW:
		return view(p, i, lack);
	case V9_WISH_STAMP:
		return stamp(p, i, lack);
	case V9_WISH_EVENT:
		return event(p, i, lack);
	default:
		return -EINVAL;
	}
}

/* Something earlier that can be followed, or always. */
static bool is_source(const struct v9_ete_wish *wish, unsigned int i, unsigned int on)
{
	return on == V9_ON_ALWAYS || (on < i && wish[on].kind < V9_WISH_SOURCES);
}

static bool makes_sense(const struct v9_ete_wish *wish, unsigned int i)
{
	switch (wish[i].kind) {
	case V9_WISH_BETWEEN:
		return is_source(wish, i, wish[i].on) && is_source(wish, i, wish[i].off);
	case V9_WISH_COUNTER:
	case V9_WISH_VIEW:
	case V9_WISH_STAMP:
	case V9_WISH_EVENT:
		return is_source(wish, i, wish[i].on);
	default:
		return true;
	}
}

static int meet_all(struct plan *p, unsigned int n, struct v9_ete_lack *lack)
{
	unsigned int i;
	int err;

	for (i = 0; i < n; i++) {
		lack->wish = p->wish[i].name;
		err = makes_sense(p->wish, i) ? meet(p, i, lack) : -EINVAL;
		if (err)
			return err;
	}
	/* Now that their number is known. */
	switch (p->used[V9_POOL_VIEWS]) {
	case 0:
		err = SELECT_TRUE;
		break;
	case 1:
		err = follow(p, p->view[0], lack);
		break;
	default:
		err = follow_both(p, lack);
	}
	if (err < 0)
		return err;
	p->res->view = err;
	return 0;
}

int v9_ete_plan_resources(const struct v9_ete_pools *pools, const struct v9_ete_wish *wish,
			  unsigned int n, struct v9_ete_res *res, struct v9_ete_lack *lack)
{
	struct plan p = { .pools = pools, .wish = wish, .res = res };
	int err = -EINVAL;

	memset(res, 0, sizeof(*res));
	*lack = (struct v9_ete_lack){ .pool = V9_POOL_NONE };
	if (n <= V9_ETE_WISHES)
		err = meet_all(&p, n, lack);
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
