#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Would the tests notice? Each barrier of drivers/lib/seq_*.c is taken out, one at a time; status
# registers are cleared before the drain; rules of the model are bent. Each time the host tests
# that link the changed file are built in a copy below build/mutate, and a named one must fail.
# Then the program that changes each cell of the routing tables is run.
#
#   mutate.sh [-k] [PATTERN]	only mutants whose line matches PATTERN; -k keeps the copies
#   mutate.sh -n N [-s SEED] [-r ROOM]
#				N mutants by rule instead (selftests/mutants.py), as many of each room;
#				those of files that only the kernel compiles are tried in guests
#
# One line per mutant, "seen" or "NOT SEEN", and a score. Exit status 0 iff all were seen and the
# tree as it is passes.
set -u
cd "$(dirname "$0")/.." || exit 2
[ "${1:-}" != -n ] || exec selftests/mutate_rules.sh "$@"
[ -e /.v9trace-root ] || exec selftests/lab/root.sh run -- selftests/mutate.sh "$@"

keep=
[ "${1:-}" != -k ] || { keep=1; shift; }
pattern=${1:-}
work=$PWD/build/mutate
jobs=${JOBS:-$(nproc)}
parts="include drivers selftests/model selftests/host selftests/mutants.py selftests/mutants.equivalent tools"

# Mutants that behave as the original: "FILE FUNCTION BARRIER NR~why". If one of these is seen by a
# test, that is an error, too.
equal() {
	sed 's/^\t*//' <<-'END'
	drivers/lib/seq_brbe.c v9_brbe_act_reset hw_isb 1~what it waits for is in the next sequence, too
	END
}

# Changes other than a barrier, two lines each: "FILE~FUNCTION~what~tests, if not all that link
# FILE", and a sed script for that function or table
others() {
	sed 's/^\t*//' <<-'END'
	drivers/lib/seq_spe.c~v9_spe_act_stop~status cleared before the drain of a stop~
	s/^\tdrain_and_disable();/\thw_write(V9_SYS_PMBSR_EL1, 0);\n&/
	drivers/lib/seq_spe.c~v9_spe_read_status~status cleared before the drain of the interrupt~
	s/^\thw_psb();/\thw_write(V9_SYS_PMBSR_EL1, 0);\n&/
	drivers/lib/seq_spe.c~v9_spe_act_reset~status cleared before the drain of a reset~
	/PMBSR_EL1, 0)/d; s/^\tdrain_and_disable();/\thw_write(V9_SYS_PMBSR_EL1, 0);\n&/
	drivers/lib/seq_ete.c~v9_ete_act_stop~status cleared before the drain of a stop~
	s/= prohibit_and_disable(state)/= (hw_write(V9_SYS_TRBSR_EL1, 0), prohibit_and_disable(state))/
	drivers/lib/seq_trbe.c~v9_trbe_act_disable~status cleared before the bytes are in memory~
	s/^\thw_write(V9_SYS_TRBLIMITR_EL1, 0);/\thw_write(V9_SYS_TRBSR_EL1, 0);\n&/
	drivers/lib/seq_trbe.c~v9_trbe_act_disable~status cleared before it is read~
	s/^\tregs->trbsr =/\thw_write(V9_SYS_TRBSR_EL1, 0);\n&/
	drivers/lib/seq_trbe.c~v9_trbe_act_disable~status of an event stays~
	s/^\t\thw_write(V9_SYS_TRBSR_EL1, 0);/\t\t(void)0;/
	drivers/lib/seq_spe.c~v9_spe_act_stop~status of an event stays~
	s/^\t\thw_write(V9_SYS_PMBSR_EL1, 0);/\t\t(void)0;/
	drivers/lib/seq_spe.c~v9_spe_act_start~sampling on before the buffer~
	/PMSCR_EL1, /d; s/^\tif (regs->pmbsr)/\thw_write(V9_SYS_PMSCR_EL1, values->reg[V9_SPE_REG_PMSCR]);\n&/
	drivers/lib/seq_ete.c~v9_ete_act_start~source before sink~
	/v9_trbe_act_enable/d; s/^\treturn true;/\tv9_trbe_act_enable(state, regs, wrote);\n&/
	drivers/lib/seq_routing_trbe.c~v9_trbe_act_self_test~only a pointer at the base tells of an event~
	s/regs.trbptr < first/regs.trbptr == page/
	drivers/lib/fault_action.c~v9_spe_fault_action~a late abort leaves data~fault_action
	s/j.data = false;$/(void)0;/
	drivers/lib/fault_action.c~v9_trbe_fault_action~an event without a meaning leaves data~fault_action
	/FATAL:/,/break/s/j.data = false;/(void)0;/
	drivers/lib/seq_spe.c~holds~a filter by source stays as it was~seq_spe
	s/V9_SPE_HELD_REGS(DIFFERENCE_OF, V9_OR)/DIFFERENCE_OF(PMSEVFR, 0)/
	drivers/lib/seq_spe.c~v9_spe_read_id~a register out of reach is touched~seq_spe
	s/ && words > 4//
	drivers/lib/seq_brbe.c~v9_brbe_act_stop~branches are recorded after a stop~seq_brbe
	s/^\tpause();/\t(void)0;/
	drivers/lib/seq_brbe.c~v9_brbe_act_start~guests' register is that of the host~seq_brbe
	s/BRBCR_EL12, values->brbcr_el1/BRBCR_EL12, 0/
	drivers/lib/seq_brbe.c~v9_brbe_act_read~the second bank is not read~seq_brbe
	s/== V9_BRBE_BANK/== V9_BRBE_BANK + 99/
	drivers/lib/branch.c~v9_branch_cycles~the exponent is one too large~branch
	s/(e - 1)/e/
	drivers/lib/branch.c~v9_branch_decode~a half record has its other address~branch
	s/target ? rec->tgt : 0/rec->tgt/
	drivers/lib/branch.c~v9_branch_check~records that nothing has frozen are told~branch
	s/return V9_BRANCHES_RUN_ON/return V9_BRANCHES_FROZEN/
	drivers/lib/attr_brbe.c~v9_brbe_encode_regs~user space's sessions record the kernel~attr_brbe
	s/^\tif (kernel)$/\tif (true)/
	drivers/lib/attr_brbe.c~v9_brbe_encode_regs~an overflow freezes nothing~attr_brbe
	/V9_BRBCR_EL2_FZP/d
	drivers/lib/attr.c~features_of~what promises and does not stay is offered~attr
	s/(stays & features.i..bits)/true/
	selftests/model/spe.c~keep_type~a mask does not ask for absence~model_types
	s/(types ^ fcr) & masks/fcr \& masks \& (-1 - types)/
	selftests/model/spe.c~keep_type~a type with a mask is one of the others, too~model_types
	s/fcr & TYPES & .masks/fcr \& TYPES/
	selftests/model/spe.c~keep~records without a source are dropped~model_types
	s/source >= 0 &&/true \&\&/
	selftests/model/classify.c~simd_access~loads of Q registers are floating point~model_types
	s/c->size == 4/c->size == 5/
	selftests/model/classify.c~simd_access~structures are floating point~model_types
	s/== 0x0c000000/== 0x08000000/
	selftests/model/buffer.c~cannot_wait~samples behind a fault of an old unit are lost~model_delay
	s/spe_version < 6/spe_version < 1/
	selftests/model/buffer.c~fault_behind~an abort goes before a fault~model_buffer
	s/return true/return false/
	selftests/model/trbe.c~v9_trbe_complete~a trigger counts though collection is stopped~model_trbe
	s/ || (m->seen\[other_reg(m)\] & V9_TRBSR_EL1_S)//
	selftests/model/trbe.c~stop~a later event replaces the first~model_trbe
	s/if (m->seen\[reg\] & V9_TRBSR_EL1_S)/if (0)/
	selftests/model/trbe.c~too_late~a late write counts in an enabled buffer~model_trbe
	s/return m->cfg.trbe_ignore/return false/
	selftests/model/regs.c~v9_reg_read~an old status is shown for ever~model_delay
	s/delay == V9_DELAY_RANDOM/delay > V9_DELAY_RANDOM/
	selftests/model/regs.c~v9_reg_write~a line falls before the unit knows~model_delay
	s/later ? v | m->seen\[reg\] : v/v/
	selftests/model/store.c~v9_store_piece~a fault once made up comes again and again~model_trbe
	/fault_next\[unit\] = 0/d
	selftests/model/profiles.c~profiles~a core is missing~model_profiles
	/"cortex-x4"/,/} },/d
	selftests/model/profiles.c~profiles~versions of two units are swapped~model_profiles
	/"neoverse-n2"/,/} },/{s/PMSVER/x/;s/TRACEVER/PMSVER/;s/_x/_TRACEVER/}
	selftests/model/profiles.c~profiles~two cores change their names~model_profiles
	s/"cortex-a720"/"x"/;s/"cortex-x4"/"cortex-a720"/;s/"x"/"cortex-x4"/
	selftests/model/profiles.c~profiles~a core has another revision~model_profiles
	s/0x410fd842/0x410fd841/
	selftests/model/profiles.c~profiles~a value that no source has~model_profiles
	/"cortex-x2"/,/} },/s/V9_PROFILE_MIDR/V9_PROFILE_LDS] = IS(1, LLVM),\n[&/
	selftests/model/profiles.c~profiles~a lower bound is taken for the value~model_profiles
	/"neoverse-v2"/,/} },/s/AT_LEAST/IS/
	selftests/model/profiles.c~v9_profile_find~a beginning of a name is enough~model_profiles
	s/strcmp(profiles.i..name, name)/strncmp(profiles[i].name, name, strlen(name))/
	selftests/model/profiles.c~v9_profile_fact~a value without a source counts~model_profiles
	s/p->fact.field..source ?/field < V9_PROFILE_FIELDS ?/
	selftests/model/profiles.c~v9_profile_apply~one field is written into another~model_profiles
	s/c->lds = f->value/c->trbe_exc = f->value/
	selftests/model/profiles.c~v9_profile_apply~each Trace Buffer Unit has exceptions~model_profiles
	s/f->value > 1/f->value > 0/
	END
}

# Prints "FILE~LINE~FUNCTION~BARRIER~number of it in the function" for each barrier.
barriers() {
	awk '
		/^[a-z].*\(/ { fn = $0; sub(/\(.*/, "", fn); sub(/.*[ *]/, "", fn) }
		FNR == 1 { split("", seen) }
		match($0, /hw_(isb|dsb|psb|tsb|brb_iall)\(\);/) {
			b = substr($0, RSTART, RLENGTH - 3)
			print FILENAME "~" FNR "~" fn "~" b "~" ++seen[fn, b]
		}' drivers/lib/seq_*.c
}

# Mutants, as mutants.py reads them: "FILE~WHAT~SED~TESTS~REASON"
mutants() {
	{
		barriers | while IFS='~' read -r file line fn barrier nr; do
			printf '%s~without %s %s of %s~%ss/%s();/(void)0;/~%s~%s\n' "$file" "$barrier" \
				"$nr" "$fn" "$line" "$barrier" "$(linking "$file")" \
				"$(equal | sed -n "s|^$file $fn $barrier $nr~||p")"
		done
		others | while IFS='~' read -r file fn what tests && read -r how; do
			printf '%s~%s~/^[a-z].*\\b%s[[(]/,/^}/{%s}~%s~\n' "$file" "$what" "$fn" "$how" \
				"${tests:-$(linking "$file")}"
		done
	} | grep -e "$pattern"
}

# Prints the programs that link file $1, by their maps; those made for it first.
linking() {
	(cd build/host/bin && grep -lF "obj/${1%.c}.o" -- *.map | sed 's/\.map$//' |
		awk '{ print ($0 !~ /^seq_/) " " $0 }' | sort | cut -d' ' -f2 | tr '\n' ' ')
}

rm -rf "$work"
mkdir -p "$work/tree0"
# shellcheck disable=SC2086
cp -r --parents $parts "$work/tree0"
cd "$work/tree0" || exit 2
: >"$work/results"
# Builds all programs once, so that each tree has their objects.
make -s -j"$jobs" -C selftests/host OUT="$work/tree0/build/host" all || exit 1
mutants >"$work/mutants"
all=$(wc -l <"$work/mutants")
[ "$all" -gt 0 ] || { echo "mutate.sh: no mutant matches" >&2; exit 2; }
[ -n "$pattern" ] || [ "$all" -ge 30 ] || {
	echo "mutate.sh: only $all mutants: barriers are not found any more" >&2
	exit 1
}

tests=$(cut -d'~' -f4 "$work/mutants" | tr ' ' '\n' | sort -u | grep . | tr '\n' ' ')
make -s -C selftests/host OUT="$work/tree0/build/host" RESULTS="$work/tap" run T="$tests" >"$work/log" || {
	echo "The tree as it is does not pass:" "$(grep '^not ok' "$work/log")"
	exit 1
}
echo "As it is ${tests}pass"

for ((w = 1; w < jobs; w++)); do
	cp -r --preserve=timestamps "$work/tree0" "$work/tree$w"
	rm "$work/tree$w/build/host/tested.a"
	# Objects contain the directory in which they were built.
	find "$work/tree$w/build/host" \( -name '*.d' -o -name flags \) \
		-exec sed -i "s|$work/tree0/|$work/tree$w/|g" {} +
done
selftests/mutants.py listed <"$work/mutants" | selftests/mutants.py run "$work"/tree* |
	selftests/mutants.py show | tee "$work/results"

bad=0
seen=$(grep -c '^seen' "$work/results")
same=$(grep -c '^equal' "$work/results")
missed=$((all - seen - same))
[ "$missed" -eq 0 ] || bad=1
if [ -z "$pattern" ]; then
	# An entry for a mutant that does not exist, or that a test notices
	equal | while IFS='~' read -r key why; do
		grep -q "^equal .*: $why\$" "$work/results" || echo "argued for no reason: $key"
	done | grep . && bad=1
	# The tables: these programs change the cells themselves.
	for t in routing routing_event routing_trace; do
		make -s -C selftests/host OUT="$work/tree0/build/host" T=$t all || bad=1
		"build/host/bin/$t" >tap || bad=1
		sed -n "s|^# \([0-9]* of [0-9]* changed cells seen\)|host/$t: \1|p" tap
		! grep '^not ok' tap || bad=1
	done
fi
echo "$seen of $((all - same)) mutants seen, $same argued to be equal, $missed not seen"
cd "$work" || exit 2
[ -n "$keep" ] || rm -rf "$work"/tree*
exit $bad
