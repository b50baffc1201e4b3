#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Started by systemd on the machine of debian.sh: /job/run, with its output and its exit status on the
# port v9.out. Then the machine is switched off.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8
export DEBIAN_FRONTEND=noninteractive INITRD=No
out=/dev/virtio-ports/v9.out
modprobe virtio_console
udevadm settle
while [ ! -c $out ]; do sleep 1; done
cd /job
sh ./run >$out 2>&1 </dev/null
echo "v9-status $?" >$out
sync
systemctl poweroff
