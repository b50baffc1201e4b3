/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Rules of the architecture for ownership and traps: which translation regime owns the Profiling
 * Buffer or the trace buffer, where profiling, tracing and the recording of branches are enabled,
 * what a record may contain, and which accesses trap. The functions depend on register values
 * only. Rule ids are those of tables/rules.
 */
#ifndef V9TRACE_ROUTING_H
#define V9TRACE_ROUTING_H

#include "base.h"
#include "gen/regs.h"

enum v9_ss {
	V9_SS_SECURE,
	V9_SS_NONSECURE,
	V9_SS_ROOT,
	V9_SS_REALM,
	V9_SS_NONE		/* reserved value of the controls: no state */
};

/**
 * struct v9_route - state of a PE that the rules depend on
 * @scr_el3: SCR_EL3; ignored without EL3
 * @mdcr_el3: MDCR_EL3; ignored without EL3
 * @mdcr_el2: MDCR_EL2; ignored without EL2
 * @hcr_el2: HCR_EL2 (TGE, E2H, VM, NV, NV1, NV2); ignored where EL2 is not enabled
 * @cpacr_el1: CPACR_EL1 (TTA)
 * @cptr_el2: CPTR_EL2 (TTA, whose position depends on E2H)
 * @cptr_el3: CPTR_EL3 (TTA)
 * @hfgitr_el2: HFGITR_EL2 (PSBCSYNC); 0 without FEAT_FGT
 * @hfgitr2_el2: HFGITR2_EL2 (TSBCSYNC); used only with @has_fgt2, as are the next two
 * @hdfgrtr2_el2: HDFGRTR2_EL2
 * @hdfgwtr2_el2: HDFGWTR2_EL2
 * @el: current Exception level
 * @pe_ss: enum v9_ss of the PE; used only without EL3
 * @a64: the PE executes A64
 * @el1_a64: EL1 uses AArch64
 * @el2_a64: EL2 uses AArch64
 * @has_el2: EL2 implemented
 * @has_el3: EL3 implemented
 * @has_rme: FEAT_RME implemented
 * @has_secure: Secure state implemented (with RME it may be missing)
 * @has_ecv: FEAT_ECV: PMSCR_ELx.PCT has two bits
 * @has_fgt2: FEAT_FGT2 implemented
 * @debug: in Debug state
 * @pm: PSTATE.PM
 * @tfo: EDSCR.TFO: a debugger requests external trace
 * @ext_secure: external non-invasive debug is allowed in Secure state
 * @ext_realm: external non-invasive debug is allowed in Realm state
 */
struct v9_route {
	uint64_t scr_el3;
	uint64_t mdcr_el3;
	uint64_t mdcr_el2;
	uint64_t hcr_el2;
	uint64_t cpacr_el1;
	uint64_t cptr_el2;
	uint64_t cptr_el3;
	uint64_t hfgitr_el2;
	uint64_t hfgitr2_el2;
	uint64_t hdfgrtr2_el2;
	uint64_t hdfgwtr2_el2;
	uint8_t el;
	uint8_t pe_ss;
	bool a64;
	bool el1_a64;
	bool el2_a64;
	bool has_el2;
	bool has_el3;
	bool has_rme;
	bool has_secure;
	bool has_ecv;
	bool has_fgt2;
	bool debug;
	bool pm;
	bool tfo;
	bool ext_secure;
	bool ext_realm;
};

/* Security state of EL2, EL1 and EL0, according to SCR_EL3; without EL3 that of the PE. */
enum v9_ss v9_route_ss(const struct v9_route *r);

/* Returns true if EL2 is implemented and enabled in Security state @ss. */
bool v9_route_el2_enabled(const struct v9_route *r, enum v9_ss ss);

/*
 * Returns true if EL2 is enabled in the current state, and HCR_EL2.TGE is 1: EL2 is the host of
 * EL0.
 */
bool v9_route_host(const struct v9_route *r);

/* Effective HCR_EL2.<NV2,NV1,NV>: nested virtualization. Bits of a missing feature are 0. */
#define V9_NV	1u
#define V9_NV1	2u
#define V9_NV2	4u

unsigned int v9_route_nv(const struct v9_route *r);

/**
 * struct v9_owner - the owning translation regime (SPE-OW1 to OW5)
 * @ss: enum v9_ss; V9_SS_NONE for a reserved value of the controls
 * @el: 1 or 2
 * @e2h: owner EL2 with E2H=1: regime EL2&0 instead of EL2
 */
struct v9_owner {
	uint8_t ss;
	uint8_t el;
	bool e2h;
};

/*
 * Owner of a buffer whose MDCR_EL3 fields are @ns (NSPB, NSTB) and @nse (NSPBE, NSTBE);
 * @to_el2: MDCR_EL2 (E2PB, E2TB) assigns it to EL2.
 */
struct v9_owner v9_route_owner(const struct v9_route *r, unsigned int ns, bool nse, bool to_el2);

struct v9_owner v9_spe_owner(const struct v9_route *r);

/* Name of the owner in the manual's table: NS_EL2_0, DISABLED_IN_SECURE, ... */
const char *v9_spe_owner_name(const struct v9_route *r);

/**
 * struct v9_spe_ctl - registers that enable profiling and select what records contain
 * @pmscr_el1: PMSCR_EL1
 * @pmscr_el2: PMSCR_EL2
 * @pmblimitr: PMBLIMITR_EL1
 * @pmbsr: PMBSR_EL1
 * @pmbsr_el2: PMBSR_EL2; used only with @exc
 * @pmbsr_el3: PMBSR_EL3; used only with @exc
 * @exc: FEAT_SPE_EXC implemented
 */
struct v9_spe_ctl {
	uint64_t pmscr_el1;
	uint64_t pmscr_el2;
	uint64_t pmblimitr;
	uint64_t pmbsr;
	uint64_t pmbsr_el2;
	uint64_t pmbsr_el3;
	bool exc;
};

/* SPE-EN1: returns true if the buffer is enabled. Independent of the current Exception level. */
bool v9_spe_buffer_enabled(const struct v9_route *r, const struct v9_spe_ctl *c);

/* SPE-EN2 to EN5: returns true if profiling is enabled at r->el. */
bool v9_spe_profiling(const struct v9_route *r, const struct v9_spe_ctl *c);

/* SPE-PB6: effective PMBLIMITR_EL1.nVM. */
bool v9_spe_nvm(const struct v9_route *r, bool has_nvm, const struct v9_spe_ctl *c);

/* What a record of an operation at r->el has in addition to the fixed part (SPE-CD15 to CD18). */
#define V9_SPE_SHOW_TS		0x01	/* timestamp */
#define V9_SPE_SHOW_PHYS	0x02	/* it is of the physical counter, else of the virtual one */
#define V9_SPE_SHOW_PA		0x04	/* data physical address */
#define V9_SPE_SHOW_CX1		0x08	/* CONTEXTIDR_EL1 */
#define V9_SPE_SHOW_CX2		0x10	/* CONTEXTIDR_EL2 */
#define V9_SPE_SHOW_GUEST	0x20	/* it is of the physical counter minus CNTPOFF_EL2 */

unsigned int v9_spe_exposure(const struct v9_route *r, const struct v9_spe_ctl *c);

/* PMBIDR_EL1.P as read at r->el (SPE-OW7). */
bool v9_spe_denied(const struct v9_route *r);

enum v9_access {
	V9_ACCESS_OK,
	V9_ACCESS_UNDEF,
	V9_ACCESS_EL2,
	V9_ACCESS_EL3,
	V9_ACCESS_EL1,		/* trapped to EL1, by CPACR_EL1.TTA */
	V9_ACCESS_MEMORY	/* accesses memory at VNCR_EL2: nested virtualization */
};

/*
 * Outcome of MRS or MSR at r->el for an existing register with trap class @trap that feature @feat
 * added (SPE-RA3, RA4, EN8). The result does not include fine-grained traps, nor EL1 names whose
 * registers are in memory with nested virtualization.
 */
enum v9_access v9_spe_access(const struct v9_route *r, enum v9_trap trap, enum v9_feat feat);

/* Outcome of an access at EL1 by a name that ends in _EL2 or _EL12 */
enum v9_access v9_nested_access(const struct v9_route *r, enum v9_trap trap);

/*
 * Returns true if names that end in _EL12 exist at r->el: at EL2 or EL3, if EL2 is enabled and E2H
 * is 1.
 */
bool v9_el12_exists(const struct v9_route *r);

/*
 * Returns true if HDFGRTR2_EL2 or, with @write, HDFGWTR2_EL2 traps the access to EL2. This trap
 * has priority over the traps to EL3.
 */
bool v9_fgt2_trapped(const struct v9_route *r, enum v9_trap trap, enum v9_feat feat, bool write);

/*
 * Return true if HFGITR_EL2 traps PSB CSYNC to EL2 (SPEv1p5), or HFGITR2_EL2 traps TSB CSYNC to
 * EL2 (FEAT_TRBEv1p1).
 */
bool v9_psb_trapped(const struct v9_route *r);
bool v9_tsb_trapped(const struct v9_route *r);

/*
 * Returns true if self-hosted trace is enabled: the PE controls tracing, not an external debugger
 * (TRBE-EN2).
 */
bool v9_self_hosted_trace(const struct v9_route *r);

/* The owning regime of the Trace Buffer Unit, also while the unit is disabled (TRBE-OW1 to OW5). */
struct v9_owner v9_trbe_owner(const struct v9_route *r);

/**
 * struct v9_trace_ctl - registers that prohibit tracing
 * @trfcr_el1: TRFCR_EL1
 * @trfcr_el2: TRFCR_EL2
 * @trblimitr: TRBLIMITR_EL1
 */
struct v9_trace_ctl {
	uint64_t trfcr_el1;
	uint64_t trfcr_el2;
	uint64_t trblimitr;
};

/*
 * Returns true if TRBLIMITR_EL1.E is 1 and the owning Exception level uses AArch64. Self-hosted
 * trace must be enabled.
 */
bool v9_trbe_enabled(const struct v9_route *r, const struct v9_trace_ctl *c);

/* TRBE-AT3: effective TRBLIMITR_EL1.nVM; @v1p1: FEAT_TRBEv1p1 */
bool v9_trbe_nvm(const struct v9_route *r, bool v1p1, const struct v9_trace_ctl *c);

/*
 * Returns true if tracing is not prohibited at r->el (TRBE-OW3 to OW7). Self-hosted trace must be
 * enabled.
 */
bool v9_trace_allowed(const struct v9_route *r, const struct v9_trace_ctl *c);

/**
 * struct v9_instrumentation_ctl - registers that prohibit Instrumentation trace
 * @trcitecr_el1: TRCITECR_EL1
 * @trcitecr_el2: TRCITECR_EL2
 */
struct v9_instrumentation_ctl {
	uint64_t trcitecr_el1;
	uint64_t trcitecr_el2;
};

/*
 * Returns true if TRCIT at r->el is traced where tracing is not prohibited (ETE-R_FLGVJ).
 * Self-hosted trace must be enabled.
 */
bool v9_instrumentation_allowed(const struct v9_route *r, const struct v9_instrumentation_ctl *c);

/* TRBIDR_EL1.P as read at r->el (TRBE-OW8). */
bool v9_trbe_denied(const struct v9_route *r);

/*
 * As v9_spe_access(), for registers of the trace unit and the Trace Buffer Unit (TRBE-OW9,
 * ETE-R_VGVTS).
 */
enum v9_access v9_trace_access(const struct v9_route *r, enum v9_trap trap, enum v9_feat feat);

/**
 * struct v9_brbe_ctl - registers that prohibit the recording of branches
 * @brbcr_el1: BRBCR_EL1
 * @brbcr_el2: BRBCR_EL2
 * @v1p1: FEAT_BRBEv1p1 implemented
 */
struct v9_brbe_ctl {
	uint64_t brbcr_el1;
	uint64_t brbcr_el2;
	bool v1p1;
};

/* Returns true if execution at r->el is a BRBE Prohibited region (BRBE-BG1 to BG3). */
bool v9_brbe_prohibited(const struct v9_route *r, const struct v9_brbe_ctl *c);

/* Returns true if self-hosted EL3 branch recording is enabled (BRBE-BG2). */
bool v9_brbe_el3(const struct v9_route *r, bool v1p1);

/* As v9_spe_access(), for registers of the Branch Record Buffer Extension (BRBE-BM1). */
enum v9_access v9_brbe_access(const struct v9_route *r, enum v9_trap trap, enum v9_feat feat);

/* Outcome of BRB IALL and BRB INJ at r->el, without fine-grained traps */
enum v9_access v9_brb_access(const struct v9_route *r);

#endif
