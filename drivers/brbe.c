// SPDX-License-Identifier: GPL-2.0-only
/*
 * v9_brbe: the Branch Record Buffer Extension as a perf PMU, for kernels that have no driver for
 * it. Its events are samples with branch stacks, which any perf records and reads.
 *
 * The unit keeps the last branches of its CPU in registers. A sample reads them. What samples is a
 * counter of the CPU's PMU (counter.h), or a clock.
 *
 * perf exports no function that writes a sample. It has put the function that writes those of an
 * event into the event, as the public member overflow_handler, before event_init() is called; the
 * interrupt of a PMU has perf call it. v9_brbe_write() calls it directly. What perf does around
 * that call is done as follows:
 *
 *   accounting, throttling	by perf, for the counter that samples; a clock has a shortest period
 *   a frequency		v9_branch_period()
 *   PERF_EVENT_IOC_REFRESH	v9_brbe_write()
 *   signals to a reader	v9_brbe_write()
 *   sigtrap, aux_pause		refused
 *   a BPF program		6.1: it is the function. Later: it is not run (limits.rst)
 *
 * Permissions are perf's: who may see the kernel, or a CPU, is asked when an event is opened.
 * Which levels are recorded is in branch_sample_type, for which perf asks, too.
 *
 * A task's branches must not be in the sample of another. Each start of an event forgets what was
 * recorded before. Where perf switches tasks without a stop (an event of a CPU; tasks with the same
 * inherited events), a counter of task switches makes the driver invalidate the records. Guests are
 * not recorded, and their instructions BRB IALL and BRB INJ trap.
 *
 * Everything per CPU is touched by that CPU only, with interrupts off.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/hrtimer.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/platform_device.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>

#include <asm/irq_regs.h>
#include <asm/sysreg.h>
#include <asm/virt.h>

#include "compat.h"
#include "counter.h"
#include "cpu_regs.h"
#include "event.h"
#include "sysfs.h"
#include "unit.h"
#include "v9trace/attr.h"
#include "v9trace/branch.h"
#include "v9trace/gen/regs.h"
#include "v9trace/seq.h"
#include "v9trace/uapi.h"

/* uapi.h numbers these as perf does. */
#define SAME(name)	static_assert(V9_BRANCH_##name == PERF_SAMPLE_BRANCH_##name)
SAME(USER); SAME(KERNEL); SAME(HV); SAME(ANY); SAME(ANY_CALL); SAME(ANY_RETURN); SAME(IND_CALL);
SAME(ABORT_TX); SAME(IN_TX); SAME(NO_TX); SAME(COND); SAME(CALL_STACK); SAME(IND_JUMP); SAME(CALL);
SAME(NO_FLAGS); SAME(NO_CYCLES); SAME(TYPE_SAVE); SAME(HW_INDEX); SAME(PRIV_SAVE);
#define SAME_TYPE(ours, theirs) static_assert((int)V9_BRANCH_##ours == (int)PERF_BR_##theirs)
SAME_TYPE(UNKNOWN, UNKNOWN);
SAME_TYPE(TYPE_COND, COND);
SAME_TYPE(TYPE_UNCOND, UNCOND);
SAME_TYPE(TYPE_IND, IND);
SAME_TYPE(TYPE_CALL, CALL);
SAME_TYPE(TYPE_IND_CALL, IND_CALL);
SAME_TYPE(TYPE_RET, RET);
SAME_TYPE(TYPE_SYSCALL, SYSCALL);
SAME_TYPE(TYPE_ERET, ERET);
SAME_TYPE(TYPE_IRQ, IRQ);
SAME_TYPE(TYPE_SERROR, SERROR);
SAME_TYPE(TYPE_NEW, EXTEND_ABI);
SAME_TYPE(NEW_ALIGNMENT, NEW_FAULT_ALGN);
SAME_TYPE(NEW_DATA_FAULT, NEW_FAULT_DATA);
SAME_TYPE(NEW_INST_FAULT, NEW_FAULT_INST);
SAME_TYPE(NEW_FIQ, ARM64_FIQ);
SAME_TYPE(NEW_DEBUG_HALT, ARM64_DEBUG_HALT);
SAME_TYPE(NEW_DEBUG_EXIT, ARM64_DEBUG_EXIT);
SAME_TYPE(NEW_INST_DEBUG, ARM64_DEBUG_INST);
SAME_TYPE(NEW_DATA_DEBUG, ARM64_DEBUG_DATA);
SAME_TYPE(PRIV_USER, PRIV_USER);
SAME_TYPE(PRIV_KERNEL, PRIV_KERNEL);

static bool sbrbe;
module_param(sbrbe, bool, 0444);
MODULE_PARM_DESC(sbrbe, "firmware permits the registers: MDCR_EL3.SBRBE is 1 or 3 (default N)");

static unsigned int counters = 2;
module_param(counters, uint, 0444);
MODULE_PARM_DESC(counters,
		 "most counters of each CPU's PMU that sample at the same time (default 2)");

static unsigned int max_age = 100;
module_param(max_age, uint, 0644);
MODULE_PARM_DESC(max_age,
		 "microseconds from an overflow to its sample, beyond which records are stale (default 100)");

/* Shortest period of a clock in ns: perf does not throttle it. */
#define V9_CLOCK_MIN	(100 * NSEC_PER_USEC)

/* First sampling period of a frequency, in events */
#define V9_FIRST_PERIOD	10000

/**
 * struct v9_brbe_cpu - one CPU's unit
 * @u: part that all drivers have
 * @records: number of records that the unit has
 * @busy: the state is being changed; a sample that comes meanwhile is dropped
 * @clock: samples for an event of a clock
 * @raw: raw data of a sample
 * @stack: struct perf_branch_stack
 */
struct v9_brbe_cpu {
	struct v9_pmu_cpu u;
	unsigned int records;
	bool busy;
	struct hrtimer clock;
	struct v9_branch_raw raw;
	u64 stack[(sizeof(struct perf_branch_stack) +
		   V9_BRANCHES_MAX * sizeof(struct perf_branch_entry)) / sizeof(u64)];
};

/**
 * struct v9_brbe_session - what an event and all that inherit from it share
 * @users: events
 * @values: register values
 * @branch: branch_sample_type
 * @raw: raw data is wanted
 * @period: period of a clock in ns
 * @cpu: CPU of the event, or -1 for all
 * @key: keys of its counters, without a CPU
 * @uses: which of them it needs
 * @err: result of v9_brbe_begin()
 * @why: reason of it
 * @begin: work that gets the counters
 * @end: work that puts them
 * @node: list of all sessions
 * @counter: by CPU, those of enum v9_counter_use
 */
struct v9_brbe_session {
	refcount_t users;
	struct v9_brbe_reg_values values;
	u64 branch;
	bool raw;
	u64 period;
	int cpu;
	struct v9_counter_key key[V9_COUNTER_USES];
	bool uses[V9_COUNTER_USES];
	int err;
	const char *why;
	struct work_struct begin;
	struct work_struct end;
	struct list_head node;
	struct v9_counter *counter[][V9_COUNTER_USES];
};

static struct {
	struct v9_pmu u;
	struct v9_pmu_device d;
	struct v9_brbe_unit unit;
	struct workqueue_struct *work;	/* ordered: one after the other */
	struct list_head sessions;	/* used by @work only */
	struct work_struct renew;
	cpumask_t came;			/* CPUs that came online since @renew ran */
	struct tracepoint *kvm_entry;	/* NULL without KVM */
} brbe;

static struct v9_brbe_cpu *to_cpu(struct v9_pmu_cpu *cpu)
{
	return container_of(cpu, struct v9_brbe_cpu, u);
}

static __always_inline struct v9_brbe_cpu *this_cpu(void)
{
	return to_cpu(this_cpu_ptr(brbe.u.cpu));
}

static bool is_stopped(const struct perf_event *event)
{
	return event->hw.state & PERF_HES_STOPPED;
}

/* The event that runs on this CPU, or NULL */
static struct perf_event *running(const struct v9_brbe_cpu *cpu)
{
	struct perf_event *event = cpu->u.event;

	return event && !is_stopped(event) && !cpu->u.is_saved ? event : NULL;
}

static __always_inline struct v9_counter *counter_of(const struct v9_brbe_session *s,
						     enum v9_counter_use use)
{
	return READ_ONCE(s->counter[smp_processor_id()][use]);
}

/* --- samples ---------------------------------------------------------------- */

static void fill_entry(struct perf_branch_entry *entry, const struct v9_branch_entry *b)
{
	*entry = (struct perf_branch_entry){
		.from = b->from,
		.to = b->to,
		.mispred = b->mispred,
		.predicted = b->predicted,
		.cycles = b->cycles,
		.type = b->type,
		.new_type = b->new_type,
		.priv = b->priv,
	};
}

/* Read the unit, which stays paused, into @cpu->raw and @cpu->stack. */
static void v9_brbe_collect(struct v9_brbe_cpu *cpu, const struct v9_brbe_session *s)
{
	struct perf_branch_stack *stack = (struct perf_branch_stack *)cpu->stack;
	enum v9_branch_validity validity;
	struct v9_branch_found found;
	struct v9_branch_entry b;
	unsigned int i, n = 0;

	v9_brbe_act_pause(&found);
	validity = v9_branch_check(found.brbfcr, s->values.freezes,
				   read_sysreg(cntpct_el0) - found.brbts, READ_ONCE(max_age),
				   read_sysreg(cntfrq_el0));
	if (v9_branch_usable(validity)) {
		n = v9_brbe_act_read(cpu->raw.rec, cpu->records);
		if (!n)
			validity = V9_BRANCHES_EMPTY;
	}
	cpu->u.stat[V9_STAT_PAUSED + validity]++;

	cpu->raw.version = V9_BRANCH_RAW_VERSION;
	cpu->raw.nr = n;
	cpu->raw.validity = validity;
	cpu->raw.brbts = found.brbts;
	cpu->raw.brbcr = s->values.brbcr;
	cpu->raw.brbfcr = found.brbfcr;

	stack->nr = n;
	stack->hw_idx = 0;		/* the youngest record is the first one */
	for (i = 0; i < n; i++) {
		v9_branch_decode(&cpu->raw.rec[i], s->branch, &b);
		cpu->u.stat[V9_STAT_SATURATED] += b.saturated;
		fill_entry(&stack->entries[i], &b);
	}
}

/*
 * Registers of the interrupted program, or NULL if nothing of it may be shown. An interrupt can
 * come late, after the kernel was entered, where an event that excludes the kernel must not say.
 */
static struct pt_regs *visible(const struct perf_event *event, struct pt_regs *regs)
{
	if (!regs)
		return NULL;
	if (!event->attr.exclude_kernel || user_mode(regs))
		return regs;
	return current->flags & PF_KTHREAD ? NULL : task_pt_regs(current);
}

/* See the top of this file for what perf does around the call. */
static void v9_brbe_write(struct perf_event *event, struct perf_sample_data *data,
			  struct pt_regs *regs)
{
	perf_overflow_handler_t output = READ_ONCE(event->overflow_handler);
	int limit = atomic_read(&event->event_limit);

	event->pending_kill = POLL_IN;
	if (limit && atomic_dec_and_test(&event->event_limit)) {
		event->pending_kill = POLL_HUP;
		v9_disable_event(event);
	}
	output(event, data, regs);
	if (v9_has_fasync(event)) {
		event->pending_wakeup = 1;
		irq_work_queue(&event->pending_irq);
	}
}

/* Write a sample of the event that runs on this CPU. */
static void v9_brbe_sample(struct v9_brbe_cpu *cpu, struct perf_event *event,
			   struct perf_sample_data *data, struct pt_regs *regs)
{
	struct v9_brbe_session *s = event->pmu_private;
	struct perf_raw_record raw;

	v9_brbe_collect(cpu, s);
	local64_add(data->period, &event->count);
	regs = visible(event, regs);
	if (regs) {
		v9_save_branches(data, event, (struct perf_branch_stack *)cpu->stack);
		if (s->raw) {
			raw = (struct perf_raw_record){ .frag = {
				.data = &cpu->raw,
				.size = offsetof(struct v9_branch_raw, rec[cpu->raw.nr]),
			} };
			v9_save_raw(data, event, &raw);
		}
		v9_brbe_write(event, data, regs);
	}
	/* The handler's own branches are not recorded, unless in the way out of the interrupt. */
	if (!is_stopped(event))
		v9_brbe_act_resume(&s->values);
}

/* A counter that samples has overflowed. */
static void v9_brbe_overflow(struct perf_event *source, struct perf_sample_data *data,
			     struct pt_regs *regs)
{
	struct v9_counter *counter = source->overflow_handler_context;
	struct v9_brbe_cpu *cpu = this_cpu();
	struct perf_event *event;

	if (READ_ONCE(cpu->busy)) {
		cpu->u.stat[V9_STAT_MISSED]++;
		return;
	}
	event = running(cpu);
	if (!event || counter_of(event->pmu_private, V9_COUNTER_SAMPLE) != counter) {
		cpu->u.stat[V9_STAT_FOREIGN]++;
		source->pmu->stop(source, PERF_EF_UPDATE);
		return;
	}
	/* perf stops the counter after this overflow, until its next tick. */
	if (source->hw.interrupts == V9_MAX_INTERRUPTS_OF_PERF)
		cpu->u.stat[V9_STAT_LIMITED]++;
	v9_brbe_sample(cpu, event, data, regs);
	v9_counter_sampled(counter, data->period);
}

/* A task leaves this CPU. perf does not stop the event for it, or does so later. */
static void v9_brbe_switch(struct perf_event *source, struct perf_sample_data *data,
			   struct pt_regs *regs)
{
	struct v9_brbe_cpu *cpu = this_cpu();

	if (!running(cpu))
		return;
	v9_brbe_act_forget();
	cpu->u.stat[V9_STAT_SWITCHES]++;
}

static enum hrtimer_restart v9_brbe_tick(struct hrtimer *timer)
{
	struct v9_brbe_cpu *cpu = container_of(timer, struct v9_brbe_cpu, clock);
	struct perf_event *event = running(cpu);
	struct v9_brbe_session *s;
	struct perf_sample_data data;

	if (!event)
		return HRTIMER_NORESTART;
	s = event->pmu_private;
	perf_sample_data_init(&data, 0, s->period);
	v9_brbe_sample(cpu, event, &data, get_irq_regs());
	if (is_stopped(event))
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, ns_to_ktime(s->period));
	return HRTIMER_RESTART;
}

static const perf_overflow_handler_t v9_brbe_handler[V9_COUNTER_USES] = {
	[V9_COUNTER_SAMPLE] = v9_brbe_overflow,
	[V9_COUNTER_CYCLES] = v9_brbe_switch,	/* it does not overflow */
	[V9_COUNTER_SWITCH] = v9_brbe_switch,
};

/* --- start, stop -------------------------------------------------------------- */

static void v9_brbe_do_start(struct perf_event *event, int flags)
{
	struct v9_brbe_session *s = event->pmu_private;
	struct v9_brbe_cpu *cpu = this_cpu();
	struct v9_counter *counter = counter_of(s, V9_COUNTER_SAMPLE);

	if (unlikely(!(cpu->u.ready & V9_READY)))
		return;
	WRITE_ONCE(cpu->busy, true);
	event->hw.state = 0;
	v9_brbe_act_start(&s->values);
	if (counter)
		v9_counter_open(counter);
	else if (!s->values.event)
		hrtimer_start(&cpu->clock, ns_to_ktime(local64_read(&event->hw.period_left)),
			      HRTIMER_MODE_REL_PINNED_HARD);
	WRITE_ONCE(cpu->busy, false);
}

static void v9_brbe_do_stop(struct perf_event *event, int flags)
{
	struct v9_brbe_session *s = event->pmu_private;
	struct v9_brbe_cpu *cpu = this_cpu();
	struct v9_counter *counter = counter_of(s, V9_COUNTER_SAMPLE);

	if (is_stopped(event))
		return;
	WRITE_ONCE(cpu->busy, true);
	if (counter) {
		v9_counter_close(counter);
	} else if (!s->values.event) {
		s64 left = ktime_to_ns(hrtimer_get_remaining(&cpu->clock));

		local64_set(&event->hw.period_left, clamp_t(s64, left, 1, s->period));
		/* It may be the timer itself that stops the event. */
		hrtimer_try_to_cancel(&cpu->clock);
	}
	v9_brbe_act_stop();
	event->hw.state |= PERF_HES_STOPPED | PERF_HES_UPTODATE;
	WRITE_ONCE(cpu->busy, false);
}

static void v9_brbe_start(struct perf_event *event, int flags)
{
	v9_pmu_start(event, flags, v9_brbe_do_start);
}

static void v9_brbe_stop(struct perf_event *event, int flags)
{
	v9_pmu_stop(event, flags, v9_brbe_do_stop);
}

static int v9_brbe_add(struct perf_event *event, int flags)
{
	return v9_pmu_add(event, flags, v9_brbe_start);
}

static void v9_brbe_del(struct perf_event *event, int flags)
{
	v9_pmu_del(event, v9_brbe_stop);
}

/* --- sessions ------------------------------------------------------------------ */

static void put_counters(struct v9_brbe_session *s, int nr)
{
	struct v9_counter *old;
	unsigned int i;

	for (i = 0; i < V9_COUNTER_USES; i++) {
		old = s->counter[nr][i];
		WRITE_ONCE(s->counter[nr][i], NULL);
		v9_counter_put(old);
	}
}

/* Returns 0 or an errno. A CPU that is offline has none. */
static int get_counters(struct v9_brbe_session *s, int nr)
{
	struct v9_counter *counter;
	int use;

	/* The last one first: PMCCNTR is taken when the counter that samples looks for one. */
	for (use = V9_COUNTER_USES - 1; use >= 0; use--) {
		struct v9_counter_key key = s->key[use];

		if (!s->uses[use])
			continue;
		key.cpu = nr;
		counter = v9_counter_get(&key, v9_brbe_handler[use],
					 use == V9_COUNTER_SAMPLE ? counters : UINT_MAX, &s->why);
		if (IS_ERR(counter)) {
			put_counters(s, nr);
			return PTR_ERR(counter) == -ENODEV ? 0 : PTR_ERR(counter);
		}
		WRITE_ONCE(s->counter[nr][use], counter);
	}
	return 0;
}

static void end_session(struct v9_brbe_session *s)
{
	int nr;

	for_each_possible_cpu(nr)
		put_counters(s, nr);
}

static void v9_brbe_begin(struct work_struct *work)
{
	struct v9_brbe_session *s = container_of(work, struct v9_brbe_session, begin);
	int nr;

	for_each_cpu(nr, &brbe.u.cpus) {
		if (s->err || (s->cpu >= 0 && s->cpu != nr))
			continue;
		s->err = get_counters(s, nr);
	}
	if (s->err)
		end_session(s);
	else
		list_add(&s->node, &brbe.sessions);
}

static void v9_brbe_end(struct work_struct *work)
{
	struct v9_brbe_session *s = container_of(work, struct v9_brbe_session, end);

	list_del(&s->node);
	end_session(s);
	kfree(s);
}

/* A CPU that was offline has lost its counters. An event of that CPU alone stays off, as perf's. */
static void v9_brbe_renew(struct work_struct *work)
{
	struct v9_brbe_session *s;
	int nr;

	for_each_possible_cpu(nr) {
		if (!cpumask_test_and_clear_cpu(nr, &brbe.came))
			continue;
		list_for_each_entry(s, &brbe.sessions, node)
			if (s->cpu < 0)
				put_counters(s, nr);
		list_for_each_entry(s, &brbe.sessions, node)
			if (s->cpu < 0 && get_counters(s, nr))
				dev_warn_ratelimited(brbe.u.dev, "CPU%d: not sampled: %s\n", nr,
						     s->why);
	}
}

/* perf may call it with locks held. */
static void v9_brbe_destroy(struct perf_event *event)
{
	struct v9_brbe_session *s = event->pmu_private;

	if (refcount_dec_and_test(&s->users))
		queue_work(brbe.work, &s->end);
}

static int refuse(const char *option, const char *why, int err)
{
	dev_dbg(brbe.u.dev, "event refused: %s%s%s\n", option, *option ? ": " : "", why);
	return err;
}

/* What no event of this PMU can be. Returns 0 or an errno. */
static int check_attr(const struct perf_event_attr *attr)
{
	const char *why = attr->sigtrap ? "sigtrap" :
			  attr->precise_ip ? "precise_ip" :
			  v9_pauses_aux(attr) ? "aux_pause and aux_resume" :
			  !(attr->sample_type & PERF_SAMPLE_BRANCH_STACK) ?
			  "samples without a branch stack (perf record -j any,u)" : NULL;

	if (why)
		return refuse("no", why, -EOPNOTSUPP);
	if (!(attr->freq ? attr->sample_freq : attr->sample_period))
		return refuse("", "neither a period nor a frequency", -EINVAL);
	return 0;
}

/* The first sampling period, in events or in ns. The frequency is in @hz, or 0. */
static int plan_first_period(struct v9_brbe_session *s, const struct perf_event_attr *attr, u64 *hz)
{
	*hz = attr->freq ? attr->sample_freq : 0;
	s->period = attr->freq ? V9_FIRST_PERIOD : attr->sample_period;
	if (s->values.event)
		return 0;
	if (*hz)
		s->period = NSEC_PER_SEC / *hz;
	if (s->period < V9_CLOCK_MIN)
		return refuse("clock", "a period below 100000 ns", -EINVAL);
	return 0;
}

/* Which counters the session needs on each of its CPUs */
static void plan_counters(struct v9_brbe_session *s, const struct perf_event *event, u64 hz)
{
	const struct perf_event_attr *attr = &event->attr;
	bool of_cpu = !(event->attach_state & PERF_ATTACH_TASK);

	s->uses[V9_COUNTER_SAMPLE] = s->values.event;
	s->key[V9_COUNTER_SAMPLE] = (struct v9_counter_key){
		.use = V9_COUNTER_SAMPLE, .event = s->values.event, .period = s->period, .hz = hz,
		.exclude_user = attr->exclude_user, .exclude_kernel = attr->exclude_kernel,
	};
	/* arm_pmuv3 gives the first event of cycles PMCCNTR, the next a counter that freezes. */
	s->uses[V9_COUNTER_CYCLES] = s->values.freezes && s->values.event == 0x11;
	s->key[V9_COUNTER_CYCLES] = (struct v9_counter_key){
		.use = V9_COUNTER_CYCLES, .event = s->values.event,
	};
	s->uses[V9_COUNTER_SWITCH] = of_cpu || attr->inherit;
	s->key[V9_COUNTER_SWITCH] = (struct v9_counter_key){
		.use = V9_COUNTER_SWITCH, .event = PERF_COUNT_SW_CONTEXT_SWITCHES, .period = 1,
	};
}

static struct v9_brbe_session *v9_brbe_new(struct perf_event *event)
{
	struct perf_event_attr *attr = &event->attr;
	struct v9_brbe_request req = {
		.config = { attr->config, attr->config1, attr->config2,
			    v9_config3(attr), v9_config4(attr) },
		.branch = attr->branch_sample_type,
	};
	struct v9_brbe_session *s = kzalloc(struct_size(s, counter, nr_cpu_ids), GFP_KERNEL);
	struct v9_refusal no = { .option = "", .why = "" };
	u64 hz;
	int err;

	if (!s)
		return ERR_PTR(-ENOMEM);
	s->branch = req.branch;
	s->raw = attr->sample_type & PERF_SAMPLE_RAW;
	s->cpu = event->cpu;
	s->err = v9_brbe_encode_regs(&req, &s->values, &no);
	if (s->err)
		refuse(no.option, no.why, s->err);
	s->err = s->err ?: plan_first_period(s, attr, &hz);
	if (s->err)
		goto fail;
	plan_counters(s, event, hz);

	INIT_WORK(&s->begin, v9_brbe_begin);
	INIT_WORK(&s->end, v9_brbe_end);
	queue_work(brbe.work, &s->begin);
	flush_work(&s->begin);
	if (s->err) {
		refuse("", s->why, s->err);
		goto fail;
	}
	refcount_set(&s->users, 1);
	return s;

fail:
	err = s->err;
	kfree(s);
	return ERR_PTR(err);
}

static int v9_brbe_event_init(struct perf_event *event)
{
	struct perf_event_attr *attr = &event->attr;
	struct v9_brbe_session *s;
	int err = v9_pmu_check_event(event);

	if (err)
		return err;
	if (event->parent) {
		s = event->parent->pmu_private;
		refcount_inc(&s->users);
	} else {
		err = check_attr(attr);
		if (err)
			return err;
		s = v9_brbe_new(event);
		if (IS_ERR(s))
			return PTR_ERR(s);
	}
	/* The frequency is the counter's. For its own perf would stop and start this event. */
	attr->freq = 0;
	attr->sample_period = s->period;
	event->hw.sample_period = s->period;
	event->hw.last_period = s->period;
	local64_set(&event->hw.period_left, s->period);
	event->pmu_private = s;
	event->destroy = v9_brbe_destroy;
	return 0;
}

/* PERF_EVENT_IOC_PERIOD: sessions share counters. */
static int v9_brbe_check_period(struct perf_event *event, u64 period)
{
	return -EOPNOTSUPP;
}

/* --- CPUs: hotplug, CPU PM ------------------------------------------------------- */

static const char *closed_here(void)
{
	u64 pfr0 = read_sysreg_s(SYS_ID_AA64PFR0_EL1);
	bool el3 = V9_GET(UINT64_C(0xf) << 12, pfr0);	/* ID_AA64PFR0_EL1.EL3 */

	return v9_el3_brbe_closed(v9_cpu_el3(smp_processor_id()), el3, sbrbe);
}

static void read_unit(void *data)
{
	struct v9_brbe_id *id = data;

	v9_brbe_read_id(id, closed_here());
}

static struct v9_pmu_cpu *v9_brbe_match(struct v9_pmu_device *device, const char **why)
{
	struct v9_brbe_cpu *cpu = this_cpu_ptr(brbe.u.cpu);
	struct v9_brbe_unit unit;
	struct v9_brbe_id id;

	read_unit(&id);
	if (v9_brbe_check_unit(&id, &unit, why))
		return NULL;
	cpu->records = unit.records;
	return &cpu->u;
}

static int v9_brbe_online(struct v9_pmu_cpu *cpu, const char **why)
{
	cpumask_set_cpu(smp_processor_id(), &brbe.came);
	queue_work(brbe.work, &brbe.renew);
	return 0;
}

static void v9_brbe_discard(struct v9_pmu_cpu *cpu)
{
}

static bool v9_brbe_reset(struct v9_pmu_cpu *cpu)
{
	v9_brbe_act_reset();
	return true;
}

/* Records do not survive: what ran meanwhile is not in them. */
static void v9_brbe_save(struct v9_pmu_cpu *cpu)
{
	v9_brbe_act_stop();
}

static void v9_brbe_restore(struct v9_pmu_cpu *cpu)
{
	struct v9_brbe_session *s = cpu->event->pmu_private;

	v9_brbe_act_start(&s->values);
}

/* --- files ----------------------------------------------------------------------- */

static struct device_attribute v9_brbe_cpumask = __ATTR(cpumask, 0444, v9_pmu_cpumask_show, NULL);

static struct attribute *v9_brbe_attrs[] = {
	&v9_brbe_cpumask.attr,
	NULL
};

static const struct attribute_group v9_brbe_group = {
	.attrs = v9_brbe_attrs,
};

static const struct attribute_group **v9_brbe_files(void)
{
	struct v9_pmu_dir *format = v9_pmu_new_dir(&brbe.u, "format", 8);
	struct v9_pmu_dir *events = v9_pmu_new_dir(&brbe.u, "events", 8);
	struct v9_pmu_dir *caps = v9_pmu_new_dir(&brbe.u, "caps", 3);
	struct v9_pmu_dir *stats = v9_pmu_stats(&brbe.u, false);
	struct v9_pmu_dir *per_cpu = v9_pmu_stats(&brbe.u, true);
	const struct attribute_group **groups = v9_pmu_alloc(&brbe.u, 7, sizeof(*groups));
	const struct v9_brbe_event *e;
	const struct v9_option *o;
	unsigned int i;

	if (!format || !events || !caps || !stats || !per_cpu || !groups)
		return NULL;
	for (i = 0; (o = v9_brbe_option(i)); i++)
		v9_pmu_add_option(format, o);
	for (i = 0; (e = v9_brbe_event(i)); i++)
		v9_pmu_add_value(events, e->name, strcmp(e->option, "clock") ?
				 "event=0x%llx\n" : "clock=%llu\n", e->value);
	v9_pmu_add_value(caps, "branches", "%llu\n", brbe.unit.records);	/* perf reads it */
	v9_pmu_add_value(caps, "version", "%llu\n", brbe.unit.version);
	v9_pmu_add_value(caps, "cycle_bits", "%llu\n", brbe.unit.cycle_bits);
	groups[0] = &v9_brbe_group;
	groups[1] = &format->group;
	groups[2] = &events->group;
	groups[3] = &caps->group;
	groups[4] = &stats->group;
	groups[5] = &per_cpu->group;
	return groups;
}

/* --- guests ----------------------------------------------------------------------- */

/*
 * KVM of Linux 6.12 traps a guest's accesses to the registers of the unit, but not BRB IALL and
 * BRB INJ: a guest could invalidate the host's records, or inject others. The tracepoint kvm_entry
 * is called before each entry, with interrupts off. HFGITR_EL2 has the guest's value then.
 */
static void v9_brbe_enter_guest(void *unused, unsigned long pc)
{
	v9_brbe_act_exclude_guest();
}

static void find_kvm_entry(struct tracepoint *tp, void *unused)
{
	if (!strcmp(tp->name, "kvm_entry"))
		brbe.kvm_entry = tp;
}

/* Returns 0 or an errno; 0 if the kernel has no KVM, which is never a module. */
static int watch_guests(void)
{
	for_each_kernel_tracepoint(find_kvm_entry, NULL);
	if (!brbe.kvm_entry)
		return 0;
	return tracepoint_probe_register(brbe.kvm_entry, v9_brbe_enter_guest, NULL);
}

static void ignore_guests(void)
{
	if (!brbe.kvm_entry)
		return;
	tracepoint_probe_unregister(brbe.kvm_entry, v9_brbe_enter_guest, NULL);
	tracepoint_synchronize_unregister();
}

/* --- the device ------------------------------------------------------------------- */

static struct v9_pmu_driver v9_brbe_driver;

static void v9_brbe_unmake(void *unused)
{
	v9_pmu_unmake(&brbe.u);
}

/* Is there a unit, on the first CPU that has one? */
static int v9_brbe_find(struct platform_device *pdev)
{
	const char *why = NULL;
	struct v9_brbe_id id;
	int nr, err = -ENXIO;

	for_each_online_cpu(nr) {
		if (smp_call_function_single(nr, read_unit, &id, true))
			continue;
		err = v9_brbe_check_unit(&id, &brbe.unit, &why);
		if (!err)
			return 0;
	}
	return v9_pmu_refuse(&pdev->dev, &v9_brbe_driver, err, why ?: "no CPU is online");
}

static int v9_brbe_probe(struct platform_device *pdev)
{
	const char *why = NULL;
	int nr, err = v9_brbe_find(pdev);

	err = err ?: v9_pmu_begin(&brbe.d, &v9_brbe_driver, pdev);
	err = err ?: v9_pmu_make(&brbe.u, &brbe.d);
	if (err)
		return err;
	for_each_possible_cpu(nr) {
		struct v9_brbe_cpu *cpu = per_cpu_ptr(brbe.u.cpu, nr);

		v9_hrtimer_setup(&cpu->clock, v9_brbe_tick, CLOCK_MONOTONIC,
				 HRTIMER_MODE_REL_PINNED_HARD);
	}
	err = devm_add_action_or_reset(&pdev->dev, v9_brbe_unmake, NULL);
	err = err ?: v9_pmu_bring_up_cpus(&brbe.d);
	if (err)
		return err;
	brbe.u.pmu = (struct pmu) {
		.attr_groups = v9_brbe_files(),
		.event_init = v9_brbe_event_init,
		.check_period = v9_brbe_check_period,
		.add = v9_brbe_add,
		.del = v9_brbe_del,
		.start = v9_brbe_start,
		.stop = v9_brbe_stop,
	};
	err = v9_pmu_publish(&brbe.u, V9_BRBE_PMU_NAME, "another driver has the PMU's name", &why);
	if (err)
		return why ? v9_pmu_refuse(&pdev->dev, &v9_brbe_driver, err, why) : err;
	dev_info(&pdev->dev, V9_BRBE_PMU_NAME ": BRBEv1p%u on CPUs %*pbl, %u records\n",
		 brbe.unit.version - 1, cpumask_pr_args(&brbe.u.cpus), brbe.unit.records);
	return 0;
}

static const struct platform_device_id v9_brbe_ids[] = {
	{ .name = "v9_brbe" },
	{ }
};

static struct v9_pmu_driver v9_brbe_driver = {
	.platform = {
		.id_table = v9_brbe_ids,
		.driver = { .name = "v9_brbe", .suppress_bind_attrs = true },
	},
	.probe = v9_brbe_probe,
	.extension = "Branch Record Buffer Extension",
	.no_stats = V9_STATS_OF_BUFFER | BIT(V9_STAT_INTERRUPTS) | BIT(V9_STAT_BYTES),
	.samples = true,
	.no_buffer = true,
	.cpu_size = sizeof(struct v9_brbe_cpu),
	.match = v9_brbe_match,
	.online = v9_brbe_online,
	.discard = v9_brbe_discard,
	.reset = v9_brbe_reset,
	.save = v9_brbe_save,
	.restore = v9_brbe_restore,
};

static int __init v9_brbe_init(void)
{
	int err;

	/* Two drivers that write the same registers would spoil each other's records. */
	if (IS_ENABLED(CONFIG_ARM64_BRBE)) {
		pr_err("this kernel has a driver of its own (CONFIG_ARM64_BRBE): perf record -b\n");
		return -EBUSY;
	}
	/*
	 * A kernel at EL1 leaves the traps of its own EL2 on (HDFGRTR_EL2, HFGITR_EL2); an access
	 * would hang the CPU.
	 */
	if (!is_kernel_in_hyp_mode()) {
		pr_err("not used: the kernel does not run at EL2 (VHE)\n");
		return -EOPNOTSUPP;
	}
	INIT_LIST_HEAD(&brbe.sessions);
	INIT_WORK(&brbe.renew, v9_brbe_renew);
	brbe.work = alloc_ordered_workqueue("v9_brbe", 0);
	if (!brbe.work)
		return -ENOMEM;
	err = watch_guests();
	if (err)
		goto destroy;
	err = v9_pmu_register(&v9_brbe_driver, THIS_MODULE);
	if (!err)
		return 0;
	ignore_guests();
destroy:
	destroy_workqueue(brbe.work);
	return err;
}
module_init(v9_brbe_init);

static void __exit v9_brbe_exit(void)
{
	/* Events are gone, but perhaps not their counters, which use what is freed next. */
	flush_workqueue(brbe.work);
	v9_pmu_unregister(&v9_brbe_driver);
	ignore_guests();
	destroy_workqueue(brbe.work);
}
module_exit(v9_brbe_exit);

MODULE_DESCRIPTION("v9trace: Branch Record Buffer Extension");
MODULE_AUTHOR("The v9trace authors");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(V9_NAMESPACE);
