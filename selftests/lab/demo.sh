#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The main job from end to end: boot a Debian kernel on the reference platform, load our modules,
# record a real program, sampled with SPE, traced with ETE, and both at once, bring the captures here, show them.
# REAL=1 does it on this machine's own units.

. "$(dirname "$0")/lib.sh"

OUT=$BUILD/demo
PERIOD=${PERIOD:-4096}
KERNEL=${KERNEL:-6.12}

units=$("$LAB/real.sh" look)
if [ "${REAL:-}" = 1 ]; then
	[ -z "$units" ] || make -s -C "$PROJ/tools" || exit
	V9TRACE=$BUILD/tools/native/v9trace exec "$LAB/real.sh" "$OUT"
fi
[ -z "$units" ] ||
	info "this machine has $units itself; 'make demo REAL=1' records on it. What follows is the reference platform."

"$LAB/lab.sh" prepare demo
zstd=$("$LAB/workload.sh")

# The data: the kernel image that the guest runs, about 30 MB of real machine code and text.
guest_script() {
	cat <<-END
	set -e
	insmod /v9/modules/v9_core.ko
	insmod /v9/modules/v9_spe.ko
	cat /sys/bus/event_source/devices/arm_spe_0/caps/arch_inst >/dev/null
	cat /proc/kallsyms >/out/kallsyms
	cp /usr/bin/perf /tmp/data
	v9trace record -e arm_spe_0/ts_enable=1,jitter=1/ -c $PERIOD -o /out/demo.data -- \\
		/v9/demo/zstd -q -3 -T1 -f -o /tmp/data.zst /tmp/data
	ls -l /tmp/data /tmp/data.zst | awk '{ print "    " \$5, \$9 }'
	insmod /v9/modules/v9_ete.ko
	head -c 300000 /tmp/data >/tmp/part
	v9trace record -e cs_etm//u -m ,4M -o /out/trace.data -- \\
		/v9/demo/zstd -q -3 -T1 -f -o /tmp/part.zst /tmp/part
	head -c 20000 /tmp/data >/tmp/part
	v9trace record -e cs_etm// -m ,16M -o /out/kernel.data -- \\
		/v9/demo/zstd -q -1 -T1 -f -o /tmp/part.zst /tmp/part
	head -c 300000 /tmp/data >/tmp/part
	v9trace record -e arm_spe_0//u -e cs_etm//u -c 512 -m ,16M -o /out/joint.data -- \\
		/v9/demo/zstd -q -3 -T1 -f -o /tmp/part.zst /tmp/part
	rmmod v9_ete v9_spe v9_core
	END
}

info "recording zstd -3 on Debian's $KERNEL kernel, one sample in $PERIOD operations"
rm -rf "$OUT"
mkdir -p "$OUT"
# An instruction takes 1 ns: the clocks of the two units cannot be compared while the emulator's own work takes time.
"$LAB/run.sh" -o "$OUT" -t 300 -x "-icount shift=0" -q "v9-spe=on,v9-ete=on" -f "$zstd:/v9/demo/zstd" -- "$(guest_script)" ||
	die "the recording did not succeed (status $?); what the guest printed is above, its console in $OUT/console.log"

mkdir -p "$OUT/symfs/v9/demo"
cp "$zstd" "$OUT/symfs/v9/demo/zstd"
echo
echo "=== SPE: what sampled operations did"
"$BUILD/tools/host/v9trace" report --symfs "$OUT/symfs" --kallsyms "$OUT/kallsyms" "$OUT/demo.data"
echo
echo "=== ETE: every instruction of a shorter run"
"$BUILD/tools/host/v9trace" report --calls --limit 15 --symfs "$OUT/symfs" "$OUT/trace.data"
echo
echo "=== ETE: a short run, user space and kernel"
"$BUILD/tools/host/v9trace" report --limit 15 --symfs "$OUT/symfs" "$OUT/kernel.data"
echo
echo "=== SPE and ETE at once: the samples on the path that was traced"
"$BUILD/tools/host/v9trace" report --joint --limit 8 --symfs "$OUT/symfs" "$OUT/joint.data"
echo
echo "The captures are demo.data, trace.data, kernel.data and joint.data in build/demo. Look further:"
echo "    build/tools/host/v9trace script --symfs build/demo/symfs --kallsyms build/demo/kallsyms build/demo/demo.data | less"
echo "    build/tools/host/v9trace dump build/demo/demo.data | less"
echo "    build/tools/host/v9trace script --insn --symfs build/demo/symfs build/demo/kernel.data | less"
echo "    build/tools/host/v9trace report --joint --calls-of ZSTD_compressBlock_doubleFast --symfs build/demo/symfs build/demo/joint.data"
