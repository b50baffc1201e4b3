#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Runs on the machine of debian.sh. As /usr/sbin/v9-job, started by systemd when all else is up: the
# job on the second disk, a tar archive with a script "run". Its output and its exit status go to the
# port v9.out, then the machine is switched off. As v9-job configure, in place of init: configure
# what is unpacked.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8
export DEBIAN_FRONTEND=noninteractive

if [ "$1" = configure ]; then
	mount -t proc proc /proc
	mount -t sysfs sysfs /sys
	mount -t devtmpfs dev /dev
	mount -t tmpfs run /run
	mount -o remount,rw /
	modprobe virtio_console
	hostname server
	ls /dev/vport* >/dev/null || sleep 5
	out=$(ls /dev/vport* | head -n 1)
	# No initial RAM disk is made: the lab has its own.
	INITRD=No dpkg --configure -a --force-confold >"$out" 2>&1
	status=$?
	apt-get check >"$out" 2>&1 || status=1
	echo "v9-status $status" >"$out"
	sync
	mount -o remount,ro /
	busybox poweroff -f
fi

out=/dev/virtio-ports/v9.out
rm -rf /job
mkdir -p /job
tar -xf /dev/vdb -C /job
cd /job
INITRD=No sh ./run >"$out" 2>&1
echo "v9-status $?" >"$out"
sync
systemctl poweroff
