// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a hostile capture can cost: the compiler counts each block of code that reading it executes. Four
 * times as much of a capture may take at most six times as many, so that no work is quadratic.
 */
#include <stdio.h>
#include <string.h>

#include "tap.h"
#include "jitdump.h"

#include "../../tools/capture/bpf.h"
#include "../../tools/capture/jit.h"
#include "../../tools/capture/layers.h"
#include "../../tools/capture/strtab.h"
#include "../../tools/report/call_tree.h"

#define FEW	1000
#define MANY	(4 * FEW)
#define BASE	0xffff800080000000ull

static struct v9_strtab strings;
static uint64_t steps;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
	steps++;
}

/* @work reads a capture of that size, and returns how much it found. */
static void grows(const char *name, size_t (*work)(size_t n))
{
	uint64_t few, many;

	steps = 0;
	tap_eq(work(FEW), FEW, "%s_few_found", name);
	few = steps;
	steps = 0;
	tap_eq(work(MANY), MANY, "%s_many_found", name);
	many = steps;
	printf("# %s: %llu steps for %u, %llu for %u\n", name, (unsigned long long)few, FEW,
	       (unsigned long long)many, MANY);
	tap_ok(few >= FEW && many < 6 * few, "%s_steps", name);
}

/* ---- a jitdump that moves code: the first piece again and again, or each one once */

static size_t moved;

static void on_code(void *arg, const struct v9_jit_code *code)
{
	(void)arg;
	moved += !code->name;
}

static void move(struct cap *c, uint64_t index, uint64_t from, uint64_t to)
{
	cap_u32(c, 1);
	cap_u32(c, 64);
	cap_u64(c, 2);			/* time */
	cap_u32(c, 7);
	cap_u32(c, 7);
	cap_u64(c, to);
	cap_u64(c, from);
	cap_u64(c, to);
	cap_u64(c, 4);
	cap_u64(c, index);
}

static size_t moves(size_t n, bool of_one)
{
	const struct v9_jitdump_callbacks to = { .code = on_code };
	struct cap c = { .n = 0 };
	struct v9_jitdump d;

	moved = 0;
	jit_head(&c, 7, 0);
	for (size_t i = 0; i < n; i++)
		jit_load(&c, 7, 1, "f", 0x100000 * (i + 1), i, "code", 4);
	for (size_t i = 0; i < n; i++)
		if (of_one)
			move(&c, 0, 0x100000 + 4 * i, 0x100000 + 4 * (i + 1));
		else
			move(&c, i, 0x100000 * (i + 1), 0x100000 * (i + 1) + 4);
	v9_jitdump_read(&d, c.b, c.n, &to);
	free(c.b);
	return d.why ? 0 : moved;
}

static size_t moves_of_one(size_t n)
{
	return moves(n, true);
}

static size_t moves_of_each(size_t n)
{
	return moves(n, false);
}

/* ---- BPF programs at one address, each with a part of the capture that has its code */

static size_t bpf_programs(size_t n)
{
	struct cap code = { .n = 0 };
	struct v9_syms s;
	size_t found = 0;

	v9_syms_init(&s, &strings, &(struct v9_syms_opts){ .symfs = NULL });
	code_head(&code, (uint32_t)n);
	for (size_t i = 0; i < n; i++) {
		const uint64_t part[3] = { 10 * (n - i) + 1, i, 0xd65f03c0 };

		code_part(&code, PD_CODE_BPF, BASE, part, sizeof(part));
		v9_bpf_symbol(&s, 10 * (i + 1), BASE, 4, false, "bpf_prog", 8);
	}
	v9_embedded_open(&s.embedded, code.b, code.n);
	v9_bpf_load(&s);
	for (size_t i = 0; i < n; i++)
		found += s.bpf[i].code != NULL;
	v9_syms_seal(&s);
	v9_syms_free(&s);
	free(code.b);
	return found;
}

/* ---- parts that are looked up by their process */

static size_t parts_by_process(size_t n)
{
	struct cap code = { .n = 0 };
	struct v9_embedded k;
	size_t found = 0, size;

	code_head(&code, (uint32_t)n);
	for (uint32_t i = 0; i < n; i++)
		code_part(&code, PD_CODE_PERF_MAP, i, &i, sizeof(i));
	v9_embedded_open(&k, code.b, code.n);
	for (uint32_t i = 0; i < n; i++) {
		const uint8_t *p = v9_embedded_keyed(&k, PD_CODE_PERF_MAP, i, &size);

		found += p && size == sizeof(i) && !memcmp(p, &i, sizeof(i));
	}
	v9_embedded_close(&k);
	free(code.b);
	return found;
}

/* ---- mappings over each other, each smaller than the one before, and a look-up in each of them */

static size_t nested(size_t n, bool one_file)
{
	const uint64_t end = 0x10000000000;
	struct v9_syms s;
	size_t found = 0;

	v9_syms_init(&s, &strings, &(struct v9_syms_opts){ .symfs = NULL });
	for (size_t i = 0; i < n; i++) {
		const uint64_t start = 0x1000 * (i + 1);

		v9_syms_map(&s, i, 7, start, end - 2 * start, one_file ? start : 0, V9_MAP_EXEC, "/a", 2,
			    NULL, 0);
	}
	v9_syms_seal(&s);
	/* At the address that all have, each is the latest one at its time. */
	for (size_t i = 0; i < n; i++) {
		const struct v9_map *m = v9_syms_map_at(&s, 7, i, end / 2);

		found += m && m->time == i;
	}
	v9_syms_free(&s);
	return found;
}

static size_t nested_maps(size_t n)
{
	return nested(n, false);
}

static size_t nested_maps_of_the_same_bytes(size_t n)
{
	return nested(n, true);
}

/* ---- which mapping: against a search of all of them, for mappings of every kind of overlap */

static const struct v9_map *by_search(const struct v9_map *maps, size_t n, uint64_t addr, uint64_t time)
{
	const struct v9_map *at = NULL, *old = NULL;

	for (const struct v9_map *m = maps; m < maps + n; m++) {
		if (addr < m->start || addr >= m->end)
			continue;
		if (m->time <= time && (!at || m->time >= at->time))
			at = m;
		if (!old || m->time < old->time || m->time == old->time)
			old = m;
	}
	return at ? at : old;
}

static void layers(void)
{
	struct v9_map maps[24];
	uint32_t seed = 1;
	uint64_t wrong = 0, hits = 0;

	for (unsigned int turn = 0; turn < 200; turn++) {
		const size_t n = 1 + turn % 24;
		struct v9_layers l = { .nr = 0 };

		for (size_t i = 0; i < n; i++) {
			uint64_t at[3];

			for (unsigned int k = 0; k < 3; k++) {
				seed = seed * 1664525 + 1013904223;
				at[k] = seed >> 16;
			}
			maps[i] = (struct v9_map){ .start = at[0] % 40, .time = at[2] % 8 };
			maps[i].end = maps[i].start + at[1] % 20;
		}
		v9_layers_build(&l, maps, n);
		for (uint64_t addr = 0; addr < 64; addr++)
			for (uint64_t time = 0; time < 9; time++) {
				const struct v9_map *m = v9_layers_find(&l, maps, addr, time);

				wrong += m != by_search(maps, n, addr, time);
				hits += m != NULL;
			}
		v9_layers_free(&l);
	}
	tap_eq(wrong, 0, "layers_as_by_search");
	tap_ok(hits > 10000, "layers_hit");
}

/* ---- a function that calls many others, each twice */

static size_t callees(size_t n)
{
	struct v9_call *tree = NULL;
	size_t nr = 0;

	(void)v9_vec_add(tree, nr);
	for (size_t i = 0; i < 2 * n; i++)
		v9_call_child(&tree, &nr, 0, 1 + i % n);
	free(tree);
	return nr - 1;
}

int main(void)
{
	grows("moves_of_one", moves_of_one);
	grows("moves_of_each", moves_of_each);
	grows("bpf_programs", bpf_programs);
	grows("parts_by_process", parts_by_process);
	grows("nested_maps", nested_maps);
	grows("nested_maps_of_the_same_bytes", nested_maps_of_the_same_bytes);
	grows("callees", callees);
	layers();
	v9_strtab_free(&strings);
	return tap_done();
}
