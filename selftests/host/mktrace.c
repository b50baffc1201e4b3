// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes captures of an instruction trace around the program of mkcapture.c: always the same.
 *
 *	mktrace DIR                 DIR/trace.data, DIR/trace-damaged.data, and DIR/trace-padded.data
 *	                            and DIR/trace-unclaimed.data: 8 bytes after the last AUX record;
 *	                            DIR/trace-parts.data and DIR/trace-overlap.data: data in two AUXTRACE
 *	                            records, of which the second has 24 bytes of the first as well;
 *	                            DIR/both.data: SPE records of the same CPU beside it;
 *	                            DIR/joined.data: the same in two halves, one file
 *	                            DIR/joint.data: many SPE records of that program, whose clock is
 *	                            100 counts behind; DIR/joint-few.data: only some; DIR/joint-ops.data:
 *	                            of micro-operations; DIR/joint-apart.data: clocks that run apart;
 *	                            DIR/joint-steps.data: stamps that are 20 counts apart; DIR/joint-cycles.data:
 *	                            counts of cycles instead of most timestamps;
 *	                            DIR/joint-threads.data: buffers of threads; DIR/joint-slow.data: three
 *	                            slow calls; DIR/joint-contexts.data: samples of other contexts;
 *	                            DIR/stacks.data: samples with a branch stack of it beside it;
 *	                            DIR/kernel.data: kernel code in the capture, with one patched
 *	                            instruction; DIR/no-kernel.data: the reason why it has none;
 *	                            DIR/exec.data: one AUX record that spans an exec;
 *	                            DIR/exec-late.data and -signal, -marker, -entry, -task: the same, with
 *	                            timestamps that come late;
 *	                            DIR/written.data: likewise, the code becomes writable;
 *	                            DIR/steady.data: a long trace on two CPUs with many
 *	                            synchronizations and an exec;
 *	                            DIR/instrumented.data: instrumentation;
 *	                            DIR/marks.data: marks of a program; DIR/branch-marks.data: by branches;
 *	                            DIR/many-marks.data: more than a page keeps
 *	                            DIR/jit.data: code of a jitdump that is replaced while it runs;
 *	                            DIR/two-records.data, two-tasks.data: AUX records of a task, or of two,
 *	                            which no synchronization separates;
 *	                            DIR/jit-committed.data, two-records-committed.data,
 *	                            two-tasks-committed.data: the same of a unit that speculates;
 *	                            DIR/fired.data, never.data, stopped.data: a flight recorder's
 *	                            DIR/snapshots.data: several snapshots
 *	                            trigger, and the buffer stopped for another reason;
 *	                            DIR/moved.data: a thread that moved from CPU 0 to CPU 1, whose
 *	                            AUX record is the older one;
 *	                            DIR/wander.data: three threads that move between two CPUs at random,
 *	                            with cycle counts and an exec;
 *	                            DIR/waits.data: switches of that thread and of others;
 *	                            DIR/wakes.data: the same, with wake-ups of the threads;
 *	                            DIR/piped.data: trace.data in the layout of pipes;
 *	                            DIR/packed.data: trace.data with compressed records, cut anywhere
 *	mktrace DIR N               DIR/long.data: N AUX records
 *	mktrace DIR PROGRAM N       DIR/steps.data: N times the steps of standard input, of a program that
 *	                            is mapped at 0x400000. A step is a line: "S ADDRESS" tracing
 *	                            begins there; "E", "N" a branch that is taken, or not; "I ADDRESS"
 *	                            an indirect branch to there; "X ADDRESS" it is interrupted there
 */
#include "../../tools/lib/ete_pkt.c"

#include <v9trace/uapi.h>

#include "capture.h"
#include "jitdump.h"

#define PROGRAM		0xaaaac0000000ull
#define START		(PROGRAM + 0x1800)
#define CONFIGR		0x8c1	/* CID, TS */
#define CCI		0x10

static const uint8_t id[20] = { 0xde, 0xad, 0xbe, 0xef, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
				17, 18, 19, 20 };

struct trace {
	struct v9_ete_pktenc enc;
	uint8_t b[1 << 16];
	size_t n;
};

static struct v9_ete_config config = { .maxspec = 0, .commopt = true };

static const struct pd_cgroup group = { .id = 11, .pid = 100, .tid = 100 };

static const struct pd_register types[] = {
	{ .cpu = 0, .encoding = 0x180000, .mask = UINT64_MAX, .value = 0x410fd8e0 },
	{ .cpu = 1, .encoding = 0x180000, .mask = UINT64_MAX, .value = 0x411fd852 },
};

static void put(struct trace *t, const struct v9_ete_pkt *p)
{
	int r = v9_ete_pkt_encode(&t->enc, t->b + t->n, sizeof(t->b) - t->n, p);

	if (r < 0) {
		fprintf(stderr, "mktrace: packet of kind %u: %d\n", p->kind, r);
		exit(1);
	}
	t->n += (size_t)r;
}

static void kind(struct trace *t, uint8_t k)
{
	put(t, &(struct v9_ete_pkt){ .kind = k });
}

static void atoms(struct trace *t, const char *s)
{
	for (; *s; s++)
		put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_ATOMS, .natoms = 1,
					     .atoms = *s == 'E' });
}

/* An address, with the context of thread @tid unless that is 0 */
static void address(struct trace *t, uint64_t addr, uint32_t tid)
{
	put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_ADDRESS, .addr = addr,
		.has = tid ? V9_ETE_HAS_ADDR | V9_ETE_HAS_CTX | V9_ETE_HAS_CONTEXTID :
			     V9_ETE_HAS_ADDR,
		.ctx = { .contextid = tid, .ns = true, .sf = true } });
}

static void exception(struct trace *t, uint8_t type, uint64_t addr)
{
	put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_EXCEPTION, .type = type, .addr = addr,
				     .has = V9_ETE_HAS_ADDR });
}

static void begin(struct trace *t, uint64_t addr, uint32_t tid)
{
	kind(t, V9_ETE_ASYNC);
	kind(t, V9_ETE_INFO);
	kind(t, V9_ETE_TRACE_ON);
	address(t, addr, tid);
}

static void reset(struct trace *t)
{
	t->n = 0;
	v9_ete_pktenc_init(&t->enc, &config);
}

/* compress calls match, match calls the kernel, twice round, and back to _start */
static void run(struct trace *t, uint32_t tid, uint64_t time)
{
	begin(t, START, tid);
	atoms(t, "EE");			/* BL compress, BL match */
	exception(t, V9_ETE_EXC_CALL, PROGRAM + 0x1408);
	kind(t, V9_ETE_TRACE_ON);	/* the kernel is not traced */
	address(t, PROGRAM + 0x1408, tid);
	put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_TIMESTAMP, .timestamp = time });
	atoms(t, "E");			/* RET */
	address(t, PROGRAM + 0x100c, 0);
	atoms(t, "EE");			/* B.EQ compress, BL match */
	exception(t, V9_ETE_EXC_IRQ, PROGRAM + 0x1404);
	kind(t, V9_ETE_TRACE_ON);
	address(t, PROGRAM + 0x1408, tid);
	atoms(t, "E");			/* RET */
	address(t, PROGRAM + 0x100c, 0);
	atoms(t, "NE");			/* B.EQ not taken, RET */
	address(t, PROGRAM + 0x1804, 0);
	atoms(t, "E");			/* B _start */
}

static uint64_t idr0 = 0x28000ea1;		/* COMMOPT, timestamps of 64 bits */
static uint64_t idr8;				/* MAXSPEC */
static uint64_t configr = CONFIGR;

static void info(struct cap *c)
{
	uint64_t body[1 + PD_ETM_WORDS + 2 * PD_ETE_WORDS] = { PD_AUXTRACE_CS_ETM, 2,
							       9ull << 32 | 2, 0 };

	for (unsigned int cpu = 0; cpu < 2; cpu++) {
		uint64_t *w = &body[1 + PD_ETM_WORDS + cpu * PD_ETE_WORDS];

		w[PD_ETM_CPU_MAGIC] = PD_ETE_MAGIC;
		w[PD_ETM_CPU_NUMBER] = cpu;
		w[PD_ETM_CPU_PARAMS] = PD_ETE_WORDS - PD_ETM_CPU_WORDS;
		w[PD_ETE_TRCCONFIGR] = configr;
		w[PD_ETE_TRCTRACEIDR] = 0x10 + 2 * cpu;
		w[PD_ETE_TRCIDR0] = idr0;
		w[PD_ETE_TRCIDR1] = 0x4100fff0 | 0xff << 0;
		w[PD_ETE_TRCIDR2] = 0x20001088;		/* addresses of 64 bits, ids of 32 */
		w[PD_ETE_TRCIDR8] = idr8;
		w[PD_ETE_TRCDEVARCH] = 0x47705a13;	/* ETE; revision 0: no RME */
		w[PD_ETE_TS_SOURCE] = 1;
	}
	cap_record(c, PD_REC_AUXTRACE_INFO, 0, body, sizeof(body));
}

static void open_capture(struct cap *c)
{
	c->period = 1;
	c->arch = "aarch64";
	c->event = "cs_etm//u";
	cap_open(c, CAP_SAMPLE | PERF_SAMPLE_IP | (c->type2 ? PERF_SAMPLE_RAW : 0));
	info(c);
	cap_time_conv(c, 5000000000ull);
	c->time = 0;
	cap_comm(c, 100, 100, "work", 0);
	cap_mmap2(c, 100, PROGRAM, 0x3000, 0, "/opt/work", id);
}

/* 8 bytes after the last AUX record, padding if @last is 0 */
static int after_the_last(struct cap *c, struct trace *t, const char *file, uint8_t last)
{
	open_capture(c);
	reset(t);
	run(t, 100, 1000);
	while (t->n % 8)
		kind(t, V9_ETE_IGNORE);
	c->cpu = 0;
	c->pid = c->tid = 100;
	c->time = 5000020000ull;
	cap_aux_record(c, 0, t->n, PD_AUX_FLAG_RAW);
	for (unsigned int i = 0; i < 8; i++)
		kind(t, V9_ETE_IGNORE);
	t->b[t->n - 1] = last;
	cap_aux(c, 0, CAP_NONE, 0, t->b, t->n);
	cap_close(c);
	return cap_write(file, c->b, c->n);
}

/* One AUX record, whose bytes are in two AUXTRACE records: @over bytes are in both. */
static int in_two(struct cap *c, struct trace *t, const char *file, size_t over)
{
	size_t half;

	open_capture(c);
	reset(t);
	run(t, 100, 1000);
	while (t->n % 16)
		kind(t, V9_ETE_IGNORE);
	half = t->n / 16 * 8;
	c->cpu = 0;
	c->pid = c->tid = 100;
	c->time = 5000020000ull;
	cap_aux_record(c, 0, t->n, PD_AUX_FLAG_RAW);
	cap_aux(c, 0, CAP_NONE, 0, t->b, half);
	cap_aux(c, 0, CAP_NONE, half - over, t->b + half - over, t->n - half + over);
	cap_close(c);
	return cap_write(file, c->b, c->n);
}

/* A part of the trace, preceded by its AUX record */
static void piece_of(struct cap *c, uint32_t cpu, uint32_t tid, uint64_t offset, const struct trace *t,
		     uint64_t flags, uint64_t time)
{
	c->cpu = cpu;
	c->pid = c->tid = tid;
	c->time = time;
	cap_aux_record(c, offset, t->n, flags);
	cap_aux(c, cpu, CAP_NONE, offset, t->b, t->n);
}

static void piece(struct cap *c, uint32_t cpu, uint64_t offset, const struct trace *t,
		  uint64_t flags, uint64_t time)
{
	piece_of(c, cpu, 100, offset, t, flags, time);
}

static void instrument(struct trace *t, uint8_t el, uint64_t value)
{
	put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_INSTRUMENTATION, .value = value,
				     .ctx.el = el });
}

/* Instrumentation between branches, at two levels, and before the target address of a return */
static int instrumented(struct cap *c, struct trace *t, const char *file)
{
	idr0 |= 1 << 22;
	open_capture(c);
	idr0 &= ~(1ull << 22);
	reset(t);
	t->enc.cfg.ite = true;
	begin(t, START, 100);
	atoms(t, "EE");
	instrument(t, 0, 0x123456789abcdef0);
	instrument(t, 1, 7);
	exception(t, V9_ETE_EXC_CALL, PROGRAM + 0x1408);
	kind(t, V9_ETE_TRACE_ON);
	address(t, PROGRAM + 0x1408, 100);
	atoms(t, "E");
	instrument(t, 0, 8);
	address(t, PROGRAM + 0x100c, 0);
	atoms(t, "NE");
	piece(c, 0, 0, t, PD_AUX_FLAG_RAW, 5000020000ull);
	cap_close(c);
	return cap_write(file, c->b, c->n);
}

static void stamp(struct trace *t, uint64_t time)
{
	put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_TIMESTAMP, .timestamp = time });
}

/* _start and compress on CPU 0, match and its return on CPU 1, the end of compress on CPU 0 again */
static int moved(struct cap *c, struct trace *t, const char *file)
{
	open_capture(c);
	reset(t);
	begin(t, PROGRAM + 0x1408, 100);
	stamp(t, 2000);
	atoms(t, "E");			/* RET */
	address(t, PROGRAM + 0x100c, 0);
	exception(t, V9_ETE_EXC_IRQ, PROGRAM + 0x100c);
	piece(c, 1, 0, t, PD_AUX_FLAG_RAW, 5000020000ull);
	reset(t);
	begin(t, START, 100);
	stamp(t, 1000);
	atoms(t, "EE");			/* BL compress, BL match */
	exception(t, V9_ETE_EXC_CALL, PROGRAM + 0x1408);
	kind(t, V9_ETE_TRACE_ON);
	address(t, PROGRAM + 0x100c, 100);
	stamp(t, 3000);
	atoms(t, "NE");			/* B.EQ not taken, RET */
	address(t, PROGRAM + 0x1804, 0);
	atoms(t, "E");			/* B _start */
	piece(c, 0, 0, t, PD_AUX_FLAG_RAW, 5000050000ull);
	cap_close(c);
	return cap_write(file, c->b, c->n);
}

/* The time of perf's clock, in ns, at a value of the counter */
#define AT(count)	(5000000000ull + 16 * (count))
#define AWAY		PERF_RECORD_MISC_SWITCH_OUT
#define PREEMPTED	(PERF_RECORD_MISC_SWITCH_OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT)

/* Trace restarts at @addr: the kernel, which is not traced, returned there. */
static void resume(struct trace *t, uint64_t addr, uint64_t time)
{
	kind(t, V9_ETE_TRACE_ON);
	address(t, addr, 100);
	stamp(t, time);
}

#define WAKING		251	/* id of the tracepoint */

/* As the kernel prints it */
static void waking_format(struct cap *c)
{
	cap_formats(c, 1);
	cap_put(c, "sched", 6);
	cap_u32(c, 1);
	cap_format(c, "name: sched_waking\nID: 251\nformat:\n" CAP_COMMON_FIELDS
		   "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
		   "\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"
		   "\tfield:int prio;\toffset:28;\tsize:4;\tsigned:1;\n"
		   "\tfield:int target_cpu;\toffset:32;\tsize:4;\tsigned:1;\n\n"
		   "print fmt: \"comm=%s pid=%d prio=%d target_cpu=%03d\", REC->comm, REC->pid, REC->prio, "
		   "REC->target_cpu\n");
	cap_u32(c, 0);
	cap_u32(c, 0);
	cap_u64(c, 0);
}

/* Thread @waker wakes @tid. @flags: common_flags: 8 in a hard interrupt, 16 in a soft one */
static void waking(struct cap *c, uint64_t time, uint32_t waker, uint32_t tid, uint8_t flags)
{
	struct cap body = { .n = 0 };

	cap_u64(&body, 102);		/* id of the event */
	cap_u64(&body, 0);		/* PC */
	cap_u32(&body, 100);
	cap_u32(&body, waker);
	cap_u64(&body, time);
	cap_u64(&body, 0);		/* CPU */
	cap_u32(&body, 36);
	cap_u32(&body, WAKING | (uint32_t)flags << 16);
	cap_u32(&body, waker);
	cap_put(&body, "woken\0\0\0\0\0\0\0\0\0\0", 16);
	cap_u32(&body, tid);
	cap_u32(&body, 120);
	cap_u32(&body, 0);
	cap_sample(c, 1, body.b, body.n);
	free(body.b);
}

/*
 * Of the sleeps that waits() has: the first of thread 100 is ended by 101, and woken again; the second by
 * an interrupt in 101; the third has no wake-up. That of 101 is ended by 100 at 1820, where it enters the
 * kernel in match. The wake-up while 100 is preempted is none.
 */
static void wakes(struct cap *c)
{
	waking(c, AT(1950), 101, 100, 16);
	waking(c, AT(1450), 101, 100, 0);
	waking(c, AT(1400), 101, 100, 0);
	waking(c, AT(1710), 101, 100, 0);
	waking(c, AT(1820), 100, 101, 0);
	waking(c, AT(2015), 101, 999, 0);
}

/*
 * Thread 100 waits in match, called by compress: asleep from 1100 to 1500, from 1900 to 2000 and
 * from 2010 to 2020; preempted from 1700 to 1750. The exception at 1820 has no switch: no wait.
 * After the switch at 2200 it does not run again. Thread 101 has switches, but no trace. A switch
 * of thread 102 is missing. Records are not in the order of time.
 */
static int waits(struct cap *c, struct trace *t, const char *file, bool with_wakes)
{
	struct cap formats = { .n = 0 };
	int ret;

	if (with_wakes) {
		c->type2 = PERF_TYPE_TRACEPOINT;
		c->config2 = WAKING;
	}
	open_capture(c);
	c->cpu = 0;
	cap_comm(c, 100, 101, "other", 0);
	cap_comm(c, 100, 102, "third", 0);
	cap_switch(c, 100, 101, AT(1100), 0);
	cap_switch(c, 100, 101, AT(1500), AWAY);
	cap_switch(c, 100, 101, AT(2200), 0);
	cap_switch(c, 100, 100, AT(900), 0);
	cap_switch(c, 100, 100, AT(1100), AWAY);
	cap_switch(c, 100, 100, AT(1500), 0);
	cap_switch(c, 100, 100, AT(1500), 0);		/* again: the record of a second event */
	cap_switch(c, 100, 100, AT(1700), PREEMPTED);
	cap_switch(c, 100, 100, AT(2000), 0);
	cap_switch(c, 100, 100, AT(2010), AWAY);
	cap_switch(c, 100, 100, AT(2020), 0);
	cap_switch(c, 100, 100, AT(2200), PREEMPTED);
	cap_switch(c, 100, 100, AT(1750), 0);
	cap_switch(c, 100, 100, AT(1900), AWAY);
	if (with_wakes)
		wakes(c);
	c->cpu = 1;
	cap_switch(c, 100, 102, AT(1000), 0);
	cap_switch(c, 100, 102, AT(1200), 0);
	cap_switch(c, 100, 102, AT(1300), AWAY);
	reset(t);
	begin(t, START, 100);
	stamp(t, 1000);
	atoms(t, "EE");			/* BL compress, BL match */
	exception(t, V9_ETE_EXC_CALL, PROGRAM + 0x1408);
	resume(t, PROGRAM + 0x1408, 1600);
	atoms(t, "E");			/* RET */
	address(t, PROGRAM + 0x100c, 0);
	atoms(t, "EE");			/* B.EQ compress, BL match */
	exception(t, V9_ETE_EXC_IRQ, PROGRAM + 0x1404);
	resume(t, PROGRAM + 0x1404, 1800);
	exception(t, V9_ETE_EXC_CALL, PROGRAM + 0x1408);
	kind(t, V9_ETE_TRACE_ON);
	address(t, PROGRAM + 0x1408, 100);
	atoms(t, "E");			/* RET, before the time of this part is known */
	stamp(t, 2100);
	address(t, PROGRAM + 0x100c, 0);
	atoms(t, "NE");			/* B.EQ not taken, RET */
	address(t, PROGRAM + 0x1804, 0);
	atoms(t, "E");			/* B _start */
	exception(t, V9_ETE_EXC_IRQ, START);
	piece(c, 0, 0, t, PD_AUX_FLAG_RAW, AT(2200));
	if (with_wakes) {
		waking_format(&formats);
		c->formats = formats.b;
		c->formats_size = formats.n;
	}
	cap_close(c);
	ret = cap_write(file, c->b, c->n);
	free(formats.b);
	c->formats = NULL;
	c->type2 = 0;
	c->config2 = 0;
	return ret;
}

/* An overwritten buffer with a trigger: Event 0 in it if @fired, stopped by AUX record if @stopped */
static int flight(struct cap *c, struct trace *t, const char *file, bool fired, bool stopped)
{
	c->options2 = 1;
	open_capture(c);
	c->options2 = 0;
	reset(t);
	begin(t, START, 100);
	stamp(t, 1000);
	atoms(t, "E");			/* BL compress */
	put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_EVENT, .events = fired ? 1 : 2 });
	atoms(t, "E");			/* BL match */
	exception(t, V9_ETE_EXC_CALL, PROGRAM + 0x1408);
	c->cpu = 0;
	c->pid = c->tid = 100;
	c->time = 5000020000ull;
	cap_aux_record(c, t->n, t->n, PD_AUX_FLAG_RAW | PERF_AUX_FLAG_OVERWRITE |
		       (stopped ? PERF_AUX_FLAG_TRUNCATED : 0));
	cap_aux(c, 0, CAP_NONE, 0, t->b, t->n);
	cap_close(c);
	return cap_write(file, c->b, c->n);
}

/*
 * Snapshots of overwritten buffers: two of CPU 0, one of CPU 1, and one without a timestamp. Times of the first
 * and the last timestamp: counts 1000 to 1400, 2000 to 2500, 900 to 2600.
 */
static int snapshots(struct cap *c, struct trace *t, const char *file)
{
	static const struct { uint32_t cpu; unsigned int first, last; } rows[] = {
		{ 0, 1000, 1400 }, { 0, 2000, 2500 }, { 1, 900, 2600 }, { 1, 0, 0 },
	};
	uint64_t at[2] = { 0, 0 };

	c->options2 = 1;
	open_capture(c);
	c->options2 = 0;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		reset(t);
		begin(t, START, 100);
		if (rows[i].first)
			stamp(t, rows[i].first);
		atoms(t, "E");			/* BL compress */
		atoms(t, "E");			/* BL match */
		if (rows[i].last)
			stamp(t, rows[i].last);
		c->cpu = rows[i].cpu;
		c->pid = c->tid = 100;
		c->time = 5000020000ull + i;
		/* Of an overwritten buffer the record has the end of the data. */
		at[c->cpu] += t->n + -t->n % 8;
		cap_aux_record(c, at[c->cpu], at[c->cpu], PD_AUX_FLAG_RAW | PERF_AUX_FLAG_OVERWRITE);
		cap_aux(c, c->cpu, CAP_NONE, at[c->cpu] - (t->n + -t->n % 8), t->b, t->n);
	}
	cap_close(c);
	return cap_write(file, c->b, c->n);
}

static char where[4096];

static const char *in(const char *dir, const char *name)
{
	snprintf(where, sizeof(where), "%s/%s", dir, name);
	return where;
}

static const uint64_t info_spe[3] = { PD_AUXTRACE_ARM_SPE, 8, 1 };

/* An SPE record before the trace and one after it */
static void two_records(uint8_t spe[48])
{
	memset(spe, 0, 48);
	for (unsigned int i = 0; i < 2; i++) {
		uint8_t *p = spe + i * 24;
		const uint64_t pc = 1ull << 63 | (PROGRAM + 0x1004 + i * 0x400), ts = 900 + i * 800;

		*p++ = 0xb0;				/* address: PC */
		memcpy(p, &pc, 8);
		p += 8;
		memcpy(p, "\x4a\x01\x52\x02\x00\x71", 6);	/* branch; events: retired; time */
		memcpy(p + 6, &ts, 8);
	}
}

/* Two SPE records in the same capture and on the same CPU */
static int both(struct cap *c, struct trace *t, const char *file)
{
	uint8_t spe[48];

	two_records(spe);
	c->type2 = 8;
	open_capture(c);
	cap_record(c, PD_REC_AUXTRACE_INFO, 0, info_spe, sizeof(info_spe));
	c->info = 1;
	reset(t);
	run(t, 100, 1000);
	piece(c, 0, 0, t, PD_AUX_FLAG_RAW, 5000020000ull);
	c->id = 102;
	c->info = 2;
	c->time = 5000030000ull;
	cap_aux_record(c, 0, sizeof(spe), PERF_AUX_FLAG_COLLISION);
	cap_aux(c, 0, CAP_NONE, 0, spe, sizeof(spe));
	c->id = c->info = c->type2 = 0;
	cap_close(c);
	return cap_write(file, c->b, c->n);
}

/* The same as two halves: that of SPE is a section of that of ETE. */
static int joined(struct cap *c, struct trace *t, const char *file)
{
	static const struct perf_event_attr dummy = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY, .sample_period = 1,
		.sample_type = CAP_SAMPLE | PERF_SAMPLE_IP, .sample_id_all = 1,
	};
	/* "TRAChalf", the AUXTRACE type, zero, 16 random bytes, a name */
	uint8_t half[288] = "TRAChalf\x04\0\0\0\0\0\0\0" "0123456789abcdef" "joined.data";
	struct cap inner = { .attr = &dummy, .type2 = 8, .half = half };
	uint8_t spe[48];

	two_records(spe);
	cap_open(&inner, CAP_SAMPLE | PERF_SAMPLE_IP);
	cap_record(&inner, PD_REC_AUXTRACE_INFO, 0, info_spe, sizeof(info_spe));
	inner.tid = inner.pid = 100;
	cap_comm(&inner, 100, 100, "the other half has it", 0);
	inner.id = 102;
	inner.time = 5000030000ull;
	cap_aux_record(&inner, 0, sizeof(spe), PERF_AUX_FLAG_COLLISION);
	cap_aux(&inner, 0, CAP_NONE, 0, spe, sizeof(spe));
	cap_close(&inner);

	half[8] = 3;
	strcpy((char *)half + 32, "joined.data.spe");
	c->half = half;
	c->twin = inner.b;
	c->twin_size = inner.n;
	open_capture(c);
	reset(t);
	run(t, 100, 1000);
	piece(c, 0, 0, t, PD_AUX_FLAG_RAW, 5000020000ull);
	cap_close(c);
	free(inner.b);
	c->half = c->twin = NULL;
	return cap_write(file, c->b, c->n);
}

static uint32_t context;	/* CONTEXTIDR_EL1 of SPE records; 0: they have none */

/* An SPE record as the unit writes it; @lat: total latency, 0: no packet; @source: of data, 0: likewise */
static void sampled_from(struct trace *t, uint64_t at, unsigned int el, const char *op, uint16_t events,
			 uint16_t lat, uint8_t source, uint64_t ts)
{
	const uint64_t pc = 1ull << 63 | (uint64_t)el << 61 | (at & ~(0xffull << 56));
	uint8_t *p = t->b + t->n;

	*p++ = 0xb0;				/* address: PC */
	memcpy(p, &pc, 8);
	p += 8;
	if (context) {
		*p++ = 0x64;
		memcpy(p, &context, 4);
		p += 4;
	}
	*p++ = 0x52;				/* events */
	*p++ = (uint8_t)events;
	*p++ = (uint8_t)(events >> 8);
	memcpy(p, op, 2);			/* operation */
	p += 2;
	if (lat) {
		*p++ = 0x98;
		*p++ = (uint8_t)lat;
		*p++ = (uint8_t)(lat >> 8);
		*p++ = 0x99;
		*p++ = (uint8_t)(lat / 2);
		*p++ = 0;
	}
	if (source) {
		*p++ = 0x43;
		*p++ = source;
	}
	*p++ = 0x71;				/* time, the end */
	memcpy(p, &ts, 8);
	t->n = (size_t)(p + 8 - t->b);
}

static void sampled(struct trace *t, uint64_t at, unsigned int el, const char *op, uint16_t events,
		    uint16_t lat, uint64_t ts)
{
	sampled_from(t, at, el, op, events, lat, 0, ts);
}

#define RETIRED		2
#define REFILL		8	/* of the level 1 data cache */
#define NOT_TAKEN	0x40

/*
 * @n passes through the program, more than 1 ms apart. In each the unit samples _start, whose address
 * occurs once, early or late; NOP of match or of compress, which occur twice; and the end of compress.
 * With SLOW three passes take 1000 counts longer: the second call of match waits for memory. With CYCLES the two
 * timestamps in the middle of a pass are counts of cycles, at 1 GHz. With CONTEXTS the samples of each fourth pass have
 * another context than the trace.
 */
enum { OPERATIONS = 1, APART = 2, OF_THREADS = 4, SLOW = 8, STEPS = 16, CYCLES = 32, CONTEXTS = 64 };

/* The time of the trace; or with CYCLES @cycles since the last such place, 0: not known */
static void time_or_cycles(struct trace *t, unsigned int how, uint64_t time, uint32_t cycles)
{
	const struct v9_ete_pkt count = { .kind = V9_ETE_CYCLES, .has = cycles ? V9_ETE_HAS_COUNT : 0, .count = cycles };
	const struct v9_ete_pkt stamp = { .kind = V9_ETE_TIMESTAMP, .timestamp = time };

	put(t, how & CYCLES ? &count : &stamp);
}

static int joint(struct cap *c, struct trace *t, const char *file, unsigned int n, unsigned int how)
{
	const bool threads = how & OF_THREADS;
	static struct trace spe;
	const struct pd_register *const others = c->regs;
	const uint32_t nr_others = c->nr_regs;
	const uint64_t ids[] = { 4, 100, 0, 0, -1ull, 101, 1, 1, -1ull, 102, 2, 0, -1ull, 103, 3, 0, -1ull };
	const struct pd_register regs[] = {
		{ .cpu = 0, .encoding = 0x1899e0, .mask = UINT64_MAX, .value = how & OPERATIONS ? 0 : 8 },	/* PMSIDR_EL1 */
		{ .cpu = 0, .encoding = 0x189960, .mask = UINT64_MAX, .value = 0x100 },	/* PMSIRR_EL1 */
	};

	c->type2 = 8;
	c->tracking = true;
	c->id = 103;
	c->regs = regs;
	c->nr_regs = 2;
	open_capture(c);
	cap_record(c, PD_REC_ID_INDEX, 0, ids, sizeof(ids));
	cap_record(c, PD_REC_AUXTRACE_INFO, 0, info_spe, sizeof(info_spe));
	cap_switch(c, 100, 100, AT(0), 0);
	c->id = 0;
	c->info = 1;
	reset(t);
	spe.n = 0;
	for (unsigned int i = 0; i < n; i++) {
		const uint64_t at = 1000 + 70000 * i, apart = how & APART ? 200 : how & STEPS ? 20 : 0,
			       ts = at - 100 + (i % 2 ? apart : 0);
		const bool slow = how & SLOW && i % 20 == 10;
		const uint64_t late = slow ? 1000 : 0;

		context = !(how & CONTEXTS) ? 0 : i % 4 ? 100 : 7;
		begin(t, START, 100);
		put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_TIMESTAMP, .timestamp = at });
		atoms(t, "EE");			/* BL compress, BL match */
		if (how & CYCLES)
			time_or_cycles(t, how, 0, 0);
		exception(t, V9_ETE_EXC_CALL, PROGRAM + 0x1408);
		kind(t, V9_ETE_TRACE_ON);
		address(t, PROGRAM + 0x1408, 100);
		time_or_cycles(t, how, at + 50, 50 * 16);
		atoms(t, "E");			/* RET */
		address(t, PROGRAM + 0x100c, 0);
		atoms(t, "EE");			/* B.EQ compress, BL match */
		exception(t, V9_ETE_EXC_CALL, PROGRAM + 0x1408);
		kind(t, V9_ETE_TRACE_ON);
		address(t, PROGRAM + 0x1408, 100);
		time_or_cycles(t, how, at + late + 100, 50 * 16);
		atoms(t, "E");			/* RET */
		address(t, PROGRAM + 0x100c, 0);
		atoms(t, "NE");			/* B.EQ not taken, RET */
		address(t, PROGRAM + 0x1804, 0);
		atoms(t, "E");			/* B _start */
		exception(t, V9_ETE_EXC_IRQ, START);
		put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_TIMESTAMP, .timestamp = at + late + 150 });
		sampled(&spe, START, 0, "\x4a\x00", RETIRED, 10, ts + (i % 3 ? 2 : 48));
		sampled_from(&spe, PROGRAM + 0x1400, 0, "\x49\x00", RETIRED | (i % 3 ? 0 : REFILL),
			     slow ? 200 : 20, slow ? 0xe : 0, ts + (slow ? 500 : i % 2 ? 25 : 50));
		if (i % 4 == 3)
			sampled(&spe, PROGRAM + 0x1404, 1, "\x48\x00", RETIRED, 10, ts + 50);
		if (i % 8 == 6)
			sampled(&spe, PROGRAM + 0x1004, 0, "\x48\x00", 0, 30, ts + 70);
		if (i % 8 == 7)
			sampled(&spe, PROGRAM + 0x1004, 0, "\x48\x00", RETIRED, i % 16 == 7 ? 0 : 0xfff, ts + 70);
		sampled(&spe, PROGRAM + 0x100c, 0, "\x4a\x01", RETIRED | NOT_TAKEN, 8, ts + late + 110);
		sampled(&spe, PROGRAM + 0x1010, 0, "\x4a\x02", RETIRED, 14, ts + late + (i % 3 ? 145 : 120));
		if (i == 4)		/* where nothing of the program is */
			sampled(&spe, PROGRAM + 0x1200, 0, "\x48\x00", RETIRED, 10, ts + 146);
	}
	context = 0;
	sampled(&spe, START, 0, "\x4a\x00", RETIRED, 10, 1000 + 70000 * n);
	piece(c, 0, 0, t, PD_AUX_FLAG_RAW, AT(70000 * n));
	c->id = 102;
	c->info = 2;
	c->time = AT(70000 * n + 100);
	cap_aux_record(c, 0, spe.n, 0);
	cap_aux(c, threads ? CAP_NONE : 0, threads ? 100 : CAP_NONE, 0, spe.b, spe.n);
	c->id = c->info = c->type2 = 0;
	c->tracking = false;
	cap_close(c);
	c->regs = others;
	c->nr_regs = nr_others;
	return cap_write(file, c->b, c->n);
}

/* The event of the trace is the second one. Three samples have the branch of compress to match. */
static int stacks(struct cap *c, struct trace *t, const char *file)
{
	static const struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES, .sample_period = 1000,
		.sample_type = CAP_SAMPLE | PERF_SAMPLE_IP | PERF_SAMPLE_BRANCH_STACK, .sample_id_all = 1,
		.branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY,
	};
	const uint64_t sample[] = { 100, PROGRAM + 0x1400, 100 | 100ull << 32, 5000010000ull, 0,
				    1, PROGRAM + 0x1008, PROGRAM + 0x1400, 0 };

	c->type2 = 9;
	c->attr = &attr;
	open_capture(c);
	for (unsigned int i = 0; i < 3; i++)
		cap_sample(c, PD_CPUMODE_USER, sample, sizeof(sample));
	reset(t);
	run(t, 100, 1000);
	c->id = 102;
	piece(c, 0, 0, t, PD_AUX_FLAG_RAW, 5000020000ull);
	c->id = c->type2 = 0;
	c->attr = NULL;
	cap_close(c);
	return cap_write(file, c->b, c->n);
}

#define KERNEL	0xffff800080010000ull

/* Closes and writes a capture with the section PD_CODE @code, which is freed */
static int write_with_code(struct cap *c, struct cap *code, const char *file)
{
	c->code = code->b;
	c->code_size = code->n;
	cap_close(c);
	c->code = NULL;
	free(code->b);
	return cap_write(file, c->b, c->n);
}

static void kernel_address(struct trace *t, uint64_t addr)
{
	put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_ADDRESS, .addr = addr,
		.has = V9_ETE_HAS_ADDR | V9_ETE_HAS_CTX | V9_ETE_HAS_CONTEXTID,
		.ctx = { .contextid = 100, .ns = true, .sf = true, .el = 1 } });
}

/* outer calls inner and returns to the patched instruction; then inner alone */
static int kernel(struct cap *c, struct trace *t, const char *file, const char *why)
{
	static const uint32_t words[] = { 0xd503201f, 0x94000003, 0xd503201f, 0xd65f03c0,
					  0xd503201f, 0xd65f03c0 };
	static const char names[] = "ffff800080010000 T outer\nffff800080010010 t inner\n";
	const struct pd_code_change change = { KERNEL + 8, 0x14000002, 0xd503201f };
	struct cap code = { .n = 0 };

	code_head(&code, why ? 2 : 3);
	code_part(&code, PD_CODE_KALLSYMS, 0, names, sizeof(names) - 1);
	if (why) {
		code_part(&code, PD_CODE_NO_KERNEL, 0, why, strlen(why));
	} else {
		code_part(&code, PD_CODE_KERNEL, KERNEL, words, sizeof(words));
		code_part(&code, PD_CODE_CHANGED, 0, &change, sizeof(change));
	}
	open_capture(c);
	cap_kernel(c, KERNEL, 0x1000);
	reset(t);
	kind(t, V9_ETE_ASYNC);
	kind(t, V9_ETE_INFO);
	kind(t, V9_ETE_TRACE_ON);
	kernel_address(t, KERNEL);
	atoms(t, "EE");			/* BL inner, RET */
	kernel_address(t, KERNEL + 8);
	atoms(t, "E");			/* RET after the patched instruction */
	kind(t, V9_ETE_TRACE_ON);
	kernel_address(t, KERNEL + 16);
	atoms(t, "E");
	piece(c, 0, 0, t, PD_AUX_FLAG_RAW, 5000020000ull);
	return write_with_code(c, &code, file);
}

/* The same addresses twice in one AUX record; another program from 5.00002 s on. */
static void run_twice(struct cap *c, struct trace *t)
{
	reset(t);
	begin(t, START, 100);
	for (uint64_t time = 1000; time <= 2000; time += 1000) {
		atoms(t, "E");
		put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_TIMESTAMP, .timestamp = time });
		atoms(t, "E");
		exception(t, V9_ETE_EXC_CALL, PROGRAM + 0x1408);
		if (time > 1000)
			break;
		/* interrupted before its first branch, as new programs are */
		kind(t, V9_ETE_TRACE_ON);
		address(t, START, 100);
		exception(t, V9_ETE_EXC_IRQ, START);
		kind(t, V9_ETE_TRACE_ON);
		address(t, START, 100);
	}
	piece(c, 0, 0, t, PD_AUX_FLAG_RAW, 5000050000ull);
	cap_close(c);
}

static int exec(struct cap *c, struct trace *t, const char *file)
{
	open_capture(c);
	c->time = 5000020000ull;
	c->pid = c->tid = 100;
	cap_comm(c, 100, 100, "other", 1);
	cap_mmap2(c, 100, PROGRAM, 0x3000, 0, "/opt/other", NULL);
	run_twice(c, t);
	return cap_write(file, c->b, c->n);
}

enum late { LATE, LATE_SIGNAL, LATE_MARKER, LATE_ENTRY, LATE_TASK };

static void timestamp(struct trace *t, uint64_t time)
{
	put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_TIMESTAMP, .timestamp = time });
}

/* The kernel is entered at @from, and @tid continues at START. */
static void through_kernel(struct trace *t, unsigned int type, uint64_t from, uint32_t tid)
{
	exception(t, type, from);
	kind(t, V9_ETE_TRACE_ON);
	address(t, START, tid);
}

/*
 * The unit is late with its timestamps: none in the part of the trace before the exec, which ends in a call of the
 * kernel. LATE_SIGNAL: the new program continues elsewhere before the timestamp, too. LATE_MARKER: a timestamp in
 * the new program is that of its marker, of the old one. LATE_ENTRY: so is one before the first branch of the new
 * program. LATE_TASK: another task has executed the new program, and a signal of this one comes behind it.
 */
static int exec_late(struct cap *c, struct trace *t, const char *file, enum late how)
{
	const uint32_t who = how == LATE_TASK ? 101 : 100;

	config.tsmark = how == LATE_MARKER;
	idr0 |= (uint64_t)config.tsmark << 23;
	open_capture(c);
	idr0 &= ~(1ull << 23);
	if (how == LATE_TASK) {
		cap_comm(c, 101, 101, "work", 0);
		cap_mmap2(c, 101, PROGRAM, 0x3000, 0, "/opt/work", id);
	}
	c->time = 5000020000ull;
	c->pid = c->tid = who;
	cap_comm(c, who, who, "other", 1);
	cap_mmap2(c, who, PROGRAM, 0x3000, 0, "/opt/other", NULL);
	reset(t);
	begin(t, START, 100);
	atoms(t, "E");
	timestamp(t, 1000);
	for (unsigned int i = 0; i < 3; i++) {
		address(t, START, 100);
		through_kernel(t, V9_ETE_EXC_IRQ, START, 100);
		atoms(t, "E");
	}
	atoms(t, "E");
	through_kernel(t, V9_ETE_EXC_CALL, PROGRAM + 0x1408, who);
	if (how == LATE_MARKER)
		kind(t, V9_ETE_MARKER);
	else if (how == LATE_ENTRY)
		timestamp(t, 1100);
	if (how != LATE) {
		atoms(t, "EE");
		if (how == LATE_MARKER)
			timestamp(t, 1100);
		if (how == LATE_SIGNAL || how == LATE_TASK) {
			through_kernel(t, V9_ETE_EXC_CALL, PROGRAM + 0x1408, 100);
		} else {
			address(t, START, 100);
			through_kernel(t, V9_ETE_EXC_IRQ, START, 100);
		}
	}
	atoms(t, "E");
	timestamp(t, 2000);
	atoms(t, "E");
	exception(t, V9_ETE_EXC_CALL, PROGRAM + 0x1408);
	config.tsmark = false;
	piece(c, 0, 0, t, PD_AUX_FLAG_RAW, 5000050000ull);
	cap_close(c);
	return cap_write(file, c->b, c->n);
}

static int written(struct cap *c, struct trace *t, const char *file)
{
	open_capture(c);
	c->time = 5000020000ull;
	c->pid = c->tid = 100;
	c->prot = 7;
	cap_mmap2(c, 100, PROGRAM + 0x1000, 0x1000, 0x1000, "/opt/work", id);
	c->prot = 0;
	run_twice(c, t);
	return cap_write(file, c->b, c->n);
}

#define HEAP	0x400000ull	/* anonymous memory of a program that generates code */

/* A Commit packet, if the unit traces speculatively */
static void commit(struct trace *t, bool committed, uint32_t n)
{
	if (committed)
		put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_COMMIT, .commit = n });
}

/*
 * Two functions at the same address, one after the other. CLOCK_MONOTONIC is 4 s behind perf's
 * clock. @committed: the unit traces speculatively, and commits all at the end.
 */
static int jit(struct cap *c, struct trace *t, const char *file, bool committed)
{
	static const uint32_t first[] = { 0xd503201f, 0xd65f03c0 };		/* NOP, RET */
	static const uint32_t second[] = { 0xd503201f, 0xd503201f, 0xd65f03c0 };
	static const uint64_t clocks[][2] = { { 100, 1000001600 }, { 10100, 1000161600 } };
	struct cap code = { .n = 0 }, dump = { .n = 0 };

	jit_head(&dump, 100, 0);
	/* counts 500 and 1500 */
	jit_load(&dump, 100, 1000008000, "first", HEAP, 1, first, sizeof(first));
	jit_load(&dump, 100, 1000024000, "second", HEAP, 2, second, sizeof(second));
	code_head(&code, 2);
	code_part(&code, PD_CODE_JITDUMP, 100, dump.b, dump.n);
	code_part(&code, PD_CODE_CLOCKS, 0, clocks, sizeof(clocks));
	config.maxspec = idr8 = committed ? 8 : 0;
	open_capture(c);
	idr8 = 0;
	c->pid = c->tid = 100;
	c->prot = 7;
	cap_mmap2(c, 100, HEAP, 0x1000, 0, "//anon", NULL);
	c->prot = 0;
	cap_mmap2(c, 100, 0x700000, 0x1000, 0, "/tmp/jit-100.dump", NULL);
	reset(t);
	begin(t, HEAP, 100);
	for (uint64_t time = 1000; time <= 2000; time += 1000) {
		atoms(t, "E");			/* RET */
		stamp(t, time);			/* that of the element before it (R_DGTJZ) */
		address(t, PROGRAM + 0x1804, 0);
		exception(t, V9_ETE_EXC_CALL, PROGRAM + 0x1804);
		kind(t, V9_ETE_TRACE_ON);
		address(t, time < 2000 ? HEAP : PROGRAM + 0x1804, 100);
	}
	atoms(t, "E");				/* B _start */
	commit(t, committed, 5);
	config.maxspec = 0;
	piece(c, 0, 0, t, PD_AUX_FLAG_RAW, 5000050000ull);
	free(dump.b);
	return write_with_code(c, &code, file);
}

/* The trace so far is an AUX record of @tid on CPU 0, behind @offset bytes. Returns the bytes with it. */
static uint64_t record_of(struct cap *c, struct trace *t, uint32_t tid, uint64_t offset, uint64_t time)
{
	const uint64_t end = offset + (t->n + 7) / 8 * 8;

	while (t->n % 8)
		kind(t, V9_ETE_IGNORE);
	piece_of(c, 0, tid, offset, t, PD_AUX_FLAG_RAW, time);
	t->n = 0;
	return end;
}

/* Two AUX records, which no synchronization separates. @committed: the second has commits of the first. */
static int two_pieces(struct cap *c, struct trace *t, const char *file, bool committed)
{
	uint64_t at;

	config.maxspec = idr8 = committed ? 8 : 0;
	open_capture(c);
	idr8 = 0;
	reset(t);
	begin(t, START, 100);
	atoms(t, "E");
	commit(t, committed, 1);
	stamp(t, 1000);
	atoms(t, "E");
	commit(t, committed, 1);
	stamp(t, 3000);
	atoms(t, "E");
	at = record_of(c, t, 100, 0, 5000500000ull);
	commit(t, committed, 1);
	atoms(t, "N");
	commit(t, committed, 1);
	stamp(t, 3100);
	record_of(c, t, 100, at, 5000900000ull);
	config.maxspec = 0;
	cap_close(c);
	return cap_write(file, c->b, c->n);
}

/* The same of two processes, without ids in the trace. The second process has no code there. */
static int two_tasks(struct cap *c, struct trace *t, const char *file, bool committed)
{
	const uint64_t with_ids = configr;
	uint64_t at;

	config.maxspec = idr8 = committed ? 8 : 0;
	configr = 1;
	open_capture(c);
	configr = with_ids;
	idr8 = 0;
	c->pid = c->tid = 101;
	cap_comm(c, 101, 101, "other", 0);
	reset(t);
	begin(t, START, 100);
	atoms(t, "EE");
	commit(t, committed, 2);
	at = record_of(c, t, 100, 0, 5000500000ull);
	address(t, START, 100);
	atoms(t, "EEE");
	commit(t, committed, 3);
	record_of(c, t, 101, at, 5000900000ull);
	config.maxspec = 0;
	cap_close(c);
	return cap_write(file, c->b, c->n);
}

/* A mark: tag, kind and value as in tools/lib/v9mark.h */
static void write_mark(struct trace *t, unsigned int kind, uint64_t value)
{
	instrument(t, 0, 0x56ull << 56 | (uint64_t)kind << 52 | value);
}

/* Begins a capture with marks by TRCIT, whose texts are in the code of a jitdump. */
static void open_marks(struct cap *c, struct cap *code, const char *texts, unsigned int size)
{
	struct cap dump = { .n = 0 };

	jit_head(&dump, 100, 0);
	jit_load(&dump, 100, 0, "texts", HEAP, 1, texts, size);
	code_head(code, 1);
	code_part(code, PD_CODE_JITDUMP, 100, dump.b, dump.n);
	idr0 |= 1 << 22;
	open_capture(c);
	idr0 &= ~(1ull << 22);
	cap_mmap2(c, 100, 0x700000, 0x1000, 0, "/tmp/jit-100.dump", NULL);
	free(dump.b);
}

/*
 * Marks of each kind, and instrumentation that is no mark. The texts are in the code of a jitdump.
 */
static int marks(struct cap *c, struct trace *t, const char *file)
{
	static const char texts[] = "parse\0send\0bad\1";
	const uint64_t parse = HEAP, send = HEAP + 6, bad = HEAP + 11;
	struct cap code = { .n = 0 };

	open_marks(c, &code, texts, sizeof(texts));
	reset(t);
	t->enc.cfg.ite = true;
	begin(t, START, 100);
	stamp(t, 1000);
	write_mark(t, 4, 42);		/* id */
	write_mark(t, 1, parse);
	atoms(t, "E");			/* BL compress */
	write_mark(t, 1, send);		/* nested in parse */
	stamp(t, 1100);
	write_mark(t, 2, send);
	write_mark(t, 3, send);		/* a moment */
	atoms(t, "E");			/* BL match */
	stamp(t, 1500);
	write_mark(t, 2, parse);
	write_mark(t, 1, parse);
	stamp(t, 1600);
	write_mark(t, 2, parse);
	write_mark(t, 1, send);		/* its end is missing */
	write_mark(t, 2, bad);		/* its begin is missing; not printable */
	write_mark(t, 5, send);		/* no such kind */
	instrument(t, 0, 7);
	exception(t, V9_ETE_EXC_CALL, PROGRAM + 0x1408);
	piece(c, 0, 0, t, PD_AUX_FLAG_RAW, 5000050000ull);
	return write_with_code(c, &code, file);
}

/* Numbers, phases, nested or not, and moments: 42000 marks, in AUX records of 700 */
static int many_marks(struct cap *c, struct trace *t, const char *file)
{
	static const char texts[] = "parse\0send";
	const uint64_t parse = HEAP, send = HEAP + 6;
	struct cap code = { .n = 0 };
	uint64_t at = 0;

	open_marks(c, &code, texts, sizeof(texts));
	for (unsigned int i = 0; i < 6000; i++) {
		if (i % 100 == 0) {
			reset(t);
			t->enc.cfg.ite = true;
			begin(t, START, 100);
			stamp(t, 1000 + i);
		}
		write_mark(t, 4, i);
		write_mark(t, 1, parse);
		atoms(t, "EEE");		/* BL compress, BL match, RET */
		address(t, PROGRAM + 0x100c, 0);
		write_mark(t, 1, send);
		if (i % 3)
			atoms(t, "EE");		/* B.EQ compress, BL match */
		write_mark(t, 3, send);
		write_mark(t, 2, i % 7 ? send : parse);
		write_mark(t, 2, i % 7 ? parse : send);
		write_mark(t, 4, i);
		address(t, START, 0);
		if (i % 100 == 99) {
			piece(c, 0, at, t, PD_AUX_FLAG_RAW, 5000050000ull + i * 1000);
			at += t->n;
		}
	}
	return write_with_code(c, &code, file);
}

/* The branch over a tag of kind @kind, and the tag, as in tools/lib/v9mark.h */
static void tag(uint32_t *code, uint32_t kind, uint32_t arg)
{
	const uint32_t words[] = { 0x14000005, 0x616d3976, 0x01006b72, kind, arg };

	memcpy(code, words, sizeof(words));
}

/*
 * Opens a capture with the code of a function at HEAP, as a jitdump of process 100 has it, and begins a trace
 * there at time 1000. The caller frees @dump.
 */
static void open_generated(struct cap *c, struct trace *t, struct cap *code, struct cap *dump, const char *name,
			   const uint32_t *words, size_t size)
{
	jit_head(dump, 100, 0);
	jit_load(dump, 100, 0, name, HEAP, 1, words, size);
	code_head(code, 1);
	code_part(code, PD_CODE_JITDUMP, 100, dump->b, dump->n);
	open_capture(c);
	cap_mmap2(c, 100, 0x700000, 0x1000, 0, "/tmp/jit-100.dump", NULL);
	reset(t);
	begin(t, HEAP, 100);
	stamp(t, 1000);
}

/* The branches of a number: its last bit first */
static void bits(struct trace *t, uint64_t number, unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		atoms(t, number >> i & 1 ? "E" : "N");
}

/*
 * Marks by branches, in a function of a jitdump: a number between the begin and the end of a phase, thrice;
 * an interrupt cuts the second number. The text of the last mark is where no code is.
 */
static int branch_marks(struct cap *c, struct trace *t, const char *file)
{
	uint32_t text[96] = { 0 };
	struct cap code = { .n = 0 }, dump = { .n = 0 };
	const uint64_t number = 0x8000000000001;

	tag(text, 1, 0x160 - 0x10);
	tag(text + 5, 4, 52);
	for (uint32_t i = 0; i < 52; i++)
		text[10 + i] = 0x37000020 | (i & 31) << 19 | (i >> 5) << 31;	/* TBNZ X0, #i, .+4 */
	tag(text + 62, 2, 0x160 - 0x108);
	text[67] = 0x17ffffbd;			/* B to the begin */
	tag(text + 72, 3, 0x7ffff000);
	memcpy(text + 88, "parse", 6);
	open_generated(c, t, &code, &dump, "marked", text, sizeof(text));
	atoms(t, "EE");
	bits(t, number, 52);
	stamp(t, 1100);
	atoms(t, "EEEE");
	bits(t, number, 20);
	exception(t, V9_ETE_EXC_CALL, HEAP + 4 * 30);
	kind(t, V9_ETE_TRACE_ON);
	address(t, HEAP + 4 * 30, 100);
	bits(t, number >> 20, 32);
	stamp(t, 1500);
	atoms(t, "EEEE");
	bits(t, 42, 52);
	atoms(t, "E");
	stamp(t, 1600);
	address(t, HEAP + 4 * 72, 100);
	atoms(t, "E");
	exception(t, V9_ETE_EXC_CALL, HEAP + 4 * 77);
	piece(c, 0, 0, t, PD_AUX_FLAG_RAW, 5000050000ull);
	free(dump.b);
	return write_with_code(c, &code, file);
}

/* Fills the buffer with rounds of the program, some of them interrupted by the kernel. */
static void rounds(struct trace *t, unsigned int seed, uint64_t *time)
{
	begin(t, START, 100);
	while (t->n < sizeof(t->b) - 1024) {
		atoms(t, "EEE");		/* BL compress, BL match, RET */
		address(t, PROGRAM + 0x100c, 0);
		atoms(t, "EE");			/* B.EQ compress, BL match */
		seed = seed * 1103515245 + 12345;
		if (!(seed >> 16 & 7)) {
			exception(t, V9_ETE_EXC_CALL, PROGRAM + 0x1408);
			kernel_address(t, KERNEL);
			atoms(t, "E");
			address(t, PROGRAM + 0x1408, 100);
		}
		atoms(t, "E");			/* RET */
		address(t, PROGRAM + 0x100c, 0);
		atoms(t, "NE");			/* B.EQ not taken, RET */
		address(t, PROGRAM + 0x1804, 0);
		atoms(t, "E");			/* B _start */
		if (seed >> 19 & 7)
			continue;
		kind(t, V9_ETE_ASYNC);
		kind(t, V9_ETE_INFO);
		address(t, START, 100);
		atoms(t, "E");
		*time += 1 + (seed >> 22 & 63);
		put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_TIMESTAMP, .timestamp = *time });
		atoms(t, "EE");
		address(t, PROGRAM + 0x100c, 0);
		atoms(t, "NE");
		address(t, PROGRAM + 0x1804, 0);
		atoms(t, "E");
	}
}

static int steady(struct cap *c, struct trace *t, const char *file)
{
	open_capture(c);
	c->time = 5000100000ull;
	c->pid = c->tid = 100;
	cap_comm(c, 100, 100, "other", 1);
	cap_mmap2(c, 100, PROGRAM, 0x3000, 0, "/opt/work", id);
	for (unsigned int cpu = 0; cpu < 2; cpu++) {
		uint64_t time = 1000;

		reset(t);
		rounds(t, cpu, &time);
		piece(c, cpu, 0, t, PD_AUX_FLAG_RAW, 5000000000ull + (time << 4));
	}
	cap_close(c);
	return cap_write(file, c->b, c->n);
}

/* ---- threads that move at random */

#define THREADS	3	/* 100 .. */

struct wander {
	struct cap *c;
	struct trace *cpu[2];
	uint64_t offset[2];
	unsigned int seed;
	uint64_t time;
	uint64_t at[THREADS];		/* where each thread goes on */
	int runs[2];			/* thread of a CPU */
};

static unsigned int draw(struct wander *w, unsigned int n)
{
	w->seed = w->seed * 1103515245 + 12345;
	return (w->seed >> 16) % n;
}

/* Branches, and a count of cycles, or none */
static void counted(struct wander *w, struct trace *t, const char *taken)
{
	atoms(t, taken);
	if (draw(w, 2))
		put(t, &(struct v9_ete_pkt){ .kind = V9_ETE_CYCLES, .has = V9_ETE_HAS_COUNT,
					     .count = 1 + draw(w, 1000) });
}

/* A thread executes from its place to the next one. */
static void go_on(struct wander *w, struct trace *t, int thread)
{
	uint64_t *at = &w->at[thread];

	switch (*at - PROGRAM) {
	case 0x1800:
		counted(w, t, "EE");			/* BL compress, BL match */
		*at = PROGRAM + 0x1408;
		exception(t, V9_ETE_EXC_CALL, *at);
		break;
	case 0x1408:
		counted(w, t, "E");			/* RET */
		*at = PROGRAM + 0x100c;
		address(t, *at, 0);
		exception(t, V9_ETE_EXC_IRQ, *at);
		break;
	case 0x100c:
		if (draw(w, 2)) {
			counted(w, t, "EE");		/* B.EQ compress, BL match */
			*at = PROGRAM + 0x1408;
			exception(t, V9_ETE_EXC_CALL, *at);
			break;
		}
		counted(w, t, "NE");			/* B.EQ not taken, RET */
		*at = PROGRAM + 0x1804;
		address(t, *at, 0);
		exception(t, V9_ETE_EXC_IRQ, *at);
		break;
	default:
		counted(w, t, "E");			/* B _start */
		*at = START;
		exception(t, V9_ETE_EXC_IRQ, *at);
	}
}

static void end_record(struct wander *w, int cpu)
{
	struct trace *t = w->cpu[cpu];

	piece(w->c, (uint32_t)cpu, w->offset[cpu], t, PD_AUX_FLAG_RAW, AT(w->time + 5));
	w->offset[cpu] += t->n;
	reset(t);
}

static int wander(struct cap *c, const char *file)
{
	struct wander w = { .c = c, .seed = 7, .time = 1000 };

	configr |= CCI;
	open_capture(c);
	configr = CONFIGR;
	for (int i = 0; i < THREADS; i++) {
		c->pid = 100;
		c->tid = 100 + (uint32_t)i;
		cap_comm(c, 100, c->tid, "work", 0);
		w.at[i] = START;
	}
	for (int cpu = 0; cpu < 2; cpu++) {
		w.cpu[cpu] = calloc(1, sizeof(*w.cpu[cpu]));
		reset(w.cpu[cpu]);
	}
	for (unsigned int i = 0; i < 1500; i++) {
		const int cpu = (int)draw(&w, 2);
		const int thread = draw(&w, 3) ? w.runs[cpu] : (int)draw(&w, THREADS);
		struct trace *t = w.cpu[cpu];

		w.runs[cpu] = thread;
		if (i == 300) {
			/* What is open then ends. */
			c->pid = c->tid = 100;
			c->time = AT(w.time - 5);
			cap_comm(c, 100, 100, "work", 1);
			cap_mmap2(c, 100, PROGRAM, 0x3000, 0, "/opt/work", id);
			for (int k = 0; k < THREADS; k++)
				w.at[k] = START;
		}
		if (!t->n || !draw(&w, 3)) {
			kind(t, V9_ETE_ASYNC);
			kind(t, V9_ETE_INFO);
		}
		kind(t, V9_ETE_TRACE_ON);
		address(t, w.at[thread], 100 + (uint32_t)thread);
		if (draw(&w, 8))
			stamp(t, w.time);
		go_on(&w, t, thread);
		w.time += 20;
		if (t->n > 3000)
			end_record(&w, cpu);
	}
	for (int cpu = 0; cpu < 2; cpu++) {
		end_record(&w, cpu);
		free(w.cpu[cpu]);
	}
	cap_close(c);
	return cap_write(file, c->b, c->n);
}

/* ---- the same capture in other layouts */

static void record(struct cap *c, uint32_t type, const void *body, size_t n)
{
	cap_record(c, type, 0, body, n);
}

/* The pipe layout: header and sections are records. */
static int piped(const struct cap *c, const char *file)
{
	struct cap out = { .n = 0 };
	const uint64_t ids[] = { 100, 101 };
	uint8_t body[CAP_ATTR + sizeof(ids)];
	/* static: the padding at its end, which is written, too, is 0 */
	static const struct { uint64_t which; uint32_t len; char text[64]; } arch = {
		PD_ARCH, 64, "aarch64",
	};

	cap_u64(&out, PD_MAGIC);
	cap_u64(&out, PD_PIPE_HEADER_SIZE);
	/* The attribute follows the header and the ids. */
	memcpy(body, c->b + sizeof(struct pd_header) + sizeof(ids), CAP_ATTR);
	memcpy(body + CAP_ATTR, ids, sizeof(ids));
	record(&out, PD_REC_HEADER_ATTR, body, sizeof(body));
	record(&out, PD_REC_HEADER_FEATURE, &arch, sizeof(arch));
	cap_put(&out, c->b + c->data, c->n - c->data);
	if (cap_write(file, out.b, out.n))
		return 1;
	free(out.b);
	return 0;
}

/* zstd blocks: raw, or one byte repeated */
static void block(struct cap *c, unsigned int type, size_t size, const void *p, size_t n)
{
	const uint32_t head = (uint32_t)(size << 3 | type << 1);

	cap_put(c, &head, 3);
	cap_put(c, p, n);
}

static void frame(struct cap *c)
{
	cap_put(c, "\x28\xb5\x2f\xfd\x00\x58", 6);	/* window of 2 MiB, no content size */
}

/* Chunks of 37 bytes, unlike any record; the old and the new record type in turn */
static void flush(struct cap *out, struct cap *plain, bool *begun)
{
	unsigned int turn = 0;

	for (size_t at = 0; at < plain->n; at += 37, turn++) {
		const size_t n = plain->n - at < 37 ? plain->n - at : 37;
		struct cap z = { .n = 0 }, body = { .n = 0 };

		if (!*begun)
			frame(&z);
		*begun = true;
		block(&z, 0, n, plain->b + at, n);
		if (turn & 1)
			cap_u64(&body, z.n);
		else
			/* The old type has no padding: its size must be a multiple of 8. */
			while (z.n % 8)
				block(&z, 0, 0, NULL, 0);
		cap_put(&body, z.b, z.n);
		record(out, turn & 1 ? PD_REC_COMPRESSED2 : PD_REC_COMPRESSED, body.b, body.n);
		free(z.b);
		free(body.b);
	}
	plain->n = 0;
}

/* Records of the kernel are compressed, those of the recorder are not. */
static int packed(const struct cap *c, const char *file, bool bomb)
{
	struct cap out = { .arch = c->arch, .event = c->event, .data = c->data }, plain = { .n = 0 };
	struct pd_event_header h;
	bool begun = false;

	cap_put(&out, c->b, c->data);
	for (size_t at = c->data; at < c->n; at += h.size) {
		uint64_t size = 0;

		memcpy(&h, c->b + at, sizeof(h));
		if (h.type < PD_REC_HEADER_ATTR) {
			cap_put(&plain, c->b + at, h.size);
			continue;
		}
		flush(&out, &plain, &begun);
		if (h.type == PD_REC_AUXTRACE)
			memcpy(&size, c->b + at + offsetof(struct pd_auxtrace, size), 8);
		cap_put(&out, c->b + at, h.size + size);
		at += size;
	}
	flush(&out, &plain, &begun);
	/* 2000 bytes that decompress to 64 MB of ones */
	if (bomb) {
		struct cap z = { .n = 0 };

		for (unsigned int i = 0; i < 512; i++)
			block(&z, 1, 1 << 17, "\1", 1);
		record(&out, PD_REC_COMPRESSED, z.b, z.n);
		free(z.b);
	}
	cap_close(&out);
	if (cap_write(file, out.b, out.n))
		return 1;
	free(plain.b);
	free(out.b);
	return 0;
}

static int steps(struct cap *c, struct trace *t, const char *file, const char *program, unsigned long n)
{
	struct { char what; unsigned long long addr; } step[8192];
	uint64_t offset = 0;
	char line[64];
	size_t nr = 0;

	while (nr < sizeof(step) / sizeof(step[0]) && fgets(line, sizeof(line), stdin))
		if (sscanf(line, "%c %llx", &step[nr].what, &step[nr].addr) >= 1)
			nr++;
	open_capture(c);
	cap_mmap2(c, 100, 0x400000, 0x200000, 0, program, NULL);
	for (unsigned long i = 0; i < n; i++, offset += t->n) {
		reset(t);
		for (size_t k = 0; k < nr; k++) {
			if (step[k].what == 'S') {
				begin(t, step[k].addr, 100);
				continue;
			}
			if (step[k].what == 'O') {
				kind(t, V9_ETE_OVERFLOW);
				continue;
			}
			if (step[k].what == 'X') {
				exception(t, V9_ETE_EXC_IRQ, step[k].addr);
				continue;
			}
			atoms(t, step[k].what == 'N' ? "N" : "E");
			if (step[k].what == 'I')
				address(t, step[k].addr, 0);
		}
		while (t->n % 8)
			kind(t, V9_ETE_IGNORE);
		piece(c, 0, offset, t, PD_AUX_FLAG_RAW, 5000020000ull + i * 1000);
	}
	cap_close(c);
	return cap_write(file, c->b, c->n);
}

int main(int argc, char **argv)
{
	static struct cap c;
	static struct trace t;

	if (argc == 4)
		return steps(&c, &t, in(argv[1], "steps.data"), argv[2], strtoul(argv[3], NULL, 0));
	if (argc == 3) {
		const unsigned long n = strtoul(argv[2], NULL, 0);
		uint64_t offset = 0;

		open_capture(&c);
		reset(&t);
		run(&t, 100, 1000);
		/* A multiple of 8, so that there is no rounding between parts */
		while (t.n % 8)
			kind(&t, V9_ETE_IGNORE);
		for (unsigned long i = 0; i < n; i++, offset += t.n)
			piece(&c, 0, offset, &t, PD_AUX_FLAG_RAW, 5000020000ull + i * 1000);
		cap_close(&c);
		return cap_write(in(argv[1], "long.data"), c.b, c.n);
	}
	if (argc != 2)
		return 2;

	open_capture(&c);
	reset(&t);
	run(&t, 100, 1000);
	piece(&c, 0, 0, &t, PD_AUX_FLAG_RAW, 5000020000ull);
	reset(&t);
	begin(&t, PROGRAM + 0x1000, 100);
	atoms(&t, "E");
	kind(&t, V9_ETE_IGNORE);
	kind(&t, V9_ETE_IGNORE);
	piece(&c, 1, 0, &t, PD_AUX_FLAG_RAW, 5000030000ull);
	if (piped(&c, in(argv[1], "piped.data")) || packed(&c, in(argv[1], "packed.data"), false) ||
	    packed(&c, in(argv[1], "bomb.data"), true))
		return 1;
	cap_close(&c);
	if (cap_write(in(argv[1], "trace.data"), c.b, c.n))
		return 1;

	/* CPUs of two types: S3_0_C0_C0_0 (MIDR_EL1); a thread in a control group */
	open_capture(&c);
	cap_cgroup(&c, 11, "/system.slice/work.service");
	c.cgroups = &group;
	c.nr_cgroups = 1;
	reset(&t);
	run(&t, 100, 1000);
	piece(&c, 0, 0, &t, PD_AUX_FLAG_RAW, 5000020000ull);
	reset(&t);
	begin(&t, PROGRAM + 0x1000, 100);
	atoms(&t, "EN");
	kind(&t, V9_ETE_IGNORE);
	piece(&c, 1, 0, &t, PD_AUX_FLAG_RAW, 5000030000ull);
	c.regs = types;
	c.nr_regs = sizeof(types) / sizeof(types[0]);
	cap_close(&c);
	if (cap_write(in(argv[1], "types.data"), c.b, c.n))
		return 1;
	c.cgroups = NULL;

	open_capture(&c);
	reset(&t);
	memcpy(t.b, "\x04\x05\x06", t.n = 3);	/* before any synchronization */
	run(&t, 100, 1000);
	t.b[t.n++] = 0x7f;			/* a reserved header */
	t.b[t.n++] = 0x42;
	begin(&t, PROGRAM + 0x9000, 100);	/* where nothing is mapped */
	atoms(&t, "E");
	kind(&t, V9_ETE_OVERFLOW);
	kind(&t, V9_ETE_TRACE_ON);
	address(&t, PROGRAM + 0x1000, 100);
	atoms(&t, "E");
	t.b[t.n++] = 0x9d;			/* an address without its end */
	piece(&c, 0, 0, &t, PD_AUX_FLAG_RAW | PERF_AUX_FLAG_TRUNCATED, 5000020000ull);
	reset(&t);
	run(&t, 100, 1000);
	piece(&c, 1, 0, &t, 0, 5000030000ull);	/* framed, by the flag of the record */
	piece(&c, 7, 0, &t, PD_AUX_FLAG_RAW, 5000030000ull);	/* a CPU without a description */
	c.cpu = 1;
	cap_aux_record(&c, 4096, 100, PD_AUX_FLAG_RAW);		/* not in the file */
	cap_close(&c);
	return cap_write(in(argv[1], "trace-damaged.data"), c.b, c.n) ||
	       after_the_last(&c, &t, in(argv[1], "trace-padded.data"), V9_TRACE_PADDING) ||
	       after_the_last(&c, &t, in(argv[1], "trace-unclaimed.data"), 0xf7) ||
	       in_two(&c, &t, in(argv[1], "trace-parts.data"), 0) ||
	       in_two(&c, &t, in(argv[1], "trace-overlap.data"), 24) ||
	       both(&c, &t, in(argv[1], "both.data")) ||
	       joined(&c, &t, in(argv[1], "joined.data")) ||
	       joint(&c, &t, in(argv[1], "joint.data"), 60, 0) ||
	       joint(&c, &t, in(argv[1], "joint-few.data"), 6, 0) ||
	       joint(&c, &t, in(argv[1], "joint-ops.data"), 60, OPERATIONS) ||
	       joint(&c, &t, in(argv[1], "joint-apart.data"), 60, APART) ||
	       joint(&c, &t, in(argv[1], "joint-steps.data"), 60, STEPS) ||
	       joint(&c, &t, in(argv[1], "joint-cycles.data"), 60, CYCLES) ||
	       joint(&c, &t, in(argv[1], "joint-threads.data"), 6, OF_THREADS) ||
	       joint(&c, &t, in(argv[1], "joint-slow.data"), 60, SLOW) ||
	       joint(&c, &t, in(argv[1], "joint-contexts.data"), 60, CONTEXTS) ||
	       stacks(&c, &t, in(argv[1], "stacks.data")) ||
	       kernel(&c, &t, in(argv[1], "kernel.data"), NULL) ||
	       kernel(&c, &t, in(argv[1], "no-kernel.data"), "/proc/kcore cannot be read: no") ||
	       exec(&c, &t, in(argv[1], "exec.data")) ||
	       exec_late(&c, &t, in(argv[1], "exec-late.data"), LATE) ||
	       exec_late(&c, &t, in(argv[1], "exec-signal.data"), LATE_SIGNAL) ||
	       exec_late(&c, &t, in(argv[1], "exec-marker.data"), LATE_MARKER) ||
	       exec_late(&c, &t, in(argv[1], "exec-entry.data"), LATE_ENTRY) ||
	       exec_late(&c, &t, in(argv[1], "exec-task.data"), LATE_TASK) ||
	       written(&c, &t, in(argv[1], "written.data")) ||
	       jit(&c, &t, in(argv[1], "jit.data"), false) ||
	       jit(&c, &t, in(argv[1], "jit-committed.data"), true) ||
	       two_pieces(&c, &t, in(argv[1], "two-records.data"), false) ||
	       two_pieces(&c, &t, in(argv[1], "two-records-committed.data"), true) ||
	       two_tasks(&c, &t, in(argv[1], "two-tasks.data"), false) ||
	       two_tasks(&c, &t, in(argv[1], "two-tasks-committed.data"), true) ||
	       marks(&c, &t, in(argv[1], "marks.data")) ||
	       branch_marks(&c, &t, in(argv[1], "branch-marks.data")) ||
	       many_marks(&c, &t, in(argv[1], "many-marks.data")) ||
	       instrumented(&c, &t, in(argv[1], "instrumented.data")) ||
	       moved(&c, &t, in(argv[1], "moved.data")) ||
	       wander(&c, in(argv[1], "wander.data")) ||
	       waits(&c, &t, in(argv[1], "waits.data"), false) ||
	       waits(&c, &t, in(argv[1], "wakes.data"), true) ||
	       flight(&c, &t, in(argv[1], "fired.data"), true, true) ||
	       flight(&c, &t, in(argv[1], "never.data"), false, false) ||
	       snapshots(&c, &t, in(argv[1], "snapshots.data")) ||
	       flight(&c, &t, in(argv[1], "stopped.data"), false, true) ||
	       steady(&c, &t, in(argv[1], "steady.data"));
}
