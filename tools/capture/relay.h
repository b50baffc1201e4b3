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
 * Starts a thread that calls @to, whose .hits must be set. v9_relay_listener() returns the listener for the decoder.
 * Returns NULL if the thread cannot be created.
 */
struct v9_relay *v9_relay_new(const struct v9_listener *to);
const struct v9_listener *v9_relay_listener(struct v9_relay *r);

/* Waits until the listener has all that was given. */
void v9_relay_drain(struct v9_relay *r);

/* Drains the relay, ends the thread, and frees the relay. */
void v9_relay_free(struct v9_relay *r);

#endif
