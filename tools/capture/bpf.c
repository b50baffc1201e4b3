// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf.h"

#include <stdlib.h>
#include <string.h>

#include <v9trace/base.h>

#include "../util.h"
#include "elf.h"

#define NAME	"bpf"		/* as /proc/kallsyms has it */

void v9_bpf_symbol(struct v9_syms *s, uint64_t time, uint64_t addr, uint32_t size, bool ends,
		   const char *name, size_t len)
{
	if (!(addr & V9_KERNEL_HALF) || !size || addr + size < addr)
		return;
	*v9_vec_add(s->bpf, s->nr_bpf) = (struct v9_bpf_symbol){
		.time = time, .addr = addr, .size = size, .ends = ends,
		.name = v9_strtab_put(s->strtab, name, len) };
}

/* By address, then by time, then in the order of the file */
static int load_order(const void *a, const void *b)
{
	const struct v9_bpf_symbol *x = *(struct v9_bpf_symbol *const *)a;
	const struct v9_bpf_symbol *y = *(struct v9_bpf_symbol *const *)b;

	if (x->addr != y->addr)
		return V9_ORDER(x->addr, y->addr);
	return x->time == y->time ? V9_ORDER(x, y) : V9_ORDER(x->time, y->time);
}

/*
 * A part has the code of the function that was loaded last at its address, up to the time of the
 * part. @loads: sorted by load_order().
 */
static void set_code(struct v9_bpf_symbol **loads, size_t nr, const struct pd_code_part *part,
		     const uint8_t *bytes)
{
	struct pd_bpf head;
	size_t n;

	if (part->size <= sizeof(head))
		return;
	memcpy(&head, bytes, sizeof(head));
	n = v9_first_entries(i, nr, loads[i]->addr < part->addr ||
				    (loads[i]->addr == part->addr && loads[i]->time <= head.time));
	if (n && loads[n - 1]->addr == part->addr && loads[n - 1]->size <= part->size - sizeof(head))
		loads[n - 1]->code = bytes + sizeof(head);
}

static void set_codes(struct v9_syms *s)
{
	struct v9_bpf_symbol **loads = v9_alloc(s->nr_bpf * sizeof(*loads));
	const struct pd_code_part *part;
	const uint8_t *bytes;
	size_t nr = 0;

	for (size_t i = 0; i < s->nr_bpf; i++)
		if (!s->bpf[i].ends)
			loads[nr++] = &s->bpf[i];
	qsort(loads, nr, sizeof(*loads), load_order);
	for (size_t i = 0; (part = v9_embedded_part(&s->embedded, PD_CODE_BPF, i, &bytes)); i++)
		set_code(loads, nr, part, bytes);
	free(loads);
}

static void add_symbol(struct v9_syms *s, struct v9_dso *d, const struct v9_bpf_symbol *b,
		       uint64_t offset)
{
	struct v9_func *f = v9_vec_add(d->funcs, d->nr_funcs);

	*f = (struct v9_func){ .start = offset, .end = offset + b->size, .name = b->name };
	/* Before it was loaded, the address belongs to the kernel. */
	if (b->time)
		v9_syms_jit(s, 0, V9_KERNEL_PID, b->addr, b->size, 0, s->dsos[0]);
	v9_syms_jit(s, b->time, V9_KERNEL_PID, b->addr, b->size, offset, d);
}

void v9_bpf_load(struct v9_syms *s)
{
	struct v9_blob code = { 0 };
	struct v9_dso *d;
	uint64_t offset;

	if (!s->nr_bpf)
		return;
	set_codes(s);
	d = v9_syms_dso(s, v9_strtab_put(s->strtab, NAME, sizeof(NAME) - 1));
	/* Functions without code come behind the code. */
	for (size_t i = 0; i < s->nr_bpf; i++)
		if (s->bpf[i].code && !s->bpf[i].ends) {
			add_symbol(s, d, &s->bpf[i], code.len);
			v9_blob_put(&code, s->bpf[i].code, s->bpf[i].size);
		}
	offset = code.len;
	for (size_t i = 0; i < s->nr_bpf; i++) {
		const struct v9_bpf_symbol *b = &s->bpf[i];

		if (b->ends) {
			v9_syms_jit(s, b->time, V9_KERNEL_PID, b->addr, b->size, 0, s->dsos[0]);
		} else if (!b->code) {
			add_symbol(s, d, b, offset);
			offset += b->size;
		}
	}
	d->own = code.data;
	v9_syms_generated(d, code.data, code.len);
}
