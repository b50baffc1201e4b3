#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Branch stacks that v9trace record takes, with the kernel's own driver of BRBE on the model.
#
#   KERNEL=7 branches.sh SUITE    writes build/results/SUITE.tap
#
# Each stack in a file of ours must be the buffer as the model logged it when recording was paused:
# read by stock perf, and read by ours. The report's sums must be those of the stacks, and the
# branches between functions those that stock perf counts. Of an SPE recording of its own perf makes stacks,
# too (perf inject): each must be a branch that our decoder finds in the trace.
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
case $KERNEL in
6.*)
	echo "1..0 # SKIP this kernel has no driver for BRBE" >"$tap"
	exit
	;;
esac
zstd=$(selftests/lab/workload.sh) || exit 1
begin
v9trace=$PWD/build/tools/host/v9trace

# One CPU and no limit on the rate of samples, as in brbe.sh
guest='
	set -e
	echo 1000000 >/proc/sys/kernel/perf_event_max_sample_rate
	echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
	head -c 12000 /usr/bin/perf >/tmp/data
	rec() {
		name=$1
		shift
		taskset 2 v9trace record -q --json=/out/$name.json -o /out/$name.data "$@" -- \
			/v9/demo/zstd -q -3 -f -o /tmp/data.zst /tmp/data
	}
	rec any -j any,u -e cycles:u -c 200003
	rec call -j any_call,u -e cycles:u -c 200003
	rec kernel -j any,k -e cycles:k -c 1000003
	rec plain -j any,u,hw_index,priv
	v9trace record -q -j any,u -e cpu-clock -o /out/clock.data true 2>/out/refused && exit 1
	modprobe arm_spe_pmu
	v9trace record -q -F 1000 -e arm_spe_0// -o /out/clock.data true 2>/out/frequency && exit 1
	taskset 2 perf record -q -o /out/spe.data -e arm_spe_0/branch_filter=1/u -c 256 -- \
		/v9/demo/zstd -q -3 -f -o /tmp/data.zst /tmp/data
	v9trace report -i /out/any.data --calls >/out/report.txt
'
# Two: a program that runs on the other CPU is not recorded.
selftests/lab/run.sh -o "$work" -t 900 -q "v9-spe=on,v9-brbe=on,v9-brbe-records=32,v9-log=$work/model.json" \
	-f "$zstd:/v9/demo/zstd" -- "$guest" >"$work/stdout" 2>"$work/stderr"
status=$?
check guest_records $status "the guest ended with status $status: $(tail -n 1 "$work/stderr")"
grep -q 'cpu-clock.*no branch stacks of any,u,save_type here' "$work/refused"
check refused_with_a_reason $? "$(cat "$work/refused")"

grep -q 'arm_spe_0.*the hardware has no frequency.* -c 2000000 (2.0 GHz' "$work/frequency"
check frequency_of_spe_refused $? "$(cat "$work/frequency")"

perf() {	# WORD OF perf, FILE, OPTIONS...
	selftests/lab/kernel.sh run "$KERNEL" perf "$1" -i "$work/$2.data" "${@:3}" 2>>"$work/perf.err"
}
# The JSON of script as perf script -F cpu,brstack has it
as_perf() {
	python3 -B -c '
import json, sys
for line in sys.stdin:
    sample = json.loads(line)
    if "branches" not in sample:
        continue
    print("[%03d]" % sample["cpu"], *("/".join((
        b.get("from", "0x0"), b.get("to", "0x0"),
        {"predicted": "P", "mispredicted": "M"}.get(b.get("prediction"), "-") +
        ("N" if b.get("not_taken") else ""), "-", "-",
        str(b.get("cycles", 0)), b.get("branch_type", "").upper())) for b in sample["branches"]))'
}
sessions="any kernel call plain"
for session in $sessions; do
	perf script $session -F cpu,brstack >"$work/$session.txt"
	"$v9trace" script --json "$work/$session.data" 2>>"$work/ours.err" >"$work/$session.script"
	as_perf <"$work/$session.script" >"$work/$session.ours"
done
for reader in txt ours; do
	( cd "$work" && for session in any call kernel plain; do echo $session.$reader; done |
		xargs python3 -B "$OLDPWD/selftests/crosscheck/stacks.py" log model.json >$reader.out 2>&1 )
	check_lines "$work/$reader.out" "equals_log_%s_by_$([ $reader = ours ] && echo ours || echo perf)" any call kernel plain
done
# The comparison sees one bit of one branch.
sed '0,\,/\(0x[0-9a-f]*\)[0-9a-f]/\([PM]\)/,s,,/\1f/\2/,' "$work/any.ours" >"$work/changed.txt"
! cmp -s "$work/changed.txt" "$work/any.ours" &&
	! python3 -B selftests/crosscheck/stacks.py log "$work/model.json" "$work/changed.txt" >"$work/changed.out"
check comparison_sees_a_bit $? "$(head -n 1 "$work/changed.out")"

mkdir -p "$work/symfs/v9/demo"
cp "$zstd" "$work/symfs/v9/demo/"
for session in any kernel plain; do
	options="--symfs $work/symfs"
	# shellcheck disable=SC2086
	"$v9trace" script --json $options "$work/$session.data" >"$work/$session.named" 2>>"$work/ours.err"
	# shellcheck disable=SC2086
	"$v9trace" report --json --calls --limit 0 $options "$work/$session.data" >"$work/$session.report" 2>>"$work/ours.err"
	result=$(python3 -B selftests/host/branches.py "$work/$session.named" "$work/$session.report" 2>&1 | tail -n 1)
	[ "${result#ok}" != "$result" ]
	check "sums_of_$session" $? "$result"
done
grep -q '"symbol":"ZSTD_' "$work/any.report"
check functions_are_named $? "no function of zstd"
# The kernel's names are in the recording.
grep -q '"symbol":"vfs_' "$work/kernel.report"
check kernel_functions_are_named $? "no function of the kernel's file systems"
grep -q 'ZSTD_.*' "$work/report.txt" && grep -q '^Blocks' "$work/report.txt"
check report_in_the_guest $? "$(head -n 3 "$work/report.txt" | tr '\n' '|')"

# Branches between functions, as perf counts them. It knows by itself that there are branch stacks.
perf report any --symfs "$work/symfs" --stdio -t , -F sample,symbol_from,symbol_to |
	awk -F , '/^ *[0-9]/ && NF == 3 && /ZSTD_.*,.*ZSTD_/ {
		for (i = 2; i <= 3; i++) { sub(/^\[.\] /, "", $i); sub(/ *$/, "", $i) }
		n[$2 " " $3] += $1 } END { for (k in n) print k, n[k] }' | sort >"$work/theirs"
python3 -B -c '
import collections, json, sys
n = collections.Counter()
for b in json.load(open(sys.argv[1]))["branches"]:
    n[b["from"].split("+")[0], b["to"].split("+")[0]] += b["branches"]
for (f, t), times in n.items():
    if "ZSTD_" in f and "ZSTD_" in t:
        print(f, t, times)' "$work/any.report" | sort >"$work/ours"
[ -s "$work/ours" ] && cmp -s "$work/ours" "$work/theirs"
check report_as_perf $? "$(diff "$work/ours" "$work/theirs" | sed -n 2,4p | tr '\n' '|')"

# Stacks of one branch that perf makes of SPE records
perf inject spe --itrace=bl -o "$work/injected.data"
perf script injected -F brstack | tr -s ' ' '\n' | grep / >"$work/injected.txt"
"$v9trace" script --json "$work/injected.data" 2>>"$work/ours.err" >"$work/injected.script"
as_perf <"$work/injected.script" | cut -d ' ' -f 2- | tr ' ' '\n' | grep / >"$work/injected.ours"
cut -d / -f 1-6 "$work/injected.ours" >"$work/ours"
cut -d / -f 1-6 "$work/injected.txt" >"$work/theirs"
[ "$(wc -l <"$work/ours")" -gt 100 ] && cmp -s "$work/ours" "$work/theirs"
check stacks_of_spe_as_perf $? "$(wc -l <"$work/ours") of $(wc -l <"$work/theirs"): $(diff "$work/ours" "$work/theirs" | sed -n 2,3p | tr '\n' '|')"
"$v9trace" script --json "$work/spe.data" 2>>"$work/ours.err" | python3 -B -c '
import collections, json, sys
trace, stacks = collections.Counter(), collections.Counter()
for line in sys.stdin:
    r = json.loads(line)
    if r["type"] == "spe" and r.get("op", "").startswith("branch"):
        trace[r["pc"], r.get("target"), "mispredicted" in r["events"]] += 1
for line in open(sys.argv[1]):
    for b in json.loads(line).get("branches", []):
        stacks[b["from"], b.get("to"), b["prediction"] == "mispredicted"] += 1
wrong = (trace - stacks) + (stacks - trace)
print(sum(trace.values()), "records,", sum(stacks.values()), "branches", *list(wrong)[:2])
sys.exit(bool(wrong) or not stacks)' "$work/injected.script" >"$work/spe.out" 2>&1
check stacks_of_spe_are_its_records $? "$(tail -n 1 "$work/spe.out")"
finish
