#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# QEMU for the reference platform: Debian trixie's source, our patch series and our model.
#
#   qemu.sh             build ours; build/qemu-system-aarch64 points to the result
#   qemu.sh stock       build the unpatched one; print where it is
#   qemu.sh source      unpack only; print where
#   qemu.sh dev DIR     a private built copy of the stock tree, to write patches in
#   qemu.sh dev-build DIR [NINJA-ARGUMENTS]   build in such a copy
#
# The tree is keyed by source version and configure line, our binaries by the content of patches
# and model: each build of ours is an incremental one in the same work tree. The stock one, in the
# tree itself, is built only for those who ask (bench, dev); where it is there, ours begins as a
# copy. A tree is always mounted at /qemu when it is configured or built, so a copy stays valid.

. "$(dirname "$0")/lib.sh"

CONFIGURE="--target-list=aarch64-softmmu --without-default-features --without-default-devices
--with-devices-aarch64=v9 --enable-tcg --enable-fdt=system --disable-docs --disable-tools
--disable-guest-agent --disable-install-blobs --disable-werror --disable-download
--disable-debug-info --enable-trace-backends=nop --cc=/qemu/v9-cc"

devices() {
	printf 'CONFIG_%s\n' ARM_VIRT=y PCI_DEVICES=n TEST_DEVICES=n VIRTIO_PCI=y VIRTIO_BLK=y \
		VIRTIO_NET=y VIRTIO_SERIAL=y VIRTIO_RNG=y
}

# Code that is rarely executed while a guest runs (management, disks, displays, devices, AArch32,
# SVE, floating point that the host does not have) is compiled without optimization. It took more
# than half of the build.
compiler() {
	cat <<-'END'
	#!/bin/sh
	c=libcommon.a.p t=libqemu-aarch64-softmmu.a.p/target_arm_tcg level=
	case " $* " in
	*" -o $c/hw_intc"* | *" -o $c/hw_timer"*) ;;
	*" -o libqemuutil.a.p/meson-generated_"* | *" -o libblock"* | *" -o libmigration"* | \
	*" -o libcrypto"* | *" -o libchardev"* | *" -o libio.a"* | *" -o libauthz"* | \
	*" -o libqmp"* | *" -o $c/hw_"* | *" -o $c/migration_"* | *" -o $c/net_"* | \
	*" -o $c/ui_"* | *" -o $c/audio_"* | *" -o $c/backends_"* | *" -o $c/replay_"* | \
	*" -o $c/monitor_"* | *" -o ${t}_m_helper"* | *" -o ${t}_mve_helper"* | \
	*" -o ${t}_iwmmxt_helper"* | *" -o ${t}_neon_helper"* | *" -o ${t}_translate-m"* | \
	*" -o ${t}_translate-neon"* | *" -o ${t}_translate-vfp"* | *" -o ${t}_translate.c"* | \
	*" -o ${t}_s"[mv]e_helper* | *" -o ${t}_translate-s"[mv]e* | *" -o $c/fpu_"*)
		level=-O0 ;;
	*" -o ${t}_vec_helper"* | *" -o $c/accel_tcg_tcg-runtime-gvec"*) level=-O1 ;;
	esac
	exec cc "$@" $level -Wno-invalid-pch
	END
}

# The newest 10.0 of trixie, its updates and security; the cached one if the archive is not
# reachable
find_version() {
	apt_refresh trixie
	VERSION=$(source_version trixie qemu '^1:10[.]0[.]')
	[ -n "$VERSION" ] || die "Debian trixie no longer offers the source of QEMU 10.0."
	KEY=qemu-${VERSION#*:}-$(hash_text "$CONFIGURE" "$(devices)" "$(compiler)")
	TREE=$CACHE/$KEY
	if [ ! -e "$TREE/src/configure" ] && [ -e "$CACHE/apt/trixie/offline" ]; then
		local old
		old=$(ls -dt "$CACHE"/qemu-*-"${KEY##*-}" 2>/dev/null | head -n1)
		[ -z "$old" ] || { info "using the cached ${old##*/}."; TREE=$old; KEY=${old##*/}; }
	fi
}

in_tree() {	# TREE COMMAND...
	local t=$1
	shift
	V9_BIND="$t:/qemu" "$LAB/root.sh" run -- sh -c 'cd /qemu && exec "$@"' sh "$@"
}

unpack() {
	local dl=$CACHE/debs/$KEY tmp
	mkdir -p "$dl"
	# apt checks sizes and hashes against the signed lists.
	( cd "$dl" && in_area trixie apt-get source --download-only --only-source "qemu=$VERSION" )
	tmp=$(fresh "$TREE")
	"$LAB/root.sh" run -- sh -eu -c '
		mkdir "$2/src"
		tar -xJf "$1"/qemu_*.orig.tar.xz -C "$2/src" --strip-components=1 --no-same-owner
		tar -xJf "$1"/qemu_*.debian.tar.xz -C "$2/src" --no-same-owner
		cd "$2/src"
		sed "s/ *#.*//; /^$/d" debian/patches/series | while read -r p; do
			patch -s -p1 <"debian/patches/$p"
		done
		find . -name "*.orig" -delete' sh "$dl" "$tmp"
	devices >"$tmp/src/configs/devices/aarch64-softmmu/v9.mak"
	compiler >"$tmp/src/v9-cc"
	chmod +x "$tmp/src/v9-cc"
	publish "$TREE"
	rm -rf "$dl"
}

# A precompiled header with the includes of every file: these took half of the time of most files.
build_in() {	# TREE
	in_tree "$1" sh -eu -c '
		[ -e build/build.ninja ] || { rm -rf build; mkdir build; cd build; ../configure '"$(echo $CONFIGURE)"'; cd ..; }
		h=include/qemu/osdep.h
		if [ ! -e $h.gch ]; then
			rm -rf $h.tmp
			mkdir $h.tmp
			ninja -C build config-poison.h
			for o in libqemuutil.a.p/util_qht.c.o libqemu-aarch64-softmmu.a.p/system_memory.c.o; do
				cc=$(ninja -C build -t commands $o | tail -n 1 | sed "s/ -MD .*//")
				for level in 0 2; do
					(cd build; eval "$cc" -O$level -x c-header -c ../$h -o ../$h.tmp/${o%%.*}-$level)
				done
			done
			mv $h.tmp $h.gch
		fi
		nice ninja -C build qemu-system-aarch64'
}

build_stock() {
	build_in "$TREE/src"
	cp "$TREE/src/build/qemu-system-aarch64" "$TREE/stock.tmp"
	strip --strip-debug "$TREE/stock.tmp" 2>/dev/null || :
	mv "$TREE/stock.tmp" "$TREE/qemu-stock"
}

ensure_source() {
	find_version
	used "$TREE"
	[ -e "$TREE/src/configure" ] && return
	need_space "$CACHE" 4000
	lock "$KEY-source"
	[ -e "$TREE/src/configure" ] || step "QEMU ${VERSION#*:}: fetch and unpack the source" unpack
	unlock
}

ensure_stock() {
	"$LAB/root.sh" path >/dev/null
	ensure_source
	[ -e "$TREE/qemu-stock" ] && return
	lock "$KEY"
	[ -e "$TREE/qemu-stock" ] || step "QEMU ${VERSION#*:}: build as Debian has it" build_stock
	unlock
}

# Our files, which are below target/arm/tcg/v9 in QEMU's tree, as model/, lib/ and include/
our_files() {
	( cd "$PROJ" && find selftests/model include tools/lib/spe_pkt.c tools/lib/ete_pkt.c -type f \
		\( -name '*.[ch]' -o -name '*.inc' -o -name meson.build -o -name '*.decode' \) -print | sort )
}

patches() { [ ! -d "$PROJ/selftests/model/qemu/patches" ] || find "$PROJ/selftests/model/qemu/patches" -name '*.patch' | sort; }

content_key() {
	{
		printf '%s\n' "$KEY"
		cd "$PROJ"
		our_files | xargs -r sha256sum
		patches | xargs -r cat
	} | sha256sum | cut -c1-16
}

# Changes the work tree to stock + patches + our files. Only files that differ are written, so that
# ninja compiles only these.
stage() {
	local s=$TREE/stage w=$TREE/work f p to
	rm -rf "$s"
	mkdir -p "$s"
	for p in $(patches); do
		sed -n 's,^--- a/\([^	]*\).*,\1,p; s,^+++ b/\([^	]*\).*,\1,p' "$p"
	done | sort -u >"$TREE/touched"
	while read -r f; do
		mkdir -p "$s/$(dirname "$f")"
		[ ! -e "$TREE/src/$f" ] || cp "$TREE/src/$f" "$s/$f"
	done <"$TREE/touched"
	for p in $(patches); do
		echo "applying ${p##*/}"
		"$LAB/root.sh" run -- patch -s -p1 --no-backup-if-mismatch -d "$s" -i "$p"
	done
	our_files | while read -r f; do
		to=$s/target/arm/tcg/v9/${f#selftests/}
		[ "${f#tools/}" = "$f" ] || to=$s/target/arm/tcg/v9/${f#tools/}
		mkdir -p "$(dirname "$to")"
		cp "$PROJ/$f" "$to"
	done
	( cd "$s" && find . -type f | sort ) >"$TREE/manifest.new"
	if [ ! -e "$w" ]; then
		rm -rf "$w.tmp"
		cp -a --reflink=auto "$TREE/src" "$w.tmp"
		mv "$w.tmp" "$w"
		rm -f "$TREE/manifest"
	fi
	# Files of an earlier state that this one does not have are restored to stock.
	[ ! -e "$TREE/manifest" ] || comm -23 "$TREE/manifest" "$TREE/manifest.new" | while read -r f; do
		if [ -e "$TREE/src/$f" ]; then cp "$TREE/src/$f" "$w/$f"; else rm -f "$w/$f"; fi
	done
	sort -mu "$TREE/manifest.new" $([ ! -e "$TREE/manifest" ] || echo "$TREE/manifest") >"$TREE/manifest.all"
	mv "$TREE/manifest.all" "$TREE/manifest"
	while read -r f; do
		cmp -s "$s/$f" "$w/$f" || { mkdir -p "$w/$(dirname "$f")"; cp "$s/$f" "$w/$f"; }
	done <"$TREE/manifest.new"
	mv "$TREE/manifest.new" "$TREE/manifest"
}

build_ours() {
	stage
	# The name is a hash of the content, so the staged files must be those that were hashed.
	[ "${BIN##*/qemu-}" = "$(content_key)" ] ||
		die "the model or include changed while they were copied; run it again."
	build_in "$TREE/work"
	mkdir -p "$CACHE/qemu-bin"
	cp "$TREE/work/build/qemu-system-aarch64" "$BIN.tmp"
	mv "$BIN.tmp" "$BIN"
	# Old ones are kept for some time, because several checkouts may share the cache.
	ls -t "$CACHE"/qemu-bin/qemu-* | tail -n +33 | xargs -r rm -f
}

ensure_ours() {
	ensure_source
	BIN=$CACHE/qemu-bin/qemu-$(content_key)
	if [ ! -e "$BIN" ]; then
		"$LAB/root.sh" path >/dev/null
		lock "$KEY"
		BIN=$CACHE/qemu-bin/qemu-$(content_key)		# waiting may have taken long
		[ -e "$BIN" ] || step "QEMU ${VERSION#*:}: build with the model" build_ours
		unlock
	fi
	touch "$BIN"
	mkdir -p "$BUILD"
	ln -sfn "$BIN" "$BUILD/qemu-system-aarch64"
}

case ${1:-} in
'')		ensure_ours ;;
path)		ensure_ours; printf '%s\n' "$BIN" ;;
stock)		ensure_stock; printf '%s\n' "$TREE/qemu-stock" ;;
source)		ensure_source; printf '%s\n' "$TREE/src" ;;
dev)
	[ $# = 2 ] && [ ! -e "$2" ] || die "usage: qemu.sh dev DIR (which must not exist yet)"
	ensure_stock
	cp -a --reflink=auto "$TREE/src" "$2"
	;;
dev-build)
	[ -e "${2:-}/build/build.ninja" ] || die "usage: qemu.sh dev-build DIR [NINJA-ARGUMENTS]"
	dir=$(cd "$2" && pwd -P)
	shift 2
	[ $# -gt 0 ] || set -- qemu-system-aarch64
	in_tree "$dir" nice ninja -C build "$@"
	;;
*)		die "usage: qemu.sh [path | stock | source | dev DIR | dev-build DIR]" ;;
esac
