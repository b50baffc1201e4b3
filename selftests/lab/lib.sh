# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What all lab scripts share: places, messages, steps, locks, the private apt.
# Sourced by bash; sets nothing on the host outside the cache and build/.

set -euo pipefail
umask 022
export LC_ALL=C.UTF-8

LAB=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
PROJ=$(cd "$LAB/../.." && pwd -P)
BUILD=$PROJ/build
CACHE=${V9_CACHE:-${XDG_CACHE_HOME:-${HOME:?HOME is not set}/.cache}/v9trace}
# What this machine is: amd64 or arm64. V9_HOST=arm64 makes the lab do all as on an arm64 machine, with
# a cache of its own, and runs its programs with qemu-user where this machine is another one.
MACHINE=$(dpkg --print-architecture 2>/dev/null || uname -m)
HOST=${V9_HOST:-$MACHINE}
EMULATOR=
if [ "$HOST" != "$MACHINE" ]; then
	EMULATOR=$("$LAB/emulator.sh") || exit
	CACHE=${CACHE%"/as-$HOST"}/as-$HOST
	export V9_CACHE=$CACHE
fi
MIRROR=${V9_MIRROR:-http://deb.debian.org/debian}
SECMIRROR=${V9_SECURITY_MIRROR:-http://deb.debian.org/debian-security}
[ ! -x "$PROJ/tools/gen/gen.sh" ] || "$PROJ/tools/gen/gen.sh"
# Lists of the archive older than this are fetched again, if the network allows.
REFRESH_HOURS=${V9_REFRESH_HOURS:-24}
NEWROOT=/usr/share/keyrings/debian-archive-keyring.gpg

mkdir -p "$CACHE/log" "$CACHE/lock" "$CACHE/apt" "$CACHE/debs" "$BUILD" 2>/dev/null || {
	echo "v9trace: cannot write below $CACHE or $BUILD; set V9_CACHE to a writable place." >&2
	exit 1
}

info() { printf '%s\n' "v9trace: $*" >&2; }
die() { info "$*"; exit 1; }

# No script of ours ends without a word; of Ctrl-C (130) there has been one.
trap 'v9_rc=$?; [ $v9_rc = 130 ] || info "${0##*/} stopped at \"$BASH_COMMAND\" (line $LINENO, status $v9_rc)"' ERR

# Mounts, options of QEMU and kbuild take these as separators.
case $PROJ$CACHE in
*[[:space:],:]*) die "the names '$PROJ' and '$CACHE' must not contain blanks, commas or colons." ;;
esac

need() {	# COMMAND PACKAGE
	command -v "$1" >/dev/null 2>&1 || die "'$1' is missing here; install the package '$2'."
}

need_space() {	# PLACE MEGABYTES
	local free
	free=$(df -Pm "$1" | awk 'NR == 2 { print $4 }')
	[ "$free" -ge "$2" ] ||
		die "$1 has $free MB free, $2 MB are needed; free some space or set V9_CACHE to another disk."
}

# step TEXT COMMAND...: one line per step with its elapsed time; the output goes to a log whose
# tail is shown on failure (not with V9_STEP_MAY_FAIL: the caller has another way).
step() {
	local text=$1 start=$SECONDS log ticker= rc=0 err
	shift
	err=$(trap -p ERR)
	log=$CACHE/log/$(printf '%s' "$text" | tr -c 'A-Za-z0-9.+-' '_' | cut -c1-60).log
	if [ "${V9_VERBOSE:-0}" = 1 ]; then
		printf '%s\n' "[     ] $text" >&2
		"$@" || rc=$?
	else
		if [ -t 2 ] && [ -z "${V9_PARALLEL:-}" ]; then
			( while kill -0 $$ 2>/dev/null; do
				printf '\r[%4ds] %s' $((SECONDS - start)) "$text" >&2
				sleep 1
			done ) 9>&- &
			ticker=$!
		else
			printf '[  ...] %s\n' "$text" >&2
		fi
		# A subshell, so that errexit holds inside and a die ends the step alone.
		trap - ERR
		set +e
		( set -e; trap - EXIT ERR; "$@" ) >"$log" 2>&1 </dev/null
		rc=$?
		set -e
		eval "$err"
		if [ -n "$ticker" ]; then
			kill "$ticker" 2>/dev/null || :
			wait "$ticker" 2>/dev/null || :
			printf '\r' >&2
		fi
	fi
	if [ $rc = 0 ]; then
		printf '[%4ds] %s\n' $((SECONDS - start)) "$text" >&2
	else
		printf '[%4ds] %s: FAILED\n' $((SECONDS - start)) "$text" >&2
		[ "${V9_VERBOSE:-0}${V9_STEP_MAY_FAIL:-}" != 0 ] || { tail -n 25 "$log" | sed 's/^/    /' >&2; info "whole log: $log"; }
	fi
	return $rc
}

# lock NAME: held until this shell (not its steps) ends. Two invocations never make the same thing.
lock() {
	exec 9>"$CACHE/lock/$1"
	flock -n 9 && return
	info "another invocation is making '$1'; waiting for it."
	flock 9
}
unlock() { exec 9>&-; }

# fresh DIR: an empty work directory beside the final one; publish renames it, so that what
# exists under a final name is complete. Remains of an interrupted run are removed first.
fresh() {
	rm -rf "$1.tmp"
	mkdir -p "$1.tmp"
	printf '%s\n' "$1.tmp"
}
publish() {
	rm -rf "$1"
	mv "$1.tmp" "$1"
}

hash_of() { cat -- "$@" | sha256sum | cut -c1-12; }

# A tree in use is marked, so that 'lab.sh prune' knows the others.
used() { touch "$1/.used" 2>/dev/null || :; }

hash_text() { printf '%s' "$*" | sha256sum | cut -c1-12; }

# ---- the private apt: one area per suite, no file of the host is read but its network settings

# This machine's packages, and the guest's
ARCHITECTURES=$HOST
[ "$HOST" = arm64 ] || ARCHITECTURES="$HOST arm64"

apt_area() {	# trixie | bookworm | sid | trixie-backports -> directory
	local a=$CACHE/apt/$1 suites=$1
	mkdir -p "$a/etc/apt/sources.list.d" "$a/etc/apt/preferences.d" "$a/etc/apt/apt.conf.d" \
		"$a/state/lists/partial" "$a/cache/archives/partial" "$a/log"
	: >>"$a/status"
	local types=deb
	[ "$1" = trixie ] && types="deb deb-src"
	local security=$1
	case $1 in
	sid)	security= ;;
	*-backports) security=${1%-backports} suites="$security $security-updates $1" ;;
	*)	suites="$1 $1-updates" ;;
	esac
	{
		cat <<-END
		Types: $types
		URIs: $MIRROR
		Suites: $suites
		Components: main
		Architectures: $ARCHITECTURES
		Signed-By: $NEWROOT
		END
		[ -z "$security" ] || cat <<-END

		Types: $types
		URIs: $SECMIRROR
		Suites: $security-security
		Components: main
		Architectures: $ARCHITECTURES
		Signed-By: $NEWROOT
		END
	} >"$a/sources.new"
	mv -f "$a/sources.new" "$a/etc/apt/sources.list.d/v9trace.sources"
	{
		cat <<-END
		Dir "$a";
		Dir::State "$a/state";
		Dir::State::status "$a/status";
		Dir::Cache "$a/cache";
		Dir::Etc "$a/etc/apt";
		Dir::Log "$a/log";
		APT::Architecture "$HOST";
		APT::Architectures { $(printf '"%s"; ' $ARCHITECTURES)};
		APT::Install-Recommends "false";
		APT::Sandbox::User "";
		APT::Get::Assume-Yes "true";
		Acquire::Languages "none";
		Acquire::Retries "3";
		END
		# How this machine reaches the archive: proxies, time-outs, what it says about dates.
		apt-config dump | grep -E '^Acquire::(http|https|ftp|Check-|ForceIPv|Retries|[Pp]roxy)' || :
	} >"$a/conf.new"
	mv -f "$a/conf.new" "$a/apt.conf"
	printf '%s\n' "$a"
}

in_area() {	# AREA COMMAND...
	local a=$1
	shift
	APT_CONFIG=$CACHE/apt/$a/apt.conf "$@"
}

# The archive's lists, at most REFRESH_HOURS old. Without a network the old ones serve.
apt_refresh() {	# AREA
	local a
	need apt-get apt
	need dpkg-deb dpkg
	[ -e "$NEWROOT" ] || die "$NEWROOT is missing; install the package 'debian-archive-keyring'."
	case $HOST in
	amd64 | arm64) ;;
	*)	die "the lab runs on amd64 and arm64 machines; this one is $HOST." ;;
	esac
	(
		exec 8>"$CACHE/lock/apt-$1"
		flock 8
		a=$(apt_area "$1")
		[ -e "$a/stamp" ] && [ -z "$(find "$a/stamp" -mmin +$((REFRESH_HOURS * 60)))" ] && exit 0
		# A network that was away is tried again after an hour, not by each script anew.
		[ -e "$a/stamp" ] && [ -n "$(find "$a" -name offline -mmin -60)" ] && exit 0
		[ ! -e "$a/stamp" ] || export V9_STEP_MAY_FAIL=1
		if step "$1: package lists from $MIRROR" \
			in_area "$1" apt-get update -o APT::Update::Error-Mode=any 8>&-; then
			touch "$a/stamp"
		elif [ -e "$a/stamp" ]; then
			info "$MIRROR cannot be reached: going on with the lists of $(date -r "$a/stamp" '+%F %R')."
			touch "$a/offline"
			exit 0
		else
			die "no package lists for $1: check that this machine reaches $MIRROR (V9_MIRROR sets another, apt's proxy settings are used)."
		fi
		rm -f "$a/offline"
	)
}

apt_version() {	# AREA PACKAGE[:ARCH] -> candidate version, empty if there is none
	in_area "$1" apt-cache policy "$2" | awk '$1 == "Candidate:" && $2 != "(none)" { print $2 }'
}

# The newest version of a source package that the archive really has: a mirror can list one whose
# files it does not have yet. Known until the lists are next refreshed. Where none can be fetched,
# the newest that is listed; empty if none is.
source_version() {	# AREA SOURCE [PATTERN of awk for versions]
	local known=$CACHE/apt/$1/source-$2 dir versions version
	if [ "$known" -nt "$CACHE/apt/$1/stamp" ]; then
		cat "$known"
		return
	fi
	versions=$(in_area "$1" apt-cache showsrc --only-source "$2" |
		awk -v pattern="${3:-.}" '$1 == "Version:" && $2 ~ pattern { print $2 }' | sort -rV)
	dir=$(mktemp -d "$CACHE/debs/source.XXXXXX")
	for version in $versions; do
		if ( cd "$dir" && in_area "$1" apt-get source -qq --download-only --dsc-only --only-source \
			"$2=$version" ) >/dev/null 2>&1; then
			echo "$version" >"$known.$$"
			mv "$known.$$" "$known"
			break
		fi
		version=
	done
	rm -rf "$dir"
	echo "${version:-${versions%%[[:space:]]*}}"
}

# Packages and all they depend on, into DIR (kept there if interrupted: downloads resume).
apt_closure() {	# AREA DIR PACKAGE...
	local area=$1 dir=$2
	shift 2
	mkdir -p "$dir/partial"
	in_area "$area" apt-get install --download-only -o Dir::Cache::archives="$dir" \
		-o Debug::NoLocking=true "$@"
}

# These packages alone, into DIR.
apt_only() {	# AREA DIR PACKAGE...
	local area=$1 dir=$2
	shift 2
	mkdir -p "$dir"
	( cd "$dir" && in_area "$area" apt-get download "$@" )
}

# unpack_debs DIR-OF-DEBS ROOT: file contents only; no maintainer script runs.
unpack_debs() {
	find "$1" -maxdepth 1 -name '*.deb' -print0 |
		xargs -0 -r -n1 -P"$(nproc)" bash -c \
			'set -o pipefail; dpkg-deb --fsys-tarfile "$1" |
			tar -x --keep-directory-symlink --no-same-owner -C "$0"' "$2"
}

# The links that make /usr the only place, for suites whose packages still ship /lib.
usr_merge() {	# ROOT
	local d
	mkdir -p "$1/usr"
	for d in bin sbin lib lib64; do
		mkdir -p "$1/usr/$d"
		[ -e "$1/$d" ] || ln -s "usr/$d" "$1/$d"
	done
}

deb_list() {	# DIR-OF-DEBS: what was taken, one line each
	find "$1" -maxdepth 1 -name '*.deb' -printf '%f\n' | sort
}

# ---- trees of .debs in which commands run

BASE_TOOLS="base-files base-passwd bash coreutils dash debianutils diffutils findutils grep gzip
hostname libc-bin ncurses-base perl-base sed tar util-linux"

# What maintainer scripts would have done and our tools need.
finish_root() {
	local r=$1 u
	for u in awk:mawk awk:gawk nawk:mawk cc:gcc c99:gcc which:which.debianutils; do
		[ ! -e "$r/usr/bin/${u#*:}" ] || ln -sf "${u#*:}" "$r/usr/bin/${u%%:*}"
	done
	cp "$r/usr/share/base-passwd/passwd.master" "$r/etc/passwd"
	cp "$r/usr/share/base-passwd/group.master" "$r/etc/group"
	if [ -e "$r/usr/share/ca-certificates" ]; then
		mkdir -p "$r/etc/ssl/certs"
		cat "$r"/usr/share/ca-certificates/*/*.crt >"$r/etc/ssl/certs/ca-certificates.crt"
	fi
	mkdir -p "$r/proc" "$r/dev" "$r/sys" "$r/tmp" "$r/root" "$r/run" "$r/var/tmp"
	rm -rf "$r/usr/share/doc" "$r/usr/share/man" "$r/usr/share/locale" "$r/usr/share/info"
}

# dpkg_database DIR-OF-DEBS ROOT STATE: dpkg's database for what unpack_debs() has put there, as if
# dpkg had unpacked it. STATE is "installed" (nothing will configure it) or "unpacked" (it will be).
dpkg_database() {
	local deb info=$2/var/lib/dpkg/info dir name arch
	mkdir -p "$info" "$2/var/lib/dpkg/updates" "$2/var/lib/dpkg/triggers"
	: >"$2/var/lib/dpkg/available"
	echo 1 >"$info/format"
	for deb in "$1"/*.deb; do
		dir=$(mktemp -d)
		dpkg-deb -e "$deb" "$dir"
		name=$(dpkg-deb -f "$deb" Package) arch=
		[ "$(dpkg-deb -f "$deb" Multi-Arch)" != same ] || arch=:$(dpkg-deb -f "$deb" Architecture)
		awk -v state="$3" '{ print } NR == 1 { print "Status: install ok " state }' "$dir/control"
		[ ! -s "$dir/conffiles" ] || {
			echo "Conffiles:"
			( cd "$2" && sed -n 's,^/,,p' "$dir/conffiles" | xargs -r md5sum ) |
				sed 's,^\([0-9a-f]*\)  \(.*\), /\2 \1,'
		}
		echo
		dpkg-deb --fsys-tarfile "$deb" | tar -t | sed 's,^\.,,; s,\(.\)/$,\1,; s,^/$,/.,' >"$info/$name$arch.list"
		rm "$dir/control"
		find "$dir" -type f -printf '%f\n' | while read -r f; do cp "$dir/$f" "$info/$name$arch.$f"; done
		rm -rf "$dir"
	done >"$2/var/lib/dpkg/status"
}

# With DPKG_STATE set to a state of dpkg_database(), the tree has that database.
root_tree() {	# AREA ROOT PACKAGE...
	local area=$1 root=$2 debs=$CACHE/debs/${2##*/} tmp
	shift 2
	apt_closure "$area" "$debs" "$@"
	tmp=$(fresh "$root")
	usr_merge "$tmp"
	unpack_debs "$debs" "$tmp"
	[ -z "${DPKG_STATE:-}" ] || dpkg_database "$debs" "$tmp" "$DPKG_STATE"
	finish_root "$tmp"
	deb_list "$debs" >"$tmp/.v9trace-packages"
	publish "$root"
	rm -rf "$debs"
}

# The emulator is known in a user namespace of its own alone.
need_unshare() {
	UNSHARE=-m
	[ "$(id -u)" = 0 ] && [ -z "$EMULATOR" ] || UNSHARE=-rm
	need unshare util-linux
	unshare $UNSHARE true 2>/dev/null ||
		die "this machine forbids mount namespaces (unshare $UNSHARE); run as root, allow user namespaces (sysctl kernel.unprivileged_userns_clone=1), or give the container CAP_SYS_ADMIN."
}

# enter_root ROOT COMMAND...: replaces this process. The project, the cache, /proc, /dev and /tmp
# keep their names, V9_BIND="DIR:PLACE ..." adds more; the working directory stays. Python may keep
# what it compiled: QEMU's build starts it some hundred times.
enter_root() {
	need_unshare
	unset CC LD AR CFLAGS CPPFLAGS LDFLAGS LD_LIBRARY_PATH LD_PRELOAD PYTHONPATH PYTHONHOME \
		PYTHONDONTWRITEBYTECODE PERL5LIB PKG_CONFIG_PATH TMPDIR BASH_ENV ENV CDPATH ARCH CROSS_COMPILE
	export PATH=/usr/sbin:/usr/bin:/sbin:/bin
	exec unshare $UNSHARE --propagation private /bin/bash -eu -c '
		root=$1 pwd=$2 places=$3 emulator=$4
		shift 4
		for d in $places; do
			to=$root${d##*:}
			[ -d "$to" ] || mkdir -p "$to"
			mount --rbind "${d%%:*}" "$to"
		done
		[ -z "$emulator" ] || sh "$emulator/register"
		exec chroot "$root" /bin/sh -c "cd \"\$1\" && shift && exec \"\$@\"" sh "$pwd" "$@"
	' bash "$1" "$PWD" "/proc /dev /tmp $PROJ $CACHE ${V9_BIND:-}" "$EMULATOR" "${@:2}"
}

in_root() { ( enter_root "$@" ); }
