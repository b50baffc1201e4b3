/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* SPE operation type of an A64 opcode */
#ifndef V9_MODEL_CLASSIFY_H
#define V9_MODEL_CLASSIFY_H

#include "pe.h"

#define V9_OP_LD	0x0001	/* reads data memory */
#define V9_OP_ST	0x0002	/* writes data memory */
#define V9_OP_BRANCH	0x0004	/* branch or exception return */
#define V9_OP_COND	0x0008	/* conditional branch, select or compare */
#define V9_OP_IND	0x0010	/* indirect branch */
#define V9_OP_CALL	0x0020
#define V9_OP_RET	0x0040
#define V9_OP_ERET	0x0080
#define V9_OP_ATOMIC	0x0100
#define V9_OP_EXCL	0x0200
#define V9_OP_AR	0x0400	/* acquire or release */
#define V9_OP_SIMD	0x0800	/* access to SIMD&FP registers */
#define V9_OP_EXCGEN	0x1000	/* SVC, HVC, SMC, BRK and others */
#define V9_OP_WAIT	0x2000	/* WFE, WFI */
#define V9_OP_BARRIER	0x4000
#define V9_OP_SVE	0x8000
#define V9_OP_FP	0x10000	/* floating point: data processing, or scalar V9_OP_SIMD access */
#define V9_OP_ASE	0x20000	/* Advanced SIMD: data processing, or other V9_OP_SIMD access */
#define V9_OP_COPY	0x40000	/* Memory Copy: reads at one address and writes at another */
#define V9_OP_TAG	0x80000	/* reads or writes Allocation Tags */
#define V9_OP_GATHER	0x100000	/* SVE: each element has an address of its own */
#define V9_OP_PRED	0x200000	/* SVE: under a Governing predicate, in the sense of D17.6.6 */
#define V9_OP_SME	0x800000	/* SME vector load or store */
#define V9_OP_SYSREG	0x400000	/* MRS or MSR: an access to memory where FEAT_NV2 transforms it */

/**
 * struct v9_class - operation type of an instruction
 * @flags: V9_OP_*
 * @op: header of the Operation Type packet, 0x48 to 0x4a
 * @opc: payload of the Operation Type packet
 * @size: log2 of the alignment in bytes that makes a data access aligned
 * @step: SVE: log2 of the bytes of a vector that an element takes
 * @unit: SVE: bytes in memory from one element to the next, 0 if there are no elements in memory
 */
struct v9_class {
	uint32_t flags;
	uint8_t op;
	uint8_t opc;
	uint8_t size;
	uint8_t step;
	uint8_t unit;
};

/* @version: PMSVer, selects the payloads that may be used; @vq: SVE vector length in quadwords */
struct v9_class v9_classify(uint32_t op, unsigned int version, unsigned int vq);

/* Returns the payload @opc of an SVE operation on @vq quadwords. */
uint8_t v9_class_length(uint8_t opc, unsigned int vq);

/* Returns the payload of an SME vector load or store of @vq quadwords, in the type of SVE and SME. */
uint8_t v9_class_sme(const struct v9_class *c, unsigned int vq);

/*
 * Returns the payload with what PMSIDR_EL1.FPF and CRR add: floating point and Advanced SIMD in
 * operations of type "other", call and return in branches.
 */
uint8_t v9_class_detail(const struct v9_class *c, bool fpf, bool crr);

/* Returns true if the flags N, Z, C, V (bits 3 to 0) pass condition @cond, 0 to 15. */
bool v9_flags_hold(unsigned int cond, unsigned int nzcv);

/* Returns true if a conditional operation passes its condition, and for all other operations. */
bool v9_condition_holds(const struct v9_pe_insn *i, const struct v9_class *c);

#endif
