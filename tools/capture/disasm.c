// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "disasm.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <v9trace/base.h>

#define NO_TARGET	UINT64_MAX
#define HEX_IMMEDIATES	2	/* LLVMDisassembler_Option_PrintImmHex */

/* ---- operands that are offsets from the PC */

/* A class of instructions: those with (word & mask) == value. DDI0487, C4.1. */
static const struct {
	uint32_t mask, value;
	enum { IMM26, IMM19, IMM14, IMM9, BACK16, ADR, ADRP } how;
} relative[] = {
	{ 0x7c000000, 0x14000000, IMM26 },	/* B, BL */
	{ 0xff000000, 0x54000000, IMM19 },	/* B.cond, BC.cond */
	{ 0x7e000000, 0x34000000, IMM19 },	/* CBZ, CBNZ */
	{ 0x7e000000, 0x36000000, IMM14 },	/* TBZ, TBNZ */
	{ 0x7e000000, 0x74000000, IMM9 },	/* CB<cc>, CBB<cc>, CBH<cc> */
	{ 0x3b000000, 0x18000000, IMM19 },	/* LDR, LDRSW, PRFM (literal) */
	{ 0xffc0001f, 0x5500001f, BACK16 },	/* RETAASPPC, RETABSPPC */
	{ 0xffc0001f, 0xf380001f, BACK16 },	/* AUTIASPPC, AUTIBSPPC */
	{ 0x9f000000, 0x10000000, ADR },
	{ 0x9f000000, 0x90000000, ADRP },
};

/* Returns the field of @word, @bits wide from bit @low, as a signed number. */
static int64_t field(uint32_t word, unsigned int low, unsigned int bits)
{
	return (int64_t)((uint64_t)word << (64 - low - bits)) >> (64 - bits);
}

uint64_t v9_disasm_target(uint64_t addr, uint32_t word)
{
	for (size_t i = 0; i < V9_ARRAY_SIZE(relative); i++) {
		if ((word & relative[i].mask) != relative[i].value)
			continue;
		switch (relative[i].how) {
		case IMM26:
			return addr + (uint64_t)field(word, 0, 26) * 4;
		case IMM19:
			return addr + (uint64_t)field(word, 5, 19) * 4;
		case IMM14:
			return addr + (uint64_t)field(word, 5, 14) * 4;
		case IMM9:
			return addr + (uint64_t)field(word, 5, 9) * 4;
		case BACK16:
			return addr - (word >> 5 & 0xffff) * UINT64_C(4);
		case ADR:
			return addr + (uint64_t)field(word, 5, 19) * 4 + (word >> 29 & 3);
		case ADRP:
			return (addr & ~UINT64_C(0xfff)) +
			       (((uint64_t)field(word, 5, 19) * 4 + (word >> 29 & 3)) << 12);
		}
	}
	return NO_TARGET;
}

/* ---- LLVM */

#ifndef V9_STATIC

/* "all" is known from LLVM 16 on. */
#define ALL	"+all"
#define MOST	"+v9.3a,+crypto,+sve2,+sve2-bitperm,+sve2-aes,+sve2-sha3,+sve2-sm4,+mte,+fp16fml," \
		"+bf16,+i8mm,+f32mm,+f64mm,+sme,+sme-f64,+sme-i64,+ls64,+brbe,+ete,+tme,+rand,+spe," \
		"+mops,+hbc"

static void *load(struct v9_disasm *d, const char **features)
{
	void *lib = NULL;

	for (unsigned int v = 40; v >= 14 && !lib; v--) {
		*features = v >= 16 ? ALL : MOST;
		snprintf(d->version, sizeof(d->version), "libLLVM.so.%u.1", v);
		lib = v >= 18 ? dlopen(d->version, RTLD_NOW | RTLD_LOCAL) : NULL;
		if (lib)
			break;
		snprintf(d->version, sizeof(d->version), "libLLVM-%u.so.1", v);
		lib = dlopen(d->version, RTLD_NOW | RTLD_LOCAL);
		if (lib)
			break;
		snprintf(d->version, sizeof(d->version), "libLLVM-%u.so", v);
		lib = dlopen(d->version, RTLD_NOW | RTLD_LOCAL);
	}
	if (!lib)
		d->why = "no LLVM 14 or later is installed (Debian: libllvm19, Fedora: llvm-libs)";
	return lib;
}

static void open_llvm(struct v9_disasm *d)
{
	static const char *const names[] = {
		"LLVMInitializeAArch64TargetInfo", "LLVMInitializeAArch64TargetMC",
		"LLVMInitializeAArch64Disassembler" };
	void *(*create)(const char *triple, const char *cpu, const char *features, void *arg,
			int tag, void *info, void *lookup);
	int (*options)(void *context, uint64_t options);
	const char *features;
	void *lib = load(d, &features);

	if (!lib)
		return;
	d->why = "the LLVM of this machine knows no AArch64";
	for (size_t i = 0; i < V9_ARRAY_SIZE(names); i++) {
		void (*initialize)(void) = (void (*)(void))dlsym(lib, names[i]);

		if (!initialize)
			return;
		initialize();
	}
	*(void **)&create = dlsym(lib, "LLVMCreateDisasmCPUFeatures");
	*(void **)&options = dlsym(lib, "LLVMSetDisasmOptions");
	*(void **)&d->insn = dlsym(lib, "LLVMDisasmInstruction");
	*(void **)&d->dispose = dlsym(lib, "LLVMDisasmDispose");
	if (!create || !options || !d->insn || !d->dispose)
		return;
	d->context = create("aarch64-linux-gnu", "", features, NULL, 0, NULL, NULL);
	if (!d->context)
		return;
	options(d->context, HEX_IMMEDIATES);
	d->why = NULL;
}

#else

static void open_llvm(struct v9_disasm *d)
{
	d->why = "a statically linked v9trace cannot load LLVM: build one for this machine "
		 "(make -C tools)";
}

#endif

void v9_disasm_free(struct v9_disasm *d)
{
	if (d->context)
		d->dispose(d->context);
	memset(d, 0, sizeof(*d));
}

/* LLVM prints "\tb.eq\t#0x8": the last operand is replaced by the address that it refers to. */
static void put_target(char *out, size_t room, uint64_t target)
{
	char *at = strrchr(out, '#');

	if (at)
		snprintf(at, room - (size_t)(at - out), "0x%" PRIx64, target);
}

bool v9_disasm_text(struct v9_disasm *d, uint64_t addr, uint32_t word, char *out, size_t room,
		    uint64_t *target)
{
	uint8_t bytes[4] = { (uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
			     (uint8_t)(word >> 24) };

	*target = NO_TARGET;
	if (!d->tried)
		open_llvm(d);
	d->tried = true;
	if (!d->context) {
		snprintf(out, room, "%08" PRIx32, word);
		return false;
	}
	if (!d->insn(d->context, bytes, sizeof(bytes), addr, out, room)) {
		snprintf(out, room, ".inst\t0x%08" PRIx32, word);
		return true;
	}
	if (out[0] == '\t')
		memmove(out, out + 1, strlen(out));
	*target = v9_disasm_target(addr, word);
	if (*target != NO_TARGET)
		put_target(out, room, *target);
	return true;
}
