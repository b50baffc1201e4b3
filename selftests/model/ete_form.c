// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Packets for the same elements: no rule asks for the shortest one. An address may be in each packet whose
 * bits and whose entry of the address history buffer give it (ETE-R_BPRDC), a context may repeat identifiers
 * that have not changed, and a timestamp may have bits that are as in the one before (I_GYYNG).
 */
#include <v9trace/gen/ete_pkt.h>

#include "private.h"

#define FORMS	8	/* most packets for one element */
#define AHB	3	/* entries of the address history buffer */

struct forms {
	struct v9_ete_pkt p[FORMS];	/* shortest first */
	unsigned int n;
};

/* Names of the packets with an address, by how much of it they contain; 0: there is none */
struct family {
	uint8_t exact, near, l32, l64;
};

/* By instruction set: IS0, IS1 (R_RFXNDF) */
static const struct family targets[] = {
	{ V9_ETE_P_TARGET_ADDRESS_EXACT_MATCH, V9_ETE_P_TARGET_ADDRESS_SHORT_IS0,
	  V9_ETE_P_TARGET_ADDRESS_32_IS0, V9_ETE_P_TARGET_ADDRESS_64_IS0 },
	{ V9_ETE_P_TARGET_ADDRESS_EXACT_MATCH, V9_ETE_P_TARGET_ADDRESS_SHORT_IS1,
	  V9_ETE_P_TARGET_ADDRESS_32_IS1, V9_ETE_P_TARGET_ADDRESS_64_IS1 },
};

static const struct family targets_with_context[] = {
	{ 0, 0, V9_ETE_P_TARGET_ADDRESS_CONTEXT_32_IS0, V9_ETE_P_TARGET_ADDRESS_CONTEXT_64_IS0 },
	{ 0, 0, V9_ETE_P_TARGET_ADDRESS_CONTEXT_32_IS1, V9_ETE_P_TARGET_ADDRESS_CONTEXT_64_IS1 },
};

static const struct family sources[] = {
	{ V9_ETE_P_SOURCE_ADDRESS_EXACT_MATCH, V9_ETE_P_SOURCE_ADDRESS_SHORT_IS0,
	  V9_ETE_P_SOURCE_ADDRESS_32_IS0, V9_ETE_P_SOURCE_ADDRESS_64_IS0 },
	{ V9_ETE_P_SOURCE_ADDRESS_EXACT_MATCH, V9_ETE_P_SOURCE_ADDRESS_SHORT_IS1,
	  V9_ETE_P_SOURCE_ADDRESS_32_IS1, V9_ETE_P_SOURCE_ADDRESS_64_IS1 },
};

static const struct family qs[] = {
	{ V9_ETE_P_Q_EXACT_MATCH, V9_ETE_P_Q_SHORT_IS0, V9_ETE_P_Q_32_IS0, 0 },
	{ V9_ETE_P_Q_EXACT_MATCH, V9_ETE_P_Q_SHORT_IS1, V9_ETE_P_Q_32_IS1, 0 },
};

/* Adds @p if this packet can say what @p says. */
static void add(const struct v9_model *m, struct forms *f, const struct v9_ete_pkt *p)
{
	struct v9_ete_pktenc enc = m->ete.enc;
	uint8_t bytes[V9_ETE_PKT_MAX];

	if (v9_ete_pkt_encode(&enc, bytes, sizeof(bytes), p) > 0)
		f->p[f->n++] = *p;
}

static void add_name(const struct v9_model *m, struct forms *f, struct v9_ete_pkt p, uint8_t name,
		     unsigned int bits)
{
	if (p.kind == V9_ETE_EXCEPTION)
		p.inner = name;
	else
		p.name = name;
	p.raw_bits = bits;
	if (name)
		add(m, f, &p);
}

static void add_addresses(const struct v9_model *m, struct forms *f, struct v9_ete_pkt p)
{
	const struct family *names = p.kind == V9_ETE_Q ? qs : p.kind == V9_ETE_SOURCE ? sources :
				     p.has & V9_ETE_HAS_CTX ? targets_with_context : targets;

	if (!(p.has & V9_ETE_HAS_ADDR))
		return;
	names += p.isa;
	for (p.ahb = 0; p.ahb < AHB; p.ahb++)
		if (m->ete.enc.base.ahb[p.ahb].addr == p.addr && m->ete.enc.base.ahb[p.ahb].isa == p.isa)
			add_name(m, f, p, names->exact, 0);
	add_name(m, f, p, names->near, 0);
	add_name(m, f, p, names->near, 16);	/* with two bytes */
	add_name(m, f, p, names->l32, 0);
	add_name(m, f, p, names->l64, 0);
}

static void add_cycles(const struct v9_model *m, struct forms *f, const struct v9_ete_pkt *p)
{
	if (!(p->has & V9_ETE_HAS_COUNT))
		return;
	if (m->cfg.commopt) {
		add_name(m, f, *p, V9_ETE_P_CYCLE_COUNT_F3_1, 0);
		add_name(m, f, *p, V9_ETE_P_CYCLE_COUNT_F2_1, 0);
		add_name(m, f, *p, V9_ETE_P_CYCLE_COUNT_F1_1, 0);
	} else {
		add_name(m, f, *p, V9_ETE_P_CYCLE_COUNT_F3_0, 0);
		add_name(m, f, *p, V9_ETE_P_CYCLE_COUNT_F2_0_SMALL, 0);
		add_name(m, f, *p, V9_ETE_P_CYCLE_COUNT_F2_0_LARGE, 0);
		add_name(m, f, *p, V9_ETE_P_CYCLE_COUNT_F1_0, 0);
	}
}

static bool longest(const struct v9_model *m)
{
	return m->cfg.packets == V9_PACKETS_LONGEST;
}

/* A set of bits out of @all */
static unsigned int some(struct v9_model *m, unsigned int all)
{
	return longest(m) ? all : v9_random(m) & all;
}

void v9_form_choose(struct v9_model *m, struct v9_ete_pkt *p)
{
	struct forms f = { .n = 0 };

	if (m->cfg.packets == V9_PACKETS_SHORTEST || p->name)
		return;
	if (p->has & V9_ETE_HAS_CTX)
		p->has |= some(m, V9_ETE_HAS_CONTEXTID | V9_ETE_HAS_VMID);
	switch (p->kind) {
	case V9_ETE_ADDRESS:
	case V9_ETE_EXCEPTION:
	case V9_ETE_SOURCE:
	case V9_ETE_Q:
		add_addresses(m, &f, *p);
		break;
	case V9_ETE_CYCLES:
		add_cycles(m, &f, p);
		break;
	case V9_ETE_CONTEXT:
		add_name(m, &f, *p, V9_ETE_P_CONTEXT_SAME, 0);
		add_name(m, &f, *p, V9_ETE_P_CONTEXT, 0);
		break;
	case V9_ETE_TIMESTAMP:
		add_name(m, &f, *p, p->has & V9_ETE_HAS_COUNT ? V9_ETE_P_TIMESTAMP_COUNT :
								V9_ETE_P_TIMESTAMP, some(m, 127));
		break;
	case V9_ETE_INFO:
		p->plctl = some(m, 0xd);	/* fields that are 0 */
		break;
	}
	if (f.n)
		*p = f.p[longest(m) ? f.n - 1 : v9_random(m) % f.n];
}

bool v9_form_split(struct v9_model *m)
{
	return m->cfg.packets != V9_PACKETS_SHORTEST && (longest(m) || v9_random(m) % 4 == 0);
}
