#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A server with Debian 13 for arm64: packages are unpacked here and configured in a guest.
#
#   debian.sh path        make it, print the directory: disk.img (ext4, sparse); repository/, from
#                         which apt installs in it: the kernel of trixie-backports, what v9trace is
#                         built with; RELEASE/{vmlinuz,initrd} of both kernels; files old and new
#                         with their releases
#   debian.sh boot DISK RELEASE OUT JOB [CPU-PROPERTIES]
#                         start it by UEFI and ACPI; JOB is a directory with a script "run", which
#                         systemd starts when all else is up. Its output is in OUT/log, the
#                         console's in OUT/console.log. Exit status: the script's; 125 if the machine
#                         died; 124 after TIMEOUT seconds (3600)
#
# Its initial RAM disk is ours: initramfs-tools would need many minutes in the guest.

. "$(dirname "$0")/lib.sh"

BASE="?and(?architecture(arm64),?or(?essential,?priority(required))) systemd-sysv systemd udev dbus apt linux-image-arm64 linux-headers-arm64 linux-perf kmod procps
login passwd mount dkms gcc make openssl libtraceevent1 libelf1t64 libjson-c5 libsqlite3-0 libdw1t64 libzstd1 libncursesw6
busybox-static ca-certificates perl bash-completion"
LATER="linux-image-arm64/trixie-backports linux-headers-arm64/trixie-backports"
# What make -C tools names on this machine
DEVEL="$(awk '$1 == "library" { printf "%s ", $4 }' "$PROJ/tools/setup/needs")linux-source"
AREA=trixie-backports
ARM64="-o APT::Architecture=arm64 -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache="
# What mounts the root
MODULES="virtio_pci virtio_blk ext4"

find_dir() {
	local later
	apt_refresh $AREA
	later=$(in_area $AREA apt-cache show linux-image-arm64:arm64 |
		sed -n 's/^Version: \(.*~bpo.*\)/\1/p' | sort -rV | head -n1)
	[ -n "$later" ] || die "$AREA has no kernel now."
	DIR=$CACHE/debian-$(apt_version $AREA linux-image-arm64:arm64)-$later-$(hash_text "$BASE" "$LATER" "$DEVEL" \
		"$(declare -f dpkg_database make_tree make_boot make_disk)" "$(cat "$LAB/debian-configure.sh")")
}

# The tree, with dpkg's database; nothing is configured yet.
make_tree() {	# DIR-OF-DEBS TREE
	local t=$2 d
	usr_merge "$t"
	unpack_debs "$1" "$t"
	dpkg_database "$1" "$t" unpacked
	for d in doc man locale info; do
		rm -rf "$t/usr/share/$d"
		echo "path-exclude=/usr/share/$d/*"
	done >"$t/etc/dpkg/dpkg.cfg.d/lab"
	echo force-unsafe-io >>"$t/etc/dpkg/dpkg.cfg.d/lab"
	for d in proc sys dev run tmp root var/tmp boot repository; do mkdir -p "$t/$d"; done
	chmod 1777 "$t/tmp" "$t/var/tmp"
	cp "$t/usr/share/base-passwd/passwd.master" "$t/etc/passwd"
	cp "$t/usr/share/base-passwd/group.master" "$t/etc/group"
	echo '/dev/vda / ext4 rw,noatime 0 1' >"$t/etc/fstab"
	echo server >"$t/etc/hostname"
	echo 'deb [trusted=yes] file:/repository ./' >"$t/etc/apt/sources.list"
	cp "$LAB/debian-configure.sh" "$t/usr/sbin/v9-configure"
	chmod 755 "$t/usr/sbin/v9-configure"
	cat >"$t/etc/systemd/system/v9-job.service" <<-END
	[Unit]
	Description=Job of the lab
	After=multi-user.target

	[Service]
	ExecStart=/bin/sh -c "mkdir -p /job && tar -xf /dev/vdb -C /job && exec sh /job/start"
	END
	mkdir -p "$t/etc/systemd/system/multi-user.target.wants"
	ln -s ../v9-job.service "$t/etc/systemd/system/multi-user.target.wants/"
	# They take long where each instruction is emulated.
	for d in apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer man-db.timer; do
		ln -sf /dev/null "$t/etc/systemd/system/$d"
	done
}

# make_boot TREE RELEASE TO: kernel and initial RAM disk
make_boot() {
	mkdir -p "$3/usr/bin" "$3/sbin" "$3/proc" "$3/sys" "$3/dev" "$3/root"
	ln -s ../usr/bin/busybox "$3/sbin/modprobe"	# for the kernel itself
	cp "$(find "$1/boot" "$1/usr/lib/modules/$2" -maxdepth 1 -name "vmlinuz*" -type f | head -n 1)" "$3/../vmlinuz"
	sh "$LAB/pick-modules.sh" "$1" "$3" "$2" $MODULES
	cp "$4/usr/bin/busybox" "$3/usr/bin/"
	cat >"$3/init" <<-'END'
	#!/usr/bin/busybox sh
	bb=/usr/bin/busybox
	$bb mount -t proc proc /proc
	$bb mount -t sysfs sysfs /sys
	$bb mount -t devtmpfs dev /dev
	$bb ln -s usr/lib /lib
	for m in virtio_pci virtio_blk ext4; do $bb modprobe $m; done
	for i in 1 2 3 4 5 6 7 8 9; do [ -e /dev/vda ] || $bb sleep 1; done
	$bb mount -o ro /dev/vda /root
	$bb umount /sys
	$bb umount /proc
	init=/sbin/init
	$bb mount -t proc proc /proc
	for w in $($bb cat /proc/cmdline); do
		case $w in v9configure) init=/usr/sbin/v9-configure ;; esac
	done
	$bb umount /proc
	exec $bb switch_root /root $init
	END
	chmod 755 "$3/init"
	( cd "$3" && find . | cpio --quiet -o -H newc >../initrd )
	rm -rf "$3"
}

make_disk() {	# TREE IMAGE
	truncate -s 8G "$2"
	mke2fs -q -t ext4 -O ^has_journal -d "$1" "$2"
}

make_all() {
	local dl=$CACHE/debs/${DIR##*/} tmp release debs
	# shellcheck disable=SC2086
	set -f; apt_closure $AREA "$dl" $ARM64 $BASE; set +f
	tmp=$(fresh "$DIR")
	make_tree "$dl" "$tmp/tree"
	mkdir -p "$tmp/repository"
	# shellcheck disable=SC2086
	apt_closure $AREA "$tmp/repository" $ARM64 $LATER
	# shellcheck disable=SC2086
	apt_closure $AREA "$tmp/repository" $ARM64 $DEVEL
	rm -rf "$tmp/repository/partial" "$tmp/repository/lock"
	for debs in "$dl"/*.deb; do rm -f "$tmp/repository/${debs##*/}"; done
	mkdir "$tmp/later"
	usr_merge "$tmp/later"
	mkdir "$tmp/kernel"
	find "$tmp/repository" \( -name 'linux-image-*' -o -name 'linux-modules-*' -o -name 'linux-binary-*' \
		-o -name 'linux-base-*' \) -exec cp {} "$tmp/kernel" \;
	unpack_debs "$tmp/kernel" "$tmp/later"
	rm -rf "$tmp/kernel"
	ls "$tmp/tree/usr/lib/modules" | head -n 1 >"$tmp/old"
	ls "$tmp/later/usr/lib/modules" | head -n 1 >"$tmp/new"
	"$LAB/peers.sh" -t deb run -- bash -eu -c "$(declare -f make_boot make_disk)
		LAB='$LAB' MODULES='$MODULES'"'
		tmp=$1
		make_boot "$tmp/tree" "$(cat "$tmp/old")" "$tmp/$(cat "$tmp/old")/tree" "$tmp/tree"
		make_boot "$tmp/later" "$(cat "$tmp/new")" "$tmp/$(cat "$tmp/new")/tree" "$tmp/tree"
		cd "$tmp/repository"
		dpkg-scanpackages -m . >Packages
		make_disk "$tmp/tree" "$tmp/disk.img"' bash "$tmp"
	rm -rf "$tmp/tree" "$tmp/later"
	mkdir -p "$tmp/configure/job"
	V9_APPEND=v9configure boot "$tmp/disk.img" "$(cat "$tmp/old")" "$tmp/configure" "$tmp/configure/job" \
		pauth=off "$tmp" || { cat "$tmp/configure/log"; exit 1; }
	cat "$tmp/configure/log"
	publish "$DIR"
	rm -rf "$dl"
}

boot() {	# DISK RELEASE OUT JOB CPU-PROPERTIES DIR
	local out=$3 status qemu bios
	qemu=$("$LAB/qemu.sh" path)
	bios=$("$LAB/peers.sh" -t acpi path)/usr/share/qemu-efi-aarch64/QEMU_EFI.fd
	mkdir -p "$out/acpi"
	out=$(cd "$out" && pwd -P)
	rm -f "$out/log" "$out/console.log"
	tar -c -h -f "$out/job.tar" -C "$LAB" --transform 's,^debian-job.sh$,start,' debian-job.sh -C "$(realpath "$4")" .
	truncate -s %1M "$out/job.tar"
	cat >"$out/start" <<-END
	cc -std=gnu11 -o "$out/mkacpi" "$LAB/mkacpi.c"
	"$out/mkacpi" "$out/acpi" 2 spe=21
	cd "$out/acpi"
	find . ! -name . | cpio --quiet -o -H newc | cat - "$6/$2/initrd" >"$out/initrd"
	exec "$qemu" -machine virt,gic-version=3,virtualization=on -cpu max${5:+,$5} -smp 2 -m 2G -nodefaults \\
		-no-user-config -display none -no-reboot -bios "$bios" -kernel "$6/$2/vmlinuz" -initrd "$out/initrd" \\
		-append "console=ttyAMA0 panic=-1 oops=panic root=/dev/vda cryptomgr.notests systemd.show_status=1 ${V9_APPEND:-}" \\
		-drive if=none,id=root,format=raw,cache=unsafe,file="$1" -device virtio-blk-pci,drive=root \\
		-drive if=none,id=job,format=raw,readonly=on,file="$out/job.tar" -device virtio-blk-pci,drive=job \\
		-device virtio-rng-pci -serial "file:$out/console.log" -monitor none \\
		-chardev "file,id=out,path=$out/log" -device virtio-serial-pci \\
		-device virtserialport,chardev=out,name=v9.out
	END
	timeout --foreground -k 10 "${TIMEOUT:-3600}" "$LAB/root.sh" run -- sh -eu "$out/start" </dev/null
	status=$?
	rm -rf "$out/acpi" "$out/initrd" "$out/job.tar" "$out/mkacpi"
	[ $status != 124 ] || return 124
	status=$(sed -n 's/^v9-status //p' "$out/log" | tail -n 1)
	return "${status:-125}"
}

case ${1:-} in
path)
	find_dir
	used "$DIR"
	if [ ! -e "$DIR/disk.img" ]; then
		"$LAB/qemu.sh" path >/dev/null
		"$LAB/peers.sh" -t acpi path >/dev/null
		"$LAB/peers.sh" -t deb path >/dev/null
		need_space "$CACHE" 6000
		lock "${DIR##*/}"
		[ -e "$DIR/disk.img" ] || step "Debian 13 for arm64, configured in a guest" make_all
		unlock
	fi
	printf '%s\n' "$DIR"
	;;
boot)
	shift
	find_dir
	trap - ERR
	set +e
	boot "$(realpath "$1")" "$2" "$3" "$4" "${5:-}" "$DIR"
	;;
*)	die "usage: debian.sh path | boot DISK RELEASE OUT JOB [CPU-PROPERTIES]" ;;
esac
