// SPDX-License-Identifier: GPL-2.0-only
/*
 * drivers/lib/ete_res.c: lists of resource requests and the register values for them, typed from
 * the manual; refusals with the resource that is short; each list of up to four requests on units
 * of each size: the result refers only to resources that exist, and has all that was requested.
 */
#include "tap.h"
#include "v9trace/ete_res.h"
#include "v9trace/gen/regs.h"

/* The model's large unit, and one without optional resources */
static const uint64_t large[9] = {
	0x28000ea1, 0x4100fff0, 0xd0001088, 0x01700004, 0x11170004, 0x280709ff,
};
static const uint64_t least[9] = { 0x280000a1, 0x4100fff0, 0x10001088, 0x00300004, 0, 0 };

#define ALWAYS	V9_ON_ALWAYS

static void counts(void)
{
	static const uint8_t want[V9_RESOURCES] = {
		[V9_RESOURCE_SELECTORS] = 14, [V9_RESOURCE_COUNTERS] = 2,
		[V9_RESOURCE_SEQUENCERS] = 1,
		[V9_RESOURCE_INPUTS] = 4, [V9_RESOURCE_SINGLE_SHOTS] = 1,
		[V9_RESOURCE_CONTEXTS] = 1,
		[V9_RESOURCE_VMIDS] = 1, [V9_RESOURCE_EVENTS] = 4, [V9_RESOURCE_VIEWS] = 2,
		[V9_RESOURCE_STAMPS] = 1,
	};
	struct v9_ete_res_counts p;

	v9_ete_res_counts_init(&p, large);
	tap_ok(!memcmp(p.has, want, sizeof(want)), "what_a_large_unit_has");
	v9_ete_res_counts_init(&p, least);
	tap_ok(!p.has[V9_RESOURCE_SELECTORS] && !p.has[V9_RESOURCE_EVENTS] &&
	       !p.has[V9_RESOURCE_COUNTERS] &&
	       p.has[V9_RESOURCE_VIEWS] == 2, "what_the_least_unit_has");
}

static const struct {
	const char *name;
	struct v9_res_request request[8];
	unsigned int n;
	unsigned int view, stamp;
	uint32_t eventctl0, eventctl1;
	struct {
		uint8_t reg;
		uint32_t value;
	} holds[14];
	unsigned int writes;
} rows[] = {
	{ "nothing", { { 0 } }, 0, 1, 0, 0, 0, { { 0 } }, 0 },
	{ "stamp_always", { { V9_REQUEST_STAMP, ALWAYS, 0, 0, 0, "" } }, 1, 1, 1, 0, 0, { { 0 } },
	 0 },
	/* shows: ETE-R_YLYPH */
	{ "stamp_each_64_cycles",
	  { { V9_REQUEST_COUNTER, ALWAYS, 0, 0, 64, "" }, { V9_REQUEST_STAMP, 0, 0, 0, 0, "" } }, 2,
	  1, 2, 0, 0,
	  { { V9_RES_CNTCTLR, 0x10001 }, { V9_RES_CNTRLDVR, 63 }, { V9_RES_CNTVR, 63 },
	    { V9_RES_RSCTLR, 0x20001 } }, 4 },
	{ "one_selector_for_two",
	  { { V9_REQUEST_INPUT, 0, 0, 0, 0x11, "" }, { V9_REQUEST_STAMP, 0, 0, 0, 0, "" },
	    { V9_REQUEST_VIEW, 0, 0, 0, 0, "" } }, 3, 2, 2, 0, 0,
	  { { V9_RES_EXTINSELR, 0x11 }, { V9_RES_RSCTLR, 1 } }, 2 },
	{ "four_inputs_four_events",
	  { { V9_REQUEST_INPUT, 0, 0, 0, 0x11, "" }, { V9_REQUEST_INPUT, 0, 0, 0, 8, "" },
	    { V9_REQUEST_EVENT, 0, 0, 1, 1, "" }, { V9_REQUEST_EVENT, 1, 0, 0, 0, "" },
	    { V9_REQUEST_EVENT, 1, 0, 1, 0, "" }, { V9_REQUEST_EVENT, 0, 0, 1, 0, "" } }, 6,
	  1, 0, 0x03030202, 0x7,
	  { { V9_RES_EXTINSELR, 0x11 }, { V9_RES_EXTINSELR + 1, 8 }, { V9_RES_RSCTLR, 1 },
	    { V9_RES_RSCTLR + 1, 2 } }, 4 },
	/* Two conditions: a pair of selectors. shows: ETE-R_KTNJM ETE-R_WZVDQ */
	{ "view_of_two",
	  { { V9_REQUEST_CONTEXT, 0, 0, 0, 7, "" }, { V9_REQUEST_VMID, 0, 0, 3, 8, "" },
	    { V9_REQUEST_STAMP, 0, 0, 0, 0, "" }, { V9_REQUEST_VIEW, 0, 0, 0, 0, "" },
	    { V9_REQUEST_VIEW, 1, 0, 0, 0, "" } }, 5, 0x82, 2, 0, 0,
	  { { V9_RES_CIDCVR, 7 }, { V9_RES_CIDCCTLR, 0 }, { V9_RES_VMIDCVR, 8 },
	    { V9_RES_VMIDCCTLR, 3 }, { V9_RES_RSCTLR, 0x60001 }, { V9_RES_RSCTLR + 2, 0x60001 },
	    { V9_RES_RSCTLR + 3, 0x70001 } }, 7 },
	{ "point_into_counter_into_trigger",
	  { { V9_REQUEST_POINT, 0, 0, 0, 0, "" }, { V9_REQUEST_COUNTER, 0, 0, 0, 0x10000, "" },
	    { V9_REQUEST_EVENT, 1, 0, 1, 1, "" } }, 3, 1, 0, 3, 1,
	  { { V9_RES_SSCCR, 0x1000000 }, { V9_RES_SSCSR, 0 }, { V9_RES_RSCTLR, 0x30001 },
	    { V9_RES_CNTCTLR, 0x10002 }, { V9_RES_CNTRLDVR, 0xffff }, { V9_RES_CNTVR, 0xffff },
	    { V9_RES_RSCTLR + 1, 0x20001 } }, 7 },
};

static void typed(void)
{
	struct v9_ete_res_counts p;
	struct v9_ete_res res;
	struct v9_shortage shortage;
	unsigned int i, k, bad;

	v9_ete_res_counts_init(&p, large);
	for (i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		bad = v9_ete_plan_resources(&p, rows[i].request, rows[i].n, &res, &shortage) != 0;
		bad += res.n != rows[i].writes || res.view != rows[i].view ||
		       res.stamp != rows[i].stamp || res.eventctl0 != rows[i].eventctl0 ||
		       res.eventctl1 != rows[i].eventctl1 || res.keep != !!rows[i].eventctl0;
		for (k = 0; k < rows[i].writes; k++) {
			int at = v9_ete_res_find(&res, rows[i].holds[k].reg);

			bad += at < 0 || res.value[at] != rows[i].holds[k].value;
		}
		tap_ok(!bad, "%s", rows[i].name);
	}
}

static const struct {
	const char *name;
	const uint64_t *idr;
	struct v9_res_request request[8];
	unsigned int n;
	int err;
	const char *who;
	unsigned int resource, has;
} refused[] = {
	{ "third_counter", large,
	  { { V9_REQUEST_COUNTER, ALWAYS, 0, 0, 9, "a" },
	   { V9_REQUEST_COUNTER, ALWAYS, 0, 0, 9, "b" },
	    { V9_REQUEST_COUNTER, ALWAYS, 0, 0, 9,
	     "c" } }, 3, -EOPNOTSUPP, "c", V9_RESOURCE_COUNTERS, 2 },
	{ "fifth_input", large,
	  { { V9_REQUEST_INPUT, 0, 0, 0, 1, "a" }, { V9_REQUEST_INPUT, 0, 0, 0, 2, "b" },
	    { V9_REQUEST_INPUT, 0, 0, 0, 3, "c" }, { V9_REQUEST_INPUT, 0, 0, 0, 4, "d" },
	    { V9_REQUEST_INPUT, 0, 0, 0, 5, "e" } }, 5, -EOPNOTSUPP, "e", V9_RESOURCE_INPUTS, 4 },
	{ "second_sequencer", large,
	  { { V9_REQUEST_INPUT, 0, 0, 0, 1, "a" }, { V9_REQUEST_BETWEEN, 0, 0, 0, 0, "b" },
	    { V9_REQUEST_BETWEEN, 0, 0, 0, 0,
	     "c" } }, 3, -EOPNOTSUPP, "c", V9_RESOURCE_SEQUENCERS, 1 },
	{ "second_single_shot", large,
	  { { V9_REQUEST_POINT, 0, 0, 0, 0, "a" }, { V9_REQUEST_POINT, 0, 0, 0, 0, "b" } }, 2,
	  -EOPNOTSUPP, "b", V9_RESOURCE_SINGLE_SHOTS, 1 },
	{ "second_context", large,
	  { { V9_REQUEST_CONTEXT, 0, 0, 0, 1, "a" }, { V9_REQUEST_CONTEXT, 0, 0, 0, 2, "b" } }, 2,
	  -EOPNOTSUPP, "b", V9_RESOURCE_CONTEXTS, 1 },
	{ "second_vmid", large,
	  { { V9_REQUEST_VMID, 0, 0, 0, 1, "a" }, { V9_REQUEST_VMID, 0, 0, 0, 2, "b" } }, 2,
	  -EOPNOTSUPP, "b", V9_RESOURCE_VMIDS, 1 },
	{ "third_condition", large,
	  { { V9_REQUEST_INPUT, 0, 0, 0, 1, "a" }, { V9_REQUEST_VIEW, 0, 0, 0, 0, "b" },
	    { V9_REQUEST_VIEW, 0, 0, 0, 0, "c" }, { V9_REQUEST_VIEW, 0, 0, 0, 0, "d" } }, 4,
	  -EOPNOTSUPP, "d", V9_RESOURCE_VIEWS, 2 },
	{ "second_stamp", large,
	  { { V9_REQUEST_STAMP, ALWAYS, 0, 0, 0, "a" },
	   { V9_REQUEST_STAMP, ALWAYS, 0, 0, 0, "b" } }, 2,
	  -EOPNOTSUPP, "b", V9_RESOURCE_STAMPS, 1 },
	{ "second_trigger", large,
	  { { V9_REQUEST_INPUT, 0, 0, 0, 1, "a" }, { V9_REQUEST_EVENT, 0, 0, 0, 1, "b" },
	    { V9_REQUEST_EVENT, 0, 0, 0, 1, "c" } }, 3, -EOPNOTSUPP, "c", V9_RESOURCE_EVENTS, 4 },
	{ "no_event_at_all", least, { { V9_REQUEST_EVENT, ALWAYS, 0, 0, 1, "a" } }, 1, -EOPNOTSUPP,
	  "a", V9_RESOURCE_EVENTS, 0 },
	{ "no_input_at_all", least, { { V9_REQUEST_INPUT, 0, 0, 0, 1, "a" } }, 1, -EOPNOTSUPP, "a",
	  V9_RESOURCE_INPUTS, 0 },
	{ "counter_of_nothing", large, { { V9_REQUEST_COUNTER, ALWAYS, 0, 0, 0, "a" } }, 1, -EINVAL,
	  "a", V9_RESOURCE_NONE, 0 },
	{ "counter_too_long", large, { { V9_REQUEST_COUNTER, ALWAYS, 0, 0, 0x10001, "a" } }, 1,
	  -EINVAL, "a", V9_RESOURCE_NONE, 0 },
	{ "after_a_later_one", large,
	  { { V9_REQUEST_STAMP, 1, 0, 0, 0, "a" },
	   { V9_REQUEST_INPUT, 0, 0, 0, 1, "b" } }, 2, -EINVAL,
	  "a", V9_RESOURCE_NONE, 0 },
	{ "after_one_that_follows", large,
	  { { V9_REQUEST_STAMP, ALWAYS, 0, 0, 0, "a" }, { V9_REQUEST_EVENT, 0, 0, 0, 0, "b" } }, 2,
	  -EINVAL, "b", V9_RESOURCE_NONE, 0 },
	{ "off_at_a_later_one", large,
	  { { V9_REQUEST_BETWEEN, ALWAYS, 1, 0, 0, "a" },
	   { V9_REQUEST_INPUT, 0, 0, 0, 1, "b" } }, 2,
	  -EINVAL, "a", V9_RESOURCE_NONE, 0 },
	{ "no_such_request", large, { { V9_REQUEST_TYPES, ALWAYS, 0, 0, 0, "a" } }, 1, -EINVAL, "a",
	  V9_RESOURCE_NONE, 0 },
};

static void refusals(void)
{
	struct v9_ete_res_counts p;
	struct v9_ete_res res;
	struct v9_shortage shortage;
	unsigned int i;
	int err;

	for (i = 0; i < V9_ARRAY_SIZE(refused); i++) {
		v9_ete_res_counts_init(&p, refused[i].idr);
		err = v9_ete_plan_resources(&p, refused[i].request, refused[i].n, &res, &shortage);
		tap_ok(err == refused[i].err && !strcmp(shortage.request, refused[i].who) &&
		       shortage.resource == refused[i].resource && shortage.has == refused[i].has &&
					    !res.n &&
		       *v9_shortage_text(&shortage), "%s", refused[i].name);
	}
	err = v9_ete_plan_resources(&p, refused[0].request, V9_ETE_REQUESTS + 1, &res, &shortage);
	tap_eq(err, -EINVAL, "list_too_long");
}

/* Returns true if all resources that an event field refers to exist. */
static bool refers(const struct v9_ete_res_counts *p, const struct v9_ete_res *res,
		   unsigned int field);

static bool selector(const struct v9_ete_res_counts *p, const struct v9_ete_res *res,
		     unsigned int n)
{
	static const struct {
		uint8_t resource, reg;
	} groups[8] = {
		[V9_TRCRSCTLRn_GROUP_EXTIN] = { V9_RESOURCE_INPUTS, V9_RES_EXTINSELR },
		[V9_TRCRSCTLRn_GROUP_SSCC] = { V9_RESOURCE_SINGLE_SHOTS, V9_RES_SSCCR },
		[V9_TRCRSCTLRn_GROUP_CID] = { V9_RESOURCE_CONTEXTS, V9_RES_CIDCVR },
		[V9_TRCRSCTLRn_GROUP_VMID] = { V9_RESOURCE_VMIDS, V9_RES_VMIDCVR },
	};
	unsigned int group, bit;
	uint32_t select;
	int at;

	if (n < 2)
		return true;
	at = v9_ete_res_find(res, V9_RES_RSCTLR + n - 2);
	if (at < 0 || n >= p->has[V9_RESOURCE_SELECTORS] + 2u)
		return false;
	group = V9_GET(V9_TRCRSCTLRn_GROUP, res->value[at]);
	select = V9_GET(V9_TRCRSCTLRn_SELECT, res->value[at]);
	if (group == V9_TRCRSCTLRn_GROUP_PE)
		return select && !(select >> p->has[V9_RESOURCE_PE_INPUTS]);
	if (!select || (select & (select - 1)))
		return false;
	bit = __builtin_ctz(select);
	if (group != V9_TRCRSCTLRn_GROUP_COUNTER_SEQUENCER)
		return groups[group].resource && bit < p->has[groups[group].resource] &&
		       v9_ete_res_find(res, groups[group].reg + bit) >= 0;
	if (bit >= 4) {
		at = v9_ete_res_find(res, V9_RES_SEQEVR);
		return at >= 0 && bit < 8 && v9_ete_res_find(res, V9_RES_SEQSTR) >= 0 &&
		       refers(p, res, res->value[at] & 0xff) &&
		       refers(p, res, res->value[at] >> 8 & 0xff);
	}
	at = v9_ete_res_find(res, V9_RES_CNTCTLR + bit);
	return at >= 0 && bit < p->has[V9_RESOURCE_COUNTERS] &&
	       v9_ete_res_find(res, V9_RES_CNTRLDVR + bit) >= 0 &&
	       v9_ete_res_find(res, V9_RES_CNTVR + bit) >= 0 &&
	       refers(p, res, res->value[at] & 0xff);
}

static bool refers(const struct v9_ete_res_counts *p, const struct v9_ete_res *res,
		   unsigned int field)
{
	unsigned int n = field & 0x1f;

	if (!(field & 0x80))
		return selector(p, res, n);
	n = (field & 0xf) * 2;
	return n >= 2 && selector(p, res, n) && selector(p, res, n + 1);
}

/* Number of requests of a type that were allocated */
static unsigned int count_of(const struct v9_res_request *request, unsigned int n, unsigned int type)
{
	unsigned int i, sum = 0;

	for (i = 0; i < n; i++)
		sum += request[i].type == type;
	return sum;
}

/* Checks a result: no resource used twice, none that does not exist, all requests present. */
static bool sound(const struct v9_ete_res_counts *p, const struct v9_res_request *request,
		  unsigned int n,
		  const struct v9_ete_res *res)
{
	unsigned int i, k, events = 0;
	bool good = refers(p, res, res->view) && refers(p, res, res->stamp);

	for (i = 0; i < res->n; i++)
		for (k = 0; k < i; k++)
			good &= res->reg[i] != res->reg[k];
	for (i = 0; i < 4; i++) {
		unsigned int field = res->eventctl0 >> 8 * i & 0xff;

		events += field != 0;
		good &= refers(p, res, field) && (!field || i < p->has[V9_RESOURCE_EVENTS]);
	}
	good &= events == count_of(request, n, V9_REQUEST_EVENT);
	good &= !res->stamp == !count_of(request, n, V9_REQUEST_STAMP);
	good &= (res->view == 1) == !count_of(request, n, V9_REQUEST_VIEW);
	good &= !(res->view & 0x80) == (count_of(request, n, V9_REQUEST_VIEW) < 2);
	return good;
}

static void sweep(void)
{
	enum { UNITS = 7, DEEP = 4 };
	unsigned long lists = 0, taken = 0, bad = 0;
	unsigned int unit, mix, i;

	for (unit = 0; unit < UNITS; unit++) {
		struct v9_ete_res_counts p = { .has = {
			[V9_RESOURCE_SELECTORS] = 2 * unit, [V9_RESOURCE_COUNTERS] = unit % 5,
			[V9_RESOURCE_SEQUENCERS] = unit & 1, [V9_RESOURCE_INPUTS] = unit % 5,
			[V9_RESOURCE_SINGLE_SHOTS] = unit > 2, [V9_RESOURCE_CONTEXTS] = unit > 1,
			[V9_RESOURCE_VMIDS] = unit > 3, [V9_RESOURCE_EVENTS] = unit % 5,
			[V9_RESOURCE_VIEWS] = 2, [V9_RESOURCE_STAMPS] = 1,
			[V9_RESOURCE_PE_INPUTS] = unit,
		} };

		for (mix = 0; mix < 1 << 4 * DEEP; mix++) {
			struct v9_res_request w[2 * DEEP];
			struct v9_ete_res res;
			struct v9_shortage shortage;
			unsigned int n = 0;
			int err;

			/* Each is a source, and in half of the cases one that follows it. */
			for (i = 0; i < DEEP; i++) {
				unsigned int what = mix >> 4 * i & 15, type = what % 8;

				if (type == V9_REQUEST_SOURCES)
					continue;
				w[n] = (struct v9_res_request){ .type = type, .value = 5,
							       .name = "" };
				w[n].on = w[n].off = ALWAYS;
				n++;
				if (what > 7) {
					w[n] = (struct v9_res_request){
						.type = V9_REQUEST_VIEW + (what + i) % 3,
						.on = n - 1, .name = "" };
					n++;
				}
			}
			lists++;
			err = v9_ete_plan_resources(&p, w, n, &res, &shortage);
			if (!err) {
				taken++;
				bad += !sound(&p, w, n, &res);
			} else {
				bad += err != -EOPNOTSUPP || shortage.resource >= V9_RESOURCES ||
				       res.n;
			}
		}
	}
	tap_note("%lu lists, %lu of them allocated", lists, taken);
	/* shows: ETE-R_QDJVV */
	tap_eq(bad, 0, "every_list_is_met_soundly_or_refused");
	tap_ok(taken > lists / 20 && taken < lists, "some_were_met_and_some_not");
}

int main(void)
{
	counts();
	typed();
	refusals();
	sweep();
	return tap_done();
}
