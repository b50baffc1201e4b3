/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Elements -> what was executed. The top of the staircase: walks the program
 * from element to element and says which instructions ran, what interrupted
 * them, and where nothing is known and why. It goes on behind each gap.
 */
#ifndef V9TRACE_DECODE_FLOW_H
#define V9TRACE_DECODE_FLOW_H

#include "block.h"
#include "ete.h"

enum v9_flow_kind {
	V9_FLOW_RANGE,		/* instructions from start to end, executed in line */
	V9_FLOW_UNPLACED,	/* insns instructions on an unknown path; start if addressed */
	V9_FLOW_EXCEPTION,	/* type; start: preferred return address, if addressed */
	V9_FLOW_GAP,		/* why; start: where, if addressed */
	V9_FLOW_TIME,		/* value: timestamp; cycles if counted. For what came before it */
	V9_FLOW_CYCLES,		/* cycles if counted, else their number is not known */
	V9_FLOW_EVENT,		/* type: bit n is ETEEvent n */
	V9_FLOW_MARKER,		/* the next time belongs here */
	V9_FLOW_INSTRUMENTATION, /* value, said by software at exception level type */
	V9_FLOW_TX_START,	/* a transaction begins, ends well, or never was */
	V9_FLOW_TX_COMMIT,
	V9_FLOW_TX_FAILURE,
};

enum v9_flow_why {
	V9_FLOW_FILTER,		/* the trace unit did not trace: filter, prohibited region, start */
	V9_FLOW_OVERFLOW,	/* the trace unit lost trace */
	V9_FLOW_DISCARD,	/* what was in flight is not known */
	V9_FLOW_LOSS,		/* bytes missing or corrupt: type is enum v9_ete_skip */
	V9_FLOW_NO_CODE,	/* no program at this address */
	V9_FLOW_NO_ADDRESS,	/* trace does not say where execution went on */
	V9_FLOW_NO_COUNT,	/* a Q element without a number */
	V9_FLOW_ASTRAY,		/* trace and program contradict each other */
	V9_FLOW_WHYS
};

extern const char *const v9_flow_why[V9_FLOW_WHYS];

/**
 * struct v9_flow_rec - one thing that happened
 * @offset: of the packet in the AUX stream
 * @start, @end: range; the end is exclusive
 * @insns: instructions in it
 * @ctx, @isa: in which they ran
 * @last: the last of them
 * @last_addr: and its address
 * @taken: that one was a branch and was taken
 */
struct v9_flow_rec {
	uint64_t offset;
	uint64_t start, end;
	uint64_t value;
	uint64_t last_addr;
	struct v9_insn last;
	struct v9_ete_context ctx;
	uint32_t insns, cycles;
	uint8_t kind, isa, type, why;
	bool taken, addressed, counted;
};

struct v9_flow_counts {
	uint64_t ranges, insns, exceptions;
	uint64_t gaps[V9_FLOW_WHYS];
	uint64_t unplaced;	/* P0 elements that nothing could be said about */
	uint64_t impossible;	/* branches not taken that cannot but be taken */
};

#define V9_FLOW_STACK	15	/* R_HNDJJ: as deep as any unit's */

/*
 * A range in brief: block->start to block->end. Most of a trace are ranges, and most of these come
 * again and again.
 */
struct v9_flow_hit {
	struct v9_block *block;	/* its note may be written */
	uint32_t at;		/* its packet, from v9_flow_batch.offset on */
	uint32_t taken;
};

#define V9_FLOW_HITS	1024	/* at a time */

struct v9_atoms {
	uint32_t bits;
	uint8_t n;
};

struct v9_flow {
	struct v9_ete_dec ete;
	struct v9_flow_counts counts;
	struct v9_blocks blocks;
	bool stacked;		/* TRCCONFIGR.RS */
	/* where execution is */
	uint64_t addr;
	struct v9_ete_context ctx;
	uint8_t half;		/* IS1: half words, T32 */
	bool has_addr, has_ctx;
	bool awaiting;		/* a taken indirect branch was the last thing seen */
	bool lost;		/* and that was said */
	struct v9_ete_address stack[V9_FLOW_STACK];
	uint8_t top, entries;	/* of the stack: where the next goes, how many */
	struct v9_flow_rec *out;
	size_t head, tail, room;
	size_t held;		/* out[held]: a branch that a Mispredict may still turn round */
	/* a Q element, until its address tells whether a straight line can be meant */
	struct v9_path line;
	uint64_t line_offset;
	bool q, straight, line_known;
	/* the fast lane: what it made, before everything in out[] */
	struct v9_flow_hit *hits;
	size_t hit, nr_hits;
	const uint8_t *hits_from;
	uint64_t hits_at;
	struct v9_atoms atoms[64];
	struct v9_block no_block[2], *awaits, *nowhere;
	int err;
	struct v9_flow_rec spill;	/* there was no memory for it */
};

/**
 * v9_flow_reset - start a stream. The struct may hold anything.
 * @wfx: TRCIDR2.WFXMODE
 * @stack: TRCCONFIGR.RS
 *
 * Returns 0 or -ENOMEM; that is then also what v9_flow_next() returns.
 */
int v9_flow_reset(struct v9_flow *f, const struct v9_ete_config *cfg, bool wfx, bool stack,
		   v9_code_fn *code, void *arg);
void v9_flow_free(struct v9_flow *f);

/* As those of v9_ete_dec; v9_flow_next() too returns 1, 0 or a negative errno. */
void v9_flow_feed(struct v9_flow *f, const uint8_t *p, size_t n, uint64_t offset);
void v9_flow_break(struct v9_flow *f);
int v9_flow_next(struct v9_flow *f, struct v9_flow_rec *rec);
void v9_flow_end(struct v9_flow *f);

/**
 * struct v9_flow_batch - ranges in brief, or, if there are none of them, one record
 * @hits: valid, with their blocks, until the next call for this flow
 * @n: how many; 0: see @rec
 * @offset: where hits[].at counts from
 */
struct v9_flow_batch {
	const struct v9_flow_hit *hits;
	size_t n;
	uint64_t offset;
	struct v9_flow_rec rec;
};

/*
 * The same as v9_flow_next(), many at a time: 1 and the next batch, 0, or a negative errno. The
 * two can take turns.
 */
int v9_flow_batch(struct v9_flow *f, struct v9_flow_batch *batch);

/* The whole record that a hit stands for. */
void v9_flow_expand(const struct v9_flow_batch *batch, const struct v9_flow_hit *hit,
		    struct v9_flow_rec *rec);

/* The program changed: forget what was read of it. */
void v9_flow_forget(struct v9_flow *f);

#endif
