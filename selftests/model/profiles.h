/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Known values of real cores' ID registers, each with its source. Values that are not known are
 * not in the table; the model then keeps its default.
 */
#ifndef V9_PROFILES_H
#define V9_PROFILES_H

#include "model.h"

enum v9_profile_field {
	V9_PROFILE_MIDR,	/* MIDR_EL1 */
	V9_PROFILE_PMSVER,	/* ID_AA64DFR0_EL1.PMSVer */
	V9_PROFILE_LDS,		/* PMSIDR_EL1.LDS */
	V9_PROFILE_TRACEVER,	/* ID_AA64DFR0_EL1.TraceVer; TraceFilt follows it */
	V9_PROFILE_TRACEBUFFER,	/* ID_AA64DFR0_EL1.TraceBuffer */
	V9_PROFILE_EL0,		/* ID_AA64PFR0_EL1.EL0: 1 without AArch32 state at EL0, 2 with it */
	V9_PROFILE_FIELDS
};

/**
 * struct v9_profile_fact - one known value
 * @source: document or repository, and the place in it; NULL if the value is not known
 * @value: value of the field
 * @least: the sources give only a minimum, which is @value
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

/* Returns profile number @i, or NULL after the last one. */
const struct v9_profile *v9_profile_at(unsigned int i);

/* Returns the profile of that name, or NULL if there is none. */
const struct v9_profile *v9_profile_find(const char *name);

/* Returns NULL if the value is not known. */
const struct v9_profile_fact *v9_profile_fact(const struct v9_profile *p,
					      enum v9_profile_field field);

/* Known values replace those in @c. MIDR_EL1 is not part of the model and is left to the caller. */
void v9_profile_apply(const struct v9_profile *p, struct v9_config *c);

#endif
