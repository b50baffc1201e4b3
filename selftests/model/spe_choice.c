// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What the architecture leaves to a Profiling Unit: micro-operations as the population, operations of wrong
 * paths and of no instruction in it, the order of packets and padding in a record, IMPLEMENTATION DEFINED events.
 */
#include <v9trace/gen/spe_pkt.h>
#include <v9trace/spe.h>

#include "private.h"

/* Micro-operations */

static bool is_pair(uint32_t op)
{
	return (op & 0x3a000000) == 0x28000000;
}

/* Loads and stores of one or two registers that write the base register back (pre- and post-indexed) */
static bool updates_base(uint32_t op)
{
	return is_pair(op) ? op & 0x00800000 : (op & 0x3b200400) == 0x38000400;
}

unsigned int v9_spe_parts(const struct v9_model *m, uint32_t op)
{
	return m->cfg.spe_micro ? 1 + is_pair(op) + updates_base(op) : 1;
}

void v9_spe_part(struct v9_sampled_op *f, unsigned int part)
{
	const unsigned int accesses = 1 + is_pair(f->insn.op);

	if (part < accesses) {
		f->offset = part << f->class.size;
		return;
	}
	f->class = (struct v9_class){ .op = 0x48 };	/* the base register: SPE-FI5 */
}

/* Wrong paths */

bool v9_spe_is_wrong(struct v9_model *m)
{
	return v9_maybe(m, m->cfg.spe_wrong);
}

/*
 * The operation lies in the page of the next instruction and has no operand, so that its record shows nothing
 * that the level may not use (SPE-CD4).
 */
void v9_spe_wrong_path(struct v9_model *m, struct v9_sampled_op *f)
{
	static const struct v9_class classes[] = {
		{ .op = 0x48 },
		{ .op = 0x49, .flags = V9_OP_LD },
		{ .op = 0x4a, .opc = 1, .flags = V9_OP_BRANCH | V9_OP_COND },
	};

	f->insn.pc = (f->insn.pc & ~UINT64_C(0xfff)) | (v9_random(m) & 0xffc);
	f->class = classes[v9_random(m) % V9_ARRAY_SIZE(classes)];
	f->has = v9_random(m) & (V9_LOG_PC | V9_LOG_OP | V9_LOG_LAT | V9_LOG_CTX1 | V9_LOG_CTX2);
	f->place.state = V9_PLACE_NONE;
}

/* Micro-operations that belong to no instruction */

bool v9_spe_has_extra(struct v9_model *m)
{
	return v9_maybe(m, m->cfg.spe_extra);
}

/* It has no address, as no instruction does (SPE-SI18). */
void v9_spe_extra(struct v9_model *m, struct v9_sampled_op *f)
{
	f->class = (struct v9_class){ .op = 0x48 };
	f->has = v9_random(m) & (V9_LOG_OP | V9_LOG_LAT | V9_LOG_CTX1 | V9_LOG_CTX2);
	f->place.state = V9_PLACE_NONE;
}

/* Records */

uint64_t v9_spe_impdef_events(const struct v9_model *m)
{
	/* D18.2.6: SPEv1p4 has fewer of them. */
	return !m->cfg.spe_impdef ? 0 : m->cfg.spe_version >= 5 ? 0xf000 : 0xfc00f000;
}

static unsigned int put(struct v9_record *r, const struct v9_spe_pkt *p)
{
	int n = v9_spe_pkt_encode(r->bytes + r->len, sizeof(r->bytes) - r->len, r->len, p);

	return n > 0 ? n : 0;
}

/* SPE-PK7: the last one stays the last. */
static void shuffle(struct v9_model *m, struct v9_spe_packets *l)
{
	for (unsigned int i = l->n - 1; i > 1; i--) {
		const unsigned int k = v9_random(m) % i;
		const struct v9_spe_pkt p = l->p[k];

		l->p[k] = l->p[i - 1];
		l->p[i - 1] = p;
	}
}

void v9_spe_write(struct v9_model *m, struct v9_record *r, struct v9_spe_packets *l)
{
	unsigned int room = 1u << m->cfg.max_size, i;

	if (room > sizeof(r->bytes))
		room = sizeof(r->bytes);
	for (i = 0; i < l->n; i++)
		room -= put(r, &l->p[i]);
	if (m->cfg.spe_order)
		shuffle(m, l);
	for (i = 0; i < l->n; i++) {
		/* SPE-PK10: the record stays within its longest size */
		for (; m->cfg.spe_order && room && v9_maybe(m, 4); room--)
			r->len += put(r, &(struct v9_spe_pkt){ .kind = V9_SPE_PADDING });
		r->len += put(r, &l->p[i]);
	}
}
