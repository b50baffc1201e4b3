#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Do the modules build without a warning on each kernel of MODULES, and would they pass review?
# Is what Documentation/limits.rst says of them still true?
# Writes TAP to build/results/modules/{build,style,limits}.tap.
set -u
cd "$(dirname "$0")/.." || exit 2
results=build/results/modules
mkdir -p "$results" build/log

warned='(warning|WARNING|error|ERROR|CHECK):'

# judge NAME STATUS: passed if the status is 0 and standard input has no warning in it
judge() {
	n=$((n + 1))
	if said=$(grep -m 1 -E "$warned"); then
		echo "not ok $n - $1 # $said"
	elif [ "$2" -ne 0 ]; then
		echo "not ok $n - $1 # status $2"
	else
		echo "ok $n - $1"
	fi
}

# In a place of their own: what guests get meanwhile is not built with other flags.
build() {
	n=0
	for kernel in ${MODULES:-6.1 6.12 7}; do
		log=build/log/modules-$kernel.log
		rm -rf "build/modules-checked/$kernel"
		V9_MODULES_IN=modules-checked model/lab/modules.sh "$kernel" W=1 C=2 >"$log" 2>&1
		judge "w1_and_sparse_clean_$(echo "$kernel" | tr . _)" $? <"$log"
	done
	echo "1..$n"
}

# What checkpatch asks of files inside the kernel's tree, and what this house decided otherwise:
# C99 types in code that three worlds compile, the manual's spelling of registers (as the kernel's
# own tables have it), all exports in one list, masks as macro arguments used twice, in compat.h
# version comparisons (taken for constants) and arguments that not each kernel wants, tracepoints
# as the kernel lays them out.
ignore=FILE_PATH_CHANGES,SPDX_LICENSE_TAG,NOT_UNIFIED_DIFF,MAINTAINERS,LINUX_VERSION_CODE
ignore=$ignore,PREFER_KERNEL_TYPES,CAMELCASE,MACRO_ARG_REUSE

# of_each CHECK STATUS LOG FILE...: one result per file, of a log whose lines begin with the file.
# A status that no file has earned is everybody's.
of_each() {
	check=$1 status=$2 log=$3
	shift 3
	grep -qE "$warned" "$log" && status=0
	for file; do
		grep -F "$file:" "$log" >build/log/of_file
		judge "${check}_$(echo "$file" | tr './' __)" "$status" <build/log/of_file
	done
}

# checkpatch MORE-TO-IGNORE FILE...; from build/: it leaves a cache where it stands
checkpatch() {
	more=$1 log=build/log/checkpatch$1.log
	shift
	(cd build && printf '../%s\n' "$@" | xargs perl "$source/scripts/checkpatch.pl" --no-tree \
		--strict --terse --quiet --ignore "$ignore$more" --file) >"$log" 2>&1
	of_each checkpatch $? "$log" "$@"
}

style() {
	n=0
	source=$(model/lab/source.sh) || return
	checkpatch ,EXPORT_SYMBOL drivers/core.c
	checkpatch ,CONSTANT_COMPARISON,MACRO_ARG_UNUSED drivers/compat.h
	checkpatch ,PARENTHESIS_ALIGNMENT,OPEN_ENDED_LINE drivers/v9_events.h
	set -- drivers/*.[ch] lib/*.c include/v9trace/*.h selftests/target/module/*.c
	# shellcheck disable=SC2046
	checkpatch '' $(printf '%s\n' "$@" | grep -vE '^drivers/(core\.c|compat\.h|v9_events\.h)$')
	log=build/log/kernel-doc.log
	perl "$source/scripts/kernel-doc" -none -Wall -Werror "$@" >"$log" 2>&1
	of_each kernel_doc $? "$log" "$@"
	echo "1..$n"
}

# rows WHAT: the rows of that table of limits.rst
rows() {
	sed -n "/^\.\. begin $1$/,/^\.\. end $1$/p" Documentation/limits.rst |
		grep -E ' (yes|no) +(yes|no) +(yes|no)$'
}

# said KERNEL 6.1 6.12 7: the word in its column
said() {
	case $1 in
	6.1) echo "$2" ;;
	6.12) echo "$3" ;;
	*) echo "$4" ;;
	esac
}

# limit NAME COLUMNS COMMAND...: what is said of each kernel is what the command, with the place of
# its headers, finds
limit() {
	name=$(echo "$1" | tr '[:upper:]' '[:lower:]') columns=$2
	shift 2
	n=$((n + 1))
	for kernel in ${MODULES:-6.1 6.12 7}; do
		want=$(said "$kernel" $columns) have=no
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
		model/lab/kernel.sh headers "$kernel" >"build/log/headers-$kernel" || return
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

build >"$results/build.tap"
style >"$results/style.tap"
limits >"$results/limits.tap"
! grep -q '^not ok' "$results"/*.tap
