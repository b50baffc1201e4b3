// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Writes of the units to memory: translation, memory type, the queue of the delay modes, aborts.
 */
#include "private.h"

#define PAGE UINT64_C(4096)

/* TRBE-EA1, EA5, D17.8.4: returns true if the abort of a write is not reported to the unit. */
static bool unreported(struct v9_model *m, enum v9_unit unit)
{
	unsigned int ea = v9_units[unit]->buffer->ea(&m->cfg);

	if (ea == V9_SPE_EA_SERROR && m->bus.serror)
		m->bus.serror(m->ctx);
	return ea != V9_SPE_EA_REPORTED;
}
_Static_assert((int)V9_SPE_EA_REPORTED == (int)V9_TRBE_EA_REPORTED &&
	       (int)V9_SPE_EA_SERROR == (int)V9_TRBE_EA_SERROR, "one meaning");

bool v9_store_abort(struct v9_model *m, enum v9_unit unit)
{
	if (unreported(m, unit))
		return false;
	v9_units[unit]->buffer->abort(m);
	return true;
}

unsigned int v9_store_flush(struct v9_model *m)
{
	unsigned int i, n = m->store_n, reported = 0;
	bool bad[V9_UNITS] = { false };
	struct v9_fault f;

	m->store_n = 0;
	for (i = 0; i < n; i++) {
		struct v9_store *s = &m->stores[i];

		bad[s->unit] |= m->bus.store(m->ctx, s->g, &s->to, s->bytes, s->n, &f);
	}
	for (i = 0; i < V9_UNITS; i++)
		if (bad[i] && v9_store_abort(m, i))
			reported |= 1u << i;
	m->stores_synced = false;
	return reported;
}

void v9_store_disabled(struct v9_model *m, enum v9_unit unit)
{
	m->translation[unit].valid = false;
	m->mem_checked[unit] = false;
}

/*
 * D24.4.2, D24.7.1: the field holds a mantissa in pages. With a nonzero exponent, the mantissa
 * has a leading 1 and is shifted by the exponent minus one, so that the two forms join at 2 MiB.
 */
bool v9_store_too_large(const struct v9_model *m, uint64_t size)
{
	unsigned int e = m->cfg.buffer_limit >> 9;
	uint64_t pages = m->cfg.buffer_limit & 0x1ff;

	if (!m->cfg.buffer_limit)
		return false;
	if (e)
		pages = (pages | 0x200) << (e - 1);
	return size > pages * PAGE;
}

bool v9_store_translates(struct v9_model *m, enum v9_unit unit, const struct v9_regime *g,
			 uint64_t va, uint64_t block)
{
	struct v9_translation *k = &m->translation[unit], now = {
		.valid = true,
		.nvm = g->nvm,
		.at = block ? va & ~(block - 1) : 0,
		.size = block,
		.regime = v9_pe(m).regime,
	};

	if (k->valid && k->nvm == now.nvm && k->at == now.at && k->size == now.size &&
	    k->regime == now.regime)
		return false;
	*k = now;
	return true;
}

/* Returns true for a reserved type. Types that need FEAT_XS or FEAT_MTE2 are not reserved. */
static bool is_reserved(uint16_t mem)
{
	unsigned int attr = V9_GET(V9_PMBMAR_EL1_Attr, mem);

	if (V9_GET(V9_PMBMAR_EL1_SH, mem) == 1)
		return true;
	return v9_is_device(mem) ? attr & 2 :
	       !(attr & 15) && attr != 0x40 && attr != 0xa0 && attr != 0xf0;
}

static bool is_write_back(unsigned int attr)
{
	return attr == 0xf0 || ((attr & 0x44) == 0x44 && (attr & 0x30) && (attr & 0x03));
}

/* Checks the memory type, once each time that the buffer is enabled and when the type changes. */
static void check_memory(struct v9_model *m, enum v9_unit unit, const struct v9_regime *g,
			 uint16_t mem)
{
	const struct v9_unit_buffer *b = v9_units[unit]->buffer;
	const char *reg = g->nvm ? b->mar : NULL;

	if (m->mem_checked[unit] && m->mem[unit] == mem)
		return;
	m->mem[unit] = mem;
	m->mem_checked[unit] = true;
	if (g->nvm && is_reserved(g->mem))
		v9_violate(m, b->reserved, reg, g->mem,
			   "a reserved memory type for a buffer without translation");
	else if (v9_is_device(mem))
		v9_violate(m, b->device, reg, mem, "the buffer is Device memory");
	else if (g->nvm && (!is_write_back(mem & 0xff) || !V9_GET(V9_PMBMAR_EL1_SH, mem)))
		v9_violate(m, b->mismatched, reg, mem,
			   "a buffer without translation, and not as the PE has its memory");
}

int v9_store_piece(struct v9_model *m, enum v9_unit unit, struct v9_regime g, uint64_t va,
		   const uint8_t *p, unsigned int n, struct v9_fault *f)
{
	const struct v9_unit_buffer *b = v9_units[unit]->buffer;
	struct v9_mem_place to;

	memset(f, 0, sizeof(*f));
	if (m->fault_next[unit]) {
		f->stage = 1;
		f->fsc = m->fault_next[unit];
		m->fault_next[unit] = 0;
		return 1;
	}
	if (g.nvm && va >> m->cfg.oa_bits) {
		/* TRBE-AT6, SPE-PB12 */
		if (!m->mem_checked[unit])
			v9_violate(m, b->too_high, NULL, va,
				   "no table could hold this physical address");
		m->mem_checked[unit] = true;
		if (m->cfg.oa_ignore)
			va &= V9_BIT(m->cfg.oa_bits) - 1;
	}
	if (g.nvm && va >> m->cfg.pa_bits) {
		/* TRBE-AT5, SPE-PB11 */
		f->stage = 1;
		f->fsc = V9_PMBSR_EL1_FSC_ADDRESS_SIZE_L0;
		return 1;
	}
	if (b->translate(m, g, va, &to, f))
		return 1;
	check_memory(m, unit, &g, to.mem);
	if (v9_later(m) && n <= V9_REC_MAX) {
		struct v9_store *s;

		if (m->store_n == V9_STORES)
			v9_store_flush(m);
		s = &m->stores[m->store_n++];
		s->g = g;
		s->unit = unit;
		s->to = to;
		s->n = n;
		memcpy(s->bytes, p, n);
		return 0;
	}
	if (m->store_n)
		v9_store_flush(m);
	if (!m->bus.store(m->ctx, g, &to, p, n, f) || unreported(m, unit))
		return 0;
	f->external = true;
	f->fsc = V9_PMBSR_EL1_FSC_EXTERNAL_SYNC;
	if (!m->cfg.async_abort && !f->async)
		return 1;
	return -1;
}
