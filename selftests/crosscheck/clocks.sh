#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Places SPE samples on the ETE path when timestamps are coarse, late or offset. Ten programs run: those of clocks.cc,
# one that generates code, an interpreter, and the kernel. For each clock both units record them in one session, and the
# places are compared with the model's. No place of the class "exact" may be wrong, and the candidates must contain the
# sampled instruction. The share of each class is printed for each program. With timestamps of 1 ns, 90 % of the samples
# must be exact or path exact; with the other clocks 70 %.
#
# With -icount an instruction takes 1 ns and one cycle. Hence the options: the lowest frequency is 1 GHz, and no
# timestamp is wrong by 200 ns.
#
#   [KERNEL=6.1|6.12|7] [CLOCKS="fine any ..."] clocks.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
fs=$work/fs
begin "$fs/v9/demo" "$fs/usr/bin"
programs="loops recursion threads exec signals exceptions server"

selftests/lab/peers.sh -t cxx run -- aarch64-linux-gnu-g++ -std=c++20 -O2 -Wall -Wextra -Werror -static -pthread \
	-Wl,--build-id -o "$fs/v9/demo/clocks" selftests/crosscheck/clocks.cc || exit 1
selftests/lab/root.sh run -- sh -c '
	aarch64-linux-gnu-gcc -O2 -Wall -Wextra -Werror -static -Wl,--build-id -o "$1/jit" selftests/crosscheck/jit.c &&
	make -s -C tools STATIC=1 && make -s -C tools STATIC=1 ARCH=arm64' sh "$fs/v9/demo" || exit 1
selftests/lab/modules.sh "$KERNEL" >&2 || exit 1
tree=$(selftests/lab/guest.sh path "$KERNEL")/tree
cp "$tree/usr/bin/busybox" "$tree/usr/bin/bash-static" "$fs/usr/bin/"
ln -s usr/bin "$fs/bin"

guest='
	set -e
	for m in core spe ete; do insmod /v9/modules/v9_$m.ko; done
	cd /tmp
	for p in '"$programs"'; do ln -s clocks /v9/demo/$p; done
	cat >all <<-END
		set -e
		for p in '"$programs"'; do /v9/demo/\$p 4; done
		/v9/demo/jit apart
		bash-static -c "for ((i = s = 0; i < 300; i++)); do ((s += i % 7)) || :; t=\\\${t%x}\\\${s}x; done"
	END
	v9trace record -q -o /out/both.data -m ,64M -c 1024 -e arm_spe_0// -e cs_etm// -- sh all
'
# session NAME OPTIONS [SHARE]: a clock by options of the model
session() {
	out=$work/$1
	mkdir -p "$out"
	selftests/lab/run.sh -o "$out" -t 900 -x '-icount shift=0' -f "$fs/v9/demo/clocks:/v9/demo/clocks" \
		-f "$fs/v9/demo/jit:/v9/demo/jit" \
		-q "v9-spe=on,v9-ete=on,v9-log=$out/model.json,v9-pclog=$out/pcs,cntfrq=1000000000$2" -- "$guest" \
		>"$out/stdout" 2>"$out/stderr"
	check "$1_records" $? "$(tail -n 1 "$out/stderr")"
	v9trace() { HOME=$work/none build/tools/host/v9trace "$@"; }
	v9trace script --joint --least-mhz 1000 --most-mhz 1000 --stamp-error 200 --json -F cpu,comm,tid,time,pc,ts,el,op,lat \
		--symfs "$fs" "$out/both.data" >"$out/places" 2>"$out/warnings"
	check "$1_places" $? "$(tail -n 1 "$out/warnings")"
	v9trace report --joint --least-mhz 1000 --most-mhz 1000 --stamp-error 200 --symfs "$fs" "$out/both.data" >"$out/report" 2>/dev/null
	why=$(python3 -B selftests/crosscheck/clocks.py "$out/model.json" "$out/places" \
		"$(echo $programs | tr ' ' ,),jit,bash-static,kernel" ${3:-} 2>&1)
	check "$1_nothing_exact_is_wrong" $? "$(echo "$why" | tail -n 1)"
	echo "$why" | sed "s/^/# $1: /" >>"$tap"
	grep -h 'clock of ETE less' "$out/report" | sed "s/^ */# $1: /" >>"$tap"
	rm -f "$out"/pcs.*
}
for clock in ${CLOCKS:-fine eight forty any sparse ahead all}; do
	case $clock in
	fine) session fine '' 90 ;;
	eight) session eight ,v9-clock-step=8 70 ;;
	forty) session forty ,v9-clock-step=40 70 ;;
	any) session any ,v9-spe-stamp=1 70 ;;
	sparse) session sparse ,v9-ete-ts-cycles=4096 70 ;;
	ahead) session ahead ,v9-ete-ts-offset=30000 70 ;;
	all) session all ,v9-clock-step=40,v9-spe-stamp=1,v9-ete-ts-cycles=4096,v9-ete-ts-offset=30000 70 ;;
	esac
done
finish
