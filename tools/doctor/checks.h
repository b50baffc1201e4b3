/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From facts to causes: why a unit cannot be used, or only in part, and what to do. */
#ifndef V9TRACE_DOCTOR_CHECKS_H
#define V9TRACE_DOCTOR_CHECKS_H

#include "facts.h"

/* What a cause does */
enum v9_doc_effect {
	V9_DOC_BLOCKS,		/* the unit cannot be used */
	V9_DOC_HIDES,		/* it cannot be seen whether the unit can be used */
	V9_DOC_LIMITS,		/* it can, but not for everything */
};

enum v9_doc_status { V9_DOC_WORKS, V9_DOC_FAILS, V9_DOC_UNSEEN };

/**
 * struct v9_doc_cause - a cause that was found
 * @id: name for scripts
 * @effect: what it does
 * @why: one sentence
 * @todo: what to do about it
 * @in_use: the unit is in use, and the facts have who may have it
 */
struct v9_doc_cause {
	const char *id;
	enum v9_doc_effect effect;
	char *why, *todo;
	bool in_use;
};

#define V9_DOC_CAUSES	16

/**
 * struct v9_doc_result - result for a unit
 * @status: whether it works
 * @cause: causes, the decisive one first
 * @n: number of causes
 */
struct v9_doc_result {
	enum v9_doc_status status;
	struct v9_doc_cause cause[V9_DOC_CAUSES];
	unsigned int n;
};

/* Check a unit. v9_doc_result_free() frees the texts. */
void v9_doc_check(const struct v9_doc_facts *f, enum v9_doc_unit unit, struct v9_doc_result *r);
void v9_doc_result_free(struct v9_doc_result *r);

/* Names of units for people, and for scripts */
extern const char *const v9_doc_unit_name[V9_DOC_UNITS];
extern const char *const v9_doc_unit_id[V9_DOC_UNITS];

#endif
