/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * libv9ete: decoder for traces of the Embedded Trace Extension.
 *
 *	packets     <v9trace/ete.h>: v9_ete_pkt_decode(), v9_ete_pkt_runs()
 *	elements    v9_ete_dec_...: with speculation resolved
 *	flow        v9_flow_...: the executed instructions
 *
 * Each layer can be used alone, and all have the same calls: new, feed, next, break, end, delete.
 * There is no global state: an object holds the state of one stream, and threads may use different
 * objects at the same time. The library prints nothing. Errors are negative errno values.
 *
 * Input structs begin with their size, so that they can grow. Output structs have a fixed size
 * within one soname. Enums grow at their end: ignore values that you do not know.
 */
#ifndef V9ETE_H
#define V9ETE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <v9trace/ete.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- instructions */

enum v9_isa { V9_ISA_A64, V9_ISA_A32, V9_ISA_T32 };

enum v9_insn_kind {
	V9_INSN_OTHER,		/* no P0 element in the trace */
	V9_INSN_DIRECT,		/* branch whose target is in the opcode */
	V9_INSN_INDIRECT,	/* branch whose target is not in the opcode */
	V9_INSN_ISB,		/* ISB in all its forms, and TSTART */
	V9_INSN_WAIT,		/* WFE, WFI, WFET, WFIT; P0 element only if TRCIDR2.WFXMODE is 1 */
};

enum v9_insn_flag {
	V9_INSN_COND	= 1,	/* conditional */
	V9_INSN_LINK	= 2,	/* pushes the return stack if taken */
	V9_INSN_RET	= 4,	/* returns from a function */
	V9_INSN_ERET	= 8,	/* returns from an exception */
	V9_INSN_SWITCH	= 16,	/* direct branch from A32 to T32 or back */
};

struct v9_insn {
	uint64_t target;	/* virtual address; valid for V9_INSN_DIRECT */
	uint8_t kind, flags;	/* enum v9_insn_kind, V9_INSN_* of enum v9_insn_flag */
	uint8_t size;		/* in bytes: 2 or 4 */
};

/*
 * Decode the instruction at virtual address @addr. @word has its bytes, little-endian. Only bits
 * [15:0] are used for a 16-bit instruction; see v9_t32_size(). It cannot fail: an unknown
 * instruction is V9_INSN_OTHER.
 */
void v9_insn_decode(enum v9_isa isa, uint64_t addr, uint32_t word, struct v9_insn *insn);

/* Bytes of the T32 instruction that begins with this half word: 2 or 4. */
static inline unsigned int v9_t32_size(uint16_t first)
{
	return first >= 0xe800 ? 4 : 2;
}

/* ---- set-up */

/*
 * Callback: returns a pointer to the code at virtual address @addr in context @ctx, and sets *@n to
 * the number of bytes there. @n may be less than an instruction. Returns NULL if the code is
 * unknown. The bytes must stay valid until the next call.
 */
typedef const uint8_t *v9_code_fn(void *arg, const struct v9_ete_context *ctx, uint64_t addr,
				  size_t *n);

/**
 * struct v9_ete_setup - trace unit and program of a stream
 * @size: sizeof(struct v9_ete_setup)
 * @trcidr0, @trcidr2, @trcidr8, @trcdevarch, @trcconfigr: values of these registers of the unit;
 *	@trcidr2 and @trcconfigr are used by the flow layer only
 * @code: callback that returns code; used by the flow layer only
 * @arg: first argument of @code
 */
struct v9_ete_setup {
	size_t size;
	uint32_t trcidr0, trcidr2, trcidr8, trcdevarch, trcconfigr;
	v9_code_fn *code;
	void *arg;
};

/* ---- elements */

enum v9_el_kind {
	V9_EL_NONE,		/* not returned by v9_ete_dec_next() */
	/* P0 elements */
	V9_EL_ATOM,		/* taken */
	V9_EL_EXCEPTION,	/* type: enum v9_ete_exception; addr, isa if has V9_ETE_HAS_ADDR */
	V9_EL_SOURCE,		/* addr, isa */
	V9_EL_Q,		/* count of instructions if has V9_ETE_HAS_COUNT */
	V9_EL_TX_START,		/* P0 if TRCIDR0.COMMTRANS is 0 */
	/* not P0 elements; a Cancel element removes them, too */
	V9_EL_TX_FAILURE,	/* addr, isa if has V9_ETE_HAS_ADDR */
	V9_EL_ADDRESS,		/* addr, isa if has V9_ETE_HAS_ADDR */
	V9_EL_CONTEXT,		/* ctx */
	V9_EL_TRACE_ON,		/* type: V9_ETE_DOUBTFUL, or 0 */
	V9_EL_MISPREDICT,
	/* not P0 elements; a Cancel element does not remove them */
	V9_EL_TX_COMMIT,
	V9_EL_INFO,
	V9_EL_EVENT,		/* count: bit n is ETEEvent n */
	V9_EL_CYCLES,		/* count of cycles if has V9_ETE_HAS_COUNT, else UNKNOWN */
	V9_EL_TIMESTAMP,	/* addr: value, ticks; count of cycles if has V9_ETE_HAS_COUNT */
	V9_EL_MARKER,
	V9_EL_INSTRUMENTATION,	/* addr: value; type: Exception level */
	V9_EL_DISCARD,
	V9_EL_OVERFLOW,
	V9_EL_LOSS,		/* made by the decoder: bytes missing; type: enum v9_ete_skip */
};

/*
 * In the type of a Trace On: a Cancel removed all P0 elements that followed it. If they were of a wrong
 * path, the Trace On is, too, and there is no gap (I_GPQZW).
 */
#define V9_ETE_DOUBTFUL	1

struct v9_ete_elem {
	uint64_t offset;		/* byte offset of its packet in the AUX stream */
	uint64_t addr;
	struct v9_ete_context ctx;
	uint32_t count;
	uint8_t kind, isa, type, has;	/* isa: 0 for IS0, 1 for IS1; has: V9_ETE_HAS_* */
	bool taken;
};

/* Reason for skipped bytes. "Synchronization" is an Alignment Synchronization packet. */
enum v9_ete_skip {
	V9_ETE_SKIP_START,	/* before the first synchronization */
	V9_ETE_SKIP_RESERVED,	/* a reserved encoding, and up to the next synchronization */
	V9_ETE_SKIP_PROTOCOL,	/* after packets in an invalid order, up to the next one */
	V9_ETE_SKIP_NO_INFO,	/* packets between synchronization and Trace Info */
	V9_ETE_SKIP_GAP,	/* an incomplete packet before a gap, and up to the next one */
	V9_ETE_SKIP_CUT,	/* an incomplete packet at the end of the stream */
	V9_ETE_SKIPS
};

extern const char *const v9_ete_skip_why[V9_ETE_SKIPS];

/* Counters of a stream. Each byte that was fed is in packet_bytes, padding or skipped[]. */
struct v9_ete_account {
	uint64_t packets, packet_bytes;	/* without Ignore packets */
	uint64_t padding;			/* bytes of Ignore packets */
	uint64_t skipped[V9_ETE_SKIPS];		/* bytes, by enum v9_ete_skip */
	uint64_t skips[V9_ETE_SKIPS];		/* places where bytes were skipped */
	uint64_t kinds[V9_ETE_KINDS];		/* packets, by enum v9_ete_kind */
	uint64_t cancelled;			/* P0 elements that were cancelled */
	uint64_t uncommitted;			/* P0 elements neither committed nor cancelled */
};

struct v9_ete_dec;

/*
 * Allocate a decoder. Returns NULL with errno EINVAL if @setup is NULL or its @size is not valid,
 * or with ENOMEM.
 */
struct v9_ete_dec *v9_ete_dec_new(const struct v9_ete_setup *setup);
void v9_ete_dec_delete(struct v9_ete_dec *d);

/**
 * v9_ete_dec_feed - give the decoder the next bytes of the stream
 * @d: decoder
 * @p: bytes; they must stay valid until v9_ete_dec_next() has returned 0
 * @n: number of bytes
 * @offset: byte offset of @p in the AUX stream. If it is not the end of the bytes before, bytes are
 *          missing. A synchronized decoder then returns V9_EL_LOSS, and continues at the next
 *          Alignment Synchronization
 *
 * Call it only after v9_ete_dec_next() has returned 0 for the bytes before.
 */
void v9_ete_dec_feed(struct v9_ete_dec *d, const uint8_t *p, size_t n, uint64_t offset);

/* Data was lost before the next bytes. The effect is that of missing bytes. */
void v9_ete_dec_break(struct v9_ete_dec *d);

/*
 * Get the next element. Returns 1 and the element; 0 if more bytes are needed; or -ENOMEM, after
 * which each further call returns -ENOMEM, too.
 */
int v9_ete_dec_next(struct v9_ete_dec *d, struct v9_ete_elem *e);

/* End of the stream. Call v9_ete_dec_next() for the remaining elements. */
void v9_ete_dec_end(struct v9_ete_dec *d);

/*
 * The sum of packet_bytes, padding and skipped[]. After v9_ete_dec_end() it is the number of bytes
 * that were fed.
 */
uint64_t v9_ete_account_bytes(const struct v9_ete_account *a);
const struct v9_ete_account *v9_ete_dec_account(const struct v9_ete_dec *d);

/* ---- flow */

enum v9_flow_kind {
	V9_FLOW_RANGE,		/* instructions from start to end, executed in sequence */
	V9_FLOW_UNPLACED,	/* insns instructions on an unknown path; start if addressed */
	V9_FLOW_EXCEPTION,	/* type; start: preferred return address, if addressed */
	V9_FLOW_GAP,		/* why; start: address of the gap, if addressed */
	V9_FLOW_TIME,		/* value: timestamp of the records before it; cycles if counted */
	V9_FLOW_CYCLES,		/* cycles if counted, else UNKNOWN */
	V9_FLOW_EVENT,		/* type: bit n is ETEEvent n */
	V9_FLOW_MARKER,		/* the next V9_FLOW_TIME is the time of this position */
	V9_FLOW_INSTRUMENTATION, /* value: written by TRCIT; type: Exception level */
	V9_FLOW_TX_START,	/* a transaction begins */
	V9_FLOW_TX_COMMIT,	/* a transaction commits */
	V9_FLOW_TX_FAILURE,	/* a transaction fails */
	V9_FLOW_MARK,		/* a mark in the code was executed; value: its word (v9mark.h); type:
				 * Exception level; start: address of its branch, if addressed */
	V9_FLOW_MARK_CUT,	/* the same, but bits of its number are not known */
};

enum v9_flow_why {
	V9_FLOW_FILTER,		/* not traced: filter, prohibited region, start of tracing */
	V9_FLOW_OVERFLOW,	/* the trace unit lost trace */
	V9_FLOW_DISCARD,	/* uncommitted elements were discarded */
	V9_FLOW_LOSS,		/* bytes missing or corrupt: type is enum v9_ete_skip */
	V9_FLOW_NO_CODE,	/* no code at this address */
	V9_FLOW_NO_ADDRESS,	/* the address of the next instruction is unknown */
	V9_FLOW_NO_COUNT,	/* a Q element without a count */
	V9_FLOW_ASTRAY,		/* trace and code contradict each other */
	V9_FLOW_WHYS
};

extern const char *const v9_flow_why[V9_FLOW_WHYS];

/**
 * struct v9_flow_rec - a range of executed instructions, or another event of the flow
 * @offset: byte offset of the packet in the AUX stream
 * @start, @end: virtual addresses of a range; @end is exclusive
 * @value: see enum v9_flow_kind; a timestamp is in ticks of the counter that the unit uses
 * @insns: number of instructions in the range
 * @cycles: number of cycles; valid if @counted
 * @ctx, @isa: context and instruction set (enum v9_isa) of the range
 * @last: last instruction of the range
 * @last_addr: virtual address of @last
 * @kind: enum v9_flow_kind
 * @type: see enum v9_flow_kind; for V9_FLOW_EXCEPTION enum v9_ete_exception
 * @why: enum v9_flow_why; valid for V9_FLOW_GAP
 * @taken: @last is a branch that was taken
 * @addressed: @start is valid; not set for a range, whose @start is always valid
 * @counted: @cycles is valid
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
	uint64_t ranges, insns, exceptions;	/* insns: of ranges */
	uint64_t gaps[V9_FLOW_WHYS];
	uint64_t unplaced;	/* Atom, Source and Q elements at an unknown address */
	uint64_t impossible;	/* unconditional A64 branches that were traced as not taken */
	/*
	 * Atom, Source and Q elements whose instructions are not known, by the gap: unplaced ones,
	 * and those that end in a gap.
	 */
	uint64_t unfollowed[V9_FLOW_WHYS];
	uint64_t marks, marks_cut;	/* records of V9_FLOW_MARK, V9_FLOW_MARK_CUT */
	uint64_t no_path;	/* Q elements with a count: their start is known, not the path behind it */
};

/* Reason for the end of a block */
enum v9_stop {
	V9_STOP_P0,		/* after an instruction with a P0 element */
	V9_STOP_ADDRESS,	/* at a requested address; not in struct v9_block */
	V9_STOP_LIMIT,		/* after the maximum number of instructions */
	V9_STOP_NO_CODE,	/* the code after it is unknown */
	V9_STOP_MARK,		/* after the branch over a mark; not in the block of a hit */
};

/* Instructions from an address up to and including the first with a P0 element */
struct v9_block {
	uint64_t start, end;	/* virtual addresses; end is exclusive */
	uint64_t last_addr;	/* address of the last instruction */
	struct v9_insn last;
	struct v9_ete_context ctx;
	uint32_t insns;
	uint8_t isa, stop;	/* enum v9_isa, enum v9_stop */
	uint16_t mark;		/* private to the decoder: index of its mark */
	uint32_t note, note_flags;	/* for the caller; 0 in a new block */
	/* Private to the decoder. next[]: block after a branch not taken [0], taken [1] */
	struct v9_block *next[2];
	uint32_t space, slot;
};

/* A range in short form: from block->start to block->end. Equal ranges can share a block. */
struct v9_flow_hit {
	struct v9_block *block;	/* the caller may write @note and @note_flags */
	uint32_t at;		/* byte offset of its packet from v9_flow_batch.offset */
	uint32_t taken;		/* 1: block->last is a branch that was taken; else 0 */
};

struct v9_flow;

/* As v9_ete_dec_new(). errno is EINVAL also if @code of @setup is NULL. */
struct v9_flow *v9_flow_new(const struct v9_ete_setup *setup);
void v9_flow_delete(struct v9_flow *f);

/*
 * As the calls of v9_ete_dec. v9_flow_next() returns 1 and a record, 0 if more bytes are needed, or
 * -ENOMEM, which is final.
 */
void v9_flow_feed(struct v9_flow *f, const uint8_t *p, size_t n, uint64_t offset);
void v9_flow_break(struct v9_flow *f);
int v9_flow_next(struct v9_flow *f, struct v9_flow_rec *rec);
void v9_flow_end(struct v9_flow *f);

/**
 * struct v9_flow_batch - ranges in short form, or one record
 * @hits: ranges; they and their blocks are valid until the next call for this flow
 * @n: number of @hits; if 0, @rec is valid instead
 * @offset: byte offset in the AUX stream that hits[].at is relative to
 * @rec: record; valid only if @n is 0
 */
struct v9_flow_batch {
	const struct v9_flow_hit *hits;
	size_t n;
	uint64_t offset;
	struct v9_flow_rec rec;
};

/*
 * As v9_flow_next(), for many ranges at a time. Returns 1 and the next batch, 0 if more bytes are
 * needed, or -ENOMEM. The caller may mix calls of the two.
 */
int v9_flow_batch(struct v9_flow *f, struct v9_flow_batch *batch);

/* Convert @hit, a range in short form, to a record. @batch is the batch of @hit. */
void v9_flow_expand(const struct v9_flow_batch *batch, const struct v9_flow_hit *hit,
		    struct v9_flow_rec *rec);

/* Drop all cached code, so that it is read again. Call it after code has changed. */
void v9_flow_forget(struct v9_flow *f);

/**
 * v9_flow_until - follow only what was traced before an offset
 * @f: decoder
 * @offset: byte offset in the AUX stream; UINT64_MAX: no limit, as at first
 *
 * A unit that traces speculatively commits instructions some bytes later. If code changed at @offset, set
 * the limit, feed bytes and take the output until this function returns true. Then call
 * v9_flow_forget(), and set the limit to UINT64_MAX. v9_flow_end() removes the limit.
 *
 * Return: true if the bytes that were fed reach @offset, or none were fed yet, and no element before it is
 * left. The output may still lack the last range, which a later packet can correct, but which has its code.
 */
bool v9_flow_until(struct v9_flow *f, uint64_t offset);

const struct v9_ete_account *v9_flow_account(const struct v9_flow *f);
const struct v9_flow_counts *v9_flow_sums(const struct v9_flow *f);

/* The most recent context in the trace. v9_flow_end() sets it to 0. */
const struct v9_ete_context *v9_flow_context(const struct v9_flow *f);

/* ---- one stream in pieces */

#define V9_FLOW_MARK_WORDS	256

/* The complete state of a decoder. Only for v9_flow_same_state(). */
struct v9_flow_mark {
	uint32_t n;		/* words used */
	uint64_t word[V9_FLOW_MARK_WORDS];
};

/**
 * v9_flow_mark - get the state of a decoder
 * @f: decoder; v9_flow_next() has returned 0
 * @mark: result
 *
 * The parts of a stream can be decoded in parallel. Each part begins at an Alignment
 * Synchronization (v9_ete_find_sync()). Each decoder but the first discards its output until this
 * function returns true. The decoder of the part before it continues up to the same offset. If both
 * marks are equal, the output of both decoders from there on is the same.
 *
 * Returns false if the state is not complete yet, or needs more than V9_FLOW_MARK_WORDS words
 * (many uncommitted elements).
 */
bool v9_flow_mark(const struct v9_flow *f, struct v9_flow_mark *mark);

/* Returns true if the states are valid and equal: the output from there on is the same. */
bool v9_flow_same_state(const struct v9_flow_mark *a, const struct v9_flow_mark *b);

#ifdef __cplusplus
}
#endif

#endif
