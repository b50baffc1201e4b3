#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The unit of systemd: its command line is one of v9trace record, and the file that changes its values has the
# names and the defaults of the unit. packages.sh has systemd-analyze.
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/host/suite.inc
unit=tools/packaging/systemd/v9trace-aggregate.service
values=tools/packaging/systemd/v9trace-aggregate.default
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT

# As systemd does: ${NAME} is one word, $NAME is several.
command_line() { sed -n 's/^ExecStart=//p' "$unit" | sed 's/\${\([A-Z_]*\)}/"${\1}"/g'; }
defaults() { sed -n 's/^Environment=//p' "$unit" | tr ' ' '\n'; }
# started NAME STATUS TEXT [ASSIGNMENT...]: there is no PMU of that name, which is seen after the options
started() {
	name=$1 want=$2 text=$3
	shift 3
	# shellcheck disable=SC2030
	(
		eval "$(defaults)"
		for a; do eval "$a"; done
		STATE_DIRECTORY=$dir
		eval "set -- $(command_line)"
		[ "$1" = /usr/bin/v9trace ] || exit 99
		shift
		exec "$V9TRACE" "$@"
	) >"$dir/out" 2>"$dir/err"
	got=$?
	if [ $got = "$want" ] && grep -q -e "$text" "$dir/err"; then ok "$name"
	else not_ok "$name" "status $got, not $want: $(head -n 1 "$dir/err")"; fi
}
started command_line 1 'no such PMU: arm_spe_99\|no SPE here' 'OPTIONS="-e arm_spe_99//"'
started several_options 1 'no such PMU: arm_spe_99\|no SPE here' 'OPTIONS="-c 4096 --memory 128M -e arm_spe_99//"'
started wrong_budget 2 '--overhead 0: wanted' 'OVERHEAD=0'
started wrong_interval 2 '--aggregate=x: wanted' 'INTERVAL=x'
started wrong_number 2 '--switch-max-files' 'MAX_FILES=x'
started wrong_size 2 '--switch-max-size' 'MAX_SIZE=x'
started wrong_option 2 'no such option' 'OPTIONS=--nosuch'

# The examples of the file are the defaults; that of OPTIONS is a command line, too.
defaults | grep -v '^OPTIONS=' | sort >"$dir/want"
sed -n 's/^#\([A-Z_]*=\)/\1/p' "$values" | grep -v '^OPTIONS=' | sort >"$dir/got"
if [ -s "$dir/want" ] && cmp -s "$dir/want" "$dir/got"; then ok defaults
else not_ok defaults "$(diff "$dir/want" "$dir/got" | sed -n 2p)"; fi
example=$(sed -n 's/^#OPTIONS=//p' "$values")
started example_of_options 1 'no such PMU: arm_spe_99\|no SPE here' "OPTIONS=\"$example -e arm_spe_99//\""
# Each value is used.
for name in $(defaults | sed 's/=.*//'); do
	if command_line | grep -q "\$[{]*$name"; then ok "uses_$(echo "$name" | tr A-Z a-z)"
	else not_ok "uses_$(echo "$name" | tr A-Z a-z)" "not in ExecStart"; fi
done
finish
