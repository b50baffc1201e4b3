// SPDX-License-Identifier: GPL-2.0-only
/*
 * Q elements of the model's trace unit: bytes typed from D5.3.44 to 48. Each Q element implies a given number
 * of blocks, where it is permitted.
 */
#include "tap.h"
#include "model_trace.h"

#define ASYNC 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80
#define AT_1000 0x82, 0x00, 0x08, 0x00, 0x00, 0x31	/* Target Address with Context: EL1 */
#define AT_2000 0x82, 0x00, 0x10, 0x00, 0x00, 0x31
#define BEGIN ASYNC, 0x01, 0x00, 0x04, AT_1000

#define WITH_COUNT V9_PUT(V9_TRCCONFIGR_QE, V9_TRCCONFIGR_QE_WITH_COUNT)
#define ALL V9_PUT(V9_TRCCONFIGR_QE, V9_TRCCONFIGR_QE_ALL)

/* The unit, not enabled. @blocks: of each Q element. @qctl: TRCQCTLR; the ranges 0 and 1 are of one block */
static struct fk *unit(unsigned int supp, int blocks, uint64_t config, uint64_t qctl)
{
	struct fk *f = tk_new();
	unsigned int i;

	f->cfg.q_supp = supp;
	f->cfg.q_filter = true;
	f->cfg.q_blocks = blocks;
	tk_setup(f, config);
	MSR(f, TRCQCTLR, qctl);
	for (i = 0; i < 8; i += 2) {
		fk_msr(f, V9_SYS_TRCACVR(i), 0x1000);
		fk_msr(f, V9_SYS_TRCACVR(i + 1), 0x100b);
	}
	return f;
}

static struct fk *started(unsigned int supp, int blocks, uint64_t config, uint64_t qctl)
{
	struct fk *f = unit(supp, blocks, config, qctl);

	tk_go(f, 0x1000);
	return f;
}

static void not_taken(struct fk *f)
{
	tk_p0(f, TK_A64_BEQ(f->pc, 0x3000), 0, f->pc + 4);
}

/* shows: ETE-R_SGFHP */
static void ids(void)
{
	struct fk *f = unit(2, 0, 0, 0);

	tap_eq(MRS(f, TRCIDR0) >> 14 & 7, 5, "qsupp_and_qfilt_in_trcidr0");
	f->cfg.q_filter = false;
	f->cfg.q_supp = 0;
	tk_init(f);
	tap_eq(MRS(f, TRCIDR0) >> 14 & 7, 0, "no_q_elements_in_trcidr0");
	f->cfg.q_filter = true;
	tap_eq(tk_init(f), -EINVAL, "filter_needs_q_elements");
	f->cfg.q_filter = false;
	f->cfg.q_supp = 4;
	tap_eq(tk_init(f), -EINVAL, "qsupp_has_two_bits");
	fk_free(f);
}

/* The values of QE that the manual permits beside each QSUPP. shows: ETE-R_SGFHP */
static void values(void)
{
	static const struct {
		uint8_t supp, qe;
		bool bb, ok;
	} t[] = {
		{ 1, 0, true, true }, { 1, 1, false, true }, { 1, 2, false, false },
		{ 1, 3, false, false }, { 2, 1, false, false }, { 2, 2, false, false },
		{ 2, 3, false, true }, { 3, 1, false, true }, { 3, 2, false, false },
		{ 3, 3, false, true }, { 3, 1, true, false }, { 3, 3, true, false },
	};
	unsigned int i, bad = 0;

	for (i = 0; i < V9_ARRAY_SIZE(t); i++) {
		struct fk *f = unit(t[i].supp, 0, (uint64_t)t[i].qe << 13 | t[i].bb << 3, 0);

		tk_enable(f);
		if (!f->nviolations != t[i].ok) {
			tap_note("QSUPP %u, QE %u, BB %u", t[i].supp, t[i].qe, t[i].bb);
			bad++;
		}
		fk_free(f);
	}
	tap_eq(bad, 0, "reserved_values_are_violations");
}

/* shows: ETE-R_FZTZP ETE-R_XWBMW ETE-R_BPRDC */
static void packets(void)
{
	struct fk *f = started(1, 2, WITH_COUNT, 0);

	not_taken(f);
	not_taken(f);
	TK_IS(f, "short_address", BEGIN, 0xa5, 0x02, 0x02);

	f = started(1, 2, WITH_COUNT, 0);
	tk_run(f, 2);
	tk_b(f, 0x1300);
	tk_b(f, 0x3300);
	TK_IS(f, "short_address_of_two_bytes", BEGIN, 0xa5, 0xc0, 0x19, 0x04);

	f = started(1, 2, WITH_COUNT, 0);
	not_taken(f);
	tk_b(f, 0x1000);
	TK_IS(f, "exact_match", BEGIN, 0xa0, 0x02);

	f = started(1, 1, WITH_COUNT, 0);
	tk_p0(f, TK_BR, 0, 0x12341000);
	tk_run(f, 1);
	TK_IS(f, "address_of_32_bits", BEGIN, 0xaa, 0x00, 0x08, 0x34, 0x12, 0x01);

	/* no packet of a Q element has 64 bits: a Target Address follows */
	f = started(1, 1, WITH_COUNT, 0);
	tk_p0(f, TK_BR, 0, UINT64_C(0xffff000000001000));
	tk_run(f, 1);
	TK_IS(f, "count_and_target_address", BEGIN, 0xac, 0x01,
	      0x9d, 0x00, 0x08, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff);

	f = started(1, 1, WITH_COUNT, 0);
	tk_run(f, 199);
	tk_b(f, 0x1000);
	TK_IS(f, "count_of_two_bytes", BEGIN, 0xa0, 0xc8, 0x01);

	f = started(2, 2, ALL, 0);
	not_taken(f);
	not_taken(f);
	TK_IS(f, "no_count", BEGIN, 0xaf, 0x95, 0x02);

	/* with QE 01 all have counts; without QE there are none */
	f = started(3, 2, WITH_COUNT, 0);
	not_taken(f);
	not_taken(f);
	TK_IS(f, "counts_if_qe_says_so", BEGIN, 0xa5, 0x02, 0x02);
	f = started(3, 2, 0, 0);
	not_taken(f);
	not_taken(f);
	TK_IS(f, "none_if_not_enabled", BEGIN, 0xd8);
}

/* A unit whose Q elements can end with an exception return */
static struct fk *ends_with_erets(void)
{
	struct fk *f = unit(1, 10, WITH_COUNT, 0);

	f->cfg.q_eret = true;
	tk_init(f);
	tk_setup(f, WITH_COUNT);
	MSR(f, TRCQCTLR, 0);
	tk_go(f, 0x1000);
	return f;
}

/* Elements that end a Q element. shows: ETE-R_XWBMW ETE-R_FZTZP */
static void ends(void)
{
	struct fk *f = started(1, 10, WITH_COUNT, 0);

	not_taken(f);
	tk_run(f, 1);
	tk_irq(f, 1, 0x1800);
	TK_IS(f, "exception_has_an_element", BEGIN, 0xa5, 0x01, 0x01, 0x06, 0x1d, 0x95, 0x02);

	f = started(1, 10, WITH_COUNT, 0);
	not_taken(f);
	tk_eret(f, 0x1000, 1);
	tk_run(f, 1);
	TK_IS(f, "exception_return_has_an_atom", BEGIN, 0xa5, 0x01, 0x01, 0xf7);

	/* R_KPNGG: or it is the last instruction of the Q element. R_LZLDH: the new context follows */
	f = ends_with_erets();
	not_taken(f);
	tk_run(f, 1);
	tk_eret(f, 0x1000, 1);
	not_taken(f);
	TK_IS(f, "exception_return_is_the_last_one", BEGIN, 0xa0, 0x03, 0xa5, 0x01, 0x01);

	f = ends_with_erets();
	not_taken(f);
	tk_eret(f, 0x2000, 0);
	not_taken(f);
	TK_IS(f, "context_behind_an_exception_return", BEGIN, 0xa5, 0x80, 0x10, 0x02, 0x81, 0x30, 0xa5, 0x01, 0x01);

	/* to where nothing is traced, it has an Atom: there is no address */
	f = ends_with_erets();
	MSR(f, TRFCR_EL1, V9_TRFCR_EL1_E1TRE);
	fk_sync(f, V9_SYNC_ISB);
	not_taken(f);
	tk_eret(f, 0x2000, 0);
	not_taken(f);
	TK_IS(f, "exception_return_to_nothing_has_an_atom", BEGIN, 0xa5, 0x01, 0x01, 0xf7);

	f = started(1, 10, WITH_COUNT, 0);
	not_taken(f);
	tk_p0(f, TK_ISB, 0, 0x1008);
	not_taken(f);
	TK_IS(f, "isb_is_the_last_one", BEGIN, 0xa5, 0x02, 0x02, 0xa5, 0x03, 0x01);

	/* the context changes at an ISB: it follows the address */
	f = unit(1, 10, WITH_COUNT | V9_TRCCONFIGR_CID, 0);
	f->pe.contextidr_el1 = 1;
	tk_go(f, 0x1000);
	not_taken(f);
	f->pe.contextidr_el1 = 2;
	tk_p0(f, TK_ISB, 0, 0x1008);
	not_taken(f);
	TK_IS(f, "context_behind_the_address", ASYNC, 0x01, 0x00, 0x04,
	      0x82, 0x00, 0x08, 0x00, 0x00, 0xb1, 0x01, 0x00, 0x00, 0x00,
	      0xa5, 0x02, 0x02, 0x81, 0xb1, 0x02, 0x00, 0x00, 0x00, 0xa5, 0x03, 0x01);
}

/* shows: ETE-R_FPHFM ETE-R_DTWYZ ETE-R_GVLKJ */
static void regions(void)
{
	struct fk *f = started(1, 10, WITH_COUNT, 0x101);

	/* the branch at 1010 is outside, and so is that at 2000, which enters the region */
	tk_run(f, 4);
	tk_b(f, 0x2000);
	tk_b(f, 0x1000);
	tk_run(f, 2);
	tk_b(f, 0x2000);
	tk_b(f, 0x2000);
	TK_IS(f, "included_range", BEGIN, 0xa5, 0x03, 0x03, 0xdb, 0xa5, 0x80, 0x10, 0x03, 0xf7);

	f = started(1, 10, WITH_COUNT, 0x001);
	tk_run(f, 2);
	tk_b(f, 0x2000);
	tk_run(f, 1);
	tk_b(f, 0x1000);
	tk_run(f, 2);
	tk_b(f, 0x2000);
	TK_IS(f, "excluded_range", BEGIN, 0xf7, 0xa0, 0x02, 0xf7);

	f = started(1, 10, WITH_COUNT, 0x100);
	not_taken(f);
	TK_IS(f, "included_nothing", BEGIN, 0xf6);
	f = started(1, 10, WITH_COUNT, 0x000);
	not_taken(f);
	TK_IS(f, "excluded_nothing", BEGIN, 0xa5, 0x01, 0x01);

	/* A call at 1000, which the Q element implies, is not on the return stack. */
	f = started(1, 10, WITH_COUNT | V9_TRCCONFIGR_RS, 0x101);
	tk_p0(f, TK_A64_BL(f->pc, 0x2000), 0, 0x2000);
	tk_p0(f, TK_RET, 0, 0x1004);
	tk_run(f, 2);
	tk_b(f, 0x2000);
	TK_IS(f, "call_in_q_pushes_nothing", BEGIN, 0xa5, 0x80, 0x10, 0x01, 0xf7, 0x95, 0x81, 0x08,
	      0xa5, 0x03, 0x02, 0xf7);

	/* A return at 1000 pops nothing, so that the next one, at 2010, has its target there. */
	f = started(1, 10, WITH_COUNT | V9_TRCCONFIGR_RS, 0x101);
	f->pc = 0x2000;
	tk_p0(f, TK_A64_BL(f->pc, 0x1000), 0, 0x1000);
	tk_p0(f, TK_RET, 0, 0x2010);
	tk_p0(f, TK_RET, 0, 0x2004);
	tk_b(f, 0x2004);
	TK_IS(f, "return_in_q_pops_nothing", ASYNC, 0x01, 0x00, 0x04, AT_2000, 0xf7, 0xa5, 0x04, 0x01,
	      0xdb);
}

/* A Q element is one P0 element. shows: ETE-R_PRNZH ETE-R_NQPPX */
static void speculation(void)
{
	struct fk *f = tk_new();

	f->cfg.q_supp = 1;
	f->cfg.q_blocks = 2;
	f->cfg.maxspec = 8;
	f->cfg.spec_what = 0;
	f->cfg.spec_wrong = 0;
	tk_start(f, WITH_COUNT, 0x1000);
	not_taken(f);
	not_taken(f);
	not_taken(f);
	not_taken(f);
	TK_IS(f, "commit_of_q_elements", ASYNC, 0x01, 0x00, 0x04, AT_1000, 0xa5, 0x02, 0x02,
	      0xa5, 0x04, 0x02, 0x2d, 0x02);
}

int main(void)
{
	ids();
	values();
	packets();
	ends();
	regions();
	speculation();
	return tap_done();
}
