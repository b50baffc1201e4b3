#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# v9_ete checked with stock perf: each instruction that it decodes of our recordings is one that the
# model traced, none is missing; and it makes the same of a recording by our driver as of one by
# the in-tree driver.
#
#   [KERNEL=6.12|7] ete_driver.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
#   BOOTS=vhe ete_driver.sh SUITE          boots the kernel at EL2 only; BOOTS=el1: at EL1 only (ete_driver_el1.tap)
#
# Two boots: the kernel at EL2 and at EL1. In the first a program that is the same each time
# (steps.c) is recorded with the in-tree driver, then with ours, until there is a recording that no
# interrupt cut; these two must give the same branches, report, and branch stacks for a compiler's
# profile (perf inject). Every file that both PMUs have for perf says the same. Also in the first, a
# program runs a machine under KVM that has a clock of its own (turns.c), with its kernel and as an
# ordinary user: stock perf gives each branch a time of the host's clock. In both the program
# that goes every way (flow.c) is recorded, and again with a buffer that fills many times; then
# v9trace stat is asked what was counted. The strict model may note nothing.
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
needs_perf_for_ete
begin "$work/bin"

selftests/lab/root.sh run -- sh -c '
	aarch64-linux-gnu-gcc -O2 -Wall -Wextra -Werror -static -march=armv8.3-a \
		-mbranch-protection=pac-ret -o "$1/bin/flow" selftests/crosscheck/flow.c &&
	aarch64-linux-gnu-gcc -O2 -Wall -Wextra -Werror -static -nostdlib -ffreestanding \
		-o "$1/bin/steps" selftests/crosscheck/steps.c &&
	aarch64-linux-gnu-gcc -O2 -Wall -Wextra -Werror -static -Iselftests/target \
		-o "$1/bin/turns" selftests/crosscheck/turns.c selftests/target/vm.c \
		selftests/target/guest.S &&
	gcc -O2 -Wall -Wextra -Werror -o "$1/pcs" selftests/crosscheck/pcs.c &&
	make -s -C tools STATIC=1 && make -s -C tools STATIC=1 ARCH=arm64' sh "$work" || exit 1
selftests/lab/modules.sh "$KERNEL" >&2 || exit 1

# One CPU, so that there is one list.
guest='
	set -e
	rec() {
		name=$1 size=$2
		shift 2
		taskset 2 perf record -q --no-buildid-mmap -e cs_etm//u -m,$size -o /out/$name.data -- "$@"
		echo $name >>/out/sessions
	}
	steps() {
		for i in $(seq 150); do
			rec $1.$i 1M /v9/demo/steps
			v9trace dump /out/$1.$i.data >/tmp/dump
			grep -q "Exception IRQ" /tmp/dump || break
		done
		echo $1.$i >>/out/uncut
	}
	files() {
		cd /sys/bus/event_source/devices/cs_etm
		for f in cpu?/trcidr/trcidr[0123458] cpu?/mgmt/trcauthstatus cpu?/mgmt/trcdevarch; do
			[ ! -e $f ] || printf "%s %x\n" $f $(cat $f)
		done
		grep . cpu?/cpu cpu?/ts_source format/cycacc format/branch_broadcast format/contextid \
			format/contextid1 format/retstack
		cd /
	}
	# With timestamps, which perf of some kernels converts only if the option has its old name.
	times() {
		name=$1 how=$2
		shift 2
		"$@" "taskset 1 perf record -q -T --no-buildid-mmap $how -o /out/time/$name.data \
			-- /v9/demo/turns 20"
	}
	echo 0 >/proc/sys/kernel/randomize_va_space
	if [ $mode = vhe ]; then
		taskset 2 /v9/demo/steps
		modprobe coresight-etm4x
		modprobe coresight-trbe
		files >/out/files.theirs
		steps theirs
		rmmod coresight_trbe coresight_etm4x
		rmmod coresight
	fi
	insmod /v9/modules/v9_core.ko
	insmod /v9/modules/v9_ete.ko
	if [ $mode = vhe ]; then
		files >/out/files.ours
		steps ours
		perf record -q -e cs_etm/strobe/u -o /tmp/strobe.data -- /v9/demo/steps
		v9trace record -q -e cs_etm/autofdo/u -o /tmp/autofdo.data -- /v9/demo/steps
		taskset 1 perf record -q -e cs_etm/@trbe0,autofdo,preset=9/u -o /tmp/preset.data -- /v9/demo/steps
		taskset 1 perf record -q -e cs_etm/panicstop/k -o /tmp/panicstop.data -- /v9/demo/steps
		mkdir -m 777 /out/time
		times kernel "--kcore -e cs_etm/timestamp=1/ -m,16M" sh -c
		echo nobody:x:65534:65534::/:/bin/sh >>/etc/passwd
		echo 1 >/proc/sys/kernel/perf_event_paranoid
		chmod 666 /dev/kvm
		times user "-e cs_etm/timestamp=1/u -m,64K" su nobody -s /bin/sh -c
	fi
	rec flow 8M /v9/demo/flow
	rec small 16K /v9/demo/flow
	v9trace stat -1 --json cs_etm >/out/stat
	for f in /sys/bus/event_source/devices/cs_etm/stats/*; do
		printf "\"%s\":%s\n" ${f##*/} $(cat $f)
	done >/out/stats
	cp -r /root/.debug /out/debug
'

# perf of the guest, here
perf() { selftests/lab/kernel.sh run "$KERNEL" perf --buildid-dir "$out/debug" "$@"; }

same() {	# NAME FILE FILE [CHECK]
	[ -s "$2" ] && cmp -s "$2" "$3"
	${4:-check} "$1" $? "$(wc -l <"$2") lines, $(diff "$2" "$3" | grep -c '^[<>]') differ: $(
		diff "$2" "$3" | grep -m 1 '^[<>]' | tr -s ' ' | cut -c 1-200)"
}

# The outputs of perf for one recording, without the time and the name of the file in headers
seen() {	# SESSION NAME
	perf script -i "$out/$1.data" --itrace=b -F ip,addr,sym,flags >"$out/$2.branches" 2>/dev/null
	perf report -i "$out/$1.data" --stdio --itrace=i10i -F overhead,sample,sym 2>/dev/null |
		grep -v '^#' >"$out/$2.report"
	perf inject --itrace=i1000il64 -i "$out/$1.data" -o "$out/$2.inject" 2>/dev/null
	perf script -i "$out/$2.inject" -F ip,brstack >"$out/$2.stacks" 2>/dev/null
}

# Compares what a decoder made of each session with the list: $out/results.DECODER has a line for each.
results() {	# DECODER CHECK NAME NAME
	local modes=()
	for session in $(cat "$out/sessions"); do
		[ "$session" = small ] && modes+=(part) || modes+=(exact)
		modes+=("$out/$session.$1")
	done
	"$work/pcs" "$out/pcs.1" "${modes[@]}" >"$out/compare" 2>&1
	paste "$out/sessions" "$out/compare" >"$out/results.$1"
	grep -q '^flow	ok ' "$out/results.$1"
	$2 "${mode}_$3" $? "$(grep ^flow "$out/results.$1")"
	grep -q '^small	ok ' "$out/results.$1"
	$2 "${mode}_$4" $? "$(grep ^small "$out/results.$1")"
}

crosscheck() {	# MODE OPTIONS-OF-RUN...
	mode=$1
	shift
	out=$work/$mode
	mkdir -p "$out"
	selftests/lab/run.sh -o "$out" -t 900 \
		-q "v9-ete=on,v9-log=$out/model.json,v9-pclog=$out/pcs,v9-strict=log" "$@" \
		-f "$work/bin/steps:/v9/demo/steps" -f "$work/bin/flow:/v9/demo/flow" -f "$work/bin/turns:/v9/demo/turns" \
		-f "$PWD/build/tools/arm64/v9trace:/usr/bin/v9trace" \
		-- "mode=$mode; $guest" >"$out/stdout" 2>"$out/stderr"
	status=$?
	check "${mode}_records" $status "the guest ended with status $status: $(tail -n 1 "$out/stderr")"
	[ $status -eq 0 ] || return

	for session in $(cat "$out/sessions"); do
		perf script -i "$out/$session.data" --itrace=i1i -F ip \
			>"$out/$session.txt" 2>"$out/$session.err"
		decode_ours "$out" "$session"
	done
	results txt check_perf flow_equals_list small_is_part_of_list
	results ours check flow_of_ours small_of_ours

	grep -q '"k":"trbe_event"' "$out/model.json"
	check "${mode}_buffer_filled" $? "no management event: the small buffer never filled"
	# v9trace stat prints the values of the files.
	tr -d ' {}' <"$out/stat" | tr ',' '\n' | sort >"$out/stat.output"
	missing=$(sort "$out/stats" | comm -23 - "$out/stat.output" | head -n 1)
	grep -q '"bytes":[1-9]' "$out/stat.output" && [ -z "$missing" ]
	check "${mode}_stat_says_so" $? "missing: $missing"

	grep '"k":"violation"' "$out/model.json" >"$out/violations"
	[ ! -s "$out/violations" ]
	check "${mode}_no_rule_broken" $? "$(wc -l <"$out/violations") violations: $(head -n 1 "$out/violations")"
}

# Each branch must be between the begin and the end of the program by the kernel's clock. Tracing
# begins in exec, before that is recorded, so the first branches may be earlier by that time.
times() {	# NAME LEAST
	perf script -i "$out/time/$1.data" --show-task-events --itrace=b -F comm,time,ip \
		2>/dev/null >"$out/$1.times"
	awk -v least="$2" '
		/PERF_RECORD_COMM exec/ { begin = $2 - 1 }
		/PERF_RECORD_EXIT/ { end = $2 + 0 }
		# Other lines are messages of the decoder about kernel code that was patched
		# meanwhile.
		!/PERF_RECORD/ && $2 ~ /^[0-9]+[.][0-9]+:$/ { t[n++] = $2 + 0 }
		END {
			for (i = 0; i < n; i++)
				outside += t[i] < begin || t[i] > end
			print n " branches, " outside + 0 " of them outside of " begin " to " end
			exit !(n >= least && begin > 1 && end > begin && !outside)
		}' "$out/$1.times" >"$out/$1.checked"
	check "vhe_times_of_${1}" $? "$(cat "$out/$1.checked")"
}

# The recordings of steps.c, from which two are chosen
steps() {	# DECODER CHECK NAME
	! grep '^[a-z]*\.' "$out/results.$1" | grep -qv '	ok '
	$2 "$3" $? "$(grep '^[a-z]*\.' "$out/results.$1" | grep -v '	ok ')"
}

# The output of stock perf for both recordings of the same program
compare() {
	out=$work/vhe
	steps txt check_perf both_equal_list
	steps ours check both_of_ours
	read -r theirs ours <<<"$(tr '\n' ' ' <"$out/uncut")"
	seen "$theirs" theirs
	seen "$ours" ours
	same "same_branches" "$out/theirs.branches" "$out/ours.branches" check_perf
	same "same_report" "$out/theirs.report" "$out/ours.report" check_perf
	same "same_stacks" "$out/theirs.stacks" "$out/ours.stacks" check_perf
	for session in "$theirs" "$ours"; do
		decode_ours "$out" "$session" --insn
		awk -f selftests/crosscheck/pcs.awk "$out/$session.ours" >"$out/$session.insns"
	done
	same "same_instructions" "$out/$theirs.insns" "$out/$ours.insns"
	same "same_files" "$out/files.theirs" "$out/files.ours"
}

if [ "${BOOTS:-vhe}" = vhe ]; then
	crosscheck vhe
	[ ! -e "$work/vhe/results.ours" ] || {
		compare
		times kernel 10000
		times user 1000
	}
fi
[ "${BOOTS:-el1}" != el1 ] || crosscheck el1 -m virtualization=off
finish
