// SPDX-License-Identifier: GPL-2.0-only
/*
 * v9_core: the doors of lib/ and of pmu.c to the drivers. Nothing else happens here.
 */
#include <linux/module.h>

#include "compat.h"
#include "pmu.h"
#include "v9trace/attr.h"
#include "v9trace/errata.h"
#include "v9trace/judge.h"
#include "v9trace/plan.h"
#include "v9trace/seq.h"
#include "v9trace/seq_routing.h"

EXPORT_SYMBOL_NS_GPL(v9_errata, V9_NAMESPACE);

EXPORT_SYMBOL_NS_GPL(v9_plan_used, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_plan_turns, V9_NAMESPACE);

EXPORT_SYMBOL_NS_GPL(v9_spe_judge, V9_NAMESPACE);

EXPORT_SYMBOL_NS_GPL(v9_spe_option, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_spe_has_option, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_spe_cap, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_spe_judge_unit, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_spe_encode_interval, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_spe_encode_image, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_spe_needs_privilege, V9_NAMESPACE);

EXPORT_SYMBOL_NS_GPL(v9_spe_look_unit, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_spe_act_reset, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_spe_act_start, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_spe_act_stop, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_spe_look_event, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_spe_act_resume, V9_NAMESPACE);

EXPORT_SYMBOL_NS_GPL(v9_trbe_judge, V9_NAMESPACE);

EXPORT_SYMBOL_NS_GPL(v9_spe_act_route, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_trbe_act_route, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_spe_act_rehearse, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_trbe_act_rehearse, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_judge_routing, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_routing, V9_NAMESPACE);

EXPORT_SYMBOL_NS_GPL(v9_ete_option, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_ete_has_option, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_ete_judge_unit, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_ete_encode_image, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_ete_judge_filters, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_ete_encode_filters, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_ete_needs_privilege, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_ete_trace_id, V9_NAMESPACE);

EXPORT_SYMBOL_NS_GPL(v9_ete_look_unit, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_ete_act_reset, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_ete_act_start, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_ete_act_stop, V9_NAMESPACE);

EXPORT_SYMBOL_NS_GPL(v9_pmu_register, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_unregister, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_refuse, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_tell_errata, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_begin, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_get_cpus, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_get_pmu, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_give_up, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_new_dir, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_add_option, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_add_value, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_stats, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_cpumask_show, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_judge_event, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_open, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_no_room, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_switch_off, V9_NAMESPACE);
EXPORT_SYMBOL_NS_GPL(v9_pmu_close, V9_NAMESPACE);

MODULE_DESCRIPTION("v9trace: rules and register sequences of Armv9 trace and profiling units");
MODULE_AUTHOR("The v9trace authors");
MODULE_LICENSE("GPL");
