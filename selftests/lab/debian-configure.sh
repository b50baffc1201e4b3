#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# In place of init on the machine of debian.sh, once: configure what is unpacked.
export PATH=/usr/sbin:/usr/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
mount -t tmpfs run /run
mount -o remount,rw /
modprobe virtio_console
hostname server
while ! ls /dev/vport* >/dev/null 2>&1; do sleep 1; done
out=$(ls /dev/vport* | head -n 1)
# No initial RAM disk is made: the lab has its own.
INITRD=No dpkg --configure -a --force-confold >"$out" 2>&1
status=$?
apt-get check >"$out" 2>&1 || status=1
echo "v9-status $status" >"$out"
sync
mount -o remount,ro /
busybox poweroff -f
