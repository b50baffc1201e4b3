// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "latency.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../live/slow.h"
#include "../perfdata.h"
#include "budget.h"
#include "jit.h"

#define LEAST_DELAY	(UINT64_C(2) * 1000000)		/* ns */
#define MOST_DELAY	(UINT64_C(60) * 1000000000)

struct v9_latency_seen {
	struct v9_slow_hit hit;
	uint64_t at;			/* ticks at which it was seen; 0: not known */
	uint64_t first;			/* timestamp in the trace of its CPU, if .has_first */
	bool has_first;
	uint32_t mult, shift;		/* of perf: ticks to ns; .mult 0: not known */
};

static bool is_spe(const struct v9_event_spec *ev)
{
	return ev->aux && ev->aux->auxtrace == PD_AUXTRACE_ARM_SPE;
}

int v9_latency_delay(struct v9_latency_trigger *l, const char *text)
{
	const int ret = v9_flight_time("--trigger-delay", text, &l->delay_ns);

	if (ret || (l->delay_ns >= LEAST_DELAY && l->delay_ns <= MOST_DELAY))
		return ret;
	v9_error("--trigger-delay %s: wanted is a time from 2ms to 1m", text);
	return -EINVAL;
}

/* Returns the greatest latency that the counters of a unit can have. */
static uint64_t most_cycles(const struct v9_event_spec *ev)
{
	char *path = v9_format("%s/%.*s/caps/count_size", v9_pmu_root, (int)strcspn(ev->label, "/"), ev->label);
	char *line = v9_read_line(path);
	const unsigned long bits = line ? strtoul(line, NULL, 10) : 0;

	free(path);
	free(line);
	return bits && bits < 16 ? (UINT64_C(1) << bits) - 1 : UINT16_MAX;
}

int v9_latency_aim(struct v9_latency_trigger *l, const struct v9_flight *f, struct v9_event_spec *ev, int evs,
		   uint64_t hz, size_t aux_bytes)
{
	bool any = false;

	l->delay_ns = l->delay_ns ? l->delay_ns : V9_LATENCY_DELAY;
	l->ppm = l->ppm ? l->ppm : V9_LATENCY_PPM;
	for (int i = 0; i < evs; i++) {
		if (!is_spe(&ev[i]))
			continue;
		any = true;
		if (f->latency > most_cycles(&ev[i])) {
			v9_error("--trigger %s: the counters of %s end at %llu cycles", f->trigger, ev[i].label,
				 (unsigned long long)most_cycles(&ev[i]));
			return -ERANGE;
		}
		ev[i].attr.a.aux_watermark = v9_slow_watermark(hz, ev[i].attr.a.sample_period, l->delay_ns / 2,
							       aux_bytes);
	}
	if (!any) {
		v9_error("--trigger %s: SPE measures it: give its event, too (-e cs_etm//u,arm_spe_0//u)", f->trigger);
		return -EINVAL;
	}
	l->slow = v9_alloc(sizeof(*l->slow));
	*l->slow = (struct v9_slow){ .least = f->latency, .count = f->nth };
	return 0;
}

static size_t index_of(const struct v9_rings *r, const struct v9_aux_ring *ring)
{
	return (size_t)(ring - r->aux);
}

void v9_latency_record(struct v9_latency_trigger *l, const struct v9_rings *r, const struct v9_aux_ring *ring,
		       const struct perf_event_header *record)
{
	/* words after the header: offset, size, flags */
	const uint64_t *word = (const uint64_t *)(record + 1);

	if (is_spe(ring->ev) && record->type == PERF_RECORD_AUX &&
	    word[2] & (PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL))
		v9_slow_cut(l->slow, index_of(r, ring), word[0] + word[1]);
}

/* The trace of the CPU of the last trigger is read. */
static void take_trace(struct v9_latency_seen *s, int cpu, const uint8_t *a, size_t na, const uint8_t *b,
		       size_t nb)
{
	struct v9_ete_setup unit = { .size = sizeof(unit) };
	uint64_t idr0, idr8, devarch;

	v9_etm_file(cpu, "trcidr/trcidr0", &idr0);
	v9_etm_file(cpu, "trcidr/trcidr8", &idr8);
	v9_etm_file(cpu, "mgmt/trcdevarch", &devarch);
	unit.trcidr0 = (uint32_t)idr0;
	unit.trcidr8 = (uint32_t)idr8;
	unit.trcdevarch = (uint32_t)devarch;
	s->has_first = v9_slow_first_time(&unit, a, na, b, nb, &s->first);
}

void v9_latency_aux(struct v9_latency_trigger *l, const struct v9_rings *r, const struct v9_aux_ring *ring,
		    const uint8_t *a, size_t na, const uint8_t *b, size_t nb)
{
	if (is_spe(ring->ev) && !r->stopped)
		v9_slow_data(l->slow, index_of(r, ring), (uint32_t)ring->cpu, ring->tail, a, na, b, nb);
	else if (ring->ev->overwrite && l->open && l->seen[l->nr_seen - 1].hit.cpu == (uint32_t)ring->cpu &&
		 !l->seen[l->nr_seen - 1].has_first)
		take_trace(&l->seen[l->nr_seen - 1], ring->cpu, a, na, b, nb);
}

bool v9_latency_drained(struct v9_latency_trigger *l, const struct v9_rings *r)
{
	const struct perf_event_mmap_page *page = v9_rings_page(r);
	struct v9_latency_seen s = { .mult = page->time_mult, .shift = page->time_shift };
	struct pd_clock clock;
	uint64_t began;
	bool found;

	if (r->stopped || l->open)
		return false;
	began = v9_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	found = v9_slow_find(l->slow, &s.hit);
	l->cost += v9_clock_ns(CLOCK_THREAD_CPUTIME_ID) - began;
	if (!found)
		return false;
	v9_jits_clock(&clock);
	s.at = l->slow->from = clock.count;
	if (l->nr_seen == V9_LATENCY_ROWS) {
		memmove(l->seen, l->seen + 1, --l->nr_seen * sizeof(*l->seen));
		l->dropped++;
	}
	l->seen = v9_realloc(l->seen, (l->nr_seen + 1) * sizeof(*l->seen));
	l->seen[l->nr_seen++] = s;
	l->open = true;
	return true;
}

void v9_latency_look(struct v9_latency_trigger *l, struct v9_rings *r)
{
	const uint64_t now = v9_clock_ns(CLOCK_MONOTONIC);
	/* A task that is forked while its event is disabled would inherit that. */
	const bool may_close = r->target->kind == V9_TARGET_CPUS && !v9_rings_idle(r);

	l->cpu_began = v9_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	if (!l->looks++)
		l->began = now;
	else if (now - l->looked > l->longest)
		l->longest = now - l->looked;
	l->looked = now;
	l->paid = l->cost;
	if (!l->head)
		l->head = v9_alloc((size_t)r->auxs * sizeof(*l->head));
	l->units = 0;
	for (int i = 0; i < r->auxs; i++) {
		struct v9_aux_ring *ring = &r->aux[i];

		if (!is_spe(ring->ev))
			continue;
		l->units++;
		if (may_close && v9_slow_closes(v9_ring_head(ring) - l->head[i])) {
			v9_ring_flush(ring);
			l->closed++;
		}
		l->head[i] = v9_ring_head(ring);
	}
}

uint64_t v9_latency_rest(struct v9_latency_trigger *l)
{
	const uint64_t look = v9_clock_ns(CLOCK_THREAD_CPUTIME_ID) - l->cpu_began;

	uint64_t since;

	/* What was decoded in this look is part of it. */
	l->cost = l->paid + look;
	since = l->cost - l->rested;
	l->rested = l->cost;
	return v9_slow_rest(l->delay_ns, since, l->units, l->ppm);
}

void v9_latency_forget(struct v9_latency_trigger *l)
{
	l->nr_seen--;
	l->open = false;
}

uint32_t v9_latency_cost(const struct v9_latency_trigger *l)
{
	return v9_budget_cost(&(struct v9_budget_use){
		.fixed = l->paid, .time = l->looked - l->began, .cpus = l->units });
}

/* ---- what is said */

static bool to_ns(const struct v9_latency_seen *s, uint64_t from, uint64_t to, int64_t *ns)
{
	const uint64_t ticks = to > from ? to - from : from - to;
	const int64_t n = (int64_t)((unsigned __int128)ticks * s->mult >> (s->shift & 63));

	*ns = to > from ? n : -n;
	return s->mult && s->hit.has_ts;
}

size_t v9_latency_rows(const struct v9_latency_trigger *l)
{
	return l->nr_seen;
}

struct v9_latency_row v9_latency_row(const struct v9_latency_trigger *l, size_t i)
{
	static const char *const paths[] = {
		[V9_SLOW_UNKNOWN] = "unknown", [V9_SLOW_REACHES] = "reaches", [V9_SLOW_OVERWRITTEN] = "overwritten",
	};
	const struct v9_latency_seen *s = &l->seen[i];
	struct v9_latency_row row = {
		.cpu = (int)s->hit.cpu, .cycles = s->hit.latency,
		.path = paths[v9_slow_path(&s->hit, s->has_first ? &s->first : NULL)],
	};

	row.has_delay = to_ns(s, s->hit.ts, s->at, &row.delay_ns) && s->at >= s->hit.ts;
	row.has_history = s->has_first && to_ns(s, s->first, s->hit.ts, &row.history_ns);
	return row;
}

void v9_latency_tell(struct v9_latency_trigger *l, bool beside, bool quiet)
{
	struct v9_latency_row row;
	struct pd_clock clock;
	char *delay, *path;

	if (!l->open)
		return;
	l->open = false;
	/* What was slow while the areas were read is in this snapshot. */
	v9_jits_clock(&clock);
	l->slow->from = clock.count;
	if (quiet)
		return;
	row = v9_latency_row(l, l->nr_seen - 1);
	delay = row.has_delay ? v9_format("seen %.1f ms later", (double)row.delay_ns / 1e6) :
				v9_format("seen at an unknown time later%s", l->seen[l->nr_seen - 1].hit.has_ts ? "" :
					  " (it has no timestamp)");
	if (beside)
		path = v9_strdup("a flight recorder is asked for the trace before it");
	else if (!row.has_history)
		path = v9_strdup("whether the trace of that CPU reaches back to it is not known");
	else if (row.history_ns >= 0)
		path = v9_format("the trace of that CPU begins %.1f ms before it", (double)row.history_ns / 1e6);
	else
		path = v9_format("the trace of that CPU begins %.1f ms behind it, so the path to it is overwritten "
				 "(-m ,SIZE larger, --trigger-delay shorter)", -(double)row.history_ns / 1e6);
	v9_progress_end();
	fprintf(stderr, "v9trace: trigger %zu: %u cycles of latency on CPU %d, %s; %s\n",
		(size_t)l->dropped + l->nr_seen, row.cycles, row.cpu, delay, path);
	free(delay);
	free(path);
}

void v9_latency_free(struct v9_latency_trigger *l)
{
	if (l->slow)
		v9_slow_free(l->slow);
	free(l->slow);
	free(l->head);
	free(l->seen);
}
