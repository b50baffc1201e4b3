/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Input of the targets ete and ete_once, which share a corpus: a byte of options, a byte for the sizes of
 * feeds, bytes of code, which repeat at all addresses, trace.
 */
#ifndef V9TRACE_FUZZ_ETE_INPUT_H
#define V9TRACE_FUZZ_ETE_INPUT_H

#include "fuzz.h"

#include "../../tools/lib/flow.h"

#define PROGRAM 64

struct ete_input {
	struct v9_ete_setup setup;
	uint8_t program[PROGRAM];
	const uint8_t *trace;
	size_t size;
	uint8_t cut;		/* pieces have 1 + cut bytes */
	bool batch;		/* take the output by v9_flow_batch() */
};

static const uint8_t *ete_code(void *arg, const struct v9_ete_context *ctx, uint64_t addr, size_t *n)
{
	static const uint8_t none;

	(void)ctx;
	*n = PROGRAM - addr % PROGRAM;
	/* Some addresses have no code. */
	if ((addr >> 8) % 16 == 15)
		return NULL;
	return arg ? (const uint8_t *)arg + addr % PROGRAM : &none;
}

/* Returns false if the input is too short or too long. @in must stay where it is. */
static bool ete_input(struct ete_input *in, const uint8_t *data, size_t size)
{
	const uint8_t options = size ? data[0] : 0;

	if (size < 2 + PROGRAM || size > 1 << 14)
		return false;
	memcpy(in->program, data + 2, PROGRAM);
	in->setup = (struct v9_ete_setup){
		.size = sizeof(in->setup), .code = ete_code, .arg = in->program,
		.trcidr0 = (options & 1 ? 1u << 29 : 0) | (options & 2 ? 1u << 30 : 0) |
			   (options & 4 ? 3u << 22 : 0),
		.trcidr2 = options & 8 ? 1u << 31 : 0,
		.trcidr8 = options & 16 ? 8 : 0,
		.trcconfigr = options & 32 ? 1u << 12 : 0,
		.trcdevarch = options & 64 ? 2u << 16 : 0,
	};
	in->batch = options & 128;
	in->cut = data[1];
	in->trace = data + 2 + PROGRAM;
	in->size = size - 2 - PROGRAM;
	return true;
}

#endif
