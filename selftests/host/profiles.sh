#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace record --aggregate --shard on captures that mkcapture.c, mkcode.c and mkspe.c make: mkprofile.c gives
# their records to what adds them up, as the collector does. A shard of these sums is that of the capture,
# intervals add up to the whole, and what was lost is in it.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
. selftests/host/suite.inc
. selftests/host/golden.inc
if ! (cd tools && make -s STATIC=1 PROGRAM=mkprofile MAIN=../selftests/host/mkprofile.c) >&2; then
	not_ok build "mkprofile does not build"
	finish
fi
mkprofile=$top/build/tools/host/mkprofile
own_directory
captures "$top/selftests/exports/captures.sh" .
makers bench/mkspe
captures ./mkspe spe.data 20000
# A program that is found when names are looked up
captures ./mkcode found.data "$PWD/symfs/opt/inlined" 0x400000 0x200000 <inlined.records

made() {	# CAPTURE N [MEMORY [FIRST SECOND]]: the shards $1.live.1 to $1.live.N
	rm -f "$1".live.*
	in=$1 number=$2
	shift 2
	"$mkprofile" "$in.data" "$in.live" "$number" "$@" >&2
}
merged() {	# OUT FILE...
	out=$1
	shift
	rm -f "$out"
	"$V9TRACE" merge --flat -o "$out" "$@" 2>err
}

# ---- a shard of live sums is that of the capture

for c in good damaged rare cpus mem sparse spe inlined found; do
	made $c 1
	merged $c.shard $c.data
	if why=$(python3 "$top/selftests/host/shards.py" $c.shard $c.live.1 2>&1); then ok "shard_of_$c"
	else not_ok "shard_of_$c" "$(echo "$why" | tail -n 1)"; fi
done
if [ "$(grep -c '^source ' mem.live.1)" -eq 2 ]; then ok two_cpu_types; else not_ok two_cpu_types "$(grep '^source ' mem.live.1)"; fi
if grep -q '^function 1 .* sum$' found.live.1; then ok names_of_functions; else not_ok names_of_functions "$(grep '^function' found.live.1)"; fi
if grep -q '^lost skipped_' damaged.live.1; then ok what_was_skipped; else not_ok what_was_skipped "$(grep '^lost' damaged.live.1)"; fi

# The report has the functions, samples and losses of the capture's.
for c in good damaged mem found; do
	"$V9TRACE" report --json --limit 0 $c.live.1 >shard.json 2>err
	"$V9TRACE" report --json --limit 0 $c.data >capture.json 2>err
	if why=$(python3 "$top/selftests/host/merge.py" shard.json capture.json 2>&1); then ok "report_of_$c"
	else not_ok "report_of_$c" "$(echo "$why" | tail -n 1)"; fi
done

# ---- intervals

# but_for_captures SHARD: without the ids and the number of captures
but_for_captures() { sed '/^capture /d; /^end /d; s/^\(source .* \)[0-9]*$/\1N/' "$1"; }
for c in good damaged mem spe; do
	made $c 1
	mv $c.live.1 $c.whole
	made $c 5
	merged $c.sum $c.live.[1-5]
	but_for_captures $c.whole >want
	but_for_captures $c.sum >got
	if [ "$(grep -c '^capture ' $c.sum)" -eq 5 ] && [ "$(grep -c '^s ' want)" -gt 5 ] && cmp -s want got
	then ok "intervals_of_$c"
	else not_ok "intervals_of_$c" "$(grep -c '^capture ' $c.sum) captures, $(diff want got | sed -n 2p) $(head -n 1 err)"; fi
done
merged twice spe.live.1 spe.live.2 spe.live.1
[ $? -eq 1 ] && grep -q 'it would count twice' err && ok interval_twice || not_ok interval_twice "$(head -n 1 err)"
# An interval in which nothing was sampled has no source, and is a shard.
made rare 1200
idle=$(grep -L '^source' rare.live.*[0-9] | head -n 1)
if "$V9TRACE" report "$idle" >got 2>err && grep -q 'captures  *1$' got; then ok idle_interval
else not_ok idle_interval "$idle: $(head -n 1 err)"; fi

# ---- beside captures, and for other programs

merged mixed.shard mem.data spe.live.1 2>err
if [ "$(grep -c '^capture ' mixed.shard)" -eq 2 ] && grep -q '^s [0-9]* [0-9]* load l1d ' mixed.shard &&
   grep -q '^s [0-9]* [0-9]* - - ' mixed.shard
then ok beside_a_capture; else not_ok beside_a_capture "$(head -n 1 err)"; fi
made spe 1
made mem 1
want=$(awk '/^s / { n += $6 } END { print n }' spe.live.1)
"$V9TRACE" export --to csv -o spe.tables spe.live.1 2>err
got=$(awk -F, 'NR > 1 { n += $(NF - 7) } END { print n }' spe.tables/samples.csv)
[ "$want" = 20000 ] && [ "$got" = 20000 ] && ok csv || not_ok csv "$want in the shard, $got in csv, $(head -n 1 err)"
"$V9TRACE" export --to pprof -o mem.pb.gz mem.live.1 2>err
chmod 600 mem.pb.gz
want=$(awk '/^s / { n += $6 } END { print n }' mem.live.1)
python3 "$top/selftests/crosscheck/profiles.py" mem.pb.gz >got 2>&1
[ "$want" -gt 20 ] && grep -qx "samples $want" got && ok pprof || not_ok pprof "not $want: $(head -n 2 got) $(head -n 1 err)"
"$V9TRACE" fdo --for llvm --binary symfs/opt/inlined -o got spe.live.1 2>err
[ $? -eq 1 ] && grep -q 'has no sums of that form' err && ok fdo_says_why || not_ok fdo_says_why "$(head -n 1 err)"

# ---- periods: a sample is of as many operations as its period

# Of 20000 samples one half has a period of 4096, the other of 12288, and counts three times.
made spe 1 0x4000000 4096 12288
sed -n 's/^source .* \([0-9]*\) 1$/\1/p' spe.live.1 | sort -n | paste -sd ' ' >got
[ "$(cat got)" = '4096 12288' ] && ok shard_has_its_periods || not_ok shard_has_its_periods "$(grep '^source ' spe.live.1)"
"$V9TRACE" report --json --limit 0 spe.live.1 >shard.json 2>err
got=$(python3 -c 'import json
d = json.load(open("shard.json"))
print(*sorted((r["period"], r["samples"]) for r in d["sources"]),
      sum(r["samples"] for r in d["functions"]), round(sum(r["share"] for r in d["functions"]), 1),
      len({(r["dso"], r["symbol"]) for r in d["functions"]}) == len(d["functions"]))')
want='(4096, 10000) (12288, 10000) 40000 100.0 True'
[ "$got" = "$want" ] && ok report_weighs || not_ok report_weighs "$got, not $want"
"$V9TRACE" export --to folded -o spe.folded spe.live.1 2>err
got=$(awk '!/^#/ { n += $NF } END { print n }' spe.folded)
[ "$got" = 40000 ] && ok folded_weighs || not_ok folded_weighs "$got, $(head -n 1 err)"
# Rows of tables have the period beside the samples that were taken.
rm -rf spe.tables
"$V9TRACE" export --to csv -o spe.tables spe.live.1 2>err
got=$(awk -F, 'NR > 1 { n[$4] += $(NF - 7) } END { print n[4096], n[12288] }' spe.tables/samples.csv)
[ "$got" = '10000 10000' ] && ok csv_has_the_period || not_ok csv_has_the_period "$got"
# A profile has one period: the shortest.
made mem 1 0x4000000 4096 12288
rm -rf mem.tables
"$V9TRACE" export --to csv -o mem.tables mem.live.1 2>err
want=$(awk -F, 'NR > 1 { n += $4 / 4096 * $(NF - 7) } END { print n }' mem.tables/samples.csv)
"$V9TRACE" export --to pprof -o mem.pb mem.live.1 2>err
for p in mem.live.1.pb mem.pb; do
	chmod 600 $p
	python3 "$top/selftests/crosscheck/profiles.py" $p >got 2>&1
	[ "$want" -gt 40 ] && grep -qx "samples $want" got && ok ${p%%.*}_profile_weighs ||
		not_ok ${p%%.*}_profile_weighs "$p: not $want: $(head -n 2 got)"
done
got=$(zcat <mem.live.1.pb | grep -aoE 'period [0-9]+: [0-9]+ samples(, each given as 3 of period 4096)?' | sort | paste -sd ';')
want=$(awk -F, 'NR > 1 { n[$4] += $(NF - 7) } END {
	printf "period 12288: %d samples, each given as 3 of period 4096;period 4096: %d samples", n[12288], n[4096] }' \
	mem.tables/samples.csv)
[ "$got" = "$want" ] && ok profile_says_it || not_ok profile_says_it "$got, not $want"
# Intervals and evicted sums, too
made spe 1 0x4000000 4096 12288
mv spe.live.1 spe.whole
made spe 5 0x4000000 4096 12288
merged spe.sum spe.live.[1-5]
but_for_captures spe.whole >want
but_for_captures spe.sum >got
cmp -s want got && ok periods_of_intervals || not_ok periods_of_intervals "$(diff want got | sed -n 2p)"
made spe 1 1 4096 12288
"$V9TRACE" report --json --limit 0 spe.live.1 >shard.json 2>err
got=$(python3 -c 'import json; print(sum(r["samples"] for r in json.load(open("shard.json"))["functions"]))')
[ "$got" = 40000 ] && ok evicted_with_periods || not_ok evicted_with_periods "$got"
made spe 1

# ---- evicted sums

made spe 1 1
evicted=$(sed -n 's/^lost evicted \([0-9]*\) .*/\1/p' spe.live.1)
"$V9TRACE" report --json --limit 0 spe.live.1 >shard.json 2>err
got=$(python3 -c 'import json, sys
rows = json.load(open("shard.json"))["functions"]
print(sum(r["samples"] for r in rows), sum(r["samples"] for r in rows if r["symbol"] == "[evicted]"))')
if [ "${evicted:-0}" -gt 1000 ] && [ "${got% *}" = 20000 ] && [ "${got#* }" -ge "$evicted" ]; then ok evicted
else not_ok evicted "$evicted sums, $got samples"; fi
finish
