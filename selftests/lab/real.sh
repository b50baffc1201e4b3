#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The demonstration on the units of this machine itself.
#   real.sh look     print which it has a PMU of, "SPE (arm_spe_0) and ETE (cs_etm)"; nothing without
#   real.sh DIR      record a program with each of them, captures in DIR, print the reports
# V9TRACE names the program that records, V9_SYSFS a place in place of /sys.
set -u
pmus=${V9_SYSFS:-/sys}/bus/event_source/devices
spe=
for d in "$pmus"/arm_spe_*; do
	[ ! -e "$d/type" ] || { spe=${d##*/}; break; }
done
ete=
[ ! -e "$pmus/cs_etm/type" ] || ete=cs_etm

if [ "${1:-}" = look ]; then
	[ -z "$spe$ete" ] || echo "${spe:+SPE ($spe)}${spe:+${ete:+ and }}${ete:+ETE ($ete)}"
	exit
fi
[ $# = 1 ] || { echo "usage: real.sh look | DIR" >&2; exit 2; }
v9trace=${V9TRACE:-v9trace}
if [ -z "$spe$ete" ]; then
	echo "v9trace: this machine has no PMU of SPE or ETE (arm_spe_0, cs_etm): make modules_install, then modprobe v9_spe or v9_ete; dmesg says why one does not load." >&2
	exit 1
fi
mkdir -p "$1" || exit
data=$(command -v "$v9trace") || { echo "v9trace: '$v9trace' is not there; make -C tools builds it." >&2; exit 1; }
head -c 600000 "$data" >"$1/part" && head -c 60000 "$data" >"$1/small" || exit
if [ -n "$spe" ]; then
	echo "=== SPE: what sampled operations did"
	"$v9trace" record -e "$spe/ts_enable=1,jitter=1/" -c 4096 -o "$1/spe.data" -- \
		gzip -c "$1/part" >/dev/null || exit
	"$v9trace" report "$1/spe.data" || exit
	echo
fi
if [ -n "$ete" ]; then
	echo "=== ETE: every instruction of a shorter run"
	"$v9trace" record -e "$ete//u" -m ,4M -o "$1/ete.data" -- gzip -c "$1/small" >/dev/null || exit
	"$v9trace" report --calls --limit 15 "$1/ete.data" || exit
fi
if [ -n "$spe" ] && [ -n "$ete" ]; then
	echo
	echo "=== SPE and ETE at once: the samples on the path that was traced"
	"$v9trace" record -e "$spe//u" -e "$ete//u" -c 1024 -m ,4M -o "$1/joint.data" -- \
		gzip -c "$1/small" >/dev/null || exit
	"$v9trace" report --joint --limit 8 "$1/joint.data" || exit
fi
rm -f "$1/part" "$1/small"
