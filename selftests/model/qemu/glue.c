/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hooks: QEMU passes the actions of the PE to the model, with one function for each event.
 * This file implements no rules of the architecture.
 *
 * The countdown and the data address of the current instruction are in env->v9, where translated
 * code updates them. They are passed to the model before each call (v9_in) and read back after it
 * (v9_out).
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/error-report.h"
#include "qemu/main-loop.h"
#include "migration/blocker.h"
#include "cpu.h"
#include "internals.h"
#include "cpregs.h"
#include "cpu-features.h"
#include "exec/exec-all.h"
#include "exec/helper-proto.h"
#include "hw/arm/bsa.h"
#include "hw/arm/fdt.h"
#include "hw/irq.h"
#include "hw/qdev-core.h"
#include "system/cpu-timers.h"
#include "system/device_tree.h"
#include <libfdt.h>
#include "system/tcg.h"
#include "glue.h"

QEMU_BUILD_BUG_ON(V9_TB_SPE != V9_ACT_SPE);
QEMU_BUILD_BUG_ON(V9_TB_SYNC != V9_ACT_SYNC);
QEMU_BUILD_BUG_ON(V9_TB_ETE != V9_ACT_ETE);
QEMU_BUILD_BUG_ON(V9_TB_PMBSR_NV != V9_ACT_PMBSR_NV);
QEMU_BUILD_BUG_ON(V9_TB_TRBSR_NV != V9_ACT_TRBSR_NV);
QEMU_BUILD_BUG_ON(V9_TB_BRBE != V9_ACT_BRBE);

/* PPI 5 and 2, as BSA requires */
#define V9_SPE_INTID 21
#define V9_TRBE_INTID 18

static void v9_in(V9CPU *v9)
{
    CPUARMState *env = &v9->cpu->env;

    v9_enter(v9->m, env->v9.cnt, env->v9.dva, env->v9.dva != V9_NO_DVA);
}

static void v9_out(V9CPU *v9)
{
    v9->cpu->env.v9.cnt = v9_leave(v9->m);
    v9->cpu->env.v9.needs_block = v9_trace_needs_block(v9->m);
    if (v9->is_delayed && v9->late != v9_model_late(v9->m)) {
        /* must precede any translation: see v9_tlbi() */
        qatomic_set_mb(&v9->late, !v9->late);
    }
}

static struct v9_model *v9_model_of(CPUARMState *env)
{
    V9CPU *v9 = env_archcpu(env)->v9;

    return v9 ? v9->m : NULL;
}

const struct v9_score *v9_score_now(V9CPU *v9)
{
    v9_in(v9);
    v9_out(v9);
    return v9_model_score(v9->m);
}

/* ---- registers ---- */

static unsigned v9_reg_of(const ARMCPRegInfo *ri)
{
    uint32_t enc = ri->opc0 << 19 | ri->opc1 << 16 | ri->crn << 12 | ri->crm << 8 | ri->opc2 << 5;
    size_t n;
    const struct v9_regdesc *r = v9_model_regs(&n);

    /* QEMU's E2H aliases use ri->opaque, so the row is found by its encoding */
    for (size_t i = 0; i < n; i++) {
        if (r[i].enc == enc) {
            return i;
        }
    }
    g_assert_not_reached();
}

static CPAccessResult v9_access_result(enum v9_access access)
{
    switch (access) {
    case V9_ACCESS_OK:
    case V9_ACCESS_MEMORY:              /* handled by QEMU: nv2_redirect_offset */
        return CP_ACCESS_OK;
    case V9_ACCESS_EL1:
        return CP_ACCESS_TRAP_EL1;
    case V9_ACCESS_EL2:
        return CP_ACCESS_TRAP_EL2;
    case V9_ACCESS_EL3:
        return CP_ACCESS_TRAP_EL3;
    default:
        return CP_ACCESS_UNDEFINED;
    }
}

static CPAccessResult v9_cp_access(CPUARMState *env, const ARMCPRegInfo *ri, bool isread)
{
    return v9_access_result(v9_reg_access(v9_model_of(env), v9_reg_of(ri), !isread));
}

static uint64_t v9_cp_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    V9CPU *v9 = env_archcpu(env)->v9;
    uint64_t v;

    v9_in(v9);
    v = v9_reg_read(v9->m, v9_reg_of(ri));
    v9_out(v9);
    return v;
}

static void v9_cp_write(CPUARMState *env, const ARMCPRegInfo *ri, uint64_t v)
{
    V9CPU *v9 = env_archcpu(env)->v9;

    v9_in(v9);
    v9_reg_write(v9->m, v9_reg_of(ri), v);
    v9_out(v9);
}

/*
 * Data that only QEMU needs: fine-grained trap bit of HDFG[RW]TR_EL2, offset in the NV2 page. The
 * first row whose name is a prefix of the register's name applies. Of the EL12 names only those
 * of the status registers have a row: QEMU derives the others from the EL1 names. Whether an EL1
 * access to these two is redirected to memory depends on more than NV1: see v9_nv2_redirect().
 */
#define FGT(bit)        (FGT_HDFGRTR | (bit))
#define FGT_NOT(bit)    (FGT_HDFGRTR | FGT_REV | (bit))
#define FGT_WRITE(bit)  (FGT_HDFGWTR | (bit))

static const struct {
    const char *name;
    FGTBit fgt;
    uint16_t nv2;
} v9_reg_places[] = {
    { "PMBLIMITR_EL1", FGT(23), 0x800 },
    { "PMBPTR_EL1", FGT(24), 0x810 },
    { "PMBSR_EL12", 0, 0x820 | NV2_REDIR_NO_NV1 },
    { "PMBSR_EL1", FGT(25), 0x820 },
    { "PMSCR_EL1", FGT(26), 0x828 | NV2_REDIR_NV1 },
    { "PMSEVFR_EL1", FGT(27), 0x830 },
    { "PMSFCR_EL1", FGT(28) },
    { "PMSICR_EL1", FGT(29), 0x838 },
    { "PMSIDR_EL1", FGT(30) },
    { "PMSIRR_EL1", FGT(31), 0x840 },
    { "PMSLATFR_EL1", FGT(32), 0x848 },
    { "PMSNEVFR_EL1", FGT_NOT(62), 0x850 },
    { "PMSDSFR_EL1", 0, 0x858 },
    { "PMBIDR_EL1", FGT(63) },
    { "TRFCR_EL1", FGT_WRITE(49), 0x880 | NV2_REDIR_NV1 },
    { "TRCITECR_EL1", 0, 0x888 | NV2_REDIR_NV1 },
    { "TRBBASER_EL1", FGT(50) },
    { "TRBIDR_EL1", FGT(51) },
    { "TRBLIMITR_EL1", FGT(52) },
    { "TRBMAR_EL1", FGT(53) },
    { "TRBPTR_EL1", FGT(54) },
    { "TRBSR_EL12", 0, 0x860 | NV2_REDIR_NO_NV1 },
    { "TRBSR_EL1", FGT(55), 0x860 | NV2_REDIR_NV1 },
    { "TRBTRG_EL1", FGT(56) },
    { "BRBCR_EL1", FGT_NOT(60), 0x8e0 | NV2_REDIR_NV1 },
    { "BRBCR_EL2", 0 },
    { "BRBFCR_EL1", FGT_NOT(60) },
    { "BRBIDR0_EL1", FGT_NOT(59) },
    { "BRB", FGT_NOT(61) },
    { "TRCAUTHSTATUS", FGT(34) },
    { "TRCAUXCTLR", FGT(35) },
    { "TRCCLAIM", FGT(36) },
    { "TRCCNTVR", FGT(37) },
    { "TRCDEV", FGT(40) },
    { "TRCIDR", FGT(40) },
    { "TRCIMSPEC", FGT(41) },
    { "TRCOSLSR", FGT(43) },
    { "TRCPRGCTLR", FGT(44) },
    { "TRCSEQSTR", FGT(45) },
    { "TRCSSCSR", FGT(46) },
    { "TRCSTATR", FGT(47) },
    { "TRCVICTLR", FGT(48) },
    { "TRC", FGT(33) },
};

static void v9_define_one(ARMCPU *cpu, const struct v9_regdesc *r)
{
    int rw = r->trap == V9_TRAP_EL3ONLY ? PL3_RW :
             r->trap == V9_TRAP_EL2ONLY || r->trap == V9_TRAP_EL12 ? PL2_RW : PL1_RW;
    ARMCPRegInfo ri = {
        .name = r->name,
        .state = ARM_CP_STATE_AA64,
        .opc0 = extract32(r->enc, 19, 2),
        .opc1 = extract32(r->enc, 16, 3),
        .crn = extract32(r->enc, 12, 4),
        .crm = extract32(r->enc, 8, 4),
        .opc2 = extract32(r->enc, 5, 3),
        .access = r->write ? rw : PL1_R,
        /* a write may change an interrupt line, so it needs the BQL */
        .type = ARM_CP_IO | ARM_CP_NO_RAW,
        .accessfn = v9_cp_access,
        .readfn = v9_cp_read,
        .writefn = r->write ? v9_cp_write : NULL,
    };

    for (size_t i = 0; i < ARRAY_SIZE(v9_reg_places); i++) {
        if (!g_str_has_prefix(r->name, v9_reg_places[i].name)) {
            continue;
        }
        ri.fgt = v9_reg_places[i].fgt;
        ri.nv2_redirect_offset = v9_reg_places[i].nv2;
        break;
    }
    define_one_arm_cp_reg(cpu, &ri);
}

/*
 * IMPLEMENTATION DEFINED register, only with v9-inject=on. A write of a value of enum v9_inject
 * generates that event. A write of V9_PE_INPUTS and a mask activates these PE comparator inputs
 * of the trace unit; of V9_TRANSACTION and a value of enum v9_transaction, a transaction begins or ends
 * for the trace unit. A read returns v9_model_memory().
 */
#define V9_PE_INPUTS 0x100
#define V9_TRANSACTION 0x200

static void v9_inject_write(CPUARMState *env, const ARMCPRegInfo *ri, uint64_t v)
{
    V9CPU *v9 = env_archcpu(env)->v9;

    v9_in(v9);
    if (v & V9_PE_INPUTS) {
        v9_trace_pe_inputs(v9->m, v);
    } else if (v & V9_TRANSACTION) {
        v9_trace_transaction(v9->m, v & 3);
    } else {
        v9_inject(v9->m, v);
    }
    v9_out(v9);
}

static uint64_t v9_inject_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    return v9_model_memory(v9_model_of(env));
}

static const ARMCPRegInfo v9_inject_reg = {
    .name = "V9_INJECT", .state = ARM_CP_STATE_AA64,
    .opc0 = 3, .opc1 = 0, .crn = 15, .crm = 15, .opc2 = 7,
    .access = PL1_RW, .type = ARM_CP_IO | ARM_CP_NO_RAW,
    .readfn = v9_inject_read,
    .writefn = v9_inject_write,
};

/* TRCIT is an instruction, but has the encoding of a register */
static void v9_trcit_write(CPUARMState *env, const ARMCPRegInfo *ri, uint64_t v)
{
    V9CPU *v9 = env_archcpu(env)->v9;

    v9_trace_instrument(v9->m, v);
    env->v9.needs_block = v9_trace_needs_block(v9->m);
}

static const ARMCPRegInfo v9_trcit = {
    .name = "TRCIT", .state = ARM_CP_STATE_AA64,
    .opc0 = 1, .opc1 = 3, .crn = 7, .crm = 2, .opc2 = 7,
    .access = PL0_W, .type = ARM_CP_IO | ARM_CP_NO_RAW,
    .writefn = v9_trcit_write,
};

/* BRB IALL and BRB INJ */
static CPAccessResult v9_brb_cp_access(CPUARMState *env, const ARMCPRegInfo *ri, bool isread)
{
    struct v9_pe_state s;

    v9_qemu_pe_state(env_archcpu(env)->v9, &s);
    return v9_access_result(v9_brb_access(&s.r));
}

static void v9_brb_write(CPUARMState *env, const ARMCPRegInfo *ri, uint64_t v)
{
    V9CPU *v9 = env_archcpu(env)->v9;

    v9_in(v9);
    v9_brb(v9->m, ri->opc2 == 4 ? V9_BRB_IALL : V9_BRB_INJ);
    v9_out(v9);
}

#define V9_BRB(n, op2, bit)                                                             \
    { .name = n, .state = ARM_CP_STATE_AA64,                                            \
      .opc0 = 1, .opc1 = 1, .crn = 7, .crm = 2, .opc2 = op2,                            \
      .access = PL1_W, .accessfn = v9_brb_cp_access, .fgt = FGT_HFGITR | FGT_REV | (bit), \
      .type = ARM_CP_IO | ARM_CP_NO_RAW, .writefn = v9_brb_write }

static const ARMCPRegInfo v9_brb_insns[] = {
    V9_BRB("BRB_IALL", 4, 56),
    V9_BRB("BRB_INJ", 5, 55),
};

static CPAccessResult v9_fgt2_access(CPUARMState *env, const ARMCPRegInfo *ri, bool isread)
{
    return arm_current_el(env) == 2 && arm_feature(env, ARM_FEATURE_EL3) &&
           !(env->cp15.scr_el3 & V9_SCR_EL3_FGTEn2) ? CP_ACCESS_TRAP_EL3 : CP_ACCESS_OK;
}

static uint64_t *v9_fgt2_reg(CPUARMState *env, const ARMCPRegInfo *ri)
{
    static const uint8_t reg[] = {
        V9_HDFGRTR2, V9_HDFGWTR2, V9_HFGRTR2, V9_HFGWTR2, [7] = V9_HFGITR2,
    };

    return &env_archcpu(env)->v9->fgt2_reg[reg[ri->opc2]];
}

static uint64_t v9_fgt2_read(CPUARMState *env, const ARMCPRegInfo *ri)
{
    return *v9_fgt2_reg(env, ri);
}

static void v9_fgt2_write(CPUARMState *env, const ARMCPRegInfo *ri, uint64_t v)
{
    *v9_fgt2_reg(env, ri) = v;
}

#define V9_FGT2_REG(n, op2, offset)                                                     \
    { .name = n, .state = ARM_CP_STATE_AA64,                                            \
      .opc0 = 3, .opc1 = 4, .crn = 3, .crm = 1, .opc2 = op2,                            \
      .access = PL2_RW, .accessfn = v9_fgt2_access, .type = ARM_CP_NO_RAW,              \
      .nv2_redirect_offset = offset, .readfn = v9_fgt2_read, .writefn = v9_fgt2_write }

static const ARMCPRegInfo v9_fgt2_regs[] = {
    V9_FGT2_REG("HDFGRTR2_EL2", 0, 0x1a0),
    V9_FGT2_REG("HDFGWTR2_EL2", 1, 0x1b0),
    V9_FGT2_REG("HFGRTR2_EL2", 2, 0x2c0),
    V9_FGT2_REG("HFGWTR2_EL2", 3, 0x2c8),
    V9_FGT2_REG("HFGITR2_EL2", 7, 0x310),
};

void v9_define_cp_regs(ARMCPU *cpu)
{
    struct v9_model *m = v9_model_of(&cpu->env);
    const struct v9_regdesc *r;
    size_t n;

    if (!m) {
        return;
    }
    r = v9_model_regs(&n);
    for (size_t i = 0; i < n; i++) {
        /*
         * QEMU's table of E2H aliases defines the EL12 names, except those of the status
         * registers: E2H alone does not determine what their EL1 names access.
         */
        if (v9_reg_exists(m, i) &&
            (r[i].trap != V9_TRAP_EL12 || r[i].feat == V9_FEAT_SPE_EXC ||
             r[i].feat == V9_FEAT_TRBE_EXC)) {
            v9_define_one(cpu, &r[i]);
        }
    }
    if (cpu->v9->ete && cpu->v9->ite) {
        define_one_arm_cp_reg(cpu, &v9_trcit);
    }
    if (cpu->v9->brbe) {
        define_arm_cp_regs(cpu, v9_brb_insns);
    }
    if (cpu->v9->fgt2) {
        define_arm_cp_regs(cpu, v9_fgt2_regs);
    }
    if (cpu->v9->inject) {
        define_one_arm_cp_reg(cpu, &v9_inject_reg);
    }
}

bool v9_isar_spe(const ARMISARegisters *id)
{
    return tcg_enabled() && FIELD_EX64(id->id_aa64dfr0, ID_AA64DFR0, PMSVER);
}

bool v9_isar_trf(const ARMISARegisters *id)
{
    return tcg_enabled() && FIELD_EX64(id->id_aa64dfr0, ID_AA64DFR0, TRACEFILT);
}

bool v9_isar_ite(const ARMISARegisters *id)
{
    return tcg_enabled() && V9_GET(V9_ID_AA64DFR1_EL1_ITE, id->id_aa64dfr1);
}

bool v9_isar_brbe(const ARMISARegisters *id)
{
    return tcg_enabled() && FIELD_EX64(id->id_aa64dfr0, ID_AA64DFR0, BRBE);
}

/* ---- interrupt and exception that depend on registers of the PE ---- */

/*
 * Called whenever a register, the Exception level, PSTATE.PM or the status of a unit may have
 * changed. The request is raised exactly while the exception is to be taken. The CPU checks it
 * between two blocks.
 */
static void v9_profiling_request(V9CPU *v9, const struct v9_pe_state *s)
{
    CPUState *cs = CPU(v9->cpu);
    bool up = cs->interrupt_request & V9_INTERRUPT_PROFILING_REQUEST;
    uint32_t esr;
    bool want;

    if (!v9->exc) {
        return;
    }
    v9_poll(v9->m);
    want = v9_profiling_exception(v9->m, s, &esr);
    if (want == up) {
        return;
    }
    BQL_LOCK_GUARD();
    if (want) {
        cpu_interrupt(cs, V9_INTERRUPT_PROFILING_REQUEST);
    } else {
        cpu_reset_interrupt(cs, V9_INTERRUPT_PROFILING_REQUEST);
    }
}

bool v9_take_profiling(CPUARMState *env, uint32_t *target_el)
{
    V9CPU *v9 = env_archcpu(env)->v9;
    struct v9_pe_state s;
    uint32_t esr;
    unsigned int to;

    if (!v9 || !v9->exc) {
        return false;
    }
    v9_qemu_pe_state(v9, &s);
    to = v9_profiling_exception(v9->m, &s, &esr);
    if (!to) {
        return false;
    }
    env->exception.syndrome = esr;
    v9->taking = true;
    *target_el = to;
    return true;
}

uint64_t v9_pm_entry(CPUARMState *env)
{
    V9CPU *v9 = env_archcpu(env)->v9;
    uint64_t old;

    if (!v9 || !v9->exc) {
        return 0;
    }
    old = v9->pm;
    v9->pm = true;
    return old << 32;
}

uint64_t v9_id_aa64dfr2(ARMCPU *cpu)
{
    V9CPU *v9 = cpu->v9;

    if (!v9 || !v9->m) {
        return 0;
    }
    return V9_PUT(V9_ID_AA64DFR2_EL1_SPE_EXC, v9->spe && v9->spe_exc) |
           V9_PUT(V9_ID_AA64DFR2_EL1_SPE_nVM, v9->spe && v9->spe_nvm) |
           V9_PUT(V9_ID_AA64DFR2_EL1_TRBE_EXC, v9->ete && v9->trbe_exc);
}

/* ---- what the PE does ---- */

uint32_t v9_activity_now(CPUARMState *env)
{
    struct v9_model *m = v9_model_of(env);
    V9CPU *v9 = env_archcpu(env)->v9;
    struct v9_pe_state s;
    uint32_t act;

    if (!m) {
        return 0;
    }
    v9_qemu_pe_state(v9, &s);
    v9_profiling_request(v9, &s);
    act = v9_pe_activity(m, &s);
    /*
     * An effect may become pending in the middle of a block, after the barrier there was
     * translated.
     */
    if (v9->is_delayed && (act & (V9_ACT_SPE | V9_ACT_ETE | V9_ACT_BRBE))) {
        act |= V9_ACT_SYNC;
    }
    return act;
}

/*
 * Runs while all other CPUs are stopped. The CPU that executes the maintenance waits for its end.
 */
static void v9_tlbi_everywhere(CPUState *by, run_on_cpu_data data)
{
    CPUState *cs;

    CPU_FOREACH(cs) {
        V9CPU *v9 = ARM_CPU(cs)->v9;

        if (v9->m) {
            v9_in(v9);
            v9_sync(v9->m, cs == by ? V9_SYNC_TLBI : V9_SYNC_TLBI_OTHER);
            v9_out(v9);
        }
    }
}

/*
 * TLB maintenance has to wait only for CPUs with delayed effects. A CPU sets @late before it
 * reads the tables. The tables were written before @late is read here.
 */
static bool v9_others_are_late(CPUState *by)
{
    CPUState *cs;

    smp_mb();
    CPU_FOREACH(cs) {
        if (cs != by && qatomic_read(&ARM_CPU(cs)->v9->late)) {
            return true;
        }
    }
    return false;
}

void v9_tlbi(CPUState *cs, bool broadcast)
{
    V9CPU *v9 = ARM_CPU(cs)->v9;

    if (!v9 || !v9->m || !v9->is_delayed) {
        return;
    }
    if (broadcast && v9_others_are_late(cs)) {
        async_safe_run_on_cpu(cs, v9_tlbi_everywhere, RUN_ON_CPU_NULL);
    } else {
        v9_in(v9);
        v9_sync(v9->m, V9_SYNC_TLBI);
        v9_out(v9);
    }
}

/*
 * The instructions are those of the memory, whatever the address is mapped as. An address that is
 * not mapped, or not to memory, has no translation that could be removed.
 */
void v9_ic_ivau(CPUARMState *env, uint64_t va)
{
    uint64_t line = 4ull << extract64(env_archcpu(env)->ctr, 0, 4);
    CPUTLBEntryFull *full;
    ram_addr_t at;
    void *host;

    va &= -line;
    if (probe_access_full_mmu(env, va, 0, MMU_DATA_LOAD, cpu_mmu_index(env_cpu(env), false), &host,
                              &full) & (TLB_INVALID_MASK | TLB_MMIO)) {
        return;
    }
    at = qemu_ram_addr_from_host(host);
    if (at != RAM_ADDR_INVALID) {
        tb_invalidate_phys_range(at, at + line - 1);
    }
}

/* env->v9.dva is V9_NO_DVA from each sample on until the instruction accesses memory. */
void v9_data_address(CPUARMState *env, uint64_t va)
{
    if (env->v9.dva == V9_NO_DVA) {
        env->v9.dva = va;
    }
}

void v9_data_copy(CPUARMState *env, uint64_t to, uint64_t from)
{
    struct v9_model *m = v9_model_of(env);

    v9_data_address(env, to);
    if (m) {
        v9_spe_reads(m, from);
    }
}

void v9_data_checked(CPUARMState *env, bool store)
{
    struct v9_model *m = v9_model_of(env);

    if (m) {
        v9_spe_checked(m, store);
    }
}

void v9_data_element(CPUARMState *env, uint64_t va, bool active)
{
    struct v9_model *m = v9_model_of(env);

    if (m) {
        v9_spe_element(m, va, active);
    }
}

#define BRB_FILTRATE    0x811f

/*
 * The overflow of a counter of BRB_FILTRATE must be seen before the next branch is recorded
 * (BRBE-BZ4): brings the counters up to date after each record.
 */
static void v9_count_branches(CPUARMState *env)
{
    V9CPU *v9 = env_archcpu(env)->v9;
    uint64_t captured;

    if (!v9->brbe) {
        return;
    }
    captured = v9_model_branch_score(v9->m)->captured;
    if (captured == v9->brbe_counted) {
        return;
    }
    v9->brbe_counted = captured;
    for (unsigned i = 0; i < pmu_num_counters(env); i++) {
        if (extract64(env->cp15.c14_pmevtyper[i], 0, 16) == BRB_FILTRATE &&
            extract64(env->cp15.c9_pmcnten, i, 1)) {
            BQL_LOCK_GUARD();
            pmu_op_start(env);
            pmu_op_finish(env);
            return;
        }
    }
}

/* Common part of all hooks in translated code */
static V9CPU *v9_hook(CPUARMState *env, uint64_t pc)
{
    V9CPU *v9 = env_archcpu(env)->v9;

    v9->in_hook = true;
    v9->pc = pc;
    return v9;
}

static struct v9_pe_insn v9_insn_at(CPUARMState *env, uint64_t pc, uint32_t op)
{
    struct v9_pe_insn i = {
        .pc = pc,
        .xt = (op & 31) == 31 ? 0 : env->xregs[op & 31],
        .op = op,
        .nzcv = pstate_read(env) >> 28,
    };

    QEMU_BUILD_BUG_ON(sizeof(i.pred) > sizeof(env->vfp.pregs[0].p));
    if (extract32(op, 25, 4) == 2 || (op & 0xfe000000) == 0xe0000000) {
        memcpy(i.pred, env->vfp.pregs[extract32(op, 10, 3)].p, sizeof(i.pred));
    }
    return i;
}

bool v9_traces_op(CPUState *cs, uint32_t op)
{
    return v9_trace_p0(ARM_CPU(cs)->v9->m, V9_CODE_A64, op);
}

bool v9_traces_op32(CPUState *cs, bool thumb, uint32_t op)
{
    return v9_trace_p0(ARM_CPU(cs)->v9->m, thumb ? V9_CODE_T32 : V9_CODE_A32, op);
}

void HELPER(v9_trace_block)(CPUARMState *env, uint64_t pc)
{
    V9CPU *v9 = v9_hook(env, pc);

    v9_trace_block(v9->m, pc);
    v9_count_branches(env);
    env->v9.needs_block = v9_trace_needs_block(v9->m);
    v9->in_hook = false;
}

static void v9_branch_at(CPUARMState *env, const struct v9_pe_insn *i)
{
    V9CPU *v9 = v9_hook(env, i->pc);

    v9_trace_branch(v9->m, i);
    v9_count_branches(env);
    env->v9.needs_block = v9_trace_needs_block(v9->m);
    v9->in_hook = false;
}

void HELPER(v9_trace_branch)(CPUARMState *env, uint64_t pc, uint32_t op)
{
    struct v9_pe_insn i = v9_insn_at(env, pc, op);

    v9_branch_at(env, &i);
}

/* @how: PSTATE.IT, and PSTATE.T in bit 8 */
void HELPER(v9_trace_branch32)(CPUARMState *env, uint64_t pc, uint32_t op, uint32_t how)
{
    struct v9_pe_insn i = {
        .pc = pc,
        .xt = env->regs[op & 7],
        .op = op,
        .nzcv = cpsr_read(env) >> 28,
        .code = how >> 8 ? V9_CODE_T32 : V9_CODE_A32,
        .it = how,
    };

    v9_branch_at(env, &i);
}

void HELPER(v9_trace_wide)(CPUARMState *env, uint64_t pc)
{
    V9CPU *v9 = v9_hook(env, pc);

    v9_trace_wide(v9->m, pc);
    env->v9.needs_block = v9_trace_needs_block(v9->m);
    v9->in_hook = false;
}

void HELPER(v9_sample)(CPUARMState *env, uint64_t pc, uint32_t op)
{
    V9CPU *v9 = v9_hook(env, pc);
    struct v9_pe_insn i = v9_insn_at(env, pc, op);

    v9_in(v9);
    env->v9.cnt = v9_spe_sample(v9->m, &i);
    env->v9.dva = V9_NO_DVA;
    v9->in_hook = false;
}

/* QEMU defines this value only under a name of AArch32 */
#define V9_EC_OTHER 0x0a

void HELPER(v9_barrier)(CPUARMState *env, uint32_t kind)
{
    static const uint8_t sync[] = {
        [V9_BARRIER_ISB] = V9_SYNC_ISB,
        [V9_BARRIER_DSB] = V9_SYNC_DSB,
        [V9_BARRIER_PSB] = V9_SYNC_PSB,
        [V9_BARRIER_TSB] = V9_SYNC_TSB,
    };
    V9CPU *v9 = env_archcpu(env)->v9;

    if ((kind == V9_BARRIER_PSB || kind == V9_BARRIER_TSB) &&
        v9_sync_trapped(v9->m, sync[kind])) {
        /* ISS of "other instructions" */
        raise_exception(env, EXCP_UDEF,
                        V9_EC_OTHER << ARM_EL_EC_SHIFT | ARM_EL_IL |
                        (kind == V9_BARRIER_TSB ? 3 : 4), 2);
    }
    v9_in(v9);
    v9_sync(v9->m, sync[kind]);
    v9_out(v9);
}

/* Returns enum v9_interrupt, or -1 for a synchronous exception. */
static int v9_interrupt_of(int excp)
{
    switch (excp) {
    case EXCP_IRQ:
    case EXCP_VIRQ:
    case EXCP_NMI:
    case EXCP_VINMI:
        return V9_INTERRUPT_IRQ;
    case EXCP_FIQ:
    case EXCP_VFIQ:
    case EXCP_VFNMI:
        return V9_INTERRUPT_FIQ;
    case EXCP_VSERR:
        return V9_INTERRUPT_SERROR;
    default:
        return -1;
    }
}

/*
 * Measures the cost of an interrupt of a unit: the number of instructions from where it is taken
 * until the interrupted code resumes. An interrupt that is taken before that code executes
 * another instruction is included.
 */
static void v9_turn_entry(CPUARMState *env, V9CPU *v9, bool irq, uint64_t pc)
{
    struct v9_turn *t = &v9->turn;
    int64_t now;

    if (icount_enabled() != ICOUNT_PRECISE || (!t->on && !(irq && (v9->line[0] || v9->line[1])))) {
        return;
    }
    now = v9_icount_of(env_cpu(env));
    if (t->back && now != t->to) {
        v9_log_turn(v9);
        t->on = false;
    }
    t->back = false;
    if (!t->on && irq && (v9->line[0] || v9->line[1])) {
        *t = (struct v9_turn) {
            .on = true,
            .which = !v9->line[0],
            .el = arm_current_el(env),
            .pc = pc,
            .sp = env->xregs[31],
            .at = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL),
            .from = now,
        };
    }
}

static void v9_turn_return(CPUARMState *env, V9CPU *v9, uint64_t pc, int el)
{
    struct v9_turn *t = &v9->turn;

    if (t->on && pc == t->pc && el == t->el &&
        t->sp == (el == arm_current_el(env) ? env->xregs[31] : env->sp_el[el])) {
        t->back = true;
        t->to = v9_icount_of(env_cpu(env));
    }
}

void v9_exception_entry(CPUARMState *env)
{
    V9CPU *v9 = env_archcpu(env)->v9;
    int excp = env_cpu(env)->exception_index;
    bool profiling = v9 && v9->taking;
    int interrupt = profiling ? V9_INTERRUPT_PROFILING : v9_interrupt_of(excp);
    struct v9_exc e = {
        .ret = is_a64(env) ? env->pc : env->regs[15],
        .fault_va = env->exception.vaddress,
        .to_el = env->exception.target_el,
        .sync = interrupt < 0,
        .has_va = excp == EXCP_DATA_ABORT,
        .trapped = excp == EXCP_UDEF,       /* SVC by HFGITR_EL2, SMC by HCR_EL2.TSC */
        .interrupt = MAX(interrupt, 0),
        .esr = interrupt < 0 ? env->exception.syndrome : 0,
    };

    if (!v9_model_of(env)) {
        return;
    }
    v9->taking = false;
    v9_turn_entry(env, v9, interrupt == V9_INTERRUPT_IRQ, e.ret);
    v9_in(v9);
    v9_exception(v9->m, &e);
    v9_count_branches(env);
    v9_out(v9);
}

void v9_exception_return(CPUARMState *env, uint64_t target, int new_el, bool a64)
{
    V9CPU *v9 = env_archcpu(env)->v9;

    if (!v9_model_of(env)) {
        return;
    }
    v9_turn_return(env, v9, target, new_el);
    v9_in(v9);
    v9_eret(v9->m, target, new_el < 0 ? arm_current_el(env) : new_el, new_el >= 0, a64);
    v9_count_branches(env);
    v9_out(v9);
    if (v9->exc && new_el >= 0) {
        v9->pm = extract64(env->banked_spsr[aarch64_banked_spsr_index(arm_current_el(env))], 32, 1);
    }
}

/* ---- Performance monitor events ---- */

/* Called before the model exists. */
bool v9_pmu_supported(CPUARMState *env)
{
    return env_archcpu(env)->v9 && env_archcpu(env)->v9->spe;
}

#define V9_PMU_COUNT(name, field)                                   \
    uint64_t v9_pmu_##name(CPUARMState *env)                        \
    {                                                               \
        return v9_score_now(env_archcpu(env)->v9)->field;           \
    }

V9_PMU_COUNT(sample_pop, pop)
V9_PMU_COUNT(sample_feed, samples)
V9_PMU_COUNT(sample_filtrate, passed)
V9_PMU_COUNT(sample_collision, collided)
V9_PMU_COUNT(sample_buffer_full, full)

bool v9_pmu_feed_supported(CPUARMState *env)
{
    return v9_pmu_supported(env) && env_archcpu(env)->v9->spe_version >= 3;
}

V9_PMU_COUNT(feed_ds, feed[V9_FEED_DS])
V9_PMU_COUNT(feed_br, feed[V9_FEED_BR])
V9_PMU_COUNT(feed_ld, feed[V9_FEED_LD])
V9_PMU_COUNT(feed_st, feed[V9_FEED_ST])
V9_PMU_COUNT(feed_op, feed[V9_FEED_OP])
V9_PMU_COUNT(feed_event, feed[V9_FEED_EVENT])
V9_PMU_COUNT(feed_lat, feed[V9_FEED_LAT])
V9_PMU_COUNT(feed_fp, feed[V9_FEED_FP])
V9_PMU_COUNT(feed_simd, feed[V9_FEED_SIMD])

bool v9_pmu_trace_supported(CPUARMState *env)
{
    return env_archcpu(env)->v9 && env_archcpu(env)->v9->ete;
}

#define V9_PMU_TRACE_COUNT(name, field)                             \
    uint64_t v9_pmu_##name(CPUARMState *env)                        \
    {                                                               \
        return v9_model_trace_score(v9_model_of(env))->field;       \
    }

V9_PMU_TRACE_COUNT(trb_wrap, wraps)
V9_PMU_TRACE_COUNT(trb_trig, triggers)
V9_PMU_TRACE_COUNT(trcextout0, extout[0])
V9_PMU_TRACE_COUNT(trcextout1, extout[1])
V9_PMU_TRACE_COUNT(trcextout2, extout[2])
V9_PMU_TRACE_COUNT(trcextout3, extout[3])

bool v9_pmu_brbe_supported(CPUARMState *env)
{
    return env_archcpu(env)->v9 && env_archcpu(env)->v9->brbe;
}

uint64_t v9_pmu_brb_filtrate(CPUARMState *env)
{
    return v9_model_branch_score(v9_model_of(env))->captured;
}

#define PMU_OVFS    0x400d
#define PMU_HOVFS   0x400f

/* An overflow; @event is 0 if it is no input of the trace unit. */
static void v9_overflow_on_cpu(CPUState *cs, run_on_cpu_data event)
{
    struct v9_model *m = ARM_CPU(cs)->v9->m;

    if (event.host_int) {
        v9_trace_input(m, event.host_int);
    }
    v9_brbe_overflow(m);
}

/* The PMU's timer may run in another thread. Only the thread of the CPU may access its model. */
static void v9_overflow(CPUARMState *env, int event)
{
    CPUState *cs = env_cpu(env);

    if (!v9_model_of(env)) {
        return;
    }
    if (qemu_cpu_is_self(cs)) {
        v9_overflow_on_cpu(cs, RUN_ON_CPU_HOST_INT(event));
    } else {
        async_run_on_cpu(cs, v9_overflow_on_cpu, RUN_ON_CPU_HOST_INT(event));
    }
}

void v9_pmu_overflow(CPUARMState *env, unsigned counter)
{
    unsigned hpmn = env->cp15.mdcr_el2 & MDCR_HPMN;
    bool high = counter != 31 && arm_feature(env, ARM_FEATURE_EL2) && counter >= hpmn;

    v9_overflow(env, !extract64(env->cp15.c9_pminten, counter, 1) ? 0 :
                high ? PMU_HOVFS : PMU_OVFS);
}

void v9_pmu_overflow_set(CPUARMState *env)
{
    v9_overflow(env, 0);
}

void v9_pmu_swinc(CPUARMState *env, uint32_t counters)
{
    if (v9_model_of(env)) {
        v9_trace_swinc(v9_model_of(env), counters);
    }
}

void v9_sleep(CPUARMState *env)
{
    V9CPU *v9 = env_archcpu(env)->v9;

    if (v9_model_of(env)) {
        v9_in(v9);
        v9_trace_sleep(v9->m);
        v9_out(v9);
    }
}

/* ---- life of a CPU ---- */

#define V9_BOOL(field)                                                          \
    static bool v9_get_##field(Object *obj, Error **errp)                       \
    {                                                                           \
        return ARM_CPU(obj)->v9->field;                                         \
    }                                                                           \
    static void v9_set_##field(Object *obj, bool value, Error **errp)           \
    {                                                                           \
        ARM_CPU(obj)->v9->field = value;                                        \
    }

#define V9_STR(field)                                                           \
    static char *v9_get_##field(Object *obj, Error **errp)                      \
    {                                                                           \
        return g_strdup(ARM_CPU(obj)->v9->field);                               \
    }                                                                           \
    static void v9_set_##field(Object *obj, const char *value, Error **errp)    \
    {                                                                           \
        g_free(ARM_CPU(obj)->v9->field);                                        \
        ARM_CPU(obj)->v9->field = g_strdup(value);                              \
    }

V9_BOOL(spe)
V9_BOOL(ete)
V9_BOOL(brbe)
V9_BOOL(brbe_isb)
V9_BOOL(spe_exc)
V9_BOOL(spe_nvm)
V9_BOOL(spe_lds)
V9_BOOL(spe_fds)
V9_BOOL(spe_eft)
V9_BOOL(spe_crr)
V9_BOOL(spe_count16)
V9_BOOL(spe_f)
V9_BOOL(ss_forget)
V9_BOOL(spe_micro)
V9_BOOL(spe_predicates)
V9_BOOL(spe_sme)
V9_BOOL(spe_prefetch)
V9_BOOL(spe_lean)
V9_BOOL(spe_tags)
V9_BOOL(spe_order)
V9_BOOL(spe_impdef)
V9_BOOL(trbe_f)
V9_BOOL(trbe_exc)
V9_BOOL(trbe_mpam)
V9_BOOL(ete_stall)
V9_BOOL(commopt)
V9_BOOL(spec_late)
V9_BOOL(source)
V9_BOOL(tsmark)
V9_BOOL(late_elements)
V9_BOOL(ite)
V9_BOOL(fgt2)
V9_BOOL(smccc)
V9_BOOL(inject)
V9_BOOL(mixed)
V9_BOOL(partitions)
V9_BOOL(unlisted)
V9_STR(log_path)
V9_STR(pclog_path)
V9_STR(strict)
V9_STR(delay)
V9_STR(lat)
V9_STR(packets)
V9_STR(second)

/* Returns the index of a property's value in a list of words; -1 with an error set. */
static int v9_word(const char *prop, const char *value, const char *const *words, Error **errp)
{
    g_autofree char *list = NULL;

    for (int i = 0; words[i]; i++) {
        if (!strcmp(value, words[i])) {
            return i;
        }
    }
    list = g_strjoinv(", ", (char **)words);
    error_setg(errp, "%s=%s: not one of %s", prop, value, list);
    return -1;
}

static char *v9_get_character(Object *obj, Error **errp)
{
    return g_strdup(ARM_CPU(obj)->v9->maxspec ? "speculative" : "in-order");
}

/* Sets other properties, which a later option can change. */
static void v9_set_character(Object *obj, const char *value, Error **errp)
{
    static const char *const characters[] = { "in-order", "speculative", NULL };
    V9CPU *v9 = ARM_CPU(obj)->v9;
    int character = v9_word("v9-ete-character", value, characters, errp);

    if (character < 0) {
        return;
    }
    v9->maxspec = character ? 40 : 0;
    v9->merge = character ? 2 : 0;
    v9->commopt = !character;
    v9->q = character ? 3 : 0;
}

/* Resets the values that a profile may contain to their defaults. */
static void v9_forget_profile(V9CPU *v9, struct v9_config *c)
{
    v9_config_default(c);
    c->ete = false;
    v9->spe = v9->ete = v9->trbe_exc = v9->no_aarch32 = false;
    v9->spe_version = c->spe_version;
    v9->spe_lds = c->lds;
}

static char *v9_profile_names(void)
{
    GString *list = g_string_new(NULL);

    for (int i = 0; v9_profile_at(i); i++) {
        g_string_append_printf(list, "%s%s", i ? ", " : "", v9_profile_at(i)->name);
    }
    return g_string_free(list, false);
}

static char *v9_get_profile(Object *obj, Error **errp)
{
    return g_strdup(ARM_CPU(obj)->v9->profile);
}

/* Properties are set in the order of the command line: a later one overrides the profile. */
static void v9_set_profile(Object *obj, const char *value, Error **errp)
{
    V9CPU *v9 = ARM_CPU(obj)->v9;
    const struct v9_profile *p = v9_profile_find(value);
    struct v9_config c;

    if (!p) {
        g_autofree char *names = v9_profile_names();

        error_setg(errp, "v9-profile=%s: not one of %s", value, names);
        return;
    }
    g_free(v9->profile);
    v9->profile = g_strdup(value);
    v9_forget_profile(v9, &c);
    v9_profile_apply(p, &c);
    if (v9_profile_fact(p, V9_PROFILE_MIDR)) {
        v9->cpu->midr = v9_profile_fact(p, V9_PROFILE_MIDR)->value;
    }
    /* no profiling unit: if it is enabled nevertheless, its version is the model's default */
    if (v9_profile_fact(p, V9_PROFILE_PMSVER) && c.spe_version) {
        v9->spe = true;
        v9->spe_version = c.spe_version;
    }
    v9->spe_lds = c.lds;
    v9->ete = c.ete;
    v9->trbe_exc = c.trbe_exc;
    v9->no_aarch32 = v9_profile_fact(p, V9_PROFILE_EL0) && v9_profile_fact(p, V9_PROFILE_EL0)->value == 1;
}

/* The Exception levels that are there have AArch64 state alone. */
static void v9_remove_aarch32(ARMCPU *cpu)
{
    for (int level = 0; level <= 3; level++) {
        if (extract64(cpu->isar.id_aa64pfr0, 4 * level, 4) == 2) {
            cpu->isar.id_aa64pfr0 = deposit64(cpu->isar.id_aa64pfr0, 4 * level, 4, 1);
        }
    }
}

/*
 * Both buffers belong to Non-secure state, where branches are recorded, too, and no access to the
 * units traps to EL3.
 */
#define V9_MDCR_EL3_USUAL \
    (V9_PUT(V9_MDCR_EL3_SBRBE, V9_MDCR_EL3_SBRBE_NOT_SECURE) | V9_MDCR_EL3_NSPB | V9_MDCR_EL3_EnPMSN | V9_MDCR_EL3_EnPMS3 | V9_MDCR_EL3_NSTB | \
     V9_MDCR_EL3_EnITE | V9_MDCR_EL3_EnPMS4 | V9_MDCR_EL3_EnTB2)

void v9_cpu_add_properties(Object *obj)
{
    ARMCPU *cpu = ARM_CPU(obj);
    V9CPU *v9 = g_new0(V9CPU, 1);
    struct v9_config c;

    v9->cpu = cpu;
    v9_config_default(&c);
    v9->spec_rate = c.spec_rate;
    v9->spe_version = c.spe_version;
    v9->spe_lds = c.lds;
    v9->spe_max_size = c.max_size;
    v9->spe_align = c.align;
    v9->spe_f = c.f;
    v9->trbe_f = c.trbe_f;
    v9->commopt = c.commopt;
    v9->brbe_version = 1;
    v9->brbe_records = c.brbe_records;
    v9->seed = 1;
    v9->mdcr_el3 = V9_MDCR_EL3_USUAL;
    cpu->v9 = v9;
    object_property_add_str(obj, "v9-profile", v9_get_profile, v9_set_profile);
    object_property_add_bool(obj, "v9-spe", v9_get_spe, v9_set_spe);
    object_property_add_bool(obj, "v9-ete", v9_get_ete, v9_set_ete);
    object_property_add_bool(obj, "v9-brbe", v9_get_brbe, v9_set_brbe);
    object_property_add_bool(obj, "v9-brbe-isb", v9_get_brbe_isb, v9_set_brbe_isb);
    object_property_add_uint64_ptr(obj, "v9-brbe-version", &v9->brbe_version,
                                   OBJ_PROP_FLAG_READWRITE);
    object_property_add_uint64_ptr(obj, "v9-brbe-records", &v9->brbe_records,
                                   OBJ_PROP_FLAG_READWRITE);
    object_property_add_uint64_ptr(obj, "v9-brbe-lose", &v9->brbe_lose, OBJ_PROP_FLAG_READWRITE);
    object_property_add_uint64_ptr(obj, "v9-brbe-after", &v9->brbe_after, OBJ_PROP_FLAG_READWRITE);
    object_property_add_bool(obj, "v9-spe-exc", v9_get_spe_exc, v9_set_spe_exc);
    object_property_add_bool(obj, "v9-spe-nvm", v9_get_spe_nvm, v9_set_spe_nvm);
    object_property_add_bool(obj, "v9-spe-lds", v9_get_spe_lds, v9_set_spe_lds);
    object_property_add_bool(obj, "v9-spe-fds", v9_get_spe_fds, v9_set_spe_fds);
    object_property_add_bool(obj, "v9-spe-eft", v9_get_spe_eft, v9_set_spe_eft);
    object_property_add_bool(obj, "v9-spe-crr", v9_get_spe_crr, v9_set_spe_crr);
    object_property_add_bool(obj, "v9-spe-count16", v9_get_spe_count16, v9_set_spe_count16);
    object_property_add_uint64_ptr(obj, "v9-spe-version", &v9->spe_version,
                                   OBJ_PROP_FLAG_READWRITE);
    object_property_add_uint64_ptr(obj, "v9-spe-max-size", &v9->spe_max_size,
                                   OBJ_PROP_FLAG_READWRITE);
    object_property_add_uint64_ptr(obj, "v9-spe-align", &v9->spe_align, OBJ_PROP_FLAG_READWRITE);
    object_property_add_bool(obj, "v9-spe-f", v9_get_spe_f, v9_set_spe_f);
    object_property_add_bool(obj, "v9-spe-micro", v9_get_spe_micro, v9_set_spe_micro);
    object_property_add_uint64_ptr(obj, "v9-spe-wrong", &v9->spe_wrong, OBJ_PROP_FLAG_READWRITE);
    object_property_add_uint64_ptr(obj, "v9-spe-vector", &v9->spe_vector, OBJ_PROP_FLAG_READWRITE);
    object_property_add_uint64_ptr(obj, "v9-spe-element", &v9->spe_element, OBJ_PROP_FLAG_READWRITE);
    object_property_add_bool(obj, "v9-spe-predicates", v9_get_spe_predicates, v9_set_spe_predicates);
    object_property_add_bool(obj, "v9-spe-sme", v9_get_spe_sme, v9_set_spe_sme);
    object_property_add_bool(obj, "v9-spe-prefetch", v9_get_spe_prefetch, v9_set_spe_prefetch);
    object_property_add_bool(obj, "v9-spe-lean", v9_get_spe_lean, v9_set_spe_lean);
    object_property_add_bool(obj, "v9-spe-tags", v9_get_spe_tags, v9_set_spe_tags);
    object_property_add_uint64_ptr(obj, "v9-spe-extra", &v9->spe_extra, OBJ_PROP_FLAG_READWRITE);
    object_property_add_bool(obj, "v9-spe-order", v9_get_spe_order, v9_set_spe_order);
    object_property_add_bool(obj, "v9-spe-impdef", v9_get_spe_impdef, v9_set_spe_impdef);
    object_property_add_uint64_ptr(obj, "v9-clock-step", &v9->clock_step, OBJ_PROP_FLAG_READWRITE);
    object_property_add_uint64_ptr(obj, "v9-spe-stamp", &v9->spe_stamp, OBJ_PROP_FLAG_READWRITE);
    object_property_add_bool(obj, "v9-trbe-f", v9_get_trbe_f, v9_set_trbe_f);
    object_property_add_bool(obj, "v9-trbe-exc", v9_get_trbe_exc, v9_set_trbe_exc);
    object_property_add_bool(obj, "v9-trbe-mpam", v9_get_trbe_mpam, v9_set_trbe_mpam);
    object_property_add_uint64_ptr(obj, "v9-buffer-limit", &v9->buffer_limit,
                                   OBJ_PROP_FLAG_READWRITE);
    object_property_add_bool(obj, "v9-ete-stall", v9_get_ete_stall, v9_set_ete_stall);
    object_property_add_bool(obj, "v9-ite", v9_get_ite, v9_set_ite);
    object_property_add_bool(obj, "v9-fgt2", v9_get_fgt2, v9_set_fgt2);
    object_property_add_bool(obj, "v9-inject", v9_get_inject, v9_set_inject);
    object_property_add_bool(obj, "v9-mixed", v9_get_mixed, v9_set_mixed);
    object_property_add_bool(obj, "v9-partitions", v9_get_partitions, v9_set_partitions);
    object_property_add_bool(obj, "v9-unlisted", v9_get_unlisted, v9_set_unlisted);
    object_property_add_str(obj, "v9-log", v9_get_log_path, v9_set_log_path);
    object_property_add_str(obj, "v9-pclog", v9_get_pclog_path, v9_set_pclog_path);
    object_property_add_str(obj, "v9-strict", v9_get_strict, v9_set_strict);
    object_property_add_str(obj, "v9-delay", v9_get_delay, v9_set_delay);
    object_property_add_str(obj, "v9-lat", v9_get_lat, v9_set_lat);
    object_property_add_str(obj, "v9-second", v9_get_second, v9_set_second);
    object_property_add_uint64_ptr(obj, "v9-seed", &v9->seed, OBJ_PROP_FLAG_READWRITE);
    object_property_add_uint64_ptr(obj, "v9-trbe-reject", &v9->trbe_reject,
                                   OBJ_PROP_FLAG_READWRITE);
    object_property_add_uint64_ptr(obj, "v9-ete-pe-inputs", &v9->pe_inputs,
                                   OBJ_PROP_FLAG_READWRITE);
    object_property_add_str(obj, "v9-ete-character", v9_get_character, v9_set_character);
    object_property_add_uint64_ptr(obj, "v9-ete-merge", &v9->merge, OBJ_PROP_FLAG_READWRITE);
    object_property_add_bool(obj, "v9-ete-forget", v9_get_ss_forget, v9_set_ss_forget);
    object_property_add_uint64_ptr(obj, "v9-ete-maxspec", &v9->maxspec,
                                   OBJ_PROP_FLAG_READWRITE);
    object_property_add_uint64_ptr(obj, "v9-ete-spec-rate", &v9->spec_rate,
                                   OBJ_PROP_FLAG_READWRITE);
    object_property_add_bool(obj, "v9-ete-commopt", v9_get_commopt, v9_set_commopt);
    object_property_add_uint64_ptr(obj, "v9-ete-q", &v9->q, OBJ_PROP_FLAG_READWRITE);
    object_property_add_bool(obj, "v9-ete-spec-late", v9_get_spec_late, v9_set_spec_late);
    object_property_add_str(obj, "v9-ete-packets", v9_get_packets, v9_set_packets);
    object_property_add_bool(obj, "v9-ete-source", v9_get_source, v9_set_source);
    object_property_add_bool(obj, "v9-ete-tsmark", v9_get_tsmark, v9_set_tsmark);
    object_property_add_bool(obj, "v9-ete-late", v9_get_late_elements, v9_set_late_elements);
    object_property_add_uint64_ptr(obj, "v9-ete-ts-cycles", &v9->ts_cycles, OBJ_PROP_FLAG_READWRITE);
    object_property_add_uint64_ptr(obj, "v9-ete-ts-offset", &v9->ts_offset, OBJ_PROP_FLAG_READWRITE);
    object_property_add_uint64_ptr(obj, "v9-mdcr-el3", &v9->mdcr_el3, OBJ_PROP_FLAG_READWRITE);
    object_property_add_uint64_ptr(obj, "v9-cptr-el3", &v9->cptr_el3, OBJ_PROP_FLAG_READWRITE);
    object_property_add_uint64_ptr(obj, "v9-vbar-el3", &v9->vbar_el3, OBJ_PROP_FLAG_READWRITE);
    object_property_add_bool(obj, "v9-smccc", v9_get_smccc, v9_set_smccc);
    qdev_init_gpio_out_named(DEVICE(obj), &v9->spe_irq, "v9-spe-interrupt", 1);
    qdev_init_gpio_out_named(DEVICE(obj), &v9->trbe_irq, "v9-trbe-interrupt", 1);
}

static bool v9_configure(V9CPU *v9, struct v9_config *c, bool *stop, Error **errp)
{
    static const char *const stricts[] = { "off", "log", "abort", NULL };
    static const char *const delays[] = { "off", "max", "random", NULL };
    static const char *const lats[] = { "full", "fixed", NULL };
    int strict = v9_word("v9-strict", v9->strict ?: "off", stricts, errp);
    static const char *const packets[] = { "shortest", "random", "longest", NULL };
    int delay, lat, form;

    if (strict < 0) {
        return false;
    }
    delay = v9_word("v9-delay", v9->delay ?: strict ? "random" : "off", delays, errp);
    if (delay < 0) {
        return false;
    }
    lat = v9_word("v9-lat", v9->lat ?: "full", lats, errp);
    if (lat < 0) {
        return false;
    }
    form = v9_word("v9-ete-packets", v9->packets ?: "shortest", packets, errp);
    if (form < 0) {
        return false;
    }
    v9_config_default(c);
    c->seed = v9->seed + CPU(v9->cpu)->cpu_index * 0x9e3779b97f4a7c15ull;
    c->delay = (const uint8_t[]){ V9_DELAY_OFF, V9_DELAY_MAX, V9_DELAY_RANDOM }[delay];
    c->lat = (const uint8_t[]){ V9_LAT_FULL, V9_LAT_FIXED }[lat];
    c->poison = strict > 0;
    c->ete = v9->ete;
    c->pa_bits = arm_pamax(v9->cpu);
    c->trbe_f = v9->trbe_f;
    c->trbe_ahead = delay > 0;
    c->mis_speculated = delay > 0 ? 256 : 0;
    c->trbe_exc = v9->trbe_exc;
    c->trbe_mpam = v9->trbe_mpam;
    c->buffer_limit = MIN(v9->buffer_limit, UINT16_MAX);
    c->ete_stall = v9->ete_stall;
    c->ite = v9->ite;
    c->pe_inputs = MIN(v9->pe_inputs, 255);
    c->maxspec = MIN(v9->maxspec, UINT16_MAX);
    c->spec_rate = MIN(v9->spec_rate, UINT16_MAX);
    c->spec_merge = MIN(v9->merge, UINT8_MAX);
    c->ss_forget = v9->ss_forget;
    c->commopt = v9->commopt;
    c->spec_what = V9_SPEC_ALL & ~(v9->spec_late ? 0 : V9_SPEC_LATE);
    c->q_supp = MIN(v9->q, UINT8_MAX);
    c->q_filter = v9->q > 0;
    c->q_eret = v9->q > 0;
    c->packets = (const uint8_t[]){ V9_PACKETS_SHORTEST, V9_PACKETS_RANDOM,
                                    V9_PACKETS_LONGEST }[form];
    c->source = v9->source ? 2 : 0;
    c->tsmark = v9->tsmark;
    c->late = v9->late_elements ? 4 : 0;
    c->ts_cycles = MIN(v9->ts_cycles, UINT16_MAX);
    c->ts_offset = v9->ts_offset;
    c->trbe_reject = v9->trbe_reject;
    /* values out of range are left to the model, which refuses them */
    c->brbe = v9->brbe ? MIN(v9->brbe_version, UINT8_MAX) : 0;
    c->brbe_records = MIN(v9->brbe_records, UINT8_MAX);
    c->brbe_isb = v9->brbe_isb;
    c->brbe_lose = MIN(v9->brbe_lose, UINT16_MAX);
    c->brbe_after = MIN(v9->brbe_after, UINT8_MAX);
    v9_config_version(c, v9->spe ? MIN(v9->spe_version, UINT8_MAX) : 0);
    c->f = v9->spe_f;
    c->mixed = v9->mixed;
    if (c->mixed) {
        c->crr = c->spe_exc = c->spe_nvm = false;
    }
    c->spe_exc |= v9->spe_exc && v9->spe;
    c->spe_nvm |= v9->spe_nvm && v9->spe;
    c->crr |= v9->spe_crr && v9->spe;
    c->max_size = MIN(v9->spe_max_size, UINT8_MAX);
    c->align = MIN(v9->spe_align, UINT8_MAX);
    c->lds = v9->spe_lds;
    c->fds = v9->spe_fds && v9->spe;
    c->eft = v9->spe_eft && v9->spe;
    c->count16 = v9->spe_count16;
    c->spe_micro = v9->spe_micro;
    c->spe_wrong = MIN(v9->spe_wrong, UINT8_MAX);
    c->spe_vector = MIN(v9->spe_vector, UINT8_MAX);
    c->spe_element = MIN(v9->spe_element, UINT8_MAX);
    c->spe_predicates = v9->spe_predicates;
    c->spe_sme = v9->spe_sme;
    c->spe_prefetch = v9->spe_prefetch;
    c->spe_lean = v9->spe_lean;
    c->has_mte = cpu_isar_feature(aa64_mte, v9->cpu);
    c->spe_tags = v9->spe_tags && c->has_mte ? v9->cpu->gm_blocksize + 2 : 0;
    c->spe_extra = MIN(v9->spe_extra, UINT8_MAX);
    c->spe_order = v9->spe_order;
    c->spe_impdef = v9->spe_impdef;
    c->clock_step = MIN(v9->clock_step, UINT16_MAX);
    c->spe_stamp = MIN(v9->spe_stamp, UINT8_MAX);
    v9->is_delayed = c->delay != V9_DELAY_OFF;
    *stop = strict == 2;
    return true;
}

/* First CPU of the second CPU type, from v9-second=N/...; INT_MAX if there is only one CPU type */
static int v9_second_from(const V9CPU *v9)
{
    return v9 && v9->second ? atoi(v9->second) : INT_MAX;
}

/* v9-second=N/PROPERTY=VALUE/...: sets the properties of CPUs from number N on. */
static bool v9_be_second(V9CPU *v9, Error **errp)
{
    g_auto(GStrv) words = NULL;

    if (CPU(v9->cpu)->cpu_index < v9_second_from(v9)) {
        return true;
    }
    /* Translated code contains ID registers as constants, so these CPUs must not share it. */
    CPU(v9->cpu)->cluster_index = 0;
    words = g_strsplit(v9->second, "/", 0);
    for (int i = 1; words[i]; i++) {
        g_auto(GStrv) pair = g_strsplit(words[i], "=", 2);

        if (!pair[0] || !pair[1]) {
            error_setg(errp, "v9-second: %s is not PROPERTY=VALUE", words[i]);
            return false;
        }
        if (!object_property_parse(OBJECT(v9->cpu), pair[0], pair[1], errp)) {
            return false;
        }
    }
    return true;
}

/* Called after QEMU has hidden the features that it lacks, and before registers are defined. */
bool v9_cpu_realize(ARMCPU *cpu, Error **errp)
{
    V9CPU *v9 = cpu->v9;
    struct v9_bus bus = v9_qemu_bus;
    struct v9_config c;
    struct v9_model *m;
    bool stop;

    if (!v9) {
        return true;
    }
    if (!v9_be_second(v9, errp)) {
        return false;
    }
    if (!(v9->spe || v9->ete || v9->brbe)) {
        return true;
    }
    if (!v9_configure(v9, &c, &stop, errp)) {
        return false;
    }
    if ((v9->mdcr_el3 != V9_MDCR_EL3_USUAL || v9->cptr_el3 || v9->vbar_el3) &&
        !arm_feature(&cpu->env, ARM_FEATURE_EL3)) {
        error_setg(errp, "v9-mdcr-el3, v9-cptr-el3 and v9-vbar-el3 want a machine with EL3 "
                   "(secure=on)");
        return false;
    }
    if (v9->smccc && !v9->vbar_el3) {
        error_setg(errp, "v9-smccc wants code that answers (v9-vbar-el3)");
        return false;
    }
    v9->log = v9_log_open(v9->log_path, errp);
    if (!v9->log) {
        return false;
    }
    if (stop) {
        v9_log_abort_on_violation(v9->log);
    }
    if (!v9->log_path) {
        bus.record = NULL;
        bus.event = NULL;
        bus.trbe_event = NULL;
        bus.branches = NULL;
    }
    if (v9->ete && v9->pclog_path) {
        v9->pclog = v9_pclog_open(v9->pclog_path, CPU(cpu)->cpu_index, errp);
        if (!v9->pclog) {
            return false;
        }
    } else {
        bus.pclog = NULL;
    }
    v9->fgt2 &= cpu_isar_feature(aa64_fgt, cpu);
    if (v9->fgt2) {
        cpu->isar.id_aa64mmfr0 = FIELD_DP64(cpu->isar.id_aa64mmfr0, ID_AA64MMFR0, FGT,
                                            V9_ID_AA64MMFR0_EL1_FGT_FGT2);
    }
    m = g_malloc0(v9_model_size());
    if (v9_model_init(m, &c, &bus, v9)) {
        g_free(m);
        error_setg(errp, "v9: the model refuses this configuration");
        return false;
    }
    error_setg(&v9->blocker, "the state of the v9trace units cannot be migrated");
    if (migrate_add_blocker(&v9->blocker, errp) < 0) {
        g_free(m);
        return false;
    }
    v9->m = m;
    v9->spe_exc = c.spe_exc;
    v9->spe_nvm = c.spe_nvm;
    v9->exc = c.spe_exc || (v9->ete && v9->trbe_exc);
    cpu->env.v9.dva = V9_NO_DVA;
    v9_out(v9);
    if (v9->no_aarch32) {
        v9_remove_aarch32(cpu);
    }
    cpu->isar.id_aa64dfr0 = FIELD_DP64(cpu->isar.id_aa64dfr0, ID_AA64DFR0, PMSVER, c.spe_version);
    cpu->isar.id_aa64dfr0 = FIELD_DP64(cpu->isar.id_aa64dfr0, ID_AA64DFR0, TRACEVER, c.ete);
    cpu->isar.id_aa64dfr0 = FIELD_DP64(cpu->isar.id_aa64dfr0, ID_AA64DFR0, TRACEFILT, c.ete);
    cpu->isar.id_aa64dfr0 = FIELD_DP64(cpu->isar.id_aa64dfr0, ID_AA64DFR0, TRACEBUFFER,
                                        c.ete ? 1 + c.trbe_exc : 0);
    cpu->isar.id_aa64dfr0 = FIELD_DP64(cpu->isar.id_aa64dfr0, ID_AA64DFR0, BRBE, c.brbe);
    cpu->isar.id_aa64dfr1 |= V9_PUT(V9_ID_AA64DFR1_EL1_ITE, c.ete && c.ite);
    return true;
}

void v9_cpu_reset(ARMCPU *cpu)
{
    V9CPU *v9 = cpu->v9;

    if (v9 && v9->m) {
        v9_in(v9);
        v9_model_reset(v9->m, V9_RESET_COLD);
        v9_out(v9);
        v9->pm = true;
        memset(v9->fgt2_reg, 0, sizeof(v9->fgt2_reg));
    }
}

uint64_t v9_scr_el3_mask(ARMCPU *cpu)
{
    return cpu->v9 && cpu->v9->fgt2 ? V9_SCR_EL3_FGTEn2 : 0;
}

/*
 * Does what firmware at EL3 does for a system that is booted directly below it: v9-mdcr-el3,
 * v9-cptr-el3 and v9-vbar-el3. The code at these vectors must be loaded by other means.
 */
void v9_firmware_reset(ARMCPU *cpu)
{
    V9CPU *v9 = cpu->v9;

    if (v9 && v9->m) {
        cpu->env.cp15.mdcr_el3 |= v9->mdcr_el3;
        cpu->env.cp15.scr_el3 |= v9_scr_el3_mask(cpu);
        cpu->env.cp15.cptr_el[3] |= v9->cptr_el3;
        cpu->env.cp15.vbar_el[3] = v9->vbar_el3;
    }
}

/*
 * QEMU itself is the firmware that answers calls of PSCI. With v9-smccc the code at VBAR_EL3 gets
 * all others, and the question whether SMCCC_VERSION is one of them.
 */
bool v9_takes_smc(ARMCPU *cpu)
{
    const uint64_t *x = cpu->env.xregs;
    uint32_t function = x[0];

    if (!cpu->v9 || !cpu->v9->m || !cpu->v9->smccc) {
        return false;
    }
    if (function == QEMU_PSCI_1_0_FN_PSCI_FEATURES && (uint32_t)x[1] == 0x80000000) {
        return true;
    }
    return (function & 0xbfffffe0) != QEMU_PSCI_0_2_FN_BASE;
}

/* ---- board ---- */

void v9_connect_irqs(DeviceState *cpudev, DeviceState *gic, int intidbase)
{
    V9CPU *v9 = ARM_CPU(cpudev)->v9;

    if (v9 && v9->spe) {
        qdev_connect_gpio_out_named(cpudev, "v9-spe-interrupt", 0,
                                    qdev_get_gpio_in(gic, intidbase + V9_SPE_INTID));
    }
    if (v9 && v9->ete) {
        qdev_connect_gpio_out_named(cpudev, "v9-trbe-interrupt", 0,
                                    qdev_get_gpio_in(gic, intidbase + V9_TRBE_INTID));
    }
}

/* @part: node of the CPUs that have the unit, or NULL for all CPUs */
static void v9_fdt_add_unit(void *fdt, const char *node, const char *compat, int intid,
                            const char *part)
{
    qemu_fdt_add_subnode(fdt, node);
    qemu_fdt_setprop_string(fdt, node, "compatible", compat);
    if (part) {
        qemu_fdt_setprop_cells(fdt, node, "interrupts", GIC_FDT_IRQ_TYPE_PPI,
                               INTID_TO_PPI(intid), GIC_FDT_IRQ_FLAGS_LEVEL_HI,
                               qemu_fdt_get_phandle(fdt, part));
    } else {
        qemu_fdt_setprop_cells(fdt, node, "interrupts", GIC_FDT_IRQ_TYPE_PPI,
                               INTID_TO_PPI(intid), GIC_FDT_IRQ_FLAGS_LEVEL_HI);
    }
}

static void v9_fdt_add_units(void *fdt, const V9CPU *v9, const char *suffix, const char *part)
{
    g_autofree char *spe = g_strdup_printf("/spe-pmu%s", suffix);
    g_autofree char *trbe = g_strdup_printf("/trbe%s", suffix);

    if (v9->spe) {
        v9_fdt_add_unit(fdt, spe, "arm,statistical-profiling-extension-v1", V9_SPE_INTID, part);
    }
    if (v9->ete) {
        v9_fdt_add_unit(fdt, trbe, "arm,trace-buffer-extension", V9_TRBE_INTID, part);
    }
}

static void v9_fdt_add_ete(void *fdt, int n)
{
    g_autofree char *node = g_strdup_printf("/ete%d", n);
    g_autofree char *cpu = g_strdup_printf("/cpus/cpu@%d", n);

    qemu_fdt_add_subnode(fdt, node);
    qemu_fdt_setprop_string(fdt, node, "compatible", "arm,embedded-trace-extension");
    qemu_fdt_setprop_phandle(fdt, node, "cpu", cpu);
}

void v9_fdt_add_nodes(void *fdt)
{
    V9CPU *v9 = ARM_CPU(first_cpu)->v9;
    CPUState *cs;

    if (!v9) {
        return;
    }
    if (!v9->partitions) {
        v9_fdt_add_units(fdt, v9, "", NULL);
    }
    CPU_FOREACH(cs) {
        if (ARM_CPU(cs)->v9->ete && !v9->unlisted) {
            v9_fdt_add_ete(fdt, cs->cpu_index);
        }
    }
}

/* Appends a cell of 0 to each group of @n cells in property @name of all nodes. */
static void v9_fdt_widen(void *fdt, const char *name, int n)
{
    for (int node = fdt_next_node(fdt, -1, NULL); node >= 0; node = fdt_next_node(fdt, node, NULL)) {
        int len;
        const uint32_t *old = fdt_getprop(fdt, node, name, &len);
        g_autofree uint32_t *wide = NULL;
        int groups = len / 4 / n;

        if (!old) {
            continue;
        }
        wide = g_new0(uint32_t, groups * (n + 1));
        for (int i = 0; i < groups; i++) {
            memcpy(wide + i * (n + 1), old + i * n, n * 4);
        }
        if (fdt_setprop(fdt, node, name, wide, groups * (n + 1) * 4)) {
            error_report("v9-partitions: no room in the device tree");
            exit(1);
        }
    }
}

static void v9_fdt_add_partition(void *fdt, const char *node, int from, int to)
{
    g_autofree uint32_t *cpus = g_new0(uint32_t, to - from);

    for (int i = from; i < to; i++) {
        g_autofree char *cpu = g_strdup_printf("/cpus/cpu@%d", i);

        cpus[i - from] = cpu_to_be32(qemu_fdt_get_phandle(fdt, cpu));
    }
    qemu_fdt_add_subnode(fdt, node);
    qemu_fdt_setprop(fdt, node, "affinity", cpus, (to - from) * 4);
    qemu_fdt_setprop_cell(fdt, node, "phandle", qemu_fdt_alloc_phandle(fdt));
}

/*
 * v9-partitions=on: describes CPUs of two types as firmware does. The private interrupt of each
 * CPU type's unit is a partition of its own, and each unit has a node. Interrupts then have four
 * cells.
 */
void v9_fdt_finish(void *fdt)
{
    V9CPU *v9 = ARM_CPU(first_cpu)->v9;
    int second = v9_second_from(v9), n = 0;
    g_autofree char *parts = NULL, *first = NULL, *rest = NULL;
    CPUState *cs;
    char gic[64];

    if (!v9 || !v9->partitions) {
        return;
    }
    CPU_FOREACH(cs) {
        n++;
    }
    if (second < 1 || second >= n ||
        fdt_get_path(fdt, fdt_node_offset_by_phandle(fdt, qemu_fdt_getprop_cell(fdt, "/",
                     "interrupt-parent", 0, &error_fatal)), gic, sizeof(gic))) {
        error_report("v9-partitions wants v9-second, and CPUs of both kinds");
        exit(1);
    }
    parts = g_strdup_printf("%s/ppi-partitions", gic);
    first = g_strdup_printf("%s/first", parts);
    rest = g_strdup_printf("%s/second", parts);
    v9_fdt_widen(fdt, "interrupts", 3);
    v9_fdt_widen(fdt, "interrupt-map", 10);
    qemu_fdt_setprop_cell(fdt, gic, "#interrupt-cells", 4);
    qemu_fdt_add_subnode(fdt, parts);
    v9_fdt_add_partition(fdt, first, 0, second);
    v9_fdt_add_partition(fdt, rest, second, n);
    /* the node added last is first in the tree */
    v9_fdt_add_units(fdt, ARM_CPU(qemu_get_cpu(second))->v9, "-2", rest);
    v9_fdt_add_units(fdt, v9, "-1", first);
}
