#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Do the modules build without a warning on each kernel of MODULES, and would they pass review?
# Writes TAP to build/results/modules/{build,style}.tap.
set -u
cd "$(dirname "$0")/.." || exit 2
results=build/results/modules
mkdir -p "$results" build/log

# ok NAME LOG STATUS: passed if the status is 0 and the log has no warning
judge() {
	n=$((n + 1))
	if [ "$3" -ne 0 ]; then
		echo "not ok $n - $1 # status $3: $(tail -n 1 "$2")"
	elif grep -qE '(warning|WARNING|error|ERROR):' "$2"; then
		echo "not ok $n - $1 # $(grep -m 1 -E '(warning|WARNING|error|ERROR):' "$2")"
	else
		echo "ok $n - $1"
	fi
}

build() {
	n=0
	for kernel in ${MODULES:-6.1 6.12 7}; do
		name=$(echo "$kernel" | tr . _)
		log=build/log/modules-$kernel.log
		model/lab/modules.sh "$kernel" W=1 >"$log" 2>&1
		judge "w1_clean_$name" "$log" $?
		log=build/log/modules-sparse-$kernel.log
		model/lab/modules.sh "$kernel" C=2 >"$log" 2>&1
		judge "sparse_clean_$name" "$log" $?
	done
	echo "1..$n"
}

# What checkpatch asks of files inside the kernel's tree, and what this house decided otherwise:
# C99 types in code that three worlds compile, the manual's spelling of registers (as the kernel's
# own tables have it), all exports in one list, masks as macro arguments used twice, version
# comparisons (taken for constants) in compat.h.
ignore=FILE_PATH_CHANGES,SPDX_LICENSE_TAG,NOT_UNIFIED_DIFF,MAINTAINERS,LINUX_VERSION_CODE
ignore=$ignore,PREFER_KERNEL_TYPES,CAMELCASE,MACRO_ARG_REUSE

style() {
	n=0
	source=$(model/lab/source.sh) || return
	for file in drivers/*.[ch] lib/*.c include/v9trace/*.h selftests/target/module/*.c; do
		log=build/log/checkpatch.log
		case $file in
		drivers/core.c) more=,EXPORT_SYMBOL ;;
		drivers/compat.h) more=,CONSTANT_COMPARISON,MACRO_ARG_UNUSED ;;
		# as the kernel's own lists of tracepoints are written
		drivers/v9_events.h) more=,PARENTHESIS_ALIGNMENT,OPEN_ENDED_LINE ;;
		*) more= ;;
		esac
		# From build/: it leaves a cache where it stands.
		(cd build && perl "$source/scripts/checkpatch.pl" --no-tree --strict --terse --quiet \
			--ignore "$ignore$more" --file "../$file") >"$log" 2>&1
		judge "checkpatch_$(echo "$file" | tr './' __)" "$log" $?
	done
	for file in drivers/*.[ch] lib/*.c include/v9trace/*.h selftests/target/module/*.c; do
		log=build/log/kernel-doc.log
		perl "$source/scripts/kernel-doc" -none -Wall -Werror "$file" >"$log" 2>&1
		judge "kernel_doc_$(echo "$file" | tr './' __)" "$log" $?
	done
	echo "1..$n"
}

build >"$results/build.tap"
style >"$results/style.tap"
! grep -q '^not ok' "$results"/*.tap
