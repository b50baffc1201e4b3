/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The fields of a record that v9trace script can print, as text and as JSON. */
#ifndef V9TRACE_REPORT_FIELDS_H
#define V9TRACE_REPORT_FIELDS_H

#include "../capture/mark.h"
#include "../capture/place_cache.h"
#include "../capture/session.h"
#include "json.h"
#include "text_cache.h"

/* The input of a line. Of samples of other events only @s, @at and @cgroup are set. */
struct v9_line {
	struct v9_session *s;
	struct v9_place_cache *places, *targets;	/* of PCs, of targets, which are more */
	const struct v9_queue *q;
	const struct v9_spe_rec *r;
	const struct v9_sampled *at;
	const struct v9_spe_raw *raw;	/* packets without a meaning: the first V9_SPE_RAWS of .nr_raw */
	size_t nr_raw;
	bool cgroup;			/* v9_text_task() prints the control group, too */
};

#define V9_BRIEF_MOST	1024u	/* bytes */

/*
 * Write the text of a field, at most V9_BRIEF_MOST bytes, and return its end; or NULL if it is longer: then .text and
 * .json of the field write it. JSON: after another member
 */
struct v9_field_brief {
	char *(*text)(char *to, const struct v9_line *l);
	char *(*json)(char *to, const struct v9_line *l);
};

/* The values that determine the text of a field */
struct v9_field_key {
	/* Lines with equal keys have equal texts. One of both is set. The records have what the field needs (.has). */
	void (*of)(struct v9_text_key *k, const struct v9_line *l);	/* sets all of the key */
	uint64_t (*word)(const struct v9_line *l);	/* returns the first word of the key, the others are 0 */
	unsigned int order;	/* log2 of the number of texts worth keeping */
};

struct v9_field {
	const char *name;
	bool usual;		/* printed without --fields */
	uint32_t has;		/* V9_SPE_REC_*: it is omitted without these; 0: never */
	void (*text)(struct v9_put *p, const struct v9_line *l);
	void (*json)(struct v9_json *j, const struct v9_line *l);	/* after another member */
	const struct v9_field_key *key;		/* NULL: the texts are made for each line */
	const struct v9_field_brief *brief;	/* or NULL; with it there is no .key */
};

extern const struct v9_field v9_fields[];
extern const size_t v9_nr_fields;

static inline void v9_put_brief(struct v9_put *p, char *(*brief)(char *to, const struct v9_line *l),
				const struct v9_line *l)
{
	char *to = v9_put_room(p, V9_BRIEF_MOST);

	p->n += (size_t)(brief(to, l) - to);
}

/* Returns NULL if there is no field of that name. @n: length of @name in bytes. */
const struct v9_field *v9_field_find(const char *name, size_t n);

/* Returns the place of the PC; of a record without one a place that is not known. Valid until the next call. */
const struct v9_place *v9_line_place(const struct v9_line *l);

/* Writes "function+0x10 (object)". */
void v9_text_place(struct v9_put *p, const struct v9_place *place);

/* Write the fields that samples of other events have, too: command, tid, CPU, time, control group. */
void v9_text_task(struct v9_put *p, const struct v9_line *l);
void v9_json_task(struct v9_json *j, const struct v9_line *l);

/* Writes "mark: KIND TEXT", "mark: id NUMBER", or "mark: id [cut]". */
void v9_print_mark(struct v9_put *p, const struct v9_mark *m);

/* Adds the number of a mark, "id", or "cut", or its text. */
void v9_json_mark(struct v9_json *j, const struct v9_mark *m);

#endif
