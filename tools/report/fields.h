/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a line of script can show of a record: a row per field, for people and for programs. */
#ifndef V9TRACE_REPORT_FIELDS_H
#define V9TRACE_REPORT_FIELDS_H

#include <stdio.h>

#include "../decode/session.h"
#include "json.h"

/* What a line is made of. */
struct v9_line {
	struct v9_session *s;
	const struct v9_queue *q;
	const struct v9_spe_rec *r;
	const struct v9_sampled *at;
	struct v9_place pc, target;
};

struct v9_field {
	const char *name;
	bool usual;		/* printed unless --fields says otherwise */
	uint32_t has;		/* left out of a line that has none of these; 0: a column */
	void (*text)(FILE *f, const struct v9_line *l);
	void (*json)(struct v9_json *j, const struct v9_line *l);
};

extern const struct v9_field v9_fields[];
extern const size_t v9_nr_fields;

/* NULL if there is no field of that name, which is @n bytes long. */
const struct v9_field *v9_field_find(const char *name, size_t n);

/* "function+0x10 (object)" */
void v9_text_place(FILE *f, const struct v9_place *p);

/* The fields that a sample of another event has, too: command, tid, cpu, time. */
void v9_text_task(FILE *f, const struct v9_line *l);
void v9_json_task(struct v9_json *j, const struct v9_line *l);

#endif
