#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Names of addresses in recordings of samples that are read elsewhere: in the next boot, whose kernel
# and modules lie elsewhere, and on this machine, which runs another kernel. v9trace and stock perf
# record; of perf's recording each name of the kernel must come from the machine that reads it. Each
# name is compared with /proc/kallsyms of the first boot.
#
#   [KERNEL=6.1|6.12|7] symbols.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
begin

selftests/lab/modules.sh "$KERNEL" >"$work/build" 2>&1 &&
	selftests/lab/root.sh run -- sh -c 'aarch64-linux-gnu-gcc -O2 -Wall -Wextra -Werror -static \
		-o "$1/bsort" selftests/crosscheck/bsort.c &&
		make -s -C tools STATIC=1 && make -s -C tools STATIC=1 ARCH=arm64' sh "$work" >>"$work/build" 2>&1 ||
	exit 1
mkdir -p "$work/home" "$work/none"
# Nothing of this machine is used in place of the guest's files.
here() { env -u DEBUGINFOD_URLS HOME="$work/home" build/tools/host/v9trace "$@" --symfs "$work/none"; }

# What reads the sysfs files of v9_core executes its functions.
first='
	set -e
	insmod /v9/modules/v9_core.ko
	insmod /v9/modules/v9_spe.ko
	cp /proc/kallsyms /out/kallsyms
	e=arm_spe_0/ts_enable=1,jitter=1/
	work="/v9/demo/bsort
		for i in \$(seq 40); do cat /sys/bus/event_source/devices/arm_spe_0/stats/*; done"
	v9trace record -q -e $e -c 2048 -o /out/ours.data -- sh -c "$work" >/dev/null
	perf record -q -N -e $e -c 2048 -o /out/theirs.data -- sh -c "$work" >/dev/null
	echo 2 >/proc/sys/kernel/kptr_restrict
	v9trace record -q -e $e -c 2048 -o /out/hidden.data -- sh -c "$work" >/dev/null
	echo 0 >/proc/sys/kernel/kptr_restrict
	cd /out
	v9trace archive -q -o archive.tar.zst ours.data
'
# read NAME FILE [COMMAND...]: what the user of COMMAND gets
second='
	insmod /v9/modules/v9_core.ko && insmod /v9/modules/v9_spe.ko || exit
	cp /proc/kallsyms /out/kallsyms
	chmod 644 /v9/in/*
	read_as() {
		name=$1 file=$2
		shift 2
		"$@" v9trace script -F el,pc,sym /v9/in/$file.data >/out/$name.txt 2>/out/$name.err
		"$@" v9trace report /v9/in/$file.data >/out/$name.report 2>>/out/$name.err
	}
	user="/usr/sbin/chroot --userspec=1000:1000 /"
	restrict=/proc/sys/kernel/kptr_restrict
	read_as root theirs
	read_as root_hidden hidden
	echo 2 >$restrict
	read_as restricted theirs
	echo 1 >$restrict
	read_as user_restricted theirs $user
	echo 0 >$restrict
	echo 1 >/proc/sys/kernel/perf_event_paranoid
	read_as user theirs $user
	rmmod v9_spe v9_core
	read_as no_modules theirs
'
boot() {	# NAME SCRIPT [OPTIONS]
	local name=$1 script=$2
	shift 2
	selftests/lab/run.sh -o "$work/$name" -t 900 -q v9-spe=on -f "$work/bsort:/v9/demo/bsort" "$@" \
		-- "$script" >"$work/$name.log" 2>&1
}
# where BOOT NAME: address of the first symbol with that regular expression at the end of its line;
# that of the kernel is _stext: 6.1 does not list _text.
where() { sort "$work/$1/kallsyms" | grep -m 1 " $2\$" | cut -d ' ' -f 1; }
# moved NAME: by how much the second boot has moved it
moved() { echo $((0x$(where second "$1") - 0x$(where first "$1"))); }

boot first "$first"
check records $? "$(tail -n 1 "$work/first.log")"
# By chance the second boot can have the same places.
for try in 1 2 3; do
	files=()
	for f in theirs hidden; do files+=(-f "$work/first/$f.data:/v9/in/$f.data"); done
	boot second "$second" "${files[@]}"
	status=$?
	core='[tT] [^$].*\[v9_core\]'
	[ "$(moved 'T _stext')" = 0 ] || [ "$(moved 'T _stext')" = "$(moved "$core")" ] || break
done
check reads $status "$(tail -n 1 "$work/second.log")"
[ "$(moved 'T _stext')" != 0 ] && [ "$(moved 'T _stext')" != "$(moved "$core")" ]
check kernel_and_modules_have_moved $? "by $(moved 'T _stext') and $(moved "$core") after $try boots"

# On this machine
for f in ours theirs; do
	here script -F el,pc,sym "$work/first/$f.data" >"$work/second/host_$f.txt" 2>&1
	here report "$work/first/$f.data" >"$work/second/host_$f.report" 2>&1
done
here report --limit 0 --debug-dir "$work/first/archive.tar.zst" "$work/first/ours.data" \
	>"$work/second/archive.report" 2>&1

# names READ KERNEL MODULES: "all" addresses of the kernel, of modules have names, or "none"
names() {
	local result kernel modules wrong missing
	result=$(python3 -B selftests/crosscheck/names.py "$work/first/kallsyms" "$work/second/$1.txt" 2>&1)
	read -r kernel modules wrong missing _ <<<"$result"
	[ "$wrong" = 0 ] && case $2 in all) [ "$kernel" -gt 1000 ] ;; none) [ "$kernel" = 0 ] ;; esac &&
		case $3 in all) [ "$modules" -gt 10 ] ;; none) [ "$modules" = 0 ] ;; esac &&
		case $2$3 in allall) [ "$missing" = 0 ] ;; *) [ "$missing" -gt 10 ] ;; esac
	check "$1_names" $? "$result"
}
# says READ WORDS: the report has this reason for an object without symbols
says() {
	sed -n '/^Objects without symbols/,$p' "$work/second/$1.report" | grep -q "$2"
	check "$1_is_told" $? "$(sed -n '/^Objects without symbols/,$p' "$work/second/$1.report" | sed -n '3p')"
}
names host_ours all all
names root all all
names user all all
names host_theirs none none
says host_theirs 'kernel.kallsyms.*the kernel that runs here has another build-id'
names restricted none none
says restricted 'this machine runs the recorded kernel, but hides its addresses'
names user_restricted none none
says user_restricted 'this machine runs the recorded kernel, but hides its addresses'
names no_modules all none
says no_modules '\[v9_core\] *this module is not loaded here'
names root_hidden none none
says root_hidden 'the capture does not say where its kernel was'
# No function of the kernel is expected by name: which ones are the hottest depends on the load of this
# machine. Each listed name is one of the first boot's kernel.
sed -n '/^Hottest/,/^$/s/.*\[kernel\.kallsyms\]  *\([^ ]*\)$/\1/p' "$work/second/archive.report" | sort -u >"$work/hottest"
grep -q 'bsort  *is_wrong' "$work/second/archive.report" && [ "$(wc -l <"$work/hottest")" -gt 50 ] &&
	! cut -d ' ' -f 3 "$work/first/kallsyms" | grep -vxFf - "$work/hottest" >"$work/unnamed"
check archive_names_programs $? "$(head -n 1 "$work/unnamed") of $(wc -l <"$work/hottest")"
finish
