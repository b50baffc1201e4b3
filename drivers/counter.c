// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters that sample for sessions; see counter.h.
 */
#include <linux/err.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/timekeeping.h>

#include "counter.h"
#include "v9trace/branch.h"

static LIST_HEAD(counters);

static bool is_running(const struct perf_event *event)
{
	return event && READ_ONCE(event->oncpu) == smp_processor_id();
}

void v9_counter_open(struct v9_counter *counter)
{
	struct perf_event *event = counter->event;

	counter->since = ktime_get_mono_fast_ns();
	if (is_running(event) && event->hw.state & PERF_HES_STOPPED)
		event->pmu->start(event, 0);
}

void v9_counter_close(struct v9_counter *counter)
{
	struct perf_event *event = counter->event;

	counter->ran += ktime_get_mono_fast_ns() - counter->since;
	if (is_running(event) && !(event->hw.state & PERF_HES_STOPPED))
		event->pmu->stop(event, PERF_EF_UPDATE);
}

void v9_counter_sampled(struct v9_counter *counter, u64 period)
{
	struct hw_perf_event *hwc = &counter->event->hw;
	u64 now = ktime_get_mono_fast_ns();

	if (!counter->key.hz)
		return;
	hwc->sample_period = v9_branch_period(clamp_t(u64, period, V9_PERIOD_MIN, V9_PERIOD_MAX),
					      counter->ran + now - counter->since,
					      counter->key.hz);
	counter->ran = 0;
	counter->since = now;
}

/* A new counter counts until a session has opened and closed it, or until it is stopped here. */
static void stop_new(void *data)
{
	struct perf_event *event = data;

	if (is_running(event) && !(event->hw.state & PERF_HES_STOPPED))
		event->pmu->stop(event, PERF_EF_UPDATE);
}

static struct v9_counter *make(const struct v9_counter_key *key, perf_overflow_handler_t handler,
			       const char **why)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_RAW,
		.config = key->event,
		.pinned = 1,
		.exclude_user = key->exclude_user,
		.exclude_kernel = key->exclude_kernel,
		.exclude_guest = 1,
		.sample_type = PERF_SAMPLE_PERIOD,
	};
	struct v9_counter *counter = kzalloc(sizeof(*counter), GFP_KERNEL);
	struct perf_event *event;

	if (!counter)
		return ERR_PTR(-ENOMEM);
	counter->key = *key;
	counter->users = 1;
	if (key->use == V9_COUNTER_SWITCH) {
		attr.type = PERF_TYPE_SOFTWARE;
		attr.exclude_guest = 0;
	}
	if (key->use != V9_COUNTER_CYCLES)
		attr.sample_period = key->period;
	event = perf_event_create_kernel_counter(&attr, key->cpu, NULL, handler, counter);
	/* perf puts a pinned event that finds no free counter into the error state. */
	if (!IS_ERR(event) && READ_ONCE(event->state) != PERF_EVENT_STATE_ACTIVE) {
		perf_event_release_kernel(event);
		event = ERR_PTR(-EBUSY);
		*why = "no counter of the CPU's PMU is free; the event \"clock\" needs none";
	}
	if (IS_ERR(event)) {
		kfree(counter);
		return ERR_CAST(event);
	}
	counter->event = event;
	if (key->use == V9_COUNTER_SAMPLE)
		smp_call_function_single(key->cpu, stop_new, event, true);
	list_add(&counter->node, &counters);
	return counter;
}

struct v9_counter *v9_counter_get(const struct v9_counter_key *key,
				  perf_overflow_handler_t handler, unsigned int max,
				  const char **why)
{
	struct v9_counter *counter;
	unsigned int n = 0;

	list_for_each_entry(counter, &counters, node) {
		/* One of a CPU that was offline since is off, and stays so. */
		if (!memcmp(&counter->key, key, sizeof(*key)) &&
		    READ_ONCE(counter->event->state) == PERF_EVENT_STATE_ACTIVE) {
			counter->users++;
			return counter;
		}
		n += counter->key.use == key->use && counter->key.cpu == key->cpu;
	}
	if (n >= max) {
		*why = "too many different events on a CPU; see the parameter \"counters\"";
		return ERR_PTR(-EBUSY);
	}
	*why = "the CPU's PMU refuses the event";
	return make(key, handler, why);
}

void v9_counter_put(struct v9_counter *counter)
{
	if (!counter || --counter->users)
		return;
	list_del(&counter->node);
	perf_event_release_kernel(counter->event);
	kfree_rcu(counter, rcu);
}
