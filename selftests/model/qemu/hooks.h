/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that patched QEMU files call. Included at the end of target/arm/internals.h. They
 * have no effect on a CPU without a unit: cpu->v9 is NULL if the CPU model has none of the
 * properties, and cpu->v9->m is NULL if no unit is enabled. Builds without system emulation of
 * A64 use the empty functions.
 */
#ifndef V9_QEMU_HOOKS_H
#define V9_QEMU_HOOKS_H

/* Bits of TBFLAG_ANY.V9. They are equal to the model's V9_ACT_*, as glue.c asserts. */
#define V9_TB_SPE	1u
#define V9_TB_SYNC	2u
#define V9_TB_ETE	4u
#define V9_TB_PMBSR_NV	8u
#define V9_TB_TRBSR_NV	16u
#define V9_TB_BRBE	32u

#define V9_BARRIER_ISB	0u
#define V9_BARRIER_DSB	1u
#define V9_BARRIER_PSB	2u
#define V9_BARRIER_TSB	3u

/* env->v9.dva if the current instruction has not accessed memory yet: a non-canonical address */
#define V9_NO_DVA	0x00a5d1e5c0ffee00ull

#if defined(TARGET_AARCH64) && !defined(CONFIG_USER_ONLY) && defined(CONFIG_TCG)

typedef struct V9CPU V9CPU;

/* initialization and reset of a CPU */
void v9_cpu_add_properties(Object *obj);
bool v9_cpu_realize(ARMCPU *cpu, Error **errp);
void v9_define_cp_regs(ARMCPU *cpu);
void v9_cpu_reset(ARMCPU *cpu);
void v9_firmware_reset(ARMCPU *cpu);
/* is this SMC taken to EL3? */
bool v9_takes_smc(ARMCPU *cpu);
/* bits of SCR_EL3 that QEMU does not implement */
uint64_t v9_scr_el3_mask(ARMCPU *cpu);

/* for the table of E2H aliases: does the CPU have PMSCR, TRFCR, TRCITECR, BRBCR? */
bool v9_isar_spe(const ARMISARegisters *id);
bool v9_isar_trf(const ARMISARegisters *id);
bool v9_isar_ite(const ARMISARegisters *id);
bool v9_isar_brbe(const ARMISARegisters *id);

/* for the translator: returns true if trace unit or BRBE need a call for this instruction */
bool v9_traces_op(CPUState *cs, uint32_t op);
bool v9_traces_op32(CPUState *cs, bool thumb, uint32_t op);

/* changes of the PE's state */
uint32_t v9_activity_now(CPUARMState *env);
void v9_exception_entry(CPUARMState *env);
/* new_el < 0: illegal exception return */
void v9_exception_return(CPUARMState *env, uint64_t target, int new_el, bool a64);

/* PMU events 0x4000 to 0x4003 and 0x8123, as rows of QEMU's table */
#define V9_PMU_EVENT(id, event) \
    { .number = id, .supported = v9_pmu_supported, .get_count = v9_pmu_##event, \
      .ns_per_count = zero_event_ns_per }

bool v9_pmu_supported(CPUARMState *env);
uint64_t v9_pmu_sample_pop(CPUARMState *env);
uint64_t v9_pmu_sample_feed(CPUARMState *env);
uint64_t v9_pmu_sample_filtrate(CPUARMState *env);
uint64_t v9_pmu_sample_collision(CPUARMState *env);
uint64_t v9_pmu_sample_buffer_full(CPUARMState *env);

/* PMU events of SPEv1p2: 0x8122, 0x812a to 0x812f, 0x8348, 0x8349 */
#define V9_PMU_FEED_EVENT(id, what) \
    { .number = id, .supported = v9_pmu_feed_supported, .get_count = v9_pmu_feed_##what, \
      .ns_per_count = zero_event_ns_per }

bool v9_pmu_feed_supported(CPUARMState *env);
uint64_t v9_pmu_feed_ds(CPUARMState *env);
uint64_t v9_pmu_feed_br(CPUARMState *env);
uint64_t v9_pmu_feed_ld(CPUARMState *env);
uint64_t v9_pmu_feed_st(CPUARMState *env);
uint64_t v9_pmu_feed_op(CPUARMState *env);
uint64_t v9_pmu_feed_event(CPUARMState *env);
uint64_t v9_pmu_feed_lat(CPUARMState *env);
uint64_t v9_pmu_feed_fp(CPUARMState *env);
uint64_t v9_pmu_feed_simd(CPUARMState *env);

/* PMU events of the trace unit and the Trace Buffer Unit */
#define V9_PMU_TRACE_EVENT(id, event) \
    { .number = id, .supported = v9_pmu_trace_supported, .get_count = v9_pmu_##event, \
      .ns_per_count = zero_event_ns_per }

bool v9_pmu_trace_supported(CPUARMState *env);
uint64_t v9_pmu_trb_wrap(CPUARMState *env);
uint64_t v9_pmu_trb_trig(CPUARMState *env);
uint64_t v9_pmu_trcextout0(CPUARMState *env);
uint64_t v9_pmu_trcextout1(CPUARMState *env);
uint64_t v9_pmu_trcextout2(CPUARMState *env);
uint64_t v9_pmu_trcextout3(CPUARMState *env);

/* PMU event of the Branch Record Buffer Extension */
#define V9_PMU_BRBE_EVENT(id, event) \
    { .number = id, .supported = v9_pmu_brbe_supported, .get_count = v9_pmu_##event, \
      .ns_per_count = zero_event_ns_per }

bool v9_pmu_brbe_supported(CPUARMState *env);
uint64_t v9_pmu_brb_filtrate(CPUARMState *env);

/* an overflow flag of the PMU is set; @counter 31 is the cycle counter */
void v9_pmu_overflow(CPUARMState *env, unsigned counter);
/* ... by software */
void v9_pmu_overflow_set(CPUARMState *env);
void v9_pmu_swinc(CPUARMState *env, uint32_t counters);

/* a TLB maintenance instruction; @broadcast: it also affects other PEs */
void v9_tlbi(CPUState *cs, bool broadcast);

/* IC IVAU: removes the translation of a line of instructions */
void v9_ic_ivau(CPUARMState *env, uint64_t va);

/*
 * Helpers access data: at @va; or read @from and write @to; an access was checked against its tag; an
 * element of a gather or scatter. Where an instruction calls one several times, the first address counts,
 * and of elements one at random.
 */
void v9_data_address(CPUARMState *env, uint64_t va);
void v9_data_copy(CPUARMState *env, uint64_t to, uint64_t from);
void v9_data_checked(CPUARMState *env, bool store);
void v9_data_element(CPUARMState *env, uint64_t va, bool active);

/* WFI or WFIT stops the PE */
void v9_sleep(CPUARMState *env);

/*
 * The Profiling exception. v9_take_profiling() returns true if it is to be taken now, and sets
 * syndrome and target. v9_pm_entry() returns PSTATE.PM as SPSR_ELx holds it and sets PSTATE.PM to
 * 1.
 */
#define V9_INTERRUPT_PROFILING_REQUEST CPU_INTERRUPT_TGT_INT_2
bool v9_take_profiling(CPUARMState *env, uint32_t *target_el);
uint64_t v9_pm_entry(CPUARMState *env);
uint64_t v9_id_aa64dfr2(ARMCPU *cpu);

/* board */
void v9_connect_irqs(DeviceState *cpudev, DeviceState *gic, int intidbase);
void v9_fdt_add_nodes(void *fdt);
/* called after all other changes to the device tree */
void v9_fdt_finish(void *fdt);

/* Called each time that hflags are rebuilt, so it must be cheap for a CPU without a unit. */
static inline uint32_t v9_activity(CPUARMState *env)
{
    return env_archcpu(env)->v9 ? v9_activity_now(env) : 0;
}

#else

#define V9_INTERRUPT_PROFILING_REQUEST CPU_INTERRUPT_TGT_INT_2
#define V9_PMU_EVENT(id, event) \
    { .number = id, .supported = v9_pmu_none, .get_count = zero_event_get_count, \
      .ns_per_count = zero_event_ns_per }

#define V9_PMU_TRACE_EVENT V9_PMU_EVENT
#define V9_PMU_BRBE_EVENT V9_PMU_EVENT

static inline bool v9_pmu_none(CPUARMState *env) { return false; }
static inline void v9_pmu_overflow(CPUARMState *env, unsigned counter) {}
static inline void v9_pmu_overflow_set(CPUARMState *env) {}
static inline void v9_pmu_swinc(CPUARMState *env, uint32_t counters) {}
static inline void v9_tlbi(CPUState *cs, bool broadcast) {}
static inline void v9_ic_ivau(CPUARMState *env, uint64_t va) {}
static inline void v9_data_address(CPUARMState *env, uint64_t va) {}
static inline void v9_data_copy(CPUARMState *env, uint64_t to, uint64_t from) {}
static inline void v9_data_checked(CPUARMState *env, bool store) {}
static inline void v9_data_element(CPUARMState *env, uint64_t va, bool active) {}
static inline void v9_sleep(CPUARMState *env) {}
static inline void v9_cpu_add_properties(Object *obj) {}
static inline bool v9_cpu_realize(ARMCPU *cpu, Error **errp) { return true; }
static inline void v9_define_cp_regs(ARMCPU *cpu) {}
static inline void v9_cpu_reset(ARMCPU *cpu) {}
static inline void v9_firmware_reset(ARMCPU *cpu) {}
static inline bool v9_takes_smc(ARMCPU *cpu) { return false; }
static inline uint64_t v9_scr_el3_mask(ARMCPU *cpu) { return 0; }
static inline bool v9_isar_spe(const ARMISARegisters *id) { return false; }
static inline bool v9_isar_trf(const ARMISARegisters *id) { return false; }
static inline bool v9_isar_ite(const ARMISARegisters *id) { return false; }
static inline bool v9_isar_brbe(const ARMISARegisters *id) { return false; }
static inline uint32_t v9_activity(CPUARMState *env) { return 0; }
static inline void v9_exception_entry(CPUARMState *env) {}
static inline void v9_exception_return(CPUARMState *env, uint64_t target, int new_el, bool a64) {}
static inline uint64_t v9_pm_entry(CPUARMState *env) { return 0; }
static inline uint64_t v9_id_aa64dfr2(ARMCPU *cpu) { return 0; }
static inline bool v9_take_profiling(CPUARMState *env, uint32_t *target_el) { return false; }
static inline void v9_connect_irqs(DeviceState *cpudev, DeviceState *gic, int intidbase) {}
static inline void v9_fdt_add_nodes(void *fdt) {}
static inline void v9_fdt_finish(void *fdt) {}

#endif

#endif
