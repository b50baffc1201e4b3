#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Do the modules build, without a warning of W=1, against each kernel for arm64 that Debian's archive
# has? What it no longer has is skipped by name. README's table of kernels names the same.
# kernels.sh SUITE writes build/results/SUITE.tap; kernels.sh -k KERNEL... prints the results of these.
set -u
cd "$(dirname "$0")/.." || exit 2
mkdir -p build/results/modules build/log

# Names as kernel_find() of lab/kernel-lib.sh takes them
kernels() {
	local from
	echo 6.1 6.1-rt 6.1-cloud
	for from in 6.12 6.12-bookworm 6.12-bookworm-backports 7 7-trixie-backports; do
		echo $from $from-16k $from-rt $from-cloud
	done
}

build() {
	local n=0 kernel log status found headers name
	for kernel; do
		n=$((n + 1))
		name=w1_clean_$(echo "$kernel" | tr .- __)
		log=build/log/kernels-$kernel.log
		if ! headers=$(selftests/lab/kernel.sh headers "$kernel" 2>"$log"); then
			if grep -q 'has no kernel' "$log"; then
				echo "ok $n - $name # SKIP the archive has none"
			else
				echo "not ok $n - $name # $(tail -n 1 "$log")"
			fi
			continue
		fi
		rm -rf "build/modules-kernels/$kernel"
		V9_MODULES_IN=modules-kernels selftests/lab/modules.sh "$kernel" W=1 >"$log" 2>&1
		status=$?
		found=$(grep -m 1 -E '(warning|WARNING|error|ERROR):' "$log")
		# Each module was built for that kernel.
		for m in core spe ete brbe; do
			[ $status -ne 0 ] || grep -qa "vermagic=${headers##*/linux-headers-} " \
				"build/modules-kernels/$kernel/v9_$m.ko" || found="v9_$m.ko is not for that kernel"
		done
		if [ $status -eq 0 ] && [ -z "$found" ]; then
			echo "ok $n - $name"
		else
			echo "not ok $n - $name # status $status ${found:-$(tail -n 1 "$log")}"
		fi
		echo "# ${headers##*/linux-headers-}"
		rm -rf "build/modules-kernels/$kernel"
	done
	echo "1..$n"
}

if [ "${1:-}" = -k ]; then
	shift
	build "$@"
	exit
fi
tap=build/results/$1.tap
# shellcheck disable=SC2046
build $(kernels) >"$tap"
! grep -q '^not ok' "$tap"
