/* SPDX-License-Identifier: GPL-2.0-only */
[0x30] = V9_ETE_EXC_INST_DEBUG, [0x31] = V9_ETE_EXC_INST_DEBUG,
