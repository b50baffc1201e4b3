# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Which kernel a short name means, and how its parts come into the cache. Sourced after lib.sh.

# Modules the guest may load, with what they depend on.
GUEST_MODULES="arm_spe_pmu coresight coresight-etm4x coresight-trbe coresight-tmc configfs
virtio_pci virtio_console virtio_blk virtio_rng loop"

. "$LAB/debug-lib.sh"

# kernel_find NAME: sets SHORT SUITE RELEASE VERSION (of the package) KDIR. NAME is 6.1 (of bookworm), 6.12
# (trixie), 7 (sid), 6.12-bookworm, 6.12-bookworm-backports or 7-trixie-backports, with a flavour or
# without: -16k (pages of 16 KiB), -rt (PREEMPT_RT), -cloud; or it is debug. Fails with a message where
# the archive has no such kernel.
kernel_find() {
	local up flavour=arm64 from=$1 meta
	SHORT=$1
	case $from in
	*-16k)	flavour=arm64-16k from=${from%-16k} ;;
	*-rt)	flavour=rt-arm64 from=${from%-rt} ;;
	*-cloud) flavour=cloud-arm64 from=${from%-cloud} ;;
	esac
	case $from in
	6.1)	SUITE=bookworm up=6.1. ;;
	6.12)	SUITE=trixie up=6.12. ;;
	7)	SUITE=sid up=7. ;;
	6.12-bookworm | 6.12-bookworm-backports | 7-trixie-backports) SUITE=${from#*-} up=${from%%-*}. ;;
	debug)	debug_find; return ;;
	*)	die "no such kernel: '$SHORT' (6.1, 6.12, 7, 6.12-bookworm, 6.12-bookworm-backports and 7-trixie-backports, with -16k, -rt or -cloud; debug)." ;;
	esac
	# Another kernel than the suite's first one has its number in the package's name.
	meta=linux-image-$flavour
	[ "$from" != 6.12-bookworm ] || meta=linux-image-6.12-$flavour
	apt_refresh "$SUITE"
	# Newest image by name; the signed one has no suffix.
	set -- $(in_area "$SUITE" apt-cache show "$meta:arm64" 2>/dev/null |
		awk -v up="$up" -v image="linux-image-[^ ,]*-$flavour" '$1 == "Version:" { v = $2 }
			$1 == "Depends:" && index(v, up) == 1 &&
			match($0, image) {
				print v, substr($0, RSTART + 12, RLENGTH - 12)
			}' | sort -rV | head -n1)
	[ $# = 2 ] || die "Debian $SUITE has no kernel $SHORT now; choose another one (KERNEL=6.12)."
	VERSION=$1 RELEASE=$2
	KDIR=$CACHE/kernel-$RELEASE-$VERSION
	if [ ! -e "$KDIR/image/vmlinuz" ] && [ -e "$CACHE/apt/$SUITE/offline" ]; then
		local old
		old=$(ls -dt "$CACHE"/kernel-"$up"*[0-9]-"$flavour"-[0-9]*.*/image/vmlinuz 2>/dev/null | head -n1)
		if [ -n "$old" ]; then
			KDIR=${old%/image/vmlinuz}
			RELEASE=$(cat "$KDIR/image/release")
			VERSION=${KDIR##*-"$flavour"-}
			info "using the cached kernel $RELEASE."
		fi
	fi
}

fetch_image() {
	local dl=$CACHE/debs/${KDIR##*/}-image tmp m
	# Since 7.x linux-image is empty: the image is in linux-binary, modules in linux-modules,
	# System.map and config in linux-base.
	local p pkgs=
	for p in image binary modules base; do
		[ -z "$(apt_version "$SUITE" "linux-$p-$RELEASE:arm64")" ] ||
			pkgs="$pkgs linux-$p-$RELEASE:arm64=$VERSION"
	done
	apt_only "$SUITE" "$dl" $pkgs
	mkdir -p "$KDIR"
	tmp=$(fresh "$KDIR/image")
	usr_merge "$tmp/all"
	unpack_debs "$dl" "$tmp/all"
	deb_list "$dl" >"$tmp/packages"
	for m in vmlinuz config; do
		find "$tmp/all/boot" "$tmp/all/usr/lib/modules/$RELEASE" -maxdepth 1 -type f \
			\( -name "$m" -o -name "$m-$RELEASE" \) -exec cp {} "$tmp/$m" \; -quit 2>/dev/null || :
	done
	[ -e "$tmp/vmlinuz" ] || { echo "no vmlinuz in: $pkgs"; return 1; }
	cp -r "$LAB/pick-modules.sh" "$tmp/pick"
	in_root "$("$LAB/root.sh" path)" sh "$tmp/pick" "$tmp/all" "$tmp/modules" "$RELEASE" $GUEST_MODULES
	rm -rf "$tmp/all" "$tmp/pick"
	printf '%s\n' "$RELEASE" >"$tmp/release"
	publish "$KDIR/image"
	rm -rf "$dl"
}

kernel_image() {
	[ "$SHORT" != debug ] || { debug_kernel; return; }
	used "$KDIR"
	[ -e "$KDIR/image/vmlinuz" ] && return
	"$LAB/root.sh" path >/dev/null
	need_space "$CACHE" 1500
	lock "${KDIR##*/}-image"
	[ -e "$KDIR/image/vmlinuz" ] || step "kernel $RELEASE: image and modules" fetch_image
	unlock
}

# The headers say which compiler they want; it comes from the kernel's suite.
fetch_headers() {
	local dl=$CACHE/debs/${KDIR##*/}-headers tmp common kbuild deps
	deps=$(in_area "$SUITE" apt-cache show "linux-headers-$RELEASE:arm64=$VERSION" | sed -n 's/^Depends: //p')
	common=$(printf '%s' "$deps" | grep -oE 'linux-headers-[^ ,]*-common[^ ,]*' | head -n1)
	kbuild=$(printf '%s' "$deps" | grep -oE 'linux-kbuild-[^ ,]*' | head -n1)
	apt_only "$SUITE" "$dl" "linux-headers-$RELEASE:arm64=$VERSION" "$common:all" "$kbuild:$HOST"
	mkdir -p "$KDIR"
	tmp=$(fresh "$KDIR/headers")
	unpack_debs "$dl" "$tmp"
	deb_list "$dl" >"$tmp/packages"
	printf '%s\n' "$deps" | grep -oE 'gcc-[0-9]+' | head -n1 >"$tmp/gcc"
	printf '%s\n' "$kbuild" >"$tmp/kbuild"
	publish "$KDIR/headers"
	rm -rf "$dl"
}

# kernel_root: sets KROOT, the tree with that compiler and that suite's perf. trixie's is the
# build root itself.
kernel_root() {
	local gcc packages t64=t64 cross= libc=
	gcc=$(cat "$KDIR/headers/gcc")
	if [ "${SUITE%-backports}" = trixie ] && [ "$gcc" = gcc-14 ]; then
		KROOT=$("$LAB/root.sh" path)
		return
	fi
	[ "${SUITE%-backports}" != bookworm ] || t64=
	[ "$HOST" = arm64 ] || cross=-aarch64-linux-gnu libc=" libc6-dev-arm64-cross"
	packages="$BASE_TOOLS mawk make kmod xz-utils pahole sparse $gcc$cross binutils"
	packages="$packages libelf1$t64 libssl3$t64 gcc libc6-dev$libc linux-perf"
	KROOT=$CACHE/kroot-$SUITE-$gcc-$(hash_text "$packages" "$(declare -f finish_root)")
	used "$KROOT"
	[ -e "$KROOT/.v9trace-root" ] && return
	need_unshare
	lock "${KROOT##*/}"
	[ -e "$KROOT/.v9trace-root" ] || step "$gcc and perf of $SUITE" make_kernel_root $packages
	unlock
}
make_kernel_root() {
	root_tree "$SUITE" "$KROOT" "$@"
	: >"$KROOT/.v9trace-root"
}

kernel_headers() {
	[ "$SHORT" != debug ] || debug_kernel
	used "$KDIR"
	if [ ! -e "$KDIR/headers/gcc" ]; then
		"$LAB/root.sh" path >/dev/null
		need_space "$CACHE" 1500
		lock "${KDIR##*/}-headers"
		[ -e "$KDIR/headers/gcc" ] || step "kernel $RELEASE: headers" fetch_headers
		unlock
	fi
	kernel_root
}

# A command beside the kernel's compiler; headers and kbuild lie where Debian puts them.
kernel_run() {
	local h=$KDIR/headers kbuild
	kbuild=$(cat "$h/kbuild")
	V9_BIND="$h/usr/src:/usr/src $h/usr/lib/$kbuild:/usr/lib/$kbuild" \
		in_root "$KROOT" "$@"
}
