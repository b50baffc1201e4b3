#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace record with simulated units (mkrecord.c). The whole summary is compared for triggers of a flight recorder, for
# --check and for --overhead.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
. selftests/host/suite.inc
. selftests/host/golden.inc
. "$top/selftests/host/units.inc"
mkdir -p pmu/cs_etm/format
echo 12 >pmu/cs_etm/type

# What depends on time is 0.
no_time() {
	sed -i 's/\("\(windows_closed\|look_ppm\|longest_look_ns\|overhead_ppm\|seconds_over_budget\)":\)[0-9]*/\10/g' s.json
	sed -i 's/looked for .*/looked/; s/overhead [0-9.]* %/overhead N %/' err
}
one="records=1 trace_bytes=6400 trace_pieces=1"
pieces="1 side-band records, 6.2 KiB of trace in 1 pieces"
lost="lost: nothing"
never="v9trace: warning: it ended before the trigger, or before so much trace behind it; the newest trace is kept"

sums="undecoded_trace_bytes=0 skipped_trace_bytes=0 evicted=0 maps_dropped=0 removed_files=0 removed_bytes=0"
looks="windows_closed=0 look_ppm=0 longest_look_ns=0"

# ---- pings: silence is the trigger, from the first ping on
run -e cs_etm//u --flight --trigger ping:60000 --control fd:0 -C 0 --duration 0.05 --json=s.json -o ping.data </dev/null
said no_ping_said "$never
v9trace: ping.data: N B; 0 side-band records, 0 B of trace in 0 pieces; the trigger did not fire; $lost"
summary no_ping triggered=false 'trigger="never"' snapshots=0 ignored_triggers=0
echo ping | run -e cs_etm//u --flight --trigger ping:10 --control fd:0 -C 0 --duration 60 --json=s.json -o ping.data
said silence_said "v9trace: ping.data: N B; 0 side-band records, 0 B of trace in 0 pieces; the trigger fired; $lost"
summary silence 'trigger="fired"' triggered=true snapshots=1 ignored_triggers=0

# ---- latency: the records have 10 to 109 cycles
units="-e arm_spe_0//,cs_etm//u -C 0 --duration 0.05 --json=s.json -o slow.data"
# shellcheck disable=SC2086
run $units --flight --trigger latency:110
no_time
said not_slow_said "$never
v9trace: slow.data, slow.data.spe: N B; $pieces; the trigger did not fire; $lost
v9trace: looked"
# shellcheck disable=SC2086
summary not_slow $one 'trigger="never"' triggered=false snapshots=0 ignored_triggers=0 'latency_triggers=[]' $looks
# shellcheck disable=SC2086
run $units --flight --trigger latency:109
no_time
said slow_said "v9trace: trigger 1: 109 cycles of latency on CPU 0, seen at an unknown time later; \
whether the trace of that CPU reaches back to it is not known
v9trace: slow.data, slow.data.spe: N B; $pieces; the trigger fired; $lost
v9trace: looked"
row='{"cpu":0,"latency_cycles":109,"delay_ns":null,"path":"unknown","path_before_ns":null}'
# shellcheck disable=SC2086
summary slow $one 'trigger="fired"' triggered=true snapshots=1 ignored_triggers=0 $looks "latency_triggers=[$row]"

# Beside sums: another recorder is asked for its trace, and there is none.
run --aggregate -e arm_spe_0// -C 0 --duration 0.05 --trigger latency:109 --flight-of none.data --json=s.json -o sums
no_time
said beside_said "v9trace: trigger 1: 109 cycles of latency on CPU 0, seen at an unknown time later; \
a flight recorder is asked for the trace before it
v9trace: warning: trigger 1: no snapshot: none.data.flight: no recorder listens there: it is v9trace record --flight, \
and its socket is beside what it writes
v9trace: sums.pb.gz: 1 profiles, N B; 100 SPE records, 6.2 KiB of trace; $lost
v9trace: snapshots of a flight recorder: 0; 1 failed; 0 triggers came while one was written
v9trace: looked"
# shellcheck disable=SC2086
summary beside $one $sums spe_records=100 files=1 triggers=1 ignored_triggers=0 snapshots=0 failed_snapshots=1 \
	missed_triggers=0 last_snapshot=null $looks "latency_triggers=[$row]"

# ---- counts of the PMU, which this machine has not
run --check -e arm_spe_0// -C 0 --duration 0.05 --json=s.json -o check.data
why="the PMU of these CPUs does not have it, or its driver does not tell"
events="SAMPLE_FILTRATE SAMPLE_FEED SAMPLE_COLLISION SAMPLE_POP"
said check_said "v9trace: check.data: N B; $pieces; $lost
$(for event in $events; do echo "v9trace: check: $event: not counted: $why"; done)"
rows=$(for event in $events; do
	printf ',{"event":"%s","counted":null,"recorded":null,"what":null,"least":null,"most":null,' $event
	printf '"verdict":"not counted","why":"%s"}' "$why"
done)
# shellcheck disable=SC2086
summary check $one "check=[${rows#,}]"

# ---- overhead, with one period
run --aggregate --overhead 2 --max-period 4096 -c 4096 -e arm_spe_0// -a --duration 0.05 --json=s.json -o over
no_time
said overhead_said "v9trace: over.pb.gz: 1 profiles, N B; 200 SPE records, 12.5 KiB of trace; $lost
v9trace: period 4096 to 4096; overhead N % of the time of 2 CPUs, budget 2.00 %: own CPU time; not in it: \
interrupts (of which only v9_spe counts the time), memory traffic of the trace, memory of the buffers, \
the kernel's side-band records"
# shellcheck disable=SC2086
summary overhead $sums records=2 trace_bytes=12800 trace_pieces=2 spe_records=200 files=1 shortest_period=4096 \
	longest_period=4096 budget_ppm=20000 overhead_ppm=0 seconds_over_budget=0 overhead_has_interrupts=false

# ---- where the summary is written
run -q -e arm_spe_0// -C 0 --duration 0.05 --json -o out.data
cp out s.json
# shellcheck disable=SC2086
summary on_standard_output $one
run -q -e arm_spe_0// -C 0 --duration 0.05 --json=nosuch/s.json -o out.data
said no_summary_said "v9trace: cannot write the summary to nosuch/s.json: No such file or directory"
if [ "$status" = 1 ]; then ok no_summary; else not_ok no_summary "$status"; fi
finish
