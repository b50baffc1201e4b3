/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the firmware share. */
#ifndef V9TRACE_FW_H
#define V9TRACE_FW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <v9trace/gen/regs.h>

#define BIT(n) (UINT64_C(1) << (n))
#define GET(mask, v) (((v) & (mask)) / ((mask) & -(mask)))
#define PUT(mask, v) (((uint64_t)(v) * ((mask) & -(mask))) & (mask))

/* Registers of the units, by the encodings of the table */
#define RD(reg) ({ register uint64_t v_ asm("x0"); \
	asm volatile(".inst %1" : "=r"(v_) : "i"(0xd5200000u | V9_SYS_##reg) : "memory"); v_; })
#define WR(reg, val) do { register uint64_t v_ asm("x0") = (val); \
	asm volatile(".inst %1" : : "r"(v_), "i"(0xd5000000u | V9_SYS_##reg) : "memory"); \
	} while (0)
/* ... and those that the assembler knows */
#define MRS(reg) ({ uint64_t v_; asm volatile("mrs %0, " #reg : "=r"(v_) : : "memory"); v_; })
#define MSR(reg, val) asm volatile("msr " #reg ", %0" : : "r"((uint64_t)(val)) : "memory")

static inline void isb(void)
{
	asm volatile("isb" : : : "memory");
}

/* Waits until both units are drained, and their registers have the final values. */
static inline void drain(void)
{
	asm volatile("isb; hint #18; hint #17; dsb sy; isb" : : : "memory");
}

/* An exception as the vector recorded it; start.S depends on the order of members */
struct rec {
	uint64_t count;
	uint64_t esr;
	uint64_t elr;
	uint64_t spsr;
	uint64_t far;
	uint64_t vector;
};

extern struct rec recs[4];
extern uint64_t highest;	/* Exception level that this firmware runs at */

#define EC(esr) ((unsigned int)((esr) >> 26) & 0x3f)
#define EC_PROFILING 0x3d
#define EC_SYSREG 0x18

/* Returns the SPSR for EL @el with its own stack, interrupts masked. */
static inline uint64_t spsr_of(unsigned int el, unsigned int pm)
{
	return el << 2 | (el ? 1 : 0) | 0xfu << 6 | (uint64_t)pm << 32;
}

void run_at(uint64_t spsr, void (*entry)(void));
/*
 * The same with recs[] cleared before; @el 3: wait at EL3 for an exception that must not be taken
 */
void run(unsigned int el, unsigned int pm, void (*entry)(void));

extern void prog_wait(void), prog_wait_el0(void), prog_work(void), prog_store(void);
/* Like prog_work, without anything that waits for memory */
extern void prog_work_late(void);
/* ... and one that is not traced any more at its end */
extern void prog_work_quiet(void);
extern void prog_raise(void), prog_raising(void), prog_raised(void), prog_access(void);
extern uint32_t prog_access_slot[];

/* Units under test: 0 TRBE, 1 SPE */
enum { TRBE, SPE, UNITS };

extern const char *const unit_name[UNITS];

/* The level of @unit's interrupt line at the interrupt controller of this PE */
bool line(unsigned int unit);

/* Status registers of @unit; @level 1 to 3 */
uint64_t status(unsigned int unit, unsigned int level);
void set_status(unsigned int unit, unsigned int level, uint64_t v);

enum { NONSECURE, SECURE, REALM, STATES };

/**
 * struct controls - everything that affects the routing of an event
 * @ss: Security state of owner and program
 * @e2b: MDCR_EL2.E2TB, E2PB
 * @permit: PMSCR_EL2.EnVM; not TRFCR_EL2.DnVM
 * @dc: HCR_EL2.DC: no stage 1, and a default memory type
 */
struct controls {
	unsigned int ee3, ee2, ee1, ke2, ke1, e2b, tge, pm;
	unsigned int scr_ea, hcr_tea, scr_gpf, hcr_gpf, ss, stage2, permit, e2h, dc;
};

/* Programs all controls for the unit; the other unit stays off. */
void control(unsigned int unit, const struct controls *c);

/* Address translation at EL1 (with or without stage 2) and at EL2; see mmu.c */
enum page_kind {
	PAGE_OK, PAGE_TRANSLATION, PAGE_ACCESS_FLAG, PAGE_PERMISSION, PAGE_ADDRESS_SIZE,
	PAGE_HOLE,	/* mapped to where nothing answers */
	PAGE_WALK,	/* the table itself is there */
	PAGE_USER,	/* for EL0, too */
	PAGE_GPF,	/* a granule that nobody may have */
	PAGE_WALK_GPF,	/* the table is in such a one */
	PAGE_GPC,	/* no entry in the granule protection table */
	PAGE_DEVICE,	/* Device memory */
	PAGE_S2_HOLE,	/* at an intermediate address that stage 2 does not map */
	PAGE_WALK_S2_HOLE	/* ... and the table itself is there */
};

#define BUF_VA UINT64_C(0x80000000)
#define BUF_IPA UINT64_C(0xc0000000)
#define BUF_PAGES 4
#define PAGE UINT64_C(4096)

void mmu_init(void);
/* All pages of the buffer are valid except page number @n at stage @stage. */
void mmu_page(unsigned int n, unsigned int stage, enum page_kind kind);
void mmu_on(bool on);
/* RAM is there a second time, as tagged memory: the tables, and MAIR_EL1 */
void mmu_tagged(void);
/* ASID 2 and VMID 2 have tables of their own, in which page 0 is mapped to page 2 and to page 3. */
void mmu_space(bool other_asid, bool other_vmid);
/* Hardware management of the Access flag, and the flag of buffer page 0 */
void mmu_manage(bool on);
bool mmu_accessed(void);
/* Unmaps buffer page 0 for all PEs, by the PE that calls this; nothing else is synchronized. */
void mmu_unmap_everywhere(void);
bool has_rme(void);
bool has_fgt2(void);
bool has_mte(void);
/* Granule protection on, as PAGE_GPF and PAGE_GPC require */
void gpt_on(void);
extern uint8_t buffer[BUF_PAGES * 4096];

/* The trace unit on and off, waited for */
void trace_unit_on(void);
void trace_unit_off(void);
/* Everything is traced; @event: event 0 is active in each cycle. */
void trace_unit_program(bool event);
/* One operation in 256 is sampled, of any type; PMSICR_EL1 is left to the caller. */
void profiling_unit_program(void);

/* The memory type of the unit's last write to its buffer, from the model: SH, Attr */
static inline uint16_t memory_type(unsigned int unit)
{
	return MRS(s3_0_c15_c15_7) >> (unit ? 16 : 0);
}

/* The next test breaks rule @rule: a strict model must report it. */
void breaks(const char *rule);

/* KTAP */
void suite(const char *name);
void result(bool pass, const char *name);
void skip(const char *name, const char *why);
void plan(void);
void note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* name_of("a_", "b", ...) in one of a few static buffers; ends with NULL */
const char *join(const char *first, ...);

/*
 * Executes instruction @op at @el: '.' executed, 'u' UNDEFINED, a digit: trapped to that EL, with the
 * exception class @ec. access_at(): the same with MRS or MSR of the register @enc
 */
char insn_at(unsigned int el, uint32_t op, unsigned int ec);
char access_at(unsigned int el, uint32_t enc, bool write);

/* The suites */
void record_suite(const char *name, bool gpc);
void translation_suite(void);
void exception_suite(void);
void access_suite(void);
void inputs_suite(void);
void brbe_suite(void);
void samples_suite(void);
void other_pe_suite(void);

/*
 * The second PE: whether it exists, and the function that it runs from its start, with its own
 * stack
 */
extern uint64_t other_pe;
void other_pe_work(void);

#endif
