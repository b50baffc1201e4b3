/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Text for the fields of a record. All names come from tables/spe.pkt and tables/spe.source. */
#ifndef V9TRACE_LIB_SPE_TEXT_H
#define V9TRACE_LIB_SPE_TEXT_H

#include <stddef.h>
#include <stdint.h>

#define V9_SPE_EVENT_BITS	64

/* Name of an event bit in lower case, as "l1d_access"; NULL if the bit has no name. */
const char *v9_spe_event_name(unsigned int bit);
const char *v9_spe_event_text(unsigned int bit);

/* Names of all set bits, as "retired l1d_access". A bit without a name is "e47". */
const char *v9_spe_events(char *buf, size_t size, uint64_t events);

/*
 * Text of an operation type, as "load", "store simd_fp" or "branch cond". An unknown subclass is
 * "other 0x40".
 */
const char *v9_spe_op(char *buf, size_t size, unsigned int class, uint8_t op);

/* Access to memory: -1 no load or store, 0 load, 1 store. */
int v9_spe_op_store(unsigned int class, uint8_t op);

/*
 * The set of data source values that the CPUs with this MIDR use; V9_SPE_SET_UNKNOWN (0) if the
 * CPU is not in the table.
 */
unsigned int v9_spe_source_set(uint64_t midr);

/* Name and text of a data source, as "dram" and "memory"; NULL if the value is not in the set. */
const char *v9_spe_source(unsigned int set, uint16_t source);
const char *v9_spe_source_text(unsigned int set, uint16_t source);

#endif
