#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Packages: packages.sh SUITE... ; a suite is named .../build, .../install, and so on:
#   build     they are built, lintian accepts them, they have what they must, rpmbuild builds its own
#   install   piuparts and autopkgtest with tools and libraries on this machine's architecture, with
#             packages from a directory
#   server    a server with Debian 13, for arm64, by ACPI, with the in-tree drivers loaded at boot:
#             install, upgrade, record, remove
#   kernel    such a server whose kernel is upgraded: a build that fails, one that does not, purge
#   service   such a server: systemd starts, restarts and stops the unit of the package v9trace
#   native    such a server without packages: the README's make install modules_install, record
# Writes TAP to build/results/SUITE.tap.
set -u
cd "$(dirname "$0")/.." || exit 2
[ $# -gt 0 ] || { echo "usage: packages.sh SUITE... (.../build, .../install, .../server, .../kernel, .../service, .../native)" >&2; exit 2; }
out=$PWD/build/packages
deb=$PWD/build/deb
lab=selftests/lab
host=$(dpkg --print-architecture)
mkdir -p "$out"

result() {	# NAME EXPECTED GOT
	n=$((n + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $n - $1"
	else
		failed=1
		echo "not ok $n - $1 # expected '$2', is '$3'"
	fi
}
succeeds() {	# NAME COMMAND...: its output is in build/packages/NAME.log
	name=$1
	shift
	"$@" >"$out/$name.log" 2>&1
	result "$name" 0 $?
}
in_deb() { $lab/peers.sh -t deb run -- "$@"; }

# missing PACKAGE PATH...: paths that the package does not have
missing() {
	dpkg-deb -c "$1" | awk '{ sub(/^\.\//, "/", $6); print $6 }' >"$out/list"
	shift
	for path; do grep -qx "$path" "$out/list" || echo "$path"; done | paste -sd ' '
}

build() {
	succeeds builds tools/packaging/deb.sh
	succeeds lintian_accepts tools/packaging/deb.sh lintian
	result tools_have_all "" "$(missing "$deb/v9trace_0.1_arm64.deb" /usr/bin/v9trace \
		$(for page in Documentation/man/*.1; do echo "/usr/share/man/man1/${page##*/}.gz"; done) \
		/usr/share/bash-completion/completions/v9trace /usr/share/zsh/vendor-completions/_v9trace \
		/usr/lib/systemd/system/v9trace-aggregate.service \
		/usr/share/doc/v9trace/examples/v9trace-aggregate.default)"
	# Of the unit all but the program, which that tree does not have
	mkdir -p "$out/unit"
	sed 's,/usr/bin/v9trace,/usr/bin/true,' tools/packaging/systemd/v9trace-aggregate.service >"$out/unit/v9trace-aggregate.service"
	result unit_is_valid "" "$($lab/peers.sh -t systemd run -- sh -c 'systemd-analyze verify --man=no "$1" 2>&1' \
		sh "$out/unit/v9trace-aggregate.service")"
	result modules_have_all "" "$(missing "$deb/v9trace-dkms_0.1_all.deb" /usr/src/v9trace-0.1/dkms.conf \
		$(find Kbuild drivers include/v9trace/gen -type f ! -name '.*' ! -name '*.o' ! -name '*.mod*' |
			sed 's,^,/usr/src/v9trace-0.1/,') /usr/lib/modprobe.d/v9trace-spe.conf /usr/lib/modprobe.d/v9trace-ete.conf)"
	result no_file_that_outlives_a_removal "" "$(for d in "$deb"/*.deb; do dpkg-deb --info "$d" conffiles; done 2>/dev/null)"
	result linked_dynamically "libdw.so.1 libelf.so.1 libjson-c.so.5 libncursesw.so.6 libsqlite3.so.0 libtinfo.so.6 libtraceevent.so.1 libz.so.1 libzstd.so.1" \
		"$(dpkg-deb --fsys-tarfile "$deb/v9trace_0.1_arm64.deb" | tar -xO ./usr/bin/v9trace >"$out/v9trace"
		in_deb aarch64-linux-gnu-readelf -d "$out/v9trace" |
			sed -n 's/.*NEEDED.*\[\(lib.*\)\]/\1/p' | grep -vE 'lib(c|m)\.so' | sort | paste -sd ' ')"
	# zsh offers what bash does.
	for cmd in '' record report mem export script dump list archive stat doctor driver; do
		result "zsh_offers_the_same${cmd:+_to_}$cmd" "$(in_deb bash -c '
			. tools/completion/v9trace.bash
			COMP_WORDS=(v9trace ${1:+"$1" -}) COMP_CWORD=$((${#1} ? 2 : 1))
			_v9trace build/tools/host/v9trace
			printf "%s\n" "${COMPREPLY[@]}"' bash "$cmd" | sort -u | paste -sd ' ')" "$(in_deb zsh -f -c '
			compadd() { [[ $1 != -- ]] || shift; print -rl -- $@ }
			_describe() { print -rl -- ${(P)2%%:*} }
			words=(build/tools/host/v9trace $1 ${1:+-})
			CURRENT=$((${#1} ? 3 : 2)) PREFIX=${1:+-}
			. tools/completion/_v9trace' zsh "$cmd" | sort -u | paste -sd ' ')"
	done
	# A function that the symbols file does not have ends the build.
	dpkg-deb --fsys-tarfile "$deb/libv9spe0_0.1_arm64.deb" |
		tar -xO ./usr/lib/aarch64-linux-gnu/libv9spe.so.0 >"$out/libv9spe.so.0"
	symbols() {	# FILE
		in_deb env -C "$deb/v9trace" dpkg-gensymbols -c4 -aarm64 -plibv9spe0 -v0.1 -I"$1" \
			-e"$out/libv9spe.so.0" -O"$out/symbols" >"$out/symbols.log" 2>&1
		[ $? = 0 ] && echo complete || echo incomplete
	}
	result symbols_file complete "$(symbols debian/libv9spe0.symbols)"
	sed '/ v9_spe_dec_new@/d' tools/packaging/debian/libv9spe0.symbols >"$out/less.symbols"
	result a_new_function_is_seen incomplete "$(symbols "$out/less.symbols")"
	succeeds rpm_builds tools/packaging/deb.sh rpm
	result rpm_packages "libv9ete libv9spe libv9trace-devel v9trace v9trace-dkms" \
		"$(find build/rpm -name '*.rpm' ! -name '*debuginfo*' -printf '%f\n' | sed 's/-0\.1-.*//' | sort | paste -sd ' ')"
}

# in_system COMMAND...: in a system unpacked from the mirror, which is $1 there, $2 its directory
in_system() {
	mirror=$($lab/mirror.sh path) || return 1
	dir=$out/system
	rm -rf "$dir"
	mkdir -p "$dir/tmp" "$dir/root"
	in_deb sh -euc '
		mirror=$1 dir=$2
		shift 2
		: >>/etc/resolv.conf
		tar -xf "$mirror/system.tar" -C "$dir/root"
		rm -f "$dir"/root/etc/apt/sources.list.d/*
		echo "deb [trusted=yes] copy:$mirror/mirror ./" >"$dir/root/etc/apt/sources.list"
		"$@"' sh "$mirror" "$dir" "$@"
	status=$?
	rm -rf "$dir"
	return $status
}

# Each is installed and purged, and all are upgraded from themselves; nothing may be left.
piuparts() {
	# shellcheck disable=SC2016
	in_system sh -euc '
		mirror=$1 place=$2
		shift 2
		TMPDIR=$place/tmp exec piuparts -e "$place/root" --hard-link --bindmount "$mirror/mirror" \
			--keep-sources-list --no-eatmydata --no-adequate --do-not-verify-signatures -d trixie "$@"' \
		sh "$($lab/mirror.sh path)" "$out/system" \
		"$deb"/libv9ete0_0.1_"$host".deb "$deb"/libv9spe0_0.1_"$host".deb \
		"$deb"/libv9trace-dev_0.1_"$host".deb "$deb"/v9trace_0.1_"$host".deb
}

autopkgtest() {
	# shellcheck disable=SC2016
	in_system sh -euc '
		mkdir -p "$2/root$1/mirror"
		mount --bind "$1/mirror" "$2/root$1/mirror"
		mount --rbind /proc "$2/root/proc"
		mount --rbind /dev "$2/root/dev"
		place=$2
		shift 2
		exec autopkgtest --apt-upgrade --test-name=tools --test-name=libraries "$@" -- chroot "$place/root"' \
		sh "$($lab/mirror.sh path)" "$out/system" \
		"$deb"/libv9ete0_0.1_"$host".deb "$deb"/libv9spe0_0.1_"$host".deb \
		"$deb"/libv9trace-dev_0.1_"$host".deb "$deb"/v9trace_0.1_"$host".deb "$deb"/v9trace_0.1.dsc
}

install() {
	[ -e "$deb/v9trace_0.1_$host.deb" ] || succeeds builds_for_install tools/packaging/deb.sh
	succeeds piuparts piuparts
	result piuparts_has_tested 1 "$(grep -c 'PASS: All tests' "$out/piuparts.log")"
	succeeds autopkgtest autopkgtest
	result autopkgtest_has_tested "libraries tools" \
		"$(sed -n 's/^\([a-z]*\)  *PASS.*/\1/p' "$out/autopkgtest.log" | sort -u | paste -sd ' ')"
}

# Packages of version 0.2 for arm64, whose modules have a version, too: build/packages/later/*.deb
later() {
	rm -rf "$out/later"
	tools/packaging/deb.sh layout "$out/later/v9trace" || return
	sed -i '1s/(0\.1)/(0.2)/' "$out/later/v9trace/debian/changelog"
	for module in core spe ete; do
		echo 'MODULE_VERSION("0.2");' >>"$out/later/v9trace/drivers/$module.c"
	done
	in_deb env -C "$out/later/v9trace" unshare -n dpkg-buildpackage -us -uc --host-arch arm64 --build=binary
	rm -rf "$out/later/v9trace"
	[ -e "$out/later/v9trace-dkms_0.2_all.deb" ]
}

# What jobs on the server share: facts for the log
facts='
say() { echo "fact $*"; }
driver() { basename "$(readlink "/sys/bus/platform/devices/$1/driver")"; }
drivers() { say "$1_spe" "$(driver arm,spe-v1)"; say "$1_trbe" "$(driver arm,trbe)"; }
# apt reads packages from /repository, which is empty in the image. From now on it is that of the job.
repository() { rmdir /repository; ln -s /job/repository /repository; apt-get update -q; }
versions() { for m in core spe ete; do say "$1_${m}_version" "$(cat /sys/module/v9_$m/version)"; done; }
'
# fresh_disk WHERE: jobs are on a server that has just been installed, below build/packages/WHERE
fresh_disk() {
	place=$out/$1
	rm -rf "$place"
	mkdir -p "$place"
	cp --sparse=always "$system/disk.img" "$place/disk.img"
}
# job NAME RELEASE SCRIPT [FILE...]: boot, and run SCRIPT; its log is $place/NAME/log
job() {
	local name=$1 release=$2 dir=$place/$1
	mkdir -p "$dir/job"
	printf '%s\n%s\n' "$facts" "$3" >"$dir/job/run"
	shift 3
	[ $# = 0 ] || cp -rs "$@" "$dir/job"
	TIMEOUT=${TIMEOUT:-10800} $lab/debian.sh boot "$place/disk.img" "$release" "$dir" "$dir/job" \
		pauth=off,v9-spe=on,v9-ete=on >"$dir/boot.log" 2>&1
	result "${name}_boots" 0 $?
}
# fact JOB NAME EXPECTED
fact() { result "$1_$2" "$3" "$(sed -n "s/^fact $2  *//p" "$place/$1/log" | tr -d '\r')"; }

server() {
	local system old new
	[ -e "$deb/v9trace_0.1_arm64.deb" ] || succeeds builds_for_server tools/packaging/deb.sh
	system=$($lab/debian.sh path) || return
	old=$(cat "$system/old") new=$(cat "$system/new")
	fresh_disk server
	succeeds builds_a_later_version later

	# SPE is in use while the packages are installed, ETE is not.
	# shellcheck disable=SC2016	# for the guest's shell
	job install "$old" '
		drivers stock
		perf record -q -o /dev/null -e arm_spe_0// -- sleep 100000 &
		while [ "$(cat /sys/module/arm_spe_pmu/refcnt)" = 0 ]; do sleep 1; done
		apt-get install -q -y ./v9trace_*.deb ./v9trace-dkms_*.deb
		say status $?
		say dkms "$(dkms status)"
		drivers installed
		killall sleep || pkill -x sleep
		wait
		v9trace driver preferred
		drivers preferred' "$deb/v9trace_0.1_arm64.deb" "$deb/v9trace-dkms_0.1_all.deb"
	fact install stock_spe arm_spe_pmu
	fact install stock_trbe arm_trbe
	fact install status 0
	fact install dkms "v9trace/0.1, $old, aarch64: installed"
	fact install installed_spe arm_spe_pmu
	fact install installed_trbe v9_ete
	fact install preferred_spe v9_spe
	fact install preferred_trbe v9_ete

	# Ours are loaded by alias. ETE is in use while the packages are upgraded, SPE is not.
	# shellcheck disable=SC2016
	job upgrade "$old" '
		drivers boot
		versions boot
		v9trace record -q -m ,16M -o /tmp/u.data -e cs_etm//u -- sleep 100000 &
		while [ "$(cat /sys/module/v9_ete/refcnt)" = 0 ]; do sleep 1; done
		apt-get install -q -y ./v9trace_*.deb ./v9trace-dkms_*.deb
		say status $?
		say dkms "$(dkms status)"
		say sources $(ls /usr/src | grep v9trace)
		drivers upgraded
		versions upgraded
		killall sleep || pkill -x sleep
		wait
		say trace "$(v9trace report --json /tmp/u.data | grep -q "\"aux_bytes\":[1-9]" && echo some)"
		perf record -q -o /tmp/p.data -e arm_spe_0/ts_enable=1/ -- ls -lR /usr/lib >/dev/null
		say perf $?' "$out/later/v9trace_0.2_arm64.deb" "$out/later/v9trace-dkms_0.2_all.deb"
	for f in boot upgraded; do
		fact upgrade ${f}_spe v9_spe
		fact upgrade ${f}_trbe v9_ete
	done
	for f in boot_core_version boot_spe_version boot_ete_version upgraded_core_version upgraded_ete_version; do
		fact upgrade $f ""
	done
	fact upgrade upgraded_spe_version 0.2
	fact upgrade dkms "v9trace/0.2, $old, aarch64: installed"
	fact upgrade sources v9trace-0.2
	fact upgrade trace some
	for f in status perf; do fact upgrade $f 0; done

	# The next boot has the later version of each. Both collectors record with both drivers. Removed,
	# but not purged
	# shellcheck disable=SC2016
	job remove "$old" '
		drivers boot
		versions boot
		record() {
			perf record -q -o /tmp/p.data -e arm_spe_0/ts_enable=1/ -- ls -lR /usr/lib >/dev/null
			say "$1_perf" $?
			v9trace record -q -o /tmp/v.data -- ls -lR /usr/lib >/dev/null
			say "$1_v9trace" $?
			for f in p v; do
				say "$1_samples_$f" "$(v9trace report --json /tmp/$f.data |
					grep -q "\"records\":[1-9]" && echo some)"
			done
		}
		record ours
		v9trace record -q -m ,16M -o /tmp/e.data -e cs_etm//u -- true
		say ours_ete $?
		v9trace driver in-tree
		say in_tree_status $?
		drivers in_tree
		record in_tree
		v9trace driver ours
		say ours_status $?
		drivers ours
		apt-get remove -q -y v9trace-dkms
		say status $?
		drivers removed
		say left "$(find /usr /lib/modules /etc /var/lib/dkms | grep -E "v9(trace-(spe|ete)|_core|_spe|_ete)")"'
	for f in boot ours; do
		fact remove ${f}_spe v9_spe
		fact remove ${f}_trbe v9_ete
	done
	for f in in_tree removed; do
		fact remove ${f}_spe arm_spe_pmu
		fact remove ${f}_trbe arm_trbe
	done
	for f in ours_perf ours_v9trace ours_ete in_tree_status in_tree_perf in_tree_v9trace ours_status status; do
		fact remove $f 0
	done
	for f in core spe ete; do fact remove boot_${f}_version 0.2; done
	for f in ours in_tree; do
		fact remove ${f}_samples_p some
		fact remove ${f}_samples_v some
	done
	fact remove left ""

	# The first boot after the packages were removed
	# shellcheck disable=SC2016
	job removed "$old" 'drivers boot'
	fact removed boot_spe arm_spe_pmu
	fact removed boot_trbe arm_trbe
	rm -f "$place/disk.img"
}

kernel() {
	local system old new
	[ -e "$deb/v9trace_0.1_arm64.deb" ] || succeeds builds_for_kernel tools/packaging/deb.sh
	system=$($lab/debian.sh path) || return
	old=$(cat "$system/old") new=$(cat "$system/new")
	fresh_disk kernel

	# Runs the test that autopkgtest runs for DKMS modules. Then a newer kernel is installed, for which the
	# modules do not build.
	# shellcheck disable=SC2016
	job failed "$old" '
		apt-get install -q -y ./v9trace_*.deb
		say tools $?
		AUTOPKGTEST_ARTIFACTS=/tmp /usr/lib/dkms/dkms-autopkgtest /job/v9trace-dkms_0.1_all.deb >/tmp/test 2>&1
		say autopkgtest $?
		cat /tmp/test
		say autopkgtest_summary "$(sed -n "s/^I: \(PASS\|SKIP\|FAIL\) /\1 /p" /tmp/test)"
		v9trace driver preferred
		drivers installed
		echo "#error not for this kernel" >/usr/src/v9trace-0.1/drivers/broken.h
		sed -i "1i #include \"broken.h\"" /usr/src/v9trace-0.1/drivers/core.c
		repository
		apt-get install -q -y linux-image-arm64 linux-headers-arm64
		say kernels $(ls /lib/modules)
		new=$(ls /lib/modules | grep -vx "$(uname -r)")
		log=/var/lib/dkms/v9trace/0.1/build/make.log
		head -n 5 $log
		say tried "$(grep -m 1 -o "for kernel [^ ]*" $log)"
		say compiler "$(grep -c "error: #error not for this kernel" $log)"
		say built "$(find /lib/modules/$new -name "v9_*" | wc -l)"
		say dkms "$(dkms status -k $(uname -r))"
		say dkms_new "$(dkms status -k $new)"' \
		"$deb/v9trace_0.1_arm64.deb" "$deb/v9trace-dkms_0.1_all.deb" "$system/repository"
	for f in tools autopkgtest; do fact failed $f 0; done
	fact failed autopkgtest_summary "PASS v9trace/0.1 $old"
	fact failed installed_spe v9_spe
	fact failed installed_trbe v9_ete
	fact failed kernels "$old $new"
	fact failed tried "for kernel $new"
	fact failed compiler 1
	fact failed built 0
	fact failed dkms "v9trace/0.1, $old, aarch64: installed"
	fact failed dkms_new "v9trace/0.1: added"

	# The newer kernel has no modules of ours; then it gets them, as after an upgrade of the kernel.
	# shellcheck disable=SC2016
	job newer "$new" '
		drivers failed
		v9trace driver
		sed -i 1d /usr/src/v9trace-0.1/drivers/core.c
		rm /usr/src/v9trace-0.1/drivers/broken.h
		dpkg --configure -a
		apt-get install -q -y --reinstall linux-headers-$(uname -r)
		say dkms "$(dkms status | grep -c "$(uname -r), aarch64: installed")"
		v9trace driver preferred
		drivers rebuilt
		perf record -q -o /tmp/p.data -e arm_spe_0/ts_enable=1/ -- ls -lR /usr/lib >/dev/null
		say perf $?
		v9trace record -q -o /tmp/v.data -- ls -lR /usr/lib >/dev/null
		say v9trace $?
		v9trace driver in-tree
		apt-get purge -q -y v9trace v9trace-dkms
		say status $?
		drivers purged
		say left "$(find / -xdev \( -path /job -o -path /root \) -prune -o -name "*v9trace*" -print -o -name "v9_*.ko*" -print)"' \
		"$system/repository"
	fact newer failed_spe arm_spe_pmu
	fact newer failed_trbe arm_trbe
	fact newer dkms 1
	fact newer rebuilt_spe v9_spe
	fact newer rebuilt_trbe v9_ete
	for f in perf v9trace status; do fact newer $f 0; done
	fact newer purged_spe arm_spe_pmu
	fact newer purged_trbe arm_trbe
	fact newer left ""
	rm -f "$place/disk.img"
}

# The service of the package v9trace, with the driver of the kernel: started, stopped and restarted by systemd, and
# with another session before it and behind it
service() {
	local system old
	[ -e "$deb/v9trace_0.1_arm64.deb" ] || succeeds builds_for_service tools/packaging/deb.sh arm64
	system=$($lab/debian.sh path) || return
	old=$(cat "$system/old")
	fresh_disk service
	# shellcheck disable=SC2016	# for the guest's shell
	job unit "$old" '
		unit=v9trace-aggregate dir=/var/lib/v9trace
		apt-get install -q -y ./v9trace_*.deb
		say status $?
		say verify "$(systemd-analyze verify --man=no $unit.service 2>&1)"
		say enabled "$(systemctl is-enabled $unit)"
		drivers stock
		printf "%s\n" INTERVAL=3s OVERHEAD=50% "OPTIONS=-c 20000" >/etc/default/$unit
		pid() { systemctl show -P MainPID $unit; }
		# more N: there are more than N shards
		shards() { find $dir -name "v9trace.*.shard" | wc -l; }
		more() { for i in $(seq 120); do [ "$(shards)" -le "$1" ] || return 0; sleep 1; done; return 1; }
		state() { systemctl show -P ActiveState $unit; }
		journal() { journalctl -q --no-pager -o cat -u $unit; }
		systemctl start $unit
		say start $?
		more 1
		say shards $?
		say active "$(state)"
		say modes "$(stat -c %a $dir "$(find $dir -name "v9trace.*.shard" | head -n 1)" | paste -sd " ")"
		first=$(pid)
		v9trace record -q -a -e arm_spe_0// -o /tmp/a.data -- true 2>/tmp/busy
		say second $?
		cat /tmp/busy
		say holder "$(grep -c "in use by another recording.*v9trace (PID $first," /tmp/busy)"
		v9trace doctor spe >/tmp/doctor
		say doctor "$(grep -c "v9trace (PID $first," /tmp/doctor)"
		# Paused, it lets another session in, and is still the same process; its shards say how long.
		v9trace pause >/tmp/pause
		say pause "$? $(cat /tmp/pause | sed "s/PID $first .*/of the service/")"
		v9trace record -q -a -e arm_spe_0// -c 20000 -o /tmp/p.data -- sleep 1
		say beside $?
		v9trace record -q -a -e arm_spe_0// -c 20000 -o /tmp/q.data -- sleep 100000 & other=$!
		while ! ls -l /proc/$other/fd | grep -q perf_event; do sleep 1; done
		v9trace resume $dir
		say resume_while_busy $?
		kill $other
		wait $other
		for i in $(seq 60); do ! v9trace resume --json | grep -q "\"state\":\"records\"" || break; sleep 1; done
		n=$(shards)
		more $((n + 1))
		say goes_on "$? $(state)"
		[ "$(pid)" = "$first" ]
		say same_process $?
		systemctl restart $unit
		say restart $?
		[ "$(pid)" != 0 ] && [ "$(pid)" != "$first" ]
		say another_process $?
		more "$(shards)"
		say more_shards $?
		systemctl stop $unit
		say stop $?
		say stopped "$(state) $(systemctl show -P Result $unit)"
		say summaries "$(journal | grep -c "shards, .* SPE records")"
		journal | tail -n 20
		v9trace merge -o /tmp/all.shard $dir/v9trace.*.shard
		say merge $?
		say paused "$(v9trace report --json /tmp/all.shard | grep -o "\"kind\":\"paused\"")"
		say records "$(v9trace report --json /tmp/all.shard | grep -q "\"samples\":[1-9]" && echo some)"
		# The other order: the unit is in use, and becomes free
		v9trace record -q -a -e arm_spe_0// -o /tmp/b.data -- sleep 100000 & other=$!
		while ! ls -l /proc/$other/fd | grep -q perf_event; do sleep 1; done
		systemctl start $unit
		for i in $(seq 60); do [ "$(state)" != activating ] || break; sleep 1; done
		say while_in_use "$(state)"
		say other "$(journal | grep -q "in use by another recording.*v9trace (PID $other," && echo named)"
		n=$(shards)
		kill $other
		wait $other
		more $n
		say when_free $?
		systemctl stop $unit
		say last_stop $?' "$deb/v9trace_0.1_arm64.deb"
	for f in status start shards restart another_process more_shards stop merge when_free last_stop; do
		fact unit $f 0
	done
	fact unit verify ""
	fact unit enabled disabled
	fact unit stock_spe arm_spe_pmu
	fact unit active active
	fact unit modes "700 600"
	fact unit second 1
	fact unit holder 1
	fact unit pause "0 of the service"
	fact unit beside 0
	fact unit resume_while_busy 3
	fact unit goes_on "0 active"
	fact unit same_process 0
	fact unit paused '"kind":"paused"'
	fact unit doctor 1
	fact unit stopped "inactive success"
	fact unit summaries 2
	fact unit records some
	fact unit while_in_use activating
	fact unit other named
	rm -f "$place/disk.img"
}

native() {
	local system old
	system=$($lab/debian.sh path) || return
	old=$(cat "$system/old")
	fresh_disk native
	mkdir -p "$place/source"
	git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$place/source"
	# The commands of the README. The first one fails and prints which packages are missing.
	# shellcheck disable=SC2016
	job readme "$old" '
		repository
		cd source
		make install modules_install 2>/tmp/missing
		say first $?
		cat /tmp/missing
		say left "$(find build include/v9trace/gen /usr/local -type f)"
		apt-get install -q -y $(sed -n "s/^    apt install //p" /tmp/missing)
		say packages $?
		make -j"$(nproc)" install modules_install
		say install $?
		say program "$(command -v v9trace)"
		say modules $(find /lib/modules/$(uname -r) -name "v9_*.ko*" -printf "%f\n" | sed "s,\.xz,," | sort)
		cd /tmp
		rmmod arm_spe_pmu
		modprobe v9_spe
		say loaded $?
		drivers native
		v9trace record -e arm_spe_0/ts_enable=1/ -- ls -lR /usr/lib >/dev/null
		say record $?
		v9trace report >report
		say report $?
		cat report
		say lost "$(sed -n "/^Lost$/{n;p}" report)"
		say samples "$(v9trace report --json | grep -q "\"records\":[1-9]" && echo some)"
		v9trace doctor spe
		say doctor $?' "$place/source" "$system/repository"
	fact readme first 2
	fact readme left ""
	fact readme program /usr/local/bin/v9trace
	for f in packages install loaded record report doctor; do fact readme $f 0; done
	fact readme modules "v9_brbe.ko v9_core.ko v9_ete.ko v9_spe.ko"
	fact readme native_spe v9_spe
	fact readme native_trbe arm_trbe
	fact readme samples some
	rm -rf "$place/disk.img" "$place/source"
}

bad=0
for suite; do
	mkdir -p "$(dirname "build/results/$suite")"
	n=0 failed=0
	case ${suite##*/} in
	build | install | server | kernel | service | native) ;;
	*)	echo "packages.sh: no such suite: $suite" >&2; exit 2 ;;
	esac
	{
		"${suite##*/}"
		echo "1..$n"
	} >"build/results/$suite.tap"
	grep '^not ok' "build/results/$suite.tap"
	[ $failed = 0 ] || bad=1
done
exit $bad
