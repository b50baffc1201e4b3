// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "live.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include <v9trace/base.h>
#include <v9trace/gen/spe_pkt.h>

#include "../capture/records.h"
#include "../util.h"

#define CPUS_MOST	65536
#define PROT_EXECUTE	4u
#define LEAST		1024	/* sums, however little memory there is */

/* A kernel record. Its sample id is at its end. */
struct v9_live_event {
	const uint8_t *p;
	uint64_t time;
	size_t seq;			/* position in the batch */
	uint32_t size, type, pid, tid, cpu;
	uint16_t misc;
};

#define ID_SIZE	32u			/* pid, tid, time, CPU, id: SAMPLE_ID in collect/spec.c */

struct run {
	uint64_t time;
	uint32_t pid, tid;		/* V9_NO_TASK: none of the recorded ones */
	uint64_t round;			/* in which it was added */
};

/* The period of the data from a byte of the stream on */
struct period {
	uint64_t at, period;
};

struct v9_live_cpu {
	struct v9_spe_dec *dec;		/* NULL: no AUX data yet */
	uint64_t midr;			/* 0: not known */
	uint64_t type;			/* .midr; 0: sums by CPU type are not wanted */
	struct run *runs;		/* by time */
	size_t nr_runs;
	uint64_t *cuts;			/* offsets at which data is missing, ascending */
	size_t nr_cuts;
	uint64_t period;		/* of the data that is read; 0: not known */
	struct period *periods;		/* of later data, ascending */
	size_t nr_periods;
};

size_t v9_live_most(size_t memory)
{
	/*
	 * For each sum: the sum, its slots of the hash table, which is at least a quarter full, and an entry
	 * of the array that is sorted to find the smallest ones
	 */
	const size_t each = sizeof(struct v9_live_sum) + 4 * sizeof(struct v9_bins_slot) + sizeof(uint64_t);

	return memory / each > LEAST ? memory / each : LEAST;
}

void v9_live_init(struct v9_live *l, const struct v9_live_setup *setup)
{
	*l = (struct v9_live){ .setup = *setup, .most = v9_live_most(setup->memory) };
	v9_bins_init(&l->profile.sums, sizeof(struct v9_live_sum));
	if (setup->classes)
		v9_bins_init(&l->profile.classes, sizeof(struct v9_live_class));
	if (setup->registers) {
		v9_interval_read(&l->interval, setup->registers, setup->registers_size);
		v9_cores_read(&l->cores, &l->nr_cores, setup->registers, setup->registers_size);
	}
	l->setup.registers = NULL;
	l->profile.interval = l->interval;
	l->profile.begin = setup->begin;
}

/* One that came online later has no row. */
static uint64_t midr_of(const struct v9_live *l, size_t cpu)
{
	for (size_t i = 0; i < l->nr_cores; i++)
		if (l->cores[i].cpu == cpu)
			return l->cores[i].midr;
	return 0;
}

static struct v9_live_cpu *cpu_of(struct v9_live *l, uint32_t cpu)
{
	if (cpu >= CPUS_MOST)
		return NULL;
	while (l->nr_cpus <= cpu) {
		struct v9_live_cpu *c = v9_vec_add(l->cpus, l->nr_cpus);

		c->midr = midr_of(l, l->nr_cpus - 1);
		c->type = l->setup.types ? c->midr : 0;
	}
	return &l->cpus[cpu];
}

static struct v9_live_type *type_of(struct v9_live_type **types, size_t *n, uint64_t midr, uint64_t period)
{
	struct v9_live_type *t;

	for (size_t i = 0; i < *n; i++)
		if ((*types)[i].midr == midr && (*types)[i].period == period)
			return &(*types)[i];
	t = v9_vec_add(*types, *n);
	t->midr = midr;
	t->period = period;
	return t;
}

void v9_live_evicted(struct v9_live_type **types, size_t *n, const struct v9_live_sum *s)
{
	struct v9_live_type *t = type_of(types, n, s->midr, s->period);

	for (unsigned int i = 0; i < V9_SPE_WEIGHTS; i++)
		t->evicted[i] += s->value[i];
}

/* ---- side-band */

static uint32_t u32_at(const struct v9_live_event *e, unsigned int at)
{
	return v9_load_le32(e->p + at);
}

static uint64_t u64_at(const struct v9_live_event *e, unsigned int at)
{
	return v9_load_le64(e->p + at);
}

/* Adds a mapping whose name begins at byte @name. @id_size 0: the side-band has no build-id. */
static void map(struct v9_live *l, const struct v9_live_event *e, unsigned int name,
		const uint8_t *id, unsigned int id_size)
{
	const bool kernel = (e->misc & PD_CPUMODE_MASK) == PD_CPUMODE_KERNEL;
	const char *text = (const char *)e->p + name;
	uint8_t found[V9_LIVE_ID];

	if (e->size <= name || !memchr(text, 0, e->size - name))
		return;
	if (!id_size && l->setup.find_id && (kernel || v9_mapping_has_file(text))) {
		id_size = l->setup.find_id(l->setup.arg, text, kernel, found);
		id = found;
	}
	v9_live_map(&l->places, e->time, u32_at(e, MMAP_PID), u64_at(e, MMAP_ADDR), u64_at(e, MMAP_LEN),
		    u64_at(e, MMAP_PGOFF), v9_live_object(&l->places, text, id, id_size));
}

static void on_mmap(struct v9_live *l, const struct v9_live_event *e)
{
	if (!(e->misc & PERF_RECORD_MISC_MMAP_DATA))
		map(l, e, MMAP_NAME, NULL, 0);
}

static void on_mmap2(struct v9_live *l, const struct v9_live_event *e)
{
	const bool id = e->misc & PERF_RECORD_MISC_MMAP_BUILD_ID;

	if (e->size > MMAP2_NAME && u32_at(e, MMAP2_PROT) & PROT_EXECUTE)
		map(l, e, MMAP2_NAME, e->p + MMAP2_ID, id ? e->p[MMAP2_ID_SIZE] : 0);
}

static void on_comm(struct v9_live *l, const struct v9_live_event *e)
{
	if (e->size < COMM_NAME)
		return;
	v9_live_thread(&l->places, u32_at(e, COMM_PID), u32_at(e, COMM_TID));
	if (e->misc & PERF_RECORD_MISC_COMM_EXEC)
		v9_live_exec(&l->places, e->time, u32_at(e, COMM_PID));
}

static void on_fork(struct v9_live *l, const struct v9_live_event *e)
{
	if (e->size >= FORK_END)
		v9_live_fork(&l->places, e->time, u32_at(e, FORK_PID), u32_at(e, FORK_TID),
			     u32_at(e, FORK_PPID));
}

static void on_task_exit(struct v9_live *l, const struct v9_live_event *e)
{
	if (e->size >= FORK_END)
		v9_live_exit(&l->places, e->time, u32_at(e, FORK_PID), u32_at(e, FORK_TID));
}

static void run(struct v9_live *l, const struct v9_live_event *e, uint32_t pid, uint32_t tid)
{
	struct v9_live_cpu *c = cpu_of(l, e->cpu);
	const struct run r = { e->time, pid, tid, l->places.round };
	size_t at;

	if (!c)
		return;
	at = v9_first_entries(i, c->nr_runs, c->runs[i].time <= e->time);
	v9_vec_add(c->runs, c->nr_runs);
	memmove(c->runs + at + 1, c->runs + at, (c->nr_runs - 1 - at) * sizeof(*c->runs));
	c->runs[at] = r;
}

static void on_itrace_start(struct v9_live *l, const struct v9_live_event *e)
{
	if (e->size >= ITRACE_END)
		run(l, e, u32_at(e, ITRACE_PID), u32_at(e, ITRACE_TID));
}

static void on_switch(struct v9_live *l, const struct v9_live_event *e)
{
	run(l, e, e->pid, e->misc & PERF_RECORD_MISC_SWITCH_OUT ? V9_NO_TASK : e->tid);
}

/* One that switches a thread out has the next thread. */
static void on_switch_cpu_wide(struct v9_live *l, const struct v9_live_event *e)
{
	if (e->size < SWITCH_END)
		return;
	if (e->misc & PERF_RECORD_MISC_SWITCH_OUT)
		run(l, e, u32_at(e, SWITCH_PID), u32_at(e, SWITCH_TID));
	else
		run(l, e, e->pid, e->tid);
}

static void on_lost(struct v9_live *l, const struct v9_live_event *e)
{
	if (e->size >= LOST_END)
		l->profile.lost.lost_records += u64_at(e, LOST_COUNT);
}

static void on_lost_samples(struct v9_live *l, const struct v9_live_event *e)
{
	if (e->size >= LOST_SAMPLES_END)
		l->profile.lost.lost_samples += u64_at(e, LOST_SAMPLES_COUNT);
}

static void on_aux(struct v9_live *l, const struct v9_live_event *e)
{
	struct v9_aux_sum *sum = &l->profile.aux;
	struct v9_live_cpu *c = cpu_of(l, e->cpu);
	uint64_t flags;

	if (e->size < AUX_END)
		return;
	flags = u64_at(e, AUX_FLAGS);
	sum->truncated += !!(flags & PERF_AUX_FLAG_TRUNCATED);
	sum->partial += !!(flags & PERF_AUX_FLAG_PARTIAL);
	sum->collision += !!(flags & PERF_AUX_FLAG_COLLISION);
	if (c && flags & (PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL))
		*v9_vec_add(c->cuts, c->nr_cuts) = u64_at(e, AUX_OFFSET) + u64_at(e, AUX_SIZE);
}

static const struct {
	uint32_t type;
	void (*take)(struct v9_live *l, const struct v9_live_event *e);
} handlers[] = {
	{ PERF_RECORD_MMAP, on_mmap },
	{ PERF_RECORD_MMAP2, on_mmap2 },
	{ PERF_RECORD_COMM, on_comm },
	{ PERF_RECORD_FORK, on_fork },
	{ PERF_RECORD_EXIT, on_task_exit },
	{ PERF_RECORD_ITRACE_START, on_itrace_start },
	{ PERF_RECORD_SWITCH, on_switch },
	{ PERF_RECORD_SWITCH_CPU_WIDE, on_switch_cpu_wide },
	{ PERF_RECORD_LOST, on_lost },
	{ PERF_RECORD_LOST_SAMPLES, on_lost_samples },
	{ PERF_RECORD_AUX, on_aux },
};

static void take_event(struct v9_live *l, const struct v9_live_event *e)
{
	for (size_t i = 0; i < V9_ARRAY_SIZE(handlers); i++)
		if (handlers[i].type == e->type)
			handlers[i].take(l, e);
}

static void on_time_conv(struct v9_live *l, const uint8_t *p, size_t n)
{
	if (n < sizeof(l->conv))
		return;
	memcpy(&l->conv, p, sizeof(l->conv));
	l->has_conv = l->conv.zero_valid && l->conv.mult && l->conv.shift < 64;
}

static void on_auxtrace_error(struct v9_live *l, const uint8_t *p, size_t n)
{
	struct pd_auxtrace_error e;

	if (n < sizeof(e))
		return;
	memcpy(&e, p, sizeof(e));
	if (e.code == PD_ERROR_CPU_AWAY) {
		l->profile.lost.cpu_away++;
		l->profile.lost.cpu_away_ns += e.ip;
	} else if (e.code == PD_ERROR_PAUSED) {
		l->profile.lost.paused++;
		l->profile.lost.paused_ns += e.ip;
	}
}

static void on_period(struct v9_live *l, const uint8_t *p, size_t n)
{
	struct v9_live_period r;
	struct v9_live_cpu *c;

	if (n < sizeof(r))
		return;
	memcpy(&r, p, sizeof(r));
	c = cpu_of(l, r.cpu);
	if (c)
		*v9_vec_add(c->periods, c->nr_periods) = (struct period){ r.offset, r.period };
}

static void on_cost(struct v9_live *l, const uint8_t *p, size_t n)
{
	if (n >= sizeof(l->profile.cost))
		memcpy(&l->profile.cost, p, sizeof(l->profile.cost));
}

/* ---- eviction */

static int by_number(const void *a, const void *b)
{
	return V9_ORDER(*(const uint64_t *)a, *(const uint64_t *)b);
}

void v9_live_least(struct v9_live_least *least, const struct v9_bins *sums, size_t n)
{
	uint64_t *samples = v9_alloc(sums->used * sizeof(*samples));

	for (size_t i = 0; i < sums->used; i++)
		samples[i] = ((struct v9_live_sum *)v9_bins_get(sums, i))->value[V9_W_SAMPLES];
	qsort(samples, sums->used, sizeof(*samples), by_number);
	*least = (struct v9_live_least){ .most = samples[n - 1] };
	while (least->equal < n && samples[n - 1 - least->equal] == least->most)
		least->equal++;
	free(samples);
}

bool v9_live_is_least(struct v9_live_least *least, const struct v9_live_sum *s)
{
	if (s->value[V9_W_SAMPLES] != least->most)
		return s->value[V9_W_SAMPLES] < least->most;
	if (!least->equal)
		return false;
	least->equal--;
	return true;
}

struct keep {
	struct v9_live_least least;	/* which are evicted */
	struct v9_live_profile *p;
};

static bool keeps(void *bin, void *arg)
{
	const struct v9_live_sum *s = bin;
	struct keep *k = arg;

	if (!v9_live_is_least(&k->least, s))
		return true;
	k->p->evicted++;
	v9_live_evicted(&k->p->types, &k->p->nr_types, s);
	return false;
}

/* Evicts the smaller half: so many at once that the search for them costs little for each. */
static void evict(struct v9_live_profile *p)
{
	struct keep k = { .p = p };

	v9_live_least(&k.least, &p->sums, p->sums.used / 2);
	v9_bins_keep(&p->sums, V9_LIVE_KEYS, keeps, &k);
}

/* ---- records */

/* The process that a record is of; V9_NO_TASK: not known. */
static uint32_t process_of(const struct v9_live *l, const struct v9_live_cpu *c,
			   const struct v9_spe_rec *rec, uint64_t time)
{
	uint32_t tid, pid = V9_NO_TASK;
	size_t n;

	if (v9_record_task(rec, &tid))
		return v9_live_pid(&l->places, tid, &pid) ? pid : tid;
	if (time == UINT64_MAX)
		return V9_NO_TASK;
	n = v9_first_entries(i, c->nr_runs, c->runs[i].time <= time);
	return n && c->runs[n - 1].tid != V9_NO_TASK ? c->runs[n - 1].pid : V9_NO_TASK;
}

static void saw(struct v9_live_profile *p, uint64_t time)
{
	if (!p->has_time || time < p->first)
		p->first = time;
	if (!p->has_time || time > p->last)
		p->last = time;
	p->has_time = true;
}

static void add_class(struct v9_live *l, const struct v9_spe_rec *rec, enum v9_live_what what, uint64_t midr,
		      uint64_t of, uint64_t period)
{
	const struct v9_live_class key = { .what = what, .midr = midr, .of = of, .period = period };
	struct v9_live_class *c = v9_bins_at(&l->profile.classes, key.key, V9_ARRAY_SIZE(key.key));

	v9_weigh(rec, c->value);
}

static void add_classes(struct v9_live *l, const struct v9_live_cpu *c, const struct v9_spe_rec *rec)
{
	const unsigned int latency = rec->lat[V9_SPE_LAT_TOTAL];

	if (rec->has & V9_SPE_REC_SOURCE)
		add_class(l, rec, V9_LIVE_SOURCE, c->midr, rec->source, c->period);
	else if (rec->has & V9_SPE_REC_OP && rec->op_class == V9_SPE_OP_CLASS_LDST)
		add_class(l, rec, V9_LIVE_SOURCE, 0, V9_LIVE_NONE, c->period);
	if (rec->has & V9_SPE_REC_LAT_TOTAL)
		add_class(l, rec, V9_LIVE_LATENCY, 0, latency ? 32 - (unsigned int)__builtin_clz(latency) : 0,
			  c->period);
	else
		add_class(l, rec, V9_LIVE_LATENCY, 0, V9_LIVE_NONE, c->period);
}

static void add(struct v9_live *l, const struct v9_live_cpu *c, const struct v9_spe_rec *rec)
{
	const uint64_t time = l->has_conv && rec->has & V9_SPE_REC_TS ?
			      v9_conv_time(&l->conv, rec->ts) : UINT64_MAX;
	const uint64_t pc = rec->has & V9_SPE_REC_PC ? rec->pc.addr : 0;
	const uint32_t pid = process_of(l, c, rec, time);
	struct v9_live_sum key = { .object = V9_LIVE_UNKNOWN, .addr = pc, .line = V9_LIVE_NO_LINE,
				   .pid = V9_NO_TASK, .midr = c->type, .period = c->period };
	struct v9_bins *sums = &l->profile.sums;
	struct v9_live_sum *sum;

	if (pc & V9_KERNEL_HALF) {
		key.object = V9_LIVE_KERNEL;
	} else if (rec->has & V9_SPE_REC_PC) {
		const struct v9_live_map *m = v9_live_find(&l->places, pid, time, pc);

		if (m) {
			key.object = m->object + UINT64_C(2);
			if (l->places.objects[m->object].file)
				key.addr = pc - m->start + m->pgoff;
		}
	}
	if (l->setup.lines && rec->has & V9_SPE_REC_VA) {
		key.line = rec->va & ~(uint64_t)(V9_LIVE_LINE - 1);
		key.pid = rec->va & V9_KERNEL_HALF ? V9_NO_TASK : pid;
	}
	if (sums->used < l->most)
		sum = v9_bins_at(sums, key.key, V9_LIVE_KEYS);
	else
		sum = v9_bins_find(sums, key.key, V9_LIVE_KEYS);
	if (!sum) {
		evict(&l->profile);
		sum = v9_bins_add(sums, key.key, V9_LIVE_KEYS);
	}
	v9_weigh(rec, sum->value);
	if (l->setup.classes)
		add_classes(l, c, rec);
	if (time != UINT64_MAX)
		saw(&l->profile, time);
}

static void decode(struct v9_live *l, const struct v9_live_cpu *c)
{
	struct v9_spe_rec rec;
	int r;

	while ((r = v9_spe_dec_next(c->dec, &rec)) > 0)
		add(l, c, &rec);
	if (r < 0)
		v9_out_of_memory();
}

/*
 * Sets the period of the data at @at of the stream. Returns how many of the @n bytes there have it. A record
 * does not go on from one period to the next: the unit was stopped between them.
 */
static size_t same_period(struct v9_live_cpu *c, uint64_t at, size_t n)
{
	size_t past = 0;

	while (past < c->nr_periods && c->periods[past].at <= at)
		c->period = c->periods[past++].period;
	if (past) {
		c->nr_periods -= past;
		memmove(c->periods, c->periods + past, c->nr_periods * sizeof(*c->periods));
	}
	return c->nr_periods && c->periods[0].at - at < n ? c->periods[0].at - at : n;
}

/* Reads @n bytes at @at of the stream. A record does not go on beyond a place where data is missing. */
static void take_aux(struct v9_live *l, const struct pd_auxtrace *a, const uint8_t *p, size_t n)
{
	struct v9_live_cpu *c = cpu_of(l, a->cpu);
	uint64_t at = a->offset;
	size_t cut = 0;

	l->profile.aux.bytes += n;
	if (!c) {
		l->profile.late_bytes += n;
		return;
	}
	if (!c->dec && !(c->dec = v9_spe_dec_new()))
		v9_out_of_memory();
	while (n) {
		size_t part = same_period(c, at, n);

		type_of(&l->profile.types, &l->profile.nr_types, c->type, c->period);
		while (cut < c->nr_cuts && c->cuts[cut] <= at) {
			if (c->cuts[cut] == at && v9_spe_dec_offset(c->dec) == at)
				v9_spe_dec_end(c->dec, V9_SPE_SKIP_LOSS);
			cut++;
		}
		if (cut < c->nr_cuts && c->cuts[cut] - at < part)
			part = c->cuts[cut] - at;
		v9_spe_dec_feed(c->dec, p, part, at);
		decode(l, c);
		p += part;
		at += part;
		n -= part;
	}
	/* One at the very end is still needed: the next data begins there. */
	while (cut < c->nr_cuts && c->cuts[cut] < at)
		cut++;
	if (cut)
		memmove(c->cuts, c->cuts + cut, (c->nr_cuts - cut) * sizeof(*c->cuts));
	c->nr_cuts -= cut;
}

/* ---- batches */

static int in_time(const void *a, const void *b)
{
	const struct v9_live_event *x = a, *y = b;

	return x->time != y->time ? V9_ORDER(x->time, y->time) : V9_ORDER(x->seq, y->seq);
}

/*
 * Calls @aux, if not NULL, for AUX data. Otherwise collects the records of the kernel. Returns the
 * number of bytes that are whole records.
 */
static size_t walk(struct v9_live *l, const uint8_t *p, size_t n, bool aux)
{
	struct pd_event_header h;
	struct pd_auxtrace a;
	size_t at = 0;

	while (n - at >= sizeof(h)) {
		const uint8_t *q = p + at;
		size_t left = n - at;

		memcpy(&h, q, sizeof(h));
		if (h.size < sizeof(h) || h.size > left)
			break;
		at += h.size;
		left -= h.size;
		if (h.type == PD_REC_AUXTRACE) {
			if (h.size < sizeof(a))
				break;
			memcpy(&a, q, sizeof(a));
			if (a.size > left)
				break;
			if (aux)
				take_aux(l, &a, p + at, a.size);
			at += a.size;
			at += -at & 7 && n - at >= (-at & 7) ? -at & 7 : 0;
			continue;
		}
		if (aux)
			continue;
		if (h.type == PD_REC_TIME_CONV)
			on_time_conv(l, q, h.size);
		else if (h.type == PD_REC_AUXTRACE_ERROR)
			on_auxtrace_error(l, q, h.size);
		else if (h.type == V9_LIVE_PERIOD)
			on_period(l, q, h.size);
		else if (h.type == V9_LIVE_COST)
			on_cost(l, q, h.size);
		else if (h.type < PD_REC_HEADER_ATTR && h.size >= sizeof(h) + ID_SIZE) {
			const uint8_t *id = q + h.size - ID_SIZE;

			*v9_vec_add(l->events, l->nr_events) = (struct v9_live_event){
				.p = q, .size = h.size - ID_SIZE, .type = h.type, .misc = h.misc,
				.seq = l->nr_events, .pid = v9_load_le32(id),
				.tid = v9_load_le32(id + 4), .time = v9_load_le64(id + 8),
				.cpu = v9_load_le32(id + 16),
			};
		}
	}
	return at;
}

/* Trace from before the last but one whole batch has been read: keeps what may still be needed. */
static void forget(struct v9_live *l)
{
	for (size_t i = 0; i < l->nr_cpus; i++) {
		struct v9_live_cpu *c = &l->cpus[i];
		size_t old = 0;

		while (old < c->nr_runs && c->runs[old].round < l->places.round)
			old++;
		/* The last one still runs. */
		if (old <= 1)
			continue;
		old--;
		memmove(c->runs, c->runs + old, (c->nr_runs - old) * sizeof(*c->runs));
		c->nr_runs -= old;
	}
	v9_live_forget(&l->places);
}

void v9_live_read(struct v9_live *l, const uint8_t *p, size_t n, bool whole)
{
	l->nr_events = 0;
	walk(l, p, n, false);
	if (l->nr_events)
		qsort(l->events, l->nr_events, sizeof(*l->events), in_time);
	for (size_t i = 0; i < l->nr_events; i++)
		take_event(l, &l->events[i]);
	walk(l, p, n, true);
	if (whole)
		forget(l);
}

void v9_live_end(struct v9_live *l)
{
	for (size_t i = 0; i < l->nr_cpus; i++) {
		struct v9_live_cpu *c = &l->cpus[i];

		if (c->dec)
			v9_spe_dec_end(c->dec, c->nr_cuts && c->cuts[c->nr_cuts - 1] ==
				       v9_spe_dec_offset(c->dec) ? V9_SPE_SKIP_LOSS : V9_SPE_SKIP_CUT);
	}
}

static struct v9_spe_account account_of(const struct v9_live *l)
{
	struct v9_spe_account all = { 0 };

	for (size_t i = 0; i < l->nr_cpus; i++)
		if (l->cpus[i].dec)
			v9_account_add(&all, v9_spe_dec_account(l->cpus[i].dec), 1);
	return all;
}

void v9_live_account(struct v9_live *l)
{
	l->profile.acc = account_of(l);
	v9_account_add(&l->profile.acc, &l->before, -1);
}

uint64_t v9_live_period(const struct v9_live *l)
{
	for (size_t i = 0; i < l->nr_cpus; i++)
		if (l->cpus[i].period)
			return l->cpus[i].period;
	return 0;
}

void v9_live_ask_classes(struct v9_live *l)
{
	l->asked = true;
	if (l->setup.classes)
		return;
	l->setup.classes = l->on_demand = true;
	v9_bins_init(&l->profile.classes, sizeof(struct v9_live_class));
}

void v9_live_next(struct v9_live *l)
{
	v9_bins_clear(&l->profile.sums);
	if (l->on_demand && !l->asked) {
		v9_bins_free(&l->profile.classes);
		l->setup.classes = l->on_demand = false;
	}
	l->asked = false;
	if (l->setup.classes)
		v9_bins_clear(&l->profile.classes);
	free(l->profile.types);
	l->before = account_of(l);
	l->profile = (struct v9_live_profile){ .sums = l->profile.sums, .classes = l->profile.classes,
					       .interval = l->interval, .begin = l->profile.end };
	v9_live_collect(&l->places, NULL, NULL);
}

static void mark_summed(struct v9_live_places *p, void *arg)
{
	const struct v9_bins *sums = arg;

	for (size_t i = 0; i < sums->used; i++) {
		const struct v9_live_sum *s = v9_bins_get(sums, i);

		if (s->object > V9_LIVE_KERNEL)
			p->objects[s->object - V9_LIVE_KERNEL - 1].used = true;
	}
}

void v9_live_tidy(struct v9_live *l)
{
	v9_live_collect(&l->places, mark_summed, &l->profile.sums);
}

void v9_live_free(struct v9_live *l)
{
	for (size_t i = 0; i < l->nr_cpus; i++) {
		v9_spe_dec_delete(l->cpus[i].dec);
		free(l->cpus[i].runs);
		free(l->cpus[i].cuts);
		free(l->cpus[i].periods);
	}
	free(l->cpus);
	free(l->events);
	free(l->cores);
	free(l->profile.types);
	v9_bins_free(&l->profile.sums);
	if (l->setup.classes)
		v9_bins_free(&l->profile.classes);
	v9_live_places_free(&l->places);
}
