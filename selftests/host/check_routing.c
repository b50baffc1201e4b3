// SPDX-License-Identifier: GPL-2.0-only
/*
 * The routing that a driver concludes from the registers that it can read, compared with the rules
 * applied to all registers, for each setting of each control at EL3, EL2 and EL1. Then the register
 * accesses themselves, on the strict model.
 */
#include "hw.h"
#include "model_trace.h"
#include "tap.h"
#include "v9trace/attr.h"
#include "v9trace/el3.h"
#include "v9trace/ete.h"
#include "v9trace/routing_event.h"
#include "v9trace/seq_routing.h"

static const char *const units[] = { "trbe", "spe" };

#define SPE 1

/* A machine. The kernel runs at @el, and has written 0 to EE of its level. */
struct machine {
	unsigned int el, e2b, ee3, ee2, ee1, gpf, ea;
	bool el3, el2, exc, secure;
};

static struct v9_route route_of(const struct machine *m, unsigned int unit)
{
	return (struct v9_route){
		.scr_el3 = (m->secure ? V9_SCR_EL3_EEL2 : V9_SCR_EL3_NS) |
			   V9_PUT(V9_SCR_EL3_GPF, m->gpf) | V9_PUT(V9_SCR_EL3_EA, m->ea),
		.mdcr_el3 = V9_PUT(unit ? V9_MDCR_EL3_PMSEE : V9_MDCR_EL3_TRBEE, m->ee3) |
			    V9_PUT(unit ? V9_MDCR_EL3_NSPB : V9_MDCR_EL3_NSTB, m->secure ? 1 : 3),
		.mdcr_el2 = V9_PUT(unit ? V9_MDCR_EL2_E2PB : V9_MDCR_EL2_E2TB, m->e2b),
		.hcr_el2 = m->el == 2 ? V9_HCR_EL2_E2H | V9_HCR_EL2_TGE : 0,
		.el = m->el, .pe_ss = m->secure ? V9_SS_SECURE : V9_SS_NONSECURE,
		.a64 = true, .el1_a64 = true, .el2_a64 = true,
		.has_el2 = m->el2, .has_el3 = m->el3, .has_secure = true,
	};
}

static struct v9_reporting reporting_of(const struct machine *m, const struct v9_route *r,
					unsigned int unit)
{
	struct v9_trace_ctl tc = {
		.trfcr_el1 = V9_PUT(V9_TRFCR_EL1_EE, m->ee1),
		.trfcr_el2 = V9_PUT(V9_TRFCR_EL2_EE, m->ee2),
	};
	struct v9_spe_ctl sc = {
		.pmscr_el1 = V9_PUT(V9_PMSCR_EL1_EE, m->ee1),
		.pmscr_el2 = V9_PUT(V9_PMSCR_EL2_EE, m->ee2),
		.exc = m->exc,
	};

	return unit == SPE ? v9_spe_reporting(r, &sc) : v9_trbe_reporting(r, m->exc, &tc);
}

/* Tables D6-5 to D6-8 in short: are events that no higher level takes recorded in PMBSR_EL1? */
static bool comes_here(const struct v9_route *r, const struct v9_reporting *p, unsigned int el)
{
	for (unsigned int e = 0; e < V9_EVENTS; e++) {
		unsigned int level = v9_event_level(r, p, e);

		if (level != 1 && level <= el)
			return false;
	}
	return v9_event_interrupts(p) && !v9_event_redirected(r, p);
}

/* Does a higher level take all events? The kernel cannot read that. */
static bool kept_above(const struct v9_route *r, const struct v9_reporting *p, unsigned int el)
{
	return v9_event_level(r, p, V9_EVENT_OTHER) > el;
}

static struct {
	unsigned int cells, taken, refused_owner, refused_exception, above, not_recorded;
	unsigned int wrong_owner, wrong_taken, wrong_refused;
} sum;

static void check_machine(const struct machine *m, unsigned int unit)
{
	struct v9_route r = route_of(m, unit);
	struct v9_reporting p = reporting_of(m, &r, unit);
	struct v9_owner owner = unit == SPE ? v9_spe_owner(&r) : v9_trbe_owner(&r);
	struct v9_routing_facts facts = {
		.at_el2 = m->el == 2,
		.to_el1 = m->el == 2 && m->e2b,
		.has_exc = m->exc,
		.offered = m->el == 2 && m->exc && (!m->el3 || m->ee3),
		.ee = m->exc ? m->el == 2 ? m->ee2 : m->ee1 : 0,
	};
	struct v9_routing here;
	int err;

	if (unit == SPE ? v9_spe_denied(&r) : v9_trbe_denied(&r))
		return;
	sum.cells++;
	err = v9_check_routing(&facts, &here);
	sum.wrong_owner += here.owner != owner.el || !here.reason;
	switch (err) {
	case -EPERM:
		sum.refused_owner++;
		sum.wrong_refused += owner.el >= m->el || here.delivery != V9_DELIVERY_NONE;
		break;
	case -EOPNOTSUPP:
		sum.refused_exception++;
		/* A kernel at EL1 cannot read that EE of EL1 has no effect. */
		sum.wrong_refused += (comes_here(&r, &p, m->el) && (m->el == 2 || p.ee2)) ||
				     here.delivery != V9_DELIVERY_EXCEPTION;
		break;
	case 0:
		sum.taken++;
		if (kept_above(&r, &p, m->el)) {
			sum.above++;
			facts.not_recorded = true;
			sum.not_recorded += v9_check_routing(&facts, &here) == -EOPNOTSUPP &&
					    !here.level && here.delivery == V9_DELIVERY_NONE;
			break;
		}
		sum.wrong_taken += owner.el < m->el || !comes_here(&r, &p, m->el) ||
				   here.level != 1 || here.delivery != V9_DELIVERY_PPI;
		break;
	default:
		sum.wrong_refused++;
	}
}

#define EACH(field, n) for (m.field = 0; m.field < (n); m.field++)

static void sweep(unsigned int unit)
{
	struct machine m;

	memset(&sum, 0, sizeof(sum));
	for (m.el = 1; m.el <= 2; m.el++)
		for (unsigned int i = 0; i < 16; i++) {
			m.el3 = i & 1;
			m.el2 = i & 2;
			m.exc = i & 4;
			m.secure = i & 8;
			if (m.el == 2 && !m.el2)
				continue;
			EACH(e2b, 4) EACH(ee3, 4) EACH(ee2, 4) EACH(ee1, 4) EACH(gpf, 2) EACH(ea,
											      2) {
				/* 0b01 is reserved */
				if (m.e2b == 1)
					continue;
				/* A host has cleared EE of EL1 as well. */
				if (m.el == 2 && m.ee1)
					continue;
				check_machine(&m, unit);
			}
		}
	tap_note("%s: %u cells: %u taken (%u of them kept above), %u and %u refused", units[unit],
		 sum.cells, sum.taken, sum.above, sum.refused_owner, sum.refused_exception);
	tap_eq(sum.wrong_owner, 0, "%s_owner_is_the_rules_owner", units[unit]);
	tap_eq(sum.wrong_taken, 0, "%s_what_is_taken_comes_by_interrupt", units[unit]);
	tap_eq(sum.wrong_refused, 0, "%s_what_is_refused_would_not", units[unit]);
	tap_ok(sum.above && sum.not_recorded == sum.above, "%s_not_recorded_is_refused", units[unit]);
	tap_ok(sum.taken && sum.refused_owner && sum.refused_exception, "%s_every_answer_was_given",
	       units[unit]);
}

/* ---- reading the facts ---- */

static struct {
	struct fk *f;
	uint64_t mdcr_el2;
	bool exc, stuck, forgets;
	unsigned int wrong, barriers, skip, forgotten;
	uint32_t last;			/* last register accessed */
	unsigned int mode;		/* AddrMode that a hypervisor emulates, plus 1; or 0 */
} pe;

static int reach(uint32_t enc, bool write)
{
	int reg = v9_reg_find(&pe.f->pe.r, enc);

	if (reg >= 0 && v9_reg_access(pe.f->m, reg, write) == V9_ACCESS_OK)
		return reg;
	tap_note("register %#x traps", enc);
	pe.wrong++;
	return -1;
}

uint64_t hw_read(uint32_t enc)
{
	uint64_t v = 0;
	int reg;

	pe.last = enc;
	switch (enc) {
	case V9_SYS_ID_AA64DFR0_EL1:
		return 0x0000210300000010;	/* TraceBuffer, TraceFilt, PMSVer, TraceVer */
	case V9_SYS_ID_AA64DFR1_EL1:
		return 0;
	case V9_SYS_ID_AA64MMFR0_EL1:
		return 0xff;
	case V9_SYS_ID_AA64DFR2_EL1:
		return pe.exc ? V9_PUT(V9_ID_AA64DFR2_EL1_SPE_EXC, 1) |
				V9_PUT(V9_ID_AA64DFR2_EL1_SPE_nVM, 1) |
				V9_PUT(V9_ID_AA64DFR2_EL1_TRBE_EXC, 1) : 0;
	case V9_SYS_MDCR_EL2:
		pe.wrong += pe.f->pe.r.el != 2;
		return pe.mdcr_el2;
	}
	reg = reach(enc, false);
	if (reg >= 0) {
		v9_enter(pe.f->m, pe.f->cnt, 0, false);
		v = v9_reg_read(pe.f->m, reg);
		pe.f->cnt = v9_leave(pe.f->m);
	}
	if (pe.mode && (enc == V9_SYS_PMBIDR_EL1 || enc == V9_SYS_TRBIDR_EL1))
		v = (v & ~UINT64_C(0xc0)) | (uint64_t)(pe.mode - 1) << 6;
	if (pe.stuck && (enc == V9_SYS_PMSCR_EL1 || enc == V9_SYS_TRFCR_EL1))
		v |= V9_PUT(V9_PMSCR_EL1_EE, 3);
	return v;
}

void hw_write(uint32_t enc, uint64_t value)
{
	int reg;

	pe.last = enc;
	if (enc == V9_SYS_OSLAR_EL1)
		return;				/* a register of the PE, not of the model */
	reg = reach(enc, true);
	if (reg < 0)
		return;
	v9_enter(pe.f->m, pe.f->cnt, 0, false);
	v9_reg_write(pe.f->m, reg, value);
	pe.f->cnt = v9_leave(pe.f->m);
}

/* Executes branches of the kernel, which are sampled and traced if enabled. */
static void execute(void)
{
	uint64_t next = pe.f->pc ^ 0x40;
	struct v9_pe_insn i = { .pc = pe.f->pc, .op = TK_A64_B(pe.f->pc, next) };

	fk_hook(pe.f, &i);
	tk_b(pe.f, next);
}

/*
 * Firmware that takes each event and lets the unit continue. It writes the status register of a
 * trace buffer while that is disabled (TRBE-UN8).
 */
static void forget(void)
{
	const unsigned int el = pe.f->pe.r.el;
	uint64_t limitr;

	if (pe.f->nevent + tk.nevent == pe.forgotten)
		return;
	pe.forgotten = pe.f->nevent + tk.nevent;
	pe.f->pe.r.el = 3;
	fk_sync(pe.f, V9_SYNC_PSB);
	fk_sync(pe.f, V9_SYNC_TSB);
	fk_sync(pe.f, V9_SYNC_DSB);
	fk_sync(pe.f, V9_SYNC_ISB);
	limitr = hw_read(V9_SYS_TRBLIMITR_EL1);
	hw_write(V9_SYS_TRBLIMITR_EL1, limitr & ~V9_TRBLIMITR_EL1_E);
	fk_sync(pe.f, V9_SYNC_ISB);
	hw_write(V9_SYS_PMBSR_EL3, 0);
	hw_write(V9_SYS_TRBSR_EL3, 0);
	fk_sync(pe.f, V9_SYNC_ISB);
	hw_write(V9_SYS_TRBLIMITR_EL1, limitr);
	fk_sync(pe.f, V9_SYNC_ISB);
	pe.f->pe.r.el = el;
}

uint64_t hw_us(void)
{
	static uint64_t us;

	return us++;
}

void hw_isb(void)
{
	execute();
	if (pe.forgets)
		forget();
	if (++pe.barriers != pe.skip)
		fk_sync(pe.f, V9_SYNC_ISB);
}

void hw_dsb(void)
{
	fk_sync(pe.f, V9_SYNC_DSB);
}

void hw_psb(void)
{
	fk_sync(pe.f, V9_SYNC_PSB);
}

void hw_tsb(void)
{
	fk_sync(pe.f, V9_SYNC_TSB);
}

static uint8_t delay = V9_DELAY_MAX;

/* A PE after reset, with register values that firmware may have left */
static void power_on(unsigned int el, bool exc, int ee3)
{
	struct fk *f = fk_new();

	memset(&pe, 0, sizeof(pe));
	pe.f = f;
	pe.exc = exc;
	f->pe.r.el = el;
	f->pe.r.has_el2 = el == 2;
	f->pe.r.hcr_el2 = el == 2 ? V9_HCR_EL2_E2H | V9_HCR_EL2_TGE : 0;
	if (ee3 >= 0) {
		f->pe.r.has_el3 = true;
		f->pe.r.scr_el3 = V9_SCR_EL3_NS;
		f->pe.r.mdcr_el3 = V9_MDCR_EL3_NSPB | V9_MDCR_EL3_NSTB | V9_MDCR_EL3_EnPMSN |
				   V9_PUT(V9_MDCR_EL3_TRBEE, ee3) | V9_PUT(V9_MDCR_EL3_PMSEE, ee3);
	}
	f->cfg.ete = true;
	f->cfg.trbe_align = 0;
	f->cfg.trbe_exc = exc;
	if (exc)
		v9_config_version(&f->cfg, 6);
	f->cfg.delay = delay;
	f->cfg.poison = true;
	tk_init(f);
	if (el == 2) {
		/*
		 * Values that EL2 and EL1 may find: guests are profiled, each status register is
		 * set.
		 */
		hw_write(V9_SYS_PMSCR_EL12, ~UINT64_C(0));
		hw_write(V9_SYS_TRFCR_EL12, ~UINT64_C(0));
		if (exc && ee3) {
			hw_write(V9_SYS_PMBSR_EL2, V9_PMBSR_EL1_S | V9_PMBSR_EL1_COLL);
			hw_write(V9_SYS_TRBSR_EL2, V9_TRBSR_EL1_S | V9_TRBSR_EL1_IRQ |
						   V9_TRBSR_EL1_WRAP);
		}
	}
	/* as a reset leaves it */
	hw_write(V9_SYS_PMSCR_EL1, 0);
	hw_write(V9_SYS_TRFCR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
	hw_write(V9_SYS_PMBSR_EL1, 0);
	hw_write(V9_SYS_TRBSR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
}

/* Reads the facts. Returns true if the registers have the required values afterwards. */
static bool look(unsigned int unit, struct v9_routing_facts *facts)
{
	static const uint32_t spe[] = { V9_SYS_PMBSR_EL1, V9_SYS_PMSCR_EL12, V9_SYS_PMBSR_EL2 };
	static const uint32_t trbe[] = { V9_SYS_TRBSR_EL1, V9_SYS_TRFCR_EL12, V9_SYS_TRBSR_EL2 };
	const uint32_t *reg = unit == SPE ? spe : trbe;
	bool at_el2 = pe.f->pe.r.el == 2, ours;

	(unit == SPE ? v9_spe_act_exclude_guests : v9_trbe_act_exclude_guests)(at_el2);
	(unit == SPE ? v9_spe_act_route : v9_trbe_act_route)(at_el2, facts);
	ours = !hw_read(reg[0]);
	/* A write of the status after this, without a barrier, must reach that of EL1. */
	hw_write(reg[0], unit == SPE ? V9_PMBSR_EL1_COLL : V9_TRBSR_EL1_WRAP);
	fk_sync(pe.f, V9_SYNC_ISB);
	ours = ours && hw_read(reg[0]) == (unit == SPE ? V9_PMBSR_EL1_COLL : V9_TRBSR_EL1_WRAP);
	if (at_el2)
		ours = ours && !hw_read(reg[1]);
	if (at_el2 && facts->offered)
		ours = ours && !hw_read(reg[2]);
	return ours && !pe.wrong && !pe.f->nviolations && !pe.f->line && !pe.f->trbirq;
}

/* Removes each barrier: the facts or the state afterwards must be wrong then. */
static void without_barriers(unsigned int unit)
{
	struct v9_routing_facts right, facts;
	unsigned int n;

	power_on(2, true, 1);
	look(unit, &right);
	n = pe.barriers;
	fk_free(pe.f);
	for (unsigned int i = 1; i <= n; i++) {
		bool good;

		power_on(2, true, 1);
		pe.skip = i;
		good = look(unit, &facts);
		tap_ok(!good || memcmp(&right, &facts, sizeof(facts)), "%s_without_isb_%u_is_seen",
		       units[unit], i);
		fk_free(pe.f);
	}
	tap_eq(n, 2, "%s_barriers_counted", units[unit]);
}

static void looks(unsigned int unit)
{
	struct v9_routing_facts facts;
	struct v9_routing r;

	for (unsigned int el = 1; el <= 2; el++)
		for (int exc = 0; exc <= 1; exc++)
			for (int ee3 = -1; ee3 <= 3; ee3++) {
				const char *how = exc ? "exc" : "plain";

				power_on(el, exc, ee3);
				tap_ok(look(unit, &facts), "%s_look_el%u_%s_el3_%d", units[unit],
				       el, how, ee3 + 1);
				tap_ok(facts.at_el2 == (el == 2) && facts.has_exc == exc &&
				       !facts.to_el1 && !facts.ee &&
				       facts.offered == (el == 2 && exc && ee3),
				       "%s_facts_el%u_%s_el3_%d", units[unit], el, how, ee3 + 1);
				tap_eq(v9_check_routing(&facts, &r), 0, "%s_checked_el%u_%s_el3_%d",
				       units[unit], el, how, ee3 + 1);
				fk_free(pe.f);
			}

	power_on(2, false, -1);
	pe.mdcr_el2 = unit == SPE ? V9_MDCR_EL2_E2PB : V9_MDCR_EL2_E2TB;
	look(unit, &facts);
	tap_ok(facts.to_el1, "%s_facts_given_to_el1", units[unit]);
	tap_eq(v9_check_routing(&facts, &r), -EPERM, "%s_given_to_el1", units[unit]);
	fk_free(pe.f);

	power_on(1, true, -1);
	pe.stuck = true;
	look(unit, &facts);
	tap_eq(v9_check_routing(&facts, &r), -EOPNOTSUPP, "%s_exceptions_stay", units[unit]);
	fk_free(pe.f);

	without_barriers(unit);
}

/* Claim tag 1 reserves the trace unit against debuggers (TRCCLAIMCLR reads the tags). */
static bool is_claimed(unsigned int unit)
{
	return unit == SPE || (hw_read(V9_SYS_TRCCLAIMCLR) & 2);
}

/*
 * After deep sleep the units are off and other registers UNKNOWN. v9_*_act_quiesce() must lower the
 * interrupt line, whichever status register records events, and claim the trace unit. Without the
 * first barrier it clears another status register than the one that determines the line.
 */
static void wakes(unsigned int unit)
{
	const uint32_t control = unit == SPE ? V9_SYS_PMSCR_EL1 : V9_SYS_TRFCR_EL1;
	const uint32_t status = unit == SPE ? V9_SYS_PMBSR_EL1 : V9_SYS_TRBSR_EL1;
	const uint64_t event = unit == SPE ? V9_PMBSR_EL1_S : V9_TRBSR_EL1_S | V9_TRBSR_EL1_IRQ;
	unsigned int high = 0, left = 0, seen = 0;

	for (unsigned int skip = 0; skip <= 2; skip++)
		for (unsigned int el = 1; el <= 2; el++)
			for (int ee3 = -1; ee3 <= 3; ee3++)
				for (uint64_t ee = 0; ee <= 3; ee++) {
					bool *line;

					power_on(el, true, ee3);
					line = unit == SPE ? &pe.f->line : &pe.f->trbirq;
					hw_write(status, event);
					fk_sync(pe.f, V9_SYNC_ISB);
					high += *line;
					hw_write(control, unit == SPE ?
						 V9_PUT(V9_PMSCR_EL2_EE, ee) :
						 V9_PUT(V9_TRFCR_EL2_EE, ee));
					fk_sync(pe.f, V9_SYNC_ISB);
					pe.barriers = 0;
					pe.skip = skip;
					(unit == SPE ? v9_spe_act_quiesce : v9_ete_act_quiesce)();
					if (!skip)
						left += *line || hw_read(status) ||
							pe.barriers != 2 || !is_claimed(unit);
					else
						seen |= (unsigned int)*line << skip;
					fk_free(pe.f);
				}
	tap_ok(high, "%s_wakes_with_its_line_high", units[unit]);
	tap_eq(left, 0, "%s_line_is_low_after_waking", units[unit]);
	tap_eq(seen, 6, "%s_wakes_without_a_barrier_is_seen", units[unit]);
}

/* ---- self-test ---- */

static uint64_t accesses(uint32_t enc)
{
	const struct v9_score *score = v9_model_score(pe.f->m);
	int reg = v9_reg_find(&pe.f->pe.r, enc);

	return score->rd[reg] + score->wr[reg];
}

static uint64_t room;		/* TRBIDR_EL1.MaxBuffSize, in bytes; the page is larger */

/* Resets the unit, reads the facts, runs the self-test. Returns true if no event was visible. */
static bool self_test(unsigned int unit)
{
	struct v9_routing_facts facts;
	struct v9_spe_state spe_state;
	struct v9_ete_state ete_state;
	struct v9_spe_unit spe_unit;
	struct v9_ete_unit ete_unit;
	struct v9_spe_id spe;
	struct v9_ete_id ete;
	const char *why = "";
	bool not_recorded;

	memset(&ete_state, 0, sizeof(ete_state));
	if (unit == SPE) {
		v9_spe_act_reset(&spe_state);
		pe.wrong += v9_spe_act_physical(false);
		v9_spe_read_id(&spe, V9_OPTION_WORDS, NULL);
		pe.wrong += !!v9_spe_check_unit(&spe, &spe_unit, &why);
		v9_spe_act_exclude_guests(pe.f->pe.r.el == 2);
		v9_spe_act_route(pe.f->pe.r.el == 2, &facts);
		not_recorded = v9_spe_act_self_test(&spe_state, &spe_unit, FK_BASE, FK_PAGE);
		pe.wrong += !!(hw_read(V9_SYS_PMBLIMITR_EL1) & V9_PMBLIMITR_EL1_E) ||
			    hw_read(V9_SYS_PMBSR_EL1);
		/* It may trap to EL3 or EL2, and no parameter says that it does not. */
		pe.wrong += accesses(V9_SYS_PMBMAR_EL1);
	} else {
		v9_ete_read_id(&ete, NULL);
		pe.wrong += !!v9_ete_check_unit(&ete, pe.f->pe.r.el == 2, &ete_unit, &why);
		pe.wrong += !v9_ete_act_reset(&ete_state, &ete, 0x10);
		v9_trbe_act_exclude_guests(pe.f->pe.r.el == 2);
		v9_trbe_act_route(pe.f->pe.r.el == 2, &facts);
		ete_unit.max_buffer = room;
		not_recorded = v9_trbe_act_self_test(&ete_state, &ete_unit, FK_BASE,
						     room ? 4 * room : FK_PAGE);
		pe.wrong += !!(hw_read(V9_SYS_TRBLIMITR_EL1) & V9_TRBLIMITR_EL1_E) ||
			    hw_read(V9_SYS_TRBSR_EL1);
	}
	if (*why)
		tap_note("refused: %s", why);
	pe.wrong += pe.f->line || pe.f->trbirq || pe.f->nviolations;
	return not_recorded;
}

/* The event occurred, and only the last granule was written. */
static bool happened(unsigned int unit)
{
	unsigned int i, first = FK_PAGE;

	for (i = 0; i < FK_SIZE; i++)
		if (pe.f->touched[i]) {
			first = i;
			break;
		}
	for (i = FK_PAGE; i < FK_SIZE; i++)
		if (pe.f->touched[i])
			return false;
	return first > FK_PAGE / 2 && first < FK_PAGE &&
	       (unit == SPE ? pe.f->nevent : tk.nevent) == 1;
}

static void check_self_test(unsigned int unit)
{
	bool not_recorded;

	for (unsigned int el = 1; el <= 2; el++)
		for (int ee3 = -1; ee3 <= 3; ee3++) {
			power_on(el, true, ee3);
			not_recorded = self_test(unit);
			tap_eq(not_recorded, ee3 == 3, "%s_self_test_el%u_el3_%d", units[unit], el,
			       ee3 + 1);
			tap_ok(happened(unit), "%s_self_test_el%u_el3_%d_happened", units[unit], el,
			       ee3 + 1);
			tap_eq(pe.wrong, 0, "%s_self_test_el%u_el3_%d_is_clean", units[unit], el,
			       ee3 + 1);
			fk_free(pe.f);
		}

	/* Without delay, or there would be no effect after the event. */
	delay = V9_DELAY_OFF;
	power_on(2, true, 3);
	delay = V9_DELAY_MAX;
	pe.f->pe.r.el = 3;
	hw_write(V9_SYS_PMBSR_EL3, 0);
	hw_write(V9_SYS_TRBSR_EL3, 0);
	fk_sync(pe.f, V9_SYNC_ISB);
	pe.f->pe.r.el = 2;
	pe.forgets = true;
	not_recorded = self_test(unit);
	/* The model logs violations of this firmware; so pe.wrong is not checked. */
	tap_ok(not_recorded && pe.forgotten, "%s_self_test_below_firmware_that_hides_events", units[unit]);
	fk_free(pe.f);

	/* A hypervisor that takes all events, or none, of a kernel at EL1 */
	for (unsigned int ee2 = 0; ee2 <= 3; ee2++) {
		power_on(2, true, -1);
		hw_write(V9_SYS_PMBSR_EL2, 0);
		hw_write(V9_SYS_TRBSR_EL2, 0);
		hw_write(V9_SYS_PMSCR_EL1, V9_PUT(V9_PMSCR_EL2_EE, ee2));
		hw_write(V9_SYS_TRFCR_EL1, V9_PUT(V9_TRFCR_EL2_EE, ee2));
		fk_sync(pe.f, V9_SYNC_ISB);
		pe.f->pe.r.el = 1;
		pe.f->pe.r.hcr_el2 = 0;
		pe.f->pe.r.mdcr_el2 = V9_MDCR_EL2_E2PB | V9_MDCR_EL2_E2TB;
		not_recorded = self_test(unit);
		tap_eq(not_recorded, ee2 == 3, "%s_self_test_below_ee_%u", units[unit], ee2);
		tap_ok(happened(unit) && !pe.wrong, "%s_self_test_below_ee_%u_happened",
		       units[unit],
		       ee2);
		fk_free(pe.f);
	}

	/* A page may be larger than MaxBuffSize, which a hypervisor can set. */
	if (unit != SPE) {
		power_on(2, true, -1);
		room = FK_PAGE;
		not_recorded = self_test(unit);
		room = 0;
		tap_eq(hw_read(V9_SYS_TRBBASER_EL1), FK_BASE + 3 * FK_PAGE,
		       "trbe_self_test_in_a_part_of_a_page");
		tap_ok(!not_recorded && !pe.wrong, "trbe_self_test_in_a_part_of_a_page_is_recorded");
		fk_free(pe.f);
	}

	/* If nothing is sampled or traced, there is no conclusion. */
	power_on(1, true, 3);
	pe.f->pe.r.debug = true;
	tap_ok(!self_test(unit) && !happened(unit), "%s_self_test_without_a_conclusion",
	       units[unit]);
	fk_free(pe.f);
}

/* A kernel at EL1, below an EL2 that has written these registers */
static void below(uint64_t pmscr_el2, uint64_t trfcr_el2, uint64_t mdcr_el2)
{
	power_on(2, true, -1);
	hw_write(V9_SYS_PMSCR_EL1, pmscr_el2);
	hw_write(V9_SYS_TRFCR_EL1, trfcr_el2);
	fk_sync(pe.f, V9_SYNC_ISB);
	pe.f->pe.r.el = 1;
	pe.f->pe.r.hcr_el2 = 0;
	pe.f->pe.r.mdcr_el2 = mdcr_el2;
}

/* PMBIDR_EL1.AddrMode; P */
static uint64_t addr_mode(void)
{
	return hw_read(V9_SYS_PMBIDR_EL1) >> 6 & 3;
}

static uint64_t not_allowed(void)
{
	return hw_read(V9_SYS_PMBIDR_EL1) >> 4 & 1;
}

/*
 * EL2 controls whether nVM has an effect; its control is UNKNOWN at reset, and the same for both
 * units. The two ID registers encode it differently: D24.4.2, D24.7.1.
 */
static void nvm_of_el2(void)
{
	const uint64_t both = V9_MDCR_EL2_E2PB | V9_MDCR_EL2_E2TB;
	struct v9_spe_id spe[2];
	struct v9_ete_id ete[2];

	for (unsigned int allowed = 0; allowed < 2; allowed++) {
		below(allowed ? 0x800 : 0, allowed ? 0 : 0x800, both);
		tap_eq(hw_read(V9_SYS_TRBIDR_EL1) >> 6 & 3, allowed ? 0 : 1,
		       "trbe_nvm_%u_is_shown", allowed);
		tap_eq(addr_mode(), allowed ? 1 : 0, "spe_nvm_%u_is_shown", allowed);
		v9_spe_read_id(&spe[allowed], V9_OPTION_WORDS, NULL);
		v9_ete_read_id(&ete[allowed], NULL);
		/* shows: SPE-PB6 SPE-PB10 TRBE-AT3 TRBE-AT4 */
		tap_eq(v9_trbe_act_physical(), allowed, "trbe_nvm_%u_is_believed", allowed);
		tap_eq(v9_spe_has_physical(), allowed, "spe_nvm_%u_is_seen", allowed);
		tap_ok(!v9_spe_act_physical(false) && !accesses(V9_SYS_PMBMAR_EL1),
		       "spe_nvm_%u_touches_nothing_unrequested", allowed);
		tap_eq(v9_spe_act_physical(true), allowed, "spe_nvm_%u_is_believed", allowed);
		tap_eq(accesses(V9_SYS_PMBMAR_EL1), allowed, "spe_nvm_%u_writes_where_it_counts",
		       allowed);
		tap_eq(hw_read(V9_SYS_TRBMAR_EL1), 0x3ff, "trbe_nvm_%u_as_the_kernel_maps",
		       allowed);
		if (allowed)
			tap_eq(hw_read(V9_SYS_PMBMAR_EL1), 0x3ff, "spe_nvm_1_as_the_kernel_maps");
		fk_free(pe.f);
	}
	tap_ok(!memcmp(&spe[0], &spe[1], sizeof(spe[0])), "spe_nvm_is_no_difference");
	tap_ok(!memcmp(&ete[0], &ete[1], sizeof(ete[0])), "trbe_nvm_is_no_difference");

	/* EnVM is 0; it has an effect only for an owner below an implemented EL2. */
	power_on(2, true, -1);
	tap_eq(addr_mode(), 1, "spe_nvm_of_el2_is_shown");
	fk_free(pe.f);
	power_on(1, true, -1);
	tap_eq(addr_mode(), 1, "spe_nvm_without_el2_is_shown");
	fk_free(pe.f);
	/* EL2 owns the buffer. */
	below(0x800, 0, 0);
	tap_eq(not_allowed() << 4 | addr_mode(), 0x10, "spe_nvm_of_another_is_not_shown");
	tap_ok(!v9_spe_act_physical(true), "spe_nvm_of_another_is_virtual");
	fk_free(pe.f);
	power_on(2, false, -1);
	tap_eq(addr_mode(), 0, "spe_without_nvm_shows_none");
	tap_ok(!v9_spe_act_physical(true) && !pe.wrong, "spe_without_nvm_is_virtual");
	fk_free(pe.f);
}

/*
 * No register shows whether EL3 traps registers of the trace unit (CPTR_EL3.TTA). They are not
 * accessed unless firmware describes a trace unit, or the user sets a parameter.
 */
static void unlisted(void)
{
	const uint32_t trc[] = {
		V9_SYS_TRCIDR0, V9_SYS_TRCIDR1, V9_SYS_TRCIDR2, V9_SYS_TRCIDR3, V9_SYS_TRCIDR4,
		V9_SYS_TRCIDR5, V9_SYS_TRCIDR8, V9_SYS_TRCDEVARCH, V9_SYS_TRCAUTHSTATUS,
	};

	const struct v9_el3 silent = { false, 0, 0 };

	for (unsigned int listed = 0; listed < 2; listed++) {
		struct v9_ete_unit unit;
		unsigned int i, n = 0;
		const char *why = "";
		struct v9_ete_id id;

		power_on(2, true, -1);
		v9_ete_read_id(&id, v9_el3_trace_closed(&silent, listed));
		for (i = 0; i < V9_ARRAY_SIZE(trc); i++)
			n += accesses(trc[i]);
		tap_eq(n, listed ? V9_ARRAY_SIZE(trc) : 0, "unlisted_%u_reads", !listed);
		tap_eq(v9_ete_check_unit(&id, true, &unit, &why), listed ? 0 : -EPERM,
		       "unlisted_%u_checked", !listed);
		tap_eq(!!strstr(why, "unlisted=1"), !listed, "unlisted_%u_reason", !listed);
		fk_free(pe.f);
	}
}

/* Firmware has answered that it traps the registers of the profiling unit. PMBIDR_EL1.P is 0. */
static void closed(void)
{
	const uint32_t pms[] = {
		V9_SYS_PMSIDR_EL1, V9_SYS_PMSEVFR_EL1, V9_SYS_PMSNEVFR_EL1, V9_SYS_PMSDSFR_EL1,
		V9_SYS_PMSFCR_EL1,
	};

	for (unsigned int open = 0; open < 2; open++) {
		const struct v9_el3 el3 = { true, open ? 0x1000 : 0, 0 };
		struct v9_spe_unit unit;
		const char *why = "";
		struct v9_spe_id id;
		unsigned int i, n = 0;

		power_on(2, true, -1);
		v9_spe_read_id(&id, V9_OPTION_WORDS, v9_el3_spe_closed(&el3));
		tap_eq(accesses(V9_SYS_PMBIDR_EL1), 1, "closed_%u_owner", !open);
		for (i = 0; i < V9_ARRAY_SIZE(pms); i++)
			n += !!accesses(pms[i]);
		tap_eq(!!n, open, "closed_%u_reads", !open);
		tap_eq(v9_spe_check_unit(&id, &unit, &why), open ? 0 : -EPERM,
		       "closed_%u_checked", !open);
		tap_eq(!!strstr(why, "MDCR_EL3.NSPB"), !open, "closed_%u_reason", !open);
		fk_free(pe.f);
	}
}

/* AddrMode as a hypervisor may emulate it: D24.7.1, D24.4.2 */
static void address_modes(void)
{
	static const struct {
		const char *name;
		unsigned int unit, mode;
		bool physical;
		int err;
	} t[] = {
		{ "spe_mode_virtual", SPE, 0, false, 0 },
		{ "spe_mode_both", SPE, 1, true, 0 },
		{ "spe_mode_reserved", SPE, 2, false, 0 },
		{ "spe_mode_physical", SPE, 3, false, -ENXIO },
		{ "trbe_mode_both", 0, 0, true, 0 },
		{ "trbe_mode_virtual", 0, 1, false, 0 },
		{ "trbe_mode_physical", 0, 2, false, -ENXIO },
		{ "trbe_mode_reserved", 0, 3, false, 0 },
	};
	struct v9_ete_id ete, first_ete = { 0 };
	struct v9_spe_id spe, first_spe = { 0 };
	struct v9_ete_unit ete_unit;
	struct v9_spe_unit spe_unit;

	for (unsigned int i = 0; i < V9_ARRAY_SIZE(t); i++) {
		const char *why = "";
		bool same, physical;
		int err;

		power_on(2, true, -1);
		pe.mode = 1 + t[i].mode;
		v9_spe_read_id(&spe, V9_OPTION_WORDS, NULL);
		v9_ete_read_id(&ete, NULL);
		if (!t[i].mode) {
			first_spe = spe;
			first_ete = ete;
		}
		if (t[i].unit == SPE) {
			same = !memcmp(&spe, &first_spe, sizeof(spe));
			err = v9_spe_check_unit(&spe, &spe_unit, &why);
			physical = v9_spe_act_physical(true);
			tap_eq(accesses(V9_SYS_PMBMAR_EL1), t[i].physical, "%s_writes", t[i].name);
		} else {
			same = !memcmp(&ete, &first_ete, sizeof(ete));
			err = v9_ete_check_unit(&ete, true, &ete_unit, &why);
			physical = v9_trbe_act_physical();
		}
		tap_eq(err, t[i].err, "%s_checked", t[i].name);
		tap_eq(!!strstr(why, "physical"), !!t[i].err, "%s_reason", t[i].name);
		/* A unit that is refused has another CPU type than one that is not. */
		tap_eq(same, !t[i].err, "%s_compared", t[i].name);
		if (!t[i].err)
			tap_eq(physical, t[i].physical, "%s_believed", t[i].name);
		fk_free(pe.f);
	}
}

/* KVM shows its guests neither unit: the ID registers decide before any other access. */
static void guest(void)
{
	struct v9_spe_id spe = { .id_aa64mmfr0 = 0xff };
	struct v9_ete_id ete = { .id_aa64mmfr0 = 0xff };
	struct v9_spe_unit spe_unit;
	struct v9_ete_unit ete_unit;
	const char *why = "";

	tap_eq(v9_spe_check_unit(&spe, &spe_unit, &why), -ENODEV, "guest_has_no_spe");
	tap_ok(strstr(why, "PMSVer"), "guest_has_no_spe_and_is_reported");
	tap_eq(v9_ete_check_unit(&ete, false, &ete_unit, &why), -ENODEV, "guest_has_no_ete");
	tap_ok(strstr(why, "TraceVer"), "guest_has_no_ete_and_is_reported");
}

/* shows: SPE-EN3 SPE-OW7 SPE-ME15 SPE-RA4 TRBE-OW7 TRBE-OW8 TRBE-EV3 TRBE-IR1 */
int main(void)
{
	for (unsigned int unit = 0; unit < 2; unit++) {
		sweep(unit);
		looks(unit);
		wakes(unit);
		check_self_test(unit);
	}
	nvm_of_el2();
	unlisted();
	closed();
	address_modes();
	guest();
	return tap_done();
}
