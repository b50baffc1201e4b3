// SPDX-License-Identifier: GPL-2.0-only
/*
 * v9_fault: causes buffer management events in a buffer that is in use.
 *
 *	echo "VERB CPU UNIT [N]" >/sys/module/v9_fault/parameters/do
 *
 * UNIT is spe or ete. The verbs:
 *	inject		write N to the register of the reference platform that causes events
 *	two		the same with N + 1, then with N
 *	masked		inject with interrupts masked, on the CPU of the caller, which then
 *			sleeps
 *	page		change the stage 1 entry of the page behind the one being written;
 *			N: see enum kind. A later "restore" undoes it
 *	restore
 *	status		set bits N of the status register
 *	full		wait with interrupts masked until the buffer is full
 *	full_inject	the same, then inject N
 *	pend		make interrupt N pending without a cause
 *	stale		leave the registers as if the unit had not been disabled
 *	reports		do nothing; -EOPNOTSUPP: the unit does not report external aborts of its
 *			writes (PMBIDR_EL1.EA, TRBIDR_EL1.EA)
 *
 * -EAGAIN: the unit was not in a state where this is possible; try again.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "hw.h"
#include "v9trace/base.h"
#include "v9trace/gen/regs.h"

#define INJECT	sys_reg(3, 0, 15, 15, 7)

#define VALID	BIT_ULL(0)
#define TABLE	BIT_ULL(1)
#define RDONLY	BIT_ULL(7)
#define AF	BIT_ULL(10)
#define DBM	BIT_ULL(51)
#define ADDRESS	GENMASK_ULL(47, 12)
#define HOLE	(0x30ULL << 32)		/* address without memory or device */
#define TCR_HW_AF	BIT_ULL(39)

enum kind { TRANSLATION, PERMISSION, ACCESS_FLAG, NOWHERE };

struct job {
	void (*act)(struct job *job);
	bool spe;
	u64 n;
	int err;
};

/* The page whose entry was changed, and the CPU whose hardware must not update its Access flag */
static struct {
	u64 *entry, was;
	unsigned long va;
	int cpu;
	bool tcr;
} changed;

static u64 status(bool spe)
{
	if (spe)
		return hw_read(V9_SYS_PMBSR_EL1);
	return hw_read(V9_SYS_TRBSR_EL1);
}

static bool is_on(bool spe)
{
	if (spe)
		return (hw_read(V9_SYS_PMBLIMITR_EL1) & V9_PMBLIMITR_EL1_E) &&
		       !(status(spe) & V9_PMBSR_EL1_S);
	return (hw_read(V9_SYS_TRBLIMITR_EL1) & V9_TRBLIMITR_EL1_E) &&
	       !(status(spe) & V9_TRBSR_EL1_S);
}

/* Synchronize: the buffer pointer and status include all that the unit has done so far. */
static void drain(bool spe)
{
	hw_isb();
	if (spe)
		hw_psb();
	else
		hw_tsb();
	hw_dsb();
	hw_isb();
}

static void inject(struct job *job)
{
	drain(job->spe);
	job->err = is_on(job->spe) ? 0 : -EAGAIN;
	if (!job->err)
		hw_write(INJECT, job->n);
}

static void two(struct job *job)
{
	drain(job->spe);
	job->err = is_on(job->spe) ? 0 : -EAGAIN;
	if (job->err)
		return;
	hw_write(INJECT, job->n + 1);
	hw_write(INJECT, job->n);
}

static void set_status(struct job *job)
{
	drain(job->spe);
	if (job->spe)
		hw_write(V9_SYS_PMBSR_EL1, hw_read(V9_SYS_PMBSR_EL1) | job->n);
	else
		hw_write(V9_SYS_TRBSR_EL1, hw_read(V9_SYS_TRBSR_EL1) | job->n);
	hw_isb();
}

/* The session must record the kernel, else the buffer does not fill (-ETIME). */
static void fill(struct job *job)
{
	u64 stop = job->spe ? V9_PMBSR_EL1_S : V9_TRBSR_EL1_S;
	unsigned int i;

	job->err = is_on(job->spe) ? -ETIME : -EAGAIN;
	for (i = 0; job->err == -ETIME && i < 20000000; i++) {
		if (i % 1024)
			continue;
		drain(job->spe);
		if (status(job->spe) & stop)
			job->err = 0;
	}
}

static void fill_inject(struct job *job)
{
	fill(job);
	if (!job->err)
		hw_write(INJECT, job->n);
}

static void pend(struct job *job)
{
	job->err = irq_set_irqchip_state(job->n, IRQCHIP_STATE_PENDING, true);
}

/* The last-level entry of @va, for any granule and depth; NULL: a block, or not mapped. */
static u64 *entry_of(unsigned long va)
{
	unsigned int bits = PAGE_SHIFT - 3;
	unsigned int va_bits = 64 - (read_sysreg(tcr_el1) >> 16 & 0x3f);
	unsigned int level = DIV_ROUND_UP(va_bits - PAGE_SHIFT, bits);
	u64 at = read_sysreg(ttbr1_el1) & GENMASK_ULL(47, 6);
	u64 *e;

	va &= GENMASK_ULL(va_bits - 1, 0);
	while (level--) {
		unsigned int shift = PAGE_SHIFT + level * bits;

		e = (u64 *)__va(at) + (va >> shift & (BIT(bits) - 1));
		if (!(*e & VALID) || !(*e & TABLE))
			return NULL;
		at = *e & ADDRESS & ~(u64)(PAGE_SIZE - 1);
	}
	return e;
}

static void change_entry(u64 *e, unsigned long va, u64 v)
{
	WRITE_ONCE(*e, v);
	dsb(ishst);
	/* The kernel's own macros for it change. All ASIDs, last level, Inner Shareable. */
	asm volatile("tlbi vaale1is, %0" : : "r" (va >> 12 & GENMASK_ULL(43, 0)) : "memory");
	dsb(ish);
	isb();
}

static void change_page(struct job *job)
{
	u64 ptr, limit, v;

	drain(job->spe);
	job->err = -EAGAIN;
	if (!is_on(job->spe) || changed.entry)
		return;
	ptr = job->spe ? hw_read(V9_SYS_PMBPTR_EL1) : hw_read(V9_SYS_TRBPTR_EL1);
	limit = (job->spe ? hw_read(V9_SYS_PMBLIMITR_EL1) : hw_read(V9_SYS_TRBLIMITR_EL1)) &
		V9_TRBLIMITR_EL1_LIMIT;
	changed.va = (ptr & PAGE_MASK) + PAGE_SIZE;
	if (changed.va + PAGE_SIZE > limit)
		return;
	changed.entry = entry_of(changed.va);
	if (!changed.entry) {
		job->err = -EFAULT;
		return;
	}
	changed.was = *changed.entry;
	changed.cpu = smp_processor_id();
	v = changed.was;
	switch (job->n) {
	case TRANSLATION:
		v &= ~VALID;
		break;
	case PERMISSION:
		v = (v | RDONLY) & ~DBM;
		break;
	case ACCESS_FLAG:
		/* If the hardware sets the Access flag there is no fault: disable that. */
		changed.tcr = read_sysreg(tcr_el1) & TCR_HW_AF;
		if (changed.tcr)
			sysreg_clear_set(tcr_el1, TCR_HW_AF, 0);
		v &= ~AF;
		break;
	default:
		v = (v & ~ADDRESS) | HOLE;
	}
	change_entry(changed.entry, changed.va, v);
	job->err = 0;
}

static void restore(struct job *job)
{
	if (!changed.entry)
		return;
	change_entry(changed.entry, changed.va, changed.was);
	if (changed.tcr)
		sysreg_clear_set(tcr_el1, 0, TCR_HW_AF);
	isb();
	changed.entry = NULL;
	changed.tcr = false;
}

/* No session is active. The interrupt is asserted, and enables and pointers have stale values. */
static void stale(struct job *job)
{
	if (job->spe) {
		hw_write(V9_SYS_PMSCR_EL1, 0);
		hw_isb();
		hw_write(V9_SYS_PMSIRR_EL1, 0x100);
		hw_write(V9_SYS_PMSICR_EL1, 0x7777);
		hw_write(V9_SYS_PMBPTR_EL1, 0xffff000012345678);
		hw_write(V9_SYS_PMBLIMITR_EL1, 0xffff000012345000 | V9_PMBLIMITR_EL1_E);
		hw_write(V9_SYS_PMBSR_EL1, V9_PMBSR_EL1_S | V9_PMBSR_EL1_EA | V9_PMBSR_EL1_DL |
			 V9_PUT(V9_PMBSR_EL1_EC, V9_PMBSR_EL1_EC_STAGE_1_ABORT));
		hw_isb();
		hw_write(V9_SYS_PMSCR_EL1, V9_PMSCR_EL1_E0SPE | V9_PMSCR_EL1_E1SPE);
		hw_isb();
		return;
	}
	hw_write(V9_SYS_TRFCR_EL1, 0);
	hw_write(V9_SYS_TRBLIMITR_EL1, 0);
	hw_isb();
	hw_write(V9_SYS_TRBBASER_EL1, 0xffff000012340000);
	hw_write(V9_SYS_TRBPTR_EL1, 0xffff000012341000);
	hw_write(V9_SYS_TRBTRG_EL1, 64);
	hw_write(V9_SYS_TRBSR_EL1, V9_TRBSR_EL1_IRQ | V9_TRBSR_EL1_S | V9_TRBSR_EL1_EA |
		 V9_TRBSR_EL1_TRG | V9_TRBSR_EL1_WRAP |
		 V9_PUT(V9_TRBSR_EL1_EC, V9_TRBSR_EL1_EC_STAGE_1_ABORT));
	hw_isb();
	hw_write(V9_SYS_TRBLIMITR_EL1, 0xffff000012345000 | V9_TRBLIMITR_EL1_E);
	hw_isb();
	hw_write(V9_SYS_TRFCR_EL1, V9_TRFCR_EL1_E0TRE | V9_TRFCR_EL1_E1TRE);
	hw_isb();
}

static void reports(struct job *job)
{
	u64 ea = job->spe ? V9_GET(V9_PMBIDR_EL1_EA, hw_read(V9_SYS_PMBIDR_EL1)) :
			    V9_GET(V9_TRBIDR_EL1_EA, hw_read(V9_SYS_TRBIDR_EL1));

	job->err = ea ? -EOPNOTSUPP : 0;
}

static const struct {
	const char *name;
	void (*act)(struct job *job);
} verbs[] = {
	{ "inject", inject },
	{ "two", two },
	{ "page", change_page },
	{ "restore", restore },
	{ "status", set_status },
	{ "full", fill },
	{ "full_inject", fill_inject },
	{ "pend", pend },
	{ "stale", stale },
	{ "reports", reports },
};

static void run(void *data)
{
	struct job *job = data;

	job->act(job);
}

/*
 * Interrupts stay masked until another task runs on this CPU, so the event is removed from the
 * CPU first.
 */
static int masked(struct job *job)
{
	local_irq_disable();
	inject(job);
	if (!job->err) {
		set_current_state(TASK_UNINTERRUPTIBLE);
		schedule_timeout(2);
	}
	local_irq_enable();
	return job->err;
}

static int do_set(const char *text, const struct kernel_param *kp)
{
	char verb[16], unit[8];
	struct job job = { };
	unsigned int cpu, i;
	int n, err;

	n = sscanf(text, "%15s %u %7s %llu", verb, &cpu, unit, &job.n);
	if (n < 3 || cpu >= nr_cpu_ids)
		return -EINVAL;
	job.spe = !strcmp(unit, "spe");
	if (!strcmp(verb, "masked"))
		return masked(&job);
	for (i = 0; i < ARRAY_SIZE(verbs); i++) {
		if (strcmp(verb, verbs[i].name))
			continue;
		job.act = verbs[i].act;
		if (job.act == restore && changed.entry)
			cpu = changed.cpu;
		err = smp_call_function_single(cpu, run, &job, true);
		return err ?: job.err;
	}
	return -EINVAL;
}

static const struct kernel_param_ops do_ops = {
	.set = do_set,
};
module_param_cb(do, &do_ops, NULL, 0200);
MODULE_PARM_DESC(do, "write \"VERB CPU UNIT [N]\"; see the source");

static void __exit v9_fault_exit(void)
{
	struct job job = { .act = restore };

	if (changed.entry)
		smp_call_function_single(changed.cpu, run, &job, true);
}

static int __init v9_fault_init(void)
{
	return 0;
}
module_init(v9_fault_init);
module_exit(v9_fault_exit);

MODULE_DESCRIPTION("v9trace selftests: faults of a buffer");
MODULE_AUTHOR("The v9trace authors");
MODULE_LICENSE("GPL");
