// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "overhead.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int v9_overhead_parse(struct v9_overhead *o, const char *text)
{
	double percent;
	char *end;

	errno = 0;
	percent = strtod(text, &end);
	if (*end == '%')
		end++;
	if (*text >= '0' && *text <= '9' && !*end && !errno && percent >= 0.01 && percent <= 100) {
		o->ppm = (uint32_t)(percent * (V9_BUDGET_PPM / 100) + 0.5);
		return 0;
	}
	v9_error("--overhead %s: wanted is a share of the time of the recorded CPUs from 0.01 to 100 percent, "
		 "such as 1%%", text);
	return -EINVAL;
}

/* What the unit makes of a period: PMSIRR_EL1.INTERVAL has no bits below 256 */
static uint64_t shortest(const struct v9_event_spec *ev)
{
	uint64_t least = ev->attr.a.sample_period;

	least = least < ev->aux_interval ? ev->aux_interval : least;
	return least < V9_BUDGET_LEAST ? V9_BUDGET_LEAST : least / V9_BUDGET_LEAST * V9_BUDGET_LEAST;
}

int v9_overhead_aim(struct v9_overhead *o, struct v9_event_spec *ev, int evs)
{
	const uint64_t most = o->most ? o->most : V9_OVERHEAD_MOST;
	unsigned int last = 64;

	o->least = v9_alloc((size_t)evs * sizeof(*o->least));
	o->evs = evs;
	for (int i = 0; i < evs; i++) {
		unsigned int steps;

		if (!ev[i].aux)
			continue;
		o->least[i] = shortest(&ev[i]);
		if (most < o->least[i]) {
			v9_error("--max-period %llu: %s has a shortest period of %llu (-c, or the least of the "
				 "unit)", (unsigned long long)most, ev[i].label,
				 (unsigned long long)o->least[i]);
			return -EINVAL;
		}
		steps = v9_budget_steps(o->least[i], most);
		last = steps < last ? steps : last;
	}
	v9_budget_init(&o->budget, o->ppm, last);
	o->lowest = o->highest = last;
	for (int i = 0; i < evs; i++)
		if (o->least[i])
			ev[i].attr.a.sample_period = o->least[i] << last;
	return 0;
}

uint64_t v9_overhead_period(const struct v9_overhead *o, unsigned int step)
{
	int i = 0;

	while (i + 1 < o->evs && !o->least[i])
		i++;
	return o->least[i] << step;
}

/* Time in the interrupt handlers of the PMUs of all SPE events, in ns. False: a driver does not count it. */
static bool read_handlers(const struct v9_overhead *o, const struct v9_event_spec *ev, uint64_t *ns)
{
	bool all = true;

	*ns = 0;
	for (int i = 0; i < o->evs; i++) {
		char *path, *line;

		if (!o->least[i])
			continue;
		path = v9_format("%s/%.*s/stats/handler_ns", v9_pmu_root, (int)strcspn(ev[i].label, "/"),
				 ev[i].label);
		line = v9_read_line(path);
		all &= line != NULL;
		*ns += line ? strtoull(line, NULL, 10) : 0;
		free(path);
		free(line);
	}
	return all;
}

static uint64_t since(uint64_t *before, uint64_t now)
{
	const uint64_t n = now > *before ? now - *before : 0;

	*before = now;
	return n;
}

/*
 * What was used since the last call. Profiles are written at the end of an interval: that time is divided
 * among the measurements of the next one.
 */
static struct v9_budget_use measure(struct v9_overhead *o, const struct v9_rings *r, struct v9_profiles *p,
				    uint64_t bytes)
{
	struct v9_budget_use use = { .cpus = (unsigned int)r->auxs };
	uint64_t written, handler;

	use.time = since(&o->time, v9_clock_ns(CLOCK_MONOTONIC));
	use.bytes = since(&o->bytes, bytes);
	o->interrupts = read_handlers(o, r->ev, &handler);
	use.interrupts = since(&o->handler, handler);
	written = since(&o->written, v9_profiles_written(p));
	use.cpu = since(&o->cpu, v9_clock_ns(CLOCK_PROCESS_CPUTIME_ID));
	use.cpu -= written < use.cpu ? written : use.cpu;
	o->pending += written;
	use.fixed = use.time < o->interval_ns ?
		    (uint64_t)((double)o->pending * (double)use.time / (double)o->interval_ns) : o->pending;
	o->pending -= use.fixed;
	return use;
}

static void tell(void *arg, int cpu, uint64_t offset, uint64_t period)
{
	v9_profiles_period(arg, cpu, offset, period);
}

static void change(struct v9_overhead *o, struct v9_rings *r, struct v9_profiles *p)
{
	for (int i = 0; i < o->evs; i++) {
		const uint64_t period = o->least[i] << o->budget.step;
		int err;

		if (!o->least[i])
			continue;
		err = v9_rings_period(r, &r->ev[i], period, tell, p);
		if (!err || o->stuck)
			continue;
		o->stuck = true;
		v9_warn("--overhead: %s: the driver refuses a period of %llu: %s; periods are not changed any "
			"more", r->ev[i].label, (unsigned long long)period, strerror(-err));
	}
	o->lowest = o->budget.step < o->lowest ? o->budget.step : o->lowest;
	o->highest = o->budget.step > o->highest ? o->budget.step : o->highest;
}

void v9_overhead_begin(struct v9_overhead *o, const struct v9_rings *r, struct v9_profiles *p)
{
	for (int i = 0; i < r->auxs; i++)
		tell(p, r->aux[i].cpu, 0, r->aux[i].ev->attr.a.sample_period);
	measure(o, r, p, 0);
	o->pending = 0;
}

void v9_overhead_measure(struct v9_overhead *o, struct v9_rings *r, struct v9_profiles *p, uint64_t bytes)
{
	const struct v9_budget_use use = measure(o, r, p, bytes);

	v9_budget_add(&o->all, &use);
	v9_budget_add(&o->part, &use);
	v9_profiles_cost(p, v9_budget_cost(&o->part), o->ppm, o->interrupts);
	if (!v9_rings_idle(r) && !o->stuck && v9_budget_take(&o->budget, &use))
		change(o, r, p);
}

void v9_overhead_profile(struct v9_overhead *o, struct v9_profiles *p)
{
	v9_profiles_cost(p, v9_budget_cost(&o->part), o->ppm, o->interrupts);
	o->part = (struct v9_budget_use){ 0 };
}

void v9_overhead_free(struct v9_overhead *o)
{
	free(o->least);
}
