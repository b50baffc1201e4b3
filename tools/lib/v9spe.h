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
	V9_SPE_LAT_XLAT,	/* address at the MMU to its translation */
	V9_SPE_LATENCIES
};

#define V9_SPE_REC_LAT(i)	(V9_SPE_REC_LAT_TOTAL << (i))

/* A code address, with its Exception level and Security state */
struct v9_spe_code {
	uint64_t addr;		/* virtual, sign-extended from bit 55 */
	uint8_t el;
	bool ns, nse;
};

/**
 * struct v9_spe_rec - one sampled operation; a member is valid only if its bit is set in @has
 * @offset: byte offset of the first packet in the AUX stream
 * @size: bytes, including the End or Timestamp packet
 * @has: V9_SPE_REC_*
 * @va: virtual data address, sign-extended from bit 55
 * @va_tag: byte 7 of the packet: the tag if the top byte is ignored (TBI), else bits [63:56] of the
 *      address or 0; see v9_spe_tagged()
 * @pa: physical data address, bits [55:0]
 * @pa_top: byte 7 of the packet: Security state, tag check
 * @events: bits of the Events packet
 * @ts: timestamp, in ticks of the counter that the unit uses
 * @pc: the operation
 * @target: target of a branch
 * @prev_target: target of the previous taken branch
 * @ctx: CONTEXTIDR_EL1, CONTEXTIDR_EL2
 * @lat: cycles, by enum v9_spe_latency
 * @lat_alt: V9_SPE_LAT_ISSUE in cycles of the alternate clock (FEAT_SPE_ALTCLK)
 * @source: data source, as the CPU defines it
 * @op_class: class of the Operation Type packet
 * @op: its payload
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
 * @header_size: 1 or 2
 * @payload_size: bytes: 1, 2, 4 or 8
 */
struct v9_spe_raw {
	uint64_t payload;
	uint8_t header[2];
	uint8_t header_size, payload_size;
};

/* Why bytes were skipped */
enum v9_spe_skip {
	V9_SPE_SKIP_RESERVED,	/* a reserved header; up to the next start of a record */
	V9_SPE_SKIP_ENDLESS,	/* a record longer than the architecture allows */
	V9_SPE_SKIP_GAP,	/* a record whose end is in missing bytes */
	V9_SPE_SKIP_LOSS,	/* a record that ends where the unit reported lost data */
	V9_SPE_SKIP_CUT,	/* a record that the end of the stream cuts off */
	V9_SPE_SKIPS
};

extern const char *const v9_spe_skip_why[V9_SPE_SKIPS];

/* What became of all bytes that were fed */
struct v9_spe_account {
	uint64_t records, record_bytes;
	uint64_t padding;			/* between records; Alignment of DDI0586A, too */
	uint64_t skipped[V9_SPE_SKIPS];		/* bytes */
	uint64_t skips[V9_SPE_SKIPS];		/* number of places */
	uint64_t unknown_packets;		/* inside records */
	uint64_t no_events;			/* records without an Events packet */
};

#define V9_SPE_REC_MAX	2048		/* bytes: the largest PMSIDR_EL1.MaxSize */

struct v9_spe_dec;

/* Returns a decoder, or NULL with errno set to ENOMEM. */
struct v9_spe_dec *v9_spe_dec_new(void);
void v9_spe_dec_delete(struct v9_spe_dec *d);

/**
 * v9_spe_dec_feed - give the decoder the next bytes of the stream
 * @d: decoder
 * @p: bytes; they must stay valid until v9_spe_dec_next() has returned 0
 * @n: number of bytes
 * @offset: byte offset of @p in the AUX stream. If it is not where the bytes before ended, an
 *          incomplete record is skipped as V9_SPE_SKIP_GAP
 */
void v9_spe_dec_feed(struct v9_spe_dec *d, const uint8_t *p, size_t n, uint64_t offset);

/* Returns 1 and the next record; 0 if it needs more bytes; or -ENOMEM, now and for ever. */
int v9_spe_dec_next(struct v9_spe_dec *d, struct v9_spe_rec *rec);

/* End of the stream: an incomplete record is skipped with reason @why. */
void v9_spe_dec_end(struct v9_spe_dec *d, enum v9_spe_skip why);

/* The sum of all bytes in the account, which is the number of bytes that were fed. */
uint64_t v9_spe_account_bytes(const struct v9_spe_account *a);

/* Decode the payload of an Address packet with index 0, 1 or 4. */
struct v9_spe_code v9_spe_code_addr(uint64_t payload);

/* Sign-extend an address from bit 55, as translation regimes with two ranges have it. */
uint64_t v9_spe_canonical(uint64_t payload);

/*
 * Is @va_tag certainly a tag? Records do not say whether TBI is on. A byte that is 0 or the top
 * byte of the sign-extended address may be no tag.
 */
static inline bool v9_spe_tagged(const struct v9_spe_rec *rec)
{
	return rec->va_tag && rec->va_tag != rec->va >> 56;
}

#define V9_SPE_RAWS		32

/*
 * The packets without a meaning in the last record of v9_spe_dec_next(). Returns their number, and
 * the first V9_SPE_RAWS of them in @raw, which are valid until the next call.
 */
size_t v9_spe_dec_raw(const struct v9_spe_dec *d, const struct v9_spe_raw **raw);

const struct v9_spe_account *v9_spe_dec_account(const struct v9_spe_dec *d);

/* Byte offset in the stream of the next byte to decode. */
uint64_t v9_spe_dec_offset(const struct v9_spe_dec *d);

#ifdef __cplusplus
}
#endif

#endif
