// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Trace Buffer Unit of the model: register fields, accesses to the translation tables, triggers
 * in unusual states, ID registers.
 */
#include "tap.h"
#include "model_story.h"
#include "private.h"

#define TM(x) V9_PUT(V9_TRBLIMITR_EL1_TM, V9_TRBLIMITR_EL1_TM_##x)
#define LIMIT(pages) (FK_BASE + (pages) * FK_PAGE)
#define IRQ V9_TRBSR_EL1_IRQ
#define STOP V9_TRBSR_EL1_S
#define TRG V9_TRBSR_EL1_TRG
#define WRAP V9_TRBSR_EL1_WRAP

static void feed(struct fk *f, unsigned int n)
{
	static uint8_t b;

	for (; n; n--, b++)
		v9_trbe_accept(f->m, &b, 1);
	fk_sync(f, V9_SYNC_CSE);
}

static struct fk *unit(unsigned int align)
{
	struct fk *f = tk_new();

	f->cfg.trbe_align = align;
	tk_init(f);
	tk_buffer(f, 2, 0);
	return f;
}

/* Disables the unit and enables it with these pointer, counter, status and mode bits. */
static void restart(struct fk *f, uint64_t ptr, uint64_t trg, uint64_t sr, uint64_t how)
{
	MSR(f, TRBLIMITR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
	MSR(f, TRBPTR_EL1, ptr);
	MSR(f, TRBTRG_EL1, trg);
	MSR(f, TRBSR_EL1, sr);
	fk_sync(f, V9_SYNC_ISB);
	MSR(f, TRBLIMITR_EL1, LIMIT(2) | how | 1);
	fk_sync(f, V9_SYNC_ISB);
}

/* shows: TRBE-EN4 TRBE-EN7 */
static void stopped(void)
{
	unsigned int e, s;

	for (e = 0; e < 2; e++)
		for (s = 0; s < 2; s++) {
			struct fk *f = unit(0);

			MSR(f, TRBLIMITR_EL1, 0);
			MSR(f, TRBSR_EL1, s ? STOP : 0);
			MSR(f, TRBLIMITR_EL1, LIMIT(2) | e);
			feed(f, 100);
			tap_ok(tk_score(f)->off == (e ? 0 : 100) &&
			       tk_score(f)->stopped == (e && s ? 100 : 0) &&
			       tk_score(f)->written == (e && !s ? 100 : 0), "enabled%u_s%u", e, s);
			fk_free(f);
		}
}

/* Alignment of the pointer: read from TRBIDR_EL1; a wrong one is a violation. */
/* shows: TRBE-PT5 TRBE-UN5 TRBE-UN6 TRBE-UN2 TRBE-EA6 */
static void alignment(void)
{
	static const uint8_t aligns[] = { 0, 6, 11 };
	unsigned int i, raz;

	for (i = 0; i < V9_ARRAY_SIZE(aligns); i++) {
		unsigned int step = 1u << aligns[i];
		struct fk *f = unit(aligns[i]);

		tap_eq(MRS(f, TRBIDR_EL1), aligns[i] | V9_TRBIDR_EL1_F, "trbidr_align_%u",
		       aligns[i]);
		restart(f, FK_BASE + step, 0, 0, 0);
		feed(f, 3);
		tap_eq(f->nviolations, 0, "aligned_%u", aligns[i]);
		restart(f, MRS(f, TRBPTR_EL1), 0, 0, 0);
		feed(f, 3);
		tap_eq(f->nviolations, 0, "restart_value_%u", aligns[i]);
		restart(f, FK_BASE + step + 1, 0, 0, 0);
		feed(f, 1);
		tap_eq(f->nviolations, aligns[i] > 0, "unaligned_%u", aligns[i]);
		fk_free(f);
	}
	for (raz = 0; raz < 2; raz++) {
		struct fk *f = tk_new();

		f->cfg.trbe_align = 6;
		f->cfg.trbe_raz = raz;
		tk_init(f);
		tk_buffer(f, 2, 0);
		feed(f, 10);
		restart(f, FK_BASE + 0x47, 0x47, 0, 0);
		tap_eq(MRS(f, TRBPTR_EL1), FK_BASE + (raz ? 0x40 : 0x47), "low_bits_raz%u", raz);
		tap_eq(MRS(f, TRBTRG_EL1), raz ? 0x40 : 0x47, "low_bits_of_the_counter_raz%u",
		       raz);
		/* values that the unit left there can be restored unchanged */
		restart(f, FK_BASE, 0x40, TRG, TM(IRQ));
		feed(f, 10);
		tap_eq(MRS(f, TRBTRG_EL1), 0x36, "counter_counts_raz%u", raz);
		restart(f, MRS(f, TRBPTR_EL1), MRS(f, TRBTRG_EL1), TRG, TM(IRQ));
		tap_ok(MRS(f, TRBPTR_EL1) == FK_BASE + 10 && MRS(f, TRBTRG_EL1) == 0x36,
		       "restart_values_are_whole_raz%u", raz);
		fk_free(f);
	}
}

/* shows: TRBE-PT1 TRBE-PT2 */
static void fields(void)
{
	struct fk *f = tk_new();
	uint64_t ones = UINT64_MAX;

	tk_init(f);
	MSR(f, TRBLIMITR_EL1, ones & ~1);
	tap_eq(MRS(f, TRBLIMITR_EL1), ones << 12 | 0x3e, "trblimitr_fields");
	MSR(f, TRBBASER_EL1, ones);
	tap_eq(MRS(f, TRBBASER_EL1), ones << 12, "trbbaser_fields");
	MSR(f, TRBPTR_EL1, ones);
	tap_eq(MRS(f, TRBPTR_EL1), ones, "trbptr_fields");
	MSR(f, TRBTRG_EL1, ones);
	tap_eq(MRS(f, TRBTRG_EL1), 0xffffffff, "trbtrg_fields");
	fk_free(f);
}

/* The unit accesses the translation tables only to write trace. */
/* shows: TRBE-EN9 TRBE-AT11 */
static void walks(void)
{
	unsigned int delay;

	for (delay = 0; delay < 2; delay++) {
		struct fk *f = tk_new();
		uint64_t n;

		f->cfg.delay = delay ? V9_DELAY_MAX : V9_DELAY_OFF;
		tk_init(f);
		tk_program(f, 0);
		MSR(f, TRBBASER_EL1, FK_BASE);
		MSR(f, TRBPTR_EL1, FK_BASE);
		MSR(f, TRBLIMITR_EL1, LIMIT(2));
		tk_go(f, 0x1000);
		tk_b(f, 0x1000);
		tk_b(f, 0x1000);
		fk_sync(f, V9_SYNC_ISB);
		fk_sync(f, V9_SYNC_TSB);
		tap_eq(f->translations, 0, "no_walk_when_disabled_delay%u", delay);
		MSR(f, TRFCR_EL1, 0);
		fk_sync(f, V9_SYNC_ISB);
		MSR(f, TRBSR_EL1, 0);
		MSR(f, TRBTRG_EL1, 0);
		fk_sync(f, V9_SYNC_ISB);
		MSR(f, TRBLIMITR_EL1, LIMIT(2) | 1);
		fk_sync(f, V9_SYNC_ISB);
		tk_permit(f);
		f->pc = 0x1000;
		tk_p0(f, TK_BR, 0, 0x2000);
		tk_p0(f, TK_BR, 0, 0x3000);
		fk_sync(f, V9_SYNC_ISB);
		fk_sync(f, V9_SYNC_TSB);
		n = f->translations;
		tap_ok(n > 0, "walk_when_enabled_delay%u", delay);
		tk_prohibit(f);
		fk_sync(f, V9_SYNC_TSB);
		MSR(f, TRBLIMITR_EL1, 0);
		fk_sync(f, V9_SYNC_ISB);
		n = f->translations;
		/* enabling drops the cached translation */
		f->moved = 4 * FK_PAGE;
		MSR(f, TRBLIMITR_EL1, LIMIT(2) | 1);
		fk_sync(f, V9_SYNC_ISB);
		tk_permit(f);
		tk_p0(f, TK_BR, 0, 0x2000);
		tk_p0(f, TK_BR, 0, 0x3000);
		fk_sync(f, V9_SYNC_ISB);
		fk_sync(f, V9_SYNC_TSB);
		fk_sync(f, V9_SYNC_DSB);
		tap_ok(f->translations > n && memchr(f->touched + 4 * FK_PAGE, 1, FK_PAGE),
		       "looked_up_anew_delay%u", delay);
		fk_free(f);
	}
}

/* Without stage 1, an address that is too large is an address size fault. */
/* shows: TRBE-AT5 TRBE-AT6 */
static void address_size(void)
{
	static const struct {
		uint64_t base;
		uint8_t bits;
		bool nvm, fault;
	} t[] = {
		{ FK_BASE, 48, true, false }, { FK_BASE, 47, true, false },
		{ FK_BASE, 46, true, true }, { FK_BASE, 46, false, false },
		{ UINT64_C(0x0001000000000000), 48, true, true },
		{ UINT64_C(0x0100000000000000), 56, true, true },
	};
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct fk *f = tk_new();
		uint64_t want = V9_PUT(V9_TRBSR_EL1_EC, V9_TRBSR_EL1_EC_STAGE_1_ABORT) | IRQ | STOP;

		f->cfg.pa_bits = t[i].bits;
		tk_init(f);
		MSR(f, TRBSR_EL1, 0);
		MSR(f, TRBTRG_EL1, 0);
		MSR(f, TRBBASER_EL1, t[i].base);
		MSR(f, TRBPTR_EL1, t[i].base);
		MSR(f, TRBLIMITR_EL1, (t[i].base + FK_PAGE) | 1 |
		    (t[i].nvm ? V9_TRBLIMITR_EL1_nVM : 0));
		feed(f, 10);
		tap_ok(MRS(f, TRBSR_EL1) == (t[i].fault ? want : 0) &&
		       MRS(f, TRBPTR_EL1) == t[i].base + (t[i].fault ? 0 : 10),
		       "address_size_row_%u", i);
		fk_free(f);
	}
}

/* shows: TRBE-TR10 TRBE-TR4 TRBE-TR2 TRBE-TR5 */
static void triggers(void)
{
	struct fk *f = unit(0);
	unsigned int over;

	/* stopped: TRB_TRIG, but no management event */
	restart(f, FK_BASE, 0, STOP, TM(IRQ));
	v9_trbe_trigger(f->m);
	fk_sync(f, V9_SYNC_CSE);
	tap_eq(MRS(f, TRBSR_EL1), STOP | TRG, "trigger_while_stopped");
	tap_ok(tk_score(f)->triggers == 1 && !tk_score(f)->events && !f->trbirq,
	       "trb_trig_while_stopped");
	/* disabled: no effect */
	MSR(f, TRBLIMITR_EL1, 0);
	MSR(f, TRBSR_EL1, 0);
	v9_trbe_trigger(f->m);
	tap_ok(!MRS(f, TRBSR_EL1) && tk_score(f)->triggers == 1, "trigger_while_disabled");
	fk_free(f);

	/* the counter may also count bytes in transit at the trigger, which do not exhaust it */
	for (over = 0; over <= 64; over += 32) {
		f = tk_new();
		f->cfg.trbe_align = 6;
		f->cfg.trbe_over = over;
		tk_init(f);
		tk_buffer(f, 2, 0);
		restart(f, FK_BASE, 128, 0, TM(IRQ));
		v9_trbe_trigger(f->m);
		tap_eq(MRS(f, TRBTRG_EL1), 128 - over, "counter_ahead_by_%u", over);
		feed(f, 128 - over - 1);
		tap_ok(!f->trbirq, "no_event_before_zero_%u", over);
		feed(f, 1);
		tap_ok(f->trbirq && tk_score(f)->triggers == 1, "event_at_zero_%u", over);
		restart(f, FK_BASE, 64, 0, TM(IRQ));
		v9_trbe_trigger(f->m);
		tap_ok(MRS(f, TRBTRG_EL1) > 0 && tk_score(f)->triggers == 1,
		       "counter_is_not_used_up_%u", over);
		fk_free(f);
	}
	f = tk_new();
	f->cfg.trbe_align = 6;
	f->cfg.trbe_over = 65;
	tap_eq(tk_init(f), -EINVAL, "more_than_the_alignment_is_refused");
	f->cfg.trbe_over = 0;
	f->cfg.pa_bits = 57;
	tap_eq(tk_init(f), -EINVAL, "more_than_an_address_is_refused");
	fk_free(f);
}

/*
 * Trace around a trigger: the buffer wraps, and the counter is the number of bytes after the
 * trigger before collection stops.
 */
/* shows: TRBE-TR11 TRBE-TR7 TRBE-PT9 */
static void windows(void)
{
	static const struct {
		unsigned int after;
		const char *name;
	} t[] = {
		{ 0, "trace_before_the_trigger" }, { FK_PAGE, "trace_around_the_trigger" },
		{ 2 * FK_PAGE, "trace_after_the_trigger" },
	};
	unsigned int i, k;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct fk *f = unit(6);
		unsigned int lap = 0, bad = 0;
		uint64_t ptr;

		restart(f, FK_BASE, t[i].after, 0,
			V9_PUT(V9_TRBLIMITR_EL1_FM, V9_TRBLIMITR_EL1_FM_CIRCULAR) | TM(STOP));
		/* the value of a byte is its part of the stream; the trigger is after part 99 */
		for (k = 0; k < 200; k++) {
			unsigned int n;

			for (n = 0; n < 512; n++) {
				uint8_t b = k;

				v9_trbe_accept(f->m, &b, 1);
			}
			if (k == 99)
				v9_trbe_trigger(f->m);
			fk_sync(f, V9_SYNC_CSE);
		}
		tap_eq(MRS(f, TRBSR_EL1), IRQ | STOP | TRG | WRAP | V9_TRBSR_EL1_BSC_TRIGGER,
		       "%s_status", t[i].name);
		/* oldest data first, from the pointer on: sixteen parts up to the stop */
		ptr = MRS(f, TRBPTR_EL1) - FK_BASE;
		for (k = 0; k < 16; k++) {
			lap = 100 + t[i].after / 512 - 16 + k;
			bad += f->mem[(ptr + 512 * k) % (2 * FK_PAGE)] != lap;
		}
		tap_eq(bad, 0, "%s", t[i].name);
		fk_free(f);
	}
}

/* The flush of a trigger may fill the buffer: then the status is that of a full buffer. */
/* shows: TRBE-EV7 TRBE-TR7 */
static void filled_by_the_flush(void)
{
	unsigned int room, filled = 0, halted = 0, bad = 0;

	for (room = 1; room < 40; room++) {
		struct fk *f = tk_new();
		uint64_t sr;

		tk_init(f);
		tk_buffer(f, 2, TM(STOP));
		restart(f, LIMIT(2) - room, 0, 0, TM(STOP));
		tk_program(f, 0);
		tk_go(f, 0x1000);
		tk_b(f, 0x1000);
		tk_b(f, 0x1000);
		tk_p0(f, TK_BR, 0, 0x2000);
		tk_block(f);
		v9_trbe_trigger(f->m);
		fk_sync(f, V9_SYNC_CSE);
		sr = MRS(f, TRBSR_EL1);
		if (sr == (IRQ | STOP | TRG | WRAP | V9_TRBSR_EL1_BSC_FILLED))
			filled++;
		else if (sr == (IRQ | STOP | TRG | V9_TRBSR_EL1_BSC_TRIGGER))
			halted++;
		else
			bad++;
		fk_free(f);
	}
	tap_eq(bad, 0, "trigger_stops_or_finds_it_filled");
	tap_ok(filled > 0, "trigger_and_filled");
	tap_ok(halted > 0, "trigger_and_stopped");
}

/* The pointer may include writes after the last TSB CSYNC, and does not go back. */
/* shows: TRBE-UN9 TRBE-SY4 */
static void no_going_back(void)
{
	struct fk *f = unit(0);

	feed(f, 10);
	fk_sync(f, V9_SYNC_TSB);
	feed(f, 10);
	v9_trbe_drain(f->m);
	fk_sync(f, V9_SYNC_ISB);
	tap_eq(MRS(f, TRBPTR_EL1), FK_BASE + 20, "later_is_later");
	fk_free(f);
}

/* Values that a driver must not program, and those that it may. shows: TRBE-PT10 TRBE-EN13 */
static void modes(void)
{
	unsigned int fm;

	for (fm = 0; fm < 4; fm++) {
		struct fk *f = unit(0);
		unsigned int before = f->nviolations;

		restart(f, FK_BASE, 0, 0, V9_PUT(V9_TRBLIMITR_EL1_FM, fm) | TM(IGNORE));
		tap_ok(fm == 2 ? f->nviolations == before + 1 &&
		       !strcmp(f->violation.rule, "TRBE-PT10") :
				 f->nviolations == before, "mode_%u", fm);
		fk_free(f);
	}
}

/* TRCTRACEIDR has no effect on the Trace Buffer Unit: it is for other sinks. shows: TRBE-EN11 */
static void numbers(void)
{
	uint8_t bytes[2][256] = { { 0 } };
	size_t n[2];
	int i;

	for (i = 0; i < 2; i++) {
		struct fk *f = tk_new();

		tk_setup(f, 0);
		MSR(f, TRCTRACEIDR, i ? 0x6f : 1);
		tk_go(f, 0x1000);
		while (f->pc < 0x1100)
			tk_b(f, f->pc + 8);
		n[i] = tk_stop(f);
		memcpy(bytes[i], f->mem, sizeof(bytes[i]));
		fk_free(f);
	}
	tap_ok(n[0] > 20 && n[0] == n[1] && !memcmp(bytes[0], bytes[1], n[0]),
	       "trace_id_changes_no_byte");
}

/* PSB CSYNC makes what the Profiling Buffer's registers hold visible, not the Trace Buffer Unit's. */
/* shows: TRBE-SY5 */
static void synchronized_alone(void)
{
	static const uint8_t bytes[64];
	struct fk *f = tk_new();

	f->cfg.delay = V9_DELAY_MAX;
	tk_init(f);
	tk_buffer(f, 2, 0);
	for (unsigned int n = 0; n <= V9_TRBE_FIFO; n += sizeof(bytes))		/* more than wait: some are written */
		v9_trbe_accept(f->m, bytes, sizeof(bytes));
	fk_sync(f, V9_SYNC_PSB);
	fk_sync(f, V9_SYNC_ISB);
	tap_eq(MRS(f, TRBPTR_EL1), FK_BASE, "psb_does_not_show_the_write_pointer");
	fk_sync(f, V9_SYNC_TSB);
	fk_sync(f, V9_SYNC_ISB);
	tap_eq(MRS(f, TRBPTR_EL1), FK_BASE + V9_TRBE_FIFO + 64, "tsb_shows_the_write_pointer");
	fk_free(f);
}

int main(void)
{
	stopped();
	alignment();
	fields();
	walks();
	address_size();
	triggers();
	windows();
	filled_by_the_flush();
	no_going_back();
	modes();
	numbers();
	synchronized_alone();
	return tap_done();
}
