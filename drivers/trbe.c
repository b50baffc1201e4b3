// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Trace Buffer Extension: AUX buffers and the windows in them. A buffer is
 * used in Fill mode: the unit writes from the pointer up to the limit, stops,
 * and interrupts.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "compat.h"
#include "ete.h"
#include "v9trace/gen/regs.h"
#include "v9trace/plan.h"

static_assert(V9_AUX_RAW_TRACE == PERF_AUX_FLAG_CORESIGHT_FORMAT_RAW);

/* Room below which a window is not worth its interrupt: the first packets of a session. */
#define V9_TRBE_LEAST	64

/* Header of the packet without meaning that decoders skip. */
#define V9_TRBE_PADDING	0x70

/**
 * struct v9_trbe_buf - an AUX buffer
 * @base: its pages, one after the other
 * @size: bytes
 */
struct v9_trbe_buf {
	void *base;
	u64 size;
};

void *v9_trbe_setup_aux(struct perf_event *event, void **pages, int nr_pages, bool snapshot)
{
	struct page **list;
	struct v9_trbe_buf *buf;
	int i;

	/* One page would leave no window once perf holds a byte back as free. */
	if (nr_pages < 2 || snapshot)
		return NULL;

	list = kvmalloc_array(nr_pages, sizeof(*list), GFP_KERNEL);
	buf = kzalloc(sizeof(*buf), GFP_KERNEL);
	if (list && buf) {
		for (i = 0; i < nr_pages; i++)
			list[i] = virt_to_page(pages[i]);
		buf->base = vmap(list, nr_pages, VM_MAP, PAGE_KERNEL);
	}
	kvfree(list);
	if (!buf || !buf->base) {
		kfree(buf);
		return NULL;
	}
	buf->size = (u64)nr_pages << PAGE_SHIFT;
	return buf;
}

void v9_trbe_free_aux(void *aux)
{
	struct v9_trbe_buf *buf = aux;

	vunmap(buf->base);
	kfree(buf);
}

int v9_trbe_open(struct v9_ete_cpu *cpu, struct perf_event *event, const struct v9_ete_unit *unit,
		 bool *wrote)
{
	struct v9_trbe_buf *buf = perf_aux_output_begin(&cpu->handle, event);
	struct v9_window w;
	struct v9_aux aux;
	u64 base;

	*wrote = false;
	if (!buf)
		return -ENOSPC;

	aux = (struct v9_aux) {
		.size = buf->size,
		.head = cpu->handle.head,
		.free = cpu->handle.size,
		.wakeup = cpu->handle.wakeup,
		.align = unit->align,
		.max_record = max_t(u64, unit->align, V9_TRBE_LEAST),
		.granule = unit->granule,
	};
	if (v9_plan_window(&aux, &w)) {
		cpu->stat[V9_ETE_STAT_TRUNCATED]++;
		perf_aux_output_flag(&cpu->handle, PERF_AUX_FLAG_TRUNCATED);
		perf_aux_output_end(&cpu->handle, 0);
		return -ENOSPC;
	}

	if (w.pad) {
		memset(buf->base + w.pad_at, V9_TRBE_PADDING, w.pad);
		cpu->stat[V9_ETE_STAT_PADDING] += w.pad;
		perf_aux_output_skip(&cpu->handle, w.pad);
		*wrote = true;
	}
	base = (u64)buf->base;
	cpu->regs = (struct v9_trbe_regs) {
		/* In Fill mode nothing is written below the pointer (TRBE-PT2, TRBE-PT7). */
		.trbbaser = round_down(base + w.ptr, unit->granule),
		.trbptr = base + w.ptr,
		.trblimitr = (base + w.limit) | V9_TRBLIMITR_EL1_E |
			     V9_PUT(V9_TRBLIMITR_EL1_FM, V9_TRBLIMITR_EL1_FM_FILL) |
			     V9_PUT(V9_TRBLIMITR_EL1_TM, V9_TRBLIMITR_EL1_TM_IGNORE),
	};
	return 0;
}

void v9_trbe_close(struct v9_ete_cpu *cpu, const struct v9_trbe_regs *now, struct v9_judgement j)
{
	u64 limit = cpu->regs.trblimitr & V9_TRBLIMITR_EL1_LIMIT;
	u64 ptr = j.full ? limit : now->trbptr;		/* TRBE-PT7 */
	u64 used = 0;

	if (!perf_get_aux(&cpu->handle))
		return;
	if (j.data && v9_plan_used(cpu->regs.trbptr, limit, ptr, &used))
		j.flags |= V9_AUX_TRUNCATED;

	cpu->stat[V9_ETE_STAT_BYTES] += used;
	if (j.flags & V9_AUX_TRUNCATED)
		cpu->stat[V9_ETE_STAT_TRUNCATED]++;
	if (j.flags & V9_AUX_PARTIAL)
		cpu->stat[V9_ETE_STAT_PARTIAL]++;

	perf_aux_output_flag(&cpu->handle, j.flags | PERF_AUX_FLAG_CORESIGHT_FORMAT_RAW);
	perf_aux_output_end(&cpu->handle, used);
}
