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
	V9_INSN_WAIT,		/* WFE, WFI, WFET, WFIT: P0 only with TRCIDR2.WFXMODE */
};

enum v9_insn_flag {
	V9_INSN_COND	= 1,	/* conditional */
	V9_INSN_LINK	= 2,	/* pushes the return stack if taken */
	V9_INSN_RET	= 4,	/* returns from a function */
	V9_INSN_ERET	= 8,	/* returns from an exception */
	V9_INSN_SWITCH	= 16,	/* direct branch from A32 to T32 or back */
};

struct v9_insn {
	uint64_t target;	/* of V9_INSN_DIRECT */
	uint8_t kind, flags;
	uint8_t size;		/* in bytes */
};

/*
 * Decode the instruction at @addr. @word has its bytes, little-endian; of a 16-bit instruction only
 * the low half is used. For T32 see v9_t32_size().
 */
void v9_insn_decode(enum v9_isa isa, uint64_t addr, uint32_t word, struct v9_insn *insn);

/* Bytes of the T32 instruction that begins with this half word: 2 or 4. */
static inline unsigned int v9_t32_size(uint16_t first)
{
	return first >= 0xe800 ? 4 : 2;
}

/* ---- set-up */

/* Returns the code at @addr in context @ctx, and in @n its bytes; NULL: not known. */
typedef const uint8_t *v9_code_fn(void *arg, const struct v9_ete_context *ctx, uint64_t addr,
				  size_t *n);

/**
 * struct v9_ete_setup - trace unit and program of a stream
 * @size: sizeof(struct v9_ete_setup)
 * @trcidr0, @trcidr2, @trcidr8, @trcdevarch, @trcconfigr: registers of the unit, as recorded
 * @code: callback that returns code; needed by the flow layer only
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
	V9_EL_NONE,		/* cancelled */
	/* P0 elements */
	V9_EL_ATOM,		/* taken */
	V9_EL_EXCEPTION,	/* type; addr, isa if has V9_ETE_HAS_ADDR */
	V9_EL_SOURCE,		/* addr, isa */
	V9_EL_Q,		/* count if has V9_ETE_HAS_COUNT */
	V9_EL_TX_START,		/* P0 if TRCIDR0.COMMTRANS is 0 */
	/* others that a Cancel element removes, too */
	V9_EL_TX_FAILURE,	/* addr, isa if has V9_ETE_HAS_ADDR */
	V9_EL_ADDRESS,		/* addr, isa if has V9_ETE_HAS_ADDR */
	V9_EL_CONTEXT,		/* ctx */
	V9_EL_TRACE_ON,
	V9_EL_MISPREDICT,
	/* others, which a Cancel element does not remove */
	V9_EL_TX_COMMIT,
	V9_EL_INFO,
	V9_EL_EVENT,		/* count: bit n is ETEEvent n */
	V9_EL_CYCLES,		/* count if has V9_ETE_HAS_COUNT */
	V9_EL_TIMESTAMP,	/* addr: value; count if has V9_ETE_HAS_COUNT */
	V9_EL_MARKER,
	V9_EL_INSTRUMENTATION,	/* addr: value; type: Exception level */
	V9_EL_DISCARD,
	V9_EL_OVERFLOW,
	V9_EL_LOSS,		/* by the decoder: bytes missing; type: enum v9_ete_skip */
};

struct v9_ete_elem {
	uint64_t offset;		/* byte offset of its packet in the stream */
	uint64_t addr;
	struct v9_ete_context ctx;
	uint32_t count;
	uint8_t kind, isa, type, has;
	bool taken;
};

/* Why bytes were skipped */
enum v9_ete_skip {
	V9_ETE_SKIP_START,	/* before the first Alignment Synchronization */
	V9_ETE_SKIP_RESERVED,	/* a reserved encoding; up to the next synchronization */
	V9_ETE_SKIP_PROTOCOL,	/* packets that cannot follow each other */
	V9_ETE_SKIP_NO_INFO,	/* packets between synchronization and Trace Info */
	V9_ETE_SKIP_GAP,	/* a packet whose end is in missing bytes */
	V9_ETE_SKIP_CUT,	/* a packet that the end of the stream cuts off */
	V9_ETE_SKIPS
};

extern const char *const v9_ete_skip_why[V9_ETE_SKIPS];

/* What became of all bytes that were fed */
struct v9_ete_account {
	uint64_t packets, packet_bytes;	/* without Ignore */
	uint64_t padding;			/* Ignore */
	uint64_t skipped[V9_ETE_SKIPS];		/* bytes */
	uint64_t skips[V9_ETE_SKIPS];		/* number of places */
	uint64_t kinds[V9_ETE_KINDS];		/* packets */
	uint64_t cancelled;			/* P0 elements that were cancelled */
	uint64_t uncommitted;			/* neither committed nor cancelled */
};

struct v9_ete_dec;

/* Returns a decoder, or NULL with errno EINVAL (@size of @setup is not valid) or ENOMEM. */
struct v9_ete_dec *v9_ete_dec_new(const struct v9_ete_setup *setup);
void v9_ete_dec_delete(struct v9_ete_dec *d);

/**
 * v9_ete_dec_feed - give the decoder the next bytes of the stream
 * @d: decoder
 * @p: bytes; they must stay valid until v9_ete_dec_next() has returned 0
 * @n: number of bytes
 * @offset: byte offset of @p in the AUX stream. If it is not where the bytes before ended, bytes
 *          are missing: V9_EL_LOSS follows, and decoding continues at the next synchronization
 */
void v9_ete_dec_feed(struct v9_ete_dec *d, const uint8_t *p, size_t n, uint64_t offset);

/* Data was lost before the next bytes: treated like missing bytes. */
void v9_ete_dec_break(struct v9_ete_dec *d);

/* Returns 1 and the next element; 0 if it needs more bytes; or -ENOMEM, now and for ever. */
int v9_ete_dec_next(struct v9_ete_dec *d, struct v9_ete_elem *e);

/* End of the stream. Call v9_ete_dec_next() for the remaining elements. */
void v9_ete_dec_end(struct v9_ete_dec *d);

/* The sum of all bytes in the account, which is the number of bytes that were fed. */
uint64_t v9_ete_account_bytes(const struct v9_ete_account *a);
const struct v9_ete_account *v9_ete_dec_account(const struct v9_ete_dec *d);

/* ---- flow */

enum v9_flow_kind {
	V9_FLOW_RANGE,		/* instructions from start to end, executed in sequence */
	V9_FLOW_UNPLACED,	/* insns instructions on an unknown path; start if addressed */
	V9_FLOW_EXCEPTION,	/* type; start: preferred return address, if addressed */
	V9_FLOW_GAP,		/* why; start: where, if addressed */
	V9_FLOW_TIME,		/* value: timestamp of what precedes it; cycles if counted */
	V9_FLOW_CYCLES,		/* cycles if counted, else unknown */
	V9_FLOW_EVENT,		/* type: bit n is ETEEvent n */
	V9_FLOW_MARKER,		/* the next V9_FLOW_TIME is of this place */
	V9_FLOW_INSTRUMENTATION, /* value, by software at Exception level type */
	V9_FLOW_TX_START,	/* a transaction begins; commits; fails */
	V9_FLOW_TX_COMMIT,
	V9_FLOW_TX_FAILURE,
};

enum v9_flow_why {
	V9_FLOW_FILTER,		/* not traced: filter, prohibited region, before the start */
	V9_FLOW_OVERFLOW,	/* the trace unit lost trace */
	V9_FLOW_DISCARD,	/* uncommitted elements were discarded */
	V9_FLOW_LOSS,		/* bytes missing or corrupt: type is enum v9_ete_skip */
	V9_FLOW_NO_CODE,	/* no code at this address */
	V9_FLOW_NO_ADDRESS,	/* the trace does not have the next address */
	V9_FLOW_NO_COUNT,	/* a Q element without a count */
	V9_FLOW_ASTRAY,		/* trace and code contradict each other */
	V9_FLOW_WHYS
};

extern const char *const v9_flow_why[V9_FLOW_WHYS];

/**
 * struct v9_flow_rec - a range of executed instructions, or another event of the flow
 * @offset: byte offset of the packet in the AUX stream
 * @start, @end: virtual addresses of a range; @end is exclusive
 * @value: see enum v9_flow_kind
 * @insns: number of instructions in the range
 * @cycles: valid if @counted
 * @ctx, @isa: context and instruction set of the range
 * @last: last instruction of the range
 * @last_addr: its address
 * @kind: enum v9_flow_kind
 * @type: see enum v9_flow_kind
 * @why: enum v9_flow_why
 * @taken: @last is a branch that was taken
 * @addressed: @start is valid
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
	uint64_t unplaced;	/* P0 elements that no instruction could be found for */
	uint64_t impossible;	/* unconditional branches that were traced as not taken */
};

/* Why a walk through code ended */
enum v9_stop {
	V9_STOP_P0,		/* after an instruction with a P0 element */
	V9_STOP_ADDRESS,	/* at the requested address */
	V9_STOP_LIMIT,		/* after the maximum number of instructions */
	V9_STOP_NO_CODE,
};

/* Instructions from an address up to and including the first with a P0 element */
struct v9_block {
	uint64_t start, end;	/* end is exclusive */
	uint64_t last_addr;	/* address of the last instruction */
	struct v9_insn last;
	struct v9_ete_context ctx;
	uint32_t insns;
	uint8_t isa, stop;	/* enum v9_isa, enum v9_stop */
	uint32_t note, note_flags;	/* the caller's; 0 at first */
	/* Private to the decoder: blocks that follow a branch not taken and taken */
	struct v9_block *next[2];
	uint32_t space, slot;
};

/*
 * A range in short form: block->start to block->end. Most of a trace is ranges, and most ranges
 * occur many times.
 */
struct v9_flow_hit {
	struct v9_block *block;	/* @note and @note_flags may be written */
	uint32_t at;		/* byte offset of its packet from v9_flow_batch.offset */
	uint32_t taken;
};

struct v9_flow;

/* As v9_ete_dec_new(); also EINVAL if @code of @setup is NULL. */
struct v9_flow *v9_flow_new(const struct v9_ete_setup *setup);
void v9_flow_delete(struct v9_flow *f);

/* As those of v9_ete_dec. v9_flow_next() returns 1, 0 or a negative errno, too. */
void v9_flow_feed(struct v9_flow *f, const uint8_t *p, size_t n, uint64_t offset);
void v9_flow_break(struct v9_flow *f);
int v9_flow_next(struct v9_flow *f, struct v9_flow_rec *rec);
void v9_flow_end(struct v9_flow *f);

/**
 * struct v9_flow_batch - ranges in short form, or one record
 * @hits: ranges; valid with their blocks until the next call for this flow
 * @n: number of @hits; 0: @rec is valid instead
 * @offset: byte offset in the AUX stream that hits[].at is relative to
 * @rec: record
 */
struct v9_flow_batch {
	const struct v9_flow_hit *hits;
	size_t n;
	uint64_t offset;
	struct v9_flow_rec rec;
};

/*
 * As v9_flow_next(), for many ranges at a time. Returns 1 and the next batch, 0, or a negative
 * errno. Calls of the two can be mixed.
 */
int v9_flow_batch(struct v9_flow *f, struct v9_flow_batch *batch);

/* Make the record of a range in short form. */
void v9_flow_expand(const struct v9_flow_batch *batch, const struct v9_flow_hit *hit,
		    struct v9_flow_rec *rec);

/* Code has changed: drop everything that was read of it. */
void v9_flow_forget(struct v9_flow *f);

const struct v9_ete_account *v9_flow_account(const struct v9_flow *f);
const struct v9_flow_counts *v9_flow_sums(const struct v9_flow *f);

/* The last context in the trace. */
const struct v9_ete_context *v9_flow_context(const struct v9_flow *f);

/* ---- one stream in pieces */

#define V9_FLOW_MARK_WORDS	256

/* The complete state of a decoder, in a form that can only be compared. */
struct v9_flow_mark {
	uint32_t n;
	uint64_t word[V9_FLOW_MARK_WORDS];
};

/**
 * v9_flow_mark - get the state of a decoder
 * @f: decoder; v9_flow_next() has returned 0
 * @mark: result
 *
 * Parts of a stream may be decoded in parallel, each from an Alignment Synchronization on
 * (v9_ete_find_sync()). Each decoder but the first discards its output until this function returns
 * true. The decoder of the part before continues up to the same offset. If both marks are equal,
 * the output of the second from there on is what the first would have put out.
 *
 * Returns false if the state is not complete yet, or has too many uncommitted elements.
 */
bool v9_flow_mark(const struct v9_flow *f, struct v9_flow_mark *mark);

/* Are the states equal, so that both decoders put out the same from there on? */
bool v9_flow_same_state(const struct v9_flow_mark *a, const struct v9_flow_mark *b);

#ifdef __cplusplus
}
#endif

#endif
