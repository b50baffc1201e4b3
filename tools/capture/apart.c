// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "apart.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <v9trace/base.h>

#include "../util.h"
#include "session.h"

#define ID_INDEX_HEAD	16	/* header, u64 count */
#define ID_INDEX_ENTRY	32	/* u64 id, ring, CPU, thread */

/* A half while it is written */
struct half_out {
	const struct v9_apart *a;
	const struct pd_half *half;
	FILE *f;
	uint64_t pos;
	bool *other;		/* of each attribute: it is of the other unit */
	struct v9_blob index;	/* of AUX data: u64 offset, u64 record size */
};

static void put(struct half_out *o, const void *p, size_t n)
{
	if (n)
		fwrite(p, 1, n, o->f);
	o->pos += n;
}

void v9_apart_open(struct v9_apart *a, struct pd_file *f)
{
	struct v9_session s = { .status = 0 };
	struct pd_event e;

	*a = (struct v9_apart){ .f = f };
	pd_rewind(f);
	while (pd_next(f, &e) > 0) {
		struct v9_aux_unit *u;

		if (e.type != PD_REC_AUXTRACE_INFO || e.size < sizeof(struct pd_auxtrace_info))
			continue;
		v9_session_info(&s, &e);
		u = v9_vec_add(a->units, a->nr_units);
		u->unit = s.aux_types[s.nr_aux_types - 1];
		u->pmu = s.pmu_type[v9_kind_of_type(u->unit)];
	}
	v9_session_info_free(&s);
}

void v9_apart_close(struct v9_apart *a)
{
	free(a->units);
}

static bool has_unit(const struct v9_apart *a, uint32_t unit)
{
	for (size_t i = 0; i < a->nr_units; i++)
		if (a->units[i].unit == unit)
			return true;
	return false;
}

bool v9_apart_has_both(const struct v9_apart *a)
{
	return has_unit(a, PD_AUXTRACE_CS_ETM) && has_unit(a, PD_AUXTRACE_ARM_SPE);
}

static bool *events_of_other(const struct v9_apart *a, uint32_t unit)
{
	bool *other = v9_alloc((a->f->nr_attrs + 1) * sizeof(*other));

	for (size_t i = 0; i < a->f->nr_attrs; i++)
		for (size_t k = 0; k < a->nr_units; k++)
			other[i] |= a->units[k].unit != unit && a->units[k].pmu &&
				    a->units[k].pmu == a->f->attrs[i].attr.type;
	return other;
}

/* The number that AUX data has in the half, by that in the file. perf knows only 0: it is the only one. */
static uint32_t info_in_half(const struct v9_apart *a, uint32_t unit, uint32_t info)
{
	uint32_t n = 0, number = 0;

	for (uint32_t i = 0; i < a->nr_units; i++) {
		n += a->units[i].unit == unit;
		if (i + 1 == info)
			number = n;
	}
	return n > 1 ? number : 0;
}

/* ---- before the data */

static void put_events(struct half_out *o, struct pd_header *head)
{
	const struct pd_file *f = o->a->f;
	const uint64_t row = f->head.attr_size, attr = row - sizeof(struct pd_range);
	struct pd_range ids = { .offset = sizeof(*head) };

	put(o, head, sizeof(*head));
	for (size_t i = 0; i < f->nr_attrs; i++)
		if (!o->other[i])
			put(o, f->map + f->attrs[i].ids.offset, f->attrs[i].ids.size);
	head->attr_size = row;
	head->attrs.offset = o->pos;
	for (size_t i = 0; i < f->nr_attrs; i++) {
		if (o->other[i])
			continue;
		ids.size = f->attrs[i].ids.size;
		put(o, f->map + f->head.attrs.offset + i * row, attr);
		put(o, &ids, sizeof(ids));
		ids.offset += ids.size;
	}
	head->attrs.size = o->pos - head->attrs.offset;
	put(o, o->half, sizeof(*o->half));
	head->data.offset = o->pos;
}

/* ---- the data */

static void put_aux(struct half_out *o, const struct pd_event *e)
{
	struct pd_auxtrace aux;

	memcpy(&aux, e->p, sizeof(aux));
	if (!aux.info || aux.info > o->a->nr_units)
		aux.info = 1;
	if (o->a->units[aux.info - 1].unit != o->half->unit)
		return;
	aux.info = info_in_half(o->a, o->half->unit, aux.info);
	aux.header.size = sizeof(aux);
	aux.size = e->payload_size;
	v9_blob_u64(&o->index, o->pos);
	v9_blob_u64(&o->index, sizeof(aux));
	put(o, &aux, sizeof(aux));
	put(o, e->payload, e->payload_size);
}

/* perf refuses an index with ids of an event that the file does not have. */
static void put_id_index(struct half_out *o, const struct pd_event *e)
{
	struct v9_blob b = { 0 };
	struct pd_event_header h;
	uint64_t n, kept = 0;

	if (e->size < ID_INDEX_HEAD)
		return;
	n = v9_load_le64(e->p + sizeof(h));
	v9_blob_put(&b, e->p, ID_INDEX_HEAD);
	for (uint64_t i = 0; i < n && ID_INDEX_HEAD + (i + 1) * ID_INDEX_ENTRY <= e->size; i++) {
		const uint8_t *entry = e->p + ID_INDEX_HEAD + i * ID_INDEX_ENTRY;
		const struct pd_attr *attr = pd_attr_of(o->a->f, v9_load_le64(entry));

		if (attr && o->other[attr - o->a->f->attrs])
			continue;
		v9_blob_put(&b, entry, ID_INDEX_ENTRY);
		kept++;
	}
	if (kept) {
		memcpy(&h, b.data, sizeof(h));
		h.size = (uint16_t)b.len;
		memcpy(b.data, &h, sizeof(h));
		memcpy(b.data + sizeof(h), &kept, sizeof(kept));
		put(o, b.data, b.len);
	}
	v9_blob_free(&b);
}

static int put_data(struct half_out *o)
{
	struct pd_file *f = o->a->f;
	struct pd_event_header h;
	struct pd_event e;
	size_t infos = 0;
	int ret;

	pd_rewind(f);
	while ((ret = pd_next(f, &e)) > 0) {
		if (e.type == PD_REC_AUXTRACE) {
			put_aux(o, &e);
			continue;
		}
		if (e.type == PD_REC_ID_INDEX) {
			put_id_index(o, &e);
			continue;
		}
		if (e.type == PD_REC_AUXTRACE_INFO && e.size >= sizeof(struct pd_auxtrace_info) &&
		    o->a->units[infos++].unit != o->half->unit)
			continue;
		if (e.attr && o->other[e.attr - f->attrs])
			continue;
		/* .size may be less, without the sample id. */
		memcpy(&h, e.p, sizeof(h));
		put(o, e.p, h.size);
		put(o, e.payload, e.payload_size);
	}
	return !ret && f->missing ? -ENODATA : ret;
}

/* ---- the sections */

/* For each event an attribute, u32 number of ids, u32 length and text of the name, the ids */
static void event_desc(const struct half_out *o, struct v9_blob *b)
{
	const struct pd_range r = o->a->f->sections[PD_EVENT_DESC];
	const uint8_t *p = o->a->f->map + r.offset, *const end = p + r.size;
	uint32_t count, attr_size, kept = 0;

	if (r.size < 8)
		return;
	count = v9_load_le32(p);
	attr_size = v9_load_le32(p + 4);
	v9_blob_put(b, p, 8);
	p += 8;
	for (uint32_t i = 0; i < count && i < o->a->f->nr_attrs; i++) {
		const uint8_t *row = p;
		uint64_t ids, len;

		if ((uint64_t)(end - p) < (uint64_t)attr_size + 8)
			break;
		ids = v9_load_le32(p + attr_size);
		len = v9_load_le32(p + attr_size + 4);
		p += attr_size + 8;
		if ((uint64_t)(end - p) < len || (uint64_t)(end - p) - len < ids * 8)
			break;
		p += len + ids * 8;
		if (o->other[i])
			continue;
		v9_blob_put(b, row, (size_t)(p - row));
		kept++;
	}
	memcpy(b->data, &kept, sizeof(kept));
}

/* Content of a section in the half. *@own: not as it is in the file */
static struct pd_range section(struct half_out *o, unsigned int bit, struct v9_blob *own)
{
	if (bit == PD_EVENT_DESC)
		event_desc(o, own);
	else if (bit == PD_AUXTRACE && o->index.len) {
		v9_blob_u64(own, o->index.len / (2 * sizeof(uint64_t)));
		v9_blob_put(own, o->index.data, o->index.len);
	} else if (bit != PD_AUXTRACE && bit != PD_COMPRESSED) {
		return o->a->f->sections[bit];
	}
	return (struct pd_range){ .size = own->len };
}

static void put_sections(struct half_out *o, struct pd_header *head)
{
	struct v9_blob own[PD_FEATURE_BITS] = { { 0 } };
	struct pd_range from[PD_FEATURE_BITS], to;
	uint64_t at = o->pos;

	for (unsigned int bit = 0; bit < PD_FEATURE_BITS; bit++) {
		from[bit] = section(o, bit, &own[bit]);
		if (!from[bit].size && bit != PD_TWIN)
			continue;
		head->features[bit / 64] |= UINT64_C(1) << bit % 64;
		at += sizeof(struct pd_range);
	}
	for (unsigned int bit = 0; bit < PD_FEATURE_BITS; bit++) {
		to = (struct pd_range){ from[bit].size ? at : 0, from[bit].size };
		if (head->features[bit / 64] >> bit % 64 & 1)
			put(o, &to, sizeof(to));
		at += to.size;
	}
	for (unsigned int bit = 0; bit < PD_FEATURE_BITS; bit++) {
		put(o, own[bit].len ? own[bit].data : o->a->f->map + from[bit].offset, from[bit].size);
		v9_blob_free(&own[bit]);
	}
}

int v9_apart_write(const struct v9_apart *a, const struct pd_half *half, FILE *out)
{
	struct half_out o = { .a = a, .half = half, .f = out, .other = events_of_other(a, half->unit) };
	struct pd_header head = { .magic = PD_MAGIC, .size = sizeof(head) };
	int ret;

	put_events(&o, &head);
	ret = put_data(&o);
	head.data.size = o.pos - head.data.offset;
	put_sections(&o, &head);
	if (!fseek(out, 0, SEEK_SET))
		fwrite(&head, sizeof(head), 1, out);
	v9_blob_free(&o.index);
	free(o.other);
	return ret;
}
