// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "pmu_counts.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../live/spe_stream.h"

/* An open event of a group */
struct v9_pmu_counter {
	int fd;
	unsigned int event;		/* index of v9_check_events */
	unsigned int set;		/* number of the CPU or task that it counts for */
	bool leads;
};

/* A PMU of CPUs with at least one of the events */
struct core_pmu {
	char *name, *cpus;		/* cpus: list; NULL: all CPUs */
	uint32_t type;
};

struct core_pmus {
	struct core_pmu *p;
	int n;
};

static const uint32_t units[2] = { PD_AUXTRACE_ARM_SPE, PD_AUXTRACE_CS_ETM };

/* The first event of a unit; NULL: it is not recorded. Those behind it are alike: v9_pmu_counts_aim(). */
static const struct v9_event_spec *spec_of(const struct v9_event_spec *ev, int evs, uint32_t unit)
{
	for (int i = 0; i < evs; i++)
		if (ev[i].aux && ev[i].aux->auxtrace == unit)
			return &ev[i];
	return NULL;
}

/* Has the CPU a unit that is recorded? @cpu -1: is there one at all? */
static bool has_unit(const struct v9_rings *r, uint32_t unit, int cpu)
{
	for (int i = 0; i < r->evs; i++) {
		const struct v9_event_spec *e = &r->ev[i];

		if (e->aux && e->aux->auxtrace == unit &&
		    (cpu < 0 || !e->cpumask || v9_ev_cpu_in(e->cpumask, (unsigned long)cpu)))
			return true;
	}
	return false;
}

int v9_pmu_counts_aim(const struct v9_event_spec *ev, int evs)
{
	bool any = false;

	for (int i = 0; i < evs; i++) {
		const struct v9_event_spec *e = &ev[i], *first;

		if (!e->aux)
			continue;
		any = true;
		first = spec_of(ev, evs, e->aux->auxtrace);
		if (e->attr.a.exclude_user != first->attr.a.exclude_user ||
		    e->attr.a.exclude_kernel != first->attr.a.exclude_kernel ||
		    e->attr.a.exclude_hv != first->attr.a.exclude_hv ||
		    e->attr.a.sample_period != first->attr.a.sample_period || e->aux_filters != first->aux_filters) {
			v9_error("--check: %s and %s are counted together: give them the same modifiers, period and "
				 "filters", first->label, e->label);
			return -EINVAL;
		}
	}
	if (any)
		return 0;
	v9_error("--check: there is nothing to check without an event of SPE or cs_etm");
	return -EINVAL;
}

/* ---- opening */

static char *pmu_line(const char *pmu, const char *file)
{
	char *path = v9_format("%s/%s/%s", v9_pmu_root, pmu, file), *line = v9_read_line(path);

	free(path);
	return line;
}

static bool pmu_has(const char *pmu, const struct v9_check_event *e)
{
	char *path = v9_format("%s/%s/events/%s", v9_pmu_root, pmu, e->file ? e->file : "sample_feed");
	const bool has = !access(path, F_OK);

	free(path);
	return has;
}

static struct core_pmus find_pmus(void)
{
	struct core_pmus pmus = { 0 };
	DIR *dir = opendir(v9_pmu_root);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		bool any = false;
		char *type;

		for (unsigned int i = 0; i < V9_CHECK_EVENTS; i++)
			any |= pmu_has(entry->d_name, &v9_check_events[i]);
		type = any ? pmu_line(entry->d_name, "type") : NULL;
		if (!type)
			continue;
		pmus.p = v9_realloc(pmus.p, (size_t)(pmus.n + 1) * sizeof(*pmus.p));
		pmus.p[pmus.n++] = (struct core_pmu){
			.name = v9_strdup(entry->d_name), .cpus = pmu_line(entry->d_name, "cpus"),
			.type = (uint32_t)strtoul(type, NULL, 10),
		};
		free(type);
	}
	if (dir)
		closedir(dir);
	return pmus;
}

static void free_pmus(struct core_pmus *pmus)
{
	for (int i = 0; i < pmus->n; i++) {
		free(pmus->p[i].name);
		free(pmus->p[i].cpus);
	}
	free(pmus->p);
}

static struct pd_count *count_of(struct v9_pmu_counts *c, unsigned int event)
{
	for (uint32_t i = 0; i < c->head.count; i++)
		if (c->count[i].event == v9_check_events[event].number)
			return &c->count[i];
	return NULL;
}

/* @leader: of its group; -1: it is that itself */
static int open_one(const struct core_pmu *pmu, const struct v9_event_spec *spec, unsigned int event, int tid, int cpu,
		    int leader, bool on_exec)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = pmu->type, .config = v9_check_events[event].number,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.inherit = spec->attr.a.inherit, .exclude_user = spec->attr.a.exclude_user,
		.exclude_kernel = spec->attr.a.exclude_kernel, .exclude_hv = spec->attr.a.exclude_hv,
		.disabled = leader < 0, .enable_on_exec = leader < 0 && on_exec,
	};

	return (int)syscall(SYS_perf_event_open, &attr, tid, cpu, leader, PERF_FLAG_FD_CLOEXEC);
}

/*
 * One group for a CPU or a task, so that all of its events count at the same time or none does. The kernel refuses
 * an event for which the PMU has too few counters. @pmu NULL: there is none
 */
static void open_group(struct v9_pmu_counts *c, const struct v9_rings *r, const struct core_pmu *pmu, unsigned int set,
		       int tid, int cpu)
{
	int leader = -1;

	for (unsigned int i = 0; i < V9_CHECK_EVENTS; i++) {
		const struct v9_check_event *e = &v9_check_events[i];
		struct pd_count *count = count_of(c, i);
		int fd;

		if (!count || count->state || !has_unit(r, e->unit, cpu))
			continue;
		if (!pmu || !pmu_has(pmu->name, e)) {
			count->state = PD_COUNT_ABSENT;
			continue;
		}
		fd = open_one(pmu, spec_of(r->ev, r->evs, e->unit), i, tid, cpu, leader,
			      r->target->kind == V9_TARGET_COMMAND);
		if (fd < 0) {
			/* A task that has ended counts no more. */
			if (errno == ESRCH)
				return;
			count->state = errno == EINVAL && leader >= 0 ? PD_COUNT_NO_COUNTER :
				       errno == ENOENT ? PD_COUNT_ABSENT : PD_COUNT_REFUSED;
			continue;
		}
		c->open = v9_realloc(c->open, (c->opens + 1) * sizeof(*c->open));
		c->open[c->opens++] = (struct v9_pmu_counter){ fd, i, set, leader < 0 };
		leader = leader < 0 ? fd : leader;
	}
}

/* What is to be counted: events of the recorded units, and of their filters */
static void choose(struct v9_pmu_counts *c, const struct v9_rings *r)
{
	for (unsigned int i = 0; i < V9_CHECK_EVENTS; i++) {
		const struct v9_check_event *e = &v9_check_events[i];
		const struct v9_event_spec *spec = spec_of(r->ev, r->evs, e->unit);

		if (!spec || (e->filter && !(spec->aux_filters & e->filter)))
			continue;
		c->count[c->head.count++] = (struct pd_count){
			.event = e->number, .state = e->file || spec->aux_later ? PD_COUNT_COUNTED : PD_COUNT_ABSENT };
	}
}

static void describe(struct v9_pmu_counts *c, const struct v9_rings *r)
{
	const struct v9_event_spec *spe = spec_of(r->ev, r->evs, PD_AUXTRACE_ARM_SPE);

	c->head = (struct pd_counts){ .version = PD_COUNTS_VERSION };
	for (unsigned int i = 0; i < 2; i++) {
		const struct v9_event_spec *spec = spec_of(r->ev, r->evs, units[i]);

		c->unit[i].unit = units[i];
		c->recorded[i] = spec;
		if (spec && !spec->attr.a.exclude_kernel)
			c->head.flags |= PD_COUNTS_KERNEL;
	}
	if (!spe)
		return;
	c->head.interval = v9_aux_spe_interval(spe);
	c->head.filters = spe->aux_filters;
	c->head.flags |= spe->aux_discard ? PD_COUNTS_DISCARD : 0;
	c->head.flags |= spe->attr.a.exclude_kernel != spe->attr.a.exclude_user ? PD_COUNTS_SIDE : 0;
}

/* An event of a task counts on all CPUs of its PMU, so that it is not disabled on others. */
void v9_pmu_counts_open(struct v9_pmu_counts *c, const struct v9_rings *r)
{
	const bool cpus = r->target->kind == V9_TARGET_CPUS;
	struct core_pmus pmus = find_pmus();
	int *of, n = cpus ? v9_rings_cpus(r, &of) : v9_rings_tasks(r, &of);

	describe(c, r);
	choose(c, r);
	c->streams = (size_t)r->auxs;
	c->stream = v9_alloc(c->streams * sizeof(*c->stream));
	for (int i = 0; i < n; i++) {
		const int tid = cpus ? -1 : of[i], cpu = cpus ? of[i] : -1;
		bool any = false;

		for (int p = 0; p < pmus.n; p++) {
			const struct core_pmu *pmu = &pmus.p[p];

			if (cpus && pmu->cpus && !v9_ev_cpu_in(pmu->cpus, (unsigned long)cpu))
				continue;
			any = true;
			open_group(c, r, pmu, (unsigned int)i, tid, cpu);
		}
		if (!any)
			open_group(c, r, NULL, (unsigned int)i, tid, cpu);
	}
	free(of);
	free_pmus(&pmus);
	c->head.starts = (uint64_t)n;
	c->cpus = cpus ? (uint64_t)n : (uint64_t)sysconf(_SC_NPROCESSORS_CONF);
}

/* The events behind a leader count while it does. */
static void lead(struct v9_pmu_counts *c, unsigned long what)
{
	for (size_t i = 0; i < c->opens; i++)
		if (c->open[i].leads)
			ioctl(c->open[i].fd, what, 0);
}

void v9_pmu_counts_start(struct v9_pmu_counts *c)
{
	lead(c, PERF_EVENT_IOC_ENABLE);
}

/* ---- what is recorded */

static struct v9_check_unit *unit_of(struct v9_pmu_counts *c, const struct v9_aux_ring *ring)
{
	return &c->unit[ring->ev->aux->auxtrace == PD_AUXTRACE_CS_ETM];
}

void v9_pmu_counts_record(struct v9_pmu_counts *c, const struct v9_rings *r, const struct v9_aux_ring *ring,
			  const struct perf_event_header *record)
{
	/* words after the header: offset, size, flags */
	const uint64_t *word = (const uint64_t *)(record + 1);
	struct v9_check_unit *u = unit_of(c, ring);

	if (record->type != PERF_RECORD_AUX)
		return;
	u->pieces++;
	u->collided += !!(word[2] & PERF_AUX_FLAG_COLLISION);
	if (word[2] & (PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL))
		v9_spe_stream_cut(&c->stream[ring - r->aux], word[0] + word[1]);
}

void v9_pmu_counts_aux(struct v9_pmu_counts *c, const struct v9_rings *r, const struct v9_aux_ring *ring,
		       const uint8_t *a, size_t na, const uint8_t *b, size_t nb)
{
	if (ring->ev->aux->auxtrace == PD_AUXTRACE_ARM_SPE)
		v9_spe_stream_data(&c->stream[ring - r->aux], ring->tail, a, na, b, nb);
}

static void count_record(void *arg, const struct v9_spe_rec *rec)
{
	struct v9_check_unit *spe = arg;

	(void)rec;
	spe->records++;
}

void v9_pmu_counts_drained(struct v9_pmu_counts *c)
{
	for (size_t i = 0; i < c->streams; i++)
		v9_spe_stream_decode(&c->stream[i], count_record, &c->unit[0]);
}

/* ---- the end */

/* Times of an event for one CPU or task, in ns. PMUs of several CPU types share the time of a task. */
struct counted {
	uint64_t enabled, running;
};

static void read_one(struct v9_pmu_counts *c, const struct v9_pmu_counter *o, struct counted *time)
{
	struct pd_count *count = count_of(c, o->event);
	uint64_t got[3];	/* value, time enabled, time running */

	if (read(o->fd, got, sizeof(got)) != sizeof(got)) {
		count->state = count->state ? count->state : PD_COUNT_REFUSED;
		return;
	}
	count->value += got[0];
	time->enabled = got[1] > time->enabled ? got[1] : time->enabled;
	time->running += got[2];
}

/* Reads the events of a CPU or task, the first of which is open[i]. Returns the index of those of the next one. */
static size_t read_set(struct v9_pmu_counts *c, size_t i)
{
	const unsigned int set = c->open[i].set;
	struct counted time[V9_CHECK_EVENTS] = { 0 };

	for (; i < c->opens && c->open[i].set == set; i++)
		read_one(c, &c->open[i], &time[c->open[i].event]);
	for (unsigned int e = 0; e < V9_CHECK_EVENTS; e++)
		if (time[e].running < time[e].enabled && !count_of(c, e)->state)
			count_of(c, e)->state = PD_COUNT_SHARED;
	return i;
}

void v9_pmu_counts_read(struct v9_pmu_counts *c, const struct v9_rings *r, const struct v9_record_counts *counts)
{
	lead(c, PERF_EVENT_IOC_DISABLE);
	for (size_t i = 0; i < c->opens;)
		i = read_set(c, i);
	for (uint32_t i = 0; i < c->head.count; i++)
		c->count[i].value = c->count[i].state ? 0 : c->count[i].value;
	/* Counters of CPUs run before the units do, and longer. Those of a task start and stop with it. */
	if (r->target->kind != V9_TARGET_CPUS) {
		c->head.starts += counts->switch_ins + counts->lost;
		c->head.edges = 2 * c->head.starts;
	}
	/* On each CPU a unit starts when the events are enabled: an interval begins anew there. */
	c->head.starts += counts->restarts * c->cpus;
	c->head.missing = counts->trace_unwritten;
	c->head.flags |= counts->cpu_away || counts->paused ? PD_COUNTS_AWAY : 0;
}

void v9_pmu_counts_section(const struct v9_pmu_counts *c, struct v9_blob *b)
{
	v9_blob_put(b, &c->head, sizeof(c->head));
	v9_blob_put(b, c->count, c->head.count * sizeof(*c->count));
}

size_t v9_pmu_counts_rows(const struct v9_pmu_counts *c, struct v9_check_row row[V9_CHECK_EVENTS])
{
	size_t n = 0;

	for (unsigned int i = 0; i < 2; i++)
		if (c->recorded[i])
			n += v9_check_rows(&c->unit[i], &c->head, c->count, c->head.count, row + n);
	return n;
}

void v9_pmu_counts_close(struct v9_pmu_counts *c)
{
	for (size_t i = 0; i < c->opens; i++)
		close(c->open[i].fd);
	for (size_t i = 0; i < c->streams; i++)
		v9_spe_stream_free(&c->stream[i]);
	free(c->open);
	free(c->stream);
	*c = (struct v9_pmu_counts){ 0 };
}
