/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Made by tools/gen/gen.sh from tables/sysreg. Do not edit.
 *
 * V9_SYS_<REG>            op0<<19 | op1<<16 | CRn<<12 | CRm<<8 | op2<<5
 * V9_<REG>_<FIELD>        mask in place (for V9_GET and V9_PUT)
 * V9_<REG>_<FIELD>_<NAME> value of a field, not shifted
 * V9_<REG>_RES0, _RES1    reserved bits; _UNKN: bits this project says nothing about
 */
#ifndef V9TRACE_GEN_REGS_H
#define V9TRACE_GEN_REGS_H

#include "../base.h"

#define V9_SYS_PMSCR_EL1                                0x189900
#define V9_PMSCR_EL1_EnVM                               UINT64_C(0x0000000000000800)
#define V9_PMSCR_EL1_KE                                 UINT64_C(0x0000000000000400)
#define V9_PMSCR_EL1_EE                                 UINT64_C(0x0000000000000300)
#define V9_PMSCR_EL1_PCT                                UINT64_C(0x00000000000000c0)
#define V9_PMSCR_EL1_PCT_VIRTUAL                        0x0
#define V9_PMSCR_EL1_PCT_PHYSICAL                       0x1
#define V9_PMSCR_EL1_PCT_GUEST_PHYSICAL                 0x3
#define V9_PMSCR_EL1_TS                                 UINT64_C(0x0000000000000020)
#define V9_PMSCR_EL1_PA                                 UINT64_C(0x0000000000000010)
#define V9_PMSCR_EL1_CX                                 UINT64_C(0x0000000000000008)
#define V9_PMSCR_EL1_E1SPE                              UINT64_C(0x0000000000000002)
#define V9_PMSCR_EL1_E0SPE                              UINT64_C(0x0000000000000001)
#define V9_PMSCR_EL1_RES0                               UINT64_C(0xfffffffffffff004)
#define V9_PMSCR_EL1_RES1                               UINT64_C(0x0000000000000000)
#define V9_PMSCR_EL1_UNKN                               UINT64_C(0x0000000000000000)
_Static_assert(V9_PMSCR_EL1_EnVM +
	       V9_PMSCR_EL1_KE +
	       V9_PMSCR_EL1_EE +
	       V9_PMSCR_EL1_PCT +
	       V9_PMSCR_EL1_TS +
	       V9_PMSCR_EL1_PA +
	       V9_PMSCR_EL1_CX +
	       V9_PMSCR_EL1_E1SPE +
	       V9_PMSCR_EL1_E0SPE +
	       V9_PMSCR_EL1_RES0 + V9_PMSCR_EL1_RES1 + V9_PMSCR_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "PMSCR_EL1: every bit once");

#define V9_SYS_PMSNEVFR_EL1                             0x189920
#define V9_PMSNEVFR_EL1_E                               UINT64_C(0xffffffffffffffff)
#define V9_PMSNEVFR_EL1_RES0                            UINT64_C(0x0000000000000000)
#define V9_PMSNEVFR_EL1_RES1                            UINT64_C(0x0000000000000000)
#define V9_PMSNEVFR_EL1_UNKN                            UINT64_C(0x0000000000000000)
_Static_assert(V9_PMSNEVFR_EL1_E +
	       V9_PMSNEVFR_EL1_RES0 + V9_PMSNEVFR_EL1_RES1 + V9_PMSNEVFR_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "PMSNEVFR_EL1: every bit once");

#define V9_SYS_PMSICR_EL1                               0x189940
#define V9_PMSICR_EL1_ECOUNT                            UINT64_C(0xff00000000000000)
#define V9_PMSICR_EL1_COUNT                             UINT64_C(0x00000000ffffffff)
#define V9_PMSICR_EL1_RES0                              UINT64_C(0x00ffffff00000000)
#define V9_PMSICR_EL1_RES1                              UINT64_C(0x0000000000000000)
#define V9_PMSICR_EL1_UNKN                              UINT64_C(0x0000000000000000)
_Static_assert(V9_PMSICR_EL1_ECOUNT +
	       V9_PMSICR_EL1_COUNT +
	       V9_PMSICR_EL1_RES0 + V9_PMSICR_EL1_RES1 + V9_PMSICR_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "PMSICR_EL1: every bit once");

#define V9_SYS_PMSIRR_EL1                               0x189960
#define V9_PMSIRR_EL1_INTERVAL                          UINT64_C(0x00000000ffffff00)
#define V9_PMSIRR_EL1_RND                               UINT64_C(0x0000000000000001)
#define V9_PMSIRR_EL1_RES0                              UINT64_C(0xffffffff000000fe)
#define V9_PMSIRR_EL1_RES1                              UINT64_C(0x0000000000000000)
#define V9_PMSIRR_EL1_UNKN                              UINT64_C(0x0000000000000000)
_Static_assert(V9_PMSIRR_EL1_INTERVAL +
	       V9_PMSIRR_EL1_RND +
	       V9_PMSIRR_EL1_RES0 + V9_PMSIRR_EL1_RES1 + V9_PMSIRR_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "PMSIRR_EL1: every bit once");

#define V9_SYS_PMSFCR_EL1                               0x189980
#define V9_PMSFCR_EL1_SIMDm                             UINT64_C(0x0010000000000000)
#define V9_PMSFCR_EL1_FPm                               UINT64_C(0x0008000000000000)
#define V9_PMSFCR_EL1_STm                               UINT64_C(0x0004000000000000)
#define V9_PMSFCR_EL1_LDm                               UINT64_C(0x0002000000000000)
#define V9_PMSFCR_EL1_Bm                                UINT64_C(0x0001000000000000)
#define V9_PMSFCR_EL1_SIMD                              UINT64_C(0x0000000000100000)
#define V9_PMSFCR_EL1_FP                                UINT64_C(0x0000000000080000)
#define V9_PMSFCR_EL1_ST                                UINT64_C(0x0000000000040000)
#define V9_PMSFCR_EL1_LD                                UINT64_C(0x0000000000020000)
#define V9_PMSFCR_EL1_B                                 UINT64_C(0x0000000000010000)
#define V9_PMSFCR_EL1_FDS                               UINT64_C(0x0000000000000010)
#define V9_PMSFCR_EL1_FnE                               UINT64_C(0x0000000000000008)
#define V9_PMSFCR_EL1_FL                                UINT64_C(0x0000000000000004)
#define V9_PMSFCR_EL1_FT                                UINT64_C(0x0000000000000002)
#define V9_PMSFCR_EL1_FE                                UINT64_C(0x0000000000000001)
#define V9_PMSFCR_EL1_RES0                              UINT64_C(0xffe0ffffffe0ffe0)
#define V9_PMSFCR_EL1_RES1                              UINT64_C(0x0000000000000000)
#define V9_PMSFCR_EL1_UNKN                              UINT64_C(0x0000000000000000)
_Static_assert(V9_PMSFCR_EL1_SIMDm +
	       V9_PMSFCR_EL1_FPm +
	       V9_PMSFCR_EL1_STm +
	       V9_PMSFCR_EL1_LDm +
	       V9_PMSFCR_EL1_Bm +
	       V9_PMSFCR_EL1_SIMD +
	       V9_PMSFCR_EL1_FP +
	       V9_PMSFCR_EL1_ST +
	       V9_PMSFCR_EL1_LD +
	       V9_PMSFCR_EL1_B +
	       V9_PMSFCR_EL1_FDS +
	       V9_PMSFCR_EL1_FnE +
	       V9_PMSFCR_EL1_FL +
	       V9_PMSFCR_EL1_FT +
	       V9_PMSFCR_EL1_FE +
	       V9_PMSFCR_EL1_RES0 + V9_PMSFCR_EL1_RES1 + V9_PMSFCR_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "PMSFCR_EL1: every bit once");

#define V9_SYS_PMSEVFR_EL1                              0x1899a0
#define V9_PMSEVFR_EL1_E                                UINT64_C(0xffffffffffffffff)
#define V9_PMSEVFR_EL1_RES0                             UINT64_C(0x0000000000000000)
#define V9_PMSEVFR_EL1_RES1                             UINT64_C(0x0000000000000000)
#define V9_PMSEVFR_EL1_UNKN                             UINT64_C(0x0000000000000000)
_Static_assert(V9_PMSEVFR_EL1_E +
	       V9_PMSEVFR_EL1_RES0 + V9_PMSEVFR_EL1_RES1 + V9_PMSEVFR_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "PMSEVFR_EL1: every bit once");

#define V9_SYS_PMSLATFR_EL1                             0x1899c0
#define V9_PMSLATFR_EL1_MINLAT                          UINT64_C(0x000000000000ffff)
#define V9_PMSLATFR_EL1_RES0                            UINT64_C(0xffffffffffff0000)
#define V9_PMSLATFR_EL1_RES1                            UINT64_C(0x0000000000000000)
#define V9_PMSLATFR_EL1_UNKN                            UINT64_C(0x0000000000000000)
_Static_assert(V9_PMSLATFR_EL1_MINLAT +
	       V9_PMSLATFR_EL1_RES0 + V9_PMSLATFR_EL1_RES1 + V9_PMSLATFR_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "PMSLATFR_EL1: every bit once");

#define V9_SYS_PMSIDR_EL1                               0x1899e0
#define V9_PMSIDR_EL1_SME                               UINT64_C(0x0000000100000000)
#define V9_PMSIDR_EL1_ALTCLK                            UINT64_C(0x00000000f0000000)
#define V9_PMSIDR_EL1_FPF                               UINT64_C(0x0000000008000000)
#define V9_PMSIDR_EL1_EFT                               UINT64_C(0x0000000004000000)
#define V9_PMSIDR_EL1_CRR                               UINT64_C(0x0000000002000000)
#define V9_PMSIDR_EL1_PBT                               UINT64_C(0x0000000001000000)
#define V9_PMSIDR_EL1_Format                            UINT64_C(0x0000000000f00000)
#define V9_PMSIDR_EL1_CountSize                         UINT64_C(0x00000000000f0000)
#define V9_PMSIDR_EL1_CountSize_12_BIT_SATURATING       0x2
#define V9_PMSIDR_EL1_CountSize_16_BIT_SATURATING       0x3
#define V9_PMSIDR_EL1_MaxSize                           UINT64_C(0x000000000000f000)
#define V9_PMSIDR_EL1_Interval                          UINT64_C(0x0000000000000f00)
#define V9_PMSIDR_EL1_Interval_256                      0x0
#define V9_PMSIDR_EL1_Interval_512                      0x2
#define V9_PMSIDR_EL1_Interval_768                      0x3
#define V9_PMSIDR_EL1_Interval_1024                     0x4
#define V9_PMSIDR_EL1_Interval_1536                     0x5
#define V9_PMSIDR_EL1_Interval_2048                     0x6
#define V9_PMSIDR_EL1_Interval_3072                     0x7
#define V9_PMSIDR_EL1_Interval_4096                     0x8
#define V9_PMSIDR_EL1_FDS                               UINT64_C(0x0000000000000080)
#define V9_PMSIDR_EL1_FnE                               UINT64_C(0x0000000000000040)
#define V9_PMSIDR_EL1_ERnd                              UINT64_C(0x0000000000000020)
#define V9_PMSIDR_EL1_LDS                               UINT64_C(0x0000000000000010)
#define V9_PMSIDR_EL1_ArchInst                          UINT64_C(0x0000000000000008)
#define V9_PMSIDR_EL1_FL                                UINT64_C(0x0000000000000004)
#define V9_PMSIDR_EL1_FT                                UINT64_C(0x0000000000000002)
#define V9_PMSIDR_EL1_FE                                UINT64_C(0x0000000000000001)
#define V9_PMSIDR_EL1_RES0                              UINT64_C(0xfffffffe00000000)
#define V9_PMSIDR_EL1_RES1                              UINT64_C(0x0000000000000000)
#define V9_PMSIDR_EL1_UNKN                              UINT64_C(0x0000000000000000)
_Static_assert(V9_PMSIDR_EL1_SME +
	       V9_PMSIDR_EL1_ALTCLK +
	       V9_PMSIDR_EL1_FPF +
	       V9_PMSIDR_EL1_EFT +
	       V9_PMSIDR_EL1_CRR +
	       V9_PMSIDR_EL1_PBT +
	       V9_PMSIDR_EL1_Format +
	       V9_PMSIDR_EL1_CountSize +
	       V9_PMSIDR_EL1_MaxSize +
	       V9_PMSIDR_EL1_Interval +
	       V9_PMSIDR_EL1_FDS +
	       V9_PMSIDR_EL1_FnE +
	       V9_PMSIDR_EL1_ERnd +
	       V9_PMSIDR_EL1_LDS +
	       V9_PMSIDR_EL1_ArchInst +
	       V9_PMSIDR_EL1_FL +
	       V9_PMSIDR_EL1_FT +
	       V9_PMSIDR_EL1_FE +
	       V9_PMSIDR_EL1_RES0 + V9_PMSIDR_EL1_RES1 + V9_PMSIDR_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "PMSIDR_EL1: every bit once");

#define V9_SYS_PMBLIMITR_EL1                            0x189a00
#define V9_PMBLIMITR_EL1_LIMIT                          UINT64_C(0xfffffffffffff000)
#define V9_PMBLIMITR_EL1_nVM                            UINT64_C(0x0000000000000080)
#define V9_PMBLIMITR_EL1_PMFZ                           UINT64_C(0x0000000000000020)
#define V9_PMBLIMITR_EL1_FM                             UINT64_C(0x0000000000000006)
#define V9_PMBLIMITR_EL1_FM_FILL                        0x0
#define V9_PMBLIMITR_EL1_FM_DISCARD                     0x2
#define V9_PMBLIMITR_EL1_E                              UINT64_C(0x0000000000000001)
#define V9_PMBLIMITR_EL1_RES0                           UINT64_C(0x0000000000000f58)
#define V9_PMBLIMITR_EL1_RES1                           UINT64_C(0x0000000000000000)
#define V9_PMBLIMITR_EL1_UNKN                           UINT64_C(0x0000000000000000)
_Static_assert(V9_PMBLIMITR_EL1_LIMIT +
	       V9_PMBLIMITR_EL1_nVM +
	       V9_PMBLIMITR_EL1_PMFZ +
	       V9_PMBLIMITR_EL1_FM +
	       V9_PMBLIMITR_EL1_E +
	       V9_PMBLIMITR_EL1_RES0 + V9_PMBLIMITR_EL1_RES1 + V9_PMBLIMITR_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "PMBLIMITR_EL1: every bit once");

#define V9_SYS_PMBPTR_EL1                               0x189a20
#define V9_PMBPTR_EL1_PTR                               UINT64_C(0xffffffffffffffff)
#define V9_PMBPTR_EL1_RES0                              UINT64_C(0x0000000000000000)
#define V9_PMBPTR_EL1_RES1                              UINT64_C(0x0000000000000000)
#define V9_PMBPTR_EL1_UNKN                              UINT64_C(0x0000000000000000)
_Static_assert(V9_PMBPTR_EL1_PTR +
	       V9_PMBPTR_EL1_RES0 + V9_PMBPTR_EL1_RES1 + V9_PMBPTR_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "PMBPTR_EL1: every bit once");

#define V9_SYS_PMBSR_EL1                                0x189a60
#define V9_PMBSR_EL1_MSS2                               UINT64_C(0x00ffffff00000000)
#define V9_PMBSR_EL1_TopLevel                           UINT64_C(0x0000010000000000)
#define V9_PMBSR_EL1_AssuredOnly                        UINT64_C(0x0000008000000000)
#define V9_PMBSR_EL1_Overlay                            UINT64_C(0x0000004000000000)
#define V9_PMBSR_EL1_DirtyBit                           UINT64_C(0x0000002000000000)
#define V9_PMBSR_EL1_EC                                 UINT64_C(0x00000000fc000000)
#define V9_PMBSR_EL1_EC_OTHER                           0x0
#define V9_PMBSR_EL1_EC_GRANULE_PROTECTION_CHECK        0x1e
#define V9_PMBSR_EL1_EC_IMPLEMENTATION_DEFINED          0x1f
#define V9_PMBSR_EL1_EC_STAGE_1_ABORT                   0x24
#define V9_PMBSR_EL1_EC_STAGE_2_ABORT                   0x25
#define V9_PMBSR_EL1_DL                                 UINT64_C(0x0000000000080000)
#define V9_PMBSR_EL1_EA                                 UINT64_C(0x0000000000040000)
#define V9_PMBSR_EL1_S                                  UINT64_C(0x0000000000020000)
#define V9_PMBSR_EL1_COLL                               UINT64_C(0x0000000000010000)
#define V9_PMBSR_EL1_MSS                                UINT64_C(0x000000000000ffff)
#define V9_PMBSR_EL1_BSC                                UINT64_C(0x000000000000003f)
#define V9_PMBSR_EL1_BSC_NOT_STOPPED                    0x0
#define V9_PMBSR_EL1_BSC_FILLED                         0x1
#define V9_PMBSR_EL1_BSC_SIZE                           0x4
#define V9_PMBSR_EL1_FSC                                UINT64_C(0x000000000000003f)
#define V9_PMBSR_EL1_FSC_ADDRESS_SIZE_L0                0x0
#define V9_PMBSR_EL1_FSC_ADDRESS_SIZE_L1                0x1
#define V9_PMBSR_EL1_FSC_ADDRESS_SIZE_L2                0x2
#define V9_PMBSR_EL1_FSC_ADDRESS_SIZE_L3                0x3
#define V9_PMBSR_EL1_FSC_TRANSLATION_L0                 0x4
#define V9_PMBSR_EL1_FSC_TRANSLATION_L1                 0x5
#define V9_PMBSR_EL1_FSC_TRANSLATION_L2                 0x6
#define V9_PMBSR_EL1_FSC_TRANSLATION_L3                 0x7
#define V9_PMBSR_EL1_FSC_ACCESS_FLAG_L0                 0x8
#define V9_PMBSR_EL1_FSC_ACCESS_FLAG_L1                 0x9
#define V9_PMBSR_EL1_FSC_ACCESS_FLAG_L2                 0xa
#define V9_PMBSR_EL1_FSC_ACCESS_FLAG_L3                 0xb
#define V9_PMBSR_EL1_FSC_PERMISSION_L0                  0xc
#define V9_PMBSR_EL1_FSC_PERMISSION_L1                  0xd
#define V9_PMBSR_EL1_FSC_PERMISSION_L2                  0xe
#define V9_PMBSR_EL1_FSC_PERMISSION_L3                  0xf
#define V9_PMBSR_EL1_FSC_EXTERNAL_SYNC                  0x10
#define V9_PMBSR_EL1_FSC_EXTERNAL_ASYNC                 0x11
#define V9_PMBSR_EL1_FSC_EXTERNAL_WALK_LM2              0x12
#define V9_PMBSR_EL1_FSC_EXTERNAL_WALK_LM1              0x13
#define V9_PMBSR_EL1_FSC_EXTERNAL_WALK_L0               0x14
#define V9_PMBSR_EL1_FSC_EXTERNAL_WALK_L1               0x15
#define V9_PMBSR_EL1_FSC_EXTERNAL_WALK_L2               0x16
#define V9_PMBSR_EL1_FSC_EXTERNAL_WALK_L3               0x17
#define V9_PMBSR_EL1_FSC_PARITY_WALK_LM1                0x1b
#define V9_PMBSR_EL1_FSC_ALIGNMENT                      0x21
#define V9_PMBSR_EL1_FSC_GPF_WALK_LM2                   0x22
#define V9_PMBSR_EL1_FSC_GPF_WALK_LM1                   0x23
#define V9_PMBSR_EL1_FSC_GPF_WALK_L0                    0x24
#define V9_PMBSR_EL1_FSC_GPF_WALK_L1                    0x25
#define V9_PMBSR_EL1_FSC_GPF_WALK_L2                    0x26
#define V9_PMBSR_EL1_FSC_GPF_WALK_L3                    0x27
#define V9_PMBSR_EL1_FSC_GPF                            0x28
#define V9_PMBSR_EL1_FSC_ADDRESS_SIZE_LM1               0x29
#define V9_PMBSR_EL1_FSC_TRANSLATION_LM2                0x2a
#define V9_PMBSR_EL1_FSC_TRANSLATION_LM1                0x2b
#define V9_PMBSR_EL1_FSC_ADDRESS_SIZE_LM2               0x2c
#define V9_PMBSR_EL1_FSC_TLB_CONFLICT                   0x30
#define V9_PMBSR_EL1_FSC_UNSUPPORTED_ATOMIC             0x31
#define V9_PMBSR_EL1_RES0                               UINT64_C(0xff00000003f00000)
#define V9_PMBSR_EL1_RES1                               UINT64_C(0x0000000000000000)
#define V9_PMBSR_EL1_UNKN                               UINT64_C(0x0000000000000000)
_Static_assert(V9_PMBSR_EL1_MSS2 +
	       V9_PMBSR_EL1_EC +
	       V9_PMBSR_EL1_DL +
	       V9_PMBSR_EL1_EA +
	       V9_PMBSR_EL1_S +
	       V9_PMBSR_EL1_COLL +
	       V9_PMBSR_EL1_MSS +
	       V9_PMBSR_EL1_RES0 + V9_PMBSR_EL1_RES1 + V9_PMBSR_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "PMBSR_EL1: every bit once");

#define V9_SYS_PMSDSFR_EL1                              0x189a80
#define V9_PMSDSFR_EL1_S                                UINT64_C(0xffffffffffffffff)
#define V9_PMSDSFR_EL1_RES0                             UINT64_C(0x0000000000000000)
#define V9_PMSDSFR_EL1_RES1                             UINT64_C(0x0000000000000000)
#define V9_PMSDSFR_EL1_UNKN                             UINT64_C(0x0000000000000000)
_Static_assert(V9_PMSDSFR_EL1_S +
	       V9_PMSDSFR_EL1_RES0 + V9_PMSDSFR_EL1_RES1 + V9_PMSDSFR_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "PMSDSFR_EL1: every bit once");

#define V9_SYS_PMBMAR_EL1                               0x189aa0
#define V9_PMBMAR_EL1_SH                                UINT64_C(0x0000000000000300)
#define V9_PMBMAR_EL1_SH_NON_SHAREABLE                  0x0
#define V9_PMBMAR_EL1_SH_OUTER_SHAREABLE                0x2
#define V9_PMBMAR_EL1_SH_INNER_SHAREABLE                0x3
#define V9_PMBMAR_EL1_Attr                              UINT64_C(0x00000000000000ff)
#define V9_PMBMAR_EL1_RES0                              UINT64_C(0xfffffffffffffc00)
#define V9_PMBMAR_EL1_RES1                              UINT64_C(0x0000000000000000)
#define V9_PMBMAR_EL1_UNKN                              UINT64_C(0x0000000000000000)
_Static_assert(V9_PMBMAR_EL1_SH +
	       V9_PMBMAR_EL1_Attr +
	       V9_PMBMAR_EL1_RES0 + V9_PMBMAR_EL1_RES1 + V9_PMBMAR_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "PMBMAR_EL1: every bit once");

#define V9_SYS_PMBIDR_EL1                               0x189ae0
#define V9_PMBIDR_EL1_MaxBuffSize                       UINT64_C(0x0000ffff00000000)
#define V9_PMBIDR_EL1_EA                                UINT64_C(0x0000000000000f00)
#define V9_PMBIDR_EL1_EA_NOT_DESCRIBED                  0x0
#define V9_PMBIDR_EL1_EA_IGNORED                        0x1
#define V9_PMBIDR_EL1_EA_SERROR                         0x2
#define V9_PMBIDR_EL1_AddrMode                          UINT64_C(0x00000000000000c0)
#define V9_PMBIDR_EL1_AddrMode_VA                       0x0
#define V9_PMBIDR_EL1_AddrMode_VA_PA                    0x1
#define V9_PMBIDR_EL1_AddrMode_PA                       0x3
#define V9_PMBIDR_EL1_F                                 UINT64_C(0x0000000000000020)
#define V9_PMBIDR_EL1_P                                 UINT64_C(0x0000000000000010)
#define V9_PMBIDR_EL1_Align                             UINT64_C(0x000000000000000f)
#define V9_PMBIDR_EL1_RES0                              UINT64_C(0xffff0000fffff000)
#define V9_PMBIDR_EL1_RES1                              UINT64_C(0x0000000000000000)
#define V9_PMBIDR_EL1_UNKN                              UINT64_C(0x0000000000000000)
_Static_assert(V9_PMBIDR_EL1_MaxBuffSize +
	       V9_PMBIDR_EL1_EA +
	       V9_PMBIDR_EL1_AddrMode +
	       V9_PMBIDR_EL1_F +
	       V9_PMBIDR_EL1_P +
	       V9_PMBIDR_EL1_Align +
	       V9_PMBIDR_EL1_RES0 + V9_PMBIDR_EL1_RES1 + V9_PMBIDR_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "PMBIDR_EL1: every bit once");

#define V9_SYS_PMSCR_EL2                                0x1c9900
#define V9_PMSCR_EL2_EnVM                               UINT64_C(0x0000000000000800)
#define V9_PMSCR_EL2_KE                                 UINT64_C(0x0000000000000400)
#define V9_PMSCR_EL2_EE                                 UINT64_C(0x0000000000000300)
#define V9_PMSCR_EL2_PCT                                UINT64_C(0x00000000000000c0)
#define V9_PMSCR_EL2_PCT_VIRTUAL                        0x0
#define V9_PMSCR_EL2_PCT_PHYSICAL                       0x1
#define V9_PMSCR_EL2_PCT_GUEST_PHYSICAL                 0x3
#define V9_PMSCR_EL2_TS                                 UINT64_C(0x0000000000000020)
#define V9_PMSCR_EL2_PA                                 UINT64_C(0x0000000000000010)
#define V9_PMSCR_EL2_CX                                 UINT64_C(0x0000000000000008)
#define V9_PMSCR_EL2_E2SPE                              UINT64_C(0x0000000000000002)
#define V9_PMSCR_EL2_E0HSPE                             UINT64_C(0x0000000000000001)
#define V9_PMSCR_EL2_RES0                               UINT64_C(0xfffffffffffff004)
#define V9_PMSCR_EL2_RES1                               UINT64_C(0x0000000000000000)
#define V9_PMSCR_EL2_UNKN                               UINT64_C(0x0000000000000000)
_Static_assert(V9_PMSCR_EL2_EnVM +
	       V9_PMSCR_EL2_KE +
	       V9_PMSCR_EL2_EE +
	       V9_PMSCR_EL2_PCT +
	       V9_PMSCR_EL2_TS +
	       V9_PMSCR_EL2_PA +
	       V9_PMSCR_EL2_CX +
	       V9_PMSCR_EL2_E2SPE +
	       V9_PMSCR_EL2_E0HSPE +
	       V9_PMSCR_EL2_RES0 + V9_PMSCR_EL2_RES1 + V9_PMSCR_EL2_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "PMSCR_EL2: every bit once");

#define V9_SYS_PMSCR_EL12                               0x1d9900
#define V9_PMSCR_EL12_RES0                              V9_PMSCR_EL1_RES0
#define V9_PMSCR_EL12_RES1                              V9_PMSCR_EL1_RES1
#define V9_PMSCR_EL12_UNKN                              V9_PMSCR_EL1_UNKN

#define V9_SYS_PMBSR_EL2                                0x1c9a60
#define V9_PMBSR_EL2_RES0                               V9_PMBSR_EL1_RES0
#define V9_PMBSR_EL2_RES1                               V9_PMBSR_EL1_RES1
#define V9_PMBSR_EL2_UNKN                               V9_PMBSR_EL1_UNKN

#define V9_SYS_PMBSR_EL3                                0x1e9a60
#define V9_PMBSR_EL3_RES0                               V9_PMBSR_EL1_RES0
#define V9_PMBSR_EL3_RES1                               V9_PMBSR_EL1_RES1
#define V9_PMBSR_EL3_UNKN                               V9_PMBSR_EL1_UNKN

#define V9_SYS_PMBSR_EL12                               0x1d9a60
#define V9_PMBSR_EL12_RES0                              V9_PMBSR_EL1_RES0
#define V9_PMBSR_EL12_RES1                              V9_PMBSR_EL1_RES1
#define V9_PMBSR_EL12_UNKN                              V9_PMBSR_EL1_UNKN

#define V9_SYS_TRBLIMITR_EL1                            0x189b00
#define V9_TRBLIMITR_EL1_LIMIT                          UINT64_C(0xfffffffffffff000)
#define V9_TRBLIMITR_EL1_XE                             UINT64_C(0x0000000000000040)
#define V9_TRBLIMITR_EL1_nVM                            UINT64_C(0x0000000000000020)
#define V9_TRBLIMITR_EL1_TM                             UINT64_C(0x0000000000000018)
#define V9_TRBLIMITR_EL1_TM_STOP                        0x0
#define V9_TRBLIMITR_EL1_TM_IRQ                         0x1
#define V9_TRBLIMITR_EL1_TM_IGNORE                      0x3
#define V9_TRBLIMITR_EL1_FM                             UINT64_C(0x0000000000000006)
#define V9_TRBLIMITR_EL1_FM_FILL                        0x0
#define V9_TRBLIMITR_EL1_FM_WRAP                        0x1
#define V9_TRBLIMITR_EL1_FM_CIRCULAR                    0x3
#define V9_TRBLIMITR_EL1_E                              UINT64_C(0x0000000000000001)
#define V9_TRBLIMITR_EL1_RES0                           UINT64_C(0x0000000000000f80)
#define V9_TRBLIMITR_EL1_RES1                           UINT64_C(0x0000000000000000)
#define V9_TRBLIMITR_EL1_UNKN                           UINT64_C(0x0000000000000000)
_Static_assert(V9_TRBLIMITR_EL1_LIMIT +
	       V9_TRBLIMITR_EL1_XE +
	       V9_TRBLIMITR_EL1_nVM +
	       V9_TRBLIMITR_EL1_TM +
	       V9_TRBLIMITR_EL1_FM +
	       V9_TRBLIMITR_EL1_E +
	       V9_TRBLIMITR_EL1_RES0 + V9_TRBLIMITR_EL1_RES1 + V9_TRBLIMITR_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRBLIMITR_EL1: every bit once");

#define V9_SYS_TRBPTR_EL1                               0x189b20
#define V9_TRBPTR_EL1_PTR                               UINT64_C(0xffffffffffffffff)
#define V9_TRBPTR_EL1_RES0                              UINT64_C(0x0000000000000000)
#define V9_TRBPTR_EL1_RES1                              UINT64_C(0x0000000000000000)
#define V9_TRBPTR_EL1_UNKN                              UINT64_C(0x0000000000000000)
_Static_assert(V9_TRBPTR_EL1_PTR +
	       V9_TRBPTR_EL1_RES0 + V9_TRBPTR_EL1_RES1 + V9_TRBPTR_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRBPTR_EL1: every bit once");

#define V9_SYS_TRBBASER_EL1                             0x189b40
#define V9_TRBBASER_EL1_BASE                            UINT64_C(0xfffffffffffff000)
#define V9_TRBBASER_EL1_RES0                            UINT64_C(0x0000000000000fff)
#define V9_TRBBASER_EL1_RES1                            UINT64_C(0x0000000000000000)
#define V9_TRBBASER_EL1_UNKN                            UINT64_C(0x0000000000000000)
_Static_assert(V9_TRBBASER_EL1_BASE +
	       V9_TRBBASER_EL1_RES0 + V9_TRBBASER_EL1_RES1 + V9_TRBBASER_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRBBASER_EL1: every bit once");

#define V9_SYS_TRBSR_EL1                                0x189b60
#define V9_TRBSR_EL1_MSS2                               UINT64_C(0x00ffffff00000000)
#define V9_TRBSR_EL1_TopLevel                           UINT64_C(0x0000010000000000)
#define V9_TRBSR_EL1_AssuredOnly                        UINT64_C(0x0000008000000000)
#define V9_TRBSR_EL1_Overlay                            UINT64_C(0x0000004000000000)
#define V9_TRBSR_EL1_DirtyBit                           UINT64_C(0x0000002000000000)
#define V9_TRBSR_EL1_EC                                 UINT64_C(0x00000000fc000000)
#define V9_TRBSR_EL1_EC_OTHER                           0x0
#define V9_TRBSR_EL1_EC_GRANULE_PROTECTION_CHECK        0x1e
#define V9_TRBSR_EL1_EC_IMPLEMENTATION_DEFINED          0x1f
#define V9_TRBSR_EL1_EC_STAGE_1_ABORT                   0x24
#define V9_TRBSR_EL1_EC_STAGE_2_ABORT                   0x25
#define V9_TRBSR_EL1_DAT                                UINT64_C(0x0000000000800000)
#define V9_TRBSR_EL1_IRQ                                UINT64_C(0x0000000000400000)
#define V9_TRBSR_EL1_TRG                                UINT64_C(0x0000000000200000)
#define V9_TRBSR_EL1_WRAP                               UINT64_C(0x0000000000100000)
#define V9_TRBSR_EL1_EA                                 UINT64_C(0x0000000000040000)
#define V9_TRBSR_EL1_S                                  UINT64_C(0x0000000000020000)
#define V9_TRBSR_EL1_MSS                                UINT64_C(0x000000000000ffff)
#define V9_TRBSR_EL1_BSC                                UINT64_C(0x000000000000003f)
#define V9_TRBSR_EL1_BSC_NOT_STOPPED                    0x0
#define V9_TRBSR_EL1_BSC_FILLED                         0x1
#define V9_TRBSR_EL1_BSC_TRIGGER                        0x2
#define V9_TRBSR_EL1_BSC_MANUAL                         0x3
#define V9_TRBSR_EL1_BSC_SIZE                           0x4
#define V9_TRBSR_EL1_FSC                                UINT64_C(0x000000000000003f)
#define V9_TRBSR_EL1_FSC_ADDRESS_SIZE_L0                0x0
#define V9_TRBSR_EL1_FSC_ADDRESS_SIZE_L1                0x1
#define V9_TRBSR_EL1_FSC_ADDRESS_SIZE_L2                0x2
#define V9_TRBSR_EL1_FSC_ADDRESS_SIZE_L3                0x3
#define V9_TRBSR_EL1_FSC_TRANSLATION_L0                 0x4
#define V9_TRBSR_EL1_FSC_TRANSLATION_L1                 0x5
#define V9_TRBSR_EL1_FSC_TRANSLATION_L2                 0x6
#define V9_TRBSR_EL1_FSC_TRANSLATION_L3                 0x7
#define V9_TRBSR_EL1_FSC_ACCESS_FLAG_L0                 0x8
#define V9_TRBSR_EL1_FSC_ACCESS_FLAG_L1                 0x9
#define V9_TRBSR_EL1_FSC_ACCESS_FLAG_L2                 0xa
#define V9_TRBSR_EL1_FSC_ACCESS_FLAG_L3                 0xb
#define V9_TRBSR_EL1_FSC_PERMISSION_L0                  0xc
#define V9_TRBSR_EL1_FSC_PERMISSION_L1                  0xd
#define V9_TRBSR_EL1_FSC_PERMISSION_L2                  0xe
#define V9_TRBSR_EL1_FSC_PERMISSION_L3                  0xf
#define V9_TRBSR_EL1_FSC_EXTERNAL_SYNC                  0x10
#define V9_TRBSR_EL1_FSC_EXTERNAL_ASYNC                 0x11
#define V9_TRBSR_EL1_FSC_EXTERNAL_WALK_LM2              0x12
#define V9_TRBSR_EL1_FSC_EXTERNAL_WALK_LM1              0x13
#define V9_TRBSR_EL1_FSC_EXTERNAL_WALK_L0               0x14
#define V9_TRBSR_EL1_FSC_EXTERNAL_WALK_L1               0x15
#define V9_TRBSR_EL1_FSC_EXTERNAL_WALK_L2               0x16
#define V9_TRBSR_EL1_FSC_EXTERNAL_WALK_L3               0x17
#define V9_TRBSR_EL1_FSC_PARITY_WALK_LM1                0x1b
#define V9_TRBSR_EL1_FSC_ALIGNMENT                      0x21
#define V9_TRBSR_EL1_FSC_GPF_WALK_LM2                   0x22
#define V9_TRBSR_EL1_FSC_GPF_WALK_LM1                   0x23
#define V9_TRBSR_EL1_FSC_GPF_WALK_L0                    0x24
#define V9_TRBSR_EL1_FSC_GPF_WALK_L1                    0x25
#define V9_TRBSR_EL1_FSC_GPF_WALK_L2                    0x26
#define V9_TRBSR_EL1_FSC_GPF_WALK_L3                    0x27
#define V9_TRBSR_EL1_FSC_GPF                            0x28
#define V9_TRBSR_EL1_FSC_ADDRESS_SIZE_LM1               0x29
#define V9_TRBSR_EL1_FSC_TRANSLATION_LM2                0x2a
#define V9_TRBSR_EL1_FSC_TRANSLATION_LM1                0x2b
#define V9_TRBSR_EL1_FSC_ADDRESS_SIZE_LM2               0x2c
#define V9_TRBSR_EL1_FSC_TLB_CONFLICT                   0x30
#define V9_TRBSR_EL1_FSC_UNSUPPORTED_ATOMIC             0x31
#define V9_TRBSR_EL1_RES0                               UINT64_C(0xff00000003090000)
#define V9_TRBSR_EL1_RES1                               UINT64_C(0x0000000000000000)
#define V9_TRBSR_EL1_UNKN                               UINT64_C(0x0000000000000000)
_Static_assert(V9_TRBSR_EL1_MSS2 +
	       V9_TRBSR_EL1_EC +
	       V9_TRBSR_EL1_DAT +
	       V9_TRBSR_EL1_IRQ +
	       V9_TRBSR_EL1_TRG +
	       V9_TRBSR_EL1_WRAP +
	       V9_TRBSR_EL1_EA +
	       V9_TRBSR_EL1_S +
	       V9_TRBSR_EL1_MSS +
	       V9_TRBSR_EL1_RES0 + V9_TRBSR_EL1_RES1 + V9_TRBSR_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRBSR_EL1: every bit once");

#define V9_SYS_TRBMAR_EL1                               0x189b80
#define V9_TRBMAR_EL1_PAS                               UINT64_C(0x0000000000000c00)
#define V9_TRBMAR_EL1_SH                                UINT64_C(0x0000000000000300)
#define V9_TRBMAR_EL1_SH_NON_SHAREABLE                  0x0
#define V9_TRBMAR_EL1_SH_OUTER_SHAREABLE                0x2
#define V9_TRBMAR_EL1_SH_INNER_SHAREABLE                0x3
#define V9_TRBMAR_EL1_Attr                              UINT64_C(0x00000000000000ff)
#define V9_TRBMAR_EL1_RES0                              UINT64_C(0xfffffffffffff000)
#define V9_TRBMAR_EL1_RES1                              UINT64_C(0x0000000000000000)
#define V9_TRBMAR_EL1_UNKN                              UINT64_C(0x0000000000000000)
_Static_assert(V9_TRBMAR_EL1_PAS +
	       V9_TRBMAR_EL1_SH +
	       V9_TRBMAR_EL1_Attr +
	       V9_TRBMAR_EL1_RES0 + V9_TRBMAR_EL1_RES1 + V9_TRBMAR_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRBMAR_EL1: every bit once");

#define V9_SYS_TRBMPAM_EL1                              0x189ba0
#define V9_TRBMPAM_EL1_EN                               UINT64_C(0x0000000004000000)
#define V9_TRBMPAM_EL1_MPAM_SP                          UINT64_C(0x0000000003000000)
#define V9_TRBMPAM_EL1_PMG                              UINT64_C(0x0000000000ff0000)
#define V9_TRBMPAM_EL1_PARTID                           UINT64_C(0x000000000000ffff)
#define V9_TRBMPAM_EL1_RES0                             UINT64_C(0xfffffffff8000000)
#define V9_TRBMPAM_EL1_RES1                             UINT64_C(0x0000000000000000)
#define V9_TRBMPAM_EL1_UNKN                             UINT64_C(0x0000000000000000)
_Static_assert(V9_TRBMPAM_EL1_EN +
	       V9_TRBMPAM_EL1_MPAM_SP +
	       V9_TRBMPAM_EL1_PMG +
	       V9_TRBMPAM_EL1_PARTID +
	       V9_TRBMPAM_EL1_RES0 + V9_TRBMPAM_EL1_RES1 + V9_TRBMPAM_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRBMPAM_EL1: every bit once");

#define V9_SYS_TRBTRG_EL1                               0x189bc0
#define V9_TRBTRG_EL1_TRG                               UINT64_C(0x00000000ffffffff)
#define V9_TRBTRG_EL1_RES0                              UINT64_C(0xffffffff00000000)
#define V9_TRBTRG_EL1_RES1                              UINT64_C(0x0000000000000000)
#define V9_TRBTRG_EL1_UNKN                              UINT64_C(0x0000000000000000)
_Static_assert(V9_TRBTRG_EL1_TRG +
	       V9_TRBTRG_EL1_RES0 + V9_TRBTRG_EL1_RES1 + V9_TRBTRG_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRBTRG_EL1: every bit once");

#define V9_SYS_TRBIDR_EL1                               0x189be0
#define V9_TRBIDR_EL1_MaxBuffSize                       UINT64_C(0x0000ffff00000000)
#define V9_TRBIDR_EL1_MPAM                              UINT64_C(0x000000000000f000)
#define V9_TRBIDR_EL1_MPAM_NOT_IMPLEMENTED              0x0
#define V9_TRBIDR_EL1_MPAM_DEFAULT_LABELS               0x1
#define V9_TRBIDR_EL1_MPAM_TRBE_MPAM                    0x2
#define V9_TRBIDR_EL1_EA                                UINT64_C(0x0000000000000f00)
#define V9_TRBIDR_EL1_EA_NOT_DESCRIBED                  0x0
#define V9_TRBIDR_EL1_EA_IGNORED                        0x1
#define V9_TRBIDR_EL1_EA_SERROR                         0x2
#define V9_TRBIDR_EL1_AddrMode                          UINT64_C(0x00000000000000c0)
#define V9_TRBIDR_EL1_AddrMode_VA_PA                    0x0
#define V9_TRBIDR_EL1_AddrMode_VA                       0x1
#define V9_TRBIDR_EL1_AddrMode_PA                       0x2
#define V9_TRBIDR_EL1_F                                 UINT64_C(0x0000000000000020)
#define V9_TRBIDR_EL1_P                                 UINT64_C(0x0000000000000010)
#define V9_TRBIDR_EL1_Align                             UINT64_C(0x000000000000000f)
#define V9_TRBIDR_EL1_RES0                              UINT64_C(0xffff0000ffff0000)
#define V9_TRBIDR_EL1_RES1                              UINT64_C(0x0000000000000000)
#define V9_TRBIDR_EL1_UNKN                              UINT64_C(0x0000000000000000)
_Static_assert(V9_TRBIDR_EL1_MaxBuffSize +
	       V9_TRBIDR_EL1_MPAM +
	       V9_TRBIDR_EL1_EA +
	       V9_TRBIDR_EL1_AddrMode +
	       V9_TRBIDR_EL1_F +
	       V9_TRBIDR_EL1_P +
	       V9_TRBIDR_EL1_Align +
	       V9_TRBIDR_EL1_RES0 + V9_TRBIDR_EL1_RES1 + V9_TRBIDR_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRBIDR_EL1: every bit once");

#define V9_SYS_TRBSR_EL2                                0x1c9b60
#define V9_TRBSR_EL2_RES0                               V9_TRBSR_EL1_RES0
#define V9_TRBSR_EL2_RES1                               V9_TRBSR_EL1_RES1
#define V9_TRBSR_EL2_UNKN                               V9_TRBSR_EL1_UNKN

#define V9_SYS_TRBSR_EL3                                0x1e9b60
#define V9_TRBSR_EL3_RES0                               V9_TRBSR_EL1_RES0
#define V9_TRBSR_EL3_RES1                               V9_TRBSR_EL1_RES1
#define V9_TRBSR_EL3_UNKN                               V9_TRBSR_EL1_UNKN

#define V9_SYS_TRBSR_EL12                               0x1d9b60
#define V9_TRBSR_EL12_RES0                              V9_TRBSR_EL1_RES0
#define V9_TRBSR_EL12_RES1                              V9_TRBSR_EL1_RES1
#define V9_TRBSR_EL12_UNKN                              V9_TRBSR_EL1_UNKN

#define V9_SYS_TRFCR_EL1                                0x181220
#define V9_TRFCR_EL1_DnVM                               UINT64_C(0x0000000000000800)
#define V9_TRFCR_EL1_KE                                 UINT64_C(0x0000000000000400)
#define V9_TRFCR_EL1_EE                                 UINT64_C(0x0000000000000300)
#define V9_TRFCR_EL1_TS                                 UINT64_C(0x0000000000000060)
#define V9_TRFCR_EL1_TS_NESTED                          0x0
#define V9_TRFCR_EL1_TS_VIRTUAL                         0x1
#define V9_TRFCR_EL1_TS_GUEST_PHYSICAL                  0x2
#define V9_TRFCR_EL1_TS_PHYSICAL                        0x3
#define V9_TRFCR_EL1_CX                                 UINT64_C(0x0000000000000008)
#define V9_TRFCR_EL1_E1TRE                              UINT64_C(0x0000000000000002)
#define V9_TRFCR_EL1_E0TRE                              UINT64_C(0x0000000000000001)
#define V9_TRFCR_EL1_RES0                               UINT64_C(0xfffffffffffff094)
#define V9_TRFCR_EL1_RES1                               UINT64_C(0x0000000000000000)
#define V9_TRFCR_EL1_UNKN                               UINT64_C(0x0000000000000000)
_Static_assert(V9_TRFCR_EL1_DnVM +
	       V9_TRFCR_EL1_KE +
	       V9_TRFCR_EL1_EE +
	       V9_TRFCR_EL1_TS +
	       V9_TRFCR_EL1_CX +
	       V9_TRFCR_EL1_E1TRE +
	       V9_TRFCR_EL1_E0TRE +
	       V9_TRFCR_EL1_RES0 + V9_TRFCR_EL1_RES1 + V9_TRFCR_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRFCR_EL1: every bit once");

#define V9_SYS_TRFCR_EL2                                0x1c1220
#define V9_TRFCR_EL2_DnVM                               UINT64_C(0x0000000000000800)
#define V9_TRFCR_EL2_KE                                 UINT64_C(0x0000000000000400)
#define V9_TRFCR_EL2_EE                                 UINT64_C(0x0000000000000300)
#define V9_TRFCR_EL2_TS                                 UINT64_C(0x0000000000000060)
#define V9_TRFCR_EL2_TS_TRFCR_EL1                       0x0
#define V9_TRFCR_EL2_TS_VIRTUAL                         0x1
#define V9_TRFCR_EL2_TS_GUEST_PHYSICAL                  0x2
#define V9_TRFCR_EL2_TS_PHYSICAL                        0x3
#define V9_TRFCR_EL2_CX                                 UINT64_C(0x0000000000000008)
#define V9_TRFCR_EL2_E2TRE                              UINT64_C(0x0000000000000002)
#define V9_TRFCR_EL2_E0HTRE                             UINT64_C(0x0000000000000001)
#define V9_TRFCR_EL2_RES0                               UINT64_C(0xfffffffffffff094)
#define V9_TRFCR_EL2_RES1                               UINT64_C(0x0000000000000000)
#define V9_TRFCR_EL2_UNKN                               UINT64_C(0x0000000000000000)
_Static_assert(V9_TRFCR_EL2_DnVM +
	       V9_TRFCR_EL2_KE +
	       V9_TRFCR_EL2_EE +
	       V9_TRFCR_EL2_TS +
	       V9_TRFCR_EL2_CX +
	       V9_TRFCR_EL2_E2TRE +
	       V9_TRFCR_EL2_E0HTRE +
	       V9_TRFCR_EL2_RES0 + V9_TRFCR_EL2_RES1 + V9_TRFCR_EL2_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRFCR_EL2: every bit once");

#define V9_SYS_TRFCR_EL12                               0x1d1220
#define V9_TRFCR_EL12_RES0                              V9_TRFCR_EL1_RES0
#define V9_TRFCR_EL12_RES1                              V9_TRFCR_EL1_RES1
#define V9_TRFCR_EL12_UNKN                              V9_TRFCR_EL1_UNKN

#define V9_SYS_TRCITECR_EL1                             0x181260
#define V9_TRCITECR_EL1_E1E                             UINT64_C(0x0000000000000002)
#define V9_TRCITECR_EL1_E0E                             UINT64_C(0x0000000000000001)
#define V9_TRCITECR_EL1_RES0                            UINT64_C(0xfffffffffffffffc)
#define V9_TRCITECR_EL1_RES1                            UINT64_C(0x0000000000000000)
#define V9_TRCITECR_EL1_UNKN                            UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCITECR_EL1_E1E +
	       V9_TRCITECR_EL1_E0E +
	       V9_TRCITECR_EL1_RES0 + V9_TRCITECR_EL1_RES1 + V9_TRCITECR_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCITECR_EL1: every bit once");

#define V9_SYS_TRCITECR_EL2                             0x1c1260
#define V9_TRCITECR_EL2_E2E                             UINT64_C(0x0000000000000002)
#define V9_TRCITECR_EL2_E0HE                            UINT64_C(0x0000000000000001)
#define V9_TRCITECR_EL2_RES0                            UINT64_C(0xfffffffffffffffc)
#define V9_TRCITECR_EL2_RES1                            UINT64_C(0x0000000000000000)
#define V9_TRCITECR_EL2_UNKN                            UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCITECR_EL2_E2E +
	       V9_TRCITECR_EL2_E0HE +
	       V9_TRCITECR_EL2_RES0 + V9_TRCITECR_EL2_RES1 + V9_TRCITECR_EL2_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCITECR_EL2: every bit once");

#define V9_SYS_TRCITECR_EL12                            0x1d1260
#define V9_TRCITECR_EL12_RES0                           V9_TRCITECR_EL1_RES0
#define V9_TRCITECR_EL12_RES1                           V9_TRCITECR_EL1_RES1
#define V9_TRCITECR_EL12_UNKN                           V9_TRCITECR_EL1_UNKN

#define V9_SYS_TRCPRGCTLR                               0x110100
#define V9_TRCPRGCTLR_EN                                UINT64_C(0x0000000000000001)
#define V9_TRCPRGCTLR_RES0                              UINT64_C(0xfffffffffffffffe)
#define V9_TRCPRGCTLR_RES1                              UINT64_C(0x0000000000000000)
#define V9_TRCPRGCTLR_UNKN                              UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCPRGCTLR_EN +
	       V9_TRCPRGCTLR_RES0 + V9_TRCPRGCTLR_RES1 + V9_TRCPRGCTLR_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCPRGCTLR: every bit once");

#define V9_SYS_TRCSTATR                                 0x110300
#define V9_TRCSTATR_PMSTABLE                            UINT64_C(0x0000000000000002)
#define V9_TRCSTATR_IDLE                                UINT64_C(0x0000000000000001)
#define V9_TRCSTATR_RES0                                UINT64_C(0xfffffffffffffffc)
#define V9_TRCSTATR_RES1                                UINT64_C(0x0000000000000000)
#define V9_TRCSTATR_UNKN                                UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCSTATR_PMSTABLE +
	       V9_TRCSTATR_IDLE +
	       V9_TRCSTATR_RES0 + V9_TRCSTATR_RES1 + V9_TRCSTATR_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCSTATR: every bit once");

#define V9_SYS_TRCCONFIGR                               0x110400
#define V9_TRCCONFIGR_ITO                               UINT64_C(0x0000000000040000)
#define V9_TRCCONFIGR_VMIDOPT                           UINT64_C(0x0000000000008000)
#define V9_TRCCONFIGR_QE                                UINT64_C(0x0000000000006000)
#define V9_TRCCONFIGR_QE_OFF                            0x0
#define V9_TRCCONFIGR_QE_WITH_COUNT                     0x1
#define V9_TRCCONFIGR_QE_ALL                            0x3
#define V9_TRCCONFIGR_RS                                UINT64_C(0x0000000000001000)
#define V9_TRCCONFIGR_TS                                UINT64_C(0x0000000000000800)
#define V9_TRCCONFIGR_VMID                              UINT64_C(0x0000000000000080)
#define V9_TRCCONFIGR_CID                               UINT64_C(0x0000000000000040)
#define V9_TRCCONFIGR_CCI                               UINT64_C(0x0000000000000010)
#define V9_TRCCONFIGR_BB                                UINT64_C(0x0000000000000008)
#define V9_TRCCONFIGR_RES0                              UINT64_C(0xfffffffffffb0726)
#define V9_TRCCONFIGR_RES1                              UINT64_C(0x0000000000000001)
#define V9_TRCCONFIGR_UNKN                              UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCCONFIGR_ITO +
	       V9_TRCCONFIGR_VMIDOPT +
	       V9_TRCCONFIGR_QE +
	       V9_TRCCONFIGR_RS +
	       V9_TRCCONFIGR_TS +
	       V9_TRCCONFIGR_VMID +
	       V9_TRCCONFIGR_CID +
	       V9_TRCCONFIGR_CCI +
	       V9_TRCCONFIGR_BB +
	       V9_TRCCONFIGR_RES0 + V9_TRCCONFIGR_RES1 + V9_TRCCONFIGR_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCCONFIGR: every bit once");

#define V9_SYS_TRCAUXCTLR                               0x110600
#define V9_TRCAUXCTLR_IMPDEF                            UINT64_C(0x00000000ffffffff)
#define V9_TRCAUXCTLR_RES0                              UINT64_C(0xffffffff00000000)
#define V9_TRCAUXCTLR_RES1                              UINT64_C(0x0000000000000000)
#define V9_TRCAUXCTLR_UNKN                              UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCAUXCTLR_IMPDEF +
	       V9_TRCAUXCTLR_RES0 + V9_TRCAUXCTLR_RES1 + V9_TRCAUXCTLR_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCAUXCTLR: every bit once");

#define V9_SYS_TRCEVENTCTL0R                            0x110800
#define V9_TRCEVENTCTL0R_EVENT3_TYPE                    UINT64_C(0x0000000080000000)
#define V9_TRCEVENTCTL0R_EVENT3_SEL                     UINT64_C(0x000000001f000000)
#define V9_TRCEVENTCTL0R_EVENT2_TYPE                    UINT64_C(0x0000000000800000)
#define V9_TRCEVENTCTL0R_EVENT2_SEL                     UINT64_C(0x00000000001f0000)
#define V9_TRCEVENTCTL0R_EVENT1_TYPE                    UINT64_C(0x0000000000008000)
#define V9_TRCEVENTCTL0R_EVENT1_SEL                     UINT64_C(0x0000000000001f00)
#define V9_TRCEVENTCTL0R_EVENT0_TYPE                    UINT64_C(0x0000000000000080)
#define V9_TRCEVENTCTL0R_EVENT0_SEL                     UINT64_C(0x000000000000001f)
#define V9_TRCEVENTCTL0R_RES0                           UINT64_C(0xffffffff60606060)
#define V9_TRCEVENTCTL0R_RES1                           UINT64_C(0x0000000000000000)
#define V9_TRCEVENTCTL0R_UNKN                           UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCEVENTCTL0R_EVENT3_TYPE +
	       V9_TRCEVENTCTL0R_EVENT3_SEL +
	       V9_TRCEVENTCTL0R_EVENT2_TYPE +
	       V9_TRCEVENTCTL0R_EVENT2_SEL +
	       V9_TRCEVENTCTL0R_EVENT1_TYPE +
	       V9_TRCEVENTCTL0R_EVENT1_SEL +
	       V9_TRCEVENTCTL0R_EVENT0_TYPE +
	       V9_TRCEVENTCTL0R_EVENT0_SEL +
	       V9_TRCEVENTCTL0R_RES0 + V9_TRCEVENTCTL0R_RES1 + V9_TRCEVENTCTL0R_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCEVENTCTL0R: every bit once");

#define V9_SYS_TRCEVENTCTL1R                            0x110900
#define V9_TRCEVENTCTL1R_OE                             UINT64_C(0x0000000000002000)
#define V9_TRCEVENTCTL1R_LPOVERRIDE                     UINT64_C(0x0000000000001000)
#define V9_TRCEVENTCTL1R_ATB                            UINT64_C(0x0000000000000800)
#define V9_TRCEVENTCTL1R_INSTEN                         UINT64_C(0x000000000000000f)
#define V9_TRCEVENTCTL1R_RES0                           UINT64_C(0xffffffffffffc7f0)
#define V9_TRCEVENTCTL1R_RES1                           UINT64_C(0x0000000000000000)
#define V9_TRCEVENTCTL1R_UNKN                           UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCEVENTCTL1R_OE +
	       V9_TRCEVENTCTL1R_LPOVERRIDE +
	       V9_TRCEVENTCTL1R_ATB +
	       V9_TRCEVENTCTL1R_INSTEN +
	       V9_TRCEVENTCTL1R_RES0 + V9_TRCEVENTCTL1R_RES1 + V9_TRCEVENTCTL1R_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCEVENTCTL1R: every bit once");

#define V9_SYS_TRCRSR                                   0x110a00
#define V9_TRCRSR_TA                                    UINT64_C(0x0000000000001000)
#define V9_TRCRSR_EVENT                                 UINT64_C(0x0000000000000f00)
#define V9_TRCRSR_EXTIN                                 UINT64_C(0x000000000000000f)
#define V9_TRCRSR_RES0                                  UINT64_C(0xffffffffffffe0f0)
#define V9_TRCRSR_RES1                                  UINT64_C(0x0000000000000000)
#define V9_TRCRSR_UNKN                                  UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCRSR_TA +
	       V9_TRCRSR_EVENT +
	       V9_TRCRSR_EXTIN +
	       V9_TRCRSR_RES0 + V9_TRCRSR_RES1 + V9_TRCRSR_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCRSR: every bit once");

#define V9_SYS_TRCSTALLCTLR                             0x110b00
#define V9_TRCSTALLCTLR_NOOVERFLOW                      UINT64_C(0x0000000000002000)
#define V9_TRCSTALLCTLR_ISTALL                          UINT64_C(0x0000000000000100)
#define V9_TRCSTALLCTLR_LEVEL                           UINT64_C(0x000000000000000f)
#define V9_TRCSTALLCTLR_RES0                            UINT64_C(0xffffffffffffdef0)
#define V9_TRCSTALLCTLR_RES1                            UINT64_C(0x0000000000000000)
#define V9_TRCSTALLCTLR_UNKN                            UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCSTALLCTLR_NOOVERFLOW +
	       V9_TRCSTALLCTLR_ISTALL +
	       V9_TRCSTALLCTLR_LEVEL +
	       V9_TRCSTALLCTLR_RES0 + V9_TRCSTALLCTLR_RES1 + V9_TRCSTALLCTLR_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCSTALLCTLR: every bit once");

#define V9_SYS_TRCTSCTLR                                0x110c00
#define V9_TRCTSCTLR_EVENT_TYPE                         UINT64_C(0x0000000000000080)
#define V9_TRCTSCTLR_EVENT_SEL                          UINT64_C(0x000000000000001f)
#define V9_TRCTSCTLR_RES0                               UINT64_C(0xffffffffffffff60)
#define V9_TRCTSCTLR_RES1                               UINT64_C(0x0000000000000000)
#define V9_TRCTSCTLR_UNKN                               UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCTSCTLR_EVENT_TYPE +
	       V9_TRCTSCTLR_EVENT_SEL +
	       V9_TRCTSCTLR_RES0 + V9_TRCTSCTLR_RES1 + V9_TRCTSCTLR_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCTSCTLR: every bit once");

#define V9_SYS_TRCSYNCPR                                0x110d00
#define V9_TRCSYNCPR_PERIOD                             UINT64_C(0x000000000000001f)
#define V9_TRCSYNCPR_RES0                               UINT64_C(0xffffffffffffffe0)
#define V9_TRCSYNCPR_RES1                               UINT64_C(0x0000000000000000)
#define V9_TRCSYNCPR_UNKN                               UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCSYNCPR_PERIOD +
	       V9_TRCSYNCPR_RES0 + V9_TRCSYNCPR_RES1 + V9_TRCSYNCPR_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCSYNCPR: every bit once");

#define V9_SYS_TRCCCCTLR                                0x110e00
#define V9_TRCCCCTLR_THRESHOLD                          UINT64_C(0x0000000000000fff)
#define V9_TRCCCCTLR_RES0                               UINT64_C(0xfffffffffffff000)
#define V9_TRCCCCTLR_RES1                               UINT64_C(0x0000000000000000)
#define V9_TRCCCCTLR_UNKN                               UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCCCCTLR_THRESHOLD +
	       V9_TRCCCCTLR_RES0 + V9_TRCCCCTLR_RES1 + V9_TRCCCCTLR_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCCCCTLR: every bit once");

#define V9_SYS_TRCBBCTLR                                0x110f00
#define V9_TRCBBCTLR_MODE                               UINT64_C(0x0000000000000100)
#define V9_TRCBBCTLR_MODE_EXCLUDE                       0x0
#define V9_TRCBBCTLR_MODE_INCLUDE                       0x1
#define V9_TRCBBCTLR_RANGE                              UINT64_C(0x00000000000000ff)
#define V9_TRCBBCTLR_RES0                               UINT64_C(0xfffffffffffffe00)
#define V9_TRCBBCTLR_RES1                               UINT64_C(0x0000000000000000)
#define V9_TRCBBCTLR_UNKN                               UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCBBCTLR_MODE +
	       V9_TRCBBCTLR_RANGE +
	       V9_TRCBBCTLR_RES0 + V9_TRCBBCTLR_RES1 + V9_TRCBBCTLR_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCBBCTLR: every bit once");

#define V9_SYS_TRCTRACEIDR                              0x110020
#define V9_TRCTRACEIDR_TRACEID                          UINT64_C(0x000000000000007f)
#define V9_TRCTRACEIDR_RES0                             UINT64_C(0xffffffffffffff80)
#define V9_TRCTRACEIDR_RES1                             UINT64_C(0x0000000000000000)
#define V9_TRCTRACEIDR_UNKN                             UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCTRACEIDR_TRACEID +
	       V9_TRCTRACEIDR_RES0 + V9_TRCTRACEIDR_RES1 + V9_TRCTRACEIDR_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCTRACEIDR: every bit once");

#define V9_SYS_TRCQCTLR                                 0x110120
#define V9_TRCQCTLR_MODE                                UINT64_C(0x0000000000000100)
#define V9_TRCQCTLR_MODE_EXCLUDE                        0x0
#define V9_TRCQCTLR_MODE_INCLUDE                        0x1
#define V9_TRCQCTLR_RANGE                               UINT64_C(0x00000000000000ff)
#define V9_TRCQCTLR_RES0                                UINT64_C(0xfffffffffffffe00)
#define V9_TRCQCTLR_RES1                                UINT64_C(0x0000000000000000)
#define V9_TRCQCTLR_UNKN                                UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCQCTLR_MODE +
	       V9_TRCQCTLR_RANGE +
	       V9_TRCQCTLR_RES0 + V9_TRCQCTLR_RES1 + V9_TRCQCTLR_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCQCTLR: every bit once");

#define V9_SYS_TRCITEEDCR                               0x110220
#define V9_TRCITEEDCR_RL                                UINT64_C(0x0000000000000040)
#define V9_TRCITEEDCR_S                                 UINT64_C(0x0000000000000020)
#define V9_TRCITEEDCR_NS                                UINT64_C(0x0000000000000010)
#define V9_TRCITEEDCR_E3                                UINT64_C(0x0000000000000008)
#define V9_TRCITEEDCR_E                                 UINT64_C(0x0000000000000007)
#define V9_TRCITEEDCR_RES0                              UINT64_C(0xffffffffffffff80)
#define V9_TRCITEEDCR_RES1                              UINT64_C(0x0000000000000000)
#define V9_TRCITEEDCR_UNKN                              UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCITEEDCR_RL +
	       V9_TRCITEEDCR_S +
	       V9_TRCITEEDCR_NS +
	       V9_TRCITEEDCR_E3 +
	       V9_TRCITEEDCR_E +
	       V9_TRCITEEDCR_RES0 + V9_TRCITEEDCR_RES1 + V9_TRCITEEDCR_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCITEEDCR: every bit once");

#define V9_SYS_TRCVICTLR                                0x110040
#define V9_TRCVICTLR_EXLEVEL_RL                         UINT64_C(0x0000000007000000)
#define V9_TRCVICTLR_EXLEVEL_RL_EL2                     UINT64_C(0x0000000004000000)
#define V9_TRCVICTLR_EXLEVEL_RL_EL1                     UINT64_C(0x0000000002000000)
#define V9_TRCVICTLR_EXLEVEL_RL_EL0                     UINT64_C(0x0000000001000000)
#define V9_TRCVICTLR_EXLEVEL_NS                         UINT64_C(0x0000000000700000)
#define V9_TRCVICTLR_EXLEVEL_NS_EL2                     UINT64_C(0x0000000000400000)
#define V9_TRCVICTLR_EXLEVEL_NS_EL1                     UINT64_C(0x0000000000200000)
#define V9_TRCVICTLR_EXLEVEL_NS_EL0                     UINT64_C(0x0000000000100000)
#define V9_TRCVICTLR_EXLEVEL_S                          UINT64_C(0x00000000000f0000)
#define V9_TRCVICTLR_EXLEVEL_S_EL3                      UINT64_C(0x0000000000080000)
#define V9_TRCVICTLR_EXLEVEL_S_EL2                      UINT64_C(0x0000000000040000)
#define V9_TRCVICTLR_EXLEVEL_S_EL1                      UINT64_C(0x0000000000020000)
#define V9_TRCVICTLR_EXLEVEL_S_EL0                      UINT64_C(0x0000000000010000)
#define V9_TRCVICTLR_TRCERR                             UINT64_C(0x0000000000000800)
#define V9_TRCVICTLR_TRCRESET                           UINT64_C(0x0000000000000400)
#define V9_TRCVICTLR_SSSTATUS                           UINT64_C(0x0000000000000200)
#define V9_TRCVICTLR_EVENT_TYPE                         UINT64_C(0x0000000000000080)
#define V9_TRCVICTLR_EVENT_SEL                          UINT64_C(0x000000000000001f)
#define V9_TRCVICTLR_RES0                               UINT64_C(0xfffffffff880f160)
#define V9_TRCVICTLR_RES1                               UINT64_C(0x0000000000000000)
#define V9_TRCVICTLR_UNKN                               UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCVICTLR_EXLEVEL_RL +
	       V9_TRCVICTLR_EXLEVEL_NS +
	       V9_TRCVICTLR_EXLEVEL_S +
	       V9_TRCVICTLR_TRCERR +
	       V9_TRCVICTLR_TRCRESET +
	       V9_TRCVICTLR_SSSTATUS +
	       V9_TRCVICTLR_EVENT_TYPE +
	       V9_TRCVICTLR_EVENT_SEL +
	       V9_TRCVICTLR_RES0 + V9_TRCVICTLR_RES1 + V9_TRCVICTLR_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCVICTLR: every bit once");

#define V9_SYS_TRCVIIECTLR                              0x110140
#define V9_TRCVIIECTLR_EXCLUDE                          UINT64_C(0x0000000000ff0000)
#define V9_TRCVIIECTLR_INCLUDE                          UINT64_C(0x00000000000000ff)
#define V9_TRCVIIECTLR_RES0                             UINT64_C(0xffffffffff00ff00)
#define V9_TRCVIIECTLR_RES1                             UINT64_C(0x0000000000000000)
#define V9_TRCVIIECTLR_UNKN                             UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCVIIECTLR_EXCLUDE +
	       V9_TRCVIIECTLR_INCLUDE +
	       V9_TRCVIIECTLR_RES0 + V9_TRCVIIECTLR_RES1 + V9_TRCVIIECTLR_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCVIIECTLR: every bit once");

#define V9_SYS_TRCVISSCTLR                              0x110240
#define V9_TRCVISSCTLR_STOP                             UINT64_C(0x00000000ffff0000)
#define V9_TRCVISSCTLR_START                            UINT64_C(0x000000000000ffff)
#define V9_TRCVISSCTLR_RES0                             UINT64_C(0xffffffff00000000)
#define V9_TRCVISSCTLR_RES1                             UINT64_C(0x0000000000000000)
#define V9_TRCVISSCTLR_UNKN                             UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCVISSCTLR_STOP +
	       V9_TRCVISSCTLR_START +
	       V9_TRCVISSCTLR_RES0 + V9_TRCVISSCTLR_RES1 + V9_TRCVISSCTLR_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCVISSCTLR: every bit once");

#define V9_SYS_TRCVIPCSSCTLR                            0x110340
#define V9_TRCVIPCSSCTLR_STOP                           UINT64_C(0x0000000000ff0000)
#define V9_TRCVIPCSSCTLR_START                          UINT64_C(0x00000000000000ff)
#define V9_TRCVIPCSSCTLR_RES0                           UINT64_C(0xffffffffff00ff00)
#define V9_TRCVIPCSSCTLR_RES1                           UINT64_C(0x0000000000000000)
#define V9_TRCVIPCSSCTLR_UNKN                           UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCVIPCSSCTLR_STOP +
	       V9_TRCVIPCSSCTLR_START +
	       V9_TRCVIPCSSCTLR_RES0 + V9_TRCVIPCSSCTLR_RES1 + V9_TRCVIPCSSCTLR_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCVIPCSSCTLR: every bit once");

#define V9_TRCSEQEVRn_B_TYPE                            UINT64_C(0x0000000000008000)
#define V9_TRCSEQEVRn_B_SEL                             UINT64_C(0x0000000000001f00)
#define V9_TRCSEQEVRn_F_TYPE                            UINT64_C(0x0000000000000080)
#define V9_TRCSEQEVRn_F_SEL                             UINT64_C(0x000000000000001f)
#define V9_TRCSEQEVRn_RES0                              UINT64_C(0xffffffffffff6060)
#define V9_TRCSEQEVRn_RES1                              UINT64_C(0x0000000000000000)
#define V9_TRCSEQEVRn_UNKN                              UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCSEQEVRn_B_TYPE +
	       V9_TRCSEQEVRn_B_SEL +
	       V9_TRCSEQEVRn_F_TYPE +
	       V9_TRCSEQEVRn_F_SEL +
	       V9_TRCSEQEVRn_RES0 + V9_TRCSEQEVRn_RES1 + V9_TRCSEQEVRn_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCSEQEVRn: every bit once");

#define V9_SYS_TRCSEQEVR0                               0x110080
#define V9_TRCSEQEVR0_RES0                              V9_TRCSEQEVRn_RES0
#define V9_TRCSEQEVR0_RES1                              V9_TRCSEQEVRn_RES1
#define V9_TRCSEQEVR0_UNKN                              V9_TRCSEQEVRn_UNKN

#define V9_SYS_TRCSEQEVR1                               0x110180
#define V9_TRCSEQEVR1_RES0                              V9_TRCSEQEVRn_RES0
#define V9_TRCSEQEVR1_RES1                              V9_TRCSEQEVRn_RES1
#define V9_TRCSEQEVR1_UNKN                              V9_TRCSEQEVRn_UNKN

#define V9_SYS_TRCSEQEVR2                               0x110280
#define V9_TRCSEQEVR2_RES0                              V9_TRCSEQEVRn_RES0
#define V9_TRCSEQEVR2_RES1                              V9_TRCSEQEVRn_RES1
#define V9_TRCSEQEVR2_UNKN                              V9_TRCSEQEVRn_UNKN

#define V9_SYS_TRCSEQRSTEVR                             0x110680
#define V9_TRCSEQRSTEVR_RST_TYPE                        UINT64_C(0x0000000000000080)
#define V9_TRCSEQRSTEVR_RST_SEL                         UINT64_C(0x000000000000001f)
#define V9_TRCSEQRSTEVR_RES0                            UINT64_C(0xffffffffffffff60)
#define V9_TRCSEQRSTEVR_RES1                            UINT64_C(0x0000000000000000)
#define V9_TRCSEQRSTEVR_UNKN                            UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCSEQRSTEVR_RST_TYPE +
	       V9_TRCSEQRSTEVR_RST_SEL +
	       V9_TRCSEQRSTEVR_RES0 + V9_TRCSEQRSTEVR_RES1 + V9_TRCSEQRSTEVR_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCSEQRSTEVR: every bit once");

#define V9_SYS_TRCSEQSTR                                0x110780
#define V9_TRCSEQSTR_STATE                              UINT64_C(0x0000000000000003)
#define V9_TRCSEQSTR_RES0                               UINT64_C(0xfffffffffffffffc)
#define V9_TRCSEQSTR_RES1                               UINT64_C(0x0000000000000000)
#define V9_TRCSEQSTR_UNKN                               UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCSEQSTR_STATE +
	       V9_TRCSEQSTR_RES0 + V9_TRCSEQSTR_RES1 + V9_TRCSEQSTR_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCSEQSTR: every bit once");

#define V9_TRCEXTINSELRn_evtCount                       UINT64_C(0x000000000000ffff)
#define V9_TRCEXTINSELRn_RES0                           UINT64_C(0xffffffffffff0000)
#define V9_TRCEXTINSELRn_RES1                           UINT64_C(0x0000000000000000)
#define V9_TRCEXTINSELRn_UNKN                           UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCEXTINSELRn_evtCount +
	       V9_TRCEXTINSELRn_RES0 + V9_TRCEXTINSELRn_RES1 + V9_TRCEXTINSELRn_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCEXTINSELRn: every bit once");

#define V9_SYS_TRCEXTINSELR0                            0x110880
#define V9_TRCEXTINSELR0_RES0                           V9_TRCEXTINSELRn_RES0
#define V9_TRCEXTINSELR0_RES1                           V9_TRCEXTINSELRn_RES1
#define V9_TRCEXTINSELR0_UNKN                           V9_TRCEXTINSELRn_UNKN

#define V9_SYS_TRCEXTINSELR1                            0x110980
#define V9_TRCEXTINSELR1_RES0                           V9_TRCEXTINSELRn_RES0
#define V9_TRCEXTINSELR1_RES1                           V9_TRCEXTINSELRn_RES1
#define V9_TRCEXTINSELR1_UNKN                           V9_TRCEXTINSELRn_UNKN

#define V9_SYS_TRCEXTINSELR2                            0x110a80
#define V9_TRCEXTINSELR2_RES0                           V9_TRCEXTINSELRn_RES0
#define V9_TRCEXTINSELR2_RES1                           V9_TRCEXTINSELRn_RES1
#define V9_TRCEXTINSELR2_UNKN                           V9_TRCEXTINSELRn_UNKN

#define V9_SYS_TRCEXTINSELR3                            0x110b80
#define V9_TRCEXTINSELR3_RES0                           V9_TRCEXTINSELRn_RES0
#define V9_TRCEXTINSELR3_RES1                           V9_TRCEXTINSELRn_RES1
#define V9_TRCEXTINSELR3_UNKN                           V9_TRCEXTINSELRn_UNKN

#define V9_TRCCNTRLDVRn_VALUE                           UINT64_C(0x000000000000ffff)
#define V9_TRCCNTRLDVRn_RES0                            UINT64_C(0xffffffffffff0000)
#define V9_TRCCNTRLDVRn_RES1                            UINT64_C(0x0000000000000000)
#define V9_TRCCNTRLDVRn_UNKN                            UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCCNTRLDVRn_VALUE +
	       V9_TRCCNTRLDVRn_RES0 + V9_TRCCNTRLDVRn_RES1 + V9_TRCCNTRLDVRn_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCCNTRLDVRn: every bit once");

#define V9_SYS_TRCCNTRLDVR0                             0x1100a0
#define V9_TRCCNTRLDVR0_RES0                            V9_TRCCNTRLDVRn_RES0
#define V9_TRCCNTRLDVR0_RES1                            V9_TRCCNTRLDVRn_RES1
#define V9_TRCCNTRLDVR0_UNKN                            V9_TRCCNTRLDVRn_UNKN

#define V9_SYS_TRCCNTRLDVR1                             0x1101a0
#define V9_TRCCNTRLDVR1_RES0                            V9_TRCCNTRLDVRn_RES0
#define V9_TRCCNTRLDVR1_RES1                            V9_TRCCNTRLDVRn_RES1
#define V9_TRCCNTRLDVR1_UNKN                            V9_TRCCNTRLDVRn_UNKN

#define V9_SYS_TRCCNTRLDVR2                             0x1102a0
#define V9_TRCCNTRLDVR2_RES0                            V9_TRCCNTRLDVRn_RES0
#define V9_TRCCNTRLDVR2_RES1                            V9_TRCCNTRLDVRn_RES1
#define V9_TRCCNTRLDVR2_UNKN                            V9_TRCCNTRLDVRn_UNKN

#define V9_SYS_TRCCNTRLDVR3                             0x1103a0
#define V9_TRCCNTRLDVR3_RES0                            V9_TRCCNTRLDVRn_RES0
#define V9_TRCCNTRLDVR3_RES1                            V9_TRCCNTRLDVRn_RES1
#define V9_TRCCNTRLDVR3_UNKN                            V9_TRCCNTRLDVRn_UNKN

#define V9_TRCCNTCTLRn_CNTCHAIN                         UINT64_C(0x0000000000020000)
#define V9_TRCCNTCTLRn_RLDSELF                          UINT64_C(0x0000000000010000)
#define V9_TRCCNTCTLRn_RLDEVENT_TYPE                    UINT64_C(0x0000000000008000)
#define V9_TRCCNTCTLRn_RLDEVENT_SEL                     UINT64_C(0x0000000000001f00)
#define V9_TRCCNTCTLRn_CNTEVENT_TYPE                    UINT64_C(0x0000000000000080)
#define V9_TRCCNTCTLRn_CNTEVENT_SEL                     UINT64_C(0x000000000000001f)
#define V9_TRCCNTCTLRn_RES0                             UINT64_C(0xfffffffffffc6060)
#define V9_TRCCNTCTLRn_RES1                             UINT64_C(0x0000000000000000)
#define V9_TRCCNTCTLRn_UNKN                             UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCCNTCTLRn_CNTCHAIN +
	       V9_TRCCNTCTLRn_RLDSELF +
	       V9_TRCCNTCTLRn_RLDEVENT_TYPE +
	       V9_TRCCNTCTLRn_RLDEVENT_SEL +
	       V9_TRCCNTCTLRn_CNTEVENT_TYPE +
	       V9_TRCCNTCTLRn_CNTEVENT_SEL +
	       V9_TRCCNTCTLRn_RES0 + V9_TRCCNTCTLRn_RES1 + V9_TRCCNTCTLRn_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCCNTCTLRn: every bit once");

#define V9_TRCCNTCTLRn_EVEN_RLDSELF                     UINT64_C(0x0000000000010000)
#define V9_TRCCNTCTLRn_EVEN_RLDEVENT_TYPE               UINT64_C(0x0000000000008000)
#define V9_TRCCNTCTLRn_EVEN_RLDEVENT_SEL                UINT64_C(0x0000000000001f00)
#define V9_TRCCNTCTLRn_EVEN_CNTEVENT_TYPE               UINT64_C(0x0000000000000080)
#define V9_TRCCNTCTLRn_EVEN_CNTEVENT_SEL                UINT64_C(0x000000000000001f)
#define V9_TRCCNTCTLRn_EVEN_RES0                        UINT64_C(0xfffffffffffe6060)
#define V9_TRCCNTCTLRn_EVEN_RES1                        UINT64_C(0x0000000000000000)
#define V9_TRCCNTCTLRn_EVEN_UNKN                        UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCCNTCTLRn_EVEN_RLDSELF +
	       V9_TRCCNTCTLRn_EVEN_RLDEVENT_TYPE +
	       V9_TRCCNTCTLRn_EVEN_RLDEVENT_SEL +
	       V9_TRCCNTCTLRn_EVEN_CNTEVENT_TYPE +
	       V9_TRCCNTCTLRn_EVEN_CNTEVENT_SEL +
	       V9_TRCCNTCTLRn_EVEN_RES0 + V9_TRCCNTCTLRn_EVEN_RES1 + V9_TRCCNTCTLRn_EVEN_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCCNTCTLRn_EVEN: every bit once");

#define V9_SYS_TRCCNTCTLR0                              0x1104a0
#define V9_TRCCNTCTLR0_RES0                             V9_TRCCNTCTLRn_EVEN_RES0
#define V9_TRCCNTCTLR0_RES1                             V9_TRCCNTCTLRn_EVEN_RES1
#define V9_TRCCNTCTLR0_UNKN                             V9_TRCCNTCTLRn_EVEN_UNKN

#define V9_SYS_TRCCNTCTLR1                              0x1105a0
#define V9_TRCCNTCTLR1_RES0                             V9_TRCCNTCTLRn_RES0
#define V9_TRCCNTCTLR1_RES1                             V9_TRCCNTCTLRn_RES1
#define V9_TRCCNTCTLR1_UNKN                             V9_TRCCNTCTLRn_UNKN

#define V9_SYS_TRCCNTCTLR2                              0x1106a0
#define V9_TRCCNTCTLR2_RES0                             V9_TRCCNTCTLRn_EVEN_RES0
#define V9_TRCCNTCTLR2_RES1                             V9_TRCCNTCTLRn_EVEN_RES1
#define V9_TRCCNTCTLR2_UNKN                             V9_TRCCNTCTLRn_EVEN_UNKN

#define V9_SYS_TRCCNTCTLR3                              0x1107a0
#define V9_TRCCNTCTLR3_RES0                             V9_TRCCNTCTLRn_RES0
#define V9_TRCCNTCTLR3_RES1                             V9_TRCCNTCTLRn_RES1
#define V9_TRCCNTCTLR3_UNKN                             V9_TRCCNTCTLRn_UNKN

#define V9_TRCCNTVRn_VALUE                              UINT64_C(0x000000000000ffff)
#define V9_TRCCNTVRn_RES0                               UINT64_C(0xffffffffffff0000)
#define V9_TRCCNTVRn_RES1                               UINT64_C(0x0000000000000000)
#define V9_TRCCNTVRn_UNKN                               UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCCNTVRn_VALUE +
	       V9_TRCCNTVRn_RES0 + V9_TRCCNTVRn_RES1 + V9_TRCCNTVRn_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCCNTVRn: every bit once");

#define V9_SYS_TRCCNTVR0                                0x1108a0
#define V9_TRCCNTVR0_RES0                               V9_TRCCNTVRn_RES0
#define V9_TRCCNTVR0_RES1                               V9_TRCCNTVRn_RES1
#define V9_TRCCNTVR0_UNKN                               V9_TRCCNTVRn_UNKN

#define V9_SYS_TRCCNTVR1                                0x1109a0
#define V9_TRCCNTVR1_RES0                               V9_TRCCNTVRn_RES0
#define V9_TRCCNTVR1_RES1                               V9_TRCCNTVRn_RES1
#define V9_TRCCNTVR1_UNKN                               V9_TRCCNTVRn_UNKN

#define V9_SYS_TRCCNTVR2                                0x110aa0
#define V9_TRCCNTVR2_RES0                               V9_TRCCNTVRn_RES0
#define V9_TRCCNTVR2_RES1                               V9_TRCCNTVRn_RES1
#define V9_TRCCNTVR2_UNKN                               V9_TRCCNTVRn_UNKN

#define V9_SYS_TRCCNTVR3                                0x110ba0
#define V9_TRCCNTVR3_RES0                               V9_TRCCNTVRn_RES0
#define V9_TRCCNTVR3_RES1                               V9_TRCCNTVRn_RES1
#define V9_TRCCNTVR3_UNKN                               V9_TRCCNTVRn_UNKN

#define V9_SYS_TRCIDR8                                  0x1100c0
#define V9_TRCIDR8_MAXSPEC                              UINT64_C(0x00000000ffffffff)
#define V9_TRCIDR8_RES0                                 UINT64_C(0xffffffff00000000)
#define V9_TRCIDR8_RES1                                 UINT64_C(0x0000000000000000)
#define V9_TRCIDR8_UNKN                                 UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCIDR8_MAXSPEC +
	       V9_TRCIDR8_RES0 + V9_TRCIDR8_RES1 + V9_TRCIDR8_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCIDR8: every bit once");

#define V9_SYS_TRCIDR9                                  0x1101c0
#define V9_TRCIDR9_RES0                                 UINT64_C(0xffffffffffffffff)
#define V9_TRCIDR9_RES1                                 UINT64_C(0x0000000000000000)
#define V9_TRCIDR9_UNKN                                 UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCIDR9_RES0 + V9_TRCIDR9_RES1 + V9_TRCIDR9_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCIDR9: every bit once");

#define V9_SYS_TRCIDR10                                 0x1102c0
#define V9_TRCIDR10_RES0                                UINT64_C(0xffffffffffffffff)
#define V9_TRCIDR10_RES1                                UINT64_C(0x0000000000000000)
#define V9_TRCIDR10_UNKN                                UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCIDR10_RES0 + V9_TRCIDR10_RES1 + V9_TRCIDR10_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCIDR10: every bit once");

#define V9_SYS_TRCIDR11                                 0x1103c0
#define V9_TRCIDR11_RES0                                UINT64_C(0xffffffffffffffff)
#define V9_TRCIDR11_RES1                                UINT64_C(0x0000000000000000)
#define V9_TRCIDR11_UNKN                                UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCIDR11_RES0 + V9_TRCIDR11_RES1 + V9_TRCIDR11_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCIDR11: every bit once");

#define V9_SYS_TRCIDR12                                 0x1104c0
#define V9_TRCIDR12_RES0                                UINT64_C(0xffffffffffffffff)
#define V9_TRCIDR12_RES1                                UINT64_C(0x0000000000000000)
#define V9_TRCIDR12_UNKN                                UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCIDR12_RES0 + V9_TRCIDR12_RES1 + V9_TRCIDR12_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCIDR12: every bit once");

#define V9_SYS_TRCIDR13                                 0x1105c0
#define V9_TRCIDR13_RES0                                UINT64_C(0xffffffffffffffff)
#define V9_TRCIDR13_RES1                                UINT64_C(0x0000000000000000)
#define V9_TRCIDR13_UNKN                                UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCIDR13_RES0 + V9_TRCIDR13_RES1 + V9_TRCIDR13_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCIDR13: every bit once");

#define V9_SYS_TRCIMSPEC0                               0x1100e0
#define V9_TRCIMSPEC0_EN                                UINT64_C(0x00000000000000f0)
#define V9_TRCIMSPEC0_SUPPORT                           UINT64_C(0x000000000000000f)
#define V9_TRCIMSPEC0_RES0                              UINT64_C(0xffffffffffffff00)
#define V9_TRCIMSPEC0_RES1                              UINT64_C(0x0000000000000000)
#define V9_TRCIMSPEC0_UNKN                              UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCIMSPEC0_EN +
	       V9_TRCIMSPEC0_SUPPORT +
	       V9_TRCIMSPEC0_RES0 + V9_TRCIMSPEC0_RES1 + V9_TRCIMSPEC0_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCIMSPEC0: every bit once");

#define V9_TRCIMSPECn_IMPDEF                            UINT64_C(0x00000000ffffffff)
#define V9_TRCIMSPECn_RES0                              UINT64_C(0xffffffff00000000)
#define V9_TRCIMSPECn_RES1                              UINT64_C(0x0000000000000000)
#define V9_TRCIMSPECn_UNKN                              UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCIMSPECn_IMPDEF +
	       V9_TRCIMSPECn_RES0 + V9_TRCIMSPECn_RES1 + V9_TRCIMSPECn_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCIMSPECn: every bit once");

#define V9_SYS_TRCIMSPEC1                               0x1101e0
#define V9_TRCIMSPEC1_RES0                              V9_TRCIMSPECn_RES0
#define V9_TRCIMSPEC1_RES1                              V9_TRCIMSPECn_RES1
#define V9_TRCIMSPEC1_UNKN                              V9_TRCIMSPECn_UNKN

#define V9_SYS_TRCIMSPEC2                               0x1102e0
#define V9_TRCIMSPEC2_RES0                              V9_TRCIMSPECn_RES0
#define V9_TRCIMSPEC2_RES1                              V9_TRCIMSPECn_RES1
#define V9_TRCIMSPEC2_UNKN                              V9_TRCIMSPECn_UNKN

#define V9_SYS_TRCIMSPEC3                               0x1103e0
#define V9_TRCIMSPEC3_RES0                              V9_TRCIMSPECn_RES0
#define V9_TRCIMSPEC3_RES1                              V9_TRCIMSPECn_RES1
#define V9_TRCIMSPEC3_UNKN                              V9_TRCIMSPECn_UNKN

#define V9_SYS_TRCIMSPEC4                               0x1104e0
#define V9_TRCIMSPEC4_RES0                              V9_TRCIMSPECn_RES0
#define V9_TRCIMSPEC4_RES1                              V9_TRCIMSPECn_RES1
#define V9_TRCIMSPEC4_UNKN                              V9_TRCIMSPECn_UNKN

#define V9_SYS_TRCIMSPEC5                               0x1105e0
#define V9_TRCIMSPEC5_RES0                              V9_TRCIMSPECn_RES0
#define V9_TRCIMSPEC5_RES1                              V9_TRCIMSPECn_RES1
#define V9_TRCIMSPEC5_UNKN                              V9_TRCIMSPECn_UNKN

#define V9_SYS_TRCIMSPEC6                               0x1106e0
#define V9_TRCIMSPEC6_RES0                              V9_TRCIMSPECn_RES0
#define V9_TRCIMSPEC6_RES1                              V9_TRCIMSPECn_RES1
#define V9_TRCIMSPEC6_UNKN                              V9_TRCIMSPECn_UNKN

#define V9_SYS_TRCIMSPEC7                               0x1107e0
#define V9_TRCIMSPEC7_RES0                              V9_TRCIMSPECn_RES0
#define V9_TRCIMSPEC7_RES1                              V9_TRCIMSPECn_RES1
#define V9_TRCIMSPEC7_UNKN                              V9_TRCIMSPECn_UNKN

#define V9_SYS_TRCIDR0                                  0x1108e0
#define V9_TRCIDR0_COMMTRANS                            UINT64_C(0x0000000040000000)
#define V9_TRCIDR0_COMMOPT                              UINT64_C(0x0000000020000000)
#define V9_TRCIDR0_TSSIZE                               UINT64_C(0x000000001f000000)
#define V9_TRCIDR0_TSMARK                               UINT64_C(0x0000000000800000)
#define V9_TRCIDR0_ITE                                  UINT64_C(0x0000000000400000)
#define V9_TRCIDR0_QSUPP                                UINT64_C(0x0000000000018000)
#define V9_TRCIDR0_QFILT                                UINT64_C(0x0000000000004000)
#define V9_TRCIDR0_NUMEVENT                             UINT64_C(0x0000000000000c00)
#define V9_TRCIDR0_RETSTACK                             UINT64_C(0x0000000000000200)
#define V9_TRCIDR0_TRCCCI                               UINT64_C(0x0000000000000080)
#define V9_TRCIDR0_TRCBB                                UINT64_C(0x0000000000000020)
#define V9_TRCIDR0_RES0                                 UINT64_C(0xffffffff803e315e)
#define V9_TRCIDR0_RES1                                 UINT64_C(0x0000000000000001)
#define V9_TRCIDR0_UNKN                                 UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCIDR0_COMMTRANS +
	       V9_TRCIDR0_COMMOPT +
	       V9_TRCIDR0_TSSIZE +
	       V9_TRCIDR0_TSMARK +
	       V9_TRCIDR0_ITE +
	       V9_TRCIDR0_QSUPP +
	       V9_TRCIDR0_QFILT +
	       V9_TRCIDR0_NUMEVENT +
	       V9_TRCIDR0_RETSTACK +
	       V9_TRCIDR0_TRCCCI +
	       V9_TRCIDR0_TRCBB +
	       V9_TRCIDR0_RES0 + V9_TRCIDR0_RES1 + V9_TRCIDR0_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCIDR0: every bit once");

#define V9_SYS_TRCIDR1                                  0x1109e0
#define V9_TRCIDR1_DESIGNER                             UINT64_C(0x00000000ff000000)
#define V9_TRCIDR1_TRCARCHMAJ                           UINT64_C(0x0000000000000f00)
#define V9_TRCIDR1_TRCARCHMIN                           UINT64_C(0x00000000000000f0)
#define V9_TRCIDR1_REVISION                             UINT64_C(0x000000000000000f)
#define V9_TRCIDR1_RES0                                 UINT64_C(0xffffffff00ff0000)
#define V9_TRCIDR1_RES1                                 UINT64_C(0x000000000000f000)
#define V9_TRCIDR1_UNKN                                 UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCIDR1_DESIGNER +
	       V9_TRCIDR1_TRCARCHMAJ +
	       V9_TRCIDR1_TRCARCHMIN +
	       V9_TRCIDR1_REVISION +
	       V9_TRCIDR1_RES0 + V9_TRCIDR1_RES1 + V9_TRCIDR1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCIDR1: every bit once");

#define V9_SYS_TRCIDR2                                  0x110ae0
#define V9_TRCIDR2_WFXMODE                              UINT64_C(0x0000000080000000)
#define V9_TRCIDR2_VMIDOPT                              UINT64_C(0x0000000060000000)
#define V9_TRCIDR2_CCSIZE                               UINT64_C(0x000000001e000000)
#define V9_TRCIDR2_VMIDSIZE                             UINT64_C(0x0000000000007c00)
#define V9_TRCIDR2_CIDSIZE                              UINT64_C(0x00000000000003e0)
#define V9_TRCIDR2_IASIZE                               UINT64_C(0x000000000000001f)
#define V9_TRCIDR2_RES0                                 UINT64_C(0xffffffff01ff8000)
#define V9_TRCIDR2_RES1                                 UINT64_C(0x0000000000000000)
#define V9_TRCIDR2_UNKN                                 UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCIDR2_WFXMODE +
	       V9_TRCIDR2_VMIDOPT +
	       V9_TRCIDR2_CCSIZE +
	       V9_TRCIDR2_VMIDSIZE +
	       V9_TRCIDR2_CIDSIZE +
	       V9_TRCIDR2_IASIZE +
	       V9_TRCIDR2_RES0 + V9_TRCIDR2_RES1 + V9_TRCIDR2_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCIDR2: every bit once");

#define V9_SYS_TRCIDR3                                  0x110be0
#define V9_TRCIDR3_NOOVERFLOW                           UINT64_C(0x0000000080000000)
#define V9_TRCIDR3_NUMPROC_LOW                          UINT64_C(0x0000000070000000)
#define V9_TRCIDR3_SYSSTALL                             UINT64_C(0x0000000008000000)
#define V9_TRCIDR3_STALLCTL                             UINT64_C(0x0000000004000000)
#define V9_TRCIDR3_SYNCPR                               UINT64_C(0x0000000002000000)
#define V9_TRCIDR3_SYNCPR_RW                            0x0
#define V9_TRCIDR3_SYNCPR_RO                            0x1
#define V9_TRCIDR3_TRCERR                               UINT64_C(0x0000000001000000)
#define V9_TRCIDR3_EXLEVEL_NS                           UINT64_C(0x0000000000700000)
#define V9_TRCIDR3_EXLEVEL_NS_EL2                       UINT64_C(0x0000000000400000)
#define V9_TRCIDR3_EXLEVEL_NS_EL1                       UINT64_C(0x0000000000200000)
#define V9_TRCIDR3_EXLEVEL_NS_EL0                       UINT64_C(0x0000000000100000)
#define V9_TRCIDR3_EXLEVEL_S                            UINT64_C(0x00000000000f0000)
#define V9_TRCIDR3_EXLEVEL_S_EL3                        UINT64_C(0x0000000000080000)
#define V9_TRCIDR3_EXLEVEL_S_EL2                        UINT64_C(0x0000000000040000)
#define V9_TRCIDR3_EXLEVEL_S_EL1                        UINT64_C(0x0000000000020000)
#define V9_TRCIDR3_EXLEVEL_S_EL0                        UINT64_C(0x0000000000010000)
#define V9_TRCIDR3_NUMPROC_HIGH                         UINT64_C(0x0000000000003000)
#define V9_TRCIDR3_CCITMIN                              UINT64_C(0x0000000000000fff)
#define V9_TRCIDR3_RES0                                 UINT64_C(0xffffffff0080c000)
#define V9_TRCIDR3_RES1                                 UINT64_C(0x0000000000000000)
#define V9_TRCIDR3_UNKN                                 UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCIDR3_NOOVERFLOW +
	       V9_TRCIDR3_NUMPROC_LOW +
	       V9_TRCIDR3_SYSSTALL +
	       V9_TRCIDR3_STALLCTL +
	       V9_TRCIDR3_SYNCPR +
	       V9_TRCIDR3_TRCERR +
	       V9_TRCIDR3_EXLEVEL_NS +
	       V9_TRCIDR3_EXLEVEL_S +
	       V9_TRCIDR3_NUMPROC_HIGH +
	       V9_TRCIDR3_CCITMIN +
	       V9_TRCIDR3_RES0 + V9_TRCIDR3_RES1 + V9_TRCIDR3_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCIDR3: every bit once");

#define V9_SYS_TRCIDR4                                  0x110ce0
#define V9_TRCIDR4_NUMVMIDC                             UINT64_C(0x00000000f0000000)
#define V9_TRCIDR4_NUMCIDC                              UINT64_C(0x000000000f000000)
#define V9_TRCIDR4_NUMSSCC                              UINT64_C(0x0000000000f00000)
#define V9_TRCIDR4_NUMRSPAIR                            UINT64_C(0x00000000000f0000)
#define V9_TRCIDR4_NUMPC                                UINT64_C(0x000000000000f000)
#define V9_TRCIDR4_NUMACPAIRS                           UINT64_C(0x000000000000000f)
#define V9_TRCIDR4_RES0                                 UINT64_C(0xffffffff00000ff0)
#define V9_TRCIDR4_RES1                                 UINT64_C(0x0000000000000000)
#define V9_TRCIDR4_UNKN                                 UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCIDR4_NUMVMIDC +
	       V9_TRCIDR4_NUMCIDC +
	       V9_TRCIDR4_NUMSSCC +
	       V9_TRCIDR4_NUMRSPAIR +
	       V9_TRCIDR4_NUMPC +
	       V9_TRCIDR4_NUMACPAIRS +
	       V9_TRCIDR4_RES0 + V9_TRCIDR4_RES1 + V9_TRCIDR4_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCIDR4: every bit once");

#define V9_SYS_TRCIDR5                                  0x110de0
#define V9_TRCIDR5_OE                                   UINT64_C(0x0000000080000000)
#define V9_TRCIDR5_NUMCNTR                              UINT64_C(0x0000000070000000)
#define V9_TRCIDR5_NUMSEQSTATE                          UINT64_C(0x000000000e000000)
#define V9_TRCIDR5_LPOVERRIDE                           UINT64_C(0x0000000000800000)
#define V9_TRCIDR5_ATBTRIG                              UINT64_C(0x0000000000400000)
#define V9_TRCIDR5_TRACEIDSIZE                          UINT64_C(0x00000000003f0000)
#define V9_TRCIDR5_NUMEXTINSEL                          UINT64_C(0x0000000000000e00)
#define V9_TRCIDR5_NUMEXTIN                             UINT64_C(0x00000000000001ff)
#define V9_TRCIDR5_RES0                                 UINT64_C(0xffffffff0100f000)
#define V9_TRCIDR5_RES1                                 UINT64_C(0x0000000000000000)
#define V9_TRCIDR5_UNKN                                 UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCIDR5_OE +
	       V9_TRCIDR5_NUMCNTR +
	       V9_TRCIDR5_NUMSEQSTATE +
	       V9_TRCIDR5_LPOVERRIDE +
	       V9_TRCIDR5_ATBTRIG +
	       V9_TRCIDR5_TRACEIDSIZE +
	       V9_TRCIDR5_NUMEXTINSEL +
	       V9_TRCIDR5_NUMEXTIN +
	       V9_TRCIDR5_RES0 + V9_TRCIDR5_RES1 + V9_TRCIDR5_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCIDR5: every bit once");

#define V9_SYS_TRCIDR6                                  0x110ee0
#define V9_TRCIDR6_EXLEVEL_RL                           UINT64_C(0x0000000000000007)
#define V9_TRCIDR6_EXLEVEL_RL_EL2                       UINT64_C(0x0000000000000004)
#define V9_TRCIDR6_EXLEVEL_RL_EL1                       UINT64_C(0x0000000000000002)
#define V9_TRCIDR6_EXLEVEL_RL_EL0                       UINT64_C(0x0000000000000001)
#define V9_TRCIDR6_RES0                                 UINT64_C(0xfffffffffffffff8)
#define V9_TRCIDR6_RES1                                 UINT64_C(0x0000000000000000)
#define V9_TRCIDR6_UNKN                                 UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCIDR6_EXLEVEL_RL +
	       V9_TRCIDR6_RES0 + V9_TRCIDR6_RES1 + V9_TRCIDR6_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCIDR6: every bit once");

#define V9_SYS_TRCIDR7                                  0x110fe0
#define V9_TRCIDR7_RES0                                 UINT64_C(0xffffffffffffffff)
#define V9_TRCIDR7_RES1                                 UINT64_C(0x0000000000000000)
#define V9_TRCIDR7_UNKN                                 UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCIDR7_RES0 + V9_TRCIDR7_RES1 + V9_TRCIDR7_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCIDR7: every bit once");

#define V9_TRCRSCTLRn_PAIRINV                           UINT64_C(0x0000000000200000)
#define V9_TRCRSCTLRn_INV                               UINT64_C(0x0000000000100000)
#define V9_TRCRSCTLRn_GROUP                             UINT64_C(0x00000000000f0000)
#define V9_TRCRSCTLRn_GROUP_EXTIN                       0x0
#define V9_TRCRSCTLRn_GROUP_PE                          0x1
#define V9_TRCRSCTLRn_GROUP_COUNTER_SEQUENCER           0x2
#define V9_TRCRSCTLRn_GROUP_SSCC                        0x3
#define V9_TRCRSCTLRn_GROUP_SAC                         0x4
#define V9_TRCRSCTLRn_GROUP_ARC                         0x5
#define V9_TRCRSCTLRn_GROUP_CID                         0x6
#define V9_TRCRSCTLRn_GROUP_VMID                        0x7
#define V9_TRCRSCTLRn_SELECT                            UINT64_C(0x000000000000ffff)
#define V9_TRCRSCTLRn_RES0                              UINT64_C(0xffffffffffc00000)
#define V9_TRCRSCTLRn_RES1                              UINT64_C(0x0000000000000000)
#define V9_TRCRSCTLRn_UNKN                              UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCRSCTLRn_PAIRINV +
	       V9_TRCRSCTLRn_INV +
	       V9_TRCRSCTLRn_GROUP +
	       V9_TRCRSCTLRn_SELECT +
	       V9_TRCRSCTLRn_RES0 + V9_TRCRSCTLRn_RES1 + V9_TRCRSCTLRn_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCRSCTLRn: every bit once");

#define V9_TRCRSCTLRn_ODD_INV                           UINT64_C(0x0000000000100000)
#define V9_TRCRSCTLRn_ODD_GROUP                         UINT64_C(0x00000000000f0000)
#define V9_TRCRSCTLRn_ODD_GROUP_EXTIN                   0x0
#define V9_TRCRSCTLRn_ODD_GROUP_PE                      0x1
#define V9_TRCRSCTLRn_ODD_GROUP_COUNTER_SEQUENCER       0x2
#define V9_TRCRSCTLRn_ODD_GROUP_SSCC                    0x3
#define V9_TRCRSCTLRn_ODD_GROUP_SAC                     0x4
#define V9_TRCRSCTLRn_ODD_GROUP_ARC                     0x5
#define V9_TRCRSCTLRn_ODD_GROUP_CID                     0x6
#define V9_TRCRSCTLRn_ODD_GROUP_VMID                    0x7
#define V9_TRCRSCTLRn_ODD_SELECT                        UINT64_C(0x000000000000ffff)
#define V9_TRCRSCTLRn_ODD_RES0                          UINT64_C(0xffffffffffe00000)
#define V9_TRCRSCTLRn_ODD_RES1                          UINT64_C(0x0000000000000000)
#define V9_TRCRSCTLRn_ODD_UNKN                          UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCRSCTLRn_ODD_INV +
	       V9_TRCRSCTLRn_ODD_GROUP +
	       V9_TRCRSCTLRn_ODD_SELECT +
	       V9_TRCRSCTLRn_ODD_RES0 + V9_TRCRSCTLRn_ODD_RES1 + V9_TRCRSCTLRn_ODD_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCRSCTLRn_ODD: every bit once");

#define V9_SYS_TRCRSCTLR2                               0x111200
#define V9_TRCRSCTLR2_RES0                              V9_TRCRSCTLRn_RES0
#define V9_TRCRSCTLR2_RES1                              V9_TRCRSCTLRn_RES1
#define V9_TRCRSCTLR2_UNKN                              V9_TRCRSCTLRn_UNKN

#define V9_SYS_TRCRSCTLR3                               0x111300
#define V9_TRCRSCTLR3_RES0                              V9_TRCRSCTLRn_ODD_RES0
#define V9_TRCRSCTLR3_RES1                              V9_TRCRSCTLRn_ODD_RES1
#define V9_TRCRSCTLR3_UNKN                              V9_TRCRSCTLRn_ODD_UNKN

#define V9_SYS_TRCRSCTLR4                               0x111400
#define V9_TRCRSCTLR4_RES0                              V9_TRCRSCTLRn_RES0
#define V9_TRCRSCTLR4_RES1                              V9_TRCRSCTLRn_RES1
#define V9_TRCRSCTLR4_UNKN                              V9_TRCRSCTLRn_UNKN

#define V9_SYS_TRCRSCTLR5                               0x111500
#define V9_TRCRSCTLR5_RES0                              V9_TRCRSCTLRn_ODD_RES0
#define V9_TRCRSCTLR5_RES1                              V9_TRCRSCTLRn_ODD_RES1
#define V9_TRCRSCTLR5_UNKN                              V9_TRCRSCTLRn_ODD_UNKN

#define V9_SYS_TRCRSCTLR6                               0x111600
#define V9_TRCRSCTLR6_RES0                              V9_TRCRSCTLRn_RES0
#define V9_TRCRSCTLR6_RES1                              V9_TRCRSCTLRn_RES1
#define V9_TRCRSCTLR6_UNKN                              V9_TRCRSCTLRn_UNKN

#define V9_SYS_TRCRSCTLR7                               0x111700
#define V9_TRCRSCTLR7_RES0                              V9_TRCRSCTLRn_ODD_RES0
#define V9_TRCRSCTLR7_RES1                              V9_TRCRSCTLRn_ODD_RES1
#define V9_TRCRSCTLR7_UNKN                              V9_TRCRSCTLRn_ODD_UNKN

#define V9_SYS_TRCRSCTLR8                               0x111800
#define V9_TRCRSCTLR8_RES0                              V9_TRCRSCTLRn_RES0
#define V9_TRCRSCTLR8_RES1                              V9_TRCRSCTLRn_RES1
#define V9_TRCRSCTLR8_UNKN                              V9_TRCRSCTLRn_UNKN

#define V9_SYS_TRCRSCTLR9                               0x111900
#define V9_TRCRSCTLR9_RES0                              V9_TRCRSCTLRn_ODD_RES0
#define V9_TRCRSCTLR9_RES1                              V9_TRCRSCTLRn_ODD_RES1
#define V9_TRCRSCTLR9_UNKN                              V9_TRCRSCTLRn_ODD_UNKN

#define V9_SYS_TRCRSCTLR10                              0x111a00
#define V9_TRCRSCTLR10_RES0                             V9_TRCRSCTLRn_RES0
#define V9_TRCRSCTLR10_RES1                             V9_TRCRSCTLRn_RES1
#define V9_TRCRSCTLR10_UNKN                             V9_TRCRSCTLRn_UNKN

#define V9_SYS_TRCRSCTLR11                              0x111b00
#define V9_TRCRSCTLR11_RES0                             V9_TRCRSCTLRn_ODD_RES0
#define V9_TRCRSCTLR11_RES1                             V9_TRCRSCTLRn_ODD_RES1
#define V9_TRCRSCTLR11_UNKN                             V9_TRCRSCTLRn_ODD_UNKN

#define V9_SYS_TRCRSCTLR12                              0x111c00
#define V9_TRCRSCTLR12_RES0                             V9_TRCRSCTLRn_RES0
#define V9_TRCRSCTLR12_RES1                             V9_TRCRSCTLRn_RES1
#define V9_TRCRSCTLR12_UNKN                             V9_TRCRSCTLRn_UNKN

#define V9_SYS_TRCRSCTLR13                              0x111d00
#define V9_TRCRSCTLR13_RES0                             V9_TRCRSCTLRn_ODD_RES0
#define V9_TRCRSCTLR13_RES1                             V9_TRCRSCTLRn_ODD_RES1
#define V9_TRCRSCTLR13_UNKN                             V9_TRCRSCTLRn_ODD_UNKN

#define V9_SYS_TRCRSCTLR14                              0x111e00
#define V9_TRCRSCTLR14_RES0                             V9_TRCRSCTLRn_RES0
#define V9_TRCRSCTLR14_RES1                             V9_TRCRSCTLRn_RES1
#define V9_TRCRSCTLR14_UNKN                             V9_TRCRSCTLRn_UNKN

#define V9_SYS_TRCRSCTLR15                              0x111f00
#define V9_TRCRSCTLR15_RES0                             V9_TRCRSCTLRn_ODD_RES0
#define V9_TRCRSCTLR15_RES1                             V9_TRCRSCTLRn_ODD_RES1
#define V9_TRCRSCTLR15_UNKN                             V9_TRCRSCTLRn_ODD_UNKN

#define V9_SYS_TRCRSCTLR16                              0x111020
#define V9_TRCRSCTLR16_RES0                             V9_TRCRSCTLRn_RES0
#define V9_TRCRSCTLR16_RES1                             V9_TRCRSCTLRn_RES1
#define V9_TRCRSCTLR16_UNKN                             V9_TRCRSCTLRn_UNKN

#define V9_SYS_TRCRSCTLR17                              0x111120
#define V9_TRCRSCTLR17_RES0                             V9_TRCRSCTLRn_ODD_RES0
#define V9_TRCRSCTLR17_RES1                             V9_TRCRSCTLRn_ODD_RES1
#define V9_TRCRSCTLR17_UNKN                             V9_TRCRSCTLRn_ODD_UNKN

#define V9_SYS_TRCRSCTLR18                              0x111220
#define V9_TRCRSCTLR18_RES0                             V9_TRCRSCTLRn_RES0
#define V9_TRCRSCTLR18_RES1                             V9_TRCRSCTLRn_RES1
#define V9_TRCRSCTLR18_UNKN                             V9_TRCRSCTLRn_UNKN

#define V9_SYS_TRCRSCTLR19                              0x111320
#define V9_TRCRSCTLR19_RES0                             V9_TRCRSCTLRn_ODD_RES0
#define V9_TRCRSCTLR19_RES1                             V9_TRCRSCTLRn_ODD_RES1
#define V9_TRCRSCTLR19_UNKN                             V9_TRCRSCTLRn_ODD_UNKN

#define V9_SYS_TRCRSCTLR20                              0x111420
#define V9_TRCRSCTLR20_RES0                             V9_TRCRSCTLRn_RES0
#define V9_TRCRSCTLR20_RES1                             V9_TRCRSCTLRn_RES1
#define V9_TRCRSCTLR20_UNKN                             V9_TRCRSCTLRn_UNKN

#define V9_SYS_TRCRSCTLR21                              0x111520
#define V9_TRCRSCTLR21_RES0                             V9_TRCRSCTLRn_ODD_RES0
#define V9_TRCRSCTLR21_RES1                             V9_TRCRSCTLRn_ODD_RES1
#define V9_TRCRSCTLR21_UNKN                             V9_TRCRSCTLRn_ODD_UNKN

#define V9_SYS_TRCRSCTLR22                              0x111620
#define V9_TRCRSCTLR22_RES0                             V9_TRCRSCTLRn_RES0
#define V9_TRCRSCTLR22_RES1                             V9_TRCRSCTLRn_RES1
#define V9_TRCRSCTLR22_UNKN                             V9_TRCRSCTLRn_UNKN

#define V9_SYS_TRCRSCTLR23                              0x111720
#define V9_TRCRSCTLR23_RES0                             V9_TRCRSCTLRn_ODD_RES0
#define V9_TRCRSCTLR23_RES1                             V9_TRCRSCTLRn_ODD_RES1
#define V9_TRCRSCTLR23_UNKN                             V9_TRCRSCTLRn_ODD_UNKN

#define V9_SYS_TRCRSCTLR24                              0x111820
#define V9_TRCRSCTLR24_RES0                             V9_TRCRSCTLRn_RES0
#define V9_TRCRSCTLR24_RES1                             V9_TRCRSCTLRn_RES1
#define V9_TRCRSCTLR24_UNKN                             V9_TRCRSCTLRn_UNKN

#define V9_SYS_TRCRSCTLR25                              0x111920
#define V9_TRCRSCTLR25_RES0                             V9_TRCRSCTLRn_ODD_RES0
#define V9_TRCRSCTLR25_RES1                             V9_TRCRSCTLRn_ODD_RES1
#define V9_TRCRSCTLR25_UNKN                             V9_TRCRSCTLRn_ODD_UNKN

#define V9_SYS_TRCRSCTLR26                              0x111a20
#define V9_TRCRSCTLR26_RES0                             V9_TRCRSCTLRn_RES0
#define V9_TRCRSCTLR26_RES1                             V9_TRCRSCTLRn_RES1
#define V9_TRCRSCTLR26_UNKN                             V9_TRCRSCTLRn_UNKN

#define V9_SYS_TRCRSCTLR27                              0x111b20
#define V9_TRCRSCTLR27_RES0                             V9_TRCRSCTLRn_ODD_RES0
#define V9_TRCRSCTLR27_RES1                             V9_TRCRSCTLRn_ODD_RES1
#define V9_TRCRSCTLR27_UNKN                             V9_TRCRSCTLRn_ODD_UNKN

#define V9_SYS_TRCRSCTLR28                              0x111c20
#define V9_TRCRSCTLR28_RES0                             V9_TRCRSCTLRn_RES0
#define V9_TRCRSCTLR28_RES1                             V9_TRCRSCTLRn_RES1
#define V9_TRCRSCTLR28_UNKN                             V9_TRCRSCTLRn_UNKN

#define V9_SYS_TRCRSCTLR29                              0x111d20
#define V9_TRCRSCTLR29_RES0                             V9_TRCRSCTLRn_ODD_RES0
#define V9_TRCRSCTLR29_RES1                             V9_TRCRSCTLRn_ODD_RES1
#define V9_TRCRSCTLR29_UNKN                             V9_TRCRSCTLRn_ODD_UNKN

#define V9_SYS_TRCRSCTLR30                              0x111e20
#define V9_TRCRSCTLR30_RES0                             V9_TRCRSCTLRn_RES0
#define V9_TRCRSCTLR30_RES1                             V9_TRCRSCTLRn_RES1
#define V9_TRCRSCTLR30_UNKN                             V9_TRCRSCTLRn_UNKN

#define V9_SYS_TRCRSCTLR31                              0x111f20
#define V9_TRCRSCTLR31_RES0                             V9_TRCRSCTLRn_ODD_RES0
#define V9_TRCRSCTLR31_RES1                             V9_TRCRSCTLRn_ODD_RES1
#define V9_TRCRSCTLR31_UNKN                             V9_TRCRSCTLRn_ODD_UNKN

#define V9_TRCSSCCRn_RST                                UINT64_C(0x0000000001000000)
#define V9_TRCSSCCRn_ARC                                UINT64_C(0x0000000000ff0000)
#define V9_TRCSSCCRn_SAC                                UINT64_C(0x000000000000ffff)
#define V9_TRCSSCCRn_RES0                               UINT64_C(0xfffffffffe000000)
#define V9_TRCSSCCRn_RES1                               UINT64_C(0x0000000000000000)
#define V9_TRCSSCCRn_UNKN                               UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCSSCCRn_RST +
	       V9_TRCSSCCRn_ARC +
	       V9_TRCSSCCRn_SAC +
	       V9_TRCSSCCRn_RES0 + V9_TRCSSCCRn_RES1 + V9_TRCSSCCRn_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCSSCCRn: every bit once");

#define V9_SYS_TRCSSCCR0                                0x111040
#define V9_TRCSSCCR0_RES0                               V9_TRCSSCCRn_RES0
#define V9_TRCSSCCR0_RES1                               V9_TRCSSCCRn_RES1
#define V9_TRCSSCCR0_UNKN                               V9_TRCSSCCRn_UNKN

#define V9_SYS_TRCSSCCR1                                0x111140
#define V9_TRCSSCCR1_RES0                               V9_TRCSSCCRn_RES0
#define V9_TRCSSCCR1_RES1                               V9_TRCSSCCRn_RES1
#define V9_TRCSSCCR1_UNKN                               V9_TRCSSCCRn_UNKN

#define V9_SYS_TRCSSCCR2                                0x111240
#define V9_TRCSSCCR2_RES0                               V9_TRCSSCCRn_RES0
#define V9_TRCSSCCR2_RES1                               V9_TRCSSCCRn_RES1
#define V9_TRCSSCCR2_UNKN                               V9_TRCSSCCRn_UNKN

#define V9_SYS_TRCSSCCR3                                0x111340
#define V9_TRCSSCCR3_RES0                               V9_TRCSSCCRn_RES0
#define V9_TRCSSCCR3_RES1                               V9_TRCSSCCRn_RES1
#define V9_TRCSSCCR3_UNKN                               V9_TRCSSCCRn_UNKN

#define V9_SYS_TRCSSCCR4                                0x111440
#define V9_TRCSSCCR4_RES0                               V9_TRCSSCCRn_RES0
#define V9_TRCSSCCR4_RES1                               V9_TRCSSCCRn_RES1
#define V9_TRCSSCCR4_UNKN                               V9_TRCSSCCRn_UNKN

#define V9_SYS_TRCSSCCR5                                0x111540
#define V9_TRCSSCCR5_RES0                               V9_TRCSSCCRn_RES0
#define V9_TRCSSCCR5_RES1                               V9_TRCSSCCRn_RES1
#define V9_TRCSSCCR5_UNKN                               V9_TRCSSCCRn_UNKN

#define V9_SYS_TRCSSCCR6                                0x111640
#define V9_TRCSSCCR6_RES0                               V9_TRCSSCCRn_RES0
#define V9_TRCSSCCR6_RES1                               V9_TRCSSCCRn_RES1
#define V9_TRCSSCCR6_UNKN                               V9_TRCSSCCRn_UNKN

#define V9_SYS_TRCSSCCR7                                0x111740
#define V9_TRCSSCCR7_RES0                               V9_TRCSSCCRn_RES0
#define V9_TRCSSCCR7_RES1                               V9_TRCSSCCRn_RES1
#define V9_TRCSSCCR7_UNKN                               V9_TRCSSCCRn_UNKN

#define V9_TRCSSCSRn_STATUS                             UINT64_C(0x0000000080000000)
#define V9_TRCSSCSRn_PENDING                            UINT64_C(0x0000000040000000)
#define V9_TRCSSCSRn_PC                                 UINT64_C(0x0000000000000008)
#define V9_TRCSSCSRn_INST                               UINT64_C(0x0000000000000001)
#define V9_TRCSSCSRn_RES0                               UINT64_C(0xffffffff3ffffff6)
#define V9_TRCSSCSRn_RES1                               UINT64_C(0x0000000000000000)
#define V9_TRCSSCSRn_UNKN                               UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCSSCSRn_STATUS +
	       V9_TRCSSCSRn_PENDING +
	       V9_TRCSSCSRn_PC +
	       V9_TRCSSCSRn_INST +
	       V9_TRCSSCSRn_RES0 + V9_TRCSSCSRn_RES1 + V9_TRCSSCSRn_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCSSCSRn: every bit once");

#define V9_SYS_TRCSSCSR0                                0x111840
#define V9_TRCSSCSR0_RES0                               V9_TRCSSCSRn_RES0
#define V9_TRCSSCSR0_RES1                               V9_TRCSSCSRn_RES1
#define V9_TRCSSCSR0_UNKN                               V9_TRCSSCSRn_UNKN

#define V9_SYS_TRCSSCSR1                                0x111940
#define V9_TRCSSCSR1_RES0                               V9_TRCSSCSRn_RES0
#define V9_TRCSSCSR1_RES1                               V9_TRCSSCSRn_RES1
#define V9_TRCSSCSR1_UNKN                               V9_TRCSSCSRn_UNKN

#define V9_SYS_TRCSSCSR2                                0x111a40
#define V9_TRCSSCSR2_RES0                               V9_TRCSSCSRn_RES0
#define V9_TRCSSCSR2_RES1                               V9_TRCSSCSRn_RES1
#define V9_TRCSSCSR2_UNKN                               V9_TRCSSCSRn_UNKN

#define V9_SYS_TRCSSCSR3                                0x111b40
#define V9_TRCSSCSR3_RES0                               V9_TRCSSCSRn_RES0
#define V9_TRCSSCSR3_RES1                               V9_TRCSSCSRn_RES1
#define V9_TRCSSCSR3_UNKN                               V9_TRCSSCSRn_UNKN

#define V9_SYS_TRCSSCSR4                                0x111c40
#define V9_TRCSSCSR4_RES0                               V9_TRCSSCSRn_RES0
#define V9_TRCSSCSR4_RES1                               V9_TRCSSCSRn_RES1
#define V9_TRCSSCSR4_UNKN                               V9_TRCSSCSRn_UNKN

#define V9_SYS_TRCSSCSR5                                0x111d40
#define V9_TRCSSCSR5_RES0                               V9_TRCSSCSRn_RES0
#define V9_TRCSSCSR5_RES1                               V9_TRCSSCSRn_RES1
#define V9_TRCSSCSR5_UNKN                               V9_TRCSSCSRn_UNKN

#define V9_SYS_TRCSSCSR6                                0x111e40
#define V9_TRCSSCSR6_RES0                               V9_TRCSSCSRn_RES0
#define V9_TRCSSCSR6_RES1                               V9_TRCSSCSRn_RES1
#define V9_TRCSSCSR6_UNKN                               V9_TRCSSCSRn_UNKN

#define V9_SYS_TRCSSCSR7                                0x111f40
#define V9_TRCSSCSR7_RES0                               V9_TRCSSCSRn_RES0
#define V9_TRCSSCSR7_RES1                               V9_TRCSSCSRn_RES1
#define V9_TRCSSCSR7_UNKN                               V9_TRCSSCSRn_UNKN

#define V9_TRCSSPCICRn_PC                               UINT64_C(0x00000000000000ff)
#define V9_TRCSSPCICRn_RES0                             UINT64_C(0xffffffffffffff00)
#define V9_TRCSSPCICRn_RES1                             UINT64_C(0x0000000000000000)
#define V9_TRCSSPCICRn_UNKN                             UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCSSPCICRn_PC +
	       V9_TRCSSPCICRn_RES0 + V9_TRCSSPCICRn_RES1 + V9_TRCSSPCICRn_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCSSPCICRn: every bit once");

#define V9_SYS_TRCSSPCICR0                              0x111060
#define V9_TRCSSPCICR0_RES0                             V9_TRCSSPCICRn_RES0
#define V9_TRCSSPCICR0_RES1                             V9_TRCSSPCICRn_RES1
#define V9_TRCSSPCICR0_UNKN                             V9_TRCSSPCICRn_UNKN

#define V9_SYS_TRCSSPCICR1                              0x111160
#define V9_TRCSSPCICR1_RES0                             V9_TRCSSPCICRn_RES0
#define V9_TRCSSPCICR1_RES1                             V9_TRCSSPCICRn_RES1
#define V9_TRCSSPCICR1_UNKN                             V9_TRCSSPCICRn_UNKN

#define V9_SYS_TRCSSPCICR2                              0x111260
#define V9_TRCSSPCICR2_RES0                             V9_TRCSSPCICRn_RES0
#define V9_TRCSSPCICR2_RES1                             V9_TRCSSPCICRn_RES1
#define V9_TRCSSPCICR2_UNKN                             V9_TRCSSPCICRn_UNKN

#define V9_SYS_TRCSSPCICR3                              0x111360
#define V9_TRCSSPCICR3_RES0                             V9_TRCSSPCICRn_RES0
#define V9_TRCSSPCICR3_RES1                             V9_TRCSSPCICRn_RES1
#define V9_TRCSSPCICR3_UNKN                             V9_TRCSSPCICRn_UNKN

#define V9_SYS_TRCSSPCICR4                              0x111460
#define V9_TRCSSPCICR4_RES0                             V9_TRCSSPCICRn_RES0
#define V9_TRCSSPCICR4_RES1                             V9_TRCSSPCICRn_RES1
#define V9_TRCSSPCICR4_UNKN                             V9_TRCSSPCICRn_UNKN

#define V9_SYS_TRCSSPCICR5                              0x111560
#define V9_TRCSSPCICR5_RES0                             V9_TRCSSPCICRn_RES0
#define V9_TRCSSPCICR5_RES1                             V9_TRCSSPCICRn_RES1
#define V9_TRCSSPCICR5_UNKN                             V9_TRCSSPCICRn_UNKN

#define V9_SYS_TRCSSPCICR6                              0x111660
#define V9_TRCSSPCICR6_RES0                             V9_TRCSSPCICRn_RES0
#define V9_TRCSSPCICR6_RES1                             V9_TRCSSPCICRn_RES1
#define V9_TRCSSPCICR6_UNKN                             V9_TRCSSPCICRn_UNKN

#define V9_SYS_TRCSSPCICR7                              0x111760
#define V9_TRCSSPCICR7_RES0                             V9_TRCSSPCICRn_RES0
#define V9_TRCSSPCICR7_RES1                             V9_TRCSSPCICRn_RES1
#define V9_TRCSSPCICR7_UNKN                             V9_TRCSSPCICRn_UNKN

#define V9_SYS_TRCOSLSR                                 0x111180
#define V9_TRCOSLSR_OSLM_HIGH                           UINT64_C(0x0000000000000018)
#define V9_TRCOSLSR_OSLK                                UINT64_C(0x0000000000000002)
#define V9_TRCOSLSR_OSLM_LOW                            UINT64_C(0x0000000000000001)
#define V9_TRCOSLSR_RES0                                UINT64_C(0xffffffffffffffe4)
#define V9_TRCOSLSR_RES1                                UINT64_C(0x0000000000000000)
#define V9_TRCOSLSR_UNKN                                UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCOSLSR_OSLM_HIGH +
	       V9_TRCOSLSR_OSLK +
	       V9_TRCOSLSR_OSLM_LOW +
	       V9_TRCOSLSR_RES0 + V9_TRCOSLSR_RES1 + V9_TRCOSLSR_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCOSLSR: every bit once");

#define V9_TRCACVRn_ADDRESS                             UINT64_C(0xffffffffffffffff)
#define V9_TRCACVRn_RES0                                UINT64_C(0x0000000000000000)
#define V9_TRCACVRn_RES1                                UINT64_C(0x0000000000000000)
#define V9_TRCACVRn_UNKN                                UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCACVRn_ADDRESS +
	       V9_TRCACVRn_RES0 + V9_TRCACVRn_RES1 + V9_TRCACVRn_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCACVRn: every bit once");

#define V9_SYS_TRCACVR0                                 0x112000
#define V9_TRCACVR0_RES0                                V9_TRCACVRn_RES0
#define V9_TRCACVR0_RES1                                V9_TRCACVRn_RES1
#define V9_TRCACVR0_UNKN                                V9_TRCACVRn_UNKN

#define V9_SYS_TRCACVR1                                 0x112200
#define V9_TRCACVR1_RES0                                V9_TRCACVRn_RES0
#define V9_TRCACVR1_RES1                                V9_TRCACVRn_RES1
#define V9_TRCACVR1_UNKN                                V9_TRCACVRn_UNKN

#define V9_SYS_TRCACVR2                                 0x112400
#define V9_TRCACVR2_RES0                                V9_TRCACVRn_RES0
#define V9_TRCACVR2_RES1                                V9_TRCACVRn_RES1
#define V9_TRCACVR2_UNKN                                V9_TRCACVRn_UNKN

#define V9_SYS_TRCACVR3                                 0x112600
#define V9_TRCACVR3_RES0                                V9_TRCACVRn_RES0
#define V9_TRCACVR3_RES1                                V9_TRCACVRn_RES1
#define V9_TRCACVR3_UNKN                                V9_TRCACVRn_UNKN

#define V9_SYS_TRCACVR4                                 0x112800
#define V9_TRCACVR4_RES0                                V9_TRCACVRn_RES0
#define V9_TRCACVR4_RES1                                V9_TRCACVRn_RES1
#define V9_TRCACVR4_UNKN                                V9_TRCACVRn_UNKN

#define V9_SYS_TRCACVR5                                 0x112a00
#define V9_TRCACVR5_RES0                                V9_TRCACVRn_RES0
#define V9_TRCACVR5_RES1                                V9_TRCACVRn_RES1
#define V9_TRCACVR5_UNKN                                V9_TRCACVRn_UNKN

#define V9_SYS_TRCACVR6                                 0x112c00
#define V9_TRCACVR6_RES0                                V9_TRCACVRn_RES0
#define V9_TRCACVR6_RES1                                V9_TRCACVRn_RES1
#define V9_TRCACVR6_UNKN                                V9_TRCACVRn_UNKN

#define V9_SYS_TRCACVR7                                 0x112e00
#define V9_TRCACVR7_RES0                                V9_TRCACVRn_RES0
#define V9_TRCACVR7_RES1                                V9_TRCACVRn_RES1
#define V9_TRCACVR7_UNKN                                V9_TRCACVRn_UNKN

#define V9_SYS_TRCACVR8                                 0x112020
#define V9_TRCACVR8_RES0                                V9_TRCACVRn_RES0
#define V9_TRCACVR8_RES1                                V9_TRCACVRn_RES1
#define V9_TRCACVR8_UNKN                                V9_TRCACVRn_UNKN

#define V9_SYS_TRCACVR9                                 0x112220
#define V9_TRCACVR9_RES0                                V9_TRCACVRn_RES0
#define V9_TRCACVR9_RES1                                V9_TRCACVRn_RES1
#define V9_TRCACVR9_UNKN                                V9_TRCACVRn_UNKN

#define V9_SYS_TRCACVR10                                0x112420
#define V9_TRCACVR10_RES0                               V9_TRCACVRn_RES0
#define V9_TRCACVR10_RES1                               V9_TRCACVRn_RES1
#define V9_TRCACVR10_UNKN                               V9_TRCACVRn_UNKN

#define V9_SYS_TRCACVR11                                0x112620
#define V9_TRCACVR11_RES0                               V9_TRCACVRn_RES0
#define V9_TRCACVR11_RES1                               V9_TRCACVRn_RES1
#define V9_TRCACVR11_UNKN                               V9_TRCACVRn_UNKN

#define V9_SYS_TRCACVR12                                0x112820
#define V9_TRCACVR12_RES0                               V9_TRCACVRn_RES0
#define V9_TRCACVR12_RES1                               V9_TRCACVRn_RES1
#define V9_TRCACVR12_UNKN                               V9_TRCACVRn_UNKN

#define V9_SYS_TRCACVR13                                0x112a20
#define V9_TRCACVR13_RES0                               V9_TRCACVRn_RES0
#define V9_TRCACVR13_RES1                               V9_TRCACVRn_RES1
#define V9_TRCACVR13_UNKN                               V9_TRCACVRn_UNKN

#define V9_SYS_TRCACVR14                                0x112c20
#define V9_TRCACVR14_RES0                               V9_TRCACVRn_RES0
#define V9_TRCACVR14_RES1                               V9_TRCACVRn_RES1
#define V9_TRCACVR14_UNKN                               V9_TRCACVRn_UNKN

#define V9_SYS_TRCACVR15                                0x112e20
#define V9_TRCACVR15_RES0                               V9_TRCACVRn_RES0
#define V9_TRCACVR15_RES1                               V9_TRCACVRn_RES1
#define V9_TRCACVR15_UNKN                               V9_TRCACVRn_UNKN

#define V9_TRCACATRn_EXLEVEL_RL                         UINT64_C(0x0000000000070000)
#define V9_TRCACATRn_EXLEVEL_RL_EL2                     UINT64_C(0x0000000000040000)
#define V9_TRCACATRn_EXLEVEL_RL_EL1                     UINT64_C(0x0000000000020000)
#define V9_TRCACATRn_EXLEVEL_RL_EL0                     UINT64_C(0x0000000000010000)
#define V9_TRCACATRn_EXLEVEL_NS                         UINT64_C(0x0000000000007000)
#define V9_TRCACATRn_EXLEVEL_NS_EL2                     UINT64_C(0x0000000000004000)
#define V9_TRCACATRn_EXLEVEL_NS_EL1                     UINT64_C(0x0000000000002000)
#define V9_TRCACATRn_EXLEVEL_NS_EL0                     UINT64_C(0x0000000000001000)
#define V9_TRCACATRn_EXLEVEL_S                          UINT64_C(0x0000000000000f00)
#define V9_TRCACATRn_EXLEVEL_S_EL3                      UINT64_C(0x0000000000000800)
#define V9_TRCACATRn_EXLEVEL_S_EL2                      UINT64_C(0x0000000000000400)
#define V9_TRCACATRn_EXLEVEL_S_EL1                      UINT64_C(0x0000000000000200)
#define V9_TRCACATRn_EXLEVEL_S_EL0                      UINT64_C(0x0000000000000100)
#define V9_TRCACATRn_CONTEXT                            UINT64_C(0x0000000000000070)
#define V9_TRCACATRn_CONTEXTTYPE                        UINT64_C(0x000000000000000c)
#define V9_TRCACATRn_CONTEXTTYPE_NONE                   0x0
#define V9_TRCACATRn_CONTEXTTYPE_CID                    0x1
#define V9_TRCACATRn_CONTEXTTYPE_VMID                   0x2
#define V9_TRCACATRn_CONTEXTTYPE_BOTH                   0x3
#define V9_TRCACATRn_RES0                               UINT64_C(0xfffffffffff88083)
#define V9_TRCACATRn_RES1                               UINT64_C(0x0000000000000000)
#define V9_TRCACATRn_UNKN                               UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCACATRn_EXLEVEL_RL +
	       V9_TRCACATRn_EXLEVEL_NS +
	       V9_TRCACATRn_EXLEVEL_S +
	       V9_TRCACATRn_CONTEXT +
	       V9_TRCACATRn_CONTEXTTYPE +
	       V9_TRCACATRn_RES0 + V9_TRCACATRn_RES1 + V9_TRCACATRn_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCACATRn: every bit once");

#define V9_SYS_TRCACATR0                                0x112040
#define V9_TRCACATR0_RES0                               V9_TRCACATRn_RES0
#define V9_TRCACATR0_RES1                               V9_TRCACATRn_RES1
#define V9_TRCACATR0_UNKN                               V9_TRCACATRn_UNKN

#define V9_SYS_TRCACATR1                                0x112240
#define V9_TRCACATR1_RES0                               V9_TRCACATRn_RES0
#define V9_TRCACATR1_RES1                               V9_TRCACATRn_RES1
#define V9_TRCACATR1_UNKN                               V9_TRCACATRn_UNKN

#define V9_SYS_TRCACATR2                                0x112440
#define V9_TRCACATR2_RES0                               V9_TRCACATRn_RES0
#define V9_TRCACATR2_RES1                               V9_TRCACATRn_RES1
#define V9_TRCACATR2_UNKN                               V9_TRCACATRn_UNKN

#define V9_SYS_TRCACATR3                                0x112640
#define V9_TRCACATR3_RES0                               V9_TRCACATRn_RES0
#define V9_TRCACATR3_RES1                               V9_TRCACATRn_RES1
#define V9_TRCACATR3_UNKN                               V9_TRCACATRn_UNKN

#define V9_SYS_TRCACATR4                                0x112840
#define V9_TRCACATR4_RES0                               V9_TRCACATRn_RES0
#define V9_TRCACATR4_RES1                               V9_TRCACATRn_RES1
#define V9_TRCACATR4_UNKN                               V9_TRCACATRn_UNKN

#define V9_SYS_TRCACATR5                                0x112a40
#define V9_TRCACATR5_RES0                               V9_TRCACATRn_RES0
#define V9_TRCACATR5_RES1                               V9_TRCACATRn_RES1
#define V9_TRCACATR5_UNKN                               V9_TRCACATRn_UNKN

#define V9_SYS_TRCACATR6                                0x112c40
#define V9_TRCACATR6_RES0                               V9_TRCACATRn_RES0
#define V9_TRCACATR6_RES1                               V9_TRCACATRn_RES1
#define V9_TRCACATR6_UNKN                               V9_TRCACATRn_UNKN

#define V9_SYS_TRCACATR7                                0x112e40
#define V9_TRCACATR7_RES0                               V9_TRCACATRn_RES0
#define V9_TRCACATR7_RES1                               V9_TRCACATRn_RES1
#define V9_TRCACATR7_UNKN                               V9_TRCACATRn_UNKN

#define V9_SYS_TRCACATR8                                0x112060
#define V9_TRCACATR8_RES0                               V9_TRCACATRn_RES0
#define V9_TRCACATR8_RES1                               V9_TRCACATRn_RES1
#define V9_TRCACATR8_UNKN                               V9_TRCACATRn_UNKN

#define V9_SYS_TRCACATR9                                0x112260
#define V9_TRCACATR9_RES0                               V9_TRCACATRn_RES0
#define V9_TRCACATR9_RES1                               V9_TRCACATRn_RES1
#define V9_TRCACATR9_UNKN                               V9_TRCACATRn_UNKN

#define V9_SYS_TRCACATR10                               0x112460
#define V9_TRCACATR10_RES0                              V9_TRCACATRn_RES0
#define V9_TRCACATR10_RES1                              V9_TRCACATRn_RES1
#define V9_TRCACATR10_UNKN                              V9_TRCACATRn_UNKN

#define V9_SYS_TRCACATR11                               0x112660
#define V9_TRCACATR11_RES0                              V9_TRCACATRn_RES0
#define V9_TRCACATR11_RES1                              V9_TRCACATRn_RES1
#define V9_TRCACATR11_UNKN                              V9_TRCACATRn_UNKN

#define V9_SYS_TRCACATR12                               0x112860
#define V9_TRCACATR12_RES0                              V9_TRCACATRn_RES0
#define V9_TRCACATR12_RES1                              V9_TRCACATRn_RES1
#define V9_TRCACATR12_UNKN                              V9_TRCACATRn_UNKN

#define V9_SYS_TRCACATR13                               0x112a60
#define V9_TRCACATR13_RES0                              V9_TRCACATRn_RES0
#define V9_TRCACATR13_RES1                              V9_TRCACATRn_RES1
#define V9_TRCACATR13_UNKN                              V9_TRCACATRn_UNKN

#define V9_SYS_TRCACATR14                               0x112c60
#define V9_TRCACATR14_RES0                              V9_TRCACATRn_RES0
#define V9_TRCACATR14_RES1                              V9_TRCACATRn_RES1
#define V9_TRCACATR14_UNKN                              V9_TRCACATRn_UNKN

#define V9_SYS_TRCACATR15                               0x112e60
#define V9_TRCACATR15_RES0                              V9_TRCACATRn_RES0
#define V9_TRCACATR15_RES1                              V9_TRCACATRn_RES1
#define V9_TRCACATR15_UNKN                              V9_TRCACATRn_UNKN

#define V9_TRCCIDCVRn_VALUE                             UINT64_C(0x00000000ffffffff)
#define V9_TRCCIDCVRn_RES0                              UINT64_C(0xffffffff00000000)
#define V9_TRCCIDCVRn_RES1                              UINT64_C(0x0000000000000000)
#define V9_TRCCIDCVRn_UNKN                              UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCCIDCVRn_VALUE +
	       V9_TRCCIDCVRn_RES0 + V9_TRCCIDCVRn_RES1 + V9_TRCCIDCVRn_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCCIDCVRn: every bit once");

#define V9_SYS_TRCCIDCVR0                               0x113000
#define V9_TRCCIDCVR0_RES0                              V9_TRCCIDCVRn_RES0
#define V9_TRCCIDCVR0_RES1                              V9_TRCCIDCVRn_RES1
#define V9_TRCCIDCVR0_UNKN                              V9_TRCCIDCVRn_UNKN

#define V9_SYS_TRCCIDCVR1                               0x113200
#define V9_TRCCIDCVR1_RES0                              V9_TRCCIDCVRn_RES0
#define V9_TRCCIDCVR1_RES1                              V9_TRCCIDCVRn_RES1
#define V9_TRCCIDCVR1_UNKN                              V9_TRCCIDCVRn_UNKN

#define V9_SYS_TRCCIDCVR2                               0x113400
#define V9_TRCCIDCVR2_RES0                              V9_TRCCIDCVRn_RES0
#define V9_TRCCIDCVR2_RES1                              V9_TRCCIDCVRn_RES1
#define V9_TRCCIDCVR2_UNKN                              V9_TRCCIDCVRn_UNKN

#define V9_SYS_TRCCIDCVR3                               0x113600
#define V9_TRCCIDCVR3_RES0                              V9_TRCCIDCVRn_RES0
#define V9_TRCCIDCVR3_RES1                              V9_TRCCIDCVRn_RES1
#define V9_TRCCIDCVR3_UNKN                              V9_TRCCIDCVRn_UNKN

#define V9_SYS_TRCCIDCVR4                               0x113800
#define V9_TRCCIDCVR4_RES0                              V9_TRCCIDCVRn_RES0
#define V9_TRCCIDCVR4_RES1                              V9_TRCCIDCVRn_RES1
#define V9_TRCCIDCVR4_UNKN                              V9_TRCCIDCVRn_UNKN

#define V9_SYS_TRCCIDCVR5                               0x113a00
#define V9_TRCCIDCVR5_RES0                              V9_TRCCIDCVRn_RES0
#define V9_TRCCIDCVR5_RES1                              V9_TRCCIDCVRn_RES1
#define V9_TRCCIDCVR5_UNKN                              V9_TRCCIDCVRn_UNKN

#define V9_SYS_TRCCIDCVR6                               0x113c00
#define V9_TRCCIDCVR6_RES0                              V9_TRCCIDCVRn_RES0
#define V9_TRCCIDCVR6_RES1                              V9_TRCCIDCVRn_RES1
#define V9_TRCCIDCVR6_UNKN                              V9_TRCCIDCVRn_UNKN

#define V9_SYS_TRCCIDCVR7                               0x113e00
#define V9_TRCCIDCVR7_RES0                              V9_TRCCIDCVRn_RES0
#define V9_TRCCIDCVR7_RES1                              V9_TRCCIDCVRn_RES1
#define V9_TRCCIDCVR7_UNKN                              V9_TRCCIDCVRn_UNKN

#define V9_TRCVMIDCVRn_VALUE                            UINT64_C(0x00000000ffffffff)
#define V9_TRCVMIDCVRn_RES0                             UINT64_C(0xffffffff00000000)
#define V9_TRCVMIDCVRn_RES1                             UINT64_C(0x0000000000000000)
#define V9_TRCVMIDCVRn_UNKN                             UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCVMIDCVRn_VALUE +
	       V9_TRCVMIDCVRn_RES0 + V9_TRCVMIDCVRn_RES1 + V9_TRCVMIDCVRn_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCVMIDCVRn: every bit once");

#define V9_SYS_TRCVMIDCVR0                              0x113020
#define V9_TRCVMIDCVR0_RES0                             V9_TRCVMIDCVRn_RES0
#define V9_TRCVMIDCVR0_RES1                             V9_TRCVMIDCVRn_RES1
#define V9_TRCVMIDCVR0_UNKN                             V9_TRCVMIDCVRn_UNKN

#define V9_SYS_TRCVMIDCVR1                              0x113220
#define V9_TRCVMIDCVR1_RES0                             V9_TRCVMIDCVRn_RES0
#define V9_TRCVMIDCVR1_RES1                             V9_TRCVMIDCVRn_RES1
#define V9_TRCVMIDCVR1_UNKN                             V9_TRCVMIDCVRn_UNKN

#define V9_SYS_TRCVMIDCVR2                              0x113420
#define V9_TRCVMIDCVR2_RES0                             V9_TRCVMIDCVRn_RES0
#define V9_TRCVMIDCVR2_RES1                             V9_TRCVMIDCVRn_RES1
#define V9_TRCVMIDCVR2_UNKN                             V9_TRCVMIDCVRn_UNKN

#define V9_SYS_TRCVMIDCVR3                              0x113620
#define V9_TRCVMIDCVR3_RES0                             V9_TRCVMIDCVRn_RES0
#define V9_TRCVMIDCVR3_RES1                             V9_TRCVMIDCVRn_RES1
#define V9_TRCVMIDCVR3_UNKN                             V9_TRCVMIDCVRn_UNKN

#define V9_SYS_TRCVMIDCVR4                              0x113820
#define V9_TRCVMIDCVR4_RES0                             V9_TRCVMIDCVRn_RES0
#define V9_TRCVMIDCVR4_RES1                             V9_TRCVMIDCVRn_RES1
#define V9_TRCVMIDCVR4_UNKN                             V9_TRCVMIDCVRn_UNKN

#define V9_SYS_TRCVMIDCVR5                              0x113a20
#define V9_TRCVMIDCVR5_RES0                             V9_TRCVMIDCVRn_RES0
#define V9_TRCVMIDCVR5_RES1                             V9_TRCVMIDCVRn_RES1
#define V9_TRCVMIDCVR5_UNKN                             V9_TRCVMIDCVRn_UNKN

#define V9_SYS_TRCVMIDCVR6                              0x113c20
#define V9_TRCVMIDCVR6_RES0                             V9_TRCVMIDCVRn_RES0
#define V9_TRCVMIDCVR6_RES1                             V9_TRCVMIDCVRn_RES1
#define V9_TRCVMIDCVR6_UNKN                             V9_TRCVMIDCVRn_UNKN

#define V9_SYS_TRCVMIDCVR7                              0x113e20
#define V9_TRCVMIDCVR7_RES0                             V9_TRCVMIDCVRn_RES0
#define V9_TRCVMIDCVR7_RES1                             V9_TRCVMIDCVRn_RES1
#define V9_TRCVMIDCVR7_UNKN                             V9_TRCVMIDCVRn_UNKN

#define V9_SYS_TRCCIDCCTLR0                             0x113040
#define V9_TRCCIDCCTLR0_COMP3                           UINT64_C(0x00000000ff000000)
#define V9_TRCCIDCCTLR0_COMP2                           UINT64_C(0x0000000000ff0000)
#define V9_TRCCIDCCTLR0_COMP1                           UINT64_C(0x000000000000ff00)
#define V9_TRCCIDCCTLR0_COMP0                           UINT64_C(0x00000000000000ff)
#define V9_TRCCIDCCTLR0_RES0                            UINT64_C(0xffffffff00000000)
#define V9_TRCCIDCCTLR0_RES1                            UINT64_C(0x0000000000000000)
#define V9_TRCCIDCCTLR0_UNKN                            UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCCIDCCTLR0_COMP3 +
	       V9_TRCCIDCCTLR0_COMP2 +
	       V9_TRCCIDCCTLR0_COMP1 +
	       V9_TRCCIDCCTLR0_COMP0 +
	       V9_TRCCIDCCTLR0_RES0 + V9_TRCCIDCCTLR0_RES1 + V9_TRCCIDCCTLR0_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCCIDCCTLR0: every bit once");

#define V9_SYS_TRCCIDCCTLR1                             0x113140
#define V9_TRCCIDCCTLR1_COMP7                           UINT64_C(0x00000000ff000000)
#define V9_TRCCIDCCTLR1_COMP6                           UINT64_C(0x0000000000ff0000)
#define V9_TRCCIDCCTLR1_COMP5                           UINT64_C(0x000000000000ff00)
#define V9_TRCCIDCCTLR1_COMP4                           UINT64_C(0x00000000000000ff)
#define V9_TRCCIDCCTLR1_RES0                            UINT64_C(0xffffffff00000000)
#define V9_TRCCIDCCTLR1_RES1                            UINT64_C(0x0000000000000000)
#define V9_TRCCIDCCTLR1_UNKN                            UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCCIDCCTLR1_COMP7 +
	       V9_TRCCIDCCTLR1_COMP6 +
	       V9_TRCCIDCCTLR1_COMP5 +
	       V9_TRCCIDCCTLR1_COMP4 +
	       V9_TRCCIDCCTLR1_RES0 + V9_TRCCIDCCTLR1_RES1 + V9_TRCCIDCCTLR1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCCIDCCTLR1: every bit once");

#define V9_SYS_TRCVMIDCCTLR0                            0x113240
#define V9_TRCVMIDCCTLR0_COMP3                          UINT64_C(0x00000000ff000000)
#define V9_TRCVMIDCCTLR0_COMP2                          UINT64_C(0x0000000000ff0000)
#define V9_TRCVMIDCCTLR0_COMP1                          UINT64_C(0x000000000000ff00)
#define V9_TRCVMIDCCTLR0_COMP0                          UINT64_C(0x00000000000000ff)
#define V9_TRCVMIDCCTLR0_RES0                           UINT64_C(0xffffffff00000000)
#define V9_TRCVMIDCCTLR0_RES1                           UINT64_C(0x0000000000000000)
#define V9_TRCVMIDCCTLR0_UNKN                           UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCVMIDCCTLR0_COMP3 +
	       V9_TRCVMIDCCTLR0_COMP2 +
	       V9_TRCVMIDCCTLR0_COMP1 +
	       V9_TRCVMIDCCTLR0_COMP0 +
	       V9_TRCVMIDCCTLR0_RES0 + V9_TRCVMIDCCTLR0_RES1 + V9_TRCVMIDCCTLR0_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCVMIDCCTLR0: every bit once");

#define V9_SYS_TRCVMIDCCTLR1                            0x113340
#define V9_TRCVMIDCCTLR1_COMP7                          UINT64_C(0x00000000ff000000)
#define V9_TRCVMIDCCTLR1_COMP6                          UINT64_C(0x0000000000ff0000)
#define V9_TRCVMIDCCTLR1_COMP5                          UINT64_C(0x000000000000ff00)
#define V9_TRCVMIDCCTLR1_COMP4                          UINT64_C(0x00000000000000ff)
#define V9_TRCVMIDCCTLR1_RES0                           UINT64_C(0xffffffff00000000)
#define V9_TRCVMIDCCTLR1_RES1                           UINT64_C(0x0000000000000000)
#define V9_TRCVMIDCCTLR1_UNKN                           UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCVMIDCCTLR1_COMP7 +
	       V9_TRCVMIDCCTLR1_COMP6 +
	       V9_TRCVMIDCCTLR1_COMP5 +
	       V9_TRCVMIDCCTLR1_COMP4 +
	       V9_TRCVMIDCCTLR1_RES0 + V9_TRCVMIDCCTLR1_RES1 + V9_TRCVMIDCCTLR1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCVMIDCCTLR1: every bit once");

#define V9_SYS_TRCCLAIMSET                              0x1178c0
#define V9_TRCCLAIMSET_SET                              UINT64_C(0x00000000ffffffff)
#define V9_TRCCLAIMSET_RES0                             UINT64_C(0xffffffff00000000)
#define V9_TRCCLAIMSET_RES1                             UINT64_C(0x0000000000000000)
#define V9_TRCCLAIMSET_UNKN                             UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCCLAIMSET_SET +
	       V9_TRCCLAIMSET_RES0 + V9_TRCCLAIMSET_RES1 + V9_TRCCLAIMSET_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCCLAIMSET: every bit once");

#define V9_SYS_TRCCLAIMCLR                              0x1179c0
#define V9_TRCCLAIMCLR_CLR                              UINT64_C(0x00000000ffffffff)
#define V9_TRCCLAIMCLR_RES0                             UINT64_C(0xffffffff00000000)
#define V9_TRCCLAIMCLR_RES1                             UINT64_C(0x0000000000000000)
#define V9_TRCCLAIMCLR_UNKN                             UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCCLAIMCLR_CLR +
	       V9_TRCCLAIMCLR_RES0 + V9_TRCCLAIMCLR_RES1 + V9_TRCCLAIMCLR_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCCLAIMCLR: every bit once");

#define V9_SYS_TRCAUTHSTATUS                            0x117ec0
#define V9_TRCAUTHSTATUS_RTNID                          UINT64_C(0x000000000c000000)
#define V9_TRCAUTHSTATUS_RTID                           UINT64_C(0x0000000003000000)
#define V9_TRCAUTHSTATUS_RLNID                          UINT64_C(0x000000000000c000)
#define V9_TRCAUTHSTATUS_RLID                           UINT64_C(0x0000000000003000)
#define V9_TRCAUTHSTATUS_HNID                           UINT64_C(0x0000000000000c00)
#define V9_TRCAUTHSTATUS_HID                            UINT64_C(0x0000000000000300)
#define V9_TRCAUTHSTATUS_SNID                           UINT64_C(0x00000000000000c0)
#define V9_TRCAUTHSTATUS_SID                            UINT64_C(0x0000000000000030)
#define V9_TRCAUTHSTATUS_NSNID                          UINT64_C(0x000000000000000c)
#define V9_TRCAUTHSTATUS_NSID                           UINT64_C(0x0000000000000003)
#define V9_TRCAUTHSTATUS_RES0                           UINT64_C(0xfffffffff0ff0000)
#define V9_TRCAUTHSTATUS_RES1                           UINT64_C(0x0000000000000000)
#define V9_TRCAUTHSTATUS_UNKN                           UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCAUTHSTATUS_RTNID +
	       V9_TRCAUTHSTATUS_RTID +
	       V9_TRCAUTHSTATUS_RLNID +
	       V9_TRCAUTHSTATUS_RLID +
	       V9_TRCAUTHSTATUS_HNID +
	       V9_TRCAUTHSTATUS_HID +
	       V9_TRCAUTHSTATUS_SNID +
	       V9_TRCAUTHSTATUS_SID +
	       V9_TRCAUTHSTATUS_NSNID +
	       V9_TRCAUTHSTATUS_NSID +
	       V9_TRCAUTHSTATUS_RES0 + V9_TRCAUTHSTATUS_RES1 + V9_TRCAUTHSTATUS_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCAUTHSTATUS: every bit once");

#define V9_SYS_TRCDEVARCH                               0x117fc0
#define V9_TRCDEVARCH_ARCHITECT                         UINT64_C(0x00000000ffe00000)
#define V9_TRCDEVARCH_PRESENT                           UINT64_C(0x0000000000100000)
#define V9_TRCDEVARCH_REVISION                          UINT64_C(0x00000000000f0000)
#define V9_TRCDEVARCH_REVISION_ETEv1p0                  0x0
#define V9_TRCDEVARCH_REVISION_ETEv1p1                  0x1
#define V9_TRCDEVARCH_REVISION_ETEv1p2                  0x2
#define V9_TRCDEVARCH_REVISION_ETEv1p3                  0x3
#define V9_TRCDEVARCH_ARCHVER                           UINT64_C(0x000000000000f000)
#define V9_TRCDEVARCH_ARCHPART                          UINT64_C(0x0000000000000fff)
#define V9_TRCDEVARCH_RES0                              UINT64_C(0xffffffff00000000)
#define V9_TRCDEVARCH_RES1                              UINT64_C(0x0000000000000000)
#define V9_TRCDEVARCH_UNKN                              UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCDEVARCH_ARCHITECT +
	       V9_TRCDEVARCH_PRESENT +
	       V9_TRCDEVARCH_REVISION +
	       V9_TRCDEVARCH_ARCHVER +
	       V9_TRCDEVARCH_ARCHPART +
	       V9_TRCDEVARCH_RES0 + V9_TRCDEVARCH_RES1 + V9_TRCDEVARCH_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCDEVARCH: every bit once");

#define V9_SYS_TRCDEVID                                 0x1172e0
#define V9_TRCDEVID_RES0                                UINT64_C(0xffffffffffffffff)
#define V9_TRCDEVID_RES1                                UINT64_C(0x0000000000000000)
#define V9_TRCDEVID_UNKN                                UINT64_C(0x0000000000000000)
_Static_assert(V9_TRCDEVID_RES0 + V9_TRCDEVID_RES1 + V9_TRCDEVID_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "TRCDEVID: every bit once");

#define V9_SYS_ID_AA64DFR0_EL1                          0x180500
#define V9_ID_AA64DFR0_EL1_HPMN0                        UINT64_C(0xf000000000000000)
#define V9_ID_AA64DFR0_EL1_ExtTrcBuff                   UINT64_C(0x0f00000000000000)
#define V9_ID_AA64DFR0_EL1_BRBE                         UINT64_C(0x00f0000000000000)
#define V9_ID_AA64DFR0_EL1_MTPMU                        UINT64_C(0x000f000000000000)
#define V9_ID_AA64DFR0_EL1_TraceBuffer                  UINT64_C(0x0000f00000000000)
#define V9_ID_AA64DFR0_EL1_TraceBuffer_NOT_IMPLEMENTED  0x0
#define V9_ID_AA64DFR0_EL1_TraceBuffer_IMPLEMENTED      0x1
#define V9_ID_AA64DFR0_EL1_TraceBuffer_TRBEv1p1         0x2
#define V9_ID_AA64DFR0_EL1_TraceFilt                    UINT64_C(0x00000f0000000000)
#define V9_ID_AA64DFR0_EL1_TraceFilt_NOT_IMPLEMENTED    0x0
#define V9_ID_AA64DFR0_EL1_TraceFilt_IMPLEMENTED        0x1
#define V9_ID_AA64DFR0_EL1_DoubleLock                   UINT64_C(0x000000f000000000)
#define V9_ID_AA64DFR0_EL1_PMSVer                       UINT64_C(0x0000000f00000000)
#define V9_ID_AA64DFR0_EL1_PMSVer_NOT_IMPLEMENTED       0x0
#define V9_ID_AA64DFR0_EL1_PMSVer_SPEv1p0               0x1
#define V9_ID_AA64DFR0_EL1_PMSVer_SPEv1p1               0x2
#define V9_ID_AA64DFR0_EL1_PMSVer_SPEv1p2               0x3
#define V9_ID_AA64DFR0_EL1_PMSVer_SPEv1p3               0x4
#define V9_ID_AA64DFR0_EL1_PMSVer_SPEv1p4               0x5
#define V9_ID_AA64DFR0_EL1_PMSVer_SPEv1p5               0x6
#define V9_ID_AA64DFR0_EL1_CTX_CMPs                     UINT64_C(0x00000000f0000000)
#define V9_ID_AA64DFR0_EL1_SEBEP                        UINT64_C(0x000000000f000000)
#define V9_ID_AA64DFR0_EL1_WRPs                         UINT64_C(0x0000000000f00000)
#define V9_ID_AA64DFR0_EL1_PMSS                         UINT64_C(0x00000000000f0000)
#define V9_ID_AA64DFR0_EL1_BRPs                         UINT64_C(0x000000000000f000)
#define V9_ID_AA64DFR0_EL1_PMUVer                       UINT64_C(0x0000000000000f00)
#define V9_ID_AA64DFR0_EL1_TraceVer                     UINT64_C(0x00000000000000f0)
#define V9_ID_AA64DFR0_EL1_TraceVer_NOT_IMPLEMENTED     0x0
#define V9_ID_AA64DFR0_EL1_TraceVer_IMPLEMENTED         0x1
#define V9_ID_AA64DFR0_EL1_DebugVer                     UINT64_C(0x000000000000000f)
#define V9_ID_AA64DFR0_EL1_RES0                         UINT64_C(0x0000000000000000)
#define V9_ID_AA64DFR0_EL1_RES1                         UINT64_C(0x0000000000000000)
#define V9_ID_AA64DFR0_EL1_UNKN                         UINT64_C(0x0000000000000000)
_Static_assert(V9_ID_AA64DFR0_EL1_HPMN0 +
	       V9_ID_AA64DFR0_EL1_ExtTrcBuff +
	       V9_ID_AA64DFR0_EL1_BRBE +
	       V9_ID_AA64DFR0_EL1_MTPMU +
	       V9_ID_AA64DFR0_EL1_TraceBuffer +
	       V9_ID_AA64DFR0_EL1_TraceFilt +
	       V9_ID_AA64DFR0_EL1_DoubleLock +
	       V9_ID_AA64DFR0_EL1_PMSVer +
	       V9_ID_AA64DFR0_EL1_CTX_CMPs +
	       V9_ID_AA64DFR0_EL1_SEBEP +
	       V9_ID_AA64DFR0_EL1_WRPs +
	       V9_ID_AA64DFR0_EL1_PMSS +
	       V9_ID_AA64DFR0_EL1_BRPs +
	       V9_ID_AA64DFR0_EL1_PMUVer +
	       V9_ID_AA64DFR0_EL1_TraceVer +
	       V9_ID_AA64DFR0_EL1_DebugVer +
	       V9_ID_AA64DFR0_EL1_RES0 + V9_ID_AA64DFR0_EL1_RES1 + V9_ID_AA64DFR0_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "ID_AA64DFR0_EL1: every bit once");

#define V9_SYS_ID_AA64DFR1_EL1                          0x180520
#define V9_ID_AA64DFR1_EL1_ITE                          UINT64_C(0x0000f00000000000)
#define V9_ID_AA64DFR1_EL1_ITE_NOT_IMPLEMENTED          0x0
#define V9_ID_AA64DFR1_EL1_ITE_IMPLEMENTED              0x1
#define V9_ID_AA64DFR1_EL1_RES0                         UINT64_C(0x0000000000000000)
#define V9_ID_AA64DFR1_EL1_RES1                         UINT64_C(0x0000000000000000)
#define V9_ID_AA64DFR1_EL1_UNKN                         UINT64_C(0xffff0fffffffffff)
_Static_assert(V9_ID_AA64DFR1_EL1_ITE +
	       V9_ID_AA64DFR1_EL1_RES0 + V9_ID_AA64DFR1_EL1_RES1 + V9_ID_AA64DFR1_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "ID_AA64DFR1_EL1: every bit once");

#define V9_SYS_ID_AA64DFR2_EL1                          0x180540
#define V9_ID_AA64DFR2_EL1_TRBE_EXC                     UINT64_C(0x000000000f000000)
#define V9_ID_AA64DFR2_EL1_TRBE_EXC_NOT_IMPLEMENTED     0x0
#define V9_ID_AA64DFR2_EL1_TRBE_EXC_IMPLEMENTED         0x1
#define V9_ID_AA64DFR2_EL1_SPE_nVM                      UINT64_C(0x0000000000f00000)
#define V9_ID_AA64DFR2_EL1_SPE_nVM_NOT_IMPLEMENTED      0x0
#define V9_ID_AA64DFR2_EL1_SPE_nVM_IMPLEMENTED          0x1
#define V9_ID_AA64DFR2_EL1_SPE_EXC                      UINT64_C(0x00000000000f0000)
#define V9_ID_AA64DFR2_EL1_SPE_EXC_NOT_IMPLEMENTED      0x0
#define V9_ID_AA64DFR2_EL1_SPE_EXC_IMPLEMENTED          0x1
#define V9_ID_AA64DFR2_EL1_RES0                         UINT64_C(0x0000000000000000)
#define V9_ID_AA64DFR2_EL1_RES1                         UINT64_C(0x0000000000000000)
#define V9_ID_AA64DFR2_EL1_UNKN                         UINT64_C(0xfffffffff000ffff)
_Static_assert(V9_ID_AA64DFR2_EL1_TRBE_EXC +
	       V9_ID_AA64DFR2_EL1_SPE_nVM +
	       V9_ID_AA64DFR2_EL1_SPE_EXC +
	       V9_ID_AA64DFR2_EL1_RES0 + V9_ID_AA64DFR2_EL1_RES1 + V9_ID_AA64DFR2_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "ID_AA64DFR2_EL1: every bit once");

#define V9_SYS_ID_AA64MMFR0_EL1                         0x180700
#define V9_ID_AA64MMFR0_EL1_FGT                         UINT64_C(0x0f00000000000000)
#define V9_ID_AA64MMFR0_EL1_FGT_NOT_IMPLEMENTED         0x0
#define V9_ID_AA64MMFR0_EL1_FGT_FGT                     0x1
#define V9_ID_AA64MMFR0_EL1_FGT_FGT2                    0x2
#define V9_ID_AA64MMFR0_EL1_TGran4_2                    UINT64_C(0x00000f0000000000)
#define V9_ID_AA64MMFR0_EL1_TGran4_2_AS_TGRAN4          0x0
#define V9_ID_AA64MMFR0_EL1_TGran4_2_NOT_IMPLEMENTED    0x1
#define V9_ID_AA64MMFR0_EL1_TGran4_2_IMPLEMENTED        0x2
#define V9_ID_AA64MMFR0_EL1_TGran4_2_52_BIT             0x3
#define V9_ID_AA64MMFR0_EL1_TGran64_2                   UINT64_C(0x000000f000000000)
#define V9_ID_AA64MMFR0_EL1_TGran64_2_AS_TGRAN64        0x0
#define V9_ID_AA64MMFR0_EL1_TGran64_2_NOT_IMPLEMENTED   0x1
#define V9_ID_AA64MMFR0_EL1_TGran64_2_IMPLEMENTED       0x2
#define V9_ID_AA64MMFR0_EL1_TGran16_2                   UINT64_C(0x0000000f00000000)
#define V9_ID_AA64MMFR0_EL1_TGran16_2_AS_TGRAN16        0x0
#define V9_ID_AA64MMFR0_EL1_TGran16_2_NOT_IMPLEMENTED   0x1
#define V9_ID_AA64MMFR0_EL1_TGran16_2_IMPLEMENTED       0x2
#define V9_ID_AA64MMFR0_EL1_TGran16_2_52_BIT            0x3
#define V9_ID_AA64MMFR0_EL1_TGran4                      UINT64_C(0x00000000f0000000)
#define V9_ID_AA64MMFR0_EL1_TGran4_IMPLEMENTED          0x0
#define V9_ID_AA64MMFR0_EL1_TGran4_52_BIT               0x1
#define V9_ID_AA64MMFR0_EL1_TGran4_NOT_IMPLEMENTED      0xf
#define V9_ID_AA64MMFR0_EL1_TGran64                     UINT64_C(0x000000000f000000)
#define V9_ID_AA64MMFR0_EL1_TGran64_IMPLEMENTED         0x0
#define V9_ID_AA64MMFR0_EL1_TGran64_NOT_IMPLEMENTED     0xf
#define V9_ID_AA64MMFR0_EL1_TGran16                     UINT64_C(0x0000000000f00000)
#define V9_ID_AA64MMFR0_EL1_TGran16_NOT_IMPLEMENTED     0x0
#define V9_ID_AA64MMFR0_EL1_TGran16_IMPLEMENTED         0x1
#define V9_ID_AA64MMFR0_EL1_TGran16_52_BIT              0x2
#define V9_ID_AA64MMFR0_EL1_PARange                     UINT64_C(0x000000000000000f)
#define V9_ID_AA64MMFR0_EL1_PARange_32                  0x0
#define V9_ID_AA64MMFR0_EL1_PARange_36                  0x1
#define V9_ID_AA64MMFR0_EL1_PARange_40                  0x2
#define V9_ID_AA64MMFR0_EL1_PARange_42                  0x3
#define V9_ID_AA64MMFR0_EL1_PARange_44                  0x4
#define V9_ID_AA64MMFR0_EL1_PARange_48                  0x5
#define V9_ID_AA64MMFR0_EL1_PARange_52                  0x6
#define V9_ID_AA64MMFR0_EL1_PARange_56                  0x7
#define V9_ID_AA64MMFR0_EL1_RES0                        UINT64_C(0x0000000000000000)
#define V9_ID_AA64MMFR0_EL1_RES1                        UINT64_C(0x0000000000000000)
#define V9_ID_AA64MMFR0_EL1_UNKN                        UINT64_C(0xf0fff000000ffff0)
_Static_assert(V9_ID_AA64MMFR0_EL1_FGT +
	       V9_ID_AA64MMFR0_EL1_TGran4_2 +
	       V9_ID_AA64MMFR0_EL1_TGran64_2 +
	       V9_ID_AA64MMFR0_EL1_TGran16_2 +
	       V9_ID_AA64MMFR0_EL1_TGran4 +
	       V9_ID_AA64MMFR0_EL1_TGran64 +
	       V9_ID_AA64MMFR0_EL1_TGran16 +
	       V9_ID_AA64MMFR0_EL1_PARange +
	       V9_ID_AA64MMFR0_EL1_RES0 + V9_ID_AA64MMFR0_EL1_RES1 + V9_ID_AA64MMFR0_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "ID_AA64MMFR0_EL1: every bit once");

#define V9_SYS_OSLAR_EL1                                0x101080
#define V9_OSLAR_EL1_OSLK                               UINT64_C(0x0000000000000001)
#define V9_OSLAR_EL1_RES0                               UINT64_C(0xfffffffffffffffe)
#define V9_OSLAR_EL1_RES1                               UINT64_C(0x0000000000000000)
#define V9_OSLAR_EL1_UNKN                               UINT64_C(0x0000000000000000)
_Static_assert(V9_OSLAR_EL1_OSLK +
	       V9_OSLAR_EL1_RES0 + V9_OSLAR_EL1_RES1 + V9_OSLAR_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "OSLAR_EL1: every bit once");

#define V9_SYS_OSLSR_EL1                                0x101180
#define V9_OSLSR_EL1_OSLK                               UINT64_C(0x0000000000000002)
#define V9_OSLSR_EL1_RES0                               UINT64_C(0x0000000000000000)
#define V9_OSLSR_EL1_RES1                               UINT64_C(0x0000000000000000)
#define V9_OSLSR_EL1_UNKN                               UINT64_C(0xfffffffffffffffd)
_Static_assert(V9_OSLSR_EL1_OSLK +
	       V9_OSLSR_EL1_RES0 + V9_OSLSR_EL1_RES1 + V9_OSLSR_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "OSLSR_EL1: every bit once");

#define V9_SYS_CPACR_EL1                                0x181040
#define V9_CPACR_EL1_TTA                                UINT64_C(0x0000000010000000)
#define V9_CPACR_EL1_RES0                               UINT64_C(0x0000000000000000)
#define V9_CPACR_EL1_RES1                               UINT64_C(0x0000000000000000)
#define V9_CPACR_EL1_UNKN                               UINT64_C(0xffffffffefffffff)
_Static_assert(V9_CPACR_EL1_TTA +
	       V9_CPACR_EL1_RES0 + V9_CPACR_EL1_RES1 + V9_CPACR_EL1_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "CPACR_EL1: every bit once");

#define V9_SYS_CPACR_EL12                               0x1d1040
#define V9_CPACR_EL12_RES0                              V9_CPACR_EL1_RES0
#define V9_CPACR_EL12_RES1                              V9_CPACR_EL1_RES1
#define V9_CPACR_EL12_UNKN                              V9_CPACR_EL1_UNKN

#define V9_SYS_CPTR_EL2                                 0x1c1140
#define V9_CPTR_EL2_TTA_E2H                             UINT64_C(0x0000000010000000)
#define V9_CPTR_EL2_TTA                                 UINT64_C(0x0000000000100000)
#define V9_CPTR_EL2_RES0                                UINT64_C(0x0000000000000000)
#define V9_CPTR_EL2_RES1                                UINT64_C(0x0000000000000000)
#define V9_CPTR_EL2_UNKN                                UINT64_C(0xffffffffefefffff)
_Static_assert(V9_CPTR_EL2_TTA_E2H +
	       V9_CPTR_EL2_TTA +
	       V9_CPTR_EL2_RES0 + V9_CPTR_EL2_RES1 + V9_CPTR_EL2_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "CPTR_EL2: every bit once");

#define V9_SYS_CPTR_EL3                                 0x1e1140
#define V9_CPTR_EL3_TTA                                 UINT64_C(0x0000000000100000)
#define V9_CPTR_EL3_RES0                                UINT64_C(0x0000000000000000)
#define V9_CPTR_EL3_RES1                                UINT64_C(0x0000000000000000)
#define V9_CPTR_EL3_UNKN                                UINT64_C(0xffffffffffefffff)
_Static_assert(V9_CPTR_EL3_TTA +
	       V9_CPTR_EL3_RES0 + V9_CPTR_EL3_RES1 + V9_CPTR_EL3_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "CPTR_EL3: every bit once");

#define V9_SYS_HFGITR_EL2                               0x1c11c0
#define V9_HFGITR_EL2_PSBCSYNC                          UINT64_C(0x8000000000000000)
#define V9_HFGITR_EL2_RES0                              UINT64_C(0x0000000000000000)
#define V9_HFGITR_EL2_RES1                              UINT64_C(0x0000000000000000)
#define V9_HFGITR_EL2_UNKN                              UINT64_C(0x7fffffffffffffff)
_Static_assert(V9_HFGITR_EL2_PSBCSYNC +
	       V9_HFGITR_EL2_RES0 + V9_HFGITR_EL2_RES1 + V9_HFGITR_EL2_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "HFGITR_EL2: every bit once");

#define V9_SYS_HFGITR2_EL2                              0x1c31e0
#define V9_HFGITR2_EL2_TSBCSYNC                         UINT64_C(0x0000000000000001)
#define V9_HFGITR2_EL2_RES0                             UINT64_C(0x0000000000000000)
#define V9_HFGITR2_EL2_RES1                             UINT64_C(0x0000000000000000)
#define V9_HFGITR2_EL2_UNKN                             UINT64_C(0xfffffffffffffffe)
_Static_assert(V9_HFGITR2_EL2_TSBCSYNC +
	       V9_HFGITR2_EL2_RES0 + V9_HFGITR2_EL2_RES1 + V9_HFGITR2_EL2_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "HFGITR2_EL2: every bit once");

#define V9_SYS_HCR_EL2                                  0x1c1100
#define V9_HCR_EL2_GPF                                  UINT64_C(0x0001000000000000)
#define V9_HCR_EL2_NV2                                  UINT64_C(0x0000200000000000)
#define V9_HCR_EL2_NV1                                  UINT64_C(0x0000080000000000)
#define V9_HCR_EL2_NV                                   UINT64_C(0x0000040000000000)
#define V9_HCR_EL2_TEA                                  UINT64_C(0x0000002000000000)
#define V9_HCR_EL2_E2H                                  UINT64_C(0x0000000400000000)
#define V9_HCR_EL2_RW                                   UINT64_C(0x0000000080000000)
#define V9_HCR_EL2_TGE                                  UINT64_C(0x0000000008000000)
#define V9_HCR_EL2_DC                                   UINT64_C(0x0000000000001000)
#define V9_HCR_EL2_VM                                   UINT64_C(0x0000000000000001)
#define V9_HCR_EL2_RES0                                 UINT64_C(0x0000000000000000)
#define V9_HCR_EL2_RES1                                 UINT64_C(0x0000000000000000)
#define V9_HCR_EL2_UNKN                                 UINT64_C(0xfffed3db77ffeffe)
_Static_assert(V9_HCR_EL2_GPF +
	       V9_HCR_EL2_NV2 +
	       V9_HCR_EL2_NV1 +
	       V9_HCR_EL2_NV +
	       V9_HCR_EL2_TEA +
	       V9_HCR_EL2_E2H +
	       V9_HCR_EL2_RW +
	       V9_HCR_EL2_TGE +
	       V9_HCR_EL2_DC +
	       V9_HCR_EL2_VM +
	       V9_HCR_EL2_RES0 + V9_HCR_EL2_RES1 + V9_HCR_EL2_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "HCR_EL2: every bit once");

#define V9_SYS_MDCR_EL2                                 0x1c1120
#define V9_MDCR_EL2_HPMFZS                              UINT64_C(0x0000001000000000)
#define V9_MDCR_EL2_E2TB                                UINT64_C(0x0000000003000000)
#define V9_MDCR_EL2_E2TB_EL2                            0x0
#define V9_MDCR_EL2_E2TB_EL1_TRAP                       0x2
#define V9_MDCR_EL2_E2TB_EL1                            0x3
#define V9_MDCR_EL2_TTRF                                UINT64_C(0x0000000000080000)
#define V9_MDCR_EL2_TPMS                                UINT64_C(0x0000000000004000)
#define V9_MDCR_EL2_E2PB                                UINT64_C(0x0000000000003000)
#define V9_MDCR_EL2_E2PB_EL2                            0x0
#define V9_MDCR_EL2_E2PB_EL1_TRAP                       0x2
#define V9_MDCR_EL2_E2PB_EL1                            0x3
#define V9_MDCR_EL2_TDA                                 UINT64_C(0x0000000000000200)
#define V9_MDCR_EL2_TDE                                 UINT64_C(0x0000000000000100)
#define V9_MDCR_EL2_HPMN                                UINT64_C(0x000000000000001f)
#define V9_MDCR_EL2_RES0                                UINT64_C(0x0000000000000000)
#define V9_MDCR_EL2_RES1                                UINT64_C(0x0000000000000000)
#define V9_MDCR_EL2_UNKN                                UINT64_C(0xffffffeffcf78ce0)
_Static_assert(V9_MDCR_EL2_HPMFZS +
	       V9_MDCR_EL2_E2TB +
	       V9_MDCR_EL2_TTRF +
	       V9_MDCR_EL2_TPMS +
	       V9_MDCR_EL2_E2PB +
	       V9_MDCR_EL2_TDA +
	       V9_MDCR_EL2_TDE +
	       V9_MDCR_EL2_HPMN +
	       V9_MDCR_EL2_RES0 + V9_MDCR_EL2_RES1 + V9_MDCR_EL2_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "MDCR_EL2: every bit once");

#define V9_SYS_HDFGRTR2_EL2                             0x1c3100
#define V9_HDFGRTR2_EL2_nPMBMAR_EL1                     UINT64_C(0x0000000001000000)
#define V9_HDFGRTR2_EL2_nTRBMPAM_EL1                    UINT64_C(0x0000000000400000)
#define V9_HDFGRTR2_EL2_nTRCITECR_EL1                   UINT64_C(0x0000000000100000)
#define V9_HDFGRTR2_EL2_nPMSDSFR_EL1                    UINT64_C(0x0000000000080000)
#define V9_HDFGRTR2_EL2_RES0                            UINT64_C(0x0000000000000000)
#define V9_HDFGRTR2_EL2_RES1                            UINT64_C(0x0000000000000000)
#define V9_HDFGRTR2_EL2_UNKN                            UINT64_C(0xfffffffffea7ffff)
_Static_assert(V9_HDFGRTR2_EL2_nPMBMAR_EL1 +
	       V9_HDFGRTR2_EL2_nTRBMPAM_EL1 +
	       V9_HDFGRTR2_EL2_nTRCITECR_EL1 +
	       V9_HDFGRTR2_EL2_nPMSDSFR_EL1 +
	       V9_HDFGRTR2_EL2_RES0 + V9_HDFGRTR2_EL2_RES1 + V9_HDFGRTR2_EL2_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "HDFGRTR2_EL2: every bit once");

#define V9_SYS_HDFGWTR2_EL2                             0x1c3120
#define V9_HDFGWTR2_EL2_nPMBMAR_EL1                     UINT64_C(0x0000000001000000)
#define V9_HDFGWTR2_EL2_nTRBMPAM_EL1                    UINT64_C(0x0000000000400000)
#define V9_HDFGWTR2_EL2_nTRCITECR_EL1                   UINT64_C(0x0000000000100000)
#define V9_HDFGWTR2_EL2_nPMSDSFR_EL1                    UINT64_C(0x0000000000080000)
#define V9_HDFGWTR2_EL2_RES0                            UINT64_C(0x0000000000000000)
#define V9_HDFGWTR2_EL2_RES1                            UINT64_C(0x0000000000000000)
#define V9_HDFGWTR2_EL2_UNKN                            UINT64_C(0xfffffffffea7ffff)
_Static_assert(V9_HDFGWTR2_EL2_nPMBMAR_EL1 +
	       V9_HDFGWTR2_EL2_nTRBMPAM_EL1 +
	       V9_HDFGWTR2_EL2_nTRCITECR_EL1 +
	       V9_HDFGWTR2_EL2_nPMSDSFR_EL1 +
	       V9_HDFGWTR2_EL2_RES0 + V9_HDFGWTR2_EL2_RES1 + V9_HDFGWTR2_EL2_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "HDFGWTR2_EL2: every bit once");

#define V9_SYS_HDFGRTR_EL2                              0x1c3180
#define V9_HDFGRTR_EL2_PMBIDR_EL1                       UINT64_C(0x8000000000000000)
#define V9_HDFGRTR_EL2_nPMSNEVFR_EL1                    UINT64_C(0x4000000000000000)
#define V9_HDFGRTR_EL2_TRBTRG_EL1                       UINT64_C(0x0100000000000000)
#define V9_HDFGRTR_EL2_TRBSR_EL1                        UINT64_C(0x0080000000000000)
#define V9_HDFGRTR_EL2_TRBPTR_EL1                       UINT64_C(0x0040000000000000)
#define V9_HDFGRTR_EL2_TRBMAR_EL1                       UINT64_C(0x0020000000000000)
#define V9_HDFGRTR_EL2_TRBLIMITR_EL1                    UINT64_C(0x0010000000000000)
#define V9_HDFGRTR_EL2_TRBIDR_EL1                       UINT64_C(0x0008000000000000)
#define V9_HDFGRTR_EL2_TRBBASER_EL1                     UINT64_C(0x0004000000000000)
#define V9_HDFGRTR_EL2_TRCVICTLR                        UINT64_C(0x0001000000000000)
#define V9_HDFGRTR_EL2_TRCSTATR                         UINT64_C(0x0000800000000000)
#define V9_HDFGRTR_EL2_TRCSSCSRn                        UINT64_C(0x0000400000000000)
#define V9_HDFGRTR_EL2_TRCSEQSTR                        UINT64_C(0x0000200000000000)
#define V9_HDFGRTR_EL2_TRCPRGCTLR                       UINT64_C(0x0000100000000000)
#define V9_HDFGRTR_EL2_TRCOSLSR                         UINT64_C(0x0000080000000000)
#define V9_HDFGRTR_EL2_TRCIMSPECn                       UINT64_C(0x0000020000000000)
#define V9_HDFGRTR_EL2_TRCID                            UINT64_C(0x0000010000000000)
#define V9_HDFGRTR_EL2_TRCCNTVRn                        UINT64_C(0x0000002000000000)
#define V9_HDFGRTR_EL2_TRCCLAIM                         UINT64_C(0x0000001000000000)
#define V9_HDFGRTR_EL2_TRCAUXCTLR                       UINT64_C(0x0000000800000000)
#define V9_HDFGRTR_EL2_TRCAUTHSTATUS                    UINT64_C(0x0000000400000000)
#define V9_HDFGRTR_EL2_TRC                              UINT64_C(0x0000000200000000)
#define V9_HDFGRTR_EL2_PMSLATFR_EL1                     UINT64_C(0x0000000100000000)
#define V9_HDFGRTR_EL2_PMSIRR_EL1                       UINT64_C(0x0000000080000000)
#define V9_HDFGRTR_EL2_PMSIDR_EL1                       UINT64_C(0x0000000040000000)
#define V9_HDFGRTR_EL2_PMSICR_EL1                       UINT64_C(0x0000000020000000)
#define V9_HDFGRTR_EL2_PMSFCR_EL1                       UINT64_C(0x0000000010000000)
#define V9_HDFGRTR_EL2_PMSEVFR_EL1                      UINT64_C(0x0000000008000000)
#define V9_HDFGRTR_EL2_PMSCR_EL1                        UINT64_C(0x0000000004000000)
#define V9_HDFGRTR_EL2_PMBSR_EL1                        UINT64_C(0x0000000002000000)
#define V9_HDFGRTR_EL2_PMBPTR_EL1                       UINT64_C(0x0000000001000000)
#define V9_HDFGRTR_EL2_PMBLIMITR_EL1                    UINT64_C(0x0000000000800000)
#define V9_HDFGRTR_EL2_RES0                             UINT64_C(0x0000000000000000)
#define V9_HDFGRTR_EL2_RES1                             UINT64_C(0x0000000000000000)
#define V9_HDFGRTR_EL2_UNKN                             UINT64_C(0x3e0204c0007fffff)
_Static_assert(V9_HDFGRTR_EL2_PMBIDR_EL1 +
	       V9_HDFGRTR_EL2_nPMSNEVFR_EL1 +
	       V9_HDFGRTR_EL2_TRBTRG_EL1 +
	       V9_HDFGRTR_EL2_TRBSR_EL1 +
	       V9_HDFGRTR_EL2_TRBPTR_EL1 +
	       V9_HDFGRTR_EL2_TRBMAR_EL1 +
	       V9_HDFGRTR_EL2_TRBLIMITR_EL1 +
	       V9_HDFGRTR_EL2_TRBIDR_EL1 +
	       V9_HDFGRTR_EL2_TRBBASER_EL1 +
	       V9_HDFGRTR_EL2_TRCVICTLR +
	       V9_HDFGRTR_EL2_TRCSTATR +
	       V9_HDFGRTR_EL2_TRCSSCSRn +
	       V9_HDFGRTR_EL2_TRCSEQSTR +
	       V9_HDFGRTR_EL2_TRCPRGCTLR +
	       V9_HDFGRTR_EL2_TRCOSLSR +
	       V9_HDFGRTR_EL2_TRCIMSPECn +
	       V9_HDFGRTR_EL2_TRCID +
	       V9_HDFGRTR_EL2_TRCCNTVRn +
	       V9_HDFGRTR_EL2_TRCCLAIM +
	       V9_HDFGRTR_EL2_TRCAUXCTLR +
	       V9_HDFGRTR_EL2_TRCAUTHSTATUS +
	       V9_HDFGRTR_EL2_TRC +
	       V9_HDFGRTR_EL2_PMSLATFR_EL1 +
	       V9_HDFGRTR_EL2_PMSIRR_EL1 +
	       V9_HDFGRTR_EL2_PMSIDR_EL1 +
	       V9_HDFGRTR_EL2_PMSICR_EL1 +
	       V9_HDFGRTR_EL2_PMSFCR_EL1 +
	       V9_HDFGRTR_EL2_PMSEVFR_EL1 +
	       V9_HDFGRTR_EL2_PMSCR_EL1 +
	       V9_HDFGRTR_EL2_PMBSR_EL1 +
	       V9_HDFGRTR_EL2_PMBPTR_EL1 +
	       V9_HDFGRTR_EL2_PMBLIMITR_EL1 +
	       V9_HDFGRTR_EL2_RES0 + V9_HDFGRTR_EL2_RES1 + V9_HDFGRTR_EL2_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "HDFGRTR_EL2: every bit once");

#define V9_SYS_HDFGWTR_EL2                              0x1c31a0
#define V9_HDFGWTR_EL2_nPMSNEVFR_EL1                    UINT64_C(0x4000000000000000)
#define V9_HDFGWTR_EL2_TRBTRG_EL1                       UINT64_C(0x0100000000000000)
#define V9_HDFGWTR_EL2_TRBSR_EL1                        UINT64_C(0x0080000000000000)
#define V9_HDFGWTR_EL2_TRBPTR_EL1                       UINT64_C(0x0040000000000000)
#define V9_HDFGWTR_EL2_TRBMAR_EL1                       UINT64_C(0x0020000000000000)
#define V9_HDFGWTR_EL2_TRBLIMITR_EL1                    UINT64_C(0x0010000000000000)
#define V9_HDFGWTR_EL2_TRBBASER_EL1                     UINT64_C(0x0004000000000000)
#define V9_HDFGWTR_EL2_TRFCR_EL1                        UINT64_C(0x0002000000000000)
#define V9_HDFGWTR_EL2_TRCVICTLR                        UINT64_C(0x0001000000000000)
#define V9_HDFGWTR_EL2_TRCSSCSRn                        UINT64_C(0x0000400000000000)
#define V9_HDFGWTR_EL2_TRCSEQSTR                        UINT64_C(0x0000200000000000)
#define V9_HDFGWTR_EL2_TRCPRGCTLR                       UINT64_C(0x0000100000000000)
#define V9_HDFGWTR_EL2_TRCIMSPECn                       UINT64_C(0x0000020000000000)
#define V9_HDFGWTR_EL2_TRCCNTVRn                        UINT64_C(0x0000002000000000)
#define V9_HDFGWTR_EL2_TRCCLAIM                         UINT64_C(0x0000001000000000)
#define V9_HDFGWTR_EL2_TRCAUXCTLR                       UINT64_C(0x0000000800000000)
#define V9_HDFGWTR_EL2_TRC                              UINT64_C(0x0000000200000000)
#define V9_HDFGWTR_EL2_PMSLATFR_EL1                     UINT64_C(0x0000000100000000)
#define V9_HDFGWTR_EL2_PMSIRR_EL1                       UINT64_C(0x0000000080000000)
#define V9_HDFGWTR_EL2_PMSICR_EL1                       UINT64_C(0x0000000020000000)
#define V9_HDFGWTR_EL2_PMSFCR_EL1                       UINT64_C(0x0000000010000000)
#define V9_HDFGWTR_EL2_PMSEVFR_EL1                      UINT64_C(0x0000000008000000)
#define V9_HDFGWTR_EL2_PMSCR_EL1                        UINT64_C(0x0000000004000000)
#define V9_HDFGWTR_EL2_PMBSR_EL1                        UINT64_C(0x0000000002000000)
#define V9_HDFGWTR_EL2_PMBPTR_EL1                       UINT64_C(0x0000000001000000)
#define V9_HDFGWTR_EL2_PMBLIMITR_EL1                    UINT64_C(0x0000000000800000)
#define V9_HDFGWTR_EL2_RES0                             UINT64_C(0x0000000000000000)
#define V9_HDFGWTR_EL2_RES1                             UINT64_C(0x0000000000000000)
#define V9_HDFGWTR_EL2_UNKN                             UINT64_C(0xbe088dc4407fffff)
_Static_assert(V9_HDFGWTR_EL2_nPMSNEVFR_EL1 +
	       V9_HDFGWTR_EL2_TRBTRG_EL1 +
	       V9_HDFGWTR_EL2_TRBSR_EL1 +
	       V9_HDFGWTR_EL2_TRBPTR_EL1 +
	       V9_HDFGWTR_EL2_TRBMAR_EL1 +
	       V9_HDFGWTR_EL2_TRBLIMITR_EL1 +
	       V9_HDFGWTR_EL2_TRBBASER_EL1 +
	       V9_HDFGWTR_EL2_TRFCR_EL1 +
	       V9_HDFGWTR_EL2_TRCVICTLR +
	       V9_HDFGWTR_EL2_TRCSSCSRn +
	       V9_HDFGWTR_EL2_TRCSEQSTR +
	       V9_HDFGWTR_EL2_TRCPRGCTLR +
	       V9_HDFGWTR_EL2_TRCIMSPECn +
	       V9_HDFGWTR_EL2_TRCCNTVRn +
	       V9_HDFGWTR_EL2_TRCCLAIM +
	       V9_HDFGWTR_EL2_TRCAUXCTLR +
	       V9_HDFGWTR_EL2_TRC +
	       V9_HDFGWTR_EL2_PMSLATFR_EL1 +
	       V9_HDFGWTR_EL2_PMSIRR_EL1 +
	       V9_HDFGWTR_EL2_PMSICR_EL1 +
	       V9_HDFGWTR_EL2_PMSFCR_EL1 +
	       V9_HDFGWTR_EL2_PMSEVFR_EL1 +
	       V9_HDFGWTR_EL2_PMSCR_EL1 +
	       V9_HDFGWTR_EL2_PMBSR_EL1 +
	       V9_HDFGWTR_EL2_PMBPTR_EL1 +
	       V9_HDFGWTR_EL2_PMBLIMITR_EL1 +
	       V9_HDFGWTR_EL2_RES0 + V9_HDFGWTR_EL2_RES1 + V9_HDFGWTR_EL2_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "HDFGWTR_EL2: every bit once");

#define V9_SYS_SCR_EL3                                  0x1e1100
#define V9_SCR_EL3_NSE                                  UINT64_C(0x4000000000000000)
#define V9_SCR_EL3_FGTEn2                               UINT64_C(0x0800000000000000)
#define V9_SCR_EL3_GPF                                  UINT64_C(0x0001000000000000)
#define V9_SCR_EL3_ECVEn                                UINT64_C(0x0000000010000000)
#define V9_SCR_EL3_FGTEn                                UINT64_C(0x0000000008000000)
#define V9_SCR_EL3_EEL2                                 UINT64_C(0x0000000000040000)
#define V9_SCR_EL3_RW                                   UINT64_C(0x0000000000000400)
#define V9_SCR_EL3_EA                                   UINT64_C(0x0000000000000008)
#define V9_SCR_EL3_NS                                   UINT64_C(0x0000000000000001)
#define V9_SCR_EL3_RES0                                 UINT64_C(0x0000000000000000)
#define V9_SCR_EL3_RES1                                 UINT64_C(0x0000000000000000)
#define V9_SCR_EL3_UNKN                                 UINT64_C(0xb7feffffe7fbfbf6)
_Static_assert(V9_SCR_EL3_NSE +
	       V9_SCR_EL3_FGTEn2 +
	       V9_SCR_EL3_GPF +
	       V9_SCR_EL3_ECVEn +
	       V9_SCR_EL3_FGTEn +
	       V9_SCR_EL3_EEL2 +
	       V9_SCR_EL3_RW +
	       V9_SCR_EL3_EA +
	       V9_SCR_EL3_NS +
	       V9_SCR_EL3_RES0 + V9_SCR_EL3_RES1 + V9_SCR_EL3_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "SCR_EL3: every bit once");

#define V9_SYS_MDCR_EL3                                 0x1e1320
#define V9_MDCR_EL3_EnPMS4                              UINT64_C(0x0080000000000000)
#define V9_MDCR_EL3_TRBEE                               UINT64_C(0x0060000000000000)
#define V9_MDCR_EL3_PMSEE                               UINT64_C(0x0018000000000000)
#define V9_MDCR_EL3_ETBAD                               UINT64_C(0x0003000000000000)
#define V9_MDCR_EL3_EnITE                               UINT64_C(0x0000800000000000)
#define V9_MDCR_EL3_EnPMS3                              UINT64_C(0x0000040000000000)
#define V9_MDCR_EL3_EnTB2                               UINT64_C(0x0000008000000000)
#define V9_MDCR_EL3_EnPMSN                              UINT64_C(0x0000001000000000)
#define V9_MDCR_EL3_NSTBE                               UINT64_C(0x0000000004000000)
#define V9_MDCR_EL3_NSTB                                UINT64_C(0x0000000003000000)
#define V9_MDCR_EL3_TTRF                                UINT64_C(0x0000000000080000)
#define V9_MDCR_EL3_STE                                 UINT64_C(0x0000000000040000)
#define V9_MDCR_EL3_NSPB                                UINT64_C(0x0000000000003000)
#define V9_MDCR_EL3_NSPBE                               UINT64_C(0x0000000000000800)
#define V9_MDCR_EL3_RLTE                                UINT64_C(0x0000000000000001)
#define V9_MDCR_EL3_RES0                                UINT64_C(0x0000000000000000)
#define V9_MDCR_EL3_RES1                                UINT64_C(0x0000000000000000)
#define V9_MDCR_EL3_UNKN                                UINT64_C(0xff047b6ff8f3c7fe)
_Static_assert(V9_MDCR_EL3_EnPMS4 +
	       V9_MDCR_EL3_TRBEE +
	       V9_MDCR_EL3_PMSEE +
	       V9_MDCR_EL3_ETBAD +
	       V9_MDCR_EL3_EnITE +
	       V9_MDCR_EL3_EnPMS3 +
	       V9_MDCR_EL3_EnTB2 +
	       V9_MDCR_EL3_EnPMSN +
	       V9_MDCR_EL3_NSTBE +
	       V9_MDCR_EL3_NSTB +
	       V9_MDCR_EL3_TTRF +
	       V9_MDCR_EL3_STE +
	       V9_MDCR_EL3_NSPB +
	       V9_MDCR_EL3_NSPBE +
	       V9_MDCR_EL3_RLTE +
	       V9_MDCR_EL3_RES0 + V9_MDCR_EL3_RES1 + V9_MDCR_EL3_UNKN ==
	       UINT64_C(0xffffffffffffffff),
	       "MDCR_EL3: every bit once");

/* What a register belongs to */
enum v9_unit {
	V9_UNIT_SPE,
	V9_UNIT_TRBE,
	V9_UNIT_ETE,
	V9_UNITS
};

/* What decides between access and trap */
enum v9_trap {
	V9_TRAP_TPMS,
	V9_TRAP_E2PB,
	V9_TRAP_NONE,
	V9_TRAP_EL2ONLY,
	V9_TRAP_EL12,
	V9_TRAP_EL3ONLY,
	V9_TRAP_E2TB,
	V9_TRAP_TTRF,
	V9_TRAP_EnITE,
	V9_TRAP_TTA,
};

/* What a register or field needs */
enum v9_feat {
	V9_FEAT_SPE,
	V9_FEAT_NV,
	V9_FEAT_SPE_nVM,
	V9_FEAT_SPE_EXC,
	V9_FEAT_SPE_FnE,
	V9_FEAT_SPE_ERnd,
	V9_FEAT_SPE_EFT,
	V9_FEAT_SPE_FDS,
	V9_FEAT_SPEv1p2,
	V9_FEAT_TRBE,
	V9_FEAT_TRBE_EXT,
	V9_FEAT_TRBE_MPAM,
	V9_FEAT_TRBE_EXC,
	V9_FEAT_TRF,
	V9_FEAT_TRBEv1p1,
	V9_FEAT_NV2p1,
	V9_FEAT_ITE,
	V9_FEAT_ETE,
	V9_FEAT_RME,
};

#endif
