/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Code in the capture itself (PD_CODE in perfdata.h): the vDSO, the kernel as it was when the
 * recording ended, its symbols, the instructions that changed while recording, files of containers,
 * BPF programs, and descriptions of generated code. Parts are decompressed when they are first
 * used.
 */
#ifndef V9TRACE_CAPTURE_EMBEDDED_H
#define V9TRACE_CAPTURE_EMBEDDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../perfdata.h"

struct v9_embedded_part {
	struct pd_code_part head;
	const uint8_t *stored;
	uint8_t *unpacked;
	bool bad;			/* it cannot be decompressed */
};

struct v9_embedded {
	struct v9_embedded_part *part;
	size_t nr;
	struct v9_embedded_part **by_kind, **by_key;	/* by kind; by kind and .addr: in the order of the file */
	struct pd_code_change *changed;	/* ascending by address */
	size_t nr_changed;
	bool damaged;			/* the section could not be read completely */
};

/* @p must stay valid until v9_embedded_close(). It may be NULL or have any content. */
void v9_embedded_open(struct v9_embedded *k, const uint8_t *p, size_t n);
void v9_embedded_close(struct v9_embedded *k);

/* Returns part @i (from 0) of that kind, with its content in @bytes; NULL if there is none. */
const struct pd_code_part *v9_embedded_part(struct v9_embedded *k, enum pd_code_kind kind, size_t i,
					    const uint8_t **bytes);

/* Returns the content of the part with that kind and @addr, and its size; NULL if there is none. */
const uint8_t *v9_embedded_keyed(struct v9_embedded *k, enum pd_code_kind kind, uint64_t addr,
				 size_t *size);

/* Returns the ELF file with that build-id, and its size; NULL if the capture does not have it. */
const uint8_t *v9_embedded_file(struct v9_embedded *k, const uint8_t *id, unsigned int id_size,
				size_t *size);

/* Returns the first changed instruction at or after @addr, or NULL. */
const struct pd_code_change *v9_embedded_change(const struct v9_embedded *k, uint64_t addr);

/* What v9_embedded_save() has written */
enum { V9_SAVED_VDSO = 1, V9_SAVED_KERNEL = 2, V9_SAVED_KALLSYMS = 4, V9_SAVED_MODULES = 8,
	V9_SAVED_FILES = 16 };

/*
 * Writes the parts below @dir, in the places where other tools look for them:
 * .build-id/XX/YY/vdso and elf as in perf's cache; kcore, kallsyms and modules as perf record --kcore does.
 * *@saved: V9_SAVED_* that there are. Returns 0, or -errno after it has printed a message.
 */
int v9_embedded_save(struct v9_embedded *k, const char *dir, unsigned int *saved);

#endif
