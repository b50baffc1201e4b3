// SPDX-License-Identifier: GPL-2.0-only
/*
 * v9_sleep: a CPU goes to deep sleep and wakes up, as far as its trace and
 * profiling units can tell. The kernel's own notifiers are told, the registers
 * of the units are filled with what nobody wrote, and the kernel is told again.
 *
 *	echo "CPU TIMES GAP" >/sys/module/v9_sleep/parameters/nap
 *
 * GAP: microseconds between one wake-up and the next nap. The write returns
 * when all is over. Parameter "naps" counts, "deep=0" leaves the registers alone.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu_pm.h>
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include <asm/irq_regs.h>

#include "hw.h"
#include "v9trace/base.h"
#include "v9trace/gen/regs.h"

static bool deep = true;
module_param(deep, bool, 0644);
MODULE_PARM_DESC(deep, "registers are lost (default) or kept");

static unsigned int naps;
module_param(naps, uint, 0444);
MODULE_PARM_DESC(naps, "naps taken");

/* UNKNOWN must not mean the same each time: all ones, all zeros, and neither. */
static u64 unknown(void)
{
	static u64 seed = 1;

	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	switch (seed >> 61) {
	case 0:
		return 0;
	case 1:
		return ~0ULL;
	default:
		return seed ^ seed >> 29;
	}
}

/* Only the enable of the buffer has a reset value (SPE-RA1). */
static void forget_spe(void)
{
	u64 id;

	if (!(hw_read(V9_SYS_ID_AA64DFR0_EL1) & V9_ID_AA64DFR0_EL1_PMSVer) ||
	    (hw_read(V9_SYS_PMBIDR_EL1) & V9_PMBIDR_EL1_P))
		return;
	id = hw_read(V9_SYS_PMSIDR_EL1);

	hw_write(V9_SYS_PMSCR_EL1, 0);
	hw_isb();
	hw_psb();
	hw_dsb();
	hw_write(V9_SYS_PMBLIMITR_EL1, unknown() & ~V9_PMBLIMITR_EL1_E);
	hw_isb();
	hw_write(V9_SYS_PMBPTR_EL1, unknown());
	hw_write(V9_SYS_PMBSR_EL1, unknown());
	hw_write(V9_SYS_PMSFCR_EL1, unknown());
	hw_write(V9_SYS_PMSEVFR_EL1, unknown());
	if (id & V9_PMSIDR_EL1_FnE)
		hw_write(V9_SYS_PMSNEVFR_EL1, unknown());
	if (id & V9_PMSIDR_EL1_FDS)
		hw_write(V9_SYS_PMSDSFR_EL1, unknown());
	hw_write(V9_SYS_PMSLATFR_EL1, unknown());
	hw_write(V9_SYS_PMSIRR_EL1, unknown());
	hw_write(V9_SYS_PMSICR_EL1, unknown());
	hw_isb();
	hw_write(V9_SYS_PMSCR_EL1, unknown());
	hw_isb();
}

/* Likewise; of the trace unit itself the enable and what must be off with it. */
static void forget_ete(void)
{
	u64 id = hw_read(V9_SYS_ID_AA64DFR0_EL1);

	if (!(id & V9_ID_AA64DFR0_EL1_TraceVer) || !(id & V9_ID_AA64DFR0_EL1_TraceBuffer) ||
	    (hw_read(V9_SYS_TRBIDR_EL1) & V9_TRBIDR_EL1_P))
		return;

	hw_write(V9_SYS_TRFCR_EL1, 0);
	hw_isb();
	hw_tsb();
	hw_dsb();
	hw_write(V9_SYS_TRCPRGCTLR, 0);
	hw_isb();
	while (!(hw_read(V9_SYS_TRCSTATR) & V9_TRCSTATR_IDLE))
		cpu_relax();
	hw_write(V9_SYS_TRBLIMITR_EL1, unknown() & ~V9_TRBLIMITR_EL1_E);
	hw_isb();
	hw_write(V9_SYS_TRBPTR_EL1, unknown());
	hw_write(V9_SYS_TRBBASER_EL1, unknown());
	hw_write(V9_SYS_TRBTRG_EL1, unknown());
	hw_write(V9_SYS_TRBSR_EL1, unknown());
	hw_write(V9_SYS_TRCCONFIGR, unknown());
	hw_write(V9_SYS_TRCTRACEIDR, unknown());
	hw_write(V9_SYS_TRCVICTLR, unknown());
	hw_write(V9_SYS_TRCSYNCPR, unknown());
	if (V9_GET(V9_TRCIDR0_TSSIZE, hw_read(V9_SYS_TRCIDR0)))
		hw_write(V9_SYS_TRCTSCTLR, unknown());
	id = hw_read(V9_SYS_TRCIDR4);
	if (V9_GET(V9_TRCIDR4_NUMRSPAIR, id)) {
		hw_write(V9_SYS_TRCEVENTCTL0R, unknown());
		hw_write(V9_SYS_TRCEVENTCTL1R, unknown());
	}
	if (V9_GET(V9_TRCIDR4_NUMACPAIRS, id)) {
		hw_write(V9_SYS_TRCVIIECTLR, unknown());
		hw_write(V9_SYS_TRCVISSCTLR, unknown());
	}
	hw_isb();
}

static void nap(void *data)
{
	const struct pt_regs *regs = get_irq_regs();	/* NULL: this is the CPU that asks */
	int *err = data;

	/*
	 * The kernel itself sleeps only when it is idle. A user's task is as good a
	 * place; in the midst of the kernel, of loading FP registers say, it is none.
	 */
	*err = -EAGAIN;
	if (regs && !user_mode(regs) && !is_idle_task(current))
		return;
	*err = cpu_pm_enter();
	if (*err)
		return;
	if (deep) {
		forget_spe();
		forget_ete();
	}
	*err = cpu_pm_exit();
	naps++;
}

static int nap_set(const char *text, const struct kernel_param *kp)
{
	unsigned int cpu, times, gap, tries = 0;
	int err = 0;

	if (sscanf(text, "%u %u %u", &cpu, &times, &gap) != 3 || cpu >= nr_cpu_ids)
		return -EINVAL;
	while (times && !err) {
		int said = 0;

		err = smp_call_function_single(cpu, nap, &said, true) ?: said;
		if (err == -EAGAIN && ++tries < 10000)
			err = 0;
		else
			times--;
		if (gap)
			usleep_range(gap, gap + gap / 4);
		if (signal_pending(current))
			err = -EINTR;
	}
	return err;
}

static const struct kernel_param_ops nap_ops = {
	.set = nap_set,
};
module_param_cb(nap, &nap_ops, NULL, 0200);
MODULE_PARM_DESC(nap, "write \"CPU TIMES GAP\": this CPU sleeps so often, GAP us awake in between");

MODULE_DESCRIPTION("v9trace selftests: deep sleep");
MODULE_AUTHOR("The v9trace authors");
MODULE_LICENSE("GPL");
