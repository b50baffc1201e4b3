// SPDX-License-Identifier: GPL-2.0-only
/*
 * The AUX buffer; see aux.h.
 */
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include <asm/mmu.h>

#include "aux.h"
#include "event.h"
#include "tuning.h"

static_assert(V9_AUX_TRUNCATED == PERF_AUX_FLAG_TRUNCATED);
static_assert(V9_AUX_PARTIAL == PERF_AUX_FLAG_PARTIAL);
static_assert(V9_AUX_COLLISION == PERF_AUX_FLAG_COLLISION);
static_assert(V9_AUX_RAW_TRACE == PERF_AUX_FLAG_CORESIGHT_FORMAT_RAW);

bool v9_pmu_buffer_suits(struct perf_event *event, unsigned int type)
{
	struct perf_output_handle handle = {
		.event = event,
		.rb = READ_ONCE((event->parent ?: event)->rb),
	};
	const struct v9_buf *buf = handle.rb ? perf_get_aux(&handle) : NULL;

	return !buf || type < buf->types;
}

void v9_pmu_wait_flush(struct v9_buf *buf)
{
	/* The handle is closed before the caller opens its own. */
	while (smp_load_acquire(&buf->deferral) == V9_DEFERRED_ENDING)
		cpu_relax();
}

/* The event that began the handle may be gone, so another one of the same ring is used. */
void v9_pmu_flush(struct v9_buf *buf, struct perf_event *event)
{
	if (cmpxchg(&buf->deferral, V9_DEFERRED, V9_DEFERRED_ENDING) != V9_DEFERRED)
		return;
	buf->handle.event = event;
	perf_aux_output_end(&buf->handle, 0);
	/* Pairs with the acquire in v9_pmu_wait_flush(). */
	smp_store_release(&buf->deferral, V9_DEFERRED_NONE);
}

static void v9_pmu_flush_local(struct v9_buf *buf, struct perf_event *event)
{
	struct v9_pmu_cpu *cpu;

	guard(irqsave)();
	cpu = this_cpu_ptr(v9_to_pmu(event->pmu)->cpu);
	v9_pmu_busy(cpu);
	v9_pmu_flush(buf, event);
	v9_pmu_done(cpu, cpu->event);
}

/* perf is about to unmap the ring, the AUX buffer, or both. */
void v9_pmu_event_unmapped(struct perf_event *event, struct mm_struct *mm)
{
	struct perf_output_handle handle = { .event = event };
	struct v9_buf *buf;

	rcu_read_lock();
	handle.rb = READ_ONCE(event->rb);
	buf = handle.rb ? perf_get_aux(&handle) : NULL;
	if (buf) {
		WRITE_ONCE(buf->unmapped, true);
		smp_mb();	/* pairs with v9_pmu_defer() and v9_pmu_switch_off() */
		v9_pmu_flush_local(buf, event);
		while (atomic_read_acquire(&buf->closing))
			cpu_relax();
	}
	rcu_read_unlock();
}

void v9_pmu_fill(struct v9_pmu_cpu *cpu, u64 at, u64 n)
{
	struct v9_buf *buf = cpu->buf;

	v9_plan_fill(&buf->aux, buf->base, cpu->unit->driver->padding, at, n);
}

void v9_pmu_pad(struct v9_pmu_cpu *cpu)
{
	const struct v9_window *w = &cpu->buf->w;

	v9_pmu_fill(cpu, w->pad_at, w->pad);
	cpu->stat[V9_STAT_PADDING] += w->pad;
	if (!cpu->buf->snapshot)
		perf_aux_output_skip(&cpu->handle, w->pad);
}

static void v9_pmu_close_last(struct v9_pmu_cpu *cpu, u64 used, u32 flags)
{
	if (v9_pmu_is_open(cpu))
		v9_pmu_close(cpu, used, flags | V9_AUX_TRUNCATED);
}

void v9_pmu_no_room(struct v9_pmu_cpu *cpu)
{
	v9_pmu_close_last(cpu, 0, 0);
}

bool v9_pmu_fills_ring(struct v9_pmu_cpu *cpu, struct perf_event *event, u64 used)
{
	struct v9_buf *buf;

	if (used <= cpu->handle.size)
		return false;
	perf_aux_output_end(&cpu->handle, 0);
	buf = perf_aux_output_begin(&cpu->handle, event);
	if (likely(buf == cpu->buf))
		return used > cpu->handle.size;
	/*
	 * The event writes to another ring by now (PERF_EVENT_IOC_SET_OUTPUT): the bytes are lost.
	 */
	if (buf)
		perf_aux_output_end(&cpu->handle, 0);
	return true;
}

void v9_pmu_count_flags(struct v9_pmu_cpu *cpu, u32 flags)
{
	if (flags & V9_AUX_TRUNCATED)
		cpu->stat[V9_STAT_TRUNCATED]++;
	if (flags & V9_AUX_PARTIAL)
		cpu->stat[V9_STAT_PARTIAL]++;
	if (flags & V9_AUX_COLLISION)
		cpu->stat[V9_STAT_COLLISIONS]++;
}

/* Not inline: it runs once for each buffer that was not read in time. */
static noinline __cold void v9_pmu_disable(struct perf_event *event)
{
	v9_disable_event(event);
}

void v9_pmu_switch_off(struct v9_pmu_cpu *cpu, struct perf_event *event, enum v9_cause cause,
		       u64 used, u32 flags)
{
	struct v9_buf *buf = v9_pmu_is_open(cpu) ? cpu->buf : NULL;

	trace_v9_off(cpu->unit->pmu.name, cause);
	event->hw.state |= PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (buf) {
		atomic_inc(&buf->closing);
		smp_mb__after_atomic();	/* pairs with v9_pmu_event_unmapped() */
		if (READ_ONCE(buf->unmapped))
			v9_pmu_close_last(cpu, used, flags);
	}
	v9_pmu_disable(event);
	v9_pmu_close_last(cpu, used, flags);
	v9_forget_disable(event);
	if (buf)	/* the buffer is not freed before interrupts are on again */
		atomic_dec_return_release(&buf->closing);
}

static bool physical;
module_param(physical, bool, 0644);
MODULE_PARM_DESC(physical,
		 "give buffers that are one run of memory to the units by physical address (default: only where the kernel is not mapped while user space runs)");

/* The bytes of each contiguous run of pages, a power of two; @size if all pages are one run. */
static u64 v9_pmu_run(void **pages, u64 size)
{
	u64 run = size;

	for (u64 i = 1; i < size >> PAGE_SHIFT; i++)
		while ((i << PAGE_SHIFT) % run && pages[i] != pages[i - 1] + PAGE_SIZE)
			run /= 2;
	return run;
}

static void *v9_pmu_map(void **pages, int nr_pages, bool twice)
{
	unsigned int i, n = nr_pages << twice;
	struct page **list = kvmalloc_array(n, sizeof(*list), GFP_KERNEL);
	void *base;

	if (!list)
		return NULL;
	for (i = 0; i < n; i++)
		list[i] = virt_to_page(pages[i % nr_pages]);
	base = vmap(list, n, VM_MAP, PAGE_KERNEL);
	kvfree(list);
	return base;
}

/* For each run its physical address, less its offset in the buffer. */
static const u64 *v9_pmu_runs(void **pages, u64 size, u64 run)
{
	u64 *at = kvmalloc_array(size / run, sizeof(*at), GFP_KERNEL);
	u64 i;

	for (i = 0; at && i < size / run; i++)
		at[i] = __pa(pages[i * run >> PAGE_SHIFT]) - i * run;
	return at;
}

/*
 * Pages that are one run of memory are used by their linear mapping. An overwritten buffer of a
 * unit that wraps is mapped twice also then, unless addresses are physical: otherwise old and new
 * data could not be distinguished if the unit stops within a wrap. A unit that wraps gets several
 * runs by physical address only if there is no other way, because it stops at the end of each run.
 */
void *v9_pmu_setup_aux(struct perf_event *event, void **pages, int nr_pages, bool snapshot)
{
	const struct v9_pmu *unit = v9_to_pmu(event->pmu);
	/* First: what the units of these CPU types require was stored before the number. */
	unsigned int types = smp_load_acquire(&unit->types);
	u64 size = (u64)nr_pages << PAGE_SHIFT, run = v9_pmu_run(pages, size);
	bool wraps = unit->driver->wraps, map_twice = READ_ONCE(unit->map_twice);
	bool whole = !unit->aux.max || size <= unit->aux.max;
	bool hidden = arm64_kernel_unmapped_at_el0();
	bool nvm = !map_twice && v9_pmu_is_physical(unit) &&
		   (hidden || (READ_ONCE(physical) && (run == size || !wraps)));
	bool once = run == size && (nvm || (!map_twice && !(snapshot && wraps)));
	u64 max = v9_setting(unit, V9_MAX_BUFFER);
	struct v9_buf *buf;

	if (nr_pages < unit->min_pages || (hidden && !nvm))
		return NULL;
	if (max && size > max) {
		dev_dbg(unit->dev, "buffer refused: more than tuning/max_buffer\n");
		return NULL;
	}
	/* In an overwritten buffer the unit has to wrap at the end of the whole buffer. */
	if (snapshot && wraps && !whole) {
		dev_dbg(unit->dev, "buffer refused: overwritten, and more than %llu bytes\n",
			unit->aux.max);
		return NULL;
	}
	if (nvm && run < size && snapshot)
		return NULL;

	buf = kzalloc(sizeof(*buf), GFP_KERNEL);
	if (!buf)
		return NULL;
	buf->aux = unit->aux;
	buf->types = types;
	buf->size = size;
	buf->aux.size = size;
	buf->snapshot = snapshot;
	buf->aux.snapshot = snapshot;
	buf->aux.twice = !once && !nvm && (!snapshot || wraps);
	buf->aux.wraps = once && wraps && whole;
	buf->base = once ? pages[0] : v9_pmu_map(pages, nr_pages, buf->aux.twice);
	buf->at = nvm ? __pa(pages[0]) : (u64)buf->base;
	buf->nvm = nvm ? unit->driver->nvm : 0;
	if (nvm && !once) {
		buf->aux.run = run;
		buf->run = v9_pmu_runs(pages, size, run);
	}
	if (buf->base && !buf->aux.run == !buf->run)
		return buf;
	if (buf->base && !once)
		vunmap(buf->base);
	kvfree(buf->run);
	kfree(buf);
	return NULL;
}

void v9_pmu_free_aux(void *aux)
{
	struct v9_buf *buf = aux;

	if (is_vmalloc_addr(buf->base))
		vunmap(buf->base);
	kvfree(buf->run);
	kfree_rcu(buf, rcu);
}
