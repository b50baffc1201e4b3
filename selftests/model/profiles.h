/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What is known of real cores' ID registers, each value with its source. What is not known is not
 * in the table: the model's own choice stays.
 */
#ifndef V9_PROFILES_H
#define V9_PROFILES_H

#include "model.h"

enum v9_profile_field {
	V9_PROFILE_MIDR,	/* MIDR_EL1 */
	V9_PROFILE_PMSVER,	/* ID_AA64DFR0_EL1.PMSVer */
	V9_PROFILE_LDS,		/* PMSIDR_EL1.LDS */
	V9_PROFILE_TRACEVER,	/* ID_AA64DFR0_EL1.TraceVer; TraceFilt goes with it */
	V9_PROFILE_TRACEBUFFER,	/* ID_AA64DFR0_EL1.TraceBuffer */
	V9_PROFILE_FIELDS
};

/**
 * struct v9_profile_fact - one value
 * @source: document or repository, and the place in it; NULL: not known
 * @value: of the field
 * @least: the sources say that it is at least @value
 */
struct v9_profile_fact {
	const char *source;
	uint32_t value;
	bool least;
};

struct v9_profile {
	const char *name;
	struct v9_profile_fact fact[V9_PROFILE_FIELDS];
};

/* NULL behind the last one */
const struct v9_profile *v9_profile_at(unsigned int i);

/* NULL: there is none of that name */
const struct v9_profile *v9_profile_find(const char *name);

/* NULL: not known */
const struct v9_profile_fact *v9_profile_fact(const struct v9_profile *p,
					      enum v9_profile_field field);

/* What is known replaces what @c has. MIDR_EL1 is not the model's. */
void v9_profile_apply(const struct v9_profile *p, struct v9_config *c);

#endif
