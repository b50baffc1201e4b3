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

/* Whether a buffer has a deferred AUX handle, in struct v9_buf */
enum v9_deferral {
	V9_DEFERRED_NONE,
	V9_DEFERRED,		/* it has; the event that is started next continues it */
	V9_DEFERRED_ENDING,		/* another CPU is closing it */
};

/**
 * struct v9_buf - an AUX buffer
 * @rcu: for readers of @deferral that have no AUX handle; first member, as selftests/target/module
 *	relies on it
 * @base: kernel address of the pages, contiguous: the linear mapping if the pages are one run of
 *	memory, else a mapping of their own; see @aux.twice
 * @at: address for the unit, virtual or physical, of the start of the buffer, as it follows from
 *	the run of memory that the last window is in
 * @nvm: @nvm of struct v9_pmu_driver if @at is physical, else 0
 * @run: @at for each run of @aux.run bytes, if the buffer has several; else NULL
 * @size: bytes
 * @aux: what the last window was planned from
 * @w: last window
 * @snapshot: the buffer is overwritten
 * @triggered: the trigger has occurred, and @left bytes are still to be collected
 * @done: they are collected; nothing more is written
 * @left: see @triggered
 * @deferral: enum v9_deferral
 * @unmapped: the buffer is being unmapped: no AUX handle is deferred any more
 * @closing: number of CPUs in v9_pmu_switch_off() with an open handle of this buffer
 * @types: @types of struct v9_pmu at the time when the buffer was made
 * @handle: deferred AUX handle
 *
 * If an event wrote nothing before its task left the CPU, its AUX handle stays open and its window
 * valid. The event continues there when the task comes back. Without this, events with a long
 * interval and tasks that run briefly would open and close handles at every switch.
 *
 * perf documents that stop() ends the AUX transaction. The reason is that perf regards it as ended
 * when the buffer is unmapped, and stops all events that are on before. No documented interface
 * keeps a window across a switch. These properties, the same on each supported kernel, replace it:
 *
 * - perf calls event_unmapped() for each mapping that is removed, before it stops events and frees
 *   pages. The driver ends the deferred handle there, and defers none later (@unmapped).
 * - The handle belongs to the driver, and perf changes nothing in it between
 *   perf_aux_output_begin() and perf_aux_output_end(). Only its event is replaced, because the
 *   event that began it may be gone. All that perf_aux_output_end() reads of it is the same for all
 *   events that write to a ring.
 * - v9_pmu_reopen() looks up the buffer of a ring with a handle that has only @rb and @event, which
 *   is all that perf_get_aux() reads. It takes the deferred handle or leaves both unchanged.
 *
 * Shown by spe_idle:buffer_is_unmapped_at_any_moment, spe_idle:tasks_share_a_buffer and
 * spe_buffer:switched_off_then_unmapped; spe_idle:kernel_log_is_clean shows that no reference
 * leaks.
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

/* Callbacks of struct pmu */
void *v9_pmu_setup_aux(struct perf_event *event, void **pages, int nr_pages, bool snapshot);
void v9_pmu_free_aux(void *aux);
void v9_pmu_event_unmapped(struct perf_event *event, struct mm_struct *mm);

/**
 * v9_pmu_buffer_suits - does the buffer of an event suit units of a CPU type?
 * @event: event; interrupts are off
 * @type: number of the CPU type
 *
 * Return: false if the buffer was made before the first CPU of that type came online. Its units may
 * require another layout.
 */
bool v9_pmu_buffer_suits(struct perf_event *event, unsigned int type);

/* Is the AUX handle open? */
static inline bool v9_pmu_is_open(const struct v9_pmu_cpu *cpu)
{
	return cpu->handle.event;
}

/**
 * v9_pmu_fill - write padding to the buffer
 * @cpu: this CPU, its AUX handle open
 * @at: offset in the buffer
 * @n: bytes; beyond the end of the buffer they continue at its start
 */
void v9_pmu_fill(struct v9_pmu_cpu *cpu, u64 at, u64 n);

/**
 * v9_pmu_pad - write padding between the head and the window
 * @cpu: this CPU, its AUX handle open
 */
void v9_pmu_pad(struct v9_pmu_cpu *cpu);

/* Has it an erratum that requires buffers mapped twice? Each window may lose a page to it. */
static __always_inline bool v9_pmu_has_buffer_erratum(const struct v9_pmu_cpu *cpu)
{
	return cpu->skip_bytes | cpu->overrun_bytes;
}

/**
 * v9_pmu_open - open the next window
 * @cpu: this CPU
 * @event: event
 * @wrote: result: the CPU wrote padding, now or since the last window
 * @exact: see struct v9_aux. perf reports one byte less than is free, to tell a full ring from an
 *	empty one. A caller that checks v9_pmu_fills_ring() before it closes a window may use that
 *	byte, too
 *
 * On success @w of the buffer says where to write. Without room for a window the AUX handle stays
 * open, with nothing in it, for v9_pmu_no_room() or v9_pmu_switch_off(): start functions leave that
 * to v9_pmu_start() and v9_pmu_add().
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
	/* The last window may be of a CPU without the erratum. */
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
	if (buf->w.pad) {
		v9_pmu_pad(cpu);
		/* The head passed the wakeup position; perf has set the next one. */
		if (unlikely(buf->aux.wakeup != h->wakeup)) {
			buf->aux.wakeup = h->wakeup;
			v9_plan_window(&buf->aux, &buf->w);
		}
	}
	/* Padding of this window, or from when the last one was closed */
	*wrote = v9_plan_take_filled(&buf->aux);
out:
	trace_v9_window(cpu->unit->pmu.name, h->head, buf->w.ptr, buf->w.limit, buf->w.pad);
	return buf;
}

/**
 * v9_pmu_wait_flush - wait until another CPU has closed the deferred handle
 * @buf: buffer
 */
void v9_pmu_wait_flush(struct v9_buf *buf);

/**
 * v9_pmu_reopen - take the deferred AUX handle of a buffer, and its window
 * @cpu: this CPU
 * @event: event
 *
 * Return: the buffer, or NULL if there is none.
 */
static __always_inline struct v9_buf *v9_pmu_reopen(struct v9_pmu_cpu *cpu,
						    struct perf_event *event)
{
	struct v9_buf *buf;

	/* With interrupts off neither ring nor buffer is freed, also while they are unmapped. */
	cpu->handle.rb = READ_ONCE((event->parent ?: event)->rb);
	if (unlikely(!cpu->handle.rb))
		return NULL;
	cpu->handle.event = event;
	buf = perf_get_aux(&cpu->handle);
	cpu->handle.event = NULL;
	/* Acquire: a handle that ended before is seen as ended completely. */
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
 * v9_pmu_flush - close the deferred AUX handle, if there is one
 * @buf: buffer
 * @event: event that writes to it
 *
 * Call it between v9_pmu_busy() and v9_pmu_done(): a resume in the middle of it would wait for it
 * forever.
 */
void v9_pmu_flush(struct v9_buf *buf, struct perf_event *event);

/**
 * v9_pmu_defer - defer the AUX handle: the unit is off and has written nothing
 * @cpu: this CPU
 */
static __always_inline void v9_pmu_defer(struct v9_pmu_cpu *cpu)
{
	struct v9_buf *buf = cpu->buf;

	buf->handle = cpu->handle;
	cpu->handle.event = NULL;
	/* Release: the handle is complete before v9_pmu_reopen() takes it with cmpxchg(). */
	smp_store_release(&buf->deferral, V9_DEFERRED);
	smp_mb();	/* pairs with v9_pmu_event_unmapped() */
	if (unlikely(READ_ONCE(buf->unmapped)))
		v9_pmu_flush(buf, buf->handle.event);
}

/**
 * v9_pmu_fills_ring - would the ring be full with these bytes?
 * @cpu: this CPU, its AUX handle open
 * @event: event
 * @used: bytes
 *
 * perf opens no AUX handle while the ring is full, so it could not be reported later that trace is
 * lost. The free space is computed only when a handle is opened: the open handle is replaced by a
 * new one.
 *
 * Return: true if it would; close the bytes with TRUNCATED then. No handle is open any more, and
 * the bytes are lost, if the buffer is being unmapped meanwhile or the event writes to another
 * ring.
 */
bool v9_pmu_fills_ring(struct v9_pmu_cpu *cpu, struct perf_event *event, u64 used);

/**
 * v9_pmu_switch_off - in the interrupt handler: the event cannot continue
 * @cpu: this CPU, its unit off
 * @event: event
 * @cause: cause of the interrupt, for the tracepoint
 * @used: bytes in the open AUX handle
 * @flags: V9_AUX_* for them
 *
 * The event is disabled before the AUX record is written. A reader on another CPU may enable the
 * event as soon as it sees the record, and enabling an event that is still on does nothing. If the
 * buffer is being unmapped the order is reversed, because perf looks for open transactions only in
 * events that are on.
 */
void v9_pmu_switch_off(struct v9_pmu_cpu *cpu, struct perf_event *event, enum v9_cause cause,
		       u64 used, u32 flags);

/**
 * v9_pmu_count_flags - count flags that are reported with data
 * @cpu: this CPU
 * @flags: V9_AUX_*
 */
void v9_pmu_count_flags(struct v9_pmu_cpu *cpu, u32 flags);

/**
 * v9_pmu_drop - count the bytes of a window as dropped
 * @cpu: this CPU
 * @bytes: from the begin of the window to the write pointer
 *
 * After an asynchronous abort, for example, new data cannot be distinguished from old data.
 *
 * Return: number of bytes to report as data: 0.
 */
static inline u64 v9_pmu_drop(struct v9_pmu_cpu *cpu, u64 bytes)
{
	cpu->stat[V9_STAT_DROPPED] += bytes;
	return 0;
}

/**
 * v9_pmu_close - close the window and hand its data to perf
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
