#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Routing of management events, tested by firmware at EL3 on the bare machine. Builds the image,
# runs it once per setting of the model below, and splits its output into
# build/results/firmware/<suite>.tap. Other settings: strict_<suite>.tap: effects are delayed, and
# violations are checked; granule_gpc.tap: FEAT_RME; el2_<suite>.tap: a machine without EL3;
# fine_access.tap: SPEv1p5, FEAT_FGT2, FEAT_ITE and FEAT_TRBE_MPAM; late_other_pe.tap: two PEs, and
# the longest delays. samples.tap: SPEv1p3, tagged memory. brbe.tap: FEAT_BRBE with 64 records; in strict_brbe.tap it is FEAT_BRBEv1p1. The
# profiling unit has v9-mixed: SPEv1p2, which reports external aborts, with FEAT_SPE_EXC.
# 	firmware.sh [SUITE...]	with names, only the runs that write one of these
# 	V9_QEMU			another emulator
set -u
cd "$(dirname "$0")/../.." || exit 2
out=build/firmware
results=build/results/firmware
mkdir -p "$out" "$results"

FLAGS="-O2 -g -Wall -Wextra -Wno-missing-field-initializers -Werror
	-ffreestanding -nostdlib -static -march=armv8.5-a
	-mgeneral-regs-only -mstrict-align -fno-stack-protector -fno-pic -no-pie
	-Wl,--build-id=none -Wl,--no-warn-rwx-segments -Wl,-T,selftests/firmware/fw.ld"
# shellcheck disable=SC2086 # the flags are many words
selftests/lab/root.sh run -- aarch64-linux-gnu-gcc $FLAGS -Iinclude -o "$out/fw.elf" \
	selftests/firmware/*.S selftests/firmware/*.c || exit 1
qemu=${V9_QEMU:-$(selftests/lab/qemu.sh path)} || exit 1

# split FILE PREFIX: splits the output; "@suite NAME" begins a suite, "@end" ends the last one
split() {
	LC_ALL=C awk -v dir="$results" -v prefix="$2" '
		{ sub(/\r$/, "") }
		/^@suite / { file = dir "/" prefix $2 ".tap"; printf "" >file; next }
		/^@end/ { file = ""; next }
		file != "" { print >file }
		' "$1"
}

# run PREFIX PROPERTIES [PES [MACHINE-OPTIONS]]: one boot
run() {
	prefix=$1
	log=$out/${prefix}violations
	rm -f "$log" "$out/${prefix}console" "$results/$prefix"{record,exception,access,translation,inputs,brbe,gpc,other_pe,samples,rules}.tap
	secure=on
	[ "$prefix" != el2_ ] || secure=off
	selftests/lab/root.sh run -- timeout 600 "$qemu" \
		-machine "virt,gic-version=3,secure=$secure,virtualization=on${4:-}" \
		-cpu "max,v9-spe=on,v9-ete=on,v9-trbe-exc=on,v9-spe-exc=on,v9-spe-nvm=on,v9-mixed=on,v9-inject=on,v9-brbe=on,v9-brbe-records=64$2" \
		-smp "${3:-1}" -m 256M -nodefaults -display none -serial "file:$out/${prefix}console" \
		-semihosting-config enable=on,target=native -kernel "$out/fw.elf"
	split "$out/${prefix}console" "$prefix"
	tail -n1 "$out/${prefix}console" | grep -q '^@end' || {
		tail -n 3 "$out/${prefix}console"
		echo "not ok 0 - complete # the firmware did not come to its end" >>"$results/${prefix}record.tap"
	}
}

# In the log of the strict model: the firmware breaks only the rules that it announces ("# breaks
# RULE"), and the model reports each of these.
check_violations() {
	sed -n 's/.*"k":"violation".*"rule":"\([^"]*\)".*/\1/p' "$log" | sort >"$out/noted"
	tr -d '\r' <"$out/${prefix}console" | sed -n 's/^# breaks //p' | sort >"$out/broken"
	comm -23 "$out/noted" "$out/broken" >"$out/unannounced"
	comm -13 "$out/noted" "$out/broken" >"$out/unreported"
	n=$(wc -l <"$out/unannounced")
	while read -r rule; do grep -m1 "\"$rule\"" "$log"; done <"$out/unannounced" | sort -u | sed 's/^/# /'
	[ "$n" -eq 0 ] || printf 'not '
	echo "ok 1 - no_rule_broken # $n violations"
	[ -s "$out/broken" ] && [ ! -s "$out/unreported" ] || printf 'not '
	echo "ok 2 - broken_rules_are_reported # $(wc -l <"$out/broken"), and not reported: $(echo $(cat "$out/unreported"))"
	echo "1..2"
}

status=0
want() { case " ${suites:-all} " in *" all "* | *" $1"*) ;; *) return 1 ;; esac; }
suites=$(printf '%s\n' "$@" | sed 's|^firmware/||' | tr '\n' ' ')
[ $# -gt 0 ] || suites=all
if want record || want exception || want access || want translation ||
	want inputs || want brbe; then
	run '' ''
fi
if want samples; then
	run tags_ ',v9-spe-version=4,v9-spe-predicates=on,v9-spe-sme=on' 1 ,mte=on
	mv "$results/tags_samples.tap" "$results/samples.tap"
fi
if want granule_; then
	run granule_ ',x-rme=on'
fi
if want fine_; then
	run fine_ ',v9-fgt2=on,v9-trbe-mpam=on,v9-ite=on,v9-spe-version=6,v9-spe-fds=on,v9-spe-max-size=7'
fi
if want el2_; then
	run el2_ ''
fi
if want strict_; then
	run strict_ ",v9-brbe-version=2,v9-strict=log,v9-delay=random,v9-log=$PWD/$out/strict_violations"
	check_violations >"$results/strict_rules.tap"
fi
if want late_; then
	run late_ ",v9-delay=max" 2
fi
cat "$results"/*.tap | grep '^not ok' && status=1
exit $status
