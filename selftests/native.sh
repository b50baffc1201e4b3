#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# v9trace as users build it on their machine: in a Debian without anything to build with, make says
# which packages are missing; with these it builds, prints what the reference prints, installs.
#   native.sh native/SUITE      bookworm, trixie, sid
#   native.sh native/arm64      trixie for arm64, with qemu-user on another machine
#   native.sh native/modules    the same with the modules, by the headers of the suite's kernel
#   native.sh native/refused    trixie; what is refused: a library that is missing, no space, no network
# Writes TAP to build/results/native/*.tap.

. "$(dirname "$0")/lab/lib.sh"
part=${1##*/}
suite=trixie arch=$HOST
case $part in
arm64 | modules) arch=arm64 ;;
refused) ;;
*)	suite=$part ;;
esac
cd "$PROJ"
tap=$BUILD/results/$1.tap
work=$BUILD/native/$part
tree=$work/tree
mkdir -p "${tap%/*}"
rm -rf "$work"
mkdir -p "$tree"
exec 3>"$tap"
n=0 failed=0

ok() { n=$((n + 1)); echo "ok $n - $1" >&3; }
not_ok() { n=$((n + 1)); failed=1; echo "not ok $n - $1 # $2" >&3; }
skip() { n=$((n + 1)); echo "ok $n - $1 # SKIP $2" >&3; }
finish() {
	trap - ERR
	echo "1..$n" >&3
	[ $failed = 1 ] || rm -rf "$work"
	exit $failed
}
trap - ERR
set +e

case $arch in
"$HOST") ;;
arm64)
	why=$(selftests/lab/emulator.sh 2>&1 >/dev/null)
	if [ $? -ne 0 ]; then
		skip build "${why##*v9trace: }"
		finish
	fi
	export V9_HOST=arm64 ;;
*)	skip build "this machine does not run programs for $arch"; finish ;;
esac

# in_clean PACKAGE... -- COMMAND...: in a copy of what is committed or will be; output in $work/log
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$tree" 2>/dev/null
in_clean() {
	local packages=()
	while [ "$1" != -- ]; do packages+=("$1"); shift; done
	shift
	( cd "$tree" && nice "$PROJ/selftests/lab/clean.sh" "$suite" ${packages[@]+"${packages[@]}"} run -- "$@" ) \
		>"$work/log" 2>&1 </dev/null
}
# What a build leaves behind
left() { ( cd "$tree" && find build include/v9trace/gen -type f 2>/dev/null | head -n 1 ); }

# refused NAME TEXT STATUS: the last command ended with status 2, TEXT is a line of its output that is
# alone but for make's own, and nothing is left behind
refused() {
	local lines
	lines=$(grep -cvE '^(make(\[[0-9]*\])?: |Makefile:|    (apt|dnf) |\[|v9trace: (unpacking|fetching) )' "$work/log")
	if [ "$3" != 2 ]; then not_ok "$1" "status $3: $(tail -n 1 "$work/log")"
	elif ! grep -qE "$2" "$work/log"; then not_ok "$1" "$(head -n 2 "$work/log" | tr '\n' ' ')"
	elif [ "$lines" -ne 1 ]; then not_ok "$1" "$lines lines"
	elif [ -n "$(left)" ]; then not_ok "$1" "left behind: $(left)"
	else ok "$1"
	fi
}

wanted="gcc libc6-dev libelf-dev libdw-dev libiberty-dev libtraceevent-dev libzstd-dev libjson-c-dev zlib1g-dev libsqlite3-dev libncurses-dev linux-source"
# shellcheck disable=SC2086
built() { in_clean $wanted -- "$@"; }

if [ $part = modules ]; then
	wanted="gcc linux-headers-arm64"
	headers=/usr/src/$(basename "$(selftests/lab/clean.sh "$suite" $wanted path)"/usr/src/linux-headers-*-arm64)
	in_clean gcc -- make modules
	refused no_headers_are_told 'no headers of the running kernel' $?
	built make modules KDIR="$headers"
	if [ $? = 0 ] && ! grep -qi warning "$work/log" &&
	   grep -qa "vermagic=${headers#*headers-} " "$tree/build/modules/${headers#*headers-}/v9_ete.ko"
	then ok builds; else not_ok builds "$(tail -n 2 "$work/log" | tr '\n' ' ')"; fi
	finish
fi

# ---- what is missing
in_clean -- make -C tools
refused clean_machine_is_told 'missing here: a C compiler \(cc\), the C library.s headers, libelf, libdw, libiberty, libtraceevent, libzstd, libjson-c, libz, libsqlite3, libncursesw, the kernel.s source, for libperf' $?
packages=$(sed -n 's/^    apt install //p' "$work/log")
if [ "$packages" = "$wanted" ]; then ok packages_are_named; else not_ok packages_are_named "$packages"; fi

# ---- with them
if ! built make -s -j"$(nproc)" -C tools; then
	not_ok builds_with_them "$(grep -m 1 -iE 'error|v9trace:' "$work/log")"
	finish
fi
ok builds_with_them
if grep -qi warning "$work/log"; then not_ok builds_without_warnings "$(grep -im 1 warning "$work/log")"
else ok builds_without_warnings; fi

# What a build that went well is good for
ordinary() {
	built build/tools/native/v9trace --version
	if [ "$(head -n 1 "$work/log")" = "v9trace $(sed -n 's/.*V9TRACE_VERSION[[:space:]]*"\(.*\)"/\1/p' tools/util.h)" ] &&
	   grep -q '^libraries, linked dynamically:$' "$work/log"; then ok version_is_printed
	else not_ok version_is_printed "$(head -n 2 "$work/log" | tr '\n' ' ')"; fi
	# Of each library the version of its package
	package() { sed -n "s/^$1_\([0-9]*%3a\)\{0,1\}\([0-9.]*[0-9]\).*/\2/p" "$clean/.v9trace-packages" | head -n 1; }
	for pair in libperf:linux-source-[0-9.]* libtraceevent:libtraceevent-dev libelf:libelf-dev libdw:libdw-dev \
		libzstd:libzstd-dev libjson-c:libjson-c-dev libncurses:libncurses-dev; do
		have=$(sed -n "s/^  ${pair%:*} //p" "$work/log") want=$(package "${pair#*:}")
		if [ -n "$want" ] && [ "$have" = "$want" ]; then ok "version_of_${pair%:*}"
		else not_ok "version_of_${pair%:*}" "says '$have', the package is '$want'"; fi
	done

	# Reports are those of the reference, to the byte.
	built env V9TRACE="$tree/build/tools/native/v9trace" selftests/host/report.sh
	if [ $? = 0 ] && [ "$(grep -c '^ok' "$work/log")" -gt 50 ]; then ok reports_are_the_reference
	else not_ok reports_are_the_reference "$(grep -m 1 '^not ok' "$work/log" || tail -n 1 "$work/log")"; fi

	# Rings of one CPU, of all, of a process: what differs between versions of libperf
	record() { built build/tools/native/v9trace record -q -e cpu-clock:u -o build/one.data "$@"; }
	if ! record -- true; then
		skip records "perf events are not available here: $(head -c 100 "$work/log")"
	else
		bad_record=
		record -C 0 -- sleep 0.1 && record -a -- sleep 0.1 && record -p 1 -- sleep 0.1 || bad_record=$(tail -n 1 "$work/log")
		record -C 0 -- sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done'
		built build/tools/native/v9trace script build/one.data
		[ -n "$bad_record" ] || [ "$(awk '{ print $3 }' "$work/log" | sort -u)" = '[000]' ] ||
			bad_record="CPUs: $(awk '{ print $3 }' "$work/log" | sort -u | head -c 60)"
		if [ -z "$bad_record" ]; then ok records; else not_ok records "$bad_record"; fi
	fi

	# ---- installed, and away again
	built make -s -C tools install prefix=/usr DESTDIR="$work/root"
	have=$(cd "$work/root" 2>/dev/null && find . -type f | sort)
	want=$( (echo ./usr/bin/v9trace; cd Documentation/man && printf './usr/share/man/man1/%s\n' v9trace*.1
		[ ! -e ../../tools/completion/v9trace.bash ] || echo ./usr/share/bash-completion/completions/v9trace
		[ ! -e ../../tools/completion/_v9trace ] || echo ./usr/share/zsh/site-functions/_v9trace) | sort)
	if [ "$have" = "$want" ]; then ok installs; else not_ok installs "$(diff <(echo "$want") <(echo "$have") | sed -n 2p)"; fi
	in_clean -- make -s -C tools uninstall prefix=/usr DESTDIR="$work/root"
	have=$(find "$work/root" -type f | head -n 1)
	if [ -z "$have" ]; then ok uninstalls; else not_ok uninstalls "$have stays"; fi

}

clean=$(selftests/lab/clean.sh "$suite" $wanted path)
[ $part = refused ] || { ordinary; finish; }

# ---- what links badly is an error, and leaves no program
built sh -c 'rm build/tools/native/v9trace && make -s -C tools LIBRARIES='
if [ $? = 2 ] && grep -q 'undefined reference' "$work/log" && [ ! -e "$tree/build/tools/native/v9trace" ]; then
	ok undefined_symbols_are_errors
else not_ok undefined_symbols_are_errors "$(tail -n 1 "$work/log")"; fi
rm -rf "$tree/build" "$tree/include/v9trace/gen"

# What a package brings is not there: that package alone is named.
hidden=$work/hidden
cp -al "$clean" "$hidden" || exit
while read -r name package file; do
	place=$(dirname $hidden/$file | head -n 1)	# a pattern
	mkdir "$work/aside"
	mv $hidden/$file "$work/aside"
	( cd "$tree" && V9_ROOT=$hidden nice "$PROJ/selftests/lab/root.sh" run -- make -C tools ) >"$work/log" 2>&1
	refused "missing_${name}_is_told" "^v9trace: missing here: [^,]*(, for libperf)?\. Nothing was built" $?
	have=$(sed -n 's/^    apt install //p' "$work/log")
	if [ "$have" = "$package" ]; then ok "package_of_${name}_is_named"; else not_ok "package_of_${name}_is_named" "$have"; fi
	mv "$work/aside"/* "$place"
	rmdir "$work/aside"
done <<END
compiler gcc usr/bin/cc
C_library libc6-dev usr/include/stdio.h
libelf libelf-dev usr/include/libelf.h
libdw libdw-dev usr/include/elfutils/libdw.h
libiberty libiberty-dev usr/lib/*-linux-gnu/libiberty.*
libtraceevent libtraceevent-dev usr/include/traceevent/event-parse.h
libzstd libzstd-dev usr/include/zstd.h
libjson-c libjson-c-dev usr/lib/*-linux-gnu/libjson-c.*
libz zlib1g-dev usr/include/zlib.h
libsqlite3 libsqlite3-dev usr/include/sqlite3.h
libncurses libncurses-dev usr/include/ncurses.h
xz xz-utils usr/bin/xz
kernel_source linux-source usr/src/linux-source-[0-9.]*.tar.xz
END

# Another distribution is told of its own packages.
printf 'ID=fedora\n' >"$work/fedora"
in_clean -- env OS_RELEASE="$work/fedora" make -C tools
refused fedora_is_told 'missing here' $?
want="gcc glibc-devel elfutils-libelf-devel elfutils-devel binutils-devel libtraceevent-devel libzstd-devel json-c-devel zlib-devel sqlite-devel ncurses-devel xz curl"
have=$(sed -n 's/^    dnf install //p' "$work/log")
if [ "$have" = "$want" ] && ! grep -q 'apt install' "$work/log"; then ok fedora_packages_are_named
else not_ok fedora_packages_are_named "$have"; fi

# The wrong machine, the wrong source, a full disk
built make -C tools ARCH=riscv64
refused other_architecture_is_told 'for amd64 and arm64; ARCH is "riscv64"' $?
built make -C tools LINUX=/etc
refused wrong_source_is_told '^v9trace: LINUX=/etc has no kernel source with libperf' $?
mkdir -p "$tree/build"
need_unshare
# shellcheck disable=SC2086
( cd "$tree" && unshare $UNSHARE sh -c 'mount -t tmpfs -o size=8m none build && exec "$@"' sh \
	"$PROJ/selftests/lab/clean.sh" "$suite" $wanted run -- make -C tools ) >"$work/log" 2>&1
refused full_disk_is_told 'build has [0-9]* MB free, 60 MB are needed' $?
rmdir "$tree/build"
head -c 1000 /dev/urandom >"$work/linux-source-1.tar.xz"
built make -C tools LINUX="$work/linux-source-1.tar.xz"
refused damaged_source_is_told 'has no libperf, or is damaged' $?
rm -rf "$tree/build"

# libperf that is fetched: a small archive in place of the one that setup/linux.fetch names
source=$(built make -s -C tools && echo "$tree"/build/linux/linux-source-*)
tar -cJf "$work/small.tar.xz" --transform 's,^\.,linux-x,' -C "$source" . 2>/dev/null
rm -rf "$tree/build" "$tree/include/v9trace/gen"
fetch() { # SUM PLACE [ARGUMENTS of make]
	printf '%s\n' linux_x.orig.tar.xz "$1" "$2" >"$tree/tools/setup/linux.fetch"
	shift 2
	# shellcheck disable=SC2046
	in_clean $(printf '%s\n' $wanted | sed 's/^linux-source$/xz-utils\ncurl/') -- \
		env V9_CACHE="$work/cache" make -C tools "$@"
}
sum=$(sha256sum "$work/small.tar.xz" | cut -d' ' -f1)
fetch "$sum" "file://$work/small.tar.xz" FETCH=no
refused nothing_is_fetched_unasked 'missing here: the kernel.s source' $?
fetch "$sum" http://127.0.0.1:9/x FETCH=yes
refused no_network_is_told 'could not be fetched' $?
fetch "${sum%?}x" "file://$work/small.tar.xz" FETCH=yes
refused another_file_is_refused 'sum is not that of' $?
fetch "$sum" "file://$work/small.tar.xz" FETCH=yes
if [ $? = 0 ] && [ -x "$tree/build/tools/native/v9trace" ]; then ok builds_with_what_was_fetched
else not_ok builds_with_what_was_fetched "$(tail -n 2 "$work/log" | tr '\n' ' ')"; fi

finish
