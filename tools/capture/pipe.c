// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "pipe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <v9trace/base.h>

#define ATTR_AT		sizeof(struct pd_event_header)
#define ATTR_SIZE_AT	(ATTR_AT + 4)		/* perf_event_attr.size */
#define ATTR_SIZE_MIN	64			/* first version of struct perf_event_attr */
#define FEATURE_DATA	(sizeof(struct pd_event_header) + 8)

static int no_memory(struct pd_file *f)
{
	snprintf(f->err, sizeof(f->err), "needs more memory than there is");
	return -ENOMEM;
}

/* An attribute and its ids. Ids beyond the end of the record are ignored. */
static int take_attr(struct pd_file *f, const struct pd_event *e)
{
	const uint64_t size = e->size >= ATTR_AT + ATTR_SIZE_MIN ?
			      v9_load_le32(e->p + ATTR_SIZE_AT) : 0;
	struct pd_attr *attrs, *a;
	struct pd_id *ids;
	uint64_t n;

	if (size < ATTR_SIZE_MIN || size > e->size - ATTR_AT)
		return 0;
	n = (e->size - ATTR_AT - size) / 8;
	attrs = realloc(f->attrs, (f->nr_attrs + 1) * sizeof(*attrs));
	if (!attrs)
		return no_memory(f);
	f->attrs = attrs;
	ids = realloc(f->ids, (f->nr_ids + n + 1) * sizeof(*ids));
	if (!ids)
		return no_memory(f);
	f->ids = ids;
	a = &attrs[f->nr_attrs];
	memset(a, 0, sizeof(*a));
	memcpy(&a->attr, e->p + ATTR_AT, size < sizeof(a->attr) ? size : sizeof(a->attr));
	a->ids.offset = e->offset + ATTR_AT + size;
	a->ids.size = n * 8;
	for (uint64_t i = 0; i < n; i++)
		f->ids[f->nr_ids++] = (struct pd_id){
			.id = v9_load_le64(e->p + ATTR_AT + size + i * 8),
			.attr = (uint32_t)f->nr_attrs };
	f->nr_attrs++;
	return 0;
}

static void take_feature(struct pd_file *f, const struct pd_event *e)
{
	const uint64_t which = e->size >= FEATURE_DATA ?
			       v9_load_le64(e->p + sizeof(struct pd_event_header)) : UINT64_MAX;

	if (which < PD_FEATURE_BITS)
		f->sections[which] = (struct pd_range){ e->offset + FEATURE_DATA,
							e->size - FEATURE_DATA };
}

/* These records should precede the data they describe. All records are searched in any case. */
int pd_pipe_read(struct pd_file *f)
{
	static struct perf_event_attr none;
	struct pd_event e;
	int r = 0;

	f->head.size = PD_PIPE_HEADER_SIZE;
	f->head.data.offset = PD_PIPE_HEADER_SIZE;
	f->head.data.size = f->size - PD_PIPE_HEADER_SIZE;
	f->end = f->size;
	/* Records are parsed by the attributes; there is one empty one until they are known. */
	f->attrs = calloc(1, sizeof(*f->attrs));
	if (!f->attrs)
		return no_memory(f);
	f->attrs[0].attr = none;
	pd_rewind(f);
	while (!r && pd_next(f, &e) > 0) {
		if (e.offset & PD_UNPACKED)
			continue;
		if (e.type == PD_REC_HEADER_ATTR)
			r = take_attr(f, &e);
		else if (e.type == PD_REC_HEADER_FEATURE)
			take_feature(f, &e);
		else if (e.type == PD_REC_HEADER_TRACING_DATA)
			f->sections[PD_TRACING_DATA] = (struct pd_range){
				e.offset + e.size, e.payload_size };
	}
	if (!r && !f->nr_attrs) {
		snprintf(f->err, sizeof(f->err),
			 "was written to a pipe and says nothing of its events");
		r = -EBADMSG;
	}
	return r;
}
