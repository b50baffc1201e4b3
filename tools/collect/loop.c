// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "loop.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../util.h"

#ifndef PIDFD_THREAD
#define PIDFD_THREAD	O_EXCL
#endif

#define RETRY_MS	100	/* timeout of poll() if l->ticks or l->rings->retry */
#define PROGRESS_MS	500
#define ROUND_MS	1000	/* maximum time between drains of all rings, while any is drained */
#define SETTLE_MS	10000	/* until a unit has handed over the trace of a task, without a flush */
#define SECOND_NS	1000000000
#define OWN		4	/* descriptors that poll() has between those of rings and of processes */
#define TRIGGERED	"its trigger has just ended the recording, with its newest trace in the file"
#define STOPS		8	/* maximum number of times the events are disabled at the end */

/* -------------------------------------------------------------------------- the sinks */

/* Adds the process of a FORK record (pid, ppid, tid, ptid), which has inherited the events. */
static void add_task(struct v9_loop *l, const struct perf_event_header *h)
{
	const int *number = (const int *)(h + 1);

	if (number[0] != number[1] && (l->target->kind == V9_TARGET_COMMAND || l->target->kind == V9_TARGET_PID))
		v9_family_add(&l->rings->family, number[0]);
}

static int sink_record(void *ctx, const struct v9_aux_ring *ring, const struct perf_event_header *h)
{
	struct v9_loop *l = ctx;

	if (h->type == PERF_RECORD_FORK)
		add_task(l, h);
	h = v9_sideband_resolve(h, l->counts, l->objects);
	v9_cgroup_log_look(l->cgroups, h, v9_sideband_time(h));
	l->counts->stops += ring && ring->ev->overwrite && h->type == PERF_RECORD_AUX &&
			    ((const uint64_t *)(h + 1))[2] & PERF_AUX_FLAG_TRUNCATED;
	if (ring && l->watch)
		l->watch->record(l->arg, ring, h);
	if (ring)
		v9_writer_put(v9_writer_of(l->out, ring->ev), h, h->size);
	else
		v9_writer_record(l->out, h, h->size);
	return 0;	/* drain the rings even if the file cannot be written */
}

static int sink_aux(void *ctx, const struct v9_aux_ring *ring, const uint8_t *a, size_t na,
		    const uint8_t *b, size_t nb)
{
	struct v9_loop *l = ctx;
	struct pd_auxtrace aux = {
		.offset = ring->tail,
		.idx = ring->idx,
		.tid = ~0u,
		.cpu = (uint32_t)ring->cpu,
		.info = ring->ev->aux_info,
	};
	struct timespec ts;

	if (l->watch)
		l->watch->aux(l->arg, ring, a, na, b, nb);
	/* Any number that differs between recordings. */
	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	aux.reference = (uint64_t)(ts.tv_sec ^ ts.tv_nsec);
	if (v9_writer_aux(v9_writer_of(l->out, ring->ev), &aux, a, na, b, nb)) {
		l->counts->trace_unwritten += na + nb;
		return 0;	/* drain the ring all the same */
	}
	l->counts->trace_bytes += na + nb;
	l->counts->trace_pieces++;
	return 0;
}

/* Callbacks after the end of the file: count only. */
static int late_record(void *ctx, const struct v9_aux_ring *ring, const struct perf_event_header *h)
{
	struct v9_loop *l = ctx;

	(void)ring;
	v9_sideband_resolve(h, l->counts, l->objects);
	l->out->lost_records++;
	return 0;
}

static int late_aux(void *ctx, const struct v9_aux_ring *ring, const uint8_t *a, size_t na,
		    const uint8_t *b, size_t nb)
{
	struct v9_loop *l = ctx;

	(void)ring;
	(void)a;
	(void)b;
	l->counts->trace_late += na + nb;
	return 0;
}

/* ---------------------------------------------------------------------------- draining */

static uint64_t now_ms(void)
{
	return v9_clock_ns(CLOCK_MONOTONIC) / 1000000;
}

/*
 * Makes units hand over what they hold, once a second. Those of tasks hand it over when the task leaves
 * its CPU. Returns true if, after the next drain, all trace from before the last one has been read.
 */
static bool flush(struct v9_loop *l, uint64_t now)
{
	const bool cpus = l->target->kind == V9_TARGET_CPUS;

	if (v9_rings_idle(l->rings))
		return true;
	if (now - l->flushed_ms < (cpus ? ROUND_MS : SETTLE_MS) && !(cpus && l->flush_now))
		return false;
	l->flushed_ms = now;
	l->flush_now = false;
	if (cpus)
		v9_rings_flush(l->rings);
	return true;
}

/*
 * @named: as for v9_rings_drain(). A round is finished only after a drain of all rings: readers
 * rely on it that no ring has older records.
 */
static void drain(struct v9_loop *l, const struct pollfd *named)
{
	static const struct pd_event_header round = {
		.type = PD_REC_FINISHED_ROUND, .size = sizeof(round),
	};
	const struct v9_writer_other *other = l->out->other.record ? &l->out->other : NULL;
	const uint64_t now = now_ms();
	const bool whole = other && flush(l, now);

	/* What decodes needs the side-band of all rings at once. */
	if (other || now - l->drained_ms >= ROUND_MS)
		named = NULL;
	v9_rings_drain(l->rings, named, sink_record, sink_aux, l);
	l->found |= l->watch && l->watch->drained(l->arg);
	if (named)
		return;
	if (other)
		other->round(other->arg, whole);
	l->drained_ms = now;
	if (l->counts->records != l->round_start)
		v9_writer_record(l->out, &round, sizeof(round));
	l->round_start = l->counts->records;
}

/* A number that increases with all data from the rings */
static uint64_t taken(const struct v9_loop *l)
{
	return l->counts->records + l->counts->trace_bytes + l->counts->trace_unwritten;
}

/* Says in the file how long nothing was recorded, since it was said last. */
static void tell_paused(struct v9_loop *l, uint64_t now)
{
	struct pd_auxtrace_error e = {
		.header = { .type = PD_REC_AUXTRACE_ERROR, .size = sizeof(e) },
		.type = PD_ERROR_TRACE, .code = PD_ERROR_PAUSED, .cpu = ~0u, .pid = ~0u, .tid = ~0u,
		.ip = now - l->told_at,
	};

	if (!l->paused_at)
		return;
	snprintf(e.message, sizeof(e.message), "paused for %" PRIu64 " us", e.ip / 1000);
	l->told_at = now;
	l->counts->paused++;
	l->counts->paused_ns += e.ip;
	v9_writer_record(l->out, &e, sizeof(e));
}

/*
 * A task inherits an event in the state at the begin of fork(). The event of a task that was being
 * forked can still be enabled. Therefore disable the events until a drain finds no data.
 */
void v9_loop_stop(struct v9_loop *l)
{
	uint64_t before;
	int stops = 0;

	tell_paused(l, v9_clock_ns(CLOCK_MONOTONIC));
	do {
		before = taken(l);
		v9_rings_disable(l->rings);
		drain(l, NULL);
	} while (taken(l) != before && ++stops < STOPS);
}

void v9_loop_late(struct v9_loop *l)
{
	v9_rings_disable(l->rings);
	v9_rings_drain(l->rings, NULL, late_record, late_aux, l);
}

/* ------------------------------------------------------------------------- CPU hotplug */

/* A CPU that goes offline removes only events of that CPU. Events of a task migrate with it. */
static void watch_cpus(struct v9_loop *l)
{
	int *cpu, n;

	if (l->target->kind != V9_TARGET_CPUS)
		return;
	n = v9_rings_cpus(l->rings, &cpu);
	v9_cpus_begin(&l->cpus, cpu, n, l->began);
	free(cpu);
}

/* Called before the rings are opened, as a CPU may go offline at any time after that. */
void v9_loop_prepare(struct v9_loop *l)
{
	l->messages = -1;
	l->began = v9_clock_ns(CLOCK_MONOTONIC);
	if (l->target->kind != V9_TARGET_CPUS)
		return;
	l->messages = v9_cpus_socket();
	if (l->messages < 0)
		v9_warn("no messages of the kernel: a CPU that goes offline is not recorded from then on");
}

static void tell_missed(struct v9_loop *l, int cpu, uint64_t missed)
{
	struct pd_auxtrace_error e = {
		.header = { .type = PD_REC_AUXTRACE_ERROR, .size = sizeof(e) },
		.type = PD_ERROR_TRACE, .code = PD_ERROR_CPU_AWAY, .cpu = (uint32_t)cpu,
		.pid = ~0u, .tid = ~0u, .ip = missed,
	};

	snprintf(e.message, sizeof(e.message), "CPU %d not recorded for up to %" PRIu64 " us", cpu,
		 missed / 1000);
	l->counts->cpu_away++;
	l->counts->cpu_away_ns += missed;
	v9_writer_record(l->out, &e, sizeof(e));
}

static void take_step(struct v9_loop *l, enum v9_cpu_step step, int cpu, uint64_t missed)
{
	int err;

	if (step == V9_CPU_NOTHING)
		return;
	/* With -C, other CPUs are not of interest. */
	if (step == V9_CPU_NEW && l->target->cpu_list)
		return;
	err = step == V9_CPU_BACK ? v9_rings_reopen(l->rings, cpu) : 0;
	l->repoll = true;
	/* The CPU may have been away before its event was opened, which goes on then. */
	if (err && (l->runs || err != -EBUSY))
		v9_warn("CPU %d is back, and not all of it can be recorded any more: %s", cpu, strerror(-err));
	else if (step == V9_CPU_NEW)
		v9_warn("CPU %d was not online when the recording began: it is not recorded", cpu);
	tell_missed(l, cpu, missed);
}

static void take_messages(struct v9_loop *l)
{
	char message[2048];
	uint64_t missed = 0;
	int cpu = 0, i = 0;
	ssize_t n;

	for (;;) {
		n = recv(l->messages, message, sizeof(message), 0);
		if (n >= 0) {
			const enum v9_cpu_step step = v9_cpus_message(&l->cpus, message, (size_t)n,
								      v9_clock_ns(CLOCK_MONOTONIC), &cpu, &missed);

			take_step(l, step, cpu, missed);
		} else if (errno == ENOBUFS) {
			char *online = v9_read_line("/sys/devices/system/cpu/online");

			while (online && v9_cpus_unsure(&l->cpus, online, v9_clock_ns(CLOCK_MONOTONIC), &i, &cpu,
							&missed) != V9_CPU_NOTHING)
				take_step(l, V9_CPU_BACK, cpu, missed);
			free(online);
		} else if (errno != EINTR) {
			break;
		}
	}
}

/* ----------------------------------------------------------------------------- the loop */

static void show_progress(const struct v9_loop *l)
{
	static uint64_t last;
	const uint64_t now = now_ms();
	char trace[16], file[16];

	if (!l->progress || now - last < PROGRESS_MS)
		return;
	last = now;
	v9_progress("%s trace, %llu records, %s; lost: %llu, %llu truncated, %llu collided",
		    v9_bytes(trace, l->counts->trace_bytes),
		    (unsigned long long)l->counts->records,
		    v9_bytes(file, v9_writer_bytes(l->out)),
		    (unsigned long long)l->counts->lost,
		    (unsigned long long)l->counts->truncated,
		    (unsigned long long)l->counts->collided);
}

static bool is_attached(const struct v9_target *t)
{
	return t->kind == V9_TARGET_PID || t->kind == V9_TARGET_TID;
}

/* Returns true if the task has ended, or is a zombie. */
static bool task_ended(int pid)
{
	char *path = v9_format("/proc/%d/stat", pid), *line = v9_read_line(path), *state;
	bool ended;

	free(path);
	state = line ? strrchr(line, ')') : NULL;
	ended = !state || state[2] == 'Z' || state[2] == 'X';
	free(line);
	return ended;
}

/* Returns true if all tasks of -p or -t have ended. */
static bool attached_ended(const struct v9_target *t)
{
	if (!is_attached(t))
		return false;
	for (int i = 0; i < t->pids; i++)
		if (!task_ended(t->pid[i]))
			return false;
	return true;
}

/* Open pidfds, so that poll() reports the end of a task, if the kernel supports it. */
static void watch_attached(struct v9_loop *l)
{
	const struct v9_target *t = l->target;

	l->attached = v9_alloc((size_t)(t->pids + 1) * sizeof(*l->attached));
	for (int i = 0; i < t->pids; i++) {
		/* threads: from Linux 6.9 on */
		l->attached[i] = !is_attached(t) ? -1 :
			(int)syscall(SYS_pidfd_open, t->pid[i],
				     t->kind == V9_TARGET_TID ? PIDFD_THREAD : 0);
		l->ticks |= is_attached(t) && l->attached[i] < 0;
	}
}

/* ------------------------------------------------------------------- start, end, commands */

static uint64_t after(uint64_t now, uint64_t ns)
{
	return ns > UINT64_MAX - now ? 0 : now + ns;
}

bool v9_loop_snapshot(struct v9_loop *l, bool keep)
{
	return v9_rings_snapshot(l->rings, sink_record, keep ? sink_aux : NULL, l);
}

/* The events were enabled, or a ping came: silence counts from now on, but not before a trigger may come. */
static void hear(struct v9_loop *l, uint64_t now)
{
	l->silent_at = l->silence_ns && !l->paused_at ? after(now, l->silence_ns) : 0;
	if (l->silent_at && l->silent_at < l->arm_at)
		l->silent_at = l->arm_at;
}

static void arm(struct v9_loop *l, uint64_t now)
{
	l->arm_at = after(now, l->arm_ns);
	l->look_at = l->watch && l->watch->look ? now : 0;
	hear(l, now);
}

static void enable(struct v9_loop *l, uint64_t now)
{
	l->enable_at = 0;
	l->counts->restarts += l->arm_at && l->rings->paused;
	v9_rings_enable(l->rings, V9_OTHERS);
	if (!l->arm_at)
		arm(l, now);
	else
		hear(l, now);
	if (!l->end_at && l->duration_ns)
		l->end_at = after(now, l->duration_ns);
}

static void set_times(struct v9_loop *l)
{
	const uint64_t now = v9_clock_ns(CLOCK_MONOTONIC);

	l->enable_at = l->rings->late ? after(now, l->delay_ns) : 0;
	l->end_at = l->duration_ns && !l->rings->late ? after(now, l->duration_ns) : 0;
	l->switch_at = l->files && l->files->ns ? after(now, l->files->ns) : 0;
	l->second_at = l->each_second ? after(now, SECOND_NS) : 0;
	if (!l->rings->late)
		arm(l, now);
}

/* The watch has found a trigger: the overwritten areas are read before anything else is done. */
static void take_found(struct v9_loop *l, uint64_t now)
{
	if (!l->found)
		return;
	l->found = false;
	l->ended |= l->on_trigger(l->arg, true, now < l->arm_at);
}

/* The answer to a command that was not executed: the reason, as printf() formats it */
static void __attribute__((format(printf, 2, 3))) refuse(struct v9_reply *r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(r->text, sizeof(r->text), fmt, ap);
	va_end(ap);
	r->failed = 1;
}

/* A trigger has stopped an overwritten area. */
static bool ends_at_trigger(struct v9_loop *l)
{
	return l->rings->triggered && (!l->on_trigger || l->on_trigger(l->arg, false, v9_clock_ns(CLOCK_MONOTONIC) < l->arm_at));
}

/*
 * Before areas are read by a command: a trigger that was there before it is handled first. Returns true if that ends the
 * recording.
 */
static bool has_just_ended(struct v9_loop *l, struct v9_reply *r)
{
	drain(l, NULL);
	take_found(l, v9_clock_ns(CLOCK_MONOTONIC));
	l->ended |= ends_at_trigger(l);
	if (l->ended)
		refuse(r, TRIGGERED);
	return l->ended;
}

/* ---- pause and resume */

static void pause_events(struct v9_loop *l, struct v9_reply *r)
{
	const uint64_t now = v9_clock_ns(CLOCK_MONOTONIC);

	if (!l->rings->auxs) {
		refuse(r, "it has no unit that others could want");
		return;
	}
	l->retry_at = 0;
	if (l->paused_at)
		return;
	if (has_just_ended(l, r))
		return;
	l->silent_at = 0;
	v9_rings_release(l->rings, sink_record, sink_aux, l);
	/* The mappings of what was in the rings are in the side-band. */
	drain(l, NULL);
	/* A trigger that came since the drain before: the areas were read with it. */
	l->ended |= ends_at_trigger(l);
	if (l->ended) {
		refuse(r, TRIGGERED);
		return;
	}
	l->paused_at = l->told_at = now;
	l->repoll = true;
	if (l->on_pause)
		l->on_pause(l->arg, true);
	v9_warn("paused: its units are free for other sessions, until v9trace resume");
}

/*
 * Returns 0, or -errno with *@why: what failed. The caller frees it. Who has a unit that is busy is only looked for with
 * @look: that reads all of /proc. Without it *@why is NULL then.
 */
static int take_again(struct v9_loop *l, bool look, char **why)
{
	const struct v9_event_spec *busy = NULL;
	const int err = v9_rings_take(l->rings, &busy);
	const uint64_t now = v9_clock_ns(CLOCK_MONOTONIC);
	const char *useless;

	*why = NULL;
	l->attempts++;
	l->retry_at = err == -EBUSY ? after(now, SECOND_NS) : 0;
	if (err == -EBUSY && !look)
		return err;
	if (err) {
		char *who = err == -EBUSY ? v9_rings_holders() : v9_strdup(strerror(-err));

		*why = v9_format("%s: %s", busy->label, who);
		free(who);
		return err;
	}
	useless = l->on_pause ? l->on_pause(l->arg, false) : NULL;
	if (useless) {
		v9_rings_release(l->rings, sink_record, sink_aux, l);
		*why = v9_strdup(useless);
		return -EIO;
	}
	tell_paused(l, now);
	v9_warn("records again, after %.3f s and %" PRIu64 " attempt%s", (double)(now - l->paused_at) / 1e9, l->attempts,
		l->attempts == 1 ? "" : "s");
	l->paused_at = 0;
	l->repoll = true;
	if (!l->rings->paused)
		hear(l, now);
	return 0;
}

static void resume_events(struct v9_loop *l, struct v9_reply *r)
{
	char *why = NULL;
	int err = 0;

	if (l->paused_at) {
		if (!l->retry_at)
			l->attempts = 0;
		err = take_again(l, true, &why);
	}
	if (!err) {
		if (l->rings->paused)
			refuse(r, "its units are not paused, but its events are disabled (-D, or the command disable): it "
			       "records when the command enable comes by --control");
		return;
	}
	r->failed = err != -EBUSY;
	snprintf(r->text, sizeof(r->text), "%s", why);
	v9_warn("resume: %s%s", r->text, r->failed ? "; it stays paused" : "; it is tried again each second");
	free(why);
}

/* An attempt that is due. Only what is not busy any more is told. */
static void retry(struct v9_loop *l, uint64_t now)
{
	char *why;
	int err;

	if (!l->retry_at || now < l->retry_at)
		return;
	err = take_again(l, false, &why);
	if (err && err != -EBUSY)
		v9_warn("resume: %s; it stays paused", why);
	free(why);
}

static void keep_times(struct v9_loop *l)
{
	const uint64_t now = v9_clock_ns(CLOCK_MONOTONIC);

	if (l->enable_at && now >= l->enable_at)
		enable(l, now);
	l->ended |= l->end_at && now >= l->end_at;
	if (l->second_at && now >= l->second_at) {
		l->each_second(l->arg);
		l->second_at = after(now, SECOND_NS);
	}
	if (l->silent_at && now >= l->silent_at) {
		l->silent_at = 0;
		l->ended |= l->on_trigger(l->arg, true, false);
	}
	retry(l, now);
	take_found(l, now);
	if (l->look_at && now >= l->look_at) {
		l->watch->look(l->arg);
		drain(l, NULL);
		l->look_at = after(v9_clock_ns(CLOCK_MONOTONIC), l->watch->rest(l->arg));
		take_found(l, now);
	}
}

/* ---- commands */

/* Completes the file, and begins the next one. Returns 0 or -errno. */
static int begin_file(struct v9_loop *l)
{
	int err;

	l->flush_now = true;
	drain(l, NULL);
	tell_paused(l, v9_clock_ns(CLOCK_MONOTONIC));
	err = l->begin_file(l->arg);
	l->ended |= err != 0;
	l->round_start = l->counts->records;
	return err;
}

/* A snapshot as a file of its own: it is complete, so that it can be read while the recording goes on. */
static void take_now(struct v9_loop *l, struct v9_reply *r)
{
	char *path;
	int err;

	if (!l->files) {
		refuse(r, "there are no snapshots in files without --flight and -o FILE");
		return;
	}
	if (has_just_ended(l, r))
		return;
	if (!v9_loop_snapshot(l, true)) {
		refuse(r, "there is no snapshot without --flight");
		return;
	}
	/* One that came since: the areas were read with it. */
	l->ended |= ends_at_trigger(l);
	if (l->ended) {
		refuse(r, TRIGGERED);
		return;
	}
	err = begin_file(l);
	r->failed = err != 0;
	/* Who asked may be in another directory. */
	path = err ? NULL : realpath(l->files->name[l->files->n - 1], NULL);
	snprintf(r->text, sizeof(r->text), "%s", err ? strerror(-err) : path ? path : l->files->name[l->files->n - 1]);
	free(path);
}

static void execute(struct v9_loop *l, enum v9_command command, struct v9_reply *r)
{
	switch (command) {
	case V9_COMMAND_ENABLE:
		enable(l, v9_clock_ns(CLOCK_MONOTONIC));
		break;
	case V9_COMMAND_DISABLE:
		l->enable_at = l->silent_at = 0;
		v9_rings_pause(l->rings);
		drain(l, NULL);
		break;
	case V9_COMMAND_SNAPSHOT:
		if (!v9_loop_snapshot(l, true))
			refuse(r, "snapshot: there is none without --flight");
		break;
	case V9_COMMAND_STOP:
		l->ended = true;
		break;
	case V9_COMMAND_PING:
		if (l->arm_at && !v9_rings_idle(l->rings))
			hear(l, v9_clock_ns(CLOCK_MONOTONIC));
		break;
	case V9_COMMAND_PAUSE:
		pause_events(l, r);
		break;
	case V9_COMMAND_RESUME:
		resume_events(l, r);
		break;
	case V9_COMMAND_NOW:
		take_now(l, r);
		break;
	default:
		refuse(r, "'%s': no such command (enable, disable, snapshot, stop, ping, pause, resume, now)",
		       l->control->asker >= 0 ? l->control->request : l->control->line);
	}
}

static void take_commands(struct v9_loop *l)
{
	enum v9_command command;

	while (!l->ended && (command = v9_control_next(l->control)) != V9_COMMAND_NONE) {
		struct v9_reply r = { .failed = 0 };

		execute(l, command, &r);
		r.state = !l->paused_at ? V9_STATE_RECORDS : l->retry_at ? V9_STATE_WAITS : V9_STATE_PAUSED;
		r.paused_ns = l->paused_at ? v9_clock_ns(CLOCK_MONOTONIC) - l->paused_at : 0;
		v9_control_answer(l->control, &r);
	}
}

/* Drains the rings first, so that trace is in the same file as the records that describe it. */
static void switch_file(struct v9_loop *l)
{
	const uint64_t now = v9_clock_ns(CLOCK_MONOTONIC);

	if (!l->files || !(l->switch_now || (l->switch_at && now >= l->switch_at) ||
			   (l->files->bytes && v9_writer_bytes(l->out) >= l->files->bytes)))
		return;
	l->switch_now = false;
	begin_file(l);
	l->switch_at = l->files->ns ? after(v9_clock_ns(CLOCK_MONOTONIC), l->files->ns) : 0;
}

/* Timeout of poll() in ms; -1: none */
static int patience(const struct v9_loop *l)
{
	/* The end is set when the events are enabled, so it is never the earlier one. */
	uint64_t next = l->enable_at ? l->enable_at : l->end_at;
	const uint64_t now = v9_clock_ns(CLOCK_MONOTONIC);
	int ms = l->progress || l->watched ? PROGRESS_MS : -1;

	if (l->ticks || l->rings->retry)
		ms = RETRY_MS;
	if (l->switch_at && (!next || l->switch_at < next))
		next = l->switch_at;
	if (l->second_at && (!next || l->second_at < next))
		next = l->second_at;
	if (l->silent_at && (!next || l->silent_at < next))
		next = l->silent_at;
	if (l->look_at && (!next || l->look_at < next))
		next = l->look_at;
	if (l->retry_at && (!next || l->retry_at < next))
		next = l->retry_at;
	if (!next)
		return ms;
	if (next <= now)
		return 0;
	if (ms >= 0 && (next - now) / 1000000 >= (uint64_t)ms)
		return ms;
	/* Rounded up: not before it is time. */
	return (next - now) / 1000000 < 1000000 ? (int)((next - now) / 1000000 + 1) : 1000000;
}

void v9_loop_run(struct v9_loop *l)
{
	const int n = l->rings->polls;
	struct pollfd fds[n + OWN + l->target->pids];
	struct signalfd_siginfo info;

	watch_attached(l);
	watch_cpus(l);
	if (l->messages >= 0)
		take_messages(l);
	l->runs = true;
	/* Wake up often: code of a BPF program can only be read until the program is unloaded. */
	l->ticks |= l->objects->bpf.wanted;
	memcpy(fds, l->rings->poll, (size_t)n * sizeof(fds[0]));
	fds[n] = (struct pollfd){ .fd = l->signals, .events = POLLIN };
	fds[n + 1] = (struct pollfd){ .fd = l->control->in, .events = POLLIN };
	fds[n + 2] = (struct pollfd){ .fd = l->messages, .events = POLLIN };
	fds[n + 3] = (struct pollfd){ .fd = l->control->requests, .events = POLLIN };
	for (int i = 0; i < l->target->pids; i++)
		fds[n + OWN + i] = (struct pollfd){ .fd = l->attached[i], .events = POLLIN };
	set_times(l);
	while (!v9_writer_error(l->out)) {
		const int woken = poll(fds, (nfds_t)(n + OWN + l->target->pids), patience(l));

		drain(l, woken > 0 ? fds : NULL);
		/*
		 * A ring whose tasks have all ended would wake poll() each time: remove it. If
		 * several tasks share a ring, poll() reports only the first one. After its end
		 * drain the ring periodically.
		 */
		for (int i = 0; i < n; i++)
			if (fds[i].revents & (POLLHUP | POLLERR | POLLNVAL)) {
				fds[i].fd = -1;
				l->ticks = true;
			}
		if (fds[n + 2].revents)
			take_messages(l);
		/* A task that has ended stays readable. */
		for (int i = n + OWN; i < n + OWN + l->target->pids; i++)
			if (fds[i].revents)
				fds[i].fd = -1;
		take_commands(l);
		keep_times(l);
		for (int i = 0; l->repoll && i < n; i++)
			fds[i].fd = l->rings->poll[i].fd;
		l->repoll = false;
		fds[n + 1].fd = l->control->in;
		show_progress(l);
		while (read(l->signals, &info, sizeof(info)) == sizeof(info))
			if (info.ssi_signo == SIGUSR2)
				l->switch_now = true;
			else if (info.ssi_signo != SIGCHLD)
				l->interrupted = true;
		switch_file(l);
		if (l->interrupted || l->ended || ends_at_trigger(l) ||
		    (l->child->pid && v9_child_ended(l->child)) || attached_ended(l->target))
			break;
	}
	for (int i = 0; i < l->target->pids; i++)
		if (l->attached[i] >= 0)
			close(l->attached[i]);
	free(l->attached);
	if (l->messages >= 0)
		close(l->messages);
	v9_cpus_free(&l->cpus);
}
