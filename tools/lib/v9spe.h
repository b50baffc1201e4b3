/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * libv9spe: decoder for records of the Statistical Profiling Extension.
 *
 *	packets     <v9trace/spe.h>: v9_spe_pkt_decode()
 *	records     v9_spe_dec_...: one sampled operation each
 *
 * Each layer can be used alone. As in libv9ete the calls are new, feed, next, end, delete. There is
 * no global state: an object holds the state of one stream, and threads may use different objects
 * at the same time. The library prints nothing. Errors are negative errno values.
 *
 * Meanings of events and operation types are in <v9trace/gen/spe_pkt.h>. Structs have a fixed size
 * within one soname. Later versions may add bits and enum values: ignore those that you do not
 * know.
 */
#ifndef V9SPE_H
#define V9SPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <v9trace/spe.h>

#ifdef __cplusplus
extern "C" {
#endif

enum v9_spe_has {
	V9_SPE_REC_PC		= 1 << 0,
	V9_SPE_REC_TARGET	= 1 << 1,
	V9_SPE_REC_VA		= 1 << 2,
	V9_SPE_REC_PA		= 1 << 3,
	V9_SPE_REC_PREV_TARGET	= 1 << 4,
	V9_SPE_REC_EVENTS	= 1 << 5,
	V9_SPE_REC_OP		= 1 << 6,
	V9_SPE_REC_LAT_TOTAL	= 1 << 7,
	V9_SPE_REC_LAT_ISSUE	= 1 << 8,
	V9_SPE_REC_LAT_XLAT	= 1 << 9,
	V9_SPE_REC_SOURCE	= 1 << 10,
	V9_SPE_REC_CTX_EL1	= 1 << 11,
	V9_SPE_REC_CTX_EL2	= 1 << 12,
	V9_SPE_REC_TS		= 1 << 13,
	V9_SPE_REC_LAT_ALT	= 1 << 14,
};

enum v9_spe_latency {
	V9_SPE_LAT_TOTAL,	/* dispatch to complete */
	V9_SPE_LAT_ISSUE,	/* dispatch to issue */
	V9_SPE_LAT_XLAT,	/* translation: from the address at the MMU to its result */
	V9_SPE_LATENCIES
};

#define V9_SPE_REC_LAT(i)	(V9_SPE_REC_LAT_TOTAL << (i))

/* A code address, with its Exception level and Security state */
struct v9_spe_code {
	uint64_t addr;		/* virtual, sign-extended from bit 55 */
	uint8_t el;		/* 0 to 3 */
	bool ns, nse;
};

/**
 * struct v9_spe_rec - one sampled operation; a member is valid only if its bit is set in @has
 * @offset: byte offset of the record's first packet in the AUX stream
 * @size: bytes of the record, including the End or Timestamp packet
 * @has: V9_SPE_REC_*
 * @va: virtual data address, sign-extended from bit 55
 * @va_tag: byte 7 of the packet: the tag if the top byte is ignored (TBI), else bits [63:56] of the
 *      address or 0; see v9_spe_tagged()
 * @pa: physical data address, bits [55:0]
 * @pa_top: byte 7 of the packet: Security state, tag check
 * @events: bits of the Events packet
 * @ts: timestamp, in ticks of the counter that the unit uses
 * @pc: address of the instruction
 * @target: target of a branch
 * @prev_target: target of the previous taken branch
 * @ctx: CONTEXTIDR_EL1, CONTEXTIDR_EL2
 * @lat: latencies in cycles, by enum v9_spe_latency
 * @lat_alt: V9_SPE_LAT_ISSUE in cycles of the alternate clock (FEAT_SPE_ALTCLK)
 * @source: data source; its values are IMPLEMENTATION DEFINED
 * @op_class: class of the Operation Type packet: 0 other, 1 load, store or atomic, 2 branch
 * @op: payload of the Operation Type packet
 * @unknown: number of packets without a meaning for this library, at most 255; see v9_spe_dec_raw()
 * @reserved: 0
 */
struct v9_spe_rec {
	uint64_t offset;
	uint32_t size;
	uint32_t has;
	uint64_t va, pa, events, ts;
	struct v9_spe_code pc, target, prev_target;
	uint32_t ctx[2];
	uint16_t lat[V9_SPE_LATENCIES];
	uint16_t source;
	uint8_t op_class, op;
	uint8_t va_tag, pa_top;
	uint8_t unknown;
	uint8_t reserved;
	uint16_t lat_alt;
};

/**
 * struct v9_spe_raw - a packet without a meaning for this library
 * @payload: value, from little-endian bytes
 * @header: bytes of the header
 * @header_size: bytes of the header: 1 or 2
 * @payload_size: bytes of the payload: 1, 2, 4 or 8
 */
struct v9_spe_raw {
	uint64_t payload;
	uint8_t header[2];
	uint8_t header_size, payload_size;
};

/* Reason for skipped bytes */
enum v9_spe_skip {
	V9_SPE_SKIP_RESERVED,	/* a reserved header, and up to the next record */
	V9_SPE_SKIP_ENDLESS,	/* more than V9_SPE_REC_MAX bytes, and up to the next record */
	V9_SPE_SKIP_GAP,	/* an incomplete record before missing bytes */
	V9_SPE_SKIP_LOSS,	/* an incomplete record before data that the unit lost */
	V9_SPE_SKIP_CUT,	/* an incomplete record at the end of the stream */
	V9_SPE_SKIPS
};

extern const char *const v9_spe_skip_why[V9_SPE_SKIPS];

/* Counters of a stream. Each byte that was fed is in record_bytes, padding or skipped[]. */
struct v9_spe_account {
	uint64_t records, record_bytes;
	uint64_t padding;			/* between records; also Alignment (DDI0586A) */
	uint64_t skipped[V9_SPE_SKIPS];		/* bytes, by enum v9_spe_skip */
	uint64_t skips[V9_SPE_SKIPS];		/* places where bytes were skipped */
	uint64_t unknown_packets;		/* packets in records, without a meaning */
	uint64_t no_events;			/* records without an Events packet */
};

#define V9_SPE_REC_MAX	2048		/* bytes: the largest PMSIDR_EL1.MaxSize */

struct v9_spe_dec;

/* Allocate a decoder. Returns NULL with errno set to ENOMEM on failure. */
struct v9_spe_dec *v9_spe_dec_new(void);
void v9_spe_dec_delete(struct v9_spe_dec *d);

/**
 * v9_spe_dec_feed - give the decoder the next bytes of the stream
 * @d: decoder
 * @p: bytes; they must stay valid until v9_spe_dec_next() has returned 0
 * @n: number of bytes
 * @offset: byte offset of @p in the AUX stream. If it is not the end of the bytes before, bytes are
 *          missing: an incomplete record is skipped as V9_SPE_SKIP_GAP, and a record begins at @p
 *
 * Call it only after v9_spe_dec_next() has returned 0 for the bytes before.
 */
void v9_spe_dec_feed(struct v9_spe_dec *d, const uint8_t *p, size_t n, uint64_t offset);

/*
 * Get the next record. Returns 1 and the record; 0 if more bytes are needed; or -ENOMEM, after
 * which each further call returns -ENOMEM, too.
 */
int v9_spe_dec_next(struct v9_spe_dec *d, struct v9_spe_rec *rec);

/* End of the stream: an incomplete record is skipped with reason @why. */
void v9_spe_dec_end(struct v9_spe_dec *d, enum v9_spe_skip why);

/*
 * The sum of record_bytes, padding and skipped[]. After v9_spe_dec_end() it is the number of bytes
 * that were fed.
 */
uint64_t v9_spe_account_bytes(const struct v9_spe_account *a);

/* Decode the payload of an Address packet with index 0, 1 or 4 (PC, target, previous target). */
struct v9_spe_code v9_spe_code_addr(uint64_t payload);

/* Sign-extend a virtual address from bit 55, as for translation regimes with two ranges. */
uint64_t v9_spe_canonical(uint64_t payload);

/*
 * Returns true if @va_tag is certainly a tag. A record does not have the setting of TBI, so a byte
 * that is 0, or equal to the top byte of the sign-extended address, may or may not be a tag.
 */
static inline bool v9_spe_tagged(const struct v9_spe_rec *rec)
{
	return rec->va_tag && rec->va_tag != rec->va >> 56;
}

#define V9_SPE_RAWS		32

/*
 * The packets without a meaning in the record that v9_spe_dec_next() returned last. Returns their
 * number, and sets *@raw to the first V9_SPE_RAWS of them, which are valid until the next call of
 * v9_spe_dec_next().
 */
size_t v9_spe_dec_raw(const struct v9_spe_dec *d, const struct v9_spe_raw **raw);

const struct v9_spe_account *v9_spe_dec_account(const struct v9_spe_dec *d);

/* Byte offset in the AUX stream of the next byte to decode. */
uint64_t v9_spe_dec_offset(const struct v9_spe_dec *d);

#ifdef __cplusplus
}
#endif

#endif
