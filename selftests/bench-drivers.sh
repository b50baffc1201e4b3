#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Our drivers against those of the kernel's tree: both in one boot, the same work, each measurement
# on a CPU of its own, so that the model's counters of that CPU tell the two apart. Time plays no
# part: QEMU counts instructions (-icount), the model counts registers and barriers.
#
#	bench-drivers.sh [ROUNDS]	of a ping-pong between two tasks, two switches each
#					(50000); KERNEL=6.12|7
#
# One line each: bench NAME ours=N peer=N ratio=OURS/PEER goal=...; below 1 is better. Rows of several
# measurements have their medians there, and behind it least,median,most of each side, and the ratio's
# range; says=nothing: the range is wider than the ratio's distance to the goal. What the rows mean:
# Documentation/performance-drivers.rst.
set -eu
cd "$(dirname "$0")/.."
rounds=${1:-50000}
case $rounds in
*[!0-9]* | 0) echo "usage: bench-drivers.sh [ROUNDS]" >&2; exit 2 ;;
esac
out=$PWD/build/bench/drivers-${KERNEL:=6.12}
export KERNEL
rm -rf "$out"
mkdir -p "$out"

selftests/lab/source.sh >/dev/null
selftests/lab/root.sh run -- make -s -C selftests/target bench
selftests/lab/modules.sh "$KERNEL" >&2
KERNEL=$KERNEL-16k selftests/lab/modules.sh "$KERNEL-16k" >&2

# side NAME PMU CPU CPU CPU: task switches on the first CPU, a buffer that fills on the third, all
# others on the second. The in-tree trace driver is loaded with the option to survive idle states,
# as ours do. Our driver also fills a buffer that is one run of memory, by physical address.
guest='
	job() {
		echo "side=$1 cpu=$3 $(/v9/selftests/bench_drivers $2 $3 $4 $5 2>&1)"
	}
	side() {
		job $1 $2 $3 switch '$rounds'
		job $1 $2 $4 enable 300
		job $1 $2 $4 first 300
		job $1 $2 $4 idle 300
		job $1 $2 $4 threads '$((rounds < 5000 ? rounds : 5000))'
		job $1 $2 $4 wrap 1000000
		job $1 $2 $5 fill 1200000
	}
	# On CPUs without other work of this kind: one driver is loaded, and all CPUs have no
	# session.
	alone() {
		job $1 $2 $3 idle 300
	}
	insmod /v9/modules/selftest/v9_baseline.ko
	insmod /v9/modules/selftest/v9_sleep.ko
	for baseline in none aux data; do
		echo "side=baseline_$baseline cpu=1 $(/v9/selftests/bench_drivers v9_baseline_$baseline 1 \
			switch '$rounds' 2>&1)"
	done
	echo "side=control cpu=1 $(/v9/selftests/bench_drivers v9_baseline_none 1 control 20000000 2>&1)"
	modprobe arm_spe_pmu
	alone spe_peer_alone arm_spe_0 5
	rmmod arm_spe_pmu
	modprobe coresight-etm4x pm_save_enable=2
	modprobe coresight-trbe
	alone ete_peer_alone cs_etm 7
	modprobe arm_spe_pmu
	side spe_peer arm_spe_0 1 5 9
	side ete_peer cs_etm 3 7 11
	job ete_peer cs_etm 7 wide '$((rounds < 5000 ? rounds : 5000))'
	rmmod arm_spe_pmu coresight_trbe coresight_etm4x coresight
	insmod /v9/modules/v9_core.ko && insmod /v9/modules/v9_ete.ko
	alone ete_ours_alone cs_etm 8
	rmmod v9_ete
	insmod /v9/modules/v9_spe.ko physical_attributes=1
	alone spe_ours_alone arm_spe_0 6
	insmod /v9/modules/v9_ete.ko
	side spe_ours arm_spe_0 2 6 10
	side ete_ours cs_etm 4 8 12
	job ete_ours cs_etm 8 wide '$((rounds < 5000 ? rounds : 5000))'
	job ete_ours cs_etm 8 match '$((rounds < 5000 ? rounds : 5000))'
	export V9_ONE_RUN=1
	echo Y >/sys/module/v9_core/parameters/physical
	job spe_physical arm_spe_0 13 fill 1200000
	job ete_physical cs_etm 14 fill 1200000
'
selftests/lab/run.sh -o "$out" -t "${TIMEOUT:-3600}" -s 15 -x "-icount shift=0,sleep=off" \
	-q "v9-spe=on,v9-spe-nvm=on,v9-ete=on,v9-log=$out/main.json" -- "$guest" >"$out/output"
grep '^side=' "$out/output" >"$out/sides"
! grep -v '=.*=.*base=.*traced=' "$out/sides" >&2 || exit 1

fill='
	fill() {
		echo "side=$1 cpu=$3 $(/v9/selftests/bench_drivers $2 $3 fill 1200000 2>&1)"
	}
'
# Pages of 16 KiB: what is left of each buffer.
guest=$fill'
	modprobe arm_spe_pmu
	modprobe coresight-etm4x
	modprobe coresight-trbe
	fill spe_peer arm_spe_0 1
	fill ete_peer cs_etm 2
	rmmod arm_spe_pmu coresight_trbe coresight_etm4x coresight
	insmod /v9/modules/v9_core.ko && insmod /v9/modules/v9_spe.ko && insmod /v9/modules/v9_ete.ko
	fill spe_ours arm_spe_0 3
	fill ete_ours cs_etm 4
'
KERNEL=$KERNEL-16k selftests/lab/run.sh -o "$out" -t "${TIMEOUT:-3600}" -s 5 -x "-icount shift=0,sleep=off" \
	-q "v9-spe=on,v9-ete=on,v9-log=$out/16k.json" -- "$guest" >"$out/output.16k"
grep '^side=' "$out/output.16k" >"$out/sides.16k"
! grep -v '=.*=.*base=.*traced=' "$out/sides.16k" >&2 || exit 1

# masked NAME PMU CPU: interrupts are masked for 0, 10 and 100 us, on three CPUs. Also a buffer that
# is one run of memory in a kernel whose linear mapping has blocks
guest=$fill'
	masked() {
		at=$3
		for us in 0 10 100; do
			echo "masked=$1 us=$us cpu=$at $(/v9/selftests/bench_drivers $2 $at mask $us 2>&1)"
			at=$((at + 1))
		done
	}
	insmod /v9/modules/selftest/v9_mask.ko
	modprobe arm_spe_pmu
	modprobe coresight-etm4x
	modprobe coresight-trbe
	masked spe_peer arm_spe_0 1
	masked ete_peer cs_etm 4
	export V9_ONE_RUN=1
	fill spe_peer arm_spe_0 13
	fill ete_peer cs_etm 14
	unset V9_ONE_RUN
	rmmod arm_spe_pmu coresight_trbe coresight_etm4x coresight
	insmod /v9/modules/v9_core.ko && insmod /v9/modules/v9_spe.ko && insmod /v9/modules/v9_ete.ko
	masked spe_ours arm_spe_0 7
	masked ete_ours cs_etm 10
	export V9_ONE_RUN=1
	fill spe_ours arm_spe_0 15
	fill ete_ours cs_etm 16
'
selftests/lab/run.sh -o "$out" -t "${TIMEOUT:-3600}" -s 17 -a "rodata=on kfence.sample_interval=100" -x "-icount shift=0,sleep=off" \
	-q "v9-spe=on,v9-ete=on,v9-log=$out/masked.json" -- "$guest" >"$out/output.masked"
grep '^masked=' "$out/output.masked" >"$out/masked"
grep '^side=' "$out/output.masked" >"$out/sides.masked"
! grep -v ' moved=' "$out/masked" >&2 || exit 1

# code MODULE...: bytes of instructions and constants of the modules, without data of debuggers
# (BTF) and what is freed after loading (__versions)
image=$(selftests/lab/kernel.sh image "$KERNEL")
code() {
	for m; do
		find "$image/modules" "build/modules/$KERNEL" -name "$m.ko" | head -n 1
	done | xargs selftests/lab/root.sh run -- aarch64-linux-gnu-size -A |
		awk '/^\.(init\.|exit\.)?(text|rodata)/ { s += $2 } END { print s }'
}
{
	echo "spe_peer $(code arm_spe_pmu)"
	echo "spe_ours $(code v9_core v9_spe)"
	echo "ete_peer $(code coresight coresight-etm4x coresight-trbe)"
	echo "ete_ours $(code v9_core v9_ete)"
} >"$out/code"

echo "guest: $(cat "$image/release"), QEMU -icount, 15 CPUs; $rounds rounds of ping-pong"
awk "$(cat selftests/bench/rows.awk)"'
# A counter of the model; if it is an object, the sum of its members
function key(k,  s) {
	if (!match($0, "\"" k "\":[0-9]+")) return 0
	return substr($0, RSTART + length(k) + 3, RLENGTH - length(k) - 3) + 0
}
function sum(k, want,  s, n, part, i, t) {
	if (!match($0, "\"" k "\":{[^}]*}")) return 0
	s = substr($0, RSTART + length(k) + 4, RLENGTH - length(k) - 5)
	n = split(s, part, ",")
	for (i = 1; i <= n; i++)
		if (part[i] ~ want) {
			sub(/.*:/, "", part[i])
			t += part[i]
		}
	return t
}
FILENAME ~ /code$/ { code[$1] = $2; next }
# the boot that a file is of
FNR == 1 {
	boot = FILENAME
	sub(/.*\/(sides\.?)?/, "", boot)
	sub(/(main)?\.json$/, "", boot)
}
FILENAME ~ /sides/ {
	who = field("side") boot
	cpu = field("cpu")
	for (job in jobs)
		if (field(job) != "") {
			cpu_of[who, job] = cpu
			traced[who, job] = field("traced")
			base[who, job] = field("base")
			if (!((boot, job) in least) || base[who, job] < least[boot, job])
				least[boot, job] = base[who, job]
			runs[who, job] = field("runs")
			run_of[who, job] = fields("run")
			irqs[who, job] = field("irqs")
			moved[who, job] = field("moved")
			n[who, job] = field("switches") + field("pairs")
			all[who, job] = n[who, job] * field("runs")
		}
	next
}
/"k":"score"/ {
	written[boot, key("cpu"), "spe"] = key("bytes")
	translations[boot, key("cpu"), "spe"] = key("translations")
}
/"k":"ete"/ {
	written[boot, key("cpu"), "ete"] = key("written")
	translations[boot, key("cpu"), "ete"] = key("translations")
}
boot != "" { next }
/"k":"irq"/ {
	c = key("cpu")
	taken[c]++
	taken_at[c, taken[c]] = key("at")
	taken_insns[c, taken[c]] = key("insns")
	next
}
/"k":"score"/ {
	c = key("cpu")
	regs["spe", c] = sum("msr", "^\"PM") + sum("mrs", "^\"PM")
	regs["ete", c] = sum("msr", "^\"TR") + sum("mrs", "^\"TR")
	barriers[c] = key("isb") + key("dsb") + key("psb")
	lost[c, "spe"] = key("discarded") * 64
}
/"k":"ete"/ {
	c = key("cpu")
	barriers_t[c] = key("tsb")
	lost[c, "ete"] = key("stopped") + key("off")
}
BEGIN {
	jobs["switch"]; jobs["enable"]; jobs["first"]; jobs["idle"]; jobs["fill"]; jobs["wrap"]
	jobs["threads"]; jobs["wide"]; jobs["match"]; jobs["control"]
	baselines["none"]; baselines["aux"]; baselines["data"]
}
# For each run of a buffer that fills: instructions in all interrupts of the unit, per interrupt or
# per MiB; or all instructions of the kernel that a run without a session does not have
function of_runs(side, what,  n, i, r, v, c, j, insns, irqs, text) {
	n = split(run_of[side, "fill"], r, " ")
	c = cpu_of[side, "fill"]
	for (i = 1; i <= n; i++) {
		split(r[i], v, ",")
		insns = irqs = 0
		for (j = 1; j <= taken[c]; j++)
			if (taken_at[c, j] >= v[1] && taken_at[c, j] <= v[2]) {
				insns += taken_insns[c, j]
				irqs++
			}
		if (what == "irq")
			text = text " " per(insns, irqs)
		else
			text = text " " per((what == "mib" ? insns : v[5] - least["", "fill"]) * 1048576, v[4])
	}
	return spread(text)
}
function cost(side, job) { return traced[side, job] - base[side, job] }
# A busy task without a session is the same on each CPU; any difference is other work of the kernel.
function busy(side, job) { return traced[side, job] - least["", job] }
function walks(side, unit, boot) {
	side = side boot
	return per(translations[boot, cpu_of[side, "fill"], unit] * 1048576, moved[side, "fill"])
}
# Bytes by which the head moved and that no unit wrote, per buffer
function padding(side, unit, boot) {
	side = side boot
	return per((moved[side, "fill"] - written[boot, cpu_of[side, "fill"], unit]) * 524288,
		   moved[side, "fill"])
}
END {
	split("spe ete", unit, " ")
	goal["spe", "switch"] = "<=0.5"; goal["ete", "switch"] = "<=0.25"
	goal["spe", "regs"] = "<=1"; goal["ete", "regs"] = "<=0.25"
	goal["spe", "code"] = "<=1"; goal["ete", "code"] = "<=0.5"
	# The counter of an idle CPU includes a few interrupts.
	if (traced["control", "control"] + 0 > 200000) {
		printf "bench-drivers: an idle CPU counts %d instructions of others\n", traced["control", "control"]
		exit 1
	}
	for (f in baselines)
		printf "baseline %s_insns_per_switch=%.6g\n", f,
		       per(cost("baseline_" f, "switch"), n["baseline_" f, "switch"])
	for (u = 1; u <= 2; u++) {
		U = unit[u]; o = U "_ours"; p = U "_peer"
		row(U "_insns_per_switch", per(cost(o, "switch"), n[o, "switch"]),
		    per(cost(p, "switch"), n[p, "switch"]), goal[U, "switch"])
		co = cpu_of[o, "switch"]; cp = cpu_of[p, "switch"]
		row(U "_registers_per_switch", per(regs[U, co], all[o, "switch"]),
		    per(regs[U, cp], all[p, "switch"]), goal[U, "regs"])
		row(U "_barriers_per_switch", per(barriers[co] + barriers_t[co], all[o, "switch"]),
		    per(barriers[cp] + barriers_t[cp], all[p, "switch"]), "<=1")
		row(U "_registers_and_barriers_per_switch",
		    per(regs[U, co] + barriers[co] + barriers_t[co], all[o, "switch"]),
		    per(regs[U, cp] + barriers[cp] + barriers_t[cp], all[p, "switch"]), goal[U, "regs"])
		row(U "_insns_on_and_off", per(cost(o, "enable"), n[o, "enable"]),
		    per(cost(p, "enable"), n[p, "enable"]), "<=1")
		row(U "_enable_to_first_byte", per(cost(o, "first"), n[o, "first"]),
		    per(cost(p, "first"), n[p, "first"]), "<=1")
		row(U "_insns_per_thread_switch", per(cost(o, "threads"), n[o, "threads"]),
		    per(cost(p, "threads"), n[p, "threads"]), "<=1")
		row_of(U "_idle_exit_untraced", base[o "_alone", "idle"], base[p "_alone", "idle"], "<=1.2")
		row_of(U "_idle_exit_traced", traced[o "_alone", "idle"], traced[p "_alone", "idle"], "<=1")
		baseline = per(cost(u == 1 ? "baseline_aux" : "baseline_data", "switch"),
			    n["baseline_aux", "switch"])
		row(U "_own_insns_per_switch", per(cost(o, "switch"), n[o, "switch"]) - baseline,
		    per(cost(p, "switch"), n[p, "switch"]) - baseline, goal[U, "switch"])
		row_of(U "_insns_per_fill_interrupt", of_runs(o, "irq"), of_runs(p, "irq"), "<=0.5")
		row(U "_fill_interrupts_per_mib", per(irqs[o, "fill"] * 1048576, moved[o, "fill"]),
		    per(irqs[p, "fill"] * 1048576, moved[p, "fill"]), "<=0.5")
		row_of(U "_fill_interrupts_insns_per_mib", of_runs(o, "mib"), of_runs(p, "mib"), "<=0.5")
		row_of(U "_fill_insns_per_mib", of_runs(o, "all"), of_runs(p, "all"), "<=0.5")
		row(U "_insns_in_wraps", busy(o, "wrap"), busy(p, "wrap"), "<=0.5")
		row(U "_wrap_interrupts", irqs[o, "wrap"], irqs[p, "wrap"], U == "ete" ? "0" : "<=1")
		row(U "_padding_per_turnover", padding(o, U), padding(p, U), "<=4096")
		row(U "_padding_per_turnover_16k", padding(o, U, "16k"), padding(p, U, "16k"), "<=4096")
		row(U "_translations_per_mib", walks(o, U), walks(p, U), "<=0.1")
		row(U "_translations_per_mib_blocks", walks(o, U, "masked"), walks(p, U, "masked"), "<=0.1")
		row(U "_translations_per_mib_physical", walks(U "_physical", U), walks(p, U), "<=0.1")
		row(U "_bytes_lost", lost[cpu_of[o, "fill"], U], lost[cpu_of[p, "fill"], U], "0")
		row(U "_code_bytes", code[o], code[p], goal[U, "code"])
	}
	row_of("idle_exit_untraced", base["ete_ours", "idle"], base["ete_peer", "idle"], "<=1.2")
	wide = per(traced["ete_ours", "wide"], n["ete_ours", "wide"])
	row("ete_wide_all_insns_per_switch", wide, per(traced["ete_peer", "wide"], n["ete_peer", "wide"]),
	    "<=1.01")
	# The peer does not have this function: compare with our own session without it.
	row("ete_match_all_insns_per_switch", per(traced["ete_ours", "match"], n["ete_ours", "match"]),
	    wide, "<=1.01")
}' "$out/code" "$out/sides" "$out/sides.16k" "$out/sides.masked" \
	"$out/main.json" "$out/16k.json" "$out/masked.json"

awk '
FILENAME ~ /masked$/ {
	split($1, name, "="); split($2, us, "="); split($3, cpu, "=")
	cpu_of[name[2], us[2]] = cpu[2]
	next
}
match($0, "\"cpu\":[0-9]+") { c = substr($0, RSTART + 6, RLENGTH - 6) }
function key(k) {
	return match($0, "\"" k "\":[0-9]+") ? substr($0, RSTART + length(k) + 3) + 0 : 0
}
/"k":"score"/ { lost[c, "spe"] = key("discarded") * 64 }
/"k":"ete"/ { lost[c, "ete"] = key("stopped") + key("off") }
END {
	split("spe ete", unit, " ")
	split("0 10 100", us, " ")
	for (u = 1; u <= 2; u++)
		for (i = 1; i <= 3; i++) {
			ours = lost[cpu_of[unit[u] "_ours", us[i]], unit[u]]
			peer = lost[cpu_of[unit[u] "_peer", us[i]], unit[u]]
			printf "bench %s_lost_masked_%dus ours=%d peer=%d ratio=%s goal=0\n", unit[u],
			       us[i], ours, peer, peer ? sprintf("%.2f", ours / peer) : "-"
		}
}' "$out/masked" "$out/masked.json"

selftests/bench/collect.sh "$out"
selftests/bench/joint.sh "$out"
selftests/bench/branches.sh "$out" "$rounds"
