/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Gives what a decoder gives to a listener in another thread, in the same order: while the listener follows calls,
 * decoding goes on. Hits point to blocks of the decoder, so it waits for the listener before it drops blocks.
 */
#ifndef V9TRACE_CAPTURE_RELAY_H
#define V9TRACE_CAPTURE_RELAY_H

#include "trace.h"

struct v9_relay;

/*
 * Starts a thread for @to, which has .hits. v9_relay_listener() is the listener for the decoder. Returns NULL if there
 * cannot be another thread.
 */
struct v9_relay *v9_relay_new(const struct v9_listener *to);
const struct v9_listener *v9_relay_listener(struct v9_relay *r);

/* Waits until the listener has all that was given. */
void v9_relay_drain(struct v9_relay *r);

/* Does so, and ends the thread. */
void v9_relay_free(struct v9_relay *r);

#endif
