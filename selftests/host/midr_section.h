/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef V9TRACE_MIDR_SECTION_H
#define V9TRACE_MIDR_SECTION_H

#include "../../tools/capture/session.h"
#include "../../tools/util.h"

/* Appends the section PD_REGISTERS of a recorder on the CPUs of a capture: MIDR_EL1 of each. */
static inline void midr_section(const struct v9_session *s, struct v9_blob *b)
{
	const struct pd_registers head = { PD_REGISTERS_VERSION, (uint32_t)s->nr_cores };

	v9_blob_put(b, &head, sizeof(head));
	for (size_t i = 0; i < s->nr_cores; i++) {
		const struct pd_register r = {
			.cpu = s->cores[i].cpu, .encoding = PD_MIDR_EL1, .mask = UINT64_MAX,
			.value = s->cores[i].midr,
		};

		v9_blob_put(b, &r, sizeof(r));
	}
}

#endif
