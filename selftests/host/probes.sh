#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Tests the probes of a kernel's headers (drivers/probes) on declarations as in each kernel from 6.1
# to 7.2, and on mixtures of them as distributions have. The functions of drivers/compat.h must
# compile with these declarations alone. The declarations are not copied from the kernel.
set -u
cd "$(dirname "$0")/../.." || exit 2
V9TRACE=none
. selftests/host/suite.inc
mkdir -p build
dir=$(mktemp -d build/probes.XXXXXX) || exit 2
trap 'rm -rf "$dir"' EXIT
CC=${CC:-cc}

# header FILE: writes standard input to that header of the kernel in $tree
header() {
	mkdir -p "$tree/$(dirname "$1")"
	cat >"$tree/$1"
}

# old NAME: the declarations of 6.1, and those that all kernels have
old() {
	tree=$dir/$1
	for h in linux/capability linux/cpumask linux/export linux/irq_work linux/jump_label linux/kvm_host linux/cleanup \
		linux/perf/arm_pmu \
		linux/types linux/string linux/errno linux/build_bug linux/compiler linux/dcache \
		linux/debugfs asm/cpufeature asm/virt; do
		header include/$h.h <<-'EOF'
			#include <linux/all.h>
		EOF
	done
	header include/linux/all.h <<-'EOF'
		#ifndef ALL_H
		#define ALL_H
		typedef unsigned long long u64, __u64;
		typedef unsigned long uint64_t;
		typedef unsigned int uint32_t;
		typedef unsigned char uint8_t;
		typedef _Bool bool;
		#define true 1
		#define false 0
		#define EACCES 13
		#define EINVAL 22
		#define EBUSY 16
		#define __percpu
		#define __must_check
		#define NULL ((void *)0)
		#define READ_ONCE(x) (x)
		struct cpumask { unsigned long bits[1]; };
		typedef struct cpumask cpumask_t;
		typedef int (*irq_handler_t)(int, void *);
		struct device;
		struct module;
		struct irq_work { void (*func)(struct irq_work *work); };
		extern const struct cpumask *cpu_possible_mask;
		void cpumask_copy(struct cpumask *to, const struct cpumask *from);
		bool perfmon_capable(void);
		int raw_smp_processor_id(void);
		void irq_work_queue(struct irq_work *work);
		void irq_work_run(void);
		void synchronize_rcu_tasks(void);
		void *alloc(unsigned long size);
		#define IS_ENABLED(config) config
		#define IS_ERR_OR_NULL(p) (!(p))
		#define SYS_ID_AA64PFR0_EL1 1
		#define ID_AA64PFR0_EL1_EL2_SHIFT 8
		#define __always_inline inline
		struct static_key_false { int on; };
		#define static_branch_unlikely(key) ((key)->on)
		struct dentry;
		struct dentry *debugfs_lookup(const char *name, struct dentry *parent);
		void dput(struct dentry *dentry);
		bool debugfs_initialized(void), is_kernel_in_hyp_mode(void), cpus_have_cap(unsigned int n);
		#define ARM64_KVM_PROTECTED_MODE 2
		u64 read_sanitised_ftr_reg(unsigned int id);
		unsigned int cpuid_feature_extract_unsigned_field(u64 value, int field);
		#define alloc_percpu(type) ((type *)alloc(sizeof(type)))
		#include "../../arch/arm64/include/asm/kvm_host.h"
		#include "../trace/stages/stage6_event_callback.h"
		#endif
	EOF
	header arch/arm64/include/asm/kvm_host.h <<-'EOF'
		/* void kvm_enable_trbe(void); is not here yet */
		struct kvm;
	EOF
	header include/trace/stages/stage6_event_callback.h <<-'EOF'
		#define __assign_str(dst, src) ((void)(dst), (void)(src))
	EOF
	header include/linux/coresight-pmu.h <<-'EOF'
		#define ETM_OPT_CYCACC	12
		#define ETM_OPT_TS	28	/* timestamps */
	EOF
	header include/linux/module.h <<-'EOF'
		#include "all.h"
		#define MODULE_IMPORT_NS(ns)	MODULE_INFO(import_ns, __stringify(ns))
	EOF
	header include/linux/platform_device.h <<-'EOF'
		#include "all.h"
		struct driver { const char *name; };
		struct platform_device;
		struct platform_driver { struct driver driver; };
		#define platform_driver_register(d)	\
			__platform_driver_register(d, THIS_MODULE)
		extern int __platform_driver_register(struct platform_driver *,
						      struct module *);
		int platform_get_irq(struct platform_device *pdev, unsigned int nr);
	EOF
	header include/linux/interrupt.h <<-'EOF'
		#include "all.h"
		static inline int __must_check
		request_percpu_irq(unsigned int irq, irq_handler_t handler, const char *name,
				   void __percpu *id)
		{
			return 0;
		}
	EOF
	header include/linux/hrtimer.h <<-'EOF'
		#include "all.h"
		typedef int clockid_t;
		enum hrtimer_mode { HRTIMER_MODE_REL };
		enum hrtimer_restart { HRTIMER_NORESTART };
		struct hrtimer { enum hrtimer_restart (*function)(struct hrtimer *); };
		extern void hrtimer_init(struct hrtimer *timer, clockid_t clock_id,
					 enum hrtimer_mode mode);
	EOF
	header include/linux/irq.h <<-'EOF'
		#include "all.h"
		extern int irq_get_percpu_devid_partition(unsigned int irq,
							  struct cpumask *cpus);
	EOF
	header include/uapi/linux/perf_event.h <<-'EOF'
		struct perf_event_attr {
			__u64	config1, config2;	/* config3 and config4 are for later: */
			// __u64 config3;
			union { struct { int pinned; }; };
		};
		struct another { __u64 config3; __u64 config4; };
	EOF
	header include/linux/perf_event.h <<-'EOF'
		#include "all.h"
		#include "../uapi/linux/perf_event.h"
		struct perf_event;
		struct pmu {
			int __percpu *pmu_disable_count;
			struct { int inner; } odd;
			/*
			 * Is it for here? One day: bool (*filter)(struct pmu *pmu, int cpu);
			 */
			int (*filter_match)	(struct perf_event *event); /* "optional" */
		};
		struct hw { int aux_paused; };
		struct perf_branch_stack;
		struct perf_raw_record;
		#define PERF_SAMPLE_RAW 1
		#define PERF_SAMPLE_BRANCH_STACK 2
		struct perf_sample_data {
			u64 sample_flags;
			struct perf_branch_stack *br_stack;
			struct perf_raw_record *raw;
		};
		struct perf_event {
			struct hw		hw;
			struct pmu		*pmu;
			struct perf_event	*group_leader, *parent;
			struct perf_event_attr	attr;
			unsigned int		pending_wakeup, pending_kill, pending_disable;
			void			*fasync;
			struct irq_work		pending_irq;
		};
		int perf_pmu_unregister(struct pmu *pmu);
		extern void perf_report_aux_output_id(struct perf_event *event, u64 id);
		static inline int perf_allow_kernel(struct perf_event_attr *attr)
		{
			return unexported;
		}
	EOF
	sed -i 's/return unexported/return -1/' "$tree/include/linux/perf_event.h"
	exports perf_pmu_unregister
}

# exports SYMBOL...: also exported
exports() {
	for symbol; do
		printf '0x00000000\t%s\tvmlinux\tEXPORT_SYMBOL_GPL\t\n' "$symbol" >>"$tree/Module.symvers"
	done
}

# change FILE SED: edits a file of the kernel in $tree, and fails if nothing changes
change() {
	sed "$2" "$tree/$1" >"$tree/new"
	! cmp -s "$tree/new" "$tree/$1" || not_ok "$tree" "nothing to change in $1: $2"
	mv "$tree/new" "$tree/$1"
}

perf=include/linux/perf_event.h
uapi=include/uapi/linux/perf_event.h

# The changes of each kernel relative to the one before
new_filter() {
	change $perf 's/int (\*filter_match).*/bool (*filter)		(struct pmu *pmu, int cpu);/'
	change $perf 's/^struct perf_event {/struct perf_event_pmu_context {\n\tstruct pmu *pmu;\n};\n&/'
	exports perf_report_aux_output_id
}
config3() { change $uapi 's/union/__u64	config3; &/'; }
parent() { change $perf 's/int __percpu \*pmu_dis/struct device	*parent;\n&/'; }
assign() {
	header include/trace/stages/stage6_event_callback.h <<-'EOF'
		#define __assign_str(dst) \
			((void)(dst))
	EOF
}
saving() {	# by functions
	cat >>"$tree/$perf" <<-'EOF'
		static inline void perf_sample_save_brstack(struct perf_sample_data *data,
							    struct perf_event *event,
							    struct perf_branch_stack *brs)
		{
		}
		static inline void perf_sample_save_raw_data(struct perf_sample_data *data,
							     struct perf_raw_record *raw)
		{
		}
	EOF
}
saving_counters() { change $perf 's/struct perf_branch_stack \*brs)/struct perf_branch_stack *brs, u64 *brs_cntr)/'; }
saving_event() {
	change $perf '/save_raw_data/,/raw)/s/struct perf_raw_record \*raw)/struct perf_event *event, &/'
}
action() { change $uapi 's/int pinned;/__u64 aux_pause : 1, aux_resume : 1;/'; }
pending() { change $perf 's/unsigned int.*pending_disable;/&\n	struct irq_work pending_disable_irq;/'; }
allow() {	# now with the attributes
	change $perf '/^static inline int perf_allow/,$d'
	echo 'int perf_allow_kernel(struct perf_event_attr *attr);' >>"$tree/$perf"
	exports perf_allow_kernel
}
allow_void() { change $perf 's/perf_allow_kernel(.*/perf_allow_kernel(void);/'; }
timer() {
	change include/linux/hrtimer.h 's/extern void hrtimer_init/void hrtimer_setup/
		s/timer, clockid_t/timer,\n\t\t   enum hrtimer_restart (*function)(struct hrtimer *), clockid_t/'
}
string() { change include/linux/module.h 's/__stringify(ns)/ns/'; }
kvm() {
	header arch/arm64/include/asm/kvm_host.h <<-'EOF'
		#ifdef CONFIG_KVM
		void kvm_enable_trbe(void);
		void kvm_disable_trbe(void);
		#else
		static inline void kvm_enable_trbe(void) {}
		static inline void kvm_disable_trbe(void) {}
		#endif
	EOF
}
affinity() {
	rm "$tree/include/linux/irq.h"
	echo '#include "all.h"' | header include/linux/irq.h
	cat >>"$tree/include/linux/interrupt.h" <<-'EOF'
		static inline int __must_check
		request_percpu_irq_affinity(unsigned int irq, irq_handler_t handler,
					    const char *devname, const cpumask_t *affinity,
					    void __percpu *id)
		{
			return 0;
		}
		static inline bool irq_is_percpu_devid(unsigned int irq)
		{
			return false;
		}
	EOF
	cat >>"$tree/include/linux/platform_device.h" <<-'EOF'
		extern int platform_get_irq_affinity(struct platform_device *, unsigned int,
						     const struct cpumask **);
	EOF
}
name() {
	change include/linux/platform_device.h 's/THIS_MODULE/&, KBUILD_MODNAME/
		s/struct module \*);/struct module *, const char *mod_name);/'
}
by_name() { change include/linux/coresight-pmu.h '/ETM_OPT_TS/d'; }
config4() { change $uapi 's/union/__u64	config4; &/'; }

# kernel NAME CHANGE...: makes a kernel 6.1 with these changes
kernel() {
	old "$1"
	shift
	for what; do $what; done
}

# finds NAME FEATURE...: the kernel in $tree has exactly these features
finds() {
	what=$1
	shift
	want=$(printf '%s\n' "$@" | sort)
	found=$(${AWK:-awk} -v src="$tree" -v obj="$tree" -f drivers/probes.awk drivers/probes \
		2>"$dir/output" | tr ' ' '\n' | sed -n 's/^-DV9_HAVE_//p; s/^-DV9_//p' | sort)
	if [ "$found" = "$want" ]; then
		ok "finds_$what"
	else
		printf '%s\n' "$want" >"$dir/want"
		not_ok "finds_$what" "$(printf '%s\n' "$found" | diff "$dir/want" - | grep '^[<>]' |
			tr '\n' ' '; cat "$dir/output")"
	fi
}

# builds NAME: compat.h compiles with the kernel in $tree, and so do uses of its macros
builds() {
	cat >"$dir/try.c" <<-'EOF'
		#include "compat.h"
		static struct static_key_false key;
		bool v9_pmu_filter(struct pmu *pmu, int cpu) { return cpu && pmu; }
		int try(struct perf_event *event, struct pmu *pmu, struct perf_event_attr *attr,
			struct perf_sample_data *data);
		int try(struct perf_event *event, struct pmu *pmu, struct perf_event_attr *attr,
			struct perf_sample_data *data)
		{
			v9_set_pmu_filter(pmu);
			v9_assign_str(pmu, event);
			v9_report_hw_id(event, 1);
			v9_save_branches(data, event, NULL);
			v9_save_raw(data, event, NULL);
			if (v9_has_fasync(event) || v9_pauses_aux(attr))
				return 0;
			if (v9_read_kvm_facts().runs)
				v9_notify_kvm(&key, true);
			return v9_allow_kernel(attr) + v9_config3(attr) + v9_config4(attr);
		}
	EOF
	options=$(${AWK:-awk} -v src="$tree" -v obj="$tree" -f drivers/probes.awk drivers/probes 2>&1)
	# shellcheck disable=SC2086
	if $CC -std=gnu11 -Wall -Werror -Wno-unused-function -Wno-unused-value -Wno-unused-parameter \
		-D__KERNEL__ -DCONFIG_KVM -nostdinc -I"$tree/include" -Iinclude -Idrivers $options -c -o "$dir/try.o" \
		"$dir/try.c" 2>"$dir/output"; then
		ok "builds_$1"
	else
		not_ok "builds_$1" "$(grep -m 1 error "$dir/output")"
	fi
}

# calls NAME SYMBOL...: of the functions that differ between kernels the object just built calls
# these
calls() {
	what=$1
	shift
	want=$(printf '%s\n' "$@" | sort)
	have=$(nm "$dir/try.o" | sed -n 's/^ *U //p' | grep -E 'perf_allow|capable|output_id|kvm_enable_trbe' | sort)
	if [ "$have" = "$want" ]; then ok "calls_$what"; else not_ok "calls_$what" "$have"; fi
}

since_2='PMU_FILTER PERF_PMU_CONTEXT REPORT_AUX_OUTPUT_ID PENDING_IRQ PROBED'
since_3="$since_2 CONFIG3 SAVE_BRSTACK SAVE_RAW"
since_8="$since_2 CONFIG3 SAVE_BRSTACK SAVE_BRSTACK_COUNTERS SAVE_RAW PMU_PARENT"
since_11="$since_8 ASSIGN_STR_DST PENDING_DISABLE_IRQ"
saves_event="$(echo "$since_11" | sed 's/SAVE_RAW/SAVE_RAW_EVENT/') AUX_ACTION"
since_14="$saves_event PERF_ALLOW_KERNEL NAMESPACE_STRING KVM_ENABLE_TRBE HRTIMER_SETUP"
since_19="$since_14 GET_IRQ_AFFINITY REQUEST_IRQ_AFFINITY PERF_ALLOW_KERNEL_VOID"

# Each version and its changes to 6.1, in the order in which the kernels made them
# shellcheck disable=SC2086
while read -r version changes; do
	kernel "$version" $changes
	what=$(echo "$version" | tr . _)
	case $version in
	6.1)	finds $what PMU_FILTER_MATCH PENDING_IRQ ETM_OPT_TS IRQ_PARTITION PROBED ;;
	6.2)	finds $what ETM_OPT_TS $since_2 IRQ_PARTITION ;;
	6.3)	finds $what ETM_OPT_TS $since_3 IRQ_PARTITION ;;
	6.8)	finds $what ETM_OPT_TS $since_8 IRQ_PARTITION ;;
	6.10)	finds $what ETM_OPT_TS $since_8 ASSIGN_STR_DST IRQ_PARTITION ;;
	6.11)	finds $what ETM_OPT_TS $since_11 IRQ_PARTITION ;;
	6.12)	finds $what ETM_OPT_TS $since_11 PERF_ALLOW_KERNEL PERF_ALLOW_KERNEL_ATTR IRQ_PARTITION ;;
	6.12.110) finds $what ETM_OPT_TS $saves_event PERF_ALLOW_KERNEL PERF_ALLOW_KERNEL_VOID IRQ_PARTITION ;;
	6.14)	finds $what ETM_OPT_TS $since_14 PERF_ALLOW_KERNEL_ATTR IRQ_PARTITION ;;
	6.19)	finds $what ETM_OPT_TS $since_19 ;;
	7.2)	finds $what $since_19 DRIVER_MOD_NAME CONFIG4 ;;
	esac
	builds $what
	case $version in
	6.1)	calls $what perfmon_capable ;;
	6.2|6.11) calls $what perfmon_capable perf_report_aux_output_id ;;
	6.12)	calls $what perf_allow_kernel perf_report_aux_output_id ;;
	6.14|6.19|7.2) calls $what perf_allow_kernel perf_report_aux_output_id kvm_enable_trbe ;;
	esac
done <<'END'
6.1
6.2	new_filter
6.3	new_filter config3 saving
6.8	new_filter config3 parent saving saving_counters
6.10	new_filter config3 parent assign saving saving_counters
6.11	new_filter config3 parent assign pending saving saving_counters
6.12	new_filter config3 parent assign pending allow saving saving_counters
6.12.110	new_filter config3 parent assign pending allow allow_void saving saving_counters saving_event action
6.14	new_filter config3 parent assign pending allow string kvm timer saving saving_counters saving_event action
6.19	new_filter config3 parent assign pending allow string kvm allow_void affinity timer saving saving_counters saving_event action
7.2	new_filter config3 parent assign pending allow string kvm allow_void affinity name by_name config4 timer saving saving_counters saving_event action
END

# A kernel 6.1 of a distribution with backported changes, and one with a function that is not
# exported
kernel taken config3 kvm pending
finds pieces_taken PMU_FILTER_MATCH PENDING_IRQ ETM_OPT_TS IRQ_PARTITION CONFIG3 KVM_ENABLE_TRBE \
	PENDING_DISABLE_IRQ PROBED
builds pieces_taken
kernel unexported allow
rm "$tree/Module.symvers"
exports perf_pmu_unregister perf_allow_kernel_not
finds unexported PMU_FILTER_MATCH PENDING_IRQ ETM_OPT_TS IRQ_PARTITION PERF_ALLOW_KERNEL_ATTR PROBED
builds unexported
calls unexported perfmon_capable
rm "$tree/Module.symvers"
finds no_list_of_exports PMU_FILTER_MATCH PENDING_IRQ ETM_OPT_TS IRQ_PARTITION PERF_ALLOW_KERNEL_ATTR PROBED

# Both ways to get the CPUs of an interrupt, or half of the new one
kernel both affinity
echo 'int irq_get_percpu_devid_partition(unsigned int, struct cpumask *);' \
	>>"$tree/include/linux/irq.h"
finds both_ways PMU_FILTER_MATCH PENDING_IRQ ETM_OPT_TS IRQ_PARTITION GET_IRQ_AFFINITY REQUEST_IRQ_AFFINITY \
	PROBED
builds both_ways
change include/linux/interrupt.h '/^request_percpu_irq_aff/s/aff/other_aff/'
finds half_a_way PMU_FILTER_MATCH PENDING_IRQ ETM_OPT_TS IRQ_PARTITION GET_IRQ_AFFINITY PROBED
builds half_a_way

# Comments, strings, white space and line breaks
kernel laid_out
change $perf '/perf_allow_kernel/,$d'
cat >>"$tree/$perf" <<'EOF'
#define SAYS "/* not a comment", '"' /* one */ // one
extern	int /* says if */ perf_allow_kernel
	(	/* int perf_allow_kernel(struct perf_event_attr *attr); */
	 void )
	;
EOF
finds laid_out PMU_FILTER_MATCH PENDING_IRQ ETM_OPT_TS IRQ_PARTITION PERF_ALLOW_KERNEL_VOID PROBED
change $perf 's/perf_allow_kernel$/&_soon/'
finds other_word PMU_FILTER_MATCH PENDING_IRQ ETM_OPT_TS IRQ_PARTITION PROBED

# A kernel without a required declaration gives a compiler error that names it.
refuses() {
	(builds "$1") >"$dir/result"
	if grep -q '^not ok' "$dir/result" && grep -q "error.*$2" "$dir/output"; then
		ok "refuses_$1"
	else
		not_ok "refuses_$1" "$(cat "$dir/result" "$dir/output")"
	fi
}
kernel missing
rm "$tree/arch/arm64/include/asm/kvm_host.h"
finds missing_header PMU_FILTER_MATCH PENDING_IRQ ETM_OPT_TS IRQ_PARTITION
if grep -q 'no header .*kvm_host' "$dir/output"; then
	ok names_missing_header
else
	not_ok names_missing_header "$(cat "$dir/output")"
fi
kernel older
change $perf 's/pending_irq/pending/'
refuses older_kernel 'needs Linux 6.1'
kernel no_filter
change $perf '/filter_match/d'
refuses no_filter 'struct pmu'
kernel no_partition
change include/linux/irq.h '/irq_get_percpu/,$d'
refuses no_partition 'per-CPU interrupt'

# With whichever awk this machine has
kernel awks config3 allow
for awk in mawk gawk original-awk busybox; do
	! command -v $awk >/dev/null || AWK="$awk$([ $awk != busybox ] || echo ' awk')" finds "with_$awk" \
		PMU_FILTER_MATCH PENDING_IRQ ETM_OPT_TS IRQ_PARTITION CONFIG3 PERF_ALLOW_KERNEL \
		PERF_ALLOW_KERNEL_ATTR PROBED
done

# Each feature that compat.h uses is in the table, and each one in the table is used.
sed -n 's/^\([A-Z][A-Z0-9_]*\)[ 	].*/\1/p' drivers/probes | sort >"$dir/table"
grep -ohE 'V9_HAVE_[A-Z0-9_]+' drivers/*.[ch] drivers/lib/*.c | sed 's/^V9_HAVE_//' | grep -vx IRQ_AFFINITY |
	sort -u >"$dir/used"
if cmp -s "$dir/table" "$dir/used"; then
	ok table_is_what_compat_uses
else
	not_ok table_is_what_compat_uses "$(diff "$dir/table" "$dir/used" | tr '\n' ' ')"
fi
finish
