// SPDX-License-Identifier: GPL-2.0-only
/*
 * What v9_core exports to v9_spe, v9_ete and v9_brbe, and what it does when it is loaded.
 */
#include <linux/module.h>

#include "acpi.h"
#include "aux.h"
#include "compat.h"
#include "cpu_regs.h"
#include "event.h"
#include "sysfs.h"
#include "tuning.h"
#include "v9trace/errata.h"
#include "v9trace/fault_action.h"
#include "v9trace/plan.h"

EXPORT_SYMBOL_NS_GPL(v9_errata, V9_NAMESPACE);

EXPORT_SYMBOL_NS_GPL(v9_cpu_el3, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_el3_spe_closed, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_el3_trace_closed, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_el3_brbe_closed, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_el3_permits_pmbmar, V9_NAMESPACE);

EXPORT_SYMBOL_NS_GPL(v9_plan_window, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_plan_wrapped, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_plan_closed, V9_NAMESPACE);

EXPORT_SYMBOL_NS_GPL(v9_spe_fault_action, V9_NAMESPACE);

EXPORT_SYMBOL_NS_GPL(v9_trbe_fault_action, V9_NAMESPACE);

EXPORT_SYMBOL_NS_GPL(v9_pmu_register, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_unregister, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_refuse, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_log_errata, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_begin, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_name_ops, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_make, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_unmake, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_free, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_alloc, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_bring_up_cpus, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_publish, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_exclude_cpu, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_give_up, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_apply_pause, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_new_dir, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_add_option, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_add_value, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_add_minimum, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_stats, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_setting_name, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_setting_ops, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_tuning, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_allow_physical, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_cpumask_show, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_check_event, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_refresh, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_setup_aux, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_fill, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_pad, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_count_flags, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_buffer_suits, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_wait_flush, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_flush, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_end_halt, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_do_throttle, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_put_off, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_not_started, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_fills_ring, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_add_no_room, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_switch_off, V9_NAMESPACE);

EXPORT_SYMBOL_NS_GPL(v9_acpi_has_child, V9_NAMESPACE);

static int __init v9_core_init(void)
{
	int err = v9_cpu_regs_init();

	if (err)
		return err;
	v9_pmu_debug_init();
	return 0;
}
module_init(v9_core_init);

static void __exit v9_core_exit(void)
{
	v9_pmu_debug_exit();
	v9_cpu_regs_exit();
}
module_exit(v9_core_exit);

MODULE_DESCRIPTION("v9trace: rules and register sequences of Armv9 trace and profiling units");
MODULE_AUTHOR("The v9trace authors");
MODULE_LICENSE("GPL");
