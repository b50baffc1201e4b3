// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What the architecture leaves to a Profiling Unit: micro-operations as the population, operations of wrong
 * paths and of no instruction in it, which of several addresses a record has, the order of packets and padding in a
 * record, IMPLEMENTATION DEFINED events.
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

/* Quadwords of SVE vectors that a micro-operation computes, 0: all */
static unsigned int vector_of(const struct v9_model *m, uint32_t op, unsigned int vq)
{
	/* What accesses predicate registers alone is one micro-operation. */
	const bool predicates = (op & 0xfe000000) == 0x24000000 || (op & 0xdfc0e000) == 0x85800000;
	const unsigned int n = m->cfg.spe_micro ? m->cfg.spe_vector : 0;

	return (op & 0x1e000000) != 0x04000000 || predicates || n >= vq ? 0 : n;
}

unsigned int v9_spe_parts(const struct v9_model *m, uint32_t op, unsigned int vq)
{
	const unsigned int vector = vector_of(m, op, vq);

	if (!m->cfg.spe_micro)
		return 1;
	return vector ? (vq + vector - 1) / vector : 1u + is_pair(op) + updates_base(op);
}

/*
 * R_LQXZR: of SVE without predicates, LDR and STR of a vector have an Advanced SIMD operation of the same effect.
 * If a micro-operation has 128 bits, this unit records that one; operations of other types stay those of SVE.
 */
static void as_advanced_simd(struct v9_class *c)
{
	const uint32_t way = c->flags & (V9_OP_LD | V9_OP_ST);

	if (way && !(c->flags & (V9_OP_PRED | V9_OP_GATHER)))
		*c = (struct v9_class){
			.flags = way | V9_OP_SIMD | V9_OP_ASE, .op = 0x49, .opc = 4 | (c->opc & 1), .size = 4,
		};
}

/* Part @part of an SVE operation, @vector quadwords of it */
static void vector_part(struct v9_sampled_op *f, unsigned int part, unsigned int vector)
{
	const unsigned int left = f->vq - part * vector, n = left < vector ? left : vector;

	if (f->class.opc & 0x08)
		f->class.opc = v9_class_length(f->class.opc, n);
	f->offset = 16 * part * vector;
	if (f->class.flags & V9_OP_PRED) {
		f->first = 16 * part * vector >> f->class.step;
		f->count = 16 * n >> f->class.step;
		f->offset = f->first * f->class.unit;
	}
	if (n == 1)
		as_advanced_simd(&f->class);
}

void v9_spe_part(const struct v9_model *m, struct v9_sampled_op *f, unsigned int part)
{
	const unsigned int accesses = 1 + is_pair(f->insn.op), vector = vector_of(m, f->insn.op, f->vq);

	if (vector) {
		vector_part(f, part, vector);
	} else if (part < accesses) {
		f->offset = part << f->class.size;
	} else {
		f->class = (struct v9_class){ .op = 0x48 };	/* the base register: SPE-FI5 */
	}
}

/* Accesses of several addresses */

void v9_spe_copy(struct v9_model *m, struct v9_sampled_op *f)
{
	const uint64_t fcr = m->seen[V9_R_PMSFCR_EL1], types = fcr & (V9_PMSFCR_EL1_LD | V9_PMSFCR_EL1_ST);

	/* D17.6.4.3: what the filter selects, else any of the two */
	if ((fcr & V9_PMSFCR_EL1_FT) && types && types != (V9_PMSFCR_EL1_LD | V9_PMSFCR_EL1_ST))
		f->reads = types == V9_PMSFCR_EL1_LD;
	else
		f->reads = v9_random(m) & 1;
	f->class.opc = (f->class.opc & ~1) | !f->reads;
}

void v9_spe_reads(struct v9_model *m, uint64_t from)
{
	if (!m->fl.busy || m->fl.has_source)
		return;
	m->fl.source = from;
	m->fl.has_source = true;
}

void v9_spe_checked(struct v9_model *m, bool store)
{
	const bool other = (m->fl.class.flags & V9_OP_COPY) && store == m->fl.reads;

	m->fl.checked |= m->fl.busy && !other;
}

/* R_MYPFF: each element of the part has the same chance. */
void v9_spe_element(struct v9_model *m, uint64_t va, bool active)
{
	struct v9_sampled_op *f = &m->fl;
	const unsigned int n = f->told;

	if (!f->busy)
		return;
	f->told++;
	if (f->count && (n < f->first || n >= f->first + f->count))
		return;
	if (v9_random(m) % ++f->chosen)
		return;
	f->element = va;
	f->active = active;
}

static bool is_active(const struct v9_sampled_op *f, unsigned int element)
{
	const unsigned int bit = element << f->class.step;

	return f->insn.pred[bit / 64 & 3] >> (bit & 63) & 1;
}

/* Number of elements of the part */
static unsigned int elements_of(const struct v9_sampled_op *f)
{
	return f->count ? f->count : 16u * f->vq >> f->class.step;
}

/* Returns the number of the first Active element of the part, or the number of elements behind it. */
static unsigned int first_active(const struct v9_sampled_op *f)
{
	unsigned int i = f->first;

	while (i < f->first + elements_of(f) && !is_active(f, i))
		i++;
	return i;
}

/* R_NHSYR. @va: address of the lowest element of the instruction */
static struct v9_spe_access contiguous(const struct v9_model *m, const struct v9_sampled_op *f, uint64_t va, bool known)
{
	const unsigned int active = first_active(f);
	const bool any = active < f->first + elements_of(f), lowest = active == f->first;

	switch (m->cfg.spe_element) {
	case V9_ELEMENT_ACTIVE:
		return (struct v9_spe_access){ va + (uint64_t)active * f->class.unit, known && any, known && any };
	case V9_ELEMENT_LOWEST_IF_ACTIVE:
		return (struct v9_spe_access){ va + f->offset, known && lowest, known && lowest };
	default:
		return (struct v9_spe_access){ va + f->offset, known, known && lowest };
	}
}

struct v9_spe_access v9_spe_access_of(const struct v9_model *m, const struct v9_sampled_op *f, uint64_t va, bool known)
{
	const uint32_t flags = f->class.flags;

	if (f->reads)
		return (struct v9_spe_access){ f->source, f->has_source, f->has_source };
	if (flags & V9_OP_GATHER)
		return (struct v9_spe_access){ f->element, f->chosen && f->active, f->chosen && f->active };
	if ((flags & V9_OP_PRED) && f->class.unit)
		return contiguous(m, f, va, known);
	if ((flags & V9_OP_TAG) && m->cfg.spe_tags) {
		/* LDGM and STGM: bits 23 and 11:10 are 1, 00 */
		const bool block = (f->insn.op & 0x00800c00) == 0x00800000;

		va &= ~((UINT64_C(1) << (block ? m->cfg.spe_tags : 4)) - 1);
	}
	return (struct v9_spe_access){ va + f->offset, known, known };
}

uint64_t v9_spe_predicate_events(const struct v9_model *m, const struct v9_sampled_op *f)
{
	unsigned int active = 0;

	if (!m->cfg.spe_predicates || !(f->class.flags & V9_OP_PRED))
		return 0;
	for (unsigned int i = f->first; i < f->first + elements_of(f); i++)
		active += is_active(f, i);
	return (active < elements_of(f) ? V9_BIT(17) : 0) | (active ? 0 : V9_BIT(18));
}

/* A prefetch of SVE: its opcode is that of an access, and it is none */
static bool is_sve_prefetch(const struct v9_sampled_op *f)
{
	return (f->class.flags & V9_OP_SVE) && f->class.op == 0x48 && f->insn.op >> 31;
}

uint8_t v9_spe_payload(const struct v9_model *m, const struct v9_sampled_op *f)
{
	/* D17.6.6: it writes no vector, and so it is not predicated */
	if (m->cfg.spe_prefetch && m->cfg.spe_version >= 2 && f->vq && is_sve_prefetch(f))
		return v9_class_length(0x08, f->vq);
	if ((f->class.flags & V9_OP_SME) && m->cfg.spe_sme && m->cfg.spe_version >= 2 && f->vq)
		return v9_class_sme(&f->class, f->vq);
	return v9_class_detail(&f->class, m->cfg.eft, m->cfg.crr);
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

/* D24.7.11: an event of two bits, and what each of its values means is up to the unit: larger is slower */
#define GRADE	UINT64_C(0xc000)

bool v9_spe_events_pass(const struct v9_model *m, uint64_t ev, uint64_t want, bool inverse)
{
	const uint64_t grade = m->cfg.spe_impdef ? GRADE : 0, least = want & grade;

	/* The bits of its filter are a value, too: records of at least that grade, or of less than it */
	if (least && ((ev & grade) >= least) == inverse)
		return false;
	return inverse ? !(ev & want & ~grade) : !(~ev & want & ~grade);
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
