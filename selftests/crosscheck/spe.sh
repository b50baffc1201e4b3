#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Two cross-checks for SPE: the model's own log against what drivers and decoders say.
#
#   [KERNEL=6.1|6.12|7] spe.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
#   BOOTS=vhe spe.sh SUITE              boots the kernel at EL2 only; BOOTS=el1: at EL1 only (spe_el1.tap)
#   BOOTS=choices spe.sh SUITE          a unit that samples micro-operations, wrong paths and operations of no
#                                       instruction, with packets in any order, padding and IMPLEMENTATION DEFINED events (spe_choices.tap)
#
# Four boots: Debian's own arm_spe_pmu and our v9_spe, each at EL2 (a VHE host) and at EL1
# (no virtualisation). In each, stock perf records a real program, twice: with a large AUX buffer
# and with one so small that it fills many times. With our driver v9trace records a third time.
# The model logs every record that it wrote. Then, for each boot, on this machine:
#   - stock perf's dump and our decoder must show the log, record by record, field by field;
#   - the log must have had buffer-full events, and as many records as the model's counters say;
#   - our driver must have broken no rule that the strict model knows. What the in-tree driver
#     did is printed, for information.
set -u
cd "$(dirname "$0")/../.." || exit 2
suite=${1:?usage: spe.sh SUITE}
tap=build/results/$suite.tap
work=build/crosscheck/${KERNEL:=6.12}
# The decoder of the guest's suite: an older one refuses files of a newer one.
PERF="$PWD/selftests/lab/kernel.sh run $KERNEL perf"
export KERNEL PERF
zstd=$(selftests/lab/workload.sh) || exit 1
n=0
failed=0
mkdir -p "$(dirname "$tap")" "$work"
: >"$tap"
selftests/lab/root.sh run -- aarch64-linux-gnu-gcc -O2 -Wall -Wextra -Werror -static -o "$work/accesses" \
	selftests/crosscheck/accesses.c || exit 1

check() {	# NAME STATUS WHY
	n=$((n + 1))
	if [ "$2" -eq 0 ]; then
		echo "ok $n - $1" >>"$tap"
	else
		failed=1
		echo "not ok $n - $1 # $3" >>"$tap"
	fi
}

# Linux 6.1 offers no memory copies to programs.
has_accesses() {	# DRIVER MODE
	[ "$1 $2" = "ours choices" ] && [ "$KERNEL" != 6.1 ]
}

guest_script() {	# DRIVER MODE
	cat <<-'END'
	set -e
	event=arm_spe_0/ts_enable=1,pa_enable=1,jitter=1/
	work() { /v9/demo/zstd -q -3 -f -o /tmp/data.zst /tmp/data; }
	head -c 500000 /usr/bin/perf >/tmp/data
	END
	case $1 in
	intree) echo "modprobe arm_spe_pmu" ;;
	ours) echo "insmod /v9/modules/v9_core.ko; insmod /v9/modules/v9_spe.ko" ;;
	esac
	cat <<-'END'
	perf record -q -e $event -c 2048 -m,4M -o /out/1.data -- /v9/demo/zstd -q -3 -f -o /tmp/data.zst /tmp/data
	perf record -q -e $event -c 1024 -m,8 -o /out/2.data -- /v9/demo/zstd -q -3 -f -o /tmp/data.zst /tmp/data
	perf script -i /out/1.data --itrace=i1i -F ip | sort -u | wc -l >/out/perf-in-guest
	END
	# perf before 6.13 reads nothing of newer metadata.
	case $KERNEL in
	6.*) echo "metadata=--metadata=1" ;;
	*) echo "metadata=" ;;
	esac
	[ "$1" = intree ] || cat <<-'END'
	v9trace record $metadata -e $event -c 2048 -o /out/3.data -- /v9/demo/zstd -q -3 -f -o /tmp/data.zst /tmp/data
	perf script -i /out/3.data --itrace=i1i -F ip | sort -u | wc -l >/out/perf-reads-v9trace
	END
	! has_accesses "$1" "$2" || cat <<-'END'
	v9trace record $metadata -e arm_spe_0/ts_enable=1,pa_enable=1/u -c 1024 -m ,4M -o /out/4.data -- /v9/accesses /out/accesses
	END
}

# Prints a line per instruction of a function: its address, and its share of the samples in percent
annotated() {	# FILE FUNCTION
	build/tools/host/v9trace annotate --no-source --csv --symbol "$2" \
		--symfs "$PWD/$work/symfs" "$1" 2>"$out/annotate.err" | awk -F, '
		$1 == "instructions" { samples[$(NF - 1)] = $3; sum += $3 }
		END { for (a in samples) printf "%s %.2f\n", substr(a, 3), samples[a] * 100 / sum }' | sort
}
annotated_by_perf() {	# FILE FUNCTION
	$PERF annotate --stdio --itrace=i1i --symfs "$PWD/$work/symfs" -i "$1" "$2" 2>"$out/perf-annotate.err" | awk '
		$1 ~ /^[0-9.]+$/ && $3 ~ /^[0-9a-f]+:$/ { print substr($3, 1, length($3) - 1), $1 }' | sort
}

# In the log: each instruction of accesses.c was sampled, with its type, at one of its addresses. With this unit an Inactive
# part of SVE has no address.
accesses_have_their_types() {
	awk '
	BEGIN {
		split("ldg 4914 st2g 4915 stzg 4911 stgp 4901 ldr 4900 setp 4925 cpyfp 4920,4921 load 492c some 492c " \
		      "gather 49ac scatter 49ad ldrz 4904 add 482c", w, " ")
		for (i = 1; i in w; i += 2) types[w[i]] = w[i + 1]
	}
	# The digits of a number in hexadecimal, at least @n: those of the same length compare as texts.
	function hex(k, n,  s) {
		if (!match($0, "\"" k "\":\"0x[^\"]*\"")) return ""
		return long(substr($0, RSTART + length(k) + 6, RLENGTH - length(k) - 7), n)
	}
	function long(s, n) { while (length(s) < n) s = "0" s; return s }
	NR == FNR { name[long($2, 16)] = $1; first[$1] = long($3, 16); last[$1] = long($4, 16); next }
	/"k":"rec"/ {
		i = name[hex("pc", 16)]
		# wrong paths come here, too
		if (i == "" || hex("ev", 1) ~ /[014589cd]$/) next
		seen[i]++
		type = hex("op", 2) hex("opc", 2)
		va = hex("va", 16)
		if (!index(types[i], type)) { bad[i]++; was[i] = type }
		else if (va == "") none[i]++
		else if (last[i] > long("0", 16) && (va < first[i] || va > last[i])) { bad[i]++; was[i] = va }
	}
	END {
		for (i in types) {
			why = ""
			if (i == "add") none[i] = 0
			if (!seen[i]) why = "not sampled"
			else if (bad[i]) why = bad[i] " of another type or address: " was[i]
			else if ((none[i] > 0) != (i == "some" || i == "scatter")) why = "Inactive"
			print i, seen[i] + 0, none[i] + 0, why
		}
	}' "$out/accesses" "$out/model.json" | sort >"$out/accesses.types"
	while read -r access seen none why; do
		[ -z "$why" ]
		check "${name}_access_$access" $? "$seen samples, $none without an address: $why"
	done <"$out/accesses.types"
	[ "$(wc -l <"$out/accesses.types")" -eq 13 ]
	check "${name}_accesses_compared" $? "$(wc -l <"$out/accesses.types") lines"
}

crosscheck() {	# DRIVER MODE MACHINE-OPTIONS UNIT-OPTIONS
	name=$1_$2
	out=$PWD/$work/$name
	rm -rf "$out"
	mkdir -p "$out"
	selftests/lab/run.sh -o "$out" -t 900 -q "v9-spe=on,v9-strict=log,v9-log=$out/model.json$4" \
		${3:+-m "$3"} -f "$zstd:/v9/demo/zstd" -f "$PWD/$work/accesses:/v9/accesses" \
		-- "$(guest_script "$1" "$2")" >"$out/stdout" 2>"$out/stderr"
	status=$?
	check "${name}_records" $status "the guest ended with status $status: $(tail -n 1 "$out/stderr")"
	[ $status -eq 0 ] || return

	[ "$(cat "$out/perf-in-guest")" -gt 10 ]
	check "${name}_perf_decodes_in_guest" $? "perf script showed $(cat "$out/perf-in-guest") addresses"
	if [ "$1" = ours ]; then
		[ "$(cat "$out/perf-reads-v9trace")" -gt 10 ]
		check "${name}_perf_opens_v9trace_file" $? "perf script showed $(cat "$out/perf-reads-v9trace") addresses"
	fi

	for decoder in perf v9trace; do
		selftests/crosscheck/compare.sh "$decoder" "$out/model.json" "$out"/[1-9].data \
			>"$out/compare-$decoder" 2>&1
		check "${name}_${decoder}_equals_log" $? "$(tail -n 1 "$out/compare-$decoder")"
	done
	if [ "$1 $2" = "ours vhe" ]; then
		mkdir -p "$work/symfs/v9/demo"
		cp "$zstd" "$work/symfs/v9/demo/zstd"
		for function in ZSTD_compressBlock_doubleFast ZSTD_encodeSequences; do
			annotated "$out/1.data" $function >"$out/$function"
			annotated_by_perf "$out/1.data" $function >"$out/$function.perf"
			[ "$(awk '$2 > 0' "$out/$function" | wc -l)" -gt 10 ] &&
				cmp "$out/$function" "$out/$function.perf" >"$out/cmp" 2>&1
			check "${name}_annotate_equals_perf_$function" $? \
				"$(cat "$out/cmp"; tail -n 1 "$out/annotate.err" "$out/perf-annotate.err" | tr '\n' ' ')"
		done
	fi
	if [ "$2" = choices ]; then
		# Records with E[1] (architecturally retired) clear: bit 1 of the last hexadecimal digit of "ev" is 0.
		wrong=$(grep '"k":"rec"' "$out/model.json" | grep -cE '"ev":"0x[0-9a-f]*[014589cd]"')
		[ "$wrong" -gt 100 ]
		check "${name}_wrong_paths_are_recorded" $? "$wrong records"
		# One in 8 instructions has such an operation before it, and half of those of wrong paths have no address.
		none=$(grep '"k":"rec"' "$out/model.json" | grep -vc '"pc":')
		all=$(grep -c '"k":"rec"' "$out/model.json")
		[ "$none" -gt $((all / 10)) ] && [ "$none" -lt $((all / 4)) ]
		check "${name}_operations_of_no_instruction" $? "$none of $all records have no address"
		said=$(for file in "$out"/[1-9].data; do
			build/tools/host/v9trace report --csv "$file" 2>"$out/report.err"
		done | awk -F, '$2 == "not_retired" { n += $NF } END { print n + 0 }')
		[ "$said" = "$wrong" ]
		check "${name}_report_counts_them" $? "$said, and $wrong in the log"
	fi
	! has_accesses "$1" "$2" || accesses_have_their_types
	selftests/crosscheck/score.sh "$out/model.json" >"$out/score" 2>&1
	check "${name}_score_equals_log" $? "$(tail -n 1 "$out/score")"
	grep -q '"k":"event"' "$out/model.json"
	check "${name}_buffer_filled" $? "no management event: the small buffer never filled"
	violations=$(grep -c '"k":"violation"' "$out/model.json")
	if [ "$1" = ours ]; then
		[ "$violations" -eq 0 ]
		check "${name}_breaks_no_rule" $? "$violations violations: $(grep -m 1 '"k":"violation"' "$out/model.json")"
	else
		echo "# $name: $violations violations by the in-tree driver, $(grep '"k":"violation"' "$out/model.json" |
			sed 's/.*"rule":"\([^"]*\)".*/\1/' | sort | uniq -c | tr -s ' \n' ' ')" >>"$tap"
	fi
}

for boot in ${BOOTS:-vhe el1}; do
	machine= unit=
	case $boot in
	el1) machine=virtualization=off ;;
	choices)
		machine=mte=on
		unit=,v9-spe-micro=on,v9-spe-wrong=8,v9-spe-extra=8,v9-spe-order=on,v9-spe-impdef=on
		unit=$unit,v9-spe-version=4,v9-spe-vector=1,v9-spe-element=2,v9-spe-predicates=on,v9-spe-tags=on,v9-spe-lean=on
		;;
	esac
	for driver in intree ours; do crosscheck $driver $boot "$machine" "$unit"; done
done
echo "1..$n" >>"$tap"
exit $failed
