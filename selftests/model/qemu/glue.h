/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of the glue. Include qemu/osdep.h, cpu.h and internals.h before it. */
#ifndef V9_QEMU_GLUE_H
#define V9_QEMU_GLUE_H

#include "model/model.h"
#include "model/profiles.h"

struct v9_log;

/* Registers of FEAT_FGT2. Those without an effect can still be written and read. */
enum v9_fgt2 {
    V9_HDFGRTR2,
    V9_HDFGWTR2,
    V9_HFGRTR2,
    V9_HFGWTR2,
    V9_HFGITR2,
    V9_FGT2_REGS
};

/*
 * The trace and profiling units of one CPU. The properties are valid from the start, the model
 * once the CPU is realized with a unit enabled.
 */
struct V9CPU {
    struct v9_model *m;
    ARMCPU *cpu;

    /* properties */
    bool spe;
    bool ete;
    bool brbe;
    bool spe_exc;
    bool spe_nvm;
    bool spe_lds;
    bool spe_fds;
    bool spe_eft;
    bool spe_crr;
    bool spe_count16;
    bool spe_f;
    bool spe_micro;
    uint64_t spe_vector;
    uint64_t spe_element;
    bool spe_predicates;
    bool spe_sme;
    bool spe_prefetch;
    bool spe_lean;
    bool spe_tags;
    uint64_t spe_wrong;
    uint64_t spe_extra;
    bool spe_order;
    bool spe_impdef;
    uint64_t clock_step;
    uint64_t spe_stamp;
    bool trbe_f;
    bool trbe_exc;
    bool trbe_mpam;
    uint64_t buffer_limit;
    bool ete_stall;
    bool ite;
    bool fgt2;
    bool smccc;
    bool inject;
    bool mixed;
    bool brbe_isb;
    uint64_t brbe_version;
    uint64_t brbe_records;
    uint64_t brbe_lose;
    uint64_t brbe_after;
    uint64_t spe_version;
    uint64_t spe_max_size;
    uint64_t spe_align;
    uint64_t seed;
    uint64_t mdcr_el3;
    uint64_t cptr_el3;
    uint64_t vbar_el3;
    uint64_t trbe_reject;
    uint64_t pe_inputs;
    uint64_t maxspec;
    uint64_t spec_rate;
    uint64_t merge;
    bool ss_forget;
    bool commopt;
    bool spec_late;
    char *packets;
    bool source;
    bool tsmark;
    bool late_elements;
    uint64_t ts_cycles;
    uint64_t ts_offset;
    uint64_t q;
    char *profile;
    char *log_path;
    char *pclog_path;
    char *strict;
    char *delay;
    char *lat;
    char *second;
    bool partitions;
    bool unlisted;

    /* v9-profile is that of a core without AArch32 state */
    bool no_aarch32;

    /* effects are delayed: barriers matter wherever profiling or tracing is on */
    bool is_delayed;
    /* v9_model_late(); other CPUs read it */
    bool late;

    /* FEAT_SPE_EXC or FEAT_TRBE_EXC is implemented, so PSTATE.PM exists */
    bool exc;
    bool pm;
    bool taking;

    /* FEAT_FGT2: indexed by enum v9_fgt2 */
    uint64_t fgt2_reg[V9_FGT2_REGS];

    qemu_irq spe_irq;
    qemu_irq trbe_irq;

    /*
     * With -icount: an interrupt was taken at @pc of @el while an interrupt line of a unit was
     * high, after this CPU had executed @from instructions. Execution returned there after @to
     * instructions.
     */
    bool line[2];
    struct v9_turn {
        bool on;
        bool back;
        uint8_t which;
        uint8_t el;
        uint64_t pc;
        uint64_t sp;
        int64_t at;                     /* ns of virtual time */
        int64_t from;
        int64_t to;
    } turn;
    struct v9_log *log;
    FILE *pclog;
    Error *blocker;

    /* records of BRBE when its PMU event was last brought up to date */
    uint64_t brbe_counted;

    /* pc of the current instruction while its hook runs; otherwise use env->pc */
    bool in_hook;
    uint64_t pc;

    /* attributes of the last translated page, for the next store */
    uint64_t page;
    MemTxAttrs attrs;
};

extern const struct v9_bus v9_qemu_bus;

/* bus.c: also called by the hooks */
void v9_qemu_pe_state(void *ctx, struct v9_pe_state *s);

/* log.c. @path NULL: violations go only to QEMU's log, events nowhere */
struct v9_log *v9_log_open(const char *path, Error **errp);
void v9_log_abort_on_violation(struct v9_log *l);
void v9_log_violation(void *ctx, const struct v9_violation *n);
void v9_log_record(void *ctx, const struct v9_spe_log *r);
void v9_log_event(void *ctx, uint64_t pmbsr, uint64_t pmbptr);
void v9_log_branches(void *ctx, const struct v9_brbe_stop *s);
void v9_log_turn(V9CPU *v9);
void v9_log_trbe_event(void *ctx, uint64_t trbsr, uint64_t trbptr);
/* One file for each CPU: @path.<cpu> */
FILE *v9_pclog_open(const char *path, int cpu, Error **errp);
void v9_pclog_range(void *ctx, uint64_t start, uint64_t end, enum v9_listed as);

/* Returns the score, including the operations that the countdown in env covers. */
const struct v9_score *v9_score_now(V9CPU *v9);

#endif
