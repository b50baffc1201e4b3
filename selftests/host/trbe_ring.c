// SPDX-License-Identifier: GPL-2.0-only
/*
 * A ring of contiguous memory and a Trace Buffer Unit that wraps: windows of drivers/lib/plan.c,
 * the strict model, and fault actions of drivers/lib/fault_action.c. The reader gets each byte once
 * and in order; no unread byte is overwritten; nothing is lost if the interrupt is handled in time.
 * The code of drivers/trbe.c is repeated here in short.
 */
#include "tap.h"
#include "model_trace.h"
#include "private.h"
#include "hw.h"
#include "v9trace/fault_action.h"
#include "v9trace/plan.h"
#include "v9trace/seq.h"

#define SIZE (8 * FK_PAGE)

static struct fk *f;
static struct {
	struct v9_aux aux;
	struct v9_window w;
	struct v9_ete_state state;
	struct v9_trbe_regs regs;
	uint64_t head, tail, wakeup;
	uint64_t made;			/* bytes of the trace unit; each is its offset modulo 251 */
	uint64_t lost;			/* bytes generated while the buffer was stopped */
	unsigned long wrong, windows, rounds, full, wakes_missed;
	bool nvm;
} ring;

uint64_t hw_read(uint32_t enc)
{
	return fk_mrs(f, enc);
}

void hw_write(uint32_t enc, uint64_t v)
{
	fk_msr(f, enc, v);
}

uint64_t hw_us(void)
{
	static uint64_t us;

	return us++;
}

void hw_isb(void)
{
	fk_sync(f, V9_SYNC_ISB);
}

void hw_dsb(void)
{
	fk_sync(f, V9_SYNC_DSB);
}

void hw_tsb(void)
{
	fk_sync(f, V9_SYNC_TSB);
}

void hw_psb(void)
{
}

/* As perf: one byte stays free; the reader is woken at each half of the ring. */
static bool start(void)
{
	const uint64_t fm[] = { V9_TRBLIMITR_EL1_FM_FILL, V9_TRBLIMITR_EL1_FM_WRAP };
	struct v9_window *w = &ring.w;
	uint64_t free = SIZE - 1 - (ring.head - ring.tail), tm = V9_TRBLIMITR_EL1_TM_IGNORE;

	if (!v9_plan_again(&ring.aux, w, ring.head, free, ring.wakeup)) {
		ring.aux.head = ring.head;
		ring.aux.free = free;
		ring.aux.wakeup = ring.wakeup;
		if (v9_plan_window(&ring.aux, w))
			return false;
	}
	memset(f->mem + w->pad_at, 0xff, w->pad);
	ring.head += w->pad;
	ring.made += w->pad;
	if (w->early)
		tm = V9_TRBLIMITR_EL1_TM_IRQ;
	if (w->stop)
		tm = V9_TRBLIMITR_EL1_TM_STOP;
	ring.regs = (struct v9_trbe_regs){
		.trbbaser = FK_BASE + w->base,
		.trbptr = FK_BASE + w->ptr,
		.trblimitr = (FK_BASE + w->limit) | V9_TRBLIMITR_EL1_E |
			     V9_PUT(V9_TRBLIMITR_EL1_FM, fm[w->stop != 0]) |
			     V9_PUT(V9_TRBLIMITR_EL1_TM, tm) |
			     (ring.nvm ? V9_TRBLIMITR_EL1_nVM : 0),
		.trbtrg = w->early + w->stop,
		.trbsr = w->early + w->stop ? V9_TRBSR_EL1_TRG : 0,
	};
	v9_trbe_act_enable(&ring.state, &ring.regs, w->pad);
	ring.windows++;
	ring.rounds += w->stop != 0;
	return true;
}

static void stop(void)
{
	uint64_t limit = ring.regs.trblimitr & V9_TRBLIMITR_EL1_LIMIT, used = 0;
	struct v9_trbe_regs now;
	struct v9_fault_action j;
	struct v9_wrapped t;

	hw_isb();
	hw_tsb();
	v9_trbe_act_disable(&ring.state, &now);
	j = v9_trbe_fault_action(now.trbsr, ring.regs.trblimitr);
	ring.full += j.cause == V9_CAUSE_FULL;
	if (j.cause > V9_CAUSE_FULL || !j.resume || !j.data ||
	    (j.cause == V9_CAUSE_FULL) != !!(j.flags & V9_AUX_PARTIAL))
		ring.wrong++;
	if (!ring.w.stop) {
		used = (j.full ? limit : now.trbptr) - ring.regs.trbptr;
	} else if (v9_plan_wrapped(ring.regs.trbptr, ring.regs.trbbaser, limit, now.trbptr,
				   j.wrapped, &t) || t.moved > t.data) {
		ring.wrong++;
	} else {
		used = t.moved;
	}
	ring.head += used;
	ring.lost += ring.made - ring.head;
	ring.made = ring.head;
	if (ring.head - ring.tail >= SIZE)
		ring.wrong++;			/* unread data is overwritten */
	ring.wakes_missed += ring.head >= ring.wakeup + SIZE / 4;
	while (ring.wakeup <= ring.head)
		ring.wakeup += SIZE / 2;
}

/* Reads all up to the head, or a part */
static void read_to(uint64_t to)
{
	for (; ring.tail < to; ring.tail++) {
		uint8_t is = f->mem[ring.tail % SIZE];

		ring.wrong += is != ring.tail % 251 && is != 0xff;
	}
}

static void make(unsigned int n)
{
	while (n--) {
		uint8_t byte = ring.made++ % 251;

		v9_trbe_accept(f->m, &byte, 1);
		if (ring.made % 16 == 0)
			hw_isb();	/* pending effects of the unit occur */
	}
}

static void power_on(enum v9_delay delay, uint64_t seed, bool nvm)
{
	f = tk_new();
	f->cfg.delay = delay;
	f->cfg.seed = seed;
	tk_init(f);
	memset(&ring, 0, sizeof(ring));
	ring.nvm = nvm;
	ring.wakeup = SIZE / 2;
	ring.aux = (struct v9_aux){ .size = SIZE, .align = 1u << f->cfg.trbe_align,
				    .max_record = 64, .granule = FK_PAGE, .early = true,
				    .wraps = true };
	hw_write(V9_SYS_TRBSR_EL1, 0);
	hw_write(V9_SYS_TRBBASER_EL1, 0);
	ring.wrong += !v9_trbe_act_physical();
}

/*
 * @late: bytes generated before the interrupt is handled; @slow: bytes that are unread when the
 * next window is planned; @cut: bytes between task switches
 */
static void run(unsigned int late, uint64_t slow, unsigned int cut)
{
	unsigned int i, n, most;

	for (i = 0; i < 80 && !ring.wrong; i++) {
		if (!start()) {
			read_to(ring.head);
			continue;
		}
		most = cut && i % 3 ? cut * (1 + i % 7) : ~0u;
		for (n = 0; n < most && !f->trbirq; n += 16)
			make(16);
		if (f->trbirq)
			make(late);
		stop();
		if (ring.head > ring.tail + slow)
			read_to(ring.head - slow);
	}
	read_to(ring.head);
}

/* shows: TRBE-PT8 TRBE-PT12 TRBE-EN7 TRBE-TR8 */
static void in_time(void)
{
	static const struct {
		const char *name;
		enum v9_delay delay;
		bool nvm;
		uint64_t slow;
		unsigned int cut;
	} t[] = {
		{ "program_order", V9_DELAY_OFF, false, 0, 0 },
		{ "random_order", V9_DELAY_RANDOM, false, 100, 0 },
		{ "latest_order", V9_DELAY_MAX, false, 64, 0 },
		{ "switches", V9_DELAY_RANDOM, false, 0, 1008 },
		{ "physical", V9_DELAY_OFF, true, 0, 1008 },
	};
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		power_on(t[i].delay, i + 1, t[i].nvm);
		run(512, t[i].slow, t[i].cut);
		tap_eq(ring.wrong + f->nviolations, 0, "%s_each_byte_once", t[i].name);
		tap_eq(ring.lost + ring.full, 0, "%s_nothing_lost", t[i].name);
		tap_ok(ring.rounds > 20, "%s_wrapped", t[i].name);
		tap_ok(!ring.wakes_missed, "%s_woken", t[i].name);
		tap_note("%lu windows, %lu went round, %lu bytes", ring.windows, ring.rounds,
			 (unsigned long)ring.head);
		fk_free(f);
	}
}

/* The unit stops before unread data, with any delay of the interrupt. shows: TRBE-TR7 */
static void too_late(void)
{
	static const enum v9_delay delay[] = { V9_DELAY_OFF, V9_DELAY_RANDOM, V9_DELAY_MAX };
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(delay); i++) {
		power_on(delay[i], i + 1, i & 1);
		run(2 * SIZE, 0, 0);
		tap_eq(ring.wrong + f->nviolations, 0, "late_%u_unread_data_stays", i);
		tap_ok(ring.full > 40 && ring.lost > 40 * SIZE, "late_%u_is_reported", i);
		tap_note("%lu windows, %lu went round, %lu full", ring.windows, ring.rounds,
			 ring.full);
		fk_free(f);
	}
}

int main(void)
{
	in_time();
	too_late();
	return tap_done();
}
