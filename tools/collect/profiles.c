// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "profiles.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../live/profile.h"
#include "../live/serve.h"
#include "../live/worker.h"
#include "sections.h"
#include "sideband.h"

struct v9_profiles {
	struct v9_worker *worker;
	struct v9_server server;
	struct v9_profiles_options options;
	struct perf_event_attr *attr;	/* of the SPE events */
	size_t nr_attrs;
	const struct v9_event_spec *ev;
	int evs;
	bool watched;			/* .begin of the watch was called */
	const char *prefix;
	struct v9_switch_output *files;
	struct v9_objects ids;		/* build-ids of files; of the thread */
	uint64_t file_bytes;		/* of the thread */
	bool told;			/* why a profile was not written */
};

int v9_profiles_check(const struct v9_event_spec *ev, int evs)
{
	for (int i = 0; i < evs; i++) {
		if (ev[i].tracking || (ev[i].aux && ev[i].aux->auxtrace == PD_AUXTRACE_ARM_SPE))
			continue;
		v9_error("--aggregate: %s: only SPE (arm_spe_0//) can be added up while it is recorded%s",
			 ev[i].label, ev[i].aux ? ": the flow of a trace of instructions takes longer to decode "
			 "than to execute" : "");
		return -EINVAL;
	}
	return 0;
}

char *v9_profiles_prefix(const char *output)
{
	struct stat st;
	const size_t n = strlen(output);

	if (stat(output, &st) || !S_ISDIR(st.st_mode))
		return v9_strdup(output);
	return v9_format("%s%sv9trace", output, output[n - 1] == '/' ? "" : "/");
}

/* ---- in the thread */

static unsigned int find_id(void *arg, const char *name, bool kernel, uint8_t id[V9_LIVE_ID])
{
	struct v9_profiles *p = arg;
	const struct v9_id found = v9_objects_id(&p->ids, name, kernel);

	_Static_assert(sizeof(found.bytes) == V9_LIVE_ID, "both are a build-id");
	memcpy(id, found.bytes, sizeof(found.bytes));
	return found.size;
}

/* Writes to a file of another name: one that has the name of a profile is whole. */
static int write_file(const struct v9_profiles *p, const struct v9_live *l, int fd)
{
	FILE *f = fdopen(fd, "w");
	int err;

	if (!f) {
		err = errno;
		close(fd);
		return err;
	}
	errno = 0;
	if (p->options.shard)
		v9_shard_of_profile(l, p->attr, p->nr_attrs, f);
	else
		v9_profile_write(l, f);
	err = fflush(f) || ferror(f) ? (errno ? errno : EIO) : 0;
	if (fclose(f) && !err)
		err = errno;
	return err;
}

static int keep(void *arg, const struct v9_live *l)
{
	struct v9_profiles *p = arg;
	char *path = v9_format("%s.XXXXXX", p->prefix);
	const int fd = mkostemp(path, O_CLOEXEC);	/* mode 0600 */
	struct stat st = { .st_size = 0 };
	int err = fd < 0 ? errno : write_file(p, l, fd);

	if (!err && stat(path, &st))
		err = errno;
	if (!err && !v9_switch_name(p->files, path, p->prefix))
		err = EIO;
	if (err) {
		if (!p->told)
			v9_error("%s: no %s can be written there: %s; its sums go into the next one",
				 p->prefix, v9_profiles_item(&p->options), strerror(err));
		if (fd >= 0)
			unlink(path);
	} else {
		p->file_bytes += (uint64_t)st.st_size;
	}
	p->told = err;
	free(path);
	v9_objects_free(&p->ids);
	/* The symbols took more than the sums. The C library would keep what was freed. */
	malloc_trim(0);
	return -err;
}

/* Nothing is written: the sums stay, until the last call of it. */
static int show(void *arg, const struct v9_live *l)
{
	struct v9_profiles *p = arg;

	if (p->watched)
		p->options.watch->last(p->options.watch->arg, l);
	v9_objects_free(&p->ids);
	return 0;
}

/* ---- in the collector */

static void take_record(void *arg, const void *record, size_t size)
{
	v9_worker_record(((struct v9_profiles *)arg)->worker, record, size);
}

static void take_aux(void *arg, const struct pd_auxtrace *aux, const uint8_t *a, size_t na,
		     const uint8_t *b, size_t nb)
{
	v9_worker_aux(((struct v9_profiles *)arg)->worker, aux, a, na, b, nb);
}

static void take_round(void *arg, bool whole)
{
	v9_worker_round(((struct v9_profiles *)arg)->worker, whole);
}

struct v9_writer_other v9_profiles_other(struct v9_profiles *p)
{
	return (struct v9_writer_other){
		.record = take_record, .aux = take_aux, .round = take_round, .arg = p,
	};
}

void v9_profiles_period(struct v9_profiles *p, int cpu, uint64_t offset, uint64_t period)
{
	const struct v9_live_period r = {
		.header = { .type = V9_LIVE_PERIOD, .size = sizeof(r) }, .cpu = (uint32_t)cpu,
		.offset = offset, .period = period,
	};

	v9_worker_tell(p->worker, &r, sizeof(r));
}

void v9_profiles_cost(struct v9_profiles *p, uint32_t cost, uint32_t budget, bool interrupts)
{
	const struct v9_live_cost r = {
		.header = { .type = V9_LIVE_COST, .size = sizeof(r) }, .cost = cost, .budget = budget,
		.interrupts = interrupts,
	};

	v9_worker_tell(p->worker, &r, sizeof(r));
}

const char *v9_profiles_cost_is(bool interrupts)
{
	return V9_LIVE_COST_IS(interrupts);
}

uint64_t v9_profiles_written(struct v9_profiles *p)
{
	return v9_worker_written(p->worker);
}

/* A file can be made there, not only after the first interval. Returns false after an error message. */
static bool can_write(const struct v9_profiles_options *o, const char *prefix)
{
	char *path = v9_format("%s.XXXXXX", prefix);
	const int fd = mkostemp(path, O_CLOEXEC);

	if (fd < 0) {
		v9_error("-o %s: no %s can be written there: %s", prefix, v9_profiles_item(o),
			 strerror(errno));
	} else {
		close(fd);
		unlink(path);
	}
	free(path);
	return fd >= 0;
}

bool v9_profiles_answer(void *p, struct v9_asker *r, const char *request)
{
	return v9_serve(&((struct v9_profiles *)p)->server, r, request);
}

void v9_profiles_paused(struct v9_profiles *p, bool paused)
{
	p->server.paused = paused;
}

static void set_server(struct v9_profiles *p)
{
	int i = 0;

	while (i + 1 < p->evs && !p->ev[i].aux)
		i++;
	p->server = (struct v9_server){
		.worker = p->worker, .event = p->ev[i].label, .target = p->options.target,
		.period = p->ev[i].attr.a.sample_period,
	};
}

struct v9_profiles *v9_profiles_start(const struct v9_profiles_options *o, const char *prefix,
				      struct v9_switch_output *files, const struct v9_event_spec *ev, int evs)
{
	const uint64_t memory = o->memory ? o->memory : V9_PROFILES_MEMORY;
	struct v9_profiles *p;
	struct v9_blob registers = { 0 };
	struct v9_worker_setup setup = {
		/* A quarter is for what waits. */
		.live = { .memory = memory - memory / 4, .lines = o->lines, .types = o->shard,
			  .find_id = find_id, .begin = v9_clock_ns(CLOCK_REALTIME) },
		.most = memory / 4, .write = keep,
	};

	if (!o->watch && !can_write(o, prefix))
		return NULL;
	p = v9_alloc(sizeof(*p));
	setup.arg = setup.live.arg = p;
	if (o->watch) {
		/* A quarter for the sums, and one each for their copy and the rows of these */
		setup.live.memory = memory / 4;
		setup.live.classes = true;
		setup.write = show;
	}
	p->ev = ev;
	p->evs = evs;
	p->options = *o;
	p->prefix = prefix;
	p->files = files;
	files->ending = o->shard ? V9_SHARD_ENDING : V9_PROFILE_ENDING;
	if (!o->watch && (files->most || files->most_bytes))
		v9_switch_adopt(files, prefix);
	p->attr = v9_alloc((size_t)evs * sizeof(*p->attr));
	for (int i = 0; i < evs; i++)
		if (ev[i].aux)
			p->attr[p->nr_attrs++] = ev[i].attr.a;
	v9_sections_registers(&registers, ev, evs);
	setup.live.registers = registers.data;
	setup.live.registers_size = registers.len;
	p->worker = v9_worker_start(&setup);
	v9_blob_free(&registers);
	set_server(p);
	if (p->worker)
		return p;
	v9_error("--aggregate: no thread: %s", strerror(errno));
	free(p->attr);
	free(p);
	return NULL;
}

int v9_profiles_begin(struct v9_profiles *p)
{
	const struct v9_profiles_watch *w = p->options.watch;
	int ret = 0;

	if (!w)
		return 0;
	ret = w->begin(w->arg, p->worker, p->ev, p->evs);
	p->watched = !ret;
	return ret;
}

void v9_profiles_next(struct v9_profiles *p)
{
	if (!p->options.watch)
		v9_worker_interval(p->worker, v9_clock_ns(CLOCK_REALTIME));
}

int v9_profiles_end(struct v9_profiles *p, struct v9_profiles_sums *sums)
{
	struct v9_worker_total total;

	v9_worker_stop(p->worker, v9_clock_ns(CLOCK_REALTIME), &total);
	*sums = (struct v9_profiles_sums){
		.profiles = total.profiles, .file_bytes = p->file_bytes, .records = total.records,
		.late_bytes = total.late_bytes, .skipped_bytes = total.skipped, .evicted = total.evicted,
		.maps_dropped = total.maps_dropped, .lost_records = total.lost_records,
	};
	if (p->watched)
		p->options.watch->end(p->options.watch->arg);
	free(p->attr);
	free(p);
	return total.error;
}
