/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Decoding and encoding of packets of the Embedded Trace Extension.
 *
 * tables/ete.pkt has the header bytes; gen/ete_pkt.h has names of packets and exception types.
 * tools/lib/ete_pkt.c implements the functions. struct v9_ete_pkt has decompressed values: full
 * addresses, timestamps and contexts. It also has the bits that the packet itself contains.
 * libv9ete computes elements (atoms in order, implied commits, speculation depth) from packets.
 */
#ifndef V9TRACE_ETE_H
#define V9TRACE_ETE_H

#include "base.h"

enum v9_ete_kind {
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
	V9_ETE_CYCLES,		/* commit (0: none); count if V9_ETE_HAS_COUNT, else UNKNOWN */
	V9_ETE_COMMIT,		/* commit */
	V9_ETE_CANCEL,		/* atoms, then cancel, then Mispredict if mispredict */
	V9_ETE_MISPREDICT,	/* atoms, then Mispredict */
	V9_ETE_INSTRUMENTATION,	/* value, by software at ctx.el; no P0 element */
	V9_ETE_IGNORE,
	V9_ETE_EVENT,		/* events: bit n is ETEEvent n */
	V9_ETE_CONTEXT,		/* ctx */
	V9_ETE_ADDRESS,		/* Target Address: addr, isa; then ctx if V9_ETE_HAS_CTX */
	V9_ETE_Q,		/* count if V9_ETE_HAS_COUNT; then addr, isa if V9_ETE_HAS_ADDR */
	V9_ETE_SOURCE,		/* Source Address: addr, isa */
	V9_ETE_ATOMS,		/* atoms */
	V9_ETE_KINDS
};

/*
 * Exception types; 16 to 23 are IMPLEMENTATION DEFINED 0 to 7. Values without a name are reserved.
 */
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
	V9_ETE_EXC_TX_FAILURE = 0x18,	/* encoded as an exception, but is not one */
};

/**
 * struct v9_ete_config - properties of a trace unit that its packets depend on
 * @maxspec: TRCIDR8.MAXSPEC
 * @commopt: TRCIDR0.COMMOPT; always 1 if maxspec is 0
 * @commtrans: TRCIDR0.COMMTRANS: 0 = Transaction Start is a P0 element
 * @tsmark: TRCIDR0.TSMARK: Timestamp Marker packets exist
 * @ite: TRCIDR0 bit 22: Instrumentation packets exist
 * @nse: bit 3 of a context is NSE: Realm or Root (FEAT_RME)
 *
 * v9_ete_config_init() sets it from ID registers.
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

/* State of the compression, the same in encoder and decoder. A Trace Info packet resets it. */
struct v9_ete_base {
	struct v9_ete_address ahb[3];	/* address history buffer, latest first */
	uint64_t timestamp;
	struct v9_ete_context ctx;
	uint32_t threshold;		/* added to cycle counts */
	bool started;			/* there was a Trace Info: decompressed values are valid */
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
	V9_ETE_HAS_ADDR = 1,	/* addr and isa are valid; else the address is UNKNOWN or absent */
	V9_ETE_HAS_CTX = 2,
	V9_ETE_HAS_COUNT = 4,
	V9_ETE_HAS_CONTEXTID = 8,	/* ctx.contextid was in this packet */
	V9_ETE_HAS_VMID = 16,		/* ctx.vmid was in this packet */
};

#define V9_ETE_PKT_ANY 0	/* in v9_ete_pkt.name: the encoder chooses */

/**
 * struct v9_ete_pkt - one packet
 *
 * enum v9_ete_kind lists the members that each kind uses. The others are 0.
 *
 * @addr: full address
 * @timestamp: full timestamp
 * @value: Instrumentation: value that software wrote
 * @ctx: full context
 * @raw: bits of address or timestamp that the packet contains, at their positions in the full
 *	value
 * @raw_bits: number of low bits in @raw, 0 (Exact Match) to 64. Bit 0 of an address is counted
 *       although no packet contains it
 * @count: cycles (threshold included) of Timestamp and Cycle Count; instructions of Q
 * @commit: number of P0 elements to commit
 * @cancel: number of P0 elements to cancel
 * @spec: Trace Info: speculation depth, in P0 elements
 * @threshold: Trace Info: threshold of cycle counting, in cycles
 * @plctl: Trace Info: PLCTL, which has a bit for each field that the packet contains
 * @transaction: Trace Info: the trace begins in a transaction
 * @cycle_counting: Trace Info: cycle counting is enabled
 * @atoms: bit 0 is the oldest; 1 E, 0 N
 * @natoms: number of atoms, 0 to 24
 * @size: bytes of the packet
 * @kind: enum v9_ete_kind
 * @name: enum v9_ete_name (gen/ete_pkt.h): the manual's name of the packet
 * @inner: Exception: the address packet in it, as @name; V9_ETE_P_ANY if its address is UNKNOWN
 * @header: first byte
 * @has: V9_ETE_HAS_...
 * @isa: instruction set of @addr, as in struct v9_ete_address
 * @type: enum v9_ete_exception
 * @target_first: the exception was taken at the target of the last P0 (E=0b10):
 *       a Target Address element precedes Context and Exception
 * @events: bit n is ETEEvent n
 * @ahb: Exact Match: index in the address history buffer
 * @mispredict: a Mispredict element follows the others
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

#define V9_ETE_PKT_MAX 24	/* bytes of the longest packet that the encoder writes */
#define V9_ETE_ATOMS_MAX 24	/* most atoms in one packet */
#define V9_ETE_ATOMS_FIRST 0xc0	/* atom packets: headers from this value up */
#define V9_ETE_ASYNC_SIZE 12

/**
 * v9_ete_config_init - properties of a trace unit from its ID registers
 * @cfg: result
 * @idr0: TRCIDR0
 * @idr8: TRCIDR8
 * @rme: FEAT_RME is implemented: contexts may be Realm or Root
 */
void v9_ete_config_init(struct v9_ete_config *cfg, uint32_t idr0, uint32_t idr8, bool rme);

/*
 * Initialise, not synchronized, with an empty compression state. The memory may have any content.
 */
void v9_ete_pktdec_init(struct v9_ete_pktdec *dec, const struct v9_ete_config *cfg);
void v9_ete_pktenc_init(struct v9_ete_pktenc *enc, const struct v9_ete_config *cfg);

/* Reset the compression state after a loss; the configuration is kept. */
void v9_ete_pktdec_reset(struct v9_ete_pktdec *dec);

/**
 * v9_ete_pkt_decode - decode the packet at @p
 * @dec: decoder
 * @p: bytes
 * @n: number of bytes
 * @pkt: result
 *
 * Return: bytes consumed (> 0); -ENODATA if the packet is longer than @n; -EBADMSG for a reserved
 * encoding, with dec->reason and dec->bad_at set. On error the compression state is unchanged, and
 * @pkt is undefined.
 *
 * Before the first Trace Info, sizes are valid, and decompressed values are not: see
 * dec->base.started.
 */
int v9_ete_pkt_decode(struct v9_ete_pktdec *dec, const uint8_t *p, size_t n,
		      struct v9_ete_pkt *pkt);

/**
 * struct v9_ete_run - atom packets, followed by a Target Address packet without context
 * @addr: full address; 0 without a Target Address packet
 * @at: offset of the first atom packet
 * @atoms: number of atom packets; each has one byte
 * @size: bytes of the Target Address packet; 0: there is none
 * @isa: instruction set of @addr
 */
struct v9_ete_run {
	uint64_t addr;
	uint32_t at;
	uint32_t atoms;
	uint8_t size;
	uint8_t isa;
};

#define V9_ETE_RUN_REACH 16	/* with fewer bytes v9_ete_pkt_runs() decodes nothing */

/**
 * v9_ete_pkt_runs - decode many atom and Target Address packets in one call
 * @dec: decoder, after a Trace Info
 * @p: bytes
 * @n: number of bytes
 * @runs: result
 * @room: number of elements in @runs
 * @nr: result: number of elements used
 *
 * The function stops before the first packet that is neither an atom packet nor a Target Address
 * without context, before one that v9_ete_pkt_decode() would refuse, and near the end of the
 * bytes. It may decode nothing. In each of these cases the caller uses v9_ete_pkt_decode() for the
 * next packet.
 *
 * Return: bytes consumed, which may be 0.
 */
size_t v9_ete_pkt_runs(struct v9_ete_pktdec *dec, const uint8_t *p, size_t n,
		       struct v9_ete_run *runs, size_t room, size_t *nr);

/**
 * v9_ete_pkt_encode - write one packet
 * @enc: encoder
 * @p: buffer
 * @n: bytes of the buffer; V9_ETE_PKT_MAX is always enough
 * @pkt: kind, and the members that the kind uses. With name V9_ETE_PKT_ANY the shortest packet is
 *       written; otherwise the named one (in an Exception: inner), with at least raw_bits of
 *       address or timestamp. V9_ETE_HAS_CONTEXTID and V9_ETE_HAS_VMID have these written even if
 *       they are unchanged, plctl has its fields written even if they are 0. A decoded packet is
 *       thus encoded as the same bytes, except for numbers that were longer than necessary.
 *
 * Return: bytes written (> 0); -ENOSPC if @n is too small; -EINVAL if the format, or this trace
 * unit, has no such packet. On error the compression state is unchanged.
 */
int v9_ete_pkt_encode(struct v9_ete_pktenc *enc, uint8_t *p, size_t n,
		      const struct v9_ete_pkt *pkt);

/**
 * v9_ete_atoms_header - header of the packet that encodes a sequence of atoms
 * @atoms: bit 0 is the oldest
 * @natoms: number of atoms
 *
 * Return: the header; -EINVAL if no single packet encodes these atoms. If a packet exists for a
 * sequence of atoms, one exists for each of its prefixes, too.
 */
int v9_ete_atoms_header(uint32_t atoms, unsigned int natoms);

/**
 * v9_ete_find_sync - find the next Alignment Synchronization
 * @p: bytes
 * @n: number of bytes
 *
 * Return: offset of its last 12 bytes (11 zeros, 0x80), or @n if there is none. A packet that is
 * only partly within the bytes begins in the last 11 of them.
 */
size_t v9_ete_find_sync(const uint8_t *p, size_t n);

/*
 * Encodings of the registers of which there are several, by number. The encoding of a register of
 * the trace unit follows from its external offset. Other registers are V9_SYS_<REG> in gen/regs.h.
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
