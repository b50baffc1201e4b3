// SPDX-License-Identifier: GPL-2.0-only
/* Decodes AUX bytes to records, strictly: anything that does not decode is an error. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <v9trace/spe.h>

#include "spe.h"
#include "work.h"

static int stop(struct spe_recs *recs, size_t at, const char *why)
{
	recs->bad_at = at;
	recs->why = why;
	return -EBADMSG;
}

static void take(struct spe_rec *rec, const struct v9_spe_pkt *pkt)
{
	static const struct { unsigned int has; size_t at; } address[] = {
		{ REC_PC, offsetof(struct spe_rec, pc) },
		{ REC_TARGET, offsetof(struct spe_rec, target) },
		{ REC_VA, offsetof(struct spe_rec, va) },
		{ REC_PA, offsetof(struct spe_rec, pa) },
	}, counter[] = {
		{ REC_TOTAL, offsetof(struct spe_rec, total) },
		{ REC_ISSUE, offsetof(struct spe_rec, issue) },
		{ REC_XLAT, offsetof(struct spe_rec, xlat) },
	};
	uint16_t count = (uint16_t)pkt->payload;

	switch (pkt->kind) {
	case V9_SPE_ADDRESS:
		if (pkt->index >= V9_ARRAY_SIZE(address))
			break;
		rec->has |= address[pkt->index].has;
		memcpy((char *)rec + address[pkt->index].at, &pkt->payload, sizeof(uint64_t));
		break;
	case V9_SPE_COUNTER:
		if (pkt->index >= V9_ARRAY_SIZE(counter))
			break;
		rec->has |= counter[pkt->index].has;
		memcpy((char *)rec + counter[pkt->index].at, &count, sizeof(count));
		break;
	case V9_SPE_EVENTS:
		rec->has |= REC_EVENTS;
		rec->events = pkt->payload;
		break;
	case V9_SPE_OP_TYPE:
		rec->has |= REC_OP;
		rec->op_class = pkt->index;
		rec->op = (uint8_t)pkt->payload;
		break;
	case V9_SPE_CONTEXT:
		rec->has |= REC_CONTEXT;
		rec->context = (uint32_t)pkt->payload;
		break;
	case V9_SPE_DATA_SOURCE:
		rec->has |= REC_SOURCE;
		rec->source = (uint16_t)pkt->payload;
		break;
	case V9_SPE_TIMESTAMP:
		rec->has |= REC_TS;
		rec->ts = pkt->payload;
		break;
	}
}

static struct spe_rec *grow(struct spe_recs *recs, size_t *room)
{
	if (recs->n == *room) {
		size_t more = *room ? *room * 2 : 1024;
		struct spe_rec *rec = realloc(recs->rec, more * sizeof(*rec));

		if (!rec)
			return NULL;
		recs->rec = rec;
		*room = more;
	}
	return &recs->rec[recs->n];
}

/* shows: SPE-CD1 SPE-PK2 SPE-PK3 SPE-PK7 SPE-PB15 (used by every test that records) */
int spe_decode(const uint8_t *bytes, size_t n, size_t aux_size, struct spe_recs *recs)
{
	struct spe_rec *rec, cur = { 0 };
	struct v9_spe_pkt pkt;
	bool open = false;
	size_t room = 0;

	memset(recs, 0, sizeof(*recs));
	for (size_t at = 0; at < n; at += pkt.size) {
		/* A record does not wrap at the end of the buffer. */
		size_t left = aux_size - at % aux_size;
		int err = v9_spe_pkt_decode(bytes + at, left < n - at ? left : n - at,
					    at % aux_size, &pkt);

		if (err < 0)
			return stop(recs, at, err == -ENODATA ? "packet cut off" : "bad packet");
		if (pkt.kind == V9_SPE_PADDING || pkt.kind == V9_SPE_ALIGNMENT)
			continue;
		if (!open) {
			memset(&cur, 0, sizeof(cur));
			cur.at = at;
			open = true;
		}
		take(&cur, &pkt);
		if (pkt.kind != V9_SPE_END && pkt.kind != V9_SPE_TIMESTAMP)
			continue;
		if (!(cur.has & REC_EVENTS))
			return stop(recs, cur.at, "record without events");
		if (cur.at / aux_size != at / aux_size)
			return stop(recs, cur.at, "record across the end of the buffer");
		rec = grow(recs, &room);
		if (!rec)
			return -ENOMEM;
		*rec = cur;
		recs->n++;
		open = false;
	}
	return open ? stop(recs, cur.at, "record cut off at the end") : 0;
}

int spe_records(struct ring *ring, struct spe_recs *recs)
{
	return spe_decode(ring->bytes, ring->nbytes, ring->aux_size ? ring->aux_size : 1, recs);
}

size_t spe_in_spin(const struct spe_recs *recs)
{
	size_t n = 0;

	for (size_t i = 0; i < recs->n; i++) {
		uint64_t at = SPE_ADDR(recs->rec[i].pc);

		n += at >= (uintptr_t)spin_start && at < (uintptr_t)spin_end;
	}
	return n;
}

void spe_free(struct spe_recs *recs)
{
	free(recs->rec);
	memset(recs, 0, sizeof(*recs));
}
