/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bus of the model: state of the PE, translation and stores in the owning regime of a buffer,
 * interrupt lines, counters.
 */
#include "qemu/osdep.h"
#include "qemu/main-loop.h"
#include "cpu.h"
#include "internals.h"
#include "cpregs.h"
#include "cpu-features.h"
#include "exec/memory.h"
#include "hw/irq.h"
#include "glue.h"

#define PAGE 4096u

/*
 * Returns a value that changes when the tables of a buffer change. Operating systems map buffers
 * in the upper half of the address space as global, so TTBR1 without its ASID is sufficient.
 */
static uint64_t v9_regime_of(CPUARMState *env, const struct v9_owner *o)
{
    uint64_t hcr = arm_hcr_el2_eff(env);
    uint64_t baddr = MAKE_64BIT_MASK(1, 47);

    if (o->el == 2) {
        return (o->e2h ? env->cp15.ttbr1_el[2] : env->cp15.ttbr0_el[2]) & baddr;
    }
    return (env->cp15.ttbr1_el[1] & baddr) +
           (hcr & HCR_VM ? env->cp15.vttbr_el2 * 3 : 0);
}

void v9_qemu_pe_state(void *ctx, struct v9_pe_state *s)
{
    V9CPU *v9 = ctx;
    ARMCPU *cpu = v9->cpu;
    CPUARMState *env = &cpu->env;
    struct v9_owner owner;

    *s = (struct v9_pe_state) {
        .r = {
            .scr_el3 = env->cp15.scr_el3,
            .mdcr_el3 = env->cp15.mdcr_el3,
            .mdcr_el2 = env->cp15.mdcr_el2,
            .hcr_el2 = env->cp15.hcr_el2,
            .cpacr_el1 = env->cp15.cpacr_el1,
            .cptr_el2 = env->cp15.cptr_el[2],
            .cptr_el3 = env->cp15.cptr_el[3],
            .hfgitr_el2 = env->cp15.fgt_exec[FGTREG_HFGITR],
            .hfgitr2_el2 = v9->fgt2_reg[V9_HFGITR2],
            .hdfgrtr2_el2 = v9->fgt2_reg[V9_HDFGRTR2],
            .hdfgwtr2_el2 = v9->fgt2_reg[V9_HDFGWTR2],
            .el = arm_current_el(env),
            .pe_ss = V9_SS_NONSECURE,
            .a64 = is_a64(env),
            .el1_a64 = arm_el_is_aa64(env, 1),
            .has_el2 = arm_feature(env, ARM_FEATURE_EL2),
            .has_el3 = arm_feature(env, ARM_FEATURE_EL3),
            .has_rme = cpu_isar_feature(aa64_rme, cpu),
            .has_secure = arm_feature(env, ARM_FEATURE_EL3) &&
                          (!cpu_isar_feature(aa64_rme, cpu) || cpu_isar_feature(aa64_sel2, cpu)),
            .has_ecv = cpu_isar_feature(aa64_ecv, cpu),
            .has_fgt2 = v9->fgt2,
            .pm = v9->pm,
        },
        .pc = v9->in_hook ? v9->pc : is_a64(env) ? env->pc : env->regs[15],
        .contextidr_el1 = env->cp15.contextidr_el[1],
        .contextidr_el2 = env->cp15.contextidr_el[2],
        .oslk = env->cp15.oslsr_el1 & 2,
        .pmovs = env->cp15.c9_pmovsr,
        .pmu_counters = pmu_num_counters(env),
        .has_sel2 = cpu_isar_feature(aa64_sel2, cpu),
        .t32 = env->thumb,
    };
    s->r.el2_a64 = s->r.has_el2 && arm_el_is_aa64(env, 2);
    if (s->r.a64) {
        s->tbi = EX_TBFLAG_A64(env->hflags, TBID);
        s->sve_vq = EX_TBFLAG_A64(env->hflags, VL) + 1;
        s->sme_vq = EX_TBFLAG_A64(env->hflags, SVL) + 1;
    }
    owner = v9_spe_owner(&s->r);
    s->regime = v9_regime_of(env, &owner);
}

static ARMSecuritySpace v9_space(uint8_t ss)
{
    switch (ss) {
    case V9_SS_SECURE:
        return ARMSS_Secure;
    case V9_SS_ROOT:
        return ARMSS_Root;
    case V9_SS_REALM:
        return ARMSS_Realm;
    default:
        return ARMSS_NonSecure;
    }
}

static enum v9_ss v9_ss_of(ARMSecuritySpace space)
{
    static const uint8_t ss[] = {
        [ARMSS_Secure] = V9_SS_SECURE, [ARMSS_NonSecure] = V9_SS_NONSECURE,
        [ARMSS_Root] = V9_SS_ROOT, [ARMSS_Realm] = V9_SS_REALM,
    };

    return ss[space];
}

static MemTxAttrs v9_attrs(ARMSecuritySpace space)
{
    return (MemTxAttrs) { .secure = arm_space_is_secure(space), .space = space };
}

static uint8_t v9_gpc_of(const ARMMMUFaultInfo *fi)
{
    if (fi->type != ARMFault_GPCFOnWalk && fi->type != ARMFault_GPCFOnOutput) {
        return V9_GPC_NONE;
    }
    return fi->gpcf == GPCF_Fail ? V9_GPC_FAULT : V9_GPC_OTHER;
}

/* Combines the outer or inner halves of two memory types. Both are Normal memory. */
static uint8_t v9_weaker(uint8_t s1, uint8_t s2)
{
    bool wt = !(s1 & 4) || s2 == 2;

    return s1 == 4 || s2 == 1 ? 4 : wt ? (s1 & 3) | 8 : s1;
}

/*
 * Combines stage 1 (@mem, in the form of PMBMAR_EL1) with stage 2 (@s2, bits 5:2 of its
 * descriptor, and @s2_sh, its shareability). This is CombineS1S2Desc() of the manual.
 */
static uint16_t v9_combine(uint64_t hcr, uint16_t mem, uint8_t s2, uint8_t s2_sh)
{
    uint8_t s1 = mem, attr, sh = mem >> 8;
    bool device1 = !(s1 & 0xf0), device2 = hcr & HCR_FWB ? s2 < 4 : !(s2 & 0xc);

    if ((hcr & HCR_FWB) && s2 == 7) {
        attr = s1;
    } else if ((hcr & HCR_FWB) && s2 == 6) {
        attr = 0xff;
    } else if ((hcr & HCR_FWB) && s2 == 5) {
        attr = device1 ? s1 : 0x44;
    } else if (device1 || device2) {
        attr = !device2 ? s1 : !device1 || (hcr & HCR_FWB) ? s2 << 2 : MIN(s1, s2 << 2);
    } else {
        attr = v9_weaker(s1 >> 4, s2 >> 2) << 4 | v9_weaker(s1 & 15, s2 & 3);
    }
    sh = sh == 2 || s2_sh == 2 ? 2 : sh == 3 || s2_sh == 3 ? 3 : 0;
    return sh << 8 | attr;
}

/* Device and Normal Non-cacheable memory are Outer Shareable, whatever the tables contain. */
static uint16_t v9_effective(uint16_t mem)
{
    return !(mem & 0xf0) || (mem & 0xff) == 0x44 ? 0x200 | (mem & 0xff) : mem;
}

/* The walk for a write. With @fixed, it does not change the tables. */
static bool v9_walk(CPUARMState *env, uint64_t va, ARMMMUIdx idx, bool fixed,
                    GetPhysAddrResult *res, ARMMMUFaultInfo *fi)
{
    uint64_t tcr1 = env->cp15.tcr_el[1], tcr2 = env->cp15.tcr_el[2], vtcr = env->cp15.vtcr_el2;
    bool e2h = idx == ARMMMUIdx_E20_2, ret;

    if (fixed) {
        env->cp15.tcr_el[1] &= ~(3ull << 39);           /* HA, HD */
        env->cp15.tcr_el[2] &= ~(e2h ? 3ull << 39 : 3ull << 21);
        env->cp15.vtcr_el2 &= ~(3ull << 21);
    }
    ret = get_phys_addr(env, va, MMU_DATA_STORE, 0, idx, res, fi);
    env->cp15.tcr_el[1] = tcr1;
    env->cp15.tcr_el[2] = tcr2;
    env->cp15.vtcr_el2 = vtcr;
    return ret;
}

/*
 * Translates a privileged write of the owner in EL2&0, EL2, or EL1&0 with stage 2. Without stage
 * 1 (nVM) addresses are IPAs or PAs. The walk updates Access flags and dirty state if the tables
 * enable it and the unit supports it. The owner's Security state is the current one below EL3,
 * otherwise the unit is disabled, so plain get_phys_addr() can be used.
 */
static int v9_translate(void *ctx, struct v9_regime g, uint64_t va, struct v9_mem_place *to,
                        struct v9_fault *f)
{
    V9CPU *v9 = ctx;
    CPUARMState *env = &v9->cpu->env;
    GetPhysAddrResult res = {};
    ARMMMUFaultInfo fi = {};
    uint64_t hcr = arm_hcr_el2_eff(env);
    ARMMMUIdx idx;

    if (g.nvm && g.el == 1 && (hcr & HCR_DC)) {
        g.mem = 0xff;                           /* TRBE-AT7 */
    }
    if (g.nvm && va >> arm_pamax(v9->cpu)) {
        /* TRBE-AT5, SPE-PB11 */
        *f = (struct v9_fault) { .stage = 1, .fsc = V9_TRBSR_EL1_FSC_ADDRESS_SIZE_L0 };
        return 1;
    }
    if (!g.nvm) {
        idx = g.el == 1 ? ARMMMUIdx_E10_1 : g.e2h ? ARMMMUIdx_E20_2 : ARMMMUIdx_E2;
    } else if (g.el == 1 && (hcr & (HCR_VM | HCR_DC))) {
        idx = ARMMMUIdx_Stage2;
    } else {
        v9->attrs = v9_attrs(v9_space(g.ss));
        v9->page = va & ~(uint64_t)(PAGE - 1);
        *to = (struct v9_mem_place) { .pa = va, .mem = v9_effective(g.mem) };
        return 0;
    }
    if (!v9_walk(env, va, idx, g.fixed, &res, &fi)) {
        uint16_t mem = res.cacheattrs.shareability << 8 | res.cacheattrs.attrs;

        if (g.nvm) {
            mem = v9_combine(hcr, g.mem, res.cacheattrs.attrs, res.cacheattrs.shareability);
        }
        *to = (struct v9_mem_place) {
            .pa = res.f.phys_addr,
            .block = 1ull << res.f.lg_page_size,
            .mem = v9_effective(mem),
        };
        v9->attrs = res.f.attrs;
        v9->page = to->pa & ~(uint64_t)(PAGE - 1);
        return 0;
    }
    *f = (struct v9_fault) {
        .stage = fi.stage2 ? 2 : 1,
        .fsc = arm_fi_to_lfsc(&fi) & 0x3f,
        .gpc = v9_gpc_of(&fi),
        .external = fi.type == ARMFault_SyncExternal ||
                    fi.type == ARMFault_SyncExternalOnWalk,
    };
    return 1;
}

static int v9_store(void *ctx, struct v9_regime g, const struct v9_mem_place *to, const void *p,
                    unsigned int n, struct v9_fault *f)
{
    V9CPU *v9 = ctx;
    uint64_t pa = to->pa;
    bool same = v9->page == (pa & ~(uint64_t)(PAGE - 1));
    MemTxAttrs attrs = same ? v9->attrs : v9_attrs(v9_space(g.ss));

    if (address_space_write(arm_addressspace(CPU(v9->cpu), attrs), pa, attrs, p, n) == MEMTX_OK) {
        return 0;
    }
    *f = (struct v9_fault) { .stage = 1, .fsc = 0x10, .external = true };
    return 1;
}

/*
 * The access was already made, so only the walk is repeated. PAN is ignored because of LDTR and
 * STTR.
 */
static bool v9_data(void *ctx, uint64_t va, unsigned how, uint64_t *pa, enum v9_ss *pas)
{
    V9CPU *v9 = ctx;
    CPUARMState *env = &v9->cpu->env;
    GetPhysAddrResult res = {};
    ARMMMUFaultInfo fi = {};
    ARMMMUIdx idx = arm_mmu_idx(env);

    if (idx == ARMMMUIdx_E10_1_PAN) {
        idx = ARMMMUIdx_E10_1;
    } else if (idx == ARMMMUIdx_E20_2_PAN) {
        idx = ARMMMUIdx_E20_2;
    }
    if (how & V9_DATA_EL2) {
        idx = arm_hcr_el2_eff(env) & HCR_E2H ? ARMMMUIdx_E20_2 : ARMMMUIdx_E2;
    }
    if (get_phys_addr(env, va, how & V9_DATA_STORE ? MMU_DATA_STORE : MMU_DATA_LOAD, 0, idx, &res, &fi)) {
        return false;
    }
    *pa = res.f.phys_addr;
    *pas = v9_ss_of(res.f.attrs.space);
    return true;
}

static void v9_irq_line(void *ctx, enum v9_irq_line which, bool level)
{
    V9CPU *v9 = ctx;

    BQL_LOCK_GUARD();
    v9->line[which == V9_LINE_TRBIRQ] = level;
    qemu_set_irq(which == V9_LINE_PMBIRQ ? v9->spe_irq : v9->trbe_irq, level);
}

static uint64_t v9_count(void *ctx, enum v9_clock which)
{
    V9CPU *v9 = ctx;
    CPUARMState *env = &v9->cpu->env;
    struct v9_offsets o = {
        .cntvoff_el2 = env->cp15.cntvoff_el2,
        .cntpoff_el2 = env->cp15.cntpoff_el2,
        .ecv = FIELD_EX64(env->cp15.cnthctl_el2, CNTHCTL, ECV),
        .has_poff = cpu_isar_feature(aa64_ecv, v9->cpu),
    };
    struct v9_pe_state s;

    v9_qemu_pe_state(v9, &s);
    return gt_get_countervalue(env) - v9_clock_offset(&s.r, &o, which);
}

static void v9_activity_changed(void *ctx)
{
    V9CPU *v9 = ctx;

    arm_rebuild_hflags(&v9->cpu->env);
}

/* Newest sampled store to each cache line: its PE is in the low bits, from 1. PEs may race here. */
static bool v9_peer(void *ctx, uint64_t pa, bool store)
{
    static uint64_t lines[4096];
    V9CPU *v9 = ctx;
    uint64_t line = pa & ~(uint64_t)63, me = 1 + CPU(v9->cpu)->cpu_index % 63;
    uint64_t *entry = &lines[pa / 64 % ARRAY_SIZE(lines)];
    uint64_t was = qatomic_read(entry);

    if (store) {
        qatomic_set(entry, line | me);
    }
    return was > 63 && (was & ~(uint64_t)63) == line && (was & 63) != me;
}

const struct v9_bus v9_qemu_bus = {
    .pe_state = v9_qemu_pe_state,
    .translate = v9_translate,
    .store = v9_store,
    .data = v9_data,
    .peer = v9_peer,
    .line = v9_irq_line,
    .count = v9_count,
    .activity_changed = v9_activity_changed,
    .violation = v9_log_violation,
    .record = v9_log_record,
    .event = v9_log_event,
    .trbe_event = v9_log_trbe_event,
    .branches = v9_log_branches,
    .pclog = v9_pclog_range,
};
