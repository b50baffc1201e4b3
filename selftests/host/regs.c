// SPDX-License-Identifier: GPL-2.0-only
/*
 * gen/regs.h and gen/regs_desc.h, compared with typed numbers: encodings as instruction words of
 * MRS, fields as bit numbers
 */
#include "v9trace/gen/regs.h"
#include "v9trace/brbe.h"
#include "v9trace/ete.h"
#include "tap.h"

/* MRS X0, <reg> as an assembler prints it: 0xd5200000 | encoding */
static const struct {
	const char *name;
	uint32_t word, encoding;
} mrs[] = {
	{ "pmscr_el1", 0xd5389900, V9_SYS_PMSCR_EL1 },
	{ "pmsnevfr_el1", 0xd5389920, V9_SYS_PMSNEVFR_EL1 },
	{ "pmsicr_el1", 0xd5389940, V9_SYS_PMSICR_EL1 },
	{ "pmsirr_el1", 0xd5389960, V9_SYS_PMSIRR_EL1 },
	{ "pmsfcr_el1", 0xd5389980, V9_SYS_PMSFCR_EL1 },
	{ "pmsevfr_el1", 0xd53899a0, V9_SYS_PMSEVFR_EL1 },
	{ "pmslatfr_el1", 0xd53899c0, V9_SYS_PMSLATFR_EL1 },
	{ "pmsidr_el1", 0xd53899e0, V9_SYS_PMSIDR_EL1 },
	{ "pmblimitr_el1", 0xd5389a00, V9_SYS_PMBLIMITR_EL1 },
	{ "pmbptr_el1", 0xd5389a20, V9_SYS_PMBPTR_EL1 },
	{ "pmbsr_el1", 0xd5389a60, V9_SYS_PMBSR_EL1 },
	{ "pmsdsfr_el1", 0xd5389a80, V9_SYS_PMSDSFR_EL1 },
	{ "pmbmar_el1", 0xd5389aa0, V9_SYS_PMBMAR_EL1 },
	{ "pmbidr_el1", 0xd5389ae0, V9_SYS_PMBIDR_EL1 },
	{ "pmscr_el2", 0xd53c9900, V9_SYS_PMSCR_EL2 },
	{ "pmscr_el12", 0xd53d9900, V9_SYS_PMSCR_EL12 },
	{ "trblimitr_el1", 0xd5389b00, V9_SYS_TRBLIMITR_EL1 },
	{ "trbptr_el1", 0xd5389b20, V9_SYS_TRBPTR_EL1 },
	{ "trbbaser_el1", 0xd5389b40, V9_SYS_TRBBASER_EL1 },
	{ "trbsr_el1", 0xd5389b60, V9_SYS_TRBSR_EL1 },
	{ "trbmar_el1", 0xd5389b80, V9_SYS_TRBMAR_EL1 },
	{ "trbmpam_el1", 0xd5389ba0, V9_SYS_TRBMPAM_EL1 },
	{ "trbtrg_el1", 0xd5389bc0, V9_SYS_TRBTRG_EL1 },
	{ "trbidr_el1", 0xd5389be0, V9_SYS_TRBIDR_EL1 },
	{ "trbsr_el2", 0xd53c9b60, V9_SYS_TRBSR_EL2 },
	{ "trbsr_el3", 0xd53e9b60, V9_SYS_TRBSR_EL3 },
	{ "trbsr_el12", 0xd53d9b60, V9_SYS_TRBSR_EL12 },
	{ "trfcr_el1", 0xd5381220, V9_SYS_TRFCR_EL1 },
	{ "trfcr_el2", 0xd53c1220, V9_SYS_TRFCR_EL2 },
	{ "trfcr_el12", 0xd53d1220, V9_SYS_TRFCR_EL12 },
	{ "trcitecr_el1", 0xd5381260, V9_SYS_TRCITECR_EL1 },
	{ "trcitecr_el2", 0xd53c1260, V9_SYS_TRCITECR_EL2 },
	{ "trcitecr_el12", 0xd53d1260, V9_SYS_TRCITECR_EL12 },
	{ "trciteedcr", 0xd5310220, V9_SYS_TRCITEEDCR },
	{ "trcprgctlr", 0xd5310100, V9_SYS_TRCPRGCTLR },
	{ "trcstatr", 0xd5310300, V9_SYS_TRCSTATR },
	{ "trcconfigr", 0xd5310400, V9_SYS_TRCCONFIGR },
	{ "trcauxctlr", 0xd5310600, V9_SYS_TRCAUXCTLR },
	{ "trceventctl0r", 0xd5310800, V9_SYS_TRCEVENTCTL0R },
	{ "trceventctl1r", 0xd5310900, V9_SYS_TRCEVENTCTL1R },
	{ "trcrsr", 0xd5310a00, V9_SYS_TRCRSR },
	{ "trcstallctlr", 0xd5310b00, V9_SYS_TRCSTALLCTLR },
	{ "trctsctlr", 0xd5310c00, V9_SYS_TRCTSCTLR },
	{ "trcsyncpr", 0xd5310d00, V9_SYS_TRCSYNCPR },
	{ "trcccctlr", 0xd5310e00, V9_SYS_TRCCCCTLR },
	{ "trcbbctlr", 0xd5310f00, V9_SYS_TRCBBCTLR },
	{ "trctraceidr", 0xd5310020, V9_SYS_TRCTRACEIDR },
	{ "trcqctlr", 0xd5310120, V9_SYS_TRCQCTLR },
	{ "trcvictlr", 0xd5310040, V9_SYS_TRCVICTLR },
	{ "trcviiectlr", 0xd5310140, V9_SYS_TRCVIIECTLR },
	{ "trcvissctlr", 0xd5310240, V9_SYS_TRCVISSCTLR },
	{ "trcvipcssctlr", 0xd5310340, V9_SYS_TRCVIPCSSCTLR },
	{ "trcseqevr0", 0xd5310080, V9_SYS_TRCSEQEVR0 },
	{ "trcseqevr2", 0xd5310280, V9_SYS_TRCSEQEVR2 },
	{ "trcseqrstevr", 0xd5310680, V9_SYS_TRCSEQRSTEVR },
	{ "trcseqstr", 0xd5310780, V9_SYS_TRCSEQSTR },
	{ "trcextinselr0", 0xd5310880, V9_SYS_TRCEXTINSELR0 },
	{ "trcextinselr3", 0xd5310b80, V9_SYS_TRCEXTINSELR3 },
	{ "trccntrldvr0", 0xd53100a0, V9_SYS_TRCCNTRLDVR0 },
	{ "trccntrldvr3", 0xd53103a0, V9_SYS_TRCCNTRLDVR3 },
	{ "trccntctlr0", 0xd53104a0, V9_SYS_TRCCNTCTLR0 },
	{ "trccntctlr3", 0xd53107a0, V9_SYS_TRCCNTCTLR3 },
	{ "trccntvr0", 0xd53108a0, V9_SYS_TRCCNTVR0 },
	{ "trccntvr3", 0xd5310ba0, V9_SYS_TRCCNTVR3 },
	{ "trcidr8", 0xd53100c0, V9_SYS_TRCIDR8 },
	{ "trcidr9", 0xd53101c0, V9_SYS_TRCIDR9 },
	{ "trcidr10", 0xd53102c0, V9_SYS_TRCIDR10 },
	{ "trcidr11", 0xd53103c0, V9_SYS_TRCIDR11 },
	{ "trcidr12", 0xd53104c0, V9_SYS_TRCIDR12 },
	{ "trcidr13", 0xd53105c0, V9_SYS_TRCIDR13 },
	{ "trcimspec0", 0xd53100e0, V9_SYS_TRCIMSPEC0 },
	{ "trcimspec7", 0xd53107e0, V9_SYS_TRCIMSPEC7 },
	{ "trcidr0", 0xd53108e0, V9_SYS_TRCIDR0 },
	{ "trcidr1", 0xd53109e0, V9_SYS_TRCIDR1 },
	{ "trcidr2", 0xd5310ae0, V9_SYS_TRCIDR2 },
	{ "trcidr3", 0xd5310be0, V9_SYS_TRCIDR3 },
	{ "trcidr4", 0xd5310ce0, V9_SYS_TRCIDR4 },
	{ "trcidr5", 0xd5310de0, V9_SYS_TRCIDR5 },
	{ "trcidr6", 0xd5310ee0, V9_SYS_TRCIDR6 },
	{ "trcidr7", 0xd5310fe0, V9_SYS_TRCIDR7 },
	{ "trcrsctlr2", 0xd5311200, V9_SYS_TRCRSCTLR2 },
	{ "trcrsctlr31", 0xd5311f20, V9_SYS_TRCRSCTLR31 },
	{ "trcssccr0", 0xd5311040, V9_SYS_TRCSSCCR0 },
	{ "trcssccr7", 0xd5311740, V9_SYS_TRCSSCCR7 },
	{ "trcsscsr0", 0xd5311840, V9_SYS_TRCSSCSR0 },
	{ "trcsscsr7", 0xd5311f40, V9_SYS_TRCSSCSR7 },
	{ "trcsspcicr0", 0xd5311060, V9_SYS_TRCSSPCICR0 },
	{ "trcsspcicr7", 0xd5311760, V9_SYS_TRCSSPCICR7 },
	{ "trcoslsr", 0xd5311180, V9_SYS_TRCOSLSR },
	{ "trcacvr0", 0xd5312000, V9_SYS_TRCACVR0 },
	{ "trcacvr15", 0xd5312e20, V9_SYS_TRCACVR15 },
	{ "trcacatr0", 0xd5312040, V9_SYS_TRCACATR0 },
	{ "trcacatr15", 0xd5312e60, V9_SYS_TRCACATR15 },
	{ "trccidcvr0", 0xd5313000, V9_SYS_TRCCIDCVR0 },
	{ "trccidcvr7", 0xd5313e00, V9_SYS_TRCCIDCVR7 },
	{ "trcvmidcvr0", 0xd5313020, V9_SYS_TRCVMIDCVR0 },
	{ "trcvmidcvr7", 0xd5313e20, V9_SYS_TRCVMIDCVR7 },
	{ "trccidcctlr0", 0xd5313040, V9_SYS_TRCCIDCCTLR0 },
	{ "trccidcctlr1", 0xd5313140, V9_SYS_TRCCIDCCTLR1 },
	{ "trcvmidcctlr0", 0xd5313240, V9_SYS_TRCVMIDCCTLR0 },
	{ "trcvmidcctlr1", 0xd5313340, V9_SYS_TRCVMIDCCTLR1 },
	{ "trcclaimset", 0xd53178c0, V9_SYS_TRCCLAIMSET },
	{ "trcclaimclr", 0xd53179c0, V9_SYS_TRCCLAIMCLR },
	{ "trcauthstatus", 0xd5317ec0, V9_SYS_TRCAUTHSTATUS },
	{ "trcdevarch", 0xd5317fc0, V9_SYS_TRCDEVARCH },
	{ "trcdevid", 0xd53172e0, V9_SYS_TRCDEVID },
	{ "brbcr_el1", 0xd5319000, V9_SYS_BRBCR_EL1 },
	{ "brbcr_el2", 0xd5349000, V9_SYS_BRBCR_EL2 },
	{ "brbcr_el12", 0xd5359000, V9_SYS_BRBCR_EL12 },
	{ "brbfcr_el1", 0xd5319020, V9_SYS_BRBFCR_EL1 },
	{ "brbts_el1", 0xd5319040, V9_SYS_BRBTS_EL1 },
	{ "brbinfinj_el1", 0xd5319100, V9_SYS_BRBINFINJ_EL1 },
	{ "brbsrcinj_el1", 0xd5319120, V9_SYS_BRBSRCINJ_EL1 },
	{ "brbtgtinj_el1", 0xd5319140, V9_SYS_BRBTGTINJ_EL1 },
	{ "brbidr0_el1", 0xd5319200, V9_SYS_BRBIDR0_EL1 },
	{ "brbinf0_el1", 0xd5318000, V9_SYS_BRBINF0_EL1 },
	{ "brbsrc0_el1", 0xd5318020, V9_SYS_BRBSRC0_EL1 },
	{ "brbtgt0_el1", 0xd5318040, V9_SYS_BRBTGT0_EL1 },
	{ "brbinf15_el1", 0xd5318f00, V9_SYS_BRBINF15_EL1 },
	{ "brbinf16_el1", 0xd5318080, V9_SYS_BRBINF16_EL1 },
	{ "brbsrc16_el1", 0xd53180a0, V9_SYS_BRBSRC16_EL1 },
	{ "brbtgt31_el1", 0xd5318fc0, V9_SYS_BRBTGT31_EL1 },
	{ "id_aa64dfr0_el1", 0xd5380500, V9_SYS_ID_AA64DFR0_EL1 },
	{ "id_aa64dfr1_el1", 0xd5380520, V9_SYS_ID_AA64DFR1_EL1 },
	{ "id_aa64mmfr0_el1", 0xd5380700, V9_SYS_ID_AA64MMFR0_EL1 },
	{ "hcr_el2", 0xd53c1100, V9_SYS_HCR_EL2 },
	{ "mdcr_el2", 0xd53c1120, V9_SYS_MDCR_EL2 },
	{ "scr_el3", 0xd53e1100, V9_SYS_SCR_EL3 },
	{ "mdcr_el3", 0xd53e1320, V9_SYS_MDCR_EL3 },
	{ "hfgitr_el2", 0xd53c11c0, V9_SYS_HFGITR_EL2 },
};

static const struct {
	const char *name;
	uint64_t mask;
	unsigned int msb, lsb;
} fields[] = {
	{ "pmscr_el1_e0spe", V9_PMSCR_EL1_E0SPE, 0, 0 },
	{ "pmscr_el1_e1spe", V9_PMSCR_EL1_E1SPE, 1, 1 },
	{ "pmscr_el1_cx", V9_PMSCR_EL1_CX, 3, 3 },
	{ "pmscr_el1_pa", V9_PMSCR_EL1_PA, 4, 4 },
	{ "pmscr_el1_ts", V9_PMSCR_EL1_TS, 5, 5 },
	{ "pmscr_el1_pct", V9_PMSCR_EL1_PCT, 7, 6 },
	{ "pmscr_el1_envm", V9_PMSCR_EL1_EnVM, 11, 11 },
	{ "pmscr_el2_e0hspe", V9_PMSCR_EL2_E0HSPE, 0, 0 },
	{ "pmscr_el2_e2spe", V9_PMSCR_EL2_E2SPE, 1, 1 },
	{ "pmscr_el2_envm", V9_PMSCR_EL2_EnVM, 11, 11 },
	{ "pmsicr_count", V9_PMSICR_EL1_COUNT, 31, 0 },
	{ "pmsicr_ecount", V9_PMSICR_EL1_ECOUNT, 63, 56 },
	{ "pmsirr_rnd", V9_PMSIRR_EL1_RND, 0, 0 },
	{ "pmsirr_interval", V9_PMSIRR_EL1_INTERVAL, 31, 8 },
	{ "pmsfcr_fe", V9_PMSFCR_EL1_FE, 0, 0 },
	{ "pmsfcr_ft", V9_PMSFCR_EL1_FT, 1, 1 },
	{ "pmsfcr_fl", V9_PMSFCR_EL1_FL, 2, 2 },
	{ "pmsfcr_fne", V9_PMSFCR_EL1_FnE, 3, 3 },
	{ "pmsfcr_fds", V9_PMSFCR_EL1_FDS, 4, 4 },
	{ "pmsfcr_b", V9_PMSFCR_EL1_B, 16, 16 },
	{ "pmsfcr_ld", V9_PMSFCR_EL1_LD, 17, 17 },
	{ "pmsfcr_st", V9_PMSFCR_EL1_ST, 18, 18 },
	{ "pmsfcr_simdm", V9_PMSFCR_EL1_SIMDm, 52, 52 },
	{ "pmslatfr_minlat", V9_PMSLATFR_EL1_MINLAT, 15, 0 },
	{ "pmsidr_fe", V9_PMSIDR_EL1_FE, 0, 0 },
	{ "pmsidr_archinst", V9_PMSIDR_EL1_ArchInst, 3, 3 },
	{ "pmsidr_lds", V9_PMSIDR_EL1_LDS, 4, 4 },
	{ "pmsidr_ernd", V9_PMSIDR_EL1_ERnd, 5, 5 },
	{ "pmsidr_fne", V9_PMSIDR_EL1_FnE, 6, 6 },
	{ "pmsidr_interval", V9_PMSIDR_EL1_Interval, 11, 8 },
	{ "pmsidr_maxsize", V9_PMSIDR_EL1_MaxSize, 15, 12 },
	{ "pmsidr_countsize", V9_PMSIDR_EL1_CountSize, 19, 16 },
	{ "pmsidr_pbt", V9_PMSIDR_EL1_PBT, 24, 24 },
	{ "pmblimitr_e", V9_PMBLIMITR_EL1_E, 0, 0 },
	{ "pmblimitr_fm", V9_PMBLIMITR_EL1_FM, 2, 1 },
	{ "pmblimitr_pmfz", V9_PMBLIMITR_EL1_PMFZ, 5, 5 },
	{ "pmblimitr_nvm", V9_PMBLIMITR_EL1_nVM, 7, 7 },
	{ "pmblimitr_limit", V9_PMBLIMITR_EL1_LIMIT, 63, 12 },
	{ "pmbptr_ptr", V9_PMBPTR_EL1_PTR, 63, 0 },
	{ "pmbsr_mss", V9_PMBSR_EL1_MSS, 15, 0 },
	{ "pmbsr_bsc", V9_PMBSR_EL1_BSC, 5, 0 },
	{ "pmbsr_fsc", V9_PMBSR_EL1_FSC, 5, 0 },
	{ "pmbsr_coll", V9_PMBSR_EL1_COLL, 16, 16 },
	{ "pmbsr_s", V9_PMBSR_EL1_S, 17, 17 },
	{ "pmbsr_ea", V9_PMBSR_EL1_EA, 18, 18 },
	{ "pmbsr_dl", V9_PMBSR_EL1_DL, 19, 19 },
	{ "pmbsr_ec", V9_PMBSR_EL1_EC, 31, 26 },
	{ "pmbidr_align", V9_PMBIDR_EL1_Align, 3, 0 },
	{ "pmbidr_p", V9_PMBIDR_EL1_P, 4, 4 },
	{ "pmbidr_f", V9_PMBIDR_EL1_F, 5, 5 },
	{ "trblimitr_limit", V9_TRBLIMITR_EL1_LIMIT, 63, 12 },
	{ "trblimitr_xe", V9_TRBLIMITR_EL1_XE, 6, 6 },
	{ "trblimitr_nvm", V9_TRBLIMITR_EL1_nVM, 5, 5 },
	{ "trblimitr_tm", V9_TRBLIMITR_EL1_TM, 4, 3 },
	{ "trblimitr_fm", V9_TRBLIMITR_EL1_FM, 2, 1 },
	{ "trblimitr_e", V9_TRBLIMITR_EL1_E, 0, 0 },
	{ "trbbaser_base", V9_TRBBASER_EL1_BASE, 63, 12 },
	{ "trbsr_mss2", V9_TRBSR_EL1_MSS2, 55, 32 },
	{ "trbsr_ec", V9_TRBSR_EL1_EC, 31, 26 },
	{ "trbsr_irq", V9_TRBSR_EL1_IRQ, 22, 22 },
	{ "trbsr_trg", V9_TRBSR_EL1_TRG, 21, 21 },
	{ "trbsr_wrap", V9_TRBSR_EL1_WRAP, 20, 20 },
	{ "trbsr_ea", V9_TRBSR_EL1_EA, 18, 18 },
	{ "trbsr_s", V9_TRBSR_EL1_S, 17, 17 },
	{ "trbsr_mss", V9_TRBSR_EL1_MSS, 15, 0 },
	{ "trbsr_bsc", V9_TRBSR_EL1_BSC, 5, 0 },
	{ "trbmar_sh", V9_TRBMAR_EL1_SH, 9, 8 },
	{ "trbmar_attr", V9_TRBMAR_EL1_Attr, 7, 0 },
	{ "trbtrg_trg", V9_TRBTRG_EL1_TRG, 31, 0 },
	{ "trbidr_ea", V9_TRBIDR_EL1_EA, 11, 8 },
	{ "trbidr_addrmode", V9_TRBIDR_EL1_AddrMode, 7, 6 },
	{ "trbidr_f", V9_TRBIDR_EL1_F, 5, 5 },
	{ "trbidr_p", V9_TRBIDR_EL1_P, 4, 4 },
	{ "trbidr_align", V9_TRBIDR_EL1_Align, 3, 0 },
	{ "trfcr_el1_e0tre", V9_TRFCR_EL1_E0TRE, 0, 0 },
	{ "trfcr_el1_e1tre", V9_TRFCR_EL1_E1TRE, 1, 1 },
	{ "trfcr_el1_ts", V9_TRFCR_EL1_TS, 6, 5 },
	{ "trfcr_el1_cx", V9_TRFCR_EL1_CX, 3, 3 },
	{ "trfcr_el1_dnvm", V9_TRFCR_EL1_DnVM, 11, 11 },
	{ "trfcr_el2_e0htre", V9_TRFCR_EL2_E0HTRE, 0, 0 },
	{ "trfcr_el2_e2tre", V9_TRFCR_EL2_E2TRE, 1, 1 },
	{ "trfcr_el2_cx", V9_TRFCR_EL2_CX, 3, 3 },
	{ "trfcr_el2_dnvm", V9_TRFCR_EL2_DnVM, 11, 11 },
	{ "trcprgctlr_en", V9_TRCPRGCTLR_EN, 0, 0 },
	{ "trcstatr_idle", V9_TRCSTATR_IDLE, 0, 0 },
	{ "trcstatr_pmstable", V9_TRCSTATR_PMSTABLE, 1, 1 },
	{ "trcitecr_el1_e0e", V9_TRCITECR_EL1_E0E, 0, 0 },
	{ "trcitecr_el1_e1e", V9_TRCITECR_EL1_E1E, 1, 1 },
	{ "trcitecr_el2_e0he", V9_TRCITECR_EL2_E0HE, 0, 0 },
	{ "trcitecr_el2_e2e", V9_TRCITECR_EL2_E2E, 1, 1 },
	{ "trcidr0_ite", V9_TRCIDR0_ITE, 22, 22 },
	{ "dfr1_ite", V9_ID_AA64DFR1_EL1_ITE, 47, 44 },
	{ "mdcr_el3_enite", V9_MDCR_EL3_EnITE, 47, 47 },
	{ "mdcr_el3_enpms4", V9_MDCR_EL3_EnPMS4, 55, 55 },
	{ "mdcr_el2_hpmfzs", V9_MDCR_EL2_HPMFZS, 36, 36 },
	{ "hdfgrtr2_ntrcitecr", V9_HDFGRTR2_EL2_nTRCITECR_EL1, 20, 20 },
	{ "hdfgwtr2_ntrcitecr", V9_HDFGWTR2_EL2_nTRCITECR_EL1, 20, 20 },
	{ "hfgitr_psbcsync", V9_HFGITR_EL2_PSBCSYNC, 63, 63 },
	{ "trcconfigr_ito", V9_TRCCONFIGR_ITO, 18, 18 },
	{ "trcconfigr_bb", V9_TRCCONFIGR_BB, 3, 3 },
	{ "trcconfigr_cci", V9_TRCCONFIGR_CCI, 4, 4 },
	{ "trcconfigr_cid", V9_TRCCONFIGR_CID, 6, 6 },
	{ "trcconfigr_vmid", V9_TRCCONFIGR_VMID, 7, 7 },
	{ "trcconfigr_ts", V9_TRCCONFIGR_TS, 11, 11 },
	{ "trcconfigr_rs", V9_TRCCONFIGR_RS, 12, 12 },
	{ "trcconfigr_qe", V9_TRCCONFIGR_QE, 14, 13 },
	{ "trcconfigr_res1", V9_TRCCONFIGR_RES1, 0, 0 },
	{ "trceventctl0r_sel1", V9_TRCEVENTCTL0R_EVENT1_SEL, 12, 8 },
	{ "trceventctl0r_type3", V9_TRCEVENTCTL0R_EVENT3_TYPE, 31, 31 },
	{ "trceventctl1r_insten", V9_TRCEVENTCTL1R_INSTEN, 3, 0 },
	{ "trceventctl1r_oe", V9_TRCEVENTCTL1R_OE, 13, 13 },
	{ "trcrsr_ta", V9_TRCRSR_TA, 12, 12 },
	{ "trcrsr_event", V9_TRCRSR_EVENT, 11, 8 },
	{ "trcsyncpr_period", V9_TRCSYNCPR_PERIOD, 4, 0 },
	{ "trcccctlr_threshold", V9_TRCCCCTLR_THRESHOLD, 11, 0 },
	{ "trcbbctlr_mode", V9_TRCBBCTLR_MODE, 8, 8 },
	{ "trcvictlr_sel", V9_TRCVICTLR_EVENT_SEL, 4, 0 },
	{ "trcvictlr_ssstatus", V9_TRCVICTLR_SSSTATUS, 9, 9 },
	{ "trcvictlr_trcreset", V9_TRCVICTLR_TRCRESET, 10, 10 },
	{ "trcvictlr_trcerr", V9_TRCVICTLR_TRCERR, 11, 11 },
	{ "trcvictlr_exlevel_s", V9_TRCVICTLR_EXLEVEL_S, 19, 16 },
	{ "trcvictlr_exlevel_ns", V9_TRCVICTLR_EXLEVEL_NS, 22, 20 },
	{ "trcvictlr_exlevel_ns_el0", V9_TRCVICTLR_EXLEVEL_NS_EL0, 20, 20 },
	{ "trcviiectlr_exclude", V9_TRCVIIECTLR_EXCLUDE, 23, 16 },
	{ "trcvissctlr_stop", V9_TRCVISSCTLR_STOP, 31, 16 },
	{ "trccntctlr_cntchain", V9_TRCCNTCTLRn_CNTCHAIN, 17, 17 },
	{ "trcrsctlr_pairinv", V9_TRCRSCTLRn_PAIRINV, 21, 21 },
	{ "trcrsctlr_group", V9_TRCRSCTLRn_GROUP, 19, 16 },
	{ "trcsscsr_status", V9_TRCSSCSRn_STATUS, 31, 31 },
	{ "trcsscsr_pending", V9_TRCSSCSRn_PENDING, 30, 30 },
	{ "trcacatr_contexttype", V9_TRCACATRn_CONTEXTTYPE, 3, 2 },
	{ "trcacatr_exlevel_ns", V9_TRCACATRn_EXLEVEL_NS, 14, 12 },
	{ "trccidcctlr0_comp1", V9_TRCCIDCCTLR0_COMP1, 15, 8 },
	{ "trcvmidcctlr1_comp7", V9_TRCVMIDCCTLR1_COMP7, 31, 24 },
	{ "trcidr0_commopt", V9_TRCIDR0_COMMOPT, 29, 29 },
	{ "trcidr0_numevent", V9_TRCIDR0_NUMEVENT, 11, 10 },
	{ "trcidr2_wfxmode", V9_TRCIDR2_WFXMODE, 31, 31 },
	{ "trcidr3_ccitmin", V9_TRCIDR3_CCITMIN, 11, 0 },
	{ "trcidr4_numacpairs", V9_TRCIDR4_NUMACPAIRS, 3, 0 },
	{ "trcidr4_numrspair", V9_TRCIDR4_NUMRSPAIR, 19, 16 },
	{ "trcidr5_numcntr", V9_TRCIDR5_NUMCNTR, 30, 28 },
	{ "trcidr5_oe", V9_TRCIDR5_OE, 31, 31 },
	{ "trcidr8_maxspec", V9_TRCIDR8_MAXSPEC, 31, 0 },
	{ "trcdevarch_archver", V9_TRCDEVARCH_ARCHVER, 15, 12 },
	{ "trcoslsr_oslk", V9_TRCOSLSR_OSLK, 1, 1 },
	{ "oslar_oslk", V9_OSLAR_EL1_OSLK, 0, 0 },
	{ "cpacr_tta", V9_CPACR_EL1_TTA, 28, 28 },
	{ "cptr_el2_tta", V9_CPTR_EL2_TTA, 20, 20 },
	{ "dfr0_tracebuffer", V9_ID_AA64DFR0_EL1_TraceBuffer, 47, 44 },
	{ "dfr0_tracefilt", V9_ID_AA64DFR0_EL1_TraceFilt, 43, 40 },
	{ "dfr0_tracever", V9_ID_AA64DFR0_EL1_TraceVer, 7, 4 },
	{ "mdcr_el2_e2tb", V9_MDCR_EL2_E2TB, 25, 24 },
	{ "mdcr_el2_ttrf", V9_MDCR_EL2_TTRF, 19, 19 },
	{ "mdcr_el3_nstb", V9_MDCR_EL3_NSTB, 25, 24 },
	{ "mdcr_el3_nstbe", V9_MDCR_EL3_NSTBE, 26, 26 },
	{ "mdcr_el3_trbee", V9_MDCR_EL3_TRBEE, 54, 53 },
	{ "mdcr_el3_ste", V9_MDCR_EL3_STE, 18, 18 },
	{ "dfr0_pmsver", V9_ID_AA64DFR0_EL1_PMSVer, 35, 32 },
	{ "mdcr_el2_e2pb", V9_MDCR_EL2_E2PB, 13, 12 },
	{ "mdcr_el2_tpms", V9_MDCR_EL2_TPMS, 14, 14 },
	{ "mdcr_el3_nspb", V9_MDCR_EL3_NSPB, 13, 12 },
	{ "mdcr_el3_nspbe", V9_MDCR_EL3_NSPBE, 11, 11 },
	{ "hcr_el2_tge", V9_HCR_EL2_TGE, 27, 27 },
	{ "hcr_el2_e2h", V9_HCR_EL2_E2H, 34, 34 },
	{ "brbcr_el1_e0bre", V9_BRBCR_EL1_E0BRE, 0, 0 },
	{ "brbcr_el1_e1bre", V9_BRBCR_EL1_E1BRE, 1, 1 },
	{ "brbcr_el1_cc", V9_BRBCR_EL1_CC, 3, 3 },
	{ "brbcr_el1_mpred", V9_BRBCR_EL1_MPRED, 4, 4 },
	{ "brbcr_el1_ts", V9_BRBCR_EL1_TS, 6, 5 },
	{ "brbcr_el1_fzp", V9_BRBCR_EL1_FZP, 8, 8 },
	{ "brbcr_el1_fzpss", V9_BRBCR_EL1_FZPSS, 9, 9 },
	{ "brbcr_el1_ertn", V9_BRBCR_EL1_ERTN, 22, 22 },
	{ "brbcr_el1_exception", V9_BRBCR_EL1_EXCEPTION, 23, 23 },
	{ "brbcr_el2_e0hbre", V9_BRBCR_EL2_E0HBRE, 0, 0 },
	{ "brbcr_el2_e2bre", V9_BRBCR_EL2_E2BRE, 1, 1 },
	{ "brbcr_el2_fzp", V9_BRBCR_EL2_FZP, 8, 8 },
	{ "brbfcr_paused", V9_BRBFCR_EL1_PAUSED, 7, 7 },
	{ "brbfcr_eni", V9_BRBFCR_EL1_EnI, 16, 16 },
	{ "brbfcr_direct", V9_BRBFCR_EL1_DIRECT, 17, 17 },
	{ "brbfcr_indirect", V9_BRBFCR_EL1_INDIRECT, 18, 18 },
	{ "brbfcr_rtn", V9_BRBFCR_EL1_RTN, 19, 19 },
	{ "brbfcr_indcall", V9_BRBFCR_EL1_INDCALL, 20, 20 },
	{ "brbfcr_dircall", V9_BRBFCR_EL1_DIRCALL, 21, 21 },
	{ "brbfcr_conddir", V9_BRBFCR_EL1_CONDDIR, 22, 22 },
	{ "brbfcr_bank", V9_BRBFCR_EL1_BANK, 29, 28 },
	{ "brbidr0_numrec", V9_BRBIDR0_EL1_NUMREC, 7, 0 },
	{ "brbidr0_format", V9_BRBIDR0_EL1_FORMAT, 11, 8 },
	{ "brbidr0_cc", V9_BRBIDR0_EL1_CC, 15, 12 },
	{ "brbinf_valid", V9_BRBINFn_EL1_VALID, 1, 0 },
	{ "brbinf_mpred", V9_BRBINFn_EL1_MPRED, 5, 5 },
	{ "brbinf_el", V9_BRBINFn_EL1_EL, 7, 6 },
	{ "brbinf_type", V9_BRBINFn_EL1_TYPE, 13, 8 },
	{ "brbinf_cc", V9_BRBINFn_EL1_CC, 45, 32 },
	{ "brbinf_cc_mantissa", V9_BRBINFn_EL1_CC_MANTISSA, 39, 32 },
	{ "brbinf_cc_exponent", V9_BRBINFn_EL1_CC_EXPONENT, 45, 40 },
	{ "brbinf_ccu", V9_BRBINFn_EL1_CCU, 46, 46 },
	{ "id_aa64dfr0_brbe", V9_ID_AA64DFR0_EL1_BRBE, 55, 52 },
	{ "hfgitr_nbrbinj", V9_HFGITR_EL2_nBRBINJ, 55, 55 },
	{ "hfgitr_nbrbiall", V9_HFGITR_EL2_nBRBIALL, 56, 56 },
	{ "hdfgrtr_nbrbidr", V9_HDFGRTR_EL2_nBRBIDR, 59, 59 },
	{ "hdfgrtr_nbrbctl", V9_HDFGRTR_EL2_nBRBCTL, 60, 60 },
	{ "hdfgrtr_nbrbdata", V9_HDFGRTR_EL2_nBRBDATA, 61, 61 },
	{ "hdfgwtr_nbrbctl", V9_HDFGWTR_EL2_nBRBCTL, 60, 60 },
	{ "hdfgwtr_nbrbdata", V9_HDFGWTR_EL2_nBRBDATA, 61, 61 },
	{ "mdcr_el3_sbrbe", V9_MDCR_EL3_SBRBE, 33, 32 },
	{ "mdcr_el3_e3brew", V9_MDCR_EL3_E3BREW, 37, 37 },
	{ "mdcr_el3_e3brec", V9_MDCR_EL3_E3BREC, 38, 38 },
	{ "scr_el3_ns", V9_SCR_EL3_NS, 0, 0 },
	{ "scr_el3_eel2", V9_SCR_EL3_EEL2, 18, 18 },
	{ "scr_el3_nse", V9_SCR_EL3_NSE, 62, 62 },
};

struct desc {
	const char *name;
	int unit;
	uint32_t encoding;
	uint64_t fields, res0, res1, known, value;
	int trap, feat, ro;
};

enum { RO_IS_RO = 1, RO_IS_RW = 0 };

static struct desc descs[] = {
#define V9_REGDESC(unit, name, enc, access, res0, res1, known, value, trap, feat) \
	{ #name, V9_UNIT_##unit, enc, 0, res0, res1, known, value, trap, feat, RO_IS_##access },
#include "v9trace/gen/regs_desc.h"
};

static struct desc *desc(const char *name)
{
	for (size_t i = 0; i < V9_ARRAY_SIZE(descs); i++)
		if (!strcmp(descs[i].name, name))
			return &descs[i];
	return NULL;
}

static void add_field(const char *name, unsigned int shift, unsigned int width)
{
	struct desc *d = desc(name);

	for (unsigned int bit = shift; bit < shift + width; bit++)
		d->fields |= V9_BIT(bit);
}

static int rows_of(int unit)
{
	int n = 0;

	for (size_t i = 0; i < V9_ARRAY_SIZE(descs); i++)
		n += descs[i].unit == unit;
	return n;
}

/* Bits that a reset clears; all others are UNKNOWN afterwards. */
static uint64_t known_at_reset(const char *name)
{
	static const struct {
		const char *name;
		uint64_t bits;
	} known[] = {
		{ "PMBLIMITR_EL1", 0x1 },
		{ "TRBLIMITR_EL1", 0x41 },
		{ "TRFCR_EL1", 0x3 },
		{ "TRFCR_EL2", 0x6b },		/* TS, CX, E2TRE, E0HTRE */
		{ "TRCITECR_EL1", 0x3 },
		{ "TRCITECR_EL2", 0x3 },
		{ "TRCPRGCTLR", 0x1 },
		{ "TRBMPAM_EL1", 0x4000000 },	/* EN */
		{ "TRCAUXCTLR", 0xffffffff },
		{ "TRCEVENTCTL1R", 0x2000 },	/* OE */
		{ "TRCIMSPEC0", 0xf0 },		/* EN */
		{ "TRCCLAIMCLR", 0xffffffff },
		{ "BRBCR_EL1", 0x3 },		/* E1BRE, E0BRE */
		{ "BRBCR_EL2", 0x3 },		/* E2BRE, E0HBRE */
		{ "BRBTS_EL1", UINT64_MAX },
	};

	for (size_t i = 0; i < V9_ARRAY_SIZE(known); i++)
		if (!strcmp(known[i].name, name))
			return known[i].bits;
	return 0;
}

/*
 * Registers in arrays: the encoding of each element, and the number of resources that it needs
 * shows: ETE-R_VGVTS
 */
static void test_arrays(void)
{
#define ONE(r, n) { #r #n, V9_SYS_##r##n, V9_SYS_##r(n) }
#define FOUR(r) ONE(r, 0), ONE(r, 1), ONE(r, 2), ONE(r, 3)
#define EIGHT(r) FOUR(r), ONE(r, 4), ONE(r, 5), ONE(r, 6), ONE(r, 7)
#define BRB(r, n) { "BRB" #r #n, V9_SYS_BRB##r##n##_EL1, V9_SYS_BRB##r(n) }
#define SIXTEEN(r) EIGHT(r), ONE(r, 8), ONE(r, 9), ONE(r, 10), ONE(r, 11), ONE(r, 12), \
	ONE(r, 13), ONE(r, 14), ONE(r, 15)
	static const struct {
		const char *name;
		uint32_t typed, computed;
	} elements[] = {
		SIXTEEN(TRCACVR), SIXTEEN(TRCACATR), EIGHT(TRCCIDCVR), EIGHT(TRCVMIDCVR),
		FOUR(TRCCNTRLDVR), FOUR(TRCCNTCTLR), FOUR(TRCCNTVR), FOUR(TRCEXTINSELR),
		EIGHT(TRCSSCCR), EIGHT(TRCSSCSR), EIGHT(TRCSSPCICR), EIGHT(TRCIMSPEC),
		ONE(TRCSEQEVR, 0), ONE(TRCSEQEVR, 1), ONE(TRCSEQEVR, 2),
		ONE(TRCRSCTLR, 2), ONE(TRCRSCTLR, 3), ONE(TRCRSCTLR, 15), ONE(TRCRSCTLR, 16),
		ONE(TRCRSCTLR, 30), ONE(TRCRSCTLR, 31),
		BRB(INF, 0), BRB(INF, 7), BRB(INF, 15), BRB(INF, 16), BRB(INF, 31),
		BRB(SRC, 0), BRB(SRC, 15), BRB(SRC, 16), BRB(SRC, 31),
		BRB(TGT, 0), BRB(TGT, 15), BRB(TGT, 16), BRB(TGT, 31),
	};
	size_t i;

	for (i = 0; i < V9_ARRAY_SIZE(elements); i++)
		if (elements[i].typed != elements[i].computed)
			break;
	tap_ok(i == V9_ARRAY_SIZE(elements), "arrays_by_number");
	if (i < V9_ARRAY_SIZE(elements))
		printf("# %s\n", elements[i].name);
}

/* What a register requires of the unit; shows: ETE-I_WCXDT */
static const struct {
	const char *reg, *id, *field;
	unsigned int least;
} presents[] = {
#define V9_PRESENTDESC(unit, reg, idreg, field, mask, least) { #reg, #idreg, #field, least },
#include "v9trace/gen/regs_desc.h"
};

static void present(const char *name, const char *reg, const char *id, const char *field,
		    unsigned int least)
{
	unsigned int rows = 0, right = 0;

	for (size_t i = 0; i < V9_ARRAY_SIZE(presents); i++) {
		if (strcmp(presents[i].reg, reg))
			continue;
		rows++;
		right += id && !strcmp(presents[i].id, id) && !strcmp(presents[i].field, field) &&
			 presents[i].least == least;
	}
	tap_ok(id ? right == 1 : !rows, "present_%s", name);
}

int main(void)
{
	const struct desc *d;
	size_t i;

	for (i = 0; i < V9_ARRAY_SIZE(mrs); i++)
		tap_eq(0xd5200000 | mrs[i].encoding, mrs[i].word, "encoding_%s", mrs[i].name);

	for (i = 0; i < V9_ARRAY_SIZE(fields); i++) {
		uint64_t mask = 0;

		for (unsigned int bit = fields[i].lsb; bit <= fields[i].msb; bit++)
			mask |= V9_BIT(bit);
		tap_eq(fields[i].mask, mask, "field_%s", fields[i].name);
	}

#define V9_FIELDDESC(unit, reg, field, shift, width, feat) add_field(#reg, shift, width);
#include "v9trace/gen/regs_desc.h"
	for (i = 0; i < V9_ARRAY_SIZE(descs); i++)
		if (descs[i].fields + descs[i].res0 + descs[i].res1 != UINT64_MAX)
			break;
	tap_eq(i, V9_ARRAY_SIZE(descs), "rows_cover_every_bit");
	tap_eq(rows_of(V9_UNIT_SPE), 19, "rows_of_spe");
	tap_eq(rows_of(V9_UNIT_TRBE), 11, "rows_of_trbe");
	tap_eq(rows_of(V9_UNIT_ETE), 6 + 174, "rows_of_ete");
	tap_eq(rows_of(V9_UNIT_BRBE), 9 + 3 * 32, "rows_of_brbe");

	/* shows: SPE-RA1 (that E alone has a known reset value), ETE-R_PCXJC */
	for (i = 0; i < V9_ARRAY_SIZE(descs); i++)
		if (descs[i].known != known_at_reset(descs[i].name) || descs[i].value)
			break;
	tap_eq(i, V9_ARRAY_SIZE(descs), "only_enables_reset");

	d = desc("PMBIDR_EL1");
	tap_ok(d->ro == 1 && d->trap == V9_TRAP_NONE, "pmbidr_read_only_never_trapped");
	d = desc("PMBPTR_EL1");
	tap_ok(d->ro == 0 && d->trap == V9_TRAP_E2PB, "pmbptr_trapped_by_e2pb");
	d = desc("PMSIDR_EL1");
	tap_ok(d->ro == 1 && d->trap == V9_TRAP_TPMS, "pmsidr_trapped_by_tpms");
	d = desc("TRBIDR_EL1");
	tap_ok(d->ro == 1 && d->trap == V9_TRAP_NONE, "trbidr_read_only_never_trapped");
	d = desc("TRBPTR_EL1");
	tap_ok(d->ro == 0 && d->trap == V9_TRAP_E2TB, "trbptr_trapped_by_e2tb");
	d = desc("TRFCR_EL1");
	tap_ok(d->ro == 0 && d->trap == V9_TRAP_TTRF, "trfcr_trapped_by_ttrf");
	/* shows: ETE-I_GRJLV */
	d = desc("TRCITECR_EL1");
	tap_ok(d->ro == 0 && d->trap == V9_TRAP_EnITE && d->feat == V9_FEAT_ITE,
	       "trcitecr_trapped_by_enite");
	d = desc("TRCSTATR");
	tap_ok(d->ro == 1 && d->trap == V9_TRAP_TTA, "trcstatr_read_only_trapped_by_tta");
	d = desc("BRBIDR0_EL1");
	tap_ok(d->ro == 1 && d->trap == V9_TRAP_SBRBE && d->feat == V9_FEAT_BRBE,
	       "brbidr0_read_only_trapped_by_sbrbe");
	d = desc("BRBINF31_EL1");
	tap_ok(d->ro == 1 && d->trap == V9_TRAP_SBRBE, "brbinf31_read_only_trapped_by_sbrbe");
	d = desc("BRBTGTINJ_EL1");
	tap_ok(d->ro == 0 && d->trap == V9_TRAP_SBRBE, "brbtgtinj_trapped_by_sbrbe");
	d = desc("PMSNEVFR_EL1");
	tap_ok(d->feat == V9_FEAT_SPE_FnE, "pmsnevfr_needs_fne");

	test_arrays();
	present("trcprgctlr", "TRCPRGCTLR", NULL, NULL, 0);
	present("trcacvr0", "TRCACVR0", "TRCIDR4", "NUMACPAIRS", 1);
	present("trcacvr15", "TRCACVR15", "TRCIDR4", "NUMACPAIRS", 8);
	present("trcacatr3", "TRCACATR3", "TRCIDR4", "NUMACPAIRS", 2);
	present("trcrsctlr2", "TRCRSCTLR2", "TRCIDR4", "NUMRSPAIR", 1);
	present("trcrsctlr31", "TRCRSCTLR31", "TRCIDR4", "NUMRSPAIR", 15);
	present("trccntvr3", "TRCCNTVR3", "TRCIDR5", "NUMCNTR", 4);
	present("trcseqstr", "TRCSEQSTR", "TRCIDR5", "NUMSEQSTATE", 1);
	present("trccidcctlr1", "TRCCIDCCTLR1", "TRCIDR4", "NUMCIDC", 5);
	present("trcvmidcvr7", "TRCVMIDCVR7", "TRCIDR4", "NUMVMIDC", 8);
	present("trcextinselr0", "TRCEXTINSELR0", "TRCIDR5", "NUMEXTINSEL", 1);
	present("trcqctlr", "TRCQCTLR", "TRCIDR0", "QFILT", 1);
	present("trceventctl0r", "TRCEVENTCTL0R", "TRCIDR4", "NUMRSPAIR", 1);
	present("trceventctl1r", "TRCEVENTCTL1R", NULL, NULL, 0);
	present("trcsspcicr2_numsscc", "TRCSSPCICR2", "TRCIDR4", "NUMSSCC", 3);
	present("trcsspcicr2_numpc", "TRCSSPCICR2", "TRCIDR4", "NUMPC", 1);
	present("trcsspcicr2_pc", "TRCSSPCICR2", "TRCSSCSR2", "PC", 1);

	tap_eq(V9_PUT(V9_PMBSR_EL1_EC, V9_PMBSR_EL1_EC_STAGE_1_ABORT), UINT64_C(0x90000000), "put_ec");
	tap_eq(V9_GET(V9_PMBSR_EL1_EC, UINT64_C(0x94000007)), 0x25, "get_ec");
	tap_eq(V9_PUT(V9_PMBLIMITR_EL1_FM, V9_PMBLIMITR_EL1_FM_DISCARD), 4, "put_fm_discard");
	return tap_done();
}
