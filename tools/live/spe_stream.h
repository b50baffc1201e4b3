/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The SPE data of one AUX ring, decoded while it is recorded. perf hands over data first and says afterwards
 * where something of it is missing, so what was given is kept until v9_spe_stream_decode().
 */
#ifndef V9TRACE_LIVE_SPE_STREAM_H
#define V9TRACE_LIVE_SPE_STREAM_H

#include "../lib/v9spe.h"
#include "../util.h"

/* { 0 } has no data yet. */
struct v9_spe_stream {
	struct v9_spe_dec *dec;		/* NULL: nothing was decoded yet */
	struct v9_blob data;		/* that was not decoded yet */
	uint64_t at;			/* offset of its first byte in the stream */
	uint64_t *cuts;			/* offsets behind which data is missing, ascending */
	size_t nr_cuts;
};

/*
 * Data in two parts, of which the first begins at byte @offset of the stream. It is copied. Data of a stream
 * has no gaps.
 */
void v9_spe_stream_data(struct v9_spe_stream *s, uint64_t offset, const uint8_t *a, size_t na, const uint8_t *b,
			size_t nb);

/* Data is missing behind byte @offset: no record goes on there. */
void v9_spe_stream_cut(struct v9_spe_stream *s, uint64_t offset);

/* Decodes all data that was given. Call it when the cuts in it were given, too. @take gets each whole record. */
void v9_spe_stream_decode(struct v9_spe_stream *s, void (*take)(void *arg, const struct v9_spe_rec *rec), void *arg);
void v9_spe_stream_free(struct v9_spe_stream *s);

#endif
