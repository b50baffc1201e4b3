#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Compares the model with the code that connects it to QEMU (selftests/model/qemu). Each source of
# the model is built. Each property of a CPU is registered, and described in README. Each unit has a
# property, which the configuration, the test for a CPU without units and an ID register use.
# Afterwards places are removed from a copy, and the check must fail. TAP.
set -u
cd "$(dirname "$0")/../.." || exit 2
V9TRACE=none
. selftests/host/suite.inc
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
qemu=selftests/model/qemu
added='object_property_add_[a-z0-9_]*\(obj, "v9-[a-z0-9-]*'

check_sources() {
	for source in selftests/model/*.c; do
		grep -q "'../${source##*/}'" $qemu/meson.build || echo "${source##*/} is not in meson.build"
	done
}

# Prints the members of V9CPU that are properties.
properties() {
	sed -n '/\/\* properties \*\//,/^$/s/^ *[a-z0-9_]* \**\([a-z0-9_]*\);$/\1/p' $qemu/glue.h
}
check_registrations() {
	properties | while read -r member; do
		tr '\n' ' ' <$qemu/glue.c |
			grep -qE "$added\", *(v9_get_$member,|&v9->$member,)" ||
			echo "$member is not registered as a property"
	done
}
check_descriptions() {
	grep -oE "$added" $qemu/glue.c | grep -oE 'v9-[a-z0-9-]+' |
		while read -r name; do
			grep -qE "^($name|v9-.*, $name)(=|,)" $qemu/README || echo "$name is not in README"
		done
}

# function_body NAME: prints it, one statement per line
function_body() {
	sed -n "/^[a-z].*\b$1(/,/^}/p" $qemu/glue.c | tr '\n' ' ' | sed 's/;/;\n/g; s/{/{\n/g'
}
# Prints for each unit the member of struct v9_config that says whether the PE has it.
units() {
	awk '$1 == "#:" && $2 == "unit" && !seen[$3]++ { print $3, $5 }' include/v9trace/tables/sysreg |
		while read -r unit feature; do
			echo "$unit $(sed -n "/case V9_$feature:/,/return/s/.*m->cfg\.\([a-z_]*\).*/\1/p" \
				selftests/model/common.c | head -n 1)"
		done
}
check_units() {
	function_body v9_configure >"$tmp/configure"
	function_body v9_cpu_realize >"$tmp/realize"
	units | while read -r unit member; do
		[ -n "$member" ] || { echo "$unit: v9_feat() has no member of struct v9_config"; continue; }
		case $member in
		*_version) pattern="v9_config_version(c, v9->" ;;
		*) pattern="c->$member = v9->" ;;
		esac
		property=$(sed -n "s/.*$pattern\([a-z_]*\).*/\1/p" "$tmp/configure" | head -n 1)
		[ -n "$property" ] || { echo "$unit: v9_configure() does not set $member"; continue; }
		grep -qE "if \(!\((.* )?v9->$property\b" "$tmp/realize" ||
			echo "$unit: v9_cpu_realize() returns without a model if only $property is set"
		grep -E 'isar\.id_' "$tmp/realize" | grep -qE "\bc\.$member\b" ||
			echo "$unit: v9_cpu_realize() writes $member to no ID register"
	done
}

# passes NAME: the check finds nothing
passes() {
	found=$("check_$1")
	if [ -n "$found" ]; then not_ok "$1" "$(echo "$found" | head -n 1)"; else ok "$1"; fi
}

# fails NAME FILE SED TEST: after the sed script the check finds something
fails() {
	rm -rf "$tmp/copy"
	mkdir "$tmp/copy"
	cp -r --parents selftests/model include/v9trace/tables "$tmp/copy"
	sed -i "$3" "$tmp/copy/$2"
	if cmp -s "$2" "$tmp/copy/$2"; then
		not_ok "$4" "the sed script changes nothing"
	elif [ -n "$(cd "$tmp/copy" && "check_$1")" ]; then
		ok "$4"
	else
		not_ok "$4" "not noticed"
	fi
}

if [ "$(properties | wc -l)" -gt 30 ] && [ "$(units | wc -l)" -ge 3 ]; then
	ok names_were_found
else
	not_ok names_were_found "$(properties | wc -l) properties, $(units | wc -l) units"
fi
for check in sources registrations descriptions units; do passes $check; done
fails sources $qemu/meson.build "/'..\/timing.c'/d" source_missing_is_seen
fails registrations $qemu/glue.c '/"v9-ite"/d' registration_missing_is_seen
fails descriptions $qemu/README '/^v9-ite=/d' description_missing_is_seen
fails units $qemu/glue.c '/c->ete = v9->ete;/d' configuration_missing_is_seen
fails units $qemu/glue.c 's/\(if (!(v9->spe\) || v9->ete/\1/' test_missing_is_seen
fails units $qemu/glue.c 's/PMSVER, c.spe_version/PMSVER, 3/' id_register_missing_is_seen
finish
