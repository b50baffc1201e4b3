// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes of the units to memory: memory type, repeated writes, translation tables and their
 * maintenance, external aborts.
 */
#include "tap.h"
#include "model_trace.h"
#include "private.h"

enum { TRBE, SPE, UNITS };

static const char *const units[] = { "trbe", "spe" };

/* A PE with both units; @delay: enum v9_delay. Not initialized */
static struct fk *pe(unsigned int delay)
{
	struct fk *f = tk_new();

	f->cfg.delay = delay;
	f->cfg.spe_nvm = true;
	return f;
}

/* Enables the buffer of @unit: @pages from @base; @mar: memory type if @nvm is 1 */
static void start(struct fk *f, unsigned int unit, uint64_t base, unsigned int pages, bool nvm,
		  uint64_t mar)
{
	uint64_t limit = base + pages * FK_PAGE;

	if (unit == TRBE) {
		MSR(f, TRBSR_EL1, 0);
		MSR(f, TRBTRG_EL1, 0);
		MSR(f, TRBBASER_EL1, base);
		MSR(f, TRBPTR_EL1, base);
		MSR(f, TRBMAR_EL1, mar);
		fk_sync(f, V9_SYNC_ISB);
		MSR(f, TRBLIMITR_EL1, limit | V9_TRBLIMITR_EL1_E |
		    (nvm ? V9_TRBLIMITR_EL1_nVM : 0));
		fk_sync(f, V9_SYNC_ISB);
		return;
	}
	MSR(f, PMBMAR_EL1, mar);
	fk_start(f, V9_PUT(V9_PMSIRR_EL1_INTERVAL, 1), pages, 0);
	MSR(f, PMSCR_EL1, 0);
	MSR(f, PMBLIMITR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
	MSR(f, PMBPTR_EL1, base);
	MSR(f, PMBLIMITR_EL1, limit | V9_PMBLIMITR_EL1_E | (nvm ? V9_PMBLIMITR_EL1_nVM : 0));
	fk_sync(f, V9_SYNC_ISB);
	MSR(f, PMSCR_EL1, V9_PMSCR_EL1_E1SPE);
	fk_sync(f, V9_SYNC_ISB);
}

/* A record of SPE, or as many bytes of trace */
static void feed(struct fk *f, unsigned int unit)
{
	uint8_t bytes[64] = { 0 };

	if (unit == TRBE) {
		v9_trbe_accept(f->m, bytes, sizeof(bytes));
		fk_sync(f, V9_SYNC_CSE);
	} else {
		fk_one(f, OP_NOP, 0);
	}
}

/* Flushes: all data is in memory, and the registers have their final values. */
static void drain(struct fk *f, unsigned int unit)
{
	if (unit == SPE)
		MSR(f, PMSCR_EL1, 0);
	fk_sync(f, V9_SYNC_ISB);
	fk_sync(f, unit == SPE ? V9_SYNC_PSB : V9_SYNC_TSB);
	fk_sync(f, V9_SYNC_DSB);
	fk_sync(f, V9_SYNC_ISB);
}

static uint64_t status(struct fk *f, unsigned int unit)
{
	return unit == TRBE ? MRS(f, TRBSR_EL1) : MRS(f, PMBSR_EL1);
}

static uint64_t pointer(struct fk *f, unsigned int unit)
{
	return unit == TRBE ? MRS(f, TRBPTR_EL1) : MRS(f, PMBPTR_EL1);
}

/* The memory type of writes, and the violation for it, which is logged once. */
/* shows: SPE-PB9 SPE-PB10 SPE-PB18 TRBE-AT2 TRBE-AT4 TRBE-AT12 */
static void types(void)
{
	static const struct {
		const char *name;
		bool nvm;
		uint16_t mar, tables, want;
		const char *noted[UNITS];
	} t[] = {
		{ "virtual", false, 0x000, 0x3ff, 0x3ff, { NULL, NULL } },
		{ "virtual_tagged", false, 0x000, 0x3f0, 0x3f0, { NULL, NULL } },
		{ "virtual_not_cached", false, 0x3ff, 0x244, 0x244, { NULL, NULL } },
		{ "virtual_device", false, 0x3ff, 0x204, 0x204, { "TRBE-AT12", "SPE-PB18" } },
		{ "nvm", true, 0x3ff, 0x204, 0x3ff, { NULL, NULL } },
		{ "nvm_outer_shareable", true, 0x277, 0x204, 0x277, { NULL, NULL } },
		{ "nvm_device", true, 0x20c, 0x3ff, 0x20c, { "TRBE-AT12", "SPE-PB18" } },
		{ "nvm_reserved_device", true, 0x202, 0x3ff, 0x202, { "TRBE-AT2", "SPE-PB9" } },
		{ "nvm_reserved_normal", true, 0x330, 0x3ff, 0x330, { "TRBE-AT2", "SPE-PB9" } },
		{ "nvm_reserved_sh", true, 0x1ff, 0x3ff, 0x1ff, { "TRBE-AT2", "SPE-PB9" } },
		{ "nvm_not_cached", true, 0x244, 0x3ff, 0x244, { "TRBE-AT4", "SPE-PB10" } },
		{ "nvm_write_through", true, 0x3bb, 0x3ff, 0x3bb, { "TRBE-AT4", "SPE-PB10" } },
		{ "nvm_cached_inside", true, 0x34f, 0x3ff, 0x34f, { "TRBE-AT4", "SPE-PB10" } },
		{ "nvm_not_shared", true, 0x0ff, 0x3ff, 0x0ff, { "TRBE-AT4", "SPE-PB10" } },
	};
	unsigned int i, u, k;

	for (u = 0; u < UNITS; u++)
		for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
			struct fk *f = pe(V9_DELAY_OFF);
			const char *rule = t[i].noted[u];

			fk_init(f);
			f->type = t[i].tables;
			start(f, u, FK_BASE, 2, t[i].nvm, t[i].mar);
			for (k = 0; k < 5; k++)
				feed(f, u);
			drain(f, u);
			tap_eq(f->stored_as[0], t[i].want, "%s_%s", units[u], t[i].name);
			tap_eq(v9_model_memory(f->m) >> (u == SPE ? 16 : 0) & 0xffff, t[i].want,
			       "%s_%s_is_reported", units[u], t[i].name);
			tap_ok(f->nviolations == !!rule &&
			       (!rule || !strcmp(f->violation.rule, rule)),
			       "%s_%s_log", units[u], t[i].name);
			fk_free(f);
		}
}

/* Device memory: each byte is written once, and only with data. */
/* shows: SPE-PB18 TRBE-AT12 */
static void device_once(void)
{
	unsigned int u, delay, i;

	for (u = 0; u < UNITS; u++)
		for (delay = V9_DELAY_OFF; delay <= V9_DELAY_RANDOM; delay++) {
			struct fk *f = pe(delay);
			unsigned int bad = 0;
			uint64_t end;

			fk_init(f);
			f->type = 0x200;
			start(f, u, FK_BASE, 2, false, 0);
			for (i = 0; i < 40; i++) {
				feed(f, u);
				if (i % 7 == 6) {	/* barriers, as a reader has them */
					fk_sync(f, V9_SYNC_PSB);
					fk_sync(f, V9_SYNC_TSB);
					fk_sync(f, V9_SYNC_DSB);
				}
			}
			drain(f, u);
			end = pointer(f, u) - FK_BASE;
			for (i = 0; i < FK_SIZE; i++)
				bad += f->times[i] != (i < end);
			tap_ok(end == 40 * 64 && !bad, "%s_device_once_delay%u", units[u], delay);
			fk_free(f);
		}
}

/*
 * A write across the boundary of pages with different memory types. In the model each part has the
 * type of its page, which the architecture allows.
 */
/* shows: SPE-PB21 TRBE-AT12 */
static void two_types(void)
{
	unsigned int u;

	for (u = 0; u < UNITS; u++) {
		struct fk *f = pe(V9_DELAY_OFF);
		uint64_t end;

		f->cfg.align = 0;
		fk_init(f);
		f->type_of[1] = 0x200;
		start(f, u, FK_BASE, 2, false, 0);
		if (u == TRBE) {
			MSR(f, TRBLIMITR_EL1, 0);
			fk_sync(f, V9_SYNC_ISB);
			MSR(f, TRBPTR_EL1, FK_BASE + FK_PAGE - 16);
			MSR(f, TRBLIMITR_EL1, (FK_BASE + 2 * FK_PAGE) | 1);
		} else {
			MSR(f, PMBLIMITR_EL1, 0);
			fk_sync(f, V9_SYNC_ISB);
			MSR(f, PMBPTR_EL1, FK_BASE + FK_PAGE - 16);
			MSR(f, PMBLIMITR_EL1, (FK_BASE + 2 * FK_PAGE) | 1);
		}
		fk_sync(f, V9_SYNC_ISB);
		feed(f, u);
		drain(f, u);
		end = pointer(f, u) - FK_BASE;
		tap_ok(end > FK_PAGE && f->times[FK_PAGE - 16] == 1 && f->times[FK_PAGE] == 1 &&
		       f->times[end - 1] == 1 && !f->times[end] && !status(f, u),
		       "%s_across_types_is_written", units[u]);
		tap_ok(f->stored_as[0] == 0x3ff && f->stored_as[1] == 0x200,
		       "%s_across_types_each_its_own", units[u]);
		fk_free(f);
	}
}

/* Address bits that no table can hold fault or are ignored. Bits that a table can hold fault. */
/* shows: SPE-PB11 SPE-PB12 TRBE-AT5 TRBE-AT6 */
static void high_bits(void)
{
	static const struct {
		const char *name;
		uint8_t oa_bits;
		bool ignore, nvm;
		uint64_t bit;
		bool fault;
		const char *noted[UNITS];
	} t[] = {
		{ "no_table_has_fault", 0, false, true, V9_BIT(52), true,
		  { "TRBE-AT6", "SPE-PB12" } },
		{ "no_table_has_ignored", 0, true, true, V9_BIT(52), false,
		  { "TRBE-AT6", "SPE-PB12" } },
		{ "tables_have_fault", 52, false, true, V9_BIT(50), true, { NULL, NULL } },
		{ "tables_have_not_ignored", 52, true, true, V9_BIT(50), true, { NULL, NULL } },
		{ "both_fault", 52, true, true, V9_BIT(52) | V9_BIT(50), true,
		  { "TRBE-AT6", "SPE-PB12" } },
		{ "none", 52, true, true, 0, false, { NULL, NULL } },
	};
	unsigned int i, u;

	for (u = 0; u < UNITS; u++)
		for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
			uint64_t base = FK_BASE | t[i].bit, want = 0;
			struct fk *f = pe(V9_DELAY_OFF);
			const char *rule = t[i].noted[u];

			f->cfg.oa_bits = t[i].oa_bits;
			f->cfg.oa_ignore = t[i].ignore;
			fk_init(f);
			start(f, u, base, 2, true, 0x3ff);
			feed(f, u);
			drain(f, u);
			if (t[i].fault)
				want = V9_PUT(V9_TRBSR_EL1_EC, V9_TRBSR_EL1_EC_STAGE_1_ABORT) |
				       V9_TRBSR_EL1_S | (u == TRBE ? V9_TRBSR_EL1_IRQ : 0);
			tap_ok(status(f, u) == want && f->touched[0] == !t[i].fault &&
			       pointer(f, u) == base + (t[i].fault ? 0 : 64),
			       "%s_%s", units[u], t[i].name);
			tap_ok(f->nviolations == !!rule &&
			       (!rule || !strcmp(f->violation.rule, rule)),
			       "%s_%s_log", units[u], t[i].name);
			fk_free(f);
		}
	for (i = 0; i < 2; i++) {
		struct fk *f = pe(V9_DELAY_OFF);

		f->cfg.oa_bits = i ? 50 : 48;
		f->cfg.pa_bits = i ? 48 : 52;
		tap_eq(fk_init(f), -EINVAL, i ? "no_such_size_is_refused" :
		       "less_than_physical_is_refused");
		fk_free(f);
	}
}

/* A walk updates the tables only if the ID register has the flag F. */
/* shows: TRBE-AT9 TRBE-AT18 */
static void managed(void)
{
	unsigned int u, on;

	for (u = 0; u < UNITS; u++)
		for (on = 0; on < 2; on++) {
			struct fk *f = pe(V9_DELAY_OFF);

			f->cfg.f = f->cfg.trbe_f = on;
			fk_init(f);
			start(f, u, FK_BASE, 2, false, 0);
			feed(f, u);
			tap_eq(u == TRBE ? !!(MRS(f, TRBIDR_EL1) & V9_TRBIDR_EL1_F) :
			       !!(MRS(f, PMBIDR_EL1) & V9_PMBIDR_EL1_F), on,
			       "%s_flag_f_managed%u", units[u], on);
			tap_ok(f->walked[0] == on && f->last.fixed == !on, "%s_managed%u", units[u],
			       on);
			fk_free(f);
		}
}

/* The next page may become dirty before a write to it, or without one. */
/* shows: TRBE-AT10 */
static void ahead(void)
{
	static const struct {
		const char *name;
		bool ahead, f, nvm;
		unsigned int pages, from, want;		/* page that is walked, 99: none */
	} t[] = {
		{ "ahead", true, true, false, 3, 0, 1 },
		{ "ahead_of_the_last_is_the_first", true, true, false, 3, 2, 0 },
		{ "ahead_of_the_only_one", true, true, false, 1, 0, 99 },
		{ "not_ahead", false, true, false, 3, 0, 99 },
		{ "ahead_but_not_managed", true, false, false, 3, 0, 99 },
		{ "ahead_without_tables", true, true, true, 3, 0, 99 },
	};
	unsigned int i, k;
	struct fk *f;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		unsigned int bad = 0;

		f = pe(V9_DELAY_OFF);
		f->cfg.trbe_ahead = t[i].ahead;
		f->cfg.trbe_f = t[i].f;
		fk_init(f);
		start(f, TRBE, FK_BASE, t[i].pages, t[i].nvm, 0x3ff);
		if (t[i].from) {
			MSR(f, TRBLIMITR_EL1, 0);
			fk_sync(f, V9_SYNC_ISB);
			MSR(f, TRBPTR_EL1, FK_BASE + t[i].from * FK_PAGE);
			MSR(f, TRBLIMITR_EL1, (FK_BASE + t[i].pages * FK_PAGE) | 1);
			fk_sync(f, V9_SYNC_ISB);
		}
		feed(f, TRBE);
		for (k = 0; k < FK_PAGES; k++)
			if (k != t[i].from)
				bad += f->walked[k] != (k == t[i].want);
		tap_ok(!bad, "%s", t[i].name);
		tap_ok(!status(f, TRBE) &&
		       pointer(f, TRBE) == FK_BASE + t[i].from * FK_PAGE + 64,
		       "%s_writes_nothing_else", t[i].name);
		fk_free(f);
	}

	/* an unmapped next page does not fault before a write to it */
	f = pe(V9_DELAY_OFF);
	f->cfg.trbe_ahead = true;
	f->page[1] = (struct fk_page){ .kind = FK_FAULT, .stage = 1, .fsc = 7 };
	fk_init(f);
	start(f, TRBE, FK_BASE, 3, false, 0);
	for (i = 0; i < FK_PAGE / 64; i++)
		feed(f, TRBE);
	tap_eq(status(f, TRBE), 0, "ahead_of_a_fault_is_none");
	feed(f, TRBE);
	tap_ok((status(f, TRBE) & V9_TRBSR_EL1_S) && pointer(f, TRBE) == FK_BASE + FK_PAGE,
	       "the_fault_comes_with_the_write");
	fk_free(f);
}

/* An external abort that is not reported to the unit: it continues. */
/* shows: TRBE-EA1 TRBE-EA4 TRBE-EA5 TRBE-EA6 */
static void unreported(void)
{
	static const struct {
		const char *name;
		uint8_t ea, id;
	} t[] = {
		{ "reported", V9_TRBE_EA_REPORTED, 0 },
		{ "ignored", V9_TRBE_EA_IGNORED, 1 },
		{ "serror", V9_TRBE_EA_SERROR, 2 },
	};
	unsigned int i, delay;

	for (delay = V9_DELAY_OFF; delay <= V9_DELAY_MAX; delay++)
		for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
			bool reported = t[i].ea == V9_TRBE_EA_REPORTED;
			struct fk *f = pe(delay);
			unsigned int k;

			f->cfg.trbe_ea = t[i].ea;
			f->page[0].kind = FK_ABORT;
			fk_init(f);
			start(f, TRBE, FK_BASE, 2, false, 0);
			for (k = 0; k < FK_PAGE / 64 + 3; k++)
				feed(f, TRBE);
			drain(f, TRBE);
			tap_eq(V9_GET(V9_TRBIDR_EL1_EA, MRS(f, TRBIDR_EL1)), t[i].id,
			       "abort_%s_in_trbidr_delay%u", t[i].name, delay);
			tap_eq(!!(status(f, TRBE) & V9_TRBSR_EL1_EA), reported,
			       "abort_%s_status_delay%u", t[i].name, delay);
			tap_eq(f->serrors > 0, t[i].ea == V9_TRBE_EA_SERROR,
			       "abort_%s_exception_delay%u", t[i].name, delay);
			if (!reported)
				tap_ok(!status(f, TRBE) && f->touched[FK_PAGE + 3 * 64 - 1] &&
				       pointer(f, TRBE) == FK_BASE + FK_PAGE + 3 * 64,
				       "abort_%s_continues_delay%u", t[i].name, delay);
			fk_free(f);
			/* ... but an abort on a walk is a translation fault */
			f = pe(delay);
			f->cfg.trbe_ea = t[i].ea;
			f->page[0] = (struct fk_page){ .kind = FK_WALK_ABORT, .stage = 1,
						       .fsc = V9_TRBSR_EL1_FSC_EXTERNAL_WALK_L3 };
			fk_init(f);
			start(f, TRBE, FK_BASE, 2, false, 0);
			feed(f, TRBE);
			drain(f, TRBE);
			tap_ok((status(f, TRBE) & V9_TRBSR_EL1_S) && pointer(f, TRBE) == FK_BASE &&
			       !f->serrors, "abort_%s_of_a_walk_delay%u", t[i].name, delay);
			fk_free(f);
		}
}

/*
 * TLB maintenance by another PE completes without a barrier of this one: translated data is in
 * memory, and no later write uses the old tables.
 */
/* shows: SPE-PB23 TRBE-AT14 */
static void maintenance_elsewhere(void)
{
	unsigned int u, i, tlbi;

	for (u = 0; u < UNITS; u++)
		for (tlbi = 0; tlbi < 2; tlbi++) {
			struct fk *f = pe(V9_DELAY_MAX);
			unsigned int behind = 0, bytes = 0, late = 0;
			uint64_t ptr;

			fk_init(f);
			start(f, u, FK_BASE, 8, false, 0);
			for (i = 0; i < 5; i++)
				feed(f, u);
			/* translated, and visible in the pointer, but no DSB */
			fk_sync(f, V9_SYNC_ISB);
			fk_sync(f, u == SPE ? V9_SYNC_PSB : V9_SYNC_TSB);
			fk_sync(f, V9_SYNC_ISB);
			ptr = pointer(f, u) - FK_BASE;
			memset(f->touched, 0, sizeof(f->touched));
			f->moved = 8 * FK_PAGE;
			if (tlbi)
				fk_sync(f, V9_SYNC_TLBI_OTHER);
			for (i = 0; i < ptr; i++)
				bytes += f->touched[i];
			feed(f, u);
			drain(f, u);
			for (i = ptr; i < FK_PAGE; i++)
				behind += f->touched[i];
			for (i = 0; i < FK_PAGE; i++)
				late += f->touched[8 * FK_PAGE + i];
			tap_ok(ptr && bytes == (tlbi ? ptr : 0), "%s_old_page_%s", units[u],
			       tlbi ? "is_written_before" : "may_wait_without");
			/* the model caches no translation of SPE */
			if (tlbi || u == TRBE)
				tap_ok(!!late == tlbi && !!behind == !tlbi, "%s_%s", units[u],
				       tlbi ? "new_page_from_then_on" : "old_page_without");
			fk_free(f);
		}
}

/* While the PE itself uses the unit, TRBMPAM_EL1 is only storage and has no effect. */
/* shows: TRBE-MP2 */
static void partition(void)
{
	uint8_t mem[2][FK_PAGE];
	unsigned int i, k;

	for (i = 0; i < 2; i++) {
		struct fk *f = pe(V9_DELAY_OFF);

		f->cfg.trbe_mpam = i;
		fk_init(f);
		tap_eq(v9_reg_access(f->m, fk_reg(V9_SYS_TRBMPAM_EL1), true),
		       i ? V9_ACCESS_OK : V9_ACCESS_UNDEF, "partition_register%u", i);
		tap_eq(MRS(f, TRBIDR_EL1) >> 12 & 15, 2 * i, "partition_is_reported%u", i);
		if (i) {
			MSR(f, TRBMPAM_EL1, ~UINT64_C(0));
			fk_sync(f, V9_SYNC_ISB);
			tap_eq(MRS(f, TRBMPAM_EL1), 0x7ffffff, "partition_reads_back");
		}
		start(f, TRBE, FK_BASE, 2, false, 0);
		for (k = 0; k < 20; k++)
			feed(f, TRBE);
		drain(f, TRBE);
		memcpy(mem[i], f->mem, sizeof(mem[i]));
		tap_ok(!status(f, TRBE) && pointer(f, TRBE) == FK_BASE + 20 * 64,
		       "partition_changes_no_pointer%u", i);
		fk_free(f);
	}
	tap_ok(!memcmp(mem[0], mem[1], sizeof(mem[0])), "partition_changes_no_byte");
}

int main(void)
{
	types();
	device_once();
	two_types();
	high_bits();
	managed();
	ahead();
	unreported();
	maintenance_elsewhere();
	partition();
	return tap_done();
}
