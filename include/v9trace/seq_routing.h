/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Sequences of register accesses, as in seq.h: route buffer management events, and test the
 * routing.
 */
#ifndef V9TRACE_SEQ_ROUTING_H
#define V9TRACE_SEQ_ROUTING_H

#include "check_routing.h"
#include "seq.h"

/**
 * v9_spe_act_exclude_guests - clear the control register of EL1, which enables profiling of guests
 * @at_el2: the kernel runs at EL2; otherwise the register is the kernel's own
 *
 * The register is UNKNOWN after each reset of the CPU, also in deep sleep, and not every version of
 * KVM writes it. Call it before each start that follows such a reset.
 */
void v9_spe_act_exclude_guests(bool at_el2);

/**
 * v9_trbe_act_exclude_guests - likewise for trace of guests
 * @at_el2: the kernel runs at EL2
 */
void v9_trbe_act_exclude_guests(bool at_el2);

/**
 * v9_spe_act_route - route events of this CPU's profiling unit to its interrupt
 * @at_el2: the kernel runs at EL2
 * @facts: result
 *
 * The unit is off and reset.
 */
void v9_spe_act_route(bool at_el2, struct v9_routing_facts *facts);

/**
 * v9_trbe_act_route - route events of this CPU's trace buffer to its interrupt
 * @at_el2: the kernel runs at EL2
 * @facts: result
 */
void v9_trbe_act_route(bool at_el2, struct v9_routing_facts *facts);

/**
 * v9_spe_act_self_test - fill a buffer, and read whether the status register records it
 * @state: of this CPU, the unit reset
 * @unit: features of the unit
 * @page: address of memory; its last granule is written
 * @size: bytes of it
 *
 * For units whose events can be routed to a higher level (FEAT_SPE_EXC). The unit profiles the
 * kernel for some ten thousand instructions, with interrupts off.
 *
 * Return: true if the buffer is full and the status register of this level does not record it;
 * false if it does, or if the test has no result.
 */
bool v9_spe_act_self_test(struct v9_spe_state *state, const struct v9_spe_unit *unit,
			  uint64_t page, uint64_t size);

/**
 * v9_trbe_act_self_test - fill a trace buffer, and read whether the status register records it
 * @state: of this CPU, the unit reset
 * @unit: features of the unit
 * @page: address of memory; its last bytes are written
 * @size: bytes of it
 *
 * For units with FEAT_TRBE_EXC; see v9_spe_act_self_test().
 *
 * Return: as v9_spe_act_self_test().
 */
bool v9_trbe_act_self_test(struct v9_ete_state *state, const struct v9_ete_unit *unit,
			   uint64_t page, uint64_t size);

#endif
