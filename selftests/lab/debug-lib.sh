# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The kernel named "debug": Debian's linux-source-6.12 in the small configuration of debug.config,
# laid out in the cache like those that Debian built. Sourced by kernel-lib.sh.

debug_find() {
	local old
	SHORT=debug SUITE=trixie
	apt_refresh trixie
	VERSION=$(apt_version trixie linux-source-6.12)
	[ -n "$VERSION" ] || die "Debian trixie no longer offers linux-source-6.12."
	RELEASE=${VERSION%-*}-debug
	KDIR=$CACHE/kernel-debug-$VERSION-$(hash_text "$(declare -f debug_build)" "$(cat "$LAB/debug.config")")
	if [ ! -e "$KDIR" ] && [ -e "$CACHE/apt/trixie/offline" ]; then
		old=$(ls -dt "$CACHE"/kernel-debug-*/image/vmlinuz 2>/dev/null | head -n1)
		[ -n "$old" ] || return 0
		KDIR=${old%/image/vmlinuz}
		RELEASE=$(cat "$KDIR/image/release")
		VERSION=${RELEASE%-debug}
		info "using the cached kernel $RELEASE."
	fi
}

# Sources of other architectures and of hardware that no guest has are not unpacked; Kconfig needs
# all of its files. What a module's build does not need is removed at the end.
debug_build() {
	local dl=$CACHE/debs/${KDIR##*/} tmp
	apt_only trixie "$dl" "linux-source-6.12=$VERSION"
	tmp=$(fresh "$KDIR")
	mkdir -p "$tmp/deb" "$tmp/headers/usr/src/linux-headers-$RELEASE" "$tmp/headers/usr/lib/none" \
		"$tmp/image/modules/usr/lib/modules/$RELEASE"
	dpkg-deb -x "$dl"/linux-source-6.12_*.deb "$tmp/deb"
	cp "$LAB/debug.config" "$tmp/"
	in_root "$("$LAB/root.sh" path)" sh -eu -c '
		top=$1 release=$2
		cd "$top/headers/usr/src/linux-headers-$release"
		without=
		for d in sound drivers/gpu "drivers/net/*" drivers/media drivers/staging drivers/infiniband \
			 drivers/scsi drivers/usb drivers/iio drivers/hwmon arch/x86 arch/powerpc \
			 arch/mips arch/s390 arch/riscv arch/sparc arch/m68k arch/parisc arch/sh \
			 tools/testing tools/perf; do
			without="$without --exclude=linux-source-6.12/$d/*.[chS]"
		done
		set -f
		tar -x --no-same-owner --strip-components=1 $without \
			--exclude="linux-source-6.12/Documentation/*.rst" \
			--exclude="linux-source-6.12/Documentation/*.yaml" \
			-f "$top/deb/usr/src/linux-source-6.12.tar.xz"
		set +f
		rm -rf "$top/deb"
		make="make -s ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu-"
		KCONFIG_ALLCONFIG=$top/debug.config $make allnoconfig
		grep "^CONFIG_" "$top/debug.config" | while read -r line; do
			grep -qxF "$line" .config || { echo "debug.config: not taken: $line"; exit 1; }
		done
		nice $make -j"$(nproc)" Image modules
		[ "$(cat include/config/kernel.release)" = "$release" ]
		cp arch/arm64/boot/Image "$top/image/vmlinuz"
		cp .config "$top/image/config"
		cp System.map "$top/image/"
		cp modules.builtin modules.builtin.modinfo modules.order \
			"$top/image/modules/usr/lib/modules/$release/"
		cd "$top/image/modules"
		find usr | cpio --quiet -o -H newc >../modules.cpio
		cd "$top/headers/usr/src/linux-headers-$release"
		find . -type f ! -path "./scripts/*" ! -path "./include/*" ! -path "./arch/arm*/include/*" \
			! -name "Makefile*" ! -name "Kbuild*" ! -name "Kconfig*" ! -name .config \
			! -name Module.symvers -delete
		find . -depth -type d -empty -delete' sh "$tmp" "$RELEASE"
	printf '%s\n' "$RELEASE" >"$tmp/image/release"
	printf 'gcc-14\n' >"$tmp/headers/gcc"
	printf 'none\n' >"$tmp/headers/kbuild"
	publish "$KDIR"
	rm -rf "$dl"
}

debug_kernel() {
	used "$KDIR"
	[ -e "$KDIR/image/vmlinuz" ] && return
	"$LAB/root.sh" path >/dev/null
	need_space "$CACHE" 6000
	lock "${KDIR##*/}"
	[ -e "$KDIR/image/vmlinuz" ] || step "kernel $RELEASE: KASAN, lockdep, fault injection" debug_build
	unlock
}
