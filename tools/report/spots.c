// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "spots.h"

#include <string.h>

#include "report.h"

/* Most spots to keep at once. Limits the memory to a few tens of MB. */
#define MOST	(1u << 17)

/* Fields of v9_spot.id; bits 31 to 0 are the pid. */
#define HAS_PC	(UINT64_C(1) << 32)
#define EPOCH	33

void v9_spots_init(struct v9_spots *t, size_t size, const struct v9_syms *syms,
		   void (*take)(void *arg, void *spot), void *arg)
{
	memset(t, 0, sizeof(*t));
	v9_bins_init(&t->bins, size);
	t->epochs.syms = syms;
	t->take = take;
	t->arg = arg;
}

void v9_spots_free(struct v9_spots *t)
{
	v9_bins_free(&t->bins);
}

static void make_key(struct v9_spots *t, const struct v9_sampled *s, uint64_t key[3])
{
	const bool has_pc = s->rec->has & V9_SPE_REC_PC;

	key[0] = has_pc ? s->rec->pc.addr : 0;
	key[1] = (uint64_t)(uintptr_t)s->comm;
	key[2] = (has_pc ? v9_epochs_at(&t->epochs, v9_sampled_time(s)) << EPOCH | HAS_PC : 0) | s->pid;
}

void v9_spots_of(struct v9_spots *t, const struct v9_sampled *s, size_t n, void **spots)
{
	uint64_t key[V9_BATCH][3];

	if (t->bins.used + n > MOST || t->since + n > UINT32_MAX)
		v9_spots_drain(t);
	t->since += n;
	for (size_t i = 0; i < n; i++)
		make_key(t, &s[i], key[i]);
	v9_bins_at_many(&t->bins, key[0], 3, n, spots);
}

void v9_spots_drain(struct v9_spots *t)
{
	for (size_t i = 0; i < t->bins.used; i++)
		t->take(t->arg, v9_bins_get(&t->bins, i));
	v9_bins_clear(&t->bins);
	t->since = 0;
}

void v9_spot_place(struct v9_syms *syms, const struct v9_spot *spot, struct v9_place *place)
{
	const uint64_t epoch = spot->id >> EPOCH;

	*place = (struct v9_place){ .dso_name = "[unknown]" };
	/* All times of an epoch give the same result. */
	if (spot->id & HAS_PC)
		v9_syms_find(syms, (uint32_t)spot->id, epoch ? syms->changes[epoch - 1] : 0,
			     spot->pc, place);
}
