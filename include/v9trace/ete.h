/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Packets of the Embedded Trace Extension, both ways.
 *
 * What a header byte is stands in tables/ete.pkt; names of packets, exception
 * types and whatever else is printed are in gen/ete_pkt.h. tools/lib/ete_pkt.c
 * implements the functions. A packet here has its compression undone: full
 * addresses, full timestamps, whole contexts; what was really sent is beside it.
 * Elements (atoms in order, implied commits, depth of speculation) are made from
 * packets by whoever analyses.
 */
#ifndef V9TRACE_ETE_H
#define V9TRACE_ETE_H

#include "base.h"

enum v9_ete_type {
	V9_ETE_ASYNC,		/* Alignment Synchronization */
	V9_ETE_DISCARD,
	V9_ETE_OVERFLOW,	/* elements: Overflow, Discard */
	V9_ETE_INFO,		/* plctl, transaction, cycle_counting, spec, threshold */
	V9_ETE_TRACE_ON,
	V9_ETE_TIMESTAMP,	/* timestamp; count if V9_ETE_HAS_COUNT */
	V9_ETE_MARKER,		/* Timestamp Marker */
	V9_ETE_EXCEPTION,	/* type, target_first, addr, isa, ctx if V9_ETE_HAS_CTX */
	V9_ETE_TX_START,
	V9_ETE_TX_COMMIT,
	V9_ETE_CYCLES,		/* commit (0 none), then count if V9_ETE_HAS_COUNT, else UNKNOWN */
	V9_ETE_COMMIT,		/* commit */
	V9_ETE_CANCEL,		/* atoms, then cancel, then Mispredict if mispredict */
	V9_ETE_MISPREDICT,	/* atoms, then Mispredict */
	V9_ETE_INSTRUMENTATION,	/* value, said by software at ctx.el; no P0 element */
	V9_ETE_IGNORE,
	V9_ETE_EVENT,		/* events: bit n is ETEEvent n */
	V9_ETE_CONTEXT,		/* ctx */
	V9_ETE_ADDRESS,		/* Target Address: addr, isa; then ctx if V9_ETE_HAS_CTX */
	V9_ETE_Q,		/* count if V9_ETE_HAS_COUNT; then addr, isa if V9_ETE_HAS_ADDR */
	V9_ETE_SOURCE,		/* Source Address: addr, isa */
	V9_ETE_ATOMS,		/* atoms */
	V9_ETE_KINDS
};

/* Exception types; 16 to 23 are IMPLEMENTATION DEFINED 0 to 7, the gaps reserved */
enum v9_ete_exception {
	V9_ETE_EXC_RESET = 0x00,
	V9_ETE_EXC_DEBUG_HALT = 0x01,
	V9_ETE_EXC_CALL = 0x02,
	V9_ETE_EXC_TRAP = 0x03,
	V9_ETE_EXC_SERROR = 0x04,
	V9_ETE_EXC_INST_DEBUG = 0x06,
	V9_ETE_EXC_DATA_DEBUG = 0x07,
	V9_ETE_EXC_ALIGNMENT = 0x0a,
	V9_ETE_EXC_INST_FAULT = 0x0b,
	V9_ETE_EXC_DATA_FAULT = 0x0c,
	V9_ETE_EXC_IRQ = 0x0e,
	V9_ETE_EXC_FIQ = 0x0f,
	V9_ETE_EXC_IMPDEF = 0x10,
	V9_ETE_EXC_TX_FAILURE = 0x18,	/* no exception and no P0 element, but sent as one */
};

/**
 * struct v9_ete_config - what of a trace unit decides about its packets
 * @maxspec: TRCIDR8.MAXSPEC
 * @commopt: TRCIDR0.COMMOPT; always 1 if maxspec is 0
 * @commtrans: TRCIDR0.COMMTRANS: 0 = Transaction Start is a P0 element
 * @tsmark: TRCIDR0.TSMARK: Timestamp Marker packets exist
 * @ite: TRCIDR0 bit 22: Instrumentation packets exist
 * @nse: bit 3 of a context says Realm or Root (with RME)
 *
 * From its ID registers: v9_ete_config_init().
 */
struct v9_ete_config {
	uint32_t maxspec;
	bool commopt;
	bool commtrans;
	bool tsmark;
	bool ite;
	bool nse;
};

struct v9_ete_address {
	uint64_t addr;
	uint8_t isa;		/* 0: IS0, word aligned; 1: IS1, halfword aligned (T32) */
};

struct v9_ete_context {
	uint32_t contextid;
	uint32_t vmid;
	uint8_t el;
	bool ns;
	bool nse;
	bool sf;		/* 64 bit: IS0 is A64; else IS0 is A32, IS1 T32 */
};

/* What compression counts from. Trace Info resets it, both ends alike. */
struct v9_ete_base {
	struct v9_ete_address ahb[3];	/* address history buffer, latest first */
	uint64_t timestamp;
	struct v9_ete_context ctx;
	uint32_t threshold;		/* added to cycle counts */
	bool started;			/* a Trace Info was seen: what is resolved can be trusted */
};

struct v9_ete_pktdec {
	struct v9_ete_config cfg;
	struct v9_ete_base base;
	uint32_t bad_at;	/* after -EBADMSG: offset of the refused byte in the packet */
	uint8_t reason;		/* after -EBADMSG: enum v9_ete_reason (gen/ete_pkt.h) */
};

struct v9_ete_pktenc {
	struct v9_ete_config cfg;
	struct v9_ete_base base;
};

enum {				/* bits of v9_ete_pkt.has */
	V9_ETE_HAS_ADDR = 1,	/* addr and isa say something (false: UNKNOWN or none) */
	V9_ETE_HAS_CTX = 2,
	V9_ETE_HAS_COUNT = 4,
	V9_ETE_HAS_CONTEXTID = 8,	/* ctx.contextid was in this packet */
	V9_ETE_HAS_VMID = 16,		/* ctx.vmid was in this packet */
};

#define V9_ETE_PKT_ANY 0	/* v9_ete_pkt.name for an encoder that shall choose */

/**
 * struct v9_ete_pkt - one packet
 *
 * Fields that the kind does not name (see enum v9_ete_type) are 0.
 *
 * @addr: full
 * @timestamp: full
 * @value: Instrumentation
 * @ctx: full
 * @raw: the bits of address or timestamp that were in the packet, in place
 * @raw_bits: how many low bits of them (bit 0 of an address counts although it is
 *       never sent): 64 everything, 0 none (Exact Match)
 * @count: cycles (threshold included) of Timestamp and Cycle Count; instructions of Q
 * @commit: P0 elements
 * @cancel: P0 elements
 * @spec: Trace Info
 * @threshold: Trace Info
 * @plctl: Trace Info
 * @transaction: Trace Info
 * @cycle_counting: Trace Info
 * @atoms: bit 0 is the oldest; 1 E, 0 N
 * @natoms: how many, 0 to 24
 * @size: bytes in the stream
 * @kind: enum v9_ete_type
 * @name: enum v9_ete_name (gen/ete_pkt.h): which of the manual's packets
 * @inner: Exception: which address packet is in it, as @name; V9_ETE_P_ANY if its
 *       address is UNKNOWN
 * @header: first byte
 * @has: V9_ETE_HAS_...
 * @isa: of @addr
 * @type: enum v9_ete_exception
 * @target_first: the exception was taken at the target of the last P0 (E=0b10):
 *       a Target Address element precedes Context and Exception
 * @events: bit n is ETEEvent n
 * @ahb: Exact Match: which entry
 * @mispredict: a Mispredict element comes last
 */
struct v9_ete_pkt {
	uint64_t addr;
	uint64_t timestamp;
	uint64_t value;
	uint64_t raw;
	struct v9_ete_context ctx;
	uint32_t count;
	uint32_t commit;
	uint32_t cancel;
	uint32_t spec;
	uint32_t threshold;
	uint32_t atoms;
	uint32_t size;
	uint8_t natoms;
	uint8_t kind;
	uint8_t name;
	uint8_t inner;
	uint8_t header;
	uint8_t has;
	uint8_t raw_bits;
	uint8_t isa;
	uint8_t type;
	uint8_t events;
	uint8_t ahb;
	uint8_t plctl;
	bool target_first;
	bool mispredict;
	bool transaction;
	bool cycle_counting;
};

#define V9_ETE_PKT_MAX 24	/* longest packet an encoder makes */
#define V9_ETE_ATOMS_MAX 24	/* atoms in one packet */
#define V9_ETE_ATOMS_FIRST 0xc0	/* headers from here on are packets of atoms, all of one byte */
#define V9_ETE_ASYNC_SIZE 12

/**
 * v9_ete_config_init - what the ID registers say
 * @cfg: result
 * @idr0: TRCIDR0
 * @idr8: TRCIDR8
 * @rme: contexts may say Realm and Root
 */
void v9_ete_config_init(struct v9_ete_config *cfg, uint32_t idr0, uint32_t idr8, bool rme);

/* Both begin unsynchronised, with everything 0. Garbage memory is accepted. */
void v9_ete_pktdec_init(struct v9_ete_pktdec *dec, const struct v9_ete_config *cfg);
void v9_ete_pktenc_init(struct v9_ete_pktenc *enc, const struct v9_ete_config *cfg);

/* Forget the base after a loss; the configuration stays. */
void v9_ete_pktdec_reset(struct v9_ete_pktdec *dec);
void v9_ete_pktenc_reset(struct v9_ete_pktenc *enc);

/**
 * v9_ete_pkt_decode - decode the packet at @p
 * @dec: the stream so far
 * @p: bytes
 * @n: how many may be read
 * @pkt: result
 *
 * Return: the bytes consumed (> 0); -ENODATA if the packet is longer than @n;
 * -EBADMSG for what no packet says, with dec->reason and dec->bad_at. On error the
 * base is as before and contents of @pkt are undefined.
 *
 * Before the first Trace Info lengths are right, but resolved values mean nothing:
 * see dec->base.started.
 */
int v9_ete_pkt_decode(struct v9_ete_pktdec *dec, const uint8_t *p, size_t n,
		      struct v9_ete_pkt *pkt);

/**
 * struct v9_ete_do_start - packets of atoms, then a plain Target Address
 * @addr: of the Target Address, full; 0 without one
 * @at: where the first packet of atoms is
 * @atoms: how many packets of atoms; each is one byte, see v9_ete_pkt_decode()
 * @size: bytes of the Target Address packet behind them; 0: none
 * @isa: of @addr
 */
struct v9_ete_do_start {
	uint64_t addr;
	uint32_t at;
	uint32_t atoms;
	uint8_t size;
	uint8_t isa;
};

#define V9_ETE_RUN_REACH 16	/* so near the end the next one does nothing */

/**
 * v9_ete_pkt_runs - decode what is frequent, many packets at a time
 * @dec: the stream so far, behind a Trace Info
 * @p: bytes
 * @n: how many may be read
 * @runs: result
 * @room: how many
 * @nr: how many there are
 *
 * Stops before the first packet that is neither atoms nor a Target Address without
 * context, before one that v9_ete_pkt_decode() would refuse, and near the end of the
 * bytes. So it may do nothing at all; v9_ete_pkt_decode() then takes the next packet.
 *
 * Return: the bytes consumed, 0 included.
 */
size_t v9_ete_pkt_runs(struct v9_ete_pktdec *dec, const uint8_t *p, size_t n,
		       struct v9_ete_do_start *runs, size_t room, size_t *nr);

/**
 * v9_ete_pkt_encode - write one packet
 * @enc: the stream so far
 * @p: where
 * @n: room; V9_ETE_PKT_MAX is always enough
 * @pkt: kind and the fields of the kind. With name V9_ETE_PKT_ANY the shortest
 *       packet is chosen; else the one named (in an Exception: inner), with at least
 *       raw_bits of address or timestamp. HAS_CONTEXTID and HAS_VMID send these
 *       although unchanged, plctl its fields although 0. So what the decoder gave
 *       comes out as the same bytes, but for numbers longer than necessary.
 *
 * Return: the bytes written (> 0), -ENOSPC if @n is too small, -EINVAL for what the
 * format (or this trace unit) cannot say. On error the base is as before.
 */
int v9_ete_pkt_encode(struct v9_ete_pktenc *enc, uint8_t *p, size_t n,
		      const struct v9_ete_pkt *pkt);

/**
 * v9_ete_atoms_header - the packet of a run of atoms
 * @atoms: bit 0 is the oldest
 * @natoms: how many
 *
 * Return: its header, or -EINVAL if no single packet says this run. Each beginning
 * of such a run is one, too: append while this accepts, send when it refuses.
 */
int v9_ete_atoms_header(uint32_t atoms, unsigned int natoms);

/**
 * v9_ete_find_sync - the next Alignment Synchronization
 * @p: bytes
 * @n: how many
 *
 * Return: the offset of its last 12 bytes (11 zeros, 0x80), or @n if there is none;
 * one that is cut at the end begins in the last 11 bytes.
 */
size_t v9_ete_find_sync(const uint8_t *p, size_t n);

/*
 * Registers in arrays, by number. The external offset of a register of the trace
 * unit is its encoding; single ones are V9_SYS_<REG> in gen/regs.h.
 */
#define V9_SYS_TRC_WORD(w)	(2 << 19 | 1 << 16 | ((w) >> 7 & 7) << 12 | ((w) & 15) << 8 | \
				 ((w) >> 4 & 7) << 5)
#define V9_SYS_TRCSEQEVR(n)	V9_SYS_TRC_WORD(0x40 + (n))
#define V9_SYS_TRCEXTINSELR(n)	V9_SYS_TRC_WORD(0x48 + (n))
#define V9_SYS_TRCCNTRLDVR(n)	V9_SYS_TRC_WORD(0x50 + (n))
#define V9_SYS_TRCCNTCTLR(n)	V9_SYS_TRC_WORD(0x54 + (n))
#define V9_SYS_TRCCNTVR(n)	V9_SYS_TRC_WORD(0x58 + (n))
#define V9_SYS_TRCIMSPEC(n)	V9_SYS_TRC_WORD(0x70 + (n))
#define V9_SYS_TRCRSCTLR(n)	V9_SYS_TRC_WORD(0x80 + (n))	/* 2 to 31 */
#define V9_SYS_TRCSSCCR(n)	V9_SYS_TRC_WORD(0xa0 + (n))
#define V9_SYS_TRCSSCSR(n)	V9_SYS_TRC_WORD(0xa8 + (n))
#define V9_SYS_TRCSSPCICR(n)	V9_SYS_TRC_WORD(0xb0 + (n))
#define V9_SYS_TRCACVR(n)	V9_SYS_TRC_WORD(0x100 + 2 * (n))
#define V9_SYS_TRCACATR(n)	V9_SYS_TRC_WORD(0x120 + 2 * (n))
#define V9_SYS_TRCCIDCVR(n)	V9_SYS_TRC_WORD(0x180 + 2 * (n))
#define V9_SYS_TRCVMIDCVR(n)	V9_SYS_TRC_WORD(0x190 + 2 * (n))

#endif
