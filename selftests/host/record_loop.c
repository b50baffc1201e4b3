// SPDX-License-Identifier: GPL-2.0-only
/*
 * The loop of v9trace record, with rings that the test fills: all data is in the file or in a
 * counter of the summary; while recording only rings that poll() returned are drained.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include <v9trace/base.h>

#include "messages.h"
#include "tap.h"

static ssize_t full_writev(int fd, const struct iovec *piece, int n);
#define writev full_writev
#include "../../tools/util.c"
#include "../../tools/collect/pack.c"
#include "../../tools/collect/writer.c"
#undef writev
#include "../../tools/collect/event.c"
#include "../../tools/collect/control.c"
#include "../../tools/collect/cpus.c"
#include "../../tools/collect/family.c"

/*
 * The time of the loop, in nanoseconds. It passes in poll() alone, so that no result depends on how busy the
 * machine is.
 */
static uint64_t now_ns = 1000000000000;

#define MS_NS	UINT64_C(1000000)

static uint64_t simulated_clock(clockid_t clock)
{
	(void)clock;
	return now_ns;
}

/* A program that sends commands: each so many ms after the one before, NULL behind the last one */
static struct {
	int fd;
	const char *const *command;
	const unsigned int *ms;
	uint64_t at;		/* when it sends the next one; 0: it has sent all */
} sender;

static void send_next(void)
{
	if (write(sender.fd, *sender.command, strlen(*sender.command)) < 0)
		exit(1);
	sender.command++;
	sender.ms++;
	sender.at = *sender.command ? sender.at + *sender.ms * MS_NS : 0;
}

/* Waits for what is not simulated (the end of a process) only if it has no timeout. */
static int simulated_poll(struct pollfd *fds, nfds_t n, int ms)
{
	const int woken = poll(fds, n, ms < 0 && !sender.at ? -1 : 0);
	const uint64_t until = now_ns + (uint64_t)ms * MS_NS;

	if (woken || !ms)
		return woken;
	if (!sender.at || (ms > 0 && until < sender.at)) {
		now_ns = until;
		return 0;
	}
	now_ns = sender.at;
	send_next();
	return poll(fds, n, 0);
}

#define poll(fds, n, ms)	simulated_poll(fds, n, ms)
#define v9_clock_ns(clock)	simulated_clock(clock)
#include "../../tools/collect/loop.c"
#undef poll
#undef v9_clock_ns

#define RINGS	3		/* of AUX; none of ordinary events */

static uint64_t room;		/* free bytes of the simulated disk */

static ssize_t full_writev(int fd, const struct iovec *piece, int n)
{
	ssize_t done = 0;

	for (int i = 0; i < n; i++) {
		size_t len = piece[i].iov_len < room ? piece[i].iov_len : room;

		if (len && write(fd, piece[i].iov_base, len) != (ssize_t)len)
			return -1;
		done += (ssize_t)len;
		room -= len;
		if (len < piece[i].iov_len)
			break;
	}
	if (!done)
		errno = ENOSPC;
	return done ? done : -1;
}

/* Data that the unit wrote, and the part that is still in a ring */
static uint64_t wrote, records, waiting[RINGS], waiting_records[RINGS];
static int drains[RINGS], disables;
/* Bytes and records that arrive in ring 1 after the n-th drain of all rings */
static uint64_t comes_behind[8];
static int whole_drains;
static int wake[RINGS];		/* writing ends of pipes in place of perf's files */

static void unit_writes(int ring, uint64_t bytes, uint64_t n)
{
	waiting[ring] += bytes;
	waiting_records[ring] += n;
	wrote += bytes;
	records += n;
}

int v9_rings_drain(struct v9_rings *r, const struct pollfd *named, v9_record_fn record,
		   v9_aux_fn aux, void *ctx)
{
	static const uint8_t trace[1 << 16];
	char byte;

	for (int i = 0; i < RINGS; i++) {
		const struct perf_event_header h = { .type = PERF_RECORD_AUX, .size = sizeof(h) };

		if (named && !named[i].revents)
			continue;
		drains[i]++;
		/* a perf file descriptor is readable until it is polled */
		while (read(r->poll[i].fd, &byte, 1) == 1)
			;
		/* Over the end of its area, unless it is very little */
		if (waiting[i])
			aux(ctx, &r->aux[i], trace, waiting[i] - waiting[i] / 3, trace, waiting[i] / 3);
		for (; waiting_records[i]; waiting_records[i]--)
			record(ctx, &r->aux[i], &h);
		waiting[i] = 0;
	}
	if (!named && ++whole_drains <= 8)
		if (comes_behind[whole_drains - 1])
			unit_writes(1, comes_behind[whole_drains - 1], 1);
	return 0;
}

static int flushes;

void v9_rings_flush(struct v9_rings *r)
{
	(void)r;
	flushes++;
}

static int enables, pauses, snapshots;
static bool no_snapshot, fires_in_snapshot;	/* a trigger that the drain before it has not seen */
static uint64_t enabled_at;

int v9_rings_enable(struct v9_rings *r, enum v9_rings_what what)
{
	r->paused = false;
	enables += what == V9_OTHERS;
	enabled_at = now_ns;
	return 0;
}

void v9_rings_pause(struct v9_rings *r)
{
	r->paused = true;
	pauses++;
}

bool v9_rings_snapshot(struct v9_rings *r, v9_record_fn record, v9_aux_fn aux, void *ctx)
{
	(void)record;
	(void)ctx;
	snapshots += aux && !no_snapshot;
	r->triggered = fires_in_snapshot;
	fires_in_snapshot = false;
	return !no_snapshot;
}

void v9_rings_disable(struct v9_rings *r)
{
	r->stopped = true;
	disables++;
}

/* v9trace pause and resume: busy_takes attempts find the unit busy */
static int releases, takes, busy_takes, take_error, holder_looks;

void v9_rings_release(struct v9_rings *r, v9_record_fn record, v9_aux_fn aux, void *ctx)
{
	v9_rings_drain(r, NULL, record, aux, ctx);
	r->released = true;
	r->triggered |= fires_in_snapshot;
	fires_in_snapshot = false;
	releases++;
}

int v9_rings_take(struct v9_rings *r, const struct v9_event_spec **busy)
{
	takes++;
	*busy = r->aux[0].ev;
	if (busy_takes-- > 0)
		return -EBUSY;
	if (take_error)
		return take_error;
	r->released = false;
	return 0;
}

char *v9_rings_holders(void)
{
	holder_looks++;
	return v9_strdup("in use by another recording; perf (PID 7)");
}

static int reopened, reopened_cpu, reopen_error;

int v9_rings_reopen(struct v9_rings *r, int cpu)
{
	(void)r;
	reopened++;
	reopened_cpu = cpu;
	return reopen_error;
}

int v9_rings_cpus(const struct v9_rings *r, int **cpu)
{
	*cpu = v9_alloc(2 * sizeof(**cpu));
	(*cpu)[0] = 0;
	(*cpu)[1] = 3;
	(void)r;
	return 2;
}

const struct perf_event_header *v9_sideband_resolve(const struct perf_event_header *record,
						    struct v9_record_counts *c,
						    struct v9_objects *objects)
{
	(void)objects;
	c->records++;
	return record;
}

uint64_t v9_sideband_time(const struct perf_event_header *record)
{
	(void)record;
	return 0;
}

void v9_cgroup_log_look(struct v9_cgroup_log *log, const struct perf_event_header *h, uint64_t time)
{
	(void)log;
	(void)h;
	(void)time;
}

bool v9_child_ended(struct v9_child *c)
{
	return c->ended;
}

static char dir[] = "/tmp/record_loop.XXXXXX";
static char path[64];
static struct v9_instance inst[1] = { { .id = 77 } };
static struct v9_event_spec event = { .inst = inst, .insts = 1 };
static struct v9_aux_ring aux_rings[RINGS];
static struct pollfd polls[RINGS];
static struct v9_rings rings;
static struct v9_writer out;
static struct v9_record_counts counts;
static struct v9_child child;
static struct v9_target target;
static struct v9_control control;
static struct v9_objects objects;
static struct v9_loop loop;
static int signal_pipe[2];

static void begin(uint64_t take)
{
	room = UINT64_MAX;
	event.attr.a.size = PERF_ATTR_SIZE_VER7;
	wrote = records = 0;
	whole_drains = disables = 0;
	memset(drains, 0, sizeof(drains));
	memset(waiting, 0, sizeof(waiting));
	memset(waiting_records, 0, sizeof(waiting_records));
	memset(comes_behind, 0, sizeof(comes_behind));
	rings = (struct v9_rings){ .aux = aux_rings, .auxs = RINGS, .poll = polls, .polls = RINGS };
	for (int i = 0; i < RINGS; i++) {
		int fd[2];

		if (pipe2(fd, O_NONBLOCK | O_CLOEXEC))
			exit(1);
		wake[i] = fd[1];
		polls[i] = (struct pollfd){ .fd = fd[0], .events = POLLIN };
		aux_rings[i] = (struct v9_aux_ring){ .ev = &event, .idx = (uint32_t)i, .cpu = i };
	}
	if (pipe2(signal_pipe, O_NONBLOCK | O_CLOEXEC) || v9_writer_open(&out, path, &event, 1, 4096))
		exit(1);
	room = take;
	counts = (struct v9_record_counts){ 0 };
	child = (struct v9_child){ .pid = 1 };
	target = (struct v9_target){ .kind = V9_TARGET_COMMAND };
	control = (struct v9_control)V9_CONTROL_NONE;
	loop = (struct v9_loop){
		.control = &control,
		.rings = &rings, .out = &out, .counts = &counts, .child = &child, .objects = &objects,
		.target = &target, .signals = signal_pipe[0], .drained_ms = now_ms(),
		.messages = -1,
	};
}

static void end(void)
{
	v9_writer_close(&out);
	for (int i = 0; i < RINGS; i++) {
		close(polls[i].fd);
		close(wake[i]);
	}
	close(signal_pipe[0]);
	close(signal_pipe[1]);
}

static uint64_t accounted(void)
{
	return counts.trace_bytes + counts.trace_unwritten + counts.trace_late;
}

/* A whole recording */
static void finish(void)
{
	struct v9_blob sections[PD_FEATURE_BITS] = { 0 };

	v9_loop_stop(&loop);
	room = UINT64_MAX;
	v9_writer_finish(&out, sections);
	v9_loop_late(&loop);
}

/* Rings 1 and 2 have data that poll() does not report, because they are less than half full. */
static void test_full_disk(void)
{
	int bad = -1, bad_records = -1;

	for (uint64_t take = 0; take < 3 * 4096; take += 64) {
		begin(take);
		unit_writes(0, 4096, 3);
		unit_writes(1, 64 * 151, 1);
		unit_writes(2, 64, 0);
		comes_behind[0] = 640;		/* data of a task that was forked meanwhile */
		if (write(wake[0], "", 1) != 1)
			exit(1);
		child.ended = true;
		v9_loop_run(&loop);
		finish();
		if (accounted() != wrote || waiting[1] || waiting[2])
			bad = (int)take;
		if (counts.records != records)
			bad_records = (int)take;
		end();
	}
	tap_eq(bad, -1, "full_every_byte");
	tap_eq(bad_records, -1, "full_every_record");
}

/* With enough space all data up to the last drain is in the file. */
static void test_stop(void)
{
	begin(UINT64_MAX);
	unit_writes(0, 4096, 1);
	comes_behind[0] = comes_behind[1] = 640;
	finish();
	tap_ok(counts.trace_bytes == wrote && !counts.trace_late, "forked_meanwhile_in_file");
	tap_eq(disables, 5, "off_until_nothing_comes");
	end();
	/* Data that does not end does not prevent the stop. */
	begin(UINT64_MAX);
	for (int i = 0; i < 8; i++)
		comes_behind[i] = 64;
	unit_writes(0, 64, 0);
	finish();
	tap_ok(disables == STOPS + 1 && accounted() == wrote, "stops_are_few");
	tap_eq(counts.trace_late, 64, "late_is_counted");
	tap_eq(out.lost_records, 1, "late_record_is_lost");
	end();
}

/* With two units, records and data of a ring go to the file of its unit. */
static void test_halves(void)
{
	static const struct v9_aux_kind spe = { .auxtrace = 4 }, ete = { .auxtrace = 3 };
	static struct v9_instance id[2] = { { .id = 1 }, { .id = 2 } };
	static struct v9_event_spec ev[2] = {
		{ .inst = &id[0], .insts = 1, .aux = &ete }, { .inst = &id[1], .insts = 1, .aux = &spe },
	};
	const struct perf_event_header h = { .type = PERF_RECORD_COMM, .size = sizeof(h) };
	uint64_t before[2];

	begin(UINT64_MAX);
	v9_writer_close(&out);
	ev[0].attr.a.size = ev[1].attr.a.size = PERF_ATTR_SIZE_VER7;
	if (v9_writer_open(&out, path, ev, 2, 4096))
		exit(1);
	aux_rings[0].ev = &ev[0];
	aux_rings[1].ev = aux_rings[2].ev = &ev[1];
	before[0] = out.pos;
	before[1] = out.twin->pos;
	unit_writes(0, 4096, 1);
	unit_writes(1, 128, 2);
	v9_rings_drain(&rings, NULL, sink_record, sink_aux, &loop);
	v9_writer_flush(&out);
	tap_eq(out.pos - before[0], sizeof(struct pd_auxtrace) + 4096 + 8, "ring_of_ete");
	tap_eq(out.twin->pos - before[1], sizeof(struct pd_auxtrace) + 128 + 2 * 8, "ring_of_spe");
	sink_record(&loop, NULL, &h);
	tap_eq(v9_writer_bytes(&out) - before[0] - before[1], 2 * sizeof(struct pd_auxtrace) + 4224 + 5 * 8,
	       "side_band_to_both");
	tap_ok(counts.trace_bytes == wrote && counts.records == records + 1, "counted_once");
	/* Where one of them cannot be written, recording ends: else the loop would wait for the child. */
	out.twin->error = ENOSPC;
	alarm(60);
	v9_loop_run(&loop);
	alarm(0);
	tap_ok(!child.ended && !loop.interrupted, "an_error_of_one_ends_it");
	end();
}

static void test_named(void)
{
	begin(UINT64_MAX);
	unit_writes(0, 128, 0);
	unit_writes(2, 128, 0);
	if (write(wake[2], "", 1) != 1)
		exit(1);
	child.ended = true;
	v9_loop_run(&loop);
	tap_ok(!drains[0] && !drains[1] && drains[2] == 1, "only_the_named_ring");
	tap_eq(counts.trace_bytes, 128, "only_its_bytes");
	/* FINISHED_ROUND is written only after all rings were drained. */
	loop.drained_ms -= ROUND_MS;
	if (write(wake[2], "", 1) != 1)
		exit(1);
	v9_loop_run(&loop);
	tap_ok(drains[0] == 1 && drains[1] == 1 && drains[2] == 2, "all_rings_once_a_second");
	end();
}

/* --aggregate: what takes the place of a file */
static struct { uint64_t bytes, records; int rounds, whole; } taken_by;

static void other_record(void *arg, const void *record, size_t size)
{
	(void)arg;
	(void)record;
	(void)size;
	taken_by.records++;
}

static void other_aux(void *arg, const struct pd_auxtrace *aux, const uint8_t *a, size_t na,
		      const uint8_t *b, size_t nb)
{
	(void)arg;
	(void)aux;
	(void)a;
	(void)b;
	taken_by.bytes += na + nb;
}

static void other_round(void *arg, bool whole)
{
	(void)arg;
	taken_by.rounds++;
	taken_by.whole += whole;
}

/* One drain. Sets what the round was. */
static void other_drain(void)
{
	const struct pollfd none[RINGS] = { { 0 } };

	taken_by.rounds = taken_by.whole = flushes = 0;
	drain(&loop, none);
}

static void test_other(void)
{
	uint64_t pos;

	begin(0);
	pos = out.pos;
	out.other = (struct v9_writer_other){ .record = other_record, .aux = other_aux, .round = other_round };
	memset(&taken_by, 0, sizeof(taken_by));
	unit_writes(0, 128, 2);
	unit_writes(2, 64, 1);
	target.kind = V9_TARGET_CPUS;
	other_drain();
	tap_ok(taken_by.bytes == 192 && out.pos == pos && !out.buf.len && !out.error, "other_has_all_rings");
	tap_ok(taken_by.records >= 3 && counts.trace_bytes == 192, "other_has_records");
	tap_ok(flushes == 1 && taken_by.rounds == 1 && taken_by.whole == 1, "units_are_flushed");
	other_drain();
	tap_ok(!flushes && taken_by.rounds == 1 && !taken_by.whole, "not_at_each_drain");
	loop.flush_now = true;
	other_drain();
	tap_ok(flushes == 1 && taken_by.whole == 1 && !loop.flush_now, "at_the_end_of_an_interval");
	loop.flushed_ms -= ROUND_MS;
	other_drain();
	tap_ok(flushes == 1 && taken_by.whole == 1, "once_a_second");
	/* A task that is forked while its event is disabled would inherit that. */
	target.kind = V9_TARGET_PID;
	loop.flush_now = true;
	loop.flushed_ms -= ROUND_MS;
	other_drain();
	tap_ok(!flushes && !taken_by.whole, "events_of_tasks_are_not_disabled");
	loop.flushed_ms -= SETTLE_MS;
	other_drain();
	tap_ok(!flushes && taken_by.whole == 1, "their_trace_comes_by_itself");
	other_drain();
	tap_ok(!taken_by.whole, "in_a_while");
	/* Disabled units hold nothing. */
	target.kind = V9_TARGET_CPUS;
	rings.stopped = true;
	other_drain();
	tap_ok(!flushes && taken_by.whole == 1, "stopped_units_hold_nothing");
	end();
}

/* The timeout of poll(): none, unless something is checked at intervals. */
static void test_patience(void)
{
	begin(0);
	tap_eq(patience(&loop), -1, "sleeps_for_good");
	loop.progress = true;
	tap_eq(patience(&loop), 500, "progress_is_shown");
	rings.retry = true;
	tap_eq(patience(&loop), 100, "event_is_enabled_again");
	rings.retry = false;
	loop.progress = false;
	loop.ticks = true;
	tap_eq(patience(&loop), 100, "nothing_else_wakes");
	end();
}

/* A forked process becomes a member of those that are recorded, a new thread of one does not. */
static void test_forks(void)
{
	struct { struct perf_event_header h; int pid, ppid, tid, ptid; } fork = {
		.h = { .type = PERF_RECORD_FORK, .size = sizeof(fork) },
		.pid = getpid(), .ppid = getpid(), .tid = getppid(), .ptid = getpid(),
	};

	begin(UINT64_MAX);
	target.kind = V9_TARGET_PID;
	v9_family_begin(&rings.family, "/proc", NULL, 0, false);
	add_task(&loop, &fork.h);
	tap_eq(rings.family.n, 0, "thread_is_no_member");
	fork.pid = getppid();
	fork.tid = fork.ptid = getpid();
	target.kind = V9_TARGET_CPUS;
	add_task(&loop, &fork.h);
	tap_eq(rings.family.n, 0, "no_members_of_cpus");
	target.kind = V9_TARGET_PID;
	add_task(&loop, &fork.h);
	tap_ok(rings.family.n == 1 && rings.family.member[0].id == getppid(), "process_is_a_member");
	target.kind = V9_TARGET_COMMAND;
	fork.pid = getpid();
	fork.ppid = getppid();
	add_task(&loop, &fork.h);
	tap_ok(rings.family.n == 2 && rings.family.member[1].id == getpid(), "of_a_command");
	v9_family_free(&rings.family);
	end();
}

/* The end of the attached process wakes the loop, which has no timeout. */
static void test_attached(void)
{
	int tick, pid;

	begin(UINT64_MAX);
	child.pid = 0;
	target = (struct v9_target){ .kind = V9_TARGET_PID, .pid = &pid, .pids = 1 };
	pid = fork();
	if (!pid) {
		usleep(200000);
		_exit(0);
	}
	alarm(60);
	v9_loop_run(&loop);
	tick = loop.ticks;
	tap_ok(!loop.interrupted, "attached_ended");
	if (tick)
		tap_note("no pidfd here");
	tap_ok(tick || !whole_drains, "without_the_clock");
	waitpid(pid, NULL, 0);
	alarm(0);
	end();
}

/* All processes are to end, not only the first. */
static void test_attached_to_two(void)
{
	int pid[2];

	begin(UINT64_MAX);
	child.pid = 0;
	target = (struct v9_target){ .kind = V9_TARGET_PID, .pid = pid, .pids = 2 };
	for (int i = 0; i < 2; i++) {
		pid[i] = fork();
		if (!pid[i]) {
			usleep(i ? 400000 : 100000);
			_exit(0);
		}
	}
	alarm(60);
	v9_loop_run(&loop);
	alarm(0);
	/* The second is a zombie when the loop ends, not before. */
	tap_ok(waitpid(pid[0], NULL, WNOHANG) == pid[0] && waitpid(pid[1], NULL, WNOHANG) == pid[1],
	       "attached_to_two");
	end();
}

/* poll() takes whole milliseconds: what is to be done at @ms after @since is done then, or less than 2 ms later. */
static bool is_at(uint64_t time, uint64_t since, uint64_t ms)
{
	return time >= since + ms * MS_NS && time < since + (ms + 2) * MS_NS;
}

static void test_times(void)
{
	uint64_t began, ended;

	begin(UINT64_MAX);
	child.pid = 0;
	target = (struct v9_target){ .kind = V9_TARGET_CPUS, .cpu_list = "0" };
	rings.late = true;
	loop.delay_ns = 150000000;
	loop.duration_ns = 100000000;
	enables = 0;
	alarm(60);
	began = now_ns;
	v9_loop_run(&loop);
	ended = now_ns;
	alarm(0);
	tap_ok(enables == 1 && is_at(enabled_at, began, 150), "delay");
	tap_ok(is_at(ended, enabled_at, 100) && loop.ended && !loop.interrupted, "duration");
	end();
}

static int seconds;
static uint64_t second_at;

static void count_second(void *arg)
{
	(void)arg;
	seconds++;
	second_at = now_ns;
}

/* Nothing else wakes the loop. */
static void test_each_second(void)
{
	uint64_t began;

	begin(UINT64_MAX);
	child.pid = 0;
	target = (struct v9_target){ .kind = V9_TARGET_CPUS, .cpu_list = "0" };
	loop.duration_ns = 1100000000;
	loop.each_second = count_second;
	alarm(60);
	began = now_ns;
	v9_loop_run(&loop);
	alarm(0);
	tap_eq(seconds, 1, "each_second");
	tap_ok(is_at(second_at, began, 1000), "after_a_second");
	end();
}

/* Pipes by name are opened here, and closed with the rest. */
static void fifos(void)
{
	char *arg = v9_format("fifo:%s/in,%s/out", dir, dir), *in = v9_format("%s/in", dir), *out = v9_format("%s/out", dir);
	struct v9_control c = V9_CONTROL_NONE;
	int fd[2];

	if (mkfifo(in, 0600) || mkfifo(out, 0600))
		exit(1);
	tap_ok(!v9_control_open(&c, arg) && c.in >= 0 && c.out >= 0, "fifos_open");
	fd[0] = c.in;
	fd[1] = c.out;
	v9_control_close(&c);
	tap_ok(fcntl(fd[0], F_GETFD) < 0 && fcntl(fd[1], F_GETFD) < 0 && c.in < 0 && c.out < 0, "fifos_close");
	free(arg);
	free(in);
	free(out);
}

static void test_commands(void)
{
	int in[2], out[2];
	char got[64] = "", arg[64];
	ssize_t n;

	begin(UINT64_MAX);
	child.pid = 0;
	target = (struct v9_target){ .kind = V9_TARGET_CPUS, .cpu_list = "0" };
	rings.late = true;
	loop.delay_ns = UINT64_MAX;
	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC))
		exit(1);
	snprintf(arg, sizeof(arg), "fd:%d,%d", in[0], out[1]);
	tap_eq(v9_control_open(&control, arg), 0, "control_opens");
	dprintf(in[1], "ping\nenable\n\nnosuch\ndisable\nenable\nsnapshot\nstop\nenable\n");
	enables = pauses = snapshots = 0;
	alarm(60);
	v9_loop_run(&loop);
	alarm(0);
	n = read(out[0], got, sizeof(got) - 1);
	tap_ok(enables == 2 && pauses == 1 && snapshots == 1 && loop.ended, "commands");
	/* ping, enable, disable, enable, snapshot, stop: what is unknown is not acknowledged */
	tap_ok(n == 6 * 4 && !strcmp(got, "ack\nack\nack\nack\nack\nack\n"), "acknowledgements");
	tap_eq(v9_control_next(&control), V9_COMMAND_ENABLE, "command_after_the_end");
	dprintf(in[1], "st");
	tap_eq(v9_control_next(&control), V9_COMMAND_NONE, "half_a_command");
	dprintf(in[1], "op\n");
	tap_eq(v9_control_next(&control), V9_COMMAND_STOP, "the_other_half");
	close(in[1]);
	tap_ok(v9_control_next(&control) == V9_COMMAND_NONE && control.in < 0, "commands_end");
	v9_control_close(&control);
	close(in[0]);
	close(out[0]);
	close(out[1]);
	fifos();
	tap_ok(v9_control_open(&control, "fd:999") && v9_control_open(&control, "fd:x") &&
	       v9_control_open(&control, "fifo:") && v9_control_open(&control, "fifo:/dev/null") &&
	       v9_control_open(&control, "file:/x") && v9_control_open(&control, "fd:0,"),
	       "control_refused");
	end();
}

/* ---- v9trace pause, resume, flight --now */

static int paused_calls, resumed_calls, files_begun, file_error;
static struct v9_switch_output names;

static const char *useless;

static const char *note_pause(void *arg, bool paused)
{
	(void)arg;
	paused_calls += paused;
	resumed_calls += !paused;
	return paused ? NULL : useless;
}

static int note_file(void *arg)
{
	(void)arg;
	files_begun++;
	return file_error;
}

/* The loop of CPUs, which gets requests as those that the thread of the socket passes on */
static void begin_requests(int requests[2])
{
	static char label[] = "arm_spe_0//", *name[] = { (char *)"snapshot.1" };

	begin(UINT64_MAX);
	child.pid = 0;
	event.label = label;
	target = (struct v9_target){ .kind = V9_TARGET_CPUS, .cpu_list = "0" };
	if (pipe2(requests, O_CLOEXEC | O_NONBLOCK))
		exit(1);
	control.requests = requests[0];
	names = (struct v9_switch_output){ .name = name, .n = 1 };
	loop.files = &names;
	loop.begin_file = note_file;
	loop.on_pause = note_pause;
	paused_calls = resumed_calls = files_begun = file_error = releases = takes = busy_takes = take_error = holder_looks = 0;
}

static void end_requests(int requests[2])
{
	close(requests[0]);
	close(requests[1]);
	end();
}

/* Sends a request and lets the loop execute it. Returns the answer; one that has another form has .failed 99. */
static struct v9_reply request(int to, const char *text)
{
	struct v9_request q = { .fd = -1 };
	struct v9_reply r = { .failed = 99 };
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		exit(1);
	q.fd = pair[1];
	snprintf(q.text, sizeof(q.text), "%s", text);
	if (write(to, &q, sizeof(q)) != sizeof(q))
		exit(1);
	alarm(20);
	take_commands(&loop);
	if (recv(pair[0], &r, sizeof(r), MSG_WAITALL) != sizeof(r) || r.form != V9_REPLY_FORM ||
	    recv(pair[0], &(char){ 0 }, 1, 0))
		r.failed = 99;
	alarm(0);
	close(pair[0]);
	return r;
}

/* What the file says of pauses: their number; their durations are added up in *@ns. */
static int told_pauses(uint64_t *ns)
{
	size_t size, n = 0;
	char *text;
	int found = 0;

	*ns = 0;
	v9_writer_flush(&out);
	text = v9_read_file(path, &size);
	for (const char *at = text; at && (at = memmem(text + n, size - n, "paused for", 10)); n = (size_t)(at - text) + 1) {
		struct pd_auxtrace_error e;

		memcpy(&e, at - offsetof(struct pd_auxtrace_error, message), sizeof(e));
		found += e.header.type == PD_REC_AUXTRACE_ERROR && e.code == 0x763a && e.cpu == ~0u;
		*ns += e.ip;
	}
	free(text);
	return found;
}

/* Sends commands by a pipe, and lets the loop execute them. Returns how many are acknowledged. */
static int acknowledged(const char *commands)
{
	char arg[32], got[64];
	int in[2], ack[2];
	ssize_t n;

	if (pipe2(in, O_CLOEXEC) || pipe2(ack, O_CLOEXEC | O_NONBLOCK))
		exit(1);
	snprintf(arg, sizeof(arg), "fd:%d,%d", in[0], ack[1]);
	if (v9_control_open(&control, arg))
		exit(1);
	dprintf(in[1], "%s", commands);
	take_commands(&loop);
	n = read(ack[0], got, sizeof(got));
	v9_control_close(&control);
	for (int i = 0; i < 2; i++) {
		close(in[i]);
		close(ack[i]);
	}
	for (ssize_t i = 0; i < n; i++)
		if (got[i] != "ack\n"[i % 4])
			return -1;
	return n < 0 ? 0 : (int)n / 4;
}

static void test_pause(void)
{
	struct v9_reply r;
	int requests[2];
	uint64_t ns, began, first;

	begin_requests(requests);
	r = request(requests[1], "resume");
	tap_ok(!r.failed && r.state == V9_STATE_RECORDS && !takes, "resume_what_records");
	unit_writes(1, 640, 1);
	began = now_ns;
	r = request(requests[1], "pause");
	tap_ok(!r.failed && r.state == V9_STATE_PAUSED && releases == 1 && paused_calls == 1, "pause");
	tap_ok(counts.trace_bytes == 640 && !waiting[1], "what_there_was_is_read");
	now_ns += 20 * MS_NS;
	r = request(requests[1], "pause");
	tap_ok(!r.failed && r.state == V9_STATE_PAUSED && releases == 1 && r.paused_ns == 20 * MS_NS, "pause_again");

	/* Busy: tried again each second, until it is free. */
	busy_takes = 2;
	r = request(requests[1], "resume");
	tap_ok(!r.failed && r.state == V9_STATE_WAITS && takes == 1 && !resumed_calls, "busy");
	tap_ok(!strcmp(r.text, "arm_spe_0//: in use by another recording; perf (PID 7)"), "busy_by_whom");
	tap_ok(patience(&loop) > 800 && patience(&loop) <= 1001, "next_attempt_in_a_second");
	retry(&loop, loop.retry_at - 1);
	tap_eq(takes, 1, "not_before");
	retry(&loop, now_ns = loop.retry_at);
	tap_ok(takes == 2 && loop.retry_at, "busy_again");
	tap_eq(holder_looks, 1, "who_has_it_is_looked_for_once");
	retry(&loop, now_ns = loop.retry_at);
	tap_ok(takes == 3 && !loop.retry_at && resumed_calls == 1 && !loop.paused_at && loop.repoll, "free");
	tap_ok(counts.paused == 1 && counts.paused_ns == now_ns - began, "how_long");
	tap_ok(told_pauses(&ns) == 1 && ns == counts.paused_ns, "how_long_in_the_file");
	tap_eq(loop.attempts, 3, "attempts");

	/* Another pause ends the attempts. */
	first = counts.paused_ns;
	began = now_ns;
	request(requests[1], "pause");
	busy_takes = 100;
	request(requests[1], "resume");
	r = request(requests[1], "pause");
	tap_ok(r.state == V9_STATE_PAUSED && !loop.retry_at && releases == 2, "pause_ends_attempts");
	tap_eq(patience(&loop), -1, "no_attempt_is_due");

	/* Each file has its own part. */
	now_ns += 2 * MS_NS;
	loop.switch_now = true;
	switch_file(&loop);
	tap_ok(files_begun == 1 && counts.paused == 2 && told_pauses(&ns) == 2 && ns == counts.paused_ns, "part_of_a_file");
	now_ns += 3 * MS_NS;

	/* What is not busy, but refused, is not tried again. */
	busy_takes = 0;
	take_error = -EMFILE;
	r = request(requests[1], "resume");
	tap_ok(r.failed == 1 && r.state == V9_STATE_PAUSED && strstr(r.text, "Too many open files") && !loop.retry_at,
	       "other_error");

	/* It ends while it is paused. */
	ns = counts.paused_ns;
	finish();
	tap_ok(counts.paused == 3 && counts.paused_ns == ns + 3 * MS_NS, "end_while_paused");
	tap_eq(counts.paused_ns - first, now_ns - began, "no_time_is_in_two_parts");
	end_requests(requests);

	for (enum v9_target_kind kind = V9_TARGET_COMMAND; kind < V9_TARGET_CPUS; kind++) {
		begin_requests(requests);
		target.kind = kind;
		r = request(requests[1], "pause");
		tap_ok(!r.failed && releases == 1, "of_tasks");
		end_requests(requests);
	}
	/* What has no unit is not closed. */
	begin_requests(requests);
	rings.auxs = 0;
	r = request(requests[1], "pause");
	tap_ok(r.failed == 1 && strstr(r.text, "no unit") && !releases, "not_without_a_unit");
	rings.auxs = RINGS;
	/* A pipe has the same words; an error is a warning. */
	tap_ok(acknowledged("pause\n") == 1 && releases == 1, "pause_by_pipe");
	end_requests(requests);
}

/* Events that are of no use, as their trigger cannot be set, are closed again. */
static void test_useless(void)
{
	struct v9_reply r;
	int requests[2];

	begin_requests(requests);
	request(requests[1], "pause");
	useless = "its trigger cannot be set again";
	r = request(requests[1], "resume");
	tap_ok(r.failed == 1 && r.state == V9_STATE_PAUSED && !strcmp(r.text, useless), "useless_events_are_an_error");
	tap_ok(takes == 1 && releases == 2 && loop.paused_at && !loop.retry_at && rings.released, "they_are_closed");
	useless = NULL;
	r = request(requests[1], "resume");
	tap_ok(!r.failed && r.state == V9_STATE_RECORDS && takes == 2 && !loop.paused_at, "the_next_one_is_of_use");
	end_requests(requests);
}

/* Each time that events begin again, the units do. The first time is no such time. */
static void test_restarts(void)
{
	int requests[2];

	begin_requests(requests);
	rings.late = rings.paused = true;
	request(requests[1], "enable");
	tap_eq(counts.restarts, 0, "first_start");
	request(requests[1], "enable");
	tap_eq(counts.restarts, 0, "no_start");
	request(requests[1], "disable");
	request(requests[1], "enable");
	tap_eq(counts.restarts, 1, "another_start");
	end_requests(requests);
}

/* What on_trigger() of the recorder says: the recording ends, or goes on. */
static bool trigger_ends;
static int own_triggers;

static bool note_trigger(void *arg, bool own, bool early)
{
	(void)arg;
	(void)early;
	own_triggers += own;
	return trigger_ends;
}

/* A trigger that was found before a command is handled before it. */
static void test_found_before(void)
{
	static const char *const words[] = { "now", "pause" };
	struct v9_reply r;
	int requests[2];

	for (int i = 0; i < 2; i++) {
		begin_requests(requests);
		loop.on_trigger = note_trigger;
		loop.found = true;
		trigger_ends = false;
		own_triggers = 0;
		r = request(requests[1], words[i]);
		tap_ok(!r.failed && own_triggers == 1 && !loop.found && !loop.ended, "%s_behind_a_find", words[i]);
		end_requests(requests);
		begin_requests(requests);
		loop.on_trigger = note_trigger;
		loop.found = trigger_ends = true;
		r = request(requests[1], words[i]);
		tap_ok(r.failed == 1 && strstr(r.text, "its trigger") && own_triggers == 2 && loop.ended && !files_begun && !releases,
		       "%s_behind_the_last_find", words[i]);
		end_requests(requests);
	}
}

/* Who asked and does not wait any more has said that it was not done. */
static void test_gone(void)
{
	struct v9_request q = { .text = "pause" };
	int requests[2], pair[2];

	begin_requests(requests);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		exit(1);
	q.fd = pair[1];
	close(pair[0]);
	if (write(requests[1], &q, sizeof(q)) != sizeof(q))
		exit(1);
	take_commands(&loop);
	tap_ok(!releases && !loop.paused_at && fcntl(pair[1], F_GETFD) < 0, "nobody_waits");
	tap_ok(!request(requests[1], "pause").failed && releases == 1, "the_next_one_waits");
	end_requests(requests);
}

/* Events that are disabled record nothing, paused or not. Silence does not count while they are paused. */
static void test_disabled(void)
{
	struct v9_reply r;
	int requests[2];

	begin_requests(requests);
	loop.silence_ns = 100 * MS_NS;
	request(requests[1], "disable");
	r = request(requests[1], "resume");
	tap_ok(r.failed == 1 && strstr(r.text, "disabled") && !takes, "resume_what_is_disabled");
	request(requests[1], "pause");
	r = request(requests[1], "resume");
	tap_ok(r.failed == 1 && strstr(r.text, "disabled") && takes == 1 && !loop.paused_at && !loop.silent_at,
	       "resume_what_was_disabled_before");
	request(requests[1], "pause");
	request(requests[1], "enable");
	tap_ok(!rings.paused && !loop.silent_at, "no_silence_while_paused");
	now_ns += 50 * MS_NS;
	r = request(requests[1], "resume");
	tap_ok(!r.failed && loop.silent_at == now_ns + 100 * MS_NS, "silence_from_then_on");
	end_requests(requests);
}

/* What was not done is not acknowledged. */
static void test_not_acknowledged(void)
{
	begin(UINT64_MAX);
	child.pid = 0;
	rings.auxs = 0;
	tap_eq(acknowledged("pause\nping\n"), 1, "what_was_not_done_has_no_ack");
	end();
}

static void test_now(void)
{
	struct v9_reply r;
	int requests[2];

	begin_requests(requests);
	snapshots = 0;
	no_snapshot = true;
	r = request(requests[1], "now");
	tap_ok(r.failed == 1 && strstr(r.text, "without --flight") && !files_begun, "now_without_flight");
	no_snapshot = false;
	r = request(requests[1], "now");
	tap_ok(!r.failed && snapshots == 1 && files_begun == 1 && !strcmp(r.text, "snapshot.1"), "now");
	tap_eq(loop.ended, 0, "now_and_on");
	/* A trigger that comes when the areas are read */
	fires_in_snapshot = true;
	r = request(requests[1], "now");
	tap_ok(r.failed == 1 && strstr(r.text, "its trigger") && loop.ended && snapshots == 2 && files_begun == 1,
	       "trigger_in_the_snapshot");
	rings.triggered = loop.ended = false;
	loop.on_trigger = note_trigger;
	trigger_ends = false;
	fires_in_snapshot = true;
	r = request(requests[1], "now");
	tap_ok(!r.failed && !loop.ended && files_begun == 2, "trigger_in_the_snapshot_and_on");
	rings.triggered = false;
	loop.on_trigger = NULL;
	fires_in_snapshot = true;
	r = request(requests[1], "pause");
	tap_ok(r.failed == 1 && strstr(r.text, "its trigger") && loop.ended && releases == 1 && !loop.paused_at &&
	       !paused_calls, "trigger_while_it_is_paused");
	rings.triggered = rings.released = loop.ended = false;
	snapshots = files_begun = 1;
	rings.triggered = true;
	r = request(requests[1], "now");
	tap_ok(r.failed == 1 && strstr(r.text, "its trigger") && loop.ended && snapshots == 1, "now_behind_a_trigger");
	rings.triggered = loop.ended = false;
	file_error = -ENOSPC;
	r = request(requests[1], "now");
	tap_ok(r.failed == 1 && strstr(r.text, "No space") && loop.ended, "now_without_room");
	loop.ended = false;
	r = request(requests[1], "nosuch");
	tap_ok(r.failed == 1 && strstr(r.text, "'nosuch': no such command"), "no_such_request");
	loop.files = NULL;		/* as with -o - */
	r = request(requests[1], "now");
	tap_ok(r.failed == 1 && strstr(r.text, "-o FILE") && snapshots == 2, "now_without_a_file");
	tap_ok(!v9_control_open(&control, "socket") && control.socket && control.in < 0 && control.requests < 0,
	       "control_by_socket");
	end_requests(requests);
}

/* What v9trace record does: the third trigger ends it, early ones do not count */
static int silences, triggers, early_ones;
static uint64_t silent_at[8];

static bool on_trigger(void *arg, bool own, bool early)
{
	(void)arg;
	silences += own;
	triggers += !own && !early;
	early_ones += early;
	silent_at[silences & 7] = now_ns;
	v9_loop_snapshot(&loop, !early);
	return silences + triggers == 3;
}

/* Commands that are sent to the loop from now on, see sender */
static void pings(int fd, const char *const *command, const unsigned int *ms)
{
	sender.fd = fd;
	sender.command = command;
	sender.ms = ms;
	sender.at = now_ns + *ms * MS_NS;
}

static uint64_t begin_listening(int in[2])
{
	char arg[32];

	begin(UINT64_MAX);
	child.pid = 0;
	target = (struct v9_target){ .kind = V9_TARGET_CPUS, .cpu_list = "0" };
	if (pipe2(in, O_CLOEXEC))
		exit(1);
	snprintf(arg, sizeof(arg), "fd:%d", in[0]);
	if (v9_control_open(&control, arg))
		exit(1);
	if (write(wake[0], "", 1) != 1)
		exit(1);
	loop.on_trigger = on_trigger;
	silences = triggers = early_ones = snapshots = 0;
	alarm(60);
	return now_ns;
}

static void end_listening(int in[2])
{
	alarm(0);
	sender.at = 0;
	v9_control_close(&control);
	close(in[0]);
	close(in[1]);
	end();
}

/* One snapshot for each silence; a ping ends it. */
static void test_silence(void)
{
	static const char *const first[] = { "ping\n", "ping\n", "ping\n", "ping\n", "ping\n", NULL };
	static const unsigned int often[] = { 100, 100, 100, 600, 600 };
	uint64_t began;
	int in[2];

	/* Pings each 100 ms, then silences of 600 ms, and one for ever. It is said three times. */
	began = begin_listening(in);
	loop.silence_ns = 300000000;
	pings(in[1], first, often);
	v9_loop_run(&loop);
	tap_ok(silences == 3 && loop.ended, "three_silences");
	tap_ok(is_at(silent_at[1], began, 600), "pings_put_it_off");
	tap_ok(is_at(silent_at[2], began, 1200) && is_at(silent_at[3], began, 1800), "one_for_each_silence");
	tap_eq(snapshots, 3, "a_snapshot_of_each");
	end_listening(in);

	/* Not before it is armed */
	began = begin_listening(in);
	loop.silence_ns = 100000000;
	loop.arm_ns = 500000000;
	loop.duration_ns = 900000000;
	v9_loop_run(&loop);
	tap_ok(silences == 1 && is_at(silent_at[1], began, 500), "silence_before_it_is_armed");
	end_listening(in);

	/* Not while the events are disabled */
	static const char *const off[] = { "disable\n", "ping\n", "enable\n", NULL };
	static const unsigned int later[] = { 50, 50, 400 };

	began = begin_listening(in);
	loop.silence_ns = 200000000;
	loop.duration_ns = 900000000;
	pings(in[1], off, later);
	v9_loop_run(&loop);
	tap_ok(silences == 1 && is_at(silent_at[1], began, 500 + 200), "silence_while_disabled");
	end_listening(in);

	/* With -D silence begins when the events are enabled. */
	began = begin_listening(in);
	rings.late = true;
	loop.delay_ns = 300000000;
	loop.silence_ns = 100000000;
	loop.arm_ns = 100000000;
	loop.duration_ns = 300000000;
	v9_loop_run(&loop);
	tap_ok(silences == 1 && is_at(enabled_at, began, 300) && is_at(silent_at[1], enabled_at, 100),
	       "silence_after_a_delay");
	end_listening(in);
}

/* Triggers of the trace unit */
static void test_triggers(void)
{
	int in[2];

	begin_listening(in);
	rings.triggered = true;
	loop.arm_ns = 200000000;
	loop.duration_ns = 300000000;
	v9_loop_run(&loop);
	tap_ok(early_ones == 1 && !triggers && !snapshots && !rings.triggered, "early_trigger");
	end_listening(in);

	begin_listening(in);
	rings.triggered = true;
	loop.duration_ns = 300000000;
	v9_loop_run(&loop);
	tap_ok(triggers == 1 && !early_ones && snapshots == 1 && !rings.triggered, "trigger_in_time");
	end_listening(in);

	begin_listening(in);
	rings.triggered = true;
	loop.on_trigger = NULL;
	v9_loop_run(&loop);
	tap_ok(!triggers && rings.triggered && !loop.ended, "trigger_ends_it");
	end_listening(in);
}

/* The trigger latency: what finds it in the data */
static int looks, watched_records, finds;
static uint64_t watched_bytes, looked_at[8], find_at, found_at;	/* found_at: bytes at the last find */

static void watch_record(void *arg, const struct v9_aux_ring *ring, const struct perf_event_header *h)
{
	(void)arg;
	watched_records += ring && h->type == PERF_RECORD_AUX;
}

static void watch_aux(void *arg, const struct v9_aux_ring *ring, const uint8_t *a, size_t na, const uint8_t *b,
		      size_t nb)
{
	(void)arg;
	(void)a;
	(void)b;
	watched_bytes += ring ? na + nb : 0;
}

static bool watch_drained(void *arg)
{
	const bool found = watched_bytes >= find_at && watched_bytes != found_at;

	(void)arg;
	finds += found;
	found_at = found ? watched_bytes : found_at;
	return found;
}

static void watch_look(void *arg)
{
	(void)arg;
	looked_at[looks++ & 7] = now_ns;
	unit_writes(2, 64, 1);		/* what a unit hands over then */
}

static uint64_t watch_rest(void *arg)
{
	(void)arg;
	return 100000000;
}

static const struct v9_loop_watch watch = {
	.record = watch_record, .aux = watch_aux, .drained = watch_drained, .look = watch_look, .rest = watch_rest,
};

/* Rings that poll() does not report are read after a look, with and without a trigger. */
static void test_watch(void)
{
	int in[2];

	begin_listening(in);
	loop.watch = &watch;
	loop.duration_ns = 350000000;
	looks = watched_records = finds = 0;
	watched_bytes = 0;
	find_at = UINT64_MAX;
	v9_loop_run(&loop);
	tap_ok(looks == 4 && watched_bytes == 4 * 64 && watched_records == 4, "looks_and_reads");
	tap_ok(is_at(looked_at[1], looked_at[0], 100) && is_at(looked_at[3], looked_at[2], 100) && !silences,
		"rests_between_looks");
	tap_eq(counts.trace_bytes, watched_bytes, "the_file_has_it_too");
	end_listening(in);

	/* Three triggers end it; the first ones are early. */
	begin_listening(in);
	loop.watch = &watch;
	loop.arm_ns = 150000000;
	looks = finds = 0;
	watched_bytes = 0;
	find_at = 128;
	v9_loop_run(&loop);
	tap_ok(loop.ended && silences == 3 && early_ones == 1 && !triggers, "early_finds");
	tap_eq(looks, 4, "a_find_at_each_look");
	end_listening(in);

	/* Not before the events are enabled */
	begin_listening(in);
	loop.watch = &watch;
	rings.late = true;
	loop.delay_ns = 200000000;
	loop.duration_ns = 50000000;
	looks = 0;
	find_at = UINT64_MAX;
	v9_loop_run(&loop);
	tap_ok(looks == 1 && looked_at[0] >= enabled_at, "looks_when_enabled");
	end_listening(in);
}

static enum v9_cpu_step uevent(struct v9_cpus *c, const char *what, uint64_t now, uint64_t *missed)
{
	char message[64];
	int cpu = -1;

	memset(message, 'x', sizeof(message));	/* the rest is not terminated */
	strcpy(message, what);
	return v9_cpus_message(c, message, sizeof(message), now, &cpu, missed);
}

/* The action for each message; a CPU that comes online is opened again each time. */
static void test_cpus(void)
{
#define CPU(what, n) what "@/devices/system/cpu/cpu" #n
	const int recorded[] = { 0, 3 };
	struct v9_cpus c;
	uint64_t missed = 0;
	int i = 0, cpu = -1;

	v9_cpus_begin(&c, recorded, 2, 100);
	tap_eq(uevent(&c, CPU("offline", 3), 200, &missed), V9_CPU_NOTHING, "goes");
	tap_ok(uevent(&c, CPU("online", 3), 250, &missed) == V9_CPU_BACK && missed == 50, "is_back");
	uevent(&c, CPU("offline", 3), 300, &missed);
	uevent(&c, CPU("offline", 3), 310, &missed);
	tap_ok(uevent(&c, CPU("online", 3), 340, &missed) == V9_CPU_BACK && missed == 40,
	       "is_back_again");
	tap_ok(uevent(&c, CPU("online", 3), 400, &missed) == V9_CPU_BACK && missed == 60,
	       "its_going_was_not_seen");
	tap_ok(uevent(&c, CPU("online", 5), 500, &missed) == V9_CPU_NEW && missed == 400, "is_new");
	uevent(&c, CPU("offline", 5), 510, &missed);
	tap_eq(uevent(&c, CPU("online", 5), 520, &missed), V9_CPU_NOTHING, "new_is_reported_once");
	tap_eq(uevent(&c, CPU("add", 3), 600, &missed), V9_CPU_NOTHING, "other_action");
	tap_eq(uevent(&c, CPU("online", 3x), 600, &missed), V9_CPU_NOTHING, "no_cpu");
	tap_eq(uevent(&c, "online@/devices/system/cpu/cpu", 600, &missed), V9_CPU_NOTHING, "no_number");
	tap_eq(uevent(&c, "online@/devices/system/memory/memory3", 600, &missed), V9_CPU_NOTHING,
	       "memory");
	/* Too many at once: all that are online may have been away. */
	tap_ok(v9_cpus_unsure(&c, "0-2,5", 700, &i, &cpu, &missed) == V9_CPU_BACK && cpu == 0 &&
	       v9_cpus_unsure(&c, "0-2,5", 700, &i, &cpu, &missed) == V9_CPU_NOTHING, "messages_lost");
	tap_ok(uevent(&c, CPU("online", 3), 710, &missed) == V9_CPU_BACK, "back_after_lost_messages");
	v9_cpus_free(&c);
#undef CPU
}

/* Returns the warnings of take_messages(). */
static char *warnings(bool runs)
{
	int saved = dup(STDERR_FILENO);
	FILE *f = tmpfile();
	char *text = calloc(1, 256);

	fflush(stderr);
	dup2(fileno(f), STDERR_FILENO);
	loop.runs = runs;
	take_messages(&loop);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	if (pread(fileno(f), text, 255, 0) < 0)
		exit(1);
	fclose(f);
	return text;
}

/*
 * A CPU that was away before its event was opened: opening it again fails with EBUSY because the
 * event exists. Later EBUSY is a warning, as another session took the unit.
 */
static void test_cpu_back_early(void)
{
	static const int error[] = { -EBUSY, -EBUSY, -EMFILE };
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, pair))
		exit(1);
	begin(UINT64_MAX);
	target.kind = V9_TARGET_CPUS;
	loop.messages = pair[0];
	watch_cpus(&loop);
	for (int i = 0; i < 3; i++) {
		char *text;

		send(pair[1], "offline@/devices/system/cpu/cpu3", 33, 0);
		send(pair[1], "online@/devices/system/cpu/cpu3", 32, 0);
		reopen_error = error[i];
		text = warnings(i == 1);
		tap_ok(!*text == !i, i ? i == 1 ? "busy_later" : "other_error_early" : "busy_early");
		free(text);
	}
	reopen_error = 0;
	tap_eq(counts.cpu_away, 3, "early_ones_counted");
	v9_cpus_free(&loop.cpus);
	close(pair[0]);
	close(pair[1]);
	loop.messages = -1;
	loop.runs = false;
	finish();
	end();
}

/* How long poll() waits: until the first of all times, and rounded up */
static void test_timeouts(void)
{
	uint64_t *const times[] = { &loop.enable_at, &loop.end_at, &loop.switch_at, &loop.second_at, &loop.silent_at,
		&loop.look_at,
				    &loop.retry_at };
	const size_t n = V9_ARRAY_SIZE(times);
	static const struct {
		uint64_t ns;
		bool watched, ticks;
		int ms;
	} rows[] = {
		{ 1, false, false, 1 }, { MS_NS - 1, false, false, 1 }, { MS_NS, false, false, 2 }, { 0, false, false, 0 },
		{ 999999 * MS_NS, false, false, 1000000 }, { 1000000 * MS_NS, false, false, 1000000 },
		{ 5000000000 * MS_NS, false, false, 1000000 }, { 5000000000 * MS_NS, true, false, 500 },
		{ 100 * MS_NS, false, true, 100 }, { 99 * MS_NS, false, true, 100 }, { 98 * MS_NS, true, true, 99 },
		{ 499 * MS_NS, true, false, 500 }, { 3 * MS_NS, true, false, 4 },
	};

	begin(UINT64_MAX);
	tap_eq(patience(&loop), -1, "no_time");
	loop.watched = true;
	tap_eq(patience(&loop), 500, "watched");
	rings.retry = true;
	tap_eq(patience(&loop), 100, "retry");
	rings.retry = false;
	for (size_t i = 0; i < V9_ARRAY_SIZE(rows); i++) {
		loop.end_at = now_ns + rows[i].ns;
		loop.watched = rows[i].watched;
		loop.ticks = rows[i].ticks;
		tap_eq(patience(&loop), rows[i].ms, "timeout_%zu", i);
	}
	loop.watched = loop.ticks = false;
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < n; k++)
			*times[k] = 0;
		*times[i] = now_ns + 7 * MS_NS;
		tap_eq(patience(&loop), 8, "time_%zu_alone", i);
		for (size_t k = 0; k < n; k++)
			*times[k] = now_ns + (k == i ? 7 : 9) * MS_NS;
		/* The events end after they were enabled. */
		tap_eq(patience(&loop), i == 1 ? 10 : 8, "time_%zu_first", i);
	}
	for (size_t k = 0; k < n; k++)
		*times[k] = 0;
	end();
}

/* The loop opens its events again and says so in the file. */
static void test_cpu_back(void)
{
	char *text;
	size_t size;
	int pair[2];

	begin(UINT64_MAX);
	target.kind = V9_TARGET_CPUS;
	child.ended = true;
	v9_loop_prepare(&loop);
	if (loop.messages >= 0)
		close(loop.messages);
	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, pair))
		exit(1);
	loop.messages = pair[0];	/* which the loop closes */
	loop.began -= 1000;
	send(pair[1], "offline@/devices/system/cpu/cpu3", 33, 0);
	send(pair[1], "online@/devices/system/cpu/cpu3", 32, 0);
	send(pair[1], "online@/devices/system/cpu/cpu4", 32, 0);
	reopened = 0;
	/* They came before the loop ran. Data of a ring wakes it up. */
	if (write(wake[0], "", 1) != 1)
		exit(1);
	v9_loop_run(&loop);
	tap_ok(reopened == 1 && reopened_cpu == 3, "reopened");
	tap_eq(counts.cpu_away, 2, "counted");
	tap_ok(counts.cpu_away_ns, "for_how_long");
	finish();
	text = v9_read_file(path, &size);
	tap_ok(text && memmem(text, size, "CPU 3 not recorded", 18) &&
	       memmem(text, size, "CPU 4 not recorded", 18), "in_the_file");
	free(text);
	close(pair[1]);
	end();
}

int main(void)
{
	if (!mkdtemp(dir))
		return 1;
	snprintf(path, sizeof(path), "%s/file", dir);
	messages_begin();
	test_full_disk();
	test_stop();
	test_cpu_back_early();
	test_halves();
	test_named();
	test_other();
	test_patience();
	test_forks();
	test_attached();
	test_attached_to_two();
	test_times();
	test_each_second();
	test_commands();
	test_pause();
	test_useless();
	test_restarts();
	test_found_before();
	test_gone();
	test_disabled();
	test_not_acknowledged();
	test_now();
	test_silence();
	test_triggers();
	test_watch();
	test_cpus();
	test_timeouts();
	test_cpu_back();
	messages_are("record_loop", dir);
	tap_remove(dir);
	return tap_done();
}
