/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * libv9spe: records of the Statistical Profiling Extension, step by step.
 *
 *	packets     <v9trace/spe.h>: v9_spe_pkt_decode()
 *	records     v9_spe_dec_...: one sampled operation each
 *
 * Both are of use alone and have the verbs of libv9ete: new, feed, next, end, delete. There are no
 * globals: what belongs to one stream is in one object, and objects of different threads do not
 * meet. Nothing is printed. Errors are negative errno values.
 *
 * What events and operation types mean is in <v9trace/gen/spe_pkt.h>. Structs are as large as they
 * are as long as the number behind .so. is the same; bits and kinds that you do not know are to be
 * passed over.
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
	V9_SPE_HAS_PC		= 1 << 0,
	V9_SPE_HAS_TARGET	= 1 << 1,
	V9_SPE_HAS_VA		= 1 << 2,
	V9_SPE_HAS_PA		= 1 << 3,
	V9_SPE_HAS_PREV_TARGET	= 1 << 4,
	V9_SPE_HAS_EVENTS	= 1 << 5,
	V9_SPE_HAS_OP		= 1 << 6,
	V9_SPE_HAS_LAT_TOTAL	= 1 << 7,
	V9_SPE_HAS_LAT_ISSUE	= 1 << 8,
	V9_SPE_HAS_LAT_XLAT	= 1 << 9,
	V9_SPE_HAS_SOURCE	= 1 << 10,
	V9_SPE_HAS_CTX_EL1	= 1 << 11,
	V9_SPE_HAS_CTX_EL2	= 1 << 12,
	V9_SPE_HAS_TS		= 1 << 13,
	V9_SPE_HAS_LAT_ALT	= 1 << 14,
};

enum v9_spe_latency {
	V9_SPE_LAT_TOTAL,	/* dispatch to complete */
	V9_SPE_LAT_ISSUE,	/* dispatch to issue */
	V9_SPE_LAT_XLAT,	/* address at the MMU to its translation */
	V9_SPE_LATENCIES
};

#define V9_SPE_HAS_LAT(i)	(V9_SPE_HAS_LAT_TOTAL << (i))

/* A code address: where, in which exception level and security state. */
struct v9_spe_code {
	uint64_t addr;		/* canonical */
	uint8_t el;
	bool ns, nse;
};

/**
 * struct v9_spe_rec - one sampled operation; a field counts only if its bit is in @has
 * @offset: of the first packet, in the AUX stream
 * @size: bytes up to and with End or Timestamp
 * @unknown: packets skipped because they have no meaning here, 255 at most; v9_spe_dec_raw()
 * @va: canonical; @va_tag is byte 7 as the packet has it: the tag where the top byte was ignored
 *      (TBI), else bits [63:56] of the address or 0. v9_spe_tagged(): it can only be a tag
 * @pa: with @pa_top, byte 7 as the packet has it (security state, tag check)
 * @lat_alt: V9_SPE_LAT_ISSUE once more, in cycles of the alternate clock (FEAT_SPE_ALTCLK)
 */
struct v9_spe_rec {
	uint64_t offset;
	uint32_t size;
	uint32_t has;
	uint64_t va, pa, events, ts;
	struct v9_spe_code pc, target, prev_target;
	uint32_t ctx[2];	/* CONTEXTIDR_EL1, CONTEXTIDR_EL2 */
	uint16_t lat[V9_SPE_LATENCIES];
	uint16_t source;
	uint8_t op_class, op;
	uint8_t va_tag, pa_top;
	uint8_t unknown;
	uint8_t reserved;	/* 0 */
	uint16_t lat_alt;
};

/**
 * struct v9_spe_raw - a packet that has no meaning here, as it was in the stream
 * @payload: little-endian
 * @header: one or two bytes
 */
struct v9_spe_raw {
	uint64_t payload;
	uint8_t header[2];
	uint8_t header_size, payload_size;
};

/* Why bytes were given up. */
enum v9_spe_skip {
	V9_SPE_SKIP_RESERVED,	/* a reserved header, and on to the next known start */
	V9_SPE_SKIP_ENDLESS,	/* a record longer than the architecture allows */
	V9_SPE_SKIP_GAP,	/* a record whose end lies in bytes that are not there */
	V9_SPE_SKIP_LOSS,	/* a record cut where the unit reported lost data */
	V9_SPE_SKIP_CUT,	/* a record cut by the end of the stream */
	V9_SPE_SKIPS
};

extern const char *const v9_spe_skip_why[V9_SPE_SKIPS];

struct v9_spe_account {
	uint64_t records, record_bytes;
	uint64_t padding;			/* between records; Alignment of DDI0586A, too */
	uint64_t skipped[V9_SPE_SKIPS];		/* bytes */
	uint64_t skips[V9_SPE_SKIPS];		/* how often */
	uint64_t unknown_packets;		/* inside records, skipped by their size */
	uint64_t no_events;			/* records without the obligatory Events packet */
};

#define V9_SPE_REC_MAX	2048		/* PMSIDR_EL1.MaxSize goes up to 2^11 bytes */

struct v9_spe_dec;

/* NULL and errno: ENOMEM. */
struct v9_spe_dec *v9_spe_dec_new(void);
void v9_spe_dec_delete(struct v9_spe_dec *d);

/**
 * v9_spe_dec_feed - the next stretch of the stream
 * @offset: its position in the AUX stream. If that is not where the stretch
 *          before ended, a record still open is given up as V9_SPE_SKIP_GAP.
 * @p must stay until v9_spe_dec_next() has returned 0.
 */
void v9_spe_dec_feed(struct v9_spe_dec *d, const uint8_t *p, size_t n, uint64_t offset);

/* Returns 1 and the next record, 0 if that needs more bytes, or -ENOMEM from then on. */
int v9_spe_dec_next(struct v9_spe_dec *d, struct v9_spe_rec *rec);

/* No more bytes: what is still open is given up for @why. */
void v9_spe_dec_end(struct v9_spe_dec *d, enum v9_spe_skip why);

/* All bytes ever fed; equals the sum of what the account lists. */
uint64_t v9_spe_account_bytes(const struct v9_spe_account *a);

/* What the packet says as a code address (Address packets 0, 1 and 4). */
struct v9_spe_code v9_spe_code_addr(uint64_t payload);

/* Bits [55:0] of an address made canonical for the two-range regimes. */
uint64_t v9_spe_canonical(uint64_t payload);

/*
 * Whether @va_tag is a tag for certain. Records do not say where TBI is on; a byte that is 0 or the
 * top of the canonical address may have come without it.
 */
static inline bool v9_spe_tagged(const struct v9_spe_rec *rec)
{
	return rec->va_tag && rec->va_tag != rec->va >> 56;
}

#define V9_SPE_RAWS		32

/*
 * The packets without a meaning of the record that v9_spe_dec_next() gave last: how many, and the
 * first V9_SPE_RAWS of them. They are good until it is called again.
 */
size_t v9_spe_dec_raw(const struct v9_spe_dec *d, const struct v9_spe_raw **raw);

const struct v9_spe_account *v9_spe_dec_account(const struct v9_spe_dec *d);

/* Where in the stream decoding is. */
uint64_t v9_spe_dec_offset(const struct v9_spe_dec *d);

#ifdef __cplusplus
}
#endif

#endif
