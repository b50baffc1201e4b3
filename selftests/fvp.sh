#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Checks the overlay for Arm's Base RevC model with the device tree of each kernel's source: fvp.sh
# SUITE writes build/results/SUITE.tap. The trees are merged with fdtoverlay and read back.
set -u
cd "$(dirname "$0")/.." || exit 2
suite=build/results/${1:?usage: fvp.sh SUITE}.tap
tmp=$PWD/build/fvp
rm -rf "$tmp"
mkdir -p "$tmp" "${suite%/*}"
n=0
failed=0

same() {	# NAME FOUND WANTED
	n=$((n + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $n - $1"
	else
		failed=1
		echo "not ok $n - $1 # $(printf '"%s", not "%s"' "$2" "$3" | tr '\n' ' ')"
	fi
}
root() { selftests/lab/root.sh run -- "$@"; }
get() { root fdtget "$@" 2>/dev/null; }
overlay() { root dtc -q -@ -I dts -O dtb -o "$tmp/$2.dtbo" "$1"; }

# checked DTB: prints a line for each property that differs from what the platform requires
checked() {
	[ "$(get "$1" /spe-pmu compatible)" = arm,statistical-profiling-extension-v1 ] || echo no SPE
	[ "$(get -t u "$1" /spe-pmu interrupts)" = '1 5 4' ] || echo interrupt of SPE
	[ "$(get "$1" /trbe compatible)" = arm,trace-buffer-extension ] || echo no TRBE
	[ "$(get -t u "$1" /trbe interrupts)" = '1 15 8' ] || echo interrupt of TRBE
	[ "$(get "$1" /trbe status)" = okay ] || echo TRBE is disabled
	i=0
	for cpu in 0 100 200 300 10000 10100 10200 10300; do
		[ "$(get "$1" /ete-$i compatible)" = arm,embedded-trace-extension ] || echo no ETE $i
		[ "$(get "$1" /ete-$i status)" = okay ] || echo ETE $i is disabled
		[ "$(get "$1" /ete-$i cpu)" = "$(get "$1" /cpus/cpu@$cpu phandle)" ] || echo CPU of ETE $i
		i=$((i + 1))
	done
	[ "$(root fdtget -l "$1" / | grep -c '^ete-\|^trbe\|^spe-pmu')" = 10 ] || echo a node too many
}

{
	overlay selftests/target/fvp.dtso fvp
	same overlay_compiles $? 0
	for kernel in 6.1 6.12 7; do
		source=$(selftests/lab/source.sh $kernel)
		of=$(echo $kernel | tr . _)
		root sh -c '
			cpp -nostdinc -undef -x assembler-with-cpp -I "$1/include" \
				"$1/arch/arm64/boot/dts/arm/fvp-base-revc.dts" >"$2.dts" &&
				dtc -q -@ -I dts -O dtb -i "$1/arch/arm64/boot/dts/arm" -o "$2.dtb" "$2.dts" &&
				fdtoverlay -i "$2.dtb" -o "$2.merged.dtb" "$3"' sh \
			"$source" "$tmp/$kernel" "$tmp/fvp.dtbo" >"$tmp/$kernel.log" 2>&1
		same overlay_fits_$of $? 0
		same units_of_$of "$(checked "$tmp/$kernel.merged.dtb")" ''
		same needed_by_$of "$(checked "$tmp/$kernel.dtb" | grep -c .)" "$([ $kernel = 7 ] && echo 9 || echo 28)"
	done

	# Each change of the overlay is seen.
	while IFS='|' read -r name change found; do
		sed "$change" selftests/target/fvp.dtso >"$tmp/$name.dtso"
		overlay "$tmp/$name.dtso" "$name"
		root fdtoverlay -i "$tmp/7.dtb" -o "$tmp/$name.dtb" "$tmp/$name.dtbo" >/dev/null 2>&1
		same "$name" "$(checked "$tmp/$name.dtb" | head -n 1)" "$found"
	done <<-'END'
	wrong_cpu_is_seen|s/cpu = <&cpu3>/cpu = <\&cpu2>/|CPU of ETE 3
	wrong_interrupt_is_seen|s/<1 15 8>/<1 14 8>/|interrupt of TRBE
	disabled_unit_is_seen|/ete-5/,/};/s/okay/disabled/|ETE 5 is disabled
	other_name_is_seen|s/trbe {/trbe-0 {/|TRBE is disabled
	END
	sed 's/&cpu7/\&cpu8/' selftests/target/fvp.dtso >"$tmp/no_cpu.dtso"
	overlay "$tmp/no_cpu.dtso" no_cpu
	root fdtoverlay -i "$tmp/7.dtb" -o "$tmp/no_cpu.dtb" "$tmp/no_cpu.dtbo" >/dev/null 2>&1
	same cpu_that_is_not_there_is_refused $? 1
	echo "1..$n"
} >"$suite"
exit $failed
