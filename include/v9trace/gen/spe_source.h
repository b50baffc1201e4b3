/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Made by tools/gen/gen.sh from tables/spe.source. Do not edit.
 *
 * Data sources by core. V9_SPE_FOREACH_<TABLE>(X) makes one X(...) per row.
 *   CORE    X(SET, implementer, part, NAME)
 *   SOURCE  X(SET, value, NAME, "text")
 */
#ifndef V9TRACE_GEN_SPE_SOURCE_H
#define V9TRACE_GEN_SPE_SOURCE_H

enum {
	V9_SPE_SET_UNKNOWN,
	V9_SPE_SET_ARM,	/* Cortex and Neoverse */
	V9_SPE_SET_AMPERE,	/* AmpereOne */
	V9_SPE_SET_HISILICON,	/* HiSilicon */
	V9_SPE_SETS
};

#define V9_SPE_FOREACH_CORE(X) \
	X(ARM, 0x00, 0x051, QEMU_MAX) \
	X(ARM, 0x41, 0xd0c, NEOVERSE_N1) \
	X(ARM, 0x41, 0xd40, NEOVERSE_V1) \
	X(ARM, 0x41, 0xd49, NEOVERSE_N2) \
	X(ARM, 0x41, 0xd4c, CORTEX_X1C) \
	X(ARM, 0x41, 0xd4e, CORTEX_X3) \
	X(ARM, 0x41, 0xd4f, NEOVERSE_V2) \
	X(ARM, 0x41, 0xd81, CORTEX_A720) \
	X(ARM, 0x41, 0xd82, CORTEX_X4) \
	X(ARM, 0x41, 0xd83, NEOVERSE_V3AE) \
	X(ARM, 0x41, 0xd84, NEOVERSE_V3) \
	X(ARM, 0x41, 0xd85, CORTEX_X925) \
	X(ARM, 0x41, 0xd87, CORTEX_A725) \
	X(ARM, 0x41, 0xd89, CORTEX_A720AE) \
	X(ARM, 0x41, 0xd8e, NEOVERSE_N3) \
	X(ARM, 0x4e, 0x010, NVIDIA_OLYMPUS) \
	X(ARM, 0x6d, 0xd49, AZURE_COBALT_100) \
	X(AMPERE, 0xc0, 0xac4, AMPERE1A) \
	X(HISILICON, 0x48, 0xd06, HIP12) \
	/* end */

#define V9_SPE_FOREACH_SOURCE(X) \
	X(ARM, 0x0, L1D, "level 1 data cache") \
	X(ARM, 0x8, L2D, "level 2 cache") \
	X(ARM, 0x9, PEER_CORE, "another core of the cluster") \
	X(ARM, 0xa, LOCAL_CLUSTER, "cache of the cluster") \
	X(ARM, 0xb, SYS_CACHE, "system cache") \
	X(ARM, 0xc, PEER_CLUSTER, "another cluster") \
	X(ARM, 0xd, REMOTE, "another chip") \
	X(ARM, 0xe, DRAM, "memory") \
	X(AMPERE, 0x0, LOCAL_CHIP, "another cache of this chip, or a device") \
	X(AMPERE, 0x3, SYS_CACHE, "system cache") \
	X(AMPERE, 0x5, REMOTE, "a cache of another chip") \
	X(AMPERE, 0x7, DRAM, "memory") \
	X(AMPERE, 0x8, L1D, "level 1 data cache") \
	X(AMPERE, 0x9, L2D, "level 2 cache") \
	X(HISILICON, 0x0, PEER_CORE, "another core") \
	X(HISILICON, 0x1, PEER_CORE_MODIFIED, "another core, which had modified it") \
	X(HISILICON, 0x2, L3, "level 3 cache") \
	X(HISILICON, 0x3, L3_MODIFIED, "level 3 cache, where it was modified") \
	X(HISILICON, 0x4, PEER_CLUSTER, "another cluster") \
	X(HISILICON, 0x5, PEER_CLUSTER_MODIFIED, "another cluster, which had modified it") \
	X(HISILICON, 0x6, REMOTE, "another socket") \
	X(HISILICON, 0x7, REMOTE_MODIFIED, "another socket, which had modified it") \
	X(HISILICON, 0x8, DRAM, "memory of this socket") \
	X(HISILICON, 0x9, REMOTE_DRAM, "memory of another socket") \
	X(HISILICON, 0xd, DEVICE, "a device, or memory that is not cached") \
	X(HISILICON, 0x10, L2D, "level 2 cache") \
	X(HISILICON, 0x11, L2D_MODIFIED, "level 2 cache, where it was modified") \
	X(HISILICON, 0x12, L1D, "level 1 data cache") \
	/* end */

#endif
