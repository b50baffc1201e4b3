/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The AUX buffer of an event, and the windows in it.
 */
#ifndef V9TRACE_AUX_H
#define V9TRACE_AUX_H

#include <linux/perf_event.h>

#include "unit.h"
#include "v9_events.h"
#include "v9trace/plan.h"
#include "v9trace/uapi.h"

/* Of struct v9_buf: has it a transaction that waits? */
enum v9_deferral {
	V9_DEFERRED_NONE,
	V9_DEFERRED,		/* yes, whoever runs next goes on with it */
	V9_DEFERRED_ENDING,		/* not any more, a moment's patience */
};

/**
 * struct v9_buf - an AUX buffer
 * @rcu: for who looks at @deferral without a transaction; first, as v9_fail knows
 * @base: its pages, one after the other: where the kernel has them anyway, if they are one run
 *	there; else mapped anew, and twice
 * @at: for the unit: an address of the kernel, or a physical one, for the start of the buffer, as
 *	the run has it that the last window is in
 * @nvm: of struct v9_pmu_driver, if it is physical
 * @run: if it is more than one run, each of @aux.run bytes: @at of each
 * @size: bytes, counted once
 * @aux: what the last window was made of
 * @w: the last window
 * @snapshot: old data is overwritten
 * @triggered: a trigger came, and so many bytes are still wanted: @left
 * @done: they came, too: nothing more is written
 * @left: see there
 * @deferral: enum v9_deferral
 * @unmapped: it is being unmapped: nothing is kept any more
 * @closing: how many CPUs are in v9_pmu_switch_off() with a transaction of it
 * @types: of struct v9_pmu, when it was made
 * @handle: the transaction that waits
 *
 * A session that wrote nothing before its task lost the CPU has nothing to tell. Its transaction
 * stays open, the window with it, and the session goes on there when the task comes back: one of
 * a long interval, or of tasks that hardly run, would open and close transactions and do nothing
 * else.
 *
 * perf documents that stop() ends the transaction, for one reason: it takes it as ended when the
 * buffer is unmapped, and stops the events that are on before. No form of it keeps a window across
 * a switch. What holds in its place, on each kernel that is supported:
 *
 * - perf calls event_unmapped() for each mapping that goes, before it stops events and frees pages.
 *   It ends the transaction that waits, and none waits later (@unmapped).
 * - The handle is ours, and perf changes nothing in it between begin and end. Only @event is put
 *   anew: the one that began it may be gone. All events that write to a ring agree in what
 *   perf_aux_output_end() asks of one.
 * - v9_pmu_reopen() asks for the buffer of a ring with a handle that has only @rb and @event, all
 *   that perf_get_aux() looks at. It takes what waits there or leaves both alone.
 *
 * spe_idle:buffer_is_unmapped_at_any_moment, spe_idle:tasks_share_a_buffer, and
 * spe_buffer:switched_off_then_unmapped show it; spe_idle:kernel_log_is_clean that perf finds no
 * reference left.
 */
struct v9_buf {
	struct rcu_head rcu;
	void *base;
	u64 at;
	u64 nvm;
	const u64 *run;
	u64 size;
	struct v9_aux aux;
	struct v9_window w;
	bool snapshot;
	bool triggered;
	bool done;
	bool unmapped;
	u32 left;
	atomic_t closing;
	unsigned int types;
	u32 deferral;
	struct perf_output_handle handle;
};

/* Of struct pmu */
void *v9_pmu_setup_aux(struct perf_event *event, void **pages, int nr_pages, bool snapshot);
void v9_pmu_free_aux(void *aux);
void v9_pmu_event_unmapped(struct perf_event *event, struct mm_struct *mm);

/**
 * v9_pmu_buffer_suits - is the buffer of an event for units of this kind, too?
 * @event: which; interrupts are off
 * @type: number of the kind
 *
 * Return: if not, it was made before the first of them came, and they may want another one.
 */
bool v9_pmu_buffer_suits(struct perf_event *event, unsigned int type);

/* Is there a transaction? */
static inline bool v9_pmu_is_open(const struct v9_pmu_cpu *cpu)
{
	return cpu->handle.event;
}

/**
 * v9_pmu_fill - fill in padding
 * @cpu: this CPU, its transaction open
 * @at: where in the buffer
 * @n: bytes; behind its end they go on at its start
 */
void v9_pmu_fill(struct v9_pmu_cpu *cpu, u64 at, u64 n);

/**
 * v9_pmu_pad - fill in what stands between the head and the window
 * @cpu: this CPU, its transaction open
 */
void v9_pmu_pad(struct v9_pmu_cpu *cpu);

/* An erratum for which buffers are mapped twice, and each window may cost a page */
static __always_inline bool v9_pmu_has_buffer_erratum(const struct v9_pmu_cpu *cpu)
{
	return cpu->skip_bytes | cpu->overrun_bytes;
}

/**
 * v9_pmu_open - open the next window
 * @cpu: this CPU
 * @event: whose
 * @wrote: result: the CPU filled in padding, now or since the last window
 * @exact: of struct v9_aux. perf counts a byte less than is free, so that a full ring differs from
 *	an empty one; who asks v9_pmu_fills_ring() before a window is closed may use it, too
 *
 * Where to write is in @w of the buffer then. Without room for a window the
 * transaction stays open, with nothing in it, for v9_pmu_no_room() or
 * v9_pmu_switch_off(): who starts a session leaves that to v9_pmu_start() and v9_pmu_add().
 *
 * Return: the buffer, or NULL.
 */
static __always_inline struct v9_buf *v9_pmu_open(struct v9_pmu_cpu *cpu,
						  struct perf_event *event, bool *wrote,
						  bool exact)
{
	struct v9_buf *buf = perf_aux_output_begin(&cpu->handle, event);
	const struct perf_output_handle *h = &cpu->handle;

	*wrote = false;
	cpu->buf = buf;
	if (unlikely(!buf))
		return NULL;
	/* The last one may be of a CPU that wants no room. */
	if (likely(!v9_pmu_has_buffer_erratum(cpu)) &&
	    likely(v9_plan_again(&buf->aux, &buf->w, h->head, h->size + exact, h->wakeup)))
		goto out;
	buf->aux.head = h->head;
	buf->aux.free = h->size + exact;
	buf->aux.wakeup = h->wakeup;
	buf->aux.skip_bytes = cpu->skip_bytes;
	buf->aux.overrun_bytes = cpu->overrun_bytes;
	if (v9_plan_window(&buf->aux, &buf->w))
		return NULL;
	if (unlikely(buf->run))
		buf->at = buf->run[buf->w.ptr / buf->aux.run];
	if (buf->w.pad)
		v9_pmu_pad(cpu);
	/* This, or what was filled in when the last window was closed */
	*wrote = v9_plan_take_filled(&buf->aux);
out:
	trace_v9_window(cpu->unit->pmu.name, h->head, buf->w.ptr, buf->w.limit, buf->w.pad);
	return buf;
}

/**
 * v9_pmu_wait_flush - another CPU is closing the transaction that waited
 * @buf: whose
 */
void v9_pmu_wait_flush(struct v9_buf *buf);

/**
 * v9_pmu_reopen - go on with the transaction that waits, and its window
 * @cpu: this CPU
 * @event: whose
 *
 * Return: the buffer, or NULL if none waits.
 */
static __always_inline struct v9_buf *v9_pmu_reopen(struct v9_pmu_cpu *cpu,
						    struct perf_event *event)
{
	struct v9_buf *buf;

	/* With interrupts off the ring and our struct stay, even if the buffer is just going. */
	cpu->handle.rb = READ_ONCE((event->parent ?: event)->rb);
	if (unlikely(!cpu->handle.rb))
		return NULL;
	cpu->handle.event = event;
	buf = perf_get_aux(&cpu->handle);
	cpu->handle.event = NULL;
	/* If there was one, all of its end is seen before ours begins. */
	if (unlikely(!buf) || smp_load_acquire(&buf->deferral) == V9_DEFERRED_NONE)
		return NULL;
	if (unlikely(cmpxchg(&buf->deferral, V9_DEFERRED, V9_DEFERRED_NONE) != V9_DEFERRED)) {
		v9_pmu_wait_flush(buf);
		return NULL;
	}
	cpu->handle = buf->handle;
	cpu->handle.event = event;
	cpu->buf = buf;
	return buf;
}

/**
 * v9_pmu_flush - close the transaction that waits, if there is one
 * @buf: whose
 * @event: one that writes there
 *
 * Between v9_pmu_busy() and v9_pmu_done(): who is resumed in the midst of it would wait for it.
 */
void v9_pmu_flush(struct v9_buf *buf, struct perf_event *event);

/**
 * v9_pmu_defer - the unit is off and has written nothing: the transaction waits
 * @cpu: this CPU
 */
static __always_inline void v9_pmu_defer(struct v9_pmu_cpu *cpu)
{
	struct v9_buf *buf = cpu->buf;

	buf->handle = cpu->handle;
	cpu->handle.event = NULL;
	/* With all that is in it; the next one takes it with cmpxchg(). */
	smp_store_release(&buf->deferral, V9_DEFERRED);
	smp_mb();	/* either we see that it is unmapped, or who unmaps it sees us */
	if (unlikely(READ_ONCE(buf->unmapped)))
		v9_pmu_flush(buf, buf->handle.event);
}

/**
 * v9_pmu_fills_ring - would the ring be full with these bytes?
 * @cpu: this CPU, its transaction open
 * @event: whose
 * @used: bytes
 *
 * perf opens no transaction where the ring is full, so that nobody could say later that trace is
 * lost. And it says how much is free only when one begins: another one takes the place of ours.
 *
 * Return: it would; the bytes are to be closed with TRUNCATED. If meanwhile the buffer is being
 * unmapped there is no transaction any more, and nobody to read the bytes.
 */
bool v9_pmu_fills_ring(struct v9_pmu_cpu *cpu, struct perf_event *event, u64 used);

/**
 * v9_pmu_switch_off - in an interrupt: the session cannot go on
 * @cpu: this CPU, its unit at rest
 * @event: whose
 * @cause: what the interrupt meant, for the tracepoint
 * @used: bytes of the transaction that is open
 * @flags: V9_AUX_* that go with them
 *
 * The event is off before the consumer hears of it: an "enable" that comes at
 * once, from another CPU, would do nothing for an event that is still on, and
 * nobody would ask again. But who unmaps the buffer looks for transactions only
 * where events are on; then it is the other way round.
 */
void v9_pmu_switch_off(struct v9_pmu_cpu *cpu, struct perf_event *event, enum v9_cause cause,
		       u64 used, u32 flags);

/**
 * v9_pmu_count_flags - count what is told with the data
 * @cpu: this CPU
 * @flags: V9_AUX_*
 */
void v9_pmu_count_flags(struct v9_pmu_cpu *cpu, u32 flags);

/**
 * v9_pmu_drop - bytes of which nobody knows whether they are data
 * @cpu: this CPU
 * @bytes: how many, from the begin of the window to the write pointer
 *
 * Return: 0, how many are handed out.
 */
static inline u64 v9_pmu_drop(struct v9_pmu_cpu *cpu, u64 bytes)
{
	cpu->stat[V9_STAT_DROPPED] += bytes;
	return 0;
}

/**
 * v9_pmu_close - close it: the data goes to perf, with the truth about it
 * @cpu: this CPU
 * @used: bytes
 * @flags: V9_AUX_*
 *
 * In an overwritten buffer the caller has moved cpu->handle.head.
 */
static __always_inline void v9_pmu_close(struct v9_pmu_cpu *cpu, u64 used, u32 flags)
{
	cpu->stat[V9_STAT_BYTES] += used;
	if (unlikely(flags & ~V9_AUX_RAW_TRACE))
		v9_pmu_count_flags(cpu, flags);
	cpu->handle.aux_flags |= flags;
	trace_v9_data(cpu->unit->pmu.name, used, cpu->handle.aux_flags);
	perf_aux_output_end(&cpu->handle, used);
}

#endif
