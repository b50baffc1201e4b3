#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace record with an SPE unit that is simulated (mkrecord.c): 100 records on each of two CPUs. What is in the
# capture, the profiles, the shards and the summaries.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
. selftests/host/suite.inc
. selftests/host/golden.inc
. "$top/selftests/host/units.inc"
trace="records=2 trace_bytes=12800 trace_pieces=2"

# ---- a capture
run -e arm_spe_0// -a --duration 0.05 --json=s.json -o spe.data
said capture_said "v9trace: spe.data: N B; 2 side-band records, 12.5 KiB of trace in 2 pieces; lost: nothing"
summary capture_summary $trace
# Registers of the units, and pieces of their trace
"$record" dump spe.data 2>/dev/null | sed -n 's/^0x[0-9a-f]* \(\[0x[0-9a-f]*\] AUXTRACE_INFO:.*\)/\1/p
	s/^0x[0-9a-f]* \(.* AUXTRACE:.*\)reference 0x[0-9a-f]*\(.*\)/\1\2/p; s/^0x[0-9a-f]* \(.* AUX:.*\)/\1/p' >got
cat >want <<'END'
[0x90] AUXTRACE_INFO: ARM_SPE 0x2 0x4 0xb 0x2 0x1010101010101010 0x0 0x3 0x410fd850 0xb 0x400 0x1010101010101010 0x1 0x3 0x0 0xb 0x400
[0x30] AUXTRACE: size 0x1900 offset 0x0  idx 0 tid -1 cpu 0
[0x20] AUX: offset 0x0 size 0x1900 flags 0x0
[0x30] AUXTRACE: size 0x1900 offset 0x0  idx 1 tid -1 cpu 1
[0x20] AUX: offset 0x0 size 0x1900 flags 0x0
END
same capture_records
"$record" script spe.data 2>/dev/null | sed 's/  */ /g; s/^ //' >got
awk 'BEGIN {
	for (cpu = 0; cpu < 2; cpu++)
		for (i = 0; i < 100; i++)
			printf("- - [00%d] - EL0 %x [unknown] ([unknown]) load va=0x7f00000010%02x {retired} lat=%d/-/-\n", cpu,
			       4194304 + 4 * (i % 4), 64 * (i % 3), 10 + i)
}' >want
same capture_script

# ---- what the kernel says of a trace
flagged() {	# NAME FLAGS TEXT
	V9_FLAGS=$2 run -e arm_spe_0// -a --duration 0.05 --json=s.json -o flags.data
	said "$1_said" "v9trace: flags.data: N B; 2 side-band records, 12.5 KiB of trace in 2 pieces; lost: 2 times $3"
}
flagged truncated 0x1 "trace (buffer full, truncated)"
summary truncated $trace truncated=2
flagged collided 0x8 "samples (collision)"
summary collided $trace collided=2
V9_FLAGS=0x6 run -e arm_spe_0// -C 1 --duration 0.05 --json=s.json -o flags.data
summary partial_and_overwritten records=1 trace_bytes=6400 trace_pieces=1 partial=1 overwritten=1
said partial_said "v9trace: flags.data: N B; 1 side-band records, 6.2 KiB of trace in 1 pieces; lost: 1 times trace (partial), \
1 times trace (overwritten)"

# ---- profiles
# samples FILE: of a profile, sorted: values, and the text of labels
samples() {
	PYTHONPATH=$top/selftests python3 - "$1" <<'END'
import gzip, re, sys
from protobuf import fields, packed
profile = list(fields(gzip.open(sys.argv[1]).read()))
text = [re.sub("v9trace [0-9.]+", "v9trace VERSION", value.decode()) for number, value in profile if number == 6]
print("types", *(text[dict(fields(v))[1]] for n, v in profile if n == 1))
for number, value in profile:
    if number == 13:
        print("comment", text[value] if isinstance(value, int) else [text[n] for n in packed(value)])
    if number == 12:
        print("period", value)
out = []
for number, value in profile:
    if number == 2:
        sample = list(fields(value))
        labels = [dict(fields(v)) for n, v in sample if n == 3]
        out.append(" ".join(str(n) for k, v in sample if k == 2 for n in packed(v)) + " " +
                   " ".join(f"{text[l[1]]}={text[l[2]] if 2 in l else l.get(3, 0)}" for l in labels))
print(*sorted(out), sep="\n")
END
}
head_of_samples="types samples latency issue translation misses llc-misses tlb-misses mispredicts
period 1025
comment v9trace VERSION
comment SPE has no call chain: levels are thread, object, function, inlined functions, line"
run --aggregate -e arm_spe_0// -a --duration 0.05 --json=s.json -o sums
said profile_said "v9trace: sums.pb.gz: 1 profiles, N B; 200 SPE records, 12.5 KiB of trace; lost: nothing"
summary profile_summary $trace files=1 spe_records=200
samples sums.*.pb.gz >got
# Each of four places has each fourth of the latencies 10 to 109, on two CPUs.
{ echo "$head_of_samples"; for sum in 2900 2950 3000 3050; do echo "50 $sum 0 0 0 0 0 0 "; done; } >want
same profile
is_private=$(stat -c %a sums.*.pb.gz)
if [ "$is_private" = 600 ]; then ok profile_is_private; else not_ok profile_is_private "$is_private"; fi
rm sums.*
run -q --aggregate --mem --memory 4M -e arm_spe_0// -C 0 --duration 0.05 --json=s.json -o sums
if [ ! -s err ]; then ok profile_quiet; else not_ok profile_quiet "$(head -c 200 err)"; fi
samples sums.*.pb.gz >got
{ echo "$head_of_samples"; python3 -c '
sums = {}
for i in range(100):
    n = sums.setdefault((i % 4, i % 3), [0, 0])
    n[0] += 1
    n[1] += 10 + i
for (pc, line), n in sorted(sums.items(), key=lambda s: s[1]):
    print(*n, f"0 0 0 0 0 0 cache_line=0x7f00000010{64 * line:02x}")'; } >want
same profile_of_lines
rm sums.*

# ---- shards, in a directory. MIDR_EL1 of CPU 1 is not known: it is another source.
mkdir into
V9_FLAGS=0x1 run --aggregate --shard -e arm_spe_0// -a --duration 0.05 --json=s.json -o into
summary shard_summary $trace files=1 spe_records=200 truncated=2
said shard_said "v9trace: into/v9trace.shard: 1 shards, N B; 200 SPE records, 12.5 KiB of trace; \
lost: 2 times trace (buffer full, truncated)"
sed 's/^\(capture .*\.3200\.\).*/\1N/; s/^capture [0-9a-f]*\.[0-9a-f]*/capture T.T/; s/^end .*/end/' into/v9trace.20*.shard >got
cat >want <<'END'
v9trace-shard 1
capture T.T.3200.N
source spe config=0x1:uk - 1024 1
source spe config=0x1:uk 0x00000000410fd850 1024 1
object - 0 [unknown]
place 1 0
s 1 1 - - 100 5950 0 0 0 0 0 0
s 2 1 - - 100 5950 0 0 0 0 0 0
end
END
same shard
run --aggregate --shard -e arm_spe_0// -a --duration 0.05 -o into/
said shard_in_a_directory "v9trace: into/v9trace.shard: 1 shards, N B; 200 SPE records, 12.5 KiB of trace; \
lost: nothing"
[ "$(ls into | grep -c '^v9trace\.20.*\.shard$')" = 2 ] && [ "$(ls into | wc -l)" = 2 ] && ok two_shards || not_ok two_shards "$(ls into)"

# ---- several profiles, of which the last stays
run --aggregate=2s -e arm_spe_0// -a --duration 3 --json=s.json --switch-max-files 1 -o two
removed=$(sed 's/.*"removed_bytes":\([0-9]*\).*/\1/' s.json)
summary two_profiles $trace files=2 removed_files=1 removed_bytes="$removed" spe_records=200
[ "$removed" -gt 100 ] && [ "$(ls | grep -c '^two\.')" = 1 ] && ok one_profile_stays || not_ok one_profile_stays "$(ls)"
said two_profiles_said "v9trace: two.pb.gz: 2 profiles, N B; 200 SPE records, 12.5 KiB of trace; lost: nothing
v9trace: removed: 1 older profiles, $removed B"

# ---- a budget
over() { sed -i 's/overhead [0-9.]* %/overhead N %/' err; }
ppm() { sed 's/.*"overhead_ppm":\([0-9]*\).*/\1/' s.json; }
sums="v9trace: ov.pb.gz: 1 profiles, N B; 200 SPE records, 12.5 KiB of trace; lost: nothing"
run --aggregate --overhead 100 --max-period 4096 -e arm_spe_0// -a --duration 0.05 --json=s.json -o ov
summary budget_summary $trace files=1 spe_records=200 shortest_period=4096 longest_period=4096 overhead_ppm="$(ppm)" \
	budget_ppm=1000000
[ "$(ppm)" -gt 0 ] && ok overhead_is_measured || not_ok overhead_is_measured "$(ppm)"
over
said budget_said "$sums
v9trace: period 4096 to 4096; overhead N % of the time of 2 CPUs, budget 100.00 %: own CPU time; not in it: interrupts (of which \
only v9_spe counts the time), memory traffic of the trace, memory of the buffers, the kernel's side-band records"
mkdir pmu/arm_spe_0/stats
echo 123456789 >pmu/arm_spe_0/stats/handler_ns
run --aggregate --overhead 0.5% -c 3000 -e arm_spe_0// -C 0 --duration 0.05 --json=s.json -o ov
summary budget_summary_interrupts records=1 trace_bytes=6400 trace_pieces=1 files=1 spe_records=100 \
	shortest_period=11534336 longest_period=11534336 overhead_ppm="$(ppm)" budget_ppm=5000 overhead_has_interrupts=true
over
sums="v9trace: ov.pb.gz: 1 profiles, N B; 100 SPE records, 6.2 KiB of trace; lost: nothing"
said budget_said_interrupts "$sums
v9trace: period 11534336 to 11534336; overhead N % of the time of 1 CPUs, budget 0.50 %: own CPU time and the unit's interrupts; \
not in it: memory traffic of the trace, memory of the buffers, the kernel's side-band records"

# ---- two files of two units: the records of both are in both, the trace is in that of its unit
mkdir -p pmu/cs_etm/format
echo 12 >pmu/cs_etm/type
lost="6.2 KiB of trace in 1 pieces; lost: nothing"
one="records=1 trace_bytes=6400 trace_pieces=1"
run -e arm_spe_0//,cs_etm//u -C 0 --duration 0.05 --json=s.json -o both.data
said two_files_said "v9trace: both.data, both.data.spe: N B; 1 side-band records, $lost"
summary two_files $one
for f in both.data both.data.spe; do
	"$record" dump $f 2>/dev/null | sed -n 's/^0x[0-9a-f]* \(\[0x[0-9a-f]*\] AUXTRACE_INFO:.*\)/\1/p
		s/^0x[0-9a-f]* \(.* AUXTRACE:.*\)reference 0x[0-9a-f]*\(.*\)/\1\2/p; s/^0x[0-9a-f]* \(.* AUX:.*\)/\1/p'
done >got
cat >want <<'END'
[0x28] AUXTRACE_INFO: CS_ETM 0x2 0xc00000000 0x0
[0x90] AUXTRACE_INFO: ARM_SPE 0x2 0x4 0xb 0x2 0x1010101010101010 0x0 0x3 0x410fd850 0xb 0x400 0x1010101010101010 0x1 0x3 0x0 0xb 0x400
[0x30] AUXTRACE: size 0x1900 offset 0x0  idx 0 tid -1 cpu 0
[0x20] AUX: offset 0x0 size 0x1900 flags 0x0
END
same two_files_records

# ---- other kinds of recordings
run -e cs_etm//u --flight -C 0 --duration 0.05 --json=s.json -o flight.data
said flight_said "v9trace: flight.data: N B; 0 side-band records, 0 B of trace in 0 pieces; lost: nothing"
summary flight triggered=false
run -z -e arm_spe_0// -C 0 --duration 0.05 --json=s.json -o packed.data
said packed_said "v9trace: packed.data: N B; 1 side-band records, $lost"
summary packed $one
"$record" script spe.data 2>/dev/null | sed -n '1,100p' >want
"$record" script packed.data 2>/dev/null >got
same packed_script
run -e arm_spe_0// --switch-output=2s -C 0 --duration 3 --json=s.json -o parts.data
summary parts $one files=2
said parts_said "v9trace: parts.data: N B; 1 side-band records, $lost
v9trace: parts.data: N B; 0 side-band records, 0 B of trace in 0 pieces; lost: nothing"
run -q -e arm_spe_0// -C 0 --json=s.json -o status.data -- sh -c 'exit 5'
summary status $one status=5
[ "$status" = 5 ] && [ ! -s err ] && ok status_of_the_command || not_ok status_of_the_command "$status, $(head -c 200 err)"

# Paused: the units are free. What was recorded before stays. Times differ.
"$record" record --aggregate -e arm_spe_0// -C 0 --json=s.json -o paused >out 2>err &
rec=$!
for _ in $(seq 600); do [ ! -S paused.control ] || break; sleep 0.05; done
{
	"$record" pause --json paused
	"$record" pause --json paused
	"$record" resume --json paused
	"$record" pause paused
	"$record" resume paused
	"$record" resume --json paused
} 2>&1 | sed 's/"pid":[0-9]*/"pid":N/; s/PID [0-9]*/PID N/; s/"paused_ns":[1-9][0-9]*/"paused_ns":N/; s/ [0-9.]* m*s/ N s/' >got
kill -INT $rec
wait $rec
sed -i "s/resume [0-9]*'/resume N'/" got
cat >want <<'END'
{"pid":N,"state":"paused","paused_ns":N}
{"pid":N,"state":"paused","paused_ns":N}
{"pid":N,"state":"records","paused_ns":0}
PID N is paused for N s: its units are free until 'v9trace resume N'
PID N records
{"pid":N,"state":"records","paused_ns":0}
END
same pause_and_resume
sed -i 's/after [0-9.]* s/after N s/; s/[0-9][0-9]* ms (/N ms (/' err
said paused_said "v9trace: warning: paused: its units are free for other sessions, until v9trace resume
v9trace: warning: records again, after N s and 1 attempt
v9trace: warning: paused: its units are free for other sessions, until v9trace resume
v9trace: warning: records again, after N s and 1 attempt
v9trace: paused.pb.gz: 1 profiles, N B; 300 SPE records, 18.8 KiB of trace; lost: N ms (v9trace pause)"
summary paused records=3 trace_bytes=19200 trace_pieces=3 spe_records=300 files=1 interrupted=true paused=2 \
	paused_ns="$(sed 's/.*"paused_ns":\([0-9]*\).*/\1/' s.json)"
rm -r pmu/cs_etm

# ---- which events are opened for an argument, with which attributes, and the sizes of their buffers
mkdir -p pmu/cs_etm/format
echo 12 >pmu/cs_etm/type
while read -r args; do
	rm -f log perf.data*
	eval "set -- $args"
	echo "-- $args"
	V9_LOG=$PWD/log "$record" record -q "$@" 2>&1 >/dev/null </dev/null
	echo "exit status $?"
	[ ! -e log ] || cat log
done >got <<'END'
-a --duration 0.01
-C 1 --duration 0.01
true
-e cpu-clock true
-e cpu-clock:u -c 1234567890123 true
-e cpu-clock:u,page-faults -F 1234 true
-e cpu-clock:u -m 2 true
-e cpu-clock:u -m 16K,8M true
-m ,1M true
-m 128,4 true
-m 3 true
-m ,5 true
-m 2K true
-m ,2K true
-m x true
-m 1,x true
--data true
-j any,u -e cpu-clock true
-b -e arm_spe_0// true
-b -e cpu-clock true
-z5 -e cpu-clock true
--metadata=1 true
-c 4096 true
-c 5 -F 6 true
-e arm_spe_0/jitter=1/u,arm_spe_0/period=8192/k -C 0 --duration 0.01
-e cs_etm// -C 0 --duration 0.01
-F 99 -e cs_etm// -C 0 --duration 0.01
-e cs_etm//u --flight -C 0 --duration 0.01
-e cs_etm//u,arm_spe_0// -C 0 --duration 0.01
-D 5 true
-D 5 -e cpu-clock:u --duration 0.01 -- sleep 1
-t $$ --duration 0.01
-p $$ -e cpu-clock:u --duration 0.01
-p 1 -t 1 --duration 0.01
END
while read -r args; do
	rm -f log perf.data*
	echo "-- of a user: $args"
	# shellcheck disable=SC2086
	V9_USER=1000 V9_LOG=$PWD/log "$record" record -q $args 2>&1 >/dev/null </dev/null
	cat log
done >>got <<'END'
true
-m 1 true
END
sed "$others" got >opened && mv opened got
golden=$top/selftests/golden/units
golden_is opened got
rm -r pmu/cs_etm

# ---- the arguments that record.sh tries: whole messages; not of tracepoints, which need a file system
sed -n '/^done <<.EOF.$/,/^EOF$/s/^tracepoint|.*//; /^done <<.EOF.$/,/^EOF$/s/^[a-z_0-9]*|[0-9]*|.*|//p' "$top/selftests/host/record.sh" |
while read -r args; do
	rm -f out.data* perf.data* err
	eval "set -- $args"
	"$record" "$@" >out 2>err </dev/null
	status=$?
	echo "-- $args"
	echo "exit status $status"
	[ $status = 0 ] || cat err
done >got
golden_is arguments got

# ---- refused
bad() {	# NAME TEXT ARGUMENT...
	name=$1 text=$2
	shift 2
	run "$@"
	[ "$status" -ne 0 ] || echo "exit status 0" >>err
	cp err got
	echo "v9trace: $text" >want
	same "$name"
}
bad no_place "-o nosuch/sums: no profile can be written there: No such file or directory" \
	--aggregate -e arm_spe_0// -a --duration 0.05 -o nosuch/sums
bad no_place_for_shards "-o nosuch/sums: no shard can be written there: No such file or directory" \
	--aggregate --shard -e arm_spe_0// -a --duration 0.05 -o nosuch/sums
bad max_period "--max-period 2048: arm_spe_0// has a shortest period of 4096 (-c, or the least of the unit)" \
	--aggregate --overhead 1 --max-period 2048 -c 4096 -e arm_spe_0// -a -o ov
run -F 1000 -e arm_spe_0// -a -o f.data
sed 's/-c [0-9]* ([0-9.]* GHz/-c N (F GHz/' err >got	# of this machine
echo "v9trace: -F 1000: arm_spe_0// samples one in N operations, and the hardware has no frequency; about that many a second of a \
busy CPU give -c N (F GHz, one operation a cycle)" >want
same frequency
finish
