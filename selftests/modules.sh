#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Tests of the modules' sources and builds: whether they build on each kernel of MODULES without a
# warning, as users build them, also by drivers/build.sh ("make modules" on an Arm machine);
# checkpatch; the facts of Documentation/limits.rst about kernels; and what can be executed at a task
# switch and in an interrupt. Writes TAP to
# build/results/modules/{build,plain,own,style,limits,paths}.tap.
set -u
cd "$(dirname "$0")/.." || exit 2
results=build/results/modules
mkdir -p "$results" build/log

warned='(warning|WARNING|error|ERROR|CHECK):'

# check_log NAME STATUS: passed if the status is 0 and standard input has no warning in it
check_log() {
	n=$((n + 1))
	if found=$(grep -m 1 -E "$warned"); then
		echo "not ok $n - $1 # $found"
	elif [ "$2" -ne 0 ]; then
		echo "not ok $n - $1 # status $2"
	else
		echo "ok $n - $1"
	fi
}

# expect NAME STATUS WHY
expect() {
	n=$((n + 1))
	if [ "$2" -eq 0 ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1 # $3"
	fi
}

# In a directory of its own, because guests use the other modules at the same time, which have other
# flags.
build() {
	n=0
	for kernel in ${MODULES:-6.1 6.12 7}; do
		log=build/log/modules-$kernel.log
		rm -rf "build/modules-checked/$kernel"
		V9_MODULES_IN=modules-checked selftests/lab/modules.sh "$kernel" W=1 C=2 >"$log" 2>&1
		check_log "w1_and_sparse_clean_$(echo "$kernel" | tr . _)" $? <"$log"
	done
	echo "1..$n"
}

# The commands of a user of an out-of-tree module, in a clone of all files that git knows: "modules"
# makes the modules, "clean" removes them, and git status is clean after each. With the newest kernel;
# PLAIN names others.
plain() {
	n=0
	newest=${MODULES:-7}
	for kernel in ${PLAIN:-${newest##* }}; do
		of=$(echo "$kernel" | tr . _) tree=$PWD/build/plain-$of
		rm -rf "$tree"
		mkdir -p "$tree"
		git ls-files -z | xargs -0 cp --parents -t "$tree" 2>/dev/null
		git -C "$tree" init -q
		git -C "$tree" add .
		headers=/usr/src/$(basename "$(selftests/lab/kernel.sh headers "$kernel")")
		for target in modules clean; do
			log=build/log/plain-$target-$kernel.log
			# As on an Arm machine, except the prefix of the compiler's name
			selftests/lab/kernel.sh run "$kernel" make -C "$headers" M="$tree" ARCH=arm64 \
				CROSS_COMPILE=aarch64-linux-gnu- $target >"$log" 2>&1
			expect "plain_${target}_$of" $? "$(tail -n 1 "$log")"
			found=$(git -C "$tree" status --porcelain | grep -v '^A ' | head -n 1)
			expect "plain_tree_has_nothing_new_after_${target}_$of" ${#found} "$found"
			if [ $target = modules ]; then
				[ -e "$tree/v9_core.ko" ] && [ -e "$tree/v9_spe.ko" ] &&
					[ -e "$tree/v9_ete.ko" ] && [ -e "$tree/v9_brbe.ko" ]
				expect "plain_build_makes_modules_$of" $? "a module is missing"
			else
				found=$(git -C "$tree" status --porcelain --ignored | grep '^!!' | head -n 1)
				expect "plain_clean_leaves_nothing_$of" ${#found} "$found"
			fi
		done
		rm -rf "$tree"
	done
	echo "1..$n"
}

# drivers/build.sh on a copy, with the compiler of the first kernel's suite.
own() {
	n=0
	kernel=${MODULES:-6.12} kernel=${kernel%% *} log=build/log/own.log
	tree=$PWD/build/own
	headers=/usr/src/$(basename "$(selftests/lab/kernel.sh headers "$kernel")")
	release=${headers#*/linux-headers-}
	rm -rf "$tree"
	mkdir -p "$tree"
	git ls-files -z | xargs -0 cp --parents -t "$tree" 2>/dev/null
	# build_in [ASSIGNMENT...] -- ARGUMENTS: the script, in that root
	build_in() {
		words=
		while [ "$1" != -- ]; do words="$words $1"; shift; done
		shift
		# shellcheck disable=SC2086
		selftests/lab/kernel.sh run "$kernel" env $words "$tree/drivers/build.sh" "$@" >"$log" 2>&1
	}
	# refused NAME STATUS LINE: that line alone, status 2, and nothing is there
	refused() {
		found=
		[ "$2" -eq 2 ] || found="status $2: $(tail -n 1 "$log")"
		[ "$(wc -l <"$log")" -eq 1 ] || found="$(wc -l <"$log") lines"
		grep -qE "^v9trace: $3.*Nothing was built\.$" "$log" || found=$(tail -n 1 "$log")
		[ -z "$(find "$tree/build" -type f 2>/dev/null)" ] || found="something is left behind"
		expect "$1" ${#found} "$found"
	}
	build_in --
	refused no_headers_are_told $? "no headers of the running kernel $(uname -r) \\(apt install linux-headers-$(uname -r), "
	build_in -- /nonexistent
	refused no_such_headers_are_told $? '/nonexistent has no kernel headers'
	fake=$tree/fake
	mkdir -p "$fake"
	: >"$fake/Makefile"
	build_in -- "$fake"
	refused unprepared_headers_are_told $? "$fake is not prepared for modules"
	mkdir -p "$fake/include/config" "$fake/include/generated"
	echo '#define UTS_RELEASE "6.6.6"' >"$fake/include/generated/utsrelease.h"
	echo CONFIG_X86_64=y >"$fake/include/config/auto.conf"
	build_in -- "$fake"
	refused other_architecture_is_told $? "$fake is for another architecture"
	echo CONFIG_ARM64=y >"$fake/include/config/auto.conf"
	build_in CROSS_COMPILE=none- -- "$fake"
	refused no_compiler_is_told $? "no compiler 'none-gcc', which 6.6.6 wants"
	mkdir -p "$tree/build"
	unshare -rm sh -c 'mount -t tmpfs -o size=8m none "$1/build" &&
		exec selftests/lab/kernel.sh run "$3" "$1/drivers/build.sh" "$2"' sh "$tree" "$headers" \
		"$kernel" >"$log" 2>&1
	refused full_disk_is_told $? "$tree/build has [0-9]* MB free"

	build_in -- "$headers"
	expect builds $? "$(tail -n 1 "$log")"
	grep -q warning: "$log"
	expect builds_without_warnings $(($? == 0)) "$(grep -m 1 warning: "$log")"
	grep -qa "vermagic=$release " "$tree/build/modules/$release/v9_spe.ko"
	expect modules_are_for_that_kernel $? "v9_spe.ko is not for $release"
	found=$(find "$tree" -newer "$fake/include/config/auto.conf" -type f ! -path "$tree/build/*" | head -n 1)
	expect nothing_is_written_beside_the_sources ${#found} "$found"
	build_in INSTALL_MOD_PATH="$tree/root" -- install "$headers"
	status=$?
	found=$(find "$tree/root" -name 'v9_*.ko*' | wc -l)
	[ $status -eq 0 ] && [ "$found" -eq 4 ] && grep -q v9_core "$tree/root/lib/modules/$release/modules.dep"
	expect installs $? "status $status, $found modules: $(tail -n 1 "$log")"
	build_in -- "$headers" KCFLAGS=--no-such-option
	status=$?
	found=$(find "$tree/build" -name '*.ko' | head -n 1)
	[ $status -ne 0 ] && [ -z "$found" ]
	expect a_failed_build_leaves_no_module $? "status $status, $found"
	rm -rf "$tree"
	echo "1..$n"
}

# What checkpatch reports for files inside the kernel's tree, and what this project does otherwise:
# C99 types in code that is compiled in three environments, the manual's spelling of registers (as
# in the kernel's own tables), all exports in one list, masks as macro arguments that are used
# twice, in compat.h arguments that not each kernel uses, tracepoints in the kernel's layout, lists
# of registers.
ignore=FILE_PATH_CHANGES,SPDX_LICENSE_TAG,NOT_UNIFIED_DIFF,MAINTAINERS
ignore=$ignore,PREFER_KERNEL_TYPES,CAMELCASE,MACRO_ARG_REUSE

# of_each CHECK STATUS LOG FILE...: one result per file, of a log whose lines begin with the file.
# If the status is not 0 and no file has a message, all files fail.
of_each() {
	check=$1 status=$2 log=$3
	shift 3
	grep -qE "$warned" "$log" && status=0
	for file; do
		grep -F "$file:" "$log" >build/log/of_file
		check_log "${check}_$(echo "$file" | tr './' __)" "$status" <build/log/of_file
	done
}

# checkpatch MORE-TO-IGNORE FILE...; runs in build/, because it writes a cache to the current
# directory
checkpatch() {
	more=$1 log=build/log/checkpatch$1.log
	shift
	(cd build && printf '../%s\n' "$@" | xargs perl "$source/scripts/checkpatch.pl" --no-tree \
		--strict --terse --quiet --ignore "$ignore$more" --file) >"$log" 2>&1
	of_each checkpatch $? "$log" "$@"
}

style() {
	n=0
	source=$(selftests/lab/source.sh) || return
	checkpatch ,EXPORT_SYMBOL drivers/core.c
	checkpatch ,MACRO_ARG_UNUSED drivers/compat.h
	checkpatch ,PARENTHESIS_ALIGNMENT,OPEN_ENDED_LINE drivers/v9_events.h
	checkpatch ,COMPLEX_MACRO,SPACING include/v9trace/held_regs.h
	set -- drivers/*.[ch] drivers/lib/*.c include/v9trace/*.h selftests/target/module/*.c
	# shellcheck disable=SC2046
	checkpatch '' $(printf '%s\n' "$@" | grep -vE '/(core\.c|compat\.h|v9_events\.h|held_regs\.h)$')
	log=build/log/kernel-doc.log
	perl "$source/scripts/kernel-doc" -none -Wall -Werror "$@" >"$log" 2>&1
	of_each kernel_doc $? "$log" "$@"
	echo "1..$n"
}

# rows WHAT: prints the rows of that table of limits.rst
rows() {
	sed -n "/^\.\. begin $1$/,/^\.\. end $1$/p" Documentation/limits.rst |
		grep -E ' (yes|no) +(yes|no) +(yes|no)$'
}

# column KERNEL 6.1 6.12 7: prints the word in the column of the kernel
column() {
	case $1 in
	6.1) echo "$2" ;;
	6.12) echo "$3" ;;
	*) echo "$4" ;;
	esac
}

# limit NAME COLUMNS COMMAND...: the columns agree with the result of the command, which gets the
# directory of the kernel's headers
limit() {
	name=$(echo "$1" | tr '[:upper:]' '[:lower:]') columns=$2
	shift 2
	n=$((n + 1))
	for kernel in ${MODULES:-6.1 6.12 7}; do
		want=$(column "$kernel" $columns) have=no
		"$@" "$(cat "build/log/headers-$kernel")" && have=yes
		[ "$want" = "$have" ] && continue
		echo "not ok $n - $name # says $want of $kernel, which has: $have"
		return
	done
	echo "ok $n - $name"
}

exported() { cut -f 2 "$2/Module.symvers" | grep -qx "$1"; }
in_header() { grep -qw "$1" "$3"/../linux-headers-*-common/"$2"; }

limits() {
	n=0
	for kernel in ${MODULES:-6.1 6.12 7}; do
		selftests/lab/kernel.sh headers "$kernel" >"build/log/headers-$kernel" || return
	done
	rows symbols >build/log/limits
	while read -r symbol columns; do
		limit "symbol_$symbol" "$columns" exported "$symbol"
	done <build/log/limits
	rows headers >build/log/limits
	while read -r word header columns; do
		limit "header_word_$word" "$columns" in_header "$word" "$header"
	done <build/log/limits
	echo "1..$n"
}

# some NAME PATTERN: a line of $log matches
# none NAME PATTERN WORD: each line of $log that begins with the word matches
some() {
	grep -qE "$2" "$log"
	expect "$1" $? "no $2"
}
none() {
	found=$(grep "^$3 " "$log" | grep -m 1 -vxE "$3 ($2)")
	expect "$1" ${#found} "$found"
}

# Calls of the kernel that add, del, start, stop and the interrupt may make: none that allocates or
# logs, except the line about a fault, whose rate the kernel limits.
may_call='perf_aux_output_(begin|end|skip|flag)|perf_get_aux|perf_event_addr_filters_sync'
may_call="$may_call|perf_report_aux_output_id|irq_work_(queue|run)|kvm_(en|dis)able_trbe"
# Functions that compilers add, and tracepoints
may_call="$may_call|mem(set|cpy|cmp)|__stack_chk_fail|__ubsan_handle_[a-z_]*"
may_call="$may_call|preempt_schedule(_notrace)?"
# The timer of a throttled unit, and its time
may_call="$may_call|hrtimer_(active|start_range_ns)|mul_u64_(add_)?u64_div_u64"
may_log='(___ratelimit|_dev_err) v9_(ete|spe)_irq'
# Indirect calls: tracepoints that are on, events that another one pauses, the first start after a
# deep sleep, and perf's own work that disables an event
may_jump='__traceiter_v9_[a-z]+|v9_pmu_apply_pause|v9_pmu_refresh|v9_pmu_route|v9_pmu_disable'
# Registers of the kernel; then those that the unit changes: the write pointer and status, whether
# it is idle, and the state of start points, counters and the like if the session uses them.
may_read='(sp_el0|tpidr_el[12]|cntvct_el0|daif) .*|trb(ptr|sr|trg)_el1 v9_trbe_act_disable'
may_read="$may_read|trcstatr wait_for|trcvictlr v9_ete_act_stop|trc[a-z0-9]+ v9_ete_read_moved"
may_read="$may_read|pm(bptr|bsr|sicr)_el1 v9_spe_(act_stop|read_status)|currentel v9_pmu_route"
may_read="$may_read|cntfrq_el0 (wait_longer|v9_pmu_do_throttle)|trcstatr (wait_longer|answers)"

# ways KERNEL UNIT FUNCTION...: prints what can be executed from these functions on, see paths.awk
ways() {
	kernel=$1 unit=$2
	shift 2
	LC_ALL=C awk -v from="$*" -f selftests/paths.awk "build/log/$unit-$kernel.dis" \
		"build/log/core-$kernel.dis" | sort -u
}

paths() {
	n=0
	for kernel in ${MODULES:-6.1 6.12 7}; do
		of=$(echo "$kernel" | tr . _)
		for m in core ete spe; do
			selftests/lab/root.sh run -- aarch64-linux-gnu-objdump -dr --no-show-raw-insn \
				"build/modules-checked/$kernel/v9_$m.ko" >"build/log/$m-$kernel.dis"
		done
		for u in ete spe; do
			log=build/log/paths-$u-$kernel
			ways "$kernel" $u v9_${u}_add v9_${u}_del v9_${u}_start v9_${u}_stop \
				v9_${u}_irq >"$log"
			some "${u}_opens_and_closes_$of" '^calls perf_aux_output_end '
			none "${u}_allocates_and_logs_nothing_$of" "($may_call) .*|$may_log" calls
			none "${u}_calls_nothing_indirectly_$of" "[a-z]+ ($may_jump)" jumps
			none "${u}_reads_nothing_back_$of" "$may_read" reads
		done
		# It would be seen.
		log=build/log/paths-seen-$kernel
		ways "$kernel" ete v9_ete_event_init v9_pmu_cpu_pm v9_ete_read_key >"$log"
		some "allocations_are_seen_$of" '^calls (__)?k[a-z]*alloc[a-z_]* '
		some "logs_are_seen_$of" '^calls __dynamic_dev_dbg '
		some "indirect_calls_are_seen_$of" '^jumps blr v9_pmu_cpu_pm$'
		some "reads_are_seen_$of" '^reads trcidr0 '
	done
	echo "1..$n"
}

build >"$results/build.tap"
plain >"$results/plain.tap"
own >"$results/own.tap"
style >"$results/style.tap"
limits >"$results/limits.tap"
paths >"$results/paths.tap"
! grep -q '^not ok' "$results"/*.tap
