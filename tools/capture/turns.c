// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "turns.h"

#include <stdlib.h>
#include <string.h>

#include "../util.h"

void v9_turns_start(struct v9_turns *t, const struct v9_session *s,
		    const struct v9_ete_setup *setup)
{
	v9_ete_dec_delete(t->dec);
	t->dec = v9_ete_dec_new(setup);
	if (!t->dec)
		v9_out_of_memory();
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

void v9_turns_feed(struct v9_turns *t, const uint8_t *p, size_t n, uint64_t offset, uint64_t time)
{
	struct v9_ete_elem e;
	uint64_t ns;

	t->nr = 0;
	v9_ete_dec_feed(t->dec, p, n, offset);
	while (v9_ete_dec_next(t->dec, &e) > 0) {
		switch (e.kind) {
		case V9_EL_TIMESTAMP:
			if (!e.addr || !v9_session_time(t->s, e.addr, &ns))
				break;
			set_time(t, ns);
			if (!t->time)
				t->time = ns;
			break;
		case V9_EL_CONTEXT:
			if (e.ctx.contextid == t->contextid && e.ctx.vmid == t->vmid)
				break;
			t->contextid = e.ctx.contextid;
			t->vmid = e.ctx.vmid;
			/* fall through */
		case V9_EL_TRACE_ON:
			end_turn(t, offset, e.offset, t->time);
			t->time = 0;
			break;
		}
	}
	/* The last part may go on in the next bytes. */
	end_turn(t, offset, offset + n, t->time);
	set_time(t, time);
}

void v9_turns_free(struct v9_turns *t)
{
	v9_ete_dec_delete(t->dec);
	free(t->turn);
	memset(t, 0, sizeof(*t));
}
