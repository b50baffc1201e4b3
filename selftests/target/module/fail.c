// SPDX-License-Identifier: GPL-2.0-only
/*
 * v9_fail: fault injection, fails the N-th call of the drivers that can fail.
 *
 * Distribution kernels have no fault injection, but they have kprobes. Each kernel function in
 * the tables below has a probe at its entry. A call from one of our drivers, which are not
 * modified for this, is counted, and the N-th call returns the failure value of the function
 * immediately. The module also counts the memory that the drivers have allocated and not freed.
 * Registrations need no such count, because one that is left over makes the next one fail.
 *
 *	echo N >/sys/module/v9_fail/parameters/nth	the N-th call from now on fails
 *	echo 0 >/sys/module/v9_fail/parameters/nth	none fails, but calls are counted
 *	calls		calls since then
 *	failed		the function that failed, or "-"
 *	live		allocations in use
 *
 * It recognizes only drivers that are loaded after it. It does not recognize tail calls of the
 * drivers, which return to another caller.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include <asm/ptrace.h>

/* Functions that may fail. Names differ between kernels; a missing function is skipped. */
static const struct row {
	const char *name;
	long failure;
	bool memory;		/* freed by one of free_name[] */
} rows[] = {
	{ "__kmalloc", 0, true },
	{ "__kmalloc_noprof", 0, true },
	{ "kmalloc_trace", 0, true },
	{ "__kmalloc_cache_noprof", 0, true },
	{ "kvmalloc_node", 0, true },
	{ "__kvmalloc_node_noprof", 0, true },
	{ "vmap", 0, true },
	{ "__alloc_percpu", 0, true },
	{ "pcpu_alloc_noprof", 0, true },
	/* Freed with the device */
	{ "devm_kmalloc", 0, false },
	{ "devm_kasprintf", 0, false },
	{ "__devm_alloc_percpu", 0, false },
	{ "__devm_add_action", -ENOMEM, false },
	{ "devm_add_action", -ENOMEM, false },
	{ "ida_alloc_range", -ENOMEM, false },
	{ "platform_get_irq", -ENXIO, false },
	{ "platform_get_irq_affinity", -ENXIO, false },
	{ "irq_get_percpu_devid_partition", -EINVAL, false },
	{ "smp_call_function_any", -ENXIO, false },
	{ "__request_percpu_irq", -ENOMEM, false },
	{ "request_percpu_irq_affinity", -ENOMEM, false },
	{ "__cpuhp_setup_state", -ENOMEM, false },
	{ "__cpuhp_state_add_instance", -ENOMEM, false },
	{ "cpu_pm_register_notifier", -ENOMEM, false },
	{ "perf_pmu_register", -ENOMEM, false },
	{ "__platform_driver_register", -ENOMEM, false },
	{ "kobject_create_and_add", 0, false },
	{ "sysfs_create_group", -ENOMEM, false },
	{ "sysfs_create_file_ns", -ENOMEM, false },
	{ "sysfs_add_file_to_group", -ENOMEM, false },
	{ "perf_aux_output_begin", 0, false },
};

/* kvfree_call_rcu() gets a struct rcu_head, the first member of what we free with it. */
static const char * const free_name[] = {
	"kfree", "kvfree", "vunmap", "kvfree_call_rcu", "free_percpu",
};

static const char * const driver_name[] = { "v9_core", "v9_spe", "v9_ete" };

/* Loaded drivers, in the order of driver_name[] */
static struct module *driver[ARRAY_SIZE(driver_name)];

static struct kprobe entry[ARRAY_SIZE(rows)];
static struct kretprobe got[ARRAY_SIZE(rows)];
static struct kprobe given[ARRAY_SIZE(free_name)];

static atomic_t calls = ATOMIC_INIT(0);
static int nth;
static const char *failed = "-";

static DEFINE_RAW_SPINLOCK(lock);
static unsigned long in_use[256];
static unsigned int live;

static bool by_driver(unsigned long from)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(driver); i++) {
		struct module *m = READ_ONCE(driver[i]);

		if (m && within_module(from, m))
			return true;
	}
	return false;
}

/* Return from the probed function at its first instruction if it is to fail, else execute it. */
static int on_entry(struct kprobe *p, struct pt_regs *regs)
{
	const struct row *row = &rows[p - entry];

	if (!by_driver(procedure_link_pointer(regs)) ||
	    atomic_inc_return(&calls) != READ_ONCE(nth))
		return 0;
	failed = row->name;
	regs->regs[0] = row->failure;
	regs->pstate &= ~PSR_BTYPE_MASK;
	instruction_pointer_set(regs, procedure_link_pointer(regs));
	return 1;
}

/* Nonzero: do not probe the return. */
static int on_call(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return !by_driver(procedure_link_pointer(regs));
}

static int on_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	unsigned long flags;

	if (!regs_return_value(regs))
		return 0;
	raw_spin_lock_irqsave(&lock, flags);
	if (live < ARRAY_SIZE(in_use))
		in_use[live] = regs_return_value(regs);
	live++;
	raw_spin_unlock_irqrestore(&lock, flags);
	return 0;
}

/* Counts frees by any caller, because frees are often tail calls. */
static int on_free(struct kprobe *p, struct pt_regs *regs)
{
	unsigned long what = regs->regs[0], flags;
	unsigned int i;

	if (!READ_ONCE(live) || !what)
		return 0;
	raw_spin_lock_irqsave(&lock, flags);
	for (i = 0; i < min_t(unsigned int, live, ARRAY_SIZE(in_use)); i++) {
		if (in_use[i] != what)
			continue;
		live--;
		if (live < ARRAY_SIZE(in_use))
			in_use[i] = in_use[live];
		break;
	}
	raw_spin_unlock_irqrestore(&lock, flags);
	return 0;
}

static int follow(struct notifier_block *nb, unsigned long state, void *data)
{
	struct module *m = data;
	int i = match_string(driver_name, ARRAY_SIZE(driver_name), m->name);

	if (i < 0)
		return NOTIFY_OK;
	if (state == MODULE_STATE_COMING)
		WRITE_ONCE(driver[i], m);
	else if (state == MODULE_STATE_GOING)
		WRITE_ONCE(driver[i], NULL);
	return NOTIFY_OK;
}

static struct notifier_block follower = {
	.notifier_call = follow,
};

static int nth_set(const char *text, const struct kernel_param *kp)
{
	int n, err = kstrtoint(text, 0, &n);

	if (err)
		return err;
	WRITE_ONCE(nth, 0);
	atomic_set(&calls, 0);
	failed = "-";
	WRITE_ONCE(nth, n);
	return 0;
}

static int failed_get(char *page, const struct kernel_param *kp)
{
	return sysfs_emit(page, "%s\n", failed);
}

static const struct kernel_param_ops nth_ops = {
	.set = nth_set,
	.get = param_get_int,
};

static const struct kernel_param_ops failed_ops = {
	.get = failed_get,
};
module_param_cb(nth, &nth_ops, &nth, 0600);
MODULE_PARM_DESC(nth, "the n-th call of a driver from now on fails");
module_param_named(calls, calls.counter, int, 0444);
MODULE_PARM_DESC(calls, "calls since nth was written");
module_param_cb(failed, &failed_ops, NULL, 0444);
MODULE_PARM_DESC(failed, "what failed since nth was written");
module_param(live, uint, 0444);
MODULE_PARM_DESC(live, "pieces of memory that the drivers hold");

static void leave(void)
{
	unsigned int i;

	unregister_module_notifier(&follower);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (entry[i].addr)
			unregister_kprobe(&entry[i]);
		if (got[i].kp.addr)
			unregister_kretprobe(&got[i]);
	}
	for (i = 0; i < ARRAY_SIZE(given); i++)
		if (given[i].addr)
			unregister_kprobe(&given[i]);
}

/* A name that this kernel lacks is not an error; all other errors are. */
static int known(int err)
{
	return err == -ENOENT ? 0 : err;
}

static int __init v9_fail_init(void)
{
	unsigned int i, n = 0;
	int err;

	/* The kprobe registered last runs first. A function that fails has no result to record. */
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (rows[i].memory) {
			got[i].kp.symbol_name = rows[i].name;
			got[i].entry_handler = on_call;
			got[i].handler = on_return;
			got[i].maxactive = 64;
			err = register_kretprobe(&got[i]);
			if (err) {
				got[i].kp.addr = NULL;
				if (known(err))
					goto out;
				continue;
			}
		}
		entry[i].symbol_name = rows[i].name;
		entry[i].pre_handler = on_entry;
		err = register_kprobe(&entry[i]);
		if (err) {
			entry[i].addr = NULL;
			if (known(err))
				goto out;
			continue;
		}
		n++;
	}
	for (i = 0; i < ARRAY_SIZE(given); i++) {
		given[i].symbol_name = free_name[i];
		given[i].pre_handler = on_free;
		err = register_kprobe(&given[i]);
		if (err) {
			given[i].addr = NULL;
			goto out;
		}
	}
	err = register_module_notifier(&follower);
	if (err)
		goto out;
	pr_info("%u functions can fail\n", n);
	return 0;
out:
	leave();
	return err;
}
module_init(v9_fail_init);

static void __exit v9_fail_exit(void)
{
	leave();
}
module_exit(v9_fail_exit);

MODULE_DESCRIPTION("v9trace selftests: fault injection");
MODULE_AUTHOR("The v9trace authors");
MODULE_LICENSE("GPL");
