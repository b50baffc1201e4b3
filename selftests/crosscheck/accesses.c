// SPDX-License-Identifier: GPL-2.0-only
/*
 * Data accesses that a compiler makes rarely, for a profile of a program: to Allocation Tags, by Memory Copy and Memory
 * Set, and of SVE.
 *
 *   accesses FILE [TIMES]
 *
 * For each of these instructions FILE gets a line: its name and address, and the first and last address that it
 * accesses, 0 if any.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#define SIZE	8192
#define PROT_TAGGED	0x20	/* PROT_MTE */
#define HWCAP2_TAGS	(UINT64_C(1) << 18)
#define HWCAP2_COPIES	(UINT64_C(1) << 43)
#define HWCAP_VECTORS	(UINT64_C(1) << 22)
/* PR_TAGGED_ADDR_ENABLE, faults are synchronous, IRG may choose any tag but 0 */
#define TAGGED_ADDRESSES	(1 | 2 | 0xfffe << 3)
#define TAG(n)	((uint64_t)(n) << 56)

/* Each instruction that counts has a label; what is around it prepares it. */
void accesses(uint64_t at, uint64_t from, long times);
asm("	.arch armv8.5-a+memtag+sve2\n"
    "	.text\n"
    "	.balign	4096\n"
    "	.globl	accesses, at_ldg, at_st2g, at_stzg, at_stgp, at_ldr, at_setp\n"
    "	.globl	at_cpyfp, at_load, at_some, at_gather, at_scatter, at_ldrz, at_add\n"
    "accesses:\n"
    "	ptrue	p0.s\n"
    "	mov	x7, #3\n"
    "	whilelo	p1.s, xzr, x7\n"
    "	index	z1.s, #0, #8\n"
    "1:	stg	x0, [x0]\n"
    "at_ldg:	ldg	x9, [x0]\n"
    "at_st2g:	st2g	x0, [x0, #32]\n"
    "at_stzg:	stzg	x0, [x0, #64]\n"
    "at_stgp:	stgp	x7, x7, [x0, #96]\n"
    "at_ldr:	ldr	x9, [x0]\n"
    "	mov	x4, x0\n"
    "	mov	x5, #256\n"
    "at_setp:	.inst	0x19c704a4\n"	/* setp [x4]!, x5!, x7 */
    "	.inst	0x19c744a4\n"
    "	.inst	0x19c784a4\n"
    "	mov	x4, x0\n"
    "	mov	x6, x1\n"
    "	mov	x5, #256\n"
    "at_cpyfp:	.inst	0x190604a4\n"	/* cpyfp [x4]!, [x6]!, x5! */
    "	.inst	0x194604a4\n"
    "	.inst	0x198604a4\n"
    "at_load:	ld1w	{z0.s}, p0/z, [x0]\n"
    "at_some:	ld1w	{z0.s}, p1/z, [x0]\n"
    "at_gather:	ld1w	{z0.s}, p0/z, [x0, z1.s, uxtw]\n"
    "at_scatter:	st1w	{z0.s}, p1, [x0, z1.s, uxtw]\n"
    "at_ldrz:	ldr	z0, [x0]\n"
    "at_add:	add	z0.s, p1/m, z0.s, z1.s\n"
    "	subs	x2, x2, #1\n"
    "	b.ne	1b\n"
    "	ret\n");

extern char at_ldg[], at_st2g[], at_stzg[], at_stgp[], at_ldr[], at_setp[], at_cpyfp[], at_load[], at_some[],
	    at_gather[], at_scatter[], at_ldrz[], at_add[];

int main(int argc, char **argv)
{
	const long times = argc > 2 ? atol(argv[2]) : 40000;
	const uint64_t caps = getauxval(AT_HWCAP2);
	uint64_t at, from;
	FILE *f;
	void *p;

	if (!(caps & HWCAP2_TAGS) || !(caps & HWCAP2_COPIES) || !(getauxval(AT_HWCAP) & HWCAP_VECTORS)) {
		fprintf(stderr, "accesses: no MTE, MOPS or SVE: %llx\n", (unsigned long long)caps);
		return 1;
	}
	p = mmap(NULL, SIZE, PROT_READ | PROT_WRITE | PROT_TAGGED, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	f = argc > 1 ? fopen(argv[1], "w") : NULL;
	if (p == MAP_FAILED || !f || prctl(PR_SET_TAGGED_ADDR_CTRL, TAGGED_ADDRESSES, 0, 0, 0)) {
		perror("accesses");
		return 1;
	}
	at = (uintptr_t)p | TAG(5);
	from = (uintptr_t)p + SIZE / 2;
	for (unsigned int i = 0; i < SIZE / 2; i += 16)
		asm volatile(".arch armv8.5-a+memtag\n\tstg %0, [%0]" : : "r"(at + i) : "memory");

#define PUT(name, first, last)	fprintf(f, #name " %llx %llx %llx\n", (unsigned long long)(uintptr_t)at_##name, \
					(unsigned long long)(first), (unsigned long long)(last))
	PUT(ldg, at, at);
	PUT(st2g, at + 32, at + 32);
	PUT(stzg, at + 64, at + 64);
	PUT(stgp, at + 96, at + 96 + 8);
	PUT(ldr, at, at);
	PUT(setp, at, at);
	PUT(cpyfp, 0, 0);
	PUT(load, at, at + 255);
	PUT(some, at, at + 255);
	PUT(gather, at, at + 511);
	PUT(scatter, at, at + 16);
	PUT(ldrz, at, at + 255);
	PUT(add, 0, 0);
	fclose(f);
	accesses(at, from, times);
	return 0;
}
