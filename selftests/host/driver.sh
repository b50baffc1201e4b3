#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace driver on a machine that stands in files, with a modprobe and an rmmod that change them.
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/host/suite.inc
packaging=$PWD/tools/packaging
dir=$(mktemp -d) && cd "$dir" || exit 2
trap 'cd /; rm -rf "$dir"' EXIT

# modprobe and rmmod as the kernel would have it: a module binds its device if nobody has it, in the
# presence of broken/MODULE it cannot be loaded, and what is in use cannot be unloaded.
mkdir bin
cat >bin/kmod <<'END'
#!/bin/sh
device() {
	case $1 in
	v9_spe | arm_spe_pmu) echo arm,spe-v1.0 ;;
	v9_ete | coresight_trbe) echo arm,trbe.0 ;;
	esac
}
driver() { if [ "$1" = coresight_trbe ]; then echo arm_trbe; else echo "$1"; fi; }
needs() { case $1 in v9_spe | v9_ete) echo v9_core ;; coresight_*) echo coresight ;; esac; }
load() {
	[ ! -e root/sys/module/$1 ] || return 0
	[ ! -e broken/$1 ] || { echo "modprobe: $1: no" >&2; return 1; }
	for n in $(needs $1); do
		# What it depends on goes by the preference, as kmod has it.
		if [ $n = coresight ] && [ ! -e root/sys/module/coresight ] &&
		   [ ! -e root/etc/modprobe.d/v9trace-ete.conf ]; then load v9_ete; else load $n; fi
		mkdir root/sys/module/$n/holders/$1
		refs $n 1
	done
	mkdir -p root/sys/module/$1/holders
	echo live >root/sys/module/$1/initstate
	echo 0 >root/sys/module/$1/refcnt
	d=root/sys/bus/platform/devices/$(device $1)
	[ ! -e $d/modalias ] || [ -L $d/driver ] || ln -s ../../drivers/$(driver $1) $d/driver
}
refs() { echo $(($(cat root/sys/module/$1/refcnt) + $2)) >root/sys/module/$1/refcnt; }
unload() {
	[ "$(cat root/sys/module/$1/refcnt)" = 0 ] || { echo "rmmod: $1 is in use" >&2; return 1; }
	rm -r root/sys/module/$1
	d=root/sys/bus/platform/devices/$(device $1)
	case $(readlink $d/driver 2>/dev/null) in */$(driver $1)) rm $d/driver ;; esac
	for n in $(needs $1); do
		rmdir root/sys/module/$n/holders/$1
		refs $n -1
	done
}
echo "${0##*/} $*" >>calls
case "${0##*/} $1" in
"rmmod "*)
	unload $1 ;;
"modprobe -r")
	unload $2 && for n in $(needs $2); do [ "$(cat root/sys/module/$n/refcnt)" != 0 ] || unload $n; done ;;
"modprobe --ignore-install")
	load $2 ;;
*)
	echo "not as expected: $*" >&2; exit 1 ;;
esac
END
chmod +x bin/kmod
ln -s kmod bin/modprobe
ln -s kmod bin/rmmod
PATH=$dir/bin:$PATH

# drivers ARGUMENT...: output is in out and err. The file output has all of it, and what there is then as JSON.
drivers() {
	"$V9TRACE" driver --root root "$@" >out 2>err
	got=$?
	{
		echo "== $*"
		cat out err
		echo "exit status $got"
		"$V9TRACE" driver --root root --json 2>&1
	} >>output
	return $got
}
# machine [MODULE...]: a server with the package, and these modules loaded
machine() {
	rm -rf root broken calls
	mkdir -p broken root/usr/lib/modprobe.d root/etc/modprobe.d "root/lib/modules/$(uname -r)" root/sys/module
	cp "$packaging"/modprobe.d/*.conf root/usr/lib/modprobe.d
	for of in 'arm,spe-v1.0 platform:arm,spe-v1' 'arm,trbe.0 of:NtrbeT(null)Carm,trace-buffer-extension'; do
		mkdir -p "root/sys/bus/platform/devices/${of% *}"
		echo "${of#* }" >"root/sys/bus/platform/devices/${of% *}/modalias"
	done
	cat >"root/lib/modules/$(uname -r)/modules.dep" <<-END
	kernel/drivers/perf/arm_spe_pmu.ko.xz:
	kernel/drivers/hwtracing/coresight/coresight.ko.xz:
	kernel/drivers/hwtracing/coresight/coresight-etm4x.ko.xz: kernel/drivers/hwtracing/coresight/coresight.ko.xz
	kernel/drivers/hwtracing/coresight/coresight-trbe.ko.xz: kernel/drivers/hwtracing/coresight/coresight.ko.xz
	updates/dkms/v9_spe.ko.xz: updates/dkms/v9_core.ko.xz
	updates/dkms/v9_ete.ko.xz: updates/dkms/v9_core.ko.xz
	END
	case $* in *coresight*) bin/modprobe --ignore-install coresight ;; esac
	for m; do bin/modprobe --ignore-install "$m"; done
	rm -f calls
}
# is NAME FILE TEXT: the file has exactly that
is() {
	if [ "$(cat "$2")" = "$3" ]; then ok "$1"; else not_ok "$1" "$(head -n 1 "$2")"; fi
}
# has NAME STATUS-WANTED STATUS TEXT-OF-ERROR LOADED; without a text there is no error
has() {
	loaded=$(ls root/sys/module | paste -sd ' ')
	if [ -z "$4" ] && [ -s err ]; then not_ok "$1" "$(head -n 1 err)"; return; fi
	[ -n "$4" ] || echo >err
	if [ "$2" = "$3" ] && grep -q -- "$4" err && [ "$loaded" = "$5" ]; then
		ok "$1"
	else
		not_ok "$1" "status $3, loaded $loaded, $(head -n 1 err)"
	fi
}
in_tree="arm_spe_pmu coresight coresight_etm4x coresight_trbe"
all_ours="v9_core v9_ete v9_spe"

machine
drivers
is nothing_loaded out 'spe: no driver; at boot: ours
ete: no driver; at boot: ours
brbe: no driver'
# shellcheck disable=SC2086
machine $in_tree
drivers
is shows_in_tree out 'spe: in-tree (arm_spe_pmu), not in use; at boot: ours
ete: in-tree (arm_trbe), not in use; at boot: ours
brbe: no driver'
if [ -e calls ]; then not_ok showing_changes_nothing "$(head -n 1 calls)"; else ok showing_changes_nothing; fi
drivers --json spe
is json out '{"unit":"spe","present":1,"driver":"in-tree","name":"arm_spe_pmu","built_in":0,"users":0,"at_boot":"ours","ours_available":1,"in_tree_available":1}'

drivers ours
has ours 0 $? '' "$all_ours"
is shows_ours out 'spe: ours (v9_spe), not in use; at boot: ours
ete: ours (v9_ete), not in use; at boot: ours
brbe: no driver'
drivers --quiet ours
has ours_again 0 $? '' "$all_ours"
is quiet out ''

drivers in-tree spe
has in_tree_of_one 0 $? '' "arm_spe_pmu v9_core v9_ete"
is blacklisted root/etc/modprobe.d/v9trace-spe.conf '# Written by "v9trace driver in-tree"; "v9trace driver ours" removes it.
# It hides the file of the same name in /usr/lib/modprobe.d.
blacklist v9_spe'
drivers
is preferences_differ out 'spe: in-tree (arm_spe_pmu), not in use; at boot: in-tree
ete: ours (v9_ete), not in use; at boot: ours
brbe: no driver'
drivers --now ours spe
has now 0 $? '' "$all_ours"
is now_keeps_the_preference out 'spe: ours (v9_spe), not in use; at boot: in-tree'
drivers --now in-tree ete
has in_tree_now_against_the_preference 0 $? '' "coresight coresight_etm4x coresight_trbe v9_core v9_spe"
drivers --now ours ete
drivers preferred
has preferred 0 $? '' "arm_spe_pmu v9_core v9_ete"
drivers ours
has ours_removes_the_file 0 $? '' "$all_ours"
if [ -e root/etc/modprobe.d/v9trace-spe.conf ]; then not_ok file_is_gone "is there"; else ok file_is_gone; fi

# A session is open.
# shellcheck disable=SC2086
machine $in_tree
echo 2 >root/sys/module/arm_spe_pmu/refcnt
drivers ours
has in_use_stays 1 $? 'spe: arm_spe_pmu is in use (2) and stays until the next boot' "arm_spe_pmu v9_core v9_ete"
is in_use_is_shown out 'spe: in-tree (arm_spe_pmu), in use; at boot: ours
ete: ours (v9_ete), not in use; at boot: ours
brbe: no driver'
# shellcheck disable=SC2086
machine $in_tree
echo 3 >root/sys/module/coresight/refcnt	# two modules, and an event of perf
drivers --now ours ete
has event_of_cs_etm 1 $? 'ete: coresight is in use (1)' "$in_tree"
# shellcheck disable=SC2086
machine $all_ours
echo 1 >root/sys/module/v9_spe/refcnt
drivers --now in-tree spe
has ours_in_use_stays 1 $? 'v9_spe is in use (1)' "$all_ours"

# Another module needs coresight.
# shellcheck disable=SC2086
machine $in_tree coresight_tmc
drivers ours ete
has holder_is_named 1 $? 'module coresight_tmc needs coresight: unload it first' "arm_spe_pmu coresight coresight_etm4x coresight_tmc coresight_trbe"

# Ours refuses the unit; ours is not built; the kernel has no in-tree driver.
# shellcheck disable=SC2086
machine $in_tree
: >broken/v9_spe
: >broken/v9_ete
drivers ours
has refused_goes_back 1 $? 'the in-tree driver is loaded again' "$in_tree"
sed -i /v9_/d "root/lib/modules/$(uname -r)/modules.dep"
drivers in-tree spe
drivers ours
has not_built 1 $? 'module v9_spe is not there for the running kernel' "$in_tree"
drivers spe
is not_built_changes_nothing out 'spe: in-tree (arm_spe_pmu), not in use; at boot: in-tree'
drivers ete
is not_built_at_boot out 'ete: in-tree (arm_trbe), not in use; at boot: in-tree, as v9_ete is not there for this kernel'
machine v9_spe
sed -i /arm_spe/d "root/lib/modules/$(uname -r)/modules.dep"
drivers in-tree spe
has no_in_tree 1 $? 'no in-tree driver' "v9_core v9_spe"

# Built in
machine
sed -i /arm_spe/d "root/lib/modules/$(uname -r)/modules.dep"
echo kernel/drivers/perf/arm_spe_pmu.ko >"root/lib/modules/$(uname -r)/modules.builtin"
ln -s ../../drivers/arm_spe_pmu root/sys/bus/platform/devices/arm,spe-v1.0/driver
drivers ours spe
has built_in 1 $? 'initcall_blacklist=' ""
is built_in_is_shown out 'spe: in-tree (arm_spe_pmu, built in), not in use; at boot: ours'

# A machine without the units; without the package
machine
rm -r root/sys/bus/platform/devices/*
drivers --now ours
has no_unit 0 $? '' ""
is no_unit_is_shown out 'spe: the kernel has no device for it; at boot: ours
ete: the kernel has no device for it; at boot: ours
brbe: no driver'
machine
rm root/usr/lib/modprobe.d/*
drivers ours spe
has no_package 0 $? 'until the next boot only' "v9_core v9_spe"
drivers preferred ete
has no_preference 0 $? '' "v9_core v9_spe"

# BRBE: v9_brbe has a platform device. The kernel's own driver is a part of the CPU's PMU, which has
# caps/branches above 0 if the CPU has branch records.
machine
mkdir -p root/sys/bus/platform/devices/v9_brbe root/sys/module/v9_brbe/holders
echo platform:v9_brbe >root/sys/bus/platform/devices/v9_brbe/modalias
ln -s ../../drivers/v9_brbe root/sys/bus/platform/devices/v9_brbe/driver
echo live >root/sys/module/v9_brbe/initstate
echo 0 >root/sys/module/v9_brbe/refcnt
drivers brbe
is brbe_ours out 'brbe: ours (v9_brbe), not in use'
echo 1 >root/sys/module/v9_brbe/refcnt
drivers brbe
is brbe_ours_in_use out 'brbe: ours (v9_brbe), in use'
drivers --json brbe
is brbe_ours_json out '{"unit":"brbe","present":1,"driver":"ours","name":"v9_brbe","built_in":0,"users":1,"at_boot":"none","ours_available":0,"in_tree_available":0}'
# pmu NAME BRANCHES: a PMU whose caps/branches is BRANCHES
pmu() {
	mkdir -p "root/sys/bus/event_source/devices/$1/caps"
	echo "$2" >"root/sys/bus/event_source/devices/$1/caps/branches"
}
machine
pmu armv8_pmuv3_0 0
pmu armv8_pmuv3_1 32
drivers brbe
is brbe_in_tree out 'brbe: in-tree (armv8_pmuv3_1, built in)'
drivers --json brbe
is brbe_in_tree_json out '{"unit":"brbe","present":1,"driver":"in-tree","name":"armv8_pmuv3_1","built_in":1,"users":0,"at_boot":"none","ours_available":0,"in_tree_available":1}'
# The CPU has no branch records. PMUs of v9_brbe and of x86 have a file caps/branches, too.
machine
pmu armv8_pmuv3_0 0
pmu v9_brbe 32
pmu cpu 32
drivers brbe
is brbe_none out 'brbe: no driver'
drivers --json brbe
is brbe_none_json out '{"unit":"brbe","present":0,"driver":"none","built_in":0,"users":0,"at_boot":"none","ours_available":0,"in_tree_available":0}'
for to in ours in-tree; do
	drivers $to brbe
	has brbe_no_change_to_$to 1 $? 'no kernel has two drivers' ""
done
drivers --now ours spe ete
has brbe_is_left_alone 0 $? '' "$all_ours"

for of in '3:neither a driver:4' 'ours in-tree:neither a driver' '--now:is for a change'; do
	# shellcheck disable=SC2086
	drivers ${of%%:*}
	status=$?
	word=${of#*:}
	if [ $status = 2 ] && grep -q "${word%:*}" err; then ok "wrong_$(echo "${of%%:*}" | tr -c 'a-z0-9\n' _)"; else
		not_ok "wrong_$(echo "${of%%:*}" | tr -c 'a-z0-9\n' _)" "status $status"; fi
done
# Whole output of all these: UPDATE=1 writes the file.
sed "s|$dir|DIR|g; s|$(uname -r)|RELEASE|g" output >got
golden_is output got "$packaging/../../selftests/golden/driver.output"
finish
