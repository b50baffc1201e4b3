// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "turns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <v9trace/base.h>
#include <v9trace/gen/regs.h>

#include "../util.h"

#define RUNS	64	/* to decode at once */

void v9_turns_start(struct v9_turns *t, const struct v9_session *s,
		    const struct v9_ete_setup *setup)
{
	struct v9_ete_config cfg;

	v9_ete_config_init(&cfg, setup->trcidr0, setup->trcidr8,
			   V9_GET(V9_TRCDEVARCH_REVISION, setup->trcdevarch) >=
			   V9_TRCDEVARCH_REVISION_ETEv1p2);
	v9_ete_pktdec_init(&t->dec, &cfg);
	t->synced = false;
	t->nr_held = 0;
	t->s = s;
	t->time = 0;
}

/* Ends the current part at offset @end. @time: of its first timestamp; 0: not known yet */
static void end_turn(struct v9_turns *t, uint64_t from, uint64_t end, uint64_t time)
{
	if (end <= (t->nr ? t->turn[t->nr - 1].end : from))
		return;
	if (t->nr == t->room) {
		t->room = t->room ? t->room * 2 : 64;
		t->turn = v9_realloc(t->turn, t->room * sizeof(*t->turn));
	}
	t->turn[t->nr++] = (struct v9_turn){ end, time };
}

/* Sets the time of the newest parts, as far as it is not known. */
static void set_time(struct v9_turns *t, uint64_t time)
{
	for (size_t i = t->nr; i-- && !t->turn[i].time; )
		t->turn[i].time = time;
}

/* A packet at offset @at of the stream; the bytes of this feed begin at @from. */
static void take(struct v9_turns *t, const struct v9_ete_pkt *pkt, uint64_t from, uint64_t at)
{
	uint64_t ns;

	/* Before a Trace Info values are not known. */
	if (!t->dec.base.started)
		return;
	if (pkt->kind == V9_ETE_TIMESTAMP && pkt->timestamp &&
	    v9_session_time(t->s, pkt->timestamp, &ns)) {
		set_time(t, ns);
		if (!t->time)
			t->time = ns;
	} else if (pkt->kind == V9_ETE_TRACE_ON) {
		end_turn(t, from, at, t->time);
		t->time = 0;
	} else if ((pkt->has & V9_ETE_HAS_CTX || pkt->kind == V9_ETE_CONTEXT) &&
		   (pkt->ctx.contextid != t->contextid || pkt->ctx.vmid != t->vmid)) {
		t->contextid = pkt->ctx.contextid;
		t->vmid = pkt->ctx.vmid;
		end_turn(t, from, at, t->time);
		t->time = 0;
	}
}

/* Data is missing or damaged: go on at the next synchronization. */
static void lose(struct v9_turns *t)
{
	v9_ete_pktdec_reset(&t->dec);
	t->synced = false;
	t->nr_held = 0;
}

/* Keeps the end of the bytes: a packet, or a synchronization, goes on in the next ones. */
static void hold(struct v9_turns *t, const uint8_t *p, size_t n)
{
	if (n > sizeof(t->held)) {
		lose(t);
		return;
	}
	memcpy(t->held, p, n);
	t->nr_held = n;
}

/* Decodes what was held, with the first bytes of @p. Returns how many of these were used. */
static size_t finish_held(struct v9_turns *t, const uint8_t *p, size_t n, uint64_t offset)
{
	uint8_t both[2 * sizeof(t->held)];
	const size_t held = t->nr_held, more = n < sizeof(t->held) ? n : sizeof(t->held);
	struct v9_ete_pkt pkt;
	size_t at = 0;
	int r;

	memcpy(both, t->held, held);
	memcpy(both + held, p, more);
	t->nr_held = 0;
	if (!t->synced) {
		at = v9_ete_find_sync(both, held + more);
		if (at >= held && at < held + more)
			return at - held;
		if (at == held + more) {
			if (more < n)
				return 0;
			at -= at < V9_ETE_ASYNC_SIZE ? at : V9_ETE_ASYNC_SIZE - 1;
			hold(t, both + at, held + more - at);
			return n;
		}
		t->synced = true;
	}
	r = v9_ete_pkt_decode(&t->dec, both + at, held + more - at, &pkt);
	if (r == -ENODATA && more == n) {
		hold(t, both, held + more);	/* there is no synchronization, which would be decoded */
		return n;
	}
	if (r < 0 || at + (size_t)r < held) {
		lose(t);
		return 0;
	}
	take(t, &pkt, offset, offset + at - held);
	return at + (size_t)r - held;
}

static void decode(struct v9_turns *t, const uint8_t *p, size_t n, uint64_t offset)
{
	struct v9_ete_run runs[RUNS];
	struct v9_ete_pkt pkt;
	size_t at = t->nr_held ? finish_held(t, p, n, offset) : 0, nr;
	int r;

	while (at < n) {
		if (!t->synced) {
			const size_t sync = at + v9_ete_find_sync(p + at, n - at);

			if (sync == n) {
				at = n - at < V9_ETE_ASYNC_SIZE ? at : n - V9_ETE_ASYNC_SIZE + 1;
				hold(t, p + at, n - at);
				return;
			}
			at = sync;
			t->synced = true;
		}
		/* Branches and addresses say nothing here. */
		if (t->dec.base.started)
			at += v9_ete_pkt_runs(&t->dec, p + at, n - at, runs, RUNS, &nr);
		if (at == n)
			return;
		r = v9_ete_pkt_decode(&t->dec, p + at, n - at, &pkt);
		if (r == -ENODATA) {
			hold(t, p + at, n - at);
			return;
		}
		if (r < 0) {
			lose(t);
			at++;
			continue;
		}
		take(t, &pkt, offset, offset + at);
		at += (size_t)r;
	}
}

void v9_turns_feed(struct v9_turns *t, const uint8_t *p, size_t n, uint64_t offset, uint64_t time)
{
	t->nr = 0;
	if (offset != t->next)
		lose(t);
	t->next = offset + n;
	decode(t, p, n, offset);
	/* The last part may go on in the next bytes. */
	end_turn(t, offset, offset + n, t->time);
	set_time(t, time);
}

void v9_turns_free(struct v9_turns *t)
{
	free(t->turn);
	memset(t, 0, sizeof(*t));
}
