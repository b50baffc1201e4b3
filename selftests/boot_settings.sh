#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Tests the settings at boot of Documentation/tuning.rst. The lines for modprobe.d and the udev
# rules are taken from there, and are used by kmod and by Debian's udev in the guest. Writes TAP to
# build/results/kernel-KERNEL/target/boot_settings.tap; KERNEL=6.12|6.1|7
set -u
cd "$(dirname "$0")/.." || exit 2
export KERNEL="${KERNEL:-6.12}"
out=build/boot_settings/$KERNEL tap=build/results/kernel-$KERNEL/target/boot_settings.tap
rm -rf "$out"
mkdir -p "$out" "$(dirname "$tap")"
n=0
failed=0

result() {	# NAME EXPECTED GOT
	n=$((n + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $n - $1"
	else
		failed=1
		echo "not ok $n - $1 # expected '$2', is '$3'"
	fi
}

sed -n 's/^  \(options v9_.*\)/\1/p' Documentation/tuning.rst >"$out/modprobe.conf"
sed -n 's/^  \(SUBSYSTEM==.*\)/\1/p' Documentation/tuning.rst >"$out/udev.rules"

# value FILE-OF-LINES PATTERN: prints the value in the documentation
value() { sed -n "s/.*$2\"*\([a-z0-9]*\)\"*.*/\1/p" "$out/$1"; }

udev=$(selftests/lab/udev.sh path) || exit 2
selftests/lab/modules.sh "$KERNEL" >&2 || exit 2
# shellcheck disable=SC2016	# for the guest's shell
guest='
	release=$(uname -r)
	mkdir -p /lib/modules/$release/extra
	cp /v9/modules/v9_*.ko /lib/modules/$release/extra
	/usr/sbin/depmod -a
	show() {
		for file in arm_spe_0/tuning/min_interval arm_spe_0/tuning/physical_access \
			cs_etm/tuning/max_buffer cs_etm/tuning/aux_watermark; do
			echo "$1 $file $(cat /sys/bus/event_source/devices/$file)"
		done
	}
	load() { /usr/sbin/modprobe v9_spe && /usr/sbin/modprobe v9_ete; }
	unload() { /usr/sbin/modprobe -r v9_ete && /usr/sbin/modprobe -r v9_spe; }

	cp /settings/modprobe.conf /etc/modprobe.d/v9trace-settings.conf
	load && show modprobe && unload && load && show modprobe_again && unload
	rm /etc/modprobe.d/v9trace-settings.conf

	cp /settings/udev.rules /udev/etc/udev/rules.d/60-v9trace.rules
	export SYSTEMD_IGNORE_CHROOT=1
	mount --bind /sys /udev/sys
	mount --bind /proc /udev/proc
	mount --bind /dev /udev/dev
	mount -t tmpfs none /udev/run
	chroot /udev /usr/bin/udevadm verify /etc/udev/rules.d/60-v9trace.rules >/tmp/verify 2>&1
	echo "verify $?"
	chroot /udev /usr/lib/systemd/systemd-udevd --daemon
	settle() { chroot /udev /usr/bin/udevadm settle; }
	load && settle && show udev && unload
	settle
	load && settle && show udev_again
	chroot /udev /usr/bin/udevadm control --exit
	true'
selftests/lab/run.sh -o "$out/run" -q v9-spe=on,v9-ete=on -f "$udev/tree:/udev" \
	-f "$out/modprobe.conf:/settings/modprobe.conf" -f "$out/udev.rules:/settings/udev.rules" \
	-- "$guest" >"$out/log" 2>&1

is() {	# NAME FILE EXPECTED: after loading, and after loading again
	result "$1_${2##*/}" "$3" "$(sed -n "s#^$1 $2 ##p" "$out/log" | tr -d '\r')"
	result "$1_${2##*/}_again" "$3" "$(sed -n "s#^${1}_again $2 ##p" "$out/log" | tr -d '\r')"
}
{
	result documented_options 2 "$(grep -c '^options' "$out/modprobe.conf")"
	result documented_rules 2 "$(grep -c '^SUBSYSTEM' "$out/udev.rules")"
	is modprobe arm_spe_0/tuning/min_interval "$(value modprobe.conf 'min_interval=')"
	is modprobe arm_spe_0/tuning/physical_access "$(value modprobe.conf 'physical_access=')"
	is modprobe cs_etm/tuning/max_buffer "$(value modprobe.conf 'max_buffer=')"
	result rules_are_valid "verify 0" "$(tr -d '\r' <"$out/log" | grep '^verify')"
	is udev arm_spe_0/tuning/min_interval "$(value udev.rules 'min_interval}=')"
	is udev arm_spe_0/tuning/physical_access perf
	is udev cs_etm/tuning/aux_watermark "$(value udev.rules 'aux_watermark}=')"
	is udev cs_etm/tuning/max_buffer 0
	echo "1..$n"
} >"$tap"
grep '^not ok' "$tap"
exit $failed
