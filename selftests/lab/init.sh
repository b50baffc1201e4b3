#!/usr/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# First process of the guest: runs /v9/script as root with its output on the port v9.out, then
# sends /out as a tar stream and the exit status on the port v9.result, and powers off.
# With v9shell on the command line: a shell on the console instead.

export PATH=/v9/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 TERM=${TERM:-linux}
/usr/bin/busybox --install -s /usr/bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
mkdir -p /dev/shm /dev/pts
for fd in stdin:0 stdout:1 stderr:2; do ln -s "/proc/self/fd/${fd#*:}" "/dev/${fd%:*}"; done
mount -t tmpfs tmp /tmp
mount -t tmpfs run /run
mount -t tmpfs shm /dev/shm
mount -t devpts pts /dev/pts
mount -t tracefs tracefs /sys/kernel/tracing
mount -t debugfs debugfs /sys/kernel/debug
hostname v9
ip link set lo up
ulimit -c 0

if grep -qw v9shell /proc/cmdline; then
	echo "This is the guest: modules in /v9/modules. 'exit' ends it."
	cd /root
	setsid cttyhack sh -l
	poweroff -f
fi

modprobe -q virtio_pci
modprobe -q virtio_console
port() {
	for tries in 1 2 3 4 5 6 7 8 9 10; do
		for p in /sys/class/virtio-ports/*; do
			[ "$(cat "$p/name" 2>/dev/null)" = "$1" ] && echo "/dev/${p##*/}" && return
		done
		usleep 200000
	done
	echo /dev/console
}
out=$(port v9.out)
result=$(port v9.result)

cd /root
sh /v9/script >"$out" 2>&1 </dev/null
status=$?
dmesg >/out/dmesg 2>/dev/null
tar -cf - -C /out . >"$result"
# After the end of the archive; if it is missing, the host knows that the output is incomplete.
echo "v9-status $status" >"$result"
sync
poweroff -f
