/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Ordered steps on the hardware, as in seq.h: look at where events go, and try it.
 */
#ifndef V9TRACE_SEQ_ROUTING_H
#define V9TRACE_SEQ_ROUTING_H

#include "check_routing.h"
#include "seq.h"

/**
 * v9_spe_act_route - route the events of this CPU's profiling unit to its interrupt
 * @at_el2: the kernel runs at EL2
 * @facts: result
 *
 * The unit is off and reset. At EL2 the register that would profile guests is
 * cleared, too: it is UNKNOWN at reset, and not every KVM cares.
 */
void v9_spe_act_route(bool at_el2, struct v9_routing_facts *facts);

/**
 * v9_trbe_act_route - the same for the trace buffer
 * @at_el2: the kernel runs at EL2
 * @facts: result
 */
void v9_trbe_act_route(bool at_el2, struct v9_routing_facts *facts);

/**
 * v9_spe_act_self_test - fill a buffer, and see who records it
 * @state: this CPU's, the unit reset
 * @unit: what the unit can do
 * @page: memory of which the last granule is written
 * @size: of it
 *
 * For units whose events may go elsewhere (FEAT_SPE_EXC). The kernel itself is
 * profiled for some ten thousand instructions; interrupts are off.
 *
 * Return: true if the buffer is full and the status register here says nothing of
 * it. False also if no conclusion is possible.
 */
bool v9_spe_act_self_test(struct v9_spe_state *state, const struct v9_spe_unit *unit,
			  uint64_t page, uint64_t size);

/**
 * v9_trbe_act_self_test - the same for the trace buffer (FEAT_TRBE_EXC)
 * @state: this CPU's, the unit reset
 * @unit: what the unit can do
 * @page: memory of which the last bytes are written
 * @size: of it
 *
 * Return: likewise.
 */
bool v9_trbe_act_self_test(struct v9_ete_state *state, const struct v9_ete_unit *unit,
			   uint64_t page, uint64_t size);

#endif
