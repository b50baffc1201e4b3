/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * libv9ete: traces of the Embedded Trace Extension, step by step.
 *
 *	packets     <v9trace/ete.h>: v9_ete_pkt_decode(), v9_ete_pkt_runs()
 *	elements    v9_ete_dec_...: what stands, after speculation
 *	flow        v9_flow_...: which instructions ran
 *
 * Each step is of use alone, and all have the same verbs: new, feed, next, break, end, delete.
 * There are no globals: what belongs to one stream is in one object, and objects of different
 * threads do not meet. Nothing is printed. Errors are negative errno values.
 *
 * Structs that you fill begin with their size, so that they can grow. Those that are filled for you
 * are as large as they are as long as the number behind .so. is the same. Enums grow at their end;
 * kinds that you do not know are to be passed over.
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
	V9_INSN_OTHER,		/* no P0 element stands for it */
	V9_INSN_DIRECT,		/* branch whose target is in the opcode */
	V9_INSN_INDIRECT,	/* branch whose target is elsewhere */
	V9_INSN_ISB,		/* ISB in all its forms, and TSTART */
	V9_INSN_WAIT,		/* WFE, WFI, WFET, WFIT: P0 only with TRCIDR2.WFXMODE */
};

enum v9_insn_flag {
	V9_INSN_COND	= 1,	/* may as well not be taken */
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
 * The instruction at @addr, whose first bytes are @word (little-endian; of a
 * 16-bit instruction only the low half counts). T32: see v9_t32_size().
 */
void v9_insn_decode(enum v9_isa isa, uint64_t addr, uint32_t word, struct v9_insn *insn);

/* Bytes of the T32 instruction that begins with this half word: 2 or 4. */
static inline unsigned int v9_t32_size(uint16_t first)
{
	return first >= 0xe800 ? 4 : 2;
}

/* ---- set-up */

/* Bytes of code at @addr as seen in @ctx, and in @n how many. NULL: none known. */
typedef const uint8_t *v9_code_fn(void *arg, const struct v9_ete_context *ctx, uint64_t addr,
				  size_t *n);

/**
 * struct v9_ete_setup - what a decoder must know of the trace unit and the program
 * @size: sizeof(struct v9_ete_setup)
 * @trcidr0, @trcidr2, @trcidr8, @trcdevarch, @trcconfigr: registers, as they were
 * @code: the program; flow only
 * @arg: what it is called with
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
	/* others that a Cancel takes with it */
	V9_EL_TX_FAILURE,	/* addr, isa if has V9_ETE_HAS_ADDR */
	V9_EL_ADDRESS,		/* addr, isa if has V9_ETE_HAS_ADDR */
	V9_EL_CONTEXT,		/* ctx */
	V9_EL_TRACE_ON,
	V9_EL_MISPREDICT,
	/* others that stay */
	V9_EL_TX_COMMIT,
	V9_EL_INFO,
	V9_EL_EVENT,		/* count: bit n is ETEEvent n */
	V9_EL_CYCLES,		/* count if has V9_ETE_HAS_COUNT */
	V9_EL_TIMESTAMP,	/* addr is the value; count if has V9_ETE_HAS_COUNT */
	V9_EL_MARKER,
	V9_EL_INSTRUMENTATION,	/* addr is the value; type the exception level that said it */
	V9_EL_DISCARD,
	V9_EL_OVERFLOW,
	V9_EL_LOSS,		/* type: enum v9_ete_skip. Made by the decoder: bytes are missing */
};

struct v9_ete_elem {
	uint64_t offset;		/* of its packet in the stream */
	uint64_t addr;
	struct v9_ete_context ctx;
	uint32_t count;
	uint8_t kind, isa, type, has;
	bool taken;
};

/* Why bytes were given up. */
enum v9_ete_skip {
	V9_ETE_SKIP_START,	/* before the first Alignment Synchronization */
	V9_ETE_SKIP_RESERVED,	/* what no packet says, and on to the next synchronization */
	V9_ETE_SKIP_PROTOCOL,	/* packets that cannot follow each other */
	V9_ETE_SKIP_NO_INFO,	/* packets between synchronization and Trace Info */
	V9_ETE_SKIP_GAP,	/* a packet whose end lies in bytes that are not there */
	V9_ETE_SKIP_CUT,	/* a packet cut by the end of the stream */
	V9_ETE_SKIPS
};

extern const char *const v9_ete_skip_why[V9_ETE_SKIPS];

struct v9_ete_account {
	uint64_t packets, packet_bytes;	/* without Ignore */
	uint64_t padding;			/* Ignore */
	uint64_t skipped[V9_ETE_SKIPS];		/* bytes */
	uint64_t skips[V9_ETE_SKIPS];		/* how often */
	uint64_t kinds[V9_ETE_KINDS];		/* packets */
	uint64_t cancelled;			/* P0 elements taken back */
	uint64_t uncommitted;			/* P0 elements whose fate is not told */
};

struct v9_ete_dec;

/* NULL and errno: EINVAL (a size that no version has), ENOMEM. */
struct v9_ete_dec *v9_ete_dec_new(const struct v9_ete_setup *setup);
void v9_ete_dec_delete(struct v9_ete_dec *d);

/**
 * v9_ete_dec_feed - the next stretch of the stream
 * @offset: its position in the AUX stream. If that is not where the stretch
 *          before ended, bytes are missing: V9_EL_LOSS, then a new synchronization.
 * @p must stay until v9_ete_dec_next() has returned 0.
 */
void v9_ete_dec_feed(struct v9_ete_dec *d, const uint8_t *p, size_t n, uint64_t offset);

/* The stream goes on, but not where it was left (lost data): as with a gap. */
void v9_ete_dec_break(struct v9_ete_dec *d);

/* Returns 1 and the next element, 0 if that needs more bytes, or -ENOMEM from then on. */
int v9_ete_dec_next(struct v9_ete_dec *d, struct v9_ete_elem *e);

/* No more bytes. What may still come out is to be asked for with v9_ete_dec_next(). */
void v9_ete_dec_end(struct v9_ete_dec *d);

/* All bytes ever fed; equals the sum of what the account lists. */
uint64_t v9_ete_account_bytes(const struct v9_ete_account *a);
const struct v9_ete_account *v9_ete_dec_account(const struct v9_ete_dec *d);

/* ---- flow */

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

/* Where a walk ended. */
enum v9_stop {
	V9_STOP_P0,		/* behind an instruction that an atom stands for */
	V9_STOP_ADDRESS,	/* where it should */
	V9_STOP_LIMIT,		/* nowhere in sight */
	V9_STOP_NO_CODE,
};

/* Instructions from an address up to and with the first that an atom stands for. */
struct v9_block {
	uint64_t start, end;	/* end is exclusive */
	uint64_t last_addr;	/* of the last instruction */
	struct v9_insn last;
	struct v9_ete_context ctx;
	uint32_t insns;
	uint8_t isa, stop;	/* enum v9_isa, enum v9_stop */
	uint32_t note, note_flags;	/* yours to write; 0 first */
	/* The decoder's own: what follows the last not taken and taken, if that is known. */
	struct v9_block *next[2];
	uint32_t space, slot;
};

/*
 * A range in brief: block->start to block->end. Most of a trace are ranges, and most of these come
 * again and again.
 */
struct v9_flow_hit {
	struct v9_block *block;	/* its note may be written */
	uint32_t at;		/* its packet, from v9_flow_batch.offset on */
	uint32_t taken;
};

struct v9_flow;

/* As v9_ete_dec_new(); EINVAL, too, without a program. */
struct v9_flow *v9_flow_new(const struct v9_ete_setup *setup);
void v9_flow_delete(struct v9_flow *f);

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

const struct v9_ete_account *v9_flow_account(const struct v9_flow *f);
const struct v9_flow_counts *v9_flow_sums(const struct v9_flow *f);

/* The context that the trace last told. */
const struct v9_ete_context *v9_flow_context(const struct v9_flow *f);

/* ---- one stream in pieces */

#define V9_FLOW_MARK_WORDS	256

/* All that decides what a decoder will say of the bytes to come. Only for comparing. */
struct v9_flow_mark {
	uint32_t n;
	uint64_t word[V9_FLOW_MARK_WORDS];
};

/**
 * v9_flow_mark - what the decoder knows here
 *
 * A stream may be decoded in pieces, each from an Alignment Synchronization on
 * (v9_ete_find_sync()), if each decoder but the first throws away what it says until it can be
 * marked, and the one before goes on to that offset: with equal marks there, what the second says
 * from then on is what the first would have said. Ask when v9_flow_next() has returned 0.
 *
 * Returns false if it does not know enough yet, or has too much in flight.
 */
bool v9_flow_mark(const struct v9_flow *f, struct v9_flow_mark *mark);

/* Do two decoders of the same program that were marked so say the same from there on? */
bool v9_flow_same_state(const struct v9_flow_mark *a, const struct v9_flow_mark *b);

#ifdef __cplusplus
}
#endif

#endif
