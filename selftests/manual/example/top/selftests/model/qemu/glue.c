/* SPDX-License-Identifier: GPL-2.0-only */
    { "PMSIRR_EL1", FGT(31), 0x840 },
    ri.nv2_redirect_offset = v9_reg_places[i].nv2;
    .name = "TRCIT", .state = ARM_CP_STATE_AA64,
    .opc0 = 1, .opc1 = 3, .crn = 7, .crm = 2, .opc2 = 7,
