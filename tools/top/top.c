// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "top.h"

#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "../live/worker.h"
#include "../report/json.h"
#include "../util.h"
#include "attach.h"
#include "screen.h"

#define TICK	0.05		/* seconds between looks at .ended */
#define LEAST	0.05		/* seconds of which a rate says something */

double v9_top_now(void)
{
	return (double)v9_clock_ns(CLOCK_MONOTONIC) / 1e9;
}

bool v9_top_parse_delay(const char *text, double *to)
{
	char *end;
	const double delay = strtod(text, &end);

	if (end == text || *end || !(delay >= 0.1 && delay <= 86400))
		return false;
	*to = delay;
	return true;
}

static double cpu_seconds(void)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
	       (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6;
}

/* ---- rows */

static void copy(void *state, struct v9_live *l)
{
	v9_live_copy_take(state, l, 0);
}

static void set_attached_head(struct v9_top *t, double past)
{
	const struct v9_attach *a = t->attach;
	const struct v9_answer *h = &a->head;

	free(t->why);
	t->head.why = t->why = a->ask.error ? v9_ask_why(&a->ask) : NULL;
	if (a->ask.error)
		return;
	t->head.up = (double)(int64_t)(v9_clock_ns(CLOCK_REALTIME) - h->begin) / 1e9;
	if (t->head.up < 0)
		t->head.up = 0;
	/* Its sums begin anew. */
	if (t->head.pid != a->ask.pid || t->begin != h->begin)
		t->records = 0;
	if (t->head.pid == a->ask.pid && past >= LEAST)
		t->head.recorder = 100 * (double)(h->cpu - t->recorder_cpu) / 1e9 / past;
	if (t->head.pid != a->ask.pid || past >= LEAST)
		t->recorder_cpu = h->cpu;
	t->head.pid = a->ask.pid;
	t->begin = h->begin;
	t->head.event = h->event;
	t->head.target = h->target;
	t->head.stopped = h->paused;
	t->head.period = t->period = h->period;
	t->head.spent = h->cost.cost;
	t->head.budget = h->cost.budget;
	t->lines = h->lines;
}

static void set_head(struct v9_top *t)
{
	const double now = v9_top_now(), cpu = cpu_seconds(), past = now - t->at;

	if (t->attach)
		set_attached_head(t, past);
	else
		t->head.up = now - t->began;
	/* While there is no answer the rates stay; those of the next answer are of all time since the last one. */
	if (past < LEAST || (t->attach && t->attach->ask.error))
		return;
	t->head.cost = 100 * (cpu - t->cpu) / past;
	t->head.rate = (double)(t->state.records - (t->state.records < t->records ? 0 : t->records)) / past;
	t->at = now;
	t->cpu = cpu;
	t->records = t->state.records;
}

void v9_top_regroup(struct v9_top *t)
{
	v9_top_names_begin(&t->names, &t->state, t->choice.by);
	v9_top_group(&t->rows, &t->state, t->choice.by, v9_top_place_of, v9_top_class_of, &t->names);
	v9_top_order(&t->rows, &t->choice);
}

void v9_top_refresh(struct v9_top *t)
{
	if (t->attach)
		v9_attach_look(t->attach, &t->state);
	else
		v9_worker_look(t->worker, copy, &t->state);
	set_head(t);
	v9_top_regroup(t);
	/* What was read of new objects, and freed, would stay with the C library. */
	malloc_trim(0);
}

static void zero(void *arg, struct v9_live *l)
{
	(void)arg;
	v9_live_next(l);
}

void v9_top_zero(struct v9_top *t)
{
	v9_worker_look(t->worker, zero, NULL);
	t->records = 0;
	t->at = v9_top_now();
	t->cpu = cpu_seconds();
	v9_top_refresh(t);
}

/* ---- without a screen */

static void print_text(struct v9_top *t)
{
	char *line[V9_TOP_HEAD];
	const size_t n = v9_top_head(line, &t->head, &t->state, &t->rows, &t->choice, t->width);

	if (t->shown)
		putchar('\n');
	for (size_t i = 0; i < n; i++) {
		puts(line[i]);
		free(line[i]);
	}
	for (size_t i = 0; i < t->rows.nr && (!t->limit || i < t->limit); i++) {
		char *row = v9_top_line(&t->rows, t->rows.row[i], &t->choice, t->width);

		puts(row);
		free(row);
	}
}

static void print_row(struct v9_json *j, const struct v9_top_row *row, bool object)
{
	static const char *const names[V9_SPE_WEIGHTS] = {
		[V9_W_SAMPLES] = "samples", [V9_W_LATENCY] = "latency_cycles", [V9_W_ISSUE] = "issue_cycles",
		[V9_W_XLAT] = "translation_cycles", [V9_W_L1_MISSES] = "l1_misses",
		[V9_W_LLC_MISSES] = "llc_misses", [V9_W_TLB_MISSES] = "tlb_walks",
		[V9_W_MISPREDICTS] = "mispredictions",
	};

	v9_json_element(j);
	if (object)
		v9_json_text(j, "object", row->object);
	v9_json_text(j, "name", row->name);
	for (unsigned int i = 0; i < V9_SPE_WEIGHTS; i++)
		v9_json_number(j, names[i], row->value[i]);
	v9_json_object_end(j);
}

static void print_json(const struct v9_top *t)
{
	struct v9_put put;
	struct v9_json j = { .put = &put };

	v9_put_begin(&put, stdout);
	v9_json_begin(&j);
	v9_json_object(&j, "lost");
	for (unsigned int i = 0; i < V9_LIVE_LOSSES; i++)
		v9_json_number(&j, v9_live_loss_name[i].key, t->state.lost[i]);
	v9_json_object_end(&j);
	v9_json_number(&j, "up_ms", (uint64_t)(1e3 * t->head.up));
	v9_json_number(&j, "records", t->state.records);
	v9_json_number(&j, "records_per_second", (uint64_t)t->head.rate);
	v9_json_number(&j, "trace_bytes", t->state.trace_bytes);
	v9_json_number(&j, "own_cpu_permille", (uint64_t)(10 * t->head.cost));
	v9_json_number(&j, "period", t->period);
	if (t->attach) {
		v9_json_number(&j, "attached_to", (uint64_t)t->head.pid);
		v9_json_text(&j, "target", t->head.target);
		v9_json_flag(&j, "paused", t->head.stopped);
		v9_json_number(&j, "recorder_cpu_permille", (uint64_t)(10 * t->head.recorder));
		v9_json_number(&j, "overhead_ppm", t->head.spent);
		v9_json_number(&j, "budget_ppm", t->head.budget);
	}
	v9_json_number(&j, "evicted", t->state.evicted);
	v9_json_text(&j, "by", v9_top_by_name[t->choice.by]);
	v9_json_text(&j, "sort", v9_top_sort_name[t->choice.sort]);
	v9_json_number(&j, "total_rows", t->rows.nr);
	v9_json_open(&j, "rows");
	for (size_t i = 0; i < t->rows.nr && (!t->limit || i < t->limit); i++)
		print_row(&j, t->rows.row[i], *t->rows.row[i]->object);
	v9_json_close(&j);
	v9_json_end(&j);
	v9_put_flush(&put);
}

/* Returns false if nobody reads it. */
static bool print(struct v9_top *t)
{
	if (t->json)
		print_json(t);
	else
		print_text(t);
	t->shown++;
	return !fflush(stdout) && !ferror(stdout);
}

static void batch(struct v9_top *t)
{
	const struct timespec tick = { 0, (long)(1e9 * TICK) };
	double next = v9_top_now() + t->delay;

	while (!t->iterations || t->shown < t->iterations) {
		while (!t->ended && v9_top_now() < next)
			nanosleep(&tick, NULL);
		if (t->ended)
			return;
		v9_top_refresh(t);
		if (t->why && v9_ask_ended(&t->attach->ask)) {
			v9_error("%s", t->why);
			t->failed = true;
			break;
		}
		if (t->why)
			v9_warn("%s", t->why);
		else if (!print(t))
			break;
		/* Files that were read for the first time may have taken longer. */
		next += t->delay;
		next = next > v9_top_now() ? next : v9_top_now() + t->delay;
	}
	t->stop();
}

/* ---- the thread */

static void *run(void *arg)
{
	struct v9_top *t = arg;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGWINCH);
	sigaddset(&set, SIGTSTP);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	if (t->batch)
		batch(t);
	else
		v9_top_screen(t);
	return NULL;
}

static void begin(struct v9_top *t)
{
	t->choice.filter = t->filter;
	t->began = t->at = v9_top_now();
	t->cpu = cpu_seconds();
	t->head = (struct v9_top_head){ .event = t->event, .target = t->target, .period = t->period };
	v9_top_rows_init(&t->rows);
	v9_top_names_init(&t->names, t->proc, t->symfs);
}

static void end(struct v9_top *t)
{
	v9_top_rows_free(&t->rows);
	v9_top_names_free(&t->names);
	v9_live_copy_free(&t->state);
	free(t->why);
}

int v9_top_begin(struct v9_top *t, struct v9_worker *w)
{
	t->worker = w;
	begin(t);
	return pthread_create(&t->thread, NULL, run, t);
}

bool v9_top_attached(struct v9_top *t)
{
	begin(t);
	set_attached_head(t, 0);
	t->records = t->state.records;
	run(t);
	end(t);
	return !t->failed;
}

void v9_top_last(struct v9_top *t, const struct v9_live *l)
{
	v9_live_copy_take(&t->last, (struct v9_live *)l, 0);
}

/* What was lost is said, although the screen is gone. */
static void tell_losses(const struct v9_live_copy *s)
{
	for (unsigned int i = 0; i < V9_LIVE_LOSSES; i++)
		if (s->lost[i])
			v9_warn("lost: %llu %s", (unsigned long long)s->lost[i], v9_live_loss_name[i].text);
}

void v9_top_end(struct v9_top *t)
{
	t->ended = true;
	pthread_join(t->thread, NULL);
	v9_live_copy_free(&t->state);
	t->state = t->last;
	t->last = (struct v9_live_copy){ .records = 0 };
	if (t->batch && (!t->iterations || t->shown < t->iterations) && !ferror(stdout)) {
		set_head(t);
		v9_top_regroup(t);
		print(t);
	} else {
		tell_losses(&t->state);
	}
	end(t);
}
