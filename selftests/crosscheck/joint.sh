#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# v9trace script --joint against the model, which knows the place of each sample in the trace: nothing that
# is called exact is wrong. A task that moves between two CPUs and is preempted; both CPUs; with a clock of
# 1 GHz and one of 62.5 MHz; with the drivers of this project, and those of the kernel. An instruction takes 1 ns
# (-icount): else time passes while the emulator works, and its two units stamp one instruction at very different
# times.
#
# Stock perf opens each of the two files: it finds as many samples and instructions as v9trace does.
#
#   [KERNEL=6.1|6.12|7] joint.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
begin "$work/bin"

selftests/lab/root.sh run -- aarch64-linux-gnu-gcc -O2 -Wall -Wextra -Werror -static -Iselftests/target \
	-o "$work/bin/turns" selftests/crosscheck/turns.c selftests/target/vm.c selftests/target/guest.S || exit 1

# A CPU without ETE: its samples are in no trace. With --flight only the trace of ETE is overwritten.
lacks() {
	out=$work/lacks
	mkdir -p "$out"
	selftests/lab/run.sh -o "$out" -t 900 -q v9-spe=on,v9-ete=on,v9-second=1/v9-ete=off -- '
		set -e
		for m in core spe ete; do insmod /v9/modules/v9_$m.ko; done
		units="-c 256 -e arm_spe_0//u -e cs_etm//u"
		cd /tmp
		v9trace record -q $units -o lacks.data -- sh -c "taskset 1 true; taskset 2 true"
		v9trace report --joint lacks.data >/out/report
		v9trace record -q --flight $units -o flight.data -- taskset 1 true
		v9trace report flight.data >/out/flight' >"$out/stdout" 2>"$out/stderr"
	check lacks_records $? "$(tail -n 1 "$out/stderr")"
	grep -q 'instructions traced  *[1-9]' "$out/report" && grep -q 'exact  *this execution' "$out/report" &&
		grep -q '[1-9][0-9]*  not placed  *of a CPU that has no trace' "$out/report"
	check lacks_trace_of_one_cpu $? "$(grep -E 'traced|not placed' "$out/report" | tr '\n' '|')"
	grep -q '^ETE: Hottest functions' "$out/flight" && grep -q '^SPE: Hottest functions' "$out/flight"
	check lacks_flight $? "$(grep Hottest "$out/flight" | tr '\n' '|')"
}

# What loads drivers in a guest: those of this project, or the kernel's own
ours='for m in core spe ete; do insmod /v9/modules/v9_$m.ko; done'
in_tree='for m in arm_spe_pmu coresight-etm4x coresight-trbe; do modprobe $m; done
	if grep -q ^v9_ /proc/modules; then exit 1; fi
	grep -q ^arm_spe_pmu /proc/modules'

# session NAME HZ LEAST RECORD-OPTIONS [LIKELY]: boots a guest whose Generic Timer has HZ, records a program with
# both units, and compares the places with the log of the model. At least LEAST samples must be exact, and LIKELY
# samples likely.
# $drivers loads the drivers. $interval is a regular expression for the number of instructions between two samples.
# $program is the shell command that is recorded. $has_calls is not empty if the program calls a function with samples
# several times.
has_calls=yes
program='for mask in 1 2; do taskset $mask zstd -q -f /tmp/in -o /tmp/in.zst; done'
session() {
	out=$work/$1
	mkdir -p "$out"
	selftests/lab/run.sh -o "$out" -t 900 -x '-icount shift=0' \
		-q "v9-spe=on,v9-ete=on,v9-log=$out/model.json,v9-pclog=$out/pcs,cntfrq=$2" \
		-f "$work/bin/turns:/v9/demo/turns" -- "set -e; program='$program'; $drivers"'
		head -c 30000 /usr/bin/perf >/tmp/in
		v9trace record -q -o /tmp/both.data -m ,16M -c 1024 '"$4"' -- \
			sh -c "$program"
		v9trace script --joint --json -F cpu,tid,time,pc,ts,el,op,lat /tmp/both.data >/out/places 2>/out/warnings
		v9trace report --joint /tmp/both.data.spe >/out/report
		v9trace report --joint --limit 0 --json /tmp/both.data >/out/tables
		v9trace report --joint --csv /tmp/both.data |
			awk -F, "/^joint_functions/ && \$5 >= 4 && \$5 < 100 { print \$11; exit }" >/out/function
		v9trace report --joint --calls-of $(cat /out/function) --json /tmp/both.data >/out/calls' \
		>"$out/stdout" 2>"$out/stderr"
	check "$1_records" $? "$(tail -n 1 "$out/stderr")"
	why=$(selftests/crosscheck/score.sh "$out/model.json")
	check "$1_counted" $? "$why"
	why=$(python3 -B selftests/crosscheck/joint.py "$out/model.json" "$out/places" "$3" ${5:-} 2>&1)
	check "$1_nothing_exact_is_wrong" $? "$(echo "$why" | tail -n 1)"
	echo "$why" | sed 's/^/# /' >>"$tap"
	grep -q 'clock of ETE less that of SPE  *-\{0,1\}[0-9]* ns' "$out/report"
	check "$1_clocks_are_measured" $? "$(grep clock "$out/report" | tail -n 1)"
	# The interval is 1025 in the mean, or 513, and little was lost.
	grep -q "instructions for each sample  *$interval\." "$out/report"
	check "$1_each_sample_is_of_an_interval" $? "$(grep -E 'each sample|no estimate' "$out/report")"
	rm -f "$out"/pcs.*
	[ -n "$has_calls" ] || return
	why=$(python3 -B selftests/crosscheck/joint_calls.py "$out/calls" "$out/places" "$out/tables" \
		"$(cat "$out/function")" 2>&1)
	check "$1_slow_calls_have_their_samples" $? "$(echo "$why" | tail -n 1)"
	echo "$why" | sed 's/^/# /' >>"$tap"
}
# The two files of a short program, also after join and split, by the perf of that kernel. 6.12 reads the first
# version of SPE's metadata.
halves() {
	out=$work/halves
	mkdir -p "$out"
	selftests/lab/run.sh -o "$out" -t 900 -q v9-spe=on,v9-ete=on -- '
		set -e
		for m in core spe ete; do insmod /v9/modules/v9_$m.ko; done
		units="-e arm_spe_0//u -e cs_etm//u"
		cd /out
		taskset 1 v9trace record -q --metadata=1 -m ,16M -c 256 --json=sum $units -o two.data -- true
		v9trace archive -q -o archive.tar.zst two.data || [ -s archive.tar.zst ]
		v9trace script --insn --json -F pc two.data >insns 2>insns.err
		v9trace script --json -F pc two.data.spe >both.spe 2>>insns.err
		v9trace join -o one.data two.data.spe
		v9trace split -o again.data one.data
		v9trace record -o - $units -- true >refused 2>refused.err || echo $? >refused.status
		cd /tmp
		v9trace record -q --switch-output=1s $units -o parts.data -- sleep 3
		ls parts.data.* >/out/parts
		v9trace record -q -m ,64K -c 256 $units -o killed.data -- timeout 8 sh -c "while :; do :; done" &
		sleep 4
		kill -9 $!
		wait || :
		cp killed.data killed.data.spe /out
		cpu1=/sys/devices/system/cpu/cpu1/online
		v9trace record -q -a --json=/out/away $units -o away.data -- \
			sh -c "echo 0 >$cpu1; sleep 1; echo 1 >$cpu1; sleep 2; taskset 2 true"
		v9trace script --json --comm true --cpu 1 away.data >/out/away.script' \
		>"$out/stdout" 2>"$out/stderr"
	check halves_record $? "$(tail -n 1 "$out/stderr")"
	mkdir -p "$out/debug"
	zstd -q -dc "$out/archive.tar.zst" | tar x -C "$out/debug"
	perf() { selftests/lab/kernel.sh run "$KERNEL" perf --buildid-dir "$out/debug" "$@" 2>>"$out/perf.err"; }
	count() { grep -c "$1" "$2"; }
	for f in two one; do
		perf script -i "$out/$f.data" --itrace=i1i -F ip | tr -d ' ' | sort >"$out/$f.perf"
	done
	perf script -i "$out/two.data.spe" --itrace=i1i -F ip | tr -d ' ' | sort >"$out/spe.perf"
	grep '"insn"' "$out/insns" | sed 's/.*"pc":"0x\([0-9a-f]*\)".*/\1/' | sort >"$out/ete.ours"
	sed -n 's/.*"type":"spe".*"pc":"0x\([0-9a-f]*\)".*/\1/p' "$out/both.spe" | sort >"$out/spe.ours"
	for check in ete:two ete:one spe:spe; do
		[ -s "$out/${check%:*}.ours" ] && cmp -s "$out/${check%:*}.ours" "$out/${check#*:}.perf"
		check_perf "halves_perf_${check/:/_}" $? "$(wc -l "$out"/${check%:*}.ours "$out"/${check#*:}.perf |
			tr '\n' ' ') $(diff "$out/${check%:*}.ours" "$out/${check#*:}.perf" | head -n 2 | tail -n 1)"
	done
	for f in two.data two.data.spe; do
		perf report --stats -i "$out/$f" | grep -q 'AUXTRACE events: *[1-9]'
		check "halves_perf_report_$f" $? "$(tail -n 1 "$out/perf.err")"
	done
	cmp "$out/two.data" "$out/again.data" && cmp "$out/two.data.spe" "$out/again.data.spe"
	check halves_join_and_split $? "they differ"
	grep -q '"twin":"two.data.spe"' "$out/sum"
	check halves_summary $? "$(cat "$out/sum")"
	[ "$(cat "$out/refused.status")" = 2 ] && [ ! -s "$out/refused" ] && [ "$(wc -l <"$out/refused.err")" = 1 ] &&
		grep -q 'two files' "$out/refused.err"
	check halves_not_to_standard_output $? "$(head -n 2 "$out/refused.err")"
	[ "$(grep -c '[0-9]$' "$out/parts")" -ge 2 ] &&
		[ "$(sed 's/\.spe$//' "$out/parts" | sort | uniq -c | grep -cv ' 2 ')" = 0 ]
	check halves_rotate $? "$(tr '\n' ' ' <"$out/parts")"
	[ "$(od -An -tu8 -j 48 -N 8 "$out/killed.data" | tr -d ' ')" = 0 ] &&
		build/tools/host/v9trace report "$out/killed.data.spe" >"$out/killed.report" 2>"$out/killed.err" &&
		[ "$(grep -c 'not finished by its recorder' "$out/killed.err")" = 2 ]
	check halves_of_killed_recorder $? "$(head -n 2 "$out/killed.err")"
	# A CPU that was offline has both units again.
	grep -q '"cpu_away":1,' "$out/away" && grep -q '"type":"spe"' "$out/away.script" &&
		grep -q '"type":"branch"' "$out/away.script"
	check halves_of_cpu_that_was_away $? "$(cut -c 1-200 "$out/away") $(cut -d , -f 1 "$out/away.script" | sort | uniq -c | tr '\n' ' ')"
}
halves
lacks
drivers=$ours
interval='10[0-9][0-9]'
session task 1000000000 100 '-e arm_spe_0//u -e cs_etm//u' 300
session all 62500000 100 '-a -e arm_spe_0/jitter/ -e cs_etm//u'
# The kernel, alone and with user space, of all CPUs. Samples in flight end when it returns to user space.
interval='5[0-9][0-9]'
session kernel 1000000000 100 '-a -c 512 -e arm_spe_0/jitter/k -e cs_etm//k'
interval='1[01][0-9][0-9]'
session whole 1000000000 100 '-a -e arm_spe_0/jitter/ -e cs_etm//'
interval='10[0-9][0-9]'
# A kernel at EL2 (VHE) while a machine under KVM runs whose virtual counter begins at 0
has_calls=
program='taskset 2 /v9/demo/turns 200 && echo ran >/out/turns'
session machine 1000000000 1 '-e arm_spe_0//u -e cs_etm//u' 1
[ -s "$work/machine/turns" ]
check machine_runs $? "$(tail -n 1 "$work/machine/stderr")"
has_calls=yes
program='for mask in 1 2; do taskset $mask zstd -q -f /tmp/in -o /tmp/in.zst; done'
drivers=$in_tree
session in_tree 1000000000 100 '-e arm_spe_0//u -e cs_etm//u' 300
finish
