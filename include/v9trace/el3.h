/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What EL3 permits, according to firmware. No register below EL3 shows MDCR_EL3 and CPTR_EL3. The
 * call SMCCC_ARCH_FEATURE_AVAILABILITY (Arm DEN0028, SMCCC 1.5) returns a mask for each of them: a
 * bit is at the place of the field's lowest bit, and is 1 if firmware knows the field and its value
 * permits the access, also where the field itself is 0 for that (TTRF, TTA). Trusted Firmware-A has
 * the call since 2.13 (ARCH_FEATURE_AVAILABILITY=1; default 0). EnPMSN and EnPMS3 are not in it.
 */
#ifndef V9TRACE_EL3_H
#define V9TRACE_EL3_H

#include "base.h"

/* Function of the call; it exists with 64-bit arguments only */
#define V9_SMCCC_FEATURE_AVAILABILITY	0xc0000003

/* A register as argument of the call: its encoding, as in MRS, from bit 5 on */
#define V9_SMCCC_REG(op0, op1, crn, crm, op2) \
	((op0) << 19 | (op1) << 16 | (crn) << 12 | (crm) << 8 | (op2) << 5)
#define V9_SMCCC_CPTR_EL3	V9_SMCCC_REG(3, 6, 1, 1, 2)
#define V9_SMCCC_MDCR_EL3	V9_SMCCC_REG(3, 6, 1, 3, 1)

/* Bits of the masks */
#define V9_EL3_MDCR_SPE		V9_BIT(12)	/* NSPB: registers of SPE */
#define V9_EL3_MDCR_TRF		V9_BIT(19)	/* TTRF: TRFCR_ELx */
#define V9_EL3_MDCR_TRBE	V9_BIT(24)	/* NSTB: registers of the Trace Buffer Unit */
#define V9_EL3_MDCR_BRBE	V9_BIT(32)	/* SBRBE: registers of BRBE */
#define V9_EL3_MDCR_PMBMAR	V9_BIT(55)	/* EnPMS4: PMBMAR_EL1 */
#define V9_EL3_CPTR_TRACE	V9_BIT(20)	/* TTA: registers of the trace unit */

/**
 * struct v9_el3 - answer of firmware to a CPU
 * @answered: firmware has answered for both registers; else the masks are 0
 * @mdcr: mask of MDCR_EL3, V9_EL3_MDCR_*
 * @cptr: mask of CPTR_EL3, V9_EL3_CPTR_*
 */
struct v9_el3 {
	bool answered;
	uint64_t mdcr;
	uint64_t cptr;
};

/**
 * v9_el3_spe_closed - must registers of SPE not be accessed, except PMBIDR_EL1?
 * @el3: the answer
 *
 * PMBIDR_EL1.P can be 0 nevertheless: it shows the owner of the buffer only.
 *
 * Return: the reason; NULL if they may be accessed, or if firmware has not answered.
 */
const char *v9_el3_spe_closed(const struct v9_el3 *el3);

/**
 * v9_el3_trace_closed - must registers of trace unit and trace buffer not be accessed, except
 *	TRBIDR_EL1?
 * @el3: the answer
 * @listed: firmware describes the trace unit, or the user has said that it permits the access
 *
 * An answer counts more than @listed.
 *
 * Return: the reason, or NULL if they may be accessed.
 */
const char *v9_el3_trace_closed(const struct v9_el3 *el3, bool listed);

/**
 * v9_el3_brbe_closed - must registers of branch records not be accessed?
 * @el3: the answer
 * @present: EL3 exists
 * @consent: the user has said that firmware permits it
 *
 * An answer counts more than @consent. Linux demands the permission of firmware since 6.17 only.
 *
 * Return: the reason, or NULL if they may be accessed.
 */
const char *v9_el3_brbe_closed(const struct v9_el3 *el3, bool present, bool consent);

/**
 * v9_el3_permits_pmbmar - may PMBMAR_EL1 be accessed?
 * @el3: the answer
 * @at_el2: the kernel runs at EL2; else a hypervisor may trap the register, too
 * @consent: the user has said that firmware, and the hypervisor, permit it
 *
 * An answer counts more than what the user says of firmware.
 *
 * Return: true if it may.
 */
bool v9_el3_permits_pmbmar(const struct v9_el3 *el3, bool at_el2, bool consent);

#endif
