// SPDX-License-Identifier: GPL-2.0-only
/*
 * The translation of buffer addresses: with and without stage 1, with stage 2; privileged for each
 * value of PAN; without watchpoints; and addresses that are refused.
 */
#include <string.h>

#include "cells.h"

#define SR_EC(x) PUT(V9_TRBSR_EL1_EC, x)
#define S V9_TRBSR_EL1_S
#define EA V9_TRBSR_EL1_EA
#define PAN BIT(22)
#define D BIT(9)
#define HOLE UINT64_C(0x70000000)
#define USUAL 0x3ff		/* Normal Write-Back, Inner Shareable */
#define DEVICE 0x200		/* nGnRnE */
#define IS_DEVICE { "TRBE-AT12", "SPE-PB18" }
#define MISMATCH { "TRBE-AT4", "SPE-PB10" }

/**
 * struct place - a place of the buffer
 * @e2h: the owner is EL2&0; tested only if EL3 programs the unit
 * @pstate: bits of PSTATE that the program inverts
 * @ptr: 0: the real buffer's physical address
 * @fault: expected status without IRQ; 0: the data is written
 * @stage: 2 if @kind is a page of stage 2
 * @mar: PMBMAR_EL1, TRBMAR_EL1; 0: the default
 * @mem: memory type of the writes; 0: the default
 * @breaks: rules that are broken, for units that report it
 */
static const struct place {
	const char *name;
	unsigned int e2b, stage2, nvm, permit;
	bool mmu;
	enum page_kind kind;
	uint64_t ptr, pstate, fault;
	bool e2h;
	unsigned int stage, dc;
	uint16_t mar, mem;
	const char *breaks[UNITS];
} places[] = {
	{ "virtual_el1", 3, 0, 0, 1, true, PAGE_OK, BUF_VA, 0, 0 },
	{ "virtual_el2", 0, 0, 0, 1, true, PAGE_OK, BUF_VA, 0, 0 },
	{ "virtual_el2_vhe", 0, 0, 0, 1, true, PAGE_OK, BUF_VA, 0, 0, true },
	{ "nvm_el2_vhe", 0, 0, 1, 1, true, PAGE_OK, 0, 0, 0, true },
	{ "virtual_both_stages", 3, 1, 0, 1, true, PAGE_OK, BUF_VA, 0, 0 },
	{ "flat_el1", 3, 0, 0, 1, false, PAGE_OK, 0, 0, 0, .mem = DEVICE, .breaks = IS_DEVICE },
	{ "flat_el2", 0, 0, 0, 1, false, PAGE_OK, 0, 0, 0, .mem = DEVICE, .breaks = IS_DEVICE },
	{ "user_page_and_pan", 3, 0, 0, 1, true, PAGE_USER, BUF_VA, PAN, 0 },
	{ "nvm_el2", 0, 0, 1, 1, true, PAGE_OK, 0, 0, 0 },
	{ "nvm_el2_whatever_el2_permits", 0, 0, 1, 0, true, PAGE_OK, 0, 0, 0 },
	{ "nvm_el2_no_translation", 0, 0, 1, 1, true, PAGE_OK, HOLE, 0, SR_EC(0x24) | EA | 0x10 },
	{ "nvm_el1_intermediate", 3, 1, 1, 1, true, PAGE_OK, BUF_IPA, 0, 0 },
	{ "nvm_el1_stage_2_fault", 3, 1, 1, 1, true, PAGE_OK, BUF_IPA + BIT(21), 0,
	  SR_EC(0x25) | 0x06 },
	{ "nvm_el1_not_permitted", 3, 1, 1, 0, true, PAGE_OK, BUF_VA, 0, 0 },
	{ "nvm_el1_not_permitted_is_virtual", 3, 1, 1, 0, true, PAGE_OK, BUF_IPA, 0,
	  SR_EC(0x24) | 0x05 },
	{ "nvm_el2_beyond_the_physical_size", 0, 0, 1, 1, true, PAGE_OK, BIT(52), 0, SR_EC(0x24),
	  .breaks = { "TRBE-AT6", "SPE-PB12" } },
	/* The status does not show which access stage 2 refused. */
	{ "no_intermediate_page", 3, 1, 0, 1, true, PAGE_S2_HOLE, BUF_VA, 0, SR_EC(0x25) | 0x06 },
	{ "no_intermediate_table", 3, 1, 0, 1, true, PAGE_WALK_S2_HOLE, BUF_VA, 0,
	  SR_EC(0x25) | 0x06 },
	/* memory types: of the tables, of the register, of both stages */
	{ "device", 3, 0, 0, 1, true, PAGE_DEVICE, BUF_VA, 0, 0, .mem = DEVICE,
	  .breaks = IS_DEVICE },
	{ "device_by_stage_2", 3, 1, 0, 1, true, PAGE_DEVICE, BUF_VA, 0, 0, .stage = 2,
	  .mem = DEVICE, .breaks = IS_DEVICE },
	{ "nvm_device", 0, 0, 1, 1, true, PAGE_OK, 0, 0, 0, .mar = 0x20c, .mem = 0x20c,
	  .breaks = IS_DEVICE },
	{ "nvm_not_cached", 0, 0, 1, 1, true, PAGE_OK, 0, 0, 0, .mar = 0x244, .mem = 0x244,
	  .breaks = MISMATCH },
	{ "nvm_whatever_sctlr_says", 3, 0, 1, 1, false, PAGE_OK, 0, 0, 0 },
	{ "nvm_el1_not_cached", 3, 1, 1, 1, true, PAGE_OK, BUF_IPA, 0, 0, .mar = 0x244,
	  .mem = 0x244, .breaks = MISMATCH },
	{ "nvm_el1_device_by_stage_2", 3, 1, 1, 1, true, PAGE_DEVICE, BUF_IPA, 0, 0, .stage = 2,
	  .mem = DEVICE, .breaks = IS_DEVICE },
	{ "nvm_el1_default_cacheable", 3, 1, 1, 1, true, PAGE_OK, BUF_IPA, 0, 0, .dc = 1,
	  .mar = 0x244 },
	{ "default_cacheable", 3, 1, 0, 1, true, PAGE_OK, BUF_IPA, 0, 0, .dc = 1 },
};

static void start(unsigned int unit, const struct place *t, uint64_t ptr)
{
	if (unit == SPE) {
		WR(PMBPTR_EL1, ptr);
		WR(PMBMAR_EL1, t->mar ? t->mar : USUAL);
		profiling_unit_program();
		isb();
		WR(PMSICR_EL1, 0);
		WR(PMBLIMITR_EL1, (ptr + PAGE) | V9_PMBLIMITR_EL1_E |
		   PUT(V9_PMBLIMITR_EL1_nVM, t->nvm));
		isb();
		if (t->e2b)
			WR(PMSCR_EL1, RD(PMSCR_EL1) | V9_PMSCR_EL1_E1SPE);
		else
			WR(PMSCR_EL2, RD(PMSCR_EL2) | V9_PMSCR_EL2_E2SPE);
	} else {
		trace_unit_program(false);
		WR(TRBBASER_EL1, ptr);
		WR(TRBPTR_EL1, ptr);
		WR(TRBTRG_EL1, 0);
		WR(TRBMAR_EL1, t->mar ? t->mar : USUAL);
		isb();
		WR(TRBLIMITR_EL1, (ptr + PAGE) | V9_TRBLIMITR_EL1_E |
		   PUT(V9_TRBLIMITR_EL1_TM, V9_TRBLIMITR_EL1_TM_IGNORE) |
		   PUT(V9_TRBLIMITR_EL1_nVM, t->nvm));
		isb();
		trace_unit_on();
		if (t->e2b)
			WR(TRFCR_EL1, RD(TRFCR_EL1) | V9_TRFCR_EL1_E1TRE);
		else
			WR(TRFCR_EL2, RD(TRFCR_EL2) | V9_TRFCR_EL2_E2TRE);
	}
	isb();
}

static void stop(void)
{
	WR(TRFCR_EL2, RD(TRFCR_EL2) & ~V9_TRFCR_EL2_E2TRE);
	WR(PMSCR_EL2, RD(PMSCR_EL2) & ~V9_PMSCR_EL2_E2SPE);
	drain();
	trace_unit_off();
	WR(TRBLIMITR_EL1, 0);
	WR(PMBLIMITR_EL1, 0);
	isb();
}

/*
 * Runs a program at the owner's level with a buffer at @t. Returns true if all results are as in
 * @t.
 */
static bool one(unsigned int unit, const struct place *t)
{
	struct controls c = {
		.e2b = t->e2b, .stage2 = t->stage2, .permit = t->permit, .pm = 1,
		.e2h = t->e2h, .dc = t->dc,
	};
	uint64_t ptr = t->ptr ? t->ptr : (uintptr_t)buffer, end, sr, want, fsc;
	uint16_t mem = t->mem ? t->mem : USUAL;
	bool moved;
	unsigned int i;

	if (t->breaks[unit])
		breaks(t->breaks[unit]);
	for (i = 0; i < sizeof(buffer); i++)
		buffer[i] = 0xa5;
	control(unit, &c);
	mmu_page(0, t->stage ? t->stage : 1, t->kind);
	mmu_on(t->mmu);
	set_status(unit, 1, 0);
	start(unit, t, ptr);
	memset(recs, 0, sizeof(recs));
	run_at(spsr_of(t->e2b ? 1 : 2, 1) ^ t->pstate, prog_work);
	stop();
	mmu_on(false);
	sr = status(unit, 1);
	end = unit == SPE ? RD(PMBPTR_EL1) : RD(TRBPTR_EL1);
	set_status(unit, 1, 0);
	for (i = 0, moved = false; i < 64; i++)
		moved |= buffer[i] != 0xa5;
	want = t->fault ? t->fault | S | (unit == SPE ? 0 : V9_TRBSR_EL1_IRQ) : 0;
	fsc = GET(V9_TRBSR_EL1_MSS, sr);
	/* an abort may come late; see record.c */
	if ((t->fault & EA) && (sr & EA) && fsc == 0x11)
		return true;
	if (sr != want || moved == !!t->fault || (t->fault ? end != ptr : end == ptr)) {
		note("%s %s: status %lx, wanted %lx, pointer %lx", unit_name[unit], t->name, sr,
		     want, end);
		return false;
	}
	if (!t->fault && memory_type(unit) != mem) {
		note("%s %s: memory type %lx, wanted %lx", unit_name[unit], t->name,
		     (uint64_t)memory_type(unit), (uint64_t)mem);
		return false;
	}
	return true;
}

/*
 * The Access flag is set by the unit if the tables enable that and the ID register has the flag F.
 */
/* shows: TRBE-AT9 SPE-ME8 */
static void access_flag(unsigned int unit)
{
	struct place t = places[0];
	bool ok;

	t.name = "access_flag_managed";
	t.kind = PAGE_ACCESS_FLAG;
	mmu_manage(true);
	ok = one(unit, &t) && mmu_accessed();
	mmu_manage(false);
	result(ok, join(unit_name[unit], "_", t.name, NULL));
}

/* Writes to the buffer do not match watchpoints; the same store by a program does. */
/* shows: TRBE-FA6 SPE-ME9 */
static void watchpoint(unsigned int unit)
{
	struct place t = places[0];
	bool ok, control_ok;
	MSR(dbgwvr0_el1, BUF_VA);
	MSR(dbgwcr0_el1, 0xff << 5 | 3 << 3 | 3 << 1 | 1 | 1 << 13);
	MSR(mdscr_el1, BIT(15) | BIT(13));
	isb();
	t.name = "watchpoint";
	t.pstate = D;
	ok = one(unit, &t) && !recs[1].count && (highest == 2 || !recs[2].count);
	mmu_page(0, 1, PAGE_OK);
	mmu_on(true);
	memset(recs, 0, sizeof(recs));
	run_at(spsr_of(1, 1) ^ D, prog_store);
	control_ok = EC(recs[1].esr) == 0x35;
	mmu_on(false);
	MSR(dbgwcr0_el1, 0);
	MSR(mdscr_el1, 0);
	isb();
	result(ok, join(unit_name[unit], "_no_watchpoint", NULL));
	result(control_ok, join(unit_name[unit], "_no_watchpoint_but_for_programs", NULL));
}

/* Returns which pages of the buffer were written: a bit for each. */
static unsigned int written(unsigned int unit, const struct place *t, bool other_asid,
			    bool other_vmid)
{
	struct controls c = { .e2b = 3, .stage2 = t->stage2, .permit = 1, .pm = 1 };
	unsigned int i, pages = 0;

	for (i = 0; i < sizeof(buffer); i++)
		buffer[i] = 0xa5;
	control(unit, &c);
	mmu_page(0, 1, PAGE_OK);
	mmu_space(other_asid, other_vmid);
	mmu_on(true);
	set_status(unit, 1, 0);
	start(unit, t, BUF_VA);
	run(1, 1, prog_work);
	stop();
	mmu_on(false);
	mmu_space(false, false);
	for (i = 0; i < sizeof(buffer); i++)
		if (buffer[i] != 0xa5)
			pages |= 1u << i / PAGE;
	return status(unit, 1) ? ~0u : pages;
}

/* An owner EL1 uses the current address space. */
/* shows: TRBE-OW3 SPE-OW4 */
static void spaces(unsigned int unit)
{
	struct place one_stage = places[0], both = places[4];

	result(written(unit, &one_stage, false, false) == 1 &&
	       written(unit, &one_stage, true, false) == 4,
	       join(unit_name[unit], "_current_asid", NULL));
	result(written(unit, &both, false, false) == 1 &&
	       written(unit, &both, false, true) == 8,
	       join(unit_name[unit], "_current_vmid", NULL));
}

/* PAN restricts programs, but not a unit. */
static void pan(void)
{
	struct controls c = { .e2b = 3, .permit = 1 };

	control(TRBE, &c);
	mmu_page(0, 1, PAGE_USER);
	mmu_on(true);
	memset(recs, 0, sizeof(recs));
	run_at(spsr_of(1, 1) | PAN, prog_store);
	mmu_on(false);
	result(EC(recs[1].esr) == 0x25, "pan_forbids_programs");
}

/* shows: TRBE-OW4 SPE-OW5 TRBE-AT1 TRBE-AT2 TRBE-AT3 TRBE-AT5 TRBE-AT7 TRBE-AT8 */
/* shows: TRBE-FA5 SPE-PB6 SPE-PB8 SPE-PB9 SPE-PB11 SPE-PB12 SPE-PB13 SPE-PB18 SPE-PB20 */
void translation_suite(void)
{
	unsigned int i, u;

	suite("translation");
	for (u = 0; u < UNITS; u++) {
		for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
			if (places[i].e2h && highest < 3)
				continue;
			result(one(u, &places[i]),
			       join(unit_name[u], "_", places[i].name, NULL));
		}
		access_flag(u);
		watchpoint(u);
		spaces(u);
	}
	pan();
	plan();
}
