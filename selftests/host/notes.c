// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sums of single instructions: SPE sums are added, executed blocks are spread over their instructions,
 * cycle counts are shared by the blocks since the last count. All values are typed.
 */
#include <string.h>

#include "tap.h"

#include "../../tools/report/notes.h"

static const char one, two;		/* objects are pointers that are only compared */

static void samples(void)
{
	const struct v9_note_spe a = { .samples = 3, .lat = { { 3, 30 }, { 2, 8 }, { 1, 5 } },
				       .accesses = 3, .refills = 1, .empty = 7 };
	const struct v9_note_spe b = { .samples = 1, .lat = { { 1, 12 }, { 0, 0 }, { 1, 6 } },
				       .mispredicted = 1, .mix = { 1, 2, 3, 4 } };
	const struct v9_note *n;
	struct v9_notes notes;

	v9_notes_init(&notes);
	v9_notes_sample(&notes, &one, 0x100, &a);
	v9_notes_sample(&notes, &two, 0x100, &b);
	v9_notes_sample(&notes, &one, 0x100, &b);
	n = v9_notes_at(&notes, &one, 0x100);
	tap_eq(n->spe.samples, 4, "samples_are_added");
	tap_eq(n->spe.lat[0].n, 4, "latencies_are_added");
	tap_eq(n->spe.lat[0].sum, 42, "latencies_are_added");
	tap_eq(n->spe.lat[1].n, 2, "latencies_are_added");
	tap_eq(n->spe.lat[1].sum, 8, "latencies_are_added");
	tap_eq(n->spe.lat[2].n, 2, "latencies_are_added");
	tap_eq(n->spe.lat[2].sum, 11, "latencies_are_added");
	tap_eq(n->spe.accesses, 3, "events_are_added");
	tap_eq(n->spe.refills, 1, "events_are_added");
	tap_eq(n->spe.mispredicted, 1, "events_are_added");
	tap_eq(n->spe.mix[V9_MIX_SVE], 4, "events_are_added");
	tap_eq(n->spe.empty, 7, "events_are_added");
	tap_eq(v9_notes_at(&notes, &two, 0x100)->spe.samples, 1, "objects_are_apart");
	tap_ok(!v9_notes_at(&notes, &two, 0x104), "nothing_is_known_of_the_next");
	v9_notes_free(&notes);
}

static uint64_t executed(const struct v9_notes *n, uint64_t addr)
{
	const struct v9_note *note = v9_notes_at(n, &one, addr);

	return note ? note->executed : 0;
}

/* Two blocks that overlap: 0x100 .. 0x10c ends in a branch, 0x104 .. 0x114 does not. */
static void blocks(void)
{
	const struct v9_note *n;
	struct v9_notes notes;
	size_t a, b;

	v9_notes_init(&notes);
	a = v9_notes_block(&notes, &one, 0x100, 0x10c, 4, true);
	b = v9_notes_block(&notes, &one, 0x104, 0x114, 4, false);
	tap_ok(a != b, "blocks_have_numbers");
	tap_eq(v9_notes_block(&notes, &one, 0x100, 0x10c, 4, true), a, "a_block_is_found_again");
	tap_ok(v9_notes_block(&notes, &one, 0x100, 0x110, 4, true) != a, "blocks_differ_by_end");
	for (int i = 0; i < 5; i++)
		v9_notes_hit(&notes, a, i < 3);
	v9_notes_hit(&notes, b, false);
	v9_notes_hit(&notes, b, false);
	v9_notes_spread(&notes);
	tap_eq(executed(&notes, 0xfc), 0, "before_the_block");
	tap_eq(executed(&notes, 0x100), 5, "first_of_the_block");
	tap_eq(executed(&notes, 0x104), 7, "of_both_blocks");
	tap_eq(executed(&notes, 0x108), 7, "of_both_blocks");
	tap_eq(executed(&notes, 0x10c), 2, "after_the_branch");
	tap_eq(executed(&notes, 0x110), 2, "last_of_the_block");
	tap_eq(executed(&notes, 0x114), 0, "end_is_exclusive");
	n = v9_notes_at(&notes, &one, 0x108);
	tap_eq(n->branched, 5, "branch_of_one_block");
	tap_eq(n->taken, 3, "taken");
	n = v9_notes_at(&notes, &one, 0x110);
	tap_eq(n->branched, 0, "no_branch");
	v9_notes_free(&notes);
}

static void joined(void)
{
	struct v9_notes to, from;

	v9_notes_init(&to);
	v9_notes_init(&from);
	v9_notes_hit(&to, v9_notes_block(&to, &one, 0x100, 0x104, 4, true), true);
	v9_notes_hit(&from, v9_notes_block(&from, &one, 0x200, 0x204, 4, true), false);
	v9_notes_hit(&from, v9_notes_block(&from, &one, 0x100, 0x104, 4, true), true);
	v9_notes_hit(&from, v9_notes_block(&from, &one, 0x100, 0x104, 4, true), false);
	v9_notes_join(&to, &from);
	v9_notes_spread(&to);
	tap_eq(executed(&to, 0x100), 3, "joined");
	tap_eq(v9_notes_at(&to, &one, 0x100)->taken, 2, "joined_taken");
	tap_eq(executed(&to, 0x200), 1, "joined_what_was_new");
	v9_notes_free(&to);
	v9_notes_free(&from);
}

static uint64_t tenths(const struct v9_notes *n, uint64_t addr)
{
	return (uint64_t)(v9_notes_at(n, &one, addr)->cycles * 10 + 0.5);
}

/* 3 instructions and 1 share 20 cycles: 15 and 5; a count after a gap belongs to nobody. */
static void cycles(void)
{
	struct v9_notes notes;
	size_t a, b;

	v9_notes_init(&notes);
	notes.counts_cycles = true;
	a = v9_notes_block(&notes, &one, 0x100, 0x10c, 4, true);
	b = v9_notes_block(&notes, &one, 0x200, 0x204, 4, true);
	v9_notes_hit(&notes, a, true);
	v9_notes_hit(&notes, b, true);
	v9_notes_cycles(&notes, 20);
	v9_notes_hit(&notes, b, true);
	v9_notes_cycles(&notes, 3);
	v9_notes_hit(&notes, a, true);
	v9_notes_gap(&notes);
	v9_notes_hit(&notes, b, true);
	v9_notes_cycles(&notes, 100);
	v9_notes_hit(&notes, b, true);
	v9_notes_cycles(&notes, 4);
	v9_notes_cycles(&notes, 9);	/* of nothing */
	v9_notes_spread(&notes);
	tap_eq(tenths(&notes, 0x100), 50, "cycles_are_shared_by_instructions");
	tap_eq(tenths(&notes, 0x108), 50, "cycles_are_shared_by_instructions");
	tap_eq(tenths(&notes, 0x200), 120, "cycles_of_three_counts");
	tap_eq(notes.cycles, 136, "cycles_in_all");
	tap_eq(notes.lost_cycles, 109, "cycles_of_what_is_not_known");
	v9_notes_free(&notes);
}

/* In T32 code the borders of instructions are not known here. */
static void odd(void)
{
	struct v9_notes notes;

	v9_notes_init(&notes);
	v9_notes_hit(&notes, v9_notes_block(&notes, &one, 0x100, 0x106, 0, true), true);
	v9_notes_hit(&notes, v9_notes_block(&notes, &one, 0x100, 0x106, 0, true), true);
	v9_notes_spread(&notes);
	tap_eq(notes.odd, 2, "instructions_of_two_sizes");
	tap_ok(!v9_notes_at(&notes, &one, 0x100), "instructions_of_two_sizes");
	v9_notes_free(&notes);
}

int main(void)
{
	samples();
	blocks();
	joined();
	cycles();
	odd();
	return tap_done();
}
