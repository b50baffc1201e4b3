/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Places SPE samples in the flow of instructions that ETE recorded on the same CPU at the same time:
 * which execution of the instruction was sampled? No input or output: arrays in, places out.
 *
 * A place is only called exact if no other execution can be the sampled one. That holds as long as
 * what the caller says holds: the bounds of the offset between the clocks, of the frequency, of the
 * latency of a sample, and the gaps of the trace. Times are in nanoseconds. A clock with a step reads
 * the last multiple of it.
 */
#ifndef V9TRACE_JOINT_PLACE_H
#define V9TRACE_JOINT_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a block, or a sample, has */
#define V9_JOINT_CTX1	0x01	/* CONTEXTIDR_EL1 */
#define V9_JOINT_CTX2	0x02	/* CONTEXTIDR_EL2 */
#define V9_JOINT_BRANCH	0x04	/* block: its last instruction is a branch; sample: it is a branch */
#define V9_JOINT_TAKEN	0x08	/* the branch was taken */
#define V9_JOINT_TARGET	0x10	/* @target is valid: where a taken branch went */
#define V9_JOINT_TIME	0x20	/* @time is valid */
#define V9_JOINT_CYCLES	0x40	/* block: cycles were counted at its end; @cycles is valid */
#define V9_JOINT_COUNT	0x80	/* block without V9_JOINT_CYCLES: @least_count and @most_count are valid */
#define V9_JOINT_BEFORE	0x80	/* sample: @before is valid */

/**
 * struct v9_joint_block - instructions that were executed in sequence, or a gap
 * @pc: address of the first one; each has 4 bytes
 * @target: where execution went from the branch at the end, before any exception
 * @time: reading of the trace's clock at the end of the block
 * @cycles: cycles since the count before; 0 if that is not known
 * @least_count: cycles from the count before to the end of the block, at least; below 0: the end is before that count
 * @most_count: likewise, at most
 * @least: earliest time at which an instruction of it can have been executed; v9_joint_times()
 * @most: latest such time; likewise
 * @index: number of its first instruction, as the caller counts them
 * @pass: for the caller
 * @position: for the caller
 * @n: number of instructions; 0: a gap
 * @path: number of the call path, as the caller counts them
 * @tid: for the caller
 * @ctx: CONTEXTIDR_EL1 and CONTEXTIDR_EL2
 * @has: V9_JOINT_*
 * @el: Exception level
 * @hides: of a gap: bit n is set if instructions at ELn may have been executed in it
 */
struct v9_joint_block {
	uint64_t pc, target, time;
	uint64_t least, most, index, pass, position;
	uint32_t n, path, tid, ctx[2], cycles;
	int32_t least_count, most_count;
	uint8_t has, el, hides;
};

/**
 * struct v9_joint_sample - a sample of SPE
 * @pc: address of the instruction, in the form of those of blocks
 * @target: where the branch went
 * @before: target of the last branch that was taken before it, in program order
 * @time: its timestamp, taken at some time between the choice of the operation and its completion
 * @number: number of its record among those that the unit wrote, from 1
 * @latency: cycles between these, at most
 * @ctx: CONTEXTIDR_EL1 and CONTEXTIDR_EL2
 * @has: V9_JOINT_*
 * @el: Exception level
 * @retired: the operation was architecturally executed
 */
struct v9_joint_sample {
	uint64_t pc, target, before, time, number;
	uint32_t latency, ctx[2];
	uint8_t has, el;
	bool retired;
};

/**
 * struct v9_joint_clocks - what is known of the clocks
 * @trace_step: step of the clock of the trace, at least 1
 * @sample_step: step of the clock of samples, at least 1
 * @offset_least: the time of the trace less that of samples, at least; v9_joint_offset()
 * @offset_most: likewise, at most
 * @least_hz: lowest frequency of the CPU, which latencies are converted with; 0: not known, and times of
 *	      samples say nothing
 * @most_hz: highest frequency; 0: not known, and cycle counts say nothing. Time may pass without cycles,
 *	     in a WFI; so no use is made of a lowest one here
 * @count_error: the time between two counts is wrong by this, at most, for that between what was executed there:
 *		 counts are taken when instructions retire
 * @ordered: samples come in the order in which their instructions were executed
 * @interval: instructions from one sample to the next one, if that is always the same; else 0
 */
struct v9_joint_clocks {
	uint64_t trace_step, sample_step;
	int64_t offset_least, offset_most;
	uint64_t least_hz, most_hz, count_error;
	bool ordered;
	uint64_t interval;
};

enum v9_joint_class {
	V9_JOINT_EXACT,		/* this execution */
	V9_JOINT_PATH,		/* one of several, all on one call path */
	V9_JOINT_AMBIGUOUS,	/* one of several on several paths, or in a gap */
	V9_JOINT_NOT_EXECUTED,	/* the operation was not architecturally executed */
	V9_JOINT_OUTSIDE,	/* before the trace began, or after it ended */
	V9_JOINT_IN_GAP,	/* in a gap of the trace */
	V9_JOINT_NOWHERE,	/* nowhere: an assumption does not hold */
	V9_JOINT_CLASSES
};

/**
 * struct v9_joint_place - where a sample can be
 * @class: enum v9_joint_class
 * @n: number of candidates, blocks that have the instruction
 * @gaps: number of gaps that it can be in
 * @first: first candidate, if @n
 * @last: last candidate
 * @likely: the candidate that is at the interval from the exact samples before and behind it, if these are at
 *	    their interval; 0: not known. The unit may have lost a sample and counted others, so it is not certain
 * @from: candidates and gaps are among the blocks from this one
 * @to: to this one, exclusive
 * @from_insn: a candidate in block @from has this index in it, at least
 * @to_insn: a candidate in block @to - 1 has this index, at most
 */
struct v9_joint_place {
	uint8_t class;
	size_t n, gaps, first, last, likely;
	size_t from, to;
	uint64_t from_insn, to_insn;
};

/*
 * Computes @least and @most of each block of one CPU from times and cycle counts. Returns the number
 * of times that go backwards, which are ignored; or -EINVAL if the list does not begin and end with a
 * gap.
 */
long v9_joint_times(struct v9_joint_block *block, size_t blocks, const struct v9_joint_clocks *c);

/*
 * Measures the offset between the clocks: a sample whose instruction was executed once in all the
 * trace, and can be in no gap but those at its ends, tells it. A sample from outside of the trace
 * would tell a wrong one, so @inside says that all are from inside. Narrows @offset_least and
 * @offset_most of @c. Returns the number of samples used, or -ERANGE if they contradict each other:
 * then there is no constant offset.
 */
long v9_joint_offset(const struct v9_joint_block *block, size_t blocks,
		     const struct v9_joint_sample *sample, size_t samples, bool inside,
		     struct v9_joint_clocks *c);

/*
 * The same with samples whose instruction was executed once within the bounds of @wide, and can be in no
 * gap. Narrows the offset of @c, whose bounds cross if samples contradict each other or @wide is wrong.
 */
size_t v9_joint_offset_near(const struct v9_joint_block *block, size_t blocks,
			    const struct v9_joint_sample *sample, size_t samples,
			    const struct v9_joint_clocks *wide, struct v9_joint_clocks *c);

/*
 * Gets the time of the trace, from *@low to *@high, in which the instruction of a sample was executed.
 * Returns false if that is not known.
 */
bool v9_joint_span(const struct v9_joint_sample *s, const struct v9_joint_clocks *c, uint64_t *low,
		   uint64_t *high);

/* Places samples of one CPU. @block has its times, and begins and ends with a gap. */
void v9_joint_place(const struct v9_joint_block *block, size_t blocks,
		    const struct v9_joint_sample *sample, size_t samples,
		    const struct v9_joint_clocks *c, struct v9_joint_place *place);

/* Returns true if block @at is a candidate, or a gap that the sample can be in. */
bool v9_joint_candidate(const struct v9_joint_block *block, size_t at,
			const struct v9_joint_sample *sample, const struct v9_joint_place *place);

extern const char *const v9_joint_class_name[V9_JOINT_CLASSES];

#endif
