// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "spec.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../branch_filter.h"
#include "../util.h"

#define BRBE		"v9_brbe"
#define FREQUENCY	4000	/* Hz, of events without a period: perf's default */

#define SW(n, c)	{ n, NULL, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##c }
#define SWA(n, a, c)	{ n, a, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##c }
#define HW(n, a, c)	{ n, a, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##c }

const struct v9_plain v9_plain[] = {
	HW("cycles", "cpu-cycles", CPU_CYCLES),
	HW("instructions", NULL, INSTRUCTIONS),
	HW("cache-references", NULL, CACHE_REFERENCES),
	HW("cache-misses", NULL, CACHE_MISSES),
	HW("branches", "branch-instructions", BRANCH_INSTRUCTIONS),
	HW("branch-misses", NULL, BRANCH_MISSES),
	HW("bus-cycles", NULL, BUS_CYCLES),
	HW("stalled-cycles-frontend", NULL, STALLED_CYCLES_FRONTEND),
	HW("stalled-cycles-backend", NULL, STALLED_CYCLES_BACKEND),
	SW("cpu-clock", CPU_CLOCK),
	SW("task-clock", TASK_CLOCK),
	SWA("page-faults", "faults", PAGE_FAULTS),
	SW("minor-faults", PAGE_FAULTS_MIN),
	SW("major-faults", PAGE_FAULTS_MAJ),
	SWA("context-switches", "cs", CONTEXT_SWITCHES),
	SWA("cpu-migrations", "migrations", CPU_MIGRATIONS),
	SW("alignment-faults", ALIGNMENT_FAULTS),
	SW("emulation-faults", EMULATION_FAULTS),
	{ NULL, NULL, 0, 0 }
};

/*
 * All events have the same sample id at the end of their records, so that there is one layout for a
 * reader. perf requires this.
 */
#define SAMPLE_ID	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
			 PERF_SAMPLE_CPU)

static struct v9_event_spec *append(struct v9_event_spec **events, int *n)
{
	struct v9_event_spec *ev;

	*events = v9_realloc(*events, (*n + 1) * sizeof(**events));
	ev = &(*events)[(*n)++];
	*ev = (struct v9_event_spec){ 0 };
	ev->attr.a.size = PERF_ATTR_SIZE_VER7;
	ev->attr.a.sample_type = SAMPLE_ID;
	ev->attr.a.read_format = PERF_FORMAT_ID;
	ev->attr.a.disabled = 1;
	ev->attr.a.sample_id_all = 1;
	ev->attr.a.exclude_guest = 1;
	return ev;
}

static void apply_mods(struct v9_event_spec *ev, unsigned int mods)
{
	ev->any_side = !mods;
	if (!mods)
		return;
	ev->attr.a.exclude_user = !(mods & V9_EV_USER);
	ev->attr.a.exclude_kernel = !(mods & V9_EV_KERNEL);
	ev->attr.a.exclude_hv = !(mods & V9_EV_HV);
}

struct config {
	uint64_t word[V9_EV_WORDS];
	uint64_t period;
};

static void complain_field(const struct v9_perf_pmu *pmu, const char *name)
{
	struct v9_blob b = { 0 };

	for (int i = 0; i < pmu->fields; i++) {
		v9_blob_put(&b, " ", 1);
		v9_blob_put(&b, pmu->field[i].name, strlen(pmu->field[i].name));
	}
	v9_blob_zero(&b, 1);
	v9_error("%s has no option '%s'; it has: period%s", pmu->name, name, (char *)b.data);
	v9_blob_free(&b);
}

static int apply_terms(const struct v9_perf_pmu *pmu, const struct v9_ev *ev, struct config *c,
		       bool nested);

/* A file in the PMU's events/ is a named list of terms. */
static int apply_alias(const struct v9_perf_pmu *pmu, const char *name, struct config *c)
{
	char *path = v9_format("%s/%s/events/%s", v9_pmu_root, pmu->name, name);
	char *text = v9_read_line(path), *whole;
	const char *cursor, *why;
	struct v9_ev ev;
	int ret;

	free(path);
	if (!text)
		return -ENOENT;
	cursor = whole = v9_format("%s/%s/", pmu->name, text);
	ret = v9_ev_next(&cursor, &ev, &why);
	if (ret == 1)
		ret = apply_terms(pmu, &ev, c, true);
	free(whole);
	free(text);
	return ret;
}

/* Returns V9_EV_WORDS if @name is no whole word of the configuration. */
static int word_named(const char *name)
{
	static const char * const raw[V9_EV_WORDS] = {
		"config", "config1", "config2", "config3", "config4"
	};
	int w;

	for (w = 0; w < V9_EV_WORDS && strcmp(raw[w], name); w++)
		;
	return w;
}

static int apply_terms(const struct v9_perf_pmu *pmu, const struct v9_ev *ev, struct config *c,
		       bool nested)
{
	for (int i = 0; i < ev->terms; i++) {
		const struct v9_ev_term *t = &ev->term[i];
		const struct v9_ev_field *field = v9_pmu_field(pmu, t->name);
		int w;

		if (field) {
			if (!v9_ev_field_put(field, t->value, c->word))
				continue;
			v9_error("%s/%s=%#llx/: too large, at most %#llx", pmu->name, t->name,
				 (unsigned long long)t->value,
				 (unsigned long long)v9_ev_field_max(field));
			return -ERANGE;
		}
		if (!strcmp(t->name, "period") && t->has_value) {
			c->period = t->value;
			continue;
		}
		w = word_named(t->name);
		if (w < V9_EV_WORDS && t->has_value) {
			c->word[w] = t->value;
			continue;
		}
		if (!nested && !t->has_value && !apply_alias(pmu, t->name, c))
			continue;
		complain_field(pmu, t->name);
		return -EINVAL;
	}
	return 0;
}

static bool has_term(const struct v9_ev *ev, const char *name)
{
	for (int i = 0; i < ev->terms; i++)
		if (!strcmp(ev->term[i].name, name))
			return true;
	return false;
}

/* Set options that perf's decoders need, if the PMU has them and the user did not set them. */
static void apply_defaults(const struct v9_perf_pmu *pmu, const struct v9_ev *ev,
			   const struct v9_aux_kind *aux, struct config *c)
{
	char *whole = v9_format("%s/%s/", pmu->name, aux->defaults);
	const char *cursor = whole, *why;
	struct v9_ev def;

	if (v9_ev_next(&cursor, &def, &why) == 1)
		for (int i = 0; i < def.terms; i++) {
			const struct v9_ev_field *f = v9_pmu_field(pmu, def.term[i].name);

			if (f && !has_term(ev, f->name))
				v9_ev_field_put(f, def.term[i].value, c->word);
		}
	free(whole);
}

/* A user who gives whole words of the configuration has chosen all options. */
static bool chose(const struct v9_ev *ev, const char *option)
{
	for (int i = 0; i < ev->terms; i++)
		if (!strcmp(ev->term[i].name, option) || word_named(ev->term[i].name) < V9_EV_WORDS)
			return true;
	return false;
}

static int add_pmu(const struct v9_ev *ev, struct v9_event_spec *out)
{
	const struct v9_aux_kind *aux = v9_aux_find(ev->name);
	struct config c = { 0 };
	struct v9_perf_pmu pmu;
	int ret;

	ret = v9_pmu_open(ev->name, &pmu);
	if (ret)
		return ret;
	if (aux)
		apply_defaults(&pmu, ev, aux, &c);
	ret = apply_terms(&pmu, ev, &c, false);
	if (ret)
		goto close_pmu;
	out->attr.a.type = pmu.type;
	out->attr.a.config = c.word[V9_EV_CONFIG];
	out->attr.a.config1 = c.word[V9_EV_CONFIG1];
	out->attr.a.config2 = c.word[V9_EV_CONFIG2];
	out->attr.word[V9_ATTR_CONFIG3] = c.word[V9_EV_CONFIG3];
	out->attr.word[V9_ATTR_CONFIG4] = c.word[V9_EV_CONFIG4];
	/* As short as possible: older kernels and readers refuse a longer attribute. */
	if (c.word[V9_EV_CONFIG3])
		out->attr.a.size = V9_ATTR_CONFIG4 * sizeof(uint64_t);
	if (c.word[V9_EV_CONFIG4])
		out->attr.a.size = sizeof(out->attr);
	out->attr.a.sample_period = c.period;
	out->aux = aux;
	if (aux) {
		out->chose_counts = !aux->counts || chose(ev, aux->counts);
		if (!c.period)
			out->attr.a.sample_period = aux->period(&pmu);
		aux->setup(out, &pmu);
	}
	if (pmu.cpumask)
		out->cpumask = v9_strdup(pmu.cpumask);
close_pmu:
	v9_pmu_close(&pmu);
	return ret;
}

/* Sampling defaults: 4000 Hz for clocks and hardware events, each event for others. */
static int add_named(const struct v9_ev *ev, struct v9_event_spec *out)
{
	const struct v9_plain *p;

	for (p = v9_plain; p->name; p++)
		if (!strcmp(p->name, ev->name) || (p->alias && !strcmp(p->alias, ev->name)))
			break;
	if (!p->name) {
		v9_error("unknown event '%s' ('v9trace list' prints those of this machine%s)",
			 ev->name, v9_pmu_exists(ev->name) ? "; a PMU is written with slashes" : "");
		return -ENOENT;
	}
	out->attr.a.type = p->type;
	out->attr.a.config = p->config;
	if (p->type == PERF_TYPE_HARDWARE || p->config == PERF_COUNT_SW_CPU_CLOCK ||
	    p->config == PERF_COUNT_SW_TASK_CLOCK) {
		out->attr.a.freq = 1;
		out->attr.a.sample_freq = FREQUENCY;
	} else {
		out->attr.a.sample_period = 1;
	}
	return 0;
}

static int add_tracepoint(const struct v9_ev *ev, struct v9_event_spec *out)
{
	const char *root = v9_tracefs_root();
	char *path, *id;
	int err;

	if (!root) {
		v9_error("%s:%s: tracefs is not mounted (mount -t tracefs nodev /sys/kernel/tracing)",
			 ev->name, ev->tracepoint);
		return -ENOENT;
	}
	path = v9_format("%s/events/%s/%s/id", root, ev->name, ev->tracepoint);
	id = v9_read_line(path);
	err = errno;
	free(path);
	if (!id) {
		if (err == EACCES)
			v9_error("%s:%s: no permission to read tracefs (run as root, or remount it "
				 "readable)", ev->name, ev->tracepoint);
		else
			v9_error("unknown tracepoint '%s:%s' ('v9trace list %s' prints what matches)",
				 ev->name, ev->tracepoint, ev->name);
		return -err;
	}
	out->attr.a.type = PERF_TYPE_TRACEPOINT;
	out->attr.a.config = strtoull(id, NULL, 10);
	out->attr.a.sample_period = 1;
	out->attr.a.sample_type |= PERF_SAMPLE_RAW;
	out->system = v9_strdup(ev->name);
	out->tracepoint = v9_strdup(ev->tracepoint);
	free(id);
	return 0;
}

int v9_spec_add(const char *text, struct v9_event_spec **events, int *n)
{
	static int (* const add[])(const struct v9_ev *ev, struct v9_event_spec *out) = {
		[V9_EV_PMU] = add_pmu,
		[V9_EV_NAMED] = add_named,
		[V9_EV_TRACEPOINT] = add_tracepoint,
	};
	const char *cursor = text, *why = "";
	struct v9_ev ev;
	int ret;

	if (!*text) {
		v9_error("-e: an event is missing");
		return -EINVAL;
	}
	while ((ret = v9_ev_next(&cursor, &ev, &why)) == 1) {
		struct v9_event_spec *out = append(events, n);

		out->label = v9_format("%.*s", (int)ev.len, ev.text);
		out->attr.a.sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD;
		apply_mods(out, ev.mods);
		ret = add[ev.kind](&ev, out);
		if (ret)
			return ret;
	}
	if (ret)
		v9_error("-e '%s': %s", text, why);
	return ret;
}

/* Sets the option of an event that exists. Returns false if its PMU has none, or if there is no room in the attribute. */
static bool set_option(struct v9_event_spec *ev, const char *pmu_name, const char *option)
{
	struct v9_perf_pmu pmu;
	const struct v9_ev_field *field;
	uint64_t word[V9_EV_WORDS] = { ev->attr.a.config, ev->attr.a.config1, ev->attr.a.config2 };
	bool done = false;

	if (v9_pmu_open(pmu_name, &pmu))
		return false;
	field = v9_pmu_field(&pmu, option);
	if (field && field->word <= V9_EV_CONFIG2 && !v9_ev_field_put(field, 1, word)) {
		ev->attr.a.config = word[V9_EV_CONFIG];
		ev->attr.a.config1 = word[V9_EV_CONFIG1];
		ev->attr.a.config2 = word[V9_EV_CONFIG2];
		ev->aux->setup(ev, &pmu);
		done = true;
	}
	v9_pmu_close(&pmu);
	return done;
}

bool v9_spec_count_cycles(struct v9_event_spec *ev, int evs)
{
	bool done = false;

	for (int i = 0; i < evs; i++)
		if (ev[i].aux && ev[i].aux->counts && !ev[i].chose_counts && v9_etm_counts_cycles())
			done |= set_option(&ev[i], ev[i].aux->prefix, ev[i].aux->counts);
	return done;
}

int v9_spec_branch_filter(const char *text, uint64_t *filter)
{
	const uint64_t levels = V9_BRANCH_USER | V9_BRANCH_KERNEL | V9_BRANCH_HV;
	char room[256];
	size_t n;

	*filter = 0;
	for (const char *s = text; ; s += n + 1) {
		uint64_t bit;

		n = strcspn(s, ",");
		bit = v9_branch_word(s, n);
		if (!bit) {
			v9_error("-j %s: a list of %s", text, v9_branch_words(room, sizeof(room)));
			return -EINVAL;
		}
		*filter |= bit;
		if (!s[n])
			break;
	}
	/* As perf: levels alone mean all their branches. */
	if (!(*filter & ~levels))
		*filter |= V9_BRANCH_ANY;
	if (!(*filter & V9_BRANCH_SELECTS)) {
		v9_error("-j %s: which branches? Add any, any_call, any_ret, ind_call, ind_jmp, call or "
			 "cond", text);
		return -EINVAL;
	}
	/* A report needs them to see calls. Call stacks of x86 have calls only. */
	if (!(*filter & V9_BRANCH_CALL_STACK))
		*filter |= V9_BRANCH_TYPE_SAVE;
	return 0;
}

int v9_spec_add_branches(struct v9_event_spec **events, int *n)
{
	return v9_spec_add(v9_pmu_exists(BRBE) ? BRBE "//" : "cycles", events, n);
}

int v9_spec_branches(struct v9_event_spec *events, int n, uint64_t filter)
{
	int with = 0;

	for (int i = 0; i < n; i++) {
		struct perf_event_attr *a = &events[i].attr.a;

		if (events[i].aux || events[i].tracking)
			continue;
		a->sample_type |= PERF_SAMPLE_BRANCH_STACK;
		a->branch_sample_type = filter;
		if (!a->sample_period) {
			a->freq = 1;
			a->sample_freq = FREQUENCY;
		}
		with++;
	}
	if (with)
		return 0;
	v9_error("-j: a trace has no branch stacks: give an event that samples, too, such as -e cycles");
	return -EINVAL;
}

bool v9_spec_add_cgroups(struct v9_event_spec **events, int *n)
{
	struct v9_event_spec *ev;
	int fd;

	for (int i = 0; i < *n; i++)
		if (!(*events)[i].aux)
			(*events)[i].attr.a.sample_type |= PERF_SAMPLE_CGROUP;
	ev = append(events, n);
	ev->label = v9_strdup("context-switches");
	ev->tracking = true;
	ev->attr.a.type = PERF_TYPE_SOFTWARE;
	ev->attr.a.config = PERF_COUNT_SW_CONTEXT_SWITCHES;
	ev->attr.a.sample_period = 1;
	ev->attr.a.sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CGROUP;
	fd = (int)syscall(SYS_perf_event_open, &ev->attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0) {
		close(fd);
		return true;
	}
	free(ev->label);
	(*n)--;
	for (int i = 0; i < *n; i++)
		(*events)[i].attr.a.sample_type &= ~(uint64_t)PERF_SAMPLE_CGROUP;
	return false;
}

void v9_spec_add_tracking(struct v9_event_spec **events, int *n)
{
	struct v9_event_spec *ev = append(events, n);

	ev->label = v9_strdup("dummy:u");
	ev->tracking = true;
	apply_mods(ev, V9_EV_USER);
	ev->attr.a.type = PERF_TYPE_SOFTWARE;
	ev->attr.a.config = PERF_COUNT_SW_DUMMY;
	ev->attr.a.sample_period = 1;
	ev->attr.a.sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD;
	ev->attr.a.mmap = 1;
	ev->attr.a.mmap2 = 1;
	/* While code is written, its memory is mapped as data: a decoder needs these records. */
	for (int i = 0; i < *n; i++)
		ev->attr.a.mmap_data |= (*events)[i].aux && (*events)[i].aux->needs_code;
	/* If the kernel is recorded, KSYMBOL records name the code that it generates. */
	for (int i = 0; i < *n; i++)
		if (!(*events)[i].attr.a.exclude_kernel)
			ev->attr.a.ksymbol = ev->attr.a.bpf_event = 1;
	ev->attr.a.comm = 1;
	ev->attr.a.comm_exec = 1;
	ev->attr.a.task = 1;
	ev->attr.a.context_switch = 1;
	ev->attr.a.build_id = 1;
}

void v9_spec_period(struct v9_event_spec *events, int n, uint64_t period)
{
	bool trace = false;

	for (int i = 0; i < n; i++)
		trace |= !!events[i].aux;
	for (int i = 0; i < n; i++) {
		if (events[i].tracking || (trace && !events[i].aux))
			continue;
		events[i].attr.a.freq = 0;
		events[i].attr.a.sample_period = period;
	}
}

void v9_spec_frequency(struct v9_event_spec *events, int n, uint64_t freq)
{
	for (int i = 0; i < n; i++) {
		if (events[i].tracking)
			continue;
		events[i].attr.a.freq = 1;
		events[i].attr.a.sample_freq = freq;
	}
}

void v9_spec_free(struct v9_event_spec *events, int n)
{
	for (int i = 0; i < n; i++) {
		free(events[i].label);
		free(events[i].cpumask);
		free(events[i].system);
		free(events[i].tracepoint);
	}
	free(events);
}
