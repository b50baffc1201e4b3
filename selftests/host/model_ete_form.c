// SPDX-License-Identifier: GPL-2.0-only
/*
 * Choices of the model's trace unit, as bytes typed from D5.3: the longest packets for the same elements, Source
 * Address elements, Timestamp Markers, Timestamp elements that come late.
 */
#include "tap.h"
#include "model_trace.h"

#define ASYNC 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80
#define AT_1000 0x82, 0x00, 0x08, 0x00, 0x00, 0x31	/* Target Address with Context: EL1 */
#define BEGIN ASYNC, 0x01, 0x00, 0x04, AT_1000
/* In the longest packets: a 64-bit address; a Context with both identifiers, of EL1 */
#define LONG_AT(low, high) 0x9d, low, high, 0, 0, 0, 0, 0, 0
#define LONG_CONTEXT 0x81, 0xf1, 0, 0, 0, 0, 0, 0, 0, 0
#define LONG_BEGIN(info, threshold) \
	ASYNC, 0x01, 0x0d, info, 0x00, threshold, 0x04, LONG_AT(0x00, 0x08), LONG_CONTEXT

static struct fk *unit(unsigned int packets)
{
	struct fk *f = tk_new();

	f->cfg.packets = packets;
	return f;
}

static void start(struct fk *f, uint64_t config)
{
	tk_setup(f, config);
	MSR(f, TRCCCCTLR, 8);
	tk_go(f, 0x1000);
}

static void not_taken(struct fk *f)
{
	tk_p0(f, TK_A64_BEQ(f->pc, 0x3000), 0, f->pc + 4);
}

/* shows: ETE-R_RFYPT */
static void ids(void)
{
	struct fk *f = unit(V9_PACKETS_SHORTEST);

	start(f, 0);
	tap_eq(MRS(f, TRCIDR0) >> 23 & 1, 0, "no_markers_in_trcidr0");
	tap_eq(MRS(f, TRCDEVARCH), 0x47705a13, "etev1p0_without_markers");
	f->cfg.tsmark = true;
	start(f, 0);
	tap_eq(MRS(f, TRCIDR0) >> 23 & 1, 1, "markers_in_trcidr0");
	tap_eq(MRS(f, TRCDEVARCH), 0x47715a13, "etev1p1_with_markers");
	f->cfg.packets = V9_PACKETS_LONGEST + 1;
	tap_eq(tk_init(f), -EINVAL, "unknown_choice_is_refused");
	fk_free(f);
}

/* shows: ETE-R_BPRDC ETE-I_MDZJL */
static void longest(void)
{
	struct fk *f = unit(V9_PACKETS_LONGEST);

	start(f, 0);
	not_taken(f);
	tk_b(f, 0x1000);
	tk_p0(f, TK_BR, 0, 0x2000);
	not_taken(f);
	TK_IS(f, "addresses_contexts_and_atoms", LONG_BEGIN(0x00, 0x00), 0xf6, 0xf7, 0xf7,
	      LONG_AT(0x00, 0x10), 0xf6);

	f = unit(V9_PACKETS_LONGEST);
	start(f, 0);
	not_taken(f);
	tk_irq(f, 1, 0x1800);
	not_taken(f);
	TK_IS(f, "exception_address_and_context", LONG_BEGIN(0x00, 0x00), 0xf6, 0x06, 0x1d,
	      LONG_AT(0x01, 0x08), LONG_AT(0x00, 0x0c), LONG_CONTEXT, 0xf6);

	/* ISB: the context follows it once more */
	f = unit(V9_PACKETS_LONGEST);
	start(f, 0);
	tk_p0(f, TK_ISB, 0, 0x1004);
	not_taken(f);
	TK_IS(f, "context_behind_isb", LONG_BEGIN(0x00, 0x00), 0xf7, LONG_CONTEXT, 0xf6);

	f = unit(V9_PACKETS_LONGEST);
	f->cfg.q_supp = 1;
	f->cfg.q_blocks = 2;
	start(f, V9_PUT(V9_TRCCONFIGR_QE, V9_TRCCONFIGR_QE_WITH_COUNT));
	not_taken(f);
	not_taken(f);
	TK_IS(f, "q_with_32_bits", LONG_BEGIN(0x00, 0x00), 0xaa, 0x02, 0x08, 0x00, 0x00, 0x02);
}

/* shows: ETE-R_JMLLY ETE-R_KJNMB */
static void longest_counts(void)
{
	struct fk *f = unit(V9_PACKETS_LONGEST);

	start(f, V9_TRCCONFIGR_CCI);
	tk_b(f, 0x1000);
	tk_run(f, 9);
	tk_b(f, 0x1000);		/* 10 cycles: 2 more than the threshold */
	TK_IS(f, "cycles_of_format_1_1", LONG_BEGIN(0x01, 0x08), 0xf7, 0x0f, 0xf7, 0x0e, 0x02);

	/* the second one commits the first one by itself, so the Cycle Count says 0 */
	f = unit(V9_PACKETS_LONGEST);
	f->cfg.maxspec = 1;
	f->cfg.commopt = false;
	f->cfg.spec_what = 0;
	f->cfg.spec_wrong = 0;
	start(f, V9_TRCCONFIGR_CCI);
	tk_b(f, 0x1000);
	tk_b(f, 0x1000);
	tk_run(f, 9);
	tk_b(f, 0x1000);
	TK_IS(f, "cycles_of_format_1_0", LONG_BEGIN(0x01, 0x08), 0xf7, 0xf7, 0x0f, 0x00, 0xf7, 0x0e, 0x00,
	      0x02, 0x2d, 0x01);

	f = unit(V9_PACKETS_LONGEST);
	start(f, V9_TRCCONFIGR_TS);
	tk_b(f, 0x1000);
	tk_b(f, 0x1000);
	TK_IS(f, "timestamp_of_9_bytes", LONG_BEGIN(0x00, 0x00), 0xf7, 0x02, 0xe8, 0x87, 0x80, 0x80, 0x80,
	      0x80, 0x80, 0x80, 0x00, 0xf7);
}

/* shows: ETE-R_NZTGQ ETE-I_DJTGL ETE-R_LMHFW ETE-R_BPRDC */
static void sources(void)
{
	struct fk *f = unit(V9_PACKETS_SHORTEST);

	f->cfg.source = 1;
	start(f, 0);
	not_taken(f);
	not_taken(f);
	tk_b(f, 0x2000);
	tk_b(f, 0x2000);
	tk_b(f, 0x1008);
	not_taken(f);
	tap_ok(tk.npc > 1 && tk.pc[1][0] == 0x1000 && tk.pc[1][1] == 0x100c, "one_range_up_to_the_taken_branch");
	TK_IS(f, "source_short_and_exact", BEGIN, 0xb4, 0x02, 0xb4, 0x80, 0x10, 0xb0, 0xf6);

	f = unit(V9_PACKETS_LONGEST);
	f->cfg.source = 1;
	start(f, 0);
	tk_b(f, 0x1000);
	TK_IS(f, "source_of_64_bits", LONG_BEGIN(0x00, 0x00), 0xb8, 0x00, 0x08, 0, 0, 0, 0, 0, 0);

	/* branches before an exception have their atoms */
	f = unit(V9_PACKETS_SHORTEST);
	f->cfg.source = 1;
	start(f, 0);
	not_taken(f);
	not_taken(f);
	tk_irq(f, 1, 0x1800);
	TK_IS(f, "atoms_before_an_exception", BEGIN, 0xd8, 0x06, 0x1d, 0x95, 0x02);

	/* a call and its return, by the return stack; a branch to a register has its target */
	f = unit(V9_PACKETS_SHORTEST);
	f->cfg.source = 1;
	start(f, V9_TRCCONFIGR_RS);
	tk_p0(f, TK_A64_BL(0x1000, 0x1080), 0, 0x1080);
	tk_p0(f, TK_RET, 0, 0x1004);
	tk_p0(f, TK_BR, 0, 0x1100);
	not_taken(f);
	TK_IS(f, "source_pushes_and_pops", BEGIN, 0xb0, 0xb4, 0x20, 0xb4, 0x01, 0x95, 0x40, 0xf6);
}

/* shows: ETE-R_RFYPT ETE-R_DGTJZ ETE-R_RMSVV ETE-R_DCRVK */
static void late(void)
{
	struct fk *f = unit(V9_PACKETS_SHORTEST);

	/* the clock shows 0x3e8 at the first atom, and one more at the next */
	f->cfg.late = 1;
	start(f, V9_TRCCONFIGR_TS);
	tk_b(f, 0x1000);
	tk_b(f, 0x1000);
	TK_IS(f, "time_of_the_last_atom", BEGIN, 0xdb, 0x02, 0xe9, 0x07);

	f = unit(V9_PACKETS_SHORTEST);
	f->cfg.late = 1;
	f->cfg.tsmark = true;
	start(f, V9_TRCCONFIGR_TS);
	tk_b(f, 0x1000);
	tk_b(f, 0x1000);
	TK_IS(f, "time_of_the_marked_atom", BEGIN, 0xf7, 0x88, 0xf7, 0x02, 0xe8, 0x07);

	/* in time, with its marker */
	f = unit(V9_PACKETS_SHORTEST);
	f->cfg.tsmark = true;
	start(f, V9_TRCCONFIGR_TS);
	tk_b(f, 0x1000);
	tk_b(f, 0x1000);
	TK_IS(f, "marker_of_each_timestamp", BEGIN, 0xf7, 0x88, 0x02, 0xe8, 0x07, 0xf7);

	/* the cycles are those of the marked atom: 3, of which the second atom has 2 more */
	f = unit(V9_PACKETS_SHORTEST);
	f->cfg.late = 1;
	start(f, V9_TRCCONFIGR_TS | V9_TRCCONFIGR_CCI);
	tk_b(f, 0x1000);
	tk_run(f, 2);
	tk_b(f, 0x1000);
	tk_run(f, 1);
	tk_b(f, 0x1000);
	TK_IS(f, "cycles_of_the_last_atom", ASYNC, 0x01, 0x09, 0x01, 0x08, 0x04, AT_1000, 0xf7, 0x0f, 0xdb,
	      0x03, 0xea, 0x07, 0x05);
}

int main(void)
{
	ids();
	longest();
	longest_counts();
	sources();
	late();
	return tap_done();
}
