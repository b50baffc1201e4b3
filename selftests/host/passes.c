// SPDX-License-Identifier: GPL-2.0-only
/* Iterations: typed calls with typed counts, and random calls whose counts are known. */
#include <string.h>

#include "tap.h"

#include "../../tools/report/passes.h"

static void typed(void)
{
	struct v9_passes p;

	v9_passes_init(&p, 1000);
	tap_eq(v9_passes_count(&p, 0, 0x100), 0, "no_call");
	v9_passes_enter(&p, 0, V9_CALLS_ROOT);
	tap_eq(v9_passes_count(&p, 0, 0x100), 0, "begin_is_not_known");
	v9_passes_enter(&p, 0, V9_CALLS_CALL);
	tap_eq(v9_passes_count(&p, 0, 0x100), 1, "first");
	tap_eq(v9_passes_count(&p, 0, 0x100), 2, "second");
	tap_eq(v9_passes_count(&p, 0, 0x200), 1, "another_block");
	v9_passes_enter(&p, 1, V9_CALLS_CALL);
	tap_eq(v9_passes_count(&p, 1, 0x100), 1, "another_thread");
	v9_passes_enter(&p, 0, V9_CALLS_HANDLER);
	tap_eq(v9_passes_count(&p, 0, 0x100), 1, "a_call_below");
	v9_passes_leave(&p, 0);
	tap_eq(v9_passes_count(&p, 0, 0x100), 3, "goes_on_after_a_call");
	v9_passes_enter(&p, 0, V9_CALLS_PART);
	tap_eq(v9_passes_count(&p, 0, 0x300), 0, "jumped_into");
	v9_passes_leave(&p, 0);
	v9_passes_gap(&p, 0);
	tap_eq(v9_passes_count(&p, 0, 0x100), 0, "gap");
	tap_eq(v9_passes_count(&p, 1, 0x100), 2, "gap_of_another_thread");
	v9_passes_enter(&p, 0, V9_CALLS_TAIL);
	tap_eq(v9_passes_count(&p, 0, 0x100), 1, "call_after_a_gap");
	v9_passes_leave(&p, 0);
	v9_passes_leave(&p, 0);
	v9_passes_enter(&p, 0, V9_CALLS_CALL);
	tap_eq(v9_passes_count(&p, 0, 0x100), 1, "called_again");
	v9_passes_enter(&p, 0, V9_CALLS_RESUMED);
	tap_eq(v9_passes_count(&p, 0, 0x100), 0, "resumed");
	for (unsigned int i = 0; i < 4; i++)
		v9_passes_leave(&p, 0);
	tap_eq(v9_passes_count(&p, 0, 0x100), 0, "more_ends_than_begins");
	v9_passes_enter(&p, 0, V9_CALLS_CALL);
	v9_passes_enter(&p, 0, V9_CALLS_ROOT);
	v9_passes_leave(&p, 0);
	tap_eq(v9_passes_count(&p, 0, 0x100), 0, "nothing_is_known_of_callers");
	v9_passes_free(&p);
}

#define DEPTH	20
#define BLOCKS	8

/* Each call has counts of its own. Of a table that is too small nothing wrong comes. */
static void random_calls(size_t most, bool all)
{
	static uint64_t n[DEPTH + 1][BLOCKS];
	uint64_t state = 1, known = 0, wrong = 0, steps = 200000;
	unsigned int depth = 0;
	struct v9_passes p;

	v9_passes_init(&p, most);
	v9_passes_enter(&p, 3, V9_CALLS_CALL);
	memset(n, 0, sizeof(n));
	for (uint64_t i = 0; i < steps; i++) {
		const unsigned int block = (unsigned int)(state >> 40) % BLOCKS;
		uint64_t got;

		state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		if (state >> 60 == 0 && depth < DEPTH) {
			v9_passes_enter(&p, 3, V9_CALLS_CALL);
			memset(n[++depth], 0, sizeof(n[0]));
		} else if (state >> 60 == 1 && depth) {
			v9_passes_leave(&p, 3);
			depth--;
		}
		got = v9_passes_count(&p, 3, 0x1000 + 4 * block);
		wrong += got && got != n[depth][block] + 1;
		n[depth][block]++;
		known += got > 0;
	}
	tap_eq(wrong, 0, "nothing_is_wrong");
	tap_ok(all ? known == steps : known > steps / 100 && known < steps, "%s", all ? "all_are_known" :
	       "some_are_known");
	tap_note("%llu of %llu known", (unsigned long long)known, (unsigned long long)steps);
	v9_passes_free(&p);
}

int main(void)
{
	typed();
	random_calls(1000, true);
	random_calls(40, false);
	return tap_done();
}
