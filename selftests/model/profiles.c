// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Known values of real cores. A row needs a source that can be looked up.
 * Documentation/trace/profiles.rst has the same table, and lists the values that are not known.
 */
#include "profiles.h"

/* The first two repeat the values in the core's Technical Reference Manual. */
#define QEMU_N2	"QEMU 10.0, target/arm/tcg/cpu64.c, aarch64_neoverse_n2_initfn()"
#define QEMU_A710 "QEMU 10.0, target/arm/tcg/cpu64.c, aarch64_a710_initfn()"
#define LLVM	"LLVM, llvm/lib/Target/AArch64/AArch64Processors.td, ProcessorFeatures"
#define ARM_SPE	"DDI0487 M.a.a, D24.2.80, PMSVer, with the version of the architecture in " LLVM
#define ARM_TRBE "DDI0487 M.a.a, D24.2.80, TraceBuffer: Armv9 with FEAT_ETE, which is in " LLVM
#define PERF	"Linux, tools/perf/util/arm-spe.c, common_ds_encoding_cpus[]"
#define LITMUS	"rems-project/system-litmus-harness, hw-results/hw-refs/ec2-m8g.metal/id.txt"
#define GRAVITON4 LITMUS "; llvm/llvm-zorg, pull request 354: Graviton4 has no AArch32"
#define CPUINFO	"hrw/arm-socs-table, issue 134: /proc/cpuinfo of a CIX P1"
#define TF_A_X4	"TF-A, include/lib/cpus/aarch64/cortex_x4.h, CORTEX_X4_MIDR"
#define TF_A(file) "TF-A, lib/cpus/aarch64/" file ".S: the latest revision of which it has an erratum"

#define IS(v, s)	{ .source = (s), .value = (v) }
#define AT_LEAST(v, s)	{ .source = (s), .value = (v), .least = true }

static const struct v9_profile profiles[] = {
	{ "neoverse-n2", {
		/* r0p3 */
		[V9_PROFILE_MIDR] = IS(0x410fd493, QEMU_N2),
		[V9_PROFILE_PMSVER] = IS(2, QEMU_N2),
		[V9_PROFILE_LDS] = IS(1, PERF),
		[V9_PROFILE_TRACEVER] = IS(1, QEMU_N2),
		[V9_PROFILE_TRACEBUFFER] = IS(1, QEMU_N2),
		[V9_PROFILE_EL0] = IS(2, QEMU_N2),
	} },
	{ "neoverse-v2", {
		/* r0p1; the versions of the units in that dump are what a hypervisor shows to a guest */
		[V9_PROFILE_MIDR] = IS(0x410fd4f1, LITMUS),
		[V9_PROFILE_PMSVER] = AT_LEAST(2, ARM_SPE),
		[V9_PROFILE_LDS] = IS(1, PERF),
		[V9_PROFILE_TRACEVER] = IS(1, LLVM),
		[V9_PROFILE_TRACEBUFFER] = AT_LEAST(1, ARM_TRBE),
		[V9_PROFILE_EL0] = IS(1, GRAVITON4),
	} },
	{ "neoverse-v3", {
		/* r0p2 */
		[V9_PROFILE_MIDR] = IS(0x410fd842, TF_A("neoverse_v3")),
		[V9_PROFILE_PMSVER] = AT_LEAST(3, ARM_SPE),
		[V9_PROFILE_TRACEVER] = IS(1, LLVM),
		[V9_PROFILE_TRACEBUFFER] = AT_LEAST(1, ARM_TRBE),
	} },
	{ "cortex-a710", {
		/* r2p1 */
		[V9_PROFILE_MIDR] = IS(0x412fd471, QEMU_A710),
		[V9_PROFILE_PMSVER] = IS(0, QEMU_A710),
		[V9_PROFILE_TRACEVER] = IS(1, QEMU_A710),
		[V9_PROFILE_TRACEBUFFER] = IS(1, QEMU_A710),
		[V9_PROFILE_EL0] = IS(2, QEMU_A710),
	} },
	{ "cortex-x2", {
		/* r2p1; LLVM does not list FEAT_SPE, but it does not for Neoverse N2 either */
		[V9_PROFILE_MIDR] = IS(0x412fd481, TF_A("cortex_x2")),
		[V9_PROFILE_TRACEVER] = IS(1, LLVM),
		[V9_PROFILE_TRACEBUFFER] = AT_LEAST(1, ARM_TRBE),
	} },
	{ "cortex-a720", {
		/* r0p1 */
		[V9_PROFILE_MIDR] = IS(0x410fd811, CPUINFO),
		[V9_PROFILE_PMSVER] = AT_LEAST(3, ARM_SPE),
		[V9_PROFILE_LDS] = IS(1, PERF),
		[V9_PROFILE_TRACEVER] = IS(1, LLVM),
		[V9_PROFILE_TRACEBUFFER] = AT_LEAST(1, LLVM),
	} },
	{ "cortex-x4", {
		/* r0p1 */
		[V9_PROFILE_MIDR] = IS(0x410fd821, TF_A_X4),
		[V9_PROFILE_PMSVER] = AT_LEAST(3, ARM_SPE),
		[V9_PROFILE_TRACEVER] = IS(1, LLVM),
		[V9_PROFILE_TRACEBUFFER] = AT_LEAST(1, LLVM),
	} },
};

const struct v9_profile *v9_profile_at(unsigned int i)
{
	return i < V9_ARRAY_SIZE(profiles) ? &profiles[i] : NULL;
}

/* The model uses no library functions except those for memory. */
static bool same(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

const struct v9_profile *v9_profile_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < V9_ARRAY_SIZE(profiles); i++)
		if (same(profiles[i].name, name))
			return &profiles[i];
	return NULL;
}

const struct v9_profile_fact *v9_profile_fact(const struct v9_profile *p,
					      enum v9_profile_field field)
{
	return p->fact[field].source ? &p->fact[field] : NULL;
}

void v9_profile_apply(const struct v9_profile *p, struct v9_config *c)
{
	const struct v9_profile_fact *f;

	f = v9_profile_fact(p, V9_PROFILE_PMSVER);
	if (f)
		c->spe_version = f->value;
	f = v9_profile_fact(p, V9_PROFILE_LDS);
	if (f)
		c->lds = f->value;
	f = v9_profile_fact(p, V9_PROFILE_TRACEVER);
	if (f)
		c->ete = f->value;
	f = v9_profile_fact(p, V9_PROFILE_TRACEBUFFER);
	if (f)
		c->trbe_exc = f->value > 1;
}
