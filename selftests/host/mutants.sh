#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# TAP: selftests/mutants.py: which lines it changes and how, that a seed gives the same mutants each
# time, and what the score counts.
set -u
mutants=$(cd "$(dirname "$0")/.." && pwd)/mutants.py
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
number=0
result() {
	number=$((number + 1))
	if [ "$1" -eq 0 ]; then echo "ok $number - $2"; else echo "not ok $number - $2"; fi
}
same() { diff "$1" "$2" | sed 's/^/# /'; cmp -s "$1" "$2"; }

cd "$tmp" || exit 1
mkdir -p drivers/lib selftests
# Every line in the body gives mutants but those in the middle, which are declarations, texts, and
# what the preprocessor reads.
cat >drivers/lib/x.c <<'END'
#define LIMIT 4
static const int table[] = { 1, 2 };
int f(int a)
{
	int unchanged = a.b < c->d ? a.b : c->d, same = a.b > c->d ? c->d : a.b;
	const char *text = "a < 1"; /* b < 2 */
#if LIMIT > 3
#endif
	if (a < 7)
		g(a);
	a = b | 0x10;
	switch (a) {
	case A:
		break;
	case B:
		for (;;) {
			break;
		}
		break;
	}
	return a->b && true;
}
int f_free(void)
{
	a->fd = -1;
	a->list = NULL;
	room = a->room ? 2 * a->room : g(-1);
}
END
# shellcheck disable=SC2016
python3 - "$mutants" >got <<-'END'
	import sys
	sys.dont_write_bytecode = True
	sys.path.insert(0, sys.argv[1].rsplit("/", 1)[0])
	import mutants
	for number, found in mutants.mutants_of("drivers/lib/x.c").items():
	    for rule, column, before, after in found:
	        print(number, rule, after.strip(), sep="|")
END
cat >wanted <<-'END'
	9|inverted condition|if (!(a < 7))
	9|off by one|if (a <= 7)
	9|swapped constant|if (a < 8)
	10|dropped statement|(void)0;
	11|dropped statement|(void)0;
	11|other operator|a = b & 0x10;
	11|swapped constant|a = b | 0x11;
	14|dropped statement|(void)0;
	17|dropped statement|(void)0;
	21|inverted condition|return a->b || true;
	21|swapped constant|return a->b && false;
	27|dropped statement|(void)0;
END
same wanted got
result $? each_rule_changes_what_it_says

"$mutants" draw -n 3 -s 5 -r drivers >first && "$mutants" draw -n 3 -s 5 -r drivers >second
same first second && [ "$(wc -l <first)" -eq 3 ] && [ "$(cut -d, -f5 first | sort -u | wc -l)" -eq 3 ]
result $? a_seed_gives_the_same_mutants
"$mutants" draw -n 9 -s 5 -r drivers >first
[ "$(wc -l <first)" -eq 7 ]
result $? no_line_is_drawn_twice

cp drivers/lib/x.c before
head -n 1 first | "$mutants" apply . && ! cmp -s before drivers/lib/x.c &&
	head -n 1 first | "$mutants" restore . && cmp -s before drivers/lib/x.c
result $? apply_and_restore
sed -i 's/a < 7/a < 9/; s/g(a)/h(a)/; s/b | /c | /; s/a->b/a->c/' drivers/lib/x.c
! head -n 1 first | "$mutants" apply . 2>error && grep -q 'is another line' error
result $? a_changed_file_is_not_bent
cp before drivers/lib/x.c

digest=$(sha256sum <drivers/lib/x.c | cut -c 1-16)
# of LINE RESULT [DIGEST]
of() {
	printf '{"seed": 5, "room": "drivers", "file": "drivers/lib/x.c", "digest": "%s", "line": %d, ' "${3:-$digest}" "$1"
	printf '"column": 1, "rule": "r", "before": "\\tx(%d);", "after": "\\ty(%d);", "result": "%s"}\n' "$1" "$1" "$2"
}
{
	of 1 survived; of 1 killed; of 2 killed; of 3 hang; of 4 survived; of 10 late; of 5 equivalent; of 6 unbuilt
	of 7 survived 0123456789abcdef; of 8 survived
} >log
printf '# none\n\ndrivers/lib/x.c\n- x(8);\n+ y(8);\nboth do nothing\n' >selftests/mutants.equivalent
"$mutants" score log survived | sed -n 1p >got
echo "drivers    60 % of 5 mutants: 2 killed, 1 hung, 1 noticed by ALL=1 alone, 1 survived; 2 equivalent, 1 do not compile" >wanted
same wanted got
result $? score_counts_the_last_result_of_files_as_they_are
[ "$(cat survived)" = "$(of 4 survived)" ]
result $? what_survived_is_listed

# Of drawn mutants, those are left that have no result of the same seed and file.
{ of 1 -; of 7 -; of 9 -; of 2 - | sed 's/"seed": 5/"seed": 6/'; } >drawn
"$mutants" left log known <drawn >got
{ of 7 -; of 9 -; of 2 - | sed 's/"seed": 5/"seed": 6/'; } >wanted
same wanted got && [ "$(cat known)" = "$(of 1 killed)" ]
result $? what_was_tried_is_left_out
"$mutants" left nothing known <drawn >got
same drawn got && [ ! -s known ]
result $? nothing_was_tried

# Dropped statements that free memory are also tried with what reports leaks.
mkdir -p tree/selftests/host tree/build/results
echo 'tools:' >tree/selftests/host/Makefile
# shellcheck disable=SC2016
cat >tree/selftests/leaks.sh <<-'END'
	[ "$1" = mutant ] || exit 1
	shift
	: >"$(dirname "$0")/../build/results/mutant.tap"
	for test; do
		case $test in
		bad) echo "not ok 1 - bad" ;;
		*) echo "ok 1 - $test" ;;
		esac >>"$(dirname "$0")/../build/results/mutant.tap"
	done
END
for name in good bad; do printf '#!/bin/sh\necho 1..1\n' >tree/selftests/host/$name.sh; chmod +x tree/selftests/host/$name.sh; done
# leaks STATEMENT TEST...: the result of a mutant that drops the statement
leaks() {
	python3 - "$mutants" "$@" <<-'END'
		import sys
		sys.dont_write_bytecode = True
		sys.path.insert(0, sys.argv[1].rsplit("/", 1)[0])
		import mutants
		tests = sys.argv[3:]
		print(*mutants.attempt("tree", {"file": "x.c", "rule": "dropped statement", "tests": tests,
		                                "before": "\t" + sys.argv[2], "after": "\t(void)0;"},
		                       {"seconds": {name: [1, True] for name in tests}}))
	END
}
[ "$(leaks 'free(x);' good bad)" = "late leaks:bad" ]
result $? what_leaves_memory_is_noticed
[ "$(leaks 'v9_numbers_free(x);' bad)" = "late leaks:bad" ]
result $? what_leaves_memory_of_an_object_is_noticed
[ "$(leaks 'free(x);' good)" = "survived " ]
result $? what_leaves_none_survives
[ "$(leaks 'put(x);' bad)" = "survived " ]
result $? other_statements_are_not_tried
echo "1..$number"
