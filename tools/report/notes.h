/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Sums of single instructions: SPE samples, and how often ETE saw each executed. SPE sums come by
 * address. ETE ranges come as blocks, are counted there, and are spread over their instructions by
 * v9_notes_spread(). An object is a pointer that is only compared.
 */
#ifndef V9TRACE_REPORT_NOTES_H
#define V9TRACE_REPORT_NOTES_H

#include "bins.h"

#define V9_NOTE_LATENCIES	3	/* by enum v9_spe_latency */

/* Kinds of operations of SPE records */
enum v9_note_mix {
	V9_MIX_SCALAR,		/* integer, branches, loads and stores of general-purpose registers */
	V9_MIX_FP,		/* scalar floating-point */
	V9_MIX_SIMD,		/* Advanced SIMD, and loads and stores of SIMD and FP registers */
	V9_MIX_SVE,		/* SVE and SME */
	V9_MIX_KINDS
};

/* Sums of the SPE records of an instruction. All members are uint64_t: they are added as an array. */
struct v9_note_spe {
	uint64_t samples;
	struct { uint64_t n, sum; } lat[V9_NOTE_LATENCIES];
	uint64_t accesses, refills;		/* of the level 1 data cache */
	uint64_t llc_accesses, llc_misses;
	uint64_t tlb_accesses, walks;
	uint64_t branches, mispredicted;
	uint64_t conditional, not_taken;	/* not_taken: failed conditions, too */
	uint64_t mix[V9_MIX_KINDS];
	uint64_t predicated;			/* SVE operations with a predicate */
	uint64_t partial, empty;		/* predicate partly or wholly, wholly false */
};

/* An instruction */
struct v9_note {
	union {
		struct {
			const void *object;
			uint64_t addr;		/* address in the file */
		};
		uint64_t key[2];
	};
	struct v9_note_spe spe;
	uint64_t executed;
	uint64_t branched, taken;		/* executions as a branch; those that were taken */
	double cycles;
};

/* A range of instructions that were executed in sequence */
struct v9_note_block {
	union {
		struct {
			const void *object;
			uint64_t start, end;	/* addresses in the file; end is exclusive */
		};
		uint64_t key[3];
	};
	size_t number;				/* index + 1 */
	uint32_t size;				/* bytes of an instruction; 0: not all have the same */
	bool branch;				/* the last instruction is a branch */
	uint64_t executed, taken;
	double cycles;
};

struct v9_notes {
	struct v9_bins notes;			/* struct v9_note */
	struct v9_bins blocks;			/* struct v9_note_block */
	bool counts_cycles;			/* keep .since; set before the first hit */
	bool unknown;				/* the next count covers what is not known */
	size_t *since;				/* blocks since the last count of cycles */
	size_t nr_since, room_since;
	uint64_t cycles, lost_cycles;		/* counted; of ranges that are not known */
	uint64_t odd;				/* executions in blocks with instructions of two sizes */
};

void v9_notes_init(struct v9_notes *n);
void v9_notes_free(struct v9_notes *n);

void v9_note_spe_add(struct v9_note_spe *to, const struct v9_note_spe *from);

/* Adds sums of SPE records to the instruction at @addr of @object. */
void v9_notes_sample(struct v9_notes *n, const void *object, uint64_t addr,
		     const struct v9_note_spe *sums);

/* Returns the index of a block, which is new if there is none from @start to @end. */
size_t v9_notes_block(struct v9_notes *n, const void *object, uint64_t start, uint64_t end,
		      uint32_t size, bool branch);

/* The block with index @i was executed once. */
void v9_notes_since(struct v9_notes *n, size_t i);
static inline void v9_notes_hit(struct v9_notes *n, size_t i, bool taken)
{
	struct v9_note_block *b = v9_bins_get(&n->blocks, i);

	b->executed++;
	b->taken += taken;
	if (n->counts_cycles)
		v9_notes_since(n, i);
}

/*
 * A cycle count: all blocks since the last one took @cycles. Each gets a share by the number of its
 * instructions. After v9_notes_gap() a count belongs to no block.
 */
void v9_notes_cycles(struct v9_notes *n, uint64_t cycles);
void v9_notes_gap(struct v9_notes *n);

/* Adds the executions of the blocks of @from to those of @to. Cycles are not kept in parts. */
void v9_notes_join(struct v9_notes *to, const struct v9_notes *from);

/* Adds what was executed to the instructions. Called once, at the end. */
void v9_notes_spread(struct v9_notes *n);

/* Returns the instruction, or NULL if nothing is known of it. */
const struct v9_note *v9_notes_at(const struct v9_notes *n, const void *object, uint64_t addr);

#endif
