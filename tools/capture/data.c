// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "data.h"

#include <string.h>

#define ANON	"//anon"

/* The rest of the last page of a segment belongs to the object. */
static bool covers(const struct v9_dso *d, uint64_t at)
{
	for (unsigned int i = 0; i < d->nr_segs; i++) {
		const uint64_t start = d->segs[i].addr & -V9_DATA_PAGE;
		const uint64_t end = (d->segs[i].addr + d->segs[i].size + V9_DATA_PAGE - 1) &
				     -V9_DATA_PAGE;

		if (at >= start && at < end)
			return true;
	}
	return false;
}

static bool try_object(struct v9_syms *s, const struct v9_map *m, uint64_t addr,
		       struct v9_data *data)
{
	uint64_t bias;

	if (m->dso->name[0] != '/')
		return false;
	v9_syms_load(s, m->dso);
	bias = m->start - v9_dso_address(m->dso, m->pgoff);
	if (!covers(m->dso, addr - bias))
		return false;
	*data = (struct v9_data){ .name = m->dso->name, .dso = m->dso, .bias = bias };
	return true;
}

/*
 * The data of an object is next to its code, without another object in between. So check the
 * nearest mappings of code on both sides, of each the latest one at that time.
 */
static bool by_code(struct v9_syms *s, const struct v9_space *sp, uint64_t time, uint64_t addr,
		    struct v9_data *data)
{
	const struct v9_map *below, *above;
	const size_t lo = v9_first_entries(i, sp->nr_maps, sp->maps[i].start <= addr);

	below = lo ? &sp->maps[lo - 1] : NULL;
	for (size_t i = lo; i--; )
		if (sp->maps[i].time <= time) {
			below = &sp->maps[i];
			break;
		}
	above = lo < sp->nr_maps ? &sp->maps[lo] : NULL;
	for (size_t i = lo; i < sp->nr_maps && sp->maps[i].start == above->start; i++)
		if (sp->maps[i].time <= time)
			above = &sp->maps[i];
	if ((below && try_object(s, below, addr, data)) ||
	    (above && try_object(s, above, addr, data)))
		return true;
	/* Without the file the name of the mapping is known. */
	if (below && addr < below->end)
		data->name = below->dso->name;
	return data->name;
}

static bool by_map(const struct v9_space *sp, uint64_t time, uint64_t addr, struct v9_data *data)
{
	const struct v9_map *best = NULL;

	for (size_t i = 0; i < sp->nr_datas && sp->datas[i].start <= addr; i++) {
		const struct v9_map *m = &sp->datas[i];

		if (addr < m->end && m->time <= time && (!best || m->time >= best->time))
			best = m;
	}
	if (!best)
		return false;
	data->name = strncmp(best->dso->name, ANON, strlen(ANON)) ? best->dso->name : "[anon]";
	return true;
}

void v9_syms_data(struct v9_syms *s, uint32_t pid, uint64_t time, uint64_t addr,
		  struct v9_data *data)
{
	struct v9_space *sp;

	*data = (struct v9_data){ .name = NULL };
	if (addr & V9_KERNEL_HALF) {
		struct v9_dso *kernel = s->dsos[0];

		v9_syms_load(s, kernel);
		*data = (struct v9_data){ .name = kernel->name, .dso = kernel };
		return;
	}
	sp = v9_syms_space(s, pid, time);
	for (unsigned int depth = 0; sp && depth < 64; depth++) {
		if (by_code(s, sp, time, addr, data) || by_map(sp, time, addr, data) ||
		    sp->parent == V9_NO_SPACE)
			return;
		if (sp->time < time)
			time = sp->time;
		sp = &s->spaces[sp->parent];
	}
}

const struct v9_func *v9_dso_object(const struct v9_dso *d, uint64_t at)
{
	const size_t n = v9_first_entries(i, d->nr_objs, d->objs[i].start <= at);

	return n && at < d->objs[n - 1].end ? &d->objs[n - 1] : NULL;
}
