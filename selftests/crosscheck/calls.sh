#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The call tree of a trace is what the program wrote down at its entries and exits, call by call.
#
#   [KERNEL=6.1|6.12|7] calls.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
#
# calls.cc, linked statically and with shared libraries (PLT, lazy binding), traced in user space
# only, with the kernel, and by recording all CPUs.
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
fs=$work/fs
lib=usr/lib/aarch64-linux-gnu
begin "$fs/v9/demo" "$fs/$lib"

selftests/lab/peers.sh -t cxx run -- sh -c '
	for kind in static shared; do
		aarch64-linux-gnu-g++ -std=c++20 -O2 -Wall -Wextra -Werror -fno-inline -fno-ipa-icf \
			-finstrument-functions -finstrument-functions-exclude-file-list=/usr \
			-Wl,--build-id,-z,lazy -no-pie -fno-pie $([ $kind = shared ] || echo -static) \
			-o "$1/$kind" selftests/crosscheck/calls.cc &&
		aarch64-linux-gnu-nm "$1/$kind" | sed -n "/^[0-9a-f]/p" >"$2/$kind.nm" || exit
	done' sh "$fs/v9/demo" "$work" || exit 1
selftests/lab/root.sh run -- sh -c 'make -s -C tools ARCH=amd64 && make -s -C tools ARCH=arm64' || exit 1
selftests/lab/modules.sh "$KERNEL" >&2 || exit 1
for f in ld-linux-aarch64.so.1 libc.so.6 libm.so.6 libgcc_s.so.1 libstdc++.so.6; do
	f=$(realpath "$(selftests/lab/guest.sh path "$KERNEL")/tree/$lib/$f")
	cp "$f" "$fs/$lib/"
done

guest='
	set -e
	insmod /v9/modules/v9_core.ko
	insmod /v9/modules/v9_ete.ko
	rec() {
		name=$1
		shift
		v9trace record -q -o /out/$name.data "$@"
	}
	rec static -e cs_etm//u -m ,16M -- /v9/demo/static /out/static.log 3
	rec shared -e cs_etm//u -m ,16M -- /v9/demo/shared /out/shared.log 3
	rec stack -e cs_etm/retstack=1/u -m ,16M -- /v9/demo/static /out/stack.log 2
	rec kernel -e cs_etm// -m ,64M -- /v9/demo/static /out/kernel.log 1
	rec cpus -a -e cs_etm//u -m ,16M -- /v9/demo/static /out/cpus.log 2
'
selftests/lab/run.sh -o "$work" -t 1200 -q v9-ete=on \
	-f "$fs/v9/demo/static:/v9/demo/static" -f "$fs/v9/demo/shared:/v9/demo/shared" \
	-- "$guest" >"$work/stdout" 2>"$work/stderr"
check records $? "$(tail -n 1 "$work/stderr")"

for name in static shared stack kernel cpus; do
	program=static
	[ $name != shared ] || program=shared
	HOME=$work/none build/tools/amd64/v9trace report --calls --limit 0 --json --no-demangle --symfs "$fs" \
		"$work/$name.data" >"$work/$name.json" 2>"$work/$name.err"
	selftests/lab/root.sh run -- python3 selftests/crosscheck/calls.py "$work/$program.nm" \
		"$work/$name.log" "$work/$name.json" >"$work/$name.compare" 2>&1
	check ${name}_tree_is_the_log $? "$(tail -n 1 "$work/$name.compare"): $(head -n 1 "$work/$name.compare")"
	HOME=$work/none build/tools/amd64/v9trace script --calls-timeline --json --no-demangle \
		--symfs "$fs" "$work/$name.data" >"$work/$name.lines" 2>"$work/$name.err"
	selftests/lab/root.sh run -- python3 selftests/crosscheck/calls.py "$work/$program.nm" \
		"$work/$name.log" "$work/$name.lines" >"$work/$name.compare" 2>&1
	check ${name}_timeline_is_the_log $? "$(tail -n 1 "$work/$name.compare"): $(head -n 1 "$work/$name.compare")"
	rm -f "$work/$name.lines"
	# The most frequent function of the log: as many calls have a length, or did not end.
	most=$(awk '{ n[$NF]++ } END { for (a in n) if (n[a] > n[m]) m = a; print m, n[m] }' "$work/$name.log")
	symbol=$(awk -v a="${most% *}" '{ sub(/^0*/, "", $1) } $1 == a { print $3; exit }' "$work/$program.nm")
	calls=$(HOME=$work/none build/tools/amd64/v9trace report --calls-of "$symbol" --json --symfs "$fs" \
		"$work/$name.data" 2>"$work/$name.err" | sed -n 's/.*"measure":"instructions","calls":\([0-9]*\).*/\1/p')
	[ "${calls:-0}" = "${most#* }" ]
	check ${name}_calls_of_one_function $? "$symbol: ${calls:-none}, the log has ${most#* }"
done
# Stubs of the procedure linkage table are where objdump has them.
selftests/lab/root.sh run -- aarch64-linux-gnu-objdump -d "$fs/v9/demo/shared" |
	sed -n 's/^0*\([0-9a-f]*\) <\(.*@plt\)>:$/\1 \2/p' | sort >"$work/plt.theirs"
build/tools/amd64/v9trace script --symfs "$fs" "$work/shared.data" 2>/dev/null |
	sed -n 's/.* \([0-9a-f]*\) \([^ ]*@plt\)+0x0 (shared).*/\1 \2/p' | sort -u >"$work/plt.ours"
[ "$(wc -l <"$work/plt.ours")" -ge 10 ] && [ -z "$(comm -23 "$work/plt.ours" "$work/plt.theirs")" ]
check plt_as_objdump $? "$(wc -l <"$work/plt.ours") stubs; $(comm -23 "$work/plt.ours" "$work/plt.theirs" | head -n 1)"
# Landing pads of a recursive function: one of several levels, which is said.
HOME=$work/none build/tools/amd64/v9trace report --calls --symfs "$fs" "$work/static.data" \
	>"$work/static.txt" 2>&1
grep -q 'jumps to one of several calls of a function' "$work/static.txt"
check several_fit_is_said $? "$(sed -n 2p "$work/static.txt")"
grep -q '_start' "$work/static.txt" && grep -q '^ *[0-9.]*%.* main$' "$work/static.txt"
check main_is_there $? "$(grep -A 3 '^Call tree' "$work/static.txt" | tail -n 1)"
[ -n "${KEEP:-}" ] || rm -f "$work"/*.data
finish
