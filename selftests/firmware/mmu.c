// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tables for three regimes: EL1&0, EL2, and stage 2 below EL1&0. The first 2 GB, devices and RAM,
 * are mapped to themselves. The buffer's pages at BUF_VA are mapped one by one, so that each can be
 * made invalid. Without stage 2 their output is the buffer, with it an IPA.
 */
#include "fw.h"

#define HOLE	UINT64_C(0x70000000)	/* no memory there */
#define S2_HOLE	(BUF_IPA + BIT(21))	/* an intermediate address that is none */
/*
 * With granule protection: a gigabyte that belongs to no physical address space, and one without an
 * entry
 */
#define NOBODY	UINT64_C(0x80000000)
#define NO_GPT	UINT64_C(0xc0000000)

#define VALID	UINT64_C(1)
#define TABLE	UINT64_C(3)
#define L3_PAGE	UINT64_C(3)
#define AF	BIT(10)
#define SH_IN	(UINT64_C(3) << 8)
#define RO	BIT(7)
#define DEVICE	(UINT64_C(1) << 2)	/* MAIR index 1 */
#define S2_RW	(UINT64_C(3) << 6)
#define S2_MEM	(UINT64_C(15) << 2)
/* 39 bits of address, Inner Shareable write-back walks; 32 bits of output; no TTBR1 */
#define TCR	(25 | 1 << 8 | 1 << 10 | 3 << 12 | BIT(23))
#define ADDRESS	UINT64_C(0xfffffffff000)

uint8_t buffer[BUF_PAGES * 4096] __attribute__((aligned(4096)));
static uint64_t s1_l1[512] __attribute__((aligned(4096)));
static uint64_t s1_l2[512] __attribute__((aligned(4096)));
static uint64_t s1_l3[512] __attribute__((aligned(4096)));
static uint64_t s2_l1[512] __attribute__((aligned(4096)));
static uint64_t s2_l2[512] __attribute__((aligned(4096)));
static uint64_t s2_l3[512] __attribute__((aligned(4096)));

static uint64_t entry(uint64_t out, uint64_t ok, uint64_t writable, enum page_kind kind)
{
	uint64_t e = out | ok | L3_PAGE;

	switch (kind) {
	case PAGE_TRANSLATION:
		return 0;
	case PAGE_ACCESS_FLAG:
		return e & ~AF;
	case PAGE_PERMISSION:
		return e ^ writable;
	case PAGE_ADDRESS_SIZE:
		return e | BIT(40);
	case PAGE_HOLE:
		return (e & ~ADDRESS) | HOLE;
	case PAGE_USER:
		return e | BIT(6);
	case PAGE_GPF:
		return (e & ~ADDRESS) | NOBODY;
	case PAGE_GPC:
		return (e & ~ADDRESS) | NO_GPT;
	case PAGE_DEVICE:
		return ok & S2_MEM ? e & ~S2_MEM : e | DEVICE;
	case PAGE_S2_HOLE:
		return (e & ~ADDRESS) | S2_HOLE;
	default:
		return e;
	}
}

static uint64_t table(const void *t, enum page_kind kind)
{
	switch (kind) {
	case PAGE_WALK:
		return HOLE;
	case PAGE_WALK_GPF:
		return NOBODY;
	case PAGE_WALK_S2_HOLE:
		return S2_HOLE;
	default:
		return (uintptr_t)t;
	}
}

static void tlbi(void)
{
	asm volatile("dsb sy; tlbi alle1; tlbi alle2; dsb sy; isb" : : : "memory");
}

void mmu_page(unsigned int bad, unsigned int stage, enum page_kind kind)
{
	bool two = MRS(hcr_el2) & V9_HCR_EL2_VM;
	unsigned int i;

	for (i = 0; i < BUF_PAGES; i++) {
		uint64_t pa = (uint64_t)(uintptr_t)buffer + i * PAGE;
		uint64_t out = two ? BUF_IPA + i * PAGE : pa;

		s1_l3[i] = entry(out, AF | SH_IN, RO, i == bad && stage == 1 ? kind : PAGE_OK);
		s2_l3[i] = entry(pa, AF | SH_IN | S2_MEM | S2_RW, BIT(7),
				 i == bad && stage == 2 ? kind : PAGE_OK);
	}
	s1_l2[0] = table(s1_l3, stage == 1 ? kind : PAGE_OK) | TABLE;
	s2_l2[0] = table(s2_l3, stage == 2 ? kind : PAGE_OK) | TABLE;
	tlbi();
}

void mmu_space(bool other_asid, bool other_vmid)
{
	static uint64_t s1b[3][512] __attribute__((aligned(4096)));
	static uint64_t s2b[3][512] __attribute__((aligned(4096)));
	bool two = MRS(hcr_el2) & V9_HCR_EL2_VM;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		s1b[0][i] = s1_l1[i];
		s2b[0][i] = s2_l1[i];
	}
	s1b[0][2] = (uintptr_t)s1b[1] | TABLE;
	s1b[1][0] = (uintptr_t)s1b[2] | TABLE;
	s1b[2][0] = entry(two ? BUF_IPA : (uintptr_t)buffer + 2 * PAGE, AF | SH_IN | BIT(11), RO,
			  PAGE_OK);
	s2b[0][3] = (uintptr_t)s2b[1] | TABLE;
	s2b[1][0] = (uintptr_t)s2b[2] | TABLE;
	s2b[2][0] = entry((uintptr_t)buffer + 3 * PAGE, AF | SH_IN | S2_MEM | S2_RW, 0, PAGE_OK);
	MSR(ttbr0_el1, other_asid ? (uintptr_t)s1b[0] | 2ull << 48 : (uintptr_t)s1_l1 | 1ull << 48);
	MSR(vttbr_el2, other_vmid ? (uintptr_t)s2b[0] | 2ull << 48 : (uintptr_t)s2_l1 | 1ull << 48);
	isb();
}

void mmu_manage(bool on)
{
	uint64_t ha = BIT(39);

	MSR(tcr_el1, on ? MRS(tcr_el1) | ha : MRS(tcr_el1) & ~ha);
	tlbi();
}

bool mmu_accessed(void)
{
	return s1_l3[0] & AF;
}

void mmu_unmap_everywhere(void)
{
	s1_l3[0] = 0;
	asm volatile("dsb ishst; tlbi alle1is; dsb ish; isb" : : : "memory");
}

bool has_rme(void)
{
	return MRS(id_aa64pfr0_el1) >> 52 & 15;
}

/* One gigabyte per entry of level 0: devices and RAM belong to all physical address spaces. */
void gpt_on(void)
{
	static uint64_t gpt[512] __attribute__((aligned(4096)));

	gpt[0] = gpt[1] = 15 << 4 | 1;
	gpt[NOBODY >> 30] = 0 << 4 | 1;
	gpt[NO_GPT >> 30] = 0;
	MSR(s3_6_c2_c1_4, (uintptr_t)gpt >> 12);			/* GPTBR_EL3 */
	isb();
	/* GPCCR_EL3: GPC, 4 GB, 4 KB */
	MSR(s3_6_c2_c1_6, BIT(16) | 1 << 8 | 1 << 10 | 3 << 12);
	isb();
	/* TLBI PAALL */
	asm volatile("dsb sy; sys #6, c8, c7, #4; dsb sy; isb" : : : "memory");
}

void mmu_init(void)
{
	s1_l1[0] = DEVICE | AF | VALID;
	s1_l1[1] = 0x40000000 | AF | SH_IN | VALID;
	s1_l1[2] = (uintptr_t)s1_l2 | TABLE;
	s2_l1[0] = DEVICE | AF | S2_RW | VALID;
	s2_l1[1] = 0x40000000 | AF | SH_IN | S2_MEM | S2_RW | VALID;
	s2_l1[3] = (uintptr_t)s2_l2 | TABLE;
	MSR(mair_el1, 0x00ff);
	MSR(mair_el2, 0x00ff);
	MSR(tcr_el1, TCR);
	MSR(ttbr0_el1, (uintptr_t)s1_l1);
	MSR(ttbr0_el2, (uintptr_t)s1_l1);
	/* stage 2: 32 bits of IPA, starting at level 1 */
	MSR(vtcr_el2, 32 | 1 << 6 | 1 << 8 | 1 << 10 | 3 << 12 | BIT(31));
	MSR(vttbr_el2, (uintptr_t)s2_l1);
	mmu_page(~0u, 1, PAGE_OK);
}

/* MAIR index 2: Tagged Normal. The gigabyte of RAM is at 4 GB again. */
void mmu_tagged(void)
{
	s1_l1[4] = 0x40000000 | UINT64_C(2) << 2 | AF | SH_IN | VALID;
	MSR(mair_el1, 0xf000ff);
	tlbi();
}

void mmu_on(bool on)
{
	/* With E2H=1 the register has the layout of that of EL1; else some bits are RES1. */
	if (MRS(hcr_el2) & V9_HCR_EL2_E2H)
		MSR(tcr_el2, TCR);
	else
		MSR(tcr_el2, (TCR & 0xffff) | BIT(31) | BIT(23));
	MSR(sctlr_el1, 0x30d00800 | (on ? 0x5 : 0));
	MSR(sctlr_el2, 0x30c50830 | (on ? 0x5 : 0));
	tlbi();
}
