// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reports in three status registers, in cases that the firmware test cannot check: several events
 * in one flush, collisions, and when a control takes effect.
 */
#include "tap.h"
#include "model_trace.h"
#include "private.h"

#define EE2(x) V9_PUT(V9_TRFCR_EL2_EE, x)

/* A PE at EL1 with EL2, which does not own the buffers. @ee2: EE of EL2 for both units */
static struct fk *with_el2(unsigned int ee2, unsigned int ee1, enum v9_delay delay)
{
	struct fk *f = tk_new();

	f->cfg.trbe_exc = true;
	v9_config_version(&f->cfg, 6);
	f->cfg.delay = delay;
	f->cfg.poison = false;
	f->pe.r.has_el2 = true;
	f->pe.r.mdcr_el2 = V9_PUT(V9_MDCR_EL2_E2TB, 3) | V9_PUT(V9_MDCR_EL2_E2PB, 3);
	tk_init(f);
	MSR(f, TRFCR_EL2, EE2(ee2));
	MSR(f, PMSCR_EL2, V9_PUT(V9_PMSCR_EL2_EE, ee2));
	MSR(f, TRFCR_EL1, V9_PUT(V9_TRFCR_EL1_EE, ee1));
	fk_sync(f, V9_SYNC_ISB);
	return f;
}

/*
 * A trigger causes a flush, and the flush a stage 2 fault: the fault is reported to EL2, and the
 * trigger to EL1 all the same.
 */
/* shows: TRBE-TR7 TRBE-EV3 */
static void two_in_one_flush(void)
{
	struct fk *f = with_el2(2, 0, V9_DELAY_OFF);
	uint64_t sr1, sr2;

	tk_buffer(f, 1, V9_PUT(V9_TRBLIMITR_EL1_TM, V9_TRBLIMITR_EL1_TM_STOP));
	f->page[0] = (struct fk_page){ FK_FAULT, 2, V9_TRBSR_EL1_FSC_TRANSLATION_L3 };
	v9_trbe_trigger(f->m);
	/* the trace that is flushed */
	v9_trbe_accept(f->m, (const uint8_t *)"trace", 5);
	fk_sync(f, V9_SYNC_CSE);
	f->pe.r.el = 2;
	sr1 = MRS(f, TRBSR_EL1);
	sr2 = MRS(f, TRBSR_EL2);
	tap_eq(sr2, V9_PUT(V9_TRBSR_EL1_EC, V9_TRBSR_EL1_EC_STAGE_2_ABORT) | V9_TRBSR_EL1_IRQ |
	       V9_TRBSR_EL1_S | V9_TRBSR_EL1_FSC_TRANSLATION_L3, "fault_is_of_el2");
	tap_eq(sr1, V9_TRBSR_EL1_IRQ | V9_TRBSR_EL1_S | V9_TRBSR_EL1_TRG |
	       V9_TRBSR_EL1_BSC_TRIGGER, "trigger_is_of_el1");
	tap_ok(f->trbirq, "trigger_still_interrupts");
	/* S in TRBSR_EL2 alone keeps the unit stopped */
	f->page[0].kind = FK_OK;
	MSR(f, TRBLIMITR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
	MSR(f, TRBSR_EL1, 0);
	MSR(f, TRBLIMITR_EL1, (FK_BASE + FK_PAGE) | V9_TRBLIMITR_EL1_E |
	    V9_PUT(V9_TRBLIMITR_EL1_TM, V9_TRBLIMITR_EL1_TM_IGNORE));
	fk_sync(f, V9_SYNC_ISB);
	v9_trbe_accept(f->m, (const uint8_t *)"trace", 5);
	fk_sync(f, V9_SYNC_CSE);
	tap_ok(!f->touched[0] && v9_model_trace_score(f->m)->stopped == 5,
	       "stopped_by_the_register_of_el2");
	/* ... but only while events are reported to EL2 */
	f->pe.r.el = 2;
	MSR(f, TRFCR_EL2, EE2(1));
	fk_sync(f, V9_SYNC_ISB);
	v9_trbe_accept(f->m, (const uint8_t *)"trace", 5);
	fk_sync(f, V9_SYNC_CSE);
	tap_ok(f->touched[0], "not_stopped_without_ee");
	fk_free(f);
}

/* Collisions are recorded in the same register as other events. */
/* shows: SPE-SI15 SPE-ME15 */
static void collision(void)
{
	unsigned int ee2;

	for (ee2 = 2; ee2 <= 3; ee2++) {
		struct fk *f = with_el2(ee2, 0, V9_DELAY_OFF);
		uint64_t sr1, sr2;

		f->cfg.lat_total = 2000;
		tk_init(f);
		MSR(f, PMSCR_EL2, V9_PUT(V9_PMSCR_EL2_EE, ee2));
		fk_start(f, 1 << 8, 4, 0);
		fk_nops(f, 3000);
		f->pe.r.el = 2;
		sr1 = MRS(f, PMBSR_EL1);
		sr2 = MRS(f, PMBSR_EL2);
		tap_eq(!!(sr1 & V9_PMBSR_EL1_COLL), ee2 == 2, "collision_el1_ee%u", ee2);
		tap_eq(!!(sr2 & V9_PMBSR_EL1_COLL), ee2 == 3, "collision_el2_ee%u", ee2);
		fk_free(f);
	}
}

/* A control takes effect at the next context synchronization event, a status register at once. */
/* shows: TRBE-IR1 TRBE-IR2 TRBE-UN9 */
static void when(void)
{
	struct fk *f = with_el2(1, 0, V9_DELAY_MAX);

	MSR(f, TRBSR_EL1, V9_TRBSR_EL1_IRQ);
	tap_ok(f->trbirq, "line_with_the_status");
	MSR(f, TRFCR_EL1, V9_TRFCR_EL1_EE);
	tap_ok(f->trbirq, "line_before_the_sync");
	fk_sync(f, V9_SYNC_ISB);
	tap_ok(!f->trbirq, "line_after_the_sync");
	/* registers outside the model: the model polls them */
	f->pe.r.has_el3 = true;
	f->pe.r.scr_el3 = V9_SCR_EL3_NS;
	v9_poll(f->m);
	tap_ok(f->trbirq, "line_when_el3_keeps_the_exceptions");
	f->pe.r.mdcr_el3 = V9_PUT(V9_MDCR_EL3_TRBEE, 1);
	v9_poll(f->m);
	tap_ok(!f->trbirq, "line_when_el3_lets_go");
	fk_free(f);
}

/* The exception of either unit, and its syndrome */
/* shows: TRBE-EX7 SPE-ME15 */
static void exception(void)
{
	struct fk *f = with_el2(3, 0, V9_DELAY_OFF);
	uint32_t esr = 0;

	f->pe.r.mdcr_el3 = V9_PUT(V9_MDCR_EL3_NSPB, 3) | V9_PUT(V9_MDCR_EL3_NSTB, 3);
	tap_eq(v9_profiling_exception(f->m, &f->pe, &esr), 0, "no_request_no_exception");
	f->pe.r.el = 2;
	MSR(f, PMBSR_EL2, V9_PMBSR_EL1_S);
	f->pe.r.el = 1;
	tap_eq(v9_profiling_exception(f->m, &f->pe, &esr), 2, "spe_to_el2");
	tap_eq(esr, 0xf6000002, "spe_syndrome");
	f->pe.r.el = 2;
	MSR(f, TRBSR_EL2, V9_TRBSR_EL1_IRQ);
	f->pe.r.el = 1;
	tap_eq(v9_profiling_exception(f->m, &f->pe, &esr), 2, "trbe_to_el2");
	tap_eq(esr, 0xf6000004, "trbe_syndrome");
	f->pe.r.debug = true;
	tap_eq(v9_profiling_exception(f->m, &f->pe, &esr), 0, "no_exception_in_debug_state");
	fk_free(f);
}

int main(void)
{
	two_in_one_flush();
	collision();
	when();
	exception();
	return tap_done();
}
